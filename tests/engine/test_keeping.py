"""`bansha merge` and `bansha record`: two laptops' evidence in one file, and a living board as a case."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from engine.game import load_game
from tests.board.orders import newest_first
from tests.board.server import Asked, Reply
from tests.engine.command import run
from tests.engine.living import GAME, Living, chat, living, post, thread, vote

POSTS = [
    post("导演", "03T10:00", "开始投票"),
    vote(
        "饺子", "03T10:01", "包子", 'edits = [{ at = 2018-06-03T22:30:00, text = "投票对象：豆沙\\n投票理由：改", mark = false }]'
    ),
    vote("包子", "03T10:02", "豆沙"),
    *chat(20, 5),
]


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as opened:
        yield opened


# Merging


def two_directors(stack: ExitStack, folder: Path) -> tuple[Living, Path]:
    """One who looked at 22:00 and 21:05, and the archive of another who looked at 23:00 and 21:10."""
    game = stack.enter_context(living(folder, thread(*POSTS), "03T22:00"))
    other = folder / "other.db"
    for moment, arguments in (("03T22:00", ()), ("03T23:00", ("--db", str(other)))):
        game.set(moment)
        assert game.run("fetch", *arguments).code == 0
    return game, other


def test_merging_brings_the_other_directors_looks_into_the_count(stack: ExitStack, tmp_path: Path) -> None:
    game, other = two_directors(stack, tmp_path)
    before = game.read("tally")
    assert before["evidence"]["last_pass_before_close"].startswith("2018-06-03T22:00")
    ran = game.run("merge", str(other))
    assert (ran.code, ran.out) == (0, f"从 {other} 并入：1 次查看，0 个没见过的帖子，1 个版本。\n")
    after = game.read("tally")
    assert after["evidence"]["last_pass_before_close"].startswith("2018-06-03T23:00")
    # What was seen first counts, whoever saw it.
    assert [(count["target"], count["votes"]) for count in after["counts"]] == [("包子", 1), ("豆沙", 1)]
    assert json.loads(game.run("merge", str(other), "--json").out) == {"passes": 0, "posts": 0, "revisions": 0, "sent": 0}


def test_the_count_is_the_same_whoever_merges_whom(stack: ExitStack, tmp_path: Path) -> None:
    game, other = two_directors(stack, tmp_path)
    copy = tmp_path / "copy.db"
    copy.write_bytes(other.read_bytes())
    assert game.run("merge", str(tmp_path / "game.db"), "--db", str(copy)).code == 0
    assert game.run("merge", str(other)).code == 0
    assert game.run("tally", "--json").out == game.run("tally", "--json", "--db", str(copy)).out


def test_an_archive_of_another_board_is_refused(stack: ExitStack, tmp_path: Path) -> None:
    game, _ = two_directors(stack, tmp_path)
    (tmp_path / "elsewhere").mkdir()
    elsewhere = stack.enter_context(living(tmp_path / "elsewhere", thread(*POSTS), "03T22:00"))
    elsewhere.run("fetch")
    ran = game.run("merge", str(tmp_path / "elsewhere" / "game.db"))
    assert (ran.code, "写同一个论坛的数据库" in ran.err) == (2, True)


# Recording


@pytest.mark.parametrize("option", [(), ("--pages",)])
def test_a_recorded_day_is_replayed_to_the_same_count(stack: ExitStack, tmp_path: Path, option: tuple[str, ...]) -> None:
    game = stack.enter_context(living(tmp_path, thread(*POSTS), "03T22:00"))
    case = tmp_path / "a_case"
    for number, moment in enumerate(("03T22:00", "05T21:05", "05T21:10"), start=1):
        game.set(moment)
        assert game.run("fetch").code == 0
        # Once more, whatever is asked for: a case stays what it is.
        assert game.run("record", str(case), *(option if number == 1 else ())).code == 0
        laid_down = [path.relative_to(case).as_posix() for path in case.rglob("*") if path.is_file()]
        if option:
            assert {f"polls/{number}/1235-{page}.http" for page in (1, 2, 3)} < set(laid_down)
            assert not (case / "cassette.yaml").exists()
        else:
            assert sorted(laid_down) == ["SOURCE.md", "cassette.yaml", "game.toml"]
            passes = re.findall(r"^- pass: (\d+)$", (case / "cassette.yaml").read_text(encoding="utf-8"), re.MULTILINE)
            assert passes == [str(one) for one in range(1, number + 1) for _ in range(3)]
    replayed = json.loads(run("replay", str(case), "--json").out)
    (tally,) = replayed[0]["days"]
    counted = game.read("tally")
    for key in ("counts", "abstained", "void", "replaced", "not_ballots", "complete", "final"):
        assert _without_moments(tally[key]) == _without_moments(counted[key]), key


def _without_moments(value: object) -> object:
    return json.loads(re.sub(r'"revision": \d+', '"revision": 0', json.dumps(value)))


def test_a_case_names_neither_board_nor_login(stack: ExitStack, tmp_path: Path) -> None:
    game = stack.enter_context(living(tmp_path, thread(*POSTS), "03T22:00", GAME + 'discussion = "{url}thread-1235-1-1.html"\n'))
    port = game.served.base.rstrip("/").rsplit(":", 1)[1]
    cookies = "# Netscape HTTP Cookie File\n127.0.0.1\tFALSE\t/\tFALSE\t0\tsite_2132_auth\tv3rys3cret\n"
    (tmp_path / "cookies.txt").write_text(cookies, encoding="utf-8")
    (tmp_path / "cookies.txt").chmod(0o600)

    def members(asked: Asked, reply: Reply) -> Reply:
        head = b'<a href="member.php?mod=logging&amp;action=logout&amp;formhash=abcd1234">v3rys3cret</a>'
        return Reply(
            200,
            (*reply.headers, ("Set-Cookie", "site_2132_sid=freshs1d99; path=/")),
            reply.body.replace(b"<body", head + b"<body", 1),
        )

    game.fail(members)
    case = tmp_path / "a_case"
    assert game.run("record", str(case)).code == 0
    laid_down = {path.relative_to(case).as_posix(): path.read_bytes() for path in case.rglob("*") if path.is_file()}
    assert sorted(laid_down) == ["SOURCE.md", "cassette.yaml", "game.toml"]
    assert game.run("record", str(tmp_path / "as_pages"), "--pages").code == 0
    everything = b"".join(path.read_bytes() for path in (tmp_path / "as_pages").rglob("*") if path.is_file())
    everything += b"".join(laid_down.values())
    for secret in (b"127.0.0.1", port.encode(), b"v3rys3cret", b"freshs1d99", b"abcd1234", b"Set-Cookie"):
        assert secret not in everything, secret
    assert b"0000000000</a>" in everything, "a mask is as long as what it hides"
    forum = load_game(case).forum
    assert (forum.url, forum.cookies, forum.interval) == ("https://bbs.example.net/", None, 2.0)
    assert run("replay", str(case)).code in (0, 1)


def test_the_ledger_comes_along_only_where_it_is_asked_for(stack: ExitStack, tmp_path: Path) -> None:
    game = stack.enter_context(living(tmp_path, thread(*POSTS), "03T22:00"))
    (tmp_path / "ledger.txt").write_text("日2 导演 裁定 票 tid=1235 pid=5202 作废 ; 试\n", encoding="utf-8")
    assert "--ledger" in game.run("record", str(tmp_path / "one")).err
    assert not (tmp_path / "one" / "ledger.txt").exists()
    game.run("record", str(tmp_path / "two"), "--ledger")
    assert (tmp_path / "two" / "ledger.txt").is_file()


def test_a_recording_says_as_json_which_pass_it_is_and_how_it_went(stack: ExitStack, tmp_path: Path) -> None:
    game = stack.enter_context(living(tmp_path, thread(*POSTS), "03T22:00"))
    told = json.loads(game.run("record", str(tmp_path / "a_case"), "--json").out)
    assert (told["recorded"], told["pass"], told["pages"]) == (str(tmp_path / "a_case" / "cassette.yaml"), 1, 3)
    assert [one["tid"] for one in told["passes"]] == [1235]


def test_a_folder_with_something_else_in_it_is_not_recorded_into(stack: ExitStack, tmp_path: Path) -> None:
    game = stack.enter_context(living(tmp_path, thread(*POSTS), "03T22:00"))
    ran = game.run("record", str(tmp_path))
    assert (ran.code, "已经有东西了" in ran.err) == (2, True)
    assert game.asked() == []


def test_what_came_before_a_board_failed_is_recorded_too(stack: ExitStack, tmp_path: Path) -> None:
    game = stack.enter_context(living(tmp_path, thread(*POSTS), "03T22:00"))

    def strange(asked: Asked, reply: Reply) -> Reply:
        body = b"<html><head><title>Under construction</title></head><body>soon</body></html>"
        return Reply(200, reply.headers, body) if "page=2" in asked.address else reply

    game.fail(strange)
    case = tmp_path / "a_case"
    assert game.run("record", str(case)).code == 8
    assert b"Under construction" in (case / "cassette.yaml").read_bytes()
    assert run("replay", str(case)).code == 8
    assert game.run("record", str(tmp_path / "as_pages"), "--pages").code == 8
    assert b"Under construction" in (tmp_path / "as_pages" / "polls" / "1" / "1235-2.http").read_bytes()
    assert run("replay", str(tmp_path / "as_pages")).code == 8


def test_addresses_of_people_are_masked_in_a_case_and_stay_in_the_archive(stack: ExitStack, tmp_path: Path) -> None:
    words = "投票对象：me@example.net\n投票理由：写信到 a.b@example.com，我的 IP 192.0.2.17"
    posts = [post("导演", "03T10:00", "开始投票"), post("饺子", "03T10:01", words), vote("me@example.net", "03T10:02", "豆沙")]
    players = GAME.replace('name = "包子"', 'name = "me@example.net"')
    game = stack.enter_context(living(tmp_path, thread(*posts), "03T22:00", players))
    game.fail(lambda asked, reply: replace(reply, body=reply.body.replace(b"</body>", b"<p>IP: 198.51.100.7</p></body>")))
    assert game.run("fetch").code == 0
    for name, option in (("cassette", ()), ("pages", ("--pages",))):
        case = tmp_path / name
        assert game.run("record", str(case), *option).code == 0
        everything = b"".join(path.read_bytes() for path in case.rglob("*") if path.is_file())
        for hidden in (b"a.b@example.com", b"192.0.2.17", b"198.51.100.7"):
            assert hidden not in everything, hidden
        assert b"x.x@xxxxxxx.xxx" in everything
        assert b"000.00.000.0" in everything
        (tally,) = json.loads(run("replay", str(case), "--json").out)[0]["days"]
        assert [(count["target"], count["votes"]) for count in tally["counts"]] == [("me@example.net", 1), ("豆沙", 1)]
        assert _without_moments(tally["counts"]) == _without_moments(game.read("tally")["counts"])
    kept = sqlite3.connect(tmp_path / "game.db").execute("SELECT text FROM posts WHERE author = '饺子'").fetchone()
    assert kept == (words,)


@pytest.mark.parametrize("option", [(), ("--pages",)])
def test_a_thread_that_is_shown_newest_first_is_one_pass_in_the_usual_order(
    stack: ExitStack, tmp_path: Path, option: tuple[str, ...]
) -> None:
    game = stack.enter_context(living(tmp_path, thread(*POSTS), "03T22:00"))
    game.fail(newest_first(game.served.board))
    case = tmp_path / "a_case"
    for _ in range(2):
        assert game.run("record", str(case), *option).code == 0
    replayed = json.loads(run("replay", str(case), "--json").out)
    assert run("replay", str(case)).code in (0, 1)
    (tally,) = replayed[0]["days"]
    assert tally["complete"] is True or tally["evidence"]["missing_pages"] == []
    game.fail()
    assert game.run("fetch").code == 0
    assert _without_moments(tally["counts"]) == _without_moments(game.read("tally")["counts"])
    if option:
        assert sorted(path.name for path in (case / "polls").iterdir()) == ["1", "2"]


def test_an_old_board_that_answers_for_a_script_it_lacks_is_one_pass(stack: ExitStack, tmp_path: Path) -> None:
    game = stack.enter_context(living(tmp_path, thread(*POSTS), "03T22:00"))

    def only_old(asked: Asked, reply: Reply) -> Reply:
        body = b"<html><head><title>Welcome</title></head><body>index</body></html>"
        return Reply(200, reply.headers, body) if "forum.php" in asked.address else reply

    game.fail(only_old)
    for option in ((), ("--pages",)):
        case = tmp_path / f"case{len(option)}"
        assert game.run("record", str(case), *option).code == 0
        assert run("replay", str(case)).code in (0, 1)
        assert json.loads(run("replay", str(case), "--json").out)[0]["days"][0]["evidence"]["missing_pages"] == []


def test_a_replay_reaches_no_network(stack: ExitStack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import socket

    game = stack.enter_context(living(tmp_path, thread(*POSTS), "03T22:00"))
    case = tmp_path / "a_case"
    game.run("record", str(case))
    address = game.served.base.rstrip("/").rsplit(":", 1)[1]
    reached: list[str] = []

    def reach(*_: object, **__: object) -> tuple[()]:
        try:
            socket.create_connection(("127.0.0.1", int(address)), timeout=1).close()
        except OSError as error:
            reached.append(str(error))
        return ()

    monkeypatch.setattr("scraper.recording.save_recorded_passes", reach)
    run("replay", str(case))
    assert len(reached) == 1
    assert "the network is blocked during a replay" in reached[0]
