"""Thread pages of Discuz! X2: the pages of X3 from other parts, with the quotes of X2: the link is an image."""

from __future__ import annotations

from tests.board.bbcode import OPENERS, PAIRS, Codes
from tests.board.living import Times
from tests.board.writing import Writing
from tests.board.x3 import X3

_OPENERS = {**OPENERS, "align": (OPENERS["align"][0], r'<p align="\1">')}

WRITING = Writing(
    codes=Codes(openers=tuple(_OPENERS.values()), pairs={**PAIRS, "[/align]": "</p>"}),
    quoting=(
        "[quote][size=2][color=#999999]{author} 发表于 {at}[/color] [url={link}][img]static/image/common/back.gif[/img][/url]"
        "[/size]\n{words}[/quote]"
    ),
    times=Times.X2,
)

X2 = X3("X2", ("x2/post", "x2/page"), WRITING, ends="\n")
