"""Thread pages of Discuz! X3.4 and X3.5 desktop views: structure as recorded, words and scripts the test board's own.

X2 is rendered by the same functions, from parts of its own (`x2.py`).

The HTML lies in `x3/`: `post.html` and `page.html` for both editions, `x34.html` and `x35.html` for what differs. Template
lines end in CRLF and a message's in LF, as on the recorded boards. Scripts and handlers stand for the real ones in weight only:
a page without them would be too light to measure with.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from tests.board.living import Living, print_zone
from tests.board.parts import load_parts, render_pager
from tests.board.script import Script
from tests.board.view import PageView
from tests.board.words import speak
from tests.board.writing import Writing
from tests.board.x3_post import Sheet, render_post


@dataclass(frozen=True, slots=True)
class X3:
    """One edition of X: what the page calls itself, its files of parts, how it writes, and the line ends of its templates."""

    version: str
    files: tuple[str, ...]
    writing: Writing = field(default_factory=Writing)
    ends: str = "\r\n"
    wire: str = ""
    kind: str = "text/html"

    def address(self, tid: int, number: int) -> str:
        """A page's address under the board's."""
        return f"forum.php?mod=viewthread&tid={tid}&page={number}"

    def render_thread(self, view: PageView, base: str, living: Living) -> str:
        """A thread page. `base` is the board's address with a slash at its end."""
        parts = self.parts(view.script.settings.charset)
        sheet = Sheet(view, parts, base, living, self.writing, self.ends)
        tid, title, last = view.thread.tid, sheet.say(view.thread.title), view.number == view.pages
        content = parts["thread"].format_map(
            {
                **parts,
                "tid": tid,
                "title": title,
                "pager": render_pager(parts, tid, view.number, view.pages, view.total),
                "page": view.number,
                "new_top": parts["new_thread"].format(tmp=""),
                "new_bottom": parts["new_thread"].format(tmp="tmp"),
                "corner": _corner(sheet),
                "posts": "".join(render_post(shown, sheet) + parts["after_post"] for shown in view.posts),
                "formhash": living.formhash(),
                "next_page": "" if last else parts["next_page"].format(tid=tid, number=view.number + 1),
            }
        )
        more = {
            "tid": tid,
            "title": title,
            "page_label": speak(f" - 第{view.number}页", view.script.settings.charset) if view.number > 1 else "",
            "content": content,
            "scroll": parts["scroll"].format(tid=tid, page=view.number),
        }
        return self._frame(view.script, view.moment, base, living, more)

    def render_box(self, script: Script, moment: datetime, text: str, base: str, living: Living) -> str:
        """The box with which the board answers in place of a thread."""
        charset = script.settings.charset
        box = self.parts(charset)["box"].format(kind="alert_error", text=speak(text, charset))
        more = {"tid": 0, "title": speak("提示信息", charset), "page_label": "", "content": box, "scroll": "", "scroll_back": ""}
        return self._frame(script, moment, base, living, more)

    def parts(self, charset: str) -> Mapping[str, str]:
        """The edition's parts by name."""
        return load_parts(self.files, charset, self.ends)

    def _frame(self, script: Script, moment: datetime, base: str, living: Living, more: Mapping[str, object]) -> str:
        parts = self.parts(script.settings.charset)
        return parts["page"].format_map(
            {
                **parts,
                "doctype": parts["doctype"].format(charset=script.settings.charset),
                "version": self.version,
                "base": base,
                "formhash": living.formhash(),
                "now": living.now(),
                "zone": print_zone(script.offset(moment)),
                "processed": living.processed(),
                **more,
            }
        )


X34 = X3("X3.4", ("x3/post", "x3/page", "x3/x34"))
X35 = X3("X3.5", ("x3/post", "x3/page", "x3/x35"))


def _corner(sheet: Sheet) -> str:
    view, starter = sheet.view, sheet.view.starter
    if view.number == 1:
        return sheet.parts["corner_first"].format(hits=sheet.living.hits(), replies=view.total - 1)
    small, name = sheet.parts["small_face"], sheet.say(starter.name)
    return sheet.parts["corner_later"].format(uid=starter.uid, name=name, base=sheet.base, small_face=small)
