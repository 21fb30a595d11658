"""The options of a poll that a post opened: they are told, and an option that is changed is a new revision."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from scraper.beside import list_options
from scraper.httpfile import parse_response
from scraper.page import gate_page, read_page
from scraper.post import Post
from tests.board.script import Script, read_script
from tests.board.server import Asked, Board

ZONE = ZoneInfo("Asia/Shanghai")
SEEN = datetime(2018, 6, 3, 11, tzinfo=ZONE)
RECORDED = Path(__file__).parents[3] / "shared" / "recordings" / "x35" / "guest__thread_poll.http"


def write(dialect: str, poll: str) -> Script:
    return read_script(
        f"""[board]
dialect = "{dialect}"
[[thread]]
tid = 7
title = "投票框"
poll = [{poll}]
[[post]]
tid = 7
pid = 1
author = "包子"
at = 2018-06-03T10:00:00
text = "哼"
[[post]]
tid = 7
pid = 2
author = "豆沙"
at = 2018-06-03T10:05:00
text = "唧"
"""
    )


def show(script: Script) -> bytes:
    reply = Board(script, SEEN.replace(tzinfo=None)).answer(
        Asked("GET", "/forum.php?mod=viewthread&tid=7&page=1", (("Host", "bbs.example.net"),))
    )
    assert reply is not None
    return reply.body


def read(page: bytes) -> dict[int, Post]:
    return {post.pid: post for post in read_page(page, tid=7, seen_at=SEEN, zone=ZONE, content_type="text/html").posts}


def options(post: Post) -> list[str]:
    return [dict(flaw.parameters)["options"] for flaw in post.flaws if flaw.code == "A125"]


@pytest.mark.parametrize("dialect", ["x35", "x34"])
def test_the_options_are_told_without_the_boards_numbers(dialect: str) -> None:
    posts = read(show(write(dialect, '"豆沙 & 汤圆", "2. 饺子"')))
    assert {pid: options(post) for pid, post in posts.items()} == {1: ["豆沙 & 汤圆\n2. 饺子"], 2: []}
    assert posts[1].message.text.strip() == "哼"


@pytest.mark.parametrize("dialect", ["x35", "x34"])
def test_an_option_that_is_changed_opens_the_gate_and_is_another_revision(dialect: str) -> None:
    pages = [show(write(dialect, poll)) for poll in ('"豆沙", "饺子"', '"豆沙", "汤圆"')]
    gates = [gate_page(page, content_type="text/html").gates for page in pages]
    assert [pid for pid in gates[0] if gates[0][pid] != gates[1][pid]] == [1]
    first, second = (read(page) for page in pages)
    assert first[1].digest != second[1].digest
    assert first[2].digest == second[2].digest


def test_words_that_look_like_a_poll_are_none() -> None:
    assert list_options("<div>poll 一下？<td class=\"pvt\">1. 豆沙</td></div>".encode(), "utf-8") == ""  # fmt: skip


def test_a_poll_of_a_real_board_is_told() -> None:
    if not RECORDED.exists():
        pytest.skip(f"the recordings are not beside the project: {RECORDED.name}")
    response = parse_response(RECORDED.read_bytes(), url="https://bbs.example.net/", seen_at=SEEN)
    kind = response.header("Content-Type")
    page = read_page(response.body, tid=4, seen_at=datetime(2026, 11, 30, 5, tzinfo=ZONE), zone=ZONE, content_type=kind)
    first = next(post for post in page.posts if post.pid == 112)
    assert options(first) == ["饺子\n包子\n弃权"]
    assert first.message.text.strip() == "请在投票框里投票，公开投票。"
