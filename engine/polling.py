"""One look at the threads of a day: which they are, which time of each matters, and the passes over them in their order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Protocol

from engine.counting import votes_of
from engine.doors import move_days
from engine.game import Game
from engine.ledger import Event, standing_events
from scraper.coverage import count_sweeps
from scraper.errors import BoardError
from scraper.passes import PageOutcome, PassOutcome
from scraper.phrases import phrase
from scraper.schedule import SWEEPS, Plan, Span, plan_pass
from tally.day import Day

if TYPE_CHECKING:
    from scraper.archive import Archive
    from scraper.client import Client
    from scraper.response import Response

VOTES = phrase("投票帖")
# Before any forum.
BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Target:
    """A thread to look at: its tid, what it is for the day in a word, and the time whose posts belong to the day."""

    tid: int
    title: str
    span: Span


@dataclass(frozen=True, slots=True)
class Polled:
    """One pass that was made: over which thread, by which plan, and what it brought."""

    target: Target
    plan: Plan
    outcome: PassOutcome

    @property
    def refused(self) -> bool:
        """Whether the board would refuse every other page too."""
        return any(isinstance(error, BoardError) and error.stops_run for error in self.outcome.errors)


class Watcher(Protocol):
    """Who is told how a pass goes on."""

    def begin(self, target: Target, plan: Plan) -> None:
        """A pass begins."""

    def ask(self, target: Target, page: int) -> None:
        """A page is asked for."""

    def came(self, target: Target, plan: Plan, outcome: PageOutcome) -> None:
        """A page came and is stored."""


def list_targets(game: Game, events: Iterable[Event], number: int) -> tuple[Target, ...]:
    """The threads of a day, its votes first; where days share one, the time from the close of the day before on is this day's."""
    days = [vote for day in move_days(game.days, standing_events(tuple(events))) for vote in votes_of(game, day)]
    titles: dict[int, str] = {}
    for day in (one for one in days if one.number == number):
        for tid, title in _threads(day):
            titles.setdefault(tid, title)
    # What is cut off has not reached the rest.
    order = sorted(titles, key=lambda tid: titles[tid] != VOTES)
    return tuple(Target(tid, titles[tid], _find_span(days, number, tid)) for tid in order)


def poll_day(
    targets: Sequence[Target], archive: Archive, client: Client, *, clock: Callable[[], datetime], watcher: Watcher
) -> Iterator[Polled]:
    """Make one pass over each thread, as scraper/schedule.py plans it; when its time is over, as many as its sweep still needs.

    Ends with the first pass in which the board refused everything. `clock` gives aware moments.
    """
    for nth in range(SWEEPS):
        for target in targets:
            if nth and not wants_sweep(archive, target, clock()):
                continue
            passes = archive.fetch_passes(target.tid)
            plan = plan_pass(passes, target.span, clock(), suspects=archive.fetch_suspects(target.tid))
            polled = poll_target(target, archive, client, plan, clock=clock, watcher=watcher)
            yield polled
            if polled.refused:
                return


def poll_target(
    target: Target, archive: Archive, client: Client, plan: Plan, *, clock: Callable[[], datetime], watcher: Watcher
) -> Polled:
    """Make one pass over one thread by a plan."""
    from scraper.poll import poll_thread

    def fetch(page: int, *, oldest_first: bool = False) -> Response:
        watcher.ask(target, page)
        return client.fetch_page(target.tid, page, oldest_first=oldest_first)

    client.likely = archive.fetch_family(target.tid)
    watcher.begin(target, plan)
    outcome = poll_thread(
        fetch,
        archive,
        target.tid,
        clock=clock,
        plan=plan,
        fetch_oldest_first=lambda page: fetch(page, oldest_first=True),
        watch=lambda came: watcher.came(target, plan, came),
    )
    return Polled(target, plan, outcome)


def wants_sweep(archive: Archive, target: Target, now: datetime) -> bool:
    """Whether a thread whose time is over has yet to be read whole; not at once after a pass that lacked something."""
    passes = archive.fetch_passes(target.tid)
    if now <= target.span.until or not passes or passes[-1].why:
        return False
    return count_sweeps(passes, target.span.since, target.span.until).done < SWEEPS


def list_unswept(game: Game, events: Iterable[Event], archive: Archive, now: datetime) -> tuple[int, ...]:
    """The numbers of the days that are over, whose votes were looked at while they were open, and not once since."""
    found = []
    for day in game.days:
        for target in list_targets(game, events, day.number):
            passes = archive.fetch_passes(target.tid) if target.title == VOTES and now > target.span.until else ()
            if passes and not count_sweeps(passes, target.span.since, target.span.until).done:
                found.append(day.number)
                break
    return tuple(found)


def _threads(day: Day) -> Iterator[tuple[int, str]]:
    if day.vote:
        yield day.vote, VOTES
    yield from ((tid, phrase("讨论帖")) for tid in day.discussion)
    if day.progress is not None:
        yield day.progress, phrase("进程帖")


def _find_span(days: Sequence[Day], number: int, tid: int) -> Span:
    """From the close before, where an earlier day has the same thread, to the close."""
    sharing = [day for day in days if any(tid == other for other, _ in _threads(day))]
    own = [day for day in sharing if day.number == number]
    opens = min(day.opens for day in own)
    closed = [day.ends for day in sharing if day.number != number and day.ends <= opens]
    since = max(closed) + timedelta(seconds=1) if closed else BEGINNING
    return Span(since, max(day.ends for day in own))
