"""Whose card is whose: the skills that a seat holds now, and what it means that a seat gets another identity."""

from __future__ import annotations

from engine.play.messages import Contact, Grant, Knows, Message, Party, Told
from engine.play.skillset import Effect, Kind, Role, Skill
from engine.play.state import Draft, Holdings
from engine.play.victory import make_tests, take_skill


def roles_of(d: Draft, index: int) -> tuple[Role, ...]:
    """The identities whose skills a seat holds: its own, and one that it has borrowed."""
    seat = d.seats[index]
    own = d.table.roles[seat.role]
    return (own, d.table.roles[seat.borrowed]) if seat.borrowed else (own,)


def skills_of(d: Draft, index: int) -> tuple[Skill, ...]:
    """The skills of a seat's identities, lost ones among them."""
    return tuple(skill for role in roles_of(d, index) for skill in role.skills)


def skill_with(d: Draft, index: int, effect: Effect) -> Skill | None:
    """The skill of an effect that a seat's identities have, lost or not."""
    found = d.table.effects[d.seats[index].role].get(effect)
    if found is None and d.seats[index].borrowed:
        return d.table.effects[d.seats[index].borrowed].get(effect)
    return found


def is_missing(d: Draft, skill: Skill) -> bool:
    """【吹笛者】在场的游戏技能: whether a skill is none of this game, as nobody in it holds what it needs."""
    return skill.needs is not None and not (d.table.holders[skill.needs] or d.holders[skill.needs])


def is_wolf(d: Draft, index: int) -> bool:
    """Whether a seat is a wolf, of whichever kind and camp."""
    return d.table.roles[d.seats[index].role].kind is Kind.WOLF


def find_holdings(d: Draft) -> None:
    """Look anew who holds what, after a seat's identity changed."""
    holders: dict[Effect, tuple[int, ...]] = dict.fromkeys(Effect, ())
    users: dict[str, tuple[int, ...]] = {}
    for index in range(len(d.seats)):
        for skill in skills_of(d, index):
            holders[skill.effect] = (*holders[skill.effect], index)
            users[skill.name] = (*users.get(skill.name, ()), index)
    d.changed = Holdings(holders, users)


def give_card(d: Draft, index: int, role: str, camp: str | None = None) -> None:
    """A seat has another identity from now on: its camp is that of the card (or `camp`), what it had lost belonged to the old.

    The seat is told. Who becomes a wolf is told of the others, and they of him, once wolves know each other at all.
    """
    card = d.table.roles[role]
    seats = list(d.seats)
    seats[index] = seats[index]._replace(
        role=role,
        counts_as=card.counts_as or role,
        camp=card.camp if camp is None else camp,
        lost=frozenset(),
        wounded=False,
        borrowed="",
    )
    d.seats = tuple(seats)
    lovers = d.table.play.lovers
    if card.kind is Kind.WOLF and lovers.lone_wolf_loses and seats[index].camp == lovers.camp:
        # As for a wolf who left with his lover: who hunts together is the camp of the wolves.
        take_skill(d, (index,), *lovers.lone_wolf_loses)
    find_holdings(d)
    if d.settled:
        make_tests(d)
    d.messages = (*d.messages, Message(Told.YOUR_CARD, index, d.phase, (index,), word=role))
    if d.settled and card.kind is Kind.WOLF:
        meet_wolves(d, index)


def pack_of(d: Draft) -> tuple[int, ...]:
    """The wolves that hunt together: all but those who left for the lovers' camp."""
    lovers = d.table.play.lovers.camp
    return tuple(index for index, seat in enumerate(d.seats) if is_wolf(d, index) and (not lovers or seat.camp != lovers))


def grant_wolf(d: Draft, to: int, about: int) -> Grant:
    """That a seat is a wolf: which, only where there is one kind of them."""
    plain = d.table.of_kind(Kind.WOLF)[0]
    role = d.seats[about].role
    return Grant(to, about, Knows.ROLE if role == plain else Knows.WOLF, role if role == plain else "")


def meet_wolves(d: Draft, index: int) -> None:
    """A new wolf is told of the others, and they of him; he is of their group."""
    wolves = pack_of(d)
    if index not in wolves or not d.table.play.wolf_knowledge.knows:
        return
    others = tuple(wolf for wolf in wolves if wolf != index)
    d.grants = (*d.grants, *(grant for wolf in others for grant in (grant_wolf(d, wolf, index), grant_wolf(d, index, wolf))))
    d.messages = (
        *d.messages,
        Message(Told.WOLVES, index, d.phase, wolves),
        *(Message(Told.NEW_WOLF, wolf, d.phase, (index,)) for wolf in others),
    )
    if d.table.play.wolf_knowledge.group and len(wolves) > 1:
        d.contacts = (*d.contacts, Contact(Party.WOLVES, wolves, d.phase))
