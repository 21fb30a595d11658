"""The words in which a rule system says how its game is played: skills, steps, camps, conditions, policies, all values.

Nothing here names a rule system, a role or a camp. A system composes these values beside its rule post; the engine reads them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from tally.policy import Clause, Conflict, ElectionTie, Poll, Publicity, Reach, SecondVote, SheriffScope, Tie


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
    """Whose consent a camp's surrender needs; seats that are out are asked too."""

    WOLVES = "wolves"
    LOVERS = "lovers"
    MEMBERS = "members"


@dataclass(frozen=True, slots=True)
class Camp:
    """A camp with its conditions in the order of the rule post.

    `surrender` is whom a surrender must ask (None: the camp cannot). `forfeits` is the skill that its wolves lose when it is
    judged lost: always, or only where lovers gain it (`forfeits_to_lovers`); `forfeit_told` tells whether they are told.
    Camps that it `shares` a win with win too where a condition of theirs holds at that moment. One that is `aside` is a goal of
    seats that belong to other camps: it is never lost, and not among the camps of which the last one wins.
    """

    name: str
    wins: tuple[Condition, ...] = ()
    losses: tuple[Condition, ...] = ()
    surrender: Consent | None = None
    forfeits: str = ""
    shares: tuple[str, ...] = ()
    forfeits_to_lovers: bool = False
    forfeit_told: bool = True
    aside: bool = False


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

    `archer_counts` makes him count as what both lovers are. `lone_wolf_loses` is the skill that the only wolf of the two loses,
    with his place among the wolves; `widow` is what lovers of `camp` (`widow_wolves`: the wolves of them) gain when `widow_after`
    is judged lost, for one night where it is `widow_once`.
    `minutes` is the archer's time. `widow_needs_wolf` gives `widow` only to lovers one of whom is a wolf; a wolf of `camp` uses
    his kill unless not `wolf_kills`. `late_sight` puts off what SEE_CAMP tells a lover to the step that tells.
    """

    camp: str
    group: LoversGroup = LoversGroup.ALWAYS
    archer_counts: Mixed | None = None
    lone_wolf_loses: str = ""
    widow: Skill | None = None
    widow_after: str = ""
    widow_wolves: bool = False
    widow_once: bool = False
    minutes: int | None = None
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
    outs_show_role: tuple[Effect, ...] = ()
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
