"""`bansha cards`: what it proposes and why, and the lines that it writes when the director confirms."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from engine.replay import replay_case
from tests.engine.command import run

CASE = Path(__file__).parents[2] / "fixtures" / "m29" / "cards_for_silence_carried_over_days"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The case in a folder, with its database, and no card given yet."""
    folder = tmp_path_factory.mktemp("cards") / "game"
    shutil.copytree(CASE, folder)
    (folder / "ledger.txt").write_text("日2 导演 替补 麻花 @2018-06-05T12:00\n", encoding="utf-8")
    replay_case(folder, folder / "game.db")
    return folder


@pytest.fixture
def mine(played: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(played, tmp_path / "mine"))


def cards(folder: Path, *options: str) -> dict[str, Any]:
    ran = run("cards", str(folder), "--json", *options)
    assert ran.code == 0, ran.err
    value = json.loads(ran.out)
    assert isinstance(value, dict)
    return value


def open_cards(value: dict[str, Any]) -> list[tuple[str, str]]:
    return [(card["seat"], card["reason"]) for card in value["cards"] if card["confirmed"] is None]


def ledger(folder: Path) -> list[str]:
    return (folder / "ledger.txt").read_text(encoding="utf-8").splitlines()


def test_a_proposal_names_the_posts_that_count_and_those_that_do_not(played: Path) -> None:
    value = cards(played, "--day", "2")
    assert open_cards(value) == [
        ("K先生", "未投票"),
        ("豆沙", "发言不足"),
        ("汤圆", "发言不足"),
        ("老王", "发言不足"),
        ("K先生", "发言不足"),
    ]
    posts = {
        (card["seat"], card["reason"]): (
            [post["pid"] for post in card["counted"]],
            [(one["post"]["pid"], one["why"]) for one in card["ignored"]],
        )
        for card in value["cards"]
    }
    assert posts["豆沙", "发言不足"] == ([7104], [(7204, "says_nothing")])
    assert posts["老王", "发言不足"] == ([7107], [(7209, "outside_window")])
    assert posts["K先生", "未投票"] == ([], [])
    table = run("cards", str(played), "--day", "2").out
    for shown in (
        "豆沙 ",
        "地板 pid=7204 tid=1234 没有自己的话",
        "pid=7209 tid=1234 不在开门时间里",
        "建议",
        "确认后累计 1 张黄牌",
    ):
        assert shown in table, shown


def test_confirming_writes_one_line_a_card_and_no_more(mine: Path) -> None:
    ran = run("cards", str(mine), "--day", "2", "--confirm", "豆沙", "--confirm", "K先生:未投票")
    assert ran.code == 0
    assert [without_time(line) for line in ledger(mine)[1:]] == [
        "日2 导演 黄牌 豆沙 operator=[M29]导演 ; 发言不足",
        "日2 导演 黄牌 K先生 operator=[M29]导演 ; 未投票",
    ]
    assert "第 2 行" in ran.err
    value = cards(mine, "--day", "2")
    assert {(card["seat"], card["reason"]): card["confirmed"] for card in value["cards"]} == {
        ("K先生", "未投票"): 3,
        ("豆沙", "发言不足"): 2,
        ("汤圆", "发言不足"): None,
        ("老王", "发言不足"): None,
        ("K先生", "发言不足"): None,
    }
    assert [(record["seat"], len(record["yellows"])) for record in value["records"]] == [("豆沙", 1), ("K先生", 1)]


def test_the_name_of_the_operator_stands_in_the_line(mine: Path) -> None:
    run("cards", str(mine), "--day", "2", "--confirm", "汤圆", "--operator", "导演 乙")
    assert without_time(ledger(mine)[1]) == '日2 导演 黄牌 汤圆 operator="导演 乙" ; 发言不足'
    connection = sqlite3.connect(mine / "game.db")
    assert connection.execute("SELECT operator, remark FROM events WHERE act = '黄牌'").fetchall() == [("导演 乙", "发言不足")]
    connection.close()


def without_time(line: str) -> str:
    """A line that a confirmation wrote, without when it was entered, which every such line says."""
    bare, count = re.subn(r" entered_at=\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+08:00", "", line)
    assert count == 1, line
    return bare


def test_a_confirmation_is_not_known_before_it_was_entered(mine: Path) -> None:
    run("cards", str(mine), "--day", "2", "--confirm", "豆沙")
    before = json.loads(run("tally", str(mine), "--day", "2", "--json", "--known-at", "2020-01-01T00:00:00").out)
    assert all(card.get("confirmed") is None for card in before["cards"])
    now = json.loads(run("tally", str(mine), "--day", "2", "--json").out)
    assert [card["seat"] for card in now["cards"] if card.get("confirmed")] == ["豆沙"]


def test_what_the_ledger_holds_is_carried_over_days(mine: Path) -> None:
    run("cards", str(mine), "--day", "2", "--confirm", "豆沙")
    value = cards(mine, "--day", "3")
    (card,) = [card for card in value["cards"] if card["seat"] == "豆沙"]
    assert (card["reason"], card["then"]) == ("未投票", {"yellows": 2, "points": 0})
    assert "确认后累计 2 张黄牌，即红牌" in run("cards", str(mine), "--day", "3").out
    value = cards(mine, "--day", "3", "--confirm", "豆沙")
    red = [card for card in value["cards"] if card["card"] == "red"]
    assert [(card["seat"], card["reason"], card["lines"], card["confirmed"]) for card in red] == [
        ("豆沙", "累计 2 张黄牌", [2, 3], 3)
    ]
    assert cards(mine, "--day", "3", "--db", str(mine / "game.db"))["cards"] == value["cards"]


def test_an_undone_card_is_a_proposal_again(mine: Path) -> None:
    run("cards", str(mine), "--day", "2", "--confirm", "豆沙")
    with (mine / "ledger.txt").open("a", encoding="utf-8") as file:
        file.write("撤销 #2\n")
    assert ("豆沙", "发言不足") in open_cards(cards(mine, "--day", "2"))


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (("饺子",), "没有建议给他的罚牌"),
        (("青", "豆沙"), "没有叫"),
        (("豆沙", "包子"), "没有建议给他的罚牌"),
        (("豆沙:未投票",), "没有建议给他的罚牌"),
    ],
)
def test_what_cannot_be_confirmed_is_refused_and_nothing_is_written(mine: Path, words: tuple[str, ...], shown: str) -> None:
    before = (mine / "ledger.txt").read_bytes()
    ran = run("cards", str(mine), "--day", "2", *(option for word in words for option in ("--confirm", word)))
    assert (ran.code, shown in ran.err) == (2, True)
    assert (mine / "ledger.txt").read_bytes() == before


def test_a_card_is_given_once(mine: Path) -> None:
    run("cards", str(mine), "--day", "2", "--confirm", "豆沙")
    ran = run("cards", str(mine), "--day", "2", "--confirm", "豆沙")
    assert (ran.code, "已经确认过（账本第 2 行）" in ran.err) == (2, True)
    run("cards", str(mine), "--day", "2", "--confirm", "汤圆", "--confirm", "汤圆")
    assert len(ledger(mine)) == 3


def test_a_sped_up_day_has_no_cards_and_an_open_one_none_yet(mine: Path) -> None:
    assert cards(mine, "--day", "4")["cards"] == []
    assert "这一天没有罚牌" in run("cards", str(mine), "--day", "4").out
    with (mine / "ledger.txt").open("a", encoding="utf-8") as file:
        file.write("日4 导演 关门 @2018-06-12T21:00\n")
    assert "还没有关门" in run("cards", str(mine), "--day", "4").out


WRONG = [
    ("日2 包子 黄牌 饺子", "只能由导演写"),
    ("日2 导演 黄牌", "要写一名玩家"),
    ("日2 导演 黄牌 饺子 包子", "要写一名玩家"),
    ("日2 导演 红牌 馒头", "没有叫"),
    ("日2 导演 扣分 饺子", "分数"),
    ("日2 导演 扣分 饺子 三", "不是分数"),
]


@pytest.mark.parametrize(("line", "shown"), WRONG)
def test_a_line_that_is_wrong_is_refused_with_its_place(mine: Path, line: str, shown: str) -> None:
    (mine / "ledger.txt").write_text(f"{line}\n", encoding="utf-8")
    for command in ("cards", "tally"):
        ran = run(command, str(mine), "--day", "2")
        assert ran.code == 2
        assert re.search(r"ledger\.txt:1:\d+: ", ran.err)
        assert shown in ran.err


def test_a_discussion_thread_that_was_not_read_since_the_close_gives_no_card_for_silence(mine: Path) -> None:
    path = mine / "game.toml"
    text = path.read_text(encoding="utf-8")
    assert text.count("discussion = [1233, 1234]") == 1
    path.write_text(text.replace("discussion = [1233, 1234]", "discussion = [1233, 1234, 1239]"), encoding="utf-8")
    value = cards(mine, "--day", "2")
    assert open_cards(value) == [("K先生", "未投票")]
    assert [(one["code"], one["parameters"]) for one in value["findings"] if one["code"] == "D104"] == [
        ("D104", {"tids": "1239"})
    ]


def test_a_day_of_several_votes_has_its_cards_and_keeps_every_vote_in_the_database(tmp_path: Path) -> None:
    """断言 has three votes a day, and none of them is the day's own."""
    case = CASE.parents[1] / "assertion" / "a_tied_bite"
    database = tmp_path / "game.db"
    assert run("replay", str(case), "--db", str(database)).code == 0
    assert run("tally", str(case), "--day", "1", "--db", str(database)).code in (0, 1)

    def polls() -> set[str]:
        with sqlite3.connect(database) as connection:
            found = {str(poll) for (poll,) in connection.execute("SELECT poll FROM tallies WHERE day = 1")}
        connection.close()
        return found

    before = polls()
    assert len(before) > 1
    ran = run("cards", str(case), "--day", "1", "--db", str(database))
    assert ran.code in (0, 1), ran.err
    assert polls() == before
