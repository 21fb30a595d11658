"""Whether a day is sped up: what the director says of it, held against the requests of the progress thread and the living.

The ledger's lines are followed where it has any, else what the game file says, else what is judged here.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from engine.calendar import AccelerateFrom
from engine.dayrules import DAY_RULES
from engine.game import Game
from engine.looks import was_seen_whole
from engine.rulings import Directions
from scraper.passes import Pass
from scraper.phrases import listing, phrase, run_on
from scraper.post import History
from tally.day import Day, Span
from tally.dayevent import DayEvent, EventKind
from tally.finding import Finding
from tally.requests import Due, Request, RequestPolicy, find_judgement, read_wishes, term_of
from tally.roster import Accounts, Roster
from tally.ruled import with_ruled_accounts
from tally.speedup import Judgement, find_automatic, judge_wishes, tell_automatic
from tally.window import minute_of

_CLOCK = "%m-%d %H:%M:%S"
_DOORS = (EventKind.OPENING, EventKind.CLOSE)
_TO_THE_MINUTES_END = timedelta(seconds=59)


@dataclass(frozen=True, slots=True)
class Judged:
    """A day with its speed-ups, the requests that were read, what happened, and what to look at."""

    day: Day
    requests: tuple[Request, ...] = ()
    events: tuple[DayEvent, ...] = ()
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress thread of a day as far as it was seen: its posts, and the passes over it."""

    histories: tuple[History, ...]
    passes: tuple[Pass, ...]


def judge_day(
    game: Game, directions: Directions, progress: Progress | None, *, known_until: datetime | None, until: datetime | None = None
) -> Judged:
    """Judge one day. `known_until` is how far its votes are known: while that is before the judgement nothing is due yet.

    `progress` is None where the day names no thread; `until` limits the posts that are read.
    """
    rules = DAY_RULES[game.ruleset.id]
    day, roster = directions.day, with_ruled_accounts(directions.roster, directions.rulings)
    automatic = _find_automatic(game, day, roster, rules.requests)
    derived = (automatic,) if automatic is not None else ()
    own: list[DayEvent] = []
    if automatic is not None:
        clause = rules.automatic.text if rules.automatic is not None else ""
        own.append(tell_automatic(automatic, day, roster, game.calendar.accelerate_at or 0, clause))
    if progress is None or rules.requests is None:
        judged = Judged(day, events=tuple(own))
        return _follow(game, directions, judged, derived, known=automatic is not None, until=until)
    wishes = read_wishes(progress.histories, day=day, accounts=Accounts(roster), policy=rules.requests, until=until)
    judgement = judge_wishes(wishes, day=day, roster=roster, policy=rules.requests, automatic=automatic)
    settled = directions.judged or day.number in game.declared
    horizon = known_until if until is None or known_until is None else min(until, known_until)
    findings = list(wishes.findings)
    spans: tuple[Span, ...] | None = derived
    known = False
    seen = _is_seen(progress, day, judgement.due)
    if horizon is None or horizon < judgement.due.cutoff or (horizon == judgement.due.cutoff and not seen):
        findings += _note_pending(judgement)
    elif not seen:
        spans = None
        findings += [] if settled else [_note_unseen(day, judgement.due)]
    else:
        own += judgement.events
        findings += [*_note_doubts(judgement, rules.requests, settled), *_note_unmoved(judgement, directions)]
        spans, known = judgement.speed_ups, judgement.speed_ups is not None
    judged = Judged(day, wishes.requests, tuple(own), tuple(findings))
    return _follow(game, directions, judged, spans, known=known, until=until)


def _find_automatic(game: Game, day: Day, roster: Roster, policy: RequestPolicy | None) -> Span | None:
    at_judgement = game.calendar.accelerate_from is AccelerateFrom.JUDGEMENT
    due = find_judgement(day, policy.lead or 0) if policy is not None and at_judgement else None
    return find_automatic(day, roster, game.calendar.accelerate_at, due)


def _is_seen(progress: Progress, day: Day, due: Due) -> bool:
    """Whether some whole pass over the thread began after the last moment at which a request could count."""
    exact = all(history.exact_seconds for history in progress.histories)
    last = due.cutoff if exact else minute_of(due.cutoff) + _TO_THE_MINUTES_END
    return was_seen_whole(progress.passes, day, last)


def _note_unseen(day: Day, due: Due) -> Finding:
    return Finding("B510", (("cutoff", f"{due.cutoff:{_CLOCK}}"), ("tid", str(day.progress))))


def _note_pending(judgement: Judgement) -> list[Finding]:
    return [
        Finding(
            "B511",
            (
                ("ask", term_of(count.ask)),
                ("count", str(len(count.seats))),
                ("living", str(count.living)),
                ("needed", str(count.needed)),
                ("cutoff", f"{judgement.due.cutoff:{_CLOCK}}"),
            ),
        )
        for count in judgement.counts
        if count.seats
    ]


def _note_doubts(judgement: Judgement, policy: RequestPolicy, settled: bool) -> list[Finding]:
    """Requests that cannot be told: an error where they decide and nobody has, else one warning."""
    doubtful = [count for count in judgement.counts if count.doubtful]
    open_counts = [count for count in doubtful if count.granted is None]
    decides = bool(open_counts) and not settled and (judgement.speed_ups is None or not policy.speeds_up)
    told = open_counts if decides else doubtful[:1]
    code = "B508" if decides else "B509"
    return [Finding(code, (("seats", listing(count.doubtful)), ("ask", term_of(count.ask)))) for count in told]


def _note_unmoved(judgement: Judgement, directions: Directions) -> list[Finding]:
    """A longer or shorter day is granted: how long, the rules leave to the director, and a ledger line says it."""
    if any(event.kind is EventKind.CLOSE for event in directions.events):
        return []
    granted = [event for event in judgement.events if event.held and event.kind is not EventKind.SPEED_UP]
    return [Finding("B512", (("ask", event.kind.value),)) for event in granted]


def _follow(
    game: Game,
    directions: Directions,
    judged: Judged,
    spans: tuple[Span, ...] | None,
    *,
    known: bool,
    until: datetime | None,
) -> Judged:
    """The day with the speed-ups of whoever has the last word, and a finding where the game file and the judgement differ."""
    day, findings = judged.day, list(judged.findings)
    declared = game.declared.get(day.number)
    if directions.judged:
        spans = day.speed_ups
    elif declared is not None:
        held = any(span.holds_at(day.closes) for span in spans or ())
        if known and held != declared:
            findings.append(_disagree(day, judged, declared, held))
        spans = day.speed_ups
    events = [
        event for event in (*directions.events, *judged.events) if event.kind in _DOORS or until is None or event.at <= until
    ]
    told = tuple(sorted(events, key=lambda event: event.at))
    return replace(judged, day=replace(day, speed_ups=spans), events=told, findings=tuple(findings))


def _disagree(day: Day, judged: Judged, declared: bool, held: bool) -> Finding:
    names = {True: "accelerated", False: "not_accelerated"}
    because = run_on(event.because for event in judged.events) or phrase("没有人申请。")
    parameters = (("day", str(day.number)), ("written", names[declared]), ("judged", names[held]), ("because", because))
    return Finding("E108", parameters)
