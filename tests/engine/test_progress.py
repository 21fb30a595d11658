"""How a long fetch goes on: a bar on a terminal, a line a page anywhere else, and log lines past the bar."""

from __future__ import annotations

import io
import logging
from datetime import UTC, datetime

import pytest

from engine.cli.progress import LONG, Watch
from engine.polling import Target
from scraper.passes import PageOutcome
from scraper.schedule import WHOLE, Aim, Plan, Span

TARGET = Target(1235, "投票帖", Span(datetime(2018, 6, 3, tzinfo=UTC), datetime(2018, 6, 5, tzinfo=UTC)))


class Terminal(io.StringIO):
    """Standard error on a terminal."""

    def isatty(self) -> bool:
        return True


def play(plan: Plan, pages: int, asked: tuple[int, ...]) -> Watch:
    with Watch(2) as watch:
        watch.begin(TARGET, plan)
        for page in asked:
            watch.ask(TARGET, page)
            watch.came(TARGET, plan, PageOutcome(page, page, pages, 10))
        logging.getLogger("scraper.pace").warning("Next try in 2.0 s.")
        if watch._bar is not None:
            watch._bar.refresh()
    return watch


def test_without_a_terminal_there_is_a_line_for_each_page(capsys: pytest.CaptureFixture[str]) -> None:
    watch = play(WHOLE, 3, (1, 2, 3))
    err = capsys.readouterr().err
    assert err.splitlines() == [
        "bansha: 第 2 天 投票帖 1235，第 1 页",
        "bansha: 第 2 天 投票帖 1235，第 2 页",
        "bansha: 第 2 天 投票帖 1235，第 3 页",
        "bansha: Next try in 2.0 s.",
    ]
    assert watch.stored == 3


def test_on_a_terminal_a_long_fetch_has_a_bar_and_log_lines_stand_above_it(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    play(WHOLE, 40, tuple(range(1, 31)))
    shown = terminal.getvalue()
    assert "第 2 天 投票帖 1235" in shown
    assert "30/40" in shown
    assert "bansha: Next try in 2.0 s." in shown
    assert "，第 1 页" not in shown


def test_a_short_look_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    play(Plan(Aim.ROUND, 200, 200, (7,)), 200, (200, 7))
    assert "投票帖" not in terminal.getvalue()
    assert LONG > 2
