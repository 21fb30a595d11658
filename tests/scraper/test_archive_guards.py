"""No row that a count goes by is changed, by whomever; what is derived is made anew to the same rows."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from scraper.archive import Archive
from scraper.schema import CACHES, RAW_TABLES, rebuilding
from tests.scraper.looks import DELETED, EDITED, at, dump, look, open_archive


def test_the_derived_tables_are_rebuilt_to_the_same_rows(archive: Archive) -> None:
    for time in ("10:10", "11:10", "11:20", "12:10"):
        look(archive, DELETED, at(time))
    before = dump(archive)
    assert before["versions"]
    with archive.transaction() as connection, rebuilding(connection, 1):
        connection.execute("DELETE FROM versions WHERE pid = 3")
    archive.database.conn.execute("UPDATE looks SET seen_at = ''")
    archive.database.conn.execute("DELETE FROM fronts")
    archive.rebuild()
    assert dump(archive) == before


DERIVED_EDITS = [
    "UPDATE versions SET revision_id = (SELECT max(id) FROM revisions) WHERE pid = 2",
    "UPDATE OR REPLACE versions SET number = 1",
    "DELETE FROM versions WHERE pid = 2",
    "INSERT OR REPLACE INTO versions SELECT thread_id, posted, pid, number, seen_at, 1, page_id FROM versions",
    "INSERT INTO versions SELECT thread_id, posted || '0', pid, number, seen_at, 1, page_id FROM versions",
    "UPDATE spans SET last = 99",
    "DELETE FROM spans",
    "REPLACE INTO spans SELECT content_id, thread_id, 1, 99, starts, ends, sorting FROM spans",
    "UPDATE absences SET pid = 2",
    "DELETE FROM absences",
]


@pytest.mark.parametrize("edit", DERIVED_EDITS)
def test_no_row_that_a_count_goes_by_is_edited_by_hand(archive: Archive, edit: str) -> None:
    for time in ("10:10", "11:10", "11:20", "12:10"):
        look(archive, DELETED, at(time))
    before = dump(archive)
    assert before["absences"]
    with (
        sqlite3.connect(archive.path, isolation_level=None) as other,
        pytest.raises(sqlite3.IntegrityError, match="is derived and only rebuilt"),
    ):
        other.execute(edit)
    assert dump(archive) == before


def test_an_absence_that_is_put_in_the_place_of_another_is_passed_over(archive: Archive) -> None:
    for time in ("10:10", "11:10", "11:20", "12:10"):
        look(archive, DELETED, at(time))
    before = dump(archive)
    archive.database.conn.execute("REPLACE INTO absences SELECT thread_id, pid, started_at, '' FROM absences")
    assert dump(archive) == before


def test_an_archive_without_the_guards_gets_them_when_it_is_opened(tmp_path: Path) -> None:
    path = tmp_path / "game.db"
    with open_archive(path) as archive:
        look(archive, EDITED, at("10:10"))
        connection = archive.database.conn
        for table in ("versions", "spans", "absences"):
            for guard in ("update", "delete", "replace"):
                connection.execute(f"DROP TRIGGER {table}_no_{guard}")
        connection.execute("DROP TABLE rebuilding")
        connection.execute("DELETE FROM _sqlite_migrations WHERE name = 'm002_guarded_derived_tables'")
    with (
        open_archive(path) as archive,
        pytest.raises(sqlite3.IntegrityError, match="versions is derived and only rebuilt"),
    ):
        archive.database.conn.execute("DELETE FROM versions")


# Raw tables


def test_every_table_that_a_count_goes_by_has_its_three_guards_after_all_migrations(archive: Archive) -> None:
    guards = {
        f"{table}_no_{what}"
        for table in (*RAW_TABLES, *CACHES, "versions", "spans", "absences")
        for what in ("update", "delete", "replace")
    }
    assert {trigger.name for trigger in archive.database.triggers} == guards
    assert {trigger.table for trigger in archive.database.triggers} == {*RAW_TABLES, *CACHES, "versions", "spans", "absences"}


def fill(archive: Archive) -> None:
    look(archive, EDITED, at("10:10"), lost=(2,))


@pytest.mark.parametrize("table", RAW_TABLES)
@pytest.mark.parametrize("recursive", ["on", "off"])
def test_nothing_in_a_raw_table_is_changed_deleted_or_replaced(archive: Archive, table: str, recursive: str) -> None:
    fill(archive)
    # Another program's connection: it sets no pragma that ours does.
    with sqlite3.connect(archive.path, isolation_level=None) as other:
        other.execute(f"PRAGMA recursive_triggers = {recursive}")
        before = other.execute(f"SELECT * FROM {table}").fetchall()
        columns = [column.name for column in archive.database[table].columns]
        assert before
        attempts = [f"UPDATE {table} SET {columns[-1]} = {columns[-1]}", f"DELETE FROM {table}"]
        attempts.append(f"UPDATE OR REPLACE {table} SET {columns[0]} = {columns[0]}")
        for key in RAW_TABLES[table]:
            # A row that has only this key in common with one that is there.
            others = [column if column in key else f"{column} || 'x'" for column in columns]
            values = [
                f"(SELECT max(id) + 1 FROM {table})" if column == "id" and "id" not in key else value
                for column, value in zip(columns, others, strict=True)
            ]
            for verb in ("INSERT OR REPLACE", "REPLACE", "INSERT OR IGNORE"):
                attempts.append(f"{verb} INTO {table} SELECT {', '.join(values)} FROM {table}")
        for attempt in attempts:
            with pytest.raises(sqlite3.IntegrityError, match=f"{table} is append-only"):
                other.execute(attempt)
        assert other.execute(f"SELECT * FROM {table}").fetchall() == before
