"""`login`: an account's session with the board, for boards that show their threads to members only."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from engine.cli.common import GamePath, say
from engine.cli.words import _
from engine.language import localize
from scraper.phrases import phrase

PASSWORD = "BANSHA_PASSWORD"
PASSWORD_NAME = phrase("密码")


def login(
    game: GamePath,
    user: Annotated[str | None, typer.Option("--user", metavar="NAME", help=_("论坛帐号；不写就问。"))] = None,
    question: Annotated[
        int, typer.Option("--question", metavar="N", min=0, help=_("安全提问在论坛列表里的序号；没有就不写。"))
    ] = 0,
) -> None:
    """登录论坛，把 cookie 存在只有你能读的文件里。密码不回显，也可以放在环境变量 BANSHA_PASSWORD 里；只试一次。"""
    from engine.cli.boards import cookies_path, open_session
    from engine.game import load_game
    from scraper.cookies import save_cookies
    from scraper.login import login as log_in

    loaded = load_game(game, before_days=True)
    path = cookies_path(loaded)
    with open_session(loaded) as client:
        name = user or _ask(phrase("帐号"), None)
        password = _ask(PASSWORD_NAME, os.environ.get(PASSWORD), hidden=True)
        answer = _ask(phrase("安全提问的答案"), None, hidden=True) if question else ""
        save_cookies(log_in(client, name, password, question=question, answer=answer), path)
    say(
        phrase(
            "bansha: 已登录 {url}，cookie 存在 {path}（只有你能读；谁拿到它，谁就能用这个帐号）。",
            url=loaded.forum.url,
            path=path,
        )
    )


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
