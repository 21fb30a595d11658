"""Which threads of a day are looked at: every vote's, discussion and progress, by every command that reads a board."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from engine.game import load_game
from engine.polling import list_targets
from tests.board.script import Script, read_script
from tests.board.server import Asked, Reply
from tests.engine.living import Living, chat, living

GAME = """[game]
title = "试局"
ruleset = "table"
directors = ["导演"]
[forum]
url = "{url}"
interval = 0.0
[[player]]
name = "饺子"
[[player]]
name = "包子"
[[player]]
name = "豆沙"
[[day]]
number = 2
opens = 2018-06-03T09:30:00
closes = 2018-06-03T21:00:00
vote = 1235
discussion = [1234, "{url}thread-1239-1-1.html"]
progress = 1236
sheriff = ""
[[day.poll]]
kind = "重投"
opens = 2018-06-03T21:05:00
closes = 2018-06-03T23:00:00
vote = 1237
"""
THREADS = (1234, 1235, 1236, 1237, 1239)


def script(count: int = 25) -> Script:
    text = "[board]\nper_page = 10\n" + "".join(f'[[thread]]\ntid = {tid}\ntitle = "帖"\n' for tid in THREADS)
    for tid in THREADS:
        text += "".join(f"[[post]]\ntid = {tid}\npid = {tid * 100 + nth}\n{keys}\n" for nth, keys in enumerate(chat(count)))
    return read_script(text)


@pytest.fixture
def game(tmp_path: Path) -> Iterator[Living]:
    with ExitStack() as stack:
        yield stack.enter_context(living(tmp_path, script(), "03T12:00", GAME))


def test_every_thread_of_a_day_is_a_target_its_votes_first(game: Living) -> None:
    targets = list_targets(load_game(game.folder), (), 2)
    assert [(one.tid, one.title) for one in targets] == [
        (1235, "投票帖"),
        (1237, "投票帖"),
        (1234, "讨论帖"),
        (1239, "讨论帖"),
        (1236, "进程帖"),
    ]
    # Each vote's own time: the second one closes later.
    assert [f"{one.span.until:%H:%M}" for one in targets[:2]] == ["21:00", "23:00"]


@pytest.mark.parametrize("command", ["fetch", "poll", "record"])
def test_every_command_that_reads_a_board_reads_them_all(game: Living, tmp_path: Path, command: str) -> None:
    assert game.run(command, *([str(tmp_path / "case")] if command == "record" else [])).code == 0
    assert Counter(game.asked()) == Counter({f"{tid}-{page}": 1 for tid in THREADS for page in (1, 2, 3)})


def test_an_unchanged_thread_costs_two_requests_a_round_whatever_it_is_for(game: Living) -> None:
    game.run("poll")
    game.asked()
    for _ in range(3):
        assert game.run("poll").code == 0
        assert Counter(page.split("-")[0] for page in game.asked()) == Counter({str(tid): 2 for tid in THREADS})


def test_a_challenge_at_one_thread_stops_the_run_before_the_others(game: Living) -> None:
    def challenge(asked: Asked, reply: Reply) -> Reply:
        body = "<html><head><title>页面重载开启</title><script>reload()</script></head></html>"
        return Reply(200, reply.headers, body.encode()) if "tid=1237" in asked.address else reply

    game.fail(challenge)
    for command in ("fetch", "poll"):
        ran = game.run(command)
        assert ran.code == 4
        assert {page.split("-")[0] for page in game.asked()} == {"1235", "1237"}


def test_an_old_board_costs_no_more_requests_once_its_addresses_are_known(game: Living) -> None:
    def only_old(asked: Asked, reply: Reply) -> Reply:
        return Reply(404, reply.headers, b"<html><title>404</title></html>") if "forum.php" in asked.address else reply

    game.fail(only_old)
    assert game.run("poll").code == 0
    game.asked()
    assert game.run("poll").code == 0
    addresses = [asked.address for asked in game.served.board.asked]
    assert len(addresses) == 2 * len(THREADS)
    assert all("viewthread.php?tid=" in address for address in addresses)
    # The board has moved to X since: its pages are found all the same.
    game.asked()
    game.fail(lambda asked, reply: Reply(404, reply.headers, b"<html></html>") if "/viewthread" in asked.address else reply)
    assert game.run("poll").code == 0
    assert len(game.asked()) == 2 * len(THREADS) + 1
