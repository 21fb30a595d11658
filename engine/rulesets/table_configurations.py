"""面杀's table of configurations: 10, 12, 15, 15 with 盗贼, 18, 18 with 盗贼, in every way that its slashes allow.

2. 游戏人数: a column's cards are its players, and two more with 盗贼. 猎人/白痴 is one of the two, or both where it says 2; of
4/5 村民 with 2/1 of them, and 5/6 村民 with 1/0 吹笛者, the first goes with the first.
"""

from __future__ import annotations

from dataclasses import dataclass

HUNTER, IDIOT = "猎人", "白痴"


@dataclass(frozen=True, slots=True)
class Configuration:
    """One standard table: its name, how many players it seats, and its cards (two more than players with 盗贼)."""

    name: str
    players: int
    cards: tuple[str, ...]


def _deal(name: str, players: int, wolves: int, villagers: int, others: tuple[str, ...]) -> Configuration:
    return Configuration(name, players, (*["狼人"] * wolves, *["村民"] * villagers, *others))


_TEN = ("预言家", "女巫", "丘比特")
_TWELVE = (*_TEN, "守卫")
_FIFTEEN = (*_TWELVE, "长老")
_EITHER = (HUNTER, IDIOT)

CONFIGURATIONS: tuple[Configuration, ...] = (
    *(_deal("10", 10, 3, 3, (*_TEN, one)) for one in _EITHER),
    *(_deal("12", 12, 4, 3, (*_TWELVE, one)) for one in _EITHER),
    *(_deal("15", 15, 5, 4, (*_FIFTEEN, one)) for one in _EITHER),
    _deal("15+盗贼", 15, 5, 4, (*_FIFTEEN, *_EITHER, "盗贼")),
    *(_deal("15+盗贼", 15, 5, 5, (*_FIFTEEN, one, "盗贼")) for one in _EITHER),
    _deal("18", 18, 6, 5, (*_FIFTEEN, *_EITHER)),
    *(_deal("18+盗贼", 18, 6, 5, (*_FIFTEEN, one, "盗贼", "混血", "吹笛者")) for one in _EITHER),
    *(_deal("18+盗贼", 18, 6, 6, (*_FIFTEEN, one, "盗贼", "混血")) for one in _EITHER),
)
