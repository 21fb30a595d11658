"""Two directors' ledgers made one: where one is the beginning of the other the longer one holds, a fork is shown line by line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from engine.game import Game
from engine.ledger import parse_ledger, standing_events
from engine.ledgerfile import append_lines
from engine.rulings import check_ledger
from engine.textfile import decode_text, read_text


@dataclass(frozen=True, slots=True)
class Parting:
    """A line in which two ledgers differ: its number, and what stands there in each (None where one has ended)."""

    number: int
    ours: str | None
    theirs: str | None


@dataclass(frozen=True, slots=True)
class LedgerMerge:
    """How two ledgers go together: the lines that ours lacks, how many theirs lacks, or where they part."""

    added: tuple[str, ...] = ()
    ahead: int = 0
    partings: tuple[Parting, ...] = ()


def compare_ledgers(ours: Sequence[str], theirs: Sequence[str]) -> LedgerMerge:
    """Hold two ledgers against each other, line by line to the letter; white space at a line's end does not count."""
    shared = min(len(ours), len(theirs))
    parted = next((place for place in range(shared) if ours[place].rstrip() != theirs[place].rstrip()), None)
    if parted is not None:
        rows = enumerate(zip_longest(ours[parted:], theirs[parted:]), parted + 1)
        return LedgerMerge(
            partings=tuple(
                Parting(number, mine, other) for number, (mine, other) in rows if (mine or "").rstrip() != (other or "").rstrip()
            )
        )
    return LedgerMerge(tuple(theirs[shared:]), len(ours) - shared)


def merge_ledger(game: Game, theirs: Path) -> LedgerMerge:
    """Add to a game's ledger what the other one goes on with; nothing is written where they part.

    UsageError as `read_text`, and where somebody writes into our ledger meanwhile; LedgerError for a line of theirs that no
    ledger of this game can hold.
    """
    ours = game.ledger
    raw = ours.read_bytes() if ours.exists() else b""
    text = read_text(theirs)
    merged = compare_ledgers(_split(_decode(raw, ours)), _split(text))
    if merged.added:
        events = parse_ledger(text, game.zone, str(theirs))
        check_ledger(game, standing_events(events))
        append_lines(ours, merged.added, known=raw)
    return merged


def _decode(raw: bytes, path: Path) -> str:
    return decode_text(raw, str(path)).replace("\r\n", "\n").replace("\r", "\n")


def _split(text: str) -> tuple[str, ...]:
    """The lines of a ledger. Empty ones count: 撤销 names a line by its number, so that none may move."""
    return tuple(text.removesuffix("\n").split("\n")) if text else ()
