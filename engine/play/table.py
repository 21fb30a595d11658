"""The table of one game: who sits where, under which rules. It never changes while the game runs."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from engine.play.camps import HalfOfVotes
from engine.play.rules import Play, Step, StepKind
from engine.play.skillset import Effect, Kind, Role, Skill, Voice

# Who holds skills where nobody has any: copied for every table, as to look up an effect anew costs more.
_NOBODY: MappingProxyType[Effect, tuple[int, ...]] = MappingProxyType(dict.fromkeys(Effect, ()))


@dataclass(frozen=True, slots=True)
class Player:
    """One seat before the game: its public name, the role that it was dealt, its secret number or vest if the rules have such."""

    name: str
    role: str
    number: int | None = None
    aliases: tuple[str, ...] = ()
    games: int | None = None
    vest: str | None = None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Table:
    """The rules and the seats of a game, with what is looked up at every line. Rules, players and seed make it."""

    play: Play
    players: tuple[Player, ...]
    seed: str
    names: Mapping[str, int]
    numbers: Mapping[int, int]
    roles: Mapping[str, Role]
    role_words: Mapping[str, str]
    effects: Mapping[str, Mapping[Effect, Skill]]
    words: Mapping[str, Mapping[str, Skill]]
    acts: Mapping[str, Skill]
    step_of: Mapping[str, int]
    quota: int
    # The rules have a seat that can feign, or a burst of shots, and so on: what no seat can do is never looked for.
    holders: Mapping[Effect, tuple[int, ...]]
    # The seats that were dealt a role with the skill of that name.
    users: Mapping[str, tuple[int, ...]]
    vests: Mapping[str, int]
    # Some condition reads the votes that seats can cast: what changes them has the conditions tried.
    weighs: bool
    # The steps of the night with which the game begins.
    first_steps: tuple[Step, ...] = ()
    # Skills by every name whose step waits for no close.
    at_once: frozenset[str] = frozenset()
    # Skills of which whoever has one is told something before he chooses.
    told_first: frozenset[str] = frozenset()
    # The skills for which a holder is drawn every night, and those that end with the first seat of a kind that goes out.
    drawn: frozenset[str] = frozenset()
    ending: tuple[Skill, ...] = ()
    # How a line names each seat as a target.
    target_words: tuple[str, ...] = ()
    # Cards that were left over, cards that lie aside to be borrowed, and which clan each seat is of, where it was said.
    spare: tuple[str, ...] = ()
    faces: tuple[str, ...] = ()
    clans: tuple[int, ...] = ()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Table):
            return NotImplemented
        if self is other:
            return True
        if (self.spare, self.faces, self.clans) != (other.spare, other.faces, other.clans):
            return False
        return (self.play, self.players, self.seed) == (other.play, other.players, other.seed)

    def __hash__(self) -> int:
        return hash((self.players, self.seed))

    def __repr__(self) -> str:
        seats = ", ".join(f"{player.name} {player.role}" for player in self.players)
        return f"Table({self.play.title}: {seats})"

    @property
    def everybody(self) -> range:
        """The index of every seat."""
        return range(len(self.players))

    def name(self, index: int) -> str:
        """The public name of a seat."""
        return self.players[index].name

    def number(self, index: int) -> int:
        """The secret number of a seat; only where the rules have numbers."""
        number = self.players[index].number
        assert number is not None
        return number

    def vest(self, index: int) -> str:
        """The vest of a seat; only where the rules have vests."""
        return self.players[index].vest or self.name(index)

    @property
    def hides_targets(self) -> bool:
        """Whether skills and votes name what is secret, while everybody knows who has which role."""
        return self.play.numbers or self.play.vests

    def of_kind(self, kind: Kind) -> tuple[str, ...]:
        """The roles of the rules that are of a kind."""
        return tuple(role.name for role in self.play.roles if role.kind is kind)

    def with_role(self, role: str) -> tuple[int, ...]:
        """The seats that were dealt a role."""
        return tuple(index for index, player in enumerate(self.players) if player.role == role)

    def find_name(self, word: str) -> int | None:
        """The seat that a word names by its public name or an alias."""
        return self.names.get(word)

    def find_target(self, word: str) -> int | None:
        """The seat that a skill or a vote names: by secret number or vest where there are such, else by name."""
        if self.play.vests:
            return self.vests.get(word)
        if self.play.numbers and (number := read_number(word)) is not None:
            return self.numbers.get(number)
        found = self.names.get(word)
        if found is None and self.play.numbers and word[-1:] == "号":
            number = read_number(word[:-1])
            return None if number is None else self.numbers.get(number)
        return found

    def target_word(self, index: int) -> str:
        """How a line names a seat as a target."""
        return self.target_words[index]


def read_number(word: str) -> int | None:
    """The number that a word writes, in any width; None for none."""
    folded = unicodedata.normalize("NFKC", word)
    return int(folded) if folded.isascii() and folded.isdigit() else None


def make_table(
    play: Play,
    players: Iterable[Player],
    seed: str = "",
    *,
    spare: tuple[str, ...] = (),
    faces: tuple[str, ...] = (),
    clans: tuple[int, ...] = (),
) -> Table:
    """The table of these players; ValueError for a role that the rules have not, and a name, number or vest twice.

    `spare` are cards that were left over, `faces` those that lie aside to be borrowed, `clans` which clan each seat is of (():
    drawn where somebody opposes one).
    """
    seated = tuple(players)
    roles = {role.name: role for role in play.roles}
    for player in seated:
        if player.role not in roles:
            raise ValueError(f"{player.name}: {play.title} has no role {player.role!r}")
    for card in (*spare, *faces):
        if card not in roles:
            raise ValueError(f"{play.title} has no role {card!r}")
    names = {word: index for index, player in enumerate(seated) for word in player.aliases}
    names |= {player.name: index for index, player in enumerate(seated)}
    if len({player.name for player in seated}) < len(seated):
        raise ValueError("two seats have one name")
    seated = _number(seated) if play.numbers else seated
    vests = {player.vest or player.name: index for index, player in enumerate(seated)} if play.vests else {}
    if play.vests and len(vests) < len(seated):
        raise ValueError("two seats have one vest")
    extra = (play.lovers.widow,) if play.lovers.widow is not None else ()
    skills = [skill for role in play.roles for skill in role.skills]
    acts: dict[str, Skill] = {}
    for skill in (*extra, *skills):
        acts |= dict.fromkeys((skill.name, *skill.aliases), skill)
    holders = _NOBODY.copy()
    users: dict[str, tuple[int, ...]] = {}
    for index, player in enumerate(seated):
        for skill in roles[player.role].skills:
            holders[skill.effect] = (*holders[skill.effect], index)
            users[skill.name] = (*users.get(skill.name, ()), index)
    wolves = sum(roles[player.role].kind is Kind.WOLF for player in seated)
    return Table(
        play=play,
        players=seated,
        seed=seed,
        names=names,
        numbers={player.number: index for index, player in enumerate(seated) if player.number is not None},
        roles=roles,
        role_words={word: role.name for role in play.roles for word in (*role.aliases, role.name)},
        effects={role.name: {skill.effect: skill for skill in role.skills} for role in play.roles},
        words={role.name: {word: skill for skill in role.skills for word in (*skill.aliases, skill.name)} for role in play.roles},
        acts=acts,
        step_of=_steps(play.steps),
        quota=wolves if play.last_words.quota is None else play.last_words.quota,
        holders=holders,
        users=users,
        vests=vests,
        weighs=any(isinstance(condition, HalfOfVotes) for camp in play.camps for condition in camp.wins),
        at_once=_at_once(play, acts),
        told_first=frozenset(skill.name for skill in skills if skill.effect in (Effect.SEE_KILLS, Effect.JOIN)),
        drawn=frozenset(skill.name for skill in skills if skill.voice is Voice.DRAWN),
        ending=tuple(skill for skill in skills if skill.ends_with is not None),
        target_words=tuple(_target_word(play, player) for player in seated),
        first_steps=(*play.opening, *(play.steps if play.first_night else ())),
        spare=spare,
        faces=faces,
        clans=clans,
    )


def _target_word(play: Play, player: Player) -> str:
    if play.vests:
        return player.vest or player.name
    return str(player.number) if play.numbers else player.name


def _at_once(play: Play, acts: Mapping[str, Skill]) -> frozenset[str]:
    names = {name for step in (*play.opening, *play.steps) if step.at_once for name in step.skills}
    return frozenset(word for word, skill in acts.items() if skill.name in names)


def _steps(steps: tuple[Step, ...]) -> dict[str, int]:
    return {skill: place for place, step in enumerate(steps) if step.kind is StepKind.ASK for skill in step.skills}


def _number(players: tuple[Player, ...]) -> tuple[Player, ...]:
    """The players with their numbers; those without get what is left of 1 to the number of seats, in order."""
    taken = [player.number for player in players if player.number is not None]
    if len(set(taken)) < len(taken):
        raise ValueError("two seats have one number")
    free = iter(number for number in range(1, len(players) + len(taken) + 1) if number not in taken)
    return tuple(player if player.number is not None else replace(player, number=next(free)) for player in players)
