"""The history of a post as its rows hold it, read and decoded when somebody asks.

A thread of twenty thousand posts is mostly chat, of which a count needs who wrote it and its words: those are read off the row.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from scraper.absence import read_moment
from scraper.post import History, PostState, Revision, Source
from scraper.rows import POST_COLUMNS, decode_post, read_local

# What `gather_histories` takes of each version: little, since of most posts nothing else is asked. The words are looked at in
# passing (`glance`), and not kept: of a long thread they are most of what a count would hold.
LIGHT_COLUMNS = (
    "v.pid, r.author, r.uid, v.posted,"
    " r.exact + 2 * (r.state = 'normal' AND r.flaws IS NULL) + 4 * (r.quotes IS NOT NULL) + 16 * (r.edited IS NOT NULL),"
    " v.number, r.id, r.text"
)
_EXACT, _PLAIN, _QUOTES, _HOLDS, _MARKED = 1, 2, 4, 8, 16

# What is kept: the pid, whose it is (one value for all posts of an account), when it was posted, what is set, the revision.
_Row = tuple[int, tuple[str, int | None], str, int, int]
_PID: Final = 0
_ACCOUNT: Final = 1
_POSTED: Final = 2
_BITS: Final = 3
_ID: Final = 4

# What a history is decoded from: the columns of a post, then its number, when it was first seen (UTC), and its html.
_WHOLE_COLUMNS = ", ".join([*(f"r.{column}" for column in POST_COLUMNS.split(", ")), "v.number", "v.seen_at"])
_NUMBER_OF_WHOLE = len(POST_COLUMNS.split(", "))
# So many posts are read whole at once, with two parameters each: a build of SQLite may take no more than 999.
_POSTS_AT_ONCE = 256

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

    `floors` and `seen` give these for each pid, the latter in UTC. `known` (UTC) is the end of what may be known. `glance` is
    the pattern that the words of each post were searched for when its row was read, None for none.
    What a post says is read when it is asked for, so the archive must be open then; with `html`, its region comes along.
    """

    def __init__(
        self,
        connection: sqlite3.Connection,
        thread: int,
        tid: int,
        zone: ZoneInfo,
        known: str,
        *,
        html: bool = False,
        glance: re.Pattern[str] | None = None,
    ) -> None:
        self.tid = tid
        self.glance = glance
        self._connection, self._thread = connection, thread
        region = "r.html" if html else "''"
        self._whole = (
            f"SELECT {_WHOLE_COLUMNS}, {region} FROM versions v JOIN revisions r ON r.id = v.revision_id"
            " WHERE v.thread_id = ? AND v.posted = ? AND v.pid = ? AND v.number <= ? ORDER BY v.number"
        )
        self._many = (
            "WITH wanted (posted, pid) AS (VALUES {wanted})"
            f" SELECT {_WHOLE_COLUMNS}, {region} FROM wanted CROSS JOIN versions v CROSS JOIN revisions r"
            " WHERE v.thread_id = ? AND v.posted = wanted.posted AND v.pid = wanted.pid AND r.id = v.revision_id"
            " ORDER BY v.posted, v.pid, v.number"
        )
        self.moments = Moments(zone)
        self.absent: dict[int, list[str]] = {}
        for pid, started in connection.execute(
            "SELECT pid, started_at FROM absences WHERE thread_id = ? AND ended_at <= ? ORDER BY pid, started_at", (thread, known)
        ):
            self.absent.setdefault(pid, []).append(started)
        self.floors: dict[int, str] = {}
        self.seen: dict[int, str] = {}
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
            if len(self.floors) == posts:
                break
            shown = dict(connection.execute("SELECT pid, floor FROM page_posts WHERE content_id = ?", (content,)))
            if not self.floors.keys().isdisjoint(shown):
                shown = {pid: floor for pid, floor in shown.items() if pid not in self.floors}
            self.floors.update(shown)
            self.seen.update(dict.fromkeys(shown, seen))

    def fetch_rows(self, posted: str, pid: int, number: int) -> Sequence[Sequence[Any]]:
        """The whole rows of a post, oldest first, up to the revision of that number: later ones came since it was gathered."""
        return self._connection.execute(self._whole, (self._thread, posted, pid, number)).fetchall()

    def fetch_many(self, posts: Sequence[tuple[str, int]]) -> dict[int, list[Sequence[Any]]]:
        """The whole rows of many posts, each by when it was posted and its pid: by pid, oldest first, later revisions too."""
        found: dict[int, list[Sequence[Any]]] = {}
        for start in range(0, len(posts), _POSTS_AT_ONCE):
            some = posts[start : start + _POSTS_AT_ONCE]
            wanted = ", ".join(["(?, ?)"] * len(some))
            query = self._many.format(wanted=wanted)
            for row in self._connection.execute(query, (*[value for post in some for value in post], self._thread)):
                found.setdefault(row[0], []).append(row)
        return found

    def fetch_words(self, revision: int) -> str:
        """The own words of a revision."""
        words: str = self._connection.execute("SELECT text FROM revisions WHERE id = ?", (revision,)).fetchone()[0]
        return words


class StoredHistory(History):
    """The history of one post: its first row (most have no other), and the sights of its thread."""

    __slots__ = ("_made", "_row", "_sights")

    _made: History
    _row: _Row
    _sights: Sights

    def __new__(  # type: ignore[misc]
        cls, revisions: tuple[Revision, ...], state: PostState, last_seen: datetime, missing_since: datetime | None = None
    ) -> History:
        """What `dataclasses.replace` makes of a stored history is one as any other."""
        return History(revisions, state, last_seen, missing_since)

    @classmethod
    def of_row(cls, row: _Row, sights: Sights) -> StoredHistory:
        """The history of a post that was seen in one revision."""
        history = _new(cls)
        _set(history, "_row", row)
        _set(history, "_sights", sights)
        return history

    @property
    def revisions(self) -> tuple[Revision, ...]:
        return self.whole.revisions

    @property
    def state(self) -> PostState:
        return self.whole.state

    @property
    def last_seen(self) -> datetime:
        return self.whole.last_seen

    @property
    def missing_since(self) -> datetime | None:
        return self.whole.missing_since

    @property
    def tid(self) -> int:
        return self._sights.tid

    @property
    def pid(self) -> int:
        return self._row[_PID]

    @property
    def floor(self) -> str:
        return self._sights.floors[self._row[_PID]]

    @property
    def author(self) -> str:
        return self._row[_ACCOUNT][0]

    @property
    def uid(self) -> int | None:
        return self._row[_ACCOUNT][1]

    @property
    def account(self) -> tuple[str, int | None]:
        return self._row[_ACCOUNT]

    @property
    def posted_at(self) -> datetime:
        return read_local(self._row[_POSTED], self._sights.moments.zone)

    @property
    def exact_seconds(self) -> bool:
        return bool(self._row[_BITS] & _EXACT)

    @property
    def links_quotes(self) -> bool:
        return bool(self._row[_BITS] & _QUOTES) and super().links_quotes

    @property
    def is_marked(self) -> bool:
        return bool(self._row[_BITS] & _MARKED)

    @property
    def plain_words(self) -> str | None:
        row = self._row
        return self._sights.fetch_words(row[_ID]) if row[_BITS] & _PLAIN else super().plain_words

    def may_hold(self, pattern: re.Pattern[str]) -> bool:
        bits = self._row[_BITS]
        if pattern is self._sights.glance and bits & _PLAIN:
            return bool(bits & _HOLDS)
        return super().may_hold(pattern)

    def cite(self, number: int = 1, line: int | None = None, column: int | None = None) -> Source:
        pid, sights = self._row[_PID], self._sights
        # A count asks it of every post: past the named tuple's own way of being made it takes half the time.
        return _new_tuple(Source, (sights.tid, pid, number, sights.floors[pid], line, column))

    @property
    def _revisions(self) -> int:
        return 1

    @property
    def whole(self) -> History:
        try:
            return self._made
        except AttributeError:
            row, sights = self._row, self._sights
            self.take_rows(sights.fetch_rows(row[_POSTED], row[_PID], self._revisions))
            return self._made

    @property
    def is_read(self) -> bool:
        """Whether `whole` is at hand."""
        return hasattr(self, "_made")

    @property
    def sights(self) -> Sights:
        """Those of its thread."""
        return self._sights

    @property
    def key(self) -> tuple[str, int]:
        """By which its rows are found: when it was posted, as stored, and its pid."""
        return self._row[_POSTED], self._row[_PID]

    def take_rows(self, rows: Sequence[Sequence[Any]]) -> None:
        """Make `whole` of its rows, oldest first; those of revisions that came since it was gathered are left out."""
        known = [row for row in rows if row[_NUMBER_OF_WHOLE] <= self._revisions]
        _set(self, "_made", _decode(known, self._sights))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, StoredHistory):
            return self.whole == other.whole
        return self.whole == other if isinstance(other, History) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.whole)

    def __repr__(self) -> str:
        return repr(self.whole)

    def __reduce__(self) -> tuple[object, ...]:
        return History, (self.revisions, self.state, self.last_seen, self.missing_since)


class RevisedHistory(StoredHistory):
    """The history of a post that was seen in several revisions."""

    __slots__ = ("_seen",)

    _seen: int

    @classmethod
    def of_rows(cls, first: _Row, sights: Sights, number: int) -> StoredHistory:
        """The history of a post by its first row and the number of its last revision."""
        history = cls.of_row(first, sights)
        _set(history, "_seen", number)
        return history

    @property
    def plain_words(self) -> None:
        return None

    def may_hold(self, pattern: re.Pattern[str]) -> bool:
        return True

    @property
    def _revisions(self) -> int:
        return self._seen


_new = object.__new__
_new_tuple = tuple.__new__
_set = object.__setattr__


def gather_histories(rows: Iterable[tuple[int, str, int | None, str, int, int, int, str]], sights: Sights) -> Iterator[History]:
    """The rows of `LIGHT_COLUMNS`, those of one post after the other, as histories."""
    accounts: dict[tuple[str, int | None], tuple[str, int | None]] = {}
    search = sights.glance.search if sights.glance is not None else None
    first: _Row | None = None
    last = 1
    make = StoredHistory.of_row
    for pid, author, uid, posted, bits, number, revision, words in rows:
        if number > 1:
            last = number
            continue
        if first is not None:
            yield make(first, sights) if last == 1 else RevisedHistory.of_rows(first, sights, last)
        account = author, uid
        if search is not None and search(words) is not None:
            bits |= _HOLDS
        first, last = (pid, accounts.setdefault(account, account), posted, bits, revision), 1
    if first is not None:
        yield make(first, sights) if last == 1 else RevisedHistory.of_rows(first, sights, last)


def read_whole(histories: Sequence[History]) -> None:
    """Have everything of these histories at hand (`History.whole`): read together, they cost half of what each alone does."""
    unread: dict[int, list[StoredHistory]] = {}
    for history in histories:
        if isinstance(history, StoredHistory) and not history.is_read:
            unread.setdefault(id(history.sights), []).append(history)
    for some in unread.values():
        rows = some[0].sights.fetch_many([history.key for history in some])
        for history in some:
            history.take_rows(rows[history.pid])


def _decode(rows: Sequence[Sequence[Any]], sights: Sights) -> History:
    """The history of one post, with what became of it."""
    pid = rows[0][0]
    floor, seen = sights.floors[pid], sights.seen[pid]
    zone = sights.moments.zone
    revisions = []
    for row in rows:
        number, seen_at, html = row[_NUMBER_OF_WHOLE:]
        first_seen = sights.moments.read(seen_at)
        post = decode_post(row, tid=sights.tid, floor=floor, zone=zone, html=html)
        if post.flaws and post.posted_at <= first_seen:
            # The zone may have been set right since.
            post = post._replace(flaws=tuple(flaw for flaw in post.flaws if flaw.code != _FUTURE))
        revisions.append(Revision(number, first_seen, post))
    state, missing_since = revisions[-1].post.state, None
    if missed := [started for started in sights.absent.get(pid, ()) if started > seen]:
        missing_since = sights.moments.read(missed[0])
        # A post may be overlooked once: posts move to earlier pages while a pass runs.
        state = PostState.DELETED if len(missed) > 1 else state
    return History(tuple(revisions), state, sights.moments.read(seen), missing_since)
