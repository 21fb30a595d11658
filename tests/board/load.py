"""Pages of a great vote thread, made as they are asked for: chat with a tenth of ballots, in X3.5's structure, to measure with.

A page is rendered once into its still bytes and its living slots (`LoadPage`); filling the slots anew takes a small part of
reading the page. Nothing is kept: whoever takes the pages may let each go.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from random import Random
from types import MappingProxyType

from tests.board.dialects import find_dialect
from tests.board.living import Drawn, Times
from tests.board.script import Account, Script, ScriptedPost, Settings, Thread
from tests.board.view import Body, Mark, PageView, Quoted, Shown
from tests.board.x3 import X35

TID = 1235
FIRST_PID = 100_000
OPENS = datetime.fromisoformat("2018-06-03T09:30:00")
CLOSES = datetime.fromisoformat("2018-06-05T21:00:00")
"""The window of the vote, board-local (Asia/Shanghai); all posts of a load of 20,000 lie in it."""

BASE = "https://bbs.example.net/"
DIRECTOR = Account("[M29]导演", 1000)
PLAYERS = tuple(
    Account(name, 1001 + number)
    for number, name in enumerate(
        (
            *("饺子", "包子", "豆沙", "夜行猫", "夜行者", "K先生", "青岚", "老王"),
            *("1号", "10号", "a&b<c>", "汤圆", "烧卖", "锅贴", "年糕", "小笼包"),
        )
    )
)
"""The sixteen who vote; every tenth post is a ballot, of one after the other."""

_GAP = timedelta(seconds=10)
_BALLOT = 7
_ROUND = 10 * len(PLAYERS)
_EDITED_AFTER = timedelta(minutes=30)
_CHAT = (
    *("昨晚的事大家怎么看，我先说说自己的想法", "楼上这个逻辑我不太同意，前后对不上", "我觉得这轮应该先把发言少的人问一遍"),
    *("预言家要是还在的话今天该给点信息了", "先别急着站边，听完再说也不迟", "第一天的票型我整理了一下，有几个人一直跟票"),
    *(
        "有人从昨天到现在一句有用的话都没说过",
        "这个理由我收下，但是票先不给你",
        "我是好人牌，信不信随你们",
        "白天太忙，晚上回来再补长发言",
    ),
    *(
        "刚爬完楼，信息量有点大，容我想想",
        "你前面说不认识他，后面又替他说话",
        "警长的归票我看不懂，能不能再解释一下",
        "这里有个细节没人提到",
    ),
)
_FLAVOURS = (
    "{}",
    "{}",
    "{}",
    "{}",
    "[b]{}[/b]",
    "[color=red]{}[/color]",
    "[size=3]{}[/size]",
    "{} :lol",
    "{}{{:4_100:}}",
    "[s]{}[/s]",
)
_VOTES = (
    "投票对象：{}\n投票理由：{}",
    "投票对象：{}\n投票理由：{}",
    "投票对象:{} 投票理由:{}",
    "【投票对象】{}\n【投票理由】{}",
    "[b]投票对象：[/b][color=red]{}[/color]\n投票理由：{}",
    "投票對象：{}\n投票理由：{}",
)
_CHANGE = "改票对象：{}\n改票理由：{}"


# What chanted players post: of each, one to three; every fiftieth post slips.
_SOUNDS = (
    "哼",
    "唧唧",
    "哼哼哼哼哼哼",
    "嘶 嘶",
    "平胸平胸",
    "老奶奶 :lol",
    "小老奶姨",
    "泡泡泡泡泡泡泡泡泡泡",
    "{:4_100:}",
    "[b]炮[/b]",
)
_SLIPS = ("哼。", "唧~", "我是好人", "嘶\u200b嘶", "叽")


@dataclass(frozen=True, slots=True)
class Load:
    """A thread to measure with: how many posts, how many a page, in which charset, from which seed, and with anti-copy noise.

    `dialect` names its surface (`tests.board.dialects`); pages of another than the first are seen once, and do not change. With
    `sounds` all its players are chanted, and nearly keep to it.
    """

    posts: int = 20_000
    per_page: int = 30
    charset: str = "utf-8"
    seed: int = 29
    noise: bool = False
    sounds: bool = False
    dialect: str = "x35"

    @property
    def pages(self) -> int:
        """How many pages it has."""
        return -(-self.posts // self.per_page)


@dataclass(frozen=True, slots=True)
class LoadPage:
    """One page: its bytes around the living slots, and what goes into each slot."""

    number: int
    settings: Settings
    still: tuple[bytes, ...]
    slots: tuple[tuple[str, tuple[object, ...]], ...]

    def fill(self, volatile: int = 0) -> bytes:
        """The page as somebody sees it the `volatile`-th time, an hour after the last: only what changes by itself differs."""
        now = CLOSES + timedelta(minutes=5, hours=volatile)
        drawn = Drawn(f"{self.number} {volatile}", now, self.settings)
        pieces = [self.still[0]]
        for (name, arguments), still in zip(self.slots, self.still[1:], strict=True):
            pieces.append(getattr(drawn, name)(*arguments).encode(self.settings.charset))
            pieces.append(still)
        return b"".join(pieces)


def generate_pages(
    posts: int = 20_000, per_page: int = 30, charset: str = "utf-8", seed: int = 29, volatile: int = 0
) -> Iterator[bytes]:
    """The bytes of one page after the other; with another `volatile` the same pages, changed only in what changes by itself."""
    for page in make_pages(Load(posts, per_page, charset, seed)):
        yield page.fill(volatile)


def make_pages(load: Load, numbers: Iterator[int] | range | None = None) -> Iterator[LoadPage]:
    """The pages of the given numbers (all, in order), each made when it is asked for."""
    settings = Settings(load.dialect, load.charset, load.per_page, noise=load.noise)
    dialect = find_dialect(load.dialect)
    accounts = MappingProxyType({account.name: account for account in (DIRECTOR, *PLAYERS)})
    thread = Thread(TID, "[M29] 第二天 投票帖")
    script = Script(settings, accounts, MappingProxyType({TID: thread}), MappingProxyType({}), ())
    for number in numbers if numbers is not None else range(1, load.pages + 1):
        first = (number - 1) * load.per_page
        shown = tuple(_show(load, index) for index in range(first, min(first + load.per_page, load.posts)))
        view = PageView(script, thread, DIRECTOR, CLOSES, number, load.pages, load.posts, shown)
        if dialect is not X35:
            # The API tells of its thread by the posts that the script knows: those of the page are enough.
            known = MappingProxyType({post.post.pid: post.post for post in shown})
            view = replace(view, script=replace(script, posts=known))
            text = dialect.render_thread(view, BASE, Drawn(f"{number} 0", CLOSES + timedelta(minutes=5), settings))
            yield LoadPage(number, settings, (text.encode(dialect.wire or load.charset, "xmlcharrefreplace"),), ())
            continue
        slots = _Slots()
        pieces = X35.render_thread(view, BASE, slots).split(_SLOT)
        # The pieces alternate: still, the number of a slot, still, … The page need not ask for its slots in its own order.
        still = tuple(piece.encode(load.charset, "xmlcharrefreplace") for piece in pieces[::2])
        yield LoadPage(number, settings, still, tuple(slots.calls[int(slot)] for slot in pieces[1::2]))


@dataclass(frozen=True, slots=True)
class _Said:
    """What the post of one index says: author, time, the index that it quotes (-1: none), text, whether it was edited."""

    account: Account
    at: datetime
    quotes: int
    text: str
    edited: bool


def _say(seed: int, index: int) -> _Said:
    draw = Random(seed * 1_000_003 + index).random
    at = OPENS + index * _GAP
    if index == 0:
        return _Said(DIRECTOR, at, -1, "投票开始，到 6 月 5 日 21:00。\n[list]\n[*]每人一票\n[*]改票请引用原票\n[/list]", False)
    if index % 10 == _BALLOT:
        return _vote(index, at, draw())
    lines = []
    for _ in range(1 + int(draw() * 5)):
        words = "，".join(_pick(_CHAT, draw()) for _ in range(1 + int(draw() * 3)))
        lines.append(_pick(_FLAVOURS, draw()).format(words))
    quotes = max(0, index - 1 - int(draw() * 200)) if draw() < 0.15 else -1
    return _Said(PLAYERS[int(draw() * len(PLAYERS))], at, quotes, "\n".join(lines), draw() < 0.03)


def _vote(index: int, at: datetime, drawn: float) -> _Said:
    """Each player votes first; of his later ballots every third quotes the one before and changes it, the others vote again."""
    around, seat = divmod(index // 10, len(PLAYERS))
    target, reason = PLAYERS[(seat + 1 + around) % len(PLAYERS)].name, _pick(_CHAT, drawn)
    if around and around % 3 == 0:
        return _Said(PLAYERS[seat], at, index - _ROUND, _CHANGE.format(target, reason), False)
    return _Said(PLAYERS[seat], at, -1, _pick(_VOTES, drawn).format(target, reason), drawn < 0.05)


def _pick(choices: tuple[str, ...], drawn: float) -> str:
    return choices[int(drawn * len(choices))]


def _sing(seed: int, index: int) -> _Said:
    """A post of a chanted player: sounds, every tenth time with a vote above them."""
    draw = Random(seed * 1_000_003 + index).random
    account, at = PLAYERS[index % len(PLAYERS)], OPENS + index * _GAP
    words = [_pick(_SOUNDS, draw()) for _ in range(1 + int(draw() * 3))]
    if index % 50 == 0:
        words.append(_pick(_SLIPS, draw()))
    text = _pick((" ", "\n"), draw()).join(words)
    if index % 10 == _BALLOT:
        text = f"投票对象：{PLAYERS[(index + 1) % len(PLAYERS)].name}\n投票理由：{text}"
    return _Said(account, at, -1, text, draw() < 0.03)


def _show(load: Load, index: int) -> Shown:
    say = _sing if load.sounds else _say
    said = say(load.seed, index)
    pid, quote = FIRST_PID + index, None
    if said.quotes >= 0:
        quoted = say(load.seed, said.quotes)
        quote = Quoted(TID, FIRST_PID + said.quotes, quoted.account.name, quoted.at, quoted.text.split("\n")[0][:50])
    mark = Mark(said.account.name, said.at + _EDITED_AFTER) if said.edited else None
    post = ScriptedPost(TID, pid, said.account.name, said.at)
    return Shown(post, said.account, index + 1, Body.OPEN, said.text, quote, mark, False, (), ())


_SLOT = "\x01"


class _Slots:
    """Living parts that leave slots in the page, and remember what goes into each."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, tuple[object, ...]]] = []

    def _slot(self, name: str, *arguments: object) -> str:
        self.calls.append((name, arguments))
        return f"{_SLOT}{len(self.calls) - 1}{_SLOT}"

    def formhash(self) -> str:
        return self._slot("formhash")

    def letters(self, count: int) -> str:
        return self._slot("letters", count)

    def online(self, uid: int) -> str:
        return self._slot("online", uid)

    def credits(self, uid: int) -> str:
        return self._slot("credits", uid)

    def progress(self, uid: int) -> str:
        return self._slot("progress", uid)

    def hits(self) -> str:
        return self._slot("hits")

    def processed(self) -> str:
        return self._slot("processed")

    def noise(self) -> str:
        return self._slot("noise")

    def when(self, moment: datetime, seconds: bool = False, times: Times = Times.X3) -> str:
        return self._slot("when", moment, seconds, times)

    def now(self) -> str:
        return self._slot("now")
