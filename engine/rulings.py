"""What the ledger says to a count: rulings, proxies, speed-ups and new accounts. Other acts are kept for the game's engine.

日2 导演 裁定 票 tid=1235 pid=88 计为 包子|弃权      日2 导演 裁定 票 tid=1235 pid=88 作废
日2 导演 裁定 账号 A 为 SEAT                         日2 导演 裁定 名字 T 为 SEAT
日2 导演 裁定 结果 出局 SEAT|无人                     日1 导演 裁定 结果 警长 SEAT
(代投 and votes: see `voting`)
日2 导演 加速 [@time]   日2 导演 延时 [@time]         日2 导演 替补 SEAT [账号=A] [uid=N] [别名=W] [@time]
日2 导演 开门|关门 [宣布=time] @time                    (see doors)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from engine import doors
from engine.game import Game
from engine.gamefile import suggest
from engine.ledger import DIRECTOR, Event, PhaseKind, Word
from engine.misspelt import RULING, check_acts
from engine.voting import PROXY, VOTE_ACTS, check_votes, find_poll, find_seat, find_target, read_votes
from scraper.phrases import phrase
from tally.day import Day, Span
from tally.dayevent import DayEvent, EventKind
from tally.finding import Finding
from tally.names import ABSTENTION, fold
from tally.requests import find_judgement
from tally.roster import Account, Roster, Seat
from tally.ruling import LedgerBallot, Ruling, RulingKind

SPEED_UP, DELAY, SUBSTITUTE = "加速", "延时", "替补"
NOBODY = "无人"

# Rulings that are about no count: on what chanted players posted (engine.sounds.directions), and on facts, which none reads yet.
OTHER_RULINGS = ("事实", "发言")
_UNREAD_RULINGS = ("事实",)
ACTS = (RULING, PROXY, SPEED_UP, DELAY, SUBSTITUTE)


@dataclass(frozen=True, slots=True)
class Directions:
    """What one day's count is given after the ledger: the day's facts, the roster, the director's word, and what to look at.

    `events` are what the lines brought about in the day; `judged` tells that lines say whether a speed-up holds.
    """

    day: Day
    roster: Roster
    rulings: tuple[Ruling, ...]
    ballots: tuple[LedgerBallot, ...]
    findings: tuple[Finding, ...]
    events: tuple[DayEvent, ...] = ()
    judged: bool = False


def check_ledger(game: Game, events: tuple[Event, ...]) -> None:
    """Read every line that speaks to a count; LedgerError at the first whose meaning is wrong."""
    check_acts(events)
    doors.check_doors(events)
    doors.move_days(game.days, events)
    for day in game.days:
        direct_day(game, events, day)
    for event in events:
        if event.act == RULING:
            _read_ruling(game, event)
    check_votes(game, events)


def direct_day(game: Game, events: tuple[Event, ...], day: Day, table: tuple[Event, ...] = ()) -> Directions:
    """The directions for one day of the game file from the events that hold (see `standing_events`).

    `table` are the rows of votes.csv: votes as lines of the ledger hold them.
    """
    moved = doors.move_doors(day, events)
    findings: list[Finding] = list(moved.findings)
    day, told = moved.day, list(moved.events)
    speed_ups = _find_speed_ups(game, events, day, findings, told)
    cast = read_votes(game, (*events, *table), day)
    day = cast.day
    findings += cast.findings
    rulings = tuple(_find_rulings(game, events, day))
    findings += [finding for event in events if _on(event, day) for finding in _unused(event)]
    findings += [finding for event in events for finding in _stray(game, event)]
    return Directions(
        replace(day, speed_ups=speed_ups, joined=tuple(_find_joined(game, events))),
        _substitute(game, events),
        rulings,
        cast.ballots,
        tuple(findings),
        tuple(sorted(told, key=lambda event: event.at)),
        judged=any(event.act in (SPEED_UP, DELAY) and _on(event, day) for event in events),
    )


def _on(event: Event, day: Day) -> bool:
    return event.phase is not None and event.phase.kind is PhaseKind.DAY and event.phase.number == day.number


def _find_rulings(game: Game, events: tuple[Event, ...], day: Day) -> Iterator[Ruling]:
    """The rulings of this day, and those of earlier days on names and accounts, which still hold."""
    for event in events:
        if event.act != RULING or (ruling := _read_ruling(game, event)) is None or event.phase is None:
            continue
        match ruling.kind:
            case RulingKind.ACCOUNT | RulingKind.NAME:
                if event.phase.number <= day.number:
                    yield replace(ruling, carried=event.phase.number < day.number)
            case RulingKind.COUNT_AS | RulingKind.VOID:
                # The post says which day it belongs to, unless its thread is no day's or several days'.
                threads = {other.number: other.vote for other in game.days}
                days = [number for number, tid in threads.items() if tid == ruling.tid]
                if day.number == (event.phase.number if event.phase.number in days or not days else days[0]):
                    yield ruling
            case RulingKind.RESULT:
                if event.phase.number == day.number:
                    yield ruling


def _read_ruling(game: Game, event: Event) -> Ruling | None:
    """The ruling of a line; None for one that is not about a count."""
    _by_director(event)
    words = event.targets
    kind = words[0].text if words else ""
    match kind, [word.text for word in words[1:]]:
        case "票", ["作废"]:
            return _about_post(game, event, RulingKind.VOID, "")
        case "票", ["计为", _]:
            return _about_post(game, event, RulingKind.COUNT_AS, find_target(game, event, words[2]) or "")
        case "票", rest:
            fix = phrase("写 `裁定 票 tid=1235 pid=88 计为 包子` 或 `… 作废`")
            if rest:
                fix = phrase("{near}，{fix}", near=suggest(rest[0], ("计为", "作废")), fix=fix)
            raise event.refuse(phrase("裁定 票 没有说怎么算"), fix, words[1 if rest else 0].column)
        case "账号", [name, "为", _]:
            return _ruling(event, RulingKind.ACCOUNT, find_seat(game, event, words[3]), name=name)
        case "名字", [name, "为", _]:
            return _ruling(event, RulingKind.NAME, find_target(game, event, words[3]) or "", name=name)
        case (("账号" | "名字"), rest):
            column = words[2 if len(rest) == 3 else 0].column
            raise event.refuse(phrase("裁定 {kind} 读不懂", kind=kind), phrase("写 `裁定 {kind} A 为 饺子`", kind=kind), column)
        case "结果", [("出局" | "警长" | "身份" | "灵魂"), ("无人" | "弃权")] | ["无人"]:
            return replace(_ruling(event, RulingKind.RESULT, ""), poll=find_poll(game, event))
        case "结果", [("出局" | "警长" | "身份" | "灵魂"), _]:
            ruling = _ruling(event, RulingKind.RESULT, find_target(game, event, words[2]) or "")
            return replace(ruling, poll=find_poll(game, event))
        case "结果", rest:
            example = phrase("写 `裁定 结果 出局 包子`、`裁定 结果 出局 无人` 或 `裁定 结果 警长 饺子`")
            raise event.refuse(phrase("裁定 结果 读不懂"), example, words[1 if len(rest) == 2 else 0].column)
        case other, _ if other in OTHER_RULINGS:
            return None
        case _:
            column = words[0].column if words else event.column
            raise event.refuse(
                phrase("没有 裁定 {kind}", kind=kind), suggest(kind, ("票", "账号", "名字", "结果", *OTHER_RULINGS)), column
            )


def _about_post(game: Game, event: Event, kind: RulingKind, value: str) -> Ruling:
    day = game.day(event.phase.number) if event.phase else None
    tid = _read_number(event, "tid", day.vote if day else None)
    return replace(_ruling(event, kind, value), tid=tid, pid=_read_number(event, "pid", None))


def _ruling(event: Event, kind: RulingKind, value: str, name: str = "") -> Ruling:
    return Ruling(
        kind, event.number, value, name, reason=event.remark, at=event.at, entered_at=event.entered_at, operator=event.operator
    )


def _read_number(event: Event, key: str, default: int | None) -> int:
    word = event.value(key)
    if word is None and default is not None:
        return default
    if word is None:
        raise event.refuse(
            phrase("缺少 {key}=", key=key), phrase("写上 {key}=，如 {key}=88（explain 会给出每一帖的 tid 和 pid）", key=key)
        )
    if not (word.text.isascii() and word.text.isdigit()):
        raise event.refuse(phrase("{key}={text} 不是数字", key=key, text=word.text), phrase("如 {key}=88", key=key), word.column)
    return int(word.text)


def _find_speed_ups(
    game: Game, events: tuple[Event, ...], day: Day, findings: list[Finding], told: list[DayEvent]
) -> tuple[Span, ...] | None:
    """When a speed-up held: the ledger's lines where it has any, else what the game file says."""
    judged = find_judgement(day, game.ruleset.speed_up_lead).holds_from
    lines = [event for event in events if event.act in (SPEED_UP, DELAY) and _on(event, day)]
    for event in events:
        if event.act in (SPEED_UP, DELAY):
            _by_director(event)
            _by_day(event)
    declared = game.declared.get(day.number)
    if not lines:
        if declared:
            because, to_all = phrase("game.toml 写明这一天执行加速。"), phrase("导演宣布执行加速。")
            told.append(DayEvent(EventKind.SPEED_UP, judged, because=because, clause=_speed_up(game), told=to_all))
        return (Span(judged),) if declared else day.speed_ups
    spans: list[Span] = []
    for event in sorted(lines, key=lambda event: event.at or judged):
        at = (event.at or judged).astimezone(day.closes.tzinfo)
        running = bool(spans) and spans[-1].end is None
        if event.act == SPEED_UP and not running:
            spans.append(Span(at))
        elif event.act == DELAY and running:
            spans[-1] = Span(spans[-1].start, at)
        kind = EventKind.SPEED_UP if event.act == SPEED_UP else EventKind.EXTENSION
        to_all = phrase("导演宣布执行加速。") if event.act == SPEED_UP else phrase("导演宣布延时。")
        told.append(DayEvent(kind, at, line=event.number, because=_cite(event), clause=_speed_up(game), told=to_all))
    if declared is not None and declared != bool(spans):
        findings.append(Finding("E101", (("line", str(lines[-1].number)), ("day", str(day.number)))))
    return tuple(spans)


def _cite(event: Event) -> str:
    if event.remark:
        return phrase("账本第 {line} 行：{remark}", line=event.number, remark=event.remark)
    return phrase("账本第 {line} 行。", line=event.number)


def _speed_up(game: Game) -> str:
    clause = game.policy.clauses.get("speed_up")
    return clause.text if clause is not None else ""


def _find_joined(game: Game, events: tuple[Event, ...]) -> Iterator[tuple[str, datetime]]:
    """The seats that a substitute took over, and from when, where that is known."""
    for event in events:
        if event.act == SUBSTITUTE and len(event.targets) == 1 and event.phase is not None:
            after = game.day(event.phase.number + (event.phase.kind is PhaseKind.NIGHT))
            if event.at is not None or event.entered_at is not None or after is not None:
                yield find_seat(game, event, event.targets[0]), _since(game, event)


def _substitute(game: Game, events: tuple[Event, ...]) -> Roster:
    """The roster with the accounts and aliases that 替补 lines brought; without a new account the seat keeps its own."""
    seats = list(game.roster.seats)
    for event in events:
        if event.act != SUBSTITUTE:
            continue
        _by_director(event)
        if len(event.targets) != 1:
            raise event.refuse(
                phrase("替补 要写一名玩家"), phrase("如 `替补 饺子`；换了账号时写 `替补 饺子 账号=新饺子 @2018-06-04T12:00`")
            )
        name = find_seat(game, event, event.targets[0])
        if (alias := event.value("别名", "alias")) is not None:
            _check_alias(seats, event, alias, name)
            later = (alias.text, _since(game, event))
            seats = [replace(seat, later=(*seat.later, later)) if seat.name == name else seat for seat in seats]
        word = event.value("账号", "account")
        if word is None:
            continue
        owner = next((seat.name for seat in seats for account in seat.accounts if account.name == word.text), None)
        if owner is not None or word.text in (director.name for director in game.roster.directors):
            raise event.refuse(
                phrase("账号 {text!r} 已是 {value} 的", text=word.text, value=owner or phrase("导演")),
                phrase("写替补玩家自己的新账号"),
                word.column,
            )
        uid = _read_number(event, "uid", None) if event.value("uid") else None
        account = Account(word.text, uid, _since(game, event))
        seats = [replace(seat, accounts=(*seat.accounts, account)) if seat.name == name else seat for seat in seats]
    return replace(game.roster, seats=tuple(seats))


def _check_alias(seats: Sequence[Seat], event: Event, alias: Word, owner: str) -> None:
    """What a seat is called from now on can be no word that means another, or an abstention."""
    word = fold(alias.text)
    if not word or word == fold(ABSTENTION):
        problem = phrase("玩家不能叫 {word!r}：投票对象写它就是弃权或空白", word=alias.text)
        raise event.refuse(problem, phrase("换一个别名"), alias.column)
    for seat in seats:
        if seat.name != owner and word in {fold(own) for own in (seat.name, *seat.aliases, *(later for later, _ in seat.later))}:
            problem = phrase("{word!r} 已是 {owner} 的名字", word=alias.text, owner=seat.name)
            raise event.refuse(problem, phrase("换一个别名"), alias.column)


def _since(game: Game, event: Event) -> datetime:
    """When a line takes effect: its own moment, else the opening of its day (of the day after its night)."""
    if (at := event.at or event.entered_at) is not None:
        return at
    assert event.phase is not None
    day = game.day(event.phase.number + (event.phase.kind is PhaseKind.NIGHT))
    if day is None:
        raise event.refuse(phrase("不知道从何时起"), phrase("在行末写上时间，如 @2018-06-04T12:00"))
    return day.opens


def _unused(event: Event) -> Iterator[Finding]:
    """A line that a director may take for one that counts: a ruling on something else."""
    line = ("line", str(event.number))
    if event.act == RULING and event.targets and event.targets[0].text in _UNREAD_RULINGS:
        yield Finding("E104", (line, ("act", f"{RULING} {event.targets[0].text}")))


def _stray(game: Game, event: Event) -> Iterator[Finding]:
    """A line for a day that the game file has not: said on every day, for none will use it."""
    if event.phase is None or game.day(event.phase.number) is not None:
        return
    ruling = _read_ruling(game, event) if event.act == RULING else None
    # What a ruling says of a name or an account is carried to later days, where there is one; a post's day is told by its thread.
    later = any(day.number > event.phase.number for day in game.days)
    carried = ruling is not None and (
        (later and ruling.kind in (RulingKind.NAME, RulingKind.ACCOUNT)) or ruling.tid in [day.vote for day in game.days]
    )
    if (ruling is not None and not carried) or event.act in (SPEED_UP, DELAY, *VOTE_ACTS, *doors.ACTS):
        yield Finding("E107", (("line", str(event.number)), ("day", str(event.phase.number))))


def _by_director(event: Event) -> None:
    if event.actor != DIRECTOR:
        raise event.refuse(
            phrase("{act} 只能由导演写", act=event.act),
            phrase("写成 `{value} 导演 {act} …`", value=event.phase or "日2", act=event.act),
        )


def _by_day(event: Event) -> None:
    if event.phase is None or event.phase.kind is not PhaseKind.DAY:
        raise event.refuse(phrase("{act} 是白天的事", act=event.act), phrase("写成 `日N 导演 {act} …`", act=event.act))
