"""The findings about days: their doors and lengths, requests for a shorter or longer one, cards, the director's result."""

from __future__ import annotations

from tally.kind import Kind, Severity

_E, _W, _N = Severity.ERROR, Severity.WARNING, Severity.NOTE

DAY_KINDS = (
    # B5: windows and requests
    Kind(
        "B501",
        _W,
        "第 {day} 天按日历应在 {expected} 关门，写的是 {closes}",
        "By the calendar day {day} closes at {expected}; {closes} is written",
    ),
    Kind(
        "B502",
        _N,
        "账本第 {line} 行没有写何时宣布，{door:term}当作一直如此；中途改的写上 宣布=时间",
        "Line {line} of the ledger does not say when it was announced; {door:term} is taken as always so. If it was moved in the "
        "middle, add 宣布=time",
    ),
    Kind(
        "B503",
        _W,
        "像是申请，但不合格式，没有计：{text:text}",
        "Looks like a request but is in no fixed form, not counted: {text:text}",
    ),
    Kind(
        "B504",
        _W,
        "{name}的申请没有计（{why:term}）：{text:text}",
        "The request of {name} was not counted ({why:term}): {text:text}",
    ),
    Kind(
        "B505",
        _W,
        "{seat}先申请{first:term}，后申请{second:term}，按后一个计",
        "{seat} asked for {first:term}, then for {second:term}; the later one counts",
    ),
    Kind(
        "B506",
        _N,
        "{name}的这一帖不改变申请（{why:term}）：{text:text}",
        "This post of {name} changes no request ({why:term}): {text:text}",
    ),
    Kind(
        "B507",
        _W,
        "申请的帖子{why:term}，按首次看到的计：{text:text}",
        "The request was {why:term}; it counts as first seen: {text:text}",
    ),
    Kind(
        "B508",
        _E,
        "{seats}的申请说不清（判定之后才看到，已被编辑或看不到内容），是否{ask:term}由它决定；在账本写 加速 或 延时",
        "The requests of {seats} cannot be told (first seen after the judgement, edited or unreadable) and decide on {ask:term}; "
        "write 加速 or 延时 in the ledger",
    ),
    Kind(
        "B509",
        _W,
        "{seats}的申请说不清，但怎么算都不影响是否{ask:term}",
        "The requests of {seats} cannot be told, but decide nothing about {ask:term}",
    ),
    Kind(
        "B510",
        _W,
        "{cutoff} 之后还没有看全进程帖（{tid}），申请判定不了；再看一遍，或在账本写 加速、延时",
        "The progress thread ({tid}) was not seen whole after {cutoff}, so requests cannot be judged; look again, or write "
        "加速 or 延时 in the ledger",
    ),
    Kind(
        "B511",
        _N,
        "到目前为止申请{ask:term}的有 {count} 人，存活 {living} 人，需要 {needed} 人，{cutoff} 判定",
        "So far {count} of {living} ask for {ask:term}, {needed} are needed; judged at {cutoff}",
    ),
    Kind(
        "B512",
        _N,
        "{ask:term}成功，但账本没有写关门改到何时；改了就写 关门 @时间",
        "{ask:term} is granted, and no ledger line moves the close; write 关门 @time if it is moved",
    ),
    Kind(
        "B514",
        _W,
        "论坛只显示到分钟，这个申请在判定的那一分钟（{at}），按赶上计",
        "The board prints minutes only and the request is of the minute of the judgement ({at}); counted as in time",
    ),
    # D: cards and activity
    Kind(
        "D104",
        _W,
        "关门之后没有看全讨论帖（{tids}），发言不足没有检查",
        "The discussion threads ({tids}) were not seen whole after the close; how much each spoke is unchecked",
    ),
    Kind(
        "D105",
        _N,
        "{seat}{offence:term}，但不罚（{why:term}）",
        "{seat}: {offence:term}, but no card ({why:term})",
    ),
    Kind(
        "D106",
        _W,
        "账本第 {line} 行给了{seat}罚牌（{reason:text}），证据里没有这一项",
        "Line {line} of the ledger gives {seat} a card ({reason:text}) that the evidence does not propose",
    ),
    # E1: the game file and the director's own result
    Kind(
        "E108",
        _W,
        "第 {day} 天 game.toml 写的是{written:term}，而判定的是{judged:term}：{because:text}；按 game.toml 算",
        "Day {day} is {written:term} in game.toml, but judged {judged:term}: {because:text}; game.toml is followed",
    ),
)
