"""The director's word: applied on every recount, shown beside the machine's reading, missed where it fits nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scraper.post import Flaw
from tally.finding import Finding
from tally.result import DayTally, Decision
from tally.ruling import LedgerBallot, Ruling, RulingKind
from tests.tally.make import DIRECTOR, VOTE_THREAD, Table, Wrote, at, ballot_text, count, make_day, outs, pid_of, result_of

CHANGE = (Wrote(ballot_text("豆沙")), Wrote(ballot_text("包子", change=True), clock="15:00"))


def on_post(kind: RulingKind, index: int, value: str = "", line: int = 7, tid: int = VOTE_THREAD) -> Ruling:
    """A ruling on a script's post."""
    return Ruling(kind, line, value, tid=tid, pid=pid_of(index))


def ruled(script: tuple[Wrote, ...], *rulings: Ruling, table: Table | None = None) -> DayTally:
    """The tally under rulings."""
    return count(script, replace(table or Table(), rulings=rulings))


def said(tally: DayTally) -> list[tuple[str, dict[str, str]]]:
    """The findings about rulings."""
    return [(finding.code, dict(finding.parameters)) for finding in tally.findings if finding.code.startswith("E")]


def test_a_post_is_counted_as_the_director_says() -> None:
    tally = ruled(CHANGE, on_post(RulingKind.COUNT_AS, 1, "包子"))
    assert [result_of(tally, index) for index in (0, 1)] == ["replaced", "→包子"]
    (ballot,) = [ballot for one in tally.counts for ballot in one.ballots]
    assert ballot.ruled
    assert said(tally) == [("E201", {"line": "7", "now": "standing:包子", "own": "void:change_not_reply"})]


def test_a_change_that_was_ruled_in_is_the_one_change() -> None:
    third = Wrote(ballot_text("青岚", change=True), clock="16:00", quotes=(1,))
    tally = ruled((*CHANGE, third), on_post(RulingKind.COUNT_AS, 1, "包子"))
    assert result_of(tally, 2) == "void change_limit"
    assert result_of(ruled((*CHANGE, third)), 2) == "void change_not_reply"


def test_a_voided_ballot_is_as_if_it_had_not_been() -> None:
    quoting = replace(CHANGE[1], quotes=(0,))
    tally = ruled((CHANGE[0], quoting), on_post(RulingKind.VOID, 1))
    assert [result_of(tally, index) for index in (0, 1)] == ["→豆沙", "void ruled_void"]
    tally = ruled((CHANGE[0], quoting), on_post(RulingKind.VOID, 0))
    assert [result_of(tally, index) for index in (0, 1)] == ["void ruled_void", "void nothing_to_change"]


@pytest.mark.parametrize(
    ("wrote", "value", "result"),
    [
        (Wrote("我投包子一票"), "包子", "→包子"),
        (Wrote("弃权"), "", "弃权"),
        (Wrote(ballot_text("包子"), clock="21:00:30"), "包子", "→包子"),
        (Wrote(ballot_text("包子"), by="汤圆"), "包子", "→包子"),
        (Wrote(ballot_text("包子")), "豆沙", "→豆沙"),
        (Wrote("代投：豆沙\n投票对象：包子", by=DIRECTOR), "包子", "→包子"),
    ],
)
def test_a_ruling_goes_before_every_rule(wrote: Wrote, value: str, result: str) -> None:
    table = Table(day=make_day(out=outs("汤圆")))
    assert result_of(ruled((wrote,), on_post(RulingKind.COUNT_AS, 0, value), table=table), 0) == result


def test_an_account_is_given_a_seat() -> None:
    script = (Wrote(ballot_text("包子"), by="小号"), Wrote(ballot_text("豆沙"), clock="11:00"))
    tally = ruled(script, Ruling(RulingKind.ACCOUNT, 3, "饺子", "小号"))
    assert [result_of(tally, index) for index in (0, 1)] == ["→包子", "void second_vote"]
    assert said(tally) == [("E201", {"line": "3", "now": "standing:包子", "own": "not_ballot"})]


def test_a_ruling_that_changes_nothing_says_so_once() -> None:
    script = (Wrote(ballot_text("包子")), Wrote("早", clock="11:00"))
    for ruling in (
        Ruling(RulingKind.ACCOUNT, 3, "饺子", "饺子"),
        Ruling(RulingKind.NAME, 3, "包子", "包子"),
        on_post(RulingKind.COUNT_AS, 0, "包子", line=3),
    ):
        tally = ruled(script, ruling)
        assert said(tally) == [("E206", {"line": "3"})]
        assert tally.counts[0].votes == ruled(script).counts[0].votes == 1


def test_posts_that_a_ruling_gives_another_owner_are_told_though_they_are_no_ballots() -> None:
    tally = ruled((Wrote("早", by="小号"),), Ruling(RulingKind.ACCOUNT, 3, "饺子", "小号"))
    assert said(tally) == [("E207", {"line": "3", "seat": "饺子"})]


def test_an_account_from_a_moment_follows_the_others() -> None:
    script = (Wrote(ballot_text("包子"), by="小号", clock="12:00"), Wrote(ballot_text("豆沙"), clock="13:00"))
    tally = ruled(script, Ruling(RulingKind.ACCOUNT, 3, "饺子", "小号", at=at("12:00")))
    assert [result_of(tally, index) for index in (0, 1)] == ["→包子", "void old_account"]


def test_a_word_is_given_a_seat_or_the_abstention() -> None:
    script = (Wrote(ballot_text("胖子")), Wrote(ballot_text("过"), by="青岚"))
    names = (Ruling(RulingKind.NAME, 3, "包子", "胖子"), Ruling(RulingKind.NAME, 4, "", "过"))
    tally = ruled(script, *names)
    assert [result_of(tally, index) for index in (0, 1)] == ["→包子", "弃权"]
    assert said(tally) == [
        ("E201", {"line": "3", "now": "standing:包子", "own": "void:unknown_target"}),
        ("E201", {"line": "4", "now": "standing:弃权", "own": "void:unknown_target"}),
    ]


@pytest.mark.parametrize(
    "ruling",
    [
        on_post(RulingKind.VOID, 50),
        on_post(RulingKind.COUNT_AS, 1, "包子", tid=999),
        Ruling(RulingKind.NAME, 7, "包子", "胖子"),
        Ruling(RulingKind.ACCOUNT, 7, "包子", "小号"),
    ],
)
def test_a_ruling_that_matches_nothing_is_told(ruling: Ruling) -> None:
    assert said(ruled(CHANGE, ruling)) == [("E202", {"line": "7"})]
    assert ruled(CHANGE, ruling).counts == ruled(CHANGE).counts


def test_a_ruling_carried_from_an_earlier_day_is_not_missed() -> None:
    assert said(ruled(CHANGE, Ruling(RulingKind.NAME, 7, "包子", "胖子", carried=True))) == []


@pytest.mark.parametrize(
    ("script", "ruling", "why"),
    [
        ((Wrote("围观", by="路人"),), on_post(RulingKind.COUNT_AS, 0, "包子"), "no_voter"),
        ((Wrote("早上好"),), on_post(RulingKind.VOID, 0), "no_ballot"),
        (
            (Wrote("代投：豆沙\n投票对象：包子\n投票理由：略\n代投：青岚\n投票对象：包子\n投票理由：略", by=DIRECTOR),),
            on_post(RulingKind.COUNT_AS, 0, "老王"),
            "several",
        ),
    ],
)
def test_a_ruling_without_effect_says_why(script: tuple[Wrote, ...], ruling: Ruling, why: str) -> None:
    tally = ruled(script, ruling)
    assert said(tally) == [("E203", {"line": "7", "why": why})]
    assert tally.counts == ruled(script).counts


def test_of_two_rulings_on_a_post_the_last_holds() -> None:
    tally = ruled(CHANGE, on_post(RulingKind.COUNT_AS, 1, "青岚", line=7), on_post(RulingKind.COUNT_AS, 1, "包子", line=8))
    assert result_of(tally, 1) == "→包子"
    assert [code for code, _ in said(tally)] == ["E203", "E201"]


@pytest.mark.parametrize("kind", [RulingKind.COUNT_AS, RulingKind.RESULT, RulingKind.NAME, RulingKind.ACCOUNT])
def test_a_ruling_for_nobody_of_the_roster_is_told_and_changes_nothing(kind: RulingKind) -> None:
    ruling = Ruling(kind, 7, "馒头", "胖子", tid=VOTE_THREAD, pid=pid_of(1))
    tally = ruled(CHANGE, ruling)
    assert said(tally) == [("E204", {"line": "7", "name": "馒头"})]
    assert (tally.counts, tally.verdict) == (ruled(CHANGE).counts, ruled(CHANGE).verdict)


def test_a_proxy_of_the_ledger_for_nobody_is_told() -> None:
    tally = count((), Table(ledger_ballots=(LedgerBallot(7, "馒头", "包子", at("12:00")),)))
    assert said(tally) == [("E204", {"line": "7", "name": "馒头"})]


def test_the_result_is_what_the_director_says_beside_what_the_votes_say() -> None:
    result = Ruling(RulingKind.RESULT, 9, "青岚", reason="已误公示，维持")
    tally = ruled(CHANGE, result)
    assert (tally.verdict.decision, tally.verdict.seats) == (Decision.EXILE, ("青岚",))
    assert "账本第 9 行（已误公示，维持）" in tally.verdict.because
    assert "豆沙得 1 票" in tally.verdict.because
    assert said(tally) == [("E205", {"line": "9", "ruled": "青岚", "own": "豆沙", "reason": "已误公示，维持"})]
    nobody = ruled(CHANGE, Ruling(RulingKind.RESULT, 9, ""))
    assert (nobody.verdict.decision, nobody.verdict.seats) == (Decision.NOBODY, ())
    election = ruled(CHANGE, result, table=Table(day=make_day(number=1, sheriff=None)))
    assert election.verdict.decision is Decision.SHERIFF


def test_a_ruled_result_is_final_whatever_a_doubtful_ballot_says() -> None:
    script = (Wrote(ballot_text("豆沙"), mark="20:10"),)
    assert not count(script).final
    assert ruled(script, Ruling(RulingKind.RESULT, 9, "青岚")).final


def test_a_ruling_on_a_post_behind_the_cut_is_not_missed() -> None:
    table = Table(as_of=at("12:00"))
    assert said(ruled(CHANGE, on_post(RulingKind.COUNT_AS, 1, "包子"), table=table)) == []


def test_a_ruling_lifts_the_error_of_an_unread_post() -> None:
    torn = Wrote("", flaws=(Flaw("A106"),))
    assert not count((torn,)).final
    tally = ruled((torn,), on_post(RulingKind.VOID, 0))
    assert tally.final
    assert Finding("A106", (), "饺子", tally.void[0].post) in tally.findings
