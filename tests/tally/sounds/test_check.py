"""What a chanted player may write: characters, exemptions, and all of his posts together."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scraper.post import (
    Comment,
    Message,
    Smiley,
)
from tally.finding import KINDS, Finding, Severity, sentence, severity
from tally.sounds.case import SoundCase
from tally.sounds.chars import CharKind
from tally.sounds.check import check_seat
from tally.sounds.sets import M29, SECRET_NUMBER, TABLE, VEST, Punctuation, SoundRules
from tally.sounds.terms import SOUND_TERMS
from tally.sounds.words import Surroundings, read_words, show_smiley
from tally.words import term_words
from tests.tally.sounds.posts import (
    CHANT,
    DAYS,
    DISCUSSION,
    NOON,
    PROGRESS,
    SEAT,
    VOTE,
    at,
    check,
    list_places,
    make_history,
    make_post,
    make_remarked,
    says,
)
from tests.tally.sounds.samples import read_message

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


def test_a_flood_of_softened_marks_hides_no_breach() -> None:
    findings = check("。" * 400 + "狼", replace(SECRET_NUMBER, punctuation=Punctuation.WARNING))
    assert [found.code for found in findings if found.severity is Severity.ERROR] == ["C101"]


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
    # It must name someone: what names nobody is words, and sounds are sounds.
    assert list_places(check("投票对象：我是狼", tid=VOTE, case=names)) == [
        ("C101", 1, 6, "U+6211"),
        ("C101", 1, 7, "U+662F"),
        ("C101", 1, 8, "U+72FC"),
    ]
    assert list_places(check("投票对象：包子是狼", tid=VOTE, case=names))[0] == ("C101", 1, 6, "U+5305")
    assert check("投票对象：喵喵", tid=VOTE, case=names) == ()


def test_a_ballots_label_outside_the_vote_thread_is_noted() -> None:
    (found,) = check("投票对象：包子", tid=DISCUSSION)
    assert (found.code, dict(found.parameters)["why"]) == ("C107", "not_in_vote_thread")


def test_a_home_made_rule_has_its_own_exemptions() -> None:
    rules = replace(SECRET_NUMBER, exempt=("提名",))
    assert check("提名：包子", rules, tid=VOTE) == ()
    assert check("投票对象：", rules, tid=VOTE)[0].codepoint == "U+6295"


@pytest.mark.parametrize("words", ["投票对象包子", "投票对象包子[:smile:]", "投票對象包子 汪"])
def test_a_home_made_list_that_spells_a_label_does_not_hide_it(words: str) -> None:
    rules = replace(SECRET_NUMBER, chars=frozenset("投票对對象包子汪"))
    (found,) = check(words, rules, tid=DISCUSSION)
    assert (found.code, dict(found.parameters)["why"]) == ("C107", "not_in_vote_thread")


def test_smilies_between_sounds_pass_only_where_the_rule_allows_them() -> None:
    words = "喵[:smile:]汪"
    assert check(words) == ()
    assert list_places(check(words, replace(SECRET_NUMBER, smilies=False))) == [("C103", 1, 2, "")]
    assert read_words(read_message(words), SECRET_NUMBER, Surroundings()).transcript == (f"喵{show_smiley('smile')}汪",)


@pytest.mark.parametrize(
    "words", ["申请加速", "申请延时", "申請加速\n喵", " 申请加速 喵喵", "\n申请延时", "【申请加速】", "(申请延时) 喵"]
)
def test_a_request_in_its_fixed_form_is_exempt_in_the_progress_thread(words: str) -> None:
    assert check(words, tid=PROGRESS) == ()


@pytest.mark.parametrize("words", ["申请缩短", "同意缩短 喵", "申请加速"])
def test_in_the_vests_game_a_shorter_day_is_asked_for_in_its_own_words(words: str) -> None:
    assert check(words, VEST, tid=PROGRESS) == ()


@pytest.mark.parametrize(
    ("words", "tid", "first"),
    [
        ("申请加速", DISCUSSION, (1, 1)),
        ("申请加速", VOTE, (1, 1)),
        ("我申请加速", PROGRESS, (1, 1)),
        ("喵\n申请加速", PROGRESS, (2, 1)),
        ("申请加速！", PROGRESS, (1, 5)),
        ("申请加速因为包子是狼", PROGRESS, (1, 5)),
        # No request for 加速 or 延时, or not in its form; a bracket without its pair.
        ("撤回申请", PROGRESS, (1, 1)),
        ("取消申请", PROGRESS, (1, 1)),
        ("加速申请", PROGRESS, (1, 1)),
        ("申请缩短", PROGRESS, (1, 1)),
        ("申请加速】", PROGRESS, (1, 5)),
        ("【申请加速", PROGRESS, (1, 1)),
    ],
)
def test_any_other_request_is_checked(words: str, tid: int, first: tuple[int, int]) -> None:
    found = check(words, tid=tid)[0]
    assert (found.source.line, found.source.column) == first


# -- all of a seat


def test_a_seats_posts_are_read_in_order_of_time_whatever_order_they_come_in() -> None:
    posts = [make_history(make_post(words, posted=at(4, clock))._replace(pid=pid)) for words, clock, pid in
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
