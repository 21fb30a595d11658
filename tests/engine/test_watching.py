"""`bansha watch`: when it looks, what it shows, and what it survives. No test waits: the clock goes on when it sleeps."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import MappingProxyType
from unittest.mock import patch

import pytest

from engine.cli.watching import Signals
from engine.watching import Rhythm, plan_next
from tests.board.script import Script
from tests.board.server import Asked, Reply
from tests.engine.command import Ran
from tests.engine.living import GAME, Living, living, thread, vote

posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signal")
ENDS = datetime(2018, 6, 5, 13, tzinfo=UTC)  # 21:00 in Shanghai
RHYTHM = Rhythm(usual=1800, last_hour=300, outage=120, before=45, after=60)


@pytest.mark.parametrize(
    ("left", "refused", "following"),
    [
        # seconds before the close → seconds before the close of the next look
        (7200, False, 5400),
        (4000, False, 3600),
        (3600, False, 3300),
        (400, False, 100),
        (300, False, 45),
        (46, False, 45),
        (45, False, -60),
        (10, False, -60),
        (-1, False, -121),
        (-60, False, -180),
        (7200, True, 7080),
        (200, True, 80),
    ],
)
def test_when_the_next_look_is(left: int, refused: bool, following: int) -> None:
    found = plan_next(ENDS - timedelta(seconds=left), ENDS, RHYTHM, refused=refused)
    assert (ENDS - found).total_seconds() == following


def script() -> Script:
    """A vote that is decided eight minutes before the close."""
    return thread(vote("饺子", "05T19:40", "包子"), vote("包子", "05T20:20", "饺子"), vote("豆沙", "05T20:52", "包子"))


@pytest.fixture
def game(tmp_path: Path) -> Iterator[Living]:
    with ExitStack() as stack:
        yield stack.enter_context(living(tmp_path, script(), "05T19:30"))


Sleep = Callable[[float], None]


def watch(game: Living, *arguments: str, sleep: Sleep | None = None) -> Ran:
    def pass_time(seconds: float) -> None:
        game.clock.now += timedelta(seconds=seconds)

    with patch("engine.cli.watching.sleep", sleep or pass_time):
        return game.run("watch", *arguments)


def looks(ran: Ran) -> list[str]:
    """When it looked, as it says, to the minute."""
    return re.findall(r"(\d\d:\d\d):\d\d 看过", ran.err)


def test_a_day_is_watched_to_its_end(game: Living) -> None:
    ran = watch(game)
    assert ran.code == 0
    assert "投票出局：包子" in ran.out
    assert ran.out.rstrip().splitlines()[-1] != ""
    published = ran.out.split("———— 可以发的帖子 ————\n")[1]
    assert "[b]包子：2 票[/b]" in published
    assert "暂定" not in published
    told = looks(ran)
    assert told[0] == "19:30"
    # Every half hour before, every five minutes in the last hour, once just before the close, and the sweep behind it.
    assert [one for one in told if one < "20:00"] == ["19:30"]
    assert len([one for one in told if "20:00" <= one < "20:59"]) == 12
    assert told[-2:] == ["20:59", "21:01"]


def test_the_table_is_printed_when_it_changes(game: Living) -> None:
    before = watch(game).out.split("———— 可以发的帖子 ————\n")[0]
    # 19:30 nothing; three votes; the close; and the result at the end.
    assert before.count("M29") + before.count("试局 · 第 2 天") >= 5


def test_the_result_as_json(game: Living) -> None:
    ran = watch(game, "--json")
    value = json.loads(ran.out)
    assert (value["day"], value["tallies"][0]["final"], value["gap"]) == (2, True, None)
    assert value["tallies"][0]["verdict"]["seats"] == ["包子"]
    assert value["publish"].startswith("[b]试局")


def test_it_can_be_stopped_and_goes_on(game: Living) -> None:
    slept = 0

    def stop(seconds: float) -> None:
        nonlocal slept
        game.clock.now += timedelta(seconds=seconds)
        slept += 1
        if slept == 100:
            raise KeyboardInterrupt

    first = watch(game, sleep=stop)
    assert (first.code, "都已存好" in first.err) == (130, True)
    second = watch(game)
    assert second.code == 0
    assert "投票出局：包子" in second.out
    assert looks(second)[0] >= looks(first)[-1]


def test_an_outage_is_told_and_outlived(game: Living) -> None:
    def fail(asked: Asked, reply: Reply) -> Reply | None:
        local = game.clock.now.astimezone(UTC) + timedelta(hours=8)
        return None if "20:10" <= f"{local:%H:%M}" < "20:50" else reply

    game.fail(fail)
    ran = watch(game)
    assert "论坛没有回答" in ran.err
    assert (ran.code, "投票出局：包子" in ran.out) == (0, True)


def test_a_computer_that_slept_through_the_close_tells_the_gap(game: Living) -> None:
    def sleep(seconds: float) -> None:
        game.clock.now += timedelta(seconds=seconds)
        if game.clock.now > ENDS - timedelta(minutes=30) and game.clock.now < ENDS:
            game.clock.now = ENDS + timedelta(hours=9)

    ran = watch(game, sleep=sleep)
    assert "电脑睡着了" in ran.err
    assert "关门前后有一段没有人看：06-05 20:2" in ran.err
    assert "到 06-06 06:00" in ran.err
    assert "投票出局：包子" in ran.out


def test_a_day_that_nobody_looked_at_before_its_close_says_so_in_words(game: Living) -> None:
    game.clock.now = ENDS + timedelta(hours=9)
    ran = watch(game)
    assert "关门以前没有人看过，06-06 06:0" in ran.err
    assert "—" not in ran.err


def test_before_the_opening_it_waits(game: Living) -> None:
    game.set("03T08:00")
    asked: list[datetime] = []

    def sleep(seconds: float) -> None:
        looked = bool(game.asked())
        assert not looked or game.clock.now >= datetime(2018, 6, 3, 1, 30, tzinfo=UTC)
        if looked and not asked:
            # The day is open and was looked at: its evening is enough of the rest.
            asked.append(game.clock.now)
            game.clock.now = datetime(2018, 6, 5, 11, 30, tzinfo=UTC)
        game.clock.now += timedelta(seconds=seconds)

    ran = watch(game, sleep=sleep)
    assert len(asked) == 1
    assert "06-03 09:30:00 开门" in ran.err
    assert ran.code == 0


def test_a_file_that_is_being_written_does_not_end_it(game: Living) -> None:
    path = game.folder / "game.toml"
    whole = path.read_text(encoding="utf-8")

    def sleep(seconds: float) -> None:
        game.clock.now += timedelta(seconds=seconds)
        half = ENDS - timedelta(minutes=45) < game.clock.now < ENDS - timedelta(minutes=25)
        path.write_text(whole[:100] if half else whole, encoding="utf-8")

    ran = watch(game, sleep=sleep)
    assert "先照上一次读到的接着看" in ran.err
    assert (ran.code, "投票出局：包子" in ran.out) == (0, True)


def test_a_close_that_is_moved_meanwhile_is_followed(game: Living) -> None:
    moved = False

    def sleep(seconds: float) -> None:
        nonlocal moved
        game.clock.now += timedelta(seconds=seconds)
        if not moved and game.clock.now > ENDS - timedelta(minutes=40):
            moved = True
            line = "日2 导演 关门 entered_at=2018-06-05T20:20 @2018-06-05T21:30\n"
            (game.folder / "ledger.txt").write_text(line, encoding="utf-8")

    ran = watch(game, sleep=sleep)
    assert looks(ran)[-2:] == ["21:29", "21:31"]


def test_a_day_that_is_over_and_swept_is_told_at_once(game: Living) -> None:
    watch(game)
    again = watch(game)
    assert (again.code, len(looks(again))) == (0, 1)


def test_a_day_that_is_not_there_is_a_usage_error(game: Living) -> None:
    ran = watch(game, "--day", "7")
    assert (ran.code, "第 7 天" in ran.err) == (2, True)


def test_on_a_terminal_the_table_stands_still_and_fills(game: Living) -> None:
    with patch("engine.cli.watching._is_terminal", lambda: True):
        ran = watch(game)
    assert (ran.code, "投票出局：包子" in ran.out) == (0, True)
    # Nothing is printed for each look: the table is drawn anew in its place.
    assert "看过，下一次" not in ran.err
    assert ran.out.count("———— 可以发的帖子 ————") == 1


def test_a_day_without_threads_is_nothing_to_watch(game: Living) -> None:
    path = game.folder / "game.toml"
    text = path.read_text(encoding="utf-8").replace('ruleset = "m29"', 'ruleset = "table"').replace("vote = 1235\n", "")
    path.write_text(text, encoding="utf-8")
    ran = watch(game)
    assert (ran.code, "没有什么可看" in ran.err) == (2, True)


@posix
@pytest.mark.parametrize(("number", "code"), [("SIGTERM", 143), ("SIGINT", 130), ("SIGHUP", 129)])
@pytest.mark.usefixtures("heard_signals")
def test_a_signal_ends_it_cleanly(tmp_path: Path, number: str, code: int) -> None:
    with living(tmp_path, script(), "05T19:30", open_now()) as game, begin(game) as process:
        process.send_signal(getattr(signal, number))
        rest = process.communicate(timeout=60)[1]
    assert (process.returncode, "都已存好" in rest, "Traceback" in rest) == (code, True, False)


@posix
@pytest.mark.usefixtures("heard_signals")
def test_a_signal_that_its_starter_told_it_not_to_hear_does_not_end_it(tmp_path: Path) -> None:
    """nohup bansha watch …, and the terminal is closed."""
    with living(tmp_path, script(), "05T19:30", open_now()) as game, begin(game, "nohup") as process:
        process.send_signal(signal.SIGHUP)
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(timeout=0.3)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
    assert process.returncode == 143


def open_now() -> str:
    """The game with a day that is open by the computer's clock."""
    now = datetime.now(UTC) + timedelta(hours=8)
    times = {"2018-06-03T09:30:00": now - timedelta(hours=1), "2018-06-05T21:00:00": now + timedelta(hours=5)}
    text = GAME
    for old, new in times.items():
        text = text.replace(old, f"{new:%Y-%m-%dT%H:%M:%S}")
    return text


@contextmanager
def begin(game: Living, *before: str) -> Iterator[subprocess.Popen[str]]:
    """`bansha watch` as a process of its own, which has looked once."""
    command = [*before, sys.executable, "-m", "engine", "watch", str(game.folder)]
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"
    ) as process:
        try:
            assert process.stderr is not None
            for line in process.stderr:
                if "看过" in line:
                    break
            yield process
        finally:
            process.kill()


def test_one_signal_is_enough_and_none_is_lost() -> None:
    signals = Signals()
    signals.check()
    with pytest.raises(KeyboardInterrupt):
        signals.hear(signal.SIGTERM, None)
    signals.hear(signal.SIGINT, None)  # at once again: the ending is not cut off
    assert (signals.code, signals.heard) == (143, True)
    with pytest.raises(KeyboardInterrupt):
        signals.check()


def test_the_result_of_a_day_that_is_over_is_printed_once(game: Living) -> None:
    game.set("06T08:00")
    assert watch(game).out.count("最终结果") == 1


def two_days() -> Script:
    """The vote of the second day, and that of the third."""
    second = script()
    third = thread(vote("饺子", "06T10:00", "豆沙"), vote("包子", "06T10:01", "豆沙"), tid=1238, first=6201)
    return replace(
        second,
        threads=MappingProxyType({**second.threads, **third.threads}),
        posts=MappingProxyType({**second.posts, **third.posts}),
        accounts=MappingProxyType({**third.accounts, **second.accounts}),
    )


THIRD = """[[day]]
number = 3
opens = 2018-06-06T09:30:00
closes = 2018-06-06T12:00:00
vote = 1238
sheriff = ""
"""


def test_it_goes_on_to_the_next_day_once_that_is_opened_and_ends_with_the_game(game: Living) -> None:
    """The director opens the third day an hour after the second, and says that the game has ended an hour after that."""
    game.play(two_days())
    path = game.folder / "game.toml"
    naps = 0

    def pass_time(seconds: float) -> None:
        nonlocal naps
        game.clock.now += timedelta(seconds=seconds)
        text = path.read_text(encoding="utf-8")
        if game.clock.now > ENDS + timedelta(hours=1) and "number = 3" not in text:
            path.write_text(text + THIRD, encoding="utf-8")
        elif game.clock.now > ENDS + timedelta(hours=17) and "ended" not in text:
            path.write_text(text.replace("[game]", "[game]\nended = true"), encoding="utf-8")
        naps += 1
        assert naps < 5000

    game.set("05T20:50")
    ran = watch(game, "--follow", sleep=pass_time)
    assert (ran.code, ran.out.count("———— 可以发的帖子 ————")) == (0, 2)
    assert "投票出局：包子" in ran.out
    assert "投票出局：豆沙" in ran.out
    assert ran.err.count("以前开了下一天（bansha day）就接着看") == 2


def test_while_it_waits_for_the_next_day_it_can_be_stopped(game: Living) -> None:
    def stop(seconds: float) -> None:
        raise KeyboardInterrupt

    game.set("06T08:00")
    ran = watch(game, "--follow", sleep=stop)
    assert (ran.code, "停下了" in ran.err, "最终结果" in ran.out) == (130, True, True)


NAMES = ("饺子", "包子", "豆沙", "汤圆", "狼甲", "狼乙", "狼丙", "巫", "预", "羊", "笛", "丘")
ROLES = ("村民", "村民", "村民", "村民", "狼人", "狼人", "狼人", "女巫", "预言", "替罪羊", "吹笛者", "丘比特")


def test_a_winner_in_the_ledger_ends_it(game: Living) -> None:
    path = game.folder / "game.toml"
    text = path.read_text(encoding="utf-8")
    more = "".join(f'[[player]]\nname = "{name}"\n' for name in NAMES[3:])
    path.write_text(text.replace("[[day]]", f"{more}[[day]]"), encoding="utf-8")
    dealt = "".join(f'[[player]]\nname = "{name}"\nrole = "{role}"\n' for name, role in zip(NAMES, ROLES, strict=True))
    (game.folder / "secrets.toml").write_text(f'seed = "s"\n{dealt}', encoding="utf-8")
    (game.folder / "secrets.toml").chmod(0o600)
    lines = "夜0 丘 金箭 包子 豆沙\n日1 饺子 投票 羊\n日1 导演 截票\n夜1 导演 天亮\n日2 导演 裁定 事实 获胜 村民阵营\n"
    (game.folder / "ledger.txt").write_text(lines, encoding="utf-8")
    game.set("06T08:00")
    naps = 0

    def pass_time(seconds: float) -> None:
        nonlocal naps
        game.clock.now += timedelta(seconds=seconds)
        naps += 1
        assert naps < 500

    ran = watch(game, "--follow", sleep=pass_time)
    assert (ran.code, "开了下一天" in ran.err) == (0, False), ran.out + ran.err


def limited(game: Living, naps: int) -> Sleep:
    """Sleep that ends a test which would go on for ever."""
    left = naps

    def pass_time(seconds: float) -> None:
        nonlocal left
        left -= 1
        assert left, "it does not end by itself"
        game.clock.now += timedelta(seconds=seconds)

    return pass_time


def test_it_does_not_wait_for_ever_for_a_next_day(game: Living) -> None:
    game.set("06T08:00")
    ran = watch(game, "--follow", "--patience", "0.05", sleep=limited(game, 200))
    assert (ran.code, "等了 0.05 天也没有开下一天" in ran.err) == (0, True)
    assert game.clock.now < datetime(2018, 6, 6, 1, 15, tzinfo=UTC)  # 09:15 in Shanghai


def test_it_does_not_wait_for_ever_for_a_board(game: Living) -> None:
    game.set("05T20:58")
    game.fail(lambda asked, reply: None if game.clock.now > ENDS else reply)
    ran = watch(game, "--patience", "0.1", sleep=limited(game, 2000))
    assert (ran.code, "投票帖 1235 关门以后一直没有看全" in ran.err) == (4, True)
    assert "暂定" in ran.out
    assert ENDS + timedelta(hours=2.4) < game.clock.now < ENDS + timedelta(hours=2.6)


def test_a_thread_that_is_no_more_holds_up_no_result(game: Living) -> None:
    path = game.folder / "game.toml"
    text = path.read_text(encoding="utf-8").replace("vote = 1235\n", "vote = 1235\ndiscussion = 9999\n")
    path.write_text(text, encoding="utf-8")
    game.set("05T20:58")
    ran = watch(game, "--json", sleep=limited(game, 400))
    value = json.loads(ran.out)
    assert (ran.code, value["unread"], value["tallies"][0]["final"]) == (4, [9999], True)
    assert game.clock.now < ENDS + timedelta(minutes=40)


def test_an_opening_that_is_far_off_is_not_waited_for(game: Living) -> None:
    game.set_to("2018-05-20T10:00")
    ran = watch(game, sleep=limited(game, 10))
    assert (ran.code, "06-03 09:30:00 才开门" in ran.err) == (2, True)


def test_a_page_that_nobody_knows_is_asked_for_again_soon(game: Living) -> None:
    """Not after half an hour: a board in maintenance is back when it is."""
    game.set("03T12:00")
    game.fail(lambda asked, reply: replace(reply, body=b"<html><body>down</body></html>") if asked.nth == 1 else reply)

    def stop(seconds: float) -> None:
        game.clock.now += timedelta(seconds=seconds)
        if game.clock.now > datetime(2018, 6, 3, 4, 10, tzinfo=UTC):
            raise KeyboardInterrupt

    told = looks(watch(game, sleep=stop))
    assert told[:2] == ["12:00", "12:02"]


def test_after_an_hour_without_an_answer_it_asks_as_seldom_as_usual(game: Living) -> None:
    game.set("04T12:00")
    game.fail(lambda asked, reply: None)

    def stop(seconds: float) -> None:
        game.clock.now += timedelta(seconds=seconds)
        if game.clock.now > datetime(2018, 6, 4, 8, tzinfo=UTC):
            raise KeyboardInterrupt

    told = looks(watch(game, sleep=stop))
    assert len([one for one in told if one < "13:00"]) > 15
    assert len([one for one in told if one > "13:30"]) < 7


def test_what_the_reader_says_is_said_in_the_terminals_language(game: Living) -> None:
    game.set("05T20:58")
    game.fail(lambda asked, reply: None if asked.nth == 1 else reply)
    ran = watch(game)
    assert "秒后再试（第 2 次，共 5 次）" in ran.err
    assert "Next try" not in ran.err
