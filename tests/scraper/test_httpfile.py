"""`.http` files: a head of text, a body of bytes, and the moment at which it was seen."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scraper.errors import UsageError
from scraper.httpfile import format_response, parse_response
from scraper.response import Response

SEEN = datetime(2018, 6, 5, 13, 0, 7, tzinfo=UTC)
DATE = b"Date: Tue, 05 Jun 2018 13:00:07 GMT"
URL = "https://bbs.example.net/forum.php?mod=viewthread&tid=1235"
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=gbk\r\n" + DATE + b"\r\n\r\n"


def test_a_file_is_status_headers_body_and_when_it_was_seen() -> None:
    response = parse_response(HEAD + "投票".encode("gbk"), url=URL)
    headers = (("Content-Type", "text/html; charset=gbk"), ("Date", "Tue, 05 Jun 2018 13:00:07 GMT"))
    assert response == Response(URL, 200, headers, "投票".encode("gbk"), SEEN)
    assert response.header("content-type") == "text/html; charset=gbk"


@pytest.mark.parametrize("body", [b"", b"\r\n", b"\n\n<p>\r\n\r\n</p>\n", b"\x00\xff\xfe\r", bytes(range(256))])
def test_the_body_is_kept_to_the_byte(body: bytes) -> None:
    assert parse_response(HEAD + body, url=URL).body == body


def test_an_editor_may_have_changed_line_ends_or_put_a_bom_before_the_head() -> None:
    data = b"\xef\xbb\xbfHTTP/1.1 404 Not Found\nX-Empty:\n" + DATE + b"\n\n<html>\r\n"
    response = parse_response(data, url=URL)
    assert (response.status, response.header("X-Empty"), response.body) == (404, "", b"<html>\r\n")


def test_a_page_edited_by_hand_may_be_longer_than_its_content_length() -> None:
    assert parse_response(HEAD.replace(b"Date", b"Content-Length: 1\r\nDate") + b"four", url=URL).body == b"four"


def test_a_date_of_another_zone_is_the_same_moment() -> None:
    data = HEAD.replace(b"13:00:07 GMT", b"21:00:07 +0800")
    assert parse_response(data, url=URL).seen_at == SEEN


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "status line"),
        (b"<html></html>", "status line"),
        (b"HTTP/1.1 OK\r\n" + DATE + b"\r\n\r\n", "status line"),
        (b"HTTP/1.1 200 OK\r\n" + DATE + b"\r\n<html>\r\n\r\n", "line 3 must be a header"),
        (b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\nbody", "the header Date is missing"),
        (b"HTTP/1.1 200 OK\r\nDate: yesterday\r\n\r\nbody", "Date 'yesterday' is no date"),
        (b"HTTP/1.1 200 OK\r\nDate: Tue, 05 Jun 2018 13:00:07 -0000\r\n\r\nbody", "has no zone"),
    ],
)
def test_a_file_that_cannot_be_read_is_an_error_that_names_it(data: bytes, said: str) -> None:
    with pytest.raises(UsageError, match=r"polls/1/1235-2\.http") as caught:
        parse_response(data, url=URL, name="polls/1/1235-2.http")
    assert said in str(caught.value)


def test_a_moment_given_stands_in_only_where_the_file_has_none() -> None:
    later = SEEN + timedelta(days=1)
    assert parse_response(b"HTTP/1.1 200 OK\r\n\r\nbody", url=URL, seen_at=later).seen_at == later
    assert parse_response(HEAD, url=URL, seen_at=later).seen_at == SEEN
    with pytest.raises(UsageError, match="no date"):
        parse_response(b"HTTP/1.1 200 OK\r\nDate: ?\r\n\r\nbody", url=URL, seen_at=later)


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    beijing = timezone(timedelta(hours=8))
    headers = (("Server", "nginx"), ("date", "Mon, 04 Jun 2018 00:00:00 GMT"), ("Content-Type", "text/html"))
    response = Response(URL, 200, headers, b"\r\n\r\nbody", SEEN.astimezone(beijing))
    (tmp_path / "page.http").write_bytes(format_response(response))
    again = parse_response((tmp_path / "page.http").read_bytes(), url=URL)
    assert again.headers == (("Server", "nginx"), ("date", "Tue, 05 Jun 2018 13:00:07 GMT"), ("Content-Type", "text/html"))
    assert (again.url, again.status, again.body, again.seen_at) == (URL, 200, b"\r\n\r\nbody", SEEN)


@given(body=st.binary(max_size=200), status=st.integers(100, 599), second=st.integers(0, 2_000_000_000))
def test_any_body_and_moment_come_back(body: bytes, status: int, second: int) -> None:
    response = Response(URL, status, (("X", "1"),), body, datetime.fromtimestamp(second, UTC))
    again = parse_response(format_response(response), url=URL)
    assert (again.status, again.body, again.seen_at) == (status, body, response.seen_at)
