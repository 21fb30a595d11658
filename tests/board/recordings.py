"""The recordings of real boards, which lie beside the project and are no part of it: tests use them where they are."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

FOLDER = Path(__file__).parents[3] / "shared" / "recordings"

needs_recordings = pytest.mark.skipif(not FOLDER.is_dir(), reason=f"the recordings of real boards are not at {FOLDER}")
"""Skips a test, visibly, where the recordings are not."""

_POST = re.compile(r'(?=<div id="post_\d)|(?=<table id="pid\d+" summary="pid\d+" cellspacing="0" cellpadding="0">\n\t)')
_TAIL = re.compile(r'<div id="postlistreply"|</form>\s*<div class="pages_btns">')


class Row(NamedTuple):
    """One post as the recorded board's own database holds it."""

    pid: int
    author: str
    uid: int
    dateline: int
    message: str
    anonymous: bool
    blocked: bool


def read_page(name: str, charset: str = "") -> str:
    """The decoded body of a recording, named as `x35/guest__vote_p1`; in the board's charset where none is given."""
    data = (FOLDER / f"{name}.http").read_bytes().partition(b"\r\n\r\n")[2]
    return data.decode(charset or ("gb18030" if "gbk" in name else "utf-8"))


def read_rows(name: str) -> list[Row]:
    """The database's rows of the posts that a recording shows, in its order."""
    truth: Mapping[str, list[dict[str, object]]] = json.loads((FOLDER / "truth.json").read_text(encoding="utf-8"))
    return [
        Row(
            int(str(row["pid"])),
            str(row["author"]),
            int(str(row["uid"])),
            int(str(row["dateline"])),
            str(row["message"]),
            bool(row["anonymous"]),
            bool(row["blocked"]),
        )
        for row in truth[f"{name}.http"]
    ]


def cut_posts(page: str) -> list[str]:
    """The post containers of a desktop page, each from its own tag to the next container: a div, on 6.x a table."""
    return [_TAIL.split(piece)[0] for piece in _POST.split(page)[1:]]
