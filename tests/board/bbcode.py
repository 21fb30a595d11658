"""BBCode as Discuz! boards turn it into HTML: by patterns over the escaped text, so that what is not closed stays broken.

The order of the steps and their oddities were seen on the recorded boards: a quote eats one white space on either side and ends
at the first `[/quote]`, so that nested ones leak their marks; `:lol` is a smiley and leaves the colon of `:lol:` standing; two
spaces and tabs become non-breaking ones. What differs between dialects is a `Markup`: what the board puts around things, and
the `Codes` that it knows. A code that a board does not know stays as it was typed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

SMILIES: Mapping[str, tuple[int, str]] = {
    ":)": (1, "default/smile"),
    ":smile:": (1, "default/smile"),
    ":(": (2, "default/sad"),
    ":D": (3, "default/biggrin"),
    ";P": (9, "default/titter"),
    ":lol": (12, "default/lol"),
    ":loveliness:": (13, "default/loveliness"),
    ":funk:": (14, "default/funk"),
    ":curse:": (15, "default/curse"),
    ":dizzy:": (16, "default/dizzy"),
    ":shutup:": (17, "default/shutup"),
    ":sleepy:": (18, "default/sleepy"),
    ":hug:": (19, "default/hug"),
    ":victory:": (20, "default/victory"),
    ":time:": (21, "default/time"),
    ":kiss:": (22, "default/kiss"),
    ":handshake": (23, "default/handshake"),
    ":call:": (24, "default/call"),
}
"""The stock set: code to number and image; `{:S_N:}` is image N of pack S."""

_SMILEY = re.compile(r"\{:(\d+)_(\d+):\}|" + "|".join(map(re.escape, sorted(SMILIES, key=len, reverse=True))))
_CODE = re.compile(r"\s?\[code\](.+?)\[/code\]\s?", re.S | re.I)
_ATTACH = re.compile(r"\[attach\](.+?)\[/attach\]", re.I)
_HIDE = re.compile(r"\[hide\](.*?)\[/hide\]", re.S | re.I)
_QUOTE = re.compile(r"\s?\[quote\][\r\n]*(.+?)[\r\n]*\[/quote\]\s?", re.S | re.I)
_URL = re.compile(r"\[url(?:=([^\]\s]+))?\](.+?)\[/url\]", re.S | re.I)
_IMAGE = re.compile(r"\[img(?:=(\d+),(\d+))?\]\s*(\S+?)\s*\[/img\]", re.I)
_TABLE = re.compile(r"\[table(?:=([\d%]+))?\]\s*(.+?)\s*\[/table\]", re.S | re.I)
_KEPT = re.compile("\x02(\\d+)\x02")
_ABSOLUTE = re.compile(r"[a-z]+:", re.I)
Opener = tuple[re.Pattern[str], str]

OPENERS: Mapping[str, Opener] = MappingProxyType(
    {
        "color": (re.compile(r"\[color=([#\w]+)\]", re.I), r'<font color="\1">'),
        "backcolor": (re.compile(r"\[backcolor=([#\w]+)\]", re.I), r'<font style="background-color:\1">'),
        "size": (re.compile(r"\[size=(\d{1,2})\]", re.I), r'<font size="\1">'),
        "points": (re.compile(r"\[size=([\d.]+(?:px|pt))\]", re.I), r'<font style="font-size:\1">'),
        "font": (re.compile(r"\[font=([^\[<\]]+)\]", re.I), r'<font face="\1">'),
        "align": (re.compile(r"\[align=(left|center|right)\]", re.I), r'<div align="\1">'),
        "list": (re.compile(r"\[list=(1|a|A)\]"), r'<ul type="\1" class="litype_\1">'),
    }
)
"""The codes with a value, by what they set, as X3 knows them."""

PAIRS: Mapping[str, str] = MappingProxyType(
    {
        "[/color]": "</font>",
        "[/backcolor]": "</font>",
        "[/size]": "</font>",
        "[/font]": "</font>",
        "[/align]": "</div>",
        "[b]": "<strong>",
        "[/b]": "</strong>",
        "[i=s]": '<i class="pstatus">',
        "[i]": "<i>",
        "[/i]": "</i>",
        "[u]": "<u>",
        "[/u]": "</u>",
        "[s]": "<strike>",
        "[/s]": "</strike>",
        "[hr]": '<hr class="l" />',
        "[list]": "<ul>",
        "[*]": "<li>",
        "[/list]": "</ul>",
    }
)
"""The codes without a value as X3 knows them, word for word."""

_SPACES = re.compile(r"\t| {2,3}")
_WIDE = {"\t": "&nbsp; &nbsp; &nbsp; &nbsp; ", "   ": "&nbsp; &nbsp;", "  ": "&nbsp;&nbsp;"}
_CLEARED = re.compile(
    r"\[quote\].*?\[/quote\]|\[hide\].*?\[/hide\]|\[i=s\].*?\[/i\]|\[(code|table|img|attach)\b[^\]]*\].*?\[/\1\]", re.S | re.I
)
_TAG = re.compile(r"\[/?(?:b|i|u|s|url|color|backcolor|size|font|align|list|quote)(?:=[^\]]*)?\]|\[\*\]|\[hr\]", re.I)


Letters = Callable[[int], str]
"""Gives so many random letters, as the board puts them into the ids of images and code blocks."""


@dataclass(frozen=True, slots=True)
class Codes:
    """The BBCode that a dialect knows, and how it writes it; by default X3's.

    `smiley` is written of `{number}` and `{name}`, on the board at `{base}`; `ids` are smilies whose number is another one.
    `link` is written of `{address}` and `{words}`; `relative` links are links too. `rounds`: how often quotes are looked for,
    so that two see one inside another. `doubled`: the addresses of links are escaped twice.
    """

    openers: tuple[Opener, ...] = tuple(OPENERS.values())
    pairs: Mapping[str, str] = field(default_factory=lambda: PAIRS)
    smiley: str = '<img src="static/image/smiley/{name}.gif" smilieid="{number}" border="0" alt="" />'
    ids: Mapping[str, int] = field(default_factory=dict)
    link: str = '<a href="{address}" target="_blank">{words}</a>'
    relative: bool = True
    doubled: bool = False
    rounds: int = 1


@dataclass(frozen=True, slots=True)
class Markup:
    """What a dialect puts around things.

    `quote` and `hidden` (a [hide] for a reader who may see it) take the words at `{0}`; `locked` is what the others get. `code`
    makes a block of its escaped lines, `image` an element of its address and size, `file` one of the file's name.
    """

    quote: str
    hidden: str
    locked: str
    code: Callable[[list[str], Letters], str]
    image: Callable[[str, str, Letters], str]
    file: Callable[[str, Letters], str]
    codes: Codes = field(default_factory=Codes)


def escape(text: str) -> str:
    """Text as the board writes it into HTML: the apostrophe stands as it is."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def spell(text: str, charset: str) -> str:
    """Text as it reaches the board in its charset: a browser sends `&#N;` for what the charset lacks."""
    return text if charset == "utf-8" else text.encode(charset, "xmlcharrefreplace").decode(charset)


def strip_codes(text: str) -> str:
    """The bare words of a BBCode text, as the quoting button copies them: no quotes, hidden parts, codes or smilies."""
    return _SMILEY.sub("", _TAG.sub("", _CLEARED.sub("", text)))


def render(text: str, markup: Markup, base: str, letters: Letters, opens_hidden: bool = False) -> str:
    """BBCode as the HTML of a message, lines ended by `<br />\\n`. Relative links begin at `base`."""
    kept: list[str] = []
    codes = markup.codes

    def keep(html: str) -> str:
        kept.append(html)
        return f"\x02{len(kept) - 1}\x02"

    def smile(match: re.Match[str]) -> str:
        number, name = SMILIES.get(match[0]) or (match[2], f"pack{match[1]}/{match[2]}")
        return keep(codes.smiley.format(number=codes.ids.get(match[0], number), name=name, base=base))

    def link(match: re.Match[str]) -> str:
        address = match[1] or match[2]
        if _ABSOLUTE.match(address):
            pass
        elif codes.relative:
            address = base + address
        else:
            return match[0]
        return codes.link.format(address=escape(address) if codes.doubled else address, words=match[2])

    if "[code]" in text:
        text = _CODE.sub(lambda match: keep(markup.code(escape(match[1]).strip("\n").split("\n"), letters)), text)
    text = escape(_SMILEY.sub(smile, text))
    if "[" in text:
        text = _ATTACH.sub(lambda match: keep(markup.file(match[1], letters)), text)
        text = _HIDE.sub(lambda match: markup.hidden.format(match[1]) if opens_hidden else markup.locked, text)
        text = _IMAGE.sub(lambda match: markup.image(match[3], _size(match), letters), text)
        text = _URL.sub(link, text)
        text = _TABLE.sub(_table, text)
        for pattern, opener in codes.openers:
            text = pattern.sub(opener, text)
        for _ in range(codes.rounds):
            text = _QUOTE.sub(lambda match: markup.quote.format(match[1]), text)
        for code, tag in codes.pairs.items():
            text = text.replace(code, tag)
    text = _SPACES.sub(lambda match: _WIDE[match[0]], text).replace("\n", "<br />\n")
    return _KEPT.sub(lambda match: kept[int(match[1])], text)


def _size(match: re.Match[str]) -> str:
    return f'width="{match[1]}" height="{match[2]}" ' if match[1] else ""


def _table(match: re.Match[str]) -> str:
    rows = re.sub(r"\s*(\[/?t[rd]\])\s*", r"\1", match[2])
    for name in ("tr", "td"):
        rows = rows.replace(f"[{name}]", f"<{name}>").replace(f"[/{name}]", f"</{name}>")
    width = f' style="width:{match[1]}"' if match[1] else ""
    return f'<table cellspacing="0" class="t_table"{width}>{rows}</table>'
