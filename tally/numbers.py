"""Numbers that a vote may name: whole tokens only, so that 10号 is never 1号.

7, ７, 七, 7号, #7 and No.7 are 7 where targets are numbers. A space between two digits makes two numbers of them; whatever else
stands beside a number (7楼, 第7, 07, ⑦) makes it a near miss.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tally.folding import DIRECTION, ZERO_WIDTH, fold_lightly

_DIGITS = dict(zip("一二三四五六七八九", range(1, 10), strict=True))
_NUMERAL = "[一二三四五六七八九]?十[一二三四五六七八九]?|[一二三四五六七八九]"
_WHOLE = re.compile(rf"(?:#|no\.?)?(?:(?P<digits>[1-9][0-9]*)|(?P<numeral>{_NUMERAL}))[号號]?")
# Beside a direction mark nothing is what it shows: 1\u202e2 is no two numbers.
_TOKEN = re.compile(
    rf"(?<![0-9.{DIRECTION}])(?P<digits>[1-9][0-9]*)(?!\.?[0-9]|[{DIRECTION}])"
    rf"|(?<![一二三四五六七八九十])(?P<numeral>{_NUMERAL})(?=[号號])"
)
# What stands between the numbers of a list: 七、八, 七和八.
_BETWEEN = re.compile("[、，,；;/&+和或与與及跟]")
_COUNTED = f"0-9０-９{''.join(_DIGITS)}十"
# Two digits or numerals of any width with white space between them.
_SPLIT = re.compile(rf"[{_COUNTED}][{ZERO_WIDTH}]*\s[\s{ZERO_WIDTH}]*[{_COUNTED}]")


def read_number(value: str) -> int | None:
    """The number that the whole of a value writes, whatever its width, case and zero-width marks; None for none."""
    if _SPLIT.search(value):
        return None
    found = _WHOLE.fullmatch(fold_lightly(value))
    return _value(found) if found is not None else None


def find_numbers(value: str) -> tuple[int, ...]:
    """Every number that stands in a value as a whole token, in order, each once; none of a number that is longer."""
    # Folding drops white space, and would make one number of two.
    texts = value.split() if _SPLIT.search(value) else [value]
    parts = [part for text in texts for part in _BETWEEN.split(fold_lightly(text))]
    return tuple(dict.fromkeys(number for part in parts for number in _find_in(part)))


def _find_in(part: str) -> Iterator[int]:
    """The numbers of one part of a list: the one that the whole of it writes, else its tokens (七 alone is a token only so)."""
    whole = _WHOLE.fullmatch(part)
    yield from (_value(found) for found in ([whole] if whole is not None else _TOKEN.finditer(part)))


def _value(found: re.Match[str]) -> int:
    digits = found["digits"]
    return int(digits) if digits is not None else _read_numeral(found["numeral"])


def _read_numeral(text: str) -> int:
    """The value of a Chinese numeral from 一 to 九十九."""
    if "十" not in text:
        return _DIGITS[text]
    tens, _, ones = text.partition("十")
    return (_DIGITS[tens] if tens else 1) * 10 + (_DIGITS[ones] if ones else 0)
