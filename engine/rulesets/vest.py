"""马甲杀（alpha版） as a value: its roles, switches, how it votes and how it is played, each in a room of its own."""

from __future__ import annotations

from engine.ruleset import RuleSet
from engine.rulesets.vest_play import play
from engine.rulesets.vest_roles import ROLES
from engine.rulesets.vest_switches import PLAY_SWITCHES, VOTE_SWITCHES
from engine.rulesets.vest_vote import VOTE

VEST = RuleSet(
    id="vest",
    title="马甲杀",
    vote=VOTE,
    roles=ROLES,
    switches=(*VOTE_SWITCHES, *PLAY_SWITCHES),
    # Nothing is sped up here: a day may be shortened, which is told in `engine.dayrules`.
    speed_up_lead=3 * 3600,
    play=play,
)
