"""The `.http` files that hold one response each: status line, headers, an empty line, and the body to its last byte."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email.utils import format_datetime, parsedate_to_datetime
from http import HTTPStatus

from scraper.errors import UsageError
from scraper.phrases import phrase
from scraper.response import Response

_STATUS_LINE = re.compile(r"HTTP/\d(?:\.\d)? +(\d{3})(?: .*)?")
_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_BLANK_LINE = re.compile(rb"\r?\n\r?\n")


def parse_response(data: bytes, *, url: str, name: str = "", seen_at: datetime | None = None) -> Response:
    """The response that an `.http` file holds: status line, headers, an empty line, and the body to its last byte.

    Lines of the head may end in LF or CRLF. `Date:` is when it was seen; `seen_at` (aware) stands in where the file has none.
    `Content-Length` is not believed: pages are edited by hand. Raises UsageError naming the file (`name`, else `url`) for a head
    that cannot be read, and for a `Date:` that is missing or is no date.
    """
    name = name or url
    blank = _BLANK_LINE.search(data)
    head, body = (data[: blank.start()], data[blank.end() :]) if blank else (data.rstrip(b"\r\n"), b"")
    # Latin-1 is what HTTP headers are in, and takes every byte; some editors put a BOM before the first.
    lines = head.removeprefix(b"\xef\xbb\xbf").decode("latin-1").replace("\r\n", "\n").split("\n")
    status = _STATUS_LINE.fullmatch(lines[0])
    if status is None:
        raise UsageError(
            phrase(
                "{name}: line 1 must be a status line such as 'HTTP/1.1 200 OK', but is {lines!r}.",
                name=name,
                lines=lines[0][:60],
            )
        )
    headers = []
    for number, line in enumerate(lines[1:], start=2):
        key, colon, value = line.partition(":")
        if not colon or not _HEADER_NAME.fullmatch(key):
            raise UsageError(
                phrase(
                    "{name}: line {number} must be a header such as 'Content-Type: text/html', but is {line!r}; an "
                    "empty line stands between the headers and the page.",
                    name=name,
                    number=number,
                    line=line[:60],
                )
            )
        headers.append((key, value.strip()))
    response = Response(url, int(status[1]), tuple(headers), body, seen_at or datetime.min.replace(tzinfo=UTC))
    date = response.header("Date")
    if not date and seen_at is not None:
        return response
    return Response(url, response.status, response.headers, body, _read_date(date, name))


def format_response(response: Response) -> bytes:
    """The bytes of an `.http` file: `parse_response` gives the response back, but for its address.

    `Date:` is written from `seen_at`, to the second, in the place where the board's own stood.
    """
    date = format_datetime(response.seen_at.astimezone(UTC), usegmt=True)
    dated = [(key, date if key.lower() == "date" else value) for key, value in response.headers]
    if not response.header("Date"):
        dated = [(key, value) for key, value in dated if key.lower() != "date"]
        dated.append(("Date", date))
    try:
        phrase = HTTPStatus(response.status).phrase
    except ValueError:
        phrase = "Unknown"
    lines = [f"HTTP/1.1 {response.status} {phrase}", *(f"{key}: {value}" for key, value in dated), "", ""]
    return "\r\n".join(lines).encode("latin-1", "replace") + response.body


def _read_date(text: str, name: str) -> datetime:
    fix = phrase("it is when the page was seen, for example 'Date: Tue, 05 Jun 2018 13:00:00 GMT'.")
    if not text:
        raise UsageError(phrase("{name}: the header Date is missing; {fix}", name=name, fix=fix))
    try:
        date = parsedate_to_datetime(text)
    except (ValueError, IndexError, TypeError):
        raise UsageError(phrase("{name}: Date {text!r} is no date; {fix}", name=name, text=text, fix=fix)) from None
    # "-0000" is a time whose zone is not known.
    if date.tzinfo is None:
        raise UsageError(phrase("{name}: Date {text!r} has no zone; {fix}", name=name, text=text, fix=fix))
    return date.astimezone(UTC)
