"""What differs between rule systems in a vote, as values: a rule system composes them, a switch replaces one."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class SecondVote(StrEnum):
    """What a second first-format ballot is while one stands (`ballot.second`)."""

    VOID = "void"
    REPLACE = "replace"


class ChangeReply(StrEnum):
    """Whether a change must reply to the floor of the voter's standing ballot (`ballot.change_reply`)."""

    REQUIRED = "required"
    OPTIONAL = "optional"


class Edits(StrEnum):
    """Which revision of an edited ballot counts (`ballot.edits`)."""

    FIRST_SEEN = "first_seen"
    VOID = "void"
    LATEST = "latest"


class Presence(StrEnum):
    """Whether a ballot needs a reason (`ballot.reason`)."""

    REQUIRED = "required"
    OPTIONAL = "optional"


class Reach(StrEnum):
    """When a target "reached" the maximum (`reach`): since it last stood there unbroken, or the first time."""

    STABLE = "stable"
    FIRST_TOUCH = "first_touch"


class SheriffScope(StrEnum):
    """Whom the sheriff's ballot puts out in a tie (`tie.sheriff_scope`): any seat that it names, or only one of the tied."""

    ANY = "any"
    AMONG_TIED = "among_tied"


class SpeedUpScope(StrEnum):
    """Which changes a speed-up voids (`accelerate.scope`): those made while it holds, or all of the day's."""

    FROM_JUDGEMENT = "from_judgement"
    WHOLE_DAY = "whole_day"


class Tie(StrEnum):
    """One step of a tie policy: the first that yields a result decides."""

    SCAPEGOAT = "scapegoat"
    SHERIFF_TARGET = "sheriff_target"
    NOBODY = "nobody"


@dataclass(frozen=True, slots=True)
class Clause:
    """A sentence of a rule post, word for word, and where it stands."""

    text: str
    post: str


@dataclass(frozen=True, slots=True)
class VotePolicy:
    """How a rule system votes. `freeze` is in seconds before the close; `changes` is how many a voter may make.

    `tie` and `no_votes` are ordered lists: the first step that yields a result decides. `election_day` is the day that elects
    the sheriff and exiles nobody. `clauses` gives for each key (a reason's value, a tie step, "exile", "election", …) the
    sentence of the rule post that decides it.
    """

    second: SecondVote
    changes: int
    change_reply: ChangeReply
    freeze: int
    edits: Edits
    reason: Presence
    reach: Reach
    speed_up_scope: SpeedUpScope
    void_counts_as_vote: bool
    sheriff_weight: int
    election_day: int | None
    tie: tuple[Tie, ...]
    no_votes: tuple[Tie, ...]
    clauses: dict[str, Clause]
    sheriff_scope: SheriffScope = SheriffScope.ANY


@dataclass(frozen=True, slots=True)
class CardPolicy:
    """What the director sets for cards: fewer posts or effective characters than these on a day is 发言不足 (None: not checked).

    `substitute_grace` exempts a seat whose account changed after the middle of the day. `yellow_to_red` yellow cards make a
    red one.
    """

    min_posts: int | None = None
    min_chars: int | None = None
    substitute_grace: bool = True
    yellow_to_red: int = 2
