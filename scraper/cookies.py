"""Cookies in a file: Netscape's cookies.txt, as browsers' extensions export it and as `bansha login` writes it.

A cookie lets its holder act as the account. So the file is written readable by its owner only (mode 0600; on Windows it
inherits the folder's rights: keep it inside your own profile), and no value of it is ever put into a message.
"""

from __future__ import annotations

import copy
import logging
import os
import secrets
import stat
import time
import urllib.request
from http.cookiejar import Cookie, CookieJar
from pathlib import Path
from urllib.parse import urlsplit

from scraper.address import bare_host
from scraper.errors import CookieFileError
from scraper.phrases import phrase

log = logging.getLogger(__name__)

_HEADER = "# Netscape HTTP Cookie File\n# Written by bansha. Whoever reads this file can act as the account.\n\n"
_HTTP_ONLY = "#HttpOnly_"
_FIELDS = ("domain", "subdomains", "path", "secure", "expires", "name", "value")


def read_cookies(path: Path, board: str = "") -> CookieJar:
    """The cookies of a cookies.txt; with `board` given, only those that are sent to it.

    Raises CookieFileError naming file and line: not there, not text, not seven fields with tabs, a wrong field, and, with
    `board`, no cookie that would be sent to it.
    """
    _warn_if_open(path)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise CookieFileError(phrase("{path}: cannot be read ({strerror}).", path=path, strerror=error.strerror)) from None
    except UnicodeDecodeError:
        raise CookieFileError(phrase("{path}: is no text file. {advice}", path=path, advice=_advice())) from None
    if text.lstrip().startswith(("{", "[")):
        raise CookieFileError(phrase("{path}, line 1: this is JSON. {advice}", path=path, advice=_advice()))
    jar = CookieJar()
    for number, line in enumerate(text.split("\n"), 1):
        if cookie := _read_line(path, number, line.rstrip("\r")):
            jar.set_cookie(cookie)
    return _only_for(jar, board, path) if board else jar


def save_cookies(jar: CookieJar, path: Path) -> None:
    """Write the jar as cookies.txt, readable by its owner only, in one step: a crash leaves the old file or the new one.

    Raises CookieFileError where the folder cannot be written.
    """
    lines = [_HEADER, *(_write_line(cookie) for cookie in jar)]
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        # Made with its rights, not changed afterwards: there is no moment in which others can open it.
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
                file.writelines(lines)
            draft.replace(path)
        except BaseException:
            draft.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise CookieFileError(phrase("{path}: cannot be written ({strerror}).", path=path, strerror=error.strerror)) from None


def has_login(jar: CookieJar, board: str) -> bool:
    """Whether a cookie of a signed-in account would be sent to the board (`…_auth` on X, `…auth` on old boards)."""
    return any(name.endswith("auth") and not name.endswith("invite_auth") for name in sent_names(jar, board))


def sent_names(jar: CookieJar, board: str) -> tuple[str, ...]:
    """The names of the cookies that would be sent to the board, never their values."""
    request = urllib.request.Request(board)
    copied(jar).add_cookie_header(request)
    header = request.get_header("Cookie") or ""
    return tuple(part.split("=", 1)[0].strip() for part in header.split(";") if part.strip())


def copied(jar: CookieJar) -> CookieJar:
    """A jar of the same cookies, that can change without changing the first."""
    other = CookieJar()
    for cookie in jar:
        other.set_cookie(copy.copy(cookie))
    return other


def _only_for(jar: CookieJar, board: str, path: Path) -> CookieJar:
    """The board's own cookies, those of `www.` and of the bare name sent to either; a file for all sites stays at home."""
    host = urlsplit(board).hostname or ""
    own = CookieJar()
    for cookie in jar:
        # http.cookiejar files the cookies of a host without a dot under `.local`.
        domain = cookie.domain.lstrip(".").removesuffix(".local" if "." not in host else "")
        if bare_host(domain) == bare_host(host) or f".{host}".endswith(f".{domain}"):
            own.set_cookie(cookie)
            if not cookie.domain.startswith(".") and domain != host and bare_host(domain) == bare_host(host):
                twin = copy.copy(cookie)
                twin.domain = host
                own.set_cookie(twin)
    if sent_names(own, board):
        return own
    if not len(own):
        others = ", ".join(sorted({cookie.domain.lstrip(".") for cookie in jar})) or "nothing"
        raise CookieFileError(
            phrase(
                "{path}: holds no cookie for {host}, but for {others}. {advice}",
                path=path,
                host=host,
                others=others,
                advice=_advice(),
            )
        )
    if all(cookie.is_expired() for cookie in own):
        last = max(cookie.expires or 0 for cookie in own)
        raise CookieFileError(
            phrase(
                "{path}: the cookies for {host} ran out on {strftime}. {advice}",
                path=path,
                host=host,
                strftime=time.strftime("%Y-%m-%d", time.gmtime(last)),
                advice=_advice(),
            )
        )
    raise CookieFileError(
        phrase(
            "{path}: no cookie in it would be sent to {board}: they are for https only, or for another path.",
            path=path,
            board=board,
        )
    )


def _read_line(path: Path, number: int, line: str) -> Cookie | None:
    http_only = line.startswith(_HTTP_ONLY)
    line = line.removeprefix(_HTTP_ONLY)
    if not line.strip() or line.startswith("#"):
        return None
    fields = line.split("\t")
    where = f"{path}, line {number}"
    if len(fields) != len(_FIELDS):
        hint = phrase("{count} fields", count=len(fields))
        if len(line.split()) == len(_FIELDS):
            hint = phrase("fields are parted by tabs, and these are spaces")
        raise CookieFileError(
            phrase(
                "{where}: a cookie has seven fields ({FIELDS}); here: {hint}. {advice}",
                where=where,
                FIELDS=", ".join(_FIELDS),
                hint=hint,
                advice=_advice(),
            )
        )
    domain, subdomains, folder, secure, expires, name, value = fields
    for field, written in (("subdomains", subdomains), ("secure", secure)):
        if written not in ("TRUE", "FALSE"):
            raise CookieFileError(
                phrase("{where}: the field {field!r} must be TRUE or FALSE. {advice}", where=where, field=field, advice=_advice())
            )
    try:
        ends = int(float(expires)) if expires else 0
    except (ValueError, OverflowError):
        raise CookieFileError(
            phrase(
                "{where}: the field 'expires' must be a number (seconds since 1970, 0 for a session). {advice}",
                where=where,
                advice=_advice(),
            )
        ) from None
    if not domain or not name:
        raise CookieFileError(phrase("{where}: a cookie needs a domain and a name. {advice}", where=where, advice=_advice()))
    return Cookie(
        version=0,
        name=name,
        value=value,
        port=None,
        port_specified=False,
        domain=domain.lower(),
        domain_specified=subdomains == "TRUE",
        domain_initial_dot=domain.startswith("."),
        path=folder or "/",
        path_specified=bool(folder),
        secure=secure == "TRUE",
        expires=ends or None,
        discard=not ends,
        comment=None,
        comment_url=None,
        rest={"HttpOnly": ""} if http_only else {},
    )


def _write_line(cookie: Cookie) -> str:
    prefix = _HTTP_ONLY if cookie.has_nonstandard_attr("HttpOnly") else ""
    dotted, secure = ("TRUE" if flag else "FALSE" for flag in (cookie.domain.startswith("."), cookie.secure))
    fields = (f"{prefix}{cookie.domain}", dotted, cookie.path, secure, str(cookie.expires or 0), cookie.name, cookie.value or "")
    return "\t".join(fields) + "\n"


def _warn_if_open(path: Path) -> None:
    if os.name != "posix" or not path.is_file():
        return
    if stat.S_IMODE(path.stat().st_mode) & 0o077:
        log.warning(phrase("{path} can be read by others on this computer: chmod 600 it.", path=path))


def _advice() -> str:
    return phrase("Export the board's cookies anew as cookies.txt (Netscape format), or use `bansha login`.")
