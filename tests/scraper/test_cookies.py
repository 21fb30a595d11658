"""cookies.txt: what browsers export is read, what is wrong is named by file and line, and values never show."""

from __future__ import annotations

import logging
import os
import stat
from http.cookiejar import Cookie, CookieJar
from pathlib import Path

import pytest

from scraper.cookies import has_login, read_cookies, save_cookies, sent_names
from scraper.errors import CookieFileError

BOARD = "https://bbs.example.net/"
SECRET = "s3cretc00kie"
LATER = 4102444800  # 2100-01-01


def line(domain: str = "bbs.example.net", name: str = "Ab1_2132_auth", **changed: str) -> str:
    fields = {"domain": domain, "subdomains": "FALSE", "path": "/", "secure": "FALSE", "expires": str(LATER), "name": name}
    return "\t".join({**fields, "value": SECRET, **changed}.values())


def write(path: Path, *lines: str, head: str = "# Netscape HTTP Cookie File\n", end: str = "\n") -> Path:
    path.write_bytes((head + end.join(lines) + end).encode())
    path.chmod(0o600)
    return path


def pairs(jar: CookieJar) -> set[tuple[str, str, str | None]]:
    return {(cookie.domain, cookie.name, cookie.value) for cookie in jar}


@pytest.mark.parametrize(
    ("head", "end"),
    [
        ("# Netscape HTTP Cookie File\n", "\n"),
        ("# Netscape HTTP Cookie File\r\n\r\n", "\r\n"),
        ("# HTTP Cookie File\n# https://curl.se/\n\n", "\n"),
        ("\ufeff# Netscape HTTP Cookie File\n", "\n"),
        ("", "\n"),
    ],
)
def test_a_file_is_read_however_it_begins_and_ends_its_lines(tmp_path: Path, head: str, end: str) -> None:
    jar = read_cookies(write(tmp_path / "cookies.txt", line(), line(name="Ab1_2132_saltkey"), head=head, end=end))
    assert pairs(jar) == {("bbs.example.net", "Ab1_2132_auth", SECRET), ("bbs.example.net", "Ab1_2132_saltkey", SECRET)}


@pytest.mark.parametrize("expires", ["0", "", str(LATER), f"{LATER}.25"])
def test_session_cookies_and_dated_ones_are_sent(tmp_path: Path, expires: str) -> None:
    jar = read_cookies(write(tmp_path / "cookies.txt", line(expires=expires)), BOARD)
    assert sent_names(jar, BOARD) == ("Ab1_2132_auth",)


def test_http_only_cookies_are_no_comments(tmp_path: Path) -> None:
    jar = read_cookies(write(tmp_path / "cookies.txt", f"#HttpOnly_{line()}", "# a comment", ""))
    assert [cookie.has_nonstandard_attr("HttpOnly") for cookie in jar] == [True]


def test_a_value_may_hold_what_it_likes_but_tabs(tmp_path: Path) -> None:
    jar = read_cookies(write(tmp_path / "cookies.txt", line(value="a=b; c%2F中#'\"")))
    assert {cookie.value for cookie in jar} == {"a=b; c%2F中#'\""}


@pytest.mark.parametrize(
    ("bad", "named"),
    [
        (line().replace("\t", " "), "parted by tabs"),
        (line() + "\tx", "8 fields"),
        ("\t".join(line().split("\t")[:5]), "5 fields"),
        (line(subdomains="yes"), "'subdomains'"),
        (line(secure="1"), "'secure'"),
        (line(expires="tomorrow"), "'expires'"),
        (line(expires="inf"), "'expires'"),
        (line(domain=""), "a domain and a name"),
        (line(name=""), "a domain and a name"),
        (SECRET, "1 fields"),
    ],
)
def test_a_wrong_line_is_named_by_its_number_and_not_shown(tmp_path: Path, bad: str, named: str) -> None:
    path = write(tmp_path / "cookies.txt", line(), bad)
    with pytest.raises(CookieFileError) as caught:
        read_cookies(path)
    assert f"{path}, line 3" in str(caught.value)
    assert named in str(caught.value)
    assert SECRET not in str(caught.value) + repr(caught.value)
    assert caught.value.exit_code == 2


@pytest.mark.parametrize(
    ("content", "named"),
    [
        (b'[{"name": "Ab1_2132_auth", "value": "s3cretc00kie"}]', "JSON"),
        (b'{"cookies": []}', "JSON"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1", "no text file"),
    ],
)
def test_a_file_of_another_kind_is_named(tmp_path: Path, content: bytes, named: str) -> None:
    path = tmp_path / "cookies.txt"
    path.write_bytes(content)
    with pytest.raises(CookieFileError, match=named) as caught:
        read_cookies(path)
    assert str(path) in str(caught.value)
    assert SECRET not in str(caught.value)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(CookieFileError, match="cannot be read"):
        read_cookies(tmp_path / "none.txt")


# -- whose cookies they are


def test_only_the_boards_cookies_leave_the_file(tmp_path: Path) -> None:
    path = write(
        tmp_path / "cookies.txt",
        line(),
        line(domain=".example.net", name="shared", subdomains="TRUE"),
        line(domain="bank.example.com", name="money"),
        line(domain="notbbs.example.net", name="neighbour"),
        line(domain=".net", name="wide", subdomains="TRUE"),
    )
    assert {cookie.name for cookie in read_cookies(path, BOARD)} == {"Ab1_2132_auth", "shared", "wide"}


@pytest.mark.parametrize(
    ("domain", "board"),
    [
        ("www.example.net", "https://example.net/"),
        ("example.net", "https://www.example.net/"),
        (".www.example.net", "https://www.example.net/"),
        (".example.net", "https://example.net/bbs/"),
        ("127.0.0.1", "http://127.0.0.1:8080/"),
        ("localhost.local", "http://localhost:8080/"),
    ],
)
def test_www_and_the_bare_name_are_one_host(tmp_path: Path, domain: str, board: str) -> None:
    jar = read_cookies(write(tmp_path / "cookies.txt", line(domain=domain)), board)
    assert has_login(jar, board)


@pytest.mark.parametrize(
    ("lines", "named"),
    [
        ([line(domain="bank.example.com")], "no cookie for bbs.example.net, but for bank.example.com"),
        ([], "no cookie for bbs.example.net, but for nothing"),
        ([line(expires="1527811200")], "ran out on 2018-06-01"),
        ([line(path="/other/")], "another path"),
    ],
)
def test_a_file_without_a_cookie_for_the_board_is_an_error(tmp_path: Path, lines: list[str], named: str) -> None:
    with pytest.raises(CookieFileError, match=named):
        read_cookies(write(tmp_path / "cookies.txt", *lines), BOARD)


def test_secure_cookies_do_not_go_to_a_board_without_tls(tmp_path: Path) -> None:
    path = write(tmp_path / "cookies.txt", line(secure="TRUE"))
    assert has_login(read_cookies(path, BOARD), BOARD)
    with pytest.raises(CookieFileError, match="https only"):
        read_cookies(path, "http://bbs.example.net/")


@pytest.mark.parametrize(
    ("name", "login"),
    [
        ("Ab1_2132_auth", True),
        ("cdb_auth", True),
        ("cdbauth", True),
        ("Ab1_2132_saltkey", False),
        ("Ab1_2132_invite_auth", False),
    ],
)
def test_a_login_is_told_by_the_name_of_its_cookie(tmp_path: Path, name: str, login: bool) -> None:
    assert has_login(read_cookies(write(tmp_path / "cookies.txt", line(name=name)), BOARD), BOARD) is login


# -- writing


def some_jar() -> CookieJar:
    jar = CookieJar()
    for name, domain, expires in (("Ab1_2132_auth", "bbs.example.net", None), ("x", ".example.net", LATER)):
        rest: dict[str, str] = {"HttpOnly": ""} if expires is None else {}
        dotted = domain.startswith(".")
        jar.set_cookie(
            Cookie(0, name, SECRET, None, False, domain, dotted, dotted, "/", True, False, expires, not expires, None, None, rest)
        )
    return jar


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "cookies.txt"
    save_cookies(some_jar(), path)
    jar = read_cookies(path, BOARD)
    assert pairs(jar) == pairs(some_jar())
    assert {(cookie.name, cookie.expires) for cookie in jar} == {("Ab1_2132_auth", None), ("x", LATER)}
    assert {cookie.name for cookie in jar if cookie.has_nonstandard_attr("HttpOnly")} == {"Ab1_2132_auth"}


@pytest.mark.skipif(os.name != "posix", reason="Windows has no modes: the file inherits the folder's rights")
@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077])
def test_the_file_is_its_owners_alone_whatever_was_there(tmp_path: Path, umask: int) -> None:
    path = tmp_path / "cookies.txt"
    path.write_text("old", encoding="utf-8")
    path.chmod(0o644)
    before = os.umask(umask)
    try:
        save_cookies(some_jar(), path)
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [entry.name for entry in tmp_path.iterdir()] == ["cookies.txt"]


def test_a_folder_that_is_not_there_is_an_error_and_the_old_file_stays(tmp_path: Path) -> None:
    with pytest.raises(CookieFileError, match="cannot be written"):
        save_cookies(some_jar(), tmp_path / "none" / "cookies.txt")


def test_a_failed_write_leaves_the_old_file_and_no_draft(tmp_path: Path) -> None:
    path = tmp_path / "cookies.txt"
    path.mkdir()
    with pytest.raises(CookieFileError, match="cannot be written"):
        save_cookies(some_jar(), path)
    assert [entry.name for entry in tmp_path.iterdir()] == ["cookies.txt"]


@pytest.mark.skipif(os.name != "posix", reason="Windows has no modes")
def test_a_file_that_others_can_read_is_remarked_on(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = write(tmp_path / "cookies.txt", line())
    with caplog.at_level(logging.DEBUG):
        read_cookies(path)
        assert caplog.records == []
        path.chmod(0o644)
        read_cookies(path)
    assert "chmod 600" in caplog.text
    assert SECRET not in caplog.text
