"""Random games of a rule system, counted: who wins how often, and how long games are (`bansha simulate`)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from engine.play.invariants import find_violations
from engine.play.randomplay import Habits, deal_randomly, play_game
from engine.play.refusal import DirectorDecision
from engine.play.rules import Play
from engine.play.skillset import Role, Takes
from engine.play.start import start
from engine.play.table import Table, make_table
from engine.ruleset import RuleSet
from engine.rulesets.compositions import COMPOSITIONS, check_composition
from engine.switches import Switch, Value, switch_policy
from tally.finding import Finding, Severity, sentence, severity

# How many sit at a table where nobody says: so many, or the next number that the rule post can deal.
STANDARD_PLAYERS = 12
# The smallest and the largest table of random games.
FEWEST_PLAYERS, MOST_PLAYERS = 6, 40
# How many more of a role than it needs a random table has at most, where the post has no upper limit.
_MORE = 4
# Which part of the roles of which there is one a random table has.
_DENSITIES = (0.2, 0.35, 0.5)
# How many cards lie aside for a role that borrows one of them each night.
_FACES = 3
# How many of a random game's switches are turned, in parts of one.
_TURNS = 0.3


class NoTableError(Exception):
    """A rule post has no table of so many players; `findings` say why."""

    def __init__(self, findings: tuple[Finding, ...]) -> None:
        super().__init__(*(sentence(one) for one in findings))
        self.findings = findings


@dataclass(frozen=True, slots=True)
class Simulation:
    """What random games gave: wins per camp, how many lines and days they took, and every rule that a line broke.

    `players` is how many sat at the largest table, `fewest` at the smallest; `asked` how often a game stopped because the rule
    post does not decide what happens, and a director's answer was drawn.
    """

    ruleset: str
    players: int
    games: int
    seed: str
    wins: Mapping[str, int]
    lines: int
    refused: int
    days: tuple[int, ...]
    violations: tuple[str, ...]
    fewest: int = 0
    asked: int = 0


def default_switches(ruleset: RuleSet) -> dict[str, Value]:
    """Every switch at its default; the first choice of one that has none."""
    return {switch.name: switch.choices[0] if switch.needed else switch.default for switch in ruleset.switches}


def rules_of(ruleset: RuleSet, switches: Mapping[str, Value] | None = None) -> Play:
    """How a rule system is played, by default or with some switches as chosen."""
    chosen = {**default_switches(ruleset), **(switches or {})}
    assert ruleset.play is not None
    return ruleset.play(chosen, switch_policy(ruleset.vote, chosen, void_counts_as_vote=True))


def standard_roles(roles: Sequence[Role], players: int) -> list[str]:
    """The roles of a table: every role as often as the post says, and what is left shared between those without a number.

    Where the post gives no numbers a quarter of the seats are wolves, and at least two seats are 村民.
    """
    dealt = [role.name for role in roles for _ in range(role.count or 0)]
    open_roles = [role.name for role in roles if role.count is None]
    if not open_roles:
        return dealt
    if len(open_roles) == 1:
        return dealt + open_roles * (players - len(dealt))
    wolves = max(2, players // 4)
    left = players - len(dealt) - wolves
    while left < 2:
        # A small table has not every special: the last of the list are left out first.
        dealt.pop()
        left += 1
    return [open_roles[0]] * wolves + dealt + [open_roles[1]] * left


def is_legal(ruleset: RuleSet, roles: Sequence[str], switches: Mapping[str, Value] | None = None) -> bool:
    """Whether a rule post can deal these roles together; what it only advises against is legal."""
    found = check_composition(ruleset, roles, switches=switches)
    return not any(severity(finding) is Severity.ERROR for finding in found)


def random_roles(ruleset: RuleSet, dice: random.Random, switches: Mapping[str, Value] | None = None) -> list[str]:
    """Some legal set of roles of a rule post: one of its rows, or each role as often as its limits allow, wolves and 村民 few."""
    composition = COMPOSITIONS[ruleset.id]
    if composition.rows is not None:
        row = dice.choice(list(composition.rows.rows.values()))
        return [role for role, number in row.items() for _ in range(number)]
    limits = {limit.role: limit for limit in composition.limits}
    # Small tables and large ones, from few of the roles of which there is one to most.
    density = dice.choice(_DENSITIES)
    shelf = composition.shelf
    enabled = (switches or {}).get(shelf.switch, ()) if shelf is not None else ()
    shelved = {role for role in shelf.roles if not (isinstance(enabled, tuple) and role in enabled)} if shelf is not None else ()
    while True:
        dealt: list[str] = []
        for role in (role for role in ruleset.roles if role.name not in shelved):
            limit = limits.get(role.name)
            least, most = (1, None) if limit is None else (limit.least, limit.most)
            whole = limit is not None and limit.whole and most is not None
            if (least, most) == (0, 1):
                number = int(dice.random() < density)
            else:
                number = dice.choice((0, most or 0)) if whole else dice.randint(least, least + _MORE if most is None else most)
            dealt += [role.name] * number
        if is_legal(ruleset, dealt, switches):
            return dealt


def random_switches(ruleset: RuleSet, dice: random.Random) -> dict[str, Value]:
    """Some switches of a rule system turned to another of their values; one that has no default is always said."""
    turned = [switch for switch in ruleset.switches if switch.needed or dice.random() < _TURNS]
    return {switch.name: dice.choice(values_of(switch)) for switch in turned}


def values_of(switch: Switch) -> list[Value]:
    """Every value that a switch may have: of lists the default's orders and parts, of numbers those at hand."""
    match switch.default:
        case bool():
            return [True, False]
        case int():
            return [int(choice) for choice in switch.choices] or [0, 1, switch.default]
        case str():
            return list(switch.choices)
        case tuple():
            return [switch.default, switch.choices, switch.choices[::-1], switch.choices[:1]]


def simulate(
    ruleset: RuleSet,
    games: int,
    seed: str,
    *,
    players: int | None = None,
    check: bool = True,
    habits: Habits | None = None,
    vary: bool = False,
) -> Simulation:
    """Play games whose every draw follows from the seed; with `check` every line is held against the invariants.

    `players` is how many sit at the table (None: the post's, or about twelve); NoTableError where the post cannot deal so many.
    `vary` deals every game another legal set of roles, and turns other switches.
    """
    rules = rules_of(ruleset)
    roles = standard_table(ruleset, players)
    wins: Counter[str] = Counter()
    days: list[int] = []
    sizes: list[int] = []
    lines = refused = asked = 0
    violations: list[str] = []
    for number in range(games):
        dice = random.Random(f"{seed} {number}")
        if vary:
            switches = random_switches(ruleset, dice)
            rules, roles = rules_of(ruleset, switches), random_roles(ruleset, dice, switches)
        table = deal_table(ruleset, rules, roles, dice, f"{seed} {number}")
        # Some tables are won before the first line.
        state = start(table)
        for turn in play_game(table, dice, habits):
            lines, state = lines + 1, turn.state
            refused += turn.refused is not None
            asked += isinstance(turn.refused, DirectorDecision)
            if check:
                found = find_violations(turn.before, turn.order, turn.state, turn.refused)
                violations += [f"{number}: {turn.order}: {violation}" for violation in found]
        wins["+".join(state.winner)] += 1
        sizes.append(len(table.players))
        days.append(state.phase.number)
    return Simulation(
        ruleset=ruleset.id,
        players=max(sizes),
        games=games,
        seed=seed,
        wins=dict(wins.most_common()),
        lines=lines,
        refused=refused,
        days=tuple(sorted(days)),
        violations=tuple(violations),
        fewest=min(sizes),
        asked=asked,
    )


def standard_table(ruleset: RuleSet, players: int | None = None) -> list[str]:
    """The roles of so many players: the post's row, else `standard_roles`; NoTableError where the post cannot deal them.

    Without a number the first that can be dealt from `STANDARD_PLAYERS` on.
    """
    if players is None:
        players = next(iter(list_tables(ruleset, STANDARD_PLAYERS)))
    roles = _deal_standard(ruleset, players)
    if found := _find_errors(ruleset, roles, players):
        raise NoTableError(found)
    return roles


def list_tables(ruleset: RuleSet, fewest: int = FEWEST_PLAYERS) -> Iterator[int]:
    """For how many players the post has a standard table."""
    return (
        number for number in range(fewest, MOST_PLAYERS + 1) if not _find_errors(ruleset, _deal_standard(ruleset, number), number)
    )


def _deal_standard(ruleset: RuleSet, players: int) -> list[str]:
    rows = COMPOSITIONS[ruleset.id].rows
    if rows is None:
        return standard_roles(rules_of(ruleset).roles, players)
    return [role for role, cards in rows.rows.get(players, {}).items() for _ in range(cards)]


def _find_errors(ruleset: RuleSet, roles: Sequence[str], players: int) -> tuple[Finding, ...]:
    """Why the post cannot deal these roles; of a number that it has no row for that alone."""
    found = tuple(one for one in check_composition(ruleset, roles, players=players) if severity(one) is Severity.ERROR)
    return tuple(one for one in found if one.code == "E417") or found


def deal_table(ruleset: RuleSet, rules: Play, roles: list[str], dice: random.Random, seed: str) -> Table:
    """A table of these cards in a random order: the spare ones lie aside, and three of no seat where somebody borrows them."""
    spare = COMPOSITIONS[ruleset.id].spare
    left: tuple[str, ...] = ()
    if spare is not None and spare.role in roles:
        places = dice.sample([place for place, role in enumerate(roles) if role != spare.role], spare.more)
        left = tuple(roles[place] for place in places)
        roles = [role for place, role in enumerate(roles) if place not in places]
    players = deal_randomly(roles, dice, numbers=rules.numbers, vests=rules.vests)
    faces: tuple[str, ...] = ()
    if any(skill.takes is Takes.FACE for role in rules.roles if role.name in roles for skill in role.skills):
        unused = [role.name for role in rules.roles if role.skills and role.name not in (*roles, *left)]
        faces = tuple(dice.sample(unused, min(_FACES, len(unused))))
    return make_table(rules, players, seed, spare=left, faces=faces)
