"""断言 by day and night: the draw of a tie, what is told to whom, and what the words of a prayer may look like."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from engine.play.draws import write_draws
from engine.play.messages import PUBLIC
from engine.play.state import GameState
from engine.play.views import see_as, see_public
from tally.draws import draw
from tests.engine.play.make import FOURTEEN, after, in_phase, obey, souls, told

TIE = "日1 狼甲 撕咬 血甲\n日1 狼乙 撕咬 民甲\n日1 狼丙 撕咬 笛甲\n日1 导演 截票\n夜1 导演 天亮"


def who_is_a_soul(state: GameState) -> list[str]:
    return [state.table.name(seat) for seat, one in enumerate(state.seats) if one.soul]


def test_a_tie_is_drawn_as_a_count_of_the_same_votes_draws_it() -> None:
    found = {seed: who_is_a_soul(after(souls(seed=seed), TIE)) for seed in map(str, range(40))}
    assert found == {seed: [draw(seed, "日1 撕咬", ["血甲", "民甲", "笛甲"])] for seed in found}
    assert {name for (name,) in found.values()} == {"血甲", "民甲", "笛甲"}


def test_the_draw_is_made_in_the_night_and_recorded() -> None:
    state = after(souls(), TIE.removesuffix("夜1 导演 天亮"))
    assert (state.draws, who_is_a_soul(state)) == ((), [])
    state = after(state, "夜1 导演 天亮")
    (drawn,) = state.draws
    assert (str(drawn.phase), drawn.what, len(drawn.among)) == ("夜1", "撕咬", 3)
    assert [state.table.name(seat) for seat in drawn.chosen] == who_is_a_soul(state)


def test_a_stored_draw_holds() -> None:
    state = after(souls(), TIE.replace("天亮", "天亮 抽得=笛甲"))
    assert who_is_a_soul(state) == ["笛甲"]


def test_several_draws_of_one_night_are_told_apart_by_what_they_are_for() -> None:
    both = "日1 血甲 血饮 民乙\n日1 血乙 血饮 民丙\n" + TIE
    state = after(souls(), both)
    hit = {one.what: state.table.name(one.chosen[0]) for one in state.draws}
    assert write_draws(state.table, state.draws) == f"撕咬:{hit['撕咬']}、血饮:{hit['血饮']}"
    # Stored, and then a late ballot makes 撕咬 no tie: 血饮 keeps what it drew.
    other = "民丙" if hit["血饮"] == "民乙" else "民乙"
    stored = both.replace("天亮", f"天亮 抽得=撕咬:民甲、血饮:{other}")
    assert who_is_a_soul(after(souls(), stored)) == ["民甲", other]
    late = stored.replace("日1 狼甲 撕咬 血甲\n", "日1 狼甲 撕咬 血甲\n日1 狼丁 撕咬 血甲\n")
    assert who_is_a_soul(after(souls(), late)) == [other, "血甲"]


def test_no_vote_is_published() -> None:
    state = after(souls(), TIE)
    assert [text for text in told(state, "公示") if "票" in text] == []
    assert told(state, "公示") == [f"进入灵魂状态：{who_is_a_soul(state)[0]}"]


def test_a_soul_has_its_skill_only_from_the_opening_that_publishes_it() -> None:
    state = after(souls(), "日1 狼甲 撕咬 民甲\n日1 导演 截票")
    assert see_as(state, 0).skills == ("审讯", "祈祷")
    state = after(state, "夜1 导演 天亮")
    assert see_as(state, 0).skills == ("审讯", "祈祷", "羁绊")
    assert see_public(state).souls == ("民甲",)


def test_who_is_chanted_is_told_nobody() -> None:
    state = after(souls(in_phase("夜1")), "夜1 笛甲 吹笛 民甲\n夜1 笛乙 吹笛 笛甲\n夜1 导演 天亮")
    assert [state.table.name(seat) for seat, one in enumerate(state.seats) if one.chanted] == ["民甲", "笛甲"]
    assert state.messages == ()
    assert see_public(state).chanted == ()


def test_pipers_wolves_and_vampires_are_told_nobody_of_their_own() -> None:
    state = souls()
    assert {seat: see_as(state, seat).roles for seat in state.table.everybody} == {seat: {} for seat in state.table.everybody}
    assert (state.contacts, state.messages) == ((), ())


def test_an_interrogated_identity_is_public_from_the_next_opening_on() -> None:
    state = after(souls(), "日1 民甲 审讯 狼甲\n日1 导演 截票\n夜1 导演 收 狼人")
    assert see_public(state).roles == {}
    state = after(state, "夜1 导演 天亮")
    assert see_public(state).roles == {"狼甲": "狼人"}
    assert [message.to for message in state.messages] == [PUBLIC]


RIGHT = [
    " ".join(f"{name}={role}" for name, role in FOURTEEN.items()),
    " ".join(f"{name} {role}" for name, role in FOURTEEN.items()),
    " ".join(f"{name}:{role}" for name, role in FOURTEEN.items()),
    "、".join(f"{name}：{role}" for name, role in FOURTEEN.items()),
    "村民 民甲 民乙 民丙 民丁 狼人 狼甲 狼乙 狼丙 狼丁 吸血鬼 血甲 血乙 血丙 血丁 吹笛者 笛甲 笛乙",
    "村民=民甲、民乙、民丙、民丁 狼人=狼甲，狼乙，狼丙，狼丁 吸血鬼=血甲,血乙,血丙,血丁 吹笛者=笛甲、笛乙",
    "民 民甲 民乙 民丙 民丁 狼 狼甲、狼乙、狼丙、狼丁 吸血鬼 血甲 血乙 血丙 血丁 笛子 笛甲 笛乙",
]


@pytest.mark.parametrize("table", RIGHT, ids=[text[:12] for text in RIGHT])
def test_a_prayer_may_be_written_in_pairs_or_by_identity(table: str) -> None:
    assert after(souls(in_phase("夜1")), f"夜1 民甲 祈祷 {table}\n夜1 导演 天亮").winner == ("村民阵营",)


@pytest.mark.parametrize("place", range(14))
def test_a_prayer_with_one_wrong_identity_or_none_is_nothing(place: int) -> None:
    names = list(FOURTEEN)
    wrong = {**FOURTEEN, names[place]: "狼人" if FOURTEEN[names[place]] != "狼人" else "村民"}
    left = {name: role for name, role in FOURTEEN.items() if name != names[place]}
    for table in (wrong, left):
        line = f"夜1 民甲 祈祷 {' '.join(f'{name}={role}' for name, role in table.items())}"
        found = obey(souls(in_phase("夜1")), f"{line}\n夜1 导演 天亮")
        assert (found.rejected, found.state.winner, told(found.state, "民甲")) == ((), (), [])


def test_two_results_of_one_day_are_ruled_for_two_of_its_votes() -> None:
    ruled = "日1 导演 裁定 结果 民甲 票=撕咬\n日1 导演 裁定 结果 灵魂 民乙 票=血饮\n"
    state = after(souls(), f"{ruled}日1 狼甲 撕咬 血甲\n日1 导演 截票\n夜1 导演 天亮")
    assert who_is_a_soul(state) == ["民甲", "民乙"]
    state = after(state, "日2 狼甲 撕咬 血甲\n日2 导演 截票\n夜2 导演 天亮")
    assert who_is_a_soul(state) == ["民甲", "民乙", "血甲"]


def test_the_director_sets_souls_and_identities_straight() -> None:
    state = after(souls(), "日1 导演 裁定 事实 灵魂 民甲\n日1 导演 裁定 事实 公示身份 狼甲\n日1 导演 裁定 事实 灵魂 血甲")
    state = after(state, "日1 导演 裁定 事实 解除灵魂 血甲")
    assert (see_public(state).souls, see_public(state).roles) == (("民甲",), {"狼甲": "狼人"})


def test_a_ballot_that_names_another_vote_is_void() -> None:
    state = after(souls(), "日1 狼甲 投票 血甲 票=血饮\n日1 狼乙 投票 血乙 票=撕咬\n日1 导演 截票")
    assert {one.poll: dict(one.votes) for one in state.votes} == {"审讯": {}, "撕咬": {state.table.names["血乙"]: 1}, "血饮": {}}


def test_a_manipulation_beyond_the_one_of_the_day_is_void_also_where_the_first_was() -> None:
    lines = "日1 笛甲 操纵 民甲 民甲\n日1 笛甲 操纵 民甲 狼甲\n日1 导演 截票"
    assert dict(after(souls(), lines).votes[0].votes) == {}
    assert len(after(souls(private_ballot__change="last"), lines).votes[0].votes) == 1


def random_day(dice: random.Random) -> list[list[str]]:
    """The lines of each voter of a day, in his own order: some of them void (himself, a soul, a public identity)."""
    names = [name for name, role in FOURTEEN.items() if role != "吹笛者"]
    return [
        [f"日2 {name} 投票 {dice.choice([*FOURTEEN, '弃权'])}" for _ in range(dice.choice((0, 1, 1, 2, 3)))] for name in names
    ]


def count(lines: list[str], **switches: str) -> dict[str, dict[int, int]]:
    given = replace(in_phase("日2"), souls=("狼甲", "血甲", "民甲"), published=("狼乙", "血乙", "民乙"))
    state = after(souls(given, **switches), "\n".join([*lines, "日2 笛甲 操纵 民丙 狼丙", "日2 导演 截票"]))
    return {one.poll: dict(one.votes) for one in state.votes}


@pytest.mark.parametrize("change", ["none", "last"])
@pytest.mark.parametrize("seed", range(10))
def test_the_order_of_different_voters_changes_no_count(seed: int, change: str) -> None:
    dice = random.Random(seed)
    own = random_day(dice)
    turns = [place for place, lines in enumerate(own) for _ in lines]
    dice.shuffle(turns)
    left = [list(lines) for lines in own]
    shuffled = [left[place].pop(0) for place in turns]
    in_order = [line for lines in own for line in lines]
    assert count(shuffled, private_ballot__change=change) == count(in_order, private_ballot__change=change)


@pytest.mark.parametrize("change", ["none", "last"])
@pytest.mark.parametrize("seed", range(10))
def test_a_void_ballot_changes_no_count(seed: int, change: str) -> None:
    lines = [line for own in random_day(random.Random(seed)) for line in own]
    void = {line for line in lines if is_forbidden(*line.split()[1::2])}
    assert void
    legal = [line for line in lines if line not in void]
    assert count(legal, private_ballot__change=change) == count(lines, private_ballot__change=change)


def is_forbidden(voter: str, target: str) -> bool:
    """By the rule post: 自己除外; 村民 on 未被公示身份的角色, the others on 未进入灵魂状态的角色."""
    barred = ("狼乙", "血乙", "民乙") if FOURTEEN[voter] == "村民" else ("狼甲", "血甲", "民甲")
    return target in (voter, *barred)
