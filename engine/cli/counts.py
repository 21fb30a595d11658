"""`tally` and `explain`: they read the database and never fetch."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from engine.cli.common import (
    AsJson,
    DatabasePath,
    DayNumber,
    GamePath,
    Operator,
    choose_day,
    finish,
    keep_typed,
    last_look,
    open_known,
    parse_moment,
    print_json,
    read_moment,
    say,
    tally_code,
    warn_exposed,
    write_result,
)
from engine.cli.words import _
from scraper.phrases import phrase

if TYPE_CHECKING:
    from engine.game import Game
    from engine.report.values import Json
    from engine.report.verifying import Exported

KnownAt = Annotated[str | None, typer.Option("--known-at", metavar="TIME", help=_("只用那一刻已看到的证据和已录入的裁定。"))]


def tally(
    context: typer.Context,
    game: GamePath,
    day: DayNumber = None,
    as_of: Annotated[
        str | None, typer.Option("--as-of", metavar="TIME|FLOOR", help=_("只算到那一刻或那一楼（含）的帖子。"))
    ] = None,
    known_at: KnownAt = None,
    as_json: AsJson = False,
    as_csv: Annotated[bool, typer.Option("--csv", help=_("输出表格文件，Excel 可以直接打开。"))] = False,
    as_bbcode: Annotated[bool, typer.Option("--bbcode", help=_("输出可以发到论坛的帖子。"))] = False,
    public: Annotated[bool, typer.Option("--public", help=_("只输出按规则现在可以公布的部分；--bbcode 总是如此。"))] = False,
    verify: Annotated[
        Path | None, typer.Option("--verify", metavar="FILE", help=_("与以前用 --json 存下的结果对照：一样，或哪些行不同。"))
    ] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", metavar="FILE", help=_("写进这个文件，不输出到屏幕。"))] = None,
    operator: Operator = None,
    db: DatabasePath = None,
) -> None:
    """计一天的票：谁出局，每一票算不算，为什么。"""
    from engine.counting import count_game_day, read_events, votes_of
    from engine.derived import derive_facts
    from engine.game import load_game
    from engine.publicity import publish_tally
    from engine.report.values import public_value, tally_value
    from engine.store import save_tallies
    from scraper.errors import ArchiveError, UsageError

    as_json, as_csv, as_bbcode = keep_typed(context, "as_json", "as_csv", "as_bbcode")
    if as_json + as_csv + as_bbcode > 1:
        raise UsageError(phrase("--json、--csv、--bbcode 只能用一个。改法：分几次运行。"))
    if verify is not None and (as_csv or as_bbcode):
        raise UsageError(phrase("--verify 不能和 --csv、--bbcode 一起用。改法：去掉其中一个。"))
    loaded = load_game(game)
    warn_exposed(loaded)
    exported = _read_exported(verify, loaded, day) if verify is not None else ()
    limits = exported[0].limits if exported else {}
    as_of, known_at = as_of or limits.get("as_of"), known_at or limits.get("known_at")
    day = day if not exported else int(str(exported[0].value["day"]))
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
                say(phrase("bansha: 结果没有存进数据库：{error}", error=error))
    asked = {key: text for key, text in (("as_of", as_of), ("known_at", known_at)) if text is not None}
    public = public or any(one.public for one in exported)
    make = public_value if public and not as_bbcode else tally_value
    values = [make(result, loaded, limits=asked, operator=operator or "") for result in results]
    digests = [str(value["digest"]) for value in values]
    if verify is not None:
        finish([_verify(exported, values, as_json)])
        return
    if as_json:
        write_result(_json(values), output)
    elif as_csv:
        from engine.report.sheet import write_csv, write_public_csv

        write = write_public_csv if public else write_csv
        write_result(write(results, digests, loaded, operator or ""), output)
    elif as_bbcode:
        from engine.report.bbcode import write_bbcode

        write_result(write_bbcode(results, digests, loaded, operator or ""), output)
    else:
        from engine.language import choose_language
        from engine.report.terminal import make_console, print_public, print_tally
        from engine.report.words import Words

        if output is not None:
            raise UsageError(phrase("-o 要和 --json、--csv 或 --bbcode 一起用。改法：加上其中一个。"))
        for result, digest in zip(results, digests, strict=True):
            words, by = Words(choose_language()), operator or ""
            if public:
                print_public(make_console(), publish_tally(result, loaded), loaded, words, digest=digest, operator=by)
            else:
                print_tally(make_console(), result, loaded, words, digest=digest, operator=by)
    finish(tally_code(result) for result in results)


def _json(values: list[dict[str, Json]]) -> Json:
    return values[0] if len(values) == 1 else [*values]


def _read_exported(path: Path, game: Game, day: int | None) -> tuple[Exported, ...]:
    """The results of a file, which must be of this game, and of the day that was asked for."""
    from engine.report.verifying import read_exported
    from scraper.errors import UsageError

    exported = read_exported(path)
    for one in exported:
        if (one.value["game"], one.value["ruleset"]) != (game.title, game.ruleset.id):
            raise UsageError(
                phrase("{path}: 是另一局的结果（{value}）。改法：写这一局的结果，或换 GAME。", path=path, value=one.value["game"])
            )
        if day is not None and one.value["day"] != day:
            raise UsageError(
                phrase(
                    "{path}: 是第 {value} 天的结果，不是第 {day} 天。改法：去掉 --day。",
                    path=path,
                    value=one.value["day"],
                    day=day,
                )
            )
    return exported


def _verify(exported: tuple[Exported, ...], values: list[dict[str, Json]], as_json: bool) -> int:
    """Hold each exported result against the count of the same vote; 0 where all are the same, else 1."""
    from engine.report.lines import write_lines
    from engine.report.verifying import describe_verification, verification_value

    by_poll = {value.get("poll"): value for value in values}
    pairs = [(one, by_poll.get(one.value.get("poll"), {"digest": ""})) for one in exported]
    told = [verification_value(one, value) for one, value in pairs]
    if as_json:
        print_json(told[0] if len(told) == 1 else [*told])
    else:
        write_lines(line for one, value in pairs for line in describe_verification(one, value))
    return 0 if all(one["same"] for one in told) else 1


def explain(
    game: GamePath,
    seat: Annotated[str, typer.Argument(metavar="SEAT", help=_("玩家的名字或别名。"))],
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
        from engine.language import choose_language
        from engine.report.terminal import make_console
        from engine.report.words import Words

        print_traces(make_console(), traces, loaded, chosen, name, Words(choose_language()))


def _floor(text: str) -> str:
    """A floor as boards print it: 12 is 12#."""
    return f"{text}#" if text.isdigit() else text
