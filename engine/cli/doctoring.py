"""`doctor`: whether a game file, its board and its computer fit together."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from engine.cli.common import AsJson, DatabasePath, GameHere, finish, print_json
from engine.language import load_catalogue, say_finding
from scraper.phrases import phrase, translate
from tally.advice import advise

if TYPE_CHECKING:
    from engine.report.values import Json
    from engine.starting.health import Check


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
    finish(one.exit_code for one in checks)


def _value(check: Check) -> Json:
    """A check as JSON, which is Chinese wherever it is read."""
    lookup = load_catalogue("zh")
    words = {"what": check.what, "text": _say(check), "fix": _fix(check)}
    code = check.finding.code if check.finding is not None else ""
    return {"code": code, **{key: translate(text, lookup) for key, text in words.items()}, "health": check.health.value}


def _say(check: Check) -> str:
    """What was found, with the floor where there is one."""
    if check.finding is None:
        return check.text
    said = say_finding(check.finding)
    return phrase("{where} {said}", where=check.where, said=said) if check.where else said


def _fix(check: Check) -> str:
    """What to do about it; nothing where all is well, or the words say it themselves."""
    return advise(check.finding.code) if check.finding is not None and not check.told else ""


def _tell(check: Check) -> None:
    """A line: a mark that is no colour alone, what was looked at, the code, what was found, what to do."""
    from engine.report.lines import write_lines
    from engine.starting.health import Health

    mark = {Health.GOOD: phrase("好  "), Health.LOOK: phrase("请看"), Health.BAD: phrase("不行")}[check.health]
    text = _say(check)
    if check.finding is not None:
        text = phrase("[{code}] {text}", code=check.finding.code, text=text)
    fix = phrase("。改法：{fix}", fix=_fix(check)) if _fix(check) else ""
    write_lines([phrase("{mark} {what}：{text}{fix}", mark=mark, what=check.what, text=text, fix=fix)])
    sys.stdout.flush()
