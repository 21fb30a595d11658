"""Who plays: seats with their accounts, aliases and roles, and the directors."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Account:
    """A forum account: its name exactly as the board prints it, its uid where known, and since when it is the seat's."""

    name: str
    uid: int | None = None
    since: datetime | None = None


@dataclass(frozen=True, slots=True)
class Seat:
    """One seat: its public name, its accounts (the first is the original one), aliases, and its role where it is known."""

    name: str
    accounts: tuple[Account, ...]
    aliases: tuple[str, ...] = ()
    role: str | None = None
    games: int | None = None


@dataclass(frozen=True, slots=True)
class Roster:
    """Every seat in the order of the game file, and the directors' accounts."""

    seats: tuple[Seat, ...]
    directors: tuple[Account, ...]
