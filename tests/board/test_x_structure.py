"""The test board's X pages have the structure of the recorded boards': tag by tag, id by id, class by class.

The board is given the posts of the recorded boards' own databases, and what it shows is held against what they showed.
"""

from __future__ import annotations

import re

import pytest

from tests.board.recordings import cut_posts, needs_recordings, read_page, read_rows
from tests.board.skeleton import read_skeleton
from tests.board.structure import Recorded, render
from tests.board.x2 import X2
from tests.board.x3 import X34, X35

# What may differ, and why.
LEFT_OUT = frozenset({"script"})
"""Tags left out of the comparison: the recordings had their scripts removed, the test board has its own."""
ANCHORS = re.compile(r'<a name="(?:newpost|lastpost)"></a>')
"""Anchors without words: the board sets them by what the viewer saw before."""


PAGES = (
    Recorded(
        "x35/guest__vote_p1",
        X35,
        2,
        1,
        38,
        comments=((7, ("admin", "包子", "admin", "包子")),),
        ratings=((6, ("admin",)),),
    ),
    Recorded("x35/guest__vote_p2", X35, 2, 2, 38, banned=(19,)),
    Recorded("x35/guest__discuss_p2", X35, 3, 2, 72),
    Recorded("x35/guest__thread_hiddenreplies", X35, 5, 1, 4, hidden_replies=True),
    Recorded("x35/guest__thread_poll", X35, 4, 1, 2, poll=("饺子", "包子", "弃权")),
    Recorded("x34gbk/guest__vote_p2", X34, 2, 2, 38, banned=(19,)),
    Recorded("x34gbk/guest__discuss_p1", X34, 3, 1, 72),
    Recorded("x2/guest__vote_p1", X2, 1, 1, 34, ratings=((3, ("admin",)),)),
    Recorded("x2/guest__vote_p2", X2, 1, 2, 34, banned=(16,)),
)


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
