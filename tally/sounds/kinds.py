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
    Kind(
        "C108",
        _E,
        "导演裁定{ruling:term}（账本第 {line} 行）：{reason:text}",
        "Ruled {ruling:term} by the director (line {line} of the ledger): {reason:text}",
    ),
    Kind("C110", _E, "标点或符号 {codepoint}（{name}）", "Punctuation or a symbol: {codepoint} ({name})"),
    # C2: what was not looked at, and where the facts do not fit together
    Kind(
        "C201",
        _W,
        "第 {day} 天的帖子 {tid} 还没有看过，里面的没有查",
        "Thread {tid} of day {day} was never looked at; nothing in it was checked",
    ),
    Kind(
        "C202",
        _W,
        "第 {day} 天的帖子 {tid} 没有看全，缺第 {pages} 页",
        "Thread {tid} of day {day} was not seen whole; missing pages: {pages}",
    ),
    Kind("C203", _W, "这一帖{why:term}，看不到的没有查", "The post is {why:term}; what is not shown was not checked"),
    Kind(
        "C204",
        _W,
        "吹笛者何时出局，{used:term}写的是 {at}，{other:term}写的是 {other_at}；按前一个算",
        "When the piper went out: {used:term} says {at}, {other:term} says {other_at}; the first is followed",
    ),
    Kind(
        "C205",
        _W,
        "{seat}从第 {since} 天起被吹笛，吹笛者还没有出局，而第 {day} 天的 chanted 没有写他；叫声照查，计票不算他被吹笛",
        "{seat} is chanted since day {since} and the piper is not out, but day {day} does not list {seat} in chanted; the sounds "
        "are checked all the same, the count takes {seat} as not chanted",
    ),
)
