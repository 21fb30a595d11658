"""Which sets of roles a rule post can deal: its numbers as values, and one check over them for every system.

A set is the cards of a game, with those that are left over where the rules leave some (a role that chooses among spare cards).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from engine.play.skillset import Role
from engine.switches import Value
from scraper.phrases import listing
from tally.finding import Finding
from tally.policy import Clause


@dataclass(frozen=True, slots=True)
class Limit:
    """How many cards of a role a set may hold: from `least` to `most` (None: as many as you like).

    A `whole` one is there with all its `most` cards or not at all. `advised` numbers are the post's usual ones: to leave them is
    a warning.
    """

    role: str
    clause: Clause
    least: int = 0
    most: int | None = None
    whole: bool = False
    advised: bool = False


@dataclass(frozen=True, slots=True)
class Spare:
    """A role with which there are `more` cards than players."""

    role: str
    more: int
    clause: Clause


@dataclass(frozen=True, slots=True)
class Advice:
    """A role that the post would see only at tables of `players` or more."""

    role: str
    players: int
    clause: Clause


@dataclass(frozen=True, slots=True)
class Shelf:
    """Roles that are off unless the switch names them."""

    roles: tuple[str, ...]
    switch: str
    clause: Clause


@dataclass(frozen=True, slots=True)
class Rows:
    """The only sets that a post knows, by the number of players."""

    rows: Mapping[int, Mapping[str, int]]
    clause: Clause


@dataclass(frozen=True, slots=True)
class Composition:
    """What a rule post says of the roles that are dealt together."""

    limits: tuple[Limit, ...] = ()
    spare: Spare | None = None
    advice: tuple[Advice, ...] = ()
    shelf: Shelf | None = None
    rows: Rows | None = None


def check_cards(
    title: str,
    known: Iterable[Role],
    composition: Composition,
    roles: Sequence[str],
    *,
    players: int | None = None,
    switches: Mapping[str, Value] | None = None,
) -> tuple[Finding, ...]:
    """What is impossible about a set of cards (errors E410–E419), or advised against (warnings E420, E421).

    `roles` are names of roles, spare cards among them; `players` how many seats there are (None: as many as the cards are for).
    `switches` are those of the game file (None: all as they are by default).
    """
    camps = {role.name: role.camp for role in known}
    unknown = tuple(dict.fromkeys(role for role in roles if role not in camps))
    if unknown:
        return tuple(_find("E410", system=title, role=role) for role in unknown)
    counts = Counter(roles)
    more = composition.spare.more if composition.spare is not None and counts[composition.spare.role] else 0
    seats = len(roles) - more if players is None else players
    found = [
        *_check_number(composition, counts, len(roles), players),
        *_check_shelf(composition.shelf, counts, switches or {}),
        *(finding for limit in composition.limits for finding in _check_limit(limit, counts[limit.role])),
        *_check_rows(composition.rows, counts, seats),
        *(
            _find("E420", one.clause, role=one.role, least=one.players, players=seats)
            for one in composition.advice
            if counts[one.role] and seats < one.players
        ),
    ]
    together = {camps[role] for role in roles}
    if len(together) == 1 and "" not in together:
        found.append(_find("E419", camp=together.pop()))
    return tuple(found)


def _find(code: str, clause: Clause | None = None, **parameters: object) -> Finding:
    told = () if clause is None else (("clause", clause.text), ("post", clause.post))
    return Finding(code, (*((name, str(value)) for name, value in parameters.items()), *told))


def _check_number(composition: Composition, counts: Counter[str], cards: int, players: int | None) -> Iterator[Finding]:
    """As many cards as players, or so many more as a spare-card role wants."""
    if players is None:
        return
    spare = composition.spare
    if spare is None or not counts[spare.role]:
        if cards != players:
            yield _find("E415", players=players, given=cards)
    elif cards != players + spare.more:
        yield _find(
            "E414", spare.clause, role=spare.role, more=spare.more, players=players, wanted=players + spare.more, given=cards
        )


def _check_shelf(shelf: Shelf | None, counts: Counter[str], switches: Mapping[str, Value]) -> Iterator[Finding]:
    if shelf is None:
        return
    enabled = switches.get(shelf.switch, ())
    named = enabled if isinstance(enabled, tuple) else ()
    for role in shelf.roles:
        if counts[role] and role not in named:
            yield _find("E416", shelf.clause, role=role, switch=f'"{shelf.switch}"')


def _check_limit(limit: Limit, given: int) -> Iterator[Finding]:
    parameters: dict[str, object] = {"role": limit.role, "given": given}
    if limit.advised:
        if not limit.least <= given <= (limit.most or given):
            yield _find("E421", limit.clause, least=limit.least, most=limit.most, **parameters)
    elif limit.whole:
        if given not in (0, limit.most):
            yield _find("E413", limit.clause, wanted=limit.most, **parameters)
    elif limit.most is not None and given > limit.most:
        yield _find("E411", limit.clause, most=limit.most, **parameters)
    elif given < limit.least:
        yield _find("E412", limit.clause, least=limit.least, **parameters)


def _check_rows(rows: Rows | None, counts: Counter[str], players: int) -> Iterator[Finding]:
    if rows is None:
        return
    row = rows.rows.get(players)
    if row is None:
        yield _find("E417", rows.clause, players=players, rows=listing(rows.rows))
    elif {role: number for role, number in row.items() if number} != dict(counts):
        yield _find("E418", rows.clause, players=players, wanted=_show(row), given=_show(counts))


def _show(counts: Mapping[str, int]) -> str:
    return listing(f"{role}{number}" for role, number in counts.items() if number)
