"""No role, skill, condition, switch or variant without a scenario that fails without it, and docs/coverage.md says which."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from engine.coverage.deck import ROOT, Deck, is_turned, load_deck
from engine.coverage.document import DOCUMENT, TABLES, list_subjects, read_line, write_document
from engine.coverage.subjects import BY_TESTS, COVERED, VARIANT, Subject, default_rules, list_roles, list_skills
from engine.coverage.without import NOBODY, fails, without_role, without_skill
from engine.ruleset import RuleSet
from engine.scenario import Scenario, load_scenario
from engine.simulate import values_of
from scraper.errors import GameFileError
from tests.engine.test_scenarios import SMALL

DECK = load_deck()
BY_ID = {scenario.id: scenario for scenario in DECK}
SUBJECTS = list_subjects()
TEXT = DOCUMENT.read_text(encoding="utf-8")
EVERY = [(title, subject) for title, subjects in SUBJECTS.items() for subject in subjects]
NAMES = [" ".join((subject.ruleset.id, *subject.what[:2])) for _, subject in EVERY]
each_system = pytest.mark.parametrize("ruleset", list(COVERED.values()), ids=list(COVERED))


@pytest.mark.parametrize(("title", "subject"), EVERY, ids=NAMES)
def test_what_the_document_names_first_fails_without_it(title: str, subject: Subject) -> None:
    named = read_line(TEXT, title, subject)
    assert named, "no line with a file: python -m engine.coverage"
    if named[0] in BY_ID:
        assert subject.is_covered_by(BY_ID[named[0]])
    else:
        assert named[0] in subject.more


def test_every_role_skill_switch_and_variant_of_a_system_is_there() -> None:
    named = {title: {(one.ruleset.id, *one.what[:2]) for one in subjects} for title, subjects in SUBJECTS.items()}
    for ruleset in COVERED.values():
        rules = default_rules(ruleset)
        for role in rules.roles:
            assert (ruleset.id, role.name, role.camp or "—") in named["Roles"]
            assert {(ruleset.id, role.name, skill.name) for skill in role.skills} <= named["Skills"]
        switches = [one.what[0] for one in SUBJECTS["Switches"] if one.ruleset is ruleset]
        assert switches == [switch.name for switch in ruleset.switches]
        variants = {
            (ruleset.id, one.name.removeprefix(VARIANT), str(value))
            for one in ruleset.switches
            if one.name.startswith(VARIANT)
            for value in values_of(one)
        }
        assert variants <= named["Variants of skills"]


TAGGED = [(scenario, tag) for scenario in DECK for tag in scenario.tags]


@pytest.mark.parametrize(("scenario", "tag"), TAGGED, ids=[f"{scenario.id} {tag}" for scenario, tag in TAGGED])
def test_a_scenario_fails_when_a_switch_is_turned_that_it_is_tagged_with(scenario: Scenario, tag: str) -> None:
    (switch,) = (one for one in scenario.cases[0].ruleset.switches if one.name == tag)
    assert is_turned(DECK, scenario, switch)


@pytest.mark.slow
@each_system
def test_turning_a_switch_changes_exactly_the_scenarios_that_are_tagged_with_it(ruleset: RuleSet) -> None:
    mine: Deck = tuple(scenario for scenario in DECK if scenario.cases[0].ruleset is ruleset)
    found = {scenario.id: {switch.name for switch in ruleset.switches if is_turned(DECK, scenario, switch)} for scenario in mine}
    assert found == {scenario.id: set(scenario.tags) for scenario in mine}


@pytest.mark.slow
def test_the_document_is_what_the_scenarios_cover() -> None:
    assert write_document(SUBJECTS, DECK) == TEXT, "write it anew: python -m engine.coverage"


@each_system
def test_every_role_has_its_clause(ruleset: RuleSet) -> None:
    assert [one.what for one in list_roles(ruleset) if one.what[2] == "—"] == []


def test_what_a_test_covers_is_a_test_that_there_is() -> None:
    for name in BY_TESTS.values():
        path, _, function = name.partition("::")
        assert f"def {function}(" in (ROOT / path).read_text(encoding="utf-8")


def test_a_scenario_that_does_not_need_a_skill_does_not_cover_it() -> None:
    case = BY_ID["D07"].cases[0]
    assert not fails(case)
    assert not fails(without_skill(case, "吸血鬼", "气息"))
    assert fails(without_skill(case, "吸血鬼", "血饮"))
    assert not fails(without_role(case, "吹笛者"))
    assert fails(without_role(case, "狼人"))


def test_a_role_that_is_taken_away_leaves_its_seats_without_skills() -> None:
    case = without_role(BY_ID["D11"].cases[0], "吹笛者")
    assert [player.role for player in case.players if player.name.startswith("笛")] == [NOBODY, NOBODY]
    assert case.seat_table().roles[NOBODY].skills == ()


def test_a_subject_without_scenarios_has_no_file() -> None:
    found = [subject.find_files(()) for subject in list_skills(COVERED["assertion"])]
    assert found == [()] * 12


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


def test_the_document_says_what_has_no_file() -> None:
    nothing = Subject(COVERED["m29"], ("预言", "预言", "一句|话"), lambda scenario: False)
    much = replace(nothing, what=("女巫", "通灵", "<强制>"), more=tuple(f"P{number:02}" for number in range(9)))
    subjects: dict[str, tuple[Subject, ...]] = {one.title: () for one in TABLES}
    text = write_document({**subjects, "Skills": (nothing, much)}, DECK)
    assert "| m29 | 预言 | 预言 | 一句\\|话 | **none** |" in text
    assert "| P00、P01、P02、P03、P04、P05 +3 |" in text
    assert read_line(text, "Skills", nothing) == ()
    assert read_line(text, "Skills", much) == ("P00", "P01", "P02", "P03", "P04", "P05")
    assert read_line(text, "Roles", much) == ()
