"""Numbers are whole tokens: however they are written, and never part of a longer one."""

from __future__ import annotations

import pytest

from tally.names import How, index_targets
from tally.numbers import find_numbers, read_number
from tally.policy import TargetKind
from tally.roster import Roster, Seat, Target

NUMBERS = index_targets(Roster((), (), tuple(Target(str(number)) for number in range(1, 13))), TargetKind.NUMBER)
TABLE = index_targets(Roster(tuple(Seat(name, ()) for name in ("甲", "乙", "3号", "丁")), ()), TargetKind.SEAT)


@pytest.mark.parametrize(
    ("written", "number"),
    [
        ("7", 7), ("７", 7), ("七", 7), ("7号", 7), ("７号", 7), ("7號", 7), ("七号", 7), ("#7", 7), ("＃7", 7), ("No.7", 7),
        ("no7", 7), ("NO.7号", 7), ("10", 10), ("十", 10), ("十二", 12), ("二十", 20), ("二十一号", 21), ("九十九", 99),
        ("1\u200b0", 10), (" 7 ", 7), ("7 号", 7), ("100", 100),
    ],
)  # fmt: skip
def test_a_number_in_its_spellings(written: str, number: int) -> None:
    assert read_number(written) == number


@pytest.mark.parametrize(
    "written",
    [
        "", "0", "07", "7楼", "第7", "1 0", "１　０", "十 二", "1\u200b \u200b0", "7.5", "7,8", "-7", "+7", "①", "⑦", "Ⅶ",
        "7号8号", "一十二三", "两", "壹", "7号玩家", "七七", "十十", "零", "1٠", "٧", "७", "7\u20e3",
    ],
)  # fmt: skip
def test_what_is_no_number(written: str) -> None:
    assert read_number(written) is None


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("3号或7号", (3, 7)), ("3、7", (3, 7)), ("7楼", (7,)), ("10号", (10,)), ("1 2", (1, 2)), ("七号八号", (7, 8)),
        ("我投7号，不投7号", (7,)), ("没有", ()), ("1.5", ()), ("七上八下", ()), ("第12位", (12,)), ("07", ()),
        ("2018年", (2018,)),
    ],
)  # fmt: skip
def test_the_numbers_that_stand_in_a_text(text: str, numbers: tuple[int, ...]) -> None:
    assert find_numbers(text) == numbers


@pytest.mark.parametrize("written", ["7", "７", "七", "7号", "#7", "No.7"])
def test_a_vote_for_a_number(written: str) -> None:
    found = NUMBERS.find(written)
    assert found is not None
    assert (found.seat, found.how) == ("7", How.EXACT if written == "7" else How.NUMBER)


def test_a_number_that_nobody_has_is_no_match_and_a_near_one_is_a_hint() -> None:
    assert NUMBERS.find("13") is None
    assert NUMBERS.miss("13").candidates == NUMBERS.miss("13").hints == ()
    assert NUMBERS.miss("7楼").hints == ("7",)
    assert NUMBERS.miss("3或7").candidates == ("3", "7")
    assert NUMBERS.miss("1 2").candidates == ("1", "2")


@pytest.mark.parametrize(
    ("written", "seat", "candidates"),
    [
        ("1号", "甲", ()), ("二", "乙", ()), ("甲", "甲", ()), ("4", "丁", ()), ("5号", None, ()),
        # The third seat is called 3号 too: one reading.
        ("3号", "3号", ()), ("3", "3号", ()),
    ],
)  # fmt: skip
def test_a_place_at_the_table(written: str, seat: str | None, candidates: tuple[str, ...]) -> None:
    found = TABLE.find(written)
    assert (found.seat if found else None, found.candidates if found else ()) == (seat, candidates)


def test_a_seat_called_by_another_place_is_ambiguous() -> None:
    names = index_targets(Roster(tuple(Seat(name, ()) for name in ("2号", "乙")), ()), TargetKind.SEAT)
    for written in ("2号", "２号", "2", "二"):
        found = names.find(written)
        assert found is not None
        assert (found.seat, set(found.candidates)) == (None, {"2号", "乙"})


def test_chat_with_numbers_does_not_look_like_a_vote_and_a_vote_for_a_number_does() -> None:
    assert NUMBERS.looks_voted("投7号一票")
    assert NUMBERS.looks_voted("投#7")
    assert not NUMBERS.looks_voted("昨天投了3个人")
    assert not NUMBERS.looks_voted("投票 21:00 截止")
