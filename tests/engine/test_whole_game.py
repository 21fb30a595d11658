"""A whole recorded game: threads for every day and a ledger for the nights, from the deal to the winner."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from engine.replay import replay_case
from tests.engine.command import run

CASE = Path(__file__).parents[2] / "fixtures" / "m29" / "whole_game"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the case, to change things in."""
    return Path(shutil.copytree(CASE, tmp_path / "game"))


def test_it_replays_as_expected() -> None:
    result = replay_case(CASE)
    assert result.differences == ()
    assert [tally.verdict.seats for tally in result.tallies] == [("青岚",), ("10号",), ("汤圆",), ("K先生",)]
    assert all(tally.final for tally in result.tallies)


def test_an_end_that_is_not_as_expected_is_a_difference(folder: Path) -> None:
    path = folder / "expected.toml"
    path.write_text(
        path.read_text(encoding="utf-8").replace('winner = ["黑情侣阵营"]', 'winner = ["村民阵营"]'), encoding="utf-8"
    )
    (difference,) = replay_case(folder).differences
    assert (difference.what, difference.missing, difference.extra) == ("终局 · winner", ("[村民阵营]",), ("[黑情侣阵营]",))


def test_a_vote_edited_in_a_page_changes_the_rest_of_the_game(folder: Path) -> None:
    # 豆沙, who is sheriff, abstains on day 3: no tie, K先生 goes, and 汤圆 stays.
    for page in (folder / "polls").glob("*/1238-*.http"):
        page.write_bytes(
            page.read_bytes().replace(
                "投票对象：夜行猫<br />\n投票理由：青岚查过".encode(), "投票对象：弃权<br />\n投票理由：青岚查过".encode()
            )
        )
    result = replay_case(folder)
    assert result.tallies[2].verdict.seats == ("K先生",)
    out = next(one for one in result.differences if one.what == "终局 · out")
    assert "K先生，投票" in out.extra[0]
    assert "汤圆" not in out.extra[0]


def test_facts_of_the_game_file_that_the_ledger_contradicts_are_findings(folder: Path) -> None:
    path = folder / "game.toml"
    path.write_text(
        path.read_text(encoding="utf-8").replace("vote   = 1235\n", 'vote   = 1235\nsheriff = "饺子"\n'), encoding="utf-8"
    )
    result = replay_case(folder)
    assert [finding.code for finding in result.tallies[1].findings if finding.code.startswith("E")] == ["E121"]
    assert result.tallies[1].verdict.seats == ("10号",)


def test_an_outcome_without_a_ledger_is_an_error(folder: Path) -> None:
    (folder / "ledger.txt").unlink()
    ran = run("replay", str(folder))
    assert ran.code == 2
    assert "[outcome]" in ran.err


def test_the_commands_tell_the_same_game(folder: Path) -> None:
    replay_case(folder, folder / "game.db")
    status = run("status", str(folder), "--json")
    value = json.loads(status.out)
    assert (status.code, value["winner"], value["findings"]) == (0, ["黑情侣阵营"], [])
    tally = json.loads(run("tally", str(folder), "--day", "4", "--json").out)
    assert [one["reason"] for one in tally["void"]] == ["voter_barred"]
    public = run("status", str(folder), "--public").out
    assert "公示：冤死：替罪羊 汤圆 因冤死出局" in public
    assert "丘比特" not in public


def test_over_is_over(folder: Path) -> None:
    replay_case(folder, folder / "game.db")
    ran = run("do", str(folder), "日5 导演 截票")
    assert (ran.code, "E301" in ran.out) == (1, True)
