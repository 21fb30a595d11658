"""A night for the director: what is waited for until when, whom to remind, what to pass on, which groups to open or close."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING

from engine.nightplan import REMIND, Task, describe_group, list_errands, list_tasks
from engine.play.messages import PUBLIC
from engine.play.wording import say
from engine.report.lines import write_lines as _write
from engine.report.playing import describe_entered, describe_refusal
from engine.report.safe import show
from engine.report.values import Json
from scraper.phrases import listing, phrase

if TYPE_CHECKING:
    from engine.desk import Desk, Entry


def print_plan(desk: Desk, now: datetime) -> None:
    """The whole plan as lines."""
    _write(describe_plan(desk, now))


def describe_plan(desk: Desk, now: datetime) -> Iterator[str]:
    """Where the game stands, and everything that is to be done, in order."""
    state = desk.state
    if state.winner:
        yield phrase("{phase}  获胜：{camps}", phase=state.phase, camps=listing(state.winner))
    else:
        yield f"{state.phase}"
    for errand in list_errands(desk):
        to = listing(_name(desk, seat) for seat in errand.to)
        yield phrase("  转告 {to}：{text}", to=to, text=errand.text) if not errand.group else phrase("  {line}", line=errand.text)
    for task, line in zip(list_tasks(desk), describe_waiting(desk, now), strict=True):
        yield phrase("  等 {waiting}", waiting=line)
        yield from describe_task(desk, task, now)


def describe_waiting(desk: Desk, now: datetime) -> Iterator[str]:
    """What is waited for, from whom, until when: a line each."""
    for task in list_tasks(desk):
        limit = phrase("，{limit}", limit=describe_limit(desk, task, now)) if task.until is not None else ""
        done = phrase("，已选：{chosen}", chosen=listing(task.chosen)) if task.chosen else ""
        yield phrase("{step}{who}{limit}{done}", step=task.name, who=_who(desk, task), limit=limit, done=done)


def describe_task(desk: Desk, task: Task, now: datetime) -> Iterator[str]:
    """What is to be done about one thing that is waited for: a reminder, or the line for when its time is over."""
    if task.is_late(now) and task.time_up:
        yield phrase("    到时了：bansha night {path} --time-up {step}", path=show(str(desk.game.path)), step=task.name)
    elif task.until is not None and task.seats and task.until - now < REMIND:
        yield phrase("    该催了：{names}", names=listing(_name(desk, seat) for seat in dict.fromkeys(task.seats)))


def describe_limit(desk: Desk, task: Task, now: datetime) -> str:
    """Until when, in the game's zone, and whether that is over."""
    assert task.until is not None
    local = task.until.astimezone(desk.game.zone)
    return phrase("到 {until:%m-%d %H:%M}（已过）" if task.is_late(now) else "到 {until:%m-%d %H:%M}", until=local)


def _who(desk: Desk, task: Task) -> str:
    pairs = [
        f"{_name(desk, seat)} {skill.name}" if skill is not None else _name(desk, seat)
        for seat, skill in zip(task.seats, task.skills, strict=False)
    ]
    return phrase("：{names}", names=listing(pairs)) if pairs else ""


def _name(desk: Desk, seat: int) -> str:
    return desk.state.table.name(seat)


def print_line(entry: Entry, *, stored: bool) -> None:
    """A line that was entered, and what follows from it: whom to tell what, what is published when the day opens, groups."""
    if entry.refused is not None:
        _write(describe_refusal(entry.refused))
        return
    table = entry.after.table
    lines = [describe_entered(entry, stored=stored)]
    for contact in entry.after.contacts[len(entry.before.contacts) :]:
        lines.append(phrase("  {line}", line=describe_group(contact, entry.after)))
    for message in entry.messages:
        said = say(message, table)
        if message.to == PUBLIC:
            lines.append(phrase("  公示：{message}", message=said))
        else:
            lines.append(phrase("  转告 {to}：{text}", to=table.name(message.to), text=said))
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
