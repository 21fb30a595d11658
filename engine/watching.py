"""`bansha watch`: looks at a day's threads by schedule until it is over and swept. Clock, sleep and screen are arguments.

Everything that it knows lies in the archive and in the director's files, which it reads anew at every look: it may be ended and
begun again at any moment, by a signal, a power cut, or a laptop that sleeps. What nobody looked at meanwhile is told as a gap.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from engine.counting import count_game_day, open_archive, votes_of
from engine.derived import derive_facts
from engine.game import Game
from engine.ledger import Event
from engine.polling import VOTES, Polled, Target, Watcher, list_targets, list_unswept, poll_day
from engine.report.values import tally_value
from engine.store import save_tallies
from scraper.coverage import count_sweeps
from scraper.errors import ArchiveError, LoginWallError, NoPermissionError, ThreadGoneError, UsageError
from scraper.phrases import phrase
from scraper.schedule import SWEEPS
from tally.day import Day
from tally.result import DayTally

if TYPE_CHECKING:
    from scraper.archive import Archive
    from scraper.client import Client

_HOUR = timedelta(hours=1)
# Sleep is cut into pieces: a computer that was asleep notices soon after it wakes. On Windows Ctrl-Break and the closing of the
# window are heard only between two pieces, and there are five seconds to answer the latter.
_PIECE = 1.0 if sys.platform == "win32" else 30.0
# How often the files are read while the next day is awaited, in seconds.
_READING = 60.0
# So much later than meant, and the computer slept.
_OVERSLEPT = timedelta(minutes=2)
# How long, in seconds, anything is awaited that may never come.
PATIENCE = 7 * 86400.0
# What a board answers of one thread: it is there, and would answer of others.
_OF_ONE_THREAD = (ThreadGoneError, NoPermissionError, LoginWallError)
# A database that another program holds is tried again; one that cannot be written at all is not.
_MOST_FAILURES = 5


@dataclass(frozen=True, slots=True)
class Rhythm:
    """How often to look, in seconds: usually, in the last hour, and while the board gives no answer.

    `before` is how long before the close the last look of the open day is, `after` how long after it the sweep begins: clocks of
    boards are not exact. `patience` is how long anything is awaited that may never come: the opening of a day, a board that does
    not answer once the day is over, the next day. `others` is how long the sweep of the other threads is awaited once the votes
    are swept, and `long` after which time an outage is asked about as seldom as usual.
    """

    usual: float = 1800.0
    last_hour: float = 300.0
    outage: float = 120.0
    before: float = 45.0
    after: float = 60.0
    patience: float = PATIENCE
    others: float = 1800.0
    long: float = 3600.0


@dataclass(frozen=True, slots=True)
class Look:
    """One round: what it brought, the count after it, and when the next one is (None: it was the last).

    `unread` are the threads that were never read whole after the close, though the watch has ended: empty where it may go on.
    """

    game: Game
    day: Day
    at: datetime
    polled: tuple[Polled, ...]
    tallies: tuple[DayTally, ...]
    digests: tuple[str, ...]
    next_at: datetime | None
    unread: tuple[Target, ...] = ()

    @property
    def answered(self) -> bool:
        """Whether the board gave any page, or said of a thread that it may not be read."""
        return _has_answered(self.polled)


@dataclass(frozen=True, slots=True)
class Gap:
    """A time in which nobody looked: from the last look before it to the first one behind."""

    since: datetime | None
    until: datetime


class Screen(Protocol):
    """Who is shown how the watch goes on."""

    def say(self, text: str) -> None:
        """A line about the work."""

    def show(self, look: Look) -> None:
        """The table after a look."""


Load = Callable[[], tuple[Game, tuple[Event, ...]]]


def watch(
    load: Load,
    number: int | None,
    database: Path | None,
    open_client: Callable[[Game], Client],
    *,
    clock: Callable[[], datetime],
    sleep: Callable[[float], None],
    screen: Screen,
    watcher: Watcher,
    rhythm: Rhythm | None = None,
) -> Look:
    """Look at a day until it is over and every page was swept; the last look, which holds the final count.

    `load` reads game file and ledger; where they cannot be read any more (the director is writing them) the last ones hold.
    Whatever ends the process leaves all that was seen. It ends by itself: at the latest `rhythm.patience` after the close (or
    after it began, where that is later). UsageError where there is nothing to watch, or the opening is farther off than that.
    """
    rhythm = rhythm or Rhythm()
    begun = clock()
    answered_at = begun
    game, events = load()
    chosen = choose_watched(game, events, number, database or game.database, clock())
    if not list_targets(game, events, chosen):
        raise UsageError(phrase("第 {number} 天没有写帖子，没有什么可看。改法：bansha day {number} --vote URL。", number=chosen))
    failures = 0
    with open_client(game) as client:
        while True:
            try:
                game, events = load()
            except UsageError as error:
                screen.say(phrase("{error}（先照上一次读到的接着看）", error=error))
            day = _find_day(game, chosen)
            if clock() < day.opens:
                if (day.opens - clock()).total_seconds() > rhythm.patience:
                    raise UsageError(
                        phrase(
                            "第 {number} 天 {at} 才开门，等不了那么久。改法：快开门时再运行，或把 --patience 写大些。",
                            number=day.number,
                            at=_tell(day.opens, game),
                        )
                    )
                screen.say(phrase("第 {number} 天 {at} 开门，到时开始看。", number=day.number, at=_tell(day.opens, game)))
                sleep_until(day.opens, clock, sleep)
                continue
            try:
                look = look_once(
                    game,
                    events,
                    day,
                    database or game.database,
                    client,
                    clock=clock,
                    watcher=watcher,
                    rhythm=rhythm,
                    begun=begun,
                    answered_at=answered_at,
                )
                failures = 0
            except ArchiveError as error:
                failures += 1
                if failures == _MOST_FAILURES:
                    raise
                screen.say(phrase("{error}（过一会儿再试）", error=error))
                sleep_until(clock() + timedelta(seconds=rhythm.outage), clock, sleep)
                continue
            answered_at = look.at if look.answered else answered_at
            screen.show(look)
            if look.next_at is None:
                return look
            if not look.answered:
                screen.say(phrase("论坛没有回答，{at} 再看。", at=_tell(look.next_at, game)))
            woke = sleep_until(look.next_at, clock, sleep)
            if woke - look.next_at > _OVERSLEPT:
                screen.say(
                    phrase(
                        "电脑睡着了：{since} 到 {until} 没有看，这段时间里改过又改回、发了又删的帖子看不到。",
                        since=_tell(look.at, game),
                        until=_tell(woke, game),
                    )
                )


def wait_for_next(
    load: Load,
    done: int,
    database: Path | None,
    *,
    clock: Callable[[], datetime],
    sleep: Callable[[float], None],
    screen: Screen,
    patience: float = PATIENCE,
) -> int | None:
    """The number of the day after one that was watched to its end, once game.toml has it; None where the game is over.

    Between the days the files are read every minute: the director opens the next day, or his ledger has a winner. So too
    where neither has happened for `patience` seconds: the game was left.
    """
    told, zone = False, None
    until = clock() + timedelta(seconds=patience)
    while True:
        try:
            game, events = load()
        except UsageError as error:
            screen.say(phrase("{error}（过一会儿再读）", error=error))
        else:
            zone = game.zone
            following = [day.number for day in game.days if day.number > done]
            if following:
                return following[0]
            if _has_ended(game, events, database or game.database):
                return None
        if clock() >= until:
            screen.say(phrase("等了 {days:g} 天也没有开下一天，不等了；开了以后再运行 bansha watch。", days=patience / 86400))
            return None
        if not told:
            told = True
            line = phrase(
                "第 {number} 天看完了；{until} 以前开了下一天（bansha day）就接着看，Ctrl-C 停下。",
                number=done,
                until=f"{until.astimezone(zone):%m-%d %H:%M}",
            )
            screen.say(line)
        sleep_until(min(clock() + timedelta(seconds=_READING), until), clock, sleep)


def _has_ended(game: Game, events: tuple[Event, ...], database: Path) -> bool:
    """Whether game.toml says so, or the ledger has a winner."""
    if game.ended or not database.is_file():
        return game.ended
    with open_archive(game, database) as archive:
        return derive_facts(game, archive, events).ended


def choose_watched(game: Game, events: tuple[Event, ...], number: int | None, database: Path, now: datetime) -> int:
    """The day to watch: the one asked for, else the one that is open, one whose close was never swept, the next, or the last."""
    if number is not None:
        if game.day(number) is None:
            raise UsageError(phrase("{path}: 没有第 {number} 天。改法：先 bansha day {number}。", path=game.path, number=number))
        return number
    ends = {day.number: _end_of(list_targets(game, events, day.number), day) for day in game.days}
    opened = [day.number for day in game.days if day.opens <= now <= ends[day.number]]
    if opened:
        return opened[-1]
    if database.is_file():
        with open_archive(game, database) as archive:
            if unswept := list_unswept(game, events, archive, now):
                return unswept[-1]
    following = [day.number for day in game.days if day.opens > now]
    return following[0] if following else game.days[-1].number


def look_once(
    game: Game,
    events: tuple[Event, ...],
    day: Day,
    database: Path,
    client: Client,
    *,
    clock: Callable[[], datetime],
    watcher: Watcher,
    rhythm: Rhythm,
    begun: datetime,
    answered_at: datetime,
) -> Look:
    """One round over the threads of a day, and its count, which is stored.

    `begun` is when the watch began, `answered_at` when the board last gave a page.
    """
    targets = list_targets(game, events, day.number)
    with open_archive(game, database) as archive:
        polled = tuple(poll_day(targets, archive, client, clock=clock, watcher=watcher))
        counted = derive_facts(game, archive, events)
        facts = _find_day(counted, day.number)
        tallies = tuple(count_game_day(counted, archive, events, vote) for vote in votes_of(counted, facts))
        save_tallies(archive, counted, tallies, events)
        now, ends = clock(), _end_of(targets, facts)
        unread = tuple(target for target in targets if not is_swept(archive, (target,), now))
        over = max(ends, begun)
        if not unread or _is_enough(unread, now - over, rhythm):
            next_at = None
        else:
            silent = not _has_answered(polled)
            if silent and (now - answered_at).total_seconds() > rhythm.long:
                rhythm = replace(rhythm, outage=rhythm.usual if now <= ends else rhythm.last_hour)
            next_at = plan_next(now, ends, rhythm, refused=silent)
    digests = tuple(str(tally_value(tally, counted)["digest"]) for tally in tallies)
    return Look(counted, facts, now, polled, tallies, digests, next_at, unread if next_at is None else ())


def _has_answered(polled: Sequence[Polled]) -> bool:
    return not polled or any(
        one.outcome.seen or (one.outcome.errors and all(isinstance(error, _OF_ONE_THREAD) for error in one.outcome.errors))
        for one in polled
    )


def _is_enough(unread: Sequence[Target], since: timedelta, rhythm: Rhythm) -> bool:
    """Whether these threads are waited for no longer, so long after the day was over: the votes longer than all others."""
    limit = rhythm.patience if any(target.title == VOTES for target in unread) else min(rhythm.others, rhythm.patience)
    return since.total_seconds() > limit


def is_swept(archive: Archive, targets: Sequence[Target], now: datetime) -> bool:
    """Whether the time of every thread is over, and each was read whole since as often as that takes."""
    return all(
        now > target.span.until
        and count_sweeps(archive.fetch_passes(target.tid), target.span.since, target.span.until).done >= SWEEPS
        for target in targets
    )


def plan_next(now: datetime, ends: datetime, rhythm: Rhythm, *, refused: bool = False) -> datetime:
    """When to look again: denser in the last hour, once shortly before the close, and shortly behind it."""
    if now > ends:
        return max(now + timedelta(seconds=rhythm.outage), ends + timedelta(seconds=rhythm.after))
    last, sweep = ends - timedelta(seconds=rhythm.before), ends + timedelta(seconds=rhythm.after)
    dense = ends - _HOUR
    step = rhythm.usual if now < dense else rhythm.last_hour
    wanted = now + timedelta(seconds=min(step, rhythm.outage) if refused else step)
    if now < dense:
        return min(wanted, dense)
    if now < last:
        # A look that would fall into the last moments is put off to the very last.
        return wanted if wanted < last else last
    return sweep


def sleep_until(moment: datetime, clock: Callable[[], datetime], sleep: Callable[[float], None]) -> datetime:
    """Sleep until the wall clock says so, whatever the computer's own clock did meanwhile; when it woke."""
    while (left := (moment - clock()).total_seconds()) > 0:
        sleep(min(left, _PIECE))
    return clock()


def find_gap(look: Look) -> Gap | None:
    """The time around the close in which nobody looked; None while nobody has looked since."""
    evidence = next((tally.evidence for tally in look.tallies if tally.evidence.first_pass_after_close is not None), None)
    if evidence is None or evidence.first_pass_after_close is None:
        return None
    return Gap(evidence.last_pass_before_close, evidence.first_pass_after_close)


def _find_day(game: Game, number: int) -> Day:
    day = game.day(number)
    if day is None:
        raise UsageError(phrase("{path}: 没有第 {number} 天。改法：先 bansha day {number}。", path=game.path, number=number))
    return day


def _end_of(targets: Sequence[Target], day: Day) -> datetime:
    """When the day is over, by its votes."""
    return max((target.span.until for target in targets if target.title == VOTES), default=day.ends)


def _tell(moment: datetime, game: Game) -> str:
    return f"{moment.astimezone(game.zone):%m-%d %H:%M:%S}"
