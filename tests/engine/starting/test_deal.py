"""The deal follows from the seed, whatever the order of the file, and can be drawn again by hand."""

from __future__ import annotations

import hashlib
from collections import Counter

import pytest

from engine.rulesets import find_ruleset
from engine.starting.composition import Pack, compose
from engine.starting.deal import deal, read_identities
from engine.starting.people import Person
from scraper.errors import UsageError
from tests.engine.starting.games import TWELVE

M29, NUMBERS, VEST, TABLE = (find_ruleset(name) for name in ("m29", "secret-number", "vest", "table"))
FEW = Pack((("狼人", 1), ("预言", 1), ("村民", 2)), standard=False)


def draw(seed: str, what: str, items: list[str]) -> list[str]:
    """The draw as the letter of its description has it: the hash of seed and purpose picks one, then among what is left."""
    left, drawn = list(items), []
    while left:
        digest = hashlib.sha256(f"{seed}\n{what} {len(left)}".encode()).digest()
        drawn.append(left.pop(int.from_bytes(digest, "big") % len(left)))
    return drawn


def test_the_deal_can_be_drawn_again_by_hand() -> None:
    dealt = deal(M29, ["丁", "乙", "甲", "丙"], FEW, "种子")
    # U+4E01 丁, U+4E19 丙, U+4E59 乙, U+7532 甲
    assert [seat.name for seat in dealt.seats] == ["丁", "丙", "乙", "甲"]
    assert [seat.role for seat in dealt.seats] == draw("种子", "发牌 身份", ["狼人", "预言", "村民", "村民"])


def test_the_order_of_the_file_changes_nothing() -> None:
    composition = compose(M29, 12, {})
    assert deal(M29, TWELVE, composition, "s") == deal(M29, TWELVE[::-1], composition, "s")
    assert deal(M29, TWELVE, composition, "s") != deal(M29, TWELVE, composition, "t")


def test_every_card_is_dealt_once() -> None:
    composition = compose(M29, 12, {})
    for seed in map(str, range(20)):
        dealt = deal(M29, TWELVE, composition, seed)
        assert Counter(seat.role for seat in dealt.seats) == Counter(composition.cards)
        assert {seat.number for seat in dealt.seats} == {None}


def test_everybody_may_be_everything() -> None:
    roles = {
        (seat.name, seat.role) for number in range(200) for seat in deal(M29, ["甲", "乙", "丙", "丁"], FEW, f"{number}").seats
    }
    assert len(roles) == 4 * 3


def test_secret_numbers_are_one_to_the_number_of_seats() -> None:
    composition = compose(NUMBERS, 12, {"狼人": 3})
    dealt = deal(NUMBERS, TWELVE, composition, "s")
    assert sorted(seat.number or 0 for seat in dealt.seats) == list(range(1, 13))


def test_two_cards_that_are_no_thief_lie_on_the_table() -> None:
    composition = compose(TABLE, 15, {"村民": 5, "猎人": 1})
    names = [f"座{number}" for number in range(15)]
    for seed in map(str, range(30)):
        dealt = deal(TABLE, names, composition, seed)
        assert len(dealt.spare) == 2
        assert "盗贼" not in dealt.spare
        assert Counter([*(seat.role for seat in dealt.seats), *dealt.spare]) == Counter(composition.cards)


def test_people_are_drawn_for_the_characters() -> None:
    people = [Person(name) for name in ("赵", "钱", "孙", "李")]
    dealt = deal(M29, ["甲", "乙", "丙", "丁"], FEW, "s", people=people)
    assert sorted(seat.person.name for seat in dealt.seats if seat.person) == sorted(("赵", "钱", "孙", "李"))
    played = {
        (seat.name, seat.person.name)
        for n in range(100)
        for seat in deal(M29, "甲乙丙丁", FEW, f"{n}", people=people).seats
        if seat.person
    }
    assert len(played) == 16


def test_as_many_people_as_characters() -> None:
    with pytest.raises(UsageError, match="3 名玩家，4 个角色"):
        deal(M29, ["甲", "乙", "丙", "丁"], FEW, "s", people=[Person("赵"), Person("钱"), Person("孙")])


def test_an_identity_account_is_its_role_and_whoever_bought_it_gets_it() -> None:
    names = ["狼人1", "狼人2", "先知", "村民甲"]
    composition = Pack((("狼人", 2), ("村民", 1), ("先知", 1)), standard=False)
    people = [Person("赵", "青云", "先知"), Person("钱", "白露"), Person("孙", "红叶", "狼人"), Person("李", "黑土", "狼人")]
    dealt = deal(VEST, names, composition, "s", people=people, fixed=read_identities(VEST, names))
    seats = {seat.name: seat for seat in dealt.seats}
    assert {name: seat.role for name, seat in seats.items()} == {
        "狼人1": "狼人",
        "狼人2": "狼人",
        "先知": "先知",
        "村民甲": "村民",
    }
    assert (seats["先知"].vest, seats["村民甲"].vest) == ("青云", "白露")
    assert {seats["狼人1"].vest, seats["狼人2"].vest} == {"红叶", "黑土"}


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("狼人", "狼人"),
        ("狼人3", "狼人"),
        ("狼人A", "狼人"),
        ("3号狼人", "狼人"),
        ("狼人甲", "狼人"),
        ("狼人三", "狼人"),
        ("预言家", "先知"),
        ("狼人王", None),
        ("饺子", None),
    ],
)
def test_what_the_name_of_an_account_tells(name: str, role: str | None) -> None:
    assert read_identities(VEST, [name]).get(name) == role
