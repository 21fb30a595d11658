"""What must be covered, each with the question whether a scenario fails without it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from functools import partial

from engine.coverage.deck import Deck, recorded_cases, turns
from engine.coverage.without import (
    drop_condition,
    drop_trigger,
    fails,
    forbid_surrender,
    under,
    without_role,
    without_skill,
)
from engine.play.camps import Condition, Group
from engine.play.rules import Play
from engine.play.skillset import Role
from engine.ruleset import RuleSet
from engine.rulesets import PLAYED
from engine.rulesets.compositions import COMPOSITIONS
from engine.scenario import Case, Scenario
from engine.simulate import rules_of, values_of
from engine.switches import Switch, Value
from tally.policy import Clause

# The systems whose scenarios are complete: nothing of theirs may be without one.
COVERED: Mapping[str, RuleSet] = dict(PLAYED)
# What no scenario can ask, with the test that asks it: who is in which group.
BY_TESTS: Mapping[tuple[str, str], str] = {
    ("secret-number", "wolves.group"): (
        "tests/engine/play/test_views.py::test_wolves_of_secret_number_know_numbers_but_have_no_group"
    ),
}
# How the switches are called that choose a variant of a numbered skill.
VARIANT = "skill."


@dataclass(frozen=True, slots=True)
class Subject:
    """One line of a table: what must be covered and what is said of it, and whether a scenario of its system fails without it.

    `more` are recorded cases and tests that cover it.
    """

    ruleset: RuleSet
    what: tuple[str, ...]
    probe: Callable[[Scenario], bool]
    more: tuple[str, ...] = ()

    def is_covered_by(self, scenario: Scenario) -> bool:
        """Whether a scenario is one of its system, and fails without it."""
        return scenario.cases[0].ruleset is self.ruleset and self.probe(scenario)

    def find_files(self, deck: Deck) -> tuple[str, ...]:
        """Everything that fails without it."""
        return (*(scenario.id for scenario in deck if self.is_covered_by(scenario)), *self.more)


def list_roles(ruleset: RuleSet) -> Iterator[Subject]:
    """Each role of a system: a scenario fails where its seats are of no identity."""
    for role in ruleset.roles:
        clause = clause_of_role(ruleset, role)
        what = (role.name, role.camp or "—", clause.text if clause is not None else "—")
        yield Subject(ruleset, what, partial(_fails_with_role, role=role.name, change=partial(without_role, role=role.name)))


def list_skills(ruleset: RuleSet) -> Iterator[Subject]:
    """Each skill of each role: a scenario fails where the role lacks it."""
    for role in ruleset.roles:
        for skill in role.skills:
            change = partial(without_skill, role=role.name, skill=skill.name)
            what = (role.name, skill.name, skill.clause.text)
            yield Subject(ruleset, what, partial(_fails_with_role, role=role.name, change=change))


def _fails_with_role(scenario: Scenario, role: str, change: Callable[[Case], Case]) -> bool:
    """Whether a scenario with a seat of a role fails after a change."""
    dealt = any(player.role == role for player in scenario.cases[0].players)
    return dealt and any(fails(change(case)) for case in scenario.cases)


def clause_of_role(ruleset: RuleSet, role: Role) -> Clause | None:
    """The sentence of the rule post that a role stands in: how many there are, else what it can do first."""
    composition = COMPOSITIONS[ruleset.id]
    limit = next((one for one in composition.limits if one.role == role.name), None)
    if limit is not None:
        return limit.clause
    if role.skills:
        return role.skills[0].clause
    return role.clause or (composition.rows.clause if composition.rows is not None else None)


def list_switches(ruleset: RuleSet) -> Iterator[Subject]:
    """Each switch of a system: scenarios are tagged with what changes them, recorded cases have another result under it."""
    for switch in ruleset.switches:
        test = BY_TESTS.get((ruleset.id, switch.name))
        values = "、".join(map(_say, values_of(switch)))
        more = (*recorded_cases(ruleset, switch), *([test] if test else []))
        yield Subject(ruleset, (switch.name, values, switch.meaning), partial(_is_tagged, tag=switch.name), more)


def _is_tagged(scenario: Scenario, tag: str) -> bool:
    return tag in scenario.tags


def list_variants(ruleset: RuleSet) -> Iterator[Subject]:
    """Each variant of each numbered skill: a scenario plays it, and fails under another."""
    for switch in ruleset.switches:
        if switch.name.startswith(VARIANT):
            for value in values_of(switch):
                what = (switch.name.removeprefix(VARIANT), _say(value))
                yield Subject(ruleset, what, partial(_plays_variant, switch=switch, value=value))


def _plays_variant(scenario: Scenario, switch: Switch, value: Value) -> bool:
    return switch.name in scenario.tags and any(
        case.switches[switch.name] == value and next(turns(case, switch.name, values_of(switch)), None) is not None
        for case in scenario.cases
    )


def list_conditions(ruleset: RuleSet) -> Iterator[Subject]:
    """Each condition of each camp and its right to surrender: a scenario fails without it."""
    for camp in default_rules(ruleset).camps:
        for kind, conditions in (("wins", camp.wins), ("losses", camp.losses)):
            for place, condition in enumerate(conditions):
                change = partial(drop_condition, camp=camp.name, kind=kind, place=place)
                what = (camp.name, f"{kind} {place + 1}", _describe(condition))
                yield Subject(ruleset, what, partial(_fails_under, change=change))
        if camp.surrender is not None:
            change = partial(forbid_surrender, camp=camp.name)
            yield Subject(ruleset, (camp.name, "surrender", camp.surrender.value), partial(_fails_under, change=change))


def list_consequences(ruleset: RuleSet) -> Iterator[Subject]:
    """Each consequence of a seat's going out: a scenario fails without it."""
    for trigger in default_rules(ruleset).chain:
        yield Subject(ruleset, (trigger.value,), partial(_fails_under, change=partial(drop_trigger, trigger=trigger)))


def _fails_under(scenario: Scenario, change: Callable[[Play], Play]) -> bool:
    """Whether a scenario fails under changed rules."""
    return any(fails(under(case, change)) for case in scenario.cases)


def default_rules(ruleset: RuleSet) -> Play:
    """How a system is played by default; of a switch without default the first choice."""
    return rules_of(ruleset, {one.name: values_of(one)[0] for one in ruleset.switches if one.needed})


def _describe(condition: Condition) -> str:
    """A condition in the words of its value: what is not as it is by default."""
    told = [f"{one.name} {_describe_part(getattr(condition, one.name))}" for one in fields(condition) if one.name != "group"]
    group = _describe_part(condition.group)
    return f"{type(condition).__name__}: {', '.join([group, *(text for text in told if not text.endswith((' None', ' False')))])}"


def _describe_part(value: object) -> str:
    if not isinstance(value, Group):
        return str(value)
    parts = []
    for one in fields(value):
        match getattr(value, one.name):
            case True:
                parts.append(one.name)
            case tuple() as roles if roles:
                parts.append("、".join(map(str, roles)))
            case str() as camp if camp:
                parts.append(camp if one.name == "camp" else f"{one.name} {camp}")
    return " ".join(parts) or "everybody"


def _say(value: Value) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case tuple():
            return "[" + ", ".join(value) + "]"
        case _:
            return str(value)
