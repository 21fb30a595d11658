"""`merge` and `record`: evidence from another laptop, and evidence for a case."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from engine.cli.boards import interruptible, open_client, tell_pass
from engine.cli.common import AsJson, DatabasePath, DayNumber, GamePath, choose_day, finish, print_json, say, warn_unprotected
from engine.cli.progress import Watch
from engine.cli.words import _
from scraper.phrases import listing, phrase

if TYPE_CHECKING:
    from engine.game import Game
    from engine.report.values import Json

# Where a script puts the passphrase of a handover.
PASSPHRASE = "BANSHA_PASSPHRASE"


def merge(
    game: GamePath,
    other: Annotated[Path, typer.Argument(metavar="OTHER", help=_("另一位导演的数据库（.db）或账本（.txt）；它不会被改动。"))],
    as_json: AsJson = False,
    db: DatabasePath = None,
) -> None:
    """把另一位导演看到的并进来：两边看到的都留着，每个版本以最早看到的为准；谁并谁都一样。"""
    from engine.counting import open_archive
    from engine.game import load_game
    from engine.report.lines import write_lines
    from engine.sent import merge_sent
    from scraper.merge import merge_archive

    loaded = load_game(game, before_days=True)
    if other.suffix.lower() == ".txt":
        _merge_ledger(loaded, other, as_json=as_json)
        return
    _refuse_others(other)
    with open_archive(loaded, db or loaded.database) as archive:
        outcome = merge_archive(archive, other)
        sent = merge_sent(archive, other)
    if as_json:
        print_json({"passes": outcome.passes, "posts": outcome.posts, "revisions": outcome.revisions, "sent": sent})
    else:
        write_lines(
            [
                phrase(
                    "从 {other} 并入：{passes} 次查看，{posts} 个没见过的帖子，{revisions} 个版本。",
                    other=other,
                    passes=outcome.passes,
                    posts=outcome.posts,
                    revisions=outcome.revisions,
                )
            ]
        )


def _refuse_others(other: Path) -> None:
    """UsageError for what is no database and no ledger, but may well be meant: a folder, a sealed game."""
    from engine.handover import MAGIC
    from scraper.errors import UsageError

    if other.is_dir():
        raise UsageError(phrase("{other}: 这是一个文件夹。改法：写里面的 game.db，再写一次里面的 ledger.txt。", other=other))
    if other.is_file():
        with other.open("rb") as file:
            if file.read(len(MAGIC)) == MAGIC:
                raise UsageError(
                    phrase("{other}: 这是交接文件。改法：先用 bansha handover --open 打开，再并里面的 game.db。", other=other)
                )


def _merge_ledger(game: Game, other: Path, *, as_json: bool) -> None:
    """Take over the lines that the other ledger goes on with; a fork is shown, and nothing is written."""
    from engine.ledgermerge import merge_ledger
    from engine.report.lines import write_lines

    merged = merge_ledger(game, other)
    if as_json:
        partings: list[Json] = [{"line": one.number, "ours": one.ours, "theirs": one.theirs} for one in merged.partings]
        print_json({"added": list(merged.added), "ahead": merged.ahead, "partings": partings})
    elif merged.partings:
        for one in merged.partings:
            none = phrase("（没有）")
            write_lines(
                (
                    phrase("第 {number} 行", number=one.number),
                    phrase("  {ledger}：{line}", ledger=game.ledger, line=none if one.ours is None else one.ours),
                    phrase("  {ledger}：{line}", ledger=other, line=none if one.theirs is None else one.theirs),
                )
            )
        number = merged.partings[0].number
        say(phrase("bansha: 两本账从第 {number} 行分开了，什么都没有写。定好留哪些行，写进其中一本再并。", number=number))
    else:
        write_lines(merged.added)
        added, ahead = len(merged.added), merged.ahead
        say(phrase("bansha: 从 {other} 续上 {added} 行；我们多出 {ahead} 行。", other=other, added=added, ahead=ahead))
    finish([1 if merged.partings else 0])


def handover(
    game: Annotated[Path, typer.Argument(metavar="GAME", help=_("game.toml 或它的文件夹；用 --open 时是收到的交接文件。"))],
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help=_("交接文件写在哪里；用 --open 时是新的文件夹。"))
    ] = None,
    opening: Annotated[bool, typer.Option("--open", help=_("打开收到的交接文件。"))] = False,
    as_json: AsJson = False,
    db: DatabasePath = None,
) -> None:
    """把一局交给另一位导演：比赛文件、账本、机密和证据，加密成一个文件；口令另外告诉他。"""
    from engine.cli.access import ask_secret
    from engine.game import load_game
    from engine.handover import check_free, open_sealed, seal_game
    from scraper.errors import UsageError

    if output is None:
        raise UsageError(phrase("没有写放在哪里。改法：加 -o，写交接文件的名字；打开时写新文件夹的名字。"))
    if opening:
        held = open_sealed(game, ask_secret(phrase("口令"), PASSPHRASE), output)
        names = listing(held)
        say(phrase("bansha: 打开在 {output}：{names}。登录用你自己的帐号：bansha login {output}", output=output, names=names))
    else:
        loaded = load_game(game, before_days=True)
        # Before a passphrase is asked for, twice.
        check_free(output)
        status = "".join(f"{line}\n" for line in _describe_open(loaded, game, db))
        secret = ask_secret(phrase("口令"), PASSPHRASE, twice=True)
        held = seal_game(loaded, db or loaded.database, status, secret, output)
        say(phrase("bansha: 写在 {output}：{held}。口令不要和文件一起发。", output=output, held=listing(held)))
    warn_unprotected(output)
    if as_json:
        print_json({"output": str(output), "files": list(held)})


def _describe_open(game: Game, path: Path, db: Path | None) -> Iterator[str]:
    """What the game waits for from its director, in words: as `status` tells it, and what its votes wait for."""
    from engine.cli.playing import open_game
    from engine.counting import open_archive, read_events
    from engine.derived import derive_facts
    from engine.opendecisions import describe_game, describe_votes
    from engine.report.safe import show
    from engine.standing import describe_undealt, is_dealt, list_missing
    from scraper.pace import utc_now

    events, database, now = read_events(game), db or game.database, utc_now()
    if game.ruleset.play is not None and is_dealt(game):
        yield from describe_game(open_game(path, db), now)
    else:
        yield from (show(line) for line in describe_undealt(game, events, list_missing(game, events, database, now), now))
    if database.is_file():
        with open_archive(game, database) as archive:
            yield from describe_votes(derive_facts(game, archive, events), archive, events)


def record(
    game: GamePath,
    folder: Annotated[Path, typer.Argument(metavar="DIR", help=_("案例的文件夹；再录一次就多一遍。"))],
    day: DayNumber = None,
    ledger: Annotated[bool, typer.Option("--ledger", help=_("把 ledger.txt 也放进去（里面可能有还不能公开的事）。"))] = False,
    pages: Annotated[
        bool, typer.Option("--pages", help=_("不录成 cassette.yaml，而是一页一个文件（polls/遍数/帖号-页码.http），好改着试。"))
    ] = False,
    as_json: AsJson = False,
) -> None:
    """把一天的帖子录成案例：原样的页面，去掉 cookie、令牌和论坛的名字，用 bansha replay 重放。"""
    from engine.counting import read_events
    from engine.game import load_game
    from engine.newcase import record_case
    from engine.polling import list_targets
    from engine.report.passes import pass_value
    from scraper.pace import utc_now

    loaded = load_game(game)
    chosen = choose_day(loaded, day, utc_now)
    targets = list_targets(loaded, read_events(loaded), chosen.number)
    with open_client(loaded) as client, Watch(chosen.number) as watch, interruptible(watch):
        recorded = record_case(loaded, targets, client, folder, clock=utc_now, watcher=watch, with_ledger=ledger, as_pages=pages)
        for polled in recorded.passes:
            tell_pass(polled, watch, as_json=as_json)
    if as_json:
        passes = [pass_value(polled) for polled in recorded.passes]
        print_json({"recorded": str(recorded.path), "pass": recorded.number, "pages": recorded.pages, "passes": passes})
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
