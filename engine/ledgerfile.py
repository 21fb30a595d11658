"""Lines added at the end of a ledger.txt, in the encoding and with the line ends that it has; nothing before is touched."""

from __future__ import annotations

import codecs
import os
from collections.abc import Sequence
from pathlib import Path

from engine.privatefile import open_private
from engine.textfile import decode_text
from scraper.errors import UsageError
from scraper.phrases import phrase

_UTF16 = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}


def append_lines(path: Path, lines: Sequence[str], *, known: bytes | None = None) -> int:
    """Add lines at the end of a ledger, durably, and tell the number of the first; a file that is not there is made, readable
    by its owner only.

    `known` is the ledger as it was read, where the lines were chosen by it. UsageError where the file cannot be read or
    written, or somebody else has written into it since.
    """
    try:
        raw = (path.read_bytes() if path.exists() else b"") if known is None else known
        text = decode_text(raw, str(path))
        end = "\r\n" if "\r\n" in text else "\n"
        before = end if text and not text.endswith(("\n", "\r")) else ""
        added = before + "".join(f"{line}{end}" for line in lines)
        with open(path, "ab", opener=open_private) as file:
            if file.tell() != len(raw):
                raise UsageError(phrase("{ledger}: 刚刚有别人写过。改法：再运行一次。", ledger=path))
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
