"""Findings that come from outside the vote thread: posts in the other threads, and the director's rulings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from scraper.phrases import listing, phrase
from scraper.post import Source
from tally.ballot import Place
from tally.box import is_out
from tally.finding import Finding
from tally.names import fold
from tally.notes import note_out
from tally.reading import Doubt, cite, has_format
from tally.review import Review, review_day
from tally.roster import Poster, PosterKind
from tally.ruling import Ruling, RulingKind
from tally.verdict import Outcome, abstains
from tally.window import is_after_close, is_before_open


def note_other_threads(review: Review) -> Iterator[Finding]:
    """Posts of seats that are out, and ballots in the wrong thread."""
    day, glance = review.material.day, review.book.whole.glance
    for history in review.material.other_threads:
        at = history.posted_at
        if review.cut is not None and at > review.cut[0]:
            continue
        poster = review.accounts.find_poster(history)
        if poster.kind is not PosterKind.SEAT:
            continue
        if is_out(poster.name, at, day):
            yield from note_out(history, poster.name, review)
            continue
        if is_before_open(at, history.exact_seconds, day) or is_after_close(at, day):
            continue
        if history.may_hold(glance) and has_format(history.first):
            yield Finding("B113", (("text", history.first.message.text),), poster.name, cite(history, history.revisions[0]))


def note_rulings(review: Review, outcome: Outcome) -> Iterator[Finding]:
    """What each ruling did, beside the machine's own reading, and which fit nothing."""
    rulings = review.material.rulings
    for line in review.lost_lines:
        yield Finding("E204", (("line", str(line.line)), ("name", line.voter)))
    if not rulings:
        return
    now = _places(review)
    own = _places(review_day(replace(review.material, rulings=())))
    rulings = tuple(ruling for ruling in rulings if ruling.kind is not RulingKind.RESULT or _is_here(review, ruling))
    last = {ruling.pid: ruling.line for ruling in rulings if ruling.kind in (RulingKind.COUNT_AS, RulingKind.VOID)}
    for ruling in rulings:
        yield from _note_ruling(review, ruling, now, own, outcome, superseded=last.get(ruling.pid) != ruling.line)


_Places = dict[int, tuple[str, Source, str]]


def _note_ruling(
    review: Review, ruling: Ruling, now: _Places, own: _Places, outcome: Outcome, superseded: bool
) -> Iterator[Finding]:
    line = ("line", str(ruling.line))
    said = tuple((name, word) for name, word in (("reason", ruling.reason), ("operator", ruling.operator)) if word)
    if ruling.value and ruling.kind is not RulingKind.VOID and _find_ruled(review, ruling) is None:
        yield Finding("E204", (line, ("name", ruling.value)))
        return
    match ruling.kind:
        case RulingKind.COUNT_AS | RulingKind.VOID:
            known = {history.pid for history in review.material.histories}
            if ruling.pid not in known or ruling.tid not in (None, review.material.day.vote):
                yield from _missed(ruling)
                return
            if superseded:
                yield Finding("E203", (line, ("why", "superseded")))
                return
            pids = [ruling.pid] if ruling.pid in now else []
            if pids and (why := _why_useless(review, ruling)):
                _, source, _ = now[pids[0]]
                yield Finding("E203", (line, ("why", why)), None, source)
                return
        case RulingKind.NAME:
            word = fold(ruling.name)
            readings = [reading for reading in review.readings if word in (fold(part) for part in reading.match.text.split("\n"))]
            pids = [reading.source.pid for reading in readings if reading.source is not None]
            if not readings:
                yield from _missed(ruling)
        case RulingKind.ACCOUNT:
            pids = [look.history.pid for look in review.list_posts(_anyone) if look.history.author == ruling.name]
            others = any(history.author == ruling.name for history in review.material.other_threads)
            if not pids and not others:
                yield from _missed(ruling)
        case RulingKind.RESULT:
            own_words = listing(outcome.seats) if not outcome.scapegoat else "替罪羊"
            yield Finding("E205", (line, ("ruled", ruling.value or phrase("无人")), ("own", own_words or phrase("无人")), *said))
            return
    yield from _note_changes(pids, now, own, line, said)


def _note_changes(
    pids: Sequence[int], now: _Places, own: _Places, line: tuple[str, str], said: tuple[tuple[str, str], ...]
) -> Iterator[Finding]:
    """What a ruling that fits these posts made of them, and that it changed nothing where each is as the rules have it."""
    changed = False
    for pid in pids:
        place, source, voter = now[pid]
        before, _, owner = own.get(pid, (Place.NOT_BALLOT.value, source, ""))
        if place != before:
            yield Finding("E201", (line, ("now", place), ("own", before), *said), voter or None, source)
        elif voter != owner:
            yield Finding("E207", (line, ("seat", voter), *said), voter or None, source)
        changed = changed or (place, voter) != (before, owner)
    if pids and not changed:
        place, source, voter = now[pids[0]]
        yield Finding("E206", (line, *said), voter or None, source if len(pids) == 1 else None)


def _anyone(poster: Poster) -> bool:
    return True


def _is_here(review: Review, ruling: Ruling) -> bool:
    return (ruling.poll or "") == review.material.day.poll


def _find_ruled(review: Review, ruling: Ruling) -> str | None:
    """Who a ruling's value is: a seat for an account, else what votes name."""
    names = review.voters if ruling.kind is RulingKind.ACCOUNT else review.targets
    return names.find_seat(ruling.value)


def _missed(ruling: Ruling) -> Iterator[Finding]:
    if not ruling.carried:
        yield Finding("E202", (("line", str(ruling.line)),))


def _why_useless(review: Review, ruling: Ruling) -> str:
    """Why a ruling on a post of the thread settles nothing, as a term; "" where it does."""
    if any(settled.line == ruling.line for settled in review.ruled.values()):
        return ""
    if ruling.kind is RulingKind.VOID:
        return "no_ballot"
    ballots = sum(len(look.readings) for look in review.looks if look.history.pid == ruling.pid)
    return "several" if ballots > 1 else "no_voter"


def _places(review: Review) -> _Places:
    """Where each post of the thread ended, as a word for sentences, with the post and whose it is."""
    places = {
        look.history.pid: (
            Place.NOT_BALLOT.value,
            look.source,
            look.poster.name if look.poster.kind is PosterKind.SEAT else "",
        )
        for look in review.list_posts(_anyone)
    }
    for fate in review.box.fates:
        if fate.reading.source is None or (fate.reading.doubt is Doubt.UNREADABLE and fate.place is Place.VOID):
            continue
        detail = (
            fate.reason.value if fate.place is Place.VOID and fate.reason else "弃权" if abstains(fate) else fate.target or ""
        )
        word = f"{fate.place.value}:{detail}" if detail else fate.place.value
        places[fate.reading.source.pid] = (word, fate.reading.source, fate.reading.voter)
    return places
