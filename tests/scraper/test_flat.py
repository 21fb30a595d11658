"""A flat region is scanned without a tree, and says what its tree would have said."""

from __future__ import annotations

import random

import pytest

from scraper.flat import scan_region
from scraper.markup import Markup
from scraper.message import Reading, read_message
from scraper.post import Image, Message, Smiley, Style, Text
from scraper.walk import Walk
from tests.scraper.pages import BOARD, SEEN

# A comment says nothing, and no flat region holds one.
BY_TREE = "<!-- -->"


def read(html: str, markup: Markup | None = None) -> Reading:
    return read_message(html, seen_at=SEEN, zone=BOARD, markup=markup or Markup())


def is_flat(html: str) -> bool:
    return scan_region(html, Walk(Markup(), SEEN, BOARD))


FLAT = [
    ("投票对象：包子<br />\r\n投票理由：好吃", [(Text("投票对象：包子"),), (Text("投票理由：好吃"),)]),
    ("一<br>\n<br/>\n二", [(Text("一"),), (), (Text("二"),)]),
    ("a &lt;b&gt; &amp;amp; c&nbsp; d", [(Text("a <b> &amp; c\xa0 d"),)]),
    (
        '<font color="red">一<strong>二</strong></font>三',
        [(Text("一", Style("red")), Text("二", Style("red", bold=True)), Text("三"))],
    ),
    ('笑<img src="a/lol.gif" smilieid="1" border="0" alt="" />', [(Text("笑"), Smiley("lol"))]),
    ('<img id="aimg_1" file="b/c.png" onmouseover="show({\'a\': 1})" />', [(Image("b/c.png"),)]),
    ('<a href="x?a=1&amp;b=2" target="_blank">一</a>', [(Text("一", Style(link="x?a=1&b=2")),)]),
]


@pytest.mark.parametrize(("html", "lines"), FLAT)
def test_a_flat_region_is_scanned(html: str, lines: list[tuple[Text, ...]]) -> None:
    assert is_flat(html)
    assert read(html).message == Message(tuple(lines))


@pytest.mark.parametrize(
    "html",
    [
        *("<b>一", "一</b>", "<b><i>一</b></i>", "<a href='x'>一</a>", '<a href="x">一<a href="y">二</a></a>', "<B>一</B>"),
        *(
            "<b >一</b>",
            '<font color="a" color="b">一</font>',
            '<font style="display:none">一</font>',
            '<font class="jammer">一</font>',
        ),
        *("一 < 二", "一 > 二", "一&hellip;", "一&lt二", "&#55357;&#56833;", "&amp;#55357;&amp;#56833;", "一\0", "<!-- 一 -->"),
        *(
            '<span style="display:none">一</span>',
            '<div class="locked">一</div>',
            '<div class="quote x">一</div>',
            "<div>一</div>",
        ),
        *('<font color="red"><div class="quote">一</div></font>', "<p>一</p>", "<li>一", '<i class="pstatus">一</i>', "<b />一"),
        *(
            "一<br /> <br />二",
            "<b>一</b> <b>二</b>",
            '<img src="a" />\n<img src="b" />',
            '<a href="x\ny">一</a>',
            "<br />" * 3 + "<",
        ),
    ],
)
def test_what_parsers_may_read_otherwise_is_left_to_the_tree(html: str) -> None:
    assert not is_flat(html)


def test_every_character_of_a_flat_region_is_read_as_the_tree_reads_it() -> None:
    # Surrogates stand in no text that was decoded.
    for start in (*range(0, 0xD800, 64), *range(0xE000, 0x30000, 64), 0xE0000, 0x10FFC0):
        for html in ("".join(map(chr, range(start, start + 64))), f"一<b>{chr(start)}</b>"):
            assert read(html.replace("<", "").replace("&", "")) == read(html.replace("<", "").replace("&", "") + BY_TREE)


EDITED = '<i class="pstatus"> 本帖最后由 饺子 于 2018-6-3 10:30 编辑 </i>'


def test_an_edit_mark_that_stands_first_is_scanned() -> None:
    html = f"\r\n{EDITED}<br />\n<br />\n投票对象：包子"
    assert is_flat(html)
    said = read(html)
    assert said.edited
    assert said.edited.editor == "饺子"
    assert said.message == Message(((Text("投票对象：包子"),),))


@pytest.mark.parametrize(
    "html",
    [
        f"一<br />{EDITED}",
        f"<b>{EDITED}</b>",
        f"{EDITED}<br />{EDITED}",
        EDITED.replace("编辑", "<b>编辑</b>"),
        EDITED.replace("于", "在"),
        EDITED.replace("pstatus", "x"),
        EDITED.removesuffix("</i>"),
    ],
)
def test_any_other_edit_mark_is_left_to_the_tree(html: str) -> None:
    assert not is_flat(html)


QUOTE = (
    '<div class="quote"><blockquote><font size="2"><a href="https://bbs.example.net/forum.php?mod=redirect&amp;goto=findpost'
    '&amp;pid=13&amp;ptid=2" target="_blank"><font color="#999999">饺子 发表于 2018-6-3 10:00</font></a></font><br />\r\n'
)
BITS = [
    *(
        "一",
        "二三",
        "a b",
        "&amp;",
        "&lt;",
        "&nbsp;",
        "&quot;",
        " ",
        "\n",
        "\r\n",
        "\t",
        "　",
        "[quote]",
        "[/quote]",
        "\u200b",
        "#5",
        '"',
    ),
    *(
        "<br />",
        "<br />\r\n",
        "<br>",
        "<b>",
        "</b>",
        "<i>",
        "</i>",
        "<strong>",
        "</strong>",
        "<u>",
        "</u>",
        "<strike>",
        "</strike>",
    ),
    *('<font color="red">', '<font size="3">', '<font face="Times New Roman">', '<font color="">', "</font>", "<font>"),
    *(
        '<img src="s/lol.gif" smilieid="12" border="0" alt="" />',
        '<img src="x.png" />',
        '<a href="x?y=1&amp;z=2">',
        "<a>",
        "</a>",
    ),
    *(
        QUOTE,
        EDITED,
        EDITED.replace("饺子", "&lt;饺 子&gt;"),
        '<div class="quote">',
        "<blockquote>",
        "</blockquote>",
        "</blockquote></div>",
        "</div>",
        "</blockquote></div><br />\r\n",
    ),
]


@pytest.mark.parametrize("seed", range(20))
def test_regions_made_at_random_say_the_same_with_a_tree_and_without(seed: int) -> None:
    draw = random.Random(seed)
    markups = (Markup(), Markup(edits_behind=True, replies=True, labelled=True, smilies="s/"))
    flat = 0
    for number in range(400):
        bits: list[str] = []
        if draw.random() < 0.1:
            bits += ["\r\n", EDITED, draw.choice(BITS)]
        for _ in range(draw.randrange(1, 14)):
            bits.append(draw.choice(BITS))
            if bits[-1].startswith("<font") and draw.random() < 0.9:
                bits += [draw.choice(BITS), "</font>"]
        html = "".join(bits)
        flat += is_flat(html)
        assert read(html, markups[number % 2]) == read(html + BY_TREE, markups[number % 2]), html
    assert flat > 10


def test_a_region_whose_tags_nest_says_the_same_with_a_tree_and_without() -> None:
    draw = random.Random(2)
    inline = [
        "<b>{}</b>",
        "<i>{}</i>",
        "<u>{}</u>",
        '<font color="red">{}</font>',
        '<font size="2">{}</font>',
        "<strike>{}</strike>",
    ]
    leaves = [
        "一",
        "二 三",
        "&lt;",
        "四<br />\r\n五",
        "六\n七",
        '笑<img src="s/lol.gif" smilieid="12" />',
        "　八 ",
        "&nbsp;",
        "[quote]",
    ]

    def make(depth: int) -> str:
        inner = "".join(make(depth - 1) for _ in range(draw.randrange(1, 4))) if depth else draw.choice(leaves)
        return draw.choice([*inline, "{}", '<a href="x">{}</a>' if depth == 1 else "{}"]).format(inner)

    flat = 0
    for _ in range(400):
        html = "".join(
            f"{QUOTE}{make(1)}</blockquote></div><br />\r\n" if draw.random() < 0.3 else make(3)
            for _ in range(draw.randrange(1, 4))
        )
        flat += is_flat(html)
        assert read(html) == read(html + BY_TREE), html
    assert flat > 250
