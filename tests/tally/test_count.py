"""The tally as a whole: every post has its place, and nothing is final before it is."""

from __future__ import annotations

import pytest

from scraper.errors import UsageError
from tally.ballot import Act
from tally.day import Out, Span
from tally.finding import Finding
from tally.policy import SpeedUpScope
from tally.result import DayTally, Evidence
from tally.ruling import LedgerBallot
from tests.tally.deck import with_policy
from tests.tally.make import (
    DIRECTOR,
    DISCUSSION,
    Table,
    Wrote,
    at,
    ballot_text,
    codes_of,
    count,
    make_day,
    outs,
    result_of,
)

SCRIPT = (
    Wrote("投票帖", by=DIRECTOR, clock="09:30"),
    Wrote(ballot_text("豆沙"), by="饺子", clock="10:00"),
    Wrote(ballot_text("豆沙"), by="包子", clock="10:05"),
    Wrote("早上好", by="老王", clock="10:10"),
    Wrote(ballot_text("包子", change=True), by="饺子", clock="11:00", quotes=(1,)),
    Wrote(ballot_text("弃权"), by="青岚", clock="12:00"),
    Wrote(ballot_text("包子"), by="路人", clock="12:30"),
    Wrote("投票对象：包子", by="1号", clock="13:00"),
    Wrote(ballot_text("包子"), by="10号", clock="21:00:01"),
)


def codes(tally: DayTally) -> set[str]:
    """All codes of a tally."""
    return {finding.code for finding in tally.findings}


def test_every_post_stands_in_one_place_with_its_reason() -> None:
    tally = count(SCRIPT)
    assert [result_of(tally, index) for index in range(len(SCRIPT))] == [
        "not a ballot",
        "replaced",
        "→豆沙",
        "not a ballot",
        "→包子",
        "弃权",
        "not a ballot",
        "void no_reason",
        "void after_close",
    ]
    assert [(one.target, one.votes) for one in tally.counts] == [("豆沙", 1), ("包子", 1)]
    assert tally.not_voted == (
        "豆沙",
        "夜行猫",
        "夜行者",
        "K先生",
        "老王",
        "1号",
        "10号",
        "🐱喵",
        "a&b<c>",
        "Napoléon",
        "弃权者",
        "汤圆",
    )


def test_a_ballot_says_what_it_did_and_where() -> None:
    tally = count(SCRIPT)
    (change,) = [ballot for one in tally.counts for ballot in one.ballots if ballot.act is Act.CHANGE]
    assert (change.voter, change.raw, change.target, change.at) == ("饺子", "包子", "包子", at("11:00"))
    assert change.post is not None
    assert (change.post.pid, change.post.floor, change.post.revision, change.post.line) == (105, "6#", 1, 1)
    assert [ballot.act for ballot in tally.abstained] == [Act.ABSTAIN]
    assert tally.replaced[0].reason == "replaced"


def test_a_moment_cuts_the_posts_off() -> None:
    tally = count(SCRIPT, Table(as_of=at("10:30")))
    assert [result_of(tally, index) for index in range(5)] == ["not a ballot", "→豆沙", "→豆沙", "not a ballot", ""]
    assert tally.as_of == at("10:30")
    assert not tally.final


def test_a_floor_cuts_the_posts_off_behind_it() -> None:
    tally = count(SCRIPT, Table(as_of="6#"))
    assert result_of(tally, 4) == "→包子"
    assert result_of(tally, 5) == ""
    assert tally.as_of == at("11:00")
    assert not tally.final
    with pytest.raises(UsageError, match="99#"):
        count(SCRIPT, Table(as_of="99#"))


def test_a_cut_at_the_close_is_the_whole_day() -> None:
    tally = count(SCRIPT, Table(as_of=at("21:00")))
    assert tally.final
    assert result_of(tally, 8) == ""


def test_a_target_that_leaves_after_the_cut_is_still_in() -> None:
    table = Table(day=make_day(out=(Out("豆沙", at("11:30")),)), as_of=at("11:00"))
    assert result_of(count(SCRIPT, table), 2) == "→豆沙"


def test_nothing_is_final_while_the_window_is_open() -> None:
    for seen, final in ((None, False), (at("20:59"), False), (at("21:00"), False), (at("21:00:01"), True)):
        tally = count(SCRIPT[:6], Table(seen_until=seen))
        assert tally.final is final
        assert ("B402" in codes(tally)) is not final
        assert bool(tally.cards) is final
    assert count(SCRIPT[:6], Table(seen_until=at("20:59"))).as_of == at("20:59")


def test_a_board_of_minutes_is_closed_when_the_closing_minute_is_over() -> None:
    script = (Wrote(ballot_text("豆沙"), clock="10:00", exact=False),)
    for seen, final in ((at("21:00:30"), False), (at("21:01"), True)):
        assert count(script, Table(seen_until=seen)).final is final


def test_a_missing_page_is_named_and_leaves_nothing_final() -> None:
    tally = count(SCRIPT, Table(complete=False, evidence=Evidence(None, at("21:05"), (2, 3))))
    assert (tally.complete, tally.final) == (False, False)
    (finding,) = [finding for finding in tally.findings if finding.code == "B401"]
    assert dict(finding.parameters) == {"pages": "2, 3"}
    assert tally.cards == ()


def test_a_speed_up_that_nobody_judged_leaves_nothing_final() -> None:
    tally = count(SCRIPT, Table(day=make_day(speed_ups=None)))
    assert not tally.final
    assert "B403" in codes(tally)
    assert tally.cards == ()


@pytest.mark.parametrize(("code", "final"), [("B303", False), ("A120", True)])
def test_an_error_that_the_caller_noted_leaves_nothing_final_and_a_warning_leaves_all(code: str, final: bool) -> None:
    tally = count(SCRIPT, Table(noted=(Finding(code),)))
    assert tally.final is final
    assert code in codes(tally)


CHANGE = (Wrote(ballot_text("豆沙")), Wrote(ballot_text("包子", change=True), clock="18:30", quotes=(0,)))


@pytest.mark.parametrize(
    ("spans", "result"),
    [
        ((), "→包子"),
        ((Span(at("18:00")),), "void change_accelerated"),
        ((Span(at("18:30")),), "void change_accelerated"),
        ((Span(at("18:30:01")),), "→包子"),
        ((Span(at("18:00"), at("18:30:01")),), "void change_accelerated"),
        ((Span(at("18:00"), at("18:30")),), "→包子"),
    ],
)
def test_a_speed_up_voids_the_changes_made_while_it_holds(spans: tuple[Span, ...], result: str) -> None:
    assert result_of(count(CHANGE, Table(day=make_day(speed_ups=spans))), 1) == result


@pytest.mark.parametrize(
    ("spans", "result"),
    [
        ((Span(at("18:45")),), "void change_accelerated"),
        ((Span(at("18:45"), at("19:00")),), "→包子"),
    ],
)
def test_by_switch_a_speed_up_at_the_close_voids_the_changes_of_the_whole_day(spans: tuple[Span, ...], result: str) -> None:
    day = make_day(speed_ups=spans)
    policy = with_policy(speed_up_scope=SpeedUpScope.WHOLE_DAY).policy
    assert result_of(count(CHANGE, Table(day=day, policy=policy)), 1) == result
    assert result_of(count(CHANGE, Table(day=day)), 1) == "→包子"


def test_a_first_vote_is_no_change_under_a_speed_up() -> None:
    day = make_day(speed_ups=(Span(at("18:00")),))
    assert result_of(count((Wrote(ballot_text("豆沙"), clock="19:00"),), Table(day=day)), 0) == "→豆沙"


def test_a_barred_voter_is_void_and_gets_no_card() -> None:
    table = Table(day=make_day(barred=frozenset({"饺子"})))
    tally = count((Wrote(ballot_text("豆沙")),), table)
    assert result_of(tally, 0) == "void voter_barred"
    assert "饺子" not in {card.seat for card in tally.cards} | set(tally.not_voted)


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        # Each breaks its own rule and all that come after it.
        (Wrote("投票对象：汤圆", by="汤圆", clock="21:30"), "voter_out"),
        (Wrote("投票对象：汤圆", by="饺子", clock="21:30"), "after_close"),
        (Wrote("投票对象：汤圆", by="饺子", clock="20:30"), "no_reason"),
        (Wrote(ballot_text("汤圆", change=True), by="饺子", clock="20:30"), "target_out"),
        (Wrote(ballot_text("包子", change=True), by="饺子", clock="20:30"), "nothing_to_change"),
    ],
)
def test_of_several_reasons_the_first_is_given(script: Wrote, reason: str) -> None:
    table = Table(day=make_day(out=outs("汤圆"), speed_ups=(Span(at("18:00")),)))
    assert result_of(count((script,), table), 0) == f"void {reason}"


@pytest.mark.parametrize(
    ("changes", "accelerated", "clock", "quotes", "reason"),
    [
        (0, True, "20:30", (), "change_limit"),
        (1, True, "20:30", (), "change_too_late"),
        (1, True, "19:30", (), "change_accelerated"),
        (1, False, "19:30", (), "change_not_reply"),
    ],
)
def test_the_reasons_of_a_change_come_in_their_order(
    changes: int, accelerated: bool, clock: str, quotes: tuple[int, ...], reason: str
) -> None:
    table = Table(day=make_day(speed_ups=(Span(at("18:00")),) if accelerated else ()), policy=with_policy(changes=changes).policy)
    script = (Wrote(ballot_text("豆沙")), Wrote(ballot_text("包子", change=True), clock=clock, quotes=quotes))
    assert result_of(count(script, table), 1) == f"void {reason}"


def cast(voter: str, target: str | None, clock: str, change: bool = False, line: int = 5) -> LedgerBallot:
    """A vote cast by a ledger line."""
    return LedgerBallot(line, voter, target, at(clock), change)


def test_a_ledger_line_casts_a_vote_like_a_post() -> None:
    tally = count((), Table(ledger_ballots=(cast("饺子", "包子", "12:00"), cast("豆沙", None, "12:00", line=6))))
    (one,) = tally.counts
    assert [(ballot.voter, ballot.by, ballot.act, ballot.line, ballot.post) for ballot in one.ballots] == [
        ("饺子", "导演", Act.PROXY, 5, None)
    ]
    assert [(ballot.voter, ballot.line) for ballot in tally.abstained] == [("豆沙", 6)]


@pytest.mark.parametrize(
    ("clock", "change", "reason"),
    [
        ("09:00", False, "before_open"),
        ("20:00", False, "second_vote"),
        ("20:00", True, "proxy_too_late"),
        ("21:00:01", True, "after_close"),
        ("19:59:59", False, "second_vote"),
        ("19:59:59", True, None),
    ],
)
def test_a_ledger_line_is_held_to_the_rules_of_a_proxy(clock: str, change: bool, reason: str | None) -> None:
    script = (Wrote(ballot_text("豆沙")),)
    tally = count(script, Table(ledger_ballots=(cast("饺子", "包子", clock, change),)))
    assert [ballot.reason for ballot in tally.void] == ([reason] if reason else [])
    assert result_of(tally, 0) == ("→豆沙" if reason else "replaced")


def test_after_a_proxy_the_voters_own_ballot_is_a_change_of_the_directors_floor() -> None:
    proxy = Wrote("代投：饺子\n投票对象：包子\n投票理由：略", by=DIRECTOR)
    own = Wrote(ballot_text("豆沙"), clock="11:00")
    change = Wrote(ballot_text("豆沙", change=True), clock="11:00", quotes=(0,))
    assert result_of(count((proxy, own)), 1) == "void second_vote"
    assert result_of(count((proxy, change)), 1) == "→豆沙"
    unquoted = Wrote(ballot_text("豆沙", change=True), clock="11:00")
    assert result_of(count((proxy, unquoted)), 1) == "void change_not_reply"


def test_a_ballot_of_the_ledger_has_no_floor_to_reply_to() -> None:
    table = Table(ledger_ballots=(cast("饺子", "包子", "10:00"),))
    assert result_of(count((Wrote(ballot_text("豆沙", change=True), clock="11:00"),), table), 0) == "→豆沙"


def test_a_post_of_several_proxies_has_a_place_for_each() -> None:
    text = "代投：饺子\n投票对象：包子\n投票理由：略\n代投：青岚\n投票对象：包籽\n投票理由：略"
    assert result_of(count((Wrote(text, by=DIRECTOR),)), 0) == "void unknown_target + →包子"


def test_a_ballot_in_another_thread_is_told() -> None:
    tally = count((Wrote(ballot_text("包子"), tid=DISCUSSION),))
    assert codes_of(tally, 0) == {"B113"}
    assert tally.counts == ()


def test_a_seat_that_is_out_may_post_in_no_thread() -> None:
    table = Table(day=make_day(out=(Out("饺子"), Out("包子", at("12:00")))))
    script = (
        Wrote("昨天的话", by="饺子", clock="09:29", tid=DISCUSSION),
        Wrote("我说一句", by="饺子", clock="09:30", tid=DISCUSSION),
        Wrote("我还在", by="包子", clock="11:59", tid=DISCUSSION),
        Wrote("我不在了", by="包子", clock="12:00"),
    )
    tally = count(script, table)
    assert [codes_of(tally, index) & {"D102"} for index in range(4)] == [set(), {"D102"}, set(), {"D102"}]


def test_the_directors_sample_of_the_format_is_no_ballot_and_no_warning() -> None:
    opening = Wrote("【投票格式】\n投票对象：饺子\n投票理由：饺子好吃", by=DIRECTOR)
    tally = count((opening,))
    assert result_of(tally, 0) == "not a ballot"
    assert codes_of(tally, 0) == set()
    tally = count((opening, Wrote(ballot_text("包子"), by=DIRECTOR, clock="11:00")))
    assert (result_of(tally, 1), codes_of(tally, 1)) == ("not a ballot", {"B111"})


def test_a_voter_who_leaves_after_voting_keeps_his_vote_with_a_warning() -> None:
    table = Table(day=make_day(out=(Out("饺子", at("15:00")),)))
    tally = count((Wrote(ballot_text("包子")),), table)
    assert (result_of(tally, 0), codes_of(tally, 0)) == ("→包子", {"B304"})


def test_the_same_posts_give_the_same_tally_in_whatever_order_they_come() -> None:
    assert count(SCRIPT, backwards=True) == count(SCRIPT)
