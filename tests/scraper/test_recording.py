"""Recorded passes are stored as if the board had just answered."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from scraper.archive import Archive
from scraper.errors import ArchiveError, BanshaError, BoardError, LayoutError, ThreadGoneError, ThreadMovedError, UsageError
from scraper.recording import save_recorded_passes
from tests.board.record import render_polls, save_polls
from tests.board.script import read_script
from tests.scraper.looks import TID, at, dump, open_archive

SCRIPT = """
[board]
charset = "gbk"
per_page = 2
noise = true
[[thread]]
tid = 7
title = "投票帖"
[[thread]]
tid = 9
title = "讨论帖"
[[post]]
tid = 7
pid = 1
author = "导演"
at = 2018-06-03T10:00:00
text = "开始投票"
[[post]]
tid = 7
pid = 2
author = "饺子"
at = 2018-06-03T10:05:00
text = "投票对象：包子☃"
edits = [ { at = 2018-06-03T11:30:00, text = "投票对象：豆沙" } ]
[[post]]
tid = 9
pid = 3
author = "导演"
at = 2018-06-03T10:05:30
text = "开始讨论"
[[post]]
tid = 7
pid = 4
author = "包子"
at = 2018-06-03T10:06:00
text = "我看看"
deleted = 2018-06-03T11:30:00
[[post]]
tid = 7
pid = 5
author = "豆沙"
at = 2018-06-03T10:07:00
text = "弃权"
blocked = 2018-06-03T12:30:00
[[pass]]
at = 2018-06-03T10:05:10
[[pass]]
at = 2018-06-03T11:00:00
gap = 3
skip = ["7-2"]
[[pass]]
at = 2018-06-03T12:00:00
gap = 2
tids = [9, 7, 8]
[[pass]]
at = 2018-06-03T13:00:00
gap = 2
tids = [7]
"""
RECORDED = render_polls(read_script(SCRIPT))


@pytest.fixture
def case(tmp_path: Path) -> Path:
    folder = tmp_path / "a_case"
    folder.mkdir()
    save_polls(folder, RECORDED)
    return folder


def test_passes_are_stored_in_their_order_and_their_dates_say_when_pages_were_seen(archive: Archive, case: Path) -> None:
    outcomes = save_recorded_passes(archive, case)
    assert [(outcome.tid, outcome.complete, outcome.missing) for outcome in outcomes] == [
        (7, True, ()),
        (7, False, (2,)),
        (9, True, ()),
        (7, True, ()),
        (8, False, (1,)),
        (9, True, ()),
        (7, True, ()),
    ]
    passes = archive.fetch_passes(TID)
    assert [one.started_at for one in passes] == [at("10:05:10"), at("11:00"), at("12:00:02"), at("13:00")]
    texts = {
        history.first.pid: [(one.seen_at, one.post.message.text) for one in history.revisions]
        for history in archive.fetch_histories(TID)
    }
    assert texts == {
        1: [(at("10:05:10"), "开始投票")],
        2: [(at("10:05:10"), "投票对象：包子☃"), (at("12:00:02"), "投票对象：豆沙")],
        5: [(at("12:00:04"), "弃权"), (at("13:00:02"), "")],
    }


def test_a_page_that_the_recording_does_not_hold_is_missing_by_name(archive: Archive, case: Path) -> None:
    outcomes = save_recorded_passes(archive, case)
    assert outcomes[1].why == "page 2: page 2 of thread 7 is not in the recording"
    assert [type(error) for error in outcomes[1].errors] == [BoardError]


def test_a_recorded_screen_is_told_with_the_file_that_holds_it(archive: Archive, case: Path) -> None:
    gone = save_recorded_passes(archive, case)[4]
    assert isinstance(gone.errors[0], ThreadGoneError)
    assert str(gone.errors[0]).startswith("a_case/polls/3/8-1.http: ")
    assert gone.exit_code == 4


def test_a_recorded_page_of_unknown_layout_is_told_and_not_copied(archive: Archive, case: Path) -> None:
    page = case / "polls" / "4" / "7-2.http"
    page.write_bytes(page.read_bytes().split(b"\r\n\r\n")[0] + b"\r\n\r\n<html><title>Redesigned</title></html>")
    last = save_recorded_passes(archive, case)[-1]
    assert (last.missing, last.exit_code) == ((2,), 8)
    assert isinstance(last.errors[0], LayoutError)
    assert "a_case/polls/4/7-2.http" in last.why
    assert not (archive.path.parent / "unreadable").exists()


def test_a_recorded_page_of_another_thread_is_missing_and_none_of_its_posts_are_stored(archive: Archive, case: Path) -> None:
    page, other = case / "polls" / "4" / "7-2.http", case / "polls" / "3" / "9-1.http"
    page.write_bytes(page.read_bytes().split(b"\r\n\r\n")[0] + b"\r\n\r\n" + other.read_bytes().split(b"\r\n\r\n", 1)[1])
    last = save_recorded_passes(archive, case)[-1]
    assert (last.tid, last.missing, last.complete, last.exit_code) == (7, (2,), False, 4)
    assert isinstance(last.errors[0], ThreadMovedError)
    assert "thread 7 was asked for, and a page of thread 9 came" in last.why
    assert [history.first.pid for history in archive.fetch_histories(TID)] == [1, 2, 5]


def test_storing_a_recording_again_changes_nothing(archive: Archive, case: Path) -> None:
    first = save_recorded_passes(archive, case)
    stored = dump(archive)
    second = save_recorded_passes(archive, case)
    assert dump(archive) == stored
    assert [(one.tid, one.why) for one in first] == [(one.tid, one.why) for one in second]


def test_the_same_recording_gives_the_same_rows_in_another_place(tmp_path: Path, case: Path) -> None:
    elsewhere = tmp_path / "other" / "a_case"
    shutil.copytree(case, elsewhere)
    with open_archive(tmp_path / "1.db") as one, open_archive(tmp_path / "2.db") as other:
        save_recorded_passes(one, case)
        save_recorded_passes(other, elsewhere)
        assert dump(one) == dump(other)


@pytest.mark.parametrize("change", ["edited", "added", "dated"])
def test_a_recording_that_was_changed_is_not_mixed_with_what_is_stored(archive: Archive, case: Path, change: str) -> None:
    save_recorded_passes(archive, case)
    stored = dump(archive)
    page = case / "polls" / "2" / "7-1.http"
    match change:
        case "edited":
            page.write_bytes(page.read_bytes().replace("包子".encode("gbk"), "豆沙".encode("gbk")))
        case "added":
            page.with_name("7-2.http").write_bytes((case / "polls" / "3" / "7-2.http").read_bytes())
        case "dated":
            last = case / "polls" / "4" / "7-2.http"
            last.write_bytes(last.read_bytes().replace(b"05:00:02 GMT", b"05:00:09 GMT"))
    with pytest.raises(ArchiveError, match="begin a new database"):
        save_recorded_passes(archive, case)
    assert dump(archive) == stored


def test_a_recorded_page_past_the_end_of_a_thread_that_shrank_is_no_mistake(archive: Archive, case: Path) -> None:
    polls = case / "polls" / "4"
    shutil.copy(polls / "7-2.http", polls / "7-3.http")
    for page in ("7-1.http", "7-2.http"):
        (polls / page).write_bytes((polls / page).read_bytes().replace("共 2 页".encode("gbk"), "共 3 页".encode("gbk")))
    outcome = save_recorded_passes(archive, case)[-1]
    assert (outcome.pages, outcome.seen, outcome.missing) == (2, (1, 2), ())
    assert outcome.why.startswith("the thread shrank from 3 pages to 2")


def test_folders_of_passes_are_ordered_as_numbers(archive: Archive, case: Path) -> None:
    polls = case / "polls"
    polls.joinpath("4").rename(polls / "10")
    assert [one.tid for one in save_recorded_passes(archive, case)] == [7, 7, 9, 7, 8, 9, 7]


def test_what_an_editor_leaves_beside_a_page_is_passed_over(archive: Archive, case: Path) -> None:
    for name in ("7-1.http~", "7-1.http.bak", ".7-1.http.swp", "notes.txt"):
        (case / "polls" / "1" / name).write_bytes(b"?")
    assert save_recorded_passes(archive, case)[0].complete


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        (lambda polls: (polls / "1" / "7-1.http").rename(polls / "1" / "7_1.http"), r"7_1\.http: a recorded page is named"),
        (lambda polls: (polls / "1" / "7-1.http").rename(polls / "1" / "7-1.http.txt"), r"7-1\.http\.txt: a recorded page"),
        (lambda polls: (polls / "1" / "7-1.http").rename(polls / "1" / "7-0.http"), r"7-0\.http: a recorded page is named"),
        (lambda polls: (polls / "1" / "7-1.http").unlink(), "this pass holds no page"),
        (lambda polls: (polls / "1").rename(polls / "first"), "folders named 1, 2, 3, …, not 'first'"),
        (lambda polls: (polls / "1").rename(polls / "9"), "passes are recorded in the order of their dates"),
        (lambda polls: (polls / "1" / "7-1.http").write_bytes(b"<html>"), r"polls/1/7-1\.http: line 1 must be a status line"),
        (
            lambda polls: shutil.copy(polls / "1" / "7-1.http", polls / "1" / "7-2.http"),
            r"polls/1/7-2\.http: by the pages before it the thread had no more than 1 then",
        ),
        (lambda polls: shutil.rmtree(polls), "holds no recorded pages"),
        (lambda polls: (polls.parent / "cassette.yaml").write_bytes(b""), r"holds polls/ and cassette\.yaml"),
    ],
)
def test_a_recording_that_cannot_be_used_is_an_error_that_says_why(
    archive: Archive, case: Path, broken: object, said: str
) -> None:
    assert callable(broken)
    broken(case / "polls")
    with pytest.raises(UsageError, match=said) as caught:
        save_recorded_passes(archive, case)
    assert isinstance(caught.value, BanshaError)
    assert caught.value.exit_code == 2


THREE = """
[board]
per_page = 10
[[thread]]
tid = 7
title = "投票帖"
[[post]]
tid = 7
pid = 1
author = "导演"
at = 2018-06-03T10:00:00
text = "开始投票"
[[post]]
tid = 7
pid = 2
author = "饺子"
at = 2018-06-03T10:05:00
text = "投票对象：包子\\n投票理由：好吃"
[[post]]
tid = 7
pid = 3
author = "豆沙"
at = 2018-06-03T10:06:00
text = "投票对象：包子\\n投票理由：也好吃"
[[pass]]
at = 2018-06-03T11:00:00
[[pass]]
at = 2018-06-03T12:00:00
"""


@pytest.mark.parametrize(("mark", "kept"), [("也好吃", [1, 2]), ('id="postmessage_2">', [1]), ('id="comment_3"', [1, 2])])
def test_a_recorded_page_that_stops_is_missing_and_gives_no_words_to_the_post_it_stops_in(
    tmp_path: Path, archive: Archive, mark: str, kept: list[int]
) -> None:
    case = tmp_path / "case"
    case.mkdir()
    save_polls(case, render_polls(read_script(THREE)))
    page = case / "polls" / "1" / "7-1.http"
    page.write_bytes(page.read_bytes()[: page.read_bytes().index(mark.encode()) + 1])
    broken, whole = save_recorded_passes(archive, case)
    assert (broken.missing, broken.complete, broken.exit_code, broken.new) == ((1,), False, 4, tuple(kept))
    assert "stops before its end" in broken.why
    assert (whole.complete, whole.new, whole.changed) == (True, tuple({1, 2, 3} - set(kept)), ())
    # By noon nothing is the matter with the page; until then it was.
    assert [one.flaw.code for one in archive.fetch_page_flaws(TID, known_at=at("11:30"))] == ["A120"]
    assert archive.fetch_page_flaws(TID) == ()
    assert {
        history.first.pid: [one.post.message.text for one in history.revisions] for history in archive.fetch_histories(TID)
    } == {
        1: ["开始投票"],
        2: ["投票对象：包子\n投票理由：好吃"],
        3: ["投票对象：包子\n投票理由：也好吃"],
    }
