"""What `explain` prints: each post of one voter with everything that decided its place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from engine.game import Game
from engine.report.safe import show
from engine.report.terminal import clock, hang, line_words
from engine.report.values import Json, moment, post_value
from engine.report.words import Words
from tally.day import Day
from tally.explain import PostTrace

if TYPE_CHECKING:
    from rich.console import Console


def traces_value(traces: tuple[PostTrace, ...], game: Game, day: Day, seat: str) -> Json:
    """The traces as JSON."""
    return {
        "game": game.title,
        "ruleset": game.ruleset.id,
        "day": day.number,
        "seat": seat,
        "posts": [_value(trace, game) for trace in traces],
    }


def _value(trace: PostTrace, game: Game) -> Json:
    value: dict[str, Json] = {
        "post": post_value(trace.post, trace.line, trace.file),
        "at": moment(trace.at, game),
        "by": trace.by,
        "voter": trace.voter,
        "words": trace.words,
        "label": trace.label,
        "value": trace.value,
        "target": trace.target,
        "how": str(trace.how),
        "candidates": list(trace.candidates),
        "hints": list(trace.hints),
        "rules": [{"rule": rule.rule, "clause": rule.clause, "passed": rule.passed} for rule in trace.rules],
        "place": str(trace.place),
        "reason": trace.reason.value if trace.reason else None,
    }
    if trace.poll:
        value["poll"] = trace.poll
    if trace.ruled_by is not None:
        value["ruled_by"] = trace.ruled_by
    if (step := trace.lost_to) is not None:
        value["lost_to"] = {
            "target": step.target,
            "votes": step.votes,
            "voter": step.ballot.voter,
            "at": moment(step.ballot.at, game),
            "post": post_value(step.ballot.post, step.ballot.line, step.ballot.file),
        }
    return value


def print_traces(console: Console, traces: tuple[PostTrace, ...], game: Game, day: Day, seat: str, words: Words) -> None:
    """Print the traces, one block a post."""
    from rich.text import Text

    console.print(Text(words("explain_title", game=show(game.title), day=day.number, seat=show(seat)), style="bold"))
    if not traces:
        console.print(Text(words("explain_none")))
    for trace in traces:
        console.print()
        where = f"{show(trace.post.floor)} pid={trace.post.pid}" if trace.post else line_words(trace.line, trace.file, words)
        where = f"{trace.poll} · {where}" if trace.poll else where
        by = words("explain_by", by=show(trace.by)) if trace.by != trace.voter else ""
        console.print(Text(f"{where}  {clock(trace.at, game)}{by}", style="bold"))
        for label, text, style in _lines(trace, game, words):
            console.print(hang(label, text, style))


def _lines(trace: PostTrace, game: Game, words: Words) -> Iterator[tuple[str, str, str]]:
    """Label, text and style of each line about one post."""
    yield words("explain_words"), show(trace.words), ""
    if trace.label:
        yield words("explain_label"), f"{show(trace.label)} → 「{show(trace.value)}」", ""
        yield words("target"), _target(trace, words), ""
    for position, rule in enumerate(trace.rules):
        answer = words("explain_passed" if rule.passed else "explain_failed", rule=words.rule(rule.rule))
        clause = f"「{show(rule.clause)}」" if rule.clause else ""
        yield words("explain_rule") if position == 0 else "", f"{answer}{clause}", "" if rule.passed else "bold"
    result = words.tell(words.place(str(trace.place)), words.reason(trace.reason) if trace.reason else "")
    if trace.ruled_by is not None:
        result += words("explain_ruled", line=trace.ruled_by)
    yield words("explain_result"), result, "bold"
    if (step := trace.lost_to) is not None:
        ballot = step.ballot
        post = f"{show(ballot.post.floor)} pid={ballot.post.pid}" if ballot.post else line_words(ballot.line, ballot.file, words)
        yield (
            words("explain_lost"),
            words(
                "explain_lost_to",
                target=show(step.target),
                votes=step.votes,
                at=clock(ballot.at, game),
                voter=show(ballot.voter),
                post=post,
            ),
            "",
        )


def _target(trace: PostTrace, words: Words) -> str:
    found = show(trace.target) if trace.target is not None else words.match(str(trace.how)) or "—"
    how = words.match(str(trace.how)) if trace.target is not None else ""
    extra = [words.aside(how)]
    if trace.candidates:
        extra.append(words("explain_candidates", names=words.join(show(name) for name in trace.candidates)))
    if trace.hints:
        extra.append(words("explain_hints", names=words.join(show(name) for name in trace.hints)))
    return f"{found}{''.join(extra)}"
