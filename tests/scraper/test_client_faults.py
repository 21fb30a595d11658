"""Transport faults: what passes by itself is tried again, what is cut short is never taken for whole."""

from __future__ import annotations

import gzip
import time
import zlib
from pathlib import Path

import pytest

from scraper import errors
from scraper.address import Family
from scraper.client import Client
from scraper.pace import Settings
from tests.board.faults import Answer, FaultyBoard
from tests.scraper.worlds import PAGE, QUICK, World, thread_page

# No page at all, and sent to its end.
NO_PAGES = {
    "a picture": Answer(body=b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256)), headers=(("Content-Type", "image/png"),)),
    "bytes that say they are a page": Answer(body=bytes(range(128, 256)) * 9, headers=(("Content-Type", "text/html"),)),
    "plain words in chunks": Answer(body="维护中".encode(), framing="chunked"),
}

PASSING = {
    "a server's failure": Answer(500, body=b"oops"),
    "a bad gateway": Answer(502),
    "an intermittent 400": Answer(400, body=b"Bad Request"),
    "a reset in the middle of the body": Answer(body=thread_page(), cut=200),
    "a close in the middle of the body": Answer(body=thread_page(), cut=200, tidy=True),
    "a reset before the first byte": Answer(body=b"", cut=0),
    "a chunked body that breaks off": Answer(body=thread_page(), framing="chunked", cut=200, tidy=True),
    "a gzip stream cut by the front end, framed as whole": PAGE.packed(keep=120),
    "a gzip stream that is broken": Answer(
        body=gzip.compress(thread_page())[:40] + b"\0" * 60, headers=(("Content-Encoding", "gzip"),)
    ),
    "a page that just ends (no frame)": Answer(body=thread_page()[:-60], framing="close"),
    "an empty body": Answer(body=b""),
    "a body of white space": Answer(body=b" \r\n"),
    "an answer that is no HTTP": Answer(raw=b"\x16\x03\x01\x02\x00"),
    "a packing that was not asked for": Answer(body=b"...", headers=(("Content-Encoding", "br"),)),
    "the board's database down, status 503": Answer(503, body=b"<html><title>x - Database Error</title></html>"),
    "the board's database down, status 200": Answer(
        body=b"<html><p><b>Discuz! info</b>: Can not connect to MySQL server</p></html>"
    ),
}


@pytest.mark.parametrize("fault", NO_PAGES.values(), ids=NO_PAGES.keys())
def test_what_is_no_page_at_all_is_not_asked_for_again(board: FaultyBoard, client: Client, world: World, fault: Answer) -> None:
    client.family = Family.X
    board.on("/forum.php", fault, PAGE)
    with pytest.raises(errors.LayoutError) as caught:
        client.fetch_page(1235)
    assert caught.value.response is not None
    assert (caught.value.response.body, client.asked, world.waits) == (fault.body, 1, [])


@pytest.mark.parametrize("fault", PASSING.values(), ids=PASSING.keys())
def test_three_faults_and_then_the_page(board: FaultyBoard, client: Client, world: World, fault: Answer) -> None:
    board.on("/forum.php", fault, fault, fault, PAGE)
    assert client.fetch_page(1235).body == thread_page()
    assert client.asked == 4
    assert world.waits == [2.0, 4.0, 8.0]


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        ("a server's failure", errors.ServerFailureError),
        ("an intermittent 400", errors.ServerFailureError),
        ("a reset in the middle of the body", errors.UnreachableError),
        ("a gzip stream cut by the front end, framed as whole", errors.UnreachableError),
        ("a page that just ends (no frame)", errors.UnreachableError),
        ("an empty body", errors.EmptyPageError),
        ("the board's database down, status 503", errors.DatabaseDownError),
        ("the board's database down, status 200", errors.DatabaseDownError),
    ],
)
def test_a_fault_that_stays_ends_with_its_own_error(
    board: FaultyBoard, client: Client, fault: str, error: type[errors.BoardError]
) -> None:
    board.on("/forum.php", PASSING[fault])
    with pytest.raises(error) as caught:
        client.fetch_page(1235)
    assert caught.value.exit_code == 4
    assert board.url in str(caught.value)
    assert len(board.seen) == QUICK.attempts


def test_back_off_grows_with_jitter_up_to_its_limit(board: FaultyBoard, world: World) -> None:
    world.chance = 1.0
    board.on("/forum.php", Answer(500))
    settings = Settings(interval=0.0, back_off=2.0, longest_back_off=6.0)
    with Client(board.url, settings=settings, world=world.surroundings()) as client, pytest.raises(errors.ServerFailureError):
        client.fetch_page(1235)
    assert world.waits == [2.5, 5.0, 7.5, 7.5]


def test_a_board_that_is_not_there_is_out_of_reach(world: World) -> None:
    with FaultyBoard() as gone:
        url = gone.url
    with Client(url, settings=QUICK, world=world.surroundings()) as client, pytest.raises(errors.UnreachableError) as caught:
        client.fetch_page(1235)
    assert "refused" in str(caught.value)
    assert len(world.waits) == 4


def test_a_page_that_does_not_answer_in_time_is_tried_again(board: FaultyBoard, world: World) -> None:
    board.on("/forum.php", Answer(body=thread_page(), pause=60.0), PAGE)
    settings = Settings(interval=0.0, read_timeout=0.1)
    began = time.monotonic()
    with Client(board.url, settings=settings, world=world.surroundings()) as client:
        assert client.fetch_page(1235).body == thread_page()
    assert time.monotonic() - began < 1.0


def test_a_page_that_drips_in_meets_the_limit_of_the_whole_page(board: FaultyBoard) -> None:
    board.on("/forum.php", Answer(body=thread_page(), drip=0.02))
    settings = Settings(interval=0.0, read_timeout=5.0, page_timeout=0.2, attempts=1)
    began = time.monotonic()
    with Client(board.url, settings=settings) as client, pytest.raises(errors.UnreachableError, match="time was over"):
        client.fetch_page(1235)
    assert time.monotonic() - began < 1.0


# -- size and packing


def test_a_page_over_the_limit_is_not_read_to_its_end(board: FaultyBoard, world: World) -> None:
    board.on("/forum.php", Answer(body=b"x" * 9_000_000))
    with Client(board.url, settings=QUICK, world=world.surroundings()) as client, pytest.raises(errors.TooLargeError) as caught:
        client.fetch_page(1235)
    assert "8 MB" in str(caught.value)
    assert len(board.seen) == 1


def test_a_small_answer_that_unpacks_to_more_than_the_limit_is_refused(board: FaultyBoard, client: Client) -> None:
    board.on("/forum.php", Answer(body=b"x" * 20_000_000).packed())
    with pytest.raises(errors.TooLargeError):
        client.fetch_page(1235)


def test_a_page_of_five_megabytes_is_read(board: FaultyBoard, client: Client) -> None:
    large = thread_page("长" * 1_700_000)
    board.on("/forum.php", Answer(body=large).packed())
    assert client.fetch_page(1235).body == large


@pytest.mark.parametrize(
    ("encoding", "pack"),
    [
        ("gzip", gzip.compress),
        ("x-gzip", gzip.compress),
        ("gzip", lambda data: gzip.compress(data[:300]) + gzip.compress(data[300:])),
        ("gzip", lambda data: gzip.compress(data) + b"\0" * 7),
        ("deflate", zlib.compress),
        ("deflate", lambda data: zlib.compress(data)[2:-4]),
        ("identity", bytes),
        # A proxy that unpacks and leaves the header standing.
        ("gzip", bytes),
    ],
)
@pytest.mark.parametrize("framing", ["length", "chunked", "close"])
def test_every_packing_and_framing_gives_the_same_page(
    board: FaultyBoard, client: Client, encoding: str, pack: object, framing: str
) -> None:
    assert callable(pack)
    board.on("/forum.php", Answer(body=pack(thread_page()), headers=(("Content-Encoding", encoding),), framing=framing))
    response = client.fetch_page(1235)
    assert response.body == thread_page()
    assert response.header("Content-Encoding") == ""
    assert client.asked == 1


def test_a_gzip_stream_cut_short_is_noticed_by_itself_not_only_by_the_pages_end(board: FaultyBoard, client: Client) -> None:
    board.on("/data.txt", PAGE.packed(keep=120), PAGE.packed())
    assert client.fetch(f"{board.url}data.txt").body == thread_page()
    assert client.asked == 2


def test_json_that_breaks_off_is_asked_for_again_where_the_whole_is_wanted(board: FaultyBoard, client: Client) -> None:
    cut = Answer(body=b'{"Version":"4","Variables":{"thr', framing="close")
    board.on("/api/mobile/index.php", cut, Answer(body=b'{"Version":"4"}'))
    assert client.fetch(f"{board.url}api/mobile/index.php", whole=True).body == b'{"Version":"4"}'
    board.on("/api/mobile/index.php", cut)
    assert client.fetch(f"{board.url}api/mobile/index.php").body == cut.body


def test_what_vcrpy_recorded_is_replayed_to_the_same_pages(board: FaultyBoard, world: World, tmp_path: Path) -> None:
    import vcr

    board.on("/forum.php", PAGE.packed(), Answer(500), Answer(body=thread_page("改票对象：饺子"), framing="chunked"))
    cassette = str(tmp_path / "cassette.yaml")
    passes = []
    for mode in ("once", "none"):
        with (
            vcr.use_cassette(cassette, record_mode=mode),
            Client(board.url, settings=QUICK, world=world.surroundings()) as client,
        ):
            passes.append([client.fetch_page(1235, page).body for page in (1, 2)])
    assert passes == [[thread_page(), thread_page("改票对象：饺子")]] * 2
    assert len(board.seen) == 3
