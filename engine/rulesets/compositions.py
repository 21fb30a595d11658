"""Which roles each rule post deals together: how many of each, what goes with what, and the rows of its tables.

Each clause is a sentence of the post, to the character; where a post gives an identity without a number there is one of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from engine.composition import Advice, Composition, Limit, Rows, Shelf, Spare, check_cards
from engine.ruleset import RuleSet
from engine.switches import Value
from tally.finding import Finding
from tally.policy import Clause


def check_composition(
    ruleset: RuleSet, roles: Sequence[str], *, players: int | None = None, switches: Mapping[str, Value] | None = None
) -> tuple[Finding, ...]:
    """What is wrong with a set of roles of a system, each with its rule: errors E410–E419, warnings E420, E421; () for none.

    `roles` are all cards by the system's own names (not aliases), with the spare ones that 盗贼 chooses among; `players` is how
    many seats there are (None: as many as the cards are for); `switches` are those of the game file.
    """
    composition = COMPOSITIONS[ruleset.id]
    return check_cards(ruleset.title, ruleset.roles, composition, roles, players=players, switches=switches)


_IDENTITIES, _MORE = "身份与阵营", "四 拓展规则"


def _ones(post: str, *sentences: tuple[str, str]) -> tuple[Limit, ...]:
    """Roles of which there is one, each with the sentence of the post that says so."""
    return tuple(Limit(role, Clause(text, post), most=1) for role, text in sentences)


_M29 = Composition(
    limits=(
        *_ones(
            "阵营与身份",
            ("预言", "1、预言：1人"),
            ("女巫", "2、女巫：1人"),
            ("替罪羊", "3、替罪羊：1人"),
            ("吹笛者", "1、吹笛者：1人"),
            ("丘比特", "1、丘比特：1人"),
        ),
        # The post has a rule for a hunter and gives no number of them.
        *_ones("用语定义 · 出局", ("猎人", "红牌罚下出局的猎人不可发动<最后一枪>。")),
        Limit("狼人", Clause("1、狼人：3人", "阵营与身份"), least=1),
    )
)

_SECRET_NUMBER = Composition(
    limits=(
        *_ones(
            _IDENTITIES,
            ("预言家", "1、预言家：1人"),
            ("女巫", "2、女巫：1人"),
            ("长老", "3、长老：1人"),
            ("守卫", "4、守卫：1人"),
            ("丘比特", "5、丘比特：1人"),
            ("猎人", "6、猎人：1人"),
            ("白痴", "7、白痴：1人"),
            ("吹笛者", "1、吹笛者：1人"),
        ),
        Limit("狼人", Clause("1、狼人：若干人", _IDENTITIES), least=1),
    )
)

_VEST_TABLE = Clause(
    "人数	狼人	村民	先知	女巫	守卫	长老	猎人	白痴	爱神	吹笛	白狼", "身份阵营 · 一、身份分配"
)
_VEST_ROLES = ("狼人", "村民", "先知", "女巫", "守卫", "长老", "猎人", "白痴", "爱神", "吹笛", "白狼")
_VEST_ROWS = (
    (4, 3, 1, 1, 0, 0, 0, 0, 1, 0, 0),
    (5, 3, 1, 1, 1, 0, 0, 0, 1, 0, 0),
    (5, 3, 1, 1, 1, 0, 0, 0, 1, 1, 0),
    (5, 3, 1, 1, 1, 0, 1, 0, 1, 1, 0),
    (6, 3, 1, 1, 1, 0, 1, 0, 1, 1, 0),
    (6, 3, 1, 1, 1, 1, 1, 0, 1, 1, 0),
    (6, 4, 1, 1, 1, 1, 1, 0, 1, 1, 0),
    (5, 4, 1, 1, 1, 1, 1, 1, 1, 1, 1),
    (6, 4, 1, 1, 1, 1, 1, 1, 1, 1, 1),
    (6, 5, 1, 1, 1, 1, 1, 1, 1, 1, 1),
)
_VEST = Composition(
    limits=tuple(Limit(role, _VEST_TABLE, most=1) for role in _VEST_ROLES[2:]),
    rows=Rows(
        MappingProxyType({sum(row): MappingProxyType(dict(zip(_VEST_ROLES, row, strict=True))) for row in _VEST_ROWS}),
        _VEST_TABLE,
    ),
)

_ASSERTION = Composition(
    limits=(
        Limit("村民", Clause("村民：4人以上", _IDENTITIES), least=4),
        Limit("狼人", Clause("狼人：4人", _IDENTITIES), least=4, most=4),
        Limit("吸血鬼", Clause("吸血鬼：4人", _IDENTITIES), least=4, most=4),
        Limit("吹笛者", Clause("吹笛者：2人", _IDENTITIES), least=2, most=2),
    )
)

_SIBLINGS = Clause("单身的两姐妹/三兄弟于第一夜睁眼互知。", f"{_MORE} · 两姐妹/三兄弟")
_TABLE = Composition(
    limits=(
        *_ones(
            "3. 身份与阵营",
            ("预言家", "1、预言家,1人"),
            ("女巫", "2、女巫,1人"),
            ("长老", "3、长老,1人"),
            ("守卫", "4、守卫,1人"),
            ("猎人", "5、猎人,1人"),
            ("白痴", "6、白痴,1人"),
            ("吹笛者", "1、 吹笛者,1人"),
            ("丘比特", "丘比特,1人"),
        ),
        *_ones(
            _MORE,
            ("替罪羊", "替罪羊,1人,?"),
            ("盗贼", "盗贼,1人,,当游戏中存在盗贼这个角色时"),
            ("混血", "混血,1人,,混血必须在游戏开始的第一个夜晚"),
            # No number stands beside these; each is told of as one.
            ("乌鸦", "每天晚上最后时刻,乌鸦可以将一个诅咒施放在某位玩家头上"),
            ("狐狸", "备注,应限定为18+人场以上才能使用。"),
            ("口吃法官", "第一个夜晚主持人唤醒口吃法官"),
            ("吉普赛娘", "每晚主持人唤醒吉普赛娘"),
            ("锈刃骑士", "当锈刃骑士被狼人杀死的回合"),
            ("驯熊师", "当然村民们还是不清楚谁才是驯熊师。"),
            ("大野狼", "大野狼可以单独醒来再杀一人"),
            ("种狼", "种狼,每天晚上醒来与其他狼人一起选择被害者。"),
            ("白狼", "白狼获胜的条件是,将场上所有的人全部杀掉。"),
            ("偏见者", "老爷爷在第一夜选择其中一个宗族作为对立。"),
            ("野孩子", "指定一名玩家为自己的<榜样>。"),
            ("女仆", "在投票后,顺从的女仆可以翻开自己的角色卡。"),
            ("变脸者", "每天晚上开始时,主持人必须唤醒变脸者选择这三张卡中的其中一张"),
            ("狼狗", "第一个夜晚,主持人将唤醒狼狗"),
            ("天使", "当天使在第一个早晨被投票处决时,他单独胜利。"),
        ),
        Limit("两姐妹", _SIBLINGS, most=2, whole=True),
        Limit("三兄弟", _SIBLINGS, most=3, whole=True),
        Limit("狼人", Clause("1、 狼人,3-6人", "3. 身份与阵营"), least=3, most=6, advised=True),
        Limit("村民", Clause("7、村民,3-6人", "3. 身份与阵营"), least=3, most=6, advised=True),
    ),
    spare=Spare("盗贼", 2, Clause("当游戏中存在盗贼这个角色时,游戏卡牌需比实际游戏人数多2人", f"{_MORE} · 盗贼")),
    advice=(Advice("狐狸", 18, Clause("备注,应限定为18+人场以上才能使用。", f"{_MORE} · 狐狸")),),
    shelf=Shelf(("变脸者", "狼狗", "天使"), "roles.enabled", Clause("【暂时不考虑加入游戏的卡牌】", _MORE)),
)

COMPOSITIONS: Mapping[str, Composition] = MappingProxyType(
    {
        "m29": _M29,
        "secret-number": _SECRET_NUMBER,
        "vest": _VEST,
        "assertion": _ASSERTION,
        "table": _TABLE,
    }
)
