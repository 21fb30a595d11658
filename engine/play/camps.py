"""When a camp has won or lost: conditions over heads, votes and groups, and who must agree to a surrender.

Nothing here names a rule system, a role or a camp.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class Group:
    """Some of the seats, in the game or out: of a camp, outside a camp, of some identities, without the lovers, only lovers."""

    camp: str = ""
    outside: str = ""
    roles: tuple[str, ...] = ()
    single: bool = False
    lovers: bool = False


@dataclass(frozen=True, slots=True)
class Half:
    """The group's living are half of all living, or more."""

    group: Group


@dataclass(frozen=True, slots=True)
class AllOut:
    """Every seat of the group is out (`one_is_enough`: some seat is)."""

    group: Group
    one_is_enough: bool = False


@dataclass(frozen=True, slots=True)
class AllLivingChanted:
    """Every living seat of the group is chanted, and there is one."""

    group: Group


@dataclass(frozen=True, slots=True)
class OthersChanted:
    """Every living seat of the group is chanted, and some living seat of it is; `needs` is a group that must have a member."""

    group: Group
    also: Group | None = None
    needs: Group | None = None


@dataclass(frozen=True, slots=True)
class AllSouls:
    """Every seat of the group is a soul, and there is one."""

    group: Group


@dataclass(frozen=True, slots=True)
class PrayedRight:
    """Some seat of the group has handed in a right table of identities."""

    group: Group


@dataclass(frozen=True, slots=True)
class HalfOfVotes:
    """The votes that the group's living can cast are half of all that can be cast, or more."""

    group: Group


@dataclass(frozen=True, slots=True)
class OnlyLeft:
    """Some seat of the group is in, and no other seat is."""

    group: Group


@dataclass(frozen=True, slots=True)
class AllOutOrChanted:
    """Every seat of the group is out or chanted."""

    group: Group


@dataclass(frozen=True, slots=True)
class ClanOut:
    """Every seat of the clan that a seat of the group opposes is out."""

    group: Group


@dataclass(frozen=True, slots=True)
class FewLeft:
    """A seat of the group is in while so `many` seats are, or fewer (`exactly`: not fewer)."""

    group: Group
    many: int
    exactly: bool = False


@dataclass(frozen=True, slots=True)
class VotedOut:
    """A seat of the group was put out by the vote of that day; `cause` is how the vote is called as a cause."""

    group: Group
    day: int
    cause: str


Condition = (
    Half
    | AllOut
    | AllLivingChanted
    | OthersChanted
    | AllSouls
    | PrayedRight
    | HalfOfVotes
    | AllOutOrChanted
    | FewLeft
    | OnlyLeft
    | ClanOut
    | VotedOut
)


class Consent(StrEnum):
    """Whose consent a camp's surrender needs; seats that are out are asked too.

    `WOLVES` are the camp's wolves, `PACK` everybody who is a wolf by identity, in whatever camp.
    """

    WOLVES = "wolves"
    PACK = "pack"
    LOVERS = "lovers"
    MEMBERS = "members"


@dataclass(frozen=True, slots=True)
class Camp:
    """A camp with its conditions in the order of the rule post.

    `surrender` is whom a surrender must ask (None: the camp cannot); they begin it, or anybody of the camp (`anybody_begins`).
    `forfeits` is the skill that its wolves lose when it is judged lost: always, or only where lovers gain it
    (`forfeits_to_lovers`); `forfeit_told` tells whether they are told.
    Camps that it `shares` a win with win too where a condition of theirs holds at that moment. One that is `aside` is a goal of
    seats that belong to other camps: it is never lost, and not among the camps of which the last one wins.
    """

    name: str
    wins: tuple[Condition, ...] = ()
    losses: tuple[Condition, ...] = ()
    surrender: Consent | None = None
    anybody_begins: bool = False
    forfeits: str = ""
    shares: tuple[str, ...] = ()
    forfeits_to_lovers: bool = False
    forfeit_told: bool = True
    aside: bool = False
