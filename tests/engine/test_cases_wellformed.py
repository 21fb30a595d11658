"""The recorded cases are complete and agree with themselves; the program is not asked.

A case is evidence only while its expectation accounts for every post, so these facts are checked against the script.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise

import pytest

from tests.engine.recorded_cases import CASES, LISTS, ROOT, Case

RULE_POST = ROOT.parent / "shared" / "seeds" / "004_030bb1f8919f46c5.txt"
REASONS = {
    "malformed", "no_reason", "unknown_target", "ambiguous_target", "target_out", "target_barred", "voter_out", "voter_barred",
    "old_account", "second_vote", "nothing_to_change", "change_limit", "change_not_reply", "change_too_late",
    "change_accelerated", "proxy_not_director", "conditional_proxy", "proxy_too_late", "before_open", "after_close", "edited",
    "ruled_void",
}  # fmt: skip


@pytest.fixture(scope="module", params=CASES)
def case(request: pytest.FixtureRequest) -> Case:
    return Case(request.param)


def test_there_are_more_than_ten_cases_and_the_demo_is_one_of_them() -> None:
    assert len(CASES) >= 11
    assert "three_days" in CASES


def test_the_demo_is_three_days_of_twelve_players_over_several_pages() -> None:
    demo = Case("three_days")
    assert len(demo.seats) == 12
    assert sorted(demo.days) == [1, 2, 3]
    assert len(demo.posts) > 60
    assert all(len(demo.thread(day)) > 2 * demo.script["board"]["per_page"] for day in demo.days)


def test_a_case_says_where_it_comes_from(case: Case) -> None:
    assert (case.folder / "SOURCE.md").read_text(encoding="utf-8").startswith(f"# {case.folder.name}\n")


def test_a_case_has_ten_ballots_or_more(case: Case) -> None:
    assert sum(post.labelled for day in case.days for post in case.window(day) if case.voter(post)) >= 10


def test_quotes_in_the_source_stand_in_the_rule_post_to_the_word(case: Case) -> None:
    if not RULE_POST.exists():
        pytest.skip(f"the rule post is not beside the project: {RULE_POST.name}")
    rules = RULE_POST.read_text(encoding="utf-8")
    source = (case.folder / "SOURCE.md").read_text(encoding="utf-8")
    clauses = re.findall(r"^> (.+)$", source, re.M)
    assert clauses
    for clause in clauses + [quote for quote in re.findall(r"「([^」]+)」", source) if len(quote) >= 6]:
        assert clause in rules, clause


def test_the_board_gives_pids_in_order_of_time_and_quotes_only_what_is_there(case: Case) -> None:
    posts = case.script["post"]
    by_pid = {post["pid"]: post for post in posts}
    assert len(by_pid) == len(posts)
    for tid in {post["tid"] for post in posts}:
        thread = [post for post in posts if post["tid"] == tid]
        assert all((one["at"], one["pid"]) < (two["at"], two["pid"]) for one, two in pairwise(thread))
    for post in posts:
        if "quote" in post:
            assert by_pid[post["quote"]]["at"] <= post["at"]
            assert by_pid[post["quote"]]["tid"] == post["tid"]


def test_every_vote_thread_is_looked_at_before_the_close_and_twice_after_it(case: Case) -> None:
    for day in case.days.values():
        looks = [look["at"] for look in case.passes if day["vote"] in look["tids"]]
        assert any(day["opens"] < at < day["closes"] for at in looks)
        assert sum(at > day["closes"] for at in looks) >= 2


def test_the_lists_are_known_and_speak_of_the_days_of_the_game(case: Case) -> None:
    assert set(case.expected) <= {*LISTS, "alternative"}
    assert {row["day"] for name in LISTS for row in case.expected.get(name, [])} == set(case.days)


def test_every_day_has_one_verdict(case: Case) -> None:
    assert Counter(row["day"] for row in case.expected["verdict"]) == Counter(list(case.days))


def test_every_name_is_a_seat(case: Case) -> None:
    for day in case.days:
        names = {row["target"] for row in case.rows("tally", day)} | set(case.standing(day))
        names |= {row["voter"] for name in ("void", "replaced", "needs_ruling") for row in case.rows(name, day)}
        names |= {row["seat"] for row in case.rows("card", day)}
        names |= {seat for row in case.rows("verdict", day) for seat in row["seats"]}
        assert names <= set(case.seats)


def test_every_pid_is_a_post_of_the_days_thread_that_was_seen(case: Case) -> None:
    for day in case.days:
        pids = {post.pid for post in case.thread(day)}
        assert set(case.placed(day)) <= pids
        pids |= {post.pid for post in case.progress(day)}
        assert {row["pid"] for row in case.rows("finding", day) if "pid" in row} <= pids


def test_a_void_or_replaced_ballot_is_in_the_name_of_its_voter(case: Case) -> None:
    for day in case.days:
        for name in ("void", "replaced", "needs_ruling"):
            for row in case.rows(name, day):
                assert case.voter(case.posts[row["pid"]]) == row["voter"], row
                assert name != "void" or row["reason"] in REASONS


def test_no_post_stands_in_two_places(case: Case) -> None:
    for day in case.days:
        assert [pid for pid, times in Counter(case.placed(day)).items() if times > 1] == []


def test_every_voter_stands_once(case: Case) -> None:
    for day in case.days:
        voters = [voter for row in case.rows("tally", day) for voter in row["voters"]]
        voters += [row["voter"] for row in case.rows("abstained", day)]
        assert [voter for voter, times in Counter(voters).items() if times > 1] == []
        assert len({row["target"] for row in case.rows("tally", day)}) == len(case.rows("tally", day))


def test_votes_are_the_weights_of_the_voters(case: Case) -> None:
    for day in case.days:
        sheriff = case.days[day]["sheriff"]
        for row in case.rows("tally", day):
            assert row["votes"] == len(row["voters"]) + (sheriff in row["voters"]), row


def test_every_ballot_that_was_seen_stands_in_one_place_and_no_other_does(case: Case) -> None:
    for day in case.days:
        posts = case.standing_posts(day)
        ruled = {int(pid) for pid in re.findall(r"pid=(\d+) 计为", case.ledger)}
        assert {voter: [post.pid for post in ballots] for voter, ballots in posts.items() if len(ballots) > 1} == {}
        assert set(case.standing(day)) == set(posts)
        assert all(post.at <= case.days[day]["closes"] or post.pid in ruled for [post] in posts.values())


def test_the_voters_of_a_target_are_in_order_of_time(case: Case) -> None:
    for day in case.days:
        posts = case.standing_posts(day)
        for row in case.rows("tally", day):
            ballots = [posts[voter][0] for voter in row["voters"]]
            assert ballots == sorted(ballots, key=lambda post: (post.at, post.pid)), row


def test_a_replaced_ballot_is_followed_by_the_one_that_stands(case: Case) -> None:
    for day in case.days:
        posts = case.standing_posts(day)
        for row in case.rows("replaced", day):
            assert (post := posts[row["voter"]][0]).pid > row["pid"]
            assert post.quote == row["pid"] or f"pid={post.pid} 计为" in case.ledger


def test_a_card_is_for_a_seat_that_did_not_reply_or_spoke_too_little_and_each_such_seat_has_one(case: Case) -> None:
    for day in case.days:
        replied = {case.accounts.get(post.author) for post in case.window(day)}
        silent = set(case.seats) - case.excused(day) - replied - set(case.standing(day))
        waived = case.sped_up(day)
        rows = case.rows("card", day)
        assert {row["seat"] for row in rows if row["reason"] == "未投票"} == (set() if waived else silent)
        assert {row["seat"] for row in rows if row["reason"] == "发言不足"} == (set() if waived else case.quiet(day))
        assert {row["seat"] for row in rows if row["card"] == "red"} == case.reddened(day)
        assert all(row["card"] == "red" or row["reason"] in ("未投票", "发言不足") for row in rows)


def test_what_was_judged_of_requests_follows_from_the_progress_thread(case: Case) -> None:
    asks = {"speed_up": "申请加速", "extension": "申请延时"}
    for day in case.days:
        judged = [row for row in case.rows("event", day) if row.get("seats")]
        for row in judged:
            seats = case.asking(day, asks[row["kind"]])
            assert set(row["seats"]) == seats
            assert row["held"] == (2 * len(seats) >= len(case.seats) - len(case.out(day)))
        assert {row["kind"] for row in judged} == {kind for kind, what in asks.items() if case.asking(day, what)}


def test_the_verdict_follows_from_the_tally(case: Case) -> None:
    for day in case.days:
        [verdict] = case.rows("verdict", day)
        votes = {row["target"]: row["votes"] for row in case.rows("tally", day)}
        top = [target for target, count in votes.items() if count == max(votes.values())]
        if ruled := re.search(rf"^日{day} 导演 裁定 结果 出局 (\S+)", case.ledger, re.M):
            assert (verdict["decision"], verdict["seats"]) == ("exile", [ruled[1]])
        elif day == 1:
            assert verdict["decision"] == "sheriff"
            assert verdict["seats"][0] in top
        elif len(top) == 1:
            assert (verdict["decision"], verdict["seats"]) == ("exile", top)
        elif case.scapegoat in case.out(day):
            assert (verdict["decision"], verdict["seats"]) == ("nobody", [])
        else:
            assert (verdict["decision"], verdict["seats"]) == ("exile", [case.scapegoat])


def test_what_a_day_decides_is_a_fact_of_the_next(case: Case) -> None:
    for day in case.days:
        [verdict] = case.rows("verdict", day)
        if day + 1 in case.days and verdict["decision"] == "exile":
            assert set(verdict["seats"]) <= set(case.out(day + 1))
        if day + 1 in case.days and verdict["decision"] == "sheriff":
            assert [case.days[day + 1]["sheriff"]] == verdict["seats"]


def test_a_verdict_is_final_unless_a_page_is_missing_or_a_ruling_could_change_it(case: Case) -> None:
    for day in case.days:
        [verdict] = case.rows("verdict", day)
        assert verdict["final"] <= verdict["complete"]
        differs = any(row["code"] == "E109" for row in case.rows("finding", day))
        assert verdict["final"] or not verdict["complete"] or case.rows("needs_ruling", day) or differs
        assert not (verdict["final"] and differs)


def test_a_published_result_that_is_not_the_verdict_is_found(case: Case) -> None:
    for day in case.days:
        [verdict] = case.rows("verdict", day)
        told = [post for post in case.thread(day) if post.author in case.directors and post.at > case.days[day]["closes"]]
        named = [found[1] for post in told if (found := re.search(r"^投票结果：(\S+?)(?:出局)?$", post.own, re.M))]
        assert any(row["code"] == "E109" for row in case.rows("finding", day)) == bool(named and [named[-1]] != verdict["seats"])
