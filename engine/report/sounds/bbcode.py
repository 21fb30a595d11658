"""A check as the BBCode of a ruling post: what is proved, and what the director ruled, fit to be posted as it is.

Suspects are left out: a hint is not said in public before it is ruled. So are notes.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.game import Game
from engine.report.safe import escape_bbcode
from engine.report.sounds.terminal import describe_place, describe_remark, describe_rule, is_provisional
from engine.report.sounds.view import Entry, list_entries, reveal
from engine.report.sounds.words import CheckWords
from engine.sounds.check import SpeechCheck
from tally.finding import Severity
from tally.sounds.marks import Piece


def write_bbcode(check: SpeechCheck, game: Game, *, day: int | None = None) -> str:
    """Write the post: the rule, each breach with its words marked in place, then what was ruled lawful."""
    return "".join(f"{line}\n" for line in _lines(check, game, CheckWords("zh"), day))


def _lines(check: SpeechCheck, game: Game, words: CheckWords, day: int | None) -> Iterator[str]:
    entries = list(list_entries(check))
    breaches = [entry for entry in entries if entry.severity is Severity.ERROR]
    lawful = [entry for entry in entries if entry.ruling is not None and entry.ruling.lawful]
    scope = words("all_days") if day is None else words("one_day", day=day)
    yield f"[b]{escape_bbcode(words('title', game=game.title, scope=scope))}[/b]"
    yield escape_bbcode(describe_rule(game, words))
    if is_provisional(check):
        yield f"[b]{words('provisional_post')}[/b]"
    yield ""
    yield f"[b]{words('post_breaches', count=len(breaches)) if breaches else words('post_clean')}[/b]"
    for number, entry in enumerate(breaches, 1):
        yield from _entry(number, entry, words)
    if lawful:
        yield ""
        yield f"[b]{words('post_lawful', count=len(lawful))}[/b]"
        for number, entry in enumerate(lawful, 1):
            yield from _entry(number, entry, words)


def _entry(number: int, entry: Entry, words: CheckWords) -> Iterator[str]:
    yield f"{number}. [b]{escape_bbcode(entry.seat)}[/b] {escape_bbcode(describe_place(entry, words))}"
    for line in entry.lines:
        yield words("left_out") if line is None else "".join(_piece(piece) for piece in line[1])
    for remark in entry.remarks:
        if remark.severity is Severity.ERROR or remark.finding.code == "C108" or entry.ruling is not None:
            yield f"- {escape_bbcode(describe_remark(remark, words, places=False))}"


def _piece(piece: Piece) -> str:
    text = escape_bbcode(reveal(piece))
    return f"[color=red][b]{text}[/b][/color]" if piece.codes else text
