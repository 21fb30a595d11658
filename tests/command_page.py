"""The generated parts of docs/cli.md: what the command line itself says of its commands, in English."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from typer.main import get_group

from engine.cli.app import app
from engine.cli.boards import INTERRUPTED
from engine.cli.settings import ALONE, FLAGS, TOP, name_variable
from engine.cli.watching import HUNG_UP, TERMINATED
from engine.language import load_catalogue
from scraper.errors import BanshaError

if TYPE_CHECKING:
    from typer.core import TyperGroup

_CODES = {
    0: "clean",
    1: "something waits for the director (a finding that is an error, a missing page, a post that needs a ruling), or a replay"
    " that differs",
    2: "the command line, the game file, the ledger or the database cannot be used",
    4: "the board is out of reach, or refuses",
    8: "a page of unknown layout; a copy lies in `unreadable/` beside the database",
    129: "the terminal of `watch` was closed (SIGHUP); what was seen is stored",
    130: "Ctrl-C ended it; what was seen is stored",
    143: "SIGTERM ended `watch`; what was seen is stored",
}
_VARIABLES = {
    "BANSHA_LANG": "`zh` or `en`: the language of help, prompts, errors and tables (`lang` in the file)",
    "BANSHA_OPERATOR": "who enters lines, and who counted (`operator` in the file)",
    "BANSHA_CONTACT": "an https:// or mailto: address that boards are told beside the program's name (`contact` in the file)",
    "BANSHA_QUIET": "`1` is `--quiet` (`quiet` in the file)",
    "BANSHA_VERBOSE": "`1` is `--verbose` (`verbose` in the file)",
    "BANSHA_CONFIG": "another file of settings",
    "BANSHA_PASSWORD": "the password that `login` would ask for",
    "BANSHA_PASSPHRASE": "the passphrase that `handover` would ask for",
}
# What is no option of one command, and who reads it.
_FOREIGN = {"NO_COLOR": "no colour on a terminal either"}


def read_group() -> TyperGroup:
    """The commands as the command line has them."""
    return get_group(app)


def render_overview() -> str:
    """Every command with its arguments and what it does, each a link to its own table."""
    rows = ["| command | what it does |", "|---|---|"]
    for name, command in read_group().commands.items():
        usage = " ".join(("bansha", name, *(_metavar(one) for one in command.params if one.param_type_name == "argument")))
        rows.append(f"| [`{_cell(usage)}`](#bansha-{name}) | {_cell(_english(command.help))} |")
    return "\n".join(rows) + "\n"


def render_command(name: str) -> str:
    """One command: what it does, its arguments and options with their defaults, and the environment's name of each option."""
    command = read_group().commands[name]
    rows = [_english(command.help), "", "| argument or option | what it is | default | in the environment |", "|---|---|---|---|"]
    rows += [f"| {' | '.join(row)} |" for row in _list_rows(name, command.params)]
    return "\n".join(rows) + "\n"


def _list_rows(name: str, parameters: list[Any]) -> Iterator[tuple[str, str, str, str]]:
    for one in parameters:
        if one.param_type_name == "argument":
            yield f"`{_cell(_metavar(one))}`", _cell(_english(one.help)), _default(one), ""
            continue
        # A short name goes before the long ones.
        spelt = sorted(one.opts, key=len)
        if one.secondary_opts:
            spelt = [f"{spelt[-1]} / {one.secondary_opts[0]}"]
        value = "" if one.is_flag else f" {_english(one.metavar)}"
        long = next(option for option in one.opts if option.startswith("--")).removeprefix("--")
        told = _cell(_english(one.help)) + _bounds(one)
        yield f"`{_cell(', '.join(spelt) + value)}`", told, _default(one), f"`{name_variable(name, long)}`"


def _bounds(one: Any) -> str:
    """The numbers that an option takes, where not all are."""
    low, high = one.min, one.max
    if low is None and high is None:
        return ""
    return f" ({low} or more)" if high is None else f" ({low} to {high})"


def _default(one: Any) -> str:
    if one.required:
        return "needed"
    if one.default is None or one.default == "" or one.default is False:
        return ""
    if one.default == Path():
        return "this folder"
    return f"`{'on' if one.default is True else one.default}`"


def _metavar(one: Any) -> str:
    return _english(one.metavar)


def _english(text: str | None) -> str:
    """A text of the command line, in whichever language it was started."""
    return load_catalogue("en")(text or "")


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def render_codes() -> str:
    """The exit codes: those of the tree of errors, and those of what ends a command otherwise."""
    codes = {0, 1, INTERRUPTED, TERMINATED, HUNG_UP, *(kind.exit_code for kind in _list_errors(BanshaError))}
    assert codes == set(_CODES), codes
    return "\n".join(["| code | meaning |", "|---|---|", *(f"| {code} | {_CODES[code]} |" for code in sorted(codes))]) + "\n"


def _list_errors(kind: type[BanshaError]) -> Iterator[type[BanshaError]]:
    yield kind
    for child in kind.__subclasses__():
        yield from _list_errors(child)


def render_variables() -> str:
    """The variables of the environment that are no option of one command."""
    names = {*TOP.values(), *FLAGS.values(), *ALONE}
    assert names == set(_VARIABLES), names
    rows = [f"| `{name}` | {meaning} |" for name, meaning in (_VARIABLES | _FOREIGN).items()]
    return "\n".join(["| variable | what it says |", "|---|---|", *rows]) + "\n"


def render_globals() -> str:
    """The options that stand before a command."""
    rows = ["| option | what it is |", "|---|---|"]
    parameters: list[Any] = read_group().params
    for one in parameters:
        rows.append(f"| `{', '.join(sorted(one.opts, key=len))}` | {_cell(_english(one.help))} |")
    return "\n".join(rows) + "\n"


def make_blocks() -> Mapping[str, Callable[[], str]]:
    """Every block of the page by its name."""
    return {
        "overview": render_overview,
        "codes": render_codes,
        "variables": render_variables,
        "globals": render_globals,
        **{f"command_{name}": lambda name=name: render_command(name) for name in read_group().commands},  # type: ignore[misc]
    }
