"""`bansha rollcall`: whoever has posted in the thread of reports has reported, and nobody else."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from engine.game import load_game
from tests.engine.living import GAME, Living, living, post, thread

POSTS = (
    post("导演", "03T09:30", "请报到"),
    post("豆沙", "03T10:00", "报到"),
    post("路人", "03T10:01", "饺子报到"),
    post("饺子", "03T10:02", "到"),
    post("豆沙", "03T10:03", "又来了"),
)


@pytest.fixture
def game(tmp_path: Path) -> Iterator[Living]:
    with ExitStack() as stack:
        yield stack.enter_context(living(tmp_path, thread(*POSTS, tid=1201), "03T12:00", GAME))


def test_who_has_reported_and_who_has_not(game: Living) -> None:
    roll = game.read("rollcall", "1201")
    assert [(one["seat"], one["floor"]) for one in roll["reported"]] == [("豆沙", "沙发"), ("饺子", "地板")]
    assert (roll["missing"], roll["strangers"]) == (["包子"], ["路人"])
    ran = game.run("rollcall", "1201")
    assert (ran.code, "还没有 1 人：包子" in ran.out) == (1, True)


def test_the_order_of_reports_becomes_that_of_the_elevator(game: Living) -> None:
    game.run("rollcall", "1201", "--order")
    assert load_game(game.folder).elevator == ("豆沙", "饺子")


def test_a_uid_goes_before_a_name(game: Living) -> None:
    path = game.folder / "game.toml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('name = "饺子"', 'name = "饺子"\nuid = 99999'), encoding="utf-8")
    # The account of that name is another one than the player's.
    assert [one["seat"] for one in game.read("rollcall", "1201")["reported"]] == ["豆沙"]


def test_the_thread_may_be_named_first(game: Living) -> None:
    for address in ("1201", f"{game.served.base}forum.php?mod=viewthread&tid=1201"):
        ran = game.run_here("rollcall", address, str(game.folder))
        assert (ran.code, "报到 2 人：豆沙" in ran.out) == (1, True)
        assert "bansha: 帖子 1201，第 1 页" in ran.err


def test_an_order_is_not_lost_where_nobody_has_reported(game: Living) -> None:
    game.run("rollcall", "1201", "--order")
    game.play(thread(POSTS[0], tid=1202, first=6001))
    ran = game.run("rollcall", "1202", "--order")
    assert (ran.code, "没有改" in ran.err) == (1, True)
    assert load_game(game.folder).elevator == ("豆沙", "饺子")


@pytest.mark.parametrize("words", ["报到", "到", "1", "打卡，身份：村民", "[:微笑:]"])
def test_whatever_he_posts_is_a_report(game: Living, words: str) -> None:
    game.play(thread(POSTS[0], post("包子", "03T10:05", words), tid=1201))
    assert [one["seat"] for one in game.read("rollcall", "1201")["reported"]] == ["包子"]
