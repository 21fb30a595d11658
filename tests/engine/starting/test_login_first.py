"""A board that shows its threads to members only: log in by its address before there is a game, then `init` as anywhere else."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

import pytest

from engine.game import load_game
from scraper.pace import Surroundings
from tests.board.members import Members
from tests.board.server import Board, serve
from tests.engine.command import Ran, run
from tests.engine.living import Clock
from tests.engine.starting.test_init import NOW, SIGN_UP, Director, begin, script

PASSWORD = "mi-ma-9"


@contextmanager
def members_board(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A board that guests see nothing of; the password lies in the environment."""
    monkeypatch.setenv("BANSHA_PASSWORD", PASSWORD)
    with serve(Board(script(SIGN_UP), NOW)) as served:
        served.board.faults = (Members(served.board, {"导演": PASSWORD}, only=True),)
        clock = Clock(NOW, served.board)
        with (
            patch("scraper.pace.utc_now", clock),
            patch("scraper.client.Surroundings", lambda: Surroundings(now=clock, sleep=lambda seconds: None)),
        ):
            yield served.base


def log_in(base: str, *more: str) -> Ran:
    return run("login", base, "--user", "导演", *more)


def test_init_says_how_to_log_in_and_then_it_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "mygame"
    with members_board(monkeypatch) as base:
        ran = begin(folder, base, 1200)
        assert (ran.code, f"bansha login {base} --dir {folder}" in ran.err) == (4, True), ran.err
        ran = log_in(base, "--dir", str(folder))
        assert (ran.code, PASSWORD in ran.out + ran.err) == (0, False), ran.err
        if os.name == "posix":
            assert stat.S_IMODE((folder / "cookies.txt").stat().st_mode) == 0o600
        assert begin(folder, base, 1200).code == 0
        game = load_game(folder, before_days=True)
        assert [seat.name for seat in game.roster.seats] == ["甲", "乙", "戊"]
        # Beside the game file it is found without being named, by every other command too.
        assert "cookies" not in (folder / "game.toml").read_text(encoding="utf-8")
        assert run("rollcall", str(folder), "1200").code == 0


def test_a_thread_s_address_will_do_and_a_login_here_serves_a_folder_below(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with members_board(monkeypatch) as base:
        assert log_in(f"{base}forum.php?mod=viewthread&tid=1200").code == 0
        assert begin(Path("mygame"), base, 1200).code == 0
        assert load_game(Path("mygame"), before_days=True).forum.cookies is not None
        assert run("rollcall", "mygame", "1200").code == 0


def test_cookies_are_named_from_where_the_command_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with members_board(monkeypatch) as base:
        log_in(base)
        Path("cookies.txt").rename("mine.txt")
        assert begin(Path("mygame"), base, 1200, more=("--cookies", "mine.txt")).code == 0
        assert run("rollcall", "mygame", "1200").code == 0


def test_cookies_of_another_board_are_nobodys_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("cookies.txt").write_text(
        "# Netscape HTTP Cookie File\nelsewhere.example.net\tFALSE\t/\tFALSE\t2147483647\tx_auth\tabc\n", encoding="utf-8"
    )
    with members_board(monkeypatch) as base:
        assert (ran := begin(Path("mygame"), base, 1200)).code == 4
        assert "bansha login" in ran.err


def test_at_a_terminal_init_logs_in_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    director = Director("是", "M29", "试局", "", "")
    with (
        members_board(monkeypatch) as base,
        patch("engine.cli.asking.make_asker", lambda: director),
        patch("engine.cli.access._ask", lambda what, given, hidden=False: given or "导演"),
    ):
        assert begin(tmp_path, base, 1200).code == 0
    assert director.asked[0] == "这个论坛要登录才看得到帖子。现在登录吗"
    assert len(load_game(tmp_path, before_days=True).roster.seats) == 3


def test_a_wrong_password_writes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with members_board(monkeypatch) as base:
        monkeypatch.setenv("BANSHA_PASSWORD", "falsch")
        ran = log_in(base, "--dir", str(tmp_path))
    assert (ran.code, "falsch" in ran.err, list(tmp_path.iterdir())) == (4, False, [])


def test_a_folder_without_a_game_says_that_the_address_will_do(tmp_path: Path) -> None:
    ran = run("login", str(tmp_path))
    assert (ran.code, "bansha login https://" in ran.err) == (2, True)
