"""断言: a whole recorded game, its votes in the ledger and in votes.csv, from the deal to the winner."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from engine.replay import replay_case
from tests.engine.command import run

CASE = Path(__file__).parents[2] / "fixtures" / "assertion" / "whole_game"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the case, to change things in."""
    return Path(shutil.copytree(CASE, tmp_path / "game"))


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_it_replays_as_expected() -> None:
    result = replay_case(CASE)
    assert result.differences == ()
    assert len(result.tallies) == 15
    assert all(tally.final for tally in result.tallies)


def test_the_facts_of_each_day_follow_from_the_ledger() -> None:
    days = replay_case(CASE).game.days
    assert [sorted(day.published) for day in days] == [[], ["狼一"], ["狼一", "狼二"], *[["狼一", "狼二", "血三"]] * 2]
    assert [len(day.souls) for day in days] == [0, 2, 3, 5, 6]


def test_the_rows_of_the_table_are_votes_of_the_game(folder: Path) -> None:
    change(folder / "votes.csv", "2,狼一,血二,", "2,狼一,血三,")
    found = [one.what for one in replay_case(folder).differences]
    assert "终局 · souls" in found


def test_a_row_that_the_game_cannot_take_leaves_the_vote_open(folder: Path) -> None:
    change(folder / "votes.csv", "2,狼一,血二,", "2,狼五,血二,")
    rows = json.loads(run("ledger", str(folder), "--json").out)
    (closing,) = [one for one in rows if one["line"] == "日2 导演 截票"]
    assert closing["refused"].startswith("E337")
    assert "votes.csv 狼五 投票 血二" in closing["refused"]


def test_facts_of_the_game_file_that_the_ledger_contradicts_are_findings(folder: Path) -> None:
    change(folder / "game.toml", "number = 3\n", 'number = 3\nsouls = ["甲一"]\npublished = ["狼一"]\n')
    found = {code for tally in replay_case(folder).tallies if tally.day == 3 for code in (one.code for one in tally.findings)}
    assert "E121" in found


def test_status_tells_the_director_of_souls_and_the_public_of_no_identity_that_is_not_published(folder: Path) -> None:
    value = json.loads(run("status", str(folder), "--json").out)
    assert [one["name"] for one in value["seats"] if one["soul"]] == ["甲一", "甲三", "狼一", "血一", "血二", "笛二"]
    assert [one["name"] for one in value["seats"] if one["published"]] == ["狼一", "狼二", "血三"]
    assert value["winner"] == ["村民阵营"]
    public = run("status", str(folder), "--public").out
    assert "公示身份：血三 是吸血鬼" in public
    assert "吹笛者" not in public
    assert "被吹笛" not in public
