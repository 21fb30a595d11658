"""What a history of the archive says without being decoded is what it says decoded."""

from __future__ import annotations

import pickle
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from scraper.archive import Archive
from scraper.post import History, PostState
from scraper.stored import StoredHistory, read_whole
from tests.scraper.looks import BOARD, TID, at, look, open_archive, post, thread

SCRIPT = thread(
    post("导演", "10:00", "开始投票"),
    post("饺子", "10:05", "投票对象：包子\n\n投票理由：{:4_100:}好吃"),
    post("包子", "10:06", "我看看", 'edits = [{ at = 2018-06-03T11:00:00, text = "再看看" }]'),
    post("豆沙", "10:07", "[color=red]我[/color]也看看", "quote = 2"),
    post("汤圆", "10:08", "会被屏蔽", "blocked = 2018-06-03T10:30:00"),
    post("烧卖", "10:09", "会被删掉", "deleted = 2018-06-03T10:20:00"),
    post("年糕", "23:50", "发在未来"),
)
PLAIN = ("tid", "pid", "floor", "author", "uid", "account", "posted_at", "exact_seconds", "links_quotes", "plain_words")


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    with open_archive(tmp_path / "game.db") as opened:
        for time in ("10:10", "10:40", "11:10", "23:55"):
            look(opened, SCRIPT, at(time))
        yield opened


def decode(history: History) -> History:
    """The same as values that were never in an archive."""
    return History(history.revisions, history.state, history.last_seen, history.missing_since)


def test_every_fact_off_the_row_is_that_of_the_decoded_post(archive: Archive) -> None:
    seen = set()
    for known_at in (None, at("10:10"), at("10:40")):
        for history in archive.fetch_histories(TID, known_at=known_at):
            assert isinstance(history, StoredHistory)
            said = [getattr(history, name) for name in PLAIN]
            assert said == [getattr(decode(history), name) for name in PLAIN]
            assert (history.cite(), history.cite(2, 3, 4)) == (decode(history).cite(), decode(history).cite(2, 3, 4))
            seen.add((history.pid, history.plain_words is None, history.links_quotes))
    assert {pid for pid, special, _ in seen if special} == {3, 5}
    assert {pid for pid, _, links in seen if links} == {4}
    assert {pid for pid, special, _ in seen if not special} == {1, 2, 3, 4, 5, 6, 7}


def test_it_equals_the_decoded_one_and_is_used_like_it(archive: Archive) -> None:
    for history in archive.fetch_histories(TID):
        other = decode(history)
        assert (history, hash(history), repr(history)) == (other, hash(other), repr(other))
        assert other == history
        assert pickle.loads(pickle.dumps(history)) == other
        changed = replace(history, state=PostState.LOCKED)
        assert (type(changed), changed) == (History, replace(other, state=PostState.LOCKED))
        assert changed != history
    assert len({history.pid: history for history in archive.fetch_histories(TID)}) == 7


def test_what_became_of_a_post_is_told(archive: Archive) -> None:
    told = {history.pid: history for history in archive.fetch_histories(TID)}
    assert [(pid, one.state.value) for pid, one in told.items() if one.state is not PostState.NORMAL] == [
        (5, "blocked"),
        (6, "deleted"),
    ]
    assert (told[6].last_seen, told[6].missing_since) == (at("10:10"), at("10:40"))


def test_a_time_follows_the_zone_that_is_set_now(archive: Archive) -> None:
    # In Tokyo's zone 23:50 was 22:50 here, and 10:06 an hour before any post was seen.
    with Archive.open(archive.path, board=BOARD, zone=ZoneInfo("Asia/Tokyo")) as moved:
        for history in moved.fetch_histories(TID):
            assert history.posted_at == history.first.posted_at
            assert history.posted_at.utcoffset() == history.first.posted_at.utcoffset()
        assert next(one.posted_at for one in moved.fetch_histories(TID)) == at("09:00")


def test_a_post_that_seemed_to_come_from_the_future_is_plain_once_the_zone_is_right(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with Archive.open(path, board=BOARD, zone=ZoneInfo("UTC")) as wrong:
        look(wrong, SCRIPT, at("10:10"))
        assert {one.plain_words for one in wrong.fetch_histories(TID)} == {None}
    with open_archive(path) as right:
        assert next(one.plain_words for one in right.fetch_histories(TID)) == "开始投票"


def test_words_are_those_of_their_post(archive: Archive) -> None:
    expected = {1: "开始投票", 2: "投票对象：包子\n\n投票理由：[:100:]好吃", 4: "我也看看", 6: "会被删掉", 7: "发在未来"}
    histories = {history.pid: history for history in archive.fetch_histories(TID)}
    assert {pid: history.plain_words for pid, history in histories.items() if pid in expected} == expected


@pytest.mark.parametrize("looked_for", [None, "看", "投票"])
def test_whether_a_post_may_hold_a_pattern_is_told_alike_whatever_was_looked_for_in_passing(
    archive: Archive, looked_for: str | None
) -> None:
    glance = re.compile(looked_for) if looked_for else None
    histories = [*archive.fetch_histories(TID, glance=glance)]
    # 3 was edited and 5 is blocked: what they say is not told in passing.
    for pattern, pids in (("看", {3, 4, 5}), ("投票", {1, 2, 3, 5}), ("没有人这样写", {3, 5})):
        assert {history.pid for history in histories if history.may_hold(re.compile(pattern))} == pids
        assert {history.pid for history in histories if decode(history).may_hold(re.compile(pattern))} == pids


def test_what_is_seen_after_the_gathering_is_no_part_of_it(archive: Archive) -> None:
    # At 10:40 nobody has seen the edit of 11:00; what the post says is asked for when it has been.
    with open_archive(archive.path.with_name("early.db")) as early:
        look(early, SCRIPT, at("10:40"))
        (history,) = [one for one in early.fetch_histories(TID) if one.pid == 3]
        look(early, SCRIPT, at("11:10"))
        assert [revision.post.message.text for revision in history.revisions] == ["我看看"]
        (again,) = [one for one in early.fetch_histories(TID) if one.pid == 3]
        assert [revision.post.message.text for revision in again.revisions] == ["我看看", "再看看"]


@pytest.mark.parametrize("at_once", [2, 256])
def test_histories_that_are_read_together_are_those_that_are_read_one_by_one(
    archive: Archive, at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scraper.stored._POSTS_AT_ONCE", at_once)
    together = [*archive.fetch_histories(TID)]
    alone = [history.whole for history in archive.fetch_histories(TID)]
    assert {len(history.revisions) for history in alone} == {1, 2}
    read_whole([*together[1:], alone[0]])
    read_whole(together)
    assert [history.whole for history in together] == alone
    read_whole([])


def test_what_is_seen_after_the_gathering_is_no_part_of_what_is_read_together(archive: Archive) -> None:
    with open_archive(archive.path.with_name("early.db")) as early:
        look(early, SCRIPT, at("10:40"))
        gathered = [*early.fetch_histories(TID)]
        look(early, SCRIPT, at("11:10"))
        read_whole(gathered)
        assert [len(history.revisions) for history in gathered if history.pid == 3] == [1]
