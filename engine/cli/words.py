"""The texts of help and prompts, in the language in which the command was started."""

from __future__ import annotations

import inspect
from collections.abc import Callable

from engine.language import choose_language, load_catalogue

_LANGUAGE = choose_language()


def _(text: str) -> str:
    """A text of the command line; help is written in Chinese, so that only English asks the catalogue."""
    return text if _LANGUAGE == "zh" else load_catalogue(_LANGUAGE)(text)


def help_of(command: Callable[..., object]) -> str:
    """What `--help` says of a command: its docstring."""
    return _(inspect.cleandoc(command.__doc__ or ""))
