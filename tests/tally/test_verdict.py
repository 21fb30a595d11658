"""What a filled box decides: exile, election, ties, the race, and what may be printed of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.rulesets.m29 import VOTE
from tally.day import Out
from tally.policy import Reach
from tally.result import DayTally, Decision
from tests.tally.make import Table, Wrote, at, ballot_text, count, make_day, make_roster, pid_of

NAMES = ("甲", "乙", "丙", "丁", "戊", "己", "羊")
ROLES = dict.fromkeys(NAMES, "村民") | {"羊": "替罪羊"}
KNOWN = make_roster(NAMES, **ROLES)
UNKNOWN = make_roster(NAMES)
ELECTION = make_day(number=1, sheriff=None)


def vote(by: str, target: str, clock: str = "10:00") -> Wrote:
    """A first vote."""
    return Wrote(ballot_text(target), by=by, clock=clock)


def change(by: str, target: str, clock: str, quotes: int) -> Wrote:
    """A change that quotes an earlier post."""
    return Wrote(ballot_text(target, change=True), by=by, clock=clock, quotes=(quotes,))


def totals(tally: DayTally) -> dict[str, int]:
    """The counts by target."""
    return {one.target: one.votes for one in tally.counts}


TIED = (vote("甲", "丙"), vote("乙", "丙"), vote("丙", "丁"), vote("丁", "丁"))


def test_the_most_votes_are_exiled() -> None:
    tally = count((vote("甲", "丙"), vote("乙", "丙"), vote("丙", "丁")), Table(roster=KNOWN))
    assert totals(tally) == {"丙": 2, "丁": 1}
    verdict = tally.verdict
    assert (verdict.decision, verdict.seats, verdict.role) == (Decision.EXILE, ("丙",), None)
    assert verdict.clause == "讨论日获得投票最多的角色将出局。"
    assert verdict.because == "丙得 2 票，票数最高，出局。"
    assert tally.final


def test_the_sheriff_has_two_votes_from_the_second_day() -> None:
    posts = (vote("甲", "丙"), vote("乙", "丁"), vote("丙", "丁"))
    tally = count(posts, Table(roster=KNOWN, day=make_day(sheriff="甲")))
    assert totals(tally) == {"丙": 2, "丁": 2}
    assert [ballot.weight for one in tally.counts if one.target == "丙" for ballot in one.ballots] == [2]
    assert totals(count(posts, Table(roster=KNOWN))) == {"丁": 2, "丙": 1}


def test_a_tie_puts_the_scapegoat_out() -> None:
    tally = count(TIED, Table(roster=KNOWN))
    assert (tally.verdict.decision, tally.verdict.seats, tally.verdict.role) == (Decision.EXILE, ("羊",), None)
    assert tally.verdict.clause == "当第二天或以后的投票中出现平票时，替罪羊代替所有平票的角色出局，并公示。"
    assert tally.verdict.because == "丙、丁同为 2 票，平票：替罪羊（羊）代替他们出局。"


def test_the_sheriff_does_not_break_a_tie() -> None:
    posts = (vote("甲", "丙"), vote("乙", "丁"), vote("丙", "丁"))
    tally = count(posts, Table(roster=KNOWN, day=make_day(sheriff="甲")))
    assert tally.verdict.seats == ("羊",)


@pytest.mark.parametrize("table", [Table(roster=UNKNOWN), Table(roster=KNOWN, seen_until=at("20:00"))])
def test_a_tie_says_the_role_and_no_seat_while_it_is_provisional_or_roles_are_unknown(table: Table) -> None:
    verdict = count(TIED, table).verdict
    assert (verdict.decision, verdict.seats, verdict.role) == (Decision.EXILE, (), "替罪羊")
    assert "（羊）" not in verdict.because


@pytest.mark.parametrize("when", [None, at("20:59:59"), at("21:00")])
def test_a_tie_without_the_scapegoat_puts_nobody_out(when: object) -> None:
    day = make_day(out=(Out("羊", when),))  # type: ignore[arg-type]
    verdict = count(TIED, Table(roster=KNOWN, day=day)).verdict
    assert (verdict.decision, verdict.seats) == (Decision.NOBODY, ())
    assert verdict.clause == "“多于一名角色票数最高”称为平票。产生平票时，无人出局。"


def test_a_scapegoat_who_has_lost_his_skill_goes_out_for_nobody() -> None:
    verdict = count(TIED, Table(roster=KNOWN, day=make_day(scapegoat=""))).verdict
    assert (verdict.decision, verdict.seats) == (Decision.NOBODY, ())
    assert "替罪羊已失去冤死" in verdict.because


def test_a_seat_that_took_over_the_scapegoat_goes_out_for_the_tied() -> None:
    day = make_day(out=(Out("羊", None),), scapegoat="甲")
    assert count(TIED, Table(roster=KNOWN, day=day)).verdict.seats == ("甲",)


def test_a_scapegoat_who_leaves_after_the_close_is_still_there() -> None:
    day = make_day(out=(Out("羊", at("21:00:01")),))
    assert count(TIED, Table(roster=KNOWN, day=day)).verdict.seats == ("羊",)


def test_a_tied_scapegoat_goes_out_once() -> None:
    posts = (vote("甲", "羊"), vote("乙", "丙"))
    assert count(posts, Table(roster=KNOWN)).verdict.seats == ("羊",)


@pytest.mark.parametrize("posts", [(), (vote("甲", "弃权"), vote("乙", "弃权"))])
def test_nobody_voting_puts_the_scapegoat_out(posts: tuple[Wrote, ...]) -> None:
    verdict = count(posts, Table(roster=KNOWN)).verdict
    assert (verdict.decision, verdict.seats) == (Decision.EXILE, ("羊",))
    assert verdict.clause == "狼助也会因为无人投票而出局。"


def test_one_vote_is_not_nobody() -> None:
    verdict = count((vote("甲", "弃权"), vote("乙", "丙")), Table(roster=KNOWN)).verdict
    assert verdict.seats == ("丙",)


def test_nobody_voting_without_the_scapegoat_puts_nobody_out() -> None:
    verdict = count((), Table(roster=KNOWN, day=make_day(out=(Out("羊"),)))).verdict
    assert (verdict.decision, verdict.seats) == (Decision.NOBODY, ())


def test_the_first_day_elects_and_exiles_nobody() -> None:
    verdict = count((vote("甲", "丙"),), Table(roster=KNOWN, day=ELECTION)).verdict
    assert (verdict.decision, verdict.seats) == (Decision.SHERIFF, ("丙",))
    assert verdict.race == ()


def test_an_election_without_votes_elects_nobody_and_leaves_the_scapegoat_in() -> None:
    verdict = count((vote("甲", "弃权"),), Table(roster=KNOWN, day=ELECTION)).verdict
    assert (verdict.decision, verdict.seats) == (Decision.NOBODY, ())


def test_a_sheriff_that_is_named_on_the_election_day_has_one_vote_like_all() -> None:
    posts = (vote("甲", "丙"), vote("乙", "丁"), vote("丙", "丁"))
    tally = count(posts, Table(roster=KNOWN, day=make_day(number=1, sheriff="甲")))
    assert totals(tally) == {"丁": 2, "丙": 1}


def test_a_tied_election_goes_to_the_earliest_to_reach() -> None:
    posts = (
        vote("甲", "丙", "10:00"),
        vote("乙", "丁", "10:01"),
        vote("丙", "丁", "10:02"),
        vote("丁", "丙", "10:03"),
    )
    verdict = count(posts, Table(roster=KNOWN, day=ELECTION)).verdict
    assert (verdict.decision, verdict.seats) == (Decision.SHERIFF, ("丁",))
    assert [(step.target, step.votes, step.ballot.voter) for step in verdict.race] == [
        ("丙", 1, "甲"),
        ("丁", 1, "乙"),
        ("丁", 2, "丙"),
        ("丙", 2, "丁"),
    ]
    assert verdict.winning_step == 2
    assert verdict.because == "丙、丁同为 2 票；丁最先达到 2 票（丙，4#，06-05 10:02:00），当选警长。"


def test_two_posts_of_one_second_are_told_apart_by_pid() -> None:
    posts = (vote("甲", "丙"), vote("乙", "丁"))
    assert count(posts, Table(roster=KNOWN, day=ELECTION)).verdict.seats == ("丙",)
    assert count(posts[::-1], Table(roster=KNOWN, day=ELECTION)).verdict.seats == ("丁",)


# 丙 reaches two first, loses one to a change, and gets it back after 丁 has reached two.
WITHDRAWN = (
    vote("甲", "丙", "10:00"),
    vote("乙", "丙", "10:01"),
    change("乙", "戊", "10:02", 1),
    vote("丁", "丁", "10:03"),
    vote("戊", "丁", "10:04"),
    vote("己", "丙", "10:05"),
)


def test_reaching_counts_since_it_last_held_and_by_switch_since_the_first_touch() -> None:
    stable = count(WITHDRAWN, Table(roster=KNOWN, day=ELECTION)).verdict
    assert (stable.seats, stable.winning_step) == (("丁",), 4)
    first_touch = replace(VOTE, reach=Reach.FIRST_TOUCH)
    touched = count(WITHDRAWN, Table(roster=KNOWN, day=ELECTION, policy=first_touch)).verdict
    assert (touched.seats, touched.winning_step) == (("丙",), 1)
    assert [(step.target, step.votes) for step in stable.race] == [
        ("丙", 1),
        ("丙", 2),
        ("丙", 1),
        ("丁", 1),
        ("丁", 2),
        ("丙", 2),
    ]


def test_a_change_to_the_same_target_moves_nothing_in_the_race() -> None:
    posts = (
        vote("甲", "丙", "10:00"),
        vote("乙", "丙", "10:01"),
        vote("丙", "丁", "10:02"),
        vote("丁", "丁", "10:03"),
        change("乙", "丙", "10:04", 1),
    )
    verdict = count(posts, Table(roster=KNOWN, day=ELECTION)).verdict
    assert verdict.seats == ("丙",)
    assert len(verdict.race) == 4


def test_a_void_ballot_is_no_step_of_the_race() -> None:
    posts = (
        Wrote("投票对象：丙", by="甲", clock="10:00"),
        vote("乙", "丁", "10:01"),
        vote("甲", "丙", "10:02"),
    )
    verdict = count(posts, Table(roster=KNOWN, day=ELECTION)).verdict
    assert verdict.seats == ("丁",)
    assert {step.ballot.post.pid for step in verdict.race if step.ballot.post} == {pid_of(1), pid_of(2)}
