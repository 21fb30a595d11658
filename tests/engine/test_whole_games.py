"""One whole recorded game of every system, from the deal to the winner, and what a change in it makes of the rest."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from engine.replay import replay_case
from engine.rulesets import BUILT
from tests.engine.command import run
from tests.engine.test_vote_cases import POSTS, SEEDS
from tests.engine.whole_games import SYSTEMS, change, change_page, copy_game, differences, drop_lines, whole_game

# Whom each vote names, in order, and who wins.
VERDICTS: dict[str, tuple[tuple[str, ...], str]] = {
    "secret-number": (("6", "6", "5", "10", "9", "14"), "村民阵营"),
    "vest": (("寒江", "长风", "远山", "青衫"), "村民阵营"),
    "assertion": (
        ("狼一", "血一", "甲一", "狼二", "血二", "狼一", "血三", "笛二", "狼一", "", "甲三", "", "", "血四", ""),
        "村民阵营",
    ),
    "table": (("赵六", "周八", "沈十四", "吴九"), "村民阵营"),
    "m29": (("青岚", "10号", "汤圆", "K先生"), "黑情侣阵营"),
}
# The lines that a game's ledger holds against the rules, in order.
REFUSED = {"secret-number": ["E317", "E315"], "assertion": ["E341", "E315", "E342"]}


@pytest.fixture(scope="module", params=SYSTEMS)
def system(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_every_system_has_one() -> None:
    assert set(SYSTEMS) == set(BUILT) == set(VERDICTS)


def test_it_replays_as_expected(system: str) -> None:
    result = replay_case(whole_game(system))
    assert result.differences == ()
    assert all(tally.final for tally in result.tallies)
    assert tuple("".join(tally.verdict.seats) for tally in result.tallies) == VERDICTS[system][0]


def test_what_its_source_quotes_stands_in_the_rule_post_to_the_word(system: str) -> None:
    if not SEEDS.is_dir():
        pytest.skip(f"the rule posts are not beside the project: {SEEDS.name}")
    (post,) = SEEDS.glob(f"{POSTS[system]}_*.txt")
    rules = post.read_text(encoding="utf-8")
    source = (whole_game(system) / "SOURCE.md").read_text(encoding="utf-8")
    assert source.startswith("# whole_game\n")
    clauses = re.findall(r"^> (.+)$", source, re.M)
    assert clauses
    assert [
        one for one in clauses + [quote for quote in re.findall(r"「([^」]+)」", source) if len(quote) >= 6] if one not in rules
    ] == []


def test_an_end_that_is_not_as_expected_is_a_difference(system: str, tmp_path: Path) -> None:
    folder = copy_game(system, tmp_path)
    winner = VERDICTS[system][1]
    change(folder / "expected.toml", f'["{winner}"]', '["狼人阵营"]')
    (difference,) = replay_case(folder).differences
    assert (difference.what, difference.missing, difference.extra) == ("终局 · winner", ("[狼人阵营]",), (f"[{winner}]",))


def test_without_its_ledger_its_end_cannot_be_told(system: str, tmp_path: Path) -> None:
    folder = copy_game(system, tmp_path)
    (folder / "ledger.txt").unlink()
    ran = run("replay", str(folder))
    assert (ran.code, "[outcome]" in ran.err) == (2, True)


def test_the_commands_tell_the_same_end_and_over_is_over(system: str, tmp_path: Path) -> None:
    folder = copy_game(system, tmp_path)
    replay_case(folder, folder / "game.db")
    status = run("status", str(folder), "--json")
    value = json.loads(status.out)
    refused = REFUSED.get(system, [])
    assert (status.code, value["winner"]) == (1 if refused else 0, [VERDICTS[system][1]])
    assert [one["code"] for one in value["findings"]] == refused
    ran = run("do", str(folder), f"{value['phase']} 导演 截票")
    assert (ran.code, "E301" in ran.out) == (1, True)


@dataclass(frozen=True, slots=True)
class Turn:
    """One thing of a game changed, and what of its end is then otherwise: words that stand in it (-: that do not)."""

    system: str
    fact: str
    alter: Callable[[Path], None]
    what: str
    holds: tuple[str, ...]
    lacks: tuple[str, ...] = ()


def _page(thread: int, old: str, new: str) -> Callable[[Path], None]:
    return lambda folder: change_page(folder, thread, old, new)


def _line(old: str, new: str, file: str = "ledger.txt") -> Callable[[Path], None]:
    return lambda folder: change(folder / file, old, new)


def _without(*words: str) -> Callable[[Path], None]:
    return lambda folder: drop_lines(folder, *words)


def _switch(line: str) -> Callable[[Path], None]:
    def turn(folder: Path) -> None:
        path = folder / "game.toml"
        path.write_text(f"{path.read_text(encoding='utf-8')}\n[switches]\n{line}\n", encoding="utf-8")

    return turn


TURNS = (
    Turn(
        "m29",
        "a vote edited in a page: 豆沙, who is sheriff, abstains on day 3, and there is no tie",
        _page(1238, "投票对象：夜行猫<br />\n投票理由：青岚查过", "投票对象：弃权<br />\n投票理由：青岚查过"),
        "out",
        ("K先生，投票",),
        ("汤圆",),
    ),
    Turn(
        "secret-number",
        "a vote edited in a page: the sheriff abstains on day 3, and of the tied nobody goes out",
        _page(2303, "投票对象：5<br />\n投票理由：同意楼上", "投票对象：弃权<br />\n投票理由：同意楼上"),
        "out",
        ("老墨，毒药",),
        ("阿木",),
    ),
    Turn("secret-number", "白痴 does not feign", _line("日2 大鹏 装傻 10", "日2 大鹏 放弃"), "out", ("大鹏，投票",)),
    Turn(
        "secret-number",
        "the wolves' ballots reach the most in another order",
        _line("夜1 老墨 杀人 1\n夜1 小川 杀人 10", "夜1 小川 杀人 10\n夜1 老墨 杀人 1"),
        "out",
        ("石头，指杀",),
    ),
    Turn(
        "secret-number",
        "the shield is elsewhere: 长老 has been 有效指杀",
        _line("夜1 石头 守护之盾 1", "夜1 石头 守护之盾 2"),
        "out",
        ("秋水，指杀",),
    ),
    Turn("secret-number", "猎人 does not shoot", _line("夜3 飞鸟 最后一枪 11", "夜3 飞鸟 放弃"), "chanted", ("谷雨",)),
    Turn(
        "secret-number",
        "云朵 alone does not keep 黑情侣阵营",
        _switch('"black_lovers.loss" = "lovers_only"'),
        "out",
        ("小川，投票",),
        ("云朵",),
    ),
    Turn(
        "secret-number",
        "of a tie nobody goes out by the switch",
        _switch('tie_policy = ["nobody"]'),
        "out",
        ("老墨，毒药",),
        ("阿木",),
    ),
    Turn(
        "assertion",
        "a row of votes.csv is a vote of the game",
        _line("2,狼一,血二,", "2,狼一,血三,", "votes.csv"),
        "souls",
        ("血三",),
    ),
    Turn(
        "table",
        "without the hand of 口吃法官 there is no second vote",
        _without("手势", "重投"),
        "out",
        ("周八，投票",),
        ("沈十四",),
    ),
    Turn(
        "table",
        "the other left hand infects another wolf",
        _switch('"seat.left" = "lower"'),
        "out",
        ("林一，病逝",),
        ("李四，病逝",),
    ),
    Turn(
        "table",
        "the sheriff decides the tie where he goes before the scapegoat",
        _switch('tie_policy = ["sheriff_target", "scapegoat", "nobody"]'),
        "out",
        ("林一，投票",),
    ),
)


@pytest.mark.parametrize("turn", TURNS, ids=[f"{turn.system}: {turn.fact}" for turn in TURNS])
def test_what_is_changed_changes_the_rest_of_the_game(turn: Turn, tmp_path: Path) -> None:
    folder = copy_game(turn.system, tmp_path)
    turn.alter(folder)
    found = differences(folder)[turn.what]
    assert [word for word in turn.holds if word not in found] == []
    assert [word for word in turn.lacks if word in found] == []


# A fact of a day in the game file that its ledger contradicts.
CONTRADICTIONS = (
    ("m29", "vote   = 1235\n", 'vote   = 1235\nsheriff = "饺子"\n', 2),
    ("secret-number", "vote   = 2302\n", 'vote   = 2302\nsheriff = "青禾"\n', 2),
    ("vest", "vote   = 3302\n", 'vote   = 3302\nsheriff = "先知"\n', 2),
    ("assertion", "number = 3\n", 'number = 3\nsouls = ["甲一"]\npublished = ["狼一"]\n', 3),
    ("table", "number = 3\n", 'number = 3\nsheriff = "林一"\n', 3),
)


@pytest.mark.parametrize(("system", "old", "new", "day"), CONTRADICTIONS, ids=[one[0] for one in CONTRADICTIONS])
def test_facts_of_the_game_file_that_the_ledger_contradicts_are_findings(
    system: str, old: str, new: str, day: int, tmp_path: Path
) -> None:
    folder = copy_game(system, tmp_path)
    change(folder / "game.toml", old, new)
    result = replay_case(folder)
    found = {(tally.day, one.code) for tally in result.tallies for one in tally.findings if one.code.startswith("E")}
    assert found == {(day, "E121")}
    assert tuple("".join(tally.verdict.seats) for tally in result.tallies) == VERDICTS[system][0]
