"""What a page really is: a thread, or one of the screens that boards show in its place, mostly with status 200.

A thread page passes through after one short search of its bytes. Everything else is looked at in the order: mobile API,
message box, database error, challenge, firewall, login form, web server's own page; what is left is of unknown layout.
Facts: boxes and their words X2 to X3.5, 7.2 and 6.0; the words of 6.1 and of Big5 boards from their language files.
"""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import assert_never

from scraper import errors
from scraper.forms import message_box, page_title, show_line
from scraper.httpfile import format_response
from scraper.phrases import phrase
from scraper.response import Response
from scraper.screen import Screen
from scraper.transport import safe_url

# What only a thread's page has, on any surface: X and 7.x, 6.x, touch, the mobile API, one post as XML. Nearly every thread has
# one of the plain marks, and a plain search costs a thirtieth of the pattern.
_PLAIN_MARKS = (b'id="postlist"', b'id="postmessage_', b'"postlist":[')
_THREAD = re.compile(rb'id="(?:postlist|post_\d|pid\d)|postmessage_\d|authorposton\d|postnum_?\d|"postlist":\s*\[')
# The surfaces that cannot be counted (archiver, printable, 6.x polls, Discuz!NT): the dialects refuse them, with the reason.
_OTHER_SURFACE = re.compile(
    rb'<p class="author">|<hr noshade size="2" width="100%"|id="ajaxspecialpost"|<a[^>]+href="[^">]*showtopic-\d', re.I
)
_BOX = re.compile(
    rb'id="messagetext"|class="[^"]*\balert_(?:error|info)\b|class="box message"|class="jump_c"|<root><!\[CDATA\[', re.I
)
_DATABASE = re.compile(
    rb"<title>[^<]*(?:Database|System) Error\s*</title>|Discuz! info(?:</b>|:|\s)*(?:Can ?not connect|MySQL)", re.I
)
_LOGIN_FORM = re.compile(rb"""<form[^>]*(?:\bid="loginform|\bname="login")[^>]*>""", re.I)
_GUEST = re.compile(rb"""id="lsform"|(?:mod=logging(?:&amp;|&)|logging\.php\?)action=login""")
_MEMBER = re.compile(rb"""(?:mod=logging(?:&amp;|&)|logging\.php\?)action=logout""")

_CHALLENGE = re.compile(
    rb"""[?&]_dsign=|name="secqsubmit"|acw_sc__v2|__jsl_clearance|_cf_chl_opt|cf-browser-verification|yunsuo_session_verify|"""
    rb"""<title>(?:Just a moment|CC check)""",
    re.I,
)
_FIREWALL = re.compile(
    rb"<title>[^<]*(?:Attention Required!|\bWAF\b|Firewall|Access Denied|403 Forbidden)|"
    rb"errors\.aliyun\.com|wangzhan\.360|safedog|btwaf",
    re.I,
)
# These are told by words that an index page may hold as well: they count on small pages only (bytes).
_SMALL = 16384
_RELOAD = re.compile(rb"""location\.reload\(|setTimeout\(["']reload\(\)""")
_RELOAD_WORDS = ("页面重载开启", "頁面重載開啟", "页面正在重新载入", "頁面正在重新載入", "频繁刷新限制", "頻繁刷新限制")
_FIREWALL_WORDS = ("防火墙", "防火牆", "云锁", "安全狗", "不合法参数", "代理服务器访问限制", "代理服務器訪問限制")

# The words of a box, in the order in which they decide. A wall that says both (6.x: no right, and not logged in) is a login wall:
# that is what helps.
_WORDS: tuple[tuple[Screen, tuple[str, ...]], ...] = (
    (Screen.FLOOD, ("发表间隔", "發表間隔", "秒内只能", "秒內只能", "秒钟内只能", "秒鐘內只能", "灌水")),
    (
        Screen.LOGIN_WALL,
        (
            "未登录",
            "未登錄",
            "未登入",
            "没有登录",
            "沒有登錄",
            "沒有登入",
            "请登录",
            "請登錄",
            "請登入",
            "先登录",
            "先登錄",
            "先登入",
        ),
    ),
    (Screen.UNKNOWN_AUTHOR, ("用户不存在", "用戶不存在", "会员不存在", "會員不存在", "未定义操作", "未定義操作")),
    (Screen.GONE, ("不存在", "已被删除", "已被刪除", "被审核", "被審核", "正在审核", "正在審核")),
    (
        Screen.CLOSED,
        ("暂时关闭", "暫時關閉", "站点关闭", "站點關閉", "论坛关闭", "論壇關閉", "论坛已关闭", "論壇已關閉", "站点已关闭"),
    ),
    (
        Screen.NO_PERMISSION,
        (
            *("权限", "權限", "无权", "無權", "特定用户", "特定用戶", "用户组", "用戶組", "不在被允许", "不在被允許", "被禁用"),
            *("不欢迎", "不歡迎", "禁止访问", "禁止訪問", "访问密码", "訪問密碼", "需要密码", "需要密碼", "才可浏览", "才可瀏覽"),
        ),
    ),
)
# The codes of the mobile API's Message.messageval and error, without their `//1`.
_CODES: tuple[tuple[Screen, re.Pattern[str]], ...] = (
    (Screen.FLOOD, re.compile("flood")),
    (Screen.LOGIN_WALL, re.compile("to_login|login|not_logged")),
    (Screen.UNKNOWN_AUTHOR, re.compile("member_nonexistence|undefined_action")),
    (Screen.GONE, re.compile("nonexistence|noexist")),
    (Screen.CLOSED, re.compile("board_closed")),
    (Screen.NO_PERMISSION, re.compile("noperm|nopermission|no_privilege|banned|passwd")),
)

# Where a guest's page, for one who sent an account's cookies, means that the login ran out.
_GUEST_SCREENS = (None, Screen.LOGIN_WALL, Screen.NO_PERMISSION)
_SIGNED_ENOUGH = 65536


def recognise(body: bytes, status: int = 200, content_type: str = "") -> Screen | None:
    """Which screen a page is; None for a thread (on any surface, those included that the dialects then refuse)."""
    return _look(body, status, content_type)[0]


def check_response(response: Response, *, expects_login: bool = False) -> None:
    """Raise the error of the screen that a response is; a thread's page passes.

    With `expects_login` a guest's view of a thread, or of a wall, raises SessionEndedError. A page of unknown layout raises
    LayoutError (exit 8) with its title: the caller keeps it with `save_copy`. All others are BoardErrors (exit 4), and cite
    the board.
    """
    screen, said = _look(response.body, response.status, response.header("Content-Type"))
    if expects_login and screen in _GUEST_SCREENS and is_signed_in(response.body) is False:
        cited = phrase(" The board says: 「{said}」.", said=said[:200]) if said else ""
        raise errors.SessionEndedError(
            phrase(
                "{url}: the board shows its guest page, though cookies of an account were sent: the login ran "
                "out.{cited} Log in again with `bansha login`, or export the cookies anew.",
                url=safe_url(response.url),
                cited=cited,
            ),
            response,
        )
    if screen is not None:
        raise _error(screen, said, response)


def is_signed_in(body: bytes) -> bool | None:
    """Whether a page was made for an account: True where it offers to log out, False where it offers to log in, else None.

    Only the page's head is looked at, since a player can write either link into a post; the mobile API says it by uid.
    """
    if body.lstrip()[:1] == b"{":
        match = re.search(rb'"member_uid":\s*"?(\d+)', body)
        return None if match is None else int(match[1]) > 0
    start = _THREAD.search(body)
    head = body[: start.start() if start else _SIGNED_ENOUGH]
    if _MEMBER.search(head):
        return True
    return False if _GUEST.search(head) else None


def is_database_down(body: bytes) -> bool:
    """Whether a page is Discuz!'s own database error (status 503 on X3.5, else 200; HTML even from the API)."""
    return not _is_thread(body) and _DATABASE.search(body) is not None


def is_guarded(body: bytes) -> bool:
    """Whether a page is a challenge or a firewall's: asking again only makes it worse."""
    return recognise(body) in (Screen.CHALLENGE, Screen.FIREWALL)


def save_copy(response: Response, folder: Path) -> Path:
    """Keep a page that could not be read, as an `.http` file in `folder` (made where missing); its path, for the message.

    The name holds when it was seen (UTC) and its status; a copy that is there is never overwritten.
    """
    folder.mkdir(parents=True, exist_ok=True)
    stem = f"page-{response.seen_at:%Y%m%d-%H%M%S}-{response.status}"
    data = format_response(response)
    for number in range(1, 1000):
        path = folder / f"{stem}{'' if number == 1 else f'-{number}'}.http"
        try:
            with path.open("xb") as file:
                file.write(data)
        except FileExistsError:
            if path.read_bytes() == data:
                return path
            continue
        return path
    raise errors.UsageError(phrase("{folder}: a thousand copies of one second are in it: clear it up first.", folder=folder))


def _look(body: bytes, status: int, content_type: str) -> tuple[Screen | None, str]:
    """The screen, and what it says in words (a box's text, an API's code, a title)."""
    if not body.strip():
        return Screen.EMPTY, ""
    if _is_thread(body):
        return None, ""
    if body.lstrip()[:1] == b"{":
        return _look_at_api(body)
    if _BOX.search(body) and (said := message_box(body, content_type)):
        return _by_words(said), said
    if _DATABASE.search(body):
        return Screen.DATABASE_DOWN, page_title(body, content_type)
    if _OTHER_SURFACE.search(body):
        return None, ""
    title = page_title(body, content_type)
    if _is_challenge(body):
        return Screen.CHALLENGE, title
    if _FIREWALL.search(body) or (len(body) < _SMALL and _says(body, _FIREWALL_WORDS)):
        return Screen.FIREWALL, title
    if _LOGIN_FORM.search(body):
        return Screen.LOGIN_WALL, title
    match status:
        case 404 | 410:
            return Screen.NO_SUCH_PAGE, title
        case 401 | 403 | 405 | 406 | 451:
            return Screen.FIREWALL, title or f"status {status}"
        case _:
            return Screen.UNKNOWN, title


def _is_thread(body: bytes) -> bool:
    return any(mark in body for mark in _PLAIN_MARKS) or _THREAD.search(body) is not None


def _look_at_api(body: bytes) -> tuple[Screen, str]:
    try:
        answer = json.loads(body)
    except ValueError:
        return Screen.UNKNOWN, "JSON that is cut short or broken"
    if not isinstance(answer, dict):
        return Screen.UNKNOWN, "JSON of another kind"
    message = answer.get("Message")
    told = message if isinstance(message, dict) else {}
    code = show_line(str(answer.get("error") or told.get("messageval") or "").split("//")[0])
    words = show_line(html.unescape(re.sub(r"<[^>]*>", "", str(told.get("messagestr") or ""))))
    said = f"{code}: {words}" if code and words else code or words
    if not said:
        return Screen.UNKNOWN, "JSON without a thread and without a message"
    by_code = next((screen for screen, pattern in _CODES if pattern.search(code)), None)
    if by_code is not None:
        return by_code, said
    by_words = _by_words(words)
    return (Screen.API_REFUSED if by_words is Screen.REFUSED else by_words), said


def _by_words(said: str) -> Screen:
    squeezed = re.sub(r"\s+", "", said)
    return next((screen for screen, words in _WORDS if any(word in squeezed for word in words)), Screen.REFUSED)


def _says(body: bytes, words: tuple[str, ...]) -> bool:
    """Whether a page says one of the words in any of the boards' encodings, whatever it claims to be in."""
    return any(word.encode(charset, "ignore") in body for charset in ("utf-8", "gb18030") for word in words) or any(
        word.encode("big5hkscs") in body for word in words if _fits_big5(word)
    )


def _fits_big5(word: str) -> bool:
    try:
        word.encode("big5hkscs")
    except UnicodeEncodeError:
        return False
    return True


def _is_challenge(body: bytes) -> bool:
    if _CHALLENGE.search(body) or _is_script_only(body):
        return True
    return len(body) < _SMALL and (_RELOAD.search(body) is not None or _says(body, _RELOAD_WORDS))


def _is_script_only(body: bytes) -> bool:
    """A page without a word to read, that only runs a script: it sets a cookie and comes again (`_dsign` and its like)."""
    if b"<script" not in body.lower():
        return False
    visible = re.sub(rb"(?is)<(script|style|noscript|title)\b.*?(?:</\1\s*>|\Z)|<[^>]*>|&nbsp;", b"", body)
    return not visible.strip()


def _error(screen: Screen, said: str, response: Response) -> errors.BanshaError:
    where = safe_url(response.url)
    cited = phrase(" The board says: 「{said}」.", said=said[:200]) if said else ""
    match screen:
        case Screen.LOGIN_WALL:
            return errors.LoginWallError(
                phrase(
                    "{where}: only members may read this.{cited} Log in with `bansha login`, or set cookies under [forum].",
                    where=where,
                    cited=cited,
                ),
                response,
            )
        case Screen.NO_PERMISSION:
            return errors.NoPermissionError(
                phrase(
                    "{where}: no permission to read this.{cited} Use an account that may (`bansha login`), or ask the board.",
                    where=where,
                    cited=cited,
                ),
                response,
            )
        case Screen.GONE:
            return errors.ThreadGoneError(
                phrase(
                    "{where}: no such thread, or it was deleted or waits for approval.{cited} Check its number in game.toml.",
                    where=where,
                    cited=cited,
                ),
                response,
            )
        case Screen.FLOOD:
            return errors.FloodError(
                phrase(
                    "{where}: the board wants a longer pause.{cited} Wait, and raise forum.interval.", where=where, cited=cited
                ),
                response,
            )
        case Screen.CLOSED:
            return errors.BoardClosedError(
                phrase("{where}: the board is closed.{cited} Try again when it is open.", where=where, cited=cited), response
            )
        case Screen.UNKNOWN_AUTHOR:
            return errors.UnknownAuthorError(
                phrase(
                    "{where}: the board knows no such author here, or no such action.{cited} Check the uid and the address.",
                    where=where,
                    cited=cited,
                ),
                response,
            )
        case Screen.REFUSED:
            return errors.RefusedError(
                phrase("{where}: the board refuses.{cited} Look at the page in a browser.", where=where, cited=cited), response
            )
        case Screen.DATABASE_DOWN:
            return errors.DatabaseDownError(
                phrase("{where}: the board's database does not answer.{cited} Try again later.", where=where, cited=cited),
                response,
            )
        case Screen.CHALLENGE:
            return errors.ChallengeError(
                phrase(
                    "{where}: the board checks for a browser (reload, question or script), and the check is not "
                    "evaded.{cited} Open the board in a browser and import its cookies, or ask its administrator to "
                    "let bansha in.",
                    where=where,
                    cited=cited,
                ),
                response,
            )
        case Screen.FIREWALL:
            return errors.FirewallError(
                phrase(
                    "{where}: a firewall in front of the board refuses (status {status}).{cited} Stop for a while, "
                    "and ask the board's administrator.",
                    where=where,
                    status=response.status,
                    cited=cited,
                ),
                response,
            )
        case Screen.EMPTY:
            return errors.EmptyPageError(
                phrase("{where}: the answer is empty (status {status}). Try again later.", where=where, status=response.status),
                response,
            )
        case Screen.API_REFUSED:
            return errors.ApiRefusedError(
                phrase(
                    "{where}: the board's mobile API refuses or is switched off.{cited} Read the desktop pages instead.",
                    where=where,
                    cited=cited,
                ),
                response,
            )
        case Screen.NO_SUCH_PAGE:
            return errors.NoSuchPageError(
                phrase(
                    "{where}: the web server has no such page (status {status}). Check url under [forum]: it is the "
                    "folder that forum.php or viewthread.php lies in.",
                    where=where,
                    status=response.status,
                ),
                response,
            )
        case Screen.UNKNOWN:
            return errors.LayoutError(
                phrase(
                    "{where}: a page of unknown layout, titled 「{said}」 (status {status}).",
                    where=where,
                    said=said[:200],
                    status=response.status,
                ),
                response,
            )
    assert_never(screen)
