"""A world without waiting for the client's tests: sleeping moves its clocks, and is written down."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from scraper.pace import Settings, Surroundings
from scraper.response import Response
from tests.board.faults import Answer

QUICK = Settings(interval=0.0, connect_timeout=1.0, read_timeout=0.3, page_timeout=5.0)


@dataclass(slots=True)
class World:
    """Clocks that move only by sleeping; `waits` are the sleeps in seconds; `chance` is what every draw gives (0 to 1)."""

    chance: float = 0.0
    start: datetime = datetime(2018, 6, 5, 13, 0, tzinfo=UTC)
    waits: list[float] = field(default_factory=list)

    def surroundings(self) -> Surroundings:
        return Surroundings(sleep=self.waits.append, monotonic=self.monotonic, now=self.now, chance=lambda: self.chance)

    def monotonic(self) -> float:
        return 1000.0 + sum(self.waits)

    def now(self) -> datetime:
        return self.start + timedelta(seconds=sum(self.waits))


def thread_page(words: str = "投票对象：包子", *, head: str = "", charset: str = "utf-8") -> bytes:
    """A thread's page with one post, as small as X's structure allows; `head` stands where the user menu is."""
    text = (
        f'<!DOCTYPE html><html><head><meta charset="{charset}" /><title>第二天 投票帖</title></head><body id="nv_forum">{head}'
        '<div id="postlist" class="pl bm"><div id="post_88"><table id="pid88" class="plhin"><tr><td class="pls">'
        '<div class="authi"><a href="home.php?mod=space&amp;uid=7" class="xw1">饺子</a></div></td><td class="plc">'
        '<a id="postnum88"><em>2</em><sup>#</sup></a><em id="authorposton88">发表于 2018-6-5 20:58</em>'
        f'<table><tr><td class="t_f" id="postmessage_88">{words}</td></tr></table></td></tr></table></div></div></body></html>'
    )
    return text.encode("gb18030" if charset.startswith("gb") else charset)


PAGE = Answer(body=thread_page())


def answer(body: bytes, status: int = 200, url: str = "https://bbs.example.net/forum.php?mod=viewthread&tid=1235") -> Response:
    """A response of a board, seen at 13:00:01 UTC."""
    return Response(url, status, (("Content-Type", "text/html"),), body, datetime(2018, 6, 5, 13, 0, 1, tzinfo=UTC))
