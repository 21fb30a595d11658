"""Accounts of the test board: the form lets in who knows the password, and what he writes is his."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

import pytest

from scraper import errors
from scraper.client import Client
from scraper.login import login
from scraper.pace import Settings
from scraper.reply import Errand, send_reply
from tests.board.members import Members
from tests.board.server import Board, serve
from tests.board.walk import DIRECTOR, NAMES, SIGN_UP, make_script

AT = datetime(2018, 6, 6, tzinfo=UTC)


@contextmanager
def client(*, only: bool = False) -> Iterator[Client]:
    board = Board(make_script(), AT)
    board.faults = (Members(board, {DIRECTOR: "一个密码"}, only=only),)
    with serve(board) as served, Client(served.base, settings=Settings(interval=0.0)) as one:
        yield one


def test_a_member_replies_under_his_own_name() -> None:
    with client() as one:
        login(one, DIRECTOR, "一个密码")
        post = send_reply(one, SIGN_UP, "人满了", Errand(lambda seconds: None)).post
    assert (post.author, post.message.text) == (DIRECTOR, "人满了")


def test_a_wrong_password_lets_nobody_in() -> None:
    with client() as one, pytest.raises(errors.WrongPasswordError):
        login(one, DIRECTOR, "猜的")


def test_a_guest_reads_but_does_not_write() -> None:
    with client() as one:
        assert NAMES[0].encode() in one.fetch_page(SIGN_UP, 1).body
        with pytest.raises(errors.LoginError):
            send_reply(one, SIGN_UP, "我也来", Errand(lambda seconds: None))


def test_a_board_for_members_shows_a_guest_its_wall() -> None:
    with client(only=True) as one:
        with pytest.raises(errors.LoginWallError):
            one.fetch_page(SIGN_UP, 1)
        login(one, DIRECTOR, "一个密码")
        assert NAMES[0].encode() in one.fetch_page(SIGN_UP, 1).body
