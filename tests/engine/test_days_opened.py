"""`bansha day` and `bansha elevator`: times by the calendar, the file as the director has it, two floors that can be pasted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.game import load_game
from tests.engine.command import Ran, run
from tests.engine.starting.games import write_game

FORUM = '[forum]\nurl = "https://bbs.example.net/"\n# 关于论坛\n'
VOTE = "https://bbs.example.net/forum.php?mod=viewthread&tid=1232"
NAMES = ("饺子", "包子", "豆沙")


def opened(folder: Path, *arguments: str) -> dict[str, Any]:
    ran = run("day", str(folder), *arguments, "--json")
    assert ran.code == 0, ran.err
    found: dict[str, Any] = json.loads(ran.out)
    return found


def refused(folder: Path, *arguments: str) -> Ran:
    """A command that must change nothing."""
    before = (folder / "game.toml").read_bytes()
    ran = run("day", str(folder), *arguments)
    assert ran.code == 2
    assert (folder / "game.toml").read_bytes() == before
    return ran


def test_a_day_of_m29_is_two_natural_days_and_one_more_at_a_weekend(tmp_path: Path) -> None:
    write_game(tmp_path, "m29", NAMES, more=FORUM)
    # 31 May 2018 is a Thursday: Thursday and Friday, until 21:00.
    first = opened(tmp_path, "1", "--vote", VOTE, "--opens", "2018-05-31T09:30")
    assert (first["opens"], first["closes"]) == ("2018-05-31T09:30:00+08:00", "2018-06-01T21:00:00+08:00")
    # The day after opens on Saturday: 每逢周末时讨论日延长一天.
    second = opened(tmp_path, "--vote", "1235", "--discussion", "1234", "--discussion", "1240", "--progress", "1236")
    assert (second["day"], second["opens"], second["closes"]) == (2, "2018-06-02T09:30:00+08:00", "2018-06-04T21:00:00+08:00")
    day = load_game(tmp_path).days[1]
    assert (day.vote, day.discussion, day.progress) == (1235, (1234, 1240), 1236)


def test_that_the_hour_is_yesterdays_is_said(tmp_path: Path) -> None:
    write_game(tmp_path, "m29", NAMES, more=FORUM)
    run("day", str(tmp_path), "1", "--vote", VOTE, "--opens", "2018-05-31T10:15")
    ran = run("day", str(tmp_path), "--vote", "1235")
    assert "照第 1 天的 10:15" in ran.err


def test_a_vest_day_opens_by_its_own_rule(tmp_path: Path) -> None:
    more = '[switches]\n"wolves.channel" = "A"\n"votes.publicity" = "G"\n' + FORUM
    write_game(tmp_path, "vest", NAMES, game='vests = ["甲", "乙", "丙"]\n', more=more)
    run("day", str(tmp_path), "1", "--vote", VOTE, "--opens", "2018-06-04T09:00")
    # 某一自然日09:30（可能会提前）~次日21:30
    day = opened(tmp_path, "--vote", "1235")
    assert (day["opens"], day["closes"]) == ("2018-06-06T09:30:00+08:00", "2018-06-07T21:30:00+08:00")


def test_a_close_that_the_ledger_moved_is_the_one_that_counts(tmp_path: Path) -> None:
    write_game(tmp_path, "m29", NAMES, more=FORUM)
    run("day", str(tmp_path), "1", "--vote", VOTE, "--opens", "2018-06-04T09:30")
    (tmp_path / "ledger.txt").write_text("日1 导演 关门 @2018-06-06T21:00\n", encoding="utf-8")
    assert opened(tmp_path, "--vote", "1235")["opens"] == "2018-06-07T09:30:00+08:00"


def test_what_nobody_says_is_asked_for_by_name(tmp_path: Path) -> None:
    write_game(tmp_path, "secret-number", NAMES, more=FORUM)
    assert "--opens" in refused(tmp_path, "1", "--vote", VOTE).err
    assert "--closes" in refused(tmp_path, "1", "--vote", VOTE, "--opens", "2018-05-31T09:30").err
    assert "--vote" in refused(tmp_path, "1", "--opens", "2018-05-31T09:30").err


def test_a_day_that_is_not_the_next_is_refused(tmp_path: Path) -> None:
    write_game(tmp_path, "m29", NAMES, more=FORUM)
    run("day", str(tmp_path), "1", "--vote", VOTE, "--opens", "2018-05-31T09:30")
    assert "bansha day 2" in refused(tmp_path, "3", "--vote", "1235").err


def test_days_that_would_overlap_are_refused(tmp_path: Path) -> None:
    write_game(tmp_path, "m29", NAMES, more=FORUM)
    run("day", str(tmp_path), "1", "--vote", VOTE, "--opens", "2018-05-31T09:30")
    assert "才关门" in refused(tmp_path, "2", "--vote", "1235", "--opens", "2018-06-01T20:00").err


def test_a_thread_of_another_board_is_refused(tmp_path: Path) -> None:
    write_game(tmp_path, "m29", NAMES, more=FORUM)
    refused(tmp_path, "1", "--vote", "https://other.example.org/thread-5-1-1.html", "--opens", "2018-05-31T09:30")


def test_the_file_is_as_it_was_but_for_the_day(tmp_path: Path) -> None:
    path = write_game(tmp_path, "m29", NAMES, more=FORUM)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    before = path.read_bytes()
    run("day", str(tmp_path), "1", "--vote", VOTE, "--opens", "2018-05-31T09:30")
    expected = "\r\n[[day]]\r\nnumber = 1\r\nopens  = 2018-05-31T09:30:00\r\ncloses = 2018-06-01T21:00:00\r\nvote   = 1232\r\n"
    assert path.read_bytes() == before + expected.encode()


def test_a_day_that_is_there_takes_what_is_told_later(tmp_path: Path) -> None:
    path = write_game(tmp_path, "m29", NAMES, more=FORUM)
    run("day", str(tmp_path), "1", "--vote", VOTE, "--opens", "2018-05-31T09:30")
    told = opened(tmp_path, "1", "--discussion", "1231", "--closes", "2018-06-01T22:00")
    assert (told["new"], told["closes"]) == (False, "2018-06-01T22:00:00+08:00")
    assert path.read_text(encoding="utf-8").count("[[day]]") == 1


def test_a_board_that_the_file_does_not_name_is_taken_from_the_link(tmp_path: Path) -> None:
    write_game(tmp_path, "m29", NAMES)
    run("day", str(tmp_path), "1", "--vote", VOTE, "--opens", "2018-05-31T09:30")
    assert load_game(tmp_path).forum.url == "https://bbs.example.net/"


def test_the_floors_of_a_day(tmp_path: Path) -> None:
    path = write_game(tmp_path, "m29", NAMES, more=FORUM)
    uid = path.read_text(encoding="utf-8").replace('account = "号-饺子"', 'account = "号-饺子"\nuid = 1001')
    path.write_text(uid.replace('account = "号-豆沙"', 'account = "号-豆沙"\nuid = 1003'), encoding="utf-8")
    run("day", str(tmp_path), "1", "--vote", "1232", "--opens", "2018-05-31T09:30")
    arguments = ("--vote", "1235", "--discussion", "1234", "--sheriff", "饺子", "--out", "豆沙", "--chanted", "包子")
    ran = run("day", str(tmp_path), *arguments)
    assert ran.out == (
        "———— 一楼 ————\n"
        "[b]试局 · 第 2 天[/b]\n"
        "开门：2018-06-02 09:30（周六）\n"
        "关门：2018-06-04 21:00（周一）\n"
        "投票帖：[url]https://bbs.example.net/forum.php?mod=viewthread&tid=1235&page=1[/url]\n"
        "讨论帖：[url]https://bbs.example.net/forum.php?mod=viewthread&tid=1234&page=1[/url]\n"
        "\n"
        "前一天出局：豆沙\n"
        "当日警长：饺子\n"
        "被吹笛：包子\n"
        "\n"
        "在场：饺子、包子\n"
        "———— 二楼 ————\n"
        "[b]电梯楼：点名字，只看这名角色在本帖的发言[/b]\n"
        "[url=https://bbs.example.net/forum.php?mod=viewthread&tid=1234&page=1&authorid=1001]饺子[/url]\n"
        "包子\n"
    )
    assert "包子 的 uid" in ran.err


def test_an_old_board_has_links_of_its_own(tmp_path: Path) -> None:
    path = write_game(tmp_path, "m29", ["饺子"], more=FORUM)
    path.write_text(path.read_text(encoding="utf-8").replace('"号-饺子"', '"号-饺子"\nuid = 1001'), encoding="utf-8")
    ran = run("day", str(tmp_path), "1", "--vote", "https://bbs.example.net/viewthread.php?tid=7", "--opens", "2018-05-31T09:30")
    assert "[url=https://bbs.example.net/viewthread.php?tid=7&page=1&authorid=1001]饺子[/url]" in ran.out


@pytest.mark.parametrize("name", ["[b]粗[/b]", "[url=http://x.example]点我[/url]"])
def test_a_name_runs_no_code_on_the_board(tmp_path: Path, name: str) -> None:
    write_game(tmp_path, "m29", [name], more=FORUM)
    ran = run("day", str(tmp_path), "1", "--vote", "1232", "--opens", "2018-05-31T09:30")
    assert name not in ran.out


def test_the_order_of_the_elevator_is_drawn_once_and_kept(tmp_path: Path) -> None:
    write_game(tmp_path, "m29", NAMES, more=FORUM)
    assert run("elevator", str(tmp_path), "--draw").code == 2
    run("deal", str(tmp_path), "--roles", "狼人=1,村民=2", "--seed", "一个够长的种子，谁也猜不出来的那种", "--force")
    assert run("elevator", str(tmp_path), "--draw").code == 0
    order = load_game(tmp_path, before_days=True).elevator
    assert sorted(order) == sorted(NAMES)
    run("elevator", str(tmp_path), "--order", "豆沙、饺子")
    run("day", str(tmp_path), "1", "--vote", "1232", "--opens", "2018-05-31T09:30")
    assert run("elevator", str(tmp_path)).out.splitlines()[1:] == ["豆沙", "饺子", "包子"]


def test_a_name_that_is_nobodys_is_refused_in_an_order(tmp_path: Path) -> None:
    path = write_game(tmp_path, "m29", NAMES, more=FORUM)
    before = path.read_bytes()
    assert run("elevator", str(tmp_path), "--order", "饺孑").code == 2
    assert path.read_bytes() == before


def test_the_first_floor_tells_what_the_game_publishes_and_nothing_else(tmp_path: Path) -> None:
    names = ("狼甲", "狼乙", "巫", "预", "羊", "笛", "丘", "民甲", "民乙", "民丙", "民丁", "狼丙")
    write_game(tmp_path, "m29", names, more=FORUM)
    roles = ("狼人", "狼人", "女巫", "预言", "替罪羊", "吹笛者", "丘比特", "村民", "村民", "村民", "村民", "狼人")
    rows = (f'[[player]]\nname = "{name}"\nrole = "{role}"\n' for name, role in zip(names, roles, strict=True))
    (tmp_path / "secrets.toml").write_text('seed = "s"\n' + "".join(rows), encoding="utf-8")
    run("day", str(tmp_path), "1", "--vote", "1232", "--opens", "2018-05-31T09:30")
    lines = "夜0 丘 金箭 民甲 民乙\n日1 民甲 投票 民丙\n日1 导演 截票\n"
    lines += "夜1 笛 吹笛 民丁\n夜1 狼甲 杀人 民丙\n夜1 导演 天亮\n夜1 民丙 殉职 羊\n"
    (tmp_path / "ledger.txt").write_text(lines, encoding="utf-8")
    day = opened(tmp_path, "--vote", "1235")
    first = day["floors"][0]
    assert "出局：民丙\n" in first
    assert "被吹笛：民丁\n" in first
    assert "当日警长：羊\n" in first
    assert "民丙" not in first.split("在场：")[1]
    assert not [role for role in roles if role in first]
    assert not [word for word in ("情侣", "狼人阵营") if word in first]


def test_the_first_day_of_secret_numbers_publishes_who_is_what_and_no_number(tmp_path: Path) -> None:
    names = tuple("abcdefghijkl")
    write_game(tmp_path, "secret-number", names, more=FORUM)
    run("deal", str(tmp_path), "--roles", "狼人=3")
    run("night", str(tmp_path), "丘比特 丘比特之箭 1 2", "--dawn")
    day = opened(tmp_path, "1", "--vote", "1232", "--opens", "2018-05-31T09:30", "--closes", "2018-06-02T21:00")
    secrets = load_game(tmp_path).secrets
    # 游戏开始前，导演公示身份与角色对应关系。
    for name in names:
        assert f"{name}（{secrets.roles[name]}）" in day["floors"][0]
    assert "情侣" not in day["floors"][0]
    assert "所有狼人" not in day["floors"][0]


def test_what_is_written_over_is_said(tmp_path: Path) -> None:
    write_game(tmp_path, "m29", NAMES, more=FORUM)
    run("day", str(tmp_path), "1", "--vote", VOTE, "--discussion", "1231", "--opens", "2018-05-31T09:30")
    again = run("day", str(tmp_path), "1", "--vote", VOTE)
    assert "原来" not in again.err
    ran = run("day", str(tmp_path), "1", "--vote", "1238", "--discussion", "1239", "--closes", "2018-06-01T22:00")
    for told in (
        "投票帖原来是 1232，现在是 1238",
        "讨论帖原来是 1231，现在是 1239",
        "关门原来是 2018-06-01 21:00，现在是 2018-06-01 22:00",
    ):
        assert told in ran.err
    assert "开门原来" not in ran.err


def test_a_date_without_an_hour_is_no_opening(tmp_path: Path) -> None:
    write_game(tmp_path, "m29", NAMES, more=FORUM)
    assert "没有时刻" in refused(tmp_path, "1", "--vote", VOTE, "--opens", "2018-05-31").err


def test_an_error_names_game_toml_in_one_language(tmp_path: Path) -> None:
    write_game(tmp_path, "m29", NAMES, more=FORUM)
    err = refused(tmp_path, "1", "--vote", "0", "--opens", "2018-05-31T09:30").err
    assert "/game.toml（" in err.replace("\\", "/")
    assert "'0' 不是帖号" in err


def test_a_day_before_the_first_is_refused_as_such(tmp_path: Path) -> None:
    write_game(tmp_path, "m29", NAMES, more=FORUM)
    run("day", str(tmp_path), "3", "--vote", VOTE, "--opens", "2018-05-31T09:30")
    assert "没有第 2 天" in refused(tmp_path, "2", "--vote", "1230", "--opens", "2018-05-28T09:30").err


def test_a_link_of_a_board_and_a_day_are_written_together_or_not_at_all(tmp_path: Path) -> None:
    path = write_game(tmp_path, "m29", NAMES, more="[cards]\n[[player]]\nname = '后来的'\n")
    refused(tmp_path, "1", "--vote", VOTE, "--opens", "2018-05-31T09:30", "--closes", "2018-05-31T09:00")
    before = path.read_text(encoding="utf-8")
    assert run("day", str(tmp_path), "1", "--vote", VOTE, "--opens", "2018-05-31T09:30").code == 0
    text = path.read_text(encoding="utf-8")
    assert text.startswith(before)
    assert '[forum]\nurl = "https://bbs.example.net/"' in text
