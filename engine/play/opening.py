"""夜0 and the start: the arrow, what lovers bring with them, who is told of whom, and which groups open."""

from __future__ import annotations

from engine.play.draws import draw_pair
from engine.play.messages import PUBLIC, Contact, Grant, Knows, Message, Party, Told
from engine.play.rules import Effect, Kind, LoversGroup, Mixed
from engine.play.state import Draft, Seat
from engine.play.victory import check_win, make_tests, settle_camps, take_skill, wolves_of


def deal_seats(d: Draft) -> None:
    """Every seat as it was dealt."""
    roles = d.table.roles
    d.seats = tuple(Seat(player.role, roles[player.role].camp, player.role) for player in d.table.players)


def waiting_archers(d: Draft) -> tuple[int, ...]:
    """The seats that must still choose the lovers."""
    if d.lovers:
        return ()
    return tuple(index for index in d.table.holders[Effect.ARROW] if not d.seats[index].cause)


def draw_lovers(d: Draft, archer: int) -> None:
    """爱神半小时之内不发动技能，技能目标随机决定: two random seats, the archer among those who can be drawn."""
    make_lovers(d, draw_pair(d, d.table.effects[d.seats[archer].role][Effect.ARROW].name, d.living))


def make_lovers(d: Draft, pair: tuple[int, int]) -> None:
    """Two seats become lovers: of different camps they leave both (私奔); the archer follows; an only wolf loses his kill."""
    rule, table = d.table.play.lovers, d.table
    d.lovers = pair
    seats = list(d.seats)
    first, second = (seats[index] for index in pair)
    if first.camp != second.camp:
        for index in pair:
            seats[index] = seats[index]._replace(camp=rule.camp)
    d.seats = tuple(seats)
    for archer in table.holders[Effect.ARROW]:
        if archer not in pair:
            seats[archer] = seats[archer]._replace(camp=seats[pair[0]].camp, counts_as=_count_archer(d, archer))
    d.seats = tuple(seats)
    wolves = [index for index in pair if table.roles[seats[index].role].kind is Kind.WOLF]
    if rule.lone_wolf_loses and len(wolves) == 1:
        take_skill(d, tuple(wolves), rule.lone_wolf_loses)


def _count_archer(d: Draft, archer: int) -> str:
    """双大特变大特，双民变民: the identity that tests of a camp take the archer for."""
    rule, roles, seats = d.table.play.lovers, d.table.roles, d.seats
    pair = [seats[index].role for index in d.lovers]
    own = seats[archer].counts_as
    if rule.archer_counts is None:
        return own
    kinds = [roles[role].kind for role in pair]
    if kinds[0] is kinds[1] and kinds[0] in (Kind.SPECIAL, Kind.VILLAGER):
        return pair[0]
    if {*kinds} == {Kind.SPECIAL, Kind.VILLAGER} and rule.archer_counts is not Mixed.NEITHER:
        wanted = Kind.SPECIAL if rule.archer_counts is Mixed.SPECIAL else Kind.VILLAGER
        return pair[kinds.index(wanted)]
    return own


def finish_opening(d: Draft, *, tell: bool) -> None:
    """All camps are settled (所有角色的阵营确定): fix the conditions and try them, tell wolves and lovers, open their groups.

    `tell` is False for a game that is taken up in the middle: they were told long ago.
    """
    settle_camps(d)
    before = d.messages
    _grant_wolves(d)
    _grant_lovers(d)
    if d.table.play.numbers:
        d.messages = (*d.messages, Message(Told.IDENTITIES, PUBLIC, d.phase, tuple(d.table.everybody)))
    if tell:
        check_win(d)
    else:
        d.messages = before


def _grant_wolves(d: Draft) -> None:
    play = d.table.play
    # Where wolves have a group, a wolf who left for the lovers' camp is not of it; where they only know numbers, all do.
    leaves = bool(play.lovers.lone_wolf_loses)
    wolves = wolves_of(d, play.wolves) if leaves else _all_wolves(d)
    if not play.wolf_knowledge.knows:
        return
    knows = Knows.NUMBER if play.numbers else Knows.ROLE
    pairs = tuple(Grant(one, other, knows) for one in wolves for other in wolves if one != other)
    d.grants = (*d.grants, *pairs)
    d.messages = (*d.messages, *(Message(Told.WOLVES, wolf, d.phase, wolves) for wolf in wolves))
    if play.wolf_knowledge.group and len(wolves) > 1:
        d.contacts = (*d.contacts, Contact(Party.WOLVES, wolves, d.phase))


def _all_wolves(d: Draft) -> tuple[int, ...]:
    return tuple(index for index, seat in enumerate(d.seats) if d.table.roles[seat.role].kind is Kind.WOLF)


def _grant_lovers(d: Draft) -> None:
    if not d.lovers:
        return
    play = d.table.play
    for one, other in (d.lovers, d.lovers[::-1]):
        d.grants = (*d.grants, Grant(one, other, Knows.LOVER))
        if play.numbers:
            d.grants = (*d.grants, Grant(one, other, Knows.NUMBER))
        numbers = (d.table.number(other),) if play.numbers else ()
        d.messages = (*d.messages, Message(Told.LOVER, one, d.phase, (other,), numbers))
    wolves = [index for index in d.lovers if d.table.roles[d.seats[index].role].kind is Kind.WOLF]
    if play.lovers.group is LoversGroup.ALWAYS or len(wolves) < 2:
        d.contacts = (*d.contacts, Contact(Party.LOVERS, d.lovers, d.phase))


def change_camp(d: Draft, index: int, camp: str) -> None:
    """A seat changes its camp, by a ruling."""
    seats = list(d.seats)
    seats[index] = seats[index]._replace(camp=camp)
    d.seats = tuple(seats)
    make_tests(d)
