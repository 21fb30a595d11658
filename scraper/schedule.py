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


@dataclass(frozen=True, slots=True)
class Step:
    """One page that a pass asked for, and what could be stored of what came; `good` where the page counts as seen."""

    asked: int
    outcome: PageOutcome | None
    good: bool = True


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


def next_page(plan: Plan, steps: Sequence[Step], *, most_back: int = MOST_BACK) -> int | None:
    """The page to ask for after these steps; None where the pass is done."""
    looked = {step.outcome.number: step.outcome for step in steps if step.outcome is not None and step.good}
    tried = {step.asked for step in steps} | looked.keys()
    told = [step.outcome.pages for step in steps if step.outcome is not None]
    pages = told[-1] if told else max(plan.pages, 1)
    if plan.aim is Aim.ROUND:
        return _next_of_round(plan, tried, looked, pages, most_back)
    if plan.witness and plan.witness not in tried:
        return plan.witness
    spared = _spared(plan, looked)
    first = _first_of_sweep(plan, looked, pages)
    return next((page for page in range(first, pages + 1) if page not in tried and page not in spared), None)


def _take_turn(known: Mapping[int, PageLook], earlier: range, suspects: Sequence[int], gaps: Sequence[int]) -> tuple[int, ...]:
    """The earlier page of the span whose turn it is: the one not seen for the longest, unless there are suspects."""
    eligible = [page for page in earlier if page not in gaps and page in known]
    if doubtful := [page for page in suspects if page in eligible]:
        return tuple(doubtful[:MOST_SUSPECTS])
    return (min(eligible, key=lambda page: (known[page].seen_at, page)),) if eligible else ()


def _next_of_round(plan: Plan, tried: set[int], looked: Mapping[int, PageOutcome], pages: int, most_back: int) -> int | None:
    if not tried:
        return plan.first
    if ahead := [page for page in range(plan.first, pages + 1) if page not in tried]:
        return ahead[0]
    tail = begin_of_tail(looked, pages)
    if 1 < tail <= pages and tail - 1 not in tried:
        outcome, back = looked[tail], min(plan.first, pages) - tail
        if not _meets_known(plan, outcome) or (back < most_back and _has_moved(plan, outcome)):
            return tail - 1
    return next((page for page in plan.besides if page not in tried and page <= pages), None)


def _meets_known(plan: Plan, outcome: PageOutcome) -> bool:
    """Whether a page begins with a post that was met before, with everything beside it."""
    look = outcome.look
    return look is None or any(low <= look.first <= high for low, high in plan.covered)


def _has_moved(plan: Plan, outcome: PageOutcome) -> bool:
    """Whether a page begins with another post than at the last look at it."""
    known = plan.known.get(outcome.number)
    return known is not None and outcome.look is not None and known.first != outcome.look.first


def _first_of_sweep(plan: Plan, looked: Mapping[int, PageOutcome], pages: int) -> int:
    """Where a sweep begins: one page before one that, by what it shows now, does not begin before the span."""
    first = min(plan.first, pages)
    while first > 1 and first in looked and not _begins_before(plan, looked[first]):
        first -= 1
    return first


def _begins_before(plan: Plan, outcome: PageOutcome) -> bool:
    look = outcome.look
    return look is not None and look.starts is not None and plan.since is not None and look.starts < plan.since


def _spared(plan: Plan, looked: Mapping[int, PageOutcome]) -> frozenset[int]:
    """The pages of a sweep that was cut off which need not be read again, since nothing moved under them."""
    witness = looked.get(plan.witness)
    if witness is None or witness.look is None or witness.look.first != plan.witness_pid:
        return frozenset()
    return plan.gathered
