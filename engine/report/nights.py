"""A night for the director: what is waited for until when, whom to remind, what to pass on, which groups to open or close."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import TYPE_CHECKING

from engine.nightplan import REMIND, Errand, Task, describe_group, list_errands, list_tasks
from engine.play.messages import PUBLIC
from engine.play.wording import say
from engine.report.safe import show
from engine.report.values import Json

if TYPE_CHECKING:
    from engine.desk import Desk, Entry


def _write(lines: Iterable[str]) -> None:
    sys.stdout.write("".join(f"{show(line)}\n" for line in lines))


def print_plan(desk: Desk, now: datetime) -> None:
    """The whole plan as lines."""
    _write(describe_plan(desk, now))


def describe_plan(desk: Desk, now: datetime) -> Iterator[str]:
    """Where the game stands, and everything that is to be done, in order."""
    state = desk.state
    if state.winner:
        yield f"{state.phase}  获胜：{'、'.join(state.winner)}"
    else:
        yield f"{state.phase}"
    for errand in list_errands(desk):
        yield f"  转告 {_addressee(desk, errand)}：{errand.text}" if not errand.group else f"  {errand.text}"
    for task, line in zip(list_tasks(desk), describe_waiting(desk, now), strict=True):
        yield f"  等 {line}"
        yield from describe_task(desk, task, now)


def describe_waiting(desk: Desk, now: datetime) -> Iterator[str]:
    """What is waited for, from whom, until when: a line each."""
    for task in list_tasks(desk):
        limit = f"，{describe_limit(desk, task, now)}" if task.until is not None else ""
        done = f"，已选：{'；'.join(task.chosen)}" if task.chosen else ""
        yield f"{task.name}{_who(desk, task)}{limit}{done}"


def describe_task(desk: Desk, task: Task, now: datetime) -> Iterator[str]:
    """What is to be done about one thing that is waited for: a reminder, or the line for when its time is over."""
    if task.is_late(now) and task.time_up:
        yield f"    到时了：bansha night {show(str(desk.game.path))} --time-up {task.name}"
    elif task.until is not None and task.seats and task.until - now < REMIND:
        yield f"    该催了：{'、'.join(_name(desk, seat) for seat in dict.fromkeys(task.seats))}"


def describe_limit(desk: Desk, task: Task, now: datetime) -> str:
    """Until when, in the game's zone, and whether that is over."""
    assert task.until is not None
    local = task.until.astimezone(desk.game.zone)
    return f"到 {local:%m-%d %H:%M}{'（已过）' if task.is_late(now) else ''}"


def _who(desk: Desk, task: Task) -> str:
    pairs = [
        f"{_name(desk, seat)} {skill.name}" if skill is not None else _name(desk, seat)
        for seat, skill in zip(task.seats, task.skills, strict=False)
    ]
    return f"：{'、'.join(pairs)}" if pairs else ""


def _name(desk: Desk, seat: int) -> str:
    return desk.state.table.name(seat)


def _addressee(desk: Desk, errand: Errand) -> str:
    return "、".join(_name(desk, seat) for seat in errand.to)


def print_line(entry: Entry, *, stored: bool) -> None:
    """A line that was entered, and what follows from it: whom to tell what, what is published when the day opens, groups."""
    if entry.refused is not None:
        _write(
            (
                f"没有照办（{entry.refused.code}）：{entry.refused.sentence}",
                f"可以转告：{entry.refused.safe_sentence}",
            )
        )
        return
    table = entry.after.table
    lines = [f"#{entry.number} {entry.line}" if stored else f"（没有记下来）{entry.line}"]
    for contact in entry.after.contacts[len(entry.before.contacts) :]:
        lines.append(f"  {describe_group(contact, entry.after)}")
    for message in entry.messages:
        to = "公示" if message.to == PUBLIC else f"转告 {table.name(message.to)}"
        lines.append(f"  {to}：{say(message, table)}")
    _write(lines)


def plan_value(desk: Desk, now: datetime) -> dict[str, Json]:
    """The plan as JSON; secret, as everything of a night is."""
    state = desk.state
    return {
        "phase": str(state.phase),
        "winner": list(state.winner),
        "tasks": [task_value(desk, task, now) for task in list_tasks(desk)],
        "errands": [
            {"to": [_name(desk, seat) for seat in errand.to], "text": errand.text, "group": errand.group}
            for errand in list_errands(desk)
        ],
    }


def task_value(desk: Desk, task: Task, now: datetime) -> Json:
    """One thing that is waited for, as JSON."""
    return {
        "name": task.name,
        "seats": [_name(desk, seat) for seat in task.seats],
        "skills": [skill.name if skill is not None else None for skill in task.skills],
        "chosen": list(task.chosen),
        "until": task.until.astimezone(desk.game.zone).isoformat() if task.until is not None else None,
        "late": task.is_late(now),
        "lines": list(task.lines),
        "time_up": task.time_up or None,
    }
