"""`bansha night`: who is asked for what until when, what goes to whom, and what happens when time is up. M29, by its 行动时限."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from engine.play.table import Player
from tests.engine.command import Ran, run
from tests.engine.tables import write_game

CAST = {
    **dict.fromkeys(("狼甲", "狼乙", "狼丙"), "狼人"),
    "巫": "女巫",
    "预": "预言",
    "羊": "替罪羊",
    "笛": "吹笛者",
    "丘": "丘比特",
    **dict.fromkeys(("民甲", "民乙", "民丙", "民丁"), "村民"),
}
DAYS = """[[day]]
number = 1
opens = 2018-05-31T09:30:00
closes = 2018-06-02T21:00:00
vote = 1232
"""
OPENING = "夜0 丘 金箭 民甲 民乙\n日1 民甲 投票 羊\n日1 导演 截票\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A game of M29 in its first night: the vote closed at 21:00 on the 2nd of June."""
    players = "".join(f'[[player]]\nname = "{name}"\n' for name in CAST)
    (tmp_path / "game.toml").write_text(f'[game]\ntitle = "试局"\nruleset = "m29"\n{players}{DAYS}', encoding="utf-8")
    rows = "".join(f'[[player]]\nname = "{name}"\nrole = "{role}"\n' for name, role in CAST.items())
    (tmp_path / "secrets.toml").write_text(f'seed = "s"\n{rows}', encoding="utf-8")
    (tmp_path / "secrets.toml").chmod(0o600)
    (tmp_path / "ledger.txt").write_text(OPENING, encoding="utf-8")
    return tmp_path


def at(moment: str) -> datetime:
    return datetime.fromisoformat(f"2018-06-{moment}:00+08:00")


def night(folder: Path, moment: str, *arguments: str) -> Ran:
    with patch("scraper.pace.utc_now", lambda: at(moment)):
        return run("night", str(folder), *arguments)


def plan(folder: Path, moment: str, *arguments: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(night(folder, moment, *arguments, "--json").out)
    return found


def limits(folder: Path, moment: str, *arguments: str) -> dict[str, str | None]:
    tasks = plan(folder, moment, *arguments)["tasks"]
    return {task["name"]: task["until"] and task["until"][5:16] for task in tasks}


def ledger(folder: Path) -> list[str]:
    """The lines, without when they were entered."""
    text = (folder / "ledger.txt").read_text(encoding="utf-8")
    return [line.split(" entered_at=")[0] for line in text.splitlines()]


def test_every_step_is_there_in_order_with_its_limit(folder: Path) -> None:
    # 关门后一个小时；女巫<通灵>收到反馈后半小时: her time has not begun.
    assert limits(folder, "02T21:05") == {
        "替罪羊": "06-02T22:00",
        "吹笛者": "06-02T22:00",
        "狼人": "06-02T22:00",
        "女巫": None,
        "预言家": "06-02T22:00",
        "天亮": None,
    }


def test_who_is_asked_for_what(folder: Path) -> None:
    tasks = {task["name"]: task for task in plan(folder, "02T21:05")["tasks"]}
    assert (tasks["狼人"]["seats"], tasks["女巫"]["skills"]) == (["狼甲", "狼乙", "狼丙"], ["救药", "毒药"])
    assert tasks["吹笛者"]["lines"] == ["夜1 笛 吹笛"]


def test_a_joint_kill_is_one_line_for_all(folder: Path) -> None:
    tasks = {task["name"]: task for task in plan(folder, "02T21:05", "狼乙 杀人 民丙")["tasks"]}
    assert (tasks["狼人"]["seats"], tasks["狼人"]["chosen"]) == ([], ["狼乙 杀人 民丙"])
    assert ledger(folder)[-1] == "夜1 狼乙 杀人 民丙"


def test_the_witch_has_half_an_hour_from_her_feedback(folder: Path) -> None:
    told = night(folder, "02T21:20", "狼甲 杀人 民丙", "收 替罪羊", "收 吹笛者", "收 狼人")
    assert "转告 巫：通灵：今晚被杀人的是 民丙" in told.out
    assert limits(folder, "02T21:21")["女巫"] == "06-02T21:50"
    # The moment that counts is when the director passed it on.
    night(folder, "02T21:40", "反馈 巫 @2018-06-02T21:35")
    assert limits(folder, "02T21:41")["女巫"] == "06-02T22:05"


def test_what_is_to_be_passed_on_is_told_until_it_was(folder: Path) -> None:
    def errands() -> list[str]:
        return [errand["text"] for errand in plan(folder, "02T21:05")["errands"] if "巫" in errand["to"]]

    night(folder, "02T21:20", "狼甲 杀人 民丙", "收 替罪羊", "收 吹笛者", "收 狼人")
    assert errands() == ["通灵：今晚被杀人的是 民丙"]
    night(folder, "02T21:40", "反馈 女巫")
    assert errands() == []


def test_who_is_late_is_reminded_first_and_then_overdue(folder: Path) -> None:
    assert "该催了" not in night(folder, "02T21:30").out
    assert "该催了：笛" in night(folder, "02T21:50").out
    late = night(folder, "02T22:01").out
    assert "--time-up 吹笛者" in late


def test_time_up_takes_the_default_of_one_step(folder: Path) -> None:
    night(folder, "02T22:01", "--time-up", "狼人")
    assert ledger(folder)[-1] == "夜1 导演 超时 狼人"
    assert "狼人" not in limits(folder, "02T22:02")


def test_time_up_for_all_that_are_overdue(folder: Path) -> None:
    night(folder, "02T22:01", "--time-up", "过时的")
    assert [line.rpartition(" ")[2] for line in ledger(folder)[3:]] == ["替罪羊", "吹笛者", "狼人", "预言家"]


def test_nothing_is_drawn_before_the_director_says_so(folder: Path) -> None:
    night(folder, "03T09:00")
    assert ledger(folder) == OPENING.splitlines()
    assert night(folder, "02T21:10", "--time-up", "过时的").code == 1


def test_a_refused_line_changes_nothing(folder: Path) -> None:
    # 女巫被刀不得自救: 救药 is for another role.
    ran = night(folder, "02T21:20", "巫 救药 巫")
    assert (ran.code, "没有照办" in ran.out) == (1, True)
    assert ledger(folder) == OPENING.splitlines()


def test_dawn_publishes_and_ends_the_night(folder: Path) -> None:
    ran = night(folder, "02T22:05", "狼甲 杀人 民丙", "--dawn")
    assert "公示：出局：民丙" in ran.out
    assert "转告 民丙：你已经出局" in ran.out
    assert "日2" in ran.out


def test_a_decision_is_asked_first_and_has_its_own_limit(folder: Path) -> None:
    (folder / "ledger.txt").write_text(OPENING + "夜1 导演 天亮\n", encoding="utf-8")
    path = folder / "game.toml"
    day = DAYS.replace("1\n", "2\n", 1).replace("05-31", "06-03").replace("06-02", "06-05").replace("1232", "1235")
    path.write_text(path.read_text(encoding="utf-8") + day, encoding="utf-8")
    with patch("scraper.pace.utc_now", lambda: at("05T21:02")):
        run("do", str(folder), "日2 民甲 投票 羊")
        run("do", str(folder), "日2 导演 截票")
    # 警长被投票出局者关门十分钟内
    assert limits(folder, "05T21:03") == {"殉职": "06-05T21:10"}
    ran = night(folder, "05T21:11", "--time-up", "羊")
    assert "公示：殉职：继任警长的是" in ran.out
    assert "抽得=" in ledger_line(folder)


def ledger_line(folder: Path) -> str:
    return (folder / "ledger.txt").read_text(encoding="utf-8").splitlines()[-1]


def test_the_archer_has_half_an_hour_from_when_he_was_asked(folder: Path) -> None:
    (folder / "ledger.txt").write_text("夜0 导演 询问 丘 @2018-05-30T20:00\n", encoding="utf-8")
    assert limits(folder, "02T21:05") == {"丘比特": "05-30T20:30"}
    ran = night(folder, "02T21:05", "--time-up", "丘比特")
    assert "建情侣群" in ran.out or "所有狼人" in ran.out
    assert "抽得=" in ledger_line(folder)


def test_groups_that_open_are_told(folder: Path) -> None:
    (folder / "ledger.txt").write_text("", encoding="utf-8")
    ran = night(folder, "02T21:05", "丘 金箭 民甲 民乙", "--dawn")
    assert "建狼群：狼甲、狼乙、狼丙" in ran.out
    assert "建情侣群：民甲、民乙" in ran.out
    assert "转告 民甲：你的情侣是 民乙" in ran.out


class Director:
    """Answers by what the question begins with, and remembers what it was asked."""

    def __init__(self, **answers: str) -> None:
        self.answers, self.asked = answers, list[str]()

    def text(self, question: str, default: str = "", words: Sequence[str] = ()) -> str:
        self.asked.append(question)
        key = "_".join(question.split()[:2])
        answer = self.answers.get(key, default)
        assert not answer or answer in words
        return answer

    def choose(self, question: str, choices: Sequence[str], default: str | None = None) -> str:
        raise AssertionError(question)

    def confirm(self, question: str, default: bool = True) -> bool:
        self.asked.append(question)
        return default


def lead(folder: Path, director: Director, moment: str = "02T21:20") -> Ran:
    """The director answers what `bansha night` asks."""
    with patch("engine.cli.asking.make_asker", lambda: director):
        return night(folder, moment)


def test_the_director_is_led_through_the_night(folder: Path) -> None:
    director = Director(羊_隔音="民丁", 笛_吹笛="民丙", 巫_救药="民甲", 预_预言="狼甲")
    director.answers |= {"巫_毒药": "放弃", "狼甲、狼乙、狼丙_杀人": "民甲"}
    with patch("engine.cli.asking.make_asker", lambda: director):
        ran = night(folder, "02T21:20")
    assert ledger(folder)[3:-1] == [
        "夜1 羊 隔音 民丁",
        "夜1 导演 收 替罪羊",
        "夜1 笛 吹笛 民丙",
        "夜1 导演 收 吹笛者",
        "夜1 狼甲 杀人 民甲",
        "夜1 导演 收 狼人",
        "夜1 巫 救药 民甲",
        "夜1 导演 收 女巫",
        "夜1 预 预言 狼甲",
        "夜1 导演 收 预言家",
    ]
    assert ledger(folder)[-1].startswith("夜1 导演 天亮")
    # The other wolves are not asked once one has spoken for all.
    assert not [question for question in director.asked if question.startswith("狼乙")]
    assert "到时" in director.asked[0]
    assert "06-02 22:00" in director.asked[0]
    assert "转告 巫：通灵：今晚被杀人的是 民甲" in ran.out
    assert "转告 预：预言：狼甲 属于非村民阵营" in ran.out
    assert "公示：被吹笛：民丙" in ran.out


def test_status_says_until_when(folder: Path) -> None:
    with patch("scraper.pace.utc_now", lambda: at("02T21:30")):
        ran = run("status", str(folder))
        value = json.loads(run("status", str(folder), "--json").out)
    assert "吹笛者：笛 吹笛，到 06-02 22:00" in ran.out
    assert {task["name"]: task["until"] for task in value["tasks"]}["吹笛者"] == "2018-06-02T22:00:00+08:00"


def test_nobody_overdue_holds_up_no_dawn_once_all_have_answered(folder: Path) -> None:
    early = night(folder, "02T21:10", "--time-up", "过时的", "--dawn")
    assert (early.code, "没有谁过了时限" in early.err, ledger(folder)) == (1, True, OPENING.splitlines())
    for step in ("替罪羊", "吹笛者", "狼人", "预言家", "女巫"):
        night(folder, "02T21:20", "--time-up", step)
    late = night(folder, "02T23:00", "--time-up", "过时的", "--dawn")
    assert (late.code, ledger(folder)[-1].split(" 版本=")[0]) == (0, "夜1 导演 天亮")


def test_a_dawn_waits_for_whoever_was_told_something_just_now(folder: Path) -> None:
    """女巫 has thirty minutes from 通灵, which the closing of the wolves' step has brought."""
    early = night(folder, "02T22:01", "--time-up", "过时的", "--dawn")
    assert early.code == 1
    assert "女巫 到 06-02 22:31 还有时间，没有天亮" in early.err
    assert "通灵" in early.out
    assert not any("天亮" in line for line in ledger(folder))
    late = night(folder, "02T22:32", "--time-up", "过时的", "--dawn")
    assert (late.code, ledger(folder)[-1].split(" 版本=")[0]) == (0, "夜1 导演 天亮")


def test_a_dawn_need_not_wait_where_the_director_says_so(folder: Path) -> None:
    night(folder, "02T22:01", "--time-up", "过时的")
    assert night(folder, "02T22:02", "--time-up", "女巫", "--dawn").code == 0


def test_who_only_presses_return_ends_no_night(folder: Path) -> None:
    """天亮 would be the end of everybody's chance: it is proposed only where all have said."""
    director = Director()
    ran = lead(folder, director)
    assert ledger(folder) == OPENING.splitlines()
    assert "还没有说的：羊、笛、狼甲、狼乙、狼丙、巫、预" in director.asked[-1]
    assert not [question for question in director.asked if question.startswith("收")]
    # 女巫：执行<通灵>；选择<救药>、<毒药>目标: she cannot choose before she was told.
    assert not [question for question in director.asked if question.startswith("巫")]
    assert "女巫：前面的步骤收了才有要转告的" in ran.err


def test_what_was_declined_is_kept_and_not_asked_again(folder: Path) -> None:
    answers = {"羊_隔音": "放弃", "笛_吹笛": "民丙", "狼甲、狼乙、狼丙_杀人": "完"}
    lead(folder, Director(**answers))
    assert ledger(folder)[3:] == ["夜1 羊 放弃 隔音", "夜1 导演 收 替罪羊", "夜1 笛 吹笛 民丙", "夜1 导演 收 吹笛者"]
    again = Director(**answers)
    lead(folder, again)
    assert [question.split()[0] for question in again.asked] == ["狼甲、狼乙、狼丙"]


def test_one_answer_declines_for_all_who_choose_together(folder: Path) -> None:
    lead(folder, Director(**{"狼甲、狼乙、狼丙_杀人": "放弃"}))
    assert ledger(folder)[3:] == [f"夜1 {wolf} 放弃 杀人" for wolf in ("狼甲", "狼乙", "狼丙")] + ["夜1 导演 收 狼人"]


def test_who_declined_in_one_night_is_asked_in_the_next(folder: Path) -> None:
    night(folder, "02T21:20", "羊 放弃 隔音", "笛 放弃", "狼甲 杀人 民丙", "--dawn")
    with patch("scraper.pace.utc_now", lambda: at("05T21:02")):
        run("do", str(folder), "日2 民甲 投票 弃权")
        run("do", str(folder), "日2 导演 裁定 结果 无人")
        assert run("do", str(folder), "日2 导演 截票").code == 0
    tasks = {task["name"]: task for task in plan(folder, "05T21:05")["tasks"]}
    assert (tasks["替罪羊"]["seats"], tasks["吹笛者"]["seats"]) == (["羊"], ["笛"])


def test_only_whom_the_rules_allow_is_proposed(folder: Path) -> None:
    """每名角色整局游戏只能成为该技能的目标一次; 女巫被刀不得自救."""
    night(folder, "02T21:20", "羊 隔音 民丁", "狼甲 杀人 民丙", "--dawn")
    with patch("scraper.pace.utc_now", lambda: at("05T21:02")):
        run("do", str(folder), "日2 导演 裁定 结果 无人")
        run("do", str(folder), "日2 导演 截票")
    words: dict[str, Sequence[str]] = {}

    class Curious(Director):
        def text(self, question: str, default: str = "", offered: Sequence[str] = ()) -> str:
            words[" ".join(question.split()[:2])] = offered
            return super().text(question, default, offered)

    lead(folder, Curious(**{"羊_隔音": "放弃", "笛_吹笛": "放弃", "狼甲、狼乙、狼丙_杀人": "巫"}), "05T21:20")
    muffled, saved = words["羊 隔音"], words["巫 救药"]
    assert ("民丁" in muffled, "民丙" in muffled, "民甲" in muffled) == (False, False, True)
    assert ("巫" in saved, "民甲" in saved) == (False, True)


def test_an_answer_that_is_no_line_is_asked_again_and_changes_nothing(folder: Path) -> None:
    wrong = ["没有这个人", "民甲 民乙", '"', "; 一", "=", "@明天"]

    class Clumsy(Director):
        def text(self, question: str, default: str = "", words: Sequence[str] = ()) -> str:
            return wrong.pop() if wrong else "完"

    ran = lead(folder, Clumsy())
    assert ledger(folder) == OPENING.splitlines()
    assert (ran.code, wrong, "Traceback" in ran.err) == (0, [], False)


def test_nobody_to_ask_is_no_hang(folder: Path) -> None:
    """Without a terminal the plan is printed, and the command ends."""
    command = [sys.executable, "-m", "engine", "night", str(folder)]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", timeout=60, check=False)
    assert (done.returncode, "等 替罪羊：羊 隔音" in done.stdout, "Traceback" in done.stderr) == (0, True, False)


@pytest.mark.parametrize(("ruleset", "line"), [("vest", "夜0 白狼 放弃 归群"), ("table", "夜1 导演 超时 爷")])
def test_the_default_of_a_first_night_may_be_taken(tmp_path: Path, ruleset: str, line: str) -> None:
    """归群: 可选择, and he does not; 对立 is drawn, and said as it would have been chosen."""
    cast = {
        "vest": {"狼": "狼人", "狼二": "狼人", "狼三": "狼人", "白狼": "白狼", "神": "爱神", "民": "村民", "先知": "先知"},
        "table": {"狼甲": "狼人", "狼乙": "狼人", "爷": "偏见者", "民甲": "村民", "民乙": "村民", "民丙": "村民", "预": "预言家"},
    }[ruleset]
    vests = {name: f"甲{place}" for place, name in enumerate(cast)} if ruleset == "vest" else {}
    players = [Player(name, role, None, (), None, vests.get(name)) for name, role in cast.items()]
    write_game(tmp_path, ruleset, players)
    who = line.split()[1] if ruleset == "vest" else "老爷爷"
    ran = night(tmp_path, "02T21:20", "--time-up", who)
    assert (ran.code, ledger(tmp_path)[-1].split(" 抽得=")[0]) == (0, line)
    assert ruleset == "vest" or re.search("抽得：爷 对立 .宗族", ran.out)


def test_sisters_have_a_group_by_night(tmp_path: Path) -> None:
    """每个夜晚,两姐妹/三兄弟均可以睁眼用无声的方式讨论次日投票。"""
    roles = ("狼人", "狼人", "两姐妹", "两姐妹", "村民", "村民", "预言家")
    write_game(tmp_path, "table", [Player(f"甲{place}", role) for place, role in enumerate(roles)])
    ran = night(tmp_path, "02T21:20", "甲6 查验 甲0")
    assert (ran.code, "建姐妹兄弟群：甲2、甲3，只在夜里开" in ran.out) == (0, True)


def test_one_who_feigns_is_asked_yes_or_no(tmp_path: Path) -> None:
    """装傻 has no target: 是, and a sheriff may name his heir instead."""
    roles = ("狼人", "狼人", "白痴", "村民", "村民", "预言家", "丘比特", "村民")
    players = [Player(f"甲{place}", role, place) for place, role in enumerate(roles, 1)]
    write_game(
        tmp_path, "secret-number", players, ["夜0 丘比特 丘比特之箭 4 5", "日1 甲4 投票 4", "日1 导演 截票", "夜1 导演 天亮"]
    )
    for line in ("日2 甲1 投票 3", "日2 导演 截票"):
        run("do", str(tmp_path), line)
    director = Director(甲3_装傻="是")
    lead(tmp_path, director)
    assert re.fullmatch("甲3 装傻 吗，.* 到时（回车跳过，是、放弃、到时、完）", director.asked[0])
    assert ledger(tmp_path)[-1] == "日2 甲3 装傻"
