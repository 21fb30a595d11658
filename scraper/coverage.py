"""What the passes over a thread are worth: were all pages that can hold a post of a span of time seen in good state?

One pass that read every page of the span proves it by itself. Several prove it together only where nothing moved between them:
a page that both saw must begin with the same post, since whatever is deleted or inserted before a page's first post puts another
post in its place. Pure functions of the passes; docs/database.md says the same in words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from scraper.passes import Order, PageLook, Pass

# Good looks by page number; None where nothing is known of a page but that it came.
Looks = Mapping[int, PageLook | None]


@dataclass(frozen=True, slots=True)
class Stock:
    """What is known of a thread by all passes so far.

    `gaps` are the pages that can hold a post of the span and were not seen in good state when they were last asked for.
    `pages` is how many the thread has, `known` the last good look at each, `horizon` the newest pid that was seen at its end:
    every post up to that one was met, unless it was on a page among the gaps.
    """

    gaps: tuple[int, ...]
    pages: int
    known: Looks
    horizon: int


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
    """What is known while the span that began at `since` may still go on; None where no pass got a page.

    A page once missed stays among the gaps until it is seen, whatever later passes asked for.
    """
    gaps: set[int] | None = None
    known: dict[int, PageLook | None] = {}
    horizon = pages = 0
    for one in passes:
        if not one.seen:
            continue
        good, pages = good_looks(one), one.pages
        if one.shrank:
            # Posts moved to pages that were read already: what the pass set out to read is to be read again.
            gaps = set(range(one.first, pages + 1)) | (gaps or set())
        elif one.ended_at is not None and not find_missing(good, pages, since, None):
            gaps = set()
        elif gaps is None:
            gaps = set(range(1, pages + 1)) - good.keys()
        else:
            gaps = (gaps | set(one.missing) | _find_breach(good, pages, known, horizon)) - good.keys()
        if not one.shrank and (end := good.get(pages)) and end.order is Order.RISING:
            horizon = max(horizon, end.last)
        gaps = {page for page in gaps if page <= pages}
        known = {page: look for page, look in {**known, **good}.items() if page <= pages}
    if gaps is None:
        return None
    first = first_page(known, since)
    return Stock(tuple(sorted(page for page in gaps if page >= first)), pages, known, horizon)


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


def begin_of_tail(looks: Iterable[int], pages: int) -> int:
    """The first page of the unbroken run that ends with the thread's last one; `pages + 1` where that one is not among them."""
    among = set(looks)
    tail = pages + 1
    while tail - 1 in among:
        tail -= 1
    return tail


def _find_breach(good: Looks, pages: int, known: Looks, horizon: int) -> set[int]:
    """The pages between what is known and the end that a pass read, where it does not reach back to what is known.

    Only so far does a pass that was cut off, or met a page that failed, leave posts behind that nobody met.
    """
    tail = begin_of_tail(good, pages)
    look = good.get(tail)
    if tail == 1 or look is None or look.order is not Order.RISING or look.first <= horizon:
        return set()
    before = [page for page, other in known.items() if page < tail and other is not None and other.first <= horizon]
    return set(range(max(before, default=1), tail))


def _same_start(one: PageLook | None, other: PageLook | None) -> bool:
    return one is not None and other is not None and one.first == other.first


def _in_order(looks: Looks) -> bool:
    return all(look is None or look.order is Order.RISING for look in looks.values())
