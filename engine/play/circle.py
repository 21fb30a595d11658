"""Seats in a circle: who sits beside whom, who is the first on the left, and what depends on it."""

from __future__ import annotations

from engine.play.cards import is_wolf
from engine.play.messages import PUBLIC, Message, Told
from engine.play.skillset import Effect
from engine.play.state import Draft, NightAct
from engine.play.victory import take_skill


def walk(d: Draft, start: int, step: int) -> tuple[int, ...]:
    """The seats that are in, from the next one on, in a direction round the table; without the start."""
    size = len(d.seats)
    return tuple(index for far in range(1, size) if d.is_in(index := (start + far * step) % size))


def neighbours(d: Draft, index: int) -> tuple[int, ...]:
    """The next seats on both sides that are in; one where only one is left."""
    return tuple(dict.fromkeys(seat for step in (1, -1) for seat in walk(d, index, step)[:1]))


def first_on_the_left(d: Draft, index: int) -> int | None:
    """The first wolf that is in, going to the left; None where there is none."""
    return next((seat for seat in walk(d, index, d.table.play.left) if is_wolf(d, seat)), None)


def sniff(d: Draft, act: NightAct) -> None:
    """狐疑: whether a wolf is among the target and both its neighbours; the skill is lost where none is."""
    near = (act.targets[0], *neighbours(d, act.targets[0]))
    found = any(is_wolf(d, index) for index in near)
    d.messages = (*d.messages, Message(Told.WOLF_NEAR, act.seat, d.phase, near, word="有" if found else "没有"))
    if not found:
        take_skill(d, (act.seat,), act.skill.name)


def growl(d: Draft) -> None:
    """每天早上，牺牲消息公布后: a bear growls where a wolf sits beside one who senses it."""
    for index in d.holders[Effect.SENSE]:
        lost = any(skill.name in d.seats[index].lost for skill in d.table.roles[d.seats[index].role].skills)
        if d.is_in(index) and not lost and any(is_wolf(d, seat) for seat in neighbours(d, index)):
            d.messages = (*d.messages, Message(Told.GROWL, PUBLIC, d.phase))
            return


def infect_by_rust(d: Draft, index: int) -> None:
    """锈刃骑士左边第一个狼人因为剑锈导致伤口感染: he dies with the night after the one that is told in the morning."""
    wolf = first_on_the_left(d, index)
    if wolf is not None:
        d.sick = (*d.sick, (wolf, d.phase.number + 1))
