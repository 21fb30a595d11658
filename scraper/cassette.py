"""Cassettes: a board's answers recorded through requests with vcrpy, scrubbed, and replayed with the network blocked.

What is scrubbed: cookies, every header that a replay does not need, requests that send a form (logins), and, inside addresses
and bodies, what scraper/masking.py masks. The rest of a body stays as it was, to the byte.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from email.utils import format_datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from scraper.address import read_thread, same_host
from scraper.errors import AddressError, UsageError
from scraper.httpfile import format_response, parse_response
from scraper.masking import EXAMPLE_HOST, scrub
from scraper.passes import RecordedPage, RecordedPass
from scraper.phrases import phrase
from scraper.response import Response

# All that a replay needs of an answer's headers; anything else may name a machine, an account or a session.
_KEPT_HEADERS = ("cache-control", "content-length", "content-type", "date", "etag", "last-modified", "location", "retry-after")

# How a pass begins in a cassette, where `append_cassette` wrote it, and what stands behind all of them.
_PASS = re.compile(r"^- pass: (\d+)$", re.MULTILINE)
_TAIL = "version: 1\n"
_NEWEST_LAST = "ordertype=2"


def record_board(
    path: Path, board: str, *, secrets: Sequence[str] = (), names: Collection[str] = ()
) -> AbstractContextManager[object]:
    """Record every page that requests gets from `board` inside the context, into the cassette `path` (made anew).

    `secrets` are further texts that must not stand in it, such as values of cookies; they are masked wherever they occur.
    `names` are players', which are no addresses whatever they look like.
    """
    path.unlink(missing_ok=True)
    cassette: AbstractContextManager[object] = _configure(board, secrets, names).use_cassette(str(path), record_mode="all")
    return cassette


@contextmanager
def replay_board(path: Path, board: str = f"https://{EXAMPLE_HOST}/") -> Iterator[None]:
    """Answer requests to `board` from the cassette, each answer once and in order, with the network blocked.

    Raises UsageError for a cassette that is not there. A request that was not recorded fails: vcrpy says which.
    """
    if not path.is_file():
        raise UsageError(phrase("{path}: there is no such cassette.", path=path))
    with blocked_network(), _configure(board, (), ()).use_cassette(str(path), record_mode="none"):
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


def read_passes(path: Path) -> list[RecordedPass]:
    """The passes that a cassette holds: by the numbers that `append_cassette` gave them, else as they can be told apart.

    Without numbers, the n-th reading of each thread is part of pass n: it ends where a page comes that is not after the one
    before; a failed answer that is asked again is replaced by the second. In a numbered pass the last answer for a page counts.
    Answers to other addresses are passed over. Raises UsageError for a cassette that cannot be read.
    """
    passes: dict[int, dict[int, dict[int, RecordedPage]]] = {}
    current: dict[int, int] = {}
    for number, (response, given) in enumerate(_read_responses(path), start=1):
        if not _is_page(response.url, response.status):
            continue
        address = read_thread(response.url)
        page = address.page or 1
        if given is None:
            given = current[address.tid] = _reckon(passes, current, address.tid, page)
        pages = passes.setdefault(given, {}).setdefault(address.tid, {})
        if _NEWEST_LAST in response.url and not any(_is_ordered(other) for other in pages.values()):
            # The thread was shown newest first, and is asked for once more in the usual order.
            pages.clear()
        pages[page] = RecordedPage(f"{path.name} no. {number}", response)
    if not passes:
        raise UsageError(phrase("{path}: the cassette holds no page of a thread.", path=path))
    return [RecordedPass(f"{path.name}, pass {number}", passes[number]) for number in sorted(passes)]


def append_cassette(taken: Path, cassette: Path, number: int, *, secrets: Sequence[str] = (), names: Collection[str] = ()) -> int:
    """Put what was recorded into `taken` behind what `cassette` holds (made where missing), as pass `number`.

    Gives how many pages of threads that were.

    It is scrubbed once more, since some `secrets` were not known while it was recorded. Raises UsageError for what is no
    cassette.
    """
    from vcr.serializers import yamlserializer

    interactions = yamlserializer.deserialize(taken.read_bytes().decode("utf-8"))["interactions"]
    for interaction in interactions:
        interaction["pass"] = number
        body = interaction["response"]["body"]
        given = body["string"]
        scrubbed = scrub(given if isinstance(given, bytes) else given.encode("utf-8"), "", secrets, names)
        body["string"] = scrubbed if isinstance(given, bytes) else scrubbed.decode("utf-8")
        interaction["request"]["uri"] = _scrub_address(interaction["request"]["uri"], "", secrets)
    if not interactions:
        return 0
    before = cassette.read_bytes().decode("utf-8") if cassette.exists() else f"interactions:\n{_TAIL}"
    if not before.startswith("interactions:\n") or not before.endswith(_TAIL):
        raise UsageError(phrase("{path}: this is no cassette of bansha's; record into another folder.", path=cassette))
    whole = cassette.with_name(f".{cassette.name}.part")
    whole.write_bytes((before.removesuffix(_TAIL) + _dump(interactions) + _TAIL).encode("utf-8"))
    whole.replace(cassette)
    return sum(_is_page(one["request"]["uri"], one["response"]["status"]["code"]) for one in interactions)


def count_passes(cassette: Path) -> int:
    """The number of the last pass in a cassette; 0 where there is none."""
    if not cassette.is_file():
        return 0
    return max(map(int, _PASS.findall(cassette.read_bytes().decode("utf-8"))), default=0)


def save_polls(cassette: Path, folder: Path, *, first: int = 1, secrets: Sequence[str] = (), names: Collection[str] = ()) -> int:
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
                target.write_bytes(scrub(format_response(recorded.source), "", secrets, names))
                count += 1
    return count


def _configure(board: str, secrets: Sequence[str], names: Collection[str]) -> Any:
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
        response["body"]["string"] = scrub(response["body"]["string"], board, secrets, names)
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


def _is_page(url: str, status: int) -> bool:
    """Whether an answer stands for a page of a thread, and does not only lead to one."""
    try:
        read_thread(url)
    except AddressError:
        return False
    return not 300 <= status < 400


def _reckon(passes: Mapping[int, Mapping[int, Mapping[int, RecordedPage]]], current: dict[int, int], tid: int, page: int) -> int:
    """The pass that a page belongs to where nothing says so, by the pages of its thread that came before it."""
    if tid not in current:
        return 1
    pages = passes[current[tid]][tid]
    last = max(pages)
    return current[tid] if page > last or (page == last and _failed(pages[last])) else current[tid] + 1


def _read_responses(path: Path) -> Iterator[tuple[Response, int | None]]:
    """The answers of a cassette in order, each with the number of its pass where it has one."""
    from vcr.serialize import deserialize
    from vcr.serializers import yamlserializer

    try:
        data = yamlserializer.deserialize(path.read_bytes().decode("utf-8"))
        requests, responses, *_ = deserialize("", type("Loaded", (), {"deserialize": staticmethod(lambda _: data)}))
        numbers = [interaction.get("pass") for interaction in data["interactions"]]
    except (UnicodeDecodeError, ValueError, KeyError, TypeError, AttributeError, yamlserializer.yaml.YAMLError) as error:
        raise UsageError(phrase("{path}: this is no cassette: {error}", path=path, error=error)) from error
    for number, (request, answer) in enumerate(zip(requests, responses, strict=True), start=1):
        head = [f"HTTP/1.1 {answer['status']['code']} -"]
        head += [f"{key}: {value}" for key, values in answer["headers"].items() for value in values]
        data = "\r\n".join([*head, "", ""]).encode("latin-1", "replace") + answer["body"]["string"]
        given = numbers[number - 1]
        yield (
            parse_response(data, url=request.uri, name=f"{path}, answer {number}"),
            given if isinstance(given, int) else None,
        )


def _scrub_address(address: str, board: str, secrets: Sequence[str]) -> str:
    """An address with its tokens masked; on the board's host it becomes one on bbs.example.net."""
    parts = urlsplit(address)
    if board and parts.hostname and same_host(address, board):
        parts = parts._replace(netloc=EXAMPLE_HOST)
    return scrub(urlunsplit(parts).encode(), board, secrets).decode()


def _is_ordered(page: RecordedPage) -> bool:
    return isinstance(page.source, Response) and _NEWEST_LAST in page.source.url


def _failed(page: RecordedPage) -> bool:
    return isinstance(page.source, Response) and page.source.status >= 400
