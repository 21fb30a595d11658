"""Pausing the collector of cycles where many values are made at once."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_collecting() -> Iterator[None]:
    """Make many values without the collector walking all of them again and again; what is dropped is freed all the same.

    For work that makes no cycles, as counting does: of a thread of 20,000 posts a fifth of the time went there.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()
