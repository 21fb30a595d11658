"""The part of `bansha doctor` that asks the board: the login, each thread, the zone, and who votes. It stores nothing.

Asked for is the first page of every thread, and as `fetch` would ask all of the vote thread of the day that is open or next.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from engine.counting import check_zone, count_game_day, open_archive, votes_of
from engine.derived import derive_facts
from engine.game import Game
from engine.ledger import Event
from engine.polling import Target, Watcher, poll_target
from engine.starting.health import Check, find, weigh, words
from engine.starting.threads import find_day
from scraper import errors
from scraper.errors import BanshaError, BoardError, LayoutError
from scraper.locked import is_locked
from scraper.phrases import phrase
from scraper.schedule import WHOLE, Span
from scraper.screen import Screen
from scraper.screens import check_response, is_signed_in, recognise
from tally.day import Day
from tally.finding import Finding

if TYPE_CHECKING:
    from scraper.archive import Archive
    from scraper.client import Client
    from scraper.response import Response

# Findings of a count that speak of the file rather than of the votes: strangers with ballots, names, the zone, the clock.
_OF_THE_FILE = ("B102", "B105", "B106", "A117", "A122")
_VOTES = phrase("投票帖")
_BOARD = phrase("论坛")
# Home pages of X, and of the boards before it.
_HOMES = ("forum.php", "index.php")
# Of a home page, which has many words: what surely is none.
_REFUSALS = (Screen.CLOSED, Screen.CHALLENGE, Screen.FIREWALL, Screen.DATABASE_DOWN, Screen.NO_SUCH_PAGE, Screen.LOGIN_WALL)


def check_board(
    game: Game,
    events: tuple[Event, ...],
    days: tuple[Day, ...],
    client: Client,
    database: Path,
    clock: Callable[[], datetime],
    watcher: Watcher,
) -> Iterator[Check]:
    """Every check of the board; the first answer that all its other pages would give too is the last."""
    threads = tuple(_list_threads(days))
    if not threads:
        yield from _check_home(client)
        return
    with open_archive(game, database) as archive:
        now = clock()
        whole = next((day for day in days if day.ends >= now), days[-1] if days else None)
        told_login = told_zone = False
        unread: set[int] = set()
        for tid, title, day in threads:
            what = phrase("第 {number} 天 {title} {tid}", number=day.number, title=title, tid=tid)
            try:
                response = client.fetch_page(tid, 1)
                archive.save_page(archive.begin_pass(tid, clock()), response, 1)
            except (BoardError, LayoutError) as error:
                yield explain(what, error)
                if isinstance(error, BoardError) and error.stops_run:
                    return
                unread.add(tid)
                continue
            if not told_login:
                told_login = True
                yield _check_login(response, client)
            yield from _check_thread(what, response, archive, tid, day, clock())
            if found := check_zone(game, archive.fetch_passes(tid)):
                yield from (weigh(phrase("时区"), finding) for finding in found)
            elif not told_zone:
                told_zone = True
                yield Check(phrase("时区"), phrase("页脚和 [forum] 的 timezone 一样，或没有写"))
        if whole is not None and whole.vote not in unread:
            yield from _check_ballots(game, events, whole, archive, client, clock, watcher)


def _list_threads(days: tuple[Day, ...]) -> Iterator[tuple[int, str, Day]]:
    """Each thread once: its tid, what it is, and the first day that names it."""
    seen: set[int] = set()
    for day in days:
        for tid, title in (
            (day.vote, _VOTES),
            *((one, phrase("讨论帖")) for one in day.discussion),
            (day.progress or 0, phrase("进程帖")),
        ):
            if tid and tid not in seen:
                seen.add(tid)
                yield tid, title, day


def _check_home(client: Client) -> Iterator[Check]:
    """Before there is a thread: whether the board answers, and as whom it sees the reader."""
    for last, home in enumerate(_HOMES, 1 - len(_HOMES)):
        try:
            response = client.fetch(client.board + home)
            if recognise(response.body, response.status, response.header("Content-Type")) in _REFUSALS:
                check_response(response)
        except BoardError as error:
            if not last or error.stops_run:
                yield explain(_BOARD, error)
                return
            continue
        yield Check(_BOARD, phrase("打得开"))
        yield _check_login(response, client)
        return


def _check_login(response: Response, client: Client) -> Check:
    what = phrase("登录")
    if not client.expects_login:
        return Check(what, phrase("以游客的身份在看，看得到"))
    if is_signed_in(response.body) is False:
        return find(what, "E445", exit_code=4)
    return Check(what, phrase("用登录的账号在看"))


def _check_thread(what: str, response: Response, archive: Archive, tid: int, day: Day, now: datetime) -> Iterator[Check]:
    """A thread that can be read: whether it is the right one, and takes replies while its day lasts."""
    titles = archive.fetch_titles(tid)
    title = titles[-1] if titles else ""
    found = []
    if (titled := find_day(title)) not in (None, day.number):
        found.append(find(what, "E453", titled=titled, day=day.number, title=title))
    if now < day.ends and is_locked(response.body):
        # A thread may wait behind its lock for the opening.
        waits = (("severity", "warning"),) if now < day.opens else ()
        found.append(weigh(what, Finding("E450", (("until", f"{day.ends:%m-%d %H:%M}"), *waits))))
    yield from found
    if not found:
        pages = archive.fetch_page_count(tid, now)
        yield Check(what, phrase("看得到，{pages} 页：{title}", pages=pages, title=title))


def _check_ballots(
    game: Game,
    events: tuple[Event, ...],
    day: Day,
    archive: Archive,
    client: Client,
    clock: Callable[[], datetime],
    watcher: Watcher,
) -> Iterator[Check]:
    """Who votes and is no player, and which names are nobody's: the whole vote thread of one day, counted and thrown away."""
    what = phrase("第 {number} 天的票", number=day.number)
    if not day.vote:
        return
    target = Target(day.vote, _VOTES, Span(day.opens, day.ends))
    outcome = poll_target(target, archive, client, WHOLE, clock=clock, watcher=watcher).outcome
    if outcome.errors:
        yield explain(what, outcome.errors[0])
        return
    try:
        counted = derive_facts(game, archive, events)
    except BanshaError as error:
        # As it would end every count; who votes is told all the same, by what game.toml says.
        yield find(phrase("文件"), "E430", exit_code=error.exit_code, told=True, problem=words(error))
        counted = game
    facts = counted.day(day.number)
    assert facts is not None
    found = [
        finding
        for vote in votes_of(counted, facts)
        for finding in count_game_day(counted, archive, events, vote).findings
        if finding.code in _OF_THE_FILE
    ]
    for finding in dict.fromkeys(found):
        yield weigh(what, finding, where=finding.source.floor if finding.source is not None else "", exit_code=0)
    if not found:
        yield Check(what, phrase("投票的都是玩家，名字都认得"))


def explain(what: str, error: BanshaError) -> Check:
    """The finding that an error of the board is."""
    match error:
        case errors.LoginWallError():
            code = "E446"
        case errors.SessionEndedError():
            return find(what, "E445", exit_code=error.exit_code)
        case errors.NoPermissionError():
            code = "E447"
        case errors.ThreadGoneError() | errors.NoSuchPageError():
            code = "E448"
        case errors.ThreadMovedError():
            code = "E449"
        case LayoutError():
            code = "E451"
        case BoardError():
            code = "E444" if error.stops_run else "E452"
        case _:
            # A file of the director's, such as his cookies.
            return find(what, "E430", exit_code=error.exit_code, told=True, problem=words(error))
    return find(what, code, exit_code=error.exit_code, problem=words(error))
