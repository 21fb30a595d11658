"""Putting one page into the archive: what is known of it is found by its gates, what is new is read and laid down.

Every function takes an open connection inside a transaction that the caller ends.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple
from zoneinfo import ZoneInfo

from scraper.absence import is_copy, note_span, read_span, rebuild_absences, save_span
from scraper.errors import ArchiveError, CutPageError, LayoutError, ThreadMovedError
from scraper.passes import PageLook, PageOutcome, PassId
from scraper.phrases import phrase
from scraper.post import Flaw, Post
from scraper.response import Response
from scraper.rows import REVISION_COLUMNS, encode_flaws, encode_post, utc_time
from scraper.schema import REBUILD, rebuilding
from scraper.transport import http_date

if TYPE_CHECKING:
    from scraper.glance import Glance
    from scraper.page import PageGate

_ADD_REVISION = f"INSERT INTO revisions (id, {REVISION_COLUMNS}) VALUES (?{', ?' * (REVISION_COLUMNS.count(',') + 1)})"

# What these posts ever said; of twins the first comes last, and stays.
_FIND_REVISIONS = """
SELECT pid, digest, id FROM revisions WHERE thread_id = ? AND pid IN (SELECT value FROM json_each(?)) ORDER BY twin DESC
"""

# A content is known by the first glance at it; later ones that differ are of parts which change by themselves.
_ADD_GLANCE = """
INSERT INTO glances (thread_id, seal, content_id) SELECT :thread, :seal, :content
WHERE NOT EXISTS (SELECT 1 FROM glances WHERE content_id = :content)
"""

# The posts of a page as it was last seen, and of those beside it: posts move up when others are deleted.
_FIND_GATES = """
SELECT pp.pid, pp.gate, pp.revision_id FROM fronts f JOIN page_posts pp ON pp.content_id = f.content_id
WHERE f.thread_id = ? AND f.shown BETWEEN ? AND ?
"""

# The posts of a content that say something else than at the look before, or were never seen: as rows of `versions`.
_FIND_NEWS = """
SELECT pp.pid,
  (SELECT coalesce(max(number), 0) + 1 FROM versions WHERE thread_id = :thread AND pid = pp.pid),
  coalesce((SELECT posted FROM versions WHERE thread_id = :thread AND pid = pp.pid LIMIT 1), r.posted),
  pp.revision_id
FROM page_posts pp JOIN revisions r ON r.id = pp.revision_id
WHERE pp.content_id = :content AND pp.revision_id IS NOT
  (SELECT revision_id FROM versions WHERE thread_id = :thread AND pid = pp.pid ORDER BY number DESC LIMIT 1)
  AND r.digest IS NOT (SELECT digest FROM revisions WHERE id =
    (SELECT revision_id FROM versions WHERE thread_id = :thread AND pid = pp.pid ORDER BY number DESC LIMIT 1))
ORDER BY pp.position
"""

# Where they are in a row of `_ADD_REVISION`.
_PID, _POSTED = [1 + REVISION_COLUMNS.split(", ").index(column) for column in ("pid", "posted")]

# A post that was never seen before: its pid, when it was posted (as stored), and its revision.
_Fresh = tuple[int, str, int]


def find_thread(connection: sqlite3.Connection, pass_id: PassId) -> tuple[int, int, str]:
    """The thread of a pass: its row and its tid; and when the pass began."""
    row: tuple[int, int, str] = connection.execute(
        "SELECT t.id, t.tid, p.started_at FROM passes p JOIN threads t ON t.id = p.thread_id WHERE p.id = ?", (pass_id,)
    ).fetchone()
    return row


class _Shown(NamedTuple):
    """What a page shows: its number and of how many, its content's row and whether it was known, its posts, and its flaws.

    `fresh` are its posts as (pid, when posted, revision), where none of them was ever seen before; None for any other page.
    """

    number: int
    pages: int
    content: int
    known: bool
    posts: int
    pids: tuple[int, ...]
    flaws: tuple[Flaw, ...]
    fresh: tuple[_Fresh, ...] | None = None


class _Added(NamedTuple):
    """The row of a content, with the flaws of its page, and `fresh` as in `_Shown`."""

    content: int
    flaws: tuple[Flaw, ...]
    fresh: tuple[_Fresh, ...] | None = None


def save_page(connection: sqlite3.Connection, zone: ZoneInfo, pass_id: PassId, response: Response, number: int) -> PageOutcome:
    """See `Archive.save_page`."""
    from scraper.glance import glance_page

    thread, tid, started_at = find_thread(connection, pass_id)
    glance = glance_page(response.body, content_type=response.header("Content-Type"))
    shown = _recall(connection, thread, tid, glance, response) if glance else None
    if shown is None:
        shown = _gate(connection, zone, thread, tid, response, glance)
        if glance:
            connection.execute(_ADD_GLANCE, {"thread": thread, "seal": glance.seal, "content": shown.content})
    content = shown.content
    front = connection.execute(
        "SELECT content_id FROM fronts WHERE thread_id = ? AND shown = ?", (thread, shown.number)
    ).fetchone()
    news = []
    if (page := _add_page(connection, pass_id, tid, response, number, shown)) is not None:
        moment = (utc_time(response.seen_at), started_at, number)
        news = _note_versions(connection, thread, moment, page, shown)
    return PageOutcome(
        number,
        shown.number,
        shown.pages,
        shown.posts,
        new=tuple(pid for pid, version in news if version == 1),
        changed=tuple(pid for pid, version in news if version > 1),
        flaws=shown.flaws,
        unchanged=shown.known,
        same=front == (content,),
        pids=shown.pids,
        look=PageLook(shown.number, shown.pages, response.seen_at, *read_span(connection, content, zone)),
    )


def _recall(connection: sqlite3.Connection, thread: int, tid: int, glance: Glance, response: Response) -> _Shown | None:
    """A page that was met before, known at a glance; None for any other."""
    row = connection.execute("SELECT content_id FROM glances WHERE thread_id = ? AND seal = ?", (thread, glance.seal)).fetchone()
    if row is None:
        return None
    _check_thread(tid, glance.found.tids, response)
    pids = [cut.pid for cut in glance.found.cuts]
    posts = len(pids)
    if not glance.numbered:
        floors = connection.execute("SELECT pid, floor FROM page_posts WHERE content_id = ? ORDER BY position", row)
        pids = [pid for pid, floor in floors if not is_copy(floor)]
    return _Shown(glance.found.number, glance.found.pages, row[0], True, posts, tuple(pids), glance.flaws)


def _gate(
    connection: sqlite3.Connection, zone: ZoneInfo, thread: int, tid: int, response: Response, glance: Glance | None
) -> _Shown:
    """A page by its gate, and read where that is new."""
    from scraper.page import gate_page

    try:
        gate = gate_page(response.body, content_type=response.header("Content-Type"), glance=glance)
    except LayoutError as error:
        raise LayoutError(phrase("{url}: {error}", url=response.url, error=error), response) from error
    except CutPageError as error:
        raise CutPageError(phrase("{url}: {error}", url=response.url, error=error), response) from error
    _check_thread(tid, gate.tids, response)
    row = connection.execute("SELECT id FROM page_contents WHERE thread_id = ? AND digest = ?", (thread, gate.gate)).fetchone()
    added = _Added(row[0], gate.flaws) if row else _add_content(connection, zone, thread, tid, gate, response)
    pids = tuple([post.pid for post in gate.posts if not is_copy(post.floor)])
    return _Shown(gate.number, gate.pages, added.content, bool(row), len(gate.posts), pids, added.flaws, added.fresh)


def _check_thread(tid: int, named: frozenset[int], response: Response) -> None:
    if named and tid not in named:
        other = min(named)
        raise ThreadMovedError(
            phrase(
                "{url}: thread {tid} was asked for, and a page of thread {other} came: it was moved or merged, "
                "or the page is another's. Write {other} in game.toml if that is the thread you mean.",
                url=response.url,
                tid=tid,
                other=other,
            ),
            response,
        )


def rebuild(connection: sqlite3.Connection, thread: int) -> None:
    """Make the derived tables of one thread anew from the raw tables."""
    _rebuild_looks(connection, thread)
    rebuild_absences(connection, thread)


def _rebuild_looks(connection: sqlite3.Connection, thread: int) -> None:
    with rebuilding(connection, thread):
        for table, query in REBUILD.items():
            connection.execute(f"DELETE FROM {table} WHERE thread_id = ?", (thread,))
            connection.execute(query, {"thread": thread})


def _add_content(
    connection: sqlite3.Connection, zone: ZoneInfo, thread: int, tid: int, gate: PageGate, response: Response
) -> _Added:
    """A page that never stood so before: read the posts that did not, and note which revision of which post it shows."""
    from scraper.page import read_gated

    shown = {
        (pid, seal): revision
        for pid, seal, revision in connection.execute(_FIND_GATES, (thread, gate.number - 1, gate.number + 1))
    }
    revisions = {post.pid: shown[post.pid, post.gate] for post in gate.posts if (post.pid, post.gate) in shown}
    unread = frozenset(post.pid for post in gate.posts if post.pid not in revisions)
    page = read_gated(gate, tid=tid, seen_at=response.seen_at, zone=zone, only=unread)
    read, fresh = _add_revisions(connection, zone, thread, page.posts)
    revisions |= read
    content = connection.execute(
        "INSERT INTO page_contents (thread_id, digest, title, zone, flaws) VALUES (?, ?, ?, ?, ?)",
        (thread, gate.gate, page.title, page.zone, encode_flaws(page.flaws)),
    ).lastrowid
    assert content is not None
    connection.executemany(
        "INSERT INTO page_posts (content_id, pid, position, floor, gate, revision_id) VALUES (?, ?, ?, ?, ?, ?)",
        [
            (content, post.pid, place, post.floor, post.gate, revisions[post.pid])
            for place, post in enumerate(gate.posts, start=1)
        ],
    )
    if fresh is None or len(fresh) < len(gate.posts):
        save_span(connection, thread, content)
        return _Added(content, page.flaws)
    places = [(pid, post.floor, posted) for post, (pid, posted, _) in zip(gate.posts, fresh, strict=True)]
    note_span(connection, thread, content, places)
    return _Added(content, page.flaws, fresh)


def _add_revisions(
    connection: sqlite3.Connection, zone: ZoneInfo, thread: int, posts: Sequence[Post]
) -> tuple[dict[int, int], tuple[_Fresh, ...] | None]:
    """The rows of what posts say, by pid, made where they are new; and the posts as in `_Shown.fresh`.

    A board counts its pids upwards: of posts behind all that a thread has shown nothing needs to be looked up.
    """
    if not posts:
        return {}, None
    (newest,) = connection.execute("SELECT max(pid) FROM revisions WHERE thread_id = ?", (thread,)).fetchone()
    unseen = newest is None or min([post.pid for post in posts]) > newest
    stored: dict[tuple[int, str], int] = {}
    if not unseen:
        pids = json.dumps([post.pid for post in posts])
        stored = {(pid, digest): revision for pid, digest, revision in connection.execute(_FIND_REVISIONS, (thread, pids))}
    following: int = connection.execute("SELECT coalesce(max(id), 0) + 1 FROM revisions").fetchone()[0]
    found: dict[int, int] = {}
    rows: list[tuple[Any, ...]] = []
    for post in posts:
        revision = stored.get((post.pid, post.digest))
        if revision is None:
            revision = following + len(rows)
            rows.append((revision, *encode_post(post, thread, zone)))
        found[post.pid] = revision
    connection.executemany(_ADD_REVISION, rows)
    return found, tuple([(row[_PID], row[_POSTED], row[0]) for row in rows]) if unseen else None


def _add_page(
    connection: sqlite3.Connection, pass_id: PassId, tid: int, response: Response, number: int, shown: _Shown
) -> int | None:
    """The row of the look itself; None where it is stored already."""
    seen_at = utc_time(response.seen_at)
    stored, ended = connection.execute(
        "SELECT (SELECT content_id FROM pages WHERE pass_id = :it AND number = :number AND seen_at = :seen_at),"
        " EXISTS (SELECT 1 FROM pass_ends WHERE pass_id = :it)",
        {"it": pass_id, "number": number, "seen_at": seen_at},
    ).fetchone()
    if stored == shown.content:
        return None
    if stored or ended:
        raise ArchiveError(
            phrase(
                "page {number} of thread {tid}, seen at {seen_at}: the pass that it belongs to is stored "
                "already, and without it. If its recording was changed, begin a new database.",
                number=number,
                tid=tid,
                seen_at=seen_at,
            )
        )
    return connection.execute(
        "INSERT INTO pages (pass_id, number, shown, pages, seen_at, url, status, content_id, told_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            pass_id,
            number,
            shown.number,
            shown.pages,
            seen_at,
            response.url,
            response.status,
            shown.content,
            _read_clock(response),
        ),
    ).lastrowid


def _read_clock(response: Response) -> str | None:
    """What the board's own clock said when it answered, where it said something that can be read."""
    told = http_date(response.header("Date"))
    return utc_time(told) if told else None


def _note_versions(
    connection: sqlite3.Connection, thread: int, moment: tuple[str, str, int], page: int, shown: _Shown
) -> list[tuple[int, int]]:
    """Keep the derived tables up; returns (pid, version) of every post that says something else than at the look before."""
    last = connection.execute("SELECT seen_at, started_at, number FROM looks WHERE thread_id = ?", (thread,)).fetchone()
    if last and moment < last:
        # Seen before what is stored (a clock was set back, an older recording): all versions of the thread are numbered anew.
        _rebuild_looks(connection, thread)
        news = connection.execute(
            "SELECT pid, number FROM versions WHERE thread_id = ? AND page_id = ?", (thread, page)
        ).fetchall()
        if any(number == 1 for _, number in news):
            # Passes after this look may have missed what it shows.
            rebuild_absences(connection, thread)
        return news
    connection.execute("REPLACE INTO looks VALUES (?, ?, ?, ?)", (thread, *moment))
    connection.execute(
        "INSERT INTO fronts VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET content_id = excluded.content_id"
        " WHERE content_id <> excluded.content_id",
        (thread, shown.number, shown.content),
    )
    if shown.fresh is not None:
        news = [(pid, 1, posted, revision) for pid, posted, revision in shown.fresh]
    else:
        news = connection.execute(_FIND_NEWS, {"thread": thread, "content": shown.content}).fetchall()
    connection.executemany(
        "INSERT INTO versions (thread_id, posted, pid, number, seen_at, revision_id, page_id) VALUES (?, ?, ?, ?, ?, ?, ?)",
        [(thread, posted, pid, version, moment[0], revision, page) for pid, version, posted, revision in news],
    )
    return [(pid, version) for pid, version, *_ in news]
