"""The board answers over a socket, at any moment of its script; from look to look it changes as a living board does."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
import requests

from tests.board.script import Script, read_script
from tests.board.server import Asked, Board, Reply, serve

SCRIPT = """
[board]
per_page = 2
noise = true
[[account]]
name = "饺子"
signature = "[i]好吃[/i]"
[[thread]]
tid = 7
title = "投票帖 <二>"
[[post]]
tid = 7
pid = 1
author = "导演"
at = 2018-06-03T10:00:00
text = "开始投票\\n到九点[img]http://a.example/1.png[/img]"
files = ["规则.zip"]
[[post]]
tid = 7
pid = 2
author = "饺子"
at = 2018-06-03T10:10:00
text = "投票对象：包子\\n投票理由：略"
ratings = [ { author = "导演", at = 2018-06-03T10:20:00, reason = "好票" } ]
[[post]]
tid = 7
pid = 3
author = "包子"
at = 2018-06-03T10:11:00
text = "弃权"
anonymous = true
deleted = 2018-06-03T12:00:00
"""
NOON = datetime.fromisoformat("2018-06-03T11:00:00")
PAGE = "/forum.php?mod=viewthread&tid=7&page=1"


@pytest.fixture
def script() -> Script:
    return read_script(SCRIPT)


def ask(board: Board, address: str = PAGE) -> str:
    reply = board.answer(Asked("GET", address, (("Host", "bbs.example.net"),)))
    assert reply is not None
    return reply.body.decode(board.script.settings.charset)


def floors(page: str) -> list[str]:
    return re.findall(r'id="postnum(\d+)"', page)


@pytest.mark.parametrize(
    ("address", "pids"),
    [
        ("/forum.php?mod=viewthread&tid=7", ["1", "2"]),
        ("/forum.php?mod=viewthread&tid=7&page=2", ["3"]),
        ("/forum.php?mod=viewthread&tid=7&page=99", ["3"]),
        ("/forum.php?mod=viewthread&tid=7&page=0", ["1", "2"]),
        ("/forum.php?mod=viewthread&tid=7&page=x", ["1", "2"]),
        ("/thread-7-2-1.html", ["3"]),
        ("/bbs/thread-7-1-1.html", ["1", "2"]),
    ],
)
def test_a_thread_has_two_kinds_of_address_and_no_page_past_its_end(script: Script, address: str, pids: list[str]) -> None:
    assert floors(ask(Board(script, NOON), address)) == pids


@pytest.mark.parametrize("address", ["/forum.php?mod=viewthread&tid=8", "/thread-8-1-1.html", "/forum.php", "/x"])
def test_what_is_not_there_answers_404_with_the_box(script: Script, address: str) -> None:
    reply = Board(script, NOON).answer(Asked("GET", address))
    assert reply is not None
    assert reply.status == 404
    assert '<div id="messagetext" class="alert_error">' in reply.body.decode()


def test_the_clock_moves_the_board(script: Script) -> None:
    board = Board(script, NOON)
    assert floors(ask(board, "/thread-7-2-1.html")) == ["3"]
    board.clock = datetime(2018, 6, 3, 4, 0, tzinfo=UTC)  # noon in Shanghai: the third post is deleted
    assert floors(ask(board, "/thread-7-2-1.html")) == ["1", "2"]
    assert "GMT+8, 2018-6-3 12:00<" in ask(board)


def test_what_changes_by_itself_changes_at_every_look_and_nothing_else_does(script: Script) -> None:
    board = Board(script, NOON)
    once, again = ask(board), ask(board)
    board.clock = NOON + timedelta(days=1)
    later = ask(board)
    for kind in (
        r'name="formhash" value="(\w+)"',
        r"<em>(当前在线|当前离线)</em>",
        r'class="xi2">(\d+)</a></p>积分',
        r'id="aimg_(\w+)"',
        r"Processed in ([\d.]+)",
        r'display:none">([^<]+)</span>|class="jammer">([^<]+)<',
    ):
        looks = [re.findall(kind, page) for page in (once, again, later)]
        assert all(looks), kind
        assert len({str(look) for look in looks}) > 1, kind
    assert '<span title="2018-6-3 10:10:00">半小时前</span>' in once
    assert '<span title="2018-6-3 10:10:00">昨天&nbsp;10:10</span>' in later
    assert steady(once) == steady(again)


def steady(page: str) -> str:
    """A page without what changes by itself."""
    page = re.sub(r'<span style="display:none">[^<]*</span>|<font class="jammer">[^<]*</font>', "", page)
    page = re.sub(r'(formhash=|name="formhash" value="|token\': \')\w+', "", page)
    page = re.sub(r"(aimg_|attach_|aid=)\w+", "", page)
    page = re.sub(r"当前在线|当前离线|Processed in.*|(?<=xi1\">)\d+|现有 \d+ 分|width:\d+%", "", page)
    return re.sub(r'(class="xi2">)\d+(?=</a></(p|dd)>)', r"\1", page)


def test_two_boards_of_one_script_answer_alike(script: Script) -> None:
    assert ask(Board(script, NOON)) == ask(Board(script, NOON))


def test_signatures_ratings_files_and_anonymous_authors_stand_where_x3_puts_them(script: Script) -> None:
    board = Board(script, NOON)
    first, second = ask(board), ask(board, "/thread-7-2-1.html")
    assert '<div class="sign" style="max-height:100px;"><i>好吃</i></div>' in first
    assert re.search(r'<dl id="ratelog_2" class="rate">.*<td class="xg1">好票</td>', first, re.S)
    assert re.search(r'<div class="pattl"><ignore_js_op>.*>规则.zip</a>', first, re.S)
    assert '<span id="thread_subject">投票帖 &lt;二&gt;</span>' in first
    assert "包子" not in second
    assert re.search(r'<div class="pi">\s*匿名</div>.*匿名&nbsp;\s*<em id="authorposton3">发表于 <span', second, re.S)


@pytest.mark.parametrize(
    ("page", "pages", "links"),
    [
        (1, 1, []),
        (1, 3, ["1", "2", "3", "nxt"]),
        (3, 3, ["prev", "1", "2", "3"]),
        (1, 12, ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "last", "nxt"]),
        (8, 14, ["first", "prev", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "last", "nxt"]),
        (14, 14, ["first", "prev", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14"]),
    ],
)
def test_the_pager_shows_ten_pages_and_the_ends(page: int, pages: int, links: list[str]) -> None:
    posts = "".join(
        f'[[post]]\ntid = 7\npid = {pid}\nauthor = "饺子"\nat = 2018-06-03T10:00:00\ntext = "好"\n'
        for pid in range(1, 2 * pages + 1)
    )
    board = Board(read_script(f'[board]\nper_page = 2\n[[thread]]\ntid = 7\ntitle = "帖"\n{posts}'), NOON)
    shown = ask(board, f"/thread-7-{page}-1.html")
    pagers = re.findall(r'<div class="pg">(.*?)</div>', shown)
    assert len(pagers) == (2 if links else 0)
    for pager in pagers:
        found = re.findall(r'<strong>(\d+)</strong>|<a [^>]*class="(\w+)"|<a [^>]*>(\d+)</a>', pager)
        assert ["".join(groups) for groups in found] == links
        assert f"<strong>{page}</strong>" in pager
        assert f'<span title="共 {pages} 页">' in pager


def test_it_is_served_on_loopback_until_the_context_ends(script: Script) -> None:
    with serve(Board(script, NOON)) as served:
        answer = requests.get(f"{served.base}thread-7-1-1.html", headers={"User-Agent": "reader"}, timeout=5)
        assert (answer.status_code, answer.headers["Date"]) == (200, "Sun, 03 Jun 2018 03:00:00 GMT")
        assert f'<base href="{served.base}" />' in answer.text
        assert {cookie.name for cookie in answer.cookies} == {"site_2132_saltkey", "site_2132_sid"}
        assert [(asked.method, asked.address, asked.header("user-agent")) for asked in served.board.asked] == [
            ("GET", "/thread-7-1-1.html", "reader")
        ]
    with pytest.raises(requests.ConnectionError):
        requests.get(served.base, timeout=5)


def test_a_fault_changes_the_answer_cuts_it_or_gives_none(script: Script) -> None:
    def fault(asked: Asked, reply: Reply) -> Reply | None:
        match asked.nth:
            case 1:
                return replace(reply, status=429).with_header("Retry-After", "7")
            case 2:
                return replace(reply, sent=100)
            case _:
                return None

    with serve(Board(script, NOON, (fault,))) as served:
        answer = requests.get(served.base + PAGE[1:], timeout=5)
        assert (answer.status_code, answer.headers["Retry-After"]) == (429, "7")
        with pytest.raises(requests.exceptions.ChunkedEncodingError):
            requests.get(served.base + PAGE[1:], timeout=5)
        with pytest.raises(requests.ConnectionError):
            requests.get(served.base + PAGE[1:], timeout=5)


def test_an_error_inside_the_board_is_raised_when_the_context_ends(script: Script) -> None:
    def broken(asked: Asked, reply: Reply) -> Reply:
        raise ZeroDivisionError(asked.address + str(reply.status))

    def look() -> None:
        with serve(Board(script, NOON, (broken,))) as served, pytest.raises(requests.ConnectionError):
            requests.get(served.base, timeout=5)

    with pytest.raises(ZeroDivisionError):
        look()


def test_a_gbk_board_sends_gbk_and_says_so(script: Script) -> None:
    gbk = Board(read_script(SCRIPT.replace("per_page", 'charset = "gbk"\nper_page').replace("弃权", "弃权☃")), NOON)
    reply = gbk.answer(Asked("GET", "/thread-7-2-1.html"))
    assert reply is not None
    assert ("Content-Type", "text/html; charset=gbk") in reply.headers
    assert '<meta charset="gbk" />' in reply.body.decode("gbk")
    assert "弃权&amp;#9731;" in reply.body.decode("gbk")
