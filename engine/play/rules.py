"""The words in which a rule system says how its game is played: skills, steps, camps, conditions, policies, all values.

Nothing here names a rule system, a role or a camp. A system composes these values beside its rule post; the engine reads them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.play.camps import Camp
from engine.play.skillset import Effect, Role, Skill
from tally.policy import Clause, Conflict, ElectionTie, Poll, Publicity, Reach, SecondVote, SheriffScope, Tie


class StepKind(StrEnum):
    """What a step of the night is: asking for skills, or settling what was chosen, or what the day's polls came to."""

    ASK = "ask"
    KILLS = "kills"
    POISON = "poison"
    POLLS = "polls"
    SHOTS = "shots"  # a dying holder of SHOT goes out, and every shot that is due is asked for
    DYING = "dying"  # whoever is dying goes out
    TELL = "tell"  # what was put off is told
    CAMPS = "camps"  # the first choices are made: all camps are settled, and who belongs together is told
    SICKNESS = "sickness"  # who was infected by RUST a night ago goes out


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the night, by the name under which it is closed; `skills` in the order in which they take effect.

    `minutes` is the time given: after the close of the vote, or (`after_feedback`) after what the skill was told. What an `early`
    step does depends on no step before it, so that it is settled as soon as it is closed. POLLS settle the polls that `skills`
    names, all at once. One that is not `whole` is a part of a longer step of the rules' flow, and does not end it. One that is
    settled `at_once` waits for no close where everybody has chosen: what comes after it depends on it.
    """

    name: str
    clause: Clause
    skills: tuple[str, ...] = ()
    kind: StepKind = StepKind.ASK
    minutes: int | None = None
    after_feedback: bool = False
    early: bool = False
    whole: bool = True
    at_once: bool = False


class Trigger(StrEnum):
    """What one seat's going out brings about; a rule system lists them in order."""

    PUNISHMENT = "elder_effect"
    DROP = "idiot_drop"
    SHOT = "hunter_shot"
    SUICIDE = "lover_suicide"
    RELEASE = "piper_release"
    BAN = "scapegoat_ban"
    SUCCESSION = "sheriff_succession"
    SERVANT = "servant_swap"
    MODEL = "model_died"
    RUST = "rust"


@dataclass(frozen=True, slots=True)
class Punishment:
    """When a seat that holds LONG_LIFE goes out by one of `causes`, seats of `roles` lose their skills.

    `only_camp` limits it to seats of that camp, `holder_camp` to a holder of that camp. `cancels_committed` voids what a victim
    chose earlier in the same night. A suicide punishes where the partner went out by one of `suicide_after`. `published` is what
    everybody is told ("": nothing).
    """

    causes: tuple[str, ...]
    roles: tuple[str, ...]
    only_camp: str = ""
    cancels_committed: bool = False
    holder_camp: str = ""
    suicide_after: tuple[str, ...] = ()
    published: str = ""


class OutSuccessor(StrEnum):
    """What becomes of a badge that is handed to a seat that is out, but not announced: it passes on from there, is asked for
    again, or leaves the game."""

    CASCADE = "cascade"
    REASK = "reask"
    DESTROY = "destroy"


class Draw(StrEnum):
    """What happens when nobody says who: somebody is drawn, or nobody is."""

    RANDOM = "random"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Succession:
    """How a badge passes on; `minutes` is the time to answer after the vote.

    It leaves the game with a seat that holds a skill of `ends_with`.
    """

    clause: Clause
    act: str
    out_successor: OutSuccessor
    timeout: Draw
    red_card: Draw
    minutes: int | None = None
    ends_with: tuple[Effect, ...] = ()


class LoversGroup(StrEnum):
    """Whether lovers get a group of their own."""

    ALWAYS = "always"
    NOT_TWO_WOLVES = "not_two_wolves"


class Mixed(StrEnum):
    """What an archer counts as whose lovers are a special and a villager (`cupid.mixed`)."""

    NEITHER = "neither"
    SPECIAL = "special"
    VILLAGER = "villager"


@dataclass(frozen=True, slots=True)
class Lovers:
    """What the arrow brings: `camp` is formed by lovers of different camps; the archer joins his lovers' camp.

    `archer_counts` makes him count as what both lovers are. `lone_wolf_loses` are the skills that the only wolf of the two loses,
    with his place among the wolves; `widow` is what lovers of `camp` (`widow_wolves`: the wolves of them) gain when `widow_after`
    is judged lost, for one night where it is `widow_once`.
    `widow_needs_wolf` gives `widow` only to lovers one of whom is a wolf; a wolf of `camp` uses
    his kill unless not `wolf_kills`. `late_sight` puts off what SEE_CAMP tells a lover to the step that tells.
    """

    camp: str
    group: LoversGroup = LoversGroup.ALWAYS
    archer_counts: Mixed | None = None
    lone_wolf_loses: tuple[str, ...] = ()
    widow: Skill | None = None
    widow_after: str = ""
    widow_wolves: bool = False
    widow_once: bool = False
    widow_needs_wolf: bool = False
    wolf_kills: bool = True
    late_sight: bool = False


class Granularity(StrEnum):
    """When conditions are tried (`win.granularity`): after every elimination, after every chain, or after every step."""

    ELIMINATION = "elimination"
    SUB_STEP = "sub_step"
    FLOW_STEP = "flow_step"


class NumbersList(StrEnum):
    """How the numbers of several seats that are out are published (`announce.numbers`)."""

    ASCENDING = "ascending"
    PAIRED = "paired"


class SheriffShown(StrEnum):
    """How the day's sheriff is published (`announce.sheriff`)."""

    CHARACTER = "character"
    NUMBER = "number"
    BOTH = "both"


@dataclass(frozen=True, slots=True)
class WolfKnowledge:
    """What wolves are told of each other, and whether they have a group of their own.

    `camp_only` leaves out a wolf of another camp. The group is open in the nights alone (`by_night`), and whoever goes out leaves
    it (`drops_out`). `told` says so to them.
    """

    knows: bool = True
    group: bool = True
    camp_only: bool = False
    by_night: bool = False
    drops_out: bool = False
    told: str = ""


class FeignedBadge(StrEnum):
    """What becomes of the badge of a sheriff who feigns: he keeps it, hands it on, or it leaves the game."""

    KEEP = "keep"
    PASS = "pass"
    DESTROY = "destroy"


@dataclass(frozen=True, slots=True)
class Feigning:
    """What follows from FEIGN: the ballot of who did is void, or without weight; whether votes may name him from then on.

    `repeats` lets him feign again; `shown` publishes who he is.
    """

    weightless: bool = False
    votable: bool = False
    repeats: bool = False
    badge: FeignedBadge = FeignedBadge.PASS
    shown: bool = True


@dataclass(frozen=True, slots=True)
class Dying:
    """Rules with a state between in and out: a kill makes its target dying, which a step of the night settles.

    A holder of LONG_LIFE gets a mark when two kills are aimed at him in one night, whether or not a shield stops one
    (`marked_when_immune`).
    """

    marked_when_immune: bool = True


@dataclass(frozen=True, slots=True)
class WolfBallots:
    """How ballots of wolves (Voice.BALLOTS) are counted: wolves' own numbers are put aside before or after the maximum.

    `lover_immune` puts aside the number of a wolf who left for the lovers' camp too; `lover_votes` lets him vote.
    """

    before_maximum: bool = True
    lover_immune: bool = True
    lover_votes: bool = True


@dataclass(frozen=True, slots=True)
class LastWords:
    """Who may leave last words: the first `quota` seats out (None: as many as wolves were dealt); `at_once` by day."""

    quota: int | None
    clause: Clause
    no_code: bool = True
    longest: int | None = None
    red_card_burns_slot: bool = False
    at_once: bool = False


@dataclass(frozen=True, slots=True)
class Votes:
    """What the engine needs of voting: the day that elects, weights, the race, ties.

    `changes` is how many a voter may make; `freeze`
    the seconds before the close in which none may be made; `speed_up_lead` when requests for a speed-up are judged.
    `polls` are the votes of a day where it has several, each of a role; for these `second` says what a second ballot of a
    voter is, and `conflict` what several manipulations of him are.
    Where an election is held `beside` the day's own vote, the election day exiles too; `election_tie` is who is elected of two
    with the most votes. The single seats of a role in `agree` must vote alike; `curse` is what a curse weighs, `most_barred` how
    many voters may be barred.
    """

    election_day: int
    sheriff_weight: int
    reach: Reach
    tie: tuple[Tie, ...]
    no_votes: tuple[Tie, ...]
    sheriff_scope: SheriffScope
    changes: int
    freeze: int
    speed_up_lead: int
    whole_day: bool = False
    polls: tuple[Poll, ...] = ()
    second: SecondVote = SecondVote.VOID
    conflict: Conflict = Conflict.LAST_LEGAL
    beside: bool = False
    election_tie: ElectionTie = ElectionTie.EARLIEST
    agree: tuple[str, ...] = ()
    curse: int = 0
    most_barred: int | None = None


# What a system has that knows no lovers, and no sheriff who could be succeeded.
NO_LOVERS = Lovers(camp="")
NO_SUCCESSION = Succession(Clause("", ""), "", OutSuccessor.REASK, Draw.NONE, Draw.NONE)


@dataclass(frozen=True, slots=True)
class Deputy:
    """A second office beside the sheriff's, which he gives and takes: its name, the acts, and what it is asked for (hook)."""

    title: str
    appoint: str
    dismiss: str
    hook: str
    clause: Clause


@dataclass(frozen=True, slots=True)
class Play:
    """How one rule system is played, its switches applied.

    `numbers` tells that targets are secret numbers and identities are public; otherwise characters are named and identities
    hidden. `opening` are the steps of 夜0, `steps` those of every other night. `camps` stand in the order in which their
    conditions are tried. `village` is the camp that SEE_CAMP tells apart. `kill_cause` is how a kill is called as a cause.
    `eliminates` tells that seats can go out at all, `last_standing` that the only camp that is left has won, `tells_chanted`
    that who was chanted is published, `prays_for_all` that a table of identities needs his own who hands it in.
    The game begins with 夜`first_night`; where that is no 0, its steps are those of `opening` and then those of every night.
    `left` is in which direction of the seats' order the left hand is. `clans` are the names of the two that seats are drawn into
    where somebody opposes one. `asks_when_alone` has the director decide where all who are in are of one camp and nobody has won.

    `vests` tells that targets are secret vests and identities are public. A red card takes effect at once, or after the
    day's vote (`red_card_at_once`), and brings about `red_card_triggers` alone (None: every one); so many `points` are one
    (None: there are no points). `publicity` is when a day's votes are published.
    """

    title: str
    numbers: bool
    roles: tuple[Role, ...]
    camps: tuple[Camp, ...]
    village: str
    wolves: str
    opening: tuple[Step, ...]
    steps: tuple[Step, ...]
    chain: tuple[Trigger, ...]
    votes: Votes
    lovers: Lovers
    succession: Succession
    last_words: LastWords
    wolf_knowledge: WolfKnowledge
    kill_cause: str
    wins_first: bool
    empty_camps_absent: bool = True
    shot_before_win: bool = False
    granularity: Granularity = Granularity.ELIMINATION
    punishment: Punishment | None = None
    wolf_ballots: WolfBallots = WolfBallots()
    numbers_list: NumbersList = NumbersList.ASCENDING
    sheriff_shown: SheriffShown = SheriffShown.CHARACTER
    exile_next_day: bool = False
    feign_minutes: int | None = 10
    shot_minutes: int | None = None
    assistant_games: int | None = None
    yellow_to_red: int = 2
    eliminates: bool = True
    last_standing: bool = True
    tells_chanted: bool = True
    prays_for_all: bool = True
    vests: bool = False
    dying: Dying | None = None
    feigning: Feigning = Feigning()
    red_card_at_once: bool = False
    red_card_triggers: tuple[Trigger, ...] | None = None
    points: int | None = None
    publicity: Publicity = Publicity.LIVE
    first_night: int = 0
    left: int = 1
    clans: tuple[str, ...] = ()
    deputy: Deputy | None = None
    asks_when_alone: bool = False
