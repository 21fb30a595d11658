"""`check` as a director types it."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from tests.engine.command import run
from tests.engine.recorded_cases import FIXTURES


def recorded(folder: Path, name: str) -> Path:
    """A recorded case in a folder, with the database that a director would have by now."""
    case = Path(shutil.copytree(FIXTURES / name, folder / name))
    assert run("replay", str(case), "--db", str(case / "game.db")).code == 0
    return case


@pytest.fixture(scope="module")
def suspects(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return recorded(tmp_path_factory.mktemp("suspects"), "sounds_suspects")


@pytest.fixture(scope="module")
def windows(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return recorded(tmp_path_factory.mktemp("windows"), "sounds_windows")


def test_a_breach_exits_1_and_suspects_and_notes_do_not(suspects: Path, windows: Path) -> None:
    assert run("check", str(windows)).code == 1
    ran = run("check", str(suspects))
    assert (ran.code, "违规 0 帖，可疑 12 帖" in ran.out, ran.err) == (0, True, "")


def test_what_it_is_limited_to_decides_the_exit_code(windows: Path) -> None:
    for options, code in (((), 1), (("--day", "2"), 1), (("--player", "饺子"), 0), (("--player", "豆沙", "--day", "2"), 0)):
        assert run("check", str(windows), *options).code == code, options
    value = json.loads(run("check", str(windows), "--json", "--day", "3", "--player", "豆沙").out)
    assert (value["day"], value["seat"], [post["post"]["pid"] for post in value["posts"]]) == (3, "豆沙", [6013])


def test_a_ruling_changes_the_exit_code(tmp_path: Path) -> None:
    case = recorded(tmp_path, "sounds_until_the_piper_is_out")
    assert run("check", str(case)).code == 1
    (case / "ledger.txt").write_text("日2 导演 裁定 发言 tid=1234 pid=6003 合规 ; 只是激动\n", encoding="utf-8")
    ran = run("check", str(case))
    assert (ran.code, "导演裁定合规（账本第 1 行）：只是激动" in ran.out) == (0, True)
    (case / "ledger.txt").write_text("日2 导演 裁定 发言 tid=1234 pid=6003 违规\n", encoding="utf-8")
    assert run("check", str(case)).code == 1


def test_the_rows_are_the_findings_whatever_was_asked_for(windows: Path) -> None:
    run("check", str(windows), "--day", "3")
    connection = sqlite3.connect(windows / "game.db")
    rows = connection.execute("SELECT day, pid, revision, code FROM findings WHERE code LIKE 'C%'").fetchall()
    connection.close()
    value = json.loads(run("check", str(windows), "--json").out)
    assert rows == [
        (post["day"], post["post"]["pid"], post["post"]["revision"], finding["code"])
        for post in value["posts"]
        for finding in post["findings"]
    ]
    assert {day for day, *_ in rows} == {2, 3}


def test_what_was_known_at_a_moment_is_not_stored(tmp_path: Path) -> None:
    case = recorded(tmp_path, "sounds_edits")
    run("check", str(case))
    early = json.loads(run("check", str(case), "--json", "--known-at", "2018-06-03T12:30").out)
    assert [post["post"]["pid"] for post in early["posts"] if post["findings"][0]["severity"] == "error"] == [6006, 6007, 6008]
    connection = sqlite3.connect(case / "game.db")
    assert connection.execute("SELECT pid FROM findings WHERE code = 'C101' AND day = 3").fetchall() == [(6016,)]
    connection.close()


def test_the_bbcode_keeps_suspects_back_and_says_so(suspects: Path) -> None:
    ran = run("check", str(suspects), "--bbcode")
    assert (ran.code, "没有违规" in ran.out, "12 帖可疑" in ran.err) == (0, True, True)
    assert "哼唧" not in ran.out.split("没有违规")[1]


def test_the_html_stands_alone(windows: Path) -> None:
    ran = run("check", str(windows), "--html")
    assert ran.code == 1
    assert ran.out.startswith("<!DOCTYPE html>")
    assert "http://" not in ran.out
    assert "https://" not in ran.out


@pytest.mark.parametrize(
    ("options", "shown"),
    [
        (("--json", "--html"), "只能用一个"),
        (("--html", "--bbcode"), "只能用一个"),
        (("--day", "7"), "没有第 7 天"),
        (("--player", "老五"), "没有叫 '老五' 的玩家"),
        (("--known-at", "昨天"), "--known-at"),
        (("--db", "nowhere.db"), "bansha fetch"),
    ],
)
def test_a_mistake_on_the_command_line_exits_2(windows: Path, options: tuple[str, ...], shown: str) -> None:
    ran = run("check", str(windows), *options)
    assert (ran.code, ran.out) == (2, "")
    assert shown in ran.err


def test_a_database_that_another_process_holds_is_still_checked(windows: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scraper.archive.BUSY_TIMEOUT", 0.05)
    connection = sqlite3.connect(windows / "game.db", isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    ran = run("check", str(windows))
    connection.close()
    assert (ran.code, "违规" in ran.out, "没有存进数据库" in ran.err) == (1, True, True)


@pytest.mark.parametrize("encoding", ["gbk", "ascii", "utf-8"])
@pytest.mark.parametrize("form", ["", "--json", "--html", "--bbcode"])
def test_a_console_that_cannot_show_a_character_never_crashes(tmp_path: Path, encoding: str, form: str) -> None:
    case = recorded(tmp_path, "sounds_characters")
    environment = {**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
    command = [sys.executable, "-m", "engine", "check", str(case), *([form] if form else [])]
    done = subprocess.run(command, capture_output=True, env=environment, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (1, b"")
    text = done.stdout.decode(encoding)
    if form == "--json":
        assert [finding["codepoint"] for post in json.loads(text)["posts"] for finding in post["findings"]].count("U+1F437") == 1
    elif form == "--html" and encoding != "utf-8":
        assert "&#128055;" in text


def test_two_checks_print_the_same_bytes(windows: Path) -> None:
    for form in ("", "--json", "--html", "--bbcode"):
        options = [form] if form else []
        assert run("check", str(windows), *options).out == run("check", str(windows), *options).out


def test_a_replay_shows_and_compares_what_was_found(tmp_path: Path) -> None:
    case = recorded(tmp_path, "sounds_windows")
    ran = run("replay", str(case))
    assert (ran.code, "[!早!]" in ran.out) == (0, True)
    expected = case / "expected.toml"
    text = expected.read_text(encoding="utf-8")
    assert text.count('"晚安"') == 1
    expected.write_text(text.replace('"晚安"', '"早安"'), encoding="utf-8")
    ran = run("replay", str(case))
    assert ran.code == 1
    assert "第 2 天 · 叫声" in ran.out
    assert "- 应为 pid=6007  revision=1  code=C101  characters=早安" in ran.out
    assert "+ 实为 seat=包子  pid=6007  revision=1  code=C101  severity=error  characters=晚安" in ran.out
    assert "包打听「晚安」" in ran.out


def test_a_case_that_expects_nothing_is_as_bad_as_its_breaches(tmp_path: Path) -> None:
    for name, code in (("sounds_windows", 1), ("sounds_suspects", 0)):
        case = recorded(tmp_path, name)
        (case / "expected.toml").unlink()
        assert run("replay", str(case)).code == code, name


def test_rows_that_expect_sounds_of_a_game_without_chanted_seats_are_missed(tmp_path: Path) -> None:
    case = recorded(tmp_path, "sounds_until_the_piper_is_out")
    game = case / "game.toml"
    game.write_text(game.read_text(encoding="utf-8").replace('chanted    = ["包子"]', "chanted    = []"), encoding="utf-8")
    ran = run("replay", str(case))
    assert (ran.code, "- 应为 pid=6003" in ran.out) == (1, True)
