"""The findings about the roles that a game deals: E41 are sets that a rule post makes impossible, or advises against."""

from __future__ import annotations

from tally.kind import Kind, Severity

_E, _W = Severity.ERROR, Severity.WARNING

DEAL_KINDS = (
    Kind("E410", _E, "{system}没有「{role}」这个身份", "{system} has no role {role}"),
    Kind(
        "E411",
        _E,
        "「{role}」最多 {most} 张，这里有 {given} 张；规则：{clause:text}",
        "There may be {most} of {role} at most, and here are {given}; the rule: {clause:text}",
    ),
    Kind(
        "E412",
        _E,
        "「{role}」至少 {least} 张，这里有 {given} 张；规则：{clause:text}",
        "There must be {least} of {role} at least, and here are {given}; the rule: {clause:text}",
    ),
    Kind(
        "E413",
        _E,
        "「{role}」要有就是 {wanted} 张，这里有 {given} 张；规则：{clause:text}",
        "There are {wanted} of {role} or none, and here are {given}; the rule: {clause:text}",
    ),
    Kind(
        "E414",
        _E,
        "有「{role}」的一局身份牌比人数多 {more} 张：{players} 人要 {wanted} 张，这里有 {given} 张；规则：{clause:text}",
        "With {role} there are {more} more cards than players: {players} need {wanted}, not {given}; the rule: {clause:text}",
    ),
    Kind("E415", _E, "{players} 人，身份牌有 {given} 张", "{players} players, and {given} cards"),
    Kind(
        "E416",
        _E,
        '「{role}」暂时不考虑加入游戏；要用就在 [switches] 里写上 {switch} = [… "{role}" …]；规则：{clause:text}',
        '{role} is not considered yet; to deal it write {switch} = [… "{role}" …]; the rule: {clause:text}',
    ),
    Kind(
        "E417",
        _E,
        "{players} 人没有标准配置（有的是 {rows}）；规则：{clause:text}",
        "There is no row for {players} players (there are {rows}); the rule: {clause:text}",
    ),
    Kind(
        "E418",
        _E,
        "{players} 人的配置应为 {wanted}，这里是 {given}；规则：{clause:text}",
        "{players} players are {wanted}, and here are {given}; the rule: {clause:text}",
    ),
    Kind("E419", _E, "全部身份都属于{camp}，一开局就分出了胜负", "Every role belongs to {camp}, and the game is over at once"),
    Kind(
        "E420",
        _W,
        "「{role}」限 {least} 人以上的局，这里是 {players} 人；规则：{clause:text}",
        "{role} is for {least} players or more, and here are {players}; the rule: {clause:text}",
    ),
    Kind(
        "E421",
        _W,
        "「{role}」规则写的是 {least}–{most} 张，这里有 {given} 张；规则：{clause:text}",
        "The post says {least}–{most} of {role}, and here are {given}; the rule: {clause:text}",
    ),
)
