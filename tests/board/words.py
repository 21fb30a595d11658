"""The board's own words in the script that its charset has: a Big5 board speaks traditional characters."""

from __future__ import annotations

from functools import cache

ANONYMOUS = "匿名"


@cache
def speak(words: str, charset: str) -> str:
    """The board's own words as one in that charset prints them. No Big5 board was recorded: this is from the facts."""
    if charset != "big5":
        return words
    from opencc import OpenCC

    return str(OpenCC("s2t").convert(words))
