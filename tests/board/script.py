"""What happened on the test board: a `script.toml` as values.

A script tells a board's life: who wrote, edited, deleted and blocked what and when, and when somebody looked. Every time in it
is the board's local time, without an offset. The format is public to whoever writes a case; it is described in
`tests/board/README.md`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import count, pairwise
from pathlib import Path
from types import MappingProxyType
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from tests.board.table import ScriptError, Table

FIRST_UID = 101
"""The uid of the first account that the script gives none."""

CHARSETS = ("utf-8", "gbk", "big5")

PER_PAGE: Mapping[str, int] = MappingProxyType({"touch34": 5, "api1": 5})
"""How many posts a page has on surfaces that go by no setting (seen on X3.4)."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How the board is set up.

    `dialect` names a renderer of `tests.board.dialects`. `dates` is the administrator's format: Y-n-j (the stock one), Y-m-d or
    m-d-Y. `relative` prints 「5 分钟前」 with the absolute time in the title. `noise` puts anti-copy text at the line ends.
    `viewer` is the account that looks, empty for a guest.
    """

    dialect: str = "x35"
    charset: str = "utf-8"
    per_page: int = 10
    zone: str = "Asia/Shanghai"
    dates: str = "Y-n-j"
    half_days: bool = False
    relative: bool = True
    noise: bool = False
    viewer: str = ""


@dataclass(frozen=True, slots=True)
class Account:
    """An account of the board, its signature, and what it changed that to and when."""

    name: str
    uid: int
    signature: str = ""
    signed: tuple[tuple[datetime, str], ...] = ()

    def signature_at(self, moment: datetime) -> str:
        """The signature that the board shows at that moment, below old posts too."""
        return next((text for at, text in reversed(self.signed) if at <= moment), self.signature)


@dataclass(frozen=True, slots=True)
class Edit:
    """One edit of a post: when, its text from then on, by whom (empty: the author), whether the board leaves its mark, and the
    pid that the quote above the text names from then on (0: the quote was taken out; None: as it was)."""

    at: datetime
    text: str
    by: str = ""
    mark: bool = True
    quote: int | None = None


@dataclass(frozen=True, slots=True)
class Remark:
    """Something that another wrote under a post: a comment (点评) or the reason of a rating (评分)."""

    author: str
    at: datetime
    text: str


@dataclass(frozen=True, slots=True)
class ScriptedPost:
    """One post and what became of it. `html` is the raw body in place of `text`, for broken posts.

    `title` is the post's own, which X alone shows. `quote` is the pid that the quoting button was pressed under, `reply` the one
    of the reply button, which leaves a trace on 7.2 only.
    """

    tid: int
    pid: int
    author: str
    at: datetime
    text: str = ""
    html: str = ""
    quote: int = 0
    anonymous: bool = False
    edits: tuple[Edit, ...] = ()
    deleted: datetime | None = None
    restored: datetime | None = None
    blocked: datetime | None = None
    banned: datetime | None = None
    comments: tuple[Remark, ...] = ()
    ratings: tuple[Remark, ...] = ()
    files: tuple[str, ...] = ()
    reply: int = 0
    title: str = ""

    def stands(self, moment: datetime) -> bool:
        """Whether the board shows the post at that moment."""
        if moment < self.at:
            return False
        if self.deleted is None or moment < self.deleted:
            return True
        return self.restored is not None and moment >= self.restored


@dataclass(frozen=True, slots=True)
class Thread:
    """A thread. In one with `hidden_replies` only its author sees what the others wrote; `poll` lists the choices of a poll."""

    tid: int
    title: str
    hidden_replies: bool = False
    poll: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Pass:
    """Somebody looked: from when, at which threads (empty: all that exist), with how many seconds between pages, and the
    pages that he did not get, as `tid-page`."""

    at: datetime
    tids: tuple[int, ...] = ()
    gap: int = 1
    skip: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Script:
    """A board's life: its settings, accounts by name, threads by tid, posts by pid in the order of the file, and the passes."""

    settings: Settings
    accounts: Mapping[str, Account]
    threads: Mapping[int, Thread]
    posts: Mapping[int, ScriptedPost]
    passes: tuple[Pass, ...]

    def local(self, moment: datetime) -> datetime:
        """A moment as the board's clock shows it: an aware one is moved into the board's zone, a naive one is there already."""
        return moment if moment.tzinfo is None else moment.astimezone(ZoneInfo(self.settings.zone)).replace(tzinfo=None)

    def universal(self, moment: datetime) -> datetime:
        """A board-local moment as an aware one in UTC."""
        return moment.replace(tzinfo=ZoneInfo(self.settings.zone)).astimezone(UTC)

    def offset(self, moment: datetime) -> timedelta:
        """How far the board's zone is ahead of UTC at that moment."""
        return moment.replace(tzinfo=ZoneInfo(self.settings.zone)).utcoffset() or timedelta()


def load_script(path: Path) -> Script:
    """The script in a file. Raises ScriptError with the file, the place and the fix."""
    return read_script(path.read_text(encoding="utf-8-sig"), str(path))


def read_script(text: str, where: str = "script") -> Script:
    """The script in a TOML text; `where` names it in errors."""
    try:
        return parse_script(tomllib.loads(text), where)
    except tomllib.TOMLDecodeError as error:
        raise ScriptError(f"{where}: {error}") from error


def parse_script(data: Mapping[str, object], where: str = "script") -> Script:
    """The script in a parsed TOML document; `where` names it in errors."""
    root = Table(data, where)
    settings = _settings(root.table("board"))
    threads = {thread.tid: thread for thread in map(_thread, root.tables("thread"))}
    posts: dict[int, ScriptedPost] = {}
    for table in root.tables("post"):
        post = _post(table)
        if post.pid in posts:
            raise ScriptError(f"{table.where}: pid {post.pid} is there twice")
        if post.tid not in threads:
            raise ScriptError(f"{table.where}: tid {post.tid} is no [[thread]] of the script")
        posts[post.pid] = post
    for post in posts.values():
        for pid in [post.quote, post.reply, *(edit.quote or 0 for edit in post.edits)]:
            if pid and pid not in posts:
                raise ScriptError(f"{where}: post {post.pid} quotes {pid}, which is no [[post]] of the script")
    given = [_account(table) for table in root.tables("account")]
    passes = tuple(map(_pass, root.tables("pass")))
    for before, after in pairwise(passes):
        if after.at <= before.at:
            raise ScriptError(f"{where}: the [[pass]] at {after.at} does not come after the one at {before.at}")
    root.close()
    return Script(settings, MappingProxyType(_accounts(given, posts)), MappingProxyType(threads), MappingProxyType(posts), passes)


def _settings(table: Table) -> Settings:
    stock = Settings()
    charset = table.text("charset", stock.charset)
    if charset not in CHARSETS:
        raise ScriptError(f"{table.where}: charset {charset!r} is none of {', '.join(CHARSETS)}")
    zone = table.text("zone", stock.zone)
    try:
        ZoneInfo(zone)
    except ZoneInfoNotFoundError as error:
        raise ScriptError(f"{table.where}: zone {zone!r} is not known") from error
    dates = table.text("dates", stock.dates)
    if dates not in ("Y-n-j", "Y-m-d", "m-d-Y"):
        raise ScriptError(f"{table.where}: dates {dates!r} is none of Y-n-j, Y-m-d, m-d-Y")
    dialect = table.text("dialect", stock.dialect)
    per_page = table.number("per_page", stock.per_page)
    settings = Settings(
        dialect=dialect,
        charset=charset,
        per_page=PER_PAGE.get(dialect, per_page),
        zone=zone,
        dates=dates,
        half_days=table.flag("half_days", stock.half_days),
        relative=table.flag("relative", stock.relative),
        noise=table.flag("noise", stock.noise),
        viewer=table.text("viewer", stock.viewer),
    )
    table.close()
    return settings


def _account(table: Table) -> Account:
    signed = tuple(sorted((one.moment("at"), one.done("text")) for one in table.tables("signed")))
    return Account(table.text("name"), table.number("uid", 0), table.done("signature"), signed)


def _thread(table: Table) -> Thread:
    thread = Thread(table.number("tid"), table.text("title"), table.flag("hidden_replies", False), table.texts("poll"))
    table.close()
    return thread


def _post(table: Table) -> ScriptedPost:
    post = ScriptedPost(
        tid=table.number("tid"),
        pid=table.number("pid"),
        author=table.text("author"),
        at=table.moment("at"),
        # The line end before the closing quotes of a TOML text is the script's, not the author's.
        text=table.text("text", "").removesuffix("\n"),
        html=table.text("html", ""),
        quote=table.number("quote", 0),
        anonymous=table.flag("anonymous", False),
        edits=tuple(sorted(map(_edit, table.tables("edits")), key=lambda edit: edit.at)),
        deleted=table.maybe("deleted"),
        restored=table.maybe("restored"),
        blocked=table.maybe("blocked"),
        banned=table.maybe("banned"),
        comments=tuple(_remark(each, "text") for each in table.tables("comments")),
        ratings=tuple(_remark(each, "reason") for each in table.tables("ratings")),
        files=table.texts("files"),
        reply=table.number("reply", 0),
        title=table.text("title", ""),
    )
    table.close()
    if post.quote and post.reply:
        raise ScriptError(f"{table.where}: has quote and reply; a post is written with one button")
    if post.text and post.html:
        raise ScriptError(f"{table.where}: has text and html; keep one")
    for name, moment in [("edits", each.at) for each in post.edits] + [("deleted", post.deleted), ("blocked", post.blocked)]:
        if moment is not None and moment < post.at:
            raise ScriptError(f"{table.where}: {name} at {moment} comes before the post itself ({post.at})")
    return post


def _edit(table: Table) -> Edit:
    edit = Edit(
        table.moment("at"),
        table.text("text").removesuffix("\n"),
        table.text("by", ""),
        table.flag("mark", True),
        table.number("quote") if "quote" in table.data else None,
    )
    table.close()
    return edit


def _remark(table: Table, words: str) -> Remark:
    remark = Remark(table.text("author"), table.moment("at"), table.text(words, ""))
    table.close()
    return remark


def _pass(table: Table) -> Pass:
    look = Pass(table.moment("at"), table.numbers("tids"), table.number("gap", 1), frozenset(table.texts("skip")))
    table.close()
    return look


def _accounts(given: list[Account], posts: Mapping[int, ScriptedPost]) -> dict[str, Account]:
    accounts = {account.name: account for account in given if account.uid}
    taken = {account.uid for account in accounts.values()}
    free = (uid for uid in count(FIRST_UID) if uid not in taken)
    known = {account.name: account for account in given}
    for name in [*(account.name for account in given), *(name for post in posts.values() for name in _names(post))]:
        if name not in accounts:
            accounts[name] = replace(known.get(name, Account(name, 0)), uid=next(free))
    return accounts


def _names(post: ScriptedPost) -> Iterator[str]:
    yield post.author
    yield from (edit.by for edit in post.edits if edit.by)
    yield from (remark.author for remark in (*post.comments, *post.ratings))
