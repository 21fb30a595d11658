"""The rare and messy pages, read with BeautifulSoup: message boxes, login and reply forms. It is imported only when one comes.

Facts: X `form#loginform_HASH` and `div#messagetext`; 7.2 `form#loginform` and `div.postbox > div.alert_*`; 6.x `form[name=login]`
and `div.box.message`; touch `div.jump_c` (from X's template, without a recording).
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlencode, urljoin, urlsplit

from scraper.decode import decode_fragment, find_codec

if TYPE_CHECKING:
    from bs4 import BeautifulSoup, Tag

_XML_ENCODING = re.compile(rb"""\s*<\?xml[^>]*encoding=["']([\w-]+)""", re.I)
_TITLE = re.compile(rb"<title[^>]*>(.*?)</title>", re.I | re.S)
_CAPTCHA_FIELDS = ("seccodeverify", "secanswer")
_CAPTCHA_IMAGE = re.compile(r"mod=seccode|seccode\.php", re.I)
# X puts the picture or the question into a form by script: what is there from the beginning is a place, a token, a call.
_CAPTCHA_PLACE = re.compile(r"sec(?:code|qaa)_", re.I)
_CAPTCHA_TOKENS = ("seccodehash", "secqaahash")
_CAPTCHA_CALL = re.compile(r"\bupdatesec(?:code|qaa)\s*\(")
# How long a post may be, in bytes, as the editor's script has it (X, 7.2, 6.x; from their templates, without a recording).
_SCRIPT = re.compile(rb"<script\b[^>]*>(.*?)</script", re.I | re.S)
_LONGEST = re.compile(rb"\bpostmaxchars\s*=\s*(?:parseInt\(\s*)?'?(\d{1,9})\b")
_UNLIMITED = re.compile(rb"\bdisablepostctrl\s*=\s*(?:parseInt\(\s*)?'?[1-9]")


@dataclass(frozen=True, slots=True)
class Form:
    """A form as the board sent it: where it goes (absolute), its fields with values, its charset, whether it wants a captcha,
    and how many bytes its text may have (None: the page does not say)."""

    action: str
    fields: tuple[tuple[str, str], ...]
    charset: str
    captcha: bool = False
    longest: int | None = None

    def measure(self, text: str) -> int:
        """How many bytes a text has on its way to the board."""
        return len(text.encode(narrow_codec(self.charset), "xmlcharrefreplace"))

    def filled(self, **values: str) -> tuple[tuple[str, str], ...]:
        """The fields with some of them set, in the form's order; those that it does not have come last."""
        kept = [(name, values.get(name, value)) for name, value in self.fields]
        known = {name for name, _ in self.fields}
        return (*kept, *((name, value) for name, value in values.items() if name not in known))


def find_login_form(body: bytes, content_type: str, url: str) -> Form | None:
    """The login form of a page (X, 7.2, 6.x), or None. The quick form in X's page head is not taken: it answers by script."""
    soup = _parse(body, content_type)
    for form in soup.find_all("form"):
        name, action = str(form.get("id") or form.get("name") or ""), str(form.get("action") or "")
        if name.startswith("login") and "action=login" in action and form.find("input", attrs={"name": "password"}):
            return _read_form(form, page_codec(body, content_type), url)
    return None


def find_reply_form(body: bytes, content_type: str, url: str, tid: int) -> Form | None:
    """The form under a thread's page by which this thread is replied to (X, 7.2, 6.x), or None where the page has none."""
    soup = _parse(body, content_type)
    for form in soup.find_all("form"):
        action = str(form.get("action") or "")
        query = parse_qs(urlsplit(action).query)
        named = query.get("action") == ["reply"] and query.get("tid") == [str(tid)]
        if named and form.find("textarea", attrs={"name": "message"}):
            found = _read_form(form, page_codec(body, content_type), url)
            return replace(found, captcha=found.captcha or _asks_by_script(form), longest=_find_longest(body))
    return None


def _asks_by_script(form: Tag) -> bool:
    """Whether a form has the place, the token or the call by which a script puts a captcha into it."""
    return (
        any(form.find("input", attrs={"name": name}) for name in _CAPTCHA_TOKENS)
        or form.find(id=_CAPTCHA_PLACE) is not None
        or any(_CAPTCHA_CALL.search(script.get_text()) for script in form.find_all("script"))
    )


def _find_longest(body: bytes) -> int | None:
    """How many bytes a post may have, by the page's scripts, where no player can write; None where they say nothing."""
    scripts = [found[1] for found in _SCRIPT.finditer(body)]
    if any(_UNLIMITED.search(script) for script in scripts):
        return None
    told = next((found for script in scripts if (found := _LONGEST.search(script))), None)
    return int(told[1]) or None if told is not None else None


def message_box(body: bytes, content_type: str) -> str:
    """The words of a page's message box in one line; an empty string where it has none, or only hidden and empty ones."""
    if body.lstrip()[:5] == b"<?xml" and b"<![CDATA[" in body[:256]:
        return _inner_text(body, content_type)
    soup = _parse(body, content_type)
    # 6.x puts a whole login form into its box: its labels are not the board's words.
    for clutter in soup.find_all(["form", "script", "style"]):
        clutter.decompose()
    for selector in ("#messagetext", ".alert_error", ".alert_info", "div.box.message", "div.jump_c > p", ".alert_right"):
        for box in soup.select(selector):
            for link in box.select(".alert_btnleft"):
                link.decompose()
            if not _hidden(box) and (text := show_line(box.get_text(" "))):
                return text
    return ""


def page_title(body: bytes, content_type: str = "") -> str:
    """The page's title in one line, at most 200 characters."""
    match = _TITLE.search(body)
    if match is None:
        return ""
    return show_line(html.unescape(decode_fragment(match[1], page_codec(body, content_type)).text))[:200]


def show_line(text: str) -> str:
    """A board's words in one line, fit for a terminal: what does not print (escapes, direction) is shown by its number."""
    line = " ".join(text.split())
    return "".join(character if character.isprintable() else f"\\u{{{ord(character):x}}}" for character in line)


def page_codec(body: bytes, content_type: str = "") -> str:
    """The codec of a small page, XML's own word included; a form's fields go out in it."""
    declared = _XML_ENCODING.match(body)
    if declared and "charset" not in content_type.lower():
        content_type = f"text/xml; charset={declared[1].decode('ascii')}"
    return find_codec(body, content_type=content_type)


def encode_form(fields: tuple[tuple[str, str], ...], charset: str) -> bytes:
    """A form's body in the board's charset; characters outside it go as `&#N;`, as browsers send them."""
    return urlencode(fields, encoding=narrow_codec(charset), errors="xmlcharrefreplace").encode("ascii")


def narrow_codec(charset: str) -> str:
    """The codec in which a board of a charset is written to: one in GBK does not read the four-byte half of GB 18030."""
    return {"gb18030": "gbk", "big5hkscs": "cp950"}.get(charset, charset)


def _parse(body: bytes, content_type: str) -> BeautifulSoup:
    from bs4 import BeautifulSoup

    # Touch pages begin with an XML declaration before their HTML, at which BeautifulSoup would warn.
    text = re.sub(r"\A\s*<\?xml[^>]*>", "", body.decode(page_codec(body, content_type), "replace"))
    return BeautifulSoup(text, "lxml")


def _inner_text(body: bytes, content_type: str) -> str:
    """The words of an answer in XML (`<root><![CDATA[…]]></root>`), scripts and tags taken away."""
    text = body.decode(page_codec(body, content_type), "replace")
    match = re.search(r"<!\[CDATA\[(.*?)\]\]>", text, re.S)
    bare = re.sub(r"(?is)<(script|style)\b.*?</\1\s*>|<[^>]*>", " ", match[1] if match else "")
    return show_line(html.unescape(bare))


def _hidden(tag: Tag) -> bool:
    return any("display:none" in str(one.get("style") or "").replace(" ", "").lower() for one in (tag, *tag.parents))


def _read_form(form: Tag, charset: str, url: str) -> Form:
    fields: list[tuple[str, str]] = []
    captcha = False
    for field in form.find_all(["input", "select", "button"]):
        name, kind = str(field.get("name") or ""), str(field.get("type") or "").lower()
        captcha = captcha or name in _CAPTCHA_FIELDS
        if not name or (kind in ("checkbox", "radio") and not field.has_attr("checked")):
            continue
        if any(name == known for known, _ in fields):
            continue
        fields.append((name, _value(field)))
    captcha = captcha or any(_CAPTCHA_IMAGE.search(str(image.get("src") or "")) for image in form.find_all("img"))
    return Form(urljoin(url, str(form.get("action") or "")), tuple(fields), charset, captcha)


def _value(field: Tag) -> str:
    if field.name != "select":
        return str(field.get("value") or "")
    chosen = field.find("option", selected=True) or field.find("option")
    return str(chosen.get("value") or "") if chosen else ""
