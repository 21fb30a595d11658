"""The rare and messy pages, read with BeautifulSoup: message boxes, login and reply forms. It is imported only when one comes.

Facts: X `form#loginform_HASH` and `div#messagetext`; 7.2 `form#loginform` and `div.postbox > div.alert_*`; 6.x `form[name=login]`
and `div.box.message`.
"""

from __future__ import annotations

import codecs
import html
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlencode, urljoin

if TYPE_CHECKING:
    from bs4 import BeautifulSoup, Tag

_CHARSET = re.compile(rb"""<meta[^>]*charset=["']?\s*([\w-]+)""", re.I)
_HEADER_CHARSET = re.compile(r"""charset=["']?\s*([\w-]+)""", re.I)
_TITLE = re.compile(rb"<title[^>]*>(.*?)</title>", re.I | re.S)
_CAPTCHA_FIELDS = ("seccodeverify", "secanswer")
_CAPTCHA_IMAGE = re.compile(r"mod=seccode|seccode\.php", re.I)


@dataclass(frozen=True, slots=True)
class Form:
    """A form as the board sent it: where it goes (absolute), its fields with values, its charset, whether it wants a captcha."""

    action: str
    fields: tuple[tuple[str, str], ...]
    charset: str
    captcha: bool = False

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
            return _read_form(form, declared_charset(body, content_type), url)
    return None


def message_box(body: bytes, content_type: str) -> str:
    """The words of a page's message box in one line; an empty string where it has none, or only hidden and empty ones."""
    if body.lstrip()[:5] == b"<?xml":
        return _inner_text(body, content_type)
    soup = _parse(body, content_type)
    # 6.x puts a whole login form into its box: its labels are not the board's words.
    for clutter in soup.find_all(["form", "script", "style"]):
        clutter.decompose()
    for selector in ("#messagetext", ".alert_error", ".alert_info", "div.box.message", ".alert_right"):
        for box in soup.select(selector):
            for link in box.select(".alert_btnleft"):
                link.decompose()
            if not _hidden(box) and (text := " ".join(box.get_text(" ").split())):
                return text
    return ""


def page_title(body: bytes, content_type: str = "") -> str:
    """The page's title in one line, at most 200 characters."""
    match = _TITLE.search(body)
    return " ".join(html.unescape(to_text(match[1], declared_charset(body, content_type))).split())[:200] if match else ""


def declared_charset(body: bytes, content_type: str = "") -> str:
    """The charset of a small page: utf-8 where it is that, else what header or meta say, gb18030 where neither is of use."""
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        header, meta = _HEADER_CHARSET.search(content_type), _CHARSET.search(body[:4096])
        for name in (header[1] if header else "", meta[1].decode("ascii", "replace") if meta else ""):
            if (known := _known_charset(name)) and known != "utf-8":
                return known
        return "gb18030"
    if body.isascii():
        # Bytes do not tell: a form's fields still go out in what the page says of itself.
        header, meta = _HEADER_CHARSET.search(content_type), _CHARSET.search(body[:4096])
        names = (header[1] if header else "", meta[1].decode("ascii", "replace") if meta else "")
        return next((known for name in names if (known := _known_charset(name))), "utf-8")
    return "utf-8"


def to_text(data: bytes, charset: str) -> str:
    """Bytes of a small page as text; what cannot be read is shown as U+FFFD."""
    return data.decode(charset, "replace")


def encode_form(fields: tuple[tuple[str, str], ...], charset: str) -> bytes:
    """A form's body in the board's charset; characters outside it go as `&#N;`, as browsers send them."""
    # A board in GBK does not read the four-byte half of GB 18030.
    narrow = {"gb18030": "gbk", "big5hkscs": "cp950"}.get(charset, charset)
    return urlencode(fields, encoding=narrow, errors="xmlcharrefreplace").encode("ascii")


def _known_charset(name: str) -> str:
    try:
        known = codecs.lookup(name).name
    except LookupError:
        return ""
    if known in ("gb2312", "gbk", "gb18030", "hz"):
        return "gb18030"
    return "big5hkscs" if known in ("big5", "cp950", "big5hkscs") else known


def _parse(body: bytes, content_type: str) -> BeautifulSoup:
    from bs4 import BeautifulSoup

    return BeautifulSoup(to_text(body, declared_charset(body, content_type)), "lxml")


def _inner_text(body: bytes, content_type: str) -> str:
    """The words of an answer in XML (`<root><![CDATA[…]]></root>`), scripts and tags taken away."""
    text = to_text(body, declared_charset(body, content_type))
    match = re.search(r"<!\[CDATA\[(.*?)\]\]>", text, re.S)
    bare = re.sub(r"(?is)<(script|style)\b.*?</\1\s*>|<[^>]*>", " ", match[1] if match else "")
    return " ".join(html.unescape(bare).split())


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
