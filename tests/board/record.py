"""Records the cases: plays each `script.toml` on the test board, looks as its passes say, and keeps what came as `polls/`.

`python -m tests.board.record [CASE …]` (`make fixtures` for all). The pages are asked for with requests, through a real socket
and under vcrpy; what is kept has no cookies, and bbs.example.net in place of the board's address. Recording again gives the
same bytes.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path

from scraper.cassette import read_passes, record_board
from scraper.httpfile import format_response
from scraper.masking import EXAMPLE_HOST, scrub
from scraper.response import Response
from tests.board.dialects import find_dialect
from tests.board.script import Pass, Script, load_script
from tests.board.server import Asked, Board, serve
from tests.board.view import count_pages, standing

FIXTURES = Path(__file__).parents[2] / "fixtures"
BASE = f"https://{EXAMPLE_HOST}/"
_KEPT_HEADERS = ("content-type", "date", "location", "retry-after")


@dataclass(frozen=True, slots=True)
class Step:
    """One request of a pass: when (board-local), which page of which thread, and its address under the board's."""

    moment: datetime
    tid: int
    page: int
    address: str


def plan_pass(script: Script, look: Pass) -> Iterator[Step]:
    """The requests of a pass: each thread from its first page to the one that is the last at that moment.

    A page that the pass skips takes its time, as one that did not come. A thread that does not exist is asked for once where the
    pass names it.
    """
    moment = look.at
    dialect = find_dialect(script.settings.dialect)
    for tid in look.tids or [tid for tid in script.threads if standing(script, tid, look.at)]:
        page, pages = 0, 1
        while page < pages:
            page += 1
            pages = count_pages(script, tid, moment)
            if f"{tid}-{page}" not in look.skip:
                yield Step(moment, tid, page, dialect.address(tid, page))
            moment += timedelta(seconds=look.gap)


def render_polls(script: Script) -> dict[str, bytes]:
    """What a recording of the script holds, by file under `polls/`, made without a socket."""
    board = Board(script, datetime.min, base=BASE)  # noqa: DTZ901 - the clock is set before every answer
    polls = {}
    for number, look in enumerate(script.passes, 1):
        for step in plan_pass(script, look):
            board.clock = step.moment
            reply = board.answer(Asked("GET", f"/{step.address}"))
            assert reply is not None
            seen_at = script.universal(step.moment)
            response = Response(f"{BASE}{step.address}", reply.status, reply.headers, scrub(reply.body, BASE), seen_at)
            polls[f"{number}/{step.tid}-{step.page}.http"] = _format(response)
    return polls


def record_polls(script: Script, cassettes: Path) -> dict[str, bytes]:
    """The same through requests, a socket and vcrpy, which leaves one cassette a pass in the folder `cassettes`."""
    import requests

    polls = {}
    board = Board(script, datetime.min, base=BASE)  # noqa: DTZ901 - the clock is set before every answer
    with serve(board) as served, requests.Session() as session:
        session.trust_env = False  # no proxy of the environment stands between here and loopback
        for number, look in enumerate(script.passes, 1):
            cassette = cassettes / f"{number}.yaml"
            with record_board(cassette, served.base):
                for step in plan_pass(script, look):
                    board.clock = step.moment
                    session.get(f"{served.base}{step.address}", timeout=30)
            for taken in read_passes(cassette):
                for tid, pages in taken.threads.items():
                    for page, recorded in pages.items():
                        assert isinstance(recorded.source, Response)
                        polls[f"{number}/{tid}-{page}.http"] = _format(recorded.source)
    return polls


def save_polls(folder: Path, polls: Mapping[str, bytes]) -> None:
    """Put a recording in place of the `polls/` that a case had."""
    root = folder / "polls"
    if root.exists():
        shutil.rmtree(root)
    for name, data in polls.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def list_cases(names: list[str]) -> list[Path]:
    """The folders of the named cases (a path, `m29/case` or `case`), or of all that have a script."""
    every = sorted(path.parent for path in FIXTURES.glob("*/*/script.toml"))
    if not names:
        return every
    found = []
    for name in names:
        path = Path(name)
        hits = [path] if (path / "script.toml").is_file() else [case for case in every if case.as_posix().endswith(f"/{name}")]
        if not hits:
            raise SystemExit(f"{name}: no such case with a script.toml; there are: {', '.join(case.name for case in every)}")
        found += hits
    return found


def main(names: list[str]) -> None:
    """Record the named cases, or all."""
    for folder in list_cases(names):
        with tempfile.TemporaryDirectory() as cassettes:
            polls = record_polls(load_script(folder / "script.toml"), Path(cassettes))
        save_polls(folder, polls)
        sys.stdout.write(f"{folder}: {len(polls)} pages\n")


def _format(response: Response) -> bytes:
    """The file of a response: of its headers those that tell about the page, by name. Its length changes when it is edited."""
    kept = sorted(pair for pair in response.headers if pair[0].lower() in _KEPT_HEADERS)
    return format_response(replace(response, headers=tuple(kept)))


if __name__ == "__main__":
    main(sys.argv[1:])
