"""The surfaces of Discuz! that can be counted, one small file each; a page is recognised by looking at it.

To add one: a file with a `Dialect` (how its pages are cut, its markup, its gaps), its name in `DIALECTS`, its row in
docs/surfaces.md. What is recognised and not counted is in refused.py.
"""

from __future__ import annotations

from scraper.dialects.api import API1, API4
from scraper.dialects.refused import EARLY, REFUSALS
from scraper.dialects.surface import Dialect, Refusal
from scraper.dialects.touch import TOUCH
from scraper.dialects.v6 import V6
from scraper.dialects.v7 import V7
from scraper.dialects.x import X

# In the order in which they are asked: X is the commonest, and the quickest to tell.
DIALECTS: tuple[Dialect, ...] = (X, V7, V6, TOUCH, API4, API1)
_BY_NAME = {dialect.name: dialect for dialect in DIALECTS}


def find_dialect(body: bytes) -> Dialect | Refusal | None:
    """The first dialect that recognises the page, or the refusal of a surface that is known; None for any other page."""
    for refusal in EARLY:
        if refusal.recognise(body):
            return refusal
    for dialect in DIALECTS:
        if dialect.recognise(body):
            return dialect
    return next((refusal for refusal in REFUSALS if refusal.recognise(body)), None)


def get_dialect(name: str) -> Dialect:
    """The dialect of that name (`x`, …)."""
    return _BY_NAME[name]
