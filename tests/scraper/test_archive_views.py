"""The views keep their columns, and show times in the zone that is given now."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from scraper.archive import Archive
from scraper.response import Response
from scraper.schema import find_offsets
from tests.scraper.looks import EDITED, TID, at, histories, look, open_archive, post, show, thread

# The views


def test_the_views_have_the_columns_that_are_promised(archive: Archive) -> None:
    columns = {view.name: [column.name for column in view.columns] for view in archive.database.views}
    assert columns == {
        "posts": [
            *("tid", "pid", "floor", "author", "uid", "posted_at", "edited_at", "state", "text", "revisions"),
            *("first_seen", "last_seen"),
        ],
        "post_revisions": ["tid", "pid", "revision", "seen_at", "text", "html", "digest"],
    }


def test_the_views_show_times_in_the_boards_zone_and_the_latest_text(archive: Archive) -> None:
    look(archive, EDITED, at("10:10"))
    look(archive, EDITED, at("11:10:30"))
    rows = list(archive.database.query("SELECT * FROM posts WHERE pid = 2"))
    assert rows == [
        {
            "tid": TID,
            "pid": 2,
            "floor": "沙发",
            "author": "饺子",
            "uid": 102,
            "posted_at": "2018-06-03T10:05:00+08:00",
            "edited_at": "2018-06-03T11:00:00+08:00",
            "state": "normal",
            "text": "投票对象：豆沙",
            "revisions": 2,
            "first_seen": "2018-06-03T10:10:00+08:00",
            "last_seen": "2018-06-03T11:10:30+08:00",
        }
    ]
    revisions = list(archive.database.query("SELECT * FROM post_revisions WHERE pid = 2 ORDER BY revision"))
    assert [(row["revision"], row["seen_at"], row["text"]) for row in revisions] == [
        (1, "2018-06-03T10:10:00+08:00", "投票对象：包子"),
        (2, "2018-06-03T11:10:30+08:00", "投票对象：豆沙"),
    ]
    assert revisions[0]["digest"] != revisions[1]["digest"]
    assert "投票对象：豆沙" in revisions[1]["html"]


def count_steps(archive: Archive, query: str) -> int:
    """The steps of SQLite's machine that a query takes, in tens."""
    steps: list[None] = []
    archive.database.conn.set_progress_handler(lambda: steps.append(None), 10)
    archive.database.conn.execute(query).fetchall()
    return len(steps)


@pytest.mark.parametrize("view", ["posts", "post_revisions"])
def test_reading_a_view_takes_steps_in_proportion_to_the_posts(tmp_path: Path, view: str) -> None:
    taken = []
    for posts in (100, 400):
        with open_archive(tmp_path / f"{posts}.db") as archive:
            script = thread(*(post("饺子", f"10:{number % 60:02d}", "水") for number in range(posts)), per_page=20)
            assert len(look(archive, script, at("12:00")).new) == posts
            taken.append(count_steps(archive, f"SELECT * FROM {view}"))
    assert 2 * taken[0] < taken[1] < 5 * taken[0]


# Zones


def test_a_zone_set_right_moves_every_time_and_makes_no_revision(tmp_path: Path) -> None:
    path = tmp_path / "game.db"
    with open_archive(path, ZoneInfo("UTC")) as wrong:
        look(wrong, EDITED, at("10:10"))
        # Read in the wrong zone, the post lies eight hours ahead of when it was seen.
        assert [flaw.code for flaw in histories(wrong)[2].first.flaws] == ["A117"]
        assert histories(wrong)[2].first.posted_at == at("10:05", zone=ZoneInfo("UTC"))
    with open_archive(path) as right:
        look(right, EDITED, at("10:20"))
        history = histories(right)[2]
        assert history.first.posted_at == at("10:05")
        assert (len(history.revisions), history.first.flaws) == (1, ())
        assert history.revisions[0].seen_at == at("10:10")
        row = right.database.conn.execute("SELECT posted_at, first_seen FROM posts WHERE pid = 2").fetchone()
        assert row == ("2018-06-03T10:05:00+08:00", "2018-06-03T10:10:00+08:00")


def test_a_time_reckoned_from_when_it_was_seen_does_not_move_with_the_zone(tmp_path: Path) -> None:
    path = tmp_path / "game.db"
    page = show(
        thread(post("导演", "10:00", "一"), post("饺子", "10:05", "二"), post("包子", "10:06", "三"), per_page=9), at("10:10")
    )
    # The second post with a relative time only.
    body = page.body.replace('<span title="2018-6-3 10:05:00">5&nbsp;分钟前</span>'.encode(), "5&nbsp;分钟前".encode())
    assert body != page.body
    with open_archive(path, ZoneInfo("UTC")) as wrong:
        wrong.save_page(wrong.begin_pass(TID, at("10:10")), Response(page.url, 200, page.headers, body, at("10:10")), 1)
    with open_archive(path) as right:
        assert [(history.first.pid, history.first.posted_at) for history in right.fetch_histories(TID)] == [
            (1, at("10:00")),
            (2, at("10:05")),
            (3, at("10:06")),
        ]
        assert [history.first.pid for history in right.fetch_histories(TID, since=at("10:01"), until=at("10:06"))] == [2]
        times = right.database.conn.execute("SELECT posted_at FROM posts ORDER BY pid").fetchall()
        assert times == [(f"2018-06-03T10:0{minute}:00+08:00",) for minute in (0, 5, 6)]


@pytest.mark.parametrize(
    ("zone", "starts"),
    [
        ("Asia/Shanghai", []),
        # 2018: clocks go forward at 02:00 local on 11 March, and back at 02:00 on 4 November.
        (
            "America/New_York",
            [("2018-03-11T03:00:00", "2018-03-11T07:00:00", -240), ("2018-11-04T02:00:00", "2018-11-04T06:00:00", -300)],
        ),
        ("Asia/Kolkata", []),
    ],
)
def test_the_offsets_of_a_zone_are_found_to_the_second(zone: str, starts: list[tuple[str, str, int]]) -> None:
    rows = find_offsets(ZoneInfo(zone), (2018, 2019))
    first = {"Asia/Shanghai": (480, "+08:00"), "America/New_York": (-300, "-05:00"), "Asia/Kolkata": (330, "+05:30")}[zone]
    assert rows[0] == ("", "", *first)
    assert [row[:3] for row in rows[1:]] == starts


@pytest.mark.parametrize("zone", ["America/New_York", "Europe/London", "Asia/Shanghai", "Australia/Lord_Howe"])
def test_the_views_add_the_offset_that_python_would(tmp_path: Path, zone: str) -> None:
    place = ZoneInfo(zone)
    with open_archive(tmp_path / "game.db", place) as archive:
        for hours in range(0, 24 * 366, 37):
            moment = datetime(2018, 1, 1, 0, 30, tzinfo=UTC) + timedelta(hours=hours)
            # As a board prints it; the second of two equal times cannot be told from the first.
            local = moment.astimezone(place).replace(tzinfo=None, fold=0)
            added = archive.database.conn.execute(
                "SELECT :local || suffix FROM offsets WHERE starts_local <= :local ORDER BY starts_local DESC LIMIT 1",
                {"local": local.isoformat()},
            ).fetchone()[0]
            assert added == local.replace(tzinfo=place).isoformat()
