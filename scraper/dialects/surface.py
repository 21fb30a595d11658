"""What a dialect is: a name, how its pages are recognised and cut, and how its messages are marked up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from scraper.message import Markup
from scraper.slice import Sheet


@dataclass(frozen=True, slots=True)
class Dialect:
    """One surface: `recognise` looks at a body, `cut` makes a sheet of it (given its codec), `markup` is of its messages.

    `title` is for people; `example` is an address as such a board has it.
    """

    name: str
    title: str
    example: str
    recognise: Callable[[bytes], bool]
    cut: Callable[[bytes, str], Sheet]
    markup: Markup
