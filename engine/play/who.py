"""Whom the words of a line mean: the actor (a seat, a role with one seat, 警长, 导演), and targets."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from engine.ledger import DIRECTOR
from engine.play.refusal import Refused
from engine.play.skillset import Voice
from engine.play.state import Asked, Draft
from scraper.phrases import listing, phrase

SHERIFF = "警长"


def find_actor(d: Draft, word: str, act: str) -> int | None:
    """The seat that acts; None for the director. Refused for a word that names nobody, or several."""
    if word == DIRECTOR:
        return None
    found = d.table.names.get(word)
    return find_person(d, word, act) if found is None else found


def find_person(d: Draft, word: str, act: str = "") -> int:
    """The seat that a word names: by name, as 警长, or by a role that one seat has.

    Of several seats of a role the only one that is in, then the only one who is asked something, is meant; for a skill that one
    speaks for all with, any that is in.
    """
    table = d.table
    if (found := table.names.get(word)) is not None:
        return found
    if word == SHERIFF:
        asked = [one.seat for one in d.decisions if one.asked is Asked.SUCCESSION]
        if len(asked) == 1:
            return asked[0]
        if d.sheriff is None:
            raise Refused("E303", word=word, hint=phrase("：现在没有警长"))
        return d.sheriff
    role = table.role_words.get(word)
    if role is None:
        raise Refused("E303", word=word, hint=hint(word, (*table.names, *table.role_words)))
    seats = [index for index, seat in enumerate(d.seats) if seat.role == role]
    # Whoever was dealt it, where nobody has it any more: a seat that became another.
    seats = seats or list(table.with_role(role))
    living = [index for index in seats if not d.seats[index].cause]
    asked = [one.seat for one in d.decisions if one.seat in seats]
    for some in (seats, asked, living):
        if len(some) == 1:
            return some[0]
    if not seats:
        raise Refused("E303", word=word, hint=phrase("：这一局没有这个身份"))
    skill = table.words[role].get(act)
    if skill is not None and skill.voice is Voice.DRAWN:
        living = [seat for name, seat in d.drawn if name == skill.name] or living
    if skill is not None and skill.voice in (Voice.JOINT, Voice.DRAWN) and living:
        return living[0]
    raise Refused("E304", word=word, seats=names(d, living or seats))


def find_target(d: Draft, word: str) -> int:
    """The seat that a skill or a vote names. Refused for none."""
    found = d.table.find_target(word)
    if found is None:
        known = () if d.table.play.numbers else tuple(d.table.vests if d.table.play.vests else d.table.names)
        raise Refused("E312", word=word, hint=hint(word, known))
    return found


def must_be_unpublished(d: Draft, target: int) -> None:
    """已经公示的出局角色…不允许被选为技能或投票的目标。"""
    if d.seats[target].announced:
        raise Refused("E313", target=target_word(d, target))


def target_word(d: Draft, seat: int) -> str:
    """How the director calls a seat as a target: with its name beside its number."""
    table = d.table
    if not table.hides_targets:
        return table.name(seat)
    return phrase("{word}（{name}）", word=table.target_word(seat), name=table.name(seat))


def names(d: Draft, seats: Iterable[int]) -> str:
    """The names of some seats."""
    return listing(d.table.name(seat) for seat in seats)


def hint(word: str, known: Iterable[str]) -> str:
    """The nearest words that there are."""
    near = difflib.get_close_matches(word, list(known), n=2, cutoff=0.5)
    return phrase("；是不是 {near}", near=listing(near)) if near else ""
