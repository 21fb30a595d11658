"""Named switches: where a rule post is silent or can be read two ways, the game file chooses, by name.

A rule system lists its own switches as values (default, choices, documentation, clause). This module checks what a game file
writes, and puts the switches of voting into a policy.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from engine.gamefile import Section, suggest
from scraper.phrases import listing, phrase
from tally.policy import (
    ChangeReply,
    Conflict,
    Edits,
    ElectionTie,
    Presence,
    Publicity,
    Reach,
    SecondVote,
    SheriffScope,
    SpeedUpScope,
    Tie,
    VotePolicy,
)

Value = bool | int | str | tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Switch:
    """One switch: its name, default, and documentation; `choices` for a word or an ordered list of words.

    The default's type is the switch's: a number, true or false, one word of `choices`, or a list of them. `clause` is the
    sentence of the rule post that it reads, "" where the post says nothing. `counts` tells that the vote's count follows it;
    the others speak to the game's engine. One that is `needed` has no default: every game file says it.
    """

    name: str
    default: Value
    meaning: str
    clause: str = ""
    choices: tuple[str, ...] = ()
    counts: bool = False
    needed: bool = False


# Every switch with the systems that have it, to answer one that stands in the wrong game file (spec: the switch registry).
SYSTEMS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "ballot.second": ("M29", "秘密数字杀", "马甲杀", "面杀"),
        "ballot.changes": ("M29", "秘密数字杀", "马甲杀", "面杀"),
        "ballot.change_reply": ("M29", "秘密数字杀", "马甲杀", "面杀"),
        "ballot.freeze": ("M29", "秘密数字杀", "马甲杀", "面杀"),
        "ballot.edits": ("M29", "秘密数字杀", "马甲杀", "面杀"),
        "ballot.reason": ("M29", "秘密数字杀", "马甲杀", "面杀"),
        "accelerate.scope": ("M29", "秘密数字杀"),
        "reach": ("M29", "秘密数字杀", "马甲杀", "面杀"),
        "tie_policy": ("M29", "秘密数字杀", "马甲杀", "面杀"),
        "wolf.loss": ("M29",),
        "cupid.mixed": ("M29",),
        "announce.exile": ("M29",),
        "win.win_before_loss": ("M29", "秘密数字杀", "马甲杀", "面杀"),
        "win.granularity": ("M29", "秘密数字杀", "马甲杀", "断言", "面杀"),
        "win.order": ("M29", "秘密数字杀", "马甲杀", "断言", "面杀"),
        "camp.empty": ("M29", "秘密数字杀", "马甲杀", "面杀"),
        "succession.timeout": ("M29", "秘密数字杀", "马甲杀", "面杀"),
        "succession.redcard": ("M29", "秘密数字杀", "马甲杀", "面杀"),
        "chain_order": ("M29", "秘密数字杀"),
        "last_words.redcard_burns_slot": ("M29", "秘密数字杀", "马甲杀", "面杀"),
        "tie.sheriff_scope": ("秘密数字杀", "马甲杀", "面杀"),
        "wolf_kill.filter": ("秘密数字杀",),
        "lover_wolf.kill": ("秘密数字杀", "马甲杀"),
        "lover_wolf.immune": ("秘密数字杀",),
        "wolves.group": ("秘密数字杀",),
        "wolves.lose_kill_on_loss": ("秘密数字杀", "马甲杀", "面杀"),
        "witch.save_any": ("秘密数字杀",),
        "witch.save_self": ("秘密数字杀", "面杀"),
        "elder.victims": ("秘密数字杀",),
        "elder.cancels_committed": ("秘密数字杀", "马甲杀", "面杀"),
        "chain.hunter_vs_lover": ("秘密数字杀", "马甲杀", "面杀"),
        "succession.on_out_target": ("秘密数字杀",),
        "village.special_loss": ("秘密数字杀",),
        "black_lovers.loss": ("秘密数字杀",),
        "win.defer_for_pending_shot": ("秘密数字杀",),
        "announce.numbers": ("秘密数字杀",),
        "announce.sheriff": ("秘密数字杀",),
        "votes.publicity": ("马甲杀",),
        "idiot.votable_after": ("马甲杀",),
        "wolves.channel": ("马甲杀",),
        "witch.both_same_night": ("马甲杀", "面杀"),
        "witch.save_illegal": ("马甲杀",),
        "guard.or_choice": ("马甲杀",),
        "elder.mark_when_immune": ("马甲杀",),
        "idiot.repeat": ("马甲杀",),
        "idiot.sheriff": ("马甲杀",),
        "hunter.target": ("马甲杀",),
        "hunter.late_window": ("马甲杀",),
        "white_wolf.survivors": ("马甲杀",),
        "night0.order": ("马甲杀",),
        "redcard.triggers_suicide": ("马甲杀",),
        "manipulate.conflict": ("断言",),
        "private_ballot.change": ("断言",),
        "prayer.table": ("断言",),
        "election.tie": ("面杀",),
        "election.day": ("面杀",),
        "judge.limit": ("面杀",),
        "roles.enabled": ("面杀",),
        "wolves.extra_kill": ("面杀",),
        "elder.roles": ("面杀",),
        "widow_knife.duration": ("面杀",),
        "seat.left": ("面杀",),
        "cupid.initial_camp": ("面杀",),
        "village.loss": ("面杀",),
        **{
            f"skill.{skill}": ("马甲杀",)
            for skill in ("预言", "通灵", "解药", "毒药", "守护之盾", "隔音之盾", "长寿之命", "爱神之箭", "杀人")
        },
    }
)


def read_switches(section: Section, switches: tuple[Switch, ...], title: str, *, need_all: bool = True) -> dict[str, Value]:
    """What [switches] chooses: the value of every switch of the system, its default where the file is silent.

    A switch without a default must be there, or (not `need_all`) its first choice is taken.

    Raises GameFileError for a switch that no system has, one of another system, and a value that the switch has not.
    """
    known = {switch.name: switch for switch in switches}
    for name, value in section.values.items():
        # A switch written without its quotes is a table to TOML: wolf.loss = … is { wolf = { loss = … } }.
        if isinstance(value, dict) and value:
            dotted = f"{name}.{next(iter(value))}"
            raise section.error(
                name, phrase("开关 {dotted} 没有加引号", dotted=dotted), phrase('写成 "{dotted}" = …', dotted=dotted)
            )
        if name in known:
            continue
        if name.startswith(("cards.", "speech.")):
            table, _, key = name.partition(".")
            raise section.error(name, phrase("这不是开关"), phrase("写进 [{table}]：{key} = …", table=table, key=key))
        if name in SYSTEMS:
            raise section.error(
                name,
                phrase("这是{SYSTEMS}的开关，在{title}中没有作用", SYSTEMS=listing(SYSTEMS[name]), title=title),
                phrase("删去这一行，或改 ruleset"),
            )
        raise section.error(name, phrase("没有这个开关"), suggest(name, known))
    for switch in switches:
        if need_all and switch.needed and switch.name not in section.values:
            choices = listing(switch.choices)
            raise section.error(
                "",
                phrase("缺少 {name}（{meaning}）", name=switch.name, meaning=switch.meaning),
                phrase('写上 "{name}" = …，可以写的有 {choices}', name=switch.name, choices=choices),
            )
    return {switch.name: _read(section, switch) for switch in switches}


def _read(section: Section, switch: Switch) -> Value:
    match switch.default:
        case bool():
            return section.boolean(switch.name, switch.default)
        case int():
            number = section.integer(switch.name, switch.default)
            assert number is not None
            if switch.choices and str(number) not in switch.choices:
                raise section.error(
                    switch.name,
                    phrase("没有 {number} 这个选择", number=number),
                    phrase("写 {choices} 中的一个", choices=listing(switch.choices)),
                )
            return number
        case str():
            return section.choice(switch.name, switch.choices, switch.choices[0] if switch.needed else switch.default)
        case tuple():
            if switch.name not in section.values:
                return switch.default
            chosen = section.texts(switch.name)
            for word in chosen:
                if word not in switch.choices:
                    raise section.error(
                        switch.name,
                        phrase("没有 {word!r} 这个选择", word=word),
                        phrase("写 {choices} 中的几个，按先后", choices=listing(switch.choices)),
                    )
            if not chosen or len(set(chosen)) != len(chosen):
                raise section.error(
                    switch.name,
                    phrase("是空的，或同一项写了两次"),
                    phrase("写 {choices} 中的几个，按先后", choices=listing(switch.choices)),
                )
            return chosen


# 面杀 opens with 夜1: its first daytime is 日2.
ELECTION_DAYS: Mapping[str, int] = MappingProxyType({"first_daytime": 2, "second_daytime": 3})
PRIVATE_CHANGES: Mapping[str, SecondVote] = MappingProxyType({"none": SecondVote.VOID, "last": SecondVote.REPLACE})


def _as_number(value: Value) -> int:
    assert isinstance(value, int)
    return value


# The field of a vote policy that a switch replaces, and how its value is read.
_FIELDS: Mapping[str, tuple[str, Callable[[Value], object]]] = MappingProxyType(
    {
        "ballot.second": ("second", lambda value: SecondVote(str(value))),
        "ballot.changes": ("changes", _as_number),
        "ballot.change_reply": ("change_reply", lambda value: ChangeReply(str(value))),
        "ballot.freeze": ("freeze", _as_number),
        "ballot.edits": ("edits", lambda value: Edits(str(value))),
        "ballot.reason": ("reason", lambda value: Presence(str(value))),
        "reach": ("reach", lambda value: Reach(str(value))),
        "accelerate.scope": ("speed_up_scope", lambda value: SpeedUpScope(str(value))),
        "tie_policy": ("tie", lambda value: tuple(Tie(step) for step in value) if isinstance(value, tuple) else ()),
        "tie.sheriff_scope": ("sheriff_scope", lambda value: SheriffScope(str(value))),
        "election.tie": ("election_tie", lambda value: ElectionTie(str(value))),
        "election.day": ("election_day", lambda value: ELECTION_DAYS[str(value)]),
        "idiot.votable_after": ("feigned_votable", bool),
        "manipulate.conflict": ("conflict", lambda value: Conflict(str(value))),
        "private_ballot.change": ("second", lambda value: PRIVATE_CHANGES[str(value)]),
        "votes.publicity": ("publicity", lambda value: Publicity(str(value))),
    }
)


def switch_policy(policy: VotePolicy, values: Mapping[str, Value], *, void_counts_as_vote: bool) -> VotePolicy:
    """The policy of a rule system after its switches."""
    changes: dict[str, Any] = {field: read(values[name]) for name, (field, read) in _FIELDS.items() if name in values}
    return replace(policy, void_counts_as_vote=void_counts_as_vote, **changes)
