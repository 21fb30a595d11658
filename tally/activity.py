"""Who spoke on a day, and how much: posts and effective characters per seat, with the posts counted and not counted.

Effective are the author's own characters: no quotes, edit marks, smilies, attachments, code or white space. A player who only
quotes spoke nothing. Read is the latest words that could be seen, but no edit made after the close: a post that was begun short
and finished later is judged by what it became while the day was open.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from scraper.post import History, Message, PostState, Revision, Smiley, Source, Text
from tally.day import Day
from tally.reading import cite
from tally.roster import Accounts, PosterKind
from tally.window import is_after_close, is_before_open

# Why a post does not count, as the terms of findings have it.
OUTSIDE, SILENT, UNREAD = "outside_window", "says_nothing", "never_read"


@dataclass(frozen=True, slots=True)
class Activity:
    """What one seat said on a day: how many posts and effective characters, and where.

    `ignored` are posts that do not count, `why` gives for each of them the reason: outside the window, nothing said in it, never
    read.
    """

    seat: str
    posts: int = 0
    characters: int = 0
    counted: tuple[Source, ...] = ()
    ignored: tuple[Source, ...] = ()
    why: tuple[str, ...] = ()


def measure_activity(histories: Iterable[History], day: Day, accounts: Accounts) -> dict[str, Activity]:
    """The activity of every seat that posted in these threads; a seat without posts is not among them.

    Only what was posted while the day was open counts.
    """
    counted: dict[str, list[tuple[Source, int]]] = {}
    ignored: dict[str, list[tuple[Source, str]]] = {}
    for history in sorted(histories, key=lambda history: (history.posted_at, history.pid)):
        poster = accounts.find_poster(history)
        if poster.kind is not PosterKind.SEAT:
            continue
        revision = choose_words(history, day)
        source = cite(history, revision)
        if why := _why_not(history, revision, day):
            ignored.setdefault(poster.name, []).append((source, why))
        elif revision is not None:
            counted.setdefault(poster.name, []).append((source, count_characters(revision.post.message)))
    return {
        seat: Activity(
            seat,
            len(counted.get(seat, ())),
            sum(characters for _, characters in counted.get(seat, ())),
            tuple(source for source, _ in counted.get(seat, ())),
            tuple(source for source, _ in ignored.get(seat, ())),
            tuple(why for _, why in ignored.get(seat, ())),
        )
        for seat in dict.fromkeys([*counted, *ignored])
    }


def is_outside(history: History, day: Day) -> bool:
    """Whether a post was made while the day was not open."""
    at = history.posted_at
    return is_before_open(at, history.exact_seconds, day) or is_after_close(at, day)


def _why_not(history: History, revision: Revision | None, day: Day) -> str:
    if is_outside(history, day):
        return OUTSIDE
    if revision is None:
        return UNREAD
    return "" if says_anything(revision.post.message) else SILENT


def choose_words(history: History, day: Day) -> Revision | None:
    """The last revision that could be read and was not edited after the close; the first that could where there is no such."""
    readable = [one for one in history.revisions if one.post.state is PostState.NORMAL]
    in_time = [one for one in readable if one.post.edited is None or one.post.edited.at <= day.ends]
    return in_time[-1] if in_time else next(iter(readable), None)


def count_characters(message: Message) -> int:
    """The effective characters of a message: its own words without white space and marks that show nothing."""
    return sum(
        not character.isspace() and unicodedata.category(character) not in ("Cc", "Cf")
        for line in message.lines
        for token in line
        if isinstance(token, Text)
        for character in token.text
    )


def says_anything(message: Message) -> bool:
    """Whether a message has own words or a smiley: a chanted player may post nothing but sounds and smilies."""
    return count_characters(message) > 0 or any(isinstance(token, Smiley) for line in message.lines for token in line)
