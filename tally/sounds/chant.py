"""Who is chanted from when to when, and whether a post, an edit or a remark was made inside that time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from scraper.post import EditMark, History, Post, Revision
from tally.day import Day

# A board that prints no seconds leaves the rest of the minute open; so does every edit mark.
MINUTE = timedelta(seconds=59)
# By so much the clock of whoever looks may be slow, so that an edit seems to be made after the look that shows it.
_SLOW = timedelta(minutes=10)
# A post whose time could not be read may be as old as this.
_LONG = timedelta(days=366)
# The flaws of a post's time (scraper/page.py): only a relative one, and none that could be read.
_RELATIVE, _UNREAD = "A112", "A105"


@dataclass(frozen=True, slots=True)
class Chant:
    """A seat's time under the chant: from the opening of the next day to just before `end` (None: the piper is still in).

    `signature` is the seat's signature as it last stood before, None where it was never seen.
    """

    seat: str
    start: datetime
    end: datetime | None = None
    signature: str | None = None


@dataclass(frozen=True, slots=True)
class Moment:
    """When something was done, as well as the board tells: between `earliest` and `latest`, both included."""

    earliest: datetime
    latest: datetime


class Placing(StrEnum):
    """Where a moment lies: in the daytime of a chanted seat, in his night, outside the chant, or it cannot be told."""

    INSIDE = "inside"
    NIGHT = "night"
    FREE = "free"
    DOUBT = "doubt"


def list_chants(days: Sequence[Day], released: datetime | None = None) -> tuple[Chant, ...]:
    """List each chanted seat's time from the facts of the days, in order of the days.

    A day's `chanted` names seats that are published as chanted at its opening; it takes effect with that opening and lasts
    until `released`, the moment the piper is out (执行上述效果直到吹笛者出局: whether a later day names the seat again or not).
    """
    starts: dict[str, datetime] = {}
    for day in sorted(days, key=lambda day: day.opens):
        for seat in day.chanted:
            if released is None or day.opens < released:
                starts.setdefault(seat, day.opens)
    return tuple(Chant(seat, start, released) for seat, start in starts.items())


def place_moment(moment: Moment, chant: Chant, days: Sequence[Day]) -> Placing:
    """Tell whether a moment lies in the daytime of the chant; the opening and the close belong to the day."""
    end = chant.end
    if moment.latest < chant.start or (end is not None and moment.earliest >= end):
        return Placing.FREE
    chanted = chant.start <= moment.earliest and (end is None or moment.latest < end)
    touched = False
    for day in days:
        if chanted and day.opens <= moment.earliest and moment.latest <= day.closes:
            return Placing.INSIDE
        opens = max(day.opens, chant.start)
        in_time = end is None or opens < end
        if in_time and moment.earliest <= day.closes and moment.latest >= opens:
            touched = True
    return Placing.DOUBT if touched else Placing.NIGHT


def find_day(moment: Moment, days: Sequence[Day], since: datetime | None = None) -> int | None:
    """Give the number of the first day that the moment touches, None in the night; days that closed before `since` are none."""
    return next(
        (
            day.number
            for day in sorted(days, key=lambda day: day.opens)
            if day.opens <= moment.latest and moment.earliest <= day.closes and (since is None or since <= day.closes)
        ),
        None,
    )


def date_post(post: Post) -> Moment:
    """Tell when a post was made, as well as its page does: 3 小时前 is three hours or nearly four ago."""
    latest = post.posted_at if post.exact_seconds else post.posted_at + MINUTE
    for flaw in post.flaws:
        if flaw.code == _RELATIVE:
            return Moment(post.posted_at - timedelta(seconds=int(dict(flaw.parameters).get("margin", "0"))), latest)
        if flaw.code == _UNREAD:
            return Moment(post.posted_at - _LONG, latest)
    return Moment(post.posted_at, latest)


def date_revision(history: History, index: int) -> Moment:
    """Tell when the revision at `index` was made.

    The first one at its posting, or at the time of the edit mark it already bore; a later one at its own new edit mark, or,
    where the board printed none (X prints none in the first minute), between the look before and the look that found it. A mark
    whose time cannot be true says nothing.
    """
    revision = history.revisions[index]
    before = history.revisions[index - 1] if index else None
    mark = find_new_mark(revision.post, before.post if before is not None else None)
    if mark is not None and not was_typed(mark, revision):
        return Moment(mark.at, mark.at + MINUTE)
    if before is None:
        return date_post(revision.post)
    return Moment(min(before.seen_at, revision.seen_at), revision.seen_at)


def find_new_mark(post: Post, before: Post | None) -> EditMark | None:
    """The edit mark of a post that another revision did not bear yet; None where there is no such."""
    mark = post.edited
    return mark if mark is not None and (before is None or before.edited != mark) else None


def was_typed(mark: EditMark, revision: Revision) -> bool:
    """Whether an edit mark cannot be the board's: it tells of a time before the post was made, or after the look that shows it.

    The board keeps its mark among the words, so that anybody can type one (X, 7.2, 6.x).
    """
    return mark.at + MINUTE < date_post(revision.post).earliest or mark.at > revision.seen_at + _SLOW


def place_post(history: History, chant: Chant, days: Sequence[Day]) -> Placing:
    """Tell where a post lies by all its revisions: inside if any of them is, free only if all are."""
    if len(history.revisions) == 1:
        return place_moment(date_revision(history, 0), chant, days)
    found = {place_moment(date_revision(history, index), chant, days) for index in range(len(history.revisions))}
    return next(place for place in (Placing.INSIDE, Placing.DOUBT, Placing.NIGHT, Placing.FREE) if place in found)
