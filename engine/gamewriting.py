"""Changes to a director's own file: comments, order, encoding, byte order mark and line ends stay as he has them.

A change is made in the text, in values that tomlkit writes, read as a game, and only then put in place of the file, in one step:
a file that would not load is never written.
"""

from __future__ import annotations

import codecs
import os
import re
import secrets
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path
from types import MappingProxyType

from engine.textfile import decode_text
from engine.tomlfile import Key, Place, find_places
from scraper.errors import GameFileError, UsageError
from scraper.phrases import Listing, Phrase, fill, phrase


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


def set_keys(path: Path, keys: Mapping[Key, object], *, check: Callable[[Path], object] | None = None) -> None:
    """Give keys of a TOML file new values, by their paths (("day", 0, "vote") is the first day's): nothing else moves.

    A key that is not there comes behind the last one of its table, a table that is not there at the end. UsageError where the
    table is written inside one line, or where a comment stands in the midst of the old value. `check` is given the path of the
    changed file, beside the old one, and raises where it is wrong: then nothing changes.
    """
    written = read_written(path)
    replace_text(path, written, _set_all(path, written.text, keys), check=check)


def append_table(
    path: Path,
    name: str,
    block: str,
    *,
    keys: Mapping[Key, object] = MappingProxyType({}),
    check: Callable[[Path], object] | None = None,
) -> None:
    """Put one more `[[name]]` table behind the last of its kind, else at the end; nothing else of the file moves.

    `keys` are set with it, as by `set_keys`. UsageError where the tables of that name are written inside one line.
    """
    written = read_written(path)
    text = written.text
    if isinstance(tomllib.loads(text).get(name), list) and (name, 0) not in {place.path for place in find_places(text)}:
        raise _inline(path, name)
    lines = text.split("\n")
    place = _find_end(list(find_places(text)), lines, name)
    while place and not lines[place - 1].strip():
        place -= 1
    behind = lines[place:]
    added = ["", *block.strip("\n").split("\n")]
    if not behind or not behind[-1].strip():
        behind = behind or [""]
    text = "\n".join([*lines[:place], *added, *([""] if behind[0].strip() else []), *behind])
    replace_text(path, written, _set_all(path, text, keys), check=check)


def _set_all(path: Path, text: str, keys: Mapping[Key, object]) -> str:
    """A text with keys set, one after the other: each moves the places of those behind it."""
    for key, value in keys.items():
        text = _set_one(path, text, key, value)
    return text


def _set_one(path: Path, text: str, key: Key, value: object) -> str:
    import tomlkit

    told, places = tomlkit.item(value).as_string(), list(find_places(text))
    own = next((place for place in places if place.path == key and place.end), None)
    if own is not None:
        if _has_comment(text[own.begin : own.end]):
            raise UsageError(
                phrase("{path}:{line}: 这个值里有注释，改了会丢。改法：自己在文件里改这一行。", path=path, line=own.line)
            )
        return f"{text[: own.begin]}{told}{text[own.end :]}"
    *table, name = key
    head = tuple(table)
    beside = [place for place in places if place.path[:-1] == head and place.end]
    header = next((place for place in places if place.path == head), None)
    if beside:
        line = text.rfind("\n", 0, beside[-1].begin) + 1
        indent = text[line : len(text) - len(text[line:].lstrip(" \t"))]
        end = text.find("\n", beside[-1].end)
        name = name if header is not None or not head else ".".join(map(str, key))  # forum.interval = 2 without a [forum]
    elif header is not None:
        indent, end = "", _end_of_line(text, header.line)
    elif any(isinstance(part, int) for part in head) or any(place.path == head[: len(place.path)] for place in places):
        raise _inline(path, ".".join(str(part) for part in head if isinstance(part, str)))
    else:
        return f"{text.rstrip()}\n\n[{'.'.join(map(str, head))}]\n{name} = {told}\n"
    end = len(text) if end < 0 else end
    return f"{text[:end]}\n{indent}{name} = {told}{text[end:]}"


def _end_of_line(text: str, line: int) -> int:
    """Where a line (1-based) ends; -1 for the last one without an end."""
    place = -1
    for _ in range(line):
        place = text.find("\n", place + 1)
    return place


def _has_comment(value: str) -> bool:
    """Whether a comment stands in a value, outside its strings."""
    return "#" in re.sub(r'"""(?s:.*?)"""|"(?:[^"\\]|\\.)*"|\'[^\']*\'', "", value)


def _inline(path: Path, name: str) -> UsageError:
    return UsageError(
        phrase(
            "{path}: {name} 写在一行的方括号或花括号里，加不进去。改法：改成另起一行的表，每一个写 [[{name}]] 或 [{name}]。",
            path=path,
            name=name,
        )
    )


def _find_end(places: Sequence[Place], lines: list[str], name: str) -> int:
    """The index of the line behind the last table of a name: before the next table's header and the comments that lead to it."""
    headers = [place for place in places if not place.end]
    tables = sorted({place.line for place in headers})
    own = [place.line for place in headers if place.path[:1] == (name,)]
    if not own:
        return len(lines)
    end = next((line - 1 for line in tables if line > max(own)), len(lines))
    while end < len(lines) and end > max(own) and lines[end - 1].lstrip().startswith("#"):
        end -= 1
    return end


def replace_text(path: Path, written: Written, text: str, *, check: Callable[[Path], object] | None = None) -> None:
    """Put other words in place of a file's, as it was written, once they are TOML that lost none of its comments."""
    path = path.resolve()  # where the file is a link, what it points to is changed
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(phrase("{path}: 改不了（{error}）。改法：自己在文件里写上。", path=path, error=error)) from None
    lost = [line for line in _list_comments(written.text) if line not in _list_comments(text)]
    if lost:
        raise UsageError(phrase("{path}: 改不了，注释会丢（{lost_0}）。改法：自己在文件里写上。", path=path, lost_0=lost[0]))
    data = written.mark + _restore_ends(written, text).encode(written.encoding)
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        draft.write_bytes(data)
        if check is not None:
            try:
                check(draft)
            except GameFileError as error:
                changed = phrase("{path}（改了以后，没有存）", path=path)
                raise GameFileError(_rename(error.args[0], str(draft), changed)) from None
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


def _rename(told: object, draft: str, name: str) -> object:
    """A sentence about the draft that nobody knows of, as one about the file as it would be."""
    if not isinstance(told, Phrase) or isinstance(told, Listing):
        return name if told == draft else told
    values = {key: _rename(value, draft, name) for key, value in told.parameters.items()}
    return fill(told.template, values)


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
