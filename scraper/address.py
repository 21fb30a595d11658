"""Addresses of boards and threads: any link that a director copies becomes board + tid, and a page of it an address to ask for.

A *board* is the address of the folder that its scripts lie in, with a slash at the end: `https://bbs.example.net/` or
`https://example.net/bbs/`. `www.` and the bare name are one host; the scheme does not tell boards apart.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from ipaddress import ip_address
from urllib.parse import SplitResult, parse_qs, urlencode, urljoin, urlsplit

from scraper.errors import AddressError
from scraper.phrases import phrase

FORMS = (
    "1235",
    "https://bbs.example.net/forum.php?mod=viewthread&tid=1235",
    "https://bbs.example.net/viewthread.php?tid=1235",
    "https://bbs.example.net/thread-1235-1-1.html",
    "https://bbs.example.net/forum.php?mod=redirect&goto=findpost&ptid=1235&pid=88",
    "https://bbs.example.net/archiver/?tid-1235.html",
)

_PORTS = {"http": 80, "https": 443}
_REWRITTEN = re.compile(r"(?:^|/)thread-(\d+)(?:-(\d+))?(?:-\d+)*\.html?$", re.I)
_ARCHIVED = re.compile(r"(?:^|[/?])tid-(\d+)(?:-page-(\d+))?\.html?", re.I)
_FRAGMENT = re.compile(r"^(?:pid|post_?)(\d+)", re.I)


class Family(StrEnum):
    """How a board's scripts are called: X (X2 to X3.5) has forum.php; old boards (7.x, 6.x) have viewthread.php."""

    X = "x"
    OLD = "old"


@dataclass(frozen=True, slots=True)
class ThreadAddress:
    """A thread: its board, tid, and what else the link told (page, post, family of the board); None where it told nothing."""

    board: str
    tid: int
    page: int | None = None
    pid: int | None = None
    family: Family | None = None


def read_board(text: str) -> str:
    """The board's base address of any address on it: `https://bbs.example.net/forum.php` gives `https://bbs.example.net/`.

    Raises AddressError for a text that is no http(s) address, or that holds a user name and password.
    """
    parts = _split(text, clean(text))
    folder, _ = _cut(parts.path)
    return _base(parts, folder)


def read_thread(text: str | int, board: str = "") -> ThreadAddress:
    """The thread that `text` names: a bare tid or any link of a thread, on `board` where that is given.

    Links may come with or without `www.`, http or https, `&amp;` for `&`, a page, a post, inside a sub-folder, or relative
    to the board. Raises AddressError for anything else, and for a link of another board.
    """
    base = read_board(board) if board else ""
    cleaned = clean(str(text))
    if cleaned.isascii() and cleaned.isdigit():
        if not base:
            raise AddressError(
                phrase("{text!r} is a thread's number, but of which board? Give a whole link, or set forum.url.", text=text)
            )
        return ThreadAddress(base, _positive(cleaned, str(text)))
    parts = _split(str(text), cleaned, base)
    folder, script = _cut(parts.path)
    here = _base(parts, folder)
    if base and not same_board(base, here):
        raise AddressError(
            phrase(
                "{text!r} is on {here}, but the board of this game is {base}: correct one of them (a board in a "
                "sub-folder is named with it, like https://example.net/bbs/).",
                text=str(text),
                here=here,
                base=base,
            )
        )
    return _read_parts(str(text), parts, script, base or here)


def _read_parts(text: str, parts: SplitResult, script: str, board: str) -> ThreadAddress:
    if script.lower().endswith(".aspx"):
        raise AddressError(phrase("{text!r} is a thread of a Discuz!NT board (ASP.NET); those cannot be read.", text=text))
    if match := _REWRITTEN.search(parts.path):
        pid = _fragment_pid(parts.fragment)
        return ThreadAddress(board, _positive(match[1], text), _number(match[2]), pid)
    if "archiver" in parts.path.lower().split("/") and (match := _ARCHIVED.search(f"{parts.path}?{parts.query}")):
        return ThreadAddress(board, _positive(match[1], text), _number(match[2]))
    query = parse_qs(parts.query)
    tid = _first(query, "ptid") or _first(query, "tid")
    pid = _number(_first(query, "pid")) or _number(_first(query, "viewpid")) or _fragment_pid(parts.fragment)
    if tid is None:
        if pid is not None:
            raise AddressError(
                phrase(
                    "{text!r} names a post but not its thread: open it, and copy the address that the browser shows then.",
                    text=text,
                )
            )
        raise AddressError(phrase("{text!r} names no thread. {forms}", text=text, forms=_forms()))
    match script.lower():
        case "viewthread.php" | "redirect.php":
            family: Family | None = Family.OLD
        case "forum.php" | "index.php" if _first(query, "mod") or _first(query, "module"):
            family = Family.X
        case _:
            family = None
    return ThreadAddress(board, _positive(tid, text), _number(_first(query, "page")), pid, family)


def page_url(board: str, tid: int, page: int = 1, *, family: Family = Family.X, oldest_first: bool = False) -> str:
    """The desktop address of one page of a thread (pages count from 1).

    `oldest_first` asks for the usual order in a thread that a board shows newest first (`ordertype=2`: X3.5, and 7.x has the same
    field; 6.x passes over it).
    """
    fields: dict[str, str | int] = {"tid": tid, "page": page}
    match family:
        case Family.X:
            script = "forum.php"
            fields = {"mod": "viewthread", **fields}
        case Family.OLD:
            script = "viewthread.php"
    if oldest_first:
        fields["ordertype"] = 2
    return f"{board}{script}?{urlencode(fields)}"


def author_url(board: str, tid: int, uid: int, *, family: Family = Family.X) -> str:
    """The address of a thread that shows one author's posts alone (只看该作者), on X and on the boards before it."""
    fields: dict[str, str | int] = {"tid": tid, "page": 1, "authorid": uid}
    match family:
        case Family.X:
            script, fields = "forum.php", {"mod": "viewthread", **fields}
        case Family.OLD:
            script = "viewthread.php"
    return f"{board}{script}?{urlencode(fields)}"


def post_url(board: str, tid: int, pid: int, *, family: Family = Family.X) -> str:
    """The address that leads to a post, on whatever page of its thread it is by now."""
    match family:
        case Family.X:
            script, fields = "forum.php", {"mod": "redirect", "goto": "findpost"}
        case Family.OLD:
            script, fields = "redirect.php", {"goto": "findpost"}
    return f"{board}{script}?{urlencode({**fields, 'ptid': tid, 'pid': pid})}"


def api_url(board: str, tid: int, page: int = 1, *, version: int = 4) -> str:
    """The address of one page of a thread on the board's mobile API (X only, often switched off)."""
    return f"{board}api/mobile/index.php?{urlencode({'version': version, 'module': 'viewthread', 'tid': tid, 'page': page})}"


def bare_host(host: str) -> str:
    """The host's name without `www.`, in lower case: the two are one host."""
    return host.lower().rstrip(".").removeprefix("www.")


def same_host(one: str, other: str) -> bool:
    """Whether two addresses are on one host: `www.` and the bare name are, http and https are, another port is not."""
    a, b = urlsplit(one), urlsplit(other)
    if bare_host(a.hostname or "") != bare_host(b.hostname or ""):
        return False
    ports = {a.port or _PORTS.get(a.scheme), b.port or _PORTS.get(b.scheme)}
    return len(ports) == 1 or ports == set(_PORTS.values())


def is_on(board: str, url: str) -> bool:
    """Whether an address can be asked for, and is on the board's host."""
    try:
        return urlsplit(url).scheme in ("http", "https") and same_host(board, url)
    except ValueError:  # a port or a host that cannot be one
        return False


def same_board(one: str, other: str) -> bool:
    """Whether two addresses (of boards, or of anything on them) belong to one board: one host and one folder."""
    a, b = read_board(one), read_board(other)
    return same_host(a, b) and urlsplit(a).path == urlsplit(b).path


def is_loopback(url: str) -> bool:
    """Whether an address is on this very machine."""
    host = urlsplit(url).hostname or ""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def clean(text: str) -> str:
    """A copied address without what sticks to it: spaces, quotes, angle brackets, and `&amp;` for `&`."""
    # Not html.unescape: it reads `&copy=` and the like without a semicolon, which are honest parameters.
    text = text.strip().strip("<>\"'“”「」").strip()
    while "&amp;" in text:
        text = text.replace("&amp;", "&")
    return text


def _split(text: str, cleaned: str, base: str = "") -> SplitResult:
    if not re.match(r"https?://", cleaned, re.I):
        if "://" in cleaned or re.search(r"[\s<>]", cleaned) or not cleaned:
            raise AddressError(phrase("{text!r} is no address of a board. {forms}", text=text, forms=_forms()))
        cleaned = _complete(text, cleaned, base)
    try:
        parts = urlsplit(cleaned)
        host, _ = parts.hostname, parts.port
    except ValueError:
        raise AddressError(
            phrase("{text!r} is no address: its host or port cannot be read. {forms}", text=text, forms=_forms())
        ) from None
    if parts.username is not None or parts.password is not None:
        raise AddressError(
            phrase("The address on {host} holds a user name or password: take it out, and use `bansha login` instead.", host=host)
        )
    if not host or re.search(r"\s", cleaned):
        raise AddressError(phrase("{text!r} is no address of a board. {forms}", text=text, forms=_forms()))
    return parts


def _complete(text: str, cleaned: str, base: str) -> str:
    """An address without a scheme, made whole: relative to the board, or the board's own host written without http://."""
    if not base:
        raise AddressError(
            phrase("{text!r} is no whole address: begin it with https:// (or http://). {forms}", text=text, forms=_forms())
        )
    host = cleaned.lstrip("/").split("/", 1)[0].split("?", 1)[0]
    scheme, own = urlsplit(base).scheme, urlsplit(base).netloc
    if bare_host(host) == bare_host(own):
        return f"{scheme}://{cleaned.lstrip('/')}"
    script = cleaned.lstrip("/").split("?", 1)[0]
    if script.startswith("archiver/") or re.search(r"\.(?:php|html?)$", script, re.I):
        return urljoin(base, cleaned)
    raise AddressError(phrase("{text!r} names no thread of {base}. {forms}", text=text, base=base, forms=_forms()))


def _cut(path: str) -> tuple[str, str]:
    """The board's folder (with slashes around it) and the script's name of a path on it."""
    folder, _, script = path.rpartition("/")
    folder = f"{folder}/"
    for inner in ("archiver/", "api/mobile/"):
        if folder.lower().endswith(f"/{inner}"):
            return folder[: -len(inner)], script
    if script and "." not in script:
        # A folder written without its last slash.
        return f"{folder}{script}/", ""
    return folder, script


def _base(parts: SplitResult, folder: str) -> str:
    port = "" if parts.port in (None, _PORTS.get(parts.scheme.lower())) else f":{parts.port}"
    host = (parts.hostname or "").rstrip(".")
    host = f"[{host}]" if ":" in host else host
    return f"{parts.scheme.lower()}://{host}{port}/{folder.lstrip('/')}"


def _fragment_pid(fragment: str) -> int | None:
    match = _FRAGMENT.match(fragment)
    return int(match[1]) if match else None


def _first(query: dict[str, list[str]], name: str) -> str | None:
    return query.get(name, [None])[0] or None


def _number(text: str | None) -> int | None:
    return int(text) if text and text.isascii() and text.isdigit() else None


def _positive(digits: str, text: str) -> int:
    number = _number(digits)
    if not number:
        raise AddressError(
            phrase(
                "{text!r} names no thread: {digits!r} is not a thread's number. {forms}", text=text, digits=digits, forms=_forms()
            )
        )
    return number


def _forms() -> str:
    return phrase("Accepted: {forms}", forms=" · ".join(FORMS))
