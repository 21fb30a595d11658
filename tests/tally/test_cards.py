"""Who is proposed a card, on which posts it rests, and who is not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.rulesets.m29 import VOTE
from scraper.post import Attachment, Code, Image, PostState, Quote, Smiley, Text
from tally.activity import count_characters, measure_activity, says_anything
from tally.day import Out, Span
from tally.policy import CardPolicy, Feigned, VotePolicy
from tally.result import Card, DayTally
from tally.roster import Account, Accounts
from tally.ruling import LedgerBallot
from tests.tally.make import (
    DIRECTOR,
    DISCUSSION,
    PROGRESS,
    VOTE_THREAD,
    Table,
    Wrote,
    at,
    ballot_text,
    count,
    hidden,
    make_day,
    make_history,
    make_roster,
    pid_of,
    tokens,
    words,
)

ROSTER = make_roster(("甲", "乙", "丙"))
ONE_VOTED = (Wrote(ballot_text("乙"), by="甲"), Wrote(ballot_text("甲"), by="丙"))
STRICT = replace(VOTE, void_counts_as_vote=False)


def not_voted(tally: DayTally) -> list[str]:
    """Who is proposed a card for not voting."""
    assert all(card.card == "yellow" for card in tally.cards)
    return [card.seat for card in tally.cards if card.reason == "未投票"]


def replied(tally: DayTally) -> list[str | None]:
    """Who replied without a valid vote."""
    return [finding.seat for finding in tally.findings if finding.code == "D101"]


def of_yi(*posts: Wrote, policy: VotePolicy = VOTE, **changes: object) -> tuple[list[str], list[str | None]]:
    """Cards and findings where 甲 and 丙 voted and 乙 wrote these posts."""
    table = Table(roster=ROSTER, day=make_day(**changes), policy=policy)
    tally = count((*ONE_VOTED, *(replace(post, by="乙") for post in posts)), table)
    return not_voted(tally), replied(tally)


def test_who_does_not_reply_gets_a_yellow_card() -> None:
    assert of_yi() == (["乙"], [])


@pytest.mark.parametrize(
    ("post", "found"),
    [
        (Wrote(ballot_text("甲")), []),
        (Wrote(ballot_text("弃权")), []),
        (Wrote("投票对象：甲"), ["乙"]),
        (Wrote("早上好"), ["乙"]),
        (Wrote(ballot_text("甲"), mark="20:10"), []),
    ],
)
def test_who_replied_gets_no_card_and_without_a_valid_vote_a_finding(post: Wrote, found: list[str]) -> None:
    assert of_yi(post) == ([], found)


@pytest.mark.parametrize("clock", ["09:29:59", "21:00:01"])
def test_a_reply_outside_the_window_is_none(clock: str) -> None:
    assert of_yi(Wrote(ballot_text("甲"), clock=clock)) == (["乙"], [])


def test_by_switch_a_void_ballot_is_no_vote() -> None:
    assert of_yi(Wrote("投票对象：甲"), policy=STRICT) == (["乙"], [])
    assert of_yi(Wrote("早上好"), policy=STRICT) == (["乙"], [])
    assert of_yi(Wrote(ballot_text("甲")), policy=STRICT) == ([], [])


def test_a_ballot_whose_target_left_is_no_offence_under_either_switch() -> None:
    leaving = (Out("丙", at("15:00")),)
    for policy in (VOTE, STRICT):
        cards, _ = of_yi(Wrote(ballot_text("丙")), policy=policy, out=leaving)
        assert "乙" not in cards
    cards, _ = of_yi(Wrote(ballot_text("丙"), clock="15:00"), policy=STRICT, out=leaving)
    assert "乙" in cards, "he voted for someone who was out already"


@pytest.mark.parametrize(
    ("changes", "cards"),
    [
        ({"out": (Out("乙"),)}, []),
        ({"out": (Out("乙", at("21:00")),)}, []),
        ({"out": (Out("乙", at("21:00:01")),)}, ["乙"]),
        ({"barred": frozenset({"乙"})}, []),
        ({"speed_ups": (Span(at("18:00")),)}, []),
        ({"speed_ups": (Span(at("18:00"), at("19:00")),)}, ["乙"]),
        ({"speed_ups": None}, []),
    ],
)
def test_who_is_exempt(changes: dict[str, object], cards: list[str]) -> None:
    assert of_yi(**changes)[0] == cards  # type: ignore[arg-type]


def _substituted(clock: str) -> Table:
    first, second, third = ROSTER.seats
    second = replace(second, accounts=(*second.accounts, Account("乙二号", 77, at(clock))))
    return Table(roster=replace(ROSTER, seats=(first, second, third)))


def test_a_substitute_who_came_after_the_middle_of_the_day_is_exempt() -> None:
    # 09:30 to 21:00: the middle is 15:15.
    assert not_voted(count(ONE_VOTED, _substituted("15:15"))) == ["乙"]
    assert not_voted(count(ONE_VOTED, _substituted("15:16"))) == []
    strict = replace(_substituted("15:16"), cards=CardPolicy(substitute_grace=False))
    assert not_voted(count(ONE_VOTED, strict)) == ["乙"]


def test_a_proxy_is_a_vote_and_a_void_one_a_reply() -> None:
    table = Table(roster=ROSTER)
    good = Wrote("代投：乙\n投票对象：甲\n投票理由：略", by=DIRECTOR)
    void = Wrote("代投：乙\n投票对象：甲", by=DIRECTOR)
    assert not_voted(count((*ONE_VOTED, good), table)) == []
    assert (not_voted(count((*ONE_VOTED, void), table)), replied(count((*ONE_VOTED, void), table))) == ([], ["乙"])
    line = replace(table, ledger_ballots=(LedgerBallot(5, "乙", "甲", at("12:00")),))
    assert not_voted(count(ONE_VOTED, line)) == []
    usurped = Wrote("代投：乙\n投票对象：甲\n投票理由：略", by="甲")
    assert not_voted(count((*ONE_VOTED, usurped), table)) == ["乙"]


QUIET = Table(roster=ROSTER, cards=CardPolicy(min_posts=2, min_chars=6))


def said(by: str, text: str, clock: str = "12:00", tid: int = DISCUSSION) -> Wrote:
    """A post in the discussion thread."""
    return Wrote(text, by=by, clock=clock, tid=tid)


def quiet(tally: DayTally) -> dict[str, Card]:
    """The cards for speaking too little, by seat."""
    return {card.seat: card for card in tally.cards if card.reason == "发言不足"}


def test_too_few_posts_or_characters_is_an_offence_and_cites_the_posts() -> None:
    script = (
        said("甲", "我说三个"),
        said("甲", "字的话"),
        said("乙", "只有一帖但是很长"),
        said("丙", "一二"),
        said("丙", "三 四\u3000\u200b五"),
        Wrote("", by="丙", tid=DISCUSSION, links=(Quote(1, 1, "甲", "", "很长的引文"),)),
    )
    cards = quiet(count(script, QUIET))
    assert set(cards) == {"乙", "丙"}
    assert [source.pid for source in cards["丙"].counted] == [pid_of(3), pid_of(4)]
    assert [source.pid for source in cards["丙"].ignored] == [pid_of(5)]


def test_only_posts_of_the_day_in_its_discussion_threads_count() -> None:
    enough = "一二三四五六"
    script = (
        said("甲", enough, "09:29:59"),
        said("甲", enough, "09:30:00"),
        said("甲", enough, "21:00:00"),
        said("乙", enough, "21:00:01"),
        said("乙", enough, "21:00:00"),
        said("丙", enough),
        said("丙", enough, tid=PROGRESS),
    )
    assert set(quiet(count(script, QUIET))) == {"乙", "丙"}


def test_what_is_not_set_is_not_checked() -> None:
    script = (said("甲", "嗯"),)
    assert quiet(count(script, Table(roster=ROSTER))) == {}
    assert set(quiet(count(script, Table(roster=ROSTER, cards=CardPolicy(min_posts=1))))) == {"乙", "丙"}
    assert set(quiet(count(script, Table(roster=ROSTER, cards=CardPolicy(min_chars=2))))) == {"甲", "乙", "丙"}


def test_a_discussion_that_was_not_read_is_no_silence() -> None:
    tally = count(ONE_VOTED, QUIET)
    assert quiet(tally) == {}
    assert "D103" in {finding.code for finding in tally.findings}


def test_a_speed_up_waives_silence_too() -> None:
    table = replace(QUIET, day=make_day(speed_ups=(Span(at("18:00")),)))
    assert count((said("甲", "嗯"),), table).cards == ()


def test_effective_characters_are_the_authors_own_text() -> None:
    line = (Text("你 好"), Smiley("smile"), Image("x.png"), Attachment("y.zip"), Code("code"), Text("\u200b吗。"))
    assert count_characters(tokens(line)) == 4
    assert says_anything(tokens((Smiley("smile"),)))
    assert not says_anything(tokens((Image("x.png"), Attachment("y.zip"), Text(" \u3000"))))
    assert count_characters(hidden("悄悄话")) == 3
    assert count_characters(words("")) == 0


def test_a_post_that_was_finished_later_is_judged_by_what_it_became() -> None:
    history = make_history(replace(said("甲", "占楼"), edits=(("13:00", "写了很多很多字"),)), 0)
    activity = measure_activity([history], make_day(), Accounts(ROSTER))
    assert (activity["甲"].posts, activity["甲"].characters) == (1, 7)


# -- exemptions, and why each post does not count


def exempt(tally: DayTally) -> dict[tuple[str, str], str]:
    """Who would be offered a card but for what."""
    notes = [dict(finding.parameters) for finding in tally.findings if finding.code == "D105"]
    return {(note["seat"], note["offence"]): note["why"] for note in notes}


def test_who_is_exempt_is_noted_with_why() -> None:
    table = replace(QUIET, day=make_day(barred=frozenset({"乙"}), joined=(("丙", at("15:16")),)))
    tally = count((*ONE_VOTED[:1], said("甲", "一二三"), said("甲", "四五六")), table)
    assert tally.cards == ()
    assert exempt(tally) == {
        ("乙", "未投票"): "barred",
        ("乙", "发言不足"): "barred",
        ("丙", "未投票"): "substitute",
        ("丙", "发言不足"): "substitute",
    }
    assert exempt(count((), replace(QUIET, day=make_day(out=(Out("甲"), Out("乙"), Out("丙")))))) == {}


@pytest.mark.parametrize(("clock", "cards"), [("15:15", ["丙"]), ("15:16", []), ("21:00:01", ["丙"])])
def test_a_substitute_under_the_same_account_has_the_same_grace(clock: str, cards: list[str]) -> None:
    table = Table(roster=ROSTER, day=make_day(joined=(("丙", at(clock)),)))
    voted = (*ONE_VOTED[:1], Wrote(ballot_text("甲"), by="乙"))
    assert not_voted(count(voted, table)) == cards


def test_a_seat_without_a_vote_since_it_feigned_is_exempt() -> None:
    feigned = make_day(feigned=frozenset({"乙"}))
    assert not_voted(count(ONE_VOTED, Table(roster=ROSTER, day=feigned, policy=replace(VOTE, feigned=Feigned.VOID)))) == []
    assert not_voted(count(ONE_VOTED, Table(roster=ROSTER, day=feigned, policy=replace(VOTE, feigned=Feigned.NO_WEIGHT)))) == [
        "乙"
    ]


def test_each_post_that_does_not_count_says_why() -> None:
    script = (
        said("丙", "太早了", "09:29:59"),
        said("丙", "一二三四五六七八"),
        said("丙", " \u3000"),
        Wrote("", by="丙", tid=DISCUSSION, state=PostState.BLOCKED, unreadable=True),
        said("丙", "太晚了", "21:00:01"),
    )
    card = quiet(count(script, QUIET))["丙"]
    assert [source.pid for source in card.counted] == [pid_of(1)]
    pairs = [(source.pid, why) for source, why in zip(card.ignored, card.why, strict=True)]
    assert sorted(pairs) == [
        (pid_of(0), "outside_window"),
        (pid_of(2), "says_nothing"),
        (pid_of(3), "never_read"),
        (pid_of(4), "outside_window"),
    ]


def test_a_card_for_not_voting_names_the_posts_that_are_no_vote() -> None:
    posts = (Wrote("早上好", by="乙", clock="10:30"), Wrote(ballot_text("甲"), by="乙", clock="21:00:01"))
    (card,) = [card for card in count((*ONE_VOTED, *posts), Table(roster=ROSTER, policy=STRICT)).cards if card.seat == "乙"]
    assert [source.pid for source in card.ignored] == [pid_of(2), pid_of(3)]
    assert card.why == ("no_valid_vote", "outside_window")


def test_several_discussion_threads_are_one_discussion() -> None:
    day = make_day(discussion=(DISCUSSION, 1240, VOTE_THREAD))
    script = (said("甲", "一二三"), said("甲", "四五六", tid=1240), said("乙", "一二三"), Wrote("四五六", by="乙"))
    assert set(quiet(count(script, replace(QUIET, day=day)))) == {"丙"}
    assert set(quiet(count(script, QUIET))) == {"甲", "乙", "丙"}


def test_a_discussion_thread_that_was_not_seen_whole_proposes_nothing() -> None:
    tally = count((said("甲", "嗯"),), replace(QUIET, unread=(1240,)))
    assert quiet(tally) == {}
    (finding,) = [finding for finding in tally.findings if finding.code == "D104"]
    assert dict(finding.parameters) == {"tids": "1240"}


def test_what_was_written_after_the_close_does_not_count() -> None:
    late = replace(said("甲", "占楼"), edits=(("13:00", "写了一些字"), ("21:01", "写了很多很多很多字")))
    assert measure_activity([make_history(late, 0)], make_day(), Accounts(ROSTER))["甲"].characters == 5
    first_seen_late = replace(said("甲", "占楼占楼"), mark="21:01")
    assert measure_activity([make_history(first_seen_late, 0)], make_day(), Accounts(ROSTER))["甲"].characters == 4


# -- 马甲杀: points in place of cards

PENALTIES = CardPolicy(min_posts=2, points={"未投票": 3}, sent_off_at=12)


def test_where_points_rule_an_offence_costs_what_the_director_says_and_is_none_without() -> None:
    tally = count((*ONE_VOTED, said("甲", "嗯")), Table(roster=ROSTER, cards=PENALTIES))
    assert [(card.seat, card.card, card.reason, card.points) for card in tally.cards] == [("乙", "points", "未投票", 3)]
    both = replace(PENALTIES, points={"发言不足": 2})
    tally = count((*ONE_VOTED, said("甲", "嗯")), Table(roster=ROSTER, cards=both))
    assert [(card.seat, card.reason, card.points) for card in tally.cards] == [
        (seat, "发言不足", 2) for seat in ("甲", "乙", "丙")
    ]
    assert count(ONE_VOTED, Table(roster=ROSTER, cards=replace(PENALTIES, points={"未投票": 0}))).cards == ()


def test_a_second_vote_of_a_day_is_no_second_duty() -> None:
    assert count(ONE_VOTED, Table(roster=ROSTER, day=make_day(poll="重投"))).cards == ()
