"""What the passes over a thread are worth: were all pages that can hold a post of a span of time seen in good state?

Pages are numbered anew whenever a post is deleted or comes back, so what was met is kept as ranges of pids: the pages of one pass
that follow each other cover all from the first post of the one to the last of the other. A reading after the close that takes
several passes holds together only where nothing moved between them: a page that both saw must begin with the same post, since
whatever is deleted or inserted before a page's first post puts another in its place. Pure functions; docs/database.md says the
same in words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise

from scraper.passes import Order, PageLook, Pass

# Good looks by page number; None where nothing is known of a page but that it came.
Looks = Mapping[int, PageLook | None]


# From and up to which pid everything was met, both included.
Range = tuple[int, int]
_BEFORE_ALL, _AFTER_ALL = -(2**62), 2**62


@dataclass(frozen=True, slots=True)
class Stock:
    """What is known of a thread by all passes so far.

    `gaps` are the pages to read: those that the last pass which wanted them did not get, and those on which posts of the span
    may stand that nobody met. `pages` is how many the thread has, `known` the last good look at each, `covered` the pids that
    were met, up to the newest one seen at the thread's end.
    """

    gaps: tuple[int, ...]
    pages: int
    known: Looks
    covered: tuple[Range, ...]


@dataclass(frozen=True, slots=True)
class Sweeps:
    """How often all pages of a span were read after it was over: `done` times.

    `gathered` are the good looks of the reading that is not finished, `missing` the pages that it lacks; both empty where
    none is begun.
    """

    done: int = 0
    gathered: Looks = field(default_factory=dict)
    missing: tuple[int, ...] = ()


def take_stock(passes: Iterable[Pass], since: datetime) -> Stock | None:
    """What is known while the span that began at `since` may still go on; None where no pass got a page."""
    failed: set[int] = set()
    known: dict[int, PageLook | None] = {}
    covered: list[Range] = []
    horizon = pages = 0
    for one in passes:
        if not one.seen:
            continue
        good, pages = good_looks(one), one.pages
        failed = {page for page in (failed | set(one.missing)) - good.keys() if page <= pages}
        known = {page: look for page, look in {**known, **good}.items() if page <= pages}
        if one.complete and not _tells_all(good):
            # Nothing is known of its pages but that all of them came.
            covered = [(_BEFORE_ALL, _AFTER_ALL)]
        covered = _merge([*covered, *_cover(good, joined=not one.shrank)])
        if (end := good.get(pages)) is not None:
            horizon = max(horizon, end.last)
    if not known:
        return None
    unmet = {page for hole in _find_holes(covered, horizon, _last_before(known, since)) for page in _pages_of(hole, known, pages)}
    first = first_page(known, since)
    return Stock(tuple(sorted({page for page in failed if page >= first} | unmet)), pages, known, tuple(covered))


def count_sweeps(passes: Iterable[Pass], since: datetime, until: datetime) -> Sweeps:
    """How often the pages that can hold a post from `since` to `until` were all read by passes that began after `until`.

    A reading may take several passes (one that was cut off, and the one that took it up), as long as nothing moved meanwhile.
    """
    done, missing = 0, tuple[int, ...]()
    gathered: dict[int, PageLook | None] = {}
    for one in passes:
        if one.began_at <= until or not one.seen:
            continue
        gathered = {} if one.shrank else join_looks(gathered, good_looks(one))
        missing = find_missing(gathered, one.pages, since, until)
        if not missing and one.ended_at is not None:
            done, gathered = done + 1, {}
    return Sweeps(done, gathered, missing)


def good_looks(one: Pass) -> dict[int, PageLook | None]:
    """The pages that a pass got in good state, with what it saw there."""
    told = {look.number: look for look in one.looks}
    return {page: told.get(page) for page in one.seen}


def find_missing(looks: Looks, pages: int, since: datetime, until: datetime | None) -> tuple[int, ...]:
    """Which pages of a thread of so many are not among the looks, and may hold a post from `since` to `until` (None: no end)."""
    first, last = first_page(looks, since), last_page(looks, pages, until)
    return tuple(page for page in range(first, last + 1) if page not in looks)


def first_page(looks: Looks, since: datetime) -> int:
    """The first page that can hold a post of a span: the last one seen that begins before it; 1 where none is known to."""
    if not _in_order(looks):
        return 1
    before = [page for page, look in looks.items() if look and look.starts and look.starts < since]
    return max(before, default=1)


def last_page(looks: Looks, pages: int, until: datetime | None) -> int:
    """The last page that can hold one: the first seen that ends after it, else the thread's last."""
    if until is None or not _in_order(looks):
        return pages
    return min([page for page, look in looks.items() if look and look.ends and look.ends > until], default=pages)


def join_looks(earlier: Looks, later: Looks) -> dict[int, PageLook | None]:
    """The later looks, and those of the earlier ones that nothing moved under since.

    They are dependable up to the last page that both saw begin with the same post.
    """
    steady = [page for page in earlier.keys() & later.keys() if _same_start(earlier[page], later[page])]
    limit = max(steady, default=0)
    return {**{page: look for page, look in earlier.items() if page <= limit}, **later}


def latest_looks(passes: Iterable[Pass]) -> dict[int, PageLook | None]:
    """The last good look at each page that the thread still has."""
    looks: dict[int, PageLook | None] = {}
    for one in passes:
        if one.seen:
            looks = {page: look for page, look in {**looks, **good_looks(one)}.items() if page <= one.pages}
    return looks


def begin_of_tail(looks: Iterable[int], pages: int) -> int:
    """The first page of the unbroken run that ends with the thread's last one; `pages + 1` where that one is not among them."""
    among = set(looks)
    tail = pages + 1
    while tail - 1 in among:
        tail -= 1
    return tail


def _cover(looks: Looks, *, joined: bool) -> list[Range]:
    """The ranges of pids that the pages of one pass cover; each page for itself where they are not `joined`."""
    ranges: list[Range] = []
    before = 0
    for page in sorted(looks):
        look = looks[page]
        if look is None or look.order is not Order.RISING:
            continue
        low = _BEFORE_ALL if page == 1 else look.first
        if ranges and joined and page == before + 1:
            low = ranges.pop()[0]
        ranges.append((low, look.last))
        before = page
    return ranges


def _merge(ranges: Iterable[Range]) -> list[Range]:
    """The same pids in as few ranges as can be, in order."""
    merged: list[Range] = []
    for low, high in sorted(ranges):
        if merged and low <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(merged[-1][1], high))
        else:
            merged.append((low, high))
    return merged


def _find_holes(covered: Sequence[Range], horizon: int, after: int) -> list[Range]:
    """The pids, both left out, between which a post may stand that nobody met; none of those up to `after`."""
    edges = [(_BEFORE_ALL, _BEFORE_ALL), *covered]
    holes = [(before[1], follower[0]) for before, follower in pairwise(edges)]
    return [(low, high) for low, high in holes if after < high - 1 and low < horizon]


def _pages_of(hole: Range, known: Looks, pages: int) -> range:
    """The pages to read so that they reach over a hole: from one that begins before it to one that ends behind it."""
    looks = [(page, look) for page, look in known.items() if look is not None]
    first = max([page for page, look in looks if look.first <= hole[0]], default=1)
    last = min([page for page, look in looks if look.last >= hole[1] and page >= first], default=pages)
    return range(first, last + 1)


def _last_before(known: Looks, since: datetime) -> int:
    """The newest pid that is known to be older than a moment."""
    looks = [look for look in known.values() if look is not None and look.order is Order.RISING]
    firsts = [look.first for look in looks if look.starts and look.starts < since]
    lasts = [look.last for look in looks if look.ends and look.ends < since]
    return max([*firsts, *lasts], default=_BEFORE_ALL)


def _tells_all(looks: Looks) -> bool:
    return all(look is not None and look.order is Order.RISING for look in looks.values())


def _same_start(one: PageLook | None, other: PageLook | None) -> bool:
    return one is not None and other is not None and one.first == other.first


def _in_order(looks: Looks) -> bool:
    return all(look is None or look.order is Order.RISING for look in looks.values())
