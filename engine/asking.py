"""Who answers what a command leaves open: the director at a terminal, or nobody. The questions are the same for both."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class Asker(Protocol):
    """Somebody who can be asked; each answer may be what was proposed."""

    def text(self, question: str, default: str = "", words: Sequence[str] = ()) -> str:
        """A line of text; `words` are completed while it is typed."""

    def choose(self, question: str, choices: Sequence[str], default: str | None = None) -> str:
        """One of some."""

    def confirm(self, question: str, default: bool = True) -> bool:
        """Yes or no."""


class Stopped(Exception):
    """Whoever was asked wants no more questions (Ctrl-C, Ctrl-D)."""
