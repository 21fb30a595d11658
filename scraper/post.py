"""What a board shows, as values: a post, its message, and the things around it.

All are frozen and compare by value. Times are aware datetimes in the board's zone; a floor is a label, never a key: the key
of a post is its pid.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple


class Source(NamedTuple):
    """Where something was read: thread, post, revision (1 is the first seen), floor label, and line and column (1-based).

    A named tuple, since one is made for every post of a count.
    """

    tid: int
    pid: int
    revision: int = 1
    floor: str = ""
    line: int | None = None
    column: int | None = None


@dataclass(frozen=True, slots=True)
class Style:
    """How a run of text is set; an empty string or False where the board's default holds."""

    color: str = ""
    size: str = ""
    font: str = ""
    background: str = ""
    align: str = ""
    bold: bool = False
    italic: bool = False
    underline: bool = False
    strike: bool = False
    link: str = ""

    def __hash__(self) -> int:
        # Styles are looked up for every run of text; these three tell nearly all of them apart, and equality tells the rest.
        return hash((self.color, self.bold, self.link))


PLAIN = Style()


class Text(NamedTuple):
    """A run of the author's own words in one style, without line ends; `hidden` inside a [hide] that the reader may see.

    A named tuple, which is made in half the time of a frozen dataclass: a page holds a hundred of them.
    """

    text: str
    style: Style = PLAIN
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class Smiley:
    """A smiley of the board, by its image's file name without the ending."""

    name: str


@dataclass(frozen=True, slots=True)
class Image:
    """An image that is no smiley, by its address."""

    address: str


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file attached to the post, by the name that the board prints."""

    name: str


@dataclass(frozen=True, slots=True)
class Code:
    """One line inside a code block: the author's characters, but outside his words (no ballot stands in it)."""

    text: str


Token = Text | Smiley | Image | Attachment | Code
Line = tuple[Token, ...]


def text_of(line: Line) -> str:
    """The words of a line, smilies as `[:name:]`; images, attachments and code are left out."""
    return "".join(
        [token.text if isinstance(token, Text) else f"[:{token.name}:]" if isinstance(token, Smiley) else "" for token in line]
    )


@dataclass(frozen=True, slots=True)
class Message:
    """The author's own words as lines of tokens; quotes, edit marks, noise, comments and signatures are outside it."""

    lines: tuple[Line, ...]

    @property
    def text(self) -> str:
        """The words with `\\n` between lines, smilies as `[:name:]`; images, attachments and code are left out."""
        return "\n".join([text_of(line) for line in self.lines])


EMPTY = Message(())


class PostState(StrEnum):
    """What the board shows of a post: its body, or why not. DELETED is derived from passes, never read off a page."""

    NORMAL = "normal"
    BLOCKED = "blocked"
    LOCKED = "locked"
    DELETED = "deleted"


@dataclass(frozen=True, slots=True)
class Quote:
    """A quote in a post: the quoted pid and tid where the board links them, the author and time as it prints them, the text.

    `reply` is a 回复-header of an old board: it points at a post and repeats none of its words. `added` is what stands among the
    quoted words and no button for quoting leaves there: pairs of a kind (image, attachment, code, link, style, smiley_code) and
    its text.
    """

    pid: int | None
    tid: int | None
    author: str
    posted: str
    text: str
    reply: bool = False
    added: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class EditMark:
    """The board's 「本帖最后由 X 于 … 编辑」: who edited last, and when (to the minute)."""

    editor: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Comment:
    """A 点评 under a post: its author, words and time."""

    author: str
    uid: int | None
    text: str
    at: datetime | None


@dataclass(frozen=True, slots=True)
class Rating:
    """A rating (评分) of a post: its author and the reason he gave."""

    author: str
    uid: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class Noise:
    """Anti-copy text that the board put into the message, and where it stood: the line (1-based), and whether at its break.

    Boards put it before the break or behind it; `at_end` is True for both, and False in the middle of a line.
    """

    text: str
    line: int
    at_end: bool


@dataclass(frozen=True, slots=True)
class Flaw:
    """Something about the reading of a post or page that somebody must look at: a code of the findings, with parameters."""

    code: str
    parameters: tuple[tuple[str, str], ...] = ()


class Post(NamedTuple):
    """One post as one page showed it; a named tuple, since one is made of every post that is read.

    `posted_at` is aware, in the board's zone; `exact_seconds` is False where the board printed minutes only, and `epoch` True
    where the page gave the moment itself (seconds since 1970), which no zone changes. `html` is the
    message region as decoded, kept so that it can be read again. `gate` and `digest` are the two digests of the house: the
    bytes that tell whether to read at all, and what the post says.
    """

    tid: int
    pid: int
    floor: str
    author: str
    uid: int | None
    posted_at: datetime
    message: Message
    state: PostState = PostState.NORMAL
    edited: EditMark | None = None
    quotes: tuple[Quote, ...] = ()
    comments: tuple[Comment, ...] = ()
    ratings: tuple[Rating, ...] = ()
    signature: str = ""
    title: str = ""
    noise: tuple[Noise, ...] = ()
    flaws: tuple[Flaw, ...] = ()
    exact_seconds: bool = True
    html: str = ""
    gate: bytes = b""
    digest: str = ""
    epoch: bool = False


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a thread: its number and of how many, the thread's title, its posts in order, and flaws of the page.

    `zone` is the viewer's offset from UTC in hours as the footer prints it (GMT+8 is 8.0), None where it prints none.
    """

    tid: int
    number: int
    pages: int
    title: str
    posts: tuple[Post, ...]
    flaws: tuple[Flaw, ...] = ()
    zone: float | None = None


@dataclass(frozen=True, slots=True)
class Revision:
    """One version of a post: its number (1 is the first seen), when it was first seen, and the post as it then stood."""

    number: int
    seen_at: datetime
    post: Post


@dataclass(frozen=True, slots=True)
class History:
    """Every revision of one post that was ever seen, oldest first, and what became of it.

    `state` is the state at the last look: DELETED once it was missing from two complete passes in a row; `missing_since` is
    the time of the first pass that missed it. The properties are what a count asks of every post: from the archive they come
    without the rest being decoded.
    """

    revisions: tuple[Revision, ...]
    state: PostState
    last_seen: datetime
    missing_since: datetime | None = None

    @property
    def first(self) -> Post:
        """The post as it was first seen: what a ballot is read from."""
        return self.revisions[0].post

    @property
    def latest(self) -> Post:
        """The post as it was last seen."""
        return self.revisions[-1].post

    @property
    def tid(self) -> int:
        """The thread that it is in."""
        return self.first.tid

    @property
    def pid(self) -> int:
        """Its key."""
        return self.first.pid

    @property
    def floor(self) -> str:
        """The label under which it was last seen."""
        return self.latest.floor

    @property
    def author(self) -> str:
        """Whose it was by its name, as first seen."""
        return self.first.author

    @property
    def uid(self) -> int | None:
        """Whose it was by the uid, as first seen."""
        return self.first.uid

    @property
    def account(self) -> tuple[str, int | None]:
        """Both."""
        return self.author, self.uid

    @property
    def posted_at(self) -> datetime:
        """When it was posted, as first seen."""
        return self.first.posted_at

    @property
    def exact_seconds(self) -> bool:
        """Whether that is known to the second."""
        return self.first.exact_seconds

    @property
    def links_quotes(self) -> bool:
        """Whether a quote in it, as first seen, links the post that it quotes."""
        return any(quote.pid is not None for quote in self.first.quotes)

    @property
    def is_marked(self) -> bool:
        """Whether it bore an edit mark when it was first seen."""
        return self.first.edited is not None

    @property
    def whole(self) -> History:
        """The same with everything at hand, for whoever is going to ask for all of it."""
        return self

    @property
    def plain_words(self) -> str | None:
        """The own words of a post that was seen in one revision only, shown and without a flaw; None for any other."""
        post = self.first
        plain = len(self.revisions) == 1 and post.state is PostState.NORMAL and not post.flaws
        return post.message.text if plain else None

    def may_hold(self, pattern: re.Pattern[str]) -> bool:
        """Whether a pattern finds something in the own words; also where these cannot be told so easily (`plain_words`)."""
        words = self.plain_words
        return words is None or pattern.search(words) is not None

    def cite(self, number: int = 1, line: int | None = None, column: int | None = None) -> Source:
        """Where it is: a place in the revision of that number, under the floor as last seen."""
        return Source(self.tid, self.pid, number, self.floor, line, column)
