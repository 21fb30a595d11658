"""Reply to a thread through the board's own form: sent once, and believed only when it was read back.

Facts: X `form#fastpostform` on the thread's own page, old boards a form whose action is `post.php?action=reply`; fields
`formhash`, `message`, in the board's charset (X2 and X3.5 pages; old boards without a recording). A pause that the board
wants between two posts is told in a message box (X3.5: 「您两次发表间隔少于 15 秒」), and nothing was stored then. Success is a
redirect to the thread, or a box: 回复发布成功 on X, 您的回复已经发布 on 7.2 and 6.x. Refusals begin with
抱歉 (X) or 对不起 (old).
"""

from __future__ import annotations

import html
import logging
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from difflib import SequenceMatcher
from zoneinfo import ZoneInfo

from scraper import errors
from scraper.client import Client
from scraper.forms import Form, find_reply_form, message_box
from scraper.page import read_page
from scraper.phrases import phrase
from scraper.post import Page, Post, PostState
from scraper.response import Response
from scraper.screen import Screen
from scraper.screens import check_response, is_signed_in, recognise
from scraper.transport import safe_url

log = logging.getLogger(__name__)

_PAUSE = re.compile(r"(\d{1,4})\s*(?:秒|second)")
_APPROVAL = ("审核", "審核")
_REFUSAL = ("抱歉", "对不起", "對不起", "sorry")
_SUCCESS = ("成功", "已经发布", "已經發佈", "已經發布")
# A pause longer than this is the director's to wait, in seconds.
LONGEST_PAUSE = 120
# The same words are not posted to the same thread again within this time.
AGAIN_AFTER = timedelta(hours=1)
# How much of a text must come back, and how little of it a board that cuts texts leaves.
_ALIKE, _STUB = 0.9, 8
# A post with more smileys than these is held to be another text than what was sent.
_MOST_SMILEYS = 200
# So many pages at most are looked through for what was sent, where a thread grows meanwhile.
_MOST_PAGES = 3
_UTC = ZoneInfo("UTC")
_CODE = re.compile(r"\[/?[a-z*][^\[\]\n]*\]", re.I)
_QUOTED = re.compile(r"\[quote\b[^\[\]\n]*\].*?\[/quote\]", re.I | re.S)
_SMILEY = re.compile(r"\[:[^\[\]\n]{0,60}:\]")
_INVISIBLE = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]")


@dataclass(frozen=True, slots=True)
class Sent:
    """A reply that stands on the board: the post as it was read back, and from where on it is not what was sent ("": it is)."""

    post: Post
    differs: str = ""


@dataclass(frozen=True, slots=True)
class Errand:
    """How a text is sent: who waits, what is told meanwhile, and what is kept of it.

    `claim` is called before anything is sent, and may raise to send nothing; `release` where the board surely did not take it.
    `authors` are the accounts under which it would be told twice (none: any), `zone` is that of the board's times.
    """

    sleep: Callable[[float], None]
    tell: Callable[[str], None] = log.info
    claim: Callable[[], None] = lambda: None
    release: Callable[[], None] = lambda: None
    authors: Collection[str] = ()
    zone: ZoneInfo = _UTC


def send_reply(client: Client, tid: int, text: str, errand: Errand) -> Sent:
    """Post a text (BBCode) to a thread, and read it back.

    It is sent once more only where the board said that it wants a pause, and so had not taken it. Nothing is sent, and raised:
    LoginError where nobody is logged in, CaptchaError where the form wants a picture read, NoPermissionError where the thread
    shows no form, NoTokenError for a form without a token, TooLongError, RepeatedError where the thread holds the text already.
    After sending: FloodError for a pause longer than two minutes, and what else the board says against it; ReplyError where
    the text is not found in the thread: then it may stand there all the same, or wait for approval.
    """
    page = client.fetch_page(tid, 1)
    first = _read(page, tid, errand)
    posts = tuple(_read_around(client, tid, first, first.pages, errand))
    form = _find_form(page, tid, text)
    _refuse_twin(posts, text, page, errand)
    known = {post.pid for post in posts}
    errand.claim()
    answer = _submit(client, form, text, page.url)
    if (pause := _asked_pause(answer, errand)) is not None:
        errand.tell(phrase("The board wants a pause of {pause} s between two posts: waiting.", pause=pause))
        try:
            errand.sleep(pause + 1)
            # The token of a form is good for one account and hour; a new page brings what it wants now.
            page = client.fetch_page(tid, 1)
            form = _find_form(page, tid, text)
        except BaseException:
            errand.release()
            raise
        answer = _submit(client, form, text, page.url)
    said, refusal = _judge(answer, errand)
    found = _read_back(client, tid, text, known, first.pages, errand)
    if found is not None:
        return found
    if refusal is not None:
        raise refusal
    cited = phrase(" The board says: 「{said}」.", said=said[:200]) if said else ""
    raise errors.ReplyError(
        phrase(
            "{url}: the board took the text, but it is not in the thread.{cited} Look with a browser before sending it again: it "
            "may wait for approval, or show differently.",
            url=safe_url(page.url),
            cited=cited,
        )
    )


def squeeze(text: str) -> str:
    """What a reader sees of a text in BBCode, without white space: what was sent and what is read back are compared by it."""
    return _pack(_CODE.sub("", text))


def _pack(text: str) -> str:
    """A text without white space and what cannot be seen; brackets that a reader sees stay."""
    return _INVISIBLE.sub("", "".join(html.unescape(text).split()))


def _read_back(client: Client, tid: int, text: str, known: set[int], before: int, errand: Errand) -> Sent | None:
    """The post that was sent, as the thread shows it now; None where no new post is like it."""
    # What was quoted is no word of the post's own.
    wanted = squeeze(_QUOTED.sub("", text))
    page = _read(client.fetch_page(tid, 1), tid, errand)
    new = [post for post in _read_around(client, tid, page, before, errand) if post.pid not in known]
    ours = [post for post in new if post.state is PostState.NORMAL and (not errand.authors or post.author in errand.authors)]
    others = [post for post in new if post.state is PostState.NORMAL and post not in ours]
    for post in (*reversed(ours), *reversed(others)):
        if _is_same(_pack(post.message.text), wanted):
            return Sent(post)
    for post in (*reversed(ours), *reversed(others)):
        found = _pack(post.message.text)
        if (post in ours and len(found) >= _STUB and wanted.startswith(found)) or _is_alike(found, wanted):
            return Sent(post, _part(found, wanted))
    return None


def _is_same(found: str, wanted: str) -> bool:
    """Whether a post is what was sent, but for the pictures that a board makes of smilies, and codes that it does not know."""
    if found == wanted or squeeze(found) == squeeze(wanted):
        return True
    parts = _SMILEY.split(found)
    return 1 < len(parts) <= _MOST_SMILEYS and _fits(parts, wanted)


def _fits(parts: Sequence[str], wanted: str) -> bool:
    """Whether a text is these parts with a smiley of 1 to 20 characters between each two.

    Every place where a part may end is followed at once: as a pattern, a row of smileys would be tried in more ways than anybody
    lives to see.
    """
    ends = {len(parts[0])} if wanted.startswith(parts[0]) else set()
    for part in parts[1:]:
        places = {end + length for end in ends for length in range(1, 21)}
        ends = {place + len(part) for place in places if wanted.startswith(part, place)}
    return len(wanted) in ends


def _is_alike(found: str, wanted: str) -> bool:
    """Whether a post may be what was sent, with something changed by the board."""
    matcher = SequenceMatcher(None, found, wanted, autojunk=False)
    return matcher.real_quick_ratio() >= _ALIKE and matcher.quick_ratio() >= _ALIKE and matcher.ratio() >= _ALIKE


def _part(found: str, wanted: str) -> str:
    """What was sent from the first character on that did not come back so, a little of it."""
    place = next((place for place, (one, other) in enumerate(zip(found, wanted, strict=False)) if one != other), len(found))
    return wanted[place : place + 20] or found[place : place + 20]


def _refuse_twin(posts: Collection[Post], text: str, page: Response, errand: Errand) -> None:
    """Raise where the thread holds the text since less than an hour, whoever sent it from wherever."""
    wanted = squeeze(_QUOTED.sub("", text))
    for post in posts:
        own = not errand.authors or post.author in errand.authors
        young = timedelta(minutes=-10) < page.seen_at - post.posted_at < AGAIN_AFTER
        if own and young and _is_same(_pack(post.message.text), wanted):
            raise errors.RepeatedError(
                phrase(
                    "{url}: the same text stands there already, since {at} ({floor}, pid {pid}): not sent again. Change the text "
                    "if it must be told again.",
                    url=safe_url(page.url),
                    at=_clock(post.posted_at),
                    floor=post.floor,
                    pid=post.pid,
                )
            )


def _clock(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M}"


def _find_form(page: Response, tid: int, text: str) -> Form:
    where = safe_url(page.url)
    if is_signed_in(page.body) is False:
        raise errors.LoginError(
            phrase("{where}: nobody is logged in here, and a guest may not reply. Log in with `bansha login`.", where=where)
        )
    form = find_reply_form(page.body, page.header("Content-Type"), page.url, tid)
    if form is None:
        raise errors.NoPermissionError(
            phrase("{where}: the thread shows no form to reply: it is closed, or the account may not.", where=where), page
        )
    if form.captcha:
        raise errors.CaptchaError(
            phrase(
                "{where}: the board wants a picture to be read, or a question answered, before a reply. Post it with a browser.",
                where=where,
            )
        )
    if not dict(form.fields).get("formhash"):
        raise errors.NoTokenError(
            phrase(
                "{where}: the form to reply has no token (formhash): the board would not take it. Log in again with `bansha "
                "login`, or post it with a browser.",
                where=where,
            ),
            page,
        )
    if form.longest is not None and (size := form.measure(text)) > form.longest:
        raise errors.TooLongError(
            phrase(
                "{where}: the board takes {longest} bytes, and the text has {size}: not sent. Post it in parts, with --file.",
                where=where,
                longest=form.longest,
                size=size,
            )
        )
    return form


def _submit(client: Client, form: Form, text: str, referer: str) -> Response:
    return client.submit(form.action, form.filled(message=text, replysubmit="yes"), form.charset, referer=referer)


def _asked_pause(answer: Response, errand: Errand) -> int | None:
    """How many seconds the board wants between two posts; None where it says nothing of that."""
    if recognise(answer.body, answer.status, answer.header("Content-Type")) is not Screen.FLOOD:
        return None
    said = message_box(answer.body, answer.header("Content-Type"))
    told = _PAUSE.search(said)
    pause = int(told[1]) if told else 0
    if not 0 < pause <= LONGEST_PAUSE:
        errand.release()
        check_response(answer)
    return pause


def _judge(answer: Response, errand: Errand) -> tuple[str, errors.BanshaError | None]:
    """What the board says to the text, and the error that it is where its words are not known: the thread decides then.

    Raises what surely is none: a refusal in the board's own words (nothing was stored, and `release` is called), or a text that
    waits for approval.
    """
    said = message_box(answer.body, answer.header("Content-Type"))
    if any(word in said for word in _APPROVAL):
        raise errors.ReplyError(
            phrase(
                "{url}: the text waits for approval by the board's moderators. The board says: 「{said}」. Do not send it again.",
                url=safe_url(answer.url),
                said=said[:200],
            )
        )
    if not answer.body.strip():
        return "", None
    refused = any(word in said.lower() for word in _REFUSAL)
    if not refused and any(word in said for word in _SUCCESS):
        return said, None
    try:
        check_response(answer)
    except errors.BanshaError as error:
        if refused:
            errand.release()
            raise
        return said, error
    return said, None


def _read_around(client: Client, tid: int, first: Page, before: int, errand: Errand) -> Iterator[Post]:
    """The posts of the thread's last pages, from the one that was the last `before` on, and of its first: where it shows the
    newest first. `first` is the first page, which came already."""
    yield from first.posts
    for number in range(max(before, first.pages - _MOST_PAGES + 1, 2), first.pages + 1):
        yield from _read(client.fetch_page(tid, number), tid, errand).posts


def _read(response: Response, tid: int, errand: Errand) -> Page:
    kind = response.header("Content-Type")
    return read_page(response.body, tid=tid, seen_at=response.seen_at, zone=errand.zone, content_type=kind)
