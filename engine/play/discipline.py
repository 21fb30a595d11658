"""What the director does to a seat for its conduct: cards, points, sending off, a substitute."""

from __future__ import annotations

from engine.ledger import PhaseKind
from engine.play.chain import RED_CARD, eliminate
from engine.play.order import Order
from engine.play.refusal import Refused
from engine.play.state import Draft
from engine.play.table import read_number
from engine.play.who import find_person
from scraper.phrases import phrase


def find_one(d: Draft, order: Order) -> int:
    """The one seat that a line names; refused where it names none or several."""
    if len(order.targets) != 1:
        raise Refused("E311", act=order.act, wanted=1, given=len(order.targets))
    return find_person(d, order.targets[0])


def must_eliminate(d: Draft, act: str) -> None:
    """Refuse what puts a seat out where the rules know no going out."""
    if not d.table.play.eliminates:
        raise Refused("E343", title=d.table.play.title, act=act)


def give_red(d: Draft, order: Order, insisted: bool) -> None:
    must_eliminate(d, order.act)
    send_off(d, find_one(d, order))


def send_off(d: Draft, seat: int) -> None:
    """红牌罚下: by day it settles after the vote unless the rules have it at once, in the night at once."""
    if d.seats[seat].cause or seat in d.reds:
        raise Refused("E335", target=d.table.name(seat))
    if d.phase.kind is PhaseKind.DAY and not d.table.play.red_card_at_once:
        d.reds = (*d.reds, seat)
    else:
        eliminate(d, seat, RED_CARD)


def dismiss(d: Draft, order: Order, insisted: bool) -> None:
    """罚下, as rules with points call it."""
    if d.table.play.points is None:
        raise Refused("E305", act=order.act, hint=phrase("：这套规则里写 `红牌`"))
    send_off(d, find_one(d, order))


def deduct(d: Draft, order: Order, insisted: bool) -> None:
    """扣分: 累计扣满12分者将予以罚下处理. Where the rules have no points the line is evidence only."""
    most = d.table.play.points
    if most is None:
        return
    if len(order.targets) != 2:
        raise Refused("E311", act=order.act, wanted=2, given=len(order.targets))
    number = read_number(order.targets[1])
    if number is None:
        raise Refused("E331", act=order.act, problem=phrase("{word!r} 不是分数", word=order.targets[1]))
    seat = find_person(d, order.targets[0])
    if d.seats[seat].cause:
        raise Refused("E335", target=d.table.name(seat))
    d.points = (*d.points, (seat, number))
    if sum(some for owner, some in d.points if owner == seat) >= most and seat not in d.reds:
        send_off(d, seat)


def give_yellow(d: Draft, order: Order, insisted: bool) -> None:
    """黄牌: so many of them are a red one."""
    must_eliminate(d, order.act)
    seat = find_one(d, order)
    if d.seats[seat].cause:
        raise Refused("E335", target=d.table.name(seat))
    d.yellows = (*d.yellows, seat)
    if d.yellows.count(seat) >= d.table.play.yellow_to_red and seat not in d.reds:
        send_off(d, seat)


def substitute(d: Draft, order: Order, insisted: bool) -> None:
    """替补: 每名角色仅限更换一次替补。无法更换替补时红牌罚下。"""
    seat = find_one(d, order)
    if d.seats[seat].cause:
        raise Refused("E335", target=d.table.name(seat))
    if seat in d.substituted and d.table.play.eliminates:
        send_off(d, seat)
        return
    d.substituted = (*d.substituted, seat)
