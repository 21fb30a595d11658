"""Passes over a thread as values: when somebody looked, which pages came, whether all did, and what one page brought."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple, NewType

from scraper.errors import BanshaError
from scraper.post import Flaw
from scraper.response import Response

PassId = NewType("PassId", int)


class Order(StrEnum):
    """How the posts of a page follow each other by pid: as threads do, newest first, or neither (threads that were merged)."""

    RISING = "rising"
    FALLING = "falling"
    MIXED = "mixed"


@dataclass(frozen=True, slots=True)
class PageLook:
    """One look at one page: its number, of how many, and when it was seen.

    `first` and `last` are the pids of its first and last posts, `starts` and `ends` when those were posted (None where the
    board did not print that). Copies of sticky posts are left out of account.
    """

    number: int
    pages: int
    seen_at: datetime
    first: int
    last: int
    starts: datetime | None
    ends: datetime | None
    order: Order = Order.RISING


@dataclass(frozen=True, slots=True)
class Pass:
    """One pass over a thread, as evidence: times are aware, in the board's zone.

    `ended_at` is None for a pass that was cut off (it is never complete). `pages` is how many pages the thread had by the
    last page that told, `seen` the numbers of those that came, `missing` those that did not though they were asked for or
    promised. `complete` is True only where every page came; `why` says in words what was wrong, "" where nothing was.
    `zone` is the offset from UTC in hours that the board printed in a page's footer, None where it printed none.

    `first` is the page from which on the pass set out to read everything: 1 for a whole pass; what it read before that page
    it read besides. `looks` are its looks at the pages that came, the last one of each, in their order. `shrank` says that
    the thread lost pages meanwhile, `newest_first` that some page came with its newest posts first. `told_at` is what the
    board's own clock said at the first page, None where it said nothing.
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
    first: int = 1
    looks: tuple[PageLook, ...] = ()
    shrank: bool = False
    newest_first: bool = False
    told_at: datetime | None = None

    @property
    def began_at(self) -> datetime:
        """When the pass began, by the clock that was behind: a board that is slow may still take posts of an earlier minute."""
        return self.started_at if self.told_at is None else min(self.started_at, self.told_at)


@dataclass(frozen=True, slots=True)
class PageOutcome:
    """What storing one page told: `number` is the page that it is, by its own word, of `pages`; `asked` the one asked for.

    `new` are pids never seen before, `changed` pids that say something else than at the look before; `flaws` are of the
    page itself. `unchanged` is True where every byte that counts was known, and nothing had to be read; `same` where the page
    moreover stands as it stood when it was last seen. `pids` are its posts in order, without copies of sticky ones.
    """

    asked: int
    number: int
    pages: int
    posts: int
    new: tuple[int, ...] = ()
    changed: tuple[int, ...] = ()
    flaws: tuple[Flaw, ...] = ()
    unchanged: bool = False
    same: bool = False
    pids: tuple[int, ...] = ()
    look: PageLook | None = None


class Change(StrEnum):
    """What became of a post between the last look at it and this pass.

    EDITED is of its author's words, REMARKED of what others put under it, MOVED of its page or floor. MISSING is a post that
    one pass did not find where it must be, GONE one that two did not, RETURNED one that is back.
    """

    NEW = "new"
    EDITED = "edited"
    REMARKED = "remarked"
    MOVED = "moved"
    BLOCKED = "blocked"
    OPENED = "opened"
    MISSING = "missing"
    GONE = "gone"
    RETURNED = "returned"


class PostChange(NamedTuple):
    """One change of one post: whose, where it is (page and floor; the last ones for a post that is not there), where it was.

    A named tuple, since a first pass makes one for every post of the thread.

    `other_tid` is the thread of the archive in which a post that is missing here was seen since, None for none.
    """

    kind: Change
    pid: int
    author: str
    page: int
    floor: str
    was_page: int = 0
    was_floor: str = ""
    other_tid: int | None = None


@dataclass(frozen=True, slots=True)
class PassOutcome:
    """What one pass over a thread brought: as `Pass`, with the pids that are new or changed, and the error of each lost page.

    `missing` are pages that the pass wanted and did not get. A pass that wanted only a part of the thread, and got it, is not
    complete and has no `why`. `changes` tell the posts apart, in the order of pids.
    """

    tid: int
    pages: int
    seen: tuple[int, ...]
    missing: tuple[int, ...]
    complete: bool
    why: str
    new: tuple[int, ...] = ()
    changed: tuple[int, ...] = ()
    errors: tuple[BanshaError, ...] = ()
    changes: tuple[PostChange, ...] = ()

    @property
    def exit_code(self) -> int:
        """What the command should exit with: 0, or the largest code of the errors; 4 where a page is missing without one."""
        codes = [error.exit_code for error in self.errors]
        return max(codes + ([4] if self.why else []), default=0)


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
