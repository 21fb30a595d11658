"""The close of a day: the votes are counted, the first day elects, every later one sends somebody out, or nobody."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from engine.play.ballots import Box, count_votes, fill_box, find_top, run_race
from engine.play.cards import skill_with
from engine.play.chain import RED_CARD, SCAPEGOAT, VOTE, ask, eliminate, try_conditions
from engine.play.draws import draw_seat
from engine.play.messages import PUBLIC, CountTold, Grant, Knows, Message, Told
from engine.play.polls import count_polls
from engine.play.rules import Granularity, SheriffShown
from engine.play.skillset import Effect
from engine.play.state import Asked, Ballot, Decision, Draft, VoteCount
from tally.policy import ElectionTie, Publicity, SheriffScope, Tie

# What the close of a day does, in order.
COUNT, RED_CARDS, OVER = range(3)


def advance_day(d: Draft) -> bool:
    """Settle the next thing of a day that was closed; False where it is open, or all is done."""
    if not d.closing or d.cursor == OVER:
        return False
    if d.cursor == COUNT:
        count_day(d)
    else:
        # 白天红牌罚下导致的出局结算在投票结算之后执行。
        for seat in d.reds:
            eliminate(d, seat, RED_CARD)
        d.reds = ()
        d.check_due = d.check_due or d.table.play.granularity is Granularity.FLOW_STEP
    d.cursor += 1
    return True


def count_day(d: Draft) -> None:
    """Count the day's ballots and do what they decide; a ruling on the result goes before the votes."""
    if d.table.play.votes.polls:
        count_polls(d)
        return
    box = fill_box(ballots_for(d, d.poll), d) if d.thread is None else Box(dict(d.thread.standing), ())
    weights = weigh(d)
    votes = count_votes(box, weights)
    rule = d.table.play.votes
    if not d.poll:
        # 这位玩家在白天投票时自动多出两票: in the day's first vote that puts somebody out.
        for target in d.cursed:
            if d.is_in(target) and not d.seats[target].feigned:
                votes[target] = votes.get(target, 0) + rule.curse
        d.cursed = ()
    d.polled = (*d.polled, d.poll)
    if d.phase.number == rule.election_day and not rule.beside:
        _elect(d, box, votes)
    else:
        _exile(d, box, votes)


def ballots_for(d: Draft, poll: str) -> tuple[Ballot, ...]:
    """The ballots of one of the day's votes."""
    return tuple(ballot for ballot in d.ballots if ballot.poll == poll)


def elect_beside(d: Draft, poll: str) -> None:
    """An election beside the day's own vote: the day goes on after it."""
    box = fill_box(ballots_for(d, poll), d) if d.thread is None else Box(dict(d.thread.standing), ())
    d.polled = (*d.polled, poll)
    _elect(d, box, count_votes(box, {}), poll)
    d.thread = None


def weigh(d: Draft) -> dict[int, int]:
    """带队: the sheriff's ballot counts double, but not on the day that elects one; that of whoever feigned may weigh nothing."""
    votes = d.table.play.votes
    elects = d.phase.number == votes.election_day and not votes.beside
    weights = {} if d.sheriff is None or elects else {d.sheriff: votes.sheriff_weight}
    if d.table.play.feigning.weightless:
        weights |= {index: 0 for index in d.holders[Effect.FEIGN] if d.seats[index].feigned}
    return weights


def _elect(d: Draft, box: Box, votes: Mapping[int, int], poll: str = "") -> None:
    """竞岗: 最先获得投票数最多的 becomes sheriff; nobody where nobody has a vote."""
    top = find_top(votes)
    rule = d.table.play.votes
    # 若竞选警长票数相同,则失去<警长>, or the first to reach the most.
    tied = len(top) > 1 and rule.election_tie is ElectionTie.NONE
    chosen = run_race(box, top, rule.reach) if top and not tied and d.thread is None else None
    if d.thread is not None:
        chosen = d.thread.elected
    if d.ruled is not None:
        chosen = d.ruled[0] if d.ruled else None
    d.sheriff = chosen
    if d.table.weighs:
        try_conditions(d)
    _record(d, votes, "nobody" if chosen is None else "sheriff", chosen, poll=poll, elects=True)
    if chosen is not None:
        d.messages = (*d.messages, Message(Told.SHERIFF, chosen, d.phase, (chosen,)))


def _exile(d: Draft, box: Box, votes: Mapping[int, int]) -> None:
    top = find_top(votes)
    cause, because = VOTE, ""
    victim: int | None = None
    if d.ruled is not None:
        victim, because = (d.ruled[0] if d.ruled else None), "ruled"
    elif len(top) == 1:
        victim = top[0]
    else:
        victim, step = _break_tie(d, box, top)
        because = step.value if step is not None else "nobody"
        cause = SCAPEGOAT if step is Tie.SCAPEGOAT else VOTE
    _record(d, votes, "nobody" if victim is None else "exile", victim, because, d.poll)
    if victim is None or d.seats[victim].cause:
        return
    if cause is SCAPEGOAT:
        d.grants = (*d.grants, Grant(PUBLIC, victim, Knows.ROLE, d.seats[victim].role))
        d.messages = (*d.messages, Message(Told.SCAPEGOAT, PUBLIC, d.phase, (victim,)))
        eliminate(d, victim, cause)
    elif may_feign(d, victim):
        ask(d, Decision(Asked.FEIGN, victim, d.phase, d.now, d.table.play.feign_minutes), Told.ASK_FEIGN)
    else:
        eliminate(d, victim, cause)


def _break_tie(d: Draft, box: Box, top: tuple[int, ...]) -> tuple[int | None, Tie | None]:
    """The first step of the rules' list that yields a seat, and which it was; of two lists one is for a day without any vote."""
    rule = d.table.play.votes
    for step in rule.tie if top else rule.no_votes:
        match step:
            case Tie.SCAPEGOAT:
                if (goat := find_scapegoat(d)) is not None:
                    return goat, step
            case Tie.SHERIFF_TARGET:
                target = box.standing.get(d.sheriff) if d.sheriff is not None else None
                if target is not None and (target in top or rule.sheriff_scope is SheriffScope.ANY):
                    return target, step
            case Tie.RANDOM:
                if top:
                    return draw_seat(d, "平票", top), step
            case Tie.NOBODY:
                return None, step
            case _:
                assert_never(step)
    return None, None


def find_scapegoat(d: Draft) -> int | None:
    """The seat that goes out in place of a tie: it is in, and has not lost that skill; None where no seat does."""
    goats = (seat for seat in d.holders[Effect.SCAPEGOAT] if d.is_in(seat))
    return next((seat for seat in goats if not _has_lost(d, seat, Effect.SCAPEGOAT)), None)


def _has_lost(d: Draft, seat: int, effect: Effect) -> bool:
    """Whether a seat has lost its skill of an effect; the loss of another skill takes nothing from this one."""
    skill = skill_with(d, seat, effect)
    return skill is None or skill.name in d.seats[seat].lost


def may_feign(d: Draft, seat: int) -> bool:
    """Whether a seat that a vote would put out can feign."""
    state = d.seats[seat]
    skill = skill_with(d, seat, Effect.FEIGN)
    repeats = d.table.play.feigning.repeats
    return skill is not None and (repeats or not state.feigned) and skill.name not in state.lost


def _would_tell_the_sheriff(d: Draft) -> bool:
    """Whether sums by weight would tell, beside the ballots, which account the sheriff is whose vest or number is published."""
    play = d.table.play
    veiled = play.vests or (d.table.hides_targets and play.sheriff_shown is SheriffShown.NUMBER)
    return veiled and d.sheriff is not None and weigh(d).get(d.sheriff, 1) != 1


def _record(
    d: Draft,
    votes: Mapping[int, int],
    decision: str,
    seat: int | None,
    because: str = "",
    poll: str = "",
    *,
    elects: bool = False,
) -> None:
    """Keep the count, and publish it."""
    ordered = tuple(sorted(votes.items(), key=lambda pair: -pair[1]))
    d.votes = (*d.votes, VoteCount(d.phase, ordered, decision, seat, because, poll))
    if d.table.play.publicity is Publicity.AT_THE_END or _would_tell_the_sheriff(d):
        # 公布得票最高的马甲; no votes before the game is over, and no sums that would say whose ballot counts double.
        top = find_top(votes)
        shown = (seat,) if decision == "sheriff" and seat is not None else top
        d.messages = (*d.messages, Message(Told.COUNT, PUBLIC, d.phase, shown, (), CountTold(decision, poll, elects).write()))
        return
    targets, numbers = tuple(target for target, _ in ordered), tuple(number for _, number in ordered)
    told = CountTold(decision, poll, elects, seat, because)
    d.messages = (*d.messages, Message(Told.COUNT, PUBLIC, d.phase, targets, numbers, told.write()))
