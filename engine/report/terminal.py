"""One day's tally for a terminal: the same DayTally as the JSON, in tables and short lists.

Nothing is said by colour alone, and no word of a player's reaches the terminal unescaped (see `safe`).
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import TYPE_CHECKING, TextIO

from engine.game import Game
from engine.language import tell_finding
from engine.report.safe import shorten, show
from engine.report.words import Words
from tally.ballot import Act, Ballot
from tally.dayevent import DayEvent
from tally.finding import Finding, Severity, severity
from tally.publish import Published, Shown
from tally.result import Card, DayTally, NeedsRuling, Verdict
from tally.verdict import clause_of, rule_keys

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text

_WIDTH = 110
_RAW = 40


def make_console(stream: TextIO | None = None, *, width: int | None = None) -> Console:
    """A console on a stream (default: standard output): colours only on a terminal, a fixed width elsewhere."""
    from rich.console import Console

    out = stream or sys.stdout
    fixed = width or (None if out.isatty() else _WIDTH)
    return Console(file=out, width=fixed, markup=False, highlight=False, emoji=False, soft_wrap=False)


def print_tally(console: Console, tally: DayTally, game: Game, words: Words, *, digest: str = "", operator: str = "") -> None:
    """Print one day: the table of counts, then where every other post went, the verdict and what to look at.

    `digest` is that of the JSON, `operator` who ran the count, where they are told.
    """
    for part in _parts(tally, game, words):
        console.print(part)
    for label, text in (("digest", digest), ("operator", operator)):
        if text:
            console.print(hang(words(label), show(text)))
    console.print()


def print_public(
    console: Console, published: Published, game: Game, words: Words, *, digest: str = "", operator: str = ""
) -> None:
    """Print the part of a tally that everybody may see, as `print_tally` does the whole."""
    if published.shown is Shown.ALL:
        print_tally(console, published.tally, game, words, digest=digest, operator=operator)
        if not published.weights:
            console.print(words("no_weights"))
        return
    tally = published.tally
    for part in (_title(tally, game, words), _standing(tally, game, words)):
        console.print(part)
    told = words("not_public")
    if published.shown is Shown.VERDICT:
        console.print(hang(words("verdict"), verdict_sentence(tally.verdict, words), style="bold"))
        told = words("votes_not_public")
    console.print(told)
    console.print()


def _title(tally: DayTally, game: Game, words: Words) -> RenderableType:
    from rich.text import Text

    label = "title_poll" if tally.poll else "title"
    return Text(words(label, game=show(game.title), day=tally.day, poll=tally.poll, as_of=clock(tally.as_of, game)), style="bold")


def _standing(tally: DayTally, game: Game, words: Words) -> RenderableType:
    from rich.text import Text

    return Text(describe_standing(tally, game, words), style="bold green" if tally.final else "bold yellow")


def _verdict(tally: DayTally, words: Words) -> str:
    """The verdict in a line, marked where it is not final."""
    if tally.is_blank:
        return words("unread")
    sentence = verdict_sentence(tally.verdict, words)
    return sentence if tally.final else words("provisional_verdict", verdict=sentence)


def _parts(tally: DayTally, game: Game, words: Words) -> Iterator[RenderableType]:
    yield _title(tally, game, words)
    yield _standing(tally, game, words)
    yield _counts(tally, words)
    for label, ballots in (("abstained", tally.abstained), ("replaced", tally.replaced)):
        if ballots:
            yield hang(words(label), words.join(name_ballot(ballot, words) for ballot in ballots))
    if tally.not_voted:
        yield hang(words("not_voted"), words.join(show(seat) for seat in tally.not_voted))
    if tally.void:
        yield _void(tally.void, game, words, tally.poll)
    yield from (hang(words("needs_ruling"), _doubt(doubt, words)) for doubt in tally.needs_ruling)
    if tally.not_ballots:
        yield hang(words("not_ballots"), str(len(tally.not_ballots)))
    if tally.cards:
        yield hang(words("cards"), words.join(_card(card, words) for card in tally.cards))
    yield hang(words("verdict"), _verdict(tally, words), style="bold")
    if tally.verdict.because and not tally.is_blank:
        yield hang("", show(words.translate(tally.verdict.because)))
    if tally.verdict.clause and not tally.is_blank:
        yield hang("", f"「{show(tally.verdict.clause)}」")
    if tally.verdict.race:
        yield hang(words("race"), "\n".join(_race(tally.verdict, game, words)))
    yield from (
        hang(words("events") if not place else "", _event(event, game, words)) for place, event in enumerate(tally.events)
    )
    yield from _findings(tally.findings, words)
    yield hang(words("evidence"), _evidence(tally, game, words))


def clock(at: datetime, game: Game) -> str:
    """A time for people: to the second, in the game's zone, with its offset from UTC."""
    return at.astimezone(game.zone).strftime("%Y-%m-%d %H:%M:%S %z")


def verdict_sentence(verdict: Verdict, words: Words) -> str:
    """The decision with its seats; the role instead, while the seat may not be printed."""
    named = words.join(show(seat) for seat in verdict.seats)
    if not named and verdict.role:
        named = show(verdict.role)
    return words.tell(words.decision(verdict.decision), named)


def describe_standing(tally: DayTally, game: Game, words: Words) -> str:
    """Whether the result is final, and if not, everything that it waits for."""
    if tally.final:
        return words("final")
    why = []
    day = game.day(tally.day)
    if not tally.complete:
        pages = words.join(str(page) for page in tally.evidence.missing_pages)
        why.append(words("why_pages", pages=pages) if pages else words("why_incomplete"))
    if any(finding.code == "B406" for finding in tally.findings):
        why.append(words("why_unclosed"))
    elif tally.evidence.first_pass_after_close is None:
        why.append(words("why_open"))
    elif tally.as_of < (tally.closes or (day.closes if day is not None else tally.as_of)):
        why.append(words("why_as_of"))
    if tally.needs_ruling:
        why.append(words("why_ruling", count=len(tally.needs_ruling)))
    errors = sum(severity(finding) is Severity.ERROR for finding in tally.findings)
    if not why and errors:
        why.append(words("why_errors", count=errors))
    return words("provisional", why=words.chain(why) or "—")


def _counts(tally: DayTally, words: Words) -> RenderableType:
    from rich.table import Table
    from rich.text import Text

    table = Table(show_lines=False, pad_edge=True)
    table.add_column(words("target"), no_wrap=True)
    table.add_column(words("votes"), justify="right", no_wrap=True)
    table.add_column(words("voters"), overflow="fold")
    for count in tally.counts:
        voters = words.join(name_ballot(ballot, words) for ballot in count.ballots)
        table.add_row(Text(show(count.target)), Text(str(count.votes)), Text(voters))
    if not tally.counts:
        table.add_row(Text("—"), Text("0"), Text(words("no_votes")))
    return table


def _void(ballots: Iterable[Ballot], game: Game, words: Words, poll: str = "") -> RenderableType:
    from rich.table import Table
    from rich.text import Text

    table = Table(title=words("void"), title_justify="left", title_style="bold")
    for column in ("voter", "floor", "raw", "reason", "clause"):
        table.add_column(words(column), overflow="fold")
    for ballot in ballots:
        clause = clause_of(game.policy, *rule_keys(ballot, poll))
        reason = words.reason(ballot.reason) if ballot.reason else ""
        cells = (show(ballot.voter), place(ballot, words), shorten(ballot.raw, _RAW), reason, clause)
        table.add_row(*(Text(cell) for cell in cells))
    return table


def place(ballot: Ballot, words: Words) -> str:
    """Where a ballot stands: its floor, or the line of the ledger."""
    if ballot.post is None:
        return line_words(ballot.line, ballot.file, words)
    return show(ballot.post.floor or f"pid {ballot.post.pid}")


def line_words(line: int | None, file: str, words: Words) -> str:
    """A line of the ledger, or of the table `file`; a curse that the game file tells has none."""
    if line is None:
        return "game.toml"
    return words("table", file=file, line=line) if file else words("ledger", line=line)


def name_by(ballot: Ballot, words: Words) -> str:
    """By whom a ballot was cast, where that is not its voter; "" where it is."""
    if ballot.by == ballot.voter:
        return ""
    return words("manipulated" if ballot.act is Act.MANIPULATE else "by", by=show(ballot.by))


def name_ballot(ballot: Ballot, words: Words) -> str:
    """A voter with his ballot's place, and what is odd about it: its weight, who cast it, a ruling."""
    doubled = words("doubled", weight=ballot.weight) if ballot.weight != 1 else ""
    marked = words.aside(name_by(ballot, words), words("ruled") if ballot.ruled else "")
    return f"{show(ballot.voter)} {place(ballot, words)}{doubled}{marked}"


def _doubt(doubt: NeedsRuling, words: Words) -> str:
    post = f"{show(doubt.voter)} {show(doubt.post.floor)} pid={doubt.post.pid} tid={doubt.post.tid}"
    lines = [words.tell(post, shorten(doubt.raw, _RAW))]
    for reading in doubt.readings:
        counts = words.join(words("counted", target=show(target), votes=votes) for target, votes in reading.counts)
        verdict = verdict_sentence(reading.verdict, words)
        lines.append(words("reading", ruling=show(reading.ruling), counts=counts or words("no_votes"), verdict=verdict))
    return "\n".join(lines)


def _race(verdict: Verdict, game: Game, words: Words) -> Iterator[str]:
    for step in verdict.race:
        ballot = step.ballot
        yield words(
            "step",
            at=clock(ballot.at, game),
            target=show(step.target),
            votes=step.votes,
            voter=show(ballot.voter),
            floor=place(ballot, words),
        )


def _card(card: Card, words: Words) -> str:
    state = words("card_open") if card.confirmed is None else words("card_given", line=card.confirmed)
    points = f" {card.points}" if card.points else ""
    return f"{show(card.seat)} {words.card(card.card)}{points}{words.aside(words.because_of(card.reason), state)}"


def _event(event: DayEvent, game: Game, words: Words) -> str:
    posts = words.join(show(post.floor or f"pid {post.pid}") for post in event.posts)
    return f"{clock(event.at, game)}  {show(words.translate(event.because))}{words.aside(posts)}"


def _findings(findings: tuple[Finding, ...], words: Words) -> Iterator[RenderableType]:
    for position, finding in enumerate(findings):
        where = f" {show(finding.source.floor)} pid={finding.source.pid}" if finding.source else ""
        text = f"[{words.severity(severity(finding))} {finding.code}]{where} {show(tell_finding(finding, words.language))}"
        yield hang(words("findings") if position == 0 else "", text)


def _evidence(tally: DayTally, game: Game, words: Words) -> str:
    moments = (("before", tally.evidence.last_pass_before_close), ("after", tally.evidence.first_pass_after_close))
    return words.chain(words(label, at=clock(at, game) if at else words("never")) for label, at in moments)


def hang(label: str, text: str | Text, style: str = "") -> RenderableType:
    """A label, and what belongs to it hanging beside it; a text that is styled already stays so."""
    from rich.table import Table
    from rich.text import Text

    grid = Table.grid(padding=(0, 1))
    grid.add_column(width=12, no_wrap=True)
    grid.add_column(overflow="fold")
    grid.add_row(Text(label, style="bold"), Text(text, style=style) if isinstance(text, str) else text)
    return grid
