"""Files that a board lists below a post, outside its words: their names are told, and one that is added is a new revision."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from scraper.beside import list_files
from scraper.page import gate_page, read_page
from scraper.post import Post
from scraper.response import Response
from tests.board.dialects import DIALECTS
from tests.board.script import Script, read_script
from tests.board.server import Asked, Board

ZONE = ZoneInfo("Asia/Shanghai")
SEEN = datetime(2018, 6, 3, 11, tzinfo=ZONE)
PAGES = tuple(DIALECTS)


def write(dialect: str, files: str = "", text: str = "哼哼") -> Script:
    return read_script(
        f"""[board]
dialect = "{dialect}"
[[thread]]
tid = 7
title = "讨论帖"
[[post]]
tid = 7
pid = 1
author = "导演"
at = 2018-06-03T10:00:00
text = "开门"
[[post]]
tid = 7
pid = 2
author = "包子"
at = 2018-06-03T10:05:00
text = "{text}"
files = [{files}]
[[post]]
tid = 7
pid = 3
author = "豆沙"
at = 2018-06-03T10:06:00
text = "喵"
"""
    )


def show(script: Script) -> Response:
    reply = Board(script, SEEN.replace(tzinfo=None)).answer(
        Asked("GET", "/forum.php?mod=viewthread&tid=7&page=1", (("Host", "bbs.example.net"),))
    )
    assert reply is not None
    return Response("https://bbs.example.net/", reply.status, reply.headers, reply.body, SEEN)


def read(script: Script) -> dict[int, Post]:
    page = show(script)
    kind = page.header("Content-Type")
    return {post.pid: post for post in read_page(page.body, tid=7, seen_at=page.seen_at, zone=ZONE, content_type=kind).posts}


def files(post: Post) -> list[str]:
    return [dict(flaw.parameters)["files"] for flaw in post.flaws if flaw.code == "A124"]


@pytest.mark.parametrize("dialect", PAGES)
def test_the_names_of_files_below_a_post_are_told_and_of_no_other(dialect: str) -> None:
    posts = read(write(dialect, '"豆沙&汤圆.txt", "狼.png"'))
    assert {pid: files(post) for pid, post in posts.items()} == {1: [], 2: ["豆沙&汤圆.txt、狼.png"], 3: []}
    assert posts[2].message.text.strip() == "哼哼"


@pytest.mark.parametrize("dialect", PAGES)
def test_a_file_that_is_added_opens_the_gate_and_is_another_revision(dialect: str) -> None:
    bare, filed = write(dialect), write(dialect, '"豆沙.txt"')
    gates = [gate_page(page.body, content_type=page.header("Content-Type")).gates for page in (show(bare), show(filed))]
    assert [pid for pid in gates[0] if gates[0][pid] != gates[1][pid]] == [2]
    assert read(bare)[2].digest != read(filed)[2].digest
    assert read(bare)[3].digest == read(filed)[3].digest


@pytest.mark.parametrize("dialect", PAGES)
def test_a_file_inside_the_words_is_no_file_below_them(dialect: str) -> None:
    assert files(read(write(dialect, text="哼[attach]证据.png[/attach]"))[2]) == []


LIST = """<div class="pattl"><ignore_js_op><dl class="tattl"><dd><p class="attnm">
<a href="forum.php?mod=attachment&amp;aid=MQ" id="aid1" target="_blank">b.zip</a></p>
<p>下载次数: 3</p></dd></dl></ignore_js_op></div>"""
PICTURE = """<div class="pattl"><ignore_js_op><dl class="tattl attm"><dd><p class="mbn">
<a href="forum.php?mod=attachment&amp;aid=MQ&amp;nothumb=yes" id="aid2" class="xw1">a.jpg</a> <em class="xg1">(1 KB)</em></p>
<img id="aimg_2" aid="2" src="none.gif" zoomfile="x.jpg" alt="a.jpg" title="a.jpg" /></dd></dl></ignore_js_op></div>"""
GUEST = '<div class="attach_nopermission attach_tips"><div><h3><strong>本帖子中包含更多资源</strong></h3></div></div>'


@pytest.mark.parametrize(
    ("below", "names"),
    [
        (LIST, "b.zip"),
        (PICTURE, "a.jpg"),
        # A guest is told that there are some, and not which.
        (GUEST, "?"),
        ('<div class="pattl"><p id="attach_12">无名</p></div>', "?"),
        ("<div>没有附件，只有 attach 这个词</div>", ""),
    ],
)
def test_what_boards_put_below_a_message(below: str, names: str) -> None:
    assert list_files(below.encode(), "utf-8") == names
