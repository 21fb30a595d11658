"""Settings: what is typed goes before the environment, the environment before the file, and a slip in the file is told."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from unittest.mock import patch

import pytest

from engine.cli.settings import find_settings
from tests.engine import command
from tests.engine.command import Ran

FIXTURES = Path(__file__).parents[2] / "fixtures"
CASE = str(FIXTURES / "m29/nobody_votes")


def run(config: Path, *arguments: str, **environment: str) -> Ran:
    """A command with its settings in a file."""
    with patch.dict(os.environ, _name_all(config, environment), clear=True):
        return command.run(*arguments)


def start(config: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """The same in a process of its own: what a command says of itself is put together once."""
    line, variables = [sys.executable, "-m", "engine", *arguments], _name_all(config, environment)
    return subprocess.run(line, capture_output=True, encoding="utf-8", env=variables, check=False, timeout=60)


def _name_all(config: Path, environment: dict[str, str]) -> dict[str, str]:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("BANSHA_")}
    return {**inherited, "PYTHONIOENCODING": "utf-8", "BANSHA_CONFIG": str(config), **environment}


def write(folder: Path, text: str) -> Path:
    path = folder / "config.toml"
    path.write_text(text, encoding="utf-8")
    return path


def is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def test_without_a_file_nothing_changes(tmp_path: Path) -> None:
    done = run(tmp_path / "none.toml", "replay", CASE)
    assert done.code == 0, done.err
    assert not is_json(done.out)


def test_the_file_is_what_a_flag_is_when_nobody_writes_it(tmp_path: Path) -> None:
    assert is_json(run(write(tmp_path, "[replay]\njson = true\n"), "replay", CASE).out)


def test_the_environment_goes_before_the_file(tmp_path: Path) -> None:
    config = write(tmp_path, "[simulate]\ngames = 3\n")
    assert json.loads(run(config, "simulate", "m29", "--json").out)["games"] == 3
    assert json.loads(run(config, "simulate", "m29", "--json", BANSHA_SIMULATE_GAMES="2").out)["games"] == 2


def test_what_is_typed_goes_before_all(tmp_path: Path) -> None:
    config = write(tmp_path, "[simulate]\ngames = 3\n")
    done = run(config, "simulate", "m29", "--json", "--games", "1", BANSHA_SIMULATE_GAMES="2")
    assert json.loads(done.out)["games"] == 1


def test_what_a_setting_switched_on_a_flag_switches_off(tmp_path: Path) -> None:
    config = write(tmp_path, "quiet = true\n[replay]\njson = true\n")
    done = run(config, "replay", CASE, "--no-json")
    assert done.code == 0, done.err
    assert not is_json(done.out)
    done = run(tmp_path / "none.toml", "replay", CASE, "--no-json", BANSHA_REPLAY_JSON="1")
    assert done.code == 0, done.err
    assert not is_json(done.out)
    assert "--no-json" in run(config, "replay", "--help").out
    assert run(config, "--no-quiet", "replay", CASE).code == 0


def test_without_a_setting_there_is_nothing_to_switch_off(tmp_path: Path) -> None:
    assert run(tmp_path / "none.toml", "replay", CASE, "--no-json").code == 2
    assert run(write(tmp_path, "[replay]\njson = false\n"), "replay", CASE, "--no-json").code == 2


@pytest.mark.parametrize(
    ("command", "form", "first"), [("tally", "--csv", "\ufeff"), ("tally", "--bbcode", "["), ("check", "--html", "<")]
)
def test_a_form_that_is_typed_goes_before_the_one_of_the_settings(tmp_path: Path, command: str, form: str, first: str) -> None:
    game = tmp_path / "game"
    shutil.copytree(CASE, game)
    database = str(tmp_path / "seen.db")
    run(tmp_path / "none.toml", "replay", str(game), "--db", database)
    config = write(tmp_path, f"[{command}]\njson = true\n")
    done = run(config, command, str(game), "--db", database, form)
    assert done.code != 2, done.err
    assert done.out.startswith(first)
    assert is_json(run(config, command, str(game), "--db", database).out)
    assert run(config, command, str(game), "--db", database, form, "--json").code == 2


def test_who_operates_may_be_said_for_all_commands_or_for_one_and_what_is_nearer_counts(tmp_path: Path) -> None:
    folders = tmp_path / "general", tmp_path / "both"
    for folder in folders:
        folder.mkdir()
    general = write(folders[0], 'operator = "导演甲"\n')
    config = write(folders[1], 'operator = "导演甲"\n[tally]\noperator = "导演乙"\n')
    run(config, "replay", CASE, "--db", str(tmp_path / "game.db"))
    count = ("tally", CASE, "--db", str(tmp_path / "game.db"), "--json")
    said = [
        run(path, *words, **variables).out
        for path, words, variables in (
            (general, count, {}),
            (config, count, {}),
            (config, count, {"BANSHA_OPERATOR": "导演丙"}),
            (config, count, {"BANSHA_OPERATOR": "导演丙", "BANSHA_TALLY_OPERATOR": "导演丁"}),
            (config, (*count, "--operator", "导演戊"), {"BANSHA_OPERATOR": "导演丙"}),
        )
    ]
    assert [json.loads(text)["operator"] for text in said] == ["导演甲", "导演乙", "导演丙", "导演丁", "导演戊"]


def test_flags_before_a_command_may_be_settings_too(tmp_path: Path) -> None:
    run(tmp_path / "none.toml", "replay", CASE, "--db", str(tmp_path / "game.db"))
    report = ("report", CASE, "-o", str(tmp_path / "a.html"), "--db", str(tmp_path / "game.db"))
    config = write(tmp_path, "quiet = true\n")
    assert run(tmp_path / "none.toml", *report).err != ""
    assert run(config, *report).err == ""
    assert run(config, *report, BANSHA_QUIET="0").err != ""
    assert run(tmp_path / "none.toml", *report, BANSHA_QUIET="1").err == ""


def test_the_language_may_stand_in_the_file_and_the_environment_goes_before_it(tmp_path: Path) -> None:
    config = write(tmp_path, 'lang = "en"\n')
    missing = str(tmp_path / "nowhere")
    told = start(config, "tally", "--help").stdout
    assert "Usage" in told
    assert "why" in told
    assert "没有这个文件" in start(config, "tally", missing, BANSHA_LANG="zh").stderr


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[taly]\njson = true\n", "是不是 tally"),
        ("[tally]\njsn = true\n", "是不是 tally.json"),
        ("language = 'en'\n", "没有 language"),
        ("lang = 1\n", "加上引号"),
        ("lang = 'fr'\n", "写 zh 或 en"),
        ("[tally\n", "设置读不懂"),
    ],
)
def test_a_slip_in_the_file_is_an_error_that_names_it(tmp_path: Path, text: str, said: str) -> None:
    done = run(write(tmp_path, text), "replay", CASE)
    assert done.code == 2
    assert "config.toml" in done.err
    assert said in done.err


def test_the_file_is_where_the_system_keeps_settings_unless_told(tmp_path: Path) -> None:
    assert find_settings({"BANSHA_CONFIG": str(tmp_path / "x.toml")}) == tmp_path / "x.toml"
    assert find_settings({}).parts[-2:] == ("bansha", "config.toml")


def test_quiet_leaves_results_and_errors_alone(tmp_path: Path) -> None:
    config = tmp_path / "none.toml"
    wrong = run(config, "--quiet", "report", CASE, "-o", str(tmp_path / "a.html"), "--db", str(tmp_path / "none.db"))
    assert "还没有这个数据库" in wrong.err
    run(config, "replay", CASE, "--db", str(tmp_path / "game.db"))
    told = [
        run(config, *flags, "report", CASE, "-o", str(tmp_path / f"{place}.html"), "--db", str(tmp_path / "game.db")).err
        for place, flags in enumerate((["--quiet"], []))
    ]
    assert told[0] == ""
    assert told[1] != ""


# How each shell asks for what may follow `bansha ta`, and what it then does with the program's name in its script.
SHELLS = {
    "bash": ({"COMP_WORDS": "bansha ta", "COMP_CWORD": "1"}, "-F _bansha_completion bansha"),
    "zsh": ({"_TYPER_COMPLETE_ARGS": "bansha ta"}, "#compdef bansha"),
    "fish": ({"_TYPER_COMPLETE_ARGS": "bansha ta", "_TYPER_COMPLETE_FISH_ACTION": "get-args"}, "complete --command bansha"),
    "powershell": (
        {"_TYPER_COMPLETE_ARGS": "bansha ta", "_TYPER_COMPLETE_WORD_TO_COMPLETE": "ta"},
        "-CommandName bansha",
    ),
    "pwsh": ({"_TYPER_COMPLETE_ARGS": "bansha ta", "_TYPER_COMPLETE_WORD_TO_COMPLETE": "ta"}, "-CommandName bansha"),
}


@pytest.mark.parametrize("shell", SHELLS)
def test_every_shell_gets_its_completion(tmp_path: Path, shell: str) -> None:
    asks, named = SHELLS[shell]
    done = run(tmp_path / "none.toml", _BANSHA_COMPLETE=f"source_{shell}")
    assert done.code == 0
    assert named in done.out
    assert "engine" not in done.out
    told = run(tmp_path / "none.toml", _BANSHA_COMPLETE=f"complete_{shell}", **asks)
    assert told.code == 0
    assert "tally" in told.out
    assert "explain" not in told.out


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")
def test_bash_takes_the_script(tmp_path: Path) -> None:
    script = tmp_path / "bansha.sh"
    script.write_text(run(tmp_path / "none.toml", _BANSHA_COMPLETE="source_bash").out, encoding="utf-8")
    done = subprocess.run(
        ["bash", "-c", f". {script} && complete -p bansha"], capture_output=True, encoding="utf-8", check=False, timeout=60
    )
    assert (done.returncode, done.stdout.strip()) == (0, "complete -o default -F _bansha_completion bansha")
