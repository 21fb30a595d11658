"""Who has the last word on a speed-up: the ledger, the game file, else the requests as far as they were seen."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from engine.counting import read_events
from engine.game import load_game
from engine.judging import Judged, Progress, judge_day
from engine.ledger import standing_events
from engine.rulings import direct_day
from scraper.passes import Pass
from tally.day import Span
from tally.dayevent import EventKind
from tests.tally.make import Wrote, at, make_history

# Six seats: three are half of them. The window is that of tests.tally.make, judged at 18:00.
SEATS = ("甲", "乙", "丙", "丁", "戊", "己")
HEAD = '[game]\ntitle = "试局"\nruleset = "m29"\n' + "".join(f'[[player]]\nname = "{seat}"\n' for seat in SEATS)
DAY = "[[day]]\nnumber = 2\nopens = 2018-06-05T09:30:00\ncloses = 2018-06-05T21:00:00\nvote = 1235\nprogress = 1236\n"
FROM_18 = (Span(at("18:00")),)


def ask(*words: str, clock: str = "12:00", tid: int = 1236) -> tuple[Wrote, ...]:
    """One post a word, by one seat after the other."""
    return tuple(Wrote(word, by=seat, clock=clock, tid=tid) for word, seat in zip(words, SEATS, strict=False))


THREE, TWO = ask(*["申请加速"] * 3), ask(*["申请加速"] * 2)


def look(clock: str, *, complete: bool = True) -> Pass:
    """A pass over the progress thread."""
    return Pass(
        1236, at(clock), at(clock) + timedelta(seconds=5), 2, (1, 2) if complete else (1,), () if complete else (2,), complete
    )


def judge(
    folder: Path,
    posts: tuple[Wrote, ...],
    extra: str = "",
    ledger: str = "",
    *,
    looks: tuple[Pass, ...] = (look("21:05"),),
    votes: str | None = "21:05",
    until: datetime | None = None,
    day: str = DAY,
) -> Judged:
    """The judgement of a day whose votes were last looked at, and whose progress thread was seen, at these times."""
    (folder / "game.toml").write_text(HEAD + day + extra, encoding="utf-8")
    (folder / "ledger.txt").write_text(ledger, encoding="utf-8")
    game = load_game(folder)
    directions = direct_day(game, standing_events(read_events(game)), game.days[0])
    histories = tuple(make_history(wrote, index, posts) for index, wrote in enumerate(posts))
    progress = Progress(histories, looks) if game.days[0].progress is not None else None
    return judge_day(game, directions, progress, known_until=at(votes) if votes else None, until=until)


def codes(judged: Judged) -> list[str]:
    return [finding.code for finding in judged.findings]


def kinds(judged: Judged) -> list[tuple[EventKind, bool]]:
    return [(event.kind, event.held) for event in judged.events]


def test_requests_are_judged_where_nobody_else_says_anything(tmp_path: Path) -> None:
    judged = judge(tmp_path, THREE)
    assert (judged.day.speed_ups, codes(judged), kinds(judged)) == (FROM_18, [], [(EventKind.SPEED_UP, True)])
    judged = judge(tmp_path, TWO)
    assert (judged.day.speed_ups, codes(judged), kinds(judged)) == ((), [], [(EventKind.SPEED_UP, False)])
    assert judge(tmp_path, ()).day.speed_ups == ()


def test_before_the_judgement_nothing_is_due_and_the_count_so_far_is_a_note(tmp_path: Path) -> None:
    for posts in (TWO, THREE):
        judged = judge(tmp_path, posts, looks=(look("17:00"),), votes="18:00")
        assert (judged.day.speed_ups, codes(judged), judged.events) == ((), ["B511"], ())
    assert judge(tmp_path, THREE, looks=(), votes=None).day.speed_ups == ()


@pytest.mark.parametrize(
    ("looks", "seen"),
    [
        ((look("18:00:00"),), False),
        ((look("18:00:01"),), True),
        ((look("18:01", complete=False),), False),
        ((look("17:00"), look("18:01", complete=False)), False),
        ((look("18:01"), look("18:30", complete=False)), True),
        ((), False),
    ],
)
def test_a_thread_that_was_not_seen_whole_since_cannot_be_judged(tmp_path: Path, looks: tuple[Pass, ...], seen: bool) -> None:
    judged = judge(tmp_path, THREE, looks=looks)
    assert judged.day.speed_ups == (FROM_18 if seen else None)
    assert codes(judged) == ([] if seen else ["B510"])


def test_on_a_board_of_minutes_the_minute_must_be_over(tmp_path: Path) -> None:
    posts = tuple(Wrote("申请加速", by=seat, tid=1236, exact=False) for seat in SEATS[:3])
    assert judge(tmp_path, posts, looks=(look("18:00:30"),)).day.speed_ups is None
    assert judge(tmp_path, posts, looks=(look("18:01"),)).day.speed_ups == FROM_18


@pytest.mark.parametrize(
    ("posts", "declared", "found"),
    [(THREE, "true", []), (TWO, "true", ["E108"]), ((), "true", ["E108"]), (THREE, "false", ["E108"]), (TWO, "false", [])],
)
def test_a_game_file_that_says_otherwise_is_followed_and_shown(
    tmp_path: Path, posts: tuple[Wrote, ...], declared: str, found: list[str]
) -> None:
    judged = judge(tmp_path, posts, f"accelerated = {declared}\n")
    assert judged.day.speed_ups == (FROM_18 if declared == "true" else ())
    assert codes(judged) == found


def test_what_is_written_needs_no_progress_thread(tmp_path: Path) -> None:
    assert codes(judge(tmp_path, (), "accelerated = true\n", looks=())) == []
    without = DAY.replace("progress = 1236\n", "")
    for declared, speed_ups in (("true", FROM_18), ("false", ())):
        judged = judge(tmp_path, (), f"accelerated = {declared}\n", day=without)
        assert (judged.day.speed_ups, codes(judged)) == (speed_ups, [])
    assert judge(tmp_path, (), day=without).day.speed_ups == ()


def test_a_ledger_line_has_the_last_word(tmp_path: Path) -> None:
    early = "日2 导演 加速 @2018-06-05T12:30"
    judged = judge(tmp_path, THREE, ledger=early)
    assert (judged.day.speed_ups, codes(judged)) == ((Span(at("12:30")),), [])
    assert [(event.line, event.at) for event in judged.events] == [(1, at("12:30")), (None, at("18:00"))]
    assert judge(tmp_path, THREE, ledger="日2 导演 延时").day.speed_ups == ()
    assert judge(tmp_path, TWO, ledger=early, looks=()).day.speed_ups == (Span(at("12:30")),)


def test_doubtful_requests_that_decide_wait_for_the_director(tmp_path: Path) -> None:
    doubtful = (*TWO, Wrote("申请加速", by="丙", tid=1236, mark="18:10"))
    judged = judge(tmp_path, doubtful)
    assert (judged.day.speed_ups, codes(judged)) == (None, ["B508"])
    assert dict(judged.findings[0].parameters) == {"seats": "丙", "ask": "faster"}
    judged = judge(tmp_path, doubtful, ledger="日2 导演 加速")
    assert (judged.day.speed_ups, codes(judged)) == (FROM_18, ["B509"])
    judged = judge(tmp_path, (*doubtful, Wrote("申请加速", by="丁", tid=1236)))
    assert (judged.day.speed_ups, codes(judged)) == (FROM_18, ["B509"])


@pytest.mark.parametrize(("clock", "held"), [("17:59:59", None), ("18:00:00", True), ("18:00:01", True)])
def test_a_count_up_to_a_moment_knows_no_later_judgement(tmp_path: Path, clock: str, held: bool | None) -> None:
    judged = judge(tmp_path, THREE, until=at(clock))
    assert [event.held for event in judged.events] == ([held] if held is not None else [])
    assert judged.day.speed_ups == (FROM_18 if held else ())
    ledger = judge(tmp_path, (), ledger="日2 导演 加速 @2018-06-05T18:00", until=at(clock))
    assert len(ledger.events) == (clock >= "18:00:00")


def test_a_count_up_to_a_moment_reads_no_later_request(tmp_path: Path) -> None:
    posts = (*TWO, Wrote("申请加速", by="丙", clock="14:00", tid=1236))
    assert len(judge(tmp_path, posts, until=at("13:00")).requests) == 2
    assert len(judge(tmp_path, posts, until=at("14:00")).requests) == 3


FEW = "[calendar]\naccelerate_at = 6\n"


def test_so_few_living_speed_up_by_themselves_with_or_without_a_progress_thread(tmp_path: Path) -> None:
    for day in (DAY, DAY.replace("progress = 1236\n", "")):
        judged = judge(tmp_path, (), FEW, day=day)
        assert judged.day.speed_ups == (Span(at("09:30")),)
        assert "存活 6 人，不多于 6 人" in judged.events[0].because
        assert judge(tmp_path, (), FEW.replace("6", "5"), day=day).day.speed_ups == ()
        assert judge(tmp_path, (), FEW + 'accelerate_from = "judgement"\n', day=day).day.speed_ups == FROM_18
    judged = judge(tmp_path, (), "accelerated = false\n" + FEW)
    assert (judged.day.speed_ups, codes(judged)) == ((), ["E108"])


def test_a_granted_extension_ends_it_and_asks_for_the_new_close(tmp_path: Path) -> None:
    longer = ask(*["申请延时"] * 3)
    judged = judge(tmp_path, longer, FEW)
    assert (judged.day.speed_ups, codes(judged)) == ((Span(at("09:30"), at("18:00")),), ["B512"])
    moved = "日2 导演 关门 宣布=2018-06-05T18:10 @2018-06-05T22:00"
    judged = judge(tmp_path, longer, FEW, moved, looks=(look("22:05"),), votes="22:05")
    assert (judged.day.speed_ups, codes(judged)) == ((Span(at("09:30"), at("18:00")),), [])
    assert kinds(judged) == [(EventKind.SPEED_UP, True), (EventKind.EXTENSION, True), (EventKind.CLOSE, True)]


def test_an_account_that_was_ruled_a_seats_may_ask_for_it(tmp_path: Path) -> None:
    posts = (*TWO, Wrote("申请加速", by="丙的小号", tid=1236))
    assert judge(tmp_path, posts).day.speed_ups == ()
    assert judge(tmp_path, posts, ledger="日2 导演 裁定 账号 丙的小号 为 丙").day.speed_ups == FROM_18
