"""A seat that becomes a wolf in the night: its kills are void then, and what becomes of the seat's own card and camp."""

from __future__ import annotations

from engine.play.cards import give_card, is_wolf, skill_with
from engine.play.chain import SKILL_LOST, eliminate, try_conditions
from engine.play.deciding import decide
from engine.play.skillset import Effect, Kind
from engine.play.state import Draft
from scraper.phrases import phrase


def settle_infection(d: Draft) -> None:
    """发动感染时,当夜指杀无效: kills are dropped, and the target becomes a wolf, but on a shield."""
    if not d.infecting:
        return
    d.kills = ()
    acts, d.infecting = d.infecting, ()
    for act in acts:
        target = act.targets[0]
        if target in d.shielded or d.seats[target].cause:
            continue
        d.infected = True
        if not is_wolf(d, target):
            _turn(d, target)


def _turn(d: Draft, target: int) -> None:
    play, seat = d.table.play, d.seats[target]
    camp = play.wolves
    if seat.camp != play.village:
        # 与狼人们分享胜利 is written of villagers; of a seat with a goal of its own the post says nothing.
        own = seat.camp or "无阵营"
        answer = decide(
            d, "感染", (play.wolves, own), phrase("{name}属于{camp}，感染后属于哪个阵营", name=d.table.name(target), camp=own)
        )
        camp = "" if answer == "无阵营" else answer
    feigned = seat.feigned and skill_with(d, target, Effect.FEIGN) is not None
    give_card(d, target, d.table.of_kind(Kind.WOLF)[0], camp)
    if feigned:
        # 当白痴发动<装傻>避免出局以后，失去此技能时立即出局。
        eliminate(d, target, SKILL_LOST)
    try_conditions(d)
