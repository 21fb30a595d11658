"""The polls of a day that has several, each of the seats of one role: counted at the close, settled in the night.

A ballot that may not be cast is void, and leaves its voter free to cast another. Manipulations come last, whenever they were
made: each is tried as a ballot of the voter's own, and one that would be void changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never

from engine.ledger import Phase, PhaseKind
from engine.play.ballots import find_top
from engine.play.chain import try_conditions
from engine.play.draws import draw_seat
from engine.play.order import Order
from engine.play.skillset import POLL_KEYS
from engine.play.state import Ballot, Draft, VoteCount
from tally.policy import Conflict, Decides, Immune, Poll, SecondVote

NOBODY = "nobody"


def named_poll(order: Order, default: str = "") -> str:
    """Which of the day's polls a line says that it is for."""
    if not order.values:
        return default
    return next((order.values[key] for key in POLL_KEYS if key in order.values), default)


def count_polls(d: Draft) -> None:
    """Count every poll of the day, with its weights; who is drawn of those with the most votes, the night will tell."""
    weights = dict(d.weights)
    for poll in d.table.play.votes.polls:
        votes: dict[int, int] = {}
        for voter, target in fill_poll(d, poll).items():
            weight = weights.get(voter, 1)
            if target is not None and weight:
                votes[target] = votes.get(target, 0) + weight
        ordered = tuple(sorted(votes.items(), key=lambda pair: -pair[1]))
        decision = poll.decides.value if ordered else NOBODY
        d.votes = (*d.votes, VoteCount(d.phase, ordered, decision, None, poll=poll.name))


def fill_poll(d: Draft, poll: Poll) -> dict[int, int | None]:
    """The standing ballot of each voter of a poll (None: an abstention), after manipulations."""
    standing: dict[int, int | None] = {}
    for ballot in _in_turn([one for one in d.ballots if one.by is None]):
        if not _is_for(d, ballot, poll) or is_void(d, ballot, poll):
            continue
        if ballot.voter not in standing or d.table.play.votes.second is SecondVote.REPLACE:
            standing[ballot.voter] = ballot.target
    changes = [one for one in _find_changes(d) if not is_void(d, one, poll) and one.target is not None]
    for change in changes:
        same = [one for one in changes if one.voter == change.voter]
        match d.table.play.votes.conflict:
            case Conflict.LAST_LEGAL:
                standing[change.voter] = same[-1].target
            case Conflict.BOTH_VOID:
                if len(same) == 1:
                    standing[change.voter] = change.target
            case other:
                assert_never(other)
    return standing


def _in_turn(ballots: Sequence[Ballot]) -> list[Ballot]:
    """Ballots as they were told; those of which nobody knows when stand at the end, as they are written."""
    timed = sorted((one for one in ballots if one.at is not None), key=lambda one: (one.at, one.number))
    return [*timed, *(one for one in ballots if one.at is None)]


def _is_for(d: Draft, ballot: Ballot, poll: Poll) -> bool:
    """Whether a ballot is for a poll: as its line says, else by its voter's role."""
    return ballot.poll in ("", poll.name) and d.seats[ballot.voter].role == poll.role


def _find_changes(d: Draft) -> Sequence[Ballot]:
    """The manipulations of a day: one of each seat that makes any, the first or (where a second replaces it) the last."""
    made: dict[int, Ballot] = {}
    for ballot in _in_turn([one for one in d.ballots if one.by is not None]):
        assert ballot.by is not None
        if ballot.by not in made or d.table.play.votes.second is SecondVote.REPLACE:
            made[ballot.by] = ballot
    return _in_turn(tuple(made.values()))


def is_void(d: Draft, ballot: Ballot, poll: Poll) -> bool:
    """Whether a ballot may not be cast in a poll: its voter has no vote in it, or it names himself or who may not be named."""
    if d.seats[ballot.voter].role != poll.role or ballot.voter in d.barred:
        return True
    if ballot.target is None:
        return False
    target = d.seats[ballot.target]
    match poll.immune:
        case Immune.NOBODY:
            immune = False
        case Immune.PUBLISHED:
            immune = target.published
        case Immune.SOULS:
            immune = target.soul
        case _:
            assert_never(poll.immune)
    return immune or ballot.target == ballot.voter


def settle_polls(d: Draft, names: Sequence[str]) -> None:
    """Settle some polls of the day before this night at once: everybody is drawn before anything happens to one of them."""
    day = Phase(PhaseKind.DAY, d.phase.number)
    drawn = [(poll, found) for poll in _polls(d, names) if (found := _draw(d, poll, day)) is not None]
    for poll, index in drawn:
        seats = list(d.seats)
        seat = seats[index]
        match poll.decides:
            case Decides.IDENTITY:
                if not seat.published:
                    seats[index] = seat._replace(published=True)
                    d.revealed = (*d.revealed, index)
            case Decides.SOUL:
                if not seat.soul and index not in d.bound:
                    seats[index] = seat._replace(soul=True)
                    d.souls_tonight = (*d.souls_tonight, index)
            case Decides.EXILE | Decides.ELECTION:
                raise AssertionError(f"{poll.name} is not settled in the night")
            case _:
                assert_never(poll.decides)
        d.seats = tuple(seats)
    if drawn:
        try_conditions(d)


def _polls(d: Draft, names: Sequence[str]) -> Iterator[Poll]:
    return (poll for poll in d.table.play.votes.polls if poll.name in names)


def _draw(d: Draft, poll: Poll, day: Phase) -> int | None:
    """The seat with the most votes, drawn where there are several; a ruling goes before the votes. None for nobody."""
    ruled = dict(d.ruled_polls)
    if poll.name in ruled:
        return ruled[poll.name]
    count = next((one for one in d.votes if (one.phase, one.poll) == (day, poll.name)), None)
    top = find_top(dict(count.votes)) if count is not None else ()
    # By day and poll, as a count of the same votes draws it.
    return draw_seat(d, poll.name, top, day) if len(top) > 1 else next(iter(top), None)
