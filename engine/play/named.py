"""What the words of a skill's line name: seats, a word, a guess, or a whole table of identities."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple, assert_never

from engine.play.firsts import check_card
from engine.play.order import Order
from engine.play.refusal import Refused
from engine.play.skillset import Skill, Takes
from engine.play.state import Draft
from engine.play.who import find_target, hint, target_word
from scraper.phrases import listing, phrase

_BETWEEN = re.compile(r"[、,，]")
_PAIR = re.compile(r"[:：=＝]")
# Pairs of a line that are about the line itself, and name no seat.
_OF_THE_LINE = frozenset({"强制", "抽得", "版本", "摘要"})


class Named(NamedTuple):
    """What a line names: seats, a word, identities that it guesses of seats."""

    targets: tuple[int, ...] = ()
    word: str = ""
    guesses: tuple[tuple[int, str], ...] = ()


def read_words(d: Draft, skill: Skill, order: Order) -> Named:
    """What a line of a skill names. Refused for too many or too few words, and for words that mean nothing here."""
    match skill.takes:
        case Takes.SEATS:
            return Named(_read_seats(d, skill, order))
        case Takes.WORD:
            if len(order.targets) != 1:
                raise Refused("E311", act=skill.name, wanted=1, given=len(order.targets))
            word = order.targets[0]
            if word not in skill.choices:
                raise Refused(
                    "E331", act=skill.name, problem=phrase("{word!r} 不是 {choices}", word=word, choices=listing(skill.choices))
                )
            return Named(word=word)
        case Takes.SEAT_AND_WORD:
            *seats, word = order.targets or ("",)
            if word not in skill.choices:
                wanted = listing(f"`{skill.name} … {choice}`" for choice in skill.choices)
                raise Refused("E344", act=skill.name, wanted=wanted)
            return Named(_read_seats(d, skill, order._replace(targets=tuple(seats))), word)
        case Takes.GUESS:
            if len(order.targets) != 2:
                raise Refused("E311", act=skill.name, wanted=2, given=len(order.targets))
            seat = find_target(d, order.targets[0])
            return Named((seat,), guesses=((seat, _find_role(d, skill, order.targets[1])),))
        case Takes.SPARE | Takes.FACE:
            if len(order.targets) != 1:
                raise Refused("E311", act=skill.name, wanted=1, given=len(order.targets))
            card = _find_role(d, skill, order.targets[0])
            check_card(d, skill, card)
            return Named(word=card)
        case Takes.TABLE:
            return Named(guesses=_read_table(d, skill, order))
        case _:
            assert_never(skill.takes)


def _read_seats(d: Draft, skill: Skill, order: Order) -> tuple[int, ...]:
    if len(order.targets) != skill.targets:
        raise Refused("E311", act=skill.name, wanted=skill.targets, given=len(order.targets))
    targets = tuple(find_target(d, word) for word in order.targets)
    if len(set(targets)) < len(targets):
        raise Refused("E314", target=target_word(d, targets[0]))
    return targets


def _find_role(d: Draft, skill: Skill, word: str) -> str:
    role = d.table.role_words.get(word)
    if role is None:
        raise Refused(
            "E331", act=skill.name, problem=phrase("没有 {word!r} 这个身份{hint}", word=word, hint=hint(word, d.table.role_words))
        )
    return role


def _read_table(d: Draft, skill: Skill, order: Order) -> tuple[tuple[int, str], ...]:
    """A table of identities: `SEAT=ROLE …`, `SEAT ROLE SEAT ROLE …`, or `ROLE SEAT SEAT … ROLE SEAT …`, also `ROLE=SEAT、SEAT`.

    It may leave seats out; one seat with two identities is refused.
    """
    found: dict[int, str] = {}
    for seat_word, role_word in _pair_words(d, order):
        seat, role = find_target(d, seat_word), _find_role(d, skill, role_word)
        if found.setdefault(seat, role) != role:
            raise Refused("E331", act=skill.name, problem=phrase("{target} 写了两个身份", target=target_word(d, seat)))
    if not found:
        raise Refused("E331", act=skill.name, problem=phrase("没有身份表，写成 `饺子=村民 包子=狼人 …`"))
    return tuple(sorted(found.items()))


def _is_role(d: Draft, word: str) -> bool:
    """Whether a word is an identity; a seat of that name goes before."""
    return d.table.find_target(word) is None and word in d.table.role_words


def _pair_words(d: Draft, order: Order) -> Iterator[tuple[str, str]]:
    """The words of a table as seat and identity."""
    pairs = [(key, value) for key, value in order.values.items() if key not in _OF_THE_LINE]
    loose: list[str] = []
    for word in order.targets:
        first, *rest = _PAIR.split(word, maxsplit=1)
        if d.table.find_target(word) is not None:
            loose.append(word)
        elif rest and _is_role(d, first):
            pairs.append((first, rest[0]))
        else:
            for part in filter(None, _BETWEEN.split(word)):
                first, *rest = _PAIR.split(part, maxsplit=1)
                if rest:
                    pairs.append((first, rest[0]))
                else:
                    loose.append(part)
    for first, second in pairs:
        if _is_role(d, first):
            yield from ((seat, first) for seat in _BETWEEN.split(second))
        else:
            yield first, second
    if loose and _is_role(d, loose[0]):
        role = loose[0]
        for word in loose[1:]:
            if _is_role(d, word):
                role = word
            else:
                yield word, role
    else:
        if len(loose) % 2:
            raise Refused("E331", act=order.act, problem=phrase("{word!r} 没有写身份", word=loose[-1]))
        yield from zip(loose[::2], loose[1::2], strict=True)
