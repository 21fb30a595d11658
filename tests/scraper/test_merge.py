"""Two archives of one board united: every look of both is kept, whoever unites with whom, and however often."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Collection, Iterator
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from scraper.archive import Archive
from scraper.errors import ArchiveError
from scraper.merge import MergeOutcome, merge_archive
from scraper.post import History, PostState
from scraper.response import Response
from tests.board.server import Board
from tests.scraper.looks import BOARD, TID, ZONE, at, dump, look, open_archive, post, show, thread

SCRIPT = thread(
    post("导演", "10:00", "开始投票"),
    post(
        "饺子",
        "10:05",
        "投票对象：包子",
        """edits = [
          { at = 2018-06-03T10:30:00, text = "投票对象：豆沙", mark = false },
          { at = 2018-06-03T11:30:00, text = "投票对象：汤圆" },
        ]""",
    ),
    post("包子", "10:06", "投票对象：饺子", "deleted = 2018-06-03T11:00:00"),
    post("豆沙", "10:07", "我看看"),
    post("汤圆", "11:05", "投票对象：包子"),
    # What the board puts between the lines against copying is other letters at each look.
    more="noise = true",
)
VIEWS = ("posts", "post_revisions")


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Archive]:
    (tmp_path / "here").mkdir()
    with open_archive(tmp_path / "here" / "game.db") as opened:
        yield opened


@pytest.fixture
def there(tmp_path: Path) -> Iterator[Archive]:
    (tmp_path / "there").mkdir()
    with open_archive(tmp_path / "there" / "game.db") as opened:
        yield opened


def watch(archive: Archive, *times: str, lost: Collection[int] = (), seed: int = 0) -> None:
    """Look at the thread at these times; each archive sees other noise."""
    board = Board(SCRIPT, at("10:00"))
    for _ in range(seed):
        show(SCRIPT, at(times[0]), board=board)
    for time in times:
        look(archive, SCRIPT, at(time), lost=lost, board=board)


def fill(here: Archive, there: Archive) -> None:
    watch(here, "10:10", "11:10", "12:10")
    watch(there, "10:35", "11:20", lost=[1], seed=1)
    watch(there, "10:40", "11:40", seed=1)


def both_ways(here: Archive, there: Archive, folder: Path) -> tuple[Archive, Archive]:
    """Here with there, and there with here."""
    copies = []
    for one in (here, there):
        copy = folder / f"{one.path.parent.name}-copy.db"
        with sqlite3.connect(copy) as target:
            one.database.conn.backup(target)
        copies.append(copy)
    merge_archive(here, copies[1])
    merge_archive(there, copies[0])
    return here, there


def views(archive: Archive) -> dict[str, list[tuple[object, ...]]]:
    return {name: rows for name, rows in dump(archive).items() if name in VIEWS}


def histories(archive: Archive) -> tuple[History, ...]:
    return tuple(archive.fetch_histories(TID, html=True))


def test_it_does_not_matter_who_unites_with_whom(here: Archive, there: Archive, tmp_path: Path) -> None:
    fill(here, there)
    one, other = both_ways(here, there, tmp_path)
    assert views(one) == views(other)
    assert histories(one) == histories(other)
    assert one.fetch_passes(TID) == other.fetch_passes(TID)
    assert len(one.fetch_passes(TID)) == 7
    # The same words in other noise are kept too.
    assert one.database["revisions"].count_where("twin > 0") == other.database["revisions"].count_where("twin > 0") > 0


def test_the_earliest_look_at_a_revision_is_its_first(here: Archive, there: Archive) -> None:
    fill(here, there)
    alone = [(one.seen_at, one.post.message.text) for one in histories(here)[1].revisions]
    assert alone == [(at("10:10"), "投票对象：包子"), (at("11:10"), "投票对象：豆沙"), (at("12:10"), "投票对象：汤圆")]
    merge_archive(here, there.path)
    assert [(one.seen_at, one.post.message.text) for one in histories(here)[1].revisions] == [
        (at("10:10"), "投票对象：包子"),
        # Page 1 was lost there at 10:35.
        (at("10:40"), "投票对象：豆沙"),
        (at("11:40"), "投票对象：汤圆"),
    ]


def test_uniting_twice_changes_nothing(here: Archive, there: Archive) -> None:
    fill(here, there)
    first = merge_archive(here, there.path)
    rows = dump(here)
    assert (first.passes, first.posts, first.revisions) == (4, 0, 0)
    assert merge_archive(here, there.path) == MergeOutcome(0, 0, 0)
    assert dump(here) == rows


def test_each_uniting_with_the_other_in_turn_comes_to_an_end(here: Archive, there: Archive) -> None:
    fill(here, there)
    merge_archive(here, there.path)
    merge_archive(there, here.path)
    assert merge_archive(here, there.path) == MergeOutcome(0, 0, 0)
    assert views(here) == views(there)


def test_a_copy_that_went_on_is_the_same_archive_further_on(here: Archive, tmp_path: Path) -> None:
    watch(here, "10:10")
    # The copy was made in the middle of a pass.
    pass_id = here.begin_pass(TID, at("11:10"))
    here.save_page(pass_id, show(SCRIPT, at("11:10"), 1), 1)
    copy = tmp_path / "copy.db"
    with sqlite3.connect(copy) as target:
        here.database.conn.backup(target)
    here.save_page(pass_id, show(SCRIPT, at("11:10"), 2), 2)
    here.end_pass(pass_id, at("11:10"), pages=2, complete=True)
    before = dump(here)
    assert merge_archive(here, copy) == MergeOutcome(0, 0, 0)
    assert dump(here) == before
    with open_archive(copy) as older:
        merge_archive(older, here.path)
        assert views(older) == views(here)
        assert older.fetch_passes(TID) == here.fetch_passes(TID)
        assert [one.complete for one in older.fetch_passes(TID)] == [True, True]


def test_two_passes_of_one_moment_that_saw_different_things_are_both_kept(here: Archive, there: Archive, tmp_path: Path) -> None:
    watch(here, "10:10", lost=[2])
    watch(there, "10:10", seed=1)
    one, other = both_ways(here, there, tmp_path)
    for archive in (one, other):
        assert sorted(each.seen for each in archive.fetch_passes(TID)) == [(1,), (1, 2)]
        assert [history.first.pid for history in histories(archive)] == [1, 2, 3, 4]
    assert views(one) == views(other)


def test_what_one_saw_go_is_gone_in_the_union_unless_the_other_saw_it_later(here: Archive, there: Archive) -> None:
    watch(here, "10:10", "11:10")
    watch(there, "10:35", "11:20", seed=1)
    assert [history.state for history in histories(here)][2] is PostState.NORMAL
    merge_archive(here, there.path)
    gone = histories(here)[2]
    assert (gone.state, gone.missing_since, gone.last_seen) == (PostState.DELETED, at("11:10"), at("10:35"))


def test_the_archive_goes_on_after_uniting(here: Archive, there: Archive) -> None:
    fill(here, there)
    merge_archive(here, there.path)
    revisions = here.database["revisions"].count
    outcome = look(here, SCRIPT, at("12:20"))
    assert (outcome.new, outcome.changed) == ((), ())
    assert here.database["revisions"].count == revisions
    before = views(here)
    here.rebuild()
    assert views(here) == before


def test_threads_that_only_the_other_saw_come_along(here: Archive, there: Archive) -> None:
    watch(there, "10:10")
    assert merge_archive(here, there.path) == MergeOutcome(1, 4, 4)
    assert views(here) == views(there)


def test_copies_of_unreadable_pages_come_along_and_overwrite_none(here: Archive, there: Archive) -> None:
    for archive, words in ((here, b"here"), (there, b"there")):
        strange = Response(f"{BOARD}x", 200, (), b"<title>%s</title>" % words, at("10:10"))
        pass_id = archive.begin_pass(TID, at("10:10"))
        archive.save_miss(pass_id, 1, at("10:10"), words.decode(), strange, keep=True)
    merge_archive(here, there.path)
    rows = here.database.conn.execute("SELECT why, copy FROM misses").fetchall()
    assert len({copy for _, copy in rows}) == 2
    for why, copy in rows:
        assert f"<title>{why}</title>" in (here.path.parent / "unreadable" / copy).read_text(encoding="utf-8")
    merge_archive(here, there.path)
    assert here.database["misses"].count == 2


# What is refused, and the file of the other


def test_the_other_file_stays_as_it_is(here: Archive, tmp_path: Path) -> None:
    with open_archive(tmp_path / "other.db") as other:
        watch(other, "10:10")
    before = (tmp_path / "other.db").read_bytes()
    merge_archive(here, tmp_path / "other.db")
    assert (tmp_path / "other.db").read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["here", "other.db"]


def test_an_archive_of_another_board_is_refused_by_name(here: Archive, tmp_path: Path) -> None:
    with Archive.open(tmp_path / "other.db", board="https://elsewhere.example.net/", zone=ZONE) as other:
        look(other, SCRIPT, at("10:10"))
    before = dump(here)
    with pytest.raises(ArchiveError, match=r"other\.db: is an archive of https://elsewhere\.example\.net/, and this one is of"):
        merge_archive(here, tmp_path / "other.db")
    assert dump(here) == before


def test_an_archive_of_another_boards_threads_too_gives_only_this_boards(here: Archive, tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with Archive.open(path, board="https://elsewhere.example.net/", zone=ZONE) as other:
        look(other, SCRIPT, at("10:10"))
    with open_archive(path) as other:
        watch(other, "10:20")
    assert merge_archive(here, path).passes == 1
    assert [board for (board,) in here.database.conn.execute("SELECT board FROM threads")] == [BOARD]


def test_an_archive_whose_times_are_of_another_zone_is_refused(here: Archive, tmp_path: Path) -> None:
    with open_archive(tmp_path / "other.db", ZoneInfo("Asia/Tokyo")) as other:
        watch(other, "10:10")
    with pytest.raises(ArchiveError, match=r"another zone \(UTC\+9 h, here \+8 h\)"):
        merge_archive(here, tmp_path / "other.db")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"no database at all, but long enough for a header" * 20, "not a database"),
        (b"", "no archive of bansha"),
        (None, "no such file"),
    ],
)
def test_a_file_that_is_no_archive_is_refused(here: Archive, tmp_path: Path, content: bytes | None, said: str) -> None:
    path = tmp_path / "other.db"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ArchiveError, match=said):
        merge_archive(here, path)


def test_an_archive_is_not_united_with_itself(here: Archive) -> None:
    watch(here, "10:10")
    with pytest.raises(ArchiveError, match="the archive itself"):
        merge_archive(here, here.path)


def test_a_union_that_fails_half_way_leaves_the_archive_as_it_was(
    here: Archive, there: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(here, there)
    before = dump(here)

    def fail(*_: object) -> None:
        raise OSError("the disk is gone")

    monkeypatch.setattr("scraper.merge.rebuild", fail)
    with pytest.raises(OSError, match="the disk is gone"):
        merge_archive(here, there.path)
    assert dump(here) == before


def test_an_archive_copied_while_it_is_open_is_whole(here: Archive, there: Archive, tmp_path: Path) -> None:
    watch(there, "10:10")
    # Its last rows still stand in the file beside it.
    assert there.path.with_name("game.db-wal").stat().st_size > 0
    shutil.copytree(there.path.parent, tmp_path / "stick")
    assert merge_archive(here, tmp_path / "stick" / "game.db").posts == 4
