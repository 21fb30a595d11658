"""The derived tables: rows of the same values, droppable, rebuilt to the same."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from engine.ledger import parse_ledger
from engine.report.values import tally_value
from engine.store import VIEWS, drop_tallies, save_tallies
from scraper.archive import Archive
from tests.engine.sample import TALLY, game

SHANGHAI = ZoneInfo("Asia/Shanghai")
EVENTS = parse_ledger(
    '日2 导演 裁定 票 tid=1235 pid=88 计为 包子 ; 错别字\n撤销 #1\n夜2 "a b" 杀人 4 operator=导演乙 @2018-06-05T22:10', SHANGHAI
)


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    with Archive.open(tmp_path / "game.db", board="https://bbs.example.net/", zone=SHANGHAI) as opened:
        yield opened


def rows(archive: Archive) -> dict[str, list[tuple[object, ...]]]:
    """Every row of the views, as another program reads them."""
    connection = sqlite3.connect(archive.path)
    try:
        return {view: connection.execute(f"SELECT * FROM {view}").fetchall() for view in VIEWS}
    finally:
        connection.close()


def test_the_views_have_the_columns_of_the_contract(archive: Archive, tmp_path: Path) -> None:
    save_tallies(archive, game(tmp_path), [TALLY], EVENTS)
    connection = sqlite3.connect(archive.path)
    found = {view: [column[1] for column in connection.execute(f"PRAGMA table_info({view})")] for view in VIEWS}
    connection.close()
    assert found == {
        "ballots": ["day", "tid", "pid", "revision", "voter", "act", "target", "raw", "standing", "reason", "poll"],
        "tallies": ["day", "as_of", "target", "votes", "voters", "complete", "digest", "poll"],
        "findings": ["day", "code", "severity", "seat", "tid", "pid", "revision", "line", "column", "parameters", "sentence"],
        "events": ["seq", "phase", "actor", "act", "targets", "at", "entered_at", "operator", "source", "remark"],
    }


def test_the_rows_are_the_tally(archive: Archive, tmp_path: Path) -> None:
    sample = game(tmp_path)
    save_tallies(archive, sample, [TALLY], EVENTS)
    found = rows(archive)
    assert found["ballots"] == [
        (2, 1235, 5201, 1, "饺子", "vote", "豆沙", "豆沙", 0, "replaced", ""),
        (2, 1235, 5202, 1, "饺子", "vote", "包子", "包子", 1, None, ""),
        (2, None, None, None, "豆沙", "proxy", "包子", "包子", 1, None, ""),
        (2, 1235, 5203, 1, "包子", "vote", "饺子", "饺孑", 1, None, ""),
        (2, 1235, 5204, 1, "a&b<c>", "vote", None, "\x1b[31m包子\u202e\n=1+1", 0, "unknown_target", ""),
        (2, 1235, 5205, 1, "a&b<c>", "abstain", None, "弃权", 1, None, ""),
    ]
    digest = tally_value(TALLY, sample)["digest"]
    assert found["tallies"] == [
        (2, "2018-06-05T21:00:00+08:00", "包子", 3, '["饺子", "豆沙"]', 1, digest, ""),
        (2, "2018-06-05T21:00:00+08:00", "饺子", 1, '["包子"]', 1, digest, ""),
    ]
    assert found["findings"] == [
        (
            2, "B105", "warning", "a&b<c>", 1235, 5204, 1, None, None,
            '{"raw": "饱子", "hints": "包子"}', "没有「饱子」，相近的名字：包子",
        )
    ]  # fmt: skip
    assert [event[:5] for event in found["events"]] == [
        (1, "日2", "导演", "裁定", json.dumps(["票", "tid=1235", "pid=88", "计为", "包子"], ensure_ascii=False)),
        (2, None, "导演", "撤销", '["#1"]'),
        (3, "夜2", "a b", "杀人", '["4"]'),
    ]
    assert [event[5:] for event in found["events"]] == [
        (None, None, None, "ledger.txt", "错别字"),
        (None, None, None, "ledger.txt", None),
        ("2018-06-05T22:10:00+08:00", None, "导演乙", "ledger.txt", None),
    ]


def test_saving_again_leaves_the_same_rows_and_another_day_alone(archive: Archive, tmp_path: Path) -> None:
    sample = game(tmp_path)
    other = replace(TALLY, day=1)
    save_tallies(archive, sample, [other, TALLY], EVENTS)
    once = rows(archive)
    save_tallies(archive, sample, [TALLY], EVENTS)
    again = rows(archive)
    assert {view: sorted(map(repr, found)) for view, found in again.items()} == {
        view: sorted(map(repr, found)) for view, found in once.items()
    }


def test_dropped_tables_are_rebuilt_to_the_same_rows(archive: Archive, tmp_path: Path) -> None:
    sample = game(tmp_path)
    save_tallies(archive, sample, [TALLY], EVENTS)
    once = rows(archive)
    drop_tallies(archive)
    with pytest.raises(sqlite3.OperationalError, match="no such table"):
        rows(archive)
    save_tallies(archive, sample, [TALLY], EVENTS)
    assert rows(archive) == once


def test_a_table_of_an_older_shape_is_made_anew(archive: Archive, tmp_path: Path) -> None:
    sample = game(tmp_path)
    with archive.transaction() as connection:
        connection.execute("CREATE TABLE derived_ballots (day, voter)")
        connection.execute("CREATE VIEW ballots AS SELECT voter FROM derived_ballots")
    save_tallies(archive, sample, [TALLY], EVENTS)
    assert len(rows(archive)["ballots"]) == 6


def test_a_save_that_fails_leaves_what_was(archive: Archive, tmp_path: Path) -> None:
    sample = game(tmp_path)
    save_tallies(archive, sample, [TALLY], EVENTS)
    once = rows(archive)
    broken = replace(TALLY, counts=(replace(TALLY.counts[0], target={}),))  # type: ignore[arg-type]
    with pytest.raises(sqlite3.Error):
        save_tallies(archive, sample, [broken], ())
    assert rows(archive) == once
