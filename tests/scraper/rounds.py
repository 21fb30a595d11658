"""A thread as a list of pids, and passes over it by the schedule, without a board: what they ask for, and what they are worth."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import pairwise

from scraper.passes import Order, PageLook, PageOutcome, Pass
from scraper.schedule import Aim, Course, Plan, Span, plan_pass

OPENS = datetime(2018, 6, 3, 1, 30, tzinfo=UTC)
CLOSES = datetime(2018, 6, 5, 13, 0, tzinfo=UTC)
SPAN = Span(OPENS, CLOSES)


@dataclass(slots=True)
class Thread:
    """A thread: `posts` in order, so many a page; post N was posted N minutes after the opening, a negative one before it."""

    posts: list[int]
    per_page: int = 10
    reverse: bool = False

    @property
    def pages(self) -> int:
        return -(-len(self.posts) // self.per_page)

    def show(self, asked: int, moment: datetime) -> PageOutcome:
        """What the board answers; a page past the end is the last one."""
        number = min(asked, self.pages)
        posts = [self.posts[0], *self.posts[:0:-1]] if self.reverse else self.posts
        shown = posts[(number - 1) * self.per_page : number * self.per_page]
        return PageOutcome(asked, number, self.pages, len(shown), pids=tuple(shown), look=self._look(shown, number, moment))

    def _look(self, shown: Sequence[int], number: int, moment: datetime) -> PageLook:
        order = Order.FALLING if self.reverse else Order.RISING
        first, last = shown[0], shown[-1]
        return PageLook(number, self.pages, moment, first, last, posted(first), posted(last), order)


def posted(pid: int) -> datetime:
    """When a post was posted."""
    return OPENS + timedelta(minutes=pid)


@dataclass(slots=True)
class Watch:
    """The passes that were made, what each asked for, and every post that any of them met."""

    passes: list[Pass] = field(default_factory=list)
    asked: list[list[int]] = field(default_factory=list)
    met: set[int] = field(default_factory=set)

    def look(
        self,
        thread: Thread,
        moment: datetime,
        *,
        lost: Collection[int] = (),
        cut_after: int | None = None,
        between: Callable[[int], None] = lambda count: None,
        span: Span = SPAN,
        suspects: Sequence[int] = (),
    ) -> Plan:
        """One pass at a moment: `lost` pages fail, it is cut off after so many pages, and `between` is called after each."""
        plan = plan_pass(self.passes, span, moment, suspects=suspects)
        course, steps = Course(plan), list[tuple[int, PageOutcome | None]]()
        while (number := course.next_page()) is not None and len(steps) != cut_after:
            outcome = None if number in lost else thread.show(number, moment)
            course.note(number, outcome)
            steps.append((number, outcome))
            self.met |= set(outcome.pids) if outcome else set()
            between(len(steps))
        self.asked.append([asked for asked, _ in steps])
        self.passes.append(self._store(plan, steps, moment, ended=cut_after is None))
        return plan

    def _store(self, plan: Plan, steps: Sequence[tuple[int, PageOutcome | None]], moment: datetime, *, ended: bool) -> Pass:
        outcomes = [outcome for _, outcome in steps if outcome]
        told = [outcome.pages for outcome in outcomes]
        pages = told[-1] if told else max(plan.pages, 1)
        looks = {outcome.number: outcome.look for outcome in outcomes if outcome.look}
        first = 1 if plan.aim is Aim.WHOLE else plan.first
        failed = {asked for asked, outcome in steps if outcome is None}
        return Pass(
            1235,
            moment,
            moment if ended else None,
            pages,
            tuple(sorted(looks)),
            tuple(sorted(set(range(first, pages + 1)) - looks.keys() | failed)),
            complete=ended and looks.keys() >= set(range(1, pages + 1)),
            first=first,
            looks=tuple(looks.values()),
            shrank=any(after < before for before, after in pairwise(told)),
            newest_first=any(look.order is Order.FALLING for look in looks.values()),
        )


def at(hours: float) -> datetime:
    """So many hours after the opening (the close is after 59.5)."""
    return OPENS + timedelta(hours=hours)
