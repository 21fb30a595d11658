"""Doubtful ballots: every way a director may rule on each, with what would follow, and whether any can change the verdict."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from tally.ballot import Place
from tally.box import Box, Fate
from tally.names import How, list_targets
from tally.reading import Doubt
from tally.result import NeedsRuling, OpenReading
from tally.review import Review
from tally.rules import has_left, is_barred_target
from tally.ruling import Ruling, RulingKind
from tally.verdict import Case, Outcome, count_ballots, decide

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
    open_fates = [(index, fate) for index, fate in enumerate(review.box.fates) if fate.place is Place.NEEDS_RULING]
    if not open_fates:
        return False
    choices = [[ruling for _, ruling in _rulings(review, fate)] for _, fate in open_fates]
    recounts = 1
    for options in choices:
        recounts *= len(options)
    if recounts > _MOST_RECOUNTS:
        return True
    for combination in product(*choices):
        rulings = {index: ruling for (index, _), ruling in zip(open_fates, combination, strict=True)}
        if decide_box(review, review.refill({**review.ruled, **rulings})).key != outcome.key:
            return True
    return False


def sheriff_matters(review: Review, outcome: Outcome) -> bool:
    """Whether it would change the verdict if one of the voters were the sheriff, where none is named."""
    voters = {fate.reading.voter for fate in review.box.fates if fate.place is Place.STANDING and fate.target is not None}
    return any(decide(review.box, case_of(review, voter)).key != outcome.key for voter in voters)


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
