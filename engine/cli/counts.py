"""`tally` and `explain`: they read the database and never fetch."""

from __future__ import annotations

from typing import Annotated

import typer

from engine.cli.common import (
    AsJson,
    DatabasePath,
    DayNumber,
    GamePath,
    choose_day,
    finish,
    last_look,
    open_known,
    parse_moment,
    print_json,
    read_moment,
    say,
    tally_code,
    warn_exposed,
)

KnownAt = Annotated[str | None, typer.Option("--known-at", metavar="TIME", help="只用那一刻已看到的证据和已录入的裁定。")]


def tally(
    game: GamePath,
    day: DayNumber = None,
    as_of: Annotated[str | None, typer.Option("--as-of", metavar="TIME|FLOOR", help="只算到那一刻或那一楼（含）的帖子。")] = None,
    known_at: KnownAt = None,
    as_json: AsJson = False,
    db: DatabasePath = None,
) -> None:
    """计一天的票：谁出局，每一票算不算，为什么。"""
    from engine.counting import count_game_day, read_events, votes_of
    from engine.derived import derive_facts
    from engine.game import load_game
    from engine.report.values import tally_value
    from engine.store import save_tallies
    from scraper.errors import ArchiveError

    loaded = load_game(game)
    warn_exposed(loaded)
    events = read_events(loaded)
    until = parse_moment(as_of, loaded) or _floor(as_of) if as_of is not None else None
    known = read_moment(known_at, loaded, "--known-at")
    with open_known(loaded, db) as archive:
        loaded = derive_facts(loaded, archive, events, known)
        chosen = choose_day(loaded, day, lambda: last_look(loaded, archive, known))
        # A day has one vote, in some systems several: each is counted by itself.
        results = [
            count_game_day(loaded, archive, events, vote, as_of=until, known_at=known) for vote in votes_of(loaded, chosen)
        ]
        if until is None and known is None:
            try:
                save_tallies(archive, loaded, results, events)
            except ArchiveError as error:
                say(f"bansha: 结果没有存进数据库：{error}")
    if as_json:
        values = [tally_value(result, loaded) for result in results]
        print_json(values[0] if len(values) == 1 else [*values])
    else:
        from engine.report.terminal import make_console, print_tally
        from engine.report.words import Words, choose_language

        for result in results:
            print_tally(make_console(), result, loaded, Words(choose_language()))
    finish(tally_code(result) for result in results)


def explain(
    game: GamePath,
    seat: Annotated[str, typer.Argument(metavar="SEAT", help="玩家的名字或别名。")],
    day: DayNumber = None,
    known_at: KnownAt = None,
    as_json: AsJson = False,
    db: DatabasePath = None,
) -> None:
    """说明一名玩家的每一帖为什么算、为什么不算。"""
    from engine.counting import explain_game_seat, find_seat, read_events, votes_of
    from engine.derived import derive_facts
    from engine.game import load_game
    from engine.report.explaining import print_traces, traces_value

    loaded = load_game(game)
    warn_exposed(loaded)
    events = read_events(loaded)
    name = find_seat(loaded, seat)
    known = read_moment(known_at, loaded, "--known-at")
    with open_known(loaded, db) as archive:
        loaded = derive_facts(loaded, archive, events, known)
        chosen = choose_day(loaded, day, lambda: last_look(loaded, archive, known))
        votes = votes_of(loaded, chosen)
        traces = tuple(
            trace for vote in votes for trace in explain_game_seat(loaded, archive, events, vote, name, known_at=known)
        )
    if as_json:
        print_json(traces_value(traces, loaded, chosen, name))
    else:
        from engine.report.terminal import make_console
        from engine.report.words import Words, choose_language

        print_traces(make_console(), traces, loaded, chosen, name, Words(choose_language()))


def _floor(text: str) -> str:
    """A floor as boards print it: 12 is 12#."""
    return f"{text}#" if text.isdigit() else text
