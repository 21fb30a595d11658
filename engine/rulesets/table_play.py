"""面杀, with 拓展规则: how it is played, in the order and the words of its rule post; roles and skills stand in `table_roles`.

Read it beside the post: each clause is a sentence of it, to the character. The post ends at a heading 「五」 with nothing under
it, and has no 新月 card: what asks for them is refused.
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.play.camps import AllLivingChanted, AllOut, Camp, ClanOut, Group, Half, OnlyLeft, OthersChanted, VotedOut
from engine.play.rules import (
    Deputy,
    Draw,
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
from engine.play.skillset import Kind, Role
from engine.rulesets.choices import choose, chooses, order_camps, read_votes
from engine.rulesets.table_roles import (
    ALONE,
    ARROW,
    BIGOTS,
    CALL_MOON,
    CHANT,
    CHARGE,
    CLANS,
    CURSE,
    EXTRA,
    FACE,
    FEIGN,
    FORESEE,
    INFECT,
    KILL,
    LOVERS,
    MEDIUM,
    MODEL,
    MUFFLE,
    NAMED,
    OPPOSE,
    PIPERS,
    POISON,
    SAVE,
    SHIELD,
    SNIFF,
    SUPPORT,
    TAKE_SIDE,
    TRADE,
    VILLAGE,
    WHITE,
    WIDOW,
    WOLVES,
    list_roles,
)
from engine.switches import Value
from tally.policy import Clause, VotePolicy

_TERMS, _CAMPS, _FLOW, _MORE = "1. 用语定义", "3. 身份与阵营", "5. 游戏流程", "四 拓展规则"
# 天使 has a goal of his own beside that of 村民阵营.
ANGEL = "天使"
# 面杀 opens with 夜1: its first daytime is 日2.
FIRST_NIGHT, FIRST_DAYTIME = 1, 2

WORDS = Clause("遗言数量与狼人数量相同。", f"{_TERMS} · 1.4 遗言")
HEIR = Clause("殉职<强制>——警长并非白痴,出局后,须选择一名未出局的角色来继任警长。", f"{_CAMPS} · 警长 · 殉职")
DEPUTY = Clause("执警由警长任命,警长也可以随时任免其,警长不能任命自己为执警。", f"{_MORE} · 执警")


def _flow(text: str) -> Clause:
    return Clause(text, _FLOW)


# 5. 游戏流程 1–4, and 野孩子 在丘比特点完情侣,情侣确认完毕后. Each waits only until who is asked has chosen.
OPENING = (
    Step("盗贼", _flow("1、盗贼行动。"), (TRADE.name,), at_once=True),
    Step("狼狗", TAKE_SIDE.clause, (TAKE_SIDE.name,), at_once=True),
    Step("丘比特", _flow("2、丘比特行动。"), (ARROW.name,), at_once=True),
    Step("混血", _flow("4、混血行动。"), (SUPPORT.name,), at_once=True),
    Step(
        "野孩子",
        Clause("游戏开始后:在丘比特点完情侣,情侣确认完毕后,野孩子确认【榜样】。", f"{_MORE} · 野孩子"),
        (MODEL.name,),
        at_once=True,
    ),
    Step("老爷爷", OPPOSE.clause, (OPPOSE.name,), at_once=True),
    Step("情侣互相确认", _flow("3、情侣互相确认。"), kind=StepKind.CAMPS),
)


def list_steps(chosen: Mapping[str, Value]) -> tuple[Step, ...]:
    """5、夜间行动, with the turns of 拓展规则 where their sentences put them."""
    extra = (EXTRA,) if chosen["wolves.extra_kill"] else ()
    face = (Step("变脸者", FACE.clause, (FACE.name,), at_once=True),) if _has(chosen, "变脸者") else ()
    return (
        *face,  # 每天晚上开始时
        Step("守卫", _flow("5.1守卫行动。可以选择守护、隔音的目标。"), (SHIELD.name, MUFFLE.name)),
        Step("吹笛者", _flow("5.2吹笛者行动。可以选择魅惑的目标。"), (CHANT.name,)),
        Step("狼人", _flow("5.3狼人行动。可以选择杀人的目标,指杀一名角色。"), (KILL.name, *extra, INFECT.name)),
        Step("大野狼", CHARGE.clause, (CHARGE.name,)),  # 在狼人们杀完人后
        Step("白狼", ALONE.clause, (ALONE.name,)),  # 在和同伴们一起杀人之后
        Step("黑情侣", _flow("5.4狼人黑情侣行动。狼人优先判负后,<寡妇刀>选择杀人的目标,指杀一 名角色。"), (WIDOW.name,)),
        Step("预言家", _flow("5.5 预言家行动,可以选择预言的目标。"), (FORESEE.name,), early=True),
        Step("狐狸", SNIFF.clause, (SNIFF.name,), early=True),
        Step(
            "女巫",
            _flow("5.6女巫行动,可能发动通灵、救药、毒药。但是被毒药的目标出局结算不 在此时。"),
            (MEDIUM.name, SAVE, POISON),
        ),
        Step("指杀", _flow("5.7指杀结算,一、被指杀的角色如果是守护的目标,指杀无效,否则有效。"), kind=StepKind.KILLS),
        Step("毒药", _flow("5.8毒药结算,如女巫发动<毒药>,此时毒药生效,被毒害的角色出局。"), kind=StepKind.POISON),
        Step("吉普赛娘", CALL_MOON.clause, (CALL_MOON.name,)),
        Step("乌鸦", CURSE.clause, (CURSE.name,)),  # 每天晚上最后时刻
        Step(
            "病逝",
            Clause("在锈刃骑士被宣布死亡后的下一个早晨,该狼人因伤口感染病逝。", f"{_MORE} · 锈刃骑士"),
            kind=StepKind.SICKNESS,
        ),
    )


def _has(chosen: Mapping[str, Value], role: str) -> bool:
    enabled = chosen["roles.enabled"]
    return isinstance(enabled, tuple) and role in enabled


def _chain(chosen: Mapping[str, Value]) -> tuple[Trigger, ...]:
    """猎人出局后立即执行<我不会轻易地狗带>: the shot before 殉情, or by the switch behind it."""
    two = (Trigger.SHOT, Trigger.SUICIDE)
    return (
        Trigger.SERVANT,
        Trigger.PUNISHMENT,
        Trigger.DROP,
        *(two if chooses(chosen, "chain.hunter_vs_lover", "shot_first") else two[::-1]),
        Trigger.RELEASE,
        Trigger.MODEL,
        Trigger.RUST,
        Trigger.BAN,
        Trigger.SUCCESSION,
    )


def play(chosen: Mapping[str, Value], policy: VotePolicy) -> Play:
    """How 面杀 is played, with its switches as they are chosen."""
    roles = list_roles(chosen)
    return Play(
        title="面杀",
        numbers=False,
        roles=roles,
        # 他单独胜利: before every other.
        camps=(*_angel(chosen), *order_camps(chosen, _win(chosen, roles))),
        village=VILLAGE,
        wolves=WOLVES,
        opening=OPENING if _has(chosen, "狼狗") else tuple(step for step in OPENING if step.name != "狼狗"),
        steps=list_steps(chosen),
        chain=_chain(chosen),
        votes=read_votes(policy, 0),
        lovers=Lovers(
            camp=LOVERS,
            lone_wolf_loses=(KILL.name, EXTRA),  # 该阵营共群的角色: a wolf who left for the lovers' camp is not of them.
            widow=WIDOW,
            widow_after=WOLVES,
            widow_wolves=True,  # 情侣中的狼人,额外获得<寡妇刀>。
            widow_once=chooses(chosen, "widow_knife.duration", "one_night"),
        ),
        succession=Succession(
            clause=HEIR,
            act="殉职",
            out_successor=OutSuccessor.REASK,  # 须选择一名未出局的角色
            timeout=choose(chosen, "succession.timeout", Draw),
            red_card=choose(chosen, "succession.redcard", Draw),
            ends_with=(FEIGN.effect,),  # 警长并非白痴
        ),
        last_words=LastWords(
            None,
            WORDS,
            no_code=False,
            red_card_burns_slot=chosen["last_words.redcard_burns_slot"] is True,
            at_once=True,  # 白天出局的玩家立即留下遗言
        ),
        wolf_knowledge=WolfKnowledge(knows=True, group=True),
        kill_cause="指杀",
        wins_first=chosen["win.win_before_loss"] is True,
        empty_camps_absent=chooses(chosen, "camp.empty", "absent"),
        granularity=choose(chosen, "win.granularity", Granularity),
        # 当长老因投票、女巫<毒药>或猎人<最后一枪>而出局后,女巫、预言家、猎人、守卫、白痴等村民阵营的特殊身份将失去技能。
        punishment=Punishment(
            causes=("投票", "毒药", "最后一枪"),
            roles=NAMED if chooses(chosen, "elder.roles", "named") else _specials(roles),
            cancels_committed=chosen["elder.cancels_committed"] is True,
        ),
        feigning=Feigning(badge=FeignedBadge.DESTROY),  # 发动此技能时,若白痴是警长,<警徽>将移除游戏。
        first_night=FIRST_NIGHT,
        # 村民阵营 has no sentence by which it is lost when all its seats are out.
        asks_when_alone=True,
        left=1 if chooses(chosen, "seat.left", "higher") else -1,
        clans=CLANS,
        deputy=Deputy("执警", "任命", "免职", "选新月卡", DEPUTY) if _has(chosen, "执警") else None,
    )


def _specials(roles: tuple[Role, ...]) -> tuple[str, ...]:
    """村民阵营的特殊身份: all of its identities but 村民 and 高级村民."""
    here = {role.name for role in roles}
    return tuple(
        role.name for role in list_roles() if role.camp == VILLAGE and role.kind is not Kind.VILLAGER and role.name in here
    )


def _angel(chosen: Mapping[str, Value]) -> tuple[Camp, ...]:
    """当天使在第一个早晨被投票处决时,他单独胜利。"""
    if not _has(chosen, ANGEL):
        return ()
    return (Camp(ANGEL, wins=(VotedOut(Group(roles=(ANGEL,)), FIRST_DAYTIME, "投票"),), aside=True),)


def _win(chosen: Mapping[str, Value], roles: tuple[Role, ...]) -> tuple[Camp, ...]:
    """4. 胜利条件, camp by camp as the post has them, then those of 拓展规则."""
    villagers = Group(camp=VILLAGE, roles=("村民",))
    elimination = (
        AllOut(Group(camp=VILLAGE, roles=_specials(roles))),
        AllOut(villagers),
    )
    forfeits = KILL.name if chooses(chosen, "wolves.lose_kill_on_loss", "always") else ""
    camps = (WOLVES, VILLAGE, PIPERS, LOVERS, WHITE)
    return (
        Camp(
            WOLVES,
            wins=(Half(Group(camp=WOLVES)),),  # 1、狼人阵营存活的人数占总存活人数的一半或一半以上。
            losses=(
                AllOut(Group(camp=WOLVES)),  # 1、狼人阵营的角色全部出局,
                AllLivingChanted(Group(camp=WOLVES)),  # 2、狼人阵营的存活的角色全部被吹笛。
            ),
            forfeits=forfeits,
            shares=(BIGOTS,),
        ),
        Camp(
            VILLAGE,
            losses=(
                *(elimination if chooses(chosen, "village.loss", "sds_like") else ()),
                AllLivingChanted(villagers),  # 1、村民阵营存活的村民全部被吹笛。
            ),
            shares=(BIGOTS,),
        ),
        Camp(
            PIPERS,
            # 1、所有存活的单身村民被吹笛、所有存活的狼人阵营的单身角色被吹笛。 村民 is the identity, whatever its camp.
            wins=(OthersChanted(Group(roles=("村民",), single=True), also=Group(camp=WOLVES, single=True)),),
            losses=(AllOut(Group(roles=("吹笛者",))),),  # 1、吹笛者出局。
            shares=(BIGOTS,),
        ),
        Camp(LOVERS, losses=(AllOut(Group(camp=LOVERS)),), shares=(BIGOTS,)),  # 1、黑情侣阵营的角色全部出局。
        # 白狼获胜的条件是,将场上所有的人全部杀掉。 That it is lost when he is out is no sentence of the post.
        Camp(WHITE, wins=(OnlyLeft(Group(camp=WHITE)),), losses=(AllOut(Group(camp=WHITE)),), shares=(BIGOTS,)),
        # 如果他干掉另一派的话游戏结束,老爷爷单独胜利。特殊情况发生时,可以与其他阵营共赢。
        Camp(BIGOTS, wins=(ClanOut(Group(camp=BIGOTS)),), losses=(AllOut(Group(camp=BIGOTS)),), shares=camps),
    )
