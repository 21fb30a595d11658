"""The race of a vote: how the running counts grew and fell, ballot by ballot, from the first to the close."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from tally.ballot import Ballot
from tally.result import DayTally, Step

# So many targets have a line of their own in a chart; the table has them all.
MOST_LINES = 8


@dataclass(frozen=True, slots=True)
class Line:
    """A target's votes over time: after each ballot that moved them the sum so far."""

    target: str
    moments: tuple[datetime, ...]
    sums: tuple[int, ...]


def list_steps(tally: DayTally) -> tuple[Step, ...]:
    """Every ballot of the window that moved a count, in order of time, with the count after it.

    A change takes a vote from one target and then gives it to another; a voter's ballots weigh what his last one does. The last
    step of each target is what the table says.
    """
    weights: dict[str, int] = {}
    ballots = list(tally.replaced)
    for ballot in (*(ballot for count in tally.counts for ballot in count.ballots), *tally.abstained):
        weights[ballot.voter] = ballot.weight
        ballots.append(ballot)
    steps: list[Step] = []
    running: dict[str, int] = {}
    named: dict[str, str] = {}
    for ballot in sorted(ballots, key=_order):
        weight = weights.get(ballot.voter, 0)
        left, reached = named.pop(ballot.voter, None), ballot.target
        if reached is not None:
            named[ballot.voter] = reached
        if left == reached or not weight:
            continue
        for target, change in ((left, -weight), (reached, weight)):
            if target is not None:
                running[target] = running.get(target, 0) + change
                steps.append(Step(replace(ballot, weight=weight), target, running[target]))
    return tuple(steps)


def list_lines(tally: DayTally) -> Iterator[Line]:
    """The race of the targets that have votes in the end, in the order of the table."""
    steps = list_steps(tally)
    for count in tally.counts[:MOST_LINES]:
        own = [step for step in steps if step.target == count.target]
        if own:
            yield Line(count.target, tuple(step.ballot.at for step in own), tuple(step.votes for step in own))


def _order(ballot: Ballot) -> tuple[datetime, int, int]:
    return ballot.at, ballot.post.pid if ballot.post is not None else 0, ballot.line or 0
