"""树洞: the private logs that players kept, one file for each, collected and opened once the game is over."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from engine.game import Game
from engine.textfile import read_text
from scraper.errors import UsageError
from scraper.phrases import phrase
from tally.names import index_names

_KINDS = (".txt", ".md", ".log")


@dataclass(frozen=True, slots=True)
class Logs:
    """The logs by seat, in the order of the game file; who has none, and files that are nobody's."""

    texts: dict[str, str]
    missing: tuple[str, ...]
    unknown: tuple[str, ...]


def collect_logs(game: Game, folder: Path) -> Logs:
    """Read a folder of logs, each file called as its player (饺子.txt). UsageError for no folder, or two logs of one."""
    if not folder.is_dir():
        raise UsageError(phrase("{folder}: 没有这个文件夹。改法：写放树洞的文件夹，里面一人一个 .txt。", folder=folder))
    names = index_names(game.roster)
    accounts = {account.name: seat.name for seat in game.roster.seats for account in seat.accounts}
    found: dict[str, str] = {}
    unknown = []
    for path in sorted(folder.iterdir()):
        if not path.is_file() or path.suffix.lower() not in _KINDS:
            continue
        match = names.find(path.stem)
        seat = match.seat if match is not None and match.seat is not None else accounts.get(path.stem)
        if seat is None:
            unknown.append(path.name)
        elif seat in found:
            raise UsageError(phrase("{path}: {seat} 的树洞有两份。改法：合成一份。", path=path, seat=seat))
        else:
            found[seat] = read_text(path)
    order = [seat.name for seat in game.roster.seats]
    return Logs(
        {name: found[name] for name in order if name in found}, tuple(name for name in order if name not in found), tuple(unknown)
    )
