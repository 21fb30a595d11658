"""What the scenarios cover: every role, skill, switch and variant of a skill, with the files that fail without it.

A role is covered by a file that fails when its seats are of no identity, a skill by one that fails when nobody has it, a switch
by one that fails when the switch is turned. `python -m engine.coverage` writes docs/coverage.md; a test holds it to the files.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from functools import partial
from pathlib import Path

from engine.expected import load_expected
from engine.play.rules import Condition, Group, Play, Role, Skill
from engine.ruleset import RuleSet
from engine.rulesets import PLAYED
from engine.rulesets.compositions import COMPOSITIONS
from engine.scenario import Case, Scenario, load_scenario
from engine.simulate import rules_of, values_of
from engine.switches import Switch, Value, switch_policy
from engine.without import drop_condition, drop_trigger, fails, forbid_surrender, under, without_role, without_skill
from tally.policy import Clause

ROOT = Path(__file__).parents[1]
FIXTURES = ROOT / "fixtures"
SCENARIOS = FIXTURES / "scenarios"
DOCUMENT = ROOT / "docs" / "coverage.md"
# What no scenario can ask, with the test that asks it: who is in which group.
BY_TESTS: Mapping[tuple[str, str], str] = {
    ("secret-number", "wolves.group"): (
        "tests/engine/play/test_views.py::test_wolves_of_secret_number_know_numbers_but_have_no_group"
    ),
}
# How the switches are called that choose a variant of a numbered skill.
VARIANT = "skill."
# How many files a line of the document names; the others are counted.
_SHOWN = 6

# The systems whose scenarios are complete: nothing of theirs may be without one.
COVERED: Mapping[str, RuleSet] = dict(PLAYED)

Deck = tuple[Scenario, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a table: the system, what is covered and what is said of it, and the files that fail without it."""

    system: str
    what: tuple[str, ...]
    files: tuple[str, ...]


def load_deck(folder: Path = SCENARIOS) -> Deck:
    """Every scenario of a folder, in the order of its files."""
    return tuple(load_scenario(path) for path in sorted(folder.rglob("*.toml")))


def rules_of_case(case: Case) -> Play:
    """How a case is played, under its switches."""
    assert case.ruleset.play is not None
    return case.ruleset.play(case.switches, switch_policy(case.ruleset.vote, case.switches, void_counts_as_vote=True))


def other_values(deck: Deck, ruleset: RuleSet, switch: Switch) -> tuple[Value, ...]:
    """The values that a switch is turned to: those of its kind, and those that a scenario writes."""
    written = [
        case.switches[switch.name]
        for scenario in deck
        for case in scenario.cases
        if case.ruleset is ruleset and switch.name in case.chosen
    ]
    return tuple(dict.fromkeys((*values_of(switch), *written)))


def turns(case: Case, switch: str, values: Iterable[Value]) -> Iterator[Value]:
    """The values of a switch under which a case fails."""
    plain = rules_of_case(case)
    for value in values:
        if value == case.switches[switch]:
            continue
        turned = replace(case, switches={**case.switches, switch: value})
        # Most switches say nothing that these rules read: the same values play the same game.
        if rules_of_case(turned) != plain and fails(turned):
            yield value


def is_turned(deck: Deck, scenario: Scenario, switch: Switch) -> bool:
    """Whether a scenario fails, in one of its cases, when a switch is turned."""
    ruleset = scenario.cases[0].ruleset
    values = other_values(deck, ruleset, switch)
    return any(next(turns(case, switch.name, values), None) is not None for case in scenario.cases)


def recorded_cases(ruleset: RuleSet, switch: Switch) -> tuple[str, ...]:
    """The recorded cases that a count of their threads or tables gives otherwise under another value of a switch."""
    found = []
    for path in sorted((FIXTURES / ruleset.id).glob("*/expected.toml")):
        expected = load_expected(path.parent)
        assert expected is not None
        if any(switch.name in one.switches and one.expected.rows != expected.rows for one in expected.alternatives):
            found.append(f"{ruleset.id}/{path.parent.name}")
    return tuple(found)


def clause_of_role(ruleset: RuleSet, role: Role) -> Clause | None:
    """The sentence of the rule post that a role stands in: how many there are, else what it can do first."""
    limit = next((one for one in COMPOSITIONS[ruleset.id].limits if one.role == role.name), None)
    return limit.clause if limit is not None else role.skills[0].clause if role.skills else role.clause


def skills_of(ruleset: RuleSet) -> Iterator[tuple[Role, Skill]]:
    """Every skill of a system with whose it is."""
    yield from ((role, skill) for role in ruleset.roles for skill in role.skills)


def cover_roles(deck: Deck, ruleset: RuleSet) -> Iterator[Row]:
    """Each role of a system, with the scenarios that fail where its seats are of no identity."""
    for role in ruleset.roles:
        files = _failing(deck, ruleset, role.name, partial(without_role, role=role.name))
        clause = clause_of_role(ruleset, role)
        yield Row(ruleset.id, (role.name, role.camp or "—", clause.text if clause is not None else "—"), tuple(files))


def cover_skills(deck: Deck, ruleset: RuleSet) -> Iterator[Row]:
    """Each skill of each role, with the scenarios that fail where the role lacks it."""
    for role, skill in skills_of(ruleset):
        files = _failing(deck, ruleset, role.name, partial(without_skill, role=role.name, skill=skill.name))
        yield Row(ruleset.id, (role.name, skill.name, skill.clause.text), tuple(files))


def _failing(deck: Deck, ruleset: RuleSet, role: str, change: Callable[[Case], Case]) -> Iterator[str]:
    """The scenarios with a seat of a role that fail after a change."""
    for scenario in deck:
        own = scenario.cases[0]
        dealt = own.ruleset is ruleset and any(player.role == role for player in own.players)
        if dealt and any(fails(change(case)) for case in scenario.cases):
            yield scenario.id


def cover_switches(deck: Deck, ruleset: RuleSet) -> Iterator[Row]:
    """Each switch of a system, with what fails when it is turned: scenarios by their tags, recorded cases, a test."""
    for switch in ruleset.switches:
        tagged = (one.id for one in deck if one.cases[0].ruleset is ruleset and switch.name in one.tags)
        test = BY_TESTS.get((ruleset.id, switch.name))
        values = "、".join(map(_say, values_of(switch)))
        files = (*tagged, *recorded_cases(ruleset, switch), *([test] if test else []))
        yield Row(ruleset.id, (switch.name, values, switch.meaning), files)


def cover_variants(deck: Deck, ruleset: RuleSet) -> Iterator[Row]:
    """Each variant of each numbered skill, with the scenarios that play it and fail under another."""
    for switch in ruleset.switches:
        if not switch.name.startswith(VARIANT):
            continue
        for value in values_of(switch):
            files = [
                scenario.id
                for scenario in deck
                if switch.name in scenario.tags
                and any(
                    case.ruleset is ruleset
                    and case.switches[switch.name] == value
                    and next(turns(case, switch.name, values_of(switch)), None) is not None
                    for case in scenario.cases
                )
            ]
            yield Row(ruleset.id, (switch.name.removeprefix(VARIANT), _say(value)), tuple(files))


def cover_conditions(deck: Deck, ruleset: RuleSet) -> Iterator[Row]:
    """Each condition of each camp and its right to surrender, with the scenarios that fail without it."""
    for camp in default_rules(ruleset).camps:
        for kind, conditions in (("wins", camp.wins), ("losses", camp.losses)):
            for place, condition in enumerate(conditions):
                change = partial(drop_condition, camp=camp.name, kind=kind, place=place)
                files = _without(deck, ruleset, change)
                yield Row(ruleset.id, (camp.name, f"{kind} {place + 1}", _describe(condition)), files)
        if camp.surrender is not None:
            files = _without(deck, ruleset, partial(forbid_surrender, camp=camp.name))
            yield Row(ruleset.id, (camp.name, "surrender", camp.surrender.value), files)


def cover_consequences(deck: Deck, ruleset: RuleSet) -> Iterator[Row]:
    """Each consequence of a seat's going out, with the scenarios that fail without it."""
    for trigger in default_rules(ruleset).chain:
        yield Row(ruleset.id, (trigger.value,), _without(deck, ruleset, partial(drop_trigger, trigger=trigger)))


def default_rules(ruleset: RuleSet) -> Play:
    """How a system is played by default; of a switch without default the first choice."""
    return rules_of(ruleset, {one.name: values_of(one)[0] for one in ruleset.switches if one.needed})


def _without(deck: Deck, ruleset: RuleSet, change: Callable[[Play], Play]) -> tuple[str, ...]:
    """The scenarios of a system that fail under changed rules."""
    mine = (scenario for scenario in deck if scenario.cases[0].ruleset is ruleset)
    return tuple(scenario.id for scenario in mine if any(fails(under(case, change)) for case in scenario.cases))


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


Cover = Callable[[Deck, RuleSet], Iterator[Row]]
TABLES: tuple[tuple[str, str, tuple[str, ...], Cover], ...] = (
    (
        "Roles",
        "The files fail when seats of the role keep their camp, and have neither skill nor an identity that a rule asks for.",
        ("system", "role", "camp", "clause", "scenarios"),
        cover_roles,
    ),
    (
        "Skills",
        "The files fail when the role lacks the skill.",
        ("system", "role", "skill", "clause", "scenarios"),
        cover_skills,
    ),
    (
        "Conditions",
        "The files fail when the camp has no such condition, or cannot surrender.",
        ("system", "camp", "condition", "value", "scenarios"),
        cover_conditions,
    ),
    (
        "Consequences of going out",
        "The files fail when going out brings no such thing.",
        ("system", "consequence", "scenarios"),
        cover_consequences,
    ),
    (
        "Switches",
        "The files fail when the switch is turned, and no other scenario does. Cases with a `/` are counts of recorded threads.",
        ("system", "switch", "values", "what it chooses", "scenarios"),
        cover_switches,
    ),
    (
        "Variants of skills",
        "The files play the variant, and fail under another.",
        ("system", "skill", "variant", "scenarios"),
        cover_variants,
    ),
)


def cover(deck: Deck) -> dict[str, tuple[Row, ...]]:
    """The lines of every table, by its title."""
    return {title: tuple(row for ruleset in COVERED.values() for row in of(deck, ruleset)) for title, _, _, of in TABLES}


def write_document(covered: Mapping[str, tuple[Row, ...]]) -> str:
    """docs/coverage.md."""
    parts = [
        "# What the scenarios cover\n\n"
        "Written by `python -m engine.coverage` from fixtures/scenarios and the rule systems' values; a test fails where a line\n"
        f"has no file. A line names {_SHOWN} files at most, and counts the others.\n"
    ]
    for title, about, heads, _ in TABLES:
        lines = [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
        lines += [f"| {' | '.join(map(_cell, (row.system, *row.what, _list(row.files))))} |" for row in covered[title]]
        parts.append(f"## {title}\n\n{about}\n\n" + "\n".join(lines) + "\n")
    return "\n".join(parts)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "\\<").replace("\t", " ")


def _list(files: tuple[str, ...]) -> str:
    more = len(files) - _SHOWN
    return "、".join(files[:_SHOWN]) + (f" +{more}" if more > 0 else "") or "**none**"


def main() -> None:
    """Write the document, and say where tags are not what turning the switches finds."""
    deck = load_deck()
    text = write_document(cover(deck))
    DOCUMENT.write_text(text, encoding="utf-8", newline="\n")
    sys.stdout.write(f"{DOCUMENT}: {text.count('**none**')} without a file\n")
    for scenario in deck:
        switches = scenario.cases[0].ruleset.switches
        found = [switch.name for switch in switches if is_turned(deck, scenario, switch)]
        if set(found) != set(scenario.tags):
            tags = ", ".join(f'"{name}"' for name in found)
            sys.stdout.write(f"{scenario.path.name}: its tags are not what it changes with: [{tags}]\n")


if __name__ == "__main__":
    main()
