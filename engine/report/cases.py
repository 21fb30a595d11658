"""What `replay` and `demo` print: the days of a case, and where it is not as expected, with the posts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from engine.expected import Difference
from engine.language import choose_language
from engine.report.lines import write_lines
from engine.report.safe import show
from engine.report.sounds.terminal import print_check
from engine.report.sounds.values import check_value
from engine.report.sounds.words import CheckWords
from engine.report.terminal import make_console, print_tally
from engine.report.values import Json, tally_value
from engine.report.words import Words
from scraper.phrases import listing, phrase

if TYPE_CHECKING:
    from engine.replay import Replay


def print_replay(result: Replay, *, whole: bool) -> None:
    """A case's outcome: its tables where it is the only one or expects nothing, its differences, one line at the end."""
    if whole or result.expected is None:
        console, words = make_console(), Words(choose_language())
        for tally in result.tallies:
            print_tally(console, tally, result.game, words)
        if result.speech is not None and result.speech.posts:
            print_check(console, result.speech, result.game, CheckWords(words.language))
            console.print()
    lines = [line for difference in result.differences for line in _describe(difference)]
    days = listing(dict.fromkeys(str(tally.day) for tally in result.tallies))
    name, count = result.case.name, len(result.differences)
    if result.expected is None:
        lines.append(phrase("{name}：第 {days} 天，没有 expected.toml 可以对照", name=name, days=days))
    elif result.differences:
        lines.append(phrase("{name}：第 {days} 天，与 expected.toml 有 {count} 处出入", name=name, days=days, count=count))
    else:
        lines.append(phrase("{name}：第 {days} 天，与 expected.toml 一致", name=name, days=days))
    write_lines(lines)


def _describe(difference: Difference) -> list[str]:
    """One list of one day as a diff: what is missing, what is too many, and the posts behind it."""
    return [
        phrase("第 {day} 天 · {what}", day=difference.day, what=difference.what),
        *(phrase("  - 应为 {row}", row=row) for row in difference.missing),
        *(phrase("  + 实为 {row}", row=row) for row in difference.extra),
        *(phrase("      {post}", post=post) for post in difference.posts),
    ]


def replay_value(result: Replay) -> Json:
    """A replay as JSON: the tallies of its days, and the differences; `expected` tells whether it was held to anything."""
    return {
        "case": result.case.name,
        "expected": result.expected is not None,
        "days": [tally_value(tally, result.game) for tally in result.tallies],
        "speech": check_value(result.speech, result.game) if result.speech is not None else None,
        "differences": [
            {
                "day": difference.day,
                "list": difference.what,
                "missing": list(difference.missing),
                "extra": list(difference.extra),
                "posts": list(difference.posts),
            }
            for difference in result.differences
        ],
    }


def print_demo(result: Replay, folder: Path | None) -> None:
    """The tables of the demo's days, and what to try next."""
    console, words = make_console(), Words(choose_language())
    for tally in result.tallies:
        print_tally(console, tally, result.game, words)
    seat = show(result.game.roster.seats[0].name)
    if folder is None:
        lines: list[str] = [
            phrase("接下来可以试试："),
            phrase("  bansha demo --dir mygame      把这一局放进文件夹 mygame，随意改着玩"),
        ]
    else:
        where = _typed(folder)
        page = _first_page(folder, result.game.days[0].vote)
        lines = [
            phrase("这一局放在 {where}。接下来可以试试：", where=where),
            phrase(
                "  bansha explain {where} {seat} --day {day}    {seat} 的每一帖为什么算、为什么不算",
                where=where,
                seat=seat,
                day=result.tallies[-1].day,
            ),
            phrase("  bansha tally {where} --day {day} --json    给程序看的结果", where=where, day=result.tallies[0].day),
            phrase("  用编辑器改一张票，如 {page}，再运行 bansha replay {where}，看计票怎么变", page=_typed(page), where=where),
            phrase("      （首次看到的内容算数，所以要改最早的那一遍 polls/1；后来的几遍没改，会报告那张票被编辑过）"),
            phrase(
                "  改 {file}，填上自己的论坛和帖子，再运行 bansha fetch {where}",
                file=_typed(folder / "game.toml"),
                where=where,
            ),
        ]
    write_lines(lines)


def _first_page(folder: Path, tid: int) -> Path:
    """The first page of a thread in the first pass that saw it."""
    pages = sorted((folder / "polls").glob(f"*/{tid}-1.http"), key=lambda page: (len(page.parent.name), page.parent.name))
    return pages[0] if pages else folder / "polls"


def _typed(path: Path) -> str:
    """A path as it is typed in a shell."""
    text = show(str(path))
    return f'"{text}"' if " " in text else text
