"""The pauses: between two requests, after 429, and what Retry-After asks for. Sleeping only moves the test's clock."""

from __future__ import annotations

import logging
from datetime import timedelta
from email.utils import format_datetime

import pytest

from scraper import errors
from scraper.client import Client
from scraper.pace import Settings
from tests.board.faults import Answer, FaultyBoard, redirect
from tests.scraper.worlds import PAGE, World


def test_two_requests_are_at_least_the_interval_apart(board: FaultyBoard, world: World) -> None:
    board.on("/forum.php", PAGE)
    with Client(board.url, settings=Settings(interval=2.0), world=world.surroundings()) as client:
        for page in (1, 2, 3):
            client.fetch_page(1235, page)
    assert world.waits == [2.0, 2.0]


def test_jitter_makes_the_pause_longer_never_shorter(board: FaultyBoard, world: World) -> None:
    world.chance = 0.5
    board.on("/forum.php", PAGE)
    with Client(board.url, settings=Settings(interval=2.0), world=world.surroundings()) as client:
        client.fetch_page(1235, 1)
        client.fetch_page(1235, 2)
    assert world.waits == [2.5]


def test_redirects_and_retries_keep_the_pause_too(board: FaultyBoard, world: World) -> None:
    board.on("/forum.php", redirect("/thread-1235-1-1.html"))
    board.on("/thread-1235-1-1.html", Answer(500), PAGE)
    settings = Settings(interval=2.0, back_off=0.5)
    with Client(board.url, settings=settings, world=world.surroundings()) as client:
        client.fetch_page(1235)
    assert world.waits == [2.0, 0.5, 1.5]


@pytest.mark.parametrize("interval", [0.0, 0.99, -1.0, float("nan"), float("inf")])
def test_off_loopback_the_interval_is_a_second_at_least(interval: float) -> None:
    with pytest.raises(errors.UsageError, match="interval"):
        Client("https://bbs.example.net/", settings=Settings(interval=interval))


def test_a_second_is_enough_and_loopback_may_be_quicker() -> None:
    assert Client("https://bbs.example.net/", settings=Settings(interval=1.0)).settings.interval == 1.0
    assert Client("http://127.0.0.1:1/", settings=Settings(interval=0.0)).settings.interval == 0.0


def test_the_default_pause_is_two_seconds() -> None:
    assert Settings().interval == 2.0
    assert Settings().max_bytes == 8 * 2**20


# -- 429 and Retry-After


def test_429_without_a_word_waits_a_minute(board: FaultyBoard, client: Client, world: World) -> None:
    board.on("/forum.php", Answer(429), PAGE)
    client.fetch_page(1235)
    assert world.waits == [60.0]


@pytest.mark.parametrize("status", [429, 503])
def test_retry_after_in_seconds_is_honoured(board: FaultyBoard, client: Client, world: World, status: int) -> None:
    board.on("/forum.php", Answer(status, (("Retry-After", "17"),)), PAGE)
    client.fetch_page(1235)
    assert world.waits == [17.0]


def test_retry_after_as_a_date_is_honoured_by_the_boards_own_clock(board: FaultyBoard, client: Client, world: World) -> None:
    far_off = world.start - timedelta(hours=7)
    until = format_datetime(far_off + timedelta(seconds=90), usegmt=True)
    board.on("/forum.php", Answer(429, (("Retry-After", until), ("Date", format_datetime(far_off, usegmt=True)))), PAGE)
    client.fetch_page(1235)
    assert world.waits == [90.0]


def test_retry_after_as_a_date_without_the_boards_clock_goes_by_ours(board: FaultyBoard, client: Client, world: World) -> None:
    until = format_datetime(world.start + timedelta(seconds=45), usegmt=True)
    board.on("/forum.php", Answer(429, (("Retry-After", until),)), PAGE)
    client.fetch_page(1235)
    assert world.waits == [45.0]


@pytest.mark.parametrize("value", ["soon", "-5", ""])
def test_a_retry_after_that_cannot_be_read_is_as_none(board: FaultyBoard, client: Client, world: World, value: str) -> None:
    board.on("/forum.php", Answer(429, (("Retry-After", value),)), PAGE)
    client.fetch_page(1235)
    assert world.waits == [60.0]


@pytest.mark.parametrize("status", [429, 503])
def test_a_longer_wait_than_a_run_is_willing_ends_the_run_at_once(
    board: FaultyBoard, client: Client, world: World, status: int
) -> None:
    board.on("/forum.php", Answer(status, (("Retry-After", "3600"),)), PAGE)
    with pytest.raises(errors.TooManyRequestsError, match="3600 s") as caught:
        client.fetch_page(1235)
    assert caught.value.stops_run
    assert (len(board.seen), world.waits) == (1, [])


def test_every_wait_before_asking_again_is_logged(board: FaultyBoard, client: Client, caplog: pytest.LogCaptureFixture) -> None:
    board.on("/forum.php", Answer(429), Answer(500), PAGE)
    with caplog.at_level(logging.WARNING):
        client.fetch_page(1235)
    first, second = (record.getMessage() for record in caplog.records)
    assert "429" in first
    assert "60.0 s" in first
    assert "500" in second
    assert "4.0 s" in second
