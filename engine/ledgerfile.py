"""Lines added at the end of a ledger.txt, in the encoding and with the line ends that it has; nothing before is touched."""

from __future__ import annotations

import codecs
import os
from collections.abc import Sequence
from pathlib import Path

from engine.textfile import decode_text
from scraper.errors import UsageError
from scraper.phrases import phrase

_UTF16 = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}


def append_lines(path: Path, lines: Sequence[str]) -> int:
    """Add lines at the end of a ledger, durably, and tell the number of the first; a file that is not there is made.

    UsageError where the file cannot be read or written.
    """
    try:
        raw = path.read_bytes() if path.exists() else b""
        text = decode_text(raw, str(path))
        end = "\r\n" if "\r\n" in text else "\n"
        before = end if text and not text.endswith(("\n", "\r")) else ""
        added = before + "".join(f"{line}{end}" for line in lines)
        with path.open("ab") as file:
            file.write(added.encode(encoding_of(raw)))
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise UsageError(
            phrase(
                "{path}: 写不进去（{strerror}）。改法：关掉占用它的编辑器，并确认能够写入。", path=path, strerror=error.strerror
            )
        ) from None
    return (text + before).replace("\r\n", "\n").replace("\r", "\n").count("\n") + 1


def encoding_of(raw: bytes) -> str:
    """The encoding in which a file goes on."""
    for mark, encoding in _UTF16.items():
        if raw.startswith(mark):
            return encoding
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        return "gb18030"
    return "utf-8"
