"""Discuz! 7.x (seen on 7.2 UTF-8 in traditional Chinese; 7.0 and 7.1 from their kinship).

`div#post_PID > table#pidPID`: left a hidden user card and, for the anonymous, `div.avatar` with words; right `a#postnumPID`,
`.authorinfo a.posterlink` and `em#authorpostonPID` in minutes, then `td.t_msgfont#postmessage_PID`. The title stands in the
path above the posts, and once more in the first post. What a reply button leaves is a header in bold.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial

from scraper.beside import strip_tags
from scraper.dialects import x
from scraper.dialects.surface import Dialect, Fact, Gap
from scraper.markup import Markup
from scraper.slice import Remark, slice_page

_MEMBER = re.compile(rb'<a\s[^>]*?\bspace(?!cp)[^">]*?\buid[=-](\d+)[^>]*>(.*?)</a>', re.DOTALL)
_ADDRESS = re.compile(rb"<em\b[^>]*>.*?</em>|<img\b[^>]*>", re.DOTALL)
_RATED = re.compile(
    rb'<div id="rate_\d+_(\d+)_menu"[^>]*>\s*<p[^>]*>(.*?)(?:&nbsp;|<em|</p>).*?<p id="rate_.*?</p>\s*<p>(.*?)</p>', re.DOTALL
)
# What tells it from X, before the first author line.
_SIGNS = (b'class="postauthor"', b'class="posterlink"', b'class="authorinfo"')


def find_author(body: bytes, start: int, stop: int) -> tuple[bytes, int | None]:
    """Name and uid beside the time, or the words there (匿名, 游客); else on the left, where some boards have them."""
    at = body.rfind(b'class="authorinfo"', start, stop)
    if at >= 0:
        line = body[body.find(b">", at, stop) + 1 : body.rfind(b"<", at, stop)]
        for found in _MEMBER.finditer(line):
            if name := strip_tags(found[2]):
                return name, int(found[1])
        words = strip_tags(_ADDRESS.sub(b"", line))
        if words and len(words) < 200:
            return words, None
    at = body.find(b'class="postinfo"', start, at if at >= 0 else stop)
    for found in _MEMBER.finditer(body, max(at, start), stop):
        if name := strip_tags(found[2]):
            return name, int(found[1])
    return b"", None


def find_ratings(body: bytes, start: int, stop: int) -> tuple[Remark, ...]:
    """评分: for each member a hidden menu with the reason, then his picture and name; or rows, as on X."""
    if body.find(b'id="rate_', start, stop) < 0:
        return ()
    found = [Remark(strip_tags(rated[3]), int(rated[1]), strip_tags(rated[2])) for rated in _RATED.finditer(body, start, stop)]
    return tuple(found) or x.find_ratings(body, start, stop)


LAYOUT = replace(
    x.LAYOUT,
    ends=(b"post_rate_div_", b"post_rate_"),
    foot=(b'id="postlistreply"', b'id="modactions"', b'id="footer"'),
    pager=b'class="pages"',
    subject=re.compile(rb'<div id="nav">(?:[^<]|<(?!/div))*&raquo;\s*([^<]*?)\s*</div>'),
    chrome=re.compile(
        rb'</table>\s*<div class="(?:postattachlist|tagrelated|locked">[^<]{1,40}: <em>)|</table>\s*<div id="relatedtags"'
    ),
    find_author=find_author,
    find_ratings=find_ratings,
    sign=(b'class="signatures"', b"</td>"),
)


def recognise(body: bytes) -> bool:
    """By the author line, which X has too, and the cells before it, or the messages."""
    at = x.find_author_line(body)
    start = max(body.rfind(b'id="post_', 0, at), 0) if at >= 0 else 0
    return at >= 0 and (any(sign in body[start:at] for sign in _SIGNS) or x.has_old_message(body, at))


V7 = Dialect(
    name="v7",
    title="Discuz! 7.x",
    example="https://bbs.example.net/viewthread.php?tid=2&page=1",
    recognise=recognise,
    cut=partial(slice_page, layout=LAYOUT),
    markup=Markup(replies=True),
    gaps={Fact.TIME: Gap("minutes only", "B301"), Fact.REMARKS: Gap("no comments")},
)
