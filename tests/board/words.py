"""The board's own words in the script that its charset has: a Big5 board speaks traditional characters."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from opencc import OpenCC

ANONYMOUS = "匿名"


@cache
def speak(words: str, charset: str) -> str:
    """The board's own words as one in that charset prints them. No Big5 board was recorded: this is from the facts."""
    if charset != "big5":
        return words
    return str(_open_converter().convert(words))


@cache
def _open_converter() -> OpenCC:
    from opencc import OpenCC

    return OpenCC("s2t")
