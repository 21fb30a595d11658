"""The state between in and out, where the rules have one: a kill makes its target dying, and a later step settles it.

A dying seat is in: it votes in no night, and every condition takes it for one that is not out.
"""

from __future__ import annotations

from engine.play.chain import POISON, eliminate
from engine.play.skillset import Effect, OneOf, Skill
from engine.play.state import Draft, Kill, NightAct


def is_dying(d: Draft, seat: int) -> bool:
    """Whether a seat is dying now."""
    return any(kill.target == seat for kill in d.dying)


def shield(d: Draft, act: NightAct) -> None:
    """A shield against every kill of the night, or against one: the one that was named, or the first that comes."""
    target = act.targets[0]
    match act.skill.one_of:
        case None:
            d.shielded = (*d.shielded, target)
        case OneOf.DECLARED:
            d.wards = (*d.wards, (target, act.word))
        case OneOf.FIRST_HIT:
            d.wards = (*d.wards, (target, ""))


def strike(d: Draft, target: int, skill: Skill) -> None:
    """A kill is aimed at a seat: it is dying from now on, unless a shield stops this kill."""
    stopped = _stop(d, target, skill)
    d.kills = (*d.kills, Kill(target, skill, stopped))
    _mark(d, target)
    if not stopped and not d.seats[target].cause and not is_dying(d, target):
        d.dying = (*d.dying, Kill(target, skill))


def _stop(d: Draft, target: int, skill: Skill) -> bool:
    """Whether a shield stops a kill; one against the first kill is spent by it."""
    if target in d.shielded or (target, skill.name) in d.wards:
        return True
    if (target, "") not in d.wards:
        return False
    left = list(d.wards)
    left.remove((target, ""))
    d.wards = tuple(left)
    return True


def _mark(d: Draft, target: int) -> None:
    """如长老在某一夜晚同时成为【杀人】与【撕咬】的使用对象，则获得一个标记。"""
    rule = d.table.play.dying
    assert rule is not None
    aimed = {kill.skill.name for kill in d.kills if kill.target == target and (rule.marked_when_immune or not kill.stopped)}
    if len(aimed) > 1 and _lives_long(d, target):
        _wound(d, target)


def _lives_long(d: Draft, seat: int) -> bool:
    state = d.seats[seat]
    skill = d.table.effects[state.role].get(Effect.LONG_LIFE)
    return skill is not None and skill.name not in state.lost


def _wound(d: Draft, index: int) -> None:
    seats = list(d.seats)
    seats[index] = seats[index]._replace(wounded=True)
    d.seats = tuple(seats)


def heal(d: Draft, seat: int) -> None:
    """使之进入存活状态。"""
    d.dying = tuple(kill for kill in d.dying if kill.target != seat)


def settle_dying(d: Draft) -> None:
    """夜晚结束后，如长老处于濒死状态且无标记，长老不出局并获得一个标记; others go out, in the order of the kills."""
    kill, d.dying = d.dying[0], d.dying[1:]
    seat = d.seats[kill.target]
    if seat.cause:
        return
    if _lives_long(d, kill.target) and not seat.wounded:
        _wound(d, kill.target)
        return
    eliminate(d, kill.target, kill.skill.name)


def settle_shooter(d: Draft) -> bool:
    """判定猎人是否出局: a seat that could shoot and goes out tonight does so now. False where there is none."""
    for kill in d.dying:
        if _shoots(d, kill.target):
            heal(d, kill.target)
            eliminate(d, kill.target, kill.skill.name)
            return True
    for act in d.poisoned:
        if _shoots(d, act.targets[0]):
            d.poisoned = tuple(one for one in d.poisoned if one is not act)
            if not fails(d, act):
                eliminate(d, act.targets[0], POISON)
            return True
    return False


def _shoots(d: Draft, seat: int) -> bool:
    state = d.seats[seat]
    return not state.cause and Effect.SHOT in d.table.effects[state.role]


def fails(d: Draft, act: NightAct) -> bool:
    """若女巫当晚未由于【杀人】或【撕咬】出局，则该马甲出局: whether a poison fails because its holder is killed tonight."""
    if not act.skill.fails_if_killed:
        return False
    state = d.seats[act.seat]
    if state.cause:
        return state.out_in == d.phase and state.cause in {kill.skill.name for kill in d.kills if kill.target == act.seat}
    return is_dying(d, act.seat)
