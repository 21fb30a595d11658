"""Which target a written value is: exact, by alias, after folding, or as a number; never by nearness.

A near miss gives hints, and is never counted. Aliases may hold from a moment on: each value is looked up among the words of its
own time.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from functools import cached_property, lru_cache
from typing import assert_never

from tally.folding import DIRECTION, ZERO_WIDTH, direction_marks, fold, fold_lightly, invisible_marks, simplify
from tally.glance import compile_glance
from tally.numbers import find_numbers, read_number
from tally.policy import TargetKind
from tally.roster import Roster, Target

__all__ = [
    "ABSTENTION",
    "DIRECTION",
    "NO_MATCH",
    "ZERO_WIDTH",
    "Book",
    "How",
    "Lexicon",
    "Match",
    "Names",
    "direction_marks",
    "fold",
    "fold_lightly",
    "index_names",
    "index_targets",
    "invisible_marks",
    "list_targets",
    "simplify",
]

# 投弃权票时，须在投票对象中填写“弃权” (M29, 投票规则).
ABSTENTION = "弃权"

_HINTS = 3
# How near a name must be to be hinted at, of 100.
_NEAR = 50
_BEFORE = datetime.min.replace(tzinfo=UTC)


class How(StrEnum):
    """By what a value matched."""

    EXACT = "exact"
    ALIAS = "alias"
    FOLDED = "folded"
    NUMBER = "number"
    RULED = "ruled"
    ABSTAIN = "abstain"
    NONE = ""


@dataclass(frozen=True, slots=True)
class Match:
    """What a value names: `seat` where it names one, else None (`how` tells an abstention from no match).

    `candidates` are the seats that it may name where there are several; `hints` the nearest names where there is none. `text`
    is the part of the value that was looked up. Where votes name numbers or vests, these stand in the place of seats.
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
    """The words that name a target, looked up in steps: rulings, exact names, aliases, folded lightly, numbers, folded.

    `numbers` is what a number names: a secret number itself, or the seat of that place at the table. Built once for a roster
    and its rulings; holds nothing that changes.
    """

    def __init__(
        self,
        names: Iterable[str],
        aliases: Iterable[tuple[str, str]],
        ruled: Iterable[tuple[str, str]] = (),
        numbers: Mapping[int, tuple[str, ...]] | None = None,
    ) -> None:
        self._names = tuple(names)
        self._aliases = tuple(aliases)
        self._ruled = {fold(word): seat for word, seat in ruled}
        self._numbers = numbers or {}
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
        words = [re.escape(word) for word, _ in self._longest_first if not word.isdigit()]
        # A bare number is much else than a vote.
        words += [r"#?[0-9一二三四五六七八九十]+号", r"#[0-9]+"] if self._numbers else []
        return re.compile(rf"(?:[投票][^，。！？,.!?;；]{{0,2}}|[投改]票对象:?)(?:{'|'.join(words)})")

    @cached_property
    def openers(self) -> frozenset[str]:
        """The characters with which whatever `looks_voted` takes for a name may begin."""
        numbers = "#0123456789一二三四五六七八九十" if self._numbers else ""
        return frozenset((*numbers, *(word[0] for word, _ in self._longest_first)))

    @property
    def words(self) -> tuple[str, ...]:
        """Every name and alias as the roster writes it."""
        return (*self._names, *(alias for alias, _ in self._aliases))

    def looks_voted(self, folded: str) -> bool:
        """Whether folded text reads like a vote for somebody, in whatever form."""
        return self._voted.search(folded) is not None

    def _words(self) -> Iterable[tuple[str, str]]:
        yield ABSTENTION, ABSTENTION
        # A secret number is looked up as a number: as a name, 1 0 would fold to 10.
        yield from ((name, name) for name in self._names if not (self._numbers and name.isdigit()))
        yield from self._aliases

    def find(self, value: str) -> Match | None:
        """What the whole value names, or None; several seats of one folding come back as a match without a seat."""
        if self._ruled and (ruled := self._ruled.get(fold(value))):
            return _single(value, ruled, How.RULED)
        if value in self._exact and not self._clashes(value):
            return _single(value, self._exact[value], How.EXACT)
        for table, how in ((self._alias, How.ALIAS), (self._light, How.FOLDED)):
            key = value if how is How.ALIAS else fold_lightly(value)
            if seats := table.get(key):
                return _several(value, self._with_number(value, seats), how)
        if self._numbers and (seats := self._with_number(value, ())):
            return _several(value, seats, How.NUMBER)
        seats = self._folded.get(fold(value))
        return _several(value, self._with_number(value, seats), How.FOLDED) if seats else None

    def _with_number(self, value: str, seats: tuple[str, ...]) -> tuple[str, ...]:
        """The seats of a word, and those that it names as a number: where a name is a number, both readings count."""
        number = read_number(value) if self._numbers else None
        return seats if number is None else _seats((*seats, *self._numbers.get(number, ())))

    def _clashes(self, name: str) -> bool:
        return bool(self._numbers) and len(self._with_number(name, (self._exact[name],))) > 1

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
        hints = _seats((*inside, *begun, *self._near(folded)))
        return Match(value, hints=hints[:_HINTS])

    def _near(self, folded: str) -> Iterable[str]:
        """The seats of the nearest names, the nearest first. A hint is never counted."""
        # Imported here: most values match, and `bansha --help` never needs it.
        from rapidfuzz import fuzz, process

        found = process.extract(folded, list(self._folded), scorer=fuzz.ratio, limit=_HINTS, score_cutoff=_NEAR)
        return (seat for word, _, _ in found for seat in self._folded[word])

    def inside(self, text: str) -> tuple[str, ...]:
        """The seats whose names stand inside a text, and the abstention; of names inside names only the longer."""
        folded, found = fold(text), []
        for word, seat in self._longest_first:
            position = folded.find(word)
            if position >= 0:
                found.append((position, seat))
                folded = folded.replace(word, "\0" * len(word))
        named = [seat for _, seat in sorted(found)]
        if self._numbers:
            named += [seat for number in find_numbers(text) for seat in self._numbers.get(number, ())]
        return _seats(named)

    def _spelled(self) -> Iterable[tuple[str, str]]:
        return ((word, seat) for word, seats in self._folded.items() for seat in seats if seat != ABSTENTION)


def index_names(roster: Roster, ruled: tuple[tuple[str, str], ...] = (), at: datetime | None = None) -> Names:
    """The names of the seats of a roster, with the words that rulings gave a seat (or, as ABSTENTION, an abstention).

    `at` leaves out the aliases that hold only from later on.
    """
    words = tuple((seat.name, (*seat.aliases, *_held(seat.later, at))) for seat in roster.seats)
    return _index(words, ruled, TargetKind.CHARACTER)


def index_targets(roster: Roster, kind: TargetKind, ruled: tuple[tuple[str, str], ...] = (), at: datetime | None = None) -> Names:
    """The names of what a vote may name: the seats, or the numbers or vests of the roster."""
    words = tuple((target.name, (*target.aliases, *_held(target.later, at))) for target in list_targets(roster))
    return _index(words, ruled, kind)


def list_targets(roster: Roster) -> tuple[Target, ...]:
    """What a vote may name: the seats, unless votes name numbers or vests."""
    if roster.targets is not None:
        return roster.targets
    return tuple(Target(seat.name, seat.aliases, seat.later) for seat in roster.seats)


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The names that hold at a moment: of targets, and of voters, which are the same where votes name seats."""

    targets: Names
    voters: Names

    @property
    def every(self) -> tuple[str, ...]:
        """Every name and alias as the roster writes it."""
        return self.targets.words if self.voters is self.targets else (*self.targets.words, *self.voters.words)

    def looks_voted(self, folded: str) -> bool:
        """Whether folded text reads like a vote for somebody, in whatever form."""
        return self.targets.looks_voted(folded) or (self.voters is not self.targets and self.voters.looks_voted(folded))

    @property
    def glance(self) -> re.Pattern[str]:
        """What finds something in every message text that may hold a ballot, or what looks like one (tally/glance.py)."""
        return compile_glance(self.targets.openers | self.voters.openers)


class Book:
    """The names of a roster at every moment: aliases come to hold one after another."""

    def __init__(self, roster: Roster, kind: TargetKind, ruled: tuple[tuple[str, str], ...] = ()) -> None:
        later = [one.later for one in list_targets(roster)] + [seat.later for seat in roster.seats]
        self._moments: Sequence[datetime] = sorted({since for words in later for _, since in words})
        self._roster, self._kind, self._ruled = roster, kind, ruled
        self._found: dict[int, Lexicon] = {}

    def at(self, moment: datetime) -> Lexicon:
        """The names that hold at a moment."""
        place = bisect_right(self._moments, moment) if self._moments else 0
        if (found := self._found.get(place)) is None:
            found = self._found[place] = self._build(self._moments[place - 1] if place else _BEFORE)
        return found

    @cached_property
    def whole(self) -> Lexicon:
        """Every name that ever holds."""
        return self._build(None)

    def _build(self, at: datetime | None) -> Lexicon:
        targets = index_targets(self._roster, self._kind, self._ruled, at)
        if self._roster.targets is not None or self._kind is TargetKind.SEAT:
            # What a ruling says of a word is about what votes name.
            return Lexicon(targets, index_names(self._roster, at=at))
        return Lexicon(targets, targets)


@lru_cache(maxsize=64)
def _index(words: tuple[tuple[str, tuple[str, ...]], ...], ruled: tuple[tuple[str, str], ...], kind: TargetKind) -> Names:
    names = tuple(name for name, _ in words)
    numbers: Mapping[int, tuple[str, ...]] | None = None
    match kind:
        case TargetKind.CHARACTER | TargetKind.VEST:
            pass
        case TargetKind.NUMBER:
            numbers = {int(name): (name,) for name in names}
        case TargetKind.SEAT:
            # A player may be called by a number: then it is his as well as that of the place.
            called = [(number, name) for name in names if (number := read_number(name)) is not None]
            numbers = _gather_numbers([*enumerate(names, 1), *called])
        case _:
            assert_never(kind)
    return Names(names, [(alias, name) for name, aliases in words for alias in aliases], ruled, numbers)


def _gather_numbers(pairs: Iterable[tuple[int, str]]) -> dict[int, tuple[str, ...]]:
    gathered: dict[int, dict[str, None]] = {}
    for number, name in pairs:
        gathered.setdefault(number, {})[name] = None
    return {number: tuple(named) for number, named in gathered.items()}


def _held(later: tuple[tuple[str, datetime], ...], at: datetime | None) -> tuple[str, ...]:
    return tuple(word for word, since in later if at is None or since <= at)


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
