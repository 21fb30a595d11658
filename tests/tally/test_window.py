"""The limits of a day, to the second, and on boards that print minutes only."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC

import pytest

from engine.rulesets.m29 import VOTE
from scraper.errors import UsageError
from scraper.post import History, Message, Post, PostState, Quote, Revision
from tally.window import find_cut
from tests.tally.make import Table, Wrote, at, ballot_text, codes_of, count, make_day, result_of


def minutes(clock: str, change: bool = False) -> tuple[Wrote, ...]:
    """A vote (and a change) on a board that prints minutes only."""
    first = Wrote(ballot_text("豆沙"), clock="10:00" if change else clock, exact=False)
    return (first, Wrote(ballot_text("包子", change=True), clock=clock, exact=False, quotes=(0,))) if change else (first,)


@pytest.mark.parametrize(
    ("clock", "result", "codes"),
    [
        ("09:29", "void before_open", set()),
        ("09:30", "→豆沙", set()),
        ("20:59", "→豆沙", set()),
        ("21:00", "→豆沙", {"B301"}),
        ("21:01", "void after_close", set()),
    ],
)
def test_minutes_against_opening_and_close(clock: str, result: str, codes: set[str]) -> None:
    tally = count(minutes(clock))
    assert (result_of(tally, 0), codes_of(tally, 0) - {"D101"}) == (result, codes)


def test_an_opening_inside_a_minute_lets_that_minute_in_with_a_finding() -> None:
    table = Table(day=make_day(opens=at("09:30:30")))
    tally = count(minutes("09:30"), table)
    assert (result_of(tally, 0), codes_of(tally, 0)) == ("→豆沙", {"B302"})
    assert result_of(count((Wrote(ballot_text("豆沙"), clock="09:30:00"),), table), 0) == "void before_open"


def test_a_close_inside_a_minute_makes_the_last_hour_begin_inside_one() -> None:
    table = Table(day=make_day(closes=at("21:00:30")), seen_until=at("21:05"))
    tally = count(minutes("20:00", change=True), table)
    assert (result_of(tally, 1), codes_of(tally, 1)) == ("→包子", {"B302"})
    tally = count(minutes("20:01", change=True), table)
    assert result_of(tally, 1) == "void change_too_late"


def test_two_posts_of_one_minute_stand_in_the_order_of_their_pids() -> None:
    script = (*minutes("10:00"), Wrote(ballot_text("包子"), clock="10:00", exact=False))
    tally = count(script)
    assert [result_of(tally, index) for index in (0, 1)] == ["→豆沙", "void second_vote"]


def test_a_host_in_another_zone_gives_the_same_result() -> None:
    day = make_day()
    moved = make_day(opens=day.opens.astimezone(UTC), closes=day.closes.astimezone(UTC))
    for clock in ("09:29:59", "09:30:00", "21:00:00", "21:00:01"):
        script = (Wrote(ballot_text("豆沙"), clock=clock),)
        assert result_of(count(script), 0) == result_of(count(script, Table(day=moved)), 0)


@pytest.mark.parametrize(
    ("freeze", "clock", "result"), [(0, "21:00", "→包子"), (1, "20:59:58", "→包子"), (1, "20:59:59", "void change_too_late")]
)
def test_the_last_hour_is_as_long_as_the_switch_says(freeze: int, clock: str, result: str) -> None:
    script = (Wrote(ballot_text("豆沙")), Wrote(ballot_text("包子", change=True), clock=clock, quotes=(0,)))
    assert result_of(count(script, Table(policy=replace(VOTE, freeze=freeze))), 1) == result


def test_quotes_without_a_pid_are_told_by_author_and_time_only_where_none_has_one() -> None:
    def quoting(author: str, posted: str) -> Wrote:
        return Wrote(ballot_text("包子", change=True), clock="15:00", links=(Quote(None, None, author, posted, ""),))

    first = Wrote(ballot_text("豆沙"), clock="10:00:20")
    for author, posted, result in [
        ("饺子", "2018-6-5 10:00", "→包子"),
        ("饺子", "06-05-2018 10:00 AM", "→包子"),
        ("饺子", "2018-6-5 10:00:20", "→包子"),
        ("饺子", "2018-6-5 10:00:21", "void change_not_reply"),
        ("饺子", "2018-6-5 10:01", "void change_not_reply"),
        ("饺子", "2018-6-5", "void change_not_reply"),
        ("包子", "2018-6-5 10:00", "void change_not_reply"),
        ("", "", "void change_not_reply"),
    ]:
        tally = count((first, quoting(author, posted)))
        assert result_of(tally, 1) == result, (author, posted)
    assert codes_of(count((first, quoting("饺子", "2018-6-5 10:00"))), 1) == {"B114"}
    linked = Wrote("同意", by="青岚", clock="11:00", quotes=(0,))
    assert result_of(count((first, linked, quoting("饺子", "2018-6-5 10:00"))), 2) == "void change_not_reply"


def test_a_floor_is_the_post_that_bears_it_now_not_the_deleted_one_that_did() -> None:
    gone = history(5001, "10:00", floor="沙发", state=PostState.DELETED)
    moved = history(5002, "10:30", floor="沙发")
    assert find_cut("沙发", (gone, moved)) == (at("10:30"), 5002)
    assert find_cut("沙发", (gone,)) == (at("10:00"), 5001)


def test_a_floor_that_two_posts_bear_is_refused_with_both() -> None:
    with pytest.raises(UsageError, match=r"5002.*5003"):
        find_cut("沙发", (history(5002, "10:30", floor="沙发"), history(5003, "11:30", floor="沙发")))


def history(pid: int, clock: str, *, floor: str, state: PostState = PostState.NORMAL) -> History:
    """One post of the vote thread, seen once."""
    post = Post(1235, pid, floor, "饺子", None, at(clock), Message(()))
    return History((Revision(1, at("21:05"), post),), state, at("21:05"))
