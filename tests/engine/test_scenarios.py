"""Every scenario under fixtures/scenarios, with its alternatives: the engine's deck of cases."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from engine.ruleset import RuleSet
from engine.rulesets import PLAYED
from engine.scenario import Case, load_scenario
from engine.scenario_run import run_case
from engine.switches import Switch
from scraper.errors import BanshaError

FOLDER = Path(__file__).parents[2] / "fixtures" / "scenarios"
CASES = [case for path in sorted(FOLDER.rglob("*.toml")) for case in load_scenario(path).cases]


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_a_scenario_comes_out_as_expected(case: Case) -> None:
    assert run_case(case).differences == ()


# A count of threads reads these; who is in which group is told by tests/engine/play/test_views.py.
ELSEWHERE = {"ballot.second", "ballot.change_reply", "ballot.edits", "ballot.reason", "wolves.group"}
SWITCHED = [(ruleset, switch) for ruleset in PLAYED.values() for switch in ruleset.switches if switch.name not in ELSEWHERE]


@pytest.mark.parametrize(("ruleset", "switch"), SWITCHED, ids=[f"{ruleset.id} {switch.name}" for ruleset, switch in SWITCHED])
def test_some_scenario_fails_where_a_switch_is_ignored(ruleset: RuleSet, switch: Switch) -> None:
    default = switch.choices[0] if switch.needed else switch.default
    turned = [
        case for case in CASES if case.ruleset is ruleset and switch.name in case.chosen and case.switches[switch.name] != default
    ]
    ignored = [replace(case, switches={**case.switches, switch.name: default}) for case in turned]
    assert [case.name for case in ignored if comes_out_wrong(case)] != []


def comes_out_wrong(case: Case) -> bool:
    """Whether a case is not as expected, or cannot even be seated: a role that a switch brings in is not there."""
    try:
        return bool(run_case(case).differences)
    except ValueError:
        return True


def test_every_scenario_of_the_hand_out_is_here() -> None:
    s = ["01", "02", "03", "04", "05", "06", "09", "10", "11", "14", "15", "18", "19", "20", "22", "23", "24"]
    p = ["01", "03", "04", "05", "08", "09", "10", "13", "14", "15", "16", "18", "19"]
    d = ["01", "02", "04", "05", "07", "08", "11", "12"]
    j = ["01", "03", "05", "06", "07", "08", "09", "11", "14", "16", "17", "18", "20", "21"]
    f = ["01", "02", "05", "06", "08", "09", "10", "13", "14", "15", "16", "18"]
    wanted = {f"{letter}{number}" for letter, numbers in zip("SPDJF", (s, p, d, j, f), strict=True) for number in numbers}
    assert wanted - {case.name for case in CASES} == set()


def test_every_scenario_is_named_as_its_file() -> None:
    wrong = [path.name for path in sorted(FOLDER.rglob("*.toml")) if load_scenario(path).id != path.stem]
    assert wrong == []
    assert len({case.name for case in CASES}) == len(CASES)


# Keys of [expect] that something wrong must not pass.
WRONG = [
    ("out", 'out = [["民乙", "杀人"]]'),
    ("out", "out = []"),
    ("sheriff", 'sheriff = "民丙"'),
    ("sheriff", 'sheriff = ""'),
    ("lost", 'lost = ["狼人阵营"]'),
    ("winner", 'winner = ["狼人阵营"]'),
    ("chanted", 'chanted = ["民甲"]'),
    ("refused", 'refused = ["日2 狼甲 投票 民乙"]'),
    ("notices", 'notices = [["公示", "民丙 出局"]]'),
    ("notices", 'notices = [["民乙", "警长"]]'),
    ("lost_skills", 'lost_skills = ["女巫"]'),
    ("votes 日2", 'votes = { "日2" = { "民乙" = 2 } }'),
    ("votes 日2", 'votes = { "日2" = { "民乙" = 1, "民丙" = 1 } }'),
    ("last_words", "last_words = []"),
]
SMALL = """
id = "small"
ruleset = "m29"
player = [{ name = "狼甲", role = "狼人" }, { name = "民甲", role = "村民" }, { name = "民乙", role = "村民" },
  { name = "民丙", role = "村民" }, { name = "女巫", role = "女巫" }, { name = "吹笛者", role = "吹笛者" }]
ledger = "日2 狼甲 投票 民乙\\n日2 导演 截票"
[given]
phase = "日2"
sheriff = "民甲"
[expect]
"""


@pytest.mark.parametrize(("key", "line"), WRONG, ids=[line for _, line in WRONG])
def test_a_wrong_expectation_is_a_difference(tmp_path: Path, key: str, line: str) -> None:
    path = tmp_path / "small.toml"
    path.write_text(SMALL + line, encoding="utf-8")
    (case,) = load_scenario(path).cases
    assert [difference.key for difference in run_case(case).differences] == [key]


RIGHT = """out = [["民乙", "投票"]]
sheriff = ["民丙", "民甲"]
lost = []
winner = []
chanted = []
refused = []
notices = [["公示", "出局 民乙"], ["民乙", "出局"], ["民乙", "遗言"]]
lost_skills = []
last_words = ["民乙"]
votes = { "日2" = { "民乙" = 1 } }
"""


def test_a_right_expectation_is_none(tmp_path: Path) -> None:
    path = tmp_path / "small.toml"
    path.write_text(SMALL + RIGHT, encoding="utf-8")
    (case,) = load_scenario(path).cases
    assert run_case(case).differences == ()


MALFORMED = [
    ('ruleset = "m29"', 'ruleset = "扑克"', "ruleset"),
    ('role = "女巫"', 'role = "巫女"', "没有 '巫女' 这个身份"),
    ('phase = "日2"', 'phase = "周二"', "不是阶段"),
    ('sheriff = "民甲"', 'lovers = ["民甲"]', "情侣有 1 人"),
    ('sheriff = "民甲"', 'sherif = "民甲"', "没有这个键"),
    ("[expect]", "[expect]\nwiner = []", "没有这个键"),
    ("[expect]", '[switches]\n"wolf.lost" = "camp"\n[expect]', "没有这个开关"),
    ("日2 狼甲", "二日 狼甲", "开头不是阶段"),
    ('name = "民乙"', 'name = "民甲"', "one name"),
]


@pytest.mark.parametrize(("old", "new", "shown"), MALFORMED, ids=[new for _, new, _ in MALFORMED])
def test_a_malformed_scenario_is_an_error_that_says_what(tmp_path: Path, old: str, new: str, shown: str) -> None:
    path = tmp_path / "small.toml"
    path.write_text(SMALL.replace(old, new), encoding="utf-8")
    with pytest.raises(BanshaError, match=shown):
        load_scenario(path)
