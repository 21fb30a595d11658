"""The days of a new game: one for each vote thread, or where votes stand on no board one for each discussion thread."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from itertools import pairwise
from zoneinfo import ZoneInfo

from engine.asking import Asker
from engine.calendar import Calendar, find_length
from engine.ruleset import RuleSet
from engine.starting.answers import Answers, need
from engine.starting.newgame import NewDay
from engine.starting.threads import Kind, Told
from engine.votekeys import needs_thread
from scraper.errors import UsageError
from scraper.phrases import listing, phrase
from tally.calendar import find_close

# A file that says nothing of its days: they are as long as the rule post says.
_PLAIN = Calendar(None, None, (), None)


def settle_days(
    threads: Sequence[Told], answers: Answers, ruleset: RuleSet, zone: ZoneInfo, asker: Asker | None
) -> tuple[tuple[NewDay, ...], tuple[str, ...]]:
    """The days in order, and what to look at: a day's number is that of its title, else one more than the one before; its close
    is what the director said, else what the calendar of the rules says, else asked. UsageError where a day cannot be."""
    numbered, notes = _number_days(threads, answers, ruleset)
    length = find_length(ruleset.id, _PLAIN)
    opened = {number: told.opened_at.astimezone(zone) for number, told in numbered.items()}
    # Of the rules' calendar: a day that would still be open when the next one opens is not as long as that.
    ended = {number: find_close(opens, length) if length is not None else None for number, opens in opened.items()}
    days: list[NewDay] = []
    for number, told in sorted(numbered.items()):
        opens, later = opened[number], min((opened[other] for other in opened if other > number), default=None)
        known = answers.closes.get(number)
        by_rule = ended[number] if known is None else None
        if by_rule is not None and later is not None and later < by_rule:
            by_rule = None
        closes = known or by_rule or _ask_close(number, opens, later, asker, zone)
        if closes <= opens:
            raise UsageError(
                phrase(
                    "第 {number} 天 {opens} 开门，{closes} 关门，早了。改法：改 --closes {number}=…。",
                    number=number,
                    opens=f"{opens:%Y-%m-%dT%H:%M}",
                    closes=f"{closes.astimezone(zone):%Y-%m-%dT%H:%M}",
                )
            )
        others = {kind: [one.tid for one in threads if one.kind is kind and one.day == number] for kind in Kind}
        source = phrase("规则的日历") if by_rule is not None else phrase("你写的")
        note = phrase("第一帖发出的时刻；关门照{by}", by=source)
        progress = others[Kind.PROGRESS][0] if others[Kind.PROGRESS] else None
        vote = told.tid if told.kind is Kind.VOTE else None
        days.append(NewDay(number, opens, closes.astimezone(zone), vote, tuple(others[Kind.DISCUSSION]), progress, note))
    for earlier, next_day in pairwise(days):
        if next_day.opens < earlier.closes:
            raise UsageError(
                phrase(
                    "第 {number} 天 {opens} 已经开门，第 {before} 天 {closes} 才关门。改法：加 --closes {before}=关门的时刻。",
                    number=next_day.number,
                    before=earlier.number,
                    opens=f"{next_day.opens:%Y-%m-%dT%H:%M}",
                    closes=f"{earlier.closes:%Y-%m-%dT%H:%M}",
                )
            )
    if unused := sorted({*answers.closes} - {*numbered}):
        named = listing(unused)
        notes.append(phrase("--closes 写了第 {days} 天，可是没有给它的帖子：这一天没有写进去。", days=named))
    return tuple(days), tuple(notes)


def _number_days(threads: Sequence[Told], answers: Answers, ruleset: RuleSet) -> tuple[dict[int, Told], list[str]]:
    """The thread that opens each day, by the day's number."""
    kinds = (Kind.VOTE,) if needs_thread(ruleset.vote) else (Kind.VOTE, Kind.DISCUSSION)
    notes: list[str] = []
    found: dict[int, Told] = {}
    number = (answers.from_day or 1) - 1
    opening = sorted((told for told in threads if told.kind in kinds), key=lambda told: (told.opened_at, told.tid))
    for told in opening:
        if told.kind is Kind.DISCUSSION and told.day is None:
            continue
        if told.day is None:
            notes.append(
                phrase("{kind} {tid} 的标题没有写第几天，当作第 {number} 天。", kind=told.kind, tid=told.tid, number=number + 1)
            )
        number = told.day if told.day is not None else number + 1
        if answers.from_day is not None and number < answers.from_day:
            notes.append(
                phrase("{kind} {tid} 是第 {number} 天的，在接手以前：没有写进去。", kind=told.kind, tid=told.tid, number=number)
            )
            continue
        if number < 1:
            raise UsageError(
                phrase("帖子 {tid} 的标题写的是第 {number} 天：天数从 1 起。改法：这一帖不要给。", tid=told.tid, number=number)
            )
        if number in found and told.kind is found[number].kind is Kind.VOTE:
            raise UsageError(
                phrase(
                    "第 {number} 天有两个投票帖：{first} 和 {second}。改法：先只给一个，另一个照 docs/votes.md 写进这一天。",
                    number=number,
                    first=found[number].tid,
                    second=told.tid,
                )
            )
        if number not in found or told.kind is Kind.VOTE:
            found[number] = told
    return found, notes


def _ask_close(number: int, opens: datetime, later: datetime | None, asker: Asker | None, zone: ZoneInfo) -> datetime:
    """When a day closes of which the calendar does not tell it, or tells a moment at which the next day is open already."""
    option = f"--closes {number}=2018-06-05T21:00"
    why = phrase("不知道第 {number} 天几时关门", number=number)
    if later is not None:
        until = f"{later:%Y-%m-%dT%H:%M}"
        why = phrase("不知道第 {number} 天几时关门（下一天 {until} 就开门了）", number=number, until=until)
    asked = need(asker, option, why)
    while True:
        text = asked.text(phrase("第 {number} 天几时关门（2018-06-05T21:00）", number=number))
        try:
            moment = datetime.fromisoformat(text.strip())
        except ValueError:
            continue
        moment = moment if moment.tzinfo is not None else moment.replace(tzinfo=zone)
        if moment > opens:
            return moment
