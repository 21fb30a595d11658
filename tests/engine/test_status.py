"""`bansha status`: where a game stands, what is waited for, from whom, until when; in every phase, and without a deal."""

from __future__ import annotations

import json
from pathlib import Path
from unittest.mock import patch

import pytest

from engine.play.table import Player
from tests.engine.command import Ran, run
from tests.engine.living import living, thread, vote
from tests.engine.starting.games import write_game as write_undealt
from tests.engine.tables import write_game
from tests.engine.test_nights import CAST, OPENING, at

PLAYERS = tuple(Player(name, role) for name, role in CAST.items())


def status(folder: Path, moment: str, *arguments: str) -> Ran:
    with patch("scraper.pace.utc_now", lambda: at(moment)):
        return run("status", str(folder), *arguments)


def test_before_the_deal_it_says_so(tmp_path: Path) -> None:
    write_undealt(tmp_path, "m29", ("饺子", "包子"))
    ran = status(tmp_path, "02T12:00")
    assert (ran.code, "2 人，还没有发牌" in ran.out, "bansha deal" in ran.out) == (0, True, True)
    assert json.loads(status(tmp_path, "02T12:00", "--json").out)["phase"] is None


def test_without_a_folder_it_is_the_game_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_undealt(tmp_path, "m29", ("饺子", "包子"))
    monkeypatch.chdir(tmp_path)
    assert "还没有发牌" in run("status").out


def test_who_has_not_voted_in_an_open_vote_and_until_when(tmp_path: Path) -> None:
    with living(tmp_path, thread(vote("饺子", "05T19:40", "包子"), vote("豆沙", "05T19:50", "包子")), "05T19:45") as game:
        game.run("fetch")
        told = game.run("status")
        assert "等：投票：包子、豆沙，到 06-05 21:00（06-05 19:45 看到的）" in told.out
        game.set("05T21:30")
        later = game.run("status")
    assert ("投票：" in later.out, "bansha day 3" in later.out) == (False, True)


def test_a_game_that_is_played_names_them_too(tmp_path: Path) -> None:
    with living(tmp_path, thread(vote("饺子", "05T19:40", "包子")), "05T19:45") as game:
        rows = (("饺子", "狼人"), ("包子", "村民"), ("豆沙", "村民"), ("丘", "丘比特"), ("预", "预言"))
        secrets = "".join(f'[[player]]\nname = "{name}"\nrole = "{role}"\n' for name, role in rows)
        (tmp_path / "secrets.toml").write_text(f'seed = "s"\n{secrets}', encoding="utf-8")
        (tmp_path / "secrets.toml").chmod(0o600)
        text = (tmp_path / "game.toml").read_text(encoding="utf-8")
        more = '[[player]]\nname = "丘"\n[[player]]\nname = "预"\n[[day]]'
        (tmp_path / "game.toml").write_text(text.replace("[[day]]", more), encoding="utf-8")
        lines = "夜0 丘 金箭 包子 豆沙\n日1 饺子 投票 包子\n日1 导演 截票\n夜1 导演 天亮\n"
        (tmp_path / "ledger.txt").write_text(lines, encoding="utf-8")
        game.run("fetch")
        told = game.run("status")
    assert "等：投票：包子、豆沙、丘、预，到 06-05 21:00" in told.out
    assert "等：截票，到 06-05 21:00" in told.out


def test_last_words_are_waited_for_until_the_next_opening(tmp_path: Path) -> None:
    """在次日讨论日开始前，有遗言权利的出局角色未提交遗言，视为放弃遗言。"""
    lines = [*OPENING.splitlines(), "夜1 狼甲 杀人 民丙", "夜1 导演 天亮"]
    write_game(tmp_path, "m29", PLAYERS, lines, days=2)
    assert "等：遗言：民丙，到 06-06 09:30" in status(tmp_path, "05T22:00").out
    assert "等 遗言：民丙，到 06-06 09:30" in run("night", str(tmp_path)).out
    run("do", str(tmp_path), '日2 民丙 遗言 "再见"')
    assert "遗言" not in status(tmp_path, "05T22:00").out


def test_between_two_days_it_names_the_command_that_opens_one(tmp_path: Path) -> None:
    write_game(tmp_path, "m29", PLAYERS, [*OPENING.splitlines(), "夜1 导演 天亮"], days=1)
    assert "截票（第 2 天还没有开：bansha day 2 --vote URL）" in status(tmp_path, "06T08:00").out


def test_after_the_end_nothing_is_waited_for(tmp_path: Path) -> None:
    write_game(tmp_path, "m29", PLAYERS, [*OPENING.splitlines(), "夜1 导演 裁定 事实 获胜 村民阵营"], days=1)
    told = status(tmp_path, "06T08:00")
    assert ("获胜：村民阵营" in told.out, "bansha reveal" in told.out, "等：" in told.out) == (True, True, False)


def test_a_step_in_which_all_have_said_is_the_directors(tmp_path: Path) -> None:
    write_game(tmp_path, "m29", PLAYERS, [*OPENING.splitlines(), "夜1 笛 吹笛 民丙"], days=1)
    assert "吹笛者，到 06-05 22:00，已选：笛 吹笛 民丙，都说了，可以收" in status(tmp_path, "05T21:30").out
