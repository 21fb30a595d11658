"""The mobile API instead of pages: only where game.toml asks for it and the board's robots.txt lets programs read it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.board.script import read_script
from tests.board.server import Asked, Board, Reply, serve
from tests.engine.command import run

SCRIPT = """
[board]
dialect = "{dialect}"
per_page = 2
[[thread]]
tid = 21
title = "第二天投票"
[[post]]
tid = 21
pid = 1
author = "导演甲"
at = 2018-06-03T09:30:00
text = "投票帖"
[[post]]
tid = 21
pid = 2
author = "饺子"
at = 2018-06-03T10:00:00
text = "投票对象：包子\\n投票理由：他没说话"
[[post]]
tid = 21
pid = 3
author = "豆沙"
at = 2018-06-03T11:00:00
text = "投票对象：包子\\n投票理由：跟"
"""
GAME = """[game]
title = "接口局"
ruleset = "m29"
directors = ["导演甲"]
[forum]
url = "{base}"
interval = 0
{api}
[[player]]
name = "饺子"
[[player]]
name = "包子"
[[player]]
name = "豆沙"
[[day]]
number = 2
opens = 2018-06-03T09:30:00
closes = 2018-06-05T21:00:00
vote = 21
sheriff = ""
accelerated = false
"""
STOCK = "User-agent: *\nDisallow: /api/\nDisallow: /data/\n"


@contextmanager
def game(folder: Path, dialect: str, api: str, robots: str | None = None) -> Iterator[Board]:
    """A game on a board that speaks one surface; `robots` is its robots.txt, None where it has none."""

    def rule(asked: Asked, reply: Reply) -> Reply:
        if asked.address != "/robots.txt" or robots is None:
            return reply
        return replace(reply.with_header("Content-Type", "text/plain"), status=200, body=robots.encode())

    board = Board(read_script(SCRIPT.format(dialect=dialect)), datetime(2018, 6, 5, 13, 30, tzinfo=UTC), (rule,))
    with serve(board) as served:
        (folder / "game.toml").write_text(GAME.format(base=served.base, api=api), encoding="utf-8")
        yield board


def paths(board: Board) -> list[str]:
    return [asked.address.split("?")[0] for asked in board.asked]


@pytest.mark.parametrize("version", [1, 4])
def test_a_game_that_asks_for_it_is_read_by_the_api(tmp_path: Path, version: int) -> None:
    with game(tmp_path, f"api{version}", f"api = {version}") as board:
        assert run("fetch", str(tmp_path), "--day", "2").code == 0
        assert set(paths(board)) == {"/robots.txt", "/api/mobile/index.php"}
        assert paths(board).count("/robots.txt") == 1
        assert "包子 " in run("tally", str(tmp_path), "--day", "2").out.replace("│", "").replace("  ", " ")


def test_where_robots_txt_forbids_it_nothing_of_the_api_is_asked(tmp_path: Path) -> None:
    with game(tmp_path, "api4", "api = 4", STOCK) as board:
        ran = run("fetch", str(tmp_path), "--day", "2")
        assert ran.code == 4
        assert "robots.txt" in ran.err
        assert paths(board) == ["/robots.txt"]


def test_threads_that_the_director_names_are_read_whatever_robots_txt_says(tmp_path: Path) -> None:
    with game(tmp_path, "x35", "", "User-agent: *\nDisallow: /\n") as board:
        assert run("fetch", str(tmp_path), "--day", "2").code == 0
        assert "/robots.txt" not in paths(board)


def test_another_version_of_the_api_is_an_error_of_the_file(tmp_path: Path) -> None:
    with game(tmp_path, "x35", "api = 3"):
        ran = run("fetch", str(tmp_path), "--day", "2")
    assert ran.code == 2
    assert "forum.api" in ran.err
