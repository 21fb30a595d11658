"""README.zh-CN.md leads a director through a game: its lines, typed word for word on the test board, do what it says."""

from __future__ import annotations

import json
import re
import shlex
from datetime import timedelta
from pathlib import Path

import pytest

from engine.game import load_game
from tests.board.script import read_script
from tests.engine.living import post, vote
from tests.engine.test_examples import Place, at_a_place, run_line

README = Path(__file__).parents[1] / "README.zh-CN.md"
NAMES = ("饺子", "包子", "豆沙", "汤圆", "夜行猫", "夜行者", "小克", "青岚", "老王", "馒头", "花卷", "麻花")


def read_lines() -> list[str]:
    """What a director types, in order, under the heading of a whole game."""
    text = README.read_text(encoding="utf-8")
    (section,) = re.findall(r"^## 带一整局.*?(?=^## )", text, re.MULTILINE | re.DOTALL)
    blocks = re.findall(r"^```console\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)
    return [line.removeprefix("bansha ") for block in blocks for line in block.splitlines()]


def script() -> str:
    """Twelve sign up; all vote for 饺子 as sheriff on the first day, and against 包子 on the second."""
    blocks = []
    for tid, title, opening, texts in (
        (1200, "报名帖", "2018-05-28T09:00", [(name, "报名") for name in NAMES]),
        (1231, "第一天 讨论帖", "2018-05-31T09:30", []),
        (1232, "第一天 投票帖", "2018-05-31T09:30", [(name, "饺子") for name in NAMES]),
        (1234, "第二天 讨论帖", "2018-06-02T09:30", []),
        (1235, "第二天 投票帖", "2018-06-02T09:30", [(name, "包子") for name in NAMES]),
    ):
        blocks.append(f'[[thread]]\ntid = {tid}\ntitle = "[M29] 小泡佩奇 {title}"\n')
        written = [post("导演", "01T00:00", "开").replace("2018-06-01T00:00", opening)]
        for place, (name, text) in enumerate(texts):
            one = vote(name, "01T00:00", text) if "投票" in title else post(name, "01T00:00", text)
            written.append(one.replace("2018-06-01T00:00", f"{opening[:10]}T10:{place:02d}"))
        blocks += [f"[[post]]\ntid = {tid}\npid = {tid * 100 + place}\n{one}" for place, one in enumerate(written)]
    return "\n".join(blocks)


def type_line(place: Place, line: str) -> str:
    """One line at the moment at which a director would type it; what it prints."""
    words = shlex.split(line)
    if words[0] == "day":
        number = len(load_game(place.folder / "mygame", before_days=True).days) + 1
        place.set({1: "2018-05-31T09:31", 2: "2018-06-02T09:31"}[number])
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
    with at_a_place(tmp_path, read_script(script())) as place:
        place.set("2018-05-29T20:00")
        printed = {line: type_line(place, line) for line in lines}
    assert "12 名玩家" in next(iter(printed.values()))
    published = [text.split("———— 可以发的帖子 ————\n")[1] for line, text in printed.items() if line.startswith("watch")]
    assert "投票出局：包子" in published[-1]
    assert "包子" in printed["status mygame"]
    assert "问：殉职有多久？　答：十分钟" in printed["announce mygame --moment opening --day 2"]
    record = json.loads((tmp_path / "archive" / "record.json").read_text(encoding="utf-8"))
    assert (record["result"]["winner"], record["seed_matches"], len(record["players"])) == (["村民阵营"], True, 12)
    assert [line.split()[0] for line in lines] == [
        *("init", "doctor", "deal", "elevator", "night", "night", "day", "watch", "do", "announce", "post", "do"),
        *("night", "night", "day", "watch", "do", "announce", "morning", "do", "reveal", "export", "status"),
    ]


@pytest.mark.parametrize("command", ["init", "doctor", "deal", "elevator", "night", "day", "watch", "do", "status"])
def test_the_walk_names_the_command(command: str) -> None:
    assert command in [line.split()[0] for line in read_lines()]
