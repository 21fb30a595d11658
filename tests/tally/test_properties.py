"""What holds for every script: one place for each post, spectators and void ballots change nothing, time decides only races."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from tally.result import DayTally
from tests.tally.make import DIRECTOR, Table, Wrote, at, ballot_text, count, make_day, make_roster, outs, pid_of, result_of

NAMES = ("甲", "乙", "丙", "丁", "戊", "汤圆")
TABLE = Table(roster=make_roster(NAMES), day=make_day(out=outs("汤圆"), barred=frozenset({"戊"})))
ELECTION = replace(TABLE, day=make_day(number=1, sheriff=None))
QUICK = settings(max_examples=60, deadline=None)

targets = st.sampled_from([*NAMES, "弃权", "再看看", "甲、乙", ""])
authors = st.sampled_from([*NAMES, "路人", DIRECTOR])
clocks = st.integers(min_value=0, max_value=13 * 3600).map(lambda second: f"{(at('08:30') + timedelta(seconds=second)):%H:%M:%S}")


@st.composite
def posts(draw: st.DrawFn) -> list[Wrote]:
    """A thread of votes, changes, proxies and chat, in order of time, some quoting an earlier one."""
    times = sorted(draw(st.lists(clocks, max_size=12, unique=True)))
    script: list[Wrote] = []
    for index, clock in enumerate(times):
        text = draw(
            st.one_of(
                st.builds(ballot_text, targets, st.booleans(), st.sampled_from(["略", ""])),
                st.builds(lambda voter, target: f"代投：{voter}\n{ballot_text(target)}", st.sampled_from(NAMES), targets),
                st.sampled_from(["早上好", "我投甲一票", "弃权", "投票理由：略"]),
            )
        )
        quotes = (draw(st.integers(0, index - 1)),) if index and draw(st.booleans()) else ()
        mark = draw(st.sampled_from([None, None, None, "19:00", "20:30"]))
        script.append(Wrote(text, by=draw(authors), clock=clock, quotes=quotes, mark=mark))
    return script


def votes_of(tally: DayTally) -> dict[str, int]:
    """The counts by target."""
    return {one.target: one.votes for one in tally.counts}


@QUICK
@given(posts())
def test_each_post_stands_in_exactly_one_place(script: list[Wrote]) -> None:
    tally = count(script, TABLE)
    for index in range(len(script)):
        place = result_of(tally, index)
        assert place, index
        assert " + " not in place, index


@QUICK
@given(posts())
def test_each_voter_stands_at_most_once(script: list[Wrote]) -> None:
    tally = count(script, TABLE)
    voters = Counter(ballot.voter for one in tally.counts for ballot in one.ballots)
    voters.update(ballot.voter for ballot in tally.abstained)
    assert all(number == 1 for number in voters.values())
    assert not set(voters) & {"汤圆", "戊"}
    assert not set(voters) & set(tally.not_voted)


@QUICK
@given(posts(), st.integers(0, 12), targets, clocks)
def test_a_spectators_post_changes_nothing(script: list[Wrote], where: int, target: str, clock: str) -> None:
    # At the end of the script, so that every pid stays; its time is anywhere.
    tally = count(script, TABLE)
    added = Wrote(ballot_text(target), by="某路人", clock=clock)
    more = count([*script, added], TABLE)
    assert result_of(more, len(script)) == "not a ballot"
    for field in ("counts", "abstained", "not_voted", "void", "replaced", "needs_ruling", "cards", "verdict", "final"):
        assert getattr(more, field) == getattr(tally, field), field


@QUICK
@given(posts())
def test_a_void_ballot_never_changes_a_count(script: list[Wrote]) -> None:
    tally = count(script, TABLE)
    void = {ballot.post.pid for ballot in tally.void if ballot.post is not None}
    if tally.needs_ruling:
        # Where a ballot is in doubt, what would be void may depend on it.
        return
    silent = [replace(wrote, text="早上好") if pid_of(index) in void else wrote for index, wrote in enumerate(script)]
    assert votes_of(count(silent, TABLE)) == votes_of(tally)


@QUICK
@given(st.permutations(range(5)), st.lists(st.sampled_from(NAMES[:4]), min_size=5, max_size=5))
def test_the_order_of_first_votes_decides_only_who_reached_first(order: list[int], chosen: list[str]) -> None:
    voters = [name for name in NAMES if name != "汤圆"]
    table = replace(ELECTION, day=make_day(number=1, sheriff=None))
    votes = [Wrote(ballot_text(target), by=voter) for voter, target in zip(voters, chosen, strict=True)]

    def tally_of(arranged: list[Wrote]) -> DayTally:
        return count([replace(wrote, clock=f"10:0{minute}") for minute, wrote in enumerate(arranged)], table)

    plain, mixed = tally_of(votes), tally_of([votes[index] for index in order])
    assert votes_of(plain) == votes_of(mixed)
    most = max(votes_of(plain).values())
    assert votes_of(mixed)[mixed.verdict.seats[0]] == most
    if list(votes_of(plain).values()).count(most) == 1:
        assert plain.verdict.seats == mixed.verdict.seats


@QUICK
@given(st.text(alphabet="包子豆沙甲乙，、。（） 12", max_size=6))
def test_a_near_miss_never_counts(written: str) -> None:
    tally = count([Wrote(ballot_text(written))])
    counted = votes_of(tally)
    bare = written.replace(" ", "").strip("，。")
    assert set(counted) <= {"包子", "豆沙"}
    for name in counted:
        assert name in bare
        other = "豆沙" if name == "包子" else "包子"
        assert other not in bare.split("（")[0]
