"""The director's word on what a chanted player posted."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import pytest

from scraper.post import Comment, EditMark, History
from tally.finding import Finding, Severity, sentence, severity
from tally.sounds.case import SoundCase
from tally.sounds.check import check_seat
from tally.sounds.ruled import CheckedPost, SoundRuling, Speech, settle_speech
from tally.sounds.sets import SECRET_NUMBER
from tests.tally.sounds.posts import CHANT, DAYS, DISCUSSION, NOON, SEAT, at, make_history, make_post, make_remarked, says
from tests.tally.sounds.samples import read_message

CASE = SoundCase(SECRET_NUMBER, DAYS)
OTHER = "豆沙"
BREACH = make_history(make_post("喵人"))
SUSPECT = make_history(make_post("喵汪喵喵 汪喵 喵汪喵 汪汪喵")._replace(pid=89))
CLEAN = make_history(make_post("喵喵")._replace(pid=90))
# Somebody else's post with remarks of two chanted players under it.
COMMENTED = make_history(
    make_remarked(Comment(SEAT, 7, "人", at(4, "12:30")), Comment(OTHER, 8, "狼", at(4, "12:31"))), seen=[at(4, "13:00")]
)


def settle(
    *rulings: SoundRuling, own: tuple[History, ...] = (BREACH, SUSPECT, CLEAN), others: tuple[History, ...] = ()
) -> tuple[tuple[CheckedPost, ...], tuple[Finding, ...]]:
    """Check the posts of 包子 and remarks of 豆沙, and put the rulings on them."""
    histories = {(history.first.tid, history.first.pid): history for history in (*own, *others)}
    mine = {place: history for place, history in histories.items() if history in own}
    theirs = check_seat(replace(CHANT, seat=OTHER), CASE, (), others, lambda name, uid: name == OTHER)
    speeches = [Speech(SEAT, mine, check_seat(CHANT, CASE, own, others, says)), Speech(OTHER, {}, theirs)]
    return settle_speech(speeches, rulings, histories, DAYS)


def outline(posts: tuple[CheckedPost, ...]) -> list[tuple[str, int, str, list[str]]]:
    return [(post.seat, post.source.pid, post.severity.value, [found.code for found in post.findings]) for post in posts]


def rule(pid: int, *, lawful: bool, line: int = 1, tid: int = DISCUSSION, reason: str = "看过了") -> SoundRuling:
    return SoundRuling(line, tid, pid, lawful, reason=reason)


def test_without_a_ruling_breaches_come_first_and_clean_posts_are_not_listed() -> None:
    posts, unused = settle()
    assert outline(posts) == [(SEAT, 88, "error", ["C101"]), (SEAT, 89, "warning", ["C105"])]
    assert unused == ()


def test_a_breach_that_is_ruled_lawful_is_a_note_beside_the_machines_own_reading() -> None:
    posts, unused = settle(rule(88, lawful=True))
    assert outline(posts) == [(SEAT, 89, "warning", ["C105"]), (SEAT, 88, "note", ["C108", "C101"])]
    word, found = posts[1].findings
    assert (found.severity, found.machine) == (Severity.NOTE, Severity.ERROR)
    assert dict(found.finding.parameters)["machine"] == "error"
    assert severity(found.finding) is Severity.NOTE
    assert sentence(word.finding) == "导演裁定合规（账本第 1 行）：看过了"
    assert severity(word.finding) is Severity.NOTE
    assert posts[1].ruling == rule(88, lawful=True)
    assert unused == ()


def test_a_suspect_that_is_ruled_a_breach_is_one_and_the_hint_stays_a_hint() -> None:
    posts, _ = settle(rule(89, lawful=False))
    assert outline(posts) == [(SEAT, 88, "error", ["C101"]), (SEAT, 89, "error", ["C108", "C105"])]
    word, hint = posts[1].findings
    assert (word.severity, word.day, word.at) == (Severity.ERROR, 2, NOON)
    assert (hint.severity, hint.machine) == (Severity.WARNING, None)


def test_a_suspect_that_is_ruled_lawful_is_settled() -> None:
    posts, _ = settle(rule(89, lawful=True))
    assert outline(posts) == [(SEAT, 88, "error", ["C101"]), (SEAT, 89, "note", ["C108", "C105"])]


def test_a_breach_that_the_machine_did_not_see_is_ruled_one() -> None:
    posts, unused = settle(rule(90, lawful=False))
    assert (SEAT, 90, "error", ["C108"]) in outline(posts)
    assert unused == ()


@pytest.mark.parametrize(
    ("ruling", "code", "why"),
    [
        (rule(90, lawful=True), "E203", "nothing_to_settle"),
        (rule(77, lawful=True), "E202", None),
        (rule(88, lawful=True, tid=9), "E202", None),
        (replace(rule(88, lawful=True), seat=OTHER), "E202", None),
        (replace(rule(88, lawful=False), revision=2), "E203", "no_such_revision"),
        (replace(rule(88, lawful=True), entered_at=at(4, "12:00:30")), "E203", "seen_later"),
    ],
)
def test_a_ruling_that_matches_nothing_changes_nothing_and_is_a_finding(ruling: SoundRuling, code: str, why: str | None) -> None:
    posts, unused = settle(ruling)
    assert outline(posts) == outline(settle()[0])
    parameters = (("line", "1"), ("why", why)) if why else (("line", "1"),)
    assert unused == (Finding(code, parameters),)


def test_the_later_of_two_rulings_holds_and_the_earlier_is_told_of() -> None:
    posts, unused = settle(rule(88, lawful=False, line=7), rule(88, lawful=True, line=3))
    assert [post.ruling.line for post in posts if post.ruling] == [7]
    assert unused == (Finding("E203", (("line", "3"), ("why", "superseded"))),)


# -- revisions

EDITED = make_history(
    make_post("人"), make_post("狼")._replace(edited=EditMark(SEAT, at(4, "12:20"))), seen=[at(4, "12:10"), at(4, "12:30")]
)


@pytest.mark.parametrize(
    ("revision", "entered", "expected"),
    [
        (None, None, {1: "note", 2: "note"}),
        (1, None, {1: "note", 2: "error"}),
        (2, None, {1: "error", 2: "note"}),
        # What was seen later is judged anew.
        (None, at(4, "12:15"), {1: "note", 2: "error"}),
        (None, at(4, "12:30"), {1: "note", 2: "note"}),
    ],
)
def test_a_ruling_covers_the_revisions_that_it_names_or_that_had_been_seen(
    revision: int | None, entered: datetime | None, expected: dict[int, str]
) -> None:
    posts, _ = settle(replace(rule(88, lawful=True), revision=revision, entered_at=entered), own=(EDITED,))
    assert {post.source.revision: post.severity.value for post in posts} == expected


def test_a_clean_post_that_is_ruled_a_breach_is_one_as_it_stood_when_it_was_judged() -> None:
    grown = make_history(make_post("喵"), make_post("喵喵")._replace(message=read_message("喵喵")))
    assert [post.source.revision for post in settle(rule(88, lawful=False), own=(grown,))[0]] == [2]
    early = replace(rule(88, lawful=False), entered_at=at(4, "12:01:30"))
    assert [post.source.revision for post in settle(early, own=(grown,))[0]] == [1]


# -- whose words


def test_a_remark_under_anothers_post_is_ruled_by_that_post() -> None:
    alone = make_history(make_remarked(Comment(SEAT, 7, "人", at(4, "12:30"))), seen=[at(4, "13:00")])
    posts, unused = settle(rule(50, lawful=True), own=(), others=(alone,))
    assert outline(posts) == [(SEAT, 50, "note", ["C108", "C103"])]
    assert unused == ()


def test_where_two_spoke_under_one_post_the_ruling_names_which() -> None:
    posts, unused = settle(rule(50, lawful=True), own=(), others=(COMMENTED,))
    assert {post.severity for post in posts} == {Severity.ERROR}
    assert unused == (Finding("E203", (("line", "1"), ("why", "several_seats"))),)
    posts, unused = settle(replace(rule(50, lawful=True), seat=OTHER), own=(), others=(COMMENTED,))
    assert [(post.seat, post.severity.value) for post in posts] == [(SEAT, "error"), (OTHER, "note")]
    assert unused == ()


def test_a_ruling_on_a_chanted_authors_post_leaves_the_remarks_under_it() -> None:
    remarked = make_history(
        make_post("喵人")._replace(comments=(Comment(OTHER, 8, "狼", at(4, "12:31")),)), seen=[at(4, "13:00")]
    )
    histories = {(DISCUSSION, 88): remarked}
    speeches = [
        Speech(SEAT, histories, check_seat(CHANT, CASE, (remarked,), (), says)),
        Speech(OTHER, {}, check_seat(replace(CHANT, seat=OTHER), CASE, (), (remarked,), lambda name, uid: name == OTHER)),
    ]
    posts, _ = settle_speech(speeches, [rule(88, lawful=True)], histories, DAYS)
    assert [(post.seat, post.severity.value) for post in posts] == [(OTHER, "error"), (SEAT, "note")]
