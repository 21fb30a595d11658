"""The shape of the archive: raw tables that only grow, two derived tables kept beside them, and the views of the contract.

Raw tables refuse UPDATE, DELETE and a second row of the same key by triggers. Never call `transform()` on one of them: it
drops triggers without a word. Later changes are new migrations: ADD COLUMN, new tables, new unique indexes; views are made
anew whenever their text here differs.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

if TYPE_CHECKING:
    from sqlite_utils import Database
    from sqlite_utils.migrations import Migrations

# Each raw table with its keys: no two rows share one, and a row once written stays.
RAW_TABLES: dict[str, tuple[tuple[str, ...], ...]] = {
    "passes": (("id",), ("board", "tid", "started_at")),
    "pass_ends": (("pass_id",),),
    "misses": (("pass_id", "number"),),
    "revisions": (("id",), ("board", "tid", "pid", "digest")),
    "regions": (("revision_id",),),
    "page_contents": (("id",), ("board", "tid", "digest")),
    "page_posts": (("content_id", "pid"),),
    "pages": (("id",), ("pass_id", "number", "seen_at")),
}

# Derived, kept up in the same transaction as the pages; `Archive.rebuild` makes them anew from the raw tables.
DERIVED_TABLES = ("versions", "looks", "offsets")

_TABLES = """
CREATE TABLE passes (
  id INTEGER PRIMARY KEY,
  board TEXT NOT NULL,
  tid INTEGER NOT NULL,
  started_at TEXT NOT NULL
);
CREATE UNIQUE INDEX passes_key ON passes (board, tid, started_at);

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
  board TEXT NOT NULL,
  tid INTEGER NOT NULL,
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
  signature TEXT NOT NULL
);
CREATE UNIQUE INDEX revisions_key ON revisions (board, tid, pid, digest);

CREATE TABLE regions (
  revision_id INTEGER PRIMARY KEY REFERENCES revisions (id),
  html TEXT NOT NULL
);

CREATE TABLE page_contents (
  id INTEGER PRIMARY KEY,
  board TEXT NOT NULL,
  tid INTEGER NOT NULL,
  digest BLOB NOT NULL,
  title TEXT NOT NULL,
  zone REAL,
  flaws TEXT
);
CREATE UNIQUE INDEX page_contents_key ON page_contents (board, tid, digest);

CREATE TABLE page_posts (
  content_id INTEGER NOT NULL REFERENCES page_contents (id),
  pid INTEGER NOT NULL,
  position INTEGER NOT NULL,
  floor TEXT NOT NULL,
  gate BLOB NOT NULL,
  revision_id INTEGER NOT NULL REFERENCES revisions (id),
  PRIMARY KEY (content_id, pid)
) WITHOUT ROWID;
CREATE INDEX page_posts_gate ON page_posts (pid, gate);

CREATE TABLE pages (
  id INTEGER PRIMARY KEY,
  pass_id INTEGER NOT NULL REFERENCES passes (id),
  number INTEGER NOT NULL,
  shown INTEGER NOT NULL,
  pages INTEGER NOT NULL,
  seen_at TEXT NOT NULL,
  url TEXT NOT NULL,
  status INTEGER NOT NULL,
  content_id INTEGER NOT NULL REFERENCES page_contents (id)
);
CREATE UNIQUE INDEX pages_key ON pages (pass_id, number, seen_at);
CREATE INDEX pages_content ON pages (content_id, seen_at);

CREATE TABLE versions (
  board TEXT NOT NULL,
  tid INTEGER NOT NULL,
  pid INTEGER NOT NULL,
  number INTEGER NOT NULL,
  posted TEXT NOT NULL,
  seen_at TEXT NOT NULL,
  revision_id INTEGER NOT NULL REFERENCES revisions (id),
  page_id INTEGER NOT NULL REFERENCES pages (id),
  PRIMARY KEY (board, tid, pid, number)
) WITHOUT ROWID;
CREATE INDEX versions_order ON versions (board, tid, posted, pid, number, seen_at, revision_id);

CREATE TABLE looks (
  board TEXT NOT NULL,
  tid INTEGER NOT NULL,
  last_at TEXT NOT NULL,
  PRIMARY KEY (board, tid)
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
SELECT v.tid, v.pid, v.number AS revision, {_local("v.seen_at")} AS seen_at, r.text, h.html, r.digest
FROM versions v JOIN revisions r ON r.id = v.revision_id JOIN regions h ON h.revision_id = r.id""",
    # A post is deleted when no pass since the last but one complete pass saw it, that one included.
    "posts": f"""
WITH ranked AS (
  SELECT p.board, p.tid, p.started_at, row_number() OVER (PARTITION BY p.board, p.tid ORDER BY p.started_at DESC) AS age
  FROM passes p JOIN pass_ends e ON e.pass_id = p.id WHERE e.complete
), horizon AS (
  SELECT board, tid, started_at FROM ranked WHERE age = 2
), alive AS (
  SELECT DISTINCT p.board, p.tid, pp.pid
  FROM horizon h JOIN passes p ON p.board = h.board AND p.tid = h.tid AND p.started_at >= h.started_at
  JOIN pages g ON g.pass_id = p.id JOIN page_posts pp ON pp.content_id = g.content_id
), sights AS (
  SELECT c.board, c.tid, pp.pid, pp.floor, max((SELECT max(seen_at) FROM pages WHERE content_id = c.id)) AS last_seen
  FROM page_contents c JOIN page_posts pp ON pp.content_id = c.id GROUP BY c.board, c.tid, pp.pid
), heads AS (
  SELECT board, tid, pid, max(number) AS number, revision_id FROM versions GROUP BY board, tid, pid
)
SELECT d.tid, d.pid, s.floor, r.author, r.uid, {_zoned("r.posted")} AS posted_at, {_zoned("r.edited")} AS edited_at,
  CASE WHEN h.tid IS NOT NULL AND a.pid IS NULL THEN 'deleted' ELSE r.state END AS state,
  r.text, d.number AS revisions,
  (SELECT {_local("v.seen_at")} FROM versions v WHERE v.board = d.board AND v.tid = d.tid AND v.pid = d.pid AND v.number = 1)
    AS first_seen,
  {_local("s.last_seen")} AS last_seen
FROM heads d JOIN revisions r ON r.id = d.revision_id
JOIN sights s ON s.board = d.board AND s.tid = d.tid AND s.pid = d.pid
LEFT JOIN horizon h ON h.board = d.board AND h.tid = d.tid
LEFT JOIN alive a ON a.board = d.board AND a.tid = d.tid AND a.pid = d.pid""",
}

# All versions of the posts of one thread, from every page that was ever seen: a row where a post says something else than
# at the look before.
REBUILD_VERSIONS = """
INSERT INTO versions (board, tid, pid, number, posted, seen_at, revision_id, page_id)
SELECT :board, :tid, pid, row_number() OVER looks, first_value(posted) OVER looks, seen_at, revision_id, page_id
FROM (
  SELECT pp.pid, pp.revision_id, r.posted, g.seen_at, g.id AS page_id,
    lag(pp.revision_id) OVER (PARTITION BY pp.pid ORDER BY g.seen_at, g.id) AS before
  FROM passes p JOIN pages g ON g.pass_id = p.id JOIN page_posts pp ON pp.content_id = g.content_id
  JOIN revisions r ON r.id = pp.revision_id
  WHERE p.board = :board AND p.tid = :tid
) WHERE revision_id IS NOT before
WINDOW looks AS (PARTITION BY pid ORDER BY seen_at, page_id)
"""


def _m001_raw_tables(db: Database) -> None:
    # Not `executescript`: it would commit the migration's transaction.
    for statement in _TABLES.split(";\n"):
        if statement.strip():
            db.execute(statement)
    for table, keys in RAW_TABLES.items():
        for trigger in guards(table, keys):
            db.execute(trigger)


MIGRATIONS: dict[str, Callable[[Database], None]] = {"m001_raw_tables": _m001_raw_tables}


def migrations() -> Migrations:
    """The archive's own set of migrations; the tables of tallies and the ledger have theirs."""
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
