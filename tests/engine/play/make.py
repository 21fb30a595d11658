"""Games for tests in few words: a table, a start, lines as a director writes them."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from engine.ledger import parse_ledger
from engine.play.acts import apply
from engine.play.fold import Folded, fold
from engine.play.messages import PUBLIC
from engine.play.order import Order, read_order
from engine.play.refusal import Refused
from engine.play.start import Given, start
from engine.play.state import Draft, GameState
from engine.play.table import Player, Table, make_table
from engine.play.wording import say
from engine.ruleset import RuleSet
from engine.rulesets.assertion import ASSERTION
from engine.rulesets.m29 import M29
from engine.rulesets.secret_number import SECRET_NUMBER
from engine.rulesets.table import TABLE
from engine.rulesets.vest import VEST
from engine.simulate import rules_of
from engine.switches import Value

FOURTEEN = {
    **dict.fromkeys(("民甲", "民乙", "民丙", "民丁"), "村民"),
    **dict.fromkeys(("狼甲", "狼乙", "狼丙", "狼丁"), "狼人"),
    **dict.fromkeys(("血甲", "血乙", "血丙", "血丁"), "吸血鬼"),
    **dict.fromkeys(("笛甲", "笛乙"), "吹笛者"),
}
ZONE = ZoneInfo("Asia/Shanghai")

TWELVE = {
    "狼甲": "狼人",
    "狼乙": "狼人",
    "狼丙": "狼人",
    "女巫": "女巫",
    "替罪羊": "替罪羊",
    "预言": "预言",
    "吹笛者": "吹笛者",
    "丘比特": "丘比特",
    "民甲": "村民",
    "民乙": "村民",
    "民丙": "村民",
    "民丁": "村民",
}
# Numbers follow the order: 狼甲 is 1, 民丁 is 15.
FIFTEEN = {
    "狼甲": "狼人",
    "狼乙": "狼人",
    "狼丙": "狼人",
    "女巫": "女巫",
    "预言家": "预言家",
    "守卫": "守卫",
    "长老": "长老",
    "猎人": "猎人",
    "白痴": "白痴",
    "吹笛者": "吹笛者",
    "丘比特": "丘比特",
    "民甲": "村民",
    "民乙": "村民",
    "民丙": "村民",
    "民丁": "村民",
}


# As the post deals eighteen. The vest of 先知 is 甲, that of 民四 is 未.
EIGHTEEN = {
    "先知": "先知",
    "女巫": "女巫",
    "守卫": "守卫",
    "长老": "长老",
    "猎人": "猎人",
    "白痴": "白痴",
    "爱神": "爱神",
    "吹笛": "吹笛",
    "白狼": "白狼",
    "狼一": "狼人",
    "狼二": "狼人",
    "狼三": "狼人",
    "狼四": "狼人",
    "狼五": "狼人",
    "民一": "村民",
    "民二": "村民",
    "民三": "村民",
    "民四": "村民",
}
VESTS = "甲乙丙丁戊己庚辛壬癸子丑寅卯辰巳午未"


def seat_players(roles: dict[str, str], *, numbers: bool = False, games: dict[str, int] | None = None) -> tuple[Player, ...]:
    """Players by name and role, numbered in their order where the rules have numbers."""
    return tuple(
        Player(name, role, place if numbers else None, games=(games or {}).get(name))
        for place, (name, role) in enumerate(roles.items(), 1)
    )


def make(
    ruleset: RuleSet,
    roles: dict[str, str] | None = None,
    switches: dict[str, Value] | None = None,
    *,
    seed: str = "seed",
    games: dict[str, int] | None = None,
) -> Table:
    """A table of a rule system: M29's twelve, fifteen of 秘密数字杀, fourteen of 断言, unless other roles are named."""
    numbers = ruleset is SECRET_NUMBER
    roles = roles or (FIFTEEN if numbers else FOURTEEN if ruleset is ASSERTION else TWELVE)
    return make_table(rules_of(ruleset, switches), seat_players(roles, numbers=numbers, games=games), seed)


def m29(given: Given | None = None, **switches: Value) -> GameState:
    """A game of M29's twelve at its start, or in the middle."""
    return start(make(M29, switches=_dotted(switches)), given)


def numbers(given: Given | None = None, **switches: Value) -> GameState:
    """A game of fifteen of 秘密数字杀."""
    return start(make(SECRET_NUMBER, switches=_dotted(switches)), given)


def souls(given: Given | None = None, *, seed: str = "seed", **switches: Value) -> GameState:
    """A game of fourteen of 断言."""
    return start(make(ASSERTION, switches=_dotted(switches), seed=seed), given)


def vests(given: Given | None = None, *, seed: str = "", **switches: Value) -> GameState:
    """A game of 马甲杀; without a seed nobody is drawn, and any wolf may name the target of a kill."""
    players = (Player(name, role, vest=vest) for (name, role), vest in zip(EIGHTEEN.items(), VESTS, strict=True))
    return start(make_table(rules_of(VEST, _dotted(switches)), players, seed), given)


# Seats in a circle; every role of 面杀 that a first choice or a refusal needs.
CIRCLE = {
    "狼甲": "狼人",
    "狼乙": "狼人",
    "白狼": "白狼",
    "种狼": "种狼",
    "盗贼": "盗贼",
    "丘比特": "丘比特",
    "吉普赛娘": "吉普赛娘",
    "女仆": "女仆",
    "吹笛者": "吹笛者",
    "老好人": "高级村民",
    "民甲": "村民",
    "民乙": "村民",
    "民丙": "村民",
}


def seated(given: Given | None = None, spare: tuple[str, ...] = ("狼人", "村民"), **switches: Value) -> GameState:
    """A game of thirteen of 面杀, where 执警 is enabled."""
    rules = rules_of(TABLE, {"roles.enabled": ("执警",), **_dotted(switches)})
    return start(make_table(rules, seat_players(CIRCLE), "seed", spare=spare), given)


def _dotted(switches: dict[str, Value]) -> dict[str, Value]:
    """witch__save_any is witch.save_any."""
    return {name.replace("__", "."): value for name, value in switches.items()}


def read(text: str) -> list[Order]:
    """The orders of some lines."""
    return [read_order(event) for event in parse_ledger(text, ZONE)]


def one(text: str) -> Order:
    """The order of one line."""
    (order,) = read(text)
    return order


def after(state: GameState, text: str) -> GameState:
    """The state after some lines, none of which may be refused."""
    folded = fold(state, read(text))
    assert [str(rejected.refused) for rejected in folded.rejected] == []
    return folded.state


def obey(state: GameState, text: str) -> Folded:
    """What some lines make of a state, with what was refused."""
    return fold(state, read(text))


def refuse(state: GameState, line: str) -> Refused:
    """Why a line is refused; an assertion where it is not."""
    try:
        apply(state, one(line))
    except Refused as refused:
        return refused
    raise AssertionError(f"{line} was obeyed")


def told(state: GameState, name: str) -> list[str]:
    """What a seat was told, or "公示" what was published."""
    to = PUBLIC if name == "公示" else state.table.names[name]
    return [say(message, state.table) for message in state.messages if message.to == to]


def outs(state: Draft) -> list[tuple[str, str]]:
    """Who is out, in order, with the cause."""
    return [(state.table.name(seat), state.seats[seat].cause) for seat in state.order]


def name_of(state: Draft, seat: int | None) -> str:
    """The name of a seat, "" for none."""
    return "" if seat is None else state.table.name(seat)


def in_phase(text: str) -> Given:
    """A game taken up at the start of a phase."""
    (order,) = read(f"{text} 导演 询问")
    return Given(phase=order.phase)
