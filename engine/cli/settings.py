"""A director's own settings: what a flag is when nobody writes it. A file goes before the program, the environment before the
file, and what is typed before all.

The file is config.toml in the system's folder for settings (or where BANSHA_CONFIG says): `lang`, `operator` and `contact` at
its top, and a table for each command with its long options, as in `[tally]` and `json = true`. In the environment the same
option is BANSHA_TALLY_JSON.
"""

from __future__ import annotations

import difflib
import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.language import read_language
from scraper.errors import UsageError
from scraper.phrases import listing, phrase

if TYPE_CHECKING:
    from typer.core import TyperGroup

PREFIX = "BANSHA"
FILE = "config.toml"
# What the environment may say that is no option of a command.
ALONE = ("BANSHA_LANG", "BANSHA_CONFIG", "BANSHA_PASSWORD", "BANSHA_PASSPHRASE")
# Keys at the top of the file, each with the environment's name for it.
TOP: Mapping[str, str] = {"lang": "BANSHA_LANG", "operator": "BANSHA_OPERATOR", "contact": "BANSHA_CONTACT"}
# Those of them that are an option of several commands; what is said of one command goes before them.
SHARED = ("operator",)
# Flags that stand before a command: keys at the top too.
FLAGS: Mapping[str, str] = {"quiet": "BANSHA_QUIET", "verbose": "BANSHA_VERBOSE"}


def find_settings(environment: Mapping[str, str] = os.environ) -> Path:
    """Where the settings are, or would be."""
    if named := environment.get("BANSHA_CONFIG"):
        return Path(named)
    from platformdirs import user_config_path

    return user_config_path("bansha", appauthor=False) / FILE


def read_settings(path: Path) -> dict[str, Any]:
    """What the file says; empty where there is none. UsageError for one that cannot be read."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as error:
        raise UsageError(phrase("{path}: 读不了（{strerror}）。改法：检查路径。", path=path, strerror=error.strerror)) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(
            phrase("{path}: 设置读不懂（{error}）。改法：按 TOML 写，存成 UTF-8。", path=path, error=str(error))
        ) from None


def apply_top(settings: Mapping[str, Any], path: Path, environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """What the keys at the top add to the environment: those that it does not hold already, and that no option is.

    UsageError for an unknown key.
    """
    added = {}
    for key, value in settings.items():
        if isinstance(value, dict):
            continue
        if key in FLAGS:
            continue
        if key not in TOP:
            raise _unknown(path, key, [*TOP, *FLAGS])
        if not isinstance(value, str):
            raise UsageError(phrase("{path}: {key} 要写成文字。改法：加上引号。", path=path, key=key))
        if key == "lang" and read_language(value) is None:
            raise UsageError(phrase("{path}: lang 写的是 {value!r}。改法：写 zh 或 en。", path=path, value=value))
        if TOP[key] not in environment and key not in SHARED:
            added[TOP[key]] = value
    return added


def map_defaults(
    settings: Mapping[str, Any], path: Path, group: TyperGroup, environment: Mapping[str, str] = os.environ
) -> dict[str, object]:
    """The defaults of each command's options, by the names that the command line knows them by, and of the flags before it.

    UsageError for a command or an option of the file that is none. What the environment says goes before the file; in either,
    what is said of a command goes before what is said of all.
    """
    found: dict[str, dict[str, object]] = {}
    for name, table in settings.items():
        if not isinstance(table, dict):
            continue
        command = group.commands.get(name)
        if command is None:
            raise _unknown(path, name, [*group.commands])
        options = _list_options(command)
        for key, value in table.items():
            if key not in options:
                raise _unknown(path, f"{name}.{key}", [f"{name}.{option}" for option in options])
            found.setdefault(name, {})[_name(options[key])] = _read(f"{path}: {name}.{key}", options[key], value, command)
    for name, command in group.commands.items():
        for option, parameter in _list_options(command).items():
            defaults = found.setdefault(name, {})
            variables = (name_variable(name, option), *([TOP[option]] if option in SHARED else ()))
            if said := [variable for variable in variables if variable in environment]:
                defaults[_name(parameter)] = _read(said[0], parameter, _split(parameter, environment[said[0]]), command)
            elif option in SHARED and option in settings:
                defaults.setdefault(_name(parameter), settings[option])
    flags = _read_flags(settings, path, group, environment)
    for name, command in group.commands.items():
        _add_opposites(command, found.get(name, {}))
    _add_opposites(group, flags)
    return {**found, **flags}


def _add_opposites(command: Any, said: Mapping[str, object]) -> None:
    """A flag that is on by the settings gets a `--no-…` to be typed: without one there would be no way around them."""
    context = command.make_context("bansha", [], resilient_parsing=True)
    for option, parameter in _list_options(command).items():
        flag = getattr(parameter, "is_bool_flag", False) and not parameter.secondary_opts and _name(parameter) in said
        if flag and parameter.process_value(context, said[_name(parameter)]) is True:
            parameter.secondary_opts = [f"--no-{option}"]


def _read_flags(settings: Mapping[str, Any], path: Path, group: TyperGroup, environment: Mapping[str, str]) -> dict[str, object]:
    """The flags before a command, as the environment has them, else the file."""
    options, flags = _list_options(group), {}
    for key, variable in FLAGS.items():
        if variable in environment:
            flags[key] = _read(variable, options[key], environment[variable], group)
        elif key in settings:
            flags[key] = _read(f"{path}: {key}", options[key], settings[key], group)
    return flags


def _name(parameter: Any) -> str:
    return str(parameter.name)


def _split(parameter: Any, text: str) -> object:
    """What a variable holds: several words, for an option that may be given several times."""
    return text.split() if getattr(parameter, "multiple", False) else text


def _read(where: str, parameter: Any, value: object, command: Any) -> object:
    """A value that stands in the file or the environment; UsageError names the place where it is none for its option."""
    import typer

    if getattr(parameter, "multiple", False) and isinstance(value, str):
        value = [value]
    try:
        parameter.process_value(command.make_context("bansha", [], resilient_parsing=True), value)
    except typer.BadParameter as error:
        raise UsageError(
            phrase(
                "{where}: 写的是 {value!r}，{option} 用不了（{problem}）。改法：改成它能用的值，或删去。",
                where=where,
                value=value,
                option=parameter.opts[0],
                problem=error.message,
            )
        ) from None
    return value


def name_variable(command: str, option: str) -> str:
    """The environment's name for a command's long option."""
    return f"{PREFIX}_{command}_{option}".upper().replace("-", "_")


def has_variables(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether the environment may set an option: only then are the commands' options looked through."""
    return any(name.startswith(f"{PREFIX}_") and name not in ALONE for name in environment)


def _list_options(command: Any) -> dict[str, Any]:
    """The long options of a command, each with its parameter."""
    return {
        option.removeprefix("--"): parameter
        for parameter in command.params
        if parameter.param_type_name == "option" and parameter.name != "help"
        for option in parameter.opts
        if option.startswith("--")
    }


def _unknown(path: Path, key: str, known: list[str]) -> UsageError:
    near = difflib.get_close_matches(key, known, 1)
    fix = phrase("是不是 {near}", near=near[0]) if near else phrase("写 {known}", known=listing(known[:12]))
    return UsageError(phrase("{path}: 没有 {key} 这个设置。改法：{fix}。", path=path, key=key, fix=fix))
