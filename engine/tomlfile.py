"""A TOML file with the line of every key, so that an error can show the place that a director must mend.

`tomllib` gives values without places; the places are found by a second, simple walk over a text that it has accepted.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from engine.textfile import read_text
from scraper.errors import GameFileError
from scraper.phrases import phrase

Key = tuple[str | int, ...]

_PLACE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_QUOTES = "“”„＂‘’「」『』"
_CJK = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]")
_UNQUOTED_KEY = re.compile(r'^[\s\[,{]*([^\s"\'=\[\],{}#]*[\u3400-\u9fff][^\s"\'=\[\],{}#]*)\s*[=\]]')


@dataclass(frozen=True, slots=True)
class TomlFile:
    """A file's values, and the line (1-based) of every key by its path: ("player", 0, "name") is the first player's name."""

    name: str
    values: dict[str, object]
    lines: dict[Key, int]

    def error(self, path: Key, problem: str, fix: str) -> GameFileError:
        """The error about one key: file, line, key, what is wrong and how to mend it; the caller raises it."""
        # An inline table, or a dotted key, has no place of its own: the nearest key around it does, or the first one inside.
        heads = (path[:size] for size in range(len(path), 0, -1))
        line = next((place for head in heads for key, place in self.lines.items() if key[: len(head)] == head), 1)
        key = ".".join(
            part if _BARE.fullmatch(part) or _CJK.search(part) else f'"{part}"' for part in path if isinstance(part, str)
        )
        return GameFileError(
            phrase(
                "{name}:{line}: {key}{problem}。改法：{fix}。",
                name=self.name,
                line=line,
                key=f"{key}: " if key else "",
                problem=problem,
                fix=fix,
            )
        )


def read_toml(path: Path) -> TomlFile:
    """Read a file of a director's; GameFileError shows the line that is no TOML and how to write it."""
    text = read_text(path)
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _explain(str(path), text, str(error)) from None
    except RecursionError:
        raise GameFileError(phrase("{path}: 方括号或花括号套得太深。改法：检查是不是多打了许多括号。", path=path)) from None
    except ValueError as error:  # a number of thousands of digits
        raise GameFileError(
            phrase("{path}: 有一个值读不了（{error}）。改法：检查是不是有一个数太长。", path=path, error=error)
        ) from None
    return TomlFile(str(path), values, {place.path: place.line for place in find_places(text)})


def _explain(name: str, text: str, message: str) -> GameFileError:
    """What a TOML error means to somebody who does not know TOML."""
    place = _PLACE.search(message)
    lines = text.split("\n")
    number = int(place[1]) if place and place[1] else len(lines)
    line = lines[number - 1] if number <= len(lines) else ""
    what = message[: place.start()] if place else message
    code = _without_strings(line)
    if found := next((char for char in code if char in _QUOTES), None):
        problem, fix = (
            phrase("有全角引号 {found}", found=found),
            phrase('换成半角引号 "：{straight}', straight=_straight(line).strip()),
        )
    elif key := _UNQUOTED_KEY.match(code) or re.search(r"[{,]" + _UNQUOTED_KEY.pattern[1:], code):
        problem = phrase("汉字的键 {key} 没有加引号", key=key[1])
        fix = phrase('给它加上半角引号："{key}" = …', key=key[1])
    elif found := next((char for char in code if char in "＝，：；［］｛｝＃"), None):
        problem = phrase("有全角的 {found}", found=found)
        fix = phrase("换成半角的同一个符号；要写进文字里，就放在半角引号之间")
    elif "overwrite" in what or "twice" in what or "Cannot declare" in what:
        problem, fix = (
            phrase("同一个键写了两次（{what}）", what=what),
            phrase("删去其中一个；第二名玩家、第二天要各有自己的 [[player]]、[[day]]"),
        )
    elif "=" in code and re.search(r"=\s*(?:#|$)", code):
        problem = phrase("等号后面没有值")
        fix = phrase('写上值，文字用半角引号，如 name = "饺子"')
    elif re.search(r"=\s*[^\s\"'\[{\d#tfi+-]", code):
        problem, fix = (
            phrase("文字没有加引号（{what}）", what=what),
            phrase('文字要用半角引号括起来，如 {split} = "…"', split=line.split("=")[0].strip()),
        )
    else:
        problem = phrase("这不是 TOML（{what}）", what=what)
        fix = phrase('一行一个 键 = 值，文字用半角引号，如 name = "饺子"')
    return GameFileError(
        phrase(
            "{name}:{number}: {problem}。这一行是：{line!r}。改法：{fix}。",
            name=name,
            number=number,
            problem=problem,
            line=line.strip(),
            fix=fix,
        )
    )


def _without_strings(line: str) -> str:
    """The line with what stands between straight quotes (and after #) taken out: there a full-width quote is only a letter."""
    return re.sub(r'"(?:[^"\\]|\\.)*"|\'[^\']*\'|#.*', lambda found: '""' if found[0][0] != "#" else "", line)


def _straight(line: str) -> str:
    return re.sub(f"[{_QUOTES}]", '"', line)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a key or a table's header stands in a text: its path, its line (1-based), and from where to where its value does."""

    path: Key
    line: int
    begin: int = 0
    end: int = 0


def find_places(text: str) -> Iterator[Place]:
    """Every key and table of a valid TOML text, in the order of the text; what stands inside an inline table has no place."""
    table: Key = ()
    counts: dict[Key, int] = {}
    place = 0
    while place < len(text):
        line = text.count("\n", 0, place) + 1
        place = _skip(text, place, " \t")
        if place >= len(text):
            break
        if text[place] in "#\n":
            place = _line_end(text, place)
        elif text[place] == "[":
            many = text.startswith("[[", place)
            parts, place = _key(text, place + (2 if many else 1))
            table = _resolve(parts, counts)
            if many:
                counts[table] = counts.get(table, -1) + 1
                yield Place(table, line)
                table = (*table, counts[table])
            yield Place(table, line)
            place = _line_end(text, place)
        else:
            parts, place = _key(text, place)
            begin = _skip(text, place + 1, " \t")
            place, end = _value_end(text, begin)
            yield Place((*table, *parts), line, begin, end)


def _resolve(parts: Key, counts: dict[Key, int]) -> Key:
    """The path of a header: below an array of tables it means the last one."""
    path: Key = ()
    for part in parts[:-1]:
        path = (*path, part)
        if path in counts:
            path = (*path, counts[path])
    return (*path, parts[-1])


def _key(text: str, place: int) -> tuple[Key, int]:
    """A dotted key from `place`, and where it ends (at `=` or `]`)."""
    parts: list[str] = []
    while True:
        place = _skip(text, place, " \t.")
        if text[place] in "=]":
            return tuple(parts), place
        if text[place] in "\"'":
            end = _string_end(text, place)
            parts.append(next(iter(tomllib.loads(f"{text[place:end]} = 1"))))
        else:
            end = place + len(match[0]) if (match := _BARE.match(text, place)) else place + 1
            parts.append(text[place:end])
        place = end


def _value_end(text: str, place: int) -> tuple[int, int]:
    """The start of the line after a value that may run over several, and where the value itself ends."""
    depth, end = 0, place
    while place < len(text):
        char = text[place]
        if char in "\"'":
            place = end = _string_end(text, place)
            continue
        if char == "#":
            place = text.find("\n", place)
            if place < 0:
                return len(text), end
            continue
        depth += (char in "[{") - (char in "]}")
        place += 1
        end = end if char in " \t\n" else place
        if char == "\n" and depth == 0:
            return place, end
    return place, end


def _string_end(text: str, place: int) -> int:
    """The place after the string that begins at `place`."""
    quote = text[place]
    if text.startswith(quote * 3, place):
        match = re.compile(r'(?s)"""(?:[^\\]|\\.)*?"""+' if quote == '"' else r"(?s)'''.*?'''+").match(text, place)
    else:
        match = re.compile(r'"(?:[^"\\]|\\.)*"' if quote == '"' else r"'[^']*'").match(text, place)
    return match.end() if match else len(text)


def _skip(text: str, place: int, chars: str) -> int:
    while place < len(text) and text[place] in chars:
        place += 1
    return place


def _line_end(text: str, place: int) -> int:
    end = text.find("\n", place)
    return len(text) if end < 0 else end + 1
