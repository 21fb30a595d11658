"""Logging in by the forms of X, 7.2 and 6.x: what is sent, what comes of it, and that no secret ever shows."""

from __future__ import annotations

import html
import json
import logging
import traceback
from pathlib import Path
from urllib.parse import parse_qs

import pytest

from scraper import errors
from scraper.address import Family
from scraper.client import Client
from scraper.cookies import has_login, read_cookies, save_cookies
from scraper.forms import find_login_form
from scraper.httpfile import parse_response
from scraper.login import login
from tests.board.faults import Answer, FaultyBoard, Seen, redirect
from tests.scraper.worlds import QUICK, World, thread_page

RECORDINGS = Path(__file__).parents[3] / "shared" / "recordings"
NAME, PASSWORD, COOKIE = "饺子王", "p@ss 密码&1", "s3cretc00kie"
X_PATH, OLD_PATH = "/member.php", "/logging.php"

X_FORM = (
    '<html><head><meta charset="{charset}" /><title>登录</title></head><body>'
    '<form method="post" id="lsform" action="member.php?mod=logging&amp;action=login&amp;lssubmit=yes">'
    '<input type="text" name="username" /><input type="password" name="password" />'
    '<input type="hidden" name="formhash" value="bad" /></form>'
    '<form name="login" id="loginform_LA1Ul" action="member.php?mod=logging&amp;action=login&amp;loginsubmit=yes">'
    '<input type="hidden" name="formhash" value="2fde486d" /><input type="hidden" name="referer" value="./" />'
    '<select name="loginfield"><option value="username">用户名</option><option value="email">Email</option></select>'
    '<input type="text" name="username" value="" /><input type="password" name="password" />'
    '<select name="questionid"><option value="0">无</option><option value="1">母亲的名字</option></select>'
    '<input type="text" name="answer" />{captcha}'
    '<input type="checkbox" name="cookietime" value="2592000" />'
    '<button type="submit" name="loginsubmit" value="true">登录</button>'
    "</form></body></html>"
)
V72_FORM = (
    '<html><head><meta http-equiv="Content-Type" content="text/html; charset={charset}" /><title> Board </title></head><body>'
    '<form method="post" name="login" id="loginform" action="logging.php?action=login&amp;loginsubmit=yes">'
    '<input type="hidden" name="formhash" value="37be16c3" /><input type="hidden" name="referer" value="" />'
    '<select name="loginfield"><option value="username">X</option><option value="uid">UID</option></select>'
    '<input type="text" name="username" value="" /><input type="password" name="password" />'
    '<div id="seccodelayer">{captcha}</div>'
    '<select name="questionid"><option value="0">X</option><option value="1">Y</option></select>'
    '<input type="text" name="answer" />'
    '<button type="submit" name="loginsubmit" value="true">X</button>'
    '<input type="checkbox" name="cookietime" value="2592000" /></form></body></html>'
)
V6_FORM = (
    '<html><head><meta http-equiv="Content-Type" content="text/html; charset={charset}" /></head><body><div class="box message">'
    '<form name="login" method="post" action="logging.php?action=login"><input type="hidden" name="formhash" value="2042d0d1">'
    '<input type="hidden" name="referer" value=""><input type="hidden" name="cookietime" value="2592000"><label>'
    '<input type="radio" name="loginfield" value="username" checked="checked" /></label>'
    '<label><input type="radio" name="loginfield" value="uid" /></label><input type="text" name="username" />'
    '<input type="password" name="password" />{captcha}<select name="questionid"><option value="0">&nbsp;</option>'
    '<option value="1">Y</option></select><input type="text" name="answer" />'
    '<button class="submit" type="submit" name="loginsubmit" value="true">X</button></form></div></body></html>'
)
BOARDS = [
    # form, path, home, formhash, auth cookie, family
    pytest.param(X_FORM, X_PATH, "/forum.php", "2fde486d", "Ab1_2132_auth", Family.X, id="X"),
    pytest.param(V72_FORM, OLD_PATH, "/index.php", "37be16c3", "cdb_auth", Family.OLD, id="7.2"),
    pytest.param(V6_FORM, OLD_PATH, "/index.php", "2042d0d1", "cdb_auth", Family.OLD, id="6.x"),
]
CHARSETS = [("utf-8", "utf-8"), ("gbk", "gbk"), ("big5", "cp950")]
MEMBER = b'<html><body><a href="%s">x</a></body></html>'
LOGOUT = {Family.X: b"member.php?mod=logging&amp;action=logout", Family.OLD: b"logging.php?action=logout"}


def form_page(form: str, charset: str = "utf-8", codec: str = "utf-8", captcha: str = "") -> Answer:
    text = form.format(charset=charset, captcha=captcha)
    text = text if codec != "cp950" else text.translate(str.maketrans("录户无母亲", "錄戶無母親"))
    return Answer(body=text.encode(codec), content_type="text/html")


def box(words: str) -> Answer:
    return Answer(body=f'<html><body><div id="messagetext" class="alert_error"><p>{words}</p></div></body></html>'.encode())


def sent(board: FaultyBoard) -> list[Seen]:
    return [seen for seen in board.seen if seen.method == "POST"]


def taken(name: str, value: str = COOKIE) -> tuple[tuple[str, str], ...]:
    return (("Set-Cookie", f"{name}={value}; expires=Fri, 01-Jan-2100 00:00:00 GMT; path=/; httponly"),)


@pytest.mark.parametrize(("form", "path", "home", "formhash", "cookie", "family"), BOARDS)
@pytest.mark.parametrize(("charset", "codec"), CHARSETS)
def test_a_login_sends_the_boards_own_form_in_its_charset(
    board: FaultyBoard,
    client: Client,
    form: str,
    path: str,
    home: str,
    formhash: str,
    cookie: str,
    family: Family,
    charset: str,
    codec: str,
) -> None:
    name = "餃子王" if codec == "cp950" else NAME
    password = "p@ss 密碼&1" if codec == "cp950" else PASSWORD
    board.on(path, form_page(form, charset, codec), Answer(headers=taken(cookie), body=b"<html>ok</html>"))
    board.on(home, Answer(body=MEMBER % LOGOUT[family]))
    jar = login(client, name, password, question=1, answer="包子")
    (post,) = sent(board)
    fields = parse_qs(post.body.decode("ascii"), encoding=codec, keep_blank_values=True)
    assert fields == {
        "formhash": [formhash],
        "referer": ["./" if family is Family.X else ""],
        "loginfield": ["username"],
        "username": [name],
        "password": [password],
        "questionid": ["1"],
        "answer": ["包子"],
        "cookietime": ["2592000"],
        "loginsubmit": ["true"],
    }
    assert post.headers["referer"].startswith(board.url)
    assert has_login(jar, board.url)
    assert (client.family, client.expects_login) == (family, True)


def test_a_member_then_reads_as_a_member(board: FaultyBoard, client: Client) -> None:
    board.on(X_PATH, form_page(X_FORM), Answer(headers=taken("Ab1_2132_auth"), body=b"ok"))
    head = f'<a href="{LOGOUT[Family.X].decode()}">x</a>'
    board.on("/forum.php", Answer(body=thread_page(head=head)), Answer(body=thread_page(head=head)), Answer(body=thread_page()))
    login(client, NAME, PASSWORD)
    client.fetch_page(1235)
    assert board.seen[-1].headers["cookie"] == f"Ab1_2132_auth={COOKIE}"


def test_a_board_that_sends_on_after_the_login_is_followed(board: FaultyBoard, client: Client) -> None:
    board.on(X_PATH, form_page(X_FORM), Answer(302, (*taken("Ab1_2132_auth"), ("Location", "/forum.php")), b"x"))
    board.on("/forum.php", Answer(body=MEMBER % LOGOUT[Family.X]))
    login(client, NAME, PASSWORD)
    assert [seen.method for seen in board.seen] == ["GET", "POST", "GET", "GET"]


def test_the_cookies_of_a_login_are_saved_and_used_again(board: FaultyBoard, client: Client, tmp_path: Path) -> None:
    board.on(X_PATH, form_page(X_FORM), Answer(headers=taken("Ab1_2132_auth"), body=b"ok"))
    board.on("/forum.php", Answer(body=MEMBER % LOGOUT[Family.X]))
    save_cookies(login(client, NAME, PASSWORD), tmp_path / "cookies.txt")
    with Client(board.url, settings=QUICK, cookies=read_cookies(tmp_path / "cookies.txt", board.url)) as again:
        assert again.expects_login
        again.fetch(f"{board.url}forum.php")
    assert board.seen[-1].headers["cookie"] == f"Ab1_2132_auth={COOKIE}"


def test_who_was_logged_in_before_is_forgotten_first(board: FaultyBoard, client: Client) -> None:
    board.on(
        X_PATH, form_page(X_FORM), Answer(headers=taken("Ab1_2132_auth", "first"), body=b"ok"), form_page(X_FORM), box("登录失败")
    )
    board.on("/forum.php", Answer(body=MEMBER % LOGOUT[Family.X]))
    login(client, NAME, PASSWORD)
    with pytest.raises(errors.WrongPasswordError):
        login(client, "包子", PASSWORD)
    assert "cookie" not in sent(board)[-1].headers
    assert len(client.cookies) == 0


# -- refusals

REFUSALS = [
    ("登录失败，您还可以尝试 4 次", errors.WrongPasswordError),
    ("登錄失敗,您還可以嘗試 4 次", errors.WrongPasswordError),
    ("用户名无效，密码错误", errors.WrongPasswordError),
    ("抱歉，您输入的密码有误", errors.WrongPasswordError),
    ("密码错误次数过多，请 15 分钟后重新登录", errors.LoginLockedError),
    ("密碼錯誤次數過多，請 15 分鐘後重新登錄", errors.LoginLockedError),
    ("抱歉，验证码填写错误", errors.CaptchaError),
    ("请输入验证码后继续登录", errors.CaptchaError),
    ("驗證碼錯誤", errors.CaptchaError),
    ("抱歉，验证问答填写错误", errors.CaptchaError),
    ("请选择安全提问以及填写正确的答案", errors.QuestionError),
    ("抱歉，安全提问答案填写错误", errors.QuestionError),
    ("您的请求来路不正确或表单验证串不符，无法提交", errors.StaleFormError),
    ("您的请求來路不正確，無法提交", errors.StaleFormError),
    ("您的帐号处于非激活状态", errors.LoginError),
    ("今天放假一天", errors.LoginError),
]


@pytest.mark.parametrize(("words", "error"), REFUSALS)
def test_a_refusal_is_told_by_its_words_and_never_tried_again(
    board: FaultyBoard, client: Client, words: str, error: type[errors.LoginError]
) -> None:
    board.on(X_PATH, form_page(X_FORM), box(words))
    with pytest.raises(errors.LoginError) as caught:
        login(client, NAME, PASSWORD)
    assert type(caught.value) is error
    assert f"「{words}」" in str(caught.value)
    assert caught.value.exit_code == 4
    assert len(sent(board)) == 1
    assert not client.expects_login


def test_an_empty_answer_is_a_stale_form(board: FaultyBoard, client: Client) -> None:
    board.on(X_PATH, form_page(X_FORM), Answer(body=b""))
    with pytest.raises(errors.StaleFormError, match="not looked at"):
        login(client, NAME, PASSWORD)
    assert len(sent(board)) == 1


@pytest.mark.parametrize("form", [X_FORM, V72_FORM, V6_FORM], ids=["X", "7.2", "6.x"])
@pytest.mark.parametrize(
    "captcha",
    [
        '<input type="text" name="seccodeverify" />',
        '<img src="misc.php?mod=seccode&amp;update=1" />',
        '<img src="seccode.php?update=1" />',
        '<input name="secanswer" />',
    ],
)
def test_a_captcha_in_the_form_is_reported_before_anything_is_sent(
    board: FaultyBoard, client: Client, form: str, captcha: str
) -> None:
    board.on(X_PATH if form is X_FORM else OLD_PATH, form_page(form, captcha=captcha))
    with pytest.raises(errors.CaptchaError, match="cookies"):
        login(client, NAME, PASSWORD)
    assert sent(board) == []


def test_a_captchas_empty_place_is_no_captcha(board: FaultyBoard, client: Client) -> None:
    # X3.5 prints the span always, and fills it by script only where one is wanted.
    board.on(
        X_PATH, form_page(X_FORM, captcha='<span id="seccode_cSaxT575"></span>'), Answer(headers=taken("a_auth"), body=b"ok")
    )
    board.on("/forum.php", Answer(body=MEMBER % LOGOUT[Family.X]))
    login(client, NAME, PASSWORD)
    assert len(sent(board)) == 1


def test_a_cookie_with_a_guests_page_is_no_login(board: FaultyBoard, client: Client) -> None:
    board.on(X_PATH, form_page(X_FORM), Answer(headers=taken("Ab1_2132_auth"), body=b"ok"))
    board.on("/forum.php", Answer(body=b'<html><form id="lsform"></form></html>'))
    with pytest.raises(errors.LoginError, match="guest page"):
        login(client, NAME, PASSWORD)
    assert not client.expects_login


def test_a_cookie_that_is_deleted_is_no_login(board: FaultyBoard, client: Client) -> None:
    gone = (("Set-Cookie", "Ab1_2132_auth=deleted; expires=Thu, 01-Jan-1970 00:00:01 GMT; path=/"),)
    board.on(X_PATH, form_page(X_FORM), Answer(headers=gone, body=box("登录失败").body))
    with pytest.raises(errors.WrongPasswordError):
        login(client, NAME, PASSWORD)


def test_the_form_again_without_a_word_is_no_login(board: FaultyBoard, client: Client) -> None:
    board.on(X_PATH, form_page(X_FORM))
    with pytest.raises(errors.LoginError, match="login form again"):
        login(client, NAME, PASSWORD)
    assert len(sent(board)) == 1


@pytest.mark.parametrize("fault", [Answer(500), Answer(429), Answer(body=b"abc", cut=1), Answer(503, (("Retry-After", "1"),))])
def test_a_fault_while_the_password_is_under_way_is_not_tried_again(board: FaultyBoard, client: Client, fault: Answer) -> None:
    board.on(X_PATH, form_page(X_FORM), fault)
    with pytest.raises(errors.BoardError):
        login(client, NAME, PASSWORD)
    assert len(sent(board)) == 1


def test_a_password_never_goes_to_another_host(board: FaultyBoard, client: Client) -> None:
    with FaultyBoard() as thief:
        thief.on("/take", Answer(body=b"thanks"))
        stolen = X_FORM.replace(
            'action="member.php?mod=logging&amp;action=login&amp;loginsubmit', f'action="{thief.url}take?action=login&amp;x'
        )
        board.on(X_PATH, form_page(stolen))
        with pytest.raises(errors.ForeignRedirectError, match="nothing was asked"):
            login(client, NAME, PASSWORD)
        board.on(X_PATH, form_page(X_FORM), redirect(f"{thief.url}take", 307))
        with pytest.raises(errors.ForeignRedirectError):
            login(client, NAME, PASSWORD)
        assert thief.seen == []


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (Answer(body="<html><title>页面重载开启</title></html>".encode()), errors.ChallengeError),
        (Answer(403, body=b"<html><title>403 Forbidden</title></html>"), errors.FirewallError),
        (box("抱歉，本站点暂时关闭"), errors.BoardClosedError),
        (Answer(404, body=b"<html>nginx</html>"), errors.NoSuchPageError),
    ],
)
def test_a_board_without_a_form_says_why(
    board: FaultyBoard, client: Client, answer: Answer, error: type[errors.BoardError]
) -> None:
    board.on(X_PATH, answer)
    board.on(OLD_PATH, answer)
    with pytest.raises(error):
        login(client, NAME, PASSWORD)
    assert sent(board) == []


# -- secrets


def test_neither_password_nor_answer_nor_cookie_shows_anywhere(
    board: FaultyBoard, client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    password, answer = "hunter2secret", "mothersname"
    endings = [
        Answer(headers=taken("a_auth"), body=b"ok"),
        box(f"登录失败 {password}"),
        box(f"{password}"),
        box("验证码"),
        Answer(body=b""),
        Answer(500, body=password.encode()),
        Answer(body=b"abc", cut=1),
        redirect(f"https://elsewhere.example.net/?password={password}&answer={answer}"),
        redirect(f"/member.php?auth={password}&answer={answer}"),
    ]
    shown = []
    with caplog.at_level(logging.DEBUG):
        for ending in endings:
            board.on(X_PATH, form_page(X_FORM), ending, Answer(500, body=b"x"))
            board.on("/forum.php", Answer(body=MEMBER % LOGOUT[Family.X]))
            try:
                login(client, NAME, password, question=1, answer=answer)
            except errors.BanshaError as error:
                shown += [str(error), repr(error), *traceback.format_exception(error)]
    assert len(sent(board)) == len(endings)
    assert all(password.encode() in seen.body for seen in sent(board)), "the test must carry the secret"
    ours = [record.getMessage() for record in caplog.records if record.name.startswith("scraper")]
    everything = "\n".join(shown + ours)
    assert len(shown) > 20
    for secret in (password, answer, COOKIE):
        assert secret not in everything


# -- the forms of real boards


@pytest.mark.skipif(not RECORDINGS.is_dir(), reason="the recordings of real boards are not beside the project")
@pytest.mark.parametrize(
    ("name", "action", "formhash"),
    [
        ("x35/guest__login_page", "member.php?mod=logging&action=login&loginsubmit=yes&loginhash=LA1Ul", "2fde486d"),
        ("dz72/guest__login_page", "logging.php?action=login&loginsubmit=yes", "37be16c3"),
        ("dz6/guest__thread_loginforum", "logging.php?action=login", "2042d0d1"),
    ],
)
def test_the_login_forms_of_real_boards_are_found_and_filled(name: str, action: str, formhash: str) -> None:
    url = "http://bbs.example.net/login"
    response = parse_response((RECORDINGS / f"{name}.http").read_bytes(), url=url, seen_at=World().now())
    form = find_login_form(response.body, response.header("Content-Type"), url)
    assert form is not None
    assert form.action == f"http://bbs.example.net/{action}"
    assert (form.charset, form.captcha) == ("utf-8", False)
    filled = dict(form.filled(username=NAME, password=PASSWORD, questionid="3"))
    assert {
        key: filled[key] for key in ("formhash", "username", "password", "questionid", "loginfield", "answer", "loginsubmit")
    } == {
        "formhash": formhash,
        "username": NAME,
        "password": PASSWORD,
        "questionid": "3",
        "loginfield": "username",
        "answer": "",
        "loginsubmit": "true",
    }


@pytest.mark.skipif(not RECORDINGS.is_dir(), reason="the recordings of real boards are not beside the project")
def test_no_other_recording_holds_a_login_form() -> None:
    truth = json.loads((RECORDINGS / "truth.json").read_text(encoding="utf-8"))
    assert truth
    for name in truth:
        response = parse_response((RECORDINGS / name).read_bytes(), url="http://bbs.example.net/", seen_at=World().now())
        assert find_login_form(response.body, response.header("Content-Type"), response.url) is None


ECHOES = {
    "a box": '<div id="messagetext" class="alert_error"><p>登录失败：{0}，{1}</p></div>',
    "a box that squeezes": '<div id="messagetext" class="alert_error"><p>登录失败：{0}   {1}</p></div>',
    "a title": "<title>欢迎 {0} {1}</title>",
}


@pytest.mark.parametrize("echo", ECHOES)
@pytest.mark.parametrize("secret", ["p@ss-w0rd", "two  words & <more>", "密码一二三四"])
def test_what_was_typed_stands_in_no_error_however_the_board_repeats_it(
    board: FaultyBoard, client: Client, caplog: pytest.LogCaptureFixture, echo: str, secret: str
) -> None:
    caplog.set_level(logging.DEBUG)
    answer = "我家的猫"
    body = f"<html><head></head><body>{ECHOES[echo].format(html.escape(secret), answer)}</body></html>"
    board.on(X_PATH, form_page(X_FORM), Answer(body=body.encode()))
    with pytest.raises(errors.BanshaError) as caught:
        login(client, NAME, secret, question=1, answer=answer)
    shown = "".join(traceback.format_exception(caught.value)) + caplog.text
    for part in (secret, " ".join(secret.split()), answer, html.escape(secret)):
        assert part not in shown


def test_what_was_typed_stands_in_no_error_where_a_redirect_repeats_it(board: FaultyBoard, client: Client) -> None:
    secret, elsewhere = "p@ss-w0rd", "https://other.example.net/in/p%40ss-w0rd?answer=1"
    board.on(X_PATH, form_page(X_FORM), Answer(302, (("Location", elsewhere),), b"x"))
    with pytest.raises(errors.ForeignRedirectError) as caught:
        login(client, NAME, secret)
    assert "ss-w0rd" not in "".join(traceback.format_exception(caught.value))


def test_a_password_is_not_sent_without_tls_where_the_board_has_it() -> None:
    with (
        Client("https://bbs.example.net/") as client,
        pytest.raises(errors.ForeignRedirectError, match="without TLS"),
    ):
        client.submit("http://bbs.example.net/member.php", (("password", "x"),), "utf-8", referer="https://bbs.example.net/")
