"""Every scenario under fixtures/scenarios, with its alternatives: the engine's deck of cases."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.scenario import Case, load_scenario
from engine.scenario_run import run_case

FOLDER = Path(__file__).parents[2] / "fixtures" / "scenarios"
CASES = [case for path in sorted(FOLDER.rglob("*.toml")) for case in load_scenario(path).cases]


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_a_scenario_comes_out_as_expected(case: Case) -> None:
    assert run_case(case).differences == ()
