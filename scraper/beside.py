"""What a board shows beside a message and not in it: files, the options of a poll; each as the text that a flaw carries."""

from __future__ import annotations

import html
import re

from scraper.decode import decode_fragment

_TAGS = re.compile(rb"<[^>]*>")
# Files that the board lists below a message, and not in it.
FILES = "A124"
_FILE_NAMES = re.compile(
    rb'<img [^>]*\balt="([^"]+)"|class="link[^"]*">([^<]+)<'
    rb"|<a [^>]*(?:mod=attachment|attachment\.php)[^>]*>\s*(?:<strong>)?([^<>]*\.\w{1,8})\s*<"
)
_FILE_BOXES = re.compile(rb'id="(?:attach|aimg)_\w+"|class="attach_nopermission')
# The options of a poll that the post opened: a box of their own beside the message (x35: a form below it).
POLL = "A125"
_POLL_BOX = re.compile(rb'id="poll"|class="poll(?:chart|panel)')
_OPTIONS = re.compile(rb'<label for="option_\d+">(.*?)</label>|<td class="pvt">(.*?)</td>', re.DOTALL)
_OPTION_NUMBER = re.compile(r"\s*\d+\.\s*")


def strip_tags(fragment: bytes) -> bytes:
    """A fragment without its tags and outer white space."""
    return (_TAGS.sub(b"", fragment) if b"<" in fragment else fragment).strip()


def list_files(below: bytes, codec: str) -> str:
    """The names of the files that a board lists below a message, as one text: "" for none, "?" where it names none of them.

    A picture's name is its `alt` (those of icons are empty), another file's the words of its link; 取走 and the like, without
    an ending, are the board's own.
    """
    names = [decode_fragment(name, codec).text for found in _FILE_NAMES.findall(below) for name in found if name]
    if names:
        return "、".join(dict.fromkeys(html.unescape(name).strip() for name in names))
    return "?" if _FILE_BOXES.search(below) else ""


def list_options(below: bytes, codec: str) -> str:
    """The options of a poll that stands beside a message, one a line, without the board's numbers; "" for no poll.

    A label holds one; where it is shown without being offered, its cell does. Votes and percentages are no part of it.
    """
    box = _POLL_BOX.search(below)
    if box is None:
        return ""
    texts = [decode_fragment(strip_tags(one or other), codec).text for one, other in _OPTIONS.findall(below, box.start())]
    return "\n".join(_OPTION_NUMBER.sub("", html.unescape(text), count=1).strip() for text in texts)
