"""A small game on the test board for tests of the check: what was posted, when somebody looked, and the game file beside it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

from engine.counting import open_archive, read_events
from engine.game import Game, load_game
from engine.sounds.check import SpeechCheck, check_game
from scraper.archive import Archive
from scraper.errors import BoardError
from scraper.poll import poll_thread
from scraper.response import Response
from tests.board.script import Script, read_script
from tests.board.server import Asked, Board

GAME = """[game]
title = "试局"
ruleset = "m29"
directors = ["导演"]
[forum]
url = "https://bbs.example.net/"
[[player]]
name = "包子"
account = "包打听"
[[player]]
name = "豆沙"
[[player]]
name = "饺子"
[[day]]
number = 2
opens = 2018-06-03T09:30:00
closes = 2018-06-05T21:00:00
vote = 1235
discussion = 1234
chanted = ["包子"]
{two}
[[day]]
number = 3
opens = 2018-06-06T09:30:00
closes = 2018-06-08T21:00:00
vote = 1238
chanted = ["包子"]
{three}
{more}
"""


def moment(text: str) -> datetime:
    """A moment of June 2018 in Shanghai: `moment("04T12:00")`."""
    return datetime.fromisoformat(f"2018-06-{text}:00+08:00")


def post(pid: int, at: str, text: str, author: str = "包打听", tid: int = 1234, more: str = "") -> str:
    """One post of a script; `at` as `04T12:00`."""
    words = f"author = {json.dumps(author)}\nat = 2018-06-{at}:00\ntext = {json.dumps(text)}"
    return f"[[post]]\ntid = {tid}\npid = {pid}\n{words}\n{more}\n"


def write_game(folder: Path, *, two: str = "", three: str = "", more: str = "", ledger: str = "") -> Game:
    """The game file and the ledger in a folder."""
    (folder / "game.toml").write_text(GAME.format(two=two, three=three, more=more), encoding="utf-8")
    if ledger:
        (folder / "ledger.txt").write_text(ledger, encoding="utf-8")
    return load_game(folder)


_THREADS = (1232, 1234, 1235, 1238)


def look(
    archive: Archive, posts: str, at: str, tids: tuple[int, ...] = (1234, 1235, 1238), *, lost: tuple[int, ...] = ()
) -> None:
    """One pass over each thread at a moment, without the pages that are lost; there is always a director's post in each."""
    opening = "".join(post(tid, "01T09:00", "开始", "导演", tid) for tid in _THREADS)
    threads = "".join(f'[[thread]]\ntid = {tid}\ntitle = "第二天 {tid}"\n' for tid in _THREADS)
    script = read_script(f"[board]\nper_page = 3\n{threads}{opening}{posts}")
    board = Board(script, _local(at))
    for tid in tids:
        poll_thread(lambda page, tid=tid: _show(board, script, tid, page, at, lost), archive, tid, clock=lambda: moment(at))  # type: ignore[misc]


def _show(board: Board, script: Script, tid: int, page: int, at: str, lost: tuple[int, ...]) -> Response:
    if page in lost:
        raise BoardError(f"page {page} did not come")
    board.clock = _local(at)
    path = f"forum.php?mod=viewthread&tid={tid}&page={page}"
    reply = board.answer(Asked("GET", f"/{path}", (("Host", "bbs.example.net"),)))
    assert reply is not None
    return Response(f"https://bbs.example.net/{path}", reply.status, reply.headers, reply.body, moment(at))


def _local(at: str) -> datetime:
    return moment(at).replace(tzinfo=None)


@contextmanager
def archived(game: Game) -> Iterator[Archive]:
    """The game's archive, open."""
    with open_archive(game, game.database) as archive:
        yield archive


def check(game: Game, **named: Any) -> SpeechCheck:
    """Check a game whose archive is there."""
    with archived(game) as archive:
        return check_game(game, archive, read_events(game), **named)


def outline(found: SpeechCheck) -> list[tuple[str, int, int, str, str]]:
    """Seat, pid, revision, the worst severity and the codes of each post."""
    return [
        (one.seat, one.source.pid, one.source.revision, one.severity.value, " ".join(finding.code for finding in one.findings))
        for one in found.posts
    ]
