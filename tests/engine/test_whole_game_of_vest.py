"""马甲杀: a whole recorded game with its threads, from the deal to the winner; votes and skills name vests, accounts post."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from engine.replay import replay_case
from tests.engine.command import run

CASE = Path(__file__).parents[2] / "fixtures" / "vest" / "whole_game"


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
    assert [tally.verdict.seats for tally in result.tallies] == [("寒江",), ("长风",), ("远山",), ("青衫",)]
    assert all(tally.final for tally in result.tallies)


def test_without_the_sheriffs_two_votes_nobody_goes_out_on_day_2(folder: Path) -> None:
    # 狼人一 is elected in place of 守卫: 长风 has 3 votes, 听雨 has 4.
    change(folder / "ledger.txt", "日1 导演 截票", "日1 导演 裁定 结果 警长 青衫\n日1 导演 截票")
    assert replay_case(folder).tallies[1].verdict.seats == ("听雨",)


def test_who_is_sent_off_in_the_middle_of_a_day_keeps_the_ballot_that_he_had_cast(folder: Path) -> None:
    change(folder / "ledger.txt", "日3 导演 截票", "日3 导演 罚下 村民二 @2014-11-06T12:00\n日3 导演 截票")
    tally = replay_case(folder).tallies[2]
    (count,) = [count for count in tally.counts if count.target == "短笛"]
    assert [ballot.voter for ballot in count.ballots] == ["爱神", "村民二"]


def test_a_sending_off_without_a_moment_leaves_the_vote_open(folder: Path) -> None:
    change(folder / "ledger.txt", "日3 导演 截票", "日3 导演 罚下 村民二\n日3 导演 截票")
    replay_case(folder, folder / "game.db")
    rows = json.loads(run("ledger", str(folder), "--json").out)
    (closing,) = [one for one in rows if one["line"].startswith("日3 导演 截票")]
    assert closing["refused"].startswith("E337")
    assert "村民二" in closing["refused"]


def test_nothing_public_says_whose_a_vest_is(folder: Path) -> None:
    replay_case(folder, folder / "game.db")
    public = run("status", str(folder), "--public").out
    names = [f'"{name}"' for name in ("先知", "女巫", "守卫", "猎人", "爱神", "狼人一", "村民一")]
    assert not any(name.strip('"') in public.split("公示：", 1)[1] for name in names)
    assert "公示：出局：落梅、晚钟、归鸿" in public
    value = json.loads(run("status", str(folder), "--public", "--json").out)
    assert (value["vests"], value["out"]) == ({}, ["长风", "落梅", "晚钟", "归鸿", "远山", "短笛", "青衫", "白露"])


def test_the_director_sees_account_and_vest_together(folder: Path) -> None:
    replay_case(folder, folder / "game.db")
    assert "守卫 寒江  守卫" in run("status", str(folder)).out
    (seat,) = [one for one in json.loads(run("status", str(folder), "--json").out)["seats"] if one["name"] == "守卫"]
    assert (seat["vest"], seat["number"]) == ("寒江", None)


def test_a_game_without_vests_cannot_be_played(folder: Path) -> None:
    change(folder / "secrets.toml", 'vest = "寒江"\n', "")
    ran = run("status", str(folder))
    assert (ran.code, "守卫 的马甲" in ran.err) == (2, True)


def test_a_potion_on_whoever_is_not_dying_is_told_when_its_step_is_settled(folder: Path) -> None:
    change(folder / "ledger.txt", "夜1 先知 预言 长风\n", "夜1 女巫 解药 听雨\n夜1 先知 预言 长风\n")
    replay_case(folder, folder / "game.db")
    rows = json.loads(run("ledger", str(folder), "--json").out)
    assert [(row["line"], row["refused"][:4]) for row in rows if row["refused"]] == [("夜1 女巫 解药 听雨", "E339")]
    assert [one["code"] for one in json.loads(run("status", str(folder), "--json").out)["findings"]] == ["E339"]


def test_the_line_that_settles_a_step_tells_which_earlier_line_came_to_nothing(folder: Path) -> None:
    replay_case(folder, folder / "game.db")
    ledger = folder / "ledger.txt"
    lines = ledger.read_text(encoding="utf-8").split("\n")
    ledger.write_text("\n".join([*lines[:4], "夜1 女巫 解药 听雨", ""]), encoding="utf-8")
    dawn = json.loads(run("do", str(folder), "夜1 导演 天亮", "--json").out)
    assert dawn["spoilt"] == [{"line": 5, "code": "E339", "target": "听雨"}]


def test_what_is_waited_for_in_the_first_night_names_who_may_join_the_wolves(folder: Path) -> None:
    change(folder / "secrets.toml", 'role = "猎人"', 'role = "白狼"')
    (folder / "ledger.txt").write_text("", encoding="utf-8")
    assert json.loads(run("status", str(folder), "--json").out)["waiting"] == ["爱神 选择情侣", "猎人 归群"]
