"""Where the ledger runs the game, it tells who is chanted and when the piper is out; game.toml need not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.engine.command import run
from tests.engine.sounds.game import archived, look, post, write_game

ROLES = {"包子": "村民", "豆沙": "吹笛者", "饺子": "狼人", "汤圆": "预言", "年糕": "女巫", "老王": "村民"}
LEDGER = """日1 导演 截票
夜1 豆沙 吹笛 包子
夜1 导演 天亮
日2 导演 红牌 豆沙
日2 导演 截票
夜2 导演 天亮
"""
LIFE = post(81, "03T10:00", "哼人") + post(82, "06T10:00", "我自由了", tid=1238) + post(83, "03T10:05", "哼", "豆沙")


@pytest.fixture
def played(tmp_path: Path) -> Path:
    more = "".join(f'[[player]]\nname = "{name}"\n' for name in ("汤圆", "年糕", "老王"))
    first = "[[day]]\nnumber = 1\nopens = 2018-05-31T09:30:00\ncloses = 2018-06-02T21:00:00\nvote = 1232\n"
    game = write_game(tmp_path, more=more + first, ledger=LEDGER)
    path = tmp_path / "game.toml"
    path.write_text(path.read_text(encoding="utf-8").replace('chanted = ["包子"]', ""), encoding="utf-8")
    secrets = "".join(f'[[player]]\nname = "{name}"\nrole = "{role}"\n' for name, role in ROLES.items())
    (tmp_path / "secrets.toml").write_text(secrets, encoding="utf-8")
    (tmp_path / "secrets.toml").chmod(0o600)
    with archived(game) as archive:
        look(archive, LIFE, "08T21:30", (1232, 1234, 1235, 1238))
    return tmp_path


def test_the_chant_is_the_ledgers_from_the_night_to_the_pipers_exit(played: Path) -> None:
    ran = run("check", str(played))
    assert (ran.code, ran.err) == (1, "")
    assert "包子：2018-06-03 09:30:00 +0800 起，到 2018-06-06 09:30:00 +0800（吹笛者出局）" in ran.out
    assert ("pid=81" in ran.out, "pid=82" in ran.out) == (True, False)
