"""Open decisions: who is asked, what waits for it, its time, its default; the steps of a night; draws."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import pytest

from engine.play.draws import pick, shuffle
from engine.play.order import Order, quote
from engine.play.start import start
from engine.play.state import Asked
from engine.play.table import make_table
from engine.report.playing import list_waiting
from engine.rulesets.m29 import M29
from engine.simulate import rules_of
from tests.engine.play.make import (
    ZONE,
    after,
    in_phase,
    m29,
    make,
    name_of,
    numbers,
    one,
    outs,
    read,
    refuse,
    seat_players,
    seated,
    told,
)

NIGHT, DAY = in_phase("夜2"), in_phase("日2")


def test_a_shot_is_asked_of_the_hunter_before_anything_else_goes_on() -> None:
    state = after(numbers(replace(NIGHT, lovers=("猎人", "民甲"))), "夜2 狼甲 杀人 8\n夜2 女巫 毒药 13\n夜2 导演 天亮")
    (decision,) = state.decisions
    assert (name_of(state, decision.seat), decision.asked, str(decision.phase)) == ("猎人", Asked.SHOT, "夜2")
    # Neither his lover nor the poison is settled yet.
    assert outs(state) == [("猎人", "指杀")]
    state = after(state, "夜2 猎人 最后一枪 14")
    assert outs(state) == [("猎人", "指杀"), ("民丙", "最后一枪"), ("民甲", "殉情"), ("民乙", "毒药")]
    assert str(state.phase) == "日3"


def test_time_that_is_up_takes_the_default() -> None:
    shot = after(numbers(NIGHT), "夜2 狼甲 杀人 8\n夜2 导演 天亮\n夜2 导演 超时 猎人")
    assert outs(shot) == [("猎人", "指杀")]
    ban = after(m29(DAY), "日2 导演 截票\n日2 导演 超时 替罪羊")
    assert ban.barred == frozenset()
    feigning = after(numbers(DAY), "日2 狼甲 投票 9\n日2 导演 截票\n日2 导演 超时 装傻")
    assert outs(feigning) == [("白痴", "投票")]


def test_a_decision_says_since_when_and_how_long() -> None:
    state = after(m29(replace(DAY, sheriff="民甲")), "日2 狼甲 投票 民甲\n日2 导演 截票 @2018-06-05T21:00")
    (decision,) = state.decisions
    assert (decision.since, decision.minutes, decision.forced) == (datetime(2018, 6, 5, 21, tzinfo=ZONE), 10, True)


def test_a_scapegoat_who_is_sheriff_is_asked_both_things_in_any_order() -> None:
    state = after(m29(replace(DAY, sheriff="替罪羊")), "日2 导演 截票")
    assert [one.asked for one in state.decisions] == [Asked.BAN, Asked.SUCCESSION]
    first = after(state, "日2 替罪羊 冤死 民甲\n日2 警长 殉职 民乙")
    second = after(state, "日2 警长 殉职 民乙\n日2 替罪羊 冤死 民甲")
    for done in (first, second):
        assert (name_of(done, done.sheriff), str(done.phase)) == ("民乙", "夜2")


@pytest.mark.parametrize(("lost", "out"), [("隔音", [("替罪羊", "冤死")]), ("冤死", [])])
def test_a_tie_takes_the_scapegoat_unless_it_is_this_skill_that_he_has_lost(lost: str, out: list[tuple[str, str]]) -> None:
    """冤死 —— 当第二天或以后的投票中出现平票时，替罪羊代替所有平票的角色出局: 隔音 is another skill of his."""
    tie = "日2 狼甲 投票 民甲\n日2 狼乙 投票 民乙\n日2 导演 截票"
    assert outs(after(m29(DAY), f"日2 导演 裁定 事实 失去 替罪羊 {lost}\n{tie}")) == out


@pytest.mark.parametrize("word", ["救药", "解药"])
def test_a_ruling_takes_the_antidote_and_leaves_what_its_use_would_spend(word: str) -> None:
    """<救药>发动后，失去技能<通灵>: taken by a ruling it was not used, and 通灵 goes on."""
    closed = "夜2 狼甲 杀人 民甲\n夜2 导演 收 隔音\n夜2 导演 收 吹笛\n夜2 导演 收 狼人"
    state = after(m29(NIGHT), f"夜2 导演 裁定 事实 失去 女巫 {word}\n{closed}")
    assert [text for text in told(state, "女巫") if text.startswith("通灵") and "民甲" in text] == told(state, "女巫") != []
    assert refuse(state, "夜2 女巫 救药 民甲").code == "E308"
    assert outs(after(state, f"夜2 导演 裁定 事实 恢复 女巫 {word}\n夜2 女巫 救药 民甲\n夜2 导演 天亮")) == []


@pytest.mark.parametrize(("word", "code"), [("救要", "E305"), ("预言", "E307")])
@pytest.mark.parametrize("what", ["失去", "恢复"])
def test_a_ruling_on_a_skill_that_the_seat_has_not_is_refused(what: str, word: str, code: str) -> None:
    assert refuse(m29(NIGHT), f"夜2 导演 裁定 事实 {what} 女巫 {word}").code == code


def test_a_feigned_idiot_goes_out_at_once_when_a_ruling_takes_the_skill() -> None:
    """当白痴发动<装傻>避免出局以后，失去此技能时立即出局。"""
    state = after(numbers(DAY), "日2 狼甲 投票 9\n日2 导演 截票\n日2 白痴 装傻")
    assert outs(state) == []
    assert outs(after(state, "夜2 导演 裁定 事实 失去 白痴 装傻")) == [("白痴", "失去技能")]


def test_an_idiot_may_name_his_successor_in_the_same_line() -> None:
    state = after(numbers(replace(DAY, sheriff="白痴")), "日2 狼甲 投票 9\n日2 导演 截票\n日2 白痴 装傻 12")
    assert (name_of(state, state.sheriff), outs(state), str(state.phase)) == ("民甲", [], "夜2")


def test_steps_are_closed_by_name_role_skill_or_seat() -> None:
    for word in ("女巫", "救药", "毒药"):
        state = after(m29(NIGHT), f"夜2 导演 收 {word}")
        assert state.closed == {4}
    assert after(m29(NIGHT), "夜2 导演 收 笛子").closed == after(m29(NIGHT), "夜2 导演 收 吹笛者").closed


def test_the_witch_is_told_when_every_step_before_hers_is_closed() -> None:
    state = after(m29(NIGHT), "夜2 狼甲 杀人 民甲\n夜2 导演 收 狼人\n夜2 导演 收 替罪羊")
    assert told(state, "女巫") == []
    state = after(state, "夜2 导演 收 吹笛者")
    assert told(state, "女巫") == ["通灵：今晚被杀人的是 民甲"]
    # Then she chooses.
    assert outs(after(state, "夜2 女巫 救药 民甲\n夜2 导演 天亮")) == []
    assert told(after(state, "夜2 导演 天亮"), "女巫") == ["通灵：今晚被杀人的是 民甲"]


def test_whoever_foresees_is_told_as_soon_as_his_step_is_closed() -> None:
    state = after(m29(NIGHT), "夜2 预言 预言 狼甲\n夜2 导演 收 预言家")
    assert told(state, "预言") == ["预言：狼甲 属于非村民阵营"]
    assert told(after(state, "夜2 导演 天亮"), "预言") == ["预言：狼甲 属于非村民阵营"]


def test_lines_of_a_night_come_in_any_order() -> None:
    lines = ["夜2 狼甲 杀人 民甲", "夜2 女巫 救药 民甲", "夜2 吹笛者 吹笛 民乙", "夜2 替罪羊 隔音 民丙", "夜2 预言 预言 狼乙"]
    forwards = after(m29(NIGHT), "\n".join([*lines, "夜2 导演 天亮"]))
    backwards = after(m29(NIGHT), "\n".join([*reversed(lines), "夜2 导演 天亮"]))
    assert (outs(forwards), told(forwards, "预言"), told(forwards, "女巫")) == (
        outs(backwards),
        told(backwards, "预言"),
        told(backwards, "女巫"),
    )
    assert forwards.seats == backwards.seats


def test_a_later_line_of_a_seat_and_skill_replaces_the_earlier() -> None:
    state = after(m29(NIGHT), "夜2 预言 预言 狼甲\n夜2 预言 预言 民甲\n夜2 导演 天亮")
    assert told(state, "预言") == ["预言：民甲 属于村民阵营"]


def test_a_choice_is_taken_back_by_declining() -> None:
    state = after(m29(NIGHT), "夜2 女巫 毒药 民甲\n夜2 女巫 放弃\n夜2 女巫 救药 民乙\n夜2 狼甲 杀人 民乙\n夜2 导演 天亮")
    assert outs(state) == []


def test_what_is_waited_for_names_seats_and_skills() -> None:
    # 共同杀害一名角色: 狼甲 has spoken for all of them.
    state = after(m29(NIGHT), "夜2 狼甲 杀人 民甲\n夜2 导演 收 吹笛者")
    assert list_waiting(state) == [
        "替罪羊：替罪羊 隔音（60 分钟）",
        "女巫：女巫 救药、女巫 毒药（30 分钟）",
        "预言家：预言 预言（60 分钟）",
        "天亮",
    ]


def test_only_who_is_elected_is_told_so() -> None:
    state = after(numbers(in_phase("日1")), "日1 狼甲 投票 12\n日1 导演 截票")
    assert [player.name for player in state.table.players if "你是警长" in told(state, player.name)] == ["民甲"]
    assert not any("警长" in text for text in told(state, "公示"))


def test_nobody_has_a_vote_nobody_is_elected() -> None:
    state = after(m29(in_phase("日1")), "日1 狼甲 投票 弃权\n日1 导演 截票\n夜1 导演 天亮")
    assert (state.sheriff, outs(state)) == (None, [])


def test_a_draw_depends_on_seed_and_purpose_and_on_nothing_else() -> None:
    names = [str(number) for number in range(20)]
    assert pick("s", "日2 殉职 甲", names) == pick("s", "日2 殉职 甲", names)
    assert len({pick(f"s{number}", "日2 殉职 甲", names) for number in range(200)}) == 20
    assert sorted(shuffle("s", "身份", names)) == sorted(names)
    assert shuffle("s", "身份", names) != shuffle("t", "身份", names)


def test_draws_are_recorded_with_whom_they_could_have_hit() -> None:
    state = after(m29(replace(DAY, sheriff="民甲")), "日2 狼甲 投票 民甲\n日2 导演 截票\n日2 导演 超时 警长")
    (drawn,) = state.draws
    assert (str(drawn.phase), drawn.what, len(drawn.among)) == ("日2", "殉职 民甲", 11)
    assert drawn.chosen == (state.sheriff,)
    other = start(make(M29, seed="other"), replace(DAY, sheriff="民甲"))
    lines = "日2 狼甲 投票 民甲\n日2 导演 截票\n日2 导演 超时 警长"
    seeds = {after(start(make(M29, seed=str(seed)), replace(DAY, sheriff="民甲")), lines).sheriff for seed in range(40)}
    assert len(seeds) > 5
    assert after(other, lines).draws[0].among == drawn.among


@pytest.mark.parametrize("name", ["饺 子", "a;b", "a=b", 'a"b', "#7", "@x", "“全”", 'a\\"b'])
def test_any_name_is_written_so_that_the_ledger_reads_it_back(name: str) -> None:
    order = Order(one("日2 导演 截票").phase, name, "投票", (name,), values={"键": name})
    assert read(order.line) == [order._replace(number=1)]
    assert quote(name).startswith('"')


def test_seats_are_found_by_alias_and_numbers_in_any_width() -> None:
    players = tuple(replace(player, aliases=("小" + player.name,)) for player in seat_players({"狼甲": "狼人", "民甲": "村民"}))
    table = make_table(rules_of(M29), players)
    assert (table.find_name("小狼甲"), table.find_target("小民甲"), table.find_name("大狼甲")) == (0, 1, None)
    other = numbers().table
    assert [other.find_target(word) for word in ("12", "１２", "12号", "民甲", "16", "x号")] == [11, 11, 11, 11, None, None]


@pytest.mark.parametrize(("lovers", "asked"), [((), [("女仆", Asked.REPLACE)]), (("女仆", "民乙"), []), (("女仆", "民甲"), [])])
def test_a_servant_in_love_is_not_asked_for_a_card(lovers: tuple[str, ...], asked: list[tuple[str, Asked]]) -> None:
    """如果女仆是恋人之一的话就不能发动此能力: nor is she, who goes out with him, where the vote put out her lover."""
    state = after(seated(replace(in_phase("日3"), lovers=lovers)), "日3 狼甲 投票 民甲\n日3 导演 截票")
    assert [(name_of(state, one.seat), one.asked) for one in state.decisions] == asked


def test_what_was_declined_in_one_night_is_waited_for_in_the_next() -> None:
    declined = after(m29(NIGHT), "夜2 吹笛者 放弃")
    assert not [line for line in list_waiting(declined) if line.startswith("吹笛者")]
    later = after(declined, "夜2 导演 天亮\n日3 导演 裁定 结果 无人\n日3 导演 截票")
    assert [line for line in list_waiting(later) if line.startswith("吹笛者")] == ["吹笛者：吹笛者 吹笛（60 分钟）"]
