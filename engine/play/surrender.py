"""Surrender: a seat begins it for its camp, everybody whom the rules ask must agree, also who is out; then the camp is lost."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from engine.play.camps import Camp, Consent
from engine.play.messages import Message, Told
from engine.play.refusal import Refused
from engine.play.state import Draft, Surrender
from engine.play.victory import check_win, judge_lost, wolves_of


def begin(d: Draft, seat: int) -> None:
    """投降: the seat's camp is asked, the seat itself agrees."""
    camp = d.seats[seat].camp
    rule = next((one for one in d.table.play.camps if one.name == camp), None)
    if rule is None or rule.surrender is None:
        raise Refused("E324", camp=camp or "无阵营", why="")
    if camp in d.lost:
        raise Refused("E324", camp=camp, why="：已经判负")
    asked = whom_to_ask(d, rule)
    if seat not in asked:
        raise Refused("E324", camp=camp, why=f"：{d.table.name(seat)}不是被询问的角色")
    if any(one.camp == camp for one in d.surrenders):
        agree(d, seat)
        return
    d.surrenders = (*d.surrenders, Surrender(camp, asked, frozenset({seat})))
    d.messages = (*d.messages, *(Message(Told.ASK_SURRENDER, one, d.phase, (seat,), word=camp) for one in asked if one != seat))
    _settle(d, camp)


def whom_to_ask(d: Draft, camp: Camp) -> tuple[int, ...]:
    """Everybody whose consent a camp's surrender needs, out or not."""
    match camp.surrender:
        case Consent.WOLVES:
            return wolves_of(d, camp.name)
        case Consent.LOVERS:
            return d.lovers
        case Consent.MEMBERS:
            return tuple(index for index, seat in enumerate(d.seats) if seat.camp == camp.name)
        case None:
            return ()
        case _:
            assert_never(camp.surrender)


def agree(d: Draft, seat: int) -> None:
    """同意投降: with the last consent the camp is lost, which nobody is told."""
    found = _find(d, seat)
    agreed = replace(found, agreed=found.agreed | {seat})
    d.surrenders = tuple(agreed if one is found else one for one in d.surrenders)
    _settle(d, found.camp)


def refuse(d: Draft, seat: int) -> None:
    """拒绝投降: it comes to nothing."""
    found = _find(d, seat)
    d.surrenders = tuple(one for one in d.surrenders if one is not found)


def _find(d: Draft, seat: int) -> Surrender:
    found = next((one for one in d.surrenders if seat in one.asked), None)
    if found is None:
        raise Refused("E325", actor=d.table.name(seat))
    return found


def _settle(d: Draft, camp: str) -> None:
    surrender = next(one for one in d.surrenders if one.camp == camp)
    if surrender.agreed.issuperset(surrender.asked):
        d.surrenders = tuple(one for one in d.surrenders if one is not surrender)
        judge_lost(d, camp)
        check_win(d)
