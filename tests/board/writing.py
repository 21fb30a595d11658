"""What a dialect's buttons write into a post: its quotes, its 「回复」 headers and its edit marks, as BBCode."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.board.bbcode import Codes
from tests.board.living import Times, print_moment
from tests.board.script import Settings
from tests.board.view import Mark, Quoted, Shown
from tests.board.words import speak

X_LINK = "forum.php?mod=redirect&goto=findpost&pid={pid}&ptid={tid}"
OLD_LINK = "{base}redirect.php?goto=findpost&pid={pid}&ptid={tid}"


@dataclass(frozen=True, slots=True)
class Writing:
    """How a dialect writes; by default as X3 does.

    `quoting` is what the quoting button makes, of `{author}`, `{at}`, `{link}`, `{base}` and `{words}`, `link` the address in it.
    `replying` is the header that a reply button leaves, of `{author}`, `{floor}` and `{link}`; empty where it leaves none.
    `marking` is the edit mark, of `{editor}` and `{at}`, first in the post or `marks_last`. `gap` stands behind a quote or a
    header. The board's own words are in Chinese characters that a Big5 board writes in the traditional way. `times` is how the
    board prints when a post was written, `noise` what it puts at line ends, in turn, where anti-copy noise is on.
    """

    codes: Codes = field(default_factory=Codes)
    link: str = X_LINK
    quoting: str = "[quote][size=2][url={link}][color=#999999]{author} 发表于 {at}[/color][/url][/size]\n{words}[/quote]"
    replying: str = ""
    marking: str = "[i=s] 本帖最后由 {editor} 于 {at} 编辑 [/i]"
    marks_last: bool = False
    gap: str = "\n\n"
    times: Times = Times.X3
    noise: tuple[str, str] = ('<font class="jammer">{}</font>\r\n', '\r\n<span style="display:none">{}</span>')

    def compose(self, shown: Shown, settings: Settings, base: str) -> str:
        """The BBCode of a post as the board stores it: the quote or header that a button made, the text, and the edit mark."""
        pieces = [shown.text]
        if shown.quote is not None and (head := self._answer(shown.quote, settings, base)):
            pieces = [head + self.gap + shown.text]
        if shown.mark is not None:
            pieces.insert(1 if self.marks_last else 0, self._mark(shown.mark, settings))
        return "\n\n".join(pieces)

    def _answer(self, quote: Quoted, settings: Settings, base: str) -> str:
        pattern = speak(self.replying if quote.reply else self.quoting, settings.charset)
        return pattern.format(
            author=quote.author,
            at=print_moment(quote.at, settings),
            link=self.link.format(base=base, pid=quote.pid, tid=quote.tid),
            base=base,
            words=quote.words,
            floor=quote.floor,
        )

    def _mark(self, mark: Mark, settings: Settings) -> str:
        return speak(self.marking, settings.charset).format(editor=mark.editor, at=print_moment(mark.at, settings))


X3 = Writing()
