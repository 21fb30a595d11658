"""Random games: legal lines and now and then an illegal one, from the deal to the winner. They feed the property tests.

A game is a pure function of the rules, the players and a seed. Its lines are those that a director would have written, and can be
printed as a ledger.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, assert_never

from engine.ledger import DIRECTOR, PhaseKind
from engine.play.acts import apply
from engine.play.answers import NAMES
from engine.play.cards import skill_with
from engine.play.firsts import must_take_wolf
from engine.play.holders import steps_of
from engine.play.order import Order
from engine.play.refusal import DirectorDecision, Refused
from engine.play.rules import StepKind
from engine.play.skillset import Effect, Skill, Takes, Voice
from engine.play.start import start
from engine.play.state import Asked, GameState
from engine.play.table import Player, Table
from engine.play.waiting import list_forced, waiting_for

# More days than any game needs: a game that is still open then is a fault of the rules' values.
MOST_DAYS = 200


@dataclass(frozen=True, slots=True)
class Habits:
    """How random players behave, in parts of one: who votes, acts, answers, and how often something odd happens."""

    votes: float = 0.9
    abstains: float = 0.08
    acts: float = 0.85
    answers: float = 0.8
    cards: float = 0.01
    surrenders: float = 0.01
    nonsense: float = 0.0
    prays_right: float = 0.01


class Turn(NamedTuple):
    """One line of a random game, the state before and after it (the same where it was refused)."""

    before: GameState
    order: Order
    state: GameState
    refused: Refused | None = None


def play_game(table: Table, dice: random.Random, habits: Habits | None = None) -> Iterator[Turn]:
    """Play a game to its end, line by line; AssertionError for one that has none. What only a director can decide is drawn."""
    habits = habits or Habits()
    state = start(table)
    while not state.winner:
        assert state.phase.number < MOST_DAYS, "a game without an end"
        for order in list(_next_lines(state, dice, habits)):
            before = state
            try:
                state = apply(state, order)
            except DirectorDecision as open_question:
                yield Turn(before, order, state, open_question)
                word = dice.choice(open_question.answers)
                ruling = Order(state.phase, DIRECTOR, "裁定", ("决定", open_question.name, word))
                yield Turn(state, ruling, state := apply(state, ruling))
                break
            except Refused as refused:
                yield Turn(before, order, state, refused)
            else:
                yield Turn(before, order, state)
            if state.winner:
                break


def _next_lines(state: GameState, dice: random.Random, habits: Habits) -> Iterator[Order]:
    """Some lines that could come next: answers where something is asked, else what the phase is for."""
    if habits.nonsense and dice.random() < habits.nonsense:
        yield _nonsense(state, dice)
    if state.decisions:
        yield _answer(state, dice, habits)
    elif state.phase.kind is PhaseKind.DAY:
        yield from _day(state, dice, habits)
    elif list_forced(state):
        yield _choose_first(state, dice, habits)
    elif state.phase.number == 0:
        for step in steps_of(state.table, 0):
            for seat, skill in waiting_for(state, step):
                if not skill.forced and dice.random() < habits.acts:
                    yield Order(state.phase, state.table.name(seat), skill.name, _choose(state, skill, dice, habits))
        yield Order(state.phase, DIRECTOR, "天亮")
    else:
        yield from _night(state, dice, habits)


def _seat_words(state: GameState) -> list[str]:
    """How a line may name each target that was not published out."""
    return [word for word, seat in zip(state.table.target_words, state.seats, strict=True) if not seat.announced]


def _day(state: GameState, dice: random.Random, habits: Habits) -> Iterator[Order]:
    table, phase, targets = state.table, state.phase, _seat_words(state)
    living = state.living
    for seat in dice.sample(living, len(living)):
        if dice.random() < habits.votes:
            word = "弃权" if dice.random() < habits.abstains else dice.choice(targets)
            yield Order(phase, table.name(seat), "投票", (word,))
    for seat in state.holders[Effect.MANIPULATE]:
        if dice.random() < habits.acts:
            voter = table.target_word(dice.choice(living))
            act = table.effects[state.seats[seat].role][Effect.MANIPULATE].name
            yield Order(phase, table.name(seat), act, (voter, dice.choice(targets)))
    if dice.random() < habits.cards and table.play.eliminates:
        yield Order(phase, DIRECTOR, dice.choice(("红牌", "黄牌", "替补")), (table.name(dice.choice(living)),))
    if dice.random() < habits.surrenders:
        yield Order(phase, table.name(dice.randrange(len(table.players))), "投降")
    for surrender in state.surrenders:
        yield Order(phase, table.name(dice.choice(surrender.asked)), "同意投降")
    yield Order(phase, DIRECTOR, "截票")


def _choose_first(state: GameState, dice: random.Random, habits: Habits) -> Order:
    """A forced choice of the game's first night, or that its time is over."""
    table = state.table
    seat, skill = list_forced(state)[0]
    if dice.random() > habits.answers:
        return Order(state.phase, DIRECTOR, "超时", (table.name(seat),))
    if skill.effect is Effect.ARROW:
        loved = [index for index in table.everybody if not table.roles[state.seats[index].role].unloved]
        pair = tuple(table.target_word(index) for index in dice.sample(loved, 2))
        return Order(state.phase, table.name(seat), skill.name, pair)
    return Order(state.phase, table.name(seat), skill.name, _choose(state, skill, dice, habits))


def _night(state: GameState, dice: random.Random, habits: Habits) -> Iterator[Order]:
    table, phase = state.table, state.phase
    if dice.random() < habits.cards and table.play.eliminates:
        yield Order(phase, DIRECTOR, "红牌", (table.name(dice.choice(state.living)),))
    for step in steps_of(table, phase.number):
        if step.kind is not StepKind.ASK:
            continue
        done: set[tuple[str, int]] = set()
        for seat, skill in waiting_for(state, step):
            holder = -1 if skill.voice in (Voice.JOINT, Voice.DRAWN) else seat
            if skill.effect is Effect.UNWRITTEN or (skill.takes is Takes.FACE and not state.faces):
                continue
            if skill.takes is Takes.SPARE and not state.spare:
                continue
            if (
                (skill.name, holder) in done
                or dice.random() > habits.acts
                or any((other, holder) in done for other in skill.excludes)
            ):
                continue
            done.add((skill.name, holder))
            yield Order(phase, table.name(seat), skill.name, _choose(state, skill, dice, habits))
        if dice.random() < 0.1:
            yield Order(phase, DIRECTOR, "收", (step.name,))
    yield Order(phase, DIRECTOR, "天亮")


def _choose(state: GameState, skill: Skill, dice: random.Random, habits: Habits) -> tuple[str, ...]:
    """What a seat might name with a skill of the night."""
    table, targets = state.table, _seat_words(state)
    match skill.takes:
        case Takes.SEATS:
            return (dice.choice(targets),) if skill.targets == 1 else tuple(dice.sample(targets, skill.targets))
        case Takes.WORD:
            return (dice.choice(skill.choices),)
        case Takes.SEAT_AND_WORD:
            return (*dice.sample(targets, skill.targets), dice.choice(skill.choices))
        case Takes.GUESS:
            return dice.choice(targets), dice.choice(tuple(table.roles))
        case Takes.SPARE:
            return (dice.choice(must_take_wolf(state) or state.spare),)
        case Takes.FACE:
            return (dice.choice(state.faces),)
        case Takes.TABLE:
            roles = [player.role for player in table.players]
            guessed = roles if dice.random() < habits.prays_right else dice.sample(roles, len(roles))
            return tuple(word for seat in table.everybody for word in (table.target_word(seat), guessed[seat]))
        case _:
            assert_never(skill.takes)


def _answer(state: GameState, dice: random.Random, habits: Habits) -> Order:
    """An answer to an open decision, now and then none."""
    table, phase = state.table, state.phase
    decision = dice.choice(state.decisions)
    name = table.name(decision.seat)
    if dice.random() > habits.answers:
        return Order(phase, DIRECTOR, "超时", (name,))
    targets = _seat_words(state)
    match decision.asked:
        case Asked.SHOT:
            shot = skill_with(state, decision.seat, Effect.SHOT)
            assert shot is not None
            return Order(phase, name, shot.name, (dice.choice(targets),)) if targets else Order(phase, name, "放弃")
        case Asked.FEIGN:
            return Order(phase, name, dice.choice(("装傻", "放弃")))
        case Asked.SUCCESSION:
            return Order(phase, name, table.play.succession.act, (dice.choice(targets),))
        case Asked.BAN:
            return Order(phase, name, "冤死", tuple(dice.sample(targets, dice.randrange(min(3, len(targets)) + 1))))
        case Asked.REPLACE | Asked.CALL_VOTE:
            return Order(phase, name, dice.choice((NAMES[decision.asked], "放弃")))
        case _:
            assert_never(decision.asked)


def _nonsense(state: GameState, dice: random.Random) -> Order:
    """A line that means something, but hardly here: any actor, any act, any targets."""
    table = state.table
    actors = [*(player.name for player in table.players), *table.roles, "警长", DIRECTOR, "谁也不是"]
    acts = [
        *table.acts,
        "投票",
        "殉职",
        "装傻",
        "放弃",
        "遗言",
        "投降",
        "同意投降",
        "天亮",
        "截票",
        "收",
        "超时",
        "红牌",
        "代投",
        "裁定",
    ]
    words = [*_seat_words(state), *(player.name for player in table.players), *table.roles, "弃权", "结果", "出局", "无人"]
    return Order(state.phase, dice.choice(actors), dice.choice(acts), tuple(dice.sample(words, dice.randrange(4))))


def deal_randomly(roles: Sequence[str], dice: random.Random, *, numbers: bool, vests: bool = False) -> tuple[Player, ...]:
    """Players of these roles in a random order, with random numbers or vests where the rules have them."""
    dealt = dice.sample(list(roles), len(roles))
    drawn = dice.sample(range(1, len(roles) + 1), len(roles))
    return tuple(
        Player(f"角色{place}", role, number if numbers else None, vest=f"马甲{number}号" if vests else None)
        for place, (role, number) in enumerate(zip(dealt, drawn, strict=True), 1)
    )
