"""Why each post of one voter counted or did not: the same rules as the count, told one by one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from scraper.post import History, Source
from tally.ballot import Place, Reason
from tally.box import Fate
from tally.day import Day
from tally.openings import decide_box
from tally.policy import CardPolicy, VotePolicy
from tally.reading import Doubt
from tally.result import Evidence, Step, Verdict
from tally.review import Look, Material, Review, review_day
from tally.roster import PosterKind, Roster
from tally.rules import list_rules
from tally.ruling import LedgerBallot, Ruling
from tally.verdict import clause_of


@dataclass(frozen=True, slots=True)
class RuleTrace:
    """One rule that was tried: its reason's value, the clause of the rule post word for word, and whether the post passed."""

    rule: str
    clause: str
    passed: bool


@dataclass(frozen=True, slots=True)
class PostTrace:
    """One post of a voter (or a proxy for him), with everything that decided its place.

    `words` are the own words of the revision that was read; `label` the format's label as found, "" for none; `value` the
    target as written; `target` the seat it names (None: none, or an abstention) and `how` it was matched: exact, alias, folded,
    ruled, abstain, "" for not at all. `place` is standing, replaced, void, needs_ruling or not_ballot. `lost_to` is the step
    with which another target reached the maximum first, where his ballot's target lost the race. `post` is None for a line of
    the ledger or of the table `file`, whose number is `line`. `poll` is which of the day's votes it is about.
    """

    post: Source | None
    line: int | None
    at: datetime
    by: str
    voter: str
    words: str
    label: str
    value: str
    target: str | None
    how: str
    candidates: tuple[str, ...]
    hints: tuple[str, ...]
    rules: tuple[RuleTrace, ...]
    place: str
    reason: Reason | None
    ruled_by: int | None = None
    lost_to: Step | None = None
    file: str = ""
    poll: str = ""


def explain_seat(
    histories: Iterable[History],
    *,
    seat: str,
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
) -> tuple[PostTrace, ...]:
    """Every post of one voter in the vote thread, and every proxy for him, in order of time; arguments as `count_day`."""
    return explain_material(
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
        ),
        seat,
    )


def explain_material(material: Material, seat: str) -> tuple[PostTrace, ...]:
    """The traces of one seat from arguments that are already together."""
    review = review_day(material)
    verdict = decide_box(review, review.box).publish(final=False)
    traces = [
        (fate.reading.order, _trace_ballot(review, fate, verdict))
        for fate in review.box.fates
        if seat in (fate.reading.voter, fate.reading.poster.name)
    ]
    for look in review.list_posts(lambda poster: poster.kind is PosterKind.SEAT and poster.name == seat):
        if not look.readings:
            traces.append(((look.history.posted_at, look.history.pid, 0), _trace_chat(look)))
    return tuple(trace for _, trace in sorted(traces, key=lambda pair: pair[0]))


def _trace_ballot(review: Review, fate: Fate, verdict: Verdict) -> PostTrace:
    reading, post = fate.reading, fate.reading.post
    unread = reading.doubt is Doubt.UNREADABLE and fate.place is Place.VOID and fate.ruled_by is None
    return PostTrace(
        post=reading.source,
        line=reading.line,
        at=reading.at,
        by=reading.history.first.author if reading.history is not None else reading.poster.name,
        voter=reading.voter,
        words=post.message.text if post is not None else "",
        label=reading.label,
        value=reading.raw,
        target=fate.target,
        how=reading.match.how.value if fate.ruled_by is None else "ruled",
        candidates=reading.match.candidates,
        hints=reading.match.hints,
        rules=_trace_rules(review, fate),
        place=(Place.NOT_BALLOT if unread else fate.place).value,
        reason=fate.reason,
        ruled_by=fate.ruled_by,
        lost_to=_lost_to(fate, verdict),
        file=fate.reading.file,
        poll=review.material.day.poll,
    )


def _trace_chat(look: Look) -> PostTrace:
    return PostTrace(
        post=look.source,
        line=None,
        at=look.history.first.posted_at,
        by=look.history.first.author,
        voter=look.poster.name,
        words=look.revision.post.message.text if look.revision is not None else "",
        label="",
        value="",
        target=None,
        how="",
        candidates=(),
        hints=(),
        rules=(),
        place=Place.NOT_BALLOT.value,
        reason=None,
    )


def _trace_rules(review: Review, fate: Fate) -> tuple[RuleTrace, ...]:
    """The rules that were tried on a ballot, to the first that it broke; none on one that a ruling placed."""
    if fate.ruled_by is not None:
        return ()
    policy, traces = review.material.policy, []
    left_later = fate.reason is Reason.TARGET_OUT and _stood(review, fate)
    for rule in list_rules(policy):
        if not rule.concerns(fate.reading):
            continue
        broken = rule.key == fate.rule and not left_later
        clause = clause_of(policy, f"{rule.key}:{review.material.day.poll}", rule.key)
        traces.append(RuleTrace(rule.reason.value, clause, not broken))
        if broken:
            break
    if left_later or fate.reason in (Reason.MUST_AGREE, Reason.MANIPULATED_TWICE):
        # It passed every rule when it was posted; its target left afterwards, or the others of its group voted otherwise.
        traces.append(RuleTrace(fate.rule, clause_of(policy, fate.rule), passed=False))
    return tuple(traces)


def _stood(review: Review, fate: Fate) -> bool:
    return any(move.reading.order == fate.reading.order and move.reached is not None for move in review.box.moves)


def _lost_to(fate: Fate, verdict: Verdict) -> Step | None:
    """The step with which the winner of a race reached the maximum, for a ballot whose target lost it."""
    if fate.place is not Place.STANDING or not verdict.race or verdict.winning_step is None or fate.target in verdict.seats:
        return None
    raced = {step.target for step in verdict.race}
    return verdict.race[verdict.winning_step] if fate.target in raced else None
