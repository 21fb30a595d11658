"""A case with one thing taken away: a role, a skill, a condition of winning, a consequence. Where it fails, it is about that."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from engine.play.rules import Play, Trigger
from engine.play.skillset import Kind, Role
from engine.scenario import Case
from engine.scenario_run import run_case
from engine.switches import Value
from scraper.errors import BanshaError
from tally.policy import VotePolicy

# The identity of seats whose own is taken away, and of nobody at all who has a skill that is taken away.
NOBODY = "（无）"


def fails(case: Case) -> bool:
    """Whether a case does not come out as it expects, or has facts that cannot be."""
    try:
        return bool(run_case(case).differences)
    except (ValueError, BanshaError):
        return True


def without_role(case: Case, role: str) -> Case:
    """The case with the seats of a role in its camp still, but without skills, and of no identity that a rule asks for."""
    dealt = next(one for one in case.ruleset.roles if one.name == role)
    nobody = Role(NOBODY, (role, *dealt.aliases), dealt.camp, Kind.PLAIN)
    players = tuple(replace(player, role=NOBODY) if player.role == role else player for player in case.players)
    return under(replace(case, players=players), lambda play: replace(play, roles=(*play.roles, nobody)))


def without_skill(case: Case, role: str, skill: str) -> Case:
    """The case with a role that lacks one of its skills; the skill is known still, and nobody has it."""
    return under(case, lambda play: _take(play, role, skill))


def _take(play: Play, role: str, skill: str) -> Play:
    roles, taken = [], []
    for one in play.roles:
        lacking = one.name == role
        taken += [own for own in one.skills if lacking and own.name == skill]
        roles.append(replace(one, skills=tuple(own for own in one.skills if not (lacking and own.name == skill))))
    return replace(play, roles=(*roles, Role(NOBODY, (), play.village, Kind.PLAIN, tuple(taken))))


def under(case: Case, change: Callable[[Play], Play]) -> Case:
    """The case under changed rules."""
    plays = case.ruleset.play
    assert plays is not None

    def play(chosen: Mapping[str, Value], policy: VotePolicy) -> Play:
        return change(plays(chosen, policy))

    return replace(case, ruleset=replace(case.ruleset, play=play))


def drop_condition(play: Play, camp: str, kind: str, place: int) -> Play:
    """The rules without one of a camp's conditions: `kind` is wins or losses."""
    camps = []
    for one in play.camps:
        if one.name == camp:
            wins, losses = (
                tuple(other for index, other in enumerate(conditions) if (name, index) != (kind, place))
                for name, conditions in (("wins", one.wins), ("losses", one.losses))
            )
            one = replace(one, wins=wins, losses=losses)
        camps.append(one)
    return replace(play, camps=tuple(camps))


def forbid_surrender(play: Play, camp: str) -> Play:
    """The rules under which a camp cannot surrender."""
    return replace(play, camps=tuple(replace(one, surrender=None) if one.name == camp else one for one in play.camps))


def drop_trigger(play: Play, trigger: Trigger) -> Play:
    """The rules without one consequence of going out."""
    return replace(play, chain=tuple(one for one in play.chain if one is not trigger))
