"""Replying through the board's form: sent once, waited for where the board says so, and believed only when it was read back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

import pytest

from scraper import errors
from scraper.client import Client
from scraper.pace import Settings
from scraper.reply import send_reply, squeeze
from tests.board.replies import Replies
from tests.board.script import read_script
from tests.board.server import Board, serve

SCRIPT = """
[board]
dialect = "x35"
charset = "{charset}"
per_page = 2
viewer = "导演甲"
[[thread]]
tid = 12
title = "进程"
[[post]]
tid = 12
pid = 1
author = "导演甲"
at = 2018-06-03T09:00:00
text = "进程帖"
[[post]]
tid = 12
pid = 2
author = "饺子"
at = 2018-06-03T09:10:00
text = "到"
[[post]]
tid = 12
pid = 3
author = "包子"
at = 2018-06-03T09:20:00
text = "到"
"""
TEXT = "[b]第 2 天：包子 5 票[/b]\n[color=red]出局[/color]：包子"


@contextmanager
def board(charset: str = "utf-8", **settings: object) -> Iterator[tuple[Client, Replies]]:
    """A client that is logged in on a board with a thread of two pages."""
    site = Board(read_script(SCRIPT.format(charset=charset)), datetime(2018, 6, 5, 13, 5, tzinfo=UTC))
    replies = Replies(site, "导演甲", **settings)  # type: ignore[arg-type]
    site.faults = (replies,)
    with serve(site) as served, Client(served.base, settings=Settings(interval=0, attempts=1)) as client:
        yield client, replies


def no_sleep(seconds: float) -> None:
    raise AssertionError(f"nobody asked for a pause of {seconds} s")


@pytest.mark.parametrize("charset", ["utf-8", "gbk"])
def test_a_text_is_sent_once_and_read_back(charset: str) -> None:
    with board(charset) as (client, replies):
        sent = send_reply(client, 12, TEXT, sleep=no_sleep)
        assert replies.sent == [TEXT]
        assert sent.post.pid == 4
        assert sent.post.author == "导演甲"
        assert sent.post.message.text == "第 2 天：包子 5 票\n出局：包子"


def test_a_pause_that_the_board_wants_is_waited_for_and_the_text_sent_again() -> None:
    waited: list[float] = []
    with board(wants_pause=1) as (client, replies):
        sent = send_reply(client, 12, TEXT, sleep=waited.append)
        assert waited == [16]
        assert len(replies.sent) == 2
        assert sent.post.pid == 4


def test_a_pause_is_waited_for_once() -> None:
    waited: list[float] = []
    with board(wants_pause=2) as (client, replies), pytest.raises(errors.FloodError):
        send_reply(client, 12, TEXT, sleep=waited.append)
    assert waited == [16]
    assert len(replies.sent) == 2


def test_a_long_pause_is_the_directors_to_wait() -> None:
    with board(wants_pause=1, seconds=600) as (client, replies), pytest.raises(errors.FloodError):
        send_reply(client, 12, TEXT, sleep=no_sleep)
    assert len(replies.sent) == 1


def test_what_waits_for_approval_is_told_and_not_sent_again() -> None:
    with board(approval=True) as (client, replies), pytest.raises(errors.ReplyError, match="approval"):
        send_reply(client, 12, TEXT, sleep=no_sleep)
    assert len(replies.sent) == 1


def test_a_thread_without_a_form_is_closed() -> None:
    with board(closed=True) as (client, replies), pytest.raises(errors.NoPermissionError, match="no form"):
        send_reply(client, 12, TEXT, sleep=no_sleep)
    assert replies.sent == []


def test_a_picture_that_must_be_read_is_told_before_anything_is_sent() -> None:
    with board(captcha=True) as (client, replies), pytest.raises(errors.CaptchaError):
        send_reply(client, 12, TEXT, sleep=no_sleep)
    assert replies.sent == []


def test_an_answer_that_is_lost_never_sends_the_text_again() -> None:
    with board(loses_answer=True) as (client, replies), pytest.raises(errors.UnreachableError):
        send_reply(client, 12, TEXT, sleep=no_sleep)
    assert len(replies.sent) == 1


def test_a_guest_may_not_reply() -> None:
    with board(guest=True) as (client, replies), pytest.raises(errors.LoginError, match="logged in"):
        send_reply(client, 12, TEXT, sleep=no_sleep)
    assert replies.sent == []


def test_codes_white_space_and_entities_do_not_tell_texts_apart() -> None:
    assert squeeze("[b]包子[/b]：5 票\n[url=https://a.example/]帖[/url] &#9731;") == "包子：5票帖☃"
