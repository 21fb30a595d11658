"""The test board's X3 pages have the structure of the recorded boards': tag by tag, id by id, class by class.

The board is given the posts of the recorded boards' own databases, and what it shows is held against what they showed.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from types import MappingProxyType
from typing import NamedTuple

import pytest

from tests.board.living import Drawn
from tests.board.recordings import Row, cut_posts, needs_recordings, read_page, read_rows
from tests.board.script import Account, Remark, Script, ScriptedPost, Settings, Thread
from tests.board.skeleton import read_skeleton
from tests.board.view import show_page
from tests.board.x3 import X3, X34, X35

ZONE = timedelta(hours=8)
SEEN = datetime(2026, 11, 30, 4, 37)  # noqa: DTZ001 - board-local, as every time of a script
BASE = "http://bbs.example.net/"

# What may differ, and why.
LEFT_OUT = frozenset({"script"})
"""Tags left out of the comparison: the recordings had their scripts removed, the test board has its own."""
ANCHORS = re.compile(r'<a name="(?:newpost|lastpost)"></a>')
"""Anchors without words: the board sets them by what the viewer saw before."""


class Recorded(NamedTuple):
    """A recording: what the board was told besides the rows of its database."""

    name: str
    edition: X3
    tid: int
    page: int
    total: int
    banned: tuple[int, ...] = ()
    hidden_replies: bool = False
    poll: tuple[str, ...] = ()


PAGES = (
    Recorded("x35/guest__vote_p1", X35, 2, 1, 38),
    Recorded("x35/guest__vote_p2", X35, 2, 2, 38, banned=(19,)),
    Recorded("x35/guest__discuss_p2", X35, 3, 2, 72),
    Recorded("x35/guest__thread_hiddenreplies", X35, 5, 1, 4, hidden_replies=True),
    Recorded("x35/guest__thread_poll", X35, 4, 1, 2, poll=("饺子", "包子", "弃权")),
    Recorded("x34gbk/guest__vote_p2", X34, 2, 2, 38, banned=(19,)),
    Recorded("x34gbk/guest__discuss_p1", X34, 3, 1, 72),
)
REMARKED = MappingProxyType(
    {
        "x35/guest__vote_p1": (
            {7: tuple(Remark(name, SEEN, "…") for name in ("admin", "包子", "admin", "包子"))},
            {6: (Remark("admin", SEEN, "…"),)},
        )
    }
)
"""The comments and ratings under a recording's posts, by pid: they are in no row."""


def render(recorded: Recorded) -> str:
    """The page as the test board shows it: the recorded posts at their places, others before and after them."""
    rows = read_rows(recorded.name)
    comments, ratings = REMARKED.get(recorded.name, ({}, {}))
    first = (recorded.page - 1) * 10
    posts = [_filler(recorded.tid, number) for number in range(1, first + 1)]
    posts += [_post(recorded, row, comments.get(row.pid, ()), ratings.get(row.pid, ())) for row in rows]
    posts += [_filler(recorded.tid, 1000 + number) for number in range(len(posts), recorded.total)]
    names = {row.author: row.uid for row in rows} | {"[M29]导演": 2, "包子": 4, "admin": 1}
    script = Script(
        Settings(dates="Y-m-d", charset="gbk" if "gbk" in recorded.name else "utf-8"),
        {name: Account(name, uid) for name, uid in names.items()},
        {recorded.tid: Thread(recorded.tid, "…", recorded.hidden_replies, recorded.poll)},
        {post.pid: post for post in posts},
        (),
    )
    view = show_page(script, recorded.tid, recorded.page, SEEN)
    assert view is not None
    return recorded.edition.render_thread(view, BASE, Drawn("seed", SEEN, script.settings))


def _post(recorded: Recorded, row: Row, comments: tuple[Remark, ...], ratings: tuple[Remark, ...]) -> ScriptedPost:
    return ScriptedPost(
        recorded.tid,
        row.pid,
        row.author,
        (datetime.fromtimestamp(row.dateline, UTC) + ZONE).replace(tzinfo=None),
        row.message.replace("127.0.0.1:8135", "bbs.example.net").replace("127.0.0.1:8134", "bbs.example.net"),
        blocked=SEEN if row.blocked else None,
        banned=SEEN if row.pid in recorded.banned else None,
        comments=comments,
        ratings=ratings,
    )


def _filler(tid: int, pid: int) -> ScriptedPost:
    early = datetime(2026, 11, 1, tzinfo=None) if pid < 1000 else SEEN - timedelta(minutes=1)  # noqa: DTZ001
    return ScriptedPost(tid, -pid if pid < 1000 else pid, "[M29]导演", early, "…")


@needs_recordings
@pytest.mark.parametrize("recorded", PAGES, ids=lambda recorded: recorded.name)
def test_a_post_has_the_skeleton_of_the_recorded_one(recorded: Recorded) -> None:
    theirs, ours = cut_posts(read_page(recorded.name)), cut_posts(render(recorded))
    assert len(ours) == len(theirs) > 0
    for here, there in zip(ours, theirs, strict=True):
        assert read_skeleton(ANCHORS.sub("", here), LEFT_OUT) == read_skeleton(ANCHORS.sub("", there), LEFT_OUT)


@needs_recordings
@pytest.mark.parametrize("recorded", PAGES, ids=lambda recorded: recorded.name)
def test_a_page_has_the_skeleton_of_the_recorded_one(recorded: Recorded) -> None:
    here, there = ANCHORS.sub("", render(recorded)), ANCHORS.sub("", read_page(recorded.name))
    assert read_skeleton(here, LEFT_OUT) == read_skeleton(there, LEFT_OUT)


HANDLER = re.compile(r' on[a-z]+="[^"]*"')
CELL = re.compile(r'<td class="t_f" id="postmessage_(\d+)">(.*?)</td></tr></table>\s', re.S)
HIDDEN = re.compile(r'<div class="locked">.*?</div>')
"""The sentence that stands for hidden words is the board's own."""


def read_messages(page: str) -> dict[str, str]:
    """The inside of each message cell by pid, without handlers, random ids and the board's sentences."""
    page = re.sub(r'(?<=id="aimg_)\w+', "N", HIDDEN.sub('<div class="locked"></div>', HANDLER.sub("", page)))
    return dict(CELL.findall(page))


@needs_recordings
@pytest.mark.parametrize("recorded", PAGES, ids=lambda recorded: recorded.name)
def test_a_message_is_written_as_the_recorded_board_wrote_it(recorded: Recorded) -> None:
    theirs = read_messages(read_page(recorded.name))
    assert theirs
    assert read_messages(render(recorded)) == theirs


SHORT = 4
SHARED = frozenset({"作者被禁止或删除 内容自动屏蔽", "该帖被管理员或版主屏蔽", "此帖仅作者可见", "只看该作者", "提示信息"})
"""The words longer than a few characters that the board shares with the recorded ones: what a reader must know them by."""


@needs_recordings
@pytest.mark.parametrize("recorded", PAGES, ids=lambda recorded: recorded.name)
def test_the_words_around_the_posts_are_the_boards_own(recorded: Recorded) -> None:
    ours, theirs = _sentences(render(recorded)), _sentences(read_page(recorded.name))
    assert len(theirs) > len(SHARED)
    assert ours & theirs <= SHARED


def _sentences(page: str) -> set[str]:
    """The Chinese wordings of a page outside its posts, in text and titles, longer than a few characters."""
    page = CELL.sub("", page)
    for name in {row.author for each in PAGES for row in read_rows(each.name)}:
        page = page.replace(name, "")
    pieces = re.split(r"[<>\"\r\n]", page)
    return {piece.strip() for piece in pieces if len(re.findall(r"[\u4e00-\u9fff]", piece)) > SHORT}
