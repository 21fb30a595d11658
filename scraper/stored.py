"""The history of a post as its rows hold it, decoded when somebody asks.

A thread of twenty thousand posts is mostly chat, of which a count needs who wrote it and its words: those are read off the row.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from scraper.absence import read_moment
from scraper.post import History, PostState, Revision, Source
from scraper.rows import POST_COLUMNS, decode_post, read_local

# What `gather_histories` takes: the columns of a post, then its number, when it was first seen (UTC), and its html.
STORED_COLUMNS = ", ".join([*(f"r.{column}" for column in POST_COLUMNS.split(", ")), "v.number", "v.seen_at"])

_PID, _AUTHOR, _UID, _POSTED, _EXACT, _STATE, _TEXT, _QUOTES, _FLAWS = (
    POST_COLUMNS.split(", ").index(name)
    for name in ("pid", "author", "uid", "posted", "exact", "state", "text", "quotes", "flaws")
)
_NUMBER = len(POST_COLUMNS.split(", "))
_NORMAL = PostState.NORMAL.value

# The flaw of a post that stands as posted later than it was seen (scraper/page.py): so it looks where the zone is wrong.
_FUTURE = "A117"


class Moments:
    """Stored times in the board's zone; many share theirs, so each is made once."""

    def __init__(self, zone: ZoneInfo) -> None:
        self.zone = zone
        self._moments: dict[str, datetime] = {}
        self._printed: dict[str, datetime | None] = {}

    def read(self, utc: str) -> datetime:
        """A stored time in UTC as a moment in the zone."""
        moment = self._moments.get(utc)
        if moment is None:
            moment = self._moments[utc] = datetime.fromisoformat(utc).astimezone(self.zone)
        return moment

    def read_printed(self, posted: str) -> datetime | None:
        """When a post was posted, as the board printed it; None where its time was only reckoned."""
        if posted not in self._printed:
            self._printed[posted] = read_moment(posted, self.zone)
        return self._printed[posted]


class Sights:
    """When and under which floor each post of a thread was last seen, and which passes did not find it where it must be.

    `last` gives for each pid: itself, its floor, and when it was seen (UTC). `known` (UTC) is the end of what may be known.
    """

    def __init__(self, connection: sqlite3.Connection, thread: int, tid: int, zone: ZoneInfo, known: str) -> None:
        self.tid = tid
        self.moments = Moments(zone)
        self.absent: dict[int, list[str]] = {}
        for pid, started in connection.execute(
            "SELECT pid, started_at FROM absences WHERE thread_id = ? AND ended_at <= ? ORDER BY pid, started_at", (thread, known)
        ):
            self.absent.setdefault(pid, []).append(started)
        self.last: dict[int, tuple[int, str, str]] = {}
        self._look(connection, thread, known)

    def _look(self, connection: sqlite3.Connection, thread: int, known: str) -> None:
        counted = "SELECT count(*) FROM versions WHERE thread_id = ? AND number = 1 AND seen_at <= ?"
        (posts,) = connection.execute(counted, (thread, known)).fetchone()
        contents = connection.execute(
            "SELECT g.content_id, max(g.seen_at) AS seen FROM passes p JOIN pages g ON g.pass_id = p.id"
            " WHERE p.thread_id = ? AND g.seen_at <= ? GROUP BY g.content_id ORDER BY seen DESC, g.content_id DESC",
            (thread, known),
        ).fetchall()
        # Older pages are opened only while a post is left that no newer one shows.
        for content, seen in contents:
            if len(self.last) == posts:
                break
            rows = connection.execute("SELECT pid, floor, ? FROM page_posts WHERE content_id = ?", (seen, content))
            shown = {row[0]: row for row in rows}
            if not self.last.keys().isdisjoint(shown):
                shown = {pid: row for pid, row in shown.items() if pid not in self.last}
            self.last.update(shown)


class StoredHistory(History):
    """The history of one post: its first row (most have no other), and the sights of its thread."""

    __slots__ = ("_made", "_row", "_sights")

    _made: History
    _row: Sequence[Any]
    _sights: Sights

    def __new__(  # type: ignore[misc]
        cls, revisions: tuple[Revision, ...], state: PostState, last_seen: datetime, missing_since: datetime | None = None
    ) -> History:
        """What `dataclasses.replace` makes of a stored history is one as any other."""
        return History(revisions, state, last_seen, missing_since)

    @classmethod
    def of_row(cls, row: Sequence[Any], sights: Sights) -> StoredHistory:
        """The history of a post that was seen in one revision."""
        history = _new(cls)
        _set(history, "_row", row)
        _set(history, "_sights", sights)
        return history

    @property
    def revisions(self) -> tuple[Revision, ...]:
        return self._whole.revisions

    @property
    def state(self) -> PostState:
        return self._whole.state

    @property
    def last_seen(self) -> datetime:
        return self._whole.last_seen

    @property
    def missing_since(self) -> datetime | None:
        return self._whole.missing_since

    @property
    def tid(self) -> int:
        return self._sights.tid

    @property
    def pid(self) -> int:
        pid: int = self._row[_PID]
        return pid

    @property
    def floor(self) -> str:
        return self._sights.last[self._row[_PID]][1]

    @property
    def author(self) -> str:
        author: str = self._row[_AUTHOR]
        return author

    @property
    def uid(self) -> int | None:
        uid: int | None = self._row[_UID]
        return uid

    @property
    def account(self) -> tuple[str, int | None]:
        row = self._row
        return row[_AUTHOR], row[_UID]

    @property
    def posted_at(self) -> datetime:
        return read_local(self._row[_POSTED], self._sights.moments.zone)

    @property
    def exact_seconds(self) -> bool:
        return bool(self._row[_EXACT])

    @property
    def links_quotes(self) -> bool:
        return self._row[_QUOTES] is not None and super().links_quotes

    @property
    def plain_words(self) -> str | None:
        row = self._row
        if row[_FLAWS] is not None or row[_STATE] != _NORMAL:
            return super().plain_words
        words: str = row[_TEXT]
        return words

    def cite(self, number: int = 1, line: int | None = None, column: int | None = None) -> Source:
        pid, sights = self._row[_PID], self._sights
        return Source(sights.tid, pid, number, sights.last[pid][1], line, column)

    @property
    def _rows(self) -> Sequence[Sequence[Any]]:
        return (self._row,)

    @property
    def _whole(self) -> History:
        try:
            return self._made
        except AttributeError:
            made = _decode(self._rows, self._sights)
            _set(self, "_made", made)
            return made

    def __eq__(self, other: object) -> bool:
        if isinstance(other, StoredHistory):
            return self._whole == other._whole
        return self._whole == other if isinstance(other, History) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._whole)

    def __repr__(self) -> str:
        return repr(self._whole)

    def __reduce__(self) -> tuple[object, ...]:
        return History, (self.revisions, self.state, self.last_seen, self.missing_since)


class RevisedHistory(StoredHistory):
    """The history of a post that was seen in several revisions."""

    __slots__ = ("_later",)

    _later: Sequence[Sequence[Any]]

    @classmethod
    def of_rows(cls, rows: Sequence[Sequence[Any]], sights: Sights) -> StoredHistory:
        """The history of the rows of one post, oldest first."""
        history = cls.of_row(rows[0], sights)
        _set(history, "_later", rows[1:])
        return history

    @property
    def plain_words(self) -> None:
        return None

    @property
    def _rows(self) -> Sequence[Sequence[Any]]:
        return (self._row, *self._later)


_new = object.__new__
_set = object.__setattr__


def gather_histories(rows: Iterable[Sequence[Any]], sights: Sights) -> Iterator[History]:
    """The rows of one post after the other, as histories."""
    held: list[Sequence[Any]] = []
    for row in rows:
        if row[_NUMBER] == 1 and held:
            yield StoredHistory.of_row(held[0], sights) if len(held) == 1 else RevisedHistory.of_rows(held, sights)
            held = []
        held.append(row)
    if held:
        yield StoredHistory.of_row(held[0], sights) if len(held) == 1 else RevisedHistory.of_rows(held, sights)


def _decode(rows: Sequence[Sequence[Any]], sights: Sights) -> History:
    """The history of one post, with what became of it."""
    pid, floor, seen = sights.last[rows[0][_PID]]
    zone = sights.moments.zone
    revisions = []
    for row in rows:
        number, seen_at, html = row[_NUMBER:]
        first_seen = sights.moments.read(seen_at)
        post = decode_post(row, tid=sights.tid, floor=floor, zone=zone, html=html)
        if post.flaws and post.posted_at <= first_seen:
            # The zone may have been set right since.
            post = replace(post, flaws=tuple(flaw for flaw in post.flaws if flaw.code != _FUTURE))
        revisions.append(Revision(number, first_seen, post))
    state, missing_since = revisions[-1].post.state, None
    if missed := [started for started in sights.absent.get(pid, ()) if started > seen]:
        missing_since = sights.moments.read(missed[0])
        # A post may be overlooked once: posts move to earlier pages while a pass runs.
        state = PostState.DELETED if len(missed) > 1 else state
    return History(tuple(revisions), state, sights.moments.read(seen), missing_since)
