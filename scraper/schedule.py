"""Which pages of a thread a pass asks for, in which order: pure functions of the passes so far and of what this one met.

A usual round reads the last known page and what follows, then one earlier page in turn: two requests where nothing happened. It
reads back from the last page until it meets what was seen before, so that no post slips through when others are deleted; pages
that earlier passes missed come along. When the span is over, all its pages are swept, twice: a post that moved past the reader
in the one is met in the other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum

from scraper.coverage import Range, begin_of_tail, count_sweeps, first_page, take_stock
from scraper.passes import Order, PageLook, PageOutcome, Pass

# Sweeps when a span is over.
SWEEPS = 2
# How far back a round follows posts that moved; the pages before are met in turn.
MOST_BACK = 20
# Pages of a round that go to posts which one pass did not find.
MOST_SUSPECTS = 4


class Aim(StrEnum):
    """What a pass is for: everything, the usual round, or the sweep when the span is over."""

    WHOLE = "whole"
    ROUND = "round"
    SWEEP = "sweep"


@dataclass(frozen=True, slots=True)
class Span:
    """The time whose posts matter, aware: from `since` to `until`, both included."""

    since: datetime
    until: datetime


@dataclass(frozen=True, slots=True)
class Plan:
    """One pass: it reads from page `first` to the end, and `besides` these, in this order.

    `pages` is how many the thread is known to have (0: unknown), `known` the last look at each, `covered` the pids that were
    met before; `since` is the begin of the span. `gathered` are pages that need not be read again while page `witness`
    begins with the post `witness_pid`. `oldest_first` says that the thread shows its newest posts first unless asked otherwise.
    """

    aim: Aim
    first: int = 1
    pages: int = 0
    besides: tuple[int, ...] = ()
    known: Mapping[int, PageLook] = field(default_factory=dict)
    covered: tuple[Range, ...] = ()
    since: datetime | None = None
    gathered: frozenset[int] = frozenset()
    witness: int = 0
    witness_pid: int = 0
    oldest_first: bool = False


WHOLE = Plan(Aim.WHOLE)


def plan_pass(passes: Sequence[Pass], span: Span, now: datetime, *, suspects: Sequence[int] = ()) -> Plan:
    """The next pass over a thread. `suspects` are pages to read because a post was missing there once: they come first."""
    stock = take_stock(passes, span.since)
    if stock is None:
        return WHOLE
    known = {page: look for page, look in stock.known.items() if look is not None}
    newest_first = any(one.newest_first for one in passes)
    plan = Plan(Aim.WHOLE, 1, stock.pages, (), known, stock.covered, span.since, oldest_first=newest_first)
    if any(look.order is not Order.RISING for look in known.values()):
        # Where posts are in no order, any page may hold any of them.
        return plan
    first = min(first_page(known, span.since), stock.pages)
    if now > span.until:
        sweeps = count_sweeps(passes, span.since, span.until)
        if sweeps.done < SWEEPS:
            gathered = {page: look for page, look in sweeps.gathered.items() if look is not None}
            witness = max(gathered, default=0)
            return replace(
                plan,
                aim=Aim.SWEEP,
                first=first,
                gathered=frozenset(gathered),
                witness=witness,
                witness_pid=gathered[witness].first if witness else 0,
            )
    turn = _take_turn(known, range(first, stock.pages), suspects, stock.gaps)
    return replace(plan, aim=Aim.ROUND, first=stock.pages, besides=(*stock.gaps, *turn))


def _take_turn(known: Mapping[int, PageLook], earlier: range, suspects: Sequence[int], gaps: Sequence[int]) -> tuple[int, ...]:
    """The earlier page of the span whose turn it is: the one not seen for the longest, unless there are suspects."""
    eligible = [page for page in earlier if page not in gaps and page in known]
    if doubtful := [page for page in suspects if page in eligible]:
        return tuple(doubtful[:MOST_SUSPECTS])
    return (min(eligible, key=lambda page: (known[page].seen_at, page)),) if eligible else ()


class Course:
    """One pass on its way by a plan: what it has asked for and met, and so what it asks for next."""

    def __init__(self, plan: Plan, *, most_back: int = MOST_BACK) -> None:
        self._plan, self._most_back = plan, most_back
        self._pages = max(plan.pages, 1)
        self._tried: set[int] = set()
        self._looked: dict[int, PageOutcome] = {}
        self._first = self._ahead = plan.first

    def note(self, asked: int, outcome: PageOutcome | None, *, good: bool = True) -> None:
        """A page was asked for, and this came (None: nothing that could be stored); `good` where the page counts as seen."""
        self._tried.add(asked)
        if outcome is not None:
            self._pages = outcome.pages
            if good:
                self._looked[outcome.number] = outcome
                self._tried.add(outcome.number)

    def next_page(self) -> int | None:
        """The page to ask for now; None where the pass is done."""
        plan = self._plan
        if plan.aim is Aim.ROUND:
            return self._next_of_round()
        if plan.witness and plan.witness not in self._tried:
            return plan.witness
        self._step_back()
        return self._go_ahead(self._spared())

    def _next_of_round(self) -> int | None:
        if not self._tried:
            return self._plan.first
        if (page := self._go_ahead(frozenset())) is not None:
            return page
        tail = begin_of_tail(self._looked, self._pages)
        if 1 < tail <= self._pages and tail - 1 not in self._tried:
            outcome, back = self._looked[tail], min(self._plan.first, self._pages) - tail
            if not _meets_known(self._plan, outcome) or (back < self._most_back and _has_moved(self._plan, outcome)):
                return tail - 1
        return next((page for page in self._plan.besides if page not in self._tried and page <= self._pages), None)

    def _go_ahead(self, spared: frozenset[int]) -> int | None:
        """The next page on the way to the end."""
        while self._ahead in self._tried or self._ahead in spared:
            self._ahead += 1
        return self._ahead if self._ahead <= self._pages else None

    def _step_back(self) -> None:
        """A sweep begins one page before one that, by what it shows now, does not begin before the span."""
        first = min(self._first, self._pages)
        while first > 1 and first in self._looked and not _begins_before(self._plan, self._looked[first]):
            first -= 1
        if first < self._first:
            self._first = self._ahead = first

    def _spared(self) -> frozenset[int]:
        """The pages of a sweep that was cut off which need not be read again, since nothing moved under them."""
        witness = self._looked.get(self._plan.witness)
        if witness is None or witness.look is None or witness.look.first != self._plan.witness_pid:
            return frozenset()
        return self._plan.gathered


def _meets_known(plan: Plan, outcome: PageOutcome) -> bool:
    """Whether a page begins with a post that was met before, with everything beside it."""
    look = outcome.look
    return look is None or any(low <= look.first <= high for low, high in plan.covered)


def _has_moved(plan: Plan, outcome: PageOutcome) -> bool:
    """Whether a page begins with another post than at the last look at it."""
    known = plan.known.get(outcome.number)
    return known is not None and outcome.look is not None and known.first != outcome.look.first


def _begins_before(plan: Plan, outcome: PageOutcome) -> bool:
    look = outcome.look
    return look is not None and look.starts is not None and plan.since is not None and look.starts < plan.since
