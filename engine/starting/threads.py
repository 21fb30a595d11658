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
_JOINS = re.compile(r"报名|報名|参加|參加|参战|加入|我要玩|算我|\+\s*1|^\s*1\s*$", re.MULTILINE)
_LEAVES = re.compile(r"退出|取消报名|取消報名|退赛|退賽|不(?:能)?(?:参加|參加|报名|報名|玩)了?|放弃报名|鸽了")
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
    kind = _find_kind(title, votes)
    told = Told(tid, title, kind, find_day(title), opener, first.posted_at)
    match kind:
        case Kind.VOTE:
            named = dict.fromkeys(target for history in votes for target in _targets(history))
            return _with(told, _each(_cite(one) for one in votes), (), (), tuple(named))
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


def _find_kind(title: str, votes: Sequence[History]) -> Kind:
    for kind, pattern in _TITLES:
        if pattern.search(title):
            return kind
    return Kind.VOTE if len(votes) > 1 else Kind.UNKNOWN


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


def _sign_up(told: Told, histories: Iterable[History]) -> Told:
    """Each account's last word: joining, leaving, or neither."""
    last: dict[tuple[str, int | None], tuple[str, Poster]] = {}
    for history in histories:
        text = history.latest.message.text
        if history.state is not PostState.NORMAL and not text:
            continue
        word = "left" if _LEAVES.search(text) else "players" if _JOINS.search(text) else "unclear"
        before = last.get(history.account)
        if before is None or word != "unclear":
            last[history.account] = (word, before[1] if before is not None and word == before[0] else _cite(history))
    groups = {word: [poster for said, poster in last.values() if said == word] for word in ("players", "unclear", "left")}
    return _with(told, groups["players"], groups["unclear"], groups["left"])


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
