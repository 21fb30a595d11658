"""`fetch` and `poll`: the commands that read a board."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import typer

from engine.cli.common import AsJson, DatabasePath, DayNumber, GamePath, choose_day, finish, print_json
from engine.cli.progress import Watch
from scraper.phrases import phrase

if TYPE_CHECKING:
    from http.cookiejar import CookieJar
    from pathlib import Path

    from engine.game import Game
    from engine.polling import Polled
    from scraper.client import Client
    from scraper.pace import Settings

# What shells expect of a program that Ctrl-C ended.
INTERRUPTED = 130
# The file of a login, beside the game file.
COOKIES = "cookies.txt"


def fetch(game: GamePath, day: DayNumber = None, as_json: AsJson = False, db: DatabasePath = None) -> None:
    """把一天的帖子从头到尾看一遍，存进数据库（一页一页，不快不慢）。"""
    from engine.counting import open_archive, read_events
    from engine.game import load_game
    from engine.polling import list_targets, poll_target
    from scraper.pace import utc_now
    from scraper.schedule import WHOLE

    loaded = load_game(game)
    chosen = choose_day(loaded, day, utc_now)
    targets = list_targets(loaded, read_events(loaded), chosen.number)
    passes: list[Polled] = []
    with (
        open_client(loaded) as client,
        open_archive(loaded, db or loaded.database) as archive,
        Watch(chosen.number) as watch,
        interruptible(watch),
    ):
        for target in targets:
            passes.append(poll_target(target, archive, client, WHOLE, clock=utc_now, watcher=watch))
            tell_pass(passes[-1], watch, as_json=as_json)
            if passes[-1].refused:
                break
    _finish(passes, as_json=as_json)


def poll(game: GamePath, day: DayNumber = None, as_json: AsJson = False, db: DatabasePath = None) -> None:
    """看一眼一天的帖子：最后一页和新的页，再轮流看一页旧的；截票以后把每一页再看两遍。"""
    from engine.counting import open_archive, read_events
    from engine.game import load_game
    from engine.polling import list_targets, list_unswept, poll_day
    from scraper.pace import utc_now

    loaded = load_game(game)
    chosen = choose_day(loaded, day, utc_now)
    events = read_events(loaded)
    passes: list[Polled] = []
    with (
        open_client(loaded) as client,
        open_archive(loaded, db or loaded.database) as archive,
        Watch(chosen.number) as watch,
        interruptible(watch),
    ):
        targets = list_targets(loaded, events, chosen.number)
        for polled in poll_day(targets, archive, client, clock=utc_now, watcher=watch):
            passes.append(polled)
            tell_pass(polled, watch, as_json=as_json)
        for number in list_unswept(loaded, events, archive, utc_now()):
            if number != chosen.number:
                watch.say(
                    phrase(
                        "第 {number} 天已经截票，截票以后还没有看全：bansha poll {game} --day {number}", number=number, game=game
                    )
                )
    _finish(passes, as_json=as_json)


def open_client(game: Game) -> Client:
    """A session with the game's board, with the cookies of a login where there are some; UsageError where no board is named."""
    return open_session(game, cookies=load_cookies(game))


def open_session(game: Game, *, cookies: CookieJar | None = None) -> Client:
    """A session with the game's board; UsageError where no board is named."""
    from scraper.client import Client
    from scraper.errors import UsageError

    if not game.forum.url:
        raise UsageError(
            phrase('{path}: 不知道是哪个论坛。改法：加两行 [forum] 和 url = "https://bbs.example.net/"。', path=game.path)
        )
    return Client(game.forum.url, settings=read_manners(game.forum.interval), cookies=cookies, api=game.forum.api)


def open_board(board: str, *, interval: float | None = None, cookies: CookieJar | None = None) -> Client:
    """A session with a board for which there is no game file yet."""
    from scraper.client import Client

    return Client(board, settings=read_manners(interval), cookies=cookies)


def read_manners(interval: float | None = None) -> Settings:
    """How to ask a board: `interval` seconds apart (None: the default), under the contact of the director's own settings."""
    from scraper.agent import read_contact
    from scraper.pace import Settings

    contact = read_contact(os.environ.get("BANSHA_CONTACT", ""))
    return Settings(contact=contact) if interval is None else Settings(interval=interval, contact=contact)


def cookies_path(game: Game) -> Path:
    """Where the cookies of the game's account are, or will be after `bansha login`."""
    return game.forum.cookies or game.path.parent / COOKIES


def load_cookies(game: Game) -> CookieJar | None:
    """The cookies that game.toml names, else those of a login beside it; None for a guest."""
    from scraper.cookies import read_cookies

    path = cookies_path(game)
    return read_cookies(path, game.forum.url) if game.forum.cookies or path.exists() else None


@contextmanager
def interruptible(watch: Watch) -> Iterator[None]:
    """Ctrl-C ends the command with a line that says what is stored."""
    try:
        yield
    except KeyboardInterrupt:
        watch.say(
            phrase(
                "停下了（Ctrl-C）：看到的 {stored} 页都已存好，这一遍没有看完；再运行一次，就从没看到的接着看。",
                stored=watch.stored,
            )
        )
        raise typer.Exit(INTERRUPTED) from None


def tell_pass(polled: Polled, watch: Watch, *, as_json: bool) -> None:
    """What one pass brought, as soon as it ends."""
    for error in polled.outcome.errors:
        watch.say(phrase("{title} {tid}: {error}", title=polled.target.title, tid=polled.target.tid, error=error))
    if not as_json:
        from engine.report.lines import write_lines
        from engine.report.passes import describe_pass

        write_lines(describe_pass(polled))


def _finish(passes: list[Polled], *, as_json: bool) -> None:
    if as_json:
        from engine.report.passes import pass_value

        print_json([pass_value(polled) for polled in passes])
    finish(polled.outcome.exit_code for polled in passes)
