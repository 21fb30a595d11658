"""`bansha morning`: whom a morning report must name, and what may not stand in it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.play.table import Player
from tests.engine.command import run
from tests.engine.tables import SEED, write_game
from tests.engine.test_announce import NUMBERED, VESTED

OPENED = [
    *("日1 甲 投票 6", "日1 导演 截票", "夜1 辛 吹笛 12", "夜1 甲 杀人 13", "夜1 乙 杀人 13", "夜1 丙 杀人 13", "夜1 导演 天亮"),
]


def slips(folder: Path, text: str, *, encoding: str = "utf-8") -> list[tuple[str, str, int, int]]:
    """What is found in a text."""
    file = folder / "morning.txt"
    file.write_bytes(text.encode(encoding))
    ran = run("morning", str(folder), "--day", "2", "--check", str(file), "--json")
    found = [(one["kind"], one["word"], one["line"], one["column"]) for one in json.loads(ran.out)]
    errors = [one for one in json.loads(ran.out) if one["error"]]
    assert ran.code == int(bool(errors))
    return found


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_game(tmp_path / "game", "secret-number", NUMBERED, OPENED, people=True)


def test_a_skeleton_tells_what_the_opening_does_and_no_more(folder: Path) -> None:
    """寅 went out in the night, 丑 was chanted; who did it, and their numbers, are no matter of the report."""
    value = json.loads(run("morning", str(folder), "--json").out)
    assert (value["day"], value["out"], value["chanted"]) == (2, ["寅"], ["丑"])
    assert "出局玩家、被吹笛的玩家" in value["text"]
    assert not any(word in value["text"] for word in ("13", "12", "狼人", "己", SEED, "真人"))
    assert slips(folder, value["text"]) == []


def test_everybody_who_is_out_must_be_named_and_the_chanted_should(folder: Path) -> None:
    assert slips(folder, "昨夜很安静。") == [("out", "寅", 0, 0), ("chanted", "丑", 0, 0)]
    assert slips(folder, "寅倒下了。") == [("chanted", "丑", 0, 0)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("寅和丑：凶手是 3！", ("number", "3", 1, 9)),
        ("寅和丑\n凶手是三号", ("number", "三号", 2, 4)),
        ("寅和丑：凶手是１１", ("number", "11", 1, 8)),
        (f"寅和丑：{SEED}", ("seed", SEED, 1, 5)),
        ("寅和丑：真人乙4 来了", ("person", "真人乙4", 1, 5)),
        ("寅和丑：pw-4-zzz", ("password", "pw-4-zzz", 1, 5)),
    ],
)
def test_a_secret_word_is_found_where_it_stands(folder: Path, text: str, found: tuple[str, str, int, int]) -> None:
    assert found in slips(folder, text)


def test_what_is_public_or_no_number_is_none(folder: Path) -> None:
    """寅's number was published as it went out; a day's number is none, and identities are public in this system."""
    assert slips(folder, "第 3 天 2018 年：寅（13）不在了，丑在唱，狼人在笑。") == []


def test_a_hidden_role_is_found_and_a_name_that_holds_it_is_not(tmp_path: Path) -> None:
    players = [Player("狼人小姐", "狼人"), *(Player(f"民{place}", "村民") for place in range(7)), Player("巫", "女巫")]
    folder = write_game(
        tmp_path / "game", "m29", players, ["日1 民1 投票 民2", "日1 导演 截票", "夜1 狼人小姐 杀人 民3", "夜1 导演 天亮"]
    )
    assert slips(folder, "民3 走了，狼人小姐在场") == []
    assert slips(folder, "民3 被狼人带走") == [("role", "狼人", 1, 5)]


def test_a_vest_that_is_in_is_secret(tmp_path: Path) -> None:
    lines = ["日1 村民1 投票 蓝", "日1 导演 截票", "夜1 狼人1 杀人 紫", "夜1 狼人2 杀人 紫", "夜1 导演 天亮"]
    folder = write_game(tmp_path / "game", "vest", VESTED, lines)
    assert slips(folder, "紫不见了，蓝还是警长") == []
    assert slips(folder, "紫不见了，黄看见了") == [("vest", "黄", 1, 6)]


def test_a_text_in_gbk_is_read_too(folder: Path) -> None:
    assert slips(folder, "寅和丑：凶手是 3！\r\n", encoding="gbk") == [("number", "3", 1, 9)]


def test_a_day_that_has_not_opened_has_no_report(folder: Path) -> None:
    ran = run("morning", str(folder), "--day", "7")
    assert (ran.code, ran.out) == (2, "")
