"""A checked post cut into pieces, so that any output (terminal, HTML, BBCode) can mark what offends in its place."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from scraper.post import Attachment, Code, Image, Message, Smiley, Text
from tally.sounds.finding import SoundFinding


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of one line with the codes found in it, none where it is clean.

    `text` is shown as it is by no output: it may hold control characters and markup, and each escapes it in its own way.
    Smilies read `[:name:]`, pictures and files `[image: address]` and `[attachment: name]`.
    """

    text: str
    codes: tuple[str, ...] = ()


def mark_message(message: Message, findings: Iterable[SoundFinding]) -> tuple[tuple[Piece, ...], ...]:
    """Cut the lines of a message where the findings of its revision begin and end.

    A finding about a character marks it alone; one about a link, hidden text, a picture, a file or a smiley marks the whole
    of it. Findings without a line belong to no piece.
    """
    chars: dict[tuple[int, int], set[str]] = {}
    things: dict[tuple[int, int], set[str]] = {}
    for found in findings:
        if found.source.line is not None and found.source.column is not None:
            marked = chars if found.codepoint else things
            marked.setdefault((found.source.line, found.source.column), set()).add(found.code)
    lines = []
    for number, line in enumerate(message.lines, 1):
        column = 1
        pieces: list[Piece] = []
        for token in line:
            whole = things.get((number, column), set())
            match token:
                case Text(text=text) | Code(text=text):
                    for place, char in enumerate(text, column):
                        _add(pieces, char, whole | chars.get((number, place), set()))
                    column += len(text)
                case Smiley(name=name):
                    _add(pieces, f"[:{name}:]", whole)
                    column += len(name) + 4
                case Image(address=address):
                    _add(pieces, f"[image: {address}]", whole)
                case Attachment(name=name):
                    _add(pieces, f"[attachment: {name}]", whole)
        lines.append(tuple(pieces))
    return tuple(lines)


def _add(pieces: list[Piece], text: str, codes: set[str]) -> None:
    """Add text to the last piece if it bears the same codes, else as a new one."""
    ordered = tuple(sorted(codes))
    if pieces and pieces[-1].codes == ordered:
        pieces[-1] = Piece(pieces[-1].text + text, ordered)
    else:
        pieces.append(Piece(text, ordered))
