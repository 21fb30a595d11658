"""`tally`, `explain` and `demo` as a director types them."""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from engine.store import VIEWS
from tests.engine.command import run

M29 = Path(__file__).parents[2] / "fixtures" / "m29"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The three days in a folder, with the database that a director would have by now."""
    folder = tmp_path_factory.mktemp("played") / "game"
    assert run("demo", "--dir", str(folder)).code == 0
    return folder


@pytest.fixture
def mine(played: Path, tmp_path: Path) -> Path:
    """A copy of it to change at will."""
    return Path(shutil.copytree(played, tmp_path / "mine"))


def tally(folder: Path, *options: str) -> dict[str, object]:
    """The JSON of a tally."""
    value = json.loads(run("tally", str(folder), "--json", *options).out)
    assert isinstance(value, dict)
    return value


def standing(value: dict[str, object]) -> dict[str, int]:
    counts = value["counts"]
    assert isinstance(counts, list)
    return {count["target"]: count["votes"] for count in counts}


def test_the_demo_counts_its_three_days_and_says_what_to_try() -> None:
    ran = run("demo")
    assert ran.code == 0
    assert re.findall(r"(?:当选警长|投票出局)：\S+", ran.out) == ["当选警长：青岚", "投票出局：10号", "投票出局：汤圆"]
    assert ran.out.count("最终结果") == 3
    assert "bansha demo --dir mygame" in ran.out


def test_the_demo_leaves_a_game_to_play_with_and_overwrites_nothing(played: Path) -> None:
    assert {"game.toml", "polls", "expected.toml", "game.db"} <= {path.name for path in played.iterdir()}
    assert run("replay", str(played)).code == 0
    before = (played / "game.toml").read_bytes()
    ran = run("demo", "--dir", str(played))
    assert (ran.code, "不覆盖" in ran.err) == (2, True)
    assert (played / "game.toml").read_bytes() == before


@pytest.mark.skipif(os.name != "posix", reason="only POSIX has these bits")
def test_the_secrets_of_the_copied_game_are_its_owners(played: Path) -> None:
    assert (played / "secrets.toml").stat().st_mode & 0o077 == 0


def test_what_to_try_next_works_as_it_is_printed(tmp_path: Path) -> None:
    folder = tmp_path / "mygame"
    printed = run("demo", "--dir", str(folder)).out
    commands = re.findall(r"bansha ((?:explain|tally|replay) [^，\n]+?)(?:   |，|\n)", printed)
    assert [command.split()[0] for command in commands] == ["explain", "tally", "replay"]
    for command in commands:
        assert run(*command.split()).code == 0, command
    page = re.search(r"如 (\S+\.http)", printed)
    assert page is not None
    path = Path(page[1])
    path.write_bytes(
        path.read_bytes().replace("投票对象:饺子".encode(), "投票对象:豆沙".encode()).replace("青岚".encode(), "豆沙".encode())
    )
    assert run("replay", str(folder)).code == 1


def test_a_tally_is_the_same_as_the_replays(played: Path) -> None:
    replayed = json.loads(run("replay", str(M29 / "three_days"), "--json").out)[0]["days"]
    assert [tally(played, "--day", str(day)) for day in (1, 2, 3)] == replayed


def test_a_tally_without_a_day_is_of_the_last_one_that_closed(played: Path) -> None:
    assert tally(played)["day"] == 3
    assert tally(played, "--known-at", "2018-06-05T12:00")["day"] == 2


def test_the_table_says_what_the_json_says(played: Path) -> None:
    table = run("tally", str(played), "--day", "2").out
    value = tally(played, "--day", "2")
    for target, votes in standing(value).items():
        assert re.search(rf"│ {re.escape(target)} +│ +{votes} │", table)
    verdict = value["verdict"]
    assert isinstance(verdict, dict)
    assert verdict["because"] in table


def test_the_rows_say_what_the_json_says(mine: Path) -> None:
    value = tally(mine, "--day", "2")
    connection = sqlite3.connect(mine / "game.db")
    rows = connection.execute("SELECT target, votes, voters, complete, digest FROM tallies WHERE day = 2").fetchall()
    void = connection.execute(
        "SELECT voter, raw, reason, pid FROM ballots WHERE day = 2 AND standing = 0 AND reason != 'replaced'"
    )
    counts, voids = value["counts"], value["void"]
    assert isinstance(counts, list)
    assert isinstance(voids, list)
    assert rows == [
        (
            count["target"],
            count["votes"],
            json.dumps([ballot["voter"] for ballot in count["ballots"]], ensure_ascii=False),
            1,
            value["digest"],
        )
        for count in counts
    ]
    assert sorted(void) == sorted((one["voter"], one["raw"], one["reason"], one["post"]["pid"]) for one in voids)
    connection.close()


def test_a_tally_up_to_a_moment_or_a_floor_is_never_final_and_is_not_stored(mine: Path) -> None:
    connection = sqlite3.connect(mine / "game.db")
    before = [connection.execute(f"SELECT * FROM {view}").fetchall() for view in VIEWS]
    whole = standing(tally(mine, "--day", "2"))
    half = tally(mine, "--day", "2", "--as-of", "2018-06-03T20:48:30")
    assert standing(half) != whole
    assert (half["as_of"], half["final"]) == ("2018-06-03T20:48:30+08:00", False)
    for floor in ("12", "12#"):
        assert standing(tally(mine, "--day", "2", "--as-of", floor)) == standing(half)
    assert [connection.execute(f"SELECT * FROM {view}").fetchall() for view in VIEWS] == before
    connection.close()


def test_what_was_known_at_a_moment_is_what_had_been_seen_by_then(played: Path) -> None:
    value = tally(played, "--day", "2", "--known-at", "2018-06-05T20:58:00")
    evidence = value["evidence"]
    assert isinstance(evidence, dict)
    assert (value["final"], evidence["first_pass_after_close"]) == (False, None)
    assert standing(value)["老王"] == 4, "汤圆 voted in the closing second"


def test_a_ruling_of_the_ledger_changes_the_tally_and_is_shown(mine: Path) -> None:
    (mine / "ledger.txt").write_text("日2 导演 裁定 票 tid=1235 pid=5215 计为 10号 ; 忘点引用\n", encoding="utf-8")
    value = tally(mine, "--day", "2")
    findings = value["findings"]
    assert isinstance(findings, list)
    assert [finding["code"] for finding in findings if finding["code"].startswith("E")] != []
    voids = value["void"]
    assert isinstance(voids, list)
    assert 5215 not in [one["post"]["pid"] for one in voids]
    assert "裁定" in run("tally", str(mine), "--day", "2").out
    connection = sqlite3.connect(mine / "game.db")
    assert connection.execute("SELECT act, remark FROM events").fetchall() == [("裁定", "忘点引用")]
    connection.close()


def test_facts_of_the_next_day_that_disagree_with_the_verdict_are_findings(mine: Path) -> None:
    path = mine / "game.toml"
    text = path.read_text(encoding="utf-8")
    assert text.count('sheriff    = "青岚"') == 1
    assert text.count('"10号", "青岚"') == 1
    path.write_text(
        text.replace('sheriff    = "青岚"', 'sheriff    = "饺子"').replace('"10号", "青岚"', '"青岚"'), encoding="utf-8"
    )

    def codes(day: int) -> list[tuple[str, str]]:
        findings = tally(mine, "--day", str(day))["findings"]
        assert isinstance(findings, list)
        return [(finding["code"], finding["seat"]) for finding in findings if finding["code"] in ("E105", "E106")]

    assert codes(1) == [("E105", "青岚")]
    path.write_text(text.replace('"10号", "青岚"', '"青岚"'), encoding="utf-8")
    assert codes(2) == [("E106", "10号")]
    path.write_text(text, encoding="utf-8")
    assert codes(1) == codes(2) == []


def test_a_board_that_prints_another_zone_leaves_nothing_final(mine: Path) -> None:
    path = mine / "game.toml"
    path.write_text(path.read_text(encoding="utf-8").replace("[forum]\n", '[forum]\ntimezone = "Asia/Tokyo"\n'), encoding="utf-8")
    ran = run("tally", str(mine), "--day", "3", "--json")
    value = json.loads(ran.out)
    assert (ran.code, value["final"], value["verdict"]["seats"]) == (1, False, [])
    assert [one["parameters"] for one in value["findings"] if one["code"] == "B303"] == [{"printed": "GMT+8", "set": "GMT+9"}]


def test_explain_tells_words_name_rules_and_result_of_every_post(played: Path) -> None:
    ran = run("explain", str(played), "老王", "--day", "1")
    assert ran.code == 0
    for shown in (
        "改票对象 → 「夜行猫」",
        "关门前一小时不允许改票或代投",
        "是！",
        "无效：",
        "有效",
        "青岚 先到 4 票",
        "pid=5114",
    ):
        assert shown in ran.out, shown
    value = json.loads(run("explain", str(played), "老王", "--day", "1", "--json").out)
    assert (value["seat"], [post["place"] for post in value["posts"]]) == ("老王", ["standing", "void"])
    assert value["posts"][0]["lost_to"]["post"]["pid"] == 5114
    assert [rule["rule"] for rule in value["posts"][1]["rules"] if not rule["passed"]] == ["change_too_late"]


def test_explain_knows_a_seat_by_its_aliases_and_refuses_a_stranger(played: Path) -> None:
    assert json.loads(run("explain", str(played), "饺", "--day", "1", "--json").out)["seat"] == "饺子"
    ran = run("explain", str(played), "老五")
    assert (ran.code, "老王" in ran.err) == (2, True)


@pytest.mark.parametrize(
    ("options", "shown"),
    [
        (("--day", "7"), "没有第 7 天"),
        (("--as-of", "99"), "99"),
        (("--known-at", "昨天"), "--known-at"),
        (("--db", "nowhere.db"), "bansha fetch"),
        (("--day", "二"), "--day"),
    ],
)
def test_a_mistake_on_the_command_line_exits_2(played: Path, options: tuple[str, ...], shown: str) -> None:
    ran = run("tally", str(played), *options)
    assert (ran.code, ran.out) == (2, "")
    assert shown in ran.err


def test_a_wrong_game_file_exits_2_and_writes_nothing(mine: Path) -> None:
    path = mine / "game.toml"
    path.write_text(path.read_text(encoding="utf-8").replace("ruleset", "rulset", 1), encoding="utf-8")
    before = {file: file.read_bytes() for file in mine.iterdir() if file.is_file()}
    ran = run("tally", str(mine))
    assert (ran.code, ran.out) == (2, "")
    assert "game.toml:4: game.rulset: " in ran.err
    assert {file: file.read_bytes() for file in mine.iterdir() if file.is_file()} == before


def test_a_wrong_ledger_exits_2_with_line_and_column(mine: Path) -> None:
    (mine / "ledger.txt").write_text("日2 导演 代投 豆沙 包子二\n", encoding="utf-8")
    ran = run("tally", str(mine))
    assert (ran.code, "ledger.txt:1:13: " in ran.err) == (2, True)


def test_a_database_that_another_process_holds_is_still_counted(mine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scraper.archive.BUSY_TIMEOUT", 0.05)
    connection = sqlite3.connect(mine / "game.db", isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    ran = run("tally", str(mine), "--day", "2")
    connection.close()
    assert (ran.code, "投票出局：10号" in ran.out, "没有存进数据库" in ran.err) == (0, True, True)


@pytest.mark.parametrize("encoding", ["gbk", "ascii", "cp437", "utf-8"])
@pytest.mark.parametrize("command", [["demo"], ["replay", str(M29 / "gbk_board")], ["replay", str(M29 / "gbk_board"), "--json"]])
def test_a_console_that_cannot_show_a_character_never_crashes(encoding: str, command: list[str]) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
    done = subprocess.run(
        [sys.executable, "-m", "engine", *command], capture_output=True, env=environment, timeout=120, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
    text = done.stdout.decode(encoding)
    if "--json" in command:
        assert json.loads(text)[0]["days"][0]["verdict"]["seats"] == ["🐱喵"]
    elif "demo" not in command and encoding != "utf-8":
        assert "\\U0001f431" in text


@pytest.mark.parametrize(("name", "value", "coloured"), [("NO_COLOR", "1", False), ("FORCE_COLOR", "1", True)])
def test_colour_is_only_for_those_who_want_it(name: str, value: str, coloured: bool) -> None:
    environment = {key: word for key, word in os.environ.items() if key not in ("NO_COLOR", "FORCE_COLOR")}
    done = subprocess.run(
        [sys.executable, "-m", "engine", "demo"], capture_output=True, env={**environment, name: value}, timeout=120, check=True
    )
    assert (b"\x1b[" in done.stdout) == coloured
