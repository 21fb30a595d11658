"""[speech] of game.toml: what it replaces, and what is wrong with it."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from engine.game import Game, load_game
from scraper.errors import GameFileError
from tally.sounds.code import Measures
from tally.sounds.sets import M29, Punctuation

GAME = """[game]
ruleset = "m29"
[[player]]
name = "包子"
[[day]]
number = 2
opens = 2018-06-03T09:30:00
closes = 2018-06-05T21:00:00
vote = 1235
"""
LINE = GAME.count("\n") + 2


def load(folder: Path, speech: str) -> Game:
    path = folder / "game.toml"
    path.write_text(f"{GAME}[speech]\n{speech}\n", encoding="utf-8")
    return load_game(path)


def test_without_the_table_the_rule_systems_own_sounds_hold(tmp_path: Path) -> None:
    path = tmp_path / "game.toml"
    path.write_text(GAME, encoding="utf-8")
    speech = load_game(path).speech
    assert (speech.rules, speech.measures) == (M29, Measures())


def test_a_set_replaces_the_systems_own_and_its_sentence(tmp_path: Path) -> None:
    rules = load(tmp_path, 'chars = "喵汪~"').speech.rules
    assert rules == replace(M29, chars=frozenset("喵汪~"), order="喵汪~", clause=None)


def test_each_other_key_replaces_one_thing_and_leaves_the_set(tmp_path: Path) -> None:
    for speech, expected in {
        "smilies = false": replace(M29, smilies=False),
        "whitespace = false": replace(M29, whitespace=False),
        'punctuation = "warning"': replace(M29, punctuation=Punctuation.WARNING),
        'punctuation = "ignore"': replace(M29, punctuation=Punctuation.IGNORE),
        'exempt = ["提名"]': replace(M29, exempt=("提名",)),
        'exempt = [" 提名 "]': replace(M29, exempt=("提名",)),
        "exempt = []": replace(M29, exempt=()),
    }.items():
        assert load(tmp_path, speech).speech.rules == expected


def test_a_threshold_is_set_by_the_name_of_its_measure(tmp_path: Path) -> None:
    measures = load(tmp_path, "[speech.thresholds]\nstyle_changes = 6\nhorizon = 200").speech.measures
    assert measures == replace(Measures(), style_changes=6, horizon=200)
    assert load(tmp_path, "thresholds = { smilies = 20 }").speech.measures == replace(Measures(), smilies=20)


@pytest.mark.parametrize(
    ("speech", "line", "key", "shown"),
    [
        ('chars = ""', LINE, "speech.chars", "是空的"),
        ('chars = "喵汪喵"', LINE, "speech.chars", "第 3 个字 喵（U+55B5）：写了两次"),
        ('chars = "喵、汪"', LINE, "speech.chars", "第 2 个字 、（U+3001）：是分隔号"),
        ('smilies = true\nchars = "喵 汪"', LINE + 1, "speech.chars", "第 2 个字 U+0020：是空白"),
        ('chars = "喵\\u200B"', LINE, "speech.chars", "ZERO WIDTH SPACE"),
        ('chars = "e\\u0301"', LINE, "speech.chars", "U+0301"),
        ("chars = 5", LINE, "speech.chars", "文字"),
        ('smilies = "yes"', LINE, "speech.smilies", "true 或 false"),
        ('whitespace = "no"', LINE, "speech.whitespace", "true 或 false"),
        ('punctuation = "allow"', LINE, "speech.punctuation", "breach、warning、ignore"),
        ('exempt = ["投票对象", " "]', LINE, "speech.exempt", "有一个标签是空的"),
        ('exempt = ["提名", " 提名"]', LINE, "speech.exempt", "写了两次"),
        ("exempt = [3]", LINE, "speech.exempt", "一列文字"),
        ('chars = ["喵", "汪"]', LINE, "speech.chars", 'chars = "喵汪"'),
        ('exempt = ["提名", "提名"]', LINE, "speech.exempt", "写了两次"),
        ('char = "喵"', LINE, "speech.char", "chars"),
        ("[speech.thresholds]\nsmileys = 9", LINE + 1, "speech.thresholds.smileys", "smilies"),
        ("[speech.thresholds]\nsmilies = 0", LINE + 1, "speech.thresholds.smilies", "最小是 1"),
        ('[speech.thresholds]\nsmilies = "9"', LINE + 1, "speech.thresholds.smilies", "整数"),
        ("thresholds = 3", LINE, "speech.thresholds", "表"),
    ],
)
def test_a_mistake_is_an_error_with_file_line_key_and_fix(tmp_path: Path, speech: str, line: int, key: str, shown: str) -> None:
    with pytest.raises(GameFileError) as caught:
        load(tmp_path, speech)
    text = str(caught.value)
    assert text.startswith(f"{tmp_path / 'game.toml'}:{line}: {key}: ")
    assert shown in text
    assert "。改法：" in text


# -- when the piper is out


def load_day(folder: Path, fact: str) -> Game:
    path = folder / "game.toml"
    path.write_text(f"{GAME}{fact}\n", encoding="utf-8")
    return load_game(path)


@pytest.mark.parametrize(
    ("fact", "moment"),
    [
        ("", None),
        ("piper_out = false", None),
        ("piper_out = true", "2018-06-03T09:30:00+08:00"),
        ("piper_out = 2018-06-04T15:00:00", "2018-06-04T15:00:00+08:00"),
        ("piper_out = 2018-06-05T21:10:00", "2018-06-05T21:10:00+08:00"),
        ("piper_out = 2018-06-05T13:10:00Z", "2018-06-05T21:10:00+08:00"),
    ],
)
def test_the_day_tells_when_the_piper_was_published_as_out(tmp_path: Path, fact: str, moment: str | None) -> None:
    found = load_day(tmp_path, fact).piper_out
    assert found == (datetime.fromisoformat(moment) if moment else None)


@pytest.mark.parametrize(
    ("fact", "shown"),
    [
        ("piper_out = 2018-06-03T09:29:59", "piper_out = true"),
        ('piper_out = "15:00"', "不是日期时间"),
        ("piper_out = 1", "不是日期时间"),
        (
            "piper_out = true\n[[day]]\nnumber = 3\nopens = 2018-06-06T09:30:00\n"
            "closes = 2018-06-07T21:00:00\nvote = 1236\npiper_out = true",
            "写了两次",
        ),
    ],
)
def test_a_moment_that_cannot_be_is_an_error(tmp_path: Path, fact: str, shown: str) -> None:
    with pytest.raises(GameFileError, match=r"day\.piper_out: ") as caught:
        load_day(tmp_path, fact)
    assert shown in str(caught.value)
