"""One day's count: every post of the vote thread to its one place, then the verdict.

Pure: the same posts, facts and rulings give the same tally. The caller gives only posts of this day: where days share a
thread, those from the close of the day before to the opening of the next.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from scraper.post import History
from tally.day import Day
from tally.policy import CardPolicy, VotePolicy
from tally.result import DayTally, Evidence
from tally.roster import Roster
from tally.ruling import LedgerBallot, Ruling


def count_day(
    histories: Iterable[History],
    *,
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
) -> DayTally:
    """Count one day.

    `histories` are the posts of the day's vote thread, `other_threads` those of its discussion and progress threads.
    `complete` is False while a page that can hold a vote of the window is missing (`evidence.missing_pages` names them).
    `seen_until` is when the vote thread was last looked at: it decides whether the window is closed, None while nobody has
    looked. `as_of` cuts the posts off after a moment or after the floor of a label ("12#"); UsageError for no such floor.
    `rulings` are those of this day and those of earlier days that still hold (`carried`).
    """
    raise NotImplementedError
