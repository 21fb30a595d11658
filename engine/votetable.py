"""votes.csv beside the game file: votes that are on no board, one a row, as a director writes them down at the table or from QQ.

    day,voter,target,time,change,poll,entered_at,operator,remark
    2,甲,包子,2018-06-04T12:00,,,,,

day, voter and target are needed; the header may be in Chinese, the columns in any order, and UTF-8 or GBK as Excel saves it. Each
row is read as a line 投票 of the ledger would be, or 改票 where `change` says so.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping
from datetime import datetime, tzinfo
from pathlib import Path
from types import MappingProxyType

from engine.gamefile import suggest
from engine.ledger import Event, LedgerError, Phase, PhaseKind, Word, refuse
from engine.textfile import read_text
from scraper.phrases import phrase

FILE = "votes.csv"
# Each column with the names that it may have; the first is how it is documented.
COLUMNS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "day": ("day", "日", "第几天"),
        "voter": ("voter", "投票人"),
        "target": ("target", "投票对象"),
        "time": ("time", "时间"),
        "change": ("change", "改票"),
        "poll": ("poll", "票"),
        "entered_at": ("entered_at", "录入时间"),
        "operator": ("operator", "录入人"),
        "remark": ("remark", "备注"),
    }
)
NEEDED = ("day", "voter", "target")
_YES, _NO = ("是", "改票", "yes", "true", "1", "y", "√"), ("", "否", "no", "false", "0", "n")
_TIME = re.compile(r"(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?[ T](\d{1,2}):(\d{2})(?::(\d{2}))?")


def read_table(path: Path, zone: tzinfo) -> tuple[Event, ...]:
    """The rows of the file as events of the ledger, in order; none where there is no such file.

    LedgerError names file, line and column, and the fix.
    """
    if not path.exists():
        return ()
    rows = csv.reader(io.StringIO(read_text(path), newline=""))
    header = next(rows, [])
    columns = _read_header(header, path)
    return tuple(_read_rows(rows, columns, path, zone))


def _read_header(header: list[str], path: Path) -> dict[str, int]:
    known = {word: column for column, words in COLUMNS.items() for word in words}
    columns: dict[str, int] = {}
    for place, word in enumerate(header):
        name = word.strip().lower()
        if not name:
            continue
        if name not in known:
            raise refuse(str(path), 1, place + 1, phrase("没有 {word!r} 这一列", word=word), suggest(name, known))
        if known[name] in columns:
            raise refuse(str(path), 1, place + 1, phrase("{word!r} 这一列写了两次", word=word), phrase("删去其中一列"))
        columns[known[name]] = place
    for name in NEEDED:
        if name not in columns:
            raise refuse(
                str(path), 1, 1, phrase("缺少 {name} 这一列", name=name), phrase("第一行写列名，如 day,voter,target,time")
            )
    return columns


def _read_rows(rows: Iterator[list[str]], columns: Mapping[str, int], path: Path, zone: tzinfo) -> Iterator[Event]:
    line = 2
    for row in rows:
        if any(cell.strip() for cell in row):
            yield _read_row(row, columns, path, line, zone)
        line += 1


def _read_row(row: list[str], columns: Mapping[str, int], path: Path, line: int, zone: tzinfo) -> Event:
    def cell(name: str) -> str:
        place = columns.get(name)
        return row[place].strip() if place is not None and place < len(row) else ""

    def wrong(name: str, problem: str, fix: str) -> LedgerError:
        return refuse(str(path), line, columns.get(name, 0) + 1, problem, fix)

    day = cell("day").removeprefix("日").removeprefix("第").removesuffix("天")
    if not (day.isascii() and day.isdigit()):
        raise wrong("day", phrase("第几天写的是 {cell!r}", cell=cell("day")), phrase("写一个数字，如 2"))
    for name in ("voter", "target"):
        if not cell(name):
            raise wrong(name, phrase("{name} 是空的", name=name), phrase("写上名字；弃权写 弃权"))
    change = cell("change").lower()
    if change not in (*_YES, *_NO):
        raise wrong("change", phrase("改票写的是 {cell!r}", cell=cell("change")), phrase("写 是，或留空"))
    words = [Word(cell("target"), columns["target"] + 1)]
    if cell("poll"):
        words.append(Word(cell("poll"), columns["poll"] + 1, key="票"))
    try:
        at, entered = _read_time(cell("time"), zone), _read_time(cell("entered_at"), zone)
    except ValueError:
        written = cell("time") or cell("entered_at")
        raise wrong(
            "time", phrase("时间 {written!r} 读不懂", written=written), phrase("写成 2018-06-04 12:00，或 2018/6/4 12:00:30")
        ) from None
    return Event(
        number=line,
        phase=Phase(PhaseKind.DAY, int(day)),
        actor=cell("voter"),
        act="改票" if change in _YES else "投票",
        words=tuple(words),
        at=at,
        remark=cell("remark"),
        entered_at=entered,
        operator=cell("operator"),
        source=str(path),
        column=columns["voter"] + 1,
    )


def _read_time(text: str, zone: tzinfo) -> datetime | None:
    """A time as Excel or a director writes it; None for an empty cell. ValueError where it is none."""
    if not text:
        return None
    found = _TIME.fullmatch(text)
    if found is None:
        moment = datetime.fromisoformat(text)
    else:
        year, month, day, hour, minute, second = (int(part or 0) for part in found.groups())
        moment = datetime(year, month, day, hour, minute, second)  # noqa: DTZ001 - the zone follows
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=zone)
