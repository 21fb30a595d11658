"""The rule systems by name, and the clauses of each against its own rule post."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import fields
from enum import StrEnum
from pathlib import Path

import pytest

import tally.policy
from engine.ruleset import RuleSet
from engine.rulesets import BUILT, NAMES, UnknownRuleSet, find_ruleset
from engine.rulesets.m29 import M29
from engine.switches import SYSTEMS, Switch, Value, switch_policy
from tally.ballot import Reason
from tally.policy import VotePolicy
from tally.rules import RULES

# The rule posts are handed to contributors beside the project, and are not part of it.
ROOT = Path(__file__).parents[2]
SEEDS = ROOT.parent / "shared" / "seeds"
POSTS = {"secret-number": "000", "vest": "001", "assertion": "002", "table": "003", "m29": "004"}

needs_posts = pytest.mark.skipif(not SEEDS.is_dir(), reason=f"the rule posts are not at {SEEDS}")
every = pytest.mark.parametrize("ruleset", BUILT.values(), ids=list(BUILT))


def read_post(ruleset: str) -> str:
    (path,) = SEEDS.glob(f"{POSTS[ruleset]}_*.txt")
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["m29", "M29", "小泡佩奇", " m29 "])
def test_m29_is_found_by_each_of_its_names(name: str) -> None:
    assert find_ruleset(name) is M29


@pytest.mark.parametrize("name", [name for names in NAMES.values() for name in names])
def test_every_system_is_found_by_each_of_its_names(name: str) -> None:
    assert name in NAMES[find_ruleset(name).id]


def test_a_name_of_no_system_gets_the_nearest() -> None:
    with pytest.raises(UnknownRuleSet) as caught:
        find_ruleset("马夹杀")
    assert "马甲杀" in caught.value.fix


def reachable_rules(policy: VotePolicy) -> set[str]:
    """The keys of the rules that a ballot of this system may break, as far as the policy tells."""
    never: set[str] = set()
    if policy.feigned is None:
        never |= {"voter_feigned", "target_feigned"}
    if policy.feigned is not tally.policy.Feigned.VOID:
        never |= {"voter_feigned"}
    if not any(poll.role for poll in policy.polls):
        never |= {"voter_role"}
    if all(poll.immune is tally.policy.Immune.NOBODY for poll in policy.polls):
        never |= {"target_immune"}
    if policy.self_vote:
        never |= {"self_vote"}
    if policy.off_board is tally.policy.OffBoard.PRIVATE:
        # Nobody posts, nobody goes out, and a name that nobody has is an error of the ledger.
        posted = {"malformed", "no_reason", "unknown_target", "ambiguous_target", "target_out", "edited", "old_account"}
        changes = {key for key in (rule.key for rule in RULES) if key.startswith(("change", "nothing", "proxy", "conditional"))}
        never |= {*posted, *changes, "voter_out", "voter_barred"}
    else:
        never |= {"manipulated_abstention"}
    return {rule.key for rule in RULES} - never


@every
def test_every_rule_that_a_ballot_can_break_has_its_clause(ruleset: RuleSet) -> None:
    clauses = ruleset.vote.clauses
    lacking = {key for key in reachable_rules(ruleset.vote) if not any(one.partition(":")[0] == key for one in clauses)}
    # 冤死 bars voters in M29 and 面杀 alone; elsewhere only a director's word does.
    assert lacking - {"voter_barred"} == set()
    assert ("voter_barred" in lacking) == (ruleset.id in ("secret-number", "vest"))


@every
def test_every_step_and_decision_has_its_clause(ruleset: RuleSet) -> None:
    policy = ruleset.vote
    keys = {step.value for step in (*policy.tie, *policy.no_votes)} - {"random", "nobody"}
    keys |= {poll.name for poll in policy.polls if poll.role} or {"exile", "election", "sheriff_weight"}
    keys |= {"tie"} | ({"must_agree"} if policy.agree else set()) | ({"curse"} if policy.curse else set())
    assert keys - set(policy.clauses) == set()


@needs_posts
@every
def test_every_clause_stands_in_its_rule_post_to_the_character(ruleset: RuleSet) -> None:
    own, lender = read_post(ruleset.id), read_post("m29")
    wrong = [clause.text for clause in ruleset.vote.clauses.values() if clause.text not in (lender if clause.borrowed else own)]
    assert wrong == []
    assert [switch.clause for switch in ruleset.switches if switch.clause and switch.clause not in own] == []


@needs_posts
@every
def test_every_role_is_named_in_its_rule_post(ruleset: RuleSet) -> None:
    text = read_post(ruleset.id)
    assert [role.name for role in ruleset.roles if role.name not in text] == []


def test_only_systems_that_do_not_say_how_to_write_a_vote_borrow_from_m29() -> None:
    borrowers = {key for key, ruleset in BUILT.items() if any(clause.borrowed for clause in ruleset.vote.clauses.values())}
    assert borrowers == {"secret-number", "vest", "table"}


def defaults(ruleset: RuleSet) -> dict[str, Value]:
    """The default of every switch; the first choice of one that has none."""
    return {switch.name: switch.choices[0] if switch.needed else switch.default for switch in ruleset.switches}


@every
def test_the_defaults_of_the_switches_are_the_rule_sets_own_policy(ruleset: RuleSet) -> None:
    assert switch_policy(ruleset.vote, defaults(ruleset), void_counts_as_vote=True) == ruleset.vote


def other_values(switch: Switch) -> list[Value]:
    """What a switch may be besides its default."""
    match switch.default:
        case bool():
            return [not switch.default]
        case int():
            return [int(choice) for choice in switch.choices if int(choice) != switch.default] or [switch.default + 1]
        case str():
            return [choice for choice in switch.choices if choice != switch.default]
        case tuple():
            return [switch.choices[-1:]]


@every
def test_every_switch_of_voting_changes_the_policy_or_is_checked_in_the_game_file(ruleset: RuleSet) -> None:
    for switch in (switch for switch in ruleset.switches if switch.counts):
        policies = [
            switch_policy(ruleset.vote, defaults(ruleset) | {switch.name: value}, void_counts_as_vote=True)
            for value in other_values(switch)
        ]
        # How often a judge may sign decides which votes the game file may have.
        changed = any(policy != ruleset.vote for policy in policies)
        assert changed == (switch.name != "judge.limit"), switch.name


@every
def test_every_switch_is_documented_and_its_default_is_one_of_its_choices(ruleset: RuleSet) -> None:
    for switch in ruleset.switches:
        assert switch.meaning, switch.name
        chosen = switch.default if isinstance(switch.default, tuple) else (str(switch.default),)
        assert switch.needed or not switch.choices or set(chosen) <= set(switch.choices), switch.name


def test_a_switch_in_the_wrong_game_file_is_told_whose_it_is() -> None:
    owners: dict[str, tuple[str, ...]] = {}
    for ruleset in BUILT.values():
        for switch in ruleset.switches:
            owners[switch.name] = (*owners.get(switch.name, ()), ruleset.title)
    assert {name: set(titles) for name, titles in SYSTEMS.items()} == {name: set(titles) for name, titles in owners.items()}


ENUMS = [
    kind for kind in vars(tally.policy).values() if isinstance(kind, type) and issubclass(kind, StrEnum) and kind is not StrEnum
]


def values_used() -> set[StrEnum]:
    """Every value of an enum that some system's policy holds, by itself or by one of its switches."""
    policies = [ruleset.vote for ruleset in BUILT.values()]
    for ruleset in BUILT.values():
        for switch in (switch for switch in ruleset.switches if switch.counts):
            policies += [
                switch_policy(ruleset.vote, defaults(ruleset) | {switch.name: value}, void_counts_as_vote=True)
                for value in other_values(switch)
            ]
    found: set[StrEnum] = set()
    for policy in policies:
        for field in fields(policy):
            value = getattr(policy, field.name)
            parts = [part for poll in policy.polls for part in (poll.decides, poll.immune)]
            parts += [policy.poll("", policy.election_day or 0).decides]
            parts += list(value) if isinstance(value, tuple) else [value]
            found |= {part for part in parts if isinstance(part, StrEnum)}
    return found


@pytest.mark.parametrize("kind", ENUMS, ids=[kind.__name__ for kind in ENUMS])
def test_every_value_of_a_policy_is_used_by_a_system_or_a_switch(kind: type[StrEnum]) -> None:
    assert set(kind) - values_used() == set()


def policy_matches() -> Iterator[tuple[str, ast.Match]]:
    """Every match statement of tally and engine whose cases are values of a policy's enum, with its place."""
    names = {kind.__name__ for kind in ENUMS}
    for path in (path for room in ("tally", "engine") for path in (ROOT / room).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Match):
                inside = (part for case in node.cases for part in ast.walk(case.pattern))
                bases = {part.value.id for part in inside if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name)}
                if bases & names:
                    yield f"{path.name}:{node.lineno}", node


def test_every_match_over_a_policy_ends_in_assert_never() -> None:
    found = dict(policy_matches())
    assert len(found) > 10
    assert [place for place, node in found.items() if "assert_never" not in ast.dump(node.cases[-1])] == []


def test_every_reason_is_given_by_a_rule_or_by_something_else() -> None:
    elsewhere = {"replaced", "must_agree", "manipulated_twice", "ruled_void"}
    assert {rule.reason.value for rule in RULES} | elsewhere == {reason.value for reason in Reason}
