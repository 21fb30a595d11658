"""Which name a written value is: exact, by alias, or after folding; never by nearness.

Folded are width, case, white space, zero-width marks, composed and decomposed letters, and traditional characters. Direction
marks never fold: what they show is not what they say. The costly part, traditional to simplified, is only asked for where
nothing cheaper matches.
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, cached_property, lru_cache

from tally.roster import Roster

# 投弃权票时，须在投票对象中填写“弃权” (M29, 投票规则).
ABSTENTION = "弃权"

# Marks of no width, as the body of a character class: soft hyphen, grapheme joiner, Mongolian separator, zero-width space,
# (non-)joiner, word joiner and invisible operators, variation selectors, byte order mark, tags.
ZERO_WIDTH = "\u00ad\u034f\u180e\u200b-\u200d\u2060-\u2064\ufe00-\ufe0f\ufeff\U000e0000-\U000e007f"
DIRECTION = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"

_ZERO_WIDTH = re.compile(f"[{ZERO_WIDTH}]")
_DIRECTION = re.compile(f"[{DIRECTION}]")
_DROPPED = re.compile(rf"[\s{ZERO_WIDTH}]+")
_WIDE = re.compile("[\uff01-\uffee]")
_HINTS = 3


def _widths() -> dict[int, str]:
    """The full- and half-width forms, each with the character that it is a form of."""
    table = {}
    for code in range(0xFF01, 0xFFEF):
        kind, _, form = unicodedata.decomposition(chr(code)).partition(" ")
        if kind in ("<wide>", "<narrow>"):
            table[code] = "".join(chr(int(part, 16)) for part in form.split())
    return table


_WIDTHS = _widths()


def fold_lightly(text: str) -> str:
    """Fold everything but traditional characters."""
    if _DROPPED.search(text):
        text = _DROPPED.sub("", text)
    if _WIDE.search(text):
        text = text.translate(_WIDTHS)
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


class How(StrEnum):
    """By what a value matched."""

    EXACT = "exact"
    ALIAS = "alias"
    FOLDED = "folded"
    RULED = "ruled"
    ABSTAIN = "abstain"
    NONE = ""


@dataclass(frozen=True, slots=True)
class Match:
    """What a value names: `seat` where it names one, else None (`how` tells an abstention from no match).

    `candidates` are the seats that it may name where there are several; `hints` the nearest names where there is none. `text`
    is the part of the value that was looked up.
    """

    text: str
    seat: str | None = None
    how: How = How.NONE
    candidates: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()

    @property
    def found(self) -> bool:
        """Whether the value names a seat, or abstains."""
        return self.how is not How.NONE


NO_MATCH = Match("")


class Names:
    """The words that name a seat, looked up in steps: rulings, exact names, aliases, folded lightly, folded.

    Built once for a roster and its rulings; holds nothing that changes.
    """

    def __init__(self, names: Iterable[str], aliases: Iterable[tuple[str, str]], ruled: Iterable[tuple[str, str]] = ()) -> None:
        self._names = tuple(names)
        self._aliases = tuple(aliases)
        self._ruled = {fold(word): seat for word, seat in ruled}
        self._exact = {ABSTENTION: ABSTENTION} | {name: name for name in self._names}
        self._alias = _gather(self._aliases)
        self._light = _gather((fold_lightly(word), seat) for word, seat in self._words())

    @cached_property
    def _folded(self) -> Mapping[str, tuple[str, ...]]:
        return _gather((fold(word), seat) for word, seat in self._words())

    @cached_property
    def _longest_first(self) -> tuple[tuple[str, str], ...]:
        pairs = ((word, seats[0]) for word, seats in self._folded.items() if word)
        return tuple(sorted(pairs, key=lambda pair: -len(pair[0])))

    @cached_property
    def _voted(self) -> re.Pattern[str]:
        words = "|".join(re.escape(word) for word, _ in self._longest_first)
        return re.compile(rf"(?:[投票][^，。！？,.!?;；]{{0,2}}|[投改]票对象:?)(?:{words})")

    @property
    def words(self) -> tuple[str, ...]:
        """Every name and alias as the roster writes it."""
        return (*self._names, *(alias for alias, _ in self._aliases))

    def looks_voted(self, folded: str) -> bool:
        """Whether folded text reads like a vote for somebody, in whatever form."""
        return self._voted.search(folded) is not None

    def _words(self) -> Iterable[tuple[str, str]]:
        yield ABSTENTION, ABSTENTION
        yield from ((name, name) for name in self._names)
        yield from self._aliases

    def find(self, value: str) -> Match | None:
        """What the whole value names, or None; several seats of one folding come back as a match without a seat."""
        if self._ruled and (ruled := self._ruled.get(fold(value))):
            return _single(value, ruled, How.RULED)
        if value in self._exact:
            return _single(value, self._exact[value], How.EXACT)
        for table, how in ((self._alias, How.ALIAS), (self._light, How.FOLDED)):
            key = value if how is How.ALIAS else fold_lightly(value)
            if seats := table.get(key):
                return _several(value, seats, how)
        seats = self._folded.get(fold(value))
        return _several(value, seats, How.FOLDED) if seats else None

    def find_seat(self, value: str) -> str | None:
        """The seat that the whole value names; None for an abstention, for none, and for several."""
        found = self.find(value)
        return found.seat if found is not None else None

    def miss(self, value: str) -> Match:
        """What to say of a value that names nothing by itself: the seats that it may name, or the nearest names."""
        folded = fold(value)
        begun = _seats(seat for word, seat in self._spelled() if folded and word.startswith(folded))
        inside = self.inside(value)
        candidates = begun if len(begun) > 1 else inside
        if len(candidates) > 1:
            return Match(value, candidates=candidates)
        near = difflib.get_close_matches(folded, self._folded, n=_HINTS, cutoff=0.5)
        hints = _seats((*inside, *begun, *(seat for word in near for seat in self._folded[word])))
        return Match(value, hints=hints[:_HINTS])

    def inside(self, text: str) -> tuple[str, ...]:
        """The seats whose names stand inside a text, and the abstention; of names inside names only the longer."""
        folded, found = fold(text), []
        for word, seat in self._longest_first:
            position = folded.find(word)
            if position >= 0:
                found.append((position, seat))
                folded = folded.replace(word, "\0" * len(word))
        return _seats(seat for _, seat in sorted(found))

    def _spelled(self) -> Iterable[tuple[str, str]]:
        return ((word, seat) for word, seats in self._folded.items() for seat in seats if seat != ABSTENTION)


def index_names(roster: Roster, ruled: tuple[tuple[str, str], ...] = ()) -> Names:
    """The names of a roster, with the words that rulings gave a seat (or, as ABSTENTION, an abstention)."""
    return _index(tuple((seat.name, seat.aliases) for seat in roster.seats), ruled)


@lru_cache(maxsize=16)
def _index(seats: tuple[tuple[str, tuple[str, ...]], ...], ruled: tuple[tuple[str, str], ...]) -> Names:
    return Names((name for name, _ in seats), [(alias, name) for name, aliases in seats for alias in aliases], ruled)


def _gather(pairs: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    gathered: dict[str, dict[str, None]] = {}
    for word, seat in pairs:
        gathered.setdefault(word, {})[seat] = None
    return {word: tuple(seats) for word, seats in gathered.items()}


def _seats(seats: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(seats))


def _single(text: str, seat: str, how: How) -> Match:
    return Match(text, None, How.ABSTAIN) if seat == ABSTENTION else Match(text, seat, how)


def _several(text: str, seats: tuple[str, ...], how: How) -> Match:
    return _single(text, seats[0], how) if len(seats) == 1 else Match(text, candidates=seats)
