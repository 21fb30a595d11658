"""What the passes are worth as evidence, which posts belong to a day, and what a board is called."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from engine.counting import count_game_day, name_board, open_archive
from engine.game import load_game
from engine.looks import Looks, judge_looks
from scraper.passes import Pass
from tally.day import Day
from tests.board.record import render_polls, save_polls
from tests.board.script import load_script

DAY = Day(2, datetime(2018, 6, 3, 1, 30, tzinfo=UTC), datetime(2018, 6, 5, 13, 0, tzinfo=UTC), 1235)


def look(hour: int, minute: int, seen: tuple[int, ...], missing: tuple[int, ...] = (), *, ended: bool = True) -> Pass:
    """A pass of the closing day at a time in Shanghai; it is complete where it ended and missed nothing."""
    at = datetime(2018, 6, 5, hour - 8, minute, tzinfo=UTC)
    return Pass(1235, at, at if ended else None, 2, seen, missing, ended and not missing)


def judge(*passes: Pass) -> Looks:
    return judge_looks(passes, DAY)


def test_nobody_has_looked() -> None:
    looks = judge()
    assert (looks.complete, looks.seen_until, looks.evidence.first_pass_after_close) == (False, None, None)


def test_a_pass_that_got_no_page_is_no_look() -> None:
    looks = judge(look(20, 0, (1, 2)), look(21, 5, (), (1, 2)))
    assert looks.seen_until == look(20, 0, ()).started_at
    assert (looks.complete, looks.evidence.first_pass_after_close) == (True, None)


def test_the_evidence_is_the_last_pass_before_the_close_and_the_first_after_it() -> None:
    passes = [look(19, 0, (1, 2)), look(20, 58, (1, 2)), look(21, 2, (1, 2)), look(21, 6, (1, 2))]
    looks = judge(*passes)
    assert looks.evidence.last_pass_before_close == passes[1].started_at
    assert looks.evidence.first_pass_after_close == passes[2].started_at
    assert looks.seen_until == passes[3].started_at


def test_a_pass_that_began_in_the_closing_second_cannot_have_seen_all_of_it() -> None:
    assert judge(look(21, 0, (1, 2))).evidence.first_pass_after_close is None


def test_while_the_window_is_open_the_last_pass_tells() -> None:
    assert judge(look(19, 0, (1, 2)), look(20, 0, (1,), (2,))).complete is False
    assert judge(look(19, 0, (1,), (2,)), look(20, 0, (1, 2))).complete is True


def test_one_whole_pass_after_the_close_is_enough() -> None:
    assert judge(look(21, 2, (1, 2)), look(21, 6, (1,), (2,))).complete is True
    assert judge(look(20, 58, (1, 2)), look(21, 2, (1,), (2,))).complete is False


def test_missing_pages_are_those_that_no_pass_after_the_close_got() -> None:
    looks = judge(look(20, 0, (1, 2, 3)), look(21, 2, (1,), (2, 3)), look(21, 6, (1, 3), (2,)))
    assert (looks.complete, looks.evidence.missing_pages) == (False, (2,))


def test_a_pass_that_was_cut_off_is_never_complete() -> None:
    assert judge(look(21, 2, (1, 2), ended=False)).complete is False


SCRIPT = """[board]
dialect = "x35"
charset = "utf-8"
per_page = 10
zone = "Asia/Shanghai"
[[account]]
name = "饺子"
uid = 1001
[[account]]
name = "包子"
uid = 1002
[[thread]]
tid = 1235
title = "投票帖"
[[post]]
tid = 1235
pid = 1
author = "饺子"
at = 2018-06-02T12:00:00
text = "投票对象：包子\\n投票理由：第一天"
[[post]]
tid = 1235
pid = 2
author = "饺子"
at = 2018-06-02T22:00:00
text = "投票对象：饺子\\n投票理由：夜里"
[[post]]
tid = 1235
pid = 3
author = "饺子"
at = 2018-06-04T12:00:00
text = "投票对象：饺子\\n投票理由：第二天"
[[pass]]
at = 2018-06-06T12:00:00
"""

GAME = """[game]
title = "一帖两天"
ruleset = "m29"
[forum]
url = "https://bbs.example.net/"
[[player]]
name = "饺子"
[[player]]
name = "包子"
[[day]]
number = 1
opens = 2018-05-31T09:30:00
closes = 2018-06-02T21:00:00
vote = 1235
[[day]]
number = 2
opens = 2018-06-03T09:30:00
closes = 2018-06-05T21:00:00
vote = 1235
sheriff = ""
"""


def test_days_that_share_a_thread_each_have_their_own_posts(tmp_path: Path) -> None:
    from scraper.recording import save_recorded_passes

    (tmp_path / "script.toml").write_text(SCRIPT, encoding="utf-8")
    (tmp_path / "game.toml").write_text(GAME, encoding="utf-8")
    save_polls(tmp_path, render_polls(load_script(tmp_path / "script.toml")))
    game = load_game(tmp_path)
    with open_archive(game, tmp_path / "game.db") as archive:
        save_recorded_passes(archive, tmp_path)
        first, second = (count_game_day(game, archive, (), day) for day in game.days)
    assert [(count.target, count.votes) for count in first.counts] == [("包子", 1)]
    assert [(count.target, count.votes) for count in second.counts] == [("饺子", 1)]
    # What was posted between the two is after the close of the one, and before the opening of the other.
    assert [ballot.reason for ballot in first.void] == ["after_close"]
    assert [ballot.reason for ballot in second.void] == ["before_open"]


@pytest.mark.parametrize(
    "url",
    [
        "https://bbs.example.net/",
        "http://bbs.example.net/",
        "https://www.bbs.example.net/",
        "https://BBS.example.net/",
    ],
)
def test_a_board_has_one_name_however_it_is_written(url: str) -> None:
    assert name_board(url) == "https://bbs.example.net/"


def test_another_port_or_folder_is_another_board() -> None:
    assert name_board("http://127.0.0.1:8080/") == "https://127.0.0.1:8080/"
    assert name_board("https://example.net/bbs/") == "https://example.net/bbs/"
    assert name_board("") == ""
