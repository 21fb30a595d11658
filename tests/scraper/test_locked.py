"""The mark of a closed thread: behind the title, in every charset, and never out of a post."""

from __future__ import annotations

import pytest

from scraper.locked import is_locked

PAGE = '<h1 class="ts"><span id="thread_subject">投票帖</span>{mark}</h1><div id="post_1">{post}</div>'
IMAGE = '<img src="static/image/common/locked.gif" alt="{word}" title="{word}" class="vm" />'


@pytest.mark.parametrize(("word", "charset"), [("关闭", "utf-8"), ("关闭", "gbk"), ("關閉", "big5"), ("關閉", "utf-8")])
def test_the_mark_in_every_charset(word: str, charset: str) -> None:
    titled = f'<i class="x" title="{word}"></i>'
    for mark in (IMAGE.format(word=word), titled):
        assert is_locked(PAGE.format(mark=mark, post="").encode(charset)) is True
    assert is_locked(PAGE.format(mark="", post="").encode(charset)) is False


def test_what_stands_in_a_post_or_before_the_title_is_no_mark() -> None:
    assert is_locked(PAGE.format(mark="", post=IMAGE.format(word="关闭")).encode()) is False
    assert is_locked((IMAGE.format(word="关闭") + PAGE.format(mark="", post="")).encode()) is False
    assert is_locked(PAGE.format(mark="关闭", post="").encode()) is False


def test_a_surface_that_does_not_tell() -> None:
    assert is_locked("<h1>投票帖</h1>关闭".encode("gbk")) is None


def test_the_mobile_api_says_it_in_a_word() -> None:
    assert is_locked(b'{"Variables":{"thread":{"tid":"1","closed":"1"}}}') is True
    assert is_locked(b'{"Variables":{"thread":{"tid":"1","closed":"0"}}}') is False
    assert is_locked(b'{"Variables":{}}') is None
