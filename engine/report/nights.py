"""A night for the director: what is waited for until when, whom to remind, what to pass on, which groups to open or close."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING

from engine.nightplan import REMIND, TIME_OUT, Task, describe_group, list_errands, list_tasks
from engine.play.messages import PUBLIC
from engine.play.wording import say
from engine.playing import CLOSE
from engine.report.lines import write_lines as _write
from engine.report.playing import describe_entered, describe_refusal
from engine.report.safe import show
from engine.report.values import Json
from engine.votekeys import needs_thread
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
    for line in describe_words(desk):
        yield phrase("  等 {waiting}", waiting=line)


def describe_waiting(desk: Desk, now: datetime) -> Iterator[str]:
    """What is waited for, from whom, until when: a line each."""
    for task in list_tasks(desk):
        limit = phrase("，{limit}", limit=describe_limit(desk, task, now)) if task.until is not None else ""
        done = phrase("，已选：{chosen}", chosen=listing(task.chosen)) if task.chosen else ""
        yield phrase(
            "{step}{who}{limit}{done}{then}", step=task.name, who=_who(desk, task), limit=limit, done=done, then=_then(desk, task)
        )


def _then(desk: Desk, task: Task) -> str:
    """What is the director's to do, where nobody else is waited for."""
    number = desk.state.phase.number
    if task.name == CLOSE and desk.game.day(number) is None and needs_thread(desk.game.ruleset.vote):
        return phrase("（第 {number} 天还没有开：bansha day {number} --vote URL）", number=number)
    return phrase("，都说了，可以收") if task.is_step and not task.seats else ""


def describe_words(desk: Desk) -> Iterator[str]:
    """Who may still leave last words, until the next day opens: 在次日讨论日开始前…未提交遗言，视为放弃遗言。"""
    state = desk.state
    open_ones = [words for words in state.last_words if words.text is None and not words.closed]
    if not open_ones or state.winner:
        return
    following = desk.game.day(max(words.phase.number for words in open_ones) + 1)
    yield phrase(
        "遗言：{names}{limit}",
        names=listing(_name(desk, words.seat) for words in open_ones),
        limit=phrase("，到 {until:%m-%d %H:%M}", until=following.opens.astimezone(desk.game.zone))
        if following is not None
        else phrase("，到下一天开门"),
    )


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
    lines = [describe_entered(entry, stored=stored), *_describe_drawn(entry)]
    for contact in entry.after.contacts[len(entry.before.contacts) :]:
        lines.append(phrase("  {line}", line=describe_group(contact, entry.after)))
    for message in entry.messages:
        said = say(message, table)
        if message.to == PUBLIC:
            lines.append(phrase("  公示：{message}", message=said))
        else:
            lines.append(phrase("  转告 {to}：{text}", to=table.name(message.to), text=said))
    _write(lines)


def _describe_drawn(entry: Entry) -> Iterator[str]:
    """What was drawn for a seat whose time is over, as it would have said it: a card or a clan is drawn too."""
    if entry.order is None or entry.order.act != TIME_OUT:
        return
    table = entry.after.table
    for act in entry.after.acts[len(entry.before.acts) :]:
        what = listing([*(table.target_word(seat) for seat in act.targets), *([act.word] if act.word else [])])
        yield phrase("  抽得：{name} {act} {what}", name=table.name(act.seat), act=act.skill.name, what=what)


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
