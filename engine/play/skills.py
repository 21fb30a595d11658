"""A skill that is used in the night: refused at once where the rules forbid it, else kept until its step is closed."""

from __future__ import annotations

from engine.ledger import PhaseKind
from engine.play.cards import is_missing, is_wolf
from engine.play.dying import is_dying
from engine.play.firsts import KEPT, must_take_wolf
from engine.play.holders import drawn_for, holders, is_lost, is_spent, may_use, steps_of
from engine.play.named import read_words
from engine.play.night import advance_night
from engine.play.order import Order
from engine.play.refusal import BY_NIGHT, Refused
from engine.play.rules import StepKind
from engine.play.skillset import Effect, Skill, Uses, Voice
from engine.play.state import Draft, NightAct, thaw
from engine.play.who import hint, must_be_unpublished, target_word
from scraper.phrases import phrase

# Skills that are no choice of a night: they come by themselves, or answer a question.
PASSIVE = (Effect.SEE_KILLS, Effect.LONG_LIFE, Effect.SENSE, Effect.RUST)
ANSWERS = (Effect.SHOT, Effect.FEIGN, Effect.SCAPEGOAT)


def find_skill(d: Draft, seat: int, act: str) -> Skill:
    """The skill of a seat that an act names: its role's, or what it gained. Refused where it has none of that name."""
    table = d.table
    role = d.seats[seat].role
    widow = table.play.lovers.widow
    wolves_only = table.play.lovers.widow_wolves and not is_wolf(d, seat)
    if widow is not None and d.widow and seat in d.lovers and act in (widow.name, *widow.aliases) and not wolves_only:
        return widow
    skill = table.words[role].get(act)
    if skill is None and d.seats[seat].borrowed:
        skill = table.words[d.seats[seat].borrowed].get(act)
    if skill is None:
        known = tuple(word for words in table.words.values() for word in words)
        if act in known or (widow is not None and act == widow.name):
            raise Refused("E307", actor=table.name(seat), role=role, act=act)
        raise Refused("E305", act=act, hint=hint(act, known))
    return skill


def use_skill(d: Draft, seat: int, skill: Skill, order: Order, *, insisted: bool = False) -> None:
    """Keep what a seat chose. With `insisted` only what could not be obeyed is refused."""
    _check_moment(d, seat, skill, order)
    named = read_words(d, skill, order)
    if not insisted:
        check_use(d, seat, skill, named.targets)
    act = NightAct(seat, skill, named.targets, order.number, order.at, insisted, named.word, named.guesses)
    if skill.voice is Voice.BALLOTS:
        d.acts = (*d.acts, act)
        return
    shared = skill.voice in (Voice.JOINT, Voice.DRAWN)
    d.acts = (*[one for one in d.acts if one.skill is not skill or not (shared or one.seat == seat)], act)


def _check_moment(d: Draft, seat: int, skill: Skill, order: Order) -> None:
    """A skill is used in its step of the night, while that is open."""
    if skill.effect in PASSIVE:
        raise Refused("E305", act=skill.name, hint=phrase("：它由程序执行"))
    if skill.effect in ANSWERS:
        raise Refused("E318", actor=d.table.name(seat))
    steps = steps_of(d.table, d.phase.number)
    place = next((place for place, step in enumerate(steps) if skill.name in step.skills), None)
    if d.phase.kind is not PhaseKind.NIGHT or place is None:
        night = "夜0" if skill.effect in (Effect.ARROW, Effect.JOIN) else BY_NIGHT
        raise Refused("E333", act=skill.name, kind=night)
    if d.closing or place < d.cursor or place in d.closed:
        raise Refused("E310", step=steps[place].name, phase=order.phase)


def check_use(d: Draft, seat: int, skill: Skill, targets: tuple[int, ...]) -> None:
    """Refuse what the rules forbid: who is out, a skill lost or used up, a target that may not be chosen."""
    name = d.table.name(seat)
    if d.seats[seat].cause:
        raise Refused("E306", actor=name)
    if is_lost(d, seat, skill):
        raise Refused("E308", actor=name, act=skill.name)
    if is_spent(d, seat, skill):
        raise Refused("E309", actor=name, act=skill.name)
    if not may_use(d, seat, skill):
        if is_missing(d, skill):
            raise Refused("E307", actor=name, role=d.seats[seat].role, act=skill.name)
        if skill.effect is Effect.ARROW or skill.effect in KEPT:
            raise Refused("E309", actor=name, act=skill.name)
        raise Refused("E341", actor=name, act=skill.name)
    drawn = drawn_for(d, skill)
    if drawn is not None and drawn != seat:
        raise Refused("E338", act=skill.name, drawn=d.table.name(drawn), actor=name)
    for other in skill.excludes:
        if any(act.seat == seat and act.skill.name == other for act in d.acts):
            raise Refused("E317", actor=name, act=skill.name, other=other)
    for target in targets:
        must_be_unpublished(d, target)
        if skill.effect is Effect.ARROW and d.table.roles[d.seats[target].role].unloved:
            raise Refused("E360", target=target_word(d, target))
        if skill.others_only and target == seat:
            raise Refused("E316", act=skill.name)
        if skill.hidden_only and d.seats[target].published:
            raise Refused("E342", act=skill.name, target=target_word(d, target))
        if skill.uses is Uses.ONCE_PER_TARGET and (seat, skill.name, target) in d.used:
            raise Refused("E315", act=skill.name, target=target_word(d, target))
        if skill.uses is Uses.NOT_TWICE_RUNNING and (seat, skill.name, target, d.phase.number - 1) in d.used_in:
            raise Refused("E347", act=skill.name, target=target_word(d, target))
        if skill.unchanted_only and d.seats[target].chanted:
            raise Refused("E345", target=target_word(d, target))
        if (
            skill.effect is Effect.SAVE
            and d.table.play.dying is not None
            and not skill.wasted
            and _will_not_be_dying(d, skill, target)
        ):
            raise Refused("E339", act=skill.name, target=target_word(d, target))
        if skill.must_be_killed and _kills_are_known(d) and target not in [kill.target for kill in d.kills]:
            raise Refused("E332", target=target_word(d, target))


def _will_not_be_dying(d: Draft, skill: Skill, target: int) -> bool:
    """Whether it is known that a seat is not dying when a skill's step comes: everybody who could kill before it has chosen.

    Where somebody has not, the line is taken, and looked at again when its step is settled.
    """
    steps = steps_of(d.table, d.phase.number)
    place = next(place for place, step in enumerate(steps) if skill.name in step.skills)
    for before, step in enumerate(steps[:place]):
        for kill in (d.table.acts[name] for name in step.skills):
            if kill.effect is not Effect.KILL or before < d.cursor or before in d.closed:
                continue
            if holders(d, kill) and not any(act.skill is kill for act in d.acts):
                return False
    trial = thaw(d)
    trial.closed = frozenset(range(place))
    while trial.cursor < place and not trial.winner and not trial.queue and advance_night(trial):
        pass
    return trial.cursor == place and not is_dying(trial, target)


def _kills_are_known(d: Draft) -> bool:
    """Whether every step in which somebody is killed is settled."""
    steps = steps_of(d.table, d.phase.number)
    killing = [
        place
        for place, step in enumerate(steps)
        if step.kind is StepKind.ASK and any(d.table.acts[name].effect is Effect.KILL for name in step.skills)
    ]
    return d.cursor > max(killing, default=-1)


def withdraw(d: Draft, seat: int, act: str = "") -> bool:
    """放弃 in a night: what a seat chose in steps that are still open (with one skill) is taken back. Whether it could choose."""
    steps = steps_of(d.table, d.phase.number)
    open_skills = [
        d.table.acts[name]
        for place, step in enumerate(steps)
        if step.kind is StepKind.ASK and place >= d.cursor and place not in d.closed
        for name in step.skills
    ]
    able = [
        skill
        for skill in open_skills
        if skill.effect not in PASSIVE and seat in holders(d, skill) and act in ("", skill.name, *skill.aliases)
    ]
    if not able:
        return False
    if any(skill.forced or (skill.effect is Effect.TRADE and must_take_wolf(d)) for skill in able):
        raise Refused("E319", act=able[0].name, actor=d.table.name(seat))
    d.passed = d.passed | {(seat, skill.name) for skill in able}
    d.acts = tuple(one for one in d.acts if not (one.seat == seat and one.skill in able))
    return True
