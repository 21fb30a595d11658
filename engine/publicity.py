"""What of a game's tallies everybody may see now: the rules of its system, its switches, and whether it has ended."""

from __future__ import annotations

from typing import assert_never

from engine.game import Game
from tally.policy import TargetKind
from tally.publish import Published, publish
from tally.result import DayTally


def publish_tally(tally: DayTally, game: Game) -> Published:
    """The part of a tally that may be posted."""
    return publish(tally, game.policy, ended=game.ended, sheriff_known=names_sheriff(game))


def names_sheriff(game: Game) -> bool:
    """Whether it is published who the sheriff is by the name under which he posts, and not by his number or vest alone.

    公示…当日警长: in 马甲杀 it is a vest that was elected; 秘密数字杀 has a switch for it (`announce.sheriff`).
    """
    match game.policy.target:
        case TargetKind.CHARACTER | TargetKind.SEAT:
            return True
        case TargetKind.NUMBER:
            return game.switches.get("announce.sheriff") != "number"
        case TargetKind.VEST:
            return False
        case _:
            assert_never(game.policy.target)
