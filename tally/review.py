"""The whole vote thread, read and put into the box: what the count and the explanation both start from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from scraper.post import History, PostState, Revision, Source
from tally.box import EMPTY_BOX, Box, fill_box
from tally.day import Day
from tally.finding import Finding
from tally.formats import Form
from tally.names import ABSTENTION, Names, index_names
from tally.policy import CardPolicy, Edits, VotePolicy
from tally.reading import Doubt, Reading, choose_revision, cite, is_whole, match_value, may_hold_a_vote, read_post, sort_readings
from tally.result import Evidence
from tally.roster import Accounts, Poster, PosterKind, Roster
from tally.ruled import post_rulings, ruled_names, settle_rulings, with_ruled_accounts
from tally.ruling import LedgerBallot, Ruling, RulingKind
from tally.window import find_cut, may_edit_unseen

# Larger than any pid: a ledger line comes after the posts of its second.
_AFTER_POSTS = 2**62


@dataclass(frozen=True, slots=True)
class Material:
    """Everything that a day's count is a function of; the arguments of `count_day`."""

    histories: tuple[History, ...]
    day: Day
    roster: Roster
    policy: VotePolicy
    cards: CardPolicy
    evidence: Evidence
    complete: bool
    seen_until: datetime | None
    rulings: tuple[Ruling, ...]
    ledger_ballots: tuple[LedgerBallot, ...]
    other_threads: tuple[History, ...]
    as_of: datetime | str | None
    noted: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class Look:
    """One post of the vote thread as it was looked at: who posted, the revision read (None: none could be), its ballots.

    `hinted` tells whether its words have what a ballot, or what looks like one, cannot do without.
    """

    history: History
    poster: Poster
    revision: Revision | None
    readings: tuple[Reading, ...]
    hinted: bool

    @property
    def source(self) -> Source:
        """Where it is."""
        return cite(self.history, self.revision)


@dataclass(frozen=True, slots=True)
class Review:
    """The thread up to the cut: every post looked at, the ballots in order, the rulings by ballot, and the filled box.

    `links_quotes` tells whether quotes carry pids here, `exact` whether every time is known to the second. `lost_lines`
    are ledger lines that cast a vote for no seat.
    """

    material: Material
    cut: tuple[datetime, int] | None
    accounts: Accounts
    names: Names
    looks: tuple[Look, ...]
    readings: tuple[Reading, ...]
    ruled: Mapping[int, Ruling]
    links_quotes: bool
    exact: bool
    lost_lines: tuple[LedgerBallot, ...]
    box: Box = EMPTY_BOX

    def refill(self, rulings: Mapping[int, Ruling]) -> Box:
        """The box under these rulings, by the index of the reading that each settles."""
        return fill_box(
            self.readings,
            day=self.material.day,
            policy=self.material.policy,
            rulings=rulings,
            links_quotes=self.links_quotes,
            until=self.cut[0] if self.cut else None,
        )


def review_day(material: Material) -> Review:
    """Read every post up to the cut, apply the rulings, and fill the box."""
    cut = find_cut(material.as_of, material.histories)
    names = index_names(material.roster, ruled_names(material.rulings, material.roster))
    accounts = Accounts(with_ruled_accounts(material.roster, material.rulings))
    by_pid = post_rulings(material.rulings, names, material.day.vote)
    histories = [history for history in material.histories if cut is None or _order(history) <= cut]
    looks = tuple(_look(history, accounts, names, material, by_pid) for history in histories)
    lines = [line for line in material.ledger_ballots if cut is None or line.at <= cut[0]]
    readings = [reading for look in looks for reading in look.readings]
    readings += [_read_line(line, names) for line in lines if names.find_seat(line.voter) is not None]
    ordered = tuple(sort_readings(readings))
    ruled = settle_rulings(by_pid, ordered)
    draft = Review(
        material=material,
        cut=cut,
        accounts=accounts,
        names=names,
        looks=looks,
        readings=ordered,
        ruled=ruled,
        links_quotes=any(quote.pid is not None for look in looks for quote in look.history.first.quotes),
        exact=all(history.first.exact_seconds for history in histories),
        lost_lines=tuple(line for line in lines if names.find_seat(line.voter) is None),
    )
    return replace(draft, box=draft.refill(ruled))


def _order(history: History) -> tuple[datetime, int]:
    return history.first.posted_at, history.first.pid


def _look(history: History, accounts: Accounts, names: Names, material: Material, by_pid: Mapping[int, Ruling]) -> Look:
    first = history.revisions[0].post
    poster = accounts.find(first.author, first.uid, first.posted_at)
    is_seat = poster.kind is PosterKind.SEAT
    revision = choose_revision(history, material.policy.edits)
    if revision is None:
        unreadable = (_blank(history, None, poster, Doubt.UNREADABLE),)
        return Look(history, poster, None, unreadable if is_seat else (), hinted=False)
    hinted = may_hold_a_vote(revision.post.message)
    readings = read_post(history, revision, poster, names) if hinted else ()
    if is_seat and not readings and not is_whole(revision.post):
        # What could not be read may be a ballot, until a later look shows the whole post.
        whole = next((later for later in history.revisions if _is_whole(later)), None)
        if whole is None:
            return Look(history, poster, revision, (_blank(history, revision, poster, Doubt.UNREADABLE),), hinted)
        revision, hinted = whole, True
        readings = read_post(history, whole, poster, names)
    edited = revision.post.edited
    first_seen = material.policy.edits is Edits.FIRST_SEEN
    if readings and first_seen and edited is not None and not may_edit_unseen(edited.at, material.day, material.policy):
        readings = tuple(replace(reading, doubt=Doubt.EDITED) for reading in readings)
    if is_seat and not readings and _counts_as(by_pid.get(first.pid)):
        readings = (_blank(history, revision, poster, Doubt.NONE),)
    return Look(history, poster, revision, readings, hinted)


def _is_whole(revision: Revision) -> bool:
    return revision.post.state is PostState.NORMAL and is_whole(revision.post)


def _counts_as(ruling: Ruling | None) -> bool:
    return ruling is not None and ruling.kind is RulingKind.COUNT_AS


def _blank(history: History, revision: Revision | None, poster: Poster, doubt: Doubt) -> Reading:
    """A post that holds no ballot that could be read, but may have been one, or was ruled to be."""
    words = revision.post.message.text.strip() if revision else ""
    return Reading(
        order=(*_order(history), 0),
        poster=poster,
        voter=poster.name,
        raw=words.partition("\n")[0],
        malformed=doubt is Doubt.NONE,
        doubt=doubt,
        history=history,
        revision=revision,
        source=cite(history, revision),
    )


def _read_line(line: LedgerBallot, names: Names) -> Reading:
    """A ledger line that casts a vote for a seat, as a ballot after every post of its second."""
    raw = ABSTENTION if line.target is None else line.target
    return Reading(
        order=(line.at, _AFTER_POSTS, line.line),
        poster=Poster(PosterKind.DIRECTOR, line.by),
        voter=names.find_seat(line.voter) or line.voter,
        form=Form.CHANGE if line.change else Form.VOTE,
        raw=raw,
        match=match_value(raw, names),
        proxy=True,
        line=line.line,
    )
