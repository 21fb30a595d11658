"""What elements mean inside a message: classes that each surface sets, and tags that mean the same on all of them."""

from __future__ import annotations

from dataclasses import dataclass


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


BLOCKS = frozenset(
    (
        *("address", "article", "aside", "blockquote", "center", "dd", "div", "dl", "dt", "fieldset", "footer", "form", "header"),
        *("h1", "h2", "h3", "h4", "h5", "h6", "hr", "legend", "li", "ol", "option", "p", "pre", "section", "ul"),
        *("table", "tbody", "td", "tfoot", "th", "thead", "tr"),
    )
)
MEDIA = frozenset(("embed", "object", "video", "audio", "iframe"))
FILES = frozenset(("div", "ul"))
UNSEEN = frozenset(("script", "style", "noembed", "noframes", "noscript", "title", "template", "head"))
RAW = frozenset(("textarea", "plaintext", "xmp", "listing"))
# Boards print a file's size, downloads and time in such boxes: they are not the author's words.
CHROME = frozenset(("tip", "pattl", "attach_tips", "attach_nopermission", "aimg_tip", "pcht", "pinf", "pollchart", "pollpanel"))
