"""What holds from a moment on: aliases, accounts that the board renamed; what was published, and what may be."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engine.rulesets.assertion_vote import VOTE as ASSERTION
from engine.rulesets.m29 import VOTE as M29
from engine.rulesets.table_vote import VOTE as TABLE_VOTE
from engine.rulesets.vest_vote import VOTE as VEST
from tally.ballot import Reason
from tally.names import Book
from tally.policy import Publicity, TargetKind, VotePolicy
from tally.posted import read_result
from tally.publish import Published, Shown, publish
from tally.result import DayTally
from tally.roster import Account, Roster, Seat, Target
from tally.ruling import Ruling, RulingKind
from tests.tally.make import DIRECTOR, Table, Wrote, at, ballot_text, codes_of, count, make_day, make_roster, result_of

NAMES = ("甲", "乙", "丙", "丁")


def with_later(**aliases: tuple[str, str]) -> Roster:
    """A roster of which some seats get an alias at a moment."""
    roster = make_roster(NAMES)
    later = {name: ((word, at(clock)),) for name, (word, clock) in aliases.items()}
    return replace(roster, seats=tuple(replace(seat, later=later.get(seat.name, ())) for seat in roster.seats))


@pytest.mark.parametrize(("clock", "result"), [("11:59:59", "void unknown_target"), ("12:00", "→乙"), ("15:00", "→乙")])
def test_an_alias_holds_from_its_moment_on(clock: str, result: str) -> None:
    tally = count([Wrote(ballot_text("小二"), by="甲", clock=clock)], Table(roster=with_later(乙=("小二", "12:00"))))
    assert result_of(tally, 0) == result


def test_one_alias_of_two_seats_is_ambiguous_only_once_both_hold_it() -> None:
    roster = with_later(乙=("小二", "12:00"), 丙=("小二", "14:00"))
    posts = [Wrote(ballot_text("小二"), by="甲", clock="13:00"), Wrote(ballot_text("小二"), by="丁", clock="14:00")]
    tally = count(posts, Table(roster=roster))
    assert [result_of(tally, index) for index in range(2)] == ["→乙", "void ambiguous_target"]


def test_a_book_has_one_page_for_each_time() -> None:
    book = Book(with_later(乙=("小二", "12:00")), TargetKind.CHARACTER)
    assert book.at(at("11:00")).targets.find("小二") is None
    assert book.at(at("13:00")) is book.at(at("20:00"))
    assert book.whole.targets.find_seat("小二") == "乙"


def unknown_uids() -> Roster:
    """A roster that knows accounts by name only."""
    return Roster(tuple(Seat(name, (Account(name),)) for name in NAMES), (Account(DIRECTOR, 2),))


def test_an_account_that_the_board_renames_stays_the_seats() -> None:
    posts = [
        Wrote(ballot_text("乙"), by="甲", uid=11),
        Wrote(ballot_text("丙", change=True), by="新名", uid=11, clock="11:00", quotes=(0,)),
    ]
    tally = count(posts, Table(roster=unknown_uids()))
    assert [result_of(tally, index) for index in range(2)] == ["replaced", "→丙"]
    assert "B306" in codes_of(tally, 1)


def test_a_stranger_who_takes_the_old_name_is_none() -> None:
    posts = [Wrote("早", by="甲", uid=11), Wrote(ballot_text("乙"), by="甲", uid=77, clock="11:00")]
    tally = count(posts, Table(roster=unknown_uids()))
    assert result_of(tally, 1) == "not a ballot"
    assert {"B102", "B307"} <= codes_of(tally, 1)
    assert "B305" not in codes_of(tally, 1)


def test_without_uids_on_the_page_the_name_tells() -> None:
    assert result_of(count([Wrote(ballot_text("乙"), by="甲")], Table(roster=unknown_uids())), 0) == "→乙"


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("乙出局", "乙"),
        ("乙", "乙"),
        ("乙被投票出局。", "乙"),
        ("乙当选警长！", "乙"),
        ("无人出局", ""),
        ("平票，无人出局", ""),
        ("没有警长", ""),
        ("戊出局", None),
        ("请看下一楼", None),
    ],
)
def test_how_a_result_is_published(written: str, value: str | None) -> None:
    book = Book(make_roster(NAMES), TargetKind.CHARACTER)
    assert read_result(written, book.whole.targets) == value


VOTES = [Wrote(ballot_text("乙"), by="甲"), Wrote(ballot_text("乙"), by="丙"), Wrote(ballot_text("甲"), by="丁")]


@pytest.mark.parametrize(
    ("text", "clock", "codes"),
    [
        ("投票结果：乙出局", "21:03", set()),
        ("投票结果：甲出局", "21:03", {"E109"}),
        ("计票结果：无人出局", "21:03", {"E109"}),
        ("公布结果：那谁出局", "21:03", {"E110"}),
        # While the day is open it is no result, and chat is none either.
        ("投票结果：甲出局", "20:00", set()),
        ("我看投票结果：甲出局", "21:03", set()),
    ],
)
def test_a_published_result_is_held_against_the_count(text: str, clock: str, codes: set[str]) -> None:
    tally = count([*VOTES, Wrote(text, by=DIRECTOR, clock=clock)], Table(roster=make_roster(NAMES)))
    assert codes_of(tally, 3) & {"E109", "E110"} == codes
    assert tally.final is ("E109" not in codes)


def test_players_publish_no_result() -> None:
    tally = count([*VOTES, Wrote("投票结果：甲出局", by="甲", clock="21:03")], Table(roster=make_roster(NAMES)))
    assert "E109" not in codes_of(tally, 3)


def test_the_game_files_result_is_held_against_the_count_and_a_ruling_settles_it() -> None:
    wrong = Table(roster=make_roster(NAMES), day=make_day(result="甲"))
    tally = count(VOTES, wrong)
    (finding,) = [finding for finding in tally.findings if finding.code == "E109"]
    assert dict(finding.parameters) == {"where": "game.toml", "posted": "甲", "own": "乙"}
    assert not tally.final
    ruled = count(VOTES, replace(wrong, rulings=(Ruling(RulingKind.RESULT, 3, "甲", reason="误公示", operator="导演乙"),)))
    assert (ruled.final, ruled.verdict.seats) == (True, ("甲",))
    assert "导演乙" in ruled.verdict.because
    assert count(VOTES, replace(wrong, day=make_day(result="乙"))).final


def test_a_wrong_result_does_not_tell_who_the_scapegoat_is() -> None:
    roster = make_roster(("甲", "乙", "羊"), 甲="村民", 乙="村民", 羊="替罪羊")
    posts = [Wrote(ballot_text("乙"), by="甲"), Wrote(ballot_text("甲"), by="乙"), Wrote(ballot_text("弃权"), by="羊")]
    tally = count(posts, Table(roster=roster, day=make_day(result="甲")))
    said = repr((tally.verdict, [finding for finding in tally.findings if finding.code == "E109"]))
    assert "替罪羊" in said
    assert "'羊'" not in said


PUBLIC = Table(roster=make_roster(NAMES))


@pytest.mark.parametrize(
    ("publicity", "seen", "votes", "seats"),
    [
        (Publicity.LIVE, "20:00", True, True),
        (Publicity.LIVE, "21:05", True, True),
        (Publicity.AFTER_THE_CLOSE, "20:00", False, False),
        (Publicity.AFTER_THE_CLOSE, "21:05", True, True),
        (Publicity.AT_THE_END, "20:00", False, False),
        (Publicity.AT_THE_END, "21:05", False, True),
    ],
)
def test_when_the_votes_may_be_published(publicity: Publicity, seen: str, votes: bool, seats: bool) -> None:
    policy = replace(M29, publicity=publicity)
    tally = count(VOTES, replace(PUBLIC, policy=policy, seen_until=at(seen)))
    published = publish(tally, policy)
    shown = published.tally
    assert (bool(shown.counts), bool(shown.verdict.seats)) == (votes, seats)
    assert bool(shown.verdict.because) == votes
    assert published.shown is (Shown.ALL if votes else Shown.VERDICT if seats else Shown.NOTHING)
    assert publish(tally, policy, ended=True) == Published(tally, Shown.ALL)


def shows_nothing(tally: DayTally) -> bool:
    """Whether nothing of the votes is left."""
    return not (tally.counts or tally.abstained or tally.void or tally.replaced or tally.not_voted or tally.findings)


def test_what_is_left_of_private_votes_is_whom_they_hit() -> None:
    assert ASSERTION.publicity is VEST.publicity is Publicity.AT_THE_END
    tally = count(VOTES, replace(PUBLIC, policy=replace(M29, publicity=Publicity.AT_THE_END)))
    published = publish(tally, replace(M29, publicity=Publicity.AT_THE_END))
    assert (shows_nothing(published.tally), published.shown) == (True, Shown.VERDICT)
    assert published.tally.verdict.seats == tally.verdict.seats != ()


@pytest.mark.parametrize("poll", ["审讯", "撕咬", "血饮"])
def test_of_a_camps_own_vote_nothing_is_published_when_it_closes(poll: str) -> None:
    """公示前一天进入灵魂状态角色名单、被公示身份角色 as the next day opens: the night before it may still save them."""
    tally = replace(count(VOTES, PUBLIC), poll=poll)
    published = publish(tally, ASSERTION)
    assert published.shown is Shown.NOTHING
    assert shows_nothing(published.tally)
    assert published.tally.verdict.seats == ()
    assert publish(tally, ASSERTION, ended=True).tally.verdict.seats == tally.verdict.seats


def test_what_is_the_directors_alone_is_not_published_before_the_end() -> None:
    posts = [*VOTES, Wrote("我投乙一票", by="丁")]
    tally = count(posts, replace(PUBLIC, policy=replace(M29, publicity=Publicity.LIVE)))
    assert tally.findings
    assert publish(tally, M29).tally.findings == ()
    assert all(card.confirmed is not None for card in publish(tally, M29).tally.cards)


def test_no_weight_tells_whose_the_elected_vest_is() -> None:
    """公示…当日警长: everybody knows which vest is the sheriff; an account with two votes would be its."""
    roster = replace(make_roster(NAMES), targets=(Target("长风"), Target("墨客")))
    policy = replace(VEST, publicity=Publicity.LIVE)
    posts = [Wrote(ballot_text("长风"), by="甲"), Wrote(ballot_text("墨客"), by="乙")]
    tally = count(posts, Table(roster=roster, policy=policy, day=make_day(sheriff="甲")))
    assert {one.target: one.votes for one in tally.counts} == {"长风": 2, "墨客": 1}
    published = publish(tally, policy, sheriff_known=False)
    assert (published.weights, published.tally.verdict.because) == (False, "")
    assert {one.target: one.votes for one in published.tally.counts} == {"长风": 1, "墨客": 1}
    assert {ballot.weight for one in published.tally.counts for ballot in one.ballots} == {1}
    assert published.tally.verdict.seats == tally.verdict.seats == ("长风",)
    # Were another the sheriff, of the same result, not a word would differ.
    other = count([replace(posts[0], by="丙"), posts[1]], Table(roster=roster, policy=policy, day=make_day(sheriff="丙")))
    assert publish(other, policy, sheriff_known=False).tally.verdict == published.tally.verdict
    assert publish(tally, policy).tally.counts == tally.counts
    assert publish(tally, policy, ended=True, sheriff_known=False).tally.counts == tally.counts


def show_vests(posts: list[Wrote], policy: VotePolicy, **facts: Any) -> Published:
    """What is published of a vote on four vests, under facts that nobody is told."""
    roster = replace(make_roster(NAMES), targets=tuple(map(Target, ("长风", "墨客", "青衫", "孤舟"))))
    tally = count(posts, Table(roster=roster, policy=policy, day=make_day(**facts)))
    return publish(tally, policy, sheriff_known=False)


def test_where_weights_are_hidden_nothing_tells_whether_the_sheriff_voted() -> None:
    """Two votes on 长风, one on 墨客 and an abstention: whoever of them is sheriff, what is published is the same."""
    policy = replace(VEST, publicity=Publicity.LIVE)
    posts = [*(Wrote(ballot_text("长风"), by=name) for name in "甲乙"), Wrote(ballot_text("墨客"), by="丙")]
    posts.append(Wrote(ballot_text("弃权"), by="丁"))
    shown = [show_vests(posts, policy, sheriff=name) for name in ("甲", "乙", "丁", "")]
    assert shown == [shown[0]] * 4
    assert not shown[0].weights
    # One on each: a tie that the sheriff of 丙 breaks, and nobody goes out where he abstained. No word tells of it.
    tied = [show_vests([posts[0], *posts[2:]], policy, sheriff=name) for name in "丙丁"]
    assert {one.tally.verdict.because + one.tally.verdict.clause for one in tied} == {""}


def test_no_order_tells_where_a_hidden_weight_lies() -> None:
    """One vote on 青衫, then the sheriff's on 墨客: by weight 墨客 would stand first."""
    policy = replace(VEST, publicity=Publicity.LIVE)
    posts = [Wrote(ballot_text(vest), by=name) for name, vest in zip("甲乙丙丁", ("长风", "长风", "青衫", "墨客"), strict=True)]
    for sheriff in "丙丁":
        assert [one.target for one in show_vests(posts, policy, sheriff=sheriff).tally.counts] == ["长风", "青衫", "墨客"]


def test_a_ballot_without_weight_does_not_tell_whose_the_feigned_vest_is() -> None:
    """此后白痴投票不计入总票数: which vest has used 装傻 everybody saw, whose it is nobody."""
    policy = replace(VEST, publicity=Publicity.LIVE)
    posts = [Wrote(ballot_text("长风"), by="甲"), Wrote(ballot_text("墨客"), by="乙"), Wrote(ballot_text("长风"), by="丙")]
    for facts in ({"feigned": ("甲",)}, {"feigned": ("甲",), "sheriff": "甲"}):
        shown = show_vests(posts, policy, **facts)
        assert (shown.weights, shown.tally.verdict.because) == (False, "")
        assert [(one.target, one.votes) for one in shown.tally.counts] == [("长风", 2), ("墨客", 1)]


def test_of_a_vote_that_is_not_published_no_clause_tells_that_there_was_a_tie() -> None:
    policy = replace(VEST, publicity=Publicity.AT_THE_END)
    tied = [Wrote(ballot_text("长风"), by="甲"), Wrote(ballot_text("墨客"), by="乙")]
    alone = [Wrote(ballot_text("长风"), by="甲")]
    shown = [show_vests(posts, policy, sheriff="甲") for posts in (tied, alone)]
    assert [(one.shown, one.tally.verdict.seats) for one in shown] == [(Shown.VERDICT, ("长风",))] * 2
    assert shown[0].tally.verdict == shown[1].tally.verdict


def test_nobody_is_told_who_the_sisters_are() -> None:
    roster = make_roster(NAMES, 甲="两姐妹", 乙="两姐妹", 丙="村民", 丁="村民")
    posts = [Wrote(ballot_text("丙"), by="甲"), Wrote(ballot_text("丁"), by="乙"), Wrote("投票对象：没有", by="丙")]
    tally = count(posts, Table(roster=roster, policy=TABLE_VOTE))
    assert [ballot.reason for ballot in tally.void][:2] == [Reason.MUST_AGREE] * 2
    shown = publish(tally, TABLE_VOTE).tally
    assert [(ballot.voter, ballot.reason) for ballot in shown.void][:2] == [("甲", Reason.RULED_VOID), ("乙", Reason.RULED_VOID)]
    assert shown.void[2:] == tally.void[2:]
    assert shown.counts == tally.counts


def test_a_vests_alias_is_an_alias() -> None:
    roster = replace(make_roster(NAMES), targets=(Target("长风", ("风",)), Target("墨客")))
    posts = [Wrote(ballot_text("风"), by="甲"), Wrote(ballot_text("甲"), by="乙")]
    tally = count(posts, Table(roster=roster, policy=VEST))
    assert [result_of(tally, index) for index in range(2)] == ["→长风", "void unknown_target"]
    assert "B115" in codes_of(tally, 1)
