"""The state of reading one message region: the line being filled, the style in force, quotes, noise, and flaws.

What ends a line: `<br>` and the ends of blocks; newlines of the source and inline tags do not. A newline inside a line is a
space; U+00A0 is kept, since boards print a run of spaces so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import datetime
from zoneinfo import ZoneInfo

from lxml import etree

from scraper.clock import read_time
from scraper.decode import unescape_leftovers
from scraper.marks import EDIT
from scraper.markup import BLOCKS, CHROME, FILES, MEDIA, RAW, UNSEEN, Markup
from scraper.post import PLAIN, Attachment, Code, EditMark, Flaw, Image, Line, Noise, Smiley, Style, Text, Token
from scraper.quoting import Block, Link, build_quote, read_link
from scraper.styling import FLAGS, apply_css, restyle, restyle_plain

# On old boards a file's box hangs over the text, and its size stands behind its name.
_OVERLAY = "t_attach"
_ASIDE = (Style(), False)
_FILE_SIZE = re.compile(r"\A\s*\([\d.]+ ?(?:[KMG]i?B|Bytes|字[节節])\)")
_INVISIBLE = re.compile(r"(?:^|;)(?:display:none|visibility:hidden|font-size:0(?:px|pt|em|%)?)(?:$|[;!])", re.IGNORECASE)
_BOARD_NOISE = re.compile(r"(?:display:none|font-size:0(?:px)?;color:[^;]+);?", re.IGNORECASE)
_DATE = re.compile(r"\d+[-/.]\d+[-/.]")
_NEWLINES = re.compile(r"\n+")


class Walk:
    """The state of one walk: the line being filled, the style in force, and where the text goes."""

    __slots__ = (
        *("markup", "seen_at", "zone", "lines", "line", "parts", "style", "hidden", "frames", "outer", "links", "blocks"),
        *("edited", "noise", "invisible", "flaws"),
    )

    def __init__(self, markup: Markup, seen_at: datetime, zone: ZoneInfo) -> None:
        self.markup = markup
        self.seen_at = seen_at
        self.zone = zone
        self.lines: list[Line] = []
        self.line: list[Token] = []
        self.parts: list[str] = []
        self.style = PLAIN
        self.hidden = False
        self.frames: list[tuple[Style, bool] | None] = []
        self.outer: list[tuple[list[Line], list[Link]]] = []
        self.links: list[Link] = []
        self.blocks: list[Block] = []
        self.edited: EditMark | None = None
        self.noise: list[Noise] = []
        self.invisible: list[str] = []
        self.flaws: list[Flaw] = []

    def enter(self, element: etree._Element, lowered: str) -> bool:
        """Begin an element of the source (given in lower case); False where nothing inside it is to be read."""
        tag = element.tag
        if tag == "br":
            self.end_line()
            self.frames.append(None)
            return True
        if tag == "div" and element.get("class") == _OVERLAY:
            self.frames.append(_ASIDE)
            if self.parts:
                self.parts[-1] = self.parts[-1].rstrip("\n")
            return False
        kept = self.style, self.hidden
        if tag in BLOCKS:
            self.end_line(only_filled=True)
            deep = self._enter_block(element, str(tag))
        else:
            deep = self._enter_inline(element, str(tag), lowered)
        self.frames.append(None if kept == (self.style, self.hidden) else kept)
        return deep

    def leave(self, element: etree._Element) -> None:
        """End an element, and with it what it began."""
        tag = element.tag
        kept = self.frames.pop()
        if kept is _ASIDE:
            return
        if tag in BLOCKS:
            self.end_line(only_filled=True)
            if tag == "div" and self.outer and self.markup.quote in (element.get("class") or "").split():
                self._end_quote()
        if kept:
            self._flush()
            self.style, self.hidden = kept

    def open_style(self, changes: tuple[tuple[str, str | bool], ...]) -> None:
        """Begin a plain inline element of a flat region that changes these fields of the style; `close` ends it."""
        self._flush()
        before = self.style
        if before is PLAIN and changes:
            style = restyle_plain(changes)
        else:
            style = before
            for field, value in changes:
                style = restyle(style, field, value)
        self.frames.append(None if style == before else (before, self.hidden))
        self.style = style

    def open_link(self, address: str) -> None:
        """Begin a link of a flat region; `close` ends it."""
        kept = self.style, self.hidden
        self._set_link(address)
        self.frames.append(None if kept[0] == self.style else kept)

    def open_block(self, *, quote: bool) -> None:
        """Begin a block of a flat region, which may be that of a quote."""
        self.end_line(only_filled=True)
        if quote:
            self._begin_quote()
        self.frames.append(None)

    def close(self, name: str) -> None:
        """End an element of a flat region; there, each `div` is a quote's."""
        kept = self.frames.pop()
        if name in BLOCKS:
            self.end_line(only_filled=True)
            if name == "div":
                self._end_quote()
        if kept:
            self._flush()
            self.style, self.hidden = kept

    def add_image(self, get: Callable[[str], str | None]) -> None:
        """Add an image, or the smiley that it is; `get` tells its attributes."""
        address = get("zoomfile") or get("file") or get("src") or ""
        if get("smilieid") is not None or (self.markup.smilies and self.markup.smilies in address):
            self._add(Smiley(address.rpartition("/")[2].partition("?")[0].rpartition(".")[0] or address))
        else:
            self._add(Image(address))

    def read_edit(self, words: str) -> bool:
        """Take the words of an edit mark as that of the post; a flaw, and False, where they are none or it is not the first."""
        first = not self.line and not "".join(self.parts).strip() and all(map(is_blank, self.lines)) and not self.blocks
        found = EDIT.fullmatch(words)
        moment = read_time(found["time"], seen_at=self.seen_at, zone=self.zone) if found else None
        if first and found and moment and self.edited is None:
            self.edited = EditMark(found["editor"], moment.at)
            return True
        self.flaws.append(Flaw("A115", (("text", words[:80]),)))
        return False

    def end_line(self, *, only_filled: bool = False) -> None:
        """End the line; where `only_filled`, not a line that holds nothing but spaces of the source."""
        line = self.line
        if only_filled and not line and not "".join(self.parts).strip(" \t\n"):
            self.parts.clear()
            return
        self._flush(at_end=True)
        self.lines.append(tuple(line))
        line.clear()

    def finish(self) -> None:
        """End the last line, and quotes that were never closed."""
        self.end_line(only_filled=True)
        while self.outer:
            self._end_quote()

    def note_unclosed(self, element: str, words: str, lowered: str) -> None:
        """A flaw where the source (in lower case) never closes an element whose words are not shown."""
        closing = "-->" if element == "<!--" else f"</{element}"
        opening = element if element == "<!--" else f"<{element}"
        if lowered.rfind(opening) > lowered.rfind(closing):
            self.flaws.append(Flaw("A109", (("element", element), ("characters", str(len(words))))))

    def _enter_block(self, element: etree._Element, tag: str) -> bool:
        classes = (element.get("class") or "").split()
        if classes and tag == "div":
            markup = self.markup
            if markup.quote in classes:
                self._begin_quote()
            elif markup.locked in classes:
                if not self.outer:
                    self.flaws.append(Flaw("A111", (("text", _words(element)[:80]),)))
                else:
                    self.parts.append(_words(element))
                return False
            elif markup.code in classes:
                self._add_code(element)
                return False
            elif markup.shown in classes:
                self.hidden = True
        if classes and not CHROME.isdisjoint(classes):
            return False
        if tag in FILES and (element.get("id") or "").startswith("attach_"):
            self._add_attachment(element)
            return False
        if (tag == "h4" and self.hidden) or (tag == "h5" and self.outer) or element.get("id") == "poll":
            return False
        css = element.get("style")
        if css and _INVISIBLE.search(css.replace(" ", "")):
            self._add_invisible(element, css)
            return False
        if align := element.get("align"):
            self.style = restyle(self.style, "align", align.lower())
        elif tag == "center":
            self.style = restyle(self.style, "align", "center")
        if css:
            self.style = apply_css(self.style, css)
        return True

    def _enter_inline(self, element: etree._Element, tag: str, lowered: str) -> bool:
        css = element.get("style")
        if (css and tag != "img" and _INVISIBLE.search(css.replace(" ", ""))) or (
            tag == "font" and "jammer" in (element.get("class") or "").split()
        ):
            self._add_invisible(element, css or "display:none")
            return False
        if flag := FLAGS.get(tag):
            if (
                tag == "i"
                and not self.outer
                and self.markup.edit in (element.get("class") or "").split()
                and self.read_edit(_words(element))
            ):
                return False
            self._flush()
            self.style = restyle(self.style, flag, True)
        elif tag == "font":
            self._flush()
            for name, field in (("color", "color"), ("size", "size"), ("face", "font")):
                if value := element.get(name):
                    self.style = restyle(self.style, field, value)
        elif tag == "a":
            self._set_link(element.get("href") or "")
        elif tag == "img":
            self.add_image(element.get)
        elif tag == "ignore_js_op" or (tag == "span" and (element.get("id") or "").startswith("attach_")):
            self._add_attachment(element)
            element.tail = _FILE_SIZE.sub("", element.tail or "")
            return False
        elif tag == "span" and _DATE.match(title := element.get("title") or ""):
            # A time that the board prints as 3 天前: what it says is in the title.
            self.parts.append(title)
            return False
        elif tag in MEDIA:
            self._add(Image(element.get("src") or element.get("data") or ""))
            self.note_unclosed(tag, _words(element), lowered)
            return False
        elif tag in UNSEEN:
            self.note_unclosed(tag, _words(element), lowered)
            return False
        elif tag in RAW:
            self.flaws.append(Flaw("A109", (("element", tag), ("characters", str(len(_words(element)))))))
        if css:
            self._flush()
            self.style = apply_css(self.style, css)
        return True

    def _flush(self, *, at_end: bool = False) -> None:
        parts = self.parts
        if not parts:
            return
        text = parts[0] if len(parts) == 1 else "".join(parts)
        parts.clear()
        if "\n" in text:
            if not self.line:
                text = text.lstrip("\n")
            if at_end:
                text = text.rstrip("\n")
            text = _NEWLINES.sub(" ", text)
        if "&#" in text:
            text = unescape_leftovers(text)
        if text:
            self.line.append(Text(text, self.style, self.hidden))

    def _add(self, token: Token) -> None:
        self._flush()
        self.line.append(token)

    def _add_attachment(self, element: etree._Element) -> None:
        names = [found for link in element.iter("span") if "link" in (link.get("class") or "").split() if (found := _words(link))]
        names += [found for found in map(_words, element.iter("strong")) if found]
        names += [found for found in map(_words, element.iter("a")) if found]
        image = next(element.iter("img"), None)
        if names:
            self._add(Attachment(names[0]))
        elif image is not None:
            self.add_image(image.get)

    def _add_code(self, element: etree._Element) -> None:
        items = list(element.iter("li"))
        if items:
            rows = [_words(item) for item in items]
        else:
            code = next(element.iter("code"), element)
            rows = [row.strip("\n") for row in "".join(_with_breaks(code)).split("\r")]
        self.lines.extend((Code(row),) for row in rows)

    def _add_invisible(self, element: etree._Element, css: str) -> None:
        words = _words(element)
        if not words:
            return
        filled = bool(self.line) or bool("".join(self.parts).strip(" \t\n"))
        at_end = not filled or _ends_line(element)
        foreign = not _BOARD_NOISE.fullmatch(css.replace(" ", ""))
        if self.outer:
            # Of quoted words the board's own noise is left out; what else is hidden among them must show where they are compared.
            if foreign or not at_end or not words.isascii():
                self.parts.append(words)
            return
        self.noise.append(Noise(words, len(self.lines), at_end))
        if foreign:
            self.invisible.append(words)
            self.flaws.append(Flaw("A116", (("text", words[:80]),)))

    def _set_link(self, address: str) -> None:
        """The style of a link; inside a quote it may be the one to the quoted post."""
        # Version 4 of the mobile API escapes addresses twice.
        address = address.replace("&amp;", "&")
        if self.outer and (link := read_link(address, len(self.lines))):
            self.links.append(link)
        self._flush()
        self.style = restyle(self.style, "link", address)

    def _begin_quote(self) -> None:
        self.outer.append((self.lines, self.links))
        self.lines, self.links = [], []

    def _end_quote(self) -> None:
        quote = build_quote(self.lines, self.links, labelled=self.markup.labelled)
        inner = self.lines
        self.lines, self.links = self.outer.pop()
        if self.outer:
            self.lines.extend(inner)
        else:
            self.blocks.append(Block(len(self.lines), quote))


def _ends_line(element: etree._Element) -> bool:
    """Whether nothing is shown between an element and the end of its line."""
    here: etree._Element | None = element
    while here is not None and here.tag not in BLOCKS:
        if (here.tail or "").strip():
            return False
        follower = here.getnext()
        if follower is not None:
            return follower.tag == "br" or follower.tag in BLOCKS
        here = here.getparent()
    return True


def _words(element: etree._Element) -> str:
    return "".join(str(text) for text in element.itertext()).strip()


def _with_breaks(element: etree._Element) -> Iterator[str]:
    for part in element.iter():
        if part.tag == "br":
            yield "\r"
        elif part.text:
            yield part.text
        if part is not element and part.tail:
            yield part.tail


def is_blank(line: Line) -> bool:
    """Whether a line holds nothing but spaces."""
    if not line:
        return True
    if len(line) == 1 and isinstance(line[0], Text):
        return not line[0].text.strip()
    return all(isinstance(token, Text) and not token.text.strip() for token in line)
