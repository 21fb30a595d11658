"""Doubtful ballots: every way a director may rule on each, with what would follow, and whether any can change the verdict."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod

from tally.ballot import Place
from tally.box import Box, Fate
from tally.names import How, list_targets
from tally.policy import Decides
from tally.reading import Doubt
from tally.result import NeedsRuling, OpenReading
from tally.review import Review
from tally.rules import has_left, is_barred_target
from tally.ruling import Ruling, RulingKind
from tally.verdict import Case, Outcome, count_ballots, decide, weigh

# Recounts that are tried before the answer is simply that the verdict may change.
_MOST_RECOUNTS = 500
_VOID = Ruling(RulingKind.VOID, 0)


def decide_box(review: Review, box: Box) -> Outcome:
    """What a box of this day decides, by the facts as they are written."""
    return decide(box, case_of(review, review.material.day.sheriff))


def case_of(review: Review, sheriff: str | None) -> Case:
    """What a box of this day is judged by, with somebody as the sheriff."""
    material = review.material
    return Case(material.day, material.policy, material.roster, sheriff, material.seed)


def list_openings(review: Review) -> tuple[NeedsRuling, ...]:
    """Every ballot that needs a ruling, with its readings: as it reads, void, and each other target that decides otherwise."""
    return tuple(
        NeedsRuling(fate.reading.voter, fate.reading.raw, fate.reading.source, tuple(_readings(review, index, fate)))
        for index, fate in enumerate(review.box.fates)
        if fate.place is Place.NEEDS_RULING and fate.reading.source is not None
    )


def can_change(review: Review, outcome: Outcome) -> bool:
    """Whether the open ballots, ruled on in any way together, can decide otherwise than the count without them."""
    open_fates = _list_open(review)
    if not open_fates or _is_beyond_reach(review, open_fates):
        return False
    choices = _list_choices(review, open_fates)
    return choices is None or any(decide_box(review, box).key != outcome.key for box in _rule_each_way(review, choices))


def sheriff_matters(review: Review) -> bool:
    """Whether it would change the verdict if one of the voters were the sheriff, where none is named.

    It is asked of the count without the open ballots, and of every way in which they may be ruled on.
    """
    open_fates = _list_open(review)
    if open_fates and _is_beyond_reach(review, open_fates):
        return False
    choices = _list_choices(review, open_fates)
    return choices is None or any(_has_rival_sheriffs(review, box) for box in (review.box, *_rule_each_way(review, choices)))


def _has_rival_sheriffs(review: Review, box: Box) -> bool:
    key = decide(box, case_of(review, None)).key
    voters = {fate.reading.voter for fate in box.fates if fate.place is Place.STANDING and fate.target is not None}
    return any(decide(box, case_of(review, voter)).key != key for voter in voters)


def _list_open(review: Review) -> list[tuple[int, Fate]]:
    return [(index, fate) for index, fate in enumerate(review.box.fates) if fate.place is Place.NEEDS_RULING]


def _is_beyond_reach(review: Review, open_fates: Sequence[tuple[int, Fate]]) -> bool:
    """Whether one target leads by more than the voters of all open ballots can move together to any other.

    A voter has one standing ballot however his open ones are ruled on, and a ruling moves no other voter's; but not where some
    must vote alike. Whoever stands with the first can leave him and join the second. An unknown sheriff adds his second vote.
    """
    if review.alike:
        return False
    day, policy = review.material.day, review.material.policy
    counts = count_ballots(review.box, day, policy, day.sheriff)
    first, second = (*(count.votes for count in counts), 0, 0)[:2]
    leaders = {ballot.voter for count in counts[:1] for ballot in count.ballots}
    voters = {fate.reading.voter for _, fate in open_fates}
    moved = sum(weigh(voter, day, policy, day.sheriff) * (2 if voter in leaders else 1) for voter in voters)
    if day.sheriff is None and case_of(review, None).decides is not Decides.ELECTION:
        moved += (policy.sheriff_weight - 1) * max((weight for _, weight in day.weights), default=1)
    return first - second > moved


def _list_choices(review: Review, open_fates: Sequence[tuple[int, Fate]]) -> list[list[tuple[int, Ruling]]] | None:
    """The rulings that each open ballot may be given, with its index; None where their combinations are too many to try."""
    choices = [[(index, ruling) for _, ruling in _rulings(review, fate)] for index, fate in open_fates]
    return choices if prod(len(options) for options in choices) <= _MOST_RECOUNTS else None


def _rule_each_way(review: Review, choices: list[list[tuple[int, Ruling]]]) -> Iterator[Box]:
    """The box under each combination of rulings on the open ballots; of none where none is open."""
    if choices:
        for combination in product(*choices):
            yield review.refill({**review.ruled, **dict(combination)})


def _rulings(review: Review, fate: Fate) -> Iterator[tuple[str, Ruling]]:
    """The rulings that may be given on a doubtful ballot, the likeliest first, each with how a ledger line would say it."""
    if fate.target is not None or fate.reading.match.how is How.ABSTAIN:
        yield _count_as(fate.target)
    yield "作废", _VOID
    if fate.reading.doubt is Doubt.NONE:
        # It says what it says; only whether it counts depends on another.
        return
    day, policy = review.material.day, review.material.policy
    for name in (target.name for target in list_targets(review.material.roster)):
        if name != fate.target and not has_left(name, fate.reading.at, day) and not is_barred_target(name, day, policy):
            yield _count_as(name)
    if fate.reading.match.how is not How.ABSTAIN:
        yield _count_as(None)


def _count_as(target: str | None) -> tuple[str, Ruling]:
    return f"计为 {target or '弃权'}", Ruling(RulingKind.COUNT_AS, 0, target or "")


def _readings(review: Review, index: int, fate: Fate) -> Iterator[OpenReading]:
    material, seen = review.material, set()
    for text, ruling in _rulings(review, fate):
        box = review.refill({**review.ruled, index: ruling})
        outcome = decide_box(review, box)
        likely = ruling.kind is RulingKind.VOID or ruling.value == (fate.target or "")
        if likely or outcome.key not in seen:
            seen.add(outcome.key)
            counts = count_ballots(box, material.day, material.policy, material.day.sheriff)
            yield OpenReading(text, tuple((count.target, count.votes) for count in counts), outcome.publish(final=False))
