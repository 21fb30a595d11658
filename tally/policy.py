"""What differs between rule systems in a vote, as values: a rule system composes them, a switch replaces one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
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
    RANDOM = "random"
    NOBODY = "nobody"


class ElectionTie(StrEnum):
    """Who becomes sheriff where several reached the maximum (`election.tie`): who reached it first, or nobody."""

    EARLIEST = "earliest"
    NONE = "none"


class TargetKind(StrEnum):
    """What a vote names. Numbers and vests are secret: who posts is public, and which of them is his is not."""

    CHARACTER = "character"
    NUMBER = "number"
    VEST = "vest"
    SEAT = "seat"


class OffBoard(StrEnum):
    """What a vote is that no post holds, but a line of the ledger or of a table.

    A proxy, under the rules of proxies; a voter's own at the table, where a second line is his change; or what he told the
    director in private, where no line is a change.
    """

    PROXY = "proxy"
    TABLE = "table"
    PRIVATE = "private"


class Feigned(StrEnum):
    """What the ballot of a seat is that has used 装傻: void, or without weight."""

    VOID = "void"
    NO_WEIGHT = "no_weight"


class Conflict(StrEnum):
    """What happens where several legally change the ballot of one voter (`manipulate.conflict`): the last holds, or none."""

    LAST_LEGAL = "last_legal"
    BOTH_VOID = "both_void"


class Publicity(StrEnum):
    """When the votes themselves may be published (`votes.publicity` has these as F, G and H)."""

    AT_THE_END = "F"
    AFTER_THE_CLOSE = "G"
    LIVE = "H"


class Decides(StrEnum):
    """What a vote is about."""

    EXILE = "exile"
    ELECTION = "election"
    IDENTITY = "identity"
    SOUL = "soul"


class Immune(StrEnum):
    """Whom a vote may not name because of what has happened to him: whose identity is published, or who is a soul."""

    NOBODY = "nobody"
    PUBLISHED = "published"
    SOULS = "souls"


@dataclass(frozen=True, slots=True)
class Poll:
    """One of the votes of a day. `name` is "" for the one that every day has; only seats of `role` vote ("": everybody)."""

    name: str
    decides: Decides
    role: str = ""
    immune: Immune = Immune.NOBODY


EXILE = Poll("", Decides.EXILE)
ELECTION = Poll("竞选", Decides.ELECTION)
SECOND = Poll("重投", Decides.EXILE)


@dataclass(frozen=True, slots=True)
class Clause:
    """A sentence of a rule post, word for word, and where it stands; `borrowed` from M29 where a system's own post is silent."""

    text: str
    post: str
    borrowed: bool = False


@dataclass(frozen=True, slots=True)
class VotePolicy:
    """How a rule system votes. `freeze` is in seconds before the close; `changes` is how many a voter may make.

    `tie` and `no_votes` are ordered lists: the first step that yields a result decides. `election_day` is the day that elects
    the sheriff; it exiles nobody, unless `polls` has an election of its own beside the day's vote. `clauses` gives for each key
    (a rule's key, a tie step, "exile", "election", …) the sentence of the rule post that decides it.

    `feigned` is None where the system has no 装傻; `feigned_votable` tells whether such a seat may be voted for. The seats of one
    of the roles in `agree` must vote alike. `curse` is what a curse (乌鸦) adds to its target, `most_barred` how many voters a
    scapegoat may bar. `missing_is_offence` tells that whoever does not vote is offered a card.
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
    target: TargetKind = TargetKind.CHARACTER
    off_board: OffBoard = OffBoard.PROXY
    election_tie: ElectionTie = ElectionTie.EARLIEST
    feigned: Feigned | None = None
    feigned_votable: bool = False
    self_vote: bool = True
    conflict: Conflict = Conflict.LAST_LEGAL
    publicity: Publicity = Publicity.LIVE
    polls: tuple[Poll, ...] = (EXILE,)
    agree: tuple[str, ...] = ()
    curse: int = 0
    most_barred: int | None = None
    missing_is_offence: bool = True

    @property
    def has_sheriff(self) -> bool:
        """Whether there is a sheriff whose vote is another's twice, or breaks ties."""
        return self.sheriff_weight != 1 or Tie.SHERIFF_TARGET in (*self.tie, *self.no_votes)

    def poll(self, name: str, day: int) -> Poll:
        """The vote of that name on a day; the one without a name elects on the election day, where no other does."""
        if name == "" and day == self.election_day and ELECTION not in self.polls:
            return ELECTION
        return next((poll for poll in self.polls if poll.name == name), self.polls[0])


@dataclass(frozen=True, slots=True)
class CardPolicy:
    """What the director sets for cards: fewer posts or effective characters than these on a day is 发言不足 (None: not checked).

    `substitute_grace` exempts a seat that a substitute took over after the middle of the day. `yellow_to_red` yellow cards make
    a red one. Where `sent_off_at` is set no card is given: an offence costs its `points`, and so many in all send off.
    """

    min_posts: int | None = None
    min_chars: int | None = None
    substitute_grace: bool = True
    yellow_to_red: int = 2
    points: Mapping[str, int] = field(default_factory=dict)
    sent_off_at: int | None = None
