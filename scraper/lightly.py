"""Importing a library without the large optional ones that it takes where it finds them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

# What sqlite-utils imports where it is installed, only to know its types: 13 MB and 0.1 s of each command that opens a database.
OPTIONAL = ("numpy", "pandas")


@contextmanager
def without_optional(names: tuple[str, ...] = OPTIONAL) -> Iterator[None]:
    """Inside, these modules cannot be imported unless they were already; afterwards they can be as before."""
    held = [name for name in names if name not in sys.modules]
    for name in held:
        sys.modules[name] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        for name in held:
            del sys.modules[name]
