"""What must hold after every line of every game, whatever its rules: checked by the simulator and by the property tests."""

from __future__ import annotations

from collections.abc import Iterator

from engine.ledger import PhaseKind
from engine.play.chain import RED_CARD
from engine.play.order import Order
from engine.play.refusal import Refused
from engine.play.rules import Trigger
from engine.play.state import Asked, GameState


def find_violations(before: GameState, order: Order, after: GameState, refused: Refused | None) -> Iterator[str]:
    """What is wrong with a line's effect, in words; nothing where all holds."""
    if refused is not None:
        if after is not before:
            yield "a refused line made another state"
        return
    # Most lines of a day only keep a ballot: what such a line has left as it was cannot have become wrong by it.
    moved = after.seats is not before.seats or after.order is not before.order
    open_now = (after.queue, after.decisions, after.badge, after.phase)
    settled = open_now != (before.queue, before.decisions, before.badge, before.phase)
    if moved or settled or after.sheriff != before.sheriff:
        yield from _check_outs(before, after)
        yield from _check_lovers(after)
    if moved:
        yield from _check_souls(before, order, after)
    if after.lost is not before.lost or after.winner is not before.winner or settled:
        yield from _check_camps(before, after)
    if after.table.play.dying is not None:
        yield from _check_dying(after)
    if order.phase != before.phase and after.winner and before.winner:
        yield "a line was obeyed after the end"


def _check_outs(before: GameState, after: GameState) -> Iterator[str]:
    """Nobody goes out twice or comes back; who is out stands in the order, once."""
    if after.order[: len(before.order)] != before.order:
        yield "the order of those who are out was rewritten"
    if len(set(after.order)) != len(after.order):
        yield "a seat is out twice"
    out = [index for index, seat in enumerate(after.seats) if seat.cause]
    if out != sorted(after.order):
        yield "the order of outs does not hold exactly those who are out"
    if any(seat.announced and not seat.cause for seat in after.seats):
        yield "a seat that is in was announced out"
    if after.sheriff is not None and after.seats[after.sheriff].cause and not after.winner and not _badge_moves(after):
        yield "a sheriff who is out keeps his badge"


def _check_souls(before: GameState, order: Order, after: GameState) -> Iterator[str]:
    """A soul stays one (此过程不可逆), and a public identity public, but by the director's word; who is bound stays as he is."""
    if order.act == "裁定":
        return
    for index, (old, new) in enumerate(zip(before.seats, after.seats, strict=True)):
        if old.soul and not new.soul:
            yield "a soul is none any more"
        if old.published and not new.published:
            yield "a public identity is hidden again"
        if index in after.bound and (new.soul, new.chanted) != (old.soul, old.chanted) and index in before.bound:
            yield "a bound seat has changed its state"
    if not after.table.play.eliminates and after.order:
        yield "a seat is out where nobody goes out"


def _badge_moves(state: GameState) -> bool:
    """Whether the badge of a sheriff who is out is on its way: somebody is asked, or will be when the chain is settled."""
    asked = any(one.asked is Asked.SUCCESSION for one in state.decisions)
    return asked or state.badge is not None or bool(state.queue) or bool(state.decisions)


def _check_lovers(state: GameState) -> Iterator[str]:
    """Lovers are never chanted; one is not out while the other is in, but in the middle of a chain or at the end of the game."""
    if not state.lovers:
        return
    if any(state.seats[lover].chanted for lover in state.lovers):
        yield "a lover is chanted"
    out = [bool(state.seats[lover].cause) for lover in state.lovers]
    asks_first = any(one.asked is Asked.SHOT for one in state.decisions)
    few = state.table.play.red_card_triggers
    if few is not None and Trigger.SUICIDE not in few and any(state.seats[lover].cause == RED_CARD for lover in state.lovers):
        # 罚下 is not 出局: whoever stays is nobody's partner any more.
        return
    if any(out) and not all(out) and not state.winner and not asks_first and not state.queue:
        yield "a lover outlives the other"


def _check_dying(state: GameState) -> Iterator[str]:
    """Nobody is dying by day; nobody twice; a shot that waits is the shot of one who is out."""
    dying = [kill.target for kill in state.dying]
    if len(set(dying)) != len(dying):
        yield "a seat is dying twice"
    if state.phase.kind is PhaseKind.DAY and (dying or state.wards or state.shots or state.put_off):
        yield "something of the night is left by day"
    if any(not state.seats[seat].cause for seat in state.shots):
        yield "a seat that is in is to shoot"
    if any(state.seats[seat].cause for _, seat in state.drawn) and not state.queue and not state.winner and not state.decisions:
        yield "a seat that is out was drawn"


def _check_camps(before: GameState, after: GameState) -> Iterator[str]:
    """A lost camp stays lost and never wins; there is one winner."""
    if after.lost[: len(before.lost)] != before.lost:
        yield "a lost camp is lost no longer"
    if len(set(after.lost)) != len(after.lost):
        yield "a camp is lost twice"
    shares = {camp.name: camp.shares for camp in after.table.play.camps}
    if any(other not in shares[camp] for camp in after.winner for other in after.winner if other != camp):
        yield "camps have won together that share no win"
    if any(camp in after.lost or camp in after.absent for camp in after.winner):
        yield "a lost or absent camp has won"
    if after.winner and (after.queue or after.decisions):
        yield "something goes on after the end"
