"""A rule system as a value: its names, how it votes, its roles by name, and its switches."""

from __future__ import annotations

from dataclasses import dataclass

from engine.switches import Switch
from tally.policy import VotePolicy


@dataclass(frozen=True, slots=True)
class Role:
    """A role by the name of the rule post, and the other names that the post or its players give it."""

    name: str
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RuleSet:
    """One rule system. `speed_up_lead` is how many seconds before the close requests for a speed-up are judged."""

    id: str
    title: str
    vote: VotePolicy
    roles: tuple[Role, ...]
    switches: tuple[Switch, ...]
    speed_up_lead: int

    def role(self, written: str) -> str | None:
        """The role that a word names, by its name or an alias; None for no role of this system."""
        return next((role.name for role in self.roles if written == role.name or written in role.aliases), None)
