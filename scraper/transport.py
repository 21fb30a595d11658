"""The body of one answer, read to its end or not at all; and addresses, dates and causes in words that are safe to show.

urllib3 hands on what a truncated gzip stream held as if it were whole; a page that lost its last posts would be counted.
So the bytes are taken as sent, and inflated here, where the end of the stream is seen.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from itertools import chain
from typing import Protocol
from urllib.parse import parse_qsl, quote, urlencode, urlsplit, urlunsplit

from scraper.phrases import phrase
from scraper.response import Response

_CHUNK = 65536
_GZIP = b"\x1f\x8b"
_SECRET_FIELDS = frozenset({"auth", "sid", "formhash", "saltkey", "password", "answer", "loginhash", "hash", "token", "sign"})
_MARKUP = re.compile(rb"(?i)<(?:!doctype|\?xml|html|head|body|title|meta|script|div|table|p)\b")


class BodyError(Exception):
    """A body that did not come to its end; the message is the reason, in words for the log."""


class TooMuchError(Exception):
    """A body larger than the limit."""


class Raw(Protocol):
    """What is needed of urllib3's response: some bytes as they were sent, at most `amt`; none at the end."""

    def read1(self, amt: int, /) -> bytes: ...


def read_body(raw: Raw, encoding: str, *, limit: int, expired: Callable[[], bool]) -> bytes:
    """The whole body, inflated where `encoding` (the Content-Encoding) says so; `limit` in bytes holds for both.

    Raises BodyError (cut short, broken, too slow: worth another try) and TooMuchError (not worth one). What the socket
    raises passes through.
    """
    chunks = _chunks(raw, limit, expired)
    match encoding.strip().lower():
        case "" | "identity":
            return b"".join(chunks)
        case "gzip" | "x-gzip":
            return _gunzip(chunks, limit)
        case "deflate":
            return _inflate(chunks, limit, _deflater)
        case other:
            raise BodyError(phrase("the body is packed as {other!r}, which was not asked for", other=other))


def _chunks(raw: Raw, limit: int, expired: Callable[[], bool]) -> Iterator[bytes]:
    size = 0
    while True:
        if expired():
            raise BodyError(phrase("the page was still coming in when its time was over ({size} bytes so far)", size=size))
        # read1 returns what is there: read would wait for a full chunk, and a dripping server would never meet the limit.
        # requests asks urllib3 not to decode; a keyword to say so again is more than vcrpy's stand-in takes.
        data = raw.read1(_CHUNK)
        if not data:
            return
        size += len(data)
        if size > limit:
            raise TooMuchError
        yield data


def _gunzip(chunks: Iterator[bytes], limit: int) -> bytes:
    head = b""
    for chunk in chunks:
        head += chunk
        if len(head) > 1:
            break
    if head[1:] and not head.startswith(_GZIP):
        # Unpacked on the way by somebody who left the header standing: some proxies do, and vcrpy while it records.
        return b"".join((head, *chunks))
    return _inflate(chain([head], chunks), limit, lambda _: zlib.decompressobj(31))


def _inflate(chunks: Iterable[bytes], limit: int, start: Callable[[bytes], zlib._Decompress]) -> bytes:
    whole = bytearray()
    machine: zlib._Decompress | None = None
    for chunk in chunks:
        data = chunk
        while data:
            if machine is None or (machine.eof and data.startswith(_GZIP)):
                machine = start(data)
            if machine.eof:
                break  # padding after the end, which browsers ignore too
            try:
                whole += machine.decompress(data, limit + 1 - len(whole))
            except zlib.error:
                raise BodyError(phrase("the compressed body is broken")) from None
            if len(whole) > limit:
                raise TooMuchError
            data = machine.unconsumed_tail or machine.unused_data
    if machine is not None and not machine.eof:
        raise BodyError(phrase("the compressed body ends before its end"))
    return bytes(whole)


def _deflater(first: bytes) -> zlib._Decompress:
    """`deflate` is sent with zlib's header by some servers and bare by others."""
    wrapped = len(first) > 1 and first[0] & 15 == 8 and (first[0] << 8 | first[1]) % 31 == 0
    return zlib.decompressobj(15 if wrapped else -15)


def safe_url(url: str) -> str:
    """An address for logs and errors: without user and password, and with tokens in its query masked."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return "(an address that cannot be read)"
    netloc = parts.netloc.rpartition("@")[2]
    query = parts.query
    if any(name.lower() in _SECRET_FIELDS for name, _ in parse_qsl(query, keep_blank_values=True)):
        fields = parse_qsl(query, keep_blank_values=True)
        query = urlencode([(name, "***" if name.lower() in _SECRET_FIELDS else value) for name, value in fields], safe="*")
    return urlunsplit((parts.scheme, netloc, parts.path, query, ""))


def http_date(text: str) -> datetime | None:
    """A header's date as an aware datetime; None for none, or for what is no date."""
    if not text:
        return None
    try:
        date = parsedate_to_datetime(text)
    except (ValueError, IndexError, TypeError):
        return None
    return date if date.tzinfo else date.replace(tzinfo=UTC)


def root_cause(error: BaseException) -> str:
    """The innermost cause of a failed request, in a few words: requests' own messages repeat the address with its tokens."""
    seen: BaseException = error
    for _ in range(8):
        inner = getattr(seen, "reason", None) or next(
            (one for one in reversed(seen.args) if isinstance(one, BaseException)), None
        )
        inner = inner or seen.__cause__
        if not isinstance(inner, BaseException):
            break
        seen = inner
    if isinstance(seen, OSError) and seen.strerror:
        return seen.strerror
    return type(seen).__name__


def find_location(response: Response) -> str:
    """Where a redirect sends. Old boards put bare GBK into it: every byte that is no ASCII goes on percent-encoded."""
    return quote(response.header("Location").encode("latin-1", "replace"), safe="%/:=&?~#+!$,;'@()*[]")


def is_markup(body: bytes) -> bool:
    """Whether an answer begins like a page, or like an API's JSON, whatever type it says that it has."""
    return body.lstrip()[:1] == b"{" or _MARKUP.search(body[:4096]) is not None


def has_end(body: bytes) -> bool:
    """Whether a page came to its end: Discuz! closes html on every surface, and an API's JSON closes its brace."""
    stripped = body.rstrip()
    if stripped[:1] == b"{" or (stripped.startswith(b"<?xml") and b"<html" not in stripped[:2048]):
        return stripped.endswith((b"}", b">"))
    return b"</html" in stripped or b"</HTML" in stripped
