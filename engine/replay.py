"""Replays a recorded case offline: its pages into a new archive, every day counted, the result held against expected.toml."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from engine.counting import count_game_day, gather, open_archive, read_events, votes_of
from engine.derived import play_recorded, runs_the_game, with_facts
from engine.expected import Alternative, Difference, Expected, compare, load_expected
from engine.game import Game, load_game
from engine.ledger import Event
from engine.outcome import compare_played
from engine.playing import Played
from engine.scenario import Expect
from engine.sounds.check import SpeechCheck, check_game
from engine.sounds.expected import compare_sounds
from engine.store import save_speech, save_tallies
from scraper.errors import BanshaError, GameFileError, UsageError
from scraper.passes import PassOutcome
from scraper.phrases import phrase
from tally.day import Day
from tally.result import DayTally

if TYPE_CHECKING:
    from scraper.archive import Archive

# Marks a database that a replay made, and that the next one may make anew ("ban1"); an archive of a living game has no such mark.
REPLAYED = 0x62616E31
# The board of a case whose game file names none: recordings are kept under this name.
BOARD = "https://bbs.example.net/"


@dataclass(frozen=True, slots=True)
class Replay:
    """What a case gave: its tallies by day, and how they differ from what it expects (`expected` None: nothing was).

    `speech` is the check of the chanted players, None where the game has none and nothing is expected of it.
    """

    case: Path
    game: Game
    tallies: tuple[DayTally, ...]
    expected: Expected | None
    differences: tuple[Difference, ...]
    outcomes: tuple[PassOutcome, ...]
    speech: SpeechCheck | None = None

    @property
    def errors(self) -> tuple[BanshaError, ...]:
        """What could not be read of the recorded pages."""
        return tuple(error for outcome in self.outcomes for error in outcome.errors)


def find_cases(paths: list[Path]) -> tuple[Path, ...]:
    """The cases that the paths name: a folder with a game.toml, or a folder of such folders, at any depth."""
    cases: dict[Path, None] = {}
    for path in paths:
        folder = path.parent if path.name == "game.toml" else path
        # "." and ".." name nothing in a report.
        folder = folder if folder.name not in ("", "..") else folder.resolve()
        found = [folder] if (folder / "game.toml").is_file() else [file.parent for file in sorted(folder.rglob("game.toml"))]
        if not found:
            raise UsageError(
                phrase("{path}: 这里没有 game.toml。改法：写一个案例的文件夹，如 fixtures/m29/three_days。", path=path)
            )
        cases.update(dict.fromkeys(found))
    return tuple(cases)


def replay_case(case: Path, database: Path | None = None) -> Replay:
    """Rebuild a case's archive from its pages and count it; nothing is fetched.

    The archive is a temporary file, or `database`, which is made anew too. UsageError for a case without pages, and for a
    `database` that no replay has made.
    """
    from scraper.cassette import blocked_network
    from scraper.recording import save_recorded_passes

    game = load_game(case)
    if not game.forum.url:
        game = replace(game, forum=replace(game.forum, url=BOARD))
    events = read_events(game)
    expected = load_expected(case)
    threads = any(vote.vote for day in game.days for vote in votes_of(game, day))
    if threads and not (case / "polls").is_dir() and not (case / "cassette.yaml").is_file():
        raise UsageError(
            phrase(
                "{case}: 没有 polls 文件夹，没有可以重放的页面。改法：页面放在 polls/1/帖号-页码.http；只计票用 `bansha tally`。",
                case=case,
            )
        )
    with blocked_network(), _fresh(database) as path, open_archive(game, path) as archive:
        outcomes = save_recorded_passes(archive, case) if threads else ()
        played = play_recorded(game, archive, events) if runs_the_game(game, events) else None
        if played is not None:
            game = with_facts(game, played)
        days = [_find_day(game, expected, number) for number in expected.days] if expected and expected.days else game.days
        tallies = tuple(count_game_day(game, archive, events, vote) for day in days for vote in votes_of(game, day))
        save_tallies(archive, game, tallies, events)
        wanted = any(day.chanted for day in game.days) or bool(expected and expected.rows["sound"])
        speech = check_game(game, archive, events) if wanted else None
        if speech is not None:
            save_speech(archive, speech)
        differences: list[Difference] = []
        if expected:
            differences += _compare_votes(game, archive, events, expected)
            if speech is not None:
                differences += [found for day in days for found in compare_sounds(expected, speech, day.number)]
            if expected.outcome is not None:
                differences += _compare_outcome(expected, expected.outcome, played)
            for alternative in expected.alternatives:
                differences += _compare_alternative(case, archive, alternative)
    return Replay(case, game, tallies, expected, tuple(differences), outcomes, speech)


def _compare_outcome(expected: Expected, outcome: Expect, played: Played | None) -> Iterator[Difference]:
    if played is None:
        raise UsageError(
            phrase(
                "{path}: 写了 [outcome]，而账本没有推演（没有 天亮、截票，或不知道身份）。改法：补上账本，或删去它。",
                path=expected.path,
            )
        )
    yield from compare_played(outcome, played)


def _compare_votes(game: Game, archive: Archive, events: tuple[Event, ...], expected: Expected) -> Iterator[Difference]:
    """How the votes of every day that the expectations mention differ from them."""
    for number in expected.days:
        for vote in votes_of(game, _find_day(game, expected, number)):
            tally = count_game_day(game, archive, events, vote)
            yield from compare(expected, tally, gather(game, archive, events, vote).histories)


def _compare_alternative(case: Path, archive: Archive, alternative: Alternative) -> Iterator[Difference]:
    """The same pages under other switches, from the same archive."""
    try:
        game = load_game(case, switches=alternative.switches, cards=alternative.cards)
    except GameFileError as error:
        if not alternative.error or alternative.error not in str(error):
            yield Difference(0, alternative.title, (alternative.error or "game.toml 没有错",), (str(error),), ())
        return
    if alternative.error:
        yield Difference(0, alternative.title, (alternative.error,), ("game.toml 没有错",), ())
        return
    for difference in _compare_votes(game, archive, read_events(game), alternative.expected):
        yield replace(difference, what=f"{alternative.title} · {difference.what}")


def _find_day(game: Game, expected: Expected, number: int) -> Day:
    day = game.day(number)
    if day is None:
        raise UsageError(
            phrase(
                "{path}: 写了第 {number} 天，而 {path2} 里没有这一天。改法：改其中一个的 day。",
                path=expected.path,
                number=number,
                path2=game.path,
            )
        )
    return day


@contextmanager
def _fresh(database: Path | None) -> Iterator[Path]:
    """A path at which no archive lies yet. `database` is there when the work is done: whole, or as it was before."""
    if database is None:
        with tempfile.TemporaryDirectory(prefix="bansha-") as folder:
            yield Path(folder) / "replay.db"
        return
    if not database.resolve().parent.is_dir():
        raise UsageError(phrase("{database}: 没有这个文件夹。改法：先建好文件夹，或换一个位置。", database=database))
    if database.exists() and not _may_be_replaced(database):
        raise UsageError(
            phrase("{database}: 已有这个文件，而它不是重放得到的；重放会抹去它。改法：--db 换一个文件名。", database=database)
        )
    from scraper.archive import make_private

    # Built beside it under another name: whoever ends this in the middle leaves nothing that looks like an archive.
    building = database.with_name(f".{database.name}.replay")
    try:
        _remove(building)
        make_private(building)
        connection = sqlite3.connect(building)
        connection.execute(f"PRAGMA application_id = {REPLAYED}")
        connection.close()
    except (OSError, sqlite3.OperationalError) as error:
        raise UsageError(
            phrase("{database}: 这个文件夹里写不了文件（{error}）。改法：--db 换一个能写的位置。", database=database, error=error)
        ) from None
    try:
        yield building
        _replace(database, building)
    finally:
        _remove(building)


def _replace(database: Path, building: Path) -> None:
    try:
        for journal in _journals(database):
            journal.unlink(missing_ok=True)
        building.replace(database)
    except OSError as error:
        raise UsageError(
            phrase(
                "{database}: 换不下旧的文件（{strerror}）。改法：关掉正开着它的程序，再来一次。",
                database=database,
                strerror=error.strerror,
            )
        ) from None


def _remove(database: Path) -> None:
    for file in (*_journals(database), database):
        file.unlink(missing_ok=True)


def _journals(database: Path) -> tuple[Path, ...]:
    return tuple(database.with_name(f"{database.name}{end}") for end in ("-journal", "-wal", "-shm"))


def _may_be_replaced(database: Path) -> bool:
    """Whether a replay made the file, by its header alone (bytes 68 to 71: the application's id); or nothing is in it."""
    if not database.is_file():
        return False
    with database.open("rb") as file:
        head = file.read(72)
    return not head or (head.startswith(b"SQLite format 3\0") and head[68:] == REPLAYED.to_bytes(4, "big"))
