"""Text that players wrote, made fit to be shown: what steers a terminal, or cannot be seen, is shown as an escape."""

from __future__ import annotations

import re
import unicodedata

# Joins the parts of one emoji; it is seen by what it does.
_JOINER = "\u200d"


def show(text: str) -> str:
    """The text on one line, with control, direction and zero-width characters as escapes: ESC is `\\x1b`, a line end `⏎`."""
    return "".join(_show(char) for char in text.replace("\r\n", "\n"))


def show_lines(text: str) -> str:
    """The text as `show` gives it, with its line ends."""
    return "\n".join(show(line) for line in text.replace("\r\n", "\n").split("\n"))


def shorten(text: str, most: int) -> str:
    """The text as `show` gives it, cut after `most` characters with an ellipsis."""
    shown = show(text)
    return shown if len(shown) <= most else f"{shown[: most - 1]}…"


def escape_bbcode(text: str) -> str:
    """The text as `show` gives it, written so that a board shows it to the letter: no code, smiley, link or mention of it works.

    Boards know no escape. An empty pair of codes parts what would be read together, and shows as nothing.
    """
    return _READ_TOGETHER.sub(lambda found: f"{found[0]}[b][/b]", show(text))


# A code's bracket; the colon or semicolon of a smiley or an address; the mark of a mention; a bare address.
_READ_TOGETHER = re.compile(r"\[|[:;](?=[!-~])|\{(?=:)|@(?=\S)|\bwww(?=\.)", re.IGNORECASE)


# What a spreadsheet takes for the start of a formula, in either width.
_RISKY = tuple("=+-@＝＋－＠|%")


def defuse(cell: str, *, lines: bool = False) -> str:
    """A cell that no spreadsheet runs: what would open a formula gets an apostrophe, control characters are shown.

    With `lines` line ends stay what they are, for a cell that holds a whole letter.
    """
    shown = show_lines(cell) if lines else show(cell)
    return f"'{shown}" if shown.lstrip(" '\u3000\n").startswith(_RISKY) else shown


def restore(cell: str) -> str:
    """A cell that `defuse` wrote, as it was: without the apostrophe before what would open a formula."""
    return cell[1:] if cell.startswith("'") and cell[1:].startswith(_RISKY) else cell


def _show(char: str) -> str:
    if char == "\n":
        return " ⏎ "
    if char == "\t":
        return " "
    if char != _JOINER and unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp"):
        code = ord(char)
        return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
    return char
