"""What happened to a day besides its votes: a door that was moved, a speed-up, an extension, each with what it rests on."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from scraper.post import Source


class EventKind(StrEnum):
    """What it is about."""

    OPENING = "opening"
    CLOSE = "close"
    SPEED_UP = "speed_up"
    EXTENSION = "extension"
    SHORTENING = "shortening"


@dataclass(frozen=True, slots=True)
class DayEvent:
    """One thing that happened to a day at a moment: a door moved to `at`, or what was judged then.

    `held` is False where requests were judged and came to nothing. `seats` asked for it in the `posts`; `line` is the ledger line
    that says it. `because` is one plain Chinese sentence of why, `clause` the words of the rule post. `told` is what everybody
    may read in place of `because` where that names a file or quotes the director ("": it may be read as it is).
    """

    kind: EventKind
    at: datetime
    held: bool = True
    seats: tuple[str, ...] = ()
    posts: tuple[Source, ...] = ()
    line: int | None = None
    because: str = ""
    clause: str = ""
    told: str = ""
