"""Votes of the other four systems, rule by rule, each with a neighbour that ends otherwise; results by hand from the posts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from engine.rulesets.assertion_vote import VOTE as ASSERTION
from engine.rulesets.m29 import VOTE as M29
from engine.rulesets.secret_number_vote import VOTE as SECRET
from engine.rulesets.table_vote import VOTE as TABLE_VOTE
from engine.rulesets.vest_vote import VOTE as VEST
from tally.ballot import CURSE, Act
from tally.day import Curse, Day, Out
from tally.policy import Conflict, ElectionTie, Reach, SecondVote, SheriffScope, Tie, VotePolicy
from tally.result import DayTally, Decision
from tally.roster import Roster, Target
from tally.ruling import Entry, LedgerBallot
from tests.tally.make import Table, Wrote, at, ballot_text, codes_of, count, make_day, make_roster, result_of

NAMES = ("甲", "乙", "丙", "丁", "戊", "己", "庚", "辛")
NUMBERS = replace(make_roster(NAMES), targets=tuple(Target(str(number)) for number in range(1, 9)))
VESTS = replace(make_roster(NAMES), targets=tuple(Target(vest) for vest in ("长风", "墨客", "青衫", "晚钟")))


def votes(*pairs: tuple[str, str], clock: int = 10) -> list[Wrote]:
    """First votes, a minute apart."""
    return [Wrote(ballot_text(target), by=voter, clock=f"{clock}:{minute:02}") for minute, (voter, target) in enumerate(pairs)]


def table(policy: VotePolicy, roster: Roster, seed: str = "", lines: Sequence[LedgerBallot] = (), **facts: Any) -> Table:
    """A table of one of the systems."""
    return Table(policy=policy, roster=roster, day=make_day(**facts), ledger_ballots=tuple(lines), seed=seed)


def own(line: int, voter: str, target: str | None, **more: object) -> LedgerBallot:
    """A voter's own ballot as a line of the ledger, without a time."""
    made = LedgerBallot(line, voter, target, at("12:00"), by=voter, entry=Entry.OWN, timed=False)
    return replace(made, **more)  # type: ignore[arg-type]


def turn(line: int, by: str, voter: str, target: str | None) -> LedgerBallot:
    """A manipulation."""
    return LedgerBallot(line, voter, target, at("12:00"), by=by, entry=Entry.MANIPULATION, timed=False)


def totals(tally: DayTally) -> dict[str, int]:
    """The counts by target."""
    return {one.target: one.votes for one in tally.counts}


def outcome(tally: DayTally) -> tuple[Decision, tuple[str, ...]]:
    """What was decided."""
    return tally.verdict.decision, tally.verdict.seats


TIED = votes(("甲", "2"), ("乙", "2"), ("丙", "4"), ("丁", "4"))


@pytest.mark.parametrize(
    ("sheriffs", "scope", "seats"),
    [
        ("2", SheriffScope.ANY, ("2",)),
        ("7", SheriffScope.ANY, ("7",)),
        ("7", SheriffScope.AMONG_TIED, ()),
        ("弃权", SheriffScope.ANY, ()),
    ],
)
def test_a_tie_goes_to_the_sheriffs_number(sheriffs: str, scope: SheriffScope, seats: tuple[str, ...]) -> None:
    posts = [*TIED, *votes(("戊", sheriffs), clock=11)]
    # 4 : 4 with the sheriff's two votes, or 3 : 3 against them.
    posts += votes(("己", "4" if sheriffs == "2" else "2"), ("庚", "4"), clock=12)
    tally = count(posts, table(replace(SECRET, sheriff_scope=scope), NUMBERS, sheriff="戊"))
    assert tally.verdict.seats == seats
    assert tally.verdict.decision is (Decision.EXILE if seats else Decision.NOBODY)
    assert tally.verdict.clause
    assert "戊" in tally.verdict.because or not seats


def test_without_a_sheriff_a_tie_puts_nobody_out_and_an_unknown_one_leaves_it_open() -> None:
    assert outcome(count(TIED, table(SECRET, NUMBERS, sheriff=""))) == (Decision.NOBODY, ())
    tally = count(TIED, table(SECRET, NUMBERS, sheriff=None))
    assert not tally.final
    assert "B405" in {finding.code for finding in tally.findings}


def test_a_players_name_is_no_number() -> None:
    tally = count(votes(("甲", "乙")), table(SECRET, NUMBERS))
    assert result_of(tally, 0) == "void unknown_target"
    assert "B115" in codes_of(tally, 0)
    assert "B115" not in codes_of(count(votes(("甲", "九十")), table(SECRET, NUMBERS)), 0)


def test_numbers_leave_and_seats_leave_apart() -> None:
    """Two seats are out, and two numbers; nothing says which is whose."""
    facts: dict[str, Any] = {"out": (Out("辛"), Out("庚")), "targets_out": (Out("3"), Out("5"))}
    tally = count(votes(("甲", "3"), ("乙", "5"), ("丙", "7"), ("辛", "7")), table(SECRET, NUMBERS, **facts))
    assert [result_of(tally, index) for index in range(4)] == ["void target_out", "void target_out", "→7", "void voter_out"]


def test_an_idiot_after_feigning_is_barred_in_one_system_and_weighs_nothing_in_another() -> None:
    facts: dict[str, Any] = {"feigned": frozenset({"甲"}), "feigned_targets": frozenset({"4"}), "sheriff": ""}
    tally = count(votes(("甲", "2"), ("乙", "4"), ("丙", "2")), table(SECRET, NUMBERS, **facts))
    assert [result_of(tally, index) for index in range(3)] == ["void voter_barred", "void target_barred", "→2"]
    assert [ballot.rule for ballot in tally.void] == ["voter_feigned", "target_feigned"]
    assert "甲" not in tally.not_voted
    facts = {"feigned": frozenset({"甲"}), "feigned_targets": frozenset({"晚钟"}), "sheriff": "甲"}
    tally = count(votes(("甲", "青衫"), ("乙", "晚钟")), table(VEST, VESTS, **facts))
    assert totals(tally) == {"青衫": 0, "晚钟": 1}
    assert outcome(tally) == (Decision.EXILE, ("晚钟",))
    tally = count(votes(("乙", "晚钟")), table(replace(VEST, feigned_votable=False), VESTS, **facts))
    assert result_of(tally, 0) == "void target_barred"


def test_ballots_without_weight_put_nobody_out() -> None:
    facts: dict[str, Any] = {"feigned": frozenset({"甲"}), "sheriff": ""}
    assert outcome(count(votes(("甲", "青衫")), table(VEST, VESTS, **facts))) == (Decision.NOBODY, ())


def test_a_sheriffs_ballot_without_weight_still_says_whom_he_votes_for() -> None:
    posts = votes(("甲", "青衫"), ("乙", "青衫"), ("丙", "墨客"))
    assert outcome(count(posts, table(VEST, VESTS, sheriff="甲", feigned=frozenset({"甲"})))) == (Decision.EXILE, ("青衫",))
    assert outcome(count(posts, table(VEST, VESTS, sheriff="", feigned=frozenset({"甲"})))) == (Decision.NOBODY, ())


SISTERS = make_roster(NAMES, 甲="两姐妹", 乙="两姐妹", 丙="三兄弟", 丁="三兄弟", 戊="三兄弟", 己="村民", 庚="村民", 辛="村民")


@pytest.mark.parametrize(
    ("ballots", "facts", "results"),
    [
        ((("甲", "己"), ("乙", "己")), {}, ["→己", "→己"]),
        ((("甲", "己"), ("乙", "庚")), {}, ["void must_agree", "void must_agree"]),
        ((("甲", "己"), ("乙", "弃权")), {}, ["void must_agree", "void must_agree"]),
        ((("甲", "己"),), {}, ["void must_agree"]),
        ((("甲", "弃权"),), {}, ["弃权"]),
        ((("甲", "己"), ("乙", "庚")), {"out": (Out("乙"),)}, ["→己", "void voter_out"]),
        ((("甲", "己"), ("乙", "庚")), {"lovers": frozenset({"甲", "辛"})}, ["→己", "→庚"]),
        ((("丙", "己"), ("丁", "己"), ("戊", "庚")), {}, ["void must_agree"] * 3),
        ((("丙", "己"), ("丁", "己"), ("戊", "庚")), {"out": (Out("戊"),)}, ["→己", "→己", "void voter_out"]),
        # Each group agrees by itself.
        ((("甲", "己"), ("乙", "己"), ("丙", "庚"), ("丁", "庚"), ("戊", "庚")), {}, ["→己", "→己", "→庚", "→庚", "→庚"]),
    ],
)  # fmt: skip
def test_sisters_and_brothers_must_agree(ballots: tuple[tuple[str, str], ...], facts: dict[str, Any], results: list[str]) -> None:
    tally = count(votes(*ballots), table(TABLE_VOTE, SISTERS, **facts))
    assert [result_of(tally, index) for index in range(len(ballots))] == results


def test_whether_they_agree_is_told_only_once_the_vote_is_over() -> None:
    posts = votes(("甲", "己"), ("乙", "庚"))
    open_table = replace(table(TABLE_VOTE, SISTERS), seen_until=at("20:00"))
    assert [result_of(count(posts, open_table), index) for index in range(2)] == ["→己", "→庚"]


def test_a_sister_may_still_come_round_by_her_change() -> None:
    posts = [*votes(("甲", "己"), ("乙", "庚")), Wrote(ballot_text("己", change=True), by="乙", clock="11:00", quotes=(1,))]
    tally = count(posts, table(TABLE_VOTE, SISTERS))
    assert [result_of(tally, index) for index in range(3)] == ["→己", "replaced", "→己"]


def test_a_curse_adds_two_to_its_target_and_is_nobodys_ballot() -> None:
    posts = votes(("甲", "己"), ("乙", "己"), ("丙", "己"), ("丁", "庚"), ("戊", "庚"))
    roster = make_roster(NAMES, **dict.fromkeys(NAMES, "村民"))
    tally = count(posts, table(TABLE_VOTE, roster, curse=Curse("庚", 4)))
    assert totals(tally) == {"庚": 4, "己": 3}
    (cursed,) = [ballot for one in tally.counts for ballot in one.ballots if ballot.act is Act.CURSE]
    assert (cursed.voter, cursed.weight, cursed.line, cursed.post) == (CURSE, 2, 4, None)
    assert set(tally.not_voted) == {"己", "庚", "辛"}
    assert totals(count(posts, table(TABLE_VOTE, roster))) == {"己": 3, "庚": 2}
    gone = count(posts[:3], table(TABLE_VOTE, roster, curse=Curse("庚", 4), out=(Out("庚"),)))
    assert [(ballot.voter, ballot.reason) for ballot in gone.void] == [(CURSE, "target_out")]


def test_a_curse_is_no_part_of_an_election() -> None:
    tally = count(votes(("甲", "己")), table(TABLE_VOTE, make_roster(NAMES), curse=Curse("庚"), poll="竞选", sheriff=""))
    assert totals(tally) == {"己": 1}


@pytest.mark.parametrize(
    ("tie", "seats"),
    [
        ((Tie.SCAPEGOAT, Tie.SHERIFF_TARGET, Tie.NOBODY), ("羊",)),
        ((Tie.SHERIFF_TARGET, Tie.SCAPEGOAT), ("己",)),
        ((Tie.NOBODY, Tie.SCAPEGOAT), ()),
    ],
)
def test_the_steps_of_a_tie_are_tried_in_order(tie: tuple[Tie, ...], seats: tuple[str, ...]) -> None:
    roster = make_roster((*NAMES, "羊"), **dict.fromkeys(NAMES, "村民"), 羊="替罪羊")
    posts = votes(("甲", "己"), ("乙", "庚"), ("丙", "庚"))
    tally = count(posts, table(replace(TABLE_VOTE, tie=tie), roster, sheriff="甲"))
    assert tally.verdict.seats == seats
    gone = count(posts, table(replace(TABLE_VOTE, tie=tie), roster, sheriff="甲", out=(Out("羊"),)))
    assert gone.verdict.seats == (() if tie[0] is Tie.NOBODY else ("己",))


def test_an_election_at_a_table_has_no_first() -> None:
    posts = votes(("甲", "己"), ("乙", "庚"))
    assert outcome(count(posts, table(TABLE_VOTE, make_roster(NAMES), poll="竞选", sheriff=""))) == (Decision.NOBODY, ())
    earliest = replace(TABLE_VOTE, election_tie=ElectionTie.EARLIEST)
    tally = count(posts, table(earliest, make_roster(NAMES), poll="竞选", sheriff=""))
    assert outcome(tally) == (Decision.SHERIFF, ("己",))
    assert [(step.target, step.votes) for step in tally.verdict.race] == [("己", 1), ("庚", 1)]
    assert tally.verdict.winning_step == 0


def test_lines_without_a_time_stand_in_their_order_and_a_second_one_is_a_change() -> None:
    lines = [own(1, "甲", "己", either=True), own(2, "甲", "庚", either=True), own(3, "甲", "辛", either=True)]
    tally = count([], table(TABLE_VOTE, make_roster(NAMES), lines=lines))
    assert totals(tally) == {"庚": 1}
    assert [(ballot.line, ballot.reason) for ballot in tally.void] == [(3, "change_limit")]
    assert [ballot.line for ballot in tally.replaced] == [1]


def test_the_rows_of_a_table_come_after_the_ledgers_lines_of_their_second() -> None:
    lines = [own(9, "甲", "己", either=True), own(2, "甲", "庚", either=True, file="votes.csv")]
    tally = count([], table(TABLE_VOTE, make_roster(NAMES), lines=lines))
    assert totals(tally) == {"庚": 1}


CAMPS = make_roster(("村一", "村二", "狼一", "狼二", "血一", "笛一", "笛二"), 村一="村民", 村二="村民", 狼一="狼人", 狼二="狼人",
                    血一="吸血鬼", 笛一="吹笛者", 笛二="吹笛者")  # fmt: skip
PRIVATE: dict[str, Any] = {"sheriff": None, "vote": 0}


def interrogation(*lines: LedgerBallot, policy: VotePolicy = ASSERTION, **facts: Any) -> DayTally:
    """The villagers' vote of 断言."""
    return count([], table(policy, CAMPS, lines=lines, poll="审讯", **{**PRIVATE, **facts}))


def test_each_camp_votes_by_itself() -> None:
    lines = [own(1, "村一", "狼一"), own(2, "狼一", "血一"), own(3, "血一", "狼二"), own(4, "笛一", "村一")]
    found = {
        poll.name: totals(count([], table(ASSERTION, CAMPS, lines=lines, **{**PRIVATE, "poll": poll.name})))
        for poll in ASSERTION.polls
    }
    assert found == {"审讯": {"狼一": 1}, "撕咬": {"血一": 1}, "血饮": {"狼二": 1}}
    tally = interrogation(*lines)
    assert [(ballot.voter, ballot.rule) for ballot in tally.void] == [("笛一", "voter_role")]
    assert tally.not_voted == ("村二",)
    assert outcome(tally) == (Decision.IDENTITY, ("狼一",))
    assert not [finding for finding in tally.findings if finding.code in ("B404", "B405")]


@pytest.mark.parametrize(
    ("line", "facts", "rule"),
    [
        (own(1, "村一", "村一"), {}, "self_vote"),
        (own(1, "村一", "狼一"), {"published": frozenset({"狼一"})}, "target_immune"),
        (turn(1, "笛一", "村一", "村一"), {}, "self_vote"),
        (turn(1, "笛一", "村一", "狼一"), {"published": frozenset({"狼一"})}, "target_immune"),
        (turn(1, "笛一", "村一", None), {}, "manipulated_abstention"),
        # A soul may be interrogated, and bites alone are barred by it.
        (own(1, "村一", "狼一"), {"souls": frozenset({"狼一"})}, ""),
    ],
)
def test_whom_a_vote_may_not_name(line: LedgerBallot, facts: dict[str, Any], rule: str) -> None:
    tally = interrogation(line, **facts)
    assert [ballot.rule for ballot in tally.void] == ([rule] if rule else [])


def test_a_soul_may_not_be_bitten_and_still_bites() -> None:
    lines = [own(1, "狼一", "血一"), own(2, "狼二", "村一")]
    tally = count([], table(ASSERTION, CAMPS, lines=lines, poll="撕咬", souls=frozenset({"血一", "狼二"}), **PRIVATE))
    assert [(ballot.voter, ballot.rule) for ballot in tally.void] == [("狼一", "target_immune")]
    assert outcome(tally) == (Decision.SOUL, ("村一",))


def test_a_manipulation_makes_or_changes_a_ballot_and_an_illegal_one_changes_nothing() -> None:
    tally = interrogation(own(1, "村一", "狼一"), turn(2, "笛一", "村一", "狼二"), turn(3, "笛二", "村二", "血一"))
    assert totals(tally) == {"狼二": 1, "血一": 1}
    assert [ballot.line for ballot in tally.replaced] == [1]
    assert {ballot.act for one in tally.counts for ballot in one.ballots} == {Act.MANIPULATE}
    tally = interrogation(own(1, "村一", "狼一"), turn(2, "笛一", "村一", "村一"))
    assert totals(tally) == {"狼一": 1}


def test_a_manipulation_holds_whenever_it_was_said() -> None:
    assert totals(interrogation(turn(1, "笛一", "村一", "狼二"), own(2, "村一", "狼一"))) == {"狼二": 1}


def test_two_that_turn_one() -> None:
    lines = (own(1, "村一", "狼一"), turn(2, "笛一", "村一", "狼二"), turn(3, "笛二", "村一", "血一"))
    assert totals(interrogation(*lines)) == {"血一": 1}
    both = replace(ASSERTION, conflict=Conflict.BOTH_VOID)
    assert totals(interrogation(*lines, policy=both)) == {"狼一": 1}
    # An illegal one is no conflict, and the earlier one stands.
    lines = (*lines[:2], turn(3, "笛二", "村一", "村一"))
    assert totals(interrogation(*lines)) == totals(interrogation(*lines, policy=both)) == {"狼二": 1}


def test_who_manipulates_does_so_once_a_day_whatever_the_vote() -> None:
    lines = (turn(1, "笛一", "狼一", "村二"), turn(2, "笛一", "村一", "狼二"))
    tally = interrogation(*lines)
    assert [(ballot.line, ballot.reason) for ballot in tally.void] == [(2, "second_vote")]
    last = replace(ASSERTION, second=SecondVote.REPLACE)
    assert totals(interrogation(*lines, policy=last)) == {"狼二": 1}
    bites = count([], table(last, CAMPS, lines=lines, poll="撕咬", **PRIVATE))
    assert (totals(bites), [ballot.line for ballot in bites.replaced]) == ({}, [1])


def test_a_private_ballot_is_the_first_or_by_the_switch_the_last() -> None:
    lines = (own(1, "村一", "狼一"), own(2, "村一", "狼二"))
    assert totals(interrogation(*lines)) == {"狼一": 1}
    assert totals(interrogation(*lines, policy=replace(ASSERTION, second=SecondVote.REPLACE))) == {"狼二": 1}


def test_weights_follow_the_voter_and_a_manipulated_target_stands() -> None:
    tally = interrogation(own(1, "村一", "狼一"), turn(2, "笛一", "村一", "狼二"), own(3, "村二", "狼一"), weights=(("村一", 2),))
    assert totals(tally) == {"狼二": 2, "狼一": 1}
    tally = interrogation(own(1, "村一", "狼一"), weights=(("村一", 0),))
    assert (totals(tally), outcome(tally)) == ({"狼一": 0}, (Decision.NOBODY, ()))


def test_a_tie_is_drawn_from_the_names_in_order_with_the_seed() -> None:
    lines = [own(1, "村一", "狼二"), own(2, "村二", "狼一")]

    def drawn(seed: str, *, backwards: bool = False) -> DayTally:
        found = lines[::-1] if backwards else lines
        return count([], table(ASSERTION, CAMPS, seed=seed, lines=found, poll="审讯", **PRIVATE))

    assert outcome(drawn("")) == (Decision.DRAW, ("狼一", "狼二"))
    chosen = [outcome(drawn(seed))[1] for seed in "abcdefgh"]
    assert set(chosen) == {("狼一",), ("狼二",)}
    assert chosen == [outcome(drawn(seed, backwards=True))[1] for seed in "abcdefgh"]
    assert "种子" in drawn("a").verdict.because


@pytest.mark.parametrize(("policy", "roster"), [(SECRET, NUMBERS), (VEST, VESTS), (M29, make_roster(NAMES))])
def test_the_first_day_elects_and_exiles_nobody(policy: VotePolicy, roster: Roster) -> None:
    names = [target.name for target in roster.targets] if roster.targets else list(NAMES)
    day: Day = make_day(number=1, sheriff=None)
    tally = count(votes(("甲", names[1]), ("乙", names[2])), Table(policy=policy, roster=roster, day=day))
    assert outcome(tally) == (Decision.SHERIFF, (names[1],))
    assert tally.verdict.winning_step == 0
    assert replace(policy, reach=Reach.FIRST_TOUCH).election_day == 1
