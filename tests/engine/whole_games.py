"""The recorded whole games, one of each system, and how a copy of one is changed to see what follows."""

from __future__ import annotations

import shutil
from pathlib import Path

from engine.replay import replay_case

FIXTURES = Path(__file__).parents[2] / "fixtures"
SYSTEMS = ("secret-number", "vest", "assertion", "table", "m29")


def whole_game(system: str) -> Path:
    """The recorded game of a system."""
    return FIXTURES / system / "whole_game"


def copy_game(system: str, to: Path) -> Path:
    """A copy of a game, to change things in."""
    return Path(shutil.copytree(whole_game(system), to / "game"))


def change(path: Path, old: str, new: str) -> None:
    """Put other words into a file, which must hold the old ones."""
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def change_page(folder: Path, thread: int, old: str, new: str) -> None:
    """The same in every recorded page of a thread."""
    pages = [page for page in (folder / "polls").glob(f"*/{thread}-*.http") if old.encode() in page.read_bytes()]
    assert pages
    for page in pages:
        page.write_bytes(page.read_bytes().replace(old.encode(), new.encode()))


def drop_lines(folder: Path, *words: str) -> None:
    """Take every ledger line away that holds one of the words."""
    path = folder / "ledger.txt"
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    kept = [line for line in lines if not any(word in line for word in words)]
    assert len(kept) < len(lines)
    path.write_text("".join(kept), encoding="utf-8")


def differences(folder: Path) -> dict[str, str]:
    """What came of a changed game, by what of its end is not as expected."""
    return {one.what.removeprefix("终局 · "): "".join(one.extra) for one in replay_case(folder).differences}
