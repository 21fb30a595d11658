"""secrets.toml: what nobody may see before the end. Read only for what a count needs: who the scapegoat is."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path

from engine.gamefile import Section, suggest
from engine.ruleset import RuleSet
from engine.tomlfile import read_toml

FILE = "secrets.toml"


@dataclass(frozen=True, slots=True)
class Secrets:
    """The roles by seat, as the rule system calls them, and whether other users of the machine can read the file."""

    roles: dict[str, str]
    exposed: bool = False


def load_secrets(folder: Path, ruleset: RuleSet, seats: tuple[str, ...]) -> Secrets:
    """The secrets beside a game file; empty where there is no such file. GameFileError names the line that is wrong."""
    path = folder / FILE
    if not path.exists():
        return Secrets({})
    file = read_toml(path)
    root = Section(file, (), file.values)
    root.allow("seed", "player")
    root.text("seed")
    roles: dict[str, str] = {}
    for player in root.tables("player"):
        player.allow("name", "role", "number", "vest", "password", "person")
        player.need("name")
        name = player.name("name")
        if name not in seats:
            raise player.error("name", f"game.toml 里没有叫 {name!r} 的玩家", suggest(name, seats))
        if name in roles:
            raise player.error("name", f"{name!r} 写了两次", "删去其中一个 [[player]]")
        if "role" not in player.values:
            continue
        written = player.name("role")
        role = ruleset.role(written)
        if role is None:
            known = [word for known in ruleset.roles for word in (known.name, *known.aliases)]
            raise player.error("role", f"{ruleset.title} 没有 {written!r} 这个身份", suggest(written, known))
        roles[name] = role
    return Secrets(roles, _exposed(path))


def _exposed(path: Path) -> bool:
    """Whether others than the owner can read the file; Windows has no such bits, and answers no."""
    return os.name == "posix" and bool(path.stat().st_mode & (stat.S_IRGRP | stat.S_IROTH))
