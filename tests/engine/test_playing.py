"""A game file with its ledger, played: where late lines and results stand, what undoing does, votes from a thread."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from engine.ledger import parse_ledger
from engine.play.refusal import Refused
from engine.play.state import GameState, ThreadVotes
from engine.playing import Played, play
from engine.threads import day_facts
from tally.day import Day
from tests.engine.play.make import ZONE, in_phase, m29, name_of, outs

NIGHT, DAY = in_phase("夜2"), in_phase("日2")
OPENS = datetime(2018, 6, 4, 9, 0, tzinfo=ZONE)


def played(state: GameState, text: str, votes: dict[str, str | None] | None = None) -> Played:
    """A ledger played; `votes` are those of every thread."""

    def read(now: GameState) -> ThreadVotes:
        if votes is None:
            raise Refused("E337", day=now.phase.number, why="-")
        names = now.table.names
        return ThreadVotes(tuple((names[voter], None if target is None else names[target]) for voter, target in votes.items()))

    return play(state, parse_ledger(text, ZONE), read)


def refusals(game: Played) -> list[tuple[int, str]]:
    """The lines that were refused, and their codes."""
    return [(one.order.number, one.refused.code) for one in game.rejected]


NIGHT_LINES = """夜2 狼甲 杀人 民甲
夜2 导演 天亮
日3 狼甲 投票 民乙
日3 导演 截票
"""


def test_a_late_choice_stands_before_its_night_was_closed() -> None:
    game = played(m29(NIGHT), f"{NIGHT_LINES}补 夜2 女巫 救药 民甲")
    assert outs(game.state) == [("民乙", "投票")]
    assert refusals(game) == []


def test_a_late_choice_of_a_step_that_was_closed_stands_before_that() -> None:
    lines = NIGHT_LINES.replace("夜2 导演 天亮", "夜2 导演 收 女巫\n夜2 导演 天亮")
    assert outs(played(m29(NIGHT), f"{lines}补 夜2 女巫 毒药 狼乙").state) == [
        ("民甲", "杀人"),
        ("狼乙", "毒药"),
        ("民乙", "投票"),
    ]


def test_a_late_choice_replaces_an_earlier_one_of_the_same_seat_and_skill() -> None:
    assert outs(played(m29(NIGHT), f"{NIGHT_LINES}补 夜2 狼甲 杀人 民丙").state)[0] == ("民丙", "杀人")


def test_a_late_line_that_the_rules_forbid_is_refused_and_changes_nothing() -> None:
    game = played(m29(NIGHT), f"{NIGHT_LINES}补 夜2 女巫 救药 女巫")
    assert refusals(game) == [(5, "E316")]
    assert outs(game.state) == [("民甲", "杀人"), ("民乙", "投票")]


def test_a_late_line_does_not_push_out_a_choice_that_excludes_it() -> None:
    # <毒药>发动后，该夜晚不可发动<救药>: what was done and published stands until the director undoes it.
    lines = NIGHT_LINES.replace("夜2 导演 天亮", "夜2 女巫 毒药 狼乙\n夜2 导演 天亮")
    game = played(m29(NIGHT), f"{lines}补 夜2 女巫 救药 民甲")
    assert refusals(game) == [(6, "E317")]
    assert "毒药" in game.rejected[0].refused.sentence
    assert outs(game.state) == [("民甲", "杀人"), ("狼乙", "毒药"), ("民乙", "投票")]
    undone = played(m29(NIGHT), f"{lines}撤销 #2\n补 夜2 女巫 救药 民甲")
    assert (outs(undone.state), refusals(undone)) == ([("民乙", "投票")], [])


def test_a_late_answer_stands_after_the_close_and_before_the_time_was_up() -> None:
    lines = "日2 狼甲 投票 民甲\n日2 导演 截票\n日2 导演 超时 警长\n夜2 导演 天亮\n补 日2 警长 殉职 民丁"
    game = played(m29(replace(DAY, sheriff="民甲")), lines)
    assert name_of(game.state, game.state.sheriff) == "民丁"
    # The director's 超时 is the line that does not hold any more.
    assert refusals(game) == [(3, "E302")]


def test_later_lines_that_became_illegal_are_told() -> None:
    game = played(m29(NIGHT), f"{NIGHT_LINES}夜3 狼甲 杀人 民丙\n补 夜2 女巫 毒药 狼甲")
    assert outs(game.state) == [("民甲", "杀人"), ("狼甲", "毒药")]
    assert refusals(game) == [(3, "E306"), (4, "E337"), (5, "E302")]


def test_an_undone_line_was_never_there() -> None:
    game = played(m29(NIGHT), "夜2 狼甲 杀人 民甲\n夜2 狼乙 杀人 民乙\n夜2 导演 天亮\n撤销 #2")
    assert outs(game.state) == [("民甲", "杀人")]


def test_a_result_that_is_ruled_after_the_close_is_the_days() -> None:
    game = played(m29(DAY), "日2 狼甲 投票 民甲\n日2 导演 截票\n日2 导演 裁定 结果 出局 民乙 ; 已误公示，维持")
    assert outs(game.state) == [("民乙", "投票")]
    nobody = played(m29(DAY), "日2 狼甲 投票 民甲\n日2 导演 截票\n日2 导演 裁定 结果 出局 无人")
    assert outs(nobody.state) == []


def test_a_vote_without_lines_takes_those_of_the_thread() -> None:
    votes: dict[str, str | None] = {"狼甲": "民甲", "狼乙": "民乙", "民甲": "民乙", "民乙": None}
    assert outs(played(m29(DAY), "日2 导演 截票", votes).state) == [("民乙", "投票")]
    # The sheriff weighs two by the game's own facts: a tie.
    assert outs(played(m29(replace(DAY, sheriff="狼甲")), "日2 导演 截票", votes).state) == [("替罪羊", "冤死")]


@pytest.mark.parametrize(
    ("lines", "told"), [("", None), ("日2 导演 裁定 事实 失去 替罪羊 隔音", None), ("日2 导演 裁定 事实 失去 替罪羊 冤死", "")]
)
def test_a_thread_is_counted_with_a_scapegoat_who_has_not_lost_his_skill(lines: str, told: str | None) -> None:
    day = Day(number=2, opens=OPENS, closes=OPENS + timedelta(hours=12), vote=1235)
    assert day_facts(played(m29(DAY), lines).state, day).scapegoat == told


def test_votes_of_the_ledger_go_before_a_thread() -> None:
    assert outs(played(m29(DAY), "日2 狼甲 投票 民丙\n日2 导演 截票", {"狼甲": "民甲"}).state) == [("民丙", "投票")]


def test_a_proxy_alone_leaves_the_votes_to_the_thread_which_holds_it_too() -> None:
    assert outs(played(m29(DAY), "日2 导演 代投 狼甲 民丙\n日2 导演 截票", {"狼甲": "民甲"}).state) == [("民甲", "投票")]


def test_that_nobody_voted_is_never_concluded_from_a_thread_that_is_not_there() -> None:
    assert refusals(played(m29(DAY), "日2 导演 截票")) == [(1, "E337")]
    told = played(m29(DAY), "日2 导演 截票 无票=是")
    assert outs(told.state) == [("替罪羊", "冤死")]


def test_the_thread_of_day_1_is_counted_after_the_arrow() -> None:
    votes: dict[str, str | None] = {"狼甲": "民甲"}
    game = play(m29(), parse_ledger("夜0 丘比特 金箭 民甲 民乙\n日1 导演 截票", ZONE), lambda now: _elect(now, votes))
    assert name_of(game.state, game.state.sheriff) == "民甲"


def _elect(now: GameState, votes: dict[str, str | None]) -> ThreadVotes:
    assert str(now.phase) == "日1"
    names = now.table.names
    return ThreadVotes(tuple((names[voter], names[target]) for voter, target in votes.items() if target), names["民甲"])


FACTS = [
    ("出局 民甲", lambda state: outs(state) == [("民甲", "裁定")]),
    ("警长 民甲", lambda state: name_of(state, state.sheriff) == "民甲"),
    ("警长 无人", lambda state: state.sheriff is None),
    ("阵营 民甲 狼人阵营", lambda state: state.seats[8].camp == "狼人阵营"),
    ("吹笛 民甲", lambda state: state.seats[8].chanted),
    ("失去 女巫 毒药", lambda state: "毒药" in state.seats[3].lost),
    ("禁票 民甲 民乙", lambda state: state.barred == {8, 9}),
    ("判负 狼人阵营", lambda state: state.lost == ("狼人阵营",)),
    ("获胜 村民阵营", lambda state: state.winner == ("村民阵营",)),
]


@pytest.mark.parametrize(("fact", "holds"), FACTS, ids=[fact for fact, _ in FACTS])
def test_the_director_may_set_a_fact_straight(fact: str, holds: object) -> None:
    game = played(m29(replace(DAY, sheriff="民乙")), f"日2 导演 裁定 事实 {fact} ; 理由")
    assert refusals(game) == []
    assert callable(holds)
    assert holds(game.state)


def test_a_seat_can_be_brought_back_and_a_skill_given_back() -> None:
    given = replace(DAY, out=(("民甲", "投票"),), used=("毒药",))
    game = played(
        m29(given), "日2 导演 裁定 事实 在场 民甲\n日2 导演 裁定 事实 恢复 女巫 毒药\n日2 狼甲 投票 民甲\n日2 导演 截票"
    )
    assert outs(game.state) == [("民甲", "投票")]
    night = play(game.state, parse_ledger("夜2 女巫 毒药 狼甲", ZONE))
    assert night.rejected == ()


def test_cards_of_a_day_may_be_given_after_its_close() -> None:
    cards = "日2 导演 黄牌 民乙 ; 未投票\n夜2 导演 天亮\n日3 狼甲 投票 民丙\n日3 导演 截票\n日3 导演 黄牌 民乙"
    game = played(m29(DAY), f"日2 狼甲 投票 民甲\n日2 导演 截票\n{cards}")
    assert refusals(game) == []
    assert outs(game.state) == [("民甲", "投票"), ("民丙", "投票"), ("民乙", "红牌")]


def test_what_only_a_count_reads_may_speak_of_any_day() -> None:
    notes = "日2 导演 裁定 票 tid=1 pid=2 作废\n日1 导演 公示 吹笛者出局\n日2 导演 关门 @2018-06-05T22:00"
    game = played(m29(DAY), f"日2 导演 截票 无票=是\n日2 替罪羊 放弃\n{notes}")
    assert refusals(game) == []
