"""A message region → a tree in which nothing was lost in silence.

lxml drops without a word what an unclosed quotation mark or an unended tag swallows, all behind `</html>`, and all that is
nested deeper than it goes. The first two are mended before the parse, the third is read off the parser's error log.
"""

from __future__ import annotations

import re

from lxml import etree

from scraper.post import Flaw

_PAIR = re.compile(r"&(?:amp;)?#(5\d{4});&(?:amp;)?#(5\d{4});")
_TAG = re.compile(r"<[^<>]*>")
_UNENDED = re.compile(r"<(?!!--)([^<>]*)(?=<|\Z)")
_ATTRIBUTES = re.compile(r"\s.*", re.DOTALL)
_DOCUMENT = re.compile(r"</?(?:html|body|head|frameset|frame)\b[^>]*>", re.IGNORECASE)
_NOISE = re.compile(r'<(span|font) (?:style="display: ?none"|class="jammer"|style="font-size:0px;color:[^"]*")>[^<]*</\1>')

# Without huge_tree libxml2 stops at depth 256, with it at 2,048; a region of few tags reaches neither.
_PARSER = etree.HTMLParser(encoding="utf-8", huge_tree=True)
_FEW_TAGS = 200


def mend_region(html: str, flaws: list[Flaw]) -> str:
    """The region with newlines made plain, and closed what would swallow the words behind it (A110).

    Boards escape quotation marks and brackets in what people type, so that both come in pairs, but for their own noise.
    """
    if "\r" in html:
        html = html.replace("\r\n", "\n").replace("\r", "\n")
    if "#5" in html:
        html = _PAIR.sub(_join_surrogates, html)
    lowered = html.lower()
    if "<html" in lowered or "</html" in lowered or "body" in lowered or "frame" in lowered:
        html = _DOCUMENT.sub("", html)
    if html.count('"') % 2 == 0 and html.count("<") == html.count(">"):
        return html
    plain = _NOISE.sub("", html)
    broken = [tag for tag in _TAG.findall(plain) if tag.count('"') % 2] + [found[0] for found in _UNENDED.finditer(plain)]
    if not broken:
        return html
    flaws.append(Flaw("A110", (("tag", broken[0][:60]), ("tags", str(len(broken))))))
    return _UNENDED.sub(r"&lt;\1", _TAG.sub(_drop_open_attributes, html))


def parse_region(html: str, flaws: list[Flaw]) -> etree._Element:
    """The region's tree (A108 where it is nested too deep for the parser); the element returned holds it, in a cell or alone."""
    # The message stands in a cell: with the table around it, an early </table> ends a block, as it does in a browser.
    region = (b"<table><tr><td><div>" if "</t" in html else b"<div>") + html.encode("utf-8", "replace")
    if html.count("<") < _FEW_TAGS:
        root = etree.fromstring(region, _PARSER)
    else:
        parser = etree.HTMLParser(encoding="utf-8", huge_tree=True)
        root = etree.fromstring(region, parser)
        if any(entry.type_name == "ERR_RESOURCE_LIMIT" for entry in parser.error_log):
            flaws.append(Flaw("A108", (("tags", str(html.count("<"))),)))
    return root[0] if len(root) == 1 else root


def _drop_open_attributes(found: re.Match[str]) -> str:
    tag = found[0]
    return _ATTRIBUTES.sub(">", tag) if tag.count('"') % 2 else tag


def _join_surrogates(found: re.Match[str]) -> str:
    """Old scripts post an emoji as the two halves of its UTF-16 form."""
    high, low = int(found[1]), int(found[2])
    if 0xD800 <= high < 0xDC00 <= low < 0xE000:
        return chr(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))
    return found[0]
