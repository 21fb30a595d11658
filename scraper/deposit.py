"""Putting one page into the archive: what is known of it is found by its gates, what is new is read and laid down.

Every function takes an open connection inside a transaction that the caller ends.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Container, Sequence
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from scraper.errors import ArchiveError, LayoutError
from scraper.passes import PageOutcome, PassId
from scraper.post import Flaw, Post
from scraper.response import Response
from scraper.rows import REVISION_COLUMNS, encode_flaws, encode_post, utc_time
from scraper.schema import REBUILD_VERSIONS

if TYPE_CHECKING:
    from scraper.page import PageGate

_ADD_REVISION = f"INSERT INTO revisions (id, {REVISION_COLUMNS}) VALUES (?{', ?' * (REVISION_COLUMNS.count(',') + 1)})"

# For posts given as pairs of pid and gate: the revision that those bytes were read as, and whether no page has the pid.
# CROSS JOIN: by the post, never by going through all contents of the thread.
_FIND_GATES = """
WITH wanted (pid, gate) AS (VALUES {pairs})
SELECT w.pid,
  (SELECT pp.revision_id FROM page_posts pp CROSS JOIN page_contents c ON c.id = pp.content_id
   WHERE pp.pid = w.pid AND pp.gate = w.gate AND c.board = ? AND c.tid = ? LIMIT 1),
  NOT EXISTS (SELECT 1 FROM page_posts pp WHERE pp.pid = w.pid)
FROM wanted w
"""
# Old builds of SQLite take 999 parameters, and 500 terms of a VALUES.
_AT_ONCE = 200

# The posts of a content that say something else than at the look before, or were never seen: as rows of `versions`.
_FIND_NEWS = """
SELECT pp.pid, coalesce(v.number, 0) + 1, coalesce(v.posted, r.posted), pp.revision_id
FROM page_posts pp JOIN revisions r ON r.id = pp.revision_id
LEFT JOIN versions v ON v.board = :board AND v.tid = :tid AND v.pid = pp.pid AND v.number =
  (SELECT max(number) FROM versions WHERE board = :board AND tid = :tid AND pid = pp.pid)
WHERE pp.content_id = :content AND pp.revision_id IS NOT v.revision_id
ORDER BY pp.position
"""


def find_tid(connection: sqlite3.Connection, pass_id: PassId) -> int:
    """The thread of a pass."""
    tid: int = connection.execute("SELECT tid FROM passes WHERE id = ?", (pass_id,)).fetchone()[0]
    return tid


def save_page(
    connection: sqlite3.Connection, board: str, zone: ZoneInfo, pass_id: PassId, response: Response, number: int
) -> PageOutcome:
    """See `Archive.save_page`."""
    from scraper.page import gate_page

    tid = find_tid(connection, pass_id)
    try:
        gate = gate_page(response.body, content_type=response.header("Content-Type"))
    except LayoutError as error:
        raise LayoutError(f"{response.url}: {error}", response) from error
    row = connection.execute(
        "SELECT id FROM page_contents WHERE board = ? AND tid = ? AND digest = ?", (board, tid, gate.gate)
    ).fetchone()
    content, flaws = (row[0], gate.flaws) if row else _add_content(connection, board, zone, tid, gate, response)
    news = _add_page(connection, board, tid, pass_id, response, number, gate, content)
    new = tuple(pid for pid, version in news if version == 1)
    changed = tuple(pid for pid, version in news if version > 1)
    return PageOutcome(number, gate.number, gate.pages, len(gate.posts), new, changed, flaws, unchanged=bool(row))


def rebuild_versions(connection: sqlite3.Connection, board: str, tid: int) -> None:
    """Make `versions` of one thread anew from the raw tables."""
    connection.execute("DELETE FROM versions WHERE board = ? AND tid = ?", (board, tid))
    connection.execute(REBUILD_VERSIONS, {"board": board, "tid": tid})


def rebuild(connection: sqlite3.Connection) -> None:
    """Make `looks` and `versions` of every thread anew from the raw tables."""
    connection.execute("DELETE FROM looks")
    connection.execute(
        "INSERT INTO looks SELECT p.board, p.tid, max(g.seen_at) FROM passes p JOIN pages g ON g.pass_id = p.id"
        " GROUP BY p.board, p.tid"
    )
    for board, tid in connection.execute("SELECT board, tid FROM looks").fetchall():
        rebuild_versions(connection, board, tid)


def _add_content(
    connection: sqlite3.Connection, board: str, zone: ZoneInfo, tid: int, gate: PageGate, response: Response
) -> tuple[int, tuple[Flaw, ...]]:
    """A page that never stood so before: read the posts that did not, and note which revision of which post it shows."""
    from scraper.page import read_gated

    revisions, strangers = _find_by_gates(connection, board, tid, gate)
    unread = frozenset(post.pid for post in gate.posts if post.pid not in revisions)
    page = read_gated(gate, tid=tid, seen_at=response.seen_at, zone=zone, only=unread)
    revisions |= _add_revisions(connection, board, zone, page.posts, strangers)
    content = connection.execute(
        "INSERT INTO page_contents (board, tid, digest, title, zone, flaws) VALUES (?, ?, ?, ?, ?, ?)",
        (board, tid, gate.gate, page.title, page.zone, encode_flaws(page.flaws)),
    ).lastrowid
    assert content is not None
    connection.executemany(
        "INSERT INTO page_posts (content_id, pid, position, gate, revision_id, floor) VALUES (?, ?, ?, ?, ?, ?)",
        [
            (content, post.pid, place, post.gate, revisions[post.pid], post.floor)
            for place, post in enumerate(gate.posts, start=1)
        ],
    )
    return content, page.flaws


def _find_by_gates(connection: sqlite3.Connection, board: str, tid: int, gate: PageGate) -> tuple[dict[int, int], set[int]]:
    """The revision that the same bytes were read as before, by pid; and the pids that were never seen on any page."""
    found: dict[int, int] = {}
    strangers: set[int] = set()
    for start in range(0, len(gate.posts), _AT_ONCE):
        posts = gate.posts[start : start + _AT_ONCE]
        rows = connection.execute(
            _FIND_GATES.format(pairs=", ".join(["(?, ?)"] * len(posts))),
            (*(value for post in posts for value in (post.pid, post.gate)), board, tid),
        )
        for pid, revision, stranger in rows:
            if revision is not None:
                found[pid] = revision
            elif stranger:
                strangers.add(pid)
    return found, strangers


def _add_revisions(
    connection: sqlite3.Connection, board: str, zone: ZoneInfo, posts: Sequence[Post], strangers: Container[int]
) -> dict[int, int]:
    """The rows of what posts say, by pid; made where they are new."""
    found = {}
    added: list[tuple[int, Post]] = []
    following: int = connection.execute("SELECT coalesce(max(id), 0) + 1 FROM revisions").fetchone()[0]
    for post in posts:
        row = None
        if post.pid not in strangers:
            row = connection.execute(
                "SELECT id FROM revisions WHERE board = ? AND tid = ? AND pid = ? AND digest = ?",
                (board, post.tid, post.pid, post.digest),
            ).fetchone()
        if row is None:
            added.append((following + len(added), post))
        found[post.pid] = row[0] if row else added[-1][0]
    connection.executemany(_ADD_REVISION, [(revision, *encode_post(post, board, zone)) for revision, post in added])
    connection.executemany("INSERT INTO regions VALUES (?, ?)", [(revision, post.html) for revision, post in added])
    return found


def _add_page(
    connection: sqlite3.Connection,
    board: str,
    tid: int,
    pass_id: PassId,
    response: Response,
    number: int,
    gate: PageGate,
    content: int,
) -> list[tuple[int, int]]:
    """The sighting itself; returns (pid, version) of every post that says something else than at the look before."""
    seen_at = utc_time(response.seen_at)
    stored = connection.execute(
        "SELECT content_id FROM pages WHERE pass_id = ? AND number = ? AND seen_at = ?", (pass_id, number, seen_at)
    ).fetchone()
    if stored and stored[0] == content:
        return []
    if stored or connection.execute("SELECT 1 FROM pass_ends WHERE pass_id = ?", (pass_id,)).fetchone():
        raise ArchiveError(
            f"page {number} of thread {tid}, seen at {seen_at}: the pass that it belongs to is stored already, and without it. "
            "If its recording was changed, begin a new database."
        )
    page = connection.execute(
        "INSERT INTO pages (pass_id, number, shown, pages, seen_at, url, status, content_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (pass_id, number, gate.number, gate.pages, seen_at, response.url, response.status, content),
    ).lastrowid
    last = connection.execute("SELECT last_at FROM looks WHERE board = ? AND tid = ?", (board, tid)).fetchone()
    if last and seen_at < last[0]:
        # Seen before what is stored (a clock was set back, an older recording): all versions of the thread are numbered anew.
        rebuild_versions(connection, board, tid)
        return connection.execute("SELECT pid, number FROM versions WHERE page_id = ?", (page,)).fetchall()
    connection.execute("REPLACE INTO looks VALUES (?, ?, ?)", (board, tid, seen_at))
    news = connection.execute(_FIND_NEWS, {"board": board, "tid": tid, "content": content}).fetchall()
    connection.executemany(
        "INSERT INTO versions VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [(board, tid, pid, version, posted, seen_at, revision, page) for pid, version, posted, revision in news],
    )
    return [(pid, version) for pid, version, *_ in news]
