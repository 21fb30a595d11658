"""What a check prints: the same findings in every form, what offends marked in place, and nothing of a player's words at work."""

from __future__ import annotations

import html
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.game import Game
from engine.report.safe import escape_bbcode, show
from engine.report.sounds.bbcode import write_bbcode
from engine.report.sounds.html import write_html
from engine.report.sounds.terminal import print_check
from engine.report.sounds.values import check_value
from engine.report.sounds.words import LABELS, PLACES, RANKS, THREADS, CheckWords
from engine.report.terminal import make_console
from engine.report.values import dump
from engine.sounds.check import SpeechCheck, limit_check
from tally.finding import Severity
from tally.sounds.chant import Placing
from tally.sounds.exempt import ThreadKind
from tests.board.bbcode import render
from tests.board.x3 import X35
from tests.board.x3_post import markup
from tests.engine.sounds.game import archived, check, look, post, write_game

HOSTILE = "哼[b]粗[/b]<script>alert(1)</script>\x1b[31m@导演 www.example.net\n哼\u202e狼[/color]:lol"
LEDGER = """日2 导演 裁定 发言 tid=1234 pid=82 违规 ; 约好的[b]
日2 导演 裁定 发言 tid=1234 pid=83 合规 ; 手滑
"""
LIFE = (
    post(81, "03T10:00", "哼人，\n哼")
    + post(82, "03T11:00", "哼唧 唧哼哼 唧哼唧 唧哼")
    + post(83, "03T12:00", "哼！")
    + post(84, "03T13:00", "平胸 胸平平 胸平胸 胸平")
    + post(85, "05T22:00", "晚安")
)


@pytest.fixture
def played(tmp_path: Path) -> tuple[Game, SpeechCheck]:
    game = write_game(tmp_path, ledger=LEDGER, three="piper_out = true")
    with archived(game) as archive:
        look(archive, LIFE, "08T21:30")
    return game, check(game)


def printed(game: Game, found: SpeechCheck, language: str = "zh", *, notes: bool = False) -> str:
    stream = io.StringIO()
    print_check(make_console(stream, width=200), found, game, CheckWords(language), notes=notes)
    return stream.getvalue()


def one_post(folder: Path, text: str) -> tuple[Game, SpeechCheck]:
    game = write_game(folder)
    with archived(game) as archive:
        look(archive, post(81, "03T10:00", text), "08T21:30")
    return game, check(game)


# -- the terminal


def test_breaches_come_first_then_suspects_with_their_figures_notes_last(played: tuple[Game, SpeechCheck]) -> None:
    lines = [line.rstrip() for line in printed(*played).splitlines()]
    heads = [line.split("  ")[0] + " " + re.findall(r"pid=(\d+)", line)[0] for line in lines if " pid=" in line]
    assert heads == ["违规 81", "违规 82", "可疑 84", "备查 83", "备查 85"]
    assert "结果         违规 2 帖，可疑 1 帖，备查 2 帖" in lines
    assert "原文           1│ 哼[!人，!]" not in lines, "two codes are two marks"
    assert "原文           1│ 哼[!人!][!，!]" in lines
    assert "查出         [C101] 规定之外的字符（汉字）：人 U+4EBA 1:2" in lines
    assert "             [C110] 标点或符号：， U+FF0C FULLWIDTH COMMA 1:3" in lines
    figures = next(line for line in lines if "[C105]" in line and "平" not in line and "此前" in line)
    assert "像电码的分组 2 3 3 2；10 声 2 种，每声 1.00 比特" in figures


def test_a_ruling_stands_beside_what_the_machine_found(played: tuple[Game, SpeechCheck]) -> None:
    text = printed(*played)
    assert "[C108] 导演裁定违规（账本第 1 行）：约好的[b]" in text
    assert "[C108] 导演裁定合规（账本第 2 行）：手滑" in text
    assert "标点或符号：！ U+FF01 FULLWIDTH EXCLAMATION MARK 1:2｜原判 错误" in text


def test_many_notes_are_listed_on_request_only_but_rulings_always(tmp_path: Path) -> None:
    game = write_game(tmp_path, ledger="日2 导演 裁定 发言 tid=1234 pid=80 合规 ; 手滑\n")
    nights = "".join(post(90 + number, f"05T22:{number:02}", "晚安") for number in range(6))
    with archived(game) as archive:
        look(archive, post(80, "03T10:00", "人") + nights, "08T21:30")
    found = check(game)
    few, all_of_them = printed(game, found), printed(game, found, notes=True)
    assert (few.count("备查  包子"), all_of_them.count("备查  包子")) == (1, 7)
    assert "用 --notes 列出" in few
    assert "--notes" not in all_of_them


def test_english_is_spoken_where_it_is_asked_for(played: tuple[Game, SpeechCheck]) -> None:
    text = printed(*played, "en")
    assert "breaches 2, suspects 1, notes 2" in text
    assert "characters outside the set (a Han character): 人 U+4EBA 1:2" in text


def test_a_post_of_many_lines_shows_those_that_offend(tmp_path: Path) -> None:
    game, found = one_post(tmp_path, "\n".join(["哼" * 80] * 20 + ["哼人"] + ["唧"] * 20))
    text = printed(game, found)
    assert re.findall(r"(\d+)│", text) == ["21"]
    assert "[!人!]" in text
    assert text.count("……") == 2
    assert write_html(found, game).count('<div class="line">') == 41


def test_where_nobody_is_chanted_it_says_so(tmp_path: Path) -> None:
    game, found = one_post(tmp_path, "哼")
    assert "没有人被吹笛" in printed(game, limit_check(found, seat="豆沙"))
    assert "没有违规，没有可疑" in printed(game, found)


# -- text that players wrote


def test_no_control_character_reaches_the_terminal(tmp_path: Path) -> None:
    text = printed(*one_post(tmp_path, HOSTILE))
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f\u202a-\u202e]", text)
    assert "<U+202E>" in text


def test_html_holds_no_tag_of_a_player(tmp_path: Path) -> None:
    page = write_html(*reversed(one_post(tmp_path, HOSTILE)))  # type: ignore[arg-type]
    tags = set(re.findall(r"</?(\w+)", page))
    assert tags <= {"html", "head", "meta", "title", "style", "body", "h1", "h2", "p", "strong", "article", "blockquote", "div",
                    "mark", "ul", "li", "br", "bdi"}  # fmt: skip
    assert "alert(1)" in html.unescape(re.sub(r"<[^>]*>", "", page))
    assert '<mark title="C102 ' in page


def rendered(code: str) -> str:
    """What a board shows of BBCode, as plain text."""
    shown = render(code, markup(X35.parts("utf-8")), "https://bbs.example.net/", lambda count: "x" * count)
    assert not re.search(r"<(?!/?strong>|/?font\b|br\b)", shown), shown
    return html.unescape(re.sub(r"<br />\n?", "\n", re.sub(r"</?(?:strong|font)[^>]*>", "", shown)))


CODES = ("[url=http://x/]y[/url]", "[code]x[/code]", ":smile: {:4_100:}", "[quote]x[/quote]", "[b]", "[img]http://x/y.gif[/img]")
LETTERS = st.sampled_from("哼a[]/=:;{}@b)(D_14lo.w\n<&\"'") | st.characters(codec="utf-8")


@given(st.text(LETTERS, max_size=40) | st.sampled_from(CODES))
def test_bbcode_of_a_player_is_shown_to_the_letter_and_does_nothing(text: str) -> None:
    # A board turns runs of spaces into no-break ones.
    assert rendered(escape_bbcode(text)).replace("\xa0", " ") == re.sub("\t", " ", show(text)).replace("\xa0", " ")


def test_a_director_can_paste_the_bbcode(played: tuple[Game, SpeechCheck]) -> None:
    game, found = played
    code = write_bbcode(limit_check(found, day=2), game, day=2)
    shown = rendered(code)
    assert "试局 · 叫声检查 · 第 2 天" in shown
    assert "违规 2 帖" in shown
    assert "哼人，" in shown
    assert "导演裁定违规（账本第 1 行）：约好的[b]" in shown
    assert "裁定合规 1 帖" in shown
    assert "[color=red][b]人[/b][/color][color=red][b]，[/b][/color]" in code
    # A hint is not said in public before it is ruled, and a night post is nobody's affair.
    assert "平胸" not in shown
    assert "晚安" not in shown


def test_bbcode_says_that_it_is_provisional_and_when_nothing_was_found(tmp_path: Path) -> None:
    game = write_game(tmp_path)
    with archived(game) as archive:
        look(archive, "", "08T21:30", (1235, 1238))
    code = write_bbcode(check(game), game)
    assert "暂定：证据还不全" in code
    assert "没有违规" in code


# -- one value, many views


def as_json(found: SpeechCheck, game: Game) -> Any:
    return json.loads(dump(check_value(found, game)))


def test_json_is_as_the_contract_says(played: tuple[Game, SpeechCheck]) -> None:
    game, found = played
    value = as_json(found, game)
    posts = value["posts"]
    assert posts[0] == {
        "post": {"tid": 1234, "pid": 81, "floor": "沙发", "revision": 1},
        "seat": "包子",
        "day": 2,
        "thread": "discussion",
        "at": "2018-06-03T10:00:00+08:00",
        "own": True,
        "text": "哼人，\n哼",
        "findings": [
            {
                "code": "C101",
                "severity": "error",
                "line": 1,
                "column": 2,
                "codepoint": "U+4EBA",
                "name": "CJK UNIFIED IDEOGRAPH-4EBA",
                "parameters": {"kind": "han"},
                "sentence": "规定之外的字符 U+4EBA（汉字，CJK UNIFIED IDEOGRAPH-4EBA）",
            },
            {
                "code": "C110",
                "severity": "error",
                "line": 1,
                "column": 3,
                "codepoint": "U+FF0C",
                "name": "FULLWIDTH COMMA",
                "parameters": {"kind": "mark"},
                "sentence": "标点或符号 U+FF0C（FULLWIDTH COMMA）",
            },
        ],
    }
    assert (value["breaches"], value["suspects"], value["day"], value["checked"]) == (2, 1, None, True)
    assert value["chanted"] == [
        {
            "seat": "包子",
            "from": "2018-06-03T09:30:00+08:00",
            "until": "2018-06-06T09:30:00+08:00",
            "posts": {"inside": 4, "night": 1, "free": 0, "doubt": 0},
        }
    ]
    lawful = next(one for one in posts if one["post"]["pid"] == 83)
    assert lawful["ruling"] == {"lawful": True, "reason": "手滑", "ledger": 2}
    assert [(one["code"], one["severity"], one.get("machine")) for one in lawful["findings"]] == [
        ("C108", "note", None),
        ("C110", "note", "error"),
    ]


def test_every_view_holds_the_same_posts(played: tuple[Game, SpeechCheck]) -> None:
    game, found = played
    pids = [post.source.pid for post in found.posts]
    assert [int(pid) for pid in re.findall(r" pid=(\d+)", printed(game, found))] == pids
    assert [int(pid) for pid in re.findall(r" pid=(\d+)", write_html(found, game))] == pids
    assert [one["post"]["pid"] for one in as_json(found, game)["posts"]] == pids


def test_every_word_has_both_languages() -> None:
    for table, members in ((RANKS, Severity), (THREADS, ThreadKind), (PLACES, Placing)):
        assert set(table) == set(members)
        assert all(all(pair) for pair in table.values())
    for chinese, english in LABELS.values():
        assert set(re.findall(r"\{(\w+)\}", chinese)) == set(re.findall(r"\{(\w+)\}", english))
