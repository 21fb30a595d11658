"""The commands that run a game: `do` enters a line, `status` shows where the game stands, `simulate` plays random ones."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from engine.cli.common import (
    AsJson,
    DatabasePath,
    GameHere,
    GamePath,
    Operator,
    finish,
    name_operator,
    print_json,
    say,
    warn_exposed,
)
from engine.cli.words import _
from engine.language import localize
from scraper.phrases import chain, listing, phrase

if TYPE_CHECKING:
    from engine.desk import Desk
    from engine.game import Game
    from engine.ledger import Event
    from engine.play.state import GameState, ThreadVotes
    from engine.playing import ReadThread


def do(
    game: GamePath,
    line: Annotated[str, typer.Argument(metavar="LINE", help=_('账本的一行，如 "夜2 女巫 毒药 4"。'))],
    force: Annotated[str, typer.Option("--force", metavar="REASON", help=_("规则不许也照办，记作裁定；写上理由。"))] = "",
    yes: Annotated[bool, typer.Option("--yes", "-y", help=_("改动过去的行（撤销、补）不再问。"))] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help=_("只看会怎样，不记下来。"))] = False,
    operator: Operator = None,
    as_json: AsJson = False,
    db: DatabasePath = None,
) -> None:
    """记一行：规则不许的当场拒绝，什么也不变；否则显示它带来什么，然后存进账本。"""
    from engine.desk import look, store
    from engine.report.playing import entry_value, print_entry

    desk = open_game(game, db)
    entry = look(desk, line, now=datetime.now(desk.game.zone), operator=name_operator(operator, desk.game), force=force)
    stored = entry.refused is None and not dry_run and (not entry.corrects or yes or _agreed(entry.changes))
    if stored:
        store(desk, entry)
    if as_json:
        print_json(entry_value(entry, stored=stored))
    else:
        print_entry(entry, stored=stored)
    finish([0 if stored or (dry_run and entry.refused is None) else 1])


def _agreed(changes: tuple[str, ...]) -> bool:
    """Whether the director wants the past changed: asked where somebody can answer."""
    from engine.report.safe import show

    if not sys.stdin.isatty():
        say(phrase("bansha: 这一行改动过去，没有记下来。确认后加上 --yes。"))
        return False
    for change in changes:
        say(phrase("  {line}", line=show(localize(change))))
    return typer.confirm(_("照这样改？"), err=True)


def status(
    game: GameHere = Path(),
    seat: Annotated[str | None, typer.Option("--seat", metavar="SEAT", help=_("这名玩家可以知道的。"))] = None,
    public: Annotated[bool, typer.Option("--public", help=_("所有人可以知道的。"))] = False,
    as_json: AsJson = False,
    db: DatabasePath = None,
) -> None:
    """游戏到哪一步了，在等谁，等到几时；或者某名玩家、所有人可以知道什么。"""
    from engine.counting import find_seat, read_events
    from engine.desk import find_troubles
    from engine.game import load_game
    from engine.nightplan import list_tasks
    from engine.play.views import see_as, see_public
    from engine.report.lines import write_lines
    from engine.report.nights import describe_waiting, describe_words, task_value
    from engine.report.playing import print_status, print_view, status_value, undealt_value, view_value
    from engine.standing import describe_missing, describe_undealt, is_dealt, list_missing
    from scraper.pace import utc_now

    now = utc_now()
    loaded = load_game(game, before_days=True)
    if seat is None and not public and not is_dealt(loaded):
        events = read_events(loaded)
        missing = list_missing(loaded, events, db or loaded.database, now)
        lines = tuple(describe_undealt(loaded, events, missing, now))
        print_json(undealt_value(loaded, lines)) if as_json else write_lines(lines)
        return
    desk = open_game(game, db)
    state = desk.state
    if seat is not None or public:
        view = see_public(state) if seat is None else see_as(state, state.table.names[find_seat(desk.game, seat)])
        print_json(view_value(view)) if as_json else print_view(view)
        return
    troubles = find_troubles(desk)
    missing = () if state.winner else list_missing(desk.game, tuple(desk.events), db or desk.game.database, now)
    beside = (*describe_missing(missing, desk.game), *describe_words(desk))
    if as_json:
        tasks = [task_value(desk, task, now) for task in list_tasks(desk)]
        print_json({**status_value(state, troubles, tasks), "beside": [str(line) for line in beside]})
    else:
        print_status(state, troubles, (*beside, *describe_waiting(desk, now)))
    finish([1] if troubles else [])


def ledger(game: GamePath, as_json: AsJson = False, db: DatabasePath = None) -> None:
    """打印账本：每一行的行号，和规则不许的行。"""
    from engine.report.playing import ledger_value, print_ledger

    desk = open_game(game, db)
    print_json(ledger_value(desk)) if as_json else print_ledger(desk)
    finish([1] if desk.refused else [])


def simulate(
    ruleset: Annotated[str, typer.Argument(metavar="RULESET", help=_("规则，如 m29、断言。"))],
    games: Annotated[int, typer.Option("--games", min=1, metavar="N", help=_("玩多少局。"))] = 1000,
    seed: Annotated[str, typer.Option("--seed", metavar="TEXT", help=_("种子；同一个种子总是同样的局。"))] = "bansha",
    players: Annotated[
        int | None,
        typer.Option("--players", min=6, max=40, metavar="N", help=_("人数；不写就按规则的配置，没有配置的约 12 人。")),
    ] = None,
    vary: Annotated[bool, typer.Option("--vary", help=_("每局另发一副规则容许的牌，另拨一些开关。"))] = False,
    check: Annotated[bool, typer.Option("--check/--no-check", help=_("每一行都检查不变的性质。"))] = True,
    as_json: AsJson = False,
) -> None:
    """随机玩许多局：各阵营胜几局，一局多长；有违反的性质就退出 1。"""
    from engine.language import say_finding
    from engine.report.playing import print_simulation, simulation_value
    from engine.rulesets import UnknownRuleSet, find_playable
    from engine.simulate import NoTableError, list_tables
    from engine.simulate import simulate as run_games
    from scraper.errors import UsageError

    try:
        found = find_playable(ruleset)
    except UnknownRuleSet as unknown:
        raise UsageError(phrase("{problem}。改法：{fix}。", problem=unknown.problem, fix=unknown.fix)) from None
    if vary and players is not None:
        raise UsageError(phrase("--vary 每局另发一副牌，人数也不同，不能再写 --players。改法：去掉其中一个。"))
    try:
        result = run_games(found, games, seed, players=players, check=check, vary=vary)
    except NoTableError as none:
        raise UsageError(
            phrase(
                "{system}发不出 {players} 人的一局：{problems}。改法：--players 写 {able} 中的一个，或不写。",
                system=found.title,
                players=players,
                problems=chain(map(say_finding, none.findings)),
                able=_show_runs(list_tables(found)),
            )
        ) from None
    print_json(simulation_value(result)) if as_json else print_simulation(result)
    finish([1] if result.violations else [])


def _show_runs(numbers: Iterable[int]) -> str:
    """Numbers in order, those that follow each other as a run: 10、12–20."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return listing(f"{run[0]}–{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)


def open_game(path: Path, database: Path | None) -> Desk:
    """The desk of a game file: its ledger played, its votes read from the archive where there is one."""
    from importlib.metadata import version

    from engine.desk import open_desk
    from engine.game import load_game

    game = load_game(path, before_days=True)
    warn_exposed(game)
    return open_desk(game, version("bansha"), lambda events: _reader(game, database or game.database, events))


def _reader(game: Game, database: Path, events: tuple[Event, ...]) -> ReadThread:
    """Counts the recorded thread of a day when its vote is closed; refuses where nobody has recorded it."""
    from engine.counting import open_archive
    from engine.play.refusal import Refused
    from engine.threads import read_votes_of

    def read(state: GameState) -> ThreadVotes:
        if not database.is_file():
            raise Refused("E337", day=state.phase.number, why=phrase("没有 {file}", file=database.name))
        with open_archive(game, database) as archive:
            return read_votes_of(game, archive, events, state)

    return read
