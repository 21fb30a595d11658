"""A game on a living board: the test board behind a socket, a game file that points at it, and one clock for both."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from unittest.mock import patch

from scraper.pace import Surroundings
from tests.board.script import Script, read_script
from tests.board.server import Board, Fault, Served, serve
from tests.engine.command import Ran, run_on

VOTE = 1235
GAME = """[game]
title = "试局"
ruleset = "m29"
directors = ["导演"]
[forum]
url = "{url}"
interval = 0.0
[[player]]
name = "饺子"
[[player]]
name = "包子"
[[player]]
name = "豆沙"
[[day]]
number = 2
opens = 2018-06-03T09:30:00
closes = 2018-06-05T21:00:00
vote = 1235
sheriff = ""
"""


@dataclass(slots=True)
class Clock:
    """The time of board and reader, which goes on by a second whenever the reader looks at it."""

    now: datetime
    board: Board

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        self.board.clock = self.now
        return self.now


@dataclass(slots=True)
class Living:
    """The board, the game's folder, and the clock."""

    served: Served
    folder: Path
    clock: Clock

    def set(self, moment: str) -> None:
        """Move the clock: a moment of June 2018 in Shanghai, as `05T20:58`."""
        self.clock.now = datetime.fromisoformat(f"2018-06-{moment}:00+08:00").astimezone(UTC)
        self.served.board.clock = self.clock.now

    def set_to(self, moment: str) -> None:
        """Move the clock to a moment in Shanghai, as `2018-05-30T20:10`."""
        self.clock.now = datetime.fromisoformat(f"{moment}:00+08:00").astimezone(UTC)
        self.served.board.clock = self.clock.now

    def fail(self, *faults: Fault) -> None:
        """What goes wrong from now on."""
        self.served.board.faults = faults

    def play(self, script: Script) -> None:
        """Another life of the board from now on."""
        self.served.board.script = script

    def asked(self) -> list[str]:
        """The pages that were asked for since the last time, as `tid-page`."""
        found = [re.search(r"tid=(\d+)(?:&page=(\d+))?", asked.address) for asked in self.served.board.asked]
        self.served.board.asked.clear()
        return [f"{each[1]}-{each[2]}" for each in found if each]

    def run(self, command: str, *arguments: str) -> Ran:
        """Run a command on the game, by the clock of the board."""
        return self.run_here(command, str(self.folder), *arguments)

    def run_here(self, command: str, *arguments: str) -> Ran:
        """Run any command by the clock of the board."""
        return self._run("utf-8", command, *arguments)

    def run_in(self, folder: Path, encoding: str, command: str, *arguments: str) -> Ran:
        """Run a command on a copy of the game, on a console of an encoding."""
        return self._run(encoding, command, str(folder), *arguments)

    def _run(self, encoding: str, command: str, *arguments: str) -> Ran:
        with (
            patch("scraper.pace.utc_now", self.clock),
            patch("scraper.client.Surroundings", lambda: Surroundings(now=self.clock, sleep=lambda seconds: None)),
        ):
            return run_on(encoding, command, *arguments)

    def read(self, command: str, *arguments: str) -> Any:
        """Run a command, and what it printed as JSON."""
        return json.loads(self.run(command, *arguments, "--json").out)


@contextmanager
def living(folder: Path, script: Script, moment: str, game: str = GAME) -> Iterator[Living]:
    """A game in a folder, on a board that plays a script, from a moment on."""
    start = datetime.fromisoformat(f"2018-06-{moment}:00+08:00").astimezone(UTC)
    with serve(Board(script, start)) as served:
        (folder / "game.toml").write_text(game.format(url=served.base), encoding="utf-8")
        yield Living(served, folder, Clock(start, served.board))


def thread(*posts: str, per_page: int = 10, tid: int = VOTE, first: int = 5201, more: str = "") -> Script:
    """A board with one thread of these posts (`post`), with pids from `first` on; `more` are further tables of the script."""
    blocks = [f"[[post]]\ntid = {tid}\npid = {pid}\n{text}\n" for pid, text in enumerate(posts, start=first)]
    head = f'[board]\nper_page = {per_page}\n[[thread]]\ntid = {tid}\ntitle = "第二天 投票帖"\n'
    return read_script(head + "".join(blocks) + more)


def post(author: str, moment: str, text: str, more: str = "") -> str:
    """The keys of one post; a moment is `03T10:00` of June 2018, by the board's clock."""
    return f'author = "{author}"\nat = 2018-06-{moment}:00\ntext = """{text}"""\n{more}'


def vote(author: str, moment: str, target: str, more: str = "") -> str:
    """A post that is a ballot."""
    return post(author, moment, f"投票对象：{target}\n投票理由：如此", more)


def chat(count: int, start: int = 0) -> list[str]:
    """So many posts that are no ballots, a minute apart from 10:00 on the 3rd."""
    return [
        post("路人", f"03T{10 + minute // 60:02d}:{minute % 60:02d}", f"闲聊 {minute}") for minute in range(start, start + count)
    ]
