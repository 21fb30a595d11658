"""How a count is held against expected.toml, and what the difference says."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from engine.expected import Difference, compare, load_expected
from scraper.errors import GameFileError
from scraper.post import History, Message, Post, PostState, Revision, Text
from tally.finding import Finding
from tally.result import DayTally
from tests.engine.sample import TALLY, post

CLEAN = """
[[tally]]
day = 2
target = "饺子"
votes = 1
voters = ["包子"]
[[tally]]
day = 2
target = "包子"
votes = 3
voters = ["豆沙", "饺子"]
[[abstained]]
day = 2
voter = "a&b<c>"
[[replaced]]
day = 2
pid = 5201
voter = "饺子"
[[void]]
day = 2
pid = 5204
voter = "a&b<c>"
reason = "unknown_target"
[[finding]]
day = 2
code = "B105"
pid = 5204
[[card]]
day = 2
seat = "豆沙"
card = "yellow"
reason = "未投票"
[[verdict]]
day = 2
decision = "exile"
seats = ["包子"]
final = true
complete = true
"""


def history(pid: int, *lines: str) -> History:
    """A post that says these lines."""
    seen = datetime(2018, 6, 4, tzinfo=UTC)
    message = Message(tuple((Text(line),) for line in lines))
    words = Post(1235, pid, f"{pid - 5200}#", "包子", None, seen, message)
    return History((Revision(1, seen, words),), PostState.NORMAL, seen)


POSTS = [history(5203, "投票对象：饺孑", "投票理由：略"), history(5204, "投票对象：饱子"), history(5206, "我来了")]


def differ(folder: Path, text: str, tally: DayTally = TALLY) -> tuple[Difference, ...]:
    (folder / "expected.toml").write_text(text, encoding="utf-8")
    expected = load_expected(folder)
    assert expected is not None
    return compare(expected, tally, POSTS)


def test_what_is_as_expected_does_not_differ_whatever_the_order(tmp_path: Path) -> None:
    assert differ(tmp_path, CLEAN) == ()


def test_a_list_says_nothing_of_a_day_that_it_does_not_mention(tmp_path: Path) -> None:
    assert differ(tmp_path, '[[void]]\nday = 1\npid = 1\nvoter = "饺子"\nreason = "malformed"\n') == ()


CHANGES = [
    ("votes = 3", "votes = 4", "票数"),
    ('voters = ["豆沙", "饺子"]', 'voters = ["豆沙", "饺子", "包子"]', "票数"),
    ('target = "饺子"', 'target = "豆沙"', "票数"),
    ('voter = "a&b<c>"\n[[replaced]]', 'voter = "豆沙"\n[[replaced]]', "弃权"),
    ("pid = 5201", "pid = 5202", "已改票"),
    ('reason = "unknown_target"', 'reason = "malformed"', "无效"),
    ('code = "B105"', 'code = "B106"', "须留意"),
    ('card = "yellow"', 'card = "red"', "罚牌"),
    ('decision = "exile"', 'decision = "nobody"', "判定"),
    ('seats = ["包子"]', "seats = []", "判定"),
    ("final = true", "final = false", "判定"),
    ("complete = true", "complete = false", "判定"),
]


@pytest.mark.parametrize(("good", "bad", "what"), CHANGES)
def test_each_thing_that_is_expected_otherwise_differs(tmp_path: Path, good: str, bad: str, what: str) -> None:
    assert CLEAN.count(good) == 1
    found = differ(tmp_path, CLEAN.replace(good, bad))
    assert [(difference.what, len(difference.missing), len(difference.extra)) for difference in found] == [(what, 1, 1)]


def test_a_row_that_was_not_expected_differs(tmp_path: Path) -> None:
    start = CLEAN.index("[[void]]")
    others = '[[void]]\nday = 2\npid = 5299\nvoter = "豆沙"\nreason = "malformed"\n'
    (found,) = differ(tmp_path, CLEAN[:start] + others + CLEAN[CLEAN.index("[[finding]]") :])
    assert found.missing == ("pid=5299  voter=豆沙  reason=malformed",)
    assert found.extra == ("pid=5204  voter=a&b<c>  reason=unknown_target",)


def test_a_difference_cites_the_posts_behind_it(tmp_path: Path) -> None:
    (found,) = differ(tmp_path, CLEAN.replace('voters = ["包子"]', 'voters = ["包子", "a&b<c>"]'))
    assert found.posts == ("4# pid=5204 a&b<c>「投票对象：饱子」无效 unknown_target", "5# pid=5205 a&b<c>「?」弃权")
    (found,) = differ(tmp_path, CLEAN.replace("pid = 5204\nvoter", "pid = 5206\nvoter"))
    assert "pid=5206「我来了」不是票" in found.posts


def test_notes_need_not_be_listed_and_warnings_must(tmp_path: Path) -> None:
    note, warning = Finding("B402", (("seen", "x"),)), Finding("D101", (("seat", "饺子"),), source=post(5202))
    assert differ(tmp_path, CLEAN, replace(TALLY, findings=(*TALLY.findings, note))) == ()
    (found,) = differ(tmp_path, CLEAN, replace(TALLY, findings=(*TALLY.findings, warning)))
    assert found.extra == ("code=D101  severity=warning  pid=5202",)


def test_a_case_without_expectations_has_none(tmp_path: Path) -> None:
    assert load_expected(tmp_path) is None


@pytest.mark.parametrize(
    ("text", "line", "shown"),
    [
        ("[outcome]\nwiner = []\n", 2, "没有这个键"),
        ("[[tallies]]\nday = 2\n", 1, "tally"),
        ('[[void]]\nday = 2\npid = 1\nvoter = "饺子"\n', 1, "reason"),
        ('[[card]]\nday = "2"\nseat = "饺子"\ncard = "red"\nreason = ""\n', 2, "整数"),
        ('[[verdict]]\nday = 2\ndecision = "exile"\nseats = []\nfinals = true\n', 5, "final"),
    ],
)
def test_a_mistake_in_it_is_an_error_with_its_line(tmp_path: Path, text: str, line: int, shown: str) -> None:
    (tmp_path / "expected.toml").write_text(text, encoding="utf-8")
    with pytest.raises(GameFileError) as caught:
        load_expected(tmp_path)
    assert f"expected.toml:{line}: " in str(caught.value)
    assert shown in str(caught.value)
