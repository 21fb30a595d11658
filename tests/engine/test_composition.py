"""Which sets of roles a system deals: every impossible one is an error that says its rule."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.rulesets import BUILT
from engine.rulesets.compositions import COMPOSITIONS, check_composition
from engine.rulesets.table_configurations import CONFIGURATIONS
from engine.switches import Value
from tally.finding import KINDS, Severity, sentence, severity

POSTS = Path(__file__).parents[3] / "shared" / "seeds"
SEEDS = {
    "secret-number": "000_e9cea8bd883bbac3.txt",
    "vest": "001_675d03f46a1596de.txt",
    "assertion": "002_160288d6eeb3be9e.txt",
    "table": "003_d85fab25c31ebadb.txt",
    "m29": "004_030bb1f8919f46c5.txt",
}
needs_posts = pytest.mark.skipif(not POSTS.is_dir(), reason=f"the rule posts are not at {POSTS}")

TEN = ["狼人"] * 3 + ["村民"] * 3 + ["预言家", "女巫", "丘比特", "猎人"]


def codes(system: str, roles: list[str], players: int | None = None, switches: dict[str, Value] | None = None) -> list[str]:
    """The codes of what is wrong."""
    return [one.code for one in check_composition(BUILT[system], roles, players=players, switches=switches)]


M29 = ["狼人"] * 3 + ["女巫", "替罪羊", "预言", "吹笛者", "丘比特"] + ["村民"] * 4
IMPOSSIBLE = [
    ("m29", [*M29, "女巫"], None, {}, "E411"),
    ("m29", [*M29, "守卫"], None, {}, "E410"),
    ("m29", M29, 11, {}, "E415"),
    ("m29", ["狼人", "狼人"], None, {}, "E419"),
    ("secret-number", ["狼人", "村民", "长老", "长老"], None, {}, "E411"),
    ("secret-number", ["村民", "吹笛者"], None, {}, "E412"),
    ("vest", ["狼人"] * 4 + ["村民"] * 4 + ["先知", "女巫", "爱神"], None, {}, "E417"),
    ("vest", ["狼人"] * 3 + ["村民"] * 4 + ["先知", "女巫", "爱神"], None, {}, "E418"),
    ("assertion", ["村民"] * 4 + ["狼人"] * 4 + ["吸血鬼"] * 4 + ["吹笛者"], None, {}, "E412"),
    ("assertion", ["村民"] * 4 + ["狼人"] * 5 + ["吸血鬼"] * 4 + ["吹笛者"] * 2, None, {}, "E411"),
    ("table", [*TEN, "两姐妹"], None, {}, "E413"),
    ("table", [*TEN, "三兄弟", "三兄弟"], None, {}, "E413"),
    ("table", [*TEN, "三兄弟", "三兄弟", "三兄弟", "三兄弟"], None, {}, "E413"),
    ("table", [*TEN, "猎人"], None, {}, "E411"),
    ("table", [*TEN, "盗贼"], 11, {}, "E414"),
    ("table", [*TEN, "盗贼"], 10, {}, "E414"),
    ("table", [*TEN, "天使"], None, {}, "E416"),
    ("table", [*TEN, "狼狗"], None, {"roles.enabled": ("天使",)}, "E416"),
]


@pytest.mark.parametrize(("system", "roles", "players", "switches", "code"), IMPOSSIBLE)
def test_an_impossible_set_is_an_error_that_says_its_rule(
    system: str, roles: list[str], players: int | None, switches: dict[str, Value], code: str
) -> None:
    errors = [
        one
        for one in check_composition(BUILT[system], roles, players=players, switches=switches)
        if severity(one) is Severity.ERROR
    ]
    assert [one.code for one in errors] == [code]
    assert "{" not in sentence(errors[0]) + sentence(errors[0], "en")
    if code not in ("E410", "E415", "E419"):
        assert dict(errors[0].parameters)["clause"]


POSSIBLE = [
    ("m29", M29, 12, {}),
    ("m29", [*M29[:-1], "猎人"], 12, {}),
    ("m29", ["狼人", "狼人", "村民", "村民", "猎人"], 5, {}),
    ("secret-number", ["狼人", "狼人", "村民", "吹笛者"], None, {}),
    ("vest", ["狼人"] * 4 + ["村民"] * 3 + ["先知", "女巫", "爱神"], 10, {}),
    ("assertion", ["村民"] * 6 + ["狼人"] * 4 + ["吸血鬼"] * 4 + ["吹笛者"] * 2, 16, {}),
    ("table", TEN, 10, {}),
    ("table", [*TEN, "两姐妹", "两姐妹", "三兄弟", "三兄弟", "三兄弟"], 15, {}),
    ("table", [*TEN, "高级村民", "高级村民"], 12, {}),
    ("table", [*TEN, "天使"], 11, {"roles.enabled": ("天使",)}),
    ("table", [*TEN, "盗贼", "白痴", "白狼"], 11, {}),
]


@pytest.mark.parametrize(("system", "roles", "players", "switches"), POSSIBLE)
def test_a_possible_set_is_none(system: str, roles: list[str], players: int | None, switches: dict[str, Value]) -> None:
    assert codes(system, roles, players, switches) == []


def test_a_fox_at_a_small_table_and_unusual_numbers_are_warnings() -> None:
    assert codes("table", [*TEN, "狐狸"]) == ["E420"]
    assert codes("table", [*TEN[1:], "狐狸"]) == ["E421", "E420"]
    assert {KINDS[code].severity for code in ("E420", "E421")} == {Severity.WARNING}


def test_every_way_of_the_table_is_possible_and_adds_up() -> None:
    sizes = {one.name: (one.players, len(one.cards)) for one in CONFIGURATIONS}
    assert sizes == {"10": (10, 10), "12": (12, 12), "15": (15, 15), "15+盗贼": (15, 17), "18": (18, 18), "18+盗贼": (18, 20)}
    for one in CONFIGURATIONS:
        assert codes("table", list(one.cards), one.players) == [], one.name
        assert len(one.cards) == sizes[one.name][1]


@needs_posts
@pytest.mark.parametrize("system", SEEDS)
def test_every_clause_of_a_composition_stands_in_its_rule_post(system: str) -> None:
    text = (POSTS / SEEDS[system]).read_text(encoding="utf-8")
    one = COMPOSITIONS[system]
    clauses = {limit.clause.text for limit in one.limits} | {advice.clause.text for advice in one.advice}
    clauses |= {part.clause.text for part in (one.spare, one.shelf, one.rows) if part is not None}
    assert [clause for clause in sorted(clauses) if clause not in text] == []


@pytest.mark.parametrize("system", SEEDS)
def test_every_role_that_a_composition_names_is_one_of_the_system(system: str) -> None:
    known = {role.name for role in BUILT[system].roles}
    assert {limit.role for limit in COMPOSITIONS[system].limits} <= known
