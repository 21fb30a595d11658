"""The facts of one game day that a count needs: its window and threads, and who is what in it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

# The board's clock has no finer step.
_TICK = timedelta(seconds=1)


@dataclass(frozen=True, slots=True)
class Out:
    """A seat that is out: before the day opened (`at` None), or from a moment inside it."""

    name: str
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of time in which a speed-up holds: from `start` to just before `end` (None: to the close)."""

    start: datetime
    end: datetime | None = None

    def holds_at(self, moment: datetime) -> bool:
        """Whether the speed-up holds at `moment`."""
        return self.start <= moment and (self.end is None or moment < self.end)


@dataclass(frozen=True, slots=True)
class Limits:
    """An opening and a close that were in force for what was posted before `until`, when the director moved one of them."""

    until: datetime
    opens: datetime
    closes: datetime


@dataclass(frozen=True, slots=True)
class Curse:
    """A curse (乌鸦) on a target, and the ledger line that says so, None where the game file does."""

    target: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Day:
    """One day: `opens` and `closes` are aware, both included in the window; threads are tids.

    `sheriff` is a seat's name, "" for none, None while not known. `speed_ups` are the spans in which a speed-up holds; None
    while a progress thread is named and nobody has judged it. `opens` and `closes` are those that were in force last; `moved`
    are the earlier ones, in order of time. `joined` are the seats that a substitute took over, and from when.

    `poll` names which of the day's votes this is ("": the one that every day has). `targets_out` are the numbers or vests that
    are out, None where votes name seats. `feigned` are the seats that have used 装傻, `feigned_targets` what votes would name
    them by; `published` those whose identity is public, `souls` those in 灵魂状态. `weights` are what a voter's ballot weighs
    today where a skill says so (潜行). `scapegoat` is who goes out in place of a tie ("" for nobody, None: the 替罪羊 of the
    roster, while he is in). `result` is what the director has published ("" for nobody, None: not told).
    """

    number: int
    opens: datetime
    closes: datetime
    vote: int
    discussion: tuple[int, ...] = ()
    progress: int | None = None
    sheriff: str | None = None
    chanted: tuple[str, ...] = ()
    out: tuple[Out, ...] = ()
    barred: frozenset[str] = frozenset()
    speed_ups: tuple[Span, ...] | None = ()
    moved: tuple[Limits, ...] = ()
    joined: tuple[tuple[str, datetime], ...] = ()
    poll: str = ""
    targets_out: tuple[Out, ...] | None = None
    feigned: frozenset[str] = frozenset()
    feigned_targets: frozenset[str] = frozenset()
    published: frozenset[str] = frozenset()
    souls: frozenset[str] = frozenset()
    lovers: frozenset[str] = frozenset()
    weights: tuple[tuple[str, int], ...] = ()
    curse: Curse | None = None
    scapegoat: str | None = None
    result: str | None = None

    @property
    def leavers(self) -> tuple[Out, ...]:
        """What votes may not name any more, and from when: the seats that are out, or their numbers or vests."""
        return self.out if self.targets_out is None else self.targets_out

    @property
    def ends(self) -> datetime:
        """The last moment at which a post can be in: the close, or an earlier one that was in force later than that."""
        return max([self.closes, *(min(limits.closes, limits.until - _TICK) for limits in self.moved)])
