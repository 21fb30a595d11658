"""The command line starts fast: what help needs not is not imported, and its texts are there."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

HEAVY = (
    "bs4",
    "requests",
    "vcr",
    "rich",
    "sqlite_utils",
    "lxml",
    "opencc",
    "pydantic",
    "questionary",
    "prompt_toolkit",
    "tomlkit",
)

SCRIPT = """
import sys
from engine.cli import main
sys.argv[1:] = {arguments!r}
try:
    main()
except SystemExit as end:
    code = end.code
print("CODE", code or 0)
print("HEAVY", [name for name in {heavy!r} if name in sys.modules])
"""


def run(*arguments: str) -> str:
    """What the command prints, then its exit code and which heavy packages it imported."""
    script = SCRIPT.format(arguments=list(arguments), heavy=HEAVY)
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, encoding="utf-8", env=environment, check=True, timeout=60
    )
    return done.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["--version"],
        *(
            [name, "--help"]
            for name in (
                "demo",
                "init",
                "login",
                "doctor",
                "deal",
                "rollcall",
                "day",
                "elevator",
                "fetch",
                "poll",
                "watch",
                "tally",
                "explain",
                "cards",
                "record",
                "replay",
                "merge",
                "do",
                "night",
                "status",
                "ledger",
                "simulate",
            )
        ),
    ],
)
def test_help_imports_nothing_heavy(arguments: list[str]) -> None:
    printed = run(*arguments)
    assert "CODE 0" in printed
    assert "HEAVY []" in printed


def test_every_command_of_this_version_is_listed_and_no_other() -> None:
    listed = [line.split()[0] for line in run("--help").split("Commands:")[1].splitlines() if line.startswith("  ")]
    assert listed == [
        "demo",
        "init",
        "login",
        "doctor",
        "deal",
        "rollcall",
        "day",
        "elevator",
        "fetch",
        "poll",
        "watch",
        "tally",
        "explain",
        "check",
        "cards",
        "report",
        "export",
        "announce",
        "morning",
        "post",
        "reveal",
        "assistants",
        "record",
        "replay",
        "merge",
        "handover",
        "do",
        "night",
        "status",
        "ledger",
        "simulate",
    ]


def test_an_unknown_command_is_a_usage_error() -> None:
    assert "CODE 2" in run("night")


def test_the_package_runs_as_a_module() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "engine", "--version"], capture_output=True, encoding="utf-8", check=True, timeout=60
    )
    assert done.stdout.startswith("bansha ")
