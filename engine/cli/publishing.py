"""`post`: reply to a thread with a tally or a text, through the board's own form. A dry run unless it is told to send."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from engine.cli.boards import INTERRUPTED, open_client
from engine.cli.common import (
    AsJson,
    DatabasePath,
    DayNumber,
    GamePath,
    Operator,
    choose_day,
    finish,
    last_look,
    name_operator,
    open_known,
    print_json,
    read_given,
    say,
    tell,
)
from engine.cli.words import _
from scraper.phrases import phrase

if TYPE_CHECKING:
    from engine.game import Game
    from engine.ledger import Event
    from engine.report.values import Json
    from engine.sent import Posted
    from scraper.archive import Archive
    from scraper.reply import Sent
    from tally.day import Day

# The threads of a day by name, as `--thread` takes them.
_THREADS = ("progress", "vote", "discussion")


def post(
    game: GamePath,
    day: DayNumber = None,
    file: Annotated[
        Path | None, typer.Option("--file", metavar="FILE", help=_("发这个文件里的文字（- 是标准输入）；不写就发计票结果。"))
    ] = None,
    announce: Annotated[
        str | None,
        typer.Option("--announce", metavar="MOMENT", help=_("发一则公示：start、opening、midday、speedup、close、end。")),
    ] = None,
    thread: Annotated[
        str | None, typer.Option("--thread", metavar="THREAD", help=_("发到哪里：progress、vote、discussion、帖号或地址。"))
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help=_("真的发出去；不写只显示要发什么。"))] = False,
    provisional: Annotated[bool, typer.Option("--provisional", help=_("结果还不是最终的也发，会标明。"))] = False,
    operator: Operator = None,
    as_json: AsJson = False,
    db: DatabasePath = None,
) -> None:
    """在论坛上回帖：计票结果或一段文字。先看要发什么，加 --yes 才发；发完读回来核对，一小时内不发第二次。"""
    from engine.counting import open_archive, read_events
    from engine.derived import derive_facts
    from engine.game import load_game
    from engine.sent import find_posted
    from scraper.errors import UsageError
    from scraper.pace import utc_now

    if announce is not None and file is not None:
        raise UsageError(phrase("--file 和 --announce 只能写一个。改法：去掉其中一个。"))
    loaded = load_game(game)
    events = read_events(loaded)
    # Only a tally needs what was read; a text, or a game's beginning, may be the first thing that touches the board.
    told = file is not None or announce is not None
    with open_archive(loaded, db or loaded.database) if told else open_known(loaded, db) as archive:
        text, own = "", None
        if announce is not None:
            text, own = _announce(loaded, archive, events, announce, day, provisional=provisional)
        loaded = derive_facts(loaded, archive, events)
        if own is not None and thread is None:
            tid = own
        else:
            chosen = choose_day(loaded, day, lambda: last_look(loaded, archive))
            if announce is None:
                text = _read(file) if file is not None else _tally(loaded, archive, events, chosen, provisional=provisional)
            tid = _find_thread(loaded, chosen, thread)
        if not yes:
            before = find_posted(archive, tid, text, utc_now())
            if as_json:
                print_json({"tid": tid, "text": text, "sent": False})
            else:
                from engine.report.safe import show

                sys.stdout.write("".join(f"{show(line)}\n" for line in text.splitlines()))
                if before is not None:
                    say(phrase("bansha: {already}", already=_already(loaded, tid, before)))
                else:
                    say(phrase("bansha: 这是要发到 {tid} 的文字，还没有发；加 --yes 才发。", tid=tid))
            return
        sent = _send(loaded, archive, tid, text, name_operator(operator, loaded))
    if as_json:
        value: dict[str, Json] = {"tid": tid, "text": text, "sent": True, "pid": sent.post.pid, "floor": sent.post.floor}
        print_json({**value, "differs": sent.differs or None})
    elif not sent.differs:
        say(
            phrase(
                "bansha: 发到了 {tid} 的 {floor}（pid {pid}），读回来核对过。", tid=tid, floor=sent.post.floor, pid=sent.post.pid
            )
        )
    if sent.differs:
        from engine.report.safe import show

        tell(
            phrase(
                "bansha: 发到了 {tid} 的 {floor}（pid {pid}），但读回来的和发出去的不一样，从这里开始：「{part}」。"
                "改法：到论坛上看一眼，少了的在那里补上。",
                tid=tid,
                floor=sent.post.floor,
                pid=sent.post.pid,
                part=show(sent.differs),
            )
        )
    finish([int(bool(sent.differs))])


def _send(game: Game, archive: Archive, tid: int, text: str, operator: str) -> Sent:
    """Send a text, once: what is known of it is kept before and after. UsageError where it was sent within the hour."""
    import time

    from engine.sent import REFUSED, claim, save_posted
    from scraper.errors import RepeatedError
    from scraper.pace import utc_now
    from scraper.reply import Errand, send_reply

    claimed = False

    def begin() -> None:
        nonlocal claimed
        before = claim(archive, tid, text, utc_now(), operator=operator)
        if before is not None:
            raise RepeatedError(_already(game, tid, before))
        claimed = True

    def release() -> None:
        nonlocal claimed
        save_posted(archive, tid, text, utc_now(), pid=REFUSED, operator=operator)
        claimed = False

    authors = {account.name for account in game.roster.directors}
    errand = Errand(time.sleep, say, begin, release, authors, game.forum.zone)
    with open_client(game) as client:
        # A form stands on a page, and never in what the API answers.
        client.api = None
        try:
            sent = send_reply(client, tid, text, errand)
        except KeyboardInterrupt:
            tell(
                phrase("bansha: 停下了（Ctrl-C）。文字可能已经发到 {tid}：先看论坛，没有再发。", tid=tid)
                if claimed
                else phrase("bansha: 停下了（Ctrl-C），什么都没有发。")
            )
            raise typer.Exit(INTERRUPTED) from None
    save_posted(archive, tid, text, utc_now(), pid=sent.post.pid, operator=operator)
    return sent


def _already(game: Game, tid: int, before: Posted) -> str:
    return phrase(
        "同样的文字一小时内已经发到 {tid} 过（{at:%Y-%m-%d %H:%M:%S}，{pid}），没有再发。"
        "改法：先看看论坛上有没有；要改就改了文字再发。",
        tid=tid,
        at=before.at.astimezone(game.zone),
        pid=f"pid {before.pid}" if before.pid else phrase("没有读回来"),
    )


def _tally(game: Game, archive: Archive, events: tuple[Event, ...], day: Day, *, provisional: bool) -> str:
    """The day's tally as the text of a post; UsageError where it is not final and nobody said that it may go out so."""
    from engine.counting import count_game_day, votes_of
    from engine.report.bbcode import write_bbcode
    from engine.report.values import tally_value
    from scraper.errors import UsageError

    results = [count_game_day(game, archive, events, vote) for vote in votes_of(game, day)]
    if not provisional and not all(result.final for result in results):
        raise UsageError(
            phrase(
                "第 {number} 天的结果还不是最终的，没有发。改法：先看 `bansha tally {path} --day {number}` 缺什么；"
                "要标明暂定发出去，加 --provisional。",
                number=day.number,
                path=game.path,
            )
        )
    return write_bbcode(results, [str(tally_value(result, game)["digest"]) for result in results], game)


def _announce(
    game: Game, archive: Archive, events: tuple[Event, ...], moment: str, day: int | None, *, provisional: bool
) -> tuple[str, int | None]:
    """The announcement of a moment and the thread it belongs to; UsageError where it is not final and nobody said so."""
    from engine.announcing.announce import announce as make
    from engine.announcing.announce import lay_out
    from engine.cli.announcing import read_moment_name
    from scraper.errors import UsageError

    made = make(lay_out(game, archive, events), read_moment_name(moment), day)
    if not made.final and not provisional:
        raise UsageError(
            phrase("这则公示还不是最终的：{why}，没有发。改法：等它定下来；要标明暂定发出去，加 --provisional。", why=made.why)
        )
    return made.text, made.tid


def _find_thread(game: Game, day: Day, written: str | None) -> int:
    """The thread that a text goes to: the one that was named, else the day's progress thread, else its vote."""
    from scraper.address import read_thread
    from scraper.errors import UsageError

    named = {"progress": day.progress, "vote": day.vote, "discussion": next(iter(day.discussion), None)}
    if written is None:
        found = named["progress"] or named["vote"]
    elif written in _THREADS:
        found = named[written]
    else:
        return read_thread(written, game.forum.url).tid
    if not found:
        raise UsageError(
            phrase(
                "{path}: 第 {number} 天没有写 {key} 帖。改法：在 [[day]] 里写上，或用 --thread 写帖号。",
                path=game.path,
                number=day.number,
                key=written or "vote",
            )
        )
    return found


def _read(file: Path) -> str:
    """The text of a file, or of standard input."""
    from scraper.errors import UsageError

    text = read_given(file)
    if not text.strip():
        raise UsageError(phrase("{file}: 是空的，没有发。改法：写上要发的文字。", file=file))
    return text.strip("\n")
