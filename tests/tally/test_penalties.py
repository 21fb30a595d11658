"""Cards that were given: which proposal a line confirms, what is carried over days, and what sends off."""

from __future__ import annotations

import pytest

from tally.penalties import Mark, Penalty, count_after, find_records, settle_cards
from tally.policy import CardPolicy
from tally.result import Card

CARDS, POINTS = CardPolicy(), CardPolicy(points={"未投票": 3, "发言不足": 5}, sent_off_at=12)
MISSED, QUIET = Card("甲", "yellow", "未投票"), Card("甲", "yellow", "发言不足")


def yellow(line: int, day: int = 2, reason: str = "", seat: str = "甲") -> Mark:
    return Mark(Penalty.YELLOW, seat, day, line, reason=reason)


def lost(line: int, points: int, day: int = 2, reason: str = "") -> Mark:
    return Mark(Penalty.POINTS, "甲", day, line, points, reason)


def confirmed(*marks: Mark, day: int = 2) -> dict[str, int | None]:
    """The line of each proposal."""
    cards, _ = settle_cards((MISSED, QUIET), marks, day, CARDS)
    return {card.reason: card.confirmed for card in cards if card.card == "yellow"}


@pytest.mark.parametrize(
    ("marks", "lines"),
    [
        ((), (None, None)),
        ((yellow(4, reason="未投票"),), (4, None)),
        ((yellow(4, reason="发言不足，只有一帖"),), (None, 4)),
        ((yellow(4),), (4, None)),
        ((yellow(4), yellow(5)), (4, 5)),
        ((yellow(4), yellow(5, reason="未投票")), (5, 4)),
        ((yellow(4, reason="辱骂"),), (None, None)),
        ((yellow(4, day=1, reason="未投票"),), (None, None)),
        ((yellow(4, day=3, reason="未投票"),), (None, None)),
        ((yellow(4, seat="乙"),), (None, None)),
        ((Mark(Penalty.RED, "甲", 2, 4, reason="未投票"),), (None, None)),
    ],
)
def test_a_line_confirms_the_proposal_that_its_remark_names_else_the_first(
    marks: tuple[Mark, ...], lines: tuple[int | None, int | None]
) -> None:
    assert tuple(confirmed(*marks).values()) == lines


def test_an_offence_that_nothing_proposes_is_a_finding_and_another_reason_is_the_directors_own() -> None:
    def codes(*marks: Mark) -> list[str]:
        return [finding.code for finding in settle_cards((QUIET,), marks, 2, CARDS)[1]]

    assert codes(yellow(4, reason="未投票")) == ["D106"]
    assert codes(yellow(4, reason="发言不足")) == []
    assert codes(yellow(4, reason="发言不足"), yellow(5, reason="发言不足")) == ["D106"]
    assert codes(yellow(4, reason="辱骂"), yellow(5, day=3, reason="未投票")) == []


def brought(policy: CardPolicy, *marks: Mark, day: int = 2) -> list[tuple[str, str, tuple[int, ...], int | None]]:
    """What sends off on a day."""
    cards, _ = settle_cards((), marks, day, policy)
    return [(card.card, card.reason, card.lines, card.confirmed) for card in cards]


def test_the_second_yellow_card_is_a_red_one_on_its_day_whatever_the_day_of_the_first() -> None:
    marks = (yellow(4, day=2), yellow(9, day=3), yellow(12, day=4))
    assert brought(CARDS, *marks, day=2) == []
    assert brought(CARDS, *marks, day=3) == [("red", "累计 2 张黄牌", (4, 9), 9)]
    assert brought(CARDS, *marks, day=4) == []
    assert brought(CardPolicy(yellow_to_red=3), *marks, day=4) == [("red", "累计 3 张黄牌", (4, 9, 12), 12)]
    assert brought(CARDS, yellow(4), yellow(9, seat="乙")) == []


def test_a_red_card_by_its_own_line_needs_no_yellow_one() -> None:
    red = Mark(Penalty.RED, "甲", 2, 7, reason="辱骂")
    assert brought(CARDS, red) == [("red", "辱骂", (7,), 7)]
    assert brought(CARDS, yellow(4), yellow(5), red) == [("red", "辱骂", (7,), 7)]
    assert brought(CARDS, red, day=3) == []


@pytest.mark.parametrize(("points", "off"), [((5, 6), False), ((5, 7), True), ((12,), True), ((5, 5, 5), True)])
def test_twelve_points_send_off(points: tuple[int, ...], off: bool) -> None:
    marks = [lost(line, number) for line, number in enumerate(points, 4)]
    found = brought(POINTS, *marks)
    assert bool(found) == off
    if off:
        ((card, reason, lines, line),) = found
        assert (card, reason) == ("off", f"累计扣 {sum(points)} 分")
        assert (lines, line) == (tuple(range(4, 4 + len(points))), 3 + len(points))


def test_points_are_carried_over_days_and_cards_do_not_count_where_points_do() -> None:
    marks = (lost(4, 5, day=1), lost(9, 7, day=3), yellow(10, day=3), yellow(11, day=3))
    assert brought(POINTS, *marks, day=1) == []
    assert brought(POINTS, *marks, day=3) == [("off", "累计扣 12 分", (4, 9), 9)]


def test_a_record_is_what_was_given_up_to_a_day() -> None:
    marks = (yellow(4, day=2), yellow(9, day=3), lost(10, 3, day=3), yellow(11, day=2, seat="乙"))
    first, second = find_records(marks, 2)
    assert (first.seat, [mark.line for mark in first.yellows], first.points, first.off) == ("甲", [4], 0, None)
    assert second.seat == "乙"
    (record, _) = find_records(marks, 3)
    assert ([mark.line for mark in record.yellows], record.points) == ([4, 9], 3)


def test_what_a_proposal_would_bring_is_told_before_it_is_confirmed() -> None:
    records = find_records((yellow(4), lost(5, 6)), 2)
    assert count_after(Card("甲", "yellow", "未投票"), records) == (2, 6)
    assert count_after(Card("甲", "points", "未投票", points=5), records) == (1, 11)
    assert count_after(Card("甲", "yellow", "未投票", confirmed=4), records) == (1, 6)
    assert count_after(Card("乙", "yellow", "未投票"), records) == (1, 0)
