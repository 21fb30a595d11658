"""Recorded passes of a case, stored as if a board had just answered: the same posts, the same misses, the same rows.

A case holds `polls/<n>/<tid>-<page>.http`, what pass n received, or a `cassette.yaml`; `Date:` is when a page was seen.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from scraper.address import page_url
from scraper.archive import Archive
from scraper.errors import BoardError, LayoutError, UsageError
from scraper.httpfile import parse_response
from scraper.passes import PassOutcome, RecordedPage, RecordedPass
from scraper.phrases import phrase
from scraper.poll import poll_thread
from scraper.response import Response
from scraper.screens import check_response

_NUMBER = re.compile(r"0*[1-9][0-9]{0,5}")
_PAGE_NAME = re.compile(r"([1-9][0-9]*)-([1-9][0-9]*)\.http")


def save_recorded_passes(archive: Archive, folder: Path) -> tuple[PassOutcome, ...]:
    """Store the recorded passes of a case: `polls/<n>/<tid>-<page>.http` in the order of n, or `cassette.yaml`.

    `Date:` of a page is when it was seen. Run again, after it was cut off or not, it ends in the same rows; ArchiveError
    where a page that is stored differs now. Raises UsageError for a file that is misnamed or cannot be read.
    """
    outcomes = []
    began: dict[int, tuple[datetime, str]] = {}
    for taken in _find_recordings(folder):
        for tid, pages in sorted(taken.threads.items()):
            recording = _Recording(archive.board, tid, pages)
            before, earlier = began.get(tid, (None, ""))
            if before and recording.now <= before:
                raise UsageError(
                    phrase(
                        "{name}: its first page of thread {tid} was seen at {now}, not after that of {earlier} "
                        "({before}); passes are recorded in the order of their dates.",
                        name=taken.name,
                        tid=tid,
                        now=recording.now,
                        earlier=earlier,
                        before=before,
                    )
                )
            began[tid] = (recording.now, taken.name)
            outcome = poll_thread(
                recording.fetch_page,
                archive,
                tid,
                clock=recording.clock,
                expected=max(pages),
                keep_copies=False,
                recorded=True,
            )
            if unused := [page for page in pages if page > outcome.pages and page not in recording.asked]:
                raise UsageError(
                    phrase(
                        "{name}: by the pages before it the thread had no more than {pages} then, so that nothing asks "
                        "for this one. Take it out, or mend the page numbers that the others print.",
                        name=pages[min(unused)].name,
                        pages=outcome.pages,
                    )
                )
            outcomes.append(outcome)
    return tuple(outcomes)


class _Recording:
    """The pages of one thread that one recorded pass holds; `now` is when the last one given out was seen, `asked` which were."""

    def __init__(self, board: str, tid: int, pages: Mapping[int, RecordedPage]) -> None:
        self._board, self._tid, self._pages = board, tid, pages
        self.now = self._load(min(pages)).seen_at
        self.asked: set[int] = set()

    def clock(self) -> datetime:
        return self.now

    def fetch_page(self, number: int) -> Response:
        self.asked.add(number)
        if number not in self._pages:
            raise BoardError(phrase("page {number} of thread {tid} is not in the recording", number=number, tid=self._tid))
        response = self._load(number)
        self.now = response.seen_at
        try:
            check_response(response)
        except (BoardError, LayoutError) as error:
            raise type(error)(phrase("{page}: {error}", page=self._pages[number].name, error=error), response) from None
        return response

    def _load(self, number: int) -> Response:
        page = self._pages[number]
        if isinstance(page.source, Response):
            return page.source
        return parse_response(page.source.read_bytes(), url=page_url(self._board, self._tid, number), name=page.name)


def _find_recordings(folder: Path) -> list[RecordedPass]:
    """The recorded passes in order."""
    polls, cassette = folder / "polls", folder / "cassette.yaml"
    if polls.is_dir() and cassette.is_file():
        raise UsageError(phrase("{folder}: holds polls/ and cassette.yaml; keep the one that is to be replayed.", folder=folder))
    if cassette.is_file():
        from scraper.cassette import read_passes

        return read_passes(cassette)
    if not polls.is_dir():
        raise UsageError(
            phrase("{folder}: holds no recorded pages: neither polls/1/<tid>-<page>.http nor cassette.yaml.", folder=folder)
        )
    numbered = sorted((int(entry.name), entry) for entry in polls.iterdir() if entry.is_dir() and _NUMBER.fullmatch(entry.name))
    strange = sorted(entry.name for entry in polls.iterdir() if entry.is_dir() and not _NUMBER.fullmatch(entry.name))
    if strange or not numbered:
        raise UsageError(
            f"{polls}: passes are folders named 1, 2, 3, …" + (f", not {strange[0]!r}." if strange else "; there is none.")
        )
    names = [(entry, f"{folder.resolve().name}/polls/{entry.name}") for _, entry in numbered]
    return [RecordedPass(name, _find_pages(entry, name)) for entry, name in names]


def _find_pages(folder: Path, name: str) -> dict[int, dict[int, RecordedPage]]:
    threads: dict[int, dict[int, RecordedPage]] = {}
    for path in sorted(folder.iterdir()):
        # What editors leave beside a file is passed over; a page by another name is not.
        if ".http" not in path.name or path.name.startswith(".") or path.name.endswith(("~", ".bak", ".orig", ".swp")):
            continue
        match = _PAGE_NAME.fullmatch(path.name)
        if not match:
            raise UsageError(phrase("{path}: a recorded page is named <tid>-<page>.http, for example 1235-1.http.", path=path))
        threads.setdefault(int(match[1]), {})[int(match[2])] = RecordedPage(f"{name}/{path.name}", path)
    if not threads:
        raise UsageError(phrase("{folder}: this pass holds no page; a recorded page is named <tid>-<page>.http.", folder=folder))
    return threads
