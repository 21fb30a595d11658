"""What the board shows at a moment: posts come, are edited, deleted, blocked; floors count what stands."""

from __future__ import annotations

from datetime import datetime

import pytest

from tests.board.script import Script, read_script
from tests.board.view import Body, Mark, PageView, Shown, count_pages, show_page

SCRIPT = """
[board]
per_page = 3
[[thread]]
tid = 7
title = "投票帖"
[[thread]]
tid = 9
title = "行动帖"
hidden_replies = true
[[post]]
tid = 7
pid = 1
author = "导演"
at = 2018-06-03T10:00:00
text = "开始投票"
[[post]]
tid = 7
pid = 2
author = "饺子"
at = 2018-06-03T10:10:00
text = "[b]投票对象[/b]：包子 :lol:\\n投票理由：略\\n[hide]狼[/hide]第三行\\n第四行"
edits = [
  { at = 2018-06-03T10:11:00, text = "投票对象：豆沙" },
  { at = 2018-06-03T10:11:01, text = "投票对象：青岚" },
  { at = 2018-06-03T10:30:00, text = "投票对象：老王", mark = false },
  { at = 2018-06-03T10:40:00, text = "（违规）", by = "版主" },
]
[[post]]
tid = 7
pid = 3
author = "包子"
at = 2018-06-03T10:10:30
text = "改票对象：豆沙"
quote = 2
deleted = 2018-06-03T10:20:00
restored = 2018-06-03T10:50:00
comments = [ { author = "青岚", at = 2018-06-03T10:15:00, text = "哦" } ]
[[post]]
tid = 7
pid = 4
author = "豆沙"
at = 2018-06-03T10:12:00
text = "骂人"
blocked = 2018-06-03T10:25:00
[[post]]
tid = 7
pid = 5
author = "青岚"
at = 2018-06-03T10:26:00
text = "什么？"
quote = 4
[[post]]
tid = 9
pid = 6
author = "导演"
at = 2018-06-03T10:00:00
text = "请回复"
[[post]]
tid = 9
pid = 7
author = "饺子"
at = 2018-06-03T10:01:00
text = "刀包子"
"""


@pytest.fixture(scope="module")
def script() -> Script:
    return read_script(SCRIPT)


def at(clock: str) -> datetime:
    return datetime.fromisoformat(f"2018-06-03T{clock}")


def look(script: Script, clock: str, tid: int = 7, page: int = 1) -> PageView:
    view = show_page(script, tid, page, at(clock))
    assert view is not None
    return view


def find(script: Script, clock: str, pid: int) -> Shown:
    return next(post for page in (1, 2) for post in look(script, clock, page=page).posts if post.post.pid == pid)


@pytest.mark.parametrize(
    ("clock", "pids"),
    [
        ("10:00:00", [1]),
        ("10:10:29", [1, 2]),
        ("10:19:59", [1, 2, 3, 4]),
        ("10:20:00", [1, 2, 4]),
        ("10:26:00", [1, 2, 4, 5]),
        ("10:50:00", [1, 2, 3, 4, 5]),
    ],
)
def test_posts_come_go_and_return_and_floors_count_what_stands(script: Script, clock: str, pids: list[int]) -> None:
    pages = [look(script, clock, page=page) for page in range(1, count_pages(script, 7, at(clock)) + 1)]
    shown = [(post.post.pid, post.floor) for view in pages for post in view.posts]
    assert shown == list(zip(pids, range(1, len(pids) + 1), strict=True))
    assert all(len(view.posts) <= 3 for view in pages)


def test_before_its_first_post_a_thread_does_not_exist(script: Script) -> None:
    assert show_page(script, 7, 1, at("09:59:59")) is None
    assert show_page(script, 8, 1, at("10:30:00")) is None


def test_a_page_past_the_end_is_the_last_page(script: Script) -> None:
    view = look(script, "10:19:59", page=9)
    assert (view.number, view.pages, [post.post.pid for post in view.posts]) == (2, 2, [4])


@pytest.mark.parametrize(
    ("clock", "text", "mark"),
    [
        ("10:10:59", "[b]投票对象[/b]：包子 :lol:\n投票理由：略\n[hide]狼[/hide]第三行\n第四行", None),
        ("10:11:00", "投票对象：豆沙", None),
        ("10:11:01", "投票对象：青岚", Mark("饺子", at("10:11:01"))),
        ("10:30:00", "投票对象：老王", Mark("饺子", at("10:11:01"))),
        ("10:40:00", "（违规）", Mark("版主", at("10:40:00"))),
    ],
)
def test_an_edit_leaves_its_mark_after_a_minute_unless_it_is_told_not_to(
    script: Script, clock: str, text: str, mark: Mark | None
) -> None:
    shown = find(script, clock, 2)
    assert (shown.text, shown.mark) == (text, mark)


def test_a_quote_keeps_the_words_of_its_moment_without_codes_and_hidden_parts(script: Script) -> None:
    for clock in ("10:10:30", "10:55:00"):
        quote = find(script, clock, 3).quote
        assert quote is not None
        assert (quote.tid, quote.pid, quote.author, quote.at) == (7, 2, "饺子", at("10:10:00"))
        assert quote.words == "投票对象：包子 :\n投票理由：略\n第三行"


def test_a_blocked_post_gives_a_quote_no_words(script: Script) -> None:
    quote = find(script, "10:26:00", 5).quote
    assert quote is not None
    assert quote.words == ""
    assert find(script, "10:24:59", 4).body is Body.OPEN
    assert find(script, "10:25:00", 4).body is Body.BLOCKED


def test_a_comment_comes_after_its_post(script: Script) -> None:
    assert find(script, "10:14:59", 3).comments == ()
    assert [comment.text for comment in find(script, "10:15:00", 3).comments] == ["哦"]


@pytest.mark.parametrize(("viewer", "body"), [("", Body.HIDDEN), ("包子", Body.HIDDEN), ("饺子", Body.OPEN), ("导演", Body.OPEN)])
def test_hidden_replies_are_shown_to_the_threads_author_and_to_their_own(viewer: str, body: Body) -> None:
    script = read_script(SCRIPT.replace("per_page = 3", f'per_page = 3\nviewer = "{viewer}"'))
    first, reply = look(script, "10:05:00", tid=9).posts
    assert (first.body, reply.body) == (Body.OPEN, body)
