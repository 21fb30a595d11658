"""`bansha init`: the threads are read into the archive of the game to be, what they tell is proposed, what is open is asked."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from engine.asking import Asker
from engine.game import load_game
from engine.polling import Target, Watcher, poll_target
from engine.privatefile import save_private
from engine.report.safe import defuse, show
from engine.ruleset import RuleSet
from engine.rulesets import BUILT, UnknownRuleSet, find_ruleset
from engine.secrets import FILE as SECRETS
from engine.starting.answers import Answers, need
from engine.starting.newgame import NewGame, NewPlayer, toml_text, write_game
from engine.starting.opendays import settle_days
from engine.starting.roster import settle_roster
from engine.starting.takeover import check_given, settle_given, split_words
from engine.starting.threads import Kind, Told, find_system, read_thread
from engine.switches import Switch
from engine.votekeys import needs_thread
from scraper.address import read_thread as read_address
from scraper.errors import GameFileError, UsageError
from scraper.phrases import Phrase, listing, phrase
from scraper.schedule import WHOLE, Span
from tally.policy import TargetKind

if TYPE_CHECKING:
    from scraper.archive import Archive
    from scraper.client import Client

# Who signed up, where others are the characters.
PEOPLE = "people.csv"
_NEVER = datetime.fromisoformat("1970-01-01T00:00:00+00:00")
# Asked though it has a default: players elsewhere call the other answer a fault.
_ASKED = ("win.defer_for_pending_shot",)


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
    ruleset = find_ruleset(_settle_ruleset(read, answers, asker))
    title = (answers.title or "").strip() or show(_propose_title(read))
    if asker is not None and answers.title is None:
        title = asker.text(phrase("这一局叫什么"), title).strip() or title
    directors = _settle_directors(read, answers, asker)
    players, people, remarks = _settle_people(read, answers, ruleset, {one.account for one in directors}, asker)
    zone = ZoneInfo(answers.timezone)
    days, notes = settle_days(read.threads, answers, ruleset, zone, asker)
    given = settle_given(answers, ruleset, [player.name for player in players], asker)
    forum_zone, told = _settle_zone(read, answers, zone)
    return NewGame(
        title=title,
        ruleset=ruleset.id,
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
        vests=_settle_vests(answers, ruleset, len(players), asker, needed=bool(days)),
        remarks=(*remarks, *notes, *told),
    )


def _settle_people(
    read: Read, answers: Answers, ruleset: RuleSet, directors: set[str], asker: Asker | None
) -> tuple[tuple[NewPlayer, ...], tuple[NewPlayer, ...], tuple[str, ...]]:
    """The players; the people who will play them, where the director has a list of characters; what to look at."""
    named = ruleset.vote.target in (TargetKind.CHARACTER, TargetKind.SEAT)
    threads = read.threads if named else tuple(replace(told, named=()) for told in read.threads)
    if not answers.characters:
        roster = settle_roster(threads, answers.players, answers.without, directors, asker)
        return roster.players, (), roster.remarks
    players = tuple(NewPlayer(name, account) for name, account in answers.characters)
    signed = [told for told in threads if told.kind is Kind.SIGN_UP]
    if not signed and not answers.players:
        return players, (), ()
    # Of people everything goes but what the file wants of a name: they are no seats of it.
    roster = settle_roster(signed, answers.players, answers.without, directors, asker, seats=False)
    remarks = roster.remarks
    if len(roster.players) != len(players):
        differ = phrase("报名 {people} 人，角色 {players} 个。", people=len(roster.players), players=len(players))
        remarks += (differ,)
    return players, roster.players, remarks


def _settle_vests(answers: Answers, ruleset: RuleSet, players: int, asker: Asker | None, *, needed: bool) -> tuple[str, ...]:
    """The vests that votes may name; where a day is there already they must be known, else the deal brings them."""
    vests = answers.vests
    if ruleset.vote.target is not TargetKind.VEST:
        if vests is not None:
            raise UsageError(phrase("{option}: 这套规则里没有。改法：删去它。", option="--vests"))
        return ()
    if vests is None and needed:
        asked = need(asker, "--vests 甲,乙", phrase("票上写的是马甲，要知道有哪些马甲"))
        vests = split_words(asked.text(phrase("全部的马甲，用逗号隔开（顺序和谁是谁无关）")))
    vests = tuple(vest for vest in vests or ())
    if vests and len({*vests}) != players:
        raise UsageError(
            phrase("马甲 {vests} 个，玩家 {players} 名。改法：--vests 里一名玩家一个马甲。", vests=len({*vests}), players=players)
        )
    return vests


def save_game(game: NewGame, path: Path) -> None:
    """Write the file, where there is none; UsageError where there is, or where it would not load."""
    if path.exists():
        raise already_there(path)
    if game.people and (path.parent / PEOPLE).exists():
        raise already_there(path.parent / PEOPLE)
    text = write_game(game)
    try:
        with TemporaryDirectory(dir=path.parent, prefix=".bansha-") as folder:
            draft = Path(folder) / path.name
            draft.write_text(text, encoding="utf-8", newline="\n")
            _check(draft)
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        raise already_there(path) from None
    except OSError as error:
        raise UsageError(phrase("{path}: 写不进去（{why}）。改法：换一个能写的位置。", path=path, why=error.strerror)) from None


def _check(draft: Path) -> None:
    """Read the file as every other command will; what it has wrong is told without a place, as there is no file."""
    try:
        check_given(load_game(draft, before_days=True))
    except GameFileError as error:
        told = error.args[0].parameters if error.args and isinstance(error.args[0], Phrase) else {}
        if not {"key", "problem", "fix"} <= told.keys():
            raise
        raise UsageError(
            phrase(
                "写不成 game.toml（什么也没有写）：{key}{problem}。改法：{fix}。",
                key=told["key"],
                problem=told["problem"],
                fix=told["fix"],
            )
        ) from None


def already_there(path: Path) -> UsageError:
    """The error of a file that is there, and that nothing overwrites."""
    return UsageError(phrase("{path}: 已经有了，不覆盖。改法：换一个文件夹（--dir），或先把它移走。", path=path))


def make_folder(folder: Path) -> None:
    """Make the folder of the game to be, or take one that is there. UsageError where it cannot be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(
            phrase("{folder}: 建不了文件夹（{why}）。改法：换一个能写的位置（--dir）。", folder=folder, why=error.strerror)
        ) from None


def save_people(game: NewGame, folder: Path) -> None:
    """Write who signed up beside the file, for the deal: one a line, with his uid."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(("玩家", "uid"))
    writer.writerows((defuse(one.account), one.uid or "") for one in game.people)
    path = folder / PEOPLE
    if path.exists():
        raise already_there(path)
    path.write_bytes(codecs.BOM_UTF8 + text.getvalue().encode())


def _settle_ruleset(read: Read, answers: Answers, asker: Asker | None) -> str:
    if answers.ruleset is not None:
        try:
            return find_ruleset(answers.ruleset).id
        except UnknownRuleSet as unknown:
            raise UsageError(phrase("--ruleset: {problem}。改法：{fix}。", problem=unknown.problem, fix=unknown.fix)) from None
    found = find_system(read.texts)
    if asker is None and found is not None:
        return found
    asked = need(asker, "--ruleset", phrase("看不出是哪套规则"))
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
    names = list(answers.directors or openers)
    if asker is not None and not answers.directors:
        typed = asker.text(phrase("导演的账号（几个就用逗号隔开）"), "，".join(names), names)
        names = [name.strip() for name in typed.replace("，", ",").split(",") if name.strip()]
    return tuple(NewPlayer(name, name, openers[name].uid if name in openers else None) for name in dict.fromkeys(names))


def _settle_switches(ruleset: RuleSet, answers: Answers, asker: Asker | None) -> dict[str, object]:
    """The switches that a system has no default for, and those that every director should have thought about."""
    chosen = dict(answers.switches)
    if wanted := [switch for switch in ruleset.switches if switch.needed and switch.name not in chosen]:
        # All of them at once: a director without a terminal is not sent away for each.
        options = " ".join(f"--switch {switch.name}={switch.choices[0]}" for switch in wanted)
        need(asker, options, phrase("规则要你选：{what}", what=listing(switch.meaning for switch in wanted)))
    for switch in ruleset.switches:
        if switch.name in chosen:
            continue
        if asker is None:
            continue
        if switch.needed:
            chosen[switch.name] = asker.choose(_ask_switch(switch), switch.choices)
        elif switch.name in _ASKED:
            chosen[switch.name] = asker.confirm(_ask_switch(switch), switch.default is True)
    return chosen


def _ask_switch(switch: Switch) -> str:
    if not switch.clause:
        return switch.meaning
    return phrase("{meaning}（{clause}）", meaning=switch.meaning, clause=switch.clause)


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


def list_next_steps(game: NewGame, folder: Path) -> Iterator[str]:
    """What to do now, as commands that can be copied."""
    here = quote(str(folder))
    yield f"bansha doctor {here}"
    if game.given is not None:
        yield phrase("在 {path} 写上每人的身份（只计票就不用）", path=folder / SECRETS)
        number = game.given.day
    else:
        number = 1
    if not game.days and game.given is None:
        people = f" --people {quote(str(folder / PEOPLE))}" if game.people else ""
        yield f"bansha deal {here}{people}"
    if not game.days:
        vote = "--vote URL " if needs_thread(find_ruleset(game.ruleset).vote) else ""
        yield f"bansha day {here} {number} {vote}--opens TIME"
    else:
        yield f"bansha watch {here}"


def quote(text: str) -> str:
    """A path as every shell takes it: in quotes where it holds more than plain signs."""
    return text if re.fullmatch(r"[\w./\\:~+-]+", text) else f'"{text}"'


def save_blank_secrets(game: NewGame, folder: Path) -> None:
    """A secrets.toml to fill in, for a game that was dealt elsewhere; one that is there stays."""
    path = folder / SECRETS
    if path.exists():
        return
    ruleset = find_ruleset(game.ruleset)
    lines = [
        "# 只有导演能看。不要发给任何人，不要放进网盘。",
        "# 从中间接手：去掉每人 role 前面的 #，写上他的身份。只计票就不用写。",
        f"# 身份有：{'、'.join(role.name for role in ruleset.roles)}。",
        '# seed = "…"   # 开局时的种子，有就写',
    ]
    for player in game.players:
        lines += ["", "[[player]]", f"name   = {toml_text(player.name)}", '# role   = "…"']
        if ruleset.vote.target is TargetKind.NUMBER:
            lines.append("# number = 1   # 秘密数字")
        if ruleset.vote.target is TargetKind.VEST:
            lines.append('# vest   = "…"   # 马甲')
    save_private(path, "".join(f"{line}\n" for line in lines).encode())
