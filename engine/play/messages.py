"""What a game says: messages to seats and to the public, groups that open or close, and what a seat may know from then on.

A message is a kind with its seats, numbers and words; its sentence is made when somebody reads it (`engine.play.wording`).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from engine.ledger import Phase

PUBLIC = -1


class Told(StrEnum):
    """Kinds of messages; those above the line are published, the others go to one seat."""

    IDENTITIES = "identities"
    DAY_OPENS = "day_opens"
    DAY_SHERIFF = "day_sheriff"
    CHANTED = "chanted"
    LAST_WORDS = "last_words"
    COUNT = "count"
    OUT = "out"
    SCAPEGOAT = "scapegoat"
    FEIGNED = "feigned"
    STAYS = "stays"
    SHOT = "shot"
    NEW_SHERIFF = "new_sheriff"
    NO_SHERIFF = "no_sheriff"
    RELEASED = "released"
    BARRED = "barred"
    REVEALED = "revealed"
    SOULS = "souls"
    SOUL_NO_MORE = "soul_no_more"
    PUNISHED = "punished"
    OPEN_ROLE = "open_role"
    CLANS = "clans"
    INFECTED = "infected"
    GROWL = "growl"
    ANOTHER_VOTE = "another_vote"
    REPLACED = "replaced"
    DEPUTY = "deputy"
    NO_DEPUTY = "no_deputy"
    RIDES = "rides"
    WINNER = "winner"
    # To one seat:
    WOLVES = "wolves"
    LOVER = "lover"
    KILL_LOST = "kill_lost"
    KILL_GAINED = "kill_gained"
    SHERIFF = "sheriff"
    KILLED = "killed"
    DYING = "dying"
    CAMP = "camp"
    IS_ROLE = "is_role"
    ROLE = "role"
    DRAWN = "drawn"
    SKILLS_LOST = "skills_lost"
    YOU_ARE_OUT = "you_are_out"
    YOUR_LAST_WORDS = "your_last_words"
    ASK_SHOT = "ask_shot"
    ASK_FEIGN = "ask_feign"
    ASK_SUCCESSION = "ask_succession"
    ASK_BAN = "ask_ban"
    ASK_REPLACE = "ask_replace"
    ASK_CALL_VOTE = "ask_call_vote"
    SPARE_CARDS = "spare_cards"
    FACES = "faces"
    YOUR_CARD = "your_card"
    NEW_WOLF = "new_wolf"
    SIBLINGS = "siblings"
    WOLF_NEAR = "wolf_near"
    ASK_SURRENDER = "ask_surrender"


class Message(NamedTuple):
    """One message: to a seat, or `PUBLIC`. `seats`, `numbers` and `word` fill its sentence."""

    told: Told
    to: int
    phase: Phase
    seats: tuple[int, ...] = ()
    numbers: tuple[int, ...] = ()
    word: str = ""


class CountTold(NamedTuple):
    """What the message of a count tells beside its votes: the decision, which poll it is of, whether that elects, whom it hits,
    and by which step of the tie policy. `write` makes it the word of the message."""

    decision: str
    poll: str = ""
    elects: bool = False
    seat: int | None = None
    because: str = ""

    def write(self) -> str:
        """One word, which `read_count` reads."""
        seat = "" if self.seat is None else str(self.seat)
        return "|".join((self.decision, self.poll, "elects" if self.elects else "", seat, self.because))


def read_count(word: str) -> CountTold:
    """What `CountTold.write` wrote."""
    decision, poll, elects, seat, because = word.split("|")
    return CountTold(decision, poll, bool(elects), int(seat) if seat else None, because)


def published_sheriff(messages: tuple[Message, ...]) -> int | None:
    """The sheriff as the last public message about him has it."""
    for message in reversed(messages):
        if message.told in (Told.DAY_SHERIFF, Told.NEW_SHERIFF):
            return message.seats[0]
        if message.told is Told.NO_SHERIFF:
            return None
    return None


class Party(StrEnum):
    """A group that the director makes for some seats."""

    WOLVES = "wolves"
    LOVERS = "lovers"
    SIBLINGS = "siblings"


@dataclass(frozen=True, slots=True)
class Contact:
    """A group that must be opened for these seats (`opens` False: they leave it), `by_night` alone or always."""

    party: Party
    seats: tuple[int, ...]
    phase: Phase
    opens: bool = True
    by_night: bool = False


class Knows(StrEnum):
    """What of another seat a rule lets somebody know."""

    NUMBER = "number"
    VEST = "vest"
    ROLE = "role"
    LOVER = "lover"
    WOLF = "wolf"  # that it is a wolf, whichever


@dataclass(frozen=True, slots=True)
class Grant:
    """From now on `to` (a seat, or PUBLIC) may know something of a seat. `role` is its identity then ("": as it was dealt)."""

    to: int
    about: int
    knows: Knows
    role: str = ""
