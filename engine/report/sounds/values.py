"""A check as the JSON of the contract: every post with findings, by revision, in the order of the other outputs."""

from __future__ import annotations

from engine.game import Game
from engine.report.values import Json, finding_value, moment, post_value
from engine.sounds.check import CheckedSeat, SpeechCheck
from tally.finding import Severity, sentence
from tally.sounds.chant import Placing
from tally.sounds.finding import SoundFinding
from tally.sounds.ruled import CheckedPost, SoundRuling


def check_value(check: SpeechCheck, game: Game, *, day: int | None = None, seat: str | None = None) -> dict[str, Json]:
    """The value that `check --json` prints; `day` and `seat` are what it was limited to."""
    return {
        "game": game.title,
        "ruleset": game.ruleset.id,
        "day": day,
        "seat": seat,
        "checked": check.checked,
        "chanted": [_seat(one, game) for one in check.seats],
        "seen_until": moment(check.seen_until, game),
        "breaches": check.count(Severity.ERROR),
        "suspects": check.count(Severity.WARNING),
        "posts": [_post(post, check, game) for post in check.posts],
        "findings": [finding_value(finding) for finding in check.findings],
    }


def _seat(one: CheckedSeat, game: Game) -> Json:
    return {
        "seat": one.chant.seat,
        "from": moment(one.chant.start, game),
        "until": moment(one.chant.end, game),
        "posts": {place.value: one.placed.get(place, 0) for place in Placing},
    }


def _post(post: CheckedPost, check: SpeechCheck, game: Game) -> Json:
    value: dict[str, Json] = {
        "post": post_value(post.source),
        "seat": post.seat,
        "day": check.day_of(post),
        "thread": check.thread_kind(post).value,
        "at": moment(post.findings[0].at, game),
        "own": check.is_own(post),
        "text": check.revision_of(post).post.message.text,
        "findings": [_finding(finding) for finding in post.findings],
    }
    if post.ruling is not None:
        value["ruling"] = _ruling(post.ruling)
    return value


def _finding(found: SoundFinding) -> Json:
    value: dict[str, Json] = {
        "code": found.code,
        "severity": found.severity.value,
        "line": found.source.line,
        "column": found.source.column,
        "codepoint": found.codepoint,
        "name": found.name,
        "parameters": dict(found.parameters),
        "sentence": sentence(found.finding),
    }
    if found.machine is not None:
        value["machine"] = found.machine.value
    return value


def _ruling(ruling: SoundRuling) -> Json:
    return {"lawful": ruling.lawful, "reason": ruling.reason, "ledger": ruling.line}
