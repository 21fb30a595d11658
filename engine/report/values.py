"""One day's tally as the JSON of the contract: plain values in a fixed order, and the digest over them.

The table, the JSON and the rows in SQLite are views of the same DayTally; sentences here are always Chinese.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from datetime import datetime

from engine.game import Game
from engine.publicity import publish_tally
from scraper.post import Source
from tally.ballot import Ballot
from tally.dayevent import DayEvent
from tally.finding import Finding, sentence, severity
from tally.publish import Shown
from tally.requests import Request
from tally.result import Card, Count, DayTally, NeedsRuling, OpenReading, Step, Verdict

Json = None | bool | int | str | list["Json"] | dict[str, "Json"]

# What is said in words may be said better later, without the result being another.
_SENTENCES = frozenset({"sentence", "because", "clause", "digest"})


def public_value(tally: DayTally, game: Game, *, limits: Mapping[str, str] | None = None, operator: str = "") -> dict[str, Json]:
    """The value that `tally --json --public` prints: what everybody may see, and under `public` how much that is."""
    published = publish_tally(tally, game)
    value = tally_value(published.tally, game, limits=limits, operator=operator)
    value["public"] = published.shown.value
    if not published.weights:
        value["weights"] = "hidden"
    if published.shown is Shown.NOTHING:
        value["verdict"] = None
    return {**value, "digest": find_digest(value)}


def tally_value(tally: DayTally, game: Game, *, limits: Mapping[str, str] | None = None, operator: str = "") -> dict[str, Json]:
    """The value that `tally --json` prints.

    `limits` are the --as-of and --known-at that were asked for, as they were typed: with them a result can be counted again.
    `operator` is who ran the count; it is no part of the digest.
    """
    value: dict[str, Json] = {
        "game": game.title,
        "ruleset": game.ruleset.id,
        "day": tally.day,
        "as_of": moment(tally.as_of, game),
        "complete": tally.complete,
        "final": tally.final,
        "counts": [_count(count, game) for count in tally.counts],
        "abstained": [_ballot(ballot, game) for ballot in tally.abstained],
        "not_voted": list(tally.not_voted),
        "void": [{**_ballot(ballot, game), "reason": _reason(ballot)} for ballot in tally.void],
        "replaced": [_ballot(ballot, game) for ballot in tally.replaced],
        "not_ballots": len(tally.not_ballots),
        "needs_ruling": [_needs_ruling(doubt, game) for doubt in tally.needs_ruling],
        "cards": [card_value(card) for card in tally.cards],
        "verdict": None if tally.is_blank else _verdict(tally.verdict, game),
        "findings": [finding_value(finding) for finding in tally.findings],
        "evidence": {
            "last_pass_before_close": moment(tally.evidence.last_pass_before_close, game),
            "first_pass_after_close": moment(tally.evidence.first_pass_after_close, game),
            "missing_pages": list(tally.evidence.missing_pages),
        },
        "window": {"opens": moment(tally.opens, game), "closes": moment(tally.closes, game)},
        "events": [event_value(event, game) for event in tally.events],
        "requests": [request_value(request, game) for request in tally.requests],
    }
    if tally.poll:
        value["poll"] = tally.poll
    if limits:
        value["limits"] = dict(limits)
    if operator:
        value["operator"] = operator
    return {**value, "digest": find_digest(value)}


def find_digest(value: dict[str, Json]) -> str:
    """The digest of a printed tally: over its codes, parameters and places, not its sentences."""
    told = {key: inner for key, inner in value.items() if key != "operator"}
    bare = json.dumps(without_sentences(told), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return f"sha256:{hashlib.sha256(bare.encode('utf-8', 'surrogatepass')).hexdigest()}"


# Controls beside those that JSON escapes itself, direction and zero-width characters; not what joins the parts of an emoji.
_UNSEEN = re.compile(
    "[\x7f-\x9f\u00ad\u061c\u115f\u180e\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0001-\U000e007f]"
)


def dump(value: Json, *, ascii_only: bool = False) -> str:
    """JSON text; `ascii_only` for a console that cannot show every character.

    What steers a terminal or cannot be seen is an escape of JSON always: the same value, and nothing that players wrote turns a
    line around or clears a screen.
    """
    text = json.dumps(value, ensure_ascii=ascii_only, indent=2)
    return text if ascii_only else _UNSEEN.sub(lambda found: json.dumps(found[0])[1:-1], text)


def moment(at: datetime | None, game: Game) -> str | None:
    """A time as ISO 8601 in the game's zone, with its offset, to the second."""
    return at.astimezone(game.zone).isoformat(timespec="seconds") if at is not None else None


def post_value(post: Source | None, line: int | None = None, file: str = "") -> Json:
    """Where a ballot stands: a post, or the number of a line of the ledger, or of the table `file`."""
    if post is None:
        return {"table": file, "line": line} if file else {"ledger": line}
    return {"tid": post.tid, "pid": post.pid, "floor": post.floor, "revision": post.revision}


def finding_value(finding: Finding) -> dict[str, Json]:
    """A finding with its Chinese sentence; the seat and the post where it has them."""
    value: dict[str, Json] = {
        "code": finding.code,
        "severity": severity(finding).value,
        "parameters": dict(finding.parameters),
        "sentence": sentence(finding),
    }
    if finding.seat is not None:
        value["seat"] = finding.seat
    if (source := finding.source) is not None:
        value["post"] = post_value(source)
        if source.line is not None:
            value["line"] = source.line
        if source.column is not None:
            value["column"] = source.column
    return value


def card_value(card: Card) -> dict[str, Json]:
    """A card; what it rests on, and the ledger line that gives it, where there is any.

    `counted` and `ignored` are the posts that count and those that do not, with why; `lines` those of the ledger that a red card
    or a sending off rests on.
    """
    value: dict[str, Json] = {"seat": card.seat, "card": card.card, "reason": card.reason}
    if card.points:
        value["points"] = card.points
    if card.counted:
        value["counted"] = [post_value(post) for post in card.counted]
    if card.ignored:
        whys = (*card.why, *[""] * len(card.ignored))
        value["ignored"] = [{"post": post_value(post), "why": why} for post, why in zip(card.ignored, whys, strict=False)]
    if card.lines:
        value["lines"] = list(card.lines)
    if card.confirmed is not None:
        value["confirmed"] = card.confirmed
    return value


def event_value(event: DayEvent, game: Game) -> dict[str, Json]:
    """What happened to the day, with the posts or the ledger line that it rests on."""
    value: dict[str, Json] = {
        "kind": event.kind.value,
        "at": moment(event.at, game),
        "held": event.held,
        "seats": list(event.seats),
        "posts": [post_value(post) for post in event.posts],
        "because": event.because,
        "clause": event.clause,
    }
    if event.line is not None:
        value["ledger"] = event.line
    return value


def request_value(request: Request, game: Game) -> dict[str, Json]:
    """A request of the progress thread and where it ended."""
    return {
        "seat": request.seat,
        "ask": request.ask.value if request.ask is not None else None,
        "at": moment(request.at, game),
        "post": post_value(request.source),
        "raw": request.raw,
        "fate": request.fate.value,
    }


def _count(count: Count, game: Game) -> Json:
    return {
        "target": count.target,
        "votes": count.votes,
        "ballots": [
            {
                "voter": ballot.voter,
                "weight": ballot.weight,
                "at": moment(ballot.at, game),
                "post": post_value(ballot.post, ballot.line, ballot.file),
                **_marks(ballot),
            }
            for ballot in count.ballots
        ],
    }


def _ballot(ballot: Ballot, game: Game) -> dict[str, Json]:
    return {
        "voter": ballot.voter,
        "raw": ballot.raw,
        "at": moment(ballot.at, game),
        "post": post_value(ballot.post, ballot.line, ballot.file),
        **_marks(ballot),
    }


def _marks(ballot: Ballot) -> dict[str, Json]:
    """What is worth saying only where it is so: cast by another, or put there by a ruling."""
    marks: dict[str, Json] = {}
    if ballot.by != ballot.voter:
        marks["by"] = ballot.by
    if ballot.ruled:
        marks["ruled"] = True
    return marks


def _reason(ballot: Ballot) -> str | None:
    return ballot.reason.value if ballot.reason is not None else None


def _needs_ruling(doubt: NeedsRuling, game: Game) -> Json:
    return {
        "voter": doubt.voter,
        "raw": doubt.raw,
        "post": post_value(doubt.post),
        "readings": [_reading(reading, game) for reading in doubt.readings],
    }


def _reading(reading: OpenReading, game: Game) -> Json:
    return {"ruling": reading.ruling, "counts": dict(reading.counts), "verdict": _verdict(reading.verdict, game)}


def _verdict(verdict: Verdict, game: Game) -> dict[str, Json]:
    value: dict[str, Json] = {
        "decision": verdict.decision.value,
        "seats": list(verdict.seats),
        "clause": verdict.clause,
        "because": verdict.because,
    }
    if verdict.role is not None:
        value["role"] = verdict.role
    if verdict.race:
        value["race"] = [_step(step, game) for step in verdict.race]
    return value


def _step(step: Step, game: Game) -> Json:
    return {
        "target": step.target,
        "votes": step.votes,
        "voter": step.ballot.voter,
        "at": moment(step.ballot.at, game),
        "post": post_value(step.ballot.post, step.ballot.line, step.ballot.file),
    }


def without_sentences(value: Json) -> Json:
    """A value without what is only said in words: what a digest covers."""
    match value:
        case dict():
            return {key: without_sentences(inner) for key, inner in value.items() if key not in _SENTENCES}
        case list():
            return [without_sentences(inner) for inner in value]
        case _:
            return value
