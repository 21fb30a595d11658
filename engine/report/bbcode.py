"""Tallies as the BBCode of a post: what may be public by the rules of the system, and never a provisional result unmarked.

Whatever players wrote is shown to the letter and runs nothing. Cards that nobody has confirmed, findings and the director's own
matters stay out of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine.game import Game
from engine.publicity import publish_tally
from engine.report.safe import escape_bbcode, shorten
from engine.report.templating import Code, Template, render
from engine.report.terminal import clock, describe_standing, name_ballot, place, verdict_sentence
from engine.report.words import Words
from tally.publish import Published, Shown
from tally.result import DayTally, NeedsRuling

PROVISIONAL = "暂定，不是最终结果"
# Where nobody is told who the sheriff is, ballots stand here without what they weigh.
NO_WEIGHTS = Words("zh")("no_weights")
_WORDS = Words("zh")
_RAW = 40


def write_bbcode(tallies: Iterable[DayTally], digests: Iterable[str], game: Game, operator: str = "") -> str:
    """The post; `digests` are those of the tallies' JSON, in the same order, `operator` is who counted, where that is told."""
    posts = zip(tallies, digests, strict=True)
    return "\n".join(_write(tally, digest, game, operator) for tally, digest in posts)


def _write(whole: DayTally, digest: str, game: Game, operator: str) -> str:
    """One tally by the template `tally`; whatever a template of one's own leaves out, a provisional result is marked."""
    published = publish_tally(whole, game)
    tally = published.tally
    label = "title_poll" if tally.poll else "title"
    name = escape_bbcode(game.title)
    hidden = published.shown is not Shown.ALL
    # Where the votes are not public, neither is what is doubtful about them.
    standing = "" if tally.final else PROVISIONAL if hidden else describe_standing(whole, game, _WORDS)
    audit = []
    if published.shown is Shown.ALL and published.weights:
        # Of what is not shown, a digest would let somebody try what it may be.
        audit.append(f"{_WORDS('digest')}：{digest}")
    if operator:
        audit.append(f"{_WORDS('operator')}：{escape_bbcode(operator)}")
    return render(
        Template.TALLY,
        game,
        title=Code(_WORDS(label, game=name, day=tally.day, poll=tally.poll, as_of=clock(tally.as_of, game))),
        standing=standing,
        ballots=_code(() if hidden else _ballots(tally)),
        verdict=_code(_verdict(published)),
        course=_code(_course(tally, game)),
        cards=[f"{_WORDS.card(card.card)}：{card.seat}（{card.reason}）" for card in tally.cards if card.confirmed is not None],
        audit=_code(audit),
        provisional="" if tally.final else PROVISIONAL,
    )


def _code(lines: Iterable[str]) -> list[Code]:
    return [Code(line) for line in lines]


def _verdict(published: Published) -> Iterator[str]:
    tally = published.tally
    if not published.weights:
        yield NO_WEIGHTS
    if tally.is_blank:
        yield f"[b]{_WORDS('verdict')}：{_WORDS('unread')}[/b]"
        return
    if published.shown is not Shown.NOTHING:
        state = "" if tally.final else f"（{PROVISIONAL}）"
        yield f"[b]{_WORDS('verdict')}：{escape_bbcode(verdict_sentence(tally.verdict, _WORDS))}{state}[/b]"
    if tally.verdict.because:
        yield escape_bbcode(tally.verdict.because)


def _course(tally: DayTally, game: Game) -> Iterator[str]:
    """The race step by step, and what happened to the day."""
    for step in tally.verdict.race:
        ballot = step.ballot
        yield _WORDS(
            "step",
            at=clock(ballot.at, game),
            target=escape_bbcode(step.target),
            votes=step.votes,
            voter=escape_bbcode(ballot.voter),
            floor=escape_bbcode(place(ballot, _WORDS)),
        )
    for event in tally.events:
        yield f"{_WORDS('events')}：{clock(event.at, game)} {escape_bbcode(event.because)}"


def _ballots(tally: DayTally) -> Iterator[str]:
    for count in tally.counts:
        voters = "、".join(name_ballot(ballot, _WORDS) for ballot in count.ballots)
        yield f"[b]{escape_bbcode(count.target)}：{count.votes} 票[/b]（{escape_bbcode(voters)}）"
    if not tally.counts:
        yield _WORDS("no_votes")
    for label, ballots in (("abstained", tally.abstained), ("replaced", tally.replaced)):
        if ballots:
            yield f"{_WORDS(label)}：{escape_bbcode('、'.join(name_ballot(ballot, _WORDS) for ballot in ballots))}"
    if tally.not_voted:
        yield f"{_WORDS('not_voted')}：{escape_bbcode('、'.join(tally.not_voted))}"
    for ballot in tally.void:
        reason = _WORDS.reason(ballot.reason) if ballot.reason is not None else ""
        told = f"{_WORDS('void')}：{name_ballot(ballot, _WORDS)}「{shorten(ballot.raw, _RAW)}」{reason}"
        yield escape_bbcode(told)
    yield from (_doubt(doubt) for doubt in tally.needs_ruling)


def _doubt(doubt: NeedsRuling) -> str:
    told = f"{_WORDS('needs_ruling')}：{doubt.voter} {doubt.post.floor}「{shorten(doubt.raw, _RAW)}」"
    return escape_bbcode(told)
