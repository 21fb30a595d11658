"""The shape of the archive: raw tables that only grow, two derived tables kept beside them, and the views of the contract.

Raw tables refuse UPDATE, DELETE and a second row of the same key by triggers. Never call `transform()` on one of them: it
drops triggers without a word. Later changes are new migrations: ADD COLUMN, new tables, new unique indexes; views are made
anew whenever their text here differs.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from scraper.lightly import without_optional

if TYPE_CHECKING:
    from sqlite_utils import Database
    from sqlite_utils.migrations import Migrations

# Each raw table with its keys: no two rows share one, and a row once written stays.
RAW_TABLES: dict[str, tuple[tuple[str, ...], ...]] = {
    "threads": (("id",), ("board", "tid")),
    "passes": (("id",), ("thread_id", "started_at", "twin")),
    "pass_ends": (("pass_id",),),
    "misses": (("pass_id", "number"),),
    "revisions": (("id",), ("thread_id", "pid", "digest", "twin")),
    "page_contents": (("id",), ("thread_id", "digest", "twin")),
    "page_posts": (("content_id", "pid"),),
    "pages": (("id",), ("pass_id", "number", "seen_at")),
}

# Kept up in the same transaction as the pages; `Archive.rebuild` makes them anew from the raw tables.
DERIVED_TABLES = ("versions", "looks", "fronts", "spans", "absences")

# By what a page's content is known at a glance (scraper/glance.py): it saves time, and may be empty. It grows like a raw table.
CACHES = ("glances",)

# The derived tables that only grow between two rebuilds, with what must not come twice. `looks` and `fronts` follow the last
# look, and no count goes by them.
_GROWING: dict[str, tuple[str, ...]] = {
    "versions": ("thread_id", "pid", "number"),
    "spans": ("content_id",),
    "absences": ("thread_id", "pid", "started_at"),
}

# `twin` counts rows of one key that say different things beside it: only united archives have them (scraper/merge.py).
_TABLES = """
CREATE TABLE threads (
  id INTEGER PRIMARY KEY,
  board TEXT NOT NULL,
  tid INTEGER NOT NULL
);
CREATE UNIQUE INDEX threads_key ON threads (board, tid);

CREATE TABLE passes (
  id INTEGER PRIMARY KEY,
  thread_id INTEGER NOT NULL REFERENCES threads (id),
  started_at TEXT NOT NULL,
  first INTEGER NOT NULL DEFAULT 1,
  twin INTEGER NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX passes_key ON passes (thread_id, started_at, twin);

CREATE TABLE pass_ends (
  pass_id INTEGER PRIMARY KEY REFERENCES passes (id),
  ended_at TEXT NOT NULL,
  pages INTEGER NOT NULL,
  complete INTEGER NOT NULL CHECK (complete IN (0, 1)),
  why TEXT NOT NULL
);

CREATE TABLE misses (
  pass_id INTEGER NOT NULL REFERENCES passes (id),
  number INTEGER NOT NULL,
  at TEXT NOT NULL,
  url TEXT NOT NULL,
  status INTEGER,
  why TEXT NOT NULL,
  copy TEXT,
  PRIMARY KEY (pass_id, number)
) WITHOUT ROWID;

CREATE TABLE revisions (
  id INTEGER PRIMARY KEY,
  thread_id INTEGER NOT NULL REFERENCES threads (id),
  pid INTEGER NOT NULL,
  digest TEXT NOT NULL,
  author TEXT NOT NULL,
  uid INTEGER,
  posted TEXT NOT NULL,
  exact INTEGER NOT NULL,
  state TEXT NOT NULL,
  editor TEXT,
  edited TEXT,
  title TEXT NOT NULL,
  text TEXT NOT NULL,
  tokens TEXT,
  quotes TEXT,
  comments TEXT,
  ratings TEXT,
  noise TEXT,
  flaws TEXT,
  signature TEXT NOT NULL,
  html TEXT NOT NULL,
  twin INTEGER NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX revisions_key ON revisions (thread_id, pid, digest, twin);

CREATE TABLE page_contents (
  id INTEGER PRIMARY KEY,
  thread_id INTEGER NOT NULL REFERENCES threads (id),
  digest BLOB NOT NULL,
  title TEXT NOT NULL,
  zone REAL,
  flaws TEXT,
  twin INTEGER NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX page_contents_key ON page_contents (thread_id, digest, twin);

CREATE TABLE page_posts (
  content_id INTEGER NOT NULL REFERENCES page_contents (id),
  pid INTEGER NOT NULL,
  position INTEGER NOT NULL,
  floor TEXT NOT NULL,
  gate BLOB NOT NULL,
  revision_id INTEGER NOT NULL REFERENCES revisions (id),
  PRIMARY KEY (content_id, pid)
) WITHOUT ROWID;

CREATE TABLE pages (
  id INTEGER PRIMARY KEY,
  pass_id INTEGER NOT NULL REFERENCES passes (id),
  number INTEGER NOT NULL,
  shown INTEGER NOT NULL,
  pages INTEGER NOT NULL,
  seen_at TEXT NOT NULL,
  url TEXT NOT NULL,
  status INTEGER NOT NULL,
  content_id INTEGER NOT NULL REFERENCES page_contents (id),
  told_at TEXT
);
CREATE UNIQUE INDEX pages_key ON pages (pass_id, number, seen_at);
CREATE INDEX pages_content ON pages (content_id, seen_at);

CREATE TABLE versions (
  thread_id INTEGER NOT NULL,
  posted TEXT NOT NULL,
  pid INTEGER NOT NULL,
  number INTEGER NOT NULL,
  seen_at TEXT NOT NULL,
  revision_id INTEGER NOT NULL,
  page_id INTEGER NOT NULL,
  PRIMARY KEY (thread_id, posted, pid, number)
) WITHOUT ROWID;
CREATE UNIQUE INDEX versions_pid ON versions (thread_id, pid, number, revision_id);

CREATE TABLE looks (
  thread_id INTEGER PRIMARY KEY,
  seen_at TEXT NOT NULL,
  started_at TEXT NOT NULL,
  number INTEGER NOT NULL
);

CREATE TABLE fronts (
  thread_id INTEGER NOT NULL,
  shown INTEGER NOT NULL,
  content_id INTEGER NOT NULL,
  PRIMARY KEY (thread_id, shown)
) WITHOUT ROWID;

CREATE TABLE spans (
  content_id INTEGER PRIMARY KEY,
  thread_id INTEGER NOT NULL,
  first INTEGER NOT NULL,
  last INTEGER NOT NULL,
  starts TEXT NOT NULL,
  ends TEXT NOT NULL,
  sorting TEXT NOT NULL
);

CREATE TABLE absences (
  thread_id INTEGER NOT NULL,
  pid INTEGER NOT NULL,
  started_at TEXT NOT NULL,
  ended_at TEXT NOT NULL,
  PRIMARY KEY (thread_id, pid, started_at)
) WITHOUT ROWID;

CREATE TABLE offsets (
  starts_local TEXT PRIMARY KEY,
  starts_utc TEXT NOT NULL,
  minutes INTEGER NOT NULL,
  suffix TEXT NOT NULL
) WITHOUT ROWID;
"""


def _local(utc: str) -> str:
    """SQL that turns a time in UTC into the board's zone."""
    return (
        f"(SELECT strftime('%Y-%m-%dT%H:%M:%S', substr({utc}, 1, 19), minutes || ' minutes') || suffix"
        f" FROM offsets WHERE starts_utc <= {utc} ORDER BY starts_utc DESC LIMIT 1)"
    )


def _zoned(printed: str) -> str:
    """SQL that adds the zone's offset to a time as the board prints it; one that holds an offset is turned into the zone."""
    utc = f"strftime('%Y-%m-%dT%H:%M:%S', {printed})"
    suffix = f"(SELECT suffix FROM offsets WHERE starts_local <= {printed} ORDER BY starts_local DESC LIMIT 1)"
    return f"CASE WHEN length({printed}) > 19 THEN {_local(utc)} ELSE {printed} || {suffix} END"


VIEWS: dict[str, str] = {
    "post_revisions": f"""
SELECT t.tid, v.pid, v.number AS revision, {_local("v.seen_at")} AS seen_at, r.text, r.html, r.digest
FROM versions v JOIN threads t ON t.id = v.thread_id JOIN revisions r ON r.id = v.revision_id""",
    # A post is deleted when two passes that began after it was last seen did not find it where it must be.
    "posts": f"""
WITH sights AS (
  SELECT c.thread_id, pp.pid, pp.floor, max((SELECT max(seen_at) FROM pages WHERE content_id = c.id)) AS last_seen
  FROM page_contents c JOIN page_posts pp ON pp.content_id = c.id GROUP BY c.thread_id, pp.pid
), heads AS (
  SELECT thread_id, pid, max(number) AS number, revision_id FROM versions GROUP BY thread_id, pid
)
SELECT t.tid, d.pid, s.floor, r.author, r.uid, {_zoned("r.posted")} AS posted_at, {_zoned("r.edited")} AS edited_at,
  CASE WHEN (
    SELECT count(*) FROM absences a WHERE a.thread_id = d.thread_id AND a.pid = d.pid AND a.started_at > s.last_seen
  ) > 1 THEN 'deleted' ELSE r.state END AS state,
  r.text, d.number AS revisions, {_local("f.seen_at")} AS first_seen, {_local("s.last_seen")} AS last_seen
FROM heads d JOIN versions f INDEXED BY versions_pid ON f.thread_id = d.thread_id AND f.pid = d.pid AND f.number = 1
JOIN threads t ON t.id = d.thread_id JOIN revisions r ON r.id = d.revision_id
JOIN sights s ON s.thread_id = d.thread_id AND s.pid = d.pid""",
}

# The derived tables of one thread from every page that was ever seen. Looks are in the order of (seen_at, start of the pass,
# page number), which holds across united archives. `versions` has a row where a post says something else than at the look
# before, `looks` the last look, `fronts` what each page showed when it was last seen. `spans` and `absences` are made by
# scraper/absence.py: between which posts a page's content stands, and which passes did not find a post where it must be.
REBUILD: dict[str, str] = {
    "versions": """
INSERT INTO versions (thread_id, pid, number, posted, seen_at, revision_id, page_id)
SELECT :thread, pid, row_number() OVER looks, first_value(posted) OVER looks, seen_at, revision_id, page_id
FROM (
  SELECT pp.pid, pp.revision_id, r.digest, r.posted, g.seen_at, p.started_at, g.number, g.id AS page_id,
    lag(r.digest) OVER (PARTITION BY pp.pid ORDER BY g.seen_at, p.started_at, g.number) AS before
  FROM passes p JOIN pages g ON g.pass_id = p.id JOIN page_posts pp ON pp.content_id = g.content_id
  JOIN revisions r ON r.id = pp.revision_id
  WHERE p.thread_id = :thread
) WHERE digest IS NOT before
WINDOW looks AS (PARTITION BY pid ORDER BY seen_at, started_at, number)""",
    "looks": """
INSERT INTO looks (thread_id, seen_at, started_at, number)
SELECT :thread, g.seen_at, p.started_at, g.number FROM passes p JOIN pages g ON g.pass_id = p.id
WHERE p.thread_id = :thread ORDER BY g.seen_at DESC, p.started_at DESC, g.number DESC LIMIT 1""",
    "fronts": """
INSERT INTO fronts (thread_id, shown, content_id)
SELECT :thread, shown, content_id FROM (
  SELECT g.shown, g.content_id, row_number() OVER (
    PARTITION BY g.shown ORDER BY g.seen_at DESC, p.started_at DESC, g.number DESC) AS place
  FROM passes p JOIN pages g ON g.pass_id = p.id WHERE p.thread_id = :thread
) WHERE place = 1""",
}


def _m001_raw_tables(db: Database) -> None:
    # Not `executescript`: it would commit the migration's transaction.
    for statement in _TABLES.split(";\n"):
        if statement.strip():
            db.execute(statement)
    for table, keys in RAW_TABLES.items():
        for trigger in guards(table, keys):
            db.execute(trigger)


def _m002_guarded_derived_tables(db: Database) -> None:
    # A row in it opens the guards; it is there only inside the transaction of a rebuild.
    db.execute("CREATE TABLE rebuilding (thread_id INTEGER PRIMARY KEY)")
    for table, key in _GROWING.items():
        # `absences` are inserted OR IGNORE, which a row that is there must not turn into a failure.
        refusal = f"SELECT RAISE(ABORT, '{table} is derived and only rebuilt')"
        there = f"EXISTS (SELECT 1 FROM {table} WHERE {' AND '.join(f'{column} = NEW.{column}' for column in key)})"
        twice = "SELECT RAISE(IGNORE)" if table == "absences" else refusal
        shut = "NOT EXISTS (SELECT 1 FROM rebuilding)"
        db.execute(f"CREATE TRIGGER {table}_no_update BEFORE UPDATE ON {table} WHEN {shut} BEGIN {refusal}; END")
        db.execute(f"CREATE TRIGGER {table}_no_delete BEFORE DELETE ON {table} WHEN {shut} BEGIN {refusal}; END")
        db.execute(f"CREATE TRIGGER {table}_no_replace BEFORE INSERT ON {table} WHEN {shut} AND {there} BEGIN {twice}; END")


def _m003_glances(db: Database) -> None:
    _make_glances(db)


def _m004_glances_by_another_digest(db: Database) -> None:
    # A cache whose rows would match no page any more, and stand in the way of those that do.
    db.execute("DROP TABLE glances")
    _make_glances(db)


def _make_glances(db: Database) -> None:
    db.execute(
        "CREATE TABLE glances (thread_id INTEGER NOT NULL, seal BLOB NOT NULL, content_id INTEGER NOT NULL,"
        " PRIMARY KEY (thread_id, seal)) WITHOUT ROWID"
    )
    db.execute("CREATE UNIQUE INDEX glances_content ON glances (content_id)")
    for trigger in guards("glances", (("thread_id", "seal"), ("content_id",))):
        db.execute(trigger)


MIGRATIONS: dict[str, Callable[[Database], None]] = {
    "m001_raw_tables": _m001_raw_tables,
    "m002_guarded_derived_tables": _m002_guarded_derived_tables,
    "m003_glances": _m003_glances,
    "m004_glances_by_another_digest": _m004_glances_by_another_digest,
}

# Those of them that make nothing but caches.
CACHE_STEPS = frozenset(name for name in MIGRATIONS if "glances" in name)


@contextmanager
def rebuilding(connection: sqlite3.Connection, thread: int) -> Iterator[None]:
    """Inside, rows of derived tables may be deleted; needs an open transaction, which takes the permission along if it fails."""
    connection.execute("INSERT INTO rebuilding VALUES (?)", (thread,))
    yield
    connection.execute("DELETE FROM rebuilding")


def migrations() -> Migrations:
    """The archive's own set of migrations; the tables of tallies and the ledger have theirs."""
    with without_optional():
        from sqlite_utils.migrations import Migrations

    steps = Migrations("bansha.archive")
    for name, step in MIGRATIONS.items():
        steps(name=name)(step)
    return steps


def guards(table: str, keys: tuple[tuple[str, ...], ...]) -> tuple[str, ...]:
    """The triggers that make `table` append-only.

    REPLACE deletes without a delete trigger unless recursive triggers are on, so a row that is there is guarded before insert.
    """
    refusal = f"SELECT RAISE(ABORT, '{table} is append-only')"
    there = " OR ".join(
        f"EXISTS (SELECT 1 FROM {table} WHERE {' AND '.join(f'{column} = NEW.{column}' for column in key)})" for key in keys
    )
    return (
        f"CREATE TRIGGER {table}_no_update BEFORE UPDATE ON {table} BEGIN {refusal}; END",
        f"CREATE TRIGGER {table}_no_delete BEFORE DELETE ON {table} BEGIN {refusal}; END",
        f"CREATE TRIGGER {table}_no_replace BEFORE INSERT ON {table} WHEN {there} BEGIN {refusal}; END",
    )


def find_offsets(zone: ZoneInfo, years: tuple[int, int] = (2000, 2051)) -> list[tuple[str, str, int, str]]:
    """The zone's offsets between two years, as rows of `offsets`: from when in local time and in UTC, minutes, suffix.

    A local time that comes twice is the first of the two, and one that never was takes the offset before, as `fold=0` does.
    """
    moment, end, step = datetime(years[0], 1, 1, tzinfo=UTC), datetime(years[1], 1, 1, tzinfo=UTC), timedelta(days=14)
    rows = [("", "", _minutes(zone, moment))]
    while moment < end:
        following = moment + step
        if _minutes(zone, moment) != _minutes(zone, following):
            low, high = moment, following
            while high - low > timedelta(seconds=1):
                middle = low + timedelta(seconds=int((high - low).total_seconds()) // 2)
                low, high = (middle, high) if _minutes(zone, middle) == _minutes(zone, low) else (low, middle)
            after = _minutes(zone, high)
            local = high + timedelta(minutes=max(_minutes(zone, low), after))
            rows.append((_bare(local), _bare(high), after))
        moment = following
    return [(local, utc, minutes, _suffix(minutes)) for local, utc, minutes in rows]


def _minutes(zone: ZoneInfo, moment: datetime) -> int:
    offset = moment.astimezone(zone).utcoffset()
    return int(offset.total_seconds()) // 60 if offset else 0


def _bare(moment: datetime) -> str:
    return moment.replace(tzinfo=None).isoformat()


def _suffix(minutes: int) -> str:
    sign, minutes = ("-", -minutes) if minutes < 0 else ("+", minutes)
    return f"{sign}{minutes // 60:02d}:{minutes % 60:02d}"
