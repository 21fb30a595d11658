"""Killed at any moment and run again, an archive ends in the rows of one that was never disturbed."""

from __future__ import annotations

import random
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from scraper.recording import save_recorded_passes
from tests.board.record import save_polls
from tests.scraper.looks import dump, open_archive
from tests.scraper.test_recording import RECORDED

# Stores the case, and stops for ever before the statement of that number, counted from the opening of the file on.
_CHILD = """
import sqlite3, sys
from pathlib import Path
from zoneinfo import ZoneInfo
from scraper.archive import Archive
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

POINTS = 20
SEED = 20180605


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("kill") / "a_case"
    folder.mkdir()
    save_polls(folder, RECORDED)
    return folder


def count_statements(case: Path, path: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    statements: list[str] = []
    connect = sqlite3.connect

    def connect_traced(place: Path, timeout: float, isolation_level: None) -> sqlite3.Connection:
        connection = connect(place, timeout=timeout, isolation_level=isolation_level)
        connection.set_trace_callback(statements.append)
        return connection

    monkeypatch.setattr(sqlite3, "connect", connect_traced)
    with open_archive(path) as archive:
        save_recorded_passes(archive, case)
    monkeypatch.undo()
    return len(statements)


def kill_at(statement: int, case: Path, path: Path) -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", _CHILD, str(path), str(case), str(statement)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert child.stdout is not None
    assert child.stdout.readline().strip() == b"here"
    child.kill()
    child.communicate(timeout=30)
    assert child.returncode != 0


def test_after_a_kill_the_next_run_ends_in_the_same_rows(tmp_path: Path, case: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    total = count_statements(case, tmp_path / "undisturbed.db", monkeypatch)
    with open_archive(tmp_path / "undisturbed.db") as archive:
        undisturbed = dump(archive)
    assert all(undisturbed[name] for name in ("passes", "pages", "revisions", "versions", "misses", "posts"))
    # One point drawn from each twentieth: the making of the file, the first page and the last pass are all among them.
    draw = random.Random(SEED)
    points = [draw.randrange(1 + part * total // POINTS, 1 + (part + 1) * total // POINTS) for part in range(POINTS)]
    with ThreadPoolExecutor(max_workers=4) as crowd:
        list(crowd.map(lambda point: kill_at(point, case, tmp_path / f"{point}.db"), points))
    for point in points:
        with open_archive(tmp_path / f"{point}.db") as archive:
            save_recorded_passes(archive, case)
            assert dump(archive) == undisturbed, f"killed before statement {point} of {total}"


def test_killed_again_and_again_it_still_ends_in_the_same_rows(
    tmp_path: Path, case: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    total = count_statements(case, tmp_path / "undisturbed.db", monkeypatch)
    path = tmp_path / "game.db"
    # Each run does over what the one before had stored, with fewer statements: it gets a little further.
    for point in (total // 8, total // 6, total // 5):
        kill_at(point, case, path)
    with open_archive(path) as archive, open_archive(tmp_path / "undisturbed.db") as other:
        save_recorded_passes(archive, case)
        assert dump(archive) == dump(other)
