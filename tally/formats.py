"""The formats a vote may be written in: the labels that open a line, and how a value is cut and cleaned.

请严格依照投票格式或改票格式进行投票。…标点符号不区分全半角。投票对象与投票理由之间可以不换行。(M29, 投票规则)
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from tally.names import ZERO_WIDTH


class Form(StrEnum):
    """Which of the two formats: a first vote, or a change."""

    VOTE = "vote"
    CHANGE = "change"


class Field(StrEnum):
    """What a label announces."""

    TARGET = "target"
    REASON = "reason"
    PROXY = "proxy"


@dataclass(frozen=True, slots=True)
class Format:
    """One format as the rule post gives it, in both scripts, with examples: texts that it takes and texts that it must not."""

    name: str
    form: Form
    target: tuple[str, ...]
    reason: tuple[str, ...]
    takes: tuple[str, ...]
    leaves: tuple[str, ...]


VOTE = Format(
    name="投票格式",
    form=Form.VOTE,
    target=("投票对象", "投票對象"),
    reason=("投票理由",),
    takes=(
        "投票对象：饺子\n投票理由：饺子好吃",
        "投票对象:饺子 投票理由:饺子好吃",
        "投票对象：饺子投票理由：饺子好吃",
        "【投票对象】饺子\n【投票理由】饺子好吃",
        "投票理由：饺子好吃\n投票对象：饺子。",
        "投票對象：饺子（他最可疑）\n投票理由：略",
    ),
    leaves=(
        "我觉得投票对象：应该写清楚",
        "投 票 对 象：饺子",
        "投饺子",
    ),
)
CHANGE = Format(
    name="改票格式",
    form=Form.CHANGE,
    target=("改票对象", "改票對象"),
    reason=("改票理由",),
    takes=(
        "改票对象：饺子\n改票理由：饺子也好吃",
        "改票对象：饺子 改票理由：饺子也好吃",
        "改票對象：饺子\n改票理由：略",
    ),
    leaves=(
        "改投饺子",
        "我要改票对象：饺子",
    ),
)
FORMATS = (VOTE, CHANGE)
PROXY_LABEL = "代投"

PAIRS = (
    "【】",
    "［］",
    "[]",
    "（）",
    "()",
    "「」",
    "『』",
    "《》",
    "〈〉",
    "<>",
    "＜＞",
    "｛｝",
    "{}",
    "〔〕",
    "〖〗",
    "“”",
    "‘’",
)
# Brackets of one shape close each other whatever their width.
_SHAPES = ("【［[", "（(", "「", "『", "《〈<＜", "｛{", "〔", "〖", "“", "‘")
_SHAPE = {bracket: shape for shape, openers in enumerate(_SHAPES) for pair in PAIRS if pair[0] in openers for bracket in pair}
_OPEN = "".join(pair[0] for pair in PAIRS)
_CLOSE = "".join(pair[1] for pair in PAIRS)
# The longest a value is peeled: brackets, a remark and stops, each inside another.
_LAYERS = 6
STOPS = "。．.｡！!？?…，,；;~～"
# What may number or mark a line before its label, as examples of the pattern below.
LIST_MARKS = ("-", "*", "•", "●", "★", "→", "※", "#", "1.", "2、", "（3）", "④")
_MARK = r"(?:[-*•·●○◆◇■□★☆▶►→※#＃－—–]|[(（]?\d{1,2}[.、)．）]|[①-⑳])"


def _spelling(word: str) -> str:
    """A pattern of a label in either script; marks of no width may stand between its characters."""
    either = {"对": "[对對]", "象": "象"}
    return f"[{ZERO_WIDTH}]*".join(either.get(character, character) for character in word)


def _labels(words: tuple[tuple[str, str], ...]) -> str:
    return "|".join(f"(?P<{name}>{_spelling(word)})" for name, word in words)


_SPACE = rf"[\s{ZERO_WIDTH}]*"
# The last two are what input methods of Taiwan and of old GBK code tables give in place of the full-width colon.
_COLONS = ":：﹕︓︰∶"
_COLON_MARKS = frozenset(_COLONS)
_REASONS = (("vote_reason", VOTE.reason[0]), ("change_reason", CHANGE.reason[0]))
_OPENING = (("vote_target", VOTE.target[0]), ("change_target", CHANGE.target[0]), *_REASONS, ("proxy", PROXY_LABEL))
_LABEL = re.compile(
    rf"{_SPACE}(?:{_MARK}{_SPACE})*[{re.escape(_OPEN)}]?{_SPACE}(?:{_labels(_OPENING)}){_SPACE}"
    rf"(?P<close>[{re.escape(_CLOSE)}]?)(?P<sep>[\s{ZERO_WIDTH}{_COLONS}]*)"
)
_INLINE_REASON = re.compile(
    rf"[{re.escape(_OPEN)}]?{_SPACE}(?:{_labels(_REASONS)}){_SPACE}[{re.escape(_CLOSE)}]?[\s{ZERO_WIDTH}{_COLONS}]*"
)
# A label's characters wherever they stand; a smiley, which a text shows as [:name:], may stand between them.
# It ends at the first :] and is never tried in another way: a row of twenty smilies would have a million readings.
_SMILEY = r"\[:(?:(?!:\])[^\n])*+:\]"
_BETWEEN = rf"(?:[{ZERO_WIDTH}]|{_SMILEY})*+"
_ANY_LABEL = re.compile("|".join(_BETWEEN.join(word) for word in (("[投改]", "票", "[对對理]"), ("代", "投"))))
_CONTENT = re.compile(rf"[^\s{ZERO_WIDTH}{re.escape(_OPEN + _CLOSE)}{_COLONS}]")
_MEANINGS = {
    "vote_target": (Field.TARGET, Form.VOTE),
    "vote_reason": (Field.REASON, Form.VOTE),
    "change_target": (Field.TARGET, Form.CHANGE),
    "change_reason": (Field.REASON, Form.CHANGE),
    "proxy": (Field.PROXY, Form.VOTE),
}


@dataclass(frozen=True, slots=True)
class Label:
    """A label that opens a line: what it announces, in which form, as written; where it starts and its value begins."""

    field: Field
    form: Form
    written: str
    start: int
    value: int


@dataclass(frozen=True, slots=True)
class InlineReason:
    """A reason's label inside a line: of which form, where it begins (its bracket included) and where its text does."""

    form: Form
    start: int
    text: int


def may_have_a_label(text: str) -> bool:
    """A cheap look at a whole message's text: False only where no line of it can open with a label."""
    return _ANY_LABEL.search(text) is not None


def find_label(line: str) -> Label | None:
    """The label that opens a line, after spaces, list marks or a bracket; None where none does."""
    match = _LABEL.match(line)
    if match is None:
        return None
    (name,) = [name for name in _MEANINGS if match[name] is not None]
    field, form = _MEANINGS[name]
    separated = bool(match["close"]) or not _COLON_MARKS.isdisjoint(match["sep"])
    if field is Field.PROXY and not separated:
        # 代投 is an everyday word: without a colon or a bracket it is chat.
        return None
    return Label(field, form, match[name], match.start(name), match.end())


def find_inline_reasons(value: str) -> Iterator[InlineReason]:
    """Every place in a value where a reason's label begins: 投票对象与投票理由之间可以不换行."""
    for match in _INLINE_REASON.finditer(value):
        yield InlineReason(Form.VOTE if match["vote_reason"] else Form.CHANGE, match.start(), match.end())


def peel(value: str) -> Iterator[str]:
    """What is left of a value without final stops, remarks in brackets, and brackets around it: each step, outermost first."""
    for _ in range(_LAYERS):
        shorter = _peel_once(value.strip())
        if shorter is None:
            return
        value = shorter
        yield value.strip()


def _peel_once(value: str) -> str | None:
    if (bare := value.rstrip(STOPS)) != value:
        return bare
    if value and value[-1] in _CLOSE:
        opening = _opening_of(value)
        if opening is None:
            return value[:-1]
        return value[:opening] if opening else value[1:-1]
    for position in range(len(value) - 1, -1, -1):
        if value[position] in _CLOSE:
            # What follows a closed bracket is no remark, and nothing may be cut off to make a name.
            return None
        if value[position] in _OPEN:
            return value[:position] if position else value[1:]
    return None


def _opening_of(value: str) -> int | None:
    """Where the bracket opens that the value's last character closes; None where none does."""
    shape, depth = _SHAPE[value[-1]], 0
    for position in range(len(value) - 1, -1, -1):
        if _SHAPE.get(value[position]) == shape:
            depth += 1 if value[position] in _CLOSE else -1
            if depth == 0:
                return position
    return None


def has_content(text: str) -> bool:
    """Whether a text has anything but spaces, marks of no width, brackets and colons."""
    return _CONTENT.search(text) is not None
