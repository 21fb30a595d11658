"""docs/database.md tells of every table and every view's columns, as they are."""

from __future__ import annotations

import re
from pathlib import Path

from scraper.schema import CACHES, DERIVED_TABLES, RAW_TABLES
from tests.scraper.looks import open_archive

PAGE = (Path(__file__).parents[2] / "docs" / "database.md").read_text(encoding="utf-8")
ROWS = {match[1]: match[2] for match in re.finditer(r"^\| `(\w+)` \| (.*) \|$", PAGE, re.MULTILINE)}


def test_the_columns_of_the_views_are_those_that_the_page_lists(tmp_path: Path) -> None:
    with open_archive(tmp_path / "game.db") as archive:
        for view in archive.database.views:
            assert ROWS[view.name] == ", ".join(column.name for column in view.columns)


def test_the_raw_tables_and_their_keys_are_those_that_the_page_lists() -> None:
    listed = {name: row.rpartition(" | ")[2] for name, row in ROWS.items() if name in RAW_TABLES}
    assert listed == {name: ", ".join(keys[-1]) for name, keys in RAW_TABLES.items()}


def test_every_other_table_is_named(tmp_path: Path) -> None:
    with open_archive(tmp_path / "game.db") as archive:
        tables = {name for name in archive.database.table_names() if not name.startswith(("_", "sqlite"))}
    assert tables == {*RAW_TABLES, *DERIVED_TABLES, *CACHES, "offsets", "rebuilding"}
    for name in tables:
        assert f"`{name}`" in PAGE
