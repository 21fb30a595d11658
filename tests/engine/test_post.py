"""`bansha post`: a dry run unless told, nothing that is not final, nothing twice, and read back from the board."""

from __future__ import annotations

import io
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from engine.sent import REFUSED, claim, find_posted, merge_sent, save_posted
from scraper.archive import Archive
from tests.board.replies import Replies
from tests.board.script import read_script
from tests.board.server import Board, serve
from tests.engine.command import run

SCRIPT = """
[board]
dialect = "x35"
[[thread]]
tid = 21
title = "第二天投票"
[[thread]]
tid = 22
title = "进程"
[[post]]
tid = 21
pid = 1
author = "导演甲"
at = 2018-06-03T09:30:00
text = "投票帖"
[[post]]
tid = 21
pid = 2
author = "饺子"
at = 2018-06-03T10:00:00
text = "投票对象：包子\\n投票理由：[img]x[/img] 他没说话"
[[post]]
tid = 21
pid = 3
author = "豆沙"
at = 2018-06-03T11:00:00
text = "投票对象：包子\\n投票理由：跟"
[[post]]
tid = 22
pid = 4
author = "导演甲"
at = 2018-06-03T09:31:00
text = "进程帖"
"""
GAME = """[game]
title = "发帖局"
ruleset = "m29"
directors = ["导演甲"]
[forum]
url = "{base}"
interval = 0
[[player]]
name = "饺子"
[[player]]
name = "包子"
[[player]]
name = "豆沙"
[[day]]
number = 2
opens = 2018-06-03T09:30:00
closes = 2018-06-05T21:00:00
vote = 21
progress = 22
sheriff = ""
accelerated = false
"""
CLOSED, OPEN = datetime(2018, 6, 5, 13, 30, tzinfo=UTC), datetime(2018, 6, 5, 12, 30, tzinfo=UTC)


@contextmanager
def game(folder: Path, clock: datetime, **settings: object) -> Iterator[tuple[str, Replies]]:
    """A game whose threads were read at a moment of the board's clock."""
    site = Board(read_script(SCRIPT), clock)
    replies = Replies(site, "导演甲", **settings)  # type: ignore[arg-type]
    site.faults = (replies,)
    with serve(site) as served:
        (folder / "game.toml").write_text(GAME.format(base=served.base), encoding="utf-8")
        assert run("fetch", str(folder), "--day", "2").code == 0
        yield str(folder), replies


def test_without_yes_nothing_is_sent(tmp_path: Path) -> None:
    with game(tmp_path, CLOSED) as (folder, replies):
        ran = run("post", folder, "--day", "2")
        assert ran.code == 0
        assert "包子：2 票" in ran.out
        assert "--yes" in ran.err
        assert replies.sent == []


def test_a_final_tally_stands_in_the_progress_thread(tmp_path: Path) -> None:
    with game(tmp_path, CLOSED) as (folder, replies):
        ran = run("post", folder, "--day", "2", "--yes", "--json")
        assert ran.code == 0, ran.err
        # The test board lives in 2018: what is logged of that is in the terminal's language too.
        assert ran.err.startswith("bansha: 这台电脑的时钟和论坛")
        told = json.loads(ran.out)
        assert (told["tid"], told["sent"], told["pid"]) == (22, True, 5)
        assert replies.sent == [told["text"]]


def test_the_same_text_is_not_sent_twice_within_an_hour(tmp_path: Path) -> None:
    with game(tmp_path, CLOSED) as (folder, replies):
        assert run("post", folder, "--day", "2", "--yes").code == 0
        again = run("post", folder, "--day", "2", "--yes")
        assert again.code == 2
        assert "pid 5" in again.err
        assert len(replies.sent) == 1
        assert run("post", folder, "--day", "2", "--yes", "--thread", "vote").code == 0


def test_a_text_whose_answer_was_lost_counts_as_sent(tmp_path: Path) -> None:
    with game(tmp_path, CLOSED, loses_answer=True) as (folder, replies):
        assert run("post", folder, "--day", "2", "--yes").code == 4
        again = run("post", folder, "--day", "2", "--yes")
        assert again.code == 2
        assert "没有读回来" in again.err
        assert len(replies.sent) == 1


def test_what_is_not_final_is_sent_only_as_provisional(tmp_path: Path) -> None:
    with game(tmp_path, OPEN) as (folder, replies):
        refused = run("post", folder, "--day", "2", "--yes")
        assert refused.code == 2
        assert "--provisional" in refused.err
        assert replies.sent == []
        assert run("post", folder, "--day", "2", "--yes", "--provisional").code == 0
        assert "暂定" in replies.sent[0]


def test_a_text_of_ones_own_goes_to_the_thread_that_is_named(tmp_path: Path) -> None:
    with game(tmp_path, OPEN) as (folder, replies):
        text = tmp_path / "notice.txt"
        text.write_text("大家记得投票\n", encoding="utf-8")
        assert run("post", folder, "--file", str(text), "--thread", "21", "--yes").code == 0
        assert replies.sent == ["大家记得投票"]


def test_an_empty_text_is_not_sent(tmp_path: Path) -> None:
    with game(tmp_path, OPEN) as (folder, replies):
        text = tmp_path / "notice.txt"
        text.write_text(" \n", encoding="utf-8")
        assert run("post", folder, "--file", str(text), "--yes").code == 2
        assert replies.sent == []


def test_an_hour_later_the_same_words_may_go_out_again(tmp_path: Path) -> None:
    at = datetime(2018, 6, 5, 13, 0, tzinfo=UTC)
    with Archive.open(tmp_path / "game.db", board="", zone=ZoneInfo("Asia/Shanghai")) as archive:
        save_posted(archive, 21, "[b]包子[/b] 5 票", at, pid=7)
        assert find_posted(archive, 21, "包子 5 票", at.replace(minute=59)) is not None
        assert find_posted(archive, 22, "包子 5 票", at.replace(minute=59)) is None
        assert find_posted(archive, 21, "包子 6 票", at.replace(minute=59)) is None
        assert find_posted(archive, 21, "包子 5 票", at.replace(hour=14, minute=1)) is None


def test_what_was_sent_is_only_added_to(tmp_path: Path) -> None:
    with Archive.open(tmp_path / "game.db", board="", zone=ZoneInfo("Asia/Shanghai")) as archive:
        save_posted(archive, 21, "一", datetime(2018, 6, 5, tzinfo=UTC))
    with closing(sqlite3.connect(tmp_path / "game.db")) as connection:
        for statement in ("DELETE FROM sent", "UPDATE sent SET pid = 1"):
            with pytest.raises(sqlite3.IntegrityError, match="only added"):
                connection.execute(statement)


def test_of_two_processes_that_send_the_same_one_may(tmp_path: Path) -> None:
    at = datetime(2018, 6, 5, 13, 0, tzinfo=UTC)
    zone = ZoneInfo("Asia/Shanghai")
    with (
        Archive.open(tmp_path / "game.db", board="", zone=zone) as one,
        Archive.open(tmp_path / "game.db", board="", zone=zone) as other,
    ):
        assert claim(one, 21, "[b]包子[/b] 5 票", at) is None
        again = claim(other, 21, "包子\u3000 5票\n", at.replace(minute=1))
        assert again is not None
        assert (again.at, again.pid) == (at, None)


def test_what_the_board_refused_may_be_sent_again_and_what_stands_may_not(tmp_path: Path) -> None:
    at = datetime(2018, 6, 5, 13, 0, tzinfo=UTC)
    with Archive.open(tmp_path / "game.db", board="", zone=ZoneInfo("Asia/Shanghai")) as archive:
        assert claim(archive, 21, "包子 5 票", at) is None
        save_posted(archive, 21, "包子 5 票", at, pid=REFUSED)
        assert find_posted(archive, 21, "包子 5 票", at) is None
        assert claim(archive, 21, "包子 5 票", at.replace(minute=1)) is None
        save_posted(archive, 21, "包子 5 票", at.replace(minute=1), pid=7)
        save_posted(archive, 21, "包子 5 票", at.replace(minute=2), pid=REFUSED)
        found = find_posted(archive, 21, "包子 5 票", at.replace(minute=3))
        assert found is not None
        assert found.pid == 7


def test_what_another_director_sent_comes_along_once(tmp_path: Path) -> None:
    at = datetime(2018, 6, 5, 13, 0, tzinfo=UTC)
    zone = ZoneInfo("Asia/Shanghai")
    with Archive.open(tmp_path / "his.db", board="", zone=zone) as his:
        save_posted(his, 21, "包子 5 票", at, operator="乙")
        save_posted(his, 21, "包子 5 票", at, pid=7, operator="乙")
    with Archive.open(tmp_path / "game.db", board="", zone=zone) as archive:
        assert [merge_sent(archive, tmp_path / "his.db") for _time in range(2)] == [2, 0]
        found = find_posted(archive, 21, "包子 5 票", at.replace(minute=30))
        assert found is not None
        assert found.pid == 7
    with Archive.open(tmp_path / "empty.db", board="", zone=zone) as archive:
        assert merge_sent(archive, tmp_path / "empty.db") == 0


@pytest.mark.parametrize("settings", [{"closed": True}, {"captcha": True}, {"guest": True}, {"refuses": "抱歉，太长了"}])
def test_what_was_not_taken_can_be_sent_as_soon_as_it_is_mended(tmp_path: Path, settings: dict[str, object]) -> None:
    with game(tmp_path, CLOSED, **settings) as (folder, replies):
        refused = run("post", folder, "--day", "2", "--yes")
        assert refused.code == 4
        for key in settings:
            setattr(replies, key, "" if key == "refuses" else False)
        assert run("post", folder, "--day", "2", "--yes").code == 0


def test_a_dry_run_says_that_the_text_was_sent_and_writes_nothing(tmp_path: Path) -> None:
    with game(tmp_path, CLOSED) as (folder, replies):
        run("post", folder, "--day", "2")
        with closing(sqlite3.connect(tmp_path / "game.db")) as connection:
            assert not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'sent'").fetchall()
        assert run("post", folder, "--day", "2", "--yes").code == 0
        again = run("post", folder, "--day", "2")
        assert (again.code, "已经发到 22 过" in again.err) == (0, True)
        assert len(replies.sent) == 1


def test_other_white_space_or_codes_make_no_other_text(tmp_path: Path) -> None:
    with game(tmp_path, OPEN) as (folder, replies):
        text = tmp_path / "notice.txt"
        for words, code in (("大家 记得投票", 0), ("大家记得投票\u200b", 2), ("[color=red][b]大家[/b][/color]\n记得投票", 2)):
            text.write_text(words, encoding="utf-8")
            assert run("post", folder, "--file", str(text), "--thread", "21", "--yes").code == code
        assert len(replies.sent) == 1


def test_a_text_that_the_board_cut_is_told_and_exits_with_1(tmp_path: Path) -> None:
    with game(tmp_path, CLOSED, cut=60) as (folder, _replies):
        ran = run("post", folder, "--day", "2", "--yes")
        assert ran.code == 1
        assert "不一样" in ran.err
        told = run("post", folder, "--day", "2", "--yes", "--thread", "vote", "--json")
        assert (told.code, json.loads(told.out)["differs"] is None) == (1, False)


def test_a_pause_is_told_while_it_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr("time.sleep", slept.append)
    with game(tmp_path, CLOSED, wants_pause=1, seconds=9) as (folder, _replies):
        ran = run("post", folder, "--day", "2", "--yes")
    assert (ran.code, 10 in slept) == (0, True)
    assert any("论坛要求两次发帖之间隔 9 秒" in line for line in ran.err.splitlines())


def test_ctrl_c_in_a_pause_ends_with_130_and_sends_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(seconds: float) -> None:
        if seconds == 10:
            raise KeyboardInterrupt

    with game(tmp_path, CLOSED, wants_pause=1, seconds=9) as (folder, replies):
        monkeypatch.setattr("time.sleep", stop)
        ran = run("post", folder, "--day", "2", "--yes")
        assert (ran.code, "什么都没有发" in ran.err) == (130, True)
        assert len(replies.sent) == 1
        assert run("post", folder, "--day", "2", "--yes").code == 0


def test_a_game_that_is_read_by_the_api_is_replied_to_by_the_form(tmp_path: Path) -> None:
    with game(tmp_path, CLOSED) as (folder, _replies):
        path = tmp_path / "game.toml"
        path.write_text(path.read_text(encoding="utf-8").replace("interval = 0\n", "interval = 0\napi = 4\n"), encoding="utf-8")
        assert run("post", folder, "--day", "2", "--yes").code == 0


def test_nothing_is_sent_to_another_board(tmp_path: Path) -> None:
    with game(tmp_path, CLOSED) as (folder, replies):
        ran = run("post", folder, "--day", "2", "--yes", "--thread", "https://other.example/thread-21-1-1.html")
        assert (ran.code, replies.sent) == (2, [])


def test_a_start_is_posted_before_anybody_has_read_the_board(tmp_path: Path) -> None:
    with game(tmp_path, OPEN) as (folder, replies):
        (tmp_path / "game.db").unlink()
        assert run("post", folder, "--announce", "start", "--thread", "22", "--yes").code == 0
        assert "玩家 3 人" in replies.sent[0]
        (tmp_path / "game.db").unlink()
        assert run("post", folder, "--day", "2").code == 2


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gbk", "utf-16"])
def test_a_text_comes_in_whatever_an_editor_or_a_shell_writes(
    encoding: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PowerShell pipes in the console's code page, Notepad saves with a mark or in GBK; lines end as Windows ends them."""
    raw = "大家记得投票\r\n明天八点截票\r\n".encode(encoding)
    with game(tmp_path, OPEN) as (folder, _replies):
        (tmp_path / "notice.txt").write_bytes(raw)
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(raw), encoding="cp936"))
        for file in (str(tmp_path / "notice.txt"), "-"):
            ran = run("post", folder, "--file", file, "--thread", "21", "--json")
            assert (ran.code, json.loads(ran.out)["text"]) == (0, "大家记得投票\n明天八点截票")


def test_a_standard_input_that_is_closed_or_no_text_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with game(tmp_path, OPEN) as (folder, _replies):
        for stdin in (io.StringIO(), io.TextIOWrapper(io.BytesIO(b"\xff\xff\xff"), encoding="utf-8")):
            monkeypatch.setattr("sys.stdin", stdin)
            ran = run("post", folder, "--file", "-", "--thread", "21", "--yes")
            assert (ran.code, "改法" in ran.err) == (2, True)
