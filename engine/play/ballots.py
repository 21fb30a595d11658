"""Votes of the ledger, counted: which stand, what each target has, and who reached the most first.

The rules of changing are those of the thread (`tally.policy`), as far as ledger lines can break them: a second line of one voter
is his change. Lines without a time are in the order of the ledger.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from engine.play.rules import Votes
from engine.play.state import Ballot, Draft, SpeedUp
from tally.policy import Reach


@dataclass(frozen=True, slots=True)
class Box:
    """The standing ballots by voter (a target, or None for an abstention), and every move of a ballot in order: from, to."""

    standing: Mapping[int, int | None]
    moves: tuple[tuple[int | None, int | None], ...]


def fill_box(ballots: Sequence[Ballot], d: Draft) -> Box:
    """Which ballots of a day stand: of a voter who may vote, on a target that may be voted for, changed as the rules allow."""
    rule = d.table.play.votes
    standing: dict[int, int | None] = {}
    changed: dict[int, int] = {}
    moves: list[tuple[int | None, int | None]] = []
    for ballot in in_order(ballots):
        if is_void(ballot, d):
            continue
        if ballot.voter in standing:
            if changed.get(ballot.voter, 0) >= rule.changes or _comes_too_late(ballot, d, rule):
                continue
            changed[ballot.voter] = changed.get(ballot.voter, 0) + 1
        elif ballot.proxy and _is_frozen(ballot.at, d.closed_at, rule):
            continue
        moves.append((standing.get(ballot.voter), ballot.target))
        standing[ballot.voter] = ballot.target
    for role in rule.agree:
        _void_unlike(standing, moves, d, role)
    return Box(standing, tuple(moves))


def _void_unlike(standing: dict[int, int | None], moves: list[tuple[int | None, int | None]], d: Draft, role: str) -> None:
    """所有投票必须一致,否则无效: of single seats of an identity; who abstains, in words or by silence, does not agree."""
    group = [
        index
        for index, seat in enumerate(d.seats)
        if seat.role == role and not seat.cause and index not in d.lovers and index not in d.barred
    ]
    if len({standing.get(index) for index in group}) < 2:
        return
    for index in group:
        if index in standing:
            moves.append((standing.pop(index), None))


def is_void(ballot: Ballot, d: Draft) -> bool:
    """Whether a ballot counts for nothing: its voter is barred, or has feigned, or its target has.

    Where a red card takes effect in the middle of a day, what its seat had voted before stands, and votes for it do not.
    """
    rule, at_once = d.table.play.feigning, d.table.play.red_card_at_once
    voter = d.seats[ballot.voter]
    if ballot.voter in d.barred or (voter.feigned and not rule.weightless) or (voter.cause and not at_once):
        return True
    if ballot.target is None:
        return False
    target = d.seats[ballot.target]
    return (target.feigned and not rule.votable) or (bool(target.cause) and at_once)


def in_order(ballots: Sequence[Ballot]) -> Sequence[Ballot]:
    """Ballots by time where all have one, else as they stand in the ledger."""
    times = [ballot.at for ballot in ballots]
    if not ballots or None in times:
        return ballots
    return sorted(ballots, key=lambda ballot: (ballot.at, ballot.number))


def _comes_too_late(ballot: Ballot, d: Draft, rule: Votes) -> bool:
    return _is_frozen(ballot.at, d.closed_at, rule) or _is_sped_up(ballot, d, rule)


def _is_frozen(at: datetime | None, closed_at: datetime | None, rule: Votes) -> bool:
    """关门前一小时不允许改票或代投: only where both moments are known."""
    if at is None or closed_at is None or not rule.freeze:
        return False
    return at >= closed_at - timedelta(seconds=rule.freeze)


def _is_sped_up(ballot: Ballot, d: Draft, rule: Votes) -> bool:
    """执行加速时不允许改票: while it holds (or, by the switch, on the whole day if it holds at the close)."""
    spans = sorted((*d.speed, *judge_requests(d)), key=lambda one: (one.at is not None and one.at.timestamp(), one.number))
    if rule.whole_day:
        return bool(spans) and spans[-1].on
    holds = False
    for span in spans:
        if _began(span, ballot, d.closed_at, rule):
            holds = span.on
    return holds


def _began(span: SpeedUp, ballot: Ballot, closed_at: datetime | None, rule: Votes) -> bool:
    at = span.at
    if at is None and closed_at is not None:
        at = closed_at - timedelta(seconds=rule.speed_up_lead)
    if at is None or ballot.at is None:
        return span.number < ballot.number
    return at <= ballot.at


def judge_requests(d: Draft) -> tuple[SpeedUp, ...]:
    """当日申请人数在讨论日结束三个小时前大于等于存活人数的一半，即判定加速或延迟成功: only before a close that has a time."""
    if d.closed_at is None or not d.requests:
        return ()
    judged = d.closed_at - timedelta(seconds=d.table.play.votes.speed_up_lead)
    found = []
    for on in (True, False):
        asked = {seat for seat, faster, at in d.requests if faster is on and (at is None or at <= judged) and d.is_in(seat)}
        if 2 * len(asked) >= len(d.living):
            found.append(SpeedUp(on, judged, 0))
    return tuple(found)


def count_votes(box: Box, weights: Mapping[int, int]) -> dict[int, int]:
    """The weighted votes of each target, in the order in which the targets were first voted for."""
    votes: dict[int, int] = {}
    for voter, target in box.standing.items():
        if target is not None:
            votes[target] = votes.get(target, 0) + weights.get(voter, 1)
    return votes


def find_top(votes: Mapping[int, int], among: Iterable[int] | None = None) -> tuple[int, ...]:
    """The targets with the most votes, of all or of some; none where nobody has a vote."""
    counted = {target: votes[target] for target in (votes if among is None else among) if votes.get(target)}
    most = max(counted.values(), default=0)
    return tuple(target for target, number in counted.items() if number == most)


def run_race(box: Box, top: tuple[int, ...], reach: Reach) -> int:
    """Who of those with the most votes reached them first: when he last came to stand there unbroken, or first touched it."""
    if len(top) == 1:
        return top[0]
    most = sum(target == top[0] for target in box.standing.values())
    running = dict.fromkeys(top, 0)
    reached: dict[int, int] = {}
    for place, (left, came) in enumerate(box.moves):
        if left == came:
            continue
        if left in running:
            running[left] -= 1
            if running[left] < most and reach is Reach.STABLE:
                reached.pop(left, None)
        if came in running:
            running[came] += 1
            if running[came] >= most:
                reached.setdefault(came, place)
    return min(top, key=lambda target: reached[target])
