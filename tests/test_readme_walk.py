"""README.zh-CN.md leads a director through a game: its lines, typed word for word on the test board, do what it says."""

from __future__ import annotations

import json
import re
import shlex
from datetime import timedelta
from pathlib import Path

import pytest

from engine.game import load_game
from tests.board.walk import make_script
from tests.engine.test_examples import Place, at_a_place, run_line

README = Path(__file__).parents[1] / "README.zh-CN.md"


def read_lines() -> list[str]:
    """What a director types, in order, under the heading of a whole game."""
    text = README.read_text(encoding="utf-8")
    (section,) = re.findall(r"^## 带一整局.*?(?=^## )", text, re.MULTILINE | re.DOTALL)
    blocks = re.findall(r"^```console\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)
    return [line.removeprefix("bansha ") for block in blocks for line in block.splitlines()]


def type_line(place: Place, line: str) -> str:
    """One line at the moment at which a director would type it; what it prints."""
    words = shlex.split(line)
    if words[0] == "day":
        number = len(load_game(place.folder / "mygame", before_days=True).days) + 1
        place.set({1: "2018-05-31T09:31", 2: "2018-06-02T09:31", 3: "2018-06-05T09:31"}[number])
    elif words[0] == "watch":
        # In the evening: two days of half hours would only take the test's time.
        place.clock.now = load_game(place.folder / "mygame").days[-1].closes - timedelta(minutes=90)
    elif "--time-up" in words:
        place.clock.now += timedelta(minutes=61)
    ran = run_line(place, line)
    assert ran.code == 0, f"{line}: {ran.out}{ran.err}"
    return ran.out


def test_the_walk_through_a_game(tmp_path: Path) -> None:
    lines = read_lines()
    with at_a_place(tmp_path, make_script()) as place:
        place.set("2018-05-29T20:00")
        typed = [(line, type_line(place, line)) for line in lines]
    printed = dict(typed)
    assert "12 名玩家" in typed[0][1]
    published = [text.split("———— 可以发的帖子 ————\n")[1] for line, text in typed if line.startswith("watch")]
    assert [text.split("判定：")[1].splitlines()[0] for text in published] == [
        *("当选警长：饺子[/b]", "投票出局：包子[/b]", "投票出局：夜行猫[/b]"),
    ]
    assert "包子" in printed["status mygame"]
    assert "问：殉职有多久？　答：十分钟" in printed["announce mygame --moment opening --day 2"]
    record = json.loads((tmp_path / "archive" / "record.json").read_text(encoding="utf-8"))
    assert (record["result"]["winner"], record["seed_matches"], len(record["players"])) == (["村民阵营"], True, 12)
    assert (record["result"]["days"], [one["name"] for one in record["players"] if one["out"]]) == (3, ["包子", "夜行猫"])
    assert [line.split()[0] for line in lines] == [
        *("init", "doctor", "deal", "elevator", "night", "night", "day", "watch", "do", "announce", "post", "do"),
        *("night", "night", "night", "day", "watch", "do", "announce", "morning", "night", "day", "watch", "do"),
        *("do", "reveal", "export", "status"),
    ]


@pytest.mark.parametrize("command", ["init", "doctor", "deal", "elevator", "night", "day", "watch", "do", "status"])
def test_the_walk_names_the_command(command: str) -> None:
    assert command in [line.split()[0] for line in read_lines()]


@pytest.mark.parametrize(("name", "heading"), [("README.md", "Count your own thread"), ("README.zh-CN.md", "数自己的帖子")])
def test_a_thread_of_ones_own_is_counted_by_the_first_lines_under_its_heading(name: str, heading: str, tmp_path: Path) -> None:
    """The first block, typed as it stands in an empty folder, after the thread has closed."""
    text = (README.parent / name).read_text(encoding="utf-8")
    (section,) = re.findall(rf"^## {heading}\n.*?(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    lines = re.findall(r"^```console\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)[0].splitlines()
    typed = [line.removeprefix("$ ").removeprefix("bansha ").split("#")[0].strip() for line in lines]
    assert [line.split()[0] for line in typed] == ["init", "doctor", "fetch", "tally", "report"]
    with at_a_place(tmp_path, make_script()) as place:
        place.set("2018-06-02T12:00")
        ran = [run_line(place, line) for line in typed]
    assert [one.code for one in ran] == [0] * len(ran), [one.err for one in ran]
    assert "当选警长：饺子" in ran[3].out
    assert "当选警长：饺子" in (tmp_path / "report.html").read_text(encoding="utf-8")
