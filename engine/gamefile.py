"""Tables of a director's TOML file, read key by key: every wrong type and unknown key is an error that shows its line."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Iterable
from datetime import date, datetime, time, timedelta, tzinfo

from engine.tomlfile import Key, TomlFile
from scraper.errors import GameFileError
from scraper.phrases import listing, phrase

# The largest number that a board or a database has.
MOST = 2**63 - 1

_DURATION = re.compile(r"(\d+)\s*([dhm])")
_UNITS = {"d": "days", "h": "hours", "m": "minutes"}


class Section:
    """One table of a file: it knows its place, and refuses what is not what it should be."""

    def __init__(self, file: TomlFile, path: Key, values: dict[str, object]) -> None:
        self.file, self.path, self.values = file, path, values

    def error(self, key: str, problem: str, fix: str) -> GameFileError:
        """The error about one of this table's keys; the caller raises it."""
        return self.file.error((*self.path, key) if key else self.path, problem, fix)

    def allow(self, *keys: str) -> None:
        """Refuse a key that is none of these, with the nearest that is."""
        for key in self.values:
            if key not in keys:
                raise self.error(key, phrase("没有这个键"), suggest(key, keys))

    def need(self, *keys: str) -> None:
        """Refuse the table without one of these keys."""
        for key in keys:
            if key not in self.values:
                raise self.error("", phrase("缺少 {key}", key=key), phrase("在这里加一行 {key} = …", key=key))

    def text(self, key: str, default: str = "") -> str:
        """A text without line ends and other control characters."""
        value = self.values.get(key, default)
        if not isinstance(value, str):
            raise self.wrong(key, phrase("文字"), f'{key} = "{value}"')
        return self._printable(key, value)

    def _printable(self, key: str, value: str) -> str:
        if any(unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp") for char in value):
            raise self.error(
                key, phrase("文字里有看不见的字符：{value!r}", value=value), phrase("重新打一遍这个值，不要从网页上复制")
            )
        return value

    def name(self, key: str) -> str:
        """A text that is not empty, nor begins or ends with a space."""
        value = self.text(key)
        if not value.strip() or value != value.strip():
            raise self.error(
                key, phrase("是空的，或首尾有空格"), phrase('写上内容，引号里首尾不留空格，如 {key} = "饺子"', key=key)
            )
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of texts; one text alone is a list of one."""
        value = self.values.get(key, [])
        items = value if isinstance(value, list) else [value]
        if not all(isinstance(item, str) and item.strip() for item in items):
            raise self.wrong(key, phrase("一列文字"), phrase('{key} = ["饺子", "包子"]', key=key))
        return tuple(self._printable(key, str(item)) for item in items)

    def integer(self, key: str, default: int | None = None, least: int = 0) -> int | None:
        """A whole number of at least `least`."""
        value = self.values.get(key, default)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int):
            raise self.wrong(key, phrase("整数"), phrase("{key} = 3（不加引号）", key=key))
        if value < least:
            raise self.error(key, phrase("{value} 太小", value=value), phrase("最小是 {least}", least=least))
        if value > MOST:
            raise self.error(key, phrase("这个数太大"), phrase("检查是不是多打了几位（最大是 {MOST}）", MOST=MOST))
        return value

    def boolean(self, key: str, default: bool = False) -> bool:
        """true or false."""
        value = self.values.get(key, default)
        if not isinstance(value, bool):
            raise self.wrong(key, phrase("true 或 false"), phrase("{key} = true（不加引号，小写）", key=key))
        return value

    def number(self, key: str, default: float) -> float:
        """A number of seconds, not negative."""
        value = self.values.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < float("inf"):
            raise self.wrong(key, phrase("不小于 0 的数字"), f"{key} = 2.0")
        return float(value)

    def moment(self, key: str, zone: tzinfo) -> datetime:
        """A date and time; without offset it is in `zone`."""
        return self.as_moment(key, self.values.get(key), zone)

    def as_moment(self, key: str, value: object, zone: tzinfo) -> datetime:
        """The same for a value that stands inside another, with the key to blame."""
        if not isinstance(value, datetime):
            found = (
                phrase("只有日期，没有时刻")
                if isinstance(value, date)
                else phrase("只有时刻，没有日期")
                if isinstance(value, time)
                else phrase("不是日期时间")
            )
            raise self.error(key, found, phrase("写成 2018-06-05T21:00:00，不加引号，年月日和时刻都要"))
        return value if value.tzinfo is not None else value.replace(tzinfo=zone)

    def duration(self, key: str) -> timedelta | None:
        """A length of time such as 2d, 36h or 90m."""
        if key not in self.values:
            return None
        value = self.values[key]
        match = _DURATION.fullmatch(value) if isinstance(value, str) else None
        if match is None:
            raise self.wrong(key, phrase("一段时间"), phrase('{key} = "2d"（d 天，h 小时，m 分钟）', key=key))
        return timedelta(**{_UNITS[match[2]]: int(match[1])})

    def clock(self, key: str) -> time | None:
        """A time of day, as TOML writes it (21:00:00) or as text."""
        value = self.values.get(key)
        if isinstance(value, str):
            try:
                value = time.fromisoformat(value)
            except ValueError:
                value = None
        if key in self.values and not isinstance(value, time):
            raise self.error(key, phrase("不是一天里的时刻"), phrase("写成 {key} = 21:00:00（不加引号）", key=key))
        return value if isinstance(value, time) else None

    def dates(self, key: str) -> tuple[date, ...]:
        """A list of dates."""
        value = self.values.get(key, [])
        if not isinstance(value, list) or not all(isinstance(day, date) and not isinstance(day, datetime) for day in value):
            raise self.wrong(key, phrase("一列日期"), phrase("{key} = [2018-06-18]（不加引号）", key=key))
        return tuple(value)

    def choice(self, key: str, choices: Iterable[str], default: str) -> str:
        """One word of a few."""
        value, allowed = self.text(key, default), tuple(choices)
        if value not in allowed:
            raise self.error(
                key, phrase("没有 {value!r} 这个选择", value=value), phrase("写 {allowed} 中的一个", allowed=listing(allowed))
            )
        return value

    def table(self, key: str) -> Section:
        """A table below this one; an empty one where the file has none."""
        value = self.values.get(key, {})
        if not isinstance(value, dict):
            raise self.wrong(key, phrase("一个表"), phrase("另起一行写 [{key}]，下面一行一个键", key=key))
        return Section(self.file, (*self.path, key), value)

    def tables(self, key: str) -> tuple[Section, ...]:
        """An array of tables below this one, in order."""
        value = self.values.get(key, [])
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            raise self.wrong(key, phrase("一组表"), phrase("每一个都另起一行写 [[{key}]]（两层方括号）", key=key))
        return tuple(Section(self.file, (*self.path, key, index), item) for index, item in enumerate(value))

    def wrong(self, key: str, expected: str, example: str) -> GameFileError:
        """The error that a value is of the wrong type; the caller raises it."""
        value = self.values.get(key)
        return self.error(
            key,
            phrase("应该是{expected}，却是 {kind}", expected=expected, kind=_kind(value)),
            phrase("写成 {example}", example=example),
        )


def suggest(word: str, known: Iterable[str]) -> str:
    """What to write instead of an unknown word: the nearest known ones, else all of them."""
    choices = tuple(known)
    near = difflib.get_close_matches(word.lower(), choices, n=3, cutoff=0.5)
    if near:
        return phrase("是不是 {near}", near=listing(near))
    return phrase("可以写的有 {choices}", choices=listing(choices)) if choices else phrase("删去它")


def _kind(value: object) -> str:
    match value:
        case bool():
            return phrase("真假值 {value}", value=str(value).lower())
        case int() | float():
            return phrase("数字 {value}", value=value)
        case str():
            return phrase("文字 {value!r}", value=value)
        case datetime() | date() | time():
            return phrase("时间 {value}", value=value)
        case list():
            return phrase("列表")
        case dict():
            return phrase("表")
        case _:
            return phrase("空")
