"""What users install: the wheel holds all that `bansha demo` needs, and counts it anywhere, without a network."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

# Runs a console script with every socket refused.
OFFLINE = """
import socket, sys
def refuse(*arguments, **named):
    raise AssertionError("a socket was opened")
socket.socket.__init__ = socket.create_connection = refuse
from engine.cli import main
import engine
print(engine.__file__, file=sys.stderr)
sys.argv = ["bansha", *sys.argv[1:]]
main()
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=ROOT,
        capture_output=True,
        check=True,
        timeout=120,
    )
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which it is installed, without its dependencies (those are of this environment)."""
    target = tmp_path_factory.mktemp("installed")
    quietly = ("--quiet", "--disable-pip-version-check", "--no-deps", "--no-index")
    subprocess.run(
        [sys.executable, "-m", "pip", "install", *quietly, "--target", str(target), str(wheel)],
        capture_output=True,
        check=True,
        timeout=120,
    )
    return target


def run(installed: Path, here: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the installed `bansha` from another folder, offline."""
    environment = {**os.environ, "PYTHONPATH": str(installed), "PYTHONIOENCODING": "utf-8"}
    return subprocess.run(
        [sys.executable, "-c", OFFLINE, *arguments],
        cwd=here,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=120,
    )


def test_the_wheel_holds_the_packages_and_the_demo_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as packed:
        names = packed.namelist()
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"scraper", "tally", "engine"}
    assert "engine/demo_case/game.toml" in names
    assert any(re.fullmatch(r"engine/demo_case/polls/\d+/\d+-\d+\.http", name) for name in names)


def test_an_installed_demo_counts_its_days_from_any_folder(installed: Path, tmp_path: Path) -> None:
    ran = run(installed, tmp_path, "demo")
    assert (ran.returncode, ran.stderr.strip()) == (0, str(installed / "engine" / "__init__.py"))
    assert re.findall(r"(?:当选警长|投票出局)：\S+", ran.stdout) == ["当选警长：青岚", "投票出局：10号", "投票出局：汤圆"]
    assert list(tmp_path.iterdir()) == []


def test_an_installed_demo_leaves_a_game_that_replays(installed: Path, tmp_path: Path) -> None:
    assert run(installed, tmp_path, "demo", "--dir", "mygame").returncode == 0
    replayed = run(installed, tmp_path, "replay", "mygame")
    assert (replayed.returncode, "与 expected.toml 一致" in replayed.stdout) == (0, True)
    explained = run(installed, tmp_path, "explain", "mygame", "饺子", "--day", "1")
    assert (explained.returncode, "投票对象" in explained.stdout) == (0, True)
