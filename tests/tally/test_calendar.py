"""How long a day is, by hand from the rule posts and the calendar of June 2018 (the 2nd and 3rd are a weekend)."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest

from tally.calendar import DayLength, find_close, find_opening

SHANGHAI = ZoneInfo("Asia/Shanghai")
DAY = timedelta(days=1)
# 一般讨论日持续两天，每逢周末时讨论日延长一天 (M29). The 18th is a holiday.
TWO_DAYS = DayLength(days=2, closes_at=time(21), weekend_extra=DAY, holiday_extra=DAY, holidays=(date(2018, 6, 18),))
# 某一自然日09:30（可能会提前）~次日21:30 (马甲杀).
VEST = DayLength(days=2, opens_at=time(9, 30), closes_at=time(21, 30), holiday_extra=DAY, holidays=(date(2018, 6, 18),))


def at(day: int, hour: int, minute: int = 0) -> datetime:
    return datetime(2018, 6, day, hour, minute, tzinfo=SHANGHAI)


@pytest.mark.parametrize(
    ("opens", "closes"),
    [
        (4, 5),  # Monday, Tuesday
        (6, 7),
        (7, 8),  # Thursday, Friday: no weekend is touched
        (8, 10),  # Friday, Saturday and one more
        (9, 11),
        (3, 5),  # Sunday, Monday and one more
        (17, 19),  # a Sunday before a holiday: lengthened once, not twice
        (18, 20),  # a holiday, Tuesday and one more
        (19, 20),
        (16, 18),  # the holiday is the day gained, and gains nothing
    ],
)
def test_a_day_is_two_natural_days_and_one_more_where_it_touches_a_weekend_or_a_holiday(opens: int, closes: int) -> None:
    assert find_close(at(opens, 9, 30), TWO_DAYS) == at(closes, 21)


@pytest.mark.parametrize("hour", [0, 9, 23])
def test_the_hour_of_the_opening_does_not_move_the_close(hour: int) -> None:
    assert find_close(at(4, hour), TWO_DAYS) == at(5, 21)
    assert find_close(at(4, hour), VEST) == at(5, 21, 30)


@pytest.mark.parametrize(("opens", "closes"), [(4, 5), (8, 9), (9, 10), (17, 19), (18, 20)])
def test_a_vests_day_is_36_hours_on_weekends_too_and_longer_only_on_holidays(opens: int, closes: int) -> None:
    assert find_close(at(opens, 9, 30), VEST) == at(closes, 21, 30)
    if closes == opens + 1:
        assert at(closes, 21, 30) - at(opens, 9, 30) == timedelta(hours=36)


def test_hours_are_hours_and_still_lengthen_on_a_weekend() -> None:
    hours = DayLength(hours=timedelta(hours=36), weekend_extra=DAY)
    assert find_close(at(4, 8, 15), hours) == at(5, 20, 15)
    assert find_close(at(8, 9, 30), hours) == at(10, 21, 30)


def test_a_weekend_and_a_holiday_lengthen_by_the_longer_of_the_two() -> None:
    long = replace(TWO_DAYS, holiday_extra=2 * DAY)
    assert find_close(at(17, 9, 30), long) == at(20, 21)
    assert find_close(at(10, 9, 30), long) == at(12, 21)


def test_a_calendar_that_says_nothing_tells_nothing() -> None:
    assert find_close(at(4, 9), DayLength()) is None
    assert find_close(at(4, 9), DayLength(days=2)) is None
    assert find_opening(at(5, 21), TWO_DAYS) is None


def test_the_next_day_opens_on_the_next_morning() -> None:
    assert find_opening(at(5, 21, 30), VEST) == at(6, 9, 30)
