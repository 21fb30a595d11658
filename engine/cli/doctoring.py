"""`doctor`: whether a game file, its board and its computer fit together."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from engine.cli.common import AsJson, DatabasePath, GameHere, finish, print_json
from engine.language import load_catalogue
from scraper.phrases import phrase, translate

if TYPE_CHECKING:
    from engine.report.values import Json
    from engine.starting.doctor import Check


def doctor(game: GameHere = Path(), as_json: AsJson = False, db: DatabasePath = None) -> None:
    """看一遍哪里不对：登录、帖子打不打得开、时区、陌生的投票人、写错的名字、重叠的日程、会坏的数据库位置。什么也不改。"""
    import scraper.pace
    from engine.cli.boards import open_client
    from engine.cli.progress import Watch
    from engine.starting.doctor import examine

    checks: list[Check] = []
    with Watch() as watch:
        for check in examine(game, db, open_client, clock=scraper.pace.utc_now, watcher=watch):
            checks.append(check)
            if not as_json:
                _tell(check)
    if as_json:
        print_json([_value(one) for one in checks])
    finish(one.code for one in checks)


def _value(check: Check) -> Json:
    """A check as JSON, which is Chinese wherever it is read."""
    lookup = load_catalogue("zh")
    words = {"what": check.what, "text": check.text, "fix": check.fix}
    return {**{key: translate(text, lookup) for key, text in words.items()}, "health": check.health.value}


def _tell(check: Check) -> None:
    """A line: a mark that is no colour alone, what was looked at, what was found, what to do."""
    from engine.report.lines import write_lines
    from engine.starting.doctor import Health

    mark = {Health.GOOD: phrase("好  "), Health.LOOK: phrase("请看"), Health.BAD: phrase("不行")}[check.health]
    fix = phrase("。改法：{fix}", fix=check.fix) if check.fix else ""
    write_lines([phrase("{mark} {what}：{text}{fix}", mark=mark, what=check.what, text=check.text, fix=fix)])
    sys.stdout.flush()
