"""What the ledger says to the check: rulings on posts, and when the piper went out."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from engine.counting import read_events
from engine.game import Game, load_game
from engine.ledger import LedgerError, standing_events
from engine.rulings import direct_day
from engine.sounds.directions import find_release, read_rulings
from tally.finding import sentence
from tally.sounds.ruled import SoundRuling

GAME = """[game]
ruleset = "m29"
[[player]]
name = "包子"
aliases = ["包"]
[[player]]
name = "豆沙"
[[day]]
number = 2
opens = 2018-06-03T09:30:00
closes = 2018-06-05T21:00:00
vote = 1235
progress = 1236
accelerated = false
{two}
[[day]]
number = 3
opens = 2018-06-06T09:30:00
closes = 2018-06-08T21:00:00
vote = 1238
{three}
"""


def load(folder: Path, ledger: str = "", *, two: str = "", three: str = "", piper: str = "") -> Game:
    (folder / "game.toml").write_text(GAME.format(two=two, three=three), encoding="utf-8")
    (folder / "ledger.txt").write_text(ledger, encoding="utf-8")
    if piper:
        (folder / "secrets.toml").write_text(f'[[player]]\nname = "{piper}"\nrole = "吹笛者"\n', encoding="utf-8")
        (folder / "secrets.toml").chmod(0o600)
    return load_game(folder)


def read(game: Game) -> tuple[SoundRuling, ...]:
    return read_rulings(game, standing_events(read_events(game)))


def release(game: Game) -> tuple[datetime | None, list[str]]:
    moment, findings = find_release(game, standing_events(read_events(game)), game.days)
    return moment, [sentence(finding) for finding in findings]


def at(text: str) -> datetime:
    return datetime.fromisoformat(f"2018-06-{text}+08:00")


# -- rulings


def test_a_ruling_names_thread_post_and_verdict_and_keeps_its_reason(tmp_path: Path) -> None:
    game = load(tmp_path, "日2 导演 裁定 发言 tid=1235 pid=88 合规 ; 只是喵得久\n日2 导演 裁定 发言 tid=1235 pid=89 违规\n")
    assert read(game) == (
        SoundRuling(1, 1235, 88, lawful=True, reason="只是喵得久"),
        SoundRuling(2, 1235, 89, lawful=False),
    )


def test_a_ruling_may_name_the_seat_and_the_revision_and_says_when_it_was_entered(tmp_path: Path) -> None:
    game = load(tmp_path, "日2 导演 裁定 发言 tid=1235 pid=88 玩家=包 版=2 合规 entered_at=2018-06-04T12:00 operator=导演乙\n")
    assert read(game) == (SoundRuling(1, 1235, 88, lawful=True, seat="包子", revision=2, entered_at=at("04T12:00:00")),)


def test_an_undone_ruling_is_none(tmp_path: Path) -> None:
    assert read(load(tmp_path, "日2 导演 裁定 发言 tid=1235 pid=88 合规\n撤销 #1\n")) == ()


@pytest.mark.parametrize(
    ("line", "column", "shown"),
    [
        ("日2 导演 裁定 发言 tid=1235 pid=88", 10, "合规还是违规"),
        ("日2 导演 裁定 发言 tid=1235 pid=88 合法", 29, "合规还是违规"),
        ("日2 导演 裁定 发言 pid=88 合规", 7, "缺少 tid="),
        ("日2 导演 裁定 发言 tid=1235 合规", 7, "缺少 pid="),
        ("日2 导演 裁定 发言 tid=1235 pid=八八 合规", 22, "不是数字"),
        ("日2 导演 裁定 发言 tid=1235 pid=88 版=0 合规", 29, "不是数字"),
        ("日2 导演 裁定 发言 tid=1235 pid=88 玩家=饺子 合规", 29, "没有叫 '饺子' 的玩家"),
        ("日2 包子 裁定 发言 tid=1235 pid=88 合规", 7, "只能由导演写"),
    ],
)
def test_a_ruling_that_cannot_be_read_is_an_error_of_every_command(tmp_path: Path, line: str, column: int, shown: str) -> None:
    with pytest.raises(LedgerError) as caught:
        read_events(load(tmp_path, f"{line}\n"))
    assert f"ledger.txt:1:{column}: " in str(caught.value)
    assert shown in str(caught.value)


def test_a_count_has_nothing_to_say_about_these_lines(tmp_path: Path) -> None:
    game = load(
        tmp_path, "日2 导演 裁定 发言 tid=1235 pid=88 合规\n日2 导演 公示 吹笛者出局 @2018-06-04T15:00\n日2 导演 公示 加速成功\n"
    )
    events = standing_events(read_events(game))
    assert [finding for day in game.days for finding in direct_day(game, events, day).findings] == []


# -- when the piper went out


@pytest.mark.parametrize(
    ("ledger", "two", "three", "piper", "moment"),
    [
        ("", "", "", "", None),
        ("日2 导演 公示 吹笛者出局 @2018-06-04T15:00\n", "", "", "", "04T15:00:00"),
        ("夜2 导演 公示 吹笛者出局\n", "", "", "", "06T09:30:00"),
        ("夜2 导演 公示 吹笛者出局 @2018-06-05T22:00\n", "", "", "", "05T22:00:00"),
        ("日2 导演 公示 吹笛者出局 @2018-06-04T15:00\n撤销 #1\n", "", "", "", None),
        ("日2 导演 公示 加速成功\n", "", "", "", None),
        ("", "piper_out = 2018-06-05T21:10:00", "", "", "05T21:10:00"),
        ("", "", "piper_out = true", "", "06T09:30:00"),
        # What the facts and secrets.toml tell together: the piper is out since then.
        ("", 'out = [{ name = "豆沙", at = 2018-06-04T15:00:00 }]', 'out = ["豆沙"]', "豆沙", "04T15:00:00"),
        ("", "", 'out = ["豆沙"]', "豆沙", "06T09:30:00"),
        ("", "", 'out = ["包子"]', "豆沙", None),
        ("", "", 'out = ["豆沙"]', "", None),
    ],
)
def test_the_ledger_the_day_or_the_facts_tell_when_the_piper_went_out(
    tmp_path: Path, ledger: str, two: str, three: str, piper: str, moment: str | None
) -> None:
    assert release(load(tmp_path, ledger, two=two, three=three, piper=piper)) == (at(moment) if moment else None, [])


def test_sources_that_disagree_over_some_of_a_daytime_are_a_finding_and_the_ledger_is_followed(tmp_path: Path) -> None:
    line = "日2 导演 公示 吹笛者出局 @2018-06-04T15:00\n"
    moment, said = release(load(tmp_path, line, two="piper_out = 2018-06-04T16:00:00", three='out = ["豆沙"]', piper="豆沙"))
    assert moment == at("04T15:00:00")
    assert said == [
        "吹笛者何时出局，账本写的是 2018-06-04T15:00:00+08:00，piper_out写的是 2018-06-04T16:00:00+08:00；按前一个算",
        "吹笛者何时出局，账本写的是 2018-06-04T15:00:00+08:00，out（按身份）写的是 2018-06-06T09:30:00+08:00；按前一个算",
    ]


def test_sources_that_differ_in_the_night_only_agree(tmp_path: Path) -> None:
    assert release(load(tmp_path, two="piper_out = 2018-06-05T21:10:00", three='out = ["豆沙"]', piper="豆沙")) == (
        at("05T21:10:00"),
        [],
    )


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("日2 导演 公示 吹笛者出局", "不知道何时公示的"),
        ("夜3 导演 公示 吹笛者出局", "不知道何时公示的"),
        ("日2 包子 公示 吹笛者出局 @2018-06-04T15:00", "只能由导演写"),
    ],
)
def test_an_announcement_without_a_moment_is_an_error(tmp_path: Path, line: str, shown: str) -> None:
    with pytest.raises(LedgerError, match=shown):
        read_events(load(tmp_path, f"{line}\n"))
