"""Looks at the test board for tests of the archive: a script's thread at any moment, stored as a pass."""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from scraper.archive import Archive
from scraper.errors import BoardError
from scraper.passes import PassOutcome
from scraper.poll import poll_thread
from scraper.post import History
from scraper.response import Response
from tests.board.script import Script, read_script
from tests.board.server import Asked, Board

BOARD = "https://bbs.example.net/"
ZONE = ZoneInfo("Asia/Shanghai")
TID = 7


def at(time: str, day: int = 3, zone: ZoneInfo = ZONE) -> datetime:
    """A moment of June 2018 in the board's zone: `at("21:00")` is on the 3rd."""
    return datetime.fromisoformat(f"2018-06-{day:02d}T{time}").replace(tzinfo=zone)


def thread(*posts: str, per_page: int = 2, more: str = "") -> Script:
    """A script with thread 7 of these posts: each the keys of one, as TOML, without tid and pid, which are 1, 2, 3, …"""
    blocks = [f"[[post]]\ntid = {TID}\npid = {pid}\n{post}\n" for pid, post in enumerate(posts, start=1)]
    return read_script(f'[board]\nper_page = {per_page}\n{more}\n[[thread]]\ntid = {TID}\ntitle = "投票帖"\n' + "".join(blocks))


def post(author: str, time: str, text: str, more: str = "") -> str:
    """The keys of one post, written on the 3rd at HH:MM."""
    return f'author = "{author}"\nat = 2018-06-03T{time}:00\ntext = """{text}"""\n{more}'


def show(script: Script, moment: datetime, number: int = 1, *, board: Board | None = None) -> Response:
    """One page of thread 7 as the board shows it at that moment; a board that is given again changes what it has living."""
    board = board or Board(script, moment)
    board.clock = moment
    reply = board.answer(Asked("GET", f"/forum.php?mod=viewthread&tid={TID}&page={number}", (("Host", "bbs.example.net"),)))
    assert reply is not None
    url = f"{BOARD}forum.php?mod=viewthread&tid={TID}&page={number}"
    return Response(url, reply.status, reply.headers, reply.body, moment)


def look(
    archive: Archive, script: Script, moment: datetime, *, lost: Collection[int] = (), board: Board | None = None
) -> PassOutcome:
    """A whole pass over thread 7 at one moment, without the pages that are lost."""

    def fetch(number: int) -> Response:
        if number in lost:
            raise BoardError(f"page {number} did not come")
        return show(script, moment, number, board=board)

    return poll_thread(fetch, archive, TID, clock=lambda: moment)


def open_archive(path: Path, zone: ZoneInfo = ZONE) -> Archive:
    """An archive of the test board."""
    return Archive.open(path, board=BOARD, zone=zone)


def dump(archive: Archive) -> dict[str, list[tuple[object, ...]]]:
    """Every row of every table and view, sorted; but not when a migration was applied."""
    connection = archive.database.conn
    names = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")]
    rows: Callable[[str], list[tuple[object, ...]]] = lambda query: sorted(connection.execute(query).fetchall(), key=repr)  # noqa: E731
    everything = {name: rows(f'SELECT * FROM "{name}"') for name in names if not name.startswith("_")}
    return everything | {"migrations": rows("SELECT migration_set, name FROM _sqlite_migrations")}


def histories(archive: Archive, known_at: datetime | None = None) -> dict[int, History]:
    """The posts of the thread by pid."""
    return {history.first.pid: history for history in archive.fetch_histories(TID, known_at=known_at)}


# A vote that is edited an hour later.
EDITED = thread(
    post("导演", "10:00", "开始投票"),
    post("饺子", "10:05", "投票对象：包子", 'edits = [{ at = 2018-06-03T11:00:00, text = "投票对象：豆沙" }]'),
    post("包子", "10:06", "我看看"),
)

# Five posts, of which some are deleted in time.
DELETED = thread(
    post("导演", "10:00", "开始投票"),
    post("饺子", "10:05", "我看看", "deleted = 2018-06-03T11:00:00\nrestored = 2018-06-03T12:00:00"),
    post("包子", "10:06", "弃权", "blocked = 2018-06-03T11:00:00"),
    post("豆沙", "10:07", "水"),
)
