"""From when to when a chanted player is checked, and in which revisions of his posts."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import pytest

from scraper.post import (
    EMPTY,
    Comment,
    EditMark,
    Flaw,
    Noise,
    Post,
    PostState,
    Quote,
)
from tally.finding import Severity
from tally.sounds.case import SoundCase
from tally.sounds.chant import Chant, Moment, Placing, find_day, list_chants, place_post
from tally.sounds.check import check_history, check_remarks
from tally.sounds.code import Measures
from tally.sounds.sets import ASSERTION, SECRET_NUMBER
from tests.tally.sounds.posts import CHANT, DAYS, NOON, SEAT, at, check, make_history, make_post, make_remarked, says
from tests.tally.sounds.samples import read_message

ERROR, NOTE = ("C101", Severity.ERROR), ("C107", Severity.NOTE)


@pytest.mark.parametrize(
    ("posted", "end", "expected"),
    [
        (at(3, "9:29:59"), None, []),
        (at(3, "9:30"), None, [ERROR]),
        (at(5, "21:00"), None, [ERROR]),
        (at(5, "21:00:01"), None, [NOTE]),
        (at(6, "9:29:59"), None, [NOTE]),
        (at(6, "9:30"), None, [ERROR]),
        (at(4, "11:59:59"), NOON, [ERROR]),
        (at(4, "12:00"), NOON, []),
        (at(5, "22:00"), NOON, []),
    ],
)
def test_only_the_daytime_of_the_chant_is_checked(
    posted: datetime, end: datetime | None, expected: list[tuple[str, Severity]]
) -> None:
    history = make_history(make_post("狼", posted=posted))
    findings = check_history(history, replace(CHANT, end=end), SoundCase(SECRET_NUMBER, DAYS))
    assert [(found.code, found.severity) for found in findings] == expected


def test_a_minute_that_reaches_to_the_end_of_the_chant_is_in_doubt() -> None:
    post = make_post("狼", posted=at(4, "11:59"))._replace(exact_seconds=False)
    for end, severity in ((at(4, "12:00"), Severity.ERROR), (at(4, "11:59:59"), Severity.WARNING)):
        (found,) = check_history(make_history(post), replace(CHANT, end=end), SoundCase(SECRET_NUMBER, DAYS))
        assert found.severity is severity


def test_a_doubt_makes_no_note_a_warning() -> None:
    post = make_post("投票对象：包子", posted=at(5, "21:00"))._replace(exact_seconds=False)
    (found,) = check_history(make_history(post), CHANT, SoundCase(SECRET_NUMBER, DAYS))
    assert (found.code, found.severity) == ("C107", Severity.NOTE)


def test_a_board_without_seconds_leaves_the_last_minute_in_doubt() -> None:
    post = make_post("狼", posted=at(5, "21:00"))._replace(exact_seconds=False)
    (found,) = check_history(make_history(post), CHANT, SoundCase(SECRET_NUMBER, DAYS))
    assert (found.code, found.severity, dict(found.parameters)["doubt"]) == ("C101", Severity.WARNING, "time_unknown")


def test_the_chant_runs_from_the_days_opening_until_the_piper_is_out() -> None:
    days = (replace(DAYS[0], chanted=("包子",)), replace(DAYS[1], chanted=("包子", "豆沙")))
    assert list_chants(days) == (Chant("包子", at(3, "9:30")), Chant("豆沙", at(6, "9:30")))
    released = at(5, "21:05")
    assert list_chants(days, released) == (Chant("包子", at(3, "9:30"), released),)


def test_where_nobody_is_told_who_is_chanted_nothing_is_checked() -> None:
    case = SoundCase(ASSERTION, DAYS)
    assert check("狼", case=case) == ()
    assert check_remarks(make_history(make_remarked(Comment(SEAT, 7, "狼", NOON))), CHANT, case, says) == ()


# -- revisions


def edit(post: Post, words: str, when: datetime, editor: str = SEAT) -> Post:
    """Make the next revision of a post."""
    return post._replace(message=read_message(words), edited=EditMark(editor, when))


@pytest.mark.parametrize(("first", "second", "revision"), [("狼", "喵", 1), ("喵", "狼", 2)])
def test_a_breach_counts_in_whichever_revision_it_stands(first: str, second: str, revision: int) -> None:
    post = make_post(first)
    history = make_history(post, edit(post, second, at(4, "12:05")))
    assert [(found.code, found.source.revision) for found in check_history(history, CHANT, SoundCase(SECRET_NUMBER, DAYS))] == [
        ("C101", revision)
    ]


def test_an_edit_after_the_piper_is_out_is_free() -> None:
    post = make_post("喵")
    history = make_history(post, edit(post, "我是狼", at(4, "18:00")), seen=[at(4, "12:01"), at(4, "18:10")])
    assert check_history(history, replace(CHANT, end=at(4, "18:00")), SoundCase(SECRET_NUMBER, DAYS)) == ()


def test_an_edit_of_a_free_post_is_checked_in_what_it_adds() -> None:
    post = make_post("包子是狼\n再见", posted=at(2, "20:00"))
    history = make_history(post, edit(post, "包子是狼\n豆", at(4, "12:00")), seen=[at(2, "20:05"), at(4, "12:05")])
    findings = check_history(history, CHANT, SoundCase(SECRET_NUMBER, DAYS))
    assert [(found.code, found.source.revision, found.source.line) for found in findings] == [("C107", 2, 1), ("C101", 2, 2)]


def test_a_pattern_from_before_the_chant_is_no_suspect() -> None:
    coded = "喵喵喵 喵 喵 喵汪喵"
    for posted, codes in ((at(2, "20:00"), []), (at(4, "11:00"), ["C105", "C105"])):
        post = make_post(coded, posted=posted)
        history = make_history(post, edit(post, coded + "\n喵", at(4, "12:00")), seen=[posted, at(4, "12:05")])
        assert [found.code for found in check_history(history, CHANT, SoundCase(SECRET_NUMBER, DAYS))] == codes


def test_a_post_edited_before_it_was_first_seen_is_doubtful_where_it_may_be_older() -> None:
    post = edit(make_post("狼", posted=at(2, "20:00")), "狼", at(4, "12:00"))
    (found,) = check_history(make_history(post, seen=[at(4, "13:00")]), CHANT, SoundCase(SECRET_NUMBER, DAYS))
    assert (found.severity, dict(found.parameters)["doubt"]) == (Severity.WARNING, "text_before_the_edit_unknown")
    inside = edit(make_post("狼", posted=at(4, "11:00")), "狼", at(4, "12:00"))
    (found,) = check_history(make_history(inside, seen=[at(4, "13:00")]), CHANT, SoundCase(SECRET_NUMBER, DAYS))
    assert found.severity is Severity.ERROR


def test_a_post_made_inside_and_first_seen_after_a_free_edit_is_noted() -> None:
    post = edit(make_post("喵", posted=at(4, "11:00")), "我是狼", at(4, "18:30"))
    chant = replace(CHANT, end=at(4, "18:00"))
    (found,) = check_history(make_history(post, seen=[at(4, "19:00")]), chant, SoundCase(SECRET_NUMBER, DAYS))
    assert (found.code, dict(found.parameters)["why"]) == ("C107", "text_before_the_edit_unknown")


def test_what_a_moderator_wrote_into_a_post_is_not_proved_against_the_player() -> None:
    post = make_post("喵")
    history = make_history(post, edit(post, "喵 已提醒", at(4, "12:05"), editor="版主"), seen=[at(4, "12:01"), at(4, "12:06")])
    findings = check_history(history, CHANT, SoundCase(SECRET_NUMBER, DAYS))
    assert {found.severity for found in findings} == {Severity.WARNING}
    assert {dict(found.parameters)["doubt"] for found in findings} == {"edited_by_another"}


def test_an_edit_mark_that_names_somebody_is_shown_unless_it_is_a_director() -> None:
    """Boards keep the mark among the words: whoever types one can put any name into it."""
    post = edit(make_post("喵"), "喵", at(4, "12:05"), editor="豆沙是狼")
    history = make_history(post, seen=[at(4, "12:06")])
    (found,) = check_history(history, CHANT, SoundCase(SECRET_NUMBER, DAYS))
    assert (found.code, found.severity) == ("C103", Severity.WARNING)
    assert dict(found.parameters) == {"place": "edit_mark", "text": "豆沙是狼", "doubt": "edited_by_another"}
    directed = SoundCase(SECRET_NUMBER, DAYS, directors=frozenset({"豆沙是狼"}))
    assert check_history(history, CHANT, directed) == ()
    late = make_history(make_post("喵"), post)
    assert [found.code for found in check_history(late, CHANT, SoundCase(SECRET_NUMBER, DAYS))] == ["C103"]
    night = make_history(edit(make_post("喵"), "喵", at(5, "22:05"), editor="豆沙是狼"), seen=[at(5, "22:06")])
    assert "C103" not in {found.code for found in check_history(night, CHANT, SoundCase(SECRET_NUMBER, DAYS))}


@pytest.mark.parametrize(
    ("marked", "seen", "severity"),
    [
        # Before the post was there: the words' own board contradicts it.
        (at(3, "9:00"), at(4, "13:00"), Severity.ERROR),
        (at(2, "20:00"), at(4, "13:00"), Severity.ERROR),
        # After the look: only the looker's clock contradicts it.
        (at(5, "22:00"), at(4, "13:00"), Severity.WARNING),
        (at(4, "13:30"), at(4, "13:00"), Severity.WARNING),
    ],
)
def test_an_edit_mark_whose_time_cannot_be_true_was_typed_and_frees_nothing(
    marked: datetime, seen: datetime, severity: Severity
) -> None:
    history = make_history(edit(make_post("狼"), "狼", marked), seen=[seen])
    typed, found = check_history(history, CHANT, SoundCase(SECRET_NUMBER, DAYS))
    assert (typed.code, typed.severity, dict(typed.parameters)["place"]) == ("C103", severity, "edit_mark")
    assert (found.code, found.severity, found.codepoint) == ("C101", Severity.ERROR, "U+72FC")


def test_a_typed_edit_mark_softens_nothing_though_it_names_another() -> None:
    history = make_history(edit(make_post("狼"), "狼", at(3, "9:00"), editor="版主"), seen=[at(4, "13:00")])
    assert {found.severity for found in check_history(history, CHANT, SoundCase(SECRET_NUMBER, DAYS))} == {Severity.ERROR}


@pytest.mark.parametrize("marked", [at(4, "12:00"), at(4, "13:05")])
def test_an_edit_mark_of_the_minute_of_the_post_or_a_little_ahead_of_the_looker_is_believed(marked: datetime) -> None:
    """A board prints minutes, and the looker's clock may be slow by some."""
    post = make_post("狼", posted=at(4, "12:00:40"))._replace(edited=EditMark(SEAT, marked))
    (found,) = check_history(make_history(post, seen=[at(4, "13:00")]), CHANT, SoundCase(SECRET_NUMBER, DAYS))
    assert (found.code, found.at) == ("C101", marked)


def test_where_the_page_gives_the_moment_itself_and_the_zone_may_be_wrong_a_mark_before_it_proves_nothing() -> None:
    post = edit(make_post("喵"), "喵", at(3, "20:00"))._replace(epoch=True)
    (found,) = check_history(make_history(post, seen=[at(4, "13:00")]), CHANT, SoundCase(SECRET_NUMBER, DAYS))
    assert (found.code, found.severity) == ("C103", Severity.WARNING)


@pytest.mark.parametrize(
    ("posted", "flaw", "severity"),
    [
        # 「1 小时前」, seen at 10:30: posted at 9:30, or up to an hour earlier.
        (at(3, "9:30"), Flaw("A112", (("printed", "1 小时前"), ("margin", "3599"))), Severity.WARNING),
        (at(3, "10:30"), Flaw("A112", (("printed", "1 小时前"), ("margin", "3599"))), Severity.ERROR),
        (at(3, "9:30"), Flaw("A112", (("printed", "昨天 09:30"), ("margin", "0"))), Severity.ERROR),
        # A time that could not be read at all: the post is as old as may be.
        (at(3, "10:30"), Flaw("A105", (("printed", "某日"),)), Severity.WARNING),
    ],
)
def test_a_relative_time_that_reaches_over_the_opening_proves_nothing(posted: datetime, flaw: Flaw, severity: Severity) -> None:
    post = make_post("狼", posted=posted)._replace(exact_seconds=False, flaws=(flaw,))
    (found,) = check_history(make_history(post, seen=[at(3, "10:31")]), CHANT, SoundCase(SECRET_NUMBER, DAYS))
    assert found.severity is severity
    assert dict(found.parameters).get("doubt") == ("time_unknown" if severity is Severity.WARNING else None)


def test_a_revision_that_says_the_same_is_not_reported_twice() -> None:
    post = make_post("狼")
    again = post._replace(comments=(Comment("豆沙", 8, "?", at(4, "12:01")),), noise=(Noise("x9", 1, at_end=True),))
    assert len(check_history(make_history(post, again), CHANT, SoundCase(SECRET_NUMBER, DAYS))) == 1


def test_an_unmarked_edit_lies_between_two_looks() -> None:
    post = make_post("喵", posted=at(5, "20:59:30"))
    history = make_history(post, post._replace(message=read_message("狼")), seen=[at(5, "20:59:50"), at(5, "21:00:20")])
    (found,) = check_history(history, CHANT, SoundCase(SECRET_NUMBER, DAYS))
    assert (found.source.revision, dict(found.parameters)["doubt"]) == (2, "time_unknown")


@pytest.mark.parametrize(
    ("posted", "expected"),
    [(NOON, [("C203", Severity.WARNING, "blocked")]), (at(5, "22:00"), []), (at(2, "12:00"), [])],
)
def test_a_post_that_was_never_shown_is_told_of_where_it_may_have_said_something(
    posted: datetime, expected: list[tuple[str, Severity, str]]
) -> None:
    post = make_post(EMPTY, posted=posted)._replace(state=PostState.BLOCKED)
    assert [(found.code, found.severity, dict(found.parameters)["why"]) for found in check(post)] == expected


def test_a_post_that_is_blocked_after_it_was_seen_is_no_other_text() -> None:
    post = make_post("喵")
    gone = post._replace(message=EMPTY, state=PostState.BLOCKED)
    history = make_history(post, gone, post, gone, post, gone)
    assert check_history(history, CHANT, SoundCase(SECRET_NUMBER, DAYS, measures=Measures(edit_texts=2))) == ()


def test_what_was_not_read_to_its_end_is_not_clean() -> None:
    (found,) = check(make_post("喵")._replace(flaws=(Flaw("A111", (("text", "游客，如果您要查看本帖隐藏内容请回复"),)),)))
    assert (found.code, found.severity, dict(found.parameters)["why"]) == ("C203", Severity.WARNING, "not_whole")


@pytest.mark.parametrize(
    ("first", "last", "day"),
    [
        (at(2, "20:00"), at(3, "10:00"), 2),
        (at(3, "10:00"), at(3, "11:00"), 2),
        (at(5, "20:00"), at(6, "12:00"), 2),
        (at(5, "22:00"), at(6, "12:00"), 3),
        (at(5, "22:00"), at(5, "23:00"), None),
    ],
)
def test_what_was_said_between_two_looks_belongs_to_the_first_day_that_it_touches(
    first: datetime, last: datetime, day: int | None
) -> None:
    assert find_day(Moment(first, last), DAYS[::-1]) == day


def test_a_day_that_closed_before_the_chant_is_not_the_day_of_what_was_said_in_it() -> None:
    assert find_day(Moment(at(5, "20:00"), at(6, "12:00")), DAYS, since=at(6, "9:30")) == 3


def test_a_post_lies_where_any_of_its_revisions_does() -> None:
    before = make_post("人", posted=at(2, "20:00"))
    night = make_post("喵", posted=at(5, "22:00"))
    for history, place in (
        (make_history(before), Placing.FREE),
        (make_history(before, edit(before, "喵", NOON)), Placing.INSIDE),
        (make_history(night), Placing.NIGHT),
        (make_history(night, edit(night, "喵喵", at(6, "10:00"))), Placing.INSIDE),
        (make_history(night._replace(posted_at=at(5, "21:00"), exact_seconds=False)), Placing.DOUBT),
    ):
        assert place_post(history, CHANT, DAYS) is place


def test_the_tail_of_a_broken_nested_quote_is_not_proved_to_be_the_players() -> None:
    """Boards end a block at the first [/quote]: only from a block that holds a literal [quote] can a tail have leaked."""
    nested = (Quote(None, None, "", "", "喵[quote]喵"),)
    for post in (make_post("包子是狼[/quote]\n喵"), make_post("包子是狼")._replace(flaws=(Flaw("A113"),))):
        findings = [found for found in check(post._replace(quotes=nested)) if found.code != "C103"]
        assert findings
        assert all(found.severity is Severity.WARNING for found in findings)


@pytest.mark.parametrize("quotes", [(), (Quote(None, None, "", "", "喵"),)])
def test_a_typed_end_of_a_quote_softens_nothing(quotes: tuple[Quote, ...]) -> None:
    post = make_post("包子是狼\n[/quote]")._replace(flaws=(Flaw("A113", (("closed", "1"),)),), quotes=quotes)
    assert {found.severity for found in check(post)} == {Severity.ERROR}
