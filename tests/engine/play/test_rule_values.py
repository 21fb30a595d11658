"""The rule systems' values against their posts: every clause to the character, every role and step, what a switch can turn."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.play.rules import Play, StepKind
from engine.ruleset import RuleSet
from engine.rulesets import PLAYED, UnknownRuleSet, find_playable
from engine.rulesets.assertion import ASSERTION
from engine.rulesets.m29 import M29
from engine.rulesets.secret_number import SECRET_NUMBER
from engine.rulesets.table import TABLE
from engine.rulesets.vest import VEST
from engine.simulate import default_switches, rules_of, standard_roles
from engine.switches import SYSTEMS, Value
from tally.policy import Clause

# The rule posts are handed to contributors beside the project, and are not part of it.
POSTS = Path(__file__).parents[4] / "shared" / "seeds"
SEEDS = {
    M29.id: "004_030bb1f8919f46c5.txt",
    SECRET_NUMBER.id: "000_e9cea8bd883bbac3.txt",
    ASSERTION.id: "002_160288d6eeb3be9e.txt",
    VEST.id: "001_675d03f46a1596de.txt",
    TABLE.id: "003_d85fab25c31ebadb.txt",
}

needs_posts = pytest.mark.skipif(not POSTS.is_dir(), reason=f"the rule posts are not at {POSTS}")
each_system = pytest.mark.parametrize("ruleset", list(PLAYED.values()), ids=list(PLAYED))


def clauses(play: Play) -> Iterator[Clause]:
    """Every clause that the values of a system rest on."""
    for role in play.roles:
        yield from (skill.clause for skill in role.skills)
    yield from (step.clause for step in (*play.opening, *play.steps))
    yield from (play.succession.clause, play.last_words.clause)
    if play.lovers.widow is not None:
        yield play.lovers.widow.clause


@needs_posts
@each_system
def test_every_clause_stands_in_the_rule_post_to_the_character(ruleset: RuleSet) -> None:
    text = (POSTS / SEEDS[ruleset.id]).read_text(encoding="utf-8")
    wanted = {clause.text for clause in clauses(rules_of(ruleset))}
    wanted |= {switch.clause for switch in ruleset.switches if switch.clause}
    wanted |= {clause.text for clause in ruleset.vote.clauses.values() if not getattr(clause, "borrowed", False)}
    assert [clause for clause in sorted(wanted) if clause not in text] == []


@needs_posts
@each_system
def test_every_role_camp_and_skill_is_named_in_the_rule_post(ruleset: RuleSet) -> None:
    text = (POSTS / SEEDS[ruleset.id]).read_text(encoding="utf-8")
    play = rules_of(ruleset)
    names = {role.name for role in play.roles} | {camp.name for camp in play.camps}
    names |= {skill.name for role in play.roles for skill in role.skills}
    # 面杀 has no word for what its 替罪羊 suffers; that of M29 stands in.
    nameless = {"冤死"} if ruleset is TABLE else set()
    assert [name for name in sorted(names) if name not in text and name not in nameless] == []


@each_system
def test_every_skill_of_a_step_is_some_seats(ruleset: RuleSet) -> None:
    play = rules_of(ruleset)
    own = {skill.name for role in play.roles for skill in role.skills}
    own |= {play.lovers.widow.name} if play.lovers.widow is not None else set()
    asked = [skill for step in (*play.opening, *play.steps) if step.kind is StepKind.ASK for skill in step.skills]
    assert set(asked) <= own
    assert len(asked) == len(set(asked))
    settled = [name for step in play.steps if step.kind is StepKind.POLLS for name in step.skills]
    assert sorted(settled) == sorted(poll.name for poll in play.votes.polls)
    naming = (StepKind.ASK, StepKind.POLLS)
    assert all(bool(step.skills) is (step.kind in naming) for step in (*play.opening, *play.steps))


@each_system
def test_every_role_belongs_to_a_camp_that_there_is(ruleset: RuleSet) -> None:
    play = rules_of(ruleset)
    camps = {camp.name for camp in play.camps}
    # 混血 and 变脸者 of 面杀 have none.
    assert {role.camp for role in play.roles} - ({""} if ruleset is TABLE else set()) <= camps
    assert {play.village, play.wolves, play.lovers.camp} - {""} <= camps


def test_m29_deals_twelve_seats_as_its_post_says() -> None:
    # 身份配置为：3狼，1女巫，1替罪羊，1预言，1笛子，1丘，4村民。
    dealt = standard_roles(M29.roles, 12)
    assert {role: dealt.count(role) for role in dealt} == {
        "狼人": 3,
        "女巫": 1,
        "替罪羊": 1,
        "预言": 1,
        "吹笛者": 1,
        "丘比特": 1,
        "村民": 4,
    }


def other_values(value: Value, choices: tuple[str, ...]) -> Iterator[Value]:
    """What a switch can be turned to from its default."""
    match value:
        case bool():
            yield not value
        case int():
            yield value + 1
        case str():
            yield from (choice for choice in choices if choice != value)
        case tuple():
            yield value[::-1] if len(value) > 1 else choices


# What a count of a thread reads, and the engine's fold of ledger lines does not.
OF_THE_THREAD = {"ballot.second", "ballot.change_reply", "ballot.edits", "ballot.reason"}


@each_system
def test_every_switch_of_the_engine_changes_how_the_game_is_played(ruleset: RuleSet) -> None:
    # Some switches speak to one variant of a skill alone.
    bases: tuple[dict[str, Value], ...] = ({}, {one.name: 2 for one in ruleset.switches if one.name.startswith("skill.")})
    without_effect = [
        switch.name
        for switch in ruleset.switches
        if all(
            rules_of(ruleset, {**base, switch.name: value}) == rules_of(ruleset, base)
            for base in bases
            for value in other_values(switch.default, switch.choices)
            if switch.name not in base
        )
    ]
    assert set(without_effect) <= OF_THE_THREAD


@each_system
def test_the_defaults_are_values_of_their_switches(ruleset: RuleSet) -> None:
    for switch in ruleset.switches:
        chosen = switch.default if isinstance(switch.default, tuple) else (switch.default,)
        assert switch.needed or not switch.choices or set(map(str, chosen)) <= set(switch.choices), switch.name
        assert switch.meaning, switch.name
    assert len({switch.name for switch in ruleset.switches}) == len(ruleset.switches)


def test_every_switch_that_the_registry_gives_to_a_system_is_one_of_its_switches() -> None:
    titles = {SECRET_NUMBER.title: SECRET_NUMBER, ASSERTION.title: ASSERTION, TABLE.title: TABLE}
    for name, systems in SYSTEMS.items():
        for title, ruleset in titles.items():
            assert (name in default_switches(ruleset)) is (title in systems), name


@pytest.mark.parametrize("name", ["m29", "小泡佩奇", "secret-number", "秘密数字杀", "Secret-Number", "断言", "面杀", "table"])
def test_a_system_is_found_by_each_of_its_names(name: str) -> None:
    assert find_playable(name).play is not None


@pytest.mark.parametrize(("name", "problem"), [("扑克", "没有")])
def test_a_system_that_is_not_played_says_so(name: str, problem: str) -> None:
    with pytest.raises(UnknownRuleSet, match=problem):
        find_playable(name)
