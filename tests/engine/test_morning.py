"""`bansha morning`: whom a morning report must name, and what may not stand in it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.play.table import Player
from tests.engine.command import Ran, run
from tests.engine.tables import SEED, write_game
from tests.engine.test_announce import NUMBERED, VESTED

OPENED = [
    *("日1 甲 投票 6", "日1 导演 截票", "夜1 辛 吹笛 12", "夜1 甲 杀人 13", "夜1 乙 杀人 13", "夜1 丙 杀人 13", "夜1 导演 天亮"),
]


def check(folder: Path, text: str, *more: str, encoding: str = "utf-8") -> Ran:
    """The check of a text."""
    file = folder / "morning.txt"
    file.write_bytes(text.encode(encoding))
    return run("morning", str(folder), "--day", "2", "--check", str(file), *more)


def slips(folder: Path, text: str, *, encoding: str = "utf-8") -> list[tuple[object, ...]]:
    """What is found in a text: the code, the word, and its line and column where it stands in the text."""
    ran = check(folder, text, "--json", encoding=encoding)
    found = json.loads(ran.out)["findings"]
    assert ran.code == int(any(one["severity"] == "error" for one in found))
    named = [(one["code"], one["parameters"].get("who") or one["parameters"].get("word")) for one in found]
    places = [(one["line"], one["column"]) if "line" in one else () for one in found]
    return [(*name, *place) for name, place in zip(named, places, strict=True)]


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
    assert slips(folder, "昨夜很安静。") == [("E501", "寅"), ("E502", "丑")]
    assert slips(folder, "寅倒下了。") == [("E502", "丑")]
    assert slips(folder, "丑在唱。") == [("E501", "寅")]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("寅和丑：凶手是 3！", ("E511", "3", 1, 9)),
        ("寅和丑\n凶手是三号", ("E511", "三号", 2, 4)),
        ("寅和丑：凶手是１１", ("E511", "11", 1, 8)),
        (f"寅和丑：{SEED}", ("E516", None, 1, 5)),
        ("寅和丑：真人乙4 来了", ("E514", "真人乙4", 1, 5)),
        ("寅和丑：pw-4-zzz", ("E515", None, 1, 5)),
    ],
)
def test_a_secret_word_is_found_where_it_stands(folder: Path, text: str, found: tuple[object, ...]) -> None:
    assert found in slips(folder, text)


def test_what_is_public_or_no_number_is_none(folder: Path) -> None:
    """寅's number was published as it went out; a day's number is none, and identities are public in this system."""
    assert slips(folder, "第 3 天 2018 年：寅（13）不在了，丑在唱，狼人在笑。") == []


def test_a_word_of_the_games_course_is_worth_a_look_until_it_was_published(tmp_path: Path) -> None:
    """不能透露游戏流程相关信息: that 寅 fell by poison is nobody's affair; that 己 shot at the close of day 2 was published."""
    folder = write_game(tmp_path / "game", "secret-number", NUMBERED, OPENED)
    assert slips(folder, "寅喝了毒药，丑在唱，被吹笛的人笑") == [("E517", "毒药", 1, 4)]
    assert slips(folder, "寅和丑是情侣，村民阵营输了") == [("E517", "情侣", 1, 5), ("E517", "村民阵营", 1, 8)]
    assert slips(folder, "寅吃了最后一枪，丑在唱") == [("E517", "最后一枪", 1, 4)]
    shot = ["日2 甲 投票 6", "日2 导演 截票", "日2 己 最后一枪 11", "日2 己 殉职 12", "夜2 导演 天亮"]
    folder = write_game(tmp_path / "shot", "secret-number", NUMBERED, [*OPENED, *shot])
    file = folder / "morning.txt"
    file.write_text("己的最后一枪带走了子", encoding="utf-8")
    assert run("morning", str(folder), "--day", "3", "--check", str(file)).out == "晨报没有问题。\n"


def test_a_hidden_role_is_found_and_a_name_that_holds_it_is_not(tmp_path: Path) -> None:
    players = [Player("狼人小姐", "狼人"), *(Player(f"民{place}", "村民") for place in range(7)), Player("巫", "女巫")]
    folder = write_game(
        tmp_path / "game", "m29", players, ["日1 民1 投票 民2", "日1 导演 截票", "夜1 狼人小姐 杀人 民3", "夜1 导演 天亮"]
    )
    assert slips(folder, "民3 走了，狼人小姐在场") == []
    assert slips(folder, "民3 被狼人带走") == [("E513", "狼人", 1, 5)]


def test_a_vest_that_is_in_is_secret(tmp_path: Path) -> None:
    lines = ["日1 村民1 投票 蓝", "日1 导演 截票", "夜1 狼人1 杀人 紫", "夜1 狼人2 杀人 紫", "夜1 导演 天亮"]
    folder = write_game(tmp_path / "game", "vest", VESTED, lines)
    assert slips(folder, "紫不见了，蓝还是警长") == []
    assert slips(folder, "紫不见了，黄看见了") == [("E512", "黄", 1, 6)]


def test_a_secret_word_is_found_in_another_width_and_script_and_with_marks_between(tmp_path: Path) -> None:
    """寅 預言家 is 预言家 to every reader; the longer of two roles at one place is told, not both."""
    players = [Player("寅", "预言"), *(Player(f"民{place}", "村民") for place in range(7)), Player("狼", "狼人")]
    lines = ["日1 民1 投票 民2", "日1 导演 截票", "夜1 狼 杀人 民3", "夜1 导演 天亮"]
    folder = write_game(tmp_path / "game", "m29", players, lines, people=True)
    assert slips(folder, "民3 不见了，\n寅，預言家") == [("E513", "预言家", 2, 3)]
    assert slips(folder, "民3：狼\u200b 人") == [("E513", "狼人", 1, 4)]
    assert slips(folder, "民3：ＰＷ－1－zzz") == [("E515", None, 1, 4)]


def test_a_finding_has_the_shape_of_every_finding_and_neither_password_nor_seed_in_it(folder: Path) -> None:
    value = json.loads(check(folder, f"寅和丑\n凶手是 3，pw-4-zzz，{SEED}", "--json").out)
    assert value["day"] == 2
    assert (value["out"], value["chanted"], value["souls"]) == (["寅"], ["丑"], [])
    assert value["findings"][0] == {
        "code": "E511",
        "severity": "error",
        "parameters": {"line": "2", "column": "5", "word": "3"},
        "sentence": "晨报第 2 行第 5 字：没有公示的秘密数字 3",
        "line": 2,
        "column": 5,
    }
    assert [one["code"] for one in value["findings"]] == ["E511", "E515", "E516"]
    assert "pw-4" not in json.dumps(value["findings"])
    assert SEED not in json.dumps(value["findings"], ensure_ascii=False)
    missing = json.loads(check(folder, "丑在唱。", "--json").out)["findings"]
    assert missing == [
        {"code": "E501", "severity": "error", "parameters": {"who": "寅"}, "sentence": "晨报没有写到出局的寅", "seat": "寅"}
    ]


def test_a_terminal_names_code_and_severity_in_its_language(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = check(folder, "寅没了")
    assert (told.code, told.out) == (0, "[警告 E502] 晨报没有写到被吹笛的丑\n")
    monkeypatch.setenv("BANSHA_LANG", "en")
    told = check(folder, "丑在唱")
    assert (told.code, told.out) == (1, "[error E501] The morning report does not name 寅, who is out\n")


def test_without_a_ledger_that_runs_the_game_the_game_file_tells_who_is_out(tmp_path: Path) -> None:
    """秘密数字杀 publishes identities, so 狼人 is no secret; the number of 寅, whom game.toml has out, is none either."""
    folder = write_game(tmp_path / "game", "secret-number", NUMBERED, days=2)
    game = folder / "game.toml"
    game.write_text(game.read_text(encoding="utf-8") + 'out = ["寅"]\nchanted = ["丑"]\n', encoding="utf-8")
    assert slips(folder, "寅（13）被狼人带走了，丑在唱") == []
    assert slips(folder, "丑看见了 3") == [("E501", "寅"), ("E511", "3", 1, 6)]


def test_new_souls_are_the_cast_where_nobody_goes_out(tmp_path: Path) -> None:
    """断言: 每个游戏日白天开始时，都会公示前一天进入灵魂状态角色名单."""
    roles = ["村民"] * 4 + ["狼人"] * 4 + ["吸血鬼"] * 4 + ["吹笛者"] * 2
    players = [Player(name, role) for name, role in zip("甲乙丙丁戊己庚辛壬癸子丑寅卯", roles, strict=True)]
    lines = ["日1 戊 撕咬 甲", "日1 己 撕咬 甲", "日1 导演 截票", "夜1 导演 天亮"]
    folder = write_game(tmp_path / "game", "assertion", players, lines)
    text = json.loads(run("morning", str(folder), "--json").out)["text"]
    assert "甲：进入灵魂状态。" in text
    assert "没有人出局" not in text
    assert slips(folder, "昨夜无事") == [("E503", "甲")]
    assert slips(folder, "甲只剩影子") == []


def test_a_text_in_gbk_is_read_too(folder: Path) -> None:
    assert slips(folder, "寅和丑：凶手是 3！\r\n", encoding="gbk") == [("E511", "3", 1, 9)]


def test_the_first_day_has_a_report_too(tmp_path: Path) -> None:
    """夜0 goes straight to 夜1 where one line closes 日1."""
    lines = ["夜0 丘 金箭 甲 乙", "日1 导演 截票 无票=是"]
    players = [*(Player(name, "村民") for name in "甲乙丙丁"), Player("丘", "丘比特"), Player("狼", "狼人")]
    folder = write_game(tmp_path / "game", "m29", players, lines)
    assert "没有人出局" in json.loads(run("morning", str(folder), "--day", "1", "--json").out)["text"]
    assert run("morning", str(folder), "--day", "2").code == 2


def test_a_day_that_has_not_opened_has_no_report(folder: Path) -> None:
    ran = run("morning", str(folder), "--day", "7")
    assert (ran.code, ran.out) == (2, "")
