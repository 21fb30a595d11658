"""`check`: what chanted players posted against the rule. It reads the database and never fetches."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from engine.cli.common import (
    AsJson,
    DatabasePath,
    GamePath,
    choose_day,
    finish,
    keep_typed,
    open_known,
    print_json,
    read_moment,
    say,
    shows_everything,
    warn_exposed,
)
from engine.cli.words import _
from scraper.phrases import phrase

ForDay = Annotated[int | None, typer.Option("--day", metavar="N", help=_("只看第几天；不写就是整局。"))]
ForSeat = Annotated[str | None, typer.Option("--player", metavar="SEAT", help=_("只看一名玩家，写名字或别名。"))]


def check(
    context: typer.Context,
    game: GamePath,
    day: ForDay = None,
    player: ForSeat = None,
    known_at: Annotated[
        str | None, typer.Option("--known-at", metavar="TIME", help=_("只用那一刻已看到的证据和已录入的裁定。"))
    ] = None,
    notes: Annotated[bool, typer.Option("--notes", help=_("备查的也逐条列出。"))] = False,
    as_json: AsJson = False,
    as_html: Annotated[bool, typer.Option("--html", help=_("输出一个单独的网页。"))] = False,
    as_bbcode: Annotated[bool, typer.Option("--bbcode", help=_("输出可以直接发的裁定帖（只有违规和裁定）。"))] = False,
    db: DatabasePath = None,
) -> None:
    """查被吹笛的玩家发的每一帖：有没有规定之外的字，像不像密码。"""
    from engine.counting import find_seat, read_events
    from engine.derived import derive_facts
    from engine.game import load_game
    from engine.report.sounds.values import check_value
    from engine.sounds.check import check_game, limit_check
    from engine.store import save_speech
    from scraper.errors import ArchiveError, UsageError
    from tally.finding import Severity

    as_json, as_html, as_bbcode = keep_typed(context, "as_json", "as_html", "as_bbcode")
    if as_json + as_html + as_bbcode > 1:
        raise UsageError(phrase("--json、--html、--bbcode 只能用一个。改法：分几次运行。"))
    loaded = load_game(game)
    warn_exposed(loaded)
    events = read_events(loaded)
    number = None if day is None else choose_day(loaded, day, lambda: None).number
    seat = None if player is None else find_seat(loaded, player)
    known = read_moment(known_at, loaded, "--known-at")
    with open_known(loaded, db) as archive:
        loaded = derive_facts(loaded, archive, events, known)
        whole = check_game(loaded, archive, events, known_at=known)
        if known is None:
            try:
                save_speech(archive, whole)
            except ArchiveError as error:
                say(phrase("bansha: 结果没有存进数据库：{error}", error=error))
    result = limit_check(whole, day=number, seat=seat)
    if as_json:
        print_json(check_value(result, loaded, day=number, seat=seat))
    elif as_html:
        from engine.report.sounds.html import write_html

        page = write_html(result, loaded, day=number)
        sys.stdout.write(page if shows_everything(sys.stdout) else page.encode("ascii", "xmlcharrefreplace").decode("ascii"))
    elif as_bbcode:
        from engine.report.sounds.bbcode import write_bbcode

        sys.stdout.write(write_bbcode(result, loaded, day=number))
        if suspects := result.count(Severity.WARNING):
            say(
                phrase(
                    "bansha: 另有 {suspects} 帖可疑，没有写进去：用账本的 `裁定 发言` 定了是合规还是违规才会写。",
                    suspects=suspects,
                )
            )
    else:
        from engine.language import choose_language
        from engine.report.sounds.terminal import print_check
        from engine.report.sounds.words import CheckWords
        from engine.report.terminal import make_console

        print_check(make_console(), result, loaded, CheckWords(choose_language()), day=number, notes=notes)
    finish([1 if result.count(Severity.ERROR) else 0])
