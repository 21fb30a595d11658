"""What a message region says: lines, styles, quotes, edit marks, noise, code, hidden parts. The words are the tests' own."""

from __future__ import annotations

import html as entities
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scraper.message import Reading, read_message
from scraper.post import Attachment, Code, EditMark, Image, Message, Noise, Quote, Smiley, Style, Text
from tests.scraper.pages import BOARD, LINK, SEEN


def read(html: str) -> Reading:
    return read_message(html, seen_at=SEEN, zone=BOARD)


def codes(reading: Reading) -> list[str]:
    return [flaw.code for flaw in reading.flaws]


LINES = [
    ("投票对象：包子<br />\r\n投票理由：好吃", ["投票对象：包子", "投票理由：好吃"]),
    ("一<br />\n<br />\n<br />\n二", ["一", "", "", "二"]),
    ("<br />\n<br />\n一<br />\n<br />", ["一"]),
    ("一\n二", ["一 二"]),
    ("一\n<b>二</b>\n\n三\n<br />四", ["一 二 三", "四"]),
    ("投<b>票对象</b>：<i>包</i>子", ["投票对象：包子"]),
    ("一<div>二</div>三", ["一", "二", "三"]),
    ('<div align="center">一</div><br />\n二', ["一", "", "二"]),
    ("<p>一</p><p>二</p>", ["一", "二"]),
    ("<ul><br />\n<li>一<br />\n<li>二<br />\n</ul>三", ["一", "二", "三"]),
    ("<table><tr><td>一</td><td>二</td></tr><tr><td>三</td></tr></table>四", ["一", "二", "三", "四"]),
    ("<blockquote>一</blockquote>二", ["一", "二"]),  # [indent]
    ("一&nbsp; 二", ["一\xa0 二"]),
    ("　　一", ["　　一"]),
    ("&lt;b&gt; &amp; &quot;", ['<b> & "']),
    ("雪人 &amp;#9731; &amp;#x2603; &#9731;", ["雪人 ☃ ☃ ☃"]),
    ("&amp;lt;", ["&lt;"]),
    ("&#55357;&#56833;&amp;#55357;&amp;#56833;", ["😁😁"]),
    ("一<hr class='l' />二", ["一", "二"]),
    ("一<script type='text/javascript'>x()</script>二", ["一二"]),
    ("一<!-- 二 -->三", ["一三"]),
]


@pytest.mark.parametrize(("html", "lines"), LINES)
def test_lines_end_at_breaks_and_blocks_only(html: str, lines: list[str]) -> None:
    reading = read(html)
    assert reading.message.text.split("\n") == lines
    assert reading.flaws == ()


STYLES = [
    ('<font color="red">一</font>', Style(color="red")),
    ('<font size="4"><font color="red">一</font></font>', Style(color="red", size="4")),
    ('<font face="楷体">一</font>', Style(font="楷体")),
    ('<font style="background-color:yellow">一</font>', Style(background="yellow")),
    ('<font style="font-size:12px;color:rgb(1, 2, 3)">一</font>', Style(size="12px", color="rgb(1, 2, 3)")),
    ("<strong>一</strong>", Style(bold=True)),
    ("<b><i><u><strike>一</strike></u></i></b>", Style(bold=True, italic=True, underline=True, strike=True)),
    ('<div align="center">一</div>', Style(align="center")),
    ('<p style="line-height:30px;text-align:left">一</p>', Style(align="left")),
    (
        '<a href="https://bbs.example.net/space-uid-3.html" target="_blank">一</a>',
        Style(link="https://bbs.example.net/space-uid-3.html"),
    ),
    ('<span style="text-decoration: line-through">一</span>', Style(strike=True)),
    ('<span style="text-decoration: underline">一</span>', Style(underline=True)),
    ('<span style=" font-weight : Bold ; font-style: italic">一</span>', Style(bold=True, italic=True)),
    ('<span style="font-weight: normal; font-style: normal; text-indent: 2em">一</span>', Style()),
    ('<span style="font-family: 楷体">一</span>', Style(font="楷体")),
    ("<center>一</center>", Style(align="center")),
]


@pytest.mark.parametrize(("html", "style"), STYLES)
def test_a_run_of_text_bears_its_style_and_what_follows_does_not(html: str, style: Style) -> None:
    tokens = [token for line in read(html + "<br />二").message.lines for token in line]
    assert tokens == [Text("一", style), Text("二")]


def test_smilies_go_by_file_name_and_other_images_by_address() -> None:
    reading = read(
        '一<img src="static/image/smiley/default/lol.gif" smilieid="12" border="0" alt="" />二<img id="aimg_Qx1" src="a/b.png" />'
    )
    assert reading.message.lines == ((Text("一"), Smiley("lol"), Text("二"), Image("a/b.png")),)
    assert reading.message.text == "一[:lol:]二"


ATTACHED_IMAGE = (
    '一<ignore_js_op>\n<img id="aimg_7" aid="7" src="static/image/common/none.gif" file="data/a.jpg" zoomfile="data/a.jpg" />\n'
    '<div class="tip tip_4 aimg_tip" id="aimg_7_menu" style="position: absolute; display: none">\n<div class="xs0"><p>'
    '<strong>a.jpg</strong> <em class="xg1">(12 KB, 下载次数: 3)</em></p><p>'
    '<a href="forum.php?mod=attachment&amp;aid=MTJ8|15" target="_blank">下载附件</a></p>'
    '<p class="xg1 y">昨天 12:34 上传</p></div></div>\n</ignore_js_op>二'
)
ATTACHED_FILE = (
    '一<ignore_js_op><span style="white-space: nowrap" id="attach_8"><img src="static/image/filetype/zip.gif" alt="" /> '
    '<a href="forum.php?mod=attachment&amp;aid=OHx8" target="_blank">b.zip</a> <em class="xg1">(3 KB, 下载次数: 0)</em></span>'
    '<div class="tip tip_4" id="attach_8_menu" style="display: none"><div class="y">昨天 12:34 上传</div></div></ignore_js_op>二'
)


@pytest.mark.parametrize(("html", "name"), [(ATTACHED_IMAGE, "a.jpg"), (ATTACHED_FILE, "b.zip")])
def test_a_file_is_its_name_and_the_boards_words_about_it_are_nobodys(html: str, name: str) -> None:
    reading = read(html)
    assert reading.message.lines == ((Text("一"), Attachment(name), Text("二")),)
    assert (reading.noise, reading.flaws) == ((), ())


def test_code_is_kept_line_by_line_outside_the_words() -> None:
    code = '<div id="code_k3"><ol><li>投票对象：包子<br />\n<li>投票理由：略</ol></div><em>复制代码</em>'
    reading = read(f'一<div class="blockcode">{code}</div>二')
    assert reading.message.lines == ((Text("一"),), (Code("投票对象：包子"),), (Code("投票理由：略"),), (Text("二"),))
    assert reading.message.text == "一\n\n\n二"


def test_code_of_an_old_board_is_kept_too() -> None:
    code = '<span class="headactions">复制内容</span><h5>代码:</h5><code id="code0">甲<br />\n乙</code>'
    assert read(f'<div class="blockcode">{code}</div>丙').message.lines == ((Code("甲"),), (Code("乙"),), (Text("丙"),))


def test_a_hidden_part_that_is_shown_is_marked_as_hidden() -> None:
    html = '一<div class="showhide"><h4>本帖隐藏的内容</h4>投票对象：包子<br />\n投票理由：略</div>二'
    assert read(html).message.lines == (
        (Text("一"),),
        (Text("投票对象：包子", hidden=True),),
        (Text("投票理由：略", hidden=True),),
        (Text("二"),),
    )


def test_a_hidden_part_that_is_not_shown_is_a_flaw_and_the_words_around_it_are_kept() -> None:
    reading = read('<div class="locked">游客，如果您要查看本帖隐藏内容请<a href="post.php">回复</a></div><br />\n外面')
    assert reading.message.text == "外面"
    assert [(flaw.code, dict(flaw.parameters)) for flaw in reading.flaws] == [
        ("A111", {"text": "游客，如果您要查看本帖隐藏内容请回复"})
    ]


NOISE = [
    ('一<span style="display:none">q &#x W.</span><br />\n二', (Noise("q &#x W.", 1, at_end=True),)),
    ('一<br />\n<span style="display:none">5 @ "x</span>二', (Noise('5 @ "x', 2, at_end=True),)),
    ('一<font class="jammer">: a ; b</font><br />\n二', (Noise(": a ; b", 1, at_end=True),)),
    ('一<font style="font-size:0px;color:#FFF">8 p</font><br />\n二', (Noise("8 p", 1, at_end=True),)),
    ('<br /><span style="display: none">z</span>一<br />二', (Noise("z", 1, at_end=True),)),
]


@pytest.mark.parametrize(("html", "noise"), NOISE)
def test_anti_copy_noise_is_not_the_authors_and_its_place_is_kept(html: str, noise: tuple[Noise, ...]) -> None:
    reading = read(html)
    assert reading.message.text == "一\n二"
    assert reading.noise == noise
    assert reading.flaws == ()


def test_noise_in_the_middle_of_a_line_is_told_from_that_at_its_break() -> None:
    assert read('一<span style="display:none">z</span>二').noise == (Noise("z", 1, at_end=False),)


def test_noise_inside_a_quote_is_not_quoted() -> None:
    reading = read('<div class="quote"><blockquote>一<font class="jammer">: a</font><br />\n二</blockquote></div>三')
    assert reading.quotes == (Quote(None, None, "", "", "一\n二"),)
    assert reading.noise == ()


def test_words_that_the_author_set_invisible_are_kept_apart_and_shown_to_the_director() -> None:
    reading = read('一<font style="font-size:0px">投票对象：包子</font>')
    assert reading.message.text == "一"
    assert reading.invisible == ("投票对象：包子",)
    assert codes(reading) == ["A116"]


def test_words_that_are_hidden_inside_a_quote_show_among_the_quoted_ones() -> None:
    """The board's noise there is ASCII at a line's end, in its own style; all else was put in by whoever quotes."""
    for hidden in (
        '<font style="font-size:0px">狼</font>',
        '<font class="jammer">狼</font>',
        '<div class="locked">狼</div>',
    ):
        reading = read(f'<div class="quote"><blockquote>一{hidden}<br />\n二</blockquote></div>三')
        assert [quote.text.replace("\n", "") for quote in reading.quotes] == ["一狼二"]
        assert reading.message.text == "三"
    middle = read('<div class="quote"><blockquote>一<font class="jammer">x</font>二</blockquote></div>三')
    assert [quote.text for quote in middle.quotes] == ["一x二"]


@pytest.mark.parametrize(
    ("inside", "added"),
    [
        ('投票对象：包子<img src="http://x/狼.png" />', (("image", "http://x/狼.png"),)),
        ('投票对象：包子<img src="static/image/smiley/default/lol.gif" smilieid="12" />', ()),
        ('投票<a href="http://x/">对象</a>：包子', (("link", "http://x/"),)),
        ('看 <a href="http://x.example/a">http://x.example/a</a>', ()),
        ('看 <a href="http://www.x.example/a">www.x.example/a</a>', ()),
        ('看 <a href="http://x.example/aaaaaaaaabbbbbbb">http://x.example/aaa ... bbb</a>', ()),
        ('看 <a href="http://y.example/">http://x.example/</a>', (("link", "http://y.example/"),)),
        ('投<font color="red">票</font>对<strong>象</strong>', (("style", "color+bold"),)),
        ('<font color="red">投票对象</font>', ()),
        ('一<div class="blockcode"><ol><li>狼</li></ol></div>', (("code", "狼"),)),
        ("一[:狼:]二", (("smiley_code", "[:狼:]"),)),
    ],
)
def test_what_no_button_leaves_among_quoted_words_is_told_of(inside: str, added: tuple[tuple[str, str], ...]) -> None:
    reading = read(X3_QUOTE.replace("投票对象：包子<br />\n投票理由：略", inside))
    assert [quote.added for quote in reading.quotes] == [added]


X3_QUOTE = (
    f'<div class="quote"><blockquote><font size="2"><a href="{LINK.format(pid=13)}" target="_blank"><font color="#999999">'
    "豆沙 发表于 2018-6-4 12:00</font></a></font><br />\n投票对象：包子<br />\n投票理由：略</blockquote></div><br />\n同意"
)
X2_QUOTE = (
    '<div class="quote"><blockquote><font size="2"><font color="#999999">豆沙 发表于 2018-6-4 12:00</font> '
    f'<a href="{LINK.format(pid=13)}" target="_blank"><img src="static/image/common/back.gif" alt="" /></a></font><br />\n'
    "投票对象：包子<br />\n投票理由：略</blockquote></div><br />\n同意"
)
QUOTE_72 = (
    '<div class="quote"><blockquote>投票对象：包子<br />\n投票理由：略<br />\n<font size="2"><font color="#999999">豆沙 發表於 '
    f'2018-6-4 12:00</font> <a href="{LINK.format(pid=13)}" target="_blank"><img src="back.gif" /></a></font></blockquote></div>'
    "<br />\n<br />\n同意"
)
QUOTE_6 = (
    '<div class="quote"><h5>引用:</h5><blockquote>原帖由 <i>豆沙</i> 于 2018-6-4 12:00 发表 '
    f'<a href="{LINK.format(pid=13)}" target="_blank"><img src="back.gif" /></a><br />\n投票对象：包子<br />\n投票理由：略 '
    "</blockquote></div>同意"
)


@pytest.mark.parametrize("html", [X3_QUOTE, X2_QUOTE, QUOTE_72, QUOTE_6])
def test_a_quote_points_at_its_post_in_every_boards_form(html: str) -> None:
    reading = read(html)
    assert reading.message.text == "同意"
    assert [(quote.pid, quote.tid, quote.author, quote.posted) for quote in reading.quotes] == [
        (13, 1235, "豆沙", "2018-6-4 12:00")
    ]
    assert reading.quotes[0].text.rstrip() == "投票对象：包子\n投票理由：略"
    assert reading.quotes[0].added == ()
    assert reading.flaws == ()


def test_a_hand_written_quote_has_no_pid_and_no_author() -> None:
    reading = read('<div class="quote"><blockquote>豆沙 发表于 2018-6-4 12:00<br />\n投票对象：包子</blockquote></div>同意')
    assert reading.quotes == (Quote(None, None, "", "", "豆沙 发表于 2018-6-4 12:00\n投票对象：包子"),)
    assert reading.message.text == "同意"


def test_a_link_to_a_post_inside_the_quoted_words_is_not_the_quotes_own() -> None:
    words = f'看这里<br />\n<a href="{LINK.format(pid=13)}">5楼</a> 说的<br />\n好'
    reading = read(f'<div class="quote"><blockquote>{words}</blockquote></div>同意')
    assert [quote.pid for quote in reading.quotes] == [None]


LEAKS = [
    # the inner tail stands outside the block: it belongs to the quote
    ("{一[quote]二}三[/quote]<br />四", "四", ["一[quote]二\n三[/quote]"], None),
    ("{一<br />[quote]二}三<br />四[/quote]五", "五", ["一\n[quote]二\n三\n四[/quote]"], None),
    ("{一[quote]二[quote]三}四[/quote]五[/quote]六", "六", ["一[quote]二[quote]三\n四[/quote]五[/quote]"], None),
    ("{一[quote]二}三{四}五[/quote]六", "六", ["一[quote]二\n三\n四\n五[/quote]"], None),
    ("{一[QUOTE]二}三[/Quote]四", "四", ["一[QUOTE]二\n三[/Quote]"], None),
    ("{一[quote]二}三[/quote]{四}五", "五", ["一[quote]二\n三[/quote]", "四"], None),
    ("零{一[quote]二}三[/quote]四", "零\n四", ["一[quote]二\n三[/quote]"], None),
    ("零{一[quote]二}三[/quote]<br />四", "零\n四", ["一[quote]二\n三[/quote]"], None),
    # no end: the words stay the author's, and somebody must look
    ("{一[quote]二}三<br />四", "三\n四", ["一[quote]二"], (1, 0, 0)),
    ("[quote]一<br />二", "[quote]一\n二", [], (1, 0, 0)),
    ("一<br />二[/quote]三", "一\n二[/quote]三", [], (0, 1, 0)),
    ("{一}二[/quote]三", "二[/quote]三", ["一"], (0, 1, 0)),
    # a pair without a block (BBCode switched off): taken as a quote, and shown
    ("一[quote]二<br />三[/quote]四", "一\n四", ["[quote]\n二\n三[/quote]"], (0, 0, 1)),
    ("[quote]一[/quote]二", "二", ["[quote]\n一[/quote]"], (0, 0, 1)),
    ("{[/quote]一[quote]二}三", "三", ["[/quote]一[quote]二"], (0, 1, 0)),
    ("{[/quote]一[quote]二}三[/quote]四", "三[/quote]四", ["[/quote]一[quote]二"], (0, 2, 0)),
]


@pytest.mark.parametrize(("shape", "own", "quotes", "left"), LEAKS)
def test_what_leaks_out_of_a_nested_quote_is_not_the_authors_own(
    shape: str, own: str, quotes: list[str], left: tuple[int, int, int] | None
) -> None:
    html = shape.replace("{", '<div class="quote"><blockquote>').replace("}", "</blockquote></div>")
    reading = read(html)
    assert reading.message.text == own
    assert [quote.text for quote in reading.quotes] == quotes
    counts = [tuple(int(value) for _, value in flaw.parameters) for flaw in reading.flaws if flaw.code == "A113"]
    assert counts == ([left] if left else [])


def test_really_nested_quotes_are_one_quote_and_the_outer_link_counts() -> None:
    link = f'<a href="{LINK.format(pid=7)}">x</a>'
    inner = (
        f'<div class="quote"><h5>引用:</h5><blockquote>原帖由 <i>甲</i> 于 2018-6-3 9:00 发表 {link}<br />里</blockquote></div>'
    )
    html = f'<div class="quote"><h5>引用:</h5><blockquote>外{inner}后</blockquote></div>自己'
    reading = read(html)
    assert reading.message.text == "自己"
    assert [(quote.pid, quote.text.split("\n")[0], quote.text.split("\n")[-1]) for quote in reading.quotes] == [
        (None, "外", "后")
    ]


EDITS = [
    ('<i class="pstatus"> 本帖最后由 饺子 于 2018-6-4 20:11 编辑 </i><br />\n<br />\n一', "饺子"),
    ('<i class="pstatus"> 本帖最後由 [M29]導演 於 2018-6-4 08:11 PM 編輯 </i><br />一', "[M29]導演"),
    ('<i class="pstatus"> 本帖最后由 于 于 2018-6-4 20:11 编辑 </i>一', "于"),
]


@pytest.mark.parametrize(("html", "editor"), EDITS)
def test_the_edit_mark_is_read_and_is_not_the_authors(html: str, editor: str) -> None:
    reading = read(html)
    assert reading.edited == EditMark(editor, datetime(2018, 6, 4, 20, 11, tzinfo=BOARD))
    assert (reading.message.text, reading.flaws) == ("一", ())


@pytest.mark.parametrize(
    "html",
    [
        '一<br />\n<i class="pstatus"> 本帖最后由 饺子 于 2018-6-4 20:11 编辑 </i>',
        '<i class="pstatus"> 本帖最后由 饺子 于 从前 编辑 </i>一',
        '<i class="pstatus">编辑过</i>一',
    ],
)
def test_an_edit_mark_elsewhere_or_of_other_words_is_the_authors_and_a_flaw(html: str) -> None:
    reading = read(html)
    assert reading.edited is None
    assert "编辑" in reading.message.text
    assert codes(reading) == ["A115"]


HIDING = [
    ("一<!-- 二<br />三", "一", "A109"),
    ("一<style>二<br />三", "一", "A109"),
    ("一<iframe src='x'>二<br />三", "一", "A109"),
    ("一<script>二", "一", "A109"),
    ("一<title>二", "一", "A109"),
]


@pytest.mark.parametrize(("html", "text", "code"), HIDING)
def test_an_unclosed_element_that_hides_words_is_a_flaw(html: str, text: str, code: str) -> None:
    reading = read(html)
    assert (reading.message.text, codes(reading)) == (text, [code])


@pytest.mark.parametrize("tag", ["textarea", "plaintext", "xmp"])
def test_an_element_that_shows_its_words_raw_is_read_and_a_flaw(tag: str) -> None:
    reading = read(f"一<{tag}>投票对象：包子")
    assert reading.message.text == "一投票对象：包子"
    assert codes(reading) == ["A109"]


UNENDED = [
    ('一<font color="red>二<br />三', "一二\n三"),
    ('一<font color="red>二<br /><font size="2">三</font>四', "一二\n三四"),
    ('一<font color="red" 二<br />三', '一<font color="red" 二\n三'),
    ("一 < 二<br />三", "一 < 二\n三"),
]


@pytest.mark.parametrize(("html", "text"), UNENDED)
def test_a_tag_that_never_ends_swallows_no_words(html: str, text: str) -> None:
    reading = read(html)
    assert (reading.message.text, codes(reading)) == (text, ["A110"])


@pytest.mark.parametrize(
    "html",
    ["一</td></tr></table><br />二", "一</div></div></div><br />二", "一</body></html><br />二", "一</blockquote><br />二"],
)
def test_an_early_close_loses_no_words(html: str) -> None:
    assert read(html).message.text.replace("\n\n", "\n") == "一\n二"


@pytest.mark.parametrize("depth", [300, 1500])
def test_deep_nesting_is_read(depth: int) -> None:
    reading = read("<b>" * depth + "一" + "</b>" * depth + "二")
    assert (reading.message.text, reading.flaws) == ("一二", ())


@pytest.mark.parametrize("tag", ["b", "div", "blockquote", "font"])
def test_nesting_beyond_the_parsers_depth_is_a_flaw(tag: str) -> None:
    reading = read("一" + f"<{tag}>" * 3000 + "二" + f"</{tag}>" * 3000 + "三")
    assert codes(reading) == ["A108"]
    assert reading.message.text.startswith("一")


def test_an_empty_region_says_nothing() -> None:
    assert read("") == Reading()
    assert read("\r\n<br />\r\n&nbsp;").message == Message(())


def test_many_literals_without_an_end_take_no_long_time() -> None:
    reading = read("[quote]<br />" * 20_000)
    assert codes(reading) == ["A113"]


def print_as_boards_do(typed: str) -> str:
    """Typed words as a board prints them: escaped, breaks for newlines, runs of spaces kept apart."""
    return entities.escape(typed, quote=True).replace("  ", "\xa0 ").replace("\xa0", "&nbsp;").replace("\n", "<br />\r\n")


@given(st.text(alphabet="投票对象：包子 a<>&\"'/-=;#!\n\u3000🐱", max_size=60))
def test_what_is_typed_is_what_is_read(typed: str) -> None:
    lines = typed.replace("  ", "\xa0 ").split("\n")
    while lines and not lines[0].strip():
        lines.pop(0)
    while lines and not lines[-1].strip():
        lines.pop()
    reading = read(print_as_boards_do(typed))
    assert (reading.message.text, reading.flaws) == ("\n".join(lines), ())
