"""The pages to measure with are heavy as real ones, repeat from their seed, and change only in what changes by itself."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from itertools import islice
from zoneinfo import ZoneInfo

import pytest

from scraper.page import read_page
from tests.board.living import Living
from tests.board.load import FIRST_PID, PLAYERS, TID, Load, generate_pages, make_pages

MESSAGE = re.compile(rb'id="postmessage_(\d+)">(.*?)</td></tr></table>', re.S)


@pytest.mark.parametrize(("charset", "least"), [("utf-8", 185_000), ("gbk", 180_000)])
def test_a_page_of_thirty_posts_is_about_two_hundred_kilobytes(charset: str, least: int) -> None:
    for page in islice(generate_pages(charset=charset), 5):
        assert least < len(page) < 215_000
        assert f'<meta charset="{charset}" />' in page.decode(charset)
        assert len(MESSAGE.findall(page)) == 30


@pytest.mark.parametrize(("dialect", "least"), [("v72", 80_000), ("v60", 80_000), ("api4", 20_000)])
def test_other_surfaces_hold_the_same_posts(dialect: str, least: int) -> None:
    zone = ZoneInfo("Asia/Shanghai")
    bodies = [next(make_pages(Load(dialect=name), range(2, 3))).fill() for name in ("x35", dialect)]
    ours, theirs = (read_page(body, tid=TID, seen_at=datetime(2018, 6, 5, 13, 5, tzinfo=UTC), zone=zone) for body in bodies)
    assert len(bodies[1]) > least
    assert len(theirs.posts) == 30
    for one, other in zip(ours.posts, theirs.posts, strict=True):
        assert (one.pid, one.author, len(one.quotes)) == (other.pid, other.author, len(other.quotes))
        # Around a quote 7.2 puts spaces, the API takes runs of them out, and 6.0 knows no [s].
        assert one.message.text.split() == re.sub(r"\[/?s\]", "", other.message.text).split()


def test_posts_are_numbered_through_and_the_last_page_holds_the_rest() -> None:
    pages = list(generate_pages(posts=65, per_page=30))
    pids = [int(pid) for page in pages for pid, _ in MESSAGE.findall(page)]
    assert pids == list(range(FIRST_PID, FIRST_PID + 65))
    assert [len(MESSAGE.findall(page)) for page in pages] == [30, 30, 5]
    assert b"<em>65</em><sup>#</sup>" in pages[2]


def test_a_tenth_are_ballots_of_sixteen_players_with_changes_that_quote_their_own() -> None:
    (page,) = make_pages(Load(posts=960, per_page=960))
    messages = [(int(pid), message.decode()) for pid, message in MESSAGE.findall(page.fill())]
    own = {pid: re.sub(r'<div class="quote">.*?</div>', "", message, flags=re.S) for pid, message in messages}
    assert sum(re.search("投票对象|投票對象|改票对象", words) is not None for words in own.values()) == 96
    changes = [(pid, message) for pid, message in messages if "改票对象" in own[pid]]
    assert len(changes) == len(PLAYERS) == 16
    for pid, message in changes:
        quoted = re.findall(r"goto=findpost&amp;pid=(\d+)&amp;", message)
        assert [int(each) for each in quoted] == [pid - 160]
    assert 0 < sum("本帖最后由" in message for _, message in messages) < 60


def test_only_what_changes_by_itself_changes() -> None:
    (page,) = make_pages(Load(posts=90, per_page=30, noise=True), range(2, 3))
    once, later = page.fill(0), page.fill(1)
    assert once != later
    assert {name for name, _ in page.slots} <= {name for name in vars(Living) if not name.startswith("_")}
    for still in page.still:
        assert still in once
        assert still in later


def test_a_page_says_the_same_whichever_way_it_is_asked_for() -> None:
    whole = list(make_pages(Load(posts=90)))
    (alone,) = make_pages(Load(posts=90), range(3, 4))
    assert alone.fill(4) == whole[2].fill(4)
    grown = list(generate_pages(posts=120))
    assert MESSAGE.findall(grown[2]) == MESSAGE.findall(whole[2].fill())
    assert list(generate_pages(posts=30, seed=1)) != list(generate_pages(posts=30, seed=2))
