"""The whole vote thread, read and put into the box: what the count and the explanation both start from."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain
from typing import NamedTuple, assert_never

from scraper.post import History, PostState, Revision, Source
from scraper.stored import read_whole
from tally.ballot import CURSE
from tally.box import EMPTY_BOX, Box, fill_box, is_out
from tally.day import Day
from tally.finding import Finding
from tally.formats import Form
from tally.names import ABSTENTION, Book, Lexicon, Names
from tally.policy import CardPolicy, Decides, Edits, SecondVote, VotePolicy
from tally.reading import Doubt, Reading, choose_revision, cite, is_whole, read_post, sort_readings
from tally.result import Evidence
from tally.roster import Accounts, Poster, PosterKind, Roster, learn_uids
from tally.ruled import post_rulings, ruled_names, settle_rulings, with_ruled_accounts
from tally.ruling import Entry, LedgerBallot, Ruling, RulingKind
from tally.values import match_value
from tally.window import find_cut, is_closed, may_edit_unseen

# Larger than any pid: a line comes after the posts of its second, a table's after the ledger's, what changes others' after all.
_AFTER_POSTS = 2**62
_OF_A_TABLE, _OF_MANIPULATION = _AFTER_POSTS + 1, _AFTER_POSTS + 2
_TO_THE_END = 2**63


@dataclass(frozen=True, slots=True)
class Material:
    """Everything that a day's count is a function of; the arguments of `count_day`.

    `unread` are the discussion threads that were not seen whole since the close.
    """

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
    seed: str = ""
    unread: tuple[int, ...] = ()


class Look(NamedTuple):
    """One post of the vote thread as it was looked at: who posted, the revision read (None: none could be), its ballots.

    `hinted` tells whether its words have what a ballot, or what looks like one, cannot do without. `chat` is a post without, of
    which there is nothing else to tell: it stays as it is stored.
    """

    history: History
    poster: Poster
    read: Revision | None = None
    readings: tuple[Reading, ...] = ()
    hinted: bool = False
    chat: bool = False

    @property
    def revision(self) -> Revision | None:
        """The revision that was read."""
        return self.history.revisions[0] if self.chat else self.read

    @property
    def source(self) -> Source:
        """Where it is."""
        return self.history.cite() if self.read is None else cite(self.history, self.read)


@dataclass(frozen=True, slots=True)
class Review:
    """The thread up to the cut: the posts looked at, the ballots in order, the rulings by ballot, and the filled box.

    `looks` are of the posts in which a ballot, or what looks like one, may stand; all others are `chat`, which `chatters` has by
    poster. `opening` is the thread's first post.
    `links_quotes` tells whether quotes carry pids here, `exact` whether every time is known to the second. `lost_lines`
    are lines that cast a vote for no seat. `electors` is who may vote (None: everybody), `alike` are groups whose ballots must
    agree, once the vote is over.
    """

    material: Material
    cut: tuple[datetime, int] | None
    accounts: Accounts
    book: Book
    looks: tuple[Look, ...]
    chat: tuple[History, ...]
    chatters: Mapping[Poster, Sequence[History]]
    opening: int
    readings: tuple[Reading, ...]
    ruled: Mapping[int, Ruling]
    links_quotes: bool
    exact: bool
    lost_lines: tuple[LedgerBallot, ...]
    electors: frozenset[str] | None = None
    alike: tuple[tuple[str, ...], ...] = ()
    box: Box = EMPTY_BOX

    @property
    def targets(self) -> Names:
        """The names of what votes may name, whenever they hold."""
        return self.book.whole.targets

    @property
    def voters(self) -> Names:
        """The names of the seats, whenever they hold."""
        return self.book.whole.voters

    @property
    def over(self) -> bool:
        """Whether everything of the window was seen and is counted."""
        return _is_over(self.material, self.cut, self.exact)

    def list_posts(self, wanted: Callable[[Poster], bool]) -> list[Look]:
        """All posts of some posters in order of time, chat too."""
        looks = [look for look in self.looks if wanted(look.poster)]
        return sorted([*looks, *self.list_chat(wanted)], key=lambda look: _order(look.history))

    def list_chat(self, wanted: Callable[[Poster], bool]) -> list[Look]:
        """The chat of some posters."""
        return [Look(one, poster, chat=True) for poster, posts in self.chatters.items() if wanted(poster) for one in posts]

    def refill(self, rulings: Mapping[int, Ruling]) -> Box:
        """The box under these rulings, by the index of the reading that each settles."""
        return fill_box(
            self.readings,
            day=self.material.day,
            policy=self.material.policy,
            rulings=rulings,
            links_quotes=self.links_quotes,
            until=self.cut[0] if self.cut else None,
            electors=self.electors,
            alike=self.alike,
        )


def review_day(material: Material) -> Review:
    """Read every post up to the cut, apply the rulings, and fill the box."""
    cut = find_cut(material.as_of, material.histories)
    roster, policy, day = material.roster, material.policy, material.day
    book = Book(roster, policy.target, ruled_names(material.rulings, roster))
    targets, voters = book.whole.targets, book.whole.voters
    known = learn_uids(with_ruled_accounts(roster, material.rulings), chain(material.histories, material.other_threads))
    accounts = Accounts(known)
    by_pid = post_rulings(material.rulings, targets, day.vote)
    histories = [history for history in material.histories if cut is None or _order(history) <= cut]
    glance = book.whole.glance
    counted = {pid for pid, ruling in by_pid.items() if _counts_as(ruling)}
    chat: list[History] = []
    looked: list[History] = []
    for history in histories:
        (looked if history.may_hold(glance) or history.pid in counted else chat).append(history)
    read_whole(looked)
    looks = tuple([_look(history.whole, accounts, book, glance, material, by_pid) for history in looked])
    told = _rank_manipulations(material)
    repeated = _find_repeated(material, told)
    lines = [
        line
        for line in material.ledger_ballots
        if _poll_of(line, material) == day.poll and (cut is None or _moment_of(line, day) <= cut[0])
    ]
    readings = [reading for look in looks for reading in look.readings]
    readings += [_read_line(line, day, book.whole, repeated, told) for line in lines if voters.find_seat(line.voter) is not None]
    readings += _read_curse(material, targets)
    ordered = tuple(sort_readings(readings))
    ruled = settle_rulings(by_pid, ordered)
    exact = all(history.exact_seconds for history in histories)
    draft = Review(
        material=material,
        cut=cut,
        accounts=accounts,
        book=book,
        looks=looks,
        chat=tuple(chat),
        chatters=accounts.group(chat),
        opening=min([history.pid for history in histories], default=0),
        readings=ordered,
        ruled=ruled,
        links_quotes=any(history.links_quotes for history in histories),
        exact=exact,
        lost_lines=tuple(line for line in lines if voters.find_seat(line.voter) is None),
        electors=_find_electors(material),
        alike=tuple(_find_alike(material)) if _is_over(material, cut, exact) else (),
    )
    return replace(draft, box=draft.refill(ruled))


def _is_over(material: Material, cut: tuple[datetime, int] | None, exact: bool) -> bool:
    whole = cut is None or cut >= (material.day.ends, _TO_THE_END)
    return whole and is_closed(material.day, material.seen_until, exact)


def _find_electors(material: Material) -> frozenset[str] | None:
    """Who may vote: in 断言 those of one role, and a seat whose role nobody has told."""
    poll = material.policy.poll(material.day.poll, material.day.number)
    if not poll.role:
        return None
    return frozenset(seat.name for seat in material.roster.seats if seat.role in (poll.role, None))


def _find_alike(material: Material) -> Iterator[tuple[str, ...]]:
    """The groups that must vote alike: of each such role the seats in play that are no lovers (单身的两姐妹/三兄弟)."""
    day = material.day
    for role in material.policy.agree:
        seats = (seat.name for seat in material.roster.seats if seat.role == role)
        group = tuple(seat for seat in seats if seat not in day.lovers and not is_out(seat, day.closes, day))
        if len(group) > 1:
            yield group


def _poll_of(line: LedgerBallot, material: Material) -> str:
    """Which of the day's votes a line belongs to: as it says, else that of the voter's role, else the first."""
    polls = material.policy.polls
    if line.poll is not None:
        return line.poll
    role = next((seat.role for seat in material.roster.seats if seat.name == line.voter), None)
    return next((poll.name for poll in polls if poll.role and poll.role == role), polls[0].name if polls[0].role else "")


def _rank_manipulations(material: Material) -> Mapping[tuple[str, int], int]:
    """The place of each manipulation among those of the day, by file and line: as they were told; without a time, as written."""
    lines = [line for line in material.ledger_ballots if line.entry is Entry.MANIPULATION]
    lines.sort(key=lambda line: (line.at, line.file != "", line.line))
    return {(line.file, line.line): rank for rank, line in enumerate(lines)}


def _find_repeated(material: Material, told: Mapping[tuple[str, int], int]) -> frozenset[tuple[str, int]]:
    """The lines of manipulations beyond the one that each maker has a day: the later ones, or the earlier if the last holds."""
    seen: dict[str, list[tuple[str, int]]] = {}
    makers = {(line.file, line.line): line.by for line in material.ledger_ballots if line.entry is Entry.MANIPULATION}
    for key in sorted(makers, key=lambda key: told[key]):
        seen.setdefault(makers[key], []).append(key)
    match material.policy.second:
        case SecondVote.VOID:
            return frozenset(line for lines in seen.values() for line in lines[1:])
        case SecondVote.REPLACE:
            return frozenset(line for lines in seen.values() for line in lines[:-1])
        case _:
            assert_never(material.policy.second)


def _read_curse(material: Material, targets: Names) -> tuple[Reading, ...]:
    """What a curse adds to its target: a ballot of nobody's, there from the opening of a vote that exiles."""
    day = material.day
    if day.curse is None or material.policy.poll(day.poll, day.number).decides is not Decides.EXILE:
        return ()
    poster = Poster(PosterKind.DIRECTOR, CURSE)
    match = match_value(day.curse.target, targets)
    order = day.opens, -1, 0
    return (Reading(order, poster, CURSE, raw=day.curse.target, match=match, line=day.curse.line, cursed=True),)


def _order(history: History) -> tuple[datetime, int]:
    return history.posted_at, history.pid


def _look(
    history: History, accounts: Accounts, book: Book, glance: re.Pattern[str], material: Material, by_pid: Mapping[int, Ruling]
) -> Look:
    poster = accounts.find_poster(history)
    words = book.at(history.posted_at)
    is_seat = poster.kind is PosterKind.SEAT
    revision = choose_revision(history, material.policy.edits)
    if revision is None:
        unreadable = (_blank(history, None, poster, Doubt.UNREADABLE),)
        return Look(history, poster, None, unreadable if is_seat else ())
    hinted = glance.search(revision.post.message.text) is not None
    readings = read_post(history, revision, poster, words) if hinted else ()
    if is_seat and not readings and not is_whole(revision.post):
        # What could not be read may be a ballot, until a later look shows the whole post.
        whole = next((later for later in history.revisions if _is_whole(later)), None)
        if whole is None:
            return Look(history, poster, revision, (_blank(history, revision, poster, Doubt.UNREADABLE),), hinted)
        revision, hinted = whole, True
        readings = read_post(history, whole, poster, words)
    edited = revision.post.edited
    first_seen = material.policy.edits is Edits.FIRST_SEEN
    if readings and first_seen and edited is not None and not may_edit_unseen(edited.at, material.day, material.policy):
        readings = tuple(replace(reading, doubt=Doubt.EDITED) for reading in readings)
    if is_seat and not readings and _counts_as(by_pid.get(history.pid)):
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


def _moment_of(line: LedgerBallot, day: Day) -> datetime:
    """When a line's vote was cast: as it says, else at the end of the vote."""
    return line.at if line.timed else day.ends


def _read_line(
    line: LedgerBallot,
    day: Day,
    words: Lexicon,
    repeated: frozenset[tuple[str, int]],
    told: Mapping[tuple[str, int], int],
) -> Reading:
    """A line that holds a vote of a seat, as a ballot after every post of its second."""
    raw = ABSTENTION if line.target is None else line.target
    manipulates = line.entry is Entry.MANIPULATION
    place = _OF_MANIPULATION if manipulates else _OF_A_TABLE if line.file else _AFTER_POSTS
    return Reading(
        order=(_moment_of(line, day), place, told.get((line.file, line.line), line.line) if manipulates else line.line),
        poster=Poster(PosterKind.DIRECTOR, line.by),
        voter=words.voters.find_seat(line.voter) or line.voter,
        form=Form.CHANGE if line.change else Form.VOTE,
        raw=raw,
        match=match_value(raw, words.targets),
        proxy=line.entry is Entry.PROXY,
        line=line.line,
        file=line.file,
        entry=line.entry,
        either=line.either,
        timed=line.timed,
        repeated=manipulates and (line.file, line.line) in repeated,
    )
