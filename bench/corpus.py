"""The pages that the bench reads, written to a folder so that none of them stays in memory; and the game that counts them."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from scraper.response import Response
from tests.board.load import BASE, CLOSES, DIRECTOR, OPENS, PLAYERS, TID, Load, make_pages

CHARSETS = {"utf-8": "text/html; charset=utf-8", "gbk": "text/html; charset=gbk"}


def write_pages(folder: Path, load: Load, volatile: int, numbers: range | None = None) -> int:
    """Write `<page>.html` for each page as somebody sees it the `volatile`-th time; how many bytes that were."""
    folder.mkdir(parents=True, exist_ok=True)
    size = 0
    for page in make_pages(load, numbers):
        body = page.fill(volatile)
        (folder / f"{page.number}.html").write_bytes(body)
        size += len(body)
    return size


def read_response(folder: Path, number: int, seen_at: datetime, charset: str = "utf-8") -> Response:
    """One page of a folder as the response that a client would have got."""
    body = (folder / f"{number}.html").read_bytes()
    url = f"{BASE}forum.php?mod=viewthread&tid={TID}&page={number}"
    return Response(url, 200, (("Content-Type", CHARSETS[charset]),), body, seen_at)


def write_game(path: Path, *, chanted: bool = False) -> Path:
    """A game file for the generated thread: one day and its sixteen voters, all of them `chanted` or none."""
    lines = [
        "[game]",
        'title = "bench"',
        'ruleset = "m29"',
        'timezone = "Asia/Shanghai"',
        f"directors = [{{ account = {DIRECTOR.name!r}, uid = {DIRECTOR.uid} }}]",
        "[forum]",
        f'url = "{BASE}"',
    ]
    for account in PLAYERS:
        lines += ["[[player]]", f"name = {account.name!r}", f"uid = {account.uid}"]
    lines += ["[[day]]", "number = 2", f"opens = {OPENS.isoformat()}", f"closes = {CLOSES.isoformat()}", f"vote = {TID}"]
    names = ", ".join(f'"{account.name}"' for account in PLAYERS) if chanted else ""
    path.write_text("\n".join([*lines, 'sheriff = ""', f"chanted = [{names}]", ""]), encoding="utf-8")
    return path
