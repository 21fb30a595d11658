"""A database that may be read and not written to is counted, and it is said that nothing was stored."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.engine.command import Ran, run

ROOT = Path(__file__).parents[2]
CASE = ROOT / "fixtures" / "m29" / "three_days"
ROOTS = os.name == "posix" and os.getuid() == 0
BOUND = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] if ROOTS else []

pytestmark = pytest.mark.skipif(
    os.name != "posix" or (ROOTS and not shutil.which("setpriv")), reason="modes of POSIX, and a user for whom they count"
)


@pytest.fixture
def game(tmp_path: Path) -> Iterator[Path]:
    """The three days with their database."""
    folder = tmp_path / "game"
    shutil.copytree(CASE, folder)
    assert run("replay", str(folder), "--db", str(folder / "game.db")).code == 0
    yield folder
    folder.chmod(0o755)


def read_as_guest(*arguments: str) -> Ran:
    """Run a command as a user for whom modes count: where the tests are root's, without root's right to pass over them."""
    command = [*BOUND, sys.executable, "-c", "from engine.cli import main; main()", *arguments]
    done = subprocess.run(command, capture_output=True, cwd=ROOT, check=False)
    return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())


def shut(game: Path, folder: int, file: int) -> None:
    for path in game.iterdir():
        if path.name.startswith("game.db"):
            path.chmod(file)
    game.chmod(folder)


@pytest.mark.parametrize(("folder", "file"), [(0o555, 0o666), (0o777, 0o444), (0o555, 0o444)])
def test_a_game_that_may_only_be_read_is_counted(game: Path, folder: int, file: int) -> None:
    known = json.loads(run("tally", str(game), "--json").out)
    told = run("explain", str(game), "饺子").out
    shut(game, folder, file)
    before = (game / "game.db").read_bytes()
    ran = read_as_guest("tally", str(game), "--json")
    assert (ran.code, json.loads(ran.out)) == (0, known)
    said = [line for line in ran.err.splitlines() if "secrets.toml" not in line]
    assert [line.startswith("bansha: 结果没有存进数据库：") for line in said] == [True]
    explained = read_as_guest("explain", str(game), "饺子")
    assert (explained.code, explained.out) == (0, told)
    assert (game / "game.db").read_bytes() == before


def test_a_database_of_before_that_lacks_only_a_cache_is_counted_where_it_may_only_be_read(game: Path) -> None:
    known = json.loads(run("tally", str(game), "--json").out)
    connection = sqlite3.connect(game / "game.db", isolation_level=None)
    connection.execute("DELETE FROM _sqlite_migrations WHERE name = 'm004_glances_by_another_digest'")
    connection.close()
    shut(game, 0o555, 0o444)
    ran = read_as_guest("tally", str(game), "--json")
    assert (ran.code, json.loads(ran.out)) == (0, known)


@pytest.mark.parametrize("index", [True, False])
def test_what_stands_in_a_journal_is_not_passed_over(game: Path, tmp_path: Path, index: bool) -> None:
    assert json.loads(run("tally", str(game), "--json").out)["counts"] != []
    writer = sqlite3.connect(game / "game.db")
    writer.execute("PRAGMA wal_autocheckpoint = 0")
    writer.execute("DROP TRIGGER revisions_no_update")
    writer.execute("UPDATE revisions SET author = '没有这个人', uid = NULL")
    writer.commit()
    assert (game / "game.db-wal").stat().st_size > 0
    for path in sorted(game.glob("game.db*")):
        shutil.copy(path, tmp_path / path.name)
    writer.close()
    for path in sorted(tmp_path.glob("game.db*")):
        shutil.copy(path, game / path.name)
    if not index:
        # As after a power cut: without it the journal cannot be read where nothing may be written.
        (game / "game.db-shm").unlink()
    shut(game, 0o555, 0o444)
    ran = read_as_guest("tally", str(game), "--json")
    assert ran.code == (0 if index else 2)
    assert json.loads(ran.out)["counts"] == [] if index else "不能写" in ran.err


def test_a_fetch_that_could_store_nothing_asks_for_nothing(game: Path) -> None:
    shut(game, 0o555, 0o444)
    ran = read_as_guest("fetch", str(game))
    assert (ran.code, ran.out) == (2, "")
    assert "game.db" in ran.err
    assert "不能写" in ran.err
