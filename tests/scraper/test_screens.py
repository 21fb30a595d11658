"""What boards show in a thread's place, each recognised by its own sign; and that a thread is never taken for one of them."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from scraper.httpfile import parse_response
from scraper.response import Response
from scraper.screen import Screen
from scraper.screens import is_signed_in, recognise
from tests.scraper.worlds import thread_page

RECORDINGS = Path(__file__).parents[3] / "shared" / "recordings"

# Message boxes: the structure is each board's, the words are the few that tell.
X_BOX = (
    '<!DOCTYPE html><html><head><meta charset="{charset}" /><title>提示信息 - 版杀论坛</title></head><body id="nv_forum">'
    '<form method="post" id="lsform" action="member.php?mod=logging&amp;action=login&amp;lssubmit=yes">'
    '<input name="password" /></form>'
    '<script type="text/javascript">var x = 1;</script>'
    '<div class="nfl" id="main_succeed" style="display: none"><div class="alert_right"><p>隐藏</p></div></div>'
    '<div id="wp"><div id="messagetext" class="{alert}"><p>{words}</p></div></div></body></html>'
)
V72_BOX = (
    '<html><head><meta http-equiv="Content-Type" content="text/html; charset={charset}" /><title> 版杀論壇 </title></head>'
    '<body id="viewthread"><div id="umenu"><a href="logging.php?action=login">登錄</a></div><div class="fcontent alert_win">'
    '<div class="postbox"><div class="{alert}"><p>{words}</p>'
    '<p class="alert_btnleft"><a href="javascript:history.back()">[ 返回 ]</a></p></div></div></div></body></html>'
)
V6_BOX = (
    '<html><head><meta http-equiv="Content-Type" content="text/html; charset={charset}" /><title> 版杀论坛 </title></head><body>'
    '<div class="wrap"><div class="box message"><h1>版杀论坛 提示信息</h1><p>{words}</p>'
    '<form name="login" method="post" action="logging.php?action=login"><input type="text" name="username" />密码'
    '<input type="password" name="password" /></form></div></div></body></html>'
)
TOUCH_BOX = (
    '<?xml version="1.0" encoding="{charset}"?><!DOCTYPE html><html><head><title>提示信息</title></head><body class="bg">'
    '<div class="jump_c"><p>{words}</p><p><a href="forum.php">返回</a></p></div></body></html>'
)
XML_BOX = '<?xml version="1.0" encoding="{charset}"?>\n<root><![CDATA[{words}<script>errorhandle()</script>]]></root>'
BOXES = {"X": X_BOX, "7.2": V72_BOX, "6.x": V6_BOX, "touch": TOUCH_BOX, "XML": XML_BOX}

WORDS = [
    # what the box says in short characters, in long ones, what it is
    ("抱歉，指定的主题不存在或已被删除", "指定的主題不存在或已被刪除，請返回", Screen.GONE),
    ("抱歉，本帖正在被审核", "本帖正在被審核", Screen.GONE),
    ("抱歉，本帖要求阅读权限高于 200", "本帖要求閱讀權限高於 200", Screen.NO_PERMISSION),
    ("您无权进行当前操作", "您無權進行當前操作", Screen.NO_PERMISSION),
    ("本版块只有特定用户可以访问", "本論壇只有特定用戶可以訪問", Screen.NO_PERMISSION),
    ("您的 IP 地址不在被允许的范围内", "您的 IP 地址不在被允許的範圍內", Screen.NO_PERMISSION),
    ("您无权进行当前操作。您还没有登录", "您無權進行當前操作。您還沒有登錄", Screen.LOGIN_WALL),
    ("抱歉，您尚未登录，没有权限访问该版块", "您尚未登入，沒有權限訪問該版塊", Screen.LOGIN_WALL),
    ("您两次发表间隔少于 15 秒，请稍候", "您兩次發表間隔少於 15 秒", Screen.FLOOD),
    ("10 秒内只能进行一次搜索", "10 秒內只能進行一次搜尋", Screen.FLOOD),
    ("抱歉，本站点暂时关闭", "本論壇暫時關閉", Screen.CLOSED),
    ("抱歉，指定的用户不存在", "指定的用戶不存在或已被刪除", Screen.UNKNOWN_AUTHOR),
    ("未定义操作", "未定義操作，請返回", Screen.UNKNOWN_AUTHOR),
    ("今天放假一天", "今天放假一天", Screen.REFUSED),
]
CHARSETS = [("utf-8", "utf-8"), ("gbk", "gb18030"), ("big5", "big5hkscs")]


@pytest.mark.parametrize("board", BOXES)
@pytest.mark.parametrize(("declared", "codec"), CHARSETS)
@pytest.mark.parametrize("alert", ["alert_error", "alert_info"])
@pytest.mark.parametrize(("short", "long", "screen"), WORDS)
def test_a_box_is_told_by_its_words(
    board: str, declared: str, codec: str, alert: str, short: str, long: str, screen: Screen
) -> None:
    words = long if codec == "big5hkscs" else short
    page = BOXES[board].format(charset=declared, alert=alert, words=words)
    # Big5 boards write long characters around the words too.
    page = (
        page.replace("论坛", "論壇").replace("隐藏", "隱藏").replace("杀", "殺").replace("码", "碼")
        if codec == "big5hkscs"
        else page
    )
    body = page.encode(codec)
    assert recognise(body, 200, f"text/html; charset={declared}") is screen
    assert recognise(body, 404, "text/html") is screen


def test_a_box_in_long_characters_is_read_in_utf_8_too() -> None:
    for _, words, screen in WORDS:
        assert recognise(V72_BOX.format(charset="utf-8", alert="alert_error", words=words).encode()) is screen


@pytest.mark.parametrize("style", ["display:none", "display: none", "DISPLAY : NONE;"])
def test_a_box_that_is_not_shown_says_nothing(style: str) -> None:
    page = (
        f'<html><title>首页</title><div style="{style}"><div class="alert_error"><p>主题不存在</p></div></div><p>你好</p></html>'
    )
    assert recognise(page.encode()) is Screen.UNKNOWN
    assert recognise(page.replace(style, "color:red").encode()) is Screen.GONE


# -- the other screens

RELOAD = (
    '<html><head><meta charset="{charset}" /><title>{title}</title></head><body bgcolor="#FFFFFF">'
    '<script type="text/javascript">function reload() {{ document.location.reload(); }} setTimeout("reload()", 1001);</script>'
    '<table><tr><td><b style="font-size: 16px">{title}</b><br />请稍候</td></tr></table></body></html>'
)
QUESTION = (
    "<html><head><title>3 + 4 = ?</title></head><body><form method='post'><table><tr><td>3 + 4 = ?"
    '<input type="text" name="answer" size="8" /><input type="submit" name="secqsubmit" class="button" value="OK" />'
    "</td></tr></table></form></body></html>"
)
OTHERS = {
    "reload, X3.5": (RELOAD.format(charset="", title="页面重载开启").encode(), 200, Screen.CHALLENGE),
    "reload, GBK": (RELOAD.format(charset="gbk", title="页面重载开启").encode("gbk"), 200, Screen.CHALLENGE),
    "reload, Big5": (
        RELOAD.format(charset="big5", title="頁面重載開啟").replace("请稍候", "請稍候").encode("big5"),
        200,
        Screen.CHALLENGE,
    ),
    "reload, words only": (
        "<html><title>页面重载开启</title><body>页面重载开启</body></html>".encode("gbk"),
        200,
        Screen.CHALLENGE,
    ),
    "too quick": ("<html><title>频繁刷新限制</title><body>请等待</body></html>".encode(), 200, Screen.CHALLENGE),
    "question": (QUESTION.encode(), 200, Screen.CHALLENGE),
    "_dsign": (
        b'<script>window.location.href="/forum.php?mod=viewthread&tid=1&_dsign=12ab34cd";</script>',
        200,
        Screen.CHALLENGE,
    ),
    "a cookie by script": (
        b'<html><head><script>document.cookie="safe=1;path=/";location.href=location.href;</script></head><body></body></html>',
        200,
        Screen.CHALLENGE,
    ),
    "obfuscated script": (b"<script type='text/javascript'>var _a=['x'];eval(_a[0])</script>", 200, Screen.CHALLENGE),
    "acw": (b"<html><script>var arg1='A';function setCookie(){'acw_sc__v2'}</script>text</html>", 200, Screen.CHALLENGE),
    "jsl": (b"<script>document.cookie='__jsl_clearance=1'</script> wait", 521, Screen.CHALLENGE),
    "just a moment": (b"<html><head><title>Just a moment...</title></head><body>wait</body></html>", 503, Screen.CHALLENGE),
    "firewall by title": (
        b"<html><head><title>Attention Required! | x</title></head><body>blocked</body></html>",
        403,
        Screen.FIREWALL,
    ),
    "firewall in words": (
        "<html><title>网站防火墙</title><body>您的请求带有不合法参数</body></html>".encode(),
        200,
        Screen.FIREWALL,
    ),
    "firewall, GBK": ("<html><title>拦截</title><body>网站防火墙</body></html>".encode("gbk"), 200, Screen.FIREWALL),
    "proxies refused": ("<html><title>代理服务器访问限制</title><body>x</body></html>".encode(), 200, Screen.FIREWALL),
    "forbidden": (b"<html><head><title>403 Forbidden</title></head><body>nginx</body></html>", 403, Screen.FIREWALL),
    "forbidden, bare": (b"no", 403, Screen.FIREWALL),
    "database, X3.5": (b"<html><head>\n<title>bbs.example.net - Database Error</title></head></html>", 503, Screen.DATABASE_DOWN),
    "system error, X2": (b"<html><title>bbs.example.net - System Error</title></html>", 200, Screen.DATABASE_DOWN),
    "database, 7.2": (b"<p><b>Discuz! info</b>: Can not connect to MySQL server</p>", 200, Screen.DATABASE_DOWN),
    "database, 6.0": (b"<b>Discuz! info:</b> Can not connect to MySQL server<br />", 200, Screen.DATABASE_DOWN),
    "query, 7.2": (b"<b>Discuz! info</b>: MySQL Query Error<br />", 200, Screen.DATABASE_DOWN),
    "nothing": (b"", 200, Screen.EMPTY),
    "white space": (b"\r\n \n", 200, Screen.EMPTY),
    "login form, 7.2": (
        b'<html><title> Board </title><form name="login" id="loginform" action="logging.php?action=login"></form></html>',
        200,
        Screen.LOGIN_WALL,
    ),
    "web server's 404": (b"<html><title>404 Not Found</title><body>nginx</body></html>", 404, Screen.NO_SUCH_PAGE),
    "gone for good": (b"<html><title>x</title><body>y</body></html>", 410, Screen.NO_SUCH_PAGE),
    "a page of something else": (b"<html><title>Welcome</title><body>Hello</body></html>", 200, Screen.UNKNOWN),
    "plain text": (b"It works!", 200, Screen.UNKNOWN),
}


@pytest.mark.parametrize(("body", "status", "screen"), OTHERS.values(), ids=OTHERS.keys())
def test_a_screen_is_told_by_its_sign(body: bytes, status: int, screen: Screen) -> None:
    assert recognise(body, status, "text/html") is screen


API = [
    ({"error": "to_login"}, Screen.LOGIN_WALL),
    ({"Variables": {}, "Message": {"messageval": "to_login//1", "messagestr": "请先登录"}}, Screen.LOGIN_WALL),
    ({"Message": {"messageval": "viewperm_login_nopermission//1", "messagestr": "抱歉"}}, Screen.LOGIN_WALL),
    ({"Message": {"messageval": "viewperm_none_nopermission", "messagestr": "抱歉"}}, Screen.NO_PERMISSION),
    ({"Message": {"messageval": "thread_nopermission", "messagestr": "抱歉"}}, Screen.NO_PERMISSION),
    ({"Message": {"messageval": "thread_nonexistence", "messagestr": "抱歉"}}, Screen.GONE),
    ({"Message": {"messageval": "post_flood_ctrl//0", "messagestr": "抱歉"}}, Screen.FLOOD),
    ({"Message": {"messageval": "board_closed", "messagestr": ""}}, Screen.CLOSED),
    ({"Message": {"messageval": "custom//1", "messagestr": "抱歉，<b>本站点暂时关闭</b>"}}, Screen.CLOSED),
    ({"Message": {"messageval": "undefined_action", "messagestr": ""}}, Screen.UNKNOWN_AUTHOR),
    ({"error": "mobile_is_closed"}, Screen.API_REFUSED),
    ({"error": "module_not_exists"}, Screen.API_REFUSED),
    ({"Message": {"messageval": "something_new", "messagestr": "你好"}}, Screen.API_REFUSED),
    ({"Variables": {"member_uid": "0"}}, Screen.UNKNOWN),
]


@pytest.mark.parametrize(("answer_", "screen"), API)
def test_the_mobile_api_is_told_by_its_codes(answer_: dict[str, object], screen: Screen) -> None:
    assert recognise(json.dumps(answer_).encode(), 200, "application/json") is screen


@pytest.mark.parametrize("body", [b'{"Version":"4","Variables":{"threa', b"{}", b"{ nothing }"])
def test_broken_json_is_of_unknown_layout(body: bytes) -> None:
    assert recognise(body, 200, "application/json") is Screen.UNKNOWN


def test_the_database_errors_page_comes_as_html_from_the_api_too() -> None:
    assert recognise(b"<title>x - Database Error</title>", 503, "application/json") is Screen.DATABASE_DOWN


# -- what is a thread, whatever stands in it

TRAPS = [
    "页面重载开启",
    "抱歉，指定的主题不存在或已被删除",
    "Discuz! info: Can not connect to MySQL server",
    "网站防火墙 安全狗",
    '<div class="alert_error">权限</div>',
    '<div id="messagetext" class="alert_error"><p>未登录</p></div>',
    "&lt;title&gt;x - Database Error&lt;/title&gt;",
    '<a href="forum.php?_dsign=12">_dsign=1 acw_sc__v2 secqsubmit</a>',
]


@pytest.mark.parametrize("words", TRAPS)
@pytest.mark.parametrize("charset", ["utf-8", "gbk"])
def test_a_thread_that_talks_of_screens_is_a_thread(words: str, charset: str) -> None:
    assert recognise(thread_page(words, charset=charset), 200, f"text/html; charset={charset}") is None


def test_a_thread_named_database_error_is_a_thread() -> None:
    page = thread_page().replace("第二天 投票帖".encode(), b"x - Database Error")
    assert recognise(page) is None


def test_the_apis_thread_is_a_thread_whatever_its_posts_say() -> None:
    posts = [{"pid": "1", "message": '{"error":"to_login"} "Message":{"messageval":"thread_nonexistence"}'}]
    assert recognise(json.dumps({"Variables": {"postlist": posts}}).encode()) is None


def test_a_post_cannot_make_the_apis_refusal_a_thread() -> None:
    body = json.dumps({"Message": {"messageval": "thread_nonexistence", "messagestr": '"postlist":['}}).encode()
    assert recognise(body) is Screen.GONE


@pytest.mark.parametrize(
    "body",
    [
        b'<html><title>x Archiver</title><div id="content"><p class="author"><strong>A</strong></p></div></html>',
        b'<html><title>x</title><body><b>A</b><hr noshade size="2" width="100%" color="#808080"></body></html>',
        b'<html><body><a class="floor" href="showtopic-5-2.aspx">2</a></body></html>',
    ],
    ids=["archiver", "printable", "Discuz!NT"],
)
def test_surfaces_that_cannot_be_counted_are_left_to_the_dialects(body: bytes) -> None:
    assert recognise(body) is None


# -- real boards

RECORDED = {
    "x35/guest__thread_notexist.http": Screen.GONE,
    "x35/guest__thread_readperm.http": Screen.NO_PERMISSION,
    "x35/guest__login_page.http": Screen.LOGIN_WALL,
    "x35/guest__dberror_vote.http": Screen.DATABASE_DOWN,
    "x35/guest__attackevasive4_first.http": Screen.CHALLENGE,
    "x35/player__flood_reply2.http": Screen.FLOOD,
    "dz72/guest__login_page.http": Screen.LOGIN_WALL,
    "dz72/guest__thread_notexist.http": Screen.GONE,
    "dz6/guest__thread_loginforum.http": Screen.LOGIN_WALL,
}


def recorded(name: str) -> Response:
    return parse_response(
        (RECORDINGS / name).read_bytes(), url=f"http://bbs.example.net/{name}", seen_at=datetime(2026, 11, 29, 20, 37, tzinfo=UTC)
    )


@pytest.mark.skipif(not RECORDINGS.is_dir(), reason="the recordings of real boards are not beside the project")
def test_every_recording_is_what_its_name_says() -> None:
    found = {}
    for path in sorted(RECORDINGS.glob("*/*.http")):
        name = path.relative_to(RECORDINGS).as_posix()
        response = recorded(name)
        screen = recognise(response.body, response.status, response.header("Content-Type"))
        if screen is not None:
            found[name] = screen
    assert found == RECORDED
    assert len(list(RECORDINGS.glob("*/*.http"))) > len(found)


@pytest.mark.skipif(not RECORDINGS.is_dir(), reason="the recordings of real boards are not beside the project")
@pytest.mark.parametrize(
    ("name", "signed_in"),
    [
        ("x35/player__flood_reply2.http", True),
        ("x35/guest__vote_p1.http", False),
        ("x35/guest__thread_readperm.http", False),
        ("x34gbk/guest__vote_p2.http", False),
        ("x2/guest__vote_p1.http", False),
        ("dz72/guest__vote_p1.http", False),
        ("dz6/guest__vote_p1.http", False),
        ("x35/guest__api_mobile_v4_viewthread_p1.http", False),
        ("x34gbk/guest__api_mobile_v1_viewthread_p1.http", False),
        ("x35/guest__dberror_vote.http", None),
    ],
)
def test_real_boards_tell_whom_a_page_was_made_for(name: str, signed_in: bool | None) -> None:
    assert is_signed_in(recorded(name).body) is signed_in


# -- accounts

LOGOUT = '<a href="member.php?mod=logging&amp;action=logout&amp;formhash=x">退出</a>'
LOGIN = '<a href="member.php?mod=logging&amp;action=login">登录</a>'
OLD_LOGOUT = '<a href="logging.php?action=logout&amp;formhash=x">退出</a>'
OLD_LOGIN = '<a href="logging.php?action=login">登录</a>'


@pytest.mark.parametrize(
    ("head", "words", "signed_in"),
    [
        (LOGOUT, "", True),
        (OLD_LOGOUT, "", True),
        (LOGOUT + LOGIN, "", True),
        (LOGIN, "", False),
        (OLD_LOGIN, "", False),
        ('<form id="lsform"></form>', "", False),
        ("", "", None),
        # A player can write either link.
        (LOGIN, LOGOUT, False),
        (LOGOUT, LOGIN, True),
        ("", LOGIN, None),
    ],
)
def test_only_the_head_of_a_page_tells_whom_it_was_made_for(head: str, words: str, signed_in: bool | None) -> None:
    assert is_signed_in(thread_page(words, head=head)) is signed_in


@pytest.mark.parametrize(("uid", "signed_in"), [('"0"', False), ('"7"', True), ("7", True), ("0", False)])
def test_the_api_tells_it_by_uid(uid: str, signed_in: bool) -> None:
    assert is_signed_in(f'{{"Variables":{{"member_uid":{uid},"postlist":[{{}}]}}}}'.encode()) is signed_in
