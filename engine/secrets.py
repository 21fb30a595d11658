"""secrets.toml: what nobody may see before the end. A count asks it who the scapegoat is, whose ballots must agree, which number
or vest went out with a seat, and for the seed of a draw."""

from __future__ import annotations

import hashlib
import os
import stat
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from engine.called import Words
from engine.gamefile import Section, suggest
from engine.ruleset import RuleSet
from engine.tomlfile import read_toml
from scraper.phrases import phrase

FILE = "secrets.toml"


@dataclass(frozen=True, slots=True)
class Secrets:
    """The roles by seat, as the rule system calls them, the secret numbers and vests, the seed of every draw ("": none).

    `exposed` tells that other users of the machine can read the file. `people` are those who play a seat, `passwords` those of
    the seats' accounts, both where they are told; `spare` the roles that were dealt to nobody (盗贼's two cards), `faces` those
    that lie aside for 变脸者.
    """

    roles: dict[str, str]
    exposed: bool = False
    numbers: Mapping[str, int] = field(default_factory=dict)
    vests: Mapping[str, str] = field(default_factory=dict)
    seed: str = ""
    people: Mapping[str, str] = field(default_factory=dict)
    passwords: Mapping[str, str] = field(default_factory=dict)
    spare: tuple[str, ...] = ()
    faces: tuple[str, ...] = ()


NO_SECRETS = Secrets({})


def load_secrets(folder: Path, ruleset: RuleSet, seats: tuple[str, ...]) -> Secrets:
    """The secrets beside a game file; empty where there is no such file. GameFileError names the line that is wrong."""
    path = folder / FILE
    if not path.exists():
        return NO_SECRETS
    file = read_toml(path)
    root = Section(file, (), file.values)
    root.allow("seed", "player", "spare", "faces")
    seed = _read_secret(root, "seed")
    roles: dict[str, str] = {}
    numbers: dict[str, int] = {}
    vests: dict[str, str] = {}
    words = Words(phrase("马甲"), phrase("两个马甲"), act=False)
    people: dict[str, str] = {}
    passwords: dict[str, str] = {}
    for player in root.tables("player"):
        player.allow("name", "role", "number", "vest", "password", "person")
        player.need("name")
        name = player.name("name")
        if name not in seats:
            raise player.error("name", phrase("game.toml 里没有叫 {name!r} 的玩家", name=name), suggest(name, seats))
        if name in roles:
            raise player.error("name", phrase("{name!r} 写了两次", name=name), phrase("删去其中一个 [[player]]"))
        if (number := player.integer("number", least=1)) is not None:
            if number in numbers.values() or number > len(seats):
                raise player.error(
                    "number",
                    phrase("秘密数字 {number} 写了两次，或比玩家还多", number=number),
                    phrase("1 到 {seats}，各不相同", seats=len(seats)),
                )
            numbers[name] = number
        if "vest" in player.values:
            vest = player.name("vest")
            words.begin(player, "vest", vest)
            vests[name] = vest
        if player.text("person"):
            people[name] = player.text("person")
        if password := _read_secret(player, "password"):
            passwords[name] = password
        if "role" not in player.values:
            continue
        written = player.name("role")
        role = ruleset.role(written)
        if role is None:
            known = [word for known in ruleset.roles for word in (known.name, *known.aliases)]
            raise player.error(
                "role", phrase("{title} 没有 {written!r} 这个身份", title=ruleset.title, written=written), suggest(written, known)
            )
        roles[name] = role
    return Secrets(roles, _exposed(path), numbers, vests, seed, people, passwords, root.texts("spare"), root.texts("faces"))


def _read_secret(section: Section, key: str) -> str:
    """A text that no error may show."""
    if not isinstance(section.values.get(key, ""), str):
        raise section.error(key, phrase("应该是文字"), phrase('加上引号：{key} = "…"', key=key))
    value = str(section.values.get(key, ""))
    if not is_printable(value):
        raise section.error(key, phrase("文字里有看不见的字符"), phrase("重新打一遍这个值，不要从网页上复制"))
    return value


def is_printable(text: str) -> bool:
    """Whether a text is one that a file may hold: without line ends and other control characters."""
    return not any(unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp") for char in text)


def commit_seed(seed: str) -> str:
    """What is published of a seed before the game, so that it can be checked at the end: its SHA-256, of its UTF-8 bytes."""
    return f"sha256:{hashlib.sha256(seed.encode()).hexdigest()}"


def _exposed(path: Path) -> bool:
    """Whether others than the owner can read the file; Windows has no such bits, and answers no."""
    return os.name == "posix" and bool(path.stat().st_mode & (stat.S_IRGRP | stat.S_IROTH))
