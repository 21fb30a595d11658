"""Why each post of a voter counted or did not, rule by rule, with the words of the rule post."""

from __future__ import annotations

from collections.abc import Sequence

from engine.rulesets.m29 import VOTE
from tally.day import Out
from tally.explain import PostTrace, explain_seat
from tally.ruling import LedgerBallot, Ruling, RulingKind
from tests.tally.make import (
    DIRECTOR,
    VOTE_THREAD,
    Table,
    Wrote,
    at,
    ballot_text,
    count,
    make_day,
    make_history,
    pid_of,
    result_of,
)


def explain(script: Sequence[Wrote], seat: str = "饺子", table: Table | None = None) -> tuple[PostTrace, ...]:
    """The traces of a seat in a script."""
    table = table or Table()
    return explain_seat(
        [make_history(wrote, index, script) for index, wrote in enumerate(script)],
        seat=seat,
        day=table.day,
        roster=table.roster,
        policy=table.policy,
        seen_until=table.seen_until,
        rulings=table.rulings,
        ledger_ballots=table.ledger_ballots,
        as_of=table.as_of,
    )


SCRIPT = (
    Wrote("早上好"),
    Wrote("投票对象：1０號（可疑）。\n投票理由：略", clock="10:01"),
    Wrote(ballot_text("豆沙", change=True), clock="15:00"),
    Wrote(ballot_text("豆沙"), by="青岚", clock="16:00"),
)


def test_every_post_of_the_voter_is_told_and_no_other() -> None:
    traces = explain(SCRIPT)
    assert [trace.post.pid for trace in traces if trace.post] == [pid_of(0), pid_of(1), pid_of(2)]
    assert [trace.place for trace in traces] == ["not_ballot", "standing", "void"]
    assert explain(SCRIPT, "老王") == ()


def test_label_value_and_name_are_told() -> None:
    chat, vote, change = explain(SCRIPT)
    assert (chat.words, chat.label, chat.value, chat.rules) == ("早上好", "", "", ())
    assert (vote.label, vote.value, vote.target, vote.how) == ("投票对象", "1０號（可疑）。", "10号", "folded")
    assert (change.label, change.target, change.how) == ("改票对象", "豆沙", "exact")


def test_each_rule_is_told_with_its_clause_to_the_first_that_is_broken() -> None:
    _, vote, change = explain(SCRIPT)
    assert all(rule.passed for rule in vote.rules)
    assert [rule.rule for rule in change.rules] == [
        "old_account",
        "voter_out",
        "voter_barred",
        "before_open",
        "after_close",
        "malformed",
        "no_reason",
        "unknown_target",
        "ambiguous_target",
        "target_out",
        "nothing_to_change",
        "change_limit",
        "change_too_late",
        "change_accelerated",
        "change_not_reply",
    ]
    assert [rule.passed for rule in change.rules] == [True] * 14 + [False]
    assert change.rules[-1].clause == "【改票格式】改票需回复原投票楼层"
    assert change.reason == "change_not_reply"


def test_every_clause_is_a_sentence_of_the_rule_post() -> None:
    for trace in explain(SCRIPT):
        for rule in trace.rules:
            assert rule.clause == VOTE.clauses[rule.rule].text
            assert rule.clause


def test_what_is_explained_is_what_was_counted() -> None:
    tally = count(SCRIPT)
    for index, trace in enumerate(explain(SCRIPT)):
        place = {"standing": f"→{trace.target}", "void": f"void {trace.reason}", "not_ballot": "not a ballot"}[trace.place]
        assert place == result_of(tally, index)


def test_proxies_for_him_and_by_him_are_told() -> None:
    script = (
        Wrote("代投：饺子\n投票对象：包子\n投票理由：略", by=DIRECTOR),
        Wrote("代投：豆沙\n投票对象：包子\n投票理由：略", clock="11:00"),
    )
    first, second = explain(script)
    assert (first.by, first.voter, first.place) == (DIRECTOR, "饺子", "standing")
    assert (second.by, second.voter, second.reason) == ("饺子", "豆沙", "proxy_not_director")
    assert [trace.reason for trace in explain(script, "豆沙")] == ["proxy_not_director"]


def test_a_line_of_the_ledger_is_told_by_its_number() -> None:
    (trace,) = explain((), table=Table(ledger_ballots=(LedgerBallot(12, "饺子", "包子", at("12:00")),)))
    assert (trace.post, trace.line, trace.value, trace.place) == (None, 12, "包子", "standing")


def test_a_ruling_is_told_instead_of_rules() -> None:
    ruling = Ruling(RulingKind.COUNT_AS, 7, "包子", tid=VOTE_THREAD, pid=pid_of(2))
    trace = explain(SCRIPT, table=Table(rulings=(ruling,)))[2]
    assert (trace.how, trace.ruled_by, trace.rules, trace.target, trace.place) == ("ruled", 7, (), "包子", "standing")


def test_a_target_that_left_later_broke_no_rule_when_it_was_named() -> None:
    (trace,) = explain((Wrote(ballot_text("老王")),), table=Table(day=make_day(out=(Out("老王", at("15:00")),))))
    assert [rule.rule for rule in trace.rules if not rule.passed] == ["target_out"]
    assert trace.rules[-1].rule == "target_out"
    assert [rule.rule for rule in trace.rules].count("target_out") == 2


def test_a_lost_race_cites_the_post_that_reached_first() -> None:
    script = (
        Wrote(ballot_text("包子"), by="饺子", clock="10:00"),
        Wrote(ballot_text("豆沙"), by="青岚", clock="10:01"),
        Wrote(ballot_text("豆沙"), by="老王", clock="10:02"),
        Wrote(ballot_text("包子"), by="豆沙", clock="10:03"),
        Wrote(ballot_text("青岚"), by="包子", clock="10:04"),
    )
    table = Table(day=make_day(number=1, sheriff=None))
    (lost,) = explain(script, "饺子", table)
    assert lost.lost_to is not None
    assert lost.lost_to.ballot.post is not None
    assert (lost.lost_to.ballot.post.pid, lost.lost_to.target, lost.lost_to.votes) == (pid_of(2), "豆沙", 2)
    for seat in ("青岚", "包子"):
        (other,) = explain(script, seat, table)
        assert other.lost_to is None
