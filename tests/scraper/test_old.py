"""Oddities of old boards: what 7.2's reply button leaves, the author on the left, 6.x's edit mark and where its posts end."""

from __future__ import annotations

import json
import re
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from scraper.page import read_page
from scraper.post import Page, Post
from tests.board.dialects import DIALECTS
from tests.board.script import CHARSETS, read_script
from tests.board.server import Asked, Board

ZONE = ZoneInfo("Asia/Shanghai")
AFTER = datetime(2018, 7, 3, tzinfo=ZONE)
VOTE = "投票对象：包子\n投票理由：好吃"
BOLD = "<strong>回复 <a href='redirect.php?goto=findpost&amp;pid=31&amp;ptid=7' target='_blank'>1#</a> <i>导演</i> </strong>"


def render(dialect: str, keys: str, charset: str = "utf-8") -> bytes:
    """A page of three posts, the middle one with these keys."""
    script = f'[board]\ndialect = "{dialect}"\ncharset = "{charset}"\n[[thread]]\ntid = 7\ntitle = "投票帖"\n'
    for pid, author, words in ((31, "导演", said(VOTE)), (32, "饺子", keys), (33, "豆沙", said(VOTE))):
        script += f'[[post]]\ntid = 7\npid = {pid}\nauthor = "{author}"\nat = 2018-06-03T10:{pid}:00\n{words}\n'
    reply = Board(read_script(script), AFTER).answer(Asked("GET", "/thread-7-1-1.html"))
    assert reply is not None
    return reply.body


def said(text: str) -> str:
    return f"text = {json.dumps(text, ensure_ascii=False)}"


def read(body: bytes) -> Page:
    return read_page(body, tid=7, seen_at=AFTER, zone=ZONE)


def middle(body: bytes) -> Post:
    """The second of three posts, whose neighbours are whole."""
    first, second, third = read(body).posts
    assert [(one.author, one.message.text, one.flaws) for one in (first, third)] == [("导演", VOTE, ()), ("豆沙", VOTE, ())]
    return second


def codes(post: Post) -> list[str]:
    return [flaw.code for flaw in post.flaws]


# 7.2's reply button


@pytest.mark.parametrize("charset", CHARSETS)
def test_the_header_of_the_reply_button_names_the_post_and_is_none_of_the_words(charset: str) -> None:
    post = read(render("v72", f"{said('改票对象：豆沙')}\nreply = 31", charset)).posts[1]
    assert [(quote.pid, quote.tid, quote.author, quote.text, quote.reply) for quote in post.quotes] == [(31, 7, "导演", "", True)]
    # Its template leaves a few spaces behind the header.
    assert (post.message.text.lstrip("\xa0 "), codes(post)) == ("改票对象：豆沙", [])


@pytest.mark.parametrize(
    ("words", "text"),
    [
        # Typed by hand, without the link or the bold of the button: his own words.
        ("回复 1# 导演<br />投票对象：包子", "回复 1# 导演\n投票对象：包子"),
        ("<strong>回复 1# <i>导演</i></strong><br />投票对象：包子", "回复 1# 导演\n投票对象：包子"),
        (BOLD.replace("strong>", "u>") + "<br />投票对象：包子", "回复 1# 导演 \n投票对象：包子"),
        # Behind the words, or with words in its line.
        (f"投票对象：包子<br />{BOLD}", "投票对象：包子\n回复 1# 导演 "),
        (f"{BOLD}投票对象：包子", "回复 1# 导演 投票对象：包子"),
    ],
)
def test_what_only_looks_like_the_header_is_its_authors(words: str, text: str) -> None:
    post = middle(render("v72", f"html = {json.dumps(words)}"))
    assert (post.message.text.rstrip(), post.quotes) == (text.rstrip(), ())


@pytest.mark.parametrize("dialect", [name for name in DIALECTS if name != "v72"])
def test_no_other_board_has_such_a_header(dialect: str) -> None:
    post = middle(render(dialect, f"html = {json.dumps(BOLD + '<br />投票对象：包子')}"))
    assert (post.message.text, post.quotes) == ("回复 1# 导演 \n投票对象：包子", ())


# 7.x skins that name the author on the left


def put_author_left(body: bytes) -> bytes:
    """The author's line beside the time goes to the left, under the picture; only the time stays where it was."""
    moved = re.compile(
        rb'(<div class="avatar"[^>]*>)(.*?)(<div class="authorinfo">\s*<img[^>]*>\s*)(<a [^>]*class="posterlink"[^>]*>.*?</a>)',
        re.DOTALL,
    )
    changed, count = moved.subn(rb'<div class="postinfo">\4</div>\1\2<div class="posttime">', body)
    assert count == 3
    return changed


def test_a_skin_that_names_the_author_on_the_left_is_read() -> None:
    body = put_author_left(render("v72", said(VOTE)))
    assert [(post.pid, post.author, post.uid, post.floor, post.message.text, post.flaws) for post in read(body).posts] == [
        (31, "导演", 101, "1#", VOTE, ()),
        (32, "饺子", 102, "2#", VOTE, ()),
        (33, "豆沙", 103, "3#", VOTE, ()),
    ]
    assert [post.posted_at for post in read(body).posts] == [post.posted_at for post in read(render("v72", said(VOTE))).posts]


# 6.x's edit mark


@pytest.mark.parametrize("dialect", ["v60", "v61"])
def test_an_edit_mark_that_is_typed_behind_the_words_cannot_be_told_from_the_boards(dialect: str) -> None:
    # What docs/surfaces.md says of 6.x: an edit too many is shown, never one too few.
    typed = said("投票对象：包子\n\n[[i] 本帖最后由 饺子 于 2018-6-3 12:00 编辑 [/i]]")
    post = middle(render(dialect, typed))
    assert (post.message.text, codes(post)) == ("投票对象：包子", [])
    assert post.edited is not None
    assert (post.edited.editor, post.edited.at) == ("饺子", datetime(2018, 6, 3, 12, 0, tzinfo=ZONE))


@pytest.mark.parametrize("dialect", ["v60", "v61"])
def test_where_the_board_itself_marked_an_edit_a_forged_mark_stays_in_the_words_and_is_told_of(dialect: str) -> None:
    forged = "[[i] 本帖最后由 导演 于 2018-6-3 10:00 编辑 [/i]]"
    edit = json.dumps(f"投票对象：豆沙\n{forged}", ensure_ascii=False)
    post = middle(render(dialect, f"{said('投票对象：包子')}\nedits = [{{ at = 2018-06-03T12:34:00, text = {edit} }}]"))
    assert post.edited is not None
    assert (post.edited.editor, post.edited.at) == ("饺子", datetime(2018, 6, 3, 12, 34, tzinfo=ZONE))
    assert post.message.text == "投票对象：豆沙\n[ 本帖最后由 导演 于 2018-6-3 10:00 编辑 ]"
    assert codes(post) == ["A115"]


@pytest.mark.parametrize(
    "mark",
    [
        "[ 本帖最后由 饺子 于 2018-6-3 12:00 编辑 ]",
        "[i] 本帖最后由 饺子 于 2018-6-3 12:00 编辑 [/i]",
        "[[i] 本帖最后由 饺子 于 从前 编辑 [/i]]",
        "说 [[i] 本帖最后由 饺子 于 2018-6-3 12:00 编辑 [/i]]",
    ],
)
def test_a_mark_of_another_form_is_its_authors_words(mark: str) -> None:
    post = middle(render("v60", said(f"投票对象：包子\n{mark}")))
    assert post.edited is None
    assert post.message.text.startswith("投票对象：包子\n")
    assert "本帖最后由" in post.message.text


# Where a post of 6.x ends

ROW = b'<td class="postauthor"'
WORDS = {
    "plain": ("投票对象：包子", "投票对象：包子"),
    "a box": ("一<div>二</div>三", "一\n二\n三"),
    "a quote": ('<div class="quote"><blockquote>引</blockquote></div>投票对象：包子', "投票对象：包子"),
    "a list": ("<ul><li>一<li>二</ul>三", "一\n二\n三"),
}


@pytest.mark.parametrize("dialect", ["v60", "v61"])
@pytest.mark.parametrize("name", WORDS)
def test_a_skin_without_the_second_row_still_shows_where_a_post_ends(dialect: str, name: str) -> None:
    html, text = WORDS[name]
    body = render(dialect, f"html = {json.dumps(html)}")
    # The first cell keeps its class, by which the board is known; the one behind the message has another.
    skinned = re.sub(rb'(</tr>\s*<tr>\s*)<td class="postauthor"', rb'\1<td class="left"', body)
    assert skinned.count(b'class="left"') == 3
    post = middle(skinned)
    assert (post.message.text, codes(post)) == (text, [])


@pytest.mark.parametrize("dialect", ["v60", "v61"])
def test_where_the_end_of_a_post_cannot_be_found_it_is_told_of_and_no_word_of_it_is_lost(dialect: str) -> None:
    body = render(dialect, f"html = {json.dumps('投票对象：包子<div>投票理由：好吃')}")
    skinned = re.sub(rb'(</tr>\s*<tr>\s*)<td class="postauthor"', rb'\1<td class="left"', body)
    post = middle(skinned)
    assert "投票对象：包子\n投票理由：好吃" in post.message.text
    if post.message.text != "投票对象：包子\n投票理由：好吃":
        assert "A121" in codes(post)
