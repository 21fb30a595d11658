"""What a chanted player may post: every revision of his posts, and his remarks on others', checked against the rule.

Breaches (C101, C102, C103, C110) are proved by the machine. Suspects (C104, C105, C106) are hints with their figures, never a
card by themselves. What the evidence cannot prove is a warning that says why (`doubt`); what the rule lets pass is a note
(C107).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

from scraper.post import History, Line, Post, PostState, Revision
from tally.finding import Severity
from tally.reading import is_whole
from tally.sounds.case import Place, SoundCase, judge_hits, make_note, order_findings
from tally.sounds.chant import MINUTE, Chant, Moment, Placing, date_post, date_revision, find_new_mark, place_moment, was_typed
from tally.sounds.code import Suspicion, describe_figures, measure_post
from tally.sounds.exempt import find_thread_kind
from tally.sounds.finding import SoundFinding
from tally.sounds.places import check_files, check_hidden, check_poll, check_title
from tally.sounds.quotes import check_quotes
from tally.sounds.series import measure_edits, measure_series, measure_styles
from tally.sounds.words import Hit, Reading, Surroundings, read_words

__all__ = ["Chant", "SoundCase", "SoundFinding", "Speaks", "Transcript", "check_history", "check_remarks", "check_seat"]

# What a post says as the detectors take it (`tally.sounds.words.Reading`), its lines joined by `\n`.
Transcript = str
Speaks = Callable[[str, int | None], bool]


def check_seat(
    chant: Chant, case: SoundCase, own: Sequence[History], others: Sequence[History] = (), speaks: Speaks | None = None
) -> tuple[SoundFinding, ...]:
    """Check all that a chanted seat posted: `own` are the posts of his accounts, `others` the rest of the threads.

    `speaks` tells by name and uid whether a comment or rating is his; without it none is looked at. Findings are ordered by
    time, post, revision and place.
    """
    findings: list[SoundFinding] = []
    earlier: list[Transcript] = []
    around = {tid: _surround(tid, case) for tid in {history.tid for history in own}}
    for history in sorted(own, key=lambda history: (history.posted_at, history.pid)):
        found, transcript = _check_revisions(history, chant, case, around[history.tid], earlier)
        findings += found
        if transcript is not None:
            earlier.append(transcript)
    if speaks is not None:
        for history in (*own, *others):
            findings += check_remarks(history, chant, case, speaks)
    return tuple(_drop_repeated_signatures(sorted(findings, key=order_findings)))


def check_history(history: History, chant: Chant, case: SoundCase) -> tuple[SoundFinding, ...]:
    """Check every revision of one post of a chanted seat by itself."""
    return tuple(_check_revisions(history, chant, case, _surround(history.tid, case), ())[0])


def _surround(tid: int, case: SoundCase) -> Surroundings:
    return Surroundings(find_thread_kind(tid, case.days), case.names_target, case.text_smilies)


def check_remarks(history: History, chant: Chant, case: SoundCase, speaks: Speaks) -> tuple[SoundFinding, ...]:
    """Check the comments (点评) and rating reasons of a chanted seat under anybody's post: no text of his belongs there.

    A comment has its time; a rating was given between the look before and the one that found it, and is doubtful where the
    chant or the day began or ended in between.
    """
    findings: list[SoundFinding] = []
    seen: set[tuple[str, str, int | None, str, datetime | None]] = set()
    after = history.first.posted_at
    for revision in history.revisions if case.rules.checked else ():
        post = revision.post
        if not (post.comments or post.ratings):
            after = revision.seen_at
            continue
        remarks = [("comment", item.author, item.uid, item.text, item.at) for item in post.comments]
        remarks += [("rating", item.author, item.uid, item.reason, None) for item in post.ratings]
        for remark in remarks:
            place, author, uid, text, at = remark
            if remark in seen or not text.strip() or not speaks(author, uid):
                continue
            seen.add(remark)
            if at is None:
                moment = Moment(min(after, revision.seen_at), revision.seen_at)
            else:
                moment = Moment(at, at if post.exact_seconds else at + MINUTE)
            hit = Hit("C103", parameters=(("place", place), ("text", text[:200])))
            findings += judge_hits([hit], place_moment(moment, chant, case.days), "", Place(chant, case, revision, moment))
        after = revision.seen_at
    return tuple(findings)


def _check_revisions(
    history: History, chant: Chant, case: SoundCase, around: Surroundings, earlier: Sequence[Transcript]
) -> tuple[list[SoundFinding], Transcript | None]:
    """Check the revisions in order, and give the transcript of the last one that was checked."""
    findings: list[SoundFinding] = []
    if not case.rules.checked:
        return findings, None
    free: set[Line] = set()
    transcripts: list[Transcript] = []
    before: Post | None = None
    last: Place | None = None
    for index, revision in enumerate(history.revisions):
        post = revision.post
        moment = date_revision(history, index)
        place = Place(chant, case, revision, moment)
        findings += _check_signature(place)
        if post.state is not PostState.NORMAL:
            continue
        placing = place_moment(moment, chant, case.days)
        if post.edited is not None and placing in (Placing.INSIDE, Placing.DOUBT):
            shown = history.revisions[index - 1].post if index else None
            findings += judge_hits(_check_mark(revision, shown, case), placing, "", place)
        if before is not None and _says_the_same(before, post):
            continue
        if placing in (Placing.FREE, Placing.NIGHT):
            free.update(post.message.lines)
            if placing is Placing.NIGHT:
                findings.append(place.make_finding(make_note("night")))
            elif not index and _was_posted_inside(post, chant, case):
                findings.append(place.make_finding(make_note("text_before_the_edit_unknown")))
        else:
            reading = read_words(post.message, case.rules, around)
            hits = _free_carried_lines([*reading.hits, *_check_places(post, case)], post, free)
            if hits:
                findings += judge_hits(hits, placing, _find_doubt(revision, before, chant, case), place)
            if not is_whole(post):
                findings.append(place.make_finding(_miss("not_whole")))
            transcript = _leave_out(reading.transcript, post, free)
            findings += _suspect(reading, transcript, earlier, place)
            transcripts.append(transcript)
            last = place
        before = post
    if before is None:
        findings += _note_unread(history, chant, case)
    if last is None:
        return findings, None
    if len(transcripts) > 1:
        findings += _report("C106", measure_edits(transcripts, case.measures), transcripts[-1], earlier, last)
    return findings, transcripts[-1]


def _note_unread(history: History, chant: Chant, case: SoundCase) -> list[SoundFinding]:
    """Say so where a post of the daytime was never shown: nobody knows what it said."""
    moment = date_revision(history, 0)
    if place_moment(moment, chant, case.days) not in (Placing.INSIDE, Placing.DOUBT):
        return []
    return [Place(chant, case, history.revisions[0], moment).make_finding(_miss(history.first.state.value))]


def _miss(why: str) -> Hit:
    return Hit("C203", parameters=(("why", why),), severity=Severity.WARNING)


def _check_places(post: Post, case: SoundCase) -> list[Hit]:
    if not (post.noise or post.flaws or post.title or post.quotes):
        # So are most posts, and none of the checks below has anything to look at.
        return []
    hits = [*check_hidden(post), *check_files(post), *check_poll(post)]
    hits += check_title(post.title, case.thread_titles.get(post.tid, ()), case.authors)
    return hits + check_quotes(post, case.quoted, case.rules, links_quotes=case.links_quotes)


def _check_signature(place: Place) -> list[SoundFinding]:
    """Check that the signature, as this look showed it, is the one from before the chant, or none."""
    chant, seen_at = place.chant, place.revision.seen_at
    written = place.revision.post.signature.strip()
    if chant.signature is None or not written or written == chant.signature.strip():
        return []
    if seen_at < chant.start or (chant.end is not None and seen_at >= chant.end):
        return []
    # It was changed at some time before this look: the day of the look is all that is known.
    seen = replace(place, moment=Moment(seen_at, seen_at))
    return [seen.make_finding(Hit("C103", parameters=(("place", "signature"), ("text", written[:200]))))]


def _says_the_same(before: Post, after: Post) -> bool:
    """Whether two revisions hold the same words; the board makes its own noise anew for every look."""
    return (
        before.message == after.message
        and before.quotes == after.quotes
        and before.title == after.title
        and check_hidden(before) == check_hidden(after)
        and check_files(before) == check_files(after)
        and check_poll(before) == check_poll(after)
    )


def _was_posted_inside(post: Post, chant: Chant, case: SoundCase) -> bool:
    """Whether a post that already bore an edit mark at first sight was made inside: what it said at first is not known."""
    return post.edited is not None and place_moment(date_post(post), chant, case.days) is Placing.INSIDE


def _check_mark(revision: Revision, before: Post | None, case: SoundCase) -> list[Hit]:
    """Check a new edit mark: one of an impossible time was typed, and a name in it that is not a director's may have been."""
    post = revision.post
    mark = find_new_mark(post, before)
    if mark is None:
        return []
    if was_typed(mark, revision):
        # By the same page's own times it is proved; by the looker's clock, or another zone than the post's, it is not.
        proved = mark.at < post.posted_at and not post.epoch
        place = (("place", "edit_mark"), ("text", f"{mark.editor} {mark.at:%Y-%m-%d %H:%M}"))
        doubt = () if proved else (("doubt", "time_unknown"),)
        return [Hit("C103", parameters=(*place, *doubt), severity=Severity.ERROR if proved else Severity.WARNING)]
    if mark.editor == post.author or mark.editor in case.directors:
        return []
    named = (("place", "edit_mark"), ("text", mark.editor), ("doubt", "edited_by_another"))
    return [Hit("C103", parameters=named, severity=Severity.WARNING)]


def _find_doubt(revision: Revision, before: Post | None, chant: Chant, case: SoundCase) -> str:
    """Say why what a revision holds may not be the seat's words of that time, "" where nothing speaks against it."""
    post = revision.post
    mark = find_new_mark(post, before)
    if mark is not None and not was_typed(mark, revision):
        if mark.editor != post.author:
            return "edited_by_another"
        if before is None and not _was_posted_inside(post, chant, case):
            return "text_before_the_edit_unknown"
    # A nested quote breaks on some boards: its tail then stands in the quoter's own words. Only from a block that holds the
    # mark of an inner one can it have leaked; a [/quote] alone was typed.
    nested = any("[quote]" in quote.text.lower() for quote in post.quotes)
    broken = nested and (any(flaw.code == "A113" for flaw in post.flaws) or "quote]" in post.message.text.lower())
    return "broken_quote" if broken else ""


def _free_carried_lines(hits: list[Hit], post: Post, free: set[Line]) -> list[Hit]:
    """Turn what stood in a line before the chant into one note a line: only what an edit adds is said inside."""
    if not free:
        return hits
    kept: list[Hit] = []
    noted: set[int] = set()
    for hit in hits:
        if hit.line is None or post.message.lines[hit.line - 1] not in free:
            kept.append(hit)
        elif hit.line not in noted:
            noted.add(hit.line)
            kept.append(replace(make_note("said_before"), line=hit.line))
    return kept


def _leave_out(lines: Sequence[str], post: Post, free: set[Line]) -> Transcript:
    """Join the lines of a transcript that were not said before the chant."""
    if not free:
        return "\n".join(lines)
    return "\n".join([text for text, line in zip(lines, post.message.lines, strict=True) if line not in free])


def _suspect(reading: Reading, transcript: Transcript, earlier: Sequence[Transcript], place: Place) -> list[SoundFinding]:
    measures = place.case.measures
    patterns = measure_post(transcript, place.case.rules.order, measures)
    if earlier:
        patterns = (*patterns, *measure_series(transcript, earlier, measures))
    styles = measure_styles(reading.styles, measures) if len(reading.styles) > 1 else ()
    if not patterns and not styles:
        return []
    return [*_report("C104", styles, transcript, earlier, place), *_report("C105", patterns, transcript, earlier, place)]


def _report(
    code: str, found: Sequence[Suspicion], transcript: Transcript, earlier: Sequence[Transcript], place: Place
) -> list[SoundFinding]:
    """Make one finding of all the measures that reached their thresholds."""
    if not found:
        return []
    measures = ", ".join(f"{item.measure} {item.figure}" for item in found)
    figures = describe_figures(transcript, earlier[-place.case.measures.memory :])
    return [place.make_finding(Hit(code, parameters=(("measures", measures), *figures), severity=Severity.WARNING))]


def _drop_repeated_signatures(findings: Sequence[SoundFinding]) -> list[SoundFinding]:
    """Keep one finding a signature: it hangs under every post, and was changed once."""
    kept: list[SoundFinding] = []
    seen: set[tuple[tuple[str, str], ...]] = set()
    for finding in findings:
        if finding.code == "C103" and ("place", "signature") in finding.parameters:
            if finding.parameters in seen:
                continue
            seen.add(finding.parameters)
        kept.append(finding)
    return kept
