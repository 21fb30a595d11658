"""What a filled box decides: the counts, who reached the maximum first, and what a tie does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import assert_never

from tally.ballot import Act, Ballot, Place
from tally.box import Box, Fate, is_out
from tally.day import Day
from tally.names import How
from tally.policy import Reach, SheriffScope, Tie, VotePolicy
from tally.result import Count, Decision, Step, Verdict
from tally.roster import Roster

SCAPEGOAT = "替罪羊"


@dataclass(frozen=True, slots=True)
class Outcome:
    """A verdict before it is sealed: `scapegoat` where it came over the 替罪羊, whose seat is printed only when it is final."""

    decision: Decision
    seats: tuple[str, ...]
    clause: str
    because: str
    sealed: str = ""
    scapegoat: bool = False
    race: tuple[Step, ...] = ()
    winning_step: int | None = None

    @property
    def key(self) -> tuple[Decision, tuple[str, ...], bool]:
        """What makes two outcomes the same decision."""
        return self.decision, self.seats, self.scapegoat

    def publish(self, final: bool) -> Verdict:
        """The verdict as it may be printed: while it is provisional the 替罪羊 stands for his seat."""
        if self.scapegoat and not (final and self.seats):
            return Verdict(self.decision, (), self.clause, self.sealed, SCAPEGOAT)
        return Verdict(self.decision, self.seats, self.clause, self.because, None, self.race, self.winning_step)


def weigh(voter: str, day: Day, policy: VotePolicy, sheriff: str | None) -> int:
    """What a voter's ballot weighs: 警长投出的票计为2票 (M29, 带队), and one in the election itself."""
    return policy.sheriff_weight if sheriff and voter == sheriff and day.number != policy.election_day else 1


def as_ballot(fate: Fate, weight: int = 1) -> Ballot:
    """The ballot of a fate, as it is stored and printed."""
    reading = fate.reading
    return Ballot(
        voter=reading.voter,
        by=reading.poster.name,
        act=act_of(fate),
        raw=reading.raw,
        target=fate.target,
        at=reading.at,
        post=reading.source,
        line=reading.line,
        weight=weight,
        reason=fate.reason,
        ruled=fate.ruled_by is not None,
    )


def act_of(fate: Fate) -> Act:
    """What a ballot does: a proxy is one whatever its format; then a change; then what it names."""
    reading = fate.reading
    if reading.proxy or reading.misplaced_proxy:
        return Act.PROXY
    if reading.change:
        return Act.CHANGE
    return Act.ABSTAIN if abstains(fate) else Act.VOTE


def abstains(fate: Fate) -> bool:
    """Whether a ballot is an abstention, by its words or by a ruling."""
    if fate.ruled_by is not None and fate.place is not Place.VOID:
        return fate.target is None
    return fate.reading.match.how is How.ABSTAIN


def count_ballots(box: Box, day: Day, policy: VotePolicy, sheriff: str | None) -> tuple[Count, ...]:
    """The standing ballots by target: the most votes first, then the target that was voted for first."""
    piles: dict[str, list[Ballot]] = {}
    for fate in box.fates:
        if fate.place is Place.STANDING and fate.target is not None:
            ballot = as_ballot(fate, weigh(fate.reading.voter, day, policy, sheriff))
            piles.setdefault(fate.target, []).append(ballot)
    counts = [Count(target, sum(ballot.weight for ballot in pile), tuple(pile)) for target, pile in piles.items()]
    return tuple(sorted(counts, key=lambda count: -count.votes))


def decide(box: Box, *, day: Day, policy: VotePolicy, roster: Roster, sheriff: str | None) -> Outcome:
    """What the vote decides, by which clause and why."""
    totals = {count.target: count.votes for count in count_ballots(box, day, policy, sheriff)}
    most = max(totals.values(), default=0)
    top = tuple(target for target, votes in totals.items() if votes == most)
    if day.number == policy.election_day:
        return _elect(top, most, box, policy)
    if not top:
        return _walk(policy.no_votes, "没有人得票（无人投票，或都是弃权）", "no_votes", day=day, policy=policy, roster=roster)
    if len(top) == 1:
        return Outcome(Decision.EXILE, top, clause_of(policy, "exile"), f"{top[0]}得 {most} 票，票数最高，出局。")
    why = f"{'、'.join(top)}同为 {most} 票，平票"
    wanted = _find_sheriffs_target(box, top, policy, sheriff)
    return _walk(policy.tie, why, "tie", day=day, policy=policy, roster=roster, sheriffs_target=wanted)


def clause_of(policy: VotePolicy, *keys: str) -> str:
    """The words of the rule post under the first of some keys that has any."""
    return next((policy.clauses[key].text for key in keys if key in policy.clauses), "")


def _elect(top: tuple[str, ...], most: int, box: Box, policy: VotePolicy) -> Outcome:
    clause = clause_of(policy, "election")
    if not top:
        return Outcome(Decision.NOBODY, (), clause, "没有人得票，没有人当选警长。")
    if len(top) == 1:
        return Outcome(Decision.SHERIFF, top, clause, f"{top[0]}得 {most} 票，票数最高，当选警长。")
    race, reached = run_race(box, top, most, policy.reach)
    winner = min(top, key=lambda target: reached[target])
    step = race[reached[winner]]
    place = step.ballot.post.floor if step.ballot.post is not None else f"账本第 {step.ballot.line} 行"
    because = (
        f"{'、'.join(top)}同为 {most} 票；{winner}最先达到 {most} 票"
        f"（{step.ballot.voter}，{place}，{step.ballot.at:%m-%d %H:%M:%S}），当选警长。"
    )
    return Outcome(Decision.SHERIFF, (winner,), clause, because, race=race, winning_step=reached[winner])


def run_race(box: Box, targets: tuple[str, ...], most: int, reach: Reach) -> tuple[tuple[Step, ...], Mapping[str, int]]:
    """Every step of some targets to the maximum, and at which step each reached it (最先获得投票数最多).

    Ballots weigh one: only an election is decided by time. The order is that of the ballots, so that of two posts of one
    second the smaller pid comes first.
    """
    fates = {fate.reading.order: fate for fate in box.fates}
    running = dict.fromkeys(targets, 0)
    reached: dict[str, int] = {}
    steps: list[Step] = []
    for move in box.moves:
        if move.left == move.reached:
            # A change to the same target moves nothing.
            continue
        ballot = as_ballot(fates[move.reading.order])
        if move.left in running:
            running[move.left] -= 1
            steps.append(Step(ballot, move.left, running[move.left]))
            if running[move.left] < most and reach is Reach.STABLE:
                reached.pop(move.left, None)
        if move.reached in running:
            running[move.reached] += 1
            steps.append(Step(ballot, move.reached, running[move.reached]))
            if running[move.reached] >= most:
                reached.setdefault(move.reached, len(steps) - 1)
    return tuple(steps), reached


def _find_sheriffs_target(box: Box, top: tuple[str, ...], policy: VotePolicy, sheriff: str | None) -> str | None:
    """Whom the sheriff's standing ballot names, where a tie may put that seat out."""
    standing = (fate for fate in box.fates if fate.place is Place.STANDING and fate.reading.voter == sheriff)
    target = next((fate.target for fate in standing), None)
    match policy.sheriff_scope:
        case SheriffScope.ANY:
            return target
        case SheriffScope.AMONG_TIED:
            return target if target in top else None


def _walk(
    steps: tuple[Tie, ...],
    why: str,
    key: str,
    *,
    day: Day,
    policy: VotePolicy,
    roster: Roster,
    sheriffs_target: str | None = None,
) -> Outcome:
    """The first step of a list that yields a result; nobody where none does."""
    gone = ""
    for step in steps:
        match step:
            case Tie.SCAPEGOAT:
                known, seat = find_scapegoat(roster)
                if known and (seat is None or is_out(seat, day.closes, day)):
                    gone = f"，{SCAPEGOAT}{'已出局' if seat else '不在这一局'}"
                    continue
                clause = clause_of(policy, "no_votes" if key == "no_votes" else "scapegoat")
                instead = "出局" if key == "no_votes" else "代替他们出局"
                return Outcome(
                    Decision.EXILE,
                    (seat,) if seat else (),
                    clause,
                    f"{why}：{SCAPEGOAT}（{seat}）{instead}。",
                    f"{why}：由{SCAPEGOAT}{instead}{'' if known else '（如果他还没有出局）'}。",
                    scapegoat=True,
                )
            case Tie.SHERIFF_TARGET:
                if sheriffs_target is None:
                    continue
                clause = clause_of(policy, "sheriff_target", key)
                return Outcome(
                    Decision.EXILE, (sheriffs_target,), clause, f"{why}{gone}：警长投票的对象（{sheriffs_target}）出局。"
                )
            case Tie.NOBODY:
                return Outcome(
                    Decision.NOBODY, (), clause_of(policy, "exile" if key == "no_votes" else key), f"{why}{gone}：无人出局。"
                )
            case _:
                assert_never(step)
    return Outcome(Decision.NOBODY, (), clause_of(policy, "exile" if key == "no_votes" else key), f"{why}{gone}：无人出局。")


def find_scapegoat(roster: Roster) -> tuple[bool, str | None]:
    """Whether it is known who the 替罪羊 is, and his seat (None: not known, or nobody is)."""
    seat = next((seat.name for seat in roster.seats if seat.role == SCAPEGOAT), None)
    return seat is not None or all(seat.role is not None for seat in roster.seats), seat
