"""Faults of times, charset, structure and cut pages, on every surface: what is wrong is told of, and nothing else is touched."""

from __future__ import annotations

import json
import re
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from scraper.errors import BanshaError, LayoutError
from scraper.page import read_page
from scraper.post import Page, Post
from tests.board.dialects import DIALECTS
from tests.board.script import read_script
from tests.board.server import Asked, Board, Reply

ZONE = ZoneInfo("Asia/Shanghai")
AFTER = datetime(2018, 7, 3, tzinfo=ZONE)
VOTE = "投票对象：包子\n投票理由：好吃"
API = ("api1", "api4")
TOUCH = ("touch34", "touch35")
# Surfaces that are sent in the board's charset, whatever it is.
IN_BOARDS_CHARSET = ("x35", "x34", "x2", "v72", "v60", "v61", "touch35")
POST = '[[post]]\ntid = 7\npid = {pid}\nauthor = "{author}"\nat = {at}\n{words}\n'


def ask(dialect: str, *posts: str, seen: datetime = AFTER, more: str = "") -> Reply:
    """What a board of that dialect sends of a thread with these posts."""
    script = f'[board]\ndialect = "{dialect}"\n{more}\n[[thread]]\ntid = 7\ntitle = "投票帖"\n' + "".join(posts)
    reply = Board(read_script(script), seen).answer(Asked("GET", "/thread-7-1-1.html"))
    assert reply is not None
    return reply


def words(text: str) -> str:
    return f"text = {json.dumps(text, ensure_ascii=False)}"


def html(text: str) -> str:
    return f"html = {json.dumps(text, ensure_ascii=False)}"


def three(middle: str) -> tuple[str, str, str]:
    """A post with these words, between two whole ones."""
    return (
        POST.format(pid=31, author="导演", at="2018-06-03T10:01:00", words=words(VOTE)),
        POST.format(pid=32, author="饺子", at="2018-06-03T10:02:00", words=middle),
        POST.format(pid=33, author="豆沙", at="2018-06-03T10:03:00", words=words(VOTE)),
    )


def read(reply: Reply, body: bytes | None = None, content_type: str | None = None, seen: datetime = AFTER) -> Page:
    kind = dict(reply.headers)["Content-Type"] if content_type is None else content_type
    zone = seen.tzinfo
    assert isinstance(zone, ZoneInfo)
    return read_page(reply.body if body is None else body, tid=7, seen_at=seen, zone=zone, content_type=kind)


def codes(post: Post | Page) -> list[str]:
    return [flaw.code for flaw in post.flaws]


def between(page: Page) -> Post:
    """The middle one of three posts, whose neighbours are whole."""
    assert [post.pid for post in page.posts] == [31, 32, 33]
    first, middle, last = page.posts
    assert [(post.author, post.message.text, codes(post)) for post in (first, last)] == [("导演", VOTE, []), ("豆沙", VOTE, [])]
    return middle


# Times. The reader looks at 00:03:20 on Wednesday the 6th.

LOOK = datetime(2018, 6, 6, 0, 3, 20)  # noqa: DTZ001 - a zone is laid over it
# Seconds of the post's age; what the touch view tells of it: the latest moment that its words can mean, and by how much it may be
# earlier (None: it prints the moment itself).
AGES: dict[str, tuple[int, str, int | None]] = {
    "刚刚": (0, "2018-06-06T00:03:20", 59),
    "秒前": (12, "2018-06-06T00:03:08", 0),
    "分钟前": (150, "2018-06-06T00:01:20", 59),
    "昨天，一小时内": (2200, "2018-06-05T23:26:00", 0),
    "昨天 21:59": (7460, "2018-06-05T21:59:00", 0),
    "前天": (90000, "2018-06-04T23:03:00", 0),
    "天前": (4 * 86400, "2018-06-02T23:59:59", 86399),
    "更早": (9 * 86400 + 5, "2018-05-28T00:03:15", None),
}
ZONES = ("Asia/Shanghai", "Asia/Tokyo", "America/New_York")
FORMATS = {
    "stock": "",
    "zeros": 'dates = "Y-m-d"',
    "month first": 'dates = "m-d-Y"',
    "half days": "half_days = true",
    "month first, half days": 'dates = "m-d-Y"\nhalf_days = true',
}


def look_at(dialect: str, age: int, zone: str, more: str) -> Post:
    at = LOOK - timedelta(seconds=age)
    seen = LOOK.replace(tzinfo=ZoneInfo(zone))
    lines = POST.format(pid=31, author="导演", at=at.isoformat(), words=words(VOTE))
    (only,) = read(ask(dialect, lines, seen=seen, more=f'zone = "{zone}"\n{more}'), seen=seen).posts
    return only


@pytest.mark.parametrize("age", AGES)
@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_time_is_the_posts_own_in_every_form_and_zone(dialect: str, age: str) -> None:
    for zone in ZONES:
        for form in FORMATS:
            check_time(dialect, age, form, zone)


def check_time(dialect: str, age: str, form: str, zone: str) -> None:
    seconds, latest, margin = AGES[age]
    post = look_at(dialect, seconds, zone, FORMATS[form])
    true = (LOOK - timedelta(seconds=seconds)).replace(tzinfo=ZoneInfo(zone))
    minute = true.replace(second=0)
    match dialect:
        case "touch34" | "touch35":
            assert post.posted_at == datetime.fromisoformat(latest).replace(tzinfo=ZoneInfo(zone))
            assert codes(post) == ([] if margin is None else ["A112"])
            if margin is not None:
                told = dict(post.flaws[0].parameters)
                assert int(told["margin"]) == margin
                assert post.posted_at - timedelta(seconds=margin + 60) < true <= post.posted_at + timedelta(seconds=59)
        case "v72" | "v60" | "v61":
            assert (post.posted_at, post.exact_seconds, codes(post)) == (minute, False, [])
        case _:
            assert (post.posted_at, post.exact_seconds, codes(post)) == (true, True, [])


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("dialect", DIALECTS)
def test_where_relative_times_are_off_minutes_are_read_as_minutes(dialect: str, form: str) -> None:
    post = look_at(dialect, 7465, "Asia/Shanghai", f"relative = false\n{FORMATS[form]}")
    true = datetime(2018, 6, 5, 21, 58, 55, tzinfo=ZONE)
    exact = dialect in ("x2", *API)
    assert (post.posted_at, post.exact_seconds) == (true if exact else true.replace(second=0), exact)
    assert codes(post) == []


@pytest.mark.parametrize("dialect", [name for name in DIALECTS if name not in API])
def test_a_time_that_is_none_is_told_of_on_every_surface(dialect: str) -> None:
    reply = ask(dialect, *three(words(VOTE)), more="relative = false")
    body = reply.body.replace(b"2018-6-3 10:02", "很久以前".encode())
    assert body != reply.body
    post = between(read(reply, body))
    assert (codes(post), post.posted_at, post.message.text) == (["A105"], AFTER, VOTE)


# Charset

CHARSETS = ("utf-8", "gbk", "big5")
DECLARED = ("", "utf-8", "gbk", "big5", "iso-8859-1")
# In words that each of the three has.
COMMON = "王五投票八號\n因為他說要去吃飯，大家都不知道是不是真的。"


def declare(reply: Reply, header: str, meta: str) -> tuple[bytes, str]:
    """The page with other words about its charset in the header and in its own head; none where they are empty."""
    body = re.sub(rb"<meta http-equiv=\"Content-Type\"[^>]*>|<meta charset[^>]*>", b"", reply.body)
    body = re.sub(rb"<\?xml[^>]*\?>", b"", body)
    if meta:
        body = body.replace(
            b"<head>", b'<head>\n<meta http-equiv="Content-Type" content="text/html; charset=%b" />' % meta.encode()
        )
        assert meta.encode() in body
    return body, f"text/html; charset={header}" if header else "text/html"


@pytest.mark.parametrize("truth", CHARSETS)
@pytest.mark.parametrize("dialect", IN_BOARDS_CHARSET)
def test_header_meta_and_truth_disagree_in_each_way(dialect: str, truth: str) -> None:
    truth = "utf-8" if DIALECTS[dialect].wire else truth
    reply = ask(dialect, *common(), more=f'charset = "{truth}"')
    for header in DECLARED:
        for meta in DECLARED:
            body, content_type = declare(reply, header, meta)
            page = read(reply, body, content_type)
            told = [(post.pid, post.author, post.message.text, codes(post)) for post in page.posts]
            assert told == [(pid, "王五", COMMON, []) for pid in (31, 32, 33)], (header, meta)


def common() -> list[str]:
    return [POST.format(pid=pid, author="王五", at=f"2018-06-03T10:{pid}:00", words=words(COMMON)) for pid in (31, 32, 33)]


@pytest.mark.parametrize("charset", CHARSETS)
@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_character_that_the_charset_lacks_is_read_as_itself(dialect: str, charset: str) -> None:
    # Boards send it as a number, which they escape once more.
    for sent in ("&#9731;", "&amp;#9731;"):
        reply = ask(dialect, *three(html(f"投 {sent} 吧")), more=f'charset = "{charset}"')
        page = read(reply)
        assert [post.pid for post in page.posts] == [31, 32, 33]
        assert page.posts[1].message.text == "投 ☃ 吧"
        assert codes(page.posts[1]) == []


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_character_outside_gbk_in_gb18030_hides_no_post(dialect: str) -> None:
    reply = ask(dialect, *three(words("投MARK吧")), more='charset = "gbk"')
    codec = DIALECTS[dialect].wire or "gb18030"
    post = between(read(reply, reply.body.replace(b"MARK", "🐱é".encode(codec))))
    assert (post.message.text, codes(post)) == ("投🐱é吧", [])


@pytest.mark.parametrize("charset", ["utf-8", "gbk"])
@pytest.mark.parametrize("dialect", DIALECTS)
def test_two_encodings_in_one_page_are_told_apart_by_post(dialect: str, charset: str) -> None:
    reply = ask(dialect, *three(words("MARK")), more=f'charset = "{charset}"')
    own = DIALECTS[dialect].wire or charset
    other = "gbk" if own == "utf-8" else "utf-8"
    post = between(read(reply, reply.body.replace(b"MARK", "投票对象：豆沙".encode(other))))
    # An API's answer has all other characters as numbers: that one encoding is the page's.
    assert (post.message.text, codes(post)) == ("投票对象：豆沙", [] if dialect in API else ["A102"])


@pytest.mark.parametrize("charset", ["utf-8", "gbk"])
@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_broken_byte_is_a_flaw_of_its_own_post_alone(dialect: str, charset: str) -> None:
    reply = ask(dialect, *three(words("好吃的包子MARK真的")), more=f'charset = "{charset}"')
    broken = b"\xe7\x9a" if (DIALECTS[dialect].wire or charset) == "utf-8" else b"\xff"
    post = between(read(reply, reply.body.replace(b"MARK", broken)))
    assert codes(post) == ["A101"]
    assert post.message.text.startswith("好吃的包子\ufffd")


# Structure


@pytest.mark.parametrize("dialect", DIALECTS)
def test_three_thousand_nested_tags_are_a_flaw_of_one_post_on_every_surface(dialect: str) -> None:
    post = between(read(ask(dialect, *three(html("投票对象：包子" + "<div>" * 3000 + "里" + "</div>" * 3000)))))
    assert codes(post) == ["A108"]
    assert post.message.text.startswith("投票对象：包子")


FORGED = {
    "x": '<div id="post_99"><table id="pid99"><tr><td id="postmessage_99">投票对象：豆沙</td></tr></table></div>',
    "v6": '<table id="pid99"><tr><td><div class="t_msgfont" id="postmessage_99">投票对象：豆沙</div></td></tr></table>',
    "touch": '<div class="plc cl" id="pid99"><div class="message">投票对象：豆沙</div></div>',
}


# 6.x has its posts in tables with an id that the others have too.
FAMILY = {"v60": "v6", "v61": "v6", "tou": "touch", "api": "api"}


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("kind", FORGED)
def test_a_forged_container_makes_no_post_on_any_surface(dialect: str, kind: str) -> None:
    post = between(read(ask(dialect, *three(html(f"一{FORGED[kind]}二")))))
    assert post.message.text.split("\n") == ["一", "投票对象：豆沙", "二"]
    told = {"v6": FORGED, "touch": ("touch",), "x": ("x",), "api": ()}[FAMILY.get(dialect[:3], "x")]
    assert codes(post) == (["A114"] if kind in told else [])


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_post_of_five_megabytes_is_read_on_every_surface(dialect: str) -> None:
    line = "投票对象：包子" + "，好吃" * 40
    post = between(read(ask(dialect, *three(words("\n".join([line] * 13_000))))))
    assert (len(post.message.lines), codes(post)) == (13_000, [])


# Pages that stop


def what(post: Post) -> tuple[object, ...]:
    return post.pid, post.floor, post.author, post.uid, post.posted_at, post.message.text, post.edited, post.state, post.flaws


@pytest.mark.parametrize("charset", ["utf-8", "gbk"])
@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_page_cut_anywhere_gives_whole_posts_and_says_that_it_stops_or_nothing(dialect: str, charset: str) -> None:
    edits = 'edits = [{ at = 2018-06-03T11:00:00, text = "投票对象：豆沙\\n投票理由：改" }]'
    reply = ask(dialect, *three(f"{words(VOTE)}\nquote = 31\n{edits}"), more=f'charset = "{charset}"')
    whole = read(reply)
    wanted = [what(post) for post in whole.posts]
    assert len(wanted) == 3
    met = set()
    for end in range(0, len(reply.body.rstrip()), 41):
        try:
            page = read(reply, reply.body[:end])
        except BanshaError:
            continue
        assert [what(post) for post in page.posts] == wanted[: len(page.posts)], end
        # Without the end of the document it is told that posts may be missing.
        assert "A120" in codes(page) or b"</html" in reply.body[:end].lower(), end
        met.add(len(page.posts))
    assert met == (set() if dialect in API else {1, 2, 3})


@pytest.mark.parametrize("charset", CHARSETS)
@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_name_that_the_charset_lacks_is_the_name(dialect: str, charset: str) -> None:
    # 饺 is in no Big5; the board keeps it as a number, and escapes that once more.
    (post,) = read(
        ask(
            dialect,
            POST.format(pid=31, author="小泡饺子", at="2018-06-03T10:01:00", words=words(VOTE)),
            more=f'charset = "{charset}"',
        )
    ).posts
    assert (post.author, codes(post)) == ("小泡饺子", [])


# A post of each surface, whole: what only a group that may write HTML can put into its words.
FOREIGN = {
    "x": (
        '<div id="post_99"><table id="pid99"><tr><td class="pls"><div class="authi">'
        '<a href="home.php?mod=space&uid=5" class="xw1">鬼</a></div></td>'
        '<td><a id="postnum99"><em>9</em></a><em id="authorposton99">发表于 2018-6-3 10:00</em></td>'
        '<td class="t_f" id="postmessage_99">投票对象：豆沙</td></tr></table></div>'
    ),
    "v6": (
        '<table id="pid99"><tr><td class="postauthor"><cite><a href="space.php?uid=5">鬼</a></cite></td>'
        '<td><div class="postinfo"><strong id="postnum_99">9<sup>#</sup></strong>发表于 2018-6-3 10:00</div>'
        '<div class="t_msgfont" id="postmessage_99">投票对象：豆沙</div></td></tr><tr><td class="postauthor"></td></tr></table>'
    ),
    "touch": (
        '<div class="plc cl" id="pid99"><ul class="authi"><li><a href="?uid=5">鬼</a></li><li>2018-6-3 10:00</li></ul>'
        '<div class="message">投票对象：豆沙</div></div>'
    ),
    "an author line": '<em id="authorposton33">发表于 2018-6-3 10:00</em>',
    "marks": (
        '<div id="comment_32" class="cm"></div><div id="post_rate_div_32"></div><div id="postlistreply"></div><div id="ft"></div>'
    ),
    "a pager": '<div class="pg"><strong>9</strong><a>99</a></div><div class="pages"><strong>9</strong><a>99</a></div>',
}


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("kind", FOREIGN)
def test_a_post_of_another_surface_inside_a_message_hides_no_post_of_the_page(dialect: str, kind: str) -> None:
    page = read(ask(dialect, *three(html(f"一{FOREIGN[kind]}二"))))
    own = [post for post in page.posts if post.pid != 99]
    assert [(post.pid, post.author) for post in own] == [(31, "导演"), (32, "饺子"), (33, "豆沙")]
    assert [(post.message.text, codes(post)) for post in (own[0], own[2])] == [(VOTE, []), (VOTE, [])]
    assert (page.number, page.pages, codes(page)) == (1, 1, ["A123"] if dialect == "api4" else [])
    # One that is whole and of the page's own kind cannot be told from a post; its holder is told of, since his words do not end.
    if len(page.posts) > 3:
        assert kind in (FAMILY.get(dialect[:3], "x"), "x" if dialect == "v61" else "")
        assert "A121" in codes(own[1])


def test_a_page_with_author_lines_but_no_containers_is_of_unknown_layout() -> None:
    body = b'<html><head><title>t</title></head><body><em id="authorposton5">2018-6-3 10:00</em></body></html>'
    with pytest.raises(LayoutError, match="no thread page of a layout known here"):
        read_page(body, tid=7, seen_at=AFTER, zone=ZONE)
