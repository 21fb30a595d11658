"""What every command prints as JSON, writes to files and keeps in SQLite is the same under both languages."""

from __future__ import annotations

import json
import re
import sqlite3
from pathlib import Path

import pytest
from typer.main import get_group

from engine.cli.app import app
from tests.engine.test_examples import SECTIONS, at_a_place, read_examples, run_line

# Options that make something else of a result, so that --json goes without them.
FORMATS = ("--csv", "--bbcode", "--html", "--yes", "--show")
# Sections that take long are tried by `make test-all`; most of their commands stand in others too.
LONG = ("Watching a day", "Examples", "Looking at a board", "A pair of directors", "Posting")
# What differs between two runs of a command, whatever the language: the port, the folder, the hour.
CHANCE = re.compile(r"127\.0\.0\.1:\d+|20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?|sha256:[0-9a-f]{64}")
# Tables whose rows are made of words of the program.
TOLD = ("misses", "pass_ends", "derived_findings", "derived_ballots", "derived_tallies", "derived_events", "sent")


def with_json(line: str) -> str:
    """An example as JSON, where its command has that."""
    if "--json" in line or any(option in line.split() for option in FORMATS):
        return line
    return f"{line} --json"


def read_all(section: str, language: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, object]]:
    """What each example of a section gives: its standard output as JSON, then every file and table that is left."""
    monkeypatch.setenv("BANSHA_LANG", language)
    folder.mkdir()
    found: list[tuple[str, object]] = []
    with at_a_place(folder) as place:
        SECTIONS[section](place)
        for line in map(with_json, read_examples()[section]):
            ran = run_line(place, line)
            found.append((line, ran.code))
            if "--json" in line and ran.out:
                found.append((line, clean(json.dumps([json.loads(one) for one in read_documents(ran.out)]), folder)))
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if (
            path.suffix in (".toml", ".txt", ".csv", ".json", ".bbcode", ".html")
            and "secrets" not in name
            and "letters" not in name
        ):
            found.append((name, clean(path.read_text(encoding="utf-8-sig"), folder)))
        elif path.suffix == ".db":
            found.append((name, read_tables(path, folder)))
    return found


def read_documents(text: str) -> list[str]:
    """The JSON documents of an output: one, or one a line (`watch`)."""
    try:
        json.loads(text)
    except ValueError:
        return [line for line in text.splitlines() if line]
    return [text]


def read_tables(path: Path, folder: Path) -> list[str]:
    with sqlite3.connect(path) as connection:
        names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        rows = [
            clean(repr((table, *row)), folder)
            for table in TOLD
            if table in names
            for row in connection.execute(f"SELECT * FROM {table}")
        ]
    connection.close()
    return sorted(rows)


def clean(text: str, folder: Path) -> str:
    return CHANCE.sub("·", text.replace(str(folder), "FOLDER"))


@pytest.mark.parametrize("section", [pytest.param(one, marks=pytest.mark.slow if one in LONG else ()) for one in SECTIONS])
def test_json_files_and_tables_are_the_same_under_both_languages(
    section: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chinese, english = (read_all(section, language, tmp_path / language, monkeypatch) for language in ("zh", "en"))
    assert [one for one in zip(chinese, english, strict=True) if one[0] != one[1]] == []


def test_every_command_that_prints_json_is_tried() -> None:
    tried = {line.split()[0] for lines in read_examples().values() for line in map(with_json, lines) if "--json" in line}
    assert {*get_group(app).commands} - tried == set()
