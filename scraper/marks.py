"""What an old board writes into the words themselves: the header of its reply button, and the edit mark behind the words.

Both are stored by the board as part of the post, as BBCode that anybody could type: told by their shape and place, and by the
link that the header holds.
"""

from __future__ import annotations

import re
from datetime import datetime
from zoneinfo import ZoneInfo

from scraper.clock import read_time
from scraper.post import EditMark, Line, Message, Quote, Text
from scraper.quoting import read_link

EDIT = re.compile(r"\s*本帖最[后後]由\s*(?P<editor>.+?)\s*[于於]\s*(?P<time>.+?)\s*[编編][辑輯]\s*", re.DOTALL)
_BEHIND = re.compile(rf"\s*\[{EDIT.pattern}\]\s*", re.DOTALL)
_REPLY = re.compile(r"\s*回[复復覆]\s*(?P<floor>\S.*?)\s*", re.DOTALL)


def read_reply(line: Line) -> Quote | None:
    """The post that a line answers, where it is the header of 7.2's reply button: 回复 4# 饺子, bold, the floor a link.

    The name is the part set in italics. None for any other line.
    """
    link = None
    name: list[str] = []
    before: list[str] = []
    for token in line:
        if not isinstance(token, Text) or not (token.style.bold or not token.text.strip()):
            return None
        if token.style.link and link is None:
            link = read_link(token.style.link, 0)
        if token.style.italic:
            name.append(token.text)
        elif name and token.text.strip():
            return None
        else:
            before.append(token.text)
    if link is None or not name or not _REPLY.fullmatch("".join(before)):
        return None
    return Quote(link.pid, link.tid, "".join(name).strip(), "", "", reply=True)


def read_edit_behind(line: Line, *, seen_at: datetime, zone: ZoneInfo) -> EditMark | None:
    """The edit mark that a line is, in 6.x's form: `[ 本帖最后由 饺子 于 2018-6-3 10:30 编辑 ]`, italic between the brackets."""
    marked = [
        isinstance(token, Text) and token.style.italic for token in line if not isinstance(token, Text) or token.text.strip()
    ]
    if marked != [False, True, False]:
        return None
    found = _BEHIND.fullmatch(Message((line,)).text)
    moment = read_time(found["time"], seen_at=seen_at, zone=zone) if found else None
    return EditMark(found["editor"], moment.at) if found and moment else None
