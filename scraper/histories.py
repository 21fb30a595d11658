"""Reading the archive back: the history of every post, the passes, the flaws of pages.

What was seen last is found page by page, not post by post: a page that stands as it stood speaks for all its posts.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any
from zoneinfo import ZoneInfo

from scraper.absence import find_dependable
from scraper.passes import Order, PageFlaw, PageLook, Pass
from scraper.phrases import phrase
from scraper.post import History
from scraper.rows import decode_flaws, local_time, utc_time
from scraper.stored import LIGHT_COLUMNS, Moments, Sights, gather_histories

# After every moment that the archive may hold.
_ALWAYS = "9999"

_ORDERS = {order.value: order for order in Order}

# The flaw of a page whose footer's clock is far from ours.
_CLOCK = "A122"


def fetch_histories(
    connection: sqlite3.Connection,
    thread: int,
    tid: int,
    zone: ZoneInfo,
    *,
    known_at: datetime | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
    html: bool = False,
    glance: re.Pattern[str] | None = None,
) -> Iterator[History]:
    """See `Archive.fetch_histories`."""
    known = utc_time(known_at) if known_at else _ALWAYS
    # Posts whose time was reckoned are few and rare; with one, the order is made here, where zones are known.
    reckoned = connection.execute("SELECT 1 FROM versions WHERE thread_id = ? AND length(posted) > 19", (thread,)).fetchone()
    low = local_time(since, zone) if since and not reckoned else ""
    high = local_time(until, zone) if until and not reckoned else _ALWAYS
    rows = connection.execute(
        f"SELECT {LIGHT_COLUMNS}"
        " FROM versions v JOIN revisions r ON r.id = v.revision_id"
        " WHERE v.thread_id = ? AND v.seen_at <= ? AND v.posted >= ? AND v.posted < ?"
        " ORDER BY v.posted, v.pid, v.number",
        (thread, known, low, high),
    )
    histories = gather_histories(rows, Sights(connection, thread, tid, zone, known, html=html, glance=glance))
    if not reckoned:
        return histories
    inside = [
        history
        for history in histories
        if (since is None or since <= history.posted_at) and (until is None or history.posted_at < until)
    ]
    return iter(sorted(inside, key=lambda history: (history.posted_at, history.pid)))


def fetch_passes(
    connection: sqlite3.Connection, thread: int, tid: int, zone: ZoneInfo, *, known_at: datetime | None = None
) -> tuple[Pass, ...]:
    """See `Archive.fetch_passes`."""
    known = utc_time(known_at) if known_at else _ALWAYS
    moments = Moments(zone)
    passes = []
    for pass_id, started_at, first, ended_at, pages, complete, why in connection.execute(
        "SELECT p.id, p.started_at, p.first, e.ended_at, e.pages, e.complete, e.why"
        " FROM passes p LEFT JOIN pass_ends e ON e.pass_id = p.id AND e.ended_at <= ?"
        " WHERE p.thread_id = ? AND p.started_at <= ? ORDER BY p.started_at, e.ended_at",
        (known, thread, known),
    ).fetchall():
        rows = connection.execute(
            "SELECT g.shown, g.pages, g.seen_at, g.told_at, c.zone, s.first, s.last, s.starts, s.ends, s.sorting FROM pages g"
            " JOIN page_contents c ON c.id = g.content_id JOIN spans s ON s.content_id = c.id"
            " WHERE g.pass_id = ? AND g.seen_at <= ? ORDER BY g.seen_at, g.id",
            (pass_id, known),
        ).fetchall()
        missed = connection.execute("SELECT number FROM misses WHERE pass_id = ? AND at <= ?", (pass_id, known)).fetchall()
        promised = pages if pages is not None else rows[-1][1] if rows else 0
        lost = {number for (number,) in missed}
        dependable = find_dependable([(row[0], row[-1]) for row in rows])
        looks = {
            row[0]: _read_look(row, moments)
            for place, row in enumerate(rows)
            if row[0] not in lost and (place >= dependable or row[-1] == Order.FALLING)
        }
        seen = {row[0] for row in rows} - lost
        zones = [row[4] for row in rows if row[4] is not None]
        passes.append(
            Pass(
                tid,
                moments.read(started_at),
                moments.read(ended_at) if ended_at else None,
                promised,
                tuple(sorted(seen)),
                tuple(sorted(set(range(first, promised + 1)) - seen | lost)),
                bool(complete),
                why if why is not None else phrase("the pass was cut off"),
                zones[-1] if zones else None,
                first,
                tuple(looks.values()),
                shrank=any(after[1] < before[1] for before, after in pairwise(rows)),
                newest_first=any(row[-1] == Order.FALLING for row in rows),
                told_at=moments.read(rows[0][3]) if rows and rows[0][3] else None,
            )
        )
    return tuple(passes)


def _read_look(row: tuple[Any, ...], moments: Moments) -> PageLook:
    """The look that a page's row with its span is."""
    shown, pages, seen_at, _, _, first, last, starts, ends, sorting = row
    starts_at, ends_at = moments.read_printed(starts), moments.read_printed(ends)
    return PageLook(shown, pages, moments.read(seen_at), first, last, starts_at, ends_at, _ORDERS[sorting])


def fetch_page_flaws(
    connection: sqlite3.Connection, thread: int, tid: int, zone: ZoneInfo, *, known_at: datetime | None = None
) -> tuple[PageFlaw, ...]:
    """See `Archive.fetch_page_flaws`."""
    # SQLite takes the bare columns of an aggregate from the row that holds the maximum.
    rows = connection.execute(
        "SELECT g.shown, max(g.seen_at), c.flaws FROM passes p JOIN pages g ON g.pass_id = p.id"
        " JOIN page_contents c ON c.id = g.content_id WHERE p.thread_id = ? AND g.seen_at <= ?"
        " GROUP BY g.shown ORDER BY g.shown",
        (thread, utc_time(known_at) if known_at else _ALWAYS),
    )
    found = []
    for number, seen, flaws in rows:
        seen_at = datetime.fromisoformat(seen).astimezone(zone)
        found += [
            PageFlaw(tid, number, seen_at, flaw)
            for flaw in (decode_flaws(flaws) if flaws else ())
            if flaw.code != _CLOCK or _is_far(dict(flaw.parameters), seen_at)
        ]
    return tuple(found)


def _is_far(parameters: dict[str, str], seen_at: datetime) -> bool:
    """Whether the time that a board's footer printed is far from ours in the zone that holds now."""
    printed = datetime.fromisoformat(parameters["printed"]).replace(tzinfo=seen_at.tzinfo)
    return abs(printed - datetime.fromisoformat(parameters["seen"])) > timedelta(hours=12)
