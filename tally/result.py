"""The result of counting one day, as values: the one source of the table, the BBCode, the JSON and the SQLite rows."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from scraper.post import Source
from tally.ballot import Ballot
from tally.dayevent import DayEvent
from tally.finding import Finding
from tally.requests import Request


class Decision(StrEnum):
    """What a vote decides: who goes out, is sheriff, has his identity published, becomes a soul; nobody; or that a draw must."""

    EXILE = "exile"
    SHERIFF = "sheriff"
    NOBODY = "nobody"
    DRAW = "draw"
    IDENTITY = "identity"
    SOUL = "soul"


@dataclass(frozen=True, slots=True)
class Count:
    """The standing ballots on one target: the sum of their weights, and each of them in order of time."""

    target: str
    votes: int
    ballots: tuple[Ballot, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the race to the maximum: the ballot that moved a target's running count, and the count after it."""

    ballot: Ballot
    target: str
    votes: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the vote decides, by which clause and why, in one plain Chinese sentence.

    `role` is set instead of `seats` while the seat behind it may not be printed (替罪羊 in a provisional tie). `race` is not
    empty where time decided: every step of the targets that tied, in order; `winning_step` is the index of the one with which
    the winner reached the maximum. `told` is what everybody may read in place of `because` where that quotes the director.
    """

    decision: Decision
    seats: tuple[str, ...]
    clause: str
    because: str
    role: str | None = None
    race: tuple[Step, ...] = ()
    winning_step: int | None = None
    told: str = ""


@dataclass(frozen=True, slots=True)
class OpenReading:
    """One way to read a doubtful post: the ruling that would choose it, and the counts and verdict that would follow."""

    ruling: str
    counts: tuple[tuple[str, int], ...]
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class NeedsRuling:
    """A post whose meaning the evidence cannot tell; it stands nowhere until the director rules."""

    voter: str
    raw: str
    post: Source
    readings: tuple[OpenReading, ...]


@dataclass(frozen=True, slots=True)
class Card:
    """A proposed card: the seat, what it is, the offence as the rules name it, and the posts counted and not counted.

    `card` is yellow or red, or (马甲杀) points or off. `why` gives for each post in `ignored` the term of why it does not count.
    `points` are what the offence costs, `lines` the ledger lines that a red card rests on, `confirmed` the one that gives the
    card, None while it is a proposal.
    """

    seat: str
    card: str
    reason: str
    counted: tuple[Source, ...] = ()
    ignored: tuple[Source, ...] = ()
    why: tuple[str, ...] = ()
    points: int = 0
    lines: tuple[int, ...] = ()
    confirmed: int | None = None


@dataclass(frozen=True, slots=True)
class Evidence:
    """When the vote thread was looked at around the close, and which of its pages are missing from the last pass."""

    last_pass_before_close: datetime | None
    first_pass_after_close: datetime | None
    missing_pages: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class DayTally:
    """Everything that one vote of a day says: each post of its window stands in exactly one place.

    `poll` is which of the day's votes it is, "" for the one that every day has.

    `final` is False while it is not complete, the window is open, or an open reading can change the verdict. `opens` and `closes`
    are the window that was in force last; `events` what happened to it, in order of time, `requests`
    those for a shorter or a longer day, each with its fate.
    """

    day: int
    as_of: datetime
    complete: bool
    final: bool
    counts: tuple[Count, ...]
    abstained: tuple[Ballot, ...]
    not_voted: tuple[str, ...]
    void: tuple[Ballot, ...]
    replaced: tuple[Ballot, ...]
    not_ballots: tuple[Source, ...]
    needs_ruling: tuple[NeedsRuling, ...]
    cards: tuple[Card, ...]
    verdict: Verdict
    findings: tuple[Finding, ...]
    evidence: Evidence
    opens: datetime | None = None
    closes: datetime | None = None
    events: tuple[DayEvent, ...] = ()
    poll: str = ""
    requests: tuple[Request, ...] = ()

    @property
    def is_blank(self) -> bool:
        """Whether it rests on no post at all, of a thread that was not read whole: nothing can be judged by it."""
        return not (self.complete or self.counts or self.abstained or self.void or self.needs_ruling or self.not_ballots)
