"""What the ledger says to the check of chanted players: rulings on posts, and when the piper went out.

日2 导演 裁定 发言 tid=1234 pid=88 [玩家=包子] [版=2] 合规|违规 ; reason
日2 导演 公示 吹笛者出局 @2018-06-04T15:00:00            夜2 导演 公示 吹笛者出局
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from engine.game import Game
from engine.gamefile import suggest
from engine.ledger import DIRECTOR, Event, PhaseKind
from scraper.phrases import phrase
from tally.day import Day
from tally.finding import Finding
from tally.sounds.ruled import SoundRuling

RULING, ANNOUNCEMENT = "裁定", "公示"
ABOUT, PIPER_OUT = "发言", "吹笛者出局"
LAWFUL, BREACH = "合规", "违规"
_SEAT, _REVISION = ("玩家", "seat"), ("版", "revision")
# As the rule systems call him: 吹笛者, and 吹笛 in 马甲杀.
_PIPERS = ("吹笛者", "吹笛")


def check_lines(game: Game, events: tuple[Event, ...]) -> None:
    """Read every such line; LedgerError at the first that is wrong."""
    read_rulings(game, events)
    _find_announcement(game, events)


def read_rulings(game: Game, events: tuple[Event, ...]) -> tuple[SoundRuling, ...]:
    """The rulings on posts from the events that hold, in order; LedgerError for one that cannot be read."""
    return tuple(_read_ruling(game, event) for event in events if _is_ruling(event))


def _is_ruling(event: Event) -> bool:
    return event.act == RULING and bool(event.targets) and event.targets[0].text == ABOUT


def _read_ruling(game: Game, event: Event) -> SoundRuling:
    _by_director(event)
    words = event.targets[1:]
    if len(words) != 1 or words[0].text not in (LAWFUL, BREACH):
        column = words[0].column if words else event.targets[0].column
        raise event.refuse(
            phrase("裁定 发言 没有说合规还是违规"),
            phrase("写 `裁定 发言 tid=1234 pid=88 合规 ; 理由` 或 `… 违规 ; 理由`"),
            column,
        )
    seat = event.value(*_SEAT)
    return SoundRuling(
        line=event.number,
        tid=_read_number(event, "tid"),
        pid=_read_number(event, "pid"),
        lawful=words[0].text == LAWFUL,
        seat=_find_seat(game, event) if seat is not None else "",
        revision=_read_number(event, *_REVISION) if event.value(*_REVISION) is not None else None,
        reason=event.remark,
        entered_at=event.entered_at,
    )


def find_release(game: Game, events: tuple[Event, ...], days: tuple[Day, ...]) -> tuple[datetime | None, tuple[Finding, ...]]:
    """When the piper was published as out (None: he is in, as far as anybody says), and where those who say so disagree.

    The ledger is followed first, then `piper_out` of game.toml, then `out`: the last of the seats that secrets.toml knows as
    pipers.
    """
    told = [
        ("from_ledger", _find_announcement(game, events)),
        ("from_day", game.piper_out),
        ("from_out", _find_exit(game, days)),
    ]
    known = [(source, at) for source, at in told if at is not None]
    if not known:
        return None, ()
    used, moment = known[0]
    findings = [
        Finding("C204", (("used", used), ("at", _clock(moment, game)), ("other", other), ("other_at", _clock(at, game))))
        for other, at in known[1:]
        if not _agree(moment, at, days)
    ]
    return moment, tuple(findings)


def _find_announcement(game: Game, events: tuple[Event, ...]) -> datetime | None:
    """When the ledger's first line says that the piper's exit was published."""
    moments = []
    for event in events:
        if event.act != ANNOUNCEMENT or "".join(word.text for word in event.targets) != PIPER_OUT:
            continue
        _by_director(event)
        moments.append(event.at or _find_opening(game, event))
    return min(moments, default=None)


def _find_opening(game: Game, event: Event) -> datetime:
    """What went out in a night is published as the next day opens (夜晚期间需要公示的内容全部在下一个白天开始时公布)."""
    assert event.phase is not None
    following = game.day(event.phase.number + 1) if event.phase.kind is PhaseKind.NIGHT else None
    if following is None:
        raise event.refuse(
            phrase("不知道何时公示的"),
            phrase("在行末写上时间，如 `{phase} 导演 公示 吹笛者出局 @2018-06-04T15:00:00`", phase=event.phase),
        )
    return following.opens


def _find_exit(game: Game, days: tuple[Day, ...]) -> datetime | None:
    """When the last seat that is known as a piper is out by the facts of the days; None while one is in, or none is known."""
    pipers = [seat.name for seat in game.roster.seats if seat.role in _PIPERS]
    exits = [min(_list_exits(seat, days), default=None) for seat in pipers]
    moments = [moment for moment in exits if moment is not None]
    return max(moments) if moments and len(moments) == len(pipers) else None


def _list_exits(seat: str, days: tuple[Day, ...]) -> Iterator[datetime]:
    return (out.at or day.opens for day in days for out in day.out if out.name == seat)


def _agree(one: datetime, other: datetime, days: tuple[Day, ...]) -> bool:
    """Whether two moments end the chant alike: the same, or no minute of any daytime between them."""
    first, last = min(one, other), max(one, other)
    return not any(max(first, day.opens) < min(last, day.closes) for day in days)


def _clock(moment: datetime, game: Game) -> str:
    return moment.astimezone(game.zone).isoformat(timespec="seconds")


def _by_director(event: Event) -> None:
    if event.actor != DIRECTOR:
        raise event.refuse(
            phrase("{act} 只能由导演写", act=event.act),
            phrase("写成 `{value} 导演 {act} …`", value=event.phase or "日2", act=event.act),
        )


def _read_number(event: Event, *keys: str) -> int:
    word = event.value(*keys)
    if word is None:
        raise event.refuse(
            phrase("缺少 {keys}=", keys=keys[0]),
            phrase("写上 {keys}=，如 `裁定 发言 tid=1234 pid=88 合规`（check 会给出 tid 和 pid）", keys=keys[0]),
        )
    if not (word.text.isascii() and word.text.isdigit() and int(word.text)):
        raise event.refuse(
            phrase("{key}={text} 不是数字", key=word.key, text=word.text), phrase("如 {key}=88", key=word.key), word.column
        )
    return int(word.text)


def _find_seat(game: Game, event: Event) -> str:
    word = event.value(*_SEAT)
    assert word is not None
    for seat in game.roster.seats:
        if word.text == seat.name or word.text in seat.aliases:
            return seat.name
    raise event.refuse(
        phrase("没有叫 {text!r} 的玩家", text=word.text),
        suggest(word.text, [seat.name for seat in game.roster.seats]),
        word.column,
    )
