"""面杀, with 拓展规则: how it votes, in the words of its rule post.

Its home is a table, where a vote is a show of hands that the director writes down. Played on a board, how a vote is written
follows M29, as its post does not say.
"""

from __future__ import annotations

from types import MappingProxyType

from engine.rulesets.borrowed import BORROWED
from tally.policy import (
    ELECTION,
    EXILE,
    SECOND,
    ChangeReply,
    Clause,
    Edits,
    ElectionTie,
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

_TERMS, _CAMPS, _FLOW, _MORE = "1. 用语定义", "3. 身份与阵营", "5. 游戏流程", "四 拓展规则"

# 1.2 投票
DAYTIME = Clause("每天白天,所有存活角色均可参与投票。在白天结束时,统计投票结果并公布。", f"{_TERMS} · 1.2 投票")
TIES = Clause(
    "若竞选警长票数相同,则失去<警长>,若出局投票票数相同,则警长参与投票时警长投票的角色出局或无人出局。", f"{_TERMS} · 1.2 投票"
)
# 1.3 出局
GONE = Clause("角色出局结算结束后,不能继续参与讨论、投票、行使特权。", f"{_TERMS} · 1.3 出局")
OUT = Clause("已经公示的出局角色不属于游戏范畴,不允许被选为技能或投票的目标", f"{_TERMS} · 1.3 出局")
# 【村民阵营】 6、白痴
FEIGNED = Clause("发动此技能后,白痴不能成为投票对象,不能参与投票,不能继任警长", f"{_CAMPS} · 白痴 · 装傻")
# 【其他】 2、警长
RUN = Clause("竞岗<强制>——在游戏的第二天白天警长竞选结束后,最先获得投票数最多的角色当选警长。", f"{_CAMPS} · 警长 · 竞岗")
SHERIFF = Clause("带队<强制>——计算投票数量时警长投出的票计为两票。如出现平票,警长投票的角色出局。", f"{_CAMPS} · 警长 · 带队")
# 5. 游戏流程
CLOSE = Clause("7、结束,高票者出局,平票则警长投票的人出局,警长不投票则无人出局。", _FLOW)
# 四 拓展规则 【村民阵营】
SCAPEGOAT = Clause(
    "村民们在投票表决的时候,如果出现超过一个玩家得到最多指控数的情况,另可错杀也不漏杀的村民,就会处决替罪羊。",
    f"{_MORE} · 替罪羊",
)
BARRED = Clause("被处决的替罪羊,能够指定3位玩家不可以参加第二天的投票表决。", f"{_MORE} · 替罪羊")
CROW = Clause("每天晚上最后时刻,乌鸦可以将一个诅咒施放在某位玩家头上,这位玩家在白天投票时自动多出两票。", f"{_MORE} · 乌鸦")
ALIKE = Clause("所有投票必须一致,否则无效。", f"{_MORE} · 两姐妹/三兄弟")
JUDGE = Clause("每当白天投票结束处决完玩家后,口吃法官可以做出这个手势,主持人将立刻发起一轮新的投票。", f"{_MORE} · 口吃法官")

# The roles whose seats must vote alike: two sisters, three brothers.
SIBLINGS = ("两姐妹", "三兄弟")
# 面杀 opens with 夜1, so that its first daytime is 日2.
FIRST_DAYTIME = 2
# 能够指定3位玩家
MOST_BARRED = 3

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
    election_day=FIRST_DAYTIME,
    tie=(Tie.SCAPEGOAT, Tie.SHERIFF_TARGET, Tie.NOBODY),
    no_votes=(Tie.NOBODY,),
    clauses=dict(
        MappingProxyType(
            {
                **BORROWED,
                "exile": CLOSE,
                "election": RUN,
                "sheriff": RUN,
                "election_tie": TIES,
                "sheriff_weight": SHERIFF,
                "sheriff_target": SHERIFF,
                "scapegoat": SCAPEGOAT,
                "tie": TIES,
                "nobody": CLOSE,
                "before_open": DAYTIME,
                "after_close": DAYTIME,
                "target_out": OUT,
                "voter_out": GONE,
                "voter_barred": BARRED,
                "voter_feigned": FEIGNED,
                "target_feigned": FEIGNED,
                "must_agree": ALIKE,
                "curse": CROW,
                "second": JUDGE,
            }
        )
    ),
    sheriff_scope=SheriffScope.ANY,
    target=TargetKind.SEAT,
    off_board=OffBoard.TABLE,
    election_tie=ElectionTie.NONE,
    feigned=Feigned.VOID,
    polls=(ELECTION, EXILE, SECOND),
    agree=SIBLINGS,
    curse=2,
    most_barred=MOST_BARRED,
    missing_is_offence=False,
)
