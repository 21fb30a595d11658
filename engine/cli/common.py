"""What several commands share: their arguments, where results go, and how they end."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable
from contextvars import ContextVar
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from engine.cli.words import _
from engine.language import localize
from scraper.phrases import listing, phrase

if TYPE_CHECKING:
    from engine.game import Game
    from engine.report.values import Json
    from scraper.archive import Archive
    from tally.day import Day
    from tally.result import DayTally

# Set for the one command that runs, by --quiet.
QUIET: ContextVar[bool] = ContextVar("quiet", default=False)

GamePath = Annotated[Path, typer.Argument(metavar="GAME", help=_("game.toml，或它所在的文件夹。"))]
GameHere = Annotated[
    Path, typer.Argument(metavar="[GAME]", help=_("game.toml，或它所在的文件夹；不写就是这里。"), show_default=False)
]
DayNumber = Annotated[
    int | None, typer.Option("--day", metavar="N", help=_("第几天；不写就是开着门的那天，否则最后关门的那天。"))
]
DatabasePath = Annotated[Path | None, typer.Option("--db", metavar="FILE", help=_("数据库；默认在 game.toml 旁边。"))]
Operator = Annotated[str | None, typer.Option("--operator", metavar="NAME", help=_("是谁在操作，记在结果和账本里。"))]
AsJson = Annotated[bool, typer.Option("--json", help=_("输出 JSON。"))]


def open_known(game: Game, database: Path | None) -> Archive:
    """The archive that must be there already: a command that never fetches makes none, unless the game has nothing to fetch."""
    from engine.counting import open_archive
    from scraper.errors import UsageError

    path = database or game.database
    threads = any(day.vote or day.discussion or day.progress for day in game.days)
    if not path.is_file() and threads:
        raise UsageError(
            phrase(
                "{path}: 还没有这个数据库。改法：先运行 `bansha fetch {path2}`；它在别处时用 --db 写出来。",
                path=path,
                path2=game.path,
            )
        )
    return open_archive(game, path)


def choose_day(game: Game, number: int | None, now: Callable[[], datetime | None]) -> Day:
    """The day of that number; without one, the day that is open at `now`, else the last one that closed, else the first."""
    from scraper.errors import UsageError

    if number is not None:
        day = game.day(number)
        if day is None:
            days = listing(day.number for day in game.days)
            raise UsageError(
                phrase(
                    "{path}: 没有第 {number} 天（有第 {days} 天）。改法：改 --day，或在 game.toml 里写上这一天。",
                    path=game.path,
                    number=number,
                    days=days,
                )
            )
        return day
    moment = now()
    opened = [day for day in game.days if moment is not None and day.opens <= moment]
    return opened[-1] if opened else game.days[0]


def last_look(game: Game, archive: Archive, known_at: datetime | None = None) -> datetime | None:
    """When somebody last looked at any vote thread of the game, as far as was known; None for never."""
    from engine.counting import votes_of

    threads = {vote.vote for day in game.days for vote in votes_of(game, day) if vote.vote}
    looks = (one.started_at for tid in threads for one in archive.fetch_passes(tid, known_at=known_at) if one.seen)
    return max(looks, default=None)


def read_moment(text: str | None, game: Game, option: str) -> datetime | None:
    """A time that was typed; without offset it is in the game's zone."""
    from scraper.errors import UsageError

    if text is None:
        return None
    moment = parse_moment(text, game)
    if moment is None:
        raise UsageError(phrase("{option} {text!r}: 时间读不懂。改法：写成 2018-06-05T21:00:00。", option=option, text=text))
    return moment


def parse_moment(text: str, game: Game) -> datetime | None:
    """A time that was typed, None where the text is none."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=game.zone)


def keep_typed(context: typer.Context, *flags: str) -> tuple[bool, ...]:
    """Flags of a command that go one without the other: those that were typed, if any was, else those of the settings."""
    on = {flag for flag in flags if context.params[flag]}
    typed = {flag for flag in on if (source := context.get_parameter_source(flag)) and source.name == "COMMANDLINE"}
    return tuple(flag in (typed or on) for flag in flags)


def print_json(value: Json) -> None:
    """JSON to standard output; characters that it cannot show are JSON escapes."""
    from engine.report.values import dump

    sys.stdout.write(f"{dump(value, ascii_only=not shows_everything(sys.stdout))}\n")


def write_result(result: bytes | str | Json, output: Path | None) -> None:
    """A result to a file, or to standard output: bytes as they are, text, or JSON; UsageError for a file that cannot be."""
    from engine.report.values import dump
    from scraper.errors import UsageError

    if output is not None:
        text = result if isinstance(result, bytes | str) else f"{dump(result)}\n"
        data = text if isinstance(text, bytes) else text.encode("utf-8", "backslashreplace")
        _refuse_to_lose(output)
        try:
            output.write_bytes(data)
        except OSError as error:
            raise UsageError(
                phrase("{output}: 写不进去（{strerror}）。改法：换一个能写的位置。", output=output, strerror=error.strerror)
            ) from None
    elif isinstance(result, bytes):
        # A file of its own: no console's encoding, and no line ends but its own.
        sys.stdout.flush()
        sys.stdout.buffer.write(result)
        sys.stdout.buffer.flush()
    elif isinstance(result, str):
        sys.stdout.write(result)
    else:
        print_json(result)


def read_given(path: Path) -> str:
    """The words of a file, or of standard input (`-`), in whatever an editor or a shell wrote: UsageError as `read_text`."""
    from engine.textfile import decode_text, read_text

    if str(path) != "-":
        return read_text(path)
    # Where it was closed there is nothing to be read.
    bytes_of = getattr(sys.stdin, "buffer", None)
    raw: bytes = bytes_of.read() if bytes_of is not None else b""
    return decode_text(raw, "-").replace("\r\n", "\n").replace("\r", "\n")


def make_folder(folder: Path) -> None:
    """A folder for results, made where it is not there. UsageError where it cannot be."""
    from scraper.errors import UsageError

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(
            phrase("{folder}: 建不了文件夹（{strerror}）。改法：换一个能写的位置。", folder=folder, strerror=error.strerror)
        ) from None


def quote_path(path: Path) -> str:
    """A path as a line to type has it, on any system: in double quotes where it holds what a shell reads otherwise."""
    text = str(path)
    return text if re.fullmatch(r"[\w./\\:~-]+", text) else f'"{text}"'


# What a director wrote himself, by the names that it has.
_OWN = frozenset({"game.toml", "ledger.txt", "secrets.toml", "votes.csv", "config.toml"})


def _refuse_to_lose(output: Path) -> None:
    """UsageError where a result would be written over a database, or over a file that the director wrote."""
    from scraper.errors import UsageError

    try:
        with output.open("rb") as file:
            database = file.read(16) == b"SQLite format 3\0"
    except OSError:
        return
    if database or output.name in _OWN:
        raise UsageError(phrase("{output}: 这是一局的文件，不覆盖。改法：换一个文件名。", output=output))


def shows_everything(stream: TextIO) -> bool:
    """Whether a stream can show every character."""
    return (stream.encoding or "").lower().replace("-", "").startswith(("utf", "cp65001"))


def say(text: str) -> None:
    """A line about the work, to standard error, in the terminal's language; none where nobody wants one (--quiet)."""
    if not is_quiet():
        tell(text)


def is_quiet() -> bool:
    """Whether the command was started with --quiet."""
    return QUIET.get()


def tell(text: str) -> None:
    """A line to standard error that must be seen, in the terminal's language; what would steer the terminal is an escape.

    Lines and tabs stay: what a library says of a broken file has them, and a table of a rule post.
    """
    from engine.report.safe import show

    for line in localize(text).split("\n"):
        sys.stderr.write("\t".join(map(show, line.split("\t"))) + "\n")


def warn_exposed(game: Game) -> None:
    """Say so where others can read the secrets."""
    if game.exposed_secrets:
        say(phrase("bansha: {parent} 别的用户也能读：用 chmod 600 收起来。", parent=game.path.parent / "secrets.toml"))


def name_operator(given: str | None, game: Game) -> str:
    """Who enters a line: as the command line or the settings say, else the director where there is one, else this computer's
    user. Of two directors nobody may stay unnamed."""
    if given:
        return given
    if len(game.roster.directors) == 1:
        return game.roster.directors[0].name
    import getpass

    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return ""


def warn_unprotected(path: Path) -> None:
    """Say so where no rights of a file can be set: whoever may look into its folder can read it."""
    from engine.privatefile import can_be_private

    if not can_be_private():
        tell(
            phrase(
                "bansha: {path}: 这里设不了“只有你能读”，谁能进这个文件夹谁就能读。改法：放在你自己的用户文件夹里。",
                path=path,
            )
        )


def finish(codes: Iterable[int]) -> None:
    """End the command with the largest of the codes."""
    code = max(codes, default=0)
    if code:
        raise typer.Exit(code)


def tally_code(tally: DayTally) -> int:
    """1 where the director must decide before anything is final: an error, a missing page, a post that needs a ruling."""
    from tally.finding import Severity, severity

    wrong = not tally.complete or tally.needs_ruling or any(severity(one) is Severity.ERROR for one in tally.findings)
    return 1 if wrong else 0
