"""Times as boards print them, each read by hand from the forms that Discuz! has."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from scraper.clock import read_time

SHANGHAI = ZoneInfo("Asia/Shanghai")
NOON = datetime(2026, 11, 30, 4, 0, 30, tzinfo=UTC)  # 12:00:30 in Shanghai, a Monday

ABSOLUTE = [
    ("发表于 2026-11-26 23:36:02", "2026-11-26 23:36:02", True),
    ("发表于 2026-11-26 23:36", "2026-11-26 23:36:00", False),
    ("2026-1-3 04:05", "2026-01-03 04:05:00", False),
    ("發表於 2026-11-26\xa023:36:02", "2026-11-26 23:36:02", True),
    ("2026/11/3 4:05:06", "2026-11-03 04:05:06", True),
    ("2026年11月3日 04:05", "2026-11-03 04:05:00", False),
    ("11-26-2026 23:36:02", "2026-11-26 23:36:02", True),
    ("4-3-2026 23:36", "2026-04-03 23:36:00", False),
    ("2026-11-26 05:51 PM", "2026-11-26 17:51:00", False),
    ("2026-11-26 05:51:07 pm", "2026-11-26 17:51:07", True),
    ("11-26-2026 12:05 AM", "2026-11-26 00:05:00", False),
    ("2026-11-26 12:05 PM", "2026-11-26 12:05:00", False),
    ("2026-11-26 下午 05:51", "2026-11-26 17:51:00", False),
    ("2026-11-26 上午12:05", "2026-11-26 00:05:00", False),
]


@pytest.mark.parametrize(("printed", "wanted", "seconds"), ABSOLUTE)
def test_an_absolute_time_is_read_in_the_viewers_zone(printed: str, wanted: str, seconds: bool) -> None:
    moment = read_time(printed, seen_at=NOON, zone=SHANGHAI)
    assert moment is not None
    assert moment.at == datetime.fromisoformat(wanted).replace(tzinfo=SHANGHAI)
    assert (moment.exact_seconds, moment.absolute, moment.margin) == (seconds, True, 0)


RELATIVE = [
    ("刚刚", "2026-11-30 12:00:30", 59),
    ("剛剛", "2026-11-30 12:00:30", 59),
    ("12\xa0秒前", "2026-11-30 12:00:18", 0),
    ("12 秒前", "2026-11-30 12:00:18", 0),
    ("5\xa0分钟前", "2026-11-30 11:55:30", 59),
    ("5 分鐘前", "2026-11-30 11:55:30", 59),
    ("半小时前", "2026-11-30 11:30:30", 1800),
    ("半小時前", "2026-11-30 11:30:30", 1800),
    ("3\xa0小时前", "2026-11-30 09:00:30", 3599),
    ("3 小時前", "2026-11-30 09:00:30", 3599),
    ("昨天\xa021:59", "2026-11-29 21:59:00", 0),
    ("昨天 09:59 PM", "2026-11-29 21:59:00", 0),
    ("發表於 昨天 21:59", "2026-11-29 21:59:00", 0),
    ("前天\xa000:23", "2026-11-28 00:23:00", 0),
    ("3\xa0天前", "2026-11-27 23:59:59", 86399),
    ("3\xa0天前\xa022:50", "2026-11-27 22:50:00", 0),
]


@pytest.mark.parametrize(("printed", "wanted", "margin"), RELATIVE)
def test_a_relative_time_is_the_latest_moment_that_it_can_mean(printed: str, wanted: str, margin: int) -> None:
    moment = read_time(printed, seen_at=NOON, zone=SHANGHAI)
    assert moment is not None
    assert moment.at == datetime.fromisoformat(wanted).replace(tzinfo=SHANGHAI)
    assert (moment.margin, moment.absolute) == (margin, False)
    assert moment.exact_seconds == ("秒" in printed)


def test_yesterday_is_yesterday_just_after_midnight() -> None:
    seen = datetime(2026, 11, 30, 0, 3, tzinfo=SHANGHAI)
    moment = read_time("昨天\xa021:59", seen_at=seen, zone=SHANGHAI)
    assert moment is not None
    assert moment.at == datetime(2026, 11, 29, 21, 59, tzinfo=SHANGHAI)


def test_yesterday_is_a_day_of_the_viewers_zone_not_of_the_hosts() -> None:
    seen = datetime(2026, 11, 29, 16, 3, tzinfo=UTC)  # the 29th in London, the 30th in Shanghai
    shanghai = read_time("昨天 21:59", seen_at=seen, zone=SHANGHAI)
    london = read_time("昨天 21:59", seen_at=seen, zone=ZoneInfo("Europe/London"))
    assert shanghai is not None
    assert london is not None
    assert shanghai.at == datetime(2026, 11, 29, 13, 59, tzinfo=UTC)
    assert london.at == datetime(2026, 11, 28, 21, 59, tzinfo=UTC)


@pytest.mark.parametrize(
    "printed",
    [
        "",
        "饺子",
        "26-11-2026 23:36",
        "2026-13-40 23:36",
        "2026-11-26 25:36",
        "2026-11-26",
        "12:30",
        "99999999999 天前",
        "9" * 30 + " 小时前",
    ],
)
def test_what_tells_no_time_is_not_guessed(printed: str) -> None:
    assert read_time(printed, seen_at=NOON, zone=SHANGHAI) is None
