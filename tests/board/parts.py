"""The parts that pages are made of: files of HTML beside the dialects, cut at their names; and the pager, which all have."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

from tests.board.words import speak

WINDOW = 10
"""How many page numbers a pager lists."""


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


def render_pager(parts: Mapping[str, str], tid: int, page: int, pages: int, total: int, window: int = WINDOW) -> str:
    """The numbers around the current one, with the ends where they are out of sight; nothing for a single page."""
    if pages == 1:
        return ""
    first = max(1, min(page - window // 2, pages - window + 1))
    last = min(pages, first + window - 1)

    def link(number: int, label: str, look: str = "") -> str:
        return parts["link"].format(tid=tid, number=number, label=label, look=f' class="{look}"' if look else "")

    dots = parts.get("dots", "...")
    links = [link(1, f"1 {dots}", "first")] if first > 1 else []
    links += [link(page - 1, parts["previous"], "prev")] if page > 1 else []
    links += [f"<strong>{each}</strong>" if each == page else link(each, str(each)) for each in range(first, last + 1)]
    links += [link(pages, f"{dots} {pages}", "last")] if last < pages else []
    following = link(page + 1, parts["next"], parts["next_look"]) if page < pages else ""
    return parts["pager"].format(links="".join(links), page=page, pages=pages, next=following, total=total)
