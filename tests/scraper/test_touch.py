"""The touch view: the recorded pages against the boards' rows and the table of the desktop pages, and hand-made oddities."""

from __future__ import annotations

import tomllib
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from scraper.page import gate_page, read_page
from scraper.post import Attachment, Page, Post, PostState, Smiley
from tests.board.recordings import FOLDER, needs_recordings, read_rows
from tests.board.script import read_script
from tests.board.server import Asked, Board
from tests.scraper.test_recordings import weigh

ZONE = ZoneInfo("Asia/Shanghai")
SEEN = datetime(2026, 11, 29, 20, 37, tzinfo=UTC)
TABLE: dict[str, dict[str, dict[str, Any]]] = tomllib.loads(
    (Path(__file__).parent / "recordings.toml").read_text(encoding="utf-8")
)
RECORDED = {
    # page: its posts' words are those of this desktop page; number of pages; whether it shows comments and ratings
    "x35/guest__mobile_touch_vote_p1": ("x35/guest__vote_p1.http", 4, True),
    "x34gbk/guest__mobile_touch_vote_p1": ("x35/guest__vote_p1.http", 7, False),
}
every_recording = pytest.mark.parametrize("name", RECORDED)


def read_recording(name: str) -> Page:
    body = (FOLDER / f"{name}.http").read_bytes().partition(b"\r\n\r\n")[2]
    return read_page(body, tid=2, seen_at=SEEN, zone=ZONE, content_type="text/html; charset=utf-8")


@needs_recordings
@every_recording
def test_posts_are_the_boards_own_rows_but_for_the_time_of_day(name: str) -> None:
    posts, rows = read_recording(name).posts, read_rows(name)
    assert [(post.pid, post.author, post.uid) for post in posts] == [(row.pid, row.author, row.uid) for row in rows]
    for post, row in zip(posts, rows, strict=True):
        (margin,) = [int(dict(flaw.parameters)["margin"]) for flaw in post.flaws]
        assert post.posted_at - timedelta(seconds=margin) <= datetime.fromtimestamp(row.dateline, UTC) <= post.posted_at
        assert not post.exact_seconds


@needs_recordings
@every_recording
def test_words_and_what_stands_among_them_are_those_of_the_desktop_page(name: str) -> None:
    desktop, pages, remarks = RECORDED[name]
    page = read_recording(name)
    assert (page.number, page.pages, page.zone, page.flaws) == (1, pages, None, ())
    assert page.title == "【M29】第一天 投票帖（投票截止 21:00）"
    for post in page.posts:
        wanted = TABLE[desktop][str(post.pid)]
        assert (post.floor, *weigh(post.message.text)) == (wanted["floor"], wanted["length"], wanted["sha256"]), post.pid
        assert (f"{post.edited.at:%Y-%m-%d %H:%M}" if post.edited else None) == wanted.get("edited")
        assert [weigh(quote.text) for quote in post.quotes] == [(q["length"], q["sha256"]) for q in wanted.get("quotes", [])]
        tokens = [token for line in post.message.lines for token in line]
        assert [token.name for token in tokens if isinstance(token, Smiley)] == wanted.get("smilies", [])
        said = (wanted.get("comments", 0), wanted.get("ratings", 0)) if remarks else (0, 0)
        assert (len(post.comments), len(post.ratings)) == said
        assert [flaw.code for flaw in post.flaws] == ["A112"]


SCRIPT = """
[board]
dialect = "{dialect}"
[[thread]]
tid = 7
title = "投票帖"
poll = ["豆沙", "包子"]
[[post]]
tid = 7
pid = 1
author = "导演"
at = 2018-06-03T09:00:00
text = "开始"
[[post]]
tid = 7
pid = 2
author = "饺子"
at = 2018-06-03T10:00:00
text = "{text}"
"""
AFTER = datetime(2018, 6, 20, 12, tzinfo=ZONE)
both = pytest.mark.parametrize("dialect", ["touch35", "touch34"])


def show(dialect: str, text: str = "投票对象：包子", more: str = "") -> str:
    board = Board(read_script(SCRIPT.format(dialect=dialect, text=text) + more), AFTER)
    reply = board.answer(Asked("GET", "/forum.php?mod=viewthread&tid=7&page=1&mobile=2"))
    assert reply is not None
    return reply.body.decode()


def read(html: str) -> tuple[Post, ...]:
    return read_page(html.encode(), tid=7, seen_at=AFTER, zone=ZONE).posts


@both
def test_a_poll_is_no_word_of_the_first_post(dialect: str) -> None:
    assert read(show(dialect))[0].message.text == "开始"


@both
@pytest.mark.parametrize(("box", "state"), [("blocked", PostState.BLOCKED), ("banned", PostState.BLOCKED)])
def test_a_box_in_place_of_the_words_is_no_quote(dialect: str, box: str, state: PostState) -> None:
    post = read(show(dialect, more=f"{box} = 2018-06-04T10:00:00\n"))[1]
    assert (post.state, post.message.text, post.quotes, post.flaws) == (state, "", (), ())
    assert (post.author, post.floor, post.html) == ("饺子", "沙发", "")


@both
def test_what_moderators_are_shown_of_a_blocked_post_is_read_and_it_is_blocked(dialect: str) -> None:
    html = show(dialect).replace(
        "投票对象：包子", '<div class="grey quote">提示: <em>该帖被管理员或版主屏蔽</em></div>投票对象：包子'
    )
    post = read(html)[1]
    assert (post.state, post.message.text) == (PostState.BLOCKED, "投票对象：包子")


@both
def test_a_quote_that_stands_first_is_a_quote(dialect: str) -> None:
    post = read(show(dialect, "[quote]抄来的[/quote]自己的"))[1]
    assert (post.state, post.message.text, [quote.text for quote in post.quotes]) == (PostState.NORMAL, "自己的", ["抄来的"])


@both
def test_a_warning_and_a_title_are_none_of_the_words(dialect: str) -> None:
    html = show(dialect).replace(
        "投票对象：包子", '<span class="grey quote">受到警告</span>\r\n<h2><strong>题</strong></h2>\r\n投票对象：包子'
    )
    post = read(html)[1]
    assert (post.message.text, post.title) == ("投票对象：包子", "题")


@both
def test_a_password_box_locks_the_post(dialect: str) -> None:
    html = show(dialect).replace(
        "投票对象：包子", '<div class="locked">本帖为密码帖 请输入密码<input /></div>\r\n<button>提交</button>'
    )
    post = read(html)[1]
    assert (post.state, post.message.text, [flaw.code for flaw in post.flaws]) == (PostState.LOCKED, "", ["A107"])


@both
def test_files_in_the_words_are_files_and_those_below_are_none_of_the_words(dialect: str) -> None:
    post = read(show(dialect, "看[attach]规则.zip[/attach]吧", 'files = ["投票对象.zip"]\n'))[1]
    tokens = [token for line in post.message.lines for token in line]
    assert [token.name for token in tokens if isinstance(token, Attachment)] == ["规则.zip"]
    assert post.message.text.replace("\n", "") == "看吧"


@both
def test_an_anonymous_author_has_words_and_no_uid(dialect: str) -> None:
    post = read(show(dialect, more="anonymous = true\n"))[1]
    assert (post.author, post.uid, post.floor, post.flaws) == ("匿名", None, "沙发", ())


@both
def test_a_forged_container_belongs_to_the_post_that_holds_it(dialect: str) -> None:
    html = show(dialect).replace(
        "投票对象：包子", '一<div class="plc cl" id="pid99"><div class="message">投票对象：豆沙</div></div>二'
    )
    page = read_page(html.encode(), tid=7, seen_at=AFTER, zone=ZONE)
    assert [post.pid for post in page.posts] == [1, 2]
    assert page.posts[1].message.text.split("\n") == ["一", "投票对象：豆沙", "二"]
    assert [flaw.code for flaw in page.posts[1].flaws] == ["A114"]


@both
def test_the_gate_holds_the_words_and_not_the_relative_time(dialect: str) -> None:
    plain = show(dialect)
    gates = [
        gate_page(plain.replace("2018-6-3 10:00:00", said).encode()).gates[2]
        for said in ("3&nbsp;天前", "昨天&nbsp;10:00", "刚刚")
    ]
    assert len(set(gates)) == 1
    assert gate_page(plain.replace("投票对象：包子", "投票对象：豆沙").encode()).gates[2] not in gates


def test_a_page_that_stops_before_its_end_says_so() -> None:
    whole = show("touch35").encode()
    assert [flaw.code for flaw in gate_page(whole[: whole.index(b"</body>")]).flaws] == ["A120"]
    assert gate_page(whole).flaws == ()
