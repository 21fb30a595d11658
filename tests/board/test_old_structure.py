"""The test board's 7.2 and 6.0 pages have the structure of the recorded boards': tag by tag, id by id, class by class.

No 6.1 board was recorded: what is known of it is in the notes on boards, and is tested as such.
"""

from __future__ import annotations

import re
from datetime import datetime

import pytest

from tests.board.old import V60, V61, V72
from tests.board.recordings import cut_posts, needs_recordings, read_page, read_rows
from tests.board.skeleton import read_skeleton
from tests.board.structure import Recorded, render

# What may differ, and why.
LEFT_OUT = frozenset({"script"})
"""Tags left out of the comparison: the recordings had their scripts removed, the test board has its own."""
ANCHORS = re.compile(r'<a name="(?:newpost|lastpost)"></a>')
"""Anchors without words: the board sets them by what the viewer saw before."""

SEEN6 = datetime(2026, 11, 30, 4, 29)  # noqa: DTZ001 - board-local, as every time of a script
PAGES = (
    Recorded("dz72/guest__vote_p1", V72, 2, 1, 34, ratings=((6, ("admin",)),)),
    Recorded("dz72/guest__vote_p2", V72, 2, 2, 34, banned=(19,)),
    Recorded("dz6/guest__vote_p1", V60, 1, 1, 34, ratings=((3, ("admin",)),), seen=SEEN6),
    Recorded("dz6/guest__vote_p2", V60, 1, 2, 34, banned=(16,), seen=SEEN6),
)
every_page = pytest.mark.parametrize("recorded", PAGES, ids=lambda recorded: recorded.name)


@needs_recordings
@every_page
def test_a_post_has_the_skeleton_of_the_recorded_one(recorded: Recorded) -> None:
    theirs, ours = cut_posts(read_page(recorded.name)), cut_posts(render(recorded))
    assert len(ours) == len(theirs) > 0
    for here, there in zip(ours, theirs, strict=True):
        assert read_skeleton(ANCHORS.sub("", here), LEFT_OUT) == read_skeleton(ANCHORS.sub("", there), LEFT_OUT)


@needs_recordings
@every_page
def test_a_page_has_the_skeleton_of_the_recorded_one(recorded: Recorded) -> None:
    here, there = ANCHORS.sub("", render(recorded)), ANCHORS.sub("", read_page(recorded.name))
    assert read_skeleton(here, LEFT_OUT) == read_skeleton(there, LEFT_OUT)


HANDLER = re.compile(r' on[a-z]+="[^"]*"')
HIDDEN = re.compile(r'<div class="(locked|notice)"[^>]*>.*?</div>')
"""The sentence that stands for hidden words is the board's own."""
CELLS = (
    re.compile(r'<td class="t_msgfont" id="postmessage_(\d+)">(.*?)</td></tr></table>\s', re.S),
    re.compile(r'<div id="postmessage_(\d+)" class="t_msgfont">(.*?)</div>\s*(?=</div>|<fieldset>)', re.S),
)


def read_messages(page: str) -> dict[str, str]:
    """The inside of each message cell by pid, without handlers and the board's sentences."""
    page = HIDDEN.sub(r'<div class="\1"></div>', HANDLER.sub("", page))
    return dict(found for cell in CELLS for found in cell.findall(page))


@needs_recordings
@every_page
def test_a_message_is_written_as_the_recorded_board_wrote_it(recorded: Recorded) -> None:
    theirs = read_messages(read_page(recorded.name))
    assert len(theirs) >= 8
    assert read_messages(render(recorded)) == theirs


SHORT = 4
SHARED = frozenset(
    {"作者被禁止或删除 内容自动屏蔽", "该帖被管理员或版主屏蔽", "只看该作者", "当前时区 GMT+8, 现在时间是 2026-11-30 04:29"}
)
"""The words longer than a few characters that the board shares with the recorded ones: what a reader must know them by."""


@needs_recordings
@every_page
def test_the_words_around_the_posts_are_the_boards_own(recorded: Recorded) -> None:
    ours, theirs = _sentences(render(recorded)), _sentences(read_page(recorded.name))
    assert len(theirs) > len(SHARED)
    assert ours & theirs <= SHARED


def _sentences(page: str) -> set[str]:
    """The Chinese wordings of a page outside its posts, in text and titles, longer than a few characters."""
    for cell in CELLS:
        page = cell.sub("", page)
    for name in {row.author for each in PAGES for row in read_rows(each.name)}:
        page = page.replace(name, "")
    pieces = re.split(r"[<>\"\r\n]", page)
    return {piece.strip() for piece in pieces if len(re.findall(r"[\u4e00-\u9fff]", piece)) > SHORT}


@needs_recordings
def test_6_1_is_6_0_but_for_the_id_of_its_floors_and_quotes_that_leak() -> None:
    recorded = Recorded("dz6/guest__vote_p2", V60, 1, 2, 34, banned=(16,), seen=SEEN6)
    old, new = render(recorded), render(Recorded("dz6/guest__vote_p2", V61, 1, 2, 34, banned=(16,), seen=SEEN6))
    assert 'id="postnum_11"' in old
    assert 'id="postnum11"' in new
    assert (old.count("[quote]"), new.count("[quote]")) == (0, 1)
    assert read_skeleton(old)[:200] == [line.replace("#postnumN", "#postnum_N") for line in read_skeleton(new)[:200]]
