"""A page at a glance: one digest that is cheaper than its gate, and never the same where the gate would differ.

It covers, post by post, what the gate reads, or the bytes that hold it: pid, author, floor, printed time, and everything from
the time to the next post as it stands. So it stands still while the left column lives (credits, online marks), and moves with
anti-copy noise, tokens of files and the like, which the gate leaves out: then the page is gated as ever. Only a page whose posts
all have their marks in the usual order is glanced at.
"""

from __future__ import annotations

from hashlib import sha256
from typing import NamedTuple

from scraper.decode import find_codec
from scraper.dialects import find_dialect
from scraper.dialects.surface import Dialect
from scraper.frame import find_tids, read_pager
from scraper.post import Flaw
from scraper.slice import Found, find_byline, find_containers, find_foot

_SAMPLE = 16_384
# Says what a glance covers. To be changed with anything that gating or reading a page finds in the same bytes.
_MARK = b"2"
# Ends a fact; so a page that holds such bytes, as no page of words does, is not glanced at.
_END = b"\0"


class Glance(NamedTuple):
    """What a glance tells of a page: its seal, what it lacks, and what was found of it on the way; the rest is for gating it.

    `numbered` says that no label of a floor has words of the board's language, as that of a sticky post's copy has.
    """

    seal: bytes
    numbered: bool
    flaws: tuple[Flaw, ...]
    found: Found
    codec: str
    dialect: str


def glance_page(body: bytes, *, content_type: str = "") -> Glance | None:
    """Glance at a page; None for one that must be gated."""
    dialect = find_dialect(body)
    if not isinstance(dialect, Dialect) or dialect.layout is None:
        return None
    if _END in body:
        return None
    layout, sample = dialect.layout, body[:_SAMPLE]
    codec = find_codec(body if sample.isascii() else sample, content_type=content_type)
    facts = [_MARK, dialect.name.encode(), codec.encode()]
    cuts = find_containers(body, layout)
    usual = [layout.floor, layout.proof, layout.message, *layout.ends[:1]]
    if not cuts or len(usual) < 4 or len({cut.pid for cut in cuts}) < len(cuts) or cuts[-1].kinds[:4] != usual:
        return None
    foot = find_foot(body, layout, cuts[-1].marks[-1].end())
    if body.find(b"</html", foot) < 0:
        return None
    stops = [cut.start for cut in cuts[1:]] + [foot]
    numbered = True
    for cut, stop in zip(cuts, stops, strict=True):
        marks, kinds = cut.marks, cut.kinds
        number = b"%d" % cut.pid
        if kinds[:4] != usual or marks[3][2] != number or usual[3] in kinds[4:]:
            return None
        shown = marks[1].end()
        cut.byline = author, uid, _, printed = find_byline(body, layout, cut.start, shown, stop)
        begin, behind = (
            body.find(layout.floor_close, marks[0].end(), shown),
            body.find(layout.time_close, shown, marks[2].start()),
        )
        if not printed or begin < 0 or behind < 0:
            return None
        floor = body[marks[0].end() : begin]
        numbered = numbered and floor.isascii()
        facts += (number, author, b"%d" % (uid or 0), floor, printed, body[behind:stop])
    page, pages = read_pager(body, layout.pager, cuts[0].start, foot)
    tids = find_tids(body, cuts[0].marks[2].start(), foot)
    # Most processors have SHA-256 built in: it takes half the time of BLAKE2b there.
    seal = sha256(_END.join(facts)).digest()[:16]
    found = Found(cuts, foot, page, pages, tids)
    return Glance(seal, numbered, dialect.lacks if page == 1 else (), found, codec, dialect.name)
