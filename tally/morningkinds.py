"""The findings about a morning report (晨报): E50 is who is missing from it, E51 what may not stand in it yet."""

from __future__ import annotations

from tally.kind import Kind, Severity

_E, _W = Severity.ERROR, Severity.WARNING

MORNING_KINDS = (
    Kind("E501", _E, "晨报没有写到出局的{who}", "The morning report does not name {who}, who is out"),
    Kind("E502", _W, "晨报没有写到被吹笛的{who}", "The morning report does not name {who}, who is chanted"),
    Kind("E503", _W, "晨报没有写到进入灵魂状态的{who}", "The morning report does not name {who}, who has become a soul"),
    Kind(
        "E511",
        _E,
        "晨报第 {line} 行第 {column} 字：没有公示的秘密数字 {word}",
        "Line {line}, column {column} of the morning report: the secret number {word} is not public",
    ),
    Kind(
        "E512",
        _E,
        "晨报第 {line} 行第 {column} 字：没有公示的马甲 {word}",
        "Line {line}, column {column} of the morning report: the vest {word} is not public",
    ),
    Kind(
        "E513",
        _E,
        "晨报第 {line} 行第 {column} 字：没有公示的身份 {word}",
        "Line {line}, column {column} of the morning report: the role {word} is not public",
    ),
    Kind(
        "E514",
        _E,
        "晨报第 {line} 行第 {column} 字：演员 {word}",
        "Line {line}, column {column} of the morning report: {word} is a person who plays",
    ),
    Kind(
        "E515",
        _E,
        "晨报第 {line} 行第 {column} 字：账号的密码",
        "Line {line}, column {column} of the morning report: the password of an account",
    ),
    Kind(
        "E516",
        _E,
        "晨报第 {line} 行第 {column} 字：种子",
        "Line {line}, column {column} of the morning report: the seed",
    ),
    Kind(
        "E517",
        _W,
        "晨报第 {line} 行第 {column} 字：「{word}」像是游戏流程，还没有公示过",
        "Line {line}, column {column} of the morning report: {word} sounds of the game's course, and was not published",
    ),
)
