"""Posts, days and rosters for tests, in few words: a test says only what matters to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta, timezone

from engine.rulesets.m29 import VOTE
from scraper.post import (
    Code,
    Comment,
    EditMark,
    Flaw,
    History,
    Line,
    Message,
    Post,
    PostState,
    Quote,
    Rating,
    Revision,
    Text,
)
from tally.ballot import Ballot
from tally.count import count_day
from tally.day import Day, Out
from tally.finding import Finding
from tally.policy import CardPolicy, VotePolicy
from tally.result import DayTally, Evidence
from tally.roster import Account, Roster, Seat
from tally.ruling import LedgerBallot, Ruling

ZONE = timezone(timedelta(hours=8))
VOTE_THREAD, DISCUSSION, PROGRESS = 1235, 1234, 1236
DIRECTOR = "[M29]导演"
# The roster of the deck in ballots.md, every name as it stands there.
DECK = (
    "饺子",
    "包子",
    "豆沙",
    "夜行猫",
    "夜行者",
    "K先生",
    "青岚",
    "老王",
    "1号",
    "10号",
    "🐱喵",
    "a&b<c>",
    "Napoléon",
    "弃权者",
    "汤圆",
)


def at(clock: str, day: int = 5) -> datetime:
    """A moment of June 2018 in the game's zone, from HH:MM or HH:MM:SS."""
    hour, minute, second = (int(part) for part in f"{clock}:00".split(":")[:3])
    return datetime(2018, 6, day, hour, minute, second, tzinfo=ZONE)


def make_roster(names: Sequence[str] = DECK, **roles: str) -> Roster:
    """A roster whose accounts bear the players' names; `roles` by name."""
    return Roster(
        tuple(Seat(name, (Account(name, 1000 + number),), role=roles.get(name)) for number, name in enumerate(names)),
        (Account(DIRECTOR, 2),),
    )


def make_day(**changes: object) -> Day:
    """Day 2, open from 09:30 to 21:00, with no sheriff."""
    day = Day(
        number=2,
        opens=at("09:30"),
        closes=at("21:00"),
        vote=VOTE_THREAD,
        discussion=(DISCUSSION,),
        progress=PROGRESS,
        sheriff="",
    )
    return replace(day, **changes)  # type: ignore[arg-type]


def words(text: str) -> Message:
    """A message in plain text."""
    return Message(tuple((Text(line),) if line else () for line in text.split("\n")))


def ballot_text(target: str, change: bool = False, reason: str = "略") -> str:
    """A ballot in its format."""
    form = "改票" if change else "投票"
    return f"{form}对象：{target}\n{form}理由：{reason}"


@dataclass(frozen=True)
class Wrote:
    """One post of a script: who wrote what when, and what became of it.

    `quotes` are indexes of earlier posts of the script that it quotes with their pid; `links` are other quotes. `edits` are
    later texts, each with when it was seen. `mark` is the minute of an edit mark that it bears at first sight.
    """

    text: str = ""
    by: str = "饺子"
    clock: str = "10:00"
    quotes: tuple[int, ...] = ()
    links: tuple[Quote, ...] = ()
    message: Message | None = None
    edits: tuple[tuple[str, str], ...] = ()
    mark: str | None = None
    state: PostState = PostState.NORMAL
    uid: int | None = None
    exact: bool = True
    tid: int = VOTE_THREAD
    seen: str | None = None
    missing_since: str | None = None
    comments: tuple[Comment, ...] = ()
    ratings: tuple[Rating, ...] = ()
    signature: str = ""
    unreadable: bool = False
    flaws: tuple[Flaw, ...] = ()


def pid_of(index: int) -> int:
    """The pid of a script's post."""
    return 101 + index


def make_history(wrote: Wrote, index: int, script: Sequence[Wrote] = ()) -> History:
    """The history of a script's post."""
    pid = pid_of(index)
    quotes = tuple(
        Quote(pid_of(number), VOTE_THREAD, script[number].by, f"2018-6-5 {script[number].clock}", script[number].text)
        for number in wrote.quotes
    )
    first = Post(
        tid=wrote.tid,
        pid=pid,
        floor=f"{index + 2}#",
        author=wrote.by,
        uid=wrote.uid,
        posted_at=at(wrote.clock),
        message=wrote.message or words(wrote.text),
        state=wrote.state if wrote.unreadable else PostState.NORMAL,
        edited=EditMark(wrote.by, at(wrote.mark)) if wrote.mark else None,
        quotes=(*quotes, *wrote.links),
        comments=wrote.comments,
        ratings=wrote.ratings,
        signature=wrote.signature,
        exact_seconds=wrote.exact,
        flaws=wrote.flaws,
    )
    seen = at(wrote.seen or wrote.clock) + timedelta(seconds=30)
    revisions = [Revision(1, seen, first)]
    for number, (clock, text) in enumerate(wrote.edits, 2):
        edited = first._replace(message=words(text), edited=EditMark(wrote.by, at(clock)))
        revisions.append(Revision(number, at(clock) + timedelta(minutes=1), edited))
    missing = at(wrote.missing_since) if wrote.missing_since else None
    return History(tuple(revisions), wrote.state, missing or at("21:05"), missing)


@dataclass(frozen=True)
class Table:
    """What a script is counted with; every field has what most tests want."""

    day: Day = field(default_factory=make_day)
    roster: Roster = field(default_factory=make_roster)
    policy: VotePolicy = VOTE
    cards: CardPolicy = field(default_factory=CardPolicy)
    rulings: tuple[Ruling, ...] = ()
    ledger_ballots: tuple[LedgerBallot, ...] = ()
    complete: bool = True
    seen_until: datetime | None = field(default_factory=lambda: at("21:05"))
    evidence: Evidence = field(default_factory=lambda: Evidence(None, None))
    as_of: datetime | str | None = None
    noted: tuple[Finding, ...] = ()
    unread: tuple[int, ...] = ()
    seed: str = ""


def count(script: Sequence[Wrote], table: Table | None = None, *, backwards: bool = False) -> DayTally:
    """The tally of a script: posts of the vote thread and of the others, by their tid; `backwards` gives the last one first."""
    table = table or Table()
    histories = [make_history(wrote, index, script) for index, wrote in enumerate(script)]
    histories = histories[::-1] if backwards else histories
    return count_day(
        [history for history in histories if history.first.tid == table.day.vote],
        day=table.day,
        roster=table.roster,
        policy=table.policy,
        cards=table.cards,
        evidence=table.evidence,
        complete=table.complete,
        seen_until=table.seen_until,
        rulings=table.rulings,
        ledger_ballots=table.ledger_ballots,
        other_threads=[history for history in histories if history.first.tid != table.day.vote],
        as_of=table.as_of,
        noted=table.noted,
        seed=table.seed,
        unread=table.unread,
    )


def result_of(tally: DayTally, index: int) -> str:
    """Where a script's post ended: →NAME, 弃权, replaced, void REASON, needs_ruling or not a ballot; every place, sorted."""
    pid = pid_of(index)

    def is_here(ballot: Ballot) -> bool:
        return ballot.post is not None and ballot.post.pid == pid

    found = [f"→{count.target}" for count in tally.counts for ballot in count.ballots if is_here(ballot)]
    found += ["弃权" for ballot in tally.abstained if is_here(ballot)]
    found += ["replaced" for ballot in tally.replaced if is_here(ballot)]
    found += [f"void {ballot.reason}" for ballot in tally.void if is_here(ballot)]
    found += ["needs_ruling" for one in tally.needs_ruling if one.post.pid == pid]
    found += ["not a ballot" for source in tally.not_ballots if source.pid == pid]
    return " + ".join(sorted(found))


def codes_of(tally: DayTally, index: int) -> set[str]:
    """The codes of the findings about a script's post."""
    return {finding.code for finding in tally.findings if finding.source is not None and finding.source.pid == pid_of(index)}


def outs(*names: str) -> tuple[Out, ...]:
    """Seats that went out before the day opened."""
    return tuple(Out(name) for name in names)


def hidden(text: str) -> Message:
    """A message that stands in a [hide]."""
    return Message(tuple((Text(line, hidden=True),) for line in text.split("\n")))


def code_block(text: str) -> Message:
    """A message that stands in a code block."""
    return Message(tuple((Code(line),) for line in text.split("\n")))


def tokens(*lines: Line) -> Message:
    """A message from tokens."""
    return Message(tuple(lines))
