"""How long the check of chanted players takes, against reading the pages on which they posted."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from statistics import median
from zoneinfo import ZoneInfo

from bench.corpus import read_response, write_game, write_pages
from bench.work import TID, clocked, sweep
from engine.counting import open_archive
from engine.game import load_game
from engine.sounds.check import SpeechCheck, check_game
from scraper.page import read_page
from tally.finding import Severity
from tests.board.load import Load

POSTS = 10_000
_ROUNDS = 3


@dataclass(frozen=True, slots=True)
class Checked:
    """The seconds of reading the pages and of checking their posts, and what was found."""

    reading: float
    checking: float
    check: SpeechCheck

    @property
    def found(self) -> str:
        """How many posts are what."""
        count = self.check.count
        return f"{count(Severity.ERROR)} breaches, {count(Severity.WARNING)} suspects"


def check_sounds(folder: Path, seen: datetime, load: Load) -> Checked:
    """Read every page of a thread of chanted players, and check it from its archive, in turns."""
    folder.mkdir()
    game = load_game(write_game(folder / "game.toml", chanted=True))
    write_pages(folder / "pages", load, 0)
    reading, checking = [], []
    with open_archive(game, folder / "sounds.db") as archive:
        sweep(archive, folder / "pages", seen)
        for _ in range(_ROUNDS):
            reading.append(sum(_read(folder / "pages", number, seen, game.forum.zone) for number in range(1, load.pages + 1)))
            seconds, check = clocked(lambda: check_game(game, archive, ()))
            checking.append(seconds)
    return Checked(median(reading), median(checking), check)


def _read(folder: Path, number: int, seen: datetime, zone: ZoneInfo) -> float:
    response = read_response(folder, number, seen)
    kind = response.header("Content-Type")

    def read() -> object:
        return read_page(response.body, tid=TID, seen_at=seen, zone=zone, content_type=kind)

    return clocked(read)[0]
