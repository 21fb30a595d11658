"""A recorded board is scrubbed, and replays to the byte with the network blocked."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
import requests

from scraper.archive import Archive
from scraper.cassette import blocked_network, read_passes, record_board, replay_board, save_polls
from scraper.errors import UsageError
from scraper.masking import mask_host, scrub
from scraper.recording import save_recorded_passes
from scraper.response import Response
from tests.board.faults import Answer, FaultyBoard
from tests.board.script import read_script
from tests.board.server import Board, serve
from tests.scraper.looks import BOARD, TID, at, dump, open_archive
from tests.scraper.test_recording import SCRIPT

DATE = ("Date", "Sun, 03 Jun 2018 02:05:10 GMT")
PATH = "forum.php?mod=viewthread&tid=7&page=1"


@pytest.fixture
def session() -> Iterator[requests.Session]:
    with requests.Session() as one:
        one.trust_env = False
        yield one


def record_one(board: FaultyBoard, session: requests.Session, path: Path, answer: Answer, address: str = PATH) -> None:
    board.on("/forum.php", answer)
    with record_board(path, board.url):
        session.get(board.url + address, timeout=5)


# What is scrubbed


def test_no_cookie_host_or_token_of_the_board_stays_in_a_cassette(
    board: FaultyBoard, session: requests.Session, tmp_path: Path
) -> None:
    host = board.url.removeprefix("http://").rstrip("/")
    body = (
        f'<a href="http://{host}/thread-7-1-1.html">1</a>'
        '<input type="hidden" name="formhash" value="3a4b5c6d" />'
        "<a href=\"member.php?action=logout&amp;formhash=3a4b5c6d\">退出</a><script>var h = '3a4b5c6d';</script>"
        '<img src="forum.php?mod=attachment&amp;aid=MTIzfGFiY2RlZmd8MTUyODAwfDEwMXw3" />'
        "<p>投票对象：包子 s3cret-word</p>"
    ).encode()
    session.cookies.set("site_auth", "s3cret-cookie")
    answer = Answer(body=body, headers=(DATE, ("Set-Cookie", "site_sid=s3cret-sid"), ("X-Powered-By", "machine-7")))
    board.on("/forum.php", answer)
    with record_board(tmp_path / "c.yaml", board.url, secrets=["s3cret-word"]):
        session.get(f"{board.url}{PATH}&formhash=3a4b5c6d", timeout=5)
    text = (tmp_path / "c.yaml").read_text(encoding="utf-8")
    for secret in (host, "127.0.0.1", "3a4b5c6d", "s3cret", "MTIzfGFiY2RlZmd8", "machine-7", "Cookie"):
        assert secret not in text
    assert "投票对象：包子" in text
    recorded = read_passes(tmp_path / "c.yaml")[0].threads[7][1].source
    assert isinstance(recorded, Response)
    assert recorded.url == "http://bbs.example.net/forum.php?mod=viewthread&tid=7&page=1&formhash=00000000"
    assert len(recorded.body) == len(body)
    assert recorded.header("Content-Length") == str(len(body))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b'name="formhash" value="3a4b5c6d"', b'name="formhash" value="00000000"'),
        (b"name='formhash' value='3a4b5c6d'", b"name='formhash' value='00000000'"),
        (b"formhash=3a4b5c6d&amp;x=1", b"formhash=00000000&amp;x=1"),
        (b"formhash%3D3a4b5c6d", b"formhash%3D00000000"),
        (b'"formhash":"3a4b5c6d","auth":"ab\\/cdefgh"', b'"formhash":"00000000","auth":"0000000000"'),
        (b"loginhash=LAbcd&", b"loginhash=00000&"),
        (b"forum.php?sid=x1y2z3&tid=7", b"forum.php?sid=000000&tid=7"),
        (b"logout&hash=3a4b5c6d 3a4b5c6d", b"logout&hash=00000000 00000000"),
        (b"http://bbs.real.cn/x https://WWW.bbs.real.cn:8080/", b"http://xxxxxxx.net/x https://bbs.example.net:0080/"),
        (b"http%3A%2F%2Fbbs.real.cn%2Fx http:\\/\\/bbs.real.cn\\/", b"http%3A%2F%2Fxxxxxxx.net%2Fx http:\\/\\/xxxxxxx.net\\/"),
        # What players write stays, and so do other hosts.
        ("我的 hash: 12345678，sid=abcd，auth 是什么".encode(), "我的 hash: 12345678，sid=abcd，auth 是什么".encode()),
        (b"http://notbbs.real.cn/ http://bbs.real.cnx/", b"http://notbbs.real.cn/ http://bbs.real.cnx/"),
        ("投票对象：包子".encode("gbk"), "投票对象：包子".encode("gbk")),
    ],
)
def test_a_mask_is_as_long_as_what_it_hides(before: bytes, after: bytes) -> None:
    assert scrub(before, "https://bbs.real.cn/") == after
    assert len(before) == len(after)


@pytest.mark.parametrize(
    ("host", "mask"),
    [
        ("bbs.example.net", "bbs.example.net"),
        ("forum.rather.long.cn", "xxxxxbbs.example.net"),
        ("127.0.0.1", "xxxxx.net"),
        ("a.cn", "xxxx"),
    ],
)
def test_a_hosts_mask_is_as_long_as_the_host(host: str, mask: str) -> None:
    assert mask_host(host) == mask
    assert len(host) == len(mask)


def test_a_form_that_is_sent_is_not_recorded(board: FaultyBoard, session: requests.Session, tmp_path: Path) -> None:
    board.on("/member.php", Answer(body=b"welcome", headers=(DATE,)))
    board.on("/forum.php", Answer(body=b"<html>page</html>", headers=(DATE,)))
    with record_board(tmp_path / "c.yaml", board.url):
        answer = session.post(f"{board.url}member.php?action=login", data={"password": "s3cret"}, timeout=5)
        session.get(board.url + PATH, timeout=5)
    assert answer.content == b"welcome"
    text = (tmp_path / "c.yaml").read_text(encoding="utf-8")
    assert "page" in text
    assert "s3cret" not in text
    assert "member.php" not in text


# What is kept


@pytest.mark.parametrize(
    "body",
    [
        "<p>投票对象：包子</p>".encode(),
        "<p>投票对象：包子</p>".encode("gbk"),
        "投票對象".encode("big5"),
        b"",
        b"\r\n\r\n<p>\r\n</p>\r\n",
        b"one\rtwo\n\nthree  \n\tfour \n",
        "  leading\n\u0085next\u2028line\u2029para\ufeff\n".encode(),
        b"nul \x00 bell \x07 escape \x1b del \x7f\n",
        "emoji 😀 astral 𠮷\n".encode(),
        b"- yaml: [x]\n# no comment\n'quote' \"double\" %tag !bang &anchor *star | > \n...\n---\n",
        b"broken \xff\xfe utf-8 \xe6\x8a\n",
        bytes(range(256)),
    ],
)
def test_a_body_is_replayed_to_the_byte(board: FaultyBoard, session: requests.Session, tmp_path: Path, body: bytes) -> None:
    record_one(board, session, tmp_path / "c.yaml", Answer(body=body, headers=(DATE,)))
    with replay_board(tmp_path / "c.yaml"):
        assert session.get(BOARD + PATH, timeout=5).content == body


@pytest.mark.parametrize("framing", ["length", "chunked", "close"])
def test_a_packed_page_is_kept_unpacked(board: FaultyBoard, session: requests.Session, tmp_path: Path, framing: str) -> None:
    body = "<html>投票</html>".encode() * 50
    record_one(board, session, tmp_path / "c.yaml", Answer(body=body, headers=(DATE,), framing=framing).packed())
    recorded = read_passes(tmp_path / "c.yaml")[0].threads[7][1].source
    assert isinstance(recorded, Response)
    assert (recorded.body, recorded.header("Content-Encoding")) == (body, "")
    with replay_board(tmp_path / "c.yaml"):
        assert session.get(BOARD + PATH, timeout=5).content == body


def test_text_can_be_read_in_the_cassette_line_by_line(board: FaultyBoard, session: requests.Session, tmp_path: Path) -> None:
    body = "<html>\n<p>投票对象：包子</p>\n</html>\n".encode()
    record_one(board, session, tmp_path / "c.yaml", Answer(body=body, headers=(DATE,)))
    lines = [line.strip() for line in (tmp_path / "c.yaml").read_text(encoding="utf-8").splitlines()]
    assert "<p>投票对象：包子</p>" in lines


# Replaying


def test_the_network_is_blocked_while_a_cassette_is_replayed(
    board: FaultyBoard, session: requests.Session, tmp_path: Path
) -> None:
    record_one(board, session, tmp_path / "c.yaml", Answer(body=b"x", headers=(DATE,)))
    asked = len(board.seen)
    with replay_board(tmp_path / "c.yaml"):
        with pytest.raises(Exception, match=r"overwrite existing cassette|blocked"):
            session.get(f"{BOARD}forum.php?mod=viewthread&tid=7&page=2", timeout=5)
        with pytest.raises(requests.ConnectionError, match="blocked"):
            session.get(board.url, timeout=5)
    assert len(board.seen) == asked
    assert session.get(board.url + PATH, timeout=5).content == b"x"


def test_no_socket_connects_in_a_blocked_network_and_every_one_does_behind_it(board: FaultyBoard) -> None:
    host, port = "127.0.0.1", int(board.url.rstrip("/").rpartition(":")[2])
    with blocked_network():
        with pytest.raises(OSError, match="blocked"):
            socket.create_connection((host, port), timeout=1)
        with pytest.raises(OSError, match="blocked"):
            socket.getaddrinfo("bbs.example.net", 80)
        with socket.socket() as one, pytest.raises(OSError, match="blocked"):
            one.connect_ex((host, port))
    with socket.create_connection((host, port), timeout=1) as one:
        assert one.getpeername() == (host, port)


def test_a_cassette_that_is_not_there_is_an_error_and_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such cassette"), replay_board(tmp_path / "c.yaml"):
        pass
    assert not (tmp_path / "c.yaml").exists()


# A cassette as passes


def record_script(path: Path, session: requests.Session) -> None:
    """What `polls/` of the recorded case hold, in one cassette."""
    script = read_script(SCRIPT)
    board = Board(script, at("10:05:10"), base=BOARD)
    asked = [
        *[("10:05:10", 7, 1)],
        *[("11:00:00", 7, 1), ("11:00:06", 9, 1)],
        *[("12:00:00", 9, 1), ("12:00:02", 7, 1), ("12:00:04", 7, 2), ("12:00:06", 8, 1)],
        *[("13:00:00", 7, 1), ("13:00:02", 7, 2)],
    ]
    with serve(board) as served, record_board(path, served.base):
        for time, tid, page in asked:
            board.clock = at(time)
            session.get(f"{served.base}forum.php?mod=viewthread&tid={tid}&page={page}", timeout=5)


def test_each_reading_of_a_thread_from_its_first_page_on_is_a_pass(tmp_path: Path, session: requests.Session) -> None:
    record_script(tmp_path / "c.yaml", session)
    passes = read_passes(tmp_path / "c.yaml")
    assert [{tid: list(pages) for tid, pages in taken.threads.items()} for taken in passes] == [
        {7: [1], 9: [1], 8: [1]},
        {7: [1], 9: [1]},
        {7: [1, 2]},
        {7: [1, 2]},
    ]


def test_a_case_with_a_cassette_gives_the_rows_of_one_with_pages(tmp_path: Path, session: requests.Session) -> None:
    folders = [tmp_path / "cassette" / "a_case", tmp_path / "polls" / "a_case"]
    folders[0].mkdir(parents=True)
    record_script(folders[0] / "cassette.yaml", session)
    assert save_polls(folders[0] / "cassette.yaml", folders[1]) == 9
    texts = []
    for number, folder in enumerate(folders):
        with open_archive(tmp_path / f"{number}.db") as archive:
            outcomes = save_recorded_passes(archive, folder)
            assert [(one.tid, one.missing) for one in outcomes] == [
                (7, ()),
                (8, (1,)),
                (9, ()),
                (7, (2,)),
                (9, ()),
                (7, ()),
                (7, ()),
            ]
            rows = dump(archive)
            texts.append({name: rows[name] for name in ("posts", "post_revisions", "passes", "versions")})
            check_histories(archive)
    assert texts[0] == texts[1]


def check_histories(archive: Archive) -> None:
    seen = {history.first.pid: [one.seen_at for one in history.revisions] for history in archive.fetch_histories(TID)}
    expected: dict[int, list[datetime]] = {
        1: [at("10:05:10")],
        2: [at("10:05:10"), at("12:00:02")],
        5: [at("12:00:04"), at("13:00:02")],
    }
    assert seen == expected


def test_a_page_that_failed_and_was_asked_for_again_is_the_second_answer(
    board: FaultyBoard, session: requests.Session, tmp_path: Path
) -> None:
    answers = [Answer(500, (DATE,), b"down"), Answer(302, (DATE, ("Location", f"/{PATH}"))), Answer(200, (DATE,), b"up")]
    board.on("/forum.php", *answers)
    with record_board(tmp_path / "c.yaml", board.url):
        for _ in range(3):
            session.get(board.url + PATH, timeout=5, allow_redirects=False)
    passes = read_passes(tmp_path / "c.yaml")
    assert len(passes) == 1
    recorded = passes[0].threads[7][1].source
    assert isinstance(recorded, Response)
    assert (recorded.status, recorded.body) == (200, b"up")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"interactions: [", "this is no cassette"),
        (b"- just\n- a list\n", "this is no cassette"),
        (b"interactions: []\nversion: 1\n", "holds no page of a thread"),
        (b"\xff\xfe", "this is no cassette"),
    ],
)
def test_a_file_that_is_no_cassette_is_an_error_that_names_it(tmp_path: Path, content: bytes, said: str) -> None:
    (tmp_path / "c.yaml").write_bytes(content)
    with pytest.raises(UsageError, match=rf"c\.yaml: .*{said}"):
        read_passes(tmp_path / "c.yaml")
