"""The views of a game's database as files of their own: CSV that a spreadsheet opens, or JSON.

A CSV is UTF-8 with a byte order mark and CRLF, and no cell of it is run as a formula. The public version holds the rows that the
public copy for Datasette holds, and no others.
"""

from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from engine.report.datasette import TABLES, select_rows
from engine.report.page.gather import GameReport
from engine.report.safe import defuse
from engine.report.values import Json, dump
from scraper.errors import UsageError
from scraper.phrases import phrase

if TYPE_CHECKING:
    from scraper.archive import Archive


def save_exports(report: GameReport, archive: Archive, folder: Path, *, as_json: bool = False) -> tuple[Path, ...]:
    """Write a file for each view; UsageError where the folder cannot be written. A view that may not be shown has no file."""
    written = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, columns, rows in select_rows(report, archive):
            path = folder / f"{name}.{'json' if as_json else 'csv'}"
            path.write_bytes(write_json(columns, rows) if as_json else write_sheet(columns, rows))
            written.append(path)
        for name in TABLES:
            if not any(path.stem == name for path in written):  # what an earlier version left here may not be shown now
                for suffix in ("csv", "json"):
                    (folder / f"{name}.{suffix}").unlink(missing_ok=True)
    except OSError as error:
        raise UsageError(
            phrase("{folder}: 这里写不了文件（{strerror}）。改法：换一个能写的位置。", folder=folder, strerror=error.strerror)
        ) from None
    return tuple(written)


def write_sheet(columns: Iterable[str], rows: Iterable[Iterable[object]]) -> bytes:
    """Rows as the bytes of a CSV file for Excel; line ends within a cell stay."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(columns)
    for row in rows:
        writer.writerow([_cell(cell) for cell in row])
    return codecs.BOM_UTF8 + text.getvalue().encode("utf-8", "backslashreplace")


def _cell(cell: object) -> object:
    if cell is None or isinstance(cell, int):
        return "" if cell is None else cell
    return defuse(str(cell).replace("\r\n", "\n"), lines=True)


def write_json(columns: Iterable[str], rows: Iterable[Iterable[object]]) -> bytes:
    """Rows as a JSON list of objects."""
    names = tuple(columns)
    values: list[Json] = [{name: _plain(cell) for name, cell in zip(names, row, strict=True)} for row in rows]
    return f"{dump(values)}\n".encode("utf-8", "backslashreplace")


def _plain(cell: object) -> str | int | None:
    return cell if cell is None or isinstance(cell, int) else str(cell)
