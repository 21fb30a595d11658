"""Who can act in a step of the night, who has not said yet, and who must."""

from __future__ import annotations

from collections.abc import Iterator

from engine.play.firsts import must_take_wolf
from engine.play.holders import drawn_for, holders
from engine.play.rules import Step, StepKind
from engine.play.skillset import Effect, Skill, Voice
from engine.play.state import Draft


def waiting_for(d: Draft, step: Step) -> Iterator[tuple[int, Skill]]:
    """Who can act in a step, with what: seats that are in, with a skill that is neither lost nor spent."""
    for name in step.skills:
        skill = d.table.acts[name]
        if skill.effect is Effect.SEE_KILLS:
            continue
        drawn = drawn_for(d, skill)
        for seat in holders(d, skill):
            if drawn is None or seat == drawn:
                yield seat, skill


def missing_in(d: Draft, step: Step) -> Iterator[tuple[int, Skill]]:
    """Of those who can act in a step who has not said yet: not whoever chose, declined, or used tonight what excludes it.

    A skill that several seats share is chosen by any of them.
    """
    made = {(act.seat, act.skill.name) for act in d.acts}
    shared = {act.skill.name for act in d.acts if act.skill.voice in (Voice.JOINT, Voice.DRAWN)}
    for seat, skill in waiting_for(d, step):
        said = (seat, skill.name) in made or (seat, skill.name) in d.passed or skill.name in shared
        if not said and not any((seat, other) in made for other in skill.excludes):
            yield seat, skill


def must_still_act(d: Draft) -> tuple[int, ...]:
    """The seats whose forced choice of the game's first night was not made yet."""
    return tuple(dict.fromkeys(seat for seat, _ in list_forced(d)))


def list_forced(d: Draft) -> list[tuple[int, Skill]]:
    """The forced choices of the game's first night that were not made yet, in the order of its steps."""
    if d.settled:
        return []
    made = {(act.seat, act.skill.name) for act in d.acts}
    waiting = []
    for step in d.table.play.opening:
        if step.kind is not StepKind.ASK:
            continue
        for seat, skill in waiting_for(d, step):
            forced = bool(must_take_wolf(d)) if skill.effect is Effect.TRADE else skill.forced
            if forced and (seat, skill.name) not in made and skill.name not in d.excused:
                waiting.append((seat, skill))
    return waiting
