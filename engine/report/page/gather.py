"""What a report tells, gathered from the game, its archive and its ledger; the public one holds only what is published."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from itertools import chain
from typing import TYPE_CHECKING

from engine.counting import Question, count_question, gather, votes_of
from engine.game import Game
from engine.ledger import UNDO, Event, standing_events
from engine.penalties import read_marks
from engine.publicity import names_sheriff
from engine.report.page.edits import Edited, find_edited
from engine.sounds.check import SpeechCheck, check_game
from scraper.address import Family
from scraper.passes import Pass
from scraper.post import History
from tally.activity import Activity, measure_activity
from tally.day import Day
from tally.finding import Severity, severity
from tally.penalties import Record, find_records
from tally.publish import Published, Shown, publish
from tally.result import DayTally
from tally.roster import Accounts

if TYPE_CHECKING:
    from scraper.archive import Archive

RULING = "裁定"


class Use(StrEnum):
    """What a thread of a day is for."""

    VOTE = "投票"
    DISCUSSION = "讨论"
    PROGRESS = "进程"


@dataclass(frozen=True, slots=True)
class Watched:
    """A thread of a day, what it is for, and every time that somebody looked at it."""

    tid: int
    use: Use
    passes: tuple[Pass, ...]


@dataclass(frozen=True, slots=True)
class DayReport:
    """One vote of a day: the tally as this version may show it, who spoke how much, what was edited, when it was looked at.

    `shown` is how much the rules publish of it now; where that is not all, there is no activity and no edit either. What the
    day's votes share (its activity, the threads without votes) stands with the first of them. `weights` tells that every ballot
    shows what it weighs, `open` that something waits for the director, which a public tally does not say.
    """

    tally: DayTally
    shown: Shown
    activity: tuple[Activity, ...] = ()
    edited: tuple[Edited, ...] = ()
    watched: tuple[Watched, ...] = ()
    weights: bool = True
    open: bool = False

    @property
    def hidden(self) -> bool:
        """Whether its ballots are not published."""
        return self.shown is not Shown.ALL


@dataclass(frozen=True, slots=True)
class Ruled:
    """A ruling of the ledger, and the line that undid it, if one did."""

    event: Event
    undone: int | None = None


@dataclass(frozen=True, slots=True)
class GameReport:
    """A game's report: every vote, and what belongs to none.

    `rulings` are the ledger's lines that rule, undone ones too, `speech` the check of chanted players: both only for the
    director, or for everybody once the game has ended (`whole`). `records` are the cards that were given. `events` is the whole
    ledger as it was known, and `families` tells for each thread which kind of address its board has. `known_at` is the moment
    whose knowledge this is, None for all of it.
    """

    game: Game
    public: bool
    ended: bool
    days: tuple[DayReport, ...]
    rulings: tuple[Ruled, ...] = ()
    speech: SpeechCheck | None = None
    families: Mapping[int, Family] = field(default_factory=dict)
    events: tuple[Event, ...] = ()
    records: tuple[Record, ...] = ()
    known_at: datetime | None = None

    @property
    def whole(self) -> bool:
        """Whether it may hold everything: it is the director's, or the game has ended."""
        return self.ended or not self.public


def gather_report(
    game: Game, archive: Archive, events: tuple[Event, ...], *, public: bool, known_at: datetime | None = None
) -> GameReport:
    """Count every vote of a game, and put beside it what else was seen; `known_at` limits the evidence and the rulings.

    `game` holds the facts that its ledger derives (`derive_facts`), and so whether it has ended.
    """
    ended = game.ended
    whole = ended or not public
    days = tuple(_report_days(game, archive, events, public=public, ended=ended, known_at=known_at))
    threads = {tid for day in game.days for vote in votes_of(game, day) for tid, _ in _list_threads(vote)}
    known = tuple(event for event in events if known_at is None or event.entered_at is None or event.entered_at <= known_at)
    standing = standing_events(events, known_at)
    marks = read_marks(game, standing)
    return GameReport(
        game,
        public,
        ended,
        days,
        tuple(_list_rulings(known, standing)) if whole else (),
        check_game(game, archive, events, known_at=known_at) if whole else None,
        {tid: archive.fetch_family(tid) for tid in sorted(threads)},
        known,
        find_records(marks, max((mark.day for mark in marks), default=0)),
        known_at,
    )


def find_day(game: Game, tally: DayTally) -> Day:
    """The day's vote that was counted."""
    day = game.day(tally.day)
    assert day is not None
    return next(vote for vote in votes_of(game, day) if vote.poll == tally.poll)


def _list_rulings(known: tuple[Event, ...], standing: tuple[Event, ...]) -> Iterator[Ruled]:
    """The rulings of a ledger, each with the line that undoes it."""
    holding = {event.number for event in standing}
    undone = {int(event.targets[0].text[1:]): event.number for event in known if event.act == UNDO}
    for event in known:
        if event.act == RULING:
            yield Ruled(event, None if event.number in holding else undone.get(event.number))


def _list_threads(day: Day) -> Iterator[tuple[int, Use]]:
    """The threads of a day's vote, each once."""
    uses = {day.vote: Use.VOTE, **dict.fromkeys(day.discussion, Use.DISCUSSION)}
    if day.progress is not None:
        uses.setdefault(day.progress, Use.PROGRESS)
    yield from ((tid, use) for tid, use in {**uses, day.vote: Use.VOTE}.items() if tid)


def _report_days(
    game: Game, archive: Archive, events: tuple[Event, ...], *, public: bool, ended: bool, known_at: datetime | None
) -> Iterator[DayReport]:
    for day in game.days:
        said: set[int] = set()
        for place, vote in enumerate(votes_of(game, day)):
            question = gather(game, archive, events, vote, known_at)
            whole = count_question(game, events, question, known_at=known_at)
            part = Published(whole, Shown.ALL)
            if public:
                part = publish(whole, game.policy, ended=ended, sheriff_known=names_sheriff(game))
            waits = not whole.complete or any(severity(one) is Severity.ERROR for one in whole.findings)
            threads = [(tid, use) for tid, use in _list_threads(vote) if tid not in said or use is Use.VOTE]
            watched = tuple(Watched(tid, use, archive.fetch_passes(tid, known_at=known_at)) for tid, use in threads)
            report = DayReport(
                part.tally, part.shown, watched=watched, weights=part.weights, open=waits or bool(whole.needs_ruling)
            )
            if part.shown is Shown.ALL:
                here = _sort_posts(question, said)
                # Of a thread that nobody has read it is not known who spoke.
                told = any(one.passes for one in watched) and (place == 0 or question.histories)
                spoken = _measure(game, question) if told else ()
                report = replace(report, activity=spoken, edited=tuple(find_edited(here)))
            said.update(tid for tid, _ in threads)
            yield report


def _sort_posts(question: Question, said: Container[int]) -> tuple[History, ...]:
    """The posts of the vote's thread, and of the other threads that no earlier vote of the day has told of, in order of time."""
    others = (history for history in question.others if history.tid not in said)
    return tuple(sorted(chain(question.histories, others), key=lambda history: (history.posted_at, history.tid, history.pid)))


def _measure(game: Game, question: Question) -> tuple[Activity, ...]:
    """Every seat that may speak on the day, in the order of the roster; those that are out before it are left away."""
    day = question.directions.day
    found = measure_activity(question.others or question.histories, day, Accounts(question.directions.roster))
    gone = {out.name for out in day.out if out.at is None or out.at <= day.opens}
    names = [seat.name for seat in game.roster.seats if seat.name in found or seat.name not in gone]
    return tuple(found.get(name, Activity(name)) for name in names)
