"""[calendar] of game.toml: how long days are, over what the rule system says of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from enum import StrEnum

from engine.dayrules import DAY_RULES
from engine.gamefile import Section
from scraper.phrases import phrase
from tally.calendar import DayLength, find_close
from tally.day import Day
from tally.finding import Finding


class AccelerateFrom(StrEnum):
    """From when a speed-up holds that comes of how few live: from when they are so few, or from when requests are judged."""

    OPENING = "opening"
    JUDGEMENT = "judgement"


@dataclass(frozen=True, slots=True)
class Calendar:
    """What the file says of days; None where the rule system's own default holds.

    `in_hours` tells that `day` was written in hours or minutes, which are counted from the opening; days are natural days.
    `written` tells that the file itself says how long days are.
    """

    day: timedelta | None
    weekend_extra: timedelta | None
    holidays: tuple[date, ...]
    accelerate_at: int | None
    in_hours: bool = False
    holiday_extra: timedelta | None = None
    opens_at: time | None = None
    closes_at: time | None = None
    accelerate_from: AccelerateFrom = AccelerateFrom.OPENING
    written: bool = False


_LENGTHS = ("day", "close", "weekend_extra", "holiday_extra", "holidays")


def read_calendar(section: Section) -> Calendar:
    """The table, checked."""
    section.allow("day", "weekend_extra", "holiday_extra", "holidays", "open", "close", "accelerate_at", "accelerate_from")
    day = section.duration("day")
    in_hours = day is not None and not str(section.values["day"]).endswith("d")
    if day is not None and not day:
        raise section.error("day", phrase("一天没有长短"), phrase('如 day = "2d"（两个自然日）或 "36h"'))
    if in_hours and "close" in section.values:
        raise section.error("close", phrase("day 用小时写时，关门的时刻由开门算起"), phrase('删去 close，或把 day 写成 "2d"'))
    return Calendar(
        day,
        section.duration("weekend_extra"),
        section.dates("holidays"),
        section.integer("accelerate_at", least=1),
        in_hours,
        section.duration("holiday_extra"),
        section.clock("open"),
        section.clock("close"),
        AccelerateFrom(section.choice("accelerate_from", tuple(AccelerateFrom), AccelerateFrom.OPENING)),
        written=any(key in section.values for key in _LENGTHS),
    )


def find_length(ruleset: str, calendar: Calendar) -> DayLength | None:
    """The length of a game's days: the rule system's, with what the file says in its place; None where neither says any."""
    own = DAY_RULES[ruleset].length
    length = own or DayLength()
    if calendar.day is not None:
        hours = calendar.day if calendar.in_hours else None
        length = replace(length, days=None if calendar.in_hours else calendar.day.days, hours=hours, clause=None)
    length = replace(
        length,
        holidays=calendar.holidays,
        opens_at=calendar.opens_at or length.opens_at,
        closes_at=calendar.closes_at or length.closes_at,
        weekend_extra=length.weekend_extra if calendar.weekend_extra is None else calendar.weekend_extra,
        holiday_extra=_holiday_extra(own, calendar),
    )
    return length if length.days is not None or length.hours is not None else None


def _holiday_extra(own: DayLength | None, calendar: Calendar) -> timedelta:
    """A holiday lengthens as a weekend does, unless the rule system or the file says otherwise."""
    if calendar.holiday_extra is not None:
        return calendar.holiday_extra
    if own is not None and not own.weekend_extra:
        return own.holiday_extra
    return calendar.weekend_extra if calendar.weekend_extra is not None else own.holiday_extra if own else timedelta(0)


def check_length(day: Day, length: DayLength | None, *, written: bool) -> tuple[Finding, ...]:
    """A finding where a day closes otherwise than by the calendar: a warning where the director wrote one, else a note.

    A day whose doors the ledger moved is as long as the director said.
    """
    expected = find_close(day.opens, length) if length is not None else None
    if expected is None or expected == day.closes:
        return ()
    parameters = (("day", str(day.number)), ("expected", _clock(expected)), ("closes", _clock(day.closes)))
    return (Finding("B501", parameters if written else (*parameters, ("severity", "note"))),)


def _clock(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M:%S}"
