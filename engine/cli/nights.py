"""`night`: the director is led through a night; or its lines are entered at once."""

from __future__ import annotations

import sys
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from engine.cli.common import AsJson, DatabasePath, Operator, finish, name_operator, print_json, say
from engine.cli.playing import open_game
from engine.cli.words import _
from scraper.phrases import phrase

if TYPE_CHECKING:
    from engine.desk import Desk, Entry
    from engine.nightplan import Task

# For --time-up: everything whose time is over.
OVERDUE = "过时的"


def night(
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="[GAME] [LINE]...", help=_('game.toml 或它的文件夹；要记的行，可以不写阶段，如 "女巫 毒药 4"。')),
    ] = None,
    time_up: Annotated[
        list[str] | None,
        typer.Option("--time-up", metavar=_("谁"), help=_("到时了：步骤、身份或玩家，照规则的默认办；过时的：一次全办。")),
    ] = None,
    dawn: Annotated[bool, typer.Option("--dawn", help=_("天亮。"))] = False,
    operator: Operator = None,
    as_json: AsJson = False,
    db: DatabasePath = None,
) -> None:
    """一夜：按顺序问每一步，到几时为止；告诉你该反馈什么给谁、建哪个群、该催谁；到时就照规则办。"""
    from engine.cli.asking import make_asker
    from engine.nightplan import complete_line, list_tasks
    from engine.report.nights import plan_value, print_plan

    path, lines = _read_words(words or [])
    desk = open_game(path, db)
    by = name_operator(operator, desk.game)
    failed = 0
    if not lines and not time_up and not dawn and not as_json and (asker := make_asker()) is not None:
        from engine.asking import Stopped
        from engine.nighttalk import run_night

        print_plan(desk, _now(desk))
        try:
            run_night(desk, asker, clock=lambda: _now(desk), tell=lambda entry: _tell(desk, entry), say=say, operator=by)
        except Stopped:
            say(phrase("bansha: 停下了，记下的都在账本里；再运行一次就接着问。"))
        print_plan(desk, _now(desk))
        return
    entries: list[tuple[Entry, bool]] = []
    for text in lines:
        failed |= not _enter(desk, complete_line(desk.state, text), by, entries)
    for word in time_up or ():
        lines = [task.time_up for task in list_tasks(desk) if task.time_up and _is_meant(desk, task, word)]
        if not lines and word == OVERDUE:  # none is needed where everybody has answered; else a dawn would come too early
            say(phrase("bansha: 没有谁过了时限。"))
            failed |= any(task.time_up for task in list_tasks(desk))
        elif not lines:
            say(phrase("bansha: 没有在等 {word}。", word=word))
            failed = True
        for line in lines:
            failed |= not _enter(desk, line, by, entries)
    if dawn and not failed and OVERDUE in (time_up or ()):
        # What was just told (通灵) begins a time of its own.
        for task in (one for one in list_tasks(desk) if one.time_up and one.until is not None and not one.is_late(_now(desk))):
            until = f"{task.until:%m-%d %H:%M}"
            say(
                phrase("bansha: {task} 到 {until} 还有时间，没有天亮；不等了就加 --time-up {task}。", task=task.name, until=until)
            )
            failed = True
    if dawn and not failed:
        failed |= not _enter(desk, complete_line(desk.state, "天亮"), by, entries)
    if as_json:
        from engine.report.playing import entry_value

        value = plan_value(desk, _now(desk))
        print_json({**value, "entered": [entry_value(entry, stored=stored) for entry, stored in entries]})
    else:
        for entry, stored in entries:
            _print(entry, stored)
        print_plan(desk, _now(desk))
    finish([failed])


def _read_words(words: list[str]) -> tuple[Path, list[str]]:
    """`[GAME] [LINE]...`: a first word that is a path is the game."""
    if words and (Path(words[0]).is_dir() or words[0].endswith(".toml")):
        return Path(words[0]), words[1:]
    return Path(), words


def _now(desk: Desk) -> datetime:
    from scraper.pace import utc_now

    return utc_now().astimezone(desk.game.zone)


def _is_meant(desk: Desk, task: Task, word: str) -> bool:
    """Whether a word means what is waited for: the step, a role or a player of it, or everything whose time is over."""
    if word == OVERDUE:
        return task.is_late(_now(desk))
    table = desk.state.table
    role = table.role_words.get(word)
    return word == task.name or any(word == table.name(seat) or desk.state.seats[seat].role == role for seat in task.seats)


def _enter(desk: Desk, line: str, operator: str, entries: list[tuple[Entry, bool]]) -> bool:
    """Enter one line; False where the rules refuse it, and nothing has changed."""
    from engine.desk import look, store

    entry = look(desk, line, now=_now(desk), operator=operator)
    stored = entry.refused is None and not entry.corrects
    if stored:
        store(desk, entry)
    elif entry.corrects:
        say(phrase("bansha: 改动过去的行用 bansha do 记。"))
    entries.append((entry, stored))
    return stored


def _print(entry: Entry, stored: bool) -> None:
    from engine.report.nights import print_line

    print_line(entry, stored=stored)
    sys.stdout.flush()


def _tell(desk: Desk, entry: Entry) -> None:
    _print(entry, entry.refused is None)
