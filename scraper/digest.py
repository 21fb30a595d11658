"""The digest of a post: what it says and who says it when, as 32 hex digits (BLAKE2b); only that makes a new revision.

It covers author and uid, the absolute time as printed (local to the board, without zone; a relative time is left out), state,
title, the own words with their style, smilies, images, files, code and hidden parts, the files listed below them, a poll's
options, quotes, the edit mark, comments and ratings (who, words). Not the floor, which renumbers, nor signature, noise or flaws;
nor the zone, so that setting it right later makes no new revision of anything.
"""

from __future__ import annotations

import re
from hashlib import blake2b

from scraper.message import Reading
from scraper.post import PLAIN, Attachment, Code, Comment, Image, PostState, Rating, Smiley, Text, Token

_FILE_LINK = re.compile(r"mod=attachment|mod=image|attachment\.php")
_FILE_TOKENS = re.compile(r"\b(aid|key)=[\w%=|.-]+")
# Most facts are short, and to look a number up takes a third of the time of writing it.
_NUMBERS = tuple(map(str, range(256)))
_SESSION = re.compile(r"\b(sid|formhash)=\w{6,8}\b")


def digest_post(
    author: str,
    uid: int | None,
    local: str,
    state: PostState,
    title: str,
    reading: Reading,
    comments: tuple[Comment, ...],
    ratings: tuple[Rating, ...],
    files: str = "",
    poll: str = "",
) -> str:
    """The digest of a post; `local` is its absolute time without zone (ISO 8601), empty where only a relative one is known.

    `files` are the names of those that are listed below the message, `poll` the options of one that it opened.
    """
    facts = ["1", author, str(uid or ""), local, state.value, title]
    for line in reading.message.lines:
        facts.append("line")
        for token in line:
            if type(token) is Text and token.style is PLAIN and not token.hidden:
                facts += ("text", token.text)
            else:
                facts += _describe(token)
    for words in reading.invisible:
        facts += ("invisible", words)
    for quote in reading.quotes:
        facts += ("quote", str(quote.pid or ""), str(quote.tid or ""), quote.author, quote.posted, quote.text)
        for kind, what in quote.added:
            facts += ("added", kind, _drop_tokens(what))
    if reading.edited:
        facts += ("edited", reading.edited.editor, reading.edited.at.replace(tzinfo=None).isoformat())
    for comment in comments:
        facts += ("comment", comment.author, comment.text)
    for rating in ratings:
        facts += ("rating", rating.author, rating.reason)
    if files:
        facts += ("files", files)
    if poll:
        facts += ("poll", poll)
    lengths = ",".join([_NUMBERS[length] if (length := len(fact)) < len(_NUMBERS) else str(length) for fact in facts])
    return blake2b(f"{lengths};{''.join(facts)}".encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def _describe(token: Token) -> tuple[str, ...]:
    match token:
        case Text(text, style, hidden):
            if style is PLAIN and not hidden:
                return "text", text
            flags = f"{style.bold:d}{style.italic:d}{style.underline:d}{style.strike:d}{hidden:d}"
            link = _drop_tokens(style.link)
            return "styled", text, style.color, style.size, style.font, style.background, style.align, link, flags
        case Smiley(name):
            return "smiley", name
        case Image(address):
            return "image", _drop_tokens(address)
        case Attachment(name):
            return "file", name
        case Code(text):
            return "code", text


def _drop_tokens(address: str) -> str:
    """An address without what the board makes anew for every look: the session, and the signature of a file."""
    if "=" not in address:
        return address
    address = _SESSION.sub(r"\1=", address)
    return _FILE_TOKENS.sub(r"\1=", address) if _FILE_LINK.search(address) else address
