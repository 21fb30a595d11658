"""身份报到: which accounts have posted in the thread in which everybody reports, and in which order.

Only the accounts of game.toml are looked at; whatever else is said there is nobody's report. The order in which they reported is
one way to settle that of the elevator (马甲杀 · 05.身份报到；06.确立电梯楼顺序).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from engine.game import Game
from scraper.post import History


@dataclass(frozen=True, slots=True)
class Reported:
    """One seat that has reported: under which floor, and when."""

    seat: str
    floor: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Rollcall:
    """Who has reported, in the order of their first posts, who has not, and accounts that are nobody's."""

    reported: tuple[Reported, ...]
    missing: tuple[str, ...]
    strangers: tuple[str, ...]


def call_roll(game: Game, histories: Iterable[History]) -> Rollcall:
    """Call the roll of a thread. An account is known by its uid where both sides tell one, else by its name."""
    by_uid = {account.uid: seat.name for seat in game.roster.seats for account in seat.accounts if account.uid is not None}
    names = [(account, seat.name) for seat in game.roster.seats for account in seat.accounts]
    by_name = {account.name: seat for account, seat in names}
    nameless = {account.name: seat for account, seat in names if account.uid is None}
    directors = {account.name for account in game.roster.directors}
    found: dict[str, Reported] = {}
    strangers: dict[str, None] = {}
    for history in sorted(histories, key=lambda one: (one.posted_at, one.pid)):
        seat = by_name.get(history.author)
        if history.uid is not None:
            seat = by_uid.get(history.uid) or nameless.get(history.author)
        if seat is not None:
            found.setdefault(seat, Reported(seat, history.floor, history.posted_at))
        elif history.author not in directors:
            strangers[history.author] = None
    missing = tuple(seat.name for seat in game.roster.seats if seat.name not in found)
    return Rollcall(tuple(found.values()), missing, tuple(strangers))
