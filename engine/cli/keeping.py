"""`merge` and `record`: evidence from another laptop, and evidence for a case."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from engine.cli.boards import interruptible, open_client, tell_pass
from engine.cli.common import AsJson, DatabasePath, DayNumber, GamePath, choose_day, finish, print_json, say
from engine.cli.progress import Watch
from engine.cli.words import _
from scraper.phrases import phrase


def merge(
    game: GamePath,
    other: Annotated[Path, typer.Argument(metavar="OTHER", help=_("另一位导演的数据库（.db）；它不会被改动。"))],
    as_json: AsJson = False,
    db: DatabasePath = None,
) -> None:
    """把另一位导演看到的并进来：两边看到的都留着，每个版本以最早看到的为准；谁并谁都一样。"""
    from engine.counting import open_archive
    from engine.game import load_game
    from scraper.merge import merge_archive

    loaded = load_game(game)
    with open_archive(loaded, db or loaded.database) as archive:
        outcome = merge_archive(archive, other)
    if as_json:
        print_json({"passes": outcome.passes, "posts": outcome.posts, "revisions": outcome.revisions})
    else:
        typer.echo(f"从 {other} 并入：{outcome.passes} 次查看，{outcome.posts} 个没见过的帖子，{outcome.revisions} 个版本。")


def record(
    game: GamePath,
    folder: Annotated[Path, typer.Argument(metavar="DIR", help=_("案例的文件夹；再录一次就多一遍。"))],
    day: DayNumber = None,
    ledger: Annotated[bool, typer.Option("--ledger", help=_("把 ledger.txt 也放进去（里面可能有还不能公开的事）。"))] = False,
    pages: Annotated[
        bool, typer.Option("--pages", help=_("不录成 cassette.yaml，而是一页一个文件（polls/遍数/帖号-页码.http），好改着试。"))
    ] = False,
) -> None:
    """把一天的帖子录成案例：原样的页面，去掉 cookie、令牌和论坛的名字，用 bansha replay 重放。"""
    from engine.counting import read_events
    from engine.game import load_game
    from engine.newcase import record_case
    from engine.polling import list_targets
    from scraper.pace import utc_now

    loaded = load_game(game)
    chosen = choose_day(loaded, day, utc_now)
    targets = list_targets(loaded, read_events(loaded), chosen.number)
    with open_client(loaded) as client, Watch(chosen.number) as watch, interruptible(watch):
        recorded = record_case(loaded, targets, client, folder, clock=utc_now, watcher=watch, with_ledger=ledger, as_pages=pages)
        for polled in recorded.passes:
            tell_pass(polled, watch, as_json=False)
    say(
        phrase(
            "bansha: 第 {number} 遍录在 {path}（{pages} 页）。给别人看以前，先读 {folder}/SOURCE.md。",
            folder=folder,
            path=recorded.path,
            number=recorded.number,
            pages=recorded.pages,
        )
    )
    if loaded.ledger.exists() and not ledger:
        say(phrase("bansha: ledger.txt 没有放进去，裁定因此不算；要放就加 --ledger。"))
    finish(polled.outcome.exit_code for polled in recorded.passes)
