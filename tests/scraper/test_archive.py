"""The archive keeps every revision of every post that was ever seen, and changes nothing that it holds."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

import scraper.page
from scraper.archive import Archive
from scraper.errors import ArchiveError, LayoutError
from scraper.page import PageGate, Slice
from scraper.post import Flaw, Post, PostState
from scraper.response import Response
from scraper.schema import DERIVED_TABLES, RAW_TABLES
from tests.board.script import Script, read_script
from tests.board.server import Board
from tests.scraper.looks import BOARD, DELETED, EDITED, TID, ZONE, at, dump, histories, look, open_archive, post, show, thread


def count_rows(archive: Archive) -> dict[str, int]:
    return {name: archive.database[name].count for name in (*RAW_TABLES, *DERIVED_TABLES)}


# What a look costs and keeps


def test_an_unchanged_page_costs_one_row_though_the_board_lives_on(archive: Archive) -> None:
    board = Board(EDITED, at("10:10"))
    look(archive, EDITED, at("10:10"), board=board)
    before = count_rows(archive)
    first, second = show(EDITED, at("10:10"), board=board).body, show(EDITED, at("10:40"), board=board).body
    assert first != second
    look(archive, EDITED, at("10:40"), board=board)
    after = count_rows(archive)
    assert {name: after[name] - before[name] for name in after if after[name] != before[name]} == {
        "passes": 1,
        "pass_ends": 1,
        "pages": 2,
    }


def test_only_the_post_that_changed_is_read_again(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    look(archive, EDITED, at("10:10"))
    read: list[int] = []
    real = scraper.page.read_post

    def read_post(page: PageGate, post: Slice, *, tid: int, seen_at: datetime, zone: ZoneInfo) -> Post:
        read.append(post.pid)
        return real(page, post, tid=tid, seen_at=seen_at, zone=zone)

    monkeypatch.setattr(scraper.page, "read_post", read_post)
    look(archive, EDITED, at("11:10"))
    assert read == [2]


def test_both_texts_of_an_edited_post_are_kept_with_when_they_were_seen(archive: Archive) -> None:
    assert look(archive, EDITED, at("10:10")).new == (1, 2, 3)
    outcome = look(archive, EDITED, at("11:10"))
    assert (outcome.new, outcome.changed) == ((), (2,))
    edited = histories(archive)[2]
    assert [(one.number, one.seen_at, one.post.message.text) for one in edited.revisions] == [
        (1, at("10:10"), "投票对象：包子"),
        (2, at("11:10"), "投票对象：豆沙"),
    ]
    assert edited.first.edited is None
    mark = edited.latest.edited
    assert mark is not None
    assert (mark.editor, mark.at) == ("饺子", at("11:00"))
    assert edited.last_seen == at("11:10")


def test_a_post_is_what_it_was_when_it_was_read(archive: Archive) -> None:
    response = show(EDITED, at("10:10"))
    read = scraper.page.read_page(
        response.body, tid=TID, seen_at=response.seen_at, zone=ZONE, content_type=response.header("Content-Type")
    )
    look(archive, EDITED, at("10:10"))
    stored = [history.first for history in archive.fetch_histories(TID, html=True)]
    assert len(read.posts) == 2
    for before, after in zip(read.posts, stored, strict=False):
        differing = [name for name in Post._fields if getattr(before, name) != getattr(after, name)]
        assert differing == ["gate"]


def test_a_post_edited_back_has_three_revisions_and_says_what_it_said_first(archive: Archive) -> None:
    there_and_back = """edits = [
      { at = 2018-06-03T11:00:00, text = "投票对象：豆沙", mark = false },
      { at = 2018-06-03T12:00:00, text = "投票对象：包子", mark = false },
    ]"""
    script = thread(post("饺子", "10:05", "投票对象：包子", there_and_back))
    for time in ("10:10", "11:10", "12:10", "12:20"):
        look(archive, script, at(time))
    revisions = histories(archive)[1].revisions
    assert [(one.number, one.seen_at, one.post.message.text) for one in revisions] == [
        (1, at("10:10"), "投票对象：包子"),
        (2, at("11:10"), "投票对象：豆沙"),
        (3, at("12:10"), "投票对象：包子"),
    ]
    assert archive.database["revisions"].count == 2


def test_floors_move_up_after_a_deletion_and_no_revision_comes_of_it(archive: Archive) -> None:
    script = thread(
        post("导演", "10:00", "开始投票"),
        post("饺子", "10:05", "我看看", "deleted = 2018-06-03T11:00:00"),
        *(post("包子", f"10:0{minute}", "投票对象：豆沙") for minute in (6, 7, 8, 9)),
        per_page=10,
    )
    look(archive, script, at("10:10"))
    floors = [histories(archive)[pid].latest.floor for pid in (5, 6)]
    look(archive, script, at("11:10"))
    moved = histories(archive)[6]
    assert floors[0] != floors[1]
    assert moved.latest.floor == floors[0]
    assert len(moved.revisions) == 1


# Posts that go


@pytest.mark.parametrize(
    ("looks", "state", "missing_since"),
    [
        ([("10:10", ())], PostState.NORMAL, None),
        ([("10:10", ()), ("11:10", ())], PostState.NORMAL, "11:10"),
        ([("10:10", ()), ("11:10", ()), ("11:20", ())], PostState.DELETED, "11:10"),
        ([("10:10", ()), ("11:10", ()), ("11:20", ()), ("11:30", ())], PostState.DELETED, "11:10"),
        # Its page came, and others did not: it cannot be on those. Its page did not come: it may be there.
        ([("10:10", ()), ("11:10", (2,)), ("11:20", ())], PostState.DELETED, "11:10"),
        ([("10:10", ()), ("11:10", (1,)), ("11:20", ())], PostState.NORMAL, "11:20"),
        ([("10:10", ()), ("11:10", ()), ("11:15", (1,)), ("11:20", ())], PostState.DELETED, "11:10"),
        # It came back: what was missed before is over.
        ([("10:10", ()), ("11:10", ()), ("11:20", ()), ("12:10", ())], PostState.NORMAL, None),
        ([("10:10", ()), ("11:10", ()), ("11:20", ()), ("12:10", (2,))], PostState.NORMAL, None),
    ],
)
def test_a_post_is_deleted_when_two_passes_in_a_row_do_not_find_it_where_it_must_be(
    archive: Archive, looks: list[tuple[str, tuple[int, ...]]], state: PostState, missing_since: str | None
) -> None:
    for time, lost in looks:
        look(archive, DELETED, at(time), lost=lost)
    gone = histories(archive)[2]
    assert (gone.state, gone.missing_since) == (state, at(missing_since) if missing_since else None)
    assert gone.latest.message.text == "我看看"
    states = dict(archive.database.conn.execute("SELECT pid, state FROM posts").fetchall())
    assert states[2] == state.value


def test_a_blocked_post_keeps_what_it_said_before(archive: Archive) -> None:
    look(archive, DELETED, at("10:10"))
    look(archive, DELETED, at("11:10"))
    blocked = histories(archive)[3]
    assert blocked.state is PostState.BLOCKED
    assert [one.post.message.text for one in blocked.revisions] == ["弃权", ""]


# What was known when


def test_what_was_known_at_a_moment_is_what_had_been_seen_by_then(archive: Archive) -> None:
    for script, time in ((DELETED, "10:10"), (DELETED, "11:10"), (DELETED, "11:20"), (EDITED, "12:10")):
        look(archive, script, at(time))
    states = []
    for time in ("10:09", "10:10", "11:10", "11:20", "12:10"):
        known = histories(archive, at(time))
        states.append([(pid, len(history.revisions), history.state) for pid, history in known.items() if pid < 4])
    assert states == [
        [],
        [(1, 1, PostState.NORMAL), (2, 1, PostState.NORMAL), (3, 1, PostState.NORMAL)],
        [(1, 1, PostState.NORMAL), (2, 1, PostState.NORMAL), (3, 2, PostState.BLOCKED)],
        [(1, 1, PostState.NORMAL), (2, 1, PostState.DELETED), (3, 2, PostState.BLOCKED)],
        [(1, 1, PostState.NORMAL), (2, 2, PostState.NORMAL), (3, 3, PostState.NORMAL)],
    ]
    assert [len(archive.fetch_passes(TID, known_at=at(time))) for time in ("10:09", "11:10", "12:10")] == [0, 2, 4]


def test_posts_come_in_the_order_of_posting_between_two_moments(archive: Archive) -> None:
    # pid 1 was posted last, and 2 and 3 in one second.
    script = thread(post("甲", "10:09", "三"), post("乙", "10:05", "一"), post("丙", "10:05", "二"), post("丁", "10:20", "四"))
    look(archive, script, at("10:30"))
    assert [history.first.pid for history in archive.fetch_histories(TID)] == [2, 3, 1, 4]
    between = archive.fetch_histories(TID, since=at("10:05"), until=at("10:20"))
    assert [history.first.pid for history in between] == [2, 3, 1]
    assert [history.first.pid for history in archive.fetch_histories(TID, since=at("10:05:01"))] == [1, 4]


@pytest.mark.parametrize("order", [("10:10", "11:10", "12:10"), ("12:10", "11:10", "10:10"), ("11:10", "12:10", "10:10")])
def test_passes_stored_out_of_their_order_give_the_same_histories(tmp_path: Path, order: tuple[str, ...]) -> None:
    there_and_back = 'edits = [{ at = 2018-06-03T11:00:00, text = "乙" }, { at = 2018-06-03T12:00:00, text = "丙" }]'
    script = thread(post("导演", "10:00", "开始"), post("饺子", "10:05", "甲", there_and_back))
    with open_archive(tmp_path / "game.db") as archive:
        for time in order:
            look(archive, script, at(time))
        revisions = histories(archive)[2].revisions
    assert [(one.number, one.seen_at, one.post.message.text) for one in revisions] == [
        (1, at("10:10"), "甲"),
        (2, at("11:10"), "乙"),
        (3, at("12:10"), "丙"),
    ]


def test_an_older_look_between_two_equal_ones_makes_the_later_one_a_return(archive: Archive) -> None:
    changed = """edits = [
      { at = 2018-06-03T11:00:00, text = "乙", mark = false },
      { at = 2018-06-03T12:00:00, text = "甲", mark = false },
    ]"""
    script = thread(post("饺子", "10:05", "甲", changed))
    for time in ("10:10", "12:10", "11:10"):
        look(archive, script, at(time))
    assert [(one.number, one.seen_at) for one in histories(archive)[1].revisions] == [
        (1, at("10:10")),
        (2, at("11:10")),
        (3, at("12:10")),
    ]


def test_rows_of_another_board_in_the_same_file_stay_apart(tmp_path: Path) -> None:
    path = tmp_path / "game.db"
    with open_archive(path) as ours, Archive.open(path, board="https://other.example.net/", zone=ZONE) as theirs:
        look(ours, EDITED, at("10:10"))
        look(theirs, EDITED, at("11:10"))
        assert [len(history.revisions) for history in ours.fetch_histories(TID)] == [1, 1, 1]
        assert histories(theirs)[2].first.message.text == "投票对象：豆沙"
        assert [one.started_at for one in theirs.fetch_passes(TID)] == [at("11:10")]
        assert ours.fetch_page_count(TID, at("12:00")) == 2
        assert ours.database["revisions"].count == 6


def test_a_renamed_thread_has_both_its_titles_in_the_order_of_time(archive: Archive) -> None:
    def named(title: str, *posts: str) -> Script:
        blocks = [f"[[post]]\ntid = {TID}\npid = {pid}\n{one}\n" for pid, one in enumerate(posts, start=1)]
        return read_script(f'[[thread]]\ntid = {TID}\ntitle = "{title}"\n' + "".join(blocks))

    assert archive.fetch_titles(TID) == ()
    first, second = post("导演", "10:00", "开始投票"), post("饺子", "10:15", "喵")
    look(archive, named("第二天", first), at("10:10"))
    look(archive, named("第二天 投票帖", first, second), at("10:20"))
    assert archive.fetch_titles(TID) == ("第二天", "第二天 投票帖")
    assert archive.fetch_titles(TID, known_at=at("10:15")) == ("第二天",)


# Two processes, and files that cannot be used


_PROCESS = """
import sys
from datetime import timedelta
from pathlib import Path
from tests.scraper.looks import BOARD, DELETED, EDITED, TID, ZONE, at, dump, histories, look, open_archive, post, show, thread
from tests.scraper.looks import BOARD, DELETED, EDITED, TID, ZONE, at, dump, histories, look, open_archive, post, show, thread
with open_archive(Path(sys.argv[1])) as archive:
    for minute in range(5):
        look(archive, EDITED, at("10:10") + timedelta(minutes=20 * minute, seconds=int(sys.argv[2])))
"""


def test_two_processes_on_one_new_file_wait_for_each_other(tmp_path: Path) -> None:
    path = tmp_path / "game.db"
    processes = [subprocess.Popen([sys.executable, "-c", _PROCESS, str(path), str(number)]) for number in range(2)]
    assert [process.wait(timeout=60) for process in processes] == [0, 0]
    with open_archive(path) as archive:
        assert len(archive.fetch_passes(TID)) == 10
        assert all(one.complete for one in archive.fetch_passes(TID))
        stored = dump(archive)
        archive.rebuild()
        assert dump(archive) == stored


def test_a_page_is_stored_whole_or_not_at_all(archive: Archive) -> None:
    pass_id = archive.begin_pass(TID, at("10:10"))
    before = dump(archive)
    # The last thing that a page needs is refused.
    archive.database.conn.execute(
        "CREATE TEMP TRIGGER stop BEFORE INSERT ON versions WHEN NEW.pid = 2 BEGIN SELECT RAISE(ABORT, 'stop'); END"
    )
    with pytest.raises(sqlite3.IntegrityError, match="stop"):
        archive.save_page(pass_id, show(EDITED, at("10:10")), 1)
    assert dump(archive) == before
    archive.database.conn.execute("DROP TRIGGER stop")
    assert archive.save_page(pass_id, show(EDITED, at("10:10")), 1).new == (1, 2)


def test_a_file_that_is_no_database_is_named_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "game.db"
    path.write_bytes(b"this is a diary, not a database\n" * 40)
    with pytest.raises(ArchiveError, match=r"game\.db: .*name another file with --db"):
        open_archive(path)
    assert path.read_bytes() == b"this is a diary, not a database\n" * 40


def test_a_folder_that_is_not_there_is_an_error_that_names_the_file(tmp_path: Path) -> None:
    with pytest.raises(ArchiveError, match=r"game\.db: .*the folder is missing"):
        open_archive(tmp_path / "nowhere" / "game.db")


def test_a_database_of_a_newer_bansha_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "game.db"
    with open_archive(path) as archive:
        archive.database.conn.execute(
            "INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES ('bansha.archive', 'm999_of_the_future', '')"
        )
    with pytest.raises(ArchiveError, match="newer bansha"):
        open_archive(path)


def test_a_full_disk_is_told_and_what_was_stored_stays(archive: Archive) -> None:
    look(archive, EDITED, at("10:10"), lost=(2,))
    before = dump(archive)
    connection = archive.database.conn
    pages = connection.execute("PRAGMA page_count").fetchone()[0]
    connection.execute(f"PRAGMA max_page_count = {pages}")
    big = thread(*(post("饺子", "10:05", "长" * 9000) for _ in range(3)), per_page=9)
    pass_id = archive.begin_pass(TID, at("12:10"))
    with pytest.raises(ArchiveError, match="the disk is full, or fails"):
        archive.save_page(pass_id, show(big, at("12:10")), 1)
    connection.execute("PRAGMA max_page_count = 0x7fffffff")
    after = dump(archive)
    assert all(row in after[name] for name, rows in before.items() for row in rows if name not in ("posts", "looks"))
    assert [len(history.revisions) for history in archive.fetch_histories(TID, known_at=at("10:10"))] == [1, 1]


def test_a_page_that_is_no_thread_page_stores_nothing(archive: Archive) -> None:
    pass_id = archive.begin_pass(TID, at("10:10"))
    before = dump(archive)
    response = Response(BOARD, 200, (), b"<html><title>Under construction</title></html>", at("10:10"))
    with pytest.raises(LayoutError, match=r"https://bbs\.example\.net/: .*Under construction"):
        archive.save_page(pass_id, response, 1)
    assert dump(archive) == before


def test_flaws_of_a_page_are_those_of_its_last_look(archive: Archive) -> None:
    whole = show(EDITED, at("10:10"))
    cut = Response(whole.url, 200, whole.headers, whole.body[: whole.body.rindex(b"</html")], at("10:10"))
    outcome = archive.save_page(archive.begin_pass(TID, at("10:10")), cut, 1)
    assert [flaw.code for flaw in outcome.flaws] == ["A120"]
    found = archive.fetch_page_flaws(TID)
    assert [(one.tid, one.number, one.seen_at, one.flaw.code) for one in found] == [(TID, 1, at("10:10"), "A120")]
    assert isinstance(found[0].flaw, Flaw)


# Pages of a recording


def stored(path: Path) -> int:
    """How many looks at pages somebody else finds in the file."""
    connection = sqlite3.connect(path)
    (count,) = connection.execute("SELECT count(*) FROM pages").fetchone()
    connection.close()
    return int(count)


def test_pages_that_are_gathered_are_written_with_what_comes_next(tmp_path: Path) -> None:
    path = tmp_path / "game.db"
    with open_archive(path) as archive:
        first = archive.begin_pass(TID, at("10:10"))
        archive.save_page(first, show(EDITED, at("10:10")), 1, gather=True)
        assert stored(path) == 0
        archive.flush()
        assert stored(path) == 1
        archive.save_page(first, show(EDITED, at("10:11"), 2), 2, gather=True)
        archive.end_pass(first, at("10:12"), pages=2, complete=True)
        assert stored(path) == 2
        archive.save_page(archive.begin_pass(TID, at("11:10")), show(EDITED, at("11:10")), 1, gather=True)
    assert stored(path) == 3


def test_a_page_that_is_refused_loses_none_of_those_gathered_before_it(archive: Archive) -> None:
    started = archive.begin_pass(TID, at("10:10"))
    archive.save_page(started, show(EDITED, at("10:10")), 1, gather=True)
    with pytest.raises(LayoutError):
        archive.save_page(started, Response(BOARD, 200, (), b"<html>x</html>", at("10:11")), 2, gather=True)
    archive.save_miss(started, 2, at("10:11"), "没有来")
    assert (stored(archive.path), archive.database["misses"].count) == (1, 1)
    differing = replace(show(EDITED, at("11:10")), seen_at=at("10:10"))
    with pytest.raises(ArchiveError, match="stored already"):
        archive.save_page(started, differing, 1, gather=True)
    archive.flush()
    assert (stored(archive.path), archive.database["page_contents"].count) == (1, 1)


def test_a_gathered_page_that_fails_half_stored_leaves_no_half_and_a_file_that_goes_on(archive: Archive) -> None:
    started = archive.begin_pass(TID, at("10:10"))
    archive.database.conn.execute(
        "CREATE TEMP TRIGGER stop BEFORE INSERT ON versions WHEN NEW.pid = 2 BEGIN SELECT RAISE(ROLLBACK, 'stop'); END"
    )
    before = dump(archive)
    # SQLite may have ended the transaction itself, as it does where the disk is full.
    with pytest.raises(sqlite3.IntegrityError, match="stop"):
        archive.save_page(started, show(EDITED, at("10:10")), 1, gather=True)
    assert dump(archive) == before
    archive.database.conn.execute("DROP TRIGGER stop")
    assert archive.save_page(started, show(EDITED, at("10:10")), 1, gather=True).new == (1, 2)
    archive.end_pass(started, at("10:12"), pages=2, complete=False)
    assert stored(archive.path) == 1
