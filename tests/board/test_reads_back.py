"""What the board shows is read back to exactly what its script says, in every dialect and charset that it has."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

import pytest

from scraper.page import read_page
from scraper.post import Page, Post, PostState
from tests.board.dialects import DIALECTS
from tests.board.script import CHARSETS, read_script
from tests.board.server import Asked, Board
from tests.board.words import speak

ZONE = ZoneInfo("Asia/Shanghai")
SCRIPT = """
[board]
per_page = 20
[[account]]
name = "[M29]导演"
uid = 1000
[[account]]
name = "a&b<c>"
uid = 1011
signature = "投票对象：签名里的人"
[[thread]]
tid = 7
title = "[M29] 第二天 <投票帖>"
[[post]]
tid = 7
pid = 80
author = "[M29]导演"
at = 2018-06-03T09:30:00
text = "投票开始。\\n[list=1]\\n[*]每人一票\\n[/list]"
edits = [ { at = 2018-06-03T09:45:10, text = "投票开始，到九点。" } ]
[[post]]
tid = 7
pid = 81
author = "饺子"
at = 2018-06-03T10:00:01
text = "投票对象：包子\\n投票理由：好吃"
comments = [ { author = "包子", at = 2018-06-03T10:05:00, text = "投票对象：点评里的人" } ]
ratings = [ { author = "豆沙", at = 2018-06-03T10:06:00, reason = "投票对象：评分里的人" } ]
[[post]]
tid = 7
pid = 83
author = "a&b<c>"
at = 2018-06-03T10:00:02
text = "[b]投票对象：[/b][color=red]豆沙[/color]\\n[size=4]投票理由[/size]：a<b && c>d \\"引号\\" &amp;"
[[post]]
tid = 7
pid = 82
author = "豆沙"
at = 2018-06-03T10:00:02
text = "[quote]手写的引用\\n投票对象：老王[/quote]\\n我不投"
[[post]]
tid = 7
pid = 84
author = "饺子"
at = 2018-06-03T10:20:59
text = "改票对象：豆沙\\n改票理由：略 :smile:{:4_100:}"
quote = 81
edits = [ { at = 2018-06-03T10:30:00, text = "改票对象：a&b<c>\\n改票理由：略" } ]
[[post]]
tid = 7
pid = 85
author = "夜行猫"
at = 2018-06-03T10:40:00
text = "骂人"
blocked = 2018-06-03T10:41:00
[[post]]
tid = 7
pid = 86
author = "夜行者"
at = 2018-06-03T10:50:00
text = "骂人"
banned = 2018-06-03T10:51:00
[[post]]
tid = 7
pid = 87
author = "青岚"
at = 2018-06-03T11:00:00
text = "[code]投票对象：代码里的人[/code]外面\\n[attach]证据.png[/attach]☃🐱"
files = ["投票对象.zip"]
[[post]]
tid = 7
pid = 88
author = "老王"
at = 2018-06-03T11:10:00
text = "匿名说一句"
anonymous = true
[[post]]
tid = 7
pid = 89
author = "包子"
at = 2018-06-03T11:20:00
text = "怎么骂人了"
quote = 85
"""


class Told(NamedTuple):
    """A post as the script tells it."""

    pid: int
    floor: str
    author: str
    uid: int | None
    clock: str
    words: str
    quoted: tuple[int | None, ...] = ()
    edited: tuple[str, str] | None = None
    state: PostState = PostState.NORMAL


TOLD = (
    Told(80, "楼主", "[M29]导演", 1000, "09:30:00", "投票开始，到九点。", edited=("[M29]导演", "09:45")),
    Told(81, "沙发", "饺子", 101, "10:00:01", "投票对象：包子\n投票理由：好吃"),
    Told(82, "板凳", "豆沙", 103, "10:00:02", "我不投", quoted=(None,)),
    Told(83, "地板", "a&b<c>", 1011, "10:00:02", '投票对象：豆沙\n投票理由：a<b && c>d "引号" &amp;'),
    Told(84, "5#", "饺子", 101, "10:20:59", "改票对象：a&b<c>\n改票理由：略", quoted=(81,), edited=("饺子", "10:30")),
    Told(85, "6#", "夜行猫", 104, "10:40:00", "", state=PostState.BLOCKED),
    Told(86, "7#", "夜行者", 105, "10:50:00", "", state=PostState.BLOCKED),
    Told(87, "8#", "青岚", 106, "11:00:00", "外面\n☃🐱"),
    Told(88, "9#", "匿名", None, "11:10:00", "匿名说一句"),
    Told(89, "10#", "包子", 102, "11:20:00", "怎么骂人了", quoted=(85,)),
)
"""By hand from the script. The boards' own order of two posts of one second is that of their pids."""


class Lost(NamedTuple):
    """What a surface does not show: the names of the first floors, the seconds, the times of the last week, the board's zone, the
    edit marks."""

    floor_names: bool = False
    seconds: bool = False
    times: bool = False
    zone: bool = False
    edits: bool = False


LOST = {
    "x35": Lost(),
    "x34": Lost(),
    "x2": Lost(),
    "v72": Lost(floor_names=True, seconds=True),
    "v60": Lost(floor_names=True, seconds=True),
    "v61": Lost(floor_names=True, seconds=True),
    "touch35": Lost(times=True, zone=True),
    "touch34": Lost(times=True, zone=True),
    "api1": Lost(zone=True),
    "api4": Lost(zone=True, edits=True),
}
"""What each surface cannot show, of what the script tells."""


def expect(dialect: str, charset: str = "utf-8") -> tuple[Told, ...]:
    """What is told, as far as the surface shows it, in the characters that the charset has: a Big5 board's are traditional."""
    lost = LOST[dialect]
    return tuple(
        told._replace(
            floor=f"{number}#" if lost.floor_names else speak(told.floor, charset),
            author=speak(told.author, charset),
            clock=f"{told.clock[:5]}:00" if lost.seconds else told.clock,
            words=speak(told.words, charset),
            edited=None if lost.edits else told.edited and (speak(told.edited[0], charset), told.edited[1]),
        )
        for number, told in enumerate(TOLD, 1)
    )


def look(options: str, seen_at: datetime, page: int = 1) -> Page:
    script = speak(SCRIPT, "big5") if "big5" in options else SCRIPT
    board = Board(read_script(script.replace("per_page = 20", f"per_page = 20\n{options}")), seen_at)
    reply = board.answer(Asked("GET", f"/thread-7-{page}-1.html"))
    assert reply is not None
    content_type = dict(reply.headers)["Content-Type"]
    return read_page(reply.body, tid=7, seen_at=seen_at, zone=ZONE, content_type=content_type)


def look_through(options: str, seen_at: datetime) -> tuple[Page, ...]:
    """Every page: a surface may have its own number of posts a page."""
    first = look(options, seen_at)
    return first, *(look(options, seen_at, number) for number in range(2, first.pages + 1))


def tell(post: Post) -> Told:
    edited = (post.edited.editor, f"{post.edited.at:%H:%M}") if post.edited else None
    quoted = tuple(quote.pid for quote in post.quotes)
    clock = f"{post.posted_at:%H:%M:%S}"
    return Told(post.pid, post.floor, post.author, post.uid, clock, post.message.text.strip(), quoted, edited, post.state)


AFTER = (timedelta(minutes=1), timedelta(hours=13), timedelta(days=2), timedelta(days=30))
LAST = datetime(2018, 6, 3, 11, 20, tzinfo=ZONE)


def test_of_every_surface_it_is_said_what_it_cannot_show() -> None:
    assert set(LOST) == set(DIALECTS)


@pytest.mark.parametrize("charset", CHARSETS)
@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(
    "after", [AFTER[0], AFTER[2], *(pytest.param(after, marks=pytest.mark.slow) for after in (AFTER[1], AFTER[3]))], ids=str
)
def test_every_post_is_read_back_as_it_was_told(dialect: str, charset: str, after: timedelta) -> None:
    pages = look_through(f'dialect = "{dialect}"\ncharset = "{charset}"', LAST + after)
    posts = [post for page in pages for post in page.posts]
    zone = None if LOST[dialect].zone else 8.0
    assert [(page.number, page.pages, page.title, page.zone) for page in pages] == [
        (number, len(pages), "[M29] 第二天 <投票帖>", zone) for number in range(1, len(pages) + 1)
    ]
    wanted = expect(dialect, charset)
    assert all(post.posted_at.utcoffset() == timedelta(hours=8) for post in posts)
    if LOST[dialect].times and after < timedelta(days=7):
        assert [_untimed(tell(post)) for post in posts] == list(map(_untimed, wanted))
        for post, told in zip(posts, wanted, strict=True):
            (margin,) = [int(dict(flaw.parameters)["margin"]) for flaw in post.flaws if flaw.code == "A112"]
            latest, truth = post.posted_at, datetime.fromisoformat(f"2018-06-03T{told.clock}").replace(tzinfo=ZONE)
            assert latest - timedelta(seconds=margin) <= truth <= latest + timedelta(seconds=59)
    else:
        assert tuple(map(tell, posts)) == wanted
        assert {post.posted_at.date().isoformat() for post in posts} == {"2018-06-03"}
        assert not [flaw for post in posts for flaw in post.flaws if flaw.code in ("A105", "A112")]


def _untimed(told: Told) -> Told:
    return told._replace(clock="")


@pytest.mark.parametrize("dialect", DIALECTS)
def test_noise_at_the_line_ends_is_kept_apart_from_the_words(dialect: str) -> None:
    pages = look_through(f'dialect = "{dialect}"\nnoise = true', LAST + timedelta(days=30))
    posts = [post for page in pages for post in page.posts]
    assert tuple(map(tell, posts)) == expect(dialect)
    assert sum(len(post.noise) for post in posts) > 5


def test_quotes_comments_ratings_and_signatures_keep_their_words_to_themselves() -> None:
    posts = {post.pid: post for post in look("", LAST).posts}
    assert [(comment.author, comment.text) for comment in posts[81].comments] == [("包子", "投票对象：点评里的人")]
    assert [(rating.author, rating.reason) for rating in posts[81].ratings] == [("豆沙", "投票对象：评分里的人")]
    assert posts[83].signature == "投票对象：签名里的人"
    (quote,) = posts[84].quotes
    assert (quote.tid, quote.author, quote.posted, quote.text) == (7, "饺子", "2018-6-3 10:00", "投票对象：包子\n投票理由：好吃")
    (written,) = posts[82].quotes
    assert (written.author, written.text) == ("", "手写的引用\n投票对象：老王")


@pytest.mark.parametrize("options", ["", 'dialect = "x34"\ncharset = "gbk"', "noise = true"])
def test_a_second_look_says_the_same_though_the_bytes_differ(options: str) -> None:
    once, later = look(options, LAST), look(options, LAST + timedelta(hours=1))
    assert [post.digest for post in once.posts] == [post.digest for post in later.posts]
    assert all(post.digest for post in once.posts)


@pytest.mark.parametrize(
    ("options", "exact"), [('dates = "Y-m-d"', True), ("relative = false", False), ("relative = false\nhalf_days = true", False)]
)
def test_the_administrators_formats_are_read(options: str, exact: bool) -> None:
    seen = [(post.pid, f"{post.posted_at:%H:%M}", post.exact_seconds) for post in look(options, LAST).posts]
    assert seen == [(told.pid, told.clock[:5], exact) for told in TOLD]


def test_hidden_replies_and_hidden_parts_are_seen_by_those_who_may() -> None:
    board = Board(
        read_script(
            """
            [[thread]]
            tid = 7
            title = "行动"
            hidden_replies = true
            [[thread]]
            tid = 8
            title = "讨论"
            [[post]]
            tid = 7
            pid = 1
            author = "导演"
            at = 2018-06-03T10:00:00
            text = "请回复"
            [[post]]
            tid = 7
            pid = 2
            author = "饺子"
            at = 2018-06-03T10:01:00
            text = "刀包子"
            [[post]]
            tid = 8
            pid = 3
            author = "导演"
            at = 2018-06-03T10:00:00
            text = "[hide]藏[/hide]露"
            """
        ),
        LAST,
    )
    reply = board.answer(Asked("GET", "/thread-7-1-1.html"))
    assert reply is not None
    first, second = read_page(reply.body, tid=7, seen_at=LAST, zone=ZONE).posts
    assert (first.state, second.state) == (PostState.NORMAL, PostState.LOCKED)
    reply = board.answer(Asked("GET", "/thread-8-1-1.html"))
    assert reply is not None
    (post,) = read_page(reply.body, tid=8, seen_at=LAST, zone=ZONE).posts
    assert post.message.text.strip() == "露"
    assert [flaw.code for flaw in post.flaws] == ["A111"]
