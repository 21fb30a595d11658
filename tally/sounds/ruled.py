"""The director's word on what chanted players posted: it settles suspects, overrules breaches, and is shown beside both."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from scraper.post import History, Source
from tally.day import Day
from tally.finding import Finding, Severity
from tally.sounds.chant import date_revision, find_day
from tally.sounds.finding import SoundFinding

Place = tuple[int, int]
Key = tuple[str, int, int, int]


@dataclass(frozen=True, slots=True)
class SoundRuling:
    """One ruling on a post: `lawful` or a breach. `line` is the ledger line that holds it, `reason` its remark.

    It is about the words of one seat there: `seat`, or where that is "" the author's, or those of the only chanted seat that
    has any. It is about all revisions, or the one of number `revision`; of those only about what had been seen when it was
    entered, where that is known: a later edit is judged anew.
    """

    line: int
    tid: int
    pid: int
    lawful: bool
    seat: str = ""
    revision: int | None = None
    reason: str = ""
    entered_at: datetime | None = None

    @property
    def word(self) -> str:
        """The ruling as a term of the findings."""
        return "lawful" if self.lawful else "breach"


@dataclass(frozen=True, slots=True)
class Speech:
    """All that one chanted seat is checked for: his own posts by thread and pid, and what was found about him."""

    seat: str
    own: Mapping[Place, History]
    findings: tuple[SoundFinding, ...]


@dataclass(frozen=True, slots=True)
class CheckedPost:
    """One revision of one post, with what was found in it about one seat, and the director's word on that.

    Of a ruling there is one finding (C108); what the machine found has become a note where he ruled it lawful.
    """

    seat: str
    source: Source
    findings: tuple[SoundFinding, ...]
    ruling: SoundRuling | None = None

    @property
    def severity(self) -> Severity:
        """The worst that was found in it."""
        found = {finding.severity for finding in self.findings}
        return next((severity for severity in (Severity.ERROR, Severity.WARNING) if severity in found), Severity.NOTE)


def settle_speech(
    speeches: Sequence[Speech], rulings: Iterable[SoundRuling], histories: Mapping[Place, History], days: Sequence[Day]
) -> tuple[tuple[CheckedPost, ...], tuple[Finding, ...]]:
    """Put the findings of every seat together by post and revision, and the rulings on them; what fits nowhere is a finding.

    `histories` are all posts by thread and pid. Of two rulings on the same words the later line holds.
    """
    grouped: dict[Key, list[SoundFinding]] = {}
    for speech in speeches:
        for found in speech.findings:
            source = found.source
            grouped.setdefault((speech.seat, source.tid, source.pid, source.revision), []).append(found)
    ruled: dict[Key, SoundRuling] = {}
    unused: list[tuple[SoundRuling, str]] = []
    for ruling in sorted(rulings, key=lambda ruling: ruling.line):
        keys, why = _find_words(ruling, speeches, grouped, histories)
        if why:
            unused.append((ruling, why))
        for key in keys:
            if key in ruled:
                unused.append((ruled[key], "superseded"))
            ruled[key] = ruling
    posts = []
    for key in dict.fromkeys([*grouped, *ruled]):
        seat, tid, pid, number = key
        source = Source(tid, pid, number, histories[tid, pid].latest.floor)
        post = CheckedPost(seat, source, tuple(grouped.get(key, ())))
        word = ruled.get(key)
        posts.append(post if word is None else _rule(post, word, histories[tid, pid], days))
    held = {ruling.line for ruling in ruled.values()}
    missed = dict.fromkeys((ruling.line, why) for ruling, why in unused if why != "superseded" or ruling.line not in held)
    return tuple(sorted(posts, key=_order)), tuple(_report(line, why) for line, why in missed)


def _find_words(
    ruling: SoundRuling,
    speeches: Sequence[Speech],
    grouped: Mapping[Key, Sequence[SoundFinding]],
    histories: Mapping[Place, History],
) -> tuple[list[Key], str]:
    """The words that a ruling is about, or why there are none."""
    place = (ruling.tid, ruling.pid)
    author = next((speech.seat for speech in speeches if place in speech.own), "")
    speakers = list(dict.fromkeys(seat for seat, tid, pid, _ in grouped if (tid, pid) == place))
    seat = ruling.seat or author or (speakers[0] if len(speakers) == 1 else "")
    if place not in histories or not seat or seat not in (author, *speakers):
        return [], "several_seats" if len(speakers) > 1 and not seat else "no_chanted_seat"
    revisions = [one for one in histories[place].revisions if ruling.revision in (None, one.number)]
    if not revisions:
        return [], "no_such_revision"
    known = [one for one in revisions if ruling.entered_at is None or one.seen_at <= ruling.entered_at]
    if not known:
        return [], "seen_later"
    keys = [(seat, *place, one.number) for one in known]
    found = [key for key in keys if _has_doubts(grouped.get(key, ()))]
    if found or ruling.lawful:
        return found, "" if found else "nothing_to_settle"
    # A breach that the machine has not seen: in the post as it stood when the director judged it.
    return (keys[-1:], "") if seat == author else ([], "no_chanted_seat")


def _has_doubts(findings: Iterable[SoundFinding]) -> bool:
    return any(finding.severity is not Severity.NOTE for finding in findings)


def _rule(post: CheckedPost, ruling: SoundRuling, history: History, days: Sequence[Day]) -> CheckedPost:
    """Put the director's word before what the machine found."""
    index = next(index for index, revision in enumerate(history.revisions) if revision.number == post.source.revision)
    moment = date_revision(history, index)
    day = post.findings[0].day if post.findings else find_day(moment, days)
    parameters = (("ruling", ruling.word), ("line", str(ruling.line)), ("reason", ruling.reason))
    severity = Severity.NOTE if ruling.lawful else Severity.ERROR
    word = SoundFinding("C108", severity, post.seat, post.source, "", "", parameters, moment.earliest, day)
    kept = [_overrule(finding) if ruling.lawful else finding for finding in post.findings]
    return replace(post, findings=(word, *kept), ruling=ruling)


def _overrule(finding: SoundFinding) -> SoundFinding:
    if finding.severity is Severity.NOTE:
        return finding
    return replace(finding, severity=Severity.NOTE, machine=finding.severity)


def _report(line: int, why: str) -> Finding:
    if why == "no_chanted_seat":
        return Finding("E202", (("line", str(line)),))
    return Finding("E203", (("line", str(line)), ("why", why)))


def _order(post: CheckedPost) -> tuple[int, datetime, int, int, int, str]:
    """Breaches first, then suspects, notes last; each in order of time."""
    rank = (Severity.ERROR, Severity.WARNING, Severity.NOTE).index(post.severity)
    source = post.source
    return (rank, post.findings[0].at, source.tid, source.pid, source.revision, post.seat)
