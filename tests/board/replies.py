"""Replies on the test board: who is logged in finds the form under the thread, and what he sends stands in it from then on.

The form is X3.5's quick reply, or on an old board that of `post.php`. `wants_pause` refuses that many sends with the board's own
box before it takes one, `seconds` is what the box names; `approval` holds what is sent back for a moderator; `closed` shows no
form, a `guest` sees no one logged in. `refuses` is what the board says to everything, and takes nothing; `thanks` is the box with
which it takes a text, where it does not send on to the thread; `cut` is how many characters of a text it keeps; `extra` is HTML
in the form, `script` beside it; without `token` the form has none.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from datetime import timedelta
from types import MappingProxyType
from urllib.parse import parse_qs, urlsplit

from tests.board.script import Account, ScriptedPost
from tests.board.server import Asked, Board, Reply

_FORM = """
<div id="f_pst" class="pl bm bmw">
<form method="post" autocomplete="off" id="fastpostform" action="forum.php?mod=post&amp;action=reply&amp;fid=2&amp;tid={tid}&amp;extra=&amp;replysubmit=yes&amp;infloat=yes&amp;handlekey=fastpost">
<textarea rows="6" cols="80" name="message" id="fastpostmessage"></textarea>
<input type="hidden" name="formhash" value="{formhash}" />{captcha}
<input type="hidden" name="usesig" value="" />
<input type="hidden" name="subject" value="  " />
<button type="button" name="replysubmit" id="fastpostsubmit" value="replysubmit">发表回复</button>
</form>
</div>
"""  # noqa: E501
_OLD_FORM = """
<form method="post" id="postform" action="post.php?action=reply&amp;fid=2&amp;tid={tid}&amp;extra=page%3D1&amp;replysubmit=yes">
<input type="hidden" name="formhash" value="{formhash}" />{captcha}
<input type="text" id="subject" name="subject" value="" /><input type="checkbox" name="usesig" value="1" />
<textarea rows="7" cols="80" name="message" id="message"></textarea>
<button type="submit" name="replysubmit" id="postsubmit" value="replysubmit">发表帖子</button>
</form>
"""
_BOX = """<!DOCTYPE html>
<html><head><title>提示信息 - 试验论坛</title></head><body>
<div id="um">{link}</div>
<div id="messagetext" class="alert_error"><p>{said}</p></div></body></html>"""


@dataclass
class Replies:
    """Add it to a board's `faults`: `Replies(board, "导演甲")`. `sent` keeps every text that came, taken or not."""

    board: Board
    author: str
    wants_pause: int = 0
    seconds: int = 15
    approval: bool = False
    closed: bool = False
    captcha: bool = False
    loses_answer: bool = False
    guest: bool = False
    refuses: str = ""
    thanks: str = ""
    cut: int | None = None
    extra: str = ""
    script: str = ""
    token: bool = True
    sent: list[str] = field(default_factory=list)

    def __call__(self, asked: Asked, reply: Reply) -> Reply | None:
        """Answer what is sent to the form; put the form under every thread's page."""
        query = {key: values[-1] for key, values in parse_qs(urlsplit(asked.address).query).items()}
        if asked.method == "POST" and query.get("action") == "reply":
            return self._take(asked, reply, int(query["tid"]))
        old = urlsplit(asked.address).path.endswith("/viewthread.php")
        if (query.get("mod") != "viewthread" and not old) or reply.status != 200:
            return reply
        charset = self.board.script.settings.charset
        token = hashlib.sha256(self.author.encode()).hexdigest()[:8] if self.token else ""
        captcha = ('<input name="seccodeverify" type="text" />' if self.captcha else "") + self.extra
        kind = _OLD_FORM if old else _FORM
        form = self.script + ("" if self.closed else kind.format(tid=query["tid"], formhash=token, captcha=captcha))
        body = reply.body if self.guest else reply.body.replace(b"action=login", b"action=logout").replace(b'id="lsform"', b"")
        body = body.replace(b"</body>", form.encode(charset, "xmlcharrefreplace") + b"</body>")
        return replace(reply, body=body)

    def _take(self, asked: Asked, reply: Reply, tid: int) -> Reply | None:
        charset = self.board.script.settings.charset
        fields = parse_qs(asked.body.decode("ascii"), encoding=charset)
        text = fields["message"][0]
        self.sent.append(text)
        if self.wants_pause:
            self.wants_pause -= 1
            return self._box(reply, f"抱歉，您两次发表间隔少于 {self.seconds} 秒，请稍候再发表")
        if self.approval:
            return self._box(reply, "回复发布成功，需要审核才能显示")
        if self.refuses:
            return self._box(reply, self.refuses)
        self._store(tid, text if self.cut is None else text[: self.cut])
        if self.loses_answer:
            return None
        if self.thanks:
            return self._box(reply, self.thanks)
        old = urlsplit(asked.address).path.endswith("/post.php")
        thread = f"viewthread.php?tid={tid}" if old else f"forum.php?mod=viewthread&tid={tid}&page=1"
        return replace(reply.with_header("Location", thread), status=302, body=b"")

    def _box(self, reply: Reply, said: str) -> Reply:
        return say_in_a_box(self.board, reply, said, link='<a href="member.php?mod=logging&amp;action=logout">退出</a>')

    def _store(self, tid: int, text: str) -> None:
        script = self.board.script
        at = script.local(self.board.clock)
        pid = max(script.posts, default=0) + 1
        post = ScriptedPost(tid, pid, self.author, at, text)
        uid = max((account.uid for account in script.accounts.values()), default=0) + 1
        accounts = {self.author: Account(self.author, uid), **script.accounts}
        posts = MappingProxyType({**script.posts, pid: post})
        self.board.script = replace(script, posts=posts, accounts=MappingProxyType(accounts))
        self.board.clock += timedelta(seconds=1)


def say_in_a_box(board: Board, reply: Reply, said: str, *, link: str) -> Reply:
    """The board's own message box, with a link to log out or in at the page's head."""
    return replace(
        reply, status=200, body=_BOX.format(said=said, link=link).encode(board.script.settings.charset, "xmlcharrefreplace")
    )
