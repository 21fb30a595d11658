"""A glance at the words of a post, before any other work: can a ballot stand in them, or what looks like one?

Most of a thread is chat, and folding chat is most of the cost of a count. A glance at the words as they are stored lets pass
everything in which `tally.reading` finds a label or a look-alike, and as little else as it can without folding: the label of a
format, an abstention, or a 投 or 票 with the beginning of a name in the same clause.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache

from tally.folding import ZERO_WIDTH, fold_lightly, simplify

# Between these, folding may move, join or drop characters, or write one as several; inside them it changes one into one (or
# into nothing), but for ideographs inside certain words.
_STEADY = ((0x00, 0x7F), (0x2010, 0x2027), (0x3000, 0x303F), (0x4E00, 0x9FFF), (0xFF01, 0xFF5E))
_PLAIN = tuple(chr(code) for low, high in _STEADY for code in range(low, high + 1) if not 0x4E00 <= code <= 0x9FFF)
_IDEOGRAPHS = tuple(chr(code) for code in range(0x4E00, 0x9FFF + 1))
# Ideographs that have another simplified form inside certain words than by themselves (憑藉, 沈默, 瞭解 …).
_BY_WORD = "么俱哩噁坏彷沈瞭甦畫藉衹覆逕鉅鍊鍾麼"

_STOPS = "，。！？,.!?;；"
# A smiley as a text shows it, in one reading only (tally/formats.py).
_SMILEY = r"\[:(?:(?!:\])[^\n])*+:\]"
# What folding drops, and smilies, which are no words.
_DROPPED = rf"[\s{ZERO_WIDTH}]"
_NOTHING = rf"(?:{_DROPPED}|{_SMILEY})*+"


@lru_cache(maxsize=64)
def compile_glance(names: frozenset[str]) -> re.Pattern[str]:
    """The pattern that finds something in every message text that may hold a ballot or a look-alike of one.

    `names` are the characters with which the folded name of a target begins.
    """
    clause = _clause(names)
    label = rf"{_NOTHING}[{_sources('对理')}]"
    # One class in front lets the search run from one such character to the next.
    return re.compile(rf"[投票代弃棄](?:(?<=[投票])(?:{clause}|{label})|(?<=代){_NOTHING}投|(?<=[弃棄]))")


def _clause(names: frozenset[str]) -> str:
    """The pattern of a clause up to the beginning of a name; each character is read in one way, so a search never goes back.

    What stands as [:name:] may be typed as well. Then it is a vote only right behind 投 or 票 (`Names.looks_voted`).
    """
    begin, stops = _sources(names), re.escape(_STOPS)
    if names & {"[", ":"}:
        # Every smiley begins with what a name may begin with.
        return rf"[^{stops}\n{begin}]*+[{begin}]"
    typed = rf"(?:{_DROPPED}|\[:{_DROPPED}*+(?![{begin}])(?:(?!:\])[^\n])*+:\])*+\[:{_DROPPED}*+[{begin}]"
    spoken = rf"(?:{_SMILEY}|[^{stops}\n\[{begin}]|\[(?!:))*+(?:[{begin}]|\[:[^\n]*?[{begin}])"
    return rf"(?:{typed}|{spoken})"


def _sources(characters: Iterable[str]) -> str:
    """As the body of a class: every character that folding may change into one of these, in whatever word it stands."""
    wanted = frozenset(characters)
    sources = {*wanted, *_BY_WORD, *(plain for plain in _PLAIN if fold_lightly(plain)[:1] in wanted)}
    for character in wanted:
        sources.update(_traditional().get(character, ""))
    return re.escape("".join(sorted(sources))) + _unsteady()


@cache
def _traditional() -> dict[str, str]:
    """For each simplified ideograph all others that become it by themselves."""
    found: dict[str, str] = {}
    # One call for all; the line ends keep any two of them from making a word.
    for character, simple in zip(_IDEOGRAPHS, simplify("\n".join(_IDEOGRAPHS)).split("\n"), strict=True):
        if simple != character:
            found[simple] = found.get(simple, "") + character
    return found


def _unsteady() -> str:
    """As the body of a class: every character outside the steady ranges."""
    ends = [-1, *(code for pair in _STEADY for code in pair), 0x110000]
    gaps = zip(ends[::2], ends[1::2], strict=True)
    return "".join(f"\\U{low + 1:08x}-\\U{high - 1:08x}" for low, high in gaps if low + 1 < high)
