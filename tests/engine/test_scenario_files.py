"""`bansha replay` of scenarios: one file, a folder of them, beside recorded cases; what it prints and how it exits."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.scenario_files import split_paths
from tests.engine.command import run

FOLDER = Path(__file__).parents[2] / "fixtures" / "scenarios"


def test_a_scenario_that_is_as_expected_exits_with_0() -> None:
    ran = run("replay", str(FOLDER / "S09.toml"))
    assert (ran.code, ran.out) == (0, "S09 elder killed and saved the same night：一致\n")


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    """S09 with a wrong expectation."""
    path = tmp_path / "S09.toml"
    text = (FOLDER / "S09.toml").read_text(encoding="utf-8")
    path.write_text(text.replace('["长老", "指杀"]', '["长老", "毒药"]'), encoding="utf-8")
    return path


def test_a_scenario_that_is_not_exits_with_1_and_shows_both(wrong: Path) -> None:
    ran = run("replay", str(wrong))
    assert ran.code == 1
    assert "应为 [[民乙，投票]，[长老，毒药]]" in ran.out
    assert "实为 [[民乙，投票]，[长老，指杀]]" in ran.out


def test_the_same_as_json(wrong: Path) -> None:
    ran = run("replay", str(wrong), "--json")
    (case,) = json.loads(ran.out)
    assert (ran.code, case["scenario"], case["differences"][0]["key"]) == (1, "S09", "out")


def test_a_file_that_is_wrong_exits_with_2_and_names_its_line(tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_text('id = "bad"\nruleset = "m29"\n[given]\nphase = "夜1"\nsheriff = "张三"\n', encoding="utf-8")
    ran = run("replay", str(path))
    assert ran.code == 2
    assert "given.sheriff" in ran.err


def test_a_folder_of_scenarios_is_all_of_them(tmp_path: Path) -> None:
    scenarios, others = split_paths([FOLDER])
    assert (len(scenarios), others) == (len(list(FOLDER.glob("*.toml"))), [])


def test_the_fixtures_are_scenarios_and_cases() -> None:
    scenarios, others = split_paths([FOLDER.parent])
    assert len(scenarios) == len(list(FOLDER.glob("*.toml")))
    assert others == [FOLDER.parent]


def test_a_recorded_case_is_no_scenario() -> None:
    case = FOLDER.parent / "m29" / "three_days"
    assert split_paths([case, case / "game.toml"]) == ((), [case, case / "game.toml"])
