"""Posts that did not stay as they were: edited, blocked or deleted, each revision with what it changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from difflib import SequenceMatcher
from enum import StrEnum
from itertools import groupby, pairwise

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


# Pieces of more characters (or lines) than these are compared line by line (or not at all): it takes the square of it.
_LONGEST = 1000


def compare(before: str, after: str) -> tuple[Piece, ...]:
    """Two texts as one, in pieces that were kept, removed or added; character by character, as Chinese has no spaces.

    What the two begin and end with alike is kept; where long stretches differ, they are compared line by line.
    """
    head = _count_alike(before, after)
    tail = _count_alike(before[head:][::-1], after[head:][::-1])
    old, new = before[head : len(before) - tail], after[head : len(after) - tail]
    pieces = [Piece(Mark.KEPT, before[:head]), *_compare_middle(old, new), Piece(Mark.KEPT, before[len(before) - tail :])]
    return tuple(_join(piece for piece in pieces if piece.text))


def _count_alike(one: str, other: str) -> int:
    """How many characters two texts begin with alike."""
    return next((place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _compare_middle(old: str, new: str) -> Iterator[Piece]:
    if max(len(old), len(new)) <= _LONGEST:
        yield from _compare_parts(old, new)
        return
    old_lines, new_lines = old.splitlines(keepends=True), new.splitlines(keepends=True)
    if max(len(old_lines), len(new_lines)) <= _LONGEST:
        yield from _compare_parts(old_lines, new_lines)
        return
    yield Piece(Mark.REMOVED, old)
    yield Piece(Mark.ADDED, new)


def _compare_parts(old: Sequence[str], new: Sequence[str]) -> Iterator[Piece]:
    for kind, start, end, other_start, other_end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            yield Piece(Mark.KEPT, "".join(old[start:end]))
            continue
        yield Piece(Mark.REMOVED, "".join(old[start:end]))
        yield Piece(Mark.ADDED, "".join(new[other_start:other_end]))


def _join(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """Neighbours of one mark as one piece."""
    for mark, alike in groupby(pieces, key=lambda piece: piece.mark):
        yield Piece(mark, "".join(piece.text for piece in alike))


def _list_versions(history: History) -> Iterator[Version]:
    for before, after in pairwise(history.revisions):
        pieces = compare(before.post.message.text, after.post.message.text)
        yield Version(after.number, after.seen_at, after.post.state, pieces)
