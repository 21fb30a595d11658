"""The error of every screen: its class, its exit code, what it cites and what it hides; and copies of unknown pages."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from scraper import errors
from scraper.httpfile import parse_response
from scraper.screen import Screen
from scraper.screens import check_response, recognise, save_copy
from tests.scraper.test_screens import API, LOGIN, LOGOUT, OTHERS, V6_BOX, V72_BOX, WORDS, X_BOX
from tests.scraper.worlds import answer, thread_page

ERRORS: dict[Screen, type[errors.BanshaError]] = {
    Screen.LOGIN_WALL: errors.LoginWallError,
    Screen.NO_PERMISSION: errors.NoPermissionError,
    Screen.GONE: errors.ThreadGoneError,
    Screen.FLOOD: errors.FloodError,
    Screen.CLOSED: errors.BoardClosedError,
    Screen.UNKNOWN_AUTHOR: errors.UnknownAuthorError,
    Screen.REFUSED: errors.RefusedError,
    Screen.DATABASE_DOWN: errors.DatabaseDownError,
    Screen.CHALLENGE: errors.ChallengeError,
    Screen.FIREWALL: errors.FirewallError,
    Screen.EMPTY: errors.EmptyPageError,
    Screen.API_REFUSED: errors.ApiRefusedError,
    Screen.NO_SUCH_PAGE: errors.NoSuchPageError,
    Screen.UNKNOWN: errors.LayoutError,
}


def examples() -> dict[Screen, tuple[bytes, int]]:
    """One body and status of every screen."""
    found: dict[Screen, tuple[bytes, int]] = {screen: (body, status) for body, status, screen in OTHERS.values()}
    found |= {screen: (json.dumps(one).encode(), 200) for one, screen in API if screen is Screen.API_REFUSED}
    found |= {
        screen: (X_BOX.format(charset="utf-8", alert="alert_error", words=words).encode(), 200) for words, _, screen in WORDS
    }
    return found


@pytest.mark.parametrize("screen", list(Screen))
def test_every_screen_has_its_own_error_with_the_address(screen: Screen) -> None:
    body, status = examples()[screen]
    assert recognise(body, status) is screen
    with pytest.raises(errors.BanshaError) as caught:
        check_response(answer(body, status))
    assert type(caught.value) is ERRORS[screen]
    assert caught.value.exit_code == (8 if screen is Screen.UNKNOWN else 4)
    assert "https://bbs.example.net/forum.php?mod=viewthread&tid=1235" in str(caught.value)
    assert len({str(kind) for kind in ERRORS.values()}) == len(Screen)


def test_a_page_of_unknown_layout_is_named_by_its_title_and_handed_on() -> None:
    response = answer(b"<html><title>\n Hello &amp;  welcome </title></html>")
    with pytest.raises(errors.LayoutError, match="「Hello & welcome」") as caught:
        check_response(response)
    assert caught.value.response == response


def test_what_a_board_says_cannot_move_the_terminals_cursor() -> None:
    for page in (
        V72_BOX.format(charset="utf-8", alert="alert_error", words="不存在\x1b[2J&#8238;x"),
        "<html><title>\x1b[2J&#8238;</title><body>x</body></html>",
        json.dumps({"Message": {"messageval": "thread_nonexistence", "messagestr": "\x1b[2J\u202e"}}),
    ):
        with pytest.raises(errors.BanshaError) as caught:
            check_response(answer(page.encode()))
        assert "\\u{1b}[2J" in str(caught.value)
        assert "\\u{202e}" in str(caught.value)
        assert str(caught.value).isprintable()


def test_tokens_in_the_address_are_masked() -> None:
    with pytest.raises(errors.EmptyPageError) as caught:
        check_response(answer(b"", url="https://bbs.example.net/forum.php?tid=1&auth=s3cret"))
    assert "s3cret" not in str(caught.value)


def test_a_thread_passes_and_a_guests_page_only_where_a_guest_reads() -> None:
    response = answer(thread_page(head=LOGIN))
    check_response(response)
    with pytest.raises(errors.SessionEndedError):
        check_response(response, expects_login=True)
    check_response(answer(thread_page(head=LOGOUT)), expects_login=True)
    check_response(answer(thread_page()), expects_login=True)


@pytest.mark.parametrize("words", ["您还没有登录", "没有权限访问该版块"])
def test_a_wall_before_an_account_that_is_no_longer_logged_in_says_so(words: str) -> None:
    guest = answer(V72_BOX.format(charset="utf-8", alert="alert_error", words=words).encode())
    with pytest.raises(errors.SessionEndedError, match=f"ran out.*「{words}」"):
        check_response(guest, expects_login=True)
    with pytest.raises((errors.LoginWallError, errors.NoPermissionError)):
        check_response(guest)


def test_an_account_without_permission_is_not_logged_out() -> None:
    page = V72_BOX.format(charset="utf-8", alert="alert_error", words="没有权限").replace("action=login", "action=logout")
    with pytest.raises(errors.NoPermissionError):
        check_response(answer(page.encode()), expects_login=True)


def test_screens_that_every_page_would_meet_end_the_run() -> None:
    ending = {screen for screen, kind in ERRORS.items() if issubclass(kind, errors.BoardError) and kind.stops_run}
    assert {Screen.CHALLENGE, Screen.FIREWALL, Screen.CLOSED, Screen.DATABASE_DOWN} <= ending
    assert Screen.GONE not in ending
    assert Screen.NO_PERMISSION not in ending


# -- copies


def test_a_copy_is_the_page_and_can_be_read_back(tmp_path: Path) -> None:
    response = answer(b"<html>\r\n\x00\xff</html>")
    path = save_copy(response, tmp_path / "copies")
    assert path.name == "page-20180605-130001-200.http"
    back = parse_response(path.read_bytes(), url=response.url)
    assert (back.body, back.status, back.seen_at) == (response.body, response.status, response.seen_at)


def test_copies_of_one_second_stand_side_by_side_and_the_same_one_once(tmp_path: Path) -> None:
    first, again, other = (save_copy(answer(body), tmp_path) for body in (b"a", b"a", b"b"))
    assert first == again
    assert other.name == "page-20180605-130001-200-2.http"
    assert len(list(tmp_path.iterdir())) == 2


# -- cost


def test_neither_a_thread_nor_the_client_loads_the_heavy_libraries() -> None:
    code = (
        "import sys\n"
        "import scraper.client, scraper.screens, scraper.login, scraper.cookies\n"
        "from tests.scraper.worlds import thread_page\n"
        "assert scraper.screens.recognise(thread_page()) is None\n"
        "heavy = {'bs4', 'lxml', 'requests', 'urllib3', 'tenacity', 'vcr'} & set(sys.modules)\n"
        "sys.exit(f'loaded: {heavy}' if heavy else 0)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parents[2], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr


def test_a_box_is_cited_in_its_error_without_buttons_and_hidden_text() -> None:
    page = V72_BOX.format(charset="utf-8", alert="alert_error", words="指定的主題 不存在")
    with pytest.raises(errors.ThreadGoneError) as caught:
        check_response(answer(page.encode(), status=404))
    assert "「指定的主題 不存在」" in str(caught.value)
    assert "返回" not in str(caught.value)


def test_the_labels_of_a_form_inside_a_box_are_not_the_boards_words() -> None:
    page = V6_BOX.format(charset="utf-8", alert="", words="您还没有登录")
    with pytest.raises(errors.LoginWallError, match="「版杀论坛 提示信息 您还没有登录」"):
        check_response(answer(page.encode()))
