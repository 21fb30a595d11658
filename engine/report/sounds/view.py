"""What every output shows of a checked post: its words with what offends marked in place, and the findings put together."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from engine.report.safe import show
from engine.sounds.check import SpeechCheck
from scraper.post import Source
from tally.finding import Finding, Severity
from tally.sounds.exempt import ThreadKind
from tally.sounds.finding import SoundFinding
from tally.sounds.marks import Piece, mark_message
from tally.sounds.ruled import CheckedPost, SoundRuling

# How many lines of a long post are shown where there is little room, and how much of a long clean stretch at either end.
_LINES, _ENDS = 12, 24
# Letters by category that show nothing.
_BLANK = "\u115f\u1160\u3164\uffa0\u2800"


@dataclass(frozen=True, slots=True)
class Marked:
    """One character that was found, and where: lines and columns, 1-based."""

    char: str
    name: str
    places: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Remark:
    """What was found in a post by one code, `count` times: its characters where it is about characters, else one finding."""

    finding: Finding
    severity: Severity
    chars: tuple[Marked, ...]
    count: int


@dataclass(frozen=True, slots=True)
class Entry:
    """One checked post: where it stands, its numbered lines in pieces (None: lines left out), and the remarks on it.

    Of somebody else's post, under which the seat spoke, no lines are shown.
    """

    seat: str
    severity: Severity
    source: Source
    thread: ThreadKind
    day: int
    at: datetime
    lines: tuple[tuple[int, tuple[Piece, ...]] | None, ...]
    remarks: tuple[Remark, ...]
    ruling: SoundRuling | None


def list_entries(check: SpeechCheck, *, whole: bool = False) -> Iterator[Entry]:
    """The posts of a check in its order; long ones are cut where nothing offends, unless they are wanted whole."""
    for post in check.posts:
        written = check.revision_of(post).post
        lines = list(enumerate(mark_message(written.message, post.findings), 1)) if check.is_own(post) else []
        yield Entry(
            seat=post.seat,
            severity=post.severity,
            source=post.source,
            thread=check.thread_kind(post),
            day=check.day_of(post),
            at=post.findings[0].at,
            lines=tuple(lines) if whole else tuple(_cut_lines(lines)),
            remarks=tuple(_list_remarks(post)),
            ruling=post.ruling,
        )


def reveal(piece: Piece) -> str:
    """The text of a piece as it may be shown: in an offending one, what cannot be seen reads as its code point."""
    return "".join(map(reveal_char, piece.text)) if piece.codes else show(piece.text)


def reveal_char(char: str) -> str:
    """A character, or its code point in `<…>` where it shows nothing by itself."""
    unseen = char.isspace() or char in _BLANK or unicodedata.category(char)[0] in "CM"
    return f"<U+{ord(char):04X}>" if unseen else char


def _cut_lines(lines: Sequence[tuple[int, tuple[Piece, ...]]]) -> Iterator[tuple[int, tuple[Piece, ...]] | None]:
    """The lines that offend (the first ones, where none does), with `None` once for what is left out between them."""
    offending = [line for line in lines if any(piece.codes for piece in line[1])]
    kept = {number for number, _ in (offending or lines)[:_LINES]} if len(lines) > _LINES else {number for number, _ in lines}
    last = True
    for number, pieces in lines:
        if number in kept:
            yield number, tuple(map(_cut_piece, pieces))
        elif last:
            yield None
        last = number in kept


def _cut_piece(piece: Piece) -> Piece:
    if len(piece.text) <= 2 * _ENDS + 8:
        return piece
    return replace(piece, text=f"{piece.text[:_ENDS]} …… {piece.text[-_ENDS:]}")


def _list_remarks(post: CheckedPost) -> Iterator[Remark]:
    """The findings in their order, the director's word first; those about characters of one kind are put together."""
    alike: dict[tuple[object, ...], list[SoundFinding]] = {}
    for found in sorted(post.findings, key=lambda one: one.code != "C108"):
        told = tuple(pair for pair in found.parameters if pair[0] != "more")
        place = () if found.codepoint else (found.source.line, found.source.column)
        alike.setdefault((found.code, found.severity, found.machine, told, place), []).append(found)
    for group in alike.values():
        uncounted = sum(int(value) for found in group for key, value in found.parameters if key == "more")
        yield Remark(group[0].finding, group[0].severity, tuple(_list_chars(group)), len(group) + uncounted)


def _list_chars(group: Sequence[SoundFinding]) -> Iterator[Marked]:
    chars: dict[str, list[SoundFinding]] = {}
    for found in group:
        if found.codepoint:
            chars.setdefault(found.codepoint, []).append(found)
    for point, same in chars.items():
        places = tuple((found.source.line or 1, found.source.column or 1) for found in same)
        yield Marked(chr(int(point[2:], 16)), same[0].name, places)
