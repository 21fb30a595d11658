"""The ledger: one event a line, read strictly and kept in order (contract: "The ledger").

    <phase> <actor> <act> [target …] [key=value …] [@time] [; remark]

Phases are 夜N, 日N, nightN and dayN. A word with a space, `;`, `=`, `@`, `#` or a quote stands in straight quotes, where `\\"`
is a quote and `\\\\` a backslash. `补` before the phase marks a late line, `撤销 #12` may stand without phase and actor. Empty
lines and lines that begin with `;` hold no event. This module knows the grammar and no act but 撤销.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, tzinfo
from enum import StrEnum
from typing import NamedTuple

from scraper.errors import UsageError
from scraper.phrases import phrase

UNDO = "撤销"
LATE = "补"
DIRECTOR = "导演"
ENTERED_AT = "entered_at"
OPERATOR = "operator"

_PHASE = re.compile(r"(夜|日|night|day)(\d+)", re.IGNORECASE)
# A game of more than 9,999 days is a slip of the pen.
_MOST_DIGITS = 4
_NUMBER = re.compile(r"#\d+")
_KEY = re.compile(r"[^\W\d][\w.]*")
_FULL_WIDTH_QUOTES = "“”„＂「」『』"


class LedgerError(UsageError):
    """A line of the ledger cannot be read: the message names the file, line and column, and the fix."""


class PhaseKind(StrEnum):
    """A half of the game's clock."""

    NIGHT = "夜"
    DAY = "日"


class Phase(NamedTuple):
    """夜N or 日N. A tuple, because phases are compared at every line."""

    kind: PhaseKind
    number: int

    def __str__(self) -> str:
        return f"{self.kind}{self.number}"


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a line and its column (1-based, in characters); `key` is set for `key=value`."""

    text: str
    column: int
    quoted: bool = False
    key: str | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """One line of the ledger. `number` is its line in the file, by which 撤销 names it.

    `words` are the targets and the key=value pairs as written, in order. `at` is the moment that the line names, `entered_at`
    when it was stored and `operator` by whom, where that is known (the keys of those names). `phase` is None for a
    bare 撤销.
    """

    number: int
    phase: Phase | None
    actor: str
    act: str
    words: tuple[Word, ...] = ()
    at: datetime | None = None
    remark: str = ""
    late: bool = False
    entered_at: datetime | None = None
    operator: str = ""
    source: str = "ledger.txt"
    column: int = 1

    @property
    def targets(self) -> tuple[Word, ...]:
        """The words that are no key=value pair."""
        return tuple(word for word in self.words if word.key is None)

    def value(self, *keys: str) -> Word | None:
        """The value of the first pair with one of these keys."""
        return next((word for word in self.words if word.key in keys), None)

    def refuse(self, problem: str, fix: str, column: int | None = None) -> LedgerError:
        """The error that this line's meaning is wrong at a column; the caller raises it."""
        return refuse(self.source, self.number, column or self.column, problem, fix)


def refuse(source: str, line: int, column: int, problem: str, fix: str) -> LedgerError:
    """An error about one place of a ledger, in the form that every one has."""
    return LedgerError(
        phrase(
            "{source}:{line}:{column}: {problem}。改法：{fix}。",
            source=source,
            line=line,
            column=column,
            problem=problem,
            fix=fix,
        )
    )


def parse_ledger(text: str, zone: tzinfo, source: str = "ledger.txt") -> tuple[Event, ...]:
    """Every event of a ledger in order; times without offset are in `zone`. LedgerError at the first line that is malformed."""
    events = (parse_line(line, number, zone, source) for number, line in enumerate(text.split("\n"), 1))
    return tuple(event for event in events if event is not None)


def parse_line(line: str, number: int, zone: tzinfo, source: str = "ledger.txt") -> Event | None:
    """The event of one line, or None where it holds none."""
    scan = _Scanner(line, number, zone, source)
    words, at, remark = scan.read()
    if not words:
        if at is not None:
            raise scan.refuse(
                1, phrase("这一行只有时间"), phrase("写全：阶段、行动者、行动，如 `日2 导演 截票 @2018-06-05T21:00`")
            )
        return None
    keys: set[str] = set()
    for word in words:
        if word.key is not None and word.key in keys:
            raise scan.refuse(
                word.column, phrase("{key}= 写了两次", key=word.key), phrase("一行里每个键只写一次；要裁定两帖就写两行")
            )
        keys.add(word.key or "")
    end = words[-1].column + len(words[-1].text)
    late = words[0].text == LATE and not words[0].quoted
    if late:
        words = words[1:]
    if words and words[0].text == UNDO and not late:
        return Event(number, None, DIRECTOR, UNDO, _undone(words, scan), at, remark, source=source, column=words[0].column)
    if not words or words[0].key is not None or (match := _PHASE.fullmatch(words[0].text)) is None:
        column = words[0].column if words else end
        raise scan.refuse(
            column,
            phrase("开头不是阶段：{text!r}", text=words[0].text if words else ""),
            phrase("以 夜N 或 日N 开头，如 `日2 导演 截票`（数字紧跟，用阿拉伯数字）"),
        )
    if len(match[2]) > _MOST_DIGITS:
        raise scan.refuse(words[0].column, phrase("没有这么多天：{text}", text=words[0].text), phrase("数字是第几天，如 `日2`"))
    phase = Phase(PhaseKind.NIGHT if match[1].lower() in ("夜", "night") else PhaseKind.DAY, int(match[2]))
    if phase.kind is PhaseKind.DAY and phase.number == 0:
        raise scan.refuse(words[0].column, phrase("没有日0"), phrase("第一个白天是 日1，之前的夜晚是 夜0"))
    for position, name in ((1, phrase("行动者")), (2, phrase("行动"))):
        if len(words) <= position or words[position].key is not None:
            column = words[position].column if len(words) > position else end
            raise scan.refuse(column, phrase("缺少{name}", name=name), phrase("写全：阶段、行动者、行动，如 `日2 导演 截票`"))
    rest = words[3:]
    if words[2].text == UNDO:
        rest = _undone(words[2:], scan)
    entered = next((word for word in rest if word.key == ENTERED_AT), None)
    operator = next((word for word in rest if word.key == OPERATOR), None)
    return Event(
        number=number,
        phase=phase,
        actor=words[1].text,
        act=words[2].text,
        words=tuple(word for word in rest if word.key not in (ENTERED_AT, OPERATOR)),
        at=at,
        remark=remark,
        late=late,
        entered_at=scan.moment(entered.text, entered.column) if entered else None,
        operator=operator.text if operator else "",
        source=source,
        column=words[2].column,
    )


def standing_events(events: tuple[Event, ...], known_at: datetime | None = None) -> tuple[Event, ...]:
    """The events that hold once every 撤销 is followed; an undone one undoes nothing.

    `known_at` leaves out what was entered later (a line that does not say when it was entered was always known). LedgerError
    where a 撤销 names no earlier line.
    """
    numbers = {event.number for event in events}
    known = [event for event in events if known_at is None or event.entered_at is None or event.entered_at <= known_at]
    undone: set[int] = set()
    # From the end: whether a 撤销 holds is known before what it undoes is looked at.
    for event in reversed(known):
        if event.act != UNDO:
            continue
        word = event.targets[0]
        number = int(word.text[1:])
        if number >= event.number or number not in numbers:
            raise event.refuse(
                phrase("{text} 不是前面的一行", text=word.text), phrase("写要撤销的那一行在文件中的行号"), word.column
            )
        if event.number not in undone:
            undone.add(number)
    return tuple(event for event in known if event.act != UNDO and event.number not in undone)


def _undone(words: tuple[Word, ...], scan: _Scanner) -> tuple[Word, ...]:
    """The words after 撤销: exactly one `#number`, and perhaps pairs."""
    targets = [word for word in words[1:] if word.key is None]
    if len(targets) != 1 or targets[0].quoted or not _NUMBER.fullmatch(targets[0].text):
        wrong = targets[:2][-1] if targets else words[0]
        raise scan.refuse(wrong.column, phrase("撤销 后面要写一个行号"), phrase("如 `撤销 #12`"))
    return words[1:]


class _Scanner:
    """Cuts one line into words, its time and its remark."""

    def __init__(self, line: str, number: int, zone: tzinfo, source: str) -> None:
        self.line, self.number, self.zone, self.source = line, number, zone, source
        self.place = 0

    def refuse(self, column: int, problem: str, fix: str) -> LedgerError:
        return refuse(self.source, self.number, column, problem, fix)

    def read(self) -> tuple[tuple[Word, ...], datetime | None, str]:
        words: list[Word] = []
        at: datetime | None = None
        while (char := self.next_start()) is not None:
            column = self.place + 1
            if char in ";；":
                return tuple(words), at, self.line[self.place + 1 :].strip()
            if at is not None:
                raise self.refuse(column, phrase("时间后面还有字"), phrase("时间写在行末，只有备注（; 备注）可以在它后面"))
            if char == "@":
                self.place += 1
                at = self.moment(self.bare(), column)
            else:
                words.append(self.word())
        return tuple(words), at, ""

    def next_start(self) -> str | None:
        while self.place < len(self.line) and self.line[self.place].isspace():
            self.place += 1
        return self.line[self.place] if self.place < len(self.line) else None

    def word(self) -> Word:
        column = self.place + 1
        if self.line[self.place] == '"':
            return Word(self.quoted(), column, quoted=True)
        if self.line[self.place] in _FULL_WIDTH_QUOTES[:4]:
            raise self.refuse(column, phrase("全角引号 {line}", line=self.line[self.place]), phrase('用半角引号 "…"'))
        text = self.bare(stop="=")
        if self.place < len(self.line) and self.line[self.place] == "=":
            return self.pair(text, column)
        if _NUMBER.fullmatch(text):
            return Word(text, column)
        self.check(text, column)
        return Word(text, column)

    def pair(self, key: str, column: int) -> Word:
        if not _KEY.fullmatch(key):
            raise self.refuse(
                column,
                phrase("{key!r} 不能作键", key=key),
                phrase('键=值 的键由字母或汉字组成；名字里有 = 时用半角引号括起来，如 "a=b"'),
            )
        self.place += 1
        start = self.place + 1
        if self.place < len(self.line) and self.line[self.place] == '"':
            return Word(self.quoted(), column, quoted=True, key=key)
        value = self.bare()
        if not value:
            raise self.refuse(start, phrase("{key}= 后面没有值", key=key), phrase('紧跟着写值，如 tid=1235；空值写 ""'))
        self.check(value, start, also="=")
        return Word(value, column, key=key)

    def bare(self, stop: str = "") -> str:
        start = self.place
        while self.place < len(self.line):
            char = self.line[self.place]
            if char.isspace() or char in ";" or (stop and char == stop):
                break
            self.place += 1
        return self.line[start : self.place]

    def quoted(self) -> str:
        start = self.place
        self.place += 1
        text = ""
        while self.place < len(self.line):
            char = self.line[self.place]
            self.place += 1
            if char == "\\" and self.place < len(self.line) and self.line[self.place] in '"\\':
                text += self.line[self.place]
                self.place += 1
            elif char == '"':
                after = self.line[self.place] if self.place < len(self.line) else " "
                if not (after.isspace() or after in ";；"):
                    raise self.refuse(
                        self.place + 1,
                        phrase("引号后面紧跟着 {after!r}", after=after),
                        phrase('在引号后空一格；名字里的引号写成 \\"'),
                    )
                return text
            else:
                text += char
        raise self.refuse(start + 1, phrase("引号没有合上"), phrase('在名字后面补一个半角引号 "'))

    def check(self, text: str, column: int, also: str = "") -> None:
        """A bare word holds no character that would be read otherwise by somebody else."""
        for offset, char in enumerate(text):
            if char in '@#"；' + also or not char.isprintable():
                shown = char if char.isprintable() else f"U+{ord(char):04X}"
                raise self.refuse(
                    column + offset,
                    phrase("{text!r} 里有 {shown}", text=text, shown=shown),
                    phrase('用半角引号把整个词括起来，如 "a@b"；备注用半角分号 ; 开头'),
                )

    def moment(self, text: str, column: int) -> datetime:
        try:
            moment = datetime.fromisoformat(text)
        except ValueError:
            moment = None
        if moment is None or len(text) < len("2018-06-05T22:10"):
            raise self.refuse(
                column,
                phrase("时间 {text!r} 读不懂", text=text),
                phrase("写成 @2018-06-05T22:10 或 @2018-06-05T22:10:30，年月日和时刻之间用 T，不留空格"),
            )
        return moment if moment.tzinfo is not None else moment.replace(tzinfo=self.zone)
