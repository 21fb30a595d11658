"""Which cards a day proposes: 未投票 and 发言不足, each with the posts it rests on. The director confirms them.

讨论结束时，未回复投票帖者将被判罚黄牌…执行加速时…发言不足或未投票者将不被判罚。(M29)
"""

from __future__ import annotations

from tally.activity import measure_activity
from tally.ballot import Place, Reason
from tally.box import is_out
from tally.finding import Finding
from tally.policy import Feigned
from tally.result import Card
from tally.review import Look, Review
from tally.roster import PosterKind, Seat
from tally.window import is_after_close, is_before_open

YELLOW = "yellow"
NOT_VOTED = "未投票"
TOO_QUIET = "发言不足"


def propose_cards(review: Review) -> tuple[tuple[Card, ...], tuple[Finding, ...]]:
    """The cards that a closed and completely seen day proposes, and a finding for each seat that replied without a valid vote."""
    material = review.material
    day, policy = material.day, material.policy
    seats = [seat for seat in material.roster.seats if not _is_exempt(seat, review)]
    decided = {fate.reading.voter for fate in review.box.fates if fate.place in (Place.STANDING, Place.NEEDS_RULING)}
    decided |= _excused(review)
    replies = _replies(review, {seat.name for seat in seats} - decided)
    proxies = {fate.reading.voter for fate in review.box.fates if fate.reading.proxy and fate.reason not in _OUTSIDE}
    waived = day.speed_ups is None or any(span.holds_at(day.closes) for span in day.speed_ups)
    cards: list[Card] = []
    findings: list[Finding] = []
    # Where votes are shown at a table, or told in private, nobody is carded for giving none.
    for seat in seats if policy.missing_is_offence else ():
        if seat.name in decided:
            continue
        posts = replies.get(seat.name, [])
        if policy.void_counts_as_vote and (posts or seat.name in proxies):
            findings.append(Finding("D101", (("seat", seat.name),), seat.name, posts[-1].source if posts else None))
        elif not waived:
            cards.append(Card(seat.name, YELLOW, NOT_VOTED, ignored=tuple(look.source for look in posts)))
    if not waived:
        quiet, more = _too_quiet(review, seats)
        cards += quiet
        findings += more
    return tuple(cards), tuple(findings)


_OUTSIDE = (Reason.BEFORE_OPEN, Reason.AFTER_CLOSE)


def _replies(review: Review, seats: set[str]) -> dict[str, list[Look]]:
    """The posts of some seats in the vote thread while the day was open: 未回复投票帖者 has none."""
    replies: dict[str, list[Look]] = {}
    for look in review.looks:
        if look.poster.kind is not PosterKind.SEAT or look.poster.name not in seats:
            continue
        at, day = look.history.posted_at, review.material.day
        if not is_before_open(at, look.history.exact_seconds, day) and not is_after_close(at, day):
            replies.setdefault(look.poster.name, []).append(look)
    return replies


def _excused(review: Review) -> set[str]:
    """The voters whose ballot stood until its target left: they get no card."""
    stood = {move.reading.order for move in review.box.moves if move.reached is not None}
    return {fate.reading.voter for fate in review.box.fates if fate.reason is Reason.TARGET_OUT and fate.reading.order in stood}


def _is_exempt(seat: Seat, review: Review) -> bool:
    """Out before the close, barred from voting (also by 装傻), or played by a substitute who came after the middle of the day."""
    day = review.material.day
    if is_out(seat.name, day.closes, day) or seat.name in day.barred:
        return True
    if review.material.policy.feigned is Feigned.VOID and seat.name in day.feigned:
        return True
    middle = day.opens + (day.closes - day.opens) / 2
    late = any(account.since is not None and middle < account.since <= day.closes for account in seat.accounts)
    return late and review.material.cards.substitute_grace


def _too_quiet(review: Review, seats: list[Seat]) -> tuple[list[Card], list[Finding]]:
    material = review.material
    least_posts, least_characters = material.cards.min_posts, material.cards.min_chars
    if not least_posts and not least_characters:
        return [], []
    discussion = [history for history in material.other_threads if history.tid in material.day.discussion]
    if not discussion:
        return [], [Finding("D103")]
    activity = measure_activity(discussion, material.day, review.accounts)
    cards = []
    for seat in seats:
        spoken = activity.get(seat.name)
        posts, characters = (spoken.posts, spoken.characters) if spoken else (0, 0)
        if posts < (least_posts or 0) or characters < (least_characters or 0):
            cards.append(Card(seat.name, YELLOW, TOO_QUIET, spoken.counted if spoken else (), spoken.ignored if spoken else ()))
    return cards, []
