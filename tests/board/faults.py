"""A board that misbehaves on purpose, on loopback: what it answers is scripted, and what it was asked is kept.

with FaultyBoard() as board:
    board.on("/forum.php", Answer(500), Answer(body=PAGE))     # in this order; the last one is repeated
    Client(board.url, ...).fetch(board.url + "forum.php")
    assert len(board.seen) == 2
"""

from __future__ import annotations

import gzip
import socket
import ssl
import struct
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from urllib.parse import urlsplit


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer. `framing` is how the body's end is told: length, chunked, or close (the end of the connection).

    `cut` sends only so many bytes of the body and then breaks off: by a reset, or by a clean close with `tidy`. `pause` waits
    before the first byte, `drip` after each byte of the body (seconds). `raw` is sent instead of everything else.
    """

    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    framing: str = "length"
    cut: int | None = None
    tidy: bool = False
    pause: float = 0.0
    drip: float = 0.0
    raw: bytes | None = None
    content_type: str = "text/html; charset=utf-8"

    def packed(self, keep: int | None = None) -> Answer:
        """The same, compressed by gzip; `keep` leaves only so many bytes of the stream, and frames them as if that were all."""
        return replace(self, body=gzip.compress(self.body)[:keep], headers=(*self.headers, ("Content-Encoding", "gzip")))


def redirect(target: str, status: int = 302) -> Answer:
    """An answer that sends elsewhere."""
    return Answer(status, (("Location", target),), b"moved")


@dataclass(frozen=True, slots=True)
class Seen:
    """One request: the target as it stood in the first line, headers by lower-case name, and the body."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes


class FaultyBoard:
    """The server; `url` ends with a slash. Paths that nothing was scripted for answer the web server's own 404."""

    def __init__(self, certificate: tuple[Path, Path] | None = None) -> None:
        """`certificate` (certificate and key, PEM files) makes it a board with TLS."""
        self.seen: list[Seen] = []
        self._scripts: dict[str, list[Answer]] = {}
        self._over = threading.Event()
        self._lock = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.board = self
        self._scheme = "http" if certificate is None else "https"
        if certificate is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*certificate)
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)

    @property
    def url(self) -> str:
        return f"{self._scheme}://127.0.0.1:{self._server.server_address[1]}/"

    def on(self, path: str, *answers: Answer) -> None:
        """Script what a path (without its query) answers, from now on."""
        with self._lock:
            self._scripts[path] = list(answers)

    def __enter__(self) -> FaultyBoard:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._over.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def take(self, seen: Seen) -> Answer:
        """The next answer for a request."""
        with self._lock:
            self.seen.append(seen)
            script = self._scripts.get(urlsplit(seen.target).path)
            if not script:
                return Answer(404, body=b"<html><head><title>404 Not Found</title></head><body>nginx</body></html>")
            return script.pop(0) if len(script) > 1 else script[0]

    def wait(self, seconds: float) -> None:
        """Wait, but not beyond the end of the test."""
        if seconds:
            self._over.wait(seconds)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    board: FaultyBoard

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hangs up is what many of these tests want; anything else must be seen."""
        if not isinstance(sys.exception(), (ConnectionError, ssl.SSLError)):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Server

    def do_GET(self) -> None:
        self._answer()

    def do_POST(self) -> None:
        self._answer()

    def log_message(self, format: str, *args: object) -> None:
        """Quiet."""

    def _answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        headers = {name.lower(): value for name, value in self.headers.items()}
        board = self.server.board
        answer = board.take(Seen(self.command, self.path, headers, body))
        board.wait(answer.pause)
        if answer.raw is not None:
            self.wfile.write(answer.raw)
            self.close_connection = True
            return
        self._send_head(answer)
        for piece in _pieces(answer):
            self.wfile.write(piece)
            self.wfile.flush()
            board.wait(answer.drip)
        if answer.cut is not None and not answer.tidy:
            self._reset()

    def _send_head(self, answer: Answer) -> None:
        self.send_response_only(answer.status)
        if answer.content_type:
            self.send_header("Content-Type", answer.content_type)
        for name, value in answer.headers:
            self.send_header(name, value)
        match answer.framing:
            case "length":
                self.send_header("Content-Length", str(len(answer.body)))
            case "chunked":
                self.send_header("Transfer-Encoding", "chunked")
        if answer.framing == "close" or answer.cut is not None:
            self.close_connection = True
            self.send_header("Connection", "close")
        self.end_headers()

    def _reset(self) -> None:
        """Hang up with RST: what a crashing front end does, and what no buffered byte survives."""
        shape = "hh" if sys.platform == "win32" else "ii"
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack(shape, 1, 0))
        socket.close(self.connection.detach())


def _pieces(answer: Answer) -> Iterator[bytes]:
    body = answer.body if answer.cut is None else answer.body[: answer.cut]
    step = 1 if answer.drip else max(len(body), 1)
    for start in range(0, len(body), step):
        piece = body[start : start + step]
        yield b"%x\r\n%s\r\n" % (len(piece), piece) if answer.framing == "chunked" else piece
    if answer.framing == "chunked" and answer.cut is None:
        yield b"0\r\n\r\n"
