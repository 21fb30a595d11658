"""夜0: what an arrow makes of camps, skills and knowledge; deals that cannot be."""

from __future__ import annotations

import pytest

from engine.play.table import Player, make_table
from engine.rulesets.m29 import M29
from engine.rulesets.secret_number import SECRET_NUMBER
from engine.simulate import rules_of, standard_roles
from tests.engine.play.make import after, m29, numbers, told

# The pair, then the camps of both and of 丘比特, and what he counts as.
M29_PAIRS = [
    ("狼甲 狼乙", "狼人阵营", "狼人阵营", "丘比特"),
    ("女巫 预言", "村民阵营", "村民阵营", "女巫"),
    ("民甲 民乙", "村民阵营", "村民阵营", "村民"),
    ("女巫 民甲", "村民阵营", "村民阵营", "丘比特"),
    ("狼甲 民甲", "黑情侣阵营", "黑情侣阵营", "丘比特"),
    ("吹笛者 民甲", "黑情侣阵营", "黑情侣阵营", "丘比特"),
    ("丘比特 民甲", "村民阵营", "村民阵营", "丘比特"),
    ("丘比特 狼甲", "黑情侣阵营", "黑情侣阵营", "丘比特"),
]


@pytest.mark.parametrize(("pair", "camp", "cupid", "counts_as"), M29_PAIRS, ids=[pair for pair, *_ in M29_PAIRS])
def test_lovers_of_different_camps_leave_both_and_the_archer_follows(pair: str, camp: str, cupid: str, counts_as: str) -> None:
    state = after(m29(), f"夜0 丘比特 金箭 {pair}\n夜0 导演 天亮")
    assert {state.seats[seat].camp for seat in state.lovers} == {camp}
    assert (state.seats[7].camp, state.seats[7].counts_as) == (cupid, counts_as)


def test_an_only_wolf_among_the_lovers_loses_his_kill_and_two_do_not() -> None:
    one = after(m29(), "夜0 丘比特 金箭 狼甲 民甲\n夜0 导演 天亮")
    assert ["杀人" in one.seats[seat].lost for seat in range(3)] == [True, False, False]
    two = after(m29(), "夜0 丘比特 金箭 狼甲 狼乙\n夜0 导演 天亮")
    assert not any(seat.lost for seat in two.seats)
    # In 秘密数字杀 he keeps it.
    kept = after(numbers(), "夜0 丘比特 丘比特之箭 1 12\n夜0 导演 天亮")
    assert not any(seat.lost for seat in kept.seats)


def test_the_first_line_of_day_1_ends_the_opening() -> None:
    state = after(m29(), "夜0 丘比特 金箭 民甲 民乙\n日1 狼甲 投票 民甲")
    assert str(state.phase) == "日1"
    assert told(state, "民甲") == ["你的情侣是 民乙"]


def test_until_then_another_arrow_replaces_the_first() -> None:
    state = after(m29(), "夜0 丘比特 金箭 民甲 民乙\n夜0 爱神 金箭 民丙 民丁\n夜0 导演 天亮")
    assert [state.table.name(seat) for seat in state.lovers] == ["民丙", "民丁"]


def test_a_camp_without_members_is_absent() -> None:
    assert after(m29(), "夜0 丘比特 金箭 民甲 民乙\n夜0 导演 天亮").absent == {"黑情侣阵营"}
    assert after(m29(), "夜0 丘比特 金箭 吹笛者 民乙\n夜0 导演 天亮").absent == {"吹笛者阵营"}


def test_a_game_that_begins_with_one_camp_is_over() -> None:
    players = (Player("狼", "狼人"), Player("丘", "丘比特"), Player("民", "村民"))
    from engine.play.start import start

    state = after(start(make_table(rules_of(M29), players)), "夜0 丘 金箭 狼 民\n夜0 导演 天亮")
    assert state.winner == ("黑情侣阵营",)


@pytest.mark.parametrize(
    ("players", "problem"),
    [
        ((Player("甲", "狼人"), Player("甲", "村民")), "one name"),
        ((Player("甲", "狼人", 1), Player("乙", "村民", 1)), "one number"),
        ((Player("甲", "白狼"),), "no role"),
    ],
)
def test_a_table_that_cannot_be_is_an_error(players: tuple[Player, ...], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        make_table(rules_of(SECRET_NUMBER), players)


@pytest.mark.parametrize("players", [9, 10, 12, 15, 18])
def test_a_standard_table_has_so_many_seats(players: int) -> None:
    roles = standard_roles(SECRET_NUMBER.roles, players)
    assert len(roles) == players
    assert roles.count("村民") >= 2
    assert roles.count("狼人") == max(2, players // 4)
