"""From an archive, a game file and its ledger to one day's tally: everything that the count is given, gathered."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from engine.calendar import check_length
from engine.doors import move_days
from engine.game import Game
from engine.gamefile import suggest
from engine.judging import Progress, judge_day
from engine.ledger import Event, parse_ledger, standing_events
from engine.rulings import Directions, check_ledger, direct_day
from engine.sounds.directions import check_lines
from engine.textfile import read_text
from scraper.errors import UsageError
from scraper.passes import Pass
from scraper.post import History
from tally.day import Day
from tally.dayevent import DayEvent
from tally.finding import Finding
from tally.requests import Request
from tally.result import DayTally, Decision, Evidence

if TYPE_CHECKING:
    from scraper.archive import Archive
    from tally.explain import PostTrace


@dataclass(frozen=True, slots=True)
class Looks:
    """What the passes over a vote thread tell: the evidence around the close, whether it is complete, and the last look."""

    evidence: Evidence
    complete: bool
    seen_until: datetime | None


@dataclass(frozen=True, slots=True)
class Question:
    """Everything that one day's count, or the explanation of one voter, is given."""

    histories: tuple[History, ...]
    others: tuple[History, ...]
    directions: Directions
    looks: Looks
    findings: tuple[Finding, ...]
    events: tuple[DayEvent, ...] = ()
    requests: tuple[Request, ...] = ()


def open_archive(game: Game, path: Path) -> Archive:
    """The game's archive at a path; it is made where it does not exist. See `Archive.open`."""
    from scraper.archive import Archive

    return Archive.open(path, board=name_board(game.forum.url), zone=game.forum.zone)


def name_board(url: str) -> str:
    """The one name of a board in archives, however its address is written: two directors' archives, or an address that gained
    `www.` or TLS since, are of one board."""
    from scraper.address import bare_host

    if not url:
        return ""
    parts = urlsplit(url)
    port = f":{parts.port}" if parts.port else ""
    return f"https://{bare_host(parts.hostname or '')}{port}{parts.path}"


def read_events(game: Game) -> tuple[Event, ...]:
    """Every line of the ledger beside the game file, checked, or none where there is no ledger; see LedgerError."""
    if not game.ledger.exists():
        return ()
    events = parse_ledger(read_text(game.ledger), game.zone, str(game.ledger))
    check_ledger(game, standing_events(events))
    check_lines(game, standing_events(events))
    return events


def count_game_day(
    game: Game,
    archive: Archive,
    events: tuple[Event, ...],
    day: Day,
    *,
    as_of: datetime | str | None = None,
    known_at: datetime | None = None,
) -> DayTally:
    """Count one day of a game from its archive; `as_of` is a moment or a floor's label, `known_at` limits what was known."""
    from tally.count import count_day

    question = gather(game, archive, events, day, known_at, as_of)
    tally = count_day(
        question.histories,
        day=question.directions.day,
        roster=question.directions.roster,
        policy=game.policy,
        cards=game.cards,
        evidence=question.looks.evidence,
        complete=question.looks.complete,
        seen_until=question.looks.seen_until,
        rulings=question.directions.rulings,
        ledger_ballots=question.directions.ballots,
        other_threads=question.others,
        as_of=as_of,
        noted=question.findings,
    )
    return replace(
        tally,
        findings=(*tally.findings, *_disagreements(game, tally)),
        events=question.events,
        requests=question.requests,
    )


def explain_game_seat(
    game: Game, archive: Archive, events: tuple[Event, ...], day: Day, seat: str, *, known_at: datetime | None = None
) -> tuple[PostTrace, ...]:
    """Why each post of one voter counted or did not, from the same things as the count."""
    from tally.explain import explain_seat

    question = gather(game, archive, events, day, known_at)
    return explain_seat(
        question.histories,
        seat=seat,
        day=question.directions.day,
        roster=question.directions.roster,
        policy=game.policy,
        cards=game.cards,
        evidence=question.looks.evidence,
        complete=question.looks.complete,
        seen_until=question.looks.seen_until,
        rulings=question.directions.rulings,
        ledger_ballots=question.directions.ballots,
        other_threads=question.others,
    )


def find_seat(game: Game, written: str) -> str:
    """The seat that a director means by a word on the command line; UsageError with the nearest names for none."""
    from tally.names import index_names

    match = index_names(game.roster).find(written)
    if match is not None and match.seat is not None:
        return match.seat
    names = [seat.name for seat in game.roster.seats]
    raise UsageError(f"没有叫 {written!r} 的玩家。改法：{suggest(written, names)}。")


def gather(
    game: Game,
    archive: Archive,
    events: tuple[Event, ...],
    day: Day,
    known_at: datetime | None = None,
    as_of: datetime | str | None = None,
) -> Question:
    """Read from the archive and the ledger what a count of one day needs; `day` is one of the game file's."""
    from tally.window import find_cut

    standing = standing_events(events, known_at)
    days = move_days(game.days, standing)
    moved = next(one for one in days if one.number == day.number)
    directions = direct_day(game, standing, day)
    passes = archive.fetch_passes(day.vote, known_at=known_at)
    looks = judge_looks(passes, moved)
    threads = {
        tid: tuple(_fetch(days, archive, moved, tid, known_at))
        for tid in dict.fromkeys((day.vote, *day.discussion, *(() if day.progress is None else (day.progress,))))
    }
    cut = find_cut(as_of, threads[day.vote])
    progress = None
    if day.progress is not None:
        progress = Progress(threads[day.progress], archive.fetch_passes(day.progress, known_at=known_at))
    judged = judge_day(game, directions, progress, known_until=looks.seen_until, until=cut[0] if cut else None)
    flaws = tuple(
        Finding(seen.flaw.code, (*seen.flaw.parameters, ("tid", str(seen.tid)), ("page", str(seen.number))))
        for seen in archive.fetch_page_flaws(day.vote, known_at=known_at)
    )
    as_written = not moved.moved and (moved.opens, moved.closes) == (day.opens, day.closes)
    length = check_length(day, game.length, written=game.calendar.written) if as_written else ()
    return Question(
        histories=threads[day.vote],
        others=tuple(chain.from_iterable(histories for tid, histories in threads.items() if tid != day.vote)),
        directions=replace(directions, day=judged.day),
        looks=looks,
        findings=(*flaws, *_zone_findings(game, passes), *directions.findings, *judged.findings, *length),
        events=judged.events,
        requests=judged.requests,
    )


def _fetch(days: tuple[Day, ...], archive: Archive, day: Day, tid: int, known_at: datetime | None) -> Iterable[History]:
    """The posts of a thread that belong to this day: where days share it, from the close before to the opening after."""
    sharing = [other for other in days if other.number != day.number and tid in (other.vote, other.progress, *other.discussion)]
    closed = [other.ends for other in sharing if other.ends <= day.opens]
    opened = [other.opens for other in sharing if other.opens >= day.closes]
    since = max(closed) + timedelta(seconds=1) if closed else None
    return archive.fetch_histories(tid, known_at=known_at, since=since, until=min(opened) if opened else None)


def judge_looks(passes: tuple[Pass, ...], day: Day) -> Looks:
    """What the passes over a vote thread are worth for one day.

    A pass that got no page at all is no look. A window that is over is complete once one pass that began after the close got
    every page: whatever a later pass lacked cannot hold a vote of the window that this one did not. While the window is open
    only the last pass tells.
    """
    looked = [one for one in passes if one.seen]
    before = [one.started_at for one in looked if one.started_at <= day.ends]
    after = [one for one in looked if one.started_at > day.ends]
    telling = after or looked[-1:]
    complete = any(one.complete for one in telling)
    missing: set[int] = set()
    if not complete and telling:
        seen = {page for one in telling for page in one.seen}
        missing = set(telling[-1].missing) - seen or set(telling[-1].missing)
    evidence = Evidence(before[-1] if before else None, after[0].started_at if after else None, tuple(sorted(missing)))
    return Looks(evidence, complete, looked[-1].started_at if looked else None)


def _zone_findings(game: Game, passes: tuple[Pass, ...]) -> tuple[Finding, ...]:
    """A board that prints another zone than the game file says moves every ballot by hours."""
    told = next(((one.zone, one.started_at) for one in reversed(passes) if one.zone is not None), None)
    if told is None:
        return ()
    offset = told[1].astimezone(game.forum.zone).utcoffset()
    hours = offset.total_seconds() / 3600 if offset is not None else 0.0
    if hours == told[0]:
        return ()
    return (Finding("B303", (("printed", f"GMT{told[0]:+g}"), ("set", f"GMT{hours:+g}"))),)


def _disagreements(game: Game, tally: DayTally) -> tuple[Finding, ...]:
    """Where a final verdict and what the game file says of the next day do not fit together."""
    following = game.day(tally.day + 1)
    if following is None or not tally.final:
        return ()
    gone = {out.name for out in following.out}
    parameters = (("day", str(following.number)),)
    match tally.verdict.decision:
        case Decision.SHERIFF if following.sheriff is not None:
            # A sheriff who went out in the night has handed the badge on.
            wrong = [seat for seat in tally.verdict.seats if seat not in (following.sheriff, *gone)]
            return tuple(Finding("E105", (*parameters, ("seat", seat)), seat=seat) for seat in wrong)
        case Decision.EXILE:
            wrong = [seat for seat in tally.verdict.seats if seat not in gone]
            return tuple(Finding("E106", (*parameters, ("seat", seat)), seat=seat) for seat in wrong)
        case _:
            return ()
