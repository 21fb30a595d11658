"""Time the house against the bare parse of the same pages, and print a table of ratios.

Every ratio is taken inside one run: what is compared takes turns, page by page or run by run, and the medians are set against
each other, so that a slow machine is slow for both. Nothing here is asserted: a figure is to be read. `--posts N` makes a
smaller thread than 20,000.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import lxml.html
from bs4 import BeautifulSoup

from bench.corpus import read_response, write_game, write_pages
from bench.work import TID, clocked, recount, sweep
from engine.counting import open_archive
from engine.game import load_game
from scraper.page import gate_page, read_gated, read_page
from scraper.response import Response
from tests.board.load import Load

SEEN = datetime(2018, 6, 5, 13, 5, tzinfo=UTC)
SAMPLE = 30


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table: what was measured, the figure, and what it is to stay under or reach."""

    what: str
    figure: str
    goal: str


def bare_parse(response: Response) -> float:
    """The seconds that lxml takes to parse a page that is decoded already."""
    text = response.body.decode("gb18030" if "gbk" in response.header("Content-Type") else "utf-8")
    return clocked(lambda: lxml.html.fromstring(text))[0]


def soup(response: Response) -> float:
    """The seconds of BeautifulSoup with CSS selection of what a post is made of."""
    text = response.body.decode("utf-8")

    def read() -> int:
        page = BeautifulSoup(text, "lxml")
        found = 0
        for post in page.select("div#postlist > div[id^=post_]"):
            for selector in (".authi a.xw1", "em[id^=authorposton] span", "a[id^=postnum]", "td.t_f", "td.t_f blockquote"):
                found += len(post.select(selector))
        return found

    return clocked(read)[0]


def first_readings(folder: Path, charset: str) -> Iterator[Row]:
    """Reading pages for the first time, and BeautifulSoup for comparison."""
    game_zone = load_game(folder / "game.toml").forum.zone
    bare, ours, soups = [], [], []
    for number in range(1, SAMPLE + 1):
        response = read_response(folder / charset, number, SEEN, charset)
        kind = response.header("Content-Type")

        def read(response: Response = response, kind: str = kind) -> object:
            return read_page(response.body, tid=TID, seen_at=SEEN, zone=game_zone, content_type=kind)

        for _ in range(3):
            bare.append(bare_parse(response))
            ours.append(clocked(read)[0])
        if charset == "utf-8" and number <= SAMPLE // 3:
            soups.append(soup(response))
    goal = "≤ 1.0" if charset == "utf-8" else "≤ 1.1"
    yield Row(f"first reading of a page ({charset}), decode included", f"{median(ours) / median(bare):.2f} × bare parse", goal)
    if soups:
        yield Row("  the same, against BeautifulSoup with CSS", f"{median(soups) / median(ours):.0f} × faster", "≥ 20")


def unchanged_pages(folder: Path) -> Iterator[Row]:
    """A page whose volatile parts alone have changed: gated, compared, nothing read."""
    game_zone = load_game(folder / "game.toml").forum.zone
    bare, ours = [], []
    for number in range(1, SAMPLE + 1):
        before = read_response(folder / "cold", number, SEEN)
        after = read_response(folder / "warm", number, SEEN)
        known = gate_page(before.body, content_type=before.header("Content-Type")).gates

        def look(after: Response = after, known: dict[int, bytes] = known) -> int:
            gate = gate_page(after.body, content_type=after.header("Content-Type"))
            changed = {pid for pid, seen in gate.gates.items() if known.get(pid) != seen}
            return len(read_gated(gate, tid=TID, seen_at=SEEN, zone=game_zone, only=changed).posts)

        for _ in range(3):
            bare.append(bare_parse(after))
            seconds, read = clocked(look)
            if read:
                sys.exit(f"bench: page {number} is unchanged, and {read} posts were read again")
            ours.append(seconds)
    yield Row("unchanged page, its volatile parts changed", f"{median(ours) / median(bare):.2f} × bare parse", "≤ 0.3")


def whole_thread(folder: Path, load: Load) -> Iterator[Row]:
    """A cold pass, a sweep, a pass with one new page, and a recount, of the whole thread."""
    game_file, database = folder / "game.toml", folder / "thread.db"
    parsed: list[float] = []

    def parse(response: Response) -> float:
        seconds, _ = clocked(lambda: parsed.append(bare_parse(response)))
        return seconds

    with open_archive(load_game(game_file), database) as archive:
        cold = sweep(archive, folder / "cold", SEEN, parse)
        bare = sum(parsed)
        counted, tally = clocked(lambda: recount(game_file, database))
        yield Row(
            f"cold pass of {load.posts:,} posts: read, archived, counted", f"{(cold + counted) / bare:.2f} × bare parse", "≤ 1.5"
        )
        swept = [sweep(archive, folder / "warm", SEEN + timedelta(hours=hour)) for hour in (1, 2, 3)]
        yield Row("full sweep of all pages, nothing new", f"{median(swept) / bare:.2f} × bare parse", "≤ 0.2")
        last = load.pages
        news = []
        for hour in (4, 5, 6):
            seen = SEEN + timedelta(hours=hour)
            new = read_response(folder / f"new{hour}", last + hour - 3, seen)

            def one_new_page(seen: datetime = seen, new: Response = new, hour: int = hour) -> None:
                pass_id = archive.begin_pass(TID, seen)
                known = last + hour - 4
                known_folder = folder / ("warm" if hour == 4 else f"new{hour - 1}")
                archive.save_page(pass_id, read_response(known_folder, known, seen), known)
                archive.save_page(pass_id, new, known + 1)
                archive.end_pass(pass_id, seen, pages=known + 1, complete=False, why="a normal pass")

            news.append(clocked(one_new_page)[0])
        yield Row("normal pass with one new page", f"{median(news) / (cold + counted):.2%} of the cold pass", "≤ 1 %")
    counts = [clocked(lambda: recount(game_file, database))[0] for _ in range(3)]
    yield Row("full recount from the archive", f"{median(counts) / bare:.2f} × bare parse", "≤ 0.15")
    votes = sum(count.votes for count in tally.counts)
    places = len(tally.void) + len(tally.replaced) + len(tally.not_ballots)
    yield Row("  (that count)", f"{votes} votes, {places:,} posts elsewhere", "")


def peak_memory(folder: Path) -> Row:
    """The peak of a cold pass in a process of its own."""
    command = [sys.executable, "-m", "bench.cold", str(folder / "game.toml"), str(folder / "peak.db"), str(folder / "cold")]
    printed = subprocess.run(command, check=True, capture_output=True, encoding="utf-8").stdout.strip()
    return Row("peak memory of the cold pass (VmHWM)", f"{printed} MB", "≤ 75 MB")


def start_up(arguments: list[str], goal: str) -> Row:
    """How long a command takes to say what it can do; the median of nine whole processes."""
    command = [sys.executable, "-m", "engine", *arguments]
    times = [clocked(lambda: subprocess.run(command, check=True, capture_output=True))[0] for _ in range(10)]
    return Row(f"`bansha {' '.join(arguments)}`", f"{median(times[1:]):.2f} s", goal)


def measure(folder: Path, load: Load) -> Iterator[Row]:
    """Every row of the table, in its order."""
    write_game(folder / "game.toml")
    write_pages(folder / "cold", load, 0)
    write_pages(folder / "warm", load, 1)
    for charset in ("utf-8", "gbk"):
        write_pages(folder / charset, Load(load.posts, charset=charset), 0, range(1, SAMPLE + 1))
    for hour in (4, 5, 6):
        grown = Load((load.pages + hour - 3) * load.per_page)
        write_pages(folder / f"new{hour}", grown, hour, range(load.pages + hour - 3, load.pages + hour - 2))
    steps: list[Callable[[], Iterator[Row]]] = [
        lambda: first_readings(folder, "utf-8"),
        lambda: first_readings(folder, "gbk"),
        lambda: unchanged_pages(folder),
        lambda: whole_thread(folder, load),
    ]
    for step in steps:
        yield from step()
    yield peak_memory(folder)
    yield start_up(["--help"], "≤ 0.25 s")
    yield start_up(["tally", "--help"], "≤ 0.3 s")


def main() -> None:
    """Print the table as Markdown."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--posts", type=int, default=20_000, help="how many posts the thread has (default: 20000)")
    load = Load(parser.parse_args().posts)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="bansha-bench-")))
        print(f"| {load.posts:,} posts on {load.pages} pages | measured | to reach |\n|---|---|---|", flush=True)
        for row in measure(folder, load):
            print(f"| {row.what} | {row.figure} | {row.goal} |", flush=True)


if __name__ == "__main__":
    main()
