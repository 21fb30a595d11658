"""面杀, with 拓展规则: its switches. How it votes stands in `table_vote`, its roles in `table_roles`, play in `table_play`."""

from __future__ import annotations

from engine.ruleset import RuleSet
from engine.rulesets.borrowed import BALLOT_SWITCHES
from engine.rulesets.table_play import play
from engine.rulesets.table_roles import BIGOTS, LOVERS, PIPERS, SHELVED, VILLAGE, WHITE, WOLVES, list_roles
from engine.rulesets.table_vote import CLOSE, JUDGE, RUN, SHERIFF, TIES, VOTE
from engine.switches import Switch

CAMPS = (WHITE, BIGOTS, PIPERS, LOVERS, WOLVES, VILLAGE)
ROLES = list_roles()

VOTE_SWITCHES = (
    Switch(
        "tie_policy",
        ("scapegoat", "sheriff_target", "nobody"),
        "平票时依次怎么办",
        CLOSE.text,
        ("scapegoat", "sheriff_target", "nobody"),
        counts=True,
    ),
    Switch(
        "tie.sheriff_scope", "any", "平票时警长投票的对象是否须在平票者之中", SHERIFF.text, ("any", "among_tied"), counts=True
    ),
    Switch("election.tie", "none", "竞选平票：没有警长，或最先达到者当选", TIES.text, ("none", "earliest"), counts=True),
    Switch(
        "election.day",
        "first_daytime",
        "竞选在第一个白天（日2），或第二个白天（日3）",
        RUN.text,
        ("first_daytime", "second_daytime"),
        counts=True,
    ),
    Switch(
        "reach",
        "stable",
        "“最先获得”从何时算：最后一次达到并保持到关门，或第一次达到",
        RUN.text,
        ("stable", "first_touch"),
        counts=True,
    ),
    Switch("judge.limit", "per_day", "口吃法官的手势：每天一次，或每局一次", JUDGE.text, ("per_day", "per_game"), counts=True),
    *BALLOT_SWITCHES,
)

PLAY_SWITCHES = (
    Switch("roles.enabled", (), "加入哪些暂时不考虑的卡牌", "【暂时不考虑加入游戏的卡牌】", SHELVED),
    Switch(
        "wolves.lose_kill_on_loss",
        "never",
        "狼人阵营判负后是否失去杀人",
        "任何阵营判负后,该阵营存活角色仍然可以发动技能。",
        ("never", "always"),
    ),
    Switch("wolves.extra_kill", 0, "狼人另可多杀几人", "的任意一晚额外指杀一名玩家。"),
    Switch("witch.save_self", True, "女巫可以救自己", "<救药>——游戏日夜晚,女巫可以选择一名角色,对其使用救药。"),
    Switch("witch.both_same_night", True, "同一夜可以既用救药又用毒药", "<救药>发动后,女巫失去技能<通灵>、<救药>。"),
    Switch(
        "elder.roles",
        "all_specials",
        "长老出局后失去技能的：村民阵营的所有特殊身份，或只有列出的五种",
        "女巫、预言家、猎人、守卫、白痴等村民阵营的特殊身份将失去技能。",
        ("all_specials", "named"),
    ),
    Switch("elder.cancels_committed", False, "长老在夜里出局时，女巫当晚已用的毒药作废", ""),
    Switch(
        "chain.hunter_vs_lover",
        "shot_first",
        "猎人出局时，先开枪还是先殉情",
        "猎人出局后立即执行<我不会轻易地狗带>。",
        ("shot_first", "suicide_first"),
    ),
    Switch(
        "widow_knife.duration", "permanent", "寡妇刀：从那一夜起，或只有那一夜", "额外获得<寡妇刀>。", ("permanent", "one_night")
    ),
    Switch("seat.left", "higher", "左边是号码大的一边，或小的一边", "锈刃骑士左边第一个狼人", ("higher", "lower")),
    Switch("cupid.initial_camp", "village", "丘比特连箭之前的阵营", "丘比特的阵营转变为与情侣相同的阵营。", ("village", "none")),
    Switch(
        "village.loss",
        "charmed_only",
        "村民阵营的判负：只看魅惑，或同秘密数字杀",
        "1、村民阵营存活的村民全部被吹笛。",
        ("charmed_only", "sds_like"),
    ),
    Switch("succession.timeout", "random", "警长到时未定殉职对象", "", ("random", "none")),
    Switch("succession.redcard", "random", "警长被红牌罚下后", "", ("random", "none")),
    Switch("last_words.redcard_burns_slot", False, "红牌罚下者占用一个遗言名额", ""),
    Switch("win.win_before_loss", True, "同时满足时先判胜再判负", "游戏状态满足某阵营胜利条件之一,游戏立即结束,宣布此阵营胜利。"),
    Switch("win.granularity", "elimination", "何时判定胜负", "", ("elimination", "flow_step", "sub_step")),
    Switch("win.order", CAMPS, "几个阵营同时满足时的先后", "", CAMPS),
    Switch("camp.empty", "absent", "没有成员的阵营：视为不在场，或照字面判定", "", ("absent", "literal")),
)

TABLE = RuleSet(
    id="table",
    title="面杀",
    vote=VOTE,
    roles=ROLES,
    switches=(*VOTE_SWITCHES, *PLAY_SWITCHES),
    speed_up_lead=0,
    play=play,
)
