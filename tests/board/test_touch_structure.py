"""The test board's touch pages have the structure of the recorded boards': tag by tag, id by id, class by class."""

from __future__ import annotations

import re

import pytest

from tests.board.recordings import needs_recordings, read_page, read_rows
from tests.board.skeleton import read_skeleton
from tests.board.structure import Recorded, render
from tests.board.touch import TOUCH34, TOUCH35

LEFT_OUT = frozenset({"script"})
"""Tags left out of the comparison: the recordings had their scripts removed."""
SHORT = 4
SHARED = frozenset({"只看楼主"})
"""The words longer than a few characters that the board shares with the recorded ones."""

PAGES = (
    Recorded(
        "x35/guest__mobile_touch_vote_p1",
        TOUCH35,
        2,
        1,
        38,
        comments=((7, ("admin", "包子", "admin", "包子")),),
        ratings=((6, ("admin",)),),
    ),
    Recorded("x34gbk/guest__mobile_touch_vote_p1", TOUCH34, 2, 1, 35, per_page=5),
)
every_page = pytest.mark.parametrize("recorded", PAGES, ids=lambda recorded: recorded.name)


@needs_recordings
@every_page
def test_a_page_has_the_skeleton_of_the_recorded_one(recorded: Recorded) -> None:
    theirs, ours = read_skeleton(_read(recorded), LEFT_OUT), read_skeleton(_mask(render(recorded)), LEFT_OUT)
    assert len(theirs) > 200
    assert ours == theirs


@needs_recordings
@every_page
def test_a_message_is_written_as_the_recorded_board_wrote_it(recorded: Recorded) -> None:
    theirs = _messages(_read(recorded))
    assert len(theirs) == recorded.per_page
    assert _messages(render(recorded)) == theirs


@needs_recordings
@every_page
def test_the_words_around_the_posts_are_the_boards_own(recorded: Recorded) -> None:
    ours, theirs = _sentences(render(recorded)), _sentences(_read(recorded))
    assert len(theirs) > len(SHARED)
    assert ours & theirs <= SHARED


def _read(recorded: Recorded) -> str:
    return _mask(read_page(recorded.name, "utf-8"))


def _mask(page: str) -> str:
    """The page with the letters of a captcha's id masked."""
    return re.sub(r"(?<=seccodeverify_)\w+", "0", page)


_CELL = re.compile(r'id="pid(\d+)">.*?<div class="message">\s*(.*?)\s*</div>\r\n(?:<div id="comment_| {7}</div>)', re.S)


def _messages(page: str) -> dict[str, str]:
    return dict(_CELL.findall(page))


def _sentences(page: str) -> set[str]:
    page = _CELL.sub("", page)
    for name in {row.author for each in PAGES for row in read_rows(each.name)}:
        page = page.replace(name, "")
    pieces = re.split(r"[<>\"\r\n]", page)
    return {piece.strip() for piece in pieces if len(re.findall(r"[\u4e00-\u9fff]", piece)) > SHORT}
