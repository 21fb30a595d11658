"""The state before the first line: a game that begins, or one taken up in the middle with the facts that hold there."""

from __future__ import annotations

from dataclasses import dataclass

from engine.ledger import Phase, PhaseKind
from engine.play.firsts import KEPT, clan_number, show_cards
from engine.play.flow import run
from engine.play.holders import draw_holders, steps_of
from engine.play.messages import PUBLIC, Grant, Knows, Message, Told
from engine.play.night import tell_first
from engine.play.opening import deal_seats, finish_opening, join_wolves, make_lovers, tell_chanted
from engine.play.refusal import DirectorDecision
from engine.play.skillset import Effect, Skill, Uses
from engine.play.state import Draft, GameState, freeze, thaw
from engine.play.table import Table
from engine.play.victory import find_losers, pass_on_kill, take_skill
from engine.play.waiting import must_still_act, waiting_for
from scraper.phrases import phrase

FIRST_NIGHT = Phase(PhaseKind.NIGHT, 0)
FIRST_DAY = Phase(PhaseKind.DAY, 1)


@dataclass(frozen=True, slots=True)
class Given:
    """The facts at the start of a game taken up in the middle ([given]). Seats are named as the file names them.

    `out` are seats in order, each with its cause where it is told. `used` are skills that were used up: a skill, perhaps with
    who holds it before and whom it was aimed at behind. `published` are those whose identity is public, `cursed` those on whom
    the next vote begins with more votes. Of the first choices `excused` are skills that nobody is held to; `begun` tells of the
    game's first night that they lie behind.
    """

    phase: Phase | None = None
    sheriff: str = ""
    lovers: tuple[str, ...] = ()
    chanted: tuple[str, ...] = ()
    out: tuple[tuple[str, str], ...] = ()
    used: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    barred: tuple[str, ...] = ()
    souls: tuple[str, ...] = ()
    published: tuple[str, ...] = ()
    cursed: tuple[str, ...] = ()
    excused: tuple[str, ...] = ()
    begun: bool = False


class GivenError(ValueError):
    """A fact of [given] cannot be: `key` is where it stands."""

    def __init__(self, key: str, problem: str) -> None:
        super().__init__(problem)
        self.key, self.problem = key, problem


def start(table: Table, given: Given | None = None) -> GameState:
    """The state of a game before its first line. GivenError for a fact that names nobody or nothing."""
    given = given or Given()
    first = Phase(PhaseKind.NIGHT, table.play.first_night)
    d = Draft(table, first, ())
    deal_seats(d)
    show_cards(d)
    d.excused = frozenset(given.excused)
    middle = given.phase is not None and (given.phase != first or given.begun)
    _convert(d, given)
    if middle:
        assert given.phase is not None
        _take_up(d, given, given.phase)
        d.phase = given.phase
        if d.phase == first and first.number:
            d.cursor = len(table.play.opening)
        draw_holders(d)
    elif first.number:
        for text in given.used:
            _use_up(d, text.split(), first)
        run(d)
    elif any(any(waiting_for(d, step)) for step in steps_of(table, 0)) and (must_still_act(d) or not d.lovers):
        tell_first(d, steps_of(table, 0)[0])
    else:
        finish_opening(d, tell=True)
        d.phase = FIRST_DAY
    return freeze(d)


def _convert(d: Draft, given: Given) -> None:
    """What first choices did to camps, in the order of their steps: the lovers, and who joined the wolves (told in `used`)."""
    for skill in (d.table.acts[name] for step in d.table.play.opening for name in step.skills):
        if skill.effect is Effect.ARROW and given.lovers:
            one, other = (_find(d.table, "lovers", name) for name in given.lovers)
            make_lovers(d, (one, other))
        elif skill.effect is Effect.JOIN and any(skill.name in text.split() for text in given.used):
            for seat in d.table.users.get(skill.name, ()):
                try:
                    join_wolves(d, seat)
                except DirectorDecision as open_question:
                    raise GivenError("used", open_question.sentence) from None


def _take_up(d: Draft, given: Given, phase: Phase) -> None:
    table = d.table
    seats = list(d.seats)
    order = tuple(_find(table, "out", name) for name, _ in given.out)
    for seat, (_, cause) in zip(order, given.out, strict=True):
        seats[seat] = seats[seat]._replace(cause=cause or "已出局", announced=True)
    for name in given.chanted:
        seat = _find(table, "chanted", name)
        seats[seat] = seats[seat]._replace(chanted=True)
    for name in given.souls:
        seat = _find(table, "souls", name)
        seats[seat] = seats[seat]._replace(soul=True)
    for name in given.published:
        seat = _find(table, "published", name)
        seats[seat] = seats[seat]._replace(published=True)
    d.seats, d.order, d.given_out = tuple(seats), order, len(order)
    d.sheriff = _find(table, "sheriff", given.sheriff) if given.sheriff else None
    d.barred = frozenset(_find(table, "barred", name) for name in given.barred)
    d.cursed = tuple(_find(table, "cursed", name) for name in given.cursed)
    for text in given.used:
        _use_up(d, text.split(), phase)
    finish_opening(d, tell=False)
    for camp in given.lost:
        _lose(d, camp)
    _judge_quietly(d)
    d.given_lost = len(d.lost)
    _tell_what_is_public(d, phase)


def _tell_what_is_public(d: Draft, phase: Phase) -> None:
    """What was published (or told) before the first line and still holds: the sheriff, identities, souls and the chanted."""
    d.messages = ()
    if d.sheriff is not None:
        d.messages = (Message(Told.DAY_SHERIFF, PUBLIC, phase, (d.sheriff,)),)
    chanted = tuple(index for index, seat in enumerate(d.seats) if seat.chanted)
    souls = tuple(index for index, seat in enumerate(d.seats) if seat.soul)
    for index in (index for index, seat in enumerate(d.seats) if seat.published):
        d.grants = (*d.grants, Grant(PUBLIC, index, Knows.ROLE))
        d.messages = (*d.messages, Message(Told.REVEALED, PUBLIC, phase, (index,)))
    if souls:
        d.messages = (*d.messages, Message(Told.SOULS, PUBLIC, phase, souls))
    if chanted and d.table.play.tells_chanted:
        tell_chanted(d, chanted, phase)
    d.given_messages = len(d.messages)


def _lose(d: Draft, camp: str) -> None:
    """A camp that was judged lost before: what follows from it followed then."""
    camps = {one.name: one for one in d.table.play.camps}
    if camp not in camps:
        raise GivenError("lost", phrase("没有 {camp!r} 这个阵营", camp=camp))
    if camp not in d.lost:
        d.lost = (*d.lost, camp)
        pass_on_kill(d, camp)


def _judge_quietly(d: Draft) -> None:
    """Camps that the given facts leave lost are lost already; nothing is told, and nobody has won before the first line."""
    before = d.messages
    trial = thaw(d)
    find_losers(trial)
    if not trial.winner:
        d.lost, d.seats, d.widow = trial.lost, trial.seats, trial.widow
    d.messages = before


def _use_up(d: Draft, words: list[str], phase: Phase) -> None:
    """One fact of `used`: [who] skill [target …]."""
    table = d.table
    place = next((place for place, word in enumerate(words) if word in table.acts), None)
    if place is None:
        raise GivenError("used", phrase("{words!r} 里没有技能的名字", words=" ".join(words)))
    skill = table.acts[words[place]]
    holders = tuple(_find_holder(table, word) for word in words[:place]) or table.users.get(skill.name, ())
    if skill.effect is Effect.OPPOSE:
        d.chosen = (*d.chosen, *((seat, skill.name, clan_number(d, words[-1])) for seat in holders))
        return
    targets = tuple(_find_target(table, word) for word in words[place + 1 :])
    for seat in holders:
        _spend(d, seat, skill, targets, phase)


def _spend(d: Draft, seat: int, skill: Skill, targets: tuple[int, ...], phase: Phase) -> None:
    state = d.seats[seat]
    changed = list(d.seats)
    if skill.effect in KEPT and targets:
        d.chosen = (*d.chosen, (seat, skill.name, targets[0]))
        return
    if skill.effect is Effect.CURSE:
        d.cursed = (*d.cursed, *targets)
        return
    if skill.effect is Effect.LONG_LIFE:
        changed[seat] = state._replace(wounded=True)
    elif skill.effect is Effect.FEIGN:
        changed[seat] = state._replace(feigned=True)
    d.seats = tuple(changed)
    if skill.uses in (Uses.NOT_TWICE_RUNNING, Uses.ONCE_IN_TWO_NIGHTS):
        d.used_in = d.used_in | {(seat, skill.name, target, phase.number - 1) for target in targets or (-1,)}
    elif skill.uses is Uses.ONCE_PER_TARGET:
        d.used = d.used | {(seat, skill.name, target) for target in targets}
    else:
        d.used = d.used | {(seat, skill.name, -1)}
    if skill.spends:
        take_skill(d, (seat,), *skill.spends)


def _find(table: Table, key: str, name: str) -> int:
    found = table.find_name(name)
    found = table.find_target(name) if found is None else found
    if found is None:
        raise GivenError(key, phrase("没有叫 {name!r} 的玩家", name=name))
    return found


def _find_holder(table: Table, word: str) -> int:
    found = table.find_name(word)
    if found is not None:
        return found
    role = table.role_words.get(word)
    seats = table.with_role(role) if role is not None else ()
    if len(seats) != 1:
        raise GivenError("used", phrase("{word!r} 不是玩家，也不是只有一人的身份", word=word))
    return seats[0]


def _find_target(table: Table, word: str) -> int:
    found = table.find_target(word)
    if found is None:
        raise GivenError("used", phrase("没有 {word!r} 这个对象", word=word))
    return found
