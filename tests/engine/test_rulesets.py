"""The rule systems by name, and M29's clauses against its rule post."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.rulesets import NAMES, UnknownRuleSet, find_ruleset
from engine.rulesets.m29 import M29
from engine.switches import SYSTEMS, switch_policy
from tally.ballot import Reason

# The rule posts are handed to contributors beside the project, and are not part of it.
POST = Path(__file__).parents[3] / "shared" / "seeds" / "004_030bb1f8919f46c5.txt"

needs_post = pytest.mark.skipif(not POST.exists(), reason=f"the rule post is not at {POST}")


@pytest.mark.parametrize("name", ["m29", "M29", "小泡佩奇", " m29 "])
def test_m29_is_found_by_each_of_its_names(name: str) -> None:
    assert find_ruleset(name) is M29


@pytest.mark.parametrize("name", [name for key, names in NAMES.items() if key != "m29" for name in names])
def test_the_other_systems_say_that_they_are_not_built(name: str) -> None:
    with pytest.raises(UnknownRuleSet, match="还没有做进"):
        find_ruleset(name)


def test_every_reason_of_a_void_ballot_has_its_clause() -> None:
    # A director's ruling rests on his word; M29 bars no target (that is 白痴, whom it does not have).
    assert {reason.value for reason in Reason} - set(M29.vote.clauses) == {"ruled_void", "target_barred"}


@needs_post
def test_every_clause_stands_in_the_rule_post_to_the_character() -> None:
    text = POST.read_text(encoding="utf-8")
    clauses = {clause.text for clause in M29.vote.clauses.values()} | {switch.clause for switch in M29.switches if switch.clause}
    assert [clause for clause in sorted(clauses) if clause not in text] == []


@needs_post
def test_every_role_is_named_in_the_rule_post() -> None:
    text = POST.read_text(encoding="utf-8")
    assert [role.name for role in M29.roles if role.name not in text] == []


def test_the_defaults_of_the_switches_are_the_rule_sets_own_policy() -> None:
    defaults = {switch.name: switch.default for switch in M29.switches}
    assert switch_policy(M29.vote, defaults, void_counts_as_vote=True) == M29.vote


def test_every_switch_is_documented_and_its_default_is_one_of_its_choices() -> None:
    for switch in M29.switches:
        assert switch.meaning, switch.name
        chosen = switch.default if isinstance(switch.default, tuple) else (switch.default,)
        assert not switch.choices or set(chosen) <= set(switch.choices), switch.name


def test_no_switch_is_both_m29s_and_only_another_systems() -> None:
    assert {switch.name for switch in M29.switches}.isdisjoint(SYSTEMS)
