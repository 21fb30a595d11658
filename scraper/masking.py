"""What is taken out of a recording, each by a mask of its length: tokens, secrets, the board's host, and addresses of people.

Lengths stay, and with them the structure of a page and every count; the same text always gets the same mask. All of it works on
bytes as they came: on a GBK or Big5 page the second byte of a character may look like a letter, and is passed over.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Collection, Sequence
from urllib.parse import urlsplit

from scraper.decode import UTF8, find_codec

EXAMPLE_HOST = "bbs.example.net"

# Values that belong to one session. Names that are no words count wherever they stand, in forms, addresses, scripts and JSON;
# those that a player may write count in addresses and as JSON keys only.
_TOKENS = (
    re.compile(
        rb"""((?:formhash|loginhash|sechash|seccodehash|secqaahash|idhash|saltkey|_dsign|_auth)"""
        rb"""(?:"|'|&quot;|\\")?(?:\s+value)?\s*(?:=|:|%3D)\s*(?:"|'|&quot;|\\")?)([0-9A-Za-z_%+/.-]{4,})""",
        re.IGNORECASE,
    ),
    re.compile(rb"""([?&;](?:hash|auth|sid)=|"(?:auth|hash|sid)"\s*:\s*")([0-9A-Za-z_%+/.\\-]{4,})"""),
    # A signed attachment address: base64 of its number, a hash, the time and the reader's uid.
    re.compile(rb"([?&;]aid=)([0-9A-Za-z%+/=_-]{16,})"),
)

# A character of two bytes, outside UTF-8; never masked.
_WIDE = rb"[\x81-\xfe][\x30-\x39\x40-\x7e\x80-\xfe]|"
# 192.0.2.1, and what boards print of one to those who may not see all of it: 192.0.2.*, 192.0.2.x, 192.0.*.*
_IPV4 = rb"(?<![0-9.])(?P<four>\d{1,3}\.\d{1,3}\.(?:\d{1,3}|\*)\.(?:\d{1,3}|[*x]))(?![0-9A-Za-z]|\.[0-9])"
_IPV6 = rb"(?<![0-9A-Za-z:])(?P<six>[0-9A-Fa-f]{1,4}:[0-9A-Fa-f:]{3,34}[0-9A-Fa-f])(?![0-9A-Za-z:])"
_MAIL = (
    rb"(?P<mail>[0-9A-Za-z._+-]{1,64}(?:@|%40|&#64;)(?:[0-9A-Za-z-]{1,63}\.){1,8}[A-Za-z]{2,24})"
    rb"(?![0-9A-Za-z-]|\.[0-9A-Za-z])"
)
_ADDRESSES = {wide: re.compile((_WIDE if wide else b"") + b"|".join((_MAIL, _IPV4, _IPV6))) for wide in (False, True)}
# `logo@2x.png` is a file.
_FILES = frozenset((b"png", b"gif", b"jpg", b"jpeg", b"webp", b"svg", b"ico", b"js", b"mjs", b"css", b"json", b"html", b"htm"))
# Numbers of players and dates, with dots between them, go up to here.
_SMALL = 31


def mask_host(host: str) -> str:
    """A host of the same length that is nobody's: `bbs.example.net`, drawn out or cut."""
    if len(host) >= len(EXAMPLE_HOST):
        return "x" * (len(host) - len(EXAMPLE_HOST)) + EXAMPLE_HOST
    return "x" * (len(host) - 4) + ".net" if len(host) > 4 else "x" * len(host)


def scrub(data: bytes, board: str, secrets: Sequence[str] = (), names: Collection[str] = ()) -> bytes:
    """A body or an address without tokens, secrets, the board's host, and addresses of people; see `mask_addresses`."""
    given = {secret.encode() for secret in secrets if secret}
    tokens = set(given)
    for pattern in _TOKENS:
        tokens |= {match[2] for match in pattern.finditer(data)}
        data = pattern.sub(lambda match: match[1] + b"0" * len(match[2]), data)
    for token in sorted(tokens, key=len, reverse=True):
        # A token stands in other places too; one as short as a word may be a word.
        if len(token) >= 8 or token in given:
            data = data.replace(token, b"0" * len(token))
    host = (urlsplit(board).hostname or "").removeprefix("www.")
    if host:
        before, behind = rb"(?:(?<![0-9A-Za-z-])|(?<=%2F))(www\.)?", rb"((?::|%3A)\d+)?(?![0-9A-Za-z-])"
        data = re.sub(before + re.escape(host.encode()) + behind, _mask_match, data, flags=re.IGNORECASE)
    return mask_addresses(data, names)


def mask_addresses(data: bytes, names: Collection[str] = ()) -> bytes:
    """E-mail addresses with `x` for their letters and digits, IP addresses with `0` for their digits; the signs between stay.

    What is part of one of `names` (players') stays: a count goes by it. So do numbers with dots that are no machine's address, as
    far as can be told: 3.12.8.20 may be votes, or a date.
    """
    wide = not data.isascii() and find_codec(data) != UTF8
    kept = frozenset(name for name in names if "@" in name or name.count(".") > 2 or ":" in name)
    return _ADDRESSES[wide].sub(lambda match: _mask_address(match, kept), data)


def _mask_address(match: re.Match[bytes], kept: Collection[str]) -> bytes:
    text, kind = match[0], match.lastgroup
    if kind is None or any(text.decode("ascii") in name for name in kept):
        return text
    if kind == "mail":
        sign = re.search(rb"@|%40|&#64;", text)
        assert sign is not None
        if text.rpartition(b".")[2].lower() in _FILES:
            return text
        return _blank(text[: sign.start()]) + sign[0] + _blank(text[sign.end() :])
    if kind == "four":
        numbers = [int(part) for part in text.split(b".") if part.isdigit()]
        return re.sub(rb"\d", b"0", text) if max(numbers) <= 255 and max(numbers) > _SMALL else text
    return re.sub(rb"[0-9A-Fa-f]", b"0", text) if _is_ipv6(text) else text


def _blank(text: bytes) -> bytes:
    return re.sub(rb"[0-9A-Za-z]", b"x", text)


def _is_ipv6(text: bytes) -> bool:
    if sum(map(bool, text.split(b":"))) < 3:
        return False
    try:
        ipaddress.IPv6Address(text.decode("ascii"))
    except ValueError:
        return False
    return True


def _mask_match(match: re.Match[bytes]) -> bytes:
    port = match[2] or b""
    digits = port.removeprefix(b":").removeprefix(b"%3A").removeprefix(b"%3a")
    host = match[0].removesuffix(port)
    number = b"80".rjust(len(digits), b"0")[-len(digits) :] if digits else b""
    return mask_host(host.decode()).encode() + port.removesuffix(digits) + number
