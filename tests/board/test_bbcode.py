"""BBCode becomes the HTML that X3 boards make of it, oddities included."""

from __future__ import annotations

import pytest

from tests.board.bbcode import render, spell, strip_codes
from tests.board.x3 import X35
from tests.board.x3_post import markup

X3 = markup(X35.parts("utf-8"))
BR = "<br />\n"


def show(text: str, opens_hidden: bool = False) -> str:
    return render(text, X3, "http://bbs.example.net/", "abcdefgh".__getitem__, opens_hidden)


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("投票对象：包子\n投票理由：略", f"投票对象：包子{BR}投票理由：略"),
        ('a<b && c>d "引号" it\'s &#9731;', "a&lt;b &amp;&amp; c&gt;d &quot;引号&quot; it's &amp;#9731;"),
        ("[b]粗[/b][i]斜[/i][u]线[/u][s]删[/s]", "<strong>粗</strong><i>斜</i><u>线</u><strike>删</strike>"),
        (
            "[color=red]红[/color][backcolor=yellow]黄[/backcolor]",
            '<font color="red">红</font><font style="background-color:yellow">黄</font>',
        ),
        ("[size=4]大[/size][size=12px]小[/size]", '<font size="4">大</font><font style="font-size:12px">小</font>'),
        ("[align=center]中[/align]\n[hr]", f'<div align="center">中</div>{BR}<hr class="l" />'),
        ("[list=1]\n[*]一\n[/list]", f'<ul type="1" class="litype_1">{BR}<li>一{BR}</ul>'),
        ("[color=red]没关\n下一行", f'<font color="red">没关{BR}下一行'),
        ("[M29]导演 [不是码]", "[M29]导演 [不是码]"),
        ("  前\t中   后", "&nbsp;&nbsp;前&nbsp; &nbsp; &nbsp; &nbsp; 中&nbsp; &nbsp;后"),
        ("上\n[quote]引\n文[/quote]\n下", f'上<div class="quote"><blockquote>引{BR}文</blockquote></div>下'),
        (
            "[quote]外\n[quote]内[/quote]\n尾[/quote]\n下",
            f'<div class="quote"><blockquote>外{BR}[quote]内</blockquote></div>尾[/quote]{BR}下',
        ),
        ("[url=http://a.example/?b=1&c=2]链[/url]", '<a href="http://a.example/?b=1&amp;c=2" target="_blank">链</a>'),
        ("[url=forum.php?mod=x]链[/url]", '<a href="http://bbs.example.net/forum.php?mod=x" target="_blank">链</a>'),
        (":lol:", '<img src="static/image/smiley/default/lol.gif" smilieid="12" border="0" alt="" />:'),
        ("{:4_100:}", '<img src="static/image/smiley/pack4/100.gif" smilieid="100" border="0" alt="" />'),
        ("<P", "&lt;P"),
        (
            "[table=50%]\n[tr][td]一[/td][/tr]\n[/table]",
            '<table cellspacing="0" class="t_table" style="width:50%"><tr><td>一</td></tr></table>',
        ),
    ],
)
def test_codes_become_html(text: str, html: str) -> None:
    assert show(text) == html


def test_code_blocks_keep_their_characters_and_take_no_codes() -> None:
    html = show("前\n[code]投票对象：[b]包子[/b] :lol:\n<二>[/code]\n后")
    assert "<ol><li>投票对象：[b]包子[/b] :lol:<li>&lt;二&gt;</ol>" in html
    assert html.startswith("前<div")
    assert html.endswith("</div>后")


def test_hidden_words_are_there_only_for_those_who_may_see_them() -> None:
    assert "狼" not in show("[hide]狼[/hide]外")
    assert show("[hide]狼[/hide]外") == f"{X3.locked}外"
    assert show("[hide]狼[/hide]外", opens_hidden=True) == '<div class="showhide"><h4>本帖隐藏的内容</h4>狼</div>外'


def test_files_stand_in_a_box_that_is_not_the_authors_words() -> None:
    assert show("[attach]证据.png[/attach]").startswith('<ignore_js_op>\r\n<img id="aimg_')
    assert show("[attach]证据.zip[/attach]").startswith("<ignore_js_op>\r\n<span")


def test_what_a_charset_lacks_reaches_the_board_as_a_number() -> None:
    assert spell("包子☃", "gbk") == "包子&#9731;"
    assert show(spell("包子☃", "gbk")) == "包子&amp;#9731;"
    assert spell("包子☃", "utf-8") == "包子☃"


def test_the_quoting_button_copies_bare_words() -> None:
    assert strip_codes("[quote]旧[/quote][b]投票[/b] :lol [url=x]链[/url][hide]狼[/hide][img]a.png[/img][M29]") == "投票  链[M29]"
