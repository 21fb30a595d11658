"""Thread pages of the old boards, 7.2 and 6.x: structure as recorded, words and scripts the test board's own.

Both are put together of the same values, from the parts in `v7/` and `v6/`. 6.1 is 6.0 with `strong#postnumPID`, and with quotes
that leak when nested: from the facts, since no page of a 6.1 board was recorded. On 6.x a poll thread is another page
altogether, which loads its replies by script.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from tests.board.bbcode import OPENERS, PAIRS, Codes, render, spell
from tests.board.living import Living, Times, print_zone
from tests.board.parts import load_parts, render_pager
from tests.board.script import Remark, Script
from tests.board.view import Body, PageView, Shown
from tests.board.words import speak
from tests.board.writing import OLD_LINK, Writing
from tests.board.x3_post import Sheet, list_files, markup, render_message

_BACK = "{base}images/common/back.gif"


@dataclass(frozen=True, slots=True)
class Old:
    """One edition: what the page calls itself, its files of parts, how it writes, and the id of its floors.

    `special`: poll threads are pages of another kind.
    """

    version: str
    files: tuple[str, ...]
    writing: Writing
    number: str = "postnum"
    special: bool = False
    wire: str = ""
    kind: str = "text/html"

    def address(self, tid: int, number: int) -> str:
        """A page's address under the board's."""
        return f"viewthread.php?tid={tid}&page={number}"

    def render_thread(self, view: PageView, base: str, living: Living) -> str:
        """A thread page. `base` is the board's address with a slash at its end."""
        parts = self._parts(view.script.settings.charset)
        sheet = Sheet(view, parts, base, living, self.writing)
        values = {"tid": view.thread.tid, "title": sheet.say(view.thread.title), "formhash": living.formhash()}
        if self.special and view.thread.poll:
            content = parts["special"].format_map({**values, **_opening(sheet)})
        else:
            posts = parts.get("after_post", "").join(self._post(shown, place, sheet) for place, shown in enumerate(view.posts))
            pager = render_pager(parts, view.thread.tid, view.number, view.pages, view.total)
            content = parts["thread"].format_map({**values, "pager": pager, "posts": posts})
        return self._frame(view.script, view.moment, base, living, {**values, "content": content})

    def render_box(self, script: Script, moment: datetime, text: str, base: str, living: Living) -> str:
        """The box with which the board answers in place of a thread."""
        charset = script.settings.charset
        box = self._parts(charset)["box"].format(text=speak(text, charset))
        return self._frame(script, moment, base, living, {"tid": 0, "title": speak("提示信息", charset), "content": box})

    def _parts(self, charset: str) -> Mapping[str, str]:
        return load_parts(self.files, charset)

    def _frame(self, script: Script, moment: datetime, base: str, living: Living, more: Mapping[str, object]) -> str:
        charset = script.settings.charset
        return self._parts(charset)["page"].format_map(
            {
                "charset": charset,
                "version": self.version,
                "base": base,
                "formhash": living.formhash(),
                "now": living.now(),
                "zone": print_zone(script.offset(moment)),
                "processed": living.processed(),
                **more,
            }
        )

    def _post(self, shown: Shown, place: int, sheet: Sheet) -> str:
        parts, view, post, uid = sheet.parts, sheet.view, shown.post, shown.account.uid
        first = shown.floor == 1
        banned = shown.body is Body.BANNED
        closed = banned or shown.body is Body.BLOCKED
        values: dict[str, object] = {
            "pid": post.pid,
            "tid": post.tid,
            "uid": uid,
            "page": view.number,
            "place": place,
            "base": sheet.base,
            "number": self.number,
            "floor": shown.floor,
            "name": sheet.say(shown.account.name),
            "title": sheet.say(view.thread.title),
            "online": sheet.living.online(uid),
            "credits": sheet.living.credits(uid),
            "replies": uid % 90,
            "group": 4 if banned else 10,
            "rank": parts["rank_banned" if banned else "rank"],
            "star": "" if banned else parts["star"],
            "when": sheet.living.when(post.at, times=sheet.writing.times),
            "count": len(shown.ratings),
            "box": "specialmsg" if view.thread.poll else "t_msgfontfix",
        }
        values["face"] = parts["no_face"] if closed else parts["face"].format_map(values)
        hidden = "_anonymous" if post.anonymous else ""
        return parts["post"].format_map(
            {
                **values,
                "anchor": '<a name="lastpost"></a>' if 1 < shown.floor == view.total else "",
                "side": parts[f"side{hidden}"].format_map(values),
                "card": parts["card"].format_map(values) if "card" in parts and not hidden else "",
                "author": parts[f"author{hidden}"].format_map(values),
                "stamp": parts["stamp"] if first else "",
                "elevator": parts["elevator"] if place == 0 else "",
                "backwards": parts["backwards"].format_map(values) if first else "",
                "control": parts["control"].format_map(values) if first else "",
                "look": "firstpost" if first else "",
                "subject": parts["subject"].format_map(values) if first else "",
                "karma": parts["karma"].format_map(values) if shown.ratings and "karma" in parts else "",
                "body": _body(shown, sheet, values),
                "buttons": parts["buttons"] if first else "",
                "signature": _signature(shown, sheet),
                "top": "" if first else parts["top"],
                "between": parts["between"] if first and view.total > 1 else "",
            }
        )


_OLD_OPENERS = {name: opener for name, opener in OPENERS.items() if name != "backcolor"}
_OLD_OPENERS["align"] = (OPENERS["align"][0], r'<p align="\1">')
_OLD_PAIRS = {code: tag for code, tag in PAIRS.items() if code != "[/backcolor]"} | {"[/align]": "</p>"}
_SMILEY = '<img src="images/smilies/{name}.gif" smilieid="{number}" border="0" alt="" />'

V72 = Old(
    "7.2",
    ("v7/post", "v7/page"),
    Writing(
        codes=Codes(
            openers=tuple(_OLD_OPENERS.values()),
            pairs={**_OLD_PAIRS, "[hr]": '<hr class="solidline" />'},
            smiley=_SMILEY,
            relative=False,
        ),
        link=OLD_LINK,
        quoting=(
            "[quote]{words}\n[size=2][color=#999999]{author} 发表于 {at}[/color] [url={link}][img]"
            + _BACK
            + "[/img][/url][/size]"
            "[/quote]"
        ),
        replying="[b]回复 [url={link}]{floor}#[/url] [i]{author}[/i] [/b]",
        gap="\n\n\n    ",
        times=Times.V7,
        noise=('<font style="font-size:0px;color:#FFF">{}</font>\r\n', '\r\n<span style="display:none">{}</span>'),
    ),
)

_V6_OPENERS = {**_OLD_OPENERS, "list": (OPENERS["list"][0], r'<ul type="\1">')}
_V6_CODES = Codes(
    openers=tuple(_V6_OPENERS.values()),
    pairs={code: tag for code, tag in _OLD_PAIRS.items() if code not in ("[hr]", "[s]", "[/s]", "[i=s]")},
    smiley=_SMILEY,
    ids={":hug:": 13},
    relative=False,
    rounds=2,
)
_V6 = Writing(
    codes=_V6_CODES,
    link=OLD_LINK,
    quoting="[quote]原帖由 [i]{author}[/i] 于 {at} 发表 [url={link}][img]" + _BACK + "[/img][/url]\n{words} [/quote]",
    marking="[[i] 本帖最后由 {editor} 于 {at} 编辑 [/i]]",
    marks_last=True,
    gap="\n",
    times=Times.V6,
    noise=('<font style="font-size:0px;color:#FFF">{}</font>\r\n', '\r\n<span style="display:none">{}</span>'),
)
V60 = Old("6.0.0", ("v6/post", "v6/page"), _V6, number="postnum_", special=True)
V61 = Old("6.1.0", ("v6/post", "v6/page"), replace(_V6, codes=replace(_V6_CODES, rounds=1)), special=True)


def _opening(sheet: Sheet) -> Mapping[str, object]:
    """The first post of a 6.x poll thread, which has no pid anywhere."""
    first = sheet.view.posts[0]
    return {
        "message": render_message(first, sheet),
        "name": sheet.say(first.account.name),
        "when": sheet.living.when(first.post.at, times=sheet.writing.times),
        "choices": _choices(sheet),
    }


def _body(shown: Shown, sheet: Sheet, values: Mapping[str, object]) -> str:
    parts = sheet.parts
    if shown.body is not Body.OPEN:
        return parts[shown.body.value]
    leads = bool(sheet.view.thread.poll) and shown.floor == 1
    files = list_files(shown, sheet)
    poll = parts["poll"].format_map({**values, "choices": _choices(sheet), "formhash": sheet.living.formhash()}) if leads else ""
    return parts["open"].format_map(
        {
            **values,
            "message": render_message(shown, sheet),
            "poll": poll,
            "files": parts["files"].format(files=files) if files else "",
            "ratings": _ratings(shown, sheet, values),
        }
    )


def _choices(sheet: Sheet) -> str:
    return "".join(
        sheet.parts["choice"].format(number=number, text=sheet.say(text)) for number, text in enumerate(sheet.view.thread.poll, 1)
    )


def _ratings(shown: Shown, sheet: Sheet, values: Mapping[str, object]) -> str:
    if not shown.ratings:
        return sheet.parts["no_ratings"].format_map(values)
    rows = "".join(_rating(each, sheet, values) for each in shown.ratings)
    return sheet.parts["ratings"].format_map({**values, "rows": rows})


def _rating(rating: Remark, sheet: Sheet, values: Mapping[str, object]) -> str:
    account = sheet.view.script.accounts[rating.author]
    when = sheet.living.when(rating.at, times=sheet.writing.times)
    more = {"uid": account.uid, "name": sheet.say(account.name), "text": sheet.say(rating.text), "when": when}
    return sheet.parts["rating"].format_map({**values, **more})


def _signature(shown: Shown, sheet: Sheet) -> str:
    text = shown.signature
    if not text or shown.post.anonymous or shown.body is not Body.OPEN:
        return ""
    style = markup(sheet.parts, sheet.writing.codes)
    return sheet.parts["signature"].format(
        text=render(spell(text, sheet.settings.charset), style, sheet.base, sheet.living.letters)
    )
