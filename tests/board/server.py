"""The test board as an HTTP server on loopback, at any moment of its script.

`Board` answers requests as values, without a socket; `serve` puts it behind one for as long as the context is open.
"""

from __future__ import annotations

import hashlib
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Lock, Thread
from urllib.parse import parse_qs, urlsplit

from tests.board.dialects import find_dialect
from tests.board.living import Drawn
from tests.board.script import Script
from tests.board.view import show_page

_STATIC = re.compile(r"/thread-(\d+)-(\d+)-\d+\.html$")
_GONE = "指定的主题不存在或已被删除"


@dataclass(frozen=True, slots=True)
class Asked:
    """One request: method, path with query, headers in order, body; `nth` counts the requests for this address from 1."""

    method: str
    address: str
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    nth: int = 1

    def header(self, name: str) -> str:
        """The first header of that name, in any case; empty where there is none."""
        return next((value for key, value in self.headers if key.lower() == name.lower()), "")


@dataclass(frozen=True, slots=True)
class Reply:
    """One response. `length` is the Content-Length that is claimed (None: the true one); after `sent` bytes of the body the
    connection is cut (None: all are sent); it waits `delay` seconds before it answers."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes
    length: int | None = None
    sent: int | None = None
    delay: float = 0.0

    def with_header(self, name: str, value: str) -> Reply:
        """The same response with one header set."""
        kept = tuple(pair for pair in self.headers if pair[0].lower() != name.lower())
        return replace(self, headers=(*kept, (name, value)))


Fault = Callable[[Asked, Reply], Reply | None]
"""Changes what the board is about to answer; None closes the connection without an answer."""


class Board:
    """A scripted board at the moment `clock` (board-local, or aware), which may be moved at will.

    `asked` lists the requests that were answered. `faults` are applied in order to each answer. `base` is the address that the
    pages name as the board's own, with a slash at its end; without it they name the host that was asked for. Two answers to one
    address differ in what changes by itself, and only in that, unless the clock was moved over an event of the script.
    """

    def __init__(self, script: Script, clock: datetime, faults: tuple[Fault, ...] = (), base: str = "") -> None:
        self.script = script
        self.clock = clock
        self.faults = faults
        self.base = base
        self.asked: list[Asked] = []
        self._dialect = find_dialect(script.settings.dialect)
        self._lock = Lock()
        self._seen: Counter[str] = Counter()
        self._shown: Counter[tuple[str, datetime]] = Counter()

    def answer(self, asked: Asked) -> Reply | None:
        """The response to a request; None where the connection is to be closed without one."""
        moment = self.script.local(self.clock)
        with self._lock:
            self._seen[asked.address] += 1
            self._shown[asked.address, moment] += 1
            asked = replace(asked, nth=self._seen[asked.address])
            # The living parts hang on the moment and on how often it was looked at: a recording, which looks once, repeats.
            seed = f"{asked.address} {moment.isoformat()} {self._shown[asked.address, moment]}"
            self.asked.append(asked)
        reply: Reply | None = self._render(asked, moment, seed)
        for fault in self.faults:
            if reply is not None:
                reply = fault(asked, reply)
        return reply

    def _render(self, asked: Asked, moment: datetime, seed: str) -> Reply:
        base = self.base or f"http://{asked.header('Host') or 'localhost'}/"
        living = Drawn(seed, moment, self.script.settings)
        tid, number = _read_address(asked.address)
        view = None if tid is None else show_page(self.script, tid, number, moment)
        if view is None:
            page = self._dialect.render_box(self.script, moment, _GONE, base, living)
        else:
            page = self._dialect.render_thread(view, base, living)
        charset = self._dialect.wire or self.script.settings.charset
        kind = self._dialect.kind
        json = kind.endswith("json")
        token = hashlib.sha256(seed.encode()).hexdigest()
        headers = (
            ("Date", format_datetime(self.script.universal(moment), usegmt=True)),
            ("Set-Cookie", f"site_2132_saltkey={token[:8]}; path=/; HttpOnly"),
            ("Set-Cookie", f"site_2132_sid={token[8:14]}; path=/"),
            ("Content-Type", kind if json else f"{kind}; charset={charset}"),
        )
        return Reply(404 if view is None and not json else 200, headers, page.encode(charset, "xmlcharrefreplace"))


def _read_address(address: str) -> tuple[int | None, int]:
    """The thread and page that an address names; no thread where it names none."""
    parts = urlsplit(address)
    if static := _STATIC.search(parts.path):
        return int(static[1]), int(static[2])
    query = {key: values[-1] for key, values in parse_qs(parts.query).items()}
    page = query.get("page", "1")
    asked = parts.path.endswith("/viewthread.php") or "viewthread" in (query.get("mod"), query.get("module"))
    if not asked or not query.get("tid", "").isdecimal():
        return None, 1
    return int(query["tid"]), int(page) if page.isdecimal() else 1


@dataclass(frozen=True, slots=True)
class Served:
    """A board behind a socket: `base` is its address, with a slash at its end."""

    board: Board
    base: str


@contextmanager
def serve(board: Board, port: int = 0) -> Iterator[Served]:
    """The board on a loopback port (0: a free one), until the context ends; what went wrong inside it is raised then."""
    server = _Server(board, port)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield Served(board, f"http://127.0.0.1:{server.server_address[1]}/")
    finally:
        server.stopping.set()
        server.shutdown()
        server.server_close()
        thread.join()
    if server.errors:
        raise server.errors[0]


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, board: Board, port: int) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.board = board
        self.stopping = Event()
        self.errors: list[BaseException] = []

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that went away is no error of the board's; everything else is kept for the end of the context."""
        error = sys.exception()
        if error is not None and not isinstance(error, ConnectionError):
            self.errors.append(error)


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"
    # Head and body go out as they are written: else each body waits for the client's word that the head has come.
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        self._answer()

    def do_POST(self) -> None:
        self._answer()

    def _answer(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        asked = Asked(self.command, self.path, tuple(self.headers.items()), self.rfile.read(length) if length else b"")
        reply = self.server.board.answer(asked)
        if reply is None or (reply.delay and self.server.stopping.wait(reply.delay)):
            self.close_connection = True
            return
        self.send_response_only(reply.status)
        for name, value in reply.headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(reply.body) if reply.length is None else reply.length))
        self.end_headers()
        self.wfile.write(reply.body if reply.sent is None else reply.body[: reply.sent])
        if reply.sent is not None:
            self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: the board keeps what it was asked in `asked`."""
