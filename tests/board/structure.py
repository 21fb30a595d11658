"""The posts of a recorded board, given to the test board: what it then shows is held against what the recorded board showed."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from tests.board.dialects import Dialect
from tests.board.living import Drawn
from tests.board.recordings import Row, read_rows
from tests.board.script import Account, Remark, Script, ScriptedPost, Settings, Thread
from tests.board.view import show_page

ZONE = timedelta(hours=8)
SEEN = datetime(2026, 11, 30, 4, 37)  # noqa: DTZ001 - board-local, as every time of a script
BASE = "http://bbs.example.net/"

_HOSTS = re.compile(r"127\.0\.0\.1:\d+")


@dataclass(frozen=True, slots=True)
class Recorded:
    """A recording: how the test board shows the like, and what the board was told besides the rows of its database.

    `rows` is the recording whose rows are its own; `comments` and `ratings` are how many a post has, by pid: they are in no row.
    """

    name: str
    edition: Dialect
    tid: int
    page: int
    total: int
    banned: tuple[int, ...] = ()
    hidden_replies: bool = False
    poll: tuple[str, ...] = ()
    comments: tuple[tuple[int, tuple[str, ...]], ...] = ()
    ratings: tuple[tuple[int, tuple[str, ...]], ...] = ()
    per_page: int = 10
    seen: datetime = SEEN
    rows: str = ""


def render(recorded: Recorded) -> str:
    """The page as the test board shows it: the recorded posts at their places, others before and after them."""
    rows = read_rows(recorded.rows or recorded.name)[: recorded.per_page]
    first = (recorded.page - 1) * recorded.per_page
    posts = [_filler(recorded, number) for number in range(1, first + 1)]
    posts += [_post(recorded, row) for row in rows]
    posts += [_filler(recorded, 1000 + number) for number in range(len(posts), recorded.total)]
    names = {row.author: row.uid for row in rows} | {"[M29]导演": 2, "包子": 4, "admin": 1}
    script = Script(
        Settings(dates="Y-m-d", charset="gbk" if "gbk" in recorded.name else "utf-8", per_page=recorded.per_page),
        {name: Account(name, uid) for name, uid in names.items()},
        {recorded.tid: Thread(recorded.tid, "…", recorded.hidden_replies, recorded.poll)},
        {post.pid: post for post in posts},
        (),
    )
    view = show_page(script, recorded.tid, recorded.page, recorded.seen)
    assert view is not None
    return recorded.edition.render_thread(view, BASE, Drawn("seed", recorded.seen, script.settings))


def _post(recorded: Recorded, row: Row) -> ScriptedPost:
    return ScriptedPost(
        recorded.tid,
        row.pid,
        row.author,
        (datetime.fromtimestamp(row.dateline, UTC) + ZONE).replace(tzinfo=None),
        _HOSTS.sub("bbs.example.net", row.message),
        blocked=recorded.seen if row.blocked else None,
        banned=recorded.seen if row.pid in recorded.banned else None,
        comments=_remarks(dict(recorded.comments).get(row.pid, ()), recorded.seen),
        ratings=_remarks(dict(recorded.ratings).get(row.pid, ()), recorded.seen),
    )


def _remarks(names: Iterable[str], at: datetime) -> tuple[Remark, ...]:
    return tuple(Remark(name, at, "…") for name in names)


def _filler(recorded: Recorded, pid: int) -> ScriptedPost:
    early = datetime(2026, 11, 1, tzinfo=None) if pid < 1000 else recorded.seen - timedelta(minutes=1)  # noqa: DTZ001
    return ScriptedPost(recorded.tid, -pid if pid < 1000 else pid, "[M29]导演", early, "…")
