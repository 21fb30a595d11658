"""How fast the engine plays: whole random games of each system on one core, and one line appended to a long ledger."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from statistics import median
from time import process_time
from zoneinfo import ZoneInfo

from bench.work import clocked
from engine.cli.cases import find_demo
from engine.desk import look, open_desk, store
from engine.game import load_game
from engine.rulesets.m29 import M29
from engine.rulesets.secret_number import SECRET_NUMBER
from engine.simulate import simulate

GAMES = 1_000
_ROUNDS = 5
_ZONE = ZoneInfo("Asia/Shanghai")


@dataclass(frozen=True, slots=True)
class Speed:
    """How many games of a system a second, with the lines of one game; `checked` with every line held against the invariants."""

    title: str
    plain: float
    checked: float
    lines: float


def play_games(games: int = GAMES) -> Iterator[Speed]:
    """Random games of both systems; the best of some rounds that take turns."""
    for ruleset in (M29, SECRET_NUMBER):
        best = {False: 0.0, True: 0.0}
        lines = 0.0
        for number in range(_ROUNDS):
            for check in best:
                # Seconds of this process's own core: nothing here waits.
                start = process_time()
                result = simulate(ruleset, games // _ROUNDS, f"bench {number}", check=check)
                best[check] = max(best[check], result.games / (process_time() - start))
                lines = result.lines / result.games
        yield Speed(ruleset.title, best[False], best[True], lines)


def append_lines(folder: Path, lines: int, times: int = 40) -> float:
    """The median milliseconds of appending one line to a reopened ledger of so many, durable commit included."""
    folder.mkdir()
    for name in ("game.toml", "secrets.toml"):
        shutil.copy(find_demo() / name, folder / name)
    notes = "日1 导演 询问 饺子 entered_at=2018-06-01T12:00:00+08:00\n" * (lines - 1)
    (folder / "ledger.txt").write_text(f"夜0 丘比特 金箭 饺子 包子\n{notes}", encoding="utf-8")
    desk = open_desk(load_game(folder), "bench")
    now = datetime(2018, 6, 1, 12, tzinfo=_ZONE)

    def append() -> None:
        entry = look(desk, "日1 饺子 投票 豆沙", now=now)
        store(desk, entry)

    return median(clocked(append)[0] for _ in range(times)) * 1000
