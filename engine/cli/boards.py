"""`fetch`: the one command of these that talks to a board."""

from __future__ import annotations

import logging
import sys
from typing import TYPE_CHECKING

from engine.cli.common import AsJson, DatabasePath, DayNumber, GamePath, choose_day, finish, print_json, say

if TYPE_CHECKING:
    from engine.report.values import Json
    from scraper.passes import PassOutcome
    from scraper.response import Response


def fetch(game: GamePath, day: DayNumber = None, as_json: AsJson = False, db: DatabasePath = None) -> None:
    """把一天的帖子从头到尾看一遍，存进数据库（一页一页，不快不慢）。"""
    from engine.counting import open_archive
    from engine.game import load_game
    from scraper.client import Client
    from scraper.cookies import read_cookies
    from scraper.errors import BoardError, UsageError
    from scraper.pace import Settings, utc_now
    from scraper.poll import poll_thread

    loaded = load_game(game)
    board = loaded.forum.url
    if not board:
        raise UsageError(f'{loaded.path}: 不知道是哪个论坛。改法：加两行 [forum] 和 url = "https://bbs.example.net/"。')
    chosen = choose_day(loaded, day, utc_now)
    cookies = read_cookies(loaded.forum.cookies, board) if loaded.forum.cookies else None
    logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="bansha: %(message)s")
    threads = {chosen.vote: "投票帖", **{tid: "讨论帖" for tid in chosen.discussion if tid != chosen.vote}}
    if chosen.progress is not None:
        threads.setdefault(chosen.progress, "进程帖")
    outcomes: list[PassOutcome] = []
    with (
        open_archive(loaded, db or loaded.database) as archive,
        Client(board, settings=Settings(interval=loaded.forum.interval), cookies=cookies) as client,
    ):
        for tid, title in threads.items():

            def fetch_page(page: int, tid: int = tid, title: str = title) -> Response:
                say(f"bansha: 第 {chosen.number} 天 {title} {tid}，第 {page} 页")
                return client.fetch_page(tid, page)

            outcome = poll_thread(fetch_page, archive, tid, clock=utc_now)
            outcomes.append(outcome)
            for error in outcome.errors:
                say(f"bansha: {title} {tid}: {error}")
            if not as_json:
                sys.stdout.write(f"{_describe(outcome, title)}\n")
            if any(isinstance(error, BoardError) and error.stops_run for error in outcome.errors):
                break
    if as_json:
        print_json([_value(outcome) for outcome in outcomes])
    finish(outcome.exit_code for outcome in outcomes)


def _describe(outcome: PassOutcome, title: str) -> str:
    pages = f"{len(outcome.seen)}/{outcome.pages} 页"
    state = "完整" if outcome.complete else f"不完整：{outcome.why}"
    return f"{title} {outcome.tid}：{pages}，新帖 {len(outcome.new)}，有改动 {len(outcome.changed)}，{state}"


def _value(outcome: PassOutcome) -> Json:
    return {
        "tid": outcome.tid,
        "pages": outcome.pages,
        "seen": list(outcome.seen),
        "missing": list(outcome.missing),
        "complete": outcome.complete,
        "why": outcome.why,
        "new": list(outcome.new),
        "changed": list(outcome.changed),
        "errors": [str(error) for error in outcome.errors],
    }
