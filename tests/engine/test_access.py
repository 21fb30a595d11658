"""`bansha login`: the password is asked for without echo or taken from the environment, and is to be found nowhere afterwards."""

from __future__ import annotations

import json
import stat
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from scraper.address import Family
from tests.board.faults import Answer, FaultyBoard
from tests.engine.command import Ran, run
from tests.engine.living import GAME
from tests.scraper.test_login import LOGOUT, MEMBER, X_FORM, X_PATH, box, form_page, taken

NAME, PASSWORD, COOKIE = "饺子王", "p@ss 密码&1", "s3cretc00kie"


@dataclass(frozen=True, slots=True)
class Door:
    """A board that lets one in, and a game that is played on it."""

    board: FaultyBoard
    folder: Path

    def login(self, *arguments: str) -> Ran:
        return run("login", str(self.folder), *arguments)


@pytest.fixture
def door(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Door]:
    monkeypatch.delenv("BANSHA_PASSWORD", raising=False)
    with FaultyBoard() as board:
        board.on(X_PATH, form_page(X_FORM), Answer(headers=taken("Ab1_2132_auth", COOKIE), body=b"ok"))
        board.on("/forum.php", Answer(body=MEMBER % LOGOUT[Family.X]))
        (tmp_path / "game.toml").write_text(GAME.format(url=board.url), encoding="utf-8")
        yield Door(board, tmp_path)


def everything(ran: Ran, folder: Path, *, besides: str = "") -> str:
    """All that a command printed and all that it left in the folder, but for one file."""
    files = [path for path in folder.rglob("*") if path.is_file() and path.name != besides]
    return ran.out + ran.err + "".join(path.read_bytes().decode("utf-8", "replace") for path in files)


def test_a_password_from_the_environment_logs_in_and_the_cookies_are_the_owners_alone(
    door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BANSHA_PASSWORD", PASSWORD)
    ran = door.login("--user", NAME)
    assert ran.code == 0
    cookies = door.folder / "cookies.txt"
    assert COOKIE in cookies.read_text(encoding="utf-8")
    if sys.platform != "win32":
        assert stat.S_IMODE(cookies.stat().st_mode) == 0o600
    assert PASSWORD not in everything(ran, door.folder)
    assert COOKIE not in everything(ran, door.folder, besides="cookies.txt")


def test_a_login_says_as_json_whose_it_is_and_where_the_cookies_are(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BANSHA_PASSWORD", PASSWORD)
    ran = door.login("--user", NAME, "--json")
    assert json.loads(ran.out) == {"board": door.board.url, "account": NAME, "cookies": str(door.folder / "cookies.txt")}
    assert COOKIE not in everything(ran, door.folder, besides="cookies.txt")


def test_the_cookies_go_where_the_game_file_says(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BANSHA_PASSWORD", PASSWORD)
    game = door.folder / "game.toml"
    text = game.read_text(encoding="utf-8")
    game.write_text(text.replace("interval = 0.0", 'interval = 0.0\ncookies = "导演.txt"'), encoding="utf-8")
    assert door.login("--user", NAME).code == 0
    assert (door.folder / "导演.txt").is_file()
    assert not (door.folder / "cookies.txt").exists()


def test_name_and_password_are_asked_for_and_the_password_has_no_echo(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, bool, bool]] = []

    def prompt(text: str, *, hide_input: bool, err: bool) -> str:
        asked.append((text, hide_input, err))
        return {"帐号": NAME, "密码": PASSWORD, "安全提问的答案": "包子"}[text]

    monkeypatch.setattr("typer.prompt", prompt)
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr(sys, "stdin", type("Terminal", (), {"isatty": lambda self: True})())
    assert door.login("--question", "1").code == 0
    assert asked == [("帐号", False, True), ("密码", True, True), ("安全提问的答案", True, True)]


def test_without_a_terminal_nobody_is_asked(door: Door) -> None:
    ran = door.login("--user", NAME)
    assert (ran.code, "BANSHA_PASSWORD" in ran.err) == (2, True)
    assert door.board.seen == []


def test_a_wrong_password_is_tried_once_and_the_old_cookies_stay(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BANSHA_PASSWORD", PASSWORD)
    (door.folder / "cookies.txt").write_text("# old\n", encoding="utf-8")
    door.board.on(X_PATH, form_page(X_FORM), box("登录失败，您还可以尝试 4 次"))
    ran = door.login("--user", NAME)
    assert ran.code == 4
    assert "还可以尝试 4 次" in ran.err
    assert [seen.method for seen in door.board.seen] == ["GET", "POST"]
    assert (door.folder / "cookies.txt").read_text(encoding="utf-8") == "# old\n"
    assert PASSWORD not in everything(ran, door.folder)


def test_an_error_in_the_program_shows_no_secret(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    from engine.cli.app import app

    assert app.pretty_exceptions_show_locals is False
    assert app.pretty_exceptions_enable is False


def test_without_a_board_there_is_nothing_to_log_in_to(door: Door) -> None:
    game = door.folder / "game.toml"
    game.write_text(
        game.read_text(encoding="utf-8").replace("url =", "# url =").replace("interval", "# interval"), encoding="utf-8"
    )
    ran = door.login("--user", NAME)
    assert (ran.code, "[forum]" in ran.err) == (2, True)


def test_one_may_log_in_before_the_first_day_is_opened(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BANSHA_PASSWORD", PASSWORD)
    game = door.folder / "game.toml"
    game.write_text(game.read_text(encoding="utf-8").split("[[day]]", 1)[0], encoding="utf-8")
    ran = door.login("--user", NAME)
    assert ran.code == 0, ran.err
