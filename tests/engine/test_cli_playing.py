"""`do`, `status` and `simulate` as a director types them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from engine.cli.cases import find_demo
from tests.engine.command import run


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The demo with its recorded threads in a database."""
    path = tmp_path / "game"
    assert run("demo", "--dir", str(path)).code == 0
    return path


def do(folder: Path, line: str, *options: str) -> tuple[int, str]:
    """One line, its exit code and what it printed."""
    ran = run("do", str(folder), line, *options)
    return ran.code, ran.out


def test_a_line_is_stored_and_says_what_it_brings(folder: Path) -> None:
    code, out = do(folder, "夜0 丘比特 金箭 饺子 包子")
    assert code == 0
    assert out.startswith("#1 夜0 丘比特 金箭 饺子 包子 entered_at=")
    assert (folder / "ledger.txt").read_text(encoding="utf-8").startswith("夜0 丘比特 金箭 饺子 包子 entered_at=")


def test_the_close_of_a_day_takes_the_votes_of_its_thread(folder: Path) -> None:
    do(folder, "夜0 丘比特 金箭 饺子 包子")
    code, out = do(folder, "日1 导演 截票")
    assert code == 0
    assert "公示：竞选结果：青岚（青岚 4 票、饺子 4 票" in out
    assert "青岚：你是警长" in out


def test_a_refused_line_exits_with_1_and_changes_nothing(folder: Path) -> None:
    code, out = do(folder, "夜0 丘比特 金箭 饺子 饺子")
    assert code == 1
    assert out.splitlines() == ["没有照办（E314）：两个对象是同一个（饺子）", "可以转告：两个对象不能相同"]
    assert not (folder / "ledger.txt").exists()


def test_a_refusal_that_may_be_overruled_says_how(folder: Path) -> None:
    for line in ("夜0 丘比特 金箭 饺子 包子", "日1 导演 截票"):
        assert do(folder, line)[0] == 0
    code, out = do(folder, "夜1 女巫 救药 豆沙")
    assert (code, "--force" in out) == (1, True)
    code, _ = do(folder, "夜1 女巫 救药 豆沙", "--force", "说好的")
    assert code == 0


def test_a_dry_run_stores_nothing(folder: Path) -> None:
    code, out = do(folder, "夜0 丘比特 金箭 饺子 包子", "--dry-run")
    assert (code, out.startswith("（没有记下来）")) == (0, True)
    assert not (folder / "ledger.txt").exists()


def test_the_past_is_changed_only_when_somebody_agrees(folder: Path) -> None:
    do(folder, "夜0 丘比特 金箭 饺子 包子")
    code, out = do(folder, "撤销 #1")
    assert (code, out.startswith("（没有记下来）")) == (1, True)
    assert do(folder, "撤销 #1", "--yes")[0] == 0
    assert do(folder, "夜0 丘比特 金箭 饺子 豆沙")[0] == 0


def test_a_line_that_cannot_be_read_exits_with_2(folder: Path) -> None:
    ran = run("do", str(folder), "夜一 女巫 毒药 4")
    assert ran.code == 2
    assert "开头不是阶段" in ran.err


def test_without_a_database_a_vote_is_not_closed_as_if_nobody_had_voted(tmp_path: Path) -> None:
    for name in ("game.toml", "secrets.toml"):
        shutil.copy(find_demo() / name, tmp_path / name)
    assert do(tmp_path, "夜0 丘比特 金箭 饺子 包子")[0] == 0
    code, out = do(tmp_path, "日1 导演 截票")
    assert (code, "E337" in out) == (1, True)


def test_do_as_json(folder: Path) -> None:
    ran = run("do", str(folder), "夜0 丘比特 金箭 饺子 饺子", "--json")
    value = json.loads(ran.out)
    assert (ran.code, value["stored"], value["refused"]["code"]) == (1, False, "E314")
    assert value["refused"]["safe"] == "两个对象不能相同"


def test_status_tells_where_the_game_stands_and_what_it_waits_for(folder: Path) -> None:
    ran = run("status", str(folder))
    assert ran.code == 0
    assert ran.out.splitlines()[0] == "夜0  警长：无"
    assert ran.out.splitlines()[-1] == "等：丘比特：麻花 金箭"
    value = json.loads(run("status", str(folder), "--json").out)
    assert value["waiting"] == ["麻花 选择情侣"]


def test_status_of_a_seat_and_of_everybody_hold_no_other_role(folder: Path) -> None:
    do(folder, "夜0 丘比特 金箭 饺子 包子")
    do(folder, "日1 导演 截票")
    own = json.loads(run("status", str(folder), "--seat", "饺", "--json").out)
    assert (own["role"], own["lover"], own["roles"]) == ("村民", "包子", {})
    public = run("status", str(folder), "--public").out
    for secret in ("女巫", "丘比特", "狼人", "情侣"):
        assert secret not in public


def test_status_exits_with_1_where_a_line_was_refused(folder: Path) -> None:
    (folder / "ledger.txt").write_text("夜0 丘比特 金箭 饺子 饺子\n", encoding="utf-8")
    ran = run("status", str(folder))
    assert ran.code == 1
    assert "账本第 1 行 E314：两个对象是同一个（饺子）" in ran.out


def test_simulate_prints_wins_and_lengths() -> None:
    ran = run("simulate", "m29", "--games", "20", "--seed", "x")
    assert ran.code == 0
    assert ran.out.splitlines()[0] == "m29：20 局，每局 12 人，种子 x"
    assert "违反" not in ran.out
    value = json.loads(run("simulate", "秘密数字杀", "--games", "10", "--seed", "x", "--json").out)
    assert (value["ruleset"], value["games"], sum(value["wins"].values())) == ("secret-number", 10, 10)
    assert value["violations"] == []


def test_simulate_varies_roles_and_switches_when_asked() -> None:
    plain = json.loads(run("simulate", "断言", "--games", "8", "--seed", "x", "--json").out)
    varied = json.loads(run("simulate", "断言", "--games", "8", "--seed", "x", "--vary", "--json").out)
    assert (plain["violations"], varied["violations"]) == ([], [])
    assert plain["lines"] != varied["lines"]
    assert sum(varied["wins"].values()) == 8


@pytest.mark.parametrize(
    ("ruleset", "players", "rule", "able"),
    [
        ("vest", 11, "11 人没有标准配置", "10、12–20"),
        ("vest", 21, "人数\t狼人\t村民", "10、12–20"),
        ("assertion", 12, "村民：4人以上", "14–40"),
        ("m29", 11, "身份牌有 12 张", "12"),
    ],
)
def test_simulate_refuses_a_number_of_players_that_the_post_cannot_deal(ruleset: str, players: int, rule: str, able: str) -> None:
    ran = run("simulate", ruleset, "--players", str(players), "--games", "1")
    assert (ran.code, ran.out) == (2, "")
    assert rule in ran.err
    assert f"--players 写 {able} 中的一个" in ran.err


@pytest.mark.parametrize(("ruleset", "players"), [("vest", 10), ("vest", 12), ("assertion", 15), ("table", 11), ("m29", 12)])
def test_simulate_seats_as_many_as_it_was_told(ruleset: str, players: int) -> None:
    value = json.loads(run("simulate", ruleset, "--players", str(players), "--games", "1", "--json").out)
    assert value["players"] == players


def test_simulate_takes_no_number_of_players_where_every_game_has_another() -> None:
    ran = run("simulate", "vest", "--players", "12", "--vary", "--games", "1")
    assert (ran.code, "--vary" in ran.err) == (2, True)


def test_simulate_names_what_it_can_play() -> None:
    ran = run("simulate", "扑克")
    assert ran.code == 2
    assert "m29" in ran.err


def test_the_ledger_is_printed_with_its_numbers_and_what_does_not_hold(folder: Path) -> None:
    lines = "夜0 丘比特 金箭 饺子 饺子\n夜0 丘比特 金箭 饺子 包子 ; 本人\n日1 导演 红牌 饺子\n撤销 #3\n"
    (folder / "ledger.txt").write_text(lines, encoding="utf-8")
    ran = run("ledger", str(folder))
    assert ran.code == 1
    assert ran.out.splitlines() == [
        "× #1 夜0 丘比特 金箭 饺子 饺子",
        "      E314 两个对象是同一个（饺子）",
        "  #2 夜0 丘比特 金箭 饺子 包子 ; 本人",
        "- #3 日1 导演 红牌 饺子",
        "  #4 撤销 #3",
    ]
    value = json.loads(run("ledger", str(folder), "--json").out)
    assert [(one["number"], one["undone"], one["refused"] is None) for one in value] == [
        (1, False, False),
        (2, False, True),
        (3, True, True),
        (4, False, True),
    ]
