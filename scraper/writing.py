"""How rows come into the file of an archive: in transactions that name the file where they fail.

Every writer of one connection goes through one `Writing`: what was gathered is written before whatever comes next.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from scraper.errors import ArchiveError, BoardError, LayoutError
from scraper.phrases import phrase

# Two processes on one file wait for each other this long, in seconds.
BUSY_TIMEOUT = 30.0

# So many pages of a recording are written in one transaction.
_TOGETHER = 32


class Writing:
    """The transactions of one connection that begins and ends them itself (`isolation_level=None`)."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection = connection
        self._path = path
        self._gathered = 0

    @contextmanager
    def alone(self) -> Iterator[sqlite3.Connection]:
        """What is done inside is written together or not at all; waits while another process writes."""
        self.flush()
        with explained(self._path), self._undoing():
            self._connection.execute("BEGIN IMMEDIATE")
            yield self._connection
            self._connection.execute("COMMIT")

    @contextmanager
    def together(self) -> Iterator[sqlite3.Connection]:
        """As `alone`, but written with what comes next, until there is enough of it or `flush` is called.

        BoardError and LayoutError refuse what was to be stored before a row of it is: then what was gathered stays. Whatever
        else is raised takes it along.
        """
        with explained(self._path):
            if not self._gathered:
                self._connection.execute("BEGIN IMMEDIATE")
            before = self._connection.total_changes
            self._gathered += 1
            try:
                with self._undoing(unless=(BoardError, LayoutError)):
                    yield self._connection
            except (BoardError, LayoutError) as error:
                if self._connection.total_changes != before:
                    self._undo()
                    raise AssertionError("a page was refused when half of it was stored") from error
                raise
        if self._gathered >= _TOGETHER:
            self.flush()

    def flush(self) -> None:
        """Write what was gathered; nothing where nothing was."""
        if self._gathered:
            with explained(self._path), self._undoing():
                self._connection.execute("COMMIT")
            self._gathered = 0

    @contextmanager
    def _undoing(self, *, unless: tuple[type[BaseException], ...] = ()) -> Iterator[None]:
        try:
            yield
        except BaseException as error:
            if not isinstance(error, unless):
                self._undo()
            raise

    def _undo(self) -> None:
        self._gathered = 0
        # A full disk may have rolled it back already.
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Errors of SQLite as errors that name the file and what to do."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        said = str(error)
        if "locked" in said or "busy" in said:
            fix = phrase("another program has held it for {seconds:.0f} seconds; close it and try again.", seconds=BUSY_TIMEOUT)
        elif "full" in said or "disk I/O" in said:
            fix = phrase("the disk is full, or fails; what was stored before is whole. Make room and run again.")
        elif "not a database" in said or "malformed" in said:
            fix = phrase("this is no database, or a damaged one; name another file with --db, or restore it from a copy.")
        elif "unable to open" in said:
            fix = phrase("the folder is missing, or may not be written to.")
        elif "readonly" in said:
            fix = phrase("the file may not be written to.")
        else:
            # A mistake in the program is no matter for the director: let it be seen whole.
            raise
        raise ArchiveError(phrase("{path}: {said}: {fix}", path=path, said=said, fix=fix)) from error
