"""`bansha doctor`: a game file held against its board and its computer, before anything hangs on it. It stores nothing.

Each check says what is well, or what is not as a finding with a code, and how to mend it. What is asked of the board stands in
`engine.starting.boardcheck`.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from datetime import datetime
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

from engine.counting import read_events
from engine.days import DaysOverlapError
from engine.doors import DoorsOverlapError, move_days
from engine.game import Game, load_game
from engine.ledger import standing_events
from engine.polling import Watcher
from engine.privatefile import can_be_private
from engine.report.templating import check_templates
from engine.rulesets.compositions import check_composition
from engine.secrets import FILE as SECRETS
from engine.secrets import commit_seed
from engine.starting.boardcheck import check_board, explain
from engine.starting.health import Check, find, weigh, words
from engine.starting.syncing import find_mark, find_sync
from scraper.errors import BanshaError
from scraper.phrases import listing, phrase
from tally.day import Day

if TYPE_CHECKING:
    from scraper.client import Client

# Characters by which names differ on purpose: 狼甲 and 狼乙, 1号 and 2号.
_ORDINALS = set(
    "0123456789０１２３４５６７８９一二三四五六七八九十甲乙丙丁戊己庚辛壬癸ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)

# Two characters are too few to be a slip for each other: 饺子 and 包子.
_LONG_NAME = 3


def examine(
    path: Path,
    database: Path | None,
    open_client: Callable[[Game], Client],
    *,
    clock: Callable[[], datetime],
    watcher: Watcher,
) -> Iterator[Check]:
    """Every check, as it is made; the first that nothing can follow on is the last."""
    what = phrase("文件")
    try:
        game = load_game(path, before_days=True)
        events = read_events(game)
        days = move_days(game.days, standing_events(events))
    except (DaysOverlapError, DoorsOverlapError) as error:
        yield find(phrase("日程"), "E434", exit_code=error.exit_code, told=True, problem=words(error))
        return
    except BanshaError as error:
        yield find(what, "E430", exit_code=error.exit_code, told=True, problem=words(error))
        return
    yield Check(
        what,
        phrase("{title}：{players} 名玩家，{days} 天", title=game.title, players=len(game.roster.seats), days=len(days)),
    )
    yield from _check_days(days)
    yield from _check_names(game)
    yield from _check_place(game, database or game.database)
    yield from _check_secrets(game)
    yield from _check_templates(game)
    if not game.forum.url:
        yield find(phrase("论坛"), "E443", exit_code=2)
        return
    try:
        with open_client(game) as client, tempfile.TemporaryDirectory(prefix="bansha-") as folder:
            yield from check_board(game, events, days, client, Path(folder) / "look.db", clock, watcher)
    except BanshaError as error:
        yield explain(phrase("论坛"), error)


def _check_templates(game: Game) -> Iterator[Check]:
    """The director's own templates, where there are any."""
    what = phrase("模板")
    try:
        if found := check_templates(game):
            yield Check(what, phrase("{count} 个模板都读得懂", count=found))
    except BanshaError as error:
        yield find(what, "E456", exit_code=error.exit_code, told=True, problem=words(error))


def _check_days(days: tuple[Day, ...]) -> Iterator[Check]:
    """Days that overlap cannot be read at all; here, what may be a slip."""
    what = phrase("日程")
    if not days:
        yield find(what, "E431")
        return
    found = []
    numbers = [day.number for day in days]
    if missing := sorted({*range(numbers[0], numbers[-1])} - {*numbers}):
        found.append(find(what, "E432", days=listing(missing)))
    used: dict[int, int] = {}
    for day in days:
        if day.vote and used.setdefault(day.vote, day.number) != day.number:
            found.append(find(what, "E433", earlier=used[day.vote], day=day.number, tid=day.vote))
    yield from found
    if not found:
        yield Check(what, phrase("各天不重叠"))


def _check_names(game: Game) -> Iterator[Check]:
    what = phrase("名字")
    for one, other in combinations([seat.name for seat in game.roster.seats], 2):
        if _differ_by_one(one, other):
            yield find(what, "E435", one=one, other=other)
    if without := [seat.name for seat in game.roster.seats if seat.accounts[0].uid is None]:
        yield find(what, "E436", count=len(without))


def _differ_by_one(one: str, other: str) -> bool:
    if len(one) != len(other) or len(one) < _LONG_NAME:
        return False
    pairs = [(a, b) for a, b in zip(one, other, strict=True) if a != b]
    return len(pairs) == 1 and not {*pairs[0]} & _ORDINALS


def _check_place(game: Game, database: Path) -> Iterator[Check]:
    service = _find_service(database)
    if service is None:
        yield Check(phrase("数据库"), phrase("不在同步的文件夹里"))
    else:
        yield find(phrase("数据库"), "E437", path=database, service=service)
    secrets = game.path.parent / SECRETS
    if secrets.exists() and (service := _find_service(secrets)) is not None:
        yield find(phrase("秘密"), "E455", file=SECRETS, service=service)


def _find_service(file: Path) -> str | None:
    """Who carries a file away, by the folder that is written and by the one that it really is."""
    place = file.resolve()
    return find_sync(place, os.environ) or find_sync(file.absolute(), os.environ) or find_mark(place)


def _check_secrets(game: Game) -> Iterator[Check]:
    what = phrase("秘密")
    if game.exposed_secrets:
        yield find(what, "E438", file=SECRETS)
    cookies = game.forum.cookies or game.path.parent / "cookies.txt"
    if cookies.is_file() and os.name == "posix" and cookies.stat().st_mode & 0o077:
        yield find(what, "E438", file=cookies.name)
    if not can_be_private():
        yield from (find(what, "E454", file=one.name) for one in (game.path.parent / SECRETS, cookies) if one.is_file())
    secrets = game.secrets
    if not secrets.roles:
        yield find(what, "E439")
        return
    without = [seat.name for seat in game.roster.seats if seat.name not in secrets.roles]
    if without:
        yield find(what, "E440", count=len(without))
    if secrets.seed:
        own = commit_seed(secrets.seed)
        if game.seed_commitment == own:
            yield Check(what, phrase("种子和 seed_commitment 对得上"))
        else:
            yield find(what, "E441" if game.seed_commitment else "E442", own=own)
    cards = [*secrets.roles.values(), *secrets.spare]
    players = len(game.roster.seats)
    for finding in () if without else check_composition(game.ruleset, cards, players=players, switches=game.switches):
        yield weigh(phrase("配置"), finding)
