"""What the passes over a thread are worth as evidence for one day: when it was looked at, and whether that was all of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from scraper.coverage import count_sweeps, first_page, latest_looks, take_stock
from scraper.passes import Pass
from tally.day import Day
from tally.result import Evidence


@dataclass(frozen=True, slots=True)
class Looks:
    """What the passes over a vote thread tell: the evidence around the close, whether it is complete, and the last look."""

    evidence: Evidence
    complete: bool
    seen_until: datetime | None


def judge_looks(passes: Sequence[Pass], day: Day) -> Looks:
    """What the passes over a vote thread are worth for one day.

    A pass that got no page at all is no look. A window that is over is complete once every page that can hold a post of it was
    read after the close: by one pass, or by several between which nothing moved; whatever a later pass lacked cannot hold a vote
    of the window that this one did not. While the window is open, and until the first look after it, it is complete where no
    page of it was missed by the last look that wanted it. A pass began when the slower of two clocks says so, ours and the
    board's: posts may still come in for the window by a board whose clock is behind.
    """
    looked = [one for one in passes if one.seen]
    opens = min([day.opens, *(limits.opens for limits in day.moved)])
    before = [one.began_at for one in looked if one.began_at <= day.ends]
    after = [one.began_at for one in looked if one.began_at > day.ends]
    missing: tuple[int, ...] = ()
    if after:
        sweeps = count_sweeps(looked, opens, day.ends)
        complete = sweeps.done > 0
        if not complete:
            first = first_page(latest_looks(looked), opens)
            missing = tuple(page for page in sweeps.missing if page >= first) or sweeps.missing
    else:
        stock = take_stock(looked, opens)
        complete = stock is not None and not stock.gaps
        missing = stock.gaps if stock else ()
    evidence = Evidence(before[-1] if before else None, after[0] if after else None, missing)
    return Looks(evidence, complete, looked[-1].began_at if looked else None)


def look_at_ledger(closed_at: datetime | None) -> Looks:
    """What there is to see of a vote without a thread: all of it, and that it is over once the director has closed it."""
    return Looks(Evidence(None, None), complete=True, seen_until=closed_at)


def was_seen_whole(passes: Sequence[Pass], day: Day, moment: datetime) -> bool:
    """Whether a thread was seen whole since a moment: no post of the day up to then can be missing."""
    looks = judge_looks(passes, replace(day, closes=moment, moved=()))
    return looks.complete and looks.evidence.first_pass_after_close is not None
