"""The deal: who is what, drawn from one secret seed, so that anybody can draw it again at the end.

Every draw is by SHA-256 of the seed and of what it is for (`engine.play.draws`), among names in the order of their characters'
code points: it does not depend on the order of game.toml, nor on this program's version of `random`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.play.draws import shuffle
from engine.ruleset import RuleSet
from engine.starting.composition import Pack
from engine.starting.people import Person
from scraper.errors import UsageError
from scraper.phrases import phrase
from tally.policy import TargetKind

# What stands behind an identity in the name of its account: 狼人3, 狼人A, 狼人甲, 3号狼人.
_ORDINAL = r"(?:\d+|[A-Za-zＡ-Ｚａ-ｚ０-９]|[甲乙丙丁戊己庚辛壬癸]|[一二三四五六七八九十]+)"
_NUMBERED = re.compile(rf"{_ORDINAL}[号號]?(?P<behind>\D+)|(?P<before>.+?)[·・_\-\s]?{_ORDINAL}[号號]?|(?P<bare>.+)")

ROLE, NUMBER, PERSON = "发牌 身份", "发牌 秘密数字", "发牌 玩家"


@dataclass(frozen=True, slots=True)
class Seated:
    """One seat as it was dealt: the public name, the role, and what else its system deals; `person` is who plays it."""

    name: str
    role: str
    number: int | None = None
    vest: str | None = None
    person: Person | None = None


@dataclass(frozen=True, slots=True)
class Deal:
    """Everything that was dealt, the seats in the order of their names; `spare` are cards that lie on the table."""

    seats: tuple[Seated, ...]
    spare: tuple[str, ...] = ()


def deal(
    ruleset: RuleSet,
    names: Sequence[str],
    composition: Pack,
    seed: str,
    *,
    people: Sequence[Person] = (),
    fixed: Mapping[str, str] | None = None,
) -> Deal:
    """Deal roles, secret numbers and people (none, or as many as there are seats) to seats.

    `fixed` are the roles of seats that their names tell (马甲杀: the account is the identity); the other cards go to the other
    seats. Whoever has bought an identity gets a seat with it, drawn among those where there are several. UsageError where there
    is none left for him.
    """
    fixed = fixed or {}
    seats = sorted(names)
    cards = list(composition.cards)
    for role in fixed.values():
        if role not in cards:
            raise UsageError(
                phrase(
                    "账号里 {role} 比配置的多（{composition}）。改法：改 --roles，或改账号的名字。",
                    role=role,
                    composition=composition,
                )
            )
        cards.remove(role)
    cards = shuffle(seed, ROLE, cards)
    spare = _put_aside(cards, composition.spare)
    drawn = dict(zip([name for name in seats if name not in fixed], cards, strict=True)) | dict(fixed)
    numbers = shuffle(seed, NUMBER, range(1, len(seats) + 1)) if ruleset.vote.target is TargetKind.NUMBER else ()
    playing = _cast(ruleset, seats, drawn, seed, people) if people else {}
    veiled = ruleset.vote.target is TargetKind.VEST
    return Deal(
        tuple(
            Seated(
                name,
                drawn[name],
                numbers[place] if numbers else None,
                (playing[name].vest or playing[name].name) if veiled and name in playing else None,
                playing.get(name),
            )
            for place, name in enumerate(seats)
        ),
        spare,
    )


def _cast(
    ruleset: RuleSet, seats: Sequence[str], drawn: Mapping[str, str], seed: str, people: Sequence[Person]
) -> dict[str, Person]:
    """Who plays which seat: those with an identity of their own first, then all others."""
    if len(people) != len(seats):
        raise UsageError(
            phrase(
                "{people} 名玩家，{seats} 个角色。改法：名单和 game.toml 的 [[player]] 要一样多。",
                people=len(people),
                seats=len(seats),
            )
        )
    by_name = {one.name: one for one in people}
    order = [by_name[name] for name in shuffle(seed, PERSON, sorted(by_name))]
    left, playing = list(seats), dict[str, Person]()
    for person in sorted(order, key=lambda one: one.role is None):
        role = ruleset.role(person.role) if person.role else None
        if person.role and role is None:
            raise UsageError(
                phrase(
                    "{name}: {title} 没有 {role!r} 这个身份。改法：写规则里的名字。",
                    name=person.name,
                    title=ruleset.title,
                    role=person.role,
                )
            )
        seat = next((name for name in left if role in (None, drawn[name])), None)
        if seat is None:
            raise UsageError(
                phrase("{name}: {role} 已经没有空的角色了。改法：名单里的 {role} 和配置要一样多。", name=person.name, role=role)
            )
        left.remove(seat)
        playing[seat] = person
    return playing


def _put_aside(cards: list[str], count: int) -> tuple[str, ...]:
    """随机抽取两张不为盗贼的卡牌: the first of the shuffled cards that are none."""
    spare: list[str] = []
    for card in list(cards):
        if len(spare) < count and card != "盗贼":
            cards.remove(card)
            spare.append(card)
    return tuple(spare)


def read_identities(ruleset: RuleSet, names: Sequence[str]) -> dict[str, str]:
    """The roles that the names of identity accounts tell: a role's name, with an ordinal or without (狼人3, 先知)."""
    found: dict[str, str] = {}
    for name in names:
        match = _NUMBERED.fullmatch(name)
        words = [name, *(word for word in (match.groupdict() if match else {}).values() if word)]
        role = next((role for word in words if (role := ruleset.role(word.strip())) is not None), None)
        if role is not None:
            found[name] = role
    return found
