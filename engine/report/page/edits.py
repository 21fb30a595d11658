"""Posts that did not stay as they were: edited, blocked or deleted, each revision with what it changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from difflib import SequenceMatcher
from enum import StrEnum
from itertools import pairwise

from scraper.post import History, PostState, Revision


class Mark(StrEnum):
    """What became of a piece of text from one revision to the next."""

    KEPT = "kept"
    REMOVED = "removed"
    ADDED = "added"


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of text and what became of it."""

    mark: Mark
    text: str


@dataclass(frozen=True, slots=True)
class Version:
    """A later revision: its number, when it was first seen, its state, and its text against the one before."""

    number: int
    seen_at: datetime
    state: PostState
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Edited:
    """A post with its first words, when they were seen, and every later revision."""

    history: History
    first: Revision
    versions: tuple[Version, ...]


def find_edited(histories: Iterable[History]) -> Iterator[Edited]:
    """The posts that were seen in more than one revision, or that are gone."""
    for history in histories:
        versions = tuple(_list_versions(history))
        if versions or history.state is PostState.DELETED:
            yield Edited(history, history.revisions[0], versions)


def compare(before: str, after: str) -> tuple[Piece, ...]:
    """Two texts as one, in pieces that were kept, removed or added; character by character, as Chinese has no spaces."""
    pieces: list[Piece] = []
    for kind, start, end, other_start, other_end in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind == "equal":
            pieces.append(Piece(Mark.KEPT, before[start:end]))
            continue
        if start < end:
            pieces.append(Piece(Mark.REMOVED, before[start:end]))
        if other_start < other_end:
            pieces.append(Piece(Mark.ADDED, after[other_start:other_end]))
    return tuple(pieces)


# Beyond this many characters two revisions are shown one after the other: comparing them takes the square of it.
_LONGEST = 4000


def _list_versions(history: History) -> Iterator[Version]:
    for before, after in pairwise(history.revisions):
        old, new = before.post.message.text, after.post.message.text
        short = max(len(old), len(new)) <= _LONGEST
        pieces = compare(old, new) if short else (Piece(Mark.REMOVED, old), Piece(Mark.ADDED, new))
        yield Version(after.number, after.seen_at, after.post.state, pieces)
