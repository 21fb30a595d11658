"""Names match whole: exactly, by alias, or folded. Nearness only ever hints."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tally.names import How, Names, direction_marks, fold, index_names, invisible_marks
from tests.tally.make import DECK, make_roster

NAMES = index_names(make_roster())


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("ＡＢＣ", "abc"),
        ("１０号", "10号"),
        ("包　子", "包子"),
        ("包\u00a0子", "包子"),
        ("包\u200b\ufeff子", "包子"),
        ("Napole\u0301on", "napol\u00e9on"),
        ("ﾊﾞﾝｼｬ", "バンシャ"),
        ("青嵐", "青岚"),
        ("棄權", "弃权"),
        ("K先生", "k先生"),
        ("🐱\ufe0f喵", "🐱喵"),
    ],
)
def test_what_only_looks_different_folds_together(written: str, name: str) -> None:
    assert fold(written) == fold(name)


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("①号", "1号"),
        ("一号", "1号"),
        ("К先生", "K先生"),
        ("Napoleon", "Napol\u00e9on"),
        ("包\u202e子", "包子"),
        ("\u200e包子", "包子"),
        ("包孑", "包子"),
    ],
)
def test_what_is_another_character_does_not_fold(written: str, name: str) -> None:
    assert fold(written) != fold(name)


def test_every_name_of_the_deck_names_itself() -> None:
    for name in DECK:
        match = NAMES.find(name)
        assert match is not None
        assert (match.seat, match.how) == (name, How.EXACT)


def test_the_abstention_is_no_seat() -> None:
    for written in ("弃权", "弃 权", "棄權"):
        match = NAMES.find(written)
        assert match is not None
        assert (match.seat, match.how) == (None, How.ABSTAIN)


def test_an_alias_names_its_seat_and_a_shared_alias_names_two() -> None:
    names = Names(["饺子", "包子"], [("饺", "饺子"), ("胖子", "饺子"), ("胖子", "包子")])
    alias, shared = names.find("饺"), names.find("胖子")
    assert alias is not None
    assert (alias.seat, alias.how) == ("饺子", How.ALIAS)
    assert shared is not None
    assert (shared.seat, shared.candidates) == (None, ("饺子", "包子"))


def test_of_two_names_that_fold_together_the_exact_one_is_told_and_any_other_spelling_is_ambiguous() -> None:
    names = Names(["青岚", "青嵐"], [])
    exact, spaced = names.find("青嵐"), names.find("青\u200b 嵐")
    assert exact is not None
    assert exact.seat == "青嵐"
    assert spaced is not None
    assert spaced.seat == "青嵐"
    case = Names(["Ann", "ann"], []).find("ANN")
    assert case is not None
    assert case.candidates == ("Ann", "ann")


def test_a_ruling_gives_a_word_a_seat_before_anything_else() -> None:
    names = Names(["饺子", "包子"], [], [("小胖", "包子"), ("饺子", "包子"), ("过", "弃权")])
    found = [names.find(word) for word in ("小 胖", "饺子", "过")]
    assert [(match.seat, match.how) for match in found if match is not None] == [
        ("包子", How.RULED),
        ("包子", How.RULED),
        (None, How.ABSTAIN),
    ]


@pytest.mark.parametrize("written", ["夜行", "夜", "1", "包子豆沙", "包子或豆沙"])
def test_a_value_that_may_mean_two_names_is_ambiguous(written: str) -> None:
    assert NAMES.find(written) is None
    assert len(NAMES.miss(written).candidates) == 2


@pytest.mark.parametrize(
    ("written", "hints"),
    [("包籽", ("包子",)), ("；包子", ("包子",)), ("再看看", ()), ("K", ("K先生",)), ("11号", ("1号", "10号"))],
)
def test_a_near_miss_is_a_hint_and_never_a_seat(written: str, hints: tuple[str, ...]) -> None:
    match = NAMES.miss(written)
    assert match.seat is None
    assert match.candidates == ()
    assert match.hints[: len(hints)] == hints
    assert bool(match.hints) == bool(hints)


def test_of_names_inside_names_only_the_longer_is_found() -> None:
    names = Names(["夜行", "夜行猫", "猫"], [])
    assert names.inside("我投夜行猫") == ("夜行猫",)
    assert names.inside("猫和夜行") == ("猫", "夜行")


def test_marks_are_told_by_code_point() -> None:
    assert invisible_marks("包\u200b子\ufeff\u200b") == "U+200B U+FEFF"
    assert direction_marks("\u202e包子") == "U+202E"
    assert invisible_marks("包子") == direction_marks("包子") == ""


def test_a_name_that_is_written_exactly_needs_no_conversion_of_characters() -> None:
    """The conversion's library is only loaded where a value matches nothing cheaper."""
    lines = (
        "import sys",
        "from tally.names import Names",
        "names = Names(['青岚'], [])",
        "assert names.find('青岚') and names.find('青 岚')",
        "assert 'opencc' not in sys.modules",
        "assert names.find('青嵐')",
        "assert 'opencc' in sys.modules",
    )
    subprocess.run([sys.executable, "-c", "\n".join(lines)], check=True)
