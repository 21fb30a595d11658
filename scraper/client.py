"""The polite session: one request at a time, with pauses; it retries what passes by itself, and stops at what does not.

Waits: at least `interval` seconds with jitter between two requests; what `Retry-After` says; 60 s after a 429 without it;
back-off on 5xx, an intermittent 400, resets, pages cut short. A challenge, a firewall, a redirect to another host are never
argued with. Every wait is logged (standard error) with addresses from which tokens are masked; cookies and passwords are in no
log line, no error and no `Response`.
"""

from __future__ import annotations

import logging
import math
from http.cookiejar import CookieJar
from types import TracebackType
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from scraper import errors
from scraper.address import Family, api_url, is_loopback, is_on, page_url, read_board, read_thread
from scraper.agent import user_agent
from scraper.cookies import has_login
from scraper.forms import encode_form
from scraper.pace import Pace, PassingFault, Settings, Surroundings
from scraper.phrases import phrase
from scraper.response import Response
from scraper.robots import allowed, robots_url
from scraper.screen import Screen
from scraper.screens import check_response, is_database_down, is_guarded, recognise
from scraper.session import open_session
from scraper.transport import (
    BodyError,
    TooMuchError,
    find_location,
    has_end,
    http_date,
    is_markup,
    read_body,
    root_cause,
    safe_url,
)

if TYPE_CHECKING:
    import requests

log = logging.getLogger(__name__)

# What the transport has used up, and what must not be kept.
_DROPPED_HEADERS = frozenset(
    {"set-cookie", "set-cookie2", "content-encoding", "content-length", "transfer-encoding", "connection"}
)
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
# 400 and 408 come and go with overloaded front ends of old boards; 425 asks for it.
_PASSING = frozenset({400, 408, 425})
_SKEW = 120.0  # seconds between this computer's clock and the board's that are worth a word


class Client:
    """A session with one board: `fetch_page` for threads, `fetch` and `submit` for the rest.

    `family` is how the board's addresses are written, None until a thread's page has told; `likely` is what is tried first.
    `asked` counts requests. `expects_login` is True where cookies of an account were given: a guest's page is an error then.
    """

    def __init__(
        self,
        board: str,
        *,
        settings: Settings | None = None,
        cookies: CookieJar | None = None,
        family: Family | None = None,
        world: Surroundings | None = None,
        api: int | None = None,
    ) -> None:
        """Raises AddressError for a board that is no address, UsageError for an interval below 1 s off loopback."""
        self.board = read_board(board)
        self.settings = settings or Settings()
        self.cookies = cookies if cookies is not None else CookieJar()
        self.family = family
        self.api = api
        self.likely = Family.X
        self.asked = 0
        # Asked once: a board that ends the session also deletes the cookie.
        self.expects_login = has_login(self.cookies, self.board)
        self._world = world or Surroundings()
        self._pace = Pace(self.settings, self._world)
        self._skew_told = False
        self._session: requests.Session | None = None
        self._robots: str | None = None
        interval = self.settings.interval
        if not math.isfinite(interval) or interval < 0 or (interval < 1 and not is_loopback(self.board)):
            raise errors.UsageError(
                phrase(
                    "forum.interval = {interval}: at least 1 second between two requests to {board} (2 is usual).",
                    interval=interval,
                    board=self.board,
                )
            )

    def __enter__(self) -> Client:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections; the cookies stay in `cookies`."""
        if self._session is not None:
            self._session.close()
            self._session = None

    def fetch_page(self, tid: int, page: int = 1, *, oldest_first: bool = False) -> Response:
        """One page of a thread, checked: whole, of this thread, no screen in its place, still logged in.

        A page past the end answers with the last page: the caller compares the number that the page itself shows. Where the
        family of the board is not known, X is tried first. With `api` it is the answer of the mobile API of that version, where
        robots.txt allows it (RobotsError). Raises the errors of `fetch` and of `check_response`.
        """
        if self.api is not None:
            return self._fetch_answer(tid, page, self.api)
        if self.family is not None:
            response = self.fetch(page_url(self.board, tid, page, family=self.family, oldest_first=oldest_first), whole=True)
        else:
            response = self._find_family(tid, page, oldest_first)
        self._refuse_other_thread(response, tid)
        check_response(response, expects_login=self.expects_login)
        return response

    def _fetch_answer(self, tid: int, page: int, version: int) -> Response:
        """One page by the mobile API; robots.txt is asked once, before the first."""
        url = api_url(self.board, tid, page, version=version)
        if self._robots is None:
            answer = self.fetch(robots_url(self.board))
            self._robots = answer.body.decode("utf-8", "replace") if answer.status == 200 else ""
        if not allowed(self._robots, url, user_agent()):
            raise errors.RobotsError(
                phrase(
                    "{url}: the board's robots.txt does not let programs read its mobile API. Take `api` out under [forum], "
                    "and the pages are read that everybody sees.",
                    url=safe_url(url),
                )
            )
        response = self.fetch(url, whole=True)
        check_response(response, expects_login=self.expects_login)
        return response

    def fetch(self, url: str, *, whole: bool = False) -> Response:
        """Whatever the board has at an address of its own, after redirects; screens are not looked for (`check_response`).

        With `whole` an answer must also show its end (`</html>`, or the closing brace of an API's JSON), else it is asked for
        again. Raises BoardError (exit 4) where no whole answer comes, each kind its own class, and where the answer is a
        redirect to another host or larger than the limit.
        """
        return self._follow("GET", url, whole=whole)

    def submit(self, url: str, fields: tuple[tuple[str, str], ...], charset: str, *, referer: str) -> Response:
        """Send a form once, in the board's charset; never sent again, whatever happens. Redirects are followed by GET.

        Raises ForeignRedirectError, and sends nothing, for an address off the board, or without TLS where the board has it.
        """
        if urlsplit(self.board).scheme == "https" and urlsplit(url).scheme != "https":
            raise errors.ForeignRedirectError(
                phrase(
                    "{url}: the form would be sent without TLS, which {board} has: not sent.", url=safe_url(url), board=self.board
                )
            )
        return self._follow("POST", url, encode_form(fields, charset), referer)

    def _find_family(self, tid: int, page: int, oldest_first: bool) -> Response:
        """The page, by the addresses of the likely family, then of the other; the first answer where neither has it."""
        other = Family.OLD if self.likely is Family.X else Family.X
        answers = []
        for family in (self.likely, other):
            response = self.fetch(page_url(self.board, tid, page, family=family, oldest_first=oldest_first), whole=True)
            screen = recognise(response.body, response.status, response.header("Content-Type"))
            if screen not in (Screen.NO_SUCH_PAGE, Screen.UNKNOWN):
                self.family = family
                return response
            answers.append(response)
        return answers[0]

    def _refuse_other_thread(self, response: Response, tid: int) -> None:
        try:
            there = read_thread(response.url)
        except errors.AddressError:
            return  # sent to a page that is no thread: the screens tell what it is
        if there.tid != tid:
            raise errors.ThreadMovedError(
                phrase(
                    "Thread {tid} on {board} now leads to thread {tid2}: it was moved or merged. Write {tid2} in "
                    "game.toml if that is the thread you mean.",
                    tid=tid,
                    board=self.board,
                    tid2=there.tid,
                ),
                response,
            )

    def _follow(self, method: str, url: str, data: bytes | None = None, referer: str = "", *, whole: bool = False) -> Response:
        """One request and the redirects after it. The same address may come again: X answers so once after a deletion."""
        if not is_on(self.board, url):
            raise errors.ForeignRedirectError(
                phrase("{url} is not on {board}: nothing was asked.", url=safe_url(url), board=self.board)
            )
        start = url
        for _ in range(self.settings.max_redirects + 1):
            response, target = self._ask(method, url, data, referer, whole)
            if not target:
                return response
            url = self._next_address(response, target)
            method, data = "GET", None
        raise errors.RedirectError(
            phrase(
                "{start}: sent on {max_redirects} times, last to {url}. Open it in a browser, and set the "
                "address that it ends at.",
                start=safe_url(start),
                max_redirects=self.settings.max_redirects + 1,
                url=safe_url(url),
            )
        )

    def _next_address(self, response: Response, target: str) -> str:
        """The address that a redirect leads to, where it stays on the board's host."""
        try:
            target = urljoin(response.url, target)
        except ValueError:
            raise errors.RedirectError(
                phrase("{url} sends to what is no address: not followed.", url=safe_url(response.url)), response
            ) from None
        here, there = safe_url(response.url), safe_url(target)
        if not is_on(self.board, target):
            raise errors.ForeignRedirectError(
                phrase(
                    "{here} sends to another host, {there}: not followed. If the board ({netloc}) has moved there, "
                    "change url under [forum].",
                    here=here,
                    there=there,
                    netloc=urlsplit(self.board).netloc,
                ),
                response,
            )
        if urlsplit(response.url).scheme == "https" and urlsplit(target).scheme != "https":
            raise errors.ForeignRedirectError(
                phrase("{here} sends to the same host without TLS, {there}: not followed.", here=here, there=there), response
            )
        log.debug("%s leads to %s", here, there)
        return target

    def _ask(self, method: str, url: str, data: bytes | None, referer: str, whole: bool) -> tuple[Response, str]:
        try:
            if method != "GET":
                return self._ask_once(method, url, data, referer, whole)
            return self._pace.retrying()(self._ask_once, method, url, data, referer, whole)
        except PassingFault as fault:
            # Without the chain: what lies under it may cite the address with its tokens.
            raise fault.error from None

    def _ask_once(self, method: str, url: str, data: bytes | None, referer: str, whole: bool) -> tuple[Response, str]:
        """One answer, and the address that it sends to (empty for none). Raises PassingFault for what is worth another try."""
        import requests

        self._pace.wait()
        self.asked += 1
        try:
            reply, body = self._exchange(method, url, data, referer)
        except requests.exceptions.SSLError as error:
            raise errors.UntrustedError(
                phrase(
                    "{url}: the board's certificate is not trusted ({root_cause}). Check the address and this computer's clock.",
                    url=safe_url(url),
                    root_cause=root_cause(error),
                )
            ) from None
        except (requests.exceptions.InvalidURL, requests.exceptions.InvalidSchema, requests.exceptions.MissingSchema):
            raise errors.AddressError(phrase("{url} is no address that can be asked for.", url=safe_url(url))) from None
        except TooMuchError:
            raise errors.TooLargeError(
                phrase(
                    "{url}: the page is larger than {max_bytes:g} MB, and was not read. Open it in a browser: it "
                    "may be an attachment.",
                    url=safe_url(url),
                    max_bytes=self.settings.max_bytes / 1048576,
                )
            ) from None
        except BodyError as error:
            raise _unreachable(url, error.args[0]) from None
        except OSError as error:  # requests' and the socket's own
            raise _unreachable(url, root_cause(error)) from None
        finally:
            self._pace.mark()
        kept = tuple((key, value) for key, value in reply.raw.headers.items() if key.lower() not in _DROPPED_HEADERS)
        response = Response(url, reply.status_code, kept, body, self._world.now())
        self._tell_skew(response)
        if reply.status_code in _REDIRECTS and (target := find_location(response)):
            return response, target
        # What was sent to its end and is no page at all, a picture say, does not break off: asked again it is the same.
        framed = "Content-Length" in reply.headers or "Transfer-Encoding" in reply.headers
        self._judge(method, response, whole and not (framed and not is_markup(body)))
        return response, ""

    def _exchange(self, method: str, url: str, data: bytes | None, referer: str) -> tuple[requests.Response, bytes]:
        import urllib3

        ends = self._world.monotonic() + self.settings.page_timeout
        headers = {"Referer": referer} if referer else {}
        if data is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        timeout = (self.settings.connect_timeout, self.settings.read_timeout)
        reply = self._open().request(method, url, data=data, headers=headers, timeout=timeout, stream=True, allow_redirects=False)
        try:
            encoding = reply.headers.get("Content-Encoding", "")
            limit = self.settings.max_bytes
            return reply, read_body(reply.raw, encoding, limit=limit, expired=lambda: self._world.monotonic() > ends)
        except urllib3.exceptions.HTTPError as error:
            raise BodyError(root_cause(error)) from None
        finally:
            reply.close()

    def _judge(self, method: str, response: Response, whole: bool) -> None:
        """Raise what may pass by itself as PassingFault; anything else is an answer."""
        where, status = safe_url(response.url), response.status
        asked_for = self._pace.retry_after(response)
        if asked_for is not None and asked_for > self.settings.longest_wait and (status == 429 or status >= 500):
            raise errors.TooManyRequestsError(
                phrase(
                    "{where}: the board wants no requests for {asked_for:.0f} s (status {status}). Come back then.",
                    where=where,
                    asked_for=asked_for,
                    status=status,
                ),
                response,
            )
        if status == 429:
            wait = self.settings.after_too_many if asked_for is None else asked_for
            many = errors.TooManyRequestsError(
                phrase("{where}: too many requests (429). Raise forum.interval.", where=where), response
            )
            raise PassingFault(many, wait)
        if is_database_down(response.body):
            down = errors.DatabaseDownError(
                phrase("{where}: the board's database does not answer. Try again later.", where=where), response
            )
            raise PassingFault(down, asked_for)
        if (status >= 500 or status in _PASSING) and not is_guarded(response.body):
            failure = errors.ServerFailureError(
                phrase("{where}: the board's server answers {status}. Try again later.", where=where, status=status), response
            )
            raise PassingFault(failure, asked_for)
        if status == 200 and method == "GET" and not response.body.strip():
            raise PassingFault(
                errors.EmptyPageError(phrase("{where}: the answer is empty. Try again later.", where=where), response)
            )
        if whole and status == 200 and not has_end(response.body):
            raise _unreachable(response.url, phrase("the page breaks off before its end"))

    def _tell_skew(self, response: Response) -> None:
        date = http_date(response.header("Date"))
        if self._skew_told or date is None:
            return
        skew = (response.seen_at - date).total_seconds()
        if abs(skew) > _SKEW:
            self._skew_told = True
            log.warning(
                phrase(
                    "This computer's clock is {skew} s off the board's ({board}): set it, deadlines go by it.",
                    skew=f"{skew:+.0f}",
                    board=self.board,
                )
            )

    def _open(self) -> requests.Session:
        if self._session is None:
            self._session = open_session(self.board, self.cookies, user_agent(self.settings.contact))
        return self._session


def _unreachable(url: str, reason: str) -> PassingFault:
    return PassingFault(
        errors.UnreachableError(
            phrase("{url}: no whole answer ({reason}). Check the network and the address.", url=safe_url(url), reason=reason)
        )
    )
