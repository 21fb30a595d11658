"""The recorded votes of every system as plain data, read without the program: what scripts show, and what is expected of them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "fixtures"
SYSTEMS = ("m29", "secret-number", "vest", "assertion", "table")
# Those with expectations of a vote; what chanted players posted, and whole games, have tests of their own.
CASES = tuple(
    path.parent
    for system in SYSTEMS
    for path in sorted((FIXTURES / system).glob("*/expected.toml"))
    if "[[verdict]]" in path.read_text(encoding="utf-8")
)
ROUNDS = {"竞选": "竞选", "election": "竞选", "重投": "重投", "second": "重投"}
_LABEL = re.compile(r"^【?(?:投票对象|投票對象|改票对象|改票對象)", re.M)
_PROXY = re.compile(r"^代投：(\S+)$", re.M)


@dataclass(frozen=True)
class Vote:
    """One vote of a case: its day and name, and the rows that are expected of it by list."""

    case: VoteCase
    day: int
    poll: str
    window: dict[str, Any]

    def rows(self, name: str) -> list[dict[str, Any]]:
        """The rows of one list."""
        return [row for row in self.case.expected.get(name, []) if row["day"] == self.day and row.get("poll", "") == self.poll]

    def ballots(self) -> Iterator[tuple[int, str]]:
        """The pid and the voter of every post of a seat in the window that opens a line with the label of a target."""
        for post in self.case.script.get("post", []):
            inside = self.window["opens"] <= post["at"] <= self.window["closes"]
            if not inside or post["tid"] != self.window.get("vote", self.case.days[self.day].get("vote")):
                continue
            proxy = _PROXY.search(post.get("text", ""))
            voter = proxy[1] if proxy else self.case.accounts.get(post["author"])
            if voter is not None and _LABEL.search(post.get("text", "")):
                yield post["pid"], voter


class VoteCase:
    """One folder of fixtures/<system>."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.system = folder, folder.parent.name
        self.game = self._read("game.toml")
        self.script = self._read("script.toml") if (folder / "script.toml").exists() else {}
        self.expected = self._read("expected.toml")
        self.accounts = {player.get("account", player["name"]): player["name"] for player in self.game["player"]}
        self.days = {day["number"]: day for day in self.game["day"]}

    def _read(self, name: str) -> dict[str, Any]:
        return tomllib.loads((self.folder / name).read_text(encoding="utf-8"))

    @cached_property
    def source(self) -> str:
        """What SOURCE.md says."""
        return (self.folder / "SOURCE.md").read_text(encoding="utf-8")

    def votes(self) -> Iterator[Vote]:
        """Every vote of the game's days."""
        for number, day in self.days.items():
            if self.system == "assertion":
                yield from (Vote(self, number, poll, day) for poll in ("审讯", "撕咬", "血饮"))
                continue
            yield Vote(self, number, "", day)
            yield from (Vote(self, number, ROUNDS[one["kind"]], one) for one in day.get("poll", []))

    def settings(self) -> Iterator[tuple[str, Any]]:
        """Every switch, and every key of [cards] as cards.…, that the case or one of its alternatives sets, with the value."""
        for table in (self.game, *self.expected.get("alternative", [])):
            yield from table.get("switches", {}).items()
            yield from ((f"cards.{key}", value) for key, value in table.get("cards", {}).items())
