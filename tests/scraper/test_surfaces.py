"""Which surface a page is of, told by its anchors; what is refused, and why; what the page of surfaces says of them all."""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from scraper.dialects import DIALECTS, find_dialect, get_dialect
from scraper.dialects.refused import REFUSALS
from scraper.dialects.surface import LACKS, Dialect, Fact, Refusal
from scraper.errors import UncountableError
from scraper.page import gate_page, read_page
from scraper.response import Response
from scraper.screens import check_response
from tally.finding import KINDS
from tally.words import term_words
from tests.board.dialects import DIALECTS as SHOWN
from tests.board.recordings import FOLDER, needs_recordings
from tests.board.script import read_script
from tests.board.server import Asked, Board
from tests.scraper.surfaces import DOCUMENT, fill

ZONE = ZoneInfo("Asia/Shanghai")
AFTER = datetime(2018, 7, 3, 12, tzinfo=ZONE)
READ_BY = {
    **dict.fromkeys(("x35", "x34", "x2"), "x"),
    "v72": "v7",
    **dict.fromkeys(("v60", "v61"), "v6"),
    **dict.fromkeys(("touch35", "touch34"), "touch"),
    "api1": "api1",
    "api4": "api4",
}
"""By which dialect each surface of the test board is read."""
DESKTOP = [name for name, reader in READ_BY.items() if reader in ("x", "v7", "v6")]
SCRIPT = """
[board]
dialect = "{dialect}"
charset = "{charset}"
per_page = 4
[[thread]]
tid = 7
title = '{title}'
[[post]]
tid = 7
pid = 87
author = "导演"
at = 2018-06-03T10:00:00
anonymous = {anonymous}
text = "投票开始"
[[post]]
tid = 7
pid = 88
author = "饺子"
at = 2018-06-03T10:01:00
text = '''{text}'''
quote = 87
[[post]]
tid = 7
pid = 89
author = "豆沙"
at = 2018-06-03T10:02:00
text = "投票对象：包子\\n投票理由：略"
edits = [{{ at = 2018-06-03T10:12:00, text = "投票对象：饺子\\n投票理由：略" }}]
"""
# What a post, a title or a name may hold that looks like another surface.
LURES = (
    'id="authorposton1"',
    'class="posterlink" class="authorinfo"',
    'id="pid1" id="postnum1" id="postnum_1"',
    '{"Variables":{"postlist":[{"pid":"1","position":"1"}]}}',
    '<p class="author"><strong>导演</strong>',
    '<hr noshade size="2" width="100%"><b>标题</b>',
    '<a href="showtopic-1.aspx">',
    'specialthread id="ajaxspecialpost"',
    "Discuz! X5.0",
    '<?xml version="1.0"?><root><![CDATA[',
)


def show(
    dialect: str, *, text: str = "好", title: str = "投票帖", charset: str = "utf-8", anonymous: bool = False
) -> tuple[bytes, str]:
    script = SCRIPT.format(dialect=dialect, text=text, title=title, charset=charset, anonymous=str(anonymous).lower())
    reply = Board(read_script(script), AFTER).answer(Asked("GET", "/thread-7-1-1.html"))
    assert reply is not None
    return reply.body, dict(reply.headers)["Content-Type"]


def read(body: bytes, content_type: str = "") -> list[tuple[object, ...]]:
    """What a page says, its floors and edit marks aside, which not every surface has."""
    page = read_page(body, tid=7, seen_at=AFTER, zone=ZONE, content_type=content_type)
    return [
        (post.pid, post.author, post.uid, post.posted_at, post.message.text.strip(), [quote.pid for quote in post.quotes])
        for post in page.posts
    ]


WANTED = [
    (87, "导演", 101, datetime(2018, 6, 3, 10, 0, tzinfo=ZONE), "投票开始", []),
    (88, "饺子", 102, datetime(2018, 6, 3, 10, 1, tzinfo=ZONE), "好", [87]),
    (89, "豆沙", 103, datetime(2018, 6, 3, 10, 2, tzinfo=ZONE), "投票对象：饺子\n投票理由：略", []),
]


def test_of_every_surface_of_the_board_it_is_said_how_it_is_read() -> None:
    assert set(READ_BY) == set(SHOWN)
    assert set(READ_BY.values()) == {dialect.name for dialect in DIALECTS}


@pytest.mark.parametrize("charset", ["utf-8", "gbk", "big5"])
@pytest.mark.parametrize("dialect", READ_BY)
def test_a_page_is_read_as_what_it_is(dialect: str, charset: str) -> None:
    body, content_type = show(dialect, charset=charset)
    assert gate_page(body, content_type=content_type).dialect == READ_BY[dialect]
    if charset != "big5":
        assert read(body, content_type) == WANTED


@pytest.mark.parametrize("mark", ["", "Discuz! 6.0.0", "Discuz! 7.2", "Discuz! X2", "Discuz! X3.5", "phpBB", "Discuz!NT 3.0"])
@pytest.mark.parametrize("dialect", READ_BY)
def test_no_mark_decides(dialect: str, mark: str) -> None:
    body, content_type = show(dialect)
    meta = f'<meta name="generator" content="{mark}" />'.encode() if mark else b""
    changed = re.sub(rb'<meta name="generator"[^>]*>', meta, body)
    changed = re.sub(rb"Discuz! ?[\w.]*", mark.encode(), changed)
    if not dialect.startswith("api"):
        assert changed != body
    assert gate_page(changed, content_type=content_type).dialect == READ_BY[dialect]
    assert read(changed, content_type) == WANTED


@pytest.mark.parametrize("lure", LURES)
@pytest.mark.parametrize("dialect", READ_BY)
def test_what_players_write_does_not_decide(dialect: str, lure: str) -> None:
    for shown in (show(dialect, text=lure), show(dialect, title=lure)):
        assert gate_page(shown[0], content_type=shown[1]).dialect == READ_BY[dialect]
        assert [row[0] for row in read(*shown)] == [87, 88, 89]


@pytest.mark.parametrize("dialect", READ_BY)
def test_a_page_that_begins_with_an_anonymous_post_is_recognised(dialect: str) -> None:
    body, content_type = show(dialect, anonymous=True)
    assert gate_page(body, content_type=content_type).dialect == READ_BY[dialect]
    rows = read(body, content_type)
    assert rows[0][:3] == (87, "匿名", None)
    assert rows[1][:3] == (88, "饺子", 102)


# Classes that a skin keeps: those that the board's own code writes into messages, pagers, and on the old boards the cells.
_KEPT = frozenset(
    [
        "quote",
        "pstatus",
        "jammer",
        "showhide",
        "locked",
        "blockcode",
        "notice",
        "pg",
        "pages",
        "t_msgfont",
        "signatures",
        "sign",
        "postauthor",
    ]
)


def reskin(page: bytes) -> bytes:
    """The page as a skin of a board's own shows it: other classes, other boxes around, the anchors in their places."""
    page = re.sub(rb'class="([^"]*)"', lambda found: found[0] if _KEPT & set(found[1].decode().split()) else b'class="s"', page)
    page = re.sub(rb'(<td class="t_f"|<td class="s") (id="postmessage_\d+")', rb'<td class="skin-words" \2', page)
    return page.replace(b'id="postlist"', b'id="skin-list"').replace(b"<h1", b'<div class="skin-top"></div><h1')


@pytest.mark.parametrize("dialect", DESKTOP)
def test_a_skin_of_a_boards_own_that_keeps_the_anchors_is_read(dialect: str) -> None:
    body, content_type = show(dialect)
    skinned = reskin(body)
    assert skinned != body
    assert gate_page(skinned, content_type=content_type).dialect == READ_BY[dialect]
    assert read(skinned, content_type) == WANTED
    edited = read_page(skinned, tid=7, seen_at=AFTER, zone=ZONE, content_type=content_type).posts[2].edited
    assert edited is not None


@pytest.mark.parametrize("dialect", READ_BY)
def test_a_page_tells_which_thread_it_is_of(dialect: str) -> None:
    body, content_type = show(dialect, text="[url=forum.php?mod=viewthread&tid=99]别的[/url] &tid=98")
    assert gate_page(body, content_type=content_type).tids == {7}


@pytest.mark.parametrize("dialect", DESKTOP)
def test_the_many_pages_of_a_skin_are_counted(dialect: str) -> None:
    more = "".join(
        f'[[post]]\ntid = 7\npid = {pid}\nauthor = "豆沙"\nat = 2018-06-03T11:00:{pid - 90:02}\ntext = "聊"\n'
        for pid in range(90, 102)
    )
    script = SCRIPT.format(dialect=dialect, text="好", title="投票帖", charset="utf-8", anonymous="false") + more
    reply = Board(read_script(script), AFTER).answer(Asked("GET", "/thread-7-2-1.html"))
    assert reply is not None
    page = gate_page(reskin(reply.body))
    assert (page.number, page.pages, [post.pid for post in page.posts]) == (2, 4, [91, 92, 93, 94])


# What is refused


RECORDED = {
    "x35/guest__archiver_vote_p1": ("archiver", "no pid, uid or floor"),
    "dz72/guest__archiver_vote_p1": ("archiver", "no pid, uid or floor"),
    "x35/guest__vote_printable": ("printable", "the first 100 posts only"),
    "dz6/guest__vote_printable": ("printable", "the first 100 posts only"),
}


@needs_recordings
@pytest.mark.parametrize("name", RECORDED)
def test_the_recorded_pages_that_lose_posts_are_refused_with_what_they_lose(name: str) -> None:
    surface, reason = RECORDED[name]
    body = (FOLDER / f"{name}.http").read_bytes().partition(b"\r\n\r\n")[2]
    assert_refused(body, surface, reason)


def assert_refused(body: bytes, surface: str, reason: str) -> None:
    found = find_dialect(body)
    assert isinstance(found, Refusal)
    assert found.name == surface
    # Whoever looks at what a response is lets it pass: the reason is the dialects' to give.
    check_response(Response("https://bbs.example.net/", 200, (("Content-Type", "text/html"),), body, AFTER))
    with pytest.raises(UncountableError, match=re.escape(reason)) as caught:
        gate_page(body)
    assert found.title in str(caught.value)
    assert found.instead in str(caught.value)
    assert caught.value.exit_code == 8


def test_one_post_as_xml_is_refused_though_it_has_all_anchors() -> None:
    page = show("x35")[0]
    post = page[page.index(b'<div id="post_88"') : page.index(b'<div id="post_89"')]
    assert_refused(
        b'<?xml version="1.0" encoding="utf-8"?>\n<root><![CDATA[' + post + b"]]></root>", "viewpid", "it holds one post"
    )


def test_x5_is_refused_though_it_may_have_the_anchors() -> None:
    page = show("x35")[0]
    assert_refused(
        re.sub(rb'(<meta name="generator" content=")[^"]*', rb"\1Discuz! X5.0", page), "x5", "no such board was at hand"
    )


def test_a_poll_of_6_is_refused() -> None:
    body = (
        '<html><head><title>投票</title></head><body><div id="wrapper"><h1>投票</h1><form id="specialthread">'
        '<div class="specialpost"><div class="postmessage">选谁</div></div><div id="ajaxspecialpost"></div>'
        "<script>ajaxget('viewthread.php?tid=3&do=viewspecialpost', 'ajaxspecialpost')</script></form></div></body></html>"
    )
    assert_refused(body.encode(), "v6special", "its replies come by script")


def test_discuz_nt_is_refused() -> None:
    body = (
        '<html><head><title>投票帖</title></head><body><div id="nav"><a href="/showtopic-7-1.aspx">投票帖</a></div>'
        '<table id="100"><tr><td>导演</td><td>投票开始</td></tr></table></body></html>'
    )
    assert_refused(body.encode(), "nt", "no such board was at hand")


def test_a_refused_surface_names_what_it_lacks() -> None:
    for refusal in REFUSALS:
        assert refusal.gaps
        assert refusal.reason.islower() or refusal.reason[0].islower()
        assert not refusal.reason.endswith(".")


# The registry


def test_surfaces_have_names_examples_and_codes_that_are_registered() -> None:
    surfaces: list[Dialect | Refusal] = [*DIALECTS, *REFUSALS]
    names = [surface.name for surface in surfaces]
    assert len(set(names)) == len(names)
    for surface in surfaces:
        assert surface.example.startswith("https://bbs.example.net/")
        assert surface.title
        assert all(gap.what and (not gap.code or gap.code in KINDS) for gap in surface.gaps.values())
    assert all(get_dialect(dialect.name) is dialect for dialect in DIALECTS)


@pytest.mark.parametrize("dialect", READ_BY)
def test_a_thread_tells_once_what_its_surface_lacks(dialect: str) -> None:
    body, content_type = show(dialect)
    page = read_page(body, tid=7, seen_at=AFTER, zone=ZONE, content_type=content_type)
    surface = get_dialect(READ_BY[dialect])
    lacking = [fact for fact, gap in surface.gaps.items() if gap.code == LACKS]
    assert [dict(flaw.parameters) for flaw in page.flaws] == [{"surface": surface.name, "lacks": fact.value} for fact in lacking]
    # It tells it once a thread.
    script = SCRIPT.format(dialect=dialect, text="好", title="投票帖", charset="utf-8", anonymous="false")
    reply = Board(read_script(script.replace("per_page = 4", "per_page = 2")), AFTER).answer(Asked("GET", "/thread-7-2-1.html"))
    assert reply is not None
    assert gate_page(reply.body).flaws == ()
    # Each fact that a finding names has its words.
    assert all(term_words(fact.value) != fact.value for fact in lacking)
    if Fact.EDITED in lacking:
        assert page.posts[2].edited is None


def test_the_page_of_surfaces_says_what_the_registry_says() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    assert fill(text) == text, "make it anew: python -m tests.scraper.surfaces"
    assert all(f"**{fact.value}**" in text for fact in Fact)


def test_the_readme_of_the_board_names_every_surface_that_it_shows() -> None:
    readme = (Path(__file__).parents[1] / "board" / "README.md").read_text(encoding="utf-8")
    assert [name for name in SHOWN if f"`{name}`" not in readme] == []
