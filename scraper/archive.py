"""The archive: everything that was ever seen of a board, in one SQLite file per game that only grows.

A page is compared by its gate before anything is read: an unchanged page costs one small row, a partly changed one reads only
the posts whose gate is new. docs/database.md tells of the tables, and why they are as they are.
"""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from scraper.absence import find_suspects, save_absences
from scraper.address import Family
from scraper.changes import find_changes
from scraper.deposit import find_thread, rebuild, save_page
from scraper.errors import ArchiveError, BanshaError
from scraper.histories import fetch_histories, fetch_page_flaws, fetch_passes
from scraper.lightly import without_optional
from scraper.passes import PageFlaw, PageOutcome, Pass, PassId, PostChange
from scraper.pause import without_collecting
from scraper.phrases import Lookup, phrase, translate
from scraper.post import History
from scraper.response import Response
from scraper.rows import utc_time
from scraper.schema import CACHE_STEPS, MIGRATIONS, VIEWS, find_offsets, migrations
from scraper.writing import BUSY_TIMEOUT, Writing, explained

if TYPE_CHECKING:
    from sqlite_utils import Database

# After so many pages of 4 KB the log is written back, and the disk waited for: at SQLite's own 1,000 a first pass of a long
# thread waits a twentieth of its time. What the end of a pass promises does not go by it.
_CHECKPOINT = 8_000


class Archive:
    """One board's side of a game's database. Open it with `Archive.open`, and use it as a context manager.

    `database` is the same file through sqlite-utils, for the derived tables that others keep in it.
    """

    def __init__(self, database: Database, path: Path, *, board: str, zone: ZoneInfo, lookup: Lookup = str) -> None:
        self.database = database
        self.path = path
        self.board = board
        self.zone = zone
        self._lookup = lookup
        self._connection: sqlite3.Connection = database.conn
        self._writing = Writing(self._connection, path)

    @classmethod
    def open(cls, path: Path, *, board: str, zone: ZoneInfo, lookup: Lookup = str) -> Archive:
        """Open the file, or make it; `zone` is the one that the board prints for the account that reads it.

        It may be another zone than the last time: times are kept as printed, so the views and all that is fetched follow the
        zone given now. Why a page did not come is stored in the words of the catalogue `lookup`. A file or folder that may not
        be written to is opened to be read; whatever would write raises
        ArchiveError. Raises ArchiveError for a file that is no database, is locked, or was made by a newer bansha.
        """
        with explained(path):
            make_private(path)
            try:
                return cls._open(sqlite3.connect(path, timeout=BUSY_TIMEOUT, isolation_level=None), path, board, zone, lookup)
            except (sqlite3.OperationalError, ArchiveError) as error:
                if not path.is_file() or not _is_refused(error):
                    raise
            return cls._open(_connect_readonly(path), path, board, zone, lookup, readonly=True)

    @classmethod
    def _open(
        cls, connection: sqlite3.Connection, path: Path, board: str, zone: ZoneInfo, lookup: Lookup, *, readonly: bool = False
    ) -> Self:
        with without_optional():
            from sqlite_utils import Database

        try:
            if not readonly:
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute("PRAGMA synchronous = NORMAL")
                connection.execute(f"PRAGMA wal_autocheckpoint = {_CHECKPOINT}")
                connection.execute("PRAGMA foreign_keys = ON")
            archive = cls(Database(connection, execute_plugins=False), path, board=board, zone=zone, lookup=lookup)
            archive._migrate(readonly=readonly)
        except BaseException:
            connection.close()
            raise
        return archive

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; what was gathered is written first."""
        try:
            self.flush()
        finally:
            self._connection.close()

    def transaction(self) -> AbstractContextManager[sqlite3.Connection]:
        """What is done inside is written together or not at all; waits while another process writes."""
        return self._writing.alone()

    def flush(self) -> None:
        """Write what was gathered (`save_page`); nothing where nothing was."""
        self._writing.flush()

    def begin_pass(self, tid: int, at: datetime, *, first: int = 1) -> PassId:
        """Begin a pass over a thread, or take up the one that began at that very moment (a recorded pass that was cut off).

        `first` is the page from which on it is to read everything: 1 for a whole pass.
        """
        with self.transaction() as connection:
            thread = self._find_thread(tid)
            if thread is None:
                row = (self.board, tid)
                thread = connection.execute("INSERT INTO threads (board, tid) VALUES (?, ?)", row).lastrowid
            key = (thread, utc_time(at))
            stored = connection.execute("SELECT id FROM passes WHERE thread_id = ? AND started_at = ?", key).fetchone()
            if stored:
                return PassId(stored[0])
            added = connection.execute("INSERT INTO passes (thread_id, started_at, first) VALUES (?, ?, ?)", (*key, first))
            return PassId(added.lastrowid or 0)

    def end_pass(self, pass_id: PassId, at: datetime, *, pages: int, complete: bool, why: str = "") -> None:
        """End a pass: `pages` the thread had, `complete` if every one of them came. From then on a power cut loses none of it.

        Raises ArchiveError where the pass has ended before, and otherwise.
        """
        row = (pass_id, utc_time(at), pages, int(complete), translate(why, self._lookup))
        self.flush()
        # In WAL mode a commit waits for the disk only with FULL, and takes along all that was written before it.
        self._connection.execute("PRAGMA synchronous = FULL")
        try:
            with self.transaction() as connection:
                before = connection.execute("SELECT * FROM pass_ends WHERE pass_id = ?", (pass_id,)).fetchone()
                if before is None:
                    connection.execute("INSERT INTO pass_ends VALUES (?, ?, ?, ?, ?)", row)
                    save_absences(connection, pass_id)
                elif before[:4] != row[:4]:
                    tid = find_thread(connection, pass_id)[1]
                    raise ArchiveError(
                        phrase(
                            "{path}: the pass over thread {tid} that ended at {before} is stored already, and went "
                            "otherwise. If its recording was changed, begin a new database.",
                            path=self.path,
                            tid=tid,
                            before=before[1],
                        )
                    )
        finally:
            self._connection.execute("PRAGMA synchronous = NORMAL")

    def save_page(self, pass_id: PassId, response: Response, number: int, *, gather: bool = False) -> PageOutcome:
        """Store one page of a pass, asked for as page `number`, and read what is new in it: one transaction.

        With `gather`, of pages that are at hand for another time, it is written with those that follow: see `flush`. One that
        fails half stored takes those along that were gathered with it.

        A page that the pass holds already stays as it is; ArchiveError if it differs now. Raises LayoutError, and stores
        nothing, for what is no page of a thread (`save_miss` keeps that), CutPageError for one that stops in its first post, and
        ThreadMovedError for a page of another thread.
        """
        with without_collecting(), self._writing.together() if gather else self.transaction() as connection:
            return save_page(connection, self.zone, pass_id, response, number)

    def save_miss(
        self,
        pass_id: PassId,
        number: int,
        at: datetime,
        why: str | BanshaError,
        response: Response | None = None,
        *,
        keep: bool = False,
    ) -> Path | None:
        """Note that a page did not come, or came as no thread page, and why; `response` is what came instead.

        With `keep` a copy of it is written before the row: an `.http` file in `unreadable/` beside the database. Returns it.
        """
        from scraper.screens import save_copy

        folder = self.path.parent / "unreadable"
        try:
            copy = save_copy(_without_cookies(response), folder) if response and keep else None
        except OSError as error:
            raise ArchiveError(
                phrase(
                    "{folder}: the copy of a page that could not be read cannot be written ({strerror}). Make room, "
                    "or let the folder be written to, and run again.",
                    folder=folder,
                    strerror=error.strerror,
                )
            ) from error
        url, status = (response.url, response.status) if response else ("", None)
        row = (pass_id, number, utc_time(at), url, status, translate(why, self._lookup), copy.name if copy else None)
        with self.transaction() as connection:
            if not connection.execute("SELECT 1 FROM misses WHERE pass_id = ? AND number = ?", row[:2]).fetchone():
                connection.execute("INSERT INTO misses VALUES (?, ?, ?, ?, ?, ?, ?)", row)
        return copy

    def rebuild(self) -> None:
        """Make the derived tables anew from the raw ones: they come out the same."""
        with self.transaction() as connection:
            for (thread,) in connection.execute("SELECT id FROM threads").fetchall():
                rebuild(connection, thread)

    def fetch_histories(
        self,
        tid: int,
        *,
        known_at: datetime | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        html: bool = False,
        glance: re.Pattern[str] | None = None,
    ) -> Iterator[History]:
        """Every post of a thread that was ever seen, with all its revisions, in the order of posting, then of pid.

        `known_at` limits the evidence to what had been seen by then. `since` (included) and `until` (not included) limit the
        time of posting. `Post.html` is filled only with `html`: it is most of the bytes, and a count needs none of it. The words
        are searched for `glance` in passing: whether a post may hold it (`History.may_hold`) needs no second look at them.
        """
        thread = self._find_thread(tid) or 0
        return fetch_histories(
            self._connection, thread, tid, self.zone, known_at=known_at, since=since, until=until, html=html, glance=glance
        )

    def fetch_passes(self, tid: int, *, known_at: datetime | None = None) -> tuple[Pass, ...]:
        """The passes over a thread in the order in which they began; `known_at` as in `fetch_histories`."""
        return fetch_passes(self._connection, self._find_thread(tid) or 0, tid, self.zone, known_at=known_at)

    def fetch_page_flaws(self, tid: int, *, known_at: datetime | None = None) -> tuple[PageFlaw, ...]:
        """The flaws of each page of a thread as it was last seen, in the order of pages."""
        return fetch_page_flaws(self._connection, self._find_thread(tid) or 0, tid, self.zone, known_at=known_at)

    def fetch_suspects(self, tid: int) -> tuple[int, ...]:
        """The pages of a thread to read so as to settle whether posts that one pass did not find are gone, oldest doubt first."""
        return find_suspects(self._connection, self._find_thread(tid) or 0)

    def fetch_changes(self, pass_id: PassId, outcomes: Sequence[PageOutcome]) -> tuple[PostChange, ...]:
        """What became of the posts of a thread in a pass that has ended; `outcomes` are of its pages, as they were stored."""
        # Of a first pass every post is told as new at once.
        with without_collecting():
            return find_changes(self._connection, pass_id, outcomes)

    def fetch_page_count(self, tid: int, before: datetime) -> int:
        """How many pages the thread had by the last page of it that was seen before a moment; 0 where none was."""
        row = self._connection.execute(
            "SELECT g.pages, max(g.seen_at) FROM passes p JOIN pages g ON g.pass_id = p.id"
            " WHERE p.thread_id = ? AND g.seen_at < ?",
            (self._find_thread(tid), utc_time(before)),
        ).fetchone()
        return row[0] or 0

    def fetch_titles(self, tid: int, *, known_at: datetime | None = None) -> tuple[str, ...]:
        """The titles under which a thread was ever seen, the oldest first; none where no page of it was."""
        rows = self._connection.execute(
            "SELECT c.title FROM pages g JOIN page_contents c ON c.id = g.content_id"
            " WHERE c.thread_id = ? AND c.title != '' AND g.seen_at <= ? GROUP BY c.title ORDER BY min(g.seen_at), c.title",
            (self._find_thread(tid), utc_time(known_at) if known_at else "9999"),
        )
        return tuple(title for (title,) in rows)

    def fetch_view(self, name: str, columns: Sequence[str]) -> Iterator[tuple[Any, ...]]:
        """The rows of one of the archive's own public views (docs/database.md); KeyError for another name."""
        if name not in VIEWS:
            raise KeyError(name)
        yield from self._connection.execute(f"SELECT {', '.join(columns)} FROM {name}")

    def fetch_family(self, tid: int) -> Family:
        """How the addresses of a thread's board are written, by the page of it that came last; as on X where none did."""
        row = self._connection.execute(
            "SELECT g.url FROM passes p JOIN pages g ON g.pass_id = p.id WHERE p.thread_id = ? ORDER BY g.seen_at DESC LIMIT 1",
            (self._find_thread(tid),),
        ).fetchone()
        old = row is not None and urlsplit(row[0]).path.endswith("/viewthread.php")
        return Family.OLD if old else Family.X

    def _find_thread(self, tid: int) -> int | None:
        row = self._connection.execute("SELECT id FROM threads WHERE board = ? AND tid = ?", (self.board, tid)).fetchone()
        return row[0] if row else None

    def _migrate(self, *, readonly: bool) -> None:
        steps = migrations()
        applied = {step.name for step in steps.applied(self.database)}
        if newer := applied - MIGRATIONS.keys():
            raise ArchiveError(
                phrase(
                    "{path}: a newer bansha made this database ({newer}); use that one.",
                    path=self.path,
                    newer=", ".join(sorted(newer)),
                )
            )
        missing = MIGRATIONS.keys() - applied
        # What only saves time when pages are stored is not missed by who reads.
        if missing - CACHE_STEPS if readonly else missing:
            # Inside a transaction, so that of two processes that open a new file one waits for the other.
            with self.transaction():
                steps.apply(self.database)
        if readonly:
            # Views and offsets are for readers of the file, and what is fetched goes by neither.
            return
        self._make_views()
        self._set_zone()

    def _make_views(self) -> None:
        wanted = {name: f"CREATE VIEW {name} AS{query}" for name, query in VIEWS.items()}
        stored = dict(self._connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'view'").fetchall())
        if all(stored.get(name) == sql for name, sql in wanted.items()):
            return
        with self.transaction() as connection:
            for name, sql in wanted.items():
                connection.execute(f"DROP VIEW IF EXISTS {name}")
                connection.execute(sql)

    def _set_zone(self) -> None:
        wanted = find_offsets(self.zone)
        stored = "SELECT starts_local, starts_utc, minutes, suffix FROM offsets ORDER BY starts_local"
        if self._connection.execute(stored).fetchall() == wanted:
            return
        with self.transaction() as connection:
            connection.execute("DELETE FROM offsets")
            connection.executemany("INSERT INTO offsets VALUES (?, ?, ?, ?)", wanted)


def make_private(path: Path) -> None:
    """Make a database that is not there yet readable by its owner only: it holds the ledger's secrets too."""
    # Where it is there, or cannot be made, SQLite says so in its own words.
    with suppress(OSError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))


def _is_refused(error: Exception) -> bool:
    said = str(error)
    return "readonly" in said or "unable to open" in said


def _connect_readonly(path: Path) -> sqlite3.Connection:
    """The file as it is; with the journal beside it, where that holds something."""
    journal = path.with_name(f"{path.name}-wal")
    # With `immutable` SQLite passes a journal over, and with it what was stored last.
    alone = not journal.exists() or journal.stat().st_size == 0
    address = f"{path.resolve().as_uri()}?mode=ro{'&immutable=1' if alone else ''}"
    return sqlite3.connect(address, uri=True, timeout=BUSY_TIMEOUT, isolation_level=None)


def _without_cookies(response: Response) -> Response:
    kept = tuple((key, value) for key, value in response.headers if not key.lower().startswith("set-cookie"))
    return replace(response, headers=kept)
