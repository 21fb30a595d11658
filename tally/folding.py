"""What is the same name to a reader: width, case, white space, zero-width marks, composition and traditional characters fold.

Direction marks never fold: what they show is not what they say. The costly part, traditional to simplified, is only asked for
where nothing cheaper matches.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from functools import cache, lru_cache

# Marks of no width, as the body of a character class: soft hyphen, grapheme joiner, Mongolian separator, zero-width space,
# (non-)joiner, word joiner and invisible operators, variation selectors, byte order mark, tags.
ZERO_WIDTH = "\u00ad\u034f\u180e\u200b-\u200d\u2060-\u2064\ufe00-\ufe0f\ufeff\U000e0000-\U000e007f"
DIRECTION = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"

_ZERO_WIDTH = re.compile(f"[{ZERO_WIDTH}]")
_DIRECTION = re.compile(f"[{DIRECTION}]")
_DROPPED = re.compile(rf"[\s{ZERO_WIDTH}]+")
_WIDE = re.compile("[\uff01-\uffee]")


def _widths() -> dict[str, str]:
    """The full- and half-width forms, each with the character that it is a form of."""
    table = {}
    for code in range(0xFF01, 0xFFEF):
        kind, _, form = unicodedata.decomposition(chr(code)).partition(" ")
        if kind in ("<wide>", "<narrow>"):
            table[chr(code)] = "".join(chr(int(part, 16)) for part in form.split())
    return table


_WIDTHS = _widths()


def _narrow(found: re.Match[str]) -> str:
    return _WIDTHS.get(found[0], found[0])


def fold_lightly(text: str) -> str:
    """Fold everything but traditional characters."""
    if _DROPPED.search(text):
        text = _DROPPED.sub("", text)
    # Replacing the few that are there is three times as fast as translating every character.
    text = _WIDE.sub(_narrow, text)
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())


def fold(text: str) -> str:
    """Fold width, case, space, zero-width marks, composition, and traditional to simplified characters."""
    light = fold_lightly(text)
    simple = simplify(light)
    return light if simple == light else fold_lightly(simple)


@lru_cache(maxsize=4096)
def simplify(text: str) -> str:
    """The text in simplified characters."""
    return _converter()(text)


@cache
def _converter() -> Callable[[str], str]:
    # Imported here: most values match without it, and `bansha --help` never needs it.
    import opencc

    convert: Callable[[str], str] = opencc.OpenCC("t2s").convert
    return convert


def invisible_marks(text: str) -> str:
    """The zero-width marks in a text as code points, "U+200B U+FEFF"; "" for none."""
    return _code_points(_ZERO_WIDTH.findall(text))


def direction_marks(text: str) -> str:
    """The direction marks in a text as code points; "" for none."""
    return _code_points(_DIRECTION.findall(text))


def _code_points(characters: Iterable[str]) -> str:
    return " ".join(dict.fromkeys(f"U+{ord(character):04X}" for character in characters))
