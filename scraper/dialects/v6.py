"""Discuz! 6.x (seen on 6.0 UTF-8; 6.1 from its differences: `strong#postnumPID`, and quotes that leak when nested).

One `div.mainbox` a post, and in it `table#pidPID`: left `cite a#userinfoPID` or words for the anonymous, right `.postinfo` with
the floor, which proves the post, and the time in minutes behind it, then `div.t_msgfont#postmessage_PID`. Nothing behind the
message carries the pid: it ends where the table's second row begins, but for files, ratings and the signature before that. The
edit mark is the last line, and can be typed by anybody. Poll and other special threads are no pages of posts here: they load
their replies by script, and are refused.
"""

from __future__ import annotations

import re
from dataclasses import replace

from scraper.beside import strip_tags
from scraper.dialects import x
from scraper.dialects.surface import Dialect, Fact, Gap
from scraper.frame import find_inside
from scraper.markup import Markup
from scraper.slice import Layout, Remark, Sheet, slice_page

_MEMBER = re.compile(rb"<a\s[^>]*?\buid[=-](\d+)[^>]*>(.*?)</a>", re.DOTALL)
_TOOLS = re.compile(rb"<label\b.*?</label>|<em\b[^>]*>.*?</em>", re.DOTALL)
_RATED = re.compile(rb"<cite><a[^>]*?\buid[=-](\d+)[^>]*>(.*?)</a></cite>(?:[^<]|<(?!/?li|em))*<em[^>]*>(.*?)</em>", re.DOTALL)
# What stands between a message and the second row, seen or in the order of the board's own templates.
_END = re.compile(
    rb"</div>\s*(?:<(?:div class=\"(?:box postattachlist|notice\"[^>]*>[^<]{1,40}: <em>)|p class=\"posttags|fieldset)"
    rb"(?:(?!<div class=\"signatures).)*?)?</div>\s*(?:<div class=\"signatures.*?)?</div>\s*</td>\s*</tr>\s*<tr>\s*\Z",
    re.DOTALL,
)
_SECOND_ROW = b'<td class="postauthor"'


def find_author(body: bytes, start: int, stop: int) -> tuple[bytes, int | None]:
    """Name and uid of the first `cite`, or its words (匿名, 游客, a deleted member); else the first link to a member."""
    window = find_inside(body, b"</cite>", body.find(b"<cite", start, stop), stop)
    for found in _MEMBER.finditer(window or body[start:stop]):
        if name := strip_tags(found[2]):
            return name, int(found[1])
    words = strip_tags(_TOOLS.sub(b"", window))
    return (words, None) if len(words) < 200 else (b"", None)


def find_comments(body: bytes, start: int, stop: int) -> tuple[Remark, ...]:
    """There are none on these boards."""
    return ()


def find_ratings(body: bytes, start: int, stop: int) -> tuple[Remark, ...]:
    """评分: a `fieldset` with a line for each member, his reason in `em`."""
    window = find_inside(body, b"</fieldset>", body.find(b"<fieldset", start, stop), stop)
    return tuple([Remark(strip_tags(found[2]), int(found[1]), strip_tags(found[3])) for found in _RATED.finditer(window)])


def find_end(body: bytes, begin: int, stop: int) -> int:
    """Where the message's `</div>` is: before the second row of its table, and what may stand between; -1 where that fails."""
    row = body.rfind(_SECOND_ROW, begin, stop)
    found = _END.search(body, begin, row) if row >= 0 else None
    return found.start() if found else -1


NEW = replace(
    x.LAYOUT,
    container=b"pid",
    proof=b"postnum",
    floor=b"postnum",
    ends=(),
    floor_close=b"</strong>",
    floor_label=re.compile(rb"[^>]*>\s*([^<]*[^<\s])(?:<sup>([^<]*)</sup>)?\s*</strong>"),
    time_line=re.compile(
        rb"[^>]*>(?:[^<>]*(?:<(?!/div)[^<>]*)*>)+?\s*([^<>]*?(\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}[^<&]*?))\s*(?:&nbsp;|<)", re.DOTALL
    ),
    time_close=b"</div>",
    foot=(b'<div class="pages_btns"', b'id="footer"'),
    pager=b'class="pages"',
    subject=re.compile(rb"<h1[^>]*>\s*(.*?)\s*</h1>", re.DOTALL),
    lock=b'class="notice"',
    chrome=re.compile(rb"\Z(?!\Z)"),
    find_author=find_author,
    find_comments=find_comments,
    find_ratings=find_ratings,
    find_end=find_end,
    sign=(b'class="signatures"', b"</div>"),
)
OLD = replace(NEW, proof=b"postnum_", floor=b"postnum_")


def choose_layout(body: bytes) -> Layout:
    """6.0 has `postnum_PID`, 6.1 `postnumPID`; the first one on the page is the board's own."""
    at = body.find(b'id="postnum')
    return OLD if body.startswith(b'id="postnum_', max(at, 0)) else NEW


def recognise(body: bytes) -> bool:
    """By a floor that no author line follows, in a table that is the post's container; no list of an author before it (touch)."""
    at = body.find(b'id="postnum')
    if at < 0 or body.rfind(b'id="pid', 0, at) < 0 or x.find_author_line(body) >= 0:
        return False
    return body.find(b'<ul class="authi', 0, at) < 0


def cut(body: bytes, codec: str) -> Sheet:
    """The sheet of a page of 6.0 or 6.1."""
    return slice_page(body, codec, choose_layout(body))


V6 = Dialect(
    name="v6",
    title="Discuz! 6.x",
    example="https://bbs.example.net/viewthread.php?tid=1&page=1",
    recognise=recognise,
    cut=cut,
    markup=Markup(locked="notice", edits_behind=True),
    gaps={
        Fact.TIME: Gap("minutes only", "B301"),
        Fact.EDITED: Gap("behind the words, as anybody can type it"),
        Fact.REMARKS: Gap("no comments"),
    },
)
