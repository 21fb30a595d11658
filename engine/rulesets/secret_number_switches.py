"""The switches of 秘密数字杀: where its rule post is silent or can be read two ways, with the sentence that each reads."""

from __future__ import annotations

from engine.play.rules import Trigger
from engine.switches import Switch
from scraper.phrases import phrase

_VOTED = "每天白天，所有角色均可参与投票。在白天结束时，统计投票结果并公布。"
_TIE = "带队<强制> —— 计算投票数量时警长投出的票计为两票。如出现平票，警长投票的秘密数字对应的角色出局。"
CHAIN = (Trigger.PUNISHMENT, Trigger.DROP, Trigger.SHOT, Trigger.SUICIDE, Trigger.RELEASE, Trigger.SUCCESSION)

SWITCHES = (
    Switch("tie_policy", ("sheriff_target", "nobody"), "平票时依次怎么办", _TIE, ("sheriff_target", "nobody"), counts=True),
    Switch(
        "tie.sheriff_scope",
        "any",
        "平票时警长投票的对象是否须在平票者之中",
        "平票则警长投票的人出局，警长不投票则无人出局",
        ("any", "among_tied"),
        counts=True,
    ),
    Switch(
        "reach",
        "stable",
        "“最先获得”从何时算：最后一次达到并保持到关门，或第一次达到",
        "在游戏的第一天投票结束后，最先获得投票数最多的秘密数字对应的角色当选警长。",
        ("stable", "first_touch"),
        counts=True,
    ),
    Switch("ballot.second", "void", "已有一票时再发一张 投票对象：作废，或顶替前一张", _VOTED, ("void", "replace"), counts=True),
    Switch("ballot.changes", 1, "一天可以改票几次", _VOTED, counts=True),
    Switch(
        "ballot.change_reply",
        "required",
        "改票必须回复自己原来的楼层，或不必",
        _VOTED,
        ("required", "optional"),
        counts=True,
    ),
    Switch("ballot.freeze", 3600, "关门前多少秒起不可改票、代投（含这一秒）", _VOTED, counts=True),
    Switch(
        "ballot.edits",
        "first_seen",
        "编辑过的票：按首次看到的内容、作废、或按最后的内容",
        _VOTED,
        ("first_seen", "void", "latest"),
        counts=True,
    ),
    Switch("ballot.reason", "required", "没有投票理由的票：作废，或有效", _VOTED, ("required", "optional"), counts=True),
    Switch(
        "accelerate.scope",
        "from_judgement",
        "加速使哪些改票作废：加速期间的，或当天全部的",
        _VOTED,
        ("from_judgement", "whole_day"),
        counts=True,
    ),
    Switch(
        "wolf_kill.filter",
        "before",
        "狼人的票投给狼人数字时，先剔除再比高低，或先比高低",
        "最早达到最高票数的非狼人秘密数字受到一次指杀。",
        ("before", "after"),
    ),
    Switch(
        "lover_wolf.kill",
        "keep",
        "私奔的狼人是否还能投杀人票",
        "私奔<强制> —— 情侣产生时，若情侣的身份不属于同一个阵营，情侣均脱离各自的阵营，形成【黑情侣阵营】。",
        ("keep", "lose"),
    ),
    Switch("lover_wolf.immune", True, "私奔的狼人的数字仍是狼人数字", "最早达到最高票数的非狼人秘密数字受到一次指杀。"),
    Switch("wolves.group", False, "狼人共群", "更新：狼人不再共群。"),
    Switch(
        "wolves.lose_kill_on_loss",
        "always",
        "狼人阵营判负后是否失去杀人",
        "狼人阵营优先判负后，狼人阵营失去杀人技能。此事件发生时会通知狼人阵营。",
        ("always", "never"),
    ),
    Switch(
        "witch.save_any", True, "救药可以用在没有被指杀的数字上", "救药 —— 游戏日夜晚，女巫可以选择一个秘密数字，对其使用救药。"
    ),
    Switch("witch.save_self", True, "女巫可以救自己", "救药 —— 游戏日夜晚，女巫可以选择一个秘密数字，对其使用救药。"),
    Switch(
        "elder.victims",
        "identity",
        "长老出局后失去技能的，按身份，或只限村民阵营的",
        "当长老因投票、女巫<毒药>、猎人<最后一枪>而出局后，女巫、预言家、猎人、守卫、白痴将失去技能。",
        ("identity", "village_camp"),
    ),
    Switch(
        "elder.cancels_committed",
        False,
        "长老在夜里出局时，女巫当晚已用的毒药作废",
        "（7）毒药结算，如女巫发动<毒药>，此时毒药生效，被毒害的角色出局。",
    ),
    Switch(
        "chain.hunter_vs_lover",
        "shot_first",
        "猎人出局时，先开枪还是先殉情",
        "如果在此流程中，猎人一旦出局，猎人需立即决定<最后一枪>，被枪杀的角色立即在猎人出局之后出局。",
        ("shot_first", "suicide_first"),
    ),
    Switch("chain_order", CHAIN, "一人出局后各种后果的先后", "", CHAIN),
    Switch(
        "succession.on_out_target",
        "cascade",
        "继任者已出局而尚未公示：由他再指定、请原警长另选、或警徽移除",
        "殉职<强制> —— 警长出局后，须选择一个秘密数字来继任警长。",
        ("cascade", "reask", "destroy"),
    ),
    Switch("succession.timeout", "random", "警长到时未定殉职对象", "", ("random", "none")),
    Switch("succession.redcard", "random", "警长被红牌罚下后", "", ("random", "none")),
    Switch("last_words.redcard_burns_slot", False, "红牌罚下者占用一个遗言名额", ""),
    Switch(
        "village.special_loss",
        "all",
        "村民阵营的神职全部出局才判负，或任一出局",
        "1、村民阵营的预言家、女巫、守卫、长老出局；",
        ("all", "any"),
    ),
    Switch(
        "black_lovers.loss",
        "all_members",
        "黑情侣阵营何时判负：全部成员（含单身丘比特）出局，或情侣出局",
        "1、黑情侣阵营的角色全部出局。",
        ("all_members", "lovers_only"),
    ),
    Switch(
        "win.win_before_loss", True, "同时满足时先判胜再判负", "游戏状态满足某阵营胜利条件之一，游戏立即结束，宣布此阵营胜利。"
    ),
    Switch(
        "win.defer_for_pending_shot",
        False,
        phrase("猎人的出局使游戏分出胜负时，先等他开枪"),
        "宣布阵营获得胜利会立即终止一切结算。",
    ),
    Switch("win.granularity", "elimination", "何时判定胜负", "", ("elimination", "flow_step", "sub_step")),
    Switch(
        "win.order",
        ("吹笛者阵营", "黑情侣阵营", "狼人阵营", "村民阵营"),
        "几个阵营同时满足时的先后",
        "",
        ("吹笛者阵营", "黑情侣阵营", "狼人阵营", "村民阵营"),
    ),
    Switch("camp.empty", "absent", "没有成员的阵营：视为不在场，或照字面判定", "", ("absent", "literal")),
    Switch(
        "announce.numbers",
        "ascending",
        "几人出局时公示的数字：从小到大，或与名单一一对应",
        "公示出局名单时按角色出局的顺序排序。",
        ("ascending", "paired"),
    ),
    Switch("announce.sheriff", "character", "公示当日警长时写角色、数字或都写", "当日警长", ("character", "number", "both")),
)
