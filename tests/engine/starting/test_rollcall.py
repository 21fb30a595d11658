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
