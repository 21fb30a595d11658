"""The ballot box: which ballots stand, which were replaced, which are void and by the first of which rules.

Where several reasons hold, the first of: voter, window, format, target, then for changes nothing to change, limit, too late,
accelerated, not a reply. The rules are a list in that order, and the same list tells a voter why.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from scraper.post import Quote
from tally.ballot import Place, Reason
from tally.day import Day
from tally.policy import ChangeReply, Edits, Presence, SecondVote, VotePolicy
from tally.reading import Doubt, Reading
from tally.roster import PosterKind
from tally.ruling import Ruling, RulingKind
from tally.window import is_after_close, is_before_open, is_frozen, is_sped_up

_NUMBERS = re.compile(r"\d+")
_HALF_DAY = re.compile(r"[AaPp][Mm]|[上下]午")


@dataclass(frozen=True, slots=True)
class Slot:
    """What a voter has in the box at one moment: his standing ballot, and how many changes he has used."""

    ballot: Reading | None = None
    changes: int = 0


EMPTY = Slot()


@dataclass(frozen=True, slots=True)
class Attempt:
    """One ballot on its way into the box, with everything that a rule may ask."""

    reading: Reading
    slot: Slot
    day: Day
    policy: VotePolicy
    links_quotes: bool = True
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule: the reason it gives, the ballots it is tried on, and whether one breaks it."""

    reason: Reason
    concerns: Callable[[Reading, VotePolicy], bool]
    breaks: Callable[[Attempt], bool]


@dataclass(frozen=True, slots=True)
class Fate:
    """Where one ballot ended, why, and whether a ruling put it there (its ledger line). `target` is None for an abstention."""

    reading: Reading
    place: Place
    reason: Reason | None = None
    target: str | None = None
    ruled_by: int | None = None


@dataclass(frozen=True, slots=True)
class Move:
    """One step of the running count: a ballot that left a target, came to one, or both."""

    reading: Reading
    left: str | None
    reached: str | None


@dataclass(frozen=True, slots=True)
class Box:
    """The box at the close: the fate of each ballot in order, and every move of the running count."""

    fates: tuple[Fate, ...]
    moves: tuple[Move, ...]


EMPTY_BOX = Box((), ())


def is_out(name: str, at: datetime, day: Day) -> bool:
    """Whether a seat is out at a moment."""
    return any(out.name == name and (out.at is None or out.at <= at) for out in day.out)


def _voter_out(attempt: Attempt) -> bool:
    reading = attempt.reading
    # Who writes a proxy for another must be in the game himself, unless he is a director.
    names = {reading.voter, reading.poster.name} if reading.poster.kind is PosterKind.SEAT else {reading.voter}
    return any(is_out(name, reading.at, attempt.day) for name in names)


def _not_reply(attempt: Attempt) -> bool:
    """改票需回复原投票楼层: nothing in the post quotes the voter's standing ballot, nor replies to it."""
    standing, post = attempt.slot.ballot, attempt.reading.post
    if standing is None or standing.post is None or post is None:
        # A ballot of the ledger has no floor that anyone could reply to.
        return False
    return not any(replies_to(quote, standing, attempt.links_quotes) for quote in post.quotes)


def replies_to(quote: Quote, standing: Reading, links_quotes: bool) -> bool:
    """Whether a quote is of the floor that holds a standing ballot."""
    target = standing.post
    if target is None:
        return False
    if quote.pid is not None:
        return quote.pid == target.pid
    if links_quotes or not quote.author or not quote.posted:
        return False
    return quote.author == target.author and _same_time(quote.posted, target.posted_at)


def _same_time(printed: str, at: datetime) -> bool:
    """Whether a time as a quote prints it, in whatever order and to the minute at least, is that of a post."""
    numbers = [int(number) for number in _NUMBERS.findall(printed)]
    date, clock = sorted(numbers[:3]), numbers[3:]
    if date != sorted((at.year, at.month, at.day)) or len(clock) < 2:
        return False
    hours = {at.hour, (at.hour % 12) or 12} if _HALF_DAY.search(printed) else {at.hour}
    return clock[0] in hours and clock[1] == at.minute and (len(clock) < 3 or clock[2] == at.second)


def _always(reading: Reading, policy: VotePolicy) -> bool:
    return True


def _read(reading: Reading, policy: VotePolicy) -> bool:
    return reading.doubt is not Doubt.UNREADABLE


def _needs_reason(attempt: Attempt) -> bool:
    # A chanted player may post nothing but sounds: his missing reason does not void the ballot.
    return not attempt.reading.has_reason and attempt.reading.voter not in attempt.day.chanted


def _is_vote(reading: Reading, policy: VotePolicy) -> bool:
    return _read(reading, policy) and not reading.change


def _is_change(reading: Reading, policy: VotePolicy) -> bool:
    return _read(reading, policy) and reading.change


RULES: tuple[Rule, ...] = (
    Rule(Reason.OLD_ACCOUNT, lambda r, p: not r.proxy, lambda a: a.reading.poster.old),
    Rule(Reason.VOTER_OUT, _always, _voter_out),
    Rule(Reason.VOTER_BARRED, _always, lambda a: a.reading.voter in a.day.barred),
    Rule(Reason.BEFORE_OPEN, _always, lambda a: is_before_open(a.reading.at, a.reading.exact, a.day)),
    Rule(Reason.AFTER_CLOSE, _always, lambda a: is_after_close(a.reading.at, a.day)),
    Rule(Reason.EDITED, lambda r, p: _read(r, p) and p.edits is Edits.VOID, lambda a: a.reading.edited),
    Rule(Reason.PROXY_NOT_DIRECTOR, lambda r, p: r.misplaced_proxy, lambda a: True),
    Rule(Reason.CONDITIONAL_PROXY, lambda r, p: r.proxy, lambda a: a.reading.conditional),
    Rule(Reason.MALFORMED, _read, lambda a: a.reading.malformed),
    Rule(Reason.NO_REASON, lambda r, p: _read(r, p) and p.reason is Presence.REQUIRED, _needs_reason),
    Rule(Reason.UNKNOWN_TARGET, _read, lambda a: not a.reading.match.found and not a.reading.match.candidates),
    Rule(Reason.AMBIGUOUS_TARGET, _read, lambda a: not a.reading.match.found),
    Rule(Reason.TARGET_OUT, _read, lambda a: is_out(a.reading.match.seat or "", a.reading.at, a.day)),
    Rule(
        Reason.SECOND_VOTE,
        lambda r, p: _is_vote(r, p) and p.second is SecondVote.VOID,
        lambda a: a.slot.ballot is not None,
    ),
    Rule(Reason.NOTHING_TO_CHANGE, _is_change, lambda a: a.slot.ballot is None),
    Rule(Reason.CHANGE_LIMIT, _is_change, lambda a: a.slot.changes >= a.policy.changes),
    Rule(Reason.PROXY_TOO_LATE, lambda r, p: r.proxy, lambda a: is_frozen(a.reading.at, a.day, a.policy)),
    Rule(
        Reason.CHANGE_TOO_LATE,
        lambda r, p: _is_change(r, p) and not r.proxy,
        lambda a: is_frozen(a.reading.at, a.day, a.policy),
    ),
    Rule(Reason.CHANGE_ACCELERATED, _is_change, lambda a: is_sped_up(a.reading.at, a.day, a.policy, a.until)),
    Rule(
        Reason.CHANGE_NOT_REPLY,
        lambda r, p: _is_change(r, p) and not r.proxy and p.change_reply is ChangeReply.REQUIRED,
        _not_reply,
    ),
)


def first_broken(attempt: Attempt) -> Reason | None:
    """The first rule that a ballot breaks; None where it may stand."""
    for rule in RULES:
        if rule.concerns(attempt.reading, attempt.policy) and rule.breaks(attempt):
            return rule.reason
    return None


def fill_box(
    readings: Sequence[Reading],
    *,
    day: Day,
    policy: VotePolicy,
    rulings: Mapping[int, Ruling],
    links_quotes: bool = True,
    until: datetime | None = None,
) -> Box:
    """Put the ballots into the box one by one.

    `readings` are sorted by time, then pid; `rulings` are by a reading's index. `links_quotes` tells whether this surface
    links its quotes to a pid; `until` is how far the day is known (None: to its end): a target that leaves later is still in.
    """
    filling = _Filling(readings, {}, {}, [None] * len(readings), [])
    leaving = [(out.at, out.name) for out in day.out if out.at is not None and (until is None or out.at <= until)]
    leaving.sort(key=lambda pair: pair[0])
    for index, reading in enumerate(readings):
        while leaving and leaving[0][0] <= reading.at:
            _remove_target(filling, leaving.pop(0)[1])
        _put(filling, index, Attempt(reading, EMPTY, day, policy, links_quotes, until), rulings.get(index))
    for _, name in leaving:
        _remove_target(filling, name)
    # Every reading was put somewhere: a None here would be a ballot without a place.
    fates = tuple(fate for fate in filling.fates if fate is not None)
    if len(fates) != len(readings):
        raise AssertionError("a ballot ended in no place")
    return Box(fates, tuple(filling.moves))


@dataclass(slots=True)
class _Filling:
    """The box while it is filled. `open` holds for a voter what he may have, besides his slot, where a ballot is in doubt."""

    readings: Sequence[Reading]
    slots: dict[str, tuple[int | None, Slot]]
    open: dict[str, tuple[Slot, ...]]
    fates: list[Fate | None]
    moves: list[Move]


def _put(filling: _Filling, index: int, attempt: Attempt, ruling: Ruling | None) -> None:
    reading = attempt.reading
    _, slot = filling.slots.get(reading.voter, (None, EMPTY))
    others = filling.open.get(reading.voter, ())
    if ruling is not None and ruling.kind is RulingKind.VOID:
        filling.fates[index] = Fate(reading, Place.VOID, Reason.RULED_VOID, reading.match.seat, ruling.line)
        return
    if ruling is not None and ruling.kind is RulingKind.COUNT_AS:
        _place(filling, index, ruling.value or None, ruling.line, uses_change=slot.ballot is not None)
        filling.open.pop(reading.voter, None)
        return
    broken = first_broken(replace(attempt, slot=slot))
    if not others and reading.doubt is Doubt.NONE:
        _settle(filling, index, broken)
        return
    broken_others = [first_broken(replace(attempt, slot=other)) for other in others]
    legal = [one is None for one in (broken, *broken_others)]
    if not any(legal):
        _settle(filling, index, broken_others[-1] if broken_others else broken)
    elif reading.doubt is Doubt.NONE and all(legal):
        _settle(filling, index, None)
        filling.open[reading.voter] = _distinct(_after(reading, other) for other in others)
    else:
        # Doubtful itself, or legal only if a doubtful one before it is read one way: it stands nowhere.
        filling.fates[index] = Fate(reading, Place.NEEDS_RULING, None, reading.match.seat)
        states = zip((slot, *others), legal, strict=True)
        filling.open[reading.voter] = _distinct([*others, *(_after(reading, state) for state, allowed in states if allowed)])


def _settle(filling: _Filling, index: int, broken: Reason | None) -> None:
    reading = filling.readings[index]
    if broken is not None:
        filling.fates[index] = Fate(reading, Place.VOID, broken, reading.match.seat)
    else:
        _place(filling, index, reading.match.seat, None, uses_change=reading.change)


def _place(filling: _Filling, index: int, target: str | None, ruled_by: int | None, *, uses_change: bool) -> None:
    reading = filling.readings[index]
    before, slot = filling.slots.get(reading.voter, (None, EMPTY))
    left = None
    if before is not None and (old := filling.fates[before]) is not None:
        left = old.target
        filling.fates[before] = replace(old, place=Place.REPLACED, reason=Reason.REPLACED)
    filling.fates[index] = Fate(reading, Place.STANDING, None, target, ruled_by)
    filling.slots[reading.voter] = index, Slot(reading, slot.changes + uses_change)
    filling.moves.append(Move(reading, left, target))


def _after(reading: Reading, slot: Slot) -> Slot:
    """The slot of a world in which a ballot was accepted."""
    used = reading.change or (reading.doubt is Doubt.UNREADABLE and slot.ballot is not None)
    return Slot(reading, slot.changes + used)


def _remove_target(filling: _Filling, name: str) -> None:
    """A target leaves: the ballots on it are void from that moment, and their voters may vote again without using the change."""
    for voter, (index, slot) in list(filling.slots.items()):
        fate = filling.fates[index] if index is not None else None
        if fate is not None and fate.target == name and fate.ruled_by is None:
            filling.fates[index or 0] = replace(fate, place=Place.VOID, reason=Reason.TARGET_OUT)
            filling.slots[voter] = None, Slot(None, slot.changes)
            filling.moves.append(Move(fate.reading, name, None))
    for voter, others in filling.open.items():
        filling.open[voter] = _distinct(
            Slot(None, other.changes) if other.ballot is not None and other.ballot.match.seat == name else other
            for other in others
        )


def _distinct(slots: Iterable[Slot]) -> tuple[Slot, ...]:
    """Without repeats: two slots are the same where the same ballot stands after as many changes."""
    return tuple({(slot.ballot.order if slot.ballot else None, slot.changes): slot for slot in slots}.values())
