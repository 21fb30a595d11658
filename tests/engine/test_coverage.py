"""No role, skill, switch or variant without a scenario that fails without it, and docs/coverage.md says which."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from engine.coverage import (
    BY_TESTS,
    COVERED,
    DOCUMENT,
    ROOT,
    TABLES,
    VARIANT,
    Deck,
    Row,
    cover,
    cover_roles,
    cover_skills,
    default_rules,
    is_turned,
    load_deck,
    write_document,
)
from engine.ruleset import RuleSet
from engine.scenario import load_scenario
from engine.simulate import values_of
from engine.without import NOBODY, fails, without_role, without_skill
from scraper.errors import GameFileError
from tests.engine.test_scenarios import SMALL

DECK = load_deck()
each_system = pytest.mark.parametrize("ruleset", list(COVERED.values()), ids=list(COVERED))


@pytest.fixture(scope="module")
def covered() -> dict[str, tuple[Row, ...]]:
    """Every table, made once."""
    return cover(DECK)


def of_system(ruleset: RuleSet) -> Deck:
    return tuple(scenario for scenario in DECK if scenario.cases[0].ruleset is ruleset)


@pytest.mark.parametrize("title", [title for title, *_ in TABLES])
def test_nothing_is_without_a_file_that_fails_without_it(covered: dict[str, tuple[Row, ...]], title: str) -> None:
    assert [(row.system, *row.what[:2]) for row in covered[title] if not row.files] == []


def test_every_role_skill_and_switch_of_every_system_has_its_line(covered: dict[str, tuple[Row, ...]]) -> None:
    named = {title: {(row.system, *row.what[:2]) for row in rows} for title, rows in covered.items()}
    for ruleset in COVERED.values():
        rules = default_rules(ruleset)
        for role in rules.roles:
            assert (ruleset.id, role.name, role.camp or "—") in named["Roles"]
            assert {(ruleset.id, role.name, skill.name) for skill in role.skills} <= named["Skills"]
        assert {switch.name for switch in ruleset.switches} == {
            row.what[0] for row in covered["Switches"] if row.system == ruleset.id
        }
        variants = {
            (ruleset.id, one.name.removeprefix(VARIANT), str(value))
            for one in ruleset.switches
            if one.name.startswith(VARIANT)
            for value in values_of(one)
        }
        assert variants <= named["Variants of skills"]


@each_system
def test_turning_a_switch_changes_exactly_the_scenarios_that_are_tagged_with_it(ruleset: RuleSet) -> None:
    found = {
        scenario.id: {switch.name for switch in ruleset.switches if is_turned(DECK, scenario, switch)}
        for scenario in of_system(ruleset)
    }
    assert found == {scenario.id: set(scenario.tags) for scenario in of_system(ruleset)}


@each_system
def test_every_role_has_its_clause(ruleset: RuleSet) -> None:
    assert [row.what for row in cover_roles((), ruleset) if row.what[2] == "—"] == []


def test_what_a_test_covers_is_a_test_that_there_is() -> None:
    for name in BY_TESTS.values():
        path, _, function = name.partition("::")
        assert f"def {function}(" in (ROOT / path).read_text(encoding="utf-8")


def test_a_scenario_that_does_not_need_a_skill_does_not_cover_it() -> None:
    (scenario,) = (one for one in DECK if one.id == "D07")
    case = scenario.cases[0]
    assert not fails(case)
    assert not fails(without_skill(case, "吸血鬼", "气息"))
    assert fails(without_skill(case, "吸血鬼", "血饮"))
    assert not fails(without_role(case, "吹笛者"))
    assert fails(without_role(case, "狼人"))


def test_a_role_that_is_taken_away_leaves_its_seats_without_skills() -> None:
    case = without_role(next(one for one in DECK if one.id == "D11").cases[0], "吹笛者")
    assert [player.role for player in case.players if player.name.startswith("笛")] == [NOBODY, NOBODY]
    assert case.seat_table().roles[NOBODY].skills == ()


def test_a_system_without_scenarios_is_bare() -> None:
    rows = tuple(cover_skills((), COVERED["assertion"]))
    assert (len(rows), {row.files for row in rows}) == (12, {()})


def read_tags(folder: Path, line: str) -> tuple[str, ...]:
    path = folder / "small.toml"
    alternative = '[[alternative]]\nswitches = { "wolf.loss" = "identity" }\n[alternative.expect]\n'
    path.write_text(SMALL.replace('ruleset = "m29"', f'ruleset = "m29"\n{line}') + alternative, encoding="utf-8")
    return load_scenario(path).tags


def test_a_scenario_is_tagged_with_the_switches_that_it_sets_unless_it_says_which(tmp_path: Path) -> None:
    assert read_tags(tmp_path, "") == ("wolf.loss",)
    assert read_tags(tmp_path, "tags = []") == ()
    assert read_tags(tmp_path, 'tags = ["reach"]') == ("reach",)


def test_a_tag_is_a_switch_of_the_system(tmp_path: Path) -> None:
    with pytest.raises(GameFileError, match=re.escape("wolf.loss")):
        read_tags(tmp_path, 'tags = ["wolf.lost"]')


def test_the_document_is_what_the_scenarios_cover(covered: dict[str, tuple[Row, ...]]) -> None:
    assert DOCUMENT.read_text(encoding="utf-8") == write_document(covered), "write it anew: python -m engine.coverage"


def test_the_document_says_what_has_no_file() -> None:
    tables: dict[str, tuple[Row, ...]] = {title: () for title, *_ in TABLES}
    row = Row("m29", ("预言", "预言", "一句|话"), ())
    files = tuple(f"P{number:02}" for number in range(9))
    text = write_document({**tables, "Skills": (row, replace(row, files=files))})
    assert "| m29 | 预言 | 预言 | 一句\\|话 | **none** |" in text
    assert "| P00、P01、P02、P03、P04、P05 +3 |" in text
