"""Requests for a shorter or a longer day, row by row, and what holds for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.dayrules import M29, VEST
from tally.day import Day, Limits, Out, Span
from tally.dayevent import EventKind
from tally.requests import Ask, Due, Quorum, RequestFate, RequestPolicy, Wishes, find_ask, find_judgement, read_wishes
from tally.roster import Accounts, Roster
from tally.speedup import Judgement, find_automatic, find_needed, judge_wishes
from tests.tally.make import Wrote, at, make_day, make_history, make_roster, pid_of
from tests.tally.requests_deck import FASTER, FIVE, LONGER, NOTHING, OPEN, ROSTER, ROWS, SEATS, SIX_EACH, TWELVE, Row, asked

CASES = [pytest.param(row, id=f"{group}: {row.name}") for group, rows in ROWS.items() for row in rows]
assert M29.requests is not None
assert VEST.requests is not None
POLICY: RequestPolicy = M29.requests
ALL: RequestPolicy = VEST.requests


def read(script: Sequence[Wrote], day: Day | None = None, roster: Roster = ROSTER, policy: RequestPolicy = POLICY) -> Wishes:
    histories = [make_history(wrote, index, script) for index, wrote in enumerate(script)]
    return read_wishes(histories, day=day or make_day(), accounts=Accounts(roster), policy=policy)


def judge(
    script: Sequence[Wrote],
    day: Day | None = None,
    roster: Roster = ROSTER,
    policy: RequestPolicy = POLICY,
    automatic: Span | None = None,
) -> Judgement:
    wishes = read(script, day, roster, policy)
    return judge_wishes(wishes, day=day or make_day(), roster=roster, policy=policy, automatic=automatic)


def brings(judgement: Judgement) -> str:
    """What is granted; a granted extension wins."""
    granted = {count.ask: count.granted for count in judgement.counts}
    if judgement.speed_ups is None:
        return OPEN
    if granted[Ask.EXTENSION]:
        return LONGER
    return FASTER if granted[Ask.SPEED_UP] else NOTHING


def fates(wishes: Wishes) -> dict[int, str]:
    return {request.source.pid: request.fate.value for request in wishes.requests}


@pytest.mark.parametrize("row", CASES)
def test_a_request_ends_in_its_one_place_and_brings_what_it_must(row: Row) -> None:
    wishes = read(row.script, row.day, row.roster)
    last = pid_of(len(row.script) - 1)
    assert fates(wishes).get(last, "") == row.fate
    assert sorted(
        finding.code for finding in wishes.findings if finding.source is not None and finding.source.pid == last
    ) == sorted(row.findings)
    for index, fate in row.also.items():
        assert fates(wishes)[pid_of(len(row.before) + index)] == fate
    assert brings(judge(row.script, row.day, row.roster)) == row.brings


def test_every_group_has_rows_that_end_otherwise() -> None:
    for group, rows in ROWS.items():
        assert len({(row.fate, row.brings, row.findings) for row in rows}) >= 2, group
        assert len({row.name for row in rows}) == len(rows), group
    assert {row.fate for rows in ROWS.values() for row in rows if row.fate} | {"replaced", "withdrawn"} == {*RequestFate}


@pytest.mark.parametrize(("living", "needed"), [(1, 1), (2, 1), (3, 2), (6, 3), (10, 5), (11, 6), (12, 6)])
def test_half_of_the_living_must_ask(living: int, needed: int) -> None:
    assert find_needed(living, Quorum.HALF) == needed
    assert find_needed(living, Quorum.ALL) == living


def test_where_nobody_lives_nothing_is_granted() -> None:
    day = make_day(out=tuple(Out(seat) for seat in SEATS))
    assert [count.granted for count in judge((), day).counts] == [False, False]


# -- when it is judged

MOVES = [
    ((), "21:00", Due(at("18:00"), at("18:00"))),
    ((("20:30", "21:00"),), "22:00", Due(at("18:00"), at("18:00"))),
    ((("18:00", "21:00"),), "22:00", Due(at("19:00"), at("19:00"))),
    ((("17:00", "21:00"),), "22:00", Due(at("19:00"), at("19:00"))),
    ((("17:00", "21:00"),), "19:00", Due(at("16:00"), at("17:00"))),
    ((("12:00", "21:00"), ("15:00", "22:00")), "20:00", Due(at("17:00"), at("17:00"))),
]


@pytest.mark.parametrize(("moves", "closes", "due"), MOVES)
def test_requests_are_judged_three_hours_before_the_close_that_is_in_force_then(
    moves: tuple[tuple[str, str], ...], closes: str, due: Due
) -> None:
    moved = tuple(Limits(at(until), at("09:30"), at(before)) for until, before in moves)
    assert find_judgement(make_day(closes=at(closes), moved=moved), 3 * 3600) == due


# -- what a judgement does to speed-ups

FROM_18 = Span(at("18:00"))


def test_a_granted_speed_up_holds_from_its_judgement() -> None:
    assert judge((*FIVE, asked())).speed_ups == (FROM_18,)
    assert judge(FIVE).speed_ups == ()


def test_a_granted_extension_lets_no_speed_up_begin_and_ends_one_that_holds() -> None:
    both = judge(SIX_EACH, roster=TWELVE)
    assert [count.granted for count in both.counts] == [True, True]
    assert both.speed_ups == ()
    longer = [replace(wrote, text="申请延时") for wrote in (*FIVE, asked())]
    assert judge(longer, automatic=Span(at("09:30"))).speed_ups == (Span(at("09:30"), at("18:00")),)
    assert judge(longer[:5], automatic=Span(at("09:30"))).speed_ups == (Span(at("09:30")),)
    assert judge(longer, automatic=FROM_18).speed_ups == ()
    assert judge(longer, automatic=Span(at("19:00"))).speed_ups == ()


def test_an_automatic_speed_up_that_begins_later_stands_beside_requests() -> None:
    assert judge(FIVE, automatic=Span(at("19:00"))).speed_ups == (Span(at("19:00")),)
    assert judge((*FIVE, asked()), automatic=Span(at("19:00"))).speed_ups == (FROM_18,)


def test_a_doubtful_request_that_decides_leaves_the_speed_up_open() -> None:
    doubtful = asked(mark="18:05")
    assert judge((*FIVE, doubtful)).speed_ups is None
    assert judge((*FIVE, doubtful, asked(by="庚"))).speed_ups == (FROM_18,)
    assert judge((*FIVE[:4], doubtful)).speed_ups == ()
    longer = [replace(wrote, text="申请延时") for wrote in FIVE]
    assert judge((*longer, doubtful)).speed_ups == (), "there is no speed-up that an extension could end"
    assert judge((*longer, doubtful), automatic=Span(at("09:30"))).speed_ups is None


@pytest.mark.parametrize(
    ("accelerate_at", "out", "span"),
    [
        (None, (), None),
        (10, (), None),
        (11, (), Span(at("09:30"))),
        (10, (Out("甲"),), Span(at("09:30"))),
        (10, (Out("甲", at("14:00")),), Span(at("14:00"))),
        (9, (Out("甲", at("14:00")), Out("乙", at("15:00"))), Span(at("15:00"))),
        (9, (Out("甲", at("14:00")),), None),
        (10, (Out("甲", at("21:00:01")),), None),
    ],
)
def test_so_few_living_speed_up_by_themselves_from_when_they_are_so_few(
    accelerate_at: int | None, out: tuple[Out, ...], span: Span | None
) -> None:
    assert find_automatic(make_day(out=out), ROSTER, accelerate_at) == span


def test_they_may_be_counted_with_the_requests_instead() -> None:
    due = Due(at("18:00"), at("18:00"))
    assert find_automatic(make_day(out=(Out("甲", at("14:00")),)), ROSTER, 10, due) == FROM_18
    assert find_automatic(make_day(out=(Out("甲", at("18:00:01")),)), ROSTER, 10, due) is None


def test_an_event_tells_who_asked_in_which_posts_and_why() -> None:
    judgement = judge((*FIVE, asked()))
    (event,) = judgement.events
    assert (event.kind, event.at, event.held) == (EventKind.SPEED_UP, at("18:00"), True)
    assert event.seats == SEATS[:6]
    assert [source.pid for source in event.posts] == [pid_of(index) for index in range(6)]
    for part in ("6 人（甲、乙、丙、丁、戊、己）", "存活 11 人", "需要 6 人", "06-05 18:00:00", "加速成功"):
        assert part in event.because
    assert "大于等于存活人数的一半" in event.clause
    (failed,) = judge(FIVE).events
    assert (failed.held, "不够" in failed.because) == (False, True)
    assert judge(()).events == ()


# -- 马甲杀: 如所有马甲均同意缩短游戏日，游戏日可能缩短

THREE = make_roster(("甲", "乙", "丙"))


def agreed(*posts: tuple[str, str, str], out: tuple[Out, ...] = ()) -> Judgement:
    script = [asked(text, by, clock) for by, text, clock in posts]
    return judge(script, make_day(out=out), THREE, ALL)


def test_all_must_agree_and_it_holds_at_once() -> None:
    judgement = agreed(("甲", "申请缩短", "10:00"), ("乙", "同意缩短", "11:00"), ("丙", "申请加速", "12:30"))
    (event,) = judgement.events
    assert (event.kind, event.at, event.held, event.seats) == (EventKind.SHORTENING, at("12:30"), True, ("甲", "乙", "丙"))
    assert judgement.speed_ups == (), "the director moves the close himself; nothing of it voids a change"


def test_one_who_does_not_agree_is_enough_to_keep_the_day() -> None:
    (event,) = agreed(("甲", "申请缩短", "10:00"), ("乙", "同意缩短", "11:00")).events
    assert (event.held, "还差 1 人" in event.because) == (False, True)
    assert agreed().events == ()


def test_one_who_took_it_back_before_the_last_agreed_does_not_agree() -> None:
    first = ("甲", "申请缩短", "10:00"), ("乙", "同意缩短", "11:00")
    assert not agreed(*first, ("甲", "撤回申请", "12:00"), ("丙", "同意缩短", "12:30")).events[0].held
    assert agreed(*first, ("丙", "同意缩短", "12:30"), ("甲", "撤回申请", "13:00")).events[0].held


def test_a_seat_that_goes_out_need_not_agree_any_more() -> None:
    judgement = agreed(("甲", "申请缩短", "10:00"), ("乙", "同意缩短", "11:00"), out=(Out("丙", at("15:00")),))
    assert (judgement.events[0].held, judgement.events[0].at) == (True, at("15:00"))


# -- what holds for every thread

words = st.sampled_from(["申请加速", "申请延时", "撤回申请", "取消申请", "申请加速吗", "早上好", ""])
posts = st.lists(
    st.tuples(st.sampled_from([*SEATS[:5], "路人"]), words, st.integers(9 * 60, 19 * 60)),
    max_size=12,
    unique_by=lambda post: post[2],
)


@settings(max_examples=60, deadline=None)
@given(posts)
def test_a_seat_asks_for_one_thing_at_most_and_nobody_else_for_any(written: list[tuple[str, str, int]]) -> None:
    script = [
        asked(text, by, f"{minute // 60:02}:{minute % 60:02}") for by, text, minute in sorted(written, key=lambda post: post[2])
    ]
    wishes = read(script)
    standing = [request.seat for request in wishes.requests if request.fate is RequestFate.STANDING]
    assert len(standing) == len(set(standing))
    assert {seat for seat, asks in wishes.wanted.items() if asks != {None}} == set(standing)
    assert all(len(asks) == 1 for asks in wishes.wanted.values())
    assert "路人" not in wishes.wanted
    without = [wrote for wrote in script if wrote.by != "路人"]
    assert read(without).wanted == wishes.wanted
    assert len({request.source.pid for request in wishes.requests}) == len(wishes.requests)


@pytest.mark.parametrize("text", ["申请延迟", "申请", "加速", "我申请加速", "申请加速1", "申请加速x"])
def test_nothing_but_the_fixed_forms_asks(text: str) -> None:
    assert find_ask(text, POLICY) is None
    assert find_ask("申请缩短", POLICY) is None
    assert find_ask("申请延时", ALL) is None
