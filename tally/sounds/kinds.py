"""The findings about sounds: each code with its severity and its sentence in Chinese and in English."""

from __future__ import annotations

from tally.kind import Kind, Severity

_E, _W, _N = Severity.ERROR, Severity.WARNING, Severity.NOTE

SOUND_KINDS = (
    Kind(
        "C101",
        _E,
        "规定之外的字符 {codepoint}（{kind:term}，{name}）",
        "A character outside the set: {codepoint} ({kind:term}, {name})",
    ),
    Kind(
        "C102",
        _E,
        "看不见或伪装的字符 {codepoint}（{kind:term}，{name}）",
        "An invisible or disguised character: {codepoint} ({kind:term}, {name})",
    ),
    Kind("C103", _E, "不该有内容的地方（{place:term}）：{text:text}", "Nothing belongs there ({place:term}): {text:text}"),
    Kind("C104", _W, "样式变化，可能夹带信息（{measures:terms}）", "The style varies and may carry a message ({measures:terms})"),
    Kind(
        "C105",
        _W,
        "叫声有规律，可能是密码（{measures:terms}；{symbols} 声 {kinds} 种，每声 {entropy} 比特）",
        "A pattern that may be a code ({measures:terms}; {symbols} symbols of {kinds} kinds, {entropy} bits each)",
    ),
    Kind("C106", _W, "几次编辑可能夹带信息（{measures:terms}）", "Together the edits may carry a message ({measures:terms})"),
    Kind("C107", _N, "规则允许，记录备查：{why:term}", "Allowed by the rule, for the record: {why:term}"),
    Kind("C110", _E, "标点或符号 {codepoint}（{name}）", "Punctuation or a symbol: {codepoint} ({name})"),
)
