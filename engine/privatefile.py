"""Files that only their owner may read: made with their rights, and put in place in one step."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from scraper.errors import UsageError
from scraper.phrases import phrase

_OWNER_FILE, _OWNER_FOLDER = 0o600, 0o700


def can_be_private() -> bool:
    """Whether rights of a file can be set here; Windows takes those of the folder."""
    return os.name == "posix"


def open_private(path: str, flags: int) -> int:
    """An opener (of `open`): a file that it makes is readable by its owner only, one that is there keeps its rights."""
    return os.open(path, flags | getattr(os, "O_BINARY", 0), _OWNER_FILE)


def save_private(path: Path, data: bytes) -> None:
    """Write a file that nobody else can read, in no moment of its life: a crash leaves the old one or the new. UsageError."""
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), _OWNER_FILE)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except OSError as error:
        raise UsageError(
            phrase(
                "{path}: 写不进去（{strerror}）。改法：换一个能写的位置，或关掉正在用它的程序。",
                path=path,
                strerror=error.strerror,
            )
        ) from None
    finally:
        draft.unlink(missing_ok=True)


def make_private_folder(path: Path) -> None:
    """Make a folder that only its owner can open, or take one that is there. UsageError where it cannot be."""
    try:
        path.mkdir(mode=_OWNER_FOLDER, exist_ok=True)
        if can_be_private():
            path.chmod(_OWNER_FOLDER)
    except OSError as error:
        raise UsageError(
            phrase("{path}: 建不了文件夹（{strerror}）。改法：换一个能写的位置。", path=path, strerror=error.strerror)
        ) from None
