"""The commands that a director types; each is thin, and imports what it needs when it runs."""

from __future__ import annotations

import sys
from io import TextIOWrapper


def main() -> None:
    """Run the `bansha` command line and exit with the code of the contract."""
    for stream in (sys.stdout, sys.stderr):
        # A console that cannot show a character shows an escape in its place.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    from engine.cli.app import app
    from scraper.errors import BanshaError

    try:
        app(prog_name="bansha")
    except BanshaError as error:
        sys.stderr.write(f"bansha: {error}\n")
        raise SystemExit(error.exit_code) from None
