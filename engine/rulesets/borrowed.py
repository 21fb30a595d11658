"""What a rule system takes from M29 where its own post is silent on how votes are cast: M29's sentences, marked as such."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from engine.rulesets.m29 import CLAUSES, SWITCHES
from engine.switches import Switch
from tally.policy import Clause

_KEYS = (
    *("abstain", "not_voted", "未投票", "speed_up", "replaced"),
    *("malformed", "no_reason", "unknown_target", "ambiguous_target", "target_out"),
    *("old_account", "second_vote", "nothing_to_change", "change_limit", "change_not_reply"),
    *("change_too_late", "change_accelerated", "proxy_not_director", "conditional_proxy", "proxy_too_late", "edited"),
)

BORROWED: Mapping[str, Clause] = MappingProxyType(
    {key: replace(CLAUSES[key], post=f"M29 · {CLAUSES[key].post}", borrowed=True) for key in _KEYS}
)
"""M29's clauses by key, for what is about the format, changes and proxies."""

BALLOT_SWITCHES: tuple[Switch, ...] = tuple(
    replace(switch, clause="") for switch in SWITCHES if switch.name.startswith("ballot.")
)
"""The switches of how a ballot is written and changed, without a clause: the system's own post has none."""
