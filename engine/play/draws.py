"""Random draws: each follows from the game's secret seed and from what it is for, and is recorded.

A line that is stored carries the results of its draws (抽得=…): they hold when it is read again, whatever a later version of
this program would draw. A draw does not depend on how many came before it, so that a late line moves no other. Where one line
may bring several draws, each is stored with its purpose (抽得=撕咬:饺子): one that comes to be no draw, or a new one, moves none.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from itertools import combinations
from typing import TypeVar

from engine.ledger import Phase
from engine.play.refusal import Refused
from engine.play.state import Draft, Drawn
from engine.play.table import Table

T = TypeVar("T")

# The key of a stored line under which the results of its draws stand, and what stands between them.
KEY = "抽得"
BETWEEN, AFTER_PURPOSE = "、", ":"


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
    """One of some seats, who are put in the order of their names first; recorded.

    `phase` is what it belongs to, if not now: several may then come at once, and are told apart by their purpose.
    """
    ordered = sorted(among, key=d.table.name)
    (chosen,) = _settle(d, what, ordered, 1, phase)
    return chosen


def draw_seats(d: Draft, what: str, among: Sequence[int], count: int) -> tuple[int, ...]:
    """Some seats of many, by a shuffle: for draws before the first line, which no line brings."""
    ordered = sorted(among, key=d.table.name)
    chosen = tuple(shuffle(d.table.seed, f"{d.phase} {what}", ordered)[:count])
    d.draws = (*d.draws, Drawn(d.phase, what, tuple(ordered), chosen))
    return chosen


def draw_pair(d: Draft, what: str, among: Sequence[int]) -> tuple[int, int]:
    """Two different seats of some."""
    first, second = _settle(d, what, sorted(among, key=d.table.name), 2)
    return first, second


def _settle(d: Draft, what: str, among: list[int], count: int, phase: Phase | None = None) -> tuple[int, ...]:
    """The seats that the line brings as drawn, else those that the seed gives."""
    words = _take_brought(d, what, count, named=phase is not None)
    if words:
        chosen = tuple(_find(d, word, among) for word in words)
    else:
        ways = list(combinations(among, count))
        chosen = pick(d.table.seed, f"{phase or d.phase} {what}", ways)
    d.draws = (*d.draws, Drawn(d.phase, what, tuple(among), chosen, named=phase is not None))
    return chosen


def _take_brought(d: Draft, what: str, count: int, *, named: bool) -> tuple[str, ...]:
    """The words that the line brings for a draw, by its purpose, else in order; () for none."""
    purpose = f"{what}{AFTER_PURPOSE}"
    mine = tuple(word for word in d.brought if named and word.startswith(purpose))
    plain = tuple(word for word in d.brought if not (named and AFTER_PURPOSE in word))
    taken = mine[:1] if mine else plain[:count] if len(plain) >= count else ()
    left = list(d.brought)
    for word in taken:
        left.remove(word)
    d.brought = tuple(left)
    return tuple(word.removeprefix(purpose) for word in taken)


def write_draws(table: Table, draws: Sequence[Drawn]) -> str:
    """How a stored line tells what was drawn while it was obeyed; "" for nothing."""
    return BETWEEN.join(
        f"{one.what}{AFTER_PURPOSE}{table.name(seat)}" if one.named else table.name(seat) for one in draws for seat in one.chosen
    )


def _find(d: Draft, word: str, among: list[int]) -> int:
    found = d.table.find_name(word)
    if found is None or found not in among:
        raise Refused("E336", word=word, among=BETWEEN.join(d.table.name(index) for index in among))
    return found
