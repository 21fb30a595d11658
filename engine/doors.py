"""Ledger lines that move a door: when a day opens or closes, and from when on that was in force.

日2 导演 关门 @2018-06-05T22:00                              it closes then, and always did: the game file was wrong
日2 导演 关门 宣布=2018-06-05T20:30 @2018-06-05T22:00          what was posted before 20:30 is judged by the close before
日2 导演 开门 @2018-06-03T09:00                              the same for an opening
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from itertools import pairwise

from engine.ledger import Event, LedgerError, PhaseKind, Word
from scraper.phrases import phrase
from tally.day import Day, Limits
from tally.dayevent import DayEvent, EventKind
from tally.finding import Finding

OPEN, CLOSE = "开门", "关门"
ACTS = (OPEN, CLOSE)
ANNOUNCED = ("宣布", "announced")


@dataclass(frozen=True, slots=True)
class Moved:
    """A day with its doors where the ledger put them, what happened to them, and what to look at."""

    day: Day
    events: tuple[DayEvent, ...] = ()
    findings: tuple[Finding, ...] = ()


class DoorsOverlapError(LedgerError):
    """A line makes two days overlap."""


def move_days(days: tuple[Day, ...], events: tuple[Event, ...]) -> tuple[Day, ...]:
    """Every day after the lines that move its doors; LedgerError for a line that is wrong, or makes two days overlap."""
    moved = tuple(move_doors(day, events).day for day in days)
    for earlier, later in pairwise(moved):
        if later.opens < earlier.ends:
            lines = [event for event in events if event.act in ACTS and any(_on(event, day) for day in (earlier, later))]
            if lines:
                refused = lines[-1].refuse(
                    phrase(
                        "第 {number} 天 {clock} 开门，而第 {number2} 天 {clock2} 才关门",
                        number=later.number,
                        clock=_clock(later.opens),
                        number2=earlier.number,
                        clock2=_clock(earlier.ends),
                    ),
                    phrase("改这一行的时间，两天不可重叠"),
                )
                raise DoorsOverlapError(refused.args[0])
    return moved


def move_doors(day: Day, events: tuple[Event, ...]) -> Moved:
    """One day after the lines that move its doors, in the order in which they came into force."""
    lines = [(_announced(event, day), event) for event in events if event.act in ACTS and _on(event, day)]
    from_the_start = [event for announced, event in lines if announced is None]
    later = sorted(((at, event) for at, event in lines if at is not None), key=lambda pair: pair[0])
    told: list[DayEvent] = []
    findings = [Finding("B502", (("line", str(event.number)), ("door", _kind(event).value))) for event in from_the_start]
    for event in from_the_start:
        told.append(_tell(event, day, None))
        day = _move(event, day)
    for announced, event in later:
        before = day
        told.append(_tell(event, day, announced))
        day = replace(_move(event, day), moved=(*before.moved, Limits(announced, before.opens, before.closes)))
    return Moved(day, tuple(told), tuple(findings))


def check_doors(events: tuple[Event, ...]) -> None:
    """Read every such line, whatever its day; LedgerError at the first that is wrong by itself."""
    for event in events:
        if event.act in ACTS:
            _moment(event)


def _on(event: Event, day: Day) -> bool:
    return event.phase is not None and event.phase.kind is PhaseKind.DAY and event.phase.number == day.number


def _kind(event: Event) -> EventKind:
    return EventKind.OPENING if event.act == OPEN else EventKind.CLOSE


def _moment(event: Event) -> datetime:
    if event.actor != "导演":
        raise event.refuse(
            phrase("{act} 只能由导演写", act=event.act),
            phrase("写成 `{value} 导演 {act} @…`", value=event.phase or "日2", act=event.act),
        )
    if event.phase is None or event.phase.kind is not PhaseKind.DAY:
        raise event.refuse(phrase("{act} 是白天的事", act=event.act), phrase("写成 `日N 导演 {act} @…`", act=event.act))
    if event.targets:
        word = event.targets[0]
        raise event.refuse(
            phrase("{act} 后面不写 {text!r}", act=event.act, text=word.text),
            phrase("如 `日2 导演 {act} @2018-06-05T22:00`", act=event.act),
            word.column,
        )
    if event.at is None:
        raise event.refuse(
            phrase("{act} 要写时间", act=event.act), phrase("如 `日2 导演 {act} @2018-06-05T22:00`", act=event.act)
        )
    return event.at


def _announced(event: Event, day: Day) -> datetime | None:
    """From when on a line was in force; None for always.

    A line that was entered before either limit had passed was entered as it was said. One that was entered afterwards says
    only what was: without a moment it was always so.
    """
    at, before = _moment(event), day.opens if event.act == OPEN else day.closes
    if (word := event.value(*ANNOUNCED)) is not None:
        return _read(event, word, at.tzinfo)
    entered = event.entered_at
    return entered if entered is not None and entered <= min(at, before) else None


def _read(event: Event, word: Word, zone: tzinfo | None) -> datetime:
    try:
        moment = datetime.fromisoformat(word.text)
    except ValueError:
        raise event.refuse(
            phrase("时间 {text!r} 读不懂", text=word.text), phrase("写成 {key}=2018-06-05T20:30", key=word.key), word.column
        ) from None
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=zone)


def _move(event: Event, day: Day) -> Day:
    at = _moment(event).astimezone(day.closes.tzinfo)
    moved = replace(day, opens=at) if event.act == OPEN else replace(day, closes=at)
    if moved.closes <= moved.opens:
        raise event.refuse(
            phrase(
                "第 {number} 天 {clock} 关门，不晚于 {clock2} 开门",
                number=day.number,
                clock=_clock(moved.closes),
                clock2=_clock(moved.opens),
            ),
            phrase("改时间，或先写另一扇门"),
        )
    return moved


def _tell(event: Event, day: Day, announced: datetime | None) -> DayEvent:
    at = _moment(event).astimezone(day.closes.tzinfo)
    before = day.opens if event.act == OPEN else day.closes
    because = _say(event, at, before, announced)
    return DayEvent(_kind(event), at, line=event.number, because=because, told=_say(event, at, before, announced, to_all=True))


def _say(event: Event, at: datetime, before: datetime, announced: datetime | None, *, to_all: bool = False) -> str:
    """What the line says; `to_all` without its number and what the director noted beside it."""
    since = announced.astimezone(at.tzinfo) if announced is not None else None
    moved = {
        "act": phrase("开门" if event.act == OPEN else "关门"),
        "at": _clock(at),
        "before": _clock(before),
        "announced": phrase("，{since} 宣布，之前的帖子按原定的算", since=_clock(since)) if since is not None else "",
    }
    if to_all:
        return phrase("{act}改为 {at}，原定 {before}{announced}。", **moved)
    remark = phrase("，{remark}", remark=event.remark) if event.remark else ""
    return phrase(
        "账本第 {line} 行：{act}改为 {at}，原定 {before}{announced}{remark}。", line=event.number, remark=remark, **moved
    )


def _clock(moment: datetime) -> str:
    return f"{moment:%m-%d %H:%M:%S}"
