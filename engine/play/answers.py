"""Answers to open decisions: the shot, feigning, the successor, the ban; declining, and running out of time."""

from __future__ import annotations

from typing import assert_never

from engine.ledger import PhaseKind
from engine.play.asides import call_vote, take_card
from engine.play.cards import skill_with
from engine.play.chain import SHOT, VOTE, ask, draw_heir, eliminate, find_heirs, give_badge, try_conditions
from engine.play.dying import is_dying
from engine.play.messages import PUBLIC, Grant, Knows, Message, Told
from engine.play.refusal import Refused
from engine.play.rules import Draw, FeignedBadge, OutSuccessor
from engine.play.skillset import Effect
from engine.play.state import Asked, Badge, Decision, Draft
from engine.play.who import find_target, must_be_unpublished, target_word

# How a decision is called where the director waits for it.
NAMES = {
    Asked.SHOT: "最后一枪",
    Asked.FEIGN: "装傻",
    Asked.SUCCESSION: "殉职",
    Asked.BAN: "冤死",
    Asked.REPLACE: "替换",
    Asked.CALL_VOTE: "手势",
}


def find_open(d: Draft, seat: int, asked: Asked) -> Decision | None:
    """The open decision of that kind that a seat is asked."""
    return next((one for one in d.decisions if one.seat == seat and one.asked is asked), None)


def _close(d: Draft, decision: Decision) -> None:
    d.decisions = tuple(one for one in d.decisions if one is not decision)


def _need(d: Draft, seat: int, asked: Asked) -> Decision:
    decision = find_open(d, seat, asked)
    if decision is None:
        raise Refused("E318", actor=d.table.name(seat))
    return decision


def _need_words(act: str, words: tuple[str, ...], least: int, most: int) -> None:
    if not least <= len(words) <= most:
        wanted = str(least) if least == most else f"{least}–{most}"
        raise Refused("E311", act=act, wanted=wanted, given=len(words))


def shoot(d: Draft, seat: int, words: tuple[str, ...], *, insisted: bool = False) -> None:
    """最后一枪: the target goes out at once after the shooter."""
    decision = _need(d, seat, Asked.SHOT)
    _need_words(NAMES[Asked.SHOT], words, 1, 1)
    target = find_target(d, words[0])
    skill = skill_with(d, seat, Effect.SHOT)
    assert skill is not None
    if not insisted:
        must_be_unpublished(d, target)
        if skill.others_only and target == seat:
            raise Refused("E316", act=skill.name)
        if skill.living_only and (d.seats[target].cause or is_dying(d, target)):
            raise Refused("E346", act=skill.name, target=target_word(d, target))
    _close(d, decision)
    # With the shot a vest would be told to be the hunter's.
    if d.phase.kind is PhaseKind.DAY and not d.table.play.vests:
        d.messages = (*d.messages, Message(Told.SHOT, PUBLIC, d.phase, (seat, target)))
        if not d.table.play.numbers:
            d.grants = (*d.grants, Grant(PUBLIC, seat, Knows.ROLE, d.seats[seat].role))
    eliminate(d, target, SHOT)


def feign(d: Draft, seat: int, words: tuple[str, ...]) -> None:
    """装傻: stays in, and is published where the rules say so; a sheriff may have to hand the badge on (in the same line)."""
    decision = _need(d, seat, Asked.FEIGN)
    rule = d.table.play.feigning
    _need_words(NAMES[Asked.FEIGN], words, 0, 1 if d.sheriff == seat and rule.badge is FeignedBadge.PASS else 0)
    _close(d, decision)
    seats = list(d.seats)
    seats[seat] = seats[seat]._replace(feigned=True)
    d.seats = tuple(seats)
    if rule.shown:
        numbers = (d.table.number(seat),) if d.table.play.numbers else ()
        knows = Knows.NUMBER if d.table.play.numbers else Knows.ROLE
        d.grants = (*d.grants, Grant(PUBLIC, seat, knows, d.seats[seat].role))
        d.messages = (*d.messages, Message(Told.FEIGNED, PUBLIC, d.phase, (seat,), numbers))
    else:
        # Everybody waits for what came of the vote: that he stays, not by which skill.
        d.messages = (*d.messages, Message(Told.STAYS, PUBLIC, d.phase, (seat,)))
    if d.table.weighs:
        try_conditions(d)
    if d.sheriff != seat or rule.badge is FeignedBadge.KEEP or d.winner:
        return
    if rule.badge is FeignedBadge.DESTROY:
        give_badge(d, None)
        return
    if not words:
        d.badge = Badge(seat, NAMES[Asked.FEIGN])
        return
    ask(d, Decision(Asked.SUCCESSION, seat, d.phase, d.now, forced=True), Told.ASK_SUCCESSION)
    hand_on(d, seat, words)


def hand_on(d: Draft, seat: int, words: tuple[str, ...], *, insisted: bool = False) -> None:
    """殉职: somebody succeeds. A successor who is out but not announced is refused, passes the badge on, or takes it with him."""
    decision = _need(d, seat, Asked.SUCCESSION)
    _need_words(d.table.play.succession.act, words, 1, 1)
    heir = find_target(d, words[0])
    if d.seats[heir].feigned and not insisted:
        raise Refused("E322", target=target_word(d, heir))
    if not d.seats[heir].cause:
        _close(d, decision)
        give_badge(d, heir)
        return
    must_be_unpublished(d, heir)
    match d.table.play.succession.out_successor:
        case OutSuccessor.REASK:
            raise Refused("E323", target=target_word(d, heir))
        case OutSuccessor.DESTROY:
            _close(d, decision)
            give_badge(d, None)
        case OutSuccessor.CASCADE:
            _close(d, decision)
            d.sheriff = heir
            minutes = d.table.play.succession.minutes
            ask(d, Decision(Asked.SUCCESSION, heir, d.phase, d.now, minutes, forced=True), Told.ASK_SUCCESSION)
        case other:
            assert_never(other)


def ban(d: Draft, seat: int, words: tuple[str, ...], *, insisted: bool = False) -> None:
    """因<冤死>出局的…可以指定下一个游戏日中哪些角色不得投票: any seats, or none."""
    decision = _need(d, seat, Asked.BAN)
    targets = tuple(dict.fromkeys(find_target(d, word) for word in words))
    most = d.table.play.votes.most_barred
    if most is not None and len(targets) > most:
        raise Refused("E311", act=NAMES[Asked.BAN], wanted=f"0–{most}", given=len(targets))
    if not insisted:
        for target in targets:
            must_be_unpublished(d, target)
    _close(d, decision)
    d.barred_next = frozenset(targets)
    if targets:
        d.messages = (*d.messages, Message(Told.BARRED, PUBLIC, d.phase, targets))


def replace_card(d: Draft, seat: int, words: tuple[str, ...]) -> None:
    """替换: who is asked takes the card; the seat that was put out may be named."""
    skill = skill_with(d, seat, Effect.REPLACE)
    if skill is not None and seat in d.lovers:
        raise Refused("E367", actor=d.table.name(seat), act=skill.name)
    decision = _need(d, seat, Asked.REPLACE)
    _need_words(NAMES[Asked.REPLACE], words, 0, 1)
    if words and find_target(d, words[0]) != decision.about:
        raise Refused("E318", actor=d.table.name(seat))
    _close(d, decision)
    take_card(d, decision)


def sign(d: Draft, seat: int, words: tuple[str, ...]) -> None:
    """手势: another vote at once."""
    decision = _need(d, seat, Asked.CALL_VOTE)
    _need_words(NAMES[Asked.CALL_VOTE], words, 0, 0)
    _close(d, decision)
    call_vote(d, decision)


def let_lapse(d: Draft) -> bool:
    """Decline what is open and lapses; whether anything did."""
    lapsing = [one for one in d.decisions if one.lapses]
    for decision in lapsing:
        _leave(d, decision)
    return bool(lapsing)


def decline(d: Draft, seat: int, act: str = "") -> bool:
    """放弃: the open decision of a seat is answered with no; False where it is asked nothing. A forced one cannot be declined."""
    mine = [one for one in d.decisions if one.seat == seat and act in ("", NAMES[one.asked])]
    if not mine:
        return False
    free = [one for one in mine if not one.forced]
    if not free:
        raise Refused("E319", act=NAMES[mine[0].asked], actor=d.table.name(seat))
    _leave(d, free[0])
    return True


def run_out(d: Draft, decision: Decision) -> None:
    """超时: the default of a decision."""
    if decision.asked is not Asked.SUCCESSION:
        _leave(d, decision)
        return
    _close(d, decision)
    heirs = find_heirs(d)
    random = d.table.play.succession.timeout is Draw.RANDOM and heirs
    give_badge(d, draw_heir(d, heirs) if random else None)


def _leave(d: Draft, decision: Decision) -> None:
    """No shot, no ban, and no feigning: the vote then puts him out."""
    _close(d, decision)
    match decision.asked:
        case Asked.FEIGN:
            eliminate(d, decision.seat, VOTE)
        case Asked.SHOT | Asked.BAN | Asked.REPLACE | Asked.CALL_VOTE:
            pass
        case Asked.SUCCESSION:
            raise AssertionError("a successor is not declined")
        case _:
            assert_never(decision.asked)
