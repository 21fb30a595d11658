"""The client against a board that misbehaves, through a real socket; no test waits."""

from __future__ import annotations

import gzip
import logging
import re
import time
import traceback
import zlib
from collections.abc import Iterator
from datetime import timedelta
from email.utils import format_datetime
from http.cookiejar import Cookie, CookieJar

import pytest

from scraper import errors
from scraper.address import Family
from scraper.client import Client, user_agent
from scraper.pace import Settings
from scraper.transport import safe_url
from tests.board.faults import Answer, FaultyBoard, redirect
from tests.scraper.worlds import World, thread_page

PAGE = Answer(body=thread_page())
QUICK = Settings(interval=0.0, connect_timeout=1.0, read_timeout=0.3, page_timeout=5.0)
SECRET = "s3cretc00kie"


@pytest.fixture
def board() -> Iterator[FaultyBoard]:
    with FaultyBoard() as running:
        yield running


@pytest.fixture
def world() -> World:
    return World()


@pytest.fixture
def client(board: FaultyBoard, world: World) -> Iterator[Client]:
    with Client(board.url, settings=QUICK, world=world.surroundings()) as one:
        yield one


def jar_of(name: str, value: str, domain: str = "127.0.0.1") -> CookieJar:
    jar = CookieJar()
    jar.set_cookie(
        Cookie(0, name, value, None, False, domain, False, False, "/", True, False, None, True, None, None, {}),
    )
    return jar


# -- what is asked, and what comes back


def test_a_page_comes_back_as_it_was_sent(board: FaultyBoard, client: Client, world: World) -> None:
    board.on("/forum.php", PAGE)
    response = client.fetch_page(1235, 2)
    assert response.body == thread_page()
    assert (response.status, response.url) == (200, f"{board.url}forum.php?mod=viewthread&tid=1235&page=2")
    assert response.header("content-type") == "text/html; charset=utf-8"
    assert response.seen_at == world.now()
    assert response.seen_at.utcoffset() == timedelta(0)


def test_the_board_sees_who_asks_and_in_what_words(board: FaultyBoard, client: Client) -> None:
    board.on("/forum.php", PAGE)
    client.fetch_page(1235)
    headers = board.seen[0].headers
    assert headers["user-agent"] == user_agent()
    assert headers["accept-language"].startswith("zh-CN")
    assert headers["accept-encoding"] == "gzip"
    assert "cookie" not in headers


# The words by which Discuz! X tells phones (function_core.php's list) and robots; old boards ask for fewer.
PHONES = [
    "iphone",
    "android",
    "phone",
    "mobile",
    "wap",
    "netfront",
    "java",
    "ucweb",
    "symbian",
    "series",
    "webos",
    "sony",
    "blackberry",
    "dopod",
    "nokia",
    "samsung",
    "palmsource",
    "xda",
    "pieplus",
    "meizu",
    "midp",
    "cldc",
    "motorola",
    "foma",
    "docomo",
    "up.browser",
    "up.link",
    "blazer",
    "helio",
    "hosin",
    "huawei",
    "novarra",
    "coolpad",
    "techfaith",
    "alcatel",
    "amoi",
    "ktouch",
    "nexian",
    "ericsson",
    "philips",
    "sagem",
    "wellcom",
    "bunjalloo",
    "maui",
    "smartphone",
    "iemobile",
    "spice",
    "bird",
    "zte-",
    "longcos",
    "pantech",
    "gionee",
    "portalmmm",
    "hiptop",
    "benq",
    "haier",
    "320x320",
    "240x320",
    "176x220",
    "cect",
    "compal",
    "ctl",
    "lg",
    "nec",
    "tcl",
    "daxian",
    "dbtel",
    "eastcom",
    "konka",
    "kejian",
    "lenovo",
    "mot",
    "soutec",
    "sgh",
    "sed",
    "capitel",
    "panasonic",
    "sonyericsson",
    "sharp",
    "panda",
    "zte",
    "pad",
    "alg",
]
ROBOTS = ["bot", "crawl", "spider", "slurp", "sohu-search", "lycos", "robozilla"]


@pytest.mark.parametrize("word", [*PHONES, *ROBOTS])
def test_the_user_agent_turns_on_neither_the_phone_view_nor_the_robot_view(word: str) -> None:
    for release in (None, "0.1.0", "12.34.56"):
        assert word not in user_agent(release).lower()


def test_the_user_agent_says_name_release_and_where_to_ask() -> None:
    assert re.fullmatch(r"bansha/0\.1\.0 \(\+https://[^ )]+\)", user_agent("0.1.0"))
    assert re.fullmatch(r"bansha/[0-9][^ ]* \(\+https://[^ )]+\)", user_agent())


def test_an_old_board_is_found_once_and_then_asked_directly(board: FaultyBoard, client: Client) -> None:
    board.on("/viewthread.php", PAGE)
    client.fetch_page(1235, 1)
    client.fetch_page(1235, 2)
    assert client.family is Family.OLD
    assert [seen.target for seen in board.seen] == [
        "/forum.php?mod=viewthread&tid=1235&page=1",
        "/viewthread.php?tid=1235&page=1",
        "/viewthread.php?tid=1235&page=2",
    ]


def test_where_neither_family_answers_the_address_is_wrong(board: FaultyBoard, client: Client) -> None:
    with pytest.raises(errors.NoSuchPageError) as caught:
        client.fetch_page(1235)
    assert "forum.php" in str(caught.value)
    assert client.family is None


def test_a_thread_that_is_gone_is_no_reason_to_try_the_other_family(board: FaultyBoard, client: Client) -> None:
    box = '<html><body><div id="messagetext" class="alert_error"><p>抱歉，指定的主题不存在</p></div></body></html>'
    board.on("/forum.php", Answer(404, body=box.encode()))
    with pytest.raises(errors.ThreadGoneError):
        client.fetch_page(1235)
    assert len(board.seen) == 1


# -- pace


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


# -- what passes by itself is tried again


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


# -- redirects


def test_a_redirect_inside_the_board_is_followed(board: FaultyBoard, client: Client) -> None:
    board.on("/forum.php", redirect("thread-1235-1-1.html", 301))
    board.on("/thread-1235-1-1.html", PAGE)
    assert client.fetch_page(1235).url == f"{board.url}thread-1235-1-1.html"


def test_the_redirect_to_the_same_address_after_a_deletion_is_followed(board: FaultyBoard, client: Client) -> None:
    board.on("/forum.php", redirect("/forum.php?mod=viewthread&tid=1235&page=1"), PAGE)
    assert client.fetch_page(1235).body == thread_page()
    assert len(board.seen) == 2


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_loop_of_redirects_ends(board: FaultyBoard, client: Client, status: int) -> None:
    board.on("/forum.php", redirect("/a", status))
    board.on("/a", redirect("/forum.php?mod=viewthread&tid=1235&page=1", status))
    with pytest.raises(errors.RedirectError, match="sent on 6 times"):
        client.fetch_page(1235)
    assert len(board.seen) == 6


def test_a_redirect_to_another_host_is_refused_and_both_are_named(board: FaultyBoard, client: Client) -> None:
    board.on("/forum.php", redirect("https://login.example.com/portal?formhash=abcd1234"))
    with pytest.raises(errors.ForeignRedirectError) as caught:
        client.fetch_page(1235)
    assert "login.example.com" in str(caught.value)
    assert board.url.split("/")[2] in str(caught.value)
    assert len(board.seen) == 1


def test_a_redirect_to_another_port_is_another_host(board: FaultyBoard, client: Client) -> None:
    with FaultyBoard() as other:
        other.on("/forum.php", PAGE)
        board.on("/forum.php", redirect(f"{other.url}forum.php"))
        with pytest.raises(errors.ForeignRedirectError):
            client.fetch_page(1235)
        assert other.seen == []


def test_an_address_of_another_host_is_not_even_asked(board: FaultyBoard, client: Client) -> None:
    with pytest.raises(errors.ForeignRedirectError, match="nothing was asked"):
        client.fetch("http://bbs.example.net/forum.php")
    assert board.seen == []


def test_a_thread_that_was_moved_is_named_not_read_as_the_other(board: FaultyBoard, client: Client) -> None:
    board.on("/forum.php", redirect("/thread-2000-1-1.html"))
    board.on("/thread-2000-1-1.html", PAGE)
    with pytest.raises(errors.ThreadMovedError, match=r"Thread 1235 .* thread 2000"):
        client.fetch_page(1235)


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


# -- what is not argued with


def test_a_challenge_stops_at_the_first_request_whatever_its_status(board: FaultyBoard, client: Client) -> None:
    for status in (200, 503, 521):
        board.seen.clear()
        board.on("/forum.php", Answer(status, body="<html><title>页面重载开启</title><body>…</body></html>".encode()))
        with pytest.raises(errors.ChallengeError) as caught:
            client.fetch_page(1235)
        assert caught.value.stops_run
        assert len(board.seen) == 1


def test_a_form_is_sent_once_and_never_again(board: FaultyBoard, client: Client) -> None:
    for fault in (Answer(500), Answer(429), Answer(body=b"abc", cut=1)):
        board.seen.clear()
        board.on("/member.php", fault)
        with pytest.raises(errors.BoardError):
            client.submit(f"{board.url}member.php", (("a", "1"),), "utf-8", referer=board.url)
        assert [seen.method for seen in board.seen] == ["POST"]


def test_a_form_goes_out_in_the_boards_charset(board: FaultyBoard, client: Client) -> None:
    board.on("/post.php", Answer(body=b"ok"))
    client.submit(
        f"{board.url}post.php", (("message", "投票☃"), ("a b", "&")), "gb18030", referer=f"{board.url}thread-1-1-1.html"
    )
    seen = board.seen[0]
    assert seen.body == b"message=%CD%B6%C6%B1%26%239731%3B&a+b=%26"
    assert seen.headers["content-type"] == "application/x-www-form-urlencoded"
    assert seen.headers["referer"] == f"{board.url}thread-1-1-1.html"


# -- accounts and secrets


MEMBER = '<div id="um"><a href="member.php?mod=logging&amp;action=logout&amp;formhash=1a2b3c4d">退出</a></div>'
GUEST = '<form method="post" id="lsform" action="member.php?mod=logging&amp;action=login&amp;loginsubmit=yes"></form>'


def test_the_accounts_cookies_are_sent_and_its_page_passes(board: FaultyBoard, world: World) -> None:
    board.on("/forum.php", Answer(body=thread_page(head=MEMBER)))
    with Client(board.url, settings=QUICK, cookies=jar_of("Ab1_2132_auth", SECRET), world=world.surroundings()) as client:
        client.fetch_page(1235)
    assert board.seen[0].headers["cookie"] == f"Ab1_2132_auth={SECRET}"


def test_a_session_that_ran_out_in_the_middle_is_noticed_at_that_page(board: FaultyBoard, world: World) -> None:
    ended = Answer(
        body=thread_page(head=GUEST), headers=(("Set-Cookie", "Ab1_2132_auth=; expires=Thu, 01-Jan-1970 00:00:01 GMT; path=/"),)
    )
    board.on("/forum.php", Answer(body=thread_page(head=MEMBER)), ended)
    with Client(board.url, settings=QUICK, cookies=jar_of("Ab1_2132_auth", SECRET), world=world.surroundings()) as client:
        client.fetch_page(1235, 1)
        for page in (2, 3):
            with pytest.raises(errors.SessionEndedError, match=f"page={page}"):
                client.fetch_page(1235, page)


def test_a_guest_reads_a_guests_page(board: FaultyBoard, client: Client) -> None:
    board.on("/forum.php", Answer(body=thread_page(head=GUEST)))
    assert client.fetch_page(1235).status == 200


def test_cookies_are_in_no_response_no_log_and_no_error(
    board: FaultyBoard, world: World, caplog: pytest.LogCaptureFixture
) -> None:
    set_cookie = (("Set-Cookie", f"Ab1_2132_sid={SECRET}; path=/"),)
    board.on(
        "/forum.php",
        Answer(500, set_cookie),
        Answer(429, set_cookie),
        redirect(f"/forum.php?mod=viewthread&tid=1235&page=1&sid={SECRET}&auth={SECRET}"),
        Answer(body=thread_page(head=MEMBER), headers=set_cookie),
        Answer(503, set_cookie),
    )
    shown: list[str] = []
    with (
        caplog.at_level(logging.DEBUG),
        Client(board.url, settings=QUICK, cookies=jar_of("Ab1_2132_auth", SECRET), world=world.surroundings()) as client,
    ):
        shown.append(repr(client.fetch_page(1235).headers))
        shown.append(repr(client))
        with pytest.raises(errors.ServerFailureError) as caught:
            client.fetch_page(1235)
        with pytest.raises(errors.ForeignRedirectError) as foreign:
            client.fetch(f"https://elsewhere.example.net/?auth={SECRET}")
        shown += [repr(caught.value), repr(foreign.value), str(foreign.value)]
        shown += traceback.format_exception(caught.value) + traceback.format_exception(foreign.value)
    ours = [record.getMessage() for record in caplog.records if record.name.startswith("scraper")]
    assert ours
    assert SECRET not in "\n".join(shown + ours)
    assert any(SECRET in seen.headers.get("cookie", "") for seen in board.seen), "the test must carry the secret"


def test_other_libraries_tell_nothing_either(board: FaultyBoard, world: World, caplog: pytest.LogCaptureFixture) -> None:
    board.on("/forum.php", Answer(500, (("Set-Cookie", f"x={SECRET}"),)), Answer(body=thread_page(head=MEMBER)))
    with (
        caplog.at_level(logging.DEBUG),
        Client(board.url, settings=QUICK, cookies=jar_of("Ab1_2132_auth", SECRET), world=world.surroundings()) as client,
    ):
        client.fetch_page(1235)
    assert any(record.name.startswith("urllib3") for record in caplog.records)
    assert SECRET not in caplog.text


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://b.example/forum.php?tid=1&formhash=1a2b", "https://b.example/forum.php?tid=1&formhash=***"),
        ("https://b.example/?auth=a%2Fb&mod=x", "https://b.example/?auth=***&mod=x"),
        ("https://u:p@b.example/thread-1-1-1.html", "https://b.example/thread-1-1-1.html"),
        ("https://b.example/forum.php?mod=viewthread&tid=1", "https://b.example/forum.php?mod=viewthread&tid=1"),
    ],
)
def test_addresses_are_shown_without_their_tokens(url: str, shown: str) -> None:
    assert safe_url(url) == shown


def test_a_password_of_netrc_is_not_sent(
    board: FaultyBoard, client: Client, tmp_path: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pathlib import Path

    assert isinstance(tmp_path, Path)
    netrc = tmp_path / "netrc"
    netrc.write_text(f"machine 127.0.0.1 login director password {SECRET}\n", encoding="utf-8")
    monkeypatch.setenv("NETRC", str(netrc))
    board.on("/forum.php", PAGE)
    client.fetch_page(1235)
    assert "authorization" not in board.seen[0].headers


# -- TLS, proxies, clocks


def test_a_certificate_that_cannot_be_trusted_is_refused(world: World) -> None:
    with FaultyBoard() as plain:
        port = plain.url.split(":")[2]
        with Client(f"https://127.0.0.1:{port}", settings=QUICK, world=world.surroundings()) as client:
            with pytest.raises(errors.UntrustedError, match="certificate"):
                client.fetch_page(1235)
            assert client._open().verify is True
    assert world.waits == []


def test_proxies_come_from_the_environment(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    with FaultyBoard() as proxy:
        proxy.on("/forum.php", PAGE)
        for name in ("no_proxy", "NO_PROXY"):
            monkeypatch.delenv(name, raising=False)
        for name in ("http_proxy", "HTTP_PROXY"):
            monkeypatch.setenv(name, proxy.url)
        with Client("http://bbs.example.net/", settings=Settings(interval=1.0), world=world.surroundings()) as client:
            client.fetch_page(1235)
        assert proxy.seen[0].target == "http://bbs.example.net/forum.php?mod=viewthread&tid=1235&page=1"


def test_a_clock_that_is_off_is_told_once(
    board: FaultyBoard, client: Client, world: World, caplog: pytest.LogCaptureFixture
) -> None:
    board.on("/forum.php", Answer(body=thread_page(), headers=(("Date", format_datetime(world.start - timedelta(hours=1))),)))
    client.fetch_page(1235, 1)
    client.fetch_page(1235, 2)
    assert [record.getMessage().split(" (")[0] for record in caplog.records] == [
        "This computer's clock is +3600 s off the board's"
    ]


def test_a_clock_that_agrees_is_not_mentioned(
    board: FaultyBoard, client: Client, world: World, caplog: pytest.LogCaptureFixture
) -> None:
    board.on("/forum.php", Answer(body=thread_page(), headers=(("Date", format_datetime(world.start - timedelta(seconds=20))),)))
    client.fetch_page(1235)
    assert caplog.records == []
