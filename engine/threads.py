"""The votes of a day from its recorded thread, counted with the facts that the game itself knows (who is in, sheriff, barred)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from engine.game import Game
from engine.ledger import Event, PhaseKind
from engine.play.day import find_scapegoat
from engine.play.refusal import Refused
from engine.play.skillset import Effect
from engine.play.state import GameState, ThreadVotes
from engine.play.views import told_chanted
from engine.votefacts import Round
from scraper.phrases import listing, phrase
from tally.day import Day, Out
from tally.finding import Finding
from tally.result import Decision

if TYPE_CHECKING:
    from scraper.archive import Archive
    from tally.result import DayTally


def day_facts(state: GameState, day: Day) -> Day:
    """A day with the facts of the state at its opening in place of those of the game file."""
    table = state.table
    moments = {seat: _out_since(state, day, seat) for seat in state.order}
    out = tuple(Out(table.name(seat), at) for seat, at in moments.items())
    feigned = frozenset(table.name(seat) for seat, one in enumerate(state.seats) if one.feigned)
    facts = replace(
        day,
        sheriff="" if state.sheriff is None else table.name(state.sheriff),
        chanted=tuple(table.name(seat) for seat in told_chanted(state)),
        out=out,
        barred=frozenset(table.name(seat) for seat in state.barred),
        feigned=feigned,
        lovers=frozenset(table.name(seat) for seat in state.lovers),
        scapegoat=_name_scapegoat(state),
    )
    if table.play.votes.polls:
        # No out, no sheriff: of a soul and a public identity the day's votes ask.
        return replace(
            day,
            souls=frozenset(table.name(seat) for seat, one in enumerate(state.seats) if one.soul),
            published=frozenset(table.name(seat) for seat, one in enumerate(state.seats) if one.published),
        )
    if not table.hides_targets:
        return facts
    return replace(
        facts,
        targets_out=tuple(Out(table.target_word(seat), at) for seat, at in moments.items()),
        feigned_targets=frozenset(table.target_word(table.names[name]) for name in feigned),
    )


def _name_scapegoat(state: GameState) -> str | None:
    """Who goes out in place of a tie where it is not the seat dealt 替罪羊; "" where that one is in without the skill."""
    seat = find_scapegoat(state)
    if seat is None:
        return "" if any(state.is_in(one) for one in state.holders[Effect.SCAPEGOAT]) else None
    return None if seat in state.table.holders[Effect.SCAPEGOAT] else state.table.name(seat)


def round_facts(state: GameState, further: Round) -> Round:
    """A further vote of a day with the facts of the state at its close in place of those of the game file."""
    table = state.table
    return replace(
        further,
        sheriff="" if state.sheriff is None else table.name(state.sheriff),
        out=tuple(Out(table.name(seat)) for seat in state.order),
        feigned=frozenset(table.name(seat) for seat, one in enumerate(state.seats) if one.feigned),
    )


def _out_since(state: GameState, day: Day, seat: int) -> datetime | None:
    """Since when a seat is out that went out in the middle of this day: as its line says, or the game file; None: before it."""
    if not _left_today(state, seat):
        return None
    written = next((out.at for out in day.out if out.name == state.table.name(seat)), None)
    return state.seats[seat].out_at or written


def _left_today(state: GameState, seat: int) -> bool:
    return state.seats[seat].out_in == state.phase and state.phase.kind is PhaseKind.DAY


def compare_facts(state: GameState, day: Day) -> Iterator[Finding]:
    """Where the game file says something else of a day than the ledger's game does: E121."""
    facts = day_facts(state, day)
    for key, one, other in (("souls", day.souls, facts.souls), ("published", day.published, facts.published)):
        if one and one != other:
            yield _differs(day, key, listing(sorted(one)), listing(sorted(other)))
    if day.sheriff is not None and day.sheriff != facts.sheriff:
        yield _differs(day, "sheriff", day.sheriff, facts.sheriff or "")
    for key, told, found in (
        ("out", {out.name for out in day.out}, {out.name for out in facts.out}),
        ("chanted", set(day.chanted), set(facts.chanted)),
        ("barred", set(day.barred), set(facts.barred)),
    ):
        if told and told != found:
            yield _differs(day, key, listing(sorted(told)), listing(sorted(found)))


def _differs(day: Day, key: str, told: str, found: str) -> Finding:
    parameters = (("day", str(day.number)), ("key", key), ("told", told or phrase("无")), ("found", found or phrase("无")))
    return Finding("E121", parameters)


def read_votes_of(game: Game, archive: Archive, events: tuple[Event, ...], state: GameState) -> ThreadVotes:
    """The votes of the day that a state is in. Refused where the game file has no such day, and while its tally is not final."""
    day = game.day(state.phase.number)
    untimed = [seat for seat in state.order if day is not None and _left_today(state, seat) and not _out_since(state, day, seat)]
    if untimed:
        # What he voted before it stands, and votes for him from then on do not: without a moment neither can be told.
        names = listing(state.table.name(seat) for seat in untimed)
        raise Refused("E337", day=state.phase.number, why=phrase("{names} 何时罚下没有写，在那一行末加 @时间", names=names))
    tally = count_for(game, archive, events, state)
    if tally is None:
        raise Refused("E337", day=state.phase.number, why=phrase("{file} 里没有这一天", file=game.path.name))
    if not tally.final:
        raise Refused("E337", day=state.phase.number, why=listing(finding.code for finding in tally.findings) or "-")
    table = state.table
    standing = {table.names[ballot.voter]: table.find_target(count.target) for count in tally.counts for ballot in count.ballots}
    standing |= {table.names[ballot.voter]: None for ballot in tally.abstained}
    elected = None
    if tally.verdict.decision is Decision.SHERIFF and tally.verdict.seats:
        elected = table.find_target(tally.verdict.seats[0])
    return ThreadVotes(tuple(standing.items()), elected)


def count_for(game: Game, archive: Archive, events: tuple[Event, ...], state: GameState) -> DayTally | None:
    """The tally of the day that a state is in, with the state's facts; None where the game file has no such day."""
    from engine.counting import count_game_day

    day = game.day(state.phase.number)
    if day is None:
        return None
    facts = day_facts(state, day)
    days = tuple(facts if one.number == day.number else one for one in game.days)
    further = game.rounds.get(day.number, ())
    if state.poll and all(one.poll != state.poll for one in further):
        return None
    rounds = {**game.rounds, day.number: tuple(round_facts(state, one) if one.poll == state.poll else one for one in further)}
    of_day = replace(facts, poll=state.poll) if state.poll else facts
    return count_game_day(replace(game, days=days, rounds=rounds, untold={}), archive, events, of_day)
