"""Reply to a thread through the board's own form: sent once, and believed only when it was read back.

Facts: X `form#fastpostform` on the thread's own page, old boards a form whose action is `post.php?action=reply`; fields
`formhash`, `message`, in the board's charset (X2 and X3.5 pages; old boards without a recording). A pause that the board
wants between two posts is told in a message box (X3.5: 「您两次发表间隔少于 15 秒」), and nothing was stored then.
"""

from __future__ import annotations

import html
import logging
import re
from collections.abc import Callable
from dataclasses import dataclass
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
# A pause longer than this is the director's to wait, in seconds.
LONGEST_PAUSE = 120
# How much of a text must come back.
_ALIKE = 0.9
_UTC = ZoneInfo("UTC")
_CODE = re.compile(r"\[/?[a-z*][^\[\]\n]*\]", re.I)


@dataclass(frozen=True, slots=True)
class Sent:
    """A reply that stands on the board: the post as it was read back."""

    post: Post


def send_reply(client: Client, tid: int, text: str, *, sleep: Callable[[float], None]) -> Sent:
    """Post a text (BBCode) to a thread, and read it back.

    It is sent once more only where the board said that it wants a pause, and so had not taken it; `sleep` waits that long.
    Raises LoginError where nobody is logged in, CaptchaError where the form wants a picture read, NoPermissionError where the
    thread shows no form, FloodError for a pause longer than two minutes, ReplyError where the text is not found in the thread
    afterwards: then it may stand there all the same, or wait for approval.
    """
    page = client.fetch_page(tid, 1)
    known = {post.pid for post in _read_last(client, tid, page)}
    form = _find_form(page, tid)
    answer = _submit(client, form, text, page.url)
    if (pause := _asked_pause(answer)) is not None:
        log.info(phrase("The board wants a pause of {pause} s between two posts.", pause=pause))
        sleep(pause + 1)
        # The token of a form is good for one account and hour; a new page brings what it wants now.
        page = client.fetch_page(tid, 1)
        answer = _submit(client, _find_form(page, tid), text, page.url)
    _judge(answer)
    wanted = squeeze(text)
    for post in reversed(_read_last(client, tid, client.fetch_page(tid, 1))):
        if post.pid not in known and post.state is PostState.NORMAL and _is_alike(squeeze(post.message.text), wanted):
            return Sent(post)
    raise errors.ReplyError(
        phrase(
            "{url}: the board took the text, but it is not in the thread. Look with a browser before sending it again: it may "
            "wait for approval, or show differently.",
            url=safe_url(page.url),
        )
    )


def squeeze(text: str) -> str:
    """What a reader sees of a text in BBCode, without white space: what was sent and what is read back are compared by it."""
    bare = _CODE.sub("", text)
    return "".join(html.unescape(bare).split())


def _is_alike(found: str, wanted: str) -> bool:
    """Whether a post is what was sent: a board changes smilies and addresses, and little else."""
    return found == wanted or SequenceMatcher(None, found, wanted, autojunk=False).ratio() >= _ALIKE


def _find_form(page: Response, tid: int) -> Form:
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
            phrase("{where}: the board wants a picture to be read before a reply. Post it with a browser.", where=where)
        )
    return form


def _submit(client: Client, form: Form, text: str, referer: str) -> Response:
    return client.submit(form.action, form.filled(message=text, replysubmit="yes"), form.charset, referer=referer)


def _asked_pause(answer: Response) -> int | None:
    """How many seconds the board wants between two posts; None where it says nothing of that."""
    if recognise(answer.body, answer.status, answer.header("Content-Type")) is not Screen.FLOOD:
        return None
    said = message_box(answer.body, answer.header("Content-Type"))
    told = _PAUSE.search(said)
    pause = int(told[1]) if told else 0
    if not 0 < pause <= LONGEST_PAUSE:
        check_response(answer)
    return pause


def _judge(answer: Response) -> None:
    """Raise what the board says against the text; a thread's page, or a box that speaks of success, is none."""
    said = message_box(answer.body, answer.header("Content-Type"))
    if any(word in said for word in _APPROVAL):
        raise errors.ReplyError(
            phrase(
                "{url}: the text waits for approval by the board's moderators. The board says: 「{said}」. Do not send it again.",
                url=safe_url(answer.url),
                said=said[:200],
            )
        )
    if "成功" in said or not answer.body.strip():
        return
    check_response(answer)


def _read_last(client: Client, tid: int, first: Response) -> tuple[Post, ...]:
    """The posts of the thread's last page; `first` is its first, which came already."""
    page = _read(first, tid)
    return page.posts if page.pages <= 1 else _read(client.fetch_page(tid, page.pages), tid).posts


def _read(response: Response, tid: int) -> Page:
    # No time of a post matters here, so that no zone does.
    return read_page(response.body, tid=tid, seen_at=response.seen_at, zone=_UTC, content_type=response.header("Content-Type"))
