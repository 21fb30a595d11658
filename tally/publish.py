"""What of a tally may be published: by the rules of each system, before the game's end and after it.

投票过程在比赛/游戏结束前不予公布 · 投票过程在当天计票结束后予以公布 · 投票过程全程公开 (马甲杀, F G H)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import assert_never

from tally.ballot import Ballot, Reason
from tally.policy import Decides, Publicity, VotePolicy
from tally.result import Count, DayTally, Verdict


class Shown(StrEnum):
    """How much of a vote everybody may see: all of it, whom its verdict hits and no more, or nothing yet."""

    ALL = "all"
    VERDICT = "verdict"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Published:
    """The part of a tally that everybody may see. `weights` tells that every ballot shows what it weighs.

    What is only the director's (findings, cards that nobody confirmed, what would follow from a ruling) is in none before the
    end. Where nothing is shown its verdict says nothing either, whatever stands in it.
    """

    tally: DayTally
    shown: Shown
    weights: bool = True


def publish(tally: DayTally, policy: VotePolicy, *, ended: bool = False, sheriff_known: bool = True) -> Published:
    """The part of a tally that may be shown to everybody; once the game has `ended`, all of it.

    Why ballots of 两姐妹 are void is not told before: it would say who they are. Where it is published which number or vest is
    the sheriff, and not who plays it (`sheriff_known` False), no ballot of a vote to exile tells by its weight whose he is.
    """
    tally = _retell(tally)
    if ended:
        return Published(tally, Shown.ALL)
    match policy.publicity:
        case Publicity.AT_THE_END:
            # A vote of one camp says who belongs to it; what came of it is published as the next day opens.
            secret = bool(policy.poll(tally.poll, tally.day).role) or not tally.final
            return Published(_nothing(tally), Shown.NOTHING) if secret else Published(_only_verdict(tally), Shown.VERDICT)
        case Publicity.AFTER_THE_CLOSE:
            return _without_links(tally, policy, sheriff_known) if tally.final else Published(_nothing(tally), Shown.NOTHING)
        case Publicity.LIVE:
            return _without_links(tally, policy, sheriff_known)
        case _:
            assert_never(policy.publicity)


def _retell(tally: DayTally) -> DayTally:
    """Without what the director wrote for himself, which no end makes public, and without the names of his files."""
    events = tuple(replace(event, because=event.told or event.because) for event in tally.events)
    return replace(tally, events=events, verdict=replace(tally.verdict, because=tally.verdict.told or tally.verdict.because))


def _bare(tally: DayTally) -> DayTally:
    """Without what is the director's alone."""
    return replace(
        tally,
        cards=tuple(card for card in tally.cards if card.confirmed is not None),
        needs_ruling=tuple(replace(doubt, readings=()) for doubt in tally.needs_ruling),
        findings=(),
    )


def _without_links(tally: DayTally, policy: VotePolicy, sheriff_known: bool) -> Published:
    tally = replace(_bare(tally), void=tuple(_plain(ballot) for ballot in tally.void))
    if sheriff_known or policy.poll(tally.poll, tally.day).decides is Decides.ELECTION:
        return Published(tally, Shown.ALL)
    # Sums, their order, a sentence with them or the clause of a tie would tell it as well as the weights do. It is so whether the
    # sheriff voted or not: what differs would tell that too. A ballot without weight says as much of who has used 装傻.
    verdict = replace(tally.verdict, clause="", because="")
    counts = sorted(
        (Count(count.target, len(count.ballots), _unweigh(count.ballots)) for count in tally.counts),
        key=lambda count: (-count.votes, *_come(count.ballots[0]), count.target),
    )
    tally = replace(tally, counts=tuple(counts), abstained=_unweigh(tally.abstained), verdict=verdict)
    return Published(tally, Shown.ALL, weights=False)


def _come(ballot: Ballot) -> tuple[datetime, int]:
    """When a ballot came; of two of one second the smaller pid was first."""
    return ballot.at, ballot.post.pid if ballot.post is not None else 0


def _unweigh(ballots: Iterable[Ballot]) -> tuple[Ballot, ...]:
    return tuple(replace(ballot, weight=1) for ballot in ballots)


def _plain(ballot: Ballot) -> Ballot:
    """A ballot whose reason would tell a role, as one that the director voided."""
    if ballot.reason is not Reason.MUST_AGREE:
        return ballot
    return replace(ballot, reason=Reason.RULED_VOID, rule="", ruled=True)


def _only_verdict(tally: DayTally) -> DayTally:
    """The decision without a word of how it came about: the clause of a tie would tell that there was one."""
    return replace(_nothing(tally), verdict=Verdict(tally.verdict.decision, tally.verdict.seats, "", ""))


def _nothing(tally: DayTally) -> DayTally:
    """The day and its doors; confirmed cards are published by themselves."""
    return replace(
        _bare(tally),
        counts=(),
        abstained=(),
        not_voted=(),
        void=(),
        replaced=(),
        not_ballots=(),
        needs_ruling=(),
        requests=(),
        verdict=replace(tally.verdict, seats=(), clause="", because="", role=None, race=(), winning_step=None),
    )
