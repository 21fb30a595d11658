"""What may be seen of a game: by everybody, by one seat. A view holds what the rules grant, and nothing that merely follows.

A number, vest or role of another seat is in a view only by a `Grant`, which the engine gives where a rule tells or publishes it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.play.answers import NAMES
from engine.play.cards import is_missing, is_wolf, skills_of
from engine.play.holders import is_lost, is_spent
from engine.play.messages import PUBLIC, Knows, Told, published_sheriff
from engine.play.rules import SheriffShown
from engine.play.skillset import Effect, Kind, Skill
from engine.play.state import GameState
from engine.play.wording import say


@dataclass(frozen=True, slots=True)
class PublicView:
    """What everybody may know: who is in as far as it was published, who is out, and every published message.

    `roles`, `numbers` and `vests` are those that are public, by name of the seat. Where the rules have vests, `living`, `out` and
    `sheriff` are vests, and whoever is chanted is told alone: what is published of a vest tells nothing of an account.
    `souls` are those that were published. The sheriff is his number where that is what is published of him.
    """

    phase: str
    living: tuple[str, ...]
    out: tuple[str, ...]
    sheriff: str | None
    chanted: tuple[str, ...]
    roles: Mapping[str, str]
    numbers: Mapping[str, int]
    messages: tuple[str, ...]
    winner: tuple[str, ...]
    souls: tuple[str, ...] = ()
    vests: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SeatView:
    """What one seat may know: its own card, what it was told, what is asked of it, and what is public.

    `camp` is None where the seat is not told of a change (an archer whose lovers have made it). `roles` and `numbers` are those
    of other seats that it knows, and so are `vests`.
    """

    name: str
    role: str
    number: int | None
    camp: str | None
    lover: str | None
    skills: tuple[str, ...]
    asked: tuple[str, ...]
    roles: Mapping[str, str]
    numbers: Mapping[str, int]
    notices: tuple[str, ...]
    public: PublicView
    vest: str | None = None
    vests: Mapping[str, str] = field(default_factory=dict)


def see_public(state: GameState) -> PublicView:
    """The view of everybody."""
    table = state.table
    roles, numbers, vests = _granted(state, PUBLIC)
    if table.hides_targets:
        roles = {player.name: player.role for player in table.players}
    show = table.vest if table.play.vests else table.name
    living = (show(index) for index, seat in enumerate(state.seats) if not seat.announced)
    sheriff = published_sheriff(state.messages)
    numbered = table.play.sheriff_shown is SheriffShown.NUMBER
    return PublicView(
        phase=str(state.phase),
        # In the order of the vests: the order of the seats would say whose they are.
        living=tuple(sorted(living) if table.play.vests else living),
        out=tuple(show(index) for index in state.order if state.seats[index].announced),
        sheriff=None if sheriff is None else table.target_word(sheriff) if numbered else show(sheriff),
        chanted=() if table.play.vests else tuple(table.name(seat) for seat in told_chanted(state)),
        roles=roles,
        numbers=numbers,
        messages=tuple(say(message, table) for message in state.messages if message.to == PUBLIC),
        winner=state.winner,
        souls=_published_souls(state),
        vests=vests,
    )


def see_as(state: GameState, seat: int) -> SeatView:
    """The view of one seat."""
    table = state.table
    roles, numbers, vests = _granted(state, seat)
    role = state.seats[seat].role
    archer = Effect.ARROW in table.effects[role] and seat not in state.lovers
    skills = tuple(
        skill.name
        for skill in skills_of(state, seat)
        if (not is_lost(state, seat, skill) or _is_untold(state, seat, skill))
        and not is_spent(state, seat, skill)
        and _may_see(state, seat, skill)
    )
    lover = next((grant.about for grant in state.grants if grant.to == seat and grant.knows is Knows.LOVER), None)
    widow = state.widow and (not table.play.lovers.widow_wolves or is_wolf(state, seat))
    if widow and seat in state.lovers and table.play.lovers.widow is not None:
        skills = tuple(dict.fromkeys((*skills, table.play.lovers.widow.name)))
    return SeatView(
        name=table.name(seat),
        role=role,
        number=table.number(seat) if table.play.numbers else None,
        camp=None if archer else state.seats[seat].camp,
        lover=None if lover is None else table.name(lover),
        skills=skills,
        asked=tuple(NAMES[one.asked] for one in state.decisions if one.seat == seat),
        roles=roles,
        numbers=numbers,
        notices=tuple(say(message, table) for message in state.messages if message.to == seat),
        public=see_public(state),
        vest=table.vest(seat) if table.play.vests else None,
        vests=vests,
    )


def _is_untold(state: GameState, seat: int, skill: Skill) -> bool:
    """Whether a seat has lost a skill and was not told: until the next opening, or with a camp's loss that nobody is told of."""
    if any(message.told is Told.SKILLS_LOST and message.to == seat for message in state.unpublished):
        return True
    return any(
        camp.name in state.lost and camp.forfeits == skill.name and not camp.forfeit_told and state.seats[seat].camp == camp.name
        for camp in state.table.play.camps
    )


def _may_see(state: GameState, seat: int, skill: Skill) -> bool:
    """Whether a seat is in the state of a skill as far as it was told: a new soul is not before the next opening."""
    if is_missing(state, skill):
        return False
    return not skill.souls_only or state.table.name(seat) in _published_souls(state)


def _published_souls(state: GameState) -> tuple[str, ...]:
    """Who was published as a soul."""
    souls: list[int] = []
    for message in state.messages:
        if message.told is Told.SOULS:
            souls += message.seats
        elif message.told is Told.SOUL_NO_MORE:
            souls = [seat for seat in souls if seat not in message.seats]
    return tuple(state.table.name(seat) for seat in dict.fromkeys(souls))


def _granted(state: GameState, to: int) -> tuple[dict[str, str], dict[str, int], dict[str, str]]:
    """The roles, numbers and vests of other seats that somebody was granted."""
    table = state.table
    mine = [grant for grant in state.grants if grant.to == to]
    wolf = next(iter(table.of_kind(Kind.WOLF)), "")
    roles = {table.name(one.about): wolf for one in mine if one.knows is Knows.WOLF}
    roles |= {table.name(one.about): one.role or table.players[one.about].role for one in mine if one.knows is Knows.ROLE}
    numbers = {table.name(one.about): table.number(one.about) for one in mine if one.knows is Knows.NUMBER}
    vests = {table.name(one.about): table.vest(one.about) for one in mine if one.knows is Knows.VEST}
    return roles, numbers, vests


def told_chanted(state: GameState) -> tuple[int, ...]:
    """Who was published as chanted since the last release, or told so himself, and is not published out."""
    chanted: list[int] = []
    for message in state.messages:
        if message.told is Told.CHANTED:
            chanted += message.seats
        elif message.told is Told.RELEASED:
            chanted = []
    return tuple(seat for seat in chanted if not state.seats[seat].announced)
