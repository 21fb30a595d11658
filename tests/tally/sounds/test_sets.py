"""The sets of sounds are those of the rule posts, by count and by code point; a home-made one is checked."""

from __future__ import annotations

import pytest

from tally.sounds.sets import ASSERTION, M29, SECRET_NUMBER, TABLE, VEST, Punctuation, Slip, find_slip

# Word for word as the rule posts print them, separators and all.
PRINTED = {
    "secret-number": (
        SECRET_NUMBER,
        "喵、汪、吱、嘎、哞、咩、喳、嘤、啾、叽、唧、咯、咕、嘶、呱、吼、嗷、呜、哒、咪、哼、啊、哈、呲、噜",
        25,
    ),
    "vest": (VEST, "啊、嗷、嘎、咕、呱、哼、咴、叽、啾、喵、咩、哞、喔、汪、喳、吱", 16),
    "m29": (M29, "哼、唧、平、胸、小、老、奶、姨、泡、炮、嘶", 11),
}
POINTS = {
    "secret-number": "喵U+55B5 汪U+6C6A 吱U+5431 嘎U+560E 哞U+54DE 咩U+54A9 喳U+55B3 嘤U+5624 啾U+557E "
    "叽U+53FD 唧U+5527 咯U+54AF 咕U+5495 "
    "嘶U+5636 呱U+5471 吼U+543C 嗷U+55F7 呜U+545C 哒U+54D2 咪U+54AA 哼U+54FC 啊U+554A 哈U+54C8 呲U+5472 噜U+565C",
    "vest": "啊U+554A 嗷U+55F7 嘎U+560E 咕U+5495 呱U+5471 哼U+54FC 咴U+54B4 叽U+53FD 啾U+557E 喵U+55B5 "
    "咩U+54A9 哞U+54DE 喔U+5594 汪U+6C6A 喳U+55B3 吱U+5431",
    "m29": "哼U+54FC 唧U+5527 平U+5E73 胸U+80F8 小U+5C0F 老U+8001 奶U+5976 姨U+59E8 泡U+6CE1 炮U+70AE 嘶U+5636",
}


@pytest.mark.parametrize("system", PRINTED)
def test_a_set_is_the_printed_list(system: str) -> None:
    rules, printed, count = PRINTED[system]
    assert rules.order == printed.replace("、", "")
    assert len(rules.chars) == len(rules.order) == count
    assert rules.chars == set(rules.order)


@pytest.mark.parametrize("system", POINTS)
def test_a_set_has_exactly_the_listed_code_points(system: str) -> None:
    listed = [(entry[0], entry[1:]) for entry in POINTS[system].split()]
    assert {f"U+{ord(char):04X}" for char in PRINTED[system][0].chars} == {point for _, point in listed}
    assert all(f"U+{ord(char):04X}" == point for char, point in listed)


def test_the_three_sets_differ() -> None:
    assert VEST.chars - SECRET_NUMBER.chars == {"咴", "喔"}
    assert M29.chars & SECRET_NUMBER.chars == {"哼", "唧", "嘶"}
    assert "唧" in M29.chars
    assert "叽" not in M29.chars
    assert "叽" in VEST.chars
    assert "唧" not in VEST.chars


def test_every_system_allows_smilies_and_exempts_the_ballots_target() -> None:
    for rules in (SECRET_NUMBER, VEST, M29, TABLE):
        assert rules.smilies
        assert rules.whitespace
        assert rules.exempt == ("投票对象", "改票对象")
        assert rules.punctuation is Punctuation.BREACH


def test_face_to_face_has_no_sounds_and_the_assertion_game_is_not_checked() -> None:
    assert TABLE.chars == frozenset()
    assert TABLE.checked
    assert not ASSERTION.checked


@pytest.mark.parametrize(
    ("chars", "position", "slip"),
    [
        ("喵汪喵", 3, Slip.TWICE),
        ("喵、汪", 2, Slip.SEPARATOR),
        ("喵 汪", 2, Slip.WHITE),
        ("喵\u3000汪", 2, Slip.WHITE),
        ("喵\u200b", 2, Slip.INVISIBLE),
        ("e\u0301", 2, Slip.INVISIBLE),
        ("喵\ue000", 2, Slip.INVISIBLE),
    ],
)
def test_a_slip_in_a_home_made_set_is_found_at_its_place(chars: str, position: int, slip: Slip) -> None:
    assert find_slip(chars) == (position, slip)


def test_a_home_made_set_may_hold_marks_and_letters_and_twins() -> None:
    assert find_slip("喵汪~!aA叽唧") is None
