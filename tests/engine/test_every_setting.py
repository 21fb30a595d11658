"""Each option of each command may stand in the file and in the environment, and what is typed goes before both."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from typer.main import get_group

from engine.cli.app import app
from engine.cli.settings import apply_top, map_defaults, name_variable
from scraper.errors import UsageError

GROUP = get_group(app)
OPTIONS = [
    (name, next(option for option in parameter.opts if option.startswith("--")))
    for name, command in GROUP.commands.items()
    for parameter in command.params
    if parameter.param_type_name == "option" and parameter.name != "help"
]
PATH = Path("config.toml")


def find(name: str, option: str) -> Any:
    return next(one for one in GROUP.commands[name].params if option in one.opts)


def parse(name: str, typed: list[str], settings: dict[str, Any], environment: dict[str, str], option: str) -> Any:
    """What a command takes for an option: with these words typed, this file, these variables."""
    defaults = map_defaults(settings, PATH, GROUP, environment)
    command = GROUP.commands[name]
    with GROUP.make_context("bansha", [name], default_map=defaults) as context:
        return command.make_context(name, [*typed], parent=context, resilient_parsing=True).params[find(name, option).name]


def shown(value: Any) -> str:
    """A value as it would be typed: a number, a path or a text; the one of a list."""
    return str(value[0] if isinstance(value, list) else value).removesuffix(".0")


@pytest.mark.parametrize(("name", "option"), OPTIONS)
def test_an_option_stands_in_the_file_and_the_environment_goes_before_it_and_what_is_typed_before_both(
    name: str, option: str
) -> None:
    flag = find(name, option).is_flag
    of_file: object = True if flag else "7"
    of_variable, of_line = ("0", "True") if flag else ("8", "9")
    settings = {name: {option.removeprefix("--"): of_file}}
    environment = {name_variable(name, option.removeprefix("--")): of_variable}
    typed = [option] if flag else [option, of_line]
    assert shown(parse(name, [], settings, {}, option)) == str(of_file)
    assert shown(parse(name, [], settings, environment, option)) == ("False" if flag else of_variable)
    assert shown(parse(name, typed, settings, environment, option)) == of_line


def test_several_values_stand_in_a_list_or_in_a_variable_with_blanks_between() -> None:
    several = ["1234", "1235"]
    assert parse("day", [], {"day": {"discussion": several}}, {}, "--discussion") == several
    assert parse("day", [], {}, {"BANSHA_DAY_DISCUSSION": "1234 1235"}, "--discussion") == several


@pytest.mark.parametrize(
    ("settings", "environment", "where"),
    [
        ({"simulate": {"games": "x"}}, {}, "config.toml: simulate.games: "),
        ({"simulate": {"games": 0}}, {}, "config.toml: simulate.games: "),
        ({"tally": {"json": "maybe"}}, {}, "config.toml: tally.json: "),
        ({"quiet": "maybe"}, {}, "config.toml: quiet: "),
        ({}, {"BANSHA_SIMULATE_GAMES": "x"}, "BANSHA_SIMULATE_GAMES: "),
        ({}, {"BANSHA_VERBOSE": "x"}, "BANSHA_VERBOSE: "),
    ],
)
def test_a_value_that_is_none_for_its_option_is_told_with_its_place(
    settings: dict[str, Any], environment: dict[str, str], where: str
) -> None:
    with pytest.raises(UsageError) as error:
        map_defaults(settings, PATH, GROUP, environment)
    assert str(error.value).startswith(where)
    assert error.value.exit_code == 2


def test_a_language_that_nobody_speaks_here_is_told() -> None:
    with pytest.raises(UsageError, match="zh 或 en"):
        apply_top({"lang": "fr"}, PATH, {})
