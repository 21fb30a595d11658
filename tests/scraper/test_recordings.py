"""The recorded thread pages of real boards, read completely: against the boards' own rows, and a table written by hand."""

from __future__ import annotations

import hashlib
import tomllib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from scraper.dialects import get_dialect
from scraper.message import read_message
from scraper.page import gate_page, read_page
from scraper.post import Image, Page, PostState, Smiley
from tests.board.recordings import FOLDER, needs_recordings, read_rows

BOARD = ZoneInfo("Asia/Shanghai")
SEEN = datetime(2026, 11, 29, 20, 37, tzinfo=UTC)
TABLE: dict[str, dict[str, dict[str, Any]]] = tomllib.loads(
    (Path(__file__).parent / "recordings.toml").read_text(encoding="utf-8")
)
# Number and of how many, by the pagers of the recorded pages.
PAGERS = {
    "x35/guest__vote_p1.http": (1, 4),
    "x35/guest__vote_p2.http": (2, 4),
    "x35/guest__discuss_p2.http": (2, 8),
    "x35/guest__thread_hiddenreplies.http": (1, 1),
    "x35/guest__thread_poll.http": (1, 1),
    "x34gbk/guest__discuss_p1.http": (1, 8),
    "x34gbk/guest__vote_p2.http": (2, 4),
    "x2/guest__vote_p1.http": (1, 4),
    "x2/guest__vote_p2.http": (2, 4),
    "dz72/guest__vote_p1.http": (1, 4),
    "dz72/guest__vote_p2.http": (2, 4),
    "dz6/guest__vote_p1.http": (1, 4),
    "dz6/guest__vote_p2.http": (2, 4),
}
OLD = "dz"
"""How the recordings of boards begin that print minutes only."""

pytestmark = needs_recordings
every_page = pytest.mark.parametrize("name", PAGERS)


def load(name: str) -> tuple[bytes, str]:
    head, _, body = (FOLDER / name).read_bytes().partition(b"\r\n\r\n")
    kind = next(line for line in head.decode("ascii").splitlines() if line.lower().startswith("content-type:"))
    return body, kind.partition(":")[2].strip()


def read(name: str, zone: ZoneInfo = BOARD) -> Page:
    body, content_type = load(name)
    return read_page(body, tid=7, seen_at=SEEN, zone=zone, content_type=content_type)


def weigh(words: str) -> tuple[int, str]:
    return len(words), hashlib.sha256(words.encode()).hexdigest()


def test_the_table_names_every_recorded_desktop_page() -> None:
    assert list(TABLE) == list(PAGERS)


@every_page
def test_posts_are_the_boards_own_rows_in_order(name: str) -> None:
    rows = read_rows(name.removesuffix(".http"))
    posts = read(name).posts
    assert [(post.pid, post.author, post.uid, post.posted_at.timestamp()) for post in posts] == [
        (row.pid, row.author, row.uid, row.dateline - (row.dateline % 60 if name.startswith(OLD) else 0)) for row in rows
    ]
    blocked = {post.pid for post in posts if post.state is PostState.BLOCKED}
    assert blocked >= {row.pid for row in rows if row.blocked}  # the board hides a banned member's posts too
    assert all(post.posted_at.tzinfo is BOARD for post in posts)
    assert {post.exact_seconds for post in posts} == {not name.startswith(OLD)}


@every_page
def test_own_words_and_what_stands_among_them_are_those_of_the_table(name: str) -> None:
    page = read(name)
    assert [str(post.pid) for post in page.posts] == list(TABLE[name])
    authors = {row.pid: row.author for row in read_rows(name.removesuffix(".http"))}
    if name.endswith("vote_p2.http"):
        board = name.partition("/")[0].replace("x34gbk", "x35")
        authors |= {row.pid: row.author for row in read_rows(f"{board}/guest__vote_p1")}
    for post in page.posts:
        wanted = TABLE[name][str(post.pid)]
        where = f"{name} pid {post.pid}"
        assert post.floor == wanted["floor"], where
        assert weigh(post.message.text) == (wanted["length"], wanted["sha256"]), where
        assert post.state == wanted.get("state", "normal"), where
        assert [flaw.code for flaw in post.flaws] == wanted.get("flaws", []), where
        tokens = [token for line in post.message.lines for token in line]
        assert [token.name for token in tokens if isinstance(token, Smiley)] == wanted.get("smilies", []), where
        assert sum(isinstance(token, Image) for token in tokens) == wanted.get("images", 0), where
        assert (len(post.comments), len(post.ratings)) == (wanted.get("comments", 0), wanted.get("ratings", 0)), where
        edited = f"{post.edited.at:%Y-%m-%d %H:%M}" if post.edited else None
        assert edited == wanted.get("edited"), where
        assert post.edited is None or post.edited.editor == post.author, where
        assert [(quote.pid, quote.tid, quote.posted, *weigh(quote.text), quote.author) for quote in post.quotes] == [
            (
                quote.get("pid"),
                quote.get("tid"),
                quote.get("posted", ""),
                quote["length"],
                quote["sha256"],
                authors[quote["pid"]] if "pid" in quote else "",
            )
            for quote in wanted.get("quotes", [])
        ], where
        assert not post.signature, where


@every_page
def test_the_pages_own_facts_are_read(name: str) -> None:
    page = read(name)
    assert (page.number, page.pages) == PAGERS[name]
    assert page.zone == 8.0
    assert page.title.startswith("【M29】")
    assert page.flaws == ()


@every_page
def test_gating_finds_the_same_posts_as_reading(name: str) -> None:
    body, content_type = load(name)
    gate = gate_page(body, content_type=content_type)
    page = read(name)
    assert [(post.pid, post.gate, post.floor) for post in gate.posts] == [
        (post.pid, post.gate, post.floor) for post in page.posts
    ]
    assert (gate.number, gate.pages) == (page.number, page.pages)
    assert gate_page(body, content_type=content_type).gate == gate.gate


@every_page
def test_a_message_can_be_read_again_from_what_is_kept(name: str) -> None:
    markup = get_dialect(gate_page(load(name)[0]).dialect).markup
    for post in read(name).posts:
        again = read_message(post.html, seen_at=SEEN, zone=BOARD, markup=markup)
        assert (again.message, again.quotes, again.edited) == (post.message, post.quotes, post.edited)


@every_page
def test_the_digest_does_not_hang_on_the_zone(name: str) -> None:
    here, there = read(name), read(name, ZoneInfo("Etc/GMT-9"))
    assert [post.digest for post in here.posts] == [post.digest for post in there.posts]
    assert [post.posted_at for post in here.posts] != [post.posted_at for post in there.posts]


def test_one_post_on_two_boards_says_the_same_in_either_charset() -> None:
    # The same script was played on both boards, two hours and more apart: the words and quotes agree, the times do not.
    utf8, gbk = read("x35/guest__vote_p2.http"), read("x34gbk/guest__vote_p2.http")
    assert [post.message.text for post in utf8.posts] == [post.message.text for post in gbk.posts]
    assert [post.quotes for post in utf8.posts] == [post.quotes for post in gbk.posts]
