"""The findings about votes that not every rule system has: numbers and vests, votes off the board, groups that must agree."""

from __future__ import annotations

from tally.kind import Kind, Severity

_E, _W, _N = Severity.ERROR, Severity.WARNING, Severity.NOTE

VOTE_KINDS = (
    Kind(
        "B115",
        _W,
        "「{raw:text}」是玩家公开的名字，这一局投票要写秘密数字或马甲",
        "{raw:text} is a player's public name; votes name secret numbers or vests here",
    ),
    Kind(
        "B116",
        _W,
        "代投帖里有像条件的话，仍按无条件计：{text:text}；若是条件，裁定作废",
        "A proxy's post may set a condition, and counts as it had none: {text:text}; rule it void if it does",
    ),
    Kind(
        "B306",
        _N,
        "{seat}的账号在论坛上叫「{author}」了，按 uid {uid} 认出",
        "{seat}'s account is now called {author}; known by its uid {uid}",
    ),
    Kind(
        "B307",
        _E,
        "账号「{author}」用的是{seat}的账号名，但 uid 不是他的，不算他的帖；若 game.toml 的 uid 写错了，改正后重数",
        "The account {author} has {seat}'s name but another uid; its posts are not his, unless game.toml has a wrong uid",
    ),
    Kind("B406", _N, "账本里还没有截票这一行，结果未定", "The ledger has no line yet that closes the vote; nothing is final"),
    Kind(
        "B407",
        _E,
        "{seat}出局了，但没有写明他的秘密数字或马甲，投给它的票可能没有作废",
        "{seat} is out, but his number or vest is not told: votes for it may still be counted",
    ),
    Kind(
        "E109",
        _E,
        "{where}公布的结果是{posted}，这里算出的是{own}；核对后改公布的结果，或在账本写 裁定 结果",
        "The result published in {where} is {posted}, the count says {own}; correct it, or write 裁定 结果 in the ledger",
    ),
    Kind(
        "E110",
        _W,
        "{where}公布的结果读不懂，没有对照：{text:text}",
        "The result published in {where} cannot be read and was not compared: {text:text}",
    ),
    Kind(
        "E111",
        _W,
        "导演公布{target}得 {posted} 票（{where}），我们算的是 {own} 票",
        "The director gives {target} {posted} vote(s) ({where}); ours are {own}",
    ),
    Kind(
        "B409",
        _E,
        "账本第 {line} 行：{seat}不能{act}（{why:term}），没有用上",
        "Line {line} of the ledger: {seat} cannot use {act} ({why:term}); it has no effect",
    ),
    Kind(
        "B408",
        _E,
        "{seat}用过装傻，但没有写明他的秘密数字，投给它的票可能没有作废",
        "{seat} has used 装傻, but his number is not told: votes for it may still be counted",
    ),
    Kind(
        "B410",
        _E,
        "没有一个角色的票，却有 {strangers} 个名单外的账号投了票（能投票的有 {seats} 人）：名单可能不是这一局的",
        "No seat has a ballot, and {strangers} unknown accounts voted ({seats} seats may): the roster may be another game's",
    ),
)
