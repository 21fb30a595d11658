"""What a post says as a ballot: whose it is, in which format, whom it names. Whether it counts is decided in the box.

Read is the author's own words as first seen; quotes, edit marks, comments, signatures and code blocks are no part of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from scraper.post import History, Line, Message, Post, PostState, Revision, Smiley, Source, Text
from tally.folding import fold
from tally.formats import STOPS, Field, Form, Label, find_label, has_content, may_have_a_label, peel
from tally.names import NO_MATCH, Lexicon, Match
from tally.policy import Edits
from tally.roster import Poster, PosterKind
from tally.ruling import Entry
from tally.values import combine, find_voter, read_value

# 不可设立投票条件 (M29, 投票规则).
_CONDITION = re.compile(
    "如果|假如|假使|假设|假設|倘|要是|只要|一旦|除非|否则|否則|(?<![宛恍智旁])若(?!干|有所|无其事|無其事|隐|隱)"
)
# Words that may set a condition, and have other uses: the director looks.
_MAYBE_CONDITION = re.compile("万一|萬一|的话|的話|的时候|的時候|当.+时|當.+時|[没沒未不]投|再投|就投|则投|則投")
_SMILEY = re.compile(r"\[:[^\n]*?:\]")
_LABELS = ("投票对象", "改票对象", "投票理由", "改票理由")


# Flaws of a post's reading behind which a ballot may stand unread: no message at all, nested too deep, a part that is not shown.
UNREAD_FLAWS = frozenset(("A106", "A108", "A111"))


class Doubt(StrEnum):
    """Why the evidence cannot tell what a post said."""

    NONE = ""
    EDITED = "edited"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class Reading:
    """One ballot as it was read, before any rule: from a post, a part of a director's post, or a `line` of the ledger or `file`.

    `order` sorts ballots by time, then pid. `voter` is whose ballot it would be, `by` who wrote it. `proxy` is set for a
    director's 代投, `misplaced_proxy` for one that a player wrote. `raw` is the target as written (lines joined by `\\n`),
    `match` what it names. `edited` tells that a later revision, or an edit mark, shows other words than the first.

    `entry` is what a line is; one that is `either` is a change where a ballot of the voter stands, one that is not `timed` has
    only its place among the lines, and one that is `repeated` is a manipulation beyond the one that its maker has each day.
    `cursed` is set for what a curse adds.
    """

    order: tuple[datetime, int, int]
    poster: Poster
    voter: str
    form: Form = Form.VOTE
    label: str = ""
    raw: str = ""
    match: Match = NO_MATCH
    has_reason: bool = True
    malformed: bool = False
    proxy: bool = False
    misplaced_proxy: bool = False
    conditional: bool = False
    hidden: bool = False
    struck: bool = False
    edited: bool = False
    doubt: Doubt = Doubt.NONE
    history: History | None = None
    revision: Revision | None = None
    source: Source | None = None
    line: int | None = None
    file: str = ""
    entry: Entry | None = None
    either: bool = False
    timed: bool = True
    repeated: bool = False
    cursed: bool = False

    @property
    def at(self) -> datetime:
        """When it was posted, or cast by a ledger line."""
        return self.order[0]

    @property
    def post(self) -> Post | None:
        """The post as it was read."""
        return self.revision.post if self.revision is not None else None

    @property
    def exact(self) -> bool:
        """Whether its time is known to the second."""
        return self.revision is None or self.revision.post.exact_seconds

    @property
    def change(self) -> bool:
        """Whether it is in the change format."""
        return self.form is Form.CHANGE

    @property
    def manipulates(self) -> bool:
        """Whether it changes the ballot of another (操纵)."""
        return self.entry is Entry.MANIPULATION


def choose_revision(history: History, edits: Edits = Edits.FIRST_SEEN) -> Revision | None:
    """The revision that a ballot is read from: the first (or last) that could be read at all; None where none could."""
    revisions = history.revisions if edits is not Edits.LATEST else history.revisions[::-1]
    return next((revision for revision in revisions if revision.post.state is PostState.NORMAL), None)


def is_whole(post: Post) -> bool:
    """Whether the own words of a post were read to their end."""
    return not post.flaws or not any(flaw.code in UNREAD_FLAWS for flaw in post.flaws)


def own_lines(message: Message) -> list[str]:
    """The own words line by line, without smilies, images and code."""
    return ["".join([token.text for token in line if isinstance(token, Text)]) for line in message.lines]


def read_post(history: History, revision: Revision, poster: Poster, words: Lexicon) -> tuple[Reading, ...]:
    """The ballots of one post: none, one, or for a director one for each 代投 that names a seat."""
    post = revision.post
    if poster.kind is PosterKind.SPECTATOR or not may_have_a_label(post.message.text):
        return ()
    lines = own_lines(post.message)
    labels = [(number, label) for number, line in enumerate(lines) if (label := find_label(line)) is not None]
    match poster.kind:
        case PosterKind.SEAT:
            if all(label.field is Field.PROXY for _, label in labels):
                return ()
            parsed = _parse(post.message.lines, lines, labels, range(len(lines)), words)
            return (_reading(history, revision, poster, parsed, parsed.voter or poster.name, 0),)
        case PosterKind.DIRECTOR:
            parts = _parts(labels, len(lines))
            parsed_parts = [_parse(post.message.lines, lines, labels, part, words) for part in parts]
            return tuple(
                _reading(history, revision, poster, parsed, parsed.voter, number)
                for number, parsed in enumerate(parsed_parts)
                if parsed.voter is not None
            )


def unread_proxies(post: Post, words: Lexicon) -> tuple[str, ...]:
    """What the 代投 lines of a director's post name that is no seat, as written."""
    written = []
    for line in own_lines(post.message):
        label = find_label(line)
        if label is not None and label.field is Field.PROXY and find_voter(line[label.value :], words.voters) is None:
            written.append(line[label.value :].strip())
    return tuple(written)


def maybe_conditional(reading: Reading) -> str:
    """The first line of a proxy's post that may set a condition though it has none of the plain words for one; "" for none."""
    if not reading.proxy or reading.conditional or reading.post is None:
        return ""
    return next((line.strip() for line in own_lines(reading.post.message) if _MAYBE_CONDITION.search(line)), "")


def has_format(post: Post) -> bool:
    """Whether a line of the own words opens with the label of a target."""
    labels = (find_label(line) for line in own_lines(post.message))
    return any(label is not None and label.field is Field.TARGET for label in labels)


def find_lookalike(post: Post, words: Lexicon) -> str:
    """The first line that looks like a vote though it is in no format, as written; "" for none."""
    # The stored text is at hand, the words without smilies are not: a look at the one spares most posts the other.
    if not any(_looks_voted(line, words) for line in _candidates(post.message.text, words)):
        return ""
    return next((line.strip() for line in own_lines(post.message) if _looks_voted(line, words)), "")


def _candidates(text: str, words: Lexicon) -> Iterator[str]:
    """The lines of a message's text that may look like a vote, with the smilies in them and without."""
    glance = words.glance
    for line in text.split("\n"):
        if glance.search(line) is not None:
            yield line
            if "[:" in line:
                yield _SMILEY.sub("", line)


def _looks_voted(line: str, words: Lexicon) -> bool:
    folded = fold(line)
    return folded.startswith(_LABELS) or words.looks_voted(folded) or ("弃" in folded and _abstains(folded))


def _abstains(folded: str) -> bool:
    bare = next(iter([*peel(folded)][-1:]), folded)
    return bare in ("弃权", "弃票", "投弃权", "投弃权票")


@dataclass(frozen=True, slots=True)
class _Parsed:
    """One part of a post, parsed: the fields of a `Reading` that its text decides. `voter` is whom a 代投 names."""

    voter: str | None
    has_proxy: bool
    form: Form
    label: str
    raw: str
    match: Match
    has_reason: bool
    malformed: bool
    conditional: bool
    hidden: bool
    struck: bool
    line: int
    column: int


def _parts(labels: Sequence[tuple[int, Label]], length: int) -> list[range]:
    """The parts of a director's post: all of it for one 代投, else each from its 代投 to the next."""
    starts = [number for number, label in labels if label.field is Field.PROXY]
    if len(starts) <= 1:
        return [range(length)] if starts else []
    return [range(start, end) for start, end in zip(starts, [*starts[1:], length], strict=True)]


def _parse(
    tokens: Sequence[Line], lines: Sequence[str], labels: Sequence[tuple[int, Label]], part: range, words: Lexicon
) -> _Parsed:
    inside = [(number, label) for number, label in labels if number in part]
    ends = [number for number, _ in inside[1:]] + [part.stop]
    reasons: set[Form] = set()
    targets: list[tuple[int, Label, str, Match]] = []
    voter, has_proxy = None, False
    for (number, label), end in zip(inside, ends, strict=True):
        rest = lines[number][label.value :]
        match label.field:
            case Field.PROXY:
                has_proxy, voter = True, voter or find_voter(rest, words.voters)
            case Field.REASON:
                if _says_something(tokens, lines, number, label.value, end):
                    reasons.add(label.form)
            case Field.TARGET:
                raw, found, cut = read_value(rest, words.targets)
                written = _written(tokens[number], lines[number], label.value, raw)
                targets.append((number, label, written, found))
                if cut is not None and _says_something(tokens, lines, number, label.value + cut[1], end):
                    reasons.add(cut[0])
    forms = {label.form for _, label, _, _ in targets}
    filled = [(raw, found) for _, _, raw, found in targets if found.found or has_content(raw.strip(STOPS))]
    first = targets[0] if targets else None
    form = first[1].form if first else inside[0][1].form
    target_lines = [tokens[number] for number, _, _, _ in targets]
    return _Parsed(
        voter=voter,
        has_proxy=has_proxy,
        form=form,
        label=first[1].written if first else "",
        raw="\n".join(dict.fromkeys(raw for raw, _ in filled)),
        match=combine([found for _, found in filled]),
        has_reason=form in reasons,
        malformed=len(forms) != 1 or not filled,
        conditional=has_proxy and any(_is_conditional(lines[number], words) for number in part),
        hidden=any(isinstance(token, Text) and token.hidden for line in target_lines for token in line),
        struck=any(_is_struck(line) for line in target_lines),
        line=(first[0] if first else inside[0][0]) + 1,
        column=(first[1].start if first else inside[0][1].start) + 1,
    )


def _says_something(tokens: Sequence[Line], lines: Sequence[str], number: int, start: int, end: int) -> bool:
    """Whether a reason that begins in a line, and goes on to the next label, has any word or picture."""
    if has_content(lines[number][start:]) or any(position >= start for position, _ in _pictures(tokens[number])):
        return True
    return any(has_content(lines[later]) or _pictures(tokens[later]) for later in range(number + 1, end))


def _pictures(line: Line) -> list[tuple[int, str]]:
    """Where in the own words of a line its pictures stand, with the names of smilies ("" for other pictures)."""
    position, found = 0, []
    for token in line:
        if isinstance(token, Text):
            position += len(token.text)
        else:
            found.append((position, token.name if isinstance(token, Smiley) else ""))
    return found


def _written(tokens: Line, line: str, start: int, value: str) -> str:
    """A value as written: with the smilies that stand inside it, as `[:name:]`."""
    smilies = [(position, name) for position, name in _pictures(tokens) if name]
    if not smilies:
        return value
    begin = line.index(value, start)
    end = begin + len(value)
    for position, name in reversed(smilies):
        if begin <= position <= end:
            value = f"{value[: position - begin]}[:{name}:]{value[position - begin :]}"
    return value


def _is_conditional(line: str, words: Lexicon) -> bool:
    for word in words.every:
        if _CONDITION.search(word):
            line = line.replace(word, "")
    return _CONDITION.search(line) is not None


def _is_struck(line: Line) -> bool:
    words = [token for token in line if isinstance(token, Text) and token.text.strip()]
    return bool(words) and all(token.style.strike for token in words)


def _reading(history: History, revision: Revision, poster: Poster, parsed: _Parsed, voter: str | None, part: int) -> Reading:
    post = revision.post
    by_director = poster.kind is PosterKind.DIRECTOR
    return Reading(
        order=(post.posted_at, post.pid, part),
        poster=poster,
        voter=voter or poster.name,
        form=parsed.form,
        label=parsed.label,
        raw=parsed.raw,
        match=parsed.match,
        has_reason=parsed.has_reason,
        malformed=parsed.malformed,
        proxy=by_director,
        misplaced_proxy=parsed.has_proxy and not by_director,
        conditional=parsed.conditional,
        hidden=parsed.hidden,
        struck=parsed.struck,
        edited=was_edited(history),
        history=history,
        revision=revision,
        source=cite(history, revision, parsed.line, parsed.column),
    )


def was_edited(history: History) -> bool:
    """Whether an edit mark, or other own words in a later revision, show that the post was edited."""
    first = history.first
    return any(revision.post.edited is not None or _differs(revision.post, first) for revision in history.revisions)


def _differs(later: Post, first: Post) -> bool:
    return later.state is PostState.NORMAL and first.state is PostState.NORMAL and later.message.text != first.message.text


def cite(history: History, revision: Revision | None, line: int | None = None, column: int | None = None) -> Source:
    """Where a post is: its thread, pid, revision, and the floor as last seen."""
    return history.cite(revision.number if revision else 1, line, column)


def sort_readings(readings: Iterable[Reading]) -> list[Reading]:
    """In the order in which ballots stand: by time, then pid."""
    return sorted(readings, key=lambda reading: reading.order)
