"""Broken messages on every surface: the post that has one is told of, and its neighbours are whole."""

from __future__ import annotations

import json
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from scraper.page import read_page
from tests.board.dialects import DIALECTS
from tests.board.script import read_script
from tests.board.server import Asked, Board
from tests.scraper.test_page_faults import BROKEN

ZONE = ZoneInfo("Asia/Shanghai")
AFTER = datetime(2018, 7, 3, tzinfo=ZONE)
VOTE = "投票对象：包子\n投票理由：好吃"
POST = '[[post]]\ntid = 7\npid = {pid}\nauthor = "{author}"\nat = 2018-06-03T10:0{pid}:00\n{words}\n'


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_message_hides_none_behind_it(name: str, dialect: str) -> None:
    html, text, found = BROKEN[name]
    whole, broken = f"text = {json.dumps(VOTE)}", f'text = ""\nhtml = {json.dumps(html, ensure_ascii=True)}'
    script = f'[board]\ndialect = "{dialect}"\n[[thread]]\ntid = 7\ntitle = "投票帖"\n' + "".join(
        POST.format(pid=pid, author=author, words=words)
        for pid, author, words in ((1, "导演", whole), (2, "饺子", broken), (3, "豆沙", whole))
    )
    reply = Board(read_script(script), AFTER).answer(Asked("GET", "/thread-7-1-1.html"))
    assert reply is not None
    content_type = dict(reply.headers)["Content-Type"]
    first, middle, last = read_page(reply.body, tid=7, seen_at=AFTER, zone=ZONE, content_type=content_type).posts
    assert [(post.message.text, post.flaws) for post in (first, last)] == [(VOTE, ()), (VOTE, ())]
    assert middle.message.text.replace("\x01", "\ufffd") == text
    assert [flaw.code for flaw in middle.flaws] == found
