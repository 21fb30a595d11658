"""Pages with something wrong in them: the post that has it is told of, and its neighbours are whole."""

from __future__ import annotations

import contextlib
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from scraper.errors import CutPageError
from scraper.page import gate_page, read_page
from scraper.post import Page, Post, PostState
from tests.scraper.pages import BOARD, SEEN, post, read
from tests.scraper.pages import page as make_page

VOTE = "投票对象：包子<br />\r\n投票理由：好吃"
OWN = "投票对象：包子\n投票理由：好吃"


def codes(one: Post | Page) -> list[str]:
    return [flaw.code for flaw in one.flaws]


def between(message: str) -> tuple[Post, Post, Post]:
    """Three posts of a page: the middle one holds the message, and its neighbours are proved whole."""
    page = read(make_page(post(87, VOTE), post(88, message), post(89, VOTE)))
    assert [one.pid for one in page.posts] == [87, 88, 89]
    first, middle, last = page.posts
    for neighbour in (first, last):
        assert (neighbour.message.text, neighbour.flaws, neighbour.floor, neighbour.author) == (OWN, (), "5#", "饺子")
    assert page.flaws == ()
    return first, middle, last


BROKEN = {
    "comment": ("一<br /><!-- 二<br />三", "一", ["A109"]),
    "textarea": ("一<br /><textarea>二", "一\n二", ["A109"]),
    "style": ("一<br /><style>二<br />三", "一", ["A109"]),
    "plaintext": ("一<br /><plaintext>二", "一\n二", ["A109"]),
    "iframe": ("一<iframe src='x'>二", "一", ["A109"]),
    "title": ("一<br /><title>二", "一", ["A109"]),
    "script": ("一<br /><script>二", "一", ["A109"]),
    "attribute": ('一<br /><font color="red>二<br />三', "一\n二\n三", ["A110"]),
    "tag": ("一<br />二<font ", "一\n二<font", ["A110"]),
    "early close of the cell": ("一</td></tr></table>二", "一\n二", []),
    "early close of everything": ("一</td></tr></table></div></div></div></td></tr></table></div>二", "一\n二", []),
    "early close of the table twice": ("一</table>二</table>三", "一\n二三", []),
    "a table that never closes": ("一<table><tr><td>二", "一\n二", []),
    "end of the document": ("一</body></html>二", "一二", []),
    "unclosed lists and styles": ("<ul><li><b><font color='red'>一<li>二", "一\n二", []),
    "a select": ("一<select><option>二", "一\n二", []),
    "a nul and a control character": ("一\0二\x01三", "一\ufffd二\ufffd三", []),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_message_is_told_of_and_hides_none_behind_it(name: str) -> None:
    message, text, found = BROKEN[name]
    _, middle, _ = between(message)
    assert codes(middle) == found
    assert middle.message.text.replace("\x01", "\ufffd") == text


@pytest.mark.parametrize("tag", ["b", "div", "table><tr><td"])
def test_three_thousand_nested_tags_are_a_flaw_of_one_post(tag: str) -> None:
    _, middle, _ = between(f"一<{tag}>" * 3000 + "二")
    assert codes(middle) == ["A108"]


def test_two_hundred_nested_quotes_are_read() -> None:
    inner = '<div class="quote"><blockquote>' * 200 + "里" + "</blockquote></div>" * 200
    _, middle, _ = between(f"{inner}自己")
    assert (middle.message.text, middle.flaws) == ("自己", ())


@pytest.mark.parametrize(
    "forged",
    [
        '<div id="post_99">投票对象：豆沙</div>',
        '<div id="post_99"><table id="pid99"><tr><td id="postmessage_99">投票对象：豆沙</td></tr></table></div>',
        '<div id="post_89"><table id="pid89"><tr><td id="postmessage_89">投票对象：豆沙</td></tr></table></div>',
    ],
)
def test_a_forged_container_belongs_to_the_post_that_holds_it(forged: str) -> None:
    _, middle, _ = between(f"一{forged}二")
    assert codes(middle) == ["A114"]
    assert middle.message.text.split("\n") == ["一", "投票对象：豆沙", "二"]


def test_a_container_before_all_posts_is_a_flaw_of_the_page() -> None:
    page = read(make_page(post(88, VOTE), head='<div id="post_7">公告</div>'))
    assert [one.pid for one in page.posts] == [88]
    assert codes(page) == ["A119"]


def test_words_that_look_like_anchors_are_words() -> None:
    _, middle, _ = between("&lt;div id=&quot;post_99&quot;&gt; id=&quot;comment_88&quot; authorposton99")
    assert middle.message.text == '<div id="post_99"> id="comment_88" authorposton99'
    assert middle.flaws == ()


def test_a_post_without_floor() -> None:
    page = read(make_page(post(87, VOTE), post(88, VOTE, floor=""), post(89, VOTE)))
    assert [(one.floor, codes(one)) for one in page.posts] == [("5#", []), ("", ["A104"]), ("5#", [])]
    assert page.posts[1].message.text == OWN


def test_a_post_without_author() -> None:
    page = read(make_page(post(87, VOTE), post(88, VOTE, cell="<td></td>"), post(89, VOTE)))
    assert [(one.author, one.uid, codes(one)) for one in page.posts] == [
        ("饺子", 1001, []),
        ("", None, ["A103"]),
        ("饺子", 1001, []),
    ]


def test_an_anonymous_post_has_words_for_an_author_and_no_uid() -> None:
    (only,) = read(make_page(post(88, VOTE, author="匿名", uid=None))).posts
    assert (only.author, only.uid, only.flaws) == ("匿名", None, ())


@pytest.mark.parametrize("time", ["", "发表于 从前", '发表于 <span title="">很久以前</span>'])
def test_a_post_without_time_stands_where_it_was_seen_and_is_told_of(time: str) -> None:
    page = read(make_page(post(87, VOTE), post(88, VOTE, time=time), post(89, VOTE)))
    assert [codes(one) for one in page.posts] == [[], ["A105"], []]
    assert page.posts[1].posted_at == SEEN
    assert not page.posts[1].exact_seconds


def test_a_relative_time_without_its_absolute_one_is_told_with_its_margin() -> None:
    (only,) = read(make_page(post(88, VOTE, time="发表于 3&nbsp;小时前"))).posts
    assert only.posted_at == datetime(2018, 6, 5, 9, 0, 30, tzinfo=BOARD)
    assert [(flaw.code, dict(flaw.parameters)["margin"]) for flaw in only.flaws] == [("A112", "3599")]


def test_a_title_that_is_no_time_gives_way_to_the_words() -> None:
    (only,) = read(make_page(post(88, VOTE, time='<span title="来自手机">2018-6-4 20:01</span>'))).posts
    assert only.posted_at == datetime(2018, 6, 4, 20, 1, tzinfo=BOARD)
    assert (only.exact_seconds, only.flaws) == (False, ())


def test_a_post_of_the_future_is_told_of() -> None:
    # Read as Shanghai, printed for a viewer of Tokyo, and posted a minute ago.
    late = post(88, VOTE, time='<span title="2018-6-5 12:59:30">刚刚</span>')
    assert [codes(one) for one in read(make_page(late)).posts] == [["A117"]]
    assert [codes(one) for one in read(make_page(late), zone=ZoneInfo("Asia/Tokyo")).posts] == [[]]


def test_a_board_whose_clock_is_days_off_is_told_of() -> None:
    page = make_page(post(88, VOTE)).replace("GMT+8, 2018-6-5 12:00", "GMT+8, 2018-5-6 12:00")
    assert codes(read(page)) == ["A122"]


@pytest.mark.parametrize(
    ("footer", "zone"),
    [
        ("GMT+8, 2018-6-5 12:00", 8.0),
        ("GMT-3.5, 2018-6-5 12:00", -3.5),
        ("GMT, 2018-6-5 12:00", 0.0),
        ("GMT+5.75, 2018-6-5 12:00", 5.75),
        ("x", None),
    ],
)
def test_the_zone_of_the_footer(footer: str, zone: float | None) -> None:
    page = read(make_page(post(88, VOTE)).replace("GMT+8, 2018-6-5 12:00", footer))
    assert (page.zone, page.flaws) == (zone, ())


LOCKS = [
    ("提示: <em>作者被禁止或删除 内容自动屏蔽</em>", PostState.BLOCKED, []),
    ("提示: <em>该帖被管理员或版主屏蔽</em>", PostState.BLOCKED, []),
    ("提示: <em>作者被禁止或刪除 內容自動屏蔽</em>", PostState.BLOCKED, []),
    ("此帖仅作者可见", PostState.LOCKED, []),
    ("此帖僅作者可見", PostState.LOCKED, []),
    ("付费主题，价格: 5 金钱", PostState.LOCKED, ["A107"]),
    ("", PostState.NORMAL, ["A106"]),
]


@pytest.mark.parametrize(("lock", "state", "found"), LOCKS)
def test_a_post_that_is_not_shown(lock: str, state: PostState, found: list[str]) -> None:
    page = read(make_page(post(87, VOTE), post(88, None, lock=lock), post(89, VOTE)))
    middle = page.posts[1]
    assert (middle.state, codes(middle), middle.message.text, middle.html) == (state, found, "", "")
    assert [one.message.text for one in (page.posts[0], page.posts[2])] == [OWN, OWN]


def test_a_moderator_sees_a_blocked_post_and_it_is_blocked_all_the_same() -> None:
    (only,) = read(make_page(post(88, VOTE, lock="提示: <em>该帖被管理员或版主屏蔽，只有管理员可以看</em>"))).posts
    assert (only.state, only.message.text, only.flaws) == (PostState.BLOCKED, OWN, ())


def test_a_moderators_view_with_check_boxes() -> None:
    box = '<label for="manage88"><input type="checkbox" id="manage88" value="88" />管理</label>'
    ip = '<a href="forum.php?mod=topicadmin&amp;action=getip&amp;fid=2&amp;tid=1235&amp;pid=88">192.0.2.1</a>'
    seen = (
        post(88, VOTE)
        .replace('<em id="authorposton88">', f'{ip}{box}<em id="authorposton88">')
        .replace('<div class="pi"><strong>', f'<div class="pi">{box}<strong>')
    )
    assert box in seen
    (only,) = read(make_page(seen)).posts
    plain = read(make_page(post(88, VOTE))).posts[0]
    assert only == plain


def test_a_poll_thread_with_an_empty_first_post() -> None:
    poll = '<form id="poll"><div class="pinf">单选投票</div><table><tr><td>1. 包子</td></tr></table></form>'
    page = read(make_page(post(88, "", after=poll), post(89, VOTE)))
    assert [(one.message.text, codes(one)) for one in page.posts] == [("", []), (OWN, [])]


def test_a_post_of_five_megabytes() -> None:
    # A page goes up to 8 MB: all of it may be one post.
    _, middle, _ = between("投票对象：包子<br />\r\n" * 180_000)
    assert len(middle.message.lines) == 180_000
    assert middle.flaws == ()


def test_a_sticky_copy_of_a_post_stands_once_where_it_belongs() -> None:
    copy = post(89, VOTE, floor='<img src="settop.png" /> 来自 <em>3</em>#')
    page = read(make_page(post(87, VOTE), copy, post(88, VOTE), post(89, VOTE, floor="<em>3</em><sup>#</sup>")))
    assert [(one.pid, one.floor) for one in page.posts] == [(87, "5#"), (88, "5#"), (89, "3#")]
    assert page.flaws == ()


def test_two_different_posts_of_one_pid_are_told_of() -> None:
    page = read(make_page(post(88, VOTE), post(88, "二")))
    assert [one.message.text for one in page.posts] == ["二"]
    assert codes(page) == ["A118"]


def cut(body: bytes, mark: str) -> bytes:
    return body[: body.index(mark.encode())]


@pytest.mark.parametrize(
    ("head", "message", "tids"),
    [
        ("", VOTE, []),
        # A link of the board's own, in the forms that boards write it in.
        ('<a href="forum.php?mod=viewthread&amp;tid=7&amp;page=1&amp;authorid=2" rel="nofollow">只看该作者</a>', VOTE, [7]),
        ('<a href="forum.php?mod=viewthread&amp;action=printable&amp;tid=7">打印</a>', VOTE, [7]),
        ('<a href="redirect.php?fid=2&amp;tid=7&amp;goto=nextoldset">上一主题</a>', VOTE, [7]),
        ('<a href="forum.php?mod=viewthread&tid=7&amp;extra=&amp;page=2">2</a>', VOTE, [7]),
        ('<a href="forum.php?mod=redirect&goto=findpost&ptid=7&pid=5"   id="postnum5">', VOTE, [7]),
        # What an announcement links to, and what a member does, is another matter.
        ('<a href="forum.php?mod=viewthread&amp;tid=9">公告</a>', VOTE, []),
        ("", '<a href="forum.php?mod=viewthread&amp;tid=9&amp;page=1&amp;authorid=2">看他</a>', []),
    ],
)
def test_a_page_tells_its_thread_by_the_links_that_the_board_makes(head: str, message: str, tids: list[int]) -> None:
    body = make_page(post(87, message), post(88, VOTE), head=head).encode()
    assert sorted(gate_page(body).tids) == tids


THREE = make_page(post(87, VOTE), post(88, VOTE), post(89, VOTE))


@pytest.mark.parametrize(
    ("mark", "left"),
    [
        # Nothing tells that post 88 ended there: a comment may have stood behind its message.
        ('<div id="post_89"', [87]),
        ('<em id="authorposton89"', [87]),
        ('id="postmessage_89">', [87, 88]),
        ('<div id="comment_89"', [87, 88]),
        ('id="postlistreply"', [87, 88]),
        # Behind the posts nothing of them can be lost.
        ("</body>", [87, 88, 89]),
    ],
)
def test_a_page_that_stops_says_nothing_of_the_post_that_the_cut_may_have_reached(mark: str, left: list[int]) -> None:
    page = read(cut(THREE.encode(), mark))
    assert [(one.pid, one.message.text, codes(one)) for one in page.posts] == [(pid, OWN, []) for pid in left]
    assert codes(page) == ["A120"]


def test_a_page_that_stops_inside_a_message_says_nothing_of_it() -> None:
    body = THREE.encode()
    page = read(body[: body.rindex("吃".encode()) + 1])
    assert [(one.pid, one.message.text) for one in page.posts] == [(87, OWN), (88, OWN)]
    assert codes(page) == ["A120"]


def test_a_page_that_stops_in_its_first_post_says_nothing() -> None:
    with pytest.raises(CutPageError, match="before the end of its first post"):
        read(cut(THREE.encode(), 'id="postmessage_87">'))


def test_a_page_that_stops_is_no_whole_page_with_the_same_posts() -> None:
    whole, broken = THREE.encode(), cut(THREE.encode(), "</body>")
    assert gate_page(whole).gates == gate_page(broken).gates
    assert gate_page(whole).gate != gate_page(broken).gate


def test_a_broken_byte_is_a_flaw_of_one_post() -> None:
    body = make_page(post(87, VOTE), post(88, "好吃的包子"), post(89, VOTE)).encode()
    page = read(body.replace("的".encode(), b"\xe7\x9a"))
    assert [one.message.text for one in page.posts] == [OWN, "好吃\ufffd包子", OWN]
    assert [codes(one) for one in page.posts] == [[], ["A101"], []]


def test_a_broken_byte_on_a_gbk_page_is_a_flaw_of_one_post() -> None:
    body = make_page(post(87, VOTE), post(88, "好吃~的包子"), post(89, VOTE)).encode("gbk")
    page = read(body.replace("~的".encode("gbk"), b"\xff~"), content_type="text/html; charset=gbk")
    assert page.posts[1].message.text.startswith("好吃\ufffd")
    assert [one.message.text for one in (page.posts[0], page.posts[2])] == [OWN, OWN]
    assert [codes(one) for one in page.posts] == [[], ["A101"], []]


def test_two_encodings_in_one_page() -> None:
    whole = make_page(post(87, VOTE), post(88, "MARK"), post(89, VOTE))
    for page_codec, post_codec in (("utf-8", "gbk"), ("gbk", "utf-8")):
        body = whole.encode(page_codec).replace(b"MARK", "投票对象：豆沙".encode(post_codec))
        page = read(body, content_type=f"text/html; charset={page_codec}")
        assert [one.message.text for one in page.posts] == [OWN, "投票对象：豆沙", OWN]
        assert [codes(one) for one in page.posts] == [[], ["A102"], []]


@pytest.mark.parametrize(
    ("header", "truth"), [("utf-8", "gbk"), ("gbk", "utf-8"), ("iso-8859-1", "gbk"), ("", "gbk"), ("", "utf-8")]
)
def test_a_wrong_or_missing_charset_is_seen_through(header: str, truth: str) -> None:
    body = make_page(post(88, VOTE)).encode(truth)
    (only,) = read(body, content_type=f"text/html; charset={header}" if header else "").posts
    assert (only.author, only.message.text, only.flaws) == ("饺子", OWN, ())


def test_big5_is_read() -> None:
    page = make_page(post(88, "投票對象：劉備", author="餃子"), title="第二天 投票帖").replace("杀游戏区", "殺遊戲區")
    page = page.replace("发表于", "發表於").replace("当前在线", "當前在線")
    (only,) = read(page.encode("big5"), content_type="text/html; charset=big5").posts
    assert (only.author, only.message.text, only.flaws) == ("餃子", "投票對象：劉備", ())


def test_a_character_outside_gbk_hides_no_posts() -> None:
    body = make_page(post(87, VOTE), post(88, "Napoléon 🐱 ☃"), post(89, VOTE)).encode("gb18030")
    page = read(body, content_type="text/html; charset=gbk")
    assert [one.message.text for one in page.posts] == [OWN, "Napoléon 🐱 ☃", OWN]


def test_a_page_is_read_the_same_whatever_the_host_thinks_of_time() -> None:
    body = make_page(post(88, VOTE)).encode()
    seen = [SEEN, SEEN.astimezone(ZoneInfo("America/New_York")), SEEN.replace(tzinfo=UTC)]
    assert len({read_page(body, tid=1235, seen_at=at, zone=BOARD).posts for at in seen}) == 1


def test_a_thread_page_cut_anywhere_is_gated_or_has_no_post_to_its_end() -> None:
    body = make_page(post(87, VOTE), post(88, VOTE, lock="x", title="y"), pager="<strong>1</strong>").encode()
    start = body.index(b'id="authorposton87"') + 30
    second = body.index(b'id="authorposton88"') + 20
    for end in range(start, second, 7):
        with contextlib.suppress(CutPageError):
            assert gate_page(body[:end]).posts == ()
    for end in range(second, len(body), 7):
        assert gate_page(body[:end]).posts[0].pid == 87
        read(body[:end])
