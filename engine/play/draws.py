"""Random draws: each follows from the game's secret seed and from what it is for, and is recorded.

A line that is stored carries the results of its draws (抽得=…): they hold when it is read again, whatever a later version of
this program would draw. A draw does not depend on how many came before it, so that a late line moves no other.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from itertools import combinations
from typing import TypeVar

from engine.ledger import Phase
from engine.play.refusal import Refused
from engine.play.state import Draft, Drawn

T = TypeVar("T")

# The key of a stored line under which the results of its draws stand, and what stands between them.
KEY = "抽得"
BETWEEN = "、"


def pick(seed: str, what: str, among: Sequence[T]) -> T:
    """One of `among`, by the SHA-256 of seed and purpose. The remainder's bias is below 2 to the power of -240."""
    digest = hashlib.sha256(f"{seed}\n{what}".encode()).digest()
    return among[int.from_bytes(digest) % len(among)]


def shuffle(seed: str, what: str, items: Sequence[T]) -> list[T]:
    """All of `items` in an order that follows from seed and purpose."""
    left, drawn = list(items), []
    while left:
        one = pick(seed, f"{what} {len(left)}", range(len(left)))
        drawn.append(left.pop(one))
    return drawn


def draw_seat(d: Draft, what: str, among: Sequence[int], phase: Phase | None = None) -> int:
    """One of some seats, who are put in the order of their names first; recorded. `phase` is what it belongs to, if not now."""
    ordered = sorted(among, key=d.table.name)
    (chosen,) = _settle(d, what, ordered, 1, phase)
    return chosen


def draw_pair(d: Draft, what: str, among: Sequence[int]) -> tuple[int, int]:
    """Two different seats of some."""
    first, second = _settle(d, what, sorted(among, key=d.table.name), 2)
    return first, second


def _settle(d: Draft, what: str, among: list[int], count: int, phase: Phase | None = None) -> tuple[int, ...]:
    """The seats that the line brings as drawn, else those that the seed gives."""
    if len(d.brought) >= count:
        words, d.brought = d.brought[:count], d.brought[count:]
        chosen = tuple(_find(d, word, among) for word in words)
    else:
        ways = list(combinations(among, count))
        chosen = pick(d.table.seed, f"{phase or d.phase} {what}", ways)
    d.draws = (*d.draws, Drawn(d.phase, what, tuple(among), chosen))
    return chosen


def _find(d: Draft, word: str, among: list[int]) -> int:
    found = d.table.find_name(word)
    if found is None or found not in among:
        raise Refused("E336", word=word, among=BETWEEN.join(d.table.name(index) for index in among))
    return found
