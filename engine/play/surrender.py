"""Surrender: a seat begins it for its camp, everybody whom the rules ask must agree, also who is out; then the camp is lost."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from engine.play.camps import Camp, Consent
from engine.play.messages import Message, Told
from engine.play.refusal import Refused
from engine.play.skillset import Kind
from engine.play.state import Draft, Surrender
from engine.play.victory import check_win, judge_lost, wolves_of
from scraper.phrases import phrase


def begin(d: Draft, seat: int) -> None:
    """投降: one of those who are asked begins it, or anybody of the camp where the rules say so; to begin is to agree."""
    camp = d.seats[seat].camp
    rule = next((one for one in d.table.play.camps if one.name == camp), None)
    if rule is None or rule.surrender is None:
        raise Refused("E324", camp=camp or phrase("无阵营"), why="")
    if camp in d.lost:
        raise Refused("E324", camp=camp, why=phrase("：已经判负"))
    asked = whom_to_ask(d, rule)
    if seat not in asked and not rule.anybody_begins:
        raise Refused("E324", camp=camp, why=phrase("：{name}不是被询问的角色", name=d.table.name(seat)))
    if (begun := next((one for one in d.surrenders if one.camp == camp), None)) is not None:
        if seat not in begun.asked:
            raise Refused("E324", camp=camp, why=phrase("：已经发起，正等被询问的角色答复"))
        _agree_to(d, begun, seat)
        return
    if not asked:
        raise Refused("E324", camp=camp, why=phrase("：没有被询问的角色"))
    d.surrenders = (*d.surrenders, Surrender(camp, asked, frozenset({seat}).intersection(asked)))
    d.messages = (*d.messages, *(Message(Told.ASK_SURRENDER, one, d.phase, (seat,), word=camp) for one in asked if one != seat))
    _settle(d, camp)


def whom_to_ask(d: Draft, camp: Camp) -> tuple[int, ...]:
    """Everybody whose consent a camp's surrender needs, out or not."""
    match camp.surrender:
        case Consent.WOLVES:
            return wolves_of(d, camp.name)
        case Consent.PACK:
            return tuple(index for index, seat in enumerate(d.seats) if d.table.roles[seat.role].kind is Kind.WOLF)
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
    _agree_to(d, _find(d, seat), seat)


def _agree_to(d: Draft, found: Surrender, seat: int) -> None:
    agreed = replace(found, agreed=found.agreed | {seat})
    d.surrenders = tuple(agreed if one is found else one for one in d.surrenders)
    _settle(d, found.camp)


def refuse(d: Draft, seat: int) -> None:
    """拒绝投降: it comes to nothing."""
    found = _find(d, seat)
    d.surrenders = tuple(one for one in d.surrenders if one is not found)


def _find(d: Draft, seat: int) -> Surrender:
    """The surrender that waits for a seat's word; else one that it has agreed to. A black lover who is a wolf may have two."""
    mine = [one for one in d.surrenders if seat in one.asked]
    if not mine:
        raise Refused("E325", actor=d.table.name(seat))
    return next((one for one in mine if seat not in one.agreed), mine[0])


def _settle(d: Draft, camp: str) -> None:
    surrender = next(one for one in d.surrenders if one.camp == camp)
    if surrender.agreed.issuperset(surrender.asked):
        d.surrenders = tuple(one for one in d.surrenders if one is not surrender)
        judge_lost(d, camp)
        check_win(d)
