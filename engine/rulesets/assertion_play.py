"""断言: who plays, what they can do, in which order, and who wins, in the order and the words of its rule post.

Read it beside the post: each clause is a sentence of it, to the character. How it votes stands in `assertion_vote`.
Nobody ever goes out: 本规则没有出局概念，所有游戏开始时处于游戏内的角色直到游戏结束前始终处于游戏内。
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.play.camps import AllSouls, Camp, Group, OthersChanted, PrayedRight
from engine.play.rules import NO_LOVERS, NO_SUCCESSION, Granularity, LastWords, Play, Step, StepKind, WolfKnowledge
from engine.play.skillset import WEIGHTS, Effect, Kind, Role, Skill, Takes, Uses
from engine.rulesets.assertion_vote import BITE, DRINK, INTERROGATION, MANIPULATION, STALK, VAMPIRES, VILLAGERS, WOLVES
from engine.rulesets.choices import choose, chooses, order_camps, read_votes
from engine.switches import Value
from tally.policy import Clause, VotePolicy

_CAMPS = "身份与阵营"
_FLOW = "游戏流程"

VILLAGE, WOLF_CAMP, VAMPIRE_CAMP, PIPE = "村民阵营", "狼人阵营", "吸血鬼阵营", "吹笛者阵营"
PIPERS = "吹笛者"
# 你可以选择令自己次日的票加倍计算或无效
DOUBLED = tuple(WEIGHTS)


def _camps(text: str, skill: str) -> Clause:
    return Clause(text, f"{_CAMPS} · {skill}")


def _flow(text: str) -> Clause:
    return Clause(text, f"{_FLOW} · 总体流程")


# 【村民阵营】 村民
PRAYER = Skill("祈祷", Effect.PRAY, _camps("祈祷——游戏日夜晚，可以提交一份身份表。", "村民 · 祈祷"), takes=Takes.TABLE)
BOND = Skill(
    "羁绊",
    Effect.BIND,
    _camps(
        "羁绊——游戏日夜晚，选择一名角色，使得该角色当夜不会进入灵魂状态或吹笛状态。不能重复选择角色。只有处于灵魂状态时可以使用此技能。",
        "村民 · 羁绊",
    ),
    uses=Uses.ONCE_PER_TARGET,  # 不能重复选择角色: each 村民 for himself
    souls_only=True,
)

# 【狼人阵营】 狼人
HOWL = Skill("嚎叫", Effect.SEE_ROLE, _camps("嚎叫——游戏日夜晚，选择一名角色，获知是否是狼人。", "狼人 · 嚎叫"), asks=WOLVES)
STALKING = Skill("潜行", Effect.WEIGH, STALK, takes=Takes.WORD, choices=DOUBLED, souls_only=True)

# 【吸血鬼阵营】 吸血鬼
BREATH = Skill(
    "气息", Effect.SEE_ROLE, _camps("气息——游戏日夜晚，选择一名角色，获知是否是吸血鬼。", "吸血鬼 · 气息"), asks=VAMPIRES
)
HIDING = Skill(
    "隐匿",
    Effect.WEIGH,
    _camps("隐匿——游戏日夜晚，你可以选择令自己次日的票加倍计算或无效。只有处于灵魂状态时可以使用此技能。", "吸血鬼 · 隐匿"),
    takes=Takes.WORD,
    choices=DOUBLED,
    souls_only=True,
)

# 【吹笛者阵营】 吹笛者
CHANT = Skill(
    "吹笛",
    Effect.CHANT,
    _camps("吹笛——游戏日夜晚，选择一名角色，该角色进入吹笛状态。进入吹笛状态的角色名单不会被任何角色知道。", "吹笛者 · 吹笛"),
)
BEWITCH = Skill(
    "蛊惑",
    Effect.GUESS,
    _camps(
        "蛊惑——游戏日夜晚，选择一名未被公示身份的角色并猜测其身份，如果正确该角色进入吹笛状态。只有处于灵魂状态时可以使用此技能。",
        "吹笛者 · 蛊惑",
    ),
    takes=Takes.GUESS,
    souls_only=True,
    hidden_only=True,
)

# 每个身份拥有三个技能，在白天发动的技能、在夜晚发动的正常技能及灵魂技能。
ROLES = (
    Role(
        VILLAGERS,
        ("民",),
        VILLAGE,
        Kind.VILLAGER,
        (Skill("审讯", Effect.BALLOT, INTERROGATION), PRAYER, BOND),
        count=None,  # 村民：4人以上
    ),
    Role(
        WOLVES,
        ("狼",),
        WOLF_CAMP,
        Kind.WOLF,
        (Skill("撕咬", Effect.BALLOT, BITE), HOWL, STALKING),
        count=4,  # 狼人：4人
    ),
    Role(
        VAMPIRES,
        (),
        VAMPIRE_CAMP,
        Kind.PLAIN,
        (Skill("血饮", Effect.BALLOT, DRINK), BREATH, HIDING),
        count=4,  # 吸血鬼：4人
    ),
    Role(
        PIPERS,
        ("笛子", "吹笛"),
        PIPE,
        Kind.PLAIN,
        (Skill("操纵", Effect.MANIPULATE, MANIPULATION, targets=2), CHANT, BEWITCH),
        count=2,  # 吹笛者：2人
    ),
)

_NIGHT = _flow("3、进入夜晚，按照狼人/吸血鬼、村民、吹笛者的顺序依次选择发动夜晚技能并结算。")
_SETTLE = _flow("4、结算夜晚技能以后，按照先村民，后狼人/吸血鬼的顺序结算白天投票技能的效果。")

# 狼人/吸血鬼 are one step of the post; what they do touches nobody else's, so each may be closed for itself.
NIGHT = (
    Step(WOLVES, _NIGHT, (HOWL.name, STALKING.name), early=True, whole=False),
    Step(VAMPIRES, _NIGHT, (BREATH.name, HIDING.name), early=True, whole=False),
    Step(VILLAGERS, _NIGHT, (PRAYER.name, BOND.name), whole=False),
    Step(PIPERS, _NIGHT, (CHANT.name, BEWITCH.name)),
    Step("审讯", _SETTLE, ("审讯",), kind=StepKind.POLLS, whole=False),
    Step("撕咬/血饮", _SETTLE, ("撕咬", "血饮"), kind=StepKind.POLLS),
)


def play(chosen: Mapping[str, Value], policy: VotePolicy) -> Play:
    """How 断言 is played, with its switches as they are chosen."""
    return Play(
        title="断言",
        numbers=False,
        roles=ROLES,
        camps=order_camps(chosen, WINS),
        village=VILLAGE,
        wolves=WOLF_CAMP,
        opening=(),
        steps=NIGHT,
        chain=(),
        votes=read_votes(policy, 0),
        lovers=NO_LOVERS,
        succession=NO_SUCCESSION,
        last_words=LastWords(0, Clause("", "")),
        wolf_knowledge=WolfKnowledge(knows=False, group=False),
        kill_cause="",
        wins_first=True,
        granularity=choose(chosen, "win.granularity", Granularity),
        eliminates=False,
        last_standing=False,  # 胜负判定 has conditions of winning and none of losing
        tells_chanted=False,  # 进入吹笛状态的角色名单不会被任何角色知道。
        prays_for_all=chooses(chosen, "prayer.table", "all"),
    )


# 胜负判定, camp by camp as the post has them.
WINS = (
    Camp(VILLAGE, wins=(PrayedRight(Group(camp=VILLAGE)),)),  # 任一村民祈祷正确。
    # 狼人阵营和吸血鬼阵营可以共同获胜。
    Camp(WOLF_CAMP, wins=(AllSouls(Group(camp=VAMPIRE_CAMP)),), shares=(VAMPIRE_CAMP,)),  # 所有吸血鬼进入灵魂状态。
    Camp(VAMPIRE_CAMP, wins=(AllSouls(Group(camp=WOLF_CAMP)),), shares=(WOLF_CAMP,)),  # 所有狼人进入灵魂状态。
    Camp(PIPE, wins=(OthersChanted(Group(outside=PIPE)),)),  # 除吹笛者外的角色均进入吹笛状态。
)
