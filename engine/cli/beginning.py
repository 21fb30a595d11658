"""`init`: a game file out of the threads of a game."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from engine.cli.common import AsJson, print_json
from engine.cli.words import _
from scraper.phrases import phrase

if TYPE_CHECKING:
    from datetime import datetime
    from zoneinfo import ZoneInfo

    from engine.starting.beginning import Answers, Read

Word = str | None


def init(
    urls: Annotated[list[str], typer.Argument(metavar="URL...", help=_("报名帖、投票帖、讨论帖的地址，有几个写几个。"))],
    folder: Annotated[Path, typer.Option("--dir", metavar="FOLDER", help=_("game.toml 放在哪个文件夹；默认这里。"))] = Path(),
    title: Annotated[Word, typer.Option("--title", metavar="TEXT", help=_("这一局的名字。"))] = None,
    ruleset: Annotated[Word, typer.Option("--ruleset", metavar="NAME", help=_("规则，如 m29、秘密数字杀。"))] = None,
    timezone: Annotated[str, typer.Option("--timezone", metavar="ZONE", help=_("这一局的时区。"))] = "Asia/Shanghai",
    forum_timezone: Annotated[
        str | None, typer.Option("--forum-timezone", metavar="ZONE", help=_("论坛显示的时区；不写就看页脚。"))
    ] = None,
    director: Annotated[
        list[str] | None, typer.Option("--director", metavar="ACCOUNT", help=_("导演的账号；可以写几次。"))
    ] = None,
    player: Annotated[
        list[str] | None,
        typer.Option("--player", metavar=_("角色=账号"), help=_("一名玩家：给找到的账号写角色名，或添一名；可以写几次。")),
    ] = None,
    characters: Annotated[
        Path | None,
        typer.Option("--characters", metavar="FILE", help=_("角色和账号的表：报名的人来演这些角色，由 deal 抽。")),
    ] = None,
    without: Annotated[
        list[str] | None, typer.Option("--without", metavar="ACCOUNT", help=_("不是玩家的账号；可以写几次。"))
    ] = None,
    switch: Annotated[
        list[str] | None, typer.Option("--switch", metavar="NAME=VALUE", help=_("规则的开关；可以写几次。"))
    ] = None,
    closes: Annotated[
        list[str] | None, typer.Option("--closes", metavar="N=TIME", help=_("第 N 天几时关门；可以写几次。"))
    ] = None,
    from_day: Annotated[int | None, typer.Option("--from-day", metavar="N", min=1, help=_("从第 N 天接手一局。"))] = None,
    out: Annotated[
        str | None, typer.Option("--out", metavar=_("名字:原因,…"), help=_("接手时已出局的，按先后；没有写 无。"))
    ] = None,
    sheriff: Annotated[Word, typer.Option("--sheriff", metavar="NAME", help=_("接手时的警长；没有写 无。"))] = None,
    chanted: Annotated[Word, typer.Option("--chanted", metavar=_("名字,…"), help=_("接手时被吹笛的；没有写 无。"))] = None,
    used: Annotated[
        str | None, typer.Option("--used", metavar=_("技能,…"), help=_("接手时用掉的，如 女巫 救药；没有写 无。"))
    ] = None,
    lovers: Annotated[
        str | None, typer.Option("--lovers", metavar=_("名字,名字"), help=_("接手时的情侣（写进 game.toml）。"))
    ] = None,
    lost: Annotated[Word, typer.Option("--lost", metavar=_("阵营,…"), help=_("接手时已判负的阵营。"))] = None,
    cookies: Annotated[str, typer.Option("--cookies", metavar="FILE", help=_("要登录才看得到时：浏览器导出的 cookies。"))] = "",
    interval: Annotated[float | None, typer.Option("--interval", metavar="SECONDS", help=_("两次请求之间隔几秒。"))] = None,
    as_json: AsJson = False,
) -> None:
    """读报名帖或投票帖，把名单、每一天、规则写成一份带注释的 game.toml；拿不准的问你。从不覆盖。"""
    from engine.cli.asking import make_asker
    from engine.report.lines import write_lines
    from engine.starting.beginning import Answers, list_next_steps, propose, save_game, save_people
    from engine.starting.people import read_characters
    from scraper.errors import UsageError

    path = folder / "game.toml"
    if path.exists():
        raise UsageError(phrase("{path}: 已经有了，不覆盖。改法：换一个文件夹（--dir），或先把它移走。", path=path))
    zone = _read_zone(timezone, "--timezone")
    answers = Answers(
        title=title,
        ruleset=ruleset,
        timezone=timezone,
        forum_timezone=forum_timezone,
        directors=tuple(director or ()),
        players=tuple(player or ()),
        without=tuple(without or ()),
        characters=read_characters(characters) if characters is not None else (),
        switches=dict(_read_switch(word) for word in switch or ()),
        closes=dict(_read_close(word, zone) for word in closes or ()),
        cookies=cookies,
        interval=interval,
        from_day=from_day,
        out=_split(out),
        sheriff=sheriff,
        chanted=_split(chanted),
        used=_split(used),
        lovers=_split(lovers) or (),
        lost=_split(lost) or (),
    )
    folder.mkdir(parents=True, exist_ok=True)
    read = _read(urls, folder, answers, as_json=as_json)
    game = propose(read, answers, make_asker() if not as_json else None)
    save_game(game, path)
    if game.people:
        save_people(game, folder)
    steps = list(list_next_steps(game, path))
    if as_json:
        print_json(
            {
                "path": str(path),
                "title": game.title,
                "ruleset": game.ruleset,
                "board": game.board,
                "directors": [one.account for one in game.directors],
                "players": [{"name": one.name, "account": one.account, "uid": one.uid, "seen": one.seen} for one in game.players],
                "days": [one.number for one in game.days],
                "remarks": [str(remark) for remark in game.remarks],
                "next": [*steps],
            }
        )
        return
    players, days = len(game.players), len(game.days)
    write_lines(
        (
            phrase("{path}：{title}，{players} 名玩家，{days} 天。", path=path, title=game.title, players=players, days=days),
            *(phrase("请看一下：{remark}", remark=remark) for remark in game.remarks),
            phrase("接下来："),
            *(phrase("  {line}", line=step) for step in steps),
        )
    )


def _read(urls: list[str], folder: Path, answers: Answers, *, as_json: bool) -> Read:
    """Look at the threads, and keep what was seen in the database of the game to be."""
    from datetime import timedelta
    from zoneinfo import ZoneInfo

    from engine.cli.boards import interruptible, read_manners
    from engine.cli.progress import Watch
    from engine.counting import name_board
    from engine.language import load_catalogue
    from engine.starting.beginning import fetch_threads, name_zone, read_stored
    from scraper.address import read_board
    from scraper.archive import Archive
    from scraper.client import Client
    from scraper.cookies import read_cookies
    from scraper.pace import utc_now

    board = read_board(urls[0])
    jar = read_cookies(folder / answers.cookies, board) if answers.cookies else None
    database = folder / "game.db"
    zone = ZoneInfo(answers.forum_timezone or answers.timezone)
    with (
        Client(board, settings=read_manners(answers.interval), cookies=jar) as client,
        Archive.open(database, board=name_board(client.board), zone=zone, lookup=load_catalogue("zh")) as archive,
        Watch(0) as watch,
        interruptible(watch),
    ):
        tids = fetch_threads(urls, archive, client, clock=utc_now, watcher=watch)
        read = read_stored(tids, archive, client.board)
    offset = read.threads[0].opened_at.utcoffset()
    if answers.forum_timezone is None and None not in (read.zone, offset) and timedelta(hours=read.zone or 0) != offset:
        with Archive.open(database, board=name_board(board), zone=ZoneInfo(name_zone(read.zone or 0))) as archive:
            return read_stored(tids, archive, read.board)
    return read


def _split(text: str | None) -> tuple[str, ...] | None:
    if text is None:
        return None
    parts = (part.strip() for part in text.replace("，", ",").replace("、", ",").split(","))
    return tuple(part for part in parts if part and part != "无")


def _read_zone(name: str, option: str) -> ZoneInfo:
    from zoneinfo import ZoneInfo

    from scraper.errors import UsageError

    try:
        return ZoneInfo(name)
    except (KeyError, OSError, ValueError):
        raise UsageError(phrase("{option}: 没有 {name!r} 这个时区。改法：如 Asia/Shanghai。", option=option, name=name)) from None


def _read_switch(word: str) -> tuple[str, object]:
    from scraper.errors import UsageError

    name, mark, value = word.partition("=")
    if not mark:
        raise UsageError(phrase("--switch {word!r} 没有值。改法：写成 --switch votes.publicity=G。", word=word))
    plain: dict[str, object] = {"true": True, "false": False}
    if value.lower() in plain:
        return name.strip(), plain[value.lower()]
    return name.strip(), int(value) if value.isascii() and value.isdigit() else value.strip()


def _read_close(word: str, zone: ZoneInfo) -> tuple[int, datetime]:
    from datetime import datetime

    from scraper.errors import UsageError

    number, _, text = word.partition("=")
    try:
        moment = datetime.fromisoformat(text.strip())
        return int(number), moment if moment.tzinfo is not None else moment.replace(tzinfo=zone)
    except ValueError:
        raise UsageError(phrase("--closes {word!r} 读不懂。改法：写成 --closes 2=2018-06-05T21:00。", word=word)) from None
