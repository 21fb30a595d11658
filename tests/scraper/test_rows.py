"""A post as a row gives back the post, whatever stands in it."""

from __future__ import annotations

import copy
import json
import pickle
import sqlite3
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scraper.post import (
    EMPTY,
    Attachment,
    Code,
    Comment,
    EditMark,
    Flaw,
    Image,
    Message,
    Noise,
    Post,
    PostState,
    Quote,
    Rating,
    Smiley,
    Style,
    Text,
)
from scraper.rows import POST_COLUMNS, REVISION_COLUMNS, StoredMessage, decode_post, encode_post, utc_time

ZONE = ZoneInfo("Asia/Shanghai")

# What SQLite can hold: no lone surrogates, which no decoder makes.
words = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
names = words.filter(bool)
pids = st.integers(1, 2**40)
moments = st.datetimes(datetime(2001, 1, 1), datetime(2050, 1, 1), timezones=st.just(ZONE)).map(  # noqa: DTZ001 - in the zone given
    lambda moment: moment.replace(microsecond=0, fold=0)
)
styles = st.builds(Style, color=words, size=words, bold=st.booleans(), strike=st.booleans(), link=words)
texts = st.builds(Text, words, st.one_of(st.just(Style()), styles), st.booleans())
tokens = st.one_of(texts, st.builds(Smiley, words), st.builds(Image, words), st.builds(Attachment, words), st.builds(Code, words))
messages = st.builds(Message, st.lists(st.lists(tokens, max_size=3).map(tuple), max_size=4).map(tuple))
plain = st.builds(Message, st.lists(st.one_of(st.just(()), words.map(lambda text: (Text(text),))), max_size=4).map(tuple))
added = st.lists(st.tuples(words, words), max_size=2).map(tuple)
quotes = st.builds(Quote, st.none() | pids, st.none() | pids, words, words, words, st.booleans(), added)
posts = st.builds(
    Post,
    tid=st.just(7),
    pid=pids,
    floor=words,
    author=words,
    uid=st.none() | pids,
    posted_at=moments,
    message=messages | plain,
    state=st.sampled_from([PostState.NORMAL, PostState.BLOCKED, PostState.LOCKED]),
    edited=st.none() | st.builds(EditMark, words, moments),
    quotes=st.lists(quotes, max_size=2).map(tuple),
    comments=st.lists(st.builds(Comment, words, st.none() | pids, words, st.none() | moments), max_size=2).map(tuple),
    ratings=st.lists(st.builds(Rating, words, st.none() | pids, words), max_size=2).map(tuple),
    signature=words,
    title=words,
    noise=st.lists(st.builds(Noise, words, st.integers(1, 99), st.booleans()), max_size=2).map(tuple),
    flaws=st.lists(
        st.builds(Flaw, st.sampled_from(["A101", "A103"]), st.lists(st.tuples(names, words), max_size=2).map(tuple)), max_size=2
    ).map(tuple),
    exact_seconds=st.booleans(),
    html=words,
    gate=st.just(b""),
    digest=names,
    epoch=st.booleans(),
)


@given(posts)
def test_any_post_comes_back_from_its_row(post: Post) -> None:
    connection = sqlite3.connect(":memory:")
    connection.execute(f"CREATE TABLE revisions ({REVISION_COLUMNS})")
    marks = ", ".join("?" * (REVISION_COLUMNS.count(",") + 1))
    connection.execute(f"INSERT INTO revisions VALUES ({marks})", encode_post(post, 1, ZONE))
    row = connection.execute(f"SELECT {POST_COLUMNS} FROM revisions").fetchone()
    connection.close()
    assert decode_post(row, tid=7, floor=post.floor, zone=ZONE, html=post.html) == post


@given(messages | plain)
def test_the_text_of_a_message_is_what_a_row_holds_as_text(message: Message) -> None:
    post = Post(7, 1, "", "", None, datetime(2018, 6, 3, tzinfo=ZONE), message)
    row = dict(zip(REVISION_COLUMNS.split(", "), encode_post(post, 1, ZONE), strict=True))
    assert row["text"] == message.text


@pytest.mark.parametrize("text", ["", "一", "一\n二", "一\n\n二\n", "\n", "[:love:]"])
def test_a_plain_message_is_the_message_of_its_lines(text: str) -> None:
    message = StoredMessage.of_row(text, None)
    spelled = Message(tuple((Text(line),) if line else () for line in text.split("\n"))) if text else EMPTY
    assert (message.text, message.lines) == (text, spelled.lines)
    assert message == spelled
    assert spelled == message
    assert hash(message) == hash(spelled)
    assert repr(message) == repr(spelled)
    assert message != Message(((Text("anders"),),))
    assert message != text
    assert pickle.loads(pickle.dumps(message)) == copy.copy(message) == StoredMessage(spelled.lines)


@given(messages)
def test_a_stored_message_says_what_it_said(message: Message) -> None:
    post = Post(7, 1, "", "", None, datetime(2018, 6, 3, tzinfo=ZONE), message)
    row = dict(zip(REVISION_COLUMNS.split(", "), encode_post(post, 1, ZONE), strict=True))
    stored = StoredMessage.of_row(row["text"], row["tokens"])
    assert stored.text == message.text
    assert stored == message
    assert stored.text == message.text


def test_moments_compare_as_the_texts_that_are_kept_of_them() -> None:
    times = [
        datetime(2018, 6, 3, 10, 0, tzinfo=ZONE),
        datetime(2018, 6, 3, 10, 0, 0, 1, tzinfo=ZONE),
        datetime(2018, 6, 3, 2, 0, 1, tzinfo=ZoneInfo("UTC")),
        datetime(2018, 6, 3, 10, 0, 1, 500_000, tzinfo=ZONE),
    ]
    assert sorted(map(utc_time, reversed(times))) == [utc_time(moment) for moment in times]
    with pytest.raises(ValueError, match="no zone"):
        utc_time(datetime(2018, 6, 3))  # noqa: DTZ001 - what is refused


@given(posts)
def test_tokens_are_json_as_any_encoder_writes_it(post: Post) -> None:
    written = encode_post(post, 1, ZONE)[REVISION_COLUMNS.split(", ").index("tokens")]
    assert written is None or json.dumps(json.loads(written), ensure_ascii=False, separators=(",", ":")) == written
