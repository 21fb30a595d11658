"""What each moment publishes in each of the five systems, line by line: the expected texts are written from the rule posts."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from engine.announcing.announce import lay_out
from engine.announcing.moments import has_opened, is_settled
from engine.counting import read_events
from engine.game import load_game
from engine.play.table import Player
from tally.names import index_targets
from tally.posted import read_result
from tests.engine.command import run
from tests.engine.tables import write_game
from tests.engine.test_announce import announce, body

FIXTURES = Path(__file__).parents[2] / "fixtures"


def seat(text: str, *, numbers: bool = False) -> list[Player]:
    """Players as name:role or name:role:vest, numbered in their order where the rules have numbers."""
    found = [word.split(":") for word in text.split()]
    return [
        Player(name, role, place if numbers else None, vest=rest[0] if rest else None)
        for place, (name, role, *rest) in enumerate(found, 1)
    ]


M29 = seat("狼甲:狼人 狼乙:狼人 狼丙:狼人 巫:女巫 羊:替罪羊 言:预言 笛:吹笛者 丘:丘比特 民甲:村民 民乙:村民 民丙:村民 民丁:村民")
NUMBERS = seat(
    "狼甲:狼人 狼乙:狼人 狼丙:狼人 巫:女巫 言:预言家 猎:猎人 痴:白痴 笛:吹笛者 "
    "卫:守卫 老:长老 丘:丘比特 民甲:村民 民乙:村民 民丙:村民 民丁:村民 民戊:村民",
    numbers=True,
)
VESTS = seat(
    "狼1:狼人:红 狼2:狼人:橙 狼3:狼人:棕 狼4:狼人:粉 狼5:狼人:金 先知:先知:黄 女巫:女巫:绿 守卫:守卫:灰 长老:长老:银 "
    "猎人:猎人:青 白痴:白痴:黑 爱神:爱神:紫 吹笛:吹笛:蓝 白狼:白狼:白 村1:村民:桃 村2:村民:杏 村3:村民:梨 村4:村民:枣"
)
SOULS = seat(
    "甲:村民 乙:村民 丙:村民 丁:村民 戊:狼人 己:狼人 庚:狼人 辛:狼人 壬:吸血鬼 癸:吸血鬼 子:吸血鬼 丑:吸血鬼 寅:吹笛者 卯:吹笛者"
)
TABLE = seat(
    "甲:狼人 乙:狼人 丙:狼人 丁:大野狼 戊:预言家 己:女巫 庚:女仆 辛:口吃法官 壬:偏见者 癸:白痴 "
    "子:吹笛者 丑:丘比特 卯:猎人 辰:高级村民 午:村民 未:村民 申:村民 酉:村民 戌:村民"
)
ARROW = "夜0 丘 丘比特之箭 14 15 / "
SYSTEMS = {"m29": M29, "secret-number": NUMBERS, "vest": VESTS, "assertion": SOULS, "table": TABLE}


def game(folder: Path, ruleset: str, lines: str, **options: object) -> Path:
    """A game of a system with its ledger; lines are parted by `/`."""
    ledger = [line.strip() for line in lines.split("/")]
    return write_game(folder / "game", ruleset, SYSTEMS[ruleset], ledger, **options)  # type: ignore[arg-type]


def published(folder: Path, moment: str, day: int, head: str = "公示") -> list[str]:
    """The lines under a heading of an announcement that is final."""
    lines = body(folder, moment, "--day", str(day))
    found = lines[lines.index(f"[b]{head}[/b]") + 1 :]
    return found[: found.index("")] if "" in found else found


def votes(day: int, target: str, *voters: str) -> str:
    """The ballots of a day, and its close."""
    return " / ".join([*(f"日{day} {voter} 投票 {target}" for voter in voters), f"日{day} 导演 截票"])


# ---- M29


def test_m29_tells_the_close_in_order_and_the_opening_after_it(tmp_path: Path) -> None:
    """立即公示以下技能的发动：警长<殉职>…；红牌罚下。白天红牌罚下导致的出局结算在投票结算之后执行。冤死…并公示."""
    lines = (
        "夜0 丘 金箭 民甲 民乙 / 日1 狼甲 投票 民甲 / 日1 导演 截票 / 夜1 狼甲 杀人 民丁 / 夜1 笛 吹笛 言 / 夜1 导演 天亮 / "
        f"{votes(2, '民甲', '狼甲', '狼乙', '言')} / 日2 民甲 殉职 羊 / 夜2 民乙 遗言 爱你 / 夜2 导演 天亮 / "
        f"日3 导演 红牌 狼丙 / 日3 羊 投票 弃权 / 日3 狼甲 投票 巫 / {votes(3, '丘', '言')} / "
        "日3 羊 冤死 言 狼甲 / 日3 羊 殉职 丘 / 夜3 导演 天亮"
    )
    folder = game(tmp_path, "m29", lines)
    assert published(folder, "close", 1) == ["竞选结果：民甲（民甲 1 票）"]
    assert published(folder, "opening", 2) == ["出局：民丁", "当日警长：民甲", "被吹笛：言"]
    assert published(folder, "close", 2) == [
        "投票结果：民甲（民甲 3 票）",
        "出局：民甲（投票）、民乙（殉情）",
        "殉职：继任警长的是 羊",
    ]
    assert published(folder, "opening", 3) == ["前一天投票出局：民甲、民乙", "当日警长：羊", "民乙 的遗言：爱你"]
    assert published(folder, "midday", 3) == ["红牌罚下：狼丙"]
    assert published(folder, "close", 3) == [
        "投票结果：羊（巫 1 票、丘 1 票；平票）",
        "冤死：替罪羊 羊 因冤死出局",
        "出局：羊（冤死）、狼丙（红牌）",
        "下一个游戏日不得投票：言、狼甲",
        "殉职：继任警长的是 丘",
    ]
    assert published(folder, "opening", 4) == ["前一天投票出局：羊", "前一天另有出局：狼丙", "当日警长：丘"]


def test_a_day_that_one_line_opened_and_closed_is_over(tmp_path: Path) -> None:
    """夜0 goes straight to 夜1 where the votes of 日1 are in its thread, or nobody voted."""
    folder = game(tmp_path, "m29", "夜0 丘 金箭 民甲 民乙 / 日1 导演 截票 无票=是")
    assert published(folder, "opening", 1) == ["没有要公示的。"]
    assert published(folder, "close", 1) == ["竞选结果：无人当选（无人得票）"]
    assert json.loads(run("announce", str(folder), "--json").out)["moment"] == "close"


def test_where_an_exile_waits_for_the_opening_so_does_the_release(tmp_path: Path) -> None:
    """吹笛者出局后，公示吹笛者出局，并取消吹笛状态: said at the close it would say who is out."""
    lines = f"夜0 丘 金箭 民甲 民乙 / 日1 导演 截票 无票=是 / 夜1 笛 吹笛 言 / 夜1 导演 天亮 / {votes(2, '笛', '狼甲')}"
    folder = game(tmp_path, "m29", f"{lines} / 夜2 导演 天亮", switches={"announce.exile": "next_day"})
    assert published(folder, "close", 2) == ["投票结果：笛（笛 1 票）"]
    assert published(folder, "opening", 3) == ["前一天投票出局：笛", "吹笛者已经出局，被吹笛的角色吹笛状态取消"]
    shutil.rmtree(folder)
    folder = game(tmp_path, "m29", lines)
    assert published(folder, "close", 2)[1:] == ["出局：笛（投票）", "吹笛者已经出局，被吹笛的角色吹笛状态取消"]


def test_last_words_that_come_before_the_opening_are_of_the_opening(tmp_path: Path) -> None:
    """公示前一天出局角色名单及遗言; 在次日讨论日开始前，…未提交遗言，视为放弃: 日2 opens on 06-06 at 09:30."""
    night = "夜0 丘 金箭 民甲 民乙 / 日1 导演 截票 无票=是 / 夜1 狼甲 杀人 民丁 / 夜1 导演 天亮 / "
    for line, moment in [
        ("夜1 民丁 遗言 再见", "opening"),
        ("日2 民丁 遗言 再见 @2018-06-06T09:20", "opening"),
        ("日2 民丁 遗言 再见 entered_at=2018-06-06T08:00:00+08:00", "opening"),
        ("日2 民丁 遗言 再见 @2018-06-06T09:40", "midday"),
    ]:
        folder = game(tmp_path, "m29", night + line, days=2)
        assert published(folder, moment, 2)[-1] == "民丁 的遗言：再见", line
        other = announce(folder, "midday" if moment == "opening" else "opening", "--day", "2").out
        assert "遗言" not in other, line


def test_cards_behind_the_vote_are_of_its_close_and_none_is_told_less_often_than_given(tmp_path: Path) -> None:
    """讨论结束时，未回复投票帖者将被判罚黄牌."""
    lines = "夜0 丘 金箭 民甲 民乙 / 日1 狼甲 投票 民甲 / 日1 导演 黄牌 言 / 日1 导演 黄牌 巫 / 日1 导演 截票"
    folder = game(tmp_path, "m29", f'{lines} / 日1 导演 黄牌 羊 ; 没投票 / 日1 导演 答疑 "黄牌几张？" "两张"')
    assert published(folder, "midday", 1) == ["黄牌：言", "黄牌：巫"]
    assert published(folder, "close", 1) == ["竞选结果：民甲（民甲 1 票）", "黄牌：羊"]
    assert published(folder, "close", 1, "规则答疑") == ["问：黄牌几张？　答：两张"]


def test_two_cards_of_one_day_are_two_lines(tmp_path: Path) -> None:
    lines = "夜0 丘 金箭 民甲 民乙 / 日1 狼甲 投票 民甲 / 日1 导演 黄牌 言 / 日1 导演 黄牌 言"
    assert published(game(tmp_path, "m29", lines), "midday", 1) == ["黄牌：言", "黄牌：言"]


# ---- 秘密数字杀


def test_numbers_are_one_list_by_day_and_a_release_follows_who_is_out(tmp_path: Path) -> None:
    """公示出局名单时按角色出局的顺序排序, and numbers ascend; 吹笛者出局后，公示吹笛者已经出局，被吹笛的角色吹笛状态取消."""
    lines = (
        "夜0 丘 丘比特之箭 8 1 / 日1 狼甲 投票 6 / 日1 导演 截票 / "
        f"夜1 笛 吹笛 14 / 夜1 狼甲 杀人 15 / 夜1 巫 毒药 13 / 夜1 导演 天亮 / {votes(2, '8', '狼乙', '巫')} / 夜2 导演 天亮"
    )
    folder = game(tmp_path, "secret-number", lines)
    assert published(folder, "opening", 2) == ["出局：民丁、民乙；秘密数字：13、15", "当日警长：猎", "被吹笛：民丙"]
    assert published(folder, "close", 2) == [
        "投票结果：8号（8号 2 票）",
        "出局：笛（投票）、狼甲（殉情）；秘密数字：1、8",
        "吹笛者已经出局，被吹笛的角色吹笛状态取消",
    ]
    assert published(folder, "opening", 3) == ["前一天投票出局：笛、狼甲；秘密数字：1、8", "当日警长：猎"]


def test_numbers_that_stand_in_pairs_do_so_at_the_opening_too(tmp_path: Path) -> None:
    lines = f"夜0 丘 丘比特之箭 8 1 / 日1 狼甲 投票 6 / 日1 导演 截票 / 夜1 导演 天亮 / {votes(2, '8', '狼乙')} / 夜2 导演 天亮"
    folder = game(tmp_path, "secret-number", lines, switches={"announce.numbers": "paired"})
    assert published(folder, "close", 2)[1] == "出局：笛（投票）、狼甲（殉情）；秘密数字：8、1"
    assert published(folder, "opening", 3)[0] == "前一天投票出局：笛、狼甲；秘密数字：8、1"


def test_a_chain_of_a_vote_is_told_as_it_came_about(tmp_path: Path) -> None:
    """因投票而触发的警长<殉职>、情侣<殉情>、猎人<最后一枪>、以及被枪杀的角色及秘密数字列表立即公示."""
    lines = (
        "夜0 丘 丘比特之箭 12 13 / 日1 狼甲 投票 6 / 日1 导演 截票 / 夜1 导演 天亮 / "
        f"日2 狼丙 投票 9 / {votes(2, '6', '狼甲', '狼乙')} / 日2 猎 最后一枪 12 / 日2 猎 殉职 10"
    )
    assert published(game(tmp_path, "secret-number", lines), "close", 2) == [
        "投票结果：6号（6号 2 票、9号 1 票）",
        "出局：猎（投票）；秘密数字：6",
        "猎 发动最后一枪：12 被枪杀",
        "出局：民甲（最后一枪）、民乙（殉情）；秘密数字：12、13",
        "殉职：继任警长的是 老",
    ]


def test_an_idiot_with_the_badge_hands_it_on_and_goes_out_with_the_elder(tmp_path: Path) -> None:
    """发动此技能时，若白痴是警长，须移交警长; 因长老出局而出局的白痴立即公示."""
    lines = (
        f"{ARROW}日1 狼甲 投票 7 / 日1 导演 截票 / 夜1 导演 天亮 / {votes(2, '7', '狼甲', '狼乙')} / "
        f"日2 痴 装傻 / 日2 痴 殉职 10 / 夜2 导演 天亮 / {votes(3, '10', '狼甲', '狼乙')} / 日3 老 殉职 3"
    )
    folder = game(tmp_path, "secret-number", lines)
    assert published(folder, "close", 2) == [
        "投票结果：7号（7号 2 票）",
        "痴 发动装傻，秘密数字 7，不出局",
        "移交警长：继任警长的是 老",
    ]
    assert published(folder, "close", 3) == [
        "投票结果：10号（10号 2 票）",
        "出局：老（投票）、痴（失去技能）；秘密数字：7、10",
        "殉职：继任警长的是 狼丙",
    ]


def test_in_a_tie_it_is_said_whom_the_sheriff_chose(tmp_path: Path) -> None:
    """平票则警长投票的人出局，警长不投票则无人出局。"""
    start = f"{ARROW}日1 狼甲 投票 6 / 日1 导演 截票 / 夜1 导演 天亮 / "
    lines = f"{start}日2 狼甲 投票 9 / 日2 狼乙 投票 9 / {votes(2, '12', '猎')}"
    folder = game(tmp_path, "secret-number", lines)
    assert published(folder, "close", 2) == [
        "投票结果：12号（9号 2 票、12号 2 票；平票，警长投的是12号）",
        "出局：民甲（投票）；秘密数字：12",
    ]
    lines = f"{start}日2 狼甲 投票 9 / {votes(2, '12', '狼乙')}"
    assert published(game(tmp_path, "secret-number", lines), "close", 2) == ["投票结果：无人出局（9号 1 票、12号 1 票；平票）"]


def test_a_sheriff_who_is_told_by_number_is_so_wherever_he_is_told(tmp_path: Path) -> None:
    lines = f"{ARROW}日1 狼甲 投票 6 / 日1 导演 截票 / 夜1 导演 天亮 / {votes(2, '6', '狼甲')} / 日2 猎 放弃 / 日2 猎 殉职 10"
    folder = game(tmp_path, "secret-number", lines, switches={"announce.sheriff": "number"})
    assert published(folder, "opening", 2) == ["当日警长：6"]
    assert published(folder, "close", 2)[-1] == "殉职：继任警长的是 10"
    assert json.loads(run("status", str(folder), "--public", "--json").out)["sheriff"] == "10"


# ---- 马甲杀


def test_vests_go_out_without_identities_and_skills_are_lost_behind_them(tmp_path: Path) -> None:
    """如长老属于村民阵营，且因…其他因素出局时，所有普通身份失去其技能，并公示; 以任何方式出局的马甲均不公示其身份."""
    lines = (
        "夜0 白狼 放弃 / 夜0 爱神 爱神之箭 桃 杏 / 日1 狼1 投票 黑 / 日1 导演 截票 / "
        "夜1 女巫 毒药 橙 / 夜1 白狼 撕咬 黄 / 夜1 导演 天亮 / "
        f"{votes(2, '黑', '狼1', '狼3')} / 日2 白痴 装傻 / 夜2 吹笛 吹笛 梨 / 夜2 导演 天亮 / "
        f"日3 导演 罚下 守卫 / {votes(3, '桃', '狼1')} / 夜3 导演 天亮 / {votes(4, '青', '狼1')} / "
        "日4 猎人 最后一枪 银 / 日4 白痴 殉职 绿 / 夜4 导演 天亮"
    )
    folder = game(tmp_path, "vest", lines)
    assert published(folder, "close", 1) == ["得票最高：黑"]
    assert published(folder, "opening", 2) == ["出局：橙、黄", "当日警长：黑"]
    assert published(folder, "close", 2) == ["得票最高：黑", "黑 没有出局"]
    assert published(folder, "opening", 3) == ["当日警长：黑"]
    assert published(folder, "midday", 3) == ["出局：灰（罚下）"]
    assert published(folder, "close", 3) == ["得票最高：桃", "出局：桃、杏"]
    assert published(folder, "opening", 4) == ["前一天投票出局：桃、杏", "前一天另有出局：灰", "当日警长：黑"]
    assert published(folder, "close", 4) == [
        "得票最高：青",
        "出局：青",
        "出局：银、黑",
        "所有普通身份失去技能",
        "殉职：继任警长的是 绿",
    ]
    assert published(folder, "opening", 5) == ["前一天投票出局：青、银、黑", "当日警长：绿"]


def test_before_the_ledger_runs_the_game_a_vest_that_is_sent_off_is_told_without_its_account(tmp_path: Path) -> None:
    """Beside the account, what the game publishes later (出局：灰) would tell whose that vest was."""
    folder = game(tmp_path, "vest", "日1 导演 罚下 守卫 / 日1 导演 扣分 村3 2")
    assert published(folder, "midday", 1) == ["罚下：灰", "扣分：村3 2 分"]


# ---- 断言


def test_an_assertion_publishes_souls_and_identities_at_openings_alone(tmp_path: Path) -> None:
    """公示被审讯角色，进入灵魂状态角色; 没有公开投票; 进入吹笛状态的角色名单不会被任何角色知道 — until it is over."""
    lines = "日1 甲 审讯 戊 / 日1 戊 撕咬 甲 / 日1 壬 血饮 乙 / 日1 导演 截票 / 夜1 寅 吹笛 丙 / 夜1 导演 天亮"
    rest = [f"日{day} 戊 撕咬 {who} / 日{day} 导演 截票 / 夜{day} 导演 天亮" for day, who in enumerate("壬癸子丑", 2)]
    folder = game(tmp_path, "assertion", " / ".join([lines, *rest]))
    start = body(folder, "start")
    assert "玩家 14 人：甲、乙、丙、丁、戊、己、庚、辛、壬、癸、子、丑、寅、卯" in start
    assert not any(role in "\n".join(start) for role in ("村民", "狼人", "吸血鬼", "吹笛者"))
    assert published(folder, "close", 1) == ["没有要公示的。"]
    assert published(folder, "opening", 2) == ["公示身份：戊 是狼人", "进入灵魂状态：甲、乙"]
    assert published(folder, "close", 5) == ["没有要公示的。"], "the night decided it"
    end = body(folder, "end")
    assert [line for line in end if line[:2] in ("甲：", "丙：", "壬：")] == [
        "甲：村民，村民阵营，灵魂状态",
        "丙：村民，村民阵营，被吹笛",
        "壬：吸血鬼，吸血鬼阵营，灵魂状态",
    ]
    night = end[end.index("[b]第 1 夜[/b]") + 1 :]
    assert night[:3] == ["寅 吹笛 丙", "公示身份：戊 是狼人", "进入灵魂状态：甲、乙"]
    last = end[end.index("[b]第 5 夜[/b]") + 1 :]
    assert last[0] == "进入灵魂状态：丑"
    assert "出局" not in "\n".join(end)


# ---- 面杀


def test_a_table_shows_open_cards_and_clans_before_the_first_night(tmp_path: Path) -> None:
    """随机划分为两个宗族,…,公示; 高级村民…两面都是普通村民图样; 法官于次日白天公示被魅惑的角色."""
    folder = game(tmp_path, "table", "夜1 壬 对立 A / 夜1 子 魅惑 午 / 夜1 丑 恋爱 未 申")
    assert json.loads(run("announce", str(folder), "--json").out)["moment"] == "start"
    lines = body(folder, "start")
    told = lines[lines.index("[b]公示[/b]") + 1 :]
    assert told[0] == "辰 是高级村民"
    clans = {line[:3]: line[4:].split("、") for line in told[1:3]}
    assert sorted(clans) == ["A宗族", "B宗族"]
    assert sorted(clans["A宗族"] + clans["B宗族"]) == sorted(player.name for player in TABLE)
    assert not any(role in "\n".join(lines) for role in ("狼人", "预言家", "女仆", "偏见者"))
    ledger = folder / "ledger.txt"
    ledger.write_text(ledger.read_text(encoding="utf-8") + "夜1 导演 天亮\n", encoding="utf-8")
    assert published(folder, "opening", 2) == ["被魅惑：午"]


def test_a_table_tells_election_vote_servant_and_second_vote(tmp_path: Path) -> None:
    """白天出局的玩家立即留下遗言; 顺从的女仆可以翻开自己的角色卡…角色牌不亮给别人看."""
    lines = (
        "夜1 壬 对立 A / 夜1 丑 恋爱 未 申 / 夜1 导演 天亮 / "
        "日2 甲 投票 戊 票=竞选 / 日2 乙 投票 癸 票=竞选 / 日2 丙 投票 戊 票=竞选 / 日2 导演 截票 票=竞选 / "
        f"{votes(2, '戊', '甲', '乙')} / 日2 庚 替换 / 日2 戊 殉职 己 / 日2 戊 遗言 再会 / "
        f"日2 辛 手势 / {votes(2, '癸', '甲')} / 日2 癸 装傻 / 夜2 导演 天亮"
    )
    folder = game(tmp_path, "table", lines)
    assert published(folder, "midday", 2) == ["竞选结果：戊（戊 2 票、癸 1 票）"]
    assert published(folder, "close", 2) == [
        "投票结果：戊（戊 2 票）",
        "出局：戊（投票）",
        "庚 翻开角色牌（女仆），接过 戊 的角色牌继续游戏",
        "殉职：继任警长的是 己",
        "戊 的遗言：再会",
        "立刻发起一轮新的投票（重投）",
        "投票结果（重投）：癸（癸 1 票）",
        "癸 发动装傻，不出局",
    ]
    assert published(folder, "opening", 3) == ["前一天投票出局：戊", "当日警长：己"]


def test_what_was_elected_in_the_day_is_what_is_to_be_published_now(tmp_path: Path) -> None:
    lines = "夜1 壬 对立 A / 夜1 丑 恋爱 未 申 / 夜1 导演 天亮"
    folder = game(tmp_path, "table", lines)
    assert json.loads(run("announce", str(folder), "--json").out)["moment"] == "opening"
    folder = game(tmp_path, "table", f"{lines} / 日2 甲 投票 戊 票=竞选 / 日2 导演 截票 票=竞选")
    assert json.loads(run("announce", str(folder), "--json").out)["moment"] == "midday"


def test_a_badge_that_leaves_in_the_night_is_missing_at_the_opening(tmp_path: Path) -> None:
    """殉职<强制>——警长并非白痴,出局后: with him the badge goes."""
    lines = (
        "夜1 壬 对立 A / 夜1 丑 恋爱 未 申 / 夜1 导演 天亮 / 日2 甲 投票 癸 票=竞选 / "
        "日2 导演 截票 票=竞选 / 日2 导演 截票 无票=是 / 夜2 导演 天亮 / 日3 导演 截票 无票=是 / 夜3 甲 杀人 癸 / 夜3 导演 天亮"
    )
    folder = game(tmp_path, "table", lines)
    assert published(folder, "opening", 3) == ["当日警长：癸"]
    assert published(folder, "opening", 4) == ["出局：癸", "没有警长"]
    assert json.loads(run("status", str(folder), "--public", "--json").out)["sheriff"] is None


@pytest.mark.parametrize(
    ("ruleset", "text", "hit"),
    [
        ("m29", "投票结果：羊（巫 1 票、丘 1 票；平票）", "羊"),
        ("m29", "竞选结果：无人当选（无人得票）", ""),
        ("secret-number", "竞选结果：6号（6号 2 票、14号 1 票）", "6"),
        ("secret-number", "投票结果：12号（9号 2 票、12号 2 票；平票，警长投的是12号）", "12"),
        ("vest", "投票结果：黑（黑 3 票、红 2 票）", "黑"),
        ("table", "投票结果：癸（癸 4 票、申 2 票）", "癸"),
    ],
)
def test_a_result_that_was_announced_is_read_back_as_what_it_says(tmp_path: Path, ruleset: str, text: str, hit: str) -> None:
    """Posted into the thread, it is held against the count (E109–E111): no announcement of ours may look like another result."""
    loaded = load_game(game(tmp_path, ruleset, "") / "game.toml", before_days=True)
    line = text.partition("：")[2]
    assert read_result(line, index_targets(loaded.roster, loaded.policy.target)) == hit


# ---- The end


def test_the_game_is_over_behind_what_ended_it(tmp_path: Path) -> None:
    """宣布此阵营胜利 once the seat is out: in every list of what was published."""
    players = seat("甲:狼人 乙:村民 丙:村民 丁:女巫")
    lines = ["日1 导演 截票 无票=是", "夜1 导演 天亮", "日2 乙 投票 甲", "日2 导演 截票"]
    folder = write_game(tmp_path / "game", "m29", players, lines)
    told = ["投票结果：甲（甲 1 票）", "出局：甲（投票）", "游戏结束：村民阵营获胜"]
    assert published(folder, "close", 2) == told
    public = json.loads(run("status", str(folder), "--public", "--json").out)["messages"]
    assert public[-3:] == told


def test_a_reveal_tells_who_feigned_from_who_went_out(tmp_path: Path) -> None:
    lines = f"日1 导演 截票 无票=是 / 夜1 导演 天亮 / {votes(2, '7', '狼甲')} / 日2 痴 装傻 / 夜2 导演 裁定 事实 获胜 狼人阵营"
    lines = ARROW + lines
    end = body(game(tmp_path, "secret-number", lines), "end")
    assert "投票：无人得票，无人当选" in end
    assert end[end.index("[b]第 2 天[/b]") + 1 :][:2] == ["投票：7号 1 票，痴 没有出局", "痴 装傻"]


def test_a_reveal_tells_what_the_nights_answered_and_who_wins_with_whom(tmp_path: Path) -> None:
    """反馈<非村民阵营>; 当支持的人所在的阵营胜利，那么他就胜利."""
    lines = (
        "夜0 丘 金箭 民甲 民乙 / 日1 导演 截票 无票=是 / 夜1 狼甲 杀人 民丁 / 夜1 言 预言 狼乙 / 夜1 导演 天亮 / "
        "日2 导演 裁定 事实 获胜 狼人阵营"
    )
    end = body(game(tmp_path, "m29", lines), "end")
    assert end[end.index("[b]第 1 夜[/b]") + 1 :][:5] == [
        "狼甲 杀人 民丁",
        "言 预言 狼乙",
        "反馈给 巫：通灵：今晚被杀人的是 民丁",
        "反馈给 言：预言：狼乙 属于非村民阵营",
        "出局：民丁（杀人）",
    ]
    players = seat("甲:狼人 乙:狼人 丙:混血 丁:村民 戊:村民 己:女巫")
    table = ["夜1 丙 支持 甲", "夜1 导演 天亮", "日2 导演 裁定 事实 获胜 狼人阵营"]
    end = body(write_game(tmp_path / "table", "table", players, table), "end")
    assert end[end.index("[b]结果[/b]") + 1 :][:2] == ["狼人阵营获胜", "随所支持的人获胜：丙"]


def test_what_was_before_the_ledger_is_settled(tmp_path: Path) -> None:
    """A game that was taken up in the night of day 2: its vote is over, the next is not."""
    folder = game(tmp_path, "m29", "夜2 笛 吹笛 言 / 夜2 导演 天亮")
    file = folder / "game.toml"
    file.write_text(file.read_text(encoding="utf-8") + '[given]\nphase = "夜2"\n', encoding="utf-8")
    loaded = load_game(file, before_days=True)
    desk = lay_out(loaded, None, read_events(loaded))
    assert desk.played is not None
    assert [is_settled(desk.played, day) for day in (1, 2, 3)] == [True, True, False]
    assert [has_opened(desk.played, day) for day in (1, 2, 3)] == [False, False, True]


# ---- What the director wrote for himself


def replayed(case: str, folder: Path) -> Path:
    """A recorded case, counted."""
    copy = Path(shutil.copytree(FIXTURES / case, folder / "game"))
    assert run("replay", str(copy), "--db", str(copy / "game.db")).code == 0
    return copy


@pytest.mark.parametrize("form", [("tally", "--bbcode"), ("tally", "--public", "--json"), ("announce", "--moment", "close")])
def test_a_remark_on_a_door_is_the_directors(tmp_path: Path, form: Sequence[str]) -> None:
    """The ledger says `关门 … ; 全体同意`: when the door closes is everybody's, what he noted beside it is not."""
    folder = replayed("vest/all_agree_to_a_shorter_day", tmp_path)
    text = run(form[0], str(folder), "--day", "2", *form[1:]).out.replace("[b][/b]", "")
    assert "关门改为 11-04 18:00:00，原定 11-04 21:30:00，11-04 15:00:00 宣布，之前的帖子按原定的算。" in text
    assert "全体同意" not in text
    assert "账本第" not in text
    assert "全体同意" in run("tally", str(folder), "--day", "2").out


def test_a_reason_for_a_ruled_result_is_the_directors(tmp_path: Path) -> None:
    folder = replayed("m29/three_days", tmp_path)
    (folder / "ledger.txt").write_text("日2 导演 裁定 结果 出局 包子 ; 饺子是狼\n", encoding="utf-8")
    assert "饺子是狼" in run("tally", str(folder), "--day", "2").out.replace("\n", "")
    for form in (("--bbcode",), ("--public", "--json")):
        text = run("tally", str(folder), "--day", "2", *form).out
        assert "导演裁定结果为包子；按票数：" in text
        assert "饺子是狼" not in text


def test_a_speed_up_is_told_with_what_follows_and_an_extension_with_its_end(tmp_path: Path) -> None:
    """执行加速时，所有人不可改票…; 延迟成功时，不再视为“执行加速”状态。 No file of the director's is named."""
    folder = replayed("m29/accelerated_day", tmp_path)
    faster = "执行加速时，所有人不可改票，且发言不足或未投票者将不被判罚。"
    assert body(folder, "speedup", "--day", "2")[2:] == ["2018-06-05 18:00（周二） 加速成立：导演宣布执行加速。", faster]
    assert body(folder, "speedup", "--day", "4")[2:] == [
        "2018-06-11 12:00（周一） 加速成立：导演宣布执行加速。",
        faster,
        "2018-06-11 15:00（周一） 延时成立：导演宣布延时。",
        "延迟成功时，不再视为“执行加速”状态。",
    ]


def test_without_a_ledger_an_opening_tells_who_is_out_since_yesterday(tmp_path: Path) -> None:
    """公示前一天出局角色名单: by game.toml 年糕 and 青岚 were out on day 3, 老王 and 包子 followed."""
    folder = replayed("m29/accelerated_day", tmp_path)
    assert published(folder, "opening", 3) == ["前一天出局：年糕、青岚", "没有警长"]
    assert published(folder, "opening", 4) == ["前一天出局：老王、包子", "已出局：年糕、青岚、老王、包子", "没有警长"]


# ---- Words of players


HOSTILE = [
    "[b]喵[/b]",
    "[/quote][url=http://x]",
    "<script>alert(1)</script>",
    "长" * 300,
    "a[code]b",
    "{:1_1:}:)",
    "@管理员 www.x.com",
]


def test_no_name_question_or_last_words_run_anything_on_the_board(tmp_path: Path) -> None:
    players = [Player(name, "狼人" if place < 2 else "村民") for place, name in enumerate([*HOSTILE, "甲", "乙", "丙"])]
    lines = [
        '日1 导演 答疑 "[url=javascript:x]点[/url]\u200b" "[/quote]<b>不</b>"',
        '日1 导演 公示 "[img]http://x/y.png[/img]"',
        f'日1 导演 黄牌 "{HOSTILE[4]}"',
        "日1 导演 截票 无票=是",
        f'夜1 "{HOSTILE[0]}" 杀人 "{HOSTILE[2]}"',
        "夜1 导演 天亮",
        f'夜1 "{HOSTILE[2]}" 遗言 "行一 {{:1_1:}}"',
    ]
    folder = write_game(tmp_path / "game", "m29", players, lines)
    file = folder / "game.toml"
    file.write_text(file.read_text(encoding="utf-8").replace("试局", "试[/b]局[url=x]"), encoding="utf-8")
    texts = ["\n".join(body(folder, moment, "--day", day)) for moment, day in (("start", "1"), ("midday", "1"), ("opening", "2"))]
    for text in texts:
        bare = text.replace("[b][/b]", "").replace("[[", "[")
        codes = text.replace("[b][/b]", "\0").count("[b]")
        assert codes == text.replace("[b][/b]", "\0").count("[/b]"), bare
        assert not any(
            code in text for code in ("[url", "[/url", "[img", "[/quote", "[code", "[b]喵", "{:1", "www.x", "\u200b", "@管")
        )
    assert "长" * 300 in texts[0]
    assert "出局：<script>alert(1)</script>" in texts[2], "a board escapes HTML itself"
