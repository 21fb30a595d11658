"""场外助理: who may have one, and who may be one.

版杀游戏场次累计三场或以下的玩家允许申请场外助理。… 禁止已参加四场或以上版杀的玩家申请场外助理。(M29)

Who may be one the post does not say: 场外 is read as nobody who plays or directs this game. The other posts know no
assistants, and set no limit.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from engine.announcing.lines import find_called
from engine.game import Game
from engine.ledger import Event
from engine.simulate import rules_of
from scraper.phrases import phrase
from tally.folding import fold

ACTS = ("场外助理", "助理")
NAME = "助理"


@dataclass(frozen=True, slots=True)
class Assistant:
    """One assistant of the ledger: of which seat, his name ("" where the line tells none), and whether the rules let it be.

    `allowed` is None where nobody has told how many games the player has behind him; `why` says what speaks against it.
    """

    seat: str
    name: str
    line: int
    allowed: bool | None
    why: str = ""


def find_limit(game: Game) -> int | None:
    """How many games a player who asks for an assistant may have at most; None where the rules set no limit."""
    return rules_of(game.ruleset, game.switches).assistant_games if game.ruleset.play is not None else None


def may_have_one(game: Game, seat: str) -> bool | None:
    """Whether a seat may have an assistant; None where its games are not told."""
    limit = find_limit(game)
    games = next(one.games for one in game.roster.seats if one.name == seat)
    if limit is None:
        return True
    return None if games is None else games <= limit


def list_assistants(game: Game, events: Iterable[Event]) -> tuple[Assistant, ...]:
    """Every assistant that the lines that hold tell of."""
    return tuple(_judge(game, event) for event in events if event.act in ACTS and event.targets)


def _judge(game: Game, event: Event) -> Assistant:
    seat = find_called(game, event.targets[0].text)
    told = event.value(NAME)
    name = told.text if told is not None else ""
    if not seat:
        return Assistant(event.targets[0].text, name, event.number, False, phrase("没有这名玩家"))
    if name and fold(name) in _insiders(game):
        return Assistant(seat, name, event.number, False, phrase("{name} 在本局里，不是场外", name=name))
    allowed = may_have_one(game, seat)
    limit = find_limit(game)
    too_many = phrase("已参加的版杀多于 {limit} 场", limit=limit)
    why = {True: "", False: too_many, None: phrase("不知道他参加过几场（[[player]] 里写 games）")}[allowed]
    return Assistant(seat, name, event.number, allowed, why)


def _insiders(game: Game) -> set[str]:
    """Whoever plays or directs, under any name that is known, as names are compared."""
    seats = game.roster.seats
    names = {word for seat in seats for word in (seat.name, *seat.aliases, *(account.name for account in seat.accounts))}
    names |= {account.name for account in game.roster.directors} | {*game.secrets.people.values()}
    return {fold(name) for name in names}
