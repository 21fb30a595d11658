"""夜0 and the start: the arrow, what lovers bring with them, who is told of whom, and which groups open."""

from __future__ import annotations

from engine.ledger import Phase
from engine.play.cards import grant_wolf, is_wolf, pack_of, skill_with
from engine.play.deciding import decide
from engine.play.draws import draw_pair
from engine.play.messages import PUBLIC, Contact, Grant, Knows, Message, Party, Told
from engine.play.rules import LoversGroup, Mixed
from engine.play.skillset import Effect, Kind
from engine.play.state import Draft, NightAct, Seat
from engine.play.victory import check_win, make_tests, settle_camps, take_skill, wolves_of
from scraper.phrases import phrase


def deal_seats(d: Draft) -> None:
    """Every seat as it was dealt."""
    roles = d.table.roles
    d.seats = tuple(
        Seat(player.role, roles[player.role].camp, roles[player.role].counts_as or player.role) for player in d.table.players
    )
    d.spare, d.faces = d.table.spare, d.table.faces


def draw_lovers(d: Draft, archer: int) -> None:
    """爱神半小时之内不发动技能，技能目标随机决定: two random seats, the archer among them if he may choose himself."""
    skill = skill_with(d, archer, Effect.ARROW)
    assert skill is not None
    loved = (seat for seat in d.living if not d.table.roles[d.seats[seat].role].unloved)
    among = [seat for seat in loved if seat != archer or not skill.others_only]
    d.acts = (*d.acts, NightAct(archer, skill, draw_pair(d, skill.name, among), insisted=True))


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
    for archer in d.holders[Effect.ARROW]:
        if archer not in pair:
            seats[archer] = seats[archer]._replace(camp=seats[pair[0]].camp, counts_as=_count_archer(d, archer))
    d.seats = tuple(seats)
    wolves = [index for index in pair if table.roles[seats[index].role].kind is Kind.WOLF]
    if rule.lone_wolf_loses and seats[pair[0]].camp == rule.camp:
        take_skill(d, tuple(wolves), *rule.lone_wolf_loses)


def tell_joiner(d: Draft, seat: int) -> None:
    """第零日夜晚，白狼得知所有狼人的马甲: whoever may join the wolves is told who they are, whatever he then does."""
    wolves = tuple(wolf for wolf in _all_wolves(d) if wolf != seat)
    d.grants = (*d.grants, *(Grant(seat, wolf, _known(d)) for wolf in wolves))
    d.messages = (*d.messages, Message(Told.WOLVES, seat, d.phase, wolves))


def join_wolves(d: Draft, seat: int) -> None:
    """归群: 与所有狼人互知共群，阵营改变为〖狼人阵营〗。"""
    if seat in d.lovers and d.seats[seat].camp == d.table.play.lovers.camp:
        # Lovers leave their camps, and whoever joins the wolves changes his: which holds, if he is a lover first?
        camps = (d.table.play.wolves, d.table.play.lovers.camp)
        camp = decide(d, "情侣归群", camps, phrase("{name}先成为情侣、脱离原阵营，再归群，阵营是哪一个", name=d.table.name(seat)))
    else:
        camp = d.table.play.wolves
    seats = list(d.seats)
    seats[seat] = seats[seat]._replace(camp=camp)
    d.seats = tuple(seats)
    d.joined = (*d.joined, seat)


def _known(d: Draft) -> Knows:
    """What somebody who is told of a seat gets to know of it."""
    play = d.table.play
    return Knows.VEST if play.vests else Knows.NUMBER if play.numbers else Knows.ROLE


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
    d.settled = True
    settle_camps(d)
    before = d.messages
    _grant_wolves(d)
    _grant_lovers(d)
    _grant_siblings(d)
    if d.table.play.numbers:
        d.messages = (*d.messages, Message(Told.IDENTITIES, PUBLIC, d.phase, tuple(d.table.everybody)))
    if tell:
        check_win(d)
    else:
        d.messages = before


def _grant_wolves(d: Draft) -> None:
    play = d.table.play
    # Where wolves have a group, a wolf who left for the lovers' camp is not of it; where they only know numbers, all do.
    wolves = _all_wolves(d)
    if play.wolf_knowledge.camp_only:
        wolves = wolves_of(d, play.wolves)
    elif play.lovers.lone_wolf_loses:
        wolves = pack_of(d)
    wolves = tuple(sorted({*wolves, *(seat for seat in d.joined if d.seats[seat].camp == play.wolves)}))
    if not play.wolf_knowledge.knows:
        return
    knows = _known(d)
    pairs = tuple(
        grant_wolf(d, one, other) if knows is Knows.ROLE else Grant(one, other, knows)
        for one in wolves
        for other in wolves
        if one != other
    )
    d.grants = (*d.grants, *pairs)
    d.messages = (*d.messages, *(Message(Told.WOLVES, wolf, d.phase, wolves, word=play.wolf_knowledge.told) for wolf in wolves))
    if play.wolf_knowledge.group and len(wolves) > 1:
        d.contacts = (*d.contacts, Contact(Party.WOLVES, wolves, d.phase, by_night=play.wolf_knowledge.by_night))


def _all_wolves(d: Draft) -> tuple[int, ...]:
    return tuple(index for index in d.table.everybody if is_wolf(d, index))


def single_siblings(d: Draft, role: str) -> tuple[int, ...]:
    """The seats of an identity that are in and no lovers."""
    return tuple(index for index, seat in enumerate(d.seats) if seat.role == role and not seat.cause and index not in d.lovers)


def _grant_siblings(d: Draft) -> None:
    """单身的两姐妹/三兄弟于第一夜睁眼互知."""
    for role in d.table.play.roles:
        if not role.acquainted or len(siblings := single_siblings(d, role.name)) < 2:
            continue
        pairs = tuple(Grant(one, other, Knows.ROLE, role.name) for one in siblings for other in siblings if one != other)
        d.grants = (*d.grants, *pairs)
        d.messages = (*d.messages, *(Message(Told.SIBLINGS, one, d.phase, siblings, word=role.name) for one in siblings))
        # 每个夜晚,两姐妹/三兄弟均可以睁眼用无声的方式讨论次日投票。
        d.contacts = (*d.contacts, Contact(Party.SIBLINGS, siblings, d.phase, by_night=True))


def _grant_lovers(d: Draft) -> None:
    if not d.lovers:
        return
    play = d.table.play
    for one, other in (d.lovers, d.lovers[::-1]):
        d.grants = (*d.grants, Grant(one, other, Knows.LOVER))
        if d.table.hides_targets:
            d.grants = (*d.grants, Grant(one, other, _known(d)))
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


def tell_chanted(d: Draft, chanted: tuple[int, ...], phase: Phase) -> None:
    """Publish who is chanted. Where votes name vests each is told alone: how an account posts would show its vest."""
    to = chanted if d.table.play.vests else (PUBLIC,)
    messages = (Message(Told.CHANTED, one, phase, chanted if one == PUBLIC else (one,)) for one in to)
    d.messages = (*d.messages, *messages)
