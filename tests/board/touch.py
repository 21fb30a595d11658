"""Thread pages of the touch view of X3.4 and X3.5: structure as recorded, words the test board's own.

It is sent in UTF-8 whatever the board's charset is. X3.4 shows five posts a page, no comments and no ratings, and writes
「引用: 」 into each quote. What stands in place of a blocked post, and files, are from the facts: no such post was recorded.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from tests.board.living import Living, Times
from tests.board.parts import load_parts, render_pager
from tests.board.script import Remark, Script
from tests.board.view import Body, PageView, Shown
from tests.board.words import speak
from tests.board.writing import Writing
from tests.board.x3_post import Sheet, list_files, name_floor, render_message

WINDOW = 4
"""How many page numbers the pager lists."""

_WRITING = Writing(times=Times.TOUCH)


@dataclass(frozen=True, slots=True)
class Touch:
    """One edition by its file of parts."""

    files: tuple[str, ...]
    wire: str = "utf-8"
    kind: str = "text/html"

    def address(self, tid: int, number: int) -> str:
        """A page's address under the board's."""
        return f"forum.php?mod=viewthread&tid={tid}&page={number}&mobile=2"

    def render_thread(self, view: PageView, base: str, living: Living) -> str:
        """A thread page. `base` is the board's address with a slash at its end."""
        parts = self._parts(view.script.settings.charset)
        sheet = Sheet(view, parts, base, living, _WRITING, "\r\n")
        content = parts["thread"].format_map(
            {
                "tid": view.thread.tid,
                "title": sheet.say(view.thread.title),
                "number": view.number,
                "starter": view.starter.uid,
                "base": base,
                "formhash": living.formhash(),
                "code": living.letters(5),
                "posts": "".join(_post(shown, sheet) for shown in view.posts),
                "pager": render_pager(parts, view.thread.tid, view.number, view.pages, view.total, WINDOW),
            }
        )
        return self._frame(view.script, base, living, view.thread.tid, sheet.say(view.thread.title), content)

    def render_box(self, script: Script, moment: datetime, text: str, base: str, living: Living) -> str:
        """The box with which the board answers in place of a thread."""
        charset = script.settings.charset
        box = self._parts(charset)["box"].format(text=speak(text, charset))
        return self._frame(script, base, living, 0, speak("提示信息", charset), box)

    def _parts(self, charset: str) -> Mapping[str, str]:
        return load_parts(self.files, charset, "\r\n")

    def _frame(self, script: Script, base: str, living: Living, tid: int, title: str, content: str) -> str:
        values = {"base": base, "formhash": living.formhash(), "tid": tid, "title": title, "content": content}
        return self._parts(script.settings.charset)["page"].format_map(values)


TOUCH35 = Touch(("touch/x35",))
TOUCH34 = Touch(("touch/x34",))


def _post(shown: Shown, sheet: Sheet) -> str:
    parts, view, post = sheet.parts, sheet.view, shown.post
    first = shown.floor == 1
    values: dict[str, object] = {
        "pid": post.pid,
        "tid": post.tid,
        "uid": 0 if post.anonymous else shown.account.uid,
        "name": sheet.say(shown.account.name),
        "base": sheet.base,
        "hits": sheet.living.hits(),
        "replies": view.total - 1,
        "count": len(shown.ratings),
    }
    files = list_files(shown, sheet) if shown.body is Body.OPEN else ""
    rendered = parts["post"].format_map(
        {
            **values,
            "look": parts["look_first"] if first else "",
            "floor": name_floor(shown.floor, sheet.settings.charset, f"{shown.floor}{parts['hash']}"),
            "author": parts["author_anonymous" if post.anonymous else "author"].format_map(values),
            "counts": parts["counts"].format_map(values) if first else "",
            "when": sheet.living.when(post.at, seconds=True, times=Times.TOUCH),
            "body": _body(shown, sheet, values),
            "files": parts["files"].format(files=files) if files else "",
            "comments": _remarks("comment", shown.comments, sheet, values),
            "ratings": _remarks("rating", shown.ratings, sheet, values),
        }
    )
    return rendered + (parts["after_first"].format_map({**values, "uid": view.starter.uid}) if first else "")


def _body(shown: Shown, sheet: Sheet, values: Mapping[str, object]) -> str:
    if shown.body is not Body.OPEN:
        return sheet.parts[shown.body.value]
    message = render_message(shown, sheet)
    choices = sheet.view.thread.poll
    if not choices or shown.floor > 1:
        return message
    rows = "".join(sheet.parts["choice"].format(number=number, text=sheet.say(text)) for number, text in enumerate(choices, 1))
    return message + sheet.parts["poll"].format_map({**values, "choices": rows})


def _remarks(kind: str, remarks: tuple[Remark, ...], sheet: Sheet, values: Mapping[str, object]) -> str:
    """The comments or the ratings of a post, where the edition shows such."""
    parts = sheet.parts
    if kind not in parts:
        return ""
    if not remarks:
        return parts[f"no_{kind}s"].format_map(values)
    rows = []
    for number, remark in enumerate(remarks, 1):
        account = sheet.view.script.accounts[remark.author]
        when = sheet.living.when(remark.at, times=Times.TOUCH)
        more = {"uid": account.uid, "name": sheet.say(account.name), "text": sheet.say(remark.text), "when": when}
        rows.append(parts[kind].format_map({**values, **more, "number": number}))
    return parts[f"{kind}s"].format_map({**values, "rows": "".join(rows)})
