"""马甲杀: what scenarios cannot ask: when something is told, who is in which group, what a view holds, what is published."""

from __future__ import annotations

import random
import re
from dataclasses import replace

import pytest

from engine.play.draws import pick
from engine.play.messages import PUBLIC, Knows, Party, Told
from engine.play.randomplay import Habits, deal_randomly, play_game
from engine.play.refusal import DirectorDecision
from engine.play.start import Given, start
from engine.play.state import GameState
from engine.play.table import Player, make_table
from engine.play.views import see_as, see_public
from engine.play.wording import say
from engine.rulesets.vest import VEST
from engine.simulate import random_roles, random_switches, rules_of, simulate
from tests.engine.play.make import after, in_phase, name_of, outs, refuse, told, vests

NIGHT, DAY = in_phase("夜2"), in_phase("日2")
ARROW = "夜0 爱神 爱神之箭 辰 巳\n夜0 导演 天亮"


def test_a_seer_in_love_is_told_in_step_16_and_another_in_step_13() -> None:
    lines = "夜2 先知 预言 癸\n夜2 导演 收 先知"
    assert told(after(vests(NIGHT), lines), "先知") == ["预言：癸 属于非村民阵营"]
    state = after(
        vests(replace(NIGHT, lovers=("先知", "民一"))), f"{lines}\n夜2 导演 收 守卫\n夜2 导演 收 吹笛\n夜2 导演 收 狼人"
    )
    state = after(state, "夜2 导演 收 白狼\n夜2 导演 收 女巫")
    assert told(state, "先知") == []
    assert told(after(state, "夜2 导演 天亮"), "先知") == ["预言：癸 属于非村民阵营"]


def test_white_wolf_is_told_the_wolves_before_he_chooses() -> None:
    state = vests()
    assert told(state, "白狼") == ["所有狼人：狼一 癸、狼二 子、狼三 丑、狼四 寅、狼五 卯"]
    assert see_as(state, 8).vests == {"狼一": "癸", "狼二": "子", "狼三": "丑", "狼四": "寅", "狼五": "卯"}
    # Who does not join stays unknown to them.
    assert "白狼" not in see_as(after(state, ARROW), 9).vests
    assert see_as(after(state, f"夜0 白狼 归群\n{ARROW}"), 9).vests["白狼"] == "壬"


def test_who_was_sent_off_is_not_published_as_voted_out() -> None:
    state = after(vests(DAY), "日2 导演 罚下 民二\n日2 狼一 投票 丑\n日2 导演 截票\n夜2 导演 天亮")
    opening = [text for text in told(state, "公示") if text.startswith("前一天")]
    sent_off = state.table.vest(next(index for index in range(len(state.seats)) if name_of(state, index) == "民二"))
    assert opening == ["前一天投票出局：丑", f"前一天另有出局：{sent_off}"]


# Option, whether there is a group, whether it is open by night alone, whether whoever goes out leaves it.
CHANNELS = [
    ("A", False, False, False),
    ("B", True, True, True),
    ("C", True, False, True),
    ("D", True, True, False),
    ("E", True, False, False),
]


@pytest.mark.parametrize(("option", "group", "by_night", "leaves"), CHANNELS, ids=[one[0] for one in CHANNELS])
def test_the_wolves_group_is_as_the_option_says(option: str, group: bool, by_night: bool, leaves: bool) -> None:
    state = after(vests(wolves__channel=option), ARROW)
    opened = [contact for contact in state.contacts if contact.party is Party.WOLVES]
    assert [(contact.seats, contact.by_night) for contact in opened] == ([((9, 10, 11, 12, 13), by_night)] if group else [])
    # They know each other all the same.
    assert see_as(state, 9).vests == {"狼二": "子", "狼三": "丑", "狼四": "寅", "狼五": "卯"}
    state = after(state, "日1 导演 截票\n夜1 导演 天亮\n日2 民一 投票 癸\n日2 导演 截票")
    assert outs(state) == [("狼一", "投票")]
    left = [contact.seats for contact in state.contacts if contact.party is Party.WOLVES and not contact.opens]
    assert left == ([(9,)] if leaves else [])


def test_lovers_know_each_others_vest_and_have_a_group() -> None:
    state = after(vests(), ARROW)
    assert (see_as(state, 14).lover, see_as(state, 14).vests) == ("民二", {"民二": "巳"})
    assert (14, 15) in [contact.seats for contact in state.contacts if contact.party is Party.LOVERS]
    assert see_as(state, 6).vests == {}


def test_accounts_are_identities_and_vests_are_hidden() -> None:
    view = see_public(after(vests(), ARROW))
    assert (view.roles["狼一"], view.vests, view.numbers) == ("狼人", {}, {})
    assert view.living == tuple(sorted("甲乙丙丁戊己庚辛壬癸子丑寅卯辰巳午未"))
    assert (see_as(after(vests(), ARROW), 0).vest, see_as(after(vests(), ARROW), 0).vests) == ("甲", {})


def test_whoever_goes_out_is_published_as_a_vest_in_order_and_without_identity_or_cause() -> None:
    state = after(vests(replace(NIGHT, lovers=("民一", "民二"))), "夜2 狼一 杀人 巳\n夜2 白狼 撕咬 丙\n夜2 导演 天亮")
    assert outs(state) == [("民二", "杀人"), ("民一", "殉情"), ("守卫", "撕咬")]
    assert [text for text in see_public(state).messages if text.startswith("出局")] == ["出局：巳、辰、丙"]
    assert see_public(state).out == ("巳", "辰", "丙")
    state = after(vests(replace(DAY, lovers=("民一", "民二"))), "日2 狼一 投票 辰\n日2 导演 截票")
    assert [text for text in see_public(state).messages if text.startswith("出局")] == ["出局：辰、巳"]


def test_a_shot_by_day_does_not_say_whose_vest_the_hunters_is() -> None:
    state = after(vests(DAY), "日2 狼一 投票 戊\n日2 导演 截票\n日2 猎人 最后一枪 癸")
    assert outs(state) == [("猎人", "投票"), ("狼一", "最后一枪")]
    assert not any("猎人" in text or "枪" in text for text in see_public(state).messages)


def test_who_feigned_is_not_published() -> None:
    state = after(vests(DAY), "日2 狼一 投票 己\n日2 导演 截票\n日2 白痴 装傻")
    assert outs(state) == []
    assert not any("白痴" in text or "装傻" in text for text in see_public(state).messages)


def test_the_sheriff_is_published_as_a_vest() -> None:
    state = after(vests(in_phase("日1")), "日1 狼一 投票 辰\n日1 导演 截票\n夜1 导演 天亮")
    assert (name_of(state, state.sheriff), see_public(state).sheriff) == ("民一", "辰")
    assert told(state, "民一") == ["你是警长"]
    assert "当日警长：辰" in see_public(state).messages


def test_only_the_chanted_are_told_and_the_release_is_published() -> None:
    state = after(vests(NIGHT), "夜2 吹笛 吹笛 辰\n夜2 导演 天亮")
    assert told(state, "民一") == ["你进入癫狂状态"]
    assert see_public(state).chanted == ()
    assert not any("辰" in text for text in see_public(state).messages)
    state = after(state, "日3 民一 投票 辛\n日3 导演 截票")
    assert "吹笛出局，癫狂状态解除" in see_public(state).messages


# 投票与公布: what is told of the votes at the close.
PUBLISHED = [("F", "得票最高：辰"), ("G", "投票结果：辰（辰 2 票、巳 1 票）"), ("H", "投票结果：辰（辰 2 票、巳 1 票）")]


@pytest.mark.parametrize(("option", "text"), PUBLISHED, ids=[one[0] for one in PUBLISHED])
def test_the_votes_are_told_as_the_option_says(option: str, text: str) -> None:
    state = after(vests(DAY, votes__publicity=option), "日2 狼一 投票 辰\n日2 狼二 投票 辰\n日2 狼三 投票 巳\n日2 导演 截票")
    assert text in see_public(state).messages


@pytest.mark.parametrize("option", ["G", "H"])
def test_sums_by_the_sheriffs_weight_are_not_told(option: str) -> None:
    """民一 is elected as 辰; 警长投出的票计为2票: three votes of two voters would say who he is."""
    lines = "日1 狼一 投票 辰\n日1 导演 截票\n夜1 导演 天亮\n日2 民一 投票 癸\n日2 狼二 投票 癸\n日2 狼三 投票 巳\n日2 导演 截票"
    state = after(vests(in_phase("日1"), votes__publicity=option), lines)
    told_of_day = [text for text in see_public(state).messages if "得票" in text or "结果" in text]
    assert told_of_day == ["竞选结果：辰（辰 1 票）", "得票最高：癸"]


def test_in_a_tie_the_highest_are_told_and_nobody_goes_out() -> None:
    state = after(vests(DAY, votes__publicity="F"), "日2 狼一 投票 辰\n日2 狼二 投票 巳\n日2 导演 截票")
    assert "得票最高：辰、巳，无人出局" in see_public(state).messages


def test_three_thousand_characters_may_be_left() -> None:
    state = after(vests(DAY), f"日2 狼一 投票 辰\n日2 导演 截票\n日2 民一 遗言 {'字' * 3000}\n夜2 导演 天亮")
    assert any(text == f"辰 的遗言：{'字' * 3000}" for text in see_public(state).messages)


def test_as_many_may_leave_last_words_as_there_are_wolves_and_white_wolf_is_none() -> None:
    assert vests().table.quota == 5


def test_a_wolf_is_drawn_for_each_night_by_the_seed() -> None:
    wolves = sorted(("狼一", "狼二", "狼三", "狼四", "狼五"))
    state = vests(in_phase("夜1"), seed="x")
    for night in (1, 2, 3):
        ((skill, seat),) = state.drawn
        # One of several, in the order of their names, by the SHA-256 of seed and purpose.
        assert (skill, name_of(state, seat)) == ("杀人", pick("x", f"夜{night} 杀人", wolves))
        assert told(state, name_of(state, seat))[-1] == "今晚由你决定杀人的对象"
        state = after(state, f"夜{night} 导演 天亮\n日{night + 1} 导演 截票")
    assert vests(in_phase("夜1"), seed="x", skill__杀人=2).drawn == ()


def test_what_the_rules_do_not_decide_has_a_name() -> None:
    state = after(vests(night0__order=("爱神之箭", "归群")), "夜0 爱神 爱神之箭 壬 辰\n夜0 白狼 归群")
    refused = refuse(state, "夜0 导演 天亮")
    assert isinstance(refused, DirectorDecision)
    assert (refused.name, refused.answers) == ("情侣归群", ("狼人阵营", "情侣阵营"))
    for camp in refused.answers:
        decided = after(state, f"夜0 导演 裁定 决定 情侣归群 {camp}\n夜0 导演 天亮")
        assert (decided.seats[8].camp, decided.seats[14].camp, str(decided.phase)) == (camp, "情侣阵营", "日1")
    # Or he does not join after all.
    assert str(after(state, "夜0 白狼 放弃 归群\n夜0 导演 天亮").phase) == "日1"


def may_know(state: GameState, seat: int, other: int) -> bool:
    """互相知道彼此的马甲: 〖狼人阵营〗的狼人 with 白狼 who joined; 白狼得知所有狼人的马甲; 情侣互知."""
    roles = [player.role for player in state.table.players]

    def is_wolf(index: int) -> bool:
        return state.seats[index].camp == "狼人阵营" and (roles[index] == "狼人" or index in state.joined)

    together = state.phase.number > 0 and is_wolf(seat) and is_wolf(other)
    told_first = roles[seat] == "白狼" and roles[other] == "狼人"
    return together or told_first or (seat in state.lovers and other in state.lovers)


def check_vests(state: GameState) -> None:
    table = state.table
    for seat in table.everybody:
        view = see_as(state, seat)
        granted = {table.name(other) for other in table.everybody if other != seat and may_know(state, seat, other)}
        assert set(view.vests) <= granted
        assert view.public.vests == {}
        for message in state.messages:
            if message.to not in (seat, PUBLIC):
                continue
            text = say(message, table)
            if message.told is not Told.WINNER:
                assert message.to != PUBLIC or not any(table.name(other) in text for other in table.everybody), text
            for other in table.everybody:
                if other == seat or table.name(other) in granted:
                    continue
                both = re.search(rf"{table.name(other)}(?!\d)", text) and table.vest(other) in text
                assert not both, f"{table.name(seat)} is told the vest of {table.name(other)}: {text}"
    for grant in state.grants:
        assert grant.to != PUBLIC or grant.knows is not Knows.VEST


@pytest.mark.parametrize("seed", range(12))
def test_no_view_holds_a_vest_that_is_not_granted(seed: int) -> None:
    dice = random.Random(seed)
    switches = random_switches(VEST, dice)
    rules = rules_of(VEST, switches)
    table = make_table(rules, deal_randomly(random_roles(VEST, dice), dice, numbers=False, vests=True), str(seed))
    for turn in play_game(table, dice, Habits(nonsense=0.1, cards=0.05)):
        if turn.order.act in ("截票", "天亮", "最后一枪", "装傻", "殉职", "超时", "罚下", "红牌"):
            check_vests(turn.state)


def test_a_ballot_of_the_sheriff_who_was_sent_off_counts_as_it_did() -> None:
    given = replace(DAY, sheriff="民一")
    state = after(vests(given), "日2 民一 投票 癸\n日2 狼一 投票 巳\n日2 导演 罚下 民一\n日2 导演 截票")
    assert outs(state) == [("民一", "红牌"), ("狼一", "投票")]
    assert state.sheriff is None


def test_a_wolf_is_not_told_that_his_camp_is_lost() -> None:
    given = replace(NIGHT, lovers=("狼一", "民一"), chanted=("狼二", "狼三", "狼四"))
    state = after(vests(given), "夜2 吹笛 吹笛 卯\n夜2 导演 收 守卫\n夜2 导演 收 吹笛")
    assert state.lost == ("狼人阵营",)
    assert told(state, "狼二") == ["你进入癫狂状态"]
    assert see_as(state, 10).skills == ("杀人",)
    assert refuse(state, "夜2 狼二 杀人 巳").code == "E308"
    assert told(state, "民一") == ["杀人：情侣获得技能杀人"]


def test_who_loses_his_skills_in_a_night_is_told_with_the_opening() -> None:
    state = after(vests(replace(NIGHT, lovers=("猎人", "民一"))), "夜2 女巫 毒药 丁\n夜2 狼一 杀人 巳\n夜2 导演 收 守卫")
    for step in ("吹笛", "先知", "狼人", "白狼", "女巫"):
        state = after(state, f"夜2 导演 收 {step}")
    assert outs(state) == [("长老", "毒药")]
    assert (told(state, "猎人"), see_as(state, 4).skills, [*state.seats[4].lost]) == ([], ("最后一枪",), ["最后一枪"])
    state = after(state, "夜2 导演 天亮")
    assert told(state, "猎人") == ["你失去技能"]
    assert see_as(state, 4).skills == ()


def test_points_are_summed_up_and_twelve_send_off_at_once() -> None:
    state = after(vests(DAY), "日2 导演 扣分 民一 4\n日2 导演 扣分 民一 4\n日2 导演 扣分 民二 4")
    assert outs(state) == []
    state = after(state, "日2 导演 扣分 民一 4")
    assert (outs(state), see_public(state).out) == ([("民一", "红牌")], ("辰",))
    assert refuse(state, "日2 狼一 投票 辰").code == "E313"


def test_a_given_game_needs_no_seed_and_no_draw() -> None:
    assert vests(Given(phase=NIGHT.phase)).drawn == ()


def test_random_games_of_every_row_and_variant_keep_what_must_hold() -> None:
    habits = Habits(nonsense=0.2, cards=0.05, surrenders=0.02, answers=0.6)
    result = simulate(VEST, 200, "vests", vary=True, habits=habits)
    assert result.violations == ()
    assert sum(result.wins.values()) == 200
    assert {"狼人阵营", "村民阵营", "吹笛阵营"} <= set(result.wins)


def test_an_antidote_waits_for_a_killer_who_sits_first() -> None:
    # 狼一 is seat 0, and may still choose 民一: what is not known yet is not refused.
    roles = {"狼一": "狼人", "女巫": "女巫", "民一": "村民", "民二": "村民", "民三": "村民"}
    players = tuple(Player(name, role, vest=f"{name}马甲") for name, role in roles.items())
    state = start(make_table(rules_of(VEST, {}), players, ""), NIGHT)
    state = after(state, "夜2 女巫 解药 民一马甲\n夜2 狼一 杀人 民一马甲\n夜2 导演 天亮")
    assert state.order == ()
