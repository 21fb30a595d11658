"""Derived tables in the game's database: ballots, tallies, findings, events, with the views of the contract over them.

Unlike the archive they hold nothing that cannot be counted again: they are dropped and rebuilt at will, and need no migrations
(a table of another shape is simply made anew).
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from engine.game import Game
from engine.ledger import Event
from engine.report.values import moment, tally_value
from scraper.archive import Archive
from tally.ballot import Ballot, Reason
from tally.finding import Finding, sentence, severity
from tally.result import DayTally

if TYPE_CHECKING:
    from engine.sounds.check import SpeechCheck

# name of the view: its columns. The table behind it has the same, after a place that keeps the order.
VIEWS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "ballots": ("day", "tid", "pid", "revision", "voter", "act", "target", "raw", "standing", "reason", "poll"),
        "tallies": ("day", "as_of", "target", "votes", "voters", "complete", "digest", "poll"),
        "findings": ("day", "code", "severity", "seat", "tid", "pid", "revision", "line", "column", "parameters", "sentence"),
        "events": ("seq", "phase", "actor", "act", "targets", "at", "entered_at", "operator", "source", "remark"),
    }
)

# What a table has besides the columns of its view: which work made a finding, so that another's is left alone.
_HIDDEN: Mapping[str, tuple[str, ...]] = MappingProxyType({"findings": ("maker",)})
_COUNT, _CHECK = "count", "check"

Row = tuple[Any, ...]


def save_tallies(archive: Archive, game: Game, tallies: Iterable[DayTally], events: tuple[Event, ...]) -> None:
    """Replace the rows of these days, and the ledger's, in one transaction."""
    with archive.transaction() as connection:
        _ensure(connection)
        counted = tuple(tallies)
        for day in dict.fromkeys(tally.day for tally in counted):
            for view in ("ballots", "tallies"):
                connection.execute(f"DELETE FROM derived_{view} WHERE day = ?", (day,))
            connection.execute("DELETE FROM derived_findings WHERE day = ? AND maker = ?", (day, _COUNT))
        for tally in counted:
            for view, rows in (("ballots", _ballot_rows(tally)), ("tallies", _tally_rows(tally, game))):
                _insert(connection, view, rows)
            _insert(connection, "findings", (_finding_row(tally.day, finding, _COUNT) for finding in tally.findings))
        connection.execute("DELETE FROM derived_events")
        _insert(connection, "events", (_event_row(event, game) for event in events))


def save_speech(archive: Archive, check: SpeechCheck) -> None:
    """Replace what the check of chanted players found, the whole game's, in one transaction."""
    found = _list_found(check)
    with archive.transaction() as connection:
        _ensure(connection)
        connection.execute("DELETE FROM derived_findings WHERE maker = ?", (_CHECK,))
        _insert(connection, "findings", (_finding_row(day, finding, _CHECK) for day, finding in found))


def list_rows(
    game: Game, tallies: Sequence[DayTally], events: Sequence[Event], check: SpeechCheck | None
) -> Mapping[str, tuple[Row, ...]]:
    """The rows of every view over derived tables, with its columns in order, from the same values as are saved."""
    found = [(tally.day, finding, _COUNT) for tally in tallies for finding in tally.findings]
    heard = [(day, finding, _CHECK) for day, finding in _list_found(check)] if check is not None else []
    return {
        "ballots": tuple(row for tally in tallies for row in _ballot_rows(tally)),
        "tallies": tuple(row for tally in tallies for row in _tally_rows(tally, game)),
        "findings": tuple(_finding_row(*one)[: len(VIEWS["findings"])] for one in (*found, *heard)),
        "events": tuple(_event_row(event, game) for event in events),
    }


def _list_found(check: SpeechCheck) -> list[tuple[int | None, Finding]]:
    found: list[tuple[int | None, Finding]] = [(check.day_of(post), one.finding) for post in check.posts for one in post.findings]
    return [*found, *((check.day_named(finding), finding) for finding in check.findings)]


def drop_tallies(archive: Archive) -> None:
    """Drop every derived table and its view; the next `save_tallies` makes them again."""
    with archive.transaction() as connection:
        for view in VIEWS:
            connection.execute(f"DROP VIEW IF EXISTS {view}")
            connection.execute(f"DROP TABLE IF EXISTS derived_{view}")


def _ensure(connection: sqlite3.Connection) -> None:
    stored = dict(connection.execute("SELECT name, sql FROM sqlite_master WHERE type IN ('table', 'view')").fetchall())
    for view, columns in VIEWS.items():
        names = _list_names(columns)
        table = f"CREATE TABLE derived_{view} (place INTEGER PRIMARY KEY, {_list_names(_list_columns(view))})"
        above = f"CREATE VIEW {view} AS SELECT {names} FROM derived_{view} ORDER BY place"
        if stored.get(f"derived_{view}") != table:
            connection.execute(f"DROP TABLE IF EXISTS derived_{view}")
            connection.execute(table)
        if stored.get(view) != above:
            connection.execute(f"DROP VIEW IF EXISTS {view}")
            connection.execute(above)


def _insert(connection: sqlite3.Connection, view: str, rows: Iterable[Row]) -> None:
    columns = _list_columns(view)
    marks = ", ".join("?" * len(columns))
    connection.executemany(f"INSERT INTO derived_{view} ({_list_names(columns)}) VALUES ({marks})", list(rows))


def _list_columns(view: str) -> tuple[str, ...]:
    return (*VIEWS[view], *_HIDDEN.get(view, ()))


def _list_names(columns: Iterable[str]) -> str:
    return ", ".join(f'"{column}"' for column in columns)


def all_ballots(tally: DayTally) -> tuple[Ballot, ...]:
    """Every ballot of a day that stands, was replaced or is void, in order of time."""
    standing = [ballot for count in tally.counts for ballot in count.ballots]
    ballots = [*standing, *tally.abstained, *tally.replaced, *tally.void]
    return tuple(sorted(ballots, key=lambda ballot: (ballot.at, ballot.post.pid if ballot.post else 0, ballot.line or 0)))


def _ballot_rows(tally: DayTally) -> Iterator[Row]:
    replaced = {id(ballot) for ballot in tally.replaced}
    for ballot in all_ballots(tally):
        post = ballot.post
        reason = Reason.REPLACED if id(ballot) in replaced else ballot.reason
        yield (
            tally.day,
            post.tid if post else None,
            post.pid if post else None,
            post.revision if post else None,
            ballot.voter,
            ballot.act.value,
            ballot.target,
            ballot.raw,
            int(reason is None),
            reason.value if reason else None,
            tally.poll,
        )


def _tally_rows(tally: DayTally, game: Game) -> Iterator[Row]:
    digest = tally_value(tally, game)["digest"]
    for count in tally.counts:
        voters = _dump([ballot.voter for ballot in count.ballots])
        yield tally.day, moment(tally.as_of, game), count.target, count.votes, voters, int(tally.complete), digest, tally.poll


def _finding_row(day: int | None, finding: Finding, maker: str) -> Row:
    source = finding.source
    return (
        day,
        finding.code,
        severity(finding).value,
        finding.seat,
        source.tid if source else None,
        source.pid if source else None,
        source.revision if source else None,
        source.line if source else None,
        source.column if source else None,
        _dump(dict(finding.parameters)),
        sentence(finding),
        maker,
    )


def _event_row(event: Event, game: Game) -> Row:
    targets = [f"{word.key}={word.text}" if word.key else word.text for word in event.words]
    return (
        event.number,
        str(event.phase) if event.phase else None,
        event.actor,
        event.act,
        _dump(targets),
        moment(event.at, game),
        moment(event.entered_at, game),
        event.operator or None,
        Path(event.source).name,
        event.remark or None,
    )


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
