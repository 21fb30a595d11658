"""`init`: a game file out of the threads of a game."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from engine.cli.common import AsJson, print_json, say
from engine.cli.words import _
from scraper.phrases import phrase

if TYPE_CHECKING:
    from datetime import datetime
    from http.cookiejar import CookieJar
    from zoneinfo import ZoneInfo

    from engine.asking import Asker
    from engine.starting.answers import Answers
    from engine.starting.beginning import Read

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
    souls: Annotated[
        Word, typer.Option("--souls", metavar=_("名字,…"), help=_("断言，接手时进入灵魂状态的；没有写 无。"))
    ] = None,
    published: Annotated[
        Word, typer.Option("--published", metavar=_("名字,…"), help=_("断言，接手时公示了身份的；没有写 无。"))
    ] = None,
    vests: Annotated[Word, typer.Option("--vests", metavar=_("马甲,…"), help=_("马甲杀：投票可以写的全部马甲。"))] = None,
    cookies: Annotated[
        Path | None,
        typer.Option(
            "--cookies", metavar="FILE", help=_("要登录才看得到时：浏览器导出的 cookies；用 bansha login 登录过就不用写。")
        ),
    ] = None,
    interval: Annotated[float | None, typer.Option("--interval", metavar="SECONDS", help=_("两次请求之间隔几秒。"))] = None,
    as_json: AsJson = False,
) -> None:
    """读报名帖或投票帖，把名单、每一天、规则写成一份带注释的 game.toml；拿不准的问你。从不覆盖。"""
    from engine.asking import Stopped
    from engine.cli.asking import make_asker
    from engine.cli.boards import INTERRUPTED
    from engine.report.lines import write_lines
    from engine.starting.answers import Answers
    from engine.starting.beginning import (
        already_there,
        list_next_steps,
        make_folder,
        propose,
        save_blank_secrets,
        save_game,
        save_people,
    )
    from engine.starting.people import read_characters
    from engine.starting.takeover import split_words

    path = folder / "game.toml"
    if path.exists():
        raise already_there(path)
    zone = _read_zone(timezone, "--timezone")
    if forum_timezone is not None:
        _read_zone(forum_timezone, "--forum-timezone")
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
        interval=interval,
        from_day=from_day,
        out=split_words(out) if out is not None else None,
        sheriff=sheriff,
        chanted=split_words(chanted) if chanted is not None else None,
        used=split_words(used) if used is not None else None,
        lovers=split_words(lovers or ""),
        lost=split_words(lost or ""),
        souls=split_words(souls) if souls is not None else None,
        published=split_words(published) if published is not None else None,
        vests=split_words(vests) if vests is not None else None,
    )
    make_folder(folder)
    asker = make_asker() if not as_json else None
    try:
        read, kept = _read(urls, folder, answers, cookies, asker)
        game = propose(read, replace(answers, cookies=kept), asker)
    except Stopped:
        say(phrase("bansha: 停下了，没有写 game.toml；再运行一次就从头问。"))
        raise typer.Exit(INTERRUPTED) from None
    save_game(game, path)
    if game.people:
        save_people(game, folder)
    if game.given is not None:
        save_blank_secrets(game, folder)
    steps = list(list_next_steps(game, folder))
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


def _read(urls: list[str], folder: Path, answers: Answers, cookies: Path | None, asker: Asker | None) -> tuple[Read, str]:
    """Look at the threads, and keep what was seen in the database of the game to be; with it, where cookies are kept."""
    from scraper.address import read_board
    from scraper.cookies import read_cookies
    from scraper.errors import LoginWallError, SessionEndedError

    board = read_board(urls[0])
    file = cookies or _find_cookies(folder, board)
    jar = read_cookies(file, board) if file is not None else None
    try:
        return _look(urls, board, folder, answers, jar), _name_cookies(file, folder)
    except (LoginWallError, SessionEndedError) as error:
        from engine.cli.access import sign_in
        from engine.cli.boards import COOKIES, open_board
        from engine.starting.beginning import quote

        if asker is None or not asker.confirm(phrase("这个论坛要登录才看得到帖子。现在登录吗"), True):
            step = f"bansha login {board} --dir {quote(str(folder))}"
            raise type(error)(phrase("{error} 先登录：{step}，再来一次。", error=error, step=step), error.response) from None
        with open_board(board, interval=answers.interval) as client:
            jar = sign_in(client, folder / COOKIES)
        return _look(urls, board, folder, answers, jar), ""


def _find_cookies(folder: Path, board: str) -> Path | None:
    """The cookies of a login that was made before there is a game: in its folder, else here."""
    from engine.cli.boards import COOKIES
    from scraper.cookies import has_login, read_cookies
    from scraper.errors import CookieFileError

    if (folder / COOKIES).exists():
        return folder / COOKIES
    here = Path(COOKIES)
    try:
        return here if here.exists() and has_login(read_cookies(here, board), board) else None
    except CookieFileError:
        # A file of another board: nobody has said that it is meant.
        return None


def _name_cookies(file: Path | None, folder: Path) -> str:
    """How game.toml names a file of cookies; "" for the one that is looked for without being named."""
    from engine.cli.boards import COOKIES

    if file is None or file.resolve() == (folder / COOKIES).resolve():
        return ""
    inside = file.resolve().is_relative_to(folder.resolve())
    return (file.resolve().relative_to(folder.resolve()) if inside else file.resolve()).as_posix()


def _look(urls: list[str], board: str, folder: Path, answers: Answers, jar: CookieJar | None) -> Read:
    from datetime import timedelta
    from zoneinfo import ZoneInfo

    from engine.cli.boards import interruptible, open_board
    from engine.cli.progress import Watch
    from engine.counting import name_board
    from engine.language import load_catalogue
    from engine.starting.beginning import fetch_threads, name_zone, read_stored
    from scraper.archive import Archive
    from scraper.pace import utc_now

    database = folder / "game.db"
    zone = ZoneInfo(answers.forum_timezone or answers.timezone)
    with (
        open_board(board, interval=answers.interval, cookies=jar) as client,
        Archive.open(database, board=name_board(client.board), zone=zone, lookup=load_catalogue("zh")) as archive,
        Watch() as watch,
        interruptible(watch),
    ):
        tids = fetch_threads(urls, archive, client, clock=utc_now, watcher=watch)
        read = read_stored(tids, archive, client.board)
    offset = read.threads[0].opened_at.utcoffset()
    if answers.forum_timezone is None and None not in (read.zone, offset) and timedelta(hours=read.zone or 0) != offset:
        with Archive.open(database, board=name_board(board), zone=ZoneInfo(name_zone(read.zone or 0))) as archive:
            return read_stored(tids, archive, read.board)
    return read


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
    if value.strip().startswith("["):
        return name.strip(), [part.strip().strip("\"'") for part in value.strip().strip("[]").split(",") if part.strip()]
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
