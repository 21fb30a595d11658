"""秘密数字杀: how it is played, in the order and the words of its rule post.

Read it beside the post: each clause is a sentence of it, to the character. Where the post is silent a switch says so; how a vote
is written it leaves open (its chapter 投票规则 is empty), and M29's rules stand in.
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.play.camps import AllLivingChanted, AllOut, Camp, Consent, Group, Half, OthersChanted
from engine.play.rules import (
    Draw,
    Granularity,
    LastWords,
    Lovers,
    NumbersList,
    OutSuccessor,
    Play,
    Punishment,
    SheriffShown,
    Step,
    StepKind,
    Succession,
    Trigger,
    WolfBallots,
    WolfKnowledge,
)
from engine.play.skillset import Effect, Kind, Role, Skill, Uses, Voice
from engine.ruleset import RuleSet
from engine.rulesets.choices import choose, chooses, order_camps, order_chain, read_votes
from engine.rulesets.secret_number_switches import CHAIN, SWITCHES
from engine.rulesets.secret_number_vote import VOTE
from engine.switches import Value
from tally.policy import Clause, VotePolicy

_TERMS = "用语定义"
_CAMPS = "身份与阵营"
_FLOW = "游戏流程"

WOLVES, VILLAGE, PIPERS, LOVERS = "狼人阵营", "村民阵营", "吹笛者阵营", "黑情侣阵营"
SPEED_UP_LEAD = 3 * 3600


def _camps(text: str, skill: str) -> Clause:
    return Clause(text, f"{_CAMPS} · {skill}")


def _flow(text: str) -> Clause:
    return Clause(text, f"{_FLOW} · 总体流程")


# 用语定义 · 遗言
WORDS = Clause("遗言数量等于狼人的数量，靠前出局且可以留下遗言的角色会收到可以留下遗言的通知。", f"{_TERMS} · 遗言")

# 【狼人阵营】 1、狼人
KILL = Skill(
    "杀人",
    Effect.KILL,
    _camps("杀人 —— 游戏日夜晚，每个狼人可以各自选择一个秘密数字，最早达到最高票数的非狼人秘密数字受到一次指杀。", "狼人 · 杀人"),
    aliases=("指杀",),
    voice=Voice.BALLOTS,
)

# 【村民阵营】 1、预言家
FORESEE = Skill(
    "预言",
    Effect.SEE_CAMP,
    _camps("预言 —— 游戏日夜晚，预言家可以选择一个秘密数字查验其阵营。", "预言家"),
    aliases=("查验",),
)

# 【村民阵营】 2、女巫
MEDIUM = Skill("通灵", Effect.SEE_KILLS, _camps("通灵<强制> —— 游戏日夜晚，反馈被指杀的秘密数字。", "女巫 · 通灵"), forced=True)
POISON = Skill(
    "毒药",
    Effect.POISON,
    _camps("毒药 —— 游戏日夜晚，女巫可以选择一个秘密数字，对其使用毒药。该秘密数字对应的角色在夜晚结束前出局。", "女巫 · 毒药"),
    uses=Uses.ONCE,  # <毒药>发动后，女巫失去技能<毒药>
    excludes=("救药",),  # 且在该夜晚不可发动技能<救药>
)

# 【村民阵营】 3、长老
LONG_LIFE = Skill(
    "长寿之命", Effect.LONG_LIFE, _camps("长寿之命<强制> —— 长老第一次被有效指杀时不会出局；", "长老 · 长寿之命"), forced=True
)
PUNISHED = ("女巫", "预言家", "猎人", "守卫", "白痴")

# 【村民阵营】 4、守卫
SHIELD = Skill(
    "守护之盾",
    Effect.SHIELD,
    _camps(
        "守护之盾 —— 游戏日夜晚，守卫可以选择一个秘密数字，使对其的指杀无效。每个秘密数字整局游戏只能成为该技能的目标一次。",
        "守卫",
    ),
    aliases=("守护",),
    uses=Uses.ONCE_PER_TARGET,
)
MUFFLE = Skill(
    "隔音之盾",
    Effect.MUFFLE,
    _camps(
        "隔音之盾 —— 游戏日夜晚，守卫可以选择一个秘密数字，使吹笛者对其的吹笛无效。"
        "每个秘密数字整局游戏只能成为该技能的目标一次。",
        "守卫",
    ),
    aliases=("隔音",),
    uses=Uses.ONCE_PER_TARGET,
)

# 【村民阵营】 5、丘比特
ARROW = Skill(
    "丘比特之箭",
    Effect.ARROW,
    _camps("丘比特之箭<强制> —— 游戏开始时，丘比特须选择两个秘密数字。这两个秘密数字对应的角色成为情侣。", "丘比特"),
    aliases=("金箭", "爱神之箭"),
    targets=2,
    forced=True,
)

# 【村民阵营】 6、猎人
LAST_SHOT = Skill(
    "最后一枪",
    Effect.SHOT,
    _camps("最后一枪 —— 当猎人出局后，猎人可以选择一个秘密数字，对其开枪。该秘密数字对应的角色立即出局。", "猎人"),
)

# 【村民阵营】 7、白痴
FEIGN = Skill(
    "装傻",
    Effect.FEIGN,
    _camps("装傻 —— 当白痴因投票而即将出局时，可以公布自己的秘密数字，避免出局，并公示。", "白痴"),
    targets=0,
)

# 【吹笛者阵营】 1、吹笛者
CHANT = Skill(
    "吹笛",
    Effect.CHANT,
    _camps(
        "吹笛 —— 游戏日夜晚，吹笛者可以选择一个秘密数字，对其吹笛。"
        "如果该秘密数字对应的角色不是情侣之一，且没有在当晚成为守卫<隔音之盾>的目标，则该角色进入吹笛状态。",
        "吹笛者",
    ),
)

# 【其他】 2、警长
HEIR = _camps("殉职<强制> —— 警长出局后，须选择一个秘密数字来继任警长。", "警长 · 殉职")

# 游戏流程 · 总体流程 1、游戏开始时，丘比特选择情侣。
OPENING = (Step("丘比特", _flow("1、游戏开始时，丘比特选择情侣。"), (ARROW.name,)),)

# 4、进入夜晚，以下身份如未出局、未失去技能，依次选择发动技能：
NIGHT = (
    Step("守卫", _flow("（1）守卫行动，可以选择守护之盾、隔音之盾的目标。"), (SHIELD.name, MUFFLE.name)),
    Step("吹笛者", _flow("（2）吹笛者行动，可以选择吹笛的目标。"), (CHANT.name,)),
    Step("狼人", _flow("（3）狼人行动，可以选择杀人的目标。"), (KILL.name,)),
    Step("女巫", _flow("（4）女巫行动，可能发动通灵、救药、毒药。"), (MEDIUM.name, "救药", POISON.name)),
    Step("预言家", _flow("（5）预言家行动，可以选择预言的目标。"), (FORESEE.name,), early=True),
    Step(
        "指杀",
        _flow("（6）指杀结算：一、被指杀的角色如果是守护之盾的目标，指杀无效，否则有效。"),
        kind=StepKind.KILLS,
    ),
    Step("毒药", _flow("（7）毒药结算，如女巫发动<毒药>，此时毒药生效，被毒害的角色出局。"), kind=StepKind.POISON),
)


def _roles(chosen: Mapping[str, Value] | None = None) -> tuple[Role, ...]:
    """The roles of the post in its order; two switches say what 救药 may be aimed at."""
    save = Skill(
        "救药",
        Effect.SAVE,
        _camps(
            "救药 —— 游戏日夜晚，女巫可以选择一个秘密数字，对其使用救药。该秘密数字对应的角色当晚不会因被指杀而出局。",
            "女巫 · 救药",
        ),
        aliases=("解药",),
        uses=Uses.ONCE,  # <救药>使用后，女巫失去技能<救药>。
        others_only=chosen is not None and chosen["witch.save_self"] is False,
        must_be_killed=chosen is not None and chosen["witch.save_any"] is False,
        excludes=("毒药",),  # <救药>发动后，在该夜晚不可发动技能<毒药>。
        spends=("通灵",),  # 女巫失去<救药>技能后，失去技能<通灵>。
    )
    return (
        Role("狼人", ("狼",), WOLVES, Kind.WOLF, (KILL,), None),
        Role("预言家", ("预言",), VILLAGE, Kind.SPECIAL, (FORESEE,)),
        Role("女巫", (), VILLAGE, Kind.SPECIAL, (MEDIUM, save, POISON)),
        Role("长老", (), VILLAGE, Kind.SPECIAL, (LONG_LIFE,)),
        Role("守卫", (), VILLAGE, Kind.SPECIAL, (SHIELD, MUFFLE)),
        Role("丘比特", ("爱神", "丘"), VILLAGE, Kind.PLAIN, (ARROW,)),
        Role("猎人", (), VILLAGE, Kind.PLAIN, (LAST_SHOT,)),
        Role("白痴", (), VILLAGE, Kind.PLAIN, (FEIGN,)),
        Role("村民", ("民",), VILLAGE, Kind.VILLAGER, (), None, Clause("8、村民：若干人", _CAMPS)),
        Role("吹笛者", ("笛子", "吹笛"), PIPERS, Kind.PLAIN, (CHANT,)),
    )


ROLES = _roles()
SPECIALS = tuple(role.name for role in ROLES if role.kind is Kind.SPECIAL)


def play(chosen: Mapping[str, Value], policy: VotePolicy) -> Play:
    """How 秘密数字杀 is played, with its switches as they are chosen."""
    return Play(
        title="秘密数字杀",
        numbers=True,
        roles=_roles(chosen),
        camps=order_camps(chosen, _win(chosen)),
        village=VILLAGE,
        wolves=WOLVES,
        opening=OPENING,
        steps=NIGHT,
        # 被枪杀的角色立即在猎人出局之后出局 is text; the rest of the order is this program's.
        chain=_chain(chosen),
        votes=read_votes(policy, SPEED_UP_LEAD),
        lovers=Lovers(camp=LOVERS),
        succession=Succession(
            clause=HEIR,
            act="殉职",
            out_successor=choose(chosen, "succession.on_out_target", OutSuccessor),
            timeout=choose(chosen, "succession.timeout", Draw),
            red_card=choose(chosen, "succession.redcard", Draw),
            minutes=10,
        ),
        last_words=LastWords(None, WORDS, red_card_burns_slot=chosen["last_words.redcard_burns_slot"] is True),
        wolf_knowledge=WolfKnowledge(knows=True, group=chosen["wolves.group"] is True),  # 更新：狼人不再共群。
        kill_cause="指杀",
        wins_first=chosen["win.win_before_loss"] is True,
        empty_camps_absent=chooses(chosen, "camp.empty", "absent"),
        shot_before_win=chosen["win.defer_for_pending_shot"] is True,
        granularity=choose(chosen, "win.granularity", Granularity),
        # 当长老因投票、女巫<毒药>、猎人<最后一枪>而出局后，女巫、预言家、猎人、守卫、白痴将失去技能。
        punishment=Punishment(
            causes=("投票", "毒药", "最后一枪"),
            roles=PUNISHED,
            only_camp=VILLAGE if chooses(chosen, "elder.victims", "village_camp") else "",
            cancels_committed=chosen["elder.cancels_committed"] is True,
        ),
        wolf_ballots=WolfBallots(
            before_maximum=chooses(chosen, "wolf_kill.filter", "before"),
            lover_immune=chosen["lover_wolf.immune"] is True,
            lover_votes=chooses(chosen, "lover_wolf.kill", "keep"),
        ),
        numbers_list=choose(chosen, "announce.numbers", NumbersList),
        sheriff_shown=choose(chosen, "announce.sheriff", SheriffShown),
    )


def _chain(chosen: Mapping[str, Value]) -> tuple[Trigger, ...]:
    chain = order_chain(chosen, CHAIN)
    if chooses(chosen, "chain.hunter_vs_lover", "shot_first"):
        return chain
    swap = {Trigger.SHOT: Trigger.SUICIDE, Trigger.SUICIDE: Trigger.SHOT}
    return tuple(swap.get(trigger, trigger) for trigger in chain)


def _win(chosen: Mapping[str, Value]) -> tuple[Camp, ...]:
    """胜负判定, camp by camp as the post has them."""
    villagers = Group(camp=VILLAGE, roles=("村民",))
    # 村民阵营的预言家、女巫、守卫、长老出局: all of them, or any.
    specials = AllOut(Group(camp=VILLAGE, roles=SPECIALS), chooses(chosen, "village.special_loss", "any"))
    lovers = Group(camp=LOVERS, lovers=chooses(chosen, "black_lovers.loss", "lovers_only"))
    return (
        Camp(
            WOLVES,
            wins=(Half(Group(camp=WOLVES)),),  # 1、狼人阵营存活的人数占总存活人数的一半或一半以上。
            losses=(
                AllOut(Group(camp=WOLVES)),  # 1、狼人阵营的角色全部出局；
                AllLivingChanted(Group(camp=WOLVES)),  # 2、狼人阵营存活的角色全部被吹笛。
            ),
            surrender=Consent.PACK,  # 狼人阵营的投降需要询问狼群中所有角色: also of a wolf who is a black lover.
            anybody_begins=True,  # 均可以由阵营中的某一角色发起投降。
            forfeits="" if chooses(chosen, "wolves.lose_kill_on_loss", "never") else KILL.name,
        ),
        Camp(
            VILLAGE,
            losses=(
                specials,  # 1、村民阵营的预言家、女巫、守卫、长老出局；
                AllOut(villagers),  # 2、村民阵营的村民全部出局；
                AllLivingChanted(villagers),  # 3、村民阵营存活的村民全部被吹笛。
            ),
        ),
        Camp(
            PIPERS,
            # 1、所有存活的单身村民被吹笛、所有存活的狼人阵营的单身角色被吹笛。 村民 is the identity, whatever its camp.
            wins=(OthersChanted(Group(roles=("村民",), single=True), also=Group(camp=WOLVES, single=True)),),
            losses=(AllOut(Group(roles=("吹笛者",))),),  # 1、吹笛者出局。
            surrender=Consent.MEMBERS,
            anybody_begins=True,
        ),
        Camp(
            LOVERS,
            losses=(AllOut(lovers),),  # 1、黑情侣阵营的角色全部出局。
            surrender=Consent.LOVERS,  # 黑情侣阵营的投降需要询问情侣，不需要单独询问同阵营的单身丘比特。
            anybody_begins=True,
        ),
    )


SECRET_NUMBER = RuleSet(
    id="secret-number",
    title="秘密数字杀",
    vote=VOTE,
    roles=ROLES,
    switches=SWITCHES,
    speed_up_lead=SPEED_UP_LEAD,
    play=play,
)
