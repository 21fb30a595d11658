"""`day` and `elevator`: a day is opened, with the two floors to paste."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from engine.cli.common import AsJson, DatabasePath, GameHere, print_json, read_moment, say, warn_exposed
from engine.cli.words import _
from engine.language import localize
from scraper.phrases import listing, phrase

if TYPE_CHECKING:
    from datetime import datetime

    from engine.elevator import Elevator
    from engine.game import Game
    from engine.play.state import GameState
    from scraper.address import Family
    from tally.day import Day

Names = Annotated[str | None, typer.Option(metavar=_("名字,…"))]


def day(
    words: Annotated[
        list[str] | None, typer.Argument(metavar="[GAME] [N]", help=_("game.toml 或它的文件夹；第几天，不写就是下一天。"))
    ] = None,
    vote: Annotated[str | None, typer.Option("--vote", metavar="URL", help=_("投票帖的地址或 tid。"))] = None,
    discussion: Annotated[
        list[str] | None, typer.Option("--discussion", metavar="URL", help=_("讨论帖的地址或 tid；可以写几次。"))
    ] = None,
    progress: Annotated[str | None, typer.Option("--progress", metavar="URL", help=_("进程帖的地址或 tid。"))] = None,
    opens: Annotated[str | None, typer.Option("--opens", metavar="TIME", help=_("几时开门；不写就照日历。"))] = None,
    closes: Annotated[str | None, typer.Option("--closes", metavar="TIME", help=_("几时关门；不写就照日历。"))] = None,
    sheriff: Annotated[str | None, typer.Option("--sheriff", metavar="NAME", help=_("警长（没有账本时）；没有写 无。"))] = None,
    out: Annotated[str | None, typer.Option("--out", metavar=_("名字,…"), help=_("已出局的（没有账本时）。"))] = None,
    chanted: Annotated[str | None, typer.Option("--chanted", metavar=_("名字,…"), help=_("被吹笛的（没有账本时）。"))] = None,
    barred: Annotated[str | None, typer.Option("--barred", metavar=_("名字,…"), help=_("今天不得投票的（没有账本时）。"))] = None,
    as_json: AsJson = False,
    db: DatabasePath = None,
) -> None:
    """开一天：把它写进 game.toml（注释和先后都不动），打印一楼和二楼（电梯楼），可以直接贴。"""
    from engine.counting import read_events
    from engine.game import load_game
    from engine.newday import Wanted, open_day, write_floor
    from engine.report.values import moment

    path, number = _read_words(words or [])
    loaded = load_game(path, before_days=True)
    facts: dict[str, object] = {
        **({"sheriff": "" if sheriff in ("无", "") else sheriff} if sheriff is not None else {}),
        **{key: split_names(text) for key, text in (("out", out), ("chanted", chanted), ("barred", barred)) if text is not None},
    }
    wanted = Wanted(
        vote,
        discussion or (),
        progress,
        _read_clock(opens, loaded, "--opens"),
        _read_clock(closes, loaded, "--closes"),
        facts,
    )
    opened = open_day(loaded, read_events(loaded), number, wanted)
    game, database = opened.game, db or opened.game.database
    warn_exposed(game)
    one, state = _take_facts(game, opened.day, database)
    elevator, family = _write_elevator(game, one, database, opened.family)
    first = write_floor(game, one, state, family)
    for note in opened.notes:
        say(phrase("bansha: {note}", note=note))
    _tell_unknown(elevator)
    if as_json:
        print_json(
            {
                "day": one.number,
                "new": opened.new,
                "opens": moment(one.opens, game),
                "closes": moment(one.closes, game),
                "vote": one.vote or None,
                "discussion": list(one.discussion),
                "floors": [first, elevator.text],
                "without_uid": list(elevator.unknown),
                "notes": [str(note) for note in opened.notes],
            }
        )
        return
    first_floor, second = localize(phrase("———— 一楼 ————")), localize(phrase("———— 二楼 ————"))
    sys.stdout.write(f"{first_floor}\n{first}{second}\n{elevator.text}")


def elevator(
    game: GameHere = Path(),
    day: Annotated[int | None, typer.Option("--day", metavar="N", help=_("第几天；不写就是最后一天。"))] = None,
    draw: Annotated[bool, typer.Option("--draw", help=_("用种子抽一个顺序，写进 game.toml。"))] = False,
    order: Annotated[str | None, typer.Option("--order", metavar=_("名字,…"), help=_("把这个顺序写进 game.toml。"))] = None,
    as_json: AsJson = False,
    db: DatabasePath = None,
) -> None:
    """电梯楼：点一名角色，只看他在讨论帖的发言；可以直接贴在二楼。"""
    from engine.elevator import draw_order, save_order
    from engine.game import load_game
    from scraper.errors import UsageError

    loaded = load_game(game, before_days=True)
    if draw and not loaded.secrets.seed:
        raise UsageError(phrase("没有种子，抽不了顺序。改法：先 bansha deal，或用 --order 写出顺序。"))
    if draw or order is not None:
        save_order(loaded, draw_order(loaded) if draw else tuple(split_names(order or "")))
        loaded = load_game(game, before_days=True)
    if not loaded.days:
        shown = "、".join(loaded.elevator)
        print_json({"order": list(loaded.elevator)}) if as_json else sys.stdout.write(f"{shown}\n" if shown else "")
        say(phrase("bansha: 还没有哪一天，先 bansha day 开一天，才有帖子可以链接。"))
        return
    number = day if day is not None else loaded.days[-1].number
    chosen = loaded.day(number)
    if chosen is None:
        raise UsageError(phrase("{path}: 没有第 {number} 天。改法：先 bansha day {number}。", path=loaded.path, number=number))
    database = db or loaded.database
    one, _state = _take_facts(loaded, chosen, database)
    floor, _family = _write_elevator(loaded, one, database, None)
    _tell_unknown(floor)
    if as_json:
        print_json({"day": one.number, "floor": floor.text, "without_uid": list(floor.unknown)})
    else:
        sys.stdout.write(floor.text)


def _read_clock(text: str | None, game: Game, option: str) -> datetime | None:
    """A time that was typed with its hour: a bare date would be midnight, and no day opens or closes then by a slip."""
    from scraper.errors import UsageError

    if text is not None and ":" not in text:
        raise UsageError(phrase("{option} {text!r}: 只有日期，没有时刻。改法：写成 2018-06-05T21:00。", option=option, text=text))
    return read_moment(text, game, option)


def split_names(text: str) -> list[str]:
    """Names that were typed with a comma, or 、, between them; 无 is nobody."""
    names = [part.strip() for part in text.replace("，", ",").replace("、", ",").split(",")]
    return [name for name in names if name and name != "无"]


def _read_words(words: list[str]) -> tuple[Path, int | None]:
    """`[GAME] [N]`: a number alone is the day of the game in this folder."""
    from scraper.errors import UsageError

    number = int(words[-1]) if words and words[-1].isascii() and words[-1].isdigit() else None
    rest = words[:-1] if number is not None else words
    if len(rest) > 1:
        raise UsageError(phrase("{word!r} 不知道是什么。改法：写成 bansha day 游戏的文件夹 3。", word=rest[1]))
    return Path(rest[0]) if rest else Path(), number


def _take_facts(game: Game, day: Day, database: Path) -> tuple[Day, GameState | None]:
    """The day with its facts, and the state where the ledger runs the game and has reached the day."""
    from engine.counting import open_archive, read_events
    from engine.derived import play_recorded, runs_the_game
    from engine.ledger import Phase, PhaseKind
    from engine.playing import begin, play, seat_game
    from engine.threads import day_facts

    events = read_events(game)
    if not runs_the_game(game, events):
        return day, None
    if database.is_file():
        with open_archive(game, database) as archive:
            played = play_recorded(game, archive, events)
    else:
        played = play(begin(game, seat_game(game)), events)
    phase = Phase(PhaseKind.DAY, day.number)
    states: list[GameState] = [state for state in played.states if state.phase == phase and not state.closing]
    if not states:
        say(
            phrase(
                "bansha: 账本还在 {now}，没有到 {phase}：一楼里没有公示。先记完这一夜（bansha night），再运行一次。",
                now=str(played.state.phase),
                phase=str(phase),
            )
        )
        # Whoever is out by now is not there either, whatever the night brings.
        return replace(day, out=day_facts(played.state, day).out), None
    return day_facts(states[0], day), states[0]


def _write_elevator(game: Game, day: Day, database: Path, family: Family | None) -> tuple[Elevator, Family]:
    from engine.counting import open_archive
    from engine.elevator import find_uids, list_riders, write_elevator
    from scraper.address import Family

    threads = day.discussion or ((day.vote,) if day.vote else ())
    if not database.is_file():
        chosen = family or Family.X
        return write_elevator(game, threads, list_riders(game, day), find_uids(game, None), chosen), chosen
    with open_archive(game, database) as archive:
        seen = next((tid for one in reversed(game.days) for tid in (one.vote, *one.discussion) if archive.fetch_passes(tid)), 0)
        chosen = family or (archive.fetch_family(seen) if seen else Family.X)
        return write_elevator(game, threads, list_riders(game, day), find_uids(game, archive), chosen), chosen


def _tell_unknown(elevator: Elevator) -> None:
    if elevator.unknown:
        from engine.report.safe import show

        say(
            phrase(
                "bansha: 不知道 {names} 的 uid，电梯楼里没有链接。改法：在 [[player]] 写 uid = …，或等他们发过帖、fetch 一次。",
                names=listing(map(show, elevator.unknown)),
            )
        )
