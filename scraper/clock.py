"""What a board prints for a time → an aware datetime: relative forms (刚刚, 5 分钟前, 昨天 21:59 …) and absolute ones.

The forms are those of Discuz! 6.0–X3.5, simplified and traditional; the space in them may be U+00A0. The date format is the
administrator's: year first (`2026-11-3`, `2026/11/03`, `2026年11月3日`) and month first (`11-3-2026`) are read. Day first is
not: what shows that it must be day first is refused, since nothing would tell it from month first on the 3rd of April.
"""

from __future__ import annotations

import re
from datetime import datetime, time, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

_CLOCK = (
    r"(?:(?P<before>上午|下午|[AaPp][Mm])\s*)?"
    r"(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2}))?"
    r"(?:\s*(?P<after>[AaPp][Mm])\b)?"
)
_ABSOLUTE = re.compile(
    r"(?<!\d)(?:(?P<year>\d{4})[-/.年](?P<month>\d{1,2})[-/.月](?P<day>\d{1,2})日?"
    r"|(?P<month2>\d{1,2})[-/.](?P<day2>\d{1,2})[-/.](?P<year2>\d{4}))\s*,?\s*" + _CLOCK
)
_DAY = re.compile(r"(?:(?P<word>昨天|前天)|(?<!\d)(?P<days>\d{1,5})\s*天前)(?:\s*" + _CLOCK + ")?")
_AGO = re.compile(r"(?P<number>(?<!\d)\d{1,5}|半)\s*(?P<unit>秒|分钟|分鐘|分|小时|小時)\s*前")
_NOW = re.compile(r"刚刚|剛剛|刚才|剛才")
_AFTERNOON = frozenset(("下午", "pm"))
_MORNING = frozenset(("上午", "am"))


class Moment(NamedTuple):
    """A printed time, read: `at` is aware, in the zone that was given.

    `exact_seconds` is False where no seconds were printed; `at` is then the beginning of the minute. `absolute` is True where
    date and time of day were printed: only such a time is the same at every look. `margin` is by how many seconds the true
    time may be earlier than `at`, 0 where the time of day was printed: 3 小时前 says three hours or nearly four.
    """

    at: datetime
    exact_seconds: bool
    absolute: bool
    margin: int = 0


def read_time(printed: str, *, seen_at: datetime, zone: ZoneInfo) -> Moment | None:
    """The moment that `printed` (a few words of text, tags removed) tells, in the viewer's `zone`; None where it tells none.

    Relative forms count back from `seen_at` (aware), and take the latest moment that they can mean. 昨天, 前天 and N 天前 are
    days of the zone, whatever the host's or the game's zone is: 昨天 21:59, seen at 00:03, is two hours and four minutes ago.
    """
    if found := _ABSOLUTE.search(printed):
        return _read_absolute(found, zone)
    now = seen_at.astimezone(zone)
    if found := _DAY.search(printed):
        back = {"昨天": 1, "前天": 2}.get(found["word"] or "") or int(found["days"])
        day = now.date() - timedelta(days=back)
        if found["hour"] is None:
            return Moment(datetime.combine(day, time(23, 59, 59), zone), exact_seconds=False, absolute=False, margin=86_399)
        clock = _read_clock(found)
        if clock is None:
            return None
        return Moment(datetime.combine(day, clock, zone), exact_seconds=found["second"] is not None, absolute=False)
    if found := _AGO.search(printed):
        unit = {"秒": 1, "分": 60}.get(found["unit"][0], 3600)
        number = found["number"]
        back, margin = (unit // 2, unit // 2) if number == "半" else (int(number) * unit, unit - 1)
        at = (now - timedelta(seconds=back)).replace(microsecond=0)
        return Moment(at, exact_seconds=unit == 1, absolute=False, margin=margin)
    if _NOW.search(printed):
        return Moment(now.replace(microsecond=0), exact_seconds=False, absolute=False, margin=59)
    return None


def _read_absolute(found: re.Match[str], zone: ZoneInfo) -> Moment | None:
    year, month, day, other_month, other_day, other_year, before, hour, minute, second, after = found.groups()
    try:
        at = datetime(
            int(year or other_year),
            int(month or other_month),
            int(day or other_day),
            _read_hour(hour, before or after),
            int(minute),
            int(second or 0),
            tzinfo=zone,
        )
    except ValueError:
        return None
    return Moment(at, exact_seconds=second is not None, absolute=True)


def _read_hour(hour: str, half: str | None) -> int:
    """The hour of a day of 24 hours; it may still be none."""
    number = int(hour)
    if half:
        half = half.lower()
        if half in _AFTERNOON and number < 12:
            return number + 12
        if half in _MORNING and number == 12:
            return 0
    return number


def _read_clock(found: re.Match[str]) -> time | None:
    try:
        hour = _read_hour(found["hour"], found["before"] or found["after"])
        return time(hour, int(found["minute"]), int(found["second"] or 0))
    except ValueError:
        return None
