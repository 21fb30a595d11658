"""What the commands tell of the recorded whole games to the director and to everybody, and what is particular to one system."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.replay import replay_case
from tests.engine.command import run
from tests.engine.whole_games import change, copy_game, differences, drop_lines, whole_game


@pytest.fixture
def played(tmp_path: Path) -> Callable[[str], Path]:
    """A copy of a system's game, counted from its pages."""

    def play(system: str) -> Path:
        folder = copy_game(system, tmp_path)
        replay_case(folder, folder / "game.db")
        return folder

    return play


def ask(folder: Path, *words: str) -> Any:
    """What a command says in JSON."""
    return json.loads(run(words[0], str(folder), *words[1:], "--json").out)


def refusals(folder: Path) -> list[tuple[str, str]]:
    """The refused lines of a game's ledger, with the sentence that says why."""
    return [(row["line"], row["refused"]) for row in ask(folder, "ledger") if row["refused"]]


# ---- M29


def test_m29_status_and_tally_tell_what_the_game_knows(played: Callable[[str], Path]) -> None:
    folder = played("m29")
    assert [one["reason"] for one in ask(folder, "tally", "--day", "4")["void"]] == ["voter_barred"]
    public = run("status", str(folder), "--public").out
    assert "公示：冤死：替罪羊 汤圆 因冤死出局" in public
    assert "丘比特" not in public


# ---- 秘密数字杀


def test_numbers_are_public_where_one_alone_was_published_and_no_other(played: Callable[[str], Path]) -> None:
    folder = played("secret-number")
    value = ask(folder, "status", "--public")
    # 2 and 11, 4 and 9 were published as lists: which is whose is not told.
    assert value["numbers"] == {"大鹏": 6, "老墨": 12, "阿木": 5, "石头": 10, "云朵": 14}
    assert value["roles"]["云朵"] == "丘比特"
    public = run("status", str(folder), "--public").out
    assert "出局：飞鸟、南风；秘密数字：2、11" in public
    assert "情侣" not in public


def test_the_director_sees_what_was_refused_and_whose_every_number_is(played: Callable[[str], Path]) -> None:
    folder = played("secret-number")
    assert [(line.split(" ;")[0], why[:4]) for line, why in refusals(folder)] == [
        ("夜2 北北 救药 1", "E317"),
        ("夜3 石头 隔音之盾 8", "E315"),
    ]
    assert [(one["name"], one["number"]) for one in ask(folder, "status")["seats"]][:2] == [("阿木", 5), ("小川", 9)]


# ---- 马甲杀


def test_without_the_sheriffs_two_votes_nobody_goes_out_on_day_2(tmp_path: Path) -> None:
    # 狼人一 is elected in place of 守卫: 长风 has 3 votes, 听雨 has 4.
    folder = copy_game("vest", tmp_path)
    change(folder / "ledger.txt", "日1 导演 截票", "日1 导演 裁定 结果 警长 青衫\n日1 导演 截票")
    assert replay_case(folder).tallies[1].verdict.seats == ("听雨",)


def test_who_is_sent_off_in_the_middle_of_a_day_keeps_the_ballot_that_he_had_cast(tmp_path: Path) -> None:
    folder = copy_game("vest", tmp_path)
    change(folder / "ledger.txt", "日3 导演 截票", "日3 导演 罚下 村民二 @2014-11-06T12:00\n日3 导演 截票")
    tally = replay_case(folder).tallies[2]
    (count,) = [count for count in tally.counts if count.target == "短笛"]
    assert [ballot.voter for ballot in count.ballots] == ["爱神", "村民二"]


def test_a_sending_off_without_a_moment_leaves_the_vote_open(played: Callable[[str], Path]) -> None:
    folder = played("vest")
    change(folder / "ledger.txt", "日3 导演 截票", "日3 导演 罚下 村民二\n日3 导演 截票")
    (why,) = [why for line, why in refusals(folder) if line.startswith("日3 导演 截票")]
    assert why.startswith("E337")
    assert "村民二" in why


def test_nothing_public_says_whose_a_vest_is(played: Callable[[str], Path]) -> None:
    folder = played("vest")
    public = run("status", str(folder), "--public").out
    names = ("先知", "女巫", "守卫", "猎人", "爱神", "狼人一", "村民一")
    assert not any(name in public.split("公示：", 1)[1] for name in names)
    assert "公示：出局：落梅、晚钟、归鸿" in public
    value = ask(folder, "status", "--public")
    assert (value["vests"], value["out"]) == ({}, ["长风", "落梅", "晚钟", "归鸿", "远山", "短笛", "青衫", "白露"])


def test_the_director_sees_account_and_vest_together(played: Callable[[str], Path]) -> None:
    folder = played("vest")
    assert "守卫 寒江  守卫" in run("status", str(folder)).out
    (seat,) = [one for one in ask(folder, "status")["seats"] if one["name"] == "守卫"]
    assert (seat["vest"], seat["number"]) == ("寒江", None)


def test_a_game_without_vests_cannot_be_played(tmp_path: Path) -> None:
    folder = copy_game("vest", tmp_path)
    change(folder / "secrets.toml", 'vest = "寒江"\n', "")
    ran = run("status", str(folder))
    assert (ran.code, "守卫 的马甲" in ran.err) == (2, True)


def test_a_potion_on_whoever_is_not_dying_is_told_when_its_step_is_settled(played: Callable[[str], Path]) -> None:
    folder = played("vest")
    change(folder / "ledger.txt", "夜1 先知 预言 长风\n", "夜1 女巫 解药 听雨\n夜1 先知 预言 长风\n")
    assert [(line, why[:4]) for line, why in refusals(folder)] == [("夜1 女巫 解药 听雨", "E339")]
    assert [one["code"] for one in ask(folder, "status")["findings"]] == ["E339"]


def test_the_line_that_settles_a_step_tells_which_earlier_line_came_to_nothing(played: Callable[[str], Path]) -> None:
    folder = played("vest")
    ledger = folder / "ledger.txt"
    lines = ledger.read_text(encoding="utf-8").split("\n")
    ledger.write_text("\n".join([*lines[:4], "夜1 女巫 解药 听雨", ""]), encoding="utf-8")
    assert ask(folder, "do", "夜1 导演 天亮")["spoilt"] == [{"line": 5, "code": "E339", "target": "听雨"}]


def test_what_is_waited_for_in_the_first_night_names_who_may_join_the_wolves(tmp_path: Path) -> None:
    folder = copy_game("vest", tmp_path)
    change(folder / "secrets.toml", 'role = "猎人"', 'role = "白狼"')
    (folder / "ledger.txt").write_text("", encoding="utf-8")
    assert ask(folder, "status")["waiting"] == ["爱神 选择情侣", "猎人 归群"]


# ---- 断言


def test_the_facts_of_each_day_of_assertion_follow_from_the_ledger() -> None:
    days = replay_case(whole_game("assertion")).game.days
    assert [sorted(day.published) for day in days] == [[], ["狼一"], ["狼一", "狼二"], *[["狼一", "狼二", "血三"]] * 2]
    assert [len(day.souls) for day in days] == [0, 2, 3, 5, 6]


def test_a_row_that_the_game_cannot_take_leaves_the_vote_open(tmp_path: Path) -> None:
    folder = copy_game("assertion", tmp_path)
    change(folder / "votes.csv", "2,狼一,血二,", "2,狼五,血二,")
    (why,) = [why for line, why in refusals(folder) if line == "日2 导演 截票"]
    assert why.startswith("E337")
    assert "votes.csv 狼五 投票 血二" in why


def test_status_tells_the_director_of_souls_and_the_public_of_no_identity_that_is_not_published() -> None:
    folder = whole_game("assertion")
    value = ask(folder, "status")
    assert [one["name"] for one in value["seats"] if one["soul"]] == ["甲一", "甲三", "狼一", "血一", "血二", "笛二"]
    assert [one["name"] for one in value["seats"] if one["published"]] == ["狼一", "狼二", "血三"]
    public = run("status", str(folder), "--public").out
    assert "公示身份：血三 是吸血鬼" in public
    assert "吹笛者" not in public
    assert "被吹笛" not in public


# ---- 面杀


def test_what_everybody_sees_names_no_identity_but_those_that_the_game_shows(played: Callable[[str], Path]) -> None:
    value = ask(played("table"), "status", "--public")
    assert (value["roles"], value["winner"]) == ({"沈十四": "替罪羊"}, ["村民阵营"])


def test_an_election_without_hands_is_not_the_count_of_the_days_own_vote(tmp_path: Path) -> None:
    folder = copy_game("table", tmp_path)
    path = folder / "ledger.txt"
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    drop_lines(folder, *(line for line in lines if "投票" in line and "票=竞选" in line))
    result = replay_case(folder)
    assert (result.tallies[0].verdict.seats, result.tallies[1].verdict.seats) == ((), ("周八",))
    assert differences(folder)["sheriff"] != "赵六"
