"""The night: its steps in the rules' order, each settled once it is closed and all before it are."""

from __future__ import annotations

from typing import assert_never

from engine.play.ballots import Box, count_votes, find_top, in_order, run_race
from engine.play.cards import skill_with
from engine.play.chain import POISON, SICKNESS, eliminate, take_shots, try_conditions
from engine.play.circle import sniff
from engine.play.dying import fails, heal, is_dying, settle_dying, settle_shooter, shield, strike
from engine.play.firsts import borrow, choose_role, keep_choice, trade
from engine.play.holders import acts_with, holders, is_right, steps_of
from engine.play.infection import settle_infection
from engine.play.messages import Message, Told
from engine.play.opening import finish_opening, join_wolves, make_lovers, tell_joiner
from engine.play.polls import settle_polls
from engine.play.rules import Granularity, Step, StepKind
from engine.play.skillset import WEIGHTS, Effect, Kind, Sight, Skill, Uses, Voice
from engine.play.state import Ballot, Draft, Kill, NightAct, RuledLine
from engine.play.victory import check_win, take_skill
from engine.play.waiting import waiting_for


def advance_night(d: Draft) -> bool:
    """Settle the next thing of the night; False where it waits for a step that is still open, or is over."""
    steps = steps_of(d.table, d.phase.number)
    if d.cursor == len(steps):
        return False
    if d.check_due and d.table.play.granularity is Granularity.FLOW_STEP and _is_between(d, steps):
        d.check_due = False
        check_win(d)
        return True
    step = steps[d.cursor]
    if d.cursor not in d.told:
        tell_first(d, step)
    if not is_ready(d, step):
        return _settle_early(d, steps)
    match step.kind:
        case StepKind.ASK:
            for name in () if d.cursor in d.told and step.early else step.skills:
                _use(d, name)
        case _ if _settle_one(d, step):
            d.midway = True
            return True
        case _:
            pass
    _spend_widow(d, step)
    d.cursor += 1
    d.midway = False
    # 每一步执行完毕后，执行胜负判定: whether or not anything has changed.
    d.check_due = d.check_due or d.table.play.granularity is Granularity.FLOW_STEP
    return True


def _settle_one(d: Draft, step: Step) -> bool:
    """Settle one thing of a step that asks nobody for a skill; False where nothing is left."""
    match step.kind:
        case StepKind.CAMPS:
            finish_opening(d, tell=True)
        case StepKind.SICKNESS:
            _settle_sickness(d)
        case StepKind.KILLS:
            settle_infection(d)
            if d.kills:
                _settle_kill(d)
                return True
        case StepKind.POISON:
            if d.poisoned:
                _settle_poison(d)
                return True
        case StepKind.POLLS:
            settle_polls(d, step.skills)
        case StepKind.SHOTS:
            return settle_shooter(d) or take_shots(d)
        case StepKind.DYING:
            if d.dying:
                settle_dying(d)
                return True
        case StepKind.TELL:
            d.messages, d.put_off = (*d.messages, *d.put_off), ()
        case StepKind.ASK:
            raise AssertionError("a step that asks is settled by its skills")
        case _:
            assert_never(step.kind)
    return False


def _is_between(d: Draft, steps: tuple[Step, ...]) -> bool:
    """Whether a step of the rules' flow is over, and the next has not begun."""
    return not d.midway and d.cursor > 0 and steps[d.cursor - 1].whole


def tell_first(d: Draft, step: Step) -> None:
    """通灵 comes before the choice: whoever has it is told when every step before his is settled; so is a joiner."""
    if step.kind is not StepKind.ASK:
        return
    for name in step.skills:
        if name not in d.table.told_first:
            continue
        d.told = d.told | {d.cursor}
        skill = d.table.acts[name]
        if skill.effect is Effect.SEE_KILLS:
            _tell_kills(d, skill)
        else:
            for seat in holders(d, skill):
                tell_joiner(d, seat)


def _settle_early(d: Draft, steps: tuple[Step, ...]) -> bool:
    """Settle the closed early steps that are not yet: whoever foresees need not wait for the others."""
    if not d.closed:
        return False
    early = [place for place in sorted(d.closed) if place > d.cursor and steps[place].early and place not in d.told]
    for place in early:
        d.told = d.told | {place}
        for name in steps[place].skills:
            _use(d, name)
    return bool(early)


def is_ready(d: Draft, step: Step) -> bool:
    """Whether a step may be settled: the night or the step was closed, or nobody can act in it."""
    if d.closing:
        return True
    if step.kind is StepKind.CAMPS:
        return True
    if step.kind is not StepKind.ASK:
        return False
    waiting = waiting_for(d, step)
    if step.at_once:
        made = {(act.seat, act.skill.name) for act in d.acts} | d.passed
        waiting = ((seat, skill) for seat, skill in waiting if (seat, skill.name) not in made and skill.name not in d.excused)
    return d.cursor in d.closed or not any(waiting)


def _spend_widow(d: Draft, step: Step) -> None:
    """额外获得<寡妇刀> for the first night only, by the switch."""
    rule = d.table.play.lovers
    if d.widow and rule.widow_once and rule.widow is not None and rule.widow.name in step.skills:
        d.widow = False


def _settle_sickness(d: Draft) -> None:
    """该狼人因伤口感染病逝: whoever is due with this night, and still in."""
    due = tuple(seat for seat, night in d.sick if night <= d.phase.number)
    d.sick = tuple(one for one in d.sick if one[0] not in due)
    for seat in due:
        if d.is_in(seat):
            eliminate(d, seat, SICKNESS)


def _use(d: Draft, name: str) -> None:
    """Put a skill into effect as it was chosen tonight."""
    if d.winner:
        return
    skill = d.table.acts[name]
    if skill.effect is Effect.SEE_KILLS:
        return  # told before (`_tell_first`)
    if skill.voice is Voice.BALLOTS:
        _count_wolves(d, skill)
        return
    for act in acts_with(d, skill):
        if not d.winner:
            _apply(d, act)


def _apply(d: Draft, act: NightAct) -> None:
    skill = act.skill
    match skill.effect:
        case Effect.SHIELD:
            shield(d, act)
        case Effect.MUFFLE:
            d.muffled = (*d.muffled, act.targets[0])
        case Effect.CHANT:
            _chant(d, act.targets[0])
        case Effect.KILL:
            if d.table.play.dying is not None:
                strike(d, act.targets[0], skill)
            else:
                d.kills = (*d.kills, Kill(act.targets[0], skill))
        case Effect.SAVE if d.table.play.dying is not None:
            if not is_dying(d, act.targets[0]) and not skill.wasted:
                # Known only now: the line is against the rules, and the potion is kept.
                d.spoilt = (*d.spoilt, RuledLine(act.number, "E339", d.table.target_word(act.targets[0])))
                return
            heal(d, act.targets[0])
        case Effect.SAVE:
            if skill.must_be_killed and act.targets[0] not in [kill.target for kill in d.kills]:
                return
            d.saved = (*d.saved, act.targets[0])
        case Effect.POISON if skill.at_once:
            eliminate(d, act.targets[0], POISON)
        case Effect.POISON:
            d.poisoned = (*d.poisoned, act)
        case Effect.SEE_CAMP:
            _see(d, act)
        case Effect.SEE_ROLE:
            word = f"{skill.name} {'是' if d.seats[act.targets[0]].role == skill.asks else '不是'}{skill.asks}"
            d.messages = (*d.messages, Message(Told.IS_ROLE, act.seat, d.phase, act.targets, _numbers(d, act.targets), word))
        case Effect.PRAY:
            if is_right(d, act):
                d.prayed = (*d.prayed, act.seat)
                try_conditions(d)
        case Effect.BIND:
            d.bound = (*d.bound, act.targets[0])
        case Effect.WEIGH:
            d.weights = (*d.weights, (act.seat, WEIGHTS[act.word]))
        case Effect.GUESS:
            if all(d.seats[seat].role == role for seat, role in act.guesses):
                _chant(d, act.targets[0])
        case Effect.JOIN:
            join_wolves(d, act.seat)
        case Effect.ARROW:
            make_lovers(d, (act.targets[0], act.targets[1]))
        case Effect.CURSE:
            d.cursed = (*d.cursed, act.targets[0])
        case Effect.SEE_WOLVES:
            sniff(d, act)
        case Effect.INFECT:
            d.infecting = (*d.infecting, act)
        case Effect.TRADE:
            trade(d, act)
        case Effect.CHOOSE_ROLE:
            choose_role(d, act)
        case Effect.SUPPORT | Effect.IDOL | Effect.OPPOSE:
            keep_choice(d, act)
        case Effect.BORROW:
            borrow(d, act)
        case (
            Effect.SEE_KILLS
            | Effect.SHOT
            | Effect.FEIGN
            | Effect.LONG_LIFE
            | Effect.SCAPEGOAT
            | Effect.BALLOT
            | Effect.MANIPULATE
            | Effect.SENSE
            | Effect.RUST
            | Effect.CALL_VOTE
            | Effect.REPLACE
            | Effect.UNWRITTEN
        ):
            raise AssertionError(f"{skill.name} is not chosen in a night")
        case _:
            assert_never(skill.effect)
    spend(d, act)


def _see(d: Draft, act: NightAct) -> None:
    """预言: a lover's answer may have to wait for a later step of the night."""
    target = d.seats[act.targets[0]]
    match act.skill.sight:
        case Sight.VILLAGE:
            told, word = Told.CAMP, f"{'' if target.camp == d.table.play.village else '非'}{d.table.play.village}"
        case Sight.CAMP:
            told, word = Told.CAMP, target.camp
        case Sight.ROLE:
            told, word = Told.ROLE, target.role
        case other:
            assert_never(other)
    message = Message(told, act.seat, d.phase, act.targets, _numbers(d, act.targets), word)
    if d.table.play.lovers.late_sight and act.seat in d.lovers:
        d.put_off = (*d.put_off, message)
    else:
        d.messages = (*d.messages, message)


def spend(d: Draft, act: NightAct) -> None:
    """Note that a skill was used, and what is lost with it."""
    match act.skill.uses:
        case Uses.ONCE:
            before = sum(one[:2] == (act.seat, act.skill.name) for one in d.used)
            d.used = d.used | {(act.seat, act.skill.name, -1 - before)}
        case Uses.DAILY:
            d.used = d.used | {(act.seat, act.skill.name, d.phase.number)}
        case Uses.ONCE_PER_TARGET:
            d.used = d.used | {(act.seat, act.skill.name, target) for target in act.targets}
        case Uses.NOT_TWICE_RUNNING | Uses.ONCE_IN_TWO_NIGHTS:
            d.used_in = d.used_in | {(act.seat, act.skill.name, target, d.phase.number) for target in act.targets}
        case Uses.NIGHTLY:
            pass
        case _:
            assert_never(act.skill.uses)
    if act.skill.spends:
        take_skill(d, (act.seat,), *act.skill.spends)


def _chant(d: Draft, target: int) -> None:
    """吹笛: without effect on lovers, on whom it is muffled, and on seats that are chanted already. The piper is told nothing."""
    seat = d.seats[target]
    if target in d.lovers or target in d.muffled or target in d.bound or seat.chanted or seat.cause:
        return
    seats = list(d.seats)
    seats[target] = seat._replace(chanted=True)
    d.seats = tuple(seats)
    if d.table.play.tells_chanted:
        d.chanted_tonight = (*d.chanted_tonight, target)
    try_conditions(d)


def _count_wolves(d: Draft, skill: Skill) -> None:
    """最早达到最高票数的非狼人秘密数字受到一次指杀: every wolf's last ballot counts once."""
    rule, play = d.table.play.wolf_ballots, d.table.play
    acts = acts_with(d, skill)
    ballots = in_order([Ballot(act.seat, act.targets[0], act.at, place) for place, act in enumerate(acts)])
    standing: dict[int, int | None] = {}
    moves = []
    for ballot in ballots:
        moves.append((standing.get(ballot.voter), ballot.target))
        standing[ballot.voter] = ballot.target
    box = Box(standing, tuple(moves))
    votes = count_votes(box, {})
    immune = {
        index
        for index, seat in enumerate(d.seats)
        if d.table.roles[seat.role].kind is Kind.WOLF and (rule.lover_immune or seat.camp != play.lovers.camp)
    }
    top = find_top(votes, [target for target in votes if target not in immune] if rule.before_maximum else None)
    if not top:
        return
    target = run_race(box, top, play.votes.reach)
    if target not in immune:
        d.kills = (*d.kills, Kill(target, skill))


def _tell_kills(d: Draft, skill: Skill) -> None:
    """通灵: whom tonight's kills are aimed at, before any shield (or who is dying); an empty list is told too."""
    targets = tuple(dict.fromkeys(kill.target for kill in (d.dying if skill.only_dying else d.kills)))
    told = Told.DYING if skill.only_dying else Told.KILLED
    for seat in holders(d, skill):
        d.fed_back = (*d.fed_back, (seat, d.now))
        d.messages = (*d.messages, Message(told, seat, d.phase, targets, tuple(sorted(_numbers(d, targets)))))


def _numbers(d: Draft, seats: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(d.table.number(index) for index in seats) if d.table.play.numbers else ()


def _settle_kill(d: Draft) -> None:
    """指杀结算 of one kill: void on a shield, else in force; the first in force spends a LONG_LIFE; a saved target stays."""
    kill, d.kills = d.kills[0], d.kills[1:]
    seat = d.seats[kill.target]
    if kill.target in d.shielded or seat.cause:
        return
    life = skill_with(d, kill.target, Effect.LONG_LIFE)
    if life is not None and life.name not in seat.lost and not seat.wounded:
        seats = list(d.seats)
        seats[kill.target] = seat._replace(wounded=True)
        d.seats = tuple(seats)
        return
    if kill.target not in d.saved:
        eliminate(d, kill.target, d.table.play.kill_cause, by=kill.skill)


def _settle_poison(d: Draft) -> None:
    """毒药结算: what was chosen holds even if the witch has gone out since; whether it does when she was punished is a switch."""
    act, d.poisoned = d.poisoned[0], d.poisoned[1:]
    rule = d.table.play.punishment
    if (rule is not None and rule.cancels_committed and act.seat in d.punished) or fails(d, act):
        return
    eliminate(d, act.targets[0], POISON)


def close_opening(d: Draft) -> None:
    """夜0 is over: the camps are settled."""
    finish_opening(d, tell=True)
