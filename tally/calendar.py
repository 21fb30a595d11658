"""How long days are: when a day that opened closes, and when the next one opens, by the calendar of a rule system.

A day is so many natural days, its opening day among them, and closes on the last of them at a fixed hour; or so many hours. A
day that touches a weekend, or a holiday, is longer by so much, once: by the longer of the two where it touches both. What the
extension itself reaches is not looked at again.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from tally.policy import Clause

_SATURDAY = 5


@dataclass(frozen=True, slots=True)
class DayLength:
    """The calendar of a game: `days` natural days or `hours`, one of the two; the hours of opening and close; what lengthens.

    `closes_at` and `opens_at` are wall clocks in the game's zone, None where no rule gives them. `clause` is the sentence of the
    rule post, None where the director's file alone says so.
    """

    days: int | None = None
    hours: timedelta | None = None
    opens_at: time | None = None
    closes_at: time | None = None
    weekend_extra: timedelta = timedelta(0)
    holiday_extra: timedelta = timedelta(0)
    holidays: tuple[date, ...] = ()
    clause: Clause | None = None


def find_close(opens: datetime, length: DayLength) -> datetime | None:
    """When a day that opened at a moment closes; None where the calendar cannot tell. Clocks are those of the moment's zone."""
    if length.hours is not None:
        base = opens + length.hours
    elif length.days is not None and length.closes_at is not None:
        last = opens.date() + timedelta(days=length.days - 1)
        base = datetime.combine(last, length.closes_at, opens.tzinfo)
    else:
        return None
    # A zone's wall clock moves on by whole days here, whatever its offset does meanwhile.
    return base + _extra(opens.date(), base.date(), length)


def find_opening(closes: datetime, length: DayLength) -> datetime | None:
    """When the day after a close opens: on the next natural day, after the night; None where the calendar has no hour for it."""
    if length.opens_at is None:
        return None
    return datetime.combine(closes.date() + timedelta(days=1), length.opens_at, closes.tzinfo)


def _extra(first: date, last: date, length: DayLength) -> timedelta:
    touched = [first + timedelta(days=number) for number in range((last - first).days + 1)]
    extras = [timedelta(0)]
    if any(day.weekday() >= _SATURDAY for day in touched):
        extras.append(length.weekend_extra)
    if any(day in length.holidays for day in touched):
        extras.append(length.holiday_extra)
    return max(extras)
