"""Ledger lines that move a door, and what the calendar of a game file says of days."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path

import pytest

from engine.calendar import AccelerateFrom, check_length, find_length
from engine.counting import read_events
from engine.dayrules import DAY_RULES
from engine.doors import move_days, move_doors
from engine.game import Game, load_game
from engine.ledger import LedgerError, standing_events
from engine.rulesets import NAMES
from engine.rulings import direct_day
from scraper.errors import GameFileError
from tally.day import Day, Limits, Span
from tally.dayevent import EventKind
from tally.finding import severity
from tests.engine.test_rulings import GAME

SEEDS = Path(__file__).parents[3] / "shared" / "seeds"


def local(day: int, hour: int, minute: int = 0, second: int = 0) -> datetime:
    """A moment of June 2018 in Shanghai."""
    return datetime(2018, 6, day, hour - 8, minute, second, tzinfo=UTC)


def load(folder: Path, extra: str = "", ledger: str = "") -> Game:
    (folder / "game.toml").write_text(GAME + extra, encoding="utf-8")
    (folder / "ledger.txt").write_text(ledger, encoding="utf-8")
    return load_game(folder)


def move(folder: Path, ledger: str, number: int = 2) -> Day:
    game = load(folder, ledger=ledger)
    return move_days(game.days, standing_events(read_events(game)))[number - 2]


BOTH = local(3, 9, 30), local(5, 21)


def test_a_close_without_an_announcement_was_always_so(tmp_path: Path) -> None:
    day = move(tmp_path, "日2 导演 关门 @2018-06-05T22:00")
    assert (day.opens, day.closes, day.moved) == (local(3, 9, 30), local(5, 22), ())


def test_a_close_is_in_force_from_its_announcement(tmp_path: Path) -> None:
    day = move(tmp_path, "日2 导演 关门 宣布=2018-06-05T20:30 @2018-06-05T22:00 ; 断电")
    assert (day.closes, day.moved) == (local(5, 22), (Limits(local(5, 20, 30), *BOTH),))


def test_an_opening_is_moved_alike(tmp_path: Path) -> None:
    day = move(tmp_path, "日2 导演 开门 宣布=2018-06-03T08:00 @2018-06-03T09:00")
    assert (day.opens, day.moved) == (local(3, 9), (Limits(local(3, 8), *BOTH),))


def test_several_lines_follow_each_other_in_the_order_in_which_they_were_announced(tmp_path: Path) -> None:
    day = move(
        tmp_path,
        "日2 导演 关门 宣布=2018-06-05T21:30 @2018-06-05T23:00\n日2 导演 关门 宣布=2018-06-05T18:00 @2018-06-05T22:00",
    )
    assert day.closes == local(5, 23)
    assert day.moved == (Limits(local(5, 18), *BOTH), Limits(local(5, 21, 30), local(3, 9, 30), local(5, 22)))


@pytest.mark.parametrize(("entered", "told"), [("05T20:30", 1), ("05T21:00", 1), ("05T21:30", 0), ("06T08:00", 0)])
def test_a_line_that_was_entered_in_time_was_entered_as_it_was_said(tmp_path: Path, entered: str, told: int) -> None:
    day = move(tmp_path, f"日2 导演 关门 entered_at=2018-06-{entered} @2018-06-05T22:00")
    assert (day.closes, len(day.moved)) == (local(5, 22), told)


def test_an_undone_line_moves_nothing_and_neither_does_one_that_was_not_known_yet(tmp_path: Path) -> None:
    line = "日2 导演 关门 entered_at=2018-06-05T20:30 @2018-06-05T22:00"
    assert move(tmp_path, f"{line}\n撤销 #1").closes == local(5, 21)
    game = load(tmp_path, ledger=line)
    events = read_events(game)
    assert [move_days(game.days, standing_events(events, local(5, 20, minute)))[0].closes for minute in (29, 30)] == [
        local(5, 21),
        local(5, 22),
    ]


def test_a_moved_door_is_an_event_with_its_line_and_its_why(tmp_path: Path) -> None:
    game = load(tmp_path, ledger="\n日2 导演 关门 宣布=2018-06-05T20:30 @2018-06-05T22:00 ; 断电")
    (event,) = direct_day(game, read_events(game), game.days[0]).events
    assert (event.kind, event.at, event.line) == (EventKind.CLOSE, local(5, 22), 2)
    for part in ("账本第 2 行", "关门改为 06-05 22:00:00", "原定 06-05 21:00:00", "06-05 20:30:00 宣布", "断电"):
        assert part in event.because
    moved = move_doors(game.days[0], read_events(load(tmp_path, ledger="日2 导演 关门 @2018-06-05T22:00")))
    assert [finding.code for finding in moved.findings] == ["B502"]


def test_a_speed_up_of_the_game_file_follows_the_close(tmp_path: Path) -> None:
    game = load(tmp_path, extra="accelerated = true\n", ledger="日3 导演 关门 宣布=2018-06-08T12:00 @2018-06-08T20:00")
    assert direct_day(game, read_events(game), game.days[1]).day.speed_ups == (Span(local(8, 17)),)


WRONG = [
    ("日2 导演 关门", "要写时间"),
    ("日2 饺子 关门 @2018-06-05T22:00", "只能由导演写"),
    ("夜2 导演 关门 @2018-06-05T22:00", "白天的事"),
    ("日2 导演 关门 22:00 @2018-06-05T22:00", "后面不写"),
    ("日2 导演 关门 @2018-06-03T09:30", "不晚于"),
    ("日2 导演 开门 @2018-06-05T21:00", "不晚于"),
    ("日2 导演 关门 宣布=下午 @2018-06-05T22:00", "读不懂"),
    ("日2 导演 关门 @2018-06-06T09:30:01", "不可重叠"),
]


@pytest.mark.parametrize(("line", "shown"), WRONG)
def test_a_line_that_is_wrong_is_refused_with_its_place_and_the_fix(tmp_path: Path, line: str, shown: str) -> None:
    game = load(tmp_path, ledger=f"\n{line}")
    with pytest.raises(LedgerError, match=r"ledger\.txt:2:") as caught:
        read_events(game)
    assert shown in str(caught.value)
    assert "改法" in str(caught.value)


# -- [calendar]


def test_a_day_without_a_close_has_the_calendars(tmp_path: Path) -> None:
    day = '[[day]]\nnumber = 4\nopens = 2018-06-11T09:30:00\nvote = 1300\n[calendar]\nday = "2d"\n'
    assert load(tmp_path, extra=day).days[2].closes == local(12, 21)
    weekend = day.replace("06-11", "06-15")
    assert load(tmp_path, extra=weekend).days[2].closes == local(17, 21)
    assert load(tmp_path, extra=weekend + 'weekend_extra = "0d"\n').days[2].closes == local(16, 21)
    assert load(tmp_path, extra=day + "close = 20:30:00\n").days[2].closes == local(12, 20, 30)
    assert load(tmp_path, extra=day.replace("2d", "36h")).days[2].closes == local(12, 21, 30)


def test_without_a_calendar_a_day_needs_its_close(tmp_path: Path) -> None:
    with pytest.raises(GameFileError, match="缺少 closes"):
        load(tmp_path, extra="[[day]]\nnumber = 4\nopens = 2018-06-11T09:30:00\nvote = 1300\n")
    with pytest.raises(GameFileError, match="缺少 closes"):
        load(tmp_path, extra="[[day]]\nnumber = 4\nopens = 2018-06-11T09:30:00\nvote = 1300\n[calendar]\naccelerate_at = 6\n")


@pytest.mark.parametrize(
    ("lines", "shown"),
    [
        ('day = "0d"', "没有长短"),
        ('day = "36h"\nclose = 21:00:00', "用小时写"),
        ('close = "九点"', "时刻"),
        ("close = 2018-06-05T21:00:00", "时刻"),
        ('accelerate_from = "noon"', "opening"),
        ('dya = "2d"', "day"),
    ],
)
def test_a_calendar_that_is_wrong_is_refused(tmp_path: Path, lines: str, shown: str) -> None:
    with pytest.raises(GameFileError) as caught:
        load(tmp_path, extra=f"[calendar]\n{lines}\n")
    assert shown in str(caught.value)


def test_the_file_goes_before_the_rule_system(tmp_path: Path) -> None:
    game = load(
        tmp_path,
        extra='[calendar]\nholidays = [2018-06-18]\nopen = "09:00"\nweekend_extra = "12h"\naccelerate_from = "judgement"\n',
    )
    assert game.length is not None
    assert (game.length.days, game.length.closes_at, game.length.opens_at) == (2, time(21), time(9))
    assert (game.length.weekend_extra, game.length.holiday_extra) == (timedelta(hours=12), timedelta(hours=12))
    assert (game.length.holidays, game.calendar.accelerate_from) == ((date(2018, 6, 18),), AccelerateFrom.JUDGEMENT)
    vest = find_length("vest", game.calendar)
    assert vest is not None
    assert (vest.closes_at, vest.holiday_extra) == (time(21, 30), timedelta(days=1))
    assert find_length("table", load(tmp_path).calendar) is None


def test_a_day_that_is_longer_than_the_calendar_is_a_warning_where_the_director_wrote_one(tmp_path: Path) -> None:
    game = load(tmp_path)
    # Sunday to Tuesday is two natural days and one more; Wednesday to Friday is one too many.
    sunday, wednesday = game.days
    assert check_length(sunday, game.length, written=True) == ()
    (warned,) = check_length(wednesday, game.length, written=True)
    assert dict(warned.parameters) == {"day": "3", "expected": "2018-06-07 21:00:00", "closes": "2018-06-08 21:00:00"}
    (noted,) = check_length(wednesday, game.length, written=False)
    assert [(one.code, severity(one).value) for one in (warned, noted)] == [("B501", "warning"), ("B501", "note")]
    assert check_length(wednesday, None, written=True) == ()


# -- what the rule systems say


def test_every_rule_system_says_what_its_days_are() -> None:
    assert set(DAY_RULES) == set(NAMES)


@pytest.mark.parametrize(("ruleset", "seed"), [("m29", "004_*"), ("vest", "001_*")])
def test_every_clause_about_days_stands_in_its_rule_post(ruleset: str, seed: str) -> None:
    if not SEEDS.exists():
        pytest.skip(f"the rule posts are not at {SEEDS}")
    (path,) = SEEDS.glob(seed)
    text, rules = path.read_text(encoding="utf-8"), DAY_RULES[ruleset]
    found = [clause.text for clause in (rules.automatic, rules.sent_off) if clause is not None]
    found += [rules.length.clause.text] if rules.length is not None and rules.length.clause is not None else []
    found += [rules.requests.clause.text] if rules.requests is not None else []
    assert len(found) >= 3
    for clause in found:
        assert clause in text
