"""Reading the archive back: the history of every post, the passes, the flaws of pages.

What was seen last is found page by page, not post by post: a page that stands as it stood speaks for all its posts.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import chain, pairwise
from typing import Any
from zoneinfo import ZoneInfo

from scraper.absence import read_moment
from scraper.passes import Order, PageFlaw, PageLook, Pass
from scraper.post import History, PostState, Revision
from scraper.rows import POST_COLUMNS, decode_flaws, decode_post, local_time, utc_time

# After every moment that the archive may hold.
_ALWAYS = "9999"

# The flaw of a post that stands as posted later than it was seen (scraper/page.py): so it looks where the zone is wrong.
_FUTURE = "A117"
# And of a page whose footer's clock is far from ours.
_CLOCK = "A122"

_POSTS = ", ".join(f"r.{column}" for column in POST_COLUMNS.split(", "))


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
) -> Iterator[History]:
    """See `Archive.fetch_histories`."""
    known = utc_time(known_at) if known_at else _ALWAYS
    # Posts whose time was reckoned are few and rare; with one, the order is made here, where zones are known.
    reckoned = connection.execute("SELECT 1 FROM versions WHERE thread_id = ? AND length(posted) > 19", (thread,)).fetchone()
    low = local_time(since, zone) if since and not reckoned else ""
    high = local_time(until, zone) if until and not reckoned else _ALWAYS
    region = "r.html" if html else "''"
    rows = connection.execute(
        f"SELECT {_POSTS}, v.number, v.seen_at, {region}"
        " FROM versions v JOIN revisions r ON r.id = v.revision_id"
        " WHERE v.thread_id = ? AND v.seen_at <= ? AND v.posted >= ? AND v.posted < ?"
        " ORDER BY v.posted, v.pid, v.number",
        (thread, known, low, high),
    )
    histories = _gather(rows, tid, zone, _Sights(connection, thread, zone, known))
    if not reckoned:
        return histories
    inside = [
        history
        for history in histories
        if (since is None or since <= history.first.posted_at) and (until is None or history.first.posted_at < until)
    ]
    return iter(sorted(inside, key=lambda history: (history.first.posted_at, history.first.pid)))


def _gather(rows: Iterable[tuple[Any, ...]], tid: int, zone: ZoneInfo, sights: _Sights) -> Iterator[History]:
    """The rows of one post after the other, as histories."""
    revisions: list[Revision] = []
    for row in rows:
        number, seen, html = row[-3:]
        if number == 1 and revisions:
            yield sights.close(revisions)
            revisions = []
        seen_at = sights.moment(seen)
        post = decode_post(row, tid=tid, floor=sights.last[row[0]][1], zone=zone, html=html)
        if post.flaws and post.posted_at <= seen_at:
            # The zone may have been set right since.
            post = replace(post, flaws=tuple(flaw for flaw in post.flaws if flaw.code != _FUTURE))
        revisions.append(Revision(number, seen_at, post))
    if revisions:
        yield sights.close(revisions)


class _Sights:
    """When and under which floor each post of a thread was last seen, and which passes did not find it where it must be.

    `last` gives for each pid: itself, its floor, and when it was seen (UTC).
    """

    def __init__(self, connection: sqlite3.Connection, thread: int, zone: ZoneInfo, known: str) -> None:
        self._connection, self._thread, self._known = connection, thread, known
        self._clock = _Clock(zone)
        self._absent: dict[int, list[str]] = {}
        for pid, started in connection.execute(
            "SELECT pid, started_at FROM absences WHERE thread_id = ? AND ended_at <= ? ORDER BY pid, started_at", (thread, known)
        ):
            self._absent.setdefault(pid, []).append(started)
        self.last: dict[int, tuple[int, str, str]] = {}
        self._look()

    def _look(self) -> None:
        pids = "SELECT pid FROM versions WHERE thread_id = ? AND number = 1 AND seen_at <= ?"
        waiting = set(chain.from_iterable(self._connection.execute(pids, (self._thread, self._known))))
        contents = self._connection.execute(
            "SELECT g.content_id, max(g.seen_at) AS seen FROM passes p JOIN pages g ON g.pass_id = p.id"
            " WHERE p.thread_id = ? AND g.seen_at <= ? GROUP BY g.content_id ORDER BY seen DESC, g.content_id DESC",
            (self._thread, self._known),
        ).fetchall()
        # Older pages are opened only while a post is left that no newer one shows.
        for content, seen in contents:
            if not waiting:
                break
            rows = self._connection.execute(
                "SELECT pid, floor, ? FROM page_posts WHERE content_id = ?", (seen, content)
            ).fetchall()
            fresh = {row[0]: row for row in rows if row[0] in waiting}
            self.last.update(fresh)
            waiting.difference_update(fresh)

    def moment(self, utc: str) -> datetime:
        """A stored time in the board's zone."""
        return self._clock.moment(utc)

    def close(self, revisions: list[Revision]) -> History:
        """The history of one post, with what became of it."""
        latest = revisions[-1].post
        state, missing_since = latest.state, None
        pid, _, seen = self.last[latest.pid]
        if missed := [started for started in self._absent.get(pid, ()) if started > seen]:
            missing_since = self.moment(missed[0])
            # A post may be overlooked once: posts move to earlier pages while a pass runs.
            state = PostState.DELETED if len(missed) > 1 else state
        return History(tuple(revisions), state, self.moment(seen), missing_since)


def fetch_passes(
    connection: sqlite3.Connection, thread: int, tid: int, zone: ZoneInfo, *, known_at: datetime | None = None
) -> tuple[Pass, ...]:
    """See `Archive.fetch_passes`."""
    known = utc_time(known_at) if known_at else _ALWAYS
    clock = _Clock(zone)
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
        looks = {row[0]: clock.look(row) for row in rows if row[0] not in lost}
        zones = [row[4] for row in rows if row[4] is not None]
        passes.append(
            Pass(
                tid,
                clock.moment(started_at),
                clock.moment(ended_at) if ended_at else None,
                promised,
                tuple(sorted(looks)),
                tuple(sorted(set(range(first, promised + 1)) - looks.keys() | lost)),
                bool(complete),
                why if why is not None else "the pass was cut off",
                zones[-1] if zones else None,
                first,
                tuple(looks.values()),
                shrank=any(after[1] < before[1] for before, after in pairwise(rows)),
                newest_first=any(row[-1] == Order.FALLING for row in rows),
                told_at=clock.moment(rows[0][3]) if rows and rows[0][3] else None,
            )
        )
    return tuple(passes)


class _Clock:
    """Stored times in the board's zone; many share theirs, so each is made once."""

    def __init__(self, zone: ZoneInfo) -> None:
        self._zone = zone
        self._moments: dict[str, datetime] = {}

    def moment(self, utc: str) -> datetime:
        """A stored time in UTC as a moment in the zone."""
        moment = self._moments.get(utc)
        if moment is None:
            moment = self._moments[utc] = datetime.fromisoformat(utc).astimezone(self._zone)
        return moment

    def look(self, row: tuple[Any, ...]) -> PageLook:
        """The look that a page's row with its span is."""
        shown, pages, seen_at, _, _, first, last, starts, ends, sorting = row
        starts_at, ends_at = read_moment(starts, self._zone), read_moment(ends, self._zone)
        return PageLook(shown, pages, self.moment(seen_at), first, last, starts_at, ends_at, Order(sorting))


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
