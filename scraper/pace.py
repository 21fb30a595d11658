"""How long to wait: between two requests, and before asking again; with the clock, the sleep and the chance as arguments."""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from scraper.errors import BoardError
from scraper.phrases import phrase
from scraper.response import Response
from scraper.transport import http_date

if TYPE_CHECKING:
    import tenacity

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Settings:
    """How patient and how careful the client is: times in seconds, sizes in bytes.

    `interval` is the least pause between two requests, up to half as long again by jitter; below 1 only on loopback.
    `page_timeout` bounds a whole page, `read_timeout` the silence between two pieces of it. A `Retry-After` above
    `longest_wait` ends the run instead. `contact` is told to the board as the address of whoever asks, "" for none.
    """

    interval: float = 2.0
    connect_timeout: float = 10.0
    read_timeout: float = 30.0
    page_timeout: float = 90.0
    max_bytes: int = 8 * 1024 * 1024
    attempts: int = 5
    back_off: float = 2.0
    longest_back_off: float = 60.0
    after_too_many: float = 60.0
    longest_wait: float = 600.0
    max_redirects: int = 5
    contact: str = ""


def utc_now() -> datetime:
    """The wall clock, aware."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the client takes from the world besides the network: waiting, two clocks (`now` is aware), and chance (0 to 1)."""

    sleep: Callable[[float], None] = time.sleep
    monotonic: Callable[[], float] = time.monotonic
    now: Callable[[], datetime] = utc_now
    chance: Callable[[], float] = random.random


class PassingFault(Exception):
    """Something that may be gone at the next attempt; `wait` in seconds where the board said how long, `error` for the end."""

    def __init__(self, error: BoardError, wait: float | None = None) -> None:
        super().__init__(str(error))
        self.error = error
        self.wait = wait


class Pace:
    """Keeps the pauses of one session."""

    def __init__(self, settings: Settings, world: Surroundings) -> None:
        self._settings = settings
        self._world = world
        self._last: float | None = None

    def wait(self) -> None:
        """Sleep until the next request may go out: `interval` after the last answer, and up to half as long again."""
        if self._last is None:
            return
        pause = self._settings.interval * (1 + self._world.chance() / 2) - (self._world.monotonic() - self._last)
        if pause > 0:
            log.debug("Waiting %.1f s before the next request.", pause)
            self._world.sleep(pause)

    def mark(self) -> None:
        """An answer has come, or has failed to: the pause is counted from here."""
        self._last = self._world.monotonic()

    def retrying(self) -> tenacity.Retrying:
        """Asks again after each PassingFault, up to `attempts` times in all, and raises the last."""
        import tenacity

        return tenacity.Retrying(
            stop=tenacity.stop_after_attempt(self._settings.attempts),
            wait=self._wait_after,
            retry=tenacity.retry_if_exception_type(PassingFault),
            before_sleep=self._log_wait,
            sleep=self._world.sleep,
            reraise=True,
        )

    def retry_after(self, response: Response) -> float | None:
        """Seconds that `Retry-After` asks for: a number, or a date, which is held against the board's own clock; None without."""
        text = response.header("Retry-After").strip()
        if text.isascii() and text.isdigit():
            return float(text)
        until = http_date(text)
        if until is None:
            return None
        return max(0.0, (until - (http_date(response.header("Date")) or self._world.now())).total_seconds())

    def _wait_after(self, state: tenacity.RetryCallState) -> float:
        fault = state.outcome.exception() if state.outcome else None
        if isinstance(fault, PassingFault) and fault.wait is not None:
            return fault.wait
        grown = self._settings.back_off * 2.0 ** (state.attempt_number - 1)
        return min(grown, self._settings.longest_back_off) * (1 + self._world.chance() / 4)

    def _log_wait(self, state: tenacity.RetryCallState) -> None:
        fault = state.outcome.exception() if state.outcome else None
        seconds = state.next_action.sleep if state.next_action else 0.0
        log.warning(
            phrase(
                "{error} Next try in {seconds:.1f} s ({nth} of {tries}).",
                error=fault.error if isinstance(fault, PassingFault) else fault,
                seconds=seconds,
                nth=state.attempt_number + 1,
                tries=self._settings.attempts,
            )
        )
