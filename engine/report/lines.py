"""Lines to standard output, in the language of the terminal and fit to be shown."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from engine.language import localize
from engine.report.safe import show


def write_lines(lines: Iterable[str]) -> None:
    """Each text (a phrase in the terminal's language) as one line; what would steer the terminal is an escape."""
    sys.stdout.write("".join(f"{show(localize(line))}\n" for line in lines))
