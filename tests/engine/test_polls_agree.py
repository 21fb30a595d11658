"""断言: the engine and the count of the same ledger agree on every vote of random games, and on every draw."""

from __future__ import annotations

import random
from datetime import datetime
from pathlib import Path

import pytest

from engine.ledger import PhaseKind
from engine.play.fold import fold
from engine.play.order import Order
from engine.play.randomplay import Habits, deal_randomly, play_game
from engine.play.start import start
from engine.play.state import GameState, VoteCount
from engine.play.table import Table, make_table
from engine.replay import replay_case
from engine.rulesets.assertion import ASSERTION
from engine.simulate import random_roles, rules_of
from engine.switches import Value
from tally.result import DayTally
from tests.engine.play.make import ZONE

DAYS = 7
SWITCHES: list[dict[str, Value]] = [
    {},
    {"private_ballot.change": "last"},
    {"manipulate.conflict": "both_void"},
    {"private_ballot.change": "last", "manipulate.conflict": "both_void"},
]


def write_game(folder: Path, table: Table, orders: list[Order], switches: dict[str, Value]) -> None:
    """A game file, its secrets and its ledger."""
    lines = ['[game]\ntitle = "断言"\nruleset = "assertion"\ntimezone = "Asia/Shanghai"\ndirectors = ["导演"]\n[switches]']
    lines += [f'"{name}" = "{value}"' for name, value in switches.items()]
    lines += [f'[[player]]\nname = "{player.name}"' for player in table.players]
    for day in range(1, DAYS + 1):
        lines.append(f"[[day]]\nnumber = {day}\nopens = 2020-05-{day:02}T09:30:00\ncloses = 2020-05-{day:02}T21:00:00")
    (folder / "game.toml").write_text("\n".join(lines), encoding="utf-8")
    secrets = [f'seed = "{table.seed}"', *(f'[[player]]\nname = "{one.name}"\nrole = "{one.role}"' for one in table.players)]
    (folder / "secrets.toml").write_text("\n".join(secrets), encoding="utf-8")
    (folder / "ledger.txt").write_text("\n".join(order.line for order in orders), encoding="utf-8")


def votes_of(state: GameState, count: VoteCount) -> dict[str, int]:
    return {state.table.name(target): votes for target, votes in count.votes}


def hit_by(state: GameState, count: VoteCount) -> set[str]:
    """Whom the engine drew, or who alone had the most."""
    night = (PhaseKind.NIGHT, count.phase.number)
    drawn = [one for one in state.draws if one.what == count.poll and (one.phase.kind, one.phase.number) == night]
    if drawn:
        return {state.table.name(drawn[0].chosen[0])}
    most = max((votes for _, votes in count.votes), default=0)
    top = [target for target, votes in count.votes if votes == most]
    return {state.table.name(target) for target in top} if len(top) == 1 else set()


def counted(tally: DayTally) -> dict[str, int]:
    return {one.target: one.votes for one in tally.counts if one.votes}


def _aim(order: Order, voter: tuple[str, ...], dice: random.Random, table: Table) -> Order:
    """The order with another target of its vote; of a manipulation with this voter."""
    return order._replace(targets=(*voter, dice.choice(table.players).name))


def _tell(order: Order, dice: random.Random) -> Order:
    """A line of a vote with the moment at which it was told, most of the time; their order is no more that of the lines."""
    if order.act not in ("投票", "操纵") or dice.random() < 0.2:
        return order
    at = datetime(2020, 5, order.phase.number, 10 + dice.randrange(10), dice.randrange(60), tzinfo=ZONE)
    return order._replace(at=at, told=at)


@pytest.mark.parametrize("seed", range(8))
def test_the_engine_counts_as_the_count_does(tmp_path: Path, seed: int) -> None:
    switches = SWITCHES[seed % len(SWITCHES)]
    dice = random.Random(seed)
    players = deal_randomly(random_roles(ASSERTION, dice), dice, numbers=False)
    table = make_table(rules_of(ASSERTION, switches), players, f"seed {seed}")
    # Nobody prays right, so that there are several days; a second ballot of a day comes after the first.
    turns = [turn for turn in play_game(table, dice, Habits(prays_right=0.0, acts=0.7)) if turn.order.phase.number <= DAYS]
    orders = [turn.order for turn in turns if turn.refused is None]
    # Both pipers often aim at one voter; some vote or manipulate twice.
    orders = [one if one.act != "操纵" or dice.random() < 0.4 else _aim(one, (players[0].name,), dice, table) for one in orders]
    some = [one for one in orders if one.act in ("投票", "操纵") and dice.random() < 0.2]
    extra = [_aim(one, one.targets[:-1], dice, table) for one in some]
    for order in extra:
        closing = next(place for place, one in enumerate(orders) if (one.phase, one.act) == (order.phase, "截票"))
        orders.insert(dice.randint(orders.index(next(one for one in orders if one.phase == order.phase)), closing), order)
    if seed % 2:
        orders = [_tell(one, dice) for one in orders]
    # With other votes the game goes another way: what has become illegal is left out.
    folded = fold(start(table), orders, stop_at_winner=True)
    write_game(tmp_path, table, list(folded.obeyed), switches)
    tallies = {(tally.day, tally.poll): tally for tally in replay_case(tmp_path).tallies}
    # The shortest games end in the second night.
    assert len(folded.state.votes) >= 6
    for count in folded.state.votes:
        tally = tallies[count.phase.number, count.poll]
        assert counted(tally) == votes_of(folded.state, count), (count.phase, count.poll)
        if count.phase.number < folded.state.phase.number:
            assert set(tally.verdict.seats) == hit_by(folded.state, count), (count.phase, count.poll)
