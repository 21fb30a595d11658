"""One table of a TOML document, read by type: an unknown key, a missing one or one of a wrong type is an error with its place."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime


class ScriptError(Exception):
    """A script cannot be played; the message names the file, the table and key, and the fix."""


class Table:
    """One table of the document: gives its values by type, and knows which keys nobody asked for."""

    def __init__(self, data: Mapping[str, object], where: str) -> None:
        self.data = data
        self.where = where
        self._seen: set[str] = set()

    def _get(self, key: str, kind: type, wanted: str) -> object:
        self._seen.add(key)
        value = self.data.get(key)
        if value is None:
            raise ScriptError(f"{self.where}: {key} is missing ({wanted})")
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise ScriptError(f"{self.where}: {key} must be {wanted}, not {value!r}")
        return value

    def text(self, key: str, default: str | None = None) -> str:
        self._seen.add(key)
        return default if default is not None and key not in self.data else str(self._get(key, str, "a text"))

    def done(self, key: str) -> str:
        """The last key of a table: its text or nothing, and the table is closed."""
        value = self.text(key, "")
        self.close()
        return value

    def number(self, key: str, default: int | None = None) -> int:
        self._seen.add(key)
        if default is not None and key not in self.data:
            return default
        value = self._get(key, int, "a whole number")
        assert isinstance(value, int)
        return value

    def flag(self, key: str, default: bool) -> bool:
        self._seen.add(key)
        return bool(self._get(key, bool, "true or false")) if key in self.data else default

    def moment(self, key: str) -> datetime:
        value = self._get(key, datetime, "a time like 2018-06-03T21:00:00")
        assert isinstance(value, datetime)
        if value.tzinfo is not None:
            raise ScriptError(f"{self.where}: {key} is board-local and takes no offset: {value}")
        return value

    def maybe(self, key: str) -> datetime | None:
        self._seen.add(key)
        return self.moment(key) if key in self.data else None

    def texts(self, key: str) -> tuple[str, ...]:
        self._seen.add(key)
        values = self._get(key, list, "a list of texts") if key in self.data else []
        assert isinstance(values, list)
        return tuple(map(str, values))

    def numbers(self, key: str) -> tuple[int, ...]:
        return tuple(map(int, self.texts(key)))

    def table(self, key: str) -> Table:
        self._seen.add(key)
        value = self._get(key, dict, "a table") if key in self.data else {}
        assert isinstance(value, dict)
        return Table(value, f"{self.where}: [{key}]")

    def tables(self, key: str) -> list[Table]:
        self._seen.add(key)
        values = self._get(key, list, "a list of tables") if key in self.data else []
        assert isinstance(values, list)
        return [Table(value, f"{self.where}: {key} {_label(value, number)}") for number, value in enumerate(values, 1)]

    def close(self) -> None:
        """Complains of a key that nobody knows."""
        unknown = sorted(set(self.data) - self._seen)
        if unknown:
            raise ScriptError(f"{self.where}: {unknown[0]!r} is no key here; known: {', '.join(sorted(self._seen))}")


def _label(value: object, number: int) -> str:
    if not isinstance(value, dict):
        raise ScriptError(f"entry {number} must be a table, not {value!r}")
    return f"pid {value['pid']}" if "pid" in value else f"number {number}"
