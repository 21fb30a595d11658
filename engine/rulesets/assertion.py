"""断言: its switches. How it votes stands in `assertion_vote`, how it is played in `assertion_play`."""

from __future__ import annotations

from engine.ruleset import RuleSet
from engine.rulesets.assertion_play import PIPE, ROLES, VAMPIRE_CAMP, VILLAGE, WOLF_CAMP, play
from engine.rulesets.assertion_vote import MANIPULATION, ONCE, VOTE
from engine.switches import Switch

CAMPS = (VILLAGE, PIPE, f"{WOLF_CAMP}+{VAMPIRE_CAMP}")

VOTE_SWITCHES = (
    Switch(
        "manipulate.conflict",
        "last_legal",
        "两名吹笛者操纵同一人：后提交而合法的有效，或都无效",
        MANIPULATION.text,
        ("last_legal", "both_void"),
        counts=True,
    ),
    Switch(
        "private_ballot.change",
        "none",
        "私聊投的票能不能改：以第一次为准，或以最后一次为准",
        ONCE.text,
        ("none", "last"),
        counts=True,
    ),
)

PLAY_SWITCHES = (
    Switch(
        "prayer.table",
        "all",
        "祈祷的身份表要写全所有人，或可不写自己",
        "祈祷——游戏日夜晚，可以提交一份身份表。",
        ("all", "others_only"),
    ),
    Switch(
        "win.granularity",
        "sub_step",
        "何时判定胜负",
        "3、进入夜晚，按照狼人/吸血鬼、村民、吹笛者的顺序依次选择发动夜晚技能并结算。",
        ("elimination", "flow_step", "sub_step"),
    ),
    Switch("win.order", CAMPS, "几个阵营同时满足时的先后", "狼人阵营和吸血鬼阵营可以共同获胜。", CAMPS),
)

ASSERTION = RuleSet(
    id="assertion",
    title="断言",
    vote=VOTE,
    roles=ROLES,
    switches=(*VOTE_SWITCHES, *PLAY_SWITCHES),
    speed_up_lead=0,
    play=play,
)
