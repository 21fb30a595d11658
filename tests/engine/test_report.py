"""What a tally looks like as JSON and on a terminal."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path

import pytest

from engine.language import choose_language
from engine.report.bbcode import write_bbcode
from engine.report.safe import shorten, show
from engine.report.sheet import Line, list_lines
from engine.report.terminal import make_console, print_tally
from engine.report.values import dump, find_digest, public_value, tally_value
from engine.report.words import Words
from tally.result import DayTally
from tests.engine.sample import DOUBTFUL, FIRST, TALLY, game


def printed(folder: Path, tally: DayTally, language: str = "zh", encoding: str = "utf-8") -> str:
    """What the terminal gets, in an encoding."""
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding=encoding, errors="backslashreplace", newline="")
    print_tally(make_console(stream, width=120), tally, game(folder), Words(language))
    stream.flush()
    return raw.getvalue().decode(encoding)


def test_of_a_thread_that_nobody_read_nothing_is_judged(tmp_path: Path) -> None:
    gone = replace(
        TALLY, complete=False, final=False, counts=(), abstained=(), void=(), replaced=(), not_ballots=(), needs_ruling=()
    )
    own = game(tmp_path)
    assert tally_value(gone, own)["verdict"] is None
    assert public_value(gone, own)["verdict"] is None
    assert [line for line in list_lines(gone, "", own) if line.kind == "判定"] == [
        Line("判定", gone.day, gone.poll, reason="投票帖还没有读到，判定不了")
    ]
    assert "判定：投票帖还没有读到，判定不了" in write_bbcode([gone], [""], own)
    # A thread that was read whole, and in which nobody wrote, is judged.
    assert tally_value(replace(gone, complete=True), own)["verdict"] is not None


def test_the_json_is_the_contracts(tmp_path: Path) -> None:
    value = tally_value(TALLY, game(tmp_path))
    assert list(value) == [
        "game", "ruleset", "day", "as_of", "complete", "final", "counts", "abstained", "not_voted", "void", "replaced",
        "not_ballots", "needs_ruling", "cards", "verdict", "findings", "evidence", "window", "events", "requests", "digest",
    ]  # fmt: skip
    assert value["counts"] == [
        {
            "target": "包子",
            "votes": 3,
            "ballots": [
                {
                    "voter": "饺子",
                    "weight": 2,
                    "at": "2018-06-04T09:00:00+08:00",
                    "post": {"tid": 1235, "pid": 5202, "floor": "2#", "revision": 1},
                },
                {"voter": "豆沙", "weight": 1, "at": "2018-06-04T10:00:00+08:00", "post": {"ledger": 7}, "by": "[M29]导演"},
            ],
        },
        {
            "target": "饺子",
            "votes": 1,
            "ballots": [
                {
                    "voter": "包子",
                    "weight": 1,
                    "at": "2018-06-04T11:00:00+08:00",
                    "post": {"tid": 1235, "pid": 5203, "floor": "3#", "revision": 1},
                    "ruled": True,
                }
            ],
        },
    ]
    assert value["void"] == [
        {
            "voter": "a&b<c>",
            "raw": "\x1b[31m包子\u202e\n=1+1",
            "at": "2018-06-04T12:00:00+08:00",
            "post": {"tid": 1235, "pid": 5204, "floor": "4#", "revision": 1},
            "reason": "unknown_target",
        }
    ]
    assert (value["not_voted"], value["not_ballots"]) == (["豆沙"], 2)
    assert value["cards"] == [{"seat": "豆沙", "card": "yellow", "reason": "未投票"}]
    assert value["verdict"] == {
        "decision": "exile",
        "seats": ["包子"],
        "clause": "讨论日获得投票最多的角色将出局。",
        "because": "包子得 3 票，票数最高，出局。",
    }
    assert value["findings"] == [
        {
            "code": "B105",
            "severity": "warning",
            "parameters": {"raw": "饱子", "hints": "包子"},
            "sentence": "没有「饱子」，相近的名字：包子",
            "seat": "a&b<c>",
            "post": {"tid": 1235, "pid": 5204, "floor": "4#", "revision": 1},
        }
    ]


def test_a_doubtful_tally_shows_each_reading_its_role_and_its_missing_pages(tmp_path: Path) -> None:
    value = tally_value(DOUBTFUL, game(tmp_path))
    doubts, verdict, evidence = value["needs_ruling"], value["verdict"], value["evidence"]
    assert isinstance(doubts, list)
    assert isinstance(verdict, dict)
    assert isinstance(evidence, dict)
    assert isinstance(doubts[0], dict)
    assert doubts[0]["readings"] == [
        {
            "ruling": "计为 饺子",
            "counts": {"包子": 3, "饺子": 2},
            "verdict": {
                "decision": "exile",
                "seats": ["包子"],
                "clause": "讨论日获得投票最多的角色将出局。",
                "because": "包子得 3 票，票数最高，出局。",
            },
        }
    ]
    assert (verdict["role"], verdict["seats"], evidence["missing_pages"]) == ("替罪羊", [], [2, 3])
    assert evidence["first_pass_after_close"] is None


def test_the_digest_covers_what_was_counted_and_not_how_it_is_said(tmp_path: Path) -> None:
    sample = game(tmp_path)
    value = tally_value(TALLY, sample)
    assert value["digest"] == find_digest(json.loads(dump(value))), "it can be checked from the printed JSON alone"
    reworded = replace(TALLY, verdict=replace(TALLY.verdict, because="因为票多。", clause="票多者出局。"))
    assert tally_value(reworded, sample)["digest"] == value["digest"]
    recounted = replace(TALLY, counts=(replace(TALLY.counts[0], ballots=(FIRST,)), TALLY.counts[1]))
    assert tally_value(recounted, sample)["digest"] != value["digest"]
    refound = replace(TALLY, findings=(replace(TALLY.findings[0], parameters=(("raw", "饱孑"), ("hints", "包子"))),))
    assert tally_value(refound, sample)["digest"] != value["digest"]


def test_the_table_names_every_ballot_and_where_every_other_post_went(tmp_path: Path) -> None:
    text = printed(tmp_path, TALLY)
    for shown in (
        "试局 · 第 2 天",
        "最终结果",
        "饺子 2#×2、豆沙 账本第 7 行（[M29]导演 代投）",
        "包子 3#（裁定）",
        "没有这个投票对象",
        "豆沙 黄牌（未投票，建议）",
        "投票出局：包子",
        "「讨论日获得投票最多的角色将出局。」",
        "[警告 B105] 4# pid=5204 没有「饱子」，相近的名字：包子",
        "关门前最后一次查看 2018-06-04 20:00:00 +0800",
    ):
        assert shown in text, shown


def test_what_is_not_final_says_so_in_words(tmp_path: Path) -> None:
    text = printed(tmp_path, DOUBTFUL)
    assert "暂定，不是最终结果：缺第 2、3 页；还没有在关门之后查看过；有 1 帖待裁定" in text
    assert "投票出局：替罪羊" in text
    assert "若「计为 饺子」：包子 3、饺子 2；投票出局：包子" in text
    assert "2018-06-04 09:00:00 +0800  包子 2 票  饺子 2#" in text
    assert "最终结果" not in text.replace("不是最终结果", "")


def test_nothing_that_a_player_wrote_steers_the_terminal(tmp_path: Path) -> None:
    text = printed(tmp_path, TALLY)
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "\\x1b[31m包子\\u202e ⏎ =1+1" in text


@pytest.mark.parametrize("encoding", ["gbk", "cp437", "ascii", "latin-1"])
def test_a_console_that_cannot_show_a_character_shows_an_escape(tmp_path: Path, encoding: str) -> None:
    sample = replace(TALLY, not_voted=("🐱喵",))
    text = printed(tmp_path, sample, encoding=encoding)
    assert "\\U0001f431" in text
    assert ("包子" in text) == (encoding == "gbk")


def test_the_terminal_speaks_english_where_it_is_asked_to(tmp_path: Path) -> None:
    text = printed(tmp_path, DOUBTFUL, language="en")
    assert "PROVISIONAL, not final: page 2, 3 is missing" in text
    assert "No 饱子; the nearest names: 包子" in text


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "zh"),
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "C.UTF-8"}, "zh"),
        ({"LANG": "en_US.UTF-8"}, "en"),
        ({"LANG": "zh_CN.UTF-8", "BANSHA_LANG": "en"}, "en"),
        ({"LANG": "en_US.UTF-8", "LC_ALL": "zh_TW"}, "zh"),
    ],
)
def test_the_language_is_the_locales_and_chinese_by_default(environment: dict[str, str], language: str) -> None:
    assert choose_language(environment) == language


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("包子", "包子"),
        ("\x1b[2J", "\\x1b[2J"),
        ("a\x00b\x7f\x9b", "a\\x00b\\x7f\\x9b"),
        ("包\u200b子", "包\\u200b子"),
        ("\u202e子包", "\\u202e子包"),
        ("一\n二\r\n三", "一 ⏎ 二 ⏎ 三"),
        ("👩\u200d🚀", "👩\u200d🚀"),
        ("\ud800", "\\ud800"),
        ("\U000e0041", "\\U000e0041"),
    ],
)
def test_what_cannot_be_seen_is_shown_as_an_escape(written: str, shown: str) -> None:
    assert show(written) == shown


def test_a_long_text_is_cut() -> None:
    assert shorten("一二三四五", 4) == "一二三…"


def test_json_for_a_poor_console_is_the_same_value(tmp_path: Path) -> None:
    value = tally_value(replace(TALLY, not_voted=("🐱喵",)), game(tmp_path))
    poor = dump(value, ascii_only=True)
    assert poor.isascii()
    assert json.loads(poor) == json.loads(dump(value))
