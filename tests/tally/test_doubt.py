"""Where the evidence cannot tell, nothing is guessed: readings are listed, and what they can change is not final."""

from __future__ import annotations

from dataclasses import replace

from scraper.post import Flaw, PostState
from tally.day import Out, Span
from tally.result import DayTally, NeedsRuling
from tally.ruling import Ruling, RulingKind
from tests.tally.make import VOTE_THREAD, Table, Wrote, at, ballot_text, codes_of, count, make_day, make_roster, pid_of, result_of

NAMES = ("甲", "乙", "丙", "丁", "戊", "己", "羊")
TABLE = Table(roster=make_roster(NAMES, **(dict.fromkeys(NAMES, "村民") | {"羊": "替罪羊"})))


def vote(by: str, target: str, clock: str = "10:00", mark: str | None = None) -> Wrote:
    """A first vote, with the minute of an edit mark at first sight."""
    return Wrote(ballot_text(target), by=by, clock=clock, mark=mark)


def readings(one: NeedsRuling) -> dict[str, tuple[dict[str, int], tuple[str, ...], str | None]]:
    """By ruling: the counts, the seats and the role of the verdict."""
    return {reading.ruling: (dict(reading.counts), reading.verdict.seats, reading.verdict.role) for reading in one.readings}


def void(index: int, line: int = 3) -> Ruling:
    """A ruling that voids a post."""
    return Ruling(RulingKind.VOID, line, tid=VOTE_THREAD, pid=pid_of(index))


def count_as(index: int, value: str, line: int = 3) -> Ruling:
    """A ruling that counts a post."""
    return Ruling(RulingKind.COUNT_AS, line, value, tid=VOTE_THREAD, pid=pid_of(index))


CLOSE = (vote("甲", "丙"), vote("乙", "丁"), vote("丙", "丁", mark="20:10"))
CLEAR = (vote("甲", "丙"), vote("乙", "丙"), vote("丁", "丙"), vote("戊", "丙"), vote("丙", "丁", mark="20:10"))


def test_an_open_ballot_stands_nowhere_and_lists_what_each_ruling_would_do() -> None:
    tally = count(CLOSE, TABLE)
    (one,) = tally.needs_ruling
    assert (one.voter, one.raw, one.post.pid) == ("丙", "丁", pid_of(2))
    assert {each.target: each.votes for each in tally.counts} == {"丙": 1, "丁": 1}
    assert readings(one) == {
        "计为 丁": ({"丁": 2, "丙": 1}, ("丁",), None),
        "作废": ({"丙": 1, "丁": 1}, (), "替罪羊"),
        "计为 丙": ({"丙": 2, "丁": 1}, ("丙",), None),
    }
    assert not tally.final
    assert "丙" not in tally.not_voted


def test_an_open_ballot_that_can_change_nothing_leaves_the_verdict_final() -> None:
    tally = count(CLEAR, TABLE)
    assert [one.ruling for one in tally.needs_ruling[0].readings] == ["计为 丁", "作废"]
    assert tally.final
    assert tally.verdict.seats == ("丙",)


def test_two_open_ballots_are_weighed_together() -> None:
    posts = (
        *(vote(name, "丙") for name in ("甲", "乙", "丁")),
        vote("丙", "丁"),
        vote("戊", "丁", mark="20:10"),
        vote("己", "丁", mark="20:11"),
    )
    assert count(posts[:-1], TABLE).final, "three against two at most"
    assert not count(posts, TABLE).final, "two together make a tie"


def test_so_many_open_ballots_that_no_recount_tries_them_all_are_weighed_by_what_their_voters_can_move() -> None:
    def unread(name: str) -> Wrote:
        return Wrote("", by=name, state=PostState.BLOCKED, unreadable=True)

    names = [f"卯{letter}" for letter in "一二三四五六七八九"]
    table = Table(roster=make_roster(("丙", "丁", *names, "辰", "巳", "午")))
    open_ones = (unread("辰"), unread("巳"), unread("午"))
    six, two = [vote(name, "丙") for name in names[:6]], [vote(name, "丁") for name in names[6:8]]
    assert count((*six, *two, *open_ones), table).final, "six against five at most"
    assert not count((*six[:5], *two, *open_ones), table).final, "five against five"
    # Each of the three may have had a vote before, and taken it from the first to the second.
    before = [vote(name, "丙") for name in ("辰", "巳", "午")]
    assert not count((*before, *six[:3], *two, *open_ones), table).final, "three against five, where six led against two"


def test_an_unknown_sheriff_and_an_open_ballot_are_weighed_together() -> None:
    unnamed = Table(roster=TABLE.roster, day=make_day(sheriff=None))
    open_one = Wrote("", by="己", state=PostState.BLOCKED, unreadable=True)
    posts = (*(vote(name, "丙") for name in ("甲", "乙", "丁", "羊")), vote("戊", "丁"), vote("丙", "丁"))
    assert count((*posts, open_one), Table(roster=TABLE.roster)).final, "four against three"
    assert count(posts, unnamed).final, "four against three, whoever is sheriff"
    tally = count((*posts, open_one), unnamed)
    assert not tally.final, "four against four, where 己 votes as the sheriff"
    assert "B405" in {finding.code for finding in tally.findings}
    assert count((*posts[:5], open_one), unnamed).final, "four against three at most"


def test_a_ruling_closes_it() -> None:
    counted = count(CLOSE, Table(roster=TABLE.roster, rulings=(count_as(2, "丁"),)))
    assert result_of(counted, 2) == "→丁"
    assert counted.final
    assert counted.verdict.seats == ("丁",)
    assert "B203" not in codes_of(counted, 2)
    voided = count(CLOSE, Table(roster=TABLE.roster, rulings=(void(2),)))
    assert result_of(voided, 2) == "void ruled_void"
    assert voided.verdict.seats == ("羊",)


def test_an_edit_while_a_speed_up_holds_needs_a_ruling_too() -> None:
    day = make_day(speed_ups=(Span(at("18:00")),))
    for mark, result in (("17:59", "→丁"), ("18:00", "needs_ruling")):
        tally = count((vote("甲", "丁", mark=mark),), Table(roster=TABLE.roster, day=day))
        assert result_of(tally, 0) == result


def test_what_depends_on_an_open_ballot_is_open_itself() -> None:
    first = vote("甲", "丙", mark="20:10")
    second = Wrote(ballot_text("丁", change=True), by="甲", clock="15:00", quotes=(0,))
    tally = count((first, second), TABLE)
    assert [result_of(tally, index) for index in (0, 1)] == ["needs_ruling", "needs_ruling"]
    assert "B205" in codes_of(tally, 1)
    settled = count((first, second), Table(roster=TABLE.roster, rulings=(count_as(0, "丙"),)))
    assert [result_of(settled, index) for index in (0, 1)] == ["replaced", "→丁"]
    voided = count((first, second), Table(roster=TABLE.roster, rulings=(void(0),)))
    assert [result_of(voided, index) for index in (0, 1)] == ["void ruled_void", "void nothing_to_change"]


def test_what_is_void_either_way_is_not_open() -> None:
    posts = (vote("甲", "丙", mark="20:10"), Wrote("改票对象：丁", by="甲", clock="15:00", quotes=(0,)))
    assert result_of(count(posts, TABLE), 1) == "void no_reason"
    late = (vote("甲", "丙", mark="20:10"), Wrote(ballot_text("丁", change=True), by="甲", clock="20:30", quotes=(0,)))
    assert result_of(count(late, TABLE), 1) == "void change_too_late"


def test_a_doubtful_change_leaves_the_first_vote_standing_until_it_is_ruled_on() -> None:
    posts = (vote("甲", "丙"), Wrote(ballot_text("丁", change=True), by="甲", clock="15:00", quotes=(0,), mark="20:10"))
    tally = count(posts, TABLE)
    assert [result_of(tally, index) for index in (0, 1)] == ["→丙", "needs_ruling"]
    assert not tally.final


def test_a_post_without_a_ballot_that_was_edited_before_anybody_saw_it_may_have_held_one() -> None:
    for mark in ("11:00", "20:10"):
        chat = Wrote("手滑", by="甲", mark=mark)
        tally = count((chat,), TABLE)
        assert result_of(tally, 0) == "not a ballot"
        assert "B202" in codes_of(tally, 0), "what stood there before cannot be told"
        assert "B202" not in codes_of(count((chat, vote("甲", "丙")), TABLE), 0), "his ballot stands elsewhere"
    seen = Wrote("手滑", by="甲")
    early, late = Wrote("手滑", by="甲", clock="09:29", mark="09:29"), Wrote("手滑", by="甲", clock="21:01", mark="21:05")
    stranger = Wrote("手滑", by="吃瓜路人", mark="11:00")
    tally = count((seen, early, late, stranger), TABLE)
    assert not [index for index in range(4) if "B202" in codes_of(tally, index)]
    barred = count((Wrote("手滑", by="甲", mark="11:00"),), Table(roster=TABLE.roster, day=make_day(barred=frozenset({"甲"}))))
    assert "B202" not in codes_of(barred, 0)


def _without_words(tally: DayTally) -> list[str]:
    return [one.voter for one in tally.needs_ruling]


def test_a_post_that_was_never_readable_may_hold_a_vote() -> None:
    blocked = Wrote("", by="甲", state=PostState.BLOCKED, unreadable=True)
    tally = count((*CLEAR[1:4], blocked), TABLE)
    assert _without_words(tally) == ["甲"]
    assert tally.final, "丙 has three against one at most"
    torn = Wrote("前半句", by="甲", flaws=(Flaw("A108", (("tags", "3000"),)),))
    assert _without_words(count((torn,), TABLE)) == ["甲"]
    seen = Wrote(ballot_text("丙"), by="甲", flaws=(Flaw("A111", (("text", "如果您要查看本帖隐藏内容请回复"),)),))
    assert result_of(count((seen,), TABLE), 0) == "→丙"


def test_such_a_post_of_someone_who_could_not_have_voted_is_no_ballot() -> None:
    blocked = Wrote("", by="甲", state=PostState.BLOCKED, unreadable=True)
    day = make_day(out=(Out("甲"),))
    tally = count((blocked,), Table(roster=TABLE.roster, day=day))
    assert result_of(tally, 0) == "not a ballot"
    late = Wrote("", by="甲", clock="21:30", state=PostState.BLOCKED, unreadable=True)
    assert result_of(count((late,), TABLE), 0) == "not a ballot"


def test_a_sheriff_that_nobody_named_is_weighed_like_any_doubt() -> None:
    unnamed = make_day(sheriff=None)
    close = (vote("甲", "丙"), vote("乙", "丁"), vote("戊", "丁"))
    clear = (*close, vote("丙", "丁"), vote("己", "丁"))
    tally = count(close, Table(roster=TABLE.roster, day=unnamed))
    assert not tally.final
    assert "B405" in {finding.code for finding in tally.findings}
    tally = count(clear, Table(roster=TABLE.roster, day=unnamed))
    assert tally.final
    assert "B404" in {finding.code for finding in tally.findings}


def test_a_vote_of_strangers_alone_is_not_called_one_in_which_nobody_voted() -> None:
    """The roster may be another game's: of seven who may vote none did, and four whom nobody knows."""
    strangers = [vote(name, "丙") for name in ("路一", "路二", "路三", "路四")]
    tally = count(strangers, TABLE)
    assert (_doubts_roster(tally), tally.final) == (True, False)
    for fewer in (strangers[:3], [*strangers, vote("甲", "丙")]):
        tally = count(fewer, TABLE)
        assert (_doubts_roster(tally), tally.final) == (False, True)
    ruled = count(strangers, replace(TABLE, rulings=(Ruling(RulingKind.RESULT, 3, "羊"),)))
    assert (_doubts_roster(ruled), ruled.final) == (False, True)


def _doubts_roster(tally: DayTally) -> bool:
    return "B410" in {finding.code for finding in tally.findings}
