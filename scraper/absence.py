"""Where posts must be, and are not: the span of posts that each page covers, and the passes that did not find a post in it.

A page is one moment's view: what was posted between its first and its last post stands on it, or is gone. Pages that follow each
other in one pass cover what is between them too; the first page covers what is before it, the last one what is behind. So a
pass that read a few pages tells of the posts that belong there, and of no others. Both tables are derived. Every function takes
an open connection inside a transaction that the caller ends.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Collection, Sequence
from datetime import datetime
from itertools import pairwise
from typing import NamedTuple
from zoneinfo import ZoneInfo

from scraper.passes import Order, PassId
from scraper.rows import read_local
from scraper.schema import rebuilding

# The label in place of a floor on the copy of a sticky (置顶) or recommended post, which stands on page 1 out of its order.
_COPY = re.compile("来自|來自|推荐|推薦")
_NEWEST = 2**63 - 1
# How far apart the pids of two posts of one moment may be: so many others were sent to the board meanwhile.
_NEAR = 30


class _Look(NamedTuple):
    """One page of a pass: its number, of how many, between which pids it stands, and in which order."""

    number: int
    pages: int
    first: int
    last: int
    sorting: str


def save_span(connection: sqlite3.Connection, thread: int, content: int) -> None:
    """Note between which posts a page's content stands."""
    rows = connection.execute(
        "SELECT pp.pid, pp.floor, r.posted FROM page_posts pp JOIN revisions r ON r.id = pp.revision_id"
        " WHERE pp.content_id = ? ORDER BY pp.position",
        (content,),
    ).fetchall()
    note_span(connection, thread, content, rows)


def note_span(connection: sqlite3.Connection, thread: int, content: int, rows: Sequence[tuple[int, str, str]]) -> None:
    """As `save_span`, where its posts are at hand: pid, floor and when posted (as stored), in the page's order."""
    posts = [(pid, posted) for pid, floor, posted in rows if not is_copy(floor)] or [(pid, posted) for pid, _, posted in rows]
    order = find_order([pid for pid, _ in posts])
    (first, starts), (last, ends) = posts[0], posts[-1]
    connection.execute(
        "INSERT INTO spans (content_id, thread_id, first, last, starts, ends, sorting) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (content, thread, first, last, starts, ends, order.value),
    )


def read_span(
    connection: sqlite3.Connection, content: int, zone: ZoneInfo
) -> tuple[int, int, datetime | None, datetime | None, Order]:
    """The span of a content as a `PageLook` holds it: first and last pid, when those were posted, and the order."""
    first, last, starts, ends, sorting = connection.execute(
        "SELECT first, last, starts, ends, sorting FROM spans WHERE content_id = ?", (content,)
    ).fetchone()
    return first, last, read_moment(starts, zone), read_moment(ends, zone), Order(sorting)


def read_moment(posted: str, zone: ZoneInfo) -> datetime | None:
    """When a post was posted, as the board printed it; None where its time was only reckoned."""
    return read_local(posted, zone) if len(posted) <= 19 or posted.endswith("Z") else None


def is_copy(floor: str) -> bool:
    """Whether a floor's label is that of a copy of a sticky post."""
    return not floor.isascii() and _COPY.search(floor) is not None


def find_order(pids: Sequence[int]) -> Order:
    """How the posts of a page follow each other. Newest first still begins with the thread's first post on page 1.

    Two that were sent at the same moment may stand the other way round, on a page that is in order but for that.
    """
    falls = [place for place, (before, after) in enumerate(pairwise(pids)) if after < before]
    if not falls:
        return Order.RISING
    if 2 * len(falls) >= len(pids) - 1:
        return Order.FALLING
    return Order.RISING if all(_is_swap(pids, place) for place in falls) else Order.MIXED


def _is_swap(pids: Sequence[int], place: int) -> bool:
    """Whether the two posts from a place on are near each other, and stand in order with those around them; never at an end."""
    if not 0 < place < len(pids) - 2:
        return False
    before, higher, lower, after = pids[place - 1 : place + 3]
    return before < lower and higher < after and higher - lower <= _NEAR


def find_dependable(looks: Sequence[tuple[int, str]]) -> int:
    """From which look of a pass on, given as page numbers with their order, numbers mean what they mean in other passes.

    A thread that came newest first is asked for in the usual order, and read from the start again; its first page may look like
    any other before that. Where it was not read again, none of them is dependable.
    """
    falling = [place for place, (_, sorting) in enumerate(looks) if sorting == Order.FALLING]
    if not falling:
        return 0
    last = falling[-1]
    return last + 1 if looks[last][0] in [number for number, _ in looks[last + 1 :]] else len(looks)


def save_absences(connection: sqlite3.Connection, pass_id: PassId) -> None:
    """Note the posts known before a pass that it did not find, though it got the pages that they must be on."""
    thread, started_at, ended_at, complete = connection.execute(
        "SELECT p.thread_id, p.started_at, e.ended_at, e.complete FROM passes p JOIN pass_ends e ON e.pass_id = p.id"
        " WHERE p.id = ?",
        (pass_id,),
    ).fetchone()
    looks = [
        _Look(*row)
        for row in connection.execute(
            "SELECT g.shown, g.pages, s.first, s.last, s.sorting FROM pages g"
            " JOIN spans s ON s.content_id = g.content_id WHERE g.pass_id = ? ORDER BY g.seen_at, g.id",
            (pass_id,),
        )
    ]
    lost = {number for (number,) in connection.execute("SELECT number FROM misses WHERE pass_id = ?", (pass_id,))}
    dependable = looks[find_dependable([(look.number, look.sorting) for look in looks]) :]
    covered = [(-1, _NEWEST)] if complete else find_covered(dependable, lost)
    for low, high in covered:
        connection.execute(
            "INSERT OR IGNORE INTO absences SELECT thread_id, pid, ?, ? FROM versions"
            " WHERE thread_id = ? AND pid > ? AND pid < ? AND number = 1 AND seen_at < ? AND pid NOT IN ("
            "  SELECT pp.pid FROM pages g JOIN page_posts pp ON pp.content_id = g.content_id WHERE g.pass_id = ?)",
            (started_at, ended_at, thread, low, high, started_at, pass_id),
        )


def find_covered(looks: Sequence[_Look], lost: Collection[int]) -> list[tuple[int, int]]:
    """Between which pids (both left out) a pass that did not get every page tells all that there is.

    Where the thread lost pages meanwhile, posts may have moved from one page to the other, and every page stands alone.
    """
    shrank = any(after.pages < before.pages for before, after in pairwise(looks))
    good = {look.number: look for look in looks if look.number not in lost and look.sorting == Order.RISING}
    covered: list[tuple[int, int]] = []
    for number in sorted(good):
        look = good[number]
        low = -1 if number == 1 else look.first
        high = _NEWEST if number == looks[-1].pages and not shrank else look.last
        if covered and number - 1 in good and not shrank:
            covered[-1] = (covered[-1][0], high)
        else:
            covered.append((low, high))
    return covered


def rebuild_absences(connection: sqlite3.Connection, thread: int) -> None:
    """Make `absences` of one thread anew, and what is not there of `spans`; `versions` must be right already."""
    contents = connection.execute(
        "SELECT id FROM page_contents WHERE thread_id = ? AND id NOT IN (SELECT content_id FROM spans)", (thread,)
    ).fetchall()
    for (content,) in contents:
        save_span(connection, thread, content)
    with rebuilding(connection, thread):
        connection.execute("DELETE FROM absences WHERE thread_id = ?", (thread,))
    ended = connection.execute(
        "SELECT p.id FROM passes p JOIN pass_ends e ON e.pass_id = p.id WHERE p.thread_id = ? ORDER BY p.started_at, e.ended_at",
        (thread,),
    ).fetchall()
    for (pass_id,) in ended:
        save_absences(connection, PassId(pass_id))


def find_suspects(connection: sqlite3.Connection, thread: int) -> tuple[int, ...]:
    """See `Archive.fetch_suspects`."""
    absent: dict[int, list[str]] = {}
    for pid, started_at in connection.execute("SELECT pid, started_at FROM absences WHERE thread_id = ?", (thread,)):
        absent.setdefault(pid, []).append(started_at)
    places = find_places(connection, thread, absent)
    once = {pid: times[0] for pid, times in absent.items() if sum(time > places[pid].seen_at for time in times) == 1}
    fronts = connection.execute(
        "SELECT f.shown, s.first, s.last FROM fronts f JOIN spans s ON s.content_id = f.content_id WHERE f.thread_id = ?"
        " ORDER BY f.shown",
        (thread,),
    ).fetchall()
    pages: dict[int, None] = {}
    for pid in sorted(once, key=lambda pid: (once[pid], pid)):
        page, last = max(((shown, last) for shown, first, last in fronts if first <= pid), default=(1, 0))
        # Where it must stand between two pages, both have to be read in one pass.
        pages |= dict.fromkeys((page,) if pid <= last else (page, page + 1))
    return tuple(pages)


class Place(NamedTuple):
    """Where a post was seen last: page, floor, the revision that stood there, and when (UTC)."""

    page: int
    floor: str
    revision: int
    seen_at: str


def find_places(
    connection: sqlite3.Connection, thread: int, pids: Collection[int], *, without: int = 0, pages: tuple[int, int] = (0, _NEWEST)
) -> dict[int, Place]:
    """Where each of these posts was seen last, on those pages and in its own place, by any pass but `without`."""
    if not pids:
        return {}
    rows = connection.execute(
        "WITH sights AS ("
        "  SELECT g.content_id, g.shown, max(g.seen_at) AS seen_at FROM passes p JOIN pages g ON g.pass_id = p.id"
        "  JOIN spans s ON s.content_id = g.content_id"
        "  WHERE p.thread_id = ? AND p.id != ? AND g.shown BETWEEN ? AND ? AND s.sorting != 'falling' GROUP BY 1, 2"
        ") SELECT pp.pid, s.shown, pp.floor, pp.revision_id, s.seen_at FROM sights s"
        " JOIN page_posts pp ON pp.content_id = s.content_id"
        " WHERE pp.pid IN (SELECT value FROM json_each(?)) ORDER BY s.seen_at, s.shown",
        (thread, without, *pages, json.dumps(sorted(pids))),
    )
    places: dict[int, Place] = {}
    for pid, page, floor, revision, seen_at in rows:
        if not is_copy(floor) or pid not in places:
            places[pid] = Place(page, floor, revision, seen_at)
    return places
