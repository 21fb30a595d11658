"""`bansha day`: one more [[day]] in game.toml, its times from the calendar, and the first floor of its thread.

Nothing is guessed: what neither the director, nor the calendar, nor the day before says is an error that names the option.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.doors import move_days
from engine.elevator import find_gone
from engine.game import Game, load_game
from engine.gamewriting import append_table, read_written, set_keys
from engine.ledger import Event, Phase, PhaseKind, standing_events
from engine.play.messages import PUBLIC
from engine.play.wording import say
from engine.publicity import names_sheriff
from engine.report.safe import escape_bbcode
from engine.tomlfile import Key
from engine.votekeys import needs_thread
from scraper.address import page_url, read_thread
from scraper.errors import UsageError
from scraper.phrases import listing, phrase
from tally.calendar import find_close, find_opening
from tally.day import Day, Out
from tally.policy import TargetKind

if TYPE_CHECKING:
    from engine.play.state import GameState
    from scraper.address import Family

_WEEKDAYS = "一二三四五六日"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the director says of a day. Threads are tids or links; None is what he leaves open."""

    vote: str | None = None
    discussion: Sequence[str] = ()
    progress: str | None = None
    opens: datetime | None = None
    closes: datetime | None = None
    facts: dict[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Opened:
    """A day as it stands in game.toml now; `notes` say where its times come from, `family` how its links were written."""

    game: Game
    day: Day
    new: bool
    notes: tuple[str, ...] = ()
    family: Family | None = None


def open_day(game: Game, events: tuple[Event, ...], number: int | None, wanted: Wanted) -> Opened:
    """Write a day into game.toml: a new one behind the others, or what is said of one that is there. An error changes nothing."""
    known = game.day(number) if number is not None else None
    threads, family, board = _read_threads(game, wanted)
    if known is not None:
        keys = _list_keys(game, threads, wanted.opens, wanted.closes, wanted.facts)
        if keys:
            row = _find_row(game.path, known.number)
            set_keys(game.path, {("day", row, key): value for key, value in keys.items()}, check=_check)
        after = load_game(game.path)
        changed = _need(after, known.number)
        return Opened(after, changed, False, tuple(_list_changes(known, changed, game)), family)
    number = _next_number(game, number)
    if "vote" not in threads and needs_thread(game.ruleset.vote):
        raise UsageError(phrase("第 {number} 天没有投票帖。改法：加 --vote，后面写投票帖的地址。", number=number))
    before = [day for day in move_days(game.days, standing_events(events)) if day.number < number]
    opens, notes = _find_opening(game, before[-1] if before else None, wanted.opens)
    closes = wanted.closes
    if closes is None:
        closes = find_close(opens, game.length) if game.length is not None else None
        if closes is None:
            raise UsageError(
                phrase(
                    "不知道第 {number} 天几时关门：{system} 的规则没有写。改法：加 --closes 2018-06-05T21:00，"
                    "或在 game.toml 写 [calendar]。",
                    number=number,
                    system=game.ruleset.title,
                )
            )
    block = _compose(number, _list_keys(game, threads, opens, closes, wanted.facts))
    more: dict[Key, object] = {("forum", "url"): board} if board and not game.forum.url else {}
    append_table(game.path, "day", block, keys=more, check=_check)
    after = load_game(game.path)
    return Opened(after, _need(after, number), True, tuple(notes), family)


def _check(path: Path) -> Game:
    return load_game(path)


def _need(game: Game, number: int) -> Day:
    day = game.day(number)
    assert day is not None
    return day


def _next_number(game: Game, number: int | None) -> int:
    """The number of a new day: the one after the last, unless the game begins here."""
    last = game.days[-1].number if game.days else None
    # 面杀 opens with 夜1, so that its first daytime is 日2.
    first = 2 if game.ruleset.vote.target is TargetKind.SEAT else 1
    following = first if last is None else last + 1
    given = str(game.given.get("phase", ""))
    if last is None and given[1:].isdigit():
        following = int(given[1:]) + (given[:1] == PhaseKind.NIGHT)
    if number is not None and last is not None and number <= last:
        raise UsageError(
            phrase(
                "game.toml 有第 {first} 到 {last} 天，没有第 {number} 天，也加不到前面。"
                "改法：写 bansha day {following}，或自己在文件里写。",
                number=number,
                first=game.days[0].number,
                last=last,
                following=following,
            )
        )
    if number is not None and number != following and last is not None:
        raise UsageError(
            phrase(
                "第 {number} 天还轮不到：最后一天是第 {last} 天。改法：写 bansha day {following}。",
                number=number,
                last=last,
                following=following,
            )
        )
    return following if number is None else number


def _read_threads(game: Game, wanted: Wanted) -> tuple[dict[str, object], Family | None, str]:
    """The threads as tids, how their links are written, and the board that they name where game.toml names none."""
    found: dict[str, object] = {}
    family, board = None, ""
    for key, words in (
        ("vote", (wanted.vote,) if wanted.vote else ()),
        ("discussion", wanted.discussion),
        ("progress", (wanted.progress,) if wanted.progress else ()),
    ):
        tids = []
        for word in words:
            if str(word).isascii() and str(word).isdigit():
                tids.append(int(word))
                continue
            thread = read_thread(str(word), game.forum.url or board)
            tids.append(thread.tid)
            family, board = thread.family or family, thread.board
        if tids:
            found[key] = tids if key == "discussion" and len(tids) > 1 else tids[0]
    return found, family, board


def _find_opening(game: Game, before: Day | None, opens: datetime | None) -> tuple[datetime, list[str]]:
    """When the day opens: as the director says, by the calendar, else at the hour of the day before."""
    if opens is not None:
        return opens, []
    if before is not None and game.length is not None:
        closes = before.ends.astimezone(game.zone)
        by_rule = find_opening(closes, game.length)
        if by_rule is not None:
            return by_rule, []
        hour = before.opens.astimezone(game.zone).time()
        same = find_opening(closes, replace(game.length, opens_at=hour))
        if same is not None:
            note = phrase(
                "规则没有写几时开门，照第 {number} 天的 {hour}；不对就加 --opens。", number=before.number, hour=f"{hour:%H:%M}"
            )
            return same, [note]
    raise UsageError(
        phrase("不知道几时开门。改法：加 --opens 2018-06-03T09:30，或在 game.toml 的 [calendar] 写 open = 09:30:00。")
    )


def _list_keys(
    game: Game, threads: dict[str, object], opens: datetime | None, closes: datetime | None, facts: dict[str, object]
) -> dict[str, object]:
    times = {key: at.astimezone(game.zone).replace(tzinfo=None) for key, at in (("opens", opens), ("closes", closes)) if at}
    return {**times, **threads, **facts}


def _compose(number: int, keys: dict[str, object]) -> str:
    import tomlkit

    table = tomlkit.table()
    for key, value in {"number": number, **keys}.items():
        table[key] = value
    text = tomlkit.dumps({"day": table}).split("\n", 1)[1]
    width = max(len(key) for key in ("number", *keys))
    lines = []
    for line in text.strip("\n").split("\n"):
        key, _, value = line.partition(" = ")
        lines.append(f"{key:<{width}} = {value}")
    return "\n".join(["[[day]]", *lines])


def _find_row(path: Path, number: int) -> int:
    """Which of the [[day]] tables is a day's, by its place in the file."""
    days: Any = tomllib.loads(read_written(path).text)["day"]
    return next(place for place, row in enumerate(days) if row["number"] == number)


def _list_changes(before: Day, after: Day, game: Game) -> Iterator[str]:
    """What a day that is there has otherwise now, so that nobody writes over one by a slip: threads and times that it had."""
    number = before.number
    for title, old, new in ((phrase("投票帖"), before.vote, after.vote), (phrase("进程帖"), before.progress, after.progress)):
        if old and old != new:
            yield phrase("第 {number} 天的{title}原来是 {old}，现在是 {new}。", number=number, title=title, old=old, new=new)
    if before.discussion and before.discussion != after.discussion:
        old_threads, new_threads = listing(before.discussion), listing(after.discussion)
        yield phrase("第 {number} 天的讨论帖原来是 {old}，现在是 {new}。", number=number, old=old_threads, new=new_threads)
    if before.opens != after.opens:
        old_clock, new_clock = (f"{at.astimezone(game.zone):%Y-%m-%d %H:%M}" for at in (before.opens, after.opens))
        yield phrase("第 {number} 天的开门原来是 {old}，现在是 {new}。", number=number, old=old_clock, new=new_clock)
    if before.closes != after.closes:
        old_clock, new_clock = (f"{at.astimezone(game.zone):%Y-%m-%d %H:%M}" for at in (before.closes, after.closes))
        yield phrase("第 {number} 天的关门原来是 {old}，现在是 {new}。", number=number, old=old_clock, new=new_clock)


def write_floor(game: Game, day: Day, state: GameState | None, family: Family) -> str:
    """The first floor of the day's thread, as BBCode: its times, its threads, and everything that its opening publishes.

    `state` is the game's where the ledger runs it and has reached the day; without it the facts of game.toml are told.
    """
    return "".join(f"{line}\n" for line in _floor(game, day, state, family))


def _floor(game: Game, day: Day, state: GameState | None, family: Family) -> Iterator[str]:
    yield f"[b]{escape_bbcode(game.title)} · 第 {day.number} 天[/b]"
    yield f"开门：{write_clock(day.opens, game)}"
    yield f"关门：{write_clock(day.closes, game)}"
    threads = (("投票帖", day.vote), *(("讨论帖", tid) for tid in day.discussion), ("进程帖", day.progress or 0))
    for title, tid in threads:
        if tid and game.forum.url:
            yield f"{title}：[url]{page_url(game.forum.url, tid, family=family)}[/url]"
    yield ""
    told = list(list_published(game, day, state))
    yield from (escape_bbcode(line) for line in told)
    if told:
        yield ""
    if game.ruleset.vote.target is not TargetKind.VEST:  # 以任何方式出局的马甲均不公示其身份
        gone = {out.name for out in day.out if out.at is None} if state is not None else find_gone(game, day)
        living = "、".join(seat.name for seat in game.roster.seats if seat.name not in gone)
        yield f"在场：{escape_bbcode(living)}"


def list_published(game: Game, day: Day, state: GameState | None) -> Iterator[str]:
    """What a day's opening publishes, a line each: the game's own messages, else the facts of the file. Nothing is escaped."""
    if state is not None:
        # Before the first day opens identities may be published, in the night that ends then.
        phases = (Phase(PhaseKind.DAY, day.number), *((Phase(PhaseKind.NIGHT, 0),) if day.number == 1 else ()))
        for message in state.messages:
            if message.to == PUBLIC and message.phase in phases:
                yield from say(message, state.table).split("\n")
        return
    veiled = game.ruleset.vote.target is TargetKind.VEST
    before = game.day(day.number - 1)
    gone = [out.name for out in day.out if out.at is None]
    if not veiled:
        yield from _tell_out("", gone, before.out if before is not None else None)
    targets = sorted((out.name for out in day.targets_out or () if out.at is None), key=lambda word: (len(word), word))
    yield from _tell_out("马甲" if veiled else "秘密数字", targets, before.targets_out if before is not None else None)
    if day.sheriff is not None and (shown := _call_sheriff(game, day.sheriff)):
        yield shown
    if day.chanted and not veiled:  # each is told alone there: what an account posts would show its vest
        yield f"被吹笛：{'、'.join(day.chanted)}"


def _tell_out(what: str, gone: Sequence[str], before: Sequence[Out] | None) -> Iterator[str]:
    """Who is out (`what`: vests or numbers, "" for names), and first who is so since the day before, where that is told."""
    name = f"的{what}" if what else ""
    earlier = {out.name for out in before if out.at is None} if before is not None else set(gone)
    fresh = [one for one in gone if one not in earlier]
    if fresh:
        yield f"前一天出局{name}：{'、'.join(fresh)}"
    if fresh != gone:
        yield f"已出局{name}：{'、'.join(gone)}"


def _call_sheriff(game: Game, name: str) -> str:
    """The sheriff as the rules publish him: by his number or vest where that is what was elected, and "" where it is not told."""
    if not name:
        return "没有警长"
    if names_sheriff(game):
        return f"当日警长：{name}"
    number = game.secrets.numbers.get(name)
    target = game.secrets.vests.get(name) or (str(number) if number is not None else "")
    return f"当日警长：{target}" if target else ""


def write_clock(at: datetime, game: Game) -> str:
    """A moment as a post tells it: in the game's zone, with the day of the week."""
    local = at.astimezone(game.zone)
    return f"{local:%Y-%m-%d %H:%M}（周{_WEEKDAYS[local.weekday()]}）"
