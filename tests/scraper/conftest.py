"""What the client's tests stand on: a board that misbehaves, a world without waiting, and a client between them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from scraper.client import Client
from tests.board.faults import FaultyBoard
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
