"""Any link of a thread resolves to board and tid; what is none is refused by name."""

from __future__ import annotations

import pytest

from scraper.address import (
    FORMS,
    Family,
    ThreadAddress,
    api_url,
    is_loopback,
    page_url,
    read_board,
    read_thread,
    same_board,
    same_host,
)
from scraper.errors import AddressError

ROOT = "https://bbs.example.net/"
DEEP = "https://example.net/bbs/"

LINKS = [
    # link, board, tid, page, pid
    ("https://bbs.example.net/forum.php?mod=viewthread&tid=1235", ROOT, 1235, None, None),
    ("https://bbs.example.net/forum.php?mod=viewthread&amp;tid=1235&amp;page=3", ROOT, 1235, 3, None),
    ("https://bbs.example.net/forum.php?mod=viewthread&amp;amp;tid=1235", ROOT, 1235, None, None),
    ("https://bbs.example.net/forum.php?mod=viewthread&tid=1235&extra=page%3D1&page=2#pid88", ROOT, 1235, 2, 88),
    ("https://bbs.example.net/forum.php?mod=viewthread&tid=1235&page=1&authorid=7", ROOT, 1235, 1, None),
    ("https://bbs.example.net/forum.php?mod=viewthread&action=printable&tid=1235", ROOT, 1235, None, None),
    ("https://bbs.example.net/forum.php?mod=viewthread&tid=1235&mobile=2", ROOT, 1235, None, None),
    ("https://bbs.example.net/forum.php?mod=viewthread&tid=1235&viewpid=88", ROOT, 1235, None, 88),
    ("https://bbs.example.net/forum.php?mod=redirect&goto=findpost&ptid=1235&pid=88", ROOT, 1235, None, 88),
    ("https://bbs.example.net/forum.php?mod=redirect&tid=1235&goto=lastpost#lastpost", ROOT, 1235, None, None),
    ("https://bbs.example.net/api/mobile/index.php?version=4&module=viewthread&tid=1235&page=2", ROOT, 1235, 2, None),
    ("http://bbs.example.net/viewthread.php?tid=1235", "http://bbs.example.net/", 1235, None, None),
    ("http://bbs.example.net/viewthread.php?tid=1235&extra=page%3D1&page=4", "http://bbs.example.net/", 1235, 4, None),
    ("http://bbs.example.net/redirect.php?goto=findpost&pid=88&ptid=1235", "http://bbs.example.net/", 1235, None, 88),
    ("https://bbs.example.net/thread-1235-1-1.html", ROOT, 1235, 1, None),
    ("https://bbs.example.net/thread-1235-7-2.html#pid88", ROOT, 1235, 7, 88),
    ("https://bbs.example.net/thread-1235-1.html", ROOT, 1235, 1, None),
    ("https://bbs.example.net/archiver/?tid-1235.html", ROOT, 1235, None, None),
    ("https://bbs.example.net/archiver/?tid-1235-page-2.html", ROOT, 1235, 2, None),
    ("https://bbs.example.net/archiver/tid-1235.html", ROOT, 1235, None, None),
    ("https://example.net/bbs/forum.php?mod=viewthread&tid=1235", DEEP, 1235, None, None),
    ("https://example.net/bbs/thread-1235-1-1.html", DEEP, 1235, 1, None),
    ("https://example.net/bbs/archiver/?tid-1235.html", DEEP, 1235, None, None),
    ("https://example.net/a/b/viewthread.php?tid=1235", "https://example.net/a/b/", 1235, None, None),
    ("HTTPS://BBS.Example.Net/thread-1235-1-1.html", ROOT, 1235, 1, None),
    ("https://bbs.example.net:443/thread-1235-1-1.html", ROOT, 1235, 1, None),
    ("http://127.0.0.1:8080/forum.php?mod=viewthread&tid=1235", "http://127.0.0.1:8080/", 1235, None, None),
    ("http://[::1]:8080/thread-1235-1-1.html", "http://[::1]:8080/", 1235, 1, None),
    ("  <https://bbs.example.net/thread-1235-1-1.html> ", ROOT, 1235, 1, None),
    ("「https://bbs.example.net/thread-1235-1-1.html」", ROOT, 1235, 1, None),
]


@pytest.mark.parametrize(("link", "board", "tid", "page", "pid"), LINKS)
def test_a_link_gives_board_thread_page_and_post(link: str, board: str, tid: int, page: int | None, pid: int | None) -> None:
    address = read_thread(link)
    assert (address.board, address.tid, address.page, address.pid) == (board, tid, page, pid)


@pytest.mark.parametrize(
    ("text", "board"),
    [
        ("1235", ROOT),
        (1235, ROOT),
        (" 1235 ", DEEP),
        ("forum.php?mod=viewthread&tid=1235", ROOT),
        ("viewthread.php?tid=1235", DEEP),
        ("thread-1235-1-1.html", DEEP),
        ("archiver/?tid-1235.html", ROOT),
        ("/thread-1235-1-1.html", ROOT),
        ("bbs.example.net/thread-1235-1-1.html", ROOT),
        ("www.bbs.example.net/thread-1235-1-1.html", ROOT),
        ("https://www.bbs.example.net/thread-1235-1-1.html", ROOT),
        ("http://bbs.example.net/thread-1235-1-1.html", ROOT),
        ("https://example.net/bbs/thread-1235-1-1.html", DEEP),
        ("https://www.example.net/bbs/forum.php?mod=viewthread&tid=1235", "https://example.net/bbs"),
    ],
)
def test_with_the_board_known_a_number_or_a_relative_link_is_enough(text: str | int, board: str) -> None:
    address = read_thread(text, board)
    assert address.tid == 1235
    assert address.board == board.rstrip("/") + "/"


@pytest.mark.parametrize(
    ("link", "family"),
    [
        ("https://bbs.example.net/forum.php?mod=viewthread&tid=1", Family.X),
        ("https://bbs.example.net/viewthread.php?tid=1", Family.OLD),
        ("https://bbs.example.net/redirect.php?goto=findpost&pid=88&ptid=1", Family.OLD),
        ("https://bbs.example.net/thread-1-1-1.html", None),
    ],
)
def test_a_link_tells_the_family_of_the_board_where_it_can(link: str, family: Family | None) -> None:
    assert read_thread(link).family is family


@pytest.mark.parametrize(
    ("text", "board", "named"),
    [
        ("1235", "", "forum.url"),
        ("", ROOT, "Accepted"),
        ("第一天投票帖", ROOT, "第一天投票帖"),
        ("12 35", ROOT, "12 35"),
        ("１２３５", ROOT, "１２３５"),
        ("0", ROOT, "not a thread's number"),
        ("-3", ROOT, "-3"),
        ("https://bbs.example.net/forum.php?mod=forumdisplay&fid=2", "", "names no thread"),
        ("https://bbs.example.net/forum.php?mod=viewthread&tid=abc", "", "abc"),
        ("https://bbs.example.net/redirect.php?goto=findpost&pid=88", "", "names a post but not its thread"),
        ("https://bbs.example.net/showtopic-1235-1.aspx", "", "Discuz!NT"),
        ("https://bbs.example.net/", "", "names no thread"),
        ("bbs.example.net/thread-1235-1-1.html", "", "https://"),
        ("ftp://bbs.example.net/thread-1235-1-1.html", "", "no address"),
        ("https://bbs.example.net:99999/thread-1235-1-1.html", "", "host or port"),
        ("https://other.example.net/thread-1235-1-1.html", ROOT, "https://other.example.net/"),
        ("https://bbs.example.net/bbs/thread-1235-1-1.html", ROOT, "sub-folder"),
        ("https://bbs.example.net:8443/thread-1235-1-1.html", ROOT, "8443"),
    ],
)
def test_what_names_no_thread_is_refused_by_name(text: str, board: str, named: str) -> None:
    with pytest.raises(AddressError) as caught:
        read_thread(text, board)
    assert named in str(caught.value)
    assert caught.value.exit_code == 2


def test_the_refusal_lists_forms_that_are_accepted() -> None:
    with pytest.raises(AddressError) as caught:
        read_thread("https://bbs.example.net/portal.php")
    for form in FORMS:
        assert form in str(caught.value)
        assert read_thread(form, ROOT).tid == 1235


def test_a_password_in_an_address_is_refused_without_repeating_it() -> None:
    with pytest.raises(AddressError) as caught:
        read_thread("https://director:s3cret@bbs.example.net/thread-1235-1-1.html")
    assert "s3cret" not in str(caught.value)
    assert "bansha login" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "board"),
    [
        ("https://bbs.example.net", ROOT),
        ("https://bbs.example.net/", ROOT),
        ("https://bbs.example.net/forum.php", ROOT),
        ("https://bbs.example.net/index.php?x=1", ROOT),
        ("https://bbs.example.net/forum-2-1.html", ROOT),
        ("https://example.net/bbs", DEEP),
        ("https://example.net/bbs/index.php", DEEP),
        ("https://example.net/bbs/archiver/", DEEP),
        ("http://example.net:80/", "http://example.net/"),
        ("http://example.net:8080", "http://example.net:8080/"),
    ],
)
def test_any_address_on_a_board_gives_its_base(text: str, board: str) -> None:
    assert read_board(text) == board


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("https://bbs.example.net/", "https://bbs.example.net/forum.php", True),
        ("https://bbs.example.net/", "http://bbs.example.net/", True),
        ("https://example.net/", "https://www.example.net/", True),
        ("https://example.net/bbs/", "https://www.example.net/bbs/thread-1-1-1.html", True),
        ("https://example.net/bbs/", "https://example.net/", False),
        ("https://example.net/bbs/", "https://example.net/forum/", False),
        ("https://bbs.example.net/", "https://example.net/", False),
        ("https://bbs.example.net/", "https://bbs.example.net:8443/", False),
        ("http://127.0.0.1:8001/", "http://127.0.0.1:8002/", False),
        ("https://example.net/", "https://example.net.evil.test/", False),
        ("https://example.net/", "https://wwwexample.net/", False),
    ],
)
def test_a_board_is_one_host_and_one_folder(one: str, other: str, same: bool) -> None:
    assert same_board(one, other) is same
    assert same_board(other, one) is same


def test_http_and_https_are_one_host_only_on_their_own_ports() -> None:
    assert same_host("http://example.net/a", "https://example.net/b")
    assert not same_host("http://example.net:8080/", "https://example.net/")


def test_pages_are_asked_for_in_the_words_of_the_board() -> None:
    assert page_url(ROOT, 1235, 2) == "https://bbs.example.net/forum.php?mod=viewthread&tid=1235&page=2"
    assert page_url(DEEP, 1235, 2, family=Family.OLD) == "https://example.net/bbs/viewthread.php?tid=1235&page=2"
    assert page_url(ROOT, 1235, 1, oldest_first=True).endswith("tid=1235&page=1&ordertype=2")
    assert page_url(ROOT, 1235, 1, family=Family.OLD, oldest_first=True).endswith("viewthread.php?tid=1235&page=1&ordertype=2")
    assert api_url(ROOT, 1235, 3) == f"{ROOT}api/mobile/index.php?version=4&module=viewthread&tid=1235&page=3"


@pytest.mark.parametrize("family", list(Family))
def test_an_address_that_was_built_is_read_back(family: Family) -> None:
    assert read_thread(page_url(DEEP, 9, 3, family=family)) == ThreadAddress(DEEP, 9, 3, None, family)


@pytest.mark.parametrize(
    ("url", "loopback"),
    [
        ("http://127.0.0.1:80/", True),
        ("http://127.8.9.1/", True),
        ("http://[::1]/", True),
        ("http://localhost:8080/", True),
        ("http://192.168.1.2/", False),
        ("https://bbs.example.net/", False),
        ("https://localhost.example.net/", False),
    ],
)
def test_loopback_is_this_machine_only(url: str, loopback: bool) -> None:
    assert is_loopback(url) is loopback
