"""Game files before their first day, for what happens there."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

TWELVE = ("饺子", "包子", "豆沙", "汤圆", "夜行猫", "夜行者", "K先生", "青岚", "老王", "1号", "10号", "麻花")


def write_game(folder: Path, ruleset: str, names: Sequence[str], *, game: str = "", more: str = "") -> Path:
    """A game.toml without a day; `game` are further keys of [game], `more` further tables."""
    players = "".join(f'[[player]]\nname = "{name}"\naccount = "号-{name}"\n' for name in names)
    path = folder / "game.toml"
    text = f'# 我的一局\n[game]\ntitle = "试局"\nruleset = "{ruleset}"\ndirectors = ["导演"]\n{game}{players}{more}'
    path.write_text(text, encoding="utf-8")
    return path
