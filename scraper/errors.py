"""One tree of errors for work that cannot go on, each with the exit code of the command that meets it.

What a person posted is never an error: that is a finding. An error names the file and key, or the board, thread and page,
and what to do next.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from scraper.response import Response


class BanshaError(Exception):
    """Work cannot go on; the message says where and what to do."""

    exit_code: ClassVar[int] = 1


class UsageError(BanshaError):
    """The command line or a file that the director wrote cannot be used."""

    exit_code = 2


class GameFileError(UsageError):
    """A game file is wrong: the message names file, line, key and the fix."""


class AddressError(UsageError):
    """A text that should name a board or a thread does not; the message names it and the forms that are accepted."""


class CookieFileError(UsageError):
    """A cookies.txt cannot be used: the message names the file and line, never what stands in it."""


class ArchiveError(UsageError):
    """The database cannot be used: the message names the file and what to do."""


class RepeatedError(UsageError):
    """The same text was sent to the same thread within the hour, and was not sent again."""


class TooLongError(UsageError):
    """A text is longer than the board takes, and was not sent."""


class BoardError(BanshaError):
    """The board is out of reach, or refuses: the message names the address and what to do.

    `stops_run` says that the board's other pages would meet the same answer, so that the run should end here rather than
    ask again. `response` is the page that was met, where there is one (never with cookies in it).
    """

    exit_code = 4
    stops_run: ClassVar[bool] = False

    def __init__(self, message: str, response: Response | None = None) -> None:
        super().__init__(message)
        self.response = response


class UnreachableError(BoardError):
    """No whole answer came, however often the board was asked: no connection, reset, timed out, cut short."""

    stops_run = True


class UntrustedError(BoardError):
    """The board's certificate could not be verified; nothing was asked of it."""

    stops_run = True


class ServerFailureError(BoardError):
    """The board's server answers with a failure (5xx, 400) again and again."""

    stops_run = True


class TooManyRequestsError(BoardError):
    """The board asks for fewer requests (429), for longer than a run waits."""

    stops_run = True


class RedirectError(BoardError):
    """The board sends the reader elsewhere, and elsewhere again, without an end."""


class ForeignRedirectError(RedirectError):
    """The board sends the reader to another host, or off TLS; the message names both."""

    stops_run = True


class ThreadMovedError(RedirectError):
    """The thread's address leads to another thread: it was moved or merged."""


class TooLargeError(BoardError):
    """A page is larger than the limit, and was not read to its end."""


class LoginWallError(BoardError):
    """The page is shown to members only."""

    stops_run = True


class SessionEndedError(BoardError):
    """The board shows its guest page though an account's cookies were sent: the login ran out."""

    stops_run = True


class RobotsError(BoardError):
    """The board's robots.txt does not let programs read its mobile API."""

    stops_run = True


class CutPageError(BoardError):
    """The page stops before its end: what surely came whole is stored, but the page counts as missing."""


class NoPermissionError(BoardError):
    """The account (or a guest) may not read this page."""


class ThreadGoneError(BoardError):
    """The thread does not exist, was deleted, or waits for approval."""


class NoSuchPageError(BoardError):
    """The web server has no such page at all: the board is not at this address."""


class FloodError(BoardError):
    """The board wants a longer pause between two acts of one account."""


class BoardClosedError(BoardError):
    """The board is closed for the time being."""

    stops_run = True


class UnknownAuthorError(BoardError):
    """The board knows no such author (in this thread), or no such action."""


class DatabaseDownError(BoardError):
    """The board's database does not answer."""

    stops_run = True


class ChallengeError(BoardError):
    """The board wants a browser to prove itself (reload, question, script): the run stops, nothing is evaded."""

    stops_run = True


class FirewallError(BoardError):
    """A firewall in front of the board refuses the request."""

    stops_run = True


class EmptyPageError(BoardError):
    """The board answers with an empty body."""


class RefusedError(BoardError):
    """The board refuses in words that are not known: the message cites them."""


class ApiRefusedError(BoardError):
    """The board's mobile API is switched off, or refuses: the message cites its code."""


class LoginError(BoardError):
    """A login did not succeed."""

    stops_run = True


class WrongPasswordError(LoginError):
    """The board did not take name and password. It was asked once, and is never asked again by itself."""


class LoginLockedError(LoginError):
    """Too many wrong passwords from this address: the board lets nobody in for some minutes."""


class CaptchaError(LoginError):
    """The board wants a picture to be read at login: log in with a browser and import its cookies."""


class QuestionError(LoginError):
    """The account has a security question, and its answer was missing or wrong."""


class StaleFormError(LoginError):
    """The login form's token was out of date when it was sent; the password was not looked at."""


class NoTokenError(BoardError):
    """The form to reply has no token, without which no board takes it; nothing was sent."""


class ReplyError(BoardError):
    """A text was sent to a thread, and it is not known to stand there: it must not be sent again unseen."""


class LayoutError(BanshaError):
    """A page of unknown layout: the message holds its title and where a copy was saved; `response` is the page, where known."""

    exit_code = 8

    def __init__(self, message: str, response: Response | None = None) -> None:
        super().__init__(message)
        self.response = response


class UncountableError(LayoutError):
    """A page of a surface that is known and not counted: the message says what it loses, and what to read instead."""
