"""The style of a run of text, from the tags and rules that boards write."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

from scraper.post import Style

FLAGS = {"b": "bold", "strong": "bold", "i": "italic", "em": "italic", "u": "underline", "ins": "underline"}
FLAGS |= {"s": "strike", "strike": "strike", "del": "strike"}
"""Tags that set one flag of a style."""


@lru_cache(maxsize=2048)
def restyle(style: Style, field: str, value: str | bool) -> Style:
    """The style with one field changed."""
    changes: dict[str, Any] = {field: value}
    return replace(style, **changes)


@lru_cache(maxsize=2048)
def restyle_plain(changes: tuple[tuple[str, str | bool], ...]) -> Style:
    """The plain style with these fields changed: what nearly every tag makes, found without asking for a style's hash."""
    return Style(**dict[str, Any](changes))


def apply_css(style: Style, css: str) -> Style:
    """The style with the rules of a `style` attribute; rules of other things (widths, indents) change nothing."""
    for rule in css.split(";"):
        name, _, value = rule.partition(":")
        name, value = name.strip().lower(), value.strip()
        match name:
            case "color":
                style = restyle(style, "color", value)
            case "background-color" | "background":
                style = restyle(style, "background", value)
            case "font-size":
                style = restyle(style, "size", value)
            case "font-family":
                style = restyle(style, "font", value)
            case "text-align":
                style = restyle(style, "align", value.lower())
            case "font-weight" if value.lower() in ("bold", "bolder", "700", "800", "900"):
                style = restyle(style, "bold", True)
            case "font-style" if value.lower() in ("italic", "oblique"):
                style = restyle(style, "italic", True)
            case "text-decoration":
                if "underline" in value:
                    style = restyle(style, "underline", True)
                if "line-through" in value:
                    style = restyle(style, "strike", True)
            case _:
                pass
    return style
