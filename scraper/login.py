"""Log in once, by the form that the board itself shows, and keep the cookies; a wrong password is never tried again.

Flows: X (X2 to X3.5) `member.php?mod=logging`, old boards (7.x, 6.x) `logging.php`. The form's token (formhash) comes with the
page; a stale one is answered by an empty page or by words of its own. Five failures lock an address out for 15 minutes.
"""

from __future__ import annotations

import html
import logging
from http.cookiejar import CookieJar
from urllib.parse import quote, quote_plus

from scraper import errors
from scraper.address import Family
from scraper.client import Client
from scraper.cookies import has_login
from scraper.forms import Form, find_login_form, message_box, show_line
from scraper.phrases import phrase
from scraper.response import Response
from scraper.screen import Screen
from scraper.screens import check_response, is_signed_in, recognise
from scraper.transport import safe_url

log = logging.getLogger(__name__)

_FORMS = ((Family.X, "member.php?mod=logging&action=login"), (Family.OLD, "logging.php?action=login"))
_HOMES = {Family.X: "forum.php", Family.OLD: "index.php"}
_MONTH = "2592000"  # cookietime: the seconds of the form's own 「自动登录」
_IMPORT = phrase("Log in with a browser, export its cookies as cookies.txt, and set cookies under [forum].")

# What the board's answer says, in the order in which it decides: "too many wrong passwords" speaks of wrong passwords too.
_STALE = ("来路不正确", "來路不正確", "验证串", "驗證串")
_CAPTCHA = ("验证码", "驗證碼", "验证问答", "驗證問答", "seccode", "secqaa")
_LOCKED = ("次数过多", "次數過多", "15分钟", "15分鐘")
_WRONG = (
    "登录失败",
    "登錄失敗",
    "登入失敗",
    "密码错误",
    "密碼錯誤",
    "密码有误",
    "密碼有誤",
    "用户名无效",
    "用戶名無效",
    "还可以尝试",
    "還可以嘗試",
)
_QUESTION = ("安全提问", "安全提問")
_INACTIVE = ("激活", "啟用", "冻结", "凍結")


def login(client: Client, username: str, password: str, *, question: int = 0, answer: str = "") -> CookieJar:
    """The cookies of a session of this account, kept in the client too, which from now on expects to be logged in.

    `question` is the number of the account's security question in the board's list (0 for none), `answer` its answer. The
    password is sent once, to the board's own host. Raises the LoginErrors: CaptchaError (before anything is sent, where
    the form shows one), WrongPasswordError, LoginLockedError, QuestionError, StaleFormError; and the errors of `fetch`.
    """
    # Whoever was logged in before is not: the answer must not be taken for this account's.
    client.cookies.clear()
    family, page, form = _find_form(client)
    if form.captcha:
        raise errors.CaptchaError(
            phrase(
                "{url}: the board wants a picture to be read at login (seccode). {IMPORT}", url=safe_url(page.url), IMPORT=_IMPORT
            )
        )
    fields = form.filled(
        loginfield="username",
        username=username,
        password=password,
        questionid=str(question),
        answer=answer,
        cookietime=_MONTH,
        loginsubmit="true",
    )
    try:
        reply = client.submit(form.action, fields, form.charset, referer=page.url)
        if not has_login(client.cookies, client.board):
            raise _refusal(reply, username)
    except errors.BanshaError as error:
        raise _hide(error, (password, answer), form.charset) from None
    home = client.fetch(client.board + _HOMES[family])
    if is_signed_in(home.body) is False:
        raise errors.LoginError(
            phrase(
                "{board}: gave a cookie for {username!r}, but shows its guest page all the same. {IMPORT}",
                board=client.board,
                username=username,
                IMPORT=_IMPORT,
            )
        )
    client.family = family
    client.expects_login = True
    log.info(phrase("Logged in at {board}.", board=client.board))
    return client.cookies


def _find_form(client: Client) -> tuple[Family, Response, Form]:
    pages = []
    for family, path in _FORMS:
        page = client.fetch(client.board + path)
        form = find_login_form(page.body, page.header("Content-Type"), page.url)
        if form is not None:
            return family, page, form
        pages.append(page)
        if recognise(page.body, page.status, page.header("Content-Type")) in (Screen.CHALLENGE, Screen.FIREWALL):
            break
    check_response(pages[0])
    raise errors.LoginError(
        phrase(
            "{board}: no login form, neither at {FORMS} nor at {FORMS2}. {IMPORT}",
            board=client.board,
            FORMS=_FORMS[0][1],
            FORMS2=_FORMS[1][1],
            IMPORT=_IMPORT,
        )
    )


def _hide(error: errors.BanshaError, secrets: tuple[str, ...], charset: str) -> errors.BanshaError:
    """The error without what was typed, in whatever form the board repeats it: a page's words, its title, an address."""
    text = shown = str(error)
    for secret in secrets:
        forms = {secret, " ".join(secret.split()), show_line(secret), html.escape(secret), quote(secret), quote_plus(secret)}
        forms |= {quote(secret, encoding=charset, errors="replace"), quote(secret, safe="")}
        # One sign alone may be any word of the sentence.
        for form in sorted((form for form in forms if len(form) > 1), key=len, reverse=True):
            shown = shown.replace(form, "***")
    if shown == text:
        return error
    return type(error)(shown, error.response) if isinstance(error, errors.BoardError | errors.LayoutError) else type(error)(shown)


def _refusal(reply: Response, username: str) -> errors.BanshaError:
    """The error that the board's answer to the form means."""
    where = safe_url(reply.url)
    if not reply.body.strip():
        return errors.StaleFormError(
            phrase(
                "{where}: the login form was out of date (empty answer). Start again; the password was not looked at.",
                where=where,
            )
        )
    said = message_box(reply.body, reply.header("Content-Type"))
    squeezed = "".join(said.split())
    cited = phrase("The board says: 「{said}」.", said=said[:200])
    if _says(squeezed, _STALE):
        return errors.StaleFormError(
            phrase(
                "{where}: the login form was out of date. {cited} Start again; the password was not looked at.",
                where=where,
                cited=cited,
            )
        )
    if _says(squeezed, _CAPTCHA):
        return errors.CaptchaError(
            phrase(
                "{where}: the board wants a picture to be read at login. {cited} {IMPORT}",
                where=where,
                cited=cited,
                IMPORT=_IMPORT,
            )
        )
    if _says(squeezed, _LOCKED):
        return errors.LoginLockedError(
            phrase(
                "{where}: too many wrong passwords. {cited} Wait as long as it says; every try prolongs it.",
                where=where,
                cited=cited,
            )
        )
    if _says(squeezed, _WRONG):
        return errors.WrongPasswordError(
            phrase(
                "{where}: the board did not take the name {username!r} with this password. {cited} It was asked "
                "once, and is not asked again: five failures lock the address for 15 minutes. Check both, and "
                "the security question.",
                where=where,
                username=username,
                cited=cited,
            )
        )
    if _says(squeezed, _QUESTION):
        return errors.QuestionError(
            phrase("{where}: the account has a security question. {cited} Give its number and answer.", where=where, cited=cited)
        )
    if _says(squeezed, _INACTIVE):
        return errors.LoginError(
            phrase("{where}: the account is not active. {cited} Activate it with a browser first.", where=where, cited=cited)
        )
    if said:
        return errors.LoginError(phrase("{where}: not logged in. {cited} {IMPORT}", where=where, cited=cited, IMPORT=_IMPORT))
    try:
        check_response(reply)
    except errors.LoginWallError:
        return errors.LoginError(
            phrase("{where}: the board shows its login form again, without a reason. {IMPORT}", where=where, IMPORT=_IMPORT)
        )
    except errors.BanshaError as error:
        return error
    return errors.LoginError(
        phrase("{where}: the board answered the login with a thread's page. {IMPORT}", where=where, IMPORT=_IMPORT)
    )


def _says(text: str, words: tuple[str, ...]) -> bool:
    return any(word in text for word in words)
