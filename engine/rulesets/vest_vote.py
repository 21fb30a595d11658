"""马甲杀: how it votes, in the words of its rule post. How a vote is written it does not say, and M29's rules stand in.

Accounts are identities, and public. Votes name vests, and nothing here says whose they are.
"""

from __future__ import annotations

from types import MappingProxyType

from engine.rulesets.borrowed import BORROWED
from tally.policy import (
    ChangeReply,
    Clause,
    Edits,
    Feigned,
    OffBoard,
    Presence,
    Publicity,
    Reach,
    SecondVote,
    SheriffScope,
    SpeedUpScope,
    TargetKind,
    Tie,
    VotePolicy,
)

_TERMS, _CAMPS, _ANSWERS = "用语定义", "身份阵营", "疑问解答"

# 用语定义 · 投票与公布
DAYTIME = Clause(
    "每个游戏日白天，所有未出局马甲均可参与投票，在白天结束时，裁判/导演统计投票结果并公布得票最高的马甲。",
    f"{_TERMS} · 投票与公布",
)
EXILE = Clause("第二天及以后的白天，获得投票最多的马甲将出局。", f"{_TERMS} · 投票与公布")
PUBLICITY = Clause("根据投票过程是否公开，分为以下几种情况：", f"{_TERMS} · 投票与公布")
# 用语定义 · 出局
GONE = Clause("结算结束后，该马甲不能继续参与讨论、投票、发动技能。", f"{_TERMS} · 出局")
# 三、身份与技能 6.白痴
FEIGNED = Clause("若白痴发动此技能，则此后白痴投票不计入总票数。", f"{_CAMPS} · 白痴 · 装傻")
# 四、附加身份 2、警长
ELECTION = Clause("【竞岗】在第一天讨论日投票结束后，最先获得投票数最多的马甲当选警长。", f"{_CAMPS} · 警长 · 竞岗")
SHERIFF = Clause(
    "【带队】<锁定技>计算投票数量时警长投出的票计为2票，如出现警长投票对象与其他对象得票数相同且为最高，则警长投票对象出局。",
    f"{_CAMPS} · 警长 · 带队",
)
NOBODY = Clause("否则得票数同为最高的两名马甲均不出局，即无人出局。", f"{_CAMPS} · 警长 · 带队")
# 疑问解答
VESTS = Clause("所有的技能以及投票的使用对象都是针对马甲决定的。", _ANSWERS)

VOTE = VotePolicy(
    second=SecondVote.VOID,
    changes=1,
    change_reply=ChangeReply.REQUIRED,
    freeze=3600,
    edits=Edits.FIRST_SEEN,
    reason=Presence.REQUIRED,
    reach=Reach.STABLE,
    speed_up_scope=SpeedUpScope.FROM_JUDGEMENT,
    void_counts_as_vote=True,
    sheriff_weight=2,
    election_day=1,
    tie=(Tie.SHERIFF_TARGET, Tie.NOBODY),
    no_votes=(Tie.NOBODY,),
    clauses=dict(
        MappingProxyType(
            {
                **BORROWED,
                "exile": EXILE,
                "election": ELECTION,
                "sheriff": ELECTION,
                "sheriff_weight": SHERIFF,
                "sheriff_target": SHERIFF,
                "tie": NOBODY,
                "nobody": NOBODY,
                "before_open": DAYTIME,
                "after_close": DAYTIME,
                "unknown_target": VESTS,
                "ambiguous_target": VESTS,
                "voter_out": GONE,
                "feigned_weight": FEIGNED,
                "target_feigned": FEIGNED,
            }
        )
    ),
    sheriff_scope=SheriffScope.AMONG_TIED,
    target=TargetKind.VEST,
    off_board=OffBoard.PROXY,
    feigned=Feigned.NO_WEIGHT,
    feigned_votable=True,
    # Which of F, G and H holds the rule post leaves to the game, whose file must say so.
    publicity=Publicity.AT_THE_END,
)
