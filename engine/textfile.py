"""Text files that a director writes, in whatever his editor saved: UTF-8 with or without BOM, UTF-16 with BOM, GBK."""

from __future__ import annotations

import codecs
from pathlib import Path

from scraper.errors import UsageError
from scraper.phrases import Phrase, phrase

_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def read_text(path: Path) -> str:
    """The words of a file with `\\n` line ends; UsageError names the file, and the line that no encoding can read."""
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        raise UsageError(_missing(path)) from None
    except OSError as error:
        raise UsageError(
            phrase(
                "{path}: 读不了（{strerror}）。改法：这里要写一个文件的路径，并且能够读取。", path=path, strerror=error.strerror
            )
        ) from None
    return decode_text(raw, str(path)).replace("\r\n", "\n").replace("\r", "\n")


def _missing(path: Path) -> Phrase:
    """What to do about a file that is not there: whoever has no game yet makes one."""
    if path.name == "game.toml":
        return phrase("{path}: 没有这个文件。改法：检查路径；还没有比赛文件时，`bansha init 报名帖的地址` 写一份。", path=path)
    return phrase("{path}: 没有这个文件。改法：检查路径。", path=path)


def decode_text(raw: bytes, name: str) -> str:
    """Decode bytes of a director's file; strict, because a guessed character in a name would be another player."""
    if raw.startswith(_UTF16):
        encodings = ["utf-16"]
    elif raw.startswith(codecs.BOM_UTF8):
        encodings = ["utf-8-sig"]
    else:
        # GB 18030 is GBK's superset; text that is valid UTF-8 is UTF-8, the reverse accident is out of any real file's reach.
        encodings = ["utf-8", "gb18030"]
    for encoding in encodings:
        try:
            return raw.decode(encoding)
        except UnicodeDecodeError as error:
            line = raw[: error.start].count(b"\n") + 1
    raise UsageError(
        phrase("{name}:{line}: 这一行不是 UTF-8，也不是 GBK。改法：用编辑器把文件另存为 UTF-8。", name=name, line=line)
    )
