"""A thread page as bytes → a slice for each post: its few facts found by pattern, its message region cut out, its gate.

No whole-page parse: the page is cut where a post container starts, so that a broken post hides none of those behind it. A
slice without an author line is no post, and belongs to the one before (a container forged inside a message). What differs
between boards is a `Layout`: anchors as bytes, and a few functions.

The gate of a post (16 bytes, BLAKE2b) covers, as bytes: pid, author and uid, floor label, the absolute time (a relative one
is left out), the text of the box in place of a locked post, its title, author and words of each comment and rating, and the
message region without what changes by itself: anti-copy noise, ids and handlers, scripts, session and download tokens,
download counts. It covers no card, signature, credit or online mark. The same gate means: nothing to do.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import blake2b

from scraper.post import Flaw


@dataclass(frozen=True, slots=True)
class Remark:
    """A comment or rating as bytes: who, his uid, his words, and the time as printed (empty for a rating)."""

    author: bytes
    uid: int | None
    words: bytes
    time: bytes = b""


@dataclass(frozen=True, slots=True)
class Slice:
    """One post as bytes: what its page says of it, ready to be decoded and read, and its `gate`.

    `time` is the inner HTML of the author line, `lock` the box in place of the message (or above it), `region` the message,
    None where the page shows none.
    """

    pid: int
    gate: bytes
    author: bytes
    uid: int | None
    floor: bytes
    time: bytes
    region: bytes | None
    lock: bytes = b""
    title: bytes = b""
    comments: tuple[Remark, ...] = ()
    ratings: tuple[Remark, ...] = ()
    signature: bytes = b""
    flaws: tuple[Flaw, ...] = ()


@dataclass(frozen=True, slots=True)
class Sheet:
    """A page cut up: its number and of how many, the thread's title, footer and a sample as bytes, the posts, flaws."""

    number: int
    pages: int
    title: bytes
    footer: bytes
    sample: bytes
    posts: tuple[Slice, ...]
    flaws: tuple[Flaw, ...] = ()


@dataclass(frozen=True, slots=True)
class Layout:
    """Where one kind of page has what; anchors are bytes that a number follows.

    `container` begins a post, `proof` is in every true one, `floor` and `message` are ids of elements, `ends` come after the
    message and carry the pid (the first that is found counts), `foot` follows the last post. `chrome` begins what stands
    between the message's cell and the end. The functions get the body, and from where to where they may look.
    """

    container: bytes
    proof: bytes
    floor: bytes
    message: bytes
    ends: tuple[bytes, ...]
    foot: tuple[bytes, ...]
    pager: bytes
    subject: re.Pattern[bytes]
    lock: bytes
    chrome: re.Pattern[bytes]
    find_author: Callable[[bytes, int, int], tuple[bytes, int | None]]
    find_comments: Callable[[bytes, int, int], tuple[Remark, ...]]
    find_ratings: Callable[[bytes, int, int], tuple[Remark, ...]]


TAGS = re.compile(rb"<[^>]*>")
_DIGITS = re.compile(rb"\d+")
_TITLE = re.compile(rb'\btitle="([^"]*)"')
_DATE = re.compile(rb"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}")
_CURRENT = re.compile(rb"<strong>\s*(\d+)\s*</strong>")
_TOTAL = re.compile(rb'<span title="[^"\d]*(\d+)[^"\d]*">\s*/')
_NUMBERS = re.compile(rb">(?:\.\.\.\s*)?(\d+)</a>")

# What changes by itself inside a message region, each with the bytes that must be there for it to be worth a look.
_OP = re.compile(rb"<ignore_js_op>(.*?)</ignore_js_op>", re.DOTALL)
_OP_NAMES = re.compile(rb'<strong>([^<]*)</strong>|>([^<]+)</a>|\bfile="([^"]*)"')
_VOLATILE: tuple[tuple[tuple[bytes, ...], re.Pattern[bytes], bytes], ...] = (
    ((b"display:none", b"display: none"), re.compile(rb'<span style="display: ?none">[^<]*</span>'), b""),
    ((b"jammer",), re.compile(rb'<font class="jammer">[^<]*</font>'), b""),
    ((b"font-size:0px",), re.compile(rb'<font style="font-size:0px;color:[^"]*">[^<]*</font>'), b""),
    ((b"<script",), re.compile(rb"<script\b.*?</script>", re.DOTALL), b""),
    ((b' id="', b" on"), re.compile(rb' (?:id|on[a-z]+)="[^"]*"'), b""),
    ((b"aid=", b"sid=", b"formhash=", b"key="), re.compile(rb"\b(aid|sid|formhash|key)=[\w%=|.-]+"), rb"\1="),
    ((b"<span title=",), re.compile(rb'(<span title="[^"]*">)[^<]*'), rb"\1"),
)


def slice_page(body: bytes, layout: Layout) -> Sheet:
    """Cut a page; a sheet without posts is no thread page, or one of another layout."""
    flaws: list[Flaw] = []
    cuts: list[tuple[int, int, int, int]] = []  # pid, start, proof, stop
    forged: dict[int, list[int]] = {}
    starts = _find_starts(body, layout.container)
    foot = _find_foot(body, layout.foot, starts[-1][1] if starts else 0)
    for (pid, start), (_, stop) in zip(starts, [*starts[1:], (0, foot)], strict=True):
        proof = _find_numbered(body, layout.proof, start, stop)
        if proof >= 0:
            cuts.append((pid, start, proof, stop))
        elif cuts:
            cuts[-1] = (*cuts[-1][:3], stop)
            forged.setdefault(cuts[-1][0], []).append(pid)
        else:
            flaws.append(Flaw("A119", (("pid", str(pid)),)))
    head = cuts[0][1] if cuts else 0
    posts = tuple(
        _slice_post(body, layout, pid, start, proof, stop, tuple(forged.get(pid, ()))) for pid, start, proof, stop in cuts
    )
    if body.find(b"</html", foot) < 0 and body.find(b"</HTML", foot) < 0:
        flaws.append(Flaw("A120", (("bytes", str(len(body))),)))
    number, pages = _read_pager(body, layout.pager, head, foot)
    subject = layout.subject.search(body, 0, head)
    zone = body.rfind(b"GMT", foot)
    return Sheet(
        number,
        pages,
        subject[1] if subject else b"",
        body[zone : zone + 160] if zone >= 0 else b"",
        body[: min(head, 65_536)] + body[foot : foot + 16_384],
        posts,
        tuple(flaws),
    )


def strip_tags(fragment: bytes) -> bytes:
    """A fragment without its tags and outer white space."""
    return (TAGS.sub(b"", fragment) if b"<" in fragment else fragment).strip()


def find_inside(body: bytes, anchor: bytes, closing: bytes, start: int, stop: int) -> bytes:
    """What stands between the end of the tag that holds `anchor` and `closing`; empty where either is missing."""
    at = body.find(anchor, start, stop)
    begin = body.find(b">", at + len(anchor), stop) + 1 if at >= 0 else 0
    end = body.find(closing, begin, stop) if begin else -1
    return body[begin:end] if end >= 0 else b""


def seal(*facts: bytes) -> bytes:
    """One digest of 16 bytes over facts in their order; where one ends and the next begins counts too."""
    lengths = ",".join([str(len(fact)) for fact in facts])
    return blake2b(lengths.encode() + b"".join(facts), digest_size=16).digest()


def steady(region: bytes) -> bytes:
    """A message region without what changes by itself from one look to the next."""
    if b"<ignore_js_op" in region:
        region = _OP.sub(_keep_names, region)
    for marks, pattern, instead in _VOLATILE:
        for mark in marks:
            if mark in region:
                region = pattern.sub(instead, region)
                break
    return region


def _keep_names(found: re.Match[bytes]) -> bytes:
    return b"<file>" + b"|".join(b"".join(name) for name in _OP_NAMES.findall(found[1])) + b"</file>"


def _slice_post(body: bytes, layout: Layout, pid: int, start: int, proof: int, stop: int, forged: tuple[int, ...]) -> Slice:
    author, uid = layout.find_author(body, start, proof)
    time = find_inside(body, layout.proof, b"</em>", proof, min(stop, proof + 600))
    at = body.rfind(layout.floor, start, proof)
    floor = strip_tags(find_inside(body, layout.floor, b"</a>", at, proof)) if at >= 0 else b""
    message = _find_numbered(body, layout.message, proof, stop)
    end = stop
    region: bytes | None = None
    flaws = tuple(Flaw("A114", (("pid", str(other)),)) for other in forged)
    if message >= 0:
        mark = b"%d" % pid
        found = next((place for anchor in layout.ends if (place := body.rfind(anchor + mark, message, stop)) >= 0), -1)
        begin = body.find(b">", message, stop) + 1 or stop
        end = body.rfind(b"<", begin, found) if found >= 0 else stop
        region, whole = _cut_region(body, layout, message, begin, max(end, begin), known=found >= 0)
        if not whole:
            flaws = (*flaws, Flaw("A121", ()))
    above = message if message >= 0 else stop
    lock = strip_tags(find_inside(body, layout.lock, b"</div>", proof, above))
    title = strip_tags(find_inside(body, b"<h2", b"</h2>", proof, above)) if message >= 0 else b""
    tail = end if message >= 0 else proof
    comments = layout.find_comments(body, tail, stop)
    ratings = layout.find_ratings(body, tail, stop)
    printed = found_title[1] if (found_title := _TITLE.search(time)) else time if _DATE.search(time) else b""
    facts = [b"%d" % pid, author, b"%d" % (uid or 0), floor, printed, lock, title]
    facts.append(b"" if region is None else b"+" + steady(region))
    for kind, remarks in ((b"c", comments), (b"r", ratings)):
        for remark in remarks:
            facts += (kind, remark.author, remark.words)
    signature = find_inside(body, b'class="sign"', b"</td>", tail, stop)
    return Slice(
        pid, seal(*facts), author, uid, floor, time, region, lock, title, comments, ratings, strip_tags(signature), flaws
    )


def _cut_region(body: bytes, layout: Layout, message: int, begin: int, end: int, *, known: bool) -> tuple[bytes, bool]:
    """The region from `begin` to where the board closes the cell, and whether that place is sure.

    The cell's own close is the last `</table>` before what follows the message; an early one inside the message is not it.
    """
    if chrome := layout.chrome.search(body, begin, end):
        end = chrome.start() + len(b"</table>")
    in_cell = body.startswith(b"<td", body.rfind(b"<", 0, message))
    if in_cell and not known:
        end = _close_of(body, b"table", begin, end)
        if end < 0:
            return body[begin:].rstrip(), False
    close = body.rfind(b"</table", begin, end) if in_cell else -1
    region = body[begin : close if close >= 0 else end].rstrip()
    closers = (b"</tr>", b"</tbody>", b"</td>") if in_cell else (b"</div>",)
    while region.endswith(closers):
        closer = next(closer for closer in closers if region.endswith(closer))
        region = region[: -len(closer)].rstrip()
        if closer == b"</td>":
            break
    return region, known or in_cell


def _close_of(body: bytes, tag: bytes, begin: int, end: int) -> int:
    """Behind the close tag of the element that is open at `begin`; -1 where it never closes."""
    depth = 1
    for found in re.compile(rb"<(/?)" + tag + rb"\b[^>]*>").finditer(body, begin, end):
        depth += -1 if found[1] else 1
        if depth == 0:
            return found.end()
    return -1


def _find_starts(body: bytes, container: bytes) -> list[tuple[int, int]]:
    starts = []
    at = body.find(container)
    while at >= 0:
        number = _DIGITS.match(body, at + len(container))
        if number and body.startswith(b'"', number.end()):
            starts.append((int(number[0]), body.rfind(b"<", 0, at)))
        at = body.find(container, at + len(container))
    return starts


def _find_foot(body: bytes, anchors: tuple[bytes, ...], start: int) -> int:
    places = [place for anchor in anchors if (place := body.rfind(anchor, start)) >= 0]
    return min(places, default=len(body))


def _find_numbered(body: bytes, anchor: bytes, start: int, stop: int) -> int:
    at = body.find(anchor, start, stop)
    while at >= 0 and not body[at + len(anchor) : at + len(anchor) + 1].isdigit():
        at = body.find(anchor, at + len(anchor), stop)
    return at


def _read_pager(body: bytes, pager: bytes, head: int, foot: int) -> tuple[int, int]:
    for start, stop in ((0, head), (foot, len(body))):
        links = find_inside(body, pager, b"</div>", start, stop)
        current = _CURRENT.search(links)
        if current:
            numbers = [int(current[1]), *(int(number) for number in _NUMBERS.findall(links))]
            total = _TOTAL.search(links)
            return int(current[1]), max([*numbers, int(total[1])] if total else numbers)
    return 1, 1
