"""A reader of the small board over days: real client, real socket, real archive, by the schedule; and a clock for all of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from scraper.archive import Archive
from scraper.client import Client
from scraper.coverage import count_sweeps, take_stock
from scraper.pace import Surroundings
from scraper.passes import Change, PassOutcome
from scraper.poll import poll_thread
from scraper.post import History
from scraper.schedule import Span, plan_pass
from tests.board.script import Script
from tests.board.server import Board, Fault, Served, serve
from tests.scraper.looks import TID, ZONE, at
from tests.scraper.worlds import QUICK

SPAN = Span(at("09:30"), at("21:00", 5))


@dataclass(slots=True)
class Reader:
    """Who looks at thread 7; `now` is his time, a second later for each page, and the board's when he begins."""

    served: Served
    client: Client
    archive: Archive
    now: datetime
    span: Span = SPAN

    @property
    def board(self) -> Board:
        return self.served.board

    def poll(self, time: str, day: int = 3, *faults: Fault) -> PassOutcome:
        """One pass at a moment of June 2018 (`"11:00", 4`), with the faults that the board has then."""
        self.move(at(time, day))
        self.board.faults = faults
        self.board.asked.clear()
        plan = plan_pass(self.archive.fetch_passes(TID), self.span, self.now, suspects=self.archive.fetch_suspects(TID))
        return poll_thread(
            lambda page: self.client.fetch_page(TID, page),
            self.archive,
            TID,
            clock=lambda: self.now,
            plan=plan,
            fetch_oldest_first=lambda page: self.client.fetch_page(TID, page, oldest_first=True),
        )

    def move(self, moment: datetime) -> None:
        """Set the clock, of the board too."""
        self.now = self.board.clock = moment

    def tick(self) -> datetime:
        """A page takes a second."""
        self.now += timedelta(seconds=1)
        return self.now

    def asked(self) -> list[int]:
        """The pages that the last pass asked for, every request of it."""
        return [int(re.findall(r"page=(\d+)", asked.address)[0]) for asked in self.board.asked]

    def histories(self) -> dict[int, History]:
        """The posts by pid."""
        return {history.first.pid: history for history in self.archive.fetch_histories(TID)}

    def gaps(self) -> tuple[int, ...]:
        """The pages that are missing by all that is known."""
        stock = take_stock(self.archive.fetch_passes(TID), self.span.since)
        assert stock is not None
        return stock.gaps

    def sweeps(self) -> int:
        """How often the whole span was read after its end."""
        return count_sweeps(self.archive.fetch_passes(TID), self.span.since, self.span.until).done


def kinds(outcome: PassOutcome) -> dict[int, list[Change]]:
    """What became of each post, by pid."""
    told: dict[int, list[Change]] = {}
    for change in outcome.changes:
        told.setdefault(change.pid, []).append(change.kind)
    return told


@contextmanager
def reading(folder: Path, script: Script, time: str = "10:30") -> Iterator[Reader]:
    """A reader of a board that plays a script."""
    with serve(Board(script, at(time))) as served:
        world = Surroundings(now=lambda: reader.tick(), sleep=lambda seconds: None)
        with (
            Client(served.base, settings=QUICK, world=world) as client,
            Archive.open(folder / "game.db", board=served.base, zone=ZONE) as archive,
        ):
            reader = Reader(served, client, archive, at(time))
            yield reader
