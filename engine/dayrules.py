"""What each rule system says of its days: how long they are, who may ask for a shorter or longer one, and what an offence costs.

Read it beside the rule posts: each clause is a sentence of one, to the character. 秘密数字杀 has the headings 行动时限 and
讨论日长短 with nothing under them: requests are read there as in M29, and no length is known. 断言 and 面杀 have neither.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import time, timedelta
from types import MappingProxyType

from tally.calendar import DayLength
from tally.policy import Clause
from tally.requests import Ask, Quorum, RequestPolicy

_DAY = timedelta(days=1)
_FLOW = "游戏流程及其他说明 · 讨论日长短"

LENGTH = Clause("一般讨论日持续两天，每逢周末时讨论日延长一天。", _FLOW)
AUTOMATIC = Clause("未出局角色减少到一定程度时，导演将自动执行加速。", _FLOW)
REQUEST = Clause(
    "当日申请人数在讨论日结束三个小时前（一般为最后一个自然日的18:00）大于等于存活人数的一半，即判定加速或延迟成功。", _FLOW
)
VEST_LENGTH = Clause("每“天”白天的时间为某一自然日09:30（可能会提前）~次日21:30", "用语定义 · 游戏日")
VEST_SHORTER = Clause("如遇到节假日，游戏日可能有所延长，如所有马甲均同意缩短游戏日，游戏日可能缩短。", "用语定义 · 游戏日")
VEST_POINTS = Clause("马甲因违反游戏规则，累计扣满12分者将予以罚下处理", "用语定义 · 罚下")


@dataclass(frozen=True, slots=True)
class DayRules:
    """What one rule system says of its days.

    `points` is at how many penalty points a seat is sent off, by the clause `sent_off`; None where offences cost cards.
    """

    length: DayLength | None = None
    requests: RequestPolicy | None = None
    automatic: Clause | None = None
    points: int | None = None
    sent_off: Clause | None = None


_M29_REQUESTS = RequestPolicy(
    words=(
        ("申请加速", Ask.SPEED_UP),
        ("申请延时", Ask.EXTENSION),
        ("撤回申请", Ask.WITHDRAW),
        ("取消申请", Ask.WITHDRAW),
    ),
    quorum=Quorum.HALF,
    lead=3 * 3600,
    speeds_up=True,
    clause=REQUEST,
)

# 讨论日结束三个小时前（一般为最后一个自然日的18:00): the natural days are counted, and it closes at 21:00 of the last.
M29 = DayRules(
    length=DayLength(days=2, closes_at=time(21), weekend_extra=_DAY, holiday_extra=_DAY, clause=LENGTH),
    requests=_M29_REQUESTS,
    automatic=AUTOMATIC,
)

# An early opening moves no close; a holiday lengthens where the director lists it (可能有所延长).
VEST = DayRules(
    length=DayLength(days=2, opens_at=time(9, 30), closes_at=time(21, 30), holiday_extra=_DAY, clause=VEST_LENGTH),
    requests=RequestPolicy(
        words=(
            ("申请缩短", Ask.SPEED_UP),
            ("同意缩短", Ask.SPEED_UP),
            ("申请加速", Ask.SPEED_UP),
            ("撤回申请", Ask.WITHDRAW),
            ("取消申请", Ask.WITHDRAW),
        ),
        quorum=Quorum.ALL,
        lead=None,
        speeds_up=False,
        clause=VEST_SHORTER,
    ),
    points=12,
    sent_off=VEST_POINTS,
)

# What it takes from M29 is no sentence of its own rule post.
SECRET_NUMBER = DayRules(requests=replace(_M29_REQUESTS, clause=Clause("", "")))

DAY_RULES: Mapping[str, DayRules] = MappingProxyType(
    {
        "m29": M29,
        "secret-number": SECRET_NUMBER,
        "vest": VEST,
        "assertion": DayRules(),
        "table": DayRules(),
    }
)
