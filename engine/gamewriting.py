"""Changes to a director's own file: comments, order, encoding, byte order mark and line ends stay as he has them.

A change is made with tomlkit, held against what it was meant to change, read as a game, and only then put in place of the file,
in one step: a file that would not load is never written.
"""

from __future__ import annotations

import codecs
import os
import secrets
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path
from typing import TYPE_CHECKING

from engine.textfile import decode_text
from engine.tomlfile import Key, read_toml
from scraper.errors import UsageError
from scraper.phrases import phrase

if TYPE_CHECKING:
    from tomlkit import TOMLDocument

Edit = Callable[["TOMLDocument"], None]


@dataclass(frozen=True, slots=True)
class Written:
    """A text file as it lies on the disk: its words with `\\n` line ends, and how they are written there."""

    text: str
    lines: tuple[str, ...]
    encoding: str
    mark: bytes
    newline: str


def read_written(path: Path) -> Written:
    """Read a file with all that must be kept of it. UsageError where it cannot be read."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise UsageError(phrase("{path}: 读不了（{strerror}）。改法：检查路径。", path=path, strerror=error.strerror)) from None
    text = decode_text(raw, str(path))
    lines = tuple(text.splitlines(keepends=True)) if "\r" in text else tuple(_keep_ends(text))
    windows = text.count("\r\n")
    newline = "\r\n" if windows * 2 > text.count("\n") else "\n"
    encoding, mark = _find_encoding(raw)
    return Written(text.replace("\r\n", "\n").replace("\r", "\n"), lines, encoding, mark, newline)


def edit_toml(path: Path, edit: Edit, *, check: Callable[[Path], object] | None = None) -> None:
    """Change a TOML file by `edit`, which is given the document. UsageError where it cannot be written.

    `check` is given the path of the changed file, beside the old one, and raises where it is wrong: then nothing changes. What
    the editor has not touched stays to the byte.
    """
    import tomlkit

    written = read_written(path)
    document = tomlkit.parse(written.text)
    if tomlkit.dumps(document) != written.text:
        raise UsageError(
            phrase("{path}: 同一种表散在几处，改了会动它们的先后。改法：把 [[day]] 写在一起，[[player]] 写在一起。", path=path)
        )
    edit(document)
    replace_text(path, written, tomlkit.dumps(document), check=check)


def append_table(path: Path, name: str, block: str, *, check: Callable[[Path], object] | None = None) -> None:
    """Put one more `[[name]]` table behind the last of its kind, else at the end; nothing else of the file moves."""
    written = read_written(path)
    lines = written.text.split("\n")
    place = _find_end(read_toml(path).lines, lines, name)
    while place and not lines[place - 1].strip():
        place -= 1
    behind = lines[place:]
    added = ["", *block.strip("\n").split("\n")]
    if not behind or not behind[-1].strip():
        behind = behind or [""]
    text = "\n".join([*lines[:place], *added, *([""] if behind[0].strip() else []), *behind])
    replace_text(path, written, text, check=check)


def _find_end(places: Mapping[Key, int], lines: list[str], name: str) -> int:
    """The index of the line behind the last table of a name: before the next table's header and the comments that lead to it."""
    tables = sorted({line for key, line in places.items() if lines[line - 1].lstrip().startswith("[")})
    own = [line for key, line in places.items() if key[:1] == (name,) and lines[line - 1].lstrip().startswith("[")]
    if not own:
        return len(lines)
    end = next((line - 1 for line in tables if line > max(own)), len(lines))
    while end < len(lines) and end > max(own) and lines[end - 1].lstrip().startswith("#"):
        end -= 1
    return end


def replace_text(path: Path, written: Written, text: str, *, check: Callable[[Path], object] | None = None) -> None:
    """Put other words in place of a file's, as it was written, once they are TOML that lost none of its comments."""
    tomllib.loads(text)
    lost = [line for line in _list_comments(written.text) if line not in _list_comments(text)]
    if lost:
        raise UsageError(phrase("{path}: 改不了，注释会丢（{lost_0}）。改法：自己在文件里写上。", path=path, lost_0=lost[0]))
    data = written.mark + _restore_ends(written, text).encode(written.encoding)
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        draft.write_bytes(data)
        if check is not None:
            check(draft)
        _keep_rights(path, draft)
        draft.replace(path)
    except OSError as error:
        raise UsageError(
            phrase(
                "{path}: 写不进去（{strerror}）。改法：关掉正在用它的程序，或换一个能写的位置。",
                path=path,
                strerror=error.strerror,
            )
        ) from None
    finally:
        draft.unlink(missing_ok=True)


def _keep_rights(path: Path, draft: Path) -> None:
    if os.name == "posix":
        draft.chmod(path.stat().st_mode & 0o777)


def _find_encoding(raw: bytes) -> tuple[str, bytes]:
    """The codec to write with, and the byte order mark before it."""
    for mark, encoding in (
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
    ):
        if raw.startswith(mark):
            return encoding, mark
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        return "gb18030", b""
    return "utf-8", b""


def _keep_ends(text: str) -> list[str]:
    parts = text.split("\n")
    return [*(f"{part}\n" for part in parts[:-1]), *([parts[-1]] if parts[-1] else [])]


def _restore_ends(written: Written, text: str) -> str:
    """The new words with line ends: a line that was there keeps its own, a new one gets those that most have."""
    old = [line.rstrip("\r\n") for line in written.lines]
    new = text.split("\n")
    ends = [written.newline] * len(new)
    for block in SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks():
        for offset in range(block.size):
            line = written.lines[block.a + offset]
            end = line[len(line.rstrip("\r\n")) :]
            ends[block.b + offset] = end or written.newline
    return "".join(f"{line}{end}" for line, end in zip(new[:-1], ends, strict=False)) + new[-1]


def _list_comments(text: str) -> list[str]:
    """The comments that stand on lines of their own."""
    return [line.strip() for line in text.split("\n") if line.strip().startswith("#")]
