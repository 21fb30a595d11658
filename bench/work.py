"""What the bench times: each piece of work as a function that returns the seconds it took."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import closing
from datetime import datetime
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TypeVar

from bench.corpus import read_response
from engine.counting import count_game_day, open_archive
from engine.game import load_game
from scraper.archive import Archive
from scraper.passes import PassOutcome
from scraper.poll import poll_thread
from scraper.response import Response
from scraper.schedule import Span, plan_pass
from tally.result import DayTally

T = TypeVar("T")
TID = 1235


def clocked(work: Callable[[], T]) -> tuple[float, T]:
    """The seconds that some work took, and what it gave."""
    start = perf_counter()
    result = work()
    return perf_counter() - start, result


def sweep(archive: Archive, folder: Path, seen_at: datetime) -> float:
    """The seconds of one pass over the thread whose pages lie in a folder, stored as a replay stores it."""
    read = partial(read_response, folder, seen_at=seen_at)
    seconds, outcome = clocked(lambda: poll_thread(read, archive, TID, clock=lambda: seen_at, recorded=True))
    if not outcome.complete:
        sys.exit(f"bench: the pass is not complete: {outcome.why}")
    return seconds


def look(archive: Archive, fetch_page: Callable[[int], Response], seen_at: datetime, span: Span) -> tuple[float, PassOutcome]:
    """The seconds of one round as `bansha poll` makes it, from the plan to what became of the posts; and what it brought."""

    def make_round() -> PassOutcome:
        plan = plan_pass(archive.fetch_passes(TID), span, seen_at, suspects=archive.fetch_suspects(TID))
        return poll_thread(fetch_page, archive, TID, clock=lambda: seen_at, plan=plan)

    return clocked(make_round)


def recount(game_file: Path, database: Path) -> DayTally:
    """Count the one day of the game from its archive, as `bansha tally` does."""
    game = load_game(game_file)
    with closing(open_archive(game, database)) as archive:
        return count_game_day(game, archive, (), game.days[0])
