"""`bansha poll` against the small board, over days: what it asks for, what it tells, and what the tally makes of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from scraper.client import Client
from scraper.response import Response
from tests.board.script import Script
from tests.board.server import Asked, Board, Reply
from tests.engine.living import Living, chat, living, post, thread, vote

FIVE = "deleted = 2018-06-04T10:00:00\nrestored = 2018-06-04T12:00:00"


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as opened:
        yield opened


def table(name: str, keys: str) -> str:
    """A table of a TOML file."""
    return f"[[{name}]]\n{keys}\n"


def start(stack: ExitStack, folder: Path, script: Script, moment: str = "03T22:00") -> Living:
    return stack.enter_context(living(folder, script, moment))


# What it asks for


def test_rounds_while_the_window_is_open_and_the_sweep_when_it_is_over(stack: ExitStack, tmp_path: Path) -> None:
    game = start(stack, tmp_path, thread(*chat(45)))
    assert game.run("poll").code == 0
    assert game.asked() == ["1235-1", "1235-2", "1235-3", "1235-4", "1235-5"]
    for page in (1, 2, 3):
        game.run("poll")
        assert game.asked() == ["1235-5", f"1235-{page}"]
    game.set("05T21:05")
    ran = game.run("poll")
    assert game.asked() == [f"1235-{page}" for page in (1, 2, 3, 4, 5)] * 2
    assert ran.out.count("（截票后全看）：5/5 页") == 2
    game.run("poll")
    assert len(game.asked()) == 2


def test_a_thread_of_200_pages_costs_two_requests_where_nothing_happened(stack: ExitStack, tmp_path: Path) -> None:
    game = start(stack, tmp_path, thread(*chat(400), per_page=2))
    game.run("fetch")
    assert len(game.asked()) == 200
    for _ in range(3):
        assert game.run("poll").code == 0
        assert len(game.asked()) == 2


def test_the_window_is_not_over_before_a_board_whose_clock_is_behind_says_so(stack: ExitStack, tmp_path: Path) -> None:
    game = start(stack, tmp_path, thread(*chat(3), vote("饺子", "05T20:59", "包子")), "05T20:00")
    game.run("poll")
    game.set("05T21:01")

    def behind(asked: Asked, reply: Reply) -> Reply | None:
        # It is 20:58 there, and 饺子 has not voted yet.
        board = game.served.board
        return Board(board.script, game.clock.now - timedelta(minutes=3)).answer(asked)

    game.fail(behind)
    game.run("poll")
    early = game.read("tally")
    assert (early["final"], early["evidence"]["first_pass_after_close"], early["counts"]) == (False, None, [])
    game.set("05T21:04")
    game.run("poll")
    late = game.read("tally")
    assert late["evidence"]["first_pass_after_close"].startswith("2018-06-05T21:01")
    assert [count["target"] for count in late["counts"]] == ["包子"]
    assert late["final"] is True


# What it tells


def test_new_edited_moved_blocked_gone_and_returned_posts_are_told_apart(stack: ExitStack, tmp_path: Path) -> None:
    script = thread(
        post("导演", "03T10:00", "开始投票"),
        vote("饺子", "03T10:01", "包子", FIVE),
        vote("包子", "03T10:02", "豆沙", 'edits = [{ at = 2018-06-04T10:00:00, text = "投票对象：饺子\\n投票理由：改" }]'),
        post("豆沙", "03T10:03", "我看看", "blocked = 2018-06-04T10:00:00"),
        post("路人", "03T10:04", "水", 'comments = [{ author = "豆沙", at = 2018-06-04T10:00:00, text = "是水" }]'),
        vote("豆沙", "04T10:30", "包子"),
    )
    game = start(stack, tmp_path, script)
    first = game.read("poll")[0]
    assert [(change["kind"], change["pid"]) for change in first["changes"]] == [("new", pid) for pid in range(5201, 5206)]
    game.set("04T11:00")
    second = game.run("poll")
    assert re.findall(r"^  (\S+?)[：（]", second.out, re.M) == ["新帖", "改动", "点评、评分有变", "被屏蔽", "不见了", "换了楼层"]
    assert "新帖：5# 豆沙（pid 5206）" in second.out
    assert "被屏蔽：地板 豆沙（pid 5204）" in second.out or "被屏蔽：板凳 豆沙（pid 5204）" in second.out
    third = game.read("poll")[0]
    assert [(change["kind"], change["pid"], change["author"]) for change in third["changes"]] == [("gone", 5202, "饺子")]
    game.set("04T13:00")
    last = game.read("poll")[0]
    assert {change["kind"] for change in last["changes"] if change["pid"] == 5202} == {"returned"}
    assert {change["kind"] for change in last["changes"] if change["pid"] != 5202} == {"moved"}
    tally = game.read("tally")
    assert [(count["target"], count["votes"]) for count in tally["counts"]] == [("包子", 2), ("豆沙", 1)]


def test_a_post_that_was_moved_to_another_thread_is_told_with_it(stack: ExitStack, tmp_path: Path) -> None:
    posts = [post("导演", "03T10:00", "开始"), vote("饺子", "03T10:01", "包子"), post("豆沙", "03T10:02", "水")]
    talk = table("thread", 'tid = 1234\ntitle = "讨论帖"') + table(
        "post", "tid = 1234\npid = 5100\n" + post("导演", "03T09:40", "")
    )
    game = start(stack, tmp_path, thread(*posts, more=talk))
    text = (tmp_path / "game.toml").read_text(encoding="utf-8")
    (tmp_path / "game.toml").write_text(text.replace("vote = 1235", "vote = 1235\ndiscussion = 1234"), encoding="utf-8")
    game.run("poll")
    game.play(thread(*posts[:2], more=talk + table("post", f"tid = 1234\npid = 5203\n{posts[2]}")))
    game.run("poll")
    told = [(change["kind"], change["pid"], change["other_tid"]) for one in game.read("poll") for change in one["changes"]]
    assert told == [("gone", 5203, 1234)]


def test_an_unswept_day_is_named_when_a_later_one_is_polled(stack: ExitStack, tmp_path: Path) -> None:
    game = start(stack, tmp_path, thread(*chat(3)))
    text = (tmp_path / "game.toml").read_text(encoding="utf-8")
    day = "number = 3\nopens = 2018-06-06T09:30:00\ncloses = 2018-06-08T21:00:00\nvote = 1238\nsheriff = ''"
    (tmp_path / "game.toml").write_text(text + table("day", day), encoding="utf-8")
    game.run("poll", "--day", "2")
    game.set("06T10:00")
    third = table("thread", 'tid = 1238\ntitle = "三"') + table("post", "tid = 1238\npid = 9\n" + post("导演", "06T09:31", ""))
    game.play(thread(*chat(3), more=third))
    assert "第 2 天已经截票" in game.run("poll").err
    game.run("poll", "--day", "2")
    assert "第 2 天已经截票" not in game.run("poll").err


# What the tally makes of it


def test_a_partial_pass_hides_no_missing_page_and_makes_nothing_look_deleted(stack: ExitStack, tmp_path: Path) -> None:
    game = start(stack, tmp_path, thread(vote("饺子", "03T09:59", "包子"), *chat(44)))
    game.run("fetch")

    def lose(asked: Asked, reply: Reply) -> Reply:
        return Reply(404, reply.headers, b"<html><title>404</title></html>") if "page=3" in asked.address else reply

    game.fail(lose)
    ran = game.run("fetch")
    assert ran.code == 4
    game.fail()
    for wanted, missing in ((False, [3]), (False, [3])):
        tally = game.read("tally")
        assert (tally["complete"], tally["evidence"]["missing_pages"]) == (wanted, missing)
    game.asked()
    assert game.run("poll").code == 0
    assert "1235-3" in game.asked()
    tally = game.read("tally")
    assert (tally["complete"], [finding["code"] for finding in tally["findings"] if finding["code"] == "B207"]) == (True, [])


def test_the_tally_shows_the_last_look_before_the_close_and_the_first_after_it(stack: ExitStack, tmp_path: Path) -> None:
    game = start(stack, tmp_path, thread(vote("饺子", "03T10:00", "包子"), *chat(15, 1)))
    for moment in ("03T22:00", "05T20:50", "05T21:03", "05T21:30"):
        game.set(moment)
        game.run("poll")
    evidence = game.read("tally")["evidence"]
    assert evidence["last_pass_before_close"].startswith("2018-06-05T20:50")
    assert evidence["first_pass_after_close"].startswith("2018-06-05T21:03")


def test_a_sweep_that_lost_a_page_leaves_the_tally_open_until_it_is_made_up_for(stack: ExitStack, tmp_path: Path) -> None:
    game = start(stack, tmp_path, thread(vote("饺子", "03T09:59", "包子"), *chat(44)))
    game.run("poll")
    game.set("05T21:05")

    def lose(asked: Asked, reply: Reply) -> Reply:
        return Reply(404, reply.headers, b"<html><title>404</title></html>") if "page=2" in asked.address else reply

    game.fail(lose)
    game.asked()
    assert game.run("poll").code == 4
    assert len(game.asked()) == 5, "not swept again at once"
    tally = game.read("tally")
    assert (tally["complete"], tally["final"], tally["evidence"]["missing_pages"]) == (False, False, [2])
    game.fail()
    game.run("poll")
    assert game.asked()[:2] == ["1235-5", "1235-2"]
    tally = game.read("tally")
    assert (tally["complete"], tally["final"]) == (True, True)


# How it ends


def test_ctrl_c_leaves_everything_seen_so_far_and_says_so(
    stack: ExitStack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = start(stack, tmp_path, thread(*chat(45)))
    fetch_page = Client.fetch_page

    def interrupt(self: Client, tid: int, page: int = 1, *, oldest_first: bool = False) -> Response:
        if page == 4:
            raise KeyboardInterrupt
        return fetch_page(self, tid, page, oldest_first=oldest_first)

    monkeypatch.setattr(Client, "fetch_page", interrupt)
    ran = game.run("poll")
    assert ran.code == 130
    assert "停下了（Ctrl-C）：看到的 3 页都已存好" in ran.err
    assert "Traceback" not in ran.err
    monkeypatch.undo()
    tally = game.read("tally")
    assert (tally["complete"], tally["evidence"]["missing_pages"]) == (False, [4, 5])
    game.asked()
    game.run("poll")
    assert sorted(game.asked())[-3:] == ["1235-3", "1235-4", "1235-5"]
    assert game.read("tally")["complete"] is True


def test_a_login_that_runs_out_in_the_middle_is_noticed_at_that_page(stack: ExitStack, tmp_path: Path) -> None:
    game = start(stack, tmp_path, thread(*chat(45)))
    cookies = "# Netscape HTTP Cookie File\n127.0.0.1\tFALSE\t/\tFALSE\t0\tsite_2132_auth\tsecret\n"
    (tmp_path / "cookies.txt").write_text(cookies, encoding="utf-8")
    (tmp_path / "cookies.txt").chmod(0o600)

    def members(asked: Asked, reply: Reply) -> Reply:
        link = "logout" if "page=3" not in asked.address else "login"
        head = f'<a href="member.php?mod=logging&amp;action={link}">x</a>'.encode()
        return Reply(200, reply.headers, reply.body.replace(b"<body", b"<body data-x=''>" + head + b"<div", 1))

    game.fail(members)
    ran = game.run("poll")
    assert ran.code == 4
    assert game.asked() == ["1235-1", "1235-2", "1235-3"]
    assert "bansha login" in ran.err
    assert "secret" not in ran.err + ran.out
    assert game.read("tally")["evidence"]["missing_pages"] == [3, 4, 5]


@pytest.mark.parametrize("dialect", ["x35", "v72", "v60"])
def test_two_posts_of_one_moment_the_other_way_round_do_not_make_a_round_read_everything(
    stack: ExitStack, tmp_path: Path, dialect: str
) -> None:
    posts = chat(200)
    for first in (14, 55, 103):
        posts[first], posts[first + 1] = posts[first + 1], posts[first]
    script = thread(*posts)
    script = replace(script, settings=replace(script.settings, dialect=dialect))
    game = start(stack, tmp_path, script)
    game.run("poll")
    assert len(game.asked()) == 20
    for _ in range(25):
        ran = game.run("poll")
        assert len(game.asked()) == 2
        assert "不见了" not in ran.out
    game.set("05T21:05")
    game.run("poll")
    assert game.read("tally")["complete"] is True
