"""面杀: a whole game at a table, from the deal to the winner; every vote stands in the ledger."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from engine.replay import replay_case
from tests.engine.command import run

CASE = Path(__file__).parents[2] / "fixtures" / "table" / "whole_game"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the case, to change things in."""
    return Path(shutil.copytree(CASE, tmp_path / "game"))


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def differences(folder: Path) -> dict[str, str]:
    """What came of a changed game, by what of the end it is."""
    return {one.what: "".join(one.extra) for one in replay_case(folder).differences}


def test_it_replays_as_expected() -> None:
    result = replay_case(CASE)
    assert result.differences == ()
    assert [tally.verdict.seats for tally in result.tallies] == [("赵六",), ("周八",), ("沈十四",), ("吴九",)]
    assert all(tally.final for tally in result.tallies)


def test_without_the_hand_of_the_judge_there_is_no_second_vote(folder: Path) -> None:
    path = folder / "ledger.txt"
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join(line for line in lines if "手势" not in line and "重投" not in line), encoding="utf-8")
    assert "沈十四" not in differences(folder)["终局 · out"]


def turn(folder: Path, line: str) -> None:
    """Turn a switch in the game file."""
    change(folder / "game.toml", "\n# At the table", f"\n[switches]\n{line}\n\n# At the table")


def test_the_other_left_hand_infects_another_wolf(folder: Path) -> None:
    turn(folder, '"seat.left" = "lower"')
    out = differences(folder)["终局 · out"]
    assert "林一，病逝" in out
    assert "李四，病逝" not in out


def test_the_sheriff_decides_the_tie_where_he_goes_before_the_scapegoat(folder: Path) -> None:
    turn(folder, 'tie_policy = ["sheriff_target", "scapegoat", "nobody"]')
    assert "林一，投票" in differences(folder)["终局 · out"]


def test_what_everybody_sees_names_no_identity_but_those_that_the_game_shows(folder: Path) -> None:
    replay_case(folder, folder / "game.db")
    value = json.loads(run("status", str(folder), "--public", "--json").out)
    assert value["roles"] == {"沈十四": "替罪羊"}
    assert value["winner"] == ["村民阵营"]


def test_an_election_without_hands_is_not_the_count_of_the_days_own_vote(folder: Path) -> None:
    path = folder / "ledger.txt"
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join(line for line in lines if "投票" not in line or "票=竞选" not in line), encoding="utf-8")
    result = replay_case(folder)
    assert (result.tallies[0].verdict.seats, result.tallies[1].verdict.seats) == ((), ("周八",))
    assert differences(folder)["终局 · sheriff"] != "赵六"
