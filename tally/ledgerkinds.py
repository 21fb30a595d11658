"""The findings about a ledger that runs a game: E3 are lines that the rules refuse, E12 what does not fit together."""

from __future__ import annotations

from tally.kind import Kind, Severity

_E, _W = Severity.ERROR, Severity.WARNING

LEDGER_KINDS = (
    Kind(
        "E121",
        _W,
        "第 {day} 天的 {key}：game.toml 写的是 {told}，按账本推演是 {found}",
        "{key} of day {day}: game.toml says {told}, by the ledger it is {found}",
    ),
    Kind(
        "E122",
        _E,
        "账本第 {line} 行是 bansha {version} 记的，当时的结果和现在推演的不同",
        "Line {line} of the ledger was stored by bansha {version}, and the state after it was another",
    ),
    Kind("E301", _E, "游戏已经结束（{winner}获胜）", "The game is over ({winner} has won)"),
    Kind(
        "E302",
        _E,
        "现在是{now}，这一行写的是{phase}；补记过去的行动用 `补 {phase} …`",
        "It is {now} and the line says {phase}; for what happened before write `补 {phase} …`",
    ),
    Kind("E303", _E, "没有叫「{word}」的玩家或身份{hint}", "No player or role {word}{hint}"),
    Kind("E304", _E, "「{word}」不止一人（{seats}），要写玩家的名字", "{word} is several ({seats}); write the name"),
    Kind("E305", _E, "没有「{act}」这个行动{hint}", "No such act: {act}{hint}"),
    Kind("E306", _E, "{actor}已经出局", "{actor} is out"),
    Kind("E307", _E, "{actor}（{role}）没有「{act}」这个技能", "{actor} ({role}) has no skill {act}"),
    Kind("E308", _E, "{actor}已经失去「{act}」", "{actor} has lost {act}"),
    Kind("E309", _E, "{actor}的「{act}」已经用过", "{actor} has used {act} up"),
    Kind(
        "E310",
        _E,
        "「{step}」这一步已经结束；补记用 `补 {phase} …`",
        "The step {step} is closed; for a late line write `补 {phase} …`",
    ),
    Kind("E311", _E, "「{act}」要写{wanted}个对象，这里有{given}个", "{act} wants {wanted} targets and has {given}"),
    Kind("E312", _E, "没有「{word}」这个对象{hint}", "No such target: {word}{hint}"),
    Kind("E313", _E, "{target}已公示出局，不能选为对象", "{target} was published out and cannot be chosen"),
    Kind("E314", _E, "两个对象是同一个（{target}）", "Both targets are {target}"),
    Kind(
        "E315",
        _E,
        "{target}已经当过「{act}」的对象，整局只能一次",
        "{target} was a target of {act} before, which is allowed once in the game",
    ),
    Kind("E316", _E, "「{act}」不能对自己用", "{act} cannot be used on oneself"),
    Kind(
        "E317", _E, "{actor}今晚已用「{other}」，不能再用「{act}」", "{actor} has used {other} tonight, and cannot use {act} too"
    ),
    Kind("E318", _E, "现在没有问{actor}这件事", "{actor} is asked no such thing now"),
    Kind(
        "E319",
        _E,
        "「{act}」是强制的，不能放弃；到时未定用 `导演 超时 {actor}`",
        "{act} is forced and cannot be declined; when time is up write `导演 超时 {actor}`",
    ),
    Kind("E320", _E, "还在等：{waiting}", "Still waiting for: {waiting}"),
    Kind("E321", _E, "「{act}」只能由导演写", "Only the director writes {act}"),
    Kind("E322", _E, "{target}已发动装傻，不能继任", "{target} has feigned and cannot succeed"),
    Kind("E323", _E, "{target}已出局，继任者须未出局", "{target} is out; a successor must be in"),
    Kind("E324", _E, "{camp}不能投降{why}", "{camp} cannot surrender{why}"),
    Kind("E325", _E, "没有等{actor}同意的投降", "No surrender waits for {actor}"),
    Kind(
        "E326",
        _E,
        "{actor}没有遗言的权利，或已经留过、放弃、过时",
        "{actor} has no right to last words, or has left or waived them, or is too late",
    ),
    Kind(
        "E327", _E, "遗言有{length}字，最多{longest}字", "The last words have {length} characters, at most {longest} are allowed"
    ),
    Kind("E328", _E, "遗言里有论坛代码：{found:text}", "The last words hold a board's code: {found:text}"),
    Kind(
        "E329",
        _E,
        "「{act}」是强制的，还没有发动；到时未定用 `{phase} 导演 超时 {actor}`",
        "{act} is forced and was not used yet; when time is up write `{phase} 导演 超时 {actor}`",
    ),
    Kind(
        "E330",
        _E,
        "{actor}已玩过{games}场，{most}场或以下才可以有场外助理",
        "{actor} has played {games} games; an assistant is for {most} or fewer",
    ),
    Kind("E331", _E, "「{act}」读不懂：{problem:text}", "{act} cannot be read: {problem:text}"),
    Kind("E332", _E, "{target}不在今晚被杀的对象之中", "{target} is not among those killed tonight"),
    Kind("E333", _E, "「{act}」要在{kind}写", "{act} is for {kind}"),
    Kind("E335", _E, "{target}已经出局", "{target} is out already"),
    Kind(
        "E336",
        _E,
        "抽签结果「{word}」不在可抽的人之中（{among}）",
        "The draw {word} is not among those who can be drawn ({among})",
    ),
    Kind(
        "E337",
        _E,
        "第 {day} 天的投票帖还不是最终结果（{why}）；先 fetch、裁定，或在账本里写投票",
        "The vote of day {day} is not final ({why}); fetch, rule, or write the votes in the ledger",
    ),
    Kind(
        "E338",
        _E,
        "今晚的「{act}」由抽中的{drawn}决定，不由{actor}",
        "Tonight {act} is for {drawn}, who was drawn, and not for {actor}",
    ),
    Kind("E339", _E, "{target}没有濒死，「{act}」没有用掉", "{target} is not dying; {act} was not used"),
    Kind(
        "E341",
        _E,
        "{actor}没有进入灵魂状态，还不能用「{act}」",
        "{actor} is no soul and cannot use {act} yet",
    ),
    Kind(
        "E342",
        _E,
        "{target}的身份已经公示，不能选为「{act}」的对象",
        "The identity of {target} is public; {act} cannot be aimed at it",
    ),
    Kind("E343", _E, "{title}没有出局，不能{act}", "Nobody goes out in {title}: {act} means nothing"),
    Kind("E344", _E, "「{act}」要写明{wanted}", "{act} must say {wanted}"),
    Kind("E345", _E, "{target}已是被吹笛的状态，不能再选", "{target} is chanted already and cannot be chosen"),
    Kind("E346", _E, "{target}不在存活状态，「{act}」不能选", "{target} is not alive and well; {act} cannot name it"),
    Kind(
        "E347",
        _E,
        "{target}前一晚也是「{act}」的对象，不能连续两晚",
        "{target} was the target of {act} last night, and cannot be again",
    ),
    Kind("E360", _E, "{target}不可以被连成情侣", "{target} cannot be made a lover"),
    Kind(
        "E361",
        _E,
        "「{act}」：规则里没有写出要用的牌，程序不替它编；会怎样由导演用 `导演 裁定 事实 …` 写下来",
        "{act}: the rule text gives no card, and none is invented; the director writes what happens as `导演 裁定 事实 …`",
    ),
    Kind(
        "E362",
        _E,
        "规则没有写「{question}」{about}；请导演先写 `{phase} 导演 裁定 决定 {question} {answers}`（选一个），再写这一行",
        "The rules do not decide {question}{about}; write `{phase} 导演 裁定 决定 {question} {answers}` (one of them) first",
    ),
    Kind("E363", _E, "底牌里有狼牌（{wolves}），不能选{word}", "A wolf lies among the cards ({wolves}): {word} cannot be taken"),
    Kind("E364", _E, "「{word}」不在牌里（{cards}）", "{word} is not among the cards ({cards})"),
    Kind("E365", _E, "{phase}没有这次投票（{poll}），或已经截票", "There is no such vote in {phase} ({poll}), or it is closed"),
    Kind("E367", _E, "{actor}是情侣之一，不能发动「{act}」", "{actor} is a lover and cannot use {act}"),
    Kind("E368", _E, "{actor}不能任命自己", "{actor} cannot appoint himself"),
)
