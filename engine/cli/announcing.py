"""`announce`: what is published at each moment of a game, as BBCode to paste or to `post`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from engine.cli.common import AsJson, DatabasePath, GamePath, finish, print_json, read_given, say, warn_exposed, write_result
from engine.cli.words import _
from engine.language import localize
from scraper.phrases import listing, phrase

if TYPE_CHECKING:
    from engine.announcing.announce import Desk
    from engine.announcing.moments import Moment
    from engine.announcing.morning import Cast
    from engine.announcing.morningcheck import Slip
    from engine.report.values import Json


def announce(
    game: GamePath,
    moment: Annotated[
        str | None,
        typer.Option("--moment", metavar="MOMENT", help=_("start、opening、midday、speedup、close、end；不写就是现在该发的。")),
    ] = None,
    day: Annotated[int | None, typer.Option("--day", metavar="N", help=_("第几天；不写就是现在这天。"))] = None,
    as_json: AsJson = False,
    db: DatabasePath = None,
) -> None:
    """公示：开局、开门、讨论中、加速、截票、结束时各要公布什么，写成可以直接贴的 BBCode，并说发在哪个帖子。"""
    from engine.announcing.announce import announce as make
    from engine.announcing.announce import choose_moment

    with open_table(game, db) as desk:
        chosen, number = (read_moment_name(moment), day) if moment is not None else choose_moment(desk, day)
        made = make(desk, chosen, number)
    if as_json:
        print_json(
            {
                "moment": made.moment.value,
                "day": made.day or None,
                "tid": made.tid,
                "final": made.final,
                "why": made.why or None,
                "text": made.text,
            }
        )
    else:
        sys.stdout.write(made.text)
        if made.tid is not None:
            say(
                phrase(
                    "bansha: 按规则发在 {tid}；bansha post {game} --announce {moment} 发出去。",
                    tid=made.tid,
                    game=game,
                    moment=chosen,
                )
            )
    if not made.final:
        say(phrase("bansha: 还不是最终的：{why}。", why=made.why))
    finish([int(not made.final)])


def read_moment_name(word: str) -> Moment:
    """A moment that was typed; UsageError for what is none."""
    from engine.announcing.moments import Moment
    from scraper.errors import UsageError

    try:
        return Moment(word.lower().replace("-", "").replace("_", ""))
    except ValueError:
        names = listing(one.value for one in Moment)
        raise UsageError(phrase("没有 {word!r} 这个时刻。改法：写 {names} 之一。", word=word, names=names)) from None


@contextmanager
def open_table(path: Path, database: Path | None, *, reads: bool = False) -> Iterator[Desk]:
    """A game laid out for announcements, with its archive where there is one: one that was just dealt has none.

    With `reads` something is to be read from the board, and an archive is made.
    """
    from engine.announcing.announce import lay_out
    from engine.counting import open_archive, read_events
    from engine.game import load_game

    game = load_game(path, before_days=True)
    warn_exposed(game)
    events = read_events(game)
    if not (reads or (database or game.database).is_file()):
        yield lay_out(game, None, events)
        return
    with open_archive(game, database or game.database) as archive:
        yield lay_out(game, archive, events)


def morning(
    game: GamePath,
    day: Annotated[int | None, typer.Option("--day", metavar="N", help=_("哪天的晨报；不写就是现在这天。"))] = None,
    check: Annotated[Path | None, typer.Option("--check", metavar="FILE", help=_("写好的晨报；- 是标准输入。"))] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", metavar="FILE", help=_("提纲写进这个文件。"))] = None,
    as_json: AsJson = False,
    db: DatabasePath = None,
) -> None:
    """晨报：给写手的提纲（只有当天公示的人）；--check 核对写好的：出局的都写到了，没有漏出还不能说的字。"""
    from engine.announcing.morning import read_cast, write_skeleton
    from engine.report.safe import show

    with open_table(game, db) as desk:
        last = desk.played.state.phase.number if desk.played is not None else (desk.game.days[-1].number if desk.game.days else 1)
        cast = read_cast(desk, day if day is not None else max(last, 1))
        if check is None:
            text = write_skeleton(cast, desk.game.title)
            if output is not None:
                write_result(text, output)
                say(phrase("bansha: 写在 {output}。", output=output))
            elif as_json:
                print_json({**_cast_value(cast), "text": text})
            else:
                sys.stdout.write("".join(f"{show(line)}\n" for line in text.splitlines()))
            return
        from engine.announcing.morningcheck import check_text

        slips = check_text(desk, cast, read_given(check))
    if as_json:
        print_json({**_cast_value(cast), "findings": [_slip_value(one) for one in slips]})
    else:
        from engine.language import choose_language, tell_finding
        from engine.report.words import Words
        from tally.finding import severity

        words = Words(choose_language())
        for one in slips:
            told = show(tell_finding(one.finding, words.language))
            sys.stdout.write(f"[{words.severity(severity(one.finding))} {one.finding.code}] {told}\n")
        if not slips:
            sys.stdout.write(f"{localize(phrase('晨报没有问题。'))}\n")
    finish(int(one.error) for one in slips)


def _cast_value(cast: Cast) -> dict[str, Json]:
    return {"day": cast.day, "out": [*cast.out], "chanted": [*cast.chanted], "souls": [*cast.souls]}


def _slip_value(slip: Slip) -> Json:
    """A finding of a morning report; `line` and `column` where something stands in it."""
    from engine.report.values import finding_value

    where: dict[str, Json] = {"line": slip.line, "column": slip.column} if slip.line else {}
    return {**finding_value(slip.finding), **where}
