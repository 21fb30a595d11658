"""A post as a row of the archive and back: local times as the board printed them, rare things as compact JSON.

The zone is not in a row: it is given when a row is read, so that a zone that was set wrong is mended for every post at once.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from json.encoder import encode_basestring
from typing import Any
from zoneinfo import ZoneInfo

from scraper.post import (
    PLAIN,
    Attachment,
    Code,
    Comment,
    EditMark,
    Flaw,
    Image,
    Line,
    Message,
    Noise,
    Post,
    PostState,
    Quote,
    Rating,
    Smiley,
    Style,
    Text,
    Token,
    text_of,
)

# What `decode_post` takes, in its order.
POST_COLUMNS = (
    "pid, digest, author, uid, posted, exact, state, editor, edited, title, text, tokens, quotes, comments, ratings, noise, "
    "flaws, signature"
)
REVISION_COLUMNS = f"thread_id, {POST_COLUMNS}, html"

# Flaws of a post whose time the board printed only as a relative one, or not at all: a wrong zone did not touch it.
_RECKONED = ("A105", "A112")

_ENCODER = json.JSONEncoder(ensure_ascii=False, check_circular=False, separators=(",", ":"))
_KINDS: dict[str, Callable[[str], Token]] = {"smiley": Smiley, "image": Image, "attachment": Attachment, "code": Code}
_STATES = {state.value: state for state in PostState}
_STYLE_FIELDS = ("color", "size", "font", "background", "align", "bold", "italic", "underline", "strike", "link")


def encode_post(post: Post, thread: int, zone: ZoneInfo) -> tuple[Any, ...]:
    """The values of `REVISION_COLUMNS` for a post."""
    edited = post.edited
    text, tokens = _encode_lines(post.message.lines)
    return (
        thread,
        post.pid,
        post.digest,
        post.author,
        post.uid,
        _posted_time(post, zone),
        post.exact_seconds,
        post.state.value,
        edited.editor if edited else None,
        local_time(edited.at, zone) if edited else None,
        post.title,
        text,
        tokens,
        _dump([_encode_quote(quote) for quote in post.quotes]) if post.quotes else None,
        _dump([_encode_comment(comment, zone) for comment in post.comments]) if post.comments else None,
        _dump([[r.author, r.uid, r.reason] for r in post.ratings]) if post.ratings else None,
        _dump([[n.text, n.line, n.at_end] for n in post.noise]) if post.noise else None,
        encode_flaws(post.flaws),
        post.signature,
        post.html,
    )


def decode_post(row: Sequence[Any], *, tid: int, floor: str, zone: ZoneInfo, html: str = "") -> Post:
    """The post of a row of `POST_COLUMNS`; the floor is the label under which it was last seen."""
    (pid, digest, author, uid, posted, exact, state, editor, edited, title, text, tokens, quotes, comments, ratings, noise) = row[
        :16
    ]
    flaws, signature = row[16:18]
    posted_at = datetime.fromisoformat(posted)
    return Post(
        tid,
        pid,
        floor,
        author,
        uid,
        posted_at.replace(tzinfo=zone) if posted_at.tzinfo is None else posted_at.astimezone(zone),
        StoredMessage.of_row(text, tokens),
        _STATES[state],
        EditMark(editor, read_local(edited, zone)) if edited else None,
        tuple(_decode_quote(*quote) for quote in json.loads(quotes)) if quotes else (),
        tuple(_decode_comment(comment, zone) for comment in json.loads(comments)) if comments else (),
        tuple(Rating(*rating) for rating in json.loads(ratings)) if ratings else (),
        signature,
        title,
        tuple(Noise(*bit) for bit in json.loads(noise)) if noise else (),
        decode_flaws(flaws) if flaws else (),
        bool(exact),
        html,
        b"",
        digest,
        posted[-1] == "Z",
    )


def _encode_quote(quote: Quote) -> list[Any]:
    facts = [quote.pid, quote.tid, quote.author, quote.posted, quote.text, quote.reply]
    return [*facts, quote.added] if quote.added else facts


def _decode_quote(
    pid: int | None, tid: int | None, author: str, posted: str, text: str, reply: bool, added: Sequence[Sequence[str]] = ()
) -> Quote:
    return Quote(pid, tid, author, posted, text, reply, tuple((kind, what) for kind, what in added))


def encode_flaws(flaws: Sequence[Flaw]) -> str | None:
    """Flaws as JSON, None where there are none."""
    return _dump([[flaw.code, [list(pair) for pair in flaw.parameters]] for flaw in flaws]) if flaws else None


def decode_flaws(text: str) -> tuple[Flaw, ...]:
    """Flaws from their JSON."""
    return tuple(Flaw(code, tuple((key, value) for key, value in pairs)) for code, pairs in json.loads(text))


def local_time(moment: datetime, zone: ZoneInfo) -> str:
    """A moment as the board prints it: ISO 8601 in the board's zone, without an offset."""
    if moment.tzinfo is not zone:
        moment = moment.astimezone(zone)
    return moment.replace(tzinfo=None).isoformat()


def read_local(text: str, zone: ZoneInfo) -> datetime:
    """A stored local time as a moment, in the zone given now; one with an offset is that very moment, whatever the zone."""
    moment = datetime.fromisoformat(text)
    return moment.replace(tzinfo=zone) if moment.tzinfo is None else moment.astimezone(zone)


def _posted_time(post: Post, zone: ZoneInfo) -> str:
    """The time of posting as the board prints it; with its offset where it was reckoned from when the page was seen.

    One that the page gave as a moment is in UTC and ends with a Z: no zone changes it, and it is exact.
    """
    if post.epoch:
        return f"{post.posted_at.astimezone(UTC).replace(tzinfo=None).isoformat()}Z"
    if post.flaws and any(flaw.code in _RECKONED for flaw in post.flaws):
        return post.posted_at.astimezone(zone).isoformat()
    return local_time(post.posted_at, zone)


def utc_time(moment: datetime) -> str:
    """A moment as the archive keeps it: ISO 8601 in UTC. Two of them compare as texts as the moments do."""
    if moment.tzinfo is None:
        raise ValueError(f"{moment} has no zone")
    return moment.astimezone(UTC).isoformat()


class StoredMessage(Message):
    """A message as its row holds it: its text, and its tokens as JSON ("" for one unstyled run of text a line, as most are).

    Equal to the `Message` of the same lines. The lines are made when somebody asks for them: a count looks at the text of
    twenty thousand posts, and at the lines of a few hundred.
    """

    __slots__ = ("_made", "_tokens", "_words")
    _made: tuple[Line, ...] | None
    _tokens: str
    _words: str

    def __init__(self, lines: tuple[Line, ...]) -> None:
        _set(self, "_made", lines)
        _set(self, "_tokens", "")
        _set(self, "_words", Message(lines).text)

    @classmethod
    def of_row(cls, text: str, tokens: str | None) -> StoredMessage:
        """The message of a row's `text` and `tokens`."""
        message = _new(cls)
        _set(message, "_made", None)
        _set(message, "_tokens", tokens or "")
        _set(message, "_words", text)
        return message

    @property
    def lines(self) -> tuple[Line, ...]:
        if self._made is None:
            if self._tokens:
                made = _decode_lines(self._tokens)
            else:
                made = tuple([(Text(line),) if line else () for line in self._words.split("\n")]) if self._words else ()
            _set(self, "_made", made)
        return self._made or ()

    @property
    def text(self) -> str:
        return self._words

    def __eq__(self, other: object) -> bool:
        return self.lines == other.lines if isinstance(other, Message) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.lines,))

    def __repr__(self) -> str:
        return repr(Message(self.lines))

    def __reduce__(self) -> tuple[object, ...]:
        return Message, (self.lines,)


_new = object.__new__
_set = object.__setattr__


def _encode_lines(lines: tuple[Line, ...]) -> tuple[str, str | None]:
    """The text of a message, and its tokens as JSON; None for those where its lines can be made from the text again."""
    texts, rows, plain = [], [], True
    for line in lines:
        if len(line) == 1 and type(token := line[0]) is Text and _is_plain(token):
            texts.append(token.text)
            rows.append(f'[["text",{encode_basestring(token.text)}]]')
        else:
            texts.append(text_of(line))
            rows.append(f"[{','.join([_encode_token(token) for token in line])}]")
            plain = plain and not line
    # One empty line has the same text as none at all.
    if plain and texts != [""]:
        return "\n".join(texts), None
    return "\n".join(texts), f"[{','.join(rows)}]"


def _is_plain(token: Text) -> bool:
    return (token.style is PLAIN or token.style == PLAIN) and not token.hidden and bool(token.text) and "\n" not in token.text


def _encode_token(token: Token) -> str:
    match token:
        case Text():
            if token.style is PLAIN and not token.hidden:
                return f'["text",{encode_basestring(token.text)}]'
            style = _encode_style(token.style)
            tail = f",{style or '{}'},1" if token.hidden else f",{style}" if style else ""
            return f'["text",{encode_basestring(token.text)}{tail}]'
        case Smiley():
            return f'["smiley",{encode_basestring(token.name)}]'
        case Image():
            return f'["image",{encode_basestring(token.address)}]'
        case Attachment():
            return f'["attachment",{encode_basestring(token.name)}]'
        case Code():
            return f'["code",{encode_basestring(token.text)}]'


@lru_cache(maxsize=2048)
def _encode_style(style: Style) -> str:
    """What a style changes, as JSON; "" where it changes nothing."""
    changed = {name: value for name in _STYLE_FIELDS if (value := getattr(style, name))}
    return _ENCODER.encode(changed) if changed else ""


def _decode_lines(text: str) -> tuple[Line, ...]:
    return tuple([tuple([_decode_token(token) for token in line]) for line in json.loads(text)])


def _decode_token(token: list[Any]) -> Token:
    kind, value = token[0], token[1]
    if kind != "text":
        return _KINDS[kind](value)
    if len(token) == 2:
        return Text(value)
    return Text(value, Style(**token[2]) if token[2] else PLAIN, len(token) > 3)


def _encode_comment(comment: Comment, zone: ZoneInfo) -> list[Any]:
    return [comment.author, comment.uid, comment.text, local_time(comment.at, zone) if comment.at else None]


def _decode_comment(comment: list[Any], zone: ZoneInfo) -> Comment:
    author, uid, text, at = comment
    return Comment(author, uid, text, read_local(at, zone) if at else None)


def _dump(items: list[Any]) -> str:
    return _ENCODER.encode(items)
