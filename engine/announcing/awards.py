"""Reviews and awards once a game is over: a thread of votes, counted as a day's vote is (评奖), and one of words (自评互评).

22.进入自评互评阶段；23.宣布评奖结果。(马甲杀) No post says how awards are voted on: ballots are written and counted as the
system's own are, for players by name, one each; whoever is out votes too, nobody weighs double, and of a tie all have it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from engine.counting import count_game_day
from engine.game import Game
from engine.ledger import Event
from tally.day import Day
from tally.policy import EXILE, Publicity, TargetKind, Tie
from tally.result import DayTally
from tally.roster import Accounts, PosterKind

if TYPE_CHECKING:
    from scraper.archive import Archive


@dataclass(frozen=True, slots=True)
class Award:
    """One award: its name, who has it (several where they tie), and the whole tally behind it."""

    name: str
    tid: int
    seats: tuple[str, ...]
    tally: DayTally


@dataclass(frozen=True, slots=True)
class Review:
    """What a player wrote of the game, in a post."""

    seat: str
    tid: int
    pid: int
    text: str


def count_award(
    game: Game, archive: Archive, events: tuple[Event, ...], name: str, tid: int, closes: datetime | None = None
) -> Award:
    """Count the votes of an award's thread, of those that were there before `closes` (None: all that was seen)."""
    # Past every day that the game file or the ledger knows: a vote of theirs is none for the award.
    phases = (event.phase.number for event in events if event.phase is not None)
    last = max((0, *(day.number for day in game.days), *phases))
    passes = archive.fetch_passes(tid)
    seen = max((one.started_at for one in passes), default=None)
    opened = min((history.posted_at for history in archive.fetch_histories(tid)), default=None)
    ends = closes or seen or datetime.now(game.zone)
    opens = min(opened or ends, ends - timedelta(seconds=1))
    day = Day(last + 1, opens, ends, tid, sheriff="")
    policy = replace(
        game.policy,
        target=TargetKind.CHARACTER,
        polls=(EXILE,),
        election_day=None,
        sheriff_weight=1,
        tie=(Tie.NOBODY,),
        no_votes=(Tie.NOBODY,),
        freeze=0,
        feigned=None,
        agree=(),
        curse=0,
        publicity=Publicity.LIVE,
        missing_is_offence=False,
    )
    after = replace(
        game,
        days=(day,),
        rounds={},
        untold={},
        noted={},
        declared={last + 1: False},
        policy=policy,
        roster=replace(game.roster, targets=None),
        length=None,
    )
    tally = count_game_day(after, archive, events, day)
    most = max((count.votes for count in tally.counts), default=0)
    return Award(name, tid, tuple(count.target for count in tally.counts if count.votes == most), tally)


def read_reviews(game: Game, archive: Archive, tid: int) -> tuple[Review, ...]:
    """What players wrote in a thread, in the order of the posts, as they were last seen."""
    accounts = Accounts(game.roster)
    found = []
    for history in archive.fetch_histories(tid):
        poster = accounts.find_poster(history)
        text = history.latest.message.text.strip()
        if poster.kind is PosterKind.SEAT and text:
            found.append(Review(poster.name, tid, history.pid, text))
    return tuple(found)
