"""The skeleton of HTML: its tags in order and depth, with ids (numbers masked) and classes; no words, no other attributes."""

from __future__ import annotations

import re
from html.parser import HTMLParser

_VOID = frozenset({"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"})


class _Reader(HTMLParser):
    def __init__(self, leave_out: frozenset[str]) -> None:
        super().__init__()
        self.lines: list[str] = []
        self._leave_out = leave_out

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in self._leave_out:
            return
        values = dict(attrs)
        name = re.sub(r"(?<=aimg_)\w+|\d+", "N", values.get("id") or "")
        classes = re.sub(r"\d+", "N", values.get("class") or "").split()
        self.lines.append(f"<{tag}{f'#{name}' if name else ''}{''.join(f'.{each}' for each in classes)}")

    def handle_endtag(self, tag: str) -> None:
        if tag not in _VOID and tag not in self._leave_out:
            self.lines.append(f"</{tag}")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)


def read_skeleton(html: str, leave_out: frozenset[str] = frozenset()) -> list[str]:
    """One line a tag, opening and closing, in the order of the page; tags named in `leave_out` are passed over."""
    reader = _Reader(leave_out)
    reader.feed(html)
    reader.close()
    return reader.lines
