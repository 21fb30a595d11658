"""`report`: a game as one HTML page, or its database made ready for Datasette. It reads the database and never fetches."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from engine.cli.common import (
    AsJson,
    DatabasePath,
    GamePath,
    finish,
    open_known,
    print_json,
    quote_path,
    read_moment,
    say,
    warn_exposed,
    write_result,
)
from engine.cli.words import _
from scraper.phrases import listing, phrase


def report(
    game: GamePath,
    output: Annotated[Path | None, typer.Option("-o", "--output", metavar="FILE", help=_("网页写进这个文件。"))] = None,
    public: Annotated[bool, typer.Option("--public", help=_("公开版：只有按规则已经可以公布的。"))] = False,
    datasette: Annotated[
        Path | None, typer.Option("--datasette", metavar="DIR", help=_("给 Datasette 的说明写进这个文件夹。"))
    ] = None,
    as_json: AsJson = False,
    known_at: Annotated[
        str | None, typer.Option("--known-at", metavar="TIME", help=_("只用那一刻已看到的证据和已录入的裁定。"))
    ] = None,
    db: DatabasePath = None,
) -> None:
    """整局的报告：一个网页，每天的票、先后、谁投了谁、发言、改帖和删帖的证据。"""
    from engine.counting import read_events
    from engine.derived import derive_facts
    from engine.game import load_game
    from engine.report.datasette import DATABASE, METADATA, save_datasette
    from engine.report.page.gather import gather_report
    from engine.report.page.render import write_page
    from scraper.errors import UsageError

    if output is None and datasette is None:
        raise UsageError(phrase("没有写报告放在哪里。改法：加 -o report.html，或 --datasette 文件夹。"))
    loaded = load_game(game)
    warn_exposed(loaded)
    events = read_events(loaded)
    known = read_moment(known_at, loaded, "--known-at")
    with open_known(loaded, db) as archive:
        loaded = derive_facts(loaded, archive, events, known)
        gathered = gather_report(loaded, archive, events, public=public, known_at=known)
        if datasette is not None:
            save_datasette(gathered, archive, datasette)
            names = [quote_path(datasette / name) for name in (DATABASE, METADATA)]
            say(phrase("bansha: 写好了，打开：datasette {database} -m {metadata}", database=names[0], metadata=names[1]))
    if output is not None:
        write_result(write_page(gathered).encode("utf-8"), output)
        say(phrase("bansha: 报告写在 {output}。", output=output))
    if as_json:
        print_json(
            {
                "public": public,
                "report": str(output) if output is not None else None,
                "datasette": str(datasette) if datasette is not None else None,
                "days": [
                    {"day": one.tally.day, "complete": one.tally.complete, "final": one.tally.final} for one in gathered.days
                ],
            }
        )
    finish(int(one.open) for one in gathered.days)


def export(
    game: GamePath,
    output: Annotated[Path | None, typer.Option("-o", "--output", metavar="DIR", help=_("写进这个文件夹。"))] = None,
    public: Annotated[bool, typer.Option("--public", help=_("公开版：只有按规则已经可以公布的。"))] = False,
    as_json: Annotated[bool, typer.Option("--json", help=_("写成 JSON，不写 CSV。"))] = False,
    known_at: Annotated[
        str | None, typer.Option("--known-at", metavar="TIME", help=_("只用那一刻已看到的证据和已录入的裁定。"))
    ] = None,
    db: DatabasePath = None,
) -> None:
    """把每张表写成文件：帖子、每个版本、票、票数、须留意的、账本；CSV 双击就用 Excel 打开。"""
    from engine.counting import read_events
    from engine.derived import derive_facts
    from engine.game import load_game
    from engine.report.exports import save_exports
    from engine.report.page.gather import gather_report
    from scraper.errors import UsageError

    if output is None:
        raise UsageError(phrase("没有写放在哪里。改法：加 -o 文件夹。"))
    loaded = load_game(game)
    warn_exposed(loaded)
    events = read_events(loaded)
    known = read_moment(known_at, loaded, "--known-at")
    with open_known(loaded, db) as archive:
        loaded = derive_facts(loaded, archive, events, known)
        gathered = gather_report(loaded, archive, events, public=public, known_at=known)
        written = save_exports(gathered, archive, output, as_json=as_json)
    say(phrase("bansha: 写在 {output}：{names}。", output=output, names=listing(path.name for path in written)))
    if as_json:
        print_json({"public": public, "files": [str(path) for path in written]})
