"""What may befall the process of a poll: Ctrl-C, a full disk, a database that another program holds, a second one of its kind."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Timer

import pytest

from engine.counting import open_archive
from engine.game import load_game
from scraper.archive import Archive
from tests.engine.living import VOTE, Living, chat, living, thread
from tests.scraper.looks import dump

posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has neither this signal nor this limit")

POSTS = 100

# `bansha` with the largest file that it may write, in bytes, before it.
_LIMITED = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv.pop(1)), resource.RLIM_INFINITY))
from engine.cli import main
main()
"""


@pytest.fixture
def game(tmp_path: Path) -> Iterator[Living]:
    with ExitStack() as stack:
        yield stack.enter_context(living(tmp_path, thread(*chat(POSTS), per_page=5), "03T22:00"))


@contextmanager
def begin(*arguments: str, program: tuple[str, ...] = ("-m", "engine")) -> Iterator[subprocess.Popen[str]]:
    """The command as a process of its own."""
    command = [sys.executable, *program, *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8") as process:
        yield process


def finish(process: subprocess.Popen[str]) -> str:
    """What it still says to standard error before it ends."""
    return process.communicate(timeout=60)[1]


def stored(game: Living) -> Archive:
    return open_archive(load_game(game.folder), game.folder / "game.db")


def count_posts(game: Living) -> int:
    with stored(game) as archive:
        return len(list(archive.fetch_histories(VOTE)))


@posix
@pytest.mark.usefixtures("heard_signals")
def test_ctrl_c_in_the_middle_of_a_long_fetch(game: Living) -> None:
    game.fail(lambda asked, reply: replace(reply, delay=0.05))
    with begin("fetch", str(game.folder)) as process:
        assert process.stderr is not None
        for line in process.stderr:
            if "第 5 页" in line:
                break
        process.send_signal(signal.SIGINT)
        err = finish(process)
    assert process.returncode == 130
    assert "停下了（Ctrl-C）" in err
    assert "Traceback" not in err
    assert 4 * 5 <= count_posts(game) < POSTS
    with stored(game) as archive:
        (cut_off,) = archive.fetch_passes(VOTE)
        assert (cut_off.ended_at, cut_off.complete, cut_off.why) == (None, False, "the pass was cut off")
    game.fail()
    assert game.run("poll").code == 0
    assert count_posts(game) == POSTS


@posix
def test_a_disk_that_fills_up(game: Living) -> None:
    with begin("400000", "fetch", str(game.folder), program=("-c", _LIMITED)) as process:
        err = finish(process)
    assert (process.returncode, "腾出空间再运行" in err, "Traceback" in err) == (2, True, False)
    assert 0 < count_posts(game) < POSTS
    assert game.run("poll").code == 0
    assert count_posts(game) == POSTS
    with stored(game) as archive:
        before = dump(archive)
        archive.rebuild()
        assert dump(archive) == before


def test_a_database_that_another_program_holds_is_named_and_waited_for(game: Living, monkeypatch: pytest.MonkeyPatch) -> None:
    assert game.run("fetch").code == 0
    monkeypatch.setattr("scraper.archive.BUSY_TIMEOUT", 0.1)
    other = sqlite3.connect(game.folder / "game.db", isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    ran = game.run("poll")
    assert ran.code == 2
    assert "game.db: database is locked: 别的程序占用它" in ran.err
    other.execute("ROLLBACK")
    assert game.run("poll").code == 0

    # One that lets go in time is only waited for.
    monkeypatch.undo()
    other.execute("BEGIN IMMEDIATE")
    timer = Timer(0.3, lambda: other.execute("ROLLBACK"))
    timer.start()
    assert game.run("poll").code == 0
    timer.join()
    other.close()


def test_two_polls_at_once_wait_for_each_other(game: Living) -> None:
    game.fail(lambda asked, reply: replace(reply, delay=0.005))
    with begin("poll", str(game.folder)) as one, begin("poll", str(game.folder)) as other:
        assert [(finish(process), process.returncode)[1] for process in (one, other)] == [0, 0]
    assert count_posts(game) == POSTS
    with stored(game) as archive:
        passes = archive.fetch_passes(VOTE)
        assert len(passes) >= 2
        assert all(one.ended_at and not one.why for one in passes)
        before = dump(archive)
        archive.rebuild()
        assert dump(archive) == before
