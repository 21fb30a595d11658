"""`bansha init`: the threads are read into the archive of the game to be, what they tell is proposed, what is open is asked."""

from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from engine.asking import Asker
from engine.calendar import Calendar, find_length
from engine.game import load_game
from engine.polling import Target, Watcher, poll_target
from engine.report.safe import defuse
from engine.rulesets import BUILT, UnknownRuleSet, find_ruleset
from engine.starting.newgame import Given, NewDay, NewGame, NewPlayer, write_game
from engine.starting.threads import Kind, Poster, Told, find_system, read_thread
from engine.switches import Switch
from scraper.address import read_thread as read_address
from scraper.errors import UsageError
from scraper.phrases import listing, phrase
from scraper.schedule import WHOLE, Span
from tally.calendar import find_close

if TYPE_CHECKING:
    from scraper.archive import Archive
    from scraper.client import Client

# Who signed up, where others are the characters.
PEOPLE = "people.csv"
_NEVER = datetime.fromisoformat("1970-01-01T00:00:00+00:00")
# Asked though it has a default: players elsewhere call the other answer a fault.
_ASKED = ("win.defer_for_pending_shot",)


@dataclass(frozen=True, slots=True)
class Answers:
    """What the director said on the command line; None, or nothing, is what he left open.

    `players` are `name=account` or a name, `without` accounts that do not play, `closes` the closes of days by number.
    `characters` are names and accounts of the characters where those who signed up will play them.
    """

    title: str | None = None
    ruleset: str | None = None
    timezone: str = "Asia/Shanghai"
    forum_timezone: str | None = None
    directors: tuple[str, ...] = ()
    players: tuple[str, ...] = ()
    characters: tuple[tuple[str, str], ...] = ()
    without: tuple[str, ...] = ()
    switches: Mapping[str, object] = field(default_factory=dict)
    closes: Mapping[int, datetime] = field(default_factory=dict)
    cookies: str = ""
    interval: float | None = None
    from_day: int | None = None
    out: tuple[str, ...] | None = None
    sheriff: str | None = None
    chanted: tuple[str, ...] | None = None
    used: tuple[str, ...] | None = None
    lovers: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Read:
    """What the threads told, and in which zone the board prints (None: it does not say)."""

    board: str
    threads: tuple[Told, ...]
    zone: float | None
    texts: tuple[str, ...]


def fetch_threads(
    urls: Sequence[str], archive: Archive, client: Client, *, clock: Callable[[], datetime], watcher: Watcher
) -> tuple[int, ...]:
    """Read each thread once, whole, into the archive: their tids. Raises the error of a thread that cannot be read."""
    tids = tuple(dict.fromkeys(read_address(url, client.board).tid for url in urls))
    for tid in tids:
        target = Target(tid, phrase("帖子"), Span(_NEVER, _NEVER))
        for error in poll_target(target, archive, client, WHOLE, clock=clock, watcher=watcher).outcome.errors:
            raise error
    return tids


def read_stored(tids: Sequence[int], archive: Archive, board: str) -> Read:
    """What threads tell that the archive holds; UsageError for one without a post."""
    told, texts, zone = [], [], None
    for tid in tids:
        titles = archive.fetch_titles(tid)
        histories = list(archive.fetch_histories(tid))
        one = read_thread(tid, titles[-1] if titles else "", histories)
        if one is None:
            raise UsageError(phrase("帖子 {tid} 里什么也没有。改法：检查地址。", tid=tid))
        told.append(one)
        texts += [one.title, histories[0].latest.message.text]
        zone = archive.fetch_passes(tid)[-1].zone if zone is None else zone
    return Read(board, tuple(told), zone, tuple(texts))


def propose(read: Read, answers: Answers, asker: Asker | None) -> NewGame:
    """The new game: what the threads tell, over it what the director said, and asked what is still open.

    UsageError names the option where something is open and nobody can be asked.
    """
    ruleset = _settle_ruleset(read, answers, asker)
    title = answers.title or _propose_title(read)
    if asker is not None and answers.title is None:
        title = asker.text(phrase("这一局叫什么"), title)
    directors = _settle_directors(read, answers, asker)
    players, remarks = _settle_players(read, answers, asker, {one.account for one in directors})
    people: tuple[NewPlayer, ...] = ()
    if answers.characters:
        people, players = players, tuple(NewPlayer(name, account) for name, account in answers.characters)
        if len(people) != len(players):
            differ = phrase("报名 {people} 人，角色 {players} 个。", people=len(people), players=len(players))
            remarks += (differ,)
    zone = ZoneInfo(answers.timezone)
    days, notes = _settle_days(read, answers, ruleset, zone, asker)
    given = _settle_given(answers, [player.name for player in players], asker)
    forum_zone, told = _settle_zone(read, answers, zone)
    return NewGame(
        title=title,
        ruleset=ruleset,
        timezone=answers.timezone,
        directors=directors,
        board=read.board,
        players=players,
        days=days,
        switches=_settle_switches(ruleset, answers, asker),
        forum_timezone=forum_zone,
        cookies=answers.cookies,
        interval=answers.interval,
        given=given,
        people=people,
        remarks=(*remarks, *notes, *told),
    )


def save_game(game: NewGame, path: Path) -> None:
    """Write the file, where there is none; UsageError where there is, or where it would not load."""
    if path.exists():
        raise UsageError(phrase("{path}: 已经有了，不覆盖。改法：换一个文件夹（--dir），或先把它移走。", path=path))
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.new")
    try:
        draft.write_text(write_game(game), encoding="utf-8", newline="\n")
        load_game(draft, before_days=True)
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(draft.read_text(encoding="utf-8"))
    except FileExistsError:
        raise UsageError(phrase("{path}: 已经有了，不覆盖。改法：换一个文件夹（--dir），或先把它移走。", path=path)) from None
    except OSError as error:
        raise UsageError(phrase("{path}: 写不进去（{why}）。改法：换一个能写的位置。", path=path, why=error.strerror)) from None
    finally:
        draft.unlink(missing_ok=True)


def save_people(game: NewGame, folder: Path) -> None:
    """Write who signed up beside the file, for the deal: one a line, with his uid."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(("玩家", "uid"))
    writer.writerows((defuse(one.account), one.uid or "") for one in game.people)
    path = folder / PEOPLE
    if path.exists():
        raise UsageError(phrase("{path}: 已经有了，不覆盖。改法：换一个文件夹（--dir），或先把它移走。", path=path))
    path.write_bytes(codecs.BOM_UTF8 + text.getvalue().encode())


def _need(asker: Asker | None, option: str, what: str) -> Asker:
    if asker is None:
        raise UsageError(phrase("{what}，没有终端，问不了。改法：加 {option}。", what=what, option=option))
    return asker


def _settle_ruleset(read: Read, answers: Answers, asker: Asker | None) -> str:
    if answers.ruleset is not None:
        try:
            return find_ruleset(answers.ruleset).id
        except UnknownRuleSet as unknown:
            raise UsageError(phrase("--ruleset: {problem}。改法：{fix}。", problem=unknown.problem, fix=unknown.fix)) from None
    found = find_system(read.texts)
    if asker is None and found is not None:
        return found
    asked = _need(asker, "--ruleset", phrase("看不出是哪套规则"))
    titles = {one.title: one.id for one in BUILT.values()}
    default = next((title for title, name in titles.items() if name == found), None)
    return titles[asked.choose(phrase("哪套规则"), list(titles), default)]


def _propose_title(read: Read) -> str:
    """The name that the threads' titles share: up to what they are for."""
    title = read.threads[0].title
    for word in (*Kind, "报名", "投票", "讨论", "进程", "规则", "第", "——", "--"):
        title = title.split(word, 1)[0]
    return title.strip().rstrip(" -—·_|【［[（(") or read.threads[0].title or "新的一局"


def _settle_directors(read: Read, answers: Answers, asker: Asker | None) -> tuple[NewPlayer, ...]:
    openers = {told.opener.account: told.opener for told in read.threads}
    if answers.directors:
        return tuple(NewPlayer(name, name, openers[name].uid if name in openers else None) for name in answers.directors)
    names = list(openers)
    if asker is not None:
        typed = asker.text(phrase("导演的账号（几个就用逗号隔开）"), "，".join(names), names)
        names = [name.strip() for name in typed.replace("，", ",").split(",") if name.strip()]
    return tuple(NewPlayer(name, name, openers[name].uid if name in openers else None) for name in names)


def _settle_players(
    read: Read, answers: Answers, asker: Asker | None, directors: set[str]
) -> tuple[tuple[NewPlayer, ...], tuple[str, ...]]:
    """The roster, and what to look at: whoever posted without a word that says what he wants is nobody's guess."""
    found: dict[str, tuple[Poster, Told]] = {}
    for told in read.threads:
        for poster in told.players:
            found.setdefault(poster.account, (poster, told))
    left = {poster.account for told in read.threads for poster in told.left}
    doubtful = {poster.account: poster for told in read.threads for poster in told.unclear}
    unclear = doubtful.keys() - found.keys() - directors - left - {*answers.without}
    renamed = dict(_read_player(word) for word in answers.players)
    by_account = {account: name for name, account in renamed.items()}
    names = [account for account in found if account not in {*directors, *answers.without}]
    players = [
        NewPlayer(
            by_account.get(account, account),
            account,
            found[account][0].uid,
            f"{found[account][1].kind} {found[account][0].floor}",
        )
        for account in names
    ]
    players += [NewPlayer(name, account) for name, account in renamed.items() if account not in names]
    remarks = []
    if unclear:
        remarks.append(phrase("{names} 在报名帖里发过言，看不出是不是要玩，没有列入。", names=listing(sorted(unclear))))
    known = {word for player in players for word in (player.name, player.account)}
    strange = [name for name in dict.fromkeys(name for told in read.threads for name in told.named) if name not in known]
    if asker is not None:
        for account in sorted(unclear):
            if asker.confirm(phrase("{account} 要玩吗", account=account), False):
                players.append(NewPlayer(account, account, doubtful[account].uid, f"{Kind.SIGN_UP} {doubtful[account].floor}"))
        remarks.clear()
        if strange:
            players = [_ask_name(player, strange, asker) for player in players]
            known = {word for player in players for word in (player.name, player.account)}
            strange = [name for name in strange if name not in known]
    if strange:
        remarks.append(phrase("票里还写了 {names}：是谁的角色，就改他的 name 或 aliases。", names=listing(strange[:30])))
    if not players:
        raise UsageError(phrase("帖子里没有找到玩家。改法：用 --player 角色=账号 写出来，或给报名帖、投票帖的地址。"))
    return tuple(players), tuple(remarks)


def _ask_name(player: NewPlayer, strange: Sequence[str], asker: Asker) -> NewPlayer:
    name = asker.text(phrase("账号 {account} 的角色名（票上怎么写他）", account=player.account), player.name, strange).strip()
    return NewPlayer(name or player.name, player.account, player.uid, player.seen)


def _read_player(word: str) -> tuple[str, str]:
    name, _, account = word.replace("＝", "=").partition("=")
    return name.strip(), account.strip() or name.strip()


def _settle_days(
    read: Read, answers: Answers, ruleset: str, zone: ZoneInfo, asker: Asker | None
) -> tuple[tuple[NewDay, ...], tuple[str, ...]]:
    """A day for each vote thread: its number by the title, else one more than the one before; its close by the calendar."""
    length = find_length(ruleset, _plain_calendar())
    days: list[NewDay] = []
    notes: list[str] = []
    votes = sorted((told for told in read.threads if told.kind is Kind.VOTE), key=lambda told: (told.opened_at, told.tid))
    number = (answers.from_day or 1) - 1
    for told in votes:
        if told.day is None:
            notes.append(phrase("投票帖 {tid} 的标题没有写第几天，当作第 {number} 天。", tid=told.tid, number=number + 1))
        number = told.day if told.day is not None else number + 1
        if answers.from_day is not None and number < answers.from_day:
            continue
        opens = told.opened_at.astimezone(zone)
        closes = answers.closes.get(number) or (find_close(opens, length) if length is not None else None)
        if closes is None:
            asked = _need(asker, f"--closes {number}=2018-06-05T21:00", phrase("不知道第 {number} 天几时关门", number=number))
            closes = _ask_moment(asked, phrase("第 {number} 天几时关门（2018-06-05T21:00）", number=number), zone)
        others = {kind: [one.tid for one in read.threads if one.kind is kind and one.day == number] for kind in Kind}
        note = phrase("投票帖发出的时刻；关门照{by}", by=phrase("你写的") if number in answers.closes else phrase("规则的日历"))
        progress = others[Kind.PROGRESS][0] if others[Kind.PROGRESS] else None
        days.append(NewDay(number, opens, closes.astimezone(zone), told.tid, tuple(others[Kind.DISCUSSION]), progress, note))
    return tuple(sorted(days, key=lambda day: day.number)), tuple(notes)


def _plain_calendar() -> Calendar:
    return Calendar(None, None, (), None)


def _ask_moment(asker: Asker, question: str, zone: ZoneInfo) -> datetime:
    while True:
        try:
            moment = datetime.fromisoformat(asker.text(question).strip())
        except ValueError:
            continue
        return moment if moment.tzinfo is not None else moment.replace(tzinfo=zone)


def _settle_switches(ruleset: str, answers: Answers, asker: Asker | None) -> dict[str, object]:
    """The switches that a system has no default for, and those that every director should have thought about."""
    chosen = dict(answers.switches)
    for switch in find_ruleset(ruleset).switches:
        if switch.name in chosen:
            continue
        if switch.needed:
            asked = _need(asker, f"--switch {switch.name}={switch.choices[0]}", phrase("规则要你选：{what}", what=switch.meaning))
            chosen[switch.name] = asked.choose(_ask_switch(switch), switch.choices)
        elif switch.name in _ASKED and asker is not None:
            chosen[switch.name] = asker.confirm(_ask_switch(switch), switch.default is True)
    return chosen


def _ask_switch(switch: Switch) -> str:
    if not switch.clause:
        return switch.meaning
    return phrase("{meaning}（{clause}）", meaning=switch.meaning, clause=switch.clause)


def _settle_given(answers: Answers, names: Sequence[str], asker: Asker | None) -> Given | None:
    if answers.from_day is None:
        return None
    out, sheriff, chanted, used = answers.out, answers.sheriff, answers.chanted, answers.used
    if out is None:
        asked = _need(asker, "--out 饺子:投票,包子:杀人", phrase("从中间接手，要知道谁出局了（没有写 无）"))
        out = _split(asked.text(phrase("已出局的，按先后，名字:原因，用逗号隔开（没有就回车）"), "", names))
    if sheriff is None:
        asked = _need(asker, "--sheriff", phrase("从中间接手，要知道谁是警长（没有写 无）"))
        sheriff = asked.choose(phrase("警长是谁"), [phrase("无"), *names])
    if chanted is None:
        asked = _need(asker, "--chanted", phrase("从中间接手，要知道谁被吹笛（没有写 无）"))
        chanted = _split(asked.text(phrase("被吹笛的，用逗号隔开（没有就回车）"), "", names))
    if used is None:
        asked = _need(asker, "--used", phrase("从中间接手，要知道用掉了哪些技能（没有写 无）"))
        used = _split(asked.text(phrase("用掉的技能，如 女巫 救药，用逗号隔开（没有就回车）"), "", names))
    pairs = tuple(_read_out(word) for word in out)
    for name in (*(name for name, _ in pairs), *chanted, *answers.lovers, *([] if sheriff in ("", "无") else [sheriff])):
        if name not in names:
            raise UsageError(phrase("没有叫 {name!r} 的玩家。改法：写名单里的名字：{names}。", name=name, names=listing(names)))
    return Given(answers.from_day, pairs, "" if sheriff in ("", "无") else sheriff, chanted, used, answers.lovers, answers.lost)


def _read_out(word: str) -> tuple[str, str]:
    name, _, cause = word.replace("：", ":").partition(":")
    return name.strip(), cause.strip()


def _split(text: str) -> tuple[str, ...]:
    parts = (part.strip() for part in text.replace("，", ",").replace("、", ",").split(","))
    return tuple(part for part in parts if part and part != "无")


def _settle_zone(read: Read, answers: Answers, zone: ZoneInfo) -> tuple[str, tuple[str, ...]]:
    """The zone that the board prints, where it is not the game's."""
    if answers.forum_timezone is not None:
        return answers.forum_timezone, ()
    offset = (read.threads[0].opened_at.astimezone(zone).utcoffset() or timedelta(0)).total_seconds() / 3600
    if read.zone is None or read.zone == offset:
        return "", ()
    note = phrase("论坛页脚写的是 GMT{zone:+g}，不是 {name}：帖子的时刻照页脚的算。", zone=read.zone, name=answers.timezone)
    return name_zone(read.zone), (note,)


def name_zone(hours: float) -> str:
    """A zone of so many hours from UTC, by a name that every system has; UsageError for one of half hours."""
    if hours != int(hours):
        raise UsageError(
            phrase("论坛页脚写的是 GMT{hours:+g}，没有现成的名字。改法：加 --forum-timezone，如 Asia/Kolkata。", hours=hours)
        )
    return f"Etc/GMT{-int(hours):+d}" if hours else "Etc/GMT"


def list_next_steps(game: NewGame, path: Path) -> Iterator[str]:
    """What to do now."""
    yield f"bansha doctor {path}"
    if game.given is None and not game.days:
        yield f"bansha deal {path}{f' --people {path.with_name(PEOPLE)}' if game.people else ''}"
        yield f"bansha day {path} 1 --vote URL --opens TIME"
    else:
        yield f"bansha watch {path}"
