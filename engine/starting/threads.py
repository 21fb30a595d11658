"""What threads tell before there is a game file: who signed up, who votes, which day a thread is of, which rule system is played.

Pure functions of what an archive holds. Whatever is not plain is left open and shown: a director decides it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from scraper.post import History, PostState
from tally.formats import Field, find_inline_reasons, find_label
from tally.reading import own_lines


class Kind(StrEnum):
    """What a thread of a game is for."""

    SIGN_UP = "报名帖"
    VOTE = "投票帖"
    DISCUSSION = "讨论帖"
    PROGRESS = "进程帖"
    RULES = "规则帖"
    UNKNOWN = "不知道是什么帖"


@dataclass(frozen=True, slots=True)
class Poster:
    """An account that a thread proposes: its name and uid, and the floor that says why."""

    account: str
    uid: int | None
    floor: str


@dataclass(frozen=True, slots=True)
class Told:
    """What one thread tells.

    `day` is the number that its title names, None for none. `players` signed up, or posted a ballot; `unclear` posted without
    either; `left` signed up and took it back. `named` are the targets of ballots as they were written.
    """

    tid: int
    title: str
    kind: Kind
    day: int | None
    opener: Poster
    opened_at: datetime
    players: tuple[Poster, ...] = ()
    unclear: tuple[Poster, ...] = ()
    left: tuple[Poster, ...] = ()
    named: tuple[str, ...] = ()


_DIGITS = {char: number for number, char in enumerate("零一二三四五六七八九十")}
_DAY = re.compile(
    r"第\s*(?P<number>\d+|[一二三四五六七八九十]+)\s*[天日]|(?<![A-Za-z])(?:day|d)\s*(?P<latin>\d+)|日(?P<short>\d+)",
    re.IGNORECASE,
)
# Of a sign-up, its widths folded: who joins, who leaves, and words with which either is a question, a condition, or said of
# somebody or something else. 报名人数 and the like speak of the thread.
_JOINS = re.compile(r"报名|報名|参加|參加|参战|參戰|加入|我要玩|算我|\+\s*1(?!\d)|^\s*1\s*$", re.MULTILINE)
_LEAVES = re.compile(
    r"退出|退[赛賽报報]|(?:取消|放[弃棄]|撤[回销銷])(?:报名|報名|参加|參加)?"
    r"|(?:不|[没沒](?:法|空|时间|時間)|[无無]法)(?:能|想|打算|准备|準備|方便|再|去|来|來){0,2}(?:参加|參加|报名|報名|报|報|玩|来|來)了?"
    r"|(?:参加|參加|报名|報名|玩|来|來)不了|[鸽鴿]了"
)
_DOUBTS = re.compile(
    r"\?|[吗嗎]|能不能|可不可以|如果|要是|假如|有空|看情[况況]|可能|也[许許]|大概|[说說]不定|下[次回]|下一[局场場]|[围圍][观觀]|替[补補]|候[补補]"
    r"|[预預](?:报|報)|(?:[帮幫]|替|代)(?![号號表码碼]).{0,8}?(?:报|報|参加|參加)"
    r"|(?:报名|報名)(?:人[数數]|截止|[结結]束|成功|[帖贴貼]|名[单單]|[时時][间間]|表)|已[满滿]"
)
# What a board prints for whoever hides his name.
ANONYMOUS = "匿名"
_TITLES = (
    (Kind.PROGRESS, re.compile("进程|進程")),
    (Kind.SIGN_UP, re.compile("报名|報名|招募|招人")),
    (Kind.RULES, re.compile("规则|規則")),
    (Kind.VOTE, re.compile("投票|竞选|競選|票帖|票贴")),
    (Kind.DISCUSSION, re.compile("讨论|討論")),
)
# Words of titles and first posts by which a rule system is known, the most telling first.
_SYSTEMS = (
    ("m29", re.compile("M29|小泡佩奇", re.IGNORECASE)),
    ("secret-number", re.compile("秘密数字|秘密數字")),
    ("vest", re.compile("马甲杀|馬甲殺")),
    ("assertion", re.compile("断言|斷言")),
    ("table", re.compile("面杀|面殺")),
)


def read_thread(tid: int, title: str, histories: Sequence[History]) -> Told | None:
    """What a thread tells by its title and its posts, in the order of posting; None where no post of it is known."""
    if not histories:
        return None
    first = histories[0]
    opener = _cite(first)
    # The opener is the director: what looks like a ballot of his is an example, or a proxy's.
    votes = [history for history in histories if history.account != first.account and any(_targets(history))]
    kind = _find_kind(title, votes, [history for history in histories if history.account != first.account])
    told = Told(tid, title, kind, find_day(title), opener, first.posted_at)
    match kind:
        case Kind.VOTE:
            named = dict.fromkeys(target for history in votes for target in _targets(history))
            posters = _each(_cite(one) for one in votes)
            known = [poster for poster in posters if poster.account != ANONYMOUS]
            return _with(told, known, [poster for poster in posters if poster not in known], (), tuple(named))
        case Kind.SIGN_UP:
            return _sign_up(told, [history for history in histories[1:] if history.account != first.account])
        case _:
            return told


def _with(
    told: Told, players: Iterable[Poster], unclear: Iterable[Poster], left: Iterable[Poster], named: tuple[str, ...] = ()
) -> Told:
    return Told(
        told.tid,
        told.title,
        told.kind,
        told.day,
        told.opener,
        told.opened_at,
        tuple(players),
        tuple(unclear),
        tuple(left),
        named,
    )


def _find_kind(title: str, votes: Sequence[History], replies: Iterable[History]) -> Kind:
    for kind, pattern in _TITLES:
        if pattern.search(title):
            return kind
    if len(votes) > 1:
        return Kind.VOTE
    joined = {history.account for history in replies if _read_word(history) is _Word.JOINS}
    return Kind.SIGN_UP if len(joined) > 1 else Kind.UNKNOWN


def find_day(title: str) -> int | None:
    """The day that a title names: 第三天, 第3日, Day 3, D3, 日3."""
    match = _DAY.search(unicodedata.normalize("NFKC", title))
    if match is None:
        return None
    digits = match["number"] or match["latin"] or match["short"]
    if digits.isdigit():
        return int(digits)
    tens, _, ones = digits.rpartition("十")
    if "十" in digits:
        return (_DIGITS.get(tens, 1) if tens else 1) * 10 + (_DIGITS.get(ones, 0) if ones else 0)
    return _DIGITS.get(digits)


def find_system(texts: Iterable[str]) -> str | None:
    """The rule system that titles and first posts name; None where none does, or two do."""
    joined = "\n".join(texts)
    found = [system for system, pattern in _SYSTEMS if pattern.search(joined)]
    return found[0] if len(found) == 1 else None


class _Word(StrEnum):
    """What a post says of signing up; a `question` is about joining, a `wavering` about leaving."""

    JOINS = "joins"
    LEAVES = "leaves"
    QUESTION = "question"
    WAVERING = "wavering"
    NOTHING = "nothing"


def _sign_up(told: Told, histories: Iterable[History]) -> Told:
    """Each account's last word that says something: joining, leaving, or what nobody can be sure of."""
    last: dict[tuple[str, int | None], tuple[_Word, Poster]] = {}
    for history in histories:
        word = _read_word(history)
        before = last.get(history.account)
        says = word is not _Word.NOTHING and before is not None and word is not before[0]
        if before is None or (says and (before[0], word) != (_Word.JOINS, _Word.QUESTION)):
            last[history.account] = (word, _cite(history))
    groups: dict[_Word, list[Poster]] = {word: [] for word in _Word}
    for word, poster in last.values():
        groups[word].append(poster)
    unclear = [poster for word, poster in last.values() if word not in (_Word.JOINS, _Word.LEAVES)]
    return _with(told, groups[_Word.JOINS], unclear, groups[_Word.LEAVES])


def _read_word(history: History) -> _Word:
    """What one post says, as it reads now. Whose it is, or whether it still stands, may be past telling."""
    text = unicodedata.normalize("NFKC", history.latest.message.text)
    if history.author == ANONYMOUS or history.state is not PostState.NORMAL:
        return _Word.QUESTION
    leaves, joins = _LEAVES.search(text), _JOINS.search(_LEAVES.sub("", text))
    if leaves and (joins or _DOUBTS.search(text)):
        return _Word.WAVERING
    if joins and _DOUBTS.search(text):
        return _Word.QUESTION
    return _Word.LEAVES if leaves else _Word.JOINS if joins else _Word.NOTHING


def _targets(history: History) -> Iterator[str]:
    """The targets that a post's ballots name, as they were first written."""
    for line in own_lines(history.first.message):
        label = find_label(line)
        if label is not None and label.field is Field.TARGET:
            rest = line[label.value :]
            value = rest[: min((reason.start for reason in find_inline_reasons(rest)), default=len(rest))].strip()
            if value:
                yield value


def _cite(history: History) -> Poster:
    return Poster(history.author, history.uid, history.floor)


def _each(posters: Iterable[Poster]) -> tuple[Poster, ...]:
    """Each account once, where it was first met."""
    found: dict[tuple[str, int | None], Poster] = {}
    for poster in posters:
        found.setdefault((poster.account, poster.uid), poster)
    return tuple(found.values())
