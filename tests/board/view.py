"""What the board shows at a moment of its script: which posts stand, on which page, under which floor, and in what words.

Dialects render these values; nothing here knows HTML.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from tests.board.bbcode import strip_codes
from tests.board.script import Account, Remark, Script, ScriptedPost, Thread
from tests.board.words import ANONYMOUS

QUOTED_LINES = 3
QUOTED_WIDTH = 100
"""How much of a post the board's quoting button copies: lines, and columns (a Chinese character takes two)."""

GRACE = 60
"""An author who edits within so many seconds leaves no edit mark."""


class Body(StrEnum):
    """What stands where a post's words go: the words, or the board's reason for not showing them."""

    OPEN = "open"
    BLOCKED = "blocked"
    BANNED = "banned"
    HIDDEN = "hidden"


@dataclass(frozen=True, slots=True)
class Quoted:
    """A quote as the board's button makes it: the post it names, its author and time, and its words as they then stood.

    `reply`: it was the reply button, which old boards answer with a header that names the post's `floor` of that moment.
    """

    tid: int
    pid: int
    author: str
    at: datetime
    words: str
    floor: int = 0
    reply: bool = False


@dataclass(frozen=True, slots=True)
class Mark:
    """An edit mark: who edited last, and when."""

    editor: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Shown:
    """One post as it stands: `floor` counts from 1 over the posts that stand in its thread; `text` is BBCode."""

    post: ScriptedPost
    account: Account
    floor: int
    body: Body
    text: str
    quote: Quoted | None
    mark: Mark | None
    opens_hidden: bool
    comments: tuple[Remark, ...]
    ratings: tuple[Remark, ...]
    signature: str = ""


@dataclass(frozen=True, slots=True)
class PageView:
    """One page of a thread at a board-local moment: its number (from 1), of how many, and how many posts the thread has."""

    script: Script
    thread: Thread
    starter: Account
    moment: datetime
    number: int
    pages: int
    total: int
    posts: tuple[Shown, ...]


def standing(script: Script, tid: int, moment: datetime) -> list[ScriptedPost]:
    """The posts of a thread that stand at a board-local moment, in the board's order: by time, then by pid."""
    posts = [post for post in script.posts.values() if post.tid == tid and post.stands(moment)]
    return sorted(posts, key=lambda post: (post.at, post.pid))


def count_pages(script: Script, tid: int, moment: datetime) -> int:
    """How many pages a thread has at a board-local moment; 0 where it does not exist."""
    return -(-len(standing(script, tid, moment)) // script.settings.per_page)


def show_page(script: Script, tid: int, number: int, moment: datetime) -> PageView | None:
    """A page of a thread at a board-local moment; a number past the end shows the last page; None where there is no thread."""
    thread = script.threads.get(tid)
    posts = standing(script, tid, moment)
    if thread is None or not posts:
        return None
    per_page = script.settings.per_page
    pages = -(-len(posts) // per_page)
    number = min(max(number, 1), pages)
    start = (number - 1) * per_page
    starter = script.accounts[posts[0].author]
    viewer = script.settings.viewer
    look = _Looking(script, thread, starter, moment, bool(viewer) and any(post.author == viewer for post in posts))
    shown = tuple(_show(look, post, floor) for floor, post in enumerate(posts[start : start + per_page], start + 1))
    return PageView(script, thread, starter, moment, number, pages, len(posts), shown)


@dataclass(frozen=True, slots=True)
class _Looking:
    """Who looks at what, when; `replied`: he wrote in the thread, so that he may see what [hide] hides."""

    script: Script
    thread: Thread
    starter: Account
    moment: datetime
    replied: bool


def _show(view: _Looking, post: ScriptedPost, floor: int) -> Shown:
    script, moment = view.script, view.moment
    text, mark = _words(post, moment)
    return Shown(
        post=post,
        account=script.accounts[post.author],
        floor=floor,
        body=_body(view, post, floor),
        text=text,
        quote=_quote(script, post, moment),
        mark=mark,
        opens_hidden=view.replied,
        comments=tuple(comment for comment in post.comments if comment.at <= moment),
        ratings=tuple(rating for rating in post.ratings if rating.at <= moment),
        signature=script.accounts[post.author].signature_at(moment),
    )


def _body(view: _Looking, post: ScriptedPost, floor: int) -> Body:
    if post.banned is not None and view.moment >= post.banned:
        return Body.BANNED
    if post.blocked is not None and view.moment >= post.blocked:
        return Body.BLOCKED
    if view.thread.hidden_replies and floor > 1 and view.script.settings.viewer not in (view.starter.name, post.author):
        return Body.HIDDEN
    return Body.OPEN


def _words(post: ScriptedPost, moment: datetime) -> tuple[str, Mark | None]:
    """A post's own text and its edit mark at a moment."""
    text, mark = post.text, None
    for edit in post.edits:
        if edit.at > moment:
            break
        text = edit.text
        if edit.mark and (edit.by not in ("", post.author) or (edit.at - post.at).total_seconds() > GRACE):
            mark = Mark(edit.by or post.author, edit.at)
    return text, mark


def _quote(script: Script, post: ScriptedPost, moment: datetime) -> Quoted | None:
    """The quote above a post's text at a moment; it keeps the words that the quoted post had when it was made."""
    pid, made = post.quote or post.reply, post.at
    for edit in post.edits:
        if edit.at <= moment and edit.quote is not None:
            pid, made = edit.quote, edit.at
    if not pid:
        return None
    quoted = script.posts[pid]
    # A post that was blocked at that moment gave its author and time, and none of its words.
    closed = any(since is not None and made >= since for since in (quoted.blocked, quoted.banned))
    words = "" if closed else _cut(strip_codes(_words(quoted, made)[0]).strip())
    name = ANONYMOUS if quoted.anonymous else quoted.author
    if not post.reply or pid != post.reply:
        return Quoted(quoted.tid, quoted.pid, name, quoted.at, words)
    floor = [each.pid for each in standing(script, quoted.tid, made)].index(quoted.pid) + 1
    return Quoted(quoted.tid, quoted.pid, name, quoted.at, words, floor, reply=True)


def _cut(words: str) -> str:
    kept: list[str] = []
    width = 0
    for character in "\n".join(words.split("\n")[:QUOTED_LINES]):
        width += 1 if character.isascii() else 2
        if width > QUOTED_WIDTH:
            return "".join(kept) + " ..."
        kept.append(character)
    return "".join(kept)
