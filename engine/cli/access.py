"""`login`: an account's session with the board, for boards that show their threads to members only."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from engine.cli.common import AsJson, print_json, say, warn_unprotected
from engine.cli.words import _
from engine.language import localize
from scraper.phrases import phrase

if TYPE_CHECKING:
    from http.cookiejar import CookieJar

    from scraper.client import Client

PASSWORD = "BANSHA_PASSWORD"
PASSWORD_NAME = phrase("密码")


def login(
    game: Annotated[str, typer.Argument(metavar="GAME|URL", help=_("game.toml 或它的文件夹；还没有的时候，写论坛的地址。"))],
    folder: Annotated[
        Path, typer.Option("--dir", metavar="FOLDER", help=_("写论坛地址时：cookie 放在哪个文件夹，和 init 的一样；默认这里。"))
    ] = Path(),
    user: Annotated[str | None, typer.Option("--user", metavar="NAME", help=_("论坛帐号；不写就问。"))] = None,
    question: Annotated[
        int, typer.Option("--question", metavar="N", min=0, help=_("安全提问在论坛列表里的序号；没有就不写。"))
    ] = 0,
    as_json: AsJson = False,
) -> None:
    """登录论坛，把 cookie 存在只有你能读的文件里。密码不回显，也可以放在环境变量 BANSHA_PASSWORD 里；只试一次。"""
    from engine.cli.boards import COOKIES, cookies_path, open_board, open_session
    from engine.game import load_game
    from engine.starting.beginning import make_folder
    from scraper.address import read_board
    from scraper.errors import UsageError

    if game.lower().startswith(("http://", "https://")):
        make_folder(folder)
        with open_board(read_board(game)) as client:
            _sign_in(client, folder / COOKIES, user, question, as_json=as_json)
        return
    if not (file := Path(game) / "game.toml" if Path(game).is_dir() else Path(game)).exists():
        raise UsageError(
            phrase(
                "{path}: 没有这个文件。改法：检查路径；还没有 game.toml 的时候，写论坛的地址："
                "bansha login https://bbs.example.net/ --dir 文件夹。",
                path=file,
            )
        )
    loaded = load_game(file, before_days=True)
    with open_session(loaded) as client:
        _sign_in(client, cookies_path(loaded), user, question, as_json=as_json)


def _sign_in(client: Client, path: Path, user: str | None, question: int, *, as_json: bool) -> None:
    name = user or _ask(phrase("帐号"), None)
    sign_in(client, path, name, question)
    if as_json:
        print_json({"board": client.board, "account": name, "cookies": str(path)})


def sign_in(client: Client, path: Path, user: str | None = None, question: int = 0) -> CookieJar:
    """Log in as an account of the board, asked for where it is not given, and keep its cookies in a file."""
    from scraper.cookies import save_cookies
    from scraper.login import login as log_in

    name = user or _ask(phrase("帐号"), None)
    password = _ask(PASSWORD_NAME, os.environ.get(PASSWORD), hidden=True)
    answer = _ask(phrase("安全提问的答案"), None, hidden=True) if question else ""
    jar = log_in(client, name, password, question=question, answer=answer)
    save_cookies(jar, path)
    say(phrase("bansha: 已登录 {url}，cookie 存在 {path}（谁拿到它，谁就能用这个帐号）。", url=client.board, path=path))
    warn_unprotected(path)
    return jar


def ask_secret(what: str, variable: str, *, twice: bool = False) -> str:
    """What the environment holds, else what is typed without being shown, twice where a slip would lock it away."""
    from scraper.errors import UsageError

    if given := os.environ.get(variable):
        return given
    if not sys.stdin.isatty():
        raise UsageError(phrase("没有终端，问不了{what}。改法：放在环境变量 {variable} 里。", what=what, variable=variable))
    again = localize(phrase("再输入一次{what}", what=what))
    typed: str = typer.prompt(localize(what), hide_input=True, confirmation_prompt=again if twice else False, err=True)
    return typed


def _ask(what: str, given: str | None, *, hidden: bool = False) -> str:
    """What was given, else what is typed; nobody is asked where there is no terminal."""
    from scraper.errors import UsageError

    if given:
        return given
    if not sys.stdin.isatty():
        fix = phrase("把它放在环境变量 {variable} 里", variable=PASSWORD) if what == PASSWORD_NAME else phrase("在终端里运行")
        raise UsageError(phrase("没有终端，问不了{what}。改法：{fix}。", what=what, fix=fix))
    typed: str = typer.prompt(localize(what), hide_input=hidden, err=True)
    return typed
