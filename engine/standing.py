"""Where a game stands beside its ledger: before the deal, while a vote is open, and between two days. No wall clock is in it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from engine.counting import count_game_day, open_archive, votes_of
from engine.derived import derive_facts
from engine.doors import move_days
from engine.game import Game
from engine.ledger import Event, standing_events
from scraper.phrases import listing, phrase
from tally.day import Day


@dataclass(frozen=True, slots=True)
class Missing:
    """Who has not voted in a vote that is open: by whose name it goes ("" the day's own), until when, and by which last look."""

    poll: str
    names: tuple[str, ...]
    until: datetime
    seen_at: datetime


def is_dealt(game: Game) -> bool:
    """Whether the director's secrets tell the role of every seat."""
    return all(seat.name in game.secrets.roles for seat in game.roster.seats)


def find_day(game: Game, events: tuple[Event, ...], now: datetime) -> Day | None:
    """The day that is open at a moment, else the last that has opened, else the first; None where the file has none."""
    days = move_days(game.days, standing_events(events))
    opened = [day for day in days if day.opens <= now]
    return opened[-1] if opened else next(iter(days), None)


def list_missing(game: Game, events: tuple[Event, ...], database: Path, now: datetime) -> tuple[Missing, ...]:
    """Who has not voted yet in the votes that are open at a moment, as far as anybody looked; nothing where nobody did."""
    if not database.is_file() or find_day(game, events, now) is None:
        return ()
    found: list[Missing] = []
    with open_archive(game, database) as archive:
        derived = derive_facts(game, archive, events)
        for day in derived.days:
            for vote in votes_of(derived, day):
                looks = [one.started_at for one in archive.fetch_passes(vote.vote) if one.seen] if vote.vote else []
                if not (vote.opens <= now <= vote.ends) or not looks:
                    continue
                tally = count_game_day(derived, archive, events, vote)
                found.append(Missing(vote.poll, tally.not_voted, vote.ends, max(looks)))
    return tuple(found)


def describe_missing(missing: tuple[Missing, ...], game: Game) -> Iterator[str]:
    """Who has not voted yet: a line for each open vote."""
    for one in missing:
        until, seen = (f"{at.astimezone(game.zone):%m-%d %H:%M}" for at in (one.until, one.seen_at))
        if one.names:
            yield phrase("投票：{names}，到 {until}（{seen} 看到的）", names=listing(one.names), until=until, seen=seen)
        else:
            yield phrase("投票：都投了，到 {until}（{seen} 看到的）", until=until, seen=seen)


def describe_undealt(game: Game, events: tuple[Event, ...], missing: tuple[Missing, ...], now: datetime) -> Iterator[str]:
    """A game without roles: one that is only counted, or is not dealt yet; what is waited for, and until when."""
    day = find_day(game, events, now)
    count = len(game.roster.seats)
    yield phrase("{title}：{system}，{count} 人，还没有发牌", title=game.title, system=game.ruleset.title, count=count)
    if day is None:
        yield phrase("等：发牌：bansha deal；只计票就先开一天：bansha day")
        return
    opens, closes = (f"{at.astimezone(game.zone):%m-%d %H:%M}" for at in (day.opens, day.ends))
    yield phrase("第 {number} 天  {opens} 开门，{closes} 关门", number=day.number, opens=opens, closes=closes)
    for line in describe_missing(missing, game):
        yield phrase("等：{waiting}", waiting=line)
    if now < day.opens:
        yield phrase("等：开门，{opens}", opens=opens)
    elif now <= day.ends and not missing:
        yield phrase("等：投票，到 {until}；还没有看过帖子：bansha fetch", until=closes)
    elif now > day.ends:
        yield phrase("等：开下一天：bansha day {number}；计票：bansha tally --day {day}", number=day.number + 1, day=day.number)
