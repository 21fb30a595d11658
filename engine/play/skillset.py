"""What a player has: skills with their effects, timing, limits and targets, and the roles that hold them.

Nothing here names a rule system, a role or a camp.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from tally.policy import Clause


class Effect(StrEnum):
    """What a skill does to the game."""

    ARROW = "arrow"  # makes two seats lovers
    SHIELD = "shield"  # tonight's kills of the target are void
    MUFFLE = "muffle"  # tonight's chant on the target is void
    CHANT = "chant"
    KILL = "kill"
    SEE_KILLS = "see_kills"  # is told whom tonight's kills are aimed at
    SAVE = "save"  # tonight's kills do not put the target out
    POISON = "poison"
    SEE_CAMP = "see_camp"  # is told where the target belongs (`Sight`)
    SHOT = "shot"  # on going out, puts another seat out
    FEIGN = "feign"  # is not put out by a vote
    LONG_LIFE = "long_life"  # the first kill in force does not put him out
    SCAPEGOAT = "scapegoat"  # goes out in place of a tie, and bars voters
    BALLOT = "ballot"  # by day: votes in the poll of the skill's name
    MANIPULATE = "manipulate"  # by day: says for whom another seat votes
    SEE_ROLE = "see_role"  # is told whether the target has the identity that the skill asks for
    PRAY = "pray"  # hands in a table of everybody's identity
    BIND = "bind"  # tonight the target becomes neither a soul nor chanted
    WEIGH = "weigh"  # tomorrow the own ballot counts double, or for nothing
    GUESS = "guess"  # chants the target if its identity is guessed
    JOIN = "join"  # is told who the wolves are, and may become one of their camp
    CURSE = "curse"  # tomorrow's vote begins with more votes on the target
    SEE_WOLVES = "see_wolves"  # is told whether the target or one beside it is a wolf, and loses the skill where none is
    SENSE = "sense"  # every morning it is published where one beside him is a wolf
    RUST = "rust"  # killed, he takes the first wolf on his left with him, a morning later
    INFECT = "infect"  # the target becomes a wolf, and tonight's kills are void
    CALL_VOTE = "call_vote"  # after an execution, has another vote held
    TRADE = "trade"  # takes a card of those that were left over
    SUPPORT = "support"  # wins with the camp of the target
    IDOL = "idol"  # becomes a wolf when the target goes out
    OPPOSE = "oppose"  # is against one of the two clans
    CHOOSE_ROLE = "choose_role"  # has one of some identities from then on
    REPLACE = "replace"  # takes the card of a seat that a vote has put out
    BORROW = "borrow"  # has until morning the skills of a card that lies aside
    UNWRITTEN = "unwritten"  # calls for what the rule post says nothing of: it is always refused


class Uses(StrEnum):
    """How often a skill may be used."""

    NIGHTLY = "nightly"
    ONCE = "once"
    ONCE_PER_TARGET = "once_per_target"
    NOT_TWICE_RUNNING = "not_twice_running"  # not the target of the night before
    ONCE_IN_TWO_NIGHTS = "once_in_two_nights"  # of the nights 1 and 2, 3 and 4, …
    DAILY = "daily"


class Voice(StrEnum):
    """Who speaks where several seats hold a skill."""

    EACH = "each"  # every holder for himself
    JOINT = "joint"  # one line by any holder speaks for all
    BALLOTS = "ballots"  # every holder names a target; the one that reached the most first
    DRAWN = "drawn"  # a holder who is drawn every night speaks for all; without a seed the line says who was drawn


class Sight(StrEnum):
    """What SEE_CAMP tells: whether the target is of the village, its camp, or its role."""

    VILLAGE = "village"
    CAMP = "camp"
    ROLE = "role"


class OneOf(StrEnum):
    """Which of several kills a SHIELD against one of them stops: the one that was named with it, or the first that comes."""

    DECLARED = "declared"
    FIRST_HIT = "first_hit"


# Under which key a line says which of the day's votes it is for.
POLL_KEYS = ("票", "poll")
# The words of WEIGH, and what a ballot then weighs.
WEIGHTS: Mapping[str, int] = MappingProxyType({"加倍": 2, "无效": 0})


class Takes(StrEnum):
    """What a line of a skill names besides the skill."""

    SEATS = "seats"  # so many seats as `targets` says
    WORD = "word"  # one of the skill's `choices`
    SEAT_AND_WORD = "seat_and_word"  # seats, and behind them one of the skill's `choices`
    GUESS = "guess"  # a seat and an identity
    SPARE = "spare"  # an identity whose card was left over
    FACE = "face"  # an identity whose card lies aside for the skill
    TABLE = "table"  # seats, each with an identity


@dataclass(frozen=True, slots=True)
class Skill:
    """A skill by the name that a ledger line gives it, and what it may be aimed at.

    `targets` is how many it names. `excludes` are skills that may not be used in the same night; `spends` those that are lost
    with this one's use. `forced` skills (强制) cannot be declined. `souls_only` ones are for seats that are souls, `hidden_only`
    ones are aimed at seats whose identity is not public. `choices` are the words that WORD and SEAT_AND_WORD take, and `asks` the
    identity that SEE_ROLE asks for. One that is used ONCE may be so `times` often. It `ends_with` the first seat of that kind
    that goes out. It is one only of games in which somebody holds a skill of the effect that it `needs`.

    Of single effects: `sight` of SEE_CAMP; SEE_KILLS tells `only_dying` targets; SAVE is `wasted` on a target that does not
    need it (else it is not used); POISON works `at_once`, or fails if its holder is killed tonight (`fails_if_killed`);
    SHIELD stops `one_of` several kills; CHANT is refused on the chanted (`unchanted_only`), SHOT on the dying (`living_only`).
    """

    name: str
    effect: Effect
    clause: Clause
    aliases: tuple[str, ...] = ()
    uses: Uses = Uses.NIGHTLY
    voice: Voice = Voice.EACH
    targets: int = 1
    forced: bool = False
    others_only: bool = False
    must_be_killed: bool = False
    excludes: tuple[str, ...] = ()
    spends: tuple[str, ...] = ()
    takes: Takes = Takes.SEATS
    choices: tuple[str, ...] = ()
    asks: str = ""
    souls_only: bool = False
    hidden_only: bool = False
    sight: Sight = Sight.VILLAGE
    only_dying: bool = False
    wasted: bool = False
    at_once: bool = False
    fails_if_killed: bool = False
    one_of: OneOf | None = None
    unchanted_only: bool = False
    living_only: bool = False
    times: int = 1
    ends_with: Kind | None = None
    needs: Effect | None = None


class Kind(StrEnum):
    """What a rule post's tests take an identity for."""

    PLAIN = "plain"
    VILLAGER = "villager"
    SPECIAL = "special"
    WOLF = "wolf"


@dataclass(frozen=True, slots=True)
class Role:
    """A role by the name of the rule post, and the other names that the post or its players give it.

    `camp` is where its seats belong at first; `count` how many the standard table deals (0: none, None: as many as is left).
    `clause` is where the post has it, for a role without skills.
    Tests of a camp take it for `counts_as` ("": itself). An `open` identity is public from the start, `unloved` ones cannot be
    lovers; of an `acquainted` one the single seats know each other.
    """

    name: str
    aliases: tuple[str, ...] = ()
    camp: str = ""
    kind: Kind = Kind.PLAIN
    skills: tuple[Skill, ...] = ()
    count: int | None = 1
    clause: Clause | None = None
    counts_as: str = ""
    open: bool = False
    unloved: bool = False
    acquainted: bool = False
