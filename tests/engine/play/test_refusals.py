"""Every refusal: its code, that nothing has changed, and that the sentence to forward tells nothing secret."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from engine.play.acts import apply
from engine.play.refusal import WHYS, Refused
from engine.play.start import Given, start
from engine.play.state import Draft, GameState
from engine.rulesets.m29 import M29
from tests.engine.play.make import after, in_phase, m29, make, numbers, one, outs, refuse, seated, souls, vests

NIGHT, DAY = in_phase("夜2"), in_phase("日2")
LOVERS = ("狼甲", "民甲")
PIPER_SOUL = replace(NIGHT, souls=("笛甲",))


def won() -> GameState:
    """A game that the wolves have won."""
    given = replace(DAY, out=tuple((name, "") for name in ("民甲", "民乙", "民丙", "女巫", "预言", "吹笛者", "狼丙")))
    return after(m29(given), "日2 狼甲 投票 民丁\n日2 导演 截票")


def dying_sheriff() -> GameState:
    """M29: the sheriff was voted out and must name somebody."""
    return after(m29(replace(DAY, sheriff="民甲")), "日2 狼甲 投票 民甲\n日2 导演 截票")


def killed_sheriff(**switches: bool | str) -> GameState:
    """The same in 秘密数字杀, by night: 狼甲 was poisoned too, which nobody knows."""
    return after(numbers(replace(NIGHT, sheriff="民甲"), **switches), "夜2 狼乙 杀人 12\n夜2 女巫 毒药 1\n夜2 导演 天亮")


def feigned() -> GameState:
    """白痴 has feigned, and the sheriff is being voted out."""
    state = after(numbers(replace(DAY, sheriff="民甲")), "日2 狼甲 投票 9\n日2 导演 截票\n日2 白痴 装傻\n夜2 导演 天亮")
    return after(state, "日3 狼甲 投票 12\n日3 导演 截票")


def assisted() -> GameState:
    """A player of four games."""
    return start(make(M29, games={"民甲": 4}), DAY)


def surrendering() -> GameState:
    """The lovers' camp was asked to surrender, and is lost."""
    return after(numbers(replace(DAY, lovers=LOVERS)), "日2 民甲 投降\n日2 狼甲 同意投降")


def of_the_circle() -> GameState:
    """面杀: 女仆 is a lover, 民甲 the sheriff."""
    return seated(replace(DAY, sheriff="民甲", lovers=("女仆", "民乙")))


def infecting() -> GameState:
    """面杀: 吹笛者, who has a goal of his own, is to be infected."""
    return after(seated(NIGHT), "夜2 种狼 感染 吹笛者")


NIGHT_OF_KILL = after(m29(NIGHT), "夜2 狼甲 杀人 民乙\n夜2 导演 收 狼人")

# The state, the line that is refused, and the code.
CASES: list[tuple[str, GameState, str, str]] = [
    ("the game is over", won(), "日2 导演 截票", "E301"),
    ("another phase", m29(DAY), "夜2 狼甲 杀人 民乙", "E302"),
    ("a phase that was not closed", m29(NIGHT), "日3 导演 截票", "E302"),
    ("nobody of that name", m29(DAY), "日2 民申 投票 民乙", "E303"),
    ("no sheriff", m29(DAY), "日2 警长 投票 民乙", "E303"),
    ("a role that nobody has", m29(DAY), "日2 猎人 投票 民乙", "E303"),
    ("a role of several", m29(DAY), "日2 村民 投票 民乙", "E304"),
    ("no such act", m29(DAY), "日2 民甲 投标 民乙", "E305"),
    ("no such act of the director", m29(DAY), "日2 导演 关灯", "E305"),
    ("通灵 comes by itself", m29(NIGHT), "夜2 女巫 通灵", "E305"),
    ("an out voter", m29(replace(DAY, out=(("民甲", ""),))), "日2 民甲 投票 民乙", "E306"),
    ("an out actor", m29(replace(NIGHT, out=(("预言", ""),))), "夜2 预言 预言 民乙", "E306"),
    ("another role's skill", m29(NIGHT), "夜2 民甲 预言 民乙", "E307"),
    ("寡妇刀 before the wolves are lost", m29(replace(NIGHT, lovers=LOVERS)), "夜2 民甲 杀人 民乙", "E307"),
    ("the lover wolf has lost his kill", m29(replace(NIGHT, lovers=LOVERS)), "夜2 狼甲 杀人 民乙", "E308"),
    ("spent before", m29(replace(NIGHT, used=("毒药",))), "夜2 女巫 毒药 民乙", "E309"),
    ("spent before, told with its holder", m29(replace(NIGHT, used=("女巫 救药",))), "夜2 女巫 救药 民乙", "E309"),
    ("the step was closed", NIGHT_OF_KILL, "夜2 狼乙 杀人 民丙", "E310"),
    ("no target", m29(NIGHT), "夜2 狼甲 杀人", "E311"),
    ("two targets", m29(NIGHT), "夜2 狼甲 杀人 民甲 民乙", "E311"),
    ("one lover", m29(), "夜0 丘比特 金箭 民甲", "E311"),
    ("a vote for nobody", m29(DAY), "日2 民甲 投票", "E311"),
    ("an unknown target", m29(NIGHT), "夜2 狼甲 杀人 民申", "E312"),
    ("a number that nobody has", numbers(NIGHT), "夜2 狼甲 杀人 16", "E312"),
    ("a step that there is not", m29(NIGHT), "夜2 导演 收 猎人", "E312"),
    ("a target that was published out", m29(replace(NIGHT, out=(("民乙", ""),))), "夜2 狼甲 杀人 民乙", "E313"),
    ("a vote for one who was published out", m29(replace(DAY, out=(("民乙", ""),))), "日2 民甲 投票 民乙", "E313"),
    ("one lover twice", m29(), "夜0 丘比特 金箭 民甲 民甲", "E314"),
    ("隔音 twice on one target", m29(replace(NIGHT, used=("替罪羊 隔音 民乙",))), "夜2 替罪羊 隔音 民乙", "E315"),
    ("守护之盾 twice on one number", numbers(replace(NIGHT, used=("守护之盾 13",))), "夜2 守卫 守护之盾 13", "E315"),
    ("the witch saves herself", m29(NIGHT), "夜2 女巫 救药 女巫", "E316"),
    ("by switch in 秘密数字杀 too", numbers(NIGHT, witch__save_self=False), "夜2 女巫 救药 4", "E316"),
    ("both potions", after(m29(NIGHT), "夜2 女巫 救药 民乙"), "夜2 女巫 毒药 民丙", "E317"),
    ("a shot that nobody asked for", numbers(NIGHT), "夜2 猎人 最后一枪 1", "E318"),
    ("a badge that nobody has lost", m29(replace(DAY, sheriff="民甲")), "日2 民甲 殉职 民乙", "E318"),
    ("feigning unasked", numbers(DAY), "日2 白痴 装傻", "E318"),
    ("a ban unasked", m29(DAY), "日2 替罪羊 冤死 民乙", "E318"),
    ("declining nothing", m29(DAY), "日2 民甲 放弃", "E318"),
    ("time up for nobody", m29(DAY), "日2 导演 超时 民甲", "E318"),
    ("a forced skill is not declined", m29(), "夜0 丘比特 放弃", "E319"),
    ("a successor is not declined", dying_sheriff(), "日2 民甲 放弃", "E319"),
    ("the vote was closed already", dying_sheriff(), "日2 导演 截票", "E320"),
    ("a seat does not close the vote", m29(DAY), "日2 民甲 截票", "E321"),
    ("白痴 who has feigned succeeds nobody", feigned(), "日3 警长 殉职 9", "E322"),
    ("a successor must be in", killed_sheriff(succession__on_out_target="reask"), "夜2 警长 殉职 1", "E323"),
    ("the village cannot surrender", m29(DAY), "日2 民甲 投降", "E324"),
    ("a lost camp has nothing to surrender", surrendering(), "日2 民甲 投降", "E324"),
    ("M29: 丘比特 is in no group of wolves", m29(replace(DAY, lovers=("狼甲", "狼乙"))), "日2 丘比特 投降", "E324"),
    ("丘比特 is not asked, though he may begin", numbers(replace(DAY, lovers=LOVERS)), "日2 丘比特 同意投降", "E325"),
    ("no surrender to agree to", m29(DAY), "日2 狼甲 同意投降", "E325"),
    ("no right to last words", m29(DAY), "日2 民甲 遗言 再见", "E326"),
    ("last words with a code", dying_sheriff(), "日2 民甲 遗言 \"[b]再见[/b]\"", "E328"),
    ("day 1 before the arrow", m29(), "日1 导演 截票", "E329"),
    ("夜0 is over before the arrow", m29(), "夜0 导演 天亮", "E329"),
    ("an assistant for a player of four games", assisted(), "日2 导演 场外助理 民甲", "E330"),
    ("a ruling on nothing", m29(DAY), "日2 导演 裁定", "E331"),
    ("a ruling that cannot be read", m29(DAY), "日2 导演 裁定 事实 飞升 民甲", "E331"),
    ("黑夜 acts by day", m29(DAY), "日2 狼甲 杀人 民乙", "E333"),
    ("dawn by day", m29(DAY), "日2 导演 天亮", "E333"),
    ("a vote by night", m29(NIGHT), "夜2 民甲 投票 民乙", "E333"),
    ("the arrow later", m29(NIGHT), "夜2 丘比特 金箭 民甲 民乙", "E333"),
    ("a red card for one who is out", m29(replace(DAY, out=(("民甲", ""),))), "日2 导演 红牌 民甲", "E335"),
    ("a draw that could not be", m29(), "夜0 导演 超时 丘比特 抽得=张三、李四", "E336"),
    ("断言: another role's day skill", souls(), "日1 狼甲 血饮 民甲", "E307"),
    ("断言: 操纵 without a target", souls(), "日1 笛甲 操纵 民甲", "E311"),
    ("断言: 操纵 of nobody", souls(), "日1 笛甲 操纵 民申 民甲", "E312"),
    ("断言: a guess without an identity", souls(PIPER_SOUL), "夜2 笛甲 蛊惑 民甲", "E311"),
    ("断言: an identity that there is not", souls(PIPER_SOUL), "夜2 笛甲 蛊惑 民甲 女巫", "E331"),
    ("断言: a table of nothing", souls(NIGHT), "夜2 民甲 祈祷", "E331"),
    ("断言: a table with a seat left without identity", souls(NIGHT), "夜2 民甲 祈祷 民甲 村民 民乙", "E331"),
    ("断言: two identities of one seat", souls(NIGHT), "夜2 民甲 祈祷 民乙 村民 民乙 狼人", "E331"),
    ("断言: a table with a seat that there is not", souls(NIGHT), "夜2 民甲 祈祷 民申 村民", "E312"),
    ("断言: neither 加倍 nor 无效", souls(replace(NIGHT, souls=("狼甲",))), "夜2 狼甲 潜行 三倍", "E331"),
    ("断言: a vote by night", souls(NIGHT), "夜2 民甲 审讯 狼甲", "E333"),
    ("断言: 操纵 by night", souls(NIGHT), "夜2 笛甲 操纵 民甲 狼甲", "E333"),
    ("断言: 操纵 after the close", after(souls(DAY), "日2 导演 截票"), "日2 笛甲 操纵 民甲 狼甲", "E302"),
    ("断言: 羁绊 twice on one", souls(replace(NIGHT, souls=("民甲",), used=("民甲 羁绊 民乙",))), "夜2 民甲 羁绊 民乙", "E315"),
    ("断言: a soul's skill without a soul", souls(NIGHT), "夜2 民甲 羁绊 民乙", "E341"),
    ("断言: a guess of a public identity", souls(replace(PIPER_SOUL, published=("民甲",))), "夜2 笛甲 蛊惑 民甲 村民", "E342"),
    ("断言: nobody is sent off", souls(DAY), "日2 导演 红牌 民甲", "E343"),
    ("断言: no yellow card either", souls(DAY), "日2 导演 黄牌 民甲", "E343"),
    ("断言: nor put out by a ruling", souls(DAY), "日2 导演 裁定 事实 出局 民甲", "E343"),
    ("断言: a ruling on a vote that does not say which", souls(DAY), "日2 导演 裁定 结果 民甲", "E331"),
    ("断言: no camp surrenders", souls(DAY), "日2 狼甲 投降", "E324"),
    ("面杀: the night cannot end before the thief has his wolf", seated(), "夜1 导演 天亮", "E329"),
    ("面杀: a thief who leaves a wolf lie", seated(), "夜1 盗贼 互换 村民", "E363"),
    ("面杀: a card that does not lie there", seated(), "夜1 盗贼 互换 女巫", "E364"),
    ("面杀: 高级村民 is nobody's lover", seated(spare=("白痴", "村民")), "夜1 丘比特 恋爱 老好人 民甲", "E360"),
    ("面杀: a new moon", seated(NIGHT), "夜2 吉普赛娘 召灵", "E361"),
    ("面杀: a card of the new moon", seated(DAY), "日2 民甲 选新月卡 满月", "E361"),
    ("面杀: what the post does not decide", infecting(), "夜2 导演 天亮", "E362"),
    ("面杀: an election on another day", seated(in_phase("日3")), "日3 民甲 投票 民乙 票=竞选", "E365"),
    ("面杀: 白狼 alone twice in two nights", seated(replace(NIGHT, used=("白狼 再杀",))), "夜2 白狼 再杀 民甲", "E309"),
    ("面杀: 女仆 in love", of_the_circle(), "日2 女仆 替换", "E367"),
    ("面杀: the sheriff's own deputy", of_the_circle(), "日2 警长 任命 民甲", "E368"),
    ("面杀: a deputy of somebody else's", of_the_circle(), "日2 民丙 任命 民甲", "E307"),
    ("面杀: a hand where nobody was executed", of_the_circle(), "日2 女仆 替换 民甲 民乙", "E367"),
]  # fmt: skip

SAVED_TOO_LATE = after(
    numbers(NIGHT, witch__save_any=False), "夜2 狼甲 杀人 12\n夜2 导演 收 守卫\n夜2 导演 收 吹笛者\n夜2 导演 收 狼人"
)
CASES.append(("a number that is not killed", SAVED_TOO_LATE, "夜2 女巫 救药 13", "E332"))

DRAWN = vests(NIGHT, seed="seed")
NOT_DRAWN = next(name for name in ("狼一", "狼二") if DRAWN.table.names[name] not in [seat for _, seat in DRAWN.drawn])
KILLED = after(vests(NIGHT), "夜2 狼一 杀人 辰\n夜2 导演 收 白狼")
ARROW_FIRST = after(vests(night0__order=("爱神之箭", "归群")), "夜0 爱神 爱神之箭 壬 辰\n夜0 白狼 归群")
SHOOTING = after(vests(NIGHT, hunter__target="living"), "夜2 狼一 杀人 戊\n夜2 白狼 撕咬 辰\n夜2 导演 天亮")
SHIELDED = vests(replace(NIGHT, used=("守护之盾 辰",)), skill__守护之盾=3)
VOTED_OUT = after(vests(DAY), "日2 狼一 投票 辰\n日2 导演 截票")
CASES += [
    ("tonight another wolf was drawn", DRAWN, f"夜2 {NOT_DRAWN} 杀人 辰", "E338"),
    ("whoever is not dying is not saved", KILLED, "夜2 女巫 解药 巳", "E339"),
    ("a lover joins the wolves", ARROW_FIRST, "夜0 导演 天亮", "E362"),
    ("a chanted vest is not chanted", vests(replace(NIGHT, chanted=("民一",))), "夜2 吹笛 吹笛 辰", "E345"),
    ("a dying vest is not shot by the switch", SHOOTING, "夜2 猎人 最后一枪 辰", "E346"),
    ("a shield two nights running", SHIELDED, "夜2 守卫 守护之盾 辰", "E347"),
    ("a shield against one of two", vests(NIGHT, skill__守护之盾=2), "夜2 守卫 守护之盾 辰", "E344"),
    ("3,001 characters", VOTED_OUT, f"日2 民一 遗言 {'字' * 3001}", "E327"),
    ("an account is no target", vests(NIGHT), "夜2 女巫 毒药 民一", "E312"),
    ("two in the same two nights", vests(replace(NIGHT, used=("撕咬",))), "夜2 白狼 撕咬 辰", "E309"),
    ("an archer who must choose others", vests(skill__爱神之箭=2), "夜0 爱神 爱神之箭 庚 辰", "E316"),
    ("points without a number", vests(DAY), "日2 导演 扣分 民一 很多", "E331"),
    ("罚下 is a red card elsewhere", m29(DAY), "日2 导演 罚下 民甲", "E305"),
]


@pytest.mark.parametrize(("what", "state", "line", "code"), CASES, ids=[case[0] for case in CASES])
def test_a_refused_line_changes_nothing(what: str, state: GameState, line: str, code: str) -> None:
    before = {field.name: getattr(state, field.name) for field in fields(Draft)}
    refused = refuse(state, line)
    assert (refused.code, {field.name: getattr(state, field.name) for field in fields(Draft)}) == (code, before)


@pytest.mark.parametrize(("what", "state", "line", "code"), CASES, ids=[case[0] for case in CASES])
def test_both_sentences_of_a_refusal_are_whole(what: str, state: GameState, line: str, code: str) -> None:
    refused = refuse(state, line)
    for sentence in (refused.sentence, refused.safe_sentence):
        assert sentence
        assert "{" not in sentence
        assert "}" not in sentence


@pytest.mark.parametrize(("what", "state", "line", "code"), CASES, ids=[case[0] for case in CASES])
def test_the_sentence_to_forward_names_no_seat_role_or_camp_that_the_line_did_not(
    what: str, state: GameState, line: str, code: str
) -> None:
    sentence = refuse(state, line).safe_sentence
    secret = {*state.table.names, *state.table.roles, *(camp.name for camp in state.table.play.camps)}
    assert [word for word in sorted(secret) if word in sentence and word not in line] == []


def test_every_code_is_refused_somewhere() -> None:
    untested = {
        "E337",  # votes of a thread: tests/engine/test_playing.py
    }
    assert set(WHYS) - {case[3] for case in CASES} == untested


def test_the_director_may_insist_where_the_act_means_something() -> None:
    state = m29(replace(NIGHT, used=("毒药",)))
    state = after(state, "夜2 女巫 毒药 民乙 强制=是 ; 导演误判，补偿\n夜2 导演 天亮")
    assert outs(state) == [("民乙", "毒药")]
    assert [(ruling.code, ruling.reason) for ruling in state.rulings] == [("E309", "导演误判，补偿")]


def test_insisting_on_what_is_allowed_is_no_ruling() -> None:
    assert after(m29(NIGHT), "夜2 女巫 毒药 民乙 强制=是").rulings == ()


@pytest.mark.parametrize("line", ["夜2 狼甲 杀人 民申 强制=是", "日3 导演 截票 强制=是", "夜2 民甲 预言 民乙 强制=是"])
def test_what_nobody_could_obey_is_refused_all_the_same(line: str) -> None:
    assert not refuse(m29(NIGHT), line).why.insist


def test_a_state_cannot_be_changed() -> None:
    with pytest.raises(AttributeError, match="cannot be changed"):
        m29(NIGHT).sheriff = 3
    with pytest.raises(AttributeError, match="cannot be changed"):
        del m29(NIGHT).sheriff


def test_obeying_leaves_the_state_before_as_it_was() -> None:
    state = m29(NIGHT)
    before = {field.name: getattr(state, field.name) for field in fields(Draft)}
    assert apply(state, one("夜2 狼甲 杀人 民乙")) != state
    assert {field.name: getattr(state, field.name) for field in fields(Draft)} == before


def test_given_facts_that_cannot_be_name_their_key() -> None:
    for given, key in (
        (Given(lovers=("民甲", "张三")), "lovers"),
        (replace(NIGHT, used=("飞天",)), "used"),
        (replace(NIGHT, lost=("神阵营",)), "lost"),
    ):
        with pytest.raises(ValueError, match="没有") as caught:
            start(make(M29), given)
        assert getattr(caught.value, "key", "") == key


def test_a_refusal_says_its_code() -> None:
    assert str(Refused("E309", actor="女巫", act="毒药")) == "E309 女巫的「毒药」已经用过"
