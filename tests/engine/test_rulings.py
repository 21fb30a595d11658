"""What the lines of a ledger say to a count."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from engine.counting import read_events
from engine.game import Game, load_game
from engine.ledger import LedgerError, standing_events
from engine.misspelt import KNOWN_ACTS
from engine.play.directing import DIRECTED
from engine.rulings import ACTS, Directions, direct_day
from tally.day import Span
from tally.roster import Account
from tally.ruling import LedgerBallot, Ruling, RulingKind

GAME = """[game]
title = "试局"
ruleset = "m29"
directors = ["[M29]导演"]
[[player]]
name = "饺子"
aliases = ["饺"]
[[player]]
name = "包子"
[[player]]
name = "豆沙"
[[day]]
number = 2
opens = 2018-06-03T09:30:00
closes = 2018-06-05T21:00:00
vote = 1235
[[day]]
number = 3
opens = 2018-06-06T09:30:00
closes = 2018-06-08T21:00:00
vote = 1238
progress = 1239
"""


def game(folder: Path, ledger: str, extra: str = "") -> Game:
    (folder / "game.toml").write_text(GAME + extra, encoding="utf-8")
    (folder / "ledger.txt").write_text(ledger, encoding="utf-8")
    return load_game(folder)


def direct(folder: Path, ledger: str, number: int = 2, extra: str = "", known_at: datetime | None = None) -> Directions:
    loaded = game(folder, ledger, extra)
    day = loaded.day(number)
    assert day is not None
    return direct_day(loaded, standing_events(read_events(loaded), known_at), day)


def codes(directions: Directions) -> list[str]:
    return [finding.code for finding in directions.findings]


def local(day: int, hour: int, minute: int = 0, second: int = 0) -> datetime:
    """A moment of June 2018 in Shanghai."""
    return datetime(2018, 6, day, hour - 8, minute, second, tzinfo=UTC)


RULINGS = [
    ("裁定 票 tid=1235 pid=88 计为 包子 ; 错别字", Ruling(RulingKind.COUNT_AS, 1, "包子", tid=1235, pid=88, reason="错别字")),
    ("裁定 票 计为 饺 pid=88", Ruling(RulingKind.COUNT_AS, 1, "饺子", tid=1235, pid=88)),
    ("裁定 票 tid=1235 pid=88 计为 弃权", Ruling(RulingKind.COUNT_AS, 1, "", tid=1235, pid=88)),
    ("裁定 票 tid=1235 pid=88 作废", Ruling(RulingKind.VOID, 1, "", tid=1235, pid=88)),
    ("裁定 账号 新饺子 为 饺子 @2018-06-04T12:00", Ruling(RulingKind.ACCOUNT, 1, "饺子", "新饺子", at=local(4, 12))),
    ('裁定 名字 "包 总" 为 包子', Ruling(RulingKind.NAME, 1, "包子", "包 总")),
    ("裁定 结果 出局 包子", Ruling(RulingKind.RESULT, 1, "包子")),
    ("裁定 结果 出局 无人", Ruling(RulingKind.RESULT, 1, "")),
    ("裁定 结果 警长 饺子", Ruling(RulingKind.RESULT, 1, "饺子")),
]


@pytest.mark.parametrize(("line", "ruling"), RULINGS)
def test_a_ruling_is_read(tmp_path: Path, line: str, ruling: Ruling) -> None:
    assert direct(tmp_path, f"日2 导演 {line}").rulings == (ruling,)


def test_a_ruling_on_a_name_or_account_holds_on_later_days_and_no_other_does(tmp_path: Path) -> None:
    lines = [
        "日2 导演 裁定 名字 包总 为 包子",
        "日2 导演 裁定 结果 出局 包子",
        "日2 导演 裁定 票 tid=1235 pid=88 作废",
        "日3 导演 裁定 账号 豆豆 为 豆沙",
    ]
    later = direct(tmp_path, "\n".join(lines), number=3).rulings
    assert [(ruling.kind, ruling.carried) for ruling in later] == [(RulingKind.NAME, True), (RulingKind.ACCOUNT, False)]
    assert [ruling.line for ruling in direct(tmp_path, "\n".join(lines), number=2).rulings] == [1, 2, 3]


def test_a_ruling_entered_a_day_late_belongs_to_the_day_of_its_thread(tmp_path: Path) -> None:
    line = "日3 导演 裁定 票 tid=1235 pid=88 作废"
    assert [ruling.pid for ruling in direct(tmp_path, line, number=2).rulings] == [88]
    assert direct(tmp_path, line, number=3).rulings == ()


def test_an_undone_ruling_is_gone_and_so_is_one_that_was_not_yet_known(tmp_path: Path) -> None:
    line = "日2 导演 裁定 票 tid=1235 pid=88 作废 entered_at=2018-06-05T22:00"
    assert direct(tmp_path, f"{line}\n撤销 #1").rulings == ()
    assert direct(tmp_path, line, known_at=local(5, 21, 59)).rulings == ()
    assert len(direct(tmp_path, line, known_at=local(5, 22)).rulings) == 1


PROXIES = [
    ("代投 豆沙 包子 @2018-06-04T12:00", LedgerBallot(1, "豆沙", "包子", local(4, 12))),
    ("代投 豆沙 弃权 @2018-06-04T12:00", LedgerBallot(1, "豆沙", None, local(4, 12))),
    ("代投 豆沙 改票 饺 @2018-06-04T12:00", LedgerBallot(1, "豆沙", "饺子", local(4, 12), change=True)),
]


@pytest.mark.parametrize(("line", "ballot"), PROXIES)
def test_a_proxy_is_a_vote_of_its_voter(tmp_path: Path, line: str, ballot: LedgerBallot) -> None:
    directions = direct(tmp_path, f"日2 导演 {line}")
    assert (directions.ballots, codes(directions)) == ((ballot,), [])


def test_a_proxy_without_a_time_is_taken_as_just_in_time_and_says_so(tmp_path: Path) -> None:
    directions = direct(tmp_path, "日2 导演 代投 豆沙 包子")
    assert directions.ballots[0].at == local(5, 19, 59, 59)
    assert codes(directions) == ["E102"]


SPEED_UPS: list[tuple[str, tuple[Span, ...] | None]] = [
    ("", None),
    ("日3 导演 加速", (Span(local(8, 18)),)),
    ("日3 导演 加速 @2018-06-08T10:00", (Span(local(8, 10)),)),
    ("日3 导演 延时", ()),
    ("日3 导演 加速\n日3 导演 延时 @2018-06-08T19:00", (Span(local(8, 18), local(8, 19)),)),
    ("日2 导演 加速", None),
]


@pytest.mark.parametrize(("ledger", "speed_ups"), SPEED_UPS)
def test_a_speed_up_holds_from_its_line_until_a_delay(tmp_path: Path, ledger: str, speed_ups: tuple[Span, ...] | None) -> None:
    assert direct(tmp_path, ledger, number=3).day.speed_ups == speed_ups


@pytest.mark.parametrize(
    ("declared", "line", "found"),
    [("true", "加速", []), ("false", "加速", ["E101"]), ("true", "延时", ["E101"]), ("false", "延时", [])],
)
def test_a_ledger_that_disagrees_with_the_game_file_is_followed_and_shown(
    tmp_path: Path, declared: str, line: str, found: list[str]
) -> None:
    directions = direct(tmp_path, f"日3 导演 {line}", number=3, extra=f"accelerated = {declared}\n")
    assert codes(directions) == found
    assert bool(directions.day.speed_ups) == (line == "加速")


def test_a_substitute_keeps_the_account_or_brings_a_new_one_from_a_moment_on(tmp_path: Path) -> None:
    assert direct(tmp_path, "日2 导演 替补 饺子").roster.seats[0].accounts == (Account("饺子"),)
    new = direct(tmp_path, "日2 导演 替补 饺子 账号=新饺子 uid=2001 @2018-06-04T12:00").roster.seats[0].accounts
    assert new == (Account("饺子"), Account("新饺子", 2001, local(4, 12)))


def test_a_substitute_without_a_time_begins_with_the_day_after_the_night(tmp_path: Path) -> None:
    accounts = direct(tmp_path, "夜2 导演 替补 饺子 账号=新饺子").roster.seats[0].accounts
    assert accounts[1].since == local(6, 9, 30)


def test_acts_of_the_game_are_kept_without_a_word_and_a_ruling_that_no_count_reads_is_shown(tmp_path: Path) -> None:
    assert codes(direct(tmp_path, "夜1 狼甲 杀人 4\n日2 导演 截票\n日2 导演 红牌 饺子\n日2 饺子 申请加速")) == []
    assert codes(direct(tmp_path, "日2 导演 裁定 事实 警长 饺子")) == ["E104"]


def test_a_line_for_a_day_that_the_game_has_not_is_shown_on_every_day(tmp_path: Path) -> None:
    lines = [
        "日9 导演 代投 豆沙 包子 @2018-06-04T12:00",
        "日9 导演 加速",
        "日9 导演 裁定 结果 出局 包子",
        "日9 导演 裁定 票 tid=1999 pid=88 作废",
        "日9 导演 裁定 票 tid=1235 pid=88 作废",
        "日1 导演 裁定 名字 包总 为 包子",
        "日9 导演 截票",
        "日9 导演 裁定 名字 豆总 为 豆沙",
        "日9 导演 裁定 账号 新豆沙 为 豆沙",
    ]
    for number in (2, 3):
        found = direct(tmp_path, "\n".join(lines), number=number).findings
        strays = [dict(finding.parameters)["line"] for finding in found if finding.code == "E107"]
        assert strays == ["1", "2", "3", "4", "8", "9"]


# line, column of the error, what the message shows
MISTAKES = [
    ("日2 导演 裁定 票 tid=1235 pid=88 计为 饱子", 31, "包子"),
    ("日2 导演 裁定 票 tid=1235 pid=88", 10, "计为"),
    ("日2 导演 裁定 票 tid=1235 计为 包子", 7, "pid="),
    ("日2 导演 裁定 票 tid=1235 pid=8a 计为 包子", 21, "8a"),
    ("日2 导演 裁定 漂 tid=1235 pid=88 作废", 10, "票"),
    ("日2 导演 裁定", 7, "裁定"),
    ("日2 导演 裁订 票 tid=1235 pid=88 计为 包子", 7, "裁定"),
    ("夜2 导演 裁訂 名字 包总 为 包子", 7, "裁定"),
    ("日9 导演 裁判 结果 出局 包子", 7, "裁定"),
    ("日2 导演 判 票 tid=1235 pid=88 作废", 7, "裁定"),
    ("日2 导演 计票 票 计为 包子 pid=88", 7, "裁定"),
    ("日2 导演 裁定票 tid=1235 pid=88 计为 包子", 7, "裁定"),
    ("日2 豆沙 裁订 票 tid=1235 pid=88 作废", 7, "裁定"),
    ("日2 导演 裁定 票 tid=1235 pid=88 记为 包子", 28, "计为"),
    ("日2 导演 裁定 票 tid=1235 pid=88 作费", 28, "作废"),
    ("日2 导演 裁定 账号 新饺子 是 饺子", 17, "为"),
    ("日2 导演 裁定 结果 出具 包子", 13, "出局"),
    ("日2 导演 带投 豆沙 包子 @2018-06-04T12:00", 7, "代投"),
    ("日2 导演 加数 @2018-06-04T12:00", 7, "加速"),
    ("日2 导演 延长 @2018-06-04T12:00", 7, "延时"),
    ("日2 导演 替不 饺子 账号=新饺子 @2018-06-04T12:00", 7, "替补"),
    ("日2 导演 关们 @2018-06-05T22:00", 7, "关门"),
    ("日2 导演 红拍 饺子", 7, "红牌"),
    ("日2 导演 替补 饺子 别名=包子", 13, "包子"),
    ("日2 导演 替补 饺子 别名=弃權", 13, "弃权"),
    ("日2 导演 裁定 账号 新饺子 饺子", 10, "为"),
    ("日2 导演 裁定 名字 包总 为 包工头", 18, "包工头"),
    ("日2 导演 裁定 结果 包子", 10, "结果"),
    ("日2 包子 裁定 票 tid=1235 pid=88 作废", 7, "导演"),
    ("日2 包子 代投 豆沙 包子 @2018-06-04T12:00", 7, "导演"),
    ("日2 导演 代投 豆沙 @2018-06-04T12:00", 7, "投票对象"),
    ("日2 导演 代投 豆沙 汤圆 @2018-06-04T12:00", 13, "汤圆"),
    ("日9 导演 代投 豆沙 汤圆 @2018-06-04T12:00", 13, "汤圆"),
    ("夜2 导演 代投 豆沙 包子 @2018-06-04T12:00", 7, "白天"),
    ("夜2 导演 加速", 7, "白天"),
    ("日2 饺子 加速", 7, "导演"),
    ("日2 导演 替补 汤圆", 10, "汤圆"),
    ("日2 导演 替补 饺子 账号=包子", 13, "包子"),
    ("日9 导演 替补 饺子 账号=新饺子", 7, "何时"),
    ("日9 导演 裁定 结果 包子", 10, "结果"),
]


@pytest.mark.parametrize(("line", "column", "shown"), MISTAKES)
def test_a_line_whose_meaning_is_wrong_is_an_error_with_line_and_column(
    tmp_path: Path, line: str, column: int, shown: str
) -> None:
    loaded = game(tmp_path, f"; 账本\n{line}\n")
    with pytest.raises(LedgerError) as caught:
        read_events(loaded)
    assert f"ledger.txt:2:{column}: " in str(caught.value)
    assert shown in str(caught.value)


def test_every_act_of_the_director_is_known_to_the_reader_of_rulings() -> None:
    assert {*DIRECTED, *ACTS} <= set(KNOWN_ACTS)


def test_what_another_writes_is_no_misspelt_ruling(tmp_path: Path) -> None:
    lines = [
        "夜1 狼甲 裁衣 4",
        "日2 导演 超时 警长",
        "日2 导演 场外助理 饺子",
        "夜1 导演 收 狼人",
        "日2 导演 罚下 饺子",
        "日2 导演 宣布 大家好",
    ]
    assert codes(direct(tmp_path, "\n".join(lines))) == []


def test_an_undone_mistake_is_no_error(tmp_path: Path) -> None:
    assert direct(tmp_path, "日2 导演 裁定 结果 包子\n撤销 #1").rulings == ()
