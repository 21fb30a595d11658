"""From an archive, a game file and its ledger to what chanted players posted against the rule: gathered, checked, ruled.

Every revision of every post in the discussion, vote and progress threads is looked at, from the opening of the day that
publishes a seat as chanted to the moment the piper is out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from engine.counting import check_zone
from engine.game import Game
from engine.ledger import Event, standing_events
from engine.looks import judge_looks
from engine.rulings import direct_day
from engine.sounds.directions import find_release, read_rulings
from scraper.pause import without_collecting
from scraper.phrases import listing
from scraper.post import History, Revision
from scraper.stored import read_whole
from tally.day import Day
from tally.finding import Finding, Severity
from tally.names import index_targets
from tally.roster import Accounts, PosterKind
from tally.ruled import ruled_names, with_ruled_accounts
from tally.sounds.case import SoundCase
from tally.sounds.chant import Chant, Placing, list_chants, place_post
from tally.sounds.check import Speaks, check_seat
from tally.sounds.exempt import ThreadKind, find_thread_kind
from tally.sounds.finding import SoundFinding
from tally.sounds.ruled import CheckedPost, Place, Speech, settle_speech

if TYPE_CHECKING:
    from scraper.archive import Archive

# Whoever had an account at any time spoke with it: comments and ratings do not always say when.
_ANY_TIME = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class CheckedSeat:
    """A chanted seat: from when to when, and how many of his posts lie where."""

    chant: Chant
    placed: Mapping[Placing, int]


@dataclass(frozen=True, slots=True)
class SpeechCheck:
    """What a check found: the chanted seats, the posts with findings (breaches first), and what to look at besides.

    `histories` are the posts of all threads by thread and pid, `own` those of each seat. `seen_until` is the earliest of the
    last looks at the threads of the chanted days, None while one was never looked at. `checked` is False where nobody is told
    who is chanted.
    """

    days: tuple[Day, ...]
    seats: tuple[CheckedSeat, ...]
    posts: tuple[CheckedPost, ...]
    findings: tuple[Finding, ...]
    histories: Mapping[Place, History]
    own: Mapping[str, frozenset[Place]]
    seen_until: datetime | None
    checked: bool = True

    def count(self, severity: Severity) -> int:
        """How many posts (each revision for itself) are a breach, a suspect, or only noted."""
        return sum(post.severity is severity for post in self.posts)

    def revision_of(self, post: CheckedPost) -> Revision:
        """The revision that a checked post is."""
        source = post.source
        return next(one for one in self.histories[source.tid, source.pid].revisions if one.number == source.revision)

    def is_own(self, post: CheckedPost) -> bool:
        """Whether the seat wrote the post; else he spoke under it."""
        return (post.source.tid, post.source.pid) in self.own[post.seat]

    def thread_kind(self, post: CheckedPost) -> ThreadKind:
        """What the thread of a post is for."""
        return find_thread_kind(post.source.tid, self.days)

    def day_of(self, post: CheckedPost) -> int:
        """The one day that a post belongs to: that in which it was said, or that before its night."""
        said = post.findings[0]
        if said.day is not None:
            return said.day
        return max((day.number for day in self.days if day.opens <= said.at), default=self.days[0].number)

    def day_named(self, finding: Finding) -> int | None:
        """The day that a finding about the game speaks of, None where it is about no one day."""
        day = dict(finding.parameters).get("day")
        return None if day is None else int(day)


def limit_check(check: SpeechCheck, *, day: int | None = None, seat: str | None = None) -> SpeechCheck:
    """What of a check concerns one day, one seat, or both; findings about no one day stay."""
    return replace(
        check,
        seats=tuple(one for one in check.seats if seat in (None, one.chant.seat)),
        posts=tuple(post for post in check.posts if seat in (None, post.seat) and day in (None, check.day_of(post))),
        findings=tuple(
            finding
            for finding in check.findings
            if (finding.seat is None or seat in (None, finding.seat))
            and (check.day_named(finding) is None or day in (None, check.day_named(finding)))
        ),
    )


@without_collecting()
def check_game(game: Game, archive: Archive, events: tuple[Event, ...], *, known_at: datetime | None = None) -> SpeechCheck:
    """Check a whole game from its archive and ledger; `known_at` limits the evidence and the rulings."""
    held = standing_events(events, known_at)
    directions = [direct_day(game, held, one) for one in game.days]
    days = tuple(one.day for one in directions)
    windows = _list_windows(game, days)
    rulings = directions[-1].rulings
    roster = with_ruled_accounts(directions[-1].roster, rulings)
    release, disagreements = find_release(game, held, days)
    chants = list_chants(days, release) if game.speech.rules.checked else ()
    threads = dict.fromkeys(tid for one in windows for tid in list_threads(one)) if chants else {}
    histories = _fetch_whole(archive, threads, known_at)
    targets = index_targets(roster, game.policy.target, ruled_names(rulings, roster))
    case = SoundCase(
        game.speech.rules,
        windows,
        quoted={pid: history for (_, pid), history in histories.items()}.get,
        names_target=lambda value: targets.find(value) is not None,
        thread_titles={tid: archive.fetch_titles(tid, known_at=known_at) for tid in threads},
        directors=frozenset(account.name for account in roster.directors),
        authors=frozenset(history.author for history in histories.values()),
        measures=game.speech.measures,
    )
    speeches, seats = _check_seats(chants, case, histories, Accounts(roster))
    posts, unused = settle_speech(speeches, read_rulings(game, held), histories, windows)
    looks = _judge_threads(game, archive, windows, chants, known_at)
    return SpeechCheck(
        days=windows,
        seats=tuple(seats),
        posts=posts,
        findings=(*disagreements, *_find_forgotten(days, chants), *looks.findings, *unused),
        histories=histories,
        own={speech.seat: frozenset(speech.own) for speech in speeches},
        seen_until=looks.seen_until,
        checked=game.speech.rules.checked,
    )


def _fetch_whole(archive: Archive, threads: Iterable[int], known_at: datetime | None) -> Mapping[Place, History]:
    """Every post of the threads with all its revisions at hand: each is going to be looked at."""
    found = [history for tid in threads for history in archive.fetch_histories(tid, known_at=known_at)]
    read_whole(found)
    return {(history.tid, history.pid): history.whole for history in found}


def list_threads(day: Day) -> tuple[int, ...]:
    """The threads of a day in which a chanted player is checked (a vote at the table has none)."""
    return tuple(tid for tid in (*day.discussion, day.vote, day.progress) if tid)


def _list_windows(game: Game, days: tuple[Day, ...]) -> tuple[Day, ...]:
    """The days, and for each further vote of a day its window and thread as another of the same number."""
    further = [
        replace(day, opens=one.opens, closes=one.closes, vote=one.vote, discussion=(), progress=None)
        for day in days
        for one in game.rounds.get(day.number, ())
    ]
    return (*days, *further)


def _check_seats(
    chants: tuple[Chant, ...], case: SoundCase, histories: Mapping[Place, History], accounts: Accounts
) -> tuple[list[Speech], list[CheckedSeat]]:
    written: dict[str, dict[Place, History]] = {chant.seat: {} for chant in chants}
    old: set[int] = set()
    remarked: dict[Place, History] = {}
    for place, history in histories.items():
        post = history.first
        poster = accounts.find(post.author, post.uid, post.posted_at)
        if poster.kind is PosterKind.SEAT and poster.name in written:
            written[poster.name][place] = history
            if poster.old:
                old.add(post.pid)
        if any(revision.post.comments or revision.post.ratings for revision in history.revisions):
            remarked[place] = history
    signed = [
        revision.seen_at for history in histories.values() for revision in history.revisions if revision.post.signature.strip()
    ]
    speeches, seats = [], []
    for bare in chants:
        own = written[bare.seat]
        chant = replace(bare, signature=_find_signature(own.values(), bare, min(signed, default=None)))
        others = [history for place, history in remarked.items() if place not in own]
        found = check_seat(chant, case, tuple(own.values()), others, _make_speaks(chant.seat, accounts))
        doubted = tuple(_doubt(finding) if finding.source.pid in old else finding for finding in found)
        speeches.append(Speech(chant.seat, own, doubted))
        seats.append(CheckedSeat(chant, Counter(place_post(history, chant, case.days) for history in own.values())))
    return speeches, seats


def _make_speaks(seat: str, accounts: Accounts) -> Speaks:
    def speaks(name: str, uid: int | None) -> bool:
        poster = accounts.find(name, uid, _ANY_TIME)
        return poster.kind is PosterKind.SEAT and poster.name == seat

    return speaks


def _find_signature(own: Iterable[History], chant: Chant, first_signed: datetime | None) -> str | None:
    """The seat's signature at the last look before the chant, None where it is not known.

    That he had none is known only where that account was shown anybody's by then: guests often see no signatures.
    """
    before = [revision for history in own for revision in history.revisions if revision.seen_at < chant.start]
    if not before:
        return None
    written = max(before, key=lambda revision: revision.seen_at).post.signature
    if written.strip() or (first_signed is not None and first_signed < chant.start):
        return written
    return None


def _doubt(finding: SoundFinding) -> SoundFinding:
    """What stands under an account that was replaced may be the words of whoever had it before."""
    if finding.severity is not Severity.ERROR:
        return finding
    return replace(finding, severity=Severity.WARNING, parameters=(*finding.parameters, ("doubt", "old_account")))


def _find_forgotten(days: tuple[Day, ...], chants: tuple[Chant, ...]) -> Iterator[Finding]:
    """Days of the chant whose facts do not name the seat, though he is in: the count goes by the facts."""
    for chant in chants:
        since = next(day for day in days if day.opens == chant.start)
        for day in days:
            inside = day.opens > chant.start and (chant.end is None or day.opens < chant.end)
            if inside and chant.seat not in (*day.chanted, *(out.name for out in day.out)):
                parameters = (("seat", chant.seat), ("since", str(since.number)), ("day", str(day.number)))
                yield Finding("C205", parameters, chant.seat)


@dataclass(frozen=True, slots=True)
class _Looks:
    findings: tuple[Finding, ...]
    seen_until: datetime | None


def _judge_threads(
    game: Game, archive: Archive, days: Iterable[Day], chants: tuple[Chant, ...], known_at: datetime | None
) -> _Looks:
    """What the passes over the threads of the chanted days are worth: what was never seen cannot have been checked.

    A board in another zone than the game says moves every post by hours, out of the chant or into it.
    """
    findings: list[Finding] = []
    seen: list[datetime | None] = []
    for day in days:
        if not any(chant.start <= day.closes and (chant.end is None or day.opens < chant.end) for chant in chants):
            continue
        for tid in list_threads(day):
            passes = archive.fetch_passes(tid, known_at=known_at)
            looks = judge_looks(passes, day)
            where = (("tid", str(tid)), ("day", str(day.number)))
            seen.append(looks.seen_until)
            if looks.seen_until is None:
                findings.append(Finding("C201", where))
            elif not looks.complete:
                pages = listing(looks.evidence.missing_pages)
                findings.append(Finding("C202", (*where, ("pages", pages))))
            findings += check_zone(game, passes)
            flaws = dict.fromkeys(one.flaw for one in archive.fetch_page_flaws(tid, known_at=known_at))
            findings += [Finding(flaw.code, (*flaw.parameters, ("tid", str(tid)))) for flaw in flaws]
    known = [moment for moment in seen if moment is not None]
    return _Looks(tuple(dict.fromkeys(findings)), min(known, default=None) if len(known) == len(seen) else None)
