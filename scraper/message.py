"""One message region → the author's own words, and what stands among them: quotes, the edit mark, smilies, noise, code.

What ends a line: `<br>` and the ends of blocks; newlines of the source and inline tags do not. A newline inside a line is a
space; U+00A0 is kept, since boards print a run of spaces so. Empty lines at the beginning and the end are left out, those
between are kept. The region is parsed by lxml and walked once.

Flaws: A108 nested too deep, A109 an unclosed element hides words, A110 a tag that never ends, A111 a hidden part that was not
shown, A113 `[quote]` without its pair, A115 an edit mark that is none, A116 words set invisible (all with parameters; see
scraper/page.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from lxml import etree

from scraper.clock import read_time
from scraper.marks import EDIT, read_edit_behind, read_reply
from scraper.post import (
    EMPTY,
    PLAIN,
    Attachment,
    Code,
    EditMark,
    Flaw,
    Image,
    Line,
    Message,
    Noise,
    Quote,
    Smiley,
    Style,
    Text,
    Token,
)
from scraper.quoting import Block, Link, build_quote, read_link, settle_quotes
from scraper.region import mend_region, parse_region
from scraper.styling import FLAGS, apply_css, restyle


@dataclass(frozen=True, slots=True)
class Markup:
    """What differs between surfaces inside a message, as classes of elements.

    `quote` is the block of a quote, `locked` the box in place of a hidden part, `shown` the box of a hidden part that the
    reader may see, `code` a block of code, `edit` the `<i>` of the edit mark that stands first. With `edits_behind` the mark is
    the last line, in brackets; with `replies` the first line may be the header of a reply button; `labelled` quotes begin
    with a word of the board's (引用:). Images with `smilies` in their address are smilies, where those have no number.
    """

    quote: str = "quote"
    locked: str = "locked"
    shown: str = "showhide"
    code: str = "blockcode"
    edit: str = "pstatus"
    edits_behind: bool = False
    replies: bool = False
    labelled: bool = False
    smilies: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a message region says. `invisible` holds words that the author himself set so that nobody sees them."""

    message: Message = EMPTY
    quotes: tuple[Quote, ...] = ()
    edited: EditMark | None = None
    noise: tuple[Noise, ...] = ()
    invisible: tuple[str, ...] = ()
    flaws: tuple[Flaw, ...] = ()


BLOCKS = frozenset(
    (
        *("address", "article", "aside", "blockquote", "center", "dd", "div", "dl", "dt", "fieldset", "footer", "form", "header"),
        *("h1", "h2", "h3", "h4", "h5", "h6", "hr", "legend", "li", "ol", "option", "p", "pre", "section", "ul"),
        *("table", "tbody", "td", "tfoot", "th", "thead", "tr"),
    )
)
_MEDIA = frozenset(("embed", "object", "video", "audio", "iframe"))
_FILES = frozenset(("div", "ul"))
_UNSEEN = frozenset(("script", "style", "noembed", "noframes", "noscript", "title", "template", "head"))
_RAW = frozenset(("textarea", "plaintext", "xmp", "listing"))
# Boards print a file's size, downloads and time in such boxes: they are not the author's words.
_CHROME = frozenset(("tip", "pattl", "attach_tips", "attach_nopermission", "aimg_tip", "pcht", "pinf", "pollchart", "pollpanel"))

# On old boards a file's box hangs over the text, and its size stands behind its name.
_OVERLAY = "t_attach"
_ASIDE = (Style(), False)
_FILE_SIZE = re.compile(r"\A\s*\([\d.]+ ?(?:[KMG]i?B|Bytes|字[节節])\)")
_INVISIBLE = re.compile(r"(?:^|;)(?:display:none|visibility:hidden|font-size:0(?:px|pt|em|%)?)(?:$|[;!])", re.IGNORECASE)
_BOARD_NOISE = re.compile(r"(?:display:none|font-size:0(?:px)?;color:[^;]+);?", re.IGNORECASE)
_DATE = re.compile(r"\d+[-/.]\d+[-/.]")
_LEFTOVER = re.compile(r"&#(?:[xX]([0-9a-fA-F]{1,6})|(\d{1,7}));")
_NEWLINES = re.compile(r"\n+")


def read_message(html: str, *, seen_at: datetime, zone: ZoneInfo, markup: Markup | None = None) -> Reading:
    """Read a message region (decoded, without the element that holds it); never raises for what stands in it.

    `seen_at` (aware) and `zone` are for the time of the edit mark, as for `scraper.clock.read_time`.
    """
    walk = _Walk(markup or Markup(), seen_at, zone)
    html = mend_region(html, walk.flaws)
    lowered = html.lower()
    events: Any = etree.iterwalk(parse_region(html, walk.flaws), events=("start", "end", "comment", "pi"))
    for event, element in events:
        if event == "start":
            if walk.enter(element, lowered):
                if element.text:
                    walk.parts.append(element.text)
            else:
                events.skip_subtree()
            continue
        if event == "end":
            walk.leave(element)
        elif event == "comment":
            walk.note_unclosed("<!--", element.text or "", lowered)
        if element.tail:
            walk.parts.append(element.tail)
    return walk.finish(literal="quote]" in lowered)


def _unescape(found: re.Match[str]) -> str:
    code = int(found[1], 16) if found[1] else int(found[2])
    return chr(code) if 32 <= code < 0x110000 and not 0xD800 <= code < 0xE000 else found[0]


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


class _Walk:
    """The state of one walk: the line being filled, the style in force, and where the text goes."""

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

    def end_line(self, *, only_filled: bool = False) -> None:
        """End the line; where `only_filled`, not a line that holds nothing but spaces of the source."""
        if only_filled and not self.line and not "".join(self.parts).strip(" \t\n"):
            self.parts.clear()
            return
        self._flush(at_end=True)
        self.lines.append(tuple(self.line))
        self.line.clear()

    def note_unclosed(self, element: str, words: str, lowered: str) -> None:
        """A flaw where the source (in lower case) never closes an element whose words are not shown."""
        closing = "-->" if element == "<!--" else f"</{element}"
        opening = element if element == "<!--" else f"<{element}"
        if lowered.rfind(opening) > lowered.rfind(closing):
            self.flaws.append(Flaw("A109", (("element", element), ("characters", str(len(words))))))

    def finish(self, *, literal: bool) -> Reading:
        """What was read; `literal` where the source may hold a literal `[quote]`."""
        self.end_line(only_filled=True)
        while self.outer:
            self._end_quote()
        lines: tuple[tuple[int, Line], ...]
        if self.blocks or literal:
            settled = settle_quotes(self.lines, self.blocks)
            lines, quotes = settled.lines, settled.quotes
            if settled.opened or settled.closed or settled.pairs:
                counts = (("opened", settled.opened), ("closed", settled.closed), ("pairs", settled.pairs))
                self.flaws.append(Flaw("A113", tuple((name, str(count)) for name, count in counts)))
        else:
            lines, quotes = tuple(enumerate(self.lines)), ()
        first, last = _find_words(lines, 0, len(lines))
        if self.markup.edits_behind:
            first, last = self._take_edit_behind(lines, first, last)
        if self.markup.replies and first < last and (reply := read_reply(lines[first][1])):
            quotes = (reply, *quotes)
            first, last = _find_words(lines, first + 1, last)
        noise: tuple[Noise, ...] = ()
        if self.noise:
            place = {old: new for new, (old, _) in enumerate(lines[first:last], 1)}
            noise = tuple(Noise(item.text, place.get(item.line, 1), item.at_end) for item in self.noise)
        message = Message(tuple(line for _, line in lines[first:last]))
        return Reading(message, quotes, self.edited, noise, tuple(self.invisible), tuple(self.flaws))

    def _take_edit_behind(self, lines: tuple[tuple[int, Line], ...], first: int, last: int) -> tuple[int, int]:
        """Where the words begin and end without the edit mark behind them; another one in their midst is a flaw."""
        if first < last and (mark := read_edit_behind(lines[last - 1][1], seen_at=self.seen_at, zone=self.zone)):
            self.edited = mark
            first, last = _find_words(lines, first, last - 1)
        for _, line in lines[first:last]:
            if read_edit_behind(line, seen_at=self.seen_at, zone=self.zone):
                self.flaws.append(Flaw("A115", (("text", Message((line,)).text.strip()[:80]),)))
        return first, last

    def _enter_block(self, element: etree._Element, tag: str) -> bool:
        classes = (element.get("class") or "").split()
        if classes and tag == "div":
            markup = self.markup
            if markup.quote in classes:
                self.outer.append((self.lines, self.links))
                self.lines, self.links = [], []
            elif markup.locked in classes:
                if not self.outer:
                    self.flaws.append(Flaw("A111", (("text", _words(element)[:80]),)))
                return False
            elif markup.code in classes:
                self._add_code(element)
                return False
            elif markup.shown in classes:
                self.hidden = True
        if classes and not _CHROME.isdisjoint(classes):
            return False
        if tag in _FILES and (element.get("id") or "").startswith("attach_"):
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
                and self._read_edit(element)
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
            # Version 4 of the mobile API escapes addresses twice.
            address = (element.get("href") or "").replace("&amp;", "&")
            if self.outer and (link := read_link(address, len(self.lines))):
                self.links.append(link)
            self._flush()
            self.style = restyle(self.style, "link", address)
        elif tag == "img":
            self._add_image(element)
        elif tag == "ignore_js_op" or (tag == "span" and (element.get("id") or "").startswith("attach_")):
            self._add_attachment(element)
            element.tail = _FILE_SIZE.sub("", element.tail or "")
            return False
        elif tag == "span" and _DATE.match(title := element.get("title") or ""):
            # A time that the board prints as 3 天前: what it says is in the title.
            self.parts.append(title)
            return False
        elif tag in _MEDIA:
            self._add(Image(element.get("src") or element.get("data") or ""))
            self.note_unclosed(tag, _words(element), lowered)
            return False
        elif tag in _UNSEEN:
            self.note_unclosed(tag, _words(element), lowered)
            return False
        elif tag in _RAW:
            self.flaws.append(Flaw("A109", (("element", tag), ("characters", str(len(_words(element)))))))
        if css:
            self._flush()
            self.style = apply_css(self.style, css)
        return True

    def _flush(self, *, at_end: bool = False) -> None:
        if not self.parts:
            return
        text = "".join(self.parts)
        self.parts.clear()
        if "\n" in text:
            if not self.line:
                text = text.lstrip("\n")
            if at_end:
                text = text.rstrip("\n")
            text = _NEWLINES.sub(" ", text)
        if "&#" in text:
            text = _LEFTOVER.sub(_unescape, text)
        if text:
            self.line.append(Text(text, self.style, self.hidden))

    def _add(self, token: Token) -> None:
        self._flush()
        self.line.append(token)

    def _add_image(self, element: etree._Element) -> None:
        address = element.get("zoomfile") or element.get("file") or element.get("src") or ""
        if element.get("smilieid") is not None or (self.markup.smilies and self.markup.smilies in address):
            self._add(Smiley(address.rpartition("/")[2].partition("?")[0].rpartition(".")[0] or address))
        else:
            self._add(Image(address))

    def _add_attachment(self, element: etree._Element) -> None:
        names = [found for link in element.iter("span") if "link" in (link.get("class") or "").split() if (found := _words(link))]
        names += [found for found in map(_words, element.iter("strong")) if found]
        names += [found for found in map(_words, element.iter("a")) if found]
        image = next(element.iter("img"), None)
        if names:
            self._add(Attachment(names[0]))
        elif image is not None:
            self._add_image(image)

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
        if self.outer or not words:
            return
        filled = bool(self.line) or bool("".join(self.parts).strip(" \t\n"))
        self.noise.append(Noise(words, len(self.lines), not filled or _ends_line(element)))
        if not _BOARD_NOISE.fullmatch(css.replace(" ", "")):
            self.invisible.append(words)
            self.flaws.append(Flaw("A116", (("text", words[:80]),)))

    def _read_edit(self, element: etree._Element) -> bool:
        words = _words(element)
        first = not self.line and not "".join(self.parts).strip() and all(map(_is_blank, self.lines)) and not self.blocks
        found = EDIT.fullmatch(words)
        moment = read_time(found["time"], seen_at=self.seen_at, zone=self.zone) if found else None
        if first and found and moment and self.edited is None:
            self.edited = EditMark(found["editor"], moment.at)
            return True
        self.flaws.append(Flaw("A115", (("text", words[:80]),)))
        return False

    def _end_quote(self) -> None:
        quote = build_quote(self.lines, self.links, labelled=self.markup.labelled)
        inner = self.lines
        self.lines, self.links = self.outer.pop()
        if self.outer:
            self.lines.extend(inner)
        else:
            self.blocks.append(Block(len(self.lines), quote))


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


def _find_words(lines: tuple[tuple[int, Line], ...], first: int, last: int) -> tuple[int, int]:
    """From which to which line there is more than blanks."""
    while first < last and _is_blank(lines[first][1]):
        first += 1
    while last > first and _is_blank(lines[last - 1][1]):
        last -= 1
    return first, last


def _is_blank(line: Line) -> bool:
    return all(isinstance(token, Text) and not token.text.strip() for token in line)
