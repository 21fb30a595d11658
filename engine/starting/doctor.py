"""`bansha doctor`: a game file held against its board and its computer, before anything hangs on it. It stores nothing.

Each check says what is well, what to look at, or what is wrong and how to mend it. The board is asked for the first page of every
thread, and for all of the vote thread of the day that is open or comes next, as `fetch` would ask.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

from engine.counting import check_zone, count_game_day, open_archive, read_events, votes_of
from engine.derived import derive_facts
from engine.doors import move_days
from engine.game import Game, load_game
from engine.language import say_finding
from engine.ledger import Event, standing_events
from engine.polling import Target, Watcher, poll_target
from engine.rulesets.compositions import check_composition
from engine.secrets import commit_seed
from engine.starting.syncing import find_mark, find_sync
from scraper.errors import BanshaError, BoardError, LayoutError
from scraper.phrases import listing, phrase
from scraper.schedule import WHOLE, Span
from scraper.screens import is_signed_in
from tally.advice import advise
from tally.day import Day
from tally.finding import Finding, Severity, severity

if TYPE_CHECKING:
    from scraper.archive import Archive
    from scraper.client import Client
    from scraper.response import Response

# Findings of a count that speak of the file rather than of the votes: strangers with ballots, names, the zone, the clock.
_OF_THE_FILE = ("B102", "B105", "B106", "A117", "A122")
# Characters by which names differ on purpose: 狼甲 and 狼乙, 1号 and 2号.
_ORDINALS = set(
    "0123456789０１２３４５６７８９一二三四五六七八九十甲乙丙丁戊己庚辛壬癸ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)

# Two characters are too few to be a slip for each other: 饺子 and 包子.
_LONG_NAME = 3


class Health(StrEnum):
    """How a check came out."""

    GOOD = "good"
    LOOK = "look"
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at: what, how it is, what was found, what to do; `code` is the exit code where it is bad."""

    what: str
    health: Health
    text: str
    fix: str = ""
    code: int = 0


def examine(
    path: Path,
    database: Path | None,
    open_client: Callable[[Game], Client],
    *,
    clock: Callable[[], datetime],
    watcher: Watcher,
) -> Iterator[Check]:
    """Every check, as it is made; the first that nothing can follow on is the last."""
    try:
        game = load_game(path, before_days=True)
        events = read_events(game)
        days = move_days(game.days, standing_events(events))
    except BanshaError as error:
        yield Check(phrase("文件"), Health.BAD, _words(error), code=error.exit_code)
        return
    yield Check(
        phrase("文件"),
        Health.GOOD,
        phrase("{title}：{players} 名玩家，{days} 天", title=game.title, players=len(game.roster.seats), days=len(days)),
    )
    yield from _check_days(game, days)
    yield from _check_names(game)
    yield from _check_place(database or game.database)
    yield from _check_secrets(game)
    if not game.forum.url:
        yield Check(phrase("论坛"), Health.BAD, phrase("game.toml 没有写是哪个论坛"), phrase("在 [forum] 写 url"), 2)
        return
    try:
        with open_client(game) as client, tempfile.TemporaryDirectory(prefix="bansha-") as folder:
            yield from _check_board(game, events, days, client, Path(folder) / "look.db", clock, watcher)
    except BanshaError as error:
        yield Check(phrase("论坛"), Health.BAD, _words(error), code=error.exit_code)


def _check_days(game: Game, days: tuple[Day, ...]) -> Iterator[Check]:
    """Days that overlap cannot be read at all; here, what may be a slip."""
    what = phrase("日程")
    if not days:
        yield Check(what, Health.LOOK, phrase("还没有哪一天"), phrase("bansha day 1 --vote URL"))
        return
    numbers = [day.number for day in days]
    missing = sorted(set(range(numbers[0], numbers[-1])) - set(numbers))
    if missing:
        named = listing(missing)
        yield Check(what, Health.LOOK, phrase("没有第 {days} 天", days=named), phrase("补上 [[day]]"))
    used: dict[int, int] = {}
    for day in days:
        if day.vote and used.setdefault(day.vote, day.number) != day.number:
            earlier = used[day.vote]
            yield Check(
                what,
                Health.LOOK,
                phrase("第 {number} 天和第 {earlier} 天是同一个投票帖 {tid}", number=day.number, earlier=earlier, tid=day.vote),
                phrase("各用一帖的话，改 vote"),
            )
    if not missing:
        yield Check(what, Health.GOOD, phrase("各天不重叠"))


def _check_names(game: Game) -> Iterator[Check]:
    what = phrase("名字")
    near = [
        (one, other) for one, other in combinations([seat.name for seat in game.roster.seats], 2) if _differ_by_one(one, other)
    ]
    for one, other in near:
        yield Check(
            what,
            Health.LOOK,
            phrase("{one} 和 {other} 只差一个字", one=one, other=other),
            phrase("若有一个是打错的，改 [[player]] 的 name；若都对，票里写错一个字就会成另一个人"),
        )
    without = [seat.name for seat in game.roster.seats if seat.accounts[0].uid is None]
    if without:
        yield Check(
            what,
            Health.LOOK,
            phrase("{count} 名玩家没有写 uid：改了账号名就认不出", count=len(without)),
            phrase("在 [[player]] 写 uid = …（个人页地址里的数字）"),
        )


def _differ_by_one(one: str, other: str) -> bool:
    if len(one) != len(other) or len(one) < _LONG_NAME:
        return False
    pairs = [(a, b) for a, b in zip(one, other, strict=True) if a != b]
    return len(pairs) == 1 and not {*pairs[0]} & _ORDINALS


def _check_place(database: Path) -> Iterator[Check]:
    what = phrase("数据库")
    place = database.resolve()
    service = find_sync(place, os.environ) or find_mark(place)
    if service is None:
        yield Check(what, Health.GOOD, phrase("不在同步的文件夹里"))
        return
    yield Check(
        what,
        Health.BAD,
        phrase("{path} 在 {service} 的文件夹里：同步和写入撞在一起会坏", path=database, service=service),
        phrase("把整局移到不同步的文件夹，或每次加 --db 写到别处"),
        1,
    )


def _check_secrets(game: Game) -> Iterator[Check]:
    what = phrase("秘密")
    if game.exposed_secrets:
        yield Check(what, Health.BAD, phrase("secrets.toml 别的用户也能读"), phrase("chmod 600 secrets.toml"), 1)
    cookies = game.forum.cookies or game.path.parent / "cookies.txt"
    if cookies.is_file() and os.name == "posix" and cookies.stat().st_mode & 0o077:
        yield Check(what, Health.BAD, phrase("{name} 别的用户也能读", name=cookies.name), phrase("chmod 600 它"), 1)
    secrets = game.secrets
    if not secrets.roles:
        yield Check(what, Health.LOOK, phrase("还没有发牌"), phrase("bansha deal；只计票就不用"))
        return
    without = [seat.name for seat in game.roster.seats if seat.name not in secrets.roles]
    if without:
        yield Check(what, Health.BAD, phrase("{count} 名玩家没有身份", count=len(without)), phrase("在 secrets.toml 写 role"), 1)
    if secrets.seed and game.seed_commitment != commit_seed(secrets.seed):
        fix = phrase("改回发牌时写下的那一行；bansha deal 写的是种子的 SHA-256")
        yield Check(what, Health.BAD, phrase("seed_commitment 和种子对不上"), fix, 1)
    elif secrets.seed:
        yield Check(what, Health.GOOD, phrase("种子和 seed_commitment 对得上"))
    cards = [*secrets.roles.values(), *secrets.spare]
    players = len(game.roster.seats)
    for finding in () if without else check_composition(game.ruleset, cards, players=players, switches=game.switches):
        yield _as_check(phrase("配置"), finding)


def _as_check(what: str, finding: Finding) -> Check:
    wrong = severity(finding) is Severity.ERROR
    text = phrase("{code} {sentence}", code=finding.code, sentence=say_finding(finding))
    return Check(what, Health.BAD if wrong else Health.LOOK, text, advise(finding.code), int(wrong))


def _check_board(
    game: Game,
    events: tuple[Event, ...],
    days: tuple[Day, ...],
    client: Client,
    database: Path,
    clock: Callable[[], datetime],
    watcher: Watcher,
) -> Iterator[Check]:
    with open_archive(game, database) as archive:
        now = clock()
        whole = next((day for day in days if day.ends >= now), days[-1] if days else None)
        told_login = False
        for tid, title, number in _list_threads(days):
            what = phrase("第 {number} 天 {title} {tid}", number=number, title=title, tid=tid)
            try:
                response = client.fetch_page(tid, 1)
                archive.save_page(archive.begin_pass(tid, clock()), response, 1)
            except (BoardError, LayoutError) as error:
                yield Check(what, Health.BAD, _words(error), advise_board(error), error.exit_code)
                if isinstance(error, BoardError) and error.stops_run:
                    return
                continue
            if not told_login:
                told_login = True
                yield _check_login(response, client)
            pages = archive.fetch_page_count(tid, clock())
            titles = archive.fetch_titles(tid)
            yield Check(what, Health.GOOD, phrase("看得到，{pages} 页：{title}", pages=pages, title=titles[-1] if titles else ""))
            if found := check_zone(game, archive.fetch_passes(tid)):
                yield from (_as_check(phrase("时区"), finding) for finding in found)
            elif title == _VOTES and number == days[0].number:
                yield Check(phrase("时区"), Health.GOOD, phrase("页脚和 [forum] 的 timezone 一样，或没有写"))
        if whole is not None:
            yield from _check_ballots(game, events, whole, archive, client, clock, watcher)


_VOTES = phrase("投票帖")


def _list_threads(days: tuple[Day, ...]) -> Iterator[tuple[int, str, int]]:
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
                yield tid, title, day.number


def _check_login(response: Response, client: Client) -> Check:
    what = phrase("登录")
    signed = is_signed_in(response.body)
    if client.expects_login:
        if signed is False:
            return Check(what, Health.BAD, phrase("带了 cookie，论坛却当作游客"), phrase("bansha login 再登录一次"), 4)
        return Check(what, Health.GOOD, phrase("用登录的账号在看"))
    return Check(what, Health.GOOD, phrase("以游客的身份在看，看得到"))


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
    poll_target(Target(day.vote, _VOTES, Span(day.opens, day.ends)), archive, client, WHOLE, clock=clock, watcher=watcher)
    counted = game
    with suppress(BanshaError):
        counted = derive_facts(game, archive, events)
    facts = counted.day(day.number)
    assert facts is not None
    found = [
        finding
        for vote in votes_of(counted, facts)
        for finding in count_game_day(counted, archive, events, vote).findings
        if finding.code in _OF_THE_FILE
    ]
    for finding in dict.fromkeys(found):
        where = f"{finding.source.floor} " if finding.source is not None else ""
        yield Check(
            what,
            Health.LOOK,
            phrase("{where}{code} {sentence}", where=where, code=finding.code, sentence=say_finding(finding)),
            advise(finding.code),
        )
    if not found:
        yield Check(what, Health.GOOD, phrase("投票的都是玩家，名字都认得"))


def _words(error: BanshaError) -> str:
    """The sentence of an error, which may still be said in another language."""
    return error.args[0] if error.args and isinstance(error.args[0], str) else str(error)


def advise_board(error: BanshaError) -> str:
    """What to do about a thread that cannot be read."""
    from scraper.errors import LoginWallError, NoPermissionError, SessionEndedError, ThreadGoneError

    match error:
        case LoginWallError() | SessionEndedError():
            return phrase("bansha login，或在 [forum] 写 cookies")
        case NoPermissionError():
            return phrase("换一个看得到这一帖的账号")
        case ThreadGoneError():
            return phrase("检查 tid；帖子可能被移走或删除")
        case _:
            return ""
