"""Requests for a shorter or a longer day, read from the progress thread: whose they are, which stand, and why others do not.

未出局角色可在进程帖中申请加速或延时。(M29, 讨论日长短) The form, which the rule post leaves open: the first line of the own words
that is not blank is 申请加速 or 申请延时 (in 马甲杀 申请缩短 or 同意缩短), alone or before a stop, a space or a bracket; a reason
may follow. 撤回申请 or 取消申请 takes back what the seat asked for. As with ballots the words count as they were first seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum

from scraper.post import History, PostState, Revision, Source
from tally.box import is_out
from tally.day import Day
from tally.finding import Finding
from tally.names import DIRECTION, ZERO_WIDTH, fold_lightly, simplify
from tally.policy import Clause
from tally.reading import choose_revision, cite, is_whole, own_lines
from tally.roster import Accounts, Poster, PosterKind
from tally.window import is_before_open, minute_of

_MINUTE = timedelta(minutes=1)


class Ask(StrEnum):
    """What a post asks for."""

    SPEED_UP = "speed_up"
    EXTENSION = "extension"
    WITHDRAW = "withdraw"


def term_of(ask: Ask | None) -> str:
    """What an ask is called among the terms of findings."""
    return "faster" if ask is Ask.SPEED_UP else str(ask)


class Quorum(StrEnum):
    """How many of the seats that live must ask: half of them (M29), or all (马甲杀)."""

    HALF = "half"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class RequestPolicy:
    """How a rule system reads requests. `words` are the fixed forms, each with what it asks for.

    `lead` is how many seconds before the close they are judged, that second included; None where they hold at once, when the
    quorum is reached. `speeds_up` tells whether a granted request is a speed-up, which voids changes (M29); otherwise the
    director is told, who moves the close himself (马甲杀: 游戏日可能缩短).
    """

    words: tuple[tuple[str, Ask], ...]
    quorum: Quorum
    lead: int | None
    speeds_up: bool
    clause: Clause


class RequestFate(StrEnum):
    """Where a request ended: it stands, it was replaced, repeated or taken back, or it never counted."""

    STANDING = "standing"
    REPLACED = "replaced"
    REPEATED = "repeated"
    WITHDRAWN = "withdrawn"
    WITHDRAWAL = "withdrawal"
    NOTHING_TO_WITHDRAW = "nothing_to_withdraw"
    DOUBTFUL = "doubtful"
    BEFORE_OPEN = "before_open"
    LATE = "late"
    SEAT_OUT = "seat_out"
    LEFT = "left"
    OLD_ACCOUNT = "old_account"
    SPECTATOR = "spectator"


@dataclass(frozen=True, slots=True)
class Request:
    """One post that asks for something: `seat` is whose it is (a spectator's account otherwise), `raw` the line as written.

    `ask` is None where the post was never read, but may have been one.
    """

    seat: str
    ask: Ask | None
    at: datetime
    source: Source
    raw: str
    fate: RequestFate = RequestFate.STANDING


@dataclass(frozen=True, slots=True)
class Wishes:
    """The requests of a day up to their judgement: every one with its fate, what each seat may want, and what to look at.

    `wanted` holds for a seat what it wants; several where the evidence cannot tell (None among them: nothing).
    """

    requests: tuple[Request, ...]
    wanted: Mapping[str, frozenset[Ask | None]]
    findings: tuple[Finding, ...]

    def posts_for(self, ask: Ask, seats: Iterable[str]) -> tuple[Source, ...]:
        """The posts with which some seats ask for it."""
        asking = (RequestFate.STANDING, RequestFate.DOUBTFUL)
        wanted = set(seats)
        return tuple(one.source for one in self.requests if one.ask is ask and one.seat in wanted and one.fate in asking)


@dataclass(frozen=True, slots=True)
class Due:
    """When requests are judged: those made up to `cutoff` count; what they bring holds from `holds_from`."""

    cutoff: datetime
    holds_from: datetime


def find_judgement(day: Day, lead: int) -> Due:
    """When a day's requests are judged: so many seconds before the close that was in force then.

    A close that is moved once they are judged does not judge them again; one that is moved so near that the moment has passed
    judges them as it is announced, by those that had been made in time.
    """
    begins = None
    for limits in day.moved:
        cutoff = limits.closes - timedelta(seconds=lead)
        if cutoff < limits.until:
            return Due(cutoff, cutoff if begins is None else max(cutoff, begins))
        begins = limits.until
    cutoff = day.closes - timedelta(seconds=lead)
    return Due(cutoff, cutoff if begins is None else max(cutoff, begins))


# Words in no form that speak of it: somebody may think that he asked.
_NEAR = re.compile(
    r"(?:申请|请求|要求|希望|附议|同意|支持|赞成|撤回|取消|撤销).{0,6}(?:加速|延时|延迟|延长|缩短)"
    r"|(?:加速|延时|延迟|缩短).{0,2}(?:申请|\+1|附议)|[撤取][回消].{0,4}申请"
)
_UNSURE = re.compile(r"撤回|取消|作废|撤销")
_OPENERS, _CLOSERS = tuple("【［[（(「『《〈<"), tuple("】］]）)」』》〉>")
_QUESTIONS = ("?", "？")
_DIRECTION = re.compile(f"[{DIRECTION}]")
_MARKS = re.compile(f"[{ZERO_WIDTH}]")


def find_ask(line: str, policy: RequestPolicy) -> Ask | None:
    """What a line asks for in one of the fixed forms; None for none, and where it says two things at once."""
    if _DIRECTION.search(line):
        # What it shows is not what it says.
        return None
    text = simplify(_MARKS.sub("", line)).strip()
    opened = text[:1] in _OPENERS
    bare = text[1:].lstrip() if opened else text
    for word, ask in policy.words:
        if not bare.startswith(word):
            continue
        rest = bare[len(word) :]
        closed = opened and rest.lstrip()[:1] in _CLOSERS
        if (rest[:1].isalnum() and not closed) or rest.lstrip()[:1] in _QUESTIONS:
            return None
        both = any(other in rest for other, wanted in policy.words if wanted is not ask)
        return None if both or _UNSURE.search(rest) else ask
    return None


def looks_like_a_request(lines: Sequence[str]) -> str:
    """The first line that speaks of a request, as written; "" for none."""
    for line in lines:
        if _NEAR.search(simplify(fold_lightly(line))):
            return line.strip()
    return ""


def _first_line(lines: Sequence[str]) -> str:
    return next((line for line in lines if fold_lightly(line)), "")


@dataclass(frozen=True, slots=True)
class _Seen:
    """A post of the progress thread as it is read: whose, which revision, its first line, and what that asks for."""

    history: History
    poster: Poster
    revision: Revision | None
    line: str
    ask: Ask | None
    doubt: bool

    @property
    def at(self) -> datetime:
        return self.history.posted_at


def read_wishes(
    histories: Iterable[History],
    *,
    day: Day,
    accounts: Accounts,
    policy: RequestPolicy,
    until: datetime | None = None,
) -> Wishes:
    """Read every request of a day's progress thread; `until` leaves out what was posted later (None: nothing).

    Those after the judgement are late and change nothing. Without a `lead` they count up to the close.
    """
    cutoff = find_judgement(day, policy.lead or 0).cutoff
    findings: list[Finding] = []
    requests: list[Request] = []
    # What a seat may want, and in each case the request that says so.
    worlds: dict[str, dict[Ask | None, int | None]] = {}
    ordered = sorted(histories, key=lambda history: (history.posted_at, history.pid))
    for history in ordered:
        if until is not None and history.posted_at > until:
            continue
        seen = _see(history, accounts, policy, cutoff)
        if seen.poster.kind is PosterKind.DIRECTOR:
            continue
        fate = _outside(seen, day, cutoff)
        if fate is None:
            findings += _note_words(seen, policy)
        if seen.ask is None and not (seen.doubt and fate is None):
            continue
        source = cite(history, seen.revision)
        request = Request(seen.poster.name, seen.ask, seen.at, source, seen.line, fate or RequestFate.STANDING)
        requests.append(request)
        if fate is None:
            _take(seen, len(requests) - 1, requests, worlds, findings)
        else:
            findings.append(_refuse(request))
        if fate is None and not history.exact_seconds and minute_of(seen.at) == minute_of(cutoff):
            findings.append(Finding("B514", (("at", f"{cutoff:%H:%M:%S}"),), request.seat, source))
    _settle_left(requests, worlds, day, cutoff, findings)
    wanted = {seat: frozenset(world) for seat, world in worlds.items()}
    return Wishes(tuple(requests), wanted, tuple(findings))


def _see(history: History, accounts: Accounts, policy: RequestPolicy, cutoff: datetime) -> _Seen:
    poster = accounts.find_poster(history)
    revision = choose_revision(history)
    if revision is None:
        return _Seen(history, poster, None, "", None, doubt=poster.kind is PosterKind.SEAT)
    line = _first_line(own_lines(revision.post.message))
    ask = find_ask(line, policy)
    edited = revision.post.edited
    # Edited after the judgement and never seen before: what it said then is not known.
    late_edit = edited is not None and edited.at + _MINUTE - timedelta(seconds=1) > cutoff
    unread = ask is None and not is_whole(revision.post)
    doubt = poster.kind is PosterKind.SEAT and ((ask is not None and late_edit) or unread)
    return _Seen(history, poster, revision, line.strip(), ask, doubt)


def _outside(seen: _Seen, day: Day, cutoff: datetime) -> RequestFate | None:
    """Why a request does not count whatever it says; None where it may."""
    if seen.poster.kind is PosterKind.SPECTATOR:
        return RequestFate.SPECTATOR
    if seen.poster.old:
        return RequestFate.OLD_ACCOUNT
    if is_out(seen.poster.name, seen.at, day):
        return RequestFate.SEAT_OUT
    if is_before_open(seen.at, seen.history.exact_seconds, day):
        return RequestFate.BEFORE_OPEN
    return RequestFate.LATE if seen.at > cutoff else None


def _take(
    seen: _Seen,
    index: int,
    requests: list[Request],
    worlds: dict[str, dict[Ask | None, int | None]],
    findings: list[Finding],
) -> None:
    """Let a request change what its seat wants; a doubtful one adds what it may have changed."""
    request = requests[index]
    world = worlds.setdefault(request.seat, {None: None})
    if seen.doubt:
        requests[index] = replace(request, fate=RequestFate.DOUBTFUL)
        for wish in (Ask.SPEED_UP, Ask.EXTENSION, None):
            world.setdefault(wish, index)
        return
    before = next(iter(world)) if len(world) == 1 else None
    standing = next(iter(world.values())) if len(world) == 1 else None
    ask = request.ask
    if ask is Ask.WITHDRAW:
        if len(world) == 1 and before is None:
            requests[index] = replace(request, fate=RequestFate.NOTHING_TO_WITHDRAW)
            findings.append(_refuse(requests[index]))
            return
        requests[index] = replace(request, fate=RequestFate.WITHDRAWAL)
        _end(requests, world.values(), RequestFate.WITHDRAWN)
        worlds[request.seat] = {None: None}
        return
    if len(world) == 1 and before is ask:
        requests[index] = replace(request, fate=RequestFate.REPEATED)
        findings.append(_refuse(requests[index]))
        return
    if standing is not None:
        both = (("seat", request.seat), ("first", term_of(before)), ("second", term_of(ask)))
        findings.append(Finding("B505", both, request.seat, request.source))
    _end(requests, world.values(), RequestFate.REPLACED)
    worlds[request.seat] = {ask: index}


def _end(requests: list[Request], indexes: Iterable[int | None], fate: RequestFate) -> None:
    for index in indexes:
        if index is not None and requests[index].fate in (RequestFate.STANDING, RequestFate.DOUBTFUL):
            requests[index] = replace(requests[index], fate=fate)


def _settle_left(
    requests: list[Request],
    worlds: dict[str, dict[Ask | None, int | None]],
    day: Day,
    cutoff: datetime,
    findings: list[Finding],
) -> None:
    """A seat that went out before the judgement asks for nothing any more: counted are 存活人数, and who asks is 未出局."""
    for seat, world in list(worlds.items()):
        if not is_out(seat, cutoff, day):
            continue
        for index in world.values():
            if index is not None and requests[index].fate in (RequestFate.STANDING, RequestFate.DOUBTFUL):
                requests[index] = replace(requests[index], fate=RequestFate.LEFT)
                findings.append(_refuse(requests[index]))
        del worlds[seat]


_WARNED = (RequestFate.SPECTATOR, RequestFate.SEAT_OUT, RequestFate.OLD_ACCOUNT)


def _refuse(request: Request) -> Finding:
    """What is said of a request that does not count: a warning about whose it is, else a note for the record."""
    code = "B504" if request.fate in _WARNED else "B506"
    parameters = (("name", request.seat), ("why", request.fate.value), ("text", request.raw))
    return Finding(code, parameters, None if request.fate is RequestFate.SPECTATOR else request.seat, request.source)


def _note_words(seen: _Seen, policy: RequestPolicy) -> Iterator[Finding]:
    """What became of a post's words, and words that only look like a request."""
    if seen.revision is None:
        return
    seat, source = seen.poster.name, cite(seen.history, seen.revision)
    readable = [one for one in seen.history.revisions if one.post.state is PostState.NORMAL]
    later = find_ask(_first_line(own_lines(readable[-1].post.message)), policy) if readable else None
    if seen.ask is None:
        if later is not None:
            yield Finding("B507", (("why", "edited_into"), ("text", seen.line)), seat, source)
        elif text := looks_like_a_request(own_lines(seen.revision.post.message)):
            yield Finding("B503", (("text", text),), seat, source)
        return
    if later is not seen.ask:
        yield Finding("B507", (("why", "edited_after"), ("text", seen.line)), seat, source)
    elif seen.revision.post.edited is not None and not seen.doubt:
        yield Finding("B507", (("why", "edited_before"), ("text", seen.line)), seat, source)
    if seen.history.state is not PostState.NORMAL:
        yield Finding("B507", (("why", seen.history.state.value), ("text", seen.line)), seat, source)
