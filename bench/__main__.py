"""Time the house against the bare parse of the same pages, and print a table of ratios.

Every ratio is taken inside one run: what is compared takes turns, page by page or run by run, and the medians are set against
each other, so that a slow machine is slow for both. Nothing here is asserted: a figure is to be read. `--posts N` makes a
smaller thread than 20,000.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import count
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import lxml.html
from bs4 import BeautifulSoup

from bench.corpus import read_response, write_game, write_pages
from bench.games import append_lines, play_games
from bench.sounds import POSTS, check_sounds
from bench.work import TID, clocked, look, recount, sweep
from engine.counting import open_archive
from engine.game import load_game
from scraper.archive import Archive
from scraper.page import gate_page, read_gated, read_page
from scraper.response import Response
from scraper.schedule import Span
from tests.board.load import Load, make_pages

SEEN = datetime(2018, 6, 5, 13, 5, tzinfo=UTC)
SAMPLE = 30
ROUNDS = 5


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table: what was measured, the figure, and what it is to stay under or reach."""

    what: str
    figure: str
    goal: str


def take_turns(*works: Sequence[Callable[[], object]]) -> list[float]:
    """The median seconds of each kind of work: a round of all its pages, then a round of the next kind, and again.

    Whole rounds take turns, as in a pass over a thread: taking turns page by page, each would find the other's data in the
    processor's caches instead of its own.
    """
    times: list[list[float]] = [[] for _ in works]
    for _ in range(ROUNDS):
        for kind, pages in zip(times, works, strict=True):
            kind += [clocked(let_go(page))[0] for page in pages]
    return [median(kind) for kind in times]


def let_go(work: Callable[[], object]) -> Callable[[], None]:
    """The same work with what it made freed again: a tree of a whole page costs that too, and who reads many pays it."""

    def run() -> None:
        work()

    return run


def parse_bare(response: Response) -> Callable[[], object]:
    """The bare parse of a page that is decoded already."""
    text = response.body.decode("gb18030" if "gbk" in response.header("Content-Type") else "utf-8")
    return lambda: lxml.html.fromstring(text)


def read_soup(response: Response) -> Callable[[], object]:
    """BeautifulSoup with CSS selection of what a post is made of."""
    text = response.body.decode("utf-8")

    def read() -> int:
        page = BeautifulSoup(text, "lxml")
        found = 0
        for post in page.select("div#postlist > div[id^=post_]"):
            for selector in (".authi a.xw1", "em[id^=authorposton] span", "a[id^=postnum]", "td.t_f", "td.t_f blockquote"):
                found += len(post.select(selector))
        return found

    return read


def first_readings(folder: Path, charset: str) -> Iterator[Row]:
    """Reading pages for the first time, and BeautifulSoup for comparison."""
    zone = load_game(folder / "game.toml").forum.zone
    responses = [read_response(folder / charset, number, SEEN, charset) for number in range(1, SAMPLE + 1)]

    def read(response: Response) -> Callable[[], object]:
        kind = response.header("Content-Type")
        return lambda: read_page(response.body, tid=TID, seen_at=SEEN, zone=zone, content_type=kind)

    bare, ours = take_turns([parse_bare(response) for response in responses], [read(response) for response in responses])
    goal = "≤ 1.0" if charset == "utf-8" else "≤ 1.1"
    yield Row(f"first reading of a page ({charset}), decode included", f"{ours / bare:.2f} × bare parse", goal)
    if charset == "utf-8":
        some = responses[: SAMPLE // 6]
        soup, ours = take_turns([read_soup(response) for response in some], [read(response) for response in some])
        yield Row("  the same, against BeautifulSoup with CSS", f"{soup / ours:.0f} × faster", "≥ 20")


def other_surfaces(folder: Path, load: Load) -> Iterator[Row]:
    """Reading pages of other surfaces for the first time: against the bare parse of the same page, or of the same JSON."""
    zone = load_game(folder / "game.toml").forum.zone
    for dialect, title in (("v72", "Discuz! 7.2"), ("v60", "Discuz! 6.0"), ("api4", "JSON API, version 4")):
        bodies = [page.fill() for page in make_pages(Load(load.posts, dialect=dialect), range(1, SAMPLE + 1))]
        parse = json.loads if dialect == "api4" else lxml.html.fromstring
        bare, ours = take_turns(
            [partial(parse, body.decode("utf-8")) for body in bodies],
            [partial(read_page, body, tid=TID, seen_at=SEEN, zone=zone) for body in bodies],
        )
        against = "json.loads" if dialect == "api4" else "bare parse"
        size = sum(map(len, bodies)) / len(bodies) / 1000
        yield Row(f"first reading of a page of {title} ({size:.0f} KB)", f"{ours / bare:.2f} × {against}", "")


def unchanged_pages(folder: Path) -> Iterator[Row]:
    """A page whose volatile parts alone have changed: gated, compared, nothing read."""
    zone = load_game(folder / "game.toml").forum.zone
    before = [read_response(folder / "cold", number, SEEN) for number in range(1, SAMPLE + 1)]
    after = [read_response(folder / "warm", number, SEEN) for number in range(1, SAMPLE + 1)]

    def look(before: Response, after: Response) -> Callable[[], object]:
        kind = after.header("Content-Type")
        known = gate_page(before.body, content_type=kind).gates

        def compare() -> None:
            gate = gate_page(after.body, content_type=kind)
            changed = {pid for pid, seen in gate.gates.items() if known.get(pid) != seen}
            if changed or read_gated(gate, tid=TID, seen_at=SEEN, zone=zone, only=changed).posts:
                sys.exit(f"bench: {after.url} is unchanged, and posts were read again: {sorted(changed)}")

        return compare

    bare, ours = take_turns([parse_bare(page) for page in after], [look(*pair) for pair in zip(before, after, strict=True)])
    yield Row("unchanged page, its volatile parts changed", f"{ours / bare:.2f} × bare parse", "≤ 0.3")


def parse_all(folder: Path, load: Load) -> float:
    """The seconds of the bare parse of every page of a folder, without reading and decoding them."""
    return sum(clocked(let_go(parse_bare(read_response(folder, number, SEEN))))[0] for number in range(1, load.pages + 1))


def whole_thread(folder: Path, load: Load) -> Iterator[Row]:
    """Cold passes, sweeps, passes with one new page, and recounts, of the whole thread; each the median of three."""
    game_file, database = folder / "game.toml", folder / "thread.db"
    bares = [parse_all(folder / "cold", load)]
    colds = [cold_pass(folder, database)]
    bares.append(parse_all(folder / "cold", load))
    with open_archive(load_game(game_file), database) as archive:
        swept = [sweep(archive, folder / "warm", SEEN + timedelta(hours=hour)) for hour in (1, 2, 3)]
        news = [one_new_page(archive, folder, load, hour) for hour in (4, 5, 6)]
    counted = [clocked(lambda: recount(game_file, database)) for _ in range(3)]
    for again in (1, 2):
        colds.append(cold_pass(folder, folder / f"again{again}.db"))
        bares.append(parse_all(folder / "cold", load))
    cold, bare = median(colds), median(bares)
    yield Row(f"cold pass of {load.posts:,} posts: read, archived, counted", f"{cold / bare:.2f} × bare parse", "≤ 1.5")
    yield Row("full sweep of all pages, nothing new", f"{median(swept) / bare:.2f} × bare parse", "≤ 0.2")
    yield Row("normal pass with one new page", f"{median(news) / cold:.2%} of the cold pass", "≤ 1 %")
    yield Row("full recount from the archive", f"{median(seconds for seconds, _ in counted) / bare:.2f} × bare parse", "≤ 0.15")
    tally = counted[-1][1]
    votes = sum(count.votes for count in tally.counts)
    places = len(tally.void) + len(tally.replaced) + len(tally.not_ballots)
    yield Row("  (that count)", f"{votes} votes, {places:,} posts elsewhere", "")


def cold_pass(folder: Path, database: Path) -> float:
    """The seconds of reading the whole thread into a new archive, and of counting it."""
    with open_archive(load_game(folder / "game.toml"), database) as archive:
        seconds = sweep(archive, folder / "cold", SEEN)
    return seconds + clocked(lambda: recount(folder / "game.toml", database))[0]


def one_new_page(archive: Archive, folder: Path, load: Load, hour: int) -> float:
    """The seconds of a round that finds one page more than the one before: the last known page, the new one, one in its turn."""
    seen, known, asked = SEEN + timedelta(hours=hour), load.pages + hour - 4, count()

    def fetch_page(number: int) -> Response:
        return read_response(folder / f"new{hour}", number, seen + timedelta(seconds=next(asked)))

    (day,) = load_game(folder / "game.toml").days
    seconds, outcome = look(archive, fetch_page, seen, Span(day.opens, day.closes))
    if outcome.why or outcome.pages != known + 1 or len(outcome.seen) != 3:
        sys.exit(f"bench: the round went otherwise: {outcome.seen} of {outcome.pages} pages, {outcome.why}")
    return seconds


def sounds(folder: Path, posts: int) -> Iterator[Row]:
    """What chanted players post, checked; and the same pages read."""
    load = Load(posts, sounds=True)
    checked = check_sounds(folder / "sounds", SEEN, load)
    ratio = checked.checking / checked.reading
    yield Row(f"check of {load.posts:,} posts of chanted players", f"{ratio:.2f} × reading their pages", "≤ 1.0")
    yield Row("  (that check)", checked.found, "")


def games(folder: Path) -> Iterator[Row]:
    """Whole random games of the engine, and a line appended to its ledger."""
    for speed in play_games():
        goal = "≥ 600, checked ≥ 400" if speed.title == "M29" else ""
        figure = f"{speed.plain:.0f} a second, {speed.checked:.0f} checked"
        yield Row(f"random games of {speed.title} ({speed.lines:.0f} lines each), one core", figure, goal)
    short, long = append_lines(folder / "short", 500), append_lines(folder / "long", 5_000)
    yield Row("one line appended to a reopened ledger of 500, on disk", f"{short:.2f} ms", "≤ 2 ms")
    yield Row("  to one of 5,000", f"{long / short:.2f} × that", "≤ 1.5")


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
        for pages in (range(hour - 3, hour - 2), range(load.pages + hour - 4, load.pages + hour - 2)):
            write_pages(folder / f"new{hour}", grown, hour, pages)
    steps: list[Callable[[], Iterator[Row]]] = [
        lambda: first_readings(folder, "utf-8"),
        lambda: first_readings(folder, "gbk"),
        lambda: other_surfaces(folder, load),
        lambda: unchanged_pages(folder),
        lambda: whole_thread(folder, load),
        lambda: sounds(folder, min(load.posts, POSTS)),
        lambda: games(folder),
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
