"""The director's rulings, applied: to accounts and names before reading, to posts in the box; what fits nowhere is a finding."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from tally.names import ABSTENTION, Names, list_targets
from tally.reading import Reading
from tally.roster import Account, Roster
from tally.ruling import Ruling, RulingKind


def ruled_names(rulings: Sequence[Ruling], roster: Roster) -> tuple[tuple[str, str], ...]:
    """The words that rulings gave a seat, or (an empty value) made an abstention."""
    seats = {target.name for target in list_targets(roster)}
    found = ((ruling.name, ruling.value or ABSTENTION) for ruling in rulings if ruling.kind is RulingKind.NAME)
    return tuple((word, seat) for word, seat in found if seat in seats or seat == ABSTENTION)


def with_ruled_accounts(roster: Roster, rulings: Sequence[Ruling]) -> Roster:
    """The roster with the accounts that rulings gave a seat: one more, or with a moment the one that follows the others."""
    ruled: dict[str, list[Account]] = {}
    for ruling in rulings:
        if ruling.kind is RulingKind.ACCOUNT:
            ruled.setdefault(ruling.value, []).append(Account(ruling.name, None, ruling.at))
    if not ruled:
        return roster
    # An account without a moment goes first: it never makes another one old.
    seats = tuple(
        replace(
            seat,
            accounts=(
                *(account for account in ruled.get(seat.name, ()) if account.since is None),
                *seat.accounts,
                *(account for account in ruled.get(seat.name, ()) if account.since is not None),
            ),
        )
        for seat in roster.seats
    )
    return replace(roster, seats=seats)


def post_rulings(rulings: Sequence[Ruling], names: Names, vote: int) -> dict[int, Ruling]:
    """The rulings on posts of the vote thread by pid, the last one where there are several; values as seats' names."""
    by_pid = {}
    for ruling in rulings:
        if ruling.kind not in (RulingKind.COUNT_AS, RulingKind.VOID) or ruling.pid is None or ruling.tid not in (None, vote):
            continue
        seat = names.find_seat(ruling.value)
        if ruling.kind is RulingKind.VOID or seat is not None or not ruling.value:
            by_pid[ruling.pid] = replace(ruling, value=seat or "")
    return by_pid


def settle_rulings(by_pid: Mapping[int, Ruling], readings: Sequence[Reading]) -> dict[int, Ruling]:
    """Which reading each ruling on a post settles, by index; a post of several proxies can be voided, but not counted as one."""
    found: dict[int, list[int]] = {}
    for index, reading in enumerate(readings):
        if reading.source is not None and reading.source.pid in by_pid:
            found.setdefault(reading.source.pid, []).append(index)
    return {
        index: by_pid[pid]
        for pid, indexes in found.items()
        for index in indexes
        if by_pid[pid].kind is RulingKind.VOID or len(indexes) == 1
    }
