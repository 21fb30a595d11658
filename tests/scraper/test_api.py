"""The mobile API's answers: the recorded ones against the boards' rows and the table of the desktop pages, and oddities."""

from __future__ import annotations

import json
import re
import tomllib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from scraper.archive import Archive
from scraper.errors import LayoutError
from scraper.page import gate_page, read_page
from scraper.post import Page, Post, PostState, Smiley, Text
from scraper.response import Response
from tests.board.recordings import FOLDER, needs_recordings, read_rows
from tests.board.script import read_script
from tests.board.server import Asked, Board
from tests.scraper.test_recordings import read as read_desktop
from tests.scraper.test_recordings import weigh

ZONE = ZoneInfo("Asia/Shanghai")
SEEN = datetime(2026, 11, 29, 20, 37, tzinfo=UTC)
TABLE: dict[str, dict[str, dict[str, Any]]] = tomllib.loads(
    (Path(__file__).parent / "recordings.toml").read_text(encoding="utf-8")
)
RECORDED = {
    # answer: dialect, the page whose rows are its own, number of pages, whether it has edit marks and comments
    "x35/guest__api_mobile_v4_viewthread_p1": ("api4", "x35/guest__vote_p1", 4, False, True),
    "x34gbk/guest__api_mobile_v1_viewthread_p1": ("api1", "x34gbk/guest__mobile_touch_vote_p1", 7, True, False),
}
every_recording = pytest.mark.parametrize("name", RECORDED)


def read_recording(name: str, zone: ZoneInfo = ZONE) -> Page:
    body = (FOLDER / f"{name}.http").read_bytes().partition(b"\r\n\r\n")[2]
    return read_page(body, tid=2, seen_at=SEEN, zone=zone, content_type="application/json")


@needs_recordings
@every_recording
def test_posts_are_the_boards_own_rows_in_order_to_the_second(name: str) -> None:
    posts, rows = read_recording(name).posts, read_rows(RECORDED[name][1])
    assert [(post.pid, post.author, post.uid, post.posted_at.timestamp()) for post in posts] == [
        (row.pid, row.author, row.uid, row.dateline) for row in rows
    ]
    assert all(post.posted_at.tzinfo is ZONE and post.exact_seconds and post.epoch for post in posts)


@needs_recordings
@every_recording
def test_words_and_what_stands_among_them_are_those_of_the_desktop_page(name: str) -> None:
    dialect, _, pages, edits, comments = RECORDED[name]
    page = read_recording(name)
    assert (page.number, page.pages, page.zone) == (1, pages, None)
    assert page.title == "【M29】第一天 投票帖（投票截止 21:00）"
    lacking = [dict(flaw.parameters) for flaw in page.flaws if flaw.code == "A123"]
    assert lacking == ([] if edits else [{"surface": dialect, "lacks": "edited"}])
    desktop = {post.pid: post.message.text for post in read_desktop("x35/guest__vote_p1.http").posts}
    for post in page.posts:
        wanted = TABLE["x35/guest__vote_p1.http"][str(post.pid)]
        words = desktop[post.pid]
        assert weigh(words) == (wanted["length"], wanted["sha256"])
        # Version 4 takes runs of two spaces and more out.
        assert post.message.text == (re.sub("\xa0{2,}", "", words) if dialect == "api4" else words)
        assert post.floor == wanted["floor"]
        assert (f"{post.edited.at:%Y-%m-%d %H:%M}" if post.edited else None) == (wanted.get("edited") if edits else None)
        assert [weigh(quote.text) for quote in post.quotes] == [(q["length"], q["sha256"]) for q in wanted.get("quotes", [])]
        tokens = [token for line in post.message.lines for token in line]
        assert [token.name for token in tokens if isinstance(token, Smiley)] == wanted.get("smilies", [])
        assert len(post.comments) == (wanted.get("comments", 0) if comments else 0)
        assert post.flaws == ()


@needs_recordings
@every_recording
def test_neither_time_nor_digest_hangs_on_the_zone(name: str) -> None:
    here, there = read_recording(name), read_recording(name, ZoneInfo("Etc/GMT-9"))
    assert [post.posted_at for post in here.posts] == [post.posted_at for post in there.posts]
    assert [(post.digest, post.gate) for post in here.posts] == [(post.digest, post.gate) for post in there.posts]


SCRIPT = """
[board]
dialect = "{dialect}"
per_page = 5
[[thread]]
tid = 7
title = "投票帖 <1>"
[[post]]
tid = 7
pid = 1
author = "导演"
at = 2018-06-03T09:00:00
text = "开始"
[[post]]
tid = 7
pid = 2
author = "饺子"
at = 2018-06-03T10:00:00
text = "{text}"
"""
AFTER = datetime(2018, 6, 20, 12, tzinfo=ZONE)
both = pytest.mark.parametrize("dialect", ["api1", "api4"])


def show(dialect: str, text: str = "投票对象：包子", more: str = "", page: int = 1) -> bytes:
    board = Board(read_script(SCRIPT.format(dialect=dialect, text=text) + more), AFTER)
    reply = board.answer(Asked("GET", f"/api/mobile/index.php?version=4&module=viewthread&tid=7&page={page}"))
    assert reply is not None
    return reply.body


def read(body: bytes) -> tuple[Post, ...]:
    return read_page(body, tid=7, seen_at=AFTER, zone=ZONE, content_type="application/json").posts


def change(body: bytes, **values: Any) -> bytes:
    """The answer with other values in its second post; None takes one out."""
    answer = json.loads(body)
    post = answer["Variables"]["postlist"][1]
    post |= values
    answer["Variables"]["postlist"][1] = {key: value for key, value in post.items() if value is not None}
    return json.dumps(answer).encode()


@both
def test_a_version_is_told_by_its_posts_and_not_by_the_number_that_it_names(dialect: str) -> None:
    body = show(dialect)
    for version in (b"1", b"2", b"4"):
        renamed = body.replace(b'"Version":"%s"' % dialect[-1:].encode(), b'"Version":"%s"' % version)
        assert gate_page(renamed).dialect == dialect


@both
@pytest.mark.parametrize("box", ["blocked", "banned"])
def test_a_box_in_place_of_the_words_is_told_from_words(dialect: str, box: str) -> None:
    post = read(show(dialect, more=f"{box} = 2018-06-04T10:00:00\n"))[1]
    assert (post.state, post.message.text, post.flaws) == (PostState.BLOCKED, "", ())
    # An author cannot write the box: what he writes of it is escaped.
    typed = read(show(dialect, "提示: <em>该帖被管理员或版主屏蔽</em>"))[1]
    assert (typed.state, typed.message.text) == (PostState.NORMAL, "提示: <em>该帖被管理员或版主屏蔽</em>")


@both
@pytest.mark.parametrize(
    ("words", "flaws"),
    [("此帖仅作者可见", []), ("此帖僅作者可見", []), ("本帖为密码帖 ，", ["A107"]), ("本帖為密碼帖", ["A107"])],
)
def test_a_post_that_is_not_shown_is_locked(dialect: str, words: str, flaws: list[str]) -> None:
    post = read(change(show(dialect), message=words))[1]
    assert (post.state, post.message.text, [flaw.code for flaw in post.flaws]) == (PostState.LOCKED, "", flaws)


@both
def test_an_anonymous_author_has_words_and_no_uid(dialect: str) -> None:
    post = read(show(dialect, more="anonymous = true\n"))[1]
    assert (post.author, post.uid, post.message.text, post.flaws) == ("匿名", None, "投票对象：包子", ())


@both
def test_without_the_moment_the_printed_time_is_read(dialect: str) -> None:
    for moment in (None, "", "0", "x", "9" * 30):
        post = read(change(show(dialect), dbdateline=moment))[1]
        assert post.posted_at == datetime(2018, 6, 3, 10, tzinfo=ZONE)
        assert not post.epoch
    post = read(change(show(dialect), dbdateline=None, dateline="3&nbsp;天前"))[1]
    assert [flaw.code for flaw in post.flaws] == ["A112"]
    post = read(change(show(dialect), dbdateline=None, dateline=None))[1]
    assert [flaw.code for flaw in post.flaws] == ["A105"]
    far = read(change(show(dialect), dbdateline="9" * 18))[1]
    assert far.posted_at == datetime(2018, 6, 3, 10, tzinfo=ZONE)


@both
def test_numbers_may_be_numbers_and_lists_may_be_objects(dialect: str) -> None:
    answer = json.loads(show(dialect))
    posts = answer["Variables"]["postlist"]
    for post in posts:
        post |= {"pid": int(post["pid"]), "authorid": int(post["authorid"]), "number": int(post["number"])}
    answer["Variables"]["postlist"] = {str(place): post for place, post in enumerate(posts)}
    body = json.dumps(answer, ensure_ascii=False).encode()
    assert read(body) == read(show(dialect))


@both
def test_text_in_the_boards_own_charset_is_read(dialect: str) -> None:
    answer = json.loads(show(dialect))
    body = json.dumps(answer, ensure_ascii=False).encode("gb18030")
    assert [post.message.text for post in read(body)] == ["开始", "投票对象：包子"]


@both
def test_floors_are_named_as_the_answer_names_them(dialect: str) -> None:
    assert [post.floor for post in read(show(dialect))] == ["楼主", "沙发"]
    assert read(change(show(dialect), number="17"))[1].floor == "17#"
    assert [flaw.code for flaw in read(change(show(dialect), number=None))[1].flaws] == ["A104"]
    bare = json.loads(show(dialect))
    del bare["Variables"]["cache_custominfo_postno"]
    assert [post.floor for post in read(json.dumps(bare).encode())] == ["1#", "2#"]


@both
def test_pages_are_reckoned_from_floors(dialect: str) -> None:
    more = "".join(
        f'[[post]]\ntid = 7\npid = {pid}\nauthor = "豆沙"\nat = 2018-06-03T11:00:{pid:02}\ntext = "聊"\n' for pid in range(3, 14)
    )
    seen = []
    for number in (1, 2, 3):
        page = read_page(show(dialect, more=more, page=number), tid=7, seen_at=AFTER, zone=ZONE)
        seen.append((page.number, page.pages, [post.pid for post in page.posts]))
    assert seen == [(1, 3, [1, 2, 3, 4, 5]), (2, 3, [6, 7, 8, 9, 10]), (3, 3, [11, 12, 13])]


@pytest.mark.parametrize(
    ("floors", "number"),
    [([1, 13, 12, 11, 10], 1), ([9, 8, 7, 6, 5], 2), ([4, 3, 2], 3)],
)
def test_a_thread_shown_newest_first_has_its_pages_the_other_way(floors: list[int], number: int) -> None:
    answer = json.loads(show("api4"))
    first = answer["Variables"]["postlist"][0]
    answer["Variables"]["postlist"] = [{**first, "pid": str(floor), "number": str(floor)} for floor in floors]
    answer["Variables"]["thread"]["replies"] = "12"
    page = read_page(json.dumps(answer).encode(), tid=7, seen_at=AFTER, zone=ZONE)
    assert (page.number, page.pages) == (number, 3)


@both
def test_the_gate_holds_the_words_and_not_what_changes_by_itself(dialect: str) -> None:
    body = show(dialect)
    gate = gate_page(body).gates[2]
    assert gate_page(change(body, dateline="刚刚", memberstatus="1", groupid="7")).gates[2] == gate
    for changed in ({"message": "别的"}, {"author": "豆沙"}, {"authorid": "9"}, {"dbdateline": "1528000000"}, {"number": "3"}):
        assert gate_page(change(body, **changed)).gates[2] != gate


@both
@pytest.mark.parametrize("cut", ["no list", "short", "scalar", "other"])
def test_an_answer_that_holds_no_posts_is_refused(dialect: str, cut: str) -> None:
    body = {
        "no list": b'{"Variables":{"postlist":null}}',
        "short": show(dialect)[:400],
        "scalar": b'{"postlist":1}',
        "other": b'{"Variables":{"postlist":[{"pid":"x"},7,null]}}',
    }[cut]
    with pytest.raises(LayoutError):
        gate_page(body)


@both
@pytest.mark.parametrize(
    ("given", "names"),
    [
        ({"attachment": "1"}, "?"),
        ({"attachment": "2", "attachments": [], "attachlist": []}, "?"),
        ({"attachment": "1", "attachments": {"7": {"filename": "a.zip"}}}, ""),
        ({"attachment": "1", "attachments": {"7": {"filename": "a&amp;b.zip"}}, "attachlist": ["7"]}, "a&b.zip"),
        ({"attachment": "2", "attachments": {"7": {}, "8": {"filename": "b.jpg"}}, "imagelist": {"0": 8, "1": 7}}, "b.jpg、?"),
        ({"attachment": "1", "attachments": {}, "attachlist": ["9"]}, "?"),
    ],
)
def test_files_below_the_words_are_told_as_far_as_the_answer_names_them(dialect: str, given: dict[str, Any], names: str) -> None:
    body = show(dialect)
    changed = change(body, **given)
    found = [dict(flaw.parameters)["files"] for flaw in read(changed)[1].flaws if flaw.code == "A124"]
    assert found == ([names] if names else [])
    assert (gate_page(changed).gates[2] != gate_page(body).gates[2]) == bool(names)


@both
def test_quotes_links_code_and_files_are_what_they_are_on_the_desktop_page(dialect: str) -> None:
    text = "[quote]抄来的[/quote]自己的[url=forum.php?mod=viewthread&tid=2]链[/url]\\n[code]代码[/code]又[attach]x.zip[/attach]"
    post = read(show(dialect, text))[1]
    assert [quote.text for quote in post.quotes] == ["抄来的"]
    assert [line for line in post.message.text.split("\n") if line] == ["自己的链", "又"]
    links = [token.style.link for line in post.message.lines for token in line if isinstance(token, Text)]
    assert [link for link in links if link] == ["http://localhost/forum.php?mod=viewthread&tid=2"]


@both
def test_a_moment_stays_what_it_is_in_whatever_zone_the_archive_is_read(tmp_path: Path, dialect: str) -> None:
    script = SCRIPT.format(dialect=dialect, text="投票对象：包子") + "edits = [{ at = 2018-06-03T10:30:00, text = '改了' }]\n"
    reply = Board(read_script(script), AFTER).answer(Asked("GET", "/forum.php?mod=viewthread&tid=7"))
    assert reply is not None
    page = Response("https://bbs.example.net/api/mobile/?tid=7", 200, reply.headers, reply.body, AFTER)
    for zone in (ZoneInfo("America/New_York"), ZONE, ZoneInfo("UTC")):
        with Archive.open(tmp_path / "game.db", board="https://bbs.example.net/", zone=zone) as archive:
            archive.save_page(archive.begin_pass(7, AFTER), page, 1)
            first, second = archive.fetch_histories(7)
            since, until = datetime(2018, 6, 3, 9, 30, tzinfo=ZONE), datetime(2018, 6, 3, 10, 0, 1, tzinfo=ZONE)
            assert [history.first.pid for history in archive.fetch_histories(7, since=since, until=until)] == [2]
            assert (first.first.posted_at, second.first.posted_at) == (
                datetime(2018, 6, 3, 9, tzinfo=ZONE),
                datetime(2018, 6, 3, 10, tzinfo=ZONE),
            )
            assert second.first.epoch
            assert second.first.exact_seconds
            assert len(second.revisions) == 1
