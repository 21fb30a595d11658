"""The scenarios, and which of them a turned switch changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from engine.coverage.without import fails
from engine.expected import load_expected
from engine.play.rules import Play
from engine.ruleset import RuleSet
from engine.scenario import Case, Scenario, load_scenario
from engine.simulate import values_of
from engine.switches import Switch, Value, switch_policy

ROOT = Path(__file__).parents[2]
FIXTURES = ROOT / "fixtures"
SCENARIOS = FIXTURES / "scenarios"

Deck = tuple[Scenario, ...]


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
