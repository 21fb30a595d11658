"""The mobile API's answers as JSON: version 1 as X3.4 gave it, version 4 as X3.5 did; keys as recorded, words the board's own.

They are in UTF-8 whatever the board's charset is. Version 1 shows five posts a page, and no comments. Version 4 takes edit marks,
sizes, fonts, italics, underlines and runs of spaces out of messages. What stands in place of a blocked or hidden post, anonymous
authors, files and code are from the facts: no such post was recorded.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

from tests.board.bbcode import OPENERS, PAIRS, Codes, Opener
from tests.board.living import Living, Times, print_moment
from tests.board.parts import load_parts
from tests.board.script import Script, ScriptedPost
from tests.board.view import Body, PageView, Shown
from tests.board.words import ANONYMOUS, speak
from tests.board.writing import Writing
from tests.board.x3_post import FLOORS, PICTURES, Sheet, render_message

_RUNS = re.compile("(?:&nbsp;){2,}")
_DROPPED = ("[/size]", "[/font]", "[/align]")
_TAKEN_OUT = re.compile(r'<i class="pstatus">.*?</i>(?:<br />\n)*|</?[iu]>')
_STATUS = {Body.BLOCKED: 1}
_GROUPS = {Body.BANNED: 4}


def _bare(name: str) -> Opener:
    return OPENERS[name][0], ""


_CODES1 = Codes(
    openers=tuple(_bare(name) if name in ("size", "points") else opener for name, opener in OPENERS.items()),
    pairs={**PAIRS, "[/size]": ""},
)
_CODES4 = Codes(
    openers=tuple(opener if name in ("color", "backcolor", "list") else _bare(name) for name, opener in OPENERS.items()),
    pairs={**PAIRS, **dict.fromkeys(_DROPPED, "")},
    smiley='<img src="{base}static/image/smiley/{name}.gif" />',
    link='<a href="{address}">{words}</a>',
    doubled=True,
)


@dataclass(frozen=True, slots=True)
class Api:
    """One version: its files of parts, how it writes, which keys of the answer, its thread and its posts it has not."""

    version: int
    files: tuple[str, ...]
    writing: Writing
    without: tuple[str, ...] = ()
    plain: bool = False
    wire: str = "utf-8"
    kind: str = "application/json"

    def address(self, tid: int, number: int) -> str:
        """A page's address under the board's."""
        return f"api/mobile/index.php?version={self.version}&module=viewthread&tid={tid}&page={number}"

    def render_thread(self, view: PageView, base: str, living: Living) -> str:
        """The answer that holds a page of a thread. `base` is the board's address with a slash at its end."""
        charset = view.script.settings.charset
        sheet = Sheet(view, load_parts(self.files, charset), base, living, self.writing)
        answer = self._begin(base, living)
        answer["thread"] |= _thread(sheet)
        posts = [self._post(shown, sheet) for shown in view.posts]
        said = {str(shown.post.pid): _comments(shown, sheet) for shown in view.posts if shown.comments or shown.ratings}
        answer |= {
            "postlist": posts,
            "ppp": str(view.script.settings.per_page),
            # An empty array of PHP is a list.
            "comments": said or [],
            "commentcount": {pid: str(len(rows)) if rows else None for pid, rows in said.items()} or [],
            "cache_custominfo_postno": ["<sup>#</sup>", *(speak(name, charset) for name in FLOORS)],
        }
        return self._write({key: value for key, value in answer.items() if key not in self.without}, charset)

    def render_box(self, script: Script, moment: datetime, text: str, base: str, living: Living) -> str:
        """The answer in place of a thread."""
        charset = script.settings.charset
        common = dict(list(self._begin(base, living).items())[:11])
        return self._write(common, charset, {"messageval": "thread_nonexistence", "messagestr": speak(text, charset)})

    def _begin(self, base: str, living: Living) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads((Path(__file__).parent / "api" / "answer.json").read_text(encoding="utf-8"))
        if self.plain:
            for key in ("ordertype", "recommend"):
                del answer["thread"][key]
        avatar = f"{base}uc_server/avatar.php?uid=0&size=small&ts=1"
        return answer | {"saltkey": living.letters(8), "formhash": living.formhash(), "member_avatar": avatar}

    def _write(self, variables: Mapping[str, Any], charset: str, message: Mapping[str, str] | None = None) -> str:
        answer: dict[str, Any] = {"Version": str(self.version), "Charset": charset.upper(), "Variables": variables}
        if message:
            answer["Message"] = message
        return json.dumps(answer, separators=(",", ":")).replace("/", "\\/")

    def _post(self, shown: Shown, sheet: Sheet) -> dict[str, Any]:
        post, script = shown.post, sheet.view.script
        name = speak(ANONYMOUS, sheet.settings.charset) if post.anonymous else sheet.say(shown.account.name)
        told: dict[str, Any] = {
            "pid": str(post.pid),
            "tid": str(post.tid),
            "first": str(int(shown.floor == 1)),
            "author": name,
            "authorid": "0" if post.anonymous else str(shown.account.uid),
            "dateline": sheet.living.when(post.at, seconds=True, times=Times.TOUCH),
            "message": self._message(shown, sheet),
            "anonymous": str(int(post.anonymous)),
            "attachment": "0",
            "status": str(_STATUS.get(shown.body, 0)),
            "replycredit": "0",
            "position": str(_position(shown, sheet)),
            "username": name,
            "adminid": "0",
            "groupid": str(_GROUPS.get(shown.body, 10)),
            "memberstatus": "0",
            "number": str(shown.floor),
            "dbdateline": str(int(script.universal(post.at).timestamp())),
            "groupiconid": "1",
            **_files(shown),
        }
        return {key: value for key, value in told.items() if not self.plain or key not in _NEW}

    def _message(self, shown: Shown, sheet: Sheet) -> str:
        if shown.body is not Body.OPEN:
            return sheet.parts[shown.body.value]
        if self.plain:
            return render_message(shown, sheet)
        return _RUNS.sub("", _TAKEN_OUT.sub("", render_message(shown, sheet)))


_NEW = ("replycredit", "position", "groupiconid")
API1 = Api(
    1, ("api/v1",), Writing(codes=_CODES1, times=Times.TOUCH), ("allowpostcomment", "comments", "commentcount"), plain=True
)
API4 = Api(4, ("api/v1", "api/v4"), Writing(codes=_CODES4, times=Times.TOUCH), ("imagelist",))


def _thread(sheet: Sheet) -> dict[str, str]:
    view, script = sheet.view, sheet.view.script
    posts = [post for post in script.posts.values() if post.tid == view.thread.tid and post.at <= view.moment]
    first, last = min(posts, key=_order), max(posts, key=_order)
    title = sheet.say(view.thread.title)
    encoded = quote(view.thread.title.encode(sheet.settings.charset, "xmlcharrefreplace"), safe="")
    return {
        "tid": str(view.thread.tid),
        "author": sheet.say(view.starter.name),
        "authorid": str(view.starter.uid),
        "subject": title,
        "dateline": str(int(script.universal(first.at).timestamp())),
        "lastpost": print_moment(last.at, sheet.settings),
        "lastposter": sheet.say(last.author),
        "views": sheet.living.hits(),
        "replies": str(view.total - 1),
        "maxposition": str(len(posts)),
        "allreplies": str(view.total - 1),
        "subjectenc": encoded,
        "short_subject": title,
    }


def _order(post: ScriptedPost) -> tuple[datetime, int]:
    return post.at, post.pid


def _position(shown: Shown, sheet: Sheet) -> int:
    """The place of a post among all that were ever written: a deletion does not change it."""
    posts = sheet.view.script.posts.values()
    return sum(each.tid == shown.post.tid and _order(each) <= _order(shown.post) for each in posts)


def _files(shown: Shown) -> dict[str, Any]:
    """The files outside the words, by what the board's sources say; a post without any has no such keys."""
    if not shown.post.files or shown.body is not Body.OPEN:
        return {}
    named = {str(700 + place): name for place, name in enumerate(shown.post.files)}
    pictures = [key for key, name in named.items() if name.lower().endswith(PICTURES)]
    return {
        "attachment": "2" if pictures else "1",
        "attachments": {key: {"aid": key, "filename": name, "isimage": str(int(key in pictures))} for key, name in named.items()},
        "attachlist": [key for key in named if key not in pictures],
        "imagelist": pictures,
    }


def _comments(shown: Shown, sheet: Sheet) -> list[dict[str, str]]:
    rows = []
    for number, remark in enumerate(shown.comments, 1):
        account = sheet.view.script.accounts[remark.author]
        rows.append(
            {
                "id": str(number),
                "tid": str(shown.post.tid),
                "pid": str(shown.post.pid),
                "author": sheet.say(account.name),
                "authorid": str(account.uid),
                "dateline": sheet.living.when(remark.at, times=Times.TOUCH),
                "comment": sheet.say(remark.text),
                "avatar": f"{sheet.base}uc_server/avatar.php?uid={account.uid}&size=small",
            }
        )
    return rows
