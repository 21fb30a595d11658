"""What a chanted player may post, as data: the sounds of each rule system by code point, and what goes with them.

The sets are three different ones; nothing is normalised, so 叽 U+53FD is not 唧 U+5527.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from tally.policy import Clause


class Punctuation(StrEnum):
    """What punctuation and symbols are where the list does not name them (`speech.punctuation`)."""

    BREACH = "breach"
    WARNING = "warning"
    IGNORE = "ignore"


EXEMPT = ("投票对象", "改票对象")
REASONS = ("投票理由", "改票理由")
REQUESTS = ("申请加速", "申请延时")


@dataclass(frozen=True, slots=True)
class SoundRules:
    """What a chanted player may post under one rule system.

    `chars` are single code points; empty where only smilies are allowed. `checked` is False where nobody is told who is
    chanted. `exempt` are labels whose line may hold a name, `reasons` labels whose value is checked, `requests` the fixed
    forms of a request in the progress thread. `clause` is the sentence of the rule post.
    """

    chars: frozenset[str]
    smilies: bool = True
    whitespace: bool = True
    punctuation: Punctuation = Punctuation.BREACH
    exempt: tuple[str, ...] = EXEMPT
    reasons: tuple[str, ...] = REASONS
    requests: tuple[str, ...] = REQUESTS
    checked: bool = True
    order: str = ""
    clause: Clause | None = None


def read_code_points(listed: str) -> str:
    """Turn `55B5 6C6A …` (hexadecimal code points) into the characters, in the list's order."""
    return "".join(chr(int(point, 16)) for point in listed.split())


# 喵 汪 吱 嘎 哞 咩 喳 嘤 啾 叽 唧 咯 咕 嘶 呱 吼 嗷 呜 哒 咪 哼 啊 哈 呲 噜
_SECRET_NUMBER = read_code_points(
    "55B5 6C6A 5431 560E 54DE 54A9 55B3 5624 557E 53FD 5527 54AF 5495 5636 5471 543C 55F7 545C 54D2 54AA 54FC 554A 54C8 5472 565C"
)
# 啊 嗷 嘎 咕 呱 哼 咴 叽 啾 喵 咩 哞 喔 汪 喳 吱; the space and the line end that the rule names are white space, allowed in all.
_VEST = read_code_points("554A 55F7 560E 5495 5471 54FC 54B4 53FD 557E 55B5 54A9 54DE 5594 6C6A 55B3 5431")
# 哼 唧 平 胸 小 老 奶 姨 泡 炮 嘶
_M29 = read_code_points("54FC 5527 5E73 80F8 5C0F 8001 5976 59E8 6CE1 70AE 5636")

SECRET_NUMBER = SoundRules(
    chars=frozenset(_SECRET_NUMBER),
    order=_SECRET_NUMBER,
    clause=Clause(
        "被吹笛的角色在游戏日白天只能发出动物叫声，或使用小镇的表情；不得使用密码、电码或暗号。执行上述效果直到吹笛者出局。",
        "秘密数字杀规则",
    ),
)
VEST = SoundRules(
    chars=frozenset(_VEST),
    order=_VEST,
    # How a shorter day is asked for there (如所有马甲均同意缩短游戏日): a chanted vest is one of all.
    requests=("申请缩短", "同意缩短", *REQUESTS),
    clause=Clause(
        "马甲不能正常讨论，除“投票对象”外，只能使用表情以及以下16种汉字：啊、嗷、嘎、咕、呱、哼、咴、叽、啾、喵、咩、哞、喔、汪、喳、吱、空格符与回车符，"
        "不可使用其他字符，不得使用字符画与未定义密码。",
        "马甲杀（alpha版）",
    ),
)
M29 = SoundRules(
    chars=frozenset(_M29),
    order=_M29,
    clause=Clause(
        "被吹笛的角色在游戏日白天只能发出小泡佩奇相关叫声，或使用小镇的表情；不得使用密码、电码或暗号。执行上述效果直到吹笛者出局。",
        "[M29]『小泡佩奇』——规则贴",
    ),
)
# Played face to face there is no speech at all; on a board what is left are the smilies.
TABLE = SoundRules(
    chars=frozenset(),
    clause=Clause(
        "被魅惑的在角色游戏日白天不能发言,可以回答其他玩家的问题,但是只能点头、摇头或者没有反应,也可以使用动作、表情等无声回应。",
        "狼人杀规则 ——面杀部分",
    ),
)
ASSERTION = SoundRules(chars=frozenset(), checked=False, clause=Clause("进入吹笛状态的角色名单不会被任何角色知道。", "断言规则"))

SOUND_RULES: Mapping[str, SoundRules] = {
    "secret-number": SECRET_NUMBER,
    "vest": VEST,
    "m29": M29,
    "table": TABLE,
    "assertion": ASSERTION,
}

# What a list is written with, and what looks like nothing: in a home-made list they are slips, and would let something through.
_SEPARATORS = frozenset("、，,；;/|")


class Slip(StrEnum):
    """What is wrong with one character of a home-made list."""

    TWICE = "twice"
    WHITE = "white"
    SEPARATOR = "separator"
    INVISIBLE = "invisible"


def find_slip(chars: str) -> tuple[int, Slip] | None:
    """Find the first slip in a home-made list of sounds: its position (1-based), and what it is; None for a good list.

    Invisible are combining, private and unassigned characters too: nobody can tell from the list what it allows.
    """
    for position, char in enumerate(chars, 1):
        if char in chars[: position - 1]:
            return position, Slip.TWICE
        if char.isspace():
            return position, Slip.WHITE
        if char in _SEPARATORS:
            return position, Slip.SEPARATOR
        if unicodedata.category(char)[0] in "MC":
            return position, Slip.INVISIBLE
    return None
