"""The chain of eliminations: first in, first out, each seat once, with what its going out brings about in the rules' order.

A seat goes out, conditions are tried, then its triggers run. A shot stops the chain until it is answered; the ban of the
SCAPEGOAT and the badge are asked for when the chain is settled, so that nobody gets the badge who goes out in the same chain.
"""

from __future__ import annotations

from typing import assert_never

from engine.ledger import PhaseKind
from engine.play.cards import skill_with, skills_of
from engine.play.circle import infect_by_rust
from engine.play.draws import draw_seat
from engine.play.firsts import lose_idols
from engine.play.messages import PUBLIC, Contact, Grant, Knows, Message, Party, Told
from engine.play.rules import Draw, Granularity, NumbersList, Punishment, StepKind, Trigger
from engine.play.skillset import Effect, Skill
from engine.play.state import Asked, Badge, Decision, Draft, Elimination, Words
from engine.play.victory import check_win, take_skill

VOTE, POISON, SHOT, SUICIDE, SCAPEGOAT, RED_CARD, SKILL_LOST = "投票", "毒药", "最后一枪", "殉情", "冤死", "红牌", "失去技能"
SICKNESS = "病逝"
# What the going out of another seat brings.
BROUGHT = (SHOT, SUICIDE, SKILL_LOST)
# What a seat's identity brings about when it goes out, and does not where somebody else has taken its card.
_OF_THE_CARD = (Trigger.PUNISHMENT, Trigger.DROP, Trigger.SHOT, Trigger.RELEASE, Trigger.BAN, Trigger.RUST)


def eliminate(d: Draft, seat: int, cause: str, *, by: Skill | None = None) -> None:
    """Put a seat at the end of the queue; `settle_next` takes it from there. `by` is the skill of a kill."""
    d.queue = (*d.queue, Elimination(seat, cause, by=by))


def settle_next(d: Draft) -> None:
    """Take the first of the queue: put the seat out, try the conditions, run its triggers until one of them asks something."""
    head, d.queue = d.queue[0], d.queue[1:]
    if head.triggers is None:
        if d.seats[head.seat].cause:
            # 每名角色仅能出局一次。
            return
        _put_out(d, head.seat, head.cause)
        if d.table.play.shot_before_win and _may_shoot(d, head):
            d.check_due = True
        else:
            try_conditions(d)
        if d.winner:
            return
    chain = d.table.play.chain
    for place in range(head.triggers or 0, len(chain)):
        if head.muted and chain[place] in _OF_THE_CARD:
            continue
        _pull(d, chain[place], head)
        if d.decisions:
            d.queue = (head._replace(triggers=place + 1), *d.queue)
            return


def try_conditions(d: Draft) -> None:
    """Try the conditions now, or remember that they are due where the rules try them later."""
    if d.table.play.granularity is Granularity.ELIMINATION:
        d.check_due = False
        check_win(d)
    else:
        d.check_due = True


def _put_out(d: Draft, index: int, cause: str) -> None:
    """Mark a seat out, and who may leave last words."""
    table, rule = d.table, d.table.play.last_words
    seats = list(d.seats)
    seats[index] = seats[index]._replace(cause=cause, out_in=d.phase, out_at=d.now)
    d.seats = tuple(seats)
    d.order = (*d.order, index)
    _end_skills(d, index)
    d.messages = (*d.messages, Message(Told.YOU_ARE_OUT, index, d.phase, (index,), word=cause))
    _drop_out(d, index)
    if cause == RED_CARD:
        return
    burnt = d.order if rule.red_card_burns_slot else [one for one in d.order if d.seats[one].cause != RED_CARD]
    if len(burnt) <= table.quota:
        d.last_words = (*d.last_words, Words(index, d.phase))
        d.messages = (*d.messages, Message(Told.YOUR_LAST_WORDS, index, d.phase, (index,)))


def _drop_out(d: Draft, index: int) -> None:
    """出局/罚下的狼将被移除出该QQ群, where the rules have it so."""
    if not d.table.play.wolf_knowledge.drops_out:
        return
    if any(contact.party is Party.WOLVES and contact.opens and index in contact.seats for contact in d.contacts):
        d.contacts = (*d.contacts, Contact(Party.WOLVES, (index,), d.phase, opens=False))


def _end_skills(d: Draft, index: int) -> None:
    """当第一个狼人…死亡后,大野狼失去他的能力: skills that end with the first seat of a kind that goes out."""
    for skill in d.table.ending:
        kind = d.table.roles[d.seats[index].role].kind
        if skill.ends_with is kind and (held := d.users.get(skill.name)):
            take_skill(d, held, skill.name)


def publish_day_outs(d: Draft) -> None:
    """投票结束后…立即公示: by day all who went out since the last time, in one list, so that no number stands beside its name.

    What their going out brought to all (a release, skills that are lost) stands behind them.
    """
    delayed = _delayed(d)
    fresh = tuple(seat for seat in d.order if not d.seats[seat].announced and d.seats[seat].cause not in delayed)
    if fresh:
        causes = [d.seats[seat].cause for seat in fresh]
        if d.table.play.vests:
            # A cause would tell the identity of a vest; that it was sent off (罚下) does not.
            causes = [cause if cause == RED_CARD else "" for cause in causes]
        publish_outs(d, fresh, "、".join(causes) if any(causes) else "")
    d.messages, d.unpublished = (*d.messages, *(one._replace(phase=d.phase) for one in d.unpublished)), ()


def _delayed(d: Draft) -> tuple[str, ...]:
    """The causes of which the next opening tells first (`announce.exile`)."""
    return (VOTE, SUICIDE) if d.table.play.exile_next_day else ()


def publish_outs(d: Draft, fresh: tuple[int, ...], causes: str = "") -> None:
    """Publish seats that are out, in order, with their numbers where the rules have any; by day with their causes."""
    play = d.table.play
    seats = list(d.seats)
    for index in fresh:
        seats[index] = seats[index]._replace(announced=True)
    d.seats = tuple(seats)
    numbers = list_numbers(d, fresh)
    if play.numbers and (len(fresh) == 1 or play.numbers_list is NumbersList.PAIRED):
        d.grants = (*d.grants, *(Grant(PUBLIC, index, Knows.NUMBER) for index in fresh))
    d.messages = (*d.messages, Message(Told.OUT, PUBLIC, d.phase, fresh, numbers, causes))


def list_numbers(d: Draft, seats: tuple[int, ...]) -> tuple[int, ...]:
    """The numbers of seats that are published together: none where the rules have none; ascending unless they stand in pairs."""
    if not d.table.play.numbers:
        return ()
    numbers = tuple(d.table.number(seat) for seat in seats)
    return numbers if d.table.play.numbers_list is NumbersList.PAIRED else tuple(sorted(numbers))


def _pull(d: Draft, trigger: Trigger, head: Elimination) -> None:
    """Run one trigger of a seat that went out."""
    few = d.table.play.red_card_triggers
    if head.cause == RED_CARD and few is not None and trigger not in few:
        return
    match trigger:
        case Trigger.PUNISHMENT:
            _punish(d, head)
        case Trigger.DROP:
            drop_feigned(d)
        case Trigger.SHOT:
            if _may_shoot(d, head):
                _come_to_shoot(d, head.seat)
        case Trigger.SUICIDE:
            if head.seat in d.lovers:
                partner = d.lovers[1] if d.lovers[0] == head.seat else d.lovers[0]
                if not d.seats[partner].cause:
                    eliminate(d, partner, SUICIDE)
        case Trigger.RELEASE:
            if skill_with(d, head.seat, Effect.CHANT) is not None:
                _release(d, head.cause)
        case Trigger.BAN:
            if head.cause == SCAPEGOAT:
                d.ban = head.seat
        case Trigger.SUCCESSION:
            if d.sheriff == head.seat:
                d.badge = Badge(head.seat, head.cause)
            if d.deputy == head.seat:
                d.deputy = None
        case Trigger.SERVANT:
            _ask_servant(d, head)
        case Trigger.MODEL:
            lose_idols(d)
        case Trigger.RUST:
            rust = skill_with(d, head.seat, Effect.RUST) if head.by is not None else None
            if rust is not None and rust.name not in d.seats[head.seat].lost:
                infect_by_rust(d, head.seat)
        case _:
            assert_never(trigger)


def _come_to_shoot(d: Draft, seat: int) -> None:
    """Ask for a shot: now, or in the next step of the night that is for shots, if there are such. After the last: never."""
    shooting = [place for place, step in enumerate(d.table.play.steps) if step.kind is StepKind.SHOTS]
    # In its step he is asked at once, unless something else comes first in the chain.
    if d.phase.kind is PhaseKind.DAY or not shooting or (d.midway and d.cursor in shooting and not d.queue):
        _ask_for_shot(d, seat)
    elif any(place >= d.cursor for place in shooting):
        d.shots = (*d.shots, seat)


def _ask_for_shot(d: Draft, seat: int) -> None:
    ask(d, Decision(Asked.SHOT, seat, d.phase, d.now, d.table.play.shot_minutes), Told.ASK_SHOT)


def take_shots(d: Draft) -> bool:
    """Ask for the shots that waited for their step, of whoever has not lost his since; False where none is asked for."""
    waiting, d.shots = d.shots, ()
    for seat in waiting:
        if d.table.effects[d.seats[seat].role][Effect.SHOT].name not in d.seats[seat].lost:
            _ask_for_shot(d, seat)
    return bool(d.decisions)


def ask(d: Draft, decision: Decision, told: Told) -> None:
    """Open a decision, and tell who is asked; by day what has happened is published first."""
    if d.phase.kind is PhaseKind.DAY:
        publish_day_outs(d)
    d.decisions = (*d.decisions, decision)
    d.messages = (*d.messages, Message(told, decision.seat, d.phase, (decision.seat,)))


def _may_shoot(d: Draft, head: Elimination) -> bool:
    """Whether a seat that goes out may still shoot: not after a red card, nor when the skill was lost."""
    seat = d.seats[head.seat]
    skill = skill_with(d, head.seat, Effect.SHOT)
    return skill is not None and head.cause != RED_CARD and skill.name not in seat.lost


def _ask_servant(d: Draft, head: Elimination) -> None:
    """在投票后,顺从的女仆可以…拿过被投票死的玩家的角色牌: not one of the lovers."""
    if head.cause not in (VOTE, SCAPEGOAT):
        return
    for servant in d.holders[Effect.REPLACE]:
        skill = skill_with(d, servant, Effect.REPLACE)
        assert skill is not None
        if d.is_in(servant) and servant not in d.lovers and skill.name not in d.seats[servant].lost:
            decision = Decision(Asked.REPLACE, servant, d.phase, d.now, lapses=True, about=head.seat)
            ask(d, decision, Told.ASK_REPLACE)
            return


def _punish(d: Draft, head: Elimination) -> None:
    """长老因投票、毒药、最后一枪而出局后，… 将失去技能; 白痴 who has feigned goes out at once."""
    rule = d.table.play.punishment
    if rule is None or not _is_cause(d, rule, head) or skill_with(d, head.seat, Effect.LONG_LIFE) is None:
        return
    if any(camp and d.seats[head.seat].camp != camp for camp in (rule.only_camp, rule.holder_camp)):
        return
    if rule.published:
        d.unpublished = (*d.unpublished, Message(Told.PUNISHED, PUBLIC, d.phase, word=rule.published))
    seats = list(d.seats)
    for index, seat in enumerate(d.seats):
        if seat.role not in rule.roles or (rule.only_camp and seat.camp != rule.only_camp):
            continue
        seats[index] = seat._replace(lost=seat.lost | {skill.name for skill in skills_of(d, index)})
        if seat.cause:
            continue
        d.punished = (*d.punished, index)
        message = Message(Told.SKILLS_LOST, index, d.phase, (index,))
        # Where everybody is told, nobody is told before.
        if rule.published:
            d.unpublished = (*d.unpublished, message)
        else:
            d.messages = (*d.messages, message)
    d.seats = tuple(seats)


def _is_cause(d: Draft, rule: Punishment, head: Elimination) -> bool:
    """Whether a holder who goes out so brings the punishment; by love, it depends on why his lover went out."""
    if head.cause == SUICIDE and rule.suicide_after:
        return any(d.seats[lover].cause in rule.suicide_after for lover in d.lovers if lover != head.seat)
    return head.cause in rule.causes


def drop_feigned(d: Draft) -> None:
    """当白痴发动<装傻>避免出局以后，失去此技能时立即出局。"""
    for index in d.holders[Effect.FEIGN]:
        seat, feign = d.seats[index], skill_with(d, index, Effect.FEIGN)
        if seat.feigned and not seat.cause and feign is not None and feign.name in seat.lost:
            eliminate(d, index, SKILL_LOST)


def _release(d: Draft, cause: str) -> None:
    """吹笛者出局后，公示吹笛者出局，并取消吹笛状态 — by day at once, behind who is out; in the night with the next opening.

    It waits for the opening too where that is what publishes the vote's exile.
    """
    if any(not d.seats[index].cause for index in d.holders[Effect.CHANT]):
        return
    d.seats = tuple(seat._replace(chanted=False) if seat.chanted else seat for seat in d.seats)
    d.chanted_tonight = ()
    if d.phase.kind is PhaseKind.NIGHT or cause in _delayed(d):
        d.released = True
    else:
        d.unpublished = (*d.unpublished, Message(Told.RELEASED, PUBLIC, d.phase))


def ask_at_the_end(d: Draft) -> bool:
    """Ask what waits until the chain is settled: the ban, and who gets the badge. True where something is open now."""
    if d.ban is not None:
        ask(d, Decision(Asked.BAN, d.ban, d.phase, d.now), Told.ASK_BAN)
        d.ban = None
    if d.badge is not None:
        badge, d.badge = d.badge, None
        succession, heirs = d.table.play.succession, find_heirs(d)
        if ends_badge(d, badge.seat):
            give_badge(d, None)
        elif badge.cause == RED_CARD or not heirs:
            give_badge(d, draw_heir(d, heirs) if heirs and succession.red_card is Draw.RANDOM else None)
        else:
            decision = Decision(Asked.SUCCESSION, badge.seat, d.phase, d.now, succession.minutes, forced=True)
            ask(d, decision, Told.ASK_SUCCESSION)
    return bool(d.decisions)


def ends_badge(d: Draft, seat: int) -> bool:
    """警长并非白痴: whether the badge leaves the game with this seat."""
    return any(skill_with(d, seat, effect) is not None for effect in d.table.play.succession.ends_with)


def draw_heir(d: Draft, heirs: tuple[int, ...]) -> int:
    """A random successor."""
    return draw_seat(d, f"{d.table.play.succession.act} {d.table.name(d.sheriff or 0)}", heirs)


def find_heirs(d: Draft) -> tuple[int, ...]:
    """The seats that can succeed a sheriff: in the game, and not one that has feigned."""
    return tuple(index for index, seat in enumerate(d.seats) if not seat.cause and not seat.feigned)


def give_badge(d: Draft, heir: int | None, *, ruled: bool = False) -> None:
    """The badge passes on; None: there is no sheriff any more. What happens by night is published with the next opening.

    `ruled` tells that the director says so; else whoever had it has died for it, or hands it on and stays.
    """
    stays = d.sheriff is not None and not d.seats[d.sheriff].cause
    word = "裁定" if ruled else "移交" if stays else ""
    d.sheriff = heir
    if d.table.weighs:
        try_conditions(d)
    if heir is not None:
        d.messages = (*d.messages, Message(Told.SHERIFF, heir, d.phase, (heir,)))
    if d.phase.kind is PhaseKind.DAY:
        none = Message(Told.NO_SHERIFF, PUBLIC, d.phase)
        d.messages = (*d.messages, none if heir is None else Message(Told.NEW_SHERIFF, PUBLIC, d.phase, (heir,), word=word))
