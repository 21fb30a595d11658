"""What is revealed once a game is over: who was what, what every night did, and the seed, held against its commitment."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from engine.ledger import DIRECTOR, Phase, PhaseKind
from engine.play.messages import PUBLIC, Message, Told
from engine.play.order import Order
from engine.play.wording import call_chant, say, write_target
from engine.secrets import commit_seed
from tally.policy import ELECTION

if TYPE_CHECKING:
    from engine.announcing.announce import Desk
    from engine.game import Game
    from engine.play.state import GameState, VoteCount

# Lines of the director that say something of what a night did; all others are work that nobody wants to read.
_SHOWN = ("超时", "红牌", "罚下", "替补", "裁定")
_HOW = {"exile": "出局", "sheriff": "当选警长"}


def list_reveal(desk: Desk) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The parts of a reveal, each with its heading, in order; a game whose ledger does not run it has no chronicle."""
    state = desk.played.state if desk.played is not None else None
    if state is not None:
        yield "结果", tuple(_result(state))
        yield "身份", tuple(_identities(state))
        yield from _nights(desk)
    elif desk.game.secrets.roles:
        yield "身份", tuple(_dealt(desk.game))
    if desk.game.secrets.spare:
        yield "底牌", ("、".join(desk.game.secrets.spare),)
    if desk.game.secrets.seed:
        yield "种子", tuple(_seed(desk.game))


def check_seed(game: Game) -> bool | None:
    """Whether the seed is the one that was committed to before the game; None where there is no seed, or no commitment."""
    if not game.secrets.seed or not game.seed_commitment:
        return None
    told = game.seed_commitment.strip().lower()
    return commit_seed(game.secrets.seed) == (told if ":" in told else f"sha256:{told}")


def describe_winner(state: GameState) -> str:
    """Who has won, in words."""
    return f"{'、'.join(state.winner)}获胜" if state.winner else "还没有胜负"


def _result(state: GameState) -> Iterator[str]:
    yield describe_winner(state)
    if state.lost:
        yield f"判负：{'、'.join(state.lost)}"
    riders = [state.table.name(message.to) for message in state.messages if message.told is Told.RIDES]
    if riders:
        yield f"随所支持的人获胜：{'、'.join(riders)}"
    if state.lovers:
        yield f"情侣：{'、'.join(state.table.name(seat) for seat in state.lovers)}"


def _identities(state: GameState) -> Iterator[str]:
    table = state.table
    for index, seat in enumerate(state.seats):
        facts = [seat.role, *([seat.camp] if seat.camp else [])]
        facts += [f"秘密数字 {table.number(index)}"] if table.play.numbers else []
        facts += [f"马甲 {table.vest(index)}"] if table.play.vests else []
        if seat.cause:
            facts.append(f"{f'{seat.out_in} ' if seat.out_in is not None else ''}{seat.cause}出局")
        facts += ["灵魂状态"] if seat.soul else []
        facts += [f"被{call_chant(table)}"] if seat.chanted else []
        yield f"{table.name(index)}：{'，'.join(facts)}"


def _dealt(game: Game) -> Iterator[str]:
    secrets = game.secrets
    for seat in game.roster.seats:
        facts = [secrets.roles.get(seat.name, "？")]
        facts += [f"秘密数字 {secrets.numbers[seat.name]}"] if seat.name in secrets.numbers else []
        facts += [f"马甲 {secrets.vests[seat.name]}"] if seat.name in secrets.vests else []
        yield f"{seat.name}：{'，'.join(facts)}"


def _nights(desk: Desk) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The chronicle: of every phase what was done, in the order of the ledger, and who went out because of it."""
    assert desk.played is not None
    state = desk.played.state
    refused = {one.order.number for one in desk.played.rejected}
    orders = [order for order in desk.played.orders if order.number not in refused]
    phases = {order.phase: None for order in orders}
    for phase in phases:
        lines = [_describe_votes(state, count) for count in state.votes if count.phase == phase]
        lines += [line for order in orders if order.phase == phase for line in describe_act(order)]
        lines += _answered(state, phase)
        lines += _settled(state, phase)
        if lines:
            kind = "夜" if phase.kind is PhaseKind.NIGHT else "天"
            yield f"第 {phase.number} {kind}", tuple(lines)


# What a seat was told of another by a skill of its own.
_ANSWERS = (Told.CAMP, Told.ROLE, Told.IS_ROLE, Told.KILLED, Told.DYING, Told.WOLF_NEAR)


def _answered(state: GameState, phase: Phase) -> Iterator[str]:
    """What came of the skills that ask: 反馈<村民阵营>, 反馈被指杀的秘密数字."""
    for message in state.messages:
        if message.phase == phase and message.told in _ANSWERS:
            yield f"反馈给 {state.table.name(message.to)}：{say(message, state.table)}"


def _settled(state: GameState, phase: Phase) -> Iterator[str]:
    """What a phase brought about: who went out in it, in order, and (断言) whose identity it showed and who became a soul."""
    table = state.table
    for seat in state.order:
        if state.seats[seat].out_in == phase:
            yield f"出局：{table.name(seat)}（{state.seats[seat].cause}）"
    if phase.kind is not PhaseKind.NIGHT:
        return
    opening = Phase(PhaseKind.DAY, phase.number + 1)
    told = [message for message in state.messages if message.phase == opening and message.told in (Told.REVEALED, Told.SOULS)]
    yield from (say(message, table) for message in told)
    if phase == state.phase:
        # The night that decided the game published nothing of it any more.
        yield from (say(Message(Told.REVEALED, PUBLIC, phase, (seat,)), table) for seat in state.revealed)
        if state.souls_tonight:
            yield say(Message(Told.SOULS, PUBLIC, phase, state.souls_tonight), table)


def describe_act(order: Order) -> Iterator[str]:
    """A line of the ledger as the chronicle tells it; votes stand in their count, and remarks are the director's."""
    if order.act in ("投票", "改票", "遗言") or (order.actor == DIRECTOR and order.act not in _SHOWN):
        drawn = order.values.get("抽得", "")
    else:
        yield " ".join((order.actor, order.act, *order.targets))
        drawn = order.values.get("抽得", "")
    if drawn:
        yield f"抽签：{drawn}"


def _describe_votes(state: GameState, count: VoteCount) -> str:
    table = state.table
    votes = "、".join(f"{write_target(seat, table)} {number} 票" for seat, number in count.votes) or "无人得票"
    return f"投票{f'（{count.poll}）' if count.poll else ''}：{votes}{_came_of(state, count)}"


def _came_of(state: GameState, count: VoteCount) -> str:
    """What a vote did: of a poll that the night settles, nothing yet; who feigned, or was out before, stayed as he was."""
    rule = state.table.play.votes
    if count.seat is None:
        elects = count.poll == ELECTION.name or (count.phase.number == rule.election_day and not rule.beside)
        return "" if rule.polls else "，无人当选" if elects else "，无人出局"
    stays = count.decision == "exile" and state.seats[count.seat].out_in != count.phase
    return f"，{state.table.name(count.seat)} {'没有出局' if stays else _HOW.get(count.decision, count.decision)}"


def _seed(game: Game) -> Iterator[str]:
    yield f"种子：{game.secrets.seed}"
    if game.seed_commitment:
        yield f"开局时公布的承诺：{game.seed_commitment}"
    match check_seed(game):
        case True:
            yield "核对：种子的 SHA-256 就是这个承诺。"
        case False:
            yield f"核对：不一致！这个种子的承诺应为 {commit_seed(game.secrets.seed)}"
        case None:
            yield "开局时没有公布承诺，无从核对。"
