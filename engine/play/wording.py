"""The Chinese sentence of each message of a game, as it goes on the board or to a player."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from engine.play.messages import PUBLIC, Message, Told, read_count
from engine.play.rules import SheriffShown
from engine.play.skillset import Effect
from engine.play.table import Table
from tally.policy import Tie


def say(message: Message, table: Table) -> str:
    """The sentence of a message."""
    return _SENTENCES[message.told](message, table)


def _names(message: Message, table: Table) -> str:
    """The seats of a message as it may call them: by their vests, where these are what is published, else by name."""
    return "、".join(_call(seat, table) for seat in message.seats)


def _call(seat: int, table: Table) -> str:
    return table.vest(seat) if table.play.vests else table.name(seat)


def _numbers(message: Message) -> str:
    return "、".join(str(number) for number in message.numbers)


def _with_numbers(message: Message, table: Table) -> str:
    """Names in order, then the numbers as the rules publish them."""
    numbers = f"；秘密数字：{_numbers(message)}" if message.numbers else ""
    return f"{_names(message, table)}{numbers}"


def _target(message: Message, table: Table) -> str:
    """A seat as a player may be told of it: its number where numbers are secret, else its name."""
    return _numbers(message) if table.play.numbers else _names(message, table)


def _role(seat: int, table: Table) -> str:
    return table.players[seat].role


def _identities(message: Message, table: Table) -> str:
    return "身份与角色：" + "；".join(f"{table.name(seat)}（{_role(seat, table)}）" for seat in message.seats)


def _out(message: Message, table: Table) -> str:
    causes = message.word.split("、") if message.word else [""] * len(message.seats)
    names = "、".join(
        f"{_call(seat, table)}{_aside(cause if not table.play.vests else '罚下' if cause else '')}"
        for seat, cause in zip(message.seats, causes, strict=True)
    )
    numbers = f"；秘密数字：{_numbers(message)}" if message.numbers else ""
    return f"出局：{names}{numbers}"


def _count(message: Message, table: Table) -> str:
    """Whom the vote hits, and the votes behind it, as `tally.posted` reads a result back. What follows is told for itself."""
    told = read_count(message.word)
    nobody = "无人当选" if told.elects else "无人出局"
    if not message.numbers and message.seats:
        # 公布得票最高的马甲: whom the vote hits, and no more.
        highest = "、".join(write_target(seat, table) for seat in message.seats)
        return f"得票最高{_aside(told.poll)}：{highest}{f'，{nobody}' if told.decision == 'nobody' else ''}"
    hit = nobody if told.seat is None else write_target(told.seat, table)
    counts = "、".join(
        f"{write_target(seat, table)} {votes} 票" for seat, votes in zip(message.seats, message.numbers, strict=True)
    )
    tied = "；平票" if told.because in set(Tie) and counts else ""
    tied += f"，警长投的是{hit}" if tied and told.because == Tie.SHERIFF_TARGET else ""
    head = "竞选结果" if told.elects else f"投票结果{_aside(told.poll)}"
    return f"{head}：{hit}（{counts or '无人得票'}{tied}）"


def write_target(seat: int, table: Table) -> str:
    """What a vote names, so that no number runs into the votes behind it."""
    return f"{table.target_word(seat)}号" if table.play.numbers else table.target_word(seat)


def _aside(words: str) -> str:
    return f"（{words}）" if words else ""


def _day_sheriff(message: Message, table: Table) -> str:
    return f"当日警长：{call_sheriff(message.seats[0], table)}"


def _new_sheriff(message: Message, table: Table) -> str:
    heir = call_sheriff(message.seats[0], table)
    if message.word == "裁定":
        return f"警长：{heir}"
    # A sheriff who feigns has not died for it: 发动此技能时，若白痴是警长，须移交警长。
    return f"{f'{message.word}警长' if message.word else table.play.succession.act}：继任警长的是 {heir}"


def call_sheriff(seat: int, table: Table) -> str:
    """The sheriff as the rules publish him (`announce.sheriff`)."""
    match table.play.sheriff_shown:
        case SheriffShown.CHARACTER:
            return _call(seat, table)
        case SheriffShown.NUMBER:
            return table.target_word(seat)
        case SheriffShown.BOTH:
            return f"{table.name(seat)}，秘密数字 {table.target_word(seat)}"


def _killed(message: Message, table: Table) -> str:
    who = _target(message, table)
    cause = table.play.kill_cause
    return f"通灵：今晚被{cause}的是 {who}" if who else f"通灵：今晚没有被{cause}的（无）"


def _is_role(message: Message, table: Table) -> str:
    """Yes in two words and no in two, for whoever looks for either."""
    skill, _, answer = message.word.partition(" ")
    return f"{skill}：{_target(message, table)} {answer}（{'否' if answer.startswith('不') else '是'}）"


def _aimed_at(message: Message, table: Table) -> str:
    """通灵 where several skills kill: who is aimed at, whatever a shield does."""
    if table.play.dying is None:
        return _killed(message, table)
    return f"通灵：今晚成为杀人、撕咬目标的是 {_names(message, table) or '（无）'}"


def _chanted(message: Message, table: Table) -> str:
    return f"被{call_chant(table)}：{_names(message, table)}" if message.to == PUBLIC else "你进入癫狂状态"


def _released(message: Message, table: Table) -> str:
    if table.play.vests:
        return "吹笛出局，癫狂状态解除"
    chant = call_chant(table)
    return f"吹笛者已经出局，被{chant}的角色{'' if chant == '吹笛' else '被'}{chant}状态取消"


def call_chant(table: Table) -> str:
    """吹笛, as the rules call it: 面杀 says 魅惑 (公示被魅惑的角色)."""
    found = (skill.name for role in table.play.roles for skill in role.skills if skill.effect is Effect.CHANT)
    return next(found, "吹笛")


def _wolves(message: Message, table: Table) -> str:
    if not table.hides_targets:
        return f"所有狼人：{_names(message, table)}"
    pairs = "、".join(f"{table.name(seat)} {table.target_word(seat)}" for seat in message.seats)
    return f"所有狼人：{pairs}{f'；{message.word}' if message.word else ''}"


def _lover(message: Message, table: Table) -> str:
    number = f"，秘密数字 {_numbers(message)}" if message.numbers else ""
    vest = "".join(f"，马甲 {table.vest(seat)}" for seat in message.seats) if table.play.vests else ""
    return f"你的情侣是 {table.name(message.seats[0])}{number}{vest}"


def _shot(message: Message, table: Table) -> str:
    shooter, target = message.seats
    return f"{table.name(shooter)} 发动最后一枪：{table.target_word(target)} 被枪杀"


def _feigned(message: Message, table: Table) -> str:
    number = f"，秘密数字 {_numbers(message)}" if message.numbers else ""
    return f"{_names(message, table)} 发动装傻{number}，不出局"


def _replaced(message: Message, table: Table) -> str:
    servant, gone = message.seats
    return f"{table.name(servant)} 翻开角色牌（{message.word}），接过 {table.name(gone)} 的角色牌继续游戏"


_SENTENCES: Mapping[Told, Callable[[Message, Table], str]] = MappingProxyType(
    {
        Told.IDENTITIES: _identities,
        Told.DAY_OPENS: lambda message, table: f"前一天{message.word}出局：{_with_numbers(message, table)}",
        Told.DAY_SHERIFF: _day_sheriff,
        Told.CHANTED: _chanted,
        Told.PUNISHED: lambda message, table: f"{message.word}失去技能",
        Told.LAST_WORDS: lambda message, table: f"{_names(message, table)} 的遗言：{message.word}",
        Told.COUNT: _count,
        Told.OUT: _out,
        Told.SCAPEGOAT: lambda message, table: f"冤死：替罪羊 {_names(message, table)} 因冤死出局",
        Told.FEIGNED: _feigned,
        Told.STAYS: lambda message, table: f"{_names(message, table)} 没有出局",
        Told.SHOT: _shot,
        Told.NEW_SHERIFF: _new_sheriff,
        Told.NO_SHERIFF: lambda message, table: "没有警长",
        Told.RELEASED: _released,
        Told.BARRED: lambda message, table: f"下一个游戏日不得投票：{_names(message, table)}",
        Told.REVEALED: lambda message, table: f"公示身份：{_names(message, table)} 是{_role(message.seats[0], table)}",
        Told.SOULS: lambda message, table: f"进入灵魂状态：{_names(message, table)}",
        Told.SOUL_NO_MORE: lambda message, table: f"不是灵魂状态：{_names(message, table)}",
        Told.OPEN_ROLE: lambda message, table: f"{_names(message, table)} 是{message.word}",
        Told.CLANS: lambda message, table: f"{message.word}：{_names(message, table)}",
        Told.INFECTED: lambda message, table: "昨晚有人被感染了",
        Told.GROWL: lambda message, table: "熊吼叫了：驯熊师身边有狼人",
        Told.REPLACED: _replaced,
        Told.ANOTHER_VOTE: lambda message, table: "立刻发起一轮新的投票（重投）",
        Told.DEPUTY: lambda message, table: f"{message.word}：{_names(message, table)}",
        Told.NO_DEPUTY: lambda message, table: f"没有{message.word}",
        Told.RIDES: lambda message, table: f"你支持的 {_names(message, table)} 所在的阵营获胜，你也获胜",
        Told.ASK_REPLACE: lambda message, table: "是否发动替换，拿过被投票出局者的角色牌（情侣不可）",
        Told.ASK_CALL_VOTE: lambda message, table: "处决完毕：是否做出手势，再投一轮",
        Told.SPARE_CARDS: lambda message, table: f"底牌：{message.word or '无'}",
        Told.FACES: lambda message, table: f"可以变成的角色卡：{message.word or '无'}",
        Told.YOUR_CARD: lambda message, table: f"你的身份从现在起是{message.word}",
        Told.NEW_WOLF: lambda message, table: f"{_names(message, table)} 成为狼人的同伴",
        Told.SIBLINGS: lambda message, table: f"{message.word}：{_names(message, table)}",
        Told.WOLF_NEAR: lambda message, table: f"狐疑：{_names(message, table)} 之中{message.word}狼人",
        Told.WINNER: lambda message, table: f"游戏结束：{message.word}获胜",
        Told.WOLVES: _wolves,
        Told.LOVER: _lover,
        Told.KILL_LOST: lambda message, table: f"{message.word}：狼人阵营失去{message.word}技能",
        Told.KILL_GAINED: lambda message, table: f"{message.word}：情侣获得技能杀人",
        Told.SHERIFF: lambda message, table: "你是警长",
        Told.KILLED: _aimed_at,
        Told.DYING: lambda message, table: f"通灵：今晚濒死的是 {_names(message, table) or '（无）'}",
        Told.ROLE: lambda message, table: f"预言：{_target(message, table)} 的身份是{message.word}",
        Told.DRAWN: lambda message, table: f"今晚由你决定{message.word}的对象",
        Told.CAMP: lambda message, table: f"预言：{_target(message, table)} 属于{message.word}",
        Told.IS_ROLE: _is_role,
        # In the night nobody is told yet that 长老 is out.
        Told.SKILLS_LOST: lambda message, table: "你失去技能",
        Told.YOU_ARE_OUT: lambda message, table: "你已经出局",
        Told.YOUR_LAST_WORDS: lambda message, table: "你可以留下遗言",
        Told.ASK_SHOT: lambda message, table: "请决定最后一枪的对象，或放弃",
        Told.ASK_FEIGN: lambda message, table: "投票使你即将出局：是否发动装傻",
        Told.ASK_SUCCESSION: lambda message, table: f"请指定继任警长的对象（{table.play.succession.act}）",
        Told.ASK_BAN: lambda message, table: "请指定下一个游戏日中不得投票的角色（可以不指定）",
        Told.ASK_SURRENDER: lambda message, table: f"{message.word}发起投降，是否同意投降",
    }
)
