"""马甲杀（alpha版）: how it is played, in the order and the words of its rule post.

Read it beside the post: each clause is a sentence of it, to the character. Where the post is silent a switch says so
(`vest_switches`); its identities and skills are in `vest_roles`, how it votes in `vest_vote`.
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.play.camps import AllOut, AllOutOrChanted, Camp, FewLeft, Group, HalfOfVotes, OthersChanted
from engine.play.rules import (
    Draw,
    Dying,
    FeignedBadge,
    Feigning,
    Granularity,
    LastWords,
    Lovers,
    OutSuccessor,
    Play,
    Punishment,
    Step,
    StepKind,
    Succession,
    Trigger,
    WolfKnowledge,
)
from engine.play.skillset import Skill
from engine.rulesets.choices import choose, chooses, order_camps, read_votes
from engine.rulesets.vest_roles import LOVERS, ORDINARY, PIPERS, SPECIALS, VILLAGE, WHITE, WOLVES, kill_skill, make_roles
from engine.switches import Value
from tally.policy import Clause, VotePolicy

_TERMS, _CAMPS, _FLOW = "用语定义", "身份阵营", "游戏流程"
# 累计扣满12分者将予以罚下处理
POINTS = 12
# 白狼在只有5个人未出局时自身未出局。
SURVIVORS = 5

# 用语定义 · 遗言
WORDS = Clause(
    "前N名出局的马甲(N为该局中狼人身份的数目）都可以留下一份3000字以下的遗言，该遗言会在下一个游戏日白天予以公示。",
    f"{_TERMS} · 遗言",
)
LONGEST = 3000
# 四、附加身份 2、警长
HEIR = Clause(
    "【殉职】<锁定技>警长出局后，须选择一名未出局的马甲（已发动【装傻】的白痴除外）来继任警长。", f"{_CAMPS} · 警长 · 殉职"
)


def _flow(text: str) -> Clause:
    return Clause(text, f"{_FLOW} · 二、进行阶段")


_STEP_13 = _flow("13.进入第N天夜晚3、4、5，持续15分钟；")
_STEP_16 = _flow("16.判定濒死状态的角色出局，并通知准备遗言（如果先知为情侣之一，则在此时而非夜晚3给出反馈）；")
_HUNTER = Step("猎人", _flow("15.判定猎人是否出局，并等待可能的猎人行动，持续15分钟；"), kind=StepKind.SHOTS)

# Steps 11 to 16: a quarter of an hour each, one after the other from the close of the vote. Whoever was poisoned by 毒药2
# goes out with the dying: only then is it known why the witch is out.
NIGHT = (
    Step("守卫", _flow("11.进入第N天夜晚1，持续15分钟；"), ("守护之盾", "隔音之盾"), minutes=15),
    Step("吹笛", _flow("12.进入第N天夜晚2，持续15分钟；"), ("吹笛",), minutes=30),
    Step("先知", _STEP_13, ("预言",), minutes=45, early=True, whole=False),
    Step("狼人", _STEP_13, ("杀人",), minutes=45, whole=False),
    Step("白狼", _STEP_13, ("撕咬",), minutes=45),
    Step("女巫", _flow("14.进入第N天夜晚6，持续15分钟；"), ("通灵", "解药", "毒药"), minutes=60),
    _HUNTER,
    Step("濒死", _STEP_16, kind=StepKind.DYING, whole=False),
    Step("毒药", _STEP_16, kind=StepKind.POISON, whole=False),
    Step("反馈", _STEP_16, kind=StepKind.TELL),
)

# 夜0 by its switch: the two acts of 07.
_OPENING = {"归群": "白狼", "爱神之箭": "爱神"}
_ZERO = _flow("07.第零晚行动；")


def _opening(chosen: Mapping[str, Value]) -> tuple[Step, ...]:
    wanted = chosen["night0.order"]
    assert isinstance(wanted, tuple)
    return tuple(Step(_OPENING[skill], _ZERO, (skill,)) for skill in dict.fromkeys((*wanted, *_OPENING)))


# What each option lets the wolves do, in the words of 互知/共群/死狼除群.
_TOLD = {
    "A": "不可在论坛讨论日帖子外私下讨论",
    "B": "可在游戏日夜晚在群中自由讨论，出局/罚下的狼将被移除出群",
    "C": "可在任何时刻在群中自由讨论，出局/罚下的狼将被移除出群",
    "D": "可在游戏日夜晚在群中自由讨论，出局的狼仍在群中",
    "E": "可在任何时刻在群中自由讨论，出局的狼仍在群中",
}


def _channel(chosen: Mapping[str, Value]) -> WolfKnowledge:
    """互知/共群/死狼除群: A knows alone; B and D have the group by night, B and C drop whoever goes out."""
    letter = str(chosen["wolves.channel"])
    return WolfKnowledge(
        knows=True,
        group=letter != "A",
        camp_only=True,
        by_night=letter in ("B", "D"),
        drops_out=letter in ("B", "C"),
        told=_TOLD[letter],
    )


def play(chosen: Mapping[str, Value], policy: VotePolicy) -> Play:
    """How 马甲杀 is played, with its switches as they are chosen."""
    roles = make_roles(chosen)
    kill = next(skill for role in roles for skill in role.skills if skill == kill_skill(chosen))
    late = (_HUNTER,) if chosen["hunter.late_window"] is True else ()
    return Play(
        title="马甲杀",
        numbers=False,
        vests=True,
        roles=roles,
        camps=order_camps(chosen, _win(chosen)),
        village=VILLAGE,
        wolves=WOLVES,
        opening=_opening(chosen),
        steps=(*NIGHT, *late),
        chain=_chain(chosen),
        votes=read_votes(policy, 0),
        lovers=_lovers(chosen, kill),
        succession=Succession(
            clause=HEIR,
            act="殉职",
            out_successor=OutSuccessor.REASK,  # 须选择一名未出局的马甲
            timeout=choose(chosen, "succession.timeout", Draw),
            red_card=choose(chosen, "succession.redcard", Draw),
        ),
        last_words=LastWords(
            None, WORDS, no_code=False, longest=LONGEST, red_card_burns_slot=chosen["last_words.redcard_burns_slot"] is True
        ),
        wolf_knowledge=_channel(chosen),
        kill_cause="杀人",
        wins_first=chosen["win.win_before_loss"] is True,
        empty_camps_absent=chooses(chosen, "camp.empty", "absent"),
        granularity=choose(chosen, "win.granularity", Granularity),
        punishment=_punishment(chosen),
        feign_minutes=None,
        shot_minutes=15,
        dying=Dying(marked_when_immune=chosen["elder.mark_when_immune"] is True),
        feigning=Feigning(
            weightless=True,  # 则此后白痴投票不计入总票数
            votable=chosen["idiot.votable_after"] is True,
            repeats=chooses(chosen, "idiot.repeat", "unlimited"),
            badge=choose(chosen, "idiot.sheriff", FeignedBadge),
            shown=False,
        ),
        # 罚下的马甲不得参与讨论、投票、发动技能。马甲因罚下而离开游戏不触发相应出局技能。
        red_card_at_once=True,
        red_card_triggers=(Trigger.SUICIDE, Trigger.SUCCESSION)
        if chosen["redcard.triggers_suicide"] is True
        else (Trigger.SUCCESSION,),
        points=POINTS,
        publicity=policy.publicity,
    )


def _chain(chosen: Mapping[str, Value]) -> tuple[Trigger, ...]:
    two = (Trigger.SUICIDE, Trigger.SHOT)
    return (
        Trigger.PUNISHMENT,
        Trigger.DROP,
        *(two if chooses(chosen, "chain.hunter_vs_lover", "suicide_first") else two[::-1]),
        Trigger.RELEASE,
        Trigger.SUCCESSION,
    )


def _lovers(chosen: Mapping[str, Value], kill: Skill) -> Lovers:
    """情侣: 【遗志】 gives them the wolves' own 【杀人】, if one of them is a 狼人."""
    return Lovers(
        camp=LOVERS,
        widow=kill,
        widow_after=WOLVES,
        widow_needs_wolf=True,  # 若情侣中有狼人且情侣属于〖情侣阵营〗
        wolf_kills=chooses(chosen, "lover_wolf.kill", "keep"),
        late_sight=True,  # 如果先知为情侣之一，则在此时而非夜晚3给出反馈
    )


def _punishment(chosen: Mapping[str, Value]) -> Punishment:
    """因【杀人】、【撕咬】及其情侣由于非【投票】因素导致其【殉情】以外的其他因素出局时, 长老 being of the village."""
    both = chosen["skill.长寿之命"] == 2
    return Punishment(
        causes=("投票", "毒药", "最后一枪"),
        roles=(*SPECIALS, *ORDINARY) if both else ORDINARY,
        cancels_committed=chosen["elder.cancels_committed"] is True,
        holder_camp=VILLAGE,
        suicide_after=("投票",),
        published="所有特殊身份与普通身份" if both else "所有普通身份",
    )


def _win(chosen: Mapping[str, Value]) -> tuple[Camp, ...]:
    """胜负判定, camp by camp; 顺序为〖白狼阵营〗、〖吹笛阵营〗、〖情侣阵营〗、〖狼人阵营〗、〖村民阵营〗。"""
    return (
        Camp(
            WHITE,
            # 1.白狼在只有5个人未出局时自身未出局。
            wins=(FewLeft(Group(camp=WHITE), SURVIVORS, exactly=chooses(chosen, "white_wolf.survivors", "exact")),),
            losses=(AllOut(Group(camp=WHITE)),),  # 1.白狼出局。
        ),
        Camp(
            PIPERS,
            # 1.所有未出局的非情侣村民与狼人均处于癫狂状态。 Both are identities, whatever their camps.
            wins=(OthersChanted(Group(roles=("村民",), single=True), also=Group(roles=("狼人",), single=True)),),
            losses=(AllOut(Group(roles=("吹笛",))),),  # 1.吹笛出局。
        ),
        Camp(LOVERS, losses=(AllOut(Group(camp=LOVERS, lovers=True)),)),  # 1.情侣出局。
        Camp(
            WOLVES,
            wins=(HalfOfVotes(Group(camp=WOLVES)),),  # 1.狼人阵营存活的人数可投出的票数占总票数的一半或以上。
            losses=(AllOutOrChanted(Group(camp=WOLVES)),),  # 1.狼人阵营全部马甲均出局或处于癫狂状态。
            forfeits="杀人",  # 狼人阵营的狼人失去技能【杀人】，情侣获得技能【杀人】。
            forfeits_to_lovers=chooses(chosen, "wolves.lose_kill_on_loss", "only_with_遗志"),
            forfeit_told=False,  # 此事件触发时会通知情侣。
        ),
        Camp(
            VILLAGE,
            losses=(
                AllOut(Group(camp=VILLAGE, roles=SPECIALS)),  # 1.村民阵营中的特殊身份全部出局；
                AllOutOrChanted(Group(camp=VILLAGE, roles=("村民",))),  # 2.村民阵营中的村民全部出局或处于癫狂状态。
            ),
        ),
    )
