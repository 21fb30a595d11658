"""`bansha announce`: what is published when, in which thread, and how much of it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from engine.announcing.places import PLACES
from engine.play.table import Player
from tests.engine.command import Ran, run
from tests.engine.tables import SEED, write_game

ROOT = Path(__file__).parents[2]
WHOLE = ROOT / "fixtures" / "m29" / "whole_game"
SEEDS = ROOT.parent / "shared" / "seeds"

NUMBERED = [
    Player(name, role, number)
    for number, (name, role) in enumerate(
        [
            *(("甲", "狼人"), ("乙", "狼人"), ("丙", "狼人"), ("丁", "女巫"), ("戊", "预言家"), ("己", "猎人"), ("庚", "白痴")),
            *(("辛", "吹笛者"), ("壬", "守卫"), ("癸", "村民"), ("子", "村民"), ("丑", "村民"), ("寅", "村民")),
        ],
        21 - 20,
    )
]
VESTED = [
    Player(name, role, None, vest=vest)
    for name, role, vest in [
        *(("狼人1", "狼人", "红"), ("狼人2", "狼人", "橙"), ("先知", "先知", "黄"), ("女巫", "女巫", "绿")),
        *(("猎人", "猎人", "青"), ("村民1", "村民", "蓝"), ("村民2", "村民", "紫"), ("村民3", "村民", "白")),
    ]
]


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The recorded whole game, with its threads in a database."""
    folder = Path(shutil.copytree(WHOLE, tmp_path_factory.mktemp("announce") / "game"))
    assert run("replay", str(folder), "--db", str(folder / "game.db")).code == 0
    return folder


def announce(folder: Path, moment: str, *more: str) -> Ran:
    """An announcement as it is printed."""
    return run("announce", str(folder), "--moment", moment, *more)


def body(folder: Path, moment: str, *more: str) -> list[str]:
    """The lines of an announcement that is final."""
    ran = announce(folder, moment, *more)
    assert ran.code == 0, ran.err
    return ran.out.splitlines()


def test_a_start_names_the_players_and_no_role_where_roles_are_hidden(recorded: Path) -> None:
    lines = body(recorded, "start")
    assert "玩家 12 人：饺子、包子、豆沙、汤圆、夜行猫、夜行者、K先生、青岚、老王、1号、10号、麻花" in lines
    assert not any(role in "\n".join(lines) for role in ("狼人", "女巫", "替罪羊", "丘比特", "村民", "whole game"))


def test_a_start_publishes_identities_and_commitment_where_the_rules_do(tmp_path: Path) -> None:
    """游戏开始前，导演公示身份与角色对应关系。"""
    lines = body(write_game(tmp_path / "game", "secret-number", NUMBERED), "start")
    assert [line for line in lines if line[:2] in ("甲：", "丁：", "癸：")] == ["甲：狼人", "丁：女巫", "癸：村民"]
    assert any(line.replace("[b][/b]", "").startswith("sha256:") for line in lines)
    assert SEED not in "\n".join(lines)


def test_an_opening_tells_outs_in_order_the_sheriff_and_the_chanted(recorded: Path) -> None:
    """公示前一天出局角色名单及遗言 … 按角色出局的顺序排序; the night put 青岚 out, and 豆沙 has the badge."""
    lines = body(recorded, "opening", "--day", "3")
    told = lines[lines.index("[b]公示[/b]") + 1 :]
    assert told == [
        "前一天投票出局：10号",
        "出局：青岚",
        "当日警长：豆沙",
        "被吹笛：包子",
        "10号 的遗言：你们会后悔的",
    ]
    assert lines[2] == "开门：2018-06-06 09:30（周三）"


def test_a_close_tells_the_tally_and_what_it_brought(recorded: Path) -> None:
    lines = body(recorded, "close", "--day", "3")
    assert any(line.startswith("[b]K先生：4 票[/b]") for line in lines)
    told = lines[lines.index("[b]公示[/b]") + 1 :]
    assert told[:2] == ["冤死：替罪羊 汤圆 因冤死出局", "出局：汤圆（冤死）"]
    assert told[2] == "下一个游戏日不得投票：老王"
    assert not any(line.startswith("投票结果") for line in lines), "the tally says it, and more of it"


def test_an_opening_that_the_ledger_has_not_come_to_is_refused(recorded: Path) -> None:
    ran = announce(recorded, "opening", "--day", "9")
    assert (ran.code, ran.out) == (2, "")
    assert "第 9 天" in ran.err


def test_numbers_stand_apart_from_names_and_the_chanted_without_theirs(tmp_path: Path) -> None:
    """出局角色名单及秘密数字列表; 每个游戏日开始公示前一天被吹笛的角色。（不公示秘密数字。）"""
    lines = [
        *("日1 甲 投票 10", "日1 乙 投票 10", "日1 导演 截票"),
        *("夜1 辛 吹笛 12", "夜1 甲 杀人 13", "夜1 乙 杀人 13", "夜1 丙 杀人 13", "夜1 导演 天亮"),
    ]
    folder = write_game(tmp_path / "game", "secret-number", NUMBERED, lines)
    assert "当日警长：癸" in body(folder, "opening", "--day", "2")
    assert "出局：寅；秘密数字：13" in body(folder, "opening", "--day", "2")
    assert "被吹笛：丑" in body(folder, "opening", "--day", "2")


def test_a_shot_a_successor_and_love_are_told_at_the_close(tmp_path: Path) -> None:
    """因投票而触发的警长<殉职>、猎人<最后一枪>、以及被枪杀的角色及秘密数字列表立即公示。"""
    votes = [f"日2 {name} 投票 6" for name in ("甲", "乙", "丙", "丁")]
    lines = ["日1 甲 投票 6", "日1 导演 截票", "夜1 导演 天亮", *votes, "日2 导演 截票"]
    folder = write_game(tmp_path / "game", "secret-number", NUMBERED, lines)
    waiting = announce(folder, "close", "--day", "2")
    assert waiting.code == 1
    assert "暂定" in waiting.out
    ledger = folder / "ledger.txt"
    ledger.write_text(ledger.read_text(encoding="utf-8") + "日2 己 最后一枪 11\n日2 己 殉职 12\n", encoding="utf-8")
    told = body(folder, "close", "--day", "2")
    assert "己 发动最后一枪：11 被枪杀" in told
    assert "殉职：继任警长的是 丑" in told
    assert "暂定" not in "\n".join(told)
    position = [next(place for place, line in enumerate(told) if word in line) for word in ("投票结果", "最后一枪：", "殉职：")]
    assert position == sorted(position)


def test_a_feigning_idiot_stays_and_shows_his_number(tmp_path: Path) -> None:
    votes = [f"日2 {name} 投票 7" for name in ("甲", "乙", "丙")]
    lines = ["日1 甲 投票 6", "日1 导演 截票", "夜1 导演 天亮", *votes, "日2 导演 截票", "日2 庚 装傻"]
    folder = write_game(tmp_path / "game", "secret-number", NUMBERED, lines)
    assert "庚 发动装傻，秘密数字 7，不出局" in body(folder, "close", "--day", "2")


def test_a_day_tells_cards_substitutes_and_answers_at_once_and_a_night_with_the_opening(tmp_path: Path) -> None:
    """讨论日进行时…都会随时公示; 夜晚期间需要公示的内容全部在下一个白天开始时公布. A remark is the director's."""
    lines = [
        *(
            "日1 甲 投票 6",
            "日1 导演 黄牌 癸 ; 私下说他是狼",
            "日1 导演 替补 子 ; 家里有事",
            '日1 导演 答疑 "殉职有多久？" "十分钟"',
        ),
        *("日1 导演 截票", '夜1 导演 答疑 "夜里能改吗？" "能"', "夜1 导演 天亮"),
    ]
    folder = write_game(tmp_path / "game", "secret-number", NUMBERED, lines)
    told = body(folder, "midday", "--day", "1")
    assert told[told.index("[b]公示[/b]") + 1 :] == [
        "黄牌：癸",
        "替补：子 更换替补",
        "",
        "[b]规则答疑[/b]",
        "问：殉职有多久？　答：十分钟",
    ]
    assert "问：夜里能改吗？　答：能" in body(folder, "opening", "--day", "2")
    assert announce(folder, "midday", "--day", "2").code == 2
    printed = run("ledger", str(folder)).out
    assert "答疑 殉职有多久？ 十分钟" in printed
    assert "×" not in printed


def test_a_question_changes_nothing_and_needs_its_words(tmp_path: Path) -> None:
    folder = write_game(tmp_path / "game", "secret-number", NUMBERED, ["日1 甲 投票 6"])
    before = json.loads(run("status", str(folder), "--json").out)
    assert run("do", str(folder), '日1 导演 答疑 "平票呢？" "警长投的人"').code == 0
    assert json.loads(run("status", str(folder), "--json").out) == before
    assert run("do", str(folder), "日1 导演 答疑").code == 1


def test_an_undone_line_is_not_announced(tmp_path: Path) -> None:
    folder = write_game(tmp_path / "game", "secret-number", NUMBERED, ["日1 导演 替补 子", "撤销 #1", "日1 导演 黄牌 癸"])
    ledger = folder / "ledger.txt"
    ledger.write_text(ledger.read_text(encoding="utf-8") + "日1 甲 投票 6\n日1 导演 截票\n", encoding="utf-8")
    told = body(folder, "midday", "--day", "1")
    assert "黄牌：癸" in told
    assert not any("替补" in line for line in told)


def test_vests_are_told_without_their_accounts(tmp_path: Path) -> None:
    """游戏进行期间以任何方式出局的马甲均不公示其身份; whoever is sent off is told by the vest alone."""
    lines = [
        "日1 村民1 投票 蓝",
        "日1 导演 截票",
        "夜1 狼人1 杀人 紫",
        "夜1 狼人2 杀人 紫",
        "夜1 导演 天亮",
        "日2 导演 罚下 村民3",
    ]
    folder = write_game(tmp_path / "game", "vest", VESTED, lines)
    opening = body(folder, "opening", "--day", "2")
    assert "出局：紫" in opening
    assert "当日警长：蓝" in opening
    assert "村民" not in "\n".join(opening)
    midday = body(folder, "midday", "--day", "2")
    assert "出局：白（罚下）" in midday
    assert "村民3" not in "\n".join(midday)


def test_an_end_is_refused_before_and_reveals_all_after(recorded: Path, tmp_path: Path) -> None:
    early = write_game(tmp_path / "game", "secret-number", NUMBERED, ["日1 甲 投票 6", "日1 导演 截票"])
    refused = announce(early, "end")
    assert (refused.code, refused.out) == (2, "")
    lines = body(recorded, "end")
    assert "黑情侣阵营获胜" in lines
    assert "汤圆：替罪羊，村民阵营，日3 冤死出局" in lines
    night = lines[lines.index("[b]第 1 夜[/b]") + 1 :]
    assert night[:3] == ["汤圆 隔音 包子", "K先生 吹笛 饺子", "10号 杀人 夜行者"]
    assert "种子：whole game" in lines


def test_the_moment_that_has_come_is_taken_by_itself(recorded: Path, tmp_path: Path) -> None:
    assert json.loads(run("announce", str(recorded), "--json").out)["moment"] == "end"
    folder = write_game(tmp_path / "game", "secret-number", NUMBERED)
    assert json.loads(run("announce", str(folder), "--json").out)["moment"] == "start"
    (folder / "ledger.txt").write_text("日1 甲 投票 6\n日1 导演 截票\n", encoding="utf-8")
    told = json.loads(run("announce", str(folder), "--json").out)
    assert (told["moment"], told["day"]) == ("close", 1)
    assert run("announce", str(folder), "--moment", "noon").code == 2


@pytest.mark.parametrize(
    ("ruleset", "opening", "close"),
    [("m29", 2001, 2001), ("secret-number", 2001, 1001), ("assertion", 2001, 1001)],
)
def test_each_system_has_its_thread(tmp_path: Path, ruleset: str, opening: int, close: int) -> None:
    """M29 公示 in the discussion alone; the others 讨论贴或投票贴: what a close brings goes to the vote."""
    players = [Player(one.name, one.role, one.number if ruleset == "secret-number" else None) for one in NUMBERED]
    if ruleset != "secret-number":
        players = [Player(one.name, "村民" if place else "狼人") for place, one in enumerate(NUMBERED)]
    folder = write_game(tmp_path / "game", ruleset, players, ["日1 导演 裁定 结果 无人", "日1 导演 截票"], days=1)
    found = {
        moment: json.loads(announce(folder, moment, "--day", "1", "--json").out)["tid"]
        for moment in ("start", "opening", "close")
    }
    assert found == {"start": 2001, "opening": opening, "close": close}


@pytest.mark.skipif(not SEEDS.is_dir(), reason="the rule posts are not beside the project")
@pytest.mark.parametrize("ruleset", [name for name, place in PLACES.items() if place.clause.text])
def test_the_clauses_of_places_stand_in_a_rule_post(ruleset: str) -> None:
    posts = [path.read_text(encoding="utf-8") for path in SEEDS.glob("*.txt")]
    assert any(PLACES[ruleset].clause.text in post for post in posts)


def test_words_of_players_stay_words(tmp_path: Path) -> None:
    lines = ["日1 甲 投票 6", "日1 导演 截票", "夜1 甲 杀人 13", "夜1 乙 杀人 13", "夜1 丙 杀人 13", "夜1 导演 天亮"]
    players = [Player("[b]喵[/b]" if one.number == 13 else one.name, one.role, one.number) for one in NUMBERED]
    folder = write_game(tmp_path / "game", "secret-number", players, lines)
    text = "\n".join(body(folder, "opening", "--day", "2"))
    assert "[b]喵" not in text
    assert "[[b][/b]b]喵[[b][/b]/b]" in text


def test_a_template_of_ones_own_is_taken(tmp_path: Path) -> None:
    folder = write_game(tmp_path / "game", "secret-number", NUMBERED)
    (folder / "templates").mkdir()
    (folder / "templates" / "announcement.bbcode").write_text("{{ moment }}！{{ sections|length }}\n", encoding="utf-8")
    assert announce(folder, "start").out == "游戏开始！3\n"


def test_a_template_of_a_tally_cannot_drop_that_it_is_provisional(recorded: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(recorded, tmp_path / "game"))
    (folder / "templates").mkdir()
    (folder / "templates" / "tally.bbcode").write_text("{{ title }}！\n", encoding="utf-8")
    assert run("tally", str(folder), "--day", "2", "--bbcode").out.endswith("！\n")
    early = run("tally", str(folder), "--day", "2", "--bbcode", "--as-of", "2018-06-04T10:00").out
    assert "【暂定，不是最终结果】" in early


def test_a_gbk_console_shows_what_it_can_and_escapes_the_rest(recorded: Path) -> None:
    """A Chinese Windows console (cp936): no character stops the output."""
    folder = write_game(recorded.parent / "gbk", "secret-number", [Player("咪🐱", "村民", 1), *NUMBERED[1:]])
    game = folder / "game.toml"
    game.write_bytes(b"\xef\xbb\xbf" + game.read_bytes().replace(b"\n", b"\r\n"))
    for options in (("announce", str(folder), "--moment", "start"), ("announce", str(recorded), "--moment", "end")):
        done = subprocess.run(
            [sys.executable, "-m", "engine", *options],
            capture_output=True,
            env={**os.environ, "PYTHONIOENCODING": "gbk", "PYTHONUTF8": "0"},
            check=True,
            cwd=ROOT,
        )
        text = done.stdout.decode("gbk")
        assert "试局" in text or "获胜" in text
        assert "咪" not in text or "咪\\U0001f431" in text
