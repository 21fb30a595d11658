"""Questions at a terminal: typed, completed, chosen, confirmed, and left by Ctrl-C; what players wrote steers nothing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from engine.asking import Stopped
from engine.cli.asking import AtTerminal, make_asker


@contextmanager
def typing(text: str) -> Iterator[AtTerminal]:
    """A director who types this."""
    with create_pipe_input() as keys, create_app_session(input=keys, output=DummyOutput()):
        keys.send_text(text)
        yield AtTerminal()


def test_a_line_is_typed() -> None:
    with typing("包子\r") as asker:
        assert asker.text("杀人 的对象", words=["饺子", "包子"]) == "包子"


def test_a_name_is_completed() -> None:
    with typing("夜行\t\r") as asker:
        assert asker.text("杀人 的对象", words=["饺子", "夜行猫"]).startswith("夜行")


def test_what_is_proposed_is_taken_by_a_bare_return() -> None:
    with typing("\r") as asker:
        assert asker.text("这一局叫什么", "M29") == "M29"


def test_one_of_some_is_chosen() -> None:
    with typing("\x1b[B\r") as asker:
        assert asker.choose("哪套规则", ["M29", "面杀"]) == "面杀"


def test_yes_and_no() -> None:
    with typing("n") as asker:
        assert asker.confirm("天亮吗") is False


def test_ctrl_c_wants_no_more_questions() -> None:
    with typing("\x03") as asker, pytest.raises(Stopped):
        asker.text("这一局叫什么")


def test_a_choice_that_would_steer_the_terminal_is_shown_and_comes_back_as_it_was() -> None:
    with typing("\r") as asker:
        assert asker.choose("警长是谁", ["\x1b[31m坏", "无"]) == "\x1b[31m坏"


def test_nobody_is_asked_where_there_is_no_terminal() -> None:
    assert make_asker() is None
