"""Quotes in a message: the attribution that a board prints, and the tails of nested quotes that leak out of their block.

Attributions (the line of the block that links to the quoted post): 「小红帽 发表于 2026-11-30 04:24」 first on X, last on 7.2;
「原帖由 小红帽 于 2026-11-30 04:28 发表」 first on 6.x. A hand-written `[quote]` has no link, and then no words of it are taken
for an attribution: anybody can type them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace

from scraper.post import Attachment, Code, Image, Line, Message, Quote, Style, Text, Token

_ATTRIBUTION = re.compile(
    r"\s*(?:原帖由\s*(?P<old>.+?)\s*[于於]\s*(?P<old_time>.+?)\s*(?:发表|發表)|(?P<author>.+?)\s*(?:发表于|發表於)\s*(?P<time>.+?))\s*"
)
_LABEL = re.compile(r"\s*引用[:：]\s*")
_FINDPOST = re.compile(r"\bgoto=findpost\b")
_PID = re.compile(r"[?&;]pid=(\d+)")
_TID = re.compile(r"[?&;]ptid=(\d+)")
_LITERAL = re.compile(r"\[(/?)quote\]", re.IGNORECASE)
# What reads like a smiley in a text of words and smilies, and was typed.
TYPED_SMILEY = re.compile(r"\[:[^\]\s]*:\]")
_LOOKS = tuple(field.name for field in fields(Style) if field.name != "link")
# So many literals without an end, and no further end is looked for: each look goes to the end of the message.
_PATIENCE = 50


@dataclass(frozen=True, slots=True)
class Link:
    """A link to a post inside a quote: the line of the block that it stands in (from 0), and what it points at."""

    line: int
    pid: int
    tid: int | None


@dataclass(frozen=True, slots=True)
class Block:
    """A quote block as it stood: before which line of the author's own (from 0), and what it says."""

    at: int
    quote: Quote


@dataclass(frozen=True, slots=True)
class Settled:
    """Own lines with the number that each had before (from 0), the quotes, and the literals that somebody must look at.

    `opened` and `closed` are left over without a pair; `pairs` enclose words that no block holds (a post without BBCode).
    """

    lines: tuple[tuple[int, Line], ...]
    quotes: tuple[Quote, ...]
    opened: int = 0
    closed: int = 0
    pairs: int = 0


def read_link(address: str, line: int) -> Link | None:
    """The post that an address points at (`…goto=findpost&pid=13&ptid=2`), None for any other address."""
    if not _FINDPOST.search(address) or not (pid := _PID.search(address)):
        return None
    tid = _TID.search(address)
    return Link(line, int(pid[1]), int(tid[1]) if tid else None)


def build_quote(lines: Sequence[Line], links: Sequence[Link], *, labelled: bool = False) -> Quote:
    """The quote that a block's lines make: its first line, else its last, is the attribution where it links to a post.

    A `labelled` one begins with 引用:, in a line of its own or in the first.
    """
    texts = [Message((line,)).text for line in lines]
    dropped = 0
    if labelled and texts and (label := _LABEL.match(texts[0])):
        texts[0] = texts[0][label.end() :]
        if not texts[0]:
            del texts[0]
            dropped = 1
            links = [replace(link, line=link.line - 1) for link in links]
    while texts and not texts[-1].strip():
        texts.pop()
    for number in dict.fromkeys((0, len(texts) - 1)):
        link = next((link for link in links if link.line == number), None)
        found = _ATTRIBUTION.fullmatch(texts[number]) if link and texts else None
        if link and found:
            del texts[number]
            author, time = found["old"] or found["author"], found["old_time"] or found["time"]
            body = [line for at, line in enumerate(lines[dropped:]) if at != number]
            return Quote(link.pid, link.tid, author, time, "\n".join(texts).strip("\n"), added=tuple(_list_added(body)))
    return Quote(None, None, "", "", "\n".join(texts).strip("\n"))


def _list_added(lines: Sequence[Line]) -> Iterator[tuple[str, str]]:
    """What stands among quoted words that the buttons of boards leave out: they keep words, and turn addresses into links."""
    yield from list_things(lines)
    styles = {token.style for line in lines for token in line if isinstance(token, Text) and token.text.strip()}
    varying = [name for name in _LOOKS if len({getattr(style, name) for style in styles}) > 1]
    if varying:
        yield "style", "+".join(varying)


def list_things(lines: Sequence[Line]) -> Iterator[tuple[str, str]]:
    """What lines hold beside words and the board's smilies, each as its kind and what it is; addresses as links are words."""
    for token in (token for line in lines for token in line):
        match token:
            case Image(address=address):
                yield "image", address
            case Attachment(name=name):
                yield "attachment", name
            case Code(text=text):
                yield "code", text
            case Text(text=text, style=style):
                if style.link and not _is_address(text, style.link):
                    yield "link", style.link
                yield from (("smiley_code", typed) for typed in TYPED_SMILEY.findall(text))


def _is_address(text: str, link: str) -> bool:
    """Whether a link is what a board makes of an address by itself; long ones are shortened in the middle."""
    shown, address = (value.strip().removeprefix("http://").removeprefix("https://") for value in (text, link))
    return bool(shown) and address.startswith(shown.partition(" ... ")[0])


def settle_quotes(lines: Sequence[Line], blocks: Sequence[Block]) -> Settled:
    """Give each quote the tail that leaked out of it, and take literal pairs for quotes.

    Boards close a block at the first `[/quote]`: of `[quote]a[quote]b[/quote]c[/quote]d` the block holds `a[quote]b`, and `c`
    stands outside it, followed by a literal `[/quote]`. Up to that literal it is the quote's (seen on X2, X3.5 and 7.2). A
    `[quote]` whose end never comes takes nothing: the words stay the author's own, and it is counted as left over.
    """
    numbered = list(enumerate(lines))
    if not any(_LITERAL.search(text) for text in (*(block.quote.text for block in blocks), *_texts(lines))):
        return Settled(tuple(numbered), tuple(block.quote for block in blocks))
    own: list[tuple[int, Line]] = []
    quotes: list[Quote] = []
    waiting = list(blocks)
    opened = closed = pairs = at = 0
    before: Line = ()
    while at < len(numbered) or waiting:
        number, line = numbered[at] if at < len(numbered) else (len(numbered), ())
        if waiting and waiting[0].at <= number:
            quote = waiting.pop(0).quote
            literal = False
        elif split := _split(line):
            before, behind = split
            quote, literal = Quote(None, None, "", "", "[quote]"), True
            numbered[at] = number, behind
        else:
            closed += sum(_count(text)[1] for text in _texts((line,)))
            own.append((number, line))
            at += 1
            continue
        opens, closes = _count(quote.text)
        closed += closes
        tail = _find_tail(quote, numbered, at, waiting) if opens > closes and opened < _PATIENCE else None
        if tail:
            if literal:
                pairs += 1
                own.extend([(number, before)] if before else [])
            quotes.append(tail.quote)
            del waiting[: tail.blocks]
            at = tail.line
            numbered[at] = numbered[at][0], tail.rest
            if not tail.rest:
                at += 1
        elif literal:
            opened += sum(_count(text)[0] for text in _texts((line,)))
            closed += sum(_count(text)[1] for text in _texts((line,)))
            own.append((number, line))
            at += 1
        else:
            opened += max(opens - closes, 0)
            quotes.append(quote)
    return Settled(tuple(own), tuple(quotes), opened, closed, pairs)


@dataclass(frozen=True, slots=True)
class _Tail:
    """A quote with its tail, the line where the tail ends with what is left of it, and how many later blocks it took in."""

    quote: Quote
    line: int
    rest: Line
    blocks: int


def _find_tail(quote: Quote, lines: Sequence[tuple[int, Line]], at: int, later: Sequence[Block]) -> _Tail | None:
    opens, closes = _count(quote.text)
    depth = opens - closes
    words = [quote.text]
    taken = 0
    while at < len(lines):
        number, line = lines[at]
        while taken < len(later) and later[taken].at <= number:
            opens, closes = _count(later[taken].quote.text)
            depth += opens - closes
            words.append(later[taken].quote.text)
            taken += 1
        head: list[Token] = []
        for place, token in enumerate(line):
            if isinstance(token, Text):
                for found in _LITERAL.finditer(token.text):
                    depth += -1 if found[1] else 1
                    if depth == 0:
                        head.append(Text(token.text[: found.end()]))
                        after = token.text[found.end() :]
                        rest = (*((Text(after, token.style, token.hidden),) if after else ()), *line[place + 1 :])
                        text = "\n".join((*words, Message((tuple(head),)).text))
                        return _Tail(replace(quote, text=text), at, rest, taken)
            head.append(token)
        words.append(Message((line,)).text)
        at += 1
    return None


def _split(line: Line) -> tuple[Line, Line] | None:
    """A line before and after its first literal `[quote]`; None where it has none, or a `[/quote]` comes first."""
    for place, token in enumerate(line):
        if isinstance(token, Text) and (found := _LITERAL.search(token.text)):
            if found[1]:
                return None
            before, after = token.text[: found.start()], token.text[found.end() :]
            return (
                (*line[:place], *((Text(before, token.style, token.hidden),) if before else ())),
                (*((Text(after, token.style, token.hidden),) if after else ()), *line[place + 1 :]),
            )
    return None


def _count(text: str) -> tuple[int, int]:
    marks = [found[1] for found in _LITERAL.finditer(text)]
    return marks.count(""), marks.count("/")


def _texts(lines: Sequence[Line]) -> list[str]:
    return [token.text for line in lines for token in line if isinstance(token, Text)]
