"""A tie that the sheriff's ballot breaks (秘密数字杀, 马甲杀, 面杀), in each scope."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.rulesets.m29 import VOTE
from tally.policy import SheriffScope, Tie, VotePolicy
from tally.result import Decision
from tests.tally.make import Table, Wrote, ballot_text, count, make_day, make_roster

NAMES = ("甲", "乙", "丙", "丁", "戊", "己", "庚")
TIED = {"甲": "丙", "乙": "丙", "丙": "丁", "丁": "丁"}
LITERAL = replace(VOTE, tie=(Tie.SHERIFF_TARGET, Tie.NOBODY))
NARROW = replace(LITERAL, sheriff_scope=SheriffScope.AMONG_TIED)


@pytest.mark.parametrize(
    ("policy", "ballots", "out"),
    [
        (LITERAL, TIED | {"戊": "己"}, ("己",)),  # two votes on 丙, 丁 and 己: all are tied
        (LITERAL, TIED | {"乙": "丁", "戊": "丙"}, ("丙",)),
        (LITERAL, TIED | {"己": "丙", "庚": "丁", "戊": "己"}, ("己",)),
        (NARROW, TIED | {"己": "丙", "庚": "丁", "戊": "己"}, ()),
        (NARROW, TIED | {"乙": "丁", "戊": "丙"}, ("丙",)),
        (LITERAL, TIED | {"戊": "弃权"}, ()),
        (LITERAL, TIED, ()),
    ],
)
def test_a_tie_puts_out_whom_the_sheriff_voted_for(policy: VotePolicy, ballots: dict[str, str], out: tuple[str, ...]) -> None:
    posts = [Wrote(ballot_text(target), by=voter) for voter, target in ballots.items()]
    table = Table(roster=make_roster(NAMES), day=make_day(sheriff="戊"), policy=policy)
    verdict = count(posts, table).verdict
    assert verdict.seats == out
    assert verdict.decision is (Decision.EXILE if out else Decision.NOBODY)
