"""One line of the ledger as the engine takes it: its words and pairs, without their places in the file."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType
from typing import NamedTuple

from engine.ledger import ENTERED_AT, OPERATOR, Event, Phase

NONE: Mapping[str, str] = MappingProxyType({})


class Order(NamedTuple):
    """A line to be obeyed or refused. `number` is its line in the ledger (0: not stored yet), `at` the moment it names.

    `told` is that moment, else when the line was entered.

    A tuple, and not a dataclass, because random games make them by the million.
    """

    phase: Phase
    actor: str
    act: str
    targets: tuple[str, ...] = ()
    at: datetime | None = None
    number: int = 0
    values: Mapping[str, str] = NONE
    remark: str = ""
    late: bool = False
    told: datetime | None = None

    def __str__(self) -> str:
        """The line as `refused` of a scenario quotes it: without time and remark."""
        words = (quote(word) for word in (self.actor, self.act, *self.targets))
        pairs = (f"{key}={quote(value)}" for key, value in self.values.items())
        return " ".join((("补 " if self.late else "") + str(self.phase), *words, *pairs))

    @property
    def line(self) -> str:
        """The whole line, as it is stored."""
        time = f" @{self.at.isoformat()}" if self.at is not None else ""
        return f"{self}{time}{f' ; {self.remark}' if self.remark else ''}"


def read_order(event: Event) -> Order:
    """The order of a parsed line. A bare 撤销 is no order: see `engine.ledger.standing_events`."""
    assert event.phase is not None, "an undoing is followed before lines are obeyed"
    values = {word.key: word.text for word in event.words if word.key is not None and word.key not in (ENTERED_AT, OPERATOR)}
    targets = tuple(word.text for word in event.targets)
    return Order(
        event.phase,
        event.actor,
        event.act,
        targets,
        event.at,
        event.number,
        values or NONE,
        event.remark,
        event.late,
        event.at or event.entered_at,
    )


def quote(word: str) -> str:
    """A word as the grammar of the ledger wants it: in straight quotes where a character of it means something else."""
    plain = word and not any(char.isspace() or char in '"@#;；=“”„＂「」『』' or not char.isprintable() for char in word)
    if plain:
        return word
    escaped = word.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
