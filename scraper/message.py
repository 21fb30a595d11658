"""One message region → the author's own words, and what stands among them: quotes, the edit mark, smilies, noise, code.

Most regions hold nothing but text, line breaks and a few plain tags, and are scanned as they are (scraper/flat.py); any other
is parsed by lxml and its tree walked once. Either way feeds the same `Walk` (scraper/walk.py). Empty lines at the beginning and
the end are left out, those between are kept.

Flaws: A108 nested too deep, A109 an unclosed element hides words, A110 a tag that never ends, A111 a hidden part that was not
shown, A113 `[quote]` without its pair, A115 an edit mark that is none, A116 words set invisible (all with parameters; see
scraper/page.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from lxml import etree

from scraper.flat import scan_region
from scraper.marks import read_edit_behind, read_reply
from scraper.markup import Markup
from scraper.post import EMPTY, EditMark, Flaw, Line, Message, Noise, Quote
from scraper.quoting import settle_quotes
from scraper.region import mend_region, parse_region
from scraper.walk import Walk, is_blank

_USUAL = Markup()


class Reading(NamedTuple):
    """What a message region says. `invisible` holds words that the author himself set so that nobody sees them."""

    message: Message = EMPTY
    quotes: tuple[Quote, ...] = ()
    edited: EditMark | None = None
    noise: tuple[Noise, ...] = ()
    invisible: tuple[str, ...] = ()
    flaws: tuple[Flaw, ...] = ()


def read_message(html: str, *, seen_at: datetime, zone: ZoneInfo, markup: Markup = _USUAL) -> Reading:
    """Read a message region (decoded, without the element that holds it); never raises for what stands in it.

    `seen_at` (aware) and `zone` are for the time of the edit mark, as for `scraper.clock.read_time`.
    """
    walk = Walk(markup, seen_at, zone)
    if not scan_region(html, walk):
        walk = Walk(markup, seen_at, zone)
        walk_tree(html, walk)
    return _finish(walk, literal="]" in html and "quote]" in html.lower())


def walk_tree(html: str, walk: Walk) -> None:
    """Take a walk through the tree of any region."""
    html = mend_region(html, walk.flaws)
    lowered = html.lower()
    parts = walk.parts
    events: Any = etree.iterwalk(parse_region(html, walk.flaws), events=("start", "end", "comment", "pi"))
    for event, element in events:
        if event == "start":
            if walk.enter(element, lowered):
                if text := element.text:
                    parts.append(text)
            else:
                events.skip_subtree()
            continue
        if event == "end":
            walk.leave(element)
        elif event == "comment":
            walk.note_unclosed("<!--", element.text or "", lowered)
        if text := element.tail:
            parts.append(text)


def _finish(walk: Walk, *, literal: bool) -> Reading:
    """What was read; `literal` where the source may hold a literal `[quote]`."""
    walk.finish()
    flaws = walk.flaws
    lines: Sequence[Line] = walk.lines
    numbers: Sequence[int] = range(len(lines))
    quotes: tuple[Quote, ...] = ()
    if walk.blocks or literal:
        settled = settle_quotes(walk.lines, walk.blocks)
        numbers, lines = [number for number, _ in settled.lines], [line for _, line in settled.lines]
        quotes = settled.quotes
        if settled.opened or settled.closed or settled.pairs:
            counts = (("opened", settled.opened), ("closed", settled.closed), ("pairs", settled.pairs))
            flaws.append(Flaw("A113", tuple((name, str(count)) for name, count in counts)))
    first, last = _find_words(lines, 0, len(lines))
    if walk.markup.edits_behind:
        first, last = _take_edit_behind(walk, lines, first, last)
    if walk.markup.replies and first < last and (reply := read_reply(lines[first])):
        quotes = (reply, *quotes)
        first, last = _find_words(lines, first + 1, last)
    noise: tuple[Noise, ...] = ()
    if walk.noise:
        place = {old: new for new, old in enumerate(numbers[first:last], 1)}
        noise = tuple(Noise(item.text, place.get(item.line, 1), item.at_end) for item in walk.noise)
    message = Message(tuple(lines[first:last]))
    return Reading(message, quotes, walk.edited, noise, tuple(walk.invisible), tuple(flaws))


def _take_edit_behind(walk: Walk, lines: Sequence[Line], first: int, last: int) -> tuple[int, int]:
    """Where the words begin and end without the edit mark behind them; another one in their midst is a flaw."""
    if first < last and (mark := read_edit_behind(lines[last - 1], seen_at=walk.seen_at, zone=walk.zone)):
        walk.edited = mark
        first, last = _find_words(lines, first, last - 1)
    for line in lines[first:last]:
        if read_edit_behind(line, seen_at=walk.seen_at, zone=walk.zone):
            walk.flaws.append(Flaw("A115", (("text", Message((line,)).text.strip()[:80]),)))
    return first, last


def _find_words(lines: Sequence[Line], first: int, last: int) -> tuple[int, int]:
    """From which to which line there is more than blanks."""
    while first < last and is_blank(lines[first]):
        first += 1
    while last > first and is_blank(lines[last - 1]):
        last -= 1
    return first, last
