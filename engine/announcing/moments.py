"""The moments at which something is published, and which of a game's own public messages belong to each.

讨论日进行时、投票结束时都会随时公示游戏流程相关信息，而夜晚期间需要公示的内容全部在下一个白天开始时公布。
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType

from engine.ledger import Phase, PhaseKind
from engine.play.messages import PUBLIC, Message, Told
from engine.play.order import Order
from engine.play.state import GameState
from engine.playing import Played


class Moment(StrEnum):
    """When an announcement goes out."""

    START = "start"
    OPENING = "opening"
    MIDDAY = "midday"
    SPEED_UP = "speedup"
    CLOSE = "close"
    END = "end"


TITLES = {
    Moment.START: "游戏开始",
    Moment.OPENING: "第 {day} 天 开门",
    Moment.MIDDAY: "第 {day} 天 公示",
    Moment.SPEED_UP: "第 {day} 天 加速与延时",
    Moment.CLOSE: "第 {day} 天 截票",
    Moment.END: "游戏结束",
}


@dataclass(frozen=True, slots=True)
class Public:
    """One public message, the moment to which it belongs, and the number of its day (0: before the first)."""

    moment: Moment
    day: int
    message: Message


NO_DAYS: Mapping[int, datetime] = MappingProxyType({})
# What is public before anybody has done anything: 游戏开始前，导演公示身份与角色对应关系; two clans; a card with the same back.
OF_THE_START = (Told.IDENTITIES, Told.OPEN_ROLE, Told.CLANS)


def sort_messages(played: Played, opens: Mapping[int, datetime] = NO_DAYS) -> tuple[Public, ...]:
    """Every public message of a fold in order, each in its moment. What a night makes public belongs to the next opening.

    `opens` are the moments at which the days open, by number: last words that came before belong to the opening.
    """
    return tuple(_sort(played, opens))


def _sort(played: Played, opens: Mapping[int, datetime]) -> Iterator[Public]:
    first = played.states[0]
    for message in first.messages:
        if message.to == PUBLIC and message.told in OF_THE_START:
            yield Public(Moment.START, 0, message)
        elif message.to == PUBLIC:
            moment = Moment.OPENING if first.phase.kind is PhaseKind.DAY else Moment.CLOSE
            yield _place(message, moment, first.phase)
    for order, before, after in zip(played.orders, played.states, played.states[1:], strict=False):
        for message in after.messages[len(before.messages) :]:
            if message.to != PUBLIC:
                continue
            if message.phase != before.phase and message.phase == after.phase:
                yield _place(message, Moment.OPENING, message.phase)
            elif before.closing or after.closing or after.phase != before.phase:
                yield _place(message, Moment.CLOSE, message.phase)
            elif message.told is Told.LAST_WORDS and _came_before(order, message.phase, opens):
                yield _place(message, Moment.OPENING, message.phase)
            else:
                yield _place(message, Moment.MIDDAY, message.phase)


def _came_before(order: Order, day: Phase, opens: Mapping[int, datetime]) -> bool:
    """Whether last words that were entered when the ledger was at a day already came before it opened: 在次日讨论日开始前."""
    if order.phase.kind is PhaseKind.NIGHT:
        return True
    return order.told is not None and day.number in opens and order.told < opens[day.number]


def _place(message: Message, moment: Moment, phase: Phase) -> Public:
    if message.told is Told.IDENTITIES:
        return Public(Moment.START, 0, message)
    if message.told is Told.WINNER:
        return Public(Moment.END, phase.number, message)
    if phase.kind is PhaseKind.NIGHT and message.told is Told.LAST_WORDS:
        # 白天出局的玩家立即留下遗言: what a night need not wait for.
        return Public(Moment.CLOSE, phase.number, message)
    if phase.kind is PhaseKind.NIGHT:
        return Public(Moment.OPENING, phase.number + 1, message)
    return Public(moment, phase.number, message)


def _rank(phase: Phase) -> tuple[int, bool]:
    """The place of a phase in a game: 夜N follows 日N."""
    return phase.number, phase.kind is PhaseKind.NIGHT


def has_opened(played: Played, day: int) -> bool:
    """Whether the ledger has reached a day: one that a single line opened and closed, too."""
    return _rank(played.states[0].phase) <= (day, False) <= max(_rank(state.phase) for state in played.states)


def is_settled(played: Played, day: int) -> bool:
    """Whether a day's vote was closed and nothing of it is waited for any more."""
    phase = Phase(PhaseKind.DAY, day)
    state = played.state
    if state.phase == phase:
        return bool(state.winner)
    # What was before the ledger's first line is over.
    return has_opened(played, day) or (day, False) < _rank(played.states[0].phase)


def find_moment(state: GameState) -> tuple[Moment, int]:
    """What a director would publish now: the last moment that the state has come to, and its day."""
    phase = state.phase
    if state.winner:
        return Moment.END, phase.number
    if phase.kind is PhaseKind.NIGHT:
        # 面杀 opens with 夜1, which follows no day.
        return (Moment.CLOSE, phase.number) if phase.number > state.table.play.first_night else (Moment.START, 0)
    return (Moment.CLOSE if state.closing else Moment.OPENING), phase.number
