"""One day's count: every post of the vote thread to its one place, then the verdict.

Pure: the same posts, facts and rulings give the same tally. The caller gives only posts of this day: where days share a
thread, those from the close of the day before to the opening of the next.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from operator import attrgetter
from typing import assert_never

from scraper.phrases import listing, phrase
from scraper.post import History, Source
from tally.ballot import Ballot, Place, Reason
from tally.box import is_out
from tally.cards import propose_cards
from tally.day import Day
from tally.finding import Finding, Severity, severity
from tally.notes import note_fate, note_posts
from tally.openings import can_change, case_of, decide_box, list_openings, sheriff_matters
from tally.othernotes import note_other_threads, note_rulings
from tally.policy import CardPolicy, Decides, Feigned, VotePolicy
from tally.posted import note_posted
from tally.reading import Doubt
from tally.result import DayTally, Decision, Evidence, Verdict
from tally.review import Material, Review, review_day
from tally.roster import Roster
from tally.ruling import LedgerBallot, Ruling, RulingKind
from tally.verdict import as_ballot, count_ballots, decision_of, weigh

# Of these errors it is computed whether they can change the verdict; any other leaves nothing final.
_WEIGHED = ("B203", "B204", "B205")


def count_day(
    histories: Iterable[History],
    *,
    day: Day,
    roster: Roster,
    policy: VotePolicy,
    cards: CardPolicy | None = None,
    evidence: Evidence | None = None,
    complete: bool = True,
    seen_until: datetime | None = None,
    rulings: Sequence[Ruling] = (),
    ledger_ballots: Sequence[LedgerBallot] = (),
    other_threads: Iterable[History] = (),
    as_of: datetime | str | None = None,
    noted: Sequence[Finding] = (),
    seed: str = "",
    unread: Sequence[int] = (),
) -> DayTally:
    """Count one vote of a day.

    `histories` are the posts of the day's vote thread, `other_threads` those of its discussion and progress threads.
    `complete` is False while a page that can hold a vote of the window is missing (`evidence.missing_pages` names them).
    `seen_until` is when the vote thread was last looked at: it decides whether the window is closed, None while nobody has
    looked. `as_of` cuts the posts off after a moment or after the floor of a label ("12#"); UsageError for no such floor.
    `rulings` are those of this day and those of earlier days that still hold (`carried`). `noted` are findings that the caller
    has of this day (of pages, zones, the ledger): they stand among the tally's, and an error among them leaves nothing final.
    `seed` is the game's, for a draw ("": not known). `unread` are discussion threads that were not seen whole since the close.
    """
    return count_material(
        Material(
            histories=tuple(histories),
            day=day,
            roster=roster,
            policy=policy,
            cards=cards or CardPolicy(),
            evidence=evidence or Evidence(None, None),
            complete=complete,
            seen_until=seen_until,
            rulings=tuple(rulings),
            ledger_ballots=tuple(ledger_ballots),
            other_threads=tuple(other_threads),
            as_of=as_of,
            noted=tuple(noted),
            seed=seed,
            unread=tuple(unread),
        )
    )


def count_material(material: Material) -> DayTally:
    """The tally of a day whose arguments are already together."""
    review = review_day(material)
    places = _sort_out(review)
    closed = review.over
    outcome = decide_box(review, review.box)
    posts = tuple(note_posts(review))
    findings = [*material.noted, *posts, *_note_day(review, closed), *_note_roster(review, posts)]
    for fate in review.box.fates:
        findings += note_fate(review, fate)
    findings += note_other_threads(review)
    findings += note_rulings(review, outcome)
    cards, more = propose_cards(review) if closed and material.complete else ((), ())
    findings += more
    ruled = _ruled_result(review)
    verdict = outcome.publish(final=True)
    verdict = _rule(verdict, ruled, material.day, material.policy) if ruled is not None else verdict
    findings += note_posted(review, outcome, verdict) if closed and material.complete else ()
    settled = ruled is not None or not can_change(review, outcome)
    final = material.complete and closed and settled and not any(_blocks(review, finding) for finding in findings)
    verdict = outcome.publish(final)
    return DayTally(
        day=material.day.number,
        as_of=_as_of(review),
        complete=material.complete,
        final=final,
        counts=count_ballots(review.box, material.day, material.policy, material.day.sheriff),
        abstained=tuple(places.abstained),
        not_voted=_not_voted(review),
        void=tuple(places.void),
        replaced=tuple(places.replaced),
        not_ballots=tuple(places.not_ballots),
        needs_ruling=list_openings(review),
        cards=cards,
        verdict=_rule(verdict, ruled, material.day, material.policy) if ruled is not None else verdict,
        findings=tuple(sorted(findings, key=_finding_order)),
        evidence=material.evidence,
        opens=material.day.opens,
        closes=material.day.closes,
        poll=material.day.poll,
    )


def _blocks(review: Review, finding: Finding) -> bool:
    """Whether an error leaves nothing final: not where a ruling settles its post, nor where its weight was computed."""
    if severity(finding) is not Severity.ERROR or finding.code in _WEIGHED:
        return False
    ruled = {ruling.pid for ruling in review.material.rulings if ruling.kind in (RulingKind.COUNT_AS, RulingKind.VOID)}
    return finding.source is None or finding.source.pid not in ruled


@dataclass(frozen=True, slots=True)
class _Places:
    """The posts and ledger lines of a day, each in one list (a post of several proxies: once for each)."""

    abstained: list[Ballot] = field(default_factory=list)
    void: list[Ballot] = field(default_factory=list)
    replaced: list[Ballot] = field(default_factory=list)
    not_ballots: list[Source] = field(default_factory=list)


def _sort_out(review: Review) -> _Places:
    """Every post without a ballot goes to a list, and every ballot of the box; standing votes are in the counts."""
    places = _Places()
    places.not_ballots.extend([look.source for look in review.looks if not look.readings])
    places.not_ballots.extend([history.cite() for history in review.chat])
    day, policy = review.material.day, review.material.policy
    for fate in review.box.fates:
        ballot = as_ballot(fate, weigh(fate.reading.voter, day, policy, day.sheriff))
        match fate.place:
            case Place.STANDING:
                if fate.target is None:
                    places.abstained.append(ballot)
            case Place.REPLACED:
                places.replaced.append(ballot)
            case Place.VOID:
                if fate.reading.doubt is Doubt.UNREADABLE and fate.reason is not Reason.RULED_VOID and ballot.post is not None:
                    # Nobody knows that it was a ballot, only that it could not have counted.
                    places.not_ballots.append(ballot.post)
                else:
                    places.void.append(ballot)
            case Place.NEEDS_RULING | Place.NOT_BALLOT:
                # Listed with its readings; the box calls nothing NOT_BALLOT.
                pass
            case _:
                assert_never(fate.place)
    places.not_ballots.sort(key=attrgetter("pid"))
    return places


def _as_of(review: Review) -> datetime:
    """Up to when posts are counted: as asked, else to the close or the last look."""
    day = review.material.day
    if review.cut is not None:
        return review.cut[0]
    seen = review.material.seen_until
    return day.opens if seen is None else min(seen, day.ends).astimezone(day.closes.tzinfo)


def _not_voted(review: Review) -> tuple[str, ...]:
    """The seats in play that might vote and have no ballot in the box, nor one that needs a ruling."""
    day, policy = review.material.day, review.material.policy
    barred = day.barred | (day.feigned if policy.feigned is Feigned.VOID else frozenset())
    at = min(_as_of(review), day.ends)
    voted = {fate.reading.voter for fate in review.box.fates if fate.place in (Place.STANDING, Place.NEEDS_RULING)}
    names = (seat.name for seat in review.material.roster.seats)
    return tuple(
        name
        for name in names
        if name not in voted
        and name not in barred
        and (review.electors is None or name in review.electors)
        and not is_out(name, at, day)
    )


def _note_day(review: Review, closed: bool) -> list[Finding]:
    """What keeps the whole tally from being final."""
    material, findings = review.material, []
    if not material.complete:
        pages = ", ".join(str(page) for page in material.evidence.missing_pages) or "?"
        findings.append(Finding("B401", (("pages", pages),)))
    if not closed:
        seen = f"{material.seen_until:%m-%d %H:%M:%S}" if material.seen_until else "-"
        findings.append(Finding("B402", (("seen", seen),)) if material.day.vote else Finding("B406"))
    if material.day.speed_ups is None:
        findings.append(Finding("B403"))
    electing = case_of(review, None).decides is Decides.ELECTION
    if material.day.sheriff is None and material.policy.has_sheriff and not electing and _ruled_result(review) is None:
        findings.append(Finding("B405" if sheriff_matters(review) else "B404"))
    return findings


def _note_roster(review: Review, found: Sequence[Finding]) -> Iterator[Finding]:
    """Where no seat has a ballot, and half as many strangers as may vote have one, the roster may be another game's."""
    strangers = {dict(finding.parameters).get("author") for finding in found if finding.code == "B102"}
    expected = len(_not_voted(review))
    if review.box.fates or _ruled_result(review) is not None or len(strangers) < 3 or 2 * len(strangers) < expected:
        return
    yield Finding("B410", (("strangers", str(len(strangers))), ("seats", str(expected))))


def _ruled_result(review: Review) -> Ruling | None:
    """The last ruling on the day's result whose seat is one of the roster's; its value is the seat's name, "" for nobody."""
    names = review.targets
    found = None
    for ruling in review.material.rulings:
        if ruling.kind is RulingKind.RESULT and (ruling.poll or "") == review.material.day.poll:
            seat = names.find_seat(ruling.value)
            if seat is not None or not ruling.value:
                found = replace(ruling, value=seat or "")
    return found


def _rule(verdict: Verdict, ruling: Ruling, day: Day, policy: VotePolicy) -> Verdict:
    """The verdict that a ruling puts in the machine's place, with the machine's own beside it."""
    decision = decision_of(policy.poll(day.poll, day.number).decides) if ruling.value else Decision.NOBODY
    seats = (ruling.value,) if ruling.value else ()
    reason = listing(word for word in (ruling.reason, ruling.operator) if word)
    because = phrase(
        "导演裁定结果为{words}，见账本第 {line} 行{reason}；按票数：{because}",
        words=ruling.value or phrase("无人"),
        line=ruling.line,
        reason=phrase("（{why}）", why=reason) if reason else "",
        because=verdict.because,
    )
    told = phrase("导演裁定结果为{words}；按票数：{because}", words=ruling.value or phrase("无人"), because=verdict.because)
    return Verdict(decision, seats, verdict.clause, because, race=verdict.race, winning_step=verdict.winning_step, told=told)


def _finding_order(finding: Finding) -> tuple[int, int, str, tuple[tuple[str, str], ...]]:
    source = finding.source
    return (source.tid, source.pid, finding.code, finding.parameters) if source else (0, 0, finding.code, finding.parameters)
