"""A case out of a living board: the pages of a day as it sent them, scrubbed, beside a game file that names no board.

Pages are recorded by scraper/cassette.py into the case's `cassette.yaml`, or laid down as `polls/<n>/<tid>-<page>.http`, where
those of any charset can be read and edited. The ledger is left out unless it is asked for, and the secrets always are.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from engine.counting import open_archive
from engine.game import Game, load_game
from engine.polling import Polled, Target, Watcher, poll_target
from engine.textfile import read_text
from scraper.errors import UsageError
from scraper.phrases import phrase
from scraper.schedule import WHOLE

if TYPE_CHECKING:
    from scraper.client import Client

SOURCE = "SOURCE.md"
CASSETTE = "cassette.yaml"
_MARK = "Recorded by `bansha record`"
_FORUM = re.compile(r"\s*\[\s*forum\s*\]")
_TABLE = re.compile(r"\s*\[")
_OWN = re.compile(r"\s*(?:cookies|interval)\s*=")
# Values of cookies that are worth nothing, and stand everywhere.
_SHORT = 8


@dataclass(frozen=True, slots=True)
class Recorded:
    """What was recorded: which pass of the case it became, how many pages lie in it, where, and the passes as they went."""

    number: int
    pages: int
    path: Path
    passes: tuple[Polled, ...]


def record_case(
    game: Game,
    targets: Sequence[Target],
    client: Client,
    folder: Path,
    *,
    clock: Callable[[], datetime],
    watcher: Watcher,
    with_ledger: bool = False,
    as_pages: bool = False,
) -> Recorded:
    """Read each thread once, whole, and lay its pages down as the case's next pass; the game's database is not touched.

    They go to `cassette.yaml`, or with `as_pages` to `polls/<n>/`; a case that has the one keeps it.

    What came before an error or Ctrl-C is laid down too. UsageError for a folder that holds something else, or a game file whose
    board cannot be rewritten.
    """
    from scraper.cassette import append_cassette, record_board, save_polls

    number, as_pages = _find_next(folder, as_pages)
    _write_game(game, folder, with_ledger=with_ledger)
    passes: list[Polled] = []
    names = _list_names(game)
    where = folder / "polls" / str(number) if as_pages else folder / CASSETTE
    with tempfile.TemporaryDirectory(prefix="bansha-") as name:
        cassette = Path(name) / "cassette.yaml"
        try:
            with (
                record_board(cassette, client.board, secrets=_list_secrets(client), names=names),
                open_archive(game, Path(name) / "recording.db") as archive,
            ):
                for target in targets:
                    passes.append(poll_target(target, archive, client, WHOLE, clock=clock, watcher=watcher))
                    if passes[-1].refused:
                        break
        finally:
            pages, secrets = 0, _list_secrets(client)
            numbered = Path(name) / "numbered.yaml" if as_pages else folder / CASSETTE
            if cassette.exists():
                pages = append_cassette(cassette, numbered, number, secrets=secrets, names=names)
            if pages and as_pages:
                pages = save_polls(numbered, folder, first=number, secrets=secrets, names=names)
            (folder / SOURCE).write_text(_describe(folder), encoding="utf-8", newline="\n")
    return Recorded(number, pages, where, tuple(passes))


def rewrite_game(text: str, board: str) -> str:
    """A game file's text with bbs.example.net in place of its board, and without the lines that only matter on the way there."""
    from scraper.address import bare_host
    from scraper.masking import EXAMPLE_HOST

    host = re.escape(bare_host(urlsplit(board).hostname or ""))
    text = re.sub(rf"https?://(?:www\.)?{host}(?::\d+)?(?=[/\"'?#]|$)", f"https://{EXAMPLE_HOST}", text, flags=re.I | re.M)
    inside, kept = False, []
    for line in text.split("\n"):
        if _TABLE.match(line):
            inside = _FORUM.match(line) is not None
        if not (inside and _OWN.match(line)):
            kept.append(line)
    return "\n".join(kept)


def _find_next(folder: Path, as_pages: bool) -> tuple[int, bool]:
    """The number of the case's next pass, and whether it is laid down as pages: 1 in a new folder, and then as asked for.

    UsageError for a folder that this command did not make.
    """
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return 1, as_pages
    source = folder / SOURCE
    if not source.is_file() or _MARK not in source.read_text(encoding="utf-8"):
        raise UsageError(phrase("{folder}: 已经有东西了，不是 bansha record 录的。改法：换一个新文件夹的名字。", folder=folder))
    if (folder / "polls").is_dir():
        return max(map(int, _list_polls(folder)), default=0) + 1, True
    from scraper.cassette import count_passes

    cassette = folder / CASSETTE
    return count_passes(cassette) + 1, as_pages and not cassette.exists()


def _list_polls(folder: Path) -> list[str]:
    polls = folder / "polls"
    return sorted((entry.name for entry in polls.iterdir() if entry.name.isdigit()), key=int) if polls.is_dir() else []


def _write_game(game: Game, folder: Path, *, with_ledger: bool) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "game.toml"
    path.write_text(rewrite_game(read_text(game.path), game.forum.url), encoding="utf-8", newline="\n")
    if with_ledger and game.ledger.exists():
        (folder / "ledger.txt").write_text(read_text(game.ledger), encoding="utf-8", newline="\n")
    forum = load_game(path).forum
    if forum.cookies is not None or forum.url == game.forum.url:
        path.unlink()
        raise UsageError(phrase("{path}: [forum] 改写不了。改法：url 和 cookies 各占一行，写在 [forum] 下面。", path=game.path))


def _list_secrets(client: Client) -> tuple[str, ...]:
    """The values of cookies, which must stand nowhere in a recording."""
    values: Iterable[str] = (cookie.value or "" for cookie in client.cookies)
    return tuple(sorted({value for value in values if len(value) >= _SHORT and not value.isdigit()}))


def _list_names(game: Game) -> tuple[str, ...]:
    """Every name that a count may meet, none of which is masked."""
    names = [name for seat in game.roster.seats for name in (seat.name, *seat.aliases, *(one.name for one in seat.accounts))]
    names += [name for seat in game.roster.seats for name, _ in seat.later]
    return (*names, *(one.name for one in game.roster.directors), *(one.name for one in game.roster.targets or ()))


def _describe(folder: Path) -> str:
    lines = [
        f"- pass {name}: {', '.join(sorted(path.stem for path in (folder / 'polls' / name).iterdir()))}"
        for name in _list_polls(folder)
    ]
    if (folder / CASSETTE).is_file():
        lines = [f"- {CASSETTE}: each answer has the number of its pass (`pass:`)."]
    return "\n".join(
        [
            "# Where this case comes from",
            "",
            f"{_MARK} from a living board: the pages as they were sent, the `Date:` of each when it was.",
            "",
            *lines,
            "",
            "Scrubbed: cookies, passwords and every header that a replay does not need; in pages and addresses, tokens, values",
            "of cookies, the board's host, e-mail and IP addresses, each by a mask of the same length. All other bytes are as",
            "they came.",
            "",
            "Not scrubbed: names of players, what they wrote, avatars' addresses on other hosts, what else only a moderator is",
            "shown.",
            "Look the pages through before you give them to others, and write `expected.toml` by hand.",
            "",
        ]
    )
