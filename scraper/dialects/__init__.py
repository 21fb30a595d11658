"""The surfaces of Discuz! that can be counted, one small file each; a page is recognised by looking at it.

To add one: a file with a `Dialect` (its layout as a value, its few functions, its markup), and its name in `DIALECTS`.
"""

from __future__ import annotations

from scraper.dialects.surface import Dialect
from scraper.dialects.touch import TOUCH
from scraper.dialects.v6 import V6
from scraper.dialects.v7 import V7
from scraper.dialects.x import X

# In the order in which they are asked: X is the commonest, and the quickest to tell.
DIALECTS: tuple[Dialect, ...] = (X, V7, V6, TOUCH)


def find_dialect(body: bytes) -> Dialect | None:
    """The first dialect that recognises the page; None where none does."""
    return next((dialect for dialect in DIALECTS if dialect.recognise(body)), None)


def get_dialect(name: str) -> Dialect:
    """The dialect of that name (`x`, …)."""
    return next(dialect for dialect in DIALECTS if dialect.name == name)
