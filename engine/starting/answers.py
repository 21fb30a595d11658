"""What a director says of a new game on the command line, and what happens where he has not said it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from engine.asking import Asker
from scraper.errors import UsageError
from scraper.phrases import phrase


@dataclass(frozen=True, slots=True)
class Answers:
    """What the director said on the command line; None, or nothing, is what he left open.

    `players` are `name=account` or a name, `without` accounts that do not play, `closes` the closes of days by number.
    `characters` are names and accounts of the characters where those who signed up will play them. `vests` are those that votes
    may name. `souls` and `published` are facts of 断言 alone. `cookies` is a file as the game's folder sees it.
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
    souls: tuple[str, ...] | None = None
    published: tuple[str, ...] | None = None
    vests: tuple[str, ...] | None = None


def need(asker: Asker | None, option: str, what: str) -> Asker:
    """Whoever can be asked what is open; UsageError names the option where nobody can."""
    if asker is None:
        raise UsageError(phrase("{what}，没有终端，问不了。改法：加 {option}。", what=what, option=option))
    return asker
