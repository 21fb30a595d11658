"""Every recorded case replays clean, offline, to the same bytes; and a case that is edited differs and says where."""

from __future__ import annotations

import json
import shutil
import socket
import sqlite3
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from engine.expected import load_expected
from engine.game import load_game
from engine.replay import find_cases, replay_case
from scraper.errors import UsageError
from tests.engine.command import Ran, run

FIXTURES = Path(__file__).parents[2] / "fixtures"
M29 = FIXTURES / "m29"
CASES = find_cases([FIXTURES])


@pytest.fixture
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever opens a socket fails."""

    def refuse(*arguments: object, **named: object) -> None:
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket.socket, "__init__", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The three days, to change at will."""
    return Path(shutil.copytree(M29 / "three_days", tmp_path / "case"))


@pytest.mark.usefixtures("offline")
@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_every_case_replays_clean(case: Path) -> None:
    result = replay_case(case)
    assert result.expected is not None
    assert result.differences == ()
    # A day may have several votes.
    assert list(dict.fromkeys(tally.day for tally in result.tallies)) == list(result.expected.days)


def test_there_are_cases_and_each_has_a_verdict_for_every_day_of_its_game_or_is_about_sounds() -> None:
    assert len(CASES) >= 8
    for case in CASES:
        expected = load_expected(case)
        assert expected is not None
        days = {day.number for day in load_game(case).days}
        assert set(expected.rows["verdict"]) == days or expected.rows["sound"] or expected.outcome is not None, case.name


@dataclass(frozen=True, slots=True)
class Edit:
    """A change of one page of the three days, and the day whose count it moves."""

    page: str
    before: str
    after: str


def edit(case: Path, change: Edit) -> None:
    for path in sorted((case / "polls").glob(f"*/{change.page}")):
        data = path.read_bytes()
        path.write_bytes(data.replace(change.before.encode(), change.after.encode(), 1))


def test_a_vote_that_is_edited_in_the_pages_changes_the_tally_and_the_diff_cites_it(copy: Path) -> None:
    edit(copy, Edit("1238-1.http", "投票对象：老王", "投票对象：夜行猫"))
    ran = run("replay", str(copy))
    assert ran.code == 1
    assert "第 3 天 · 票数" in ran.out
    assert "- 应为 target=老王" in ran.out
    assert "+ 实为 target=夜行猫" in ran.out
    assert "投票对象：夜行猫" in ran.out
    assert "与 expected.toml 有" in ran.out
    assert run("replay", str(M29 / "three_days")).code == 0


def test_two_replays_are_byte_identical() -> None:
    one, two = run("replay", str(M29 / "three_days"), "--json"), run("replay", str(M29 / "three_days"), "--json")
    assert one.out == two.out
    assert run("replay", str(M29 / "three_days")).out == run("replay", str(M29 / "three_days")).out


def test_several_cases_print_a_line_each_and_the_largest_code_wins(copy: Path) -> None:
    edit(copy, Edit("1238-1.http", "投票对象：老王", "投票对象：夜行猫"))
    ran = run("replay", str(M29 / "nobody_votes"), str(copy), str(M29 / "nobody_votes"))
    assert ran.code == 1
    assert [line.split("：")[0] for line in ran.out.splitlines() if "expected.toml" in line] == ["nobody_votes", "case"]


def test_a_folder_of_cases_is_all_of_them() -> None:
    folders = sorted(path.parent for path in M29.glob("*/game.toml"))
    assert find_cases([M29 / "nobody_votes" / "game.toml", M29]) == (
        M29 / "nobody_votes",
        *(case for case in folders if case.name != "nobody_votes"),
    )
    assert set(folders) < set(CASES)
    with pytest.raises(UsageError, match=r"没有 game\.toml"):
        find_cases([FIXTURES / "nothing"])


def test_without_expectations_a_case_is_only_counted(copy: Path) -> None:
    (copy / "expected.toml").unlink()
    ran = run("replay", str(copy))
    assert (ran.code, "没有 expected.toml" in ran.out, ran.out.count("投票出局：")) == (0, True, 2)


def test_a_page_that_is_no_thread_page_is_an_error_and_never_no_votes(copy: Path) -> None:
    (copy / "expected.toml").unlink()
    for path in (copy / "polls").glob("*/1238-1.http"):
        head = path.read_bytes().split(b"\r\n\r\n", 1)[0]
        path.write_bytes(head + b"\r\n\r\n<html><head><title>Welcome to nginx!</title></head><body>It works</body></html>\n")
    ran = run("replay", str(copy), "--json")
    day = json.loads(ran.out)[0]["days"][2]
    assert ran.code == 8
    assert "不认识的页面，标题是「Welcome to nginx!」" in ran.err
    assert (day["complete"], day["final"], day["evidence"]["missing_pages"]) == (False, False, [1])


def test_a_missing_page_is_named_and_nothing_is_final(copy: Path) -> None:
    (copy / "expected.toml").unlink()
    last = max((copy / "polls").glob("*/1238-2.http"), key=lambda path: int(path.parent.name)).parent
    for path in (copy / "polls").glob("*/1238-2.http"):
        path.unlink()
    assert (last / "1238-1.http").exists()
    ran = run("replay", str(copy), "--json")
    day = json.loads(ran.out)[0]["days"][2]
    assert ran.code == 4
    assert (day["complete"], day["final"], day["evidence"]["missing_pages"]) == (False, False, [2])


def test_a_case_without_pages_is_a_usage_error(copy: Path) -> None:
    shutil.rmtree(copy / "polls")
    ran = run("replay", str(copy))
    assert (ran.code, "没有 polls" in ran.err, ran.out) == (2, True, "")


def test_a_day_that_the_game_has_not_is_a_usage_error(copy: Path) -> None:
    path = copy / "expected.toml"
    path.write_text(path.read_text(encoding="utf-8") + '[[verdict]]\nday = 9\ndecision = "exile"\nseats = []\n', encoding="utf-8")
    ran = run("replay", str(copy))
    assert ran.code == 2
    assert "第 9 天" in ran.err


def test_the_rebuilt_database_can_be_kept_and_made_anew_but_no_other_file_is_touched(copy: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept.db"
    assert run("replay", str(copy), "--db", str(kept)).code == 0
    assert run("replay", str(copy), "--db", str(kept)).code == 0
    connection = sqlite3.connect(kept)
    assert connection.execute("SELECT count(DISTINCT day) FROM ballots").fetchone() == (3,)
    connection.execute("PRAGMA application_id = 0")
    connection.close()
    before = kept.read_bytes()
    ran = run("replay", str(copy), "--db", str(kept))
    assert ran.code == 2
    assert "不是重放得到的" in ran.err
    assert kept.read_bytes() == before


KILLED = """
import os, sys
from pathlib import Path
import engine.replay as replay
from scraper import recording

whole, kept, when = recording.save_recorded_passes, Path(sys.argv[2]), sys.argv[3]


def stop(*arguments):
    if when == "after":
        whole(*arguments)
    os._exit(9)


recording.save_recorded_passes = stop
if when == "before":
    replay.open_archive = stop
replay.replay_case(Path(sys.argv[1]), kept)
"""


@pytest.mark.parametrize("when", ["before", "begun", "after"])
def test_a_replay_that_was_killed_stands_in_no_way_and_leaves_the_database_before_it(
    copy: Path, tmp_path: Path, when: str
) -> None:
    kept = tmp_path / "kept.db"
    for _ in range(2):
        before = kept.read_bytes() if kept.exists() else None
        assert subprocess.run([sys.executable, "-c", KILLED, copy, kept, when], check=False).returncode == 9
        assert (kept.read_bytes() if kept.exists() else None) == before
        assert run("replay", str(copy), "--db", str(kept)).code == 0
        assert [path.name for path in tmp_path.iterdir() if path != copy] == ["kept.db"]


def test_an_empty_file_may_be_replaced(copy: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept.db"
    kept.touch()
    assert run("replay", str(copy), "--db", str(kept)).code == 0
    assert kept.stat().st_size > 0


def test_a_replay_that_fails_leaves_no_database(copy: Path, tmp_path: Path) -> None:
    page = next(iter(sorted((copy / "polls" / "2").iterdir())))
    page.write_bytes(b"no response")
    assert run("replay", str(copy), "--db", str(tmp_path / "kept.db")).code == 2
    assert [path for path in tmp_path.iterdir() if path != copy] == []


def test_a_folder_that_cannot_be_written_to_is_a_usage_error(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: object, *arguments: object, **named: object) -> object:
        raise sqlite3.OperationalError("unable to open database file")

    monkeypatch.setattr("engine.replay.sqlite3.connect", refuse)
    ran = run("replay", str(copy), "--db", str(copy / "kept.db"))
    assert (ran.code, ran.out) == (2, "")
    assert "kept.db: 这个文件夹里写不了文件" in ran.err


def test_a_demo_in_a_place_that_cannot_be_written_to_is_a_usage_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    ran = run("demo", "--dir", str(tmp_path / "file" / "mygame"))
    assert (ran.code, ran.out) == (2, "")
    assert "mygame: 这里写不了文件" in ran.err


@pytest.mark.parametrize("named", [".", "../case", "../case/../case/."])
def test_a_case_has_its_folders_name_however_it_is_named(copy: Path, monkeypatch: pytest.MonkeyPatch, named: str) -> None:
    monkeypatch.chdir(copy)
    assert "\ncase：第 1、2、3 天" in run("replay", named).out


@pytest.mark.parametrize("place", ["nowhere/kept.db", "."])
def test_a_database_that_cannot_be_made_is_a_usage_error(copy: Path, tmp_path: Path, place: str) -> None:
    assert run("replay", str(copy), "--db", str(tmp_path / place)).code == 2


def test_the_case_itself_is_left_as_it_was(copy: Path) -> None:
    before = sorted((path, path.read_bytes()) for path in copy.rglob("*") if path.is_file())
    run("replay", str(copy))
    assert sorted((path, path.read_bytes()) for path in copy.rglob("*") if path.is_file()) == before


def verdicts(ran: Ran) -> list[object]:
    return [day["verdict"]["seats"] for day in json.loads(ran.out)[0]["days"]]


def test_a_secret_seat_is_printed_only_where_it_is_final(copy: Path) -> None:
    assert verdicts(run("replay", str(copy), "--json"))[2] == ["汤圆"]
    (copy / "secrets.toml").unlink()
    assert verdicts(run("replay", str(copy), "--json"))[2] == []
