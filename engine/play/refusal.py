"""Why a line is refused: a code, a sentence for the director, and one that can be forwarded without telling anybody anything.

Codes E301… belong to the findings of game file and ledger. `insist` tells whether the director may have the line obeyed all the
same, as a ruling: not where nobody could say what obeying it would mean.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Why:
    """One reason: the two sentences (parameters in braces), and whether the director may insist."""

    code: str
    director: str
    safe: str
    insist: bool = False


_LATER = "现在还不能这样做，请等导演通知"
_CANNOT = "这个技能现在不能这样用"
_TARGET = "不能选这个对象，请另选"

WHYS: Mapping[str, Why] = MappingProxyType(
    {
        why.code: why
        for why in (
            Why("E301", "游戏已经结束（{winner}获胜）", "游戏已经结束"),
            Why("E302", "现在是{now}，这一行写的是{phase}；补记过去的行动用 `补 {phase} …`", _LATER),
            Why("E303", "没有叫「{word}」的玩家或身份{hint}", "没有这个名字，请检查写法"),
            Why("E304", "「{word}」不止一人（{seats}），要写玩家的名字", "请写明是谁"),
            Why("E305", "没有「{act}」这个行动{hint}", "没有这个行动，请检查写法"),
            Why("E306", "{actor}已经出局", "出局者不能行动", insist=True),
            Why("E307", "{actor}（{role}）没有「{act}」这个技能", "你没有这个技能"),
            Why("E308", "{actor}已经失去「{act}」", _CANNOT, insist=True),
            Why("E309", "{actor}的「{act}」已经用过", "这个技能已经用过", insist=True),
            Why("E310", "「{step}」这一步已经结束；补记用 `补 {phase} …`", "这一步已经结束"),
            Why("E311", "「{act}」要写{wanted}个对象，这里有{given}个", "请写明对象"),
            Why("E312", "没有「{word}」这个对象{hint}", "没有这个对象，请检查写法"),
            Why("E313", "{target}已公示出局，不能选为对象", "已公示出局的不能选", insist=True),
            Why("E314", "两个对象是同一个（{target}）", "两个对象不能相同"),
            Why("E315", "{target}已经当过「{act}」的对象，整局只能一次", "同一个对象整局只能选一次", insist=True),
            Why("E316", "「{act}」不能对自己用", "不能选自己", insist=True),
            Why("E317", "{actor}今晚已用「{other}」，不能再用「{act}」", "这两个技能不能同一晚用", insist=True),
            Why("E318", "现在没有问{actor}这件事", _LATER),
            Why("E319", "「{act}」是强制的，不能放弃；到时未定用 `导演 超时 {actor}`", "这个技能必须执行"),
            Why("E320", "还在等：{waiting}", _LATER),
            Why("E321", "「{act}」只能由导演写", "只有导演能这样做"),
            Why("E322", "{target}已发动装傻，不能继任", _TARGET, insist=True),
            Why("E323", "{target}已出局，继任者须未出局", _TARGET),
            Why("E324", "{camp}不能投降{why}", "现在不能投降"),
            Why("E325", "没有等{actor}同意的投降", _LATER),
            Why("E326", "{actor}没有遗言的权利，或已经留过、放弃、过时", "没有遗言的权利，或已经过时"),
            Why("E327", "遗言有{length}字，最多{longest}字", "遗言太长，最多{longest}字"),
            Why("E328", "遗言里有论坛代码：{found}", "遗言里不能有论坛代码，请去掉 {found}"),
            Why("E329", "「{act}」是强制的，还没有发动；到时未定用 `{phase} 导演 超时 {actor}`", _LATER),
            Why("E330", "{actor}已玩过{games}场，{most}场或以下才可以有场外助理", "场次太多，不能有场外助理", insist=True),
            Why("E331", "「{act}」读不懂：{problem}", "请检查写法"),
            Why("E332", "{target}不在今晚被杀的对象之中", _CANNOT, insist=True),
            Why("E333", "「{act}」要在{kind}写", _LATER),
            Why("E335", "{target}已经出局", "已经出局"),
            Why("E336", "抽签结果「{word}」不在可抽的人之中（{among}）", _LATER),
        )
    }
)


class Refused(Exception):
    """A line was not obeyed, and nothing was changed. See `Why` for its two sentences."""

    def __init__(self, code: str, **parameters: object) -> None:
        super().__init__(code)
        self.code = code
        self.parameters = {name: str(value) for name, value in parameters.items()}

    @property
    def why(self) -> Why:
        """The reason's two sentences and what may be done."""
        return WHYS[self.code]

    @property
    def sentence(self) -> str:
        """For the director, who may know everything."""
        return self.why.director.format_map(self.parameters)

    @property
    def safe_sentence(self) -> str:
        """For whoever asked: it tells nothing that the asker did not write himself."""
        return self.why.safe.format_map(self.parameters)

    def __str__(self) -> str:
        return f"{self.code} {self.sentence}"
