"""树洞: the private logs that players kept, one file for each, collected and opened once the game is over."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from engine.game import Game
from engine.textfile import read_text
from scraper.errors import UsageError
from scraper.phrases import listing, phrase
from tally.names import index_names

_KINDS = (".txt", ".md", ".log")
# What systems leave in folders, and nobody wrote.
_SYSTEM = ("thumbs.db", "desktop.ini")
# A log that is longer than a long novel is some other file, in bytes.
_LARGEST = 8 * 1024 * 1024
# Characters that no text has, and that tell a picture, a document or a text of unknown encoding.
_BINARY = re.compile("[\x00-\x08\x0e-\x19\x1c-\x1f]")


@dataclass(frozen=True, slots=True)
class Logs:
    """The logs by seat, in the order of the game file; who has none, files that are nobody's, and files that could not be
    opened, each with why."""

    texts: dict[str, str]
    missing: tuple[str, ...]
    unknown: tuple[str, ...]
    unread: tuple[tuple[str, str], ...] = ()


def collect_logs(game: Game, folder: Path) -> Logs:
    """Read a folder of logs, each file called as its player (饺子.txt). UsageError for no folder, or two logs of one."""
    if not folder.is_dir():
        raise UsageError(phrase("{folder}: 没有这个文件夹。改法：写放树洞的文件夹，里面一人一个 .txt。", folder=folder))
    names = index_names(game.roster)
    accounts = {account.name: seat.name for seat in game.roster.seats for account in seat.accounts}
    found: dict[str, str] = {}
    unknown: list[str] = []
    unread: list[tuple[str, str]] = []
    for path in sorted(folder.iterdir()):
        if path.name.startswith((".", "~$")) or path.name.lower() in _SYSTEM:
            continue
        match = names.find(path.stem)
        seat = match.seat if match is not None and match.seat is not None else accounts.get(path.stem)
        if seat is None:
            unknown.append(path.name)
        elif seat in found:
            raise UsageError(phrase("{path}: {seat} 的树洞有两份。改法：合成一份。", path=path, seat=seat))
        else:
            try:
                found[seat] = _read(path)
            except UsageError as error:
                unread.append((path.name, error.args[0]))
    order = [seat.name for seat in game.roster.seats]
    missing = tuple(name for name in order if name not in found)
    return Logs({name: found[name] for name in order if name in found}, missing, tuple(unknown), tuple(unread))


def _read(path: Path) -> str:
    """The words of a log. UsageError for what is no text, and for one that is too long to be a log."""
    if path.is_dir() or path.suffix.lower() not in _KINDS:
        raise UsageError(phrase("{path}: 不是 {kinds} 文件。改法：另存为 .txt。", path=path, kinds=listing(_KINDS)))
    if path.stat().st_size > _LARGEST:
        raise UsageError(phrase("{path}: 大过 {most} MB，不像树洞。改法：检查是不是放错了文件。", path=path, most=_LARGEST >> 20))
    text = read_text(path)
    if _BINARY.search(text):
        raise UsageError(phrase("{path}: 不是文字文件。改法：用编辑器另存为 UTF-8 的 .txt。", path=path))
    return text
