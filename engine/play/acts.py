"""The fold's one step: a state and a line give the next state, or the line is refused and nothing has changed.

What a seat can write is here; what only the director writes is in `engine.play.directing`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from engine.ledger import PhaseKind
from engine.play.answers import ban, decline, feign, hand_on, let_lapse, replace_card, shoot, sign
from engine.play.asides import appoint
from engine.play.directing import CARDS, DIRECTED, direct, is_note, must_be_chosen, read_poll
from engine.play.draws import BETWEEN, KEY
from engine.play.flow import run
from engine.play.order import Order
from engine.play.refusal import BY_DAY, Refused
from engine.play.skills import ANSWERS, find_skill, use_skill, withdraw
from engine.play.skillset import Effect, Skill
from engine.play.speech import find_words, leave_words, waive_words
from engine.play.state import Ballot, Draft, GameState, RuledLine, ThreadVotes, freeze, thaw
from engine.play.surrender import agree, begin, refuse
from engine.play.who import find_actor, find_target, must_be_unpublished
from scraper.phrases import listing

# The key of a line that the director insists on.
INSIST = "强制"
ABSTAIN = "弃权"
DECLINE, LAST_WORDS = "放弃", "遗言"
# What is only kept until something is closed, as the choices of a night are: nothing can go on because of it.
_WAITS = frozenset(("投票", "改票"))
# Answers that no skill names.
_ANSWERS = ("殉职", "移交")


def apply(state: GameState, order: Order, thread: ThreadVotes | None = None) -> GameState:
    """Obey one line. Raises `Refused`, with the state untouched, where the rules forbid it.

    `thread` are the votes of the day that the line closes, where they come from a recorded thread and not from the ledger.
    """
    d = thaw(state)
    if thread is not None:
        d.thread = thread
    d.now = order.at
    d.brought = tuple(order.values[KEY].split(BETWEEN)) if KEY in order.values else ()
    if INSIST in order.values:
        _insist(d, order)
    else:
        _obey(d, order, insisted=False)
    d.now, d.brought = None, ()
    return freeze(d)


def _insist(d: Draft, order: Order) -> None:
    """A line that the director insists on: what it breaks is noted as a ruling. What nobody could obey is refused."""
    trial = thaw(d)
    broken = ""
    try:
        _obey(trial, order, insisted=False)
    except Refused as refused:
        if not refused.why.insist:
            raise
        broken = refused.code
    if broken:
        d.rulings = (*d.rulings, RuledLine(order.number, broken, order.remark))
    _obey(d, order, insisted=bool(broken))


def _obey(d: Draft, order: Order, *, insisted: bool) -> None:
    if d.winner:
        raise Refused("E301", winner=listing(d.winner))
    seat = find_actor(d, order.actor, order.act)
    _let_lapse(d, seat, order)
    if order.phase != d.phase:
        if seat is None and is_note(order, d.table.play):
            direct(d, order, insisted=insisted)
            return
        _turn_phase(d, seat, order)
    if seat is None:
        direct(d, order, insisted=insisted)
    elif order.act in DIRECTED:
        raise Refused("E321", act=order.act)
    elif order.act in _SEATS:
        _SEATS[order.act](d, seat, order, insisted)
    else:
        _use_or_answer(d, seat, order, insisted)
    if order.act not in _WAITS and (order.act not in d.table.step_of or order.act in d.table.at_once):
        run(d)


def _let_lapse(d: Draft, seat: int | None, order: Order) -> None:
    """A question that lapses is declined by the next line that cannot stand before it: the next phase's, or another answer."""
    if not d.decisions or not any(one.lapses for one in d.decisions):
        return
    words = {
        *_ANSWERS,
        *(word for skill in d.table.acts.values() if skill.effect in ANSWERS for word in (skill.name, *skill.aliases)),
    }
    answers = seat is not None and order.act in words and not any(one.seat == seat for one in d.decisions)
    follows = order.phase.number == d.phase.number and order.phase.kind is PhaseKind.NIGHT and d.phase.kind is PhaseKind.DAY
    if (answers or (follows and not is_note(order, d.table.play))) and let_lapse(d):
        run(d)


def _turn_phase(d: Draft, seat: int | None, order: Order) -> None:
    """A line of another phase: 夜0 ends with the first line of 日1; last words, and the cards of a day that was just closed,
    may come a phase late; else it is refused."""
    words = find_words(d, seat) if order.act in (LAST_WORDS, DECLINE) and seat is not None else None
    if words is not None and words.phase == order.phase:
        return
    night = d.phase.kind is PhaseKind.NIGHT and order.phase.kind is PhaseKind.DAY and order.phase.number == d.phase.number
    if night and seat is None and order.act in CARDS:
        return
    opening = d.phase.kind is PhaseKind.NIGHT and d.phase.number == 0 and d.table.play.first_night == 0
    if opening and order.phase.kind is PhaseKind.DAY and order.phase.number == 1:
        must_be_chosen(d)
        d.closing = True
        run(d)
        return
    raise Refused("E302", now=d.phase, phase=order.phase)


def _use_or_answer(d: Draft, seat: int, order: Order, insisted: bool) -> None:
    """An act that a skill names: the answer to a question, or a choice of the night."""
    skill = find_skill(d, seat, order.act)
    match skill.effect:
        case Effect.SHOT:
            shoot(d, seat, order.targets, insisted=insisted)
        case Effect.FEIGN:
            feign(d, seat, order.targets)
        case Effect.SCAPEGOAT:
            ban(d, seat, order.targets, insisted=insisted)
        case Effect.REPLACE:
            replace_card(d, seat, order.targets)
        case Effect.CALL_VOTE:
            sign(d, seat, order.targets)
        case Effect.UNWRITTEN:
            raise Refused("E361", act=skill.name)
        case Effect.BALLOT:
            _vote(d, seat, order, insisted)
        case Effect.MANIPULATE:
            _manipulate(d, seat, skill, order)
        case _:
            use_skill(d, seat, skill, order, insisted=insisted)


def _must_be_open(d: Draft, order: Order) -> None:
    if d.phase.kind is not PhaseKind.DAY:
        raise Refused("E333", act=order.act, kind=BY_DAY)
    if d.closing:
        raise Refused("E310", step="投票", phase=order.phase)


def _manipulate(d: Draft, seat: int, skill: Skill, order: Order) -> None:
    """操纵: kept until the close, as a vote is; one that the rules forbid is never refused, and has no effect then."""
    _must_be_open(d, order)
    if len(order.targets) != 2:
        raise Refused("E311", act=skill.name, wanted=2, given=len(order.targets))
    voter = find_target(d, order.targets[0])
    target = None if order.targets[1] == ABSTAIN else find_target(d, order.targets[1])
    d.ballots = (*d.ballots, Ballot(voter, target, order.told, len(d.ballots), by=seat))


def _vote(d: Draft, seat: int, order: Order, insisted: bool) -> None:
    """投票: kept until the close; whether it counts is told then, for a bar or a feigning never refuses it."""
    _must_be_open(d, order)
    if len(order.targets) != 1:
        raise Refused("E311", act=order.act, wanted=1, given=len(order.targets))
    target = None if order.targets[0] == ABSTAIN else find_target(d, order.targets[0])
    if not insisted:
        if d.seats[seat].cause:
            raise Refused("E306", actor=d.table.name(seat))
        if target is not None:
            must_be_unpublished(d, target)
    poll = order.act if order.act in d.table.acts else read_poll(d, order)
    d.ballots = (
        *d.ballots,
        Ballot(seat, target, order.told if d.table.play.votes.polls else order.at, len(d.ballots), poll=poll),
    )


def _hand_on(d: Draft, seat: int, order: Order, insisted: bool) -> None:
    hand_on(d, seat, order.targets, insisted=insisted)


def _decline(d: Draft, seat: int, order: Order, insisted: bool) -> None:
    del insisted
    act = order.targets[0] if order.targets else ""
    if decline(d, seat, act):
        return
    if act in ("", LAST_WORDS) and waive_words(d, seat):
        return
    if d.phase.kind is PhaseKind.NIGHT and not d.closing and withdraw(d, seat, act):
        return
    raise Refused("E318", actor=d.table.name(seat))


def _leave_words(d: Draft, seat: int, order: Order, insisted: bool) -> None:
    if not order.targets:
        raise Refused("E311", act=order.act, wanted=1, given=0)
    leave_words(d, seat, " ".join(order.targets), insisted=insisted)


def _begin_surrender(d: Draft, seat: int, order: Order, insisted: bool) -> None:
    del order, insisted
    begin(d, seat)


def _agree(d: Draft, seat: int, order: Order, insisted: bool) -> None:
    del order, insisted
    agree(d, seat)


def _refuse(d: Draft, seat: int, order: Order, insisted: bool) -> None:
    del order, insisted
    refuse(d, seat)


def _appoint(d: Draft, seat: int, order: Order, insisted: bool) -> None:
    del insisted
    appoint(d, seat, order.act, order.targets)


def _request(d: Draft, seat: int, order: Order, insisted: bool) -> None:
    """申请加速, 申请延时: a seat that is in asks for a shorter or longer day."""
    if d.seats[seat].cause and not insisted:
        raise Refused("E306", actor=d.table.name(seat))
    if d.phase.kind is not PhaseKind.DAY or d.closing:
        raise Refused("E333", act=order.act, kind=BY_DAY)
    d.requests = (*d.requests, (seat, order.act == "申请加速", order.at))


_SEATS: Mapping[str, Callable[[Draft, int, Order, bool], None]] = MappingProxyType(
    {
        "投票": _vote,
        "改票": _vote,
        "殉职": _hand_on,
        "移交": _hand_on,
        DECLINE: _decline,
        LAST_WORDS: _leave_words,
        "投降": _begin_surrender,
        "同意投降": _agree,
        "拒绝投降": _refuse,
        "申请加速": _request,
        "申请延时": _request,
        "任命": _appoint,
        "免职": _appoint,
        "选新月卡": _appoint,
    }
)
