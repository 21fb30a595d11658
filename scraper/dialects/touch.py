"""The touch view of X3 (seen on X3.5 and X3.4): what a board sends to phones, or for `mobile=2`.

`div.plc#pidPID`: `ul.authi` with floor, author and time, then `div.message`. There is no author line with an id: `ul.authi`
proves the post. Times are relative ones for a week, without the absolute one in a title, so that each is a finding. What stands
in place of a blocked post is a `div.quote` like that of a quote, but without `blockquote` (from the facts: none was recorded).
X3.4 shows neither comments nor ratings, is always in UTF-8, and writes 引用: into each quote.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from scraper.beside import FILES, list_files, strip_tags
from scraper.decode import decode_fragment
from scraper.dialects.surface import Dialect, Fact, Gap
from scraper.frame import find_inside, find_tids, read_pager
from scraper.markup import Markup
from scraper.post import Flaw
from scraper.slice import (
    DATE,
    Remark,
    Sheet,
    Slice,
    close_of,
    seal,
)
from scraper.steady import steady

_CONTAINER = re.compile(rb'<div (?:class="plc\b[^"]*" id="pid(\d+)"|id="pid(\d+)" class="plc\b[^"]*")')
_PROOF = re.compile(rb'<ul class="authi\b')
_MESSAGE = re.compile(rb'<div class="message\b[^"]*">')
_FOOT = (
    *(b'<div id="post_new"', b"<!-- main postlist end", b'<div class="pg"'),
    *(b'<div class="foot foot_reply', b'<div class="foot', b'<div class="footer"'),
)
_TITLE = re.compile(rb'<div class="view_tit">\s*(.*?)\s*</div>|<div class="postlist">\s*<h2>\s*(.*?)\s*(?:<a\b|</h2>)', re.DOTALL)
_KIND = re.compile(rb"<em>.*?</em>\s*", re.DOTALL)

_ITEM = re.compile(rb"<li\b[^>]*>(.*?)</li>", re.DOTALL)
_FLOOR = re.compile(rb'<span class="y">\s*(.*?)\s*</span>|<em\b[^>]*>\s*(.*?)\s*</em>', re.DOTALL)
_MEMBER = re.compile(rb"<a\s[^>]*?\buid[=-](\d+)[^>]*>(.*?)</a>", re.DOTALL)
_TOOLS = re.compile(rb'<span class="y">.*?</span>|<em\b.*?</em>|<div\b.*?</div>|<input\b[^>]*>', re.DOTALL)

# What the board itself writes into the message's element before the words: a warning, the post's title, a box.
_LEAD = re.compile(
    rb'\s*(?:<span class="(?:grey )?quote">.*?</span>\s*)?(?:<h2>(?P<title>.*?)</h2>\s*)?'
    rb'(?:<div class="(?:grey )?quote">(?!\s*<blockquote)(?P<box>.*?)</div>|(?:<script\b.*?</script>\s*)?'
    rb'<div class="locked">(?P<locked>(?:[^<]|<(?!/div))*)</div>\s*<button\b.*?</button>)?',
    re.DOTALL,
)
# How the element ends: before the comments, or at the end of the post, but for files and buttons.
_BEFORE_COMMENTS = re.compile(
    rb'</div>\s*(?:<(?:div class="quote">[^<]{1,40}: <em>|ul class="(?:img_one|img_list|post_attlist)|div class="mt10).*?)?\Z',
    re.DOTALL,
)
_BEFORE_NEXT = re.compile(
    rb'</div>\s*(?:<(?:div class="grey quote">[^<]{1,40}: <em>|ul(?: class="img_[^>]*)?>|div id="replybtn_).*?)?'
    rb"</div>\s*</div>\s*\Z",
    re.DOTALL,
)

_COMMENT = re.compile(rb'<div class="plc[^"]*" id="commentdetail_\d+">(.*?)<li class="mtxt[^"]*">(.*?)</li>', re.DOTALL)
_COMMENT_TIME = re.compile(rb'<li class="mtime">(.*?)</li>', re.DOTALL)
_RATED = re.compile(
    rb'<li class="flex-box[^"]*">\s*<div[^>]*><span class="z"><a [^>]*?\buid[=-](\d+)[^>]*>(.*?)</a>(.*?)</li>', re.DOTALL
)
_REASON = re.compile(rb'<div class="flex-3[^"]*">(.*?)</div>', re.DOTALL)


@dataclass(slots=True)
class _Cut:
    """A post being cut out: its container, where its proof is, and containers inside it that are none."""

    pid: int
    start: int
    forged: list[int]


def recognise(body: bytes) -> bool:
    """By a container with an author list, before any anchors of the desktop: a message may hold those."""
    found = _CONTAINER.search(body)
    if found is None or _PROOF.search(body, found.end()) is None:
        return False
    return all(body.find(anchor, 0, found.start()) < 0 for anchor in (b'id="authorposton', b'id="postmessage_'))


def cut(body: bytes, codec: str) -> Sheet:
    """The sheet of a touch page."""
    cuts: list[_Cut] = []
    flaws: list[Flaw] = []
    containers = list(_CONTAINER.finditer(body))
    for found, following in zip(containers, [*containers[1:], None], strict=True):
        pid = int(found[1] or found[2])
        if _PROOF.search(body, found.end(), following.start() if following else len(body)):
            cuts.append(_Cut(pid, found.start(), []))
        elif cuts:
            cuts[-1].forged.append(pid)
        else:
            flaws.append(Flaw("A119", (("pid", str(pid)),)))
    if not cuts:
        return Sheet(1, 1, b"", b"", (), tuple(flaws))
    last = cuts[-1].start
    foot = min([place for anchor in _FOOT if (place := body.rfind(anchor, last)) >= 0], default=len(body))
    stops = [cut.start for cut in cuts[1:]] + [foot]
    posts = tuple([_slice(body, codec, cut, stop) for cut, stop in zip(cuts, stops, strict=True)])
    cut_short = b"</html" not in body[foot:]
    if cut_short:
        flaws.append(Flaw("A120", (("bytes", str(len(body))),)))
    number, pages = read_pager(body, b'class="pg"', cuts[0].start, foot)
    tids = find_tids(body, cuts[0].start, foot)
    title = _TITLE.search(body, 0, cuts[0].start)
    subject = _KIND.sub(b"", title[1] or title[2] or b"") if title else b""
    return Sheet(number, pages, subject, b"", posts, tuple(flaws), cut_short and foot == len(body), tids)


def _slice(body: bytes, codec: str, cut: _Cut, stop: int) -> Slice:
    message = _MESSAGE.search(body, cut.start, stop)
    shown = message.start() if message else stop
    items = [item[1] for item in _ITEM.finditer(body, cut.start, shown)]
    head, line = [*items, b"", b""][:2]
    floor, author, uid = _read_head(head)
    time = _TOOLS.sub(b"", line).strip()
    flaws = tuple([Flaw("A114", (("pid", str(other)),)) for other in cut.forged])
    region: bytes | None = None
    lock = title = b""
    tail = shown
    if message:
        region, tail, whole = _cut_region(body, cut.pid, message.end(), stop)
        region, lock, title = _read_lead(region)
        if not whole:
            flaws = (*flaws, Flaw("A121"))
        behind = body.find(b'<div id="comment_', tail, stop)
        if files := list_files(body[tail : behind if behind >= 0 else stop], codec):
            flaws = (*flaws, Flaw(FILES, (("files", files),)))
    comments = tuple([_read_comment(found) for found in _COMMENT.finditer(body, tail, stop)])
    ratings = tuple([_read_rating(found) for found in _RATED.finditer(body, tail, stop)])
    printed = strip_tags(time) if DATE.search(time) else b""
    facts = [b"%d" % cut.pid, author, b"%d" % uid if uid else b"", floor, printed, lock, title]
    if region is not None:
        facts.append(steady(region))
    facts += [repr(flaw.parameters).encode() for flaw in flaws if flaw.code == FILES]
    for kind, remarks in ((b"c", comments), (b"r", ratings)):
        for remark in remarks:
            facts += (kind, remark.author, remark.words)
    label = decode_fragment(floor, codec).text
    return Slice(cut.pid, seal(*facts), author, uid, label, time, region, lock, title, comments, ratings, b"", flaws)


def _read_head(head: bytes) -> tuple[bytes, bytes, int | None]:
    """Floor, name and uid from the first item of the author list."""
    found = _FLOOR.search(head)
    floor = strip_tags(found[1] or found[2] or b"") if found else b""
    rest = head[found.end() :] if found else head
    for member in _MEMBER.finditer(rest):
        if name := strip_tags(member[2]):
            return floor, name, int(member[1])
    return floor, strip_tags(_TOOLS.sub(b"", rest)), None


def _read_lead(region: bytes) -> tuple[bytes | None, bytes, bytes]:
    """The words of a message's element, the box in place of them or above them, and the post's title."""
    found = _LEAD.match(region)
    if not found:
        return region.strip(), b"", b""
    words = region[found.end() :].strip()
    box = found["box"] if found["box"] is not None else found["locked"]
    lock = strip_tags(box or b"")
    return words if words or not lock else None, lock, strip_tags(found["title"] or b"")


def _cut_region(body: bytes, pid: int, begin: int, stop: int) -> tuple[bytes, int, bool]:
    """The inside of the message's element, where it ends, and whether that place is sure."""
    comments = body.rfind(b'<div id="comment_%d"' % pid, begin, stop)
    found = _BEFORE_COMMENTS.search(body, begin, comments) if comments >= 0 else _BEFORE_NEXT.search(body, begin, stop)
    if found:
        return body[begin : found.start()], found.start(), True
    end = close_of(body, b"div", begin, stop)
    return (body[begin : body.rfind(b"<", begin, end)], end, True) if end >= 0 else (body[begin:stop], stop, False)


def _read_comment(found: re.Match[bytes]) -> Remark:
    member = next((each for each in _MEMBER.finditer(found[1]) if strip_tags(each[2])), None)
    time = _COMMENT_TIME.search(found[1])
    name = (
        strip_tags(member[2])
        if member
        else strip_tags(find_inside(found[1], b"</span>", found[1].find(b'class="z"'), len(found[1])))
    )
    return Remark(name, int(member[1]) if member else None, strip_tags(found[2]), _TOOLS.sub(b"", time[1]) if time else b"")


def _read_rating(found: re.Match[bytes]) -> Remark:
    reasons = _REASON.findall(found[3])
    return Remark(strip_tags(found[2]), int(found[1]), strip_tags(reasons[-1]) if reasons else b"")


TOUCH = Dialect(
    name="touch",
    title="Discuz! X3, touch view",
    example="https://bbs.example.net/forum.php?mod=viewthread&tid=2&page=1&mobile=2",
    recognise=recognise,
    cut=cut,
    markup=Markup(labelled=True),
    gaps={
        Fact.TIME: Gap("of the last week only 「3 天前」 and the like", "A112"),
        Fact.REMARKS: Gap("none on X3.4"),
        Fact.SIGNATURE: Gap("none"),
        Fact.ZONE: Gap("not told"),
    },
)
