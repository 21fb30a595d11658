"""Replying through the board's form: sent once, waited for where the board says so, and believed only when it was read back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from scraper import errors
from scraper.client import Client
from scraper.pace import Settings
from scraper.reply import Errand, send_reply, squeeze
from tests.board.replies import Replies
from tests.board.script import read_script
from tests.board.server import Board, serve

SCRIPT = """
[board]
dialect = "{dialect}"
charset = "{charset}"
per_page = 2
viewer = "导演甲"
[[thread]]
tid = 12
title = "进程"
[[post]]
tid = 12
pid = 1
author = "导演甲"
at = 2018-06-03T09:00:00
text = "进程帖"
[[post]]
tid = 12
pid = 2
author = "饺子"
at = 2018-06-03T09:10:00
text = "到"
[[post]]
tid = 12
pid = 3
author = "包子"
at = 2018-06-03T09:20:00
text = "到"
"""
TEXT = "[b]第 2 天：包子 5 票[/b]\n[color=red]出局[/color]：包子"


@contextmanager
def board(charset: str = "utf-8", dialect: str = "x35", **settings: object) -> Iterator[tuple[Client, Replies]]:
    """A client that is logged in on a board with a thread of two pages."""
    site = Board(read_script(SCRIPT.format(charset=charset, dialect=dialect)), datetime(2018, 6, 5, 13, 5, tzinfo=UTC))
    replies = Replies(site, "导演甲", **settings)  # type: ignore[arg-type]
    site.faults = (replies,)
    with serve(site) as served, Client(served.base, settings=Settings(interval=0, attempts=1)) as client:
        yield client, replies


def no_sleep(seconds: float) -> None:
    raise AssertionError(f"nobody asked for a pause of {seconds} s")


@pytest.mark.parametrize("charset", ["utf-8", "gbk"])
def test_a_text_is_sent_once_and_read_back(charset: str) -> None:
    with board(charset) as (client, replies):
        sent = send_reply(client, 12, TEXT, Errand(no_sleep))
        assert replies.sent == [TEXT]
        assert sent.post.pid == 4
        assert sent.post.author == "导演甲"
        assert sent.post.message.text == "第 2 天：包子 5 票\n出局：包子"


def test_a_pause_that_the_board_wants_is_waited_for_and_the_text_sent_again() -> None:
    waited: list[float] = []
    with board(wants_pause=1) as (client, replies):
        sent = send_reply(client, 12, TEXT, Errand(waited.append))
        assert waited == [16]
        assert len(replies.sent) == 2
        assert sent.post.pid == 4


def test_a_pause_is_waited_for_once() -> None:
    waited: list[float] = []
    with board(wants_pause=2) as (client, replies), pytest.raises(errors.FloodError):
        send_reply(client, 12, TEXT, Errand(waited.append))
    assert waited == [16]
    assert len(replies.sent) == 2


def test_a_long_pause_is_the_directors_to_wait() -> None:
    with board(wants_pause=1, seconds=600) as (client, replies), pytest.raises(errors.FloodError):
        send_reply(client, 12, TEXT, Errand(no_sleep))
    assert len(replies.sent) == 1


def test_what_waits_for_approval_is_told_and_not_sent_again() -> None:
    with board(approval=True) as (client, replies), pytest.raises(errors.ReplyError, match="approval"):
        send_reply(client, 12, TEXT, Errand(no_sleep))
    assert len(replies.sent) == 1


def test_a_thread_without_a_form_is_closed() -> None:
    with board(closed=True) as (client, replies), pytest.raises(errors.NoPermissionError, match="no form"):
        send_reply(client, 12, TEXT, Errand(no_sleep))
    assert replies.sent == []


def test_a_picture_that_must_be_read_is_told_before_anything_is_sent() -> None:
    with board(captcha=True) as (client, replies), pytest.raises(errors.CaptchaError):
        send_reply(client, 12, TEXT, Errand(no_sleep))
    assert replies.sent == []


def test_an_answer_that_is_lost_never_sends_the_text_again() -> None:
    with board(loses_answer=True) as (client, replies), pytest.raises(errors.UnreachableError):
        send_reply(client, 12, TEXT, Errand(no_sleep))
    assert len(replies.sent) == 1


def test_a_guest_may_not_reply() -> None:
    with board(guest=True) as (client, replies), pytest.raises(errors.LoginError, match="logged in"):
        send_reply(client, 12, TEXT, Errand(no_sleep))
    assert replies.sent == []


def test_codes_white_space_and_entities_do_not_tell_texts_apart() -> None:
    assert squeeze("[b]包子[/b]：5 票\n[url=https://a.example/]帖[/url] &#9731;") == "包子：5票帖☃"


@pytest.mark.parametrize(
    ("dialect", "charset"), [("x2", "utf-8"), ("x34", "gbk"), ("v72", "big5"), ("v72", "gbk"), ("v60", "gbk")]
)
def test_every_kind_of_board_takes_a_text(dialect: str, charset: str) -> None:
    with board(charset, dialect) as (client, replies):
        sent = send_reply(client, 12, TEXT, Errand(no_sleep))
        assert replies.sent == [TEXT]
        assert (sent.post.pid, sent.differs) == (4, "")


@pytest.mark.parametrize(("dialect", "charset"), [("x34", "gbk"), ("v72", "gbk"), ("v72", "big5"), ("x35", "utf-8")])
def test_characters_that_the_boards_charset_lacks_come_back_as_they_were(dialect: str, charset: str) -> None:
    with board(charset, dialect) as (client, _replies):
        sent = send_reply(client, 12, "第 2 天：🐱喵 𠮷 ☃ 5 票", Errand(no_sleep))
        assert (sent.post.message.text, sent.differs) == ("第 2 天：🐱喵 𠮷 ☃ 5 票", "")


@pytest.mark.parametrize(
    ("dialect", "thanks"),
    [
        ("x35", "非常感谢，回复发布成功，现在将转入主题页，请稍候……"),
        ("v72", "非常感谢，您的回复已经发布，现在将转入主题页，请稍候……"),
        ("v60", "非常感谢，您的回复已经发布，现在将转入主题页。"),
        ("x35", "谢谢参与"),
    ],
)
def test_a_box_of_thanks_in_any_words_is_held_against_the_thread(dialect: str, thanks: str) -> None:
    """Success is told in the words of each version (X, 7.2, 6.x), or of an administrator: the thread decides."""
    with board(dialect=dialect, thanks=thanks) as (client, _replies):
        assert send_reply(client, 12, TEXT, Errand(no_sleep)).post.pid == 4


@pytest.mark.parametrize(
    "said",
    ["抱歉，您的帖子超过 10000 个字符的限制", "对不起，您的帖子小于 10 个字符的限制，请返回修改。", "抱歉，验证没有成功，请返回"],
)
def test_what_the_board_refuses_in_words_may_be_sent_again(said: str) -> None:
    kept: list[str] = []
    errand = Errand(no_sleep, claim=lambda: kept.append("claim"), release=lambda: kept.append("release"))
    with board(refuses=said) as (client, replies), pytest.raises(errors.RefusedError, match=said):
        send_reply(client, 12, TEXT, errand)
    assert (kept, len(replies.sent)) == (["claim", "release"], 1)


def test_a_box_in_unknown_words_without_the_text_is_told_and_stays_claimed() -> None:
    kept: list[str] = []
    errand = Errand(no_sleep, claim=lambda: kept.append("claim"), release=lambda: kept.append("release"))
    with board(refuses="稍后见") as (client, _replies), pytest.raises(errors.RefusedError, match="稍后见"):
        send_reply(client, 12, TEXT, errand)
    assert kept == ["claim"]


def test_a_long_pause_or_one_that_is_broken_off_claims_nothing() -> None:
    def broken(seconds: float) -> None:
        raise KeyboardInterrupt

    for seconds, sleep, kind in ((600, no_sleep, errors.FloodError), (15, broken, KeyboardInterrupt)):
        kept: list[str] = []
        errand = Errand(sleep, claim=lambda kept=kept: kept.append("+"), release=lambda kept=kept: kept.append("-"))  # type: ignore[misc]
        with board(wants_pause=1, seconds=seconds) as (client, replies), pytest.raises(kind):
            send_reply(client, 12, TEXT, errand)
        assert (kept, len(replies.sent)) == (["+", "-"], 1)


@pytest.mark.parametrize(
    "settings",
    [
        {"closed": True},
        {"captcha": True},
        {"guest": True},
        {"token": False},
        {"extra": '<span id="seccode_cSaxT575"></span>'},
        {"extra": '<input name="secqaahash" type="hidden" value="S12" /><span id="secqaa_S12"></span>'},
        {"extra": "<script>updatesecqaa('qS0');</script>"},
        {"script": "<script>var postmaxchars = parseInt('40'); var disablepostctrl = parseInt('0');</script>"},
    ],
)
def test_what_cannot_be_sent_is_told_before_anything_is_claimed(settings: dict[str, object]) -> None:
    kept: list[str] = []
    with board(**settings) as (client, replies), pytest.raises(errors.BanshaError) as told:  # type: ignore[arg-type]
        send_reply(client, 12, TEXT, Errand(no_sleep, claim=lambda: kept.append("claim")))
    assert (kept, replies.sent) == ([], [])
    wanted = {"token": "token", "script": "in parts", "extra": "question answered"}
    assert all(words in str(told.value) for key, words in wanted.items() if key in settings)


def test_a_text_of_any_length_goes_where_the_account_has_no_limit() -> None:
    script = "<script>var postmaxchars = parseInt('40'); var disablepostctrl = parseInt('1');</script>"
    with board(script=script) as (client, _replies):
        assert send_reply(client, 12, TEXT, Errand(no_sleep)).post.pid == 4


def test_a_player_cannot_bring_a_limit_into_the_page() -> None:
    with board() as (client, replies):
        script = replies.board.script
        forged = replace(script.posts[3], text="postmaxchars = parseInt('1');")
        replies.board.script = replace(script, posts={**script.posts, 3: forged})
        assert send_reply(client, 12, TEXT, Errand(no_sleep)).post.pid == 4


@pytest.mark.parametrize("cut", [20, 26])
def test_a_text_that_the_board_cuts_is_found_and_what_is_missing_told(cut: int) -> None:
    """A board whose database holds no characters of four bytes ends a text where the first one stands."""
    text = "第 2 天 计票：包子五票，饺子两票，豆沙出局"
    with board(cut=cut) as (client, _replies):
        sent = send_reply(client, 12, text, Errand(no_sleep, authors={"导演甲"}))
    assert sent.post.pid == 4
    assert sent.differs == text[cut:]


def test_a_smiley_that_the_board_shows_as_a_picture_is_no_difference() -> None:
    with board() as (client, _replies):
        sent = send_reply(client, 12, "大家记得投票 :lol 谢谢", Errand(no_sleep))
    assert "[:" in sent.post.message.text
    assert sent.differs == ""


def test_a_row_of_smileys_comes_back_as_it_was_sent() -> None:
    with board() as (client, _replies):
        sent = send_reply(client, 12, ":lol " * 60 + "谢谢", Errand(no_sleep))
    assert sent.post.message.text.count("[:") == 60
    assert sent.differs == ""


def test_a_quote_in_a_text_is_no_word_of_its_own() -> None:
    with board() as (client, _replies):
        sent = send_reply(client, 12, "[quote]饺子 发表于 昨天\n到[/quote]已经记下了，谢谢大家", Errand(no_sleep))
    assert sent.differs == ""


def test_the_same_words_in_the_thread_since_less_than_an_hour_are_not_sent_again() -> None:
    """Another laptop, or another director, may have sent them: no database here knows."""
    seen = datetime.now(UTC)
    with board() as (client, replies):
        script = replies.board.script
        zone = ZoneInfo("Asia/Shanghai")

        def stand(author: str, age: timedelta) -> None:
            post = replace(script.posts[3], author=author, at=script.local(seen - age), text="[i]包子 5 票[/i]")
            replies.board.script = replace(script, posts={**script.posts, 3: post})
            replies.board.clock = seen

        errand = Errand(no_sleep, authors={"导演甲", "包子"}, zone=zone)
        stand("包子", timedelta(minutes=50))
        with pytest.raises(errors.RepeatedError, match="stands there already"):
            send_reply(client, 12, "[b]包子[/b] 5 票", errand)
        assert replies.sent == []
        stand("饺子", timedelta(minutes=50))
        assert send_reply(client, 12, "[b]包子[/b] 5 票", errand).post.pid == 4
    with board() as (client, replies):
        stand("包子", timedelta(minutes=61))
        assert send_reply(client, 12, "[b]包子[/b] 5 票", errand).post.pid == 4


def test_white_space_and_what_cannot_be_seen_make_no_other_text() -> None:
    assert squeeze("包子\u3000 5\r\n票\u200b") == squeeze("[size=5]包子[/size]5\ufeff票")


def test_brackets_that_are_no_codes_come_back_as_they_are() -> None:
    for text in ("[[b][/b]M29] 第 2 天：包子 5 票", "[M29] 第 2 天：包子 5 票", "[i]a[/i] 与 [abc]b[/abc]"):
        with board() as (client, _replies):
            assert send_reply(client, 12, text, Errand(no_sleep)).differs == ""
