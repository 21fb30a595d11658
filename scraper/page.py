"""A thread page: bytes → gate, cheaply, or → `Page`, completely.

A poller gates a page (`gate_page`: patterns on bytes, no parse), compares the page's gate and those of its posts with what
is known, and reads only the posts whose gate is new (`read_post`). `read_page` does all at once.

What the digests cover:

- `PageGate.gate`: the posts in order, each with floor label and gate, and whether the page stops before its end. Not the
  page's number, nor how many there are.
- `Slice.gate` (`Post.gate`): bytes of the post that do not change by themselves; see scraper/slice.py.
- `Post.digest`: what the post says and who says it when; see scraper/digest.py.

Flaws (codes of findings) of posts and pages:

| code | of | meaning | parameters |
|---|---|---|---|
| A101 | post | characters could not be decoded; each stands as U+FFFD | count, part |
| A102 | post | a part is in another encoding than the page | codec, part |
| A103 | post | no author found | |
| A104 | post | no floor label | |
| A105 | post | no readable time; it stands as posted when it was seen, which is the latest it can be | printed |
| A106 | post | neither a message nor a box in place of it | |
| A107 | post | a box in place of the message with words not known here; taken as locked | text |
| A108 | post | nested deeper than the parser goes; the words inside and behind are lost | tags |
| A109 | post | an element that shows or hides its words raw, or is never closed | element, characters |
| A110 | post | a tag that never ends; mended, so that the words behind it are read | tag, tags |
| A111 | post | a hidden part that this reader was not shown | text |
| A112 | post | the time is printed only as a relative one; it may be earlier by so many seconds | printed, margin |
| A113 | post | literal [quote], [/quote]: left over (words kept as own), or in pairs (taken as quotes) | opened, closed, pairs |
| A114 | post | a post container inside the message, forged or pasted | pid |
| A115 | post | an edit mark that is not the board's, or cannot be read; its words stay | text |
| A116 | post | words that their author set invisible; kept apart from his words | text |
| A117 | post | posted later than it was seen: the zone or the date format is not what was taken | posted, seen |
| A118 | page | two different posts of one pid | pid |
| A119 | page | a container before the first post that is none; left out | pid |
| A120 | page | the page stops before its end; a post that the cut may have reached is left out | bytes |
| A121 | post | the end of the message was not found; the words may be cut off, or hold what is not the author's | |
| A122 | page | the board's own time is more than 12 hours from ours | printed, seen |
| A123 | page | its surface does not show this at all (docs/surfaces.md) | surface, lacks |
| A124 | post | files that the board lists below the message | files |
| A125 | post | the options of a poll that the post opened | options |
"""

from __future__ import annotations

import html as entities
import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from zoneinfo import ZoneInfo

from scraper.beside import FILES, POLL
from scraper.clock import Moment, read_time
from scraper.decode import decode_fragment, decode_page, find_codec, unescape_leftovers
from scraper.dialects import find_dialect, get_dialect
from scraper.dialects.surface import Refusal
from scraper.digest import digest_post
from scraper.errors import CutPageError, LayoutError, UncountableError
from scraper.glance import Glance
from scraper.message import Reading, read_message
from scraper.phrases import phrase
from scraper.post import Comment, Flaw, Page, Post, PostState, Rating
from scraper.slice import Remark, Sheet, Slice, slice_page

__all__ = ["PageGate", "Slice", "gate_page", "read_gated", "read_page", "read_post"]

_TITLE = re.compile(r"<title[^>]*>(.*?)</title>", re.IGNORECASE | re.DOTALL)
_PRINTED = re.compile(r'title="([^"]*)"')
_TAG = re.compile(r"<[^>]*>")
_ZONE = re.compile(r"GMT\s*(?P<hours>[+-]\d{1,2}(?:\.\d+)?)?")
_ANONYMOUS = "匿名"
_BLOCKED = re.compile("屏蔽|遮蔽|禁止")
_OWN_ONLY = re.compile("[仅僅]作者可[见見]")
_SAMPLE = 16_384
_CUT_SHORT = "A120"
_FUTURE = timedelta(minutes=15)
_CLOCK_OFF = timedelta(hours=12)


@dataclass(frozen=True, slots=True)
class PageGate:
    """A page gated: its number and of how many, its posts as slices in order, and one `gate` over them all.

    It holds the few bytes that reading needs, not the page. `flaws` are those of the page that show without reading. `tids` are
    the threads that the page's own links name as its thread, none where it does not tell.
    """

    number: int
    pages: int
    posts: tuple[Slice, ...]
    gate: bytes
    flaws: tuple[Flaw, ...]
    dialect: str
    codec: str
    title: bytes
    footer: bytes
    tids: frozenset[int] = frozenset()

    @property
    def gates(self) -> dict[int, bytes]:
        """The gate of each post by its pid, in the page's order."""
        return {post.pid: post.gate for post in self.posts}


def gate_page(body: bytes, *, content_type: str = "", glance: Glance | None = None) -> PageGate:
    """Gate a page: find its posts and what they are known by, without parsing or decoding them.

    A page that stops before its end says nothing of its last post: half a post would be other words than its author's.
    `content_type` is the header as it came, `glance` what was found at a glance.

    Raises UncountableError for a surface that is known and not counted, LayoutError,
    with the page's title, for what is no thread page, and CutPageError where not even the first post is there to its end.
    """
    dialect = get_dialect(glance.dialect) if glance else find_dialect(body)
    if isinstance(dialect, Refusal):
        raise UncountableError(
            phrase(
                "{title} is not counted: {reason}. To be read instead: {instead}.",
                title=dialect.title,
                reason=dialect.reason,
                instead=dialect.instead,
            )
        )
    if glance and dialect and dialect.layout:
        codec = glance.codec
        sheet: Sheet | None = slice_page(body, codec, dialect.layout, glance.found)
    else:
        sample = body[:_SAMPLE]
        codec = find_codec(body if sample.isascii() else sample, content_type=content_type)
        sheet = dialect.cut(body, codec) if dialect else None
    if not dialect or not sheet or not sheet.posts:
        text = decode_page(body[:65_536], content_type=content_type).text
        title = entities.unescape(found[1]).strip() if (found := _TITLE.search(text)) else ""
        raise LayoutError(
            phrase(
                "this is no thread page of a layout known here: {value} ({body} bytes)",
                value=title or "it has no title",
                body=len(body),
            )
        )
    if sheet.open and len(sheet.posts) == 1:
        raise CutPageError(phrase("the page stops before the end of its first post ({body} bytes)", body=len(body)))
    posts, doubled = _drop_copies(sheet.posts[:-1] if sheet.open else sheet.posts)
    known = [b"%d:%b:%b" % (post.pid, post.floor.encode(), post.gate) for post in posts]
    if any(flaw.code == _CUT_SHORT for flaw in sheet.flaws):
        # What it shows is not all that a whole page with these posts tells.
        known.append(b"cut short")
    gate = blake2b(b"".join(known), digest_size=16).digest()
    flaws = (
        *sheet.flaws,
        *(Flaw("A118", (("pid", str(pid)),)) for pid in doubled),
        *(dialect.lacks if sheet.number == 1 else ()),
    )
    return PageGate(
        sheet.number,
        sheet.pages,
        posts,
        gate,
        flaws,
        dialect.name,
        dialect.codec or codec,
        sheet.title,
        sheet.footer,
        sheet.tids,
    )


def read_page(body: bytes, *, tid: int, seen_at: datetime, zone: ZoneInfo, content_type: str = "") -> Page:
    """Read a page completely. `seen_at` is aware; `zone` is the one that the board prints times in for this viewer.

    Raises LayoutError, with the page's title, for what is no thread page; whatever else is wrong is a flaw of the post or page.
    """
    return read_gated(gate_page(body, content_type=content_type), tid=tid, seen_at=seen_at, zone=zone)


def read_gated(page: PageGate, *, tid: int, seen_at: datetime, zone: ZoneInfo, only: Collection[int] | None = None) -> Page:
    """Read a gated page: title, zone, its own flaws, and its posts; with `only`, just the posts of these pids."""
    footer = _read_text(page.footer, page.codec)
    flaws = page.flaws
    found = _ZONE.match(footer)
    offset = None
    if found:
        offset = float(found["hours"] or 0)
        now = read_time(footer[found.end() :], seen_at=seen_at, zone=zone)
        if now and now.absolute and abs(now.at - seen_at) > _CLOCK_OFF:
            flaws = (*flaws, Flaw("A122", (("printed", now.at.isoformat()), ("seen", seen_at.isoformat()))))
    posts = tuple(
        read_post(page, post, tid=tid, seen_at=seen_at, zone=zone) for post in page.posts if only is None or post.pid in only
    )
    return Page(tid, page.number, page.pages, _read_text(page.title, page.codec), posts, flaws, offset)


def read_post(page: PageGate, post: Slice, *, tid: int, seen_at: datetime, zone: ZoneInfo) -> Post:
    """Read one post of a gated page; never raises for what stands in it: what is wrong with it is among its flaws."""
    codec = page.codec
    flaws = list(post.flaws)
    author = _read_part(post.author, codec, "author", flaws)
    uid = post.uid
    if not author:
        flaws.append(Flaw("A103"))
    elif author == _ANONYMOUS:
        uid = None
    if not post.floor:
        flaws.append(Flaw("A104"))
    line = _read_part(post.time, codec, "time", flaws, markup=True)
    moment = _read_epoch(post.moment, zone) if post.moment is not None else None
    epoch = moment is not None
    if moment is None and (found := _PRINTED.search(line)):
        moment = read_time(found[1], seen_at=seen_at, zone=zone)
    printed = "" if moment and moment.absolute else _TAG.sub("", line).replace("&nbsp;", "\xa0").strip()
    moment = moment or read_time(printed, seen_at=seen_at, zone=zone)
    if moment is None:
        flaws.append(Flaw("A105", (("printed", printed[:80]),)))
        posted_at = seen_at.astimezone(zone)
    else:
        posted_at = moment.at
        if not moment.absolute:
            flaws.append(Flaw("A112", (("printed", printed[:80]), ("margin", str(moment.margin)))))
        elif posted_at > seen_at + _FUTURE:
            flaws.append(Flaw("A117", (("posted", posted_at.isoformat()), ("seen", seen_at.isoformat()))))
    lock = _read_part(post.lock, codec, "lock", flaws) if post.lock else ""
    state = PostState.NORMAL
    if lock and _BLOCKED.search(lock):
        state = PostState.BLOCKED
    elif lock and post.region is None:
        state = PostState.LOCKED
        if not _OWN_ONLY.search(lock):
            flaws.append(Flaw("A107", (("text", lock[:80]),)))
    html = ""
    reading = Reading()
    if post.region is not None:
        html = _read_part(post.region, codec, "message", flaws, markup=True)
        reading = read_message(html, seen_at=seen_at, zone=zone, markup=get_dialect(page.dialect).markup)
        flaws += reading.flaws
    elif not lock:
        flaws.append(Flaw("A106"))
    title = _read_part(post.title, codec, "title", flaws) if post.title else ""
    comments = tuple([_read_comment(remark, codec, seen_at, zone) for remark in post.comments])
    ratings = tuple(
        [Rating(_read_text(remark.author, codec), remark.uid, _read_text(remark.words, codec)) for remark in post.ratings]
    )
    local = moment.at.replace(tzinfo=None).isoformat() if moment and moment.absolute else ""
    if epoch:
        # The same in every zone, as what the page gives is.
        local = f"@{post.moment}"
    files, poll = (_tell(post, FILES), _tell(post, POLL)) if post.flaws else ("", "")
    return Post(
        tid=tid,
        pid=post.pid,
        floor=post.floor,
        author=author,
        uid=uid,
        posted_at=posted_at,
        message=reading.message,
        state=state,
        edited=reading.edited,
        quotes=reading.quotes,
        comments=comments,
        ratings=ratings,
        signature=_read_text(post.signature, codec),
        title=title,
        noise=reading.noise,
        flaws=tuple(flaws),
        exact_seconds=moment.exact_seconds if moment else False,
        epoch=epoch,
        html=html,
        gate=post.gate,
        digest=digest_post(author, uid, local, state, title, reading, comments, ratings, files, poll),
    )


def _tell(post: Slice, code: str) -> str:
    """What stands beside the message, as the slice tells it: the names of files, the options of a poll."""
    return next((flaw.parameters[0][1] for flaw in post.flaws if flaw.code == code), "")


def _read_epoch(seconds: int, zone: ZoneInfo) -> Moment | None:
    try:
        return Moment(datetime.fromtimestamp(seconds, UTC).astimezone(zone), exact_seconds=True, absolute=True)
    except (OverflowError, OSError, ValueError):
        return None


def _drop_copies(posts: tuple[Slice, ...]) -> tuple[tuple[Slice, ...], tuple[int, ...]]:
    """One slice for each pid, and the pids in doubt: of a sticky post and its copy (来自 5#) the later one, in its own place."""
    kept = {post.pid: post for post in posts}
    if len(kept) == len(posts):
        return posts, ()
    doubled = [post.pid for post in posts if (last := kept[post.pid]) is not post and _says(last) != _says(post)]
    return tuple([post for post in posts if kept[post.pid] is post]), tuple(doubled)


def _says(post: Slice) -> tuple[bytes, bytes, bytes | None]:
    return post.author, post.time, post.region


def _read_part(fragment: bytes, codec: str, part: str, flaws: list[Flaw], *, markup: bool = False) -> str:
    if not fragment:
        return ""
    read = decode_fragment(fragment, codec)
    if read.lost:
        flaws.append(Flaw("A101", (("count", str(read.lost)), ("part", part))))
    elif read.codec != codec:
        flaws.append(Flaw("A102", (("codec", read.codec), ("part", part))))
    return read.text if markup or "&" not in read.text else unescape_leftovers(entities.unescape(read.text)).strip()


def _read_text(fragment: bytes, codec: str) -> str:
    return unescape_leftovers(entities.unescape(decode_fragment(fragment, codec).text)).strip() if fragment else ""


def _read_comment(remark: Remark, codec: str, seen_at: datetime, zone: ZoneInfo) -> Comment:
    line = decode_fragment(remark.time, codec).text.replace("&nbsp;", "\xa0")
    found = _PRINTED.search(line)
    moment = read_time(found[1] if found else _TAG.sub("", line), seen_at=seen_at, zone=zone)
    author, words = _read_text(remark.author, codec), _read_text(remark.words, codec)
    return Comment(author, remark.uid, words, moment.at if moment else None)
