"""Ballots as values: what one post says about a vote, and in which one place it ends."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from scraper.post import Source

# Whose ballot it is that a curse adds. No seat can have the name: a bracket ends it as a remark.
CURSE = "乌鸦（诅咒）"


class Act(StrEnum):
    """What a ballot does: a first vote, a change, an abstention, or a vote that a director casts for a seat.

    Two skills make ballots: 操纵 changes another's, and 诅咒 adds to a target.
    """

    VOTE = "vote"
    CHANGE = "change"
    ABSTAIN = "abstain"
    PROXY = "proxy"
    MANIPULATE = "manipulate"
    CURSE = "curse"


class Reason(StrEnum):
    """Why a ballot does not stand: replaced by a later one, or void."""

    REPLACED = "replaced"
    MALFORMED = "malformed"
    NO_REASON = "no_reason"
    UNKNOWN_TARGET = "unknown_target"
    AMBIGUOUS_TARGET = "ambiguous_target"
    TARGET_OUT = "target_out"
    TARGET_BARRED = "target_barred"
    VOTER_OUT = "voter_out"
    VOTER_BARRED = "voter_barred"
    OLD_ACCOUNT = "old_account"
    SECOND_VOTE = "second_vote"
    NOTHING_TO_CHANGE = "nothing_to_change"
    CHANGE_LIMIT = "change_limit"
    CHANGE_NOT_REPLY = "change_not_reply"
    CHANGE_TOO_LATE = "change_too_late"
    CHANGE_ACCELERATED = "change_accelerated"
    PROXY_NOT_DIRECTOR = "proxy_not_director"
    CONDITIONAL_PROXY = "conditional_proxy"
    PROXY_TOO_LATE = "proxy_too_late"
    BEFORE_OPEN = "before_open"
    AFTER_CLOSE = "after_close"
    EDITED = "edited"
    MUST_AGREE = "must_agree"
    MANIPULATED_TWICE = "manipulated_twice"
    RULED_VOID = "ruled_void"


class Place(StrEnum):
    """The one place in which a post of the vote thread ends."""

    STANDING = "standing"
    REPLACED = "replaced"
    VOID = "void"
    NEEDS_RULING = "needs_ruling"
    NOT_BALLOT = "not_ballot"


@dataclass(frozen=True, slots=True)
class Ballot:
    """One ballot with its fate: standing (`reason` None), replaced, or void with the reason.

    `voter` is the seat's name (`by` is who posted it, another name only for a proxy); `raw` the target as written; `target`
    the seat or number it names, None for an abstention and where none was found; `ruled` tells that a director's ruling made it
    so. `weight` counts only while it stands. `post` is None for a ballot that entered by a line of the ledger, or of the table
    `file`; `line` is its number there. `rule` is the key of the rule that it broke.
    """

    voter: str
    by: str
    act: Act
    raw: str
    target: str | None
    at: datetime
    post: Source | None
    line: int | None = None
    weight: int = 1
    reason: Reason | None = None
    ruled: bool = False
    file: str = ""
    rule: str = ""
