"""The director's own result, in a post or in the game file, held against ours."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.rulesets.m29 import VOTE
from scraper.post import PostState, Quote
from tally.finding import sentence
from tally.names import index_names
from tally.policy import Tie
from tally.posted import read_result
from tally.result import DayTally
from tally.ruling import Ruling, RulingKind
from tests.tally.make import DIRECTOR, DISCUSSION, PROGRESS, Table, Wrote, at, ballot_text, count, make_day, make_roster, pid_of

SEATS = ("甲", "乙", "丙", "丁", "1号", "10号")
ROSTER = make_roster(SEATS)
TABLE = Table(roster=ROSTER)
# 乙 two, 甲 one: 乙 goes out.
VOTES = (Wrote(ballot_text("乙"), by="甲"), Wrote(ballot_text("甲"), by="乙"), Wrote(ballot_text("乙"), by="丙"))


def posted(text: str, table: Table = TABLE, votes: tuple[Wrote, ...] = VOTES, **changes: object) -> DayTally:
    """The tally of a thread in which the director posts after the close."""
    post = replace(Wrote(text, by=DIRECTOR, clock="21:00:40"), **changes)  # type: ignore[arg-type]
    return count((*votes, post), table)


def said(tally: DayTally) -> list[tuple[str, dict[str, str]]]:
    """What is found about published results."""
    return [(one.code, dict(one.parameters)) for one in tally.findings if one.code in ("E109", "E110", "E111")]


@pytest.mark.parametrize(
    "text",
    [
        "投票结果：乙",
        "投票结果：乙出局。",
        "【投票结果】：乙 出局",
        "关门，点票。\n计票结果: 乙",
        "投票结果：乙\n乙 2 票（甲、丙）\n甲：1",
        "投票结果：乙\n\n丁得0票",
        "投票结果：乙（乙 2 票、甲 1 票）",
        "投票结果：乙出局（平票，警长投的是乙）",
    ],
)
def test_a_result_that_agrees_says_nothing(text: str) -> None:
    tally = posted(text)
    assert (said(tally), tally.final) == ([], True)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("投票结果：甲", "甲"),
        ("投票结果：甲（乙 2 票）", "甲"),
        ("投票结果：无人", "无人"),
        ("投票结果：无人出局（乙 2 票）", "无人"),
    ],
)
def test_a_result_that_differs_cites_both_and_leaves_nothing_final(text: str, words: str) -> None:
    tally = posted(text)
    assert said(tally) == [("E109", {"where": "5#", "posted": words, "own": "乙"})]
    assert tally.final is False
    (finding,) = [one for one in tally.findings if one.code == "E109"]
    assert finding.source is not None
    assert finding.source.pid == pid_of(3)
    assert "乙" in sentence(finding)
    assert sentence(finding, "en").startswith("The result published in 5# is")


def test_a_count_that_differs_is_a_warning_and_names_the_target() -> None:
    tally = posted("投票结果：乙\n乙 3 票\n甲 1 票\n1号：1")
    where = "5#"
    assert said(tally) == [
        ("E111", {"where": where, "target": "1号", "posted": "1", "own": "0"}),
        ("E111", {"where": where, "target": "乙", "posted": "3", "own": "2"}),
    ]
    assert tally.final is True


@pytest.mark.parametrize("written", ["稍后公布", "甲、乙"])
def test_a_result_that_cannot_be_read_is_shown(written: str) -> None:
    tally = posted(f"投票结果：{written}")
    assert said(tally) == [("E110", {"where": "5#", "text": written})]
    assert tally.final is True


@pytest.mark.parametrize(
    "changes",
    [
        {"by": "丁"},
        {"by": "路人"},
        {"clock": "20:59"},
        {"clock": "21:00:00"},
        {"text": "我猜投票结果：甲"},
        {"text": "同意", "links": (Quote(1, 1, DIRECTOR, "", "投票结果：甲"),)},
        {"tid": 999},
    ],
)
def test_what_is_no_result_of_the_directors_is_none(changes: dict[str, object]) -> None:
    text = str(changes.pop("text", "投票结果：甲"))
    tally = posted(text, **changes)  # type: ignore[arg-type]
    assert [code for code, _ in said(tally)] == (["E109"] if "tid" in changes else [])


@pytest.mark.parametrize("tid", [DISCUSSION, PROGRESS])
def test_it_may_stand_in_the_other_threads(tid: int) -> None:
    assert [code for code, _ in said(posted("投票结果：甲", tid=tid))] == ["E109"]


def test_the_last_one_holds_in_its_latest_words() -> None:
    wrong = Wrote("投票结果：甲", by=DIRECTOR, clock="21:00:40")
    right = Wrote("更正。投票结果有误\n投票结果：乙", by=DIRECTOR, clock="21:05")
    assert said(count((*VOTES, wrong, right), TABLE)) == []
    assert [code for code, _ in said(count((*VOTES, replace(right, clock="21:00:30"), wrong), TABLE))] == ["E109"]
    mended = replace(wrong, edits=(("21:02", "投票结果：乙"),))
    assert said(count((*VOTES, mended), TABLE)) == []
    unseen = Wrote("", by=DIRECTOR, clock="21:01", state=PostState.BLOCKED, unreadable=True)
    assert said(count((*VOTES, unseen), TABLE)) == []


def test_before_the_day_is_over_nothing_is_held_against_anything() -> None:
    assert said(posted("投票结果：甲", replace(TABLE, complete=False))) == []
    assert said(posted("投票结果：甲", replace(TABLE, as_of=at("20:00")))) == []


RULED = Ruling(RulingKind.RESULT, 7, "甲", reason="已误公示，维持")


def test_a_ruling_keeps_the_published_result_and_is_held_against_it() -> None:
    tally = posted("投票结果：甲", replace(TABLE, rulings=(RULED,)))
    assert (said(tally), tally.final, tally.verdict.seats) == ([], True, ("甲",))
    tally = posted("投票结果：乙", replace(TABLE, rulings=(RULED,)))
    assert [code for code, _ in said(tally)] == ["E109"]
    assert said(posted("投票结果：无人出局", replace(TABLE, rulings=(replace(RULED, value=""),)))) == []


@pytest.mark.parametrize(("result", "codes"), [("乙", []), ("甲", ["E109"]), ("", ["E109"]), (None, [])])
def test_the_result_of_the_game_file_is_held_against_ours(result: str | None, codes: list[str]) -> None:
    tally = count(VOTES, replace(TABLE, day=make_day(result=result)))
    assert [code for code, _ in said(tally)] == codes
    assert all(parameters["where"] == "game.toml" for _, parameters in said(tally))


def test_an_election_is_held_against_the_sheriff() -> None:
    table = replace(TABLE, day=make_day(number=1, sheriff=None))
    assert said(posted("投票结果：乙当选警长", table)) == []
    assert [code for code, _ in said(posted("投票结果：甲当选", table))] == ["E109"]


TIE = (*VOTES[:2], Wrote(ballot_text("甲"), by="丁"), VOTES[2])


def test_a_scapegoat_is_named_by_his_role_and_an_unknown_one_is_held_against_nothing() -> None:
    known = replace(TABLE, roster=make_roster(SEATS, **{seat: "替罪羊" if seat == "丁" else "村民" for seat in SEATS}))
    assert said(posted("投票结果：丁", known, TIE)) == []
    tally = posted("投票结果：甲", known, TIE)
    assert said(tally) == [("E109", {"where": "6#", "posted": "甲", "own": "替罪羊"})]
    assert "丁" not in tally.verdict.because + tally.verdict.clause + "".join(tally.verdict.seats)
    assert said(posted("投票结果：丙", TABLE, TIE)) == []
    nobody = replace(TABLE, policy=replace(VOTE, tie=(Tie.NOBODY,)))
    assert said(posted("投票结果：无人", nobody, TIE)) == []


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ("甲", "甲"),
        (" 甲 。", "甲"),
        ("10号出局", "10号"),
        ("1号当选警长", "1号"),
        ("无人出局", ""),
        ("无人", ""),
        ("平票，无人出局", ""),
        ("戊", None),
        ("甲、丙", None),
    ],
)
def test_a_result_names_a_seat_or_nobody(value: str, name: str | None) -> None:
    assert read_result(value, index_names(ROSTER)) == name
