"""A game taken up in the middle: what held is checked before it is written, and everything goes on from there."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from engine.game import load_game
from tests.engine.command import run
from tests.engine.living import post, vote
from tests.engine.starting.games import TWELVE, write_game
from tests.engine.starting.test_init import begin, board, script

ROLES = ("村民", "村民", "狼人", "狼人", "狼人", "女巫", "替罪羊", "预言", "吹笛者", "丘比特", "村民", "村民")
SIGN_UP = (
    1200,
    "[M29] 试局 报名帖",
    [post("导演", "01T10:00", "开"), *(post(name, f"01T11:{place:02d}", "报名") for place, name in enumerate(TWELVE))],
)
# The third day: ten are in, 豆沙 is the sheriff; the sheriff's two votes and 汤圆's make three for 麻花.
THIRD = (
    1238,
    "[M29] 试局 第三天 投票帖",
    [
        post("导演", "05T09:30", "开"),
        vote("豆沙", "05T10:00", "麻花"),
        vote("汤圆", "05T10:01", "麻花"),
        vote("老王", "05T10:02", "青岚"),
        vote("饺子", "05T10:03", "青岚"),
    ],
)
FACTS = ("--out", "饺子:投票,包子:杀人", "--sheriff", "豆沙", "--chanted", "汤圆", "--used", "女巫 救药")


def take_over(folder: Path, *facts: str, threads: tuple[tuple[int, str, list[str]], ...] = (SIGN_UP, THIRD)) -> tuple[int, str]:
    with board(script(*threads)) as base:
        ran = begin(folder, base, *(tid for tid, _, _ in threads), more=("--from-day", "3", *facts))
    return ran.code, ran.out + ran.err


def tell_roles(folder: Path) -> None:
    """The director fills in what init has left open."""
    path = folder / "secrets.toml"
    text = path.read_text(encoding="utf-8")
    for role in ROLES:
        text = text.replace('# role   = "…"', f'role = "{role}"', 1)
    path.write_text(text, encoding="utf-8")


def test_status_tally_night_and_day_go_on_from_there(tmp_path: Path) -> None:
    code, said = take_over(tmp_path, *FACTS)
    assert code == 0, said
    assert "在 " in said
    assert "secrets.toml" in said
    if os.name == "posix":
        assert stat.S_IMODE((tmp_path / "secrets.toml").stat().st_mode) == 0o600
    tell_roles(tmp_path)
    status = run("status", str(tmp_path)).out
    assert "日3  警长：豆沙" in status
    assert [line for line in status.splitlines() if "出局" in line] == [
        "  饺子  村民  村民阵营  出局（投票）",
        "  包子  村民  村民阵营  出局（杀人）",
    ]
    assert "夜行者  女巫  村民阵营  失去 通灵" in status
    tally = run("tally", str(tmp_path), "--day", "3").out
    assert "投票出局：麻花" in tally
    early = run("day", str(tmp_path), "4", "--vote", "1240", "--opens", "2018-06-07T09:30")
    # The ledger is not there yet: nothing is announced, and nobody who is out is said to be in.
    here = next(line for line in early.out.splitlines() if line.startswith("在场："))
    assert [name for name in TWELVE if name not in here.removeprefix("在场：").split("、")] == ["饺子", "包子"]
    closed = run("do", str(tmp_path), "日3 导演 截票")
    assert "出局：麻花（投票）" in closed.out
    night = run("night", str(tmp_path))
    assert (night.code, "救药" in night.out, "吹笛" in night.out) == (0, False, True)
    dawn = run(
        "night", str(tmp_path), "狼人 杀人 青岚", "--time-up", "吹笛者", "--time-up", "女巫", "--time-up", "预言", "--dawn"
    )
    assert dawn.code == 0, dawn.out + dawn.err
    ran = run("day", str(tmp_path), "4")
    assert ran.code == 0, ran.err
    here = next(line for line in ran.out.splitlines() if line.startswith("在场："))
    assert not [name for name in ("饺子", "包子", "麻花", "青岚") if name in here]


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        (("--out", "饺子:毒死"), "原因有 投票、杀人、毒药"),
        (("--out", "饺子"), "没有写原因"),
        (("--out", "饺子:投票,饺子:杀人"), "写了两次"),
        (("--out", "饺孑:投票"), "--player 饺孑"),
        (("--sheriff", "饺子"), "已经出局"),
        (("--used", "女巫 复活药"), "没有技能的名字"),
        (("--used", "法师 救药"), "法师 不是玩家"),
        (("--lovers", "豆沙"), "情侣是两名玩家"),
        (("--lovers", "豆沙,豆沙"), "情侣是两名玩家"),
        (("--lost", "狼队"), "没有这个阵营"),
        (("--souls", "豆沙"), "这套规则里没有"),
    ],
)
def test_a_fact_that_cannot_be_is_refused_before_anything_is_written(tmp_path: Path, facts: tuple[str, ...], said: str) -> None:
    rest = [pair for place in range(0, len(FACTS), 2) if (pair := FACTS[place : place + 2])[0] != facts[0]]
    code, told = take_over(tmp_path, *facts, *(word for pair in rest for word in pair))
    assert (code, said in told, (tmp_path / "game.toml").exists()) == (2, True, False), told


def test_without_a_day_s_thread_the_next_step_opens_that_day(tmp_path: Path) -> None:
    code, said = take_over(tmp_path, *FACTS, threads=(SIGN_UP,))
    assert (code, f"bansha day {tmp_path} 3 --vote URL" in said, "bansha deal" in said) == (0, True, False)


def test_a_day_before_the_takeover_is_left_out_and_named(tmp_path: Path) -> None:
    second = (1235, "[M29] 试局 第二天 投票帖", [post("导演", "02T09:30", "开"), vote("豆沙", "02T10:00", "麻花")])
    code, said = take_over(tmp_path, *FACTS, threads=(SIGN_UP, second, THIRD))
    assert code == 0, said
    assert "投票帖 1235 是第 2 天的，在接手以前：没有写进去。" in said
    assert [day.number for day in load_game(tmp_path).days] == [3]


def test_a_game_that_was_dealt_elsewhere_is_not_dealt_again(tmp_path: Path) -> None:
    take_over(tmp_path, *FACTS)
    ran = run("deal", str(tmp_path))
    assert (ran.code, "从中间接手" in ran.err) == (2, True)
    assert "role =" not in (tmp_path / "secrets.toml").read_text(encoding="utf-8")


def test_secrets_that_are_there_stay(tmp_path: Path) -> None:
    (tmp_path / "secrets.toml").write_text('seed = "x"\n', encoding="utf-8")
    assert take_over(tmp_path, *FACTS)[0] == 0
    assert (tmp_path / "secrets.toml").read_text(encoding="utf-8") == 'seed = "x"\n'


def test_souls_take_the_place_of_outs_where_nobody_goes_out(tmp_path: Path) -> None:
    names = TWELVE[:3]
    sign_up = (7, "断言 报名帖", [post("导演", "01T10:00", "开"), *(post(name, "01T11:00", "报名") for name in names)])
    with board(script(sign_up)) as base:
        facts = ("--from-day", "3", "--chanted", "无", "--used", "无", "--souls", "饺子")
        ran = begin(tmp_path, base, 7, more=facts)
        assert (ran.code, "--published" in ran.err) == (2, True)
        assert begin(tmp_path, base, 7, more=(*facts, "--published", "包子,饺子")).code == 0
    given = load_game(tmp_path, before_days=True).given
    assert (given["souls"], given["published"], given["out"]) == (["饺子"], ["包子", "饺子"], [])


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ('lovers = ["饺子"]', "情侣不是两名玩家"),
        ('lovers = ["饺子", "饺子"]', "情侣不是两名玩家"),
        ('out = [["饺孑", "投票"]]', "没有叫 '饺孑' 的玩家"),
        ('out = [["饺子", "投票", "x"]]', "一列名字和原因"),
        ('out = [["饺子", "投票"]]\nsheriff = "饺子"', "已经出局"),
    ],
)
def test_facts_written_by_hand_are_held_to_the_same(tmp_path: Path, given: str, said: str) -> None:
    write_game(tmp_path, "m29", TWELVE, more=f'[given]\nphase = "日3"\n{given}\n')
    ran = run("deal", str(tmp_path), "--check")
    assert (ran.code, said in ran.err) == (2, True), ran.err


def test_a_game_without_a_day_says_which_command_opens_one(tmp_path: Path) -> None:
    write_game(tmp_path, "m29", TWELVE)
    ran = run("tally", str(tmp_path))
    assert (ran.code, f"bansha day {tmp_path} 1 --vote" in ran.err, "[[day]]" in ran.err) == (2, True, False)
