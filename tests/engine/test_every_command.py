"""What holds for every command: results as JSON, and no Chinese punctuation among English words."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_group

from engine.cli.app import app
from tests.engine.command import run

CASE = Path(__file__).parents[2] / "fixtures" / "m29" / "three_days"
# A pair of marks of the English text, between a Chinese word and an English one: 汤圆：exiled.
FOREIGN_MARKS = re.compile("[A-Za-z0-9] ?[：，；（）、]|[：，；（）、] ?[A-Za-z]{2,}")
QUOTED = re.compile("「[^」]*」")


def test_every_command_that_has_a_result_prints_it_as_json() -> None:
    commands: dict[str, Any] = dict(get_group(app).commands)
    without = {name for name, command in commands.items() if not any("--json" in one.opts for one in command.params)}
    assert without == set()


def test_the_demo_is_json_as_its_replay_is() -> None:
    assert [json.loads(run("demo", "--json").out)] == json.loads(run("replay", str(CASE), "--json").out)


def test_a_handover_says_as_json_what_it_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BANSHA_PASSPHRASE", "一二三四五六七八九十")
    game, sealed = tmp_path / "game", tmp_path / "game.bansha"
    shutil.copytree(CASE, game)
    told = json.loads(run("handover", str(game), "-o", str(sealed), "--json").out)
    assert told["output"] == str(sealed)
    assert {"game.toml", "secrets.toml"} < {*told["files"]}
    opened = json.loads(run("handover", "--open", str(sealed), "-o", str(tmp_path / "other"), "--json").out)
    assert opened == {"output": str(tmp_path / "other"), "files": told["files"]}


@pytest.fixture
def database(tmp_path: Path) -> Path:
    assert run("replay", str(CASE), "--db", str(tmp_path / "game.db")).code == 0
    return tmp_path / "game.db"


def test_a_report_and_an_export_say_as_json_what_they_wrote(database: Path, tmp_path: Path) -> None:
    page, tables = tmp_path / "a.html", tmp_path / "tables"
    told = json.loads(run("report", str(CASE), "--db", str(database), "-o", str(page), "--json").out)
    assert told["report"] == str(page)
    assert [(one["day"], one["complete"], one["final"]) for one in told["days"]] == [(day, True, True) for day in (1, 2, 3)]
    assert page.is_file()
    written = json.loads(run("export", str(CASE), "--db", str(database), "-o", str(tables), "--json").out)
    assert sorted(written["files"]) == sorted(str(path) for path in tables.iterdir())


@pytest.mark.parametrize("command", ["tally", "cards", "explain", "check"])
def test_the_tables_of_english_have_english_marks(command: str, database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BANSHA_LANG", "en")
    seat = ["麻花"] if command == "explain" else []
    printed = run(command, str(CASE), *seat, "--day", "3", "--db", str(database)).out
    assert "exiled" in printed or command != "tally"
    assert "did not vote" in printed or command in ("explain", "check")
    assert "votes each, a tie" in printed.replace("vote(s)", "votes") or command != "tally"
    own = [line for line in printed.splitlines() if not re.search("[│「」。]|words", line)]
    assert [line for line in own if FOREIGN_MARKS.search(QUOTED.sub("", line))] == []
