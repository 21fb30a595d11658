"""The session of requests that a client asks through."""

from __future__ import annotations

from http.cookiejar import CookieJar
from typing import TYPE_CHECKING

from scraper.address import is_loopback

if TYPE_CHECKING:
    import requests


def open_session(board: str, cookies: CookieJar, agent: str) -> requests.Session:
    """A session for one board that keeps its cookies in the jar given, names itself as `agent`, and follows no redirect."""
    import requests

    class Session(requests.Session):
        def get_redirect_target(self, resp: requests.Response) -> None:
            """Redirects are the client's: requests reads the next address even when told not to follow it."""

    session = Session()
    session.headers.clear()
    session.headers.update(
        {
            "User-Agent": agent,
            "Accept": "text/html,application/xhtml+xml,application/json;q=0.9,*/*;q=0.8",
            "Accept-Language": "zh-CN,zh;q=0.9,en;q=0.5",
            "Accept-Encoding": "gzip",
        }
    )
    session.cookies = cookies  # type: ignore[assignment]  # any CookieJar serves, as requests says
    # The environment gives proxies and certificates; a password out of ~/.netrc is nobody's wish, and nothing on this machine
    # is reached through a proxy.
    session.auth = _no_auth
    session.trust_env = not is_loopback(board)
    return session


def _no_auth(request: requests.PreparedRequest) -> requests.PreparedRequest:
    return request
