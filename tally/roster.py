"""Who plays: seats with their accounts, aliases and roles, and the directors."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


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


class PosterKind(StrEnum):
    """Whose words a post is."""

    SEAT = "seat"
    DIRECTOR = "director"
    SPECTATOR = "spectator"


@dataclass(frozen=True, slots=True)
class Poster:
    """Who posted: the seat's name, or the account's for directors and spectators.

    `old` where the seat has had another account since; `namesake` is another seat whose account bears the printed name,
    where the uid says who it is.
    """

    kind: PosterKind
    name: str
    old: bool = False
    namesake: str | None = None


@dataclass(frozen=True, slots=True)
class _Key:
    """One account with whose it is: a seat's, at its place among the seat's accounts, or a director's (`seat` None)."""

    account: Account
    seat: Seat | None = None
    position: int = 0


class Accounts:
    """Finds who posted: by uid, else by the account's name exactly as the board prints it (names of accounts never fold)."""

    def __init__(self, roster: Roster) -> None:
        keys = [_Key(account) for account in roster.directors]
        keys += [_Key(account, seat, place) for seat in roster.seats for place, account in enumerate(seat.accounts)]
        self._uids: dict[int, list[_Key]] = {}
        self._names: dict[str, list[_Key]] = {}
        for key in keys:
            if key.account.uid is not None:
                self._uids.setdefault(key.account.uid, []).append(key)
            self._names.setdefault(key.account.name, []).append(key)
        # Who stands behind an account that never changes hands is found once.
        self._changing = any(key.account.since is not None for key in keys)
        self._found: dict[tuple[str, int | None], Poster] = {}

    def find(self, author: str, uid: int | None, at: datetime) -> Poster:
        """Who stands behind a name and uid at a moment; a spectator where nobody does, or does not yet."""
        if self._changing:
            return self._look_up(author, uid, at)
        if (found := self._found.get((author, uid))) is None:
            found = self._found[author, uid] = self._look_up(author, uid, at)
        return found

    def _look_up(self, author: str, uid: int | None, at: datetime) -> Poster:
        named = self._names.get(author, [])
        found = self._uids.get(uid, []) if uid is not None else named
        if not found:
            # An account whose uid is known is that uid's alone; one without is known by its name.
            found = [key for key in named if key.account.uid is None]
        for key in found:
            if key.seat is None:
                return Poster(PosterKind.DIRECTOR, author)
            if key.account.since is None or key.account.since <= at:
                later = key.seat.accounts[key.position + 1 :]
                old = any(account.since is not None and account.since <= at for account in later)
                namesake = next((other.seat.name for other in named if other.seat and other.seat is not key.seat), None)
                return Poster(PosterKind.SEAT, key.seat.name, old, namesake)
        return Poster(PosterKind.SPECTATOR, author)
