"""秘密数字杀: how it votes, in the words of its rule post. How a vote is written it leaves open, and M29's rules stand in.

Everybody knows who posts: characters and identities are public. Votes name secret numbers, and nothing here says whose they are.
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
    Reach,
    SecondVote,
    SheriffScope,
    SpeedUpScope,
    TargetKind,
    Tie,
    VotePolicy,
)

_TERMS, _CAMPS, _FLOW = "用语定义", "身份与阵营", "游戏流程"

# 用语定义 · 秘密数字
NUMBERS = Clause("所有技能及投票均需要针对角色的秘密数字。", f"{_TERMS} · 秘密数字")
# 用语定义 · 投票
DAYTIME = Clause("每天白天，所有角色均可参与投票。在白天结束时，统计投票结果并公布。", f"{_TERMS} · 投票")
EXILE = Clause("第二天及以后的白天，获得投票最多秘密数字对应的角色将出局。平票则无人出局。", f"{_TERMS} · 投票")
# 用语定义 · 出局
GONE = Clause("角色出局结算结束后，不能继续参与讨论、投票、行使特权。", f"{_TERMS} · 出局")
OUT = Clause("已经公示的出局角色不属于游戏范畴，其秘密数字不允许被选为技能或投票的目标", f"{_TERMS} · 出局")
# 【村民阵营】 7、白痴
FEIGNED = Clause("发动此技能后，白痴不能成为投票对象，白痴不能参与投票，不能继任警长", f"{_CAMPS} · 白痴 · 装傻")
# 【其他】 2、警长
ELECTION = Clause(
    "竞岗<强制> —— 在游戏的第一天投票结束后，最先获得投票数最多的秘密数字对应的角色当选警长。", f"{_CAMPS} · 警长 · 竞岗"
)
SHERIFF = Clause(
    "带队<强制> —— 计算投票数量时警长投出的票计为两票。如出现平票，警长投票的秘密数字对应的角色出局。",
    f"{_CAMPS} · 警长 · 带队",
)
# 总体流程
TIE = Clause("6、讨论、投票结束，高票者出局，平票则警长投票的人出局，警长不投票则无人出局。", f"{_FLOW} · 总体流程")

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
                "tie": TIE,
                "nobody": TIE,
                "before_open": DAYTIME,
                "after_close": DAYTIME,
                "unknown_target": NUMBERS,
                "ambiguous_target": NUMBERS,
                "target_out": OUT,
                "voter_out": GONE,
                "voter_feigned": FEIGNED,
                "target_feigned": FEIGNED,
            }
        )
    ),
    sheriff_scope=SheriffScope.ANY,
    target=TargetKind.NUMBER,
    off_board=OffBoard.PROXY,
    feigned=Feigned.VOID,
)
