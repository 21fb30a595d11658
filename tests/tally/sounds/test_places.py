"""Places where a chanted player may leave no text: pictures, quotes, titles, remarks, signatures."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from scraper.post import (
    Attachment,
    Code,
    Comment,
    EditMark,
    Flaw,
    Image,
    Message,
    Noise,
    Quote,
    Rating,
    Style,
    Text,
)
from tally.finding import Severity
from tally.sounds.case import SoundCase
from tally.sounds.check import check_history, check_remarks, check_seat
from tally.sounds.sets import SECRET_NUMBER
from tests.tally.sounds.posts import (
    CHANT,
    DAYS,
    DISCUSSION,
    NOON,
    SEAT,
    at,
    check,
    list_places,
    make_history,
    make_post,
    make_remarked,
    says,
)
from tests.tally.sounds.samples import read_message


@pytest.mark.parametrize(
    ("line", "column", "place"),
    [
        ((Text("喵"), Image("http://example.net/狼.png")), 2, "image"),
        ((Attachment("包子是狼.txt"),), 1, "attachment"),
        ((Text("喵"), Text("喵", Style(link="http://example.net/"))), 2, "link"),
        ((Text("喵喵"), Text("汪", hidden=True)), 3, "hidden_text"),
    ],
)
def test_pictures_files_links_and_hidden_text_are_breaches(
    line: tuple[Text | Image | Attachment, ...], column: int, place: str
) -> None:
    (found,) = check(Message((line,)))
    assert (found.code, found.source.line, found.source.column) == ("C103", 1, column)
    assert dict(found.parameters)["place"] == place


def test_one_link_over_two_runs_of_words_is_one_finding() -> None:
    line = (
        Text("喵", Style(link="http://a/")),
        Text("喵", Style(link="http://a/", bold=True)),
        Text("喵", Style(link="http://b/")),
    )
    assert [found.source.column for found in check(Message((line,)))] == [1, 3]


def test_words_in_a_code_block_are_words() -> None:
    assert list_places(check(Message(((Code("喵狼"),),)))) == [("C101", 1, 2, "U+72FC")]


def test_ascii_noise_at_line_ends_is_the_boards_and_all_other_hidden_text_is_not() -> None:
    post = make_post("喵\n喵")
    assert check(post._replace(noise=(Noise("r6$ x", 1, at_end=True), Noise("Qe", 2, at_end=True)))) == ()
    found = check(post._replace(noise=(Noise("abc", 2, at_end=False), Noise("狼", 1, at_end=True))))
    assert [(item.code, item.source.line) for item in found] == [("C103", 2), ("C103", 1)]


def test_text_that_its_author_set_invisible_is_a_breach_wherever_it_stands() -> None:
    own = Flaw("A116", (("text", "wolf"),))
    (found,) = check(make_post("喵")._replace(noise=(Noise("wolf", 1, at_end=True),), flaws=(own,)))
    assert (found.code, dict(found.parameters)) == ("C103", {"place": "hidden_text", "text": "wolf"})
    (found,) = check(make_post("喵")._replace(noise=(Noise("wolf", 1, at_end=False),), flaws=(own,)))
    assert found.source.line == 1


def test_files_below_the_words_are_a_breach_in_the_revision_that_has_them() -> None:
    filed = make_post("喵")._replace(flaws=(Flaw("A124", (("files", "狼.txt、包子.png"),)),))
    (found,) = check(filed)
    assert (found.code, dict(found.parameters)) == ("C103", {"place": "attachment", "text": "狼.txt、包子.png"})
    history = make_history(make_post("喵"), filed)
    assert [one.source.revision for one in check_history(history, CHANT, SoundCase(SECRET_NUMBER, DAYS))] == [2]


QUOTED = make_history(make_post("我觉得包子不像狼\n他昨天投了[:lol:]豆沙", posted=at(3, "10:00"))._replace(pid=40, author="饺子"))
ARCHIVE = SoundCase(SECRET_NUMBER, DAYS, quoted={40: QUOTED}.get)


@pytest.mark.parametrize(
    "text",
    ["我觉得包子不像狼\n他昨天投了豆沙", "我觉得包子不像狼 他昨天投了[:lol:]豆沙", "我觉得包子不 ...", "我觉得包子不像狼…", ""],
)
def test_quoting_is_allowed(text: str) -> None:
    assert check(make_post("喵")._replace(quotes=(Quote(40, 1, "饺子", "2018-6-3 10:00", text),)), case=ARCHIVE) == ()


@pytest.mark.parametrize(
    ("quote", "place", "severity"),
    [
        (Quote(40, 1, "饺子", "", "我觉得包子就是狼"), "altered_quote", Severity.ERROR),
        (Quote(40, 1, "饺子", "", "我觉得包子不像狼，豆沙像"), "altered_quote", Severity.ERROR),
        (Quote(40, 1, "饺子", "", "包子不像狼"), "altered_quote", Severity.WARNING),
        (Quote(40, 1, "我是预言家", "", "我觉得包子不像狼"), "altered_quote_author", Severity.ERROR),
        (Quote(None, None, "", "", "包子是狼"), "handmade_quote", Severity.ERROR),
        (Quote(None, None, "", "", "喵"), "handmade_quote", Severity.ERROR),
        (Quote(41, 1, "豆沙", "", "包子是狼"), "quote", Severity.WARNING),
    ],
)
def test_writing_inside_a_quote_is_not(quote: Quote, place: str, severity: Severity) -> None:
    (found,) = check(make_post("喵")._replace(quotes=(quote,)), case=ARCHIVE)
    assert (found.code, dict(found.parameters)["place"], found.severity) == ("C103", place, severity)


@pytest.mark.parametrize(
    ("text", "severity"),
    [
        # What reads like the text of a smiley, or like an edit mark, was typed where the quoted post has none.
        ("我觉得包子不像狼\n他昨天投了豆沙 本帖最后由 豆沙是狼人 编辑", Severity.ERROR),
        ("我觉得包子不像狼\n他昨天投了豆沙 本帖最后由 豆沙是狼 于 2018-6-3 10:10 编辑", Severity.ERROR),
    ],
)
def test_a_typed_edit_mark_inside_a_quote_is_text(text: str, severity: Severity) -> None:
    (found,) = check(make_post("喵")._replace(quotes=(Quote(40, 1, "饺子", "", text),)), case=ARCHIVE)
    assert (found.code, found.severity) == ("C103", severity)


def test_the_quoted_posts_own_edit_mark_may_be_copied_along() -> None:
    edited = QUOTED.first._replace(edited=EditMark("饺子", at(3, "10:10")))
    case = SoundCase(SECRET_NUMBER, DAYS, quoted={40: make_history(edited)}.get)
    text = "本帖最后由 饺子 于 2018-6-3 10:10 编辑 \n我觉得包子不像狼"
    assert check(make_post("喵")._replace(quotes=(Quote(40, 1, "饺子", "", text),)), case=case) == ()


@pytest.mark.parametrize(
    ("kind", "what"),
    [
        ("image", "http://x/狼.png"),
        ("attachment", "狼.txt"),
        ("code", "豆沙是狼"),
        ("link", "http://x/"),
        ("smiley_code", "[:豆沙是狼:]"),
    ],
)
def test_what_is_put_among_quoted_words_is_a_breach_unless_the_quoted_post_has_it(kind: str, what: str) -> None:
    quote = Quote(40, 1, "饺子", "", "我觉得包子不像狼", added=((kind, what),))
    (found,) = check(make_post("喵")._replace(quotes=(quote,)), case=ARCHIVE)
    assert (found.code, found.severity) == ("C103", Severity.ERROR)
    assert dict(found.parameters) == {"place": "altered_quote", "text": what, "quote": "1"}
    (unknown,) = check(make_post("喵")._replace(quotes=(replace(quote, pid=41, text="喵"),)), case=ARCHIVE)
    assert (unknown.severity, dict(unknown.parameters)["doubt"]) == (Severity.WARNING, "quoted_post_not_archived")
    tokens: dict[str, Image | Attachment | Code | Text] = {
        "image": Image("http://x/狼.png"),
        "attachment": Attachment("狼.txt"),
        "code": Code("豆沙是狼"),
        "link": Text("", Style(link="http://x/")),
        "smiley_code": Text("[:豆沙是狼:]"),
    }
    holder = QUOTED.first._replace(message=Message((*QUOTED.first.message.lines, (tokens[kind],))))
    case = SoundCase(SECRET_NUMBER, DAYS, quoted={40: make_history(holder)}.get)
    assert check(make_post("喵")._replace(quotes=(quote,)), case=case) == ()


def test_styles_among_quoted_words_are_a_suspect() -> None:
    """Who colours letters of another's words spells with them."""
    quote = Quote(40, 1, "饺子", "", "我觉得包子不像狼", added=(("style", "color"),))
    (found,) = check(make_post("喵")._replace(quotes=(quote,)), case=ARCHIVE)
    assert (found.code, found.severity, dict(found.parameters)["measures"]) == ("C104", Severity.WARNING, "quote_styles color")


def test_a_quote_of_any_revision_is_right_and_of_an_edited_post_never_proved_wrong() -> None:
    first = QUOTED.first
    later = first._replace(message=read_message("我改主意了"), edited=EditMark("饺子", at(3, "11:00")))
    case = SoundCase(SECRET_NUMBER, DAYS, quoted={40: make_history(first, later)}.get)
    for text in ("我觉得包子不像狼", "我改主意了"):
        assert check(make_post("喵")._replace(quotes=(Quote(40, 1, "饺子", "", text),)), case=case) == ()
    (found,) = check(make_post("喵")._replace(quotes=(Quote(40, 1, "饺子", "", "又改了"),)), case=case)
    assert (found.severity, dict(found.parameters)["doubt"]) == (Severity.WARNING, "quoted_post_was_edited")


def test_a_quoted_post_that_changed_without_a_mark_proves_nothing_either() -> None:
    later = QUOTED.first._replace(message=read_message("我改主意了"))
    case = SoundCase(SECRET_NUMBER, DAYS, quoted={40: make_history(QUOTED.first, later)}.get)
    (found,) = check(make_post("喵")._replace(quotes=(Quote(40, 1, "饺子", "", "又改了"),)), case=case)
    assert found.severity is Severity.WARNING


def test_an_unlinked_quote_proves_nothing_on_a_board_that_links_none() -> None:
    case = SoundCase(SECRET_NUMBER, DAYS, links_quotes=False)
    (found,) = check(make_post("喵")._replace(quotes=(Quote(None, None, "饺子", "", "包子是狼"),)), case=case)
    assert (found.code, found.severity) == ("C103", Severity.WARNING)


def test_the_reply_header_of_an_old_board_is_no_text() -> None:
    assert check(make_post("喵")._replace(quotes=(Quote(40, 1, "饺子", "", "", reply=True),))) == ()


@pytest.mark.parametrize(
    ("title", "thread_title", "expected"),
    [
        ("", None, []),
        ("RE: 第二天讨论", "第二天讨论", []),
        ("回复 3# 的帖子", "第二天讨论", []),
        ("回复 #3 饺子 的帖子", "第二天讨论", [("C107", Severity.NOTE)]),
        ("RE: 包子是狼", None, [("C103", Severity.WARNING)]),
        ("RE: 包子是狼", "第二天讨论", [("C103", Severity.ERROR)]),
        ("包子是狼", "第二天讨论", [("C103", Severity.ERROR)]),
        ("喵", "第二天讨论", [("C103", Severity.ERROR)]),
    ],
)
def test_a_title_line_of_ones_own_is_a_breach(title: str, thread_title: str | None, expected: list[tuple[str, Severity]]) -> None:
    case = SoundCase(SECRET_NUMBER, DAYS, thread_titles={} if thread_title is None else {DISCUSSION: ("讨论", thread_title)})
    assert [(found.code, found.severity) for found in check(make_post("喵")._replace(title=title), case=case)] == expected


def test_what_stands_for_a_name_in_a_reply_title_and_is_nobodys_is_shown() -> None:
    """The board fills the name of an author in; a sentence in its place is somebody's own."""
    case = SoundCase(SECRET_NUMBER, DAYS, thread_titles={DISCUSSION: ("讨论",)}, authors=frozenset({"饺子", SEAT}))
    (found,) = check(make_post("喵")._replace(title="回复 3# 豆沙是狼快投他 的帖子"), case=case)
    assert (found.code, found.severity, dict(found.parameters)["doubt"]) == ("C103", Severity.WARNING, "nobody_of_that_name")
    (noted,) = check(make_post("喵")._replace(title="回复 3# 饺子 的帖子"), case=case)
    assert noted.code == "C107"


def test_the_options_of_a_poll_are_breaches() -> None:
    polled = make_post("喵")._replace(flaws=(Flaw("A125", (("options", "包子\n喵"),)),))
    found = check(polled)
    assert [(one.code, dict(one.parameters)["place"], dict(one.parameters)["text"]) for one in found] == [
        ("C103", "poll_option", "包子"),
        ("C103", "poll_option", "喵"),
    ]


def test_a_comment_under_anothers_post_is_a_breach_that_names_the_seat() -> None:
    post = make_remarked(Comment(SEAT, 7, "喵", at(4, "12:30")), Comment("豆沙", 8, "哈哈", at(4, "12:31")))
    (found,) = check_remarks(make_history(post, seen=[at(4, "13:00")]), CHANT, SoundCase(SECRET_NUMBER, DAYS), says)
    assert (found.code, found.severity, found.seat, found.source.pid) == ("C103", Severity.ERROR, SEAT, 50)
    assert dict(found.parameters) == {"place": "comment", "text": "喵"}


def test_a_comment_counts_by_its_own_time() -> None:
    comments = [Comment(SEAT, 7, "早", when) for when in (at(2, "12:00"), at(5, "22:00"), at(4, "12:00"))]
    history = make_history(make_remarked(*comments), seen=[at(6, "9:00")])
    findings = check_remarks(history, CHANT, SoundCase(SECRET_NUMBER, DAYS), says)
    assert [found.code for found in findings] == ["C107", "C103"]


def test_a_comment_of_a_board_without_seconds_is_in_doubt_at_the_close() -> None:
    post = make_remarked(Comment(SEAT, 7, "早", at(5, "21:00")))._replace(exact_seconds=False)
    (found,) = check_remarks(make_history(post, seen=[at(6, "9:00")]), CHANT, SoundCase(SECRET_NUMBER, DAYS), says)
    assert found.severity is Severity.WARNING


def test_a_remark_is_reported_once_over_all_revisions() -> None:
    comment = Comment(SEAT, 7, "早", at(4, "12:30"))
    history = make_history(make_remarked(comment), make_remarked(comment, Comment("豆沙", 8, "嗯", at(4, "12:40"))))
    assert len(check_remarks(history, CHANT, SoundCase(SECRET_NUMBER, DAYS), says)) == 1


def test_a_rating_reason_is_a_breach_when_it_was_surely_given_inside() -> None:
    before, after = make_remarked(), make_remarked(ratings=(Rating(SEAT, 7, "包子是狼"),))
    case = SoundCase(SECRET_NUMBER, DAYS)
    (inside,) = check_remarks(make_history(before, after, seen=[at(4, "12:10"), at(4, "12:20")]), CHANT, case, says)
    assert (inside.code, inside.severity) == ("C103", Severity.ERROR)
    (doubtful,) = check_remarks(make_history(before, after, seen=[at(5, "20:50"), at(5, "21:10")]), CHANT, case, says)
    assert (doubtful.severity, dict(doubtful.parameters)["doubt"]) == (Severity.WARNING, "time_unknown")


def test_an_empty_rating_reason_is_no_text() -> None:
    history = make_history(make_remarked(ratings=(Rating(SEAT, 7, " "),)))
    assert check_remarks(history, CHANT, SoundCase(SECRET_NUMBER, DAYS), says) == ()


def test_a_signature_changed_since_the_chanting_is_one_breach() -> None:
    posts = [
        make_history(make_post("喵", posted=NOON + timedelta(hours=hour))._replace(pid=90 + hour, signature=words))
        for hour, words in enumerate(["旧签名", "包子是狼", "包子是狼", ""])
    ]
    findings = check_seat(replace(CHANT, signature="旧签名"), SoundCase(SECRET_NUMBER, DAYS), posts)
    assert [(found.code, found.source.pid, dict(found.parameters)["place"]) for found in findings] == [("C103", 91, "signature")]
    assert check_seat(CHANT, SoundCase(SECRET_NUMBER, DAYS), posts) == ()


def test_a_signature_that_is_seen_after_the_release_is_free() -> None:
    history = make_history(make_post("喵")._replace(signature="包子是狼"), seen=[at(4, "18:00")])
    chant = replace(CHANT, signature="旧签名")
    case = SoundCase(SECRET_NUMBER, DAYS)
    assert len(check_history(history, replace(chant, end=at(4, "18:00:01")), case)) == 1
    assert check_history(history, replace(chant, end=at(4, "18:00")), case) == ()
