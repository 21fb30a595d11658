"""Who plays: seats with their accounts, aliases and roles, and the directors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from scraper.post import History


@dataclass(frozen=True, slots=True)
class Account:
    """A forum account: its name exactly as the board prints it, its uid where known, and since when it is the seat's."""

    name: str
    uid: int | None = None
    since: datetime | None = None


@dataclass(frozen=True, slots=True)
class Seat:
    """One seat: its public name, its accounts (the first is the original one), aliases, and its role where it is known.

    `later` are aliases that hold only from a moment on.
    """

    name: str
    accounts: tuple[Account, ...]
    aliases: tuple[str, ...] = ()
    role: str | None = None
    games: int | None = None
    later: tuple[tuple[str, datetime], ...] = ()


@dataclass(frozen=True, slots=True)
class Target:
    """What a vote may name where it names no seat: a secret number or a vest. Nothing here says whose it is."""

    name: str
    aliases: tuple[str, ...] = ()
    later: tuple[tuple[str, datetime], ...] = ()


@dataclass(frozen=True, slots=True)
class Roster:
    """Every seat in the order of the game file, and the directors' accounts.

    `targets` are the numbers or vests that votes name, in an order that tells nothing; None where votes name the seats.
    """

    seats: tuple[Seat, ...]
    directors: tuple[Account, ...]
    targets: tuple[Target, ...] | None = None


class PosterKind(StrEnum):
    """Whose words a post is."""

    SEAT = "seat"
    DIRECTOR = "director"
    SPECTATOR = "spectator"


@dataclass(frozen=True, slots=True)
class Poster:
    """Who posted: the seat's name, or the account's for directors and spectators.

    `old` where the seat has had another account since; `namesake` is another seat whose account bears the printed name, where the
    uid says who it is; `renamed` tells that the uid is the seat's and the printed name is none of its accounts'.
    """

    kind: PosterKind
    name: str
    old: bool = False
    namesake: str | None = None
    renamed: bool = False


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

    def find_poster(self, history: History) -> Poster:
        """Who posted a post, by what it showed when it was first seen."""
        if self._changing:
            return self._look_up(history.author, history.uid, history.posted_at)
        key = history.account
        if (found := self._found.get(key)) is None:
            found = self._found[key] = self._look_up(*key, history.posted_at)
        return found

    def group(self, histories: Iterable[History]) -> dict[Poster, list[History]]:
        """The posts of each poster, as `find_poster` tells of each: asked once for an account that never changes hands."""
        by_account: dict[object, list[History]] = {}
        for history in histories:
            key = (history.account, history.posted_at) if self._changing else history.account
            by_account.setdefault(key, []).append(history)
        grouped: dict[Poster, list[History]] = {}
        for written in by_account.values():
            grouped.setdefault(self.find_poster(written[0]), []).extend(written)
        return grouped

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
                renamed = all(account.name != author for account in key.seat.accounts)
                return Poster(PosterKind.SEAT, key.seat.name, old, namesake, renamed)
        # A stranger under a seat's name: the board has given it away since, or another board's uid stands in the file.
        namesake = next((key.seat.name for key in named if key.seat), None) if not found else None
        return Poster(PosterKind.SPECTATOR, author, namesake=namesake)


def learn_uids(roster: Roster, histories: Iterable[History]) -> Roster:
    """The roster with the uid of every account that the file knows by name only, where posts show it.

    A name is whoever's was first seen under it: when the board gives an account another name, its later posts are still the
    seat's, and a stranger who takes the old name is none.
    """
    unknown = {account.name for account in _all_accounts(roster) if account.uid is None}
    taken = {account.uid for account in _all_accounts(roster)}
    if not unknown:
        return roster
    seen: dict[str, tuple[int, int]] = {}
    for history in histories:
        author, uid = history.author, history.uid
        if author in unknown and uid is not None and uid not in taken:
            seen[author] = min(seen.get(author, (history.pid, uid)), (history.pid, uid))

    def learn(accounts: tuple[Account, ...]) -> tuple[Account, ...]:
        return tuple(
            replace(account, uid=seen[account.name][1]) if account.uid is None and account.name in seen else account
            for account in accounts
        )

    seats = tuple(replace(seat, accounts=learn(seat.accounts)) for seat in roster.seats)
    return replace(roster, seats=seats, directors=learn(roster.directors))


def _all_accounts(roster: Roster) -> Iterator[Account]:
    yield from roster.directors
    for seat in roster.seats:
        yield from seat.accounts
