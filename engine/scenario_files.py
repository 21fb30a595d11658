"""Finds scenario files among the paths that a command is given, and runs them."""

from __future__ import annotations

from pathlib import Path

from engine.play.start import GivenError
from engine.scenario import given_error, load_scenario
from engine.scenario_run import CaseRun, run_case

# TOML files of a recorded case: none of them is a scenario.
_OTHERS = ("game.toml", "secrets.toml", "expected.toml", "script.toml")


def split_paths(paths: list[Path]) -> tuple[tuple[Path, ...], list[Path]]:
    """The scenario files that the paths name (a folder without any game.toml means those in it), and the other paths."""
    scenarios: dict[Path, None] = {}
    others = []
    for path in paths:
        if path.suffix == ".toml" and path.name not in _OTHERS:
            scenarios[path] = None
        elif path.is_dir() and next(path.rglob("game.toml"), None) is None and (found := _find(path)):
            scenarios.update(dict.fromkeys(found))
        else:
            others.append(path)
            if path.is_dir() and not (path / "game.toml").is_file():
                scenarios.update(dict.fromkeys(_find(path / "scenarios") if (path / "scenarios").is_dir() else ()))
    return tuple(scenarios), others


def _find(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.rglob("*.toml")) if path.name not in _OTHERS]


def run_file(path: Path) -> tuple[CaseRun, ...]:
    """Run a scenario with its alternatives; GameFileError for a file that is wrong."""
    scenario = load_scenario(path)
    try:
        return tuple(run_case(case) for case in scenario.cases)
    except GivenError as error:
        raise given_error(path, error) from None
