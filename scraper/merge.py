"""Two archives of one board made one: every look of both is kept, and the earliest look at a revision is its first.

A row of the other archive is taken over unless this one holds a row that says the same, word for word; so uniting twice changes
nothing, and it does not matter who unites with whom. A row that says something else under the same key becomes its twin. The
derived tables are made anew from the looks of both.
"""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.request import pathname2url

from scraper.archive import Archive
from scraper.deposit import rebuild
from scraper.errors import ArchiveError
from scraper.phrases import phrase
from scraper.rows import REVISION_COLUMNS

_WORDS = REVISION_COLUMNS.removeprefix("thread_id, ")
_PAGE = "number, shown, pages, seen_at, url, status, content_id, told_at"
_MISS = "number, at, url, status, why"

Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class MergeOutcome:
    """What the other archive brought: how many passes, posts that nobody here had seen, and revisions of posts."""

    passes: int
    posts: int
    revisions: int


def merge_archive(archive: Archive, path: Path) -> MergeOutcome:
    """Take over what the archive at `path` holds of the same board; that file stays as it is.

    All or nothing. Raises ArchiveError for a file that is no archive, was made by a newer bansha, is of another board, or has
    the times of an account with another zone.
    """
    if not path.is_file():
        raise ArchiveError(phrase("{path}: there is no such file.", path=path))
    if path.resolve() == archive.path.resolve():
        raise ArchiveError(phrase("{path}: this is the archive itself; name the other one.", path=path))
    with copied(path) as copy:
        _check_times(archive, copy, path)
        with Archive.open(copy, board=archive.board, zone=archive.zone) as other:
            _check_board(archive, other, path)
            before = _count(archive)
            with archive.transaction() as connection:
                for tid, thread in other.database.conn.execute(
                    "SELECT tid, id FROM threads WHERE board = ? ORDER BY tid", (archive.board,)
                ).fetchall():
                    own = _Merge(connection, other.database.conn, archive, path.parent).unite(tid, thread)
                    rebuild(connection, own)
            after = _count(archive)
    return MergeOutcome(*(new - old for new, old in zip(after, before, strict=True)))


class _Merge:
    """One thread of the other archive on its way into this one, both open."""

    def __init__(self, here: sqlite3.Connection, there: sqlite3.Connection, archive: Archive, folder: Path) -> None:
        self._here, self._there, self._archive, self._folder = here, there, archive, folder
        self._thread = 0

    def unite(self, tid: int, thread: int) -> int:
        """Take the thread over; returns its row here."""
        key = (self._archive.board, tid)
        row = self._here.execute("SELECT id FROM threads WHERE board = ? AND tid = ?", key).fetchone()
        self._thread = row[0] if row else self._insert("threads", "board, tid", key)
        contents = self._take_contents(thread, self._take_revisions(thread))
        for pass_id, started_at, first in self._there.execute(
            "SELECT id, started_at, first FROM passes WHERE thread_id = ? ORDER BY id", (thread,)
        ).fetchall():
            self._take_pass(pass_id, (started_at, first), contents)
        return self._thread

    def _take_revisions(self, thread: int) -> dict[int, int]:
        """The rows here of the other's revisions, by theirs."""
        found: dict[int, int] = {}
        for revision, *words in self._there.execute(f"SELECT id, {_WORDS} FROM revisions WHERE thread_id = ?", (thread,)):
            pid, digest = words[:2]
            same = [
                row[0]
                for row in self._here.execute(
                    f"SELECT id, {_WORDS} FROM revisions WHERE thread_id = ? AND pid = ? AND digest = ?",
                    (self._thread, pid, digest),
                )
                if row[1:] == tuple(words)
            ]
            found[revision] = (
                same[0]
                if same
                else self._insert(
                    "revisions",
                    f"{REVISION_COLUMNS}, twin",
                    (self._thread, *words, self._next_twin("revisions", "pid = ? AND digest = ?", (pid, digest))),
                )
            )
        return found

    def _take_contents(self, thread: int, revisions: dict[int, int]) -> dict[int, int]:
        """The rows here of what the other's pages showed, by theirs."""
        found: dict[int, int] = {}
        for content, *facts in self._there.execute(
            "SELECT id, digest, title, zone, flaws FROM page_contents WHERE thread_id = ?", (thread,)
        ).fetchall():
            posts = [(*post[:-1], revisions[post[-1]]) for post in _read_posts(self._there, content)]
            same = [
                row[0]
                for row in self._here.execute(
                    "SELECT id, digest, title, zone, flaws FROM page_contents WHERE thread_id = ? AND digest = ?",
                    (self._thread, facts[0]),
                ).fetchall()
                if row[1:] == tuple(facts) and _read_posts(self._here, row[0]) == posts
            ]
            if same:
                found[content] = same[0]
                continue
            twin = self._next_twin("page_contents", "digest = ?", (facts[0],))
            found[content] = self._insert(
                "page_contents", "thread_id, digest, title, zone, flaws, twin", (self._thread, *facts, twin)
            )
            self._here.executemany(
                "INSERT INTO page_posts (content_id, pid, position, floor, gate, revision_id) VALUES (?, ?, ?, ?, ?, ?)",
                [(found[content], *post) for post in posts],
            )
        return found

    def _take_pass(self, pass_id: int, key: tuple[str, int], contents: dict[int, int]) -> None:
        """A pass: the one here that it is a part of, or that is a part of it, is the same pass; else it becomes a row."""
        taken = _Pages.read(self._there, pass_id, contents)
        for (own,) in self._here.execute(
            "SELECT id FROM passes WHERE thread_id = ? AND started_at = ? AND first = ? ORDER BY twin", (self._thread, *key)
        ).fetchall():
            held = _Pages.read(self._here, own)
            if held.agrees(taken):
                self._add(own, taken.without(held))
                return
        twin = self._next_twin("passes", "started_at = ?", (key[0],))
        self._add(self._insert("passes", "thread_id, started_at, first, twin", (self._thread, *key, twin)), taken)

    def _add(self, own: int, taken: _Pages) -> None:
        marks = ", ".join("?" * 9)
        self._here.executemany(f"INSERT INTO pages (pass_id, {_PAGE}) VALUES ({marks})", [(own, *row) for row in taken.pages])
        for row in taken.misses:
            copy = self._keep_copy(taken.copies.get(row[0]))
            self._here.execute(f"INSERT INTO misses (pass_id, {_MISS}, copy) VALUES (?, ?, ?, ?, ?, ?, ?)", (own, *row, copy))
        if taken.end is not None:
            self._here.execute("INSERT INTO pass_ends VALUES (?, ?, ?, ?, ?)", (own, *taken.end))

    def _keep_copy(self, name: str | None) -> str | None:
        """Bring the copy of an unreadable page along, where it still lies beside the other archive."""
        source = self._folder / "unreadable" / name if name else None
        if name is None or source is None or not source.is_file():
            return name
        folder = self._archive.path.parent / "unreadable"
        folder.mkdir(exist_ok=True)
        for target in (folder / name, *(folder / f"{source.stem}-{number}{source.suffix}" for number in range(2, 1000))):
            if not target.exists():
                shutil.copyfile(source, target)
            elif target.read_bytes() != source.read_bytes():
                continue
            return target.name
        return name

    def _next_twin(self, table: str, where: str, key: Row) -> int:
        query = f"SELECT coalesce(max(twin) + 1, 0) FROM {table} WHERE thread_id = ? AND {where}"
        twin: int = self._here.execute(query, (self._thread, *key)).fetchone()[0]
        return twin

    def _insert(self, table: str, columns: str, row: Row) -> int:
        marks = ", ".join("?" * len(row))
        return self._here.execute(f"INSERT INTO {table} ({columns}) VALUES ({marks})", row).lastrowid or 0


@dataclass(frozen=True, slots=True)
class _Pages:
    """What belongs to a pass, with contents as they are numbered here: looks, misses, the copies of these, and its end."""

    pages: tuple[Row, ...]
    misses: tuple[Row, ...]
    copies: dict[int, str | None]
    end: Row | None

    @classmethod
    def read(cls, connection: sqlite3.Connection, pass_id: int, contents: dict[int, int] | None = None) -> _Pages:
        rows = connection.execute(f"SELECT {_PAGE} FROM pages WHERE pass_id = ? ORDER BY id", (pass_id,)).fetchall()
        if contents is not None:
            rows = [(*row[:6], contents[row[6]], row[7]) for row in rows]
        misses = connection.execute(f"SELECT {_MISS}, copy FROM misses WHERE pass_id = ? ORDER BY number", (pass_id,)).fetchall()
        end = connection.execute("SELECT ended_at, pages, complete, why FROM pass_ends WHERE pass_id = ?", (pass_id,)).fetchone()
        return cls(tuple(rows), tuple(row[:-1] for row in misses), {row[0]: row[-1] for row in misses}, end)

    def agrees(self, other: _Pages) -> bool:
        """Whether one of the two is the other as it stood before the pass went on."""
        mine, theirs = {*self.pages, *self.misses}, {*other.pages, *other.misses}
        if self.end is not None and other.end is not None:
            return mine == theirs and self.end == other.end
        return (other.end is None and mine >= theirs) or (self.end is None and mine <= theirs)

    def without(self, held: _Pages) -> _Pages:
        """What is not held yet."""
        pages = tuple(row for row in self.pages if row not in held.pages)
        misses = tuple(row for row in self.misses if row not in held.misses)
        return _Pages(pages, misses, self.copies, self.end if held.end is None else None)


def _read_posts(connection: sqlite3.Connection, content: int) -> list[Row]:
    return connection.execute(
        "SELECT pid, position, floor, gate, revision_id FROM page_posts WHERE content_id = ? ORDER BY pid", (content,)
    ).fetchall()


@contextmanager
def copied(path: Path) -> Iterator[Path]:
    """A copy of an archive in a folder of its own, so that the file itself is only read. ArchiveError for what is none."""
    with tempfile.TemporaryDirectory(prefix="bansha-") as folder:
        copy = Path(folder) / "other.db"
        # Where nobody has it open, SQLite need not even lay its own files beside it.
        mode = "mode=ro" if path.with_name(f"{path.name}-wal").exists() else "immutable=1"
        try:
            with (
                closing(sqlite3.connect(f"file:{pathname2url(str(path.resolve()))}?{mode}", uri=True)) as source,
                closing(sqlite3.connect(copy)) as target,
            ):
                source.backup(target)
                tables = {name for (name,) in target.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        except sqlite3.DatabaseError as error:
            unopened = "unable to open" in str(error)
            fix = "copy it to a folder that you may write to." if unopened else "this is no archive of bansha, or a damaged one."
            raise ArchiveError(f"{path}: {error}: {fix}") from error
        if not tables >= {"threads", "passes", "pages", "offsets", "_sqlite_migrations"}:
            raise ArchiveError(phrase("{path}: this database is no archive of bansha.", path=path))
        yield copy


def _check_board(archive: Archive, other: Archive, path: Path) -> None:
    boards = [board for (board,) in other.database.conn.execute("SELECT DISTINCT board FROM threads ORDER BY board")]
    if boards and archive.board not in boards:
        raise ArchiveError(
            phrase(
                "{path}: is an archive of {boards}, and this one is of {board}. Name an archive of the same "
                "board, or set url under [forum].",
                path=path,
                boards=", ".join(boards),
                board=archive.board,
            )
        )


def _check_times(archive: Archive, copy: Path, path: Path) -> None:
    """Times are kept as the board printed them for the account that read it: both must have had the same zone."""
    query = "SELECT minutes FROM offsets WHERE starts_utc <= ? ORDER BY starts_utc DESC LIMIT 1"
    with closing(sqlite3.connect(copy)) as there:
        moments = [at for (at,) in there.execute("SELECT min(started_at) FROM passes UNION SELECT max(started_at) FROM passes")]
        for moment in moments:
            if moment is None:
                continue
            here, other = (connection.execute(query, (moment,)).fetchone() for connection in (archive.database.conn, there))
            if here != other:
                raise ArchiveError(
                    phrase(
                        "{path}: its times were printed for an account in another zone (UTC{other:+g} h, here {here:+g} "
                        "h): the same post has two times. Set timezone under [forum] right in both games first.",
                        path=path,
                        other=other[0] / 60,
                        here=here[0] / 60,
                    )
                )


def _count(archive: Archive) -> tuple[int, int, int]:
    row: tuple[int, int, int] = archive.database.conn.execute(
        "SELECT (SELECT count(*) FROM passes), (SELECT count(*) FROM (SELECT DISTINCT thread_id, pid FROM versions)),"
        " (SELECT count(*) FROM (SELECT DISTINCT thread_id, pid, digest FROM revisions))"
    ).fetchone()
    return row
