"""The state of a game: what holds after the ledger's lines so far. Seats are told by their index in the table.

`GameState` cannot be changed. A line is obeyed on a `Draft`, which has the same attributes and only values that cannot be changed
in them; `freeze` then turns it into a state, and a refused line's draft is dropped. What is made or copied at every line is a
tuple: a frozen dataclass takes three times as long to make.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from engine.ledger import Phase
from engine.play.messages import Contact, Grant, Message

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.play.skillset import Effect, Skill
    from engine.play.table import Table
    from engine.play.victory import CampTest


class Seat(NamedTuple):
    """One seat: identity, camp, and what happened to it. `counts_as` is the identity that tests of a camp take it for.

    `cause` is why it is out, "" while it is in; `announced` whether that was published. `lost` are the names of skills that it
    can no longer use, `wounded` that LONG_LIFE was spent, `feigned` that FEIGN was used. Of a `soul`, and of a `published`
    identity, the next opening tells. It has the skills of a `borrowed` identity too. A tuple, and not a dataclass: seats are
    copied with a change more often than anything else.
    """

    role: str
    camp: str
    counts_as: str
    cause: str = ""
    announced: bool = False
    out_in: Phase | None = None
    out_at: datetime | None = None
    chanted: bool = False
    lost: frozenset[str] = frozenset()
    wounded: bool = False
    feigned: bool = False
    soul: bool = False
    published: bool = False
    borrowed: str = ""


class Asked(StrEnum):
    """What an open decision asks."""

    SHOT = "shot"
    FEIGN = "feign"
    SUCCESSION = "succession"
    BAN = "ban"
    REPLACE = "replace"
    CALL_VOTE = "call_vote"


class Decision(NamedTuple):
    """A question that the game waits for: who is asked, since when, how many minutes there are.

    Its answer bears the phase in which it was asked. `forced` ones cannot be declined; all have a default, which 超时 takes. One
    that `lapses` is declined by the next line that could not stand before it. `about` is the seat that it is about.
    """

    asked: Asked
    seat: int
    phase: Phase
    since: datetime | None = None
    minutes: int | None = None
    forced: bool = False
    lapses: bool = False
    about: int | None = None


class Elimination(NamedTuple):
    """A seat that is to go out, and why; once it is out, `triggers` is how many of its triggers have run (None: it is in).

    Of a `muted` one nothing comes that its identity brings about: somebody else has taken its card. `by` is the skill of a kill.
    """

    seat: int
    cause: str
    triggers: int | None = None
    muted: bool = False
    by: Skill | None = None


class NightAct(NamedTuple):
    """What a seat chose in a night: the skill and its targets. Of one seat and skill the latest holds.

    `word` is what a skill takes that takes a word, `guesses` are identities that it guesses of seats. `insisted` ones take effect
    whatever became of the seat or its skill: the director wanted it.
    """

    seat: int
    skill: Skill
    targets: tuple[int, ...]
    number: int = 0
    at: datetime | None = None
    insisted: bool = False
    word: str = ""
    guesses: tuple[tuple[int, str], ...] = ()


class Kill(NamedTuple):
    """A kill of this night before it is settled, with the skill behind it, and whether a shield stopped it at once."""

    target: int
    skill: Skill
    stopped: bool = False


class Ballot(NamedTuple):
    """A vote of the ledger, or of the recorded thread: `target` None abstains. `at` is its moment, `number` its line.

    `poll` is which of the day's polls it is for, where the line says so; `by` who made it by manipulating the voter.
    """

    voter: int
    target: int | None
    at: datetime | None = None
    number: int = 0
    proxy: bool = False
    poll: str = ""
    by: int | None = None


@dataclass(frozen=True, slots=True)
class ThreadVotes:
    """What the day's recorded thread gave: the standing ballot of each voter (None: an abstention), and who was elected."""

    standing: tuple[tuple[int, int | None], ...]
    elected: int | None = None


class VoteCount(NamedTuple):
    """A vote that was closed: the weighted votes of each target, and what it decided.

    `decision` is exile, sheriff or nobody, or what a poll decides; `because` names the step of the tie policy that decided, ""
    for a plain majority. Of a `poll` no seat is told: it is drawn when the night settles it.
    """

    phase: Phase
    votes: tuple[tuple[int, int], ...]
    decision: str
    seat: int | None
    because: str = ""
    poll: str = ""


@dataclass(frozen=True, slots=True)
class SpeedUp:
    """A speed-up that began or ended in this day: `at` None where the line has no time."""

    on: bool
    at: datetime | None
    number: int


@dataclass(frozen=True, slots=True)
class Surrender:
    """A camp's surrender that was begun, and who has agreed so far."""

    camp: str
    asked: tuple[int, ...]
    agreed: frozenset[int]


class Words(NamedTuple):
    """A seat's right to last words: what it left (None: nothing yet), and whether the time is over."""

    seat: int
    phase: Phase
    text: str | None = None
    closed: bool = False


@dataclass(frozen=True, slots=True)
class Drawn:
    """A random draw: what it was for, among whom, and whom it hit. A stored line tells of a `named` one what it was for."""

    phase: Phase
    what: str
    among: tuple[int, ...]
    chosen: tuple[int, ...]
    named: bool = False


@dataclass(frozen=True, slots=True)
class Badge:
    """A badge that must be passed on by a seat at the end of the settlement, and why."""

    seat: int
    cause: str


@dataclass(frozen=True, slots=True)
class RuledLine:
    """A line that the director insisted on: what it broke, and his reason."""

    number: int
    code: str
    reason: str


class Holdings(NamedTuple):
    """The seats that hold skills now: by what a skill does, and by its name."""

    holders: Mapping[Effect, tuple[int, ...]]
    users: Mapping[str, tuple[int, ...]]


# Without slots: a state is copied at every line, and a dictionary copies as a whole.
@dataclass
class Draft:
    """A state under work. See `GameState` for what it holds."""

    table: Table
    phase: Phase
    seats: tuple[Seat, ...]
    # Where the phase stands: its closing line was given, and how many of its steps are settled.
    closing: bool = False
    cursor: int = 0
    # The step at the cursor has settled something, and has more to settle.
    midway: bool = False
    closed_at: datetime | None = None
    # Seats in the order in which they went out, and how many had before the ledger began.
    order: tuple[int, ...] = ()
    given_out: int = 0
    lovers: tuple[int, ...] = ()
    sheriff: int | None = None
    lost: tuple[str, ...] = ()
    given_lost: int = 0
    absent: frozenset[str] = frozenset()
    armed: frozenset[tuple[str, int]] = frozenset()
    winner: tuple[str, ...] = ()
    widow: bool = False
    # The chain: who is to go out, what is waited for, what is asked once it is settled.
    queue: tuple[Elimination, ...] = ()
    decisions: tuple[Decision, ...] = ()
    badge: Badge | None = None
    ban: int | None = None
    check_due: bool = False
    # The night.
    acts: tuple[NightAct, ...] = ()
    closed: frozenset[int] = frozenset()
    # Steps that have told what they tell, before they were closed (SEE_KILLS) or before their turn (early ones).
    told: frozenset[int] = frozenset()
    kills: tuple[Kill, ...] = ()
    shielded: tuple[int, ...] = ()
    muffled: tuple[int, ...] = ()
    saved: tuple[int, ...] = ()
    poisoned: tuple[NightAct, ...] = ()
    chanted_tonight: tuple[int, ...] = ()
    fed_back: tuple[tuple[int, datetime | None], ...] = ()
    released: bool = False
    bound: tuple[int, ...] = ()
    prayed: tuple[int, ...] = ()
    # What the next opening publishes of this night: whose identity, and who has become a soul.
    revealed: tuple[int, ...] = ()
    souls_tonight: tuple[int, ...] = ()
    # Whom tonight's infection is aimed at, and whether it took place; whom it hit, for the morning to tell.
    infecting: tuple[NightAct, ...] = ()
    infected: bool = False
    # Whose illness ends with which night.
    sick: tuple[tuple[int, int], ...] = ()
    # On whom the next vote begins with more votes.
    cursed: tuple[int, ...] = ()
    # What was chosen for the whole game: who, with which skill, whom (or which clan).
    chosen: tuple[tuple[int, str, int], ...] = ()
    # Seats that have declined a skill tonight.
    passed: frozenset[tuple[int, str]] = frozenset()
    # First choices that nobody is held to: a game that is taken up without them.
    excused: frozenset[str] = frozenset()
    # Cards that were left over, and cards that lie aside to be borrowed; the clans by seat.
    spare: tuple[str, ...] = ()
    faces: tuple[str, ...] = ()
    clans: tuple[int, ...] = ()
    deputy: int | None = None
    # What the director has decided where the rule post says nothing: the question, the phase, the answer.
    decided: tuple[tuple[str, Phase, str], ...] = ()
    # The first choices are made, and all camps settled.
    settled: bool = False
    # What a ballot of the next day weighs, by voter.
    weights: tuple[tuple[int, int], ...] = ()
    # Who is dying, in order, by which kill; shields against one kill ("": the first that comes); who may shoot in a later step;
    # what a later step tells, or the next opening publishes; whom the draw of this night lets use a skill.
    dying: tuple[Kill, ...] = ()
    wards: tuple[tuple[int, str], ...] = ()
    shots: tuple[int, ...] = ()
    put_off: tuple[Message, ...] = ()
    unpublished: tuple[Message, ...] = ()
    drawn: tuple[tuple[str, int], ...] = ()
    # What was used up: seat, skill, target (-1 for a skill that is used once); and in which night, where that matters.
    used: frozenset[tuple[int, str, int]] = frozenset()
    used_in: frozenset[tuple[int, str, int, int]] = frozenset()
    # Seats that joined the wolves.
    joined: tuple[int, ...] = ()
    # The day: which of its votes is held, which were, and whether another may be called for.
    poll: str = ""
    polled: tuple[str, ...] = ()
    ballots: tuple[Ballot, ...] = ()
    speed: tuple[SpeedUp, ...] = ()
    requests: tuple[tuple[int, bool, datetime | None], ...] = ()
    ruled: tuple[int, ...] | None = None
    # Results of polls that the director has ruled (None: nobody).
    ruled_polls: tuple[tuple[str, int | None], ...] = ()
    thread: ThreadVotes | None = None
    barred: frozenset[int] = frozenset()
    barred_next: frozenset[int] = frozenset()
    reds: tuple[int, ...] = ()
    points: tuple[tuple[int, int], ...] = ()
    yellows: tuple[int, ...] = ()
    substituted: tuple[int, ...] = ()
    assisted: tuple[int, ...] = ()
    surrenders: tuple[Surrender, ...] = ()
    # What the game has said and recorded.
    last_words: tuple[Words, ...] = ()
    messages: tuple[Message, ...] = ()
    given_messages: int = 0
    contacts: tuple[Contact, ...] = ()
    grants: tuple[Grant, ...] = ()
    votes: tuple[VoteCount, ...] = ()
    draws: tuple[Drawn, ...] = ()
    punished: tuple[int, ...] = ()
    rulings: tuple[RuledLine, ...] = ()
    # Lines that were obeyed, and turned out to be against the rules when their step was settled: nothing came of them.
    spoilt: tuple[RuledLine, ...] = ()
    # Only while a line is obeyed: its moment, and the results of draws that it brings with it.
    now: datetime | None = None
    brought: tuple[str, ...] = ()
    # Derived from seats and lovers, and made anew when they change.
    tests: tuple[CampTest, ...] = field(default=(), compare=False)
    # Who holds what, where some seat has another card than it was dealt (None: as dealt).
    changed: Holdings | None = field(default=None, compare=False)

    def seat(self, index: int) -> Seat:
        """The seat of that index."""
        return self.seats[index]

    @property
    def holders(self) -> Mapping[Effect, tuple[int, ...]]:
        """The seats that hold a skill of an effect, in the game or out."""
        return self.table.holders if self.changed is None else self.changed.holders

    @property
    def users(self) -> Mapping[str, tuple[int, ...]]:
        """The seats that hold a skill, by its name."""
        return self.table.users if self.changed is None else self.changed.users

    def is_in(self, index: int) -> bool:
        """Whether a seat is still in the game."""
        return not self.seats[index].cause

    @property
    def living(self) -> tuple[int, ...]:
        """The seats that are in."""
        return tuple([index for index, seat in enumerate(self.seats) if not seat.cause])


class GameState(Draft):
    """A state that cannot be changed.

    It has the attributes of `Draft`, so that freezing one is a change of class, and no copy.
    """

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a game's state cannot be changed ({name})")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a game's state cannot be changed ({name})")


def thaw(state: Draft) -> Draft:
    """A draft that begins as the state is."""
    draft = Draft.__new__(Draft)
    draft.__dict__.update(state.__dict__)
    return draft


def freeze(draft: Draft) -> GameState:
    """The state that a draft has become; the draft itself is it from now on."""
    draft.__class__ = GameState
    assert isinstance(draft, GameState)
    return draft
