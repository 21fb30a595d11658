"""What a dialect is: how its pages are recognised and cut, how its messages are marked up, and what it cannot show."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from scraper.markup import Markup
from scraper.post import Flaw
from scraper.slice import Layout, Sheet

LACKS = "A123"


class Fact(StrEnum):
    """What a count may need of a post or page."""

    IDENTITY = "identity"
    FLOOR = "floor"
    TIME = "time"
    WORDS = "words"
    STYLE = "style"
    QUOTED = "quoted"
    EDITED = "edited"
    LOCKED = "locked"
    REMARKS = "remarks"
    SIGNATURE = "signature"
    PAGING = "paging"
    ZONE = "zone"


@dataclass(frozen=True, slots=True)
class Gap:
    """What a surface does not show of a fact, in a few words; `code` is the finding that tells of it, if any does.

    A123 is made once a thread, on its first page; any other code where the gap shows.
    """

    what: str
    code: str = ""


@dataclass(frozen=True, slots=True)
class Dialect:
    """One surface: `recognise` looks at a body, `cut` makes a sheet of it (given its codec), `markup` is of its messages.

    `title` is for people; `example` is an address as such a board has it. `gaps` are the facts that it does not show, or not
    wholly. `codec` is what the sheet's bytes are in, whatever the page is in; empty where they are the page's. With a
    `layout` pages are first glanced at (scraper/glance.py); none where what a page shows is not all found by it.
    """

    name: str
    title: str
    example: str
    recognise: Callable[[bytes], bool]
    cut: Callable[[bytes, str], Sheet]
    markup: Markup
    gaps: Mapping[Fact, Gap] = field(default_factory=dict)
    codec: str = ""
    layout: Layout | None = None

    @property
    def lacks(self) -> tuple[Flaw, ...]:
        """The findings that the first page of a thread makes on this surface."""
        lacking = [fact for fact, gap in self.gaps.items() if gap.code == LACKS]
        return tuple([Flaw(LACKS, (("surface", self.name), ("lacks", fact.value))) for fact in lacking])


@dataclass(frozen=True, slots=True)
class Refusal:
    """A surface that is recognised and not counted: what it loses (or that none was at hand), and what to read instead."""

    name: str
    title: str
    example: str
    recognise: Callable[[bytes], bool]
    reason: str
    instead: str
    gaps: Mapping[Fact, Gap] = field(default_factory=dict)
