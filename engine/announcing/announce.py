"""The announcement of each moment of a game, as the BBCode of a post: made of what the engine made public, and of nothing else.

Where the ledger does not run the game, it tells what the tallies, game.toml and the director's lines tell.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, assert_never

from engine.announcing.lines import Told, list_told
from engine.announcing.moments import OF_THE_START, TITLES, Moment, find_moment, has_opened, is_settled, sort_messages
from engine.announcing.places import list_threads
from engine.derived import runs_the_game, with_facts
from engine.game import Game
from engine.ledger import Event, PhaseKind, standing_events
from engine.newday import list_published, write_clock
from engine.play.messages import PUBLIC
from engine.play.messages import Told as Kind
from engine.play.views import see_public
from engine.play.wording import say
from engine.playing import Played, begin, find_rejected, play, read_rows, seat_game
from engine.publicity import publish_tally
from engine.report.safe import escape_bbcode
from engine.report.templating import Code, Template, render
from scraper.errors import UsageError
from scraper.phrases import phrase
from tally.dayevent import EventKind
from tally.publish import Shown

if TYPE_CHECKING:
    from datetime import datetime

    from engine.play.state import GameState
    from scraper.archive import Archive
    from tally.day import Day
    from tally.result import DayTally

PROVISIONAL = "暂定，不是最终结果"
NOTHING = "没有要公示的。"


@dataclass(frozen=True, slots=True)
class Section:
    """A part of an announcement: its heading ("": none) and its lines, which are escaped unless they are code."""

    head: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Announcement:
    """What is published at a moment: the text, the thread it belongs to (None: there is none yet), whether it is final.

    `why` says what is still waited for where it is not.
    """

    moment: Moment
    day: int
    tid: int | None
    text: str
    final: bool
    why: str = ""


@dataclass(frozen=True, slots=True)
class Desk:
    """A game as announcements read it: its facts, its archive (None: nothing was read yet), and its fold where it has one."""

    game: Game
    archive: Archive | None
    events: tuple[Event, ...]
    played: Played | None

    @property
    def standing(self) -> tuple[Event, ...]:
        """The lines that hold: not undone, and not refused."""
        refused = {one.order.number for one in find_rejected(self.played)} if self.played is not None else set()
        return tuple(event for event in standing_events(self.events) if event.number not in refused)

    @property
    def opens(self) -> dict[int, datetime]:
        """When each day opens."""
        return {day.number: day.opens for day in self.game.days}

    @property
    def ended(self) -> bool:
        """Whether the game is over: by its winner, or because game.toml says so."""
        return self.game.ended or (self.played is not None and bool(self.played.state.winner))


def lay_out(game: Game, archive: Archive | None, events: tuple[Event, ...]) -> Desk:
    """A game made ready: played where the ledger runs it, with the facts of its days."""
    if not runs_the_game(game, events):
        return Desk(game, archive, events, None)
    if archive is None:
        played = play(begin(game, seat_game(game)), events, None, read_rows(game))
    else:
        from engine.derived import play_recorded

        played = play_recorded(game, archive, events)
    return Desk(with_facts(game, played), archive, events, played)


def choose_moment(desk: Desk, day: int | None) -> tuple[Moment, int]:
    """What is to be published now, or of a day: its close once that is there, else its opening."""
    if day is not None:
        closed = is_settled(desk.played, day) if desk.played is not None else bool(_count(desk, day, final=True))
        return (Moment.CLOSE if closed else Moment.OPENING), day
    if desk.played is not None:
        moment, number = find_moment(desk.played.state)
        return (Moment.MIDDAY if moment is Moment.OPENING and _has_midday(desk, number) else moment), number
    if desk.ended:
        return Moment.END, 0
    closed_days = [one.number for one in desk.game.days if _count(desk, one.number, final=True)]
    if closed_days:
        return Moment.CLOSE, closed_days[-1]
    return (Moment.OPENING, desk.game.days[0].number) if desk.game.days else (Moment.START, 0)


def _has_midday(desk: Desk, day: int) -> bool:
    """Whether something has happened since a day opened that is to be published by itself."""
    told = _told(desk, Moment.MIDDAY, day)
    return bool(told.happened or told.questions or next(_say(desk, Moment.MIDDAY, day), ""))


def announce(desk: Desk, moment: Moment, day: int | None, *, force: str = "") -> Announcement:
    """The announcement of a moment; UsageError where the game has not come to it, or nothing is to be published.

    `force` is the reason for which the director reveals a game that has not ended.
    """
    number = _find_number(desk, moment, day)
    if moment is Moment.END and not desk.ended and force:
        sections: Sequence[Section] = [Section("", (f"游戏没有结束，导演公布：{force}",)), *_reveal(desk)]
        why = ""
    else:
        sections, why = _compose(desk, moment, number)
    game = desk.game
    text = render(
        Template.ANNOUNCEMENT,
        game,
        title=game.title,
        moment=TITLES[moment].format(day=number),
        provisional=PROVISIONAL if why else "",
        sections=sections,
    )
    return Announcement(moment, number, _find_thread(game, moment, number), text, not why, why)


def _find_number(desk: Desk, moment: Moment, day: int | None) -> int:
    """The day that is meant: the one that was named, else the last one that the moment can be of."""
    if moment is Moment.START:
        return 0
    if day is not None:
        return day
    if desk.played is not None:
        return max(desk.played.state.phase.number, 1)
    return choose_moment(desk, None)[1] or (desk.game.days[-1].number if desk.game.days else 1)


def _find_thread(game: Game, moment: Moment, number: int) -> int | None:
    """The thread of the moment by the rule post; a game's start goes to its first day, its end to its last."""
    if not game.days:
        return None
    if moment is Moment.START:
        found: Day | None = game.days[0]
    elif moment is Moment.END:
        found = game.day(number) or game.days[-1]
    else:
        found = game.day(number)
    return next(list_threads(game.ruleset.id, moment, found), None) if found is not None else None


def _compose(desk: Desk, moment: Moment, day: int) -> tuple[Sequence[Section], str]:
    """The sections of a moment, and what is still waited for ("": it is final)."""
    match moment:
        case Moment.START:
            return _start(desk), ""
        case Moment.OPENING:
            return _opening(desk, day), ""
        case Moment.MIDDAY:
            return _midday(desk, day), ""
        case Moment.SPEED_UP:
            return _speed_up(desk, day)
        case Moment.CLOSE:
            return _close(desk, day)
        case Moment.END:
            if not desk.ended:
                raise UsageError(
                    phrase(
                        "{path}: 游戏还没有结束，不能揭秘。改法：等账本分出胜负，或在 [game] 里写 ended = true。",
                        path=desk.game.path,
                    )
                )
            return _reveal(desk), ""
        case _:
            assert_never(moment)


def _reveal(desk: Desk) -> list[Section]:
    from engine.announcing.reveal import list_reveal

    return [Section(head, tuple(lines)) for head, lines in list_reveal(desk)]


def _start(desk: Desk) -> list[Section]:
    """玩家、公开的身份表、电梯顺序、种子的承诺: 游戏开始前，导演公示身份与角色对应关系 (秘密数字杀, 马甲杀)."""
    game = desk.game
    names = [seat.name for seat in game.roster.seats]
    sections = [Section("", (f"规则：{game.ruleset.title}", f"玩家 {len(names)} 人：{'、'.join(names)}"))]
    state = desk.played.states[0] if desk.played is not None else _seat_quietly(game)
    if state is not None and state.table.hides_targets:
        roles = see_public(state).roles
        sections.append(Section("身份与角色", tuple(f"{name}：{roles[name]}" for name in names)))
    if state is not None:
        open_cards = [one for one in state.messages if one.to == PUBLIC and one.told in OF_THE_START]
        lines = tuple(say(one, state.table) for one in open_cards if one.told is not Kind.IDENTITIES)
        sections += [Section("公示", lines)] if lines else []
    if game.elevator:
        sections.append(Section("电梯楼的顺序", ("、".join(game.elevator),)))
    if game.seed_commitment:
        sections.append(Section("种子的承诺", (game.seed_commitment, "这是种子的 SHA-256；游戏结束后公布种子，谁都可以核对。")))
    return sections


def _seat_quietly(game: Game) -> GameState | None:
    """The state before the first line, where everything was dealt that it needs."""
    if game.ruleset.play is None or any(seat.name not in game.secrets.roles for seat in game.roster.seats):
        return None
    return begin(game, seat_game(game))


def _opening(desk: Desk, number: int) -> list[Section]:
    """每个游戏日白天开始时: outs in order, numbers as the system allows, sheriff, chanted, last words."""
    game, played = desk.game, desk.played
    day = game.day(number)
    if played is not None:
        _must_have_opened(desk, played, number)
        lines = tuple(_say(desk, Moment.OPENING, number))
    elif day is None:
        raise _no_day(game, number)
    else:
        lines = tuple(list_published(game, day, None))
    doors = (("开门", day.opens), ("关门", day.closes)) if day is not None else ()
    times = tuple(Code(f"{word}：{write_clock(at, game)}") for word, at in doors)
    told = _told(desk, Moment.OPENING, number)
    sections = [Section("", times), Section("公示", (*lines, *told.happened) or (NOTHING,)), *told.questions]
    return [section for section in sections if section.lines]


def _midday(desk: Desk, number: int) -> list[Section]:
    """讨论日进行时: red cards, substitutes, doors that were moved, answers to questions about the rules."""
    if desk.played is not None:
        _must_have_opened(desk, desk.played, number)
    told = _told(desk, Moment.MIDDAY, number)
    lines = (*_say(desk, Moment.MIDDAY, number), *told.happened)
    sections = [*([Section("公示", lines)] if lines else []), *told.questions]
    if not sections:
        raise UsageError(phrase("第 {number} 天讨论中没有要公示的：没有罚牌、替补、移门、答疑。", number=number))
    return sections


def _speed_up(desk: Desk, number: int) -> tuple[list[Section], str]:
    """What was judged of requests for a shorter or longer day, and what the director declared."""
    game = desk.game
    lines: list[str] = []
    why = ""
    faster = False
    for tally in _count(desk, number):
        for event in publish_tally(tally, game).tally.events:
            if (kind := _SPEEDS.get(event.kind)) is None:
                continue
            held = "成立" if event.held else "不成立"
            lines.append(Code(f"{write_clock(event.at, game)} {kind}{held}：{escape_bbcode(event.because)}"))
            lines += [event.clause] if event.held and event.clause else []
            if event.held and game.ruleset.id == "m29":
                # 延迟成功时，不再视为“执行加速”状态: where it was one.
                lines += [_FASTER] if event.kind is EventKind.SPEED_UP else [_NO_LONGER] if faster else []
            faster = faster or (event.held and event.kind is EventKind.SPEED_UP)
            if event.line is None and not event.told and not _was_seen(desk, number, event.at):
                why = phrase("判定时刻以后还没有看过帖子")
    if not lines:
        lines = list(_told(desk, Moment.SPEED_UP, number).happened)
        lines += [_FASTER] if game.ruleset.id == "m29" and any("执行加速" in line for line in lines) else []
    if not lines:
        raise UsageError(phrase("第 {number} 天没有加速或延时要公示。", number=number))
    return [Section("", tuple(dict.fromkeys(lines)))], why


_SPEEDS = {EventKind.SPEED_UP: "加速", EventKind.EXTENSION: "延时", EventKind.SHORTENING: "缩短"}
_FASTER = "执行加速时，所有人不可改票，且发言不足或未投票者将不被判罚。"
_NO_LONGER = "延迟成功时，不再视为“执行加速”状态。"


def _was_seen(desk: Desk, number: int, at: datetime) -> bool:
    """Whether somebody has looked at a thread of the day since a moment."""
    day = desk.game.day(number)
    if day is None or desk.archive is None:
        return False
    threads = [tid for tid in (day.progress or 0, day.vote, *day.discussion) if tid]
    return any(one.started_at >= at for tid in threads for one in desk.archive.fetch_passes(tid) if one.seen)


def _close(desk: Desk, number: int) -> tuple[list[Section], str]:
    """投票结束后…立即公示: the tally, then 殉职, 殉情, 最后一枪, 装傻, and whoever was shot."""
    tallies, played = _count(desk, number), desk.played
    if not tallies and (played is None or not has_opened(played, number)):
        raise _no_day(desk.game, number)
    whole = bool(tallies) and all(publish_tally(tally, desk.game).shown is Shown.ALL for tally in tallies)
    sections = [Section("", tuple(_write_tallies(desk, tallies)))] if tallies else []
    lines = tuple(_say(desk, Moment.CLOSE, number, without=(Kind.COUNT,) if whole else ()))
    # A game that the night decided was not over yet.
    winner = tuple(_say(desk, Moment.END, number, by_day=True))
    # A card that the director has given stands below the tally already.
    told = _told(desk, Moment.CLOSE, number, without={card.confirmed for tally in tallies for card in tally.cards})
    lines = (*lines, *told.happened, *winner)
    sections += [Section("公示", lines)] if lines else []
    sections += told.questions
    why = "" if all(tally.final for tally in tallies) else phrase("计票还不是最终的")
    if played is not None and not is_settled(played, number):
        why = why or phrase("还在等人答复" if played.state.closing else "账本里还没有截票")
    return sections or [Section("公示", (f"{why}。" if why else NOTHING,))], why


def _write_tallies(desk: Desk, tallies: Sequence[DayTally]) -> Iterator[str]:
    from engine.report.bbcode import write_bbcode
    from engine.report.values import tally_value

    digests = [str(tally_value(tally, desk.game)["digest"]) for tally in tallies]
    yield Code(write_bbcode(tallies, digests, desk.game).rstrip("\n"))


def _count(desk: Desk, number: int, *, final: bool = False) -> tuple[DayTally, ...]:
    """The tallies of a day's votes, none where it has none that can be counted; only if they are all `final`, where asked."""
    from engine.counting import count_game_day, votes_of

    day = desk.game.day(number)
    if day is None or desk.archive is None:
        return ()
    archive = desk.archive
    tallies = tuple(count_game_day(desk.game, archive, desk.events, vote) for vote in votes_of(desk.game, day) if vote.vote)
    return () if final and not all(tally.final for tally in tallies) else tallies


def _say(desk: Desk, moment: Moment, day: int, *, without: Iterable[Kind] = (), by_day: bool = False) -> Iterator[str]:
    """The sentences of the engine's public messages of a moment; `by_day` leaves out those of the night that follows."""
    played = desk.played
    if played is None:
        return
    left_out = tuple(without)
    for public in sort_messages(played, desk.opens):
        if by_day and public.message.phase.kind is not PhaseKind.DAY:
            continue
        if (public.moment, public.day) == (moment, day) and public.message.told not in left_out:
            yield from say(public.message, played.state.table).split("\n")


@dataclass(frozen=True, slots=True)
class _Told:
    happened: tuple[str, ...]
    questions: tuple[Section, ...]


def _told(desk: Desk, moment: Moment, day: int, *, without: Collection[int | None] = ()) -> _Told:
    """What the director's lines publish at a moment, questions apart; not those `without` whose numbers."""
    state = desk.played.state if desk.played is not None else None
    every: list[Told] = [one for one in list_told(desk.game, desk.standing, state) if one.line not in without]
    mine = [one for one in every if (one.moment, one.day) == (moment, day)]
    questions = tuple(one.text for one in mine if one.question)
    return _Told(tuple(one.text for one in mine if not one.question), (Section("规则答疑", questions),) if questions else ())


def _must_have_opened(desk: Desk, played: Played, number: int) -> None:
    if not has_opened(played, number):
        raise UsageError(
            phrase(
                "{path}: 账本还在 {now}，第 {number} 天没有开门。改法：先记完前一夜（bansha night）。",
                path=desk.game.path,
                now=str(played.state.phase),
                number=number,
            )
        )


def _no_day(game: Game, number: int) -> UsageError:
    return UsageError(
        phrase("{path}: 没有第 {number} 天。改法：改 --day，或先 bansha day {number}。", path=game.path, number=number)
    )
