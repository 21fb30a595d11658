"""A cold pass in a process of its own, for its peak memory: `python -m bench.cold GAME DATABASE FOLDER`."""

from __future__ import annotations

import re
import sys
from datetime import UTC, datetime
from pathlib import Path

from bench.work import recount, sweep
from engine.counting import open_archive
from engine.game import load_game


def peak_megabytes() -> float | None:
    """The most memory that this process ever held (VmHWM), where the system tells."""
    status = Path("/proc/self/status")
    found = re.search(r"VmHWM:\s+(\d+) kB", status.read_text(encoding="utf-8")) if status.exists() else None
    return int(found[1]) / 1024 if found else None


def main(game_file: str, database: str, folder: str) -> None:
    """Read, archive and count every page of the folder; print the peak in MB."""
    with open_archive(load_game(Path(game_file)), Path(database)) as archive:
        sweep(archive, Path(folder), datetime(2018, 6, 5, 13, 5, tzinfo=UTC))
    recount(Path(game_file), Path(database))
    peak = peak_megabytes()
    print("nan" if peak is None else f"{peak:.1f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
