"""The terminal speaks two languages, and results know of none: what goes to files, boards and programs is the same bytes."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import subprocess
import sys
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from engine.game import load_game
from engine.language import load_catalogue
from scraper.errors import UsageError
from scraper.phrases import translate
from tests.board.server import Asked, Reply
from tests.engine.command import run
from tests.engine.test_examples import at_a_place, begin_looks, run_line

FIXTURES = Path(__file__).parents[2] / "fixtures"
CASES = ("m29/three_days", "m29/sounds_characters", "vest/silence_costs_points", "secret-number/how_a_ballot_is_cast")
# Formats of a result, as options.
FORMATS = (
    ("tally", "--json"),
    ("tally", "--csv"),
    ("tally", "--bbcode"),
    ("explain", "--json"),
    ("check", "--json"),
    ("check", "--html"),
    ("check", "--bbcode"),
    ("status", "--json"),
    ("cards", "--json"),
)
# What a director types in Chinese, or what a rule post calls a thing: these stay in English help and errors.
TYPED = frozenset(
    (
        *("版杀", "小泡佩奇", "秘密数字杀", "马甲杀", "断言", "面杀", "狼人", "村民", "女巫", "救药", "毒药", "导演"),
        *("无", "弃权", "弃权者", "夜", "撤销", "补", "裁定", "过时的", "未投票", "胜"),
        *("玩家", "马甲", "身份", "账号", "密码", "价格", "角色"),
        *("饺子", "包子", "豆沙", "汤圆", "甲", "乙"),
    )
)
CHINESE = re.compile("[\u3400-\u9fff]+")


@pytest.fixture(params=["zh", "en"])
def language(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("BANSHA_LANG", str(request.param))
    return str(request.param)


def replayed(case: str, database: Path) -> Path:
    """The recorded case's archive, rebuilt."""
    done = run("replay", str(FIXTURES / case), "--db", str(database))
    assert done.code == 0, done.err
    return database


def dump(database: Path) -> dict[str, list[tuple[object, ...]]]:
    """Every row of every table, as it is stored."""
    with sqlite3.connect(database) as connection:
        tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
        # When the tables were made is no result.
        names = [name for (name,) in tables if name != "_sqlite_migrations"]
        rows = {name: sorted(connection.execute(f'SELECT * FROM "{name}"').fetchall(), key=repr) for name in names}
    connection.close()
    return rows


@pytest.mark.parametrize("case", CASES)
def test_results_are_the_same_bytes_in_either_language(case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    database = replayed(case, tmp_path / "a.db")
    seat = load_game(FIXTURES / case).roster.seats[0].name
    for command, option in FORMATS:
        words = [command, str(FIXTURES / case), *([seat] if command == "explain" else []), "--db", str(database), option]
        made = {}
        for language in ("zh", "en"):
            monkeypatch.setenv("BANSHA_LANG", language)
            made[language] = run(*words)
        assert made["zh"].out == made["en"].out, words
        assert made["zh"].code == made["en"].code, words


def test_reports_and_replays_are_the_same_bytes_in_either_language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    case = FIXTURES / CASES[0]
    pages, replays, rows = [], [], []
    for language in ("zh", "en"):
        monkeypatch.setenv("BANSHA_LANG", language)
        database = replayed(CASES[0], tmp_path / f"{language}.db")
        page = tmp_path / f"{language}.html"
        assert run("report", str(case), "--db", str(database), "-o", str(page)).code == 0
        pages.append(page.read_bytes())
        replays.append(run("replay", str(case), "--json").out)
        rows.append(dump(database))
    assert pages[0] == pages[1]
    assert replays[0] == replays[1]
    assert json.loads(replays[0])
    assert rows[0] == rows[1]
    assert rows[0]


def test_what_is_printed_is_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other tests would pass, too, where no language were ever asked."""
    printed = []
    for language in ("zh", "en"):
        monkeypatch.setenv("BANSHA_LANG", language)
        printed.append(run("replay", str(FIXTURES / CASES[0])).out)
    assert "与 expected.toml 一致" in printed[0]
    assert "as in expected.toml" in printed[1]


HELP = """
from typer.main import get_group
from typer.testing import CliRunner
from engine.cli.app import app
runner = CliRunner()
for name in (None, *get_group(app).commands):
    done = runner.invoke(app, [*([name] if name else []), "--help"], terminal_width=300)
    print(done.output)
    assert done.exit_code == 0, name
"""


def test_help_in_english_has_no_chinese_but_what_is_typed() -> None:
    environment = {**os.environ, "BANSHA_LANG": "en", "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        [sys.executable, "-c", HELP], capture_output=True, encoding="utf-8", env=environment, check=True, timeout=60
    )
    assert "Count the votes of a day" in done.stdout
    assert {word for word in CHINESE.findall(done.stdout) if word not in TYPED} == set()
    assert not re.search("[，。：；（）]", done.stdout)


GAME = """[game]
title = "试局"
ruleset = "m29"
timezone = "Asia/Shanghai"

[[player]]
name = "饺子"
account = "小泡饺子"
uid = 1001

[[player]]
name = "包子"

[[day]]
number = 2
opens = 2018-06-03T09:30:00
closes = 2018-06-05T21:00:00
vote = 1235
"""


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ('ruleset = "m29"', 'ruleset = "M30"'),
        ('ruleset = "m29"', "ruleset = “m29”"),
        ('timezone = "Asia/Shanghai"', 'timezone = "Asia/Shangha"'),
        ("uid = 1001", 'uid = "1001"'),
        ("uid = 1001", "uid = -1"),
        ("uid = 1001", "uid = 2018-06-03"),
        ('name = "包子"', 'name = "饺子"'),
        ('name = "包子"', 'name = ""'),
        ('name = "包子"', "name = 包子"),
        ('name = "包子"', 'nmae = "包子"'),
        ('name = "包子"', 'name = "弃权"'),
        ("vote = 1235", "vote = 99999999999999999999"),
        ("vote = 1235", "vote ="),
        ("vote = 1235", 'vote = 1235\nsheriff = "丙"'),
        ("vote = 1235", 'vote = 1235\nout = ["丁"]'),
        ("vote = 1235", "vote = 1235\nvote = 1236"),
        ("closes = 2018-06-05T21:00:00", ""),
        ("closes = 2018-06-05T21:00:00", "closes = 2018-06-02T21:00:00"),
        ("closes = 2018-06-05T21:00:00", "closes = 2018-06-05"),
        ("[[day]]", "[day]"),
        ("[[day]]", '[switches]\n"votes.publicty" = "G"\n[[day]]'),
        ("[[day]]", '[switches]\nreach = "never"\n[[day]]'),
    ],
)
def test_what_is_wrong_with_a_game_file_is_said_in_english(tmp_path: Path, right: str, wrong: str) -> None:
    assert right in GAME
    text = GAME.replace(right, wrong)
    (tmp_path / "game.toml").write_text(text, encoding="utf-8")
    with pytest.raises(UsageError) as caught:
        load_game(tmp_path)
    said = translate(caught.value, load_catalogue("en"))
    assert "Fix: " in said
    left = [word for word in CHINESE.findall(said) if word not in TYPED and word not in text]
    assert left == [], said
    assert not re.search("[，。；（）]", said.replace(text, "")), said


def test_an_error_of_a_command_is_in_the_language_of_the_terminal(tmp_path: Path, language: str) -> None:
    done = run("tally", str(tmp_path / "game.toml"))
    assert done.code == 2
    assert ("Fix: " if language == "en" else "改法：") in done.err


def show_nothing(asked: Asked, reply: Reply) -> Reply:
    """A board whose threads are pages that nobody knows."""
    return replace(reply, body=b"<html><body>hm</body></html>") if "1235" in asked.address else reply


def test_why_a_page_did_not_come_is_chinese_in_the_database_and_in_json_and_the_terminal_says_it_in_its_language(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Boards speak English in the source: what is stored of them is said in Chinese all the same, the same bytes under both."""
    told, stored = [], []
    for language in ("zh", "en"):
        monkeypatch.setenv("BANSHA_LANG", language)
        folder = tmp_path / language
        folder.mkdir()
        with at_a_place(folder) as place:
            begin_looks(place)
            place.clock.board.faults = (show_nothing,)
            lines = []
            for option in ("", " --json"):
                place.clock.now += timedelta(minutes=1)
                lines.append(run_line(place, f"fetch mygame --day 2{option}"))
            with sqlite3.connect(folder / "mygame" / "game.db") as connection:
                rows = [
                    row for table in ("misses", "pass_ends") for row in connection.execute(f"SELECT why FROM {table} ORDER BY 1")
                ]
            connection.close()
            whys = [re.sub(f"{re.escape(place.base)}|{re.escape(str(folder))}", "", str(why)) for (why,) in rows]
            stored.append((whys, json.loads(lines[1].out)))
            told.append(lines[0].out + lines[0].err)
    assert [stored[0][0], [one["missing"] for one in stored[0][1]]] == [stored[1][0], [one["missing"] for one in stored[1][1]]]
    whys, passes = stored[1]
    assert len(whys) == 4
    assert all(CHINESE.search(why) for why in whys), whys
    assert all(CHINESE.search(one["why"]) and all(map(CHINESE.search, one["errors"])) for one in passes), passes
    assert "不完整" in told[0]
    assert "not whole" in told[1]
    assert not CHINESE.search(told[1].replace("试局", "")), told[1]
