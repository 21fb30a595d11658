"""断言: how it votes, in the words of its rule post. No vote is posted: all are told to the director in private.

Each day has three votes, one for each camp that has a skill for it, and nobody is told who voted for whom.
"""

from __future__ import annotations

from types import MappingProxyType

from tally.policy import (
    ChangeReply,
    Clause,
    Conflict,
    Decides,
    Edits,
    Immune,
    OffBoard,
    Poll,
    Presence,
    Publicity,
    Reach,
    SecondVote,
    SpeedUpScope,
    Tie,
    VotePolicy,
)

_TERMS, _CAMPS, _FLOW = "用语定义", "身份与阵营", "游戏流程"

VILLAGERS, WOLVES, VAMPIRES = "村民", "狼人", "吸血鬼"

# 用语定义 · 技能
ONCE = Clause("白天发动的技能可以在每个白天任意时刻发动一次", f"{_TERMS} · 技能")
# 用语定义 · 投票
PRIVATE = Clause("每天白天，除吹笛者均可参与投票，投票达成各自阵营的投票技能。所有投票均为QQ私聊导演投票。", f"{_TERMS} · 投票")
# 身份与阵营
INTERROGATION = Clause(
    "审讯——游戏日白天，所有村民对所有未被公示身份的角色投票，自己除外。夜晚结算后，随机选择一名得到投票最多的角色公示其身份。",
    f"{_CAMPS} · 村民 · 审讯",
)
BITE = Clause(
    "撕咬——游戏日白天，所有狼人对所有未进入灵魂状态的角色投票，自己除外。随机一名得到投票最多的角色进入灵魂状态。",
    f"{_CAMPS} · 狼人 · 撕咬",
)
DRINK = Clause(
    "血饮——游戏日白天，所有吸血鬼对所有未进入灵魂状态的角色投票，自己除外。随机一名得到投票最多的角色进入灵魂状态。",
    f"{_CAMPS} · 吸血鬼 · 血饮",
)
STALK = Clause("潜行——游戏日夜晚，你可以选择令自己次日的票加倍计算或无效。", f"{_CAMPS} · 狼人 · 潜行")
MANIPULATION = Clause(
    "操纵——游戏日白天，选择一名角色指定该角色当天投票对象，不能选择弃权。如果不合法则修改无效，该角色当天投票仍以自己为准。",
    f"{_CAMPS} · 吹笛者 · 操纵",
)
# 游戏流程 · 总体流程
CLOSE = Clause("2、在游戏日结束时，计算<操纵>影响以后，计算每个技能的最高票。", f"{_FLOW} · 总体流程")
OTHERS = Clause("更新：所有投票技能不能指定自己。", "更新")

POLLS = (
    Poll("审讯", Decides.IDENTITY, VILLAGERS, Immune.PUBLISHED),
    Poll("撕咬", Decides.SOUL, WOLVES, Immune.SOULS),
    Poll("血饮", Decides.SOUL, VAMPIRES, Immune.SOULS),
)

VOTE = VotePolicy(
    # 在每个白天任意时刻发动一次: the first that the director was told stands.
    second=SecondVote.VOID,
    changes=0,
    change_reply=ChangeReply.OPTIONAL,
    freeze=0,
    edits=Edits.FIRST_SEEN,
    reason=Presence.OPTIONAL,
    reach=Reach.STABLE,
    speed_up_scope=SpeedUpScope.FROM_JUDGEMENT,
    void_counts_as_vote=True,
    sheriff_weight=1,
    election_day=None,
    tie=(Tie.RANDOM,),
    no_votes=(Tie.NOBODY,),
    clauses=dict(
        MappingProxyType(
            {
                "审讯": INTERROGATION,
                "撕咬": BITE,
                "血饮": DRINK,
                "exile": CLOSE,
                "tie": CLOSE,
                "voter_role": PRIVATE,
                "before_open": PRIVATE,
                "after_close": CLOSE,
                "self_vote": OTHERS,
                "target_immune:审讯": INTERROGATION,
                "target_immune:撕咬": BITE,
                "target_immune:血饮": DRINK,
                "manipulated_abstention": MANIPULATION,
                "manipulated_twice": MANIPULATION,
                "replaced": MANIPULATION,
                "second_vote": ONCE,
                "weight": STALK,
            }
        )
    ),
    off_board=OffBoard.PRIVATE,
    self_vote=False,
    conflict=Conflict.LAST_LEGAL,
    publicity=Publicity.AT_THE_END,
    polls=POLLS,
    missing_is_offence=False,
)
