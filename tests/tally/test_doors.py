"""A day whose doors were moved: each post is judged by the opening and the close that were in force when it was made."""

from __future__ import annotations

import pytest

from tally.day import Day, Limits, Span
from tests.tally.make import DIRECTOR, Table, Wrote, at, ballot_text, count, make_day, result_of


def moved(announced: str, *, opens: str = "09:30", closes: str = "21:00", before: tuple[str, str] = ("09:30", "21:00")) -> Day:
    """A day of 09:30 to 21:00 until something else was announced."""
    return make_day(opens=at(opens), closes=at(closes), moved=(Limits(at(announced), at(before[0]), at(before[1])),))


def ended(clock: str, day: Day, *, change: bool = False, proxy: bool = False, seen: str = "23:00") -> str:
    """Where a vote, or a change of one from 10:00, ends."""
    first = (Wrote(ballot_text("豆沙")),) if change else ()
    links = (0,) if change and not proxy else ()
    text = ballot_text("包子", change=change)
    by, said = (DIRECTOR, f"代投：饺子\n{text}") if proxy else ("饺子", text)
    script = (*first, Wrote(said, by=by, clock=clock, quotes=links))
    return result_of(count(script, Table(day=day, seen_until=at(seen))), len(script) - 1)


LATER = moved("20:30", closes="22:00")
EARLIER = moved("18:00", closes="20:00")
REOPENED = moved("21:10", closes="22:00")
TOO_LATE = moved("20:30", closes="20:00")


@pytest.mark.parametrize(
    ("day", "clock", "result"),
    [
        (LATER, "21:30", "→包子"),
        (LATER, "22:00:00", "→包子"),
        (LATER, "22:00:01", "void after_close"),
        (EARLIER, "17:59:59", "→包子"),
        (EARLIER, "20:00:00", "→包子"),
        (EARLIER, "20:00:01", "void after_close"),
        (REOPENED, "21:00:00", "→包子"),
        (REOPENED, "21:05", "void after_close"),
        (REOPENED, "21:10", "→包子"),
        (TOO_LATE, "20:29:59", "→包子"),
        (TOO_LATE, "20:30:00", "void after_close"),
    ],
)
def test_the_close_that_was_in_force_decides(day: Day, clock: str, result: str) -> None:
    assert ended(clock, day) == result


@pytest.mark.parametrize(
    ("day", "clock", "result"),
    [
        # 关门前一小时: of 21:00 until 20:30, of 22:00 from then on.
        (LATER, "19:59:59", "→包子"),
        (LATER, "20:10", "void change_too_late"),
        (LATER, "20:30", "→包子"),
        (LATER, "20:59:59", "→包子"),
        (LATER, "21:00", "void change_too_late"),
        (EARLIER, "17:30", "→包子"),
        (EARLIER, "18:59:59", "→包子"),
        (EARLIER, "19:00", "void change_too_late"),
    ],
)
def test_the_last_hour_is_the_hour_before_the_close_that_was_in_force(day: Day, clock: str, result: str) -> None:
    assert ended(clock, day, change=True) == result
    assert ended(clock, day, change=True, proxy=True) == result.replace("change_too_late", "proxy_too_late")


@pytest.mark.parametrize(
    ("day", "clock", "result"),
    [
        (moved("08:00", opens="09:00"), "09:00", "→包子"),
        (moved("08:00", opens="09:00"), "08:59:59", "void before_open"),
        (moved("09:45", opens="10:00"), "09:35", "→包子"),
        (moved("09:45", opens="10:00"), "09:50", "void before_open"),
        (moved("09:45", opens="10:00"), "10:00", "→包子"),
    ],
)
def test_the_opening_that_was_in_force_decides(day: Day, clock: str, result: str) -> None:
    assert ended(clock, day) == result


def test_a_day_that_was_moved_twice_remembers_both() -> None:
    first, second = Limits(at("18:00"), at("09:30"), at("21:00")), Limits(at("21:30"), at("09:30"), at("22:00"))
    day = make_day(closes=at("23:00"), moved=(first, second))
    assert ended("22:30", day, seen="23:30") == "→包子"
    assert ended("20:30", day, change=True, seen="23:30") == "→包子"
    assert ended("21:15", day, change=True, seen="23:30") == "void change_too_late"
    assert ended("21:45", day, change=True, seen="23:30") == "→包子"


def test_a_day_is_over_when_no_post_can_be_in_any_more() -> None:
    assert [count((), Table(day=LATER, seen_until=at(clock))).final for clock in ("21:05", "22:00", "22:00:01")] == [
        False
    ] * 2 + [True]
    assert TOO_LATE.ends == at("20:29:59")
    assert count((), Table(day=TOO_LATE, seen_until=at("20:10"))).final is False
    assert count((), Table(day=TOO_LATE, seen_until=at("20:31"))).final is True
    assert make_day().ends == at("21:00")


def test_an_edit_that_nobody_saw_is_late_by_the_close_that_was_in_force() -> None:
    def edited(clock: str) -> str:
        script = (Wrote(ballot_text("包子"), mark=clock),)
        return result_of(count(script, Table(day=LATER, seen_until=at("23:00"))), 0)

    assert [edited(clock) for clock in ("19:58", "20:10", "20:40", "21:00")] == ["→包子", "needs_ruling", "→包子", "needs_ruling"]


def test_the_tally_bears_the_window_that_was_in_force_last() -> None:
    tally = count((), Table(day=LATER, seen_until=at("23:00")))
    assert (tally.opens, tally.closes, tally.as_of) == (at("09:30"), at("22:00"), at("22:00"))


def test_a_speed_up_at_the_close_is_one_at_the_close_that_was_in_force_last() -> None:
    day = make_day(closes=at("22:00"), moved=LATER.moved, speed_ups=(Span(at("18:00"), at("21:30")),))
    silent = count((), Table(day=day, seen_until=at("23:00")))
    assert silent.cards != ()
    held = make_day(closes=at("22:00"), moved=LATER.moved, speed_ups=(Span(at("18:00")),))
    assert count((), Table(day=held, seen_until=at("23:00"))).cards == ()
