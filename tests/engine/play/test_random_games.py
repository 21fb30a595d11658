"""What must hold in every game, tried on random ones: over both systems, over odd tables, over every switch."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.ledger import Phase, PhaseKind, parse_ledger
from engine.play.draws import KEY, write_draws
from engine.play.fold import fold
from engine.play.invariants import find_violations
from engine.play.order import Order, read_order
from engine.play.randomplay import Habits, Turn, deal_randomly, play_game
from engine.play.refusal import OpenQuestion
from engine.play.skillset import Kind
from engine.play.start import Given, start
from engine.play.state import GameState
from engine.play.table import Table, make_table
from engine.ruleset import RuleSet
from engine.rulesets import PLAYED
from engine.rulesets.assertion import ASSERTION
from engine.rulesets.m29 import M29
from engine.rulesets.secret_number import SECRET_NUMBER
from engine.rulesets.table import TABLE
from engine.rulesets.table_configurations import CONFIGURATIONS
from engine.rulesets.vest import VEST
from engine.simulate import deal_table, is_legal, random_roles, rules_of, simulate, standard_roles
from engine.switches import Switch, Value
from tests.engine.play.make import ZONE, in_phase, obey, refuse, seat_players

SYSTEMS = (M29, SECRET_NUMBER, VEST, ASSERTION, TABLE)
WITH_CARDS = (M29, SECRET_NUMBER)
ODD = Habits(nonsense=0.3, cards=0.05, surrenders=0.05)
FEW = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])

# A few games at every run, the others with the slow searches.
SEEDS = [*range(3), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(3, 12))]


def choices(switch: Switch) -> list[Value]:
    """Every value that a switch may have (of lists: some orders)."""
    match switch.default:
        case bool():
            return [True, False]
        case int():
            return [int(choice) for choice in switch.choices] or [0, 1, 2]
        case str():
            return list(switch.choices)
        case tuple():
            return [switch.default, switch.default[::-1]]


class Odd(NamedTuple):
    """An odd table, in words that a failure can print: a system, its roles, the switches that are turned, a seed."""

    system: str
    roles: tuple[str, ...]
    switches: tuple[tuple[str, Value], ...]
    seed: int

    def seat(self) -> Table:
        """The table."""
        ruleset = PLAYED[self.system]
        rules = rules_of(ruleset, dict(self.switches))
        return deal_table(ruleset, rules, list(self.roles), random.Random(self.seed), str(self.seed))


@st.composite
def odd_tables(draw: st.DrawFn, system: str) -> Odd:
    """A table of a system with some of its roles, at least a wolf and a villager, and some switches turned."""
    ruleset = PLAYED[system]
    turned = draw(st.lists(st.sampled_from(range(len(ruleset.switches))), max_size=4, unique=True))
    switches = tuple((ruleset.switches[place].name, draw(st.sampled_from(choices(ruleset.switches[place])))) for place in turned)
    if ruleset in (ASSERTION, TABLE):
        roles = random_roles(ruleset, random.Random(draw(st.integers(0, 2**32))), dict(switches))
        return Odd(system, tuple(roles), switches, draw(st.integers(0, 2**32)))
    optional = [role.name for role in ruleset.roles if role.kind not in (Kind.WOLF, Kind.VILLAGER)]
    roles = [*draw(st.lists(st.sampled_from(optional), unique=True)), *["狼人"] * draw(st.integers(1, 4))]
    roles += ["村民"] * draw(st.integers(1, 5))
    return Odd(system, tuple(roles), switches, draw(st.integers(0, 2**32)))


def play(table: Table, seed: int, habits: Habits = ODD) -> Iterator[Turn]:
    """A random game."""
    return play_game(table, random.Random(seed), habits)


def check(table: Table, seed: int) -> None:
    """Every line of a game keeps the invariants, and the game has one winner, or two that share the win."""
    last: Turn | None = None
    for last in play(table, seed):
        assert list(find_violations(last.before, last.order, last.state, last.refused)) == [], str(last.order)
    assert last is None or len(last.state.winner) == 1 or any(camp.shares for camp in table.play.camps)


@FEW
@given(odd_tables("m29"))
def test_m29_keeps_what_must_hold(odd: Odd) -> None:
    check(odd.seat(), odd.seed)


@FEW
@given(odd_tables("secret-number"))
def test_secret_number_keeps_what_must_hold(odd: Odd) -> None:
    check(odd.seat(), odd.seed)


@FEW
@given(odd_tables("vest"))
def test_vest_keeps_what_must_hold(odd: Odd) -> None:
    check(odd.seat(), odd.seed)


@FEW
@given(odd_tables("assertion"))
def test_assertion_keeps_what_must_hold(odd: Odd) -> None:
    check(odd.seat(), odd.seed)


@FEW
@given(odd_tables("table"))
def test_table_keeps_what_must_hold(odd: Odd) -> None:
    check(odd.seat(), odd.seed)


def literal(roles: dict[str, str], given: Given) -> GameState:
    """A game of 面杀 in which a camp without members is not lost: 吹笛者阵营 is, only when a piper goes out."""
    return start(make_table(rules_of(TABLE, {"camp.empty": "literal"}), seat_players(roles), ""), given)


def test_everybody_out_and_no_camp_left_alone_is_the_directors_to_decide() -> None:
    state = literal({"狼甲": "狼人", "民甲": "村民"}, replace(in_phase("日2"), lovers=("狼甲", "民甲")))
    state = obey(state, "日2 民甲 投票 狼甲").state
    refused = refuse(state, "日2 导演 截票")
    assert isinstance(refused, OpenQuestion)
    assert (refused.name, refused.answers) == ("无人生还", ("吹笛者阵营", "村民阵营"))
    assert obey(state, "日2 导演 裁定 决定 无人生还 村民阵营\n日2 导演 截票").state.winner == ("村民阵营",)


def test_who_has_won_where_all_that_are_left_are_of_one_camp_is_the_directors_to_decide() -> None:
    state = literal({"狼甲": "狼人", "民甲": "村民", "民乙": "村民"}, in_phase("日2"))
    state = obey(state, "日2 民甲 投票 狼甲").state
    refused = refuse(state, "日2 导演 截票")
    assert isinstance(refused, OpenQuestion)
    assert (refused.name, refused.answers) == ("只剩一方", ("吹笛者阵营", "村民阵营", "继续"))
    on = obey(state, "日2 导演 裁定 决定 只剩一方 继续\n日2 导演 截票").state
    assert (on.winner, str(on.phase)) == ((), "夜2")
    assert obey(state, "日2 导演 裁定 决定 只剩一方 村民阵营\n日2 导演 截票").state.winner == ("村民阵营",)


def standard(ruleset: RuleSet, seed: int) -> Table:
    """The standard table of a system, dealt by a seed."""
    rules = rules_of(ruleset)
    dice = random.Random(seed)
    if ruleset is TABLE:
        return deal_table(ruleset, rules, list(dice.choice(CONFIGURATIONS).cards), dice, str(seed))
    roles = random_roles(ruleset, dice) if ruleset is VEST else standard_roles(rules.roles, 15)
    return make_table(rules, deal_randomly(roles, dice, numbers=rules.numbers, vests=rules.vests), str(seed))


@pytest.mark.parametrize("ruleset", SYSTEMS, ids=[ruleset.id for ruleset in SYSTEMS])
@pytest.mark.parametrize("seed", SEEDS)
def test_replaying_a_prefix_and_then_the_rest_is_replaying_all(ruleset: RuleSet, seed: int) -> None:
    table = standard(ruleset, seed)
    turns = list(play(table, seed, Habits(answers=0.4, cards=0.05)))
    orders = [turn.order for turn in turns]
    whole = fold(start(table), orders).state
    assert whole == turns[-1].state
    for cut in (1, len(orders) // 3, len(orders) - 1):
        assert fold(fold(start(table), orders[:cut]).state, orders[cut:]).state == whole


@pytest.mark.parametrize("ruleset", SYSTEMS, ids=[ruleset.id for ruleset in SYSTEMS])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_game_written_as_a_ledger_is_the_same_game(ruleset: RuleSet, seed: int) -> None:
    table = standard(ruleset, seed)
    turns = [turn for turn in play(table, seed, Habits(answers=0.4, cards=0.05)) if turn.refused is None]
    text = "\n".join(turn.order.line for turn in turns)
    orders = [read_order(event) for event in parse_ledger(text, ZONE)]
    numbered = [turn.order._replace(number=place) for place, turn in enumerate(turns, 1)]
    assert orders == numbered
    assert fold(start(table), orders).state == fold(start(table), numbered).state


def with_draws(turn: Turn) -> Order:
    """A line as it is stored: with what was drawn while it was obeyed."""
    drawn = write_draws(turn.state.table, turn.state.draws[len(turn.before.draws) :])
    return turn.order._replace(values={KEY: drawn}) if drawn else turn.order


@pytest.mark.parametrize("ruleset", SYSTEMS, ids=[ruleset.id for ruleset in SYSTEMS])
def test_stored_draws_hold_whatever_the_seed(ruleset: RuleSet) -> None:
    drawn = 0
    for number in range(12):
        table = standard(ruleset, number)
        turns = [turn for turn in play(table, number, Habits(answers=0.2, cards=0.1)) if turn.refused is None]
        drawn += len(turns[-1].state.draws)
        # The clans are drawn before the first line: no line brings them.
        other = replace(table, seed="another seed", clans=start(table).clans)
        folded = fold(start(other), [with_draws(turn) for turn in turns])
        assert folded.rejected == ()
        assert (folded.state.order, folded.state.sheriff, folded.state.winner, folded.state.draws) == (
            turns[-1].state.order,
            turns[-1].state.sheriff,
            turns[-1].state.winner,
            turns[-1].state.draws,
        )
    assert drawn > 10


@pytest.mark.parametrize("ruleset", SYSTEMS, ids=[ruleset.id for ruleset in SYSTEMS])
def test_two_simulations_of_one_seed_are_the_same_and_of_two_are_not(ruleset: RuleSet) -> None:
    first = simulate(ruleset, 20, "x")
    assert first == simulate(ruleset, 20, "x")
    assert first.violations == ()
    assert (first.wins, first.lines) != (simulate(ruleset, 20, "y").wins, simulate(ruleset, 20, "y").lines)


def test_every_camp_wins_now_and_then() -> None:
    for ruleset in WITH_CARDS:
        wins = simulate(ruleset, 150, "camps", players=None if ruleset is M29 else 15).wins
        assert set(wins) == {"狼人阵营", "村民阵营", "黑情侣阵营", "吹笛者阵营"}, ruleset.id
    # Who votes seldom leaves the pipers the time that they need.
    camps = {*simulate(ASSERTION, 60, "camps").wins, *simulate(ASSERTION, 6, "camps", habits=Habits(votes=0.05)).wins}
    assert camps == {"狼人阵营", "村民阵营", "吸血鬼阵营", "狼人阵营+吸血鬼阵营", "吹笛者阵营"}


def ballots_of(state: GameState, phase: Phase) -> list[Order]:
    """A random day's votes, each voter once or twice."""
    dice = random.Random(f"{state.table.seed} {phase}")
    targets = [state.table.target_word(seat) for seat in state.living]
    voters = [state.table.name(seat) for seat in state.living for _ in range(dice.choice((1, 1, 2)))]
    return [Order(phase, voter, "投票", (dice.choice(targets),)) for voter in voters]


@FEW
@given(st.integers(0, 2**32), st.randoms(use_true_random=False))
def test_the_order_of_different_voters_changes_no_count(seed: int, dice: random.Random) -> None:
    day = Phase(PhaseKind.DAY, 1)
    table = standard(M29, seed)
    state = fold(start(table), [Order(Phase(PhaseKind.NIGHT, 0), "导演", "超时", ("丘比特",))]).state
    ballots = ballots_of(state, day)
    own: dict[str, list[Order]] = {}
    for ballot in ballots:
        own.setdefault(ballot.actor, []).append(ballot)
    turns = [ballot.actor for ballot in ballots]
    dice.shuffle(turns)
    shuffled = [own[actor].pop(0) for actor in turns]
    closing = Order(day, "导演", "截票")
    first, second = (fold(state, [*some, closing]).state for some in (ballots, shuffled))
    assert Counter(dict(first.votes[-1].votes)) == Counter(dict(second.votes[-1].votes))


@pytest.mark.parametrize("ruleset", SYSTEMS, ids=[ruleset.id for ruleset in SYSTEMS])
def test_games_of_legal_roles_and_turned_switches_keep_what_must_hold(ruleset: RuleSet) -> None:
    result = simulate(ruleset, 100, "some", vary=True, habits=Habits(nonsense=0.05, cards=0.03))
    assert result.violations == ()
    assert sum(result.wins.values()) == 100


@pytest.mark.parametrize("ruleset", SYSTEMS, ids=[ruleset.id for ruleset in SYSTEMS])
def test_random_roles_are_legal_and_not_always_the_same(ruleset: RuleSet) -> None:
    dealt = [random_roles(ruleset, random.Random(seed)) for seed in range(40)]
    assert all(is_legal(ruleset, roles) for roles in dealt)
    assert len({tuple(roles) for roles in dealt}) > 3


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", SYSTEMS, ids=[ruleset.id for ruleset in SYSTEMS])
def test_ten_thousand_games_of_each_system(ruleset: RuleSet) -> None:
    result = simulate(ruleset, 10_000, "ten thousand", vary=True)
    assert result.violations == ()
    assert sum(result.wins.values()) == 10_000
