"""CSV, BBCode and verified results: what a spreadsheet or a board could run does not run, nothing provisional goes unmarked."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.report.bbcode import write_bbcode
from engine.report.sheet import COLUMNS, write_csv
from engine.report.values import find_digest, tally_value
from tally.policy import Publicity
from tally.result import Card, Count, DayTally
from tests.engine.command import run
from tests.engine.sample import DOUBTFUL, FIRST, TALLY, game

M29 = Path(__file__).parents[2] / "fixtures" / "m29"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("played") / "game"
    assert run("demo", "--dir", str(folder)).code == 0
    return folder


@pytest.fixture
def mine(played: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(played, tmp_path / "mine"))


def sheet(folder: Path, tally: DayTally, operator: str = "") -> list[list[str]]:
    data = write_csv([tally], ["sha256:x"], game(folder), operator)
    return list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")))


def post(folder: Path, tally: DayTally, **policy: object) -> str:
    sample = game(folder)
    sample = replace(sample, policy=replace(sample.policy, **policy))  # type: ignore[arg-type]
    return write_bbcode([tally], ["sha256:x"], sample)


# -- CSV


def test_a_sheet_is_utf_8_with_a_mark_and_windows_line_ends(tmp_path: Path) -> None:
    data = write_csv([TALLY], ["sha256:x"], game(tmp_path))
    assert data.startswith(b"\xef\xbb\xbf" + COLUMNS[0].encode())
    assert data.count(b"\r\n") == data.count(b"\n") == data.count(b"\r")
    assert {len(row) for row in sheet(tmp_path, TALLY)} == {len(COLUMNS)}


@pytest.mark.parametrize(
    ("name", "cell"),
    [
        ("=1+1", "'=1+1"),
        ("+1号", "'+1号"),
        ("-2", "'-2"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("＝1+1", "'＝1+1"),
        ("  =cmd|' /C calc'!A0", "'  =cmd|' /C calc'!A0"),
        ("'=1+1", "''=1+1"),
        ("\t=1+1", "' =1+1"),
        ("\r=1+1", "\\x0d=1+1"),
        ("包子", "包子"),
        ("1号", "1号"),
        ("a=b", "a=b"),
        ('他说"好",行', '他说"好",行'),
    ],
)
def test_a_cell_that_a_spreadsheet_would_run_is_text(tmp_path: Path, name: str, cell: str) -> None:
    tally = replace(TALLY, counts=(Count(name, 3, (replace(FIRST, target=name, raw=name),)),))
    rows = [row for row in sheet(tmp_path, tally) if row[0] in ("票数", "有效")]
    assert {row[COLUMNS.index("投票对象")] for row in rows} == {cell}


def test_control_and_direction_characters_are_shown(tmp_path: Path) -> None:
    (row,) = [row for row in sheet(tmp_path, TALLY) if row[0] == "无效"]
    assert row[COLUMNS.index("写的是")] == "\\x1b[31m包子\\u202e ⏎ =1+1"


def test_a_sheet_says_whether_it_is_final_and_who_made_it(tmp_path: Path) -> None:
    def state(tally: DayTally) -> str:
        return next(row[COLUMNS.index("原因")] for row in sheet(tmp_path, tally) if row[0] == "状态")

    assert (state(TALLY), state(DOUBTFUL)) == ("最终结果", "暂定，不是最终结果")
    assert ["操作人"] not in [row[:1] for row in sheet(tmp_path, TALLY)]
    assert [row[-1] for row in sheet(tmp_path, TALLY, "导演乙") if row[0] == "操作人"] == ["导演乙"]
    assert [row[-1] for row in sheet(tmp_path, TALLY) if row[0] == "摘要"] == ["sha256:x"]


def test_a_race_stands_in_the_sheet_step_by_step(tmp_path: Path) -> None:
    rows = [row for row in sheet(tmp_path, DOUBTFUL) if row[0] == "先后"]
    assert [(row[3], row[4], row[5]) for row in rows] == [("包子", "2", "饺子"), ("饺子", "1", "包子")]


# -- BBCode


def test_what_players_wrote_runs_nothing_on_a_board(tmp_path: Path) -> None:
    nasty = "[img]http://x.example/a.gif[/img] :lol: @饺子 [b"
    tally = replace(TALLY, void=(replace(TALLY.void[0], raw=nasty, voter="[url]甲"),))
    text = post(tmp_path, tally)
    line = next(line for line in text.splitlines() if line.startswith("无效"))
    for risky in ("[img]", "[/img]", "[url]", "http:/", ":lol", "@饺"):
        assert risky not in line, risky
    assert "[img]http://x.example/a.gif[/img] :lol:" in line.replace("[b][/b]", "")
    assert "\x1b" not in post(tmp_path, TALLY)


def test_nothing_provisional_is_posted_without_its_mark(tmp_path: Path) -> None:
    lines = [line for line in post(tmp_path, DOUBTFUL).splitlines() if line]
    assert "暂定，不是最终结果" in lines[1]
    assert "暂定，不是最终结果" in lines[-1]
    (verdict,) = [line for line in lines if "判定" in line]
    assert verdict == "[b]判定：投票出局：替罪羊（暂定，不是最终结果）[/b]"
    assert "暂定" not in post(tmp_path, TALLY)


def test_a_post_tells_given_cards_and_no_proposal_nor_finding(tmp_path: Path) -> None:
    text = post(tmp_path, TALLY)
    assert "黄牌" not in text
    assert "B105" not in text
    given = replace(TALLY, cards=(Card("豆沙", "yellow", "未投票", confirmed=7),))
    assert "黄牌：豆沙（未投票）" in post(tmp_path, given)


@pytest.mark.parametrize(
    ("publicity", "final", "shown", "hidden"),
    [
        (Publicity.AT_THE_END, True, ("投票出局：包子",), ("饺子", "3 票", "a&b<c>", "sha256")),
        (Publicity.AT_THE_END, False, ("暂定",), ("包子", "饺子", "3 票", "sha256")),
        (Publicity.AFTER_THE_CLOSE, True, ("投票出局：包子", "包子：3 票", "饺子"), ()),
        (Publicity.AFTER_THE_CLOSE, False, ("暂定",), ("包子", "饺子", "3 票")),
        (Publicity.LIVE, False, ("暂定", "包子：3 票", "饺子"), ()),
    ],
)
def test_a_post_shows_what_the_rules_publish(
    tmp_path: Path, publicity: Publicity, final: bool, shown: tuple[str, ...], hidden: tuple[str, ...]
) -> None:
    text = post(tmp_path, replace(TALLY, final=final), publicity=publicity)
    assert all(part in text for part in shown), text
    assert not any(part in text for part in hidden), text


# -- the command


@pytest.mark.parametrize("option", ["--csv", "--bbcode", "--json"])
def test_a_result_goes_to_a_file_as_it_is_printed(played: Path, tmp_path: Path, option: str) -> None:
    path = tmp_path / "result"
    printed = run("tally", str(played), "--day", "2", option).out
    ran = run("tally", str(played), "--day", "2", option, "-o", str(path))
    assert (ran.code, ran.out) == (0, "")
    assert path.read_bytes() == printed.encode()
    assert run("tally", str(played), "--day", "2", option, "-o", str(tmp_path / "no" / "where")).code == 2


@pytest.mark.parametrize(
    "options", [("--json", "--csv"), ("--csv", "--bbcode"), ("--verify", "x", "--csv"), ("-o", "x"), ("--verify", "nowhere.json")]
)
def test_options_that_do_not_go_together_are_refused(played: Path, options: tuple[str, ...]) -> None:
    ran = run("tally", str(played), "--day", "2", *options)
    assert (ran.code, ran.out) == (2, "")
    assert "改法" in ran.err


def test_two_runs_give_the_same_bytes(played: Path) -> None:
    for option in ("--csv", "--bbcode", "--json"):
        first, second = (run("tally", str(played), "--day", "2", option).out for _ in range(2))
        assert first == second


def test_a_run_names_its_operator_only_when_asked_and_the_digest_does_not_change(played: Path) -> None:
    plain = json.loads(run("tally", str(played), "--day", "2", "--json").out)
    named = json.loads(run("tally", str(played), "--day", "2", "--json", "--operator", "导演乙").out)
    assert "operator" not in plain
    assert (named.pop("operator"), named) == ("导演乙", plain)
    assert "操作人" not in run("tally", str(played), "--day", "2").out
    assert re.search(r"^操作人 +导演乙", run("tally", str(played), "--day", "2", "--operator", "导演乙").out, re.M)
    assert "操作人：导演乙" in run("tally", str(played), "--day", "2", "--bbcode", "--operator", "导演乙").out


def test_the_table_shows_the_digest_of_the_json(played: Path) -> None:
    digest = json.loads(run("tally", str(played), "--day", "2", "--json").out)["digest"]
    assert re.search(rf"^摘要 +{digest}", run("tally", str(played), "--day", "2").out, re.M)


# -- verifying


def export(folder: Path, *options: str) -> Path:
    path = folder / "result.json"
    assert run("tally", str(folder), "--json", "-o", str(path), *options).code in (0, 1)
    return path


def verified(folder: Path, path: Path, *options: str) -> tuple[int, dict[str, Any]]:
    ran = run("tally", str(folder), "--verify", str(path), "--json", *options)
    value = json.loads(ran.out)
    assert isinstance(value, dict)
    return ran.code, value


def test_a_result_of_the_same_evidence_is_the_same(mine: Path) -> None:
    path = export(mine, "--day", "2")
    code, value = verified(mine, path)
    assert (code, value["same"], value["differences"], value["digest"] == value["counted"]) == (0, True, [], True)
    ran = run("tally", str(mine), "--verify", str(path))
    assert (ran.code, "相同" in ran.out, "第 2 天" in ran.out) == (0, True, True)


def test_a_later_ruling_shows_as_the_rows_that_differ(mine: Path) -> None:
    path = export(mine, "--day", "2")
    (mine / "ledger.txt").write_text("日2 导演 裁定 票 tid=1235 pid=5215 计为 10号\n", encoding="utf-8")
    code, value = verified(mine, path)
    assert (code, value["same"], value["unaltered"]) == (1, False, True)
    differences = {one["list"]: (one["missing"], one["extra"]) for one in value["differences"]}
    assert {"票数", "无效", "须留意"} <= set(differences)
    missing, extra = differences["无效"]
    assert [json.loads(row)["post"]["pid"] for row in missing] == [5215]
    # What was ruled in is the one change, and the one that stood is now a second.
    assert [(row["post"]["pid"], row["reason"]) for row in map(json.loads, extra)] == [(5216, "change_limit")]
    ran = run("tally", str(mine), "--verify", str(path))
    assert (ran.code, "无效" in ran.out, "    - " in ran.out, "    + " in ran.out) == (1, True, True, True)


def test_a_file_that_was_changed_is_told(mine: Path) -> None:
    path = export(mine, "--day", "2")
    text = path.read_text(encoding="utf-8")
    assert text.count('"votes": 6') == 1
    path.write_text(text.replace('"votes": 6', '"votes": 7'), encoding="utf-8")
    code, value = verified(mine, path)
    assert (code, value["unaltered"], [one["list"] for one in value["differences"]]) == (1, False, ["票数"])
    changed = json.loads(text)
    changed["digest"] = "sha256:0"
    path.write_text(json.dumps(changed), encoding="utf-8")
    code, value = verified(mine, path)
    assert (code, value["unaltered"], value["differences"]) == (1, False, [])
    assert "文件被改过" in run("tally", str(mine), "--verify", str(path)).out


def test_sentences_are_no_part_of_a_result(mine: Path) -> None:
    path = export(mine, "--day", "2")
    value = json.loads(path.read_text(encoding="utf-8"))
    value["verdict"]["because"] = "换个说法"
    path.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")
    assert verified(mine, path)[0] == 0


@pytest.mark.parametrize(
    "options", [("--as-of", "12"), ("--as-of", "2018-06-03T20:48:30"), ("--known-at", "2018-06-05T20:58:00")]
)
def test_a_limited_result_is_verified_within_its_limits(mine: Path, options: tuple[str, str]) -> None:
    path = export(mine, "--day", "2", *options)
    key = options[0].strip("-").replace("-", "_")
    assert json.loads(path.read_text(encoding="utf-8"))["limits"] == {key: options[1]}
    assert verified(mine, path)[0] == 0


def test_a_result_may_be_saved_by_any_shell(mine: Path) -> None:
    path = export(mine, "--day", "2")
    path.write_bytes(path.read_text(encoding="utf-8").encode("utf-16"))
    assert verified(mine, path)[0] == 0


def test_an_older_result_is_compared_by_what_it_has(mine: Path) -> None:
    path = export(mine, "--day", "2")
    value = json.loads(path.read_text(encoding="utf-8"))
    for key in ("window", "events", "requests"):
        del value[key]
    value["digest"] = find_digest(value)
    path.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")
    code, told = verified(mine, path)
    assert (code, told["same"], told["digest"] != told["counted"]) == (0, True, True)


@pytest.mark.parametrize(
    ("change", "shown"),
    [({"game": "另一局"}, "另一局"), ({"ruleset": "vest"}, "另一局"), ({"counts": None, "day": "2"}, "不是计票结果")],
)
def test_a_result_of_something_else_is_refused(mine: Path, change: dict[str, object], shown: str) -> None:
    path = export(mine, "--day", "2")
    value = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**value, **change}, ensure_ascii=False), encoding="utf-8")
    ran = run("tally", str(mine), "--verify", str(path))
    assert (ran.code, shown in ran.err) == (2, True)


def test_a_file_that_is_no_result_is_refused(mine: Path) -> None:
    path = mine / "result.json"
    for text in ("", "[]", "{}", "不是", "[1]"):
        path.write_text(text, encoding="utf-8")
        ran = run("tally", str(mine), "--verify", str(path))
        assert (ran.code, "改法" in ran.err) == (2, True), text
    export(mine, "--day", "2")
    assert run("tally", str(mine), "--day", "1", "--verify", str(path)).code == 2


def test_the_digest_can_be_checked_from_the_file_alone(tmp_path: Path) -> None:
    value = tally_value(TALLY, game(tmp_path), limits={"as_of": "12#"}, operator="导演乙")
    assert find_digest(value) == value["digest"]
    assert tally_value(TALLY, game(tmp_path), limits={"as_of": "12#"})["digest"] == value["digest"]
    assert tally_value(TALLY, game(tmp_path))["digest"] != value["digest"]
