"""Cassettes: a board's answers recorded through requests with vcrpy, scrubbed, and replayed with the network blocked.

What is scrubbed: cookies, every header that a replay does not need, requests that send a form (logins), and, inside addresses
and bodies, tokens and the board's host by masks of equal length. The rest of a body stays as it was, to the byte.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from email.utils import format_datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from scraper.address import read_thread, same_host
from scraper.errors import AddressError, UsageError
from scraper.httpfile import format_response, parse_response
from scraper.passes import RecordedPage, RecordedPass
from scraper.phrases import phrase
from scraper.response import Response

EXAMPLE_HOST = "bbs.example.net"

# All that a replay needs of an answer's headers; anything else may name a machine, an account or a session.
_KEPT_HEADERS = ("cache-control", "content-length", "content-type", "date", "etag", "last-modified", "location", "retry-after")

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


def record_board(path: Path, board: str, *, secrets: Sequence[str] = ()) -> AbstractContextManager[object]:
    """Record every page that requests gets from `board` inside the context, into the cassette `path` (made anew).

    `secrets` are further texts that must not stand in it, such as values of cookies; they are masked wherever they occur.
    """
    path.unlink(missing_ok=True)
    cassette: AbstractContextManager[object] = _configure(board, secrets).use_cassette(str(path), record_mode="all")
    return cassette


@contextmanager
def replay_board(path: Path, board: str = f"https://{EXAMPLE_HOST}/") -> Iterator[None]:
    """Answer requests to `board` from the cassette, each answer once and in order, with the network blocked.

    Raises UsageError for a cassette that is not there. A request that was not recorded fails: vcrpy says which.
    """
    if not path.is_file():
        raise UsageError(phrase("{path}: there is no such cassette.", path=path))
    with blocked_network(), _configure(board, ()).use_cassette(str(path), record_mode="none"):
        yield


@contextmanager
def blocked_network() -> Iterator[None]:
    """No socket of this process connects anywhere inside: an attempt raises OSError."""

    def refuse(self: socket.socket, address: object) -> None:
        raise OSError(f"the network is blocked during a replay: no connection to {address!r}")

    kept = socket.socket.connect, socket.socket.connect_ex, socket.getaddrinfo
    patched: Any = socket
    patched.socket.connect, patched.socket.connect_ex = refuse, refuse
    patched.getaddrinfo = lambda host, *others, **more: refuse(socket.socket.__new__(socket.socket), host)
    try:
        yield
    finally:
        patched.socket.connect, patched.socket.connect_ex, patched.getaddrinfo = kept


def mask_host(host: str) -> str:
    """A host of the same length that is nobody's: `bbs.example.net`, drawn out or cut."""
    if len(host) >= len(EXAMPLE_HOST):
        return "x" * (len(host) - len(EXAMPLE_HOST)) + EXAMPLE_HOST
    return "x" * (len(host) - 4) + ".net" if len(host) > 4 else "x" * len(host)


def scrub(data: bytes, board: str, secrets: Sequence[str] = ()) -> bytes:
    """A body or an address without tokens, secrets and the board's host, each by a mask of the same length."""
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
    if not host:
        return data
    before, behind = rb"(?:(?<![0-9A-Za-z-])|(?<=%2F))(www\.)?", rb"((?::|%3A)\d+)?(?![0-9A-Za-z-])"
    return re.sub(before + re.escape(host.encode()) + behind, _mask_match, data, flags=re.IGNORECASE)


def read_passes(path: Path) -> list[RecordedPass]:
    """The passes that a cassette holds: the n-th reading of each thread is part of pass n.

    A reading of a thread ends where a page comes that is not after the one before; a failed answer that is asked again is
    replaced by the second. Answers to other addresses are passed over. Raises UsageError for a cassette that cannot be read.
    """
    passes: list[dict[int, dict[int, RecordedPage]]] = []
    current: dict[int, int] = {}
    for number, response in enumerate(_read_responses(path), start=1):
        try:
            address = read_thread(response.url)
        except AddressError:
            continue
        if 300 <= response.status < 400:
            continue
        page, name = address.page or 1, f"{path.name} no. {number}"
        pages = passes[current[address.tid]][address.tid] if address.tid in current else {}
        last = max(pages, default=0)
        repeated = page == last and _failed(pages[last])
        if not pages or (page <= last and not repeated):
            current[address.tid] = current.get(address.tid, -1) + 1
            if current[address.tid] == len(passes):
                passes.append({})
        passes[current[address.tid]].setdefault(address.tid, {})[page] = RecordedPage(name, response)
    if not passes:
        raise UsageError(phrase("{path}: the cassette holds no page of a thread.", path=path))
    return [RecordedPass(f"{path.name}, pass {number}", threads) for number, threads in enumerate(passes, start=1)]


def save_polls(cassette: Path, folder: Path, *, first: int = 1, secrets: Sequence[str] = ()) -> int:
    """Write a cassette's pages as `polls/<n>/<tid>-<page>.http` under `folder`, where they can be read and edited; how many.

    Its first pass gets the number `first`. `secrets` are masked, as they are when the cassette is recorded: by now some are known
    that were not then.
    """
    count = 0
    for number, taken in enumerate(read_passes(cassette), start=first):
        for tid, pages in taken.threads.items():
            for page, recorded in pages.items():
                assert isinstance(recorded.source, Response)
                target = folder / "polls" / str(number) / f"{tid}-{page}.http"
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(scrub(format_response(recorded.source), "", secrets))
                count += 1
    return count


def _configure(board: str, secrets: Sequence[str]) -> Any:
    import vcr

    def scrub_request(request: Any) -> Any:
        # A form may hold a password; another host is none of the board's. vcrpy scrubs what it has scrubbed once more.
        known = same_host(request.uri, board) or same_host(request.uri, f"https://{EXAMPLE_HOST}/")
        if request.method not in ("GET", "HEAD") or not known:
            return None
        request.uri = _scrub_address(request.uri, board, secrets)
        request.headers, request.body = {}, None
        return request

    def scrub_response(response: Any) -> Any:
        kept = {key: values for key, values in response["headers"].items() if key.lower() in _KEPT_HEADERS}
        for key, values in kept.items():
            if key.lower() == "location":
                kept[key] = [_scrub_address(value, board, secrets) for value in values]
        if not any(key.lower() == "date" for key in kept):
            # A replay goes by when a page was seen.
            kept["Date"] = [format_datetime(datetime.now(UTC), usegmt=True)]
        response["headers"] = kept
        response["body"]["string"] = scrub(response["body"]["string"], board, secrets)
        return response

    configured = vcr.VCR(
        before_record_request=scrub_request,
        before_record_response=scrub_response,
        decode_compressed_response=True,
        match_on=("method", "host", "path", "query"),
    )
    configured.register_persister(_Persister)
    configured.register_serializer("yaml", _Serializer)
    return configured


class _Persister:
    """Cassettes are UTF-8 with LF everywhere; vcrpy's own takes what the machine prefers."""

    @staticmethod
    def load_cassette(path: str, serializer: Any) -> Any:
        from vcr.persisters.filesystem import CassetteNotFoundError
        from vcr.serialize import deserialize

        if not Path(path).is_file():
            raise CassetteNotFoundError
        return deserialize(Path(path).read_bytes().decode("utf-8"), serializer)

    @staticmethod
    def save_cassette(path: str, cassette: Any, serializer: Any) -> None:
        from vcr.serialize import serialize

        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_bytes(serialize(cassette, serializer).encode("utf-8"))


class _Serializer:
    """YAML that can be read: text as it is, a body in lines where that gives back the same bytes, else base64."""

    @staticmethod
    def serialize(cassette: dict[str, Any]) -> str:
        for interaction in cassette["interactions"]:
            body = interaction["response"]["body"]
            if isinstance(body["string"], str) and not _survives(body["string"]):
                body["string"] = body["string"].encode("utf-8")
        return _dump(cassette)

    @staticmethod
    def deserialize(text: str) -> Any:
        from vcr.serializers import yamlserializer

        return yamlserializer.deserialize(text)


def _dump(value: object) -> str:
    # vcrpy brings PyYAML along.
    from vcr.serializers.yamlserializer import yaml

    dumper: Any = type("CassetteDumper", (yaml.SafeDumper,), {})
    dumper.add_representer(
        str, lambda self, text: self.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None)
    )
    return str(yaml.dump(value, Dumper=dumper, allow_unicode=True, width=1000))


def _survives(text: str) -> bool:
    """Whether YAML gives the text back as it was; it cannot keep every control character, nor every kind of line end."""
    from vcr.serializers.yamlserializer import yaml

    try:
        return bool(_Serializer.deserialize(_dump([text])) == [text])
    except yaml.YAMLError:
        return False


def _read_responses(path: Path) -> Iterator[Response]:
    from vcr.serializers.yamlserializer import yaml

    try:
        requests, responses, *_ = _Persister.load_cassette(str(path), _Serializer)
    except (UnicodeDecodeError, ValueError, KeyError, TypeError, yaml.YAMLError) as error:
        raise UsageError(phrase("{path}: this is no cassette: {error}", path=path, error=error)) from error
    for number, (request, answer) in enumerate(zip(requests, responses, strict=True), start=1):
        head = [f"HTTP/1.1 {answer['status']['code']} -"]
        head += [f"{key}: {value}" for key, values in answer["headers"].items() for value in values]
        data = "\r\n".join([*head, "", ""]).encode("latin-1", "replace") + answer["body"]["string"]
        yield parse_response(data, url=request.uri, name=f"{path}, answer {number}")


def _scrub_address(address: str, board: str, secrets: Sequence[str]) -> str:
    """An address with its tokens masked; on the board's host it becomes one on bbs.example.net."""
    parts = urlsplit(address)
    if parts.hostname and same_host(address, board):
        parts = parts._replace(netloc=EXAMPLE_HOST)
    return scrub(urlunsplit(parts).encode(), board, secrets).decode()


def _mask_match(match: re.Match[bytes]) -> bytes:
    port = match[2] or b""
    digits = port.removeprefix(b":").removeprefix(b"%3A").removeprefix(b"%3a")
    host = match[0].removesuffix(port)
    number = b"80".rjust(len(digits), b"0")[-len(digits) :] if digits else b""
    return mask_host(host.decode()).encode() + port.removesuffix(digits) + number


def _failed(page: RecordedPage) -> bool:
    return isinstance(page.source, Response) and page.source.status >= 400
