"""A new game.toml out of what threads told and the director decided: with a comment at every key that he will want to change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from engine.ruleset import RuleSet
from engine.rulesets import find_ruleset

# An entry of a table in which keys are not in quotes.
_WIDTH = 10


@dataclass(frozen=True, slots=True)
class NewPlayer:
    """One [[player]]: the character, the account and its uid; `seen` says where the account was met."""

    name: str
    account: str
    uid: int | None = None
    seen: str = ""


@dataclass(frozen=True, slots=True)
class NewDay:
    """One [[day]]; `note` says where its times come from. `vote` is None where votes stand on no board."""

    number: int
    opens: datetime
    closes: datetime
    vote: int | None
    discussion: tuple[int, ...] = ()
    progress: int | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Given:
    """What holds at the start of a game that is taken up in the middle."""

    day: int
    out: tuple[tuple[str, str], ...] = ()
    sheriff: str = ""
    chanted: tuple[str, ...] = ()
    used: tuple[str, ...] = ()
    lovers: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    souls: tuple[str, ...] = ()
    published: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NewGame:
    """Everything that goes into a new file. Times are aware, and written in the game's zone.

    `people` signed up to play the characters, and are no part of the file.
    """

    title: str
    ruleset: str
    timezone: str
    directors: tuple[NewPlayer, ...]
    board: str
    players: tuple[NewPlayer, ...]
    days: tuple[NewDay, ...] = ()
    switches: Mapping[str, object] = field(default_factory=dict)
    forum_timezone: str = ""
    cookies: str = ""
    interval: float | None = None
    given: Given | None = None
    people: tuple[NewPlayer, ...] = ()
    vests: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


def has_souls(ruleset: RuleSet) -> bool:
    """Whether nobody goes out in a system (断言: 本规则没有出局概念): it has souls, and no sheriff."""
    return any(poll.role for poll in ruleset.vote.polls)


def write_game(game: NewGame) -> str:
    """The words of the file."""
    return "".join(f"{line}\n" for line in _lines(game))


def _lines(game: NewGame) -> Iterator[str]:
    yield "# 一局一个文件，全部的键见 docs/game-file.md。"
    if game.given is None:
        yield "# 这里没有秘密，可以给别人看；谁是什么在 secrets.toml（bansha deal 写）。"
    else:
        yield "# [given] 里有还不能公开的（用掉的技能、情侣），先不要给别人看；谁是什么写在 secrets.toml。"
    for remark in game.remarks:
        yield f"# 请看一下：{_one_line(remark)}"
    yield ""
    yield "[game]"
    yield _key("title", game.title)
    yield f"{_key('ruleset', game.ruleset)}   # {find_ruleset(game.ruleset).title}"
    yield f"{_key('timezone', game.timezone)}   # 下面没有写时区的时刻都是这里的"
    yield f"directors  = [{', '.join(_director(one) for one in game.directors)}]   # 可以代投的账号"
    if game.vests:
        yield f"vests      = {_value(sorted(game.vests))}   # 投票可以写的马甲；顺序和谁是谁无关"
    yield ""
    yield "[forum]"
    yield _key("url", game.board)
    if game.forum_timezone:
        yield f"{_key('timezone', game.forum_timezone)}   # 论坛页脚上的时区"
    if game.cookies:
        yield f"{_key('cookies', game.cookies)}   # 谁拿到它，谁就能用这个账号"
    if game.interval is not None:
        yield f"interval   = {game.interval}   # 两次请求之间隔几秒"
    yield ""
    yield "# 每名玩家一段：name 是票上写的角色（马甲杀：身份账号），account 是发帖的账号，uid 是它的号码（改了名也认得）。"
    yield '# 还可以写 aliases = ["别名"]、games = 3（以前玩过几场，三场以内可以有场外助理）。'
    for player in game.players:
        yield "[[player]]"
        yield _key("name", player.name)
        seen = f"   # {_one_line(player.seen)}" if player.seen else ""
        yield f"{_key('account', player.account)}{seen}"
        if player.uid is not None:
            yield f"uid        = {player.uid}"
        yield ""
    yield "# 每一天一段；bansha day 会往下添。"
    for day in game.days:
        yield from _day(game, day)
    if game.switches:
        yield "# 规则没有写明、或有几种写法的地方。"
        yield "[switches]"
        yield from (f"{toml_text(name)} = {_value(value)}" for name, value in game.switches.items())
        yield ""
    if game.given is not None:
        yield from _given(game.given, souls=has_souls(find_ruleset(game.ruleset)))


def _day(game: NewGame, day: NewDay) -> Iterator[str]:
    yield "[[day]]"
    yield f"number     = {day.number}"
    note = f"   # {_one_line(day.note)}" if day.note else ""
    yield f"opens      = {_moment(day.opens)}{note}"
    yield f"closes     = {_moment(day.closes)}"
    if day.vote is not None:
        yield f"vote       = {day.vote}"
    if day.discussion:
        yield f"discussion = {list(day.discussion) if len(day.discussion) > 1 else day.discussion[0]}"
    if day.progress is not None:
        yield f"progress   = {day.progress}"
    given = game.given
    if given is not None and day.number == given.day:
        if not has_souls(find_ruleset(game.ruleset)):
            yield f"{_key('sheriff', given.sheriff)}   # 空的就是没有"
        yield f"chanted    = {_value(given.chanted)}"
        yield f"out        = {_value([name for name, _ in given.out])}"
        for key, names in (("souls", given.souls), ("published", given.published)):
            if names:
                yield f"{key:<{_WIDTH}} = {_value(names)}"
    yield ""


def _given(given: Given, *, souls: bool) -> Iterator[str]:
    yield f"# 从第 {given.day} 天接手：那一天开始时已经是这样。"
    yield "[given]"
    yield _key("phase", f"日{given.day}")
    if not souls:
        yield f"{_key('sheriff', given.sheriff)}   # 空的就是没有"
    pairs = ", ".join(_value([name, cause] if cause else [name]) for name, cause in given.out)
    yield f"out        = [{pairs}]   # 按出局的先后，后面是原因"
    yield f"chanted    = {_value(given.chanted)}   # 被吹笛的"
    yield f"used       = {_value(given.used)}   # 用掉的技能，如 女巫 救药、守卫 守护之盾 饺子"
    if given.lovers:
        yield f"lovers     = {_value(given.lovers)}"
    if given.lost:
        yield f"lost       = {_value(given.lost)}   # 已判负的阵营"
    if given.souls:
        yield f"souls      = {_value(given.souls)}   # 进入灵魂状态的"
    if given.published:
        yield f"published  = {_value(given.published)}   # 公示了身份的"
    yield ""


def _key(key: str, value: str) -> str:
    return f"{key:<{_WIDTH}} = {toml_text(value)}"


def _director(one: NewPlayer) -> str:
    return toml_text(one.account) if one.uid is None else f"{{ account = {toml_text(one.account)}, uid = {one.uid} }}"


def _value(value: object) -> str:
    match value:
        case bool():
            return str(value).lower()
        case int() | float():
            return str(value)
        case str():
            return toml_text(value)
        case Sequence():
            return f"[{', '.join(_value(item) for item in value)}]"
        case _:
            raise TypeError(value)


def toml_text(text: str) -> str:
    """A text as a TOML file has it, with its quotes."""
    from tomlkit import string

    return str(string(text).as_string())


def _one_line(text: str) -> str:
    from engine.report.safe import show

    return show(text)


def _moment(at: datetime) -> str:
    return f"{at.replace(tzinfo=None):%Y-%m-%dT%H:%M:%S}"
