"""Recordings are what the scripts render, through a real socket or without, and are replayed with the network blocked."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
import requests

from scraper.cassette import replay_board
from scraper.httpfile import parse_response
from tests.board.record import BASE, list_cases, plan_pass, record_polls, render_polls, save_polls
from tests.board.script import Script, load_script, read_script

SMALL = """
[board]
charset = "gbk"
per_page = 2
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
[[post]]
tid = 9
pid = 3
author = "导演"
at = 2018-06-03T10:05:30
text = "开始讨论"
[[pass]]
at = 2018-06-03T10:05:10
[[pass]]
at = 2018-06-03T11:00:00
gap = 3
skip = ["7-2"]
[[pass]]
at = 2018-06-03T12:00:00
tids = [9, 7, 8]
"""


@pytest.fixture
def small() -> Script:
    return read_script(SMALL)


def test_a_pass_takes_every_page_of_every_thread_that_exists_then(small: Script) -> None:
    asked = [[(step.tid, step.page, f"{step.moment:%T}") for step in plan_pass(small, look)] for look in small.passes]
    assert asked == [
        [(7, 1, "10:05:10")],
        [(7, 1, "11:00:00"), (9, 1, "11:00:06")],
        [(9, 1, "12:00:00"), (7, 1, "12:00:01"), (7, 2, "12:00:02"), (8, 1, "12:00:03")],
    ]


def test_a_recorded_page_says_when_it_was_seen_and_nothing_of_who_asked(small: Script, tmp_path: Path) -> None:
    polls = record_polls(small, tmp_path)
    assert sorted(polls) == ["1/7-1.http", "2/7-1.http", "2/9-1.http", "3/7-1.http", "3/7-2.http", "3/8-1.http", "3/9-1.http"]
    page = parse_response(polls["2/9-1.http"], url="")
    assert f"{page.seen_at:%F %T %Z}" == "2018-06-03 03:00:06 UTC"
    assert (page.status, page.header("Content-Type")) == (200, "text/html; charset=gbk")
    assert "开始讨论" in page.body.decode("gbk")
    assert parse_response(polls["3/8-1.http"], url="").status == 404
    for data in polls.values():
        assert b"ookie:" not in data
        assert b"127.0.0.1" not in data
        assert BASE.encode() in data


def test_recording_twice_gives_the_same_bytes_and_those_that_the_script_renders(small: Script, tmp_path: Path) -> None:
    once, twice = record_polls(small, tmp_path / "1"), record_polls(small, tmp_path / "2")
    assert once == twice == render_polls(small)


def test_a_recording_is_replayed_with_the_network_blocked(small: Script, tmp_path: Path) -> None:
    save_polls(tmp_path, record_polls(small, tmp_path / "cassettes"))
    replayed = 0
    for number, look in enumerate(small.passes, 1):
        with replay_board(tmp_path / "cassettes" / f"{number}.yaml", BASE):
            with pytest.raises(OSError, match="blocked"):
                socket.create_connection(("127.0.0.1", 9), timeout=1)
            for step in plan_pass(small, look):
                answer = requests.get(f"{BASE}{step.address}", timeout=5)
                kept = parse_response((tmp_path / f"polls/{number}/{step.tid}-{step.page}.http").read_bytes(), url="")
                assert (answer.status_code, answer.content) == (kept.status, kept.body)
                assert answer.headers["Date"] == kept.header("Date")
                replayed += 1
    assert replayed == 7


def test_a_page_of_the_small_case_that_was_recorded_before_is_replaced(small: Script, tmp_path: Path) -> None:
    save_polls(tmp_path, {"9/7-1.http": b"old"})
    save_polls(tmp_path, render_polls(small))
    assert not (tmp_path / "polls/9").exists()


@pytest.mark.parametrize("folder", list_cases([]), ids=lambda folder: f"{folder.parent.name}/{folder.name}")
def test_every_case_holds_what_its_script_renders(folder: Path) -> None:
    root = folder / "polls"
    kept = {path.relative_to(root).as_posix(): path.read_bytes() for path in root.glob("*/*.http")}
    rendered = render_polls(load_script(folder / "script.toml"))
    differ = sorted(name for name in kept.keys() | rendered.keys() if kept.get(name) != rendered.get(name))
    assert not differ, f"{folder.name}: {', '.join(differ)} differ from script.toml: run `make fixtures`"
