"""Who has won and who is judged lost: the conditions of a rule system, tried after everything that they read.

A camp that has no member once 夜0 is over is absent: it counts as lost, and never wins (`camp.empty`). A condition over some
identities of a camp holds only where the camp had one then.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from engine.ledger import Phase, PhaseKind
from engine.play.camps import (
    AllLivingChanted,
    AllOut,
    AllOutOrChanted,
    AllSouls,
    ClanOut,
    Condition,
    FewLeft,
    Group,
    Half,
    HalfOfVotes,
    OnlyLeft,
    OthersChanted,
    PrayedRight,
    VotedOut,
)
from engine.play.messages import PUBLIC, Message, Told
from engine.play.rules import Draw, Play
from engine.play.skillset import Effect, Kind
from engine.play.state import Draft, Seat
from engine.play.table import Table

# As the chain calls it (`engine.play.chain`), which imports this module.
_RED_CARD = "红牌"


@dataclass(frozen=True, slots=True)
class Trial:
    """A condition with the seats of its group, in the game or out."""

    condition: Condition
    members: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CampTest:
    """The conditions of one camp that can hold at this table."""

    camp: str
    wins: tuple[Trial, ...]
    losses: tuple[Trial, ...]
    aside: bool = False
    shares: tuple[str, ...] = ()


def find_group(group: Group, table: Table, seats: tuple[Seat, ...], lovers: tuple[int, ...]) -> tuple[int, ...]:
    """The seats of a group, in the game or out."""
    return tuple(
        index
        for index, seat in enumerate(seats)
        if (not group.camp or seat.camp == group.camp)
        and (not group.outside or seat.camp != group.outside)
        and (not group.roles or seat.counts_as in group.roles)
        and not (group.single and index in lovers)
        and not (group.lovers and index not in lovers)
    )


def settle_camps(d: Draft) -> None:
    """Fix what 夜0 has made: which camps are absent, and which conditions can hold."""
    play = d.table.play
    if play.empty_camps_absent:
        homes = {seat.camp for seat in d.seats}
        d.absent = frozenset(camp.name for camp in play.camps if camp.name not in homes and not camp.aside)
    armed = set()
    for camp in play.camps:
        for place, condition in enumerate(camp.losses):
            if not condition.group.roles or find_group(condition.group, d.table, d.seats, d.lovers):
                armed.add((camp.name, place))
    d.armed = frozenset(armed)
    make_tests(d)


def make_tests(d: Draft) -> None:
    """Look the groups of all conditions up anew, after a seat's camp or identity changed."""
    table, seats, lovers = d.table, d.seats, d.lovers
    tests = []
    for camp in table.play.camps:
        if camp.name in d.absent:
            continue
        wins = [Trial(one, _members_of(one, d)) for one in camp.wins if _can_hold(one, table, seats, lovers)]
        losses = [
            Trial(one, _members(one, table, seats, lovers))
            for place, one in enumerate(camp.losses)
            if (camp.name, place) in d.armed
        ]
        tests.append(CampTest(camp.name, tuple(wins), tuple(losses), camp.aside, camp.shares))
    d.tests = tuple(tests)


def _members(condition: Condition, table: Table, seats: tuple[Seat, ...], lovers: tuple[int, ...]) -> tuple[int, ...]:
    members = find_group(condition.group, table, seats, lovers)
    if isinstance(condition, OthersChanted) and condition.also is not None:
        members = tuple(sorted({*members, *find_group(condition.also, table, seats, lovers)}))
    return members


def _members_of(condition: Condition, d: Draft) -> tuple[int, ...]:
    """The seats of a condition; of a clan's end, those of the clans that seats of the group oppose."""
    members = _members(condition, d.table, d.seats, d.lovers)
    if not isinstance(condition, ClanOut):
        return members
    names = {skill.name for skill in d.table.acts.values() if skill.effect is Effect.OPPOSE}
    opposed = {number for seat, name, number in d.chosen if seat in members and name in names}
    return tuple(index for index, clan in enumerate(d.clans) if clan in opposed)


def _can_hold(condition: Condition, table: Table, seats: tuple[Seat, ...], lovers: tuple[int, ...]) -> bool:
    needs = condition.needs if isinstance(condition, OthersChanted) else None
    return needs is None or bool(find_group(needs, table, seats, lovers))


def check_win(d: Draft) -> None:
    """Declare the camp that has won, and mark those that are lost; a draft with a winner is left alone."""
    if d.winner:
        return
    left = [test.camp for test in d.tests if test.camp not in d.lost and not test.aside]
    if len(left) == 1 and d.table.play.last_standing:
        declare(d, left[0])
    elif d.table.play.wins_first:
        find_winner(d)
        if not d.winner:
            find_losers(d)
    else:
        find_losers(d)
        if not d.winner:
            find_winner(d)


def find_winner(d: Draft) -> None:
    """Declare the first camp, in the rule system's order, one of whose conditions holds, and those that share its win."""
    winners: list[CampTest] = []
    for test in d.tests:
        if _wins(test, d) and all(test.camp in other.shares for other in winners):
            winners.append(test)
    if winners:
        declare(d, *(test.camp for test in winners))


def _wins(test: CampTest, d: Draft) -> bool:
    return test.camp not in d.lost and any(holds(one, d) for one in test.wins)


def find_losers(d: Draft) -> None:
    """Mark every camp one of whose conditions holds; the only camp that is left then has won."""
    for test in d.tests:
        if test.camp in d.lost:
            continue
        for trial in test.losses:
            if holds(trial, d):
                judge_lost(d, test.camp)
                break
        if d.winner:
            return


def holds(test: Trial, d: Draft) -> bool:
    """Whether a condition holds now."""
    seats = d.seats
    match test.condition:
        case AllOut(one_is_enough=one_is_enough):
            # In the middle of a game the first seat that is looked at decides almost always.
            for index in test.members:
                if bool(seats[index].cause) is one_is_enough:
                    return one_is_enough
            return not one_is_enough
        case Half():
            living = len([index for index in test.members if not seats[index].cause])
            return living > 0 and 2 * living >= len(seats) - len(d.order)
        case HalfOfVotes():
            return _have_half_of_votes(d, test.members)
        case AllOutOrChanted():
            return all(seats[index].cause or seats[index].chanted for index in test.members)
        case FewLeft(many=many, exactly=exactly):
            left = len(seats) - len(d.order)
            return any(not seats[index].cause for index in test.members) and (left == many or (left < many and not exactly))
        case AllLivingChanted() | OthersChanted():
            return _are_all_chanted(seats, test.members)
        case AllSouls():
            return bool(test.members) and all(seats[index].soul for index in test.members)
        case PrayedRight():
            return any(seat in test.members for seat in d.prayed)
        case OnlyLeft():
            living = sum(not seats[index].cause for index in test.members)
            return living > 0 and living == len(seats) - len(d.order)
        case ClanOut():
            return bool(test.members) and all(seats[index].cause for index in test.members)
        case VotedOut(day=day, cause=cause):
            gone = [seats[index] for index in test.members if seats[index].cause == cause]
            return any(seat.out_in is not None and seat.out_in == Phase(PhaseKind.DAY, day) for seat in gone)
        case _:
            assert_never(test.condition)


def _are_all_chanted(seats: tuple[Seat, ...], members: tuple[int, ...]) -> bool:
    """Whether some of these seats are in, and all of them are chanted."""
    found = False
    for index in members:
        if not seats[index].cause:
            if not seats[index].chanted:
                return False
            found = True
    return found


def _have_half_of_votes(d: Draft, members: tuple[int, ...]) -> bool:
    """存活的人数可投出的票数占总票数的一半或以上: the dying are not 存活; a badge on its way is nobody's, and counts."""
    dying = {kill.target for kill in d.dying}
    own = sum(votes_of(d, index) for index in members if index not in dying)
    total = sum(votes_of(d, index) for index in d.living)
    if d.badge is not None and not (d.badge.cause == _RED_CARD and d.table.play.succession.red_card is Draw.NONE):
        total += d.table.play.votes.sheriff_weight - 1
    return own > 0 and 2 * own >= total


def votes_of(d: Draft, index: int) -> int:
    """How many votes a seat can cast: none if it is out, several if it is sheriff, perhaps none once it has feigned."""
    seat = d.seats[index]
    if seat.cause or (seat.feigned and d.table.play.feigning.weightless):
        return 0
    return d.table.play.votes.sheriff_weight if index == d.sheriff else 1


def judge_lost(d: Draft, camp: str) -> None:
    """Mark a camp lost (阵营优先判负), which is secret; declare the camp that is left alone; then its wolves lose their kill."""
    if camp in d.lost:
        return
    d.lost = (*d.lost, camp)
    left = [test.camp for test in d.tests if test.camp not in d.lost and not test.aside]
    if len(left) == 1 and d.table.play.last_standing:
        declare(d, left[0])
        return
    pass_on_kill(d, camp)


def pass_on_kill(d: Draft, camp: str) -> None:
    """What a camp's loss brings: its wolves lose their kill, lovers of their own camp may gain one."""
    _take_kill(d, camp)
    _give_widow(d, camp)


def declare(d: Draft, *camps: str) -> None:
    """A camp has won, or several together: everything stops."""
    d.winner = camps
    d.queue = ()
    d.decisions = ()
    d.badge = None
    d.ban = None
    d.messages = (*d.messages, Message(Told.WINNER, PUBLIC, d.phase, word="、".join(camps)))


def _take_kill(d: Draft, camp: str) -> None:
    """狼人阵营优先判负后，狼人阵营失去杀人技能: its wolves are told."""
    rule = next((one for one in d.table.play.camps if one.name == camp), None)
    if rule is None or not rule.forfeits or (rule.forfeits_to_lovers and not _lovers_gain(d, camp)):
        return
    wolves, forfeits = wolves_of(d, camp), rule.forfeits
    take_skill(d, wolves, forfeits)
    if rule.forfeit_told:
        d.messages = (*d.messages, *(Message(Told.KILL_LOST, wolf, d.phase, word=forfeits) for wolf in wolves))


def _give_widow(d: Draft, camp: str) -> None:
    """寡妇刀: lovers of their own camp gain a kill when the wolves are judged lost, and are told."""
    lovers = d.table.play.lovers
    if lovers.widow is None or not _lovers_gain(d, camp):
        return
    armed = [index for index in d.lovers if not lovers.widow_wolves or d.table.roles[d.seats[index].role].kind is Kind.WOLF]
    if not armed:
        return
    d.widow = True
    told = (Message(Told.KILL_GAINED, lover, d.phase, word=lovers.widow.name) for lover in armed if d.is_in(lover))
    d.messages = (*d.messages, *told)


def _lovers_gain(d: Draft, camp: str) -> bool:
    """Whether lovers of their own camp gain a kill when a camp is judged lost."""
    rule = d.table.play.lovers
    if rule.widow is None or camp != rule.widow_after or not d.lovers or d.seats[d.lovers[0]].camp != rule.camp:
        return False
    return not rule.widow_needs_wolf or any(d.table.roles[d.seats[lover].role].kind is Kind.WOLF for lover in d.lovers)


def wolves_of(d: Draft, camp: str) -> tuple[int, ...]:
    """The seats of a camp that are wolves by identity, in the game or out."""
    roles = d.table.roles
    return tuple(index for index, seat in enumerate(d.seats) if seat.camp == camp and roles[seat.role].kind is Kind.WOLF)


def take_skill(d: Draft, seats: tuple[int, ...], *skills: str) -> None:
    """Some seats lose skills by name."""
    changed = list(d.seats)
    for index in seats:
        changed[index] = changed[index]._replace(lost=changed[index].lost | set(skills))
    d.seats = tuple(changed)


def camps_left(play: Play, d: Draft) -> tuple[str, ...]:
    """The camps that are present and not lost."""
    return tuple(camp.name for camp in play.camps if camp.name not in d.absent and camp.name not in d.lost)
