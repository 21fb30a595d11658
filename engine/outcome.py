"""[outcome] of expected.toml: how a recorded game must end when its ledger is played, with its threads for the votes."""

from __future__ import annotations

from engine.expected import Difference
from engine.play.fold import Folded
from engine.playing import Played
from engine.scenario import Expect
from engine.scenario_run import compare_outcome


def compare_played(expect: Expect, played: Played) -> tuple[Difference, ...]:
    """Where the game of a ledger does not end as expected: the keys of a scenario's [expect], each as a difference."""
    folded = Folded(played.state, played.orders, played.rejected)
    return tuple(Difference(0, f"终局 · {one.key}", (one.expected,), (one.found,), ()) for one in compare_outcome(expect, folded))
