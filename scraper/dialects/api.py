"""The mobile API's JSON (version 1 seen on X3.4 GBK, version 4 on X3.5): `Variables.postlist`, ids as strings, words as HTML.

Times are moments (`dbdateline`, sometimes missing), whatever zone the board prints in. Nothing says which page it is: that is
reckoned from the floors and `ppp`, and of how many from `replies`. Blocked posts have the box's words for a message, which no
BBCode can write. A post under a password makes the board mask others too (from its sources; not seen).

Version 1 keeps edit marks and labels quotes. Version 4 takes edit marks out, and sizes, italics, underlines and runs of spaces;
quotes are `div.reply_wrap`, links are escaped twice, and smilies have no number.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Mapping
from typing import Any

from scraper.beside import FILES
from scraper.decode import UTF8, decode_page
from scraper.dialects.surface import LACKS, Dialect, Fact, Gap
from scraper.markup import Markup
from scraper.post import Flaw
from scraper.slice import Remark, Sheet, Slice, seal
from scraper.steady import steady

_BOX = re.compile(r"\s*[^<>]{1,8}: <em>([^<]*)</em>\s*")
_HIDDEN = re.compile(r"\s*([此该該]帖[仅僅]作者可[见見]|[本此]帖[为為]密[码碼]帖\s*[,，]?)\s*")
_NUMBER = re.compile(r"-?\d{1,18}")
_ANONYMOUS = "匿名"


def recognise(body: bytes) -> bool:
    """JSON with a list of posts; this version of it by what its posts have, never by the version that it names."""
    return body[:64].lstrip()[:1] == b"{" and b'"postlist"' in body


def recognise_v4(body: bytes) -> bool:
    """Its posts have a position, and its quotes a class of their own."""
    return recognise(body) and (b'"position":' in body or b"reply_wrap" in body)


def cut(body: bytes, codec: str) -> Sheet:
    """The sheet of an answer; one without posts where the JSON is none, or of another kind."""
    variables = _read_variables(body, codec)
    posts = [post for post in _list(variables.get("postlist")) if isinstance(post, Mapping) and _number(post.get("pid"))]
    if not posts:
        return Sheet(1, 1, b"", b"", ())
    comments = variables.get("comments")
    said = comments if isinstance(comments, Mapping) else {}
    names = [str(name) for name in _list(variables.get("cache_custominfo_postno"))]
    slices = tuple([_slice(post, names, _list(said.get(str(post["pid"])))) for post in posts])
    thread = variables.get("thread")
    facts: Mapping[str, Any] = thread if isinstance(thread, Mapping) else {}
    tids = frozenset(tid for given in (facts, *posts) if (tid := _number(given.get("tid"))))
    number, pages = _count_pages([_number(post.get("number")) for post in posts], facts, _number(variables.get("ppp")))
    return Sheet(number, pages, _encode(str(facts.get("subject") or "")), b"", slices, tids=tids)


def _read_variables(body: bytes, codec: str) -> Mapping[str, Any]:
    # A broken byte, or a post in another encoding, goes through JSON as it is: its post is decoded by itself.
    text = body.decode("utf-8-sig", "surrogateescape") if codec == UTF8 else decode_page(body).text
    try:
        answer = json.loads(text)
    except ValueError:
        return {}
    variables = answer.get("Variables") if isinstance(answer, dict) else None
    return variables if isinstance(variables, dict) else {}


def _slice(post: Mapping[str, Any], names: list[str], comments: list[Any]) -> Slice:
    pid, uid, words = _number(post["pid"]), _number(post.get("authorid")), str(post.get("message") or "")
    author = str(post.get("author") or (_ANONYMOUS if _number(post.get("anonymous")) else ""))
    floor = _label(_number(post.get("number")), names)
    moment = _number(post.get("dbdateline")) or None
    printed = str(post.get("dateline") or "")
    box = _BOX.fullmatch(words) or _HIDDEN.fullmatch(words)
    region = None if box else _encode(words).strip()
    lock = _encode(html.unescape(box[1]).strip()) if box else b""
    remarks = tuple([_read_comment(comment) for comment in comments if isinstance(comment, Mapping)])
    files = _list_files(post) if region is not None else ""
    facts = [b"%d" % pid, _encode(author), b"%d" % uid, _encode(floor), b"%d" % (moment or 0), lock, _encode(files)]
    if region is not None:
        facts.append(steady(region))
    for remark in remarks:
        facts += (remark.author, remark.words)
    return Slice(
        pid,
        seal(*facts),
        _encode(author),
        uid or None,
        floor,
        _encode(printed),
        region,
        lock,
        comments=remarks,
        flaws=(Flaw(FILES, (("files", files),)),) if files else (),
        moment=moment,
    )


def _list_files(post: Mapping[str, Any]) -> str:
    """The names of the files that stand outside the words, as one text; "?" where the answer says of none but that there are."""
    given = post.get("attachments")
    files = given if isinstance(given, Mapping) else {}
    outside = [str(key) for name in ("attachlist", "imagelist") for key in _list(post.get(name))]
    named = [files[key] for key in outside if isinstance(files.get(key), Mapping)]
    names = [html.unescape(str(file.get("filename") or "")).strip() or "?" for file in named]
    if names:
        return "、".join(dict.fromkeys(names))
    return "?" if outside or (not files and _number(post.get("attachment"))) else ""


def _read_comment(comment: Mapping[str, Any]) -> Remark:
    uid = _number(comment.get("authorid")) or None
    author, words, time = (_encode(str(comment.get(name) or "")) for name in ("author", "comment", "dateline"))
    return Remark(author, uid, words, time)


def _label(number: int, names: list[str]) -> str:
    """The floor as the board's pages show it: by the names that it gives, else the number and its sign."""
    if number < 1:
        return ""
    sign = re.sub(r"<[^>]*>", "", names[0]) if names else "#"
    return names[number] if number < len(names) and names[number] else f"{number}{html.unescape(sign)}"


def _count_pages(numbers: list[int], thread: Mapping[str, Any], per_page: int) -> tuple[int, int]:
    """Which page it is and of how many; a thread may be shown newest first, and its first post then stands on page 1."""
    per_page = per_page if per_page > 0 else len(numbers)
    replies = _number(thread.get("replies"))
    total = max(replies + 1, *numbers, 1)
    falling = len(numbers) > 2 and numbers[-1] < numbers[-2]
    if not falling:
        number = max(1, -(-max(numbers) // per_page))
    else:
        number = 1 if numbers[0] < numbers[1] else (total - numbers[0] + 1) // per_page + 1
    return number, max(number, -(-total // per_page))


def _list(value: Any) -> list[Any]:
    """A list, which PHP may have written as an object."""
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []


def _number(value: Any) -> int:
    text = str(value if value is not None else "")
    return int(text) if _NUMBER.fullmatch(text) else 0


def _encode(text: str) -> bytes:
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        # Half a pair, which JSON can write and no text can hold.
        return text.encode("utf-8", "replace")


API4 = Dialect(
    name="api4",
    title="Discuz! X mobile API, version 4",
    example="https://bbs.example.net/api/mobile/index.php?version=4&module=viewthread&tid=2&page=1",
    recognise=recognise_v4,
    cut=cut,
    markup=Markup(quote="reply_wrap", smilies="/smiley/"),
    gaps={
        Fact.STYLE: Gap("no sizes, fonts, italics, underlines; runs of spaces are taken out"),
        Fact.EDITED: Gap("none", LACKS),
        Fact.REMARKS: Gap("comments only"),
        Fact.SIGNATURE: Gap("none"),
        Fact.PAGING: Gap("not told; reckoned from floors"),
        Fact.ZONE: Gap("not told, nor needed"),
    },
    codec=UTF8,
)

API1 = Dialect(
    name="api1",
    title="Discuz! X mobile API, version 1",
    example="https://bbs.example.net/api/mobile/index.php?version=1&module=viewthread&tid=2&page=1",
    recognise=recognise,
    cut=cut,
    markup=Markup(labelled=True, smilies="/smiley/"),
    gaps={
        Fact.REMARKS: Gap("none"),
        Fact.SIGNATURE: Gap("none"),
        Fact.PAGING: Gap("not told; reckoned from floors"),
        Fact.ZONE: Gap("not told, nor needed"),
    },
    codec=UTF8,
)
