"""What many tests stand on: an archive; a board that misbehaves, a world without waiting, and a client between them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from scraper.archive import Archive
from scraper.client import Client
from tests.board.faults import FaultyBoard
from tests.scraper.looks import open_archive
from tests.scraper.worlds import QUICK, World


@pytest.fixture
def board() -> Iterator[FaultyBoard]:
    """A board on loopback; nothing is scripted yet."""
    with FaultyBoard() as running:
        yield running


@pytest.fixture
def world() -> World:
    """Clocks that move by sleeping."""
    return World()


@pytest.fixture
def client(board: FaultyBoard, world: World) -> Iterator[Client]:
    """A quick client of the board."""
    with Client(board.url, settings=QUICK, world=world.surroundings()) as one:
        yield one


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    """An archive of the board of tests/scraper/looks.py, in which nothing is yet."""
    with open_archive(tmp_path / "game.db") as opened:
        yield opened
