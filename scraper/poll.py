"""One plain pass over a thread, page after page; recorded passes (scraper/recording.py) go the same way.

No page that fails ends a pass: the rest is stored, and the pass says what is missing, so that no tally passes for whole.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from itertools import pairwise

from scraper.archive import Archive
from scraper.errors import BanshaError, BoardError, LayoutError
from scraper.passes import PageOutcome, PassId, PassOutcome
from scraper.response import Response

# Bounds the pass should a board promise one more page for ever.
MOST_PAGES = 20_000


# The flaw of a page that stops before its end (scraper/page.py).
_CUT_SHORT = "A120"


class WrongPageError(BoardError):
    """The board answered with another page than the one asked for, though that one exists."""


class CutPageError(BoardError):
    """The page stops before its end: what came of it is stored, but it counts as missing."""


def poll_thread(
    fetch_page: Callable[[int], Response],
    archive: Archive,
    tid: int,
    *,
    clock: Callable[[], datetime],
    expected: int = 1,
    keep_copies: bool = True,
) -> PassOutcome:
    """Make one pass: ask `fetch_page` for page 1 and what follows, and store each page as it comes.

    Each page that is read tells how many there are; until one does, as many are asked for as the archive knows of, or as
    `expected`. BoardError and LayoutError are about one page: it is noted as missing (with a copy of what came instead, for
    LayoutError and `keep_copies`), and the pass goes on, or ends where the error says that the other pages would meet the
    same. `clock` gives aware moments. Anything else that is raised leaves what was stored, and a pass without an end.
    """
    started_at = clock()
    pass_id = archive.begin_pass(tid, started_at)
    unknown = max(expected, archive.fetch_page_count(tid, started_at))
    outcomes: list[PageOutcome] = []
    errors: dict[int, BanshaError] = {}
    number, pages, stopped = 1, unknown, False
    while number <= min(pages, MOST_PAGES) and not stopped:
        response = None
        try:
            response = fetch_page(number)
            outcomes.append(archive.save_page(pass_id, response, number))
            pages = outcomes[-1].pages
            _check_outcome(outcomes[-1], response)
        except (BoardError, LayoutError) as error:
            errors[number] = _save_error(archive, pass_id, number, clock(), error, response, keep_copies)
            stopped = isinstance(error, BoardError) and error.stops_run
        number += 1
    seen = {outcome.number for outcome in outcomes} - errors.keys()
    missing = set(range(1, pages + 1)) - seen | errors.keys()
    why = _say_why(missing - errors.keys(), errors, [outcome.pages for outcome in outcomes])
    archive.end_pass(pass_id, clock(), pages=pages, complete=not why, why=why)
    return PassOutcome(
        tid,
        pages,
        tuple(sorted(seen)),
        tuple(sorted(missing)),
        not why,
        why,
        tuple(dict.fromkeys(pid for outcome in outcomes for pid in outcome.new)),
        tuple(dict.fromkeys(pid for outcome in outcomes for pid in outcome.changed)),
        tuple(errors.values()),
    )


def _check_outcome(outcome: PageOutcome, response: Response) -> None:
    """A page past the end answers with the last one, and then nothing is missing; any other wrong page, or half a page, is."""
    if outcome.number != outcome.asked <= outcome.pages:
        raise WrongPageError(f"{response.url}: page {outcome.asked} was asked for, and page {outcome.number} came.", response)
    if any(flaw.code == _CUT_SHORT for flaw in outcome.flaws):
        raise CutPageError(f"{response.url}: the page stops before its end; posts may be missing from it.", response)


def _save_error(
    archive: Archive,
    pass_id: PassId,
    number: int,
    at: datetime,
    error: BoardError | LayoutError,
    response: Response | None,
    keep: bool,
) -> BanshaError:
    """Note a page that failed; the error of an unknown layout then names the copy."""
    came = error.response or response
    unread = isinstance(error, LayoutError)
    copy = archive.save_miss(pass_id, number, at, str(error), came, keep=keep and unread)
    return LayoutError(f"{error} A copy is in {copy}.", came) if copy else error


def _say_why(unasked: Collection[int], errors: Mapping[int, BanshaError], told: Sequence[int]) -> str:
    """Why a pass is not complete, one reason a line; "" where it is. `told` is how many pages there were, page by page."""
    reasons = [f"page {number}: {error}" for number, error in sorted(errors.items())]
    if unasked:
        reasons.append(f"not asked for: page {', '.join(str(number) for number in sorted(unasked))}")
    if shrunk := [(before, after) for before, after in pairwise(told) if after < before]:
        reasons.append(
            f"the thread shrank from {shrunk[0][0]} pages to {shrunk[0][1]} meanwhile: posts may have moved past the reader"
        )
    return "\n".join(reasons)
