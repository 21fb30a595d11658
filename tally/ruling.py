"""The director's word on a post, an account or a name: it comes from the ledger and is applied again on every recount."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class RulingKind(StrEnum):
    """What a ruling settles."""

    COUNT_AS = "count_as"
    VOID = "void"
    ACCOUNT = "account"
    NAME = "name"
    RESULT = "result"


@dataclass(frozen=True, slots=True)
class Ruling:
    """One ruling: COUNT_AS and VOID name a post (`tid`, `pid`), ACCOUNT and NAME a word (`name`); `value` is the seat.

    COUNT_AS and RESULT use "" in `value` for an abstention and for nobody. `line` is the ledger line that holds it, `reason`
    its remark, `at` when it holds from (a new account), `entered_at` when it was entered and `operator` by whom. A ruling of an
    earlier day that still holds is `carried`: it is not missed where it matches nothing. `poll` is which of the day's votes a
    RESULT is about, None for the day's own.
    """

    kind: RulingKind
    line: int
    value: str = ""
    name: str = ""
    tid: int | None = None
    pid: int | None = None
    reason: str = ""
    at: datetime | None = None
    entered_at: datetime | None = None
    carried: bool = False
    operator: str = ""
    poll: str | None = None


class Entry(StrEnum):
    """What a line that holds a ballot is: a proxy, a voter's own at the table or in private, or what a skill does (操纵)."""

    PROXY = "proxy"
    OWN = "own"
    MANIPULATION = "manipulation"


@dataclass(frozen=True, slots=True)
class LedgerBallot:
    """A vote that a line of the ledger, or of the table `file`, holds: `change` where it is in the change format.

    `by` is who cast it: the director for a proxy, whoever manipulates. `poll` is which of the day's votes it belongs to, None
    for the only one, or for that of the voter's role. One that is `either` is a change where the voter has a ballot; `timed` is
    False for one of which no moment is known but its place.
    """

    line: int
    voter: str
    target: str | None
    at: datetime
    change: bool = False
    by: str = "导演"
    entry: Entry = Entry.PROXY
    poll: str | None = None
    file: str = ""
    timed: bool = True
    either: bool = False
