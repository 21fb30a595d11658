"""Who spoke on a day, and how much: posts and effective characters per seat, with the posts counted and not counted.

Effective are the author's own characters: no quotes, edit marks, smilies, attachments, code or white space. A player who only
quotes spoke nothing. Read is the latest words that could be seen: a post that was begun short and finished later is judged by
what it became.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from scraper.post import History, Message, PostState, Smiley, Source, Text
from tally.day import Day
from tally.reading import cite
from tally.roster import Accounts, PosterKind
from tally.window import is_after_close, is_before_open


@dataclass(frozen=True, slots=True)
class Activity:
    """What one seat said on a day: how many posts and effective characters, and where; `ignored` are posts that say nothing."""

    seat: str
    posts: int = 0
    characters: int = 0
    counted: tuple[Source, ...] = ()
    ignored: tuple[Source, ...] = ()


def measure_activity(histories: Iterable[History], day: Day, accounts: Accounts) -> dict[str, Activity]:
    """The activity of every seat that posted in these threads while the day was open; a seat without posts is not among them."""
    counted: dict[str, list[tuple[Source, int]]] = {}
    ignored: dict[str, list[Source]] = {}
    for history in histories:
        at = history.posted_at
        if is_before_open(at, history.exact_seconds, day) or is_after_close(at, day):
            continue
        poster = accounts.find_poster(history)
        if poster.kind is not PosterKind.SEAT:
            continue
        revision = next((one for one in reversed(history.revisions) if one.post.state is PostState.NORMAL), None)
        if revision is None or not says_anything(revision.post.message):
            ignored.setdefault(poster.name, []).append(cite(history, revision))
        else:
            pair = cite(history, revision), count_characters(revision.post.message)
            counted.setdefault(poster.name, []).append(pair)
    return {
        seat: Activity(
            seat,
            len(counted.get(seat, ())),
            sum(characters for _, characters in counted.get(seat, ())),
            tuple(source for source, _ in counted.get(seat, ())),
            tuple(ignored.get(seat, ())),
        )
        for seat in dict.fromkeys([*counted, *ignored])
    }


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
