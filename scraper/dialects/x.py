"""Discuz! X2–X3.5, desktop view (seen on X3.5 UTF-8, X3.4 GBK and X2).

`div#post_PID > table#pidPID`: left the author (`.pi .authi a[href*=uid=N]`, or words for guests, anonymous and deleted
members), right `a#postnumPID`, `em#authorpostonPID` and `td.t_f#postmessage_PID`, then `div#comment_PID` and the ratings. The
hidden user card repeats the author's name: it stands behind the first `.pi`, which is the one that is read.
"""

from __future__ import annotations

import re
from functools import partial

from scraper.beside import strip_tags
from scraper.dialects.surface import Dialect, Fact, Gap
from scraper.frame import find_inside
from scraper.markup import Markup
from scraper.slice import Layout, Remark, slice_page

_PLAIN = re.compile(rb'class="pi">\s*<div class="authi"><a href="[^">]*?\buid[=-](\d+)[^>]*>([^<]*[^<\s])</a>')
_MEMBER = re.compile(rb"<a\s[^>]*?\buid[=-](\d+)[^>]*>(.*?)</a>", re.DOTALL)
_PROFILE = re.compile(rb'<a\s[^>]*?\bspace(?!cp)[^">]*?\buid[=-](\d+)[^>]*>(.*?)</a>', re.DOTALL)
_MARK = re.compile(rb"<em\b[^>]*>.*?</em>", re.DOTALL)
_RATED = re.compile(rb'<tr id="rate_\d+_(\d+)">(.*?)</tr>', re.DOTALL)
_REASON = re.compile(rb'<td class="xg1">(.*?)</td>', re.DOTALL)
_NEW_RATED = re.compile(rb'<li>\s*<p id="rate_\d+_(\d+)"[^>]*?\btip="([^"]*)"[^>]*>.*?</p>\s*<p>(.*?)</p>', re.DOTALL)
_TIP = re.compile(rb"&lt;strong&gt;(.*?)&lt;/strong&gt;|<strong>(.*?)</strong>", re.DOTALL)


def find_author(body: bytes, start: int, stop: int) -> tuple[bytes, int | None]:
    """Name and uid from the first `.pi`, else from the first link to a member's space that has words (custom skins)."""
    at = body.find(b'class="pi"', start, stop)
    if at >= 0:
        if found := _PLAIN.match(body, at, stop):
            return found[2], int(found[1])
        window = find_inside(body, b"</div>", at, stop)
        for found in _MEMBER.finditer(window):
            if name := strip_tags(found[2]):
                return name, int(found[1])
        # The left cell's .pi holds nothing but the author; another skin's first .pi may be the one of floor and time.
        if b' id="' not in window and (words := strip_tags(_MARK.sub(b"", window))):
            return words, None
    for found in _PROFILE.finditer(body, start, stop):
        if name := strip_tags(found[2]):
            return name, int(found[1])
    return b"", None


def find_comments(body: bytes, start: int, stop: int) -> tuple[Remark, ...]:
    """点评: `.psta` holds who, `.psti` the words and then the time."""
    if body.find(b'class="pstl', start, stop) < 0:
        return ()
    remarks = []
    for part in body[start:stop].split(b'class="pstl')[1:]:
        who = _find_class(part, b"psta")
        member = [found for found in _MEMBER.finditer(who) if strip_tags(found[2])]
        said = _find_class(part, b"psti")
        words, _, time = said.partition(b'<span class="xg1">')
        name, uid = (strip_tags(member[0][2]), int(member[0][1])) if member else (strip_tags(who), None)
        remarks.append(Remark(name, uid, strip_tags(words), time))
    return tuple(remarks)


def _find_class(part: bytes, name: bytes) -> bytes:
    at = part.find(b'class="' + name)
    return find_inside(part, b"</div>", at, len(part)) if at >= 0 else b""


def find_ratings(body: bytes, start: int, stop: int) -> tuple[Remark, ...]:
    """评分: a row for each member (`tr#rate_PID_UID`), the reason last; or `dl.newrate`, where it is in a tip."""
    at = body.find(b'id="rate_', start, stop)
    if at < 0:
        return ()
    remarks = []
    for found in _RATED.finditer(body, start, stop):
        names = [name for member in _MEMBER.finditer(found[2]) if (name := strip_tags(member[2]))]
        reasons = _REASON.findall(found[2])
        remarks.append(Remark(names[0] if names else b"", int(found[1]), strip_tags(reasons[-1]) if reasons else b""))
    for found in _NEW_RATED.finditer(body, start, stop):
        reason = _TIP.search(found[2])
        remarks.append(Remark(strip_tags(found[3]), int(found[1]), (reason[1] or reason[2] or b"") if reason else b""))
    return tuple(remarks)


_CONTAINER = re.compile(rb'id="post_\d+"')
LAYOUT = Layout(
    container=b"post_",
    proof=b"authorposton",
    floor=b"postnum",
    message=b"postmessage_",
    ends=(b"comment_", b"post_rate_div_"),
    floor_close=b"</a>",
    floor_label=re.compile(rb"[^>]*>\s*(?:<em>)?([^<]*[^<\s])(?:</em><sup>([^<]*)</sup>)?\s*</a>"),
    time_line=re.compile(rb'[^>]*>([^<]*<span title="([^"]*\d[^"]*)">[^<]*</span>[^<]*)</em>'),
    time_close=b"</em>",
    foot=(b'id="postlistreply"', b'id="modactions"', b'id="f_pst"', b'id="ft"'),
    pager=b'class="pg"',
    subject=re.compile(rb'id="thread_subject"[^>]*>(.*?)</(?:span|a|h1)>', re.DOTALL),
    lock=b'class="locked"',
    chrome=re.compile(rb'</table>\s*<(?:form id="poll"|div class="(?:pattl|attach_nopermission|attach_tips))'),
    find_author=find_author,
    find_comments=find_comments,
    find_ratings=find_ratings,
)


def recognise(body: bytes) -> bool:
    """By the author line, which 7.x has too, but in a cell of its own, and before messages of another class."""
    at = find_author_line(body)
    if at < 0:
        return False
    before = body[max(0, at - 1000) : at]
    return b'class="posterlink"' not in before and b'class="authorinfo"' not in before and not has_old_message(body, at)


def find_author_line(body: bytes) -> int:
    """Where the first author line is, on a page whose posts begin as those of X and 7.x do; -1 for any other page.

    A message may hold anchors of another surface: whatever stands first on the page is the page's own.
    """
    at = body.find(b'id="authorposton')
    if at < 0 or body.find(b'<ul class="authi', 0, at) >= 0:
        return -1
    floor = body.find(b'id="postnum', 0, at)
    # On 6.x a floor stands in a table that is the container itself.
    if floor >= 0 and body.rfind(b'id="pid', 0, floor) < 0:
        floor = -1
    return at if _CONTAINER.search(body, 0, floor if floor >= 0 else at) else -1


def has_old_message(body: bytes, start: int) -> bool:
    """Whether the first message has the class of 7.x, which most of its skins keep."""
    at = body.find(b'id="postmessage_', start)
    return at >= 0 and b"t_msgfont" in body[body.rfind(b"<", start, at) : body.find(b">", at)]


X = Dialect(
    name="x",
    title="Discuz! X2–X3.5",
    example="https://bbs.example.net/forum.php?mod=viewthread&tid=2&page=1",
    recognise=recognise,
    cut=partial(slice_page, layout=LAYOUT),
    markup=Markup(),
    layout=LAYOUT,
    gaps={Fact.TIME: Gap("minutes only, where X3 prints no relative times", "B301")},
)
