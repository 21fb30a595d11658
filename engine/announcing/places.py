"""Where the rule posts have announcements made: in which thread of the day.

Where a post leaves it open (或), what a close brings goes to the vote, where it happened, and all else to the discussion.
面杀 has no threads; whoever plays it on a board reads it as M29.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from engine.announcing.moments import Moment
from tally.day import Day
from tally.policy import Clause

_PUBLISHING = "用语定义 · 公示"


@dataclass(frozen=True, slots=True)
class Place:
    """The clause of a rule post, and whether it names the vote's thread too."""

    clause: Clause
    vote_too: bool = False


_M29 = Place(Clause("游戏流程发生变化时需要在讨论帖中公示。", _PUBLISHING))
PLACES: Mapping[str, Place] = MappingProxyType(
    {
        "m29": _M29,
        "secret-number": Place(Clause("游戏流程发生变化时需要在讨论贴或投票贴中公示。", _PUBLISHING), vote_too=True),
        "vest": Place(Clause("游戏流程发生变化时导演会在讨论帖或投票帖中予以说明，即“公示”。", _PUBLISHING), vote_too=True),
        "assertion": Place(Clause("游戏流程发生变化时需要在讨论贴或投票贴中公示。", _PUBLISHING), vote_too=True),
        "table": Place(Clause("", "")),
    }
)


def list_threads(ruleset: str, moment: Moment, day: Day) -> Iterator[int]:
    """The threads of a day for an announcement, the first is the one to take; where the rules' own is not there, the others."""
    discussion = next(iter(day.discussion), 0)
    order = (discussion, day.vote)
    if PLACES[ruleset].vote_too and moment is Moment.CLOSE:
        order = (day.vote, discussion)
    yield from (tid for tid in (*order, day.progress or 0) if tid)
