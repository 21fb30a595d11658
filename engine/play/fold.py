"""The fold: a game's lines in order, from its start to the state that they leave; what is refused changes nothing and is kept."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from engine.play.acts import apply
from engine.play.order import Order
from engine.play.refusal import Refused
from engine.play.state import GameState


@dataclass(frozen=True, slots=True)
class Rejected:
    """A line that was refused, and why."""

    order: Order
    refused: Refused


@dataclass(frozen=True, slots=True)
class Folded:
    """What lines made of a state: the new state, the lines that were obeyed, those that were refused."""

    state: GameState
    obeyed: tuple[Order, ...]
    rejected: tuple[Rejected, ...]


def fold(state: GameState, orders: Iterable[Order], *, stop_at_winner: bool = False) -> Folded:
    """Obey every line in turn. `stop_at_winner` reads none after the game is over (else those are refused)."""
    obeyed, rejected = [], []
    for order in orders:
        if stop_at_winner and state.winner:
            break
        try:
            state = apply(state, order)
        except Refused as refused:
            rejected.append(Rejected(order, refused))
        else:
            obeyed.append(order)
    return Folded(state, tuple(obeyed), tuple(rejected))
