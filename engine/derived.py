"""The facts of a day (sheriff, out, chanted, barred) from the ledger, where it runs the game: game.toml then needs none.

What game.toml says besides, and otherwise, is a finding (E121); the ledger is followed.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from engine.game import Game
from engine.ledger import DIRECTOR, Event, PhaseKind, standing_events
from engine.play.state import GameState
from engine.playing import Played, begin, play, read_rows, seat_game
from engine.threads import compare_facts, day_facts, read_votes_of, round_facts

if TYPE_CHECKING:
    from scraper.archive import Archive

_RUNNING = ("天亮", "截票")


def runs_the_game(game: Game, events: tuple[Event, ...]) -> bool:
    """Whether the ledger closes nights or votes of a game whose seats and rules are known, so that it can be played."""
    if game.ruleset.play is None or any(seat.name not in game.secrets.roles for seat in game.roster.seats):
        return False
    return any(event.actor == DIRECTOR and event.act in _RUNNING for event in standing_events(events))


def play_recorded(game: Game, archive: Archive, events: tuple[Event, ...], known_at: datetime | None = None) -> Played:
    """The game of a ledger, its votes taken from the recorded threads."""
    rows = read_rows(game, known_at)
    return play(begin(game, seat_game(game)), events, lambda state: read_votes_of(game, archive, events, state), rows)


def derive_facts(game: Game, archive: Archive, events: tuple[Event, ...], known_at: datetime | None = None) -> Game:
    """The game with the facts of every day that the ledger has reached; the same game where the ledger runs none.

    `known_at` leaves out the lines that were entered later.
    """
    known = tuple(event for event in events if known_at is None or event.entered_at is None or event.entered_at <= known_at)
    if not runs_the_game(game, known):
        return game
    return with_facts(game, play_recorded(game, archive, known, known_at))


def with_facts(game: Game, played: Played) -> Game:
    """The game with the facts of the days of a fold, each as it is when its vote is closed; so of a further vote of the day."""
    states: dict[int, GameState] = {}
    further: dict[int, GameState] = {}
    for state in played.states:
        if state.phase.kind is PhaseKind.DAY and not state.closing:
            (further if state.poll else states)[state.phase.number] = state
    rounds = {
        number: tuple(
            round_facts(further[number], one) if number in further and further[number].poll == one.poll else one for one in some
        )
        for number, some in game.rounds.items()
    }
    days = tuple(day_facts(states[day.number], day) if day.number in states else day for day in game.days)
    noted = {day.number: tuple(compare_facts(states[day.number], day)) for day in game.days if day.number in states}
    untold = {number: seats for number, seats in game.untold.items() if number not in states}
    return replace(game, days=days, rounds=rounds, noted=noted, untold=untold, ended=game.ended or bool(played.state.winner))
