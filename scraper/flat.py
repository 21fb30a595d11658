"""Most message regions are flat: text, line breaks, smilies, links and a few plain tags, each closed where it must be.

Such a region is scanned as it stands, with no tree built of it, in a third of the time. Only what every parser reads alike is
taken; anything else (a tag or attribute not listed here, a rare entity, tags that cross) is left to lxml, and a test holds both
readings against each other over regions made at random.
"""

from __future__ import annotations

import html as entities
import re
from enum import Enum, auto
from functools import lru_cache
from typing import NamedTuple

from scraper.styling import FLAGS
from scraper.walk import Walk

_TAG = re.compile(r"<([^<>]*)>")
_PARTS = re.compile(r'(/?)([a-z]+)((?: [a-z]+="[^"<>\x00-\x1f]*")*)( ?/)?')
_ATTRIBUTE = re.compile(r' ([a-z]+)="([^"]*)"')
_ENTITY = re.compile(r"&(?:amp|lt|gt|quot|nbsp|#39);")
_FONT = {"color": "color", "size": "size", "face": "font"}
# Deeper than any editor of a board goes.
_DEEP = 60
_LONG_TAG = 400


class Kind(Enum):
    """What a tag of a flat region does."""

    BREAK = auto()
    IMAGE = auto()
    STYLE = auto()
    LINK = auto()
    BLOCK = auto()
    EDIT = auto()
    END = auto()


# An enum's members are found slowly, and a page has a thousand tags.
_BREAK, _END, _IMAGE, _STYLE = Kind.BREAK, Kind.END, Kind.IMAGE, Kind.STYLE


class Mark(NamedTuple):
    """A tag: what it does, its name and attributes, and the fields of the style that it sets."""

    kind: Kind
    name: str
    attributes: dict[str, str]
    changes: tuple[tuple[str, str | bool], ...] = ()


def scan_region(html: str, walk: Walk) -> bool:
    """Read a flat region into a new `walk`; False where it is none, and the walk is of no use then."""
    if "\r" in html:
        html = html.replace("\r\n", "\n").replace("\r", "\n")
    pieces = _TAG.split(html)
    if html.count("<") != len(pieces) // 2 or html.count(">") != len(pieces) // 2 or "\0" in html:
        return False
    # `&amp;#5…` may be half an emoji (scraper/region.py).
    if "&" in html and (html.count("&") != len(_ENTITY.findall(html)) or "&amp;#5" in html):
        return False
    names: list[str] = []
    following = iter(pieces)
    if not _add_text(next(following), walk):
        return False
    for tag, text in zip(following, following, strict=True):
        mark = read_mark(tag) if len(tag) < _LONG_TAG else None
        if mark is None:
            return False
        kind = mark.kind
        if kind is _BREAK:
            walk.end_line()
        elif kind is _END:
            if not names or names.pop() != mark.name:
                return False
            walk.close(mark.name)
        elif kind is _IMAGE:
            walk.add_image(mark.attributes.get)
        elif kind is Kind.EDIT:
            # The board's own stands first, and holds nothing but words.
            own = not names and mark.attributes["class"] == walk.markup.edit and walk.read_edit(_unescape(text).strip())
            if not own or next(following, "") != "/i":
                return False
            text = next(following)
        else:
            if len(names) > _DEEP or not _may_stand(mark, names, walk):
                return False
            names.append(mark.name)
            if kind is _STYLE:
                walk.open_style(mark.changes)
            elif kind is Kind.LINK:
                walk.open_link(mark.attributes.get("href", ""))
            else:
                walk.open_block(quote=mark.name == "div")
        if text and not _add_text(text, walk):
            return False
    return not names


def _add_text(text: str, walk: Walk) -> bool:
    """Add words; False for blanks between tags: which of them are kept is the parser's to say."""
    if text.isspace() and (text.strip("\n") or walk.line or walk.parts):
        return False
    walk.parts.append(_unescape(text))
    return True


def _unescape(text: str) -> str:
    return entities.unescape(text) if "&" in text else text


def _may_stand(mark: Mark, names: list[str], walk: Walk) -> bool:
    """Whether an element may stand where it does without the parser closing another one for it."""
    if mark.kind is Kind.LINK:
        return "a" not in names
    if mark.kind is Kind.BLOCK:
        return all(name in _BLOCK_TAGS for name in names) and mark.attributes.get("class", walk.markup.quote) == walk.markup.quote
    return True


_BLOCK_TAGS = ("div", "blockquote")


@lru_cache(maxsize=4096)
def read_mark(tag: str) -> Mark | None:
    """What stands between `<` and `>` as a mark; None for what is not sure to be read alike by every parser."""
    found = _PARTS.fullmatch(tag)
    if not found:
        return None
    closing, name, written, empty = found.groups()
    pairs = _ATTRIBUTE.findall(written)
    attributes = {key: entities.unescape(value) if "&" in value else value for key, value in pairs}
    if len(attributes) != len(pairs) or any(value.count("&") != len(_ENTITY.findall(value)) for _, value in pairs):
        return None
    if closing:
        known = name in FLAGS or name in ("font", "a", *_BLOCK_TAGS)
        return Mark(Kind.END, name, {}) if known and not pairs and not empty else None
    match name:
        case "br" if not pairs:
            return Mark(Kind.BREAK, name, {})
        case "img" if "style" not in attributes:
            return Mark(Kind.IMAGE, name, attributes)
        case _ if empty:
            return None
        case "font" if attributes.keys() <= _FONT.keys():
            changes = tuple((field, value) for key, field in _FONT.items() if (value := attributes.get(key)))
            return Mark(Kind.STYLE, name, {}, changes)
        case "a" if "style" not in attributes:
            return Mark(Kind.LINK, name, attributes)
        case "div" if attributes.keys() == {"class"}:
            return Mark(Kind.BLOCK, name, attributes)
        case "i" if attributes.keys() == {"class"}:
            return Mark(Kind.EDIT, name, attributes)
        case "blockquote" if not pairs:
            return Mark(Kind.BLOCK, name, attributes)
        case _ if name in FLAGS and not pairs:
            return Mark(Kind.STYLE, name, {}, ((FLAGS[name], True),))
    return None
