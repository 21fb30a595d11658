"""A rule system as a value: its names, how it votes, its roles by name, and its switches."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from engine.play.rules import Play
from engine.play.skillset import Role
from engine.switches import Switch, Value
from tally.policy import VotePolicy

__all__ = ["Role", "RuleSet"]


@dataclass(frozen=True, slots=True)
class RuleSet:
    """One rule system. `speed_up_lead` is how many seconds before the close requests for a speed-up are judged.

    `play` makes of the switches' values, and of the vote policy after them, how the game is played.
    """

    id: str
    title: str
    vote: VotePolicy
    roles: tuple[Role, ...]
    switches: tuple[Switch, ...]
    speed_up_lead: int
    play: Callable[[Mapping[str, Value], VotePolicy], Play] | None = None

    def role(self, written: str) -> str | None:
        """The role that a word names, by its name or an alias; None for no role of this system."""
        return next((role.name for role in self.roles if written == role.name or written in role.aliases), None)
