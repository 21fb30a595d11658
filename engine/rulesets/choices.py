"""What a rule system reads its switches with: a switch's value in the type that the system wants."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import TypeVar

from engine.play.camps import Camp
from engine.play.rules import Trigger, Votes
from engine.switches import Value
from tally.policy import ELECTION, SpeedUpScope, VotePolicy

E = TypeVar("E", bound=StrEnum)


def choose(chosen: Mapping[str, Value], name: str, kind: type[E]) -> E:
    """The word that a switch chooses, as one of a kind."""
    return kind(str(chosen[name]))


def chooses(chosen: Mapping[str, Value], name: str, word: str) -> bool:
    """Whether a switch chooses a word."""
    return chosen[name] == word


def order_camps(chosen: Mapping[str, Value], camps: tuple[Camp, ...]) -> tuple[Camp, ...]:
    """The camps in the order of `win.order` (A+B: camps that win together); those that it does not name follow as they are."""
    wanted = chosen["win.order"]
    assert isinstance(wanted, tuple)
    by_name = {camp.name: camp for camp in camps}
    names = [name for word in wanted for name in word.split("+")]
    return (*(by_name[name] for name in names), *(camp for camp in camps if camp.name not in names))


def order_chain(chosen: Mapping[str, Value], chain: tuple[Trigger, ...]) -> tuple[Trigger, ...]:
    """The triggers of a chain in the order of `chain_order`; those that it does not name follow as they are: none is left out."""
    wanted = chosen["chain_order"]
    assert isinstance(wanted, tuple)
    named = tuple(Trigger(word) for word in wanted)
    return (*named, *(trigger for trigger in chain if trigger not in named))


def read_votes(policy: VotePolicy, speed_up_lead: int) -> Votes:
    """What the engine needs of a vote policy."""
    return Votes(
        election_day=policy.election_day or 0,
        sheriff_weight=policy.sheriff_weight,
        reach=policy.reach,
        tie=policy.tie,
        no_votes=policy.no_votes,
        sheriff_scope=policy.sheriff_scope,
        changes=policy.changes,
        freeze=policy.freeze,
        speed_up_lead=speed_up_lead,
        whole_day=policy.speed_up_scope is SpeedUpScope.WHOLE_DAY,
        polls=tuple(poll for poll in policy.polls if poll.role),
        second=policy.second,
        conflict=policy.conflict,
        beside=ELECTION in policy.polls,
        election_tie=policy.election_tie,
        agree=policy.agree,
        curse=policy.curse,
        most_barred=policy.most_barred,
    )
