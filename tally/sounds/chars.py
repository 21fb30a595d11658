"""What one character of a chanted player's post is: a sound, a mark, a disguise, or a word."""

from __future__ import annotations

import unicodedata
from enum import StrEnum
from functools import lru_cache


class CharKind(StrEnum):
    """What a character outside the set is."""

    HAN = "han"
    LETTER = "letter"
    DIGIT = "digit"
    EMOJI = "emoji"
    PRIVATE = "private"
    UNASSIGNED = "unassigned"
    LOST = "lost"
    INVISIBLE = "invisible"
    DIRECTION = "direction"
    COMBINING = "combining"
    VARIATION = "variation"
    TWIN = "twin"
    MARK = "mark"
    WHITE = "white"


# By the name they go under in the registry of findings.
OUTSIDE, DISGUISED, MARK = "C101", "C102", "C110"

_CODES = {
    CharKind.INVISIBLE: DISGUISED,
    CharKind.DIRECTION: DISGUISED,
    CharKind.COMBINING: DISGUISED,
    CharKind.VARIATION: DISGUISED,
    CharKind.TWIN: DISGUISED,
    CharKind.MARK: MARK,
}

# Letters and symbols by category that show nothing: soft hyphens' kin, Hangul fillers, the blank Braille cell, the placeholder.
_BLANK = frozenset("\u115f\u1160\u3164\uffa0\u2800\ufffc")
_DIRECTION = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
# Symbols of the basic plane that phones draw as pictures by themselves (Unicode's Emoji_Presentation). Others, like the heart
# U+2764, are plain symbols; with a variation selector behind them the selector is a finding by itself.
_PICTURES = frozenset(
    "⌚⌛⏩⏪⏫⏬⏰⏳◽◾☔☕♈♉♊♋♌♍♎♏♐♑♒♓♿⚓⚡⚪⚫⚽⚾⛄⛅⛎⛔⛪⛲⛳⛵⛺⛽✅✊✋✨❌❎❓❔❕❗➕➖➗➰➿⬛⬜⭐⭕"
)


# Unicode's White_Space: what phones and boards put between words, U+3000, U+00A0 and the U+2006 of a pinyin keyboard among them.
# Python's isspace() also takes the four control characters U+001C to U+001F, which show nothing and part nothing.
WHITE = frozenset("\t\n\x0b\x0c\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000") | {chr(point) for point in range(0x2000, 0x200B)}


@lru_cache(maxsize=4096)
def classify_char(char: str, allowed: frozenset[str]) -> CharKind:
    """Tell what a character that is not in `allowed` is."""
    if char in WHITE:
        return CharKind.WHITE
    category = unicodedata.category(char)
    point = ord(char)
    if category[0] == "M":
        selector = 0xFE00 <= point <= 0xFE0F or 0xE0100 <= point <= 0xE01EF or point in (0x180B, 0x180C, 0x180D, 0x180F)
        return CharKind.VARIATION if selector else CharKind.COMBINING
    if char in _DIRECTION:
        return CharKind.DIRECTION
    if category in ("Cf", "Cc") or char in _BLANK:
        return CharKind.INVISIBLE
    if char == "\ufffd":
        return CharKind.LOST
    if category == "Co":
        return CharKind.PRIVATE
    folded = unicodedata.normalize("NFKC", char)
    if category[0] in "PS" and not any(part.isalnum() for part in folded):
        return _classify_symbol(char, point)
    if folded != char and set(folded) <= allowed:
        return CharKind.TWIN
    if 0x1F000 <= point <= 0x1FAFF and folded == char:
        return CharKind.EMOJI
    return _classify_word(folded)


def find_code(kind: CharKind) -> str:
    """Give the code of the finding for a character of this kind; C101 for all that nothing else claims."""
    return _CODES.get(kind, OUTSIDE)


@lru_cache(maxsize=4096)
def name_char(char: str) -> tuple[str, str]:
    """Give a character's code point as `U+4EBA` and its Unicode name, or its category where it has none."""
    return f"U+{ord(char):04X}", unicodedata.name(char, "") or f"<{unicodedata.category(char)}>"


def _classify_symbol(char: str, point: int) -> CharKind:
    if 0x1F000 <= point <= 0x1FAFF or char in _PICTURES:
        return CharKind.EMOJI
    # Radicals, strokes and Braille cells are symbols by category, and writing to their reader.
    if 0x2E80 <= point <= 0x2FDF or 0x31C0 <= point <= 0x31EF:
        return CharKind.HAN
    return CharKind.LETTER if 0x2801 <= point <= 0x28FF else CharKind.MARK


def _classify_word(folded: str) -> CharKind:
    first = next((part for part in folded if part.isalnum()), folded[0])
    category = unicodedata.category(first)
    if unicodedata.name(first, "").startswith(("CJK UNIFIED", "CJK COMPATIBILITY", "CJK RADICAL", "KANGXI")):
        return CharKind.HAN
    if category[0] == "N":
        return CharKind.DIGIT
    return CharKind.LETTER if category[0] in "LPS" else CharKind.UNASSIGNED
