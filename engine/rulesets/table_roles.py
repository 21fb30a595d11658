"""面杀: its roles with their skills, first those of 三 游戏规则, then those of 四 拓展规则, in the order and words of its post.

Where the post has no name for a skill, it has one that stands in its sentence (诅咒, 手势, 再杀, 互换 …).
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.play.skillset import Effect, Kind, Role, Skill, Takes, Uses, Voice
from engine.switches import Value
from tally.policy import Clause

_CAMPS, _TERMS, _MORE = "3. 身份与阵营", "1. 用语定义", "四 拓展规则"

WOLVES, VILLAGE, PIPERS, LOVERS = "狼人阵营", "村民阵营", "吹笛者阵营", "黑情侣阵营"
WHITE, BIGOTS = "白狼阵营", "偏见者阵营"
# The two clans have no names in the post but 「A宗族」.
CLANS = ("A宗族", "B宗族")


def _camps(text: str, skill: str) -> Clause:
    return Clause(text, f"{_CAMPS} · {skill}")


def _more(text: str, role: str) -> Clause:
    return Clause(text, f"{_MORE} · {role}")


# 【狼人阵营】 1、 狼人
KILL = Skill(
    "杀人",
    Effect.KILL,
    _camps("<杀人>——游戏日夜晚,该阵营共群的角色可以共同指杀一名角色。", "狼人 · 杀人"),
    aliases=("指杀",),
    voice=Voice.JOINT,
)
# The sentence after 杀人 is cut off at its beginning; a switch reads it as so many kills more, each on any one night.
EXTRA = "额外指杀"
EXTRA_CLAUSE = _camps("的任意一晚额外指杀一名玩家。", "狼人")

# 【村民阵营】 1、预言家
FORESEE = Skill(
    "查验",
    Effect.SEE_CAMP,
    _camps("<查验>——游戏日夜晚,预言家可以选择一名角色查验其阵营。", "预言家 · 查验"),
    aliases=("预言",),
)

# 【村民阵营】 2、女巫
MEDIUM = Skill("通灵", Effect.SEE_KILLS, _camps("<通灵>——<强制>游戏日夜晚,反馈被指杀的角色。", "女巫 · 通灵"), forced=True)
SAVE, POISON = "救药", "毒药"

# 【村民阵营】 3、长老
LONG_LIFE = Skill(
    "长寿", Effect.LONG_LIFE, _camps("<长寿>——<强制>长老第一次被有效指杀时不会出局", "长老 · 长寿"), ("长寿之命",), forced=True
)
NAMED = ("女巫", "预言家", "猎人", "守卫", "白痴")

# 【村民阵营】 4、守卫
SHIELD = Skill(
    "守护",
    Effect.SHIELD,
    _camps("<守护>——游戏日夜晚,守卫可以选择一名角色,使对其的指杀无效。每名角色整局游戏只能成为该技能的目标一次。", "守卫 · 守护"),
    aliases=("守护之盾",),
    uses=Uses.ONCE_PER_TARGET,
)
# 【吹笛者】在场的游戏技能: without a piper 守卫 does not have it.
MUFFLE = Skill(
    "隔音",
    Effect.MUFFLE,
    _camps("<隔音>——,【吹笛者】在场的游戏技能,游戏日夜晚,守卫可以选择一名角色,使吹笛者对其的吹笛无效。", "守卫 · 隔音"),
    aliases=("隔音之盾",),
    uses=Uses.ONCE_PER_TARGET,
    needs=Effect.CHANT,
)

# 【村民阵营】 5、猎人. 1.3 calls his skill 最后一枪, as every other post does.
SHOT = Skill(
    "最后一枪",
    Effect.SHOT,
    _camps("当猎人并非因为红牌罚下而出局后,猎人可以选择一名其他角色,对其开枪,该角色立即出局。", "猎人"),
    aliases=("我不会轻易地狗带",),
    others_only=True,
)

# 【村民阵营】 6、白痴
FEIGN = Skill("装傻", Effect.FEIGN, _camps("<装傻>——当白痴因投票而即将出局时,可以避免出局,并公示。", "白痴 · 装傻"), targets=0)

# 【吹笛者阵营】 1、 吹笛者
CHANT = Skill(
    "魅惑",
    Effect.CHANT,
    _camps("<魅惑>——游戏日夜晚,吹笛者可以选择一名角色,对其魅惑。", "吹笛者 · 魅惑"),
    aliases=("吹笛",),
)

# 【其他】 丘比特, 情侣
ARROW = Skill(
    "恋爱",
    Effect.ARROW,
    _camps("<恋爱>——<强制>游戏开始时,丘比特必须选择两名角色。", "丘比特 · 恋爱"),
    aliases=("丘比特之箭", "爱神之箭", "金箭"),
    targets=2,
    forced=True,
)
WIDOW = Skill(
    "寡妇刀",
    Effect.KILL,
    _camps(
        "若情侣其中一人为狼人,当【狼人阵营】优先判负后的第一夜,情侣中的狼人,额外获得<寡妇刀>。",
        "情侣 · 寡妇刀",
    ),
    aliases=("杀人", "指杀"),
)

# 四 【村民阵营】
WRONGED = Skill("冤死", Effect.SCAPEGOAT, _more("就会处决替罪羊。", "替罪羊"), forced=True)
CURSE = Skill(
    "诅咒",
    Effect.CURSE,
    _more("每天晚上最后时刻,乌鸦可以将一个诅咒施放在某位玩家头上,这位玩家在白天投票时自动多出两票。", "乌鸦"),
)
OPEN_VILLAGER = _more("高级村民不可以被丘比特连成情侣。", "高级村民")
SNIFF = Skill(
    "狐疑",
    Effect.SEE_WOLVES,
    _more("<狐疑>——可以选择一名玩家,法官告诉他,这个玩家以及左右两个玩家之中有没有狼人", "狐狸 · 狐疑"),
)
SIGN = "手势"
SIGN_CLAUSE = _more("每当白天投票结束处决完玩家后,口吃法官可以做出这个手势,主持人将立刻发起一轮新的投票。", "口吃法官")
# What 新月 cards do stands nowhere in the post.
CALL_MOON = Skill("召灵", Effect.UNWRITTEN, _more("吉普赛娘将通过手势告知主持人第二天是否发生新月事件。", "吉普赛娘"), targets=0)
RUST = Skill(
    "剑锈",
    Effect.RUST,
    _more("当锈刃骑士被狼人杀死的回合,锈刃骑士左边第一个狼人因为剑锈导致伤口感染。", "锈刃骑士"),
    forced=True,
)
SENSE = Skill(
    "熊吼叫",
    Effect.SENSE,
    _more("每天早上,牺牲消息公布后,若驯熊师身边至少有一个狼人,法官将模仿熊吼叫。", "驯熊师"),
    forced=True,
)

# 四 【狼人阵营】
CHARGE = Skill(
    "冲锋",
    Effect.KILL,
    _more("冲锋——每天晚上醒来与其他狼人一起选择被害者,在狼人们杀完人后,大野狼可以单独醒来再杀一人", "大野狼 · 冲锋"),
    ends_with=Kind.WOLF,
)
INFECT = Skill("感染", Effect.INFECT, _more("<感染>夜晚可以感染一位玩家,使其变成狼人。", "种狼 · 感染"), uses=Uses.ONCE)

# 四 【白狼阵营】
ALONE = Skill(
    "再杀",
    Effect.KILL,
    _more("但是每两个晚上,白狼在和同伴们一起杀人之后有一个单独的回合再杀掉一个人,包括自己的狼同伴。", "白狼"),
    aliases=("单杀", "独杀", "撕咬"),
    uses=Uses.ONCE_IN_TWO_NIGHTS,
)

# 四 【其他】
TRADE = Skill(
    "互换",
    Effect.TRADE,
    _more("在第一个夜晚,盗贼将最先被唤醒,然后可以查看这两张牌,并且把其中任意一张牌与自己的牌互换。", "盗贼"),
    aliases=("换牌", "选牌", "交换", "选择"),
    uses=Uses.ONCE,
    takes=Takes.SPARE,
)
SUPPORT = Skill(
    "支持",
    Effect.SUPPORT,
    _more("混血必须在游戏开始的第一个夜晚,选择支持某位玩家,并维持这一角色至游戏结束。", "混血"),
    forced=True,
)
OPPOSE = Skill(
    "对立",
    Effect.OPPOSE,
    _more("老爷爷在第一夜选择其中一个宗族作为对立。", "邪恶的宗族老爷爷"),
    aliases=("选择对立",),
    forced=True,
    takes=Takes.WORD,
    choices=(*CLANS, *(name[0] for name in CLANS)),
)
MODEL = Skill(
    "榜样",
    Effect.IDOL,
    _more("榜样——指定一名玩家为自己的<榜样>。", "野孩子 · 榜样"),
    forced=True,
    others_only=True,
)
REPLACE = Skill("替换", Effect.REPLACE, _more("替换——在投票后,顺从的女仆可以翻开自己的角色卡。", "顺从的女仆 · 替换"), targets=0)

# 四 【暂时不考虑加入游戏的卡牌】
SHELVED = ("变脸者", "狼狗", "天使", "执警")
FACE = Skill(
    "变脸",
    Effect.BORROW,
    _more("每天晚上开始时,主持人必须唤醒变脸者选择这三张卡中的其中一张,之后变脸者获得这张角色卡的能力一回合。", "变脸者"),
    takes=Takes.FACE,
)
TAKE_SIDE = Skill(
    "选择",
    Effect.CHOOSE_ROLE,
    _more("狼狗需要选择站在哪一方,简单地做一个村民或是更希望像一个狼人一样。", "狼狗"),
    aliases=("站队", "选边"),
    uses=Uses.ONCE,
    forced=True,
    takes=Takes.WORD,
    choices=("狼人", "村民"),
)


def _is_on(chosen: Mapping[str, Value] | None, switch: str) -> bool:
    return chosen is None or chosen[switch] is True


def list_roles(chosen: Mapping[str, Value] | None = None) -> tuple[Role, ...]:
    """The roles of the post in its order, as the switches have them; without switches every role, also those that are shelved."""
    save = Skill(
        SAVE,
        Effect.SAVE,
        _camps("<救药>——游戏日夜晚,女巫可以选择一名角色,对其使用救药。该角色当晚不会因被指杀而出局。", "女巫 · 救药"),
        aliases=("解药",),
        uses=Uses.ONCE,  # <救药>发动后,女巫失去技能<通灵>、<救药>。
        others_only=not _is_on(chosen, "witch.save_self"),
        excludes=() if _is_on(chosen, "witch.both_same_night") else (POISON,),
        spends=(MEDIUM.name,),
    )
    poison = Skill(
        POISON,
        Effect.POISON,
        _camps("<毒药>——游戏日夜晚,女巫可以选择一名角色,对其使用毒药。该角色在夜晚结束前出局。", "女巫 · 毒药"),
        uses=Uses.ONCE,  # <毒药>发动后,女巫失去技能<毒药>。
        excludes=() if _is_on(chosen, "witch.both_same_night") else (SAVE,),
    )
    once = chosen is not None and chosen["judge.limit"] == "per_game"
    sign = Skill(SIGN, Effect.CALL_VOTE, SIGN_CLAUSE, ("重投", "再投"), uses=Uses.ONCE if once else Uses.DAILY, targets=0)
    archer = VILLAGE if chosen is None or chosen["cupid.initial_camp"] == "village" else ""
    more = chosen["wolves.extra_kill"] if chosen is not None else 0
    assert isinstance(more, int)
    extra = (Skill(EXTRA, Effect.KILL, EXTRA_CLAUSE, uses=Uses.ONCE, voice=Voice.JOINT, times=more),) if more > 0 else ()
    pack = (KILL, *extra)
    enabled = SHELVED if chosen is None else chosen["roles.enabled"]
    assert isinstance(enabled, tuple)
    roles = (
        Role("狼人", ("狼",), WOLVES, Kind.WOLF, pack, None),
        Role("预言家", ("预言",), VILLAGE, Kind.SPECIAL, (FORESEE,)),
        Role("女巫", (), VILLAGE, Kind.SPECIAL, (MEDIUM, save, poison)),
        Role("长老", (), VILLAGE, Kind.SPECIAL, (LONG_LIFE,)),
        Role("守卫", (), VILLAGE, Kind.SPECIAL, (SHIELD, MUFFLE)),
        Role("猎人", (), VILLAGE, Kind.SPECIAL, (SHOT,)),
        Role("白痴", (), VILLAGE, Kind.SPECIAL, (FEIGN,)),
        Role("村民", ("民",), VILLAGE, Kind.VILLAGER, (), None),
        Role("吹笛者", ("笛子",), PIPERS, Kind.PLAIN, (CHANT,)),
        Role("丘比特", ("爱神", "丘"), archer, Kind.SPECIAL, (ARROW,)),
        Role("替罪羊", (), VILLAGE, Kind.SPECIAL, (WRONGED,), 0),
        Role("乌鸦", ("诽谤者",), VILLAGE, Kind.SPECIAL, (CURSE,), 0),
        # 和普通村民唯一不同点是其背面也是村民图样; 高级村民不可以被丘比特连成情侣。
        Role("高级村民", (), VILLAGE, Kind.VILLAGER, (), 0, OPEN_VILLAGER, counts_as="村民", open=True, unloved=True),
        Role("两姐妹", ("姐妹",), VILLAGE, Kind.SPECIAL, (), 0, acquainted=True),
        Role("三兄弟", ("兄弟",), VILLAGE, Kind.SPECIAL, (), 0, acquainted=True),
        Role("狐狸", (), VILLAGE, Kind.SPECIAL, (SNIFF,), 0),
        Role("口吃法官", (), VILLAGE, Kind.SPECIAL, (sign,), 0),
        Role("吉普赛娘", (), VILLAGE, Kind.SPECIAL, (CALL_MOON,), 0),
        Role("锈刃骑士", (), VILLAGE, Kind.SPECIAL, (RUST,), 0),
        Role("驯熊师", (), VILLAGE, Kind.SPECIAL, (SENSE,), 0),
        Role("大野狼", (), WOLVES, Kind.WOLF, (*pack, CHARGE), 0),
        Role("种狼", (), WOLVES, Kind.WOLF, (*pack, INFECT), 0),
        Role("白狼", ("白狼人",), WHITE, Kind.WOLF, (*pack, ALONE), 0),
        # Who takes no card is of 村民阵营, without a skill: the post says nothing of him.
        Role("盗贼", (), VILLAGE, Kind.PLAIN, (TRADE,), 0),
        Role("混血", ("混血儿",), "", Kind.PLAIN, (SUPPORT,), 0),
        Role("偏见者", ("老爷爷", "邪恶的宗族老爷爷"), BIGOTS, Kind.PLAIN, (OPPOSE,), 0),
        Role("野孩子", (), VILLAGE, Kind.SPECIAL, (MODEL,), 0),
        Role("女仆", ("顺从的女仆",), VILLAGE, Kind.SPECIAL, (REPLACE,), 0),
        Role("变脸者", (), "", Kind.PLAIN, (FACE,), 0),
        Role("狼狗", (), VILLAGE, Kind.PLAIN, (TAKE_SIDE,), 0),
        Role("天使", (), VILLAGE, Kind.PLAIN, (), 0),
    )
    return tuple(role for role in roles if role.name not in SHELVED or role.name in enabled)
