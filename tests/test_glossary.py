"""docs/glossary.md: every term has its word in both languages, once."""

from __future__ import annotations

import re
from pathlib import Path

ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in (Path(__file__).parents[1] / "docs" / "glossary.md").read_text(encoding="utf-8").splitlines()
    if line.startswith("| ") and not line.startswith("| English")
]


def test_every_term_has_both_languages_and_a_meaning() -> None:
    assert len(ROWS) > 50
    wrong = [
        row for row in ROWS if len(row) != 3 or not row[0].isascii() or not re.search("[\u3400-\u9fff]", row[1]) or not row[2]
    ]
    assert wrong == []


def test_terms_are_in_order_and_none_is_there_twice() -> None:
    terms = [row[0].lower() for row in ROWS]
    assert terms == sorted(terms)
    assert len(set(terms)) == len(terms)
