"""What was posted to the board, and when: kept beside the evidence, so that no text goes out twice by mistake.

A row is written before anything is sent and another one once the post was read back, so that a run that died in between
still counts as sent. Rows are only added.
"""

from __future__ import annotations

import hashlib
import sqlite3
from dataclasses import dataclass
from datetime import datetime, timedelta

from scraper.archive import Archive
from scraper.reply import squeeze
from scraper.rows import utc_time

# The same words are not posted to the same thread again within this time.
AGAIN_AFTER = timedelta(hours=1)

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
    with archive.transaction() as connection:
        _ensure(connection)
        row = connection.execute(
            "SELECT max(at), max(pid) FROM sent WHERE tid = ? AND digest = ? AND at > ?",
            (tid, _digest(text), utc_time(now - AGAIN_AFTER)),
        ).fetchone()
    return None if row is None or row[0] is None else Posted(datetime.fromisoformat(row[0]), row[1])


def save_posted(archive: Archive, tid: int, text: str, at: datetime, *, pid: int | None = None, operator: str = "") -> None:
    """Keep that a text is about to be sent (`pid` None), or that it stands on the board as a post."""
    with archive.transaction() as connection:
        _ensure(connection)
        row = (tid, _digest(text), utc_time(at), pid, operator, text)
        connection.execute("INSERT INTO sent (tid, digest, at, pid, operator, text) VALUES (?, ?, ?, ?, ?, ?)", row)


def _ensure(connection: sqlite3.Connection) -> None:
    for statement in (_TABLE, *_GUARDS):
        connection.execute(statement)


def _digest(text: str) -> str:
    return hashlib.sha256(squeeze(text).encode("utf-8", "surrogatepass")).hexdigest()
