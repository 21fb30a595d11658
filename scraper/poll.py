"""One pass over a thread by a plan (scraper/schedule.py); recorded passes (scraper/recording.py) go the same way.

No page that fails ends a pass: the rest is stored, and the pass says what is missing, so that no tally passes for whole.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import pairwise

from scraper.archive import Archive
from scraper.errors import BanshaError, BoardError, CutPageError, LayoutError
from scraper.passes import Order, PageOutcome, PassId, PassOutcome
from scraper.phrases import lines, listing, phrase
from scraper.response import Response
from scraper.schedule import WHOLE, Aim, Course, Plan

# Bounds the pass should a board promise one more page for ever.
MOST_PAGES = 20_000


# The flaw of a page that stops before its end (scraper/page.py).
_CUT_SHORT = "A120"


class WrongPageError(BoardError):
    """The board answered with another page than the one asked for, though that one exists."""


class RepeatedPageError(BoardError):
    """The board answered with a page that calls itself the one asked for, and holds the posts of another."""


def poll_thread(
    fetch_page: Callable[[int], Response],
    archive: Archive,
    tid: int,
    *,
    clock: Callable[[], datetime],
    expected: int = 1,
    keep_copies: bool = True,
    plan: Plan = WHOLE,
    fetch_oldest_first: Callable[[int], Response] | None = None,
    watch: Callable[[PageOutcome], None] | None = None,
    recorded: bool = False,
) -> PassOutcome:
    """Make one pass: ask `fetch_page` for the pages that the plan says, and store each as it comes.

    Each page that is read tells how many there are; until one does, as many are asked for as the archive knows of, or as
    `expected`. BoardError and LayoutError are about one page: it is noted as missing (with a copy of what came instead, for
    LayoutError and `keep_copies`), and the pass goes on, or ends where the error says that the other pages would meet the
    same. `fetch_oldest_first` asks a board for the usual order in a thread that it shows newest first; the pass then starts
    again with it. `watch` is told of every page that is stored; of a `recorded` pass, whose pages are at hand for another time,
    several are written together, and nobody asks what became of each post: `PassOutcome.changes` stays empty. `clock` gives
    aware moments. Anything else that is raised leaves what was stored, and a pass without an end.
    """
    started_at = clock()
    unknown = max(expected, archive.fetch_page_count(tid, started_at))
    plan = replace(plan, pages=max(plan.pages, unknown) if plan.aim is Aim.WHOLE else plan.pages)
    fetch = fetch_oldest_first if fetch_oldest_first and plan.oldest_first else fetch_page
    pass_id = archive.begin_pass(tid, started_at, first=1 if plan.aim is Aim.WHOLE else plan.first)
    course = Course(plan)
    outcomes: list[PageOutcome] = []
    errors: dict[int, BanshaError] = {}
    met = _Met()
    stopped = False
    while not stopped and (number := course.next_page()) is not None and number <= MOST_PAGES:
        response, outcome = None, None
        try:
            response = fetch(number)
            outcome = archive.save_page(pass_id, response, number, gather=recorded)
            outcomes.append(outcome)
            if watch is not None:
                watch(outcome)
            _check_outcome(outcome, response, met)
            met.add(outcome)
        except (BoardError, LayoutError) as error:
            errors[number] = _save_error(archive, pass_id, number, clock(), error, response, keep_copies)
            stopped = isinstance(error, BoardError) and error.stops_run
        course.note(number, outcome, good=number not in errors)
        if fetch_oldest_first and fetch is not fetch_oldest_first and _is_reversed(outcome):
            # What came is kept; as the pages that the plan speaks of it says nothing.
            fetch, course, met = fetch_oldest_first, Course(plan), _Met()
    ended = _end_pass(archive, pass_id, tid, plan, outcomes, errors, clock())
    return ended if recorded else replace(ended, changes=archive.fetch_changes(pass_id, outcomes))


def _end_pass(
    archive: Archive,
    pass_id: PassId,
    tid: int,
    plan: Plan,
    outcomes: Sequence[PageOutcome],
    errors: Mapping[int, BanshaError],
    ended_at: datetime,
) -> PassOutcome:
    """Store how the pass ended, and gather what it brought."""
    told = [outcome.pages for outcome in outcomes]
    pages = told[-1] if told else max(plan.pages, 1)
    first = 1 if plan.aim is Aim.WHOLE else plan.first
    seen = {outcome.number for outcome in outcomes} - errors.keys()
    missing = set(range(first, pages + 1)) - seen - plan.gathered | errors.keys()
    why = _say_why(missing - errors.keys(), errors, told)
    complete = not why and seen >= set(range(1, pages + 1))
    archive.end_pass(pass_id, ended_at, pages=pages, complete=complete, why=why)
    return PassOutcome(
        tid,
        pages,
        tuple(sorted(seen)),
        tuple(sorted(missing)),
        complete,
        why,
        tuple(dict.fromkeys(pid for outcome in outcomes for pid in outcome.new)),
        tuple(dict.fromkeys(pid for outcome in outcomes for pid in outcome.changed)),
        tuple(errors.values()),
    )


def _check_outcome(outcome: PageOutcome, response: Response, met: _Met) -> None:
    """A page past the end answers with the last one, and then nothing is missing; any other wrong page, or half a page, is."""
    if outcome.number != outcome.asked <= outcome.pages:
        raise WrongPageError(
            phrase(
                "{url}: page {asked} was asked for, and page {number} came.",
                url=response.url,
                asked=outcome.asked,
                number=outcome.number,
            ),
            response,
        )
    if any(flaw.code == _CUT_SHORT for flaw in outcome.flaws):
        raise CutPageError(
            phrase("{url}: the page stops before its end; posts may be missing from it.", url=response.url), response
        )
    if (other := met.find_holder(outcome)) is not None:
        raise RepeatedPageError(
            phrase(
                "{url}: page {number} came with the posts of page {number2}; its own are missing.",
                url=response.url,
                number=outcome.number,
                number2=other.number,
            ),
            response,
        )


class _Met:
    """The pages that a pass has met in good state, by the posts that were on them."""

    def __init__(self) -> None:
        self._holders: dict[int, list[PageOutcome]] = {}

    def add(self, outcome: PageOutcome) -> None:
        """Remember a page."""
        for pid in outcome.pids:
            self._holders.setdefault(pid, []).append(outcome)

    def find_holder(self, outcome: PageOutcome) -> PageOutcome | None:
        """The first page of another number that holds every post of this one; None for none."""
        holders = self._holders.get(outcome.pids[0], ()) if outcome.pids else ()
        pids = set(outcome.pids)
        return next((other for other in holders if other.number != outcome.number and pids <= set(other.pids)), None)


def _is_reversed(outcome: PageOutcome | None) -> bool:
    return outcome is not None and outcome.look is not None and outcome.look.order is Order.FALLING


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
    copy = archive.save_miss(pass_id, number, at, error, came, keep=keep and unread)
    return LayoutError(phrase("{error} A copy is in {copy}.", error=error, copy=copy), came) if copy else error


def _say_why(unasked: Collection[int], errors: Mapping[int, BanshaError], told: Sequence[int]) -> str:
    """Why a pass did not get what it wanted, one reason a line; "" where it did. `told` is how many pages each page told."""
    reasons = [phrase("page {number}: {error}", number=number, error=error) for number, error in sorted(errors.items())]
    if unasked:
        reasons.append(phrase("not asked for: page {pages}", pages=listing(sorted(unasked))))
    if shrunk := [(before, after) for before, after in pairwise(told) if after < before]:
        reasons.append(
            phrase(
                "the thread shrank from {before} pages to {after} meanwhile: posts may have moved past the reader",
                before=shrunk[0][0],
                after=shrunk[0][1],
            )
        )
    return lines(reasons)
