"""Accounts, cookies, passwords, certificates and proxies: what is sent to whom, and what never shows."""

from __future__ import annotations

import logging
import shutil
import subprocess
import traceback
from datetime import timedelta
from email.utils import format_datetime
from http.cookiejar import Cookie, CookieJar
from pathlib import Path

import pytest

from scraper import errors
from scraper.client import Client
from scraper.pace import Settings
from scraper.response import Response
from scraper.transport import safe_url
from tests.board.faults import Answer, FaultyBoard, redirect
from tests.scraper.worlds import PAGE, QUICK, World, thread_page

SECRET = "s3cretc00kie"


def jar_of(name: str, value: str, domain: str = "127.0.0.1") -> CookieJar:
    jar = CookieJar()
    jar.set_cookie(
        Cookie(0, name, value, None, False, domain, False, False, "/", True, False, None, True, None, None, {}),
    )
    return jar


MEMBER = '<div id="um"><a href="member.php?mod=logging&amp;action=logout&amp;formhash=1a2b3c4d">退出</a></div>'
GUEST = '<form method="post" id="lsform" action="member.php?mod=logging&amp;action=login&amp;loginsubmit=yes"></form>'


def test_the_accounts_cookies_are_sent_and_its_page_passes(board: FaultyBoard, world: World) -> None:
    board.on("/forum.php", Answer(body=thread_page(head=MEMBER)))
    with Client(board.url, settings=QUICK, cookies=jar_of("Ab1_2132_auth", SECRET), world=world.surroundings()) as client:
        client.fetch_page(1235)
    assert board.seen[0].headers["cookie"] == f"Ab1_2132_auth={SECRET}"


def test_a_session_that_ran_out_in_the_middle_is_noticed_at_that_page(board: FaultyBoard, world: World) -> None:
    ended = Answer(
        body=thread_page(head=GUEST), headers=(("Set-Cookie", "Ab1_2132_auth=; expires=Thu, 01-Jan-1970 00:00:01 GMT; path=/"),)
    )
    board.on("/forum.php", Answer(body=thread_page(head=MEMBER)), ended)
    with Client(board.url, settings=QUICK, cookies=jar_of("Ab1_2132_auth", SECRET), world=world.surroundings()) as client:
        client.fetch_page(1235, 1)
        for page in (2, 3):
            with pytest.raises(errors.SessionEndedError, match=f"page={page}"):
                client.fetch_page(1235, page)


def test_a_guest_reads_a_guests_page(board: FaultyBoard, client: Client) -> None:
    board.on("/forum.php", Answer(body=thread_page(head=GUEST)))
    assert client.fetch_page(1235).status == 200


def test_cookies_are_in_no_response_no_log_and_no_error(
    board: FaultyBoard, world: World, caplog: pytest.LogCaptureFixture
) -> None:
    set_cookie = (("Set-Cookie", f"Ab1_2132_sid={SECRET}; path=/"),)
    board.on(
        "/forum.php",
        Answer(500, set_cookie),
        Answer(429, set_cookie),
        redirect(f"/forum.php?mod=viewthread&tid=1235&page=1&sid={SECRET}&auth={SECRET}"),
        Answer(body=thread_page(head=MEMBER), headers=set_cookie),
        Answer(503, set_cookie),
    )
    shown: list[str] = []
    with (
        caplog.at_level(logging.DEBUG),
        Client(board.url, settings=QUICK, cookies=jar_of("Ab1_2132_auth", SECRET), world=world.surroundings()) as client,
    ):
        shown.append(repr(client.fetch_page(1235).headers))
        shown.append(repr(client))
        with pytest.raises(errors.ServerFailureError) as caught:
            client.fetch_page(1235)
        with pytest.raises(errors.ForeignRedirectError) as foreign:
            client.fetch(f"https://elsewhere.example.net/?auth={SECRET}")
        shown += [repr(caught.value), repr(foreign.value), str(foreign.value)]
        shown += traceback.format_exception(caught.value) + traceback.format_exception(foreign.value)
    ours = [record.getMessage() for record in caplog.records if record.name.startswith("scraper")]
    assert ours
    assert SECRET not in "\n".join(shown + ours)
    assert any(SECRET in seen.headers.get("cookie", "") for seen in board.seen), "the test must carry the secret"


def test_other_libraries_tell_nothing_either(board: FaultyBoard, world: World, caplog: pytest.LogCaptureFixture) -> None:
    board.on("/forum.php", Answer(500, (("Set-Cookie", f"x={SECRET}"),)), Answer(body=thread_page(head=MEMBER)))
    with (
        caplog.at_level(logging.DEBUG),
        Client(board.url, settings=QUICK, cookies=jar_of("Ab1_2132_auth", SECRET), world=world.surroundings()) as client,
    ):
        client.fetch_page(1235)
    assert any(record.name.startswith("urllib3") for record in caplog.records)
    assert SECRET not in caplog.text


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://b.example/forum.php?tid=1&formhash=1a2b", "https://b.example/forum.php?tid=1&formhash=***"),
        ("https://b.example/?auth=a%2Fb&mod=x", "https://b.example/?auth=***&mod=x"),
        ("https://u:p@b.example/thread-1-1-1.html", "https://b.example/thread-1-1-1.html"),
        ("https://b.example/forum.php?mod=viewthread&tid=1", "https://b.example/forum.php?mod=viewthread&tid=1"),
    ],
)
def test_addresses_are_shown_without_their_tokens(url: str, shown: str) -> None:
    assert safe_url(url) == shown


def test_the_causes_under_an_error_tell_no_token_either(world: World) -> None:
    with FaultyBoard() as gone:
        url = gone.url
    with Client(url, settings=QUICK, world=world.surroundings()) as client, pytest.raises(errors.UnreachableError) as caught:
        client.fetch(f"{url}forum.php?auth={SECRET}")
    assert SECRET not in "".join(traceback.format_exception(caught.value))


def test_a_password_of_netrc_is_not_sent(world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    netrc = tmp_path / "netrc"
    netrc.write_text(f"machine bbs.example.net login director password {SECRET}\n", encoding="utf-8")
    netrc.chmod(0o600)
    monkeypatch.setenv("NETRC", str(netrc))
    with FaultyBoard() as proxy:
        proxy.on("/forum.php", PAGE)
        use_proxy(monkeypatch, proxy.url)
        with Client("http://bbs.example.net/", settings=Settings(interval=1.0), world=world.surroundings()) as client:
            client.fetch_page(1235)
        assert "authorization" not in proxy.seen[0].headers


# -- TLS, proxies, clocks


def test_a_certificate_that_cannot_be_trusted_is_refused(world: World) -> None:
    with FaultyBoard() as plain:
        port = plain.url.split(":")[2]
        with Client(f"https://127.0.0.1:{port}", settings=QUICK, world=world.surroundings()) as client:
            with pytest.raises(errors.UntrustedError, match="certificate"):
                client.fetch_page(1235)
            assert client._open().verify is True
    assert world.waits == []


def test_a_real_certificate_that_nobody_signed_is_refused(world: World, tmp_path: Path) -> None:
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("openssl is not installed: no certificate to refuse")
    key, cert = tmp_path / "key.pem", tmp_path / "cert.pem"
    make = [openssl, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
    make += ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(key), "-out", str(cert)]
    subprocess.run(make, check=True, capture_output=True, timeout=30)
    with FaultyBoard(certificate=(cert, key)) as secure:
        secure.on("/forum.php", PAGE)
        with Client(secure.url, settings=QUICK, world=world.surroundings()) as client:
            with pytest.raises(errors.UntrustedError, match="not trusted"):
                client.fetch_page(1235)
            assert secure.seen == []
            # The page is there for one who trusts the signer: what was refused is the certificate, nothing else.
            client._open().verify = str(cert)
            assert client.fetch_page(1235).body == thread_page()


def test_a_redirect_off_tls_is_refused(world: World) -> None:
    page = Response("https://bbs.example.net/forum.php", 302, (), b"", world.now())
    client = Client("https://bbs.example.net/")
    with pytest.raises(errors.ForeignRedirectError, match="without TLS"):
        client._next_address(page, "http://bbs.example.net/forum.php")
    for target in ("https://www.bbs.example.net/x", "https://bbs.example.net/y"):
        assert client._next_address(page, target) == target


def test_a_redirect_to_tls_is_followed(world: World) -> None:
    page = Response("http://bbs.example.net/forum.php", 302, (), b"", world.now())
    target = "https://www.bbs.example.net/forum.php"
    assert Client("http://bbs.example.net/")._next_address(page, target) == target


def use_proxy(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    for name in ("no_proxy", "NO_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    for name in ("http_proxy", "HTTP_PROXY"):
        monkeypatch.setenv(name, url)


def test_proxies_come_from_the_environment(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    with FaultyBoard() as proxy:
        proxy.on("/forum.php", PAGE)
        use_proxy(monkeypatch, proxy.url)
        with Client("http://bbs.example.net/", settings=Settings(interval=1.0), world=world.surroundings()) as client:
            client.fetch_page(1235)
        assert proxy.seen[0].target == "http://bbs.example.net/forum.php?mod=viewthread&tid=1235&page=1"


def test_nothing_on_this_machine_is_reached_through_a_proxy(
    board: FaultyBoard, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    with FaultyBoard() as proxy:
        use_proxy(monkeypatch, proxy.url)
        board.on("/forum.php", PAGE)
        client.fetch_page(1235)
        assert proxy.seen == []


def test_a_clock_that_is_off_is_told_once(
    board: FaultyBoard, client: Client, world: World, caplog: pytest.LogCaptureFixture
) -> None:
    board.on("/forum.php", Answer(body=thread_page(), headers=(("Date", format_datetime(world.start - timedelta(hours=1))),)))
    client.fetch_page(1235, 1)
    client.fetch_page(1235, 2)
    assert [record.getMessage().split(" (")[0] for record in caplog.records] == [
        "This computer's clock is +3600 s off the board's"
    ]


def test_a_clock_that_agrees_is_not_mentioned(
    board: FaultyBoard, client: Client, world: World, caplog: pytest.LogCaptureFixture
) -> None:
    board.on("/forum.php", Answer(body=thread_page(), headers=(("Date", format_datetime(world.start - timedelta(seconds=20))),)))
    client.fetch_page(1235)
    assert caplog.records == []
