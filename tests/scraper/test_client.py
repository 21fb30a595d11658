"""What the client asks for, and where redirects may lead it: through a real socket, without waiting."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest

from scraper import errors
from scraper.address import Family
from scraper.agent import OTHER_VIEWS, read_contact, user_agent
from scraper.client import Client
from scraper.pace import Settings
from tests.board.faults import Answer, FaultyBoard, redirect
from tests.scraper.worlds import PAGE, World, thread_page


def test_a_page_comes_back_as_it_was_sent(board: FaultyBoard, client: Client, world: World) -> None:
    board.on("/forum.php", PAGE)
    response = client.fetch_page(1235, 2)
    assert response.body == thread_page()
    assert (response.status, response.url) == (200, f"{board.url}forum.php?mod=viewthread&tid=1235&page=2")
    assert response.header("content-type") == "text/html; charset=utf-8"
    assert response.seen_at == world.now()
    assert response.seen_at.utcoffset() == timedelta(0)


def test_the_board_sees_who_asks_and_in_what_words(board: FaultyBoard, client: Client) -> None:
    board.on("/forum.php", PAGE)
    client.fetch_page(1235)
    headers = board.seen[0].headers
    assert headers["user-agent"] == user_agent()
    assert headers["accept-language"].startswith("zh-CN")
    assert headers["accept-encoding"] == "gzip"
    assert "cookie" not in headers


@pytest.mark.parametrize("word", OTHER_VIEWS)
def test_the_user_agent_turns_on_neither_the_phone_view_nor_the_robot_view(word: str) -> None:
    for release in (None, "0.1.0", "12.34.56"):
        assert word not in user_agent(release=release).lower()
    with pytest.raises(errors.UsageError, match=re.escape(repr(word))):
        read_contact(f"https://example.org/{word}")


def test_the_user_agent_says_name_and_release_and_names_nobody_unless_told() -> None:
    assert user_agent(release="0.1.0") == "bansha/0.1.0"
    assert re.fullmatch(r"bansha/[0-9][^ ]*", user_agent())


def test_the_board_is_told_the_contact_that_is_set(board: FaultyBoard, world: World) -> None:
    board.on("/forum.php", PAGE)
    contact = read_contact(" mailto:who@example.org ")
    with Client(board.url, settings=Settings(interval=0, contact=contact), world=world.surroundings()) as client:
        client.fetch_page(1235)
    assert board.seen[0].headers["user-agent"] == f"{user_agent()} (+mailto:who@example.org)"


@pytest.mark.parametrize(
    "contact", ["导演甲", "who@example.org", "https://example.org/a b", "https://e.org/)\r\nX: y", "https://"]
)
def test_a_contact_is_an_address(contact: str) -> None:
    with pytest.raises(errors.UsageError, match="an address"):
        read_contact(contact)


def test_an_old_board_is_found_once_and_then_asked_directly(board: FaultyBoard, client: Client) -> None:
    board.on("/viewthread.php", PAGE)
    client.fetch_page(1235, 1)
    client.fetch_page(1235, 2)
    assert client.family is Family.OLD
    assert [seen.target for seen in board.seen] == [
        "/forum.php?mod=viewthread&tid=1235&page=1",
        "/viewthread.php?tid=1235&page=1",
        "/viewthread.php?tid=1235&page=2",
    ]


def test_where_neither_family_answers_the_address_is_wrong(board: FaultyBoard, client: Client) -> None:
    with pytest.raises(errors.NoSuchPageError) as caught:
        client.fetch_page(1235)
    assert "forum.php" in str(caught.value)
    assert client.family is None


def test_a_thread_that_is_gone_is_no_reason_to_try_the_other_family(board: FaultyBoard, client: Client) -> None:
    box = '<html><body><div id="messagetext" class="alert_error"><p>抱歉，指定的主题不存在</p></div></body></html>'
    board.on("/forum.php", Answer(404, body=box.encode()))
    with pytest.raises(errors.ThreadGoneError):
        client.fetch_page(1235)
    assert len(board.seen) == 1


# -- redirects


def test_a_redirect_inside_the_board_is_followed(board: FaultyBoard, client: Client) -> None:
    board.on("/forum.php", redirect("thread-1235-1-1.html", 301))
    board.on("/thread-1235-1-1.html", PAGE)
    assert client.fetch_page(1235).url == f"{board.url}thread-1235-1-1.html"


def test_the_redirect_to_the_same_address_after_a_deletion_is_followed(board: FaultyBoard, client: Client) -> None:
    board.on("/forum.php", redirect("/forum.php?mod=viewthread&tid=1235&page=1"), PAGE)
    assert client.fetch_page(1235).body == thread_page()
    assert len(board.seen) == 2


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_loop_of_redirects_ends(board: FaultyBoard, client: Client, status: int) -> None:
    board.on("/forum.php", redirect("/a", status))
    board.on("/a", redirect("/forum.php?mod=viewthread&tid=1235&page=1", status))
    with pytest.raises(errors.RedirectError, match="sent on 6 times"):
        client.fetch_page(1235)
    assert len(board.seen) == 6


def test_a_redirect_to_another_host_is_refused_and_both_are_named(board: FaultyBoard, client: Client) -> None:
    board.on("/forum.php", redirect("https://login.example.com/portal?formhash=abcd1234"))
    with pytest.raises(errors.ForeignRedirectError) as caught:
        client.fetch_page(1235)
    assert "login.example.com" in str(caught.value)
    assert board.url.split("/")[2] in str(caught.value)
    assert len(board.seen) == 1


@pytest.mark.parametrize(
    "target", ["ftp://127.0.0.1/x", "javascript:alert(1)", "http://127.0.0.1:99999/", "http://[::1/", "//x.example/"]
)
def test_a_redirect_to_nowhere_is_refused_by_name(board: FaultyBoard, client: Client, target: str) -> None:
    board.on("/forum.php", redirect(target))
    with pytest.raises(errors.RedirectError, match="not followed"):
        client.fetch_page(1235)
    assert len(board.seen) == 1


def test_a_redirect_in_bare_gbk_is_followed(board: FaultyBoard, client: Client) -> None:
    board.on("/forum.php", redirect("/thread-1235-1-1.html?from=" + "投票".encode("gbk").decode("latin-1")))
    board.on("/thread-1235-1-1.html", PAGE)
    assert client.fetch_page(1235).url == f"{board.url}thread-1235-1-1.html?from=%CD%B6%C6%B1"


def test_a_redirect_that_says_nowhere_is_an_answer(board: FaultyBoard, client: Client) -> None:
    board.on("/x", Answer(302, body=b"<html>moved</html>"))
    assert client.fetch(f"{board.url}x").status == 302


def test_a_redirect_to_another_port_is_another_host(board: FaultyBoard, client: Client) -> None:
    with FaultyBoard() as other:
        other.on("/forum.php", PAGE)
        board.on("/forum.php", redirect(f"{other.url}forum.php"))
        with pytest.raises(errors.ForeignRedirectError):
            client.fetch_page(1235)
        assert other.seen == []


def test_an_address_of_another_host_is_not_even_asked(board: FaultyBoard, client: Client) -> None:
    with pytest.raises(errors.ForeignRedirectError, match="nothing was asked"):
        client.fetch("http://bbs.example.net/forum.php")
    assert board.seen == []


def test_a_thread_that_was_moved_is_named_not_read_as_the_other(board: FaultyBoard, client: Client) -> None:
    board.on("/forum.php", redirect("/thread-2000-1-1.html"))
    board.on("/thread-2000-1-1.html", PAGE)
    with pytest.raises(errors.ThreadMovedError, match=r"Thread 1235 .* thread 2000"):
        client.fetch_page(1235)


# -- what is not argued with


def test_a_challenge_stops_at_the_first_request_whatever_its_status(board: FaultyBoard, client: Client) -> None:
    for status in (200, 503, 521):
        board.seen.clear()
        board.on("/forum.php", Answer(status, body="<html><title>页面重载开启</title><body>…</body></html>".encode()))
        with pytest.raises(errors.ChallengeError) as caught:
            client.fetch_page(1235)
        assert caught.value.stops_run
        assert len(board.seen) == 1


def test_a_form_is_sent_once_and_never_again(board: FaultyBoard, client: Client) -> None:
    for fault in (Answer(500), Answer(429), Answer(body=b"abc", cut=1)):
        board.seen.clear()
        board.on("/member.php", fault)
        with pytest.raises(errors.BoardError):
            client.submit(f"{board.url}member.php", (("a", "1"),), "utf-8", referer=board.url)
        assert [seen.method for seen in board.seen] == ["POST"]


def test_a_form_goes_out_in_the_boards_charset(board: FaultyBoard, client: Client) -> None:
    board.on("/post.php", Answer(body=b"ok"))
    client.submit(
        f"{board.url}post.php", (("message", "投票☃"), ("a b", "&")), "gb18030", referer=f"{board.url}thread-1-1-1.html"
    )
    seen = board.seen[0]
    assert seen.body == b"message=%CD%B6%C6%B1%26%239731%3B&a+b=%26"
    assert seen.headers["content-type"] == "application/x-www-form-urlencoded"
    assert seen.headers["referer"] == f"{board.url}thread-1-1-1.html"
