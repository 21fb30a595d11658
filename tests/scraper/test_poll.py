"""A pass stores every page that comes, and says what is missing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from scraper.archive import Archive
from scraper.errors import BanshaError, BoardError, ChallengeError, LayoutError, LoginWallError
from scraper.httpfile import parse_response
from scraper.passes import Pass, PassOutcome
from scraper.poll import poll_thread
from scraper.response import Response
from tests.board.script import Script
from tests.scraper.looks import TID, at, look, post, show, thread

SIX = thread(*(post("饺子", f"10:0{minute}", f"第{minute}帖") for minute in range(6)))
FOUR = thread(*(post("饺子", f"10:0{minute}", f"第{minute}帖") for minute in range(4)))
EIGHT = thread(*(post("饺子", f"10:0{minute}", f"第{minute}帖") for minute in range(8)))

NOW = at("11:00")


def ticking(start: datetime = NOW) -> Callable[[], datetime]:
    """A clock that is a second later every time it is read."""
    times = iter(start + timedelta(seconds=number) for number in range(1000))
    return lambda: next(times)


class Pages:
    """Pages by number, as a script shows them, or an error, or another response; which were asked for is kept."""

    def __init__(self, script: Script, **instead: Script | BanshaError | Response) -> None:
        self.script = script
        self.instead = {int(name.removeprefix("page_")): other for name, other in instead.items()}
        self.asked: list[int] = []

    def __call__(self, number: int) -> Response:
        self.asked.append(number)
        other = self.instead.get(number, self.script)
        if isinstance(other, BanshaError):
            raise other
        return other if isinstance(other, Response) else show(other, NOW, number)


def take(archive: Archive, pages: Pages, expected: int = 1) -> tuple[PassOutcome, Pass]:
    outcome = poll_thread(pages, archive, TID, clock=ticking(), expected=expected)
    stored = archive.fetch_passes(TID)[-1]
    assert (stored.pages, stored.seen, stored.missing) == (outcome.pages, outcome.seen, outcome.missing)
    assert (stored.complete, stored.why) == (outcome.complete, outcome.why)
    return outcome, stored


def pids(archive: Archive) -> list[int]:
    return [history.first.pid for history in archive.fetch_histories(TID)]


def test_the_first_page_tells_how_many_there_are(archive: Archive) -> None:
    pages = Pages(SIX)
    outcome, stored = take(archive, pages)
    assert pages.asked == [1, 2, 3]
    assert (outcome.complete, outcome.pages, outcome.seen, outcome.missing) == (True, 3, (1, 2, 3), ())
    assert (outcome.new, outcome.changed, outcome.exit_code) == ((1, 2, 3, 4, 5, 6), (), 0)
    assert (stored.started_at, stored.ended_at) == (NOW, NOW + timedelta(seconds=1))
    assert stored.zone == 8.0
    assert pids(archive) == [1, 2, 3, 4, 5, 6]


def test_a_thread_that_grows_meanwhile_is_read_to_its_new_end(archive: Archive) -> None:
    pages = Pages(SIX, page_3=EIGHT, page_4=EIGHT)
    outcome, _ = take(archive, pages)
    assert pages.asked == [1, 2, 3, 4]
    assert (outcome.complete, outcome.pages) == (True, 4)


def test_a_page_that_does_not_come_is_missing_and_those_behind_it_are_stored(archive: Archive) -> None:
    pages = Pages(SIX, page_2=BoardError("the connection was reset"))
    outcome, _ = take(archive, pages)
    assert pages.asked == [1, 2, 3]
    assert (outcome.complete, outcome.seen, outcome.missing) == (False, (1, 3), (2,))
    assert outcome.why == "page 2: the connection was reset"
    assert outcome.exit_code == 4
    assert pids(archive) == [1, 2, 5, 6]


def test_an_error_that_all_pages_would_meet_ends_the_pass(archive: Archive) -> None:
    pages = Pages(SIX, page_2=ChallengeError("the board checks for a browser"))
    outcome, _ = take(archive, pages)
    assert pages.asked == [1, 2]
    assert outcome.missing == (2, 3)
    assert outcome.why == "page 2: the board checks for a browser\nnot asked for: page 3"


def test_without_its_first_page_a_thread_is_read_as_far_as_it_was_known_to_go(archive: Archive) -> None:
    look(archive, SIX, at("10:30"))
    pages = Pages(SIX, page_1=BoardError("no answer"))
    outcome, _ = take(archive, pages)
    assert pages.asked == [1, 2, 3]
    assert (outcome.pages, outcome.missing) == (3, (1,))


def test_a_thread_that_was_never_seen_is_given_up_after_its_first_page(archive: Archive) -> None:
    pages = Pages(SIX, page_1=LoginWallError("only members may read this"))
    outcome, stored = take(archive, pages)
    assert pages.asked == [1]
    assert (outcome.pages, outcome.missing, outcome.exit_code) == (1, (1,), 4)
    assert isinstance(outcome.errors[0], LoginWallError)
    assert stored.zone is None


def test_a_page_past_the_end_ends_the_pass_and_the_shrinking_is_told(archive: Archive) -> None:
    # Page 3 was promised; then two posts were deleted, and page 3 answers with page 2.
    pages = Pages(SIX, page_3=FOUR)
    outcome, _ = take(archive, pages)
    assert (outcome.pages, outcome.seen, outcome.missing, outcome.complete) == (2, (1, 2), (), False)
    assert outcome.why == "the thread shrank from 3 pages to 2 meanwhile: posts may have moved past the reader"


def test_another_page_than_the_one_asked_for_is_stored_and_the_right_one_missing(archive: Archive) -> None:
    outcome, _ = take(archive, Pages(SIX, page_2=show(SIX, NOW, 3)))
    assert (outcome.seen, outcome.missing, outcome.exit_code) == ((1, 3), (2,), 4)
    assert "page 2 was asked for, and page 3 came" in outcome.why


def test_a_page_that_stops_before_its_end_is_stored_and_still_missing(archive: Archive) -> None:
    whole = show(SIX, NOW, 2)
    half = Response(whole.url, 200, whole.headers, whole.body[: whole.body.index(b'id="postmessage_4"')], NOW)
    outcome, _ = take(archive, Pages(SIX, page_2=half))
    assert (outcome.complete, outcome.seen, outcome.missing) == (False, (1, 3), (2,))
    assert "the page stops before its end" in outcome.why
    assert pids(archive) == [1, 2, 3, 5, 6]


def test_a_page_of_unknown_layout_is_kept_as_a_file_that_the_error_names(archive: Archive) -> None:
    headers = (("Content-Type", "text/html"), ("Set-Cookie", "auth=secret"))
    strange = Response("https://bbs.example.net/x", 200, headers, b"<html><title>Redesigned</title>\xff</html>", NOW)
    outcome, _ = take(archive, Pages(SIX, page_2=strange))
    assert (outcome.missing, outcome.exit_code) == ((2,), 8)
    copies = list((archive.path.parent / "unreadable").iterdir())
    assert [copy.suffix for copy in copies] == [".http"]
    assert isinstance(outcome.errors[0], LayoutError)
    assert "Redesigned" in str(outcome.errors[0])
    assert str(copies[0]) in str(outcome.errors[0])
    kept = parse_response(copies[0].read_bytes(), url=strange.url)
    assert (kept.body, kept.header("Content-Type"), kept.header("Set-Cookie")) == (strange.body, "text/html", "")
    assert list(archive.database.query("SELECT number, status, copy FROM misses")) == [
        {"number": 2, "status": 200, "copy": copies[0].name}
    ]


def test_a_screen_that_is_known_is_noted_without_a_copy(archive: Archive) -> None:
    wall = Response("https://bbs.example.net/x", 200, (), b"wall", NOW)
    take(archive, Pages(SIX, page_2=LoginWallError("only members may read this", wall)))
    assert not (archive.path.parent / "unreadable").exists()
    assert list(archive.database.query("SELECT url, status, copy FROM misses")) == [
        {"url": wall.url, "status": 200, "copy": None}
    ]


def test_an_interrupted_pass_leaves_what_it_stored_and_is_never_complete(archive: Archive) -> None:
    def fetch(number: int) -> Response:
        if number == 3:
            raise KeyboardInterrupt
        return show(SIX, NOW, number)

    with pytest.raises(KeyboardInterrupt):
        poll_thread(fetch, archive, TID, clock=ticking())
    assert pids(archive) == [1, 2, 3, 4]
    (stored,) = archive.fetch_passes(TID)
    told = replace(stored, looks=(), told_at=None)
    assert told == Pass(TID, NOW, None, 3, (1, 2), (3,), False, "the pass was cut off", 8.0)
    assert [(one.number, one.first, one.last) for one in stored.looks] == [(1, 1, 2), (2, 3, 4)]


def test_a_board_that_promises_one_more_page_for_ever_is_left_in_the_end(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scraper.poll.MOST_PAGES", 5)
    ten = thread(*(post("饺子", f"10:{minute:02d}", f"第{minute}帖") for minute in range(10)))

    def fetch(number: int) -> Response:
        page = show(ten, NOW, number)
        return replace(page, body=page.body.replace(b" 5 ", b" %d " % (number + 1)))

    outcome = poll_thread(fetch, archive, TID, clock=lambda: NOW)
    assert (outcome.pages, outcome.seen, outcome.missing) == (6, (1, 2, 3, 4, 5), (6,))
