"""Why a line is refused: a code of the registry, a sentence for the director, and one that can be forwarded to whoever asked.

The sentence to forward tells nothing that the asker did not write himself. `insist` tells whether the director may have the line
obeyed all the same, as a ruling: not where nobody could say what obeying it would mean.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from scraper.phrases import Phrase, fill, phrase
from tally.finding import Finding, sentence


@dataclass(frozen=True, slots=True)
class Why:
    """One reason: the sentence that is safe to forward (parameters in braces), and whether the director may insist."""

    code: str
    safe: str
    insist: bool = False


def _(template: str) -> str:
    """Marks a template for the catalogues; it is filled when a line is refused."""
    return template


_LATER = _("现在还不能这样做，请等导演通知")
_CANNOT = _("这个技能现在不能这样用")
_TARGET = _("不能选这个对象，请另选")

WHYS: Mapping[str, Why] = MappingProxyType(
    {
        why.code: why
        for why in (
            Why("E301", _("游戏已经结束")),
            Why("E302", _LATER),
            Why("E303", _("没有这个名字，请检查写法")),
            Why("E304", _("请写明是谁")),
            Why("E305", _("没有这个行动，请检查写法")),
            Why("E306", _("出局者不能行动"), insist=True),
            Why("E307", _("你没有这个技能")),
            Why("E308", _CANNOT, insist=True),
            Why("E309", _("这个技能已经用过"), insist=True),
            Why("E310", _("这一步已经结束")),
            Why("E311", _("请写明对象")),
            Why("E312", _("没有这个对象，请检查写法")),
            Why("E313", _("已公示出局的不能选"), insist=True),
            Why("E314", _("两个对象不能相同")),
            Why("E315", _("同一个对象整局只能选一次"), insist=True),
            Why("E316", _("不能选自己"), insist=True),
            Why("E317", _("这两个技能不能同一晚用"), insist=True),
            Why("E318", _LATER),
            Why("E319", _("这个技能必须执行")),
            Why("E320", _LATER),
            Why("E321", _("只有导演能这样做")),
            Why("E322", _TARGET, insist=True),
            Why("E323", _TARGET),
            Why("E324", _("现在不能投降")),
            Why("E325", _LATER),
            Why("E326", _("没有遗言的权利，或已经过时")),
            Why("E327", _("遗言太长，最多{longest}字")),
            Why("E328", _("遗言里不能有论坛代码，请去掉 {found}")),
            Why("E329", _LATER),
            Why("E330", _("场次太多，不能有场外助理"), insist=True),
            Why("E331", _("请检查写法")),
            Why("E332", _CANNOT, insist=True),
            Why("E333", _LATER),
            Why("E335", _("已经出局")),
            Why("E337", _LATER),
            Why("E336", _LATER),
            Why("E341", _CANNOT, insist=True),
            Why("E342", _TARGET, insist=True),
            Why("E343", _LATER),
            Why("E338", _LATER, insist=True),
            Why("E339", _CANNOT),
            Why("E344", _("这一步有两种，请写明哪一种")),
            Why("E345", _TARGET, insist=True),
            Why("E346", _TARGET, insist=True),
            Why("E347", _("连续两晚不能选同一个对象"), insist=True),
            Why("E360", _TARGET, insist=True),
            Why("E361", _LATER),
            Why("E362", _LATER),
            Why("E363", _("这张牌不能选"), insist=True),
            Why("E364", _("没有这张牌，请检查写法")),
            Why("E365", _LATER),
            Why("E367", _CANNOT, insist=True),
            Why("E368", _TARGET, insist=True),
        )
    }
)


# When an act is written, as E333 says it.
BY_DAY, BY_NIGHT = phrase("白天"), phrase("夜里")


class Refused(Exception):
    """A line was not obeyed, and nothing was changed. `sentence` and `safe_sentence` say why."""

    def __init__(self, code: str, **parameters: object) -> None:
        super().__init__(code)
        self.code = code
        self.parameters = {name: value if isinstance(value, Phrase) else str(value) for name, value in parameters.items()}

    @property
    def why(self) -> Why:
        """What may be forwarded, and whether the director may insist."""
        return WHYS[self.code]

    @property
    def finding(self) -> Finding:
        """The refusal as a finding of the registry."""
        return Finding(self.code, tuple(self.parameters.items()))

    @property
    def sentence(self) -> str:
        """For the director, who may know everything."""
        return sentence(self.finding)

    @property
    def safe_sentence(self) -> str:
        """For whoever asked: it tells nothing that the asker did not write himself."""
        return fill(self.why.safe, self.parameters)

    def __str__(self) -> str:
        return f"{self.code} {self.sentence}"


class DirectorDecision(Refused):
    """The line leads where the rule text does not say what happens. `name` is the question; the director answers by a ruling.

    Nothing has changed, as with every line that is refused. `answers` are the words that his ruling may choose among.
    """

    name: str
    answers: tuple[str, ...]


class OpenQuestion(DirectorDecision):
    """A decision of the director's that a line of his answers: `裁定 决定 NAME ANSWER`, before the line that needs it."""

    def __init__(self, name: str, answers: tuple[str, ...], phase: str, about: str = "") -> None:
        Refused.__init__(
            self,
            "E362",
            question=name,
            answers="|".join(answers),
            phase=phase,
            about=phrase("（{about}）", about=about) if about else "",
        )
        self.name, self.answers = name, answers
