"""What `cards` prints: each card with the posts that count for it and those that do not, and what each seat has been given."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from engine.game import Game
from engine.language import tell_finding
from engine.report.safe import show
from engine.report.terminal import hang
from engine.report.values import Json, card_value, finding_value, moment
from engine.report.words import Words
from scraper.post import Source
from tally.finding import Finding, severity
from tally.penalties import Mark, Penalty, Record, count_after, find_records
from tally.result import Card, DayTally
from tally.words import term_words

if TYPE_CHECKING:
    from rich.console import Console


# What `cards` says of every card, where a tally leaves it out.
_NOTHING: dict[str, Json] = {"confirmed": None, "counted": [], "ignored": []}


def cards_value(tally: DayTally, marks: Sequence[Mark], game: Game) -> Json:
    """A day's cards as JSON: what is proposed or given, and the record of every seat up to that day."""
    records = find_records(marks, tally.day)
    return {
        "game": game.title,
        "ruleset": game.ruleset.id,
        "day": tally.day,
        "as_of": moment(tally.as_of, game),
        "complete": tally.complete,
        "final": tally.final,
        "cards": [{**_NOTHING, **card_value(card), **_then_value(card, records)} for card in tally.cards],
        "records": [_record_value(record) for record in records],
        "findings": [finding_value(finding) for finding in _about_cards(tally)],
    }


def _then_value(card: Card, records: Sequence[Record]) -> dict[str, Json]:
    if card.confirmed is not None:
        return {}
    yellows, points = count_after(card, records)
    return {"then": {"yellows": yellows, "points": points}}


def _record_value(record: Record) -> Json:
    return {
        "seat": record.seat,
        "yellows": [_mark_value(mark) for mark in record.yellows],
        "points": record.points,
        "deductions": [{**_mark_value(mark), "points": mark.points} for mark in record.deductions],
        "off": _mark_value(record.off) if record.off is not None else None,
    }


def _mark_value(mark: Mark) -> dict[str, Json]:
    return {"day": mark.day, "ledger": mark.line, "reason": mark.reason}


def _about_cards(tally: DayTally) -> tuple[Finding, ...]:
    return tuple(finding for finding in tally.findings if finding.code.startswith("D") and finding.code != "D102")


def print_cards(console: Console, tally: DayTally, marks: Sequence[Mark], game: Game, words: Words) -> None:
    """Print a day's cards."""
    from rich.text import Text

    console.print(Text(words("cards_title", game=show(game.title), day=tally.day), style="bold"))
    if not tally.cards:
        over = tally.complete and tally.closes is not None and tally.as_of >= tally.closes
        console.print(Text(words("cards_none" if over else "cards_wait")))
    records = find_records(marks, tally.day)
    for card in tally.cards:
        for label, text, style in _lines(card, records, game, words):
            console.print(hang(label, text, style))
    for place, record in enumerate(records):
        label = "cards_record_points" if game.cards.sent_off_at is not None else "cards_record"
        text = words(label, seat=show(record.seat), yellows=len(record.yellows), points=record.points)
        console.print(hang(words("cards_records") if place == 0 else "", text))
    for place, finding in enumerate(_about_cards(tally)):
        text = f"[{words.severity(severity(finding))} {finding.code}] {show(tell_finding(finding, words.language))}"
        console.print(hang(words("findings") if place == 0 else "", text))
    open_seats = list(dict.fromkeys(show(card.seat) for card in tally.cards if card.confirmed is None))
    if open_seats:
        told = words("cards_confirm", game=show(str(game.path)), day=tally.day, seats=" --confirm ".join(open_seats))
        console.print(Text(told))


def _lines(card: Card, records: Sequence[Record], game: Game, words: Words) -> Iterator[tuple[str, str, str]]:
    """Label, text and style of each line about one card."""
    state = words("card_open") if card.confirmed is None else words("card_given", line=card.confirmed)
    points = f" {card.points}" if card.points else ""
    yield (
        show(card.seat),
        words.tell(f"{words.card(card.card)}{points}", words.because_of(card.reason) + words.aside(state)),
        "bold",
    )
    if card.card in (Penalty.YELLOW, Penalty.POINTS):
        yield words("cards_counted"), words.chain(_post(post, words) for post in card.counted) or words("cards_no_posts"), ""
        if card.ignored:
            whys = (*card.why, *[""] * len(card.ignored))
            told = [
                f"{_post(post, words)} {term_words(why, words.language)}" for post, why in zip(card.ignored, whys, strict=False)
            ]
            yield words("cards_ignored"), words.chain(told), ""
    if card.confirmed is None:
        yellows, total = count_after(card, records)
        if card.card == Penalty.YELLOW:
            red = words("cards_then_red") if yellows >= game.cards.yellow_to_red else ""
            yield "", words("cards_then", count=yellows, red=red), ""
        else:
            off = words("cards_then_off") if total >= (game.cards.sent_off_at or total + 1) else ""
            yield "", words("cards_then_points", count=total, off=off), ""


def _post(post: Source, words: Words) -> str:
    return words("post_at", floor=show(post.floor), pid=post.pid, tid=post.tid)
