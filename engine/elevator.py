"""电梯楼: the second floor of each day's thread, where a click on a character shows what he alone has said that day.

为了方便各位玩家爬楼，每个讨论日的二楼将设电梯楼。点击电梯楼中任一角色的ID可以只看到这名角色当天所有发言。
(秘密数字杀 · 用语定义 · 电梯)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.game import Game
from engine.play.draws import shuffle
from engine.report.templating import Code, Template, render
from scraper.address import Family, author_url
from tally.day import Day
from tally.policy import TargetKind

if TYPE_CHECKING:
    from scraper.archive import Archive

TITLE = "电梯楼：点名字，只看这名角色在本帖的发言"
# What the seed is asked for where the order is drawn.
PURPOSE = "电梯楼 顺序"


@dataclass(frozen=True, slots=True)
class Elevator:
    """The floor to paste, and the characters without a link: nobody knows the uid of their accounts yet."""

    text: str
    unknown: tuple[str, ...] = ()


def write_elevator(
    game: Game, threads: Sequence[int], riders: Sequence[str], uids: Mapping[str, int], family: Family = Family.X
) -> Elevator:
    """The floor for these characters, in their order, from the template `elevator`; several threads have a list each."""
    links = {
        tid: {name: Code(author_url(game.forum.url, tid, uids[name], family=family)) for name in riders if name in uids}
        for tid in threads
    }
    floors = [{"tid": tid, "riders": [{"name": name, "link": links[tid].get(name, "")} for name in riders]} for tid in threads]
    text = render(Template.ELEVATOR, game, title=TITLE, threads=floors)
    return Elevator(text, tuple(name for name in riders if name not in uids))


def find_gone(game: Game, day: Day) -> set[str]:
    """Who is out as a day opens, by what the file says of it and of the days before: nobody comes back."""
    earlier = {out.name for one in game.days if one.number < day.number for out in one.out}
    return earlier | {out.name for out in day.out if out.at is None}


def list_riders(game: Game, day: Day) -> tuple[str, ...]:
    """The characters who are in as the day opens, in the order of the elevator; those it does not name follow as in game.toml.

    Where a vest is voted for every account has its place: 出局的马甲均不公示其身份.
    """
    veiled = game.ruleset.vote.target is TargetKind.VEST
    gone = set[str]() if veiled else find_gone(game, day)
    order = (*game.elevator, *(seat.name for seat in game.roster.seats if seat.name not in game.elevator))
    return tuple(name for name in order if name not in gone)


def draw_order(game: Game) -> tuple[str, ...]:
    """An order of the elevator that follows from the game's seed."""
    return tuple(shuffle(game.secrets.seed, PURPOSE, sorted(seat.name for seat in game.roster.seats)))


def save_order(game: Game, order: Sequence[str]) -> None:
    """Write the order into game.toml; GameFileError for a name that is nobody's."""
    from engine.game import load_game
    from engine.gamewriting import set_keys

    set_keys(game.path, {("game", "elevator"): list(order)}, check=lambda path: load_game(path, before_days=True))


def find_uids(game: Game, archive: Archive | None) -> dict[str, int]:
    """The uid of each character's account: game.toml's, else the one under which the account was seen posting.

    Where a substitute has taken over, it is the last account's.
    """
    seen: dict[str, int] = {}
    for tid in sorted(_list_threads(game.days)) if archive is not None else ():
        assert archive is not None
        for history in archive.fetch_histories(tid):
            if history.uid is not None:
                seen[history.author] = history.uid
    found: dict[str, int] = {}
    for seat in game.roster.seats:
        account = seat.accounts[-1]
        uid = account.uid if account.uid is not None else seen.get(account.name)
        if uid is not None:
            found[seat.name] = uid
    return found


def _list_threads(days: Iterable[Day]) -> set[int]:
    return {tid for day in days for tid in (day.vote, day.progress or 0, *day.discussion) if tid}
