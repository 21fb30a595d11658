"""From an archive, a game file and its ledger to one day's tally: everything that the count is given, gathered."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
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
from engine.language import load_catalogue
from engine.ledger import Event, parse_ledger, standing_events
from engine.looks import Looks, judge_looks, look_at_ledger, was_seen_whole
from engine.nextday import find_disagreements
from engine.penalties import read_marks
from engine.rulings import Directions, check_ledger, direct_day
from engine.sounds.directions import check_lines
from engine.textfile import read_text
from engine.votefacts import list_votes, vote_of
from engine.votetable import read_table
from engine.voting import check_rows, check_votes, find_close
from scraper.errors import UsageError
from scraper.passes import Pass
from scraper.pause import without_collecting
from scraper.phrases import phrase
from scraper.post import History
from tally.day import Day
from tally.dayevent import DayEvent
from tally.finding import Finding
from tally.penalties import settle_cards
from tally.requests import Request
from tally.result import DayTally
from tally.ruling import Ruling, RulingKind

if TYPE_CHECKING:
    from scraper.archive import Archive
    from tally.explain import PostTrace


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
    unread: tuple[int, ...] = ()


def open_archive(game: Game, path: Path) -> Archive:
    """The game's archive at a path; it is made where it does not exist. See `Archive.open`."""
    from scraper.archive import Archive

    return Archive.open(path, board=name_board(game.forum.url), zone=game.forum.zone, lookup=load_catalogue("zh"))


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
    """Every line of the ledger beside the game file, checked, or none where there is no ledger; see LedgerError.

    The rows of votes.csv are checked too: whatever is wrong is said before anything is counted.
    """
    rows = read_table(game.vote_table, game.zone)
    check_rows(game, rows)
    check_votes(game, rows)
    if not game.ledger.exists():
        return ()
    events = parse_ledger(read_text(game.ledger), game.zone, str(game.ledger))
    check_ledger(game, standing_events(events))
    check_lines(game, standing_events(events))
    read_marks(game, standing_events(events))
    return events


@without_collecting()
def count_game_day(
    game: Game,
    archive: Archive,
    events: tuple[Event, ...],
    day: Day,
    *,
    as_of: datetime | str | None = None,
    known_at: datetime | None = None,
) -> DayTally:
    """Count one vote of a day of a game from its archive: the day's own, or the one whose name `day.poll` is (`votes_of`).

    `as_of` is a moment or a floor's label, `known_at` limits what was known.
    """
    return count_question(game, events, gather(game, archive, events, day, known_at, as_of), as_of=as_of, known_at=known_at)


def count_question(
    game: Game,
    events: tuple[Event, ...],
    question: Question,
    *,
    as_of: datetime | str | None = None,
    known_at: datetime | None = None,
) -> DayTally:
    """Count one vote from what was gathered for it, under the same `as_of` and `known_at`; the archive must be open still."""
    from tally.count import count_day

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
        seed=game.secrets.seed,
        unread=question.unread,
    )
    marks = read_marks(game, standing_events(events, known_at))
    judged = tally.complete and not tally.poll and tally.as_of >= (tally.closes or tally.as_of)
    cards, more = settle_cards(tally.cards, marks, tally.day, game.cards) if judged else (tally.cards, ())
    return replace(
        tally,
        cards=cards,
        findings=(*tally.findings, *more, *find_disagreements(game, tally)),
        events=question.events,
        requests=question.requests,
    )


@without_collecting()
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


def votes_of(game: Game, day: Day) -> tuple[Day, ...]:
    """Every vote of a day of the game file, in order: most have one, 断言 three, 面杀 an election or a second vote beside it."""
    return list_votes(day, game.rounds.get(day.number, ()), game.policy)


def find_seat(game: Game, written: str) -> str:
    """The seat that a director means by a word on the command line; UsageError with the nearest names for none."""
    from tally.names import index_names

    match = index_names(game.roster).find(written)
    if match is not None and match.seat is not None:
        return match.seat
    names = [seat.name for seat in game.roster.seats]
    raise UsageError(phrase("没有叫 {written!r} 的玩家。改法：{written2}。", written=written, written2=suggest(written, names)))


def gather(
    game: Game,
    archive: Archive,
    events: tuple[Event, ...],
    day: Day,
    known_at: datetime | None = None,
    as_of: datetime | str | None = None,
) -> Question:
    """Read from the archive and the ledger what a count of one vote needs; `day` is one of the game file's (or `votes_of` it)."""
    from tally.names import Book
    from tally.ruled import ruled_names
    from tally.window import find_cut

    standing = standing_events(events, known_at)
    table = standing_events(read_table(game.vote_table, game.zone), known_at)
    days = [one for main in move_days(game.days, standing) for one in votes_of(game, main)]
    moved = next(one for one in days if (one.number, one.poll) == (day.number, day.poll))
    main = game.day(day.number)
    assert main is not None
    directions = direct_day(game, standing, main, table)
    if day.poll:
        directions = replace(directions, day=vote_of(directions.day, game.rounds.get(day.number, ()), game.policy, day.poll))
    day = moved if day.poll else day
    passes = archive.fetch_passes(day.vote, known_at=known_at) if day.vote else ()
    looks = judge_looks(passes, moved) if day.vote else look_at_ledger(find_close(game, (*standing, *table), moved))
    # What a ballot cannot do without is looked for while the words are at hand: most posts are chat, and need no second look.
    names = ruled_names(directions.rulings, directions.roster)
    glance = Book(directions.roster, game.policy.target, names).whole.glance
    threads = {
        tid: tuple(_fetch(days, archive, moved, tid, known_at, glance))
        for tid in dict.fromkeys((day.vote, *day.discussion, *(() if day.progress is None else (day.progress,))))
        if tid
    }
    threads.setdefault(day.vote, ())
    cut = find_cut(as_of, threads[day.vote])
    progress = None
    if day.progress is not None:
        progress = Progress(threads[day.progress], archive.fetch_passes(day.progress, known_at=known_at))
    judged = judge_day(game, directions, progress, known_until=looks.seen_until, until=cut[0] if cut else None)
    flaws = tuple(
        Finding(seen.flaw.code, (*seen.flaw.parameters, ("tid", str(seen.tid)), ("page", str(seen.number))))
        for seen in archive.fetch_page_flaws(day.vote, known_at=known_at)
    )
    rulings = tuple(_rulings_here(directions.rulings, threads[day.vote], moved, days))
    as_written = not moved.moved and (moved.opens, moved.closes) == (day.opens, day.closes)
    length = check_length(day, game.length, written=game.calendar.written) if as_written else ()
    return Question(
        histories=threads[day.vote],
        others=tuple(chain.from_iterable(histories for tid, histories in threads.items() if tid != day.vote)),
        directions=replace(directions, day=judged.day, rulings=rulings),
        looks=looks,
        findings=(
            *flaws,
            *check_zone(game, passes),
            *directions.findings,
            *judged.findings,
            *length,
            *_untold(game, day),
            *_noted(game, day),
        ),
        events=judged.events,
        requests=judged.requests,
        unread=tuple(tid for tid in day.discussion if tid != day.vote and not _was_read(archive, tid, moved, known_at)),
    )


def _rulings_here(rulings: tuple[Ruling, ...], histories: Sequence[History], day: Day, days: Sequence[Day]) -> Iterator[Ruling]:
    """The rulings that are about this vote: where a day has several, those on posts of the others are not missed here."""
    if not any(other.number == day.number and other.poll != day.poll for other in days):
        yield from rulings
        return
    pids = {history.first.pid for history in histories}
    for ruling in rulings:
        if ruling.kind not in (RulingKind.COUNT_AS, RulingKind.VOID) or ruling.pid in pids:
            yield ruling


def _untold(game: Game, day: Day) -> Iterator[Finding]:
    """The seats that are out, or have used 装傻, while nobody has told which number or vest votes may not name any more."""
    gone = {out.name for out in day.out}
    for seat in game.untold.get(day.number, ()):
        yield Finding("B407" if seat in gone else "B408", (("seat", seat),), seat)


def _noted(game: Game, day: Day) -> tuple[Finding, ...]:
    """What is to be said of the day's facts, at the day's own vote, or at the first where each camp has one."""
    own = game.policy.polls[0]
    return game.noted.get(day.number, ()) if day.poll == (own.name if own.role else "") else ()


def _was_read(archive: Archive, tid: int, day: Day, known_at: datetime | None) -> bool:
    """Whether a thread was seen whole since the close."""
    return was_seen_whole(archive.fetch_passes(tid, known_at=known_at), day, day.ends)


def _fetch(
    days: Sequence[Day], archive: Archive, day: Day, tid: int, known_at: datetime | None, glance: re.Pattern[str]
) -> Iterable[History]:
    """The posts of a thread that belong to this day: where days share it, from the close before to the opening after."""
    sharing = [
        other
        for other in days
        if (other.number, other.opens) != (day.number, day.opens)
        and tid in ((other.vote,) if other.number == day.number else (other.vote, other.progress, *other.discussion))
    ]
    closed = [other.ends for other in sharing if other.ends <= day.opens]
    opened = [other.opens for other in sharing if other.opens >= day.closes]
    since = max(closed) + timedelta(seconds=1) if closed else None
    until = min(opened) if opened else None
    return archive.fetch_histories(tid, known_at=known_at, since=since, until=until, glance=glance)


def check_zone(game: Game, passes: tuple[Pass, ...]) -> tuple[Finding, ...]:
    """A board that prints another zone than the game file says moves every ballot by hours."""
    told = next(((one.zone, one.started_at) for one in reversed(passes) if one.zone is not None), None)
    if told is None:
        return ()
    offset = told[1].astimezone(game.forum.zone).utcoffset()
    hours = offset.total_seconds() / 3600 if offset is not None else 0.0
    if hours == told[0]:
        return ()
    return (Finding("B303", (("printed", f"GMT{told[0]:+g}"), ("set", f"GMT{hours:+g}"))),)
