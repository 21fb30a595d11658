"""Passes over a thread as values: when somebody looked, which pages came, whether all did, and what one page brought."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import NewType

from scraper.errors import BanshaError
from scraper.post import Flaw
from scraper.response import Response

PassId = NewType("PassId", int)


@dataclass(frozen=True, slots=True)
class Pass:
    """One pass over a thread, as evidence: times are aware, in the board's zone.

    `ended_at` is None for a pass that was cut off (it is never complete). `pages` is how many pages the thread had by the
    last page that told, `seen` the numbers of those that came, `missing` those that did not though they were asked for or
    promised. `complete` is True only where every page came; `why` says in words what was wrong, "" where nothing was.
    `zone` is the offset from UTC in hours that the board printed in a page's footer, None where it printed none.
    """

    tid: int
    started_at: datetime
    ended_at: datetime | None
    pages: int
    seen: tuple[int, ...]
    missing: tuple[int, ...]
    complete: bool
    why: str = ""
    zone: float | None = None


@dataclass(frozen=True, slots=True)
class PageOutcome:
    """What storing one page told: `number` is the page that it is, by its own word, of `pages`; `asked` the one asked for.

    `new` are pids never seen before, `changed` pids that say something else than at the look before; `flaws` are of the
    page itself. `unchanged` is True where every byte that counts was known, and nothing had to be read.
    """

    asked: int
    number: int
    pages: int
    posts: int
    new: tuple[int, ...] = ()
    changed: tuple[int, ...] = ()
    flaws: tuple[Flaw, ...] = ()
    unchanged: bool = False


@dataclass(frozen=True, slots=True)
class PassOutcome:
    """What one pass over a thread brought: as `Pass`, with the pids that are new or changed, and the error of each lost page."""

    tid: int
    pages: int
    seen: tuple[int, ...]
    missing: tuple[int, ...]
    complete: bool
    why: str
    new: tuple[int, ...] = ()
    changed: tuple[int, ...] = ()
    errors: tuple[BanshaError, ...] = ()

    @property
    def exit_code(self) -> int:
        """What the command should exit with: 0, or the largest code of the errors; 4 where a page is missing without one."""
        codes = [error.exit_code for error in self.errors]
        return max(codes + ([] if self.complete else [4]), default=0)


@dataclass(frozen=True, slots=True)
class PageFlaw:
    """A flaw of a page as it last stood: the thread, the page's number, and when it was seen."""

    tid: int
    number: int
    seen_at: datetime
    flaw: Flaw


@dataclass(frozen=True, slots=True)
class RecordedPage:
    """One page of a recording: its name for messages, and the file that it is in, or the response itself."""

    name: str
    source: Path | Response


@dataclass(frozen=True, slots=True)
class RecordedPass:
    """One recorded pass: its name for messages, and its pages by tid and page number."""

    name: str
    threads: Mapping[int, Mapping[int, RecordedPage]]
