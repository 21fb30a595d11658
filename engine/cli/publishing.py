"""`post`: reply to a thread with a tally or a text, through the board's own form. A dry run unless it is told to send."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from engine.cli.boards import open_client
from engine.cli.common import (
    AsJson,
    DatabasePath,
    DayNumber,
    GamePath,
    Operator,
    choose_day,
    last_look,
    open_known,
    print_json,
    say,
)
from engine.cli.words import _
from scraper.phrases import phrase

if TYPE_CHECKING:
    from engine.game import Game
    from engine.ledger import Event
    from scraper.archive import Archive
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
    from engine.counting import read_events
    from engine.derived import derive_facts
    from engine.game import load_game
    from engine.sent import find_posted, save_posted
    from scraper.errors import UsageError
    from scraper.pace import utc_now
    from scraper.reply import send_reply

    if announce is not None and file is not None:
        raise UsageError(phrase("--file 和 --announce 只能写一个。改法：去掉其中一个。"))
    loaded = load_game(game)
    events = read_events(loaded)
    with open_known(loaded, db) as archive:
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
            if as_json:
                print_json({"tid": tid, "text": text, "sent": False})
            else:
                from engine.report.safe import show

                sys.stdout.write("".join(f"{show(line)}\n" for line in text.splitlines()))
                say(phrase("bansha: 这是要发到 {tid} 的文字，还没有发；加 --yes 才发。", tid=tid))
            return
        now = utc_now()
        if (before := find_posted(archive, tid, text, now)) is not None:
            raise UsageError(
                phrase(
                    "同样的文字一小时内已经发到 {tid} 过（{at:%Y-%m-%d %H:%M:%S}，{pid}），没有再发。"
                    "改法：先看看论坛上有没有；要改就改了文字再发。",
                    tid=tid,
                    at=before.at.astimezone(loaded.zone),
                    pid=f"pid {before.pid}" if before.pid else phrase("没有读回来"),
                )
            )
        with open_client(loaded) as client:
            import time

            save_posted(archive, tid, text, now, operator=operator or "")
            sent = send_reply(client, tid, text, sleep=time.sleep).post
            save_posted(archive, tid, text, utc_now(), pid=sent.pid, operator=operator or "")
    if as_json:
        print_json({"tid": tid, "text": text, "sent": True, "pid": sent.pid, "floor": sent.floor})
    else:
        say(phrase("bansha: 发到了 {tid} 的 {floor}（pid {pid}），读回来核对过。", tid=tid, floor=sent.floor, pid=sent.pid))


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
    from engine.textfile import read_text
    from scraper.errors import UsageError

    text = sys.stdin.read() if str(file) == "-" else read_text(file)
    if not text.strip():
        raise UsageError(phrase("{file}: 是空的，没有发。改法：写上要发的文字。", file=file))
    return text.strip("\n")
