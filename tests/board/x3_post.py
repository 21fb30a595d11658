"""One post container of X3.4 and X3.5: who wrote it, when, under which floor, his words, and what others put under them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tests.board.bbcode import Codes, Letters, Markup, escape, render, spell
from tests.board.living import Living
from tests.board.script import Remark, Settings
from tests.board.view import Body, PageView, Shown
from tests.board.words import speak
from tests.board.writing import Writing

FLOORS = ("楼主", "沙发", "板凳", "地板")

PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".webp")


@dataclass(frozen=True, slots=True)
class Sheet:
    """What every post of a page is rendered with: the page, the edition's parts, the board's address, the living parts, how the
    dialect writes, and the line ends of its templates."""

    view: PageView
    parts: Mapping[str, str]
    base: str
    living: Living
    writing: Writing
    ends: str = "\n"

    @property
    def settings(self) -> Settings:
        """The board's."""
        return self.view.script.settings

    def say(self, text: str) -> str:
        """Plain words as the board writes them."""
        return escape(spell(text, self.settings.charset))


def render_post(shown: Shown, sheet: Sheet) -> str:
    """One `div#post_PID`."""
    post, parts, first = shown.post, sheet.parts, shown.floor == 1
    values: dict[str, object] = {
        "pid": post.pid,
        "tid": post.tid,
        "uid": shown.account.uid,
        "page": sheet.view.number,
        "base": sheet.base,
    }
    where = f"viewthread&tid={post.tid}" if first else f"redirect&goto=findpost&ptid={post.tid}&pid={post.pid}"
    return parts["post"].format_map(
        {
            **values,
            "anchor": '<a name="lastpost"></a>' if 1 < shown.floor == sheet.view.total else " ",
            "side": _side(shown, sheet, values),
            "elevator": parts["elevator"] if first else "",
            "address": f"forum.php?mod={where}",
            "floor": name_floor(shown.floor, sheet.settings.charset, f"<em>{shown.floor}</em><sup>#</sup>"),
            "author": _author(shown, sheet, values),
            "body": _body(shown, sheet, values),
            "buttons": parts["buttons"].format(tid=post.tid, formhash=sheet.living.formhash()) if first else "",
            "signature": _signature(shown, sheet),
            "reply": _reply(shown, sheet, values),
            "tools": parts["tools"].format_map(values),
        }
    )


def name_floor(number: int, charset: str, numbered: str) -> str:
    """A floor by its name, or `numbered` where it has none."""
    return speak(FLOORS[number - 1], charset) if number <= len(FLOORS) else numbered


def render_message(shown: Shown, sheet: Sheet) -> str:
    """The inside of a message cell: edit mark, quote and text through BBCode, with noise at the line ends where that is on."""
    if shown.post.html:
        return shown.post.html
    text = spell(sheet.writing.compose(shown, sheet.settings, sheet.base), sheet.settings.charset)
    message = render(text, markup(sheet.parts, sheet.writing.codes), sheet.base, sheet.living.letters, shown.opens_hidden)
    return "".join(_with_noise(message, sheet)) if sheet.settings.noise else message


def _with_noise(message: str, sheet: Sheet) -> Iterator[str]:
    """Line ends with anti-copy letters in turn, as the dialect puts them there."""
    first, *rest = message.split("\n")
    yield first
    for number, line in enumerate(rest):
        yield sheet.writing.noise[number % 2].format(sheet.living.noise())
        yield line


def _side(shown: Shown, sheet: Sheet, values: Mapping[str, object]) -> str:
    parts, living, uid = sheet.parts, sheet.living, shown.account.uid
    if shown.post.anonymous:
        return parts["side_anonymous"].format_map(values)
    banned = shown.body is Body.BANNED
    closed = banned or shown.body is Body.BLOCKED
    more = {**values, "credits": living.credits(uid), "rank": parts["rank_banned" if banned else "rank"]}
    if not banned:
        more |= {"star": parts["star"], "progress": living.progress(uid)}
    return parts["side"].format_map(
        {
            **more,
            "name": sheet.say(shown.account.name),
            "online": living.online(uid),
            "face": parts["no_face"] if closed else parts["face"].format_map(values),
            "topics": uid % 7,
            "replies": uid % 90,
            "group": 4 if banned else 10,
            "level": parts["level_banned" if banned else "level"].format_map(more),
        }
    )


def _author(shown: Shown, sheet: Sheet, values: Mapping[str, object]) -> str:
    parts = sheet.parts
    when = sheet.living.when(shown.post.at, seconds=True, times=sheet.writing.times)
    if shown.post.anonymous:
        return parts["author_anonymous"].format_map({**values, "when": when})
    by_starter = shown.account == sheet.view.starter and shown.floor > 1
    return parts["author"].format_map(
        {
            **values,
            "when": when,
            "icon": parts["icon_starter" if by_starter else "icon"].format_map(values),
            "first": parts["author_first"].format_map({**values, "prize": parts["prize"]}) if shown.floor == 1 else "",
        }
    )


def _body(shown: Shown, sheet: Sheet, values: Mapping[str, object]) -> str:
    parts = sheet.parts
    if shown.body is not Body.OPEN:
        return parts[shown.body.value]
    choices = sheet.view.thread.poll
    leads = bool(choices) and shown.floor == 1
    message = render_message(shown, sheet)
    files = list_files(shown, sheet)
    title = f"<h2>{sheet.say(shown.post.title)}</h2>{sheet.ends}" if shown.post.title else ""
    comments = "".join(_remark("comment", each, sheet, values) for each in shown.comments)
    return parts["open"].format_map(
        {
            **values,
            "opening": title + parts["opening_poll" if choices else "opening"],
            # The first post of a poll has no line end before its words.
            "message": message if leads else f"{sheet.ends}{message}",
            "poll": _poll(choices, sheet, values) if leads else "",
            "files": parts["files"].format(files=files) if files else "",
            "comments": parts["comments"] + comments if comments else "",
            "ratings": _ratings(shown, sheet, values),
        }
    )


def _remark(part: str, remark: Remark, sheet: Sheet, values: Mapping[str, object]) -> str:
    account = sheet.view.script.accounts[remark.author]
    return sheet.parts[part].format_map(
        {
            **values,
            "uid": account.uid,
            "name": sheet.say(account.name),
            "text": sheet.say(remark.text),
            "when": sheet.living.when(remark.at, times=sheet.writing.times),
        }
    )


def _ratings(shown: Shown, sheet: Sheet, values: Mapping[str, object]) -> str:
    if not shown.ratings:
        return sheet.parts["no_ratings"].format_map(values)
    rows = "".join(_remark("rating", each, sheet, values) for each in shown.ratings)
    return sheet.parts["ratings"].format_map({**values, "rows": rows, "count": len(shown.ratings)})


def _poll(choices: tuple[str, ...], sheet: Sheet, values: Mapping[str, object]) -> str:
    rows = "".join(sheet.parts["choice"].format(number=number, text=sheet.say(text)) for number, text in enumerate(choices, 1))
    return sheet.parts["poll"].format_map({**values, "choices": rows, "formhash": sheet.living.formhash()})


def _reply(shown: Shown, sheet: Sheet, values: Mapping[str, object]) -> str:
    """The button under a post: under the first it only replies, under the others it quotes; hidden replies have none."""
    if sheet.view.thread.hidden_replies and shown.floor > 1:
        return ""
    return sheet.parts["reply"].format_map({**values, "kind": "reppost" if shown.floor == 1 else "repquote"})


def _signature(shown: Shown, sheet: Sheet) -> str:
    text = shown.signature
    if not text or shown.post.anonymous or shown.body is not Body.OPEN:
        return ""
    words = render(
        spell(text, sheet.settings.charset), markup(sheet.parts, sheet.writing.codes), sheet.base, sheet.living.letters
    )
    return sheet.parts["signature"].format(text=words)


def list_files(shown: Shown, sheet: Sheet) -> str:
    """The files that are attached outside the text."""
    return "".join(_file(sheet.parts, name, sheet.living.letters) for name in shown.post.files)


def _file(parts: Mapping[str, str], name: str, letters: Letters) -> str:
    part = "picture" if name.lower().endswith(PICTURES) else "file"
    return parts[part].format(name=name, letters=letters(5))


def markup(parts: Mapping[str, str], codes: Codes | None = None) -> Markup:
    """What an edition puts around things, by its parts."""

    def code(lines: list[str], letters: Letters) -> str:
        if "code_line" in parts:
            return parts["code"].format(letters=letters(3), lines=parts["code_line"].join(lines))
        return parts["code"].format(letters=letters(3), lines="".join(f"<li>{line}" for line in lines))

    def image(address: str, size: str, letters: Letters) -> str:
        return parts["image"].format(letters=letters(5), address=address, size=size)

    def file(name: str, letters: Letters) -> str:
        return _file(parts, name, letters)

    return Markup(parts["quote"], parts["showhide"], parts["hide"], code, image, file, codes or Codes())
