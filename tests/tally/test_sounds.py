"""What a chanted player may post: characters, exemptions, places, windows and revisions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta, timezone

import pytest

from scraper.post import (
    EMPTY,
    Attachment,
    Code,
    Comment,
    EditMark,
    Flaw,
    History,
    Image,
    Message,
    Noise,
    Post,
    PostState,
    Quote,
    Rating,
    Revision,
    Smiley,
    Style,
    Text,
)
from tally.chant import Chant, list_chants
from tally.day import Day
from tally.finding import KINDS, Finding, Severity, sentence, severity
from tally.soundcase import SoundCase
from tally.soundchars import CharKind
from tally.soundfinding import SoundFinding
from tally.sounds import check_history, check_remarks, check_seat
from tally.soundsets import ASSERTION, M29, SECRET_NUMBER, TABLE, VEST, Punctuation, SoundRules
from tally.soundterms import SOUND_TERMS
from tally.words import term_words
from tests.tally.sound_samples import read_message

ZONE = timezone(timedelta(hours=8))
DISCUSSION, VOTE, PROGRESS = 1, 2, 3
SEAT = "包子"


def at(day: int, clock: str) -> datetime:
    """Give a moment of June 2018, to the second."""
    hour, minute, second = (*(int(part) for part in clock.split(":")), 0, 0)[:3]
    return datetime(2018, 6, day, hour, minute, second, tzinfo=ZONE)


DAYS = (
    Day(2, at(3, "9:30"), at(5, "21:00"), VOTE, (DISCUSSION,), PROGRESS, chanted=(SEAT,)),
    Day(3, at(6, "9:30"), at(8, "21:00"), VOTE, (DISCUSSION,), PROGRESS),
)
CHANT = Chant(SEAT, at(3, "9:30"))
NOON = at(4, "12:00")


def make_post(words: str | Message, posted: datetime = NOON, tid: int = DISCUSSION) -> Post:
    """Make a post of the chanted seat; `words` as they are typed."""
    return Post(tid, 88, "12#", SEAT, 7, posted, read_message(words) if isinstance(words, str) else words)


def make_history(*revisions: Post, seen: Sequence[datetime] = ()) -> History:
    """Make a history: each revision is seen a minute after the one before unless `seen` says when."""
    times = seen or [revisions[0].posted_at + timedelta(minutes=count) for count in range(1, len(revisions) + 1)]
    numbered = tuple(Revision(count, when, post) for count, (when, post) in enumerate(zip(times, revisions, strict=True), 1))
    return History(numbered, PostState.NORMAL, numbered[-1].seen_at)


def check(
    words: str | Message | Post, rules: SoundRules = SECRET_NUMBER, tid: int = DISCUSSION, case: SoundCase | None = None
) -> tuple[SoundFinding, ...]:
    """Check one post of one revision, made at noon of a chanted day."""
    post = words if isinstance(words, Post) else make_post(words, tid=tid)
    return check_history(make_history(post), CHANT, case or SoundCase(rules, DAYS))


def list_places(findings: Sequence[SoundFinding]) -> list[tuple[str, int | None, int | None, str]]:
    """List code, line, column and code point of findings."""
    return [(found.code, found.source.line, found.source.column, found.codepoint) for found in findings]


# -- characters


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        (SECRET_NUMBER, "喵汪吱嘎哞咩喳嘤啾叽唧咯咕嘶呱吼嗷呜哒咪哼啊哈呲噜"),
        (VEST, "啊嗷嘎咕呱哼咴叽啾喵咩哞喔汪喳吱"),
        (M29, "哼唧平胸小老奶姨泡炮嘶"),
        (VEST, "喵 喵\n汪"),
        (M29, "哼\u3000哼\u00a0哼\u2006哼\t哼\n\n哼"),
        (SECRET_NUMBER, "[:smile:]喵[:cry:]"),
        (TABLE, "[:smile:] [:cry:]\n[:smile:]"),
        (SECRET_NUMBER, ""),
    ],
)
def test_sounds_smilies_white_space_and_line_ends_are_allowed(rules: SoundRules, words: str) -> None:
    assert [found for found in check(words, rules) if found.severity is Severity.ERROR] == []


@pytest.mark.parametrize(
    ("rules", "words", "expected"),
    [
        # J21: the second is a sound of two other systems, the third a mark.
        (VEST, "唧", [("C101", 1, 1, "U+5527")]),
        (VEST, "喵。", [("C110", 1, 2, "U+3002")]),
        (M29, "叽", [("C101", 1, 1, "U+53FD")]),
        (SECRET_NUMBER, "咴喔", [("C101", 1, 1, "U+54B4"), ("C101", 1, 2, "U+5594")]),
        (SECRET_NUMBER, "喵\n喵a7", [("C101", 2, 2, "U+0061"), ("C101", 2, 3, "U+0037")]),
        (SECRET_NUMBER, "喵🐱", [("C101", 1, 2, "U+1F431")]),
        (SECRET_NUMBER, "喵⭐", [("C101", 1, 2, "U+2B50")]),
        (SECRET_NUMBER, "喵\ue123", [("C101", 1, 2, "U+E123")]),
        (SECRET_NUMBER, "喵①Ⓐ", [("C101", 1, 2, "U+2460"), ("C101", 1, 3, "U+24B6")]),
        (SECRET_NUMBER, "喵⠓", [("C101", 1, 2, "U+2813")]),
        (SECRET_NUMBER, "喵\u200b喵", [("C102", 1, 2, "U+200B")]),
        (SECRET_NUMBER, "喵\u3164", [("C102", 1, 2, "U+3164")]),
        (SECRET_NUMBER, "喵\ufe0f", [("C102", 1, 2, "U+FE0F")]),
        (SECRET_NUMBER, "喵\U000e0101", [("C102", 1, 2, "U+E0101")]),
        (SECRET_NUMBER, "喵\u0308", [("C102", 1, 2, "U+0308")]),
        (SECRET_NUMBER, "\u202e喵汪\u202c", [("C102", 1, 1, "U+202E"), ("C102", 1, 4, "U+202C")]),
        (SECRET_NUMBER, "喵\x1c", [("C102", 1, 2, "U+001C")]),
        (M29, "\uf934\u2f29", [("C102", 1, 1, "U+F934"), ("C102", 1, 2, "U+2F29")]),
        (SECRET_NUMBER, "\uf934", [("C101", 1, 1, "U+F934")]),
        (SECRET_NUMBER, "喵~～…！", [("C110", 1, n, c) for n, c in ((2, "U+007E"), (3, "U+FF5E"), (4, "U+2026"), (5, "U+FF01"))]),
        (SECRET_NUMBER, "█─★", [("C110", 1, 1, "U+2588"), ("C110", 1, 2, "U+2500"), ("C110", 1, 3, "U+2605")]),
        (TABLE, "喵", [("C101", 1, 1, "U+55B5")]),
    ],
)
def test_other_characters_are_breaches_at_their_place(
    rules: SoundRules, words: str, expected: list[tuple[str, int, int, str]]
) -> None:
    findings = check(words, rules)
    assert list_places(findings) == expected
    assert all(found.severity is Severity.ERROR and found.seat == SEAT for found in findings)


def test_a_finding_names_post_revision_character_and_day() -> None:
    (found,) = check("[:smile:]喵人")
    # The smiley is as wide as its name in the archive's text: [:smile:] takes nine columns.
    assert (found.source.tid, found.source.pid, found.source.revision, found.source.floor) == (DISCUSSION, 88, 1, "12#")
    assert (found.source.line, found.source.column) == (1, 11)
    assert (found.codepoint, found.name) == ("U+4EBA", "CJK UNIFIED IDEOGRAPH-4EBA")
    assert (found.day, found.at) == (2, NOON)
    assert dict(found.parameters) == {"kind": "han"}


def test_a_character_that_the_board_lost_proves_nothing() -> None:
    (found,) = check("喵\ufffd")
    assert (found.code, found.severity) == ("C101", Severity.WARNING)


def test_the_style_of_words_does_not_hide_them() -> None:
    assert list_places(check("[color=white][size=1]喵狼[/size][/color]")) == [("C101", 1, 2, "U+72FC")]


def test_a_flood_of_breaches_is_cut_and_counted() -> None:
    findings = check("。" * 400 + "狼")
    assert len(findings) == 300
    assert dict(findings[-1].parameters)["more"] == "101"


@pytest.mark.parametrize(
    ("punctuation", "expected"),
    [
        (Punctuation.BREACH, [("C110", Severity.ERROR), ("C101", Severity.ERROR)]),
        (Punctuation.WARNING, [("C110", Severity.WARNING), ("C101", Severity.ERROR)]),
        (Punctuation.IGNORE, [("C101", Severity.ERROR)]),
    ],
)
def test_the_switch_softens_marks_and_nothing_else(punctuation: Punctuation, expected: list[tuple[str, Severity]]) -> None:
    findings = check("喵！狼", replace(SECRET_NUMBER, punctuation=punctuation))
    assert [(found.code, found.severity) for found in findings] == expected


def test_a_home_made_rule_may_forbid_smilies_and_white_space() -> None:
    rules = replace(SECRET_NUMBER, smilies=False, whitespace=False)
    assert list_places(check("喵[:smile:] 汪", rules)) == [("C103", 1, 2, ""), ("C101", 1, 11, "U+0020")]


def test_text_codes_are_smilies_only_where_the_surface_prints_them_so() -> None:
    textual = SoundCase(SECRET_NUMBER, DAYS, text_smilies=True)
    assert check("喵:lol喵:)喵{:2_25:}喵:'(", case=textual) == ()
    assert [found.codepoint for found in check("喵:)")] == ["U+003A", "U+0029"]
    assert list_places(check(":lol狼", case=textual)) == [("C101", 1, 5, "U+72FC")]


# -- exemptions


@pytest.mark.parametrize(
    "words",
    [
        "投票对象：包子\n投票理由：喵喵",
        "投票对象:饺子 投票理由:汪",
        "投票对象：包子投票理由：喵",
        "【投票对象】包子\n【投票理由】喵",
        "投票對象：青嵐\n投票理由：",
        "改票对象：豆沙\n改票理由：喵 喵",
        "投票对象：老王。\n投票理由：",
        "  投票对象：10号\n投票理由：[:smile:]",
        "投票理由：喵\n投票对象：【老王】",
        "投票对象：弃权",
        "1. 投票对象：老王！！\n● 投票理由：喵",
        "〖投\u200b票对象〗No.7\n〖投票理由〗",
        "投票对象 老王",
    ],
)
def test_the_ballots_target_is_exempt_and_its_reason_may_be_sounds_or_nothing(words: str) -> None:
    assert check(words, tid=VOTE) == ()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("投票对象：包子\n投票理由：狼", [("C101", 2, 6, "U+72FC")]),
        ("投票对象：包子 投票理由：狼", [("C101", 1, 14, "U+72FC")]),
        ("投票对象：包子。狼\n投票理由：喵", [("C110", 1, 8, "U+3002"), ("C101", 1, 9, "U+72FC")]),
        ("投票对象：包子（狼）", [("C110", 1, 8, "U+FF08"), ("C101", 1, 9, "U+72FC"), ("C110", 1, 10, "U+FF09")]),
        ("喵 投票对象：包", [("C101", 1, n, c) for n, c in ((3, "U+6295"), (4, "U+7968"), (5, "U+5BF9"), (6, "U+8C61"))]
         + [("C110", 1, 7, "U+FF1A"), ("C101", 1, 8, "U+5305")]),
        ("投票对象：包子\n包", [("C101", 2, 1, "U+5305")]),
    ],
)  # fmt: skip
def test_only_the_target_is_exempt(words: str, expected: list[tuple[str, int, int, str]]) -> None:
    assert list_places(check(words, tid=VOTE)) == expected


def test_with_the_roster_at_hand_only_a_known_name_is_exempt() -> None:
    names = SoundCase(SECRET_NUMBER, DAYS, names_target={"包子", "K 先生", "(笑)", "a，b"}.__contains__)
    for words in ("投票对象：包子", "投票对象：K 先生", "投票对象：(笑)", "投票对象：a，b", "投票对象：弃权。", "投票对象："):
        assert check(words, tid=VOTE, case=names) == ()
    assert list_places(check("投票对象：包子 狼", tid=VOTE, case=names)) == [("C101", 1, 9, "U+72FC")]
    (found,) = check("投票对象：我是狼", tid=VOTE, case=names)
    assert (found.code, found.severity, dict(found.parameters)["why"]) == ("C107", Severity.NOTE, "names_no_one")


def test_a_ballots_label_outside_the_vote_thread_is_noted() -> None:
    (found,) = check("投票对象：包子", tid=DISCUSSION)
    assert (found.code, dict(found.parameters)["why"]) == ("C107", "not_in_vote_thread")


def test_a_home_made_rule_has_its_own_exemptions() -> None:
    rules = replace(SECRET_NUMBER, exempt=("提名",))
    assert check("提名：包子", rules, tid=VOTE) == ()
    assert check("投票对象：", rules, tid=VOTE)[0].codepoint == "U+6295"


@pytest.mark.parametrize("words", ["申请加速", "申请延时", "申請加速\n喵", " 申请加速 喵喵", "\n申请延时"])
def test_a_request_in_its_fixed_form_is_exempt_in_the_progress_thread(words: str) -> None:
    assert check(words, tid=PROGRESS) == ()


@pytest.mark.parametrize(
    ("words", "tid", "first"),
    [
        ("申请加速", DISCUSSION, (1, 1)),
        ("申请加速", VOTE, (1, 1)),
        ("我申请加速", PROGRESS, (1, 1)),
        ("喵\n申请加速", PROGRESS, (2, 1)),
        ("申请加速！", PROGRESS, (1, 5)),
        ("申请加速因为包子是狼", PROGRESS, (1, 5)),
    ],
)
def test_any_other_request_is_checked(words: str, tid: int, first: tuple[int, int]) -> None:
    found = check(words, tid=tid)[0]
    assert (found.source.line, found.source.column) == first


# -- places where no text belongs


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


def test_words_in_a_code_block_are_words() -> None:
    assert list_places(check(Message(((Code("喵狼"),),)))) == [("C101", 1, 2, "U+72FC")]


def test_ascii_noise_at_line_ends_is_the_boards_and_all_other_hidden_text_is_not() -> None:
    post = make_post("喵\n喵")
    assert check(replace(post, noise=(Noise("r6$ x", 1, at_end=True), Noise("Qe", 2, at_end=True)))) == ()
    found = check(replace(post, noise=(Noise("abc", 2, at_end=False), Noise("狼", 1, at_end=True))))
    assert [(item.code, item.source.line) for item in found] == [("C103", 2), ("C103", 1)]


def test_text_that_its_author_set_invisible_is_a_breach_wherever_it_stands() -> None:
    own = Flaw("A116", (("text", "wolf"),))
    (found,) = check(replace(make_post("喵"), noise=(Noise("wolf", 1, at_end=True),), flaws=(own,)))
    assert (found.code, dict(found.parameters)) == ("C103", {"place": "hidden_text", "text": "wolf"})
    (found,) = check(replace(make_post("喵"), noise=(Noise("wolf", 1, at_end=False),), flaws=(own,)))
    assert found.source.line == 1


QUOTED = make_history(replace(make_post("我觉得包子不像狼\n他昨天投了[:lol:]豆沙", posted=at(3, "10:00")), pid=40, author="饺子"))
ARCHIVE = SoundCase(SECRET_NUMBER, DAYS, quoted={40: QUOTED}.get)


@pytest.mark.parametrize(
    "text",
    ["我觉得包子不像狼\n他昨天投了豆沙", "我觉得包子不像狼 他昨天投了[:lol:]豆沙", "我觉得包子不 ...", "我觉得包子不像狼…", ""],
)
def test_quoting_is_allowed(text: str) -> None:
    assert check(replace(make_post("喵"), quotes=(Quote(40, 1, "饺子", "2018-6-3 10:00", text),)), case=ARCHIVE) == ()


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
    (found,) = check(replace(make_post("喵"), quotes=(quote,)), case=ARCHIVE)
    assert (found.code, dict(found.parameters)["place"], found.severity) == ("C103", place, severity)


def test_a_quote_of_any_revision_is_right_and_of_an_edited_post_never_proved_wrong() -> None:
    first = QUOTED.first
    later = replace(first, message=read_message("我改主意了"), edited=EditMark("饺子", at(3, "11:00")))
    case = SoundCase(SECRET_NUMBER, DAYS, quoted={40: make_history(first, later)}.get)
    for text in ("我觉得包子不像狼", "我改主意了"):
        assert check(replace(make_post("喵"), quotes=(Quote(40, 1, "饺子", "", text),)), case=case) == ()
    (found,) = check(replace(make_post("喵"), quotes=(Quote(40, 1, "饺子", "", "又改了"),)), case=case)
    assert (found.severity, dict(found.parameters)["doubt"]) == (Severity.WARNING, "quoted_post_was_edited")


def test_an_unlinked_quote_proves_nothing_on_a_board_that_links_none() -> None:
    case = SoundCase(SECRET_NUMBER, DAYS, links_quotes=False)
    (found,) = check(replace(make_post("喵"), quotes=(Quote(None, None, "饺子", "", "包子是狼"),)), case=case)
    assert (found.code, found.severity) == ("C103", Severity.WARNING)


def test_the_reply_header_of_an_old_board_is_no_text() -> None:
    assert check(replace(make_post("喵"), quotes=(Quote(40, 1, "饺子", "", "", reply=True),))) == ()


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
    case = SoundCase(SECRET_NUMBER, DAYS, thread_titles={} if thread_title is None else {DISCUSSION: thread_title})
    assert [(found.code, found.severity) for found in check(replace(make_post("喵"), title=title), case=case)] == expected


def test_the_options_of_a_poll_are_breaches() -> None:
    case = SoundCase(SECRET_NUMBER, DAYS, polls={88: ("包子", "喵")})
    assert [dict(found.parameters)["text"] for found in check("喵", case=case)] == ["包子", "喵"]


def says(name: str, uid: int | None) -> bool:
    """Tell the chanted seat's account."""
    return name == SEAT and uid in (7, None)


def make_remarked(*comments: Comment, ratings: tuple[Rating, ...] = ()) -> Post:
    """Make a post of somebody else with remarks under it."""
    return replace(make_post("大家早"), pid=50, author="饺子", uid=9, comments=comments, ratings=ratings)


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
        make_history(replace(make_post("喵", posted=NOON + timedelta(hours=hour)), pid=90 + hour, signature=words))
        for hour, words in enumerate(["旧签名", "包子是狼", "包子是狼", ""])
    ]
    findings = check_seat(replace(CHANT, signature="旧签名"), SoundCase(SECRET_NUMBER, DAYS), posts)
    assert [(found.code, found.source.pid, dict(found.parameters)["place"]) for found in findings] == [("C103", 91, "signature")]
    assert check_seat(CHANT, SoundCase(SECRET_NUMBER, DAYS), posts) == ()


# -- from when to when


@pytest.mark.parametrize(
    ("posted", "end", "codes"),
    [
        (at(3, "9:29:59"), None, []),
        (at(3, "9:30"), None, ["C101"]),
        (at(5, "21:00"), None, ["C101"]),
        (at(5, "21:00:01"), None, ["C107"]),
        (at(6, "9:29:59"), None, ["C107"]),
        (at(6, "9:30"), None, ["C101"]),
        (at(4, "11:59:59"), NOON, ["C101"]),
        (at(4, "12:00"), NOON, []),
        (at(5, "22:00"), NOON, []),
    ],
)
def test_only_the_daytime_of_the_chant_is_checked(posted: datetime, end: datetime | None, codes: list[str]) -> None:
    history = make_history(make_post("狼", posted=posted))
    findings = check_history(history, replace(CHANT, end=end), SoundCase(SECRET_NUMBER, DAYS))
    assert [found.code for found in findings] == codes


def test_a_board_without_seconds_leaves_the_last_minute_in_doubt() -> None:
    post = replace(make_post("狼", posted=at(5, "21:00")), exact_seconds=False)
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
    return replace(post, message=read_message(words), edited=EditMark(editor, when))


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
    history = make_history(post, edit(post, "喵 已提醒", at(4, "12:05"), editor="版主"))
    findings = check_history(history, CHANT, SoundCase(SECRET_NUMBER, DAYS))
    assert {found.severity for found in findings} == {Severity.WARNING}
    assert {dict(found.parameters)["doubt"] for found in findings} == {"edited_by_another"}


def test_a_revision_that_says_the_same_is_not_reported_twice() -> None:
    post = make_post("狼")
    again = replace(post, comments=(Comment("豆沙", 8, "?", at(4, "12:01")),), noise=(Noise("x9", 1, at_end=True),))
    assert len(check_history(make_history(post, again), CHANT, SoundCase(SECRET_NUMBER, DAYS))) == 1


def test_an_unmarked_edit_lies_between_two_looks() -> None:
    post = make_post("喵", posted=at(5, "20:59:30"))
    history = make_history(post, replace(post, message=read_message("狼")), seen=[at(5, "20:59:50"), at(5, "21:00:20")])
    (found,) = check_history(history, CHANT, SoundCase(SECRET_NUMBER, DAYS))
    assert (found.source.revision, dict(found.parameters)["doubt"]) == (2, "time_unknown")


def test_a_blocked_post_says_nothing() -> None:
    assert check(replace(make_post(EMPTY), state=PostState.BLOCKED)) == ()


def test_the_tail_of_a_broken_nested_quote_is_not_proved_to_be_the_players() -> None:
    for post in (make_post("包子是狼[/quote]\n喵"), replace(make_post("包子是狼"), flaws=(Flaw("A113"),))):
        findings = check(post)
        assert findings
        assert all(found.severity is Severity.WARNING for found in findings)


# -- all of a seat


def test_a_seats_posts_are_read_in_order_of_time_whatever_order_they_come_in() -> None:
    posts = [make_history(replace(make_post(words, posted=at(4, clock)), pid=pid)) for words, clock, pid in
             (("狼", "15:00", 70), ("喵", "14:00", 71), ("人", "13:00", 72))]  # fmt: skip
    findings = check_seat(CHANT, SoundCase(SECRET_NUMBER, DAYS), posts)
    assert [found.source.pid for found in findings] == [72, 70]


def test_check_seat_looks_at_remarks_under_anybodys_post() -> None:
    other = make_history(make_remarked(Comment(SEAT, 7, "喵", at(4, "12:30"))), seen=[at(4, "13:00")])
    own = make_history(make_post("喵"))
    findings = check_seat(CHANT, SoundCase(SECRET_NUMBER, DAYS), [own], [other], says)
    assert [(found.code, found.seat, found.source.pid) for found in findings] == [("C103", SEAT, 50)]


def test_a_finding_goes_into_the_registrys_form() -> None:
    (found,) = check("喵人")
    assert found.finding == Finding(
        "C101", (("codepoint", "U+4EBA"), ("name", "CJK UNIFIED IDEOGRAPH-4EBA"), ("kind", "han")), SEAT, found.source
    )
    assert sentence(found.finding) == "规定之外的字符 U+4EBA（汉字，CJK UNIFIED IDEOGRAPH-4EBA）"
    assert severity(found.finding) is Severity.ERROR


def test_a_softened_finding_keeps_its_severity_and_its_doubt_in_the_registrys_form() -> None:
    (mark,) = check("喵！", replace(SECRET_NUMBER, punctuation=Punctuation.WARNING))
    assert severity(mark.finding) is Severity.WARNING
    (lost,) = check("喵\ufffd")
    assert severity(lost.finding) is Severity.WARNING
    assert sentence(lost.finding).endswith("（不能证实：字符在读取时丢失）")


def test_every_code_has_a_sentence_in_both_languages_and_every_word_in_it_a_name() -> None:
    for code in ("C101", "C102", "C103", "C104", "C105", "C106", "C107", "C110"):
        assert KINDS[code].chinese != KINDS[code].english
    suspect = Finding("C105", (("measures", "morse 3 1, edges first 3/4"), ("symbols", "8"), ("kinds", "2"), ("entropy", "0.54")))
    assert sentence(suspect) == "叫声有规律，可能是密码（像电码的分组 3 1, 行首或行尾 行首 3/4；8 声 2 种，每声 0.54 比特）"
    assert {kind.value for kind in CharKind} <= set(SOUND_TERMS)


def test_smilies_of_a_post_are_no_words() -> None:
    assert check(Message(((Smiley("狼"),),))) == ()


def test_no_word_of_the_sounds_is_taken_already() -> None:
    assert [term for term, names in SOUND_TERMS.items() if term_words(term) != names[0]] == []
