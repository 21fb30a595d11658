"""Why each post of one voter counted or did not: the same rules as the count, told one by one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from scraper.post import History, Source
from tally.ballot import Reason
from tally.day import Day
from tally.policy import CardPolicy, VotePolicy
from tally.result import Evidence, Step
from tally.roster import Roster
from tally.ruling import LedgerBallot, Ruling


@dataclass(frozen=True, slots=True)
class RuleTrace:
    """One rule that was tried: its reason's value, the clause of the rule post word for word, and whether the post passed."""

    rule: str
    clause: str
    passed: bool


@dataclass(frozen=True, slots=True)
class PostTrace:
    """One post of a voter (or a proxy for him), with everything that decided its place.

    `words` are the own words of the revision that was read; `label` the format's label as found, "" for none; `value` the
    target as written; `target` the seat it names (None: none, or an abstention) and `how` it was matched: exact, alias, folded,
    ruled, abstain, "" for not at all. `place` is standing, replaced, void, needs_ruling or not_ballot. `lost_to` is the step
    with which another target reached the maximum first, where his ballot's target lost the race. `post` is None for a ledger
    line, whose number is `line`.
    """

    post: Source | None
    line: int | None
    at: datetime
    by: str
    voter: str
    words: str
    label: str
    value: str
    target: str | None
    how: str
    candidates: tuple[str, ...]
    hints: tuple[str, ...]
    rules: tuple[RuleTrace, ...]
    place: str
    reason: Reason | None
    ruled_by: int | None = None
    lost_to: Step | None = None


def explain_seat(
    histories: Iterable[History],
    *,
    seat: str,
    day: Day,
    roster: Roster,
    policy: VotePolicy,
    cards: CardPolicy | None = None,
    evidence: Evidence | None = None,
    complete: bool = True,
    seen_until: datetime | None = None,
    rulings: Sequence[Ruling] = (),
    ledger_ballots: Sequence[LedgerBallot] = (),
    other_threads: Iterable[History] = (),
    as_of: datetime | str | None = None,
) -> tuple[PostTrace, ...]:
    """Every post of one voter in the vote thread, and every proxy for him, in order of time; arguments as `count_day`."""
    raise NotImplementedError
