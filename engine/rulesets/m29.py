"""M29 『小泡佩奇』: how it votes, in the order and the words of its rule post.

Read it beside the post: each clause is a sentence of it, to the character, with the chapter where it stands. Where the post is
silent a switch says so.
"""

from __future__ import annotations

from types import MappingProxyType

from engine.ruleset import RuleSet
from engine.rulesets.m29_play import CHAIN, ROLES, SPEED_UP_LEAD, play
from engine.switches import Switch
from tally.policy import ChangeReply, Clause, Edits, Presence, Reach, SecondVote, SpeedUpScope, Tie, VotePolicy

_TERMS = "用语定义"
_CAMPS = "阵营与身份"
_FLOW = "游戏流程及其他说明"

# 用语定义 · 投票
DAYTIME = Clause("每天白天，所有角色均可参与投票。在白天结束时，统计投票结果并公布。", f"{_TERMS} · 投票")
EXILE = Clause("讨论日获得投票最多的角色将出局。", f"{_TERMS} · 投票")
TIE = Clause("“多于一名角色票数最高”称为平票。产生平票时，无人出局。", f"{_TERMS} · 投票")
# 用语定义 · 出局
OUT = Clause(
    "除非特别说明，已公示出局的角色不允许在讨论帖、投票帖、进程帖中发言，不允许被选为技能或投票的目标。", f"{_TERMS} · 出局"
)
# 【村民阵营】 3、替罪羊
SCAPEGOAT = Clause("当第二天或以后的投票中出现平票时，替罪羊代替所有平票的角色出局，并公示。", f"{_CAMPS} · 替罪羊 · 冤死")
NOBODY_VOTED = Clause("狼助也会因为无人投票而出局。", f"{_CAMPS} · 替罪羊 · 冤死")
BARRED = Clause("因<冤死>出局的狼助可以指定下一个游戏日中哪些角色不得投票。", f"{_CAMPS} · 替罪羊 · 冤死")
# 【其他】 3、警长
ELECTION = Clause("竞岗<强制> —— 在游戏的第一天投票结束后，最先获得投票数最多的角色当选警长。", f"{_CAMPS} · 警长 · 竞岗")
SHERIFF = Clause("带队<强制> —— 计算投票数量时警长投出的票计为2票。", f"{_CAMPS} · 警长 · 带队")
# 游戏流程及其他说明 · 讨论日长短
SPEED_UP = Clause("执行加速时，所有人不可改票，且发言不足或未投票者将不被判罚。", f"{_FLOW} · 讨论日长短")
# 游戏流程及其他说明 · 投票规则
ONE_VOTE = Clause("每名存活角色每个讨论日限投一票，投票完成后允许改票。", f"{_FLOW} · 投票规则")
PROXY = Clause("演员可以委托导演代投，代投时需给出明确的投票对象（不可设立投票条件）。", f"{_FLOW} · 投票规则")
ONE_CHANGE = Clause("改票只允许进行一次。", f"{_FLOW} · 投票规则")
FREEZE = Clause("关门前一小时不允许改票或代投，执行加速时不允许改票。", f"{_FLOW} · 投票规则")
FORMAT = Clause("请严格依照投票格式或改票格式进行投票。投票格式或投票对象有误的票无效。", f"{_FLOW} · 投票规则")
POST_AGAIN = Clause("无效票须通过重新发帖来更正。", f"{_FLOW} · 投票规则")
CARD_AND_ABSTENTION = Clause(
    "讨论结束时，未回复投票帖者将被判罚黄牌；投弃权票时，须在投票对象中填写“弃权”。", f"{_FLOW} · 投票规则"
)
CHANGE_FORMAT = Clause("【改票格式】改票需回复原投票楼层", f"{_FLOW} · 投票规则")
# 游戏流程及其他说明 · 替补
SUBSTITUTE = Clause("替补玩家将收到该玩家的角色、身份、行动及账号、密码，代替该玩家继续游戏。", f"{_FLOW} · 替补")

# What each reason, tie step and decision rests on, by its key.
CLAUSES = MappingProxyType(
    {
        "exile": EXILE,
        "election": ELECTION,
        "sheriff": ELECTION,
        "tie": TIE,
        "scapegoat": SCAPEGOAT,
        "no_votes": NOBODY_VOTED,
        "nobody": TIE,
        "sheriff_weight": SHERIFF,
        "abstain": CARD_AND_ABSTENTION,
        "not_voted": CARD_AND_ABSTENTION,
        "未投票": CARD_AND_ABSTENTION,
        "speed_up": SPEED_UP,
        "replaced": ONE_VOTE,
        "malformed": FORMAT,
        "no_reason": FORMAT,
        "unknown_target": FORMAT,
        "ambiguous_target": FORMAT,
        "target_out": OUT,
        "voter_out": OUT,
        "voter_barred": BARRED,
        "old_account": SUBSTITUTE,
        "second_vote": ONE_VOTE,
        "nothing_to_change": ONE_VOTE,
        "change_limit": ONE_CHANGE,
        "change_not_reply": CHANGE_FORMAT,
        "change_too_late": FREEZE,
        "change_accelerated": FREEZE,
        "proxy_not_director": PROXY,
        "conditional_proxy": PROXY,
        "proxy_too_late": FREEZE,
        "before_open": DAYTIME,
        "after_close": DAYTIME,
        "edited": POST_AGAIN,
    }
)

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
    tie=(Tie.SCAPEGOAT, Tie.NOBODY),
    no_votes=(Tie.SCAPEGOAT, Tie.NOBODY),
    clauses=dict(CLAUSES),
)

SWITCHES = (
    Switch(
        "ballot.second",
        "void",
        "已有一票时再发一张 投票对象：作废，或顶替前一张",
        ONE_VOTE.text,
        ("void", "replace"),
        counts=True,
    ),
    Switch("ballot.changes", 1, "一天可以改票几次", ONE_CHANGE.text, counts=True),
    Switch(
        "ballot.change_reply",
        "required",
        "改票必须回复自己原来的楼层，或不必",
        CHANGE_FORMAT.text,
        ("required", "optional"),
        counts=True,
    ),
    Switch("ballot.freeze", 3600, "关门前多少秒起不可改票、代投（含这一秒）", FREEZE.text, counts=True),
    Switch(
        "ballot.edits",
        "first_seen",
        "编辑过的票：按首次看到的内容、作废、或按最后的内容",
        POST_AGAIN.text,
        ("first_seen", "void", "latest"),
        counts=True,
    ),
    Switch("ballot.reason", "required", "没有投票理由的票：作废，或有效", FORMAT.text, ("required", "optional"), counts=True),
    Switch(
        "accelerate.scope",
        "from_judgement",
        "加速使哪些改票作废：加速期间的，或当天全部的",
        FREEZE.text,
        ("from_judgement", "whole_day"),
        counts=True,
    ),
    Switch(
        "reach",
        "stable",
        "“最先获得”从何时算：最后一次达到并保持到关门，或第一次达到",
        ELECTION.text,
        ("stable", "first_touch"),
        counts=True,
    ),
    Switch("tie_policy", ("scapegoat", "nobody"), "平票时依次怎么办", TIE.text, ("scapegoat", "nobody"), counts=True),
    Switch("wolf.loss", "camp", "“狼人角色全部出局”按阵营还是按身份", "1、狼人角色全部出局。", ("camp", "identity")),
    Switch(
        "cupid.mixed",
        "neither",
        "情侣为大特和民时，丘比特算什么",
        "双狼爱神变狼，双大特变大特，双民变民",
        ("neither", "special", "villager"),
    ),
    Switch(
        "announce.exile", "immediately", "投票出局者何时公示", "投票结束后，立即公示以下技能的发动", ("immediately", "next_day")
    ),
    Switch("win.win_before_loss", False, "同时满足时先判胜再判负", "某阵营满足其判负条件之一时，该阵营优先判负。"),
    Switch("win.granularity", "elimination", "何时判定胜负", "", ("elimination", "flow_step", "sub_step")),
    Switch(
        "win.order",
        ("吹笛者阵营", "黑情侣阵营", "狼人阵营", "村民阵营"),
        "几个阵营同时满足时的先后",
        "",
        ("吹笛者阵营", "黑情侣阵营", "狼人阵营", "村民阵营"),
    ),
    Switch("camp.empty", "absent", "没有成员的阵营：视为不在场，或照字面判定", "", ("absent", "literal")),
    Switch("succession.timeout", "random", "警长到时未定殉职对象", "警长<殉职>对象随机决定", ("random", "none")),
    Switch(
        "succession.redcard", "random", "警长被红牌罚下后", "警长因红牌罚下而出局后，下任警长将被随机指定。", ("random", "none")
    ),
    Switch("chain_order", CHAIN, "一人出局后各种后果的先后", "", CHAIN),
    Switch("last_words.redcard_burns_slot", False, "红牌罚下者占用一个遗言名额", "红牌罚下出局的角色没有遗言权利"),
)

M29 = RuleSet(
    id="m29",
    title="M29",
    vote=VOTE,
    roles=ROLES,
    switches=SWITCHES,
    speed_up_lead=SPEED_UP_LEAD,
    play=play,
)
