"""Who holds a skill and may use it now, and what was done with it tonight."""

from __future__ import annotations

from engine.ledger import PhaseKind
from engine.play.cards import is_missing, is_wolf
from engine.play.draws import draw_seat
from engine.play.firsts import KEPT, choice_of
from engine.play.messages import Message, Told
from engine.play.rules import Step
from engine.play.skillset import Effect, Kind, Skill, Uses, Voice
from engine.play.state import Draft, NightAct
from engine.play.table import Table


def steps_of(table: Table, number: int) -> tuple[Step, ...]:
    """The steps of 夜N."""
    return table.first_steps if number == table.play.first_night else table.play.steps


def holders(d: Draft, skill: Skill) -> list[int]:
    """The seats that can use a skill now."""
    able: list[int] = []
    gained = d.lovers if d.widow and skill is d.table.play.lovers.widow else ()
    if gained:
        wolves_only = d.table.play.lovers.widow_wolves
        able = [seat for seat in gained if d.is_in(seat) and (not wolves_only or is_wolf(d, seat))]
    for seat in d.users.get(skill.name, ()):
        if seat not in gained and _can_use(d, seat, skill):
            able.append(seat)
    return able


def _can_use(d: Draft, seat: int, skill: Skill) -> bool:
    """Whether a seat that holds a skill can use it now."""
    return not d.seats[seat].cause and not is_lost(d, seat, skill) and not is_spent(d, seat, skill) and may_use(d, seat, skill)


def may_use(d: Draft, seat: int, skill: Skill) -> bool:
    """Whether a seat is in the state that a skill is for: some are for souls alone, first choices for who has not chosen."""
    if d.lovers and skill.effect is Effect.ARROW:
        return False
    if skill.needs is not None and is_missing(d, skill):
        return False
    if skill.effect in KEPT and choice_of(d, seat, skill.effect) is not None:
        return False
    return not skill.souls_only or d.seats[seat].soul


def acts_with(d: Draft, skill: Skill) -> list[NightAct]:
    """What was chosen with a skill tonight by seats that can still use it; of one seat the latest (of ballots every one)."""
    chosen = [act for act in d.acts if act.skill is skill]
    if not chosen:
        return chosen
    able = set(holders(d, skill))
    chosen = [act for act in chosen if act.insisted or act.seat in able]
    if skill.voice is Voice.BALLOTS:
        return chosen
    if skill.voice in (Voice.JOINT, Voice.DRAWN):
        return chosen[-1:]
    return list({act.seat: act for act in chosen}.values())


def is_right(d: Draft, act: NightAct) -> bool:
    """Whether a table of identities is right: of everybody (by the switch without his own who hands it in), and every one."""
    written = dict(act.guesses)
    asked = [seat for seat in d.table.everybody if d.table.play.prays_for_all or seat != act.seat]
    return all(written.get(seat) == d.seats[seat].role for seat in asked)


def drawn_for(d: Draft, skill: Skill) -> int | None:
    """The seat that tonight's draw lets use a skill; None where everybody who has it may."""
    return next((seat for name, seat in d.drawn if name == skill.name), None) if skill.voice is Voice.DRAWN else None


def draw_holders(d: Draft) -> None:
    """随机一名存活状态的狼人可以选择: one holder, anew where the one who was drawn is out. A draw needs a seed."""
    if not d.table.drawn or d.phase.kind is not PhaseKind.NIGHT or not d.table.seed:
        return
    for step in steps_of(d.table, d.phase.number)[d.cursor :]:
        for skill in (d.table.acts[name] for name in step.skills if name in d.table.drawn):
            able, before = tuple(holders(d, skill)), drawn_for(d, skill)
            if not able or before in able:
                continue
            seat = able[0] if len(able) == 1 else draw_seat(d, skill.name if before is None else f"{skill.name} 再抽", able)
            d.drawn = (*(pair for pair in d.drawn if pair[0] != skill.name), (skill.name, seat))
            d.messages = (*d.messages, Message(Told.DRAWN, seat, d.phase, (seat,), word=skill.name))


def is_lost(d: Draft, seat: int, skill: Skill) -> bool:
    """Whether a seat has lost a skill. A wolf of the lovers' camp may have lost his by the switch."""
    state = d.seats[seat]
    if skill.name in state.lost:
        return True
    lovers = d.table.play.lovers
    if d.widow and skill is lovers.widow and seat in d.lovers:
        return False
    if not lovers.wolf_kills and skill.effect is Effect.KILL and state.camp == lovers.camp:
        return d.table.roles[state.role].kind is Kind.WOLF
    if skill.voice is Voice.BALLOTS and state.camp == d.table.play.lovers.camp:
        return not d.table.play.wolf_ballots.lover_votes
    return False


def is_spent(d: Draft, seat: int, skill: Skill) -> bool:
    """Whether a seat has used up a skill: one used once (or so often), jointly for all, or once in two nights."""
    if skill.uses is Uses.NIGHTLY:
        return False
    if skill.uses is Uses.ONCE_IN_TWO_NIGHTS:
        pair = (d.phase.number + 1) // 2
        return any((owner, name, (night + 1) // 2) == (seat, skill.name, pair) for owner, name, _, night in d.used_in)
    if skill.uses is not Uses.ONCE:
        return False
    if skill.times == 1 and skill.voice is not Voice.JOINT:
        return (seat, skill.name, -1) in d.used
    uses = [one for one in d.used if one[1] == skill.name and (one[0] == seat or skill.voice is Voice.JOINT)]
    return len(uses) >= skill.times
