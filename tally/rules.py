"""The rules that a ballot must pass to stand, in the order in which they are tried.

Where several reasons hold, the first of: voter, window, format, target, then for changes nothing to change, limit, too late,
accelerated, not a reply. The same list tells a voter why.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import assert_never

from scraper.post import Quote
from tally.ballot import Reason
from tally.day import Day
from tally.formats import Form
from tally.names import How
from tally.policy import ChangeReply, Edits, Feigned, Immune, Presence, SecondVote, VotePolicy
from tally.reading import Doubt, Reading
from tally.roster import PosterKind
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
    """One ballot on its way into the box, with everything that a rule may ask; `electors` is who may vote (None: everybody)."""

    reading: Reading
    slot: Slot
    day: Day
    policy: VotePolicy
    links_quotes: bool = True
    until: datetime | None = None
    electors: frozenset[str] | None = None

    @property
    def target(self) -> str:
        """What the ballot names; "" for an abstention."""
        return self.reading.match.seat or ""


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule: the reason it gives, the ballots it is tried on, whether one breaks it, and under which policies it holds.

    `key` finds the clause of the rule post that the rule rests on; several rules may give one reason.
    """

    reason: Reason
    concerns: Callable[[Reading], bool]
    breaks: Callable[[Attempt], bool]
    holds: Callable[[VotePolicy], bool] = lambda policy: True
    own_key: str = ""

    @property
    def key(self) -> str:
        """The reason's value, unless the rule has a key of its own."""
        return self.own_key or self.reason.value


def is_out(name: str, at: datetime, day: Day) -> bool:
    """Whether a seat is out at a moment."""
    return any(out.name == name and (out.at is None or out.at <= at) for out in day.out)


def has_left(target: str, at: datetime, day: Day) -> bool:
    """Whether votes may not name a target any more at a moment: a seat that is out, or its number or vest."""
    return any(out.name == target and (out.at is None or out.at <= at) for out in day.leavers)


def is_barred_target(target: str, day: Day, policy: VotePolicy) -> bool:
    """Whether nobody may vote for a target that is in: it has used 装傻, or what the vote is about has happened to it."""
    feigned = policy.feigned is not None and not policy.feigned_votable and target in day.feigned_targets
    return feigned or target in _find_immune(day, policy)


def _find_immune(day: Day, policy: VotePolicy) -> frozenset[str]:
    match policy.poll(day.poll, day.number).immune:
        case Immune.NOBODY:
            return frozenset()
        case Immune.PUBLISHED:
            return day.published
        case Immune.SOULS:
            return day.souls
        case _:
            assert_never(policy.poll(day.poll, day.number).immune)


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


def _always(reading: Reading) -> bool:
    return True


def _read(reading: Reading) -> bool:
    return reading.doubt is not Doubt.UNREADABLE


def _needs_reason(attempt: Attempt) -> bool:
    # A chanted player may post nothing but sounds: his missing reason does not void the ballot.
    return not attempt.reading.has_reason and attempt.reading.voter not in attempt.day.chanted


def _is_vote(reading: Reading) -> bool:
    return _read(reading) and not reading.change


def _is_change(reading: Reading) -> bool:
    return _read(reading) and reading.change


RULES: tuple[Rule, ...] = (
    Rule(Reason.OLD_ACCOUNT, lambda r: not r.proxy, lambda a: a.reading.poster.old),
    Rule(Reason.VOTER_OUT, _always, _voter_out),
    Rule(Reason.VOTER_BARRED, _always, lambda a: a.reading.voter in a.day.barred),
    Rule(
        Reason.VOTER_BARRED,
        _always,
        lambda a: a.reading.voter in a.day.feigned,
        holds=lambda p: p.feigned is Feigned.VOID,
        own_key="voter_feigned",
    ),
    Rule(
        Reason.VOTER_BARRED,
        _always,
        lambda a: a.electors is not None and a.reading.voter not in a.electors,
        holds=lambda p: any(poll.role for poll in p.polls),
        own_key="voter_role",
    ),
    Rule(Reason.BEFORE_OPEN, _always, lambda a: is_before_open(a.reading.at, a.reading.exact, a.day)),
    Rule(Reason.AFTER_CLOSE, _always, lambda a: is_after_close(a.reading.at, a.day)),
    Rule(Reason.EDITED, _read, lambda a: a.reading.edited, holds=lambda p: p.edits is Edits.VOID),
    Rule(Reason.PROXY_NOT_DIRECTOR, lambda r: r.misplaced_proxy, lambda a: True),
    Rule(Reason.CONDITIONAL_PROXY, lambda r: r.proxy, lambda a: a.reading.conditional),
    Rule(Reason.MALFORMED, _read, lambda a: a.reading.malformed),
    Rule(Reason.NO_REASON, _read, _needs_reason, holds=lambda p: p.reason is Presence.REQUIRED),
    Rule(Reason.UNKNOWN_TARGET, _read, lambda a: not a.reading.match.found and not a.reading.match.candidates),
    Rule(Reason.AMBIGUOUS_TARGET, _read, lambda a: not a.reading.match.found),
    Rule(Reason.TARGET_OUT, _read, lambda a: has_left(a.target, a.reading.at, a.day)),
    Rule(
        Reason.TARGET_BARRED,
        _read,
        lambda a: a.target in a.day.feigned_targets,
        holds=lambda p: p.feigned is not None and not p.feigned_votable,
        own_key="target_feigned",
    ),
    Rule(
        Reason.TARGET_BARRED,
        _read,
        lambda a: a.target == a.reading.voter,
        holds=lambda p: not p.self_vote,
        own_key="self_vote",
    ),
    Rule(
        Reason.TARGET_BARRED,
        _read,
        lambda a: a.target in _find_immune(a.day, a.policy),
        holds=lambda p: any(poll.immune is not Immune.NOBODY for poll in p.polls),
        own_key="target_immune",
    ),
    Rule(
        Reason.TARGET_BARRED,
        lambda r: r.manipulates,
        lambda a: a.reading.match.how is How.ABSTAIN,
        own_key="manipulated_abstention",
    ),
    Rule(
        Reason.SECOND_VOTE,
        lambda r: _is_vote(r) and not r.manipulates,
        lambda a: a.slot.ballot is not None,
        holds=lambda p: p.second is SecondVote.VOID,
    ),
    Rule(Reason.NOTHING_TO_CHANGE, _is_change, lambda a: a.slot.ballot is None),
    Rule(Reason.CHANGE_LIMIT, _is_change, lambda a: a.slot.changes >= a.policy.changes),
    Rule(Reason.PROXY_TOO_LATE, lambda r: r.proxy, lambda a: is_frozen(a.reading.at, a.day, a.policy)),
    Rule(
        Reason.CHANGE_TOO_LATE,
        lambda r: _is_change(r) and not r.proxy and r.timed,
        lambda a: is_frozen(a.reading.at, a.day, a.policy),
    ),
    Rule(
        Reason.CHANGE_ACCELERATED,
        lambda r: _is_change(r) and r.timed,
        lambda a: is_sped_up(a.reading.at, a.day, a.policy, a.until),
    ),
    Rule(
        Reason.CHANGE_NOT_REPLY,
        lambda r: _is_change(r) and not r.proxy,
        _not_reply,
        holds=lambda p: p.change_reply is ChangeReply.REQUIRED,
    ),
)


def list_rules(policy: VotePolicy) -> tuple[Rule, ...]:
    """The rules that hold under a policy, in the order in which they are tried."""
    return tuple(rule for rule in RULES if rule.holds(policy))


def settle_form(reading: Reading, slot: Slot) -> Reading:
    """A ballot whose form is told by what its voter has: a later line of the ledger is his change."""
    if not reading.either:
        return reading
    return replace(reading, form=Form.VOTE if slot.ballot is None else Form.CHANGE, either=False)


def first_broken(attempt: Attempt, rules: Sequence[Rule]) -> Rule | None:
    """The first of the rules that a ballot breaks; None where it may stand."""
    if attempt.reading.either:
        attempt = replace(attempt, reading=settle_form(attempt.reading, attempt.slot))
    reading = attempt.reading
    for rule in rules:
        if rule.concerns(reading) and rule.breaks(attempt):
            return rule
    return None
