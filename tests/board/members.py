"""Accounts of the test board: whoever logs in by its form is known by his cookie, and replies under his own name.

The form and the cookie are X3.5's. Add it to a board's `faults`: `Members(board, {"导演": "password"})`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from urllib.parse import parse_qs, urlsplit

from tests.board.replies import Replies, say_in_a_box
from tests.board.server import Asked, Board, Reply

_AUTH = "site_2132_auth"
_FORM = """<!DOCTYPE html>
<html><head><meta charset="{charset}" /><title>登录 - 试验论坛</title></head><body>
<form method="post" autocomplete="off" name="login" id="loginform_LA1Ul" action="member.php?mod=logging&amp;action=login&amp;loginsubmit=yes&amp;loginhash=LA1Ul">
<input type="hidden" name="formhash" value="{formhash}" /><input type="hidden" name="referer" value="forum.php" />
<select name="loginfield"><option value="username">用户名</option></select>
<input type="text" name="username" value="" /><input type="password" name="password" value="" />
<select name="questionid"><option value="0">安全提问(未设置请忽略)</option></select><input type="text" name="answer" />
<input type="checkbox" name="cookietime" value="2592000" />
<button type="submit" name="loginsubmit" value="true">登录</button>
</form></body></html>"""  # noqa: E501
_HOME = """<!DOCTYPE html>
<html><head><meta charset="{charset}" /><title>试验论坛</title></head><body><div id="um">{link}</div></body></html>"""
_LOGIN = '<a href="member.php?mod=logging&amp;action=login">登录</a>'
_LOGOUT = '<a href="member.php?mod=logging&amp;action=logout&amp;formhash={formhash}">退出</a>'


@dataclass
class Members:
    """What the board answers besides its threads: the form to log in, the home page, replies of whoever is logged in.

    `only` shows threads to members alone.
    """

    board: Board
    passwords: Mapping[str, str]
    only: bool = False

    def __call__(self, asked: Asked, reply: Reply) -> Reply | None:
        """Answer what concerns an account; everything else as the board does."""
        parts = urlsplit(asked.address)
        query = {key: values[-1] for key, values in parse_qs(parts.query).items()}
        name = self._find_account(asked)
        if parts.path.endswith("/member.php"):
            return self._log_in(asked, reply) if asked.method == "POST" else self._page(reply, _FORM)
        if parts.path.endswith("/forum.php") and "mod" not in query:
            link = _LOGOUT.format(formhash=_hash(name)) if name else _LOGIN
            return self._page(reply, _HOME, link=link)
        if name:
            return Replies(self.board, name)(asked, reply)
        if asked.method == "POST" or self.only:
            return say_in_a_box(self.board, reply, "抱歉，您尚未登录，没有权限访问该版块", link=_LOGIN)
        return reply

    def _find_account(self, asked: Asked) -> str:
        cookies = dict(part.strip().partition("=")[::2] for part in asked.header("Cookie").split(";"))
        return next((name for name in self.passwords if cookies.get(_AUTH) == self._token(name)), "")

    def _token(self, name: str) -> str:
        return hashlib.sha256(f"{name}\n{self.passwords[name]}".encode()).hexdigest()[:40]

    def _log_in(self, asked: Asked, reply: Reply) -> Reply:
        fields = parse_qs(asked.body.decode("ascii"), encoding=self.board.script.settings.charset)
        name, password = (fields.get(key, [""])[0] for key in ("username", "password"))
        if self.passwords.get(name) != password:
            return say_in_a_box(self.board, reply, "登录失败，您还可以尝试 4 次", link=_LOGIN)
        cookie = f"{_AUTH}={self._token(name)}; path=/; httponly"
        welcome = say_in_a_box(self.board, reply, f"欢迎您回来，{name}，现在将转入登录前页面", link="")
        return replace(welcome, headers=(*welcome.headers, ("Set-Cookie", cookie)))

    def _page(self, reply: Reply, page: str, **words: str) -> Reply:
        charset = self.board.script.settings.charset
        text = page.format(charset=charset, **{"formhash": _hash(""), **words})
        return replace(reply, status=200, body=text.encode(charset))


def _hash(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()[:8]
