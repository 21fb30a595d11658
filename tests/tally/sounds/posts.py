"""Posts of a chanted seat for the tests of sounds: one day, one seat, and a check of what is typed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta, timezone

from scraper.post import (
    Comment,
    History,
    Message,
    Post,
    PostState,
    Rating,
    Revision,
)
from tally.day import Day
from tally.sounds.case import SoundCase
from tally.sounds.chant import Chant
from tally.sounds.check import check_history
from tally.sounds.finding import SoundFinding
from tally.sounds.sets import SECRET_NUMBER, SoundRules
from tests.tally.sounds.samples import read_message

ZONE = timezone(timedelta(hours=8))
DISCUSSION, VOTE, PROGRESS = 1, 2, 3
SEAT = "包子"


def at(day: int, clock: str) -> datetime:
    """Give a moment of June 2018, to the second."""
    hour, minute, second = (*(int(part) for part in clock.split(":")), 0, 0)[:3]
    return datetime(2018, 6, day, hour, minute, second, tzinfo=ZONE)


DAYS = (
    Day(2, at(3, "9:30"), at(5, "21:00"), VOTE, (DISCUSSION,), PROGRESS, chanted=(SEAT,)),
    Day(3, at(6, "9:30"), at(8, "21:00"), VOTE, (DISCUSSION,), PROGRESS),
)
CHANT = Chant(SEAT, at(3, "9:30"))
NOON = at(4, "12:00")


def make_post(words: str | Message, posted: datetime = NOON, tid: int = DISCUSSION) -> Post:
    """Make a post of the chanted seat; `words` as they are typed."""
    return Post(tid, 88, "12#", SEAT, 7, posted, read_message(words) if isinstance(words, str) else words)


def make_history(*revisions: Post, seen: Sequence[datetime] = ()) -> History:
    """Make a history: each revision is seen a minute after the one before, or after its edit, unless `seen` says when."""
    times = list(seen)
    for post in revisions[len(times) :]:
        made = max(post.edited.at if post.edited else post.posted_at, times[-1] if times else post.posted_at)
        times.append(made + timedelta(minutes=1))
    numbered = tuple(Revision(count, when, post) for count, (when, post) in enumerate(zip(times, revisions, strict=True), 1))
    return History(numbered, PostState.NORMAL, numbered[-1].seen_at)


def check(
    words: str | Message | Post, rules: SoundRules = SECRET_NUMBER, tid: int = DISCUSSION, case: SoundCase | None = None
) -> tuple[SoundFinding, ...]:
    """Check one post of one revision, made at noon of a chanted day."""
    post = words if isinstance(words, Post) else make_post(words, tid=tid)
    return check_history(make_history(post), CHANT, case or SoundCase(rules, DAYS))


def list_places(findings: Sequence[SoundFinding]) -> list[tuple[str, int | None, int | None, str]]:
    """List code, line, column and code point of findings."""
    return [(found.code, found.source.line, found.source.column, found.codepoint) for found in findings]


def says(name: str, uid: int | None) -> bool:
    """Tell the chanted seat's account."""
    return name == SEAT and uid in (7, None)


def make_remarked(*comments: Comment, ratings: tuple[Rating, ...] = ()) -> Post:
    """Make a post of somebody else with remarks under it."""
    return make_post("大家早")._replace(pid=50, author="饺子", uid=9, comments=comments, ratings=ratings)
