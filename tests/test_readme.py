"""The READMEs promise only what is so: their demo output is the program's own, and their links and targets exist."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
READMES = ("README.md", "README.zh-CN.md")


@pytest.fixture(scope="module")
def demo() -> str:
    """What `bansha demo` prints on a terminal of 110 columns."""
    environment = {**os.environ, "COLUMNS": "110", "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run([sys.executable, "-m", "engine", "demo"], capture_output=True, env=environment, check=True)
    return done.stdout.decode("utf-8")


@pytest.mark.parametrize("name", READMES)
def test_the_demo_in_a_readme_is_what_the_demo_prints(name: str, demo: str) -> None:
    blocks = re.findall(r"<!-- demo:[^\n]*-->\n```text\n(.*?)```", (ROOT / name).read_text(encoding="utf-8"), re.DOTALL)
    assert blocks
    printed = [line.rstrip() for line in demo.splitlines()]
    for block in blocks:
        lines = [line.rstrip() for line in block.splitlines()]
        starts = [start for start, line in enumerate(printed) if line == lines[0]]
        assert any(printed[start : start + len(lines)] == lines for start in starts), f"{name}: {lines[0]} … is not printed so"


@pytest.mark.parametrize("name", [*READMES, "CHANGELOG.md", *(f"docs/{page.name}" for page in (ROOT / "docs").glob("*.md"))])
def test_every_link_of_a_page_leads_to_a_file(name: str) -> None:
    page = ROOT / name
    links = re.findall(r"\]\(([^)#\s]+?)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
    missing = [link for link in links if "://" not in link and not (page.parent / link).exists()]
    assert missing == []


def test_every_make_target_that_the_readme_names_exists() -> None:
    named = set(re.findall(r"(?:`|\$ )make ([a-z-]+)\b", (ROOT / "README.md").read_text(encoding="utf-8")))
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    assert {"demo", "test"} <= named
    assert named <= targets


def test_ci_runs_the_lint_and_the_readmes_test_command() -> None:
    steps = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert "make lint" in steps
    assert "make test" in steps
