"""The formats: what opens a line as a label, and what is peeled off a value."""

from __future__ import annotations

import pytest

from tally.formats import FORMATS, Field, Form, Format, find_label, has_content, peel
from tally.names import Lexicon, index_names
from tally.policy import Edits
from tally.reading import Reading, choose_revision, read_post
from tally.roster import Poster, PosterKind
from tests.tally.make import Wrote, make_history, make_roster

NAMES = Lexicon(index_names(make_roster()), index_names(make_roster()))


def read(text: str, kind: PosterKind = PosterKind.SEAT) -> tuple[Reading, ...]:
    """The ballots of a post of 饺子 (or of a director) with these words."""
    history = make_history(Wrote(text), 0)
    revision = choose_revision(history, Edits.FIRST_SEEN)
    assert revision is not None
    if NAMES.glance.search(revision.post.message.text) is None:
        return ()
    return read_post(history, revision, Poster(kind, "饺子"), NAMES)


@pytest.mark.parametrize(("form", "text"), [(form, text) for form in FORMATS for text in form.takes])
def test_a_format_takes_its_examples(form: Format, text: str) -> None:
    (reading,) = read(text)
    assert (reading.form, reading.match.seat, reading.has_reason, reading.malformed) == (form.form, "饺子", True, False)


@pytest.mark.parametrize(("form", "text"), [(form, text) for form in FORMATS for text in form.leaves])
def test_a_format_leaves_what_is_none(form: Format, text: str) -> None:
    assert read(text) == ()


@pytest.mark.parametrize(
    "line",
    [
        "投票对象：包子",
        "  　投票对象：包子",
        "1. 投票对象：包子",
        "（2）投票对象：包子",
        "- 投票对象：包子",
        "★投票对象：包子",
        "【投票对象】包子",
        "[投票对象：包子]",
        "投\u200b票对象：包子",
        "\ufeff投票对象包子",
        "投票对象 包子",
    ],
)
def test_a_label_opens_a_line_after_spaces_list_marks_or_a_bracket(line: str) -> None:
    label = find_label(line)
    assert label is not None
    assert (label.field, label.form) == (Field.TARGET, Form.VOTE)
    (reading,) = read(line)
    assert reading.match.seat == "包子"


@pytest.mark.parametrize(
    "line",
    [
        "我的投票对象：包子",
        ">投票对象：包子",
        "【投票】投票对象：包子",
        "投 票对象：包子",
        "投\u202e票对象：包子",
        "投标对象：包子",
    ],
)
def test_a_label_that_does_not_open_its_line_is_none(line: str) -> None:
    assert find_label(line) is None


def test_a_proxy_label_needs_a_colon_or_a_bracket() -> None:
    assert find_label("代投感谢导演") is None
    for line in ("代投：豆沙", "【代投】豆沙", "代投:豆沙"):
        label = find_label(line)
        assert label is not None
        assert label.field is Field.PROXY


@pytest.mark.parametrize(
    ("value", "shortest"),
    [
        ("老王。", "老王"),
        ("老王。。！", "老王"),
        ("10号（他最可疑）", "10号"),
        ("10号（他最可疑", "10号"),
        ("【包子】", "包子"),
        ("“包子”（可疑）。", "包子"),
        ("包子】", "包子"),
        ("（包子", "包子"),
    ],
)
def test_stops_remarks_and_brackets_are_peeled(value: str, shortest: str) -> None:
    assert [*peel(value)][-1] == shortest


@pytest.mark.parametrize("value", ["包子（可疑）豆沙", "包子、豆沙", "包子。豆沙", "包子"])
def test_nothing_else_is_cut_off_to_make_a_name(value: str) -> None:
    assert [*peel(value)] == []


def test_a_whole_name_wins_over_peeling_it() -> None:
    known = index_names(make_roster(("(笑)", "投票理由", "K先生。")))
    names = Lexicon(known, known)
    for text, seat in [
        ("投票对象：(笑)\n投票理由：略", "(笑)"),
        ("投票对象：（笑）\n投票理由：略", "(笑)"),
        ("投票对象：投票理由\n投票理由：略", "投票理由"),
        ("投票对象：投票理由 投票理由：略", "投票理由"),
        ("投票对象：K先生。\n投票理由：略", "K先生。"),
        ("投票对象：(笑)（他最可疑）\n投票理由：略", "(笑)"),
    ]:
        history = make_history(Wrote(text), 0)
        (reading,) = read_post(history, history.revisions[0], Poster(PosterKind.SEAT, "x"), names)
        assert (reading.match.seat, reading.has_reason) == (seat, True), text


def test_the_target_is_kept_as_it_was_written() -> None:
    for text, raw in [
        ("投票对象：10号（他最可疑）。\n投票理由：略", "10号（他最可疑）。"),
        ("投票对象： 包\u200b子 投票理由：略", "包\u200b子"),
        ("投票对象：包子\n投票对象：豆沙\n投票理由：略", "包子\n豆沙"),
        ("投票对象：\n投票理由：略", ""),
    ]:
        (reading,) = read(text)
        assert reading.raw == raw


def test_brackets_and_colons_alone_are_no_reason() -> None:
    assert not has_content("：【】 \u200b")
    assert has_content("略")
    assert has_content("。")


def test_a_directors_post_holds_a_ballot_for_each_proxy() -> None:
    proxies = [("豆沙", "包子"), ("青岚", "弃权"), ("无名", "包子")]
    text = "\n".join(f"代投：{voter}\n投票对象：{target}\n投票理由：略" for voter, target in proxies)
    readings = read(text, PosterKind.DIRECTOR)
    assert [(reading.voter, reading.raw, reading.proxy) for reading in readings] == [
        ("豆沙", "包子", True),
        ("青岚", "弃权", True),
    ]
    assert len({reading.order for reading in readings}) == 2
    assert read("投票对象：包子\n投票理由：略", PosterKind.DIRECTOR) == ()


@pytest.mark.parametrize(
    ("written", "conditional"),
    [("如果他没来", True), ("若他没来", True), ("要是他没来", True), ("若干疑点", False), ("宛若游龙", False)],
)
def test_a_condition_in_a_proxy_is_seen(written: str, conditional: bool) -> None:
    (reading,) = read(f"代投：豆沙\n投票对象：包子\n投票理由：{written}", PosterKind.DIRECTOR)
    assert reading.conditional is conditional


def test_a_players_name_is_no_condition() -> None:
    known = index_names(make_roster(("若水", "豆沙")))
    names = Lexicon(known, known)
    history = make_history(Wrote("代投：豆沙\n投票对象：若水\n投票理由：略"), 0)
    (reading,) = read_post(history, history.revisions[0], Poster(PosterKind.DIRECTOR, "导演"), names)
    assert not reading.conditional
