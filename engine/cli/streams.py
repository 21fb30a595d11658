"""Where commands write: a reader that goes away, a full disk and a closed stream end no command in the middle of its work.

What cannot be written is dropped, and remembered: a reader that has read enough (`| head`) is nobody's mistake, everything else
is told at the end.
"""

from __future__ import annotations

import errno
import io
import sys
from typing import TYPE_CHECKING

from scraper.phrases import phrase

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

# A pipe whose reader has gone; Windows says EINVAL.
_LEFT = frozenset({errno.EPIPE, *({errno.EINVAL} if sys.platform == "win32" else ())})


class _Sink(io.RawIOBase):
    """A stream of bytes that takes everything; `failed` is the first error that what lies under it gave."""

    def __init__(self, raw: io.RawIOBase | None) -> None:
        self._raw = raw
        self.failed: OSError | None = None

    def writable(self) -> bool:
        return True

    def write(self, data: ReadableBuffer, /) -> int | None:
        view = memoryview(data).cast("B")
        done = 0
        while done < len(view) and self.failed is None:
            try:
                if self._raw is None:
                    raise OSError(errno.EBADF, phrase("它是关着的"))
                done += self._raw.write(view[done:]) or 0
            except OSError as error:
                self.failed = error
        return len(view)

    def fileno(self) -> int:
        return super().fileno() if self._raw is None else self._raw.fileno()

    def isatty(self) -> bool:
        return self._raw is not None and self._raw.isatty()


def guard_streams() -> None:
    """Put standard output and error behind a guard; a character that the terminal cannot show is shown as an escape."""
    sys.stdout, sys.stderr = _guard(sys.stdout), _guard(sys.stderr)
    if sys.stdin is None:
        # Closed: nobody can be asked, as where it is at its end.
        sys.stdin = io.StringIO()


def _guard(stream: object) -> io.TextIOWrapper:
    if isinstance(stream, io.TextIOWrapper):
        # Without a buffer where Python was told so (PYTHONUNBUFFERED).
        raw = stream.buffer.raw if isinstance(stream.buffer, io.BufferedWriter) else stream.buffer
        if not isinstance(raw, io.RawIOBase) or isinstance(raw, _Sink):
            stream.reconfigure(errors="backslashreplace")
            return stream
        stream.flush()
        return _wrap(_Sink(raw), stream.encoding, at_once=stream.line_buffering or stream.write_through)
    return _wrap(_Sink(None), "utf-8")


def _wrap(sink: _Sink, encoding: str, *, at_once: bool = False) -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BufferedWriter(sink), encoding=encoding, errors="backslashreplace", line_buffering=at_once)


def find_loss() -> str:
    """Why standard output did not take all that was written, once all of it was handed over; "" where nobody has to be told."""
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    sink = getattr(getattr(sys.stdout, "buffer", None), "raw", None)
    failed = sink.failed if isinstance(sink, _Sink) else None
    return "" if failed is None or failed.errno in _LEFT else failed.strerror or str(failed)
