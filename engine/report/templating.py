"""Posts as templates that a director may override: Jinja2 over BBCode, where every value is escaped unless it is code already.

A template of the game's own folder, `templates/NAME.bbcode`, goes before ours. It is run in a sandbox: a folder that was handed
over can write a strange post, and do nothing else.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from engine.game import Game
from engine.report.safe import escape_bbcode
from engine.textfile import read_text
from scraper.errors import UsageError
from scraper.phrases import phrase

if TYPE_CHECKING:
    from jinja2 import Environment

FOLDER = "templates"
_OURS = Path(__file__).parent / FOLDER


class Template(StrEnum):
    """The posts that are made from a template."""

    RULING = "ruling"
    ELEVATOR = "elevator"
    ANNOUNCEMENT = "announcement"
    RECORD = "record"
    TALLY = "tally"


class Code(str):
    """BBCode that is written as it stands; any other text is shown to the letter."""

    __slots__ = ()


def render(template: Template, game: Game, /, **values: object) -> str:
    """A post from its template. UsageError names the file and line of a template that is broken, and what is wrong."""
    from jinja2 import TemplateError, TemplateSyntaxError

    environment = _make_environment(game)
    name = f"{template}.bbcode"
    try:
        return environment.get_template(name).render(**values)
    except TemplateSyntaxError as error:
        raise _broken(error.filename or name, error.lineno, error.message or "") from None
    except (TemplateError, TypeError, ValueError, ArithmeticError, LookupError) as error:
        path = _find(game, name)
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
        if not lines:
            raise
        raise _broken(str(path), lines[-1] or 1, str(error)) from None


def _broken(path: str, line: int, problem: str) -> UsageError:
    return UsageError(
        phrase(
            "{path}:{line}: 模板写得不对（{problem}）。改法：改这一行，或删去这个文件，就用原来的模板。",
            path=path,
            line=line,
            problem=problem,
        )
    )


def _find(game: Game, name: str) -> Path:
    """The director's own template, else ours."""
    own = game.path.parent / FOLDER / name
    return own if own.is_file() else _OURS / name


def _make_environment(game: Game) -> Environment:
    from jinja2 import FunctionLoader, StrictUndefined, TemplateNotFound
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    def load(name: str) -> tuple[str, str, Callable[[], bool]]:
        if name not in {f"{known}.bbcode" for known in Template}:
            raise TemplateNotFound(name)
        path = _find(game, name)
        return read_text(path), str(path), lambda: True

    return ImmutableSandboxedEnvironment(
        loader=FunctionLoader(load),
        undefined=StrictUndefined,
        finalize=_write,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def _write(value: object) -> str:
    return value if isinstance(value, Code) else escape_bbcode(str(value))
