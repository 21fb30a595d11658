"""How many of each role are dealt: the tables of the rule posts, row by row."""

from __future__ import annotations

import pytest

from engine.rulesets import find_ruleset
from engine.starting.composition import compose, read_roles
from scraper.errors import UsageError

# 身份分配 of 马甲杀, as the post prints it: ✓ is one.
VEST = """
10	4	3	✓	✓					✓
12	5	3	✓	✓	✓				✓
13	5	3	✓	✓	✓				✓	✓
14	5	3	✓	✓	✓		✓		✓	✓
15	6	3	✓	✓	✓		✓		✓	✓
16	6	3	✓	✓	✓	✓	✓		✓	✓
17	6	4	✓	✓	✓	✓	✓		✓	✓
18	5	4	✓	✓	✓	✓	✓	✓	✓	✓	✓
19	6	4	✓	✓	✓	✓	✓	✓	✓	✓	✓
20	6	5	✓	✓	✓	✓	✓	✓	✓	✓	✓
"""
COLUMNS = ("狼人", "村民", "先知", "女巫", "守卫", "长老", "猎人", "白痴", "爱神", "吹笛", "白狼")


@pytest.mark.parametrize("row", VEST.strip().split("\n"))
def test_every_row_of_the_vest_table(row: str) -> None:
    players, *cells = row.split("\t")
    printed = {role: 1 if cell == "✓" else int(cell) for role, cell in zip(COLUMNS, cells, strict=False) if cell}
    found = compose(find_ruleset("vest"), int(players), {})
    assert dict(found.roles) == printed
    assert (len(found.cards), found.standard) == (int(players), True)


def test_the_vest_table_has_no_row_for_eleven() -> None:
    with pytest.raises(UsageError, match="规则没有 11 人的配置"):
        compose(find_ruleset("vest"), 11, {})


def test_m29_is_twelve() -> None:
    found = compose(find_ruleset("m29"), 12, {})
    assert dict(found.roles) == {"狼人": 3, "女巫": 1, "替罪羊": 1, "预言": 1, "吹笛者": 1, "丘比特": 1, "村民": 4}


@pytest.mark.parametrize("players", [11, 13])
def test_m29_of_another_size_is_the_directors_to_say(players: int) -> None:
    with pytest.raises(UsageError, match="--roles"):
        compose(find_ruleset("m29"), players, {})


def test_a_composition_that_the_post_has_not_is_dealt_as_the_director_wrote_it() -> None:
    found = compose(find_ruleset("m29"), 5, {"狼人": 1, "预言": 1, "村民": 3})
    assert (dict(found.roles), found.standard) == ({"狼人": 1, "预言": 1, "村民": 3}, False)


def test_secret_number_has_one_of_each_and_the_director_says_how_many_wolves() -> None:
    ruleset = find_ruleset("secret-number")
    with pytest.raises(UsageError, match="--roles 狼人=1"):
        compose(ruleset, 12, {})
    specials = dict.fromkeys(("预言家", "女巫", "长老", "守卫", "丘比特", "猎人", "白痴", "吹笛者"), 1)
    assert dict(compose(ruleset, 14, {"狼人": 4}).roles) == {"狼人": 4, **specials, "村民": 2}
    assert dict(compose(ruleset, 14, {"村民": 2}).roles) == {"狼人": 4, **specials, "村民": 2}


@pytest.mark.parametrize(("players", "villagers"), [(14, 4), (17, 7)])
def test_assertion_is_four_four_two_and_villagers(players: int, villagers: int) -> None:
    found = compose(find_ruleset("assertion"), players, {})
    assert dict(found.roles) == {"村民": villagers, "狼人": 4, "吸血鬼": 4, "吹笛者": 2}


def test_assertion_wants_four_villagers() -> None:
    with pytest.raises(UsageError, match="规则没有 13 人的配置"):
        compose(find_ruleset("assertion"), 13, {})


@pytest.mark.parametrize(
    ("players", "wanted", "cards"),
    [
        (10, {"猎人": 1}, {"狼人": 3, "村民": 3, "猎人": 1}),
        (12, {"白痴": 1}, {"狼人": 4, "村民": 3, "守卫": 1, "白痴": 1}),
        (15, {"盗贼": 0, "猎人": 1}, {"狼人": 5, "村民": 4, "守卫": 1, "长老": 1, "猎人": 1}),
        (15, {"盗贼": 1, "村民": 4}, {"狼人": 5, "村民": 4, "守卫": 1, "长老": 1, "猎人": 1, "白痴": 1, "盗贼": 1}),
        (15, {"村民": 5, "猎人": 1}, {"狼人": 5, "村民": 5, "守卫": 1, "长老": 1, "猎人": 1, "盗贼": 1}),
        (18, {"盗贼": 0}, {"狼人": 6, "村民": 5, "守卫": 1, "长老": 1, "猎人": 1, "白痴": 1}),
        (18, {"村民": 6, "白痴": 1}, {"狼人": 6, "村民": 6, "守卫": 1, "长老": 1, "白痴": 1, "盗贼": 1, "混血": 1}),
    ],
)
def test_the_columns_of_the_table_game(players: int, wanted: dict[str, int], cards: dict[str, int]) -> None:
    found = compose(find_ruleset("table"), players, wanted)
    assert dict(found.roles) == {**cards, "预言家": 1, "女巫": 1, "丘比特": 1}
    assert found.standard
    # 有盗贼的场次身份底牌应为X+2
    assert (len(found.cards), found.spare) == ((players + 2, 2) if "盗贼" in cards else (players, 0))


def test_a_thief_without_two_cards_more_is_told_with_its_rule() -> None:
    # Ten cards for ten seats, 盗贼 among them: 游戏卡牌需比实际游戏人数多2人.
    cards = {"狼人": 3, "村民": 3, "预言家": 1, "女巫": 1, "丘比特": 1, "盗贼": 1}
    (finding,) = compose(find_ruleset("table"), 10, cards).findings
    assert finding.code == "E414"
    assert "游戏卡牌需比实际游戏人数多2人" in dict(finding.parameters)["clause"]


def test_a_home_made_role_is_dealt_as_another_and_played_by_rulings() -> None:
    with pytest.raises(UsageError, match="自创的身份"):
        read_roles(find_ruleset("table"), {"忍者": 1})


def test_hunter_or_idiot_is_the_directors_choice() -> None:
    with pytest.raises(UsageError, match="2 种配置"):
        compose(find_ruleset("table"), 10, {})
