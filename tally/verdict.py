"""What a filled box decides: the counts, who reached the maximum first, and what a tie does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import assert_never

from scraper.phrases import listing, phrase
from tally.ballot import CURSE, Act, Ballot, Place
from tally.box import Box, Fate, is_out
from tally.day import Day
from tally.draws import draw
from tally.names import How
from tally.policy import Decides, ElectionTie, Feigned, Reach, SheriffScope, TargetKind, Tie, VotePolicy
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


@dataclass(frozen=True, slots=True)
class Case:
    """What a box is judged by: the day's facts and the rules; `seed` decides draws ("": nobody knows it, and none is made)."""

    day: Day
    policy: VotePolicy
    roster: Roster
    sheriff: str | None
    seed: str = ""

    @property
    def decides(self) -> Decides:
        """What the vote is about."""
        return self.policy.poll(self.day.poll, self.day.number).decides

    def say(self, *targets: str) -> str:
        """Some targets as a sentence names them."""
        match self.policy.target:
            case TargetKind.NUMBER:
                return listing(phrase("{number}号", number=target) for target in targets)
            case TargetKind.CHARACTER | TargetKind.VEST | TargetKind.SEAT:
                return listing(targets)
            case _:
                assert_never(self.policy.target)


def weigh(voter: str, day: Day, policy: VotePolicy, sheriff: str | None) -> int:
    """What a voter's ballot weighs: 警长投出的票计为2票 (M29, 带队), and one in the election itself.

    A curse weighs what the rules say; whoever has used 装傻 in 马甲杀 nothing; 潜行 doubles a ballot or takes its weight.
    """
    if voter == CURSE:
        return policy.curse
    if voter in day.feigned:
        match policy.feigned:
            case Feigned.NO_WEIGHT:
                return 0
            case Feigned.VOID | None:
                pass
            case _:
                assert_never(policy.feigned)
    electing = policy.poll(day.poll, day.number).decides is Decides.ELECTION
    own = policy.sheriff_weight if sheriff and voter == sheriff and not electing else 1
    return own * dict(day.weights).get(voter, 1)


def as_ballot(fate: Fate, weight: int = 1) -> Ballot:
    """The ballot of a fate, as it is stored and printed."""
    reading = fate.reading
    return Ballot(
        voter=reading.voter,
        by=reading.poster.name if reading.entry is None or reading.proxy or reading.manipulates else reading.voter,
        act=act_of(fate),
        raw=reading.raw,
        target=fate.target,
        at=reading.at,
        post=reading.source,
        line=reading.line,
        weight=weight,
        reason=fate.reason,
        ruled=fate.ruled_by is not None,
        file=reading.file,
        rule=fate.rule,
    )


def act_of(fate: Fate) -> Act:
    """What a ballot does: a curse or 操纵; a proxy is one whatever its format; then a change; then what it names."""
    reading = fate.reading
    if reading.cursed:
        return Act.CURSE
    if reading.manipulates:
        return Act.MANIPULATE
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


def decide(box: Box, case: Case) -> Outcome:
    """What the vote decides, by which clause and why."""
    day, policy = case.day, case.policy
    totals = {count.target: count.votes for count in count_ballots(box, day, policy, case.sheriff)}
    most = max(totals.values(), default=0)
    # Ballots without weight put nobody at the top.
    top = tuple(target for target, votes in totals.items() if votes == most and most > 0)
    if case.decides is Decides.ELECTION:
        return _elect(top, most, box, case)
    if not top:
        return _walk(policy.no_votes, phrase("没有人得票（无人投票，或都是弃权）"), "no_votes", top, box, case)
    if len(top) == 1:
        what = clause_of(policy, case.day.poll, case.decides.value, "exile")
        because = phrase("{top}得 {most} 票，票数最高，{falls}。", top=case.say(*top), most=most, falls=_falls(case.decides))
        return Outcome(decision_of(case.decides), top, what, because)
    return _walk(policy.tie, phrase("{top}同为 {most} 票，平票", top=case.say(*top), most=most), "tie", top, box, case)


def clause_of(policy: VotePolicy, *keys: str) -> str:
    """The words of the rule post under the first of some keys that has any."""
    return next((policy.clauses[key].text for key in keys if key in policy.clauses), "")


def rule_keys(ballot: Ballot, poll: str) -> tuple[str, ...]:
    """The keys under which the clause stands that voids a ballot, the most particular first: a rule may differ by the vote."""
    reason = ballot.reason.value if ballot.reason is not None else ""
    return f"{ballot.rule}:{poll}", ballot.rule, reason


def decision_of(decides: Decides) -> Decision:
    """What a vote on something decides, where somebody has the most votes."""
    match decides:
        case Decides.EXILE:
            return Decision.EXILE
        case Decides.ELECTION:
            return Decision.SHERIFF
        case Decides.IDENTITY:
            return Decision.IDENTITY
        case Decides.SOUL:
            return Decision.SOUL
        case _:
            assert_never(decides)


def _falls(decides: Decides) -> str:
    """What becomes of whom a vote hits, as a sentence ends."""
    match decides:
        case Decides.EXILE:
            return phrase("出局")
        case Decides.ELECTION:
            return phrase("当选警长")
        case Decides.IDENTITY:
            return phrase("公示身份")
        case Decides.SOUL:
            return phrase("进入灵魂状态")
        case _:
            assert_never(decides)


def _nobody(decides: Decides) -> str:
    match decides:
        case Decides.EXILE:
            return phrase("无人出局")
        case Decides.ELECTION:
            return phrase("没有人当选警长")
        case Decides.IDENTITY:
            return phrase("没有人公示身份")
        case Decides.SOUL:
            return phrase("没有人进入灵魂状态")
        case _:
            assert_never(decides)


def _elect(top: tuple[str, ...], most: int, box: Box, case: Case) -> Outcome:
    policy = case.policy
    clause = clause_of(policy, "election")
    if not top:
        return Outcome(Decision.NOBODY, (), clause, phrase("没有人得票，没有人当选警长。"))
    if len(top) == 1:
        because = phrase("{top}得 {most} 票，票数最高，当选警长。", top=case.say(*top), most=most)
        return Outcome(Decision.SHERIFF, top, clause, because)
    match policy.election_tie:
        case ElectionTie.NONE:
            because = phrase("{top}同为 {most} 票，没有人当选警长。", top=case.say(*top), most=most)
            return Outcome(Decision.NOBODY, (), clause_of(policy, "election_tie", "election"), because)
        case ElectionTie.EARLIEST:
            pass
        case _:
            assert_never(policy.election_tie)
    race, reached = run_race(box, top, most, case)
    winner = min(top, key=lambda target: reached[target])
    step = race[reached[winner]]
    because = phrase(
        "{top}同为 {most} 票；{winner}最先达到 {most} 票（{voter}，{place}，{at}），当选警长。",
        top=case.say(*top),
        most=most,
        winner=case.say(winner),
        voter=step.ballot.voter,
        place=place_of(step.ballot),
        at=f"{step.ballot.at:%m-%d %H:%M:%S}",
    )
    return Outcome(Decision.SHERIFF, (winner,), clause, because, race=race, winning_step=reached[winner])


def place_of(ballot: Ballot) -> str:
    """Where a ballot stands, as a sentence says it: the floor, or the line of the ledger or of a table."""
    if ballot.post is not None:
        return ballot.post.floor
    if ballot.file:
        return phrase("{file} 第 {line} 行", file=ballot.file, line=ballot.line)
    return phrase("账本第 {line} 行", line=ballot.line)


def run_race(box: Box, targets: tuple[str, ...], most: int, case: Case) -> tuple[tuple[Step, ...], Mapping[str, int]]:
    """Every step of some targets to the maximum, and at which step each reached it (最先获得投票数最多).

    The order is that of the ballots, so that of two posts of one second the smaller pid comes first. A ballot without weight
    moves nothing.
    """
    fates = {fate.reading.order: fate for fate in box.fates}
    running = dict.fromkeys(targets, 0)
    reached: dict[str, int] = {}
    steps: list[Step] = []
    for move in box.moves:
        weight = weigh(move.reading.voter, case.day, case.policy, case.sheriff)
        if move.left == move.reached or weight == 0:
            # A change to the same target moves nothing.
            continue
        ballot = as_ballot(fates[move.reading.order], weight)
        if move.left in running:
            running[move.left] -= weight
            steps.append(Step(ballot, move.left, running[move.left]))
            if running[move.left] < most and case.policy.reach is Reach.STABLE:
                reached.pop(move.left, None)
        if move.reached in running:
            running[move.reached] += weight
            steps.append(Step(ballot, move.reached, running[move.reached]))
            if running[move.reached] >= most:
                reached.setdefault(move.reached, len(steps) - 1)
    return tuple(steps), reached


def _walk(steps: tuple[Tie, ...], why: str, key: str, top: tuple[str, ...], box: Box, case: Case) -> Outcome:
    """The first step of a list that yields a result; nobody where none does."""
    policy, tried = case.policy, why
    nobody = clause_of(policy, case.day.poll, "exile") if key == "no_votes" else clause_of(policy, "nobody", key)
    for step in steps:
        match step:
            case Tie.SCAPEGOAT:
                known, seat = find_scapegoat(case.roster, case.day)
                if known and (missing := _miss_scapegoat(seat, case.day)):
                    tried = phrase("{tried}，{role}{state}", tried=tried, role=SCAPEGOAT, state=missing)
                    continue
                return _exile_scapegoat(why, key, seat, known, policy)
            case Tie.SHERIFF_TARGET:
                target = _find_sheriffs_target(box, top, case)
                if target is None:
                    tried = phrase("{tried}，{failed}", tried=tried, failed=_no_sheriffs_target(box, case))
                    continue
                clause = clause_of(policy, "sheriff_target", key)
                because = phrase(
                    "{tried}：警长（{sheriff}）投的是{target}，出局。", tried=tried, sheriff=case.sheriff, target=case.say(target)
                )
                return Outcome(Decision.EXILE, (target,), clause, because)
            case Tie.RANDOM:
                return _draw(why, top, case)
            case Tie.NOBODY:
                break
            case _:
                assert_never(step)
    because = phrase("{tried}：{nobody}。", tried=tried, nobody=_nobody(case.decides))
    return Outcome(Decision.NOBODY, (), nobody, because)


def _exile_scapegoat(why: str, key: str, seat: str | None, known: bool, policy: VotePolicy) -> Outcome:
    instead = phrase("出局") if key == "no_votes" else phrase("代替他们出局")
    doubt = "" if known else phrase("（如果他还没有出局）")
    return Outcome(
        Decision.EXILE,
        (seat,) if seat else (),
        clause_of(policy, "no_votes" if key == "no_votes" else "scapegoat"),
        phrase("{why}：{role}（{seat}）{instead}。", why=why, role=SCAPEGOAT, seat=seat, instead=instead),
        phrase("{why}：由{role}{instead}{doubt}。", why=why, role=SCAPEGOAT, instead=instead, doubt=doubt),
        scapegoat=True,
    )


def find_scapegoat(roster: Roster, day: Day) -> tuple[bool, str | None]:
    """Whether it is known who the 替罪羊 is, and his seat (None: not known, or nobody is)."""
    if day.scapegoat:
        return True, day.scapegoat
    seat = next((seat.name for seat in roster.seats if seat.role == SCAPEGOAT), None)
    return seat is not None or all(seat.role is not None for seat in roster.seats), seat


def _miss_scapegoat(seat: str | None, day: Day) -> str:
    """Why the 替罪羊 does not go out in place of a tie; "" where he does."""
    if seat is None:
        return phrase("不在这一局")
    if is_out(seat, day.closes, day):
        return phrase("已出局")
    return phrase("已失去冤死") if day.scapegoat == "" else ""


def _find_sheriffs_target(box: Box, top: tuple[str, ...], case: Case) -> str | None:
    """Whom the sheriff's standing ballot names, where a tie may put it out."""
    target = _voted_by(box, case.sheriff)
    match case.policy.sheriff_scope:
        case SheriffScope.ANY:
            return target
        case SheriffScope.AMONG_TIED:
            return target if target in top else None
        case _:
            assert_never(case.policy.sheriff_scope)


def _voted_by(box: Box, voter: str | None) -> str | None:
    standing = (fate.target for fate in box.fates if fate.place is Place.STANDING and fate.reading.voter == voter)
    return next(standing, None)


def _no_sheriffs_target(box: Box, case: Case) -> str:
    """Why the sheriff's ballot does not break a tie."""
    if case.sheriff is None:
        return phrase("没有写明警长")
    if not case.sheriff:
        return phrase("没有警长")
    target = _voted_by(box, case.sheriff)
    return phrase("警长投的是{target}，不在其中", target=case.say(target)) if target else phrase("警长没有投票")


def _draw(why: str, top: tuple[str, ...], case: Case) -> Outcome:
    """One of those with the most votes, by the game's seed; nobody yet while it is not known."""
    clause = clause_of(case.policy, case.day.poll, "tie")
    among = tuple(sorted(top))
    if not case.seed:
        because = phrase("{why}：由种子在{among}中抽出一名，这里没有种子。", why=why, among=case.say(*among))
        return Outcome(Decision.DRAW, among, clause, because)
    what = f"日{case.day.number}{f' {case.day.poll}' if case.day.poll else ''}"
    chosen = draw(case.seed, what, among)
    because = phrase(
        "{why}：按种子（{what}）在{among}中抽出{chosen}，{falls}。",
        why=why,
        what=what,
        among=case.say(*among),
        chosen=case.say(chosen),
        falls=_falls(case.decides),
    )
    return Outcome(decision_of(case.decides), (chosen,), clause, because)
