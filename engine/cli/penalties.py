"""`cards`: which cards a day proposes, on which posts they rest, and the director's confirmation in the ledger."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import typer

from engine.cli.common import (
    AsJson,
    DatabasePath,
    DayNumber,
    GamePath,
    Operator,
    choose_day,
    finish,
    last_look,
    name_operator,
    open_known,
    print_json,
    say,
    tally_code,
    warn_exposed,
)
from engine.cli.words import _
from scraper.phrases import listing, phrase

if TYPE_CHECKING:
    from engine.game import Game
    from engine.ledger import Event
    from scraper.archive import Archive
    from tally.day import Day
    from tally.result import Card, DayTally


def cards(
    game: GamePath,
    day: DayNumber = None,
    confirm: Annotated[
        list[str] | None,
        typer.Option(
            "--confirm", metavar="SEAT", help=_("确认这名玩家的罚牌，写进账本；可以写几次。只确认一项时写 玩家:未投票。")
        ),
    ] = None,
    operator: Operator = None,
    as_json: AsJson = False,
    db: DatabasePath = None,
) -> None:
    """一天该罚哪些牌，凭哪些帖子；确认的写进账本，每张一行。"""
    from engine.counting import read_events
    from engine.derived import derive_facts
    from engine.game import load_game
    from engine.ledger import standing_events
    from engine.ledgerfile import append_lines
    from engine.penalties import read_marks, write_card
    from engine.store import save_tallies
    from scraper.errors import ArchiveError

    loaded = load_game(game)
    warn_exposed(loaded)
    events = read_events(loaded)
    with open_known(loaded, db) as archive:
        loaded = derive_facts(loaded, archive, events)
        chosen = choose_day(loaded, day, lambda: last_look(loaded, archive))
        tallies, tally = _count(loaded, archive, events, chosen)
        if confirm:
            given = _choose(loaded, tally, confirm)
            now = datetime.now(loaded.zone)
            lines = [write_card(card, tally.day, name_operator(operator, loaded), now) for card in given]
            first = append_lines(loaded.ledger, lines)
            for number, line in enumerate(lines, first):
                say(phrase("bansha: 已写进 {ledger} 第 {number} 行：{line}", ledger=loaded.ledger, number=number, line=line))
            events = read_events(loaded)
            loaded = derive_facts(load_game(game), archive, events)
            chosen = choose_day(loaded, tally.day, lambda: None)
            tallies, tally = _count(loaded, archive, events, chosen)
        try:
            save_tallies(archive, loaded, tallies, events)
        except ArchiveError as error:
            say(phrase("bansha: 结果没有存进数据库：{error}", error=error))
    marks = read_marks(loaded, standing_events(events))
    if as_json:
        from engine.report.penalties import cards_value

        print_json(cards_value(tally, marks, loaded))
    else:
        from engine.language import choose_language
        from engine.report.penalties import print_cards
        from engine.report.terminal import make_console
        from engine.report.words import Words

        print_cards(make_console(), tally, marks, loaded, Words(choose_language()))
    finish([tally_code(tally)])


def _count(game: Game, archive: Archive, events: tuple[Event, ...], day: Day) -> tuple[list[DayTally], DayTally]:
    """Every vote of a day, and the one that cards go with: the day's own, or the first where it has none (断言 has three)."""
    from engine.counting import count_game_day, votes_of

    tallies = [count_game_day(game, archive, events, vote) for vote in votes_of(game, day)]
    return tallies, next((one for one in tallies if not one.poll), tallies[0])


def _choose(game: Game, tally: DayTally, words: list[str]) -> list[Card]:
    """The proposed cards that the director means, each once; UsageError where a seat has none to confirm."""
    from engine.counting import find_seat
    from scraper.errors import UsageError

    chosen: list[Card] = []
    for word in words:
        written, _, offence = word.replace("：", ":").rpartition(":")
        offences = {card.reason for card in tally.cards}
        seat = find_seat(game, written if written and offence in offences else word)
        wanted = offence if written and offence in offences else None
        own = [card for card in tally.cards if card.seat == seat and wanted in (None, card.reason)]
        found = [card for card in own if card.confirmed is None]
        if not found:
            given = listing(phrase("账本第 {number} 行", number=card.confirmed) for card in own)
            why = phrase("已经确认过（{given}）", given=given) if own else phrase("这一天没有建议给他的罚牌")
            raise UsageError(
                phrase(
                    "--confirm {word}: {why}。改法：先看 `bansha cards {path} --day {day}`；没有写任何东西。",
                    word=word,
                    why=why,
                    path=game.path,
                    day=tally.day,
                )
            )
        chosen += [card for card in found if card not in chosen]
    return chosen
