"""How boards print times, and what changes by itself."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from tests.board.living import Drawn, print_moment, print_when, print_zone
from tests.board.script import Settings

NOW = datetime.fromisoformat("2018-06-03T00:30:00")
STOCK = Settings()


@pytest.mark.parametrize(
    ("moment", "printed"),
    [
        ("2018-06-03T00:30:00", '<span title="2018-6-3 00:30:00">刚刚</span>'),
        ("2018-06-03T00:29:55", '<span title="2018-6-3 00:29:55">5&nbsp;秒前</span>'),
        ("2018-06-03T00:28:59", '<span title="2018-6-3 00:28:59">1&nbsp;分钟前</span>'),
        ("2018-06-03T00:00:00", '<span title="2018-6-3 00:00:00">30&nbsp;分钟前</span>'),
        ("2018-06-02T23:59:59", '<span title="2018-6-2 23:59:59">昨天&nbsp;23:59</span>'),
        ("2018-06-02T00:00:00", '<span title="2018-6-2 00:00:00">昨天&nbsp;00:00</span>'),
        ("2018-06-01T05:06:07", '<span title="2018-6-1 05:06:07">前天&nbsp;05:06</span>'),
        ("2018-05-31T23:00:00", '<span title="2018-5-31 23:00:00">3&nbsp;天前</span>'),
        ("2018-05-27T23:00:00", '<span title="2018-5-27 23:00:00">7&nbsp;天前</span>'),
        ("2018-05-26T23:00:00", "2018-5-26 23:00:00"),
        ("2018-06-03T00:30:01", "2018-6-3 00:30:01"),
    ],
)
def test_a_time_is_relative_for_a_week(moment: str, printed: str) -> None:
    assert print_when(datetime.fromisoformat(moment), NOW, STOCK, seconds=True) == printed


@pytest.mark.parametrize(
    ("minutes", "printed"),
    [(29, "29&nbsp;分钟前"), (31, "半小时前"), (60, "半小时前"), (61, "1&nbsp;小时前"), (150, "2&nbsp;小时前")],
)
def test_within_a_day_half_an_hour_has_its_own_word(minutes: int, printed: str) -> None:
    noon = datetime.fromisoformat("2018-06-03T12:00:00")
    assert f">{printed}<" in print_when(noon - timedelta(minutes=minutes), noon, STOCK, seconds=True)


@pytest.mark.parametrize(
    ("settings", "printed"),
    [
        (Settings(relative=False), "2018-6-3 17:51"),
        (Settings(relative=False, dates="Y-m-d"), "2018-06-03 17:51"),
        (Settings(relative=False, dates="m-d-Y"), "06-03-2018 17:51"),
        (Settings(relative=False, half_days=True), "2018-6-3 05:51 PM"),
    ],
)
def test_the_administrator_sets_the_format(settings: Settings, printed: str) -> None:
    moment = datetime.fromisoformat("2018-06-03T17:51:07")
    assert print_when(moment, moment, settings, seconds=True) == printed
    assert print_moment(moment, settings) == printed


@pytest.mark.parametrize(
    ("clock", "printed"), [("00:05", "12:05 AM"), ("11:59", "11:59 AM"), ("12:00", "12:00 PM"), ("13:01", "01:01 PM")]
)
def test_a_clock_of_twelve_hours(clock: str, printed: str) -> None:
    moment = datetime.fromisoformat(f"2018-06-03T{clock}:00")
    assert print_moment(moment, Settings(half_days=True)) == f"2018-6-3 {printed}"


@pytest.mark.parametrize(("hours", "printed"), [(8, "GMT+8"), (5.5, "GMT+5.5"), (-3, "GMT-3"), (0, "GMT")])
def test_the_zone_is_printed_as_hours(hours: float, printed: str) -> None:
    assert print_zone(timedelta(hours=hours)) == printed


def test_one_answer_agrees_with_itself_and_the_next_differs() -> None:
    one, same, other = (Drawn(seed, NOW, STOCK) for seed in ("a", "a", "b"))
    assert one.credits(7) == one.credits(7)
    assert one.online(7) == one.online(7)
    assert one.formhash() == one.formhash() == same.formhash()
    assert one.formhash() != other.formhash()
    assert one.letters(5) != one.letters(5)
