"""What the documents show is what the program takes."""

from __future__ import annotations

import re
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from engine.cli.app import app
from engine.expected import load_expected
from engine.game import load_game
from engine.ledger import parse_ledger
from engine.report.templatewords import VARIABLES
from engine.rulesets.m29 import M29
from engine.scenario_files import run_file
from engine.secrets import load_secrets
from tests.command_page import render_command
from tests.documents import COMMANDS_PAGE, TEMPLATES_PAGE, fill

DOCS = Path(__file__).parents[2] / "docs"


def blocks(name: str, language: str) -> list[str]:
    """The fenced blocks of a document in one language."""
    text = (DOCS / name).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def test_the_commented_game_file_loads(tmp_path: Path) -> None:
    (tmp_path / "game.toml").write_text(blocks("game-file.md", "toml")[0], encoding="utf-8")
    game = load_game(tmp_path)
    assert (len(game.roster.seats), [day.vote for day in game.days]) == (4, [1232, 1235])
    assert game.policy == M29.vote


@pytest.mark.parametrize("table", ["[speech]", "[given]", "progress = 1236"])
def test_what_is_commented_out_in_it_loads_too(tmp_path: Path, table: str) -> None:
    lines = blocks("game-file.md", "toml")[0].split("\n")
    start = next(place for place, line in enumerate(lines) if line.startswith(f"# {table}"))
    for place in range(start, len(lines)):
        if not re.match(r"# [\w\[]", lines[place]) or (place > start and "progress" in table):
            break
        lines[place] = lines[place].removeprefix("# ")
    (tmp_path / "game.toml").write_text("\n".join(lines), encoding="utf-8")
    load_game(tmp_path)


def test_the_secrets_shown_load(tmp_path: Path) -> None:
    (tmp_path / "secrets.toml").write_text(blocks("game-file.md", "toml")[1], encoding="utf-8")
    assert load_secrets(tmp_path, M29, ("汤圆",)).roles == {"汤圆": "替罪羊"}


def test_every_switch_stands_in_the_reference_with_its_default_first() -> None:
    text = (DOCS / "game-file.md").read_text(encoding="utf-8")
    for switch in M29.switches:
        assert f"`{switch.name}`" in text, switch.name
        if switch.counts and switch.choices and isinstance(switch.default, str):
            others = [choice for choice in switch.choices if choice != switch.default]
            assert f"| `{switch.name}` | {', '.join([switch.default, *others])} |" in text


def test_the_ledger_shown_is_read() -> None:
    assert len(parse_ledger(blocks("ledger.md", "")[0], ZoneInfo("Asia/Shanghai"))) == 4


def test_every_command_is_documented_and_no_other() -> None:
    """Each stands in the overview, and once with a heading and a table of its own."""
    text = COMMANDS_PAGE.read_text(encoding="utf-8")
    names = [command.callback.__name__ for command in app.registered_commands if command.callback is not None]
    assert sorted(re.findall(r"^\| \[`bansha (\w+)", text, re.MULTILINE)) == sorted(names)
    assert sorted(re.findall(r"^### bansha (\w+)\n\n<!-- command_\1 -->$", text, re.MULTILINE)) == sorted(names)


def test_the_page_of_commands_is_as_the_commands_make_it() -> None:
    text = COMMANDS_PAGE.read_text(encoding="utf-8")
    assert fill(text) == text, "make it anew: python -m tests.documents"


def test_the_page_of_templates_is_as_the_program_has_them() -> None:
    text = TEMPLATES_PAGE.read_text(encoding="utf-8")
    assert fill(text) == text, "make it anew: python -m tests.documents"
    assert re.findall(r"^## (\w+)\.bbcode$", text, re.MULTILINE) == [template.value for template in VARIABLES]


def test_the_table_of_a_command_has_its_options_with_what_they_are_where_nobody_writes_them() -> None:
    table = render_command("simulate")
    assert "| `RULESET` | The rules, such as m29 or 断言. | needed |  |" in table
    assert "| `--games N` | How many games to play. (1 or more) | `1000` | `BANSHA_SIMULATE_GAMES` |" in table
    assert "| `--check / --no-check` |" in table
    assert "| `-o, --output FILE` | Write the page to this file. |  | `BANSHA_REPORT_OUTPUT` |" in render_command("report")


def test_the_expectations_shown_are_read(tmp_path: Path) -> None:
    (tmp_path / "expected.toml").write_text(blocks("cli.md", "toml")[0], encoding="utf-8")
    expected = load_expected(tmp_path)
    assert expected is not None
    assert expected.days == (2,)
    assert all(rows for rows in expected.rows.values())


def test_the_scenario_shown_comes_out_as_it_says(tmp_path: Path) -> None:
    path = tmp_path / "S20.toml"
    path.write_text(blocks("engine.md", "toml")[0], encoding="utf-8")
    assert [run.differences for run in run_file(path)] == [(), ()]


def test_the_modules_of_the_engine_are_all_named() -> None:
    text = (DOCS / "engine.md").read_text(encoding="utf-8")
    rooms = {path.stem for path in (DOCS.parent / "engine" / "play").glob("*.py")} - {"__init__", "refusal", "who"}
    assert {name for name in rooms if f"`{name}`" not in text} == set()
