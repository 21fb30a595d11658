"""The ballot box: which ballots stand, which were replaced, which are void and by the first of which rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import assert_never

from tally.ballot import Place, Reason
from tally.day import Day
from tally.policy import Conflict, SecondVote, VotePolicy
from tally.reading import Doubt, Reading
from tally.rules import EMPTY, Attempt, Rule, Slot, first_broken, is_out, list_rules, replies_to, settle_form
from tally.ruling import Ruling, RulingKind

__all__ = [
    "EMPTY_BOX",
    "Attempt",
    "Box",
    "Fate",
    "Move",
    "Rule",
    "Slot",
    "fill_box",
    "first_broken",
    "is_out",
    "replies_to",
]


@dataclass(frozen=True, slots=True)
class Fate:
    """Where one ballot ended, why, and whether a ruling put it there (its ledger line). `target` is None for an abstention.

    `rule` is the key of the rule that it broke.
    """

    reading: Reading
    place: Place
    reason: Reason | None = None
    target: str | None = None
    ruled_by: int | None = None
    rule: str = ""


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


def fill_box(
    readings: Sequence[Reading],
    *,
    day: Day,
    policy: VotePolicy,
    rulings: Mapping[int, Ruling],
    links_quotes: bool = True,
    until: datetime | None = None,
    electors: frozenset[str] | None = None,
    alike: Sequence[tuple[str, ...]] = (),
) -> Box:
    """Put the ballots into the box one by one.

    `readings` are sorted by time, then pid; `rulings` are by a reading's index. `links_quotes` tells whether this surface
    links its quotes to a pid; `until` is how far the day is known (None: to its end): a target that leaves later is still in.
    `electors` is who may vote (None: everybody), `alike` are groups of voters whose ballots must agree in the end.
    """
    filling = _Filling(readings, list_rules(policy), {}, {}, [None] * len(readings), [])
    leaving = [(out.at, out.name) for out in day.leavers if out.at is not None and (until is None or out.at <= until)]
    leaving.sort(key=lambda pair: pair[0])
    attempts = [Attempt(reading, EMPTY, day, policy, links_quotes, until, electors) for reading in readings]
    _settle_manipulations(filling, attempts, policy)
    for index, reading in enumerate(readings):
        while leaving and leaving[0][0] <= reading.at:
            _remove_target(filling, leaving.pop(0)[1])
        if filling.fates[index] is None:
            _put(filling, index, attempts[index], rulings.get(index))
    for _, name in leaving:
        _remove_target(filling, name)
    for group in alike:
        _void_unlike(filling, group)
    # Every reading was put somewhere: a None here would be a ballot without a place.
    fates = tuple(fate for fate in filling.fates if fate is not None)
    if len(fates) != len(readings):
        raise AssertionError("a ballot ended in no place")
    return Box(fates, tuple(filling.moves))


@dataclass(slots=True)
class _Filling:
    """The box while it is filled, under the rules of its policy.

    `open` holds for a voter what he may have, besides his slot, where a ballot is in doubt.
    """

    readings: Sequence[Reading]
    rules: Sequence[Rule]
    slots: dict[str, tuple[int | None, Slot]]
    open: dict[str, tuple[Slot, ...]]
    fates: list[Fate | None]
    moves: list[Move]


def _put(filling: _Filling, index: int, attempt: Attempt, ruling: Ruling | None) -> None:
    reading = attempt.reading
    _, slot = filling.slots.get(reading.voter, (None, EMPTY))
    others = filling.open.get(reading.voter, ())
    reading = settle_form(reading, slot)
    if ruling is not None and ruling.kind is RulingKind.VOID:
        filling.fates[index] = Fate(reading, Place.VOID, Reason.RULED_VOID, reading.match.seat, ruling.line)
        return
    if ruling is not None and ruling.kind is RulingKind.COUNT_AS:
        _place(filling, index, ruling.value or None, ruling.line, uses_change=slot.ballot is not None)
        filling.open.pop(reading.voter, None)
        return
    broken = first_broken(attempt if slot is EMPTY else replace(attempt, slot=slot), filling.rules)
    if not others and reading.doubt is Doubt.NONE:
        _settle(filling, index, reading, broken)
        return
    broken_others = [first_broken(replace(attempt, slot=other), filling.rules) for other in others]
    legal = [one is None for one in (broken, *broken_others)]
    if not any(legal):
        _settle(filling, index, reading, broken_others[-1] if broken_others else broken)
    elif reading.doubt is Doubt.NONE and all(legal):
        _settle(filling, index, reading, None)
        filling.open[reading.voter] = _distinct(_after(reading, other) for other in others)
    else:
        # Doubtful itself, or legal only if a doubtful one before it is read one way: it stands nowhere.
        filling.fates[index] = Fate(reading, Place.NEEDS_RULING, None, reading.match.seat)
        states = zip((slot, *others), legal, strict=True)
        filling.open[reading.voter] = _distinct([*others, *(_after(reading, state) for state, allowed in states if allowed)])


def _settle(filling: _Filling, index: int, reading: Reading, broken: Rule | None) -> None:
    if broken is not None:
        filling.fates[index] = Fate(reading, Place.VOID, broken.reason, reading.match.seat, rule=broken.key)
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
    used = settle_form(reading, slot).change or (reading.doubt is Doubt.UNREADABLE and slot.ballot is not None)
    return Slot(reading, slot.changes + used)


def _remove_target(filling: _Filling, name: str) -> None:
    """A target leaves: the ballots on it are void from that moment, and their voters may vote again without using the change."""
    for voter, (index, slot) in list(filling.slots.items()):
        fate = filling.fates[index] if index is not None else None
        if fate is not None and fate.target == name and fate.ruled_by is None:
            filling.fates[index or 0] = replace(fate, place=Place.VOID, reason=Reason.TARGET_OUT, rule=Reason.TARGET_OUT.value)
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


def _settle_manipulations(filling: _Filling, attempts: Sequence[Attempt], policy: VotePolicy) -> None:
    """What is known of manipulations (操纵) before any is applied: those beyond one a day, and the conflicts."""
    legal: dict[str, list[int]] = {}
    for index, attempt in enumerate(attempts):
        if attempt.reading.repeated:
            match policy.second:
                case SecondVote.VOID:
                    _drop(filling, index, Place.VOID, Reason.SECOND_VOTE)
                case SecondVote.REPLACE:
                    _drop(filling, index, Place.REPLACED, Reason.REPLACED)
                case _:
                    assert_never(policy.second)
        elif attempt.reading.manipulates and first_broken(attempt, filling.rules) is None:
            legal.setdefault(attempt.reading.voter, []).append(index)
    match policy.conflict:
        case Conflict.LAST_LEGAL:
            pass
        case Conflict.BOTH_VOID:
            for index in (index for indexes in legal.values() if len(indexes) > 1 for index in indexes):
                _drop(filling, index, Place.VOID, Reason.MANIPULATED_TWICE)
        case _:
            assert_never(policy.conflict)


def _drop(filling: _Filling, index: int, place: Place, reason: Reason) -> None:
    reading = filling.readings[index]
    filling.fates[index] = Fate(reading, place, reason, reading.match.seat, rule=reason.value)


def _void_unlike(filling: _Filling, group: tuple[str, ...]) -> None:
    """所有投票必须一致，否则无效 (面杀): who abstains, in words or by silence, does not agree with who votes.

    A group of which one ballot needs a ruling is left as it is: what follows from each ruling is counted apart.
    """
    members = set(group)
    if any(fate is not None and fate.reading.voter in members and fate.place is Place.NEEDS_RULING for fate in filling.fates):
        return
    standing = {}
    for voter in group:
        index, _ = filling.slots.get(voter, (None, EMPTY))
        standing[voter] = filling.fates[index] if index is not None else None
    if len({fate.target if fate is not None else None for fate in standing.values()}) < 2:
        return
    for voter, fate in standing.items():
        index, slot = filling.slots.get(voter, (None, EMPTY))
        if fate is None or index is None or fate.ruled_by is not None:
            continue
        filling.fates[index] = replace(fate, place=Place.VOID, reason=Reason.MUST_AGREE, rule=Reason.MUST_AGREE.value)
        filling.slots[voter] = None, Slot(None, slot.changes)
        filling.moves.append(Move(fate.reading, fate.target, None))
