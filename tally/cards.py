"""Which cards a day proposes: 未投票 and 发言不足, each with the posts it rests on. The director confirms them.

讨论结束时，未回复投票帖者将被判罚黄牌…执行加速时…发言不足或未投票者将不被判罚。(M29)
马甲因违反游戏规则，累计扣满12分者将予以罚下处理 (马甲杀): there an offence costs the points that the director gives it, and
one without points is none.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from scraper.phrases import listing
from tally.activity import OUTSIDE, is_outside, measure_activity
from tally.ballot import Place, Reason
from tally.box import is_out
from tally.finding import Finding
from tally.policy import Feigned
from tally.result import Card
from tally.review import Look, Review
from tally.roster import PosterKind, Seat

YELLOW, POINTS = "yellow", "points"
NOT_VOTED = "未投票"
TOO_QUIET = "发言不足"
OFFENCES = (NOT_VOTED, TOO_QUIET)


def propose_cards(review: Review) -> tuple[tuple[Card, ...], tuple[Finding, ...]]:
    """The cards that a closed and completely seen day proposes, and a finding for each seat that replied without a valid vote."""
    if review.material.day.poll:
        # A day's second vote is no second duty.
        return (), ()
    proposals = _Proposals(review)
    _find_missing(proposals)
    _find_quiet(proposals)
    return tuple(proposals.cards), tuple(proposals.findings)


@dataclass(slots=True)
class _Proposals:
    """The cards of a day as they are found. `waived`: 执行加速时…将不被判罚, and not while nobody has judged it."""

    review: Review
    cards: list[Card] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)

    @property
    def waived(self) -> bool:
        day = self.review.material.day
        return day.speed_ups is None or any(span.holds_at(day.closes) for span in day.speed_ups)

    def cost(self, offence: str) -> int | None:
        """The points of an offence; 0 where it costs a card, None where it costs nothing."""
        policy = self.review.material.cards
        return 0 if policy.sent_off_at is None else policy.points.get(offence) or None

    def punish(self, seat: Seat, offence: str, card: Card) -> None:
        """Propose a card, unless the seat is exempt: then it is a note."""
        if why := _why_exempt(seat, self.review):
            self.findings.append(Finding("D105", (("seat", seat.name), ("offence", offence), ("why", why)), seat.name))
        else:
            self.cards.append(card)


_OUTSIDE = (Reason.BEFORE_OPEN, Reason.AFTER_CLOSE)


def _find_missing(proposals: _Proposals) -> None:
    """未回复投票帖者: a seat in play that has no post in the vote thread, or by the switch none that is a vote."""
    review, cost = proposals.review, proposals.cost(NOT_VOTED)
    policy, day = review.material.policy, review.material.day
    if cost is None or not policy.missing_is_offence:
        return
    decided = {fate.reading.voter for fate in review.box.fates if fate.place in (Place.STANDING, Place.NEEDS_RULING)}
    decided |= _excused(review)
    seats = [seat for seat in review.material.roster.seats if seat.name not in decided and not is_out(seat.name, day.closes, day)]
    posts = _posts(review, {seat.name for seat in seats})
    proxies = {fate.reading.voter for fate in review.box.fates if fate.reading.proxy and fate.reason not in _OUTSIDE}
    for seat in seats:
        own = posts.get(seat.name, [])
        replies = [look for look in own if not is_outside(look.history, day)]
        if policy.void_counts_as_vote and (replies or seat.name in proxies):
            if not _why_exempt(seat, review):
                source = replies[-1].source if replies else None
                proposals.findings.append(Finding("D101", (("seat", seat.name),), seat.name, source))
        elif not proposals.waived:
            why = tuple(OUTSIDE if is_outside(look.history, day) else "no_valid_vote" for look in own)
            kind = POINTS if cost else YELLOW
            card = Card(seat.name, kind, NOT_VOTED, ignored=tuple(look.source for look in own), why=why, points=cost)
            proposals.punish(seat, NOT_VOTED, card)


def _posts(review: Review, seats: set[str]) -> dict[str, list[Look]]:
    """The posts of some seats in the vote thread."""
    posts: dict[str, list[Look]] = {}
    for look in review.list_posts(lambda poster: poster.kind is PosterKind.SEAT and poster.name in seats):
        posts.setdefault(look.poster.name, []).append(look)
    return posts


def _excused(review: Review) -> set[str]:
    """The voters whose ballot stood until its target left: they get no card."""
    stood = {move.reading.order for move in review.box.moves if move.reached is not None}
    return {fate.reading.voter for fate in review.box.fates if fate.reason is Reason.TARGET_OUT and fate.reading.order in stood}


def _why_exempt(seat: Seat, review: Review) -> str:
    """Why a seat in play gets no card, as a term; "" where it may get one.

    Barred from voting, no voter of this vote, without a vote since 装傻, or played by a substitute who came after the middle of
    the day.
    """
    day, policy = review.material.day, review.material.policy
    if seat.name in day.barred or (review.electors is not None and seat.name not in review.electors):
        return "barred"
    if seat.name in day.feigned and policy.feigned is Feigned.VOID:
        return "barred"
    middle = day.opens + (day.closes - day.opens) / 2
    came = [account.since for account in seat.accounts if account.since is not None]
    came += [at for name, at in day.joined if name == seat.name]
    late = any(middle < at <= day.closes for at in came)
    return "substitute" if late and review.material.cards.substitute_grace else ""


def _find_quiet(proposals: _Proposals) -> None:
    """发言不足: fewer posts or effective characters in the discussion threads than the director asks for."""
    review, cost = proposals.review, proposals.cost(TOO_QUIET)
    material = review.material
    least_posts, least_characters = material.cards.min_posts or 0, material.cards.min_chars or 0
    if cost is None or proposals.waived or not (least_posts or least_characters):
        return
    threads = material.day.discussion
    discussion = [history for history in (*material.other_threads, *material.histories) if history.tid in threads]
    if material.unread:
        proposals.findings.append(Finding("D104", (("tids", listing(material.unread)),)))
        return
    if not discussion:
        proposals.findings.append(Finding("D103"))
        return
    activity = measure_activity(discussion, material.day, review.accounts)
    for seat in material.roster.seats:
        spoken = activity.get(seat.name)
        posts, characters = (spoken.posts, spoken.characters) if spoken else (0, 0)
        enough = posts >= least_posts and characters >= least_characters
        if enough or is_out(seat.name, material.day.closes, material.day):
            continue
        counted, ignored, why = (spoken.counted, spoken.ignored, spoken.why) if spoken else ((), (), ())
        kind = POINTS if cost else YELLOW
        proposals.punish(seat, TOO_QUIET, Card(seat.name, kind, TOO_QUIET, counted, ignored, why=why, points=cost))
