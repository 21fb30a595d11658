"""Who plays: a list of people that a director keeps in a spreadsheet or a text file, and the passwords of the role accounts."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from engine.report.safe import restore
from engine.secrets import is_printable
from engine.textfile import read_text
from scraper.errors import UsageError
from scraper.phrases import listing, phrase

# Headings that mean something, in either language; every other column goes along into the mail-merge file.
_PERSON = ("玩家", "演员", "person", "player")
_VEST = ("马甲", "署名昵称", "vest")
_ROLE = ("身份", "role")
_ACCOUNT = ("账号", "帐号", "角色帐号", "角色账号", "account")
_CHARACTER = ("角色", "角色名", "character")
_PASSWORD = ("密码", "password")


@dataclass(frozen=True, slots=True)
class Person:
    """One who plays: his name, in 马甲杀 his vest, and the identity that he has bought where there was an auction.

    `more` are the other columns of the list, such as where to write to him.
    """

    name: str
    vest: str | None = None
    role: str | None = None
    more: Mapping[str, str] = field(default_factory=dict)


def read_people(path: Path) -> tuple[Person, ...]:
    """The people of a list: one a line, or a table with a heading 玩家 (or 马甲). UsageError for a line that is wrong."""
    rows = _read_rows(path)
    heading = [cell.strip().lower() for cell in rows[0]]
    if not {*heading} & {*_PERSON, *_VEST}:
        if any(len(row) > 1 for row in rows):
            raise UsageError(phrase("{path}: 第一行不是表头。改法：第一行写列名，其中一列叫 玩家。", path=path))
        people = [Person(row[0].strip()) for row in rows]
    else:
        people = [_read_person(path, rows[0], heading, row) for row in rows[1:]]
    for one in people:
        _check_printable(path, one.name, one.vest or "")
    for what, names in (("玩家", [one.name for one in people]), ("马甲", [one.vest for one in people if one.vest])):
        if twice := next((name for place, name in enumerate(names) if name in names[:place]), None):
            raise UsageError(phrase("{path}: {what} {twice!r} 写了两次。改法：删去其中一行。", path=path, what=what, twice=twice))
    return tuple(people)


def _check_printable(path: Path, *words: str) -> None:
    """Names go into secrets.toml, where nothing stands that steers a terminal."""
    for word in words:
        if not is_printable(word):
            raise UsageError(
                phrase("{path}: {word!r} 里有看不见的字符。改法：重新打一遍，不要从网页上复制。", path=path, word=word)
            )


def read_passwords(path: Path) -> dict[str, str]:
    """The passwords of role accounts, by account: a table with the headings 账号 and 密码."""
    rows = _read_rows(path)
    heading = [cell.strip().lower() for cell in rows[0]]
    account, password = _find(heading, _ACCOUNT), _find(heading, _PASSWORD)
    if account is None or password is None:
        raise UsageError(phrase("{path}: 第一行要有 账号 和 密码 两列。改法：第一行写列名。", path=path))
    found: dict[str, str] = {}
    for number, row in enumerate(rows[1:], 2):
        if len(row) <= max(account, password):
            raise UsageError(phrase("{path}:{number}: 少了一列。改法：每行都写账号和密码。", path=path, number=number))
        found[row[account].strip()] = row[password]
    return found


def read_characters(path: Path) -> tuple[tuple[str, str], ...]:
    """Characters with their accounts: a table with the headings 角色 and 账号, or one character a line."""
    rows = _read_rows(path)
    heading = [cell.strip().lower() for cell in rows[0]]
    name, account = _find(heading, _CHARACTER), _find(heading, _ACCOUNT)
    if name is None:
        if any(len(row) > 1 for row in rows):
            raise UsageError(phrase("{path}: 第一行不是表头。改法：第一行写列名，其中一列叫 角色。", path=path))
        return tuple((row[0].strip(), row[0].strip()) for row in rows)
    found = []
    for row in rows[1:]:
        cells = [cell.strip() for cell in (*row, *[""] * len(heading))]
        found.append((cells[name], cells[account] if account is not None and cells[account] else cells[name]))
    return tuple(found)


def _read_rows(path: Path) -> list[list[str]]:
    text = read_text(path)
    # What parts the columns of the first line: a program may save semicolons for commas, a hand type full-width ones.
    mark = next((sign for sign in "\t,，;；" if sign in text.split("\n", 1)[0]), ",")
    rows = [row for row in csv.reader(io.StringIO(text), delimiter=mark) if any(cell.strip() for cell in row)]
    if not rows:
        raise UsageError(phrase("{path}: 是空的。改法：一行写一名玩家。", path=path))
    return rows


def _read_person(path: Path, titles: list[str], heading: list[str], row: list[str]) -> Person:
    cells = [*row, *[""] * (len(heading) - len(row))]
    person, vest, role = (_find(heading, words) for words in (_PERSON, _VEST, _ROLE))
    known = {person, vest, role}
    veiled = cells[vest].strip() or None if vest is not None else None
    name = restore(cells[person].strip()) if person is not None else veiled or ""
    if not name:
        raise UsageError(
            phrase(
                "{path}: 有一行没有玩家的名字（{cell}）。改法：补上，或删去这一行。",
                path=path,
                cell=listing(cell for cell in row if cell),
            )
        )
    more = {title.strip(): cells[place].strip() for place, title in enumerate(titles) if place not in known and title.strip()}
    return Person(name, veiled, cells[role].strip() or None if role is not None else None, more)


def _find(heading: list[str], words: tuple[str, ...]) -> int | None:
    return next((place for place, cell in enumerate(heading) if cell in words), None)
