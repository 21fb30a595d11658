"""`reveal` and `assistants`: what is told, counted and kept once a game is over."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from engine.cli.announcing import open_table
from engine.cli.common import (
    AsJson,
    DatabasePath,
    GamePath,
    finish,
    make_folder,
    print_json,
    read_moment,
    say,
    tell,
    write_result,
)
from engine.cli.words import _
from scraper.phrases import listing, phrase

if TYPE_CHECKING:
    from datetime import datetime

    from engine.announcing.announce import Desk
    from engine.announcing.awards import Award, Review


def reveal(
    game: GamePath,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="DIR", help=_("揭秘、存档、树洞写进这个文件夹。"))
    ] = None,
    award: Annotated[
        list[str] | None, typer.Option("--award", metavar="MVP=URL", help=_("评奖的投票帖：奖名=地址或 tid；可以写几次。"))
    ] = None,
    reviews: Annotated[str | None, typer.Option("--reviews", metavar="URL", help=_("自评互评帖的地址或 tid。"))] = None,
    until: Annotated[str | None, typer.Option("--until", metavar="TIME", help=_("评奖投到几时；不写就是看到的全部。"))] = None,
    logs: Annotated[Path | None, typer.Option("--logs", metavar="DIR", help=_("树洞的文件夹：一人一个 .txt。"))] = None,
    reward: Annotated[str, typer.Option("--reward", metavar="胜=3,MVP=2", help=_("各值多少奖励；规则没有写。"))] = "",
    offline: Annotated[bool, typer.Option("--offline", help=_("不上论坛，只用存下来的。"))] = False,
    force: Annotated[str, typer.Option("--force", metavar="REASON", help=_("游戏没有结束也揭秘，写上理由。"))] = "",
    as_json: AsJson = False,
    db: DatabasePath = None,
) -> None:
    """揭秘和存档：身份、每夜经过、种子（和开局的承诺核对）、树洞、评奖、奖励；没有结束就不揭。"""
    from engine.announcing.announce import announce
    from engine.announcing.logs import collect_logs
    from engine.announcing.moments import Moment
    from engine.announcing.record import Material, make_record, write_record
    from engine.announcing.reveal import check_seed
    from engine.cli.starting import read_counts
    from engine.report.values import dump
    from scraper.errors import UsageError

    reads = bool(award or reviews) and not offline
    with open_table(game, db, reads=reads) as desk:
        if not desk.ended and not force:
            raise UsageError(
                phrase(
                    "{path}: 游戏还没有结束，不揭秘。改法：等账本分出胜负，或在 [game] 里写 ended = true；"
                    "一定要现在揭，加 --force 理由。",
                    path=desk.game.path,
                )
            )
        closes = read_moment(until, desk.game, "--until")
        awards, told, codes = _read_threads(desk, award or [], reviews, closes, offline=offline)
        collected = collect_logs(desk.game, logs) if logs is not None else None
        worth = read_counts(reward, "--reward", "胜=3,MVP=2") if reward else None
        text = announce(desk, Moment.END, None, force=force).text
        record = make_record(desk, Material(awards, told, collected, worth))
        post = write_record(desk, record)
        if output is not None:
            make_folder(output)
            write_result(text, output / "reveal.bbcode")
            write_result(f"{dump(record)}\n", output / "record.json")
            write_result(post, output / "record.bbcode")
            if collected is not None:
                from engine.report.safe import escape_bbcode

                parts = (
                    f"[b]{escape_bbcode(name)}[/b]\n" + "".join(f"{escape_bbcode(line)}\n" for line in words.splitlines())
                    for name, words in collected.texts.items()
                )
                write_result("\n".join(parts), output / "logs.bbcode")
        matches = check_seed(desk.game)
    print_json(record) if as_json else sys.stdout.write(text)
    if collected is not None and (collected.missing or collected.unknown):
        from engine.report.safe import show

        nobody = phrase("无")
        missing, unknown = listing(map(show, collected.missing)) or nobody, listing(map(show, collected.unknown)) or nobody
        say(phrase("bansha: 没有树洞的：{missing}；不知道是谁的文件：{unknown}。", missing=missing, unknown=unknown))
    for name, why in collected.unread if collected is not None else ():
        tell(phrase("bansha: {name} 没有打开：{why}", name=name, why=why))
    if matches is False:
        say(phrase("bansha: secrets.toml 的种子和开局公布的承诺不一致。改法：找回开局时的 secrets.toml。"))
    if output is not None:
        say(phrase("bansha: 写在 {output}。", output=output))
    finish([int(matches is False), int(collected is not None and bool(collected.unread)), *codes])


def _read_threads(
    desk: Desk, named: list[str], reviews: str | None, closes: datetime | None, *, offline: bool
) -> tuple[list[Award], tuple[Review, ...], list[int]]:
    """The awards and the reviews of their threads, which are read from the board first, unless nobody wants that; exit codes."""
    from engine.announcing.awards import count_award, read_reviews
    from scraper.address import read_thread
    from scraper.errors import UsageError

    pairs = []
    for word in named:
        name, equals, address = word.partition("=")
        if not equals or not name.strip():
            raise UsageError(phrase("--award {word!r} 读不懂。改法：写成 --award MVP=1250（奖名=地址或 tid）。", word=word))
        pairs.append((name.strip(), read_thread(address.strip(), desk.game.forum.url).tid))
    spoken = read_thread(reviews, desk.game.forum.url).tid if reviews is not None else 0
    threads = dict.fromkeys(tid for tid in (*(tid for _name, tid in pairs), spoken) if tid)
    if not threads:
        return [], (), []
    if desk.archive is None:
        raise UsageError(phrase("{path}: 还没有数据库，读不了评奖帖。改法：先运行 bansha fetch。", path=desk.game.path))
    codes = _fetch(desk, list(threads)) if not offline else []
    awards = [count_award(desk.game, desk.archive, desk.events, name, tid, closes) for name, tid in pairs]
    for one in awards:
        if one.tally.is_blank:
            tell(phrase("bansha: {name} 的评奖帖 {tid} 还没有读到，没有算。", name=one.name, tid=one.tid))
            codes.append(1)
    return awards, read_reviews(desk.game, desk.archive, spoken) if spoken else (), codes


def _fetch(desk: Desk, threads: list[int]) -> list[int]:
    """Read threads from the board once, whole; the exit code of each."""
    from engine.cli.boards import interruptible, open_client, tell_pass
    from engine.cli.progress import Watch
    from engine.polling import BEGINNING, Target, poll_target
    from scraper.pace import utc_now
    from scraper.schedule import WHOLE, Span

    assert desk.archive is not None
    codes = []
    with open_client(desk.game) as client, Watch(0) as watch, interruptible(watch):
        for tid in threads:
            target = Target(tid, phrase("评奖帖"), Span(BEGINNING, utc_now()))
            polled = poll_target(target, desk.archive, client, WHOLE, clock=utc_now, watcher=watch)
            tell_pass(polled, watch, as_json=True)
            codes.append(polled.outcome.exit_code)
    return codes


def assistants(game: GamePath, as_json: AsJson = False, db: DatabasePath = None) -> None:
    """场外助理：谁可以有（三场或以下），谁已经有，谁不可以当。"""
    from engine.announcing.assistants import find_limit, list_assistants, may_have_one
    from engine.report.lines import write_lines

    with open_table(game, db) as desk:
        limit = find_limit(desk.game)
        allowed = {seat.name: may_have_one(desk.game, seat.name) for seat in desk.game.roster.seats}
        found = list_assistants(desk.game, desk.standing)
    if as_json:
        print_json(
            {
                "limit": limit,
                "may_have": dict(allowed),
                "assistants": [
                    {"seat": one.seat, "name": one.name or None, "allowed": one.allowed, "why": one.why or None, "line": one.line}
                    for one in found
                ],
            }
        )
    else:
        for label, wanted in (
            (phrase("可以申请"), True),
            (phrase("不可以申请"), False),
            (phrase("不知道场次"), None),
        ):
            names = [name for name, may in allowed.items() if may is wanted]
            if names:
                write_lines([phrase("{label}：{names}", label=label, names=listing(names))])
        for one in found:
            state = {True: "", False: phrase("，不可以"), None: phrase("，待查")}[one.allowed]
            why = phrase("（{why}）", why=one.why) if one.why else ""
            name = one.name or phrase("没有写名字")
            write_lines([phrase("{seat} 的场外助理：{name}{state}{why}", seat=one.seat, name=name, state=state, why=why)])
    finish(int(one.allowed is False) for one in found)
