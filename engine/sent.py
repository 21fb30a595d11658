"""What was posted to the board, and when: kept beside the evidence, so that no text goes out twice by mistake.

A row is written before anything is sent and another one once the post was read back, so that a run that died in between
still counts as sent. Where the board refused the text a row says that too (`pid` 0), and it may be sent again. Rows are only
added.
"""

from __future__ import annotations

import hashlib
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from scraper.archive import Archive
from scraper.merge import copied
from scraper.reply import AGAIN_AFTER, squeeze
from scraper.rows import utc_time

# Stands for the post of a text that the board did not take.
REFUSED = 0
_COLUMNS = "tid, digest, at, pid, operator, text"
_TABLE = """
CREATE TABLE IF NOT EXISTS sent (
  id INTEGER PRIMARY KEY,
  tid INTEGER NOT NULL,
  digest TEXT NOT NULL,
  at TEXT NOT NULL,
  pid INTEGER,
  operator TEXT NOT NULL,
  text TEXT NOT NULL
)
"""
_GUARDS = tuple(
    f"CREATE TRIGGER IF NOT EXISTS sent_no_{verb.lower()} BEFORE {verb} ON sent"
    f" BEGIN SELECT RAISE(ABORT, 'sent: rows are only added'); END"
    for verb in ("UPDATE", "DELETE")
)


@dataclass(frozen=True, slots=True)
class Posted:
    """A text that was sent before: when, and as which post it was read back (None where it never was)."""

    at: datetime
    pid: int | None


def find_posted(archive: Archive, tid: int, text: str, now: datetime) -> Posted | None:
    """The last time that these words were sent to this thread within the hour before `now`; None where they were not."""
    return _find(archive.database.conn, tid, text, now) if "sent" in archive.database.table_names() else None


def claim(archive: Archive, tid: int, text: str, at: datetime, *, operator: str = "") -> Posted | None:
    """Keep that a text is about to be sent, unless it was sent within the hour before: then when, and nothing is kept.

    Both in one transaction: of two processes that want to send the same, one may.
    """
    with archive.transaction() as connection:
        _ensure(connection)
        before = _find(connection, tid, text, at)
        if before is None:
            _insert(connection, (tid, _digest(text), utc_time(at), None, operator, text))
        return before


def save_posted(archive: Archive, tid: int, text: str, at: datetime, *, pid: int | None = None, operator: str = "") -> None:
    """Keep that a text is about to be sent (`pid` None), stands on the board as a post, or was REFUSED by it."""
    with archive.transaction() as connection:
        _ensure(connection)
        _insert(connection, (tid, _digest(text), utc_time(at), pid, operator, text))


def merge_sent(archive: Archive, path: Path) -> int:
    """Take over what another director sent to the same board, and tell how many rows that were; his file stays as it is.

    `path` is an archive of this board (`merge_archive`). ArchiveError for what is none.
    """
    with copied(path) as copy, closing(sqlite3.connect(copy)) as other:
        if not other.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'sent'").fetchone():
            return 0
        theirs = other.execute(f"SELECT {_COLUMNS} FROM sent ORDER BY at, id").fetchall()
    with archive.transaction() as connection:
        _ensure(connection)
        ours = set(connection.execute(f"SELECT {_COLUMNS} FROM sent"))
        added = [row for row in dict.fromkeys(theirs) if row not in ours]
        for row in added:
            _insert(connection, row)
    return len(added)


def _find(connection: sqlite3.Connection, tid: int, text: str, now: datetime) -> Posted | None:
    rows = connection.execute(
        "SELECT at, pid FROM sent WHERE tid = ? AND digest = ? AND at > ? ORDER BY at, id",
        (tid, _digest(text), utc_time(now - AGAIN_AFTER)),
    ).fetchall()
    found: Posted | None = None
    for at, pid in rows:
        # A refusal ends what began before it; a post that was read back stands, whatever another run was told meanwhile.
        if pid == REFUSED:
            found = found if found is not None and found.pid is not None else None
        else:
            kept = found.pid if found is not None else None
            found = Posted(datetime.fromisoformat(at), pid if pid is not None else kept)
    return found


def _insert(connection: sqlite3.Connection, row: tuple[object, ...]) -> None:
    connection.execute(f"INSERT INTO sent ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)", row)


def _ensure(connection: sqlite3.Connection) -> None:
    for statement in (_TABLE, *_GUARDS):
        connection.execute(statement)


def _digest(text: str) -> str:
    return hashlib.sha256(squeeze(text).encode("utf-8", "surrogatepass")).hexdigest()
