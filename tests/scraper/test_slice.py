"""Cutting a page and gating its posts: what the digests cover and what they leave out, authors, floors, pagers, remarks."""

from __future__ import annotations

import random
from collections.abc import Callable
from hashlib import blake2b

import pytest

from scraper.dialects import DIALECTS, get_dialect
from scraper.errors import LayoutError
from scraper.page import gate_page, read_gated, read_post
from scraper.post import Comment, Rating
from scraper.steady import steady
from tests.scraper.pages import BOARD, LINK, SEEN, author_cell, page, post, read

VOTE = "投票对象：包子<br />\r\n投票理由：好吃"
COMMENT = (
    '<div class="pstl xs1 cl"><div class="psta vm"><a href="home.php?mod=space&amp;uid=1" c="1"><img src="a.jpg" /></a>\r\n'
    '<a href="home.php?mod=space&amp;uid=1" class="xi2 xw1">{who}</a></div>\r\n<div class="psti">\r\n{words}&nbsp;\r\n'
    '<span class="xg1">发表于 <span title="2018-6-5 11:50">{age}</span></span></div></div>'
)
RATING = (
    '<dl id="ratelog_88" class="rate"><dd><table class="ratl"><tr><th>参与人数 <span class="xi1">1</span></th></tr>'
    '<tr id="rate_88_1">\r\n<td>\r\n<a href="home.php?mod=space&amp;uid=1"><img src="a.jpg" /></a> '
    '<a href="home.php?mod=space&amp;uid=1" target="_blank">admin</a></td><td class="xi1"> + {score}</td>'
    '<td class="xg1">{reason}</td></tr></table></dd></dl>'
)
NEW_RATING = (
    '<dl class="newrate" id="ratelog_88"><dd><ul class="cl"><li><p id="rate_88_3" tip="<strong>{reason}</strong>&nbsp;威望 + 1">'
    '<a href="home.php?mod=space&amp;uid=3"><img src="a.jpg" /></a></p>'
    '<p><a href="home.php?mod=space&amp;uid=3">包子</a></p></li></ul></dd></dl>'
)


def gate(one: str) -> bytes:
    (only,) = gate_page(page(one).encode()).posts
    return only.gate


def shuffle_board(html: str, seed: int) -> str:
    """What a living board changes by itself between two looks, changed."""
    dice = random.Random(seed)
    for mark in ("{noise}", "{id}", "{token}", "{number}", "{age}"):
        while mark in html:
            values = {
                "{noise}": "".join(chr(dice.choice([*range(32, 60), *range(63, 127)])) for _ in range(dice.randint(9, 40))),
                "{id}": "".join(dice.choices("abcdefXYZ0123", k=6)),
                "{token}": "".join(dice.choices("abcdefXYZ0123%=|", k=30)),
                "{number}": str(dice.randint(1, 999)),
                "{age}": dice.choice(["刚刚", "12&nbsp;秒前", "半小时前", "3&nbsp;小时前", "昨天&nbsp;20:01", "3&nbsp;天前"]),
            }
            html = html.replace(mark, values[mark], 1)
    return html


LIVING: dict[str, str] = {
    "relative time": post(88, VOTE, time='发表于 <span title="2018-6-4 20:01:02">{age}</span>'),
    "hidden noise": post(88, '一<span style="display:none">{noise}</span><br />\r\n<span style="display:none">{noise}</span>二'),
    "jammer": post(88, '一<font class="jammer">{noise}</font><br />\r\n二'),
    "old noise": post(88, '一<font style="font-size:0px;color:#FFF">{noise}</font><br />\r\n二'),
    "ids of images": post(88, '<img id="aimg_{id}" onload="thumbImg(this)" src="a.png" />'),
    "ids of code": post(
        88, '<div class="blockcode"><div id="code_{id}"><ol><li>x</ol></div><em onclick="copy(\'{id}\')">x</em></div>'
    ),
    "scripts": post(88, '<span id="swf_{id}"></span><script type="text/javascript">play("{id}")</script>'),
    "tokens of files": post(
        88,
        '<ignore_js_op><img id="aimg_7" file="data/a.jpg" /><div class="tip"><strong>a.jpg</strong> <em>(下载次数: {number})</em>'
        '<a href="forum.php?mod=attachment&amp;aid={token}">下载附件</a><p>{age} 上传</p></div></ignore_js_op>',
    ),
    "tokens of links": post(88, '<a href="forum.php?mod=attachment&amp;aid={token}&amp;nothumb=yes">x</a>'),
    "sessions": post(88, '<a href="viewthread.php?tid=3&amp;sid={id}">x</a>'),
    "ages in boxes": post(88, '一<span title="2018-6-4 20:01">{age}</span>'),
    "online mark and credits": post(88, VOTE, tail="<p>积分 {number}</p>"),
    "ages of comments": post(88, VOTE, tail=COMMENT.format(who="admin", words="好", age="{age}")),
    "scores": post(88, VOTE, tail=RATING.format(score="{number}", reason="好")),
    "signature": post(88, VOTE, tail='<div class="sign">第 {number} 次</div>'),
}


@pytest.mark.parametrize("name", LIVING)
def test_what_changes_by_itself_changes_no_gate(name: str) -> None:
    looks = {shuffle_board(LIVING[name], seed) for seed in range(8)}
    assert len(looks) > 1
    assert len({gate(look) for look in looks}) == 1


@pytest.mark.parametrize("name", LIVING)
def test_what_changes_by_itself_changes_no_digest(name: str) -> None:
    assert len({read(page(shuffle_board(LIVING[name], seed))).posts[0].digest for seed in range(8)}) == 1


PLAIN = post(88, VOTE, tail=COMMENT.format(who="admin", words="好", age="刚刚") + RATING.format(score=1, reason="赞"))
CHANGES: dict[str, Callable[[str], str]] = {
    "pid": lambda html: html.replace("_88", "_89").replace("on88", "on89").replace("num88", "num89"),
    "author": lambda html: html.replace("饺子", "饺仔"),
    "uid": lambda html: html.replace("uid=1001", "uid=1002"),
    "time": lambda html: html.replace("20:01:02", "20:01:03"),
    "message": lambda html: html.replace("包子", "豆沙"),
    "style": lambda html: html.replace("包子", "<b>包子</b>"),
    "comment": lambda html: html.replace("\r\n好&nbsp;", "\r\n坏&nbsp;"),
    "who commented": lambda html: html.replace('xw1">admin', 'xw1">包子'),
    "rating": lambda html: html.replace("赞", "踩"),
    "lock": lambda html: html.replace(
        '<div class="t_fsz">', '<div class="locked">该帖被管理员或版主屏蔽</div><div class="t_fsz">'
    ),
    "title": lambda html: html.replace('<div class="t_fsz">', '<h2>改票</h2><div class="t_fsz">'),
}


@pytest.mark.parametrize("name", CHANGES)
def test_what_a_post_says_is_in_its_gate_and_digest(name: str) -> None:
    changed = CHANGES[name](PLAIN)
    assert changed != PLAIN
    assert gate(changed) != gate(PLAIN)
    if name != "pid":
        assert read(page(changed)).posts[0].digest != read(page(PLAIN)).posts[0].digest


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("sid=abcdef", "sid=abcdeg"),
        ("key=1 aid=2", "key=2 aid=1"),
        ('<a href="https://bbs.example.net/?key=1">x</a>', '<a href="https://bbs.example.net/?key=2">x</a>'),
        ("下载次数: 3", "下载次数: 4"),
        ('<span title="包子">一</span>', '<span title="包子">二</span>'),
        ("&lt;b id=&quot;a&quot;&gt;", "&lt;b id=&quot;b&quot;&gt;"),
    ],
)
def test_an_authors_words_are_not_taken_for_what_changes_by_itself(before: str, after: str) -> None:
    here, there = post(88, f'<b class="x">{before}</b>'), post(88, f'<b class="x">{after}</b>')
    assert gate(here) != gate(there)
    assert read(page(here)).posts[0].digest != read(page(there)).posts[0].digest


def test_the_quick_look_at_a_region_sees_everything_that_changes_by_itself() -> None:
    draw = random.Random(29)
    bits = (
        *("<br />", "包子", '<font color="red">', '<font size="3">', '<font face="x">', "</font>", '<font color="red" size="2">'),
        *('<font style="font-size:0px;color:#FFF">wJ3</font>', '<span style="display:none">wJ3</span>', '<i id="a1">', "sid="),
        *('<font class="jammer">wJ3</font>', '<font color="red" onclick="a()">', '<a href="?sid=abc123">', '<img src="aid=1">'),
        *('<span title="2018-6-5 11:50">昨天</span>', '<script type="a">1</script>', '<a href="?mod=attachment&aid=1">', '="'),
    )
    for _ in range(3000):
        region = "".join(draw.choices(bits, k=draw.randrange(1, 6))).encode()
        # The id lets no quick look spare it the whole way.
        assert steady(region + b'<u id="x">') == steady(region) + b"<u>"


def test_the_floor_is_in_the_gate_and_not_in_the_digest() -> None:
    here, there = post(88, VOTE), post(88, VOTE, floor="<em>4</em><sup>#</sup>")
    assert gate(here) != gate(there)
    assert read(page(here)).posts[0].digest == read(page(there)).posts[0].digest


QUOTED_LINE = f'<a href="{LINK.format(pid=7)}">豆沙 发表于 2018-6-4 9:00</a>'
QUOTED = f'<div class="quote"><blockquote>{QUOTED_LINE}<br />\r\n一</blockquote></div>二'
SAID: dict[str, tuple[str, str]] = {
    "which post is quoted": (QUOTED, QUOTED.replace("pid=7", "pid=8")),
    "of which thread": (QUOTED, QUOTED.replace("ptid=1235", "ptid=1236")),
    "who is quoted": (QUOTED, QUOTED.replace("豆沙", "包子")),
    "when": (QUOTED, QUOTED.replace("9:00", "9:01")),
    "what is quoted": (QUOTED, QUOTED.replace("一", "三")),
    "hidden or not": ('<div class="showhide"><h4>x</h4>一</div>', "一"),
    "bold or not": ("<b>一</b>", "<i>一</i>"),
    "colour": ('<font color="red">一</font>', '<font color="blue">一</font>'),
    "smilies": ('<img src="a/lol.gif" smilieid="1" />', '<img src="a/cry.gif" smilieid="1" />'),
    "images": ('<img src="a/1.gif" />', '<img src="a/2.gif" />'),
    "code": ("一", '<div class="blockcode"><ol><li>一</ol></div>'),
    "where a line ends": ("一二", "一<br />二"),
    "invisible words": ('一<b style="font-size:0">二</b>', '一<b style="font-size:0">三</b>'),
}


@pytest.mark.parametrize("name", SAID)
def test_each_part_of_a_message_is_in_the_digest(name: str) -> None:
    one, two = (read(page(post(88, message))).posts[0] for message in SAID[name])
    assert one.digest != two.digest
    assert one.gate != two.gate


def test_the_form_of_the_digest_is_fixed() -> None:
    # Archives keep digests: another form would make a new revision of every post.
    facts = [
        "1",
        "饺子",
        "1001",
        "2018-06-04T20:01:02",
        "normal",
        "",
        "line",
        "text",
        "投票对象：包子",
        "line",
        "text",
        "投票理由：好吃",
    ]
    sealed = ",".join(str(len(fact)) for fact in facts) + ";" + "".join(facts)
    assert read(page(post(88, VOTE))).posts[0].digest == blake2b(sealed.encode(), digest_size=16).hexdigest()


def test_only_edited_is_a_revision_too() -> None:
    mark = '<i class="pstatus"> 本帖最后由 饺子 于 2018-6-5 11:00 编辑 </i><br />\r\n<br />\r\n'
    assert read(page(post(88, mark + VOTE))).posts[0].digest != read(page(post(88, VOTE))).posts[0].digest


def test_the_pages_gate_covers_its_posts_and_their_order() -> None:
    one, two = post(1, "一"), post(2, "二")
    whole = gate_page(page(one, two).encode()).gate
    assert gate_page(page(one, two, head="<p>在线 317 人</p>").encode()).gate == whole
    assert len({whole, *(gate_page(page(*posts).encode()).gate for posts in ((two, one), (one,), (one, post(2, "三"))))}) == 4


def test_a_gate_cannot_be_kept_by_moving_words_between_title_and_message() -> None:
    assert gate(post(88, "b", title="a")) != gate(post(88, "ab", title=""))
    # A NUL between them is where one fact ends; the message begins with a line end in the page's source.
    assert gate(post(88, "b\0\r\nc", title="a")) != gate(post(88, "c", title="a\0\r\nb"))


def test_only_the_posts_that_are_asked_for_are_read() -> None:
    whole = page(post(1, "一"), post(2, "二"), post(3, "三"))
    gated = gate_page(whole.encode())
    assert list(gated.gates) == [1, 2, 3]
    some = read_gated(gated, tid=1235, seen_at=SEEN, zone=BOARD, only={2})
    assert some.posts == (read(whole).posts[1],)
    assert (some.title, some.zone) == ("第二天 投票帖", 8.0)
    assert read_post(gated, gated.posts[2], tid=1235, seen_at=SEEN, zone=BOARD) == read(whole).posts[2]


AUTHORS = [
    (author_cell("饺子", 1001), "饺子", 1001),
    (author_cell("a&amp;b&lt;c&gt;", 7), "a&b<c>", 7),
    (author_cell("饺子", 1001).replace("home.php?mod=space&amp;uid=1001", "space-uid-1001.html"), "饺子", 1001),
    (author_cell('<font color="red">饺子</font>', 1001), "饺子", 1001),
    (author_cell("匿名", None), "匿名", None),
    (author_cell("匿名", 1001), "匿名", None),  # a moderator's view links it
    (author_cell('<a href="javascript:;">游客 <em>192.0.2.x</em></a>', None), "游客", None),
    (author_cell("饺子 <em>该用户已被删除</em>", None), "饺子", None),
    ('<td><div class="who"><a href="home.php?mod=space&amp;uid=1001"><img src="a.jpg" /></a>'
     '<a href="home.php?mod=space&amp;uid=1001">饺子</a></div></td>', "饺子", 1001),
]  # fmt: skip


@pytest.mark.parametrize(("cell", "author", "uid"), AUTHORS)
def test_authors(cell: str, author: str, uid: int | None) -> None:
    (only,) = read(page(post(88, VOTE, cell=cell))).posts
    assert (only.author, only.uid, only.flaws) == (author, uid, ())


def test_the_hidden_card_is_not_taken_for_the_author() -> None:
    cell = author_cell("匿名", None).replace(
        "</td>", '<div class="p_pop" style="display: none"><a href="?uid=9">豆沙</a></div></td>'
    )
    assert read(page(post(88, VOTE, cell=cell))).posts[0].author == "匿名"


@pytest.mark.parametrize(
    ("floor", "label"),
    [
        ("<em>5</em><sup>#</sup>", "5#"),
        ("楼主", "楼主"),
        ('<img src="settop.png" class="vm" /> 来自 <em>5</em>#', "来自 5#"),
        ("推荐", "推荐"),
    ],
)
def test_floors_are_labels(floor: str, label: str) -> None:
    assert read(page(post(88, VOTE, floor=floor))).posts[0].floor == label


PAGERS = [
    ("", (1, 1)),
    ('<strong>1</strong><a href="?page=2">2</a><label><span title="共 4 页"> / 4 页</span></label><a>下一页</a>', (1, 4)),
    ('<a class="prev">&nbsp;</a><a>1</a><strong>2</strong><a>3</a><label><span title="共 4 頁"> / 4 頁</span></label>', (2, 4)),
    ('<strong>1</strong><a href="thread-1235-2-1.html">2</a><a href="thread-1235-12-1.html" class="last">... 12</a>', (1, 12)),
    ('<a>1 ...</a><a>3</a><strong>4</strong>', (4, 4)),
]  # fmt: skip


@pytest.mark.parametrize(("pager", "wanted"), PAGERS)
def test_pagers(pager: str, wanted: tuple[int, int]) -> None:
    seen = gate_page(page(post(88), pager=pager).encode())
    assert (seen.number, seen.pages) == wanted


def test_the_pager_of_comments_is_not_the_pages() -> None:
    inner = '<div class="pgs mbm cl"><div class="pg"><strong>2</strong><a>3</a></div></div>'
    seen = gate_page(page(post(88, VOTE, tail=inner)).encode())
    assert (seen.number, seen.pages) == (1, 1)


def test_comments_ratings_and_signature_are_kept_apart() -> None:
    tail = (
        COMMENT.format(who="包子", words="投票对象：饺子", age="刚刚")
        + RATING.format(score=2, reason="投票对象：豆沙")
        + '<div class="sign" style="max-height:100px">投票对象：自己</div>'
    )
    (only,) = read(page(post(88, VOTE, tail=tail))).posts
    assert only.message.text == "投票对象：包子\n投票理由：好吃"
    assert [(comment.author, comment.uid, comment.text) for comment in only.comments] == [("包子", 1, "投票对象：饺子")]
    assert only.comments[0] == Comment("包子", 1, "投票对象：饺子", SEEN.astimezone(BOARD).replace(minute=50, hour=11, second=0))
    assert only.ratings == (Rating("admin", 1, "投票对象：豆沙"),)
    assert only.signature == "投票对象：自己"


def test_ratings_in_tips_are_read() -> None:
    (only,) = read(page(post(88, VOTE, tail=NEW_RATING.format(reason="赞一个")))).posts
    assert only.ratings == (Rating("包子", 3, "赞一个"),)


def test_what_stands_between_the_message_and_the_comments_is_not_the_authors() -> None:
    poll = '<form id="poll"><div class="pinf">单选投票</div><table><tr><td>1. 包子</td><td>60%</td></tr></table></form>\r\n'
    files = '<div class="pattl"><dl class="tattl"><dd><p class="attnm">b.zip</p><p>下载次数: 3</p></dd></dl></div>\r\n'
    for after in (poll, files, '<div class="mtw">本帖子中包含更多资源</div>'):
        (only,) = read(page(post(88, "投票对象：包子", after=after))).posts
        assert (only.message.text, only.flaws) == ("投票对象：包子", ())
    assert gate(post(88, VOTE, after=poll)) == gate(post(88, VOTE, after=poll.replace("60%", "70%")))


def test_a_skin_without_the_anchors_behind_the_message_is_read_too() -> None:
    skin = post(88, "投<table><tr><td>票</td></tr></table>一").replace('id="comment_', 'id="c_').replace("post_rate_div_", "prd_")
    (only,) = read(page(skin, skin.replace("88", "89"))).posts[:1]
    assert (only.message.text, only.flaws) == ("投\n票\n一", ())


def test_a_skin_with_a_box_in_place_of_the_cell_is_read_too() -> None:
    skin = post(88, "一<div>二</div>三<table><tr><td>四</td></tr></table>五")
    skin = skin.replace('<table cellspacing="0" cellpadding="0"><tr><td class="t_f"', '<div class="t_f"')
    skin = skin.replace("五</td></tr></table>", "五</div>")
    for seen in (skin, skin.replace('id="comment_', 'id="c_').replace("post_rate_div_", "prd_")):
        (only,) = read(page(seen)).posts
        assert (only.message.text, only.flaws) == ("一\n二\n三\n四\n五", ())
    # An early </div> in such a box, or words of the skin behind it: nothing is lost, and somebody must look.
    (only,) = read(page(skin.replace("<div>二</div>", "</div>二"))).posts
    assert (only.message.text, [flaw.code for flaw in only.flaws]) == ("一\n二三\n四\n五", ["A121"])


def test_a_quotes_link_survives_the_cut() -> None:
    line = f'<a href="{LINK.format(pid=7)}">豆沙 发表于 2018-6-4 9:00</a>'
    (only,) = read(page(post(88, f'<div class="quote"><blockquote>{line}<br />\r\n一</blockquote></div>二'))).posts
    assert (only.message.text, only.quotes[0].pid) == ("二", 7)


@pytest.mark.parametrize(
    ("body", "title"),
    [
        (
            "<html><head><title>提示信息 - 版杀游戏区</title></head><body>抱歉，指定的主题不存在</body></html>",
            "提示信息 - 版杀游戏区",
        ),
        (page(), "第二天 投票帖 - 版杀游戏区"),
        ("", "no title"),
        ("\0\0\0", "no title"),
        (page(post(88)).replace("authorposton88", "authorposton"), "第二天 投票帖 - 版杀游戏区"),
    ],
)
@pytest.mark.parametrize("codec", ["utf-8", "gbk"])
def test_what_is_no_thread_page_is_an_error_with_its_title(body: str, title: str, codec: str) -> None:
    with pytest.raises(LayoutError, match=title):
        gate_page(body.encode(codec), content_type=f"text/html; charset={codec}")


def test_a_page_is_recognised_by_its_anchors_whatever_generator_it_names() -> None:
    body = page(post(88)).replace("<head>", '<head><meta name="generator" content="phpBB 2" />')
    assert gate_page(body.encode()).dialect == "x"


def test_a_page_of_72_is_not_taken_for_one_of_x() -> None:
    old = post(88).replace(
        '<em id="authorposton88">', '<a href="space.php?uid=7" class="posterlink">饺子</a><em id="authorposton88">'
    )
    assert get_dialect("x").recognise(page(post(88)).encode())
    assert not get_dialect("x").recognise(page(old).encode())
    assert not get_dialect("x").recognise(b"")


def test_dialects_are_found_by_name_and_have_an_example() -> None:
    names = [dialect.name for dialect in DIALECTS]
    assert len(set(names)) == len(names)
    assert all(get_dialect(dialect.name) is dialect and dialect.example for dialect in DIALECTS)
