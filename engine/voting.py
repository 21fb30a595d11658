"""Votes and what skills do to them, from lines of the ledger and rows of votes.csv.

日2 SEAT 投票 TARGET|弃权 [票=重投] [@time]       日2 SEAT 改票 TARGET [@time]       日2 导演 代投 VOTER [改票] TARGET @time
日1 SEAT 审讯|撕咬|血饮 TARGET                    the same, where nobody has told the seat's identity
日1 SEAT 操纵 VOTER TARGET      夜1 SEAT 潜行|隐匿 加倍|无效      夜1 SEAT 诅咒 TARGET      夜1 SEAT 恋爱 SEAT SEAT
日2 导演 截票 [票=重投] [@time]                   the vote is closed, where no thread could tell
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import PurePath
from typing import assert_never

from engine.game import Game
from engine.gamefile import suggest
from engine.ledger import DIRECTOR, Event, PhaseKind, Word
from engine.play.skillset import POLL_KEYS, WEIGHTS
from engine.votefacts import KINDS
from scraper.phrases import listing, phrase
from tally.day import Curse, Day
from tally.finding import Finding
from tally.names import ABSTENTION, Names, fold, index_names, index_targets, list_targets
from tally.policy import OffBoard
from tally.ruling import Entry, LedgerBallot

VOTE, CHANGE_VOTE, PROXY, MANIPULATE, CLOSE = "投票", "改票", "代投", "操纵", "截票"
CURSE_ACT = "诅咒"
VOTE_ACTS = (VOTE, CHANGE_VOTE, PROXY)
# Whose skill each is (身份与阵营).
STALKERS = {"潜行": "狼人", "隐匿": "吸血鬼"}
STALKS = tuple(STALKERS)
MANIPULATOR, CURSER = "吹笛者", "乌鸦"
LOVES = ("恋爱", "丘比特之箭", "爱神之箭", "金箭")
CHANGE = ("改票", "改为")
# Every act that this module knows, in whatever system.
ALL_ACTS = (*VOTE_ACTS, CLOSE, MANIPULATE, CURSE_ACT, *STALKS)
SHERIFF = "警长"


@dataclass(frozen=True, slots=True)
class Cast:
    """What the lines say of a day's votes: the day with what skills did to it, the ballots, and what to look at."""

    day: Day
    ballots: tuple[LedgerBallot, ...]
    findings: tuple[Finding, ...]


def acts_of(game: Game) -> tuple[str, ...]:
    """The acts of lines that speak of votes in a game's rule system."""
    skills = [poll.name for poll in game.policy.polls if poll.role]
    more = (MANIPULATE, *STALKS) if skills else ()
    curse = (CURSE_ACT,) if game.policy.curse else ()
    return (VOTE, CHANGE_VOTE, PROXY, CLOSE, *skills, *more, *curse)


def read_votes(game: Game, events: Iterable[Event], day: Day) -> Cast:
    """The votes of one day, of all its polls, and what skills of the night before do to them."""
    lines = tuple(events)
    findings: list[Finding] = []
    ballots: list[LedgerBallot] = []
    for event in lines:
        if _on(event, day):
            ballot = read_ballot(game, event, day, findings)
            ballots += [] if ballot is None else [ballot]
    weights = dict(_find_weights(game, lines, day, findings))
    lovers = _find_lovers(game, lines)
    return Cast(
        replace(day, weights=tuple(weights.items()), curse=_find_curse(game, lines, day, findings), lovers=lovers),
        tuple(ballots),
        tuple(findings),
    )


def check_votes(game: Game, events: Iterable[Event]) -> None:
    """Read every line that speaks of votes, whatever its day; LedgerError at the first that is wrong."""
    for event in events if game.days else ():  # before the first day nobody can have voted
        read_ballot(game, event, game.days[0], [])
        _find_weight(game, event)
        _read_curse(game, event)


def check_rows(game: Game, rows: Iterable[Event]) -> None:
    """Refuse a row of votes.csv for a day that the game file has not: it would count nowhere."""
    days = listing(day.number for day in game.days)
    for row in rows:
        if row.phase is not None and game.day(row.phase.number) is None:
            number = row.phase.number
            fix = phrase("改成 {days} 中的一天，或在 game.toml 补上这一天的 [[day]]", days=days)
            raise row.refuse(phrase("game.toml 里没有第 {number} 天", number=number), fix, 1)


def find_close(game: Game, events: Iterable[Event], day: Day) -> datetime | None:
    """When the director closed a vote that has no thread: just after its close, or None while no line says so."""
    skills = any(poll.role for poll in game.policy.polls)
    for event in events:
        if event.act == CLOSE and _on(event, day):
            poll = find_poll(game, event)
            if poll == day.poll or (poll is None and (skills or not day.poll)):
                return day.ends + timedelta(seconds=1)
    return None


def read_ballot(game: Game, event: Event, day: Day, findings: list[Finding]) -> LedgerBallot | None:
    """The ballot of a line; None where it casts none. LedgerError where its meaning is wrong."""
    skills = {poll.name for poll in game.policy.polls if poll.role}
    match event.act:
        case "投票" | "改票":
            _by_day(event)
            return _own(game, event, day, findings, event.act == CHANGE_VOTE)
        case "代投":
            _by_day(event)
            return _proxy(game, event, day, findings)
        case "操纵" if skills:
            _by_day(event)
            return _manipulation(game, event, day, findings)
        case "截票":
            find_poll(game, event)
            return None
        case skill if skill in skills:
            _by_day(event)
            ballot = _own(game, event, day, findings, change=False)
            return replace(ballot, poll=skill)
        case _:
            return None


def _own(game: Game, event: Event, day: Day, findings: list[Finding], change: bool) -> LedgerBallot:
    """A vote of the seat that the line names. On a board it is one that he gave the director, under the rules of proxies."""
    if len(event.targets) != 1:
        raise event.refuse(
            phrase("{act} 要写一个投票对象", act=event.act),
            phrase("如 `日2 {actor} {act} 包子`，或 `{act} 弃权`", actor=event.actor, act=event.act),
        )
    voter = find_actor(game, event, day)
    ballot = LedgerBallot(
        line=event.number,
        voter=voter,
        target=find_target(game, event, event.targets[0]),
        at=event.at or event.entered_at or day.ends,
        change=change,
        by=voter,
        entry=Entry.OWN,
        poll=find_poll(game, event),
        file=_file(event),
        timed=event.at is not None or event.entered_at is not None,
        either=not change,
    )
    match game.policy.off_board:
        case OffBoard.TABLE:
            return ballot
        case OffBoard.PRIVATE:
            return replace(ballot, change=False, either=False)
        case OffBoard.PROXY:
            at = ballot.at if ballot.timed else _last_moment(game, day)
            if not ballot.timed:
                findings.append(_undated(event, voter, at))
            return replace(ballot, by=DIRECTOR, entry=Entry.PROXY, at=at, timed=True)
        case _:
            assert_never(game.policy.off_board)


def _proxy(game: Game, event: Event, day: Day, findings: list[Finding]) -> LedgerBallot:
    _by_director(event)
    words = [word for word in event.targets if word.quoted or word.text not in CHANGE]
    if len(words) != 2:
        raise event.refuse(
            phrase("代投 要写投票人和投票对象"), phrase("如 `代投 豆沙 包子 @2018-06-04T12:00`；改票写 `代投 豆沙 改票 包子 @…`")
        )
    at = event.at or event.entered_at
    if at is None:
        # The director says that he cast it, so it was in time; later than this it cannot have been.
        at = _last_moment(game, day)
        findings.append(_undated(event, words[0].text, at))
    return LedgerBallot(
        line=event.number,
        voter=find_seat(game, event, words[0]),
        target=find_target(game, event, words[1]),
        at=at,
        change=len(words) < len(event.targets),
        poll=find_poll(game, event),
        file=_file(event),
    )


def _last_moment(game: Game, day: Day) -> datetime:
    return day.closes - timedelta(seconds=game.policy.freeze + 1)


def _undated(event: Event, voter: str, at: datetime) -> Finding:
    return Finding("E102", (("line", str(event.number)), ("voter", voter), ("at", at.isoformat())))


def _manipulation(game: Game, event: Event, day: Day, findings: list[Finding]) -> LedgerBallot | None:
    """操纵: the ballot of another is changed once the day is over, whatever he voted.

    It is a piper's alone: of another seat whose role is told it has no effect, and is a finding.
    """
    if len(event.targets) != 2:
        raise event.refuse(phrase("操纵 要写被操纵的人和投票对象"), phrase("如 `日1 {actor} 操纵 豆沙 包子`", actor=event.actor))
    maker = find_actor(game, event, day)
    if _role_of(game, maker) not in (MANIPULATOR, None):
        findings.append(_unable(event, maker, "no_such_skill"))
        return None
    return LedgerBallot(
        line=event.number,
        voter=find_seat(game, event, event.targets[0]),
        target=find_target(game, event, event.targets[1]),
        # It is applied once the day is over; when it was told decides which of two is the later.
        at=event.at or event.entered_at or day.ends,
        by=maker,
        entry=Entry.MANIPULATION,
        file=_file(event),
        timed=False,
    )


def _find_weights(game: Game, events: Iterable[Event], day: Day, findings: list[Finding]) -> Iterator[tuple[str, int]]:
    """潜行 and 隐匿 of the night before: 令自己次日的票加倍计算或无效. 只有处于灵魂状态时可以使用此技能.

    A soul of that night was published as one when the day before opened (one that became it in the night had not acted yet);
    where the file has no such day, when this one did. What a seat cannot use has no effect, and nothing is final until the
    director says which is wrong.
    """
    before = game.day(day.number - 1)
    souls = day.souls if before is None else before.souls
    for event in events:
        if not _in_night_before(event, day) or (found := _find_weight(game, event)) is None:
            continue
        seat, _ = found
        if seat not in souls or _role_of(game, seat) not in (STALKERS[event.act], None):
            findings.append(_unable(event, seat, "no_soul" if seat not in souls else "no_such_skill"))
            continue
        yield found


def _role_of(game: Game, name: str) -> str | None:
    return next((seat.role for seat in game.roster.seats if seat.name == name), None)


def _unable(event: Event, seat: str, why: str) -> Finding:
    return Finding("B409", (("line", str(event.number)), ("seat", seat), ("act", event.act), ("why", why)), seat)


def _find_weight(game: Game, event: Event) -> tuple[str, int] | None:
    if event.act not in STALKS or event.act not in acts_of(game):
        return None
    words = [word.text for word in event.targets]
    if len(words) != 1 or words[0] not in WEIGHTS:
        raise event.refuse(
            phrase("{act} 要写 加倍 或 无效", act=event.act),
            phrase("如 `夜1 {actor} {act} 加倍`", actor=event.actor, act=event.act),
        )
    return find_actor(game, event, None), WEIGHTS[words[0]]


def _find_curse(game: Game, events: Iterable[Event], day: Day, findings: list[Finding]) -> Curse | None:
    """The curse of the night before, by the last line that says so, else by the game file.

    It is the crow's alone: a line of another seat whose role is told has no effect, and is a finding.
    """
    curses: list[Curse] = []
    for event in events:
        if not _in_night_before(event, day) or (curse := _read_curse(game, event)) is None:
            continue
        seat = index_names(game.roster).find_seat(event.actor)
        if seat is not None and _role_of(game, seat) not in (CURSER, None):
            findings.append(_unable(event, seat, "no_such_skill"))
        else:
            curses.append(curse)
    return curses[-1] if curses else day.curse


def _read_curse(game: Game, event: Event) -> Curse | None:
    if event.act != CURSE_ACT or not game.policy.curse:
        return None
    if len(event.targets) != 1:
        raise event.refuse(phrase("诅咒 要写一名玩家"), phrase("如 `夜1 乌鸦 诅咒 饺子`"))
    target = find_target(game, event, event.targets[0])
    if target is None:
        raise event.refuse(phrase("诅咒 不能是弃权"), phrase("写一名玩家"), event.targets[0].column)
    if event.actor != DIRECTOR and game.ruleset.role(event.actor) != CURSER:
        find_actor(game, event, None)
    return Curse(target, event.number)


def _find_lovers(game: Game, events: Iterable[Event]) -> frozenset[str]:
    """The lovers by the last line that makes some: 单身的两姐妹/三兄弟 are those who are none."""
    for event in reversed(tuple(events)):
        if game.policy.agree and event.act in LOVES and len(event.targets) == 2:
            return frozenset(find_seat(game, event, word) for word in event.targets)
    return frozenset()


def _on(event: Event, day: Day) -> bool:
    return event.phase is not None and event.phase.kind is PhaseKind.DAY and event.phase.number == day.number


def _in_night_before(event: Event, day: Day) -> bool:
    """夜N is followed by 日N+1."""
    return event.phase is not None and event.phase.kind is PhaseKind.NIGHT and event.phase.number + 1 == day.number


def find_poll(game: Game, event: Event) -> str | None:
    """Which of the day's votes a line is for; None where it does not say."""
    word = event.value(*POLL_KEYS)
    if word is None:
        return None
    names = {poll.name for poll in game.policy.polls}
    name = KINDS[word.text].name if word.text in KINDS else word.text
    if name not in names:
        choices = listing(sorted(name for name in names if name)) or phrase("（这套规则每天只有一次投票，不用写）")
        raise event.refuse(
            phrase("没有 {text!r} 这种投票", text=word.text), phrase("可以写的有 {choices}", choices=choices), word.column
        )
    return name


def _file(event: Event) -> str:
    return PurePath(event.source).name if event.source.endswith(".csv") else ""


def _by_director(event: Event) -> None:
    if event.actor != DIRECTOR:
        raise event.refuse(
            phrase("{act} 只能由导演写", act=event.act),
            phrase("写成 `{value} 导演 {act} …`", value=event.phase or "日2", act=event.act),
        )


def _by_day(event: Event) -> None:
    if event.phase is None or event.phase.kind is not PhaseKind.DAY:
        raise event.refuse(
            phrase("{act} 是白天的事", act=event.act), phrase("写成 `日N {actor} {act} …`", actor=event.actor, act=event.act)
        )


def find_actor(game: Game, event: Event, day: Day | None) -> str:
    """The seat that a line is by: a seat's name, 警长, or a role that one seat has."""
    names = index_names(game.roster)
    if (seat := names.find_seat(event.actor)) is not None:
        return seat
    if event.actor == SHERIFF and day is not None and day.sheriff:
        return day.sheriff
    role = game.ruleset.role(event.actor)
    held = [seat.name for seat in game.roster.seats if role is not None and seat.role == role]
    if len(held) == 1:
        return held[0]
    raise event.refuse(
        phrase("没有叫 {actor!r} 的玩家", actor=event.actor), suggest(event.actor, [seat.name for seat in game.roster.seats])
    )


def find_seat(game: Game, event: Event, word: Word) -> str:
    """The seat that a word names."""
    for seat in game.roster.seats:
        if word.text == seat.name or word.text in (*seat.aliases, *(alias for alias, _ in seat.later)):
            return seat.name
    raise event.refuse(
        phrase("没有叫 {text!r} 的玩家", text=word.text),
        suggest(word.text, [seat.name for seat in game.roster.seats]),
        word.column,
    )


def find_target(game: Game, event: Event, word: Word) -> str | None:
    """What a word names that votes may name: a seat, a number or a vest; None for 弃权."""
    if fold(word.text) == ABSTENTION:
        return None
    found = target_names(game).find(word.text)
    if found is not None and found.seat is not None:
        return found.seat
    names = [target.name for target in list_targets(game.roster)]
    what = phrase("玩家") if game.roster.targets is None else phrase("秘密数字或马甲")
    raise event.refuse(phrase("没有 {text!r} 这个{what}", text=word.text, what=what), suggest(word.text, names), word.column)


def target_names(game: Game) -> Names:
    """The names of what votes may name."""
    return index_targets(game.roster, game.policy.target)
