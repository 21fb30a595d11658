"""What of a tally may be published: by the rules of each system, before the game's end.

投票过程在比赛/游戏结束前不予公布 · 投票过程在当天计票结束后予以公布 · 投票过程全程公开 (马甲杀, F G H)
"""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from tally.ballot import Ballot, Reason
from tally.policy import Publicity, VotePolicy
from tally.result import DayTally, Verdict


def publish(tally: DayTally, policy: VotePolicy, *, ended: bool = False) -> DayTally:
    """The part of a tally that may be shown to everybody; all of it once the game has `ended`.

    Where the votes are not published, what is left is whom the verdict hits. Why ballots of 两姐妹 are void is not told: it
    would say who they are.
    """
    if ended:
        return tally
    match policy.publicity:
        case Publicity.AT_THE_END:
            return _only_verdict(tally)
        case Publicity.AFTER_THE_CLOSE:
            return _without_roles(tally) if tally.final else _nothing(tally)
        case Publicity.LIVE:
            return _without_roles(tally)
        case _:
            assert_never(policy.publicity)


def _without_roles(tally: DayTally) -> DayTally:
    return replace(tally, void=tuple(_plain(ballot) for ballot in tally.void))


def _plain(ballot: Ballot) -> Ballot:
    """A ballot whose reason would tell a role, as one that the director voided."""
    if ballot.reason is not Reason.MUST_AGREE:
        return ballot
    return replace(ballot, reason=Reason.RULED_VOID, rule="", ruled=True)


def _only_verdict(tally: DayTally) -> DayTally:
    """The decision without a word of how it came about, and only once it is final."""
    if not tally.final:
        return _nothing(tally)
    verdict = tally.verdict
    return replace(_nothing(tally), verdict=Verdict(verdict.decision, verdict.seats, verdict.clause, ""))


def _nothing(tally: DayTally) -> DayTally:
    return replace(
        tally,
        counts=(),
        abstained=(),
        not_voted=(),
        void=(),
        replaced=(),
        not_ballots=(),
        needs_ruling=(),
        cards=(),
        findings=(),
        requests=(),
        verdict=replace(tally.verdict, seats=(), because="", role=None, race=(), winning_step=None),
    )
