"""M29 『小泡佩奇』: who plays, what they can do, in which order, and who wins, in the order and the words of its rule post.

Read it beside the post: each clause is a sentence of it, to the character. How it votes stands in `engine.rulesets.m29`.
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.play.camps import AllOut, Camp, Consent, Group, Half, OthersChanted
from engine.play.rules import (
    Draw,
    Granularity,
    LastWords,
    Lovers,
    LoversGroup,
    Mixed,
    OutSuccessor,
    Play,
    Step,
    StepKind,
    Succession,
    Trigger,
    WolfKnowledge,
)
from engine.play.skillset import Effect, Kind, Role, Skill, Uses, Voice
from engine.rulesets.choices import choose, chooses, order_camps, order_chain, read_votes
from engine.switches import Value
from tally.policy import Clause, VotePolicy

_TERMS = "用语定义"
_CAMPS = "阵营与身份"
_FLOW = "游戏流程及其他说明"

WOLVES, VILLAGE, LOVERS, PIPERS = "狼人阵营", "村民阵营", "黑情侣阵营", "吹笛者阵营"

# 当日申请人数在讨论日结束三个小时前（一般为最后一个自然日的18:00）大于等于存活人数的一半，即判定加速或延迟成功。
SPEED_UP_LEAD = 3 * 3600
# 版杀游戏场次累计三场或以下的玩家允许申请场外助理。
ASSISTANT_GAMES = 3


def _camps(text: str, skill: str) -> Clause:
    return Clause(text, f"{_CAMPS} · {skill}")


# 用语定义 · 遗言
WORDS = Clause("遗言数量等于3。可以留下遗言的角色会收到可以留下遗言的通知。", f"{_TERMS} · 遗言")

# 【狼人阵营】 1、狼人
KILL = Skill(
    "杀人",
    Effect.KILL,
    _camps("杀人 —— 游戏日夜晚，该阵营共群的角色可以共同杀害一名角色。", "狼人 · 杀人"),
    # The post calls it 肢解 twice, a name left over from an earlier game.
    aliases=("肢解",),
    voice=Voice.JOINT,
)

# 【村民阵营】 1、预言
FORESEE = Skill(
    "预言",
    Effect.SEE_CAMP,
    _camps("预言 —— 游戏日夜晚，预言家选择一名角色。若该角色属于村民阵营，反馈<村民阵营>；否则，反馈<非村民阵营>。", "预言"),
)

# 【村民阵营】 2、女巫
MEDIUM = Skill("通灵", Effect.SEE_KILLS, _camps("通灵<强制> —— 游戏日夜晚，反馈所有被杀害的角色。", "女巫 · 通灵"), forced=True)
SAVE = Skill(
    "救药",
    Effect.SAVE,
    _camps("救药<限定> —— 游戏日夜晚，女巫选择一名其他角色。该角色当晚不会因被杀害出局。", "女巫 · 救药"),
    aliases=("解药",),
    uses=Uses.ONCE,
    others_only=True,  # 女巫被刀不得自救
    excludes=("毒药",),  # 该夜晚不可发动<毒药>
    spends=("通灵",),  # <救药>发动后，失去技能<通灵>
)
POISON = Skill(
    "毒药",
    Effect.POISON,
    _camps(
        "毒药<限定> —— 游戏日夜晚，女巫选择一名角色。该角色在夜晚结束前出局。<毒药>发动后，该夜晚不可发动<救药>。", "女巫 · 毒药"
    ),
    uses=Uses.ONCE,
    excludes=("救药",),
)

# 【村民阵营】 3、替罪羊
WRONGED = Skill(
    "冤死",
    Effect.SCAPEGOAT,
    _camps("冤死<强制> —— 当第二天或以后的投票中出现平票时，替罪羊代替所有平票的角色出局，并公示。", "替罪羊 · 冤死"),
    forced=True,
)
MUFFLE = Skill(
    "隔音",
    Effect.MUFFLE,
    _camps(
        "隔音 —— 游戏日夜晚，替罪羊可以选择一名角色，使吹笛者对其的吹笛无效。每名角色整局游戏只能成为该技能的目标一次。",
        "替罪羊 · 隔音",
    ),
    uses=Uses.ONCE_PER_TARGET,
)

# 【吹笛者阵营】 1、吹笛者
CHANT = Skill(
    "吹笛",
    Effect.CHANT,
    _camps(
        "吹笛 —— 游戏日夜晚，吹笛者可以选择一名角色，对其吹笛。"
        "如果该角色不是情侣之一，且没有在当晚成为替罪羊<隔音>的目标，则该角色进入吹笛状态。",
        "吹笛者 · 吹笛",
    ),
)

# 【其他】 1、丘比特
ARROW = Skill(
    "金箭",
    Effect.ARROW,
    _camps(
        "金箭<强制> —— 游戏开始时，爱神须选择两名角色，这两名角色成为情侣。情侣产生后，爱神的阵营转变为情侣所在阵营。",
        "丘比特 · 金箭",
    ),
    aliases=("丘比特之箭", "爱神之箭"),
    targets=2,
    forced=True,
)

# 【其他】 2、情侣
WIDOW = Skill(
    "寡妇刀",
    Effect.KILL,
    _camps(
        "寡妇刀<强制> —— 若情侣属于【黑情侣阵营】，当【狼人阵营】优先判负后，情侣获得技能<杀人>（此事件发生时会通知情侣）。",
        "情侣 · 寡妇刀",
    ),
    aliases=("杀人", "肢解"),
    voice=Voice.JOINT,
)

# No hunter is dealt among the twelve, but 出局 has his rule: 红牌罚下出局的猎人不可发动<最后一枪>。
LAST_SHOT = Skill(
    "最后一枪", Effect.SHOT, Clause("红牌罚下出局的角色没有遗言权利，红牌罚下出局的猎人不可发动<最后一枪>。", f"{_TERMS} · 出局")
)

# 身份配置为：3狼，1女巫，1替罪羊，1预言，1笛子，1丘，4村民。
ROLES = (
    Role("狼人", ("狼",), WOLVES, Kind.WOLF, (KILL,), 3),
    Role("预言", ("预言家",), VILLAGE, Kind.SPECIAL, (FORESEE,)),
    Role("女巫", (), VILLAGE, Kind.SPECIAL, (MEDIUM, SAVE, POISON)),
    # The post calls him 狼助 twice, a name left over from an earlier game.
    Role("替罪羊", ("狼助",), VILLAGE, Kind.SPECIAL, (WRONGED, MUFFLE)),
    Role("村民", ("民",), VILLAGE, Kind.VILLAGER, (), 4, Clause("4、村民：4人", _CAMPS)),
    Role("吹笛者", ("笛子", "吹笛"), PIPERS, Kind.PLAIN, (CHANT,)),
    Role("丘比特", ("丘", "爱神"), VILLAGE, Kind.PLAIN, (ARROW,)),
    Role("猎人", (), VILLAGE, Kind.PLAIN, (LAST_SHOT,), 0),
)
SPECIALS = tuple(role.name for role in ROLES if role.kind is Kind.SPECIAL)

# 【其他】 3、警长
HEIR = _camps("殉职<强制> —— 警长并非因为罚下而出局后，须选择一名未出局的角色来继任警长。", "警长 · 殉职")


def _flow(text: str) -> Clause:
    return Clause(text, f"{_FLOW} · 总体流程")


# 总体流程 1、游戏开始时，爱神选择<金箭>。
OPENING = (Step("丘比特", _flow("1、游戏开始时，爱神选择<金箭>。"), ("金箭",), minutes=30),)

# 总体流程 4、进入夜晚. The list has no place for 隔音; it must be known before a chant can be void.
NIGHT = (
    Step("替罪羊", MUFFLE.clause, ("隔音",), minutes=60),
    Step("吹笛者", _flow("（1）吹笛者：选择<吹笛>的目标。"), ("吹笛",), minutes=60),
    Step("狼人", _flow("（2）狼人：选择<杀人>的目标。"), ("杀人",), minutes=60),
    Step("黑情侣", _flow("（3）黑情侣：选择<杀人>的目标。"), ("寡妇刀",), minutes=60),
    Step(
        "女巫",
        _flow("（4）女巫：执行<通灵>；选择<救药>、<毒药>目标。"),
        ("通灵", "救药", "毒药"),
        minutes=30,
        after_feedback=True,
    ),
    Step("预言家", _flow("（5）预言家：选择<预言>的目标。"), ("预言",), minutes=60, early=True),
    Step(
        "杀人",
        _flow("（6）每次肢解依次结算：1. 被杀人的角色是<救药>的目标，其不出局；2. 被杀人的角色出局。"),
        kind=StepKind.KILLS,
    ),
    Step("毒药", _flow("（7）毒药结算：<毒药>对象出局。"), kind=StepKind.POISON),
)

CHAIN = (Trigger.SHOT, Trigger.SUICIDE, Trigger.RELEASE, Trigger.BAN, Trigger.SUCCESSION)


def play(chosen: Mapping[str, Value], policy: VotePolicy) -> Play:
    """How M29 is played, with its switches as they are chosen."""
    return Play(
        title="M29",
        numbers=False,
        roles=ROLES,
        camps=order_camps(chosen, _win(chosen)),
        village=VILLAGE,
        wolves=WOLVES,
        opening=OPENING,
        steps=NIGHT,
        chain=order_chain(chosen, CHAIN),
        votes=read_votes(policy, SPEED_UP_LEAD),
        lovers=Lovers(
            camp=LOVERS,
            group=LoversGroup.NOT_TWO_WOLVES,  # 情侣在成为情侣后互知共群（双狼情侣除外）。
            archer_counts=choose(chosen, "cupid.mixed", Mixed),  # 双狼爱神变狼，双大特变大特，双民变民
            lone_wolf_loses=(KILL.name,),  # 若情侣中有且只有一名狼，则其失去<杀人>技能，不与其他狼人互知共群。
            widow=WIDOW,
            widow_after=WOLVES,
        ),
        succession=Succession(
            clause=HEIR,
            act="殉职",
            out_successor=OutSuccessor.REASK,  # 须选择一名未出局的角色
            timeout=choose(chosen, "succession.timeout", Draw),
            red_card=choose(chosen, "succession.redcard", Draw),
            minutes=10,  # 警长被投票出局者关门十分钟内仍未与导演取得联系，警长<殉职>对象随机决定。
        ),
        last_words=LastWords(3, WORDS, red_card_burns_slot=chosen["last_words.redcard_burns_slot"] is True),
        wolf_knowledge=WolfKnowledge(knows=True, group=True),  # 所有狼人在游戏开始后互知共群。
        kill_cause="杀人",
        wins_first=chosen["win.win_before_loss"] is True,
        empty_camps_absent=chooses(chosen, "camp.empty", "absent"),
        granularity=choose(chosen, "win.granularity", Granularity),
        exile_next_day=chooses(chosen, "announce.exile", "next_day"),
        assistant_games=ASSISTANT_GAMES,
    )


def _win(chosen: Mapping[str, Value]) -> tuple[Camp, ...]:
    """胜负判定, camp by camp as the post has them."""
    # 1、狼人角色全部出局。 Of the camp, or whoever is a 狼人 by identity.
    wolves = Group(roles=("狼人",)) if chooses(chosen, "wolf.loss", "identity") else Group(camp=WOLVES)
    return (
        Camp(
            WOLVES,
            wins=(Half(Group(camp=WOLVES)),),  # 1、狼人阵营存活的人数占总存活人数的一半或一半以上。
            losses=(AllOut(wolves),),
            surrender=Consent.WOLVES,  # 所有狼人共群角色（包括已出局角色）同意投降时，对应阵营优先判负。
            forfeits=KILL.name,
        ),
        Camp(
            VILLAGE,
            losses=(
                AllOut(Group(camp=VILLAGE, roles=SPECIALS)),  # 1、村民阵营的女巫、预言、替罪羊全部出局；
                AllOut(Group(camp=VILLAGE, roles=("村民",))),  # 2、村民阵营的村民全部出局。
            ),
        ),
        Camp(
            LOVERS,
            # 1、当情侣中有吹笛时，所有其他阵营存活的角色全部处于“吹笛状态”。
            wins=(OthersChanted(Group(outside=LOVERS), needs=Group(roles=("吹笛者",), lovers=True)),),
            losses=(AllOut(Group(camp=LOVERS)),),  # 1、黑情侣阵营的角色全部出局。
            surrender=Consent.LOVERS,
        ),
        Camp(
            PIPERS,
            wins=(OthersChanted(Group(outside=PIPERS, single=True)),),  # 1、所有其他阵营存活的单身角色全部处于“吹笛状态”。
            losses=(AllOut(Group(camp=PIPERS)),),  # 1、吹笛者阵营的角色全部出局
        ),
    )
