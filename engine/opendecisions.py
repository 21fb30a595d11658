"""What a game waits for from its director, in words: for whoever takes it over."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from engine.report.safe import shorten, show
from engine.report.words import Words
from scraper.phrases import phrase

if TYPE_CHECKING:
    from datetime import datetime

    from engine.desk import Desk
    from engine.game import Game
    from engine.ledger import Event
    from scraper.archive import Archive
    from tally.result import DayTally

_RAW = 60


def describe_game(desk: Desk, now: datetime) -> Iterator[str]:
    """Where a game stands that its ledger runs: what is waited for until when, what to pass on, refused lines."""
    from engine.desk import find_troubles
    from engine.report.nights import describe_plan
    from tally.finding import sentence

    yield from (show(line) for line in describe_plan(desk, now))
    for one in find_troubles(desk):
        line = dict(one.parameters).get("line", "?")
        yield show(phrase("账本第 {line} 行 {code}：{sentence}", line=line, code=one.code, sentence=sentence(one, "zh")))


def describe_votes(game: Game, archive: Archive, events: tuple[Event, ...]) -> Iterator[str]:
    """What the votes of each day wait for: ballots that need a ruling, results that are not final, cards nobody has confirmed."""
    from engine.counting import count_game_day, votes_of

    for day in game.days:
        for vote in votes_of(game, day):
            if vote.vote and archive.fetch_passes(vote.vote):
                yield from _describe(count_game_day(game, archive, events, vote))


def _describe(tally: DayTally) -> Iterator[str]:
    words = Words("zh")
    if not tally.final:
        yield phrase("第 {day} 天 的计票还不是最终的。", day=tally.day)
    for doubt in tally.needs_ruling:
        yield phrase(
            "第 {day} 天 等裁定：{voter} {floor} tid={tid} pid={pid}「{raw}」",
            day=tally.day,
            voter=show(doubt.voter),
            floor=show(doubt.post.floor),
            tid=doubt.post.tid,
            pid=doubt.post.pid,
            raw=shorten(doubt.raw, _RAW),
        )
    for card in tally.cards:
        if card.confirmed is None:
            yield phrase(
                "第 {day} 天 罚牌等确认：{seat} {card}（{reason}）",
                day=tally.day,
                seat=show(card.seat),
                card=words.card(card.card),
                reason=card.reason,
            )
