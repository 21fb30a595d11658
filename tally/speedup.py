"""Whether a day is sped up, from when, and until when: by requests, by how few live, and not where an extension is granted.

当日申请人数在讨论日结束三个小时前…大于等于存活人数的一半，即判定加速或延迟成功。…延迟成功时，不再视为“执行加速”状态。
未出局角色减少到一定程度时，导演将自动执行加速。(M29, 讨论日长短)
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import assert_never

from scraper.phrases import listing, phrase
from tally.box import is_out
from tally.day import Day, Span
from tally.dayevent import DayEvent, EventKind
from tally.requests import Ask, Due, Quorum, Request, RequestFate, RequestPolicy, Wishes, find_judgement
from tally.roster import Roster

NAMES = {Ask.SPEED_UP: phrase("加速"), Ask.EXTENSION: phrase("延时")}


@dataclass(frozen=True, slots=True)
class Count:
    """Who asks for one thing when it is judged: the seats, of how many living, how many are needed, and whether that is enough.

    `doubtful` are the seats whose posts cannot be told.
    """

    ask: Ask
    seats: tuple[str, ...]
    doubtful: tuple[str, ...]
    living: int
    needed: int

    @property
    def granted(self) -> bool | None:
        """Whether enough seats ask; None where the evidence cannot tell."""
        if self.living == 0 or len(self.seats) + len(self.doubtful) < self.needed:
            return False
        return True if len(self.seats) >= self.needed else None


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the requests of a day come to, when they were judged, and the spans of its speed-ups (None: it cannot be told)."""

    due: Due
    counts: tuple[Count, ...]
    speed_ups: tuple[Span, ...] | None
    events: tuple[DayEvent, ...]


def count_living(day: Day, roster: Roster, at: datetime) -> int:
    """How many seats are in at a moment."""
    return sum(not is_out(seat.name, at, day) for seat in roster.seats)


def find_needed(living: int, quorum: Quorum) -> int:
    """How many must ask: 大于等于存活人数的一半, or every one."""
    match quorum:
        case Quorum.HALF:
            return (living + 1) // 2
        case Quorum.ALL:
            return living
        case _:
            assert_never(quorum)


def find_automatic(day: Day, roster: Roster, accelerate_at: int | None, due: Due | None = None) -> Span | None:
    """The speed-up that holds because so few live: from the opening, or from the moment in the day at which the last one too
    many went out. With `due` it is judged with the requests instead."""
    if accelerate_at is None:
        return None
    if due is not None:
        return Span(due.holds_from) if count_living(day, roster, due.cutoff) <= accelerate_at else None
    moments = sorted({out.at for out in day.out if out.at is not None and day.opens < out.at <= day.closes})
    few = (at for at in (day.opens, *moments) if count_living(day, roster, at) <= accelerate_at)
    start = next(few, None)
    return Span(start) if start is not None else None


def tell_automatic(span: Span, day: Day, roster: Roster, accelerate_at: int, clause: str) -> DayEvent:
    """The event of such a speed-up."""
    living = count_living(day, roster, span.start)
    because = phrase(
        "存活 {living} 人，不多于 {few} 人，{since:%m-%d %H:%M:%S} 起自动执行加速。",
        living=living,
        few=accelerate_at,
        since=span.start,
    )
    return DayEvent(EventKind.SPEED_UP, span.start, because=because, clause=clause)


def judge_wishes(wishes: Wishes, *, day: Day, roster: Roster, policy: RequestPolicy, automatic: Span | None = None) -> Judgement:
    """Judge a day's requests, at their moment or (without a `lead`) as soon as enough seats ask."""
    if policy.lead is None:
        return _judge_at_once(wishes, day, roster, policy)
    due = find_judgement(day, policy.lead)
    asks = tuple(dict.fromkeys(ask for _, ask in policy.words if ask is not Ask.WITHDRAW))
    counts = tuple(_count(wishes, ask, day, roster, policy, due.cutoff) for ask in asks)
    granted = {count.ask: count.granted for count in counts}
    spans = _find_spans(granted, due, automatic) if policy.speeds_up else ((automatic,) if automatic else ())
    events = tuple(_tell(count, wishes, due, policy) for count in counts if count.seats and count.granted is not None)
    return Judgement(due, counts, spans, events)


def _count(wishes: Wishes, ask: Ask, day: Day, roster: Roster, policy: RequestPolicy, at: datetime) -> Count:
    living = count_living(day, roster, at)
    sure = tuple(seat.name for seat in roster.seats if wishes.wanted.get(seat.name) == frozenset((ask,)))
    may = tuple(
        seat.name for seat in roster.seats if ask in (asks := wishes.wanted.get(seat.name, frozenset())) and len(asks) > 1
    )
    return Count(ask, sure, may, living, find_needed(living, policy.quorum))


def _find_spans(granted: dict[Ask, bool | None], due: Due, automatic: Span | None) -> tuple[Span, ...] | None:
    """When a speed-up holds. A granted extension ends one that holds already, and lets none begin on that day."""
    longer, faster = granted.get(Ask.EXTENSION, False), granted.get(Ask.SPEED_UP, False)
    begun = automatic is not None and automatic.start <= due.holds_from
    if longer is None and (automatic is not None or faster is not False):
        return None
    if longer:
        begun_before = automatic is not None and automatic.start < due.holds_from
        return (replace(automatic, end=due.holds_from),) if automatic is not None and begun_before else ()
    if automatic is not None and begun:
        return (automatic,)
    if faster is None:
        return None
    if faster:
        return (Span(due.holds_from),)
    return (automatic,) if automatic is not None else ()


def _tell(count: Count, wishes: Wishes, due: Due, policy: RequestPolicy) -> DayEvent:
    kind = EventKind.SPEED_UP if count.ask is Ask.SPEED_UP else EventKind.EXTENSION
    because = phrase(
        "到 {until:%m-%d %H:%M:%S} 为止申请{ask}的有 {asking} 人（{seats}），存活 {living} 人，需要 {needed} 人，{result}。",
        until=due.cutoff,
        ask=NAMES[count.ask],
        asking=len(count.seats),
        seats=listing(count.seats),
        living=count.living,
        needed=count.needed,
        result=phrase("够了：{ask}成功" if count.granted else "不够：{ask}不成", ask=NAMES[count.ask]),
    )
    posts = wishes.posts_for(count.ask, count.seats)
    return DayEvent(kind, due.holds_from, bool(count.granted), count.seats, posts, because=because, clause=policy.clause.text)


def _judge_at_once(wishes: Wishes, day: Day, roster: Roster, policy: RequestPolicy) -> Judgement:
    """The first moment at which every quorum's worth of living seats asks: a request, or a seat that goes out, brings it."""
    due = find_judgement(day, 0)
    asking: dict[str, Request] = {}
    steps: list[tuple[datetime, Request | None]] = [(one.at, one) for one in wishes.requests if one.fate in _SAID]
    steps += [(out.at, None) for out in day.out if out.at is not None and day.opens <= out.at <= day.closes]
    for at, request in sorted(steps, key=lambda step: step[0]):
        if request is not None and request.ask is Ask.SPEED_UP:
            asking[request.seat] = request
        elif request is not None:
            asking.pop(request.seat, None)
        living = [seat.name for seat in roster.seats if not is_out(seat.name, at, day)]
        seats = tuple(seat for seat in living if seat in asking)
        if living and len(seats) >= find_needed(len(living), policy.quorum):
            because = phrase(
                "{since:%m-%d %H:%M:%S} 起存活的 {living} 人都同意缩短，由导演决定何时关门。", since=at, living=len(living)
            )
            posts = tuple(asking[seat].source for seat in seats)
            told = DayEvent(EventKind.SHORTENING, at, True, seats, posts, because=because, clause=policy.clause.text)
            return Judgement(Due(at, at), (_whole(Ask.SPEED_UP, seats, len(living), policy),), (), (told,))
    count = _count(wishes, Ask.SPEED_UP, day, roster, policy, due.cutoff)
    return Judgement(due, (count,), (), _fail(count, wishes, due, policy))


# The requests that were good when they were made, whatever became of them.
_SAID = (
    RequestFate.STANDING,
    RequestFate.REPLACED,
    RequestFate.WITHDRAWN,
    RequestFate.WITHDRAWAL,
    RequestFate.LEFT,
)


def _whole(ask: Ask, seats: tuple[str, ...], living: int, policy: RequestPolicy) -> Count:
    return Count(ask, seats, (), living, find_needed(living, policy.quorum))


def _fail(count: Count, wishes: Wishes, due: Due, policy: RequestPolicy) -> tuple[DayEvent, ...]:
    if not count.seats or count.granted is not False:
        return ()
    missing = count.living - len(count.seats)
    because = phrase(
        "同意缩短的有 {asking} 人（{seats}），存活 {living} 人，还差 {missing} 人：不缩短。",
        asking=len(count.seats),
        seats=listing(count.seats),
        living=count.living,
        missing=missing,
    )
    posts = wishes.posts_for(count.ask, count.seats)
    return (DayEvent(EventKind.SHORTENING, due.cutoff, False, count.seats, posts, because=because, clause=policy.clause.text),)
