"""Killed at any moment and run again, an archive ends in the rows of one that was never disturbed."""

from __future__ import annotations

import random
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest

from scraper.merge import merge_archive
from scraper.recording import save_recorded_passes
from tests.board.record import save_polls
from tests.scraper.looks import TID, dump, open_archive
from tests.scraper.test_recording import RECORDED

# Stores the case, and stops for ever before the statement of that number, counted from the opening of the file on.
_CHILD = """
import sqlite3, sys
from pathlib import Path
from zoneinfo import ZoneInfo
from scraper.archive import Archive
from scraper.merge import merge_archive
from scraper.recording import save_recorded_passes

left = int(sys.argv[3])

def step(statement):
    global left
    left -= 1
    if left == 0:
        print("here", flush=True)
        sys.stdin.read()

connect = sqlite3.connect

def connect_traced(*places, **options):
    connection = connect(*places, **options)
    connection.set_trace_callback(step)
    return connection

sqlite3.connect = connect_traced
with Archive.open(Path(sys.argv[1]), board="https://bbs.example.net/", zone=ZoneInfo("Asia/Shanghai")) as archive:
    save_recorded_passes(archive, Path(sys.argv[2]))
"""

POINTS = 50
PARTS = 5
SEED = 20180605


@dataclass(frozen=True, slots=True)
class Undisturbed:
    """A recorded case, how many statements storing it takes, and the rows that it comes to."""

    case: Path
    statements: int
    rows: dict[str, list[tuple[object, ...]]]

    def points(self, part: int) -> list[int]:
        """The statements before which this part of the tests kills: one drawn from each fiftieth of all."""
        draw = random.Random(SEED)
        edges = [1 + number * self.statements // POINTS for number in range(POINTS + 1)]
        return [draw.randrange(low, high) for low, high in pairwise(edges)][part::PARTS]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Undisturbed:
    folder = tmp_path_factory.mktemp("kill")
    case = folder / "a_case"
    case.mkdir()
    save_polls(case, RECORDED)
    statements = count_statements(case, folder / "undisturbed.db")
    with open_archive(folder / "undisturbed.db") as archive:
        rows = dump(archive)
    assert all(rows[name] for name in ("passes", "pages", "revisions", "versions", "misses", "posts"))
    return Undisturbed(case, statements, rows)


def count_statements(case: Path, path: Path) -> int:
    statements: list[str] = []
    connect = sqlite3.connect

    def connect_traced(place: Path, timeout: float, isolation_level: None) -> sqlite3.Connection:
        connection = connect(place, timeout=timeout, isolation_level=isolation_level)
        connection.set_trace_callback(statements.append)
        return connection

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sqlite3, "connect", connect_traced)
        with open_archive(path) as archive:
            save_recorded_passes(archive, case)
    return len(statements)


def kill_at(statement: int, case: Path, path: Path, program: str = _CHILD) -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", program, str(path), str(case), str(statement)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert child.stdout is not None
    assert child.stdout.readline().strip() == b"here"
    child.kill()
    child.communicate(timeout=30)
    assert child.returncode != 0


@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.slow) for part in range(1, PARTS))])
def test_after_a_kill_the_next_run_ends_in_the_same_rows(tmp_path: Path, undisturbed: Undisturbed, part: int) -> None:
    points = undisturbed.points(part)
    with ThreadPoolExecutor(max_workers=4) as crowd:
        list(crowd.map(lambda point: kill_at(point, undisturbed.case, tmp_path / f"{point}.db"), points))
    for point in points:
        with open_archive(tmp_path / f"{point}.db") as archive:
            save_recorded_passes(archive, undisturbed.case)
            assert dump(archive) == undisturbed.rows, f"killed before statement {point} of {undisturbed.statements}"


def test_killed_again_and_again_it_still_ends_in_the_same_rows(tmp_path: Path, undisturbed: Undisturbed) -> None:
    path = tmp_path / "game.db"
    # Each run does over what the one before had stored, with fewer statements: it gets a little further.
    for share in (8, 6, 5):
        kill_at(undisturbed.statements // share, undisturbed.case, path)
    with open_archive(path) as archive:
        save_recorded_passes(archive, undisturbed.case)
        assert dump(archive) == undisturbed.rows


_MERGE = """
import sqlite3, sys
from pathlib import Path
from zoneinfo import ZoneInfo
from scraper.archive import Archive
from scraper.merge import merge_archive

with Archive.open(Path(sys.argv[1]), board="https://bbs.example.net/", zone=ZoneInfo("Asia/Shanghai")) as archive:
    left = int(sys.argv[3])

    def step(statement):
        global left
        left -= 1
        if left == 0:
            print("here", flush=True)
            sys.stdin.read()

    archive.database.conn.set_trace_callback(step)
    merge_archive(archive, Path(sys.argv[2]))
"""


@pytest.mark.parametrize("point", [40, 120])
def test_a_union_that_is_killed_leaves_the_archive_as_it_was(tmp_path: Path, undisturbed: Undisturbed, point: int) -> None:
    with open_archive(tmp_path / "other.db") as archive:
        save_recorded_passes(archive, undisturbed.case)
    with open_archive(tmp_path / "game.db") as archive:
        before = dump(archive)
    kill_at(point, tmp_path / "other.db", tmp_path / "game.db", _MERGE)
    with open_archive(tmp_path / "game.db") as archive:
        assert dump(archive) == before
        merge_archive(archive, tmp_path / "other.db")
        assert archive.fetch_passes(TID)
