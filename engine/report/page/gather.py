"""What a report tells, gathered from the game, its archive and its ledger; the public one holds only what is published."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import TYPE_CHECKING

from engine.counting import Question, count_question, gather, votes_of
from engine.game import Game
from engine.ledger import Event, standing_events
from engine.publicity import names_sheriff
from engine.report.page.edits import Edited, find_edited
from engine.sounds.check import SpeechCheck, check_game
from scraper.address import Family
from scraper.passes import Pass
from scraper.post import History
from tally.activity import Activity, measure_activity
from tally.day import Day
from tally.publish import Published, Shown, publish
from tally.result import DayTally
from tally.roster import Accounts

if TYPE_CHECKING:
    from scraper.archive import Archive

RULING = "裁定"


@dataclass(frozen=True, slots=True)
class DayReport:
    """One vote of a day: the tally as this version may show it, who spoke how much, what was edited, when it was looked at.

    `shown` is how much the rules publish of it now; where that is not all, there is no activity and no edit either.
    """

    tally: DayTally
    shown: Shown
    activity: tuple[Activity, ...]
    edited: tuple[Edited, ...]
    passes: tuple[Pass, ...]

    @property
    def hidden(self) -> bool:
        """Whether its ballots are not published."""
        return self.shown is not Shown.ALL


@dataclass(frozen=True, slots=True)
class GameReport:
    """A game's report. `rulings` are the ledger's lines that rule, `speech` the check of chanted players: both only for the
    director. `events` is the whole ledger, and `families` tells for each thread which kind of address its board has."""

    game: Game
    public: bool
    ended: bool
    days: tuple[DayReport, ...]
    rulings: tuple[Event, ...]
    speech: SpeechCheck | None
    families: Mapping[int, Family]
    events: tuple[Event, ...] = ()


def gather_report(
    game: Game, archive: Archive, events: tuple[Event, ...], *, public: bool, known_at: datetime | None = None
) -> GameReport:
    """Count every vote of a game, and put beside it what else was seen; `known_at` limits the evidence and the rulings.

    `game` holds the facts that its ledger derives (`derive_facts`), and so whether it has ended.
    """
    ended = game.ended
    days = tuple(_report_days(game, archive, events, public=public, ended=ended, known_at=known_at))
    threads = {tid for one in days for tid in (find_day(game, one.tally).vote, *find_day(game, one.tally).discussion) if tid}
    return GameReport(
        game,
        public,
        ended,
        days,
        () if public else tuple(event for event in standing_events(events, known_at) if event.act == RULING),
        None if public else check_game(game, archive, events, known_at=known_at),
        {tid: archive.fetch_family(tid) for tid in sorted(threads)},
        events,
    )


def find_day(game: Game, tally: DayTally) -> Day:
    """The day's vote that was counted."""
    day = game.day(tally.day)
    assert day is not None
    return next(vote for vote in votes_of(game, day) if vote.poll == tally.poll)


def _report_days(
    game: Game, archive: Archive, events: tuple[Event, ...], *, public: bool, ended: bool, known_at: datetime | None
) -> Iterator[DayReport]:
    for day in game.days:
        for vote in votes_of(game, day):
            question = gather(game, archive, events, vote, known_at)
            whole = count_question(game, events, question, known_at=known_at)
            part = Published(whole, Shown.ALL)
            if public:
                part = publish(whole, game.policy, ended=ended, sheriff_known=names_sheriff(game))
            tally = part.tally
            passes = archive.fetch_passes(vote.vote, known_at=known_at) if vote.vote else ()
            if part.shown is not Shown.ALL:
                yield DayReport(tally, part.shown, (), (), passes)
                continue
            posts = _sort_posts(question)
            yield DayReport(tally, part.shown, _measure(game, question), tuple(find_edited(posts)), passes)


def _sort_posts(question: Question) -> tuple[History, ...]:
    """The posts of a day's threads in order of time."""
    return tuple(
        sorted(chain(question.histories, question.others), key=lambda history: (history.posted_at, history.tid, history.pid))
    )


def _measure(game: Game, question: Question) -> tuple[Activity, ...]:
    """Every seat that may speak on the day, in the order of the roster; those that are out before it are left away."""
    day = question.directions.day
    found = measure_activity(question.others or question.histories, day, Accounts(question.directions.roster))
    gone = {out.name for out in day.out if out.at is None or out.at <= day.opens}
    names = [seat.name for seat in game.roster.seats if seat.name in found or seat.name not in gone]
    return tuple(found.get(name, Activity(name)) for name in names)
