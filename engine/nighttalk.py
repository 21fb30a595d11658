"""`bansha night` at a terminal: each step in order is asked, what it brings is told, and what must be passed on to whom.

Whoever answers may skip (回车), say that time is up (到时), or leave (完). What the rules refuse is told, and asked again.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from engine.asking import Asker
from engine.desk import Desk, Entry, look, store
from engine.ledger import DIRECTOR, LedgerError, PhaseKind
from engine.nightplan import Task, list_tasks
from engine.play.skillset import Skill
from engine.playing import CLOSE
from scraper.errors import UsageError
from scraper.phrases import phrase

TIME_UP, LEAVE, NOTHING = "到时", "完", "放弃"


def run_night(
    desk: Desk,
    asker: Asker,
    *,
    clock: Callable[[], datetime],
    tell: Callable[[Entry], None],
    say: Callable[[str], None],
    operator: str = "",
) -> None:
    """Ask for everything that the night waits for, until it is over or the director leaves. `tell` is shown each line."""
    skipped: set[str] = set()

    def enter(line: str) -> Entry | None:
        try:
            entry = look(desk, line, now=clock(), operator=operator)
        except (LedgerError, UsageError) as error:
            say(phrase("{error}", error=error))
            return None
        if entry.refused is None:
            store(desk, entry)
        tell(entry)
        return entry

    while not desk.state.winner:
        tasks = [task for task in list_tasks(desk) if task.name not in skipped]
        if not tasks or (desk.state.phase.kind is PhaseKind.DAY and tasks[0].name == CLOSE):
            return
        task = tasks[0]
        if task.name == "天亮":
            if asker.confirm(phrase("都记好了，天亮吗"), True):
                entered = enter(task.lines[0])
                if entered is not None and entered.refused is None:
                    skipped.clear()
                    continue
            return
        if not _ask_task(desk, task, asker, enter, clock(), skipped):
            return


def _ask_task(
    desk: Desk,
    task: Task,
    asker: Asker,
    enter: Callable[[str], Entry | None],
    now: datetime,
    skipped: set[str],
) -> bool:
    """Ask for one step or decision; False where the director leaves. What is left open is skipped for this round."""
    state = desk.state
    night = state.phase.kind is PhaseKind.NIGHT and not state.decisions
    for place, seat in enumerate(task.seats):
        skill = task.skills[place]
        if skill is not None and _is_answered(desk, task, seat, skill):
            continue
        while True:
            answer = asker.text(_question(desk, task, place, now), "", _words(desk, skill)).strip()
            if answer == LEAVE:
                return False
            if answer == TIME_UP and task.time_up:
                enter(task.time_up)
                return True
            if not answer:
                skipped.add(task.name)
                break
            if answer == NOTHING and night:
                break
            line = f"{task.lines[place]} {answer}" if answer != NOTHING else _decline(task.lines[place])
            entered = enter(line)
            if entered is not None and entered.refused is None:
                break
        if not night:
            return True
    if night and task.name not in skipped and state.phase.number > 0:
        if asker.confirm(phrase("收 {step} 吗（收了就不能再改）", step=task.name), True):
            enter(f"{state.phase} {DIRECTOR} 收 {task.name}")
        else:
            skipped.add(task.name)
    elif night and state.phase.number == 0:
        skipped.add(task.name)
    return True


def _decline(line: str) -> str:
    """`日2 猎人 最后一枪` declined: `日2 猎人 放弃 最后一枪`."""
    head, _, act = line.rpartition(" ")
    return f"{head} {NOTHING} {act}"


def _is_answered(desk: Desk, task: Task, seat: int, skill: Skill) -> bool:
    """Whether a choice was made meanwhile: a joint kill is one line by any of them, two potions exclude each other."""
    now = next((one for one in list_tasks(desk) if one.name == task.name), None)
    return now is None or (seat, skill) not in zip(now.seats, now.skills, strict=True)


def _question(desk: Desk, task: Task, place: int, now: datetime) -> str:
    table = desk.state.table
    skill = task.skills[place]
    name = table.name(task.seats[place])
    act = skill.name if skill is not None else task.name
    limit = ""
    if task.until is not None:
        local = task.until.astimezone(desk.game.zone)
        limit = phrase("，{until} 到时{late}", until=f"{local:%m-%d %H:%M}", late=phrase("，已过") if task.is_late(now) else "")
    return phrase(
        "{name} {act} 的对象{limit}（回车跳过，{nothing}，{time_up}，{leave}）",
        name=name,
        act=act,
        limit=limit,
        nothing=NOTHING,
        time_up=TIME_UP,
        leave=LEAVE,
    )


def _words(desk: Desk, skill: Skill | None) -> list[str]:
    """What is completed: the seats that may still be named, as a line names them."""
    state = desk.state
    targets = [state.table.target_word(seat) for seat in state.table.everybody if not state.seats[seat].announced]
    return [*targets, NOTHING, TIME_UP, LEAVE]
