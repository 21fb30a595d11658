"""A thread page as bytes → a slice for each post: its few facts found by pattern, its message region cut out, its gate.

No whole-page parse: the page is cut where a post container starts, so that a broken post hides none of those behind it. A
slice without an author line is no post, and belongs to the one before (a container forged inside a message). What differs
between boards is a `Layout`: anchors as bytes, and a few functions.

The gate of a post (16 bytes, BLAKE2b) covers, as bytes: pid, author and uid, floor label, the absolute time (a relative one
is left out), the text of the box in place of a locked post, its title, author and words of each comment and rating, the names
of the files listed below the message, and the message region without what changes by itself: anti-copy noise, ids and
handlers, scripts, session tokens, what is said about a file but its name (tokens of its link, downloads, age), and 3 天前
beside its date. It covers no card, signature, credit or online mark. The same gate means: nothing to do.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import NamedTuple

from scraper.beside import FILES, POLL, list_files, list_options, strip_tags
from scraper.decode import decode_fragment
from scraper.frame import find_inside, find_tids, read_pager
from scraper.post import Flaw
from scraper.steady import steady


@dataclass(frozen=True, slots=True)
class Remark:
    """A comment or rating as bytes: who, his uid, his words, and the time as printed (empty for a rating)."""

    author: bytes
    uid: int | None
    words: bytes
    time: bytes = b""


class Slice(NamedTuple):
    """One post as bytes: what its page says of it, ready to be decoded and read, and its `gate`.

    A named tuple, since one is made for every post at every look, and making a frozen dataclass costs five times as much.

    `time` is the inner HTML of the author line, `lock` the box in place of the message (or above it), `region` the message,
    None where the page shows none. `moment` is the time in seconds since 1970, where a surface gives it so.
    """

    pid: int
    gate: bytes
    author: bytes
    uid: int | None
    floor: str
    time: bytes
    region: bytes | None
    lock: bytes = b""
    title: bytes = b""
    comments: tuple[Remark, ...] = ()
    ratings: tuple[Remark, ...] = ()
    signature: bytes = b""
    flaws: tuple[Flaw, ...] = ()
    moment: int | None = None


@dataclass(frozen=True, slots=True)
class Sheet:
    """A page cut up: its number and of how many, the thread's title and the footer as bytes, the posts in order, flaws.

    `tids` are the threads that the page's own links name as its thread, none where no link is sure to. `open` says that the
    page stops before anything that stands behind the posts, so that the last one may be half a post.
    """

    number: int
    pages: int
    title: bytes
    footer: bytes
    posts: tuple[Slice, ...]
    flaws: tuple[Flaw, ...] = ()
    open: bool = False
    tids: frozenset[int] = frozenset()


# Equal to itself alone: the hash over all its patterns, which what is kept by layout would need, costs as much as finding them.
@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """Where one kind of page has what.

    The first five are ids of elements, without the number that follows them: `container` begins a post, `proof` is in every
    true one and holds the time, `floor` stands before it (or is it) and `message` behind it, `ends` come after the message
    and carry the pid (the first that is there counts; none where a board has none). `floor_label` matches behind the floor's
    id (its groups are the label), `time_line` behind the proof's (the line with the time, and in it the absolute one); where
    they do not, what counts is all up to `floor_close` and `time_close`. `foot` follows the last post; `chrome` begins what
    stands between the message's cell and the end. The functions get the body, and from where to where to look; `find_end`
    tells where the message's cell is closed on a board that has no mark behind it, -1 where it cannot tell. `sign` is the
    signature's class and how it is closed.
    """

    container: bytes
    proof: bytes
    floor: bytes
    message: bytes
    ends: tuple[bytes, ...]
    floor_close: bytes
    floor_label: re.Pattern[bytes]
    time_line: re.Pattern[bytes]
    time_close: bytes
    foot: tuple[bytes, ...]
    pager: bytes
    subject: re.Pattern[bytes]
    lock: bytes
    chrome: re.Pattern[bytes]
    find_author: Callable[[bytes, int, int], tuple[bytes, int | None]]
    find_comments: Callable[[bytes, int, int], tuple[Remark, ...]]
    find_ratings: Callable[[bytes, int, int], tuple[Remark, ...]]
    find_end: Callable[[bytes, int, int], int] | None = None
    sign: tuple[bytes, bytes] = (b'class="sign"', b"</td>")


DATE = re.compile(rb"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}")


@dataclass(slots=True)
class Cut:
    """A post being cut out: where it starts, the marks inside it with their kinds, the containers that turned out to be none.

    `byline` is its author with his uid, the line with the time, and in it the absolute one, where a glance has found them.
    """

    pid: int
    start: int
    marks: list[re.Match[bytes]]
    kinds: list[bytes]
    forged: list[int]
    byline: tuple[bytes, int | None, bytes, bytes] | None = None


class Found(NamedTuple):
    """What a glance at a page has found of it, so that cutting it does not search for it again; see `Sheet`."""

    cuts: list[Cut]
    foot: int
    number: int
    pages: int
    tids: frozenset[int]


def slice_page(body: bytes, codec: str, layout: Layout, found: Found | None = None) -> Sheet:
    """Cut a page, whose floor labels are in `codec`; a sheet without posts is no thread page, or one of another layout.

    `found` is what is known of it already: a page whose posts all have their marks in the usual order.
    """
    flaws: list[Flaw] = []
    cuts: list[Cut] = []
    for cut in found.cuts if found else find_containers(body, layout):
        if layout.proof in cut.kinds:
            cuts.append(cut)
        elif cuts:
            cuts[-1].marks += cut.marks
            cuts[-1].kinds += cut.kinds
            cuts[-1].forged.append(cut.pid)
        else:
            flaws.append(Flaw("A119", (("pid", str(cut.pid)),)))
    if not cuts:
        return Sheet(1, 1, b"", b"", (), tuple(flaws))
    head, last = cuts[0].start, cuts[-1].marks[-1].end()
    foot = found.foot if found else find_foot(body, layout, last)
    stops = [cut.start for cut in cuts[1:]] + [foot]
    usual = [layout.floor, layout.proof, layout.message, *layout.ends[:1]]
    posts = tuple([_slice_post(body, codec, layout, usual, cut, stop) for cut, stop in zip(cuts, stops, strict=True)])
    cut_short = body.find(b"</html", foot) < 0 and body.find(b"</HTML", foot) < 0
    if cut_short:
        flaws.append(Flaw("A120", (("bytes", str(len(body))),)))
    number, pages = (found.number, found.pages) if found else read_pager(body, layout.pager, head, foot)
    subject = layout.subject.search(body, 0, head)
    zone = body.rfind(b"GMT", foot)
    return Sheet(
        number,
        pages,
        subject[1] if subject else b"",
        body[zone : zone + 160] if zone >= 0 else b"",
        posts,
        tuple(flaws),
        cut_short and foot == len(body),
        found.tids if found else find_tids(body, _find_first_message(cuts[0], layout, head), foot),
    )


def _find_first_message(cut: Cut, layout: Layout, head: int) -> int:
    return min([mark.start() for mark in cut.marks if mark[1] == layout.message], default=head)


def find_foot(body: bytes, layout: Layout, last: int) -> int:
    """Where what follows the posts begins, behind the last mark of a post."""
    return min([place for anchor in layout.foot if (place := body.rfind(anchor, last)) >= 0], default=len(body))


def find_printed(body: bytes, layout: Layout, shown: int, stop: int) -> tuple[bytes, bytes]:
    """The line with the time behind a proof, and in it the absolute time (empty where only a relative one is printed)."""
    if found := layout.time_line.match(body, shown, stop):
        return found[1], found[2]
    time = find_inside(body, layout.time_close, shown, min(stop, shown + 600))
    return time, time if DATE.search(time) else b""


def find_byline(body: bytes, layout: Layout, start: int, shown: int, stop: int) -> tuple[bytes, int | None, bytes, bytes]:
    """Author and uid of a post, the line with its time, and in it the absolute one; `shown` is the end of its proof."""
    return *layout.find_author(body, start, shown), *find_printed(body, layout, shown, stop)


def seal(*facts: bytes) -> bytes:
    """One digest of 16 bytes over facts in their order; where one ends and the next begins counts too."""
    joined = b"\0".join(facts)
    if joined.count(b"\0") >= len(facts):
        joined = b"%b\0%b" % (joined, repr([*map(len, facts)]).encode())
    return blake2b(joined, digest_size=16).digest()


@lru_cache(maxsize=16)
def _compile_marks(layout: Layout) -> re.Pattern[bytes]:
    names = (layout.container, layout.proof, layout.floor, layout.message, *layout.ends)
    return re.compile(rb'id="(' + b"|".join(map(re.escape, names)) + rb')(\d+)"')


def find_containers(body: bytes, layout: Layout) -> list[Cut]:
    """Every container with the marks up to the next one, in one pass over the page."""
    marks = list(_compile_marks(layout).finditer(body))
    kinds = [mark[1] for mark in marks]
    places = [place for place, kind in enumerate(kinds) if kind == layout.container]
    return [
        Cut(
            int(marks[place][2]),
            body.rfind(b"<", 0, marks[place].start()),
            marks[place + 1 : following],
            kinds[place + 1 : following],
            [],
        )
        for place, following in zip(places, [*places, len(marks)][1:], strict=True)
    ]


def _slice_post(body: bytes, codec: str, layout: Layout, usual: list[bytes], cut: Cut, stop: int) -> Slice:
    number = b"%d" % cut.pid
    floor_mark, proof, message, end_mark = _choose_marks(cut, layout, usual, number)
    shown = proof.end()
    author, uid, time, printed = cut.byline or find_byline(body, layout, cut.start, shown, stop)
    floor = b""
    if floor_mark:
        begin, end = floor_mark.end(), stop if floor_mark is proof else shown
        found = layout.floor_label.match(body, begin, end)
        floor = b"".join(found.groups(b"")) if found else find_inside(body, layout.floor_close, begin, end)
        if b"<" in floor:
            floor = strip_tags(floor)
    flaws = tuple([Flaw("A114", (("pid", str(other)),)) for other in cut.forged]) if cut.forged else ()
    region: bytes | None = None
    if message:
        above, begin = message.start(), body.find(b">", message.end(), stop) + 1 or stop
        tail = end_mark.start() if end_mark else stop
        if not end_mark and layout.find_end and (close := layout.find_end(body, begin, stop)) >= 0:
            region, whole, tail = body[begin:close].rstrip(), True, close
        else:
            region, whole = _cut_region(body, layout, above, begin, max(tail, begin), known=end_mark is not None)
        if not whole:
            flaws = (*flaws, Flaw("A121"))
        behind, below = begin + len(region), end_mark.start() if end_mark else stop
        if body.find(b"attach", behind, below) >= 0:
            files = list_files(body[behind:below], codec)
            flaws = (*flaws, Flaw(FILES, (("files", files),))) if files else flaws
        if body.find(b"poll", behind, below) >= 0:
            options = list_options(body[behind:below], codec)
            flaws = (*flaws, Flaw(POLL, (("options", options),))) if options else flaws
    else:
        above, tail = stop, shown
    lock = title = signature = b""
    if (place := body.find(layout.lock, shown, above)) >= 0:
        lock = strip_tags(find_inside(body, b"</div>", place, above))
    # A title is rare, and its end is told apart from other tags faster than its beginning.
    if message and body.find(b"</h2>", shown, above) >= 0 and (place := body.find(b"<h2", shown, above)) >= 0:
        title = strip_tags(find_inside(body, b"</h2>", place, above))
    if (place := body.find(layout.sign[0], tail, stop)) >= 0:
        signature = strip_tags(find_inside(body, layout.sign[1], place, stop))
    comments = layout.find_comments(body, tail, stop)
    ratings = layout.find_ratings(body, tail, stop)
    facts = [number, author, b"%d" % uid if uid else b"", floor, printed, lock, title]
    if region is not None:
        facts.append(steady(region))
    if flaws:
        facts += [repr(flaw.parameters).encode() for flaw in flaws if flaw.code in (FILES, POLL)]
    for kind, remarks in ((b"c", comments), (b"r", ratings)):
        for remark in remarks:
            facts += (kind, remark.author, remark.words)
    label = floor.decode("ascii") if floor.isascii() else decode_fragment(floor, codec).text
    return Slice(cut.pid, seal(*facts), author, uid, label, time, region, lock, title, comments, ratings, signature, flaws)


def _choose_marks(
    cut: Cut, layout: Layout, usual: list[bytes], number: bytes
) -> tuple[re.Match[bytes] | None, re.Match[bytes], re.Match[bytes] | None, re.Match[bytes] | None]:
    """Floor, proof, message and end of one post: the last floor before the first proof, and so on."""
    marks, kinds = cut.marks, cut.kinds
    if layout.ends and kinds[:4] == usual and marks[3][2] == number and layout.ends[0] not in kinds[4:]:
        return marks[0], marks[1], marks[2], marks[3]
    at = kinds.index(layout.proof)
    if layout.floor == layout.proof:
        floor: re.Match[bytes] | None = marks[at]
    else:
        floor = next((marks[place] for place in range(at - 1, -1, -1) if kinds[place] == layout.floor), None)
    message = end = None
    try:
        place = kinds.index(layout.message, at)
    except ValueError:
        return floor, marks[at], None, None
    message = marks[place]
    for kind in layout.ends:
        for mark in reversed(marks[place:]):
            if mark[1] == kind and mark[2] == number:
                end = mark
                break
        if end:
            break
    return floor, marks[at], message, end


def _cut_region(body: bytes, layout: Layout, message: int, begin: int, end: int, *, known: bool) -> tuple[bytes, bool]:
    """The region from `begin` to where the board closes the cell, and whether that place is sure.

    The cell's own close is the last `</table>` before what follows the message; an early one inside the message is not it.
    """
    if chrome := layout.chrome.search(body, begin, end):
        end = chrome.start() + len(b"</table>")
    if not body.startswith(b"<td", body.rfind(b"<", 0, message)):
        return _cut_box(body, begin, end, known=known)
    if not known:
        end = close_of(body, b"table", begin, end)
        if end < 0:
            return body[begin:].rstrip(), False
    close = body.rfind(b"</table", begin, end)
    region = body[begin : close if close >= 0 else end].rstrip()
    if region.endswith(b"</td></tr>"):
        return region[:-10].rstrip(), True
    for closer in (b"</tbody>", b"</tr>", b"</td>"):
        region = region.removesuffix(closer).rstrip()
    return region, True


def _cut_box(body: bytes, begin: int, end: int, *, known: bool) -> tuple[bytes, bool]:
    """The region of a message in a `<div>`: up to its close, or, where words follow that, to the last one before the end."""
    close = close_of(body, b"div", begin, end)
    if close < 0:
        return body[begin:end].rstrip(), False
    if known and strip_tags(body[close : body.rfind(b"<", close, end)]):
        return body[begin : body.rfind(b"</div", begin, end)].rstrip(), False
    return body[begin : body.rfind(b"</div", begin, close)].rstrip(), True


def close_of(body: bytes, tag: bytes, begin: int, end: int) -> int:
    """Behind the close tag of the element that is open at `begin`; -1 where it never closes."""
    depth = 1
    for found in re.compile(rb"<(/?)" + tag + rb"\b[^>]*>").finditer(body, begin, end):
        depth += -1 if found[1] else 1
        if depth == 0:
            return found.end()
    return -1
