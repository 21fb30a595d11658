"""Named switches: where a rule post is silent or can be read two ways, the game file chooses, by name.

A rule system lists its own switches as values (default, choices, documentation, clause). This module checks what a game file
writes, and puts the switches of voting into a policy.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from engine.gamefile import Section, suggest
from tally.policy import ChangeReply, Edits, Presence, Reach, SecondVote, SheriffScope, SpeedUpScope, Tie, VotePolicy

Value = bool | int | str | tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Switch:
    """One switch: its name, default, and documentation; `choices` for a word or an ordered list of words.

    The default's type is the switch's: a number, true or false, one word of `choices`, or a list of them. `clause` is the
    sentence of the rule post that it reads, "" where the post says nothing. `counts` tells that the vote's count follows it;
    the others speak to the game's engine.
    """

    name: str
    default: Value
    meaning: str
    clause: str = ""
    choices: tuple[str, ...] = ()
    counts: bool = False


# Every switch that some rule system has, to answer one that stands in the wrong game file (spec: the switch registry).
SYSTEMS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "tie.sheriff_scope": ("秘密数字杀", "马甲杀", "面杀"),
        "wolf_kill.filter": ("秘密数字杀",),
        "win.defer_for_pending_shot": ("秘密数字杀",),
        "chain.hunter_vs_lover": ("秘密数字杀", "马甲杀", "面杀"),
        "succession.on_out_target": ("秘密数字杀",),
        "village.special_loss": ("秘密数字杀",),
        "village.loss": ("面杀",),
        "black_lovers.loss": ("秘密数字杀",),
        "lover_wolf.kill": ("秘密数字杀", "马甲杀"),
        "lover_wolf.immune": ("秘密数字杀",),
        "wolves.group": ("秘密数字杀",),
        "wolves.lose_kill_on_loss": ("秘密数字杀", "马甲杀", "面杀"),
        "wolves.extra_kill": ("面杀",),
        "wolves.channel": ("马甲杀",),
        "votes.publicity": ("马甲杀",),
        "witch.save_any": ("秘密数字杀",),
        "witch.save_self": ("秘密数字杀", "面杀"),
        "witch.both_same_night": ("马甲杀", "面杀"),
        "witch.save_illegal": ("马甲杀",),
        "elder.victims": ("秘密数字杀",),
        "elder.roles": ("面杀",),
        "elder.mark_when_immune": ("马甲杀",),
        "elder.cancels_committed": ("秘密数字杀", "马甲杀", "面杀"),
        "idiot.repeat": ("马甲杀",),
        "idiot.votable_after": ("马甲杀",),
        "idiot.sheriff": ("马甲杀",),
        "guard.or_choice": ("马甲杀",),
        "hunter.late_window": ("马甲杀",),
        "hunter.target": ("马甲杀",),
        "white_wolf.survivors": ("马甲杀",),
        "night0.order": ("马甲杀",),
        "redcard.triggers_suicide": ("马甲杀",),
        "judge.limit": ("面杀",),
        "widow_knife.duration": ("面杀",),
        "election.day": ("面杀",),
        "election.tie": ("面杀",),
        "seat.left": ("面杀",),
        "roles.enabled": ("面杀",),
        "cupid.initial_camp": ("面杀",),
        "manipulate.conflict": ("断言",),
        "prayer.table": ("断言",),
        "private_ballot.change": ("断言",),
        "announce.numbers": ("秘密数字杀",),
        "announce.sheriff": ("秘密数字杀",),
        **{
            f"skill.{skill}": ("马甲杀",)
            for skill in ("预言", "通灵", "解药", "毒药", "守护之盾", "隔音之盾", "长寿之命", "爱神之箭", "杀人")
        },
    }
)


def read_switches(section: Section, switches: tuple[Switch, ...], title: str) -> dict[str, Value]:
    """What [switches] chooses: the value of every switch of the system, its default where the file is silent.

    Raises GameFileError for a switch that no system has, one of another system, and a value that the switch has not.
    """
    known = {switch.name: switch for switch in switches}
    for name, value in section.values.items():
        # A switch written without its quotes is a table to TOML: wolf.loss = … is { wolf = { loss = … } }.
        if isinstance(value, dict) and value:
            dotted = f"{name}.{next(iter(value))}"
            raise section.error(name, f"开关 {dotted} 没有加引号", f'写成 "{dotted}" = …')
        if name in known:
            continue
        if name.startswith(("cards.", "speech.")):
            table, _, key = name.partition(".")
            raise section.error(name, "这不是开关", f"写进 [{table}]：{key} = …")
        if name in SYSTEMS:
            raise section.error(name, f"这是{'、'.join(SYSTEMS[name])}的开关，在{title}中没有作用", "删去这一行，或改 ruleset")
        raise section.error(name, "没有这个开关", suggest(name, known))
    return {switch.name: _read(section, switch) for switch in switches}


def _read(section: Section, switch: Switch) -> Value:
    match switch.default:
        case bool():
            return section.boolean(switch.name, switch.default)
        case int():
            number = section.integer(switch.name, switch.default)
            assert number is not None
            return number
        case str():
            return section.choice(switch.name, switch.choices, switch.default)
        case tuple():
            if switch.name not in section.values:
                return switch.default
            chosen = section.texts(switch.name)
            for word in chosen:
                if word not in switch.choices:
                    raise section.error(
                        switch.name, f"没有 {word!r} 这个选择", f"写 {'、'.join(switch.choices)} 中的几个，按先后"
                    )
            if not chosen or len(set(chosen)) != len(chosen):
                raise section.error(switch.name, "是空的，或同一项写了两次", f"写 {'、'.join(switch.choices)} 中的几个，按先后")
            return chosen


def switch_policy(policy: VotePolicy, values: Mapping[str, Value], *, void_counts_as_vote: bool) -> VotePolicy:
    """The policy of a rule system after its switches."""
    if "tie.sheriff_scope" in values:
        policy = replace(policy, sheriff_scope=SheriffScope(_word(values, "tie.sheriff_scope")))
    return replace(
        policy,
        second=SecondVote(_word(values, "ballot.second")),
        changes=_number(values, "ballot.changes"),
        change_reply=ChangeReply(_word(values, "ballot.change_reply")),
        freeze=_number(values, "ballot.freeze"),
        edits=Edits(_word(values, "ballot.edits")),
        reason=Presence(_word(values, "ballot.reason")),
        reach=Reach(_word(values, "reach")),
        speed_up_scope=SpeedUpScope(_word(values, "accelerate.scope")),
        tie=tuple(Tie(step) for step in _words(values, "tie_policy")),
        void_counts_as_vote=void_counts_as_vote,
    )


def _word(values: Mapping[str, Value], name: str) -> str:
    value = values[name]
    assert isinstance(value, str), name
    return value


def _words(values: Mapping[str, Value], name: str) -> tuple[str, ...]:
    value = values[name]
    assert isinstance(value, tuple), name
    return value


def _number(values: Mapping[str, Value], name: str) -> int:
    value = values[name]
    assert isinstance(value, int), name
    return value
