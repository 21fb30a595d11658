"""The parts that pages are made of: files of HTML beside the dialects, cut at their names."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

from tests.board.words import speak


@cache
def load_parts(files: tuple[str, ...], charset: str = "utf-8", ends: str = "\n") -> Mapping[str, str]:
    """Parts by name: what follows a line `@@ name`, up to the next one, with these line ends; a later file's part counts."""
    parts: dict[str, str] = {}
    for file in files:
        text = (Path(__file__).parent / f"{file}.html").read_text(encoding="utf-8")
        for part in ("\n" + text.removesuffix("\n")).split("\n@@ ")[1:]:
            name, _, body = part.partition("\n")
            parts[name] = speak(body.replace("\n", ends), charset)
    return MappingProxyType(parts)
