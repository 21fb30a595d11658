"""The switches of 马甲杀: the variants of its numbered skills, and where its rule post is silent or can be read two ways."""

from __future__ import annotations

from engine.rulesets.borrowed import BALLOT_SWITCHES
from engine.rulesets.vest_roles import CAMPS
from engine.rulesets.vest_vote import ELECTION, FEIGNED, NOBODY, PUBLICITY, SHERIFF
from engine.switches import Switch
from scraper.phrases import phrase

VOTE_SWITCHES = (
    Switch(
        "votes.publicity",
        "",
        phrase("投票过程：终局前不公布（F）、当天计票后公布（G）、全程公开（H）"),
        PUBLICITY.text,
        ("F", "G", "H"),
        counts=True,
        needed=True,
    ),
    Switch(
        "tie_policy", ("sheriff_target", "nobody"), "平票时依次怎么办", SHERIFF.text, ("sheriff_target", "nobody"), counts=True
    ),
    Switch(
        "tie.sheriff_scope",
        "among_tied",
        "平票时警长投票的对象是否须在平票者之中",
        NOBODY.text,
        ("any", "among_tied"),
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
    Switch("idiot.votable_after", True, "装傻之后的白痴还可以被投", FEIGNED.text, counts=True),
    *BALLOT_SWITCHES,
)


def _skill(name: str, *variants: str) -> Switch:
    """One numbered skill: the clause is its first variant as printed."""
    numbers = tuple(str(number) for number in range(1, len(variants) + 1))
    return Switch(f"skill.{name}", 1, f"【{name}】用哪一种", variants[0], numbers)


PLAY_SWITCHES = (
    Switch(
        "wolves.channel",
        "",
        phrase("狼人互知、共群的方式"),
        "根据规则不同，所有〖狼人阵营〗的狼人会在〖狼人阵营〗确定后分为以下几种情况：",
        ("A", "B", "C", "D", "E"),
        needed=True,
    ),
    _skill(
        "预言",
        "【预言1】游戏日夜晚，可查验某一存活马甲的身份，若该马甲属于村民阵营，则反馈“村民阵营”，否则反馈为“非村民阵营”。",
        "【预言2】",
        "【预言3】",
    ),
    _skill("通灵", "【通灵1】<锁定技>游戏日夜晚，可得知当晚成为【杀人】、【撕咬】目标的马甲名单。", "【通灵2】"),
    _skill("解药", "【解药1】<限定技>游戏日夜晚，可选择一名濒死状态的马甲，使之进入存活状态。", "【解药2】"),
    _skill("毒药", "【毒药1】<限定技>游戏日夜晚，可选择一名马甲，使之立即出局。", "【毒药2】"),
    _skill(
        "守护之盾",
        "【守护之盾1】游戏日夜晚，可选择一名马甲，使之免疫【杀人】、【撕咬】，每名马甲只能成为该技能使用对象一次。",
        "【守护之盾2】",
        "【守护之盾3】",
        "【守护之盾4】",
    ),
    _skill(
        "隔音之盾",
        "【隔音之盾1】游戏日夜晚，可选择一名马甲，使之免疫【吹笛】，每名马甲只能成为该技能使用对象一次。",
        "【隔音之盾2】",
    ),
    _skill(
        "长寿之命", "【长寿之命1】<锁定技>如长老在某一夜晚同时成为【杀人】与【撕咬】的使用对象，则获得一个标记。", "【长寿之命2】"
    ),
    _skill("爱神之箭", "【爱神之箭1】<锁定技>在第零日夜晚，爱神须指定两名马甲成为情侣，此两名马甲互知共群。", "【爱神之箭2】"),
    _skill("杀人", "【杀人1】游戏日夜晚，随机一名存活状态的狼人可以选择一名马甲进入濒死状态。", "【杀人2】"),
    Switch(
        "wolves.lose_kill_on_loss",
        "only_with_遗志",
        "狼人阵营判负后是否失去杀人",
        "当〖狼人阵营〗优先判负后，狼人阵营的狼人失去技能【杀人】，情侣获得技能【杀人】。",
        ("only_with_遗志", "always"),
    ),
    Switch(
        "lover_wolf.kill",
        "keep",
        "情侣阵营的狼人是否还有杀人",
        "随机一名存活状态的狼人可以选择一名马甲进入濒死状态。",
        ("keep", "lose"),
    ),
    Switch("witch.both_same_night", True, "同一夜可以既用解药又用毒药", ""),
    Switch("witch.save_illegal", "reject", "解药用在没有濒死的马甲上：拒绝，或用掉", "", ("reject", "consume")),
    Switch(
        "guard.or_choice",
        "declared",
        "“【杀人】或【撕咬】”由守卫说明，或先遇到的",
        "使之免疫【杀人】或【撕咬】",
        ("declared", "first_hit"),
    ),
    Switch(
        "elder.mark_when_immune", True, "长老被守护而同时被【杀人】与【撕咬】时仍得标记", "同时成为【杀人】与【撕咬】的使用对象"
    ),
    Switch("elder.cancels_committed", False, "长老在夜里出局时，女巫当晚已用的毒药作废", ""),
    Switch("idiot.repeat", "unlimited", "装傻可以用几次", "【装傻】白痴可发动技能免于投票出局", ("unlimited", "once")),
    Switch("idiot.sheriff", "keep", "白痴警长装傻之后的警徽：保留、移交或移除", "", ("keep", "pass", "destroy")),
    Switch(
        "hunter.target",
        "living_or_dying",
        "最后一枪可以打濒死的马甲，或只能打存活的",
        "【最后一枪】猎人出局时，可在15分钟内决定一名存活马甲出局。",
        ("living_or_dying", "living"),
    ),
    Switch(
        "hunter.late_window", True, "猎人在第 16 步出局时再给 15 分钟", "15.判定猎人是否出局，并等待可能的猎人行动，持续15分钟；"
    ),
    Switch("chain.hunter_vs_lover", "suicide_first", "猎人出局时，先开枪还是先殉情", "", ("shot_first", "suicide_first")),
    Switch(
        "white_wolf.survivors", "at_most", "五人：至多，或恰好", "1.白狼在只有5个人未出局时自身未出局。", ("at_most", "exact")
    ),
    Switch("night0.order", ("归群", "爱神之箭"), "第零夜两种行动的先后", "07.第零晚行动；", ("归群", "爱神之箭")),
    Switch("redcard.triggers_suicide", False, "罚下也触发殉情", "马甲因罚下而离开游戏不触发相应出局技能。"),
    Switch("succession.timeout", "random", "警长到时未定殉职对象", "", ("random", "none")),
    Switch("succession.redcard", "none", "警长被罚下后", "马甲因罚下而离开游戏不触发相应出局技能。", ("random", "none")),
    Switch("last_words.redcard_burns_slot", False, "罚下者占用一个遗言名额", "罚下后没有遗言阶段。"),
    Switch(
        "win.win_before_loss", True, "同时满足时先判胜再判负", "游戏状态满足某阵营胜利条件之一，游戏立即结束，宣布此阵营胜利。"
    ),
    Switch(
        "win.granularity",
        "flow_step",
        "何时判定胜负",
        "注：每一步执行完毕后，执行胜负判定",
        ("elimination", "flow_step", "sub_step"),
    ),
    Switch(
        "win.order",
        CAMPS,
        "几个阵营同时满足时的先后",
        "顺序为〖白狼阵营〗、〖吹笛阵营〗、〖情侣阵营〗、〖狼人阵营〗、〖村民阵营〗。",
        CAMPS,
    ),
    Switch("camp.empty", "absent", "没有成员的阵营：视为不在场，或照字面判定", "", ("absent", "literal")),
)
