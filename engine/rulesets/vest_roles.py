"""马甲杀: its identities and their skills, with every numbered variant, in the order and the words of its rule post.

Read it beside the post: each clause is a sentence of it, to the character. A game has one variant of each numbered skill.
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.play.skillset import Effect, Kind, OneOf, Role, Sight, Skill, Takes, Uses, Voice
from engine.switches import Value
from tally.policy import Clause

_CAMPS = "身份阵营"

WOLVES, WHITE, VILLAGE, PIPERS, LOVERS = "狼人阵营", "白狼阵营", "村民阵营", "吹笛阵营", "情侣阵营"
CAMPS = (WHITE, PIPERS, LOVERS, WOLVES, VILLAGE)


def _skill(text: str, role: str) -> Clause:
    return Clause(text, f"{_CAMPS} · 三、身份与技能 · {role}")


# The variant of each numbered skill by its number. 1.先知
_FORESEE = {
    1: (
        Sight.VILLAGE,
        "【预言1】游戏日夜晚，可查验某一存活马甲的身份，若该马甲属于村民阵营，则反馈“村民阵营”，否则反馈为“非村民阵营”。每晚限用一次。",
    ),
    2: (Sight.CAMP, "【预言2】游戏日夜晚，可查验某一存活马甲的身份，反馈该马甲所属阵营。每晚限用一次。"),
    3: (Sight.ROLE, "【预言3】游戏日夜晚，可查验某一存活马甲的身份，反馈该马甲身份。每晚限用一次。"),
}
# 2.女巫
_MEDIUM = {
    1: "【通灵1】<锁定技>游戏日夜晚，可得知当晚成为【杀人】、【撕咬】目标的马甲名单。",
    2: "【通灵2】<锁定技>游戏日夜晚，可得知当晚濒死状态的马甲名单。",
}
_SAVE = {
    1: "【解药1】<限定技>游戏日夜晚，可选择一名濒死状态的马甲，使之进入存活状态。若该技能已发动，则女巫失去【通灵】。",
    2: "【解药2】<限定技>游戏日夜晚，可选择一名濒死状态的其他马甲，使之进入存活状态。若该技能已发动，则女巫失去【通灵】。",
}
_POISON = {
    1: "【毒药1】<限定技>游戏日夜晚，可选择一名马甲，使之立即出局。",
    2: "【毒药2】<限定技>游戏日夜晚，可选择一名马甲，若女巫当晚未由于【杀人】或【撕咬】出局，则该马甲出局。",
}
# 3.守卫
_SHIELD = {
    1: "【守护之盾1】游戏日夜晚，可选择一名马甲，使之免疫【杀人】、【撕咬】，每名马甲只能成为该技能使用对象一次。",
    2: "【守护之盾2】游戏日夜晚，可选择一名马甲，使之免疫【杀人】或【撕咬】，每名马甲只能成为该技能使用对象一次。",
    3: "【守护之盾3】游戏日夜晚，可选择一名马甲，使之免疫【杀人】、【撕咬】，不能连续两晚同时对同一名马甲使用。",
    4: "【守护之盾4】游戏日夜晚，可选择一名马甲，使之免疫【杀人】或【撕咬】，不能连续两晚同时对同一名马甲使用。",
}
_MUFFLE = {
    1: "【隔音之盾1】游戏日夜晚，可选择一名马甲，使之免疫【吹笛】，每名马甲只能成为该技能使用对象一次。",
    2: "【隔音之盾2】游戏日夜晚，可选择一名马甲，使之免疫【吹笛】，不能连续两晚同时对同一名马甲使用。",
}
# 4.长老
_LONG_LIFE = {
    1: "【长寿之命1】<锁定技>如长老在某一夜晚同时成为【杀人】与【撕咬】的使用对象，则获得一个标记。",
    2: "【长寿之命2】<锁定技>如长老在某一夜晚同时成为【杀人】与【撕咬】的使用对象，则获得一个标记。",
}
# 7.爱神
_ARROW = {
    1: "【爱神之箭1】<锁定技>在第零日夜晚，爱神须指定两名马甲成为情侣，此两名马甲互知共群。爱神转变为与情侣相同阵营。",
    2: "【爱神之箭2】<锁定技>在第零日夜晚，爱神须指定两名其他马甲成为情侣，此两名马甲互知共群。爱神转变为与情侣相同阵营。",
}
# 9.狼人
_KILL = {
    1: "【杀人1】游戏日夜晚，随机一名存活状态的狼人可以选择一名马甲进入濒死状态。",
    2: "【杀人2】游戏日夜晚，所有存活状态的狼人可以共同选择一名马甲，使之进入濒死状态。",
}

LAST_SHOT = _skill("【最后一枪】猎人出局时，可在15分钟内决定一名存活马甲出局。", "猎人")
FEIGN = Skill(
    "装傻",
    Effect.FEIGN,
    _skill("【装傻】白痴可发动技能免于投票出局，若白痴发动此技能，则此后白痴投票不计入总票数。", "白痴"),
    targets=0,
)
CHANT = Skill(
    "吹笛",
    Effect.CHANT,
    _skill("【吹笛】游戏日夜晚，可选择一名马甲，若该马甲不为情侣之一，则该马甲进入癫狂状态。", "吹笛"),
    unchanted_only=True,  # 二、概览: 任一存活且未癫狂
)
JOIN = Skill(
    "归群",
    Effect.JOIN,
    _skill("【归群】第零日夜晚，白狼得知所有狼人的马甲，并可选择与所有狼人互知共群，阵营改变为〖狼人阵营〗。", "白狼"),
    targets=0,
)
BITE = Skill(
    "撕咬",
    Effect.KILL,
    _skill("【撕咬】每两晚（1~2、3~4等）白狼可选择一名马甲，使之进入濒死状态。", "白狼"),
    uses=Uses.ONCE_IN_TWO_NIGHTS,
)


def _variant(chosen: Mapping[str, Value], skill: str) -> int:
    value = chosen[f"skill.{skill}"]
    assert isinstance(value, int)
    return value


def kill_skill(chosen: Mapping[str, Value]) -> Skill:
    """【杀人】 of the game: lovers who gain it have the same."""
    number = _variant(chosen, "杀人")
    voice = Voice.DRAWN if number == 1 else Voice.JOINT
    return Skill("杀人", Effect.KILL, _skill(_KILL[number], "狼人"), voice=voice)


def _witch(chosen: Mapping[str, Value]) -> tuple[Skill, ...]:
    medium, save, poison = (_variant(chosen, skill) for skill in ("通灵", "解药", "毒药"))
    both = chosen["witch.both_same_night"] is True
    return (
        Skill("通灵", Effect.SEE_KILLS, _skill(_MEDIUM[medium], "女巫"), forced=True, only_dying=medium == 2),
        Skill(
            "解药",
            Effect.SAVE,
            _skill(_SAVE[save], "女巫"),
            aliases=("救药",),
            uses=Uses.ONCE,
            others_only=save == 2,
            excludes=() if both else ("毒药",),
            spends=("通灵",),  # 若该技能已发动，则女巫失去【通灵】。
            wasted=chosen["witch.save_illegal"] == "consume",
        ),
        Skill(
            "毒药",
            Effect.POISON,
            _skill(_POISON[poison], "女巫"),
            uses=Uses.ONCE,
            excludes=() if both else ("解药",),
            at_once=poison == 1,
            fails_if_killed=poison == 2,
        ),
    )


def _guard(chosen: Mapping[str, Value]) -> tuple[Skill, ...]:
    shield, muffle = _variant(chosen, "守护之盾"), _variant(chosen, "隔音之盾")
    one_of = OneOf(str(chosen["guard.or_choice"])) if shield in (2, 4) else None
    return (
        Skill(
            "守护之盾",
            Effect.SHIELD,
            _skill(_SHIELD[shield], "守卫"),
            aliases=("守护",),
            uses=Uses.ONCE_PER_TARGET if shield in (1, 2) else Uses.NOT_TWICE_RUNNING,
            one_of=one_of,
            takes=Takes.SEAT_AND_WORD if one_of is OneOf.DECLARED else Takes.SEATS,
            choices=("杀人", "撕咬") if one_of is OneOf.DECLARED else (),
        ),
        Skill(
            "隔音之盾",
            Effect.MUFFLE,
            _skill(_MUFFLE[muffle], "守卫"),
            aliases=("隔音",),
            uses=Uses.ONCE_PER_TARGET if muffle == 1 else Uses.NOT_TWICE_RUNNING,
        ),
    )


def make_roles(chosen: Mapping[str, Value]) -> tuple[Role, ...]:
    """The identities of the post in its order, with the variants and switches that a game has chosen."""
    sight, foresee = _FORESEE[_variant(chosen, "预言")]
    long_life, arrow = _variant(chosen, "长寿之命"), _variant(chosen, "爱神之箭")
    special, plain = Kind.SPECIAL, Kind.PLAIN
    return (
        Role(
            "先知",
            ("预言家", "预言"),
            VILLAGE,
            special,
            (Skill("预言", Effect.SEE_CAMP, _skill(foresee, "先知"), aliases=("查验",), sight=sight),),
        ),
        Role("女巫", (), VILLAGE, special, _witch(chosen)),
        Role("守卫", (), VILLAGE, special, _guard(chosen)),
        Role(
            "长老",
            ("村长",),
            VILLAGE,
            special,
            (Skill("长寿之命", Effect.LONG_LIFE, _skill(_LONG_LIFE[long_life], "长老"), forced=True),),
        ),
        Role(
            "猎人",
            (),
            VILLAGE,
            plain,
            (Skill("最后一枪", Effect.SHOT, LAST_SHOT, living_only=chosen["hunter.target"] == "living"),),
        ),
        Role("白痴", (), VILLAGE, plain, (FEIGN,)),
        Role("村民", ("民",), VILLAGE, Kind.VILLAGER, (), None),
        Role(
            "爱神",
            ("丘比特",),
            VILLAGE,
            plain,
            (
                Skill(
                    "爱神之箭",
                    Effect.ARROW,
                    _skill(_ARROW[arrow], "爱神"),
                    aliases=("丘比特之箭", "金箭"),
                    targets=2,
                    forced=True,
                    others_only=arrow == 2,
                ),
            ),
        ),
        Role("吹笛", ("吹笛者", "笛子"), PIPERS, plain, (CHANT,)),
        Role("狼人", ("狼",), WOLVES, Kind.WOLF, (kill_skill(chosen),), None),
        # 白狼 is no 狼人: neither last words nor 杀人 count him as one.
        Role("白狼", (), WHITE, plain, (JOIN, BITE)),
    )


_FIRST: Mapping[str, Value] = {
    **{f"skill.{skill}": 1 for skill in ("预言", "通灵", "解药", "毒药", "守护之盾", "隔音之盾", "长寿之命", "爱神之箭", "杀人")},
    "witch.both_same_night": True,
    "witch.save_illegal": "reject",
    "guard.or_choice": "declared",
    "hunter.target": "living_or_dying",
}
# The identities as they are by default: the first variant of each numbered skill.
ROLES = make_roles(_FIRST)
SPECIALS = tuple(role.name for role in ROLES if role.kind is Kind.SPECIAL)
# 二、概览, 身份类型 普通.
ORDINARY = ("猎人", "白痴", "爱神")
