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
class Day:
    """One day: `opens` and `closes` are aware, both included in the window; threads are tids.

    `sheriff` is a seat's name, "" for none, None while not known. `speed_ups` are the spans in which a speed-up holds; None
    while a progress thread is named and nobody has judged it. `opens` and `closes` are those that were in force last; `moved`
    are the earlier ones, in order of time. `joined` are the seats that a substitute took over, and from when.
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

    @property
    def ends(self) -> datetime:
        """The last moment at which a post can be in: the close, or an earlier one that was in force later than that."""
        return max([self.closes, *(min(limits.closes, limits.until - _TICK) for limits in self.moved)])
