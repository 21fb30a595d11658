"""Where a final verdict, and what the game file says of the time after it, do not fit together."""

from __future__ import annotations

from typing import assert_never

from engine.game import Game
from tally.day import Day
from tally.finding import Finding
from tally.policy import ELECTION, TargetKind
from tally.result import DayTally, Decision


def find_disagreements(game: Game, tally: DayTally) -> tuple[Finding, ...]:
    """An elected sheriff that the file does not know, and a seat, number or vest that went out and is not said to be out.

    Whose number or vest it is only the director's secrets tell; a finding names what was voted for, and no seat.
    """
    # Of an election beside the day's own vote, the day itself says who came of it.
    following = game.day(tally.day if tally.poll == ELECTION.name else tally.day + 1)
    if following is None or not tally.final:
        return ()
    parameters = (("day", str(following.number)),)
    match tally.verdict.decision:
        case Decision.SHERIFF:
            return tuple(
                Finding("E105", (*parameters, ("seat", target)), seat=target)
                for target in tally.verdict.seats
                if _is_no_sheriff(target, following, game)
            )
        case Decision.EXILE:
            return tuple(
                Finding("E106", (*parameters, ("seat", target)), seat=target)
                for target in tally.verdict.seats
                if _is_still_in(target, following, game)
            )
        case _:
            return ()


def _is_no_sheriff(target: str, following: Day, game: Game) -> bool:
    seat = holder_of(game, target)
    # A sheriff who went out in the night has handed the badge on.
    gone = {out.name for out in (*following.out, *following.leavers)}
    return following.sheriff is not None and seat is not None and seat != following.sheriff and not {seat, target} & gone


def _is_still_in(target: str, following: Day, game: Game) -> bool:
    if game.untold.get(following.number):
        return False
    # Whoever used 装傻 was not put out by the vote.
    return target not in {out.name for out in following.leavers} and target not in following.feigned_targets


def holder_of(game: Game, target: str) -> str | None:
    """The seat behind what a vote named, for the director alone; None where nobody has told."""
    match game.policy.target:
        case TargetKind.CHARACTER | TargetKind.SEAT:
            return target
        case TargetKind.NUMBER:
            return next((seat for seat, number in game.secrets.numbers.items() if str(number) == target), None)
        case TargetKind.VEST:
            return next((seat for seat, vest in game.secrets.vests.items() if vest == target), None)
        case _:
            assert_never(game.policy.target)
