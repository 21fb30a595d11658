"""What became of the posts of a thread in one pass: new, edited, moved, blocked, gone, returned, each told apart.

Worked out when the pass has ended, from the pages that do not stand as they stood; nothing of it is stored, since the pages are.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterator, Mapping, Sequence

from scraper.absence import Place, find_places, is_copy
from scraper.passes import Change, Order, PageOutcome, PassId, PostChange
from scraper.post import PostState

_OPEN = PostState.NORMAL.value


def find_changes(connection: sqlite3.Connection, pass_id: PassId, outcomes: Sequence[PageOutcome]) -> tuple[PostChange, ...]:
    """See `Archive.fetch_changes`."""
    (thread,) = connection.execute("SELECT thread_id FROM passes WHERE id = ?", (pass_id,)).fetchone()
    new = {pid for outcome in outcomes for pid in outcome.new}
    told = [*_tell_seen(connection, pass_id, thread, outcomes, new), *_tell_absent(connection, pass_id, thread)]
    return tuple(sorted(told, key=lambda change: change.pid))


def _tell_seen(
    connection: sqlite3.Connection, pass_id: PassId, thread: int, outcomes: Sequence[PageOutcome], new: Collection[int]
) -> Iterator[PostChange]:
    """The changes of posts on pages that do not stand as they stood."""
    other = {
        outcome.number: outcome
        for outcome in outcomes
        if not outcome.same and outcome.look and outcome.look.order is not Order.FALLING
    }
    if not other:
        return
    now = _find_now(connection, pass_id, other)
    before = find_places(connection, thread, now.keys() - new, without=pass_id, pages=(min(other) - 1, max(other) + 1))
    before |= find_places(connection, thread, now.keys() - new - before.keys(), without=pass_id)
    absent = _find_absent(connection, thread, {pid: place.seen_at for pid, place in before.items()})
    # Of a post that nobody saw before only its author is told: in a first pass that is every post.
    authors = _read_authors(connection, {place.revision for pid, place in now.items() if pid in new and pid not in before})
    compared = [place.revision for pid, place in now.items() if pid in before]
    words = _read_words(connection, {*compared, *(place.revision for place in before.values())})
    for pid, place in now.items():
        if pid not in before:
            if pid in new:
                yield PostChange(Change.NEW, pid, authors[place.revision], place.page, place.floor)
            continue
        is_now, old = words[place.revision], before[pid]
        for kind in _compare(words[old.revision], is_now, old, place, returned=bool(absent.get(pid))):
            yield PostChange(kind, pid, is_now.author, place.page, place.floor, old.page, old.floor)


def _tell_absent(connection: sqlite3.Connection, pass_id: PassId, thread: int) -> Iterator[PostChange]:
    """The posts that this pass missed for the first or the second time since they were seen."""
    (started_at,) = connection.execute("SELECT started_at FROM passes WHERE id = ?", (pass_id,)).fetchone()
    missed = [
        pid
        for (pid,) in connection.execute("SELECT pid FROM absences WHERE thread_id = ? AND started_at = ?", (thread, started_at))
    ]
    places = find_places(connection, thread, missed)
    absent = _find_absent(connection, thread, {pid: places[pid].seen_at for pid in missed})
    words = _read_words(connection, {place.revision for place in places.values()})
    for pid in missed:
        place, times = places[pid], absent.get(pid, 0)
        if times in (1, 2):
            kind = Change.MISSING if times == 1 else Change.GONE
            other = _find_elsewhere(connection, thread, pid, place.seen_at)
            author = words[place.revision].author
            yield PostChange(kind, pid, author, place.page, place.floor, place.page, place.floor, other)


class _Words:
    """What a revision says, as far as two of them are compared."""

    __slots__ = ("author", "digest", "own", "state")

    def __init__(self, digest: str, author: str, state: str, own: tuple[object, ...]) -> None:
        self.digest, self.author, self.state, self.own = digest, author, state, own


def _compare(was: _Words, is_now: _Words, old: Place, place: Place, *, returned: bool) -> Iterator[Change]:
    if returned:
        yield Change.RETURNED
    if was.digest != is_now.digest:
        if was.state == _OPEN != is_now.state:
            yield Change.BLOCKED
        elif is_now.state == _OPEN != was.state:
            yield Change.OPENED
        elif was.own != is_now.own:
            yield Change.EDITED
        else:
            yield Change.REMARKED
    if (old.page, old.floor) != (place.page, place.floor):
        yield Change.MOVED


def _find_now(connection: sqlite3.Connection, pass_id: PassId, other: Mapping[int, PageOutcome]) -> dict[int, Place]:
    """Where the posts of these pages stand in this pass, copies of sticky posts left out."""
    now: dict[int, Place] = {}
    for page, pid, floor, revision, seen_at in connection.execute(
        "SELECT g.shown, pp.pid, pp.floor, pp.revision_id, g.seen_at FROM pages g"
        " JOIN page_posts pp ON pp.content_id = g.content_id WHERE g.pass_id = ? ORDER BY g.seen_at, g.id, pp.position",
        (pass_id,),
    ):
        if page in other and not is_copy(floor):
            now[pid] = Place(page, floor, revision, seen_at)
    return now


def _find_absent(connection: sqlite3.Connection, thread: int, seen: Mapping[int, str]) -> dict[int, int]:
    """How many passes that began after a post was seen (UTC) did not find it."""
    counts: dict[int, int] = {}
    for pid, started_at in connection.execute("SELECT pid, started_at FROM absences WHERE thread_id = ?", (thread,)):
        if pid in seen and started_at > seen[pid]:
            counts[pid] = counts.get(pid, 0) + 1
    return counts


def _find_elsewhere(connection: sqlite3.Connection, thread: int, pid: int, seen_at: str) -> int | None:
    """The thread of the same board in which the post was seen since."""
    row = connection.execute(
        "SELECT t.tid FROM threads here JOIN threads t ON t.board = here.board AND t.id != here.id"
        " JOIN versions v ON v.thread_id = t.id AND v.pid = ? AND v.seen_at > ?"
        " WHERE here.id = ? ORDER BY v.seen_at DESC LIMIT 1",
        (pid, seen_at, thread),
    ).fetchone()
    return row[0] if row else None


def _read_authors(connection: sqlite3.Connection, revisions: Collection[int]) -> dict[int, str]:
    return dict(
        connection.execute(
            "SELECT r.id, r.author FROM json_each(?) wanted JOIN revisions r ON r.id = wanted.value", (json.dumps([*revisions]),)
        ).fetchall()
    )


def _read_words(connection: sqlite3.Connection, revisions: Collection[int]) -> dict[int, _Words]:
    rows = connection.execute(
        "SELECT r.id, r.digest, r.author, r.state, r.title, r.text, r.tokens, r.quotes, r.editor, r.edited"
        " FROM json_each(?) wanted JOIN revisions r ON r.id = wanted.value",
        (json.dumps([*revisions]),),
    )
    return {revision: _Words(digest, author, state, tuple(own)) for revision, digest, author, state, *own in rows}
