"""The test board's API answers have the keys of the recorded boards', in their order and of their kinds, and their messages."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.board.api import API1, API4
from tests.board.recordings import needs_recordings, read_page
from tests.board.structure import Recorded, render

PAGES = (
    Recorded(
        "x35/guest__api_mobile_v4_viewthread_p1",
        API4,
        2,
        1,
        34,
        comments=((7, ("admin", "包子", "admin", "包子")),),
        ratings=((6, ("admin",)),),
        rows="x35/guest__vote_p1",
    ),
    Recorded("x34gbk/guest__api_mobile_v1_viewthread_p1", API1, 2, 1, 33, per_page=5, rows="x34gbk/guest__mobile_touch_vote_p1"),
)
every_page = pytest.mark.parametrize("recorded", PAGES, ids=lambda recorded: recorded.name)
# What the posts of the recordings say that a script does not: one that was written from a mobile telephone.
STATUSES = ("status",)


@needs_recordings
@every_page
def test_an_answer_has_the_keys_of_the_recorded_one(recorded: Recorded) -> None:
    theirs, ours = json.loads(read_page(recorded.name, "utf-8")), json.loads(render(recorded))
    assert _shape(ours) == _shape(theirs)
    assert ours["Charset"] == theirs["Charset"]
    assert ours["Version"] == theirs["Version"]


@needs_recordings
@every_page
def test_a_post_says_what_the_recorded_one_says(recorded: Recorded) -> None:
    theirs, ours = (json.loads(text)["Variables"]["postlist"] for text in (read_page(recorded.name, "utf-8"), render(recorded)))
    assert len(theirs) == recorded.per_page
    assert [_kept(post) for post in ours] == [_kept(post) for post in theirs]


@needs_recordings
@every_page
def test_an_answer_is_written_as_the_board_writes_json(recorded: Recorded) -> None:
    for text in (read_page(recorded.name, "utf-8"), render(recorded)):
        assert text.isascii()
        assert "\\/" in text
        assert '":"' in text
        assert '"page' not in text


def _kept(post: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in post.items() if key not in STATUSES}


def _shape(value: Any) -> Any:
    """The keys in their order, and the kind of what stands at each; of a list, the shapes of its entries."""
    if isinstance(value, dict):
        return [(key, _shape(inner)) for key, inner in value.items()]
    if isinstance(value, list):
        return [_shape(inner) for inner in value]
    return type(value).__name__
