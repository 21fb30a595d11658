"""A check as the BBCode of a ruling post: what is proved, and what the director ruled, fit to be posted as it is.

Suspects are left out: a hint is not said in public before it is ruled. So are notes. The post is the template `ruling`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from engine.game import Game
from engine.report.safe import escape_bbcode
from engine.report.sounds.terminal import describe_place, describe_remark, describe_rule, is_provisional
from engine.report.sounds.view import Entry, list_entries, reveal
from engine.report.sounds.words import CheckWords
from engine.report.templating import Code, Template, render
from engine.sounds.check import SpeechCheck
from tally.finding import Severity
from tally.sounds.marks import Piece


@dataclass(frozen=True, slots=True)
class RuledPost:
    """One post as the template is given it: the seat, where it stands, its lines with what offends marked, the remarks."""

    seat: str
    place: str
    lines: tuple[Code, ...]
    remarks: tuple[str, ...]


def write_bbcode(check: SpeechCheck, game: Game, *, day: int | None = None) -> str:
    """Write the post: the rule, each breach with its words marked in place, then what was ruled lawful."""
    words = CheckWords("zh")
    entries = list(list_entries(check))
    breaches = [entry for entry in entries if entry.severity is Severity.ERROR]
    lawful = [entry for entry in entries if entry.ruling is not None and entry.ruling.lawful]
    scope = words("all_days") if day is None else words("one_day", day=day)
    return render(
        Template.RULING,
        game,
        title=words("title", game=game.title, scope=scope),
        rule=describe_rule(game, words),
        provisional=words("provisional_post") if is_provisional(check) else "",
        breaches_head=words("post_breaches", count=len(breaches)) if breaches else words("post_clean"),
        breaches=tuple(_list_posts(breaches, words)),
        lawful_head=words("post_lawful", count=len(lawful)),
        lawful=tuple(_list_posts(lawful, words)),
    )


def _list_posts(entries: Iterable[Entry], words: CheckWords) -> Iterator[RuledPost]:
    for entry in entries:
        lines = (words("left_out") if line is None else "".join(map(_piece, line[1])) for line in entry.lines)
        remarks = tuple(
            describe_remark(remark, words, places=False)
            for remark in entry.remarks
            if remark.severity is Severity.ERROR or remark.finding.code == "C108" or entry.ruling is not None
        )
        yield RuledPost(entry.seat, describe_place(entry, words), tuple(map(Code, lines)), remarks)


def _piece(piece: Piece) -> str:
    text = escape_bbcode(reveal(piece))
    return f"[color=red][b]{text}[/b][/color]" if piece.codes else text
