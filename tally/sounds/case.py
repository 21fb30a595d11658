"""The frame of a sound check: what it knows besides the posts, and how a hit in a post becomes a finding about a seat."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from scraper.post import History, Revision, Source
from tally.day import Day
from tally.finding import Severity
from tally.sounds.chant import Chant, Moment, Placing, find_day
from tally.sounds.chars import name_char
from tally.sounds.code import Measures
from tally.sounds.finding import SoundFinding
from tally.sounds.quotes import Quoted
from tally.sounds.sets import SoundRules
from tally.sounds.words import Hit


def _know_nothing(pid: int) -> History | None:
    """Stand for an archive that holds no quoted post."""
    return None


@dataclass(frozen=True, slots=True)
class SoundCase:
    """What a check needs to know besides the posts.

    `days` give the daytimes and what each thread is for. `quoted` gives a quoted post's history by pid where the archive has
    it, `names_target` tells whether a ballot's value names a target (None: nobody can tell), `thread_titles` the titles that
    each thread has had, by tid. `links_quotes` is False for a
    surface that prints no pid with a quote, `text_smilies` True for one that prints smilies as text codes (archiver, mobile
    API). `directors` are the accounts whose edits of a player's post need no look, `authors` all names that posted (None: not
    known).
    """

    rules: SoundRules
    days: tuple[Day, ...]
    quoted: Quoted = _know_nothing
    names_target: Callable[[str], bool] | None = None
    thread_titles: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    links_quotes: bool = True
    text_smilies: bool = False
    directors: frozenset[str] = frozenset()
    authors: frozenset[str] | None = None
    measures: Measures = field(default_factory=Measures)


@dataclass(frozen=True, slots=True)
class Place:
    """Where and when something was posted: what turns a hit into a finding."""

    chant: Chant
    case: SoundCase
    revision: Revision
    moment: Moment

    def make_finding(self, hit: Hit) -> SoundFinding:
        """Make the finding of a hit."""
        return self.make_findings([hit])[0]

    def make_findings(self, hits: Sequence[Hit]) -> list[SoundFinding]:
        """Make the findings of hits, in their order."""
        post, number = self.revision.post, self.revision.number
        seat, at, day = self.chant.seat, self.moment.earliest, find_day(self.moment, self.case.days, self.chant.start)
        return [
            SoundFinding(
                hit.code,
                hit.severity,
                seat,
                Source(post.tid, post.pid, number, post.floor, hit.line, hit.column),
                *(name_char(hit.char) if hit.char else ("", "")),
                hit.parameters,
                at,
                day,
            )
            for hit in hits
        ]


def make_note(why: str) -> Hit:
    """Make the note that the rule lets something pass, and why."""
    return Hit("C107", parameters=(("why", why),), severity=Severity.NOTE)


def judge_hits(hits: Sequence[Hit], placing: Placing, doubt: str, place: Place) -> list[SoundFinding]:
    """Make findings of hits: none while the seat is free, one note in the night, warnings where there is a doubt."""
    match placing:
        case Placing.FREE:
            return []
        case Placing.NIGHT:
            return [
                place.make_finding(replace(make_note("night"), parameters=(("why", "night"), *hit.parameters))) for hit in hits
            ]
        case Placing.DOUBT:
            doubt = "time_unknown"
        case Placing.INSIDE:
            pass
    return place.make_findings([_soften(hit, doubt) for hit in hits] if doubt else hits)


def _soften(hit: Hit, doubt: str) -> Hit:
    """Make a breach that the evidence cannot prove a warning that says why."""
    if hit.severity is not Severity.ERROR:
        return hit
    return replace(hit, severity=Severity.WARNING, parameters=(*hit.parameters, ("doubt", doubt)))


def order_findings(finding: SoundFinding) -> tuple[datetime, int, int, int, int, int, str]:
    """Give the key that puts findings in order of time, post, revision and place."""
    source = finding.source
    return (finding.at, source.tid, source.pid, source.revision, source.line or 0, source.column or 0, finding.code)
