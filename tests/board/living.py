"""What changes by itself on a living board from one request to the next, drawn from a seed so that a recording can be repeated.

Only `random.Random.random` is used: its sequence is the one that Python promises to keep.
"""

from __future__ import annotations

import random
from datetime import datetime, timedelta
from enum import Enum, auto
from typing import Protocol

from tests.board.script import Settings
from tests.board.words import speak

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
_WEEK = 7


class Times(Enum):
    """How a dialect prints the time of a post.

    X3 and X2: how long ago, for a week, with the time itself in the title; with relative times off X3 prints minutes (seen on
    X3.4 and X3.5), X2 seconds. V7: as X3, but minutes everywhere, and 「3 天前 20:01」. V6: the time itself, in minutes.
    TOUCH: as X3, but nothing in a title.
    """

    X3 = auto()
    X2 = auto()
    V7 = auto()
    V6 = auto()
    TOUCH = auto()


_FORMATS = {"Y-m-d": "{0:%Y-%m-%d}", "m-d-Y": "{0:%m-%d-%Y}", "Y-n-j": "{0.year}-{0.month}-{0.day}"}


def print_date(moment: datetime, settings: Settings) -> str:
    """A date in the administrator's format."""
    return _FORMATS[settings.dates].format(moment)


def print_clock(moment: datetime, settings: Settings, seconds: bool = False) -> str:
    """A time of day, on a 24-hour clock or as 05:51 PM."""
    tail = f":{moment:%S}" if seconds else ""
    if settings.half_days:
        return f"{(moment.hour + 11) % 12 + 1:02}:{moment:%M}{tail} {'PM' if moment.hour >= 12 else 'AM'}"
    return f"{moment:%H:%M}{tail}"


def print_moment(moment: datetime, settings: Settings, seconds: bool = False) -> str:
    """A date and time of day."""
    return f"{print_date(moment, settings)} {print_clock(moment, settings, seconds)}"


def print_when(moment: datetime, now: datetime, settings: Settings, seconds: bool, times: Times = Times.X3) -> str:
    """A moment as the board prints it beside a post: how long ago for a week, the time itself in the title; else the time."""
    if times is Times.V6:
        return print_moment(moment, settings)
    if not settings.relative:
        return print_moment(moment, settings, seconds and times is Times.X2)
    exact = print_moment(moment, settings, seconds and times is not Times.V7)
    past = int((now - moment).total_seconds())
    days = (now.date() - moment.date()).days
    if past < 0 or days > _WEEK:
        return exact
    if days == 0:
        ago = speak(_ago(past), settings.charset)
    elif days <= 2:
        ago = f"{'昨天' if days == 1 else '前天'}&nbsp;{print_clock(moment, settings)}"
    else:
        ago = f"{days}&nbsp;天前" + (f"&nbsp;{print_clock(moment, settings)}" if times is Times.V7 else "")
    return ago if times is Times.TOUCH else f'<span title="{exact}">{ago}</span>'


def _ago(seconds: int) -> str:
    if seconds > 3600:
        return f"{seconds // 3600}&nbsp;小时前"
    if seconds > 1800:
        return "半小时前"
    if seconds > 60:
        return f"{seconds // 60}&nbsp;分钟前"
    return f"{seconds}&nbsp;秒前" if seconds else "刚刚"


def print_zone(offset: timedelta) -> str:
    """The board's zone as its footer prints it: GMT+8, GMT+5.5, GMT-3, GMT."""
    hours = offset.total_seconds() / 3600
    return f"GMT{hours:+g}" if hours else "GMT"


class Living(Protocol):
    """Everything on a page that may differ between two requests though nobody wrote a word."""

    def formhash(self) -> str: ...
    def letters(self, count: int) -> str: ...
    def online(self, uid: int) -> str: ...
    def credits(self, uid: int) -> str: ...
    def progress(self, uid: int) -> str: ...
    def hits(self) -> str: ...
    def processed(self) -> str: ...
    def noise(self) -> str: ...
    def when(self, moment: datetime, seconds: bool = False, times: Times = Times.X3) -> str: ...
    def now(self) -> str: ...


class Drawn:
    """The living parts of one answer, drawn from a seed at a board-local moment; within a page they agree with each other."""

    def __init__(self, seed: str, now: datetime, settings: Settings) -> None:
        self._random = random.Random(seed).random
        self._now = now
        self._settings = settings
        self._formhash = f"{self._below(1 << 32):08x}"
        self._credits: dict[int, int] = {}
        self._online: dict[int, str] = {}

    def _below(self, limit: int) -> int:
        return int(self._random() * limit)

    def formhash(self) -> str:
        """The token of the page's forms."""
        return self._formhash

    def letters(self, count: int) -> str:
        """Random letters and digits, as in the ids of images."""
        return "".join(_LETTERS[self._below(len(_LETTERS))] for _ in range(count))

    def online(self, uid: int) -> str:
        """Whether an author is there at the moment."""
        if uid not in self._online:
            self._online[uid] = speak("当前在线" if self._below(2) else "当前离线", self._settings.charset)
        return self._online[uid]

    def credits(self, uid: int) -> str:
        """An author's credits."""
        if uid not in self._credits:
            self._credits[uid] = uid % 500 + 10 + self._below(40)
        return str(self._credits[uid])

    def progress(self, uid: int) -> str:
        """How far an author is on the way to the next rank, in per cent."""
        return str(int(self.credits(uid)) % 100)

    def hits(self) -> str:
        """How often the thread was opened."""
        return str(200 + self._below(5000))

    def processed(self) -> str:
        """How long the page took, and how many queries."""
        return f"Processed in 0.{self._below(90000) + 5000:06} second(s), {self._below(20) + 8} queries"

    def noise(self) -> str:
        """Anti-copy letters."""
        return "".join(f"{chr(32 + self._below(28))} {chr(63 + self._below(64))}" for _ in range(5 + self._below(8)))

    def when(self, moment: datetime, seconds: bool = False, times: Times = Times.X3) -> str:
        """A moment as the board prints it beside a post or comment."""
        return print_when(moment, self._now, self._settings, seconds, times)

    def now(self) -> str:
        """The footer's clock."""
        return print_moment(self._now, self._settings)
