"""晨报: whom a morning report is about, and a skeleton for those who write it (`morningcheck` reads what they wrote).

契合剧本与当天公示的出局玩家、被吹笛的玩家，以故事的形式阐述并展示给大家，但不能透露游戏流程相关信息。(秘密数字杀 · 晨报)

A skeleton holds nothing that the opening of the day does not publish.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.announcing.moments import Moment, has_opened, sort_messages
from engine.ledger import Phase, PhaseKind
from engine.play.messages import Told
from scraper.errors import UsageError
from scraper.phrases import phrase
from tally.policy import TargetKind

if TYPE_CHECKING:
    from engine.announcing.announce import Desk
    from engine.play.state import GameState

RULE = "契合剧本与当天公示的出局玩家、被吹笛的玩家，以故事的形式阐述并展示给大家，但不能透露游戏流程相关信息。"


@dataclass(frozen=True, slots=True)
class Cast:
    """Whom a day's morning report is about, as the opening publishes them: who is out, in order, the chanted, new souls."""

    day: int
    out: tuple[str, ...]
    chanted: tuple[str, ...]
    souls: tuple[str, ...] = ()


def read_cast(desk: Desk, day: int) -> Cast:
    """Whom the opening of a day publishes. UsageError where the game has not come to it."""
    game = desk.game
    if desk.played is None:
        found = game.day(day)
        if found is None:
            raise _not_yet(desk, day)
        veiled = game.ruleset.vote.target is TargetKind.VEST
        gone = (found.targets_out or ()) if veiled else found.out
        before = game.day(day - 1)
        earlier = {out.name for out in ((before.targets_out or ()) if veiled else before.out)} if before is not None else set()
        return Cast(day, tuple(out.name for out in gone if out.name not in earlier), () if veiled else tuple(found.chanted))
    table = open_day(desk, day).table
    call = table.vest if table.play.vests else table.name
    found_in: dict[Told, dict[str, None]] = {Told.OUT: {}, Told.CHANTED: {}, Told.SOULS: {}}
    for public in sort_messages(desk.played, desk.opens):
        told = Told.OUT if public.message.told is Told.DAY_OPENS else public.message.told
        if (public.moment, public.day) == (Moment.OPENING, day) and told in found_in:
            name = call if told is Told.OUT else table.name
            found_in[told].update(dict.fromkeys(name(seat) for seat in public.message.seats))
    return Cast(day, *(tuple(names) for names in found_in.values()))


def write_skeleton(cast: Cast, title: str) -> str:
    """A text to write on from: whom to tell of, and what the rule asks; nothing else."""
    lines = [f"{title} 晨报 · 第 {cast.day} 天", "", f"（{RULE}）", ""]
    for names, what in ((cast.out, "出局"), (cast.souls, "进入灵魂状态"), (cast.chanted, "被吹笛")):
        lines += [line for name in names for line in (f"{name}：{what}。", "（他的一段）", "")]
    if not cast.out and not cast.chanted and not cast.souls:
        lines += ["（没有人出局，也没有人被吹笛。）", ""]
    return "\n".join(lines)


def open_day(desk: Desk, day: int) -> GameState:
    """The state as a day opens, of a game that the ledger runs. UsageError where it has not come to it."""
    assert desk.played is not None
    if not has_opened(desk.played, day):
        raise _not_yet(desk, day)
    # A day that one line opened and closed is in no state: it opened with what held before.
    phase = Phase(PhaseKind.DAY, day)
    earlier = [one for one in desk.played.states if one.phase.number < day]
    return next((one for one in desk.played.states if one.phase == phase), earlier[-1] if earlier else desk.played.states[0])


def _not_yet(desk: Desk, day: int) -> UsageError:
    return UsageError(
        phrase("{path}: 第 {day} 天还没有开门。改法：先记完前一夜（bansha night），或改 --day。", path=desk.game.path, day=day)
    )
