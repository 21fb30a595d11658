"""Cards in the ledger: the lines that give them, read; and the lines that confirm what a count proposes, written.

日2 导演 黄牌 饺子 ; 未投票        日2 导演 红牌 饺子 ; 辱骂
日2 导演 扣分 饺子 3 ; 未投票      日2 导演 罚下 饺子            (马甲杀)

So many yellow cards, or points, send off by themselves: the last of those lines does it, and no other is needed.
"""

from __future__ import annotations

from datetime import datetime

from engine.game import Game
from engine.gamefile import suggest
from engine.ledger import DIRECTOR, ENTERED_AT, Event, Word
from engine.play.order import quote
from scraper.phrases import phrase
from tally.penalties import Mark, Penalty
from tally.result import Card

NAMES = {Penalty.YELLOW: "黄牌", Penalty.RED: "红牌", Penalty.POINTS: "扣分", Penalty.OFF: "罚下"}
ACTS = tuple(NAMES.values())
_KINDS = {name: kind for kind, name in NAMES.items()}


def read_marks(game: Game, events: tuple[Event, ...]) -> tuple[Mark, ...]:
    """The penalties of a ledger's lines that hold; LedgerError for one that cannot be read."""
    return tuple(_read(game, event) for event in events if event.act in ACTS)


def _read(game: Game, event: Event) -> Mark:
    kind = _KINDS[event.act]
    example = f"日2 导演 {event.act} 饺子{' 3' if kind is Penalty.POINTS else ''} ; 未投票"
    if event.actor != DIRECTOR:
        raise event.refuse(phrase("{act} 只能由导演写", act=event.act), phrase("如 `{example}`", example=example))
    words = event.targets
    if len(words) != (2 if kind is Penalty.POINTS else 1):
        raise event.refuse(
            phrase("{act} 要写一名玩家{value}", act=event.act, value=phrase("和分数") if kind is Penalty.POINTS else ""),
            phrase("如 `{example}`", example=example),
        )
    points = 0
    if kind is Penalty.POINTS:
        if not (words[1].text.isascii() and words[1].text.isdigit()):
            raise event.refuse(
                phrase("{text!r} 不是分数", text=words[1].text), phrase("如 `{example}`", example=example), words[1].column
            )
        points = int(words[1].text)
    day = event.phase.number if event.phase is not None else 0
    return Mark(kind, _find_seat(game, event, words[0]), day, event.number, points, event.remark)


def write_card(card: Card, day: int, operator: str = "", entered_at: datetime | None = None) -> str:
    """The ledger line that gives a proposed card; `entered_at` is when the director confirmed it."""
    kind = Penalty(card.card)
    points = f" {card.points}" if kind is Penalty.POINTS else ""
    by = f" operator={quote(operator)}" if operator else ""
    when = f" {ENTERED_AT}={entered_at.isoformat(timespec='seconds')}" if entered_at is not None else ""
    return f"日{day} 导演 {NAMES[kind]} {quote(card.seat)}{points}{when}{by} ; {card.reason}"


def _find_seat(game: Game, event: Event, word: Word) -> str:
    for seat in game.roster.seats:
        if word.text == seat.name or word.text in seat.aliases:
            return seat.name
    names = [seat.name for seat in game.roster.seats]
    raise event.refuse(phrase("没有叫 {text!r} 的玩家", text=word.text), suggest(word.text, names), word.column)
